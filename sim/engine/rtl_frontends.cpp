// SPDX-License-Identifier: Apache-2.0
// The Verilated RTL as front ends of the engine: one clocked process a front end copies the pins, evaluates the model at both
// levels of the clock, and writes the output pins. Models are built for the parameter sets of sim/engine/CMakeLists.txt; warps and
// lanes that are not used stay idle.
#include <fmt/format.h>

#include <vector>

#include "Vdpe_l32.h"
#include "Vdpe_l32___024root.h"
#include "Vdpe_l32_constrained.h"
#include "Vdpe_l32_constrained___024root.h"
#include "Vdpe_l32_gto.h"
#include "Vdpe_l32_gto___024root.h"
#include "Vdpe_l32_optimistic.h"
#include "Vdpe_l32_optimistic___024root.h"
#include "Vdpe_l64.h"
#include "Vdpe_l64___024root.h"
#include "Vspe_l32.h"
#include "Vspe_l32___024root.h"
#include "Vspe_l32_gto.h"
#include "Vspe_l32_gto___024root.h"
#include "Vspe_l64.h"
#include "Vspe_l64___024root.h"
#include "engine/frontend.h"
#include "engine/verilated_bits.h"
#include "heddle/error.h"

namespace heddle {
namespace {

constexpr unsigned kStackDepth = 16;   // parameters of every model
constexpr unsigned kSbEntries = 8;
constexpr unsigned kIbufDepth = 4;
constexpr unsigned kLevelBits = 8;

Event event(std::uint8_t valid, std::uint32_t warp) { return {valid, warp}; }

// The fields of a row of storage, lowest first.
template <class Row>
class RowReader {
 public:
  explicit RowReader(const Row& row) : row_(row) {}
  std::uint64_t take(unsigned width) {
    const std::uint64_t field = bits(row_, at_, width);
    at_ += width;
    return field;
  }
  std::uint32_t take32(unsigned width) { return static_cast<std::uint32_t>(take(width)); }

 private:
  const Row& row_;
  unsigned at_ = 0;
};

// Copies the pins that both front ends have.
template <class Model>
void drive_common(Model& m, const FrontendPins& in) {
  m.launch_valid_i = in.launch_valid.read();
  put(m.launch_warp_i, in.launch_warp.read());
  m.launch_pc_i = in.launch_pc.read();
  put(m.launch_mask_i, in.launch_mask.read());
  m.fetch_ready_i = in.fetch_ready.read();
  m.decode_valid_i = in.decode_valid.read();
  put(m.decode_warp_i, in.decode_warp.read());
  m.decode_pc_i = in.decode_pc.read();
  put(m.decode_count_i, in.decode_count.read());
  m.decode_instr0_i = in.decode_instr0.read();
  m.decode_instr1_i = in.decode_instr1.read();
  m.resolve_valid_i = in.resolve_valid.read();
  put(m.resolve_warp_i, in.resolve_warp.read());
  put(m.resolve_taken_i, in.resolve_taken.read());
  m.resolve_target_i = in.resolve_target.read();
  m.resolve_next_i = in.resolve_next.read();
  m.resolve_rpc_i = in.resolve_rpc.read();
  put(m.resolve_exit_i, in.resolve_exit.read());
  m.resolve_call_i = in.resolve_call.read();
  m.resolve_return_i = in.resolve_return.read();
  put(m.resolve_skip_i, in.resolve_skip.read());
  m.wb0_valid_i = in.wb[0].valid.read();
  put(m.wb0_warp_i, in.wb[0].warp.read());
  put(m.wb0_reg_i, in.wb[0].reg.read());
  m.wb1_valid_i = in.wb[1].valid.read();
  put(m.wb1_warp_i, in.wb[1].warp.read());
  put(m.wb1_reg_i, in.wb[1].reg.read());
  put(m.unit_ready_i, in.unit_ready.read());
  put(m.release_i, in.release.read());
}

template <class Model>
void drive_slots(Model& m, const FrontendPins& in) {
  put(m.decode_slot_i, in.decode_slot.read());
  put(m.resolve_slot_i, in.resolve_slot.read());
  put(m.wb0_slot_i, in.wb[0].slot.read());
  put(m.wb0_mask_i, in.wb[0].mask.read());
  put(m.wb1_slot_i, in.wb[1].slot.read());
  put(m.wb1_mask_i, in.wb[1].mask.read());
  m.miss_valid_i = in.miss_valid.read();
  put(m.miss_warp_i, in.miss_warp.read());
  put(m.miss_slot_i, in.miss_slot.read());
}

template <class Model>
void show_common(const Model& m, FrontendPins& out) {
  out.fetch_valid.write(m.fetch_valid_o);
  out.fetch_warp.write(m.fetch_warp_o);
  out.fetch_pc.write(m.fetch_pc_o);
  out.issue_valid.write(m.issue_valid_o);
  out.issue_warp.write(m.issue_warp_o);
  out.issue_pc.write(m.issue_pc_o);
  out.issue_mask.write(m.issue_mask_o);
  out.issue_instr.write(m.issue_instr_o);
  out.issue_sibling.write(m.issue_sibling_o);
  out.issue_predicated.write(m.issue_predicated_o);
  out.done_valid.write(m.done_valid_o);
  out.done_warp.write(m.done_warp_o);
  out.overflow_valid.write(m.overflow_valid_o);
  out.overflow_warp.write(m.overflow_warp_o);
  out.stall.write(m.stall_o);
  out.max_depth.write(m.max_depth_o);
}

template <class Model>
void show_slots(const Model& m, FrontendPins& out) {
  out.fetch_slot.write(m.fetch_slot_o);
  out.issue_slot.write(m.issue_slot_o);
}

// The process around a model. Derived: drive(model, pins), show(model, pins), capture(root, state) of the combinational outputs.
template <class Model, class Derived>
class RtlFrontend : public Frontend {
 public:
  explicit RtlFrontend(const FrontendContext& context)
      : verilated_(std::make_unique<VerilatedContext>()), model_(verilated_.get(), context.name), process_(context.name, *this), inputs_(context.inputs),
        outputs_(context.outputs) {
    process_.clk(context.clk);
    process_.rst_n(context.rst_n);
  }
  ~RtlFrontend() override { model_.final(); }

  void stack_events(Event& push, Event& pop) const override {
    push = events_.push;
    pop = events_.pop;
  }

 protected:
  [[nodiscard]] auto& root() const { return *model_.rootp; }

  // Combinational outputs of the cycle that ended at the last edge.
  struct Combinational {
    Event push, pop, done, overflow;
    std::uint8_t grant_valid = 0, grant_slot = 0;
    std::uint32_t grant_warp = 0;
  };
  Combinational events_;

  void read_events(FrontendState& state) const {
    state.push = events_.push;
    state.pop = events_.pop;
    state.done = events_.done;
    state.overflow = events_.overflow;
    state.grant_valid = events_.grant_valid;
    state.grant_warp = events_.grant_warp;
    state.grant_slot = events_.grant_slot;
    state.max_depth = model_.max_depth_o;
  }

 private:
  class Process : public sc_core::sc_module {
   public:
    sc_core::sc_in<bool> clk, rst_n;
    Process(sc_core::sc_module_name name, RtlFrontend& owner) : sc_module(name), clk("clk"), rst_n("rst_n"), owner_(owner) {
      SC_HAS_PROCESS(Process);
      SC_METHOD(step);
      sensitive << clk.pos() << rst_n.neg();
      dont_initialize();
    }
    void step() { owner_.step(rst_n.read()); }

   private:
    RtlFrontend& owner_;
  };

  void step(bool rst_n) {
    Model& m = model_;
    m.rst_ni = rst_n;
    Derived::drive(m, inputs_);
    m.clk_i = 0;
    m.eval();
    if (rst_n) Derived::capture(root(), events_); else events_ = {};
    m.clk_i = 1;
    m.eval();
    Derived::show(m, outputs_);
  }

  std::unique_ptr<VerilatedContext> verilated_;
  mutable Model model_;
  Process process_;
  FrontendPins& inputs_;
  FrontendPins& outputs_;
};

template <class Model, unsigned Lanes>
class SpeRtl final : public RtlFrontend<Model, SpeRtl<Model, Lanes>> {
  using Base = RtlFrontend<Model, SpeRtl<Model, Lanes>>;

 public:
  using Base::Base;

  static void drive(Model& m, const FrontendPins& in) { drive_common(m, in); }
  static void show(const Model& m, FrontendPins& out) { show_common(m, out); }
  template <class Root>
  static void capture(const Root& r, typename Base::Combinational& events) {
    events.push = event(r.spe_frontend__DOT__push_valid, r.spe_frontend__DOT__push_warp);
    events.pop = event(r.spe_frontend__DOT__pop_valid, r.spe_frontend__DOT__pop_warp);
    events.done = event(r.spe_frontend__DOT__done_valid, r.spe_frontend__DOT__done_warp);
    events.overflow = event(r.spe_frontend__DOT__overflow_valid, r.spe_frontend__DOT__overflow_warp);
    events.grant_valid = r.spe_frontend__DOT__grant_valid;
    events.grant_warp = r.spe_frontend__DOT__grant_warp;
  }

  void read_state(FrontendState& state) const override {
    const auto& r = this->root();
    this->read_events(state);
    for (unsigned w = 0; w < kMaxPartitionWarps; ++w) {
      WarpState& warp = state.warp[w];
      warp.pc[0] = r.spe_frontend__DOT__u_stack__DOT__pc_q[w];
      warp.mask[0] = r.spe_frontend__DOT__u_stack__DOT__mask_q[w];
      warp.level[0] = r.spe_frontend__DOT__u_stack__DOT__level_q[w];
      warp.rpc = r.spe_frontend__DOT__u_stack__DOT__rpc_q[w];
      warp.rpc_level = r.spe_frontend__DOT__u_stack__DOT__rpc_level_q[w];
      warp.sibling = flag(r.spe_frontend__DOT__sibling, w);
      warp.valid[0] = flag(r.spe_frontend__DOT__valid, w);
      warp.live = live(w);
      warp.depth = depth(w);
      warp.pending[0] = r.spe_frontend__DOT__u_scoreboard__DOT__pending_q[w];
      for (unsigned e = 0; e < kSbEntries; ++e) {
        warp.reg[0][e] = static_cast<std::uint8_t>(bits(r.spe_frontend__DOT__u_scoreboard__DOT__reg_q[w], 6 * e, 6));
      }
      warp.blocked[0] = flag(r.spe_frontend__DOT__blocked, w);
      warp.full[0] = flag(r.spe_frontend__DOT__full, w);
      warp.count[0] = r.spe_frontend__DOT__u_ibuffer__DOT__count_q[w];
      warp.outstanding[0] = flag(r.spe_frontend__DOT__outstanding, w);
      warp.need_fetch[0] = flag(r.spe_frontend__DOT__need_fetch, w);
      warp.head[0] = bits(r.spe_frontend__DOT__head, 61 * w, 61);
      warp.region_count = r.spe_frontend__DOT__gen_predication__DOT__u_predication__DOT__count_q[w];
      warp.off_mask = warp.region_count != 0 ? r.spe_frontend__DOT__gen_predication__DOT__u_predication__DOT__off[w] : 0;
      warp.branch_pending = flag(r.spe_frontend__DOT__pending_q, w);
      warp.at_barrier = flag(r.spe_frontend__DOT__at_barrier_q, w);
      warp.halted = flag(r.spe_frontend__DOT__halted_q, w);
    }
  }
  [[nodiscard]] unsigned depth(unsigned w) const override { return this->root().spe_frontend__DOT__u_stack__DOT__depth_q[w]; }
  [[nodiscard]] LaneMask live(unsigned w) const override { return this->root().spe_frontend__DOT__u_stack__DOT__live_q[w]; }
  [[nodiscard]] StackEntry entry(unsigned w, unsigned index) const override {
    const auto& r = this->root();
    if (index + 1 == depth(w)) {
      return {{r.spe_frontend__DOT__u_stack__DOT__pc_q[w], 0}, {r.spe_frontend__DOT__u_stack__DOT__mask_q[w], 0},
              r.spe_frontend__DOT__u_stack__DOT__rpc_q[w], {r.spe_frontend__DOT__u_stack__DOT__level_q[w], 0},
              r.spe_frontend__DOT__u_stack__DOT__rpc_level_q[w]};
    }
    // {pc, mask, level, rpc, rpc_level, sibling}, taken off from the right
    RowReader row(r.spe_frontend__DOT__u_stack__DOT__below[w * (kStackDepth - 1) + index]);
    StackEntry entry;
    row.take(1);
    entry.rpc_level = row.take32(kLevelBits);
    entry.rpc = row.take32(32);
    entry.level[0] = row.take32(kLevelBits);
    entry.mask[0] = row.take(Lanes);
    entry.pc[0] = row.take32(32);
    return entry;
  }
};

enum class Table { kShadow, kOptimistic };

template <class Model, unsigned Lanes, Table kTable = Table::kShadow>
class DpeRtl final : public RtlFrontend<Model, DpeRtl<Model, Lanes, kTable>> {
  using Base = RtlFrontend<Model, DpeRtl<Model, Lanes, kTable>>;

 public:
  using Base::Base;

  static void drive(Model& m, const FrontendPins& in) {
    drive_common(m, in);
    drive_slots(m, in);
  }
  static void show(const Model& m, FrontendPins& out) {
    show_common(m, out);
    show_slots(m, out);
  }
  template <class Root>
  static void capture(const Root& r, typename Base::Combinational& events) {
    events.push = event(r.dpe_frontend__DOT__push_valid, r.dpe_frontend__DOT__push_warp);
    events.pop = event(r.dpe_frontend__DOT__pop_valid, r.dpe_frontend__DOT__pop_warp);
    events.done = event(r.dpe_frontend__DOT__done_valid, r.dpe_frontend__DOT__done_warp);
    events.overflow = event(r.dpe_frontend__DOT__overflow_valid, r.dpe_frontend__DOT__overflow_warp);
    events.grant_valid = r.dpe_frontend__DOT__grant_valid;
    events.grant_warp = r.dpe_frontend__DOT__grant_warp;
    events.grant_slot = r.dpe_frontend__DOT__grant_slot;
  }

  void read_state(FrontendState& state) const override {
    const auto& r = this->root();
    this->read_events(state);
    for (unsigned w = 0; w < kMaxPartitionWarps; ++w) {
      WarpState& warp = state.warp[w];
      warp.pc = {r.dpe_frontend__DOT__u_stack__DOT__pc_l_q[w], r.dpe_frontend__DOT__u_stack__DOT__pc_r_q[w]};
      warp.mask = {r.dpe_frontend__DOT__u_stack__DOT__mask_l_q[w], r.dpe_frontend__DOT__u_stack__DOT__mask_r_q[w]};
      warp.level = {r.dpe_frontend__DOT__u_stack__DOT__level_l_q[w], r.dpe_frontend__DOT__u_stack__DOT__level_r_q[w]};
      warp.rpc = r.dpe_frontend__DOT__u_stack__DOT__rpc_q[w];
      warp.rpc_level = r.dpe_frontend__DOT__u_stack__DOT__rpc_level_q[w];
      warp.valid = {flag(r.dpe_frontend__DOT__valid_l, w), flag(r.dpe_frontend__DOT__valid_r, w)};
      warp.live = live(w);
      warp.depth = depth(w);
      read_scoreboard(r, w, warp);
      warp.blocked = {flag(r.dpe_frontend__DOT__blocked_l, w), flag(r.dpe_frontend__DOT__blocked_r, w)};
      warp.full = {flag(r.dpe_frontend__DOT__full_l, w), flag(r.dpe_frontend__DOT__full_r, w)};
      for (unsigned slot = 0; slot < 2; ++slot) {
        const unsigned path = slot * kMaxPartitionWarps + w;
        warp.count[slot] = r.dpe_frontend__DOT__u_ibuffer__DOT__count_q[path];
        warp.outstanding[slot] = flag(r.dpe_frontend__DOT__outstanding, path);
        warp.need_fetch[slot] = flag(r.dpe_frontend__DOT__need_fetch, path);
        warp.head[slot] = bits(r.dpe_frontend__DOT__head, 61 * path, 61);
      }
      warp.region_count = r.dpe_frontend__DOT__gen_predication__DOT__u_predication__DOT__count_q[w];
      warp.region_slot = flag(r.dpe_frontend__DOT__gen_predication__DOT__u_predication__DOT__slot_q, w);
      warp.off_mask = warp.region_count != 0 ? r.dpe_frontend__DOT__gen_predication__DOT__u_predication__DOT__off[w] : 0;
      warp.branch_pending = flag(r.dpe_frontend__DOT__pending_q, w);
      warp.pending_slot = flag(r.dpe_frontend__DOT__pending_slot_q, w);
      warp.at_barrier = flag(r.dpe_frontend__DOT__at_barrier_q, w);
      warp.halted = flag(r.dpe_frontend__DOT__halted_q, w);
    }
  }
  [[nodiscard]] unsigned depth(unsigned w) const override { return this->root().dpe_frontend__DOT__u_stack__DOT__depth_q[w]; }
  [[nodiscard]] LaneMask live(unsigned w) const override { return this->root().dpe_frontend__DOT__u_stack__DOT__live_q[w]; }
  [[nodiscard]] StackEntry entry(unsigned w, unsigned index) const override {
    const auto& r = this->root();
    if (index + 1 == depth(w)) {
      return {{r.dpe_frontend__DOT__u_stack__DOT__pc_l_q[w], r.dpe_frontend__DOT__u_stack__DOT__pc_r_q[w]},
              {r.dpe_frontend__DOT__u_stack__DOT__mask_l_q[w], r.dpe_frontend__DOT__u_stack__DOT__mask_r_q[w]},
              r.dpe_frontend__DOT__u_stack__DOT__rpc_q[w],
              {r.dpe_frontend__DOT__u_stack__DOT__level_l_q[w], r.dpe_frontend__DOT__u_stack__DOT__level_r_q[w]},
              r.dpe_frontend__DOT__u_stack__DOT__rpc_level_q[w]};
    }
    // {pc_l, mask_l, level_l, pc_r, mask_r, level_r, rpc, rpc_level}, taken off from the right
    RowReader row(r.dpe_frontend__DOT__u_stack__DOT__below[w * (kStackDepth - 1) + index]);
    StackEntry entry;
    entry.rpc_level = row.take32(kLevelBits);
    entry.rpc = row.take32(32);
    for (const unsigned slot : {1u, 0u}) {
      entry.level[slot] = row.take32(kLevelBits);
      entry.mask[slot] = row.take(Lanes);
      entry.pc[slot] = row.take32(32);
    }
    return entry;
  }

 private:
  template <class Root>
  static void read_scoreboard(const Root& r, unsigned w, WarpState& warp) {
    if constexpr (kTable == Table::kOptimistic) {
      warp.pending[0] = r.dpe_frontend__DOT__gen_optimistic__DOT__u_scoreboard__DOT__pending_q[w];
      for (unsigned e = 0; e < 2 * kSbEntries; ++e) {
        warp.reg[0][e] = static_cast<std::uint8_t>(bits(r.dpe_frontend__DOT__gen_optimistic__DOT__u_scoreboard__DOT__reg_q[w], 6 * e, 6));
        warp.entry_mask[0][e] = bits(r.dpe_frontend__DOT__gen_optimistic__DOT__u_scoreboard__DOT__mask_q[w], Lanes * e, Lanes);
      }
    } else {
      warp.pending = {r.dpe_frontend__DOT__gen_shadow_bits__DOT__u_scoreboard__DOT__pending_l_q[w],
                      r.dpe_frontend__DOT__gen_shadow_bits__DOT__u_scoreboard__DOT__pending_r_q[w]};
      warp.shadow = {r.dpe_frontend__DOT__gen_shadow_bits__DOT__u_scoreboard__DOT__shadow_l_q[w],
                     r.dpe_frontend__DOT__gen_shadow_bits__DOT__u_scoreboard__DOT__shadow_r_q[w]};
      for (unsigned e = 0; e < kSbEntries; ++e) {
        warp.reg[0][e] = static_cast<std::uint8_t>(bits(r.dpe_frontend__DOT__gen_shadow_bits__DOT__u_scoreboard__DOT__reg_l_q[w], 6 * e, 6));
        warp.reg[1][e] = static_cast<std::uint8_t>(bits(r.dpe_frontend__DOT__gen_shadow_bits__DOT__u_scoreboard__DOT__reg_r_q[w], 6 * e, 6));
      }
    }
  }
};

struct Build {
  const char* mechanism;
  unsigned lanes;
  SelectorKind selector;
  Policy policy;
  ScoreboardKind scoreboard;
  std::unique_ptr<Frontend> (*make)(const FrontendContext&);
};

template <class T>
std::unique_ptr<Frontend> make(const FrontendContext& context) { return std::make_unique<T>(context); }

constexpr SelectorKind kTwoLevel = SelectorKind::kTwoLevel;
constexpr ScoreboardKind kShadow = ScoreboardKind::kShadow;

// In order of preference: the narrowest that holds the configuration.
constexpr Build kBuilds[] = {
    {"spe", 32, kTwoLevel, Policy::kLrr, kShadow, make<SpeRtl<Vspe_l32, 32>>},
    {"spe", 32, kTwoLevel, Policy::kGto, kShadow, make<SpeRtl<Vspe_l32_gto, 32>>},
    {"spe", 64, kTwoLevel, Policy::kLrr, kShadow, make<SpeRtl<Vspe_l64, 64>>},
    {"dpe", 32, kTwoLevel, Policy::kLrr, kShadow, make<DpeRtl<Vdpe_l32, 32>>},
    {"dpe", 32, kTwoLevel, Policy::kGto, kShadow, make<DpeRtl<Vdpe_l32_gto, 32>>},
    {"dpe", 32, SelectorKind::kConstrained, Policy::kLrr, kShadow, make<DpeRtl<Vdpe_l32_constrained, 32>>},
    {"dpe", 32, kTwoLevel, Policy::kLrr, ScoreboardKind::kOptimistic, make<DpeRtl<Vdpe_l32_optimistic, 32, Table::kOptimistic>>},
    {"dpe", 64, kTwoLevel, Policy::kLrr, kShadow, make<DpeRtl<Vdpe_l64, 64>>},
};

std::unique_ptr<Frontend> make_rtl(const FrontendContext& context) {
  const Config& c = context.config;
  const auto refuse = [](const std::string& key, const std::string& have) {
    return bad_input("engine", fmt::format("{} has no Verilated model: the RTL of this build has {}; use --engine systemc, or add a parameter set "
                                           "in sim/engine/CMakeLists.txt", key, have));
  };
  if (c.stack.depth != kStackDepth) throw refuse(fmt::format("stack.depth = {}", c.stack.depth), fmt::format("{}", kStackDepth));
  if (c.scoreboard.entries != kSbEntries) throw refuse(fmt::format("scoreboard.entries = {}", c.scoreboard.entries), fmt::format("{}", kSbEntries));
  if (c.frontend.ibuffer != kIbufDepth) throw refuse(fmt::format("frontend.ibuffer = {}", c.frontend.ibuffer), fmt::format("{}", kIbufDepth));
  if (c.stack.level_bits != kLevelBits) throw refuse(fmt::format("stack.level_bits = {}", c.stack.level_bits), fmt::format("{}", kLevelBits));
  if (c.stack.order != PushOrder::kTakenFirst) throw refuse("a stack.order other than taken_first", "taken_first");
  if (!c.stack.taken_left) throw refuse("stack.taken_left = false", "true");
  const bool dual = c.mechanism == "dpe";
  for (const Build& build : kBuilds) {
    const bool fits = c.mechanism == build.mechanism && c.core.lanes <= build.lanes && c.selector.policy == build.policy &&
                      (!dual || (c.selector.kind == build.selector && c.scoreboard.kind == build.scoreboard));
    if (fits) return build.make(context);
  }
  throw refuse("this combination of core.lanes, selector.kind, selector.policy and scoreboard.kind",
               "gto, constrained and optimistic one at a time, up to 32 lanes; the defaults up to 64");
}

}  // namespace

std::unique_ptr<Frontend> make_spe_rtl(const FrontendContext& context) { return make_rtl(context); }
std::unique_ptr<Frontend> make_dpe_rtl(const FrontendContext& context) { return make_rtl(context); }

}  // namespace heddle
