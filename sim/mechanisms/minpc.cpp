// SPDX-License-Identifier: Apache-2.0
// Threads in the order of their PCs: minpc/minpc_frontend.
#ifdef HEDDLE_HAVE_RTL
#include "Vminpc_w8.h"
#include "Vminpc_w8___024root.h"
#include "engine/rtl_frontend.h"
#endif
#include "engine/twin_frontend.h"
#include "mechanisms/designs.h"
#include "minpc/minpc_frontend.h"
#include "report/frontend_bits.h"

namespace heddle {
namespace {

// Places of threads as they are shown: an entry a place, the path on top, and below it those who come after it. A
// thread is at `place(lane)`; those of the path are in `path`.
template <class Place>
std::vector<StackEntry> by_place(LaneMask live, LaneMask path, Place place) {
  std::vector<MinPcPlace> places;
  std::vector<StackEntry> entries;
  const auto add = [&](std::size_t at, const MinPcPlace& where) {
    places.insert(places.begin() + static_cast<std::ptrdiff_t>(at), where);
    StackEntry entry;
    entry.pc[0] = where.pc;
    entry.level[0] = where.level;
    entries.insert(entries.begin() + static_cast<std::ptrdiff_t>(at), entry);
  };
  for (LaneMask others = live & ~path; others != 0; others &= others - 1) {
    const MinPcPlace where = place(lowest_bit(others));
    std::size_t at = 0;
    while (at < places.size() && comes_before(where, places[at])) ++at;
    if (at == places.size() || !is_at(where, places[at])) add(at, where);
    entries[at].mask[0] |= bit_of(lowest_bit(others));
  }
  if ((live & path) != 0) {
    add(entries.size(), place(lowest_bit(live & path)));
    entries.back().mask[0] = live & path;
  }
  for (std::size_t i = 1; i < entries.size(); ++i) {
    entries[i].rpc = entries[i - 1].pc[0];
    entries[i].rpc_level = entries[i - 1].level[0];
  }
  return entries;
}

struct MinPcTwin : TwinRules {
  template <class Logic>
  static std::vector<StackEntry> entries(const Logic& logic, unsigned warp) {
    const auto& stack = logic.stack();
    if (stack.depth(warp) == 0) return {};
    return by_place(stack.live(warp), stack.whole_path(warp).mask, [&](unsigned lane) {
      MinPcPlace place;
      stack.place(warp, lane, place);
      return place;
    });
  }
  template <class Logic>
  static unsigned depth(const Logic& logic, unsigned warp) {
    return static_cast<unsigned>(entries(logic, warp).size());
  }
  template <class Logic>
  static StackEntry entry(const Logic& logic, unsigned warp, unsigned index, unsigned /*slots*/) {
    return entries(logic, warp)[index];
  }
  template <class Logic>
  static void read_place(const Logic& logic, unsigned warp, WarpState& state) {
    const MinPcPath path = logic.stack().whole_path(warp);
    state.rpc = path.waiting ? path.wait_pc : 0;
    state.rpc_level = static_cast<std::uint16_t>(path.waiting ? path.wait_level : 0);
  }
};

#ifdef HEDDLE_HAVE_RTL
struct MinPcRtl : RtlRules<1, 1> {
  static constexpr unsigned kStackDepth = 16;  // what the key has if nothing sets it: there are no entries
  HEDDLE_RTL_NETS(minpc_frontend, warp)
  HEDDLE_RTL_ROWS(rows, minpc_frontend, u_places)
  HEDDLE_RTL_STACK(path_masks, minpc_frontend, mask_q)

  // A row has {aside, ~level, pc / 4} of each thread; those of the path are where the path is.
  template <class M>
  static std::vector<StackEntry> entries(const M& m, unsigned w) {
    constexpr unsigned kPcBits = 30, kPlaceBits = 1 + kPcBits + kRtlLevelBits;
    if (m.stack_entries(w) == 0) return {};
    const LaneMask path = bits(path_masks(m.root()), M::kLanes * w, M::kLanes);
    return by_place(m.live(w), path, [&](unsigned lane) -> MinPcPlace {
      if (has_bit(path, lane)) return {m.pc(w), m.level(w), false};
      const auto& row = rows(m.root())[w];
      const auto pc = static_cast<std::uint32_t>(bits(row, kPlaceBits * lane, kPcBits)) << 2;
      const auto level = static_cast<std::uint32_t>(bits(row, kPlaceBits * lane + kPcBits, kRtlLevelBits));
      return {pc, ~level & static_cast<std::uint32_t>(lane_mask(kRtlLevelBits)),
              bits(row, kPlaceBits * (lane + 1) - 1, 1) != 0};
    });
  }
  template <class M>
  static unsigned depth(const M& m, unsigned w) {
    return static_cast<unsigned>(entries(m, w).size());
  }
  template <class M>
  static StackEntry entry(const M& m, unsigned w, unsigned index) {
    return entries(m, w)[index];
  }
};
#endif

template <ScoreboardModule kScoreboard>
using MinPcBuild =
    TwinBuild<kScoreboard, SelectorKind::kTwoLevel,
              minpc_frontend<kMaxPartitionWarps, kTwinLanes, static_cast<unsigned>(kScoreboard), kTwinSbEntries, 0,
                             kTwinIbufDepth, kTwinLevelBits, 1, kWritePorts, kTwinTagBits>>;

class MinPcDesign final
    : public TwinDesign<MinPcTwin, MinPcBuild<ScoreboardModule::kSpe>, MinPcBuild<ScoreboardModule::kBitmap>> {
 public:
  [[nodiscard]] FrontendShape shape(const Config& config) const override {
    FrontendShape shape = one_slot_shape(config);
    shape.core.has_stack = false;
    return shape;
  }
#ifdef HEDDLE_HAVE_RTL
  [[nodiscard]] const std::vector<RtlModelOf>& rtl_models() const override {
    static const std::vector<RtlModelOf> models = {rtl_model<MinPcRtl, 32, ScoreboardModule::kSpe, void, Vminpc_w8>()};
    return models;
  }
#endif

  void count_bits(FrontendBits& bits) const override {
    using B = FrontendBits;
    const unsigned lanes = bits.lanes(), levels = bits.levels(), pc = B::kPcBits - 2;
    bits.begin("minpc/minpc_frontend", "minpc/min_pc_table");
    bits.add("places of threads",
             {{"pc", pc, ""}, {"level", levels, B::kLevelReason}, {"aside", 1, "at a barrier: others go first"}}, lanes,
             bits.all_warps(), Storage::kMemory);
    bits.add_to_warps("path", {{"pc", pc, ""},
                               {"level", levels, B::kLevelReason},
                               {"aside", 1, "all threads are at barriers"},
                               {"mask", lanes, ""},
                               {"next pc", pc, "where the next threads wait: the path stops there"},
                               {"next level", levels, B::kLevelReason},
                               {"next aside", 1, "and whether they are at a barrier"},
                               {"waiting", 1, "threads wait"},
                               {"valid", 1, B::kValidReason},
                               {"live", lanes, B::kLiveReason},
                               {"in use", 1, "the warp has threads"}});
    bits.add_once("resolution register", {{"target", pc + levels, B::kStage},
                                          {"next", pc + levels, B::kStage},
                                          {"taken", lanes, B::kStage},
                                          {"exit", lanes, B::kStage},
                                          {"diverges", 1, B::kStage}});
    bits.add_once("settled warp", {{"warp", bits.warp_bits(), B::kStage},
                                   {"acts", 1, B::kStage},
                                   {"meets", 1, B::kStage},
                                   {"row address", bits.warp_bits(), "the address at which the memory was read"},
                                   {"high-water mark", 1, "a warp was launched"}});
  }
};

class MinPc final : public Mechanism {
 public:
  MinPc()
      : Mechanism(MechanismKind::kFrontend, "minpc",
                  "threads with the lowest PC issue, equal PCs together (thread-frontier style order)",
                  "Diamos et al., MICRO 2011") {}
  [[nodiscard]] const FrontendDesign* design(const Config&) const override {
    static const MinPcDesign design;
    return &design;
  }
};

}  // namespace

const Mechanism& minpc_mechanism() {
  static const MinPc minpc;
  return minpc;
}

}  // namespace heddle
