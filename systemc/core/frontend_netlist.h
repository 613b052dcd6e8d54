// SPDX-License-Identifier: Apache-2.0
// FrontendNetlist: a mechanism's front end for synthesis, its stack beside core/frontend. It connects what all of them
// have; a mechanism's constructor connects the pins that are its own, and the hooks, each to a wire or to a constant.
#pragma once

#include "core/frontend.h"

namespace heddle {

// Pins: FrontendPorts or SlotFrontendPorts; LevelW: bits of a call level.
template <class Pins, class StackModule, class FrontModule, unsigned LevelW>
class FrontendNetlist : public Pins {
 protected:
  static constexpr unsigned kWarps = FrontModule::kWarps;
  static constexpr unsigned kLanes = FrontModule::kLanes;
  static constexpr unsigned kSlots = FrontModule::kSlots;
  static constexpr unsigned kWritePorts = FrontModule::kWritePorts;
  static constexpr unsigned kPaths = kWarps * kSlots;
  static constexpr unsigned kWarpW = index_width(kWarps);
  static constexpr unsigned kSlotW = index_width(kSlots);

  SC_HAS_PROCESS(FrontendNetlist);
  FrontendNetlist(sc_core::sc_module_name name, const FrontendConfig& /*config*/) : Pins(name) {
    SC_METHOD(tie);
    Pins::connect_stack(stack_);
    Pins::connect_frontend(frontend_);
    connect_paths();
    connect_events();
    connect_hooks();
    if constexpr (kSlots > 1) Pins::connect_slots(stack_, frontend_);
    else connect_no_slots();
  }

  // A mechanism without hooks, and one without misses.
  void connect_no_hooks() {
    frontend_.room_i(always_);
    frontend_.keep_i(never_);
    frontend_.drop_i(no_paths_);
    frontend_.wait_i(no_paths_);
    frontend_.stop_i(no_paths_);
  }
  void connect_no_misses() {
    frontend_.miss_valid_i(never_);
    frontend_.miss_warp_i(no_warp_);
    frontend_.miss_slot_i(no_slot_);
  }

 private:
  void tie() {
    always_.write(true);
    never_.write(false);
    no_paths_.write(0);
    no_warp_.write(0);
    no_slot_.write(0);
  }

  void connect_paths() {
    stack_.advance_i(advance_);
    stack_.resolve_valid_i(take_valid_);
    stack_.resolve_taken_i(taken_);
    stack_.pc_o(pc_);
    stack_.mask_o(mask_);
    stack_.level_o(level_);
    stack_.valid_o(valid_);
    stack_.sibling_o(sibling_);
    stack_.rpc_o(rpc_);
    stack_.rpc_level_o(rpc_level_);
    stack_.live_o(live_);
    stack_.depth_o(depth_);
    frontend_.pc_i(pc_);
    frontend_.mask_i(mask_);
    frontend_.valid_i(valid_);
    frontend_.sibling_i(sibling_);
    frontend_.depth_i(depth_);
    frontend_.advance_o(advance_);
    frontend_.take_valid_o(take_valid_);
    frontend_.taken_o(taken_);
  }

  void connect_events() {
    stack_.resolved_valid_o(resolved_valid_);
    stack_.resolved_warp_o(resolved_warp_);
    stack_.resolved_slot_o(resolved_slot_);
    stack_.resolved_next_o(resolved_next_);
    stack_.push_valid_o(push_valid_);
    stack_.push_warp_o(push_warp_);
    stack_.pop_valid_o(pop_valid_);
    stack_.pop_warp_o(pop_warp_);
    stack_.done_valid_o(done_valid_);
    stack_.done_warp_o(done_warp_);
    stack_.overflow_valid_o(overflow_valid_);
    stack_.overflow_warp_o(overflow_warp_);
    frontend_.resolved_valid_i(resolved_valid_);
    frontend_.resolved_warp_i(resolved_warp_);
    frontend_.resolved_slot_i(resolved_slot_);
    frontend_.resolved_next_i(resolved_next_);
    frontend_.push_valid_i(push_valid_);
    frontend_.push_warp_i(push_warp_);
    frontend_.pop_valid_i(pop_valid_);
    frontend_.pop_warp_i(pop_warp_);
    frontend_.stack_done_valid_i(done_valid_);
    frontend_.stack_done_warp_i(done_warp_);
    frontend_.stack_overflow_valid_i(overflow_valid_);
    frontend_.stack_overflow_warp_i(overflow_warp_);
  }

  void connect_hooks() {
    frontend_.grant_o(grant_);
    frontend_.control_o(control_);
    frontend_.barrier_o(barrier_);
    frontend_.head_valid_o(head_valid_);
    frontend_.blocked_o(blocked_);
    frontend_.waits_o(waits_);
    frontend_.at_barrier_o(at_barrier_);
    frontend_.in_region_o(in_region_);
    frontend_.pending_o(pending_);
    frontend_.settled_o(settled_);
  }

  void connect_no_slots() {
    stack_.resolve_slot_i(no_slot_);
    frontend_.decode_slot_i(no_slot_);
    frontend_.resolve_slot_i(no_slot_);
    frontend_.wb_slot_i(no_slots_);
    frontend_.wb_mask_i(no_masks_);
    frontend_.fetch_slot_o(fetch_slot_);
    frontend_.issue_slot_o(issue_slot_);
  }

 protected:
  StackModule SC_NAMED(stack_);
  FrontModule SC_NAMED(frontend_);
  // constants
  sc_core::sc_signal<bool> SC_NAMED(always_);
  sc_core::sc_signal<bool> SC_NAMED(never_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(no_paths_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(no_warp_);
  sc_core::sc_signal<Number<kSlotW>> SC_NAMED(no_slot_);
  // what the front end says of its paths
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(grant_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(control_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(barrier_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(head_valid_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(blocked_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(waits_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(at_barrier_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(in_region_);
  sc_core::sc_signal<Mask<kWarps>> SC_NAMED(pending_);
  sc_core::sc_signal<Mask<kWarps>> SC_NAMED(settled_);
  // and the stack of its own
  sc_core::sc_vector<sc_core::sc_signal<Mask<kLanes>>> SC_NAMED(mask_, kPaths);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(valid_);

 private:
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(advance_);
  sc_core::sc_signal<bool> SC_NAMED(take_valid_);
  sc_core::sc_signal<Mask<kLanes>> SC_NAMED(taken_);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(pc_, kPaths);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(level_, kPaths);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(sibling_);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(rpc_, kWarps);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(rpc_level_, kWarps);
  sc_core::sc_vector<sc_core::sc_signal<Mask<kLanes>>> SC_NAMED(live_, kWarps);
  sc_core::sc_vector<sc_core::sc_signal<Number<FrontModule::kDepthW>>> SC_NAMED(depth_, kWarps);
  sc_core::sc_signal<bool> SC_NAMED(resolved_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(resolved_warp_);
  sc_core::sc_signal<Number<kSlotW>> SC_NAMED(resolved_slot_);
  sc_core::sc_signal<bool> SC_NAMED(resolved_next_);
  sc_core::sc_signal<bool> SC_NAMED(push_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(push_warp_);
  sc_core::sc_signal<bool> SC_NAMED(pop_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(pop_warp_);
  sc_core::sc_signal<bool> SC_NAMED(done_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(done_warp_);
  sc_core::sc_signal<bool> SC_NAMED(overflow_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(overflow_warp_);
  // with one slot: what nobody says and nobody hears
  sc_core::sc_vector<sc_core::sc_signal<Number<kSlotW>>> SC_NAMED(no_slots_, kWritePorts);
  sc_core::sc_vector<sc_core::sc_signal<Mask<kLanes>>> SC_NAMED(no_masks_, kWritePorts);
  sc_core::sc_signal<Number<kSlotW>> SC_NAMED(fetch_slot_);
  sc_core::sc_signal<Number<kSlotW>> SC_NAMED(issue_slot_);
};

}  // namespace heddle
