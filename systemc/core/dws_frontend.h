// SPDX-License-Identifier: Apache-2.0
// dws_frontend: the front end whose warps are subdivided, frontend under a name. Contract: docs/frontend.md,
// core/dws_frontend; same pins as rtl/core/dws_frontend.sv.
#pragma once

#include "core/frontend.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned NumSlots = 8, unsigned StackDepth = 32,
          unsigned SbEntries = 8, unsigned IbufDepth = 5, unsigned PushOrder = 0, unsigned Policy = 0,
          unsigned LevelW = 8, unsigned Predicate = 1, unsigned NumWb = 2, unsigned NumResolve = 1, unsigned TagW = 3,
          unsigned Watch = 1>
class dws_frontend : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kSlotW = index_width(NumSlots);
  static constexpr unsigned kDepthW = index_width(StackDepth + 1);

 public:
  using Module =
      frontend<NumWarps, Lanes, NumSlots, kSplitStack, StackDepth, PushOrder, kOptimisticScoreboard, SbEntries,
               kWarpSelector, Policy, IbufDepth, LevelW, Predicate, NumWb, NumResolve, TagW, 0, 0, 0, Watch>;
  using Logic = typename Module::Logic;

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
  sc_core::sc_out<Number<kSlotW>> SC_NAMED(fetch_slot_o);
  sc_core::sc_out<Number<32>> SC_NAMED(fetch_pc_o);
  sc_core::sc_out<Number<TagW>> SC_NAMED(fetch_tag_o);
  // from decode
  sc_core::sc_in<bool> SC_NAMED(decode_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(decode_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(decode_slot_i);
  sc_core::sc_in<Number<TagW>> SC_NAMED(decode_tag_i);
  sc_core::sc_in<Number<2>> SC_NAMED(decode_count_i);
  sc_core::sc_in<Mask<kInstrWidth>> SC_NAMED(decode_instr0_i);
  sc_core::sc_in<Mask<kInstrWidth>> SC_NAMED(decode_instr1_i);
  // from execute
  sc_core::sc_in<Mask<NumResolve>> SC_NAMED(resolve_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kWarpW>>> SC_NAMED(resolve_warp_i, NumResolve);
  sc_core::sc_vector<sc_core::sc_in<Number<kSlotW>>> SC_NAMED(resolve_slot_i, NumResolve);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(resolve_taken_i, NumResolve);
  sc_core::sc_vector<sc_core::sc_in<Number<32>>> SC_NAMED(resolve_target_i, NumResolve);
  sc_core::sc_vector<sc_core::sc_in<Number<32>>> SC_NAMED(resolve_next_i, NumResolve);
  sc_core::sc_vector<sc_core::sc_in<Number<32>>> SC_NAMED(resolve_rpc_i, NumResolve);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(resolve_exit_i, NumResolve);
  sc_core::sc_in<Mask<NumResolve>> SC_NAMED(resolve_call_i);
  sc_core::sc_in<Mask<NumResolve>> SC_NAMED(resolve_return_i);
  sc_core::sc_in<Mask<NumResolve>> SC_NAMED(resolve_mark_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kRegionCountWidth>>> SC_NAMED(resolve_skip_i, NumResolve);
  sc_core::sc_out<Mask<NumResolve>> SC_NAMED(resolve_ready_o);
  // from write-back
  sc_core::sc_in<Mask<NumWb>> SC_NAMED(wb_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kWarpW>>> SC_NAMED(wb_warp_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<kSlotW>>> SC_NAMED(wb_slot_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<kRegWidth>>> SC_NAMED(wb_reg_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(wb_mask_i, NumWb);
  // from units
  sc_core::sc_in<Number<kUnitCodes>> SC_NAMED(unit_ready_i);
  // from barrier unit
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(release_i);
  // from execute
  sc_core::sc_in<bool> SC_NAMED(issue_ready_i);
  // to execute
  sc_core::sc_out<bool> SC_NAMED(issue_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(issue_warp_o);
  sc_core::sc_out<Number<kSlotW>> SC_NAMED(issue_slot_o);
  sc_core::sc_out<Number<32>> SC_NAMED(issue_pc_o);
  sc_core::sc_out<Mask<Lanes>> SC_NAMED(issue_mask_o);
  sc_core::sc_out<Mask<kInstrWidth>> SC_NAMED(issue_instr_o);
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
  sc_core::sc_out<Number<kDepthW>> SC_NAMED(max_depth_o);
  sc_core::sc_out<Number<index_width(NumSlots + 1)>> SC_NAMED(max_splits_o);
  sc_core::sc_out<Number<32>> SC_NAMED(splits_o);
  sc_core::sc_out<Number<32>> SC_NAMED(merges_o);
  sc_core::sc_out<Number<32>> SC_NAMED(refused_o);

  explicit dws_frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : sc_core::sc_module(name),
        frontend_("frontend", config) {
    frontend_.clk_i(clk_i);
    frontend_.rst_ni(rst_ni);
    frontend_.launch_valid_i(launch_valid_i);
    frontend_.launch_warp_i(launch_warp_i);
    frontend_.launch_pc_i(launch_pc_i);
    frontend_.launch_mask_i(launch_mask_i);
    frontend_.kill_valid_i(kill_valid_i);
    frontend_.kill_warp_i(kill_warp_i);
    frontend_.fetch_ready_i(fetch_ready_i);
    frontend_.fetch_valid_o(fetch_valid_o);
    frontend_.fetch_warp_o(fetch_warp_o);
    frontend_.fetch_slot_o(fetch_slot_o);
    frontend_.fetch_pc_o(fetch_pc_o);
    frontend_.fetch_tag_o(fetch_tag_o);
    frontend_.decode_valid_i(decode_valid_i);
    frontend_.decode_warp_i(decode_warp_i);
    frontend_.decode_slot_i(decode_slot_i);
    frontend_.decode_tag_i(decode_tag_i);
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
    frontend_.resolve_mark_i(resolve_mark_i);
    frontend_.resolve_skip_i(resolve_skip_i);
    frontend_.resolve_ready_o(resolve_ready_o);
    frontend_.wb_valid_i(wb_valid_i);
    frontend_.wb_warp_i(wb_warp_i);
    frontend_.wb_slot_i(wb_slot_i);
    frontend_.wb_reg_i(wb_reg_i);
    frontend_.wb_mask_i(wb_mask_i);
    frontend_.miss_valid_i(no_miss_);
    frontend_.miss_warp_i(no_warp_);
    frontend_.miss_slot_i(no_slot_);
    frontend_.split_valid_i(no_split_);
    frontend_.split_warp_i(no_warp_);
    frontend_.split_slot_i(no_slot_);
    frontend_.split_mask_i(no_threads_);
    frontend_.save_ready_i(no_rows_);
    frontend_.load_ready_i(no_rows_);
    frontend_.fill_valid_i(no_rows_);
    frontend_.fill_warp_i(no_warp_);
    frontend_.fill_pc_i(no_pcs_);
    frontend_.fill_mask_i(no_masks_);
    frontend_.split_ready_o(split_ready_);
    frontend_.save_valid_o(save_valid_);
    frontend_.save_warp_o(save_warp_);
    frontend_.save_row_o(save_row_);
    frontend_.save_pc_o(save_pc_);
    frontend_.save_mask_o(save_mask_);
    frontend_.load_valid_o(load_valid_);
    frontend_.load_warp_o(load_warp_);
    frontend_.load_row_o(load_row_);
    frontend_.unit_ready_i(unit_ready_i);
    frontend_.release_i(release_i);
    frontend_.issue_ready_i(issue_ready_i);
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
    frontend_.idle_o(idle_o);
    frontend_.overflow_valid_o(overflow_valid_o);
    frontend_.overflow_warp_o(overflow_warp_o);
    frontend_.stall_o(stall_o);
    frontend_.max_depth_o(max_depth_o);
    frontend_.max_splits_o(max_splits_o);
    frontend_.splits_o(splits_o);
    frontend_.merges_o(merges_o);
    frontend_.refused_o(refused_o);
    frontend_.forwards_o(forwards_);
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const Logic& state() const { return frontend_.state(); }
#endif

 private:
  Module frontend_;
  // Of the pins that only the constrained selector needs:
  sc_core::sc_signal<bool> SC_NAMED(no_miss_);
  sc_core::sc_signal<bool> SC_NAMED(no_split_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(no_threads_);
  sc_core::sc_signal<bool> SC_NAMED(split_ready_);
  // Of those that speak of rows in memory:
  sc_core::sc_signal<bool> SC_NAMED(no_rows_);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(no_pcs_, 2);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(no_masks_, 2);
  sc_core::sc_signal<bool> SC_NAMED(save_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(save_warp_);
  sc_core::sc_signal<Number<kDepthW>> SC_NAMED(save_row_);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(save_pc_, 2);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(save_mask_, 2);
  sc_core::sc_signal<bool> SC_NAMED(load_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(load_warp_);
  sc_core::sc_signal<Number<kDepthW>> SC_NAMED(load_row_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(no_warp_);
  sc_core::sc_signal<Number<kSlotW>> SC_NAMED(no_slot_);
  // And of path forwarding:
  sc_core::sc_signal<Number<32>> SC_NAMED(forwards_);
};

}  // namespace heddle
