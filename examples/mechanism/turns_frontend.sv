// SPDX-License-Identifier: Apache-2.0
// turns_frontend: the front end in which the groups of a warp, threads with one PC, take turns: turns_table beside
// core/frontend, without predication.
//
// Contract
//   Latency  as frontend.
//   Order    as frontend and turns_table. A warp issues nothing after an unresolved control instruction.
//   Reset    as frontend.
module turns_frontend #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int Each      = 1,   // instructions of a turn
  parameter  int SbEntries = 8,   // entries of a scoreboard table
  parameter  int IbufDepth = 5,   // bundles of an instruction queue
  localparam int NumWb     = 2,
  localparam int TagW      = 3,
  localparam int LevelW    = 8,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int PcW       = heddle_pkg::PcW,
  localparam int InstrW    = heddle_pkg::InstrW,
  localparam int RegW      = heddle_pkg::RegW,
  localparam int SkipW     = heddle_pkg::SkipW,
  localparam int NumUnits  = heddle_pkg::NumUnits
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // from dispatcher
  input  logic                   launch_valid_i,
  input  logic [WarpW-1:0]       launch_warp_i,
  input  logic [PcW-1:0]         launch_pc_i,
  input  logic [Lanes-1:0]       launch_mask_i,
  input  logic                   kill_valid_i,
  input  logic [WarpW-1:0]       kill_warp_i,
  // from and to fetch
  input  logic                   fetch_ready_i,
  output logic                   fetch_valid_o,
  output logic [WarpW-1:0]       fetch_warp_o,
  output logic [PcW-1:0]         fetch_pc_o,
  output logic [TagW-1:0]        fetch_tag_o,
  // from decode
  input  logic                   decode_valid_i,
  input  logic [WarpW-1:0]       decode_warp_i,
  input  logic [TagW-1:0]        decode_tag_i,
  input  logic [1:0]             decode_count_i,
  input  logic [InstrW-1:0]      decode_instr0_i,
  input  logic [InstrW-1:0]      decode_instr1_i,
  // from and to execute
  input  logic                   resolve_valid_i,
  input  logic [WarpW-1:0]       resolve_warp_i,
  input  logic [Lanes-1:0]       resolve_taken_i,
  input  logic [PcW-1:0]         resolve_target_i,
  input  logic [PcW-1:0]         resolve_next_i,
  input  logic [PcW-1:0]         resolve_rpc_i,
  input  logic [Lanes-1:0]       resolve_exit_i,
  input  logic                   resolve_call_i,
  input  logic                   resolve_return_i,
  input  logic [SkipW-1:0]       resolve_skip_i,
  output logic                   resolve_ready_o,
  // from write-back
  input  logic [NumWb-1:0]       wb_valid_i,
  input  logic [NumWb*WarpW-1:0] wb_warp_i,
  input  logic [NumWb*RegW-1:0]  wb_reg_i,
  // from units
  input  logic [NumUnits-1:0]    unit_ready_i,
  input  logic [NumWarps-1:0]    hold_i,  // no unit is ready for the warp
  // from barrier unit
  input  logic [NumWarps-1:0]    release_i,
  // from and to execute
  input  logic                   issue_ready_i,
  output logic                   issue_valid_o,
  output logic [WarpW-1:0]       issue_warp_o,
  output logic [PcW-1:0]         issue_pc_o,
  output logic [Lanes-1:0]       issue_mask_o,
  output logic [InstrW-1:0]      issue_instr_o,
  output logic                   issue_sibling_o,
  output logic                   issue_predicated_o,
  // to dispatcher
  output logic                   done_valid_o,
  output logic [WarpW-1:0]       done_warp_o,
  output logic [NumWarps-1:0]    idle_o,
  // status
  output logic                   overflow_valid_o,
  output logic [WarpW-1:0]       overflow_warp_o,
  output logic [3:0]             stall_o,
  output logic                   max_depth_o,
  output logic [31:0]            own_count_o   // turns that went to another group, since reset
);
  // Between the table and core/frontend; these names are what the simulator looks at.
  logic [NumWarps*PcW-1:0]    pc;
  logic [NumWarps*Lanes-1:0]  mask, unused_live;
  logic [NumWarps-1:0]        valid, sibling, depth, advance;
  logic                       take_valid, resolved_valid, resolved_next, push_valid, pop_valid, stack_done_valid;
  logic [WarpW-1:0]           resolved_warp, push_warp, pop_warp, stack_done_warp;
  logic [Lanes-1:0]           stack_taken;
  logic [NumWarps*LevelW-1:0] unused_level, unused_rpc_level;   // places have no level, and groups meet nowhere in
  logic [NumWarps*PcW-1:0]    unused_rpc;                       // particular
  assign unused_level     = '0;
  assign unused_rpc       = '0;
  assign unused_rpc_level = '0;

  // A barrier is for all threads of a warp: whoever comes to one gives its turn away while there are others.
  logic [NumWarps-1:0] barrier, head_valid, waits, at_barrier, aside;
  logic [NumWarps-1:0] unused_grant, unused_control, unused_blocked, unused_in_region, unused_pending, unused_settled;
  logic [1:0]          unused_slots;
  assign aside = valid & head_valid & barrier & sibling & ~waits & ~at_barrier;

  turns_table #(
    .NumWarps (NumWarps),
    .Lanes    (Lanes),
    .Each     (Each)
  ) u_stack (
    .advance_i        (advance),
    .aside_i          (aside),
    .resolve_valid_i  (take_valid),
    .resolve_taken_i  (stack_taken),
    .pc_o             (pc),
    .mask_o           (mask),
    .valid_o          (valid),
    .others_o         (sibling),
    .live_o           (unused_live),
    .depth_o          (depth),
    .resolved_valid_o (resolved_valid),
    .resolved_warp_o  (resolved_warp),
    .resolved_next_o  (resolved_next),
    .push_valid_o     (push_valid),
    .push_warp_o      (push_warp),
    .pop_valid_o      (pop_valid),
    .pop_warp_o       (pop_warp),
    .done_valid_o     (stack_done_valid),
    .done_warp_o      (stack_done_warp),
    .changes_o        (own_count_o),
    .*
  );

  frontend #(
    .NumWarps   (NumWarps),
    .Lanes      (Lanes),
    .NumSlots   (1),
    .DepthW     (1),
    .Predicate  (0),
    .Scoreboard (heddle_pkg::ScoreboardSpe),
    .SbEntries  (SbEntries),
    .IbufDepth  (IbufDepth)
  ) u_frontend (
    // one path a warp, and no stack that overflows
    .decode_slot_i          (1'b0),
    .resolve_slot_i         (1'b0),
    .resolved_slot_i        (1'b0),
    .wb_slot_i              ({NumWb{1'b0}}),
    .wb_mask_i              ({NumWb*Lanes{1'b0}}),
    .miss_valid_i           (1'b0),
    .miss_warp_i            ({WarpW{1'b0}}),
    .miss_slot_i            (1'b0),
    .stack_overflow_valid_i (1'b0),
    .stack_overflow_warp_i  ({WarpW{1'b0}}),
    .fetch_slot_o           (unused_slots[0]),
    .issue_slot_o           (unused_slots[1]),
    // from the table
    .pc_i                   (pc),
    .mask_i                 (mask),
    .valid_i                (valid),
    .sibling_i              (sibling),
    .depth_i                (depth),
    .resolved_valid_i       (resolved_valid),
    .resolved_warp_i        (resolved_warp),
    .resolved_next_i        (resolved_next),
    .push_valid_i           (push_valid),
    .push_warp_i            (push_warp),
    .pop_valid_i            (pop_valid),
    .pop_warp_i             (pop_warp),
    .stack_done_valid_i     (stack_done_valid),
    .stack_done_warp_i      (stack_done_warp),
    .advance_o              (advance),
    .take_valid_o           (take_valid),
    .taken_o                (stack_taken),
    // hooks: a change of turns empties the queue, and who stands aside does not issue
    .room_i                 (1'b1),
    .keep_i                 (1'b0),
    .drop_i                 ({NumWarps{1'b0}}),
    .wait_i                 ({NumWarps{1'b0}}),
    .stop_i                 (aside),
    .barrier_o              (barrier),
    .head_valid_o           (head_valid),
    .waits_o                (waits),
    .at_barrier_o           (at_barrier),
    .grant_o                (unused_grant),
    .control_o              (unused_control),
    .blocked_o              (unused_blocked),
    .in_region_o            (unused_in_region),
    .pending_o              (unused_pending),
    .settled_o              (unused_settled),
    .*
  );

  logic unused_resolve;
  assign unused_resolve = ^{resolve_rpc_i, resolve_call_i, resolve_return_i};
endmodule
