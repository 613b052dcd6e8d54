// SPDX-License-Identifier: Apache-2.0
// The pins of a front end that holds a stack, once for all mechanisms, and the process that it is in simulation.
// Contract: docs/frontend.md, core/spe_frontend and the other front ends.
//
// FrontendPorts are those of one slot, SlotFrontendPorts add what speaks of a slot. A mechanism derives its module from
// FrontendForm and adds the pins that are its own: in simulation that is FrontendProcess, one clocked process around
// the mechanism's logic, for synthesis FrontendNetlist, the stack beside core/frontend.
#pragma once

#include "core/frontend_logic.h"

namespace heddle {

template <unsigned NumWarps, unsigned Lanes, unsigned StackDepth, unsigned NumWb, unsigned TagW, unsigned PayloadW>
class FrontendPorts : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);

 public:
  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // from dispatcher
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(launch_warp_i);
  sc_core::sc_in<Number<32>> SC_NAMED(launch_pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(launch_mask_i);
  sc_core::sc_in<bool> SC_NAMED(kill_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(kill_warp_i);
  // fetch
  sc_core::sc_in<bool> SC_NAMED(fetch_ready_i);
  sc_core::sc_out<bool> SC_NAMED(fetch_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(fetch_warp_o);
  sc_core::sc_out<Number<32>> SC_NAMED(fetch_pc_o);
  sc_core::sc_out<Number<TagW>> SC_NAMED(fetch_tag_o);
  // from decode
  sc_core::sc_in<bool> SC_NAMED(decode_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(decode_warp_i);
  sc_core::sc_in<Number<TagW>> SC_NAMED(decode_tag_i);
  sc_core::sc_in<Number<2>> SC_NAMED(decode_count_i);
  sc_core::sc_in<Mask<kInstrWidth + PayloadW>> SC_NAMED(decode_instr0_i);
  sc_core::sc_in<Mask<kInstrWidth + PayloadW>> SC_NAMED(decode_instr1_i);
  // from execute
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_taken_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_target_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_next_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_rpc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_exit_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_call_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_return_i);
  sc_core::sc_in<Number<kRegionCountWidth>> SC_NAMED(resolve_skip_i);
  sc_core::sc_out<bool> SC_NAMED(resolve_ready_o);
  // from write-back
  sc_core::sc_in<Mask<NumWb>> SC_NAMED(wb_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kWarpW>>> SC_NAMED(wb_warp_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<kRegWidth>>> SC_NAMED(wb_reg_i, NumWb);
  // from units
  sc_core::sc_in<Number<kUnitCodes>> SC_NAMED(unit_ready_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(hold_i);
  // from barrier unit
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(release_i);
  // from execute
  sc_core::sc_in<bool> SC_NAMED(issue_ready_i);
  // to execute
  sc_core::sc_out<bool> SC_NAMED(issue_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(issue_warp_o);
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
  sc_core::sc_out<Number<index_width(StackDepth + 1)>> SC_NAMED(max_depth_o);

 protected:
  explicit FrontendPorts(sc_core::sc_module_name name) : sc_core::sc_module(name) {}

#ifdef HEDDLE_SYNTHESIS
  template <class Stack>
  void connect_stack(Stack& stack) {
    stack.clk_i(clk_i);
    stack.rst_ni(rst_ni);
    stack.launch_valid_i(launch_valid_i);
    stack.launch_warp_i(launch_warp_i);
    stack.launch_pc_i(launch_pc_i);
    stack.launch_mask_i(launch_mask_i);
    stack.kill_valid_i(kill_valid_i);
    stack.kill_warp_i(kill_warp_i);
    stack.resolve_warp_i(resolve_warp_i);
    stack.resolve_target_i(resolve_target_i);
    stack.resolve_next_i(resolve_next_i);
    stack.resolve_rpc_i(resolve_rpc_i);
    stack.resolve_exit_i(resolve_exit_i);
    stack.resolve_call_i(resolve_call_i);
    stack.resolve_return_i(resolve_return_i);
    stack.max_depth_o(max_depth_o);
  }

  template <class Front>
  void connect_frontend(Front& front) {
    front.clk_i(clk_i);
    front.rst_ni(rst_ni);
    front.launch_valid_i(launch_valid_i);
    front.launch_warp_i(launch_warp_i);
    front.kill_valid_i(kill_valid_i);
    front.kill_warp_i(kill_warp_i);
    front.fetch_ready_i(fetch_ready_i);
    front.decode_valid_i(decode_valid_i);
    front.decode_warp_i(decode_warp_i);
    front.decode_tag_i(decode_tag_i);
    front.decode_count_i(decode_count_i);
    front.decode_instr0_i(decode_instr0_i);
    front.decode_instr1_i(decode_instr1_i);
    front.resolve_valid_i(resolve_valid_i);
    front.resolve_warp_i(resolve_warp_i);
    front.resolve_taken_i(resolve_taken_i);
    front.resolve_skip_i(resolve_skip_i);
    front.wb_valid_i(wb_valid_i);
    front.wb_warp_i(wb_warp_i);
    front.wb_reg_i(wb_reg_i);
    front.unit_ready_i(unit_ready_i);
    front.hold_i(hold_i);
    front.release_i(release_i);
    front.issue_ready_i(issue_ready_i);
    front.fetch_valid_o(fetch_valid_o);
    front.fetch_warp_o(fetch_warp_o);
    front.fetch_pc_o(fetch_pc_o);
    front.fetch_tag_o(fetch_tag_o);
    front.resolve_ready_o(resolve_ready_o);
    front.issue_valid_o(issue_valid_o);
    front.issue_warp_o(issue_warp_o);
    front.issue_pc_o(issue_pc_o);
    front.issue_mask_o(issue_mask_o);
    front.issue_instr_o(issue_instr_o);
    front.issue_sibling_o(issue_sibling_o);
    front.issue_predicated_o(issue_predicated_o);
    front.done_valid_o(done_valid_o);
    front.done_warp_o(done_warp_o);
    front.idle_o(idle_o);
    front.overflow_valid_o(overflow_valid_o);
    front.overflow_warp_o(overflow_warp_o);
    front.stall_o(stall_o);
  }
#else
  void reset_pins() {
    shown_ = FrontendOutput();
    shown_max_depth_ = 0;
    fetch_valid_o.write(false);
    write_fetch(shown_);
    issue_valid_o.write(false);
    write_issue(shown_);
    issue_predicated_o.write(false);
    done_valid_o.write(false);
    done_warp_o.write(0);
    idle_o.write(0);
    overflow_valid_o.write(false);
    overflow_warp_o.write(0);
    stall_o.write(0);
    max_depth_o.write(0);
  }

  // Data pins are looked at while their valid is set.
  template <class Input>
  void read_pins(Input& in) const {
    in.launch_valid = launch_valid_i.read();
    if (in.launch_valid) {
      in.launch_warp = launch_warp_i.read();
      in.launch_pc = launch_pc_i.read();
      in.launch_mask = launch_mask_i.read();
    }
    in.kill_valid = kill_valid_i.read();
    if (in.kill_valid) in.kill_warp = kill_warp_i.read();
    in.fetch_ready = fetch_ready_i.read();
    in.decode_valid = decode_valid_i.read();
    if (in.decode_valid) {
      in.decode_warp = decode_warp_i.read();
      in.decode_tag = decode_tag_i.read();
      in.decode_count = decode_count_i.read();
      in.decode_instr0 = decode_instr0_i.read();
      in.decode_instr1 = decode_instr1_i.read();
    }
    in.resolve_valid = resolve_valid_i.read();
    if (in.resolve_valid) read_resolution(in);
    in.wb_valid = wb_valid_i.read();
    for (unsigned k = 0; k < NumWb; ++k) {
      if (has_bit(in.wb_valid, k)) {
        in.wb[k].warp = wb_warp_i[k].read();
        in.wb[k].reg = wb_reg_i[k].read();
      }
    }
    in.unit_ready = unit_ready_i.read();
    in.hold = hold_i.read();
    in.release = release_i.read();
    if (shown_.issue_valid) in.issue_ready = issue_ready_i.read();
  }

  // Pins that can not have changed are left alone; `shown_` is what they hold.
  void write_pins(const FrontendOutput& out, std::uint32_t max_depth) {
    if (out.fetch_valid != shown_.fetch_valid) fetch_valid_o.write(out.fetch_valid);
    if (out.fetch_valid) write_fetch(out);
    if (out.issue_valid != shown_.issue_valid) issue_valid_o.write(out.issue_valid);
    if (out.issue_valid) write_issue(out);
    if (out.issue_predicated != shown_.issue_predicated) issue_predicated_o.write(out.issue_predicated);
    if (out.done_valid != shown_.done_valid) done_valid_o.write(out.done_valid);
    if (out.done_valid) done_warp_o.write(out.done_warp);
    if (out.idle != shown_.idle) idle_o.write(out.idle);
    if (out.overflow_valid != shown_.overflow_valid) overflow_valid_o.write(out.overflow_valid);
    if (out.overflow_valid) overflow_warp_o.write(out.overflow_warp);
    if (out.stall != shown_.stall) stall_o.write(out.stall);
    if (max_depth != shown_max_depth_) max_depth_o.write(max_depth);
    shown_ = out;
    shown_max_depth_ = max_depth;
  }

 private:
  template <class Input>
  void read_resolution(Input& in) const {
    in.resolve_warp = resolve_warp_i.read();
    in.resolve.taken = resolve_taken_i.read();
    in.resolve.target = resolve_target_i.read();
    in.resolve.next = resolve_next_i.read();
    in.resolve.rpc = resolve_rpc_i.read();
    in.resolve.exit = resolve_exit_i.read();
    in.resolve.call = resolve_call_i.read();
    in.resolve.ret = resolve_return_i.read();
    in.resolve_skip = resolve_skip_i.read();
  }

  void write_fetch(const FrontendOutput& out) {
    fetch_warp_o.write(out.fetch_warp);
    fetch_pc_o.write(out.fetch_pc);
    fetch_tag_o.write(out.fetch_tag);
  }

  void write_issue(const FrontendOutput& out) {
    issue_warp_o.write(out.issue_warp);
    issue_pc_o.write(out.issue_pc);
    issue_mask_o.write(out.issue_mask);
    issue_instr_o.write(out.issue_instr);
    issue_sibling_o.write(out.issue_sibling);
  }

  FrontendOutput shown_;
  std::uint32_t shown_max_depth_ = 0;
#endif
};

template <unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned StackDepth, unsigned NumWb, unsigned TagW,
          unsigned PayloadW>
class SlotFrontendPorts : public FrontendPorts<NumWarps, Lanes, StackDepth, NumWb, TagW, PayloadW> {
  using Base = FrontendPorts<NumWarps, Lanes, StackDepth, NumWb, TagW, PayloadW>;
  static constexpr unsigned kSlotW = index_width(NumSlots);

 public:
  sc_core::sc_out<Number<kSlotW>> SC_NAMED(fetch_slot_o);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(decode_slot_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(resolve_slot_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kSlotW>>> SC_NAMED(wb_slot_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(wb_mask_i, NumWb);
  sc_core::sc_out<Number<kSlotW>> SC_NAMED(issue_slot_o);

 protected:
  explicit SlotFrontendPorts(sc_core::sc_module_name name) : Base(name) {}

#ifdef HEDDLE_SYNTHESIS
  template <class Stack, class Front>
  void connect_slots(Stack& stack, Front& front) {
    stack.resolve_slot_i(resolve_slot_i);
    front.fetch_slot_o(fetch_slot_o);
    front.decode_slot_i(decode_slot_i);
    front.resolve_slot_i(resolve_slot_i);
    front.wb_slot_i(wb_slot_i);
    front.wb_mask_i(wb_mask_i);
    front.issue_slot_o(issue_slot_o);
  }
#else
  void reset_pins() {
    Base::reset_pins();
    fetch_slot_o.write(0);
    issue_slot_o.write(0);
  }

  template <class Input>
  void read_pins(Input& in) const {
    Base::read_pins(in);
    if (in.decode_valid) in.decode_slot = decode_slot_i.read();
    if (in.resolve_valid) in.resolve_slot = resolve_slot_i.read();
    for (unsigned k = 0; k < NumWb; ++k) {
      if (has_bit(in.wb_valid, k)) {
        in.wb[k].slot = wb_slot_i[k].read();
        in.wb[k].mask = wb_mask_i[k].read();
      }
    }
  }

  void write_pins(const FrontendOutput& out, std::uint32_t max_depth) {
    Base::write_pins(out, max_depth);
    if (out.fetch_valid) fetch_slot_o.write(out.fetch_slot);
    if (out.issue_valid) issue_slot_o.write(out.issue_slot);
  }
#endif
};

}  // namespace heddle
