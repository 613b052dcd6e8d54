// SPDX-License-Identifier: Apache-2.0
// core/software_frontend: dual-path execution whose stack is in memory below its top, pushed and popped by the program.
#ifdef HEDDLE_HAVE_RTL
#include "Vsoftware_w8.h"
#include "Vsoftware_w8___024root.h"
#include "engine/rtl_frontend.h"
#endif
#include <fmt/format.h>

#include "core/software_frontend.h"
#include "engine/twin_frontend.h"
#include "mechanisms/designs.h"
#include "report/frontend_bits.h"
#include "wave/frontend_probes.h"

namespace heddle {
namespace {

class SoftwareStackUnit final : public MechanismUnit {
 public:
  [[nodiscard]] Role role(const Instruction& inst) const override {
    return inst.op == Op::kPush ? Role::kResolves : inst.op == Op::kPop ? Role::kEndsFetch : Role::kNothing;
  }
  void execute(UnitCore& core, const PathInstruction& at) override {
    ++core.stats().stack_instructions;
    if (at.inst.op == Op::kPop) check_rows(core, at);
  }
  // The threads of a push go on behind the pop that it names.
  void mark(const UnitCore&, const PathInstruction& at, Mark& mark) const override {
    if (at.inst.op == Op::kPush) {
      mark.kind = kMarkPush;
      mark.rpc = at.pc + static_cast<Pc>(at.inst.imm) + 4;
    } else if (at.inst.op == Op::kPop) {
      mark.kind = kMarkPop;
    }
  }

 private:
  // Whoever pops goes on with the row: its threads must be in one.
  static void check_rows(const UnitCore& core, const PathInstruction& at) {
    const unsigned rows = core.stack_depth(at.warp) - 1;
    LaneMask in_rows = 0;
    for (unsigned i = 0; i < rows; ++i) {
      const StackEntry row = core.stack_entry(at.warp, i);
      in_rows |= row.mask[0] | row.mask[1];
    }
    if ((at.mask & ~in_rows) == 0) return;
    core.stop_at(at, "pop",
                 fmt::format("pop without its push in kernel {}: {} comes to it at {} with threads 0x{:x}: threads "
                             "0x{:x} of it are in none of the {} rows below; a pop closes what a push on every way to "
                             "it opened",
                             core.kernel(), core.name_of(at.warp), core.program().where(at.pc), at.mask,
                             at.mask & ~in_rows, rows));
  }
};

struct SoftwareTwin : TwoSlotTwinRules {
  // The two paths; other entries are the core's to know.
  template <class Logic>
  static StackEntry entry(const Logic& logic, unsigned warp, unsigned index, unsigned /*slots*/) {
    StackEntry paths;
    if (index + 1 != logic.stack().depth(warp)) return paths;
    for (unsigned slot = 0; slot < 2; ++slot) {
      const StackPath path = logic.stack().path(warp, slot);
      paths.pc[slot] = path.pc;
      paths.mask[slot] = path.mask;
    }
    return paths;
  }
  template <class Logic>
  static void read_place(const Logic&, unsigned /*warp*/, WarpState& /*state*/) {}
  template <class In>
  static void read(const DirectFrontendPins& p, In& in) {
    TwoSlotTwinRules::read(p, in);
    in.load_ready = p.load_ready.read();
    in.fill_valid = p.fill_valid.read();
    in.fill_warp = p.fill_warp.read();
    in.fill.pc_l = p.fill_pc[0].read();
    in.fill.pc_r = p.fill_pc[1].read();
    in.fill.mask_l = p.fill_mask[0].read();
    in.fill.mask_r = p.fill_mask[1].read();
  }
  template <class Logic>
  static void show(const Logic& logic, DirectFrontendPins& pins) {
    const RowAsked save = logic.stack().save(), load = logic.stack().load();
    pins.save_valid.write(save.valid);
    if (save.valid) {
      const SoftwarePaths& row = logic.stack().saved_row();
      pins.save_warp.write(save.warp);
      pins.save_row.write(save.row);
      pins.save_pc[0].write(row.pc_l);
      pins.save_pc[1].write(row.pc_r);
      pins.save_mask[0].write(row.mask_l);
      pins.save_mask[1].write(row.mask_r);
    }
    pins.load_valid.write(load.valid);
    pins.load_warp.write(load.warp);
    pins.load_row.write(load.row);
  }
};

#ifdef HEDDLE_HAVE_RTL
struct SoftwareRtl : RtlRules<2, 16> {
  static constexpr bool kNeedsRoom = true;
  HEDDLE_RTL_NETS(software_frontend, warp)

  template <class M>
  static StackEntry row(const M&, unsigned /*warp*/, unsigned /*index*/) {
    return {};
  }
};
#endif

using S = ScoreboardModule;

class SoftwareDesign final
    : public TwinDesign<SoftwareTwin, TwoSlotBuild<software_frontend, S::kDpe>,
                        TwoSlotBuild<software_frontend, S::kOptimistic>, TwoSlotBuild<software_frontend, S::kBitmap>,
                        TwoSlotBuild<software_frontend, S::kDpe, SelectorKind::kConstrained>,
                        TwoSlotBuild<software_frontend, S::kOptimistic, SelectorKind::kConstrained>,
                        TwoSlotBuild<software_frontend, S::kBitmap, SelectorKind::kConstrained>> {
 public:
  [[nodiscard]] FrontendShape shape(const Config& config) const override {
    FrontendShape shape = two_slot_shape(config);
    shape.core.rows_in_memory = true;
    return shape;
  }
  [[nodiscard]] std::unique_ptr<MechanismUnit> unit(const Config&) const override {
    return std::make_unique<SoftwareStackUnit>();
  }
#ifdef HEDDLE_HAVE_RTL
  [[nodiscard]] const std::vector<RtlModelOf>& rtl_models() const override {
    static const std::vector<RtlModelOf> models = {rtl_model<SoftwareRtl, 32, S::kDpe, void, Vsoftware_w8>()};
    return models;
  }
#endif
  void add_probes(PinProbes& probes) const override {
    const FrontendPins& pins = probes.pins;
    probes.flag("save_ready", pins.save_ready);
    probes.flag("save_valid", pins.save_valid);
    probes.number("save_warp", 5, pins.save_warp);
    probes.number("save_row", 7, pins.save_row);
    add_paths(probes, "save", pins.save_pc, pins.save_mask);
    probes.flag("load_ready", pins.load_ready);
    probes.flag("load_valid", pins.load_valid);
    probes.number("load_warp", 5, pins.load_warp);
    probes.number("load_row", 7, pins.load_row);
    probes.flag("fill_valid", pins.fill_valid);
    probes.number("fill_warp", 5, pins.fill_warp);
    add_paths(probes, "fill", pins.fill_pc, pins.fill_mask);
  }

  // The two paths of a warp. What is pushed is in memory, and counts as the program's data.
  void count_bits(FrontendBits& bits) const override {
    using B = FrontendBits;
    const unsigned lanes = bits.lanes(), pc = B::kPcBits - 1;
    bits.begin("core/software_frontend", "stack/software_stack");
    const char* row = "a row on its way to memory";
    bits.add_to_warps("paths", {{"pc_l", pc, ""}, {"mask_l", lanes, ""}, {"pc_r", pc, ""}, {"mask_r", lanes, ""}});
    bits.stack_control();
    bits.add_to_warps("loading", {{"loading", 1, "a row is on its way back"}});
    bits.add_once("resolution register", {{"pc_l", pc, B::kStage},
                                          {"pc_r", pc, B::kStage},
                                          {"later", pc, B::kStage},
                                          {"mask_l", lanes, B::kStage},
                                          {"mask_r", lanes, B::kStage},
                                          {"exit", lanes, B::kStage},
                                          {"warp", bits.warp_bits(), B::kStage},
                                          {"slot", 1, B::kStage},
                                          {"conditions", 6, B::kStage},
                                          {"depth", bits.depth_bits(), B::kStage}});
    bits.add_once("save register", {{"valid", 1, row},
                                    {"warp", bits.warp_bits(), row},
                                    {"row", bits.depth_bits(), row},
                                    {"pc", 2 * pc, row},
                                    {"mask", 2 * lanes, row}});
    bits.add_once("choice register", {{"valid", 1, B::kStage},
                                      {"last", 1, B::kStage},
                                      {"warp", bits.warp_bits(), B::kStage},
                                      {"depth", bits.depth_bits(), B::kStage}});
    bits.high_water_mark();
  }

 private:
  template <class Pcs, class Masks>
  static void add_paths(PinProbes& probes, const std::string& group, const Pcs& pc, const Masks& mask) {
    probes.pc(group + "_pc_l", pc[0]);
    probes.pc(group + "_pc_r", pc[1]);
    probes.mask(group + "_mask_l", mask[0]);
    probes.mask(group + "_mask_r", mask[1]);
  }
};

}  // namespace

const FrontendDesign& software_design() {
  static const SoftwareDesign design;
  return design;
}

}  // namespace heddle
