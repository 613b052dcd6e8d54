// SPDX-License-Identifier: Apache-2.0
// The SystemC twins as front ends of the engine. One instantiation at the largest sizes serves every configuration: warps and lanes
// that are not used stay idle, and the twins' limits narrow stack, scoreboard and instruction buffers.
#include "core/dpe_frontend.h"
#include "core/spe_frontend.h"
#include "engine/frontend.h"

namespace heddle {
namespace {

constexpr unsigned kLanes = kMaxLanes;
constexpr unsigned kStackDepth = 64;
constexpr unsigned kSbEntries = kMaxScoreboardEntries / 2;   // the optimistic table has twice as many
constexpr unsigned kIbufDepth = 8;
constexpr unsigned kLevelBits = 16;

// Pins that every front end has.
template <class Module>
void bind_common(Module& module, const FrontendContext& context) {
  FrontendPins& in = context.inputs;
  FrontendPins& out = context.outputs;
  module.clk_i(context.clk);
  module.rst_ni(context.rst_n);
  module.launch_valid_i(in.launch_valid);
  module.launch_warp_i(in.launch_warp);
  module.launch_pc_i(in.launch_pc);
  module.launch_mask_i(in.launch_mask);
  module.fetch_ready_i(in.fetch_ready);
  module.fetch_valid_o(out.fetch_valid);
  module.fetch_warp_o(out.fetch_warp);
  module.fetch_pc_o(out.fetch_pc);
  module.decode_valid_i(in.decode_valid);
  module.decode_warp_i(in.decode_warp);
  module.decode_pc_i(in.decode_pc);
  module.decode_count_i(in.decode_count);
  module.decode_instr0_i(in.decode_instr0);
  module.decode_instr1_i(in.decode_instr1);
  module.resolve_valid_i(in.resolve_valid);
  module.resolve_warp_i(in.resolve_warp);
  module.resolve_taken_i(in.resolve_taken);
  module.resolve_target_i(in.resolve_target);
  module.resolve_next_i(in.resolve_next);
  module.resolve_rpc_i(in.resolve_rpc);
  module.resolve_exit_i(in.resolve_exit);
  module.resolve_call_i(in.resolve_call);
  module.resolve_return_i(in.resolve_return);
  module.resolve_skip_i(in.resolve_skip);
  module.wb0_valid_i(in.wb[0].valid);
  module.wb0_warp_i(in.wb[0].warp);
  module.wb0_reg_i(in.wb[0].reg);
  module.wb1_valid_i(in.wb[1].valid);
  module.wb1_warp_i(in.wb[1].warp);
  module.wb1_reg_i(in.wb[1].reg);
  module.unit_ready_i(in.unit_ready);
  module.release_i(in.release);
  module.issue_valid_o(out.issue_valid);
  module.issue_warp_o(out.issue_warp);
  module.issue_pc_o(out.issue_pc);
  module.issue_mask_o(out.issue_mask);
  module.issue_instr_o(out.issue_instr);
  module.issue_sibling_o(out.issue_sibling);
  module.issue_predicated_o(out.issue_predicated);
  module.done_valid_o(out.done_valid);
  module.done_warp_o(out.done_warp);
  module.overflow_valid_o(out.overflow_valid);
  module.overflow_warp_o(out.overflow_warp);
  module.stall_o(out.stall);
  module.max_depth_o(out.max_depth);
}

// Pins of the dual-path front end.
template <class Module>
void bind_slots(Module& module, const FrontendContext& context) {
  FrontendPins& in = context.inputs;
  FrontendPins& out = context.outputs;
  module.fetch_slot_o(out.fetch_slot);
  module.decode_slot_i(in.decode_slot);
  module.resolve_slot_i(in.resolve_slot);
  module.wb0_slot_i(in.wb[0].slot);
  module.wb0_mask_i(in.wb[0].mask);
  module.wb1_slot_i(in.wb[1].slot);
  module.wb1_mask_i(in.wb[1].mask);
  module.miss_valid_i(in.miss_valid);
  module.miss_warp_i(in.miss_warp);
  module.miss_slot_i(in.miss_slot);
  module.issue_slot_o(out.issue_slot);
}

std::uint8_t flag(std::uint64_t word, unsigned warp) { return static_cast<std::uint8_t>((word >> warp) & 1u); }

Event event(bool valid, std::uint32_t warp) { return {valid, valid ? warp : 0}; }

// What both front ends keep beside stack and scoreboard.
template <class Logic>
void read_common(const Logic& logic, unsigned warp, unsigned slots, WarpState& state) {
  state.live = logic.stack().live(warp);
  state.depth = logic.stack().depth(warp);
  for (unsigned slot = 0; slot < slots; ++slot) {
    state.count[slot] = logic.ibuffer().count(warp, slot);
    state.outstanding[slot] = flag(logic.ibuffer().outstanding(slot), warp);
    state.need_fetch[slot] = flag(logic.ibuffer().need_fetch(slot), warp);
    state.head[slot] = logic.ibuffer().head(warp, slot);
  }
  state.region_count = logic.predication().count(warp);
  state.region_slot = flag(logic.predication().slot(), warp);
  state.off_mask = logic.predication().off_mask(warp, state.region_slot);
  state.branch_pending = flag(logic.pending(), warp);
  state.at_barrier = flag(logic.at_barrier(), warp);
  state.halted = flag(logic.halted(), warp);
}

template <class Logic>
void read_events(const Logic& logic, FrontendState& state) {
  const auto& events = logic.events();
  state.push = event(events.push_valid, events.push_warp);
  state.pop = event(events.pop_valid, events.pop_warp);
  state.done = event(events.done_valid, logic.output().done_warp);
  state.overflow = event(events.overflow_valid, logic.output().overflow_warp);
  state.grant_valid = events.grant_valid;
  state.grant_warp = events.grant_valid ? events.grant_warp : 0;
  state.max_depth = logic.max_depth();
}

template <class Events>
Selection selection_of(const Events& events, std::uint32_t slot, std::uint64_t ready_l, std::uint64_t ready_r) {
  return {events.grant_valid, events.grant_warp, slot, {ready_l, ready_r}};
}

class SpeTwin final : public Frontend {
 public:
  using Module = spe_frontend<kMaxPartitionWarps, kLanes, kStackDepth, kSbEntries, kIbufDepth, 0, 0, kLevelBits>;

  explicit SpeTwin(const FrontendContext& context) : module_(context.name, limits(context.config)), entries_(context.config.scoreboard.entries) {
    bind_common(module_, context);
  }

  void read_state(FrontendState& state) const override {
    const auto& logic = module_.state();
    read_events(logic, state);
    for (unsigned w = 0; w < kMaxPartitionWarps; ++w) {
      WarpState& warp = state.warp[w];
      read_common(logic, w, 1, warp);
      const SpeEntry& top = logic.stack().top(w);
      warp.pc[0] = top.pc;
      warp.mask[0] = top.mask;
      warp.level[0] = static_cast<std::uint16_t>(top.level);
      warp.rpc = top.rpc;
      warp.rpc_level = top.rpc_level;
      warp.sibling = top.sibling;
      warp.valid[0] = flag(logic.stack().valid(), w);
      warp.pending[0] = logic.scoreboard().pending(w);
      for (unsigned e = 0; e < entries_; ++e) warp.reg[0][e] = static_cast<std::uint8_t>(logic.scoreboard().reg(w, e));
      warp.blocked[0] = flag(logic.blocked(), w);
      warp.full[0] = flag(logic.full(), w);
    }
  }
  void stack_events(Event& push, Event& pop) const override {
    const auto& events = module_.state().events();
    push = event(events.push_valid, events.push_warp);
    pop = event(events.pop_valid, events.pop_warp);
  }
  [[nodiscard]] bool selection(Selection& selection) const override {
    const auto& events = module_.state().events();
    selection = selection_of(events, 0, events.eligible, 0);
    return true;
  }
  [[nodiscard]] unsigned depth(unsigned warp) const override { return module_.state().stack().depth(warp); }
  [[nodiscard]] LaneMask live(unsigned warp) const override { return module_.state().stack().live(warp); }
  [[nodiscard]] StackEntry entry(unsigned warp, unsigned index) const override {
    const SpeEntry& e = module_.state().stack().entry(warp, index);
    return {{e.pc, 0}, {e.mask, 0}, e.rpc, {e.level, 0}, e.rpc_level};
  }

 private:
  static SpeFrontendConfig limits(const Config& config) {
    SpeFrontendConfig limits;
    limits.stack_depth = config.stack.depth;
    limits.sb_entries = config.scoreboard.entries;
    limits.ibuf_depth = config.frontend.ibuffer;
    limits.level_bits = config.stack.level_bits;
    limits.push_order = static_cast<std::uint32_t>(config.stack.order);
    limits.policy = static_cast<std::uint32_t>(config.selector.policy);
    return limits;
  }

  Module module_;
  unsigned entries_;
};

template <unsigned Scoreboard, unsigned Selector>
class DpeTwin final : public Frontend {
 public:
  using Module = dpe_frontend<kMaxPartitionWarps, kLanes, kStackDepth, kSbEntries, kIbufDepth, 1, Scoreboard, Selector, 0, kLevelBits>;

  explicit DpeTwin(const FrontendContext& context) : module_(context.name, limits(context.config)), entries_(context.config.scoreboard.entries) {
    bind_common(module_, context);
    bind_slots(module_, context);
  }

  void read_state(FrontendState& state) const override {
    const auto& logic = module_.state();
    read_events(logic, state);
    state.grant_slot = state.grant_valid != 0 ? logic.events().grant_slot : 0;
    for (unsigned w = 0; w < kMaxPartitionWarps; ++w) {
      WarpState& warp = state.warp[w];
      read_common(logic, w, 2, warp);
      const DpeEntry& top = logic.stack().top(w);
      warp.pc = {top.pc_l, top.pc_r};
      warp.mask = {top.mask_l, top.mask_r};
      warp.level = {static_cast<std::uint16_t>(top.level_l), static_cast<std::uint16_t>(top.level_r)};
      warp.rpc = top.rpc;
      warp.rpc_level = top.rpc_level;
      warp.valid = {flag(logic.stack().valid_l(), w), flag(logic.stack().valid_r(), w)};
      warp.pending_slot = flag(logic.pending_slot(), w);
      for (unsigned slot = 0; slot < 2; ++slot) {
        warp.blocked[slot] = flag(logic.blocked(slot), w);
        warp.full[slot] = flag(logic.full(slot), w);
      }
      read_scoreboard(logic.scoreboard(), w, warp);
    }
  }
  void stack_events(Event& push, Event& pop) const override {
    const auto& events = module_.state().events();
    push = event(events.push_valid, events.push_warp);
    pop = event(events.pop_valid, events.pop_warp);
  }
  [[nodiscard]] bool selection(Selection& selection) const override {
    const auto& events = module_.state().events();
    selection = selection_of(events, events.grant_slot, events.eligible_l, events.eligible_r);
    return true;
  }
  [[nodiscard]] unsigned depth(unsigned warp) const override { return module_.state().stack().depth(warp); }
  [[nodiscard]] LaneMask live(unsigned warp) const override { return module_.state().stack().live(warp); }
  [[nodiscard]] StackEntry entry(unsigned warp, unsigned index) const override {
    const DpeEntry& e = module_.state().stack().entry(warp, index);
    return {{e.pc_l, e.pc_r}, {e.mask_l, e.mask_r}, e.rpc, {e.level_l, e.level_r}, e.rpc_level};
  }

 private:
  template <class Unit>
  void read_scoreboard(const Unit& unit, unsigned w, WarpState& warp) const {
    if constexpr (Scoreboard == 1) {
      warp.pending[0] = unit.pending(w);
      for (unsigned e = 0; e < 2 * entries_; ++e) {
        warp.reg[0][e] = static_cast<std::uint8_t>(unit.reg(w, e));
        warp.entry_mask[0][e] = unit.mask(w, e);
      }
    } else {
      for (unsigned slot = 0; slot < 2; ++slot) {
        warp.pending[slot] = unit.pending(w, slot);
        warp.shadow[slot] = unit.shadow(w, slot);
        for (unsigned e = 0; e < entries_; ++e) warp.reg[slot][e] = static_cast<std::uint8_t>(unit.reg(w, slot, e));
      }
    }
  }

  static DpeFrontendConfig limits(const Config& config) {
    DpeFrontendConfig limits;
    limits.stack_depth = config.stack.depth;
    limits.sb_entries = config.scoreboard.entries;
    limits.ibuf_depth = config.frontend.ibuffer;
    limits.level_bits = config.stack.level_bits;
    limits.taken_left = config.stack.taken_left;
    limits.policy = static_cast<std::uint32_t>(config.selector.policy);
    return limits;
  }

  Module module_;
  unsigned entries_;
};

}  // namespace

std::unique_ptr<Frontend> make_spe_twin(const FrontendContext& context) { return std::make_unique<SpeTwin>(context); }

std::unique_ptr<Frontend> make_dpe_twin(const FrontendContext& context) {
  const bool optimistic = context.config.scoreboard.kind == ScoreboardKind::kOptimistic;
  const bool constrained = context.config.selector.kind == SelectorKind::kConstrained;
  if (optimistic && constrained) return std::make_unique<DpeTwin<1, 1>>(context);
  if (optimistic) return std::make_unique<DpeTwin<1, 0>>(context);
  if (constrained) return std::make_unique<DpeTwin<0, 1>>(context);
  return std::make_unique<DpeTwin<0, 0>>(context);
}

}  // namespace heddle
