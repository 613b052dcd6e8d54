// SPDX-License-Identifier: Apache-2.0
// frontend: decides which path of which warp issues next; a holder brings the stack. Contract: docs/frontend.md,
// core/frontend; same pins as rtl/core/frontend.sv.
//
// It holds the modules of its parts, wires, and what lies between them as combinational processes between registers of
// its own. The front ends hold it for synthesis; in simulation they are one machine, FrontendLogic.
#pragma once

#include "core/frontend_logic.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned NumSlots = 2, unsigned DepthW = 5,
          unsigned Scoreboard = kScoreboardDpe, unsigned SbEntries = 8, unsigned Selector = kSelectorTwoLevel,
          unsigned Policy = kPolicyRoundRobin, unsigned IbufDepth = 5, unsigned Predicate = 1, unsigned NumWb = 2,
          unsigned TagW = 3, unsigned Watch = 1, unsigned PathBarriers = 0, unsigned Partial = 0, unsigned PayloadW = 0,
          unsigned PcStep = 4>
class frontend : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kSlotW = index_width(NumSlots);
  static constexpr unsigned kPaths = NumWarps * NumSlots;
  static constexpr unsigned kCountW = index_width(IbufDepth + 1);
  static constexpr bool kConstrained = Selector == kSelectorConstrained;
  static_assert(kPaths >= 1 && kPaths <= 64, "frontend: the pins of the twin carry 1 to 64 paths");
  static_assert(Predicate <= 1, "frontend: Predicate is 0 (without) or 1 (with core/predication)");
  static_assert(NumWb >= 1 && NumWb <= 64, "frontend: 1 to 64 write-back ports");
  static_assert(Watch <= 1, "frontend: Watch is 0 (without stall_o) or 1");

 public:
  static constexpr unsigned kWarps = NumWarps;
  static constexpr unsigned kLanes = Lanes;
  static constexpr unsigned kSlots = NumSlots;
  static constexpr unsigned kDepthW = DepthW;
  static constexpr unsigned kWritePorts = NumWb;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // from dispatcher
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(launch_warp_i);
  sc_core::sc_in<bool> SC_NAMED(kill_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(kill_warp_i);
  // fetch
  sc_core::sc_in<bool> SC_NAMED(fetch_ready_i);
  sc_core::sc_out<bool> SC_NAMED(fetch_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(fetch_warp_o);
  sc_core::sc_out<Number<kSlotW>> SC_NAMED(fetch_slot_o);
  sc_core::sc_out<Number<32>> SC_NAMED(fetch_pc_o);
  sc_core::sc_out<Number<TagW>> SC_NAMED(fetch_tag_o);
  // from decode
  sc_core::sc_in<bool> SC_NAMED(decode_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(decode_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(decode_slot_i);
  sc_core::sc_in<Number<TagW>> SC_NAMED(decode_tag_i);
  sc_core::sc_in<Number<2>> SC_NAMED(decode_count_i);
  sc_core::sc_in<Mask<kInstrWidth + PayloadW>> SC_NAMED(decode_instr0_i);
  sc_core::sc_in<Mask<kInstrWidth + PayloadW>> SC_NAMED(decode_instr1_i);
  // from execute
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(resolve_slot_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_taken_i);
  sc_core::sc_in<Number<kRegionCountWidth>> SC_NAMED(resolve_skip_i);
  sc_core::sc_out<bool> SC_NAMED(resolve_ready_o);
  // from write-back
  sc_core::sc_in<Mask<NumWb>> SC_NAMED(wb_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kWarpW>>> SC_NAMED(wb_warp_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<kSlotW>>> SC_NAMED(wb_slot_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<kRegWidth>>> SC_NAMED(wb_reg_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(wb_mask_i, NumWb);
  // from L1 and units
  sc_core::sc_in<bool> SC_NAMED(miss_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(miss_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(miss_slot_i);
  sc_core::sc_in<Number<kUnitCodes>> SC_NAMED(unit_ready_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(hold_i);
  // from barrier unit
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(release_i);
  // from stack
  sc_core::sc_vector<sc_core::sc_in<Number<32>>> SC_NAMED(pc_i, kPaths);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(mask_i, kPaths);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(valid_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(sibling_i);
  sc_core::sc_vector<sc_core::sc_in<Number<DepthW>>> SC_NAMED(depth_i, NumWarps);
  sc_core::sc_in<bool> SC_NAMED(resolved_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(resolved_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(resolved_slot_i);
  sc_core::sc_in<bool> SC_NAMED(resolved_next_i);
  sc_core::sc_in<bool> SC_NAMED(push_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(push_warp_i);
  sc_core::sc_in<bool> SC_NAMED(pop_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(pop_warp_i);
  sc_core::sc_in<bool> SC_NAMED(stack_done_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(stack_done_warp_i);
  sc_core::sc_in<bool> SC_NAMED(stack_overflow_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(stack_overflow_warp_i);
  // to stack
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(advance_o);
  sc_core::sc_out<bool> SC_NAMED(take_valid_o);
  sc_core::sc_out<Mask<Lanes>> SC_NAMED(taken_o);
  // hooks: from the holder
  sc_core::sc_in<bool> SC_NAMED(room_i);
  sc_core::sc_in<bool> SC_NAMED(keep_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(drop_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(wait_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(stop_i);
  // hooks: to the holder
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(grant_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(control_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(barrier_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(head_valid_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(blocked_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(waits_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(at_barrier_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(in_region_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(pending_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(settled_o);
  // from execute
  sc_core::sc_in<bool> SC_NAMED(issue_ready_i);
  // to execute
  sc_core::sc_out<bool> SC_NAMED(issue_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(issue_warp_o);
  sc_core::sc_out<Number<kSlotW>> SC_NAMED(issue_slot_o);
  sc_core::sc_out<Number<32>> SC_NAMED(issue_pc_o);
  sc_core::sc_out<Mask<Lanes>> SC_NAMED(issue_mask_o);
  sc_core::sc_out<Mask<kInstrWidth + PayloadW>> SC_NAMED(issue_instr_o);
  sc_core::sc_out<bool> SC_NAMED(issue_sibling_o);
  sc_core::sc_out<bool> SC_NAMED(issue_predicated_o);
  // to dispatcher
  sc_core::sc_out<bool> SC_NAMED(done_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(done_warp_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(idle_o);
  // status
  sc_core::sc_out<bool> SC_NAMED(overflow_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(overflow_warp_o);
  sc_core::sc_out<Number<4>> SC_NAMED(stall_o);

  SC_HAS_PROCESS(frontend);
  explicit frontend(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(take_resolution);
    sensitive << resolve_valid_i << room_i << resolve_taken_i << resolve_skip_i;
    SC_METHOD(gate);
    sensitive << kill_valid_i << kill_warp_i << pop_valid_i << keep_i << decode_instr0_i;
    SC_METHOD(read_heads);
    for (unsigned p = 0; p < kPaths; ++p) sensitive << head_[p];
    SC_METHOD(find_used);
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << depth_i[w];
    SC_METHOD(find_ready);
    sensitive << unit_ready_i << hold_i << issue_valid_o << issue_ready_i << killed_ << valid_i << head_valid_ << waits_
              << at_barrier_ << halted_ << acting_ << pending_ << region_ << wait_i << stop_i << blocked_ << full_;
    for (unsigned p = 0; p < kPaths; ++p) sensitive << head_[p];
    SC_METHOD(read_grant);
    sensitive << grant_ << grant_warp_ << grant_slot_ << off_mask_;
    for (unsigned p = 0; p < kPaths; ++p) sensitive << head_[p] << mask_i[p];
    SC_METHOD(show_hooks);
    sensitive << grant_ << control_ << barrier_ << head_valid_ << blocked_ << waits_ << at_barrier_ << in_region_
              << pending_;
    if constexpr (Predicate == 0) SC_METHOD(leave_out_regions);
    if constexpr (Watch == 0) SC_METHOD(leave_out_stall);
    connect_state();
    connect_ibuffer();
    connect_fetch();
    connect_hazards();
    connect_selector();
    if constexpr (Predicate != 0) connect_predication();
    if constexpr (Watch != 0) connect_stall();
  }

  [[nodiscard]] static constexpr unsigned state_bits() {
    constexpr unsigned kIssue =
        1 + kWarpW + slot_state_bits(NumSlots) + 32 + Lanes + kInstrWidth + PayloadW + 1 + Predicate;
    return PathState::state_bits() + Ibuffer::state_bits() + Fetch::state_bits() + Hazards::state_bits() +
           SelectorModule::state_bits() + Predicate * Predication::state_bits() + Watch * Stall::state_bits() + kIssue +
           2 * (1 + kWarpW) + NumWarps;
  }

 private:
  using PathState = path_state<NumWarps, NumSlots, PathBarriers>;
  using Ibuffer = ibuffer<NumWarps, NumSlots, IbufDepth, TagW, PayloadW>;
  using Fetch = fetch_request<NumWarps, NumSlots, IbufDepth, TagW, PcStep>;
  using Hazards = hazards<NumWarps, Lanes, NumSlots, Scoreboard, SbEntries, NumWb, Partial>;
  using SelectorModule = typename SelectorOf<Selector, NumWarps, NumSlots, Policy>::Module;
  using Predication = predication<NumWarps, NumSlots, Lanes>;
  using Stall = stall_reason<NumWarps, NumSlots>;

  void reset() {
    issue_valid_o.write(false);
    issue_warp_o.write(0);
    issue_slot_o.write(0);
    issue_pc_o.write(0);
    issue_mask_o.write(0);
    issue_instr_o.write(0);
    issue_sibling_o.write(false);
    issue_predicated_o.write(false);
    done_valid_o.write(false);
    done_warp_o.write(0);
    idle_o.write(0);
    overflow_valid_o.write(false);
    overflow_warp_o.write(0);
  }

  void step() {
    issue_valid_o.write(grant_valid_.read() || (issue_valid_o.read() && !issue_ready_i.read()));
    if (grant_valid_.read()) {
      const std::uint32_t warp = grant_warp_.read();
      const std::uint32_t slot = grant_slot_.read();
      const std::uint32_t path = slot * NumWarps + warp;
      issue_warp_o.write(warp);
      if (NumSlots > 1) issue_slot_o.write(slot);
      issue_pc_o.write(pc_i[path].read());
      issue_mask_o.write(granted_mask_.read());
      issue_instr_o.write(granted_instr_.read());
      issue_sibling_o.write(has_bit(sibling_i.read(), path));
      if (Predicate != 0) issue_predicated_o.write(has_bit(in_region_.read(), path));
    }
    done_valid_o.write(stack_done_valid_i.read());
    if (stack_done_valid_i.read()) done_warp_o.write(stack_done_warp_i.read());
    overflow_valid_o.write(stack_overflow_valid_i.read());
    if (stack_overflow_valid_i.read()) overflow_warp_o.write(stack_overflow_warp_i.read());
    const std::uint64_t issuing = issue_valid_o.read() ? bit_of(issue_warp_o.read()) : 0;  // a kill leaves it there
    std::uint64_t quiet = low_bits(NumWarps);
    for (unsigned s = 0; s < NumSlots; ++s) quiet &= static_cast<std::uint64_t>(quiet_.read()) >> (s * NumWarps);
    idle_o.write(quiet & ~(in_use_.read() | writes_.read() | issuing));
  }

  // Threads that are predicated took no branch, as far as the stack knows.
  void take_resolution() {
    const bool taken = resolve_valid_i.read() && room_i.read();
    const bool skips = Predicate != 0 && resolve_skip_i.read() != 0;
    const std::uint64_t threads = resolve_taken_i.read();
    resolve_ready_o.write(room_i.read());
    take_valid_o.write(taken);
    take_valid_.write(taken);
    taken_o.write(skips ? 0 : threads);
    start_valid_.write(taken && skips);
  }

  void gate() {
    killed_.write(kill_valid_i.read() ? bit_of(kill_warp_i.read()) : 0);
    pop_flushes_.write(pop_valid_i.read() && !keep_i.read());
    fill_names_.write(bundle_names(decode_instr0_i.read()));
  }

  void read_heads() {
    std::uint64_t control = 0;
    std::uint64_t barrier = 0;
    for (unsigned p = 0; p < kPaths; ++p) {
      const std::uint64_t head = head_[p].read();
      const bool is_control = bundle_control(head);
      const bool is_barrier = bundle_barrier(head);
      control = with_bit(control, p, is_control);
      barrier = with_bit(barrier, p, is_barrier);
      head_names_[p].write(bundle_names(head));
    }
    control_.write(control);
    barrier_.write(barrier);
  }

  void find_used() {
    std::uint64_t in_use = 0;
    for (unsigned w = 0; w < NumWarps; ++w) in_use = with_bit(in_use, w, depth_i[w].read() != 0);
    in_use_.write(in_use);
  }

  // Which paths may issue, and what those wait for that may not.
  void find_ready() {
    const std::uint64_t stays = of_all_slots(halted_.read() | acting_.read()) | waits_.read() | at_barrier_.read() |
                                wait_i.read() | stop_i.read();
    const std::uint64_t held_warps = NumSlots > 1 ? static_cast<std::uint64_t>(region_.read()) : 0;
    const bool occupied = issue_valid_o.read() && !issue_ready_i.read();
    const std::uint32_t units = occupied ? 0 : static_cast<std::uint32_t>(unit_ready_i.read());
    std::uint64_t exclusive = 0;
    std::uint64_t serves = 0;
    std::uint64_t load_store = 0;
    std::uint64_t lasts = 0;
    for (unsigned p = 0; p < kPaths; ++p) {
      const std::uint64_t head = head_[p].read();
      const std::uint32_t unit = bundle_unit(head);
      const bool waits = bundle_control(head) || bundle_barrier(head);
      const bool ready = has_bit(units, unit);
      const bool memory = unit == kUnitCodeLsu;
      const bool special = unit == kUnitCodeSfu;
      exclusive = with_bit(exclusive, p, waits);
      serves = with_bit(serves, p, ready);
      load_store = with_bit(load_store, p, memory);
      lasts = with_bit(lasts, p, special);
    }
    const std::uint64_t held = exclusive & of_all_slots(held_warps);
    const std::uint64_t behind = held | (exclusive & of_all_slots(pending_.read()));
    const std::uint64_t open = valid_i.read() & head_valid_.read() & ~stays & ~behind;
    const std::uint64_t clear = open & ~(blocked_.read() | full_.read());
    const std::uint64_t served = serves & ~of_all_slots(hold_i.read());
    const std::uint64_t eligible = clear & served & ~of_all_slots(killed_.read());
    const std::uint64_t present = valid_i.read() & ~held;
    ready_.write(eligible);
    ready_l_.write(eligible & low_bits(NumWarps));
    ready_r_.write(right_of(eligible));
    competes_l_.write(present & low_bits(NumWarps));
    competes_r_.write(right_of(present));
    long_l_.write(lasts & low_bits(NumWarps));
    long_r_.write(right_of(lasts));
    load_store_.write(load_store);
    may_issue_.write(open);
    no_unit_.write(clear & ~served);
    stall_wait_.write((valid_i.read() & held) | wait_i.read());
    stall_barrier_.write(at_barrier_.read() | stop_i.read());
  }

  // What the grant brings: the instruction and its threads.
  void read_grant() {
    const std::uint32_t path = grant_slot_.read() * NumWarps + grant_warp_.read();
    const std::uint64_t grant = grant_.read();
    const std::uint64_t bundle = grant != 0 ? static_cast<std::uint64_t>(head_[path].read()) : 0;
    const std::uint64_t mask = mask_i[path].read();
    const std::uint64_t off = off_mask_.read();
    granted_instr_.write(bundle);
    granted_reg_.write(bundle_rd(bundle));
    granted_mask_.write(mask & ~off);
  }

  void show_hooks() {
    grant_o.write(grant_.read());
    advance_o.write(grant_.read() & ~control_.read());
    control_o.write(control_.read());
    barrier_o.write(barrier_.read());
    head_valid_o.write(head_valid_.read());
    blocked_o.write(blocked_.read());
    waits_o.write(waits_.read());
    at_barrier_o.write(at_barrier_.read());
    in_region_o.write(in_region_.read());
    pending_o.write(pending_.read());
  }

  void leave_out_regions() {
    off_mask_.write(0);
    region_.write(0);
  }

  void leave_out_stall() { stall_o.write(0); }

  // A set of warps as that of all their paths; the half of the right slot, nothing with one slot.
  [[nodiscard]] static constexpr std::uint64_t of_all_slots(std::uint64_t warps) {
    std::uint64_t paths = 0;
    for (unsigned s = 0; s < NumSlots; ++s) paths |= (warps & low_bits(NumWarps)) << (s * NumWarps);
    return paths;
  }
  [[nodiscard]] static constexpr std::uint64_t right_of(std::uint64_t paths) {
    return NumSlots == 2 ? paths >> NumWarps : 0;
  }

  void connect_state() {
    path_state_.clk_i(clk_i);
    path_state_.rst_ni(rst_ni);
    path_state_.grant_i(grant_);
    path_state_.grant_slot_i(grant_slot_);
    path_state_.control_i(control_);
    path_state_.barrier_i(barrier_);
    path_state_.take_valid_i(take_valid_);
    path_state_.take_warp_i(resolve_warp_i);
    path_state_.killed_i(killed_);
    path_state_.release_i(release_i);
    path_state_.valid_i(valid_i);
    path_state_.resolved_valid_i(resolved_valid_i);
    path_state_.resolved_warp_i(resolved_warp_i);
    path_state_.overflow_valid_i(stack_overflow_valid_i);
    path_state_.overflow_warp_i(stack_overflow_warp_i);
    path_state_.region_i(region_);
    path_state_.region_slot_i(region_slot_);
    path_state_.pending_o(pending_);
    path_state_.acting_o(acting_);
    path_state_.halted_o(halted_);
    path_state_.settled_o(settled_o);
    path_state_.waits_o(waits_);
    path_state_.at_barrier_o(at_barrier_);
    path_state_.in_region_o(in_region_);
  }

  void connect_ibuffer() {
    ibuffer_.clk_i(clk_i);
    ibuffer_.rst_ni(rst_ni);
    ibuffer_.answer_valid_i(decode_valid_i);
    ibuffer_.answer_warp_i(decode_warp_i);
    ibuffer_.answer_slot_i(decode_slot_i);
    ibuffer_.answer_tag_i(decode_tag_i);
    ibuffer_.answer_count_i(decode_count_i);
    ibuffer_.answer_instr0_i(decode_instr0_i);
    ibuffer_.answer_instr1_i(decode_instr1_i);
    ibuffer_.take_i(grant_);
    ibuffer_.request_i(request_);
    ibuffer_.flush0_valid_i(push_valid_i);
    ibuffer_.flush0_warp_i(push_warp_i);
    ibuffer_.flush1_valid_i(pop_flushes_);
    ibuffer_.flush1_warp_i(pop_warp_i);
    ibuffer_.flush2_valid_i(kill_valid_i);
    ibuffer_.flush2_warp_i(kill_warp_i);
    ibuffer_.drop_i(drop_i);
    ibuffer_.redirect_valid_i(resolved_valid_i);
    ibuffer_.redirect_warp_i(resolved_warp_i);
    ibuffer_.redirect_slot_i(resolved_slot_i);
    ibuffer_.redirect_next_i(resolved_next_i);
    ibuffer_.head_o(head_);
    ibuffer_.head_valid_o(head_valid_);
    ibuffer_.second_o(second_);
    ibuffer_.second_valid_o(second_valid_);
    ibuffer_.count_o(count_);
    ibuffer_.requests_o(requests_);
    ibuffer_.tag_o(tag_);
    ibuffer_.quiet_o(quiet_);
    ibuffer_.need_fetch_o(need_fetch_);
    ibuffer_.fill_o(fill_);
    ibuffer_.clear_o(clear_);
  }

  void connect_fetch() {
    fetch_.clk_i(clk_i);
    fetch_.rst_ni(rst_ni);
    fetch_.launch_valid_i(launch_valid_i);
    fetch_.launch_warp_i(launch_warp_i);
    fetch_.valid_i(valid_i);
    fetch_.pc_i(pc_i);
    fetch_.waits_i(waits_);
    fetch_.halted_i(halted_);
    fetch_.need_fetch_i(need_fetch_);
    fetch_.count_i(count_);
    fetch_.requests_i(requests_);
    fetch_.tag_i(tag_);
    fetch_.request_o(request_);
    fetch_.fetch_ready_i(fetch_ready_i);
    fetch_.fetch_valid_o(fetch_valid_o);
    fetch_.fetch_warp_o(fetch_warp_o);
    fetch_.fetch_slot_o(fetch_slot_o);
    fetch_.fetch_pc_o(fetch_pc_o);
    fetch_.fetch_tag_o(fetch_tag_o);
  }

  void connect_hazards() {
    hazards_.clk_i(clk_i);
    hazards_.rst_ni(rst_ni);
    hazards_.clear_i(clear_);
    hazards_.fill_i(fill_);
    hazards_.head_valid_i(head_valid_);
    hazards_.head_names_i(head_names_);
    hazards_.second_valid_i(second_valid_);
    hazards_.second_names_i(second_);
    hazards_.fill_warp_i(decode_warp_i);
    hazards_.fill_slot_i(decode_slot_i);
    hazards_.fill_names_i(fill_names_);
    hazards_.grant_i(grant_);
    hazards_.grant_warp_i(grant_warp_);
    hazards_.grant_slot_i(grant_slot_);
    hazards_.grant_reg_i(granted_reg_);
    hazards_.grant_mask_i(granted_mask_);
    hazards_.mask_i(mask_i);
    hazards_.push_valid_i(push_valid_i);
    hazards_.push_warp_i(push_warp_i);
    hazards_.pop_valid_i(pop_valid_i);
    hazards_.pop_warp_i(pop_warp_i);
    hazards_.wb_valid_i(wb_valid_i);
    hazards_.wb_warp_i(wb_warp_i);
    hazards_.wb_slot_i(wb_slot_i);
    hazards_.wb_reg_i(wb_reg_i);
    hazards_.wb_mask_i(wb_mask_i);
    hazards_.blocked_o(blocked_);
    hazards_.full_o(full_);
    hazards_.writes_o(writes_);
  }

  void connect_selector() {
    selector_.clk_i(clk_i);
    selector_.rst_ni(rst_ni);
    selector_.launch_valid_i(launch_valid_i);
    selector_.launch_warp_i(launch_warp_i);
    if constexpr (kConstrained) {
      selector_.ready_l_i(ready_l_);
      selector_.ready_r_i(ready_r_);
      selector_.valid_l_i(competes_l_);
      selector_.valid_r_i(competes_r_);
      selector_.long_l_i(long_l_);
      selector_.long_r_i(long_r_);
      selector_.miss_valid_i(miss_valid_i);
      selector_.miss_warp_i(miss_warp_i);
      selector_.miss_slot_i(miss_slot_i);
    } else {
      selector_.ready_i(ready_);
    }
    selector_.grant_valid_o(grant_valid_);
    selector_.grant_warp_o(grant_warp_);
    selector_.grant_slot_o(grant_slot_);
    selector_.grant_o(grant_);
  }

  void connect_predication() {
    predication_[0].clk_i(clk_i);
    predication_[0].rst_ni(rst_ni);
    predication_[0].start_valid_i(start_valid_);
    predication_[0].start_warp_i(resolve_warp_i);
    predication_[0].start_slot_i(resolve_slot_i);
    predication_[0].start_mask_i(resolve_taken_i);
    predication_[0].start_count_i(resolve_skip_i);
    predication_[0].take_i(grant_);
    predication_[0].kill_valid_i(kill_valid_i);
    predication_[0].kill_warp_i(kill_warp_i);
    predication_[0].off_mask_o(off_mask_);
    predication_[0].active_o(region_);
    predication_[0].slot_o(region_slot_);
    predication_[0].count_o(region_count_);
  }

  void connect_stall() {
    stall_[0].clk_i(clk_i);
    stall_[0].rst_ni(rst_ni);
    stall_[0].grant_valid_i(grant_valid_);
    stall_[0].in_use_i(in_use_);
    stall_[0].pending_i(pending_);
    stall_[0].halted_i(halted_);
    stall_[0].eligible_i(ready_);
    stall_[0].no_unit_i(no_unit_);
    stall_[0].load_store_i(load_store_);
    stall_[0].may_issue_i(may_issue_);
    stall_[0].blocked_i(blocked_);
    stall_[0].full_i(full_);
    stall_[0].wait_i(stall_wait_);
    stall_[0].at_barrier_i(stall_barrier_);
    stall_[0].stall_o(stall_o);
  }

  HEDDLE_CLOCKED_BODY()

  PathState SC_NAMED(path_state_);
  Ibuffer SC_NAMED(ibuffer_);
  Fetch SC_NAMED(fetch_);
  Hazards SC_NAMED(hazards_);
  SelectorModule SC_NAMED(selector_);
  sc_core::sc_vector<Predication> SC_NAMED(predication_, Predicate);
  sc_core::sc_vector<Stall> SC_NAMED(stall_, Watch);

  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(killed_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(in_use_);
  // resolution and predication
  sc_core::sc_signal<bool> SC_NAMED(take_valid_);
  sc_core::sc_signal<bool> SC_NAMED(start_valid_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(off_mask_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(region_);
  sc_core::sc_vector<sc_core::sc_signal<Number<kSlotW>>> SC_NAMED(region_slot_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Number<kRegionCountWidth>>> SC_NAMED(region_count_, NumWarps);
  // state of the paths
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(pending_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(acting_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(halted_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(waits_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(at_barrier_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(in_region_);
  // instruction buffers and fetch
  sc_core::sc_signal<bool> SC_NAMED(pop_flushes_);
  sc_core::sc_vector<sc_core::sc_signal<Mask<kInstrWidth + PayloadW>>> SC_NAMED(head_, kPaths);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(head_valid_);
  sc_core::sc_vector<sc_core::sc_signal<Number<kNamesWidth>>> SC_NAMED(second_, kPaths);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(second_valid_);
  sc_core::sc_vector<sc_core::sc_signal<Number<kCountW>>> SC_NAMED(count_, kPaths);
  sc_core::sc_vector<sc_core::sc_signal<Number<2>>> SC_NAMED(requests_, kPaths);
  sc_core::sc_vector<sc_core::sc_signal<Number<TagW>>> SC_NAMED(tag_, kPaths);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(quiet_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(need_fetch_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(request_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(fill_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(clear_);
  // heads and hazards
  sc_core::sc_vector<sc_core::sc_signal<Number<kNamesWidth>>> SC_NAMED(head_names_, kPaths);
  sc_core::sc_signal<Number<kNamesWidth>> SC_NAMED(fill_names_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(control_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(barrier_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(blocked_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(full_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(writes_);
  // selection of the path that issues; the constrained one takes the slots apart
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(ready_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(ready_l_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(ready_r_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(competes_l_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(competes_r_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(long_l_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(long_r_);
  sc_core::sc_signal<bool> SC_NAMED(grant_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(grant_warp_);
  sc_core::sc_signal<Number<kSlotW>> SC_NAMED(grant_slot_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(grant_);
  sc_core::sc_signal<Mask<kInstrWidth + PayloadW>> SC_NAMED(granted_instr_);
  sc_core::sc_signal<Number<kRegWidth>> SC_NAMED(granted_reg_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(granted_mask_);
  // why nothing issues
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(load_store_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(may_issue_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(no_unit_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(stall_wait_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(stall_barrier_);
};

}  // namespace heddle
