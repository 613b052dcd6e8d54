// SPDX-License-Identifier: Apache-2.0
// dpe_frontend: the front end with dual-path stacks: frontend with two slots, and a choice of stacks, scoreboards and
// selectors.
//
// Contract
//   Latency  as frontend.
//   Order    as frontend.
//   Reset    as frontend.
// Source: DPE paper, section 3.
module dpe_frontend #(
  parameter  int NumWarps   = 24,  // warps of the partition
  parameter  int Lanes      = 32,  // threads of a warp
  parameter  int Stack      = 0,  // 0 dpe_stack, 1 software_stack
  parameter  int StackDepth = 16,  // entries of a stack, top included
  parameter  int SbEntries  = 8,  // entries of a scoreboard table; optimistic: half of them
  parameter  int IbufDepth  = 5,  // bundles of an instruction queue
  parameter  int TakenLeft  = 1,  // slot of the taken side: 1 left, 0 right
  parameter  int Scoreboard = 0,  // 0 dpe_scoreboard, 1 optimistic_scoreboard, 2 bitmap_scoreboard
  parameter  int Selector   = 0,  // 0 warp_selector, 1 constrained_selector
  parameter  int Policy     = 0,  // as in warp_selector
  parameter  int LevelW     = 8,  // bits of a call level
  parameter  int Predicate  = 1,  // 1: short forward branches may mask threads off, 0: predication is left out
  parameter  int NumWb      = 2,  // write-backs of a cycle
  parameter  int NumResolve = 1,  // ports of resolution
  parameter  int TagW       = 3,  // bits of the tag of a fetch
  parameter  int Forward    = 0,  // 1: paths of the entry below run in empty slots of the top
  parameter  int Split      = 0,  // 1: a path of which some threads wait for memory may be split in two
  parameter  int Watch      = 1,  // 0: stall_o, max_depth_o and the counts are left out
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
  output logic                        fetch_slot_o,
  output logic [PcW-1:0]              fetch_pc_o,
  output logic [TagW-1:0]             fetch_tag_o,
  // from decode
  input  logic                        decode_valid_i,
  input  logic [WarpW-1:0]            decode_warp_i,
  input  logic                        decode_slot_i,
  input  logic [TagW-1:0]             decode_tag_i,
  input  logic [1:0]                  decode_count_i,
  input  logic [InstrW-1:0]           decode_instr0_i,
  input  logic [InstrW-1:0]           decode_instr1_i,
  // from and to execute
  input  logic [NumResolve-1:0]       resolve_valid_i,
  input  logic [NumResolve*WarpW-1:0] resolve_warp_i,
  input  logic [NumResolve-1:0]       resolve_slot_i,
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
  input  logic [NumWb-1:0]            wb_slot_i,
  input  logic [NumWb*RegW-1:0]       wb_reg_i,
  input  logic [NumWb*Lanes-1:0]      wb_mask_i,
  // from L1 and units
  input  logic                        miss_valid_i,
  input  logic [WarpW-1:0]            miss_warp_i,
  input  logic                        miss_slot_i,
  input  logic                        split_valid_i,
  input  logic [WarpW-1:0]            split_warp_i,
  input  logic                        split_slot_i,
  input  logic [Lanes-1:0]            split_mask_i,
  // from rows in memory
  input  logic                        save_ready_i,
  input  logic                        load_ready_i,
  input  logic                        fill_valid_i,
  input  logic [WarpW-1:0]            fill_warp_i,
  input  logic [2*PcW-1:0]            fill_pc_i,
  input  logic [2*Lanes-1:0]          fill_mask_i,
  // to L1
  output logic                        split_ready_o,
  // to rows in memory
  output logic                        save_valid_o,
  output logic [WarpW-1:0]            save_warp_o,
  output logic [DepthW-1:0]           save_row_o,
  output logic [2*PcW-1:0]            save_pc_o,
  output logic [2*Lanes-1:0]          save_mask_o,
  output logic                        load_valid_o,
  output logic [WarpW-1:0]            load_warp_o,
  output logic [DepthW-1:0]           load_row_o,
  // from units
  input  logic [NumUnits-1:0]         unit_ready_i,
  // from barrier unit
  input  logic [NumWarps-1:0]         release_i,
  // from and to execute
  input  logic                        issue_ready_i,
  output logic                        issue_valid_o,
  output logic [WarpW-1:0]            issue_warp_o,
  output logic                        issue_slot_o,
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
  output logic [DepthW-1:0]           max_depth_o,
  output logic [31:0]                 splits_o,
  output logic [31:0]                 merges_o,
  output logic [31:0]                 forwards_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Stack < 0 || Stack > 1) Stack_must_be_0_or_1 limit ();
  if (Scoreboard < 0 || Scoreboard > 2) Scoreboard_must_be_0_to_2 limit ();

  logic [1:0]  unused_max_splits;
  logic [31:0] unused_refused;

  frontend #(
    .NumWarps   (NumWarps),
    .Lanes      (Lanes),
    .NumSlots   (2),
    .Stack      (Stack == 0 ? 1 : 5),
    .StackDepth (StackDepth),
    .StackOrder (1 - TakenLeft),
    .Scoreboard (Scoreboard + 1),
    .SbEntries  (SbEntries),
    .Selector   (Selector),
    .Policy     (Policy),
    .IbufDepth  (IbufDepth),
    .LevelW     (LevelW),
    .Predicate  (Predicate),
    .NumWb      (NumWb),
    .NumResolve (NumResolve),
    .TagW       (TagW),
    .Forward    (Forward),
    .Split      (Split),
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
    .fetch_slot_o       (fetch_slot_o),
    .fetch_pc_o         (fetch_pc_o),
    .fetch_tag_o        (fetch_tag_o),
    .decode_valid_i     (decode_valid_i),
    .decode_warp_i      (decode_warp_i),
    .decode_slot_i      (decode_slot_i),
    .decode_tag_i       (decode_tag_i),
    .decode_count_i     (decode_count_i),
    .decode_instr0_i    (decode_instr0_i),
    .decode_instr1_i    (decode_instr1_i),
    .resolve_valid_i    (resolve_valid_i),
    .resolve_warp_i     (resolve_warp_i),
    .resolve_slot_i     (resolve_slot_i),
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
    .wb_slot_i          (wb_slot_i),
    .wb_reg_i           (wb_reg_i),
    .wb_mask_i          (wb_mask_i),
    .miss_valid_i       (miss_valid_i),
    .miss_warp_i        (miss_warp_i),
    .miss_slot_i        (miss_slot_i),
    .split_valid_i      (split_valid_i),
    .split_warp_i       (split_warp_i),
    .split_slot_i       (split_slot_i),
    .split_mask_i       (split_mask_i),
    .save_ready_i       (save_ready_i),
    .load_ready_i       (load_ready_i),
    .fill_valid_i       (fill_valid_i),
    .fill_warp_i        (fill_warp_i),
    .fill_pc_i          (fill_pc_i),
    .fill_mask_i        (fill_mask_i),
    .split_ready_o      (split_ready_o),
    .save_valid_o       (save_valid_o),
    .save_warp_o        (save_warp_o),
    .save_row_o         (save_row_o),
    .save_pc_o          (save_pc_o),
    .save_mask_o        (save_mask_o),
    .load_valid_o       (load_valid_o),
    .load_warp_o        (load_warp_o),
    .load_row_o         (load_row_o),
    .unit_ready_i       (unit_ready_i),
    .release_i          (release_i),
    .issue_ready_i      (issue_ready_i),
    .issue_valid_o      (issue_valid_o),
    .issue_warp_o       (issue_warp_o),
    .issue_slot_o       (issue_slot_o),
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
    .splits_o           (splits_o),
    .merges_o           (merges_o),
    .refused_o          (unused_refused),
    .forwards_o         (forwards_o)
  );
endmodule
