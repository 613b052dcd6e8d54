// SPDX-License-Identifier: Apache-2.0
// The SystemC twins as front ends of the engine. One instantiation at the largest sizes serves every configuration: warps and lanes
// that are not used stay idle, and the twins' limits narrow stack, scoreboard and instruction buffers.
#include "core/frontend.h"
#include "engine/frontend.h"

namespace heddle {
namespace {

constexpr unsigned kLanes = kMaxLanes;
constexpr unsigned kStackDepth = 64;
constexpr unsigned kSbEntries = kMaxScoreboardEntries / 2;   // the optimistic table has twice as many
constexpr unsigned kIbufDepth = 8;
constexpr unsigned kLevelBits = 16;

template <class Module>
void bind(Module& module, const FrontendContext& context) {
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
  module.fetch_slot_o(out.fetch_slot);
  module.fetch_pc_o(out.fetch_pc);
  module.decode_valid_i(in.decode_valid);
  module.decode_warp_i(in.decode_warp);
  module.decode_slot_i(in.decode_slot);
  module.decode_pc_i(in.decode_pc);
  module.decode_count_i(in.decode_count);
  module.decode_instr0_i(in.decode_instr0);
  module.decode_instr1_i(in.decode_instr1);
  module.resolve_valid_i(in.resolve_valid);
  module.resolve_warp_i(in.resolve_warp);
  module.resolve_slot_i(in.resolve_slot);
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
  module.wb0_slot_i(in.wb[0].slot);
  module.wb0_reg_i(in.wb[0].reg);
  module.wb0_mask_i(in.wb[0].mask);
  module.wb1_valid_i(in.wb[1].valid);
  module.wb1_warp_i(in.wb[1].warp);
  module.wb1_slot_i(in.wb[1].slot);
  module.wb1_reg_i(in.wb[1].reg);
  module.wb1_mask_i(in.wb[1].mask);
  module.miss_valid_i(in.miss_valid);
  module.miss_warp_i(in.miss_warp);
  module.miss_slot_i(in.miss_slot);
  module.unit_ready_i(in.unit_ready);
  module.release_i(in.release);
  module.issue_valid_o(out.issue_valid);
  module.issue_warp_o(out.issue_warp);
  module.issue_slot_o(out.issue_slot);
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

std::uint8_t flag(std::uint64_t word, unsigned warp) { return static_cast<std::uint8_t>((word >> warp) & 1u); }

Event event(bool valid, std::uint32_t warp) { return {valid, valid ? warp : 0}; }

// The front end of a number of slots, a stack, a scoreboard and a selector (kinds of core/frontend).
template <unsigned Slots, unsigned Stack, unsigned Scoreboard, unsigned Selector>
class Twin final : public Frontend {
 public:
  using Module = frontend<kMaxPartitionWarps, kLanes, Slots, Stack, kStackDepth, 0, Scoreboard, kSbEntries, Selector, 0, kIbufDepth, kLevelBits>;

  Twin(const FrontendContext& context, std::uint32_t stack_order) : module_(context.name, limits(context.config, stack_order)) {
    bind(module_, context);
  }

  void read_state(FrontendState& state) const override {
    read_events(state);
    for (unsigned w = 0; w < kMaxPartitionWarps; ++w) read_warp(w, state.warp[w]);
  }
  void stack_events(Event& push, Event& pop) const override {
    const FrontendEvents& events = logic().events();
    push = event(events.push_valid, events.push_warp);
    pop = event(events.pop_valid, events.pop_warp);
  }
  [[nodiscard]] bool selection(Selection& selection) const override {
    const FrontendEvents& events = logic().events();
    selection = {events.grant_valid, events.grant_warp, events.grant_slot, {events.eligible[0], events.eligible[1]}};
    return true;
  }
  [[nodiscard]] unsigned depth(unsigned warp) const override { return logic().stack().depth(warp); }
  [[nodiscard]] LaneMask live(unsigned warp) const override { return logic().stack().live(warp); }
  [[nodiscard]] StackEntry entry(unsigned warp, unsigned index) const override {
    const auto& from = logic().stack().entry(warp, index);
    StackEntry entry;
    for (unsigned slot = 0; slot < Slots; ++slot) {
      const StackPath path = path_of(from, slot);
      entry.pc[slot] = path.pc;
      entry.mask[slot] = path.mask;
      entry.level[slot] = path.level;
    }
    entry.rpc = from.rpc;
    entry.rpc_level = from.rpc_level;
    return entry;
  }

 private:
  [[nodiscard]] const typename Module::Logic& logic() const { return module_.state(); }

  void read_events(FrontendState& state) const {
    const FrontendEvents& events = logic().events();
    stack_events(state.push, state.pop);
    state.resolved = event(events.resolved_valid, events.resolved_warp);
    state.resolved_slot = events.resolved_valid ? events.resolved_slot : 0;
    state.resolved_next = events.resolved_next;
    state.done = event(events.done_valid, logic().output().done_warp);
    state.overflow = event(events.overflow_valid, logic().output().overflow_warp);
    state.grant_valid = events.grant_valid;
    state.grant_warp = events.grant_valid ? events.grant_warp : 0;
    state.grant_slot = events.grant_valid ? events.grant_slot : 0;
    state.max_depth = logic().max_depth();
  }

  void read_warp(unsigned w, WarpState& warp) const {
    const auto& stack = logic().stack();
    const auto& ibuffer = logic().ibuffer();
    const auto& predication = logic().predication();
    for (unsigned slot = 0; slot < Slots; ++slot) {
      const StackPath path = stack.path(w, slot);
      warp.pc[slot] = path.pc;
      warp.mask[slot] = path.mask;
      warp.level[slot] = static_cast<std::uint16_t>(path.level);
      warp.valid[slot] = flag(stack.valid(slot), w);
      warp.blocked[slot] = flag(logic().blocked(slot), w);
      warp.full[slot] = flag(logic().full(slot), w);
      warp.count[slot] = ibuffer.count(w, slot);
      warp.requests[slot] = static_cast<std::uint8_t>(ibuffer.requests(w, slot));
      warp.need_fetch[slot] = flag(ibuffer.need_fetch(slot), w);
      warp.head[slot] = ibuffer.head(w, slot);
    }
    warp.rpc = stack.top(w).rpc;
    warp.rpc_level = stack.top(w).rpc_level;
    if constexpr (Stack == kSpeStack) warp.sibling = stack.top(w).sibling;
    warp.live = stack.live(w);
    warp.depth = stack.depth(w);
    read_scoreboard(w, warp);
    warp.region_count = predication.count(w);
    warp.region_slot = flag(predication.slot(), w);
    warp.off_mask = predication.off_mask(w, warp.region_slot);
    warp.branch_pending = flag(logic().pending(), w);
    warp.pending_slot = flag(logic().pending_slot(), w);
    warp.at_barrier = flag(logic().at_barrier(), w);
    warp.halted = flag(logic().halted(), w);
  }

  void read_scoreboard(unsigned w, WarpState& warp) const {
    const auto& unit = logic().scoreboard();
    const unsigned entries = count_bits(unit.all_entries());
    for (unsigned table = 0; table < unit.kTables; ++table) {
      warp.pending[table] = unit.pending(w, table);
      for (unsigned e = 0; e < entries; ++e) {
        warp.reg[table][e] = static_cast<std::uint8_t>(unit.reg(w, table, e));
        if constexpr (Scoreboard == kOptimisticScoreboard) warp.entry_mask[table][e] = unit.mask(w, e);
      }
      if constexpr (Scoreboard == kDpeScoreboard) warp.shadow[table] = unit.shadow(w, table);
    }
  }

  static FrontendConfig limits(const Config& config, std::uint32_t stack_order) {
    FrontendConfig limits;
    limits.stack_depth = config.stack.depth;
    limits.stack_order = stack_order;
    limits.sb_entries = config.scoreboard.entries;
    limits.policy = static_cast<std::uint32_t>(config.selector.policy);
    limits.ibuf_depth = config.frontend.ibuffer;
    limits.level_bits = config.stack.level_bits;
    return limits;
  }

  Module module_;
};

template <unsigned Scoreboard, unsigned Selector>
std::unique_ptr<Frontend> make_dual(const FrontendContext& context) {
  return std::make_unique<Twin<2, kDpeStack, Scoreboard, Selector>>(context, context.config.stack.taken_left ? kTakenLeft : kTakenRight);
}

}  // namespace

std::unique_ptr<Frontend> make_spe_twin(const FrontendContext& context) {
  return std::make_unique<Twin<1, kSpeStack, kSpeScoreboard, kWarpSelector>>(context, static_cast<std::uint32_t>(context.config.stack.order));
}

std::unique_ptr<Frontend> make_dpe_twin(const FrontendContext& context) {
  const bool constrained = context.config.selector.kind == SelectorKind::kConstrained;
  if (context.config.scoreboard.kind == ScoreboardKind::kOptimistic) {
    return constrained ? make_dual<kOptimisticScoreboard, kConstrainedSelector>(context) : make_dual<kOptimisticScoreboard, kWarpSelector>(context);
  }
  return constrained ? make_dual<kDpeScoreboard, kConstrainedSelector>(context) : make_dual<kDpeScoreboard, kWarpSelector>(context);
}

}  // namespace heddle
