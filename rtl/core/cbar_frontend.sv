// SPDX-License-Identifier: Apache-2.0
// cbar_frontend: the front end with convergence barriers: the program says where threads wait for which others, and one
// path of a warp issues.
//
// Contract
//   Latency  as frontend; answers and events as convergence_barriers.
//   Order    as frontend and convergence_barriers. A warp issues nothing after an unresolved control instruction.
//   Reset    as frontend.
//   Assumes  as frontend; (asserted) a skip of a branch that is no mark, at which nobody leaves, calls or returns.
// Source: as convergence_barriers.
module cbar_frontend #(
  parameter  int NumWarps    = 24,  // warps of the partition
  parameter  int Lanes       = 32,  // threads of a warp
  parameter  int Barriers    = 16,  // barriers of a warp
  parameter  int PushOrder   = heddle_pkg::PushLargerFirst,  // the side that executes first: Push... of heddle_pkg
  parameter  int YieldPolicy = heddle_pkg::YieldIsFair,  // who goes on after a yield: Yield... of heddle_pkg
  parameter  int YieldMode   = heddle_pkg::YieldStays,  // YieldStays or YieldLeaves, the newest barrier
  parameter  int Scoreboard  = heddle_pkg::ScoreboardSpe,  // ScoreboardSpe or ScoreboardBitmap
  parameter  int SbEntries   = 8,  // entries of a scoreboard table
  parameter  int Policy      = heddle_pkg::PolicyRoundRobin,  // PolicyRoundRobin or PolicyGto
  parameter  int IbufDepth   = 5,  // bundles of an instruction queue
  parameter  int LevelW      = 8,  // bits of a call level, which is 0
  parameter  int Predicate   = 1,  // 1: short forward branches may mask threads off, 0: predication is left out
  parameter  int NumWb       = 2,  // write-backs of a cycle
  parameter  int TagW        = 3,  // bits of the tag of a fetch
  parameter  int Watch       = 1,  // 0: stall_o and max_depth_o are left out
  parameter  int PayloadW    = 0,  // bits of the caller's own above a bundle: they come out with issue_instr_o
  parameter  int PcStep      = 4,  // bytes of an instruction: a power of two
  localparam int WarpW       = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW      = heddle_pkg::idx_width(Lanes + 1),
  localparam int PcW         = heddle_pkg::PcW,
  localparam int InstrW      = heddle_pkg::InstrW + PayloadW,
  localparam int RegW        = heddle_pkg::RegW,
  localparam int SkipW       = heddle_pkg::SkipW,
  localparam int KindW       = heddle_pkg::KindW,
  localparam int BarrierW    = heddle_pkg::idx_width(Barriers),
  localparam int OperandW    = (Lanes > 64) ? Lanes : 64,
  localparam int EventW      = heddle_pkg::EventW,
  localparam int NumUnits    = heddle_pkg::NumUnits
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // from dispatcher
  input  logic                      launch_valid_i,
  input  logic [WarpW-1:0]          launch_warp_i,
  input  logic [PcW-1:0]            launch_pc_i,
  input  logic [Lanes-1:0]          launch_mask_i,
  input  logic                      kill_valid_i,
  input  logic [WarpW-1:0]          kill_warp_i,
  // from and to fetch
  input  logic                      fetch_ready_i,
  output logic                      fetch_valid_o,
  output logic [WarpW-1:0]          fetch_warp_o,
  output logic [PcW-1:0]            fetch_pc_o,
  output logic [TagW-1:0]           fetch_tag_o,
  // from decode
  input  logic                      decode_valid_i,
  input  logic [WarpW-1:0]          decode_warp_i,
  input  logic [TagW-1:0]           decode_tag_i,
  input  logic [1:0]                decode_count_i,
  input  logic [InstrW-1:0]         decode_instr0_i,
  input  logic [InstrW-1:0]         decode_instr1_i,
  // from and to execute
  input  logic                      resolve_valid_i,
  input  logic [WarpW-1:0]          resolve_warp_i,
  input  logic [Lanes-1:0]          resolve_taken_i,
  input  logic [PcW-1:0]            resolve_target_i,
  input  logic [PcW-1:0]            resolve_next_i,
  input  logic [PcW-1:0]            resolve_rpc_i,
  input  logic [Lanes-1:0]          resolve_exit_i,
  input  logic                      resolve_call_i,
  input  logic                      resolve_return_i,
  input  logic [KindW+BarrierW-1:0] resolve_kind_i,     // {barrier, MarkArm to MarkRestore}; others branch
  input  logic [OperandW-1:0]       resolve_operand_i,  // MarkSync, MarkRestore: a set of threads
  input  logic [SkipW-1:0]          resolve_skip_i,
  output logic                      resolve_ready_o,
  // from write-back
  input  logic [NumWb-1:0]          wb_valid_i,
  input  logic [NumWb*WarpW-1:0]    wb_warp_i,
  input  logic [NumWb*RegW-1:0]     wb_reg_i,
  // from units
  input  logic [NumUnits-1:0]       unit_ready_i,
  input  logic [NumWarps-1:0]       hold_i,             // no unit is ready for the warp
  // from barrier unit
  input  logic [NumWarps-1:0]       release_i,
  // from and to execute
  input  logic                      issue_ready_i,
  output logic                      issue_valid_o,
  output logic [WarpW-1:0]          issue_warp_o,
  output logic [PcW-1:0]            issue_pc_o,
  output logic [Lanes-1:0]          issue_mask_o,
  output logic [InstrW-1:0]         issue_instr_o,
  output logic                      issue_sibling_o,
  output logic                      issue_predicated_o,
  // to dispatcher
  output logic                      done_valid_o,
  output logic [WarpW-1:0]          done_warp_o,
  output logic [NumWarps-1:0]       idle_o,
  // to write-back
  output logic                      answer_valid_o,
  output logic [WarpW-1:0]          answer_warp_o,
  output logic [OperandW-1:0]       answer_value_o,
  // to whoever runs programs
  output logic                      event_valid_o,
  output logic [WarpW-1:0]          event_warp_o,
  output logic [EventW-1:0]         event_code_o,
  // status
  output logic                      overflow_valid_o,
  output logic [WarpW-1:0]          overflow_warp_o,
  output logic [3:0]                stall_o,
  output logic [DepthW-1:0]         max_depth_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Scoreboard != 0 && Scoreboard != 3) Scoreboard_must_be_0_or_3 limit ();

  logic [NumWarps*PcW-1:0]    pc;
  logic [NumWarps*Lanes-1:0]  mask;
  logic [NumWarps-1:0]        valid, sibling, advance;
  logic [NumWarps*DepthW-1:0] depth;
  logic                       take_valid, resolved_valid, resolved_next, push_valid, pop_valid, stack_done_valid,
                              stack_overflow_valid;
  logic [WarpW-1:0]           resolved_warp, push_warp, pop_warp, stack_done_warp, stack_overflow_warp;
  logic                       resolved_slot;
  logic [Lanes-1:0]           stack_taken;
  logic [NumWarps*LevelW-1:0] unused_level;
  logic [NumWarps*PcW-1:0]    unused_rpc;
  logic [NumWarps*LevelW-1:0] unused_rpc_level;
  logic [NumWarps*Lanes-1:0]  unused_live;
  logic [NumWarps-1:0]        unused_grant, unused_control, unused_barrier, unused_head_valid, unused_blocked,
                              unused_waits, unused_at_barrier, unused_in_region;
  logic [NumWarps-1:0]        unused_pending, unused_settled;
  logic                       unused_fetch_slot, unused_issue_slot;

  convergence_barriers #(
    .NumWarps  (NumWarps),
    .Lanes     (Lanes),
    .Barriers  (Barriers),
    .PushOrder (PushOrder),
    .Policy    (YieldPolicy),
    .YieldMode (YieldMode),
    .LevelW    (LevelW),
    .Watch     (Watch),
    .PcStep    (PcStep)
  ) u_stack (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .launch_valid_i    (launch_valid_i),
    .launch_warp_i     (launch_warp_i),
    .launch_pc_i       (launch_pc_i),
    .launch_mask_i     (launch_mask_i),
    .kill_valid_i      (kill_valid_i),
    .kill_warp_i       (kill_warp_i),
    .advance_i         (advance),
    .resolve_valid_i   (take_valid),
    .resolve_warp_i    (resolve_warp_i),
    .resolve_slot_i    (1'b0),
    .resolve_taken_i   (stack_taken),
    .resolve_target_i  (resolve_target_i),
    .resolve_next_i    (resolve_next_i),
    .resolve_rpc_i     (resolve_rpc_i),
    .resolve_exit_i    (resolve_exit_i),
    .resolve_call_i    (resolve_call_i),
    .resolve_return_i  (resolve_return_i),
    .resolve_kind_i    (resolve_kind_i),
    .resolve_operand_i (resolve_operand_i),
    .pc_o              (pc),
    .mask_o            (mask),
    .level_o           (unused_level),
    .valid_o           (valid),
    .sibling_o         (sibling),
    .rpc_o             (unused_rpc),
    .rpc_level_o       (unused_rpc_level),
    .live_o            (unused_live),
    .depth_o           (depth),
    .resolved_valid_o  (resolved_valid),
    .resolved_warp_o   (resolved_warp),
    .resolved_slot_o   (resolved_slot),
    .resolved_next_o   (resolved_next),
    .push_valid_o      (push_valid),
    .push_warp_o       (push_warp),
    .pop_valid_o       (pop_valid),
    .pop_warp_o        (pop_warp),
    .done_valid_o      (stack_done_valid),
    .done_warp_o       (stack_done_warp),
    .overflow_valid_o  (stack_overflow_valid),
    .overflow_warp_o   (stack_overflow_warp),
    .answer_valid_o    (answer_valid_o),
    .answer_warp_o     (answer_warp_o),
    .answer_value_o    (answer_value_o),
    .event_valid_o     (event_valid_o),
    .event_warp_o      (event_warp_o),
    .event_code_o      (event_code_o),
    .max_depth_o       (max_depth_o)
  );

  frontend #(
    .NumWarps   (NumWarps),
    .Lanes      (Lanes),
    .NumSlots   (1),
    .DepthW     (DepthW),
    .Scoreboard (Scoreboard),
    .SbEntries  (SbEntries),
    .Selector   (heddle_pkg::SelectorTwoLevel),
    .Policy     (Policy),
    .IbufDepth  (IbufDepth),
    .Predicate  (Predicate),
    .NumWb      (NumWb),
    .TagW       (TagW),
    .Watch      (Watch),
    .PayloadW   (PayloadW),
    .PcStep     (PcStep)
  ) u_frontend (
    .clk_i                  (clk_i),
    .rst_ni                 (rst_ni),
    .launch_valid_i         (launch_valid_i),
    .launch_warp_i          (launch_warp_i),
    .kill_valid_i           (kill_valid_i),
    .kill_warp_i            (kill_warp_i),
    .fetch_ready_i          (fetch_ready_i),
    .fetch_valid_o          (fetch_valid_o),
    .fetch_warp_o           (fetch_warp_o),
    .fetch_slot_o           (unused_fetch_slot),
    .fetch_pc_o             (fetch_pc_o),
    .fetch_tag_o            (fetch_tag_o),
    .decode_valid_i         (decode_valid_i),
    .decode_warp_i          (decode_warp_i),
    .decode_slot_i          (1'b0),
    .decode_tag_i           (decode_tag_i),
    .decode_count_i         (decode_count_i),
    .decode_instr0_i        (decode_instr0_i),
    .decode_instr1_i        (decode_instr1_i),
    .resolve_valid_i        (resolve_valid_i),
    .resolve_warp_i         (resolve_warp_i),
    .resolve_slot_i         (1'b0),
    .resolve_taken_i        (resolve_taken_i),
    .resolve_skip_i         (resolve_skip_i),
    .resolve_ready_o        (resolve_ready_o),
    .wb_valid_i             (wb_valid_i),
    .wb_warp_i              (wb_warp_i),
    .wb_slot_i              ({NumWb{1'b0}}),
    .wb_reg_i               (wb_reg_i),
    .wb_mask_i              ({NumWb*Lanes{1'b0}}),
    .miss_valid_i           (1'b0),
    .miss_warp_i            ({WarpW{1'b0}}),
    .miss_slot_i            (1'b0),
    .unit_ready_i           (unit_ready_i),
    .hold_i                 (hold_i),
    .release_i              (release_i),
    .pc_i                   (pc),
    .mask_i                 (mask),
    .valid_i                (valid),
    .sibling_i              (sibling),
    .depth_i                (depth),
    .resolved_valid_i       (resolved_valid),
    .resolved_warp_i        (resolved_warp),
    .resolved_slot_i        (resolved_slot),
    .resolved_next_i        (resolved_next),
    .push_valid_i           (push_valid),
    .push_warp_i            (push_warp),
    .pop_valid_i            (pop_valid),
    .pop_warp_i             (pop_warp),
    .stack_done_valid_i     (stack_done_valid),
    .stack_done_warp_i      (stack_done_warp),
    .stack_overflow_valid_i (stack_overflow_valid),
    .stack_overflow_warp_i  (stack_overflow_warp),
    .advance_o              (advance),
    .take_valid_o           (take_valid),
    .taken_o                (stack_taken),
    .room_i                 (1'b1),
    .keep_i                 (1'b0),
    .drop_i                 ({NumWarps{1'b0}}),
    .wait_i                 ({NumWarps{1'b0}}),
    .stop_i                 ({NumWarps{1'b0}}),
    .grant_o                (unused_grant),
    .control_o              (unused_control),
    .barrier_o              (unused_barrier),
    .head_valid_o           (unused_head_valid),
    .blocked_o              (unused_blocked),
    .waits_o                (unused_waits),
    .at_barrier_o           (unused_at_barrier),
    .in_region_o            (unused_in_region),
    .pending_o              (unused_pending),
    .settled_o              (unused_settled),
    .issue_ready_i          (issue_ready_i),
    .issue_valid_o          (issue_valid_o),
    .issue_warp_o           (issue_warp_o),
    .issue_slot_o           (unused_issue_slot),
    .issue_pc_o             (issue_pc_o),
    .issue_mask_o           (issue_mask_o),
    .issue_instr_o          (issue_instr_o),
    .issue_sibling_o        (issue_sibling_o),
    .issue_predicated_o     (issue_predicated_o),
    .done_valid_o           (done_valid_o),
    .done_warp_o            (done_warp_o),
    .idle_o                 (idle_o),
    .overflow_valid_o       (overflow_valid_o),
    .overflow_warp_o        (overflow_warp_o),
    .stall_o                (stall_o)
  );

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      // A skip of an instruction that does more than diverge: a mark, or its threads leave, call or return.
      assert (!(take_valid && (Predicate != 0) && (resolve_skip_i != '0) &&
                ((resolve_kind_i[KindW-1:0] != KindW'(heddle_pkg::MarkNone)) || (resolve_exit_i != '0) ||
                 resolve_call_i || resolve_return_i)));
    end
  end
`endif
endmodule
