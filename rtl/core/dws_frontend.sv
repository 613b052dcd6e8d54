// SPDX-License-Identifier: Apache-2.0
// dws_frontend: the front end with dynamic warp subdivision: as many splits of a warp issue as there are slots, and
// join again where they meet.
//
// Contract
//   Latency  as frontend.
//   Order    as frontend and warp_split_table. A split joins another that stands at its PC, waits for no resolution, is
//            not inside a region, and is at a barrier just if the first has come to it, too.
//   Reset    as frontend.
//   Assumes  as frontend; (asserted) a skip of a branch at which nobody leaves, calls or returns.
//   Not here a choice of scoreboards and selectors: splits change slots, and with them whose writes are in flight; and
//            of two splits one may stand at a barrier.
// Source: DPE paper, section 3, with the mechanism of section 2.2.
module dws_frontend #(
  parameter  int NumWarps   = 24,  // warps of the partition
  parameter  int Lanes      = 32,  // threads of a warp
  parameter  int NumSlots   = 8,  // splits of a warp that may issue
  parameter  int StackDepth = 32,  // entries and waiting splits of a warp, top included
  parameter  int PushOrder  = heddle_pkg::PushTakenFirst,  // side that executes first: Push... of heddle_pkg
  parameter  int SbEntries  = 8,  // half of the entries of a scoreboard table
  parameter  int Policy     = heddle_pkg::PolicyRoundRobin,  // PolicyRoundRobin or PolicyGto
  parameter  int IbufDepth  = 5,  // bundles of an instruction queue
  parameter  int LevelW     = 8,  // bits of a call level
  parameter  int Predicate  = 1,  // 1: short forward branches may mask threads off, 0: predication is left out
  parameter  int NumWb      = 2,  // write-backs of a cycle
  parameter  int TagW       = 3,  // bits of the tag of a fetch
  parameter  int Watch      = 1,  // 0: stall_o and the status of the table are left out
  parameter  int PayloadW   = 0,  // bits of the caller's own above a bundle: they come out with issue_instr_o
  parameter  int PcStep     = 4,  // bytes of an instruction: a power of two
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW      = heddle_pkg::idx_width(NumSlots),
  localparam int SplitW     = heddle_pkg::idx_width(NumSlots + 1),
  localparam int DepthW     = heddle_pkg::idx_width(StackDepth + 1),
  localparam int PcW        = heddle_pkg::PcW,
  localparam int InstrW     = heddle_pkg::InstrW + PayloadW,
  localparam int RegW       = heddle_pkg::RegW,
  localparam int SkipW      = heddle_pkg::SkipW,
  localparam int KindW      = heddle_pkg::KindW,
  localparam int NumUnits   = heddle_pkg::NumUnits
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
  output logic [SlotW-1:0]       fetch_slot_o,
  output logic [PcW-1:0]         fetch_pc_o,
  output logic [TagW-1:0]        fetch_tag_o,
  // from decode
  input  logic                   decode_valid_i,
  input  logic [WarpW-1:0]       decode_warp_i,
  input  logic [SlotW-1:0]       decode_slot_i,
  input  logic [TagW-1:0]        decode_tag_i,
  input  logic [1:0]             decode_count_i,
  input  logic [InstrW-1:0]      decode_instr0_i,
  input  logic [InstrW-1:0]      decode_instr1_i,
  // from and to execute
  input  logic                   resolve_valid_i,
  input  logic [WarpW-1:0]       resolve_warp_i,
  input  logic [SlotW-1:0]       resolve_slot_i,
  input  logic [Lanes-1:0]       resolve_taken_i,
  input  logic [PcW-1:0]         resolve_target_i,
  input  logic [PcW-1:0]         resolve_next_i,
  input  logic [PcW-1:0]         resolve_rpc_i,
  input  logic [Lanes-1:0]       resolve_exit_i,
  input  logic                   resolve_call_i,
  input  logic                   resolve_return_i,
  input  logic [KindW-1:0]       resolve_kind_i,  // MarkDivide: may subdivide the warp
  input  logic [SkipW-1:0]       resolve_skip_i,
  output logic                   resolve_ready_o,
  // from write-back
  input  logic [NumWb-1:0]       wb_valid_i,
  input  logic [NumWb*WarpW-1:0] wb_warp_i,
  input  logic [NumWb*SlotW-1:0] wb_slot_i,
  input  logic [NumWb*RegW-1:0]  wb_reg_i,
  input  logic [NumWb*Lanes-1:0] wb_mask_i,
  // from units
  input  logic [NumUnits-1:0]    unit_ready_i,
  input  logic [NumWarps-1:0]    hold_i,          // no unit is ready for the warp
  // from barrier unit
  input  logic [NumWarps-1:0]    release_i,
  // from and to execute
  input  logic                   issue_ready_i,
  output logic                   issue_valid_o,
  output logic [WarpW-1:0]       issue_warp_o,
  output logic [SlotW-1:0]       issue_slot_o,
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
  output logic [DepthW-1:0]      max_depth_o,
  output logic [SplitW-1:0]      max_splits_o,
  output logic [31:0]            splits_o,
  output logic [31:0]            merges_o,
  output logic [31:0]            refused_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumSlots < 2) NumSlots_must_be_at_least_2 limit ();

  localparam int NumPaths = NumSlots * NumWarps;   // path of slot s of warp w: s*NumWarps + w

  logic [NumPaths*PcW-1:0]    pc;
  logic [NumPaths*Lanes-1:0]  mask;
  logic [NumPaths-1:0]        valid, sibling, advance;
  logic [NumWarps*DepthW-1:0] depth;
  logic                       take_valid, resolved_valid, resolved_next, push_valid, pop_valid, stack_done_valid,
                              stack_overflow_valid;
  logic [WarpW-1:0]           resolved_warp, push_warp, pop_warp, stack_done_warp, stack_overflow_warp;
  logic [SlotW-1:0]           resolved_slot;
  logic [Lanes-1:0]           stack_taken;
  logic [NumPaths-1:0]        grant, barrier, waits, at_barrier, in_region;
  logic [NumPaths-1:0]        merge;
  logic [NumWarps-1:0]        comes, off;
  logic [NumPaths*LevelW-1:0] unused_level;
  logic [NumWarps*PcW-1:0]    unused_rpc;
  logic [NumWarps*LevelW-1:0] unused_rpc_level;
  logic [NumWarps*Lanes-1:0]  unused_live;
  logic [NumPaths-1:0]        unused_control, unused_head_valid, unused_blocked;
  logic [NumWarps-1:0]        unused_pending, unused_settled;

  // merge: the split may be joined by one that comes to where it stands. comes: a split issues a barrier instruction.
  // off: a split issues inside a region, or its resolution begins it.
  always_comb begin
    comes = '0;
    off   = '0;
    for (int s = 0; s < NumSlots; s++) begin
      comes = comes | (grant[s*NumWarps +: NumWarps] & barrier[s*NumWarps +: NumWarps]);
      off   = off | ((grant[s*NumWarps +: NumWarps] | waits[s*NumWarps +: NumWarps]) &
                     in_region[s*NumWarps +: NumWarps]);
    end
  end
  assign merge = valid & ~waits & ~in_region & ~(at_barrier ^ {NumSlots{comes}}) & ~{NumSlots{off}};

  warp_split_table #(
    .NumWarps  (NumWarps),
    .Lanes     (Lanes),
    .NumSlots  (NumSlots),
    .Depth     (StackDepth),
    .PushOrder (PushOrder),
    .LevelW    (LevelW),
    .Watch     (Watch),
    .PcStep    (PcStep)
  ) u_stack (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .launch_valid_i   (launch_valid_i),
    .launch_warp_i    (launch_warp_i),
    .launch_pc_i      (launch_pc_i),
    .launch_mask_i    (launch_mask_i),
    .kill_valid_i     (kill_valid_i),
    .kill_warp_i      (kill_warp_i),
    .advance_i        (advance),
    .merge_i          (merge),
    .resolve_valid_i  (take_valid),
    .resolve_warp_i   (resolve_warp_i),
    .resolve_slot_i   (resolve_slot_i),
    .resolve_taken_i  (stack_taken),
    .resolve_target_i (resolve_target_i),
    .resolve_next_i   (resolve_next_i),
    .resolve_rpc_i    (resolve_rpc_i),
    .resolve_exit_i   (resolve_exit_i),
    .resolve_call_i   (resolve_call_i),
    .resolve_return_i (resolve_return_i),
    .resolve_kind_i   (resolve_kind_i),
    .pc_o             (pc),
    .mask_o           (mask),
    .level_o          (unused_level),
    .valid_o          (valid),
    .sibling_o        (sibling),
    .rpc_o            (unused_rpc),
    .rpc_level_o      (unused_rpc_level),
    .live_o           (unused_live),
    .depth_o          (depth),
    .resolved_valid_o (resolved_valid),
    .resolved_warp_o  (resolved_warp),
    .resolved_slot_o  (resolved_slot),
    .resolved_next_o  (resolved_next),
    .push_valid_o     (push_valid),
    .push_warp_o      (push_warp),
    .pop_valid_o      (pop_valid),
    .pop_warp_o       (pop_warp),
    .done_valid_o     (stack_done_valid),
    .done_warp_o      (stack_done_warp),
    .overflow_valid_o (stack_overflow_valid),
    .overflow_warp_o  (stack_overflow_warp),
    .max_depth_o      (max_depth_o),
    .max_splits_o     (max_splits_o),
    .splits_o         (splits_o),
    .merges_o         (merges_o),
    .refused_o        (refused_o)
  );

  frontend #(
    .NumWarps     (NumWarps),
    .Lanes        (Lanes),
    .NumSlots     (NumSlots),
    .DepthW       (DepthW),
    .Scoreboard   (heddle_pkg::ScoreboardOptimistic),
    .SbEntries    (SbEntries),
    .Selector     (heddle_pkg::SelectorTwoLevel),
    .Policy       (Policy),
    .IbufDepth    (IbufDepth),
    .Predicate    (Predicate),
    .NumWb        (NumWb),
    .TagW         (TagW),
    .Watch        (Watch),
    .PathBarriers (1),
    .PayloadW     (PayloadW),
    .PcStep       (PcStep)
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
    .fetch_slot_o           (fetch_slot_o),
    .fetch_pc_o             (fetch_pc_o),
    .fetch_tag_o            (fetch_tag_o),
    .decode_valid_i         (decode_valid_i),
    .decode_warp_i          (decode_warp_i),
    .decode_slot_i          (decode_slot_i),
    .decode_tag_i           (decode_tag_i),
    .decode_count_i         (decode_count_i),
    .decode_instr0_i        (decode_instr0_i),
    .decode_instr1_i        (decode_instr1_i),
    .resolve_valid_i        (resolve_valid_i),
    .resolve_warp_i         (resolve_warp_i),
    .resolve_slot_i         (resolve_slot_i),
    .resolve_taken_i        (resolve_taken_i),
    .resolve_skip_i         (resolve_skip_i),
    .resolve_ready_o        (resolve_ready_o),
    .wb_valid_i             (wb_valid_i),
    .wb_warp_i              (wb_warp_i),
    .wb_slot_i              (wb_slot_i),
    .wb_reg_i               (wb_reg_i),
    .wb_mask_i              (wb_mask_i),
    .miss_valid_i           (1'b0),
    .miss_warp_i            ({WarpW{1'b0}}),
    .miss_slot_i            ({SlotW{1'b0}}),
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
    .drop_i                 (~valid),
    .wait_i                 ({NumPaths{1'b0}}),
    .stop_i                 ({NumPaths{1'b0}}),
    .grant_o                (grant),
    .control_o              (unused_control),
    .barrier_o              (barrier),
    .head_valid_o           (unused_head_valid),
    .blocked_o              (unused_blocked),
    .waits_o                (waits),
    .at_barrier_o           (at_barrier),
    .in_region_o            (in_region),
    .pending_o              (unused_pending),
    .settled_o              (unused_settled),
    .issue_ready_i          (issue_ready_i),
    .issue_valid_o          (issue_valid_o),
    .issue_warp_o           (issue_warp_o),
    .issue_slot_o           (issue_slot_o),
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
      // A skip of a branch that does more than diverge: its threads leave, call or return.
      assert (!(take_valid && (Predicate != 0) && (resolve_skip_i != '0) &&
                ((resolve_exit_i != '0) || resolve_call_i || resolve_return_i)));
    end
  end
`endif
endmodule
