// SPDX-License-Identifier: Apache-2.0
// dpe_frontend: the front end with two paths a warp, frontend under a name. Contract: docs/frontend.md, core/dpe_frontend; same
// pins as rtl/core/dpe_frontend.sv.
#pragma once

#include "core/frontend.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned SbEntries = 8,
          unsigned IbufDepth = 5, unsigned TakenLeft = 1, unsigned Scoreboard = 0, unsigned Selector = 0,
          unsigned Policy = 0, unsigned LevelW = 8, unsigned Predicate = 1>
class dpe_frontend : public sc_core::sc_module {
 public:
  using Module = frontend<NumWarps, Lanes, 2, kDpeStack, StackDepth, TakenLeft != 0 ? kTakenLeft : kTakenRight,
                          kDpeScoreboard + Scoreboard, SbEntries, Selector, Policy, IbufDepth, LevelW, Predicate>;
  using Logic = typename Module::Logic;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // from dispatcher
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(launch_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(launch_pc_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(launch_mask_i);
  // fetch
  sc_core::sc_in<bool> SC_NAMED(fetch_ready_i);
  sc_core::sc_out<bool> SC_NAMED(fetch_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(fetch_warp_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(fetch_slot_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(fetch_pc_o);
  // from decode
  sc_core::sc_in<bool> SC_NAMED(decode_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(decode_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(decode_slot_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(decode_pc_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(decode_count_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(decode_instr0_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(decode_instr1_i);
  // from execute
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_slot_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(resolve_taken_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_target_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_next_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_rpc_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(resolve_exit_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_call_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_return_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_skip_i);
  // from write-back
  sc_core::sc_in<bool> SC_NAMED(wb0_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb0_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb0_slot_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb0_reg_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(wb0_mask_i);
  sc_core::sc_in<bool> SC_NAMED(wb1_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb1_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb1_slot_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb1_reg_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(wb1_mask_i);
  // from L1 and units
  sc_core::sc_in<bool> SC_NAMED(miss_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(miss_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(miss_slot_i);
  // from units
  sc_core::sc_in<std::uint32_t> SC_NAMED(unit_ready_i);
  // from barrier unit
  sc_core::sc_in<std::uint64_t> SC_NAMED(release_i);
  // to execute
  sc_core::sc_out<bool> SC_NAMED(issue_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(issue_warp_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(issue_slot_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(issue_pc_o);
  sc_core::sc_out<std::uint64_t> SC_NAMED(issue_mask_o);
  sc_core::sc_out<std::uint64_t> SC_NAMED(issue_instr_o);
  sc_core::sc_out<bool> SC_NAMED(issue_sibling_o);
  sc_core::sc_out<bool> SC_NAMED(issue_predicated_o);
  // to dispatcher
  sc_core::sc_out<bool> SC_NAMED(done_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(done_warp_o);
  // status
  sc_core::sc_out<bool> SC_NAMED(overflow_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(overflow_warp_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(stall_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(max_depth_o);

  explicit dpe_frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : sc_core::sc_module(name), frontend_("frontend", config) {
    frontend_.clk_i(clk_i);
    frontend_.rst_ni(rst_ni);
    frontend_.launch_valid_i(launch_valid_i);
    frontend_.launch_warp_i(launch_warp_i);
    frontend_.launch_pc_i(launch_pc_i);
    frontend_.launch_mask_i(launch_mask_i);
    frontend_.fetch_ready_i(fetch_ready_i);
    frontend_.fetch_valid_o(fetch_valid_o);
    frontend_.fetch_warp_o(fetch_warp_o);
    frontend_.fetch_slot_o(fetch_slot_o);
    frontend_.fetch_pc_o(fetch_pc_o);
    frontend_.decode_valid_i(decode_valid_i);
    frontend_.decode_warp_i(decode_warp_i);
    frontend_.decode_slot_i(decode_slot_i);
    frontend_.decode_pc_i(decode_pc_i);
    frontend_.decode_count_i(decode_count_i);
    frontend_.decode_instr0_i(decode_instr0_i);
    frontend_.decode_instr1_i(decode_instr1_i);
    frontend_.resolve_valid_i(resolve_valid_i);
    frontend_.resolve_warp_i(resolve_warp_i);
    frontend_.resolve_slot_i(resolve_slot_i);
    frontend_.resolve_taken_i(resolve_taken_i);
    frontend_.resolve_target_i(resolve_target_i);
    frontend_.resolve_next_i(resolve_next_i);
    frontend_.resolve_rpc_i(resolve_rpc_i);
    frontend_.resolve_exit_i(resolve_exit_i);
    frontend_.resolve_call_i(resolve_call_i);
    frontend_.resolve_return_i(resolve_return_i);
    frontend_.resolve_skip_i(resolve_skip_i);
    frontend_.wb0_valid_i(wb0_valid_i);
    frontend_.wb0_warp_i(wb0_warp_i);
    frontend_.wb0_slot_i(wb0_slot_i);
    frontend_.wb0_reg_i(wb0_reg_i);
    frontend_.wb0_mask_i(wb0_mask_i);
    frontend_.wb1_valid_i(wb1_valid_i);
    frontend_.wb1_warp_i(wb1_warp_i);
    frontend_.wb1_slot_i(wb1_slot_i);
    frontend_.wb1_reg_i(wb1_reg_i);
    frontend_.wb1_mask_i(wb1_mask_i);
    frontend_.miss_valid_i(miss_valid_i);
    frontend_.miss_warp_i(miss_warp_i);
    frontend_.miss_slot_i(miss_slot_i);
    frontend_.unit_ready_i(unit_ready_i);
    frontend_.release_i(release_i);
    frontend_.issue_valid_o(issue_valid_o);
    frontend_.issue_warp_o(issue_warp_o);
    frontend_.issue_slot_o(issue_slot_o);
    frontend_.issue_pc_o(issue_pc_o);
    frontend_.issue_mask_o(issue_mask_o);
    frontend_.issue_instr_o(issue_instr_o);
    frontend_.issue_sibling_o(issue_sibling_o);
    frontend_.issue_predicated_o(issue_predicated_o);
    frontend_.done_valid_o(done_valid_o);
    frontend_.done_warp_o(done_warp_o);
    frontend_.overflow_valid_o(overflow_valid_o);
    frontend_.overflow_warp_o(overflow_warp_o);
    frontend_.stall_o(stall_o);
    frontend_.max_depth_o(max_depth_o);
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const Logic& state() const { return frontend_.state(); }
#endif

 private:
  Module frontend_;
};

}  // namespace heddle
