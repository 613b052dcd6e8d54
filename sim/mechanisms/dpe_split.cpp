// SPDX-License-Identifier: Apache-2.0
// core/dpe_split_frontend: dual-path execution in which threads of a load that hit go on, in a free slot, while others
// wait for memory.
#ifdef HEDDLE_HAVE_RTL
#include "Vdpe_split_w8.h"
#include "Vdpe_split_w8___024root.h"
#include "engine/rtl_frontend.h"
#endif
#include "core/dpe_split_frontend.h"
#include "engine/twin_frontend.h"
#include "mechanisms/designs.h"
#include "mechanisms/dpe_stack.h"
#include "wave/frontend_probes.h"

namespace heddle {
namespace {

class SplitUnit final : public MechanismUnit {
 public:
  // A path that may be a part comes to a divergent branch again, with its other part or after it.
  void mark(const UnitCore&, const PathInstruction& at, Mark& mark) const override {
    if (!at.inst.is_branch()) mark.kind = kMarkOnce;
  }
  void add_counts(const FrontendCounts& counts, Stats& stats) const override {
    stats.memory_splits += counts.splits;
    stats.memory_joins += counts.merges;
  }
};

struct SplitTwin : TwoSlotTwinRules {
  template <class In>
  static void read(const DirectFrontendPins& p, In& in) {
    in.split_valid = p.split_valid.read();
    in.split_warp = p.split_warp.read();
    in.split_slot = p.split_slot.read();
    in.split_mask = p.split_mask.read();
  }
  template <class Logic>
  static void show(const Logic& logic, DirectFrontendPins& pins) {
    pins.splits.write(logic.stack().splits());
    pins.merges.write(logic.stack().merges());
    // Combinational: of inputs that the core has driven by now.
    const std::uint64_t killed = pins.kill_valid.read() ? bit_of(pins.kill_warp.read()) : 0;
    pins.split_ready.write(logic.hooks().split_ready(logic, pins.split_warp.read(), pins.split_slot.read(),
                                                     pins.split_mask.read(), killed));
  }
};

#ifdef HEDDLE_HAVE_RTL
struct SplitRtl : RtlRules<2, 16> {
  HEDDLE_RTL_NETS(dpe_split_frontend, warp)
  HEDDLE_RTL_ROWS(rows, dpe_split_frontend, u_below)

  template <class M>
  static StackEntry row(const M& m, unsigned w, unsigned index) {
    return dual_row<M::kLanes>(rows(m.root())[address(w, index)]);
  }
};
#endif

using SplitModule = dpe_split_frontend<kMaxPartitionWarps, kTwinLanes, kTwinStackDepth, 1, kTwinSbEntries, 0,
                                       kTwinIbufDepth, kTwinLevelBits, 1, kWritePorts, kTwinTagBits>;

class SplitDesign final
    : public TwinDesign<SplitTwin, TwinBuild<ScoreboardModule::kOptimistic, SelectorKind::kTwoLevel, SplitModule>> {
 public:
  [[nodiscard]] FrontendShape shape(const Config&) const override {
    FrontendShape shape;
    shape.slots = 2;
    shape.scoreboard = ScoreboardModule::kOptimistic;  // a load is written back in parts
    shape.core.splits_at_loads = shape.core.parts_warps = true;
    return shape;
  }
  [[nodiscard]] std::unique_ptr<MechanismUnit> unit(const Config&) const override {
    return std::make_unique<SplitUnit>();
  }
#ifdef HEDDLE_HAVE_RTL
  [[nodiscard]] const std::vector<RtlModelOf>& rtl_models() const override {
    static const std::vector<RtlModelOf> models = {
        rtl_model<SplitRtl, 32, ScoreboardModule::kOptimistic, void, Vdpe_split_w8>()};
    return models;
  }
#endif
  void add_probes(PinProbes& probes) const override {
    const FrontendPins& pins = probes.pins;
    probes.flag("split_valid", pins.split_valid);
    probes.number("split_warp", 5, pins.split_warp);
    probes.number("split_slot", 1, pins.split_slot);
    probes.mask("split_mask", pins.split_mask);
    probes.flag("split_ready", pins.split_ready);
    probes.number("splits", 32, pins.splits);
    probes.number("merges", 32, pins.merges);
  }
  void count_bits(FrontendBits& bits) const override {
    const char* splitting =
        "splitting at loads: whether the two paths are parts of one, which of them waits at its branch, and where "
        "parts meet";
    bits.begin("core/dpe_split_frontend", "stack/dpe_split_stack");
    count_dual_path_bits(bits, {{"parts", 1, splitting}}, [&] {
      bits.add_to_warps("parts control", {{"waits", 2, splitting}});
      bits.add_once("meet register",
                    {{"valid", 1, splitting}, {"warp", bits.warp_bits(), splitting}, {"never_waits", 1, splitting}});
      const char* counted = "statistics: paths split, and parts joined, since reset";
      bits.add_once("parts counters", {{"splits", 32, counted}, {"merges", 32, counted}});
    });
  }
};

}  // namespace

const FrontendDesign& dpe_split_design() {
  static const SplitDesign design;
  return design;
}

}  // namespace heddle
