// SPDX-License-Identifier: Apache-2.0
// Dynamic warp subdivision: core/dws_frontend, whose warps may be in splits that issue apart until they meet.
#ifdef HEDDLE_HAVE_RTL
#include "Vdws.h"
#include "Vdws___024root.h"
#include "Vdws_w8.h"
#include "Vdws_w8___024root.h"
#include "engine/rtl_frontend.h"
#endif
#include "config/key_macros.h"
#include "core/dws_frontend.h"
#include "engine/twin_frontend.h"
#include "mechanisms/designs.h"
#include "report/frontend_bits.h"
#include "wave/frontend_probes.h"

namespace heddle {
namespace {

class SubdivisionUnit final : public MechanismUnit {
 public:
  explicit SubdivisionUnit(const Config& config) : threshold_(config.dws.threshold) {}
  // The block behind its branch is short, so running it once for each split costs little; behind the end of a thread
  // there is none. Where a function returns to is not known.
  void mark(const UnitCore&, const PathInstruction& at, Mark& mark) const override {
    const Pc rpc = at.inst.rpc;
    if (rpc == kNoRpc || (rpc != kReturnRpc && at.inst.rpc_block <= threshold_)) mark.kind = kMarkDivide;
  }
  void add_counts(const FrontendCounts& counts, Stats& stats) const override {
    SplitStats& splits = stats.splits;
    splits.made += counts.splits;
    splits.merged += counts.merges;
    splits.refused += counts.refused;
    splits.most = std::max<std::uint64_t>(splits.most, counts.max_splits);
  }

 private:
  const unsigned threshold_;
};

// The rows, then the splits; splits that wait in rows meet where those of the top do.
struct DwsTwin : TwinRules {
  static constexpr bool kPathsEnd = true;

  template <class Logic>
  static unsigned splits(const Logic& logic, unsigned warp) {
    return heddle::count_bits(logic.stack().slots(warp));
  }
  template <class Logic>
  static LaneMask in_splits(const Logic& logic, unsigned warp, unsigned slots) {
    const auto& stack = logic.stack();
    LaneMask threads = 0;
    for (unsigned slot = 0; slot < slots; ++slot) {
      if (has_bit(stack.valid(slot), warp)) threads |= stack.path(warp, slot).mask;
    }
    for (unsigned i = stack.depth(warp) - 1; i-- > 0 && stack.row_waits(warp, i);) threads |= stack.row(warp, i).mask;
    return threads;
  }
  template <class Logic>
  static unsigned depth(const Logic& logic, unsigned warp) {
    const unsigned depth = logic.stack().depth(warp);
    return depth == 0 ? 0 : depth - 1 + std::max(1u, splits(logic, warp));
  }
  template <class Logic>
  static StackEntry entry(const Logic& logic, unsigned warp, unsigned index, unsigned slots) {
    const auto& stack = logic.stack();
    const unsigned rows = stack.depth(warp) - 1;
    SpeEntry place = stack.top(warp, 0);
    StackPath path;
    if (index < rows) {
      const SpeEntry row = stack.row(warp, index);
      path = {row.mask, row.pc, row.level};
      if (!stack.row_waits(warp, index)) place = row;
    } else {
      unsigned slot = 0;
      for (unsigned left = index - rows + 1; slot < slots; ++slot) {
        left -= has_bit(stack.valid(slot), warp) ? 1 : 0;
        if (left == 0) break;
      }
      if (slot < slots) path = stack.path(warp, slot);
    }
    return {{path.pc, 0}, {path.mask, 0}, place.rpc, {path.level, 0}, place.rpc_level};
  }
  template <class Logic>
  static void read_place(const Logic& logic, unsigned warp, WarpState& state) {
    const SpeEntry top = logic.stack().top(warp, 0);
    state.rpc = top.rpc;
    state.rpc_level = top.rpc_level;
  }
  template <class Logic>
  static void show(const Logic& logic, DirectFrontendPins& pins) {
    pins.max_splits.write(logic.stack().max_splits());
    pins.splits.write(logic.stack().splits());
    pins.merges.write(logic.stack().merges());
    pins.refused.write(logic.stack().refused());
  }
};

#ifdef HEDDLE_HAVE_RTL
constexpr unsigned kRtlSplits = 8;

struct DwsRtl : RtlRules<kRtlSplits, 32> {
  static constexpr bool kPathsEnd = true;
  HEDDLE_RTL_NETS(dws_frontend, path)
  HEDDLE_RTL_ROWS(even_rows, dws_frontend, u_even)
  HEDDLE_RTL_ROWS(odd_rows, dws_frontend, u_odd)
  HEDDLE_RTL_STACK(waiting, dws_frontend, waiting_q)

  template <class M>
  static unsigned splits(const M& m, unsigned w) {
    unsigned count = 0;
    for (unsigned slot = 0; slot < kSlots; ++slot) count += m.valid(M::path_of(slot, w));
    return count;
  }
  template <class M>
  static LaneMask in_splits(const M& m, unsigned w) {
    LaneMask threads = 0;
    for (unsigned slot = 0; slot < kSlots; ++slot) threads |= m.mask(M::path_of(slot, w));
    bool waits = flag(waiting(m.root()), w) != 0;
    for (unsigned i = m.stack_entries(w) - 1; waits && i-- > 0;) threads |= row(m, w, i, waits).mask[0];
    return threads;
  }
  template <class M>
  static unsigned depth(const M& m, unsigned w) {
    const unsigned depth = m.stack_entries(w);
    return depth == 0 ? 0 : depth - 1 + std::max(1u, splits(m, w));
  }
  template <class M>
  static StackEntry entry(const M& m, unsigned w, unsigned index) {
    const unsigned rows = m.stack_entries(w) - 1;
    StackEntry entry;
    bool waits = flag(waiting(m.root()), w) != 0;
    if (index < rows) {
      bool is_split = waits;
      for (unsigned i = rows; i-- > index;) {
        is_split = waits;
        entry = row(m, w, i, waits);
      }
      if (!is_split) return entry;
    } else {
      unsigned slot = 0;
      for (unsigned left = index - rows + 1; slot < kSlots; ++slot) {
        left -= m.valid(M::path_of(slot, w));
        if (left == 0) break;
      }
      const unsigned path = M::path_of(slot, w);
      if (slot < kSlots) entry = {{m.pc(path), 0}, {m.mask(path), 0}, 0, {m.level(path), 0}, 0};
    }
    entry.rpc = m.rpc(w);
    entry.rpc_level = m.rpc_level(w);
    return entry;
  }
  // {pc, mask, level, rpc, rpc_level, sibling, waiting}, in two banks: the last says of the row below that it is a
  // split, and goes to `waits`.
  template <class M>
  static StackEntry row(const M& m, unsigned w, unsigned index, bool& waits) {
    const unsigned at = address(w, index);
    RowReader row(at % 2 == 0 ? even_rows(m.root())[at / 2] : odd_rows(m.root())[at / 2]);
    StackEntry entry;
    waits = row.take(1) != 0;
    row.take(1);
    entry.rpc_level = row.take32(kRtlLevelBits);
    entry.rpc = row.take32(32);
    entry.level[0] = row.take32(kRtlLevelBits);
    entry.mask[0] = row.take(M::kLanes);
    entry.pc[0] = row.take32(32);
    return entry;
  }
};
#endif

// One module, with any number of slots.
using DwsModule = dws_frontend<kMaxPartitionWarps, kTwinLanes, kTwinLanes, kTwinStackDepth, 0, kTwinSbEntries, 0,
                               kTwinIbufDepth, kTwinLevelBits, 1, kWritePorts, kTwinTagBits>;

class DwsDesign final
    : public TwinDesign<DwsTwin, TwinBuild<ScoreboardModule::kOptimistic, SelectorKind::kTwoLevel, DwsModule>> {
 public:
  [[nodiscard]] FrontendShape shape(const Config& config) const override {
    FrontendShape shape;
    shape.slots = config.dws.splits;
    shape.scoreboard = ScoreboardModule::kOptimistic;
    shape.core.splits_warps = shape.core.parts_warps = true;
    return shape;
  }
  [[nodiscard]] std::unique_ptr<MechanismUnit> unit(const Config& config) const override {
    return std::make_unique<SubdivisionUnit>(config);
  }
#ifdef HEDDLE_HAVE_RTL
  [[nodiscard]] const std::vector<RtlModelOf>& rtl_models() const override {
    static const std::vector<RtlModelOf> models = {
        rtl_model<DwsRtl, 32, ScoreboardModule::kOptimistic, Vdws, Vdws_w8>()};
    return models;
  }
#endif
  void add_probes(PinProbes& probes) const override {
    probes.number("max_splits", 7, probes.pins.max_splits);
    probes.number("splits", 32, probes.pins.splits);
    probes.number("merges", 32, probes.pins.merges);
    probes.number("refused", 32, probes.pins.refused);
  }

  // A split is a path of the top entry; rows are those of the single-path stack, or splits for which there was no slot.
  void count_bits(FrontendBits& bits) const override {
    using B = FrontendBits;
    const unsigned lanes = bits.lanes(), levels = bits.levels();
    bits.begin("core/dws_frontend", "dws/warp_split_table");
    const char* waits = "a full table loses nothing: a split without a slot waits in a row";
    bits.add("splits",
             {{"pc", B::kPcBits, ""},
              {"mask", lanes, ""},
              {"level", levels, B::kLevelReason},
              {"valid", 1, B::kValidReason}},
             bits.slots(), bits.all_warps());
    bits.add_to_warps(
        "stack top",
        {{"rpc", B::kPcBits, ""}, {"rpc_level", levels, B::kLevelReason}, {"sibling", 1, B::kSiblingReason}});
    bits.storage({{"pc", B::kPcBits, ""},
                  {"mask", lanes, ""},
                  {"rpc", B::kPcBits, ""},
                  {"level", levels, B::kLevelReason},
                  {"rpc_level", levels, B::kLevelReason},
                  {"sibling", 1, B::kSiblingReason},
                  {"waiting", 1, waits}});
    bits.add_to_warps(
        "stack control",
        {{"waiting", 1, waits}, {"live", lanes, B::kLiveReason}, {"depth", bits.depth_bits(), B::kDepthReason}});
    bits.add_once("resolution register", {{"valid", 1, B::kStage},
                                          {"warp", bits.warp_bits(), B::kStage},
                                          {"slot", bits.slot_bits(), B::kStage},
                                          {"taken", lanes, B::kStage},
                                          {"not_taken", lanes, B::kStage},
                                          {"exit", lanes, B::kStage},
                                          {"target", B::kPcBits, B::kStage},
                                          {"next", B::kPcBits, B::kStage},
                                          {"rpc", B::kPcBits, B::kStage},
                                          {"levels", 3 * levels, B::kStage},
                                          {"depth", bits.depth_bits(), B::kStage},
                                          {"conditions", 13, B::kStage}});
    bits.add_once("pop register", {{"valid", 1, B::kStage},
                                   {"last", 1, B::kStage},
                                   {"refill", 1, waits},
                                   {"warp", bits.warp_bits(), B::kStage},
                                   {"depth", bits.depth_bits(), B::kStage}});
    bits.row_address(2);
    bits.high_water_mark();
    const char* watched = "statistics: splits, merges and refused ones since reset, and the most splits of a warp";
    bits.add_once("split counters", {{"splits", 32, watched},
                                     {"merges", 32, watched},
                                     {"refused", 32, watched},
                                     {"max_splits", index_bits(bits.slots() + 1), watched}});
  }
};

class Dws final : public Mechanism {
 public:
  Dws()
      : Mechanism(MechanismKind::kFrontend, "dws",
                  "dynamic warp subdivision: the sides of a branch run on apart, as splits of their warp, if the block "
                  "behind it is short",
                  "DPE paper 2.2") {}
  [[nodiscard]] std::vector<ConfigKey> keys() const override {
    return {HEDDLE_NUMBER("dws.splits", dws.splits, 2, kMaxLanes, "splits",
                          "dws: of a warp, in the table; as many as threads: an unconstrained table", "assumed"),
            HEDDLE_NUMBER("dws.threshold", dws.threshold, 0, 65535, "instructions",
                          "dws: a branch subdivides if the basic block where its paths meet has at most so many "
                          "instructions",
                          "DPE paper 2.2")};
  }
  [[nodiscard]] unsigned stack_depth() const override { return 32; }  // splits that wait are in it, too
  [[nodiscard]] const FrontendDesign* design(const Config&) const override {
    static const DwsDesign design;
    return &design;
  }
  void check(const Config& config, const Describe& describe) const override {
    if (config.scoreboard.kind != ScoreboardKind::kBitmap) return;
    throw bad_input("config", describe("scoreboard.kind") + " with " + describe("mechanism") +
                                  ": splits have the optimistic table, whose entries have masks, and no other; leave "
                                  "scoreboard.kind out");
  }
};

}  // namespace

const Mechanism& dws_mechanism() {
  static const Dws dws;
  return dws;
}

}  // namespace heddle
