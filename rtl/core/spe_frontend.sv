// SPDX-License-Identifier: Apache-2.0
// spe_frontend: the front end with single-path stacks: frontend with one slot, warp_selector, and a choice of stacks
// and scoreboards.
//
// Contract
//   Latency  as frontend.
//   Order    as frontend. A warp issues nothing behind an unresolved control instruction.
//   Reset    as frontend.
// Source: the arrangement of DPE paper, section 3, with the single-path stack of its baseline.
module spe_frontend #(
  parameter  int NumWarps   = 24,  // warps of the partition
  parameter  int Lanes      = 32,  // threads of a warp
  parameter  int Stack      = 0,  // 0 spe_stack, 1 compact_stack, 2 fork_join_stack
  parameter  int StackDepth = 16,  // entries of a stack, top included
  parameter  int Scoreboard = 0,  // 0 spe_scoreboard, 1 bitmap_scoreboard
  parameter  int SbEntries  = 8,  // entries of a scoreboard table
  parameter  int IbufDepth  = 5,  // bundles of an instruction queue
  parameter  int PushOrder  = 0,  // as in spe_stack; of fork_join_stack: TieOrder
  parameter  int Policy     = 0,  // as in warp_selector
  parameter  int LevelW     = 8,  // bits of a call level
  parameter  int Predicate  = 1,  // 1: short forward branches may mask threads off, 0: predication is left out
  parameter  int NumWb      = 2,  // write-backs of a cycle
  parameter  int NumResolve = 1,  // ports of resolution
  parameter  int TagW       = 3,  // bits of the tag of a fetch
  parameter  int Ahead      = 0,  // 1: the second side is fetched ahead (spe_, compact_stack)
  parameter  int Watch      = 1,  // 0: stall_o and max_depth_o are left out
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW     = heddle_pkg::idx_width(StackDepth + 1),
  localparam int PcW        = heddle_pkg::PcW,
  localparam int InstrW     = heddle_pkg::InstrW,
  localparam int RegW       = heddle_pkg::RegW,
  localparam int SkipW      = heddle_pkg::SkipW,
  localparam int NumUnits   = heddle_pkg::NumUnits
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from dispatcher
  input  logic                        launch_valid_i,
  input  logic [WarpW-1:0]            launch_warp_i,
  input  logic [PcW-1:0]              launch_pc_i,
  input  logic [Lanes-1:0]            launch_mask_i,
  input  logic                        kill_valid_i,
  input  logic [WarpW-1:0]            kill_warp_i,
  // from and to fetch
  input  logic                        fetch_ready_i,
  output logic                        fetch_valid_o,
  output logic [WarpW-1:0]            fetch_warp_o,
  output logic [PcW-1:0]              fetch_pc_o,
  output logic [TagW-1:0]             fetch_tag_o,
  // from decode
  input  logic                        decode_valid_i,
  input  logic [WarpW-1:0]            decode_warp_i,
  input  logic [TagW-1:0]             decode_tag_i,
  input  logic [1:0]                  decode_count_i,
  input  logic [InstrW-1:0]           decode_instr0_i,
  input  logic [InstrW-1:0]           decode_instr1_i,
  // from and to execute
  input  logic [NumResolve-1:0]       resolve_valid_i,
  input  logic [NumResolve*WarpW-1:0] resolve_warp_i,
  input  logic [NumResolve*Lanes-1:0] resolve_taken_i,
  input  logic [NumResolve*PcW-1:0]   resolve_target_i,
  input  logic [NumResolve*PcW-1:0]   resolve_next_i,
  input  logic [NumResolve*PcW-1:0]   resolve_rpc_i,
  input  logic [NumResolve*Lanes-1:0] resolve_exit_i,
  input  logic [NumResolve-1:0]       resolve_call_i,
  input  logic [NumResolve-1:0]       resolve_return_i,
  input  logic [NumResolve-1:0]       resolve_mark_i,
  input  logic [NumResolve*SkipW-1:0] resolve_skip_i,
  output logic [NumResolve-1:0]       resolve_ready_o,
  // from write-back
  input  logic [NumWb-1:0]            wb_valid_i,
  input  logic [NumWb*WarpW-1:0]      wb_warp_i,
  input  logic [NumWb*RegW-1:0]       wb_reg_i,
  // from units
  input  logic [NumUnits-1:0]         unit_ready_i,
  // from barrier unit
  input  logic [NumWarps-1:0]         release_i,
  // from and to execute
  input  logic                        issue_ready_i,
  output logic                        issue_valid_o,
  output logic [WarpW-1:0]            issue_warp_o,
  output logic [PcW-1:0]              issue_pc_o,
  output logic [Lanes-1:0]            issue_mask_o,
  output logic [InstrW-1:0]           issue_instr_o,
  output logic                        issue_sibling_o,
  output logic                        issue_predicated_o,
  // to dispatcher
  output logic                        done_valid_o,
  output logic [WarpW-1:0]            done_warp_o,
  output logic [NumWarps-1:0]         idle_o,
  // status
  output logic                        overflow_valid_o,
  output logic [WarpW-1:0]            overflow_warp_o,
  output logic [3:0]                  stall_o,
  output logic [DepthW-1:0]           max_depth_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Stack < 0 || Stack > 2) Stack_must_be_0_to_2 limit ();
  if (Scoreboard < 0 || Scoreboard > 1) Scoreboard_must_be_0_or_1 limit ();

  logic               unused_fetch_slot, unused_issue_slot, unused_max_splits, unused_split_ready;
  logic [31:0]        unused_splits, unused_merges, unused_refused, unused_forwards;
  logic               unused_save_valid, unused_load_valid;
  logic [WarpW-1:0]   unused_save_warp, unused_load_warp;
  logic [DepthW-1:0]  unused_save_row, unused_load_row;
  logic [2*PcW-1:0]   unused_save_pc;
  logic [2*Lanes-1:0] unused_save_mask;

  frontend #(
    .NumWarps   (NumWarps),
    .Lanes      (Lanes),
    .NumSlots   (1),
    .Stack      (Stack == 0 ? 0 : Stack + 1),
    .StackDepth (StackDepth),
    .StackOrder (PushOrder),
    .Scoreboard (3 * Scoreboard),
    .SbEntries  (SbEntries),
    .Selector   (0),
    .Policy     (Policy),
    .IbufDepth  (IbufDepth),
    .LevelW     (LevelW),
    .Predicate  (Predicate),
    .NumWb      (NumWb),
    .NumResolve (NumResolve),
    .TagW       (TagW),
    .Ahead      (Ahead),
    .Watch      (Watch)
  ) u_frontend (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .launch_valid_i     (launch_valid_i),
    .launch_warp_i      (launch_warp_i),
    .launch_pc_i        (launch_pc_i),
    .launch_mask_i      (launch_mask_i),
    .kill_valid_i       (kill_valid_i),
    .kill_warp_i        (kill_warp_i),
    .fetch_ready_i      (fetch_ready_i),
    .fetch_valid_o      (fetch_valid_o),
    .fetch_warp_o       (fetch_warp_o),
    .fetch_slot_o       (unused_fetch_slot),
    .fetch_pc_o         (fetch_pc_o),
    .fetch_tag_o        (fetch_tag_o),
    .decode_valid_i     (decode_valid_i),
    .decode_warp_i      (decode_warp_i),
    .decode_slot_i      (1'b0),
    .decode_tag_i       (decode_tag_i),
    .decode_count_i     (decode_count_i),
    .decode_instr0_i    (decode_instr0_i),
    .decode_instr1_i    (decode_instr1_i),
    .resolve_valid_i    (resolve_valid_i),
    .resolve_warp_i     (resolve_warp_i),
    .resolve_slot_i     ({NumResolve{1'b0}}),
    .resolve_taken_i    (resolve_taken_i),
    .resolve_target_i   (resolve_target_i),
    .resolve_next_i     (resolve_next_i),
    .resolve_rpc_i      (resolve_rpc_i),
    .resolve_exit_i     (resolve_exit_i),
    .resolve_call_i     (resolve_call_i),
    .resolve_return_i   (resolve_return_i),
    .resolve_mark_i     (resolve_mark_i),
    .resolve_skip_i     (resolve_skip_i),
    .resolve_ready_o    (resolve_ready_o),
    .wb_valid_i         (wb_valid_i),
    .wb_warp_i          (wb_warp_i),
    .wb_slot_i          ({NumWb{1'b0}}),
    .wb_reg_i           (wb_reg_i),
    .wb_mask_i          ({NumWb*Lanes{1'b0}}),
    .miss_valid_i       (1'b0),
    .miss_warp_i        ({WarpW{1'b0}}),
    .miss_slot_i        (1'b0),
    .split_valid_i      (1'b0),
    .split_warp_i       ({WarpW{1'b0}}),
    .split_slot_i       (1'b0),
    .split_mask_i       ({Lanes{1'b0}}),
    .save_ready_i       (1'b0),
    .load_ready_i       (1'b0),
    .fill_valid_i       (1'b0),
    .fill_warp_i        ({WarpW{1'b0}}),
    .fill_pc_i          ({2*PcW{1'b0}}),
    .fill_mask_i        ({2*Lanes{1'b0}}),
    .split_ready_o      (unused_split_ready),
    .save_valid_o       (unused_save_valid),
    .save_warp_o        (unused_save_warp),
    .save_row_o         (unused_save_row),
    .save_pc_o          (unused_save_pc),
    .save_mask_o        (unused_save_mask),
    .load_valid_o       (unused_load_valid),
    .load_warp_o        (unused_load_warp),
    .load_row_o         (unused_load_row),
    .unit_ready_i       (unit_ready_i),
    .release_i          (release_i),
    .issue_ready_i      (issue_ready_i),
    .issue_valid_o      (issue_valid_o),
    .issue_warp_o       (issue_warp_o),
    .issue_slot_o       (unused_issue_slot),
    .issue_pc_o         (issue_pc_o),
    .issue_mask_o       (issue_mask_o),
    .issue_instr_o      (issue_instr_o),
    .issue_sibling_o    (issue_sibling_o),
    .issue_predicated_o (issue_predicated_o),
    .done_valid_o       (done_valid_o),
    .done_warp_o        (done_warp_o),
    .idle_o             (idle_o),
    .overflow_valid_o   (overflow_valid_o),
    .overflow_warp_o    (overflow_warp_o),
    .stall_o            (stall_o),
    .max_depth_o        (max_depth_o),
    .max_splits_o       (unused_max_splits),
    .splits_o           (unused_splits),
    .merges_o           (unused_merges),
    .refused_o          (unused_refused),
    .forwards_o         (unused_forwards)
  );
endmodule
