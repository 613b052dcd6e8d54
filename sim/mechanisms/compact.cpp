// SPDX-License-Identifier: Apache-2.0
// core/compact_frontend: single-path execution with a stack entry a nesting, which is shown as the textbook's.
#ifdef HEDDLE_HAVE_RTL
#include "Vcompact_w8.h"
#include "Vcompact_w8___024root.h"
#include "engine/rtl_frontend.h"
#endif
#include "core/compact_frontend.h"
#include "engine/twin_frontend.h"
#include "mechanisms/designs.h"
#include "report/frontend_bits.h"

namespace heddle {
namespace {

// The entries that the compact ones fold: of each nesting the meeting point, then the side that waits; last the path. A
// stack has depth(warp), top(warp) and below(warp, i), what nesting i left behind.
template <class Stack>
std::vector<StackEntry> unfolded(const Stack& stack, unsigned warp) {
  std::vector<StackEntry> entries;
  const unsigned depth = stack.depth(warp);
  if (depth == 0) return entries;
  const SpeEntry top = stack.top(warp);
  for (unsigned i = 0; i + 1 < depth; ++i) {
    const CompactEntry from = stack.below(warp, i);
    SpeEntry above = top;  // what the entry left behind of the path that stood here before the next nesting
    if (i + 2 < depth) {
      const CompactEntry next = stack.below(warp, i + 1);
      above.rpc = next.rpc;
      above.rpc_level = next.rpc_level;
      above.sibling = next.sibling;
    }
    if (!from.tail) {
      entries.push_back({{is_odd(above.rpc) ? kReturnPlace : above.rpc, 0},
                         {from.meeting_mask, 0},
                         from.rpc,
                         {above.rpc_level, 0},
                         from.rpc_level});
    }
    if (above.sibling)
      entries.push_back({{from.later_pc, 0}, {from.later_mask, 0}, above.rpc, {from.later_level, 0}, above.rpc_level});
  }
  entries.push_back({{top.pc, 0}, {top.mask, 0}, top.rpc, {top.level, 0}, top.rpc_level});
  return entries;
}

struct CompactTwin : TwinRules {
  template <class Logic>
  static unsigned depth(const Logic& logic, unsigned warp) {
    return static_cast<unsigned>(unfolded(logic.stack(), warp).size());
  }
  template <class Logic>
  static StackEntry entry(const Logic& logic, unsigned warp, unsigned index, unsigned /*slots*/) {
    return unfolded(logic.stack(), warp)[index];
  }
};

#ifdef HEDDLE_HAVE_RTL
struct CompactFrontend {
  HEDDLE_RTL_NETS(compact_frontend, warp)
};
// The row of nesting n, 1 the outermost, is at n modulo a power of two: {later_pc, later_mask, meeting_mask, rpc,
// level, up, sibling, tail}. A tail has its later side's level and leaves the place as it is; else the level is that of
// the place below, and the later side is `up` levels above the place on top of it.
struct CompactRtl : RtlRules<1, 16> {
  struct Nets : CompactFrontend::Nets {
    HEDDLE_RTL_STACK(rpc, compact_frontend, u_places__DOT__rpc_q)
    HEDDLE_RTL_STACK(rpc_level, compact_frontend, u_places__DOT__rpc_level_q)
    HEDDLE_RTL_STACK(live, compact_frontend, u_places__DOT__live_q)
  };
  HEDDLE_RTL_ROWS(rows, compact_frontend, u_below)

  template <class M>
  struct Rows {
    const M& m;
    [[nodiscard]] unsigned depth(unsigned w) const { return m.stack_entries(w); }
    [[nodiscard]] SpeEntry top(unsigned w) const {
      SpeEntry top;
      top.pc = m.pc(w);
      top.mask = m.mask(w);
      top.level = m.level(w);
      top.rpc = m.rpc(w);
      top.rpc_level = m.rpc_level(w);
      top.sibling = m.sibling(w);
      return top;
    }
    [[nodiscard]] CompactEntry below(unsigned w, unsigned i) const {
      CompactEntry entry;
      std::uint32_t place_level = m.rpc_level(w);
      for (unsigned n = depth(w) - 1; n > i; --n) {
        RowReader row(rows(m.root())[address(w, n & ((1u << kIndexBits) - 1))]);
        entry.tail = row.take(1) != 0;
        entry.sibling = row.take(1) != 0;
        const std::uint32_t up = row.take32(2), level = row.take32(kRtlLevelBits);
        entry.rpc = row.take32(32);
        entry.meeting_mask = row.take(M::kLanes);
        entry.later_mask = row.take(M::kLanes);
        entry.later_pc = row.take32(31) << 1;
        const std::uint32_t up_to = place_level + (up == 3 ? ~0u : up);
        entry.later_level = static_cast<std::uint16_t>((entry.tail ? level : up_to) & lane_mask(kRtlLevelBits));
        if (!entry.tail) place_level = level;
        entry.rpc_level = static_cast<std::uint16_t>(place_level);
      }
      return entry;
    }
  };
  template <class M>
  static unsigned depth(const M& m, unsigned w) {
    return static_cast<unsigned>(unfolded(Rows<M>{m}, w).size());
  }
  template <class M>
  static StackEntry entry(const M& m, unsigned w, unsigned index) {
    return unfolded(Rows<M>{m}, w)[index];
  }
};
#endif

class CompactDesign final : public TwinDesign<CompactTwin, OneSlotBuild<compact_frontend, ScoreboardModule::kSpe>,
                                              OneSlotBuild<compact_frontend, ScoreboardModule::kBitmap>> {
 public:
  [[nodiscard]] FrontendShape shape(const Config& config) const override { return one_slot_shape(config); }
#ifdef HEDDLE_HAVE_RTL
  [[nodiscard]] const std::vector<RtlModelOf>& rtl_models() const override {
    static const std::vector<RtlModelOf> models = {
        rtl_model<CompactRtl, 32, ScoreboardModule::kSpe, void, Vcompact_w8>()};
    return models;
  }
#endif

  // One entry a nesting: the later side, and the meeting point with what its own entry said.
  void count_bits(FrontendBits& bits) const override {
    using B = FrontendBits;
    const unsigned lanes = bits.lanes(), levels = bits.levels(), pc = B::kPcBits - 1;
    bits.begin("core/compact_frontend", "stack/compact_stack");
    const char* folded = "the meeting point, which the paper's stack keeps in an entry of its own";
    const char* known = "whether an advance arrives is known before it is granted";
    bits.add_to_warps("stack top", {{"pc", pc, ""},
                                    {"mask", lanes, ""},
                                    {"rpc", B::kPcBits, ""},
                                    {"level", levels, B::kLevelReason},
                                    {"rpc_level", levels, B::kLevelReason},
                                    {"sibling", 1, "the later side of the nesting is still to execute"},
                                    {"rpc_again", pc, known},
                                    {"conditions", 3, known}});
    bits.storage({{"later_pc", pc, ""},
                  {"later_mask", lanes, ""},
                  {"rpc", B::kPcBits, ""},
                  {"meeting_mask", lanes, folded},
                  {"sibling", 1, folded},
                  {"tail", 1, folded},
                  {"level", levels + 2, B::kLevelReason}});
    bits.stack_control();
    bits.add_once("resolution register", {{"top", 31 + 32 + lanes + 2 * levels + 1, B::kStage},
                                          {"depth", bits.depth_bits(), B::kStage},
                                          {"warp", bits.warp_bits(), B::kStage},
                                          {"conditions", 6, B::kStage}});
    bits.add_once("advance register", {{"warp", bits.warps(), known}, {"pc", pc, known}});
    bits.add_once(
        "pop register",
        {{"valid", 1, B::kStage}, {"warp", bits.warp_bits(), B::kStage}, {"depth", bits.depth_bits(), B::kStage}});
    bits.row_address(1);
    bits.high_water_mark();
  }
};

}  // namespace

const FrontendDesign& compact_design() {
  static const CompactDesign design;
  return design;
}

}  // namespace heddle
