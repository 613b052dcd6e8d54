// SPDX-License-Identifier: Apache-2.0
// Dual-path execution: core/dpe_frontend, and which front end its options ask for.
#ifdef HEDDLE_HAVE_RTL
#include "Vdpe.h"
#include "Vdpe___024root.h"
#include "Vdpe_w8.h"
#include "Vdpe_w8___024root.h"
#include "Vdpe_w8_constrained.h"
#include "Vdpe_w8_constrained___024root.h"
#include "Vdpe_w8_gto.h"
#include "Vdpe_w8_gto___024root.h"
#include "Vdpe_w8_l64.h"
#include "Vdpe_w8_l64___024root.h"
#include "Vdpe_w8_optimistic.h"
#include "Vdpe_w8_optimistic___024root.h"
#include "engine/rtl_frontend.h"
#endif
#include "config/key_macros.h"
#include "core/dpe_frontend.h"
#include "engine/twin_frontend.h"
#include "mechanisms/designs.h"
#include "mechanisms/dpe_stack.h"

namespace heddle {
namespace {

#ifdef HEDDLE_HAVE_RTL
struct DpeRtl : RtlRules<2, 16> {
  HEDDLE_RTL_NETS(dpe_frontend, warp)
  HEDDLE_RTL_ROWS(rows, dpe_frontend, u_below)

  template <class M>
  static StackEntry row(const M& m, unsigned w, unsigned index) {
    return dual_row<M::kLanes>(rows(m.root())[address(w, index)]);
  }
};
#endif

using S = ScoreboardModule;

class DpeDesign final
    : public TwinDesign<TwoSlotTwinRules, TwoSlotBuild<dpe_frontend, S::kDpe>,
                        TwoSlotBuild<dpe_frontend, S::kOptimistic>, TwoSlotBuild<dpe_frontend, S::kBitmap>,
                        TwoSlotBuild<dpe_frontend, S::kDpe, SelectorKind::kConstrained>,
                        TwoSlotBuild<dpe_frontend, S::kOptimistic, SelectorKind::kConstrained>,
                        TwoSlotBuild<dpe_frontend, S::kBitmap, SelectorKind::kConstrained>> {
 public:
  [[nodiscard]] FrontendShape shape(const Config& config) const override { return two_slot_shape(config); }
#ifdef HEDDLE_HAVE_RTL
  [[nodiscard]] const std::vector<RtlModelOf>& rtl_models() const override {
    static const std::vector<RtlModelOf> models = {
        rtl_model<DpeRtl, 32, S::kDpe, Vdpe, Vdpe_w8>(),
        rtl_model<DpeRtl, 32, S::kDpe, void, Vdpe_w8_gto>(Policy::kGto),
        rtl_model<DpeRtl, 32, S::kDpe, void, Vdpe_w8_constrained>(Policy::kLrr, SelectorKind::kConstrained),
        rtl_model<DpeRtl, 32, S::kOptimistic, void, Vdpe_w8_optimistic>(),
        rtl_model<DpeRtl, 64, S::kDpe, void, Vdpe_w8_l64>()};
    return models;
  }
#endif
  void count_bits(FrontendBits& bits) const override {
    bits.begin("core/dpe_frontend", "stack/dpe_stack");
    count_dual_path_bits(bits, {}, [] {});
  }
};

class Dpe final : public Mechanism {
 public:
  Dpe()
      : Mechanism(MechanismKind::kFrontend, "dpe",
                  "dual-path execution: both sides of a divergent branch issue interleaved", "DPE paper 3") {}

  [[nodiscard]] std::vector<ConfigKey> keys() const override {
    return {HEDDLE_CHOICE("dpe.stack", dpe.stack,
                          "dpe: a stack in hardware, or the two paths in hardware and rows in memory that the program "
                          "pushes and pops (heddle-cc --software-stack)",
                          "DPE paper 7.3", "hardware", "software"),
            HEDDLE_BOOL("dpe.path_forwarding", dpe.path_forwarding,
                        "dpe: a free slot of the top entry takes the path that is suspended in the entry below",
                        "DPE paper 7.1"),
            HEDDLE_BOOL("dpe.memory_split", dpe.memory_split,
                        "dpe: where some threads of a load hit and others wait for memory, those that hit go on, in a "
                        "free slot; with the optimistic scoreboard",
                        "DPE paper 7.2")};
  }

  [[nodiscard]] const FrontendDesign* design(const Config& config) const override {
    static const DpeDesign plain;
    return config.dpe.stack == DpeStack::kSoftware ? &software_design()
           : config.dpe.path_forwarding            ? &dpe_forward_design()
           : config.dpe.memory_split               ? &dpe_split_design()
                                                   : &plain;
  }
  [[nodiscard]] std::string kernel_form(const Config& config) const override {
    return config.dpe.stack == DpeStack::kSoftware ? "software" : "";
  }

  void check(const Config& config, const Describe& describe) const override {
    const bool bitmap = config.scoreboard.kind == ScoreboardKind::kBitmap,
               constrained = config.selector.kind != SelectorKind::kTwoLevel;
    const auto refuse = [&](const char* key, const char* other, const char* why) {
      return bad_input("config", describe(key) + " with " + describe(other) + ": " + why);
    };
    const bool forwards = config.dpe.path_forwarding, splits = config.dpe.memory_split;
    if (config.dpe.stack == DpeStack::kSoftware) {
      if (!forwards && !splits) return;
      throw refuse("dpe.stack", forwards ? "dpe.path_forwarding" : "dpe.memory_split",
                   "these need the entries of the stack in hardware; set one of the keys back");
    }
    if (splits && (forwards || constrained)) {
      throw refuse("dpe.memory_split", forwards ? "dpe.path_forwarding" : "selector.kind",
                   "a free slot is for one of the two options, and both parts of a path compete; set one of the keys "
                   "back");
    }
    if (splits && bitmap) {
      throw refuse("dpe.memory_split", "scoreboard.kind",
                   "a load is written back in parts, for which the optimistic table has masks; set one of the keys "
                   "back");
    }
    if (forwards && (constrained || bitmap)) {
      throw refuse("dpe.path_forwarding", constrained ? "selector.kind" : "scoreboard.kind",
                   "the simulator has no front end with both; set one of the keys back");
    }
  }
};

}  // namespace

const Mechanism& dpe_mechanism() {
  static const Dpe dpe;
  return dpe;
}

}  // namespace heddle
