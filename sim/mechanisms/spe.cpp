// SPDX-License-Identifier: Apache-2.0
// Single-path execution: core/spe_frontend, or core/compact_frontend (stack.kind).
#ifdef HEDDLE_HAVE_RTL
#include "Vspe.h"
#include "Vspe___024root.h"
#include "Vspe_w8.h"
#include "Vspe_w8___024root.h"
#include "Vspe_w8_bitmap.h"
#include "Vspe_w8_bitmap___024root.h"
#include "engine/rtl_frontend.h"
#endif
#include "core/spe_frontend.h"
#include "engine/twin_frontend.h"
#include "mechanisms/designs.h"
#include "report/frontend_bits.h"

namespace heddle {
namespace {

#ifdef HEDDLE_HAVE_RTL
struct SpeRtl : RtlRules<1, 16> {
  HEDDLE_RTL_NETS(spe_frontend, warp)
  HEDDLE_RTL_ROWS(even_rows, spe_frontend, u_even)
  HEDDLE_RTL_ROWS(odd_rows, spe_frontend, u_odd)

  // {pc, mask, level, rpc, rpc_level, sibling}, in two banks.
  template <class M>
  static StackEntry row(const M& m, unsigned w, unsigned index) {
    const unsigned at = address(w, index);
    RowReader row(at % 2 == 0 ? even_rows(m.root())[at / 2] : odd_rows(m.root())[at / 2]);
    StackEntry entry;
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

class SpeDesign final : public TwinDesign<TwinRules, OneSlotBuild<spe_frontend, ScoreboardModule::kSpe>,
                                          OneSlotBuild<spe_frontend, ScoreboardModule::kBitmap>> {
 public:
  [[nodiscard]] FrontendShape shape(const Config& config) const override { return one_slot_shape(config); }
#ifdef HEDDLE_HAVE_RTL
  [[nodiscard]] const std::vector<RtlModelOf>& rtl_models() const override {
    static const std::vector<RtlModelOf> models = {
        rtl_model<SpeRtl, 32, ScoreboardModule::kSpe, Vspe, Vspe_w8>(),
        rtl_model<SpeRtl, 32, ScoreboardModule::kBitmap, void, Vspe_w8_bitmap>()};
    return models;
  }
#endif

  void count_bits(FrontendBits& bits) const override {
    using B = FrontendBits;
    const unsigned lanes = bits.lanes(), levels = bits.levels();
    bits.begin("core/spe_frontend", "stack/spe_stack");
    const std::vector<BitField> entry = {{"pc", B::kPcBits, ""},
                                         {"mask", lanes, ""},
                                         {"rpc", B::kPcBits, ""},
                                         {"level", levels, B::kLevelReason},
                                         {"rpc_level", levels, B::kLevelReason},
                                         {"sibling", 1, B::kSiblingReason}};
    bits.add_to_warps("stack top", entry);
    bits.storage(entry);
    bits.stack_control();
    bits.add_once("resolution register", {{"valid", 1, B::kStage},
                                          {"warp", bits.warp_bits(), B::kStage},
                                          {"taken", lanes, B::kStage},
                                          {"not_taken", lanes, B::kStage},
                                          {"live", lanes, B::kStage},
                                          {"target", B::kPcBits, B::kStage},
                                          {"next", B::kPcBits, B::kStage},
                                          {"rpc", B::kPcBits, B::kStage},
                                          {"levels", 3 * levels, B::kStage},
                                          {"conditions", 11, B::kStage},
                                          {"depth", bits.depth_bits(), B::kStage}});
    bits.add_pop_register();
    bits.row_address(2);
    bits.high_water_mark();
  }
};

class Spe final : public Mechanism {
 public:
  Spe()
      : Mechanism(MechanismKind::kFrontend, "spe",
                  "single-path execution: one path of a warp at a time, PDOM reconvergence stack",
                  "DPE paper 2.1, DWF paper 3.2") {}
  [[nodiscard]] const FrontendDesign* design(const Config& config) const override {
    static const SpeDesign textbook;
    return config.stack.kind == StackKind::kCompact ? &compact_design() : &textbook;
  }
};

}  // namespace

const Mechanism& spe_mechanism() {
  static const Spe spe;
  return spe;
}

}  // namespace heddle
