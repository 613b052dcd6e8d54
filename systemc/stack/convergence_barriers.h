// SPDX-License-Identifier: Apache-2.0
// convergence_barriers: same pins as rtl/stack/convergence_barriers.sv. Its state is held once, in pins and signals;
// what becomes of it is decided by the functions of barrier_rules.h.
#pragma once

#include "stack/convergence_barriers_logic.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Barriers = 16, unsigned PushOrder = kPushLargerFirst,
          unsigned Policy = kYieldIsFair, unsigned YieldMode = kYieldStays, unsigned LevelW = 8, unsigned Watch = 1,
          unsigned PcStep = 4>
class convergence_barriers : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kDepthW = index_width(Lanes + 1);
  static constexpr unsigned kListW = index_width(Lanes);
  static constexpr unsigned kRows = 1u << kListW;
  static constexpr unsigned kBarriers = Barriers + Lanes;

 public:
  using Logic =
      ConvergenceBarriersLogic<NumWarps, Lanes, Barriers, PushOrder, Policy, YieldMode, LevelW, Watch, PcStep>;
  static constexpr unsigned kBarrierW = Logic::kBarrierW;
  static constexpr bool kAges = Logic::kAges;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // launch
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(launch_warp_i);
  sc_core::sc_in<Number<32>> SC_NAMED(launch_pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(launch_mask_i);
  sc_core::sc_in<bool> SC_NAMED(kill_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(kill_warp_i);
  // issue
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(advance_i);
  // resolution
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(resolve_slot_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_taken_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_target_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_next_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_rpc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_exit_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_call_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_return_i);
  sc_core::sc_in<Number<kKindWidth + kBarrierW>> SC_NAMED(resolve_kind_i);
  sc_core::sc_in<Mask<kOperandWidth>> SC_NAMED(resolve_operand_i);
  // paths
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(pc_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(mask_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(level_o, NumWarps);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(valid_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(sibling_o);
  // warps
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(rpc_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(rpc_level_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(live_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<kDepthW>>> SC_NAMED(depth_o, NumWarps);
  // events
  sc_core::sc_out<bool> SC_NAMED(resolved_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(resolved_warp_o);
  sc_core::sc_out<Number<1>> SC_NAMED(resolved_slot_o);
  sc_core::sc_out<bool> SC_NAMED(resolved_next_o);
  sc_core::sc_out<bool> SC_NAMED(push_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(push_warp_o);
  sc_core::sc_out<bool> SC_NAMED(pop_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(pop_warp_o);
  sc_core::sc_out<bool> SC_NAMED(done_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(done_warp_o);
  sc_core::sc_out<bool> SC_NAMED(overflow_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(overflow_warp_o);
  sc_core::sc_out<bool> SC_NAMED(answer_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(answer_warp_o);
  sc_core::sc_out<Mask<kOperandWidth>> SC_NAMED(answer_value_o);
  sc_core::sc_out<bool> SC_NAMED(event_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(event_warp_o);
  sc_core::sc_out<Number<kEventWidth>> SC_NAMED(event_code_o);
  // status
  sc_core::sc_out<Number<kDepthW>> SC_NAMED(max_depth_o);

  SC_HAS_PROCESS(convergence_barriers);
  explicit convergence_barriers(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
      : sc_core::sc_module(name),
        order_(config.order) {
    HEDDLE_EXPECT(kAges || !knows_newest(config.order));
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_paths);
    sensitive << valid_;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << mask_[w] << depth_o[w];
    SC_METHOD(show_events);
    sensitive << acts_ << serves_ << warp_ << index_ << taken_ << exit_ << target_ << next_ << rpc_ << mark_ << operand_
              << upper_mask_ << upper_pc_ << row_mask_ << row_arrived_ << row_pc_;
    for (unsigned w = 0; w < NumWarps; ++w) {
      sensitive << pc_o[w] << mask_[w] << live_o[w] << depth_o[w] << armed_named_[w] << armed_syncs_[w]
                << check_named_[w] << check_syncs_[w];
    }
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      pc_o[w].write(0);
      mask_[w].write(0);
      live_o[w].write(0);
      depth_o[w].write(0);
      upper_[w].write(0);
      armed_named_[w].write(0);
      armed_syncs_[w].write(0);
      check_named_[w].write(0);
      check_syncs_[w].write(0);
      ages_[w].write(0);
    }
    for (unsigned i = 0; i < NumWarps * kRows; ++i) {
      list_mask_[i].write(0);
      list_pc_[i].write(0);
    }
    for (unsigned i = 0; i < NumWarps * kBarriers; ++i) {
      barrier_mask_[i].write(0);
      barrier_arrived_[i].write(0);
      barrier_pc_[i].write(0);
    }
    valid_.write(0);
    stuck_.write(0);
    acts_.write(false);
    serves_.write(false);
    warp_.write(0);
    index_.write(0);
    taken_.write(0);
    exit_.write(0);
    target_.write(0);
    next_.write(0);
    rpc_.write(0);
    mark_.write(0);
    operand_.write(0);
    upper_mask_.write(0);
    upper_pc_.write(0);
    row_mask_.write(0);
    row_arrived_.write(0);
    row_pc_.write(0);
    answer_valid_o.write(false);
    answer_warp_o.write(0);
    answer_value_o.write(0);
    event_valid_o.write(false);
    event_warp_o.write(0);
    event_code_o.write(0);
    max_depth_o.write(0);
  }

  // Of the events of a cycle only a kill meets another one of its warp: it comes last, and wins.
  void step() {
    std::uint64_t valid = valid_.read();
    std::uint64_t stuck = stuck_.read();
    std::uint32_t most = max_depth_o.read();
    const bool kills = kill_valid_i.read();
    const std::uint32_t killed = kill_warp_i.read();
    HEDDLE_EXPECT(!(kills && launch_valid_i.read() && launch_warp_i.read() == killed));
    if (launch_valid_i.read()) {
      const std::uint32_t warp = launch_warp_i.read();
      HEDDLE_EXPECT(depth_o[warp].read() == 0 && launch_mask_i.read() != 0);
      pc_o[warp].write(launch_pc_i.read());
      mask_[warp].write(launch_mask_i.read());
      live_o[warp].write(launch_mask_i.read());
      depth_o[warp].write(1);
      upper_[warp].write(0);
      armed_named_[warp].write(0);
      armed_syncs_[warp].write(0);
      check_named_[warp].write(0);
      check_syncs_[warp].write(0);
      ages_[warp].write(0);
      valid = with_bit(valid, warp, true);
      if (most == 0) most = 1;
    }
    HEDDLE_EXPECT(at_most_one(advance_i.read()));
    for (unsigned w = 0; w < NumWarps; ++w) {
      if (has_bit(advance_i.read(), w)) {
        HEDDLE_EXPECT(has_bit(valid_.read(), w));
        pc_o[w].write(pc_o[w].read() + PcStep);
      }
    }
    const bool settles = (acts_.read() || serves_.read()) && !(kills && killed == warp_.read());
    BarrierChange change;
    find_change(change);
    if (settles) settle(change, valid, stuck, most);
    tell(settles, change);
    if (kills) {
      depth_o[killed].write(0);
      valid = with_bit(valid, killed, false);
      stuck = with_bit(stuck, killed, false);
    }
    valid_.write(valid);
    stuck_.write(stuck);
    if (Watch != 0) max_depth_o.write(most);
    take_in();
    choose();
  }

  // The resolution or the service of this cycle.
  void settle(const BarrierChange& change, std::uint64_t& valid, std::uint64_t& stuck, std::uint32_t& most) {
    const std::uint32_t warp = warp_.read();
    const std::uint32_t index = index_.read();
    const std::uint32_t depth = depth_o[warp].read();
    const std::uint32_t upper = upper_[warp].read();
    pc_o[warp].write(change.pc);
    mask_[warp].write(change.mask);
    if (acts_.read()) live_o[warp].write(live_o[warp].read() & ~(mask_[warp].read() & exit_.read()));
    if (change.list != kListStays && change.list != kListPops) {
      const std::uint32_t row = warp * kRows + stored_row(change.list, upper, depth - 1, kRows);
      list_mask_[row].write(change.stored_mask);
      list_pc_[row].write(change.stored_pc);
    }
    const std::uint32_t depth_after = change.ends ? 0 : 1 + rows_after(change.list, depth - 1);
    depth_o[warp].write(depth_after);
    upper_[warp].write(upper_after(change.list, upper, kRows));
    if (depth_after > most) most = depth_after;
    if (change.writes) {
      barrier_mask_[warp * kBarriers + index].write(change.row_mask);
      barrier_arrived_[warp * kBarriers + index].write(change.row_arrived);
      barrier_pc_[warp * kBarriers + index].write(change.row_pc);
    }
    settle_flags(change, warp, index, valid);
    stuck = with_bit(stuck, warp, change.stuck);
  }

  // Which barriers of the warp are armed, which are to be looked at, and whether its path issues.
  void settle_flags(const BarrierChange& change, std::uint32_t warp, std::uint32_t index, std::uint64_t& valid) {
    std::uint64_t armed_named = armed_named_[warp].read();
    std::uint64_t armed_syncs = armed_syncs_[warp].read();
    std::uint64_t check_named = check_named_[warp].read();
    std::uint64_t check_syncs = check_syncs_[warp].read();
    const std::uint64_t ages = ages_[warp].read();
    const std::uint32_t count = count_bits(armed_named);
    const bool moves = change.arms || change.disarms;
    const bool checks = change.checks || serves_.read();  // who is served has looked at it
    if (change.checks_all) {
      check_named |= armed_named;
      check_syncs |= armed_syncs;
    }
    if (index < Barriers) {
      if (kAges && moves) ages_[warp].write(ages_after(ages, count, index, change.arms, kBarrierW));
      if (moves) armed_named = with_bit(armed_named, index, change.arms);
      if (checks) check_named = with_bit(check_named, index, change.checks);
    } else {
      if (moves) armed_syncs = with_bit(armed_syncs, index - Barriers, change.arms);
      if (checks) check_syncs = with_bit(check_syncs, index - Barriers, change.checks);
    }
    armed_named_[warp].write(armed_named);
    armed_syncs_[warp].write(armed_syncs);
    check_named_[warp].write(check_named);
    check_syncs_[warp].write(check_syncs);
    valid = with_bit(valid, warp, change.mask != 0 && (check_named | check_syncs) == 0);
  }

  void tell(bool settles, const BarrierChange& change) {
    const bool answers = settles && change.answers;
    const bool event = settles && change.event != kEventNone;
    answer_valid_o.write(answers);
    answer_warp_o.write(answers ? static_cast<std::uint32_t>(warp_.read()) : 0);
    answer_value_o.write(answers ? change.answer : 0);
    event_valid_o.write(event);
    event_warp_o.write(event ? static_cast<std::uint32_t>(warp_.read()) : 0);
    event_code_o.write(event ? change.event : 0);
  }

  // The resolution that acts at the next edge.
  void take_in() {
    const std::uint32_t warp = resolve_warp_i.read();
    acts_.write(resolve_valid_i.read() && !(kill_valid_i.read() && kill_warp_i.read() == warp));
    if (resolve_valid_i.read()) {
      HEDDLE_EXPECT(has_bit(valid_.read(), warp) && !(resolve_call_i.read() && resolve_return_i.read()));
      taken_.write(resolve_taken_i.read());
      exit_.write(resolve_exit_i.read());
      target_.write(resolve_target_i.read());
      next_.write(resolve_next_i.read());
      rpc_.write(resolve_rpc_i.read());
      mark_.write(mark_of(resolve_kind_i.read()));
      operand_.write(resolve_operand_i.read() & low_bits(Lanes));
    }
  }

  // The lowest warp without a path that issues, but for those that are settled or killed in this cycle, or stuck, is
  // served in the next, unless a resolution acts then. What either sees of the warp is read now.
  void choose() {
    std::uint64_t wants = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool settled = (acts_.read() || serves_.read()) && warp_.read() == w;
      const bool killed = kill_valid_i.read() && kill_warp_i.read() == w;
      const bool waits = depth_o[w].read() != 0 && !has_bit(valid_.read(), w) && !has_bit(stuck_.read(), w);
      wants = with_bit(wants, w, waits && !settled && !killed);
    }
    serves_.write(wants != 0 && !resolve_valid_i.read());
    if (resolve_valid_i.read()) {
      const std::uint32_t warp = resolve_warp_i.read();
      const std::uint32_t kind = resolve_kind_i.read();
      const std::uint64_t operand = resolve_operand_i.read() & low_bits(Lanes);
      const std::uint32_t mark = mark_of(kind);
      HEDDLE_EXPECT((kind >> kKindWidth) < Barriers);
      read_rows(warp, barrier_of(mark, kind >> kKindWidth, operand, newest(warp), Barriers));
    } else if (wants != 0) {
      const std::uint32_t warp = lowest_bit(wants);
      read_rows(warp, first_check(check_named_[warp].read(), check_syncs_[warp].read(), Barriers));
    }
  }
  void read_rows(std::uint32_t warp, std::uint32_t index) {
    const std::uint32_t upper = warp * kRows + upper_[warp].read();
    const std::uint32_t barrier = warp * kBarriers + index;
    warp_.write(warp);
    index_.write(index);
    upper_mask_.write(list_mask_[upper].read());
    upper_pc_.write(list_pc_[upper].read());
    row_mask_.write(barrier_mask_[barrier].read());
    row_arrived_.write(barrier_arrived_[barrier].read());
    row_pc_.write(barrier_pc_[barrier].read());
  }
  [[nodiscard]] std::uint32_t newest(std::uint32_t warp) const {
    const std::uint32_t count = count_bits(armed_named_[warp].read());
    return kAges && count != 0 ? barrier_at(ages_[warp].read(), count - 1, kBarrierW) : 0;
  }

  // What the resolution or the service of this cycle does.
  void find_change(BarrierChange& change) const {
    const std::uint32_t warp = warp_.read();
    const std::uint32_t index = index_.read();
    BarrierWarp old;
    old.mask = mask_[warp].read();
    old.pc = pc_o[warp].read();
    old.live = live_o[warp].read();
    old.others = depth_o[warp].read() > 1;
    old.upper_mask = upper_mask_.read();
    old.upper_pc = upper_pc_.read();
    old.armed = index < Barriers ? has_bit(armed_named_[warp].read(), index)
                                 : has_bit(armed_syncs_[warp].read(), index - Barriers);
    old.row_mask = row_mask_.read();
    old.row_arrived = row_arrived_.read();
    old.row_pc = row_pc_.read();
    if (acts_.read()) {
      ResolveInput in;
      in.taken = taken_.read();
      in.exit = exit_.read();
      in.target = target_.read();
      in.next = next_.read();
      in.rpc = rpc_.read();
      resolve_barriers(old, in, mark_.read(), operand_.read(), order_, change);
    } else {
      serve_barriers(old, check_named_[warp].read() != 0 || check_syncs_[warp].read() != 0, change);
    }
  }

  // No path has a level or a place where it meets others.
  void show_paths() {
    std::uint64_t sibling = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      level_o[w].write(0);
      rpc_o[w].write(0);
      rpc_level_o[w].write(0);
      mask_o[w].write(has_bit(valid_.read(), w) ? static_cast<std::uint64_t>(mask_[w].read()) : 0);
      sibling = with_bit(sibling, w, depth_o[w].read() > 1);
    }
    valid_o.write(valid_.read());
    sibling_o.write(sibling);
  }

  void show_events() {
    const std::uint32_t warp = warp_.read();
    BarrierChange change;
    find_change(change);
    const bool acts = acts_.read();
    const bool push = acts && change.push;
    const bool pops = serves_.read() && change.pops;
    const bool done = serves_.read() && change.ends;
    resolved_slot_o.write(0);
    overflow_valid_o.write(false);
    overflow_warp_o.write(0);
    resolved_valid_o.write(acts);
    resolved_warp_o.write(acts ? warp : 0);
    resolved_next_o.write(acts && change.next);
    push_valid_o.write(push);
    push_warp_o.write(push ? warp : 0);
    pop_valid_o.write(pops);
    pop_warp_o.write(pops ? warp : 0);
    done_valid_o.write(done);
    done_warp_o.write(done ? warp : 0);
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint32_t order_;
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(mask_, NumWarps);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(valid_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(stuck_);
  // the list: its uppermost row, of kRows from w * kRows on
  sc_core::sc_vector<sc_core::sc_signal<Number<kListW>>> SC_NAMED(upper_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(list_mask_, NumWarps* kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(list_pc_, NumWarps* kRows);
  // barriers, and behind them warpsyncs by lowest lane: from w * kBarriers on
  sc_core::sc_vector<sc_core::sc_signal<Mask<Barriers>>> SC_NAMED(armed_named_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(armed_syncs_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Barriers>>> SC_NAMED(check_named_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(check_syncs_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Barriers * kBarrierW>>> SC_NAMED(ages_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(barrier_mask_, NumWarps* kBarriers);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(barrier_arrived_, NumWarps* kBarriers);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(barrier_pc_, NumWarps* kBarriers);
  // the warp that is settled in this cycle, by a resolution or a service, and the barrier that is concerned
  sc_core::sc_signal<bool> SC_NAMED(acts_);
  sc_core::sc_signal<bool> SC_NAMED(serves_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(warp_);
  sc_core::sc_signal<Number<index_width(kBarriers)>> SC_NAMED(index_);
  // the resolution
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(taken_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(exit_);
  sc_core::sc_signal<Number<32>> SC_NAMED(target_);
  sc_core::sc_signal<Number<32>> SC_NAMED(next_);
  sc_core::sc_signal<Number<32>> SC_NAMED(rpc_);
  sc_core::sc_signal<Number<kKindWidth>> SC_NAMED(mark_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(operand_);
  // what was read of the list and of the barrier
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(upper_mask_);
  sc_core::sc_signal<Number<32>> SC_NAMED(upper_pc_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(row_mask_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(row_arrived_);
  sc_core::sc_signal<Number<32>> SC_NAMED(row_pc_);
};

}  // namespace heddle
