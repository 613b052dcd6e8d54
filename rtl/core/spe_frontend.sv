// SPDX-License-Identifier: Apache-2.0
// spe_frontend: decides in every cycle which warp of a scheduler's partition issues, with single-path stacks:
// spe_stack, predication, ibuffer, spe_scoreboard and warp_selector, and the registers that tie them together.
//
// Contract
//   Latency  everything is decided on registered state: an input sampled at edge t counts from the cycle after edge t
//            on. issue_*, fetch_*, done_*, overflow_* and stall_o are registers. Combinational are only unit_ready_i to
//            the grant and fetch_ready_i to the fetch grant, both ending in registers.
//   Order    A grant, a fill, a write-back, a resolution and a fetch grant of one warp may meet in one cycle; each acts
//            as its module says: take with fill; flush over fill, take and request; a barrier granted with a release of
//            its warp sets. A warp has at most one unresolved control instruction and issues nothing behind it.
//            A decode answer that does not continue its path is stale and dropped.
//   Reset    asynchronous, active low; no warp runs, all registers 0.
//   Idle     data of issue_*, fetch_*, done_*, overflow_* keep their value while their valid is 0.
//   Assumes  (asserted) a resolution belongs to a pending control instruction; launches as spe_stack asks for; a skip
//            is said of a divergent branch over neither control nor barrier instructions.
//            (not asserted) ... over no place where paths meet.
//   Not here lanes, memories, decoding, units and barriers: they answer at the pins.
// Source: the arrangement of DPE paper, section 3, with the single-path stack of its baseline.
module spe_frontend #(
  parameter  int NumWarps   = 24,  // warps of the partition
  parameter  int Lanes      = 32,  // threads of a warp
  parameter  int StackDepth = 16,  // entries of a stack, top included
  parameter  int SbEntries  = 8,  // entries of a scoreboard table
  parameter  int IbufDepth  = 4,  // bundles of an instruction queue
  parameter  int PushOrder  = 0,  // as in spe_stack
  parameter  int Policy     = 0,  // as in warp_selector
  parameter  int LevelW     = 8,  // as in spe_stack
  parameter  int Predicate  = 1,  // 1: short forward branches may mask threads off, 0: predication is left out
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW     = heddle_pkg::idx_width(StackDepth + 1),
  localparam int InstrW     = heddle_pkg::InstrW,
  localparam int SkipW      = heddle_pkg::SkipW,
  localparam int NumUnits   = heddle_pkg::NumUnits
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from dispatcher
  input  logic                launch_valid_i,
  input  logic [WarpW-1:0]    launch_warp_i,
  input  logic [31:0]         launch_pc_i,
  input  logic [Lanes-1:0]    launch_mask_i,
  // from and to fetch
  input  logic                fetch_ready_i,
  output logic                fetch_valid_o,
  output logic [WarpW-1:0]    fetch_warp_o,
  output logic [31:0]         fetch_pc_o,
  // from decode
  input  logic                decode_valid_i,
  input  logic [WarpW-1:0]    decode_warp_i,
  input  logic [31:0]         decode_pc_i,
  input  logic [1:0]          decode_count_i,
  input  logic [InstrW-1:0]   decode_instr0_i,
  input  logic [InstrW-1:0]   decode_instr1_i,
  // from execute
  input  logic                resolve_valid_i,
  input  logic [WarpW-1:0]    resolve_warp_i,
  input  logic [Lanes-1:0]    resolve_taken_i,
  input  logic [31:0]         resolve_target_i,
  input  logic [31:0]         resolve_next_i,
  input  logic [31:0]         resolve_rpc_i,
  input  logic [Lanes-1:0]    resolve_exit_i,
  input  logic                resolve_call_i,
  input  logic                resolve_return_i,
  input  logic [SkipW-1:0]    resolve_skip_i,
  // from write-back
  input  logic                wb0_valid_i,
  input  logic [WarpW-1:0]    wb0_warp_i,
  input  logic [5:0]          wb0_reg_i,
  input  logic                wb1_valid_i,
  input  logic [WarpW-1:0]    wb1_warp_i,
  input  logic [5:0]          wb1_reg_i,
  // from units
  input  logic [NumUnits-1:0] unit_ready_i,
  // from barrier unit
  input  logic [NumWarps-1:0] release_i,
  // to execute
  output logic                issue_valid_o,
  output logic [WarpW-1:0]    issue_warp_o,
  output logic [31:0]         issue_pc_o,
  output logic [Lanes-1:0]    issue_mask_o,
  output logic [InstrW-1:0]   issue_instr_o,
  output logic                issue_sibling_o,
  output logic                issue_predicated_o,
  // to dispatcher
  output logic                done_valid_o,
  output logic [WarpW-1:0]    done_warp_o,
  // status
  output logic                overflow_valid_o,
  output logic [WarpW-1:0]    overflow_warp_o,
  output logic [3:0]          stall_o,
  output logic [DepthW-1:0]   max_depth_o
);
  initial if (Predicate < 0 || Predicate > 1) $fatal(1, "spe_frontend: Predicate must be 0 or 1");

  localparam int CountW = heddle_pkg::idx_width(IbufDepth + 1);
  // Widths of indices into the flat vectors.
  localparam int PcIdxW    = $clog2(NumWarps * 32);
  localparam int MaskIdxW  = $clog2(NumWarps * Lanes);
  localparam int InstrIdxW = $clog2(NumWarps * InstrW);
  localparam int CountIdxW = $clog2(NumWarps * CountW);

  // ------------------------------------------------------------------------------------------------------ state
  logic [NumWarps-1:0] pending_q;      // a control instruction of the warp is unresolved
  logic [NumWarps-1:0] at_barrier_q;
  logic [NumWarps-1:0] halted_q;       // its stack overflowed

  // ---------------------------------------------------------------------------------------------------- modules
  logic [NumWarps*32-1:0]     pc;
  logic [NumWarps*Lanes-1:0]  mask;
  logic [NumWarps-1:0]        sibling, valid;
  logic [NumWarps*DepthW-1:0] depth;
  logic                       push_valid, pop_valid, done_valid, overflow_valid;
  logic [WarpW-1:0]           push_warp, pop_warp, done_warp, overflow_warp;
  logic [NumWarps*32-1:0]     unused_rpc;
  logic [NumWarps*LevelW-1:0] unused_level, unused_rpc_level;
  logic [NumWarps*Lanes-1:0]  unused_live;

  logic                       grant_valid;     // a path issues
  logic [WarpW-1:0]           grant_warp;
  logic                       unused_grant_slot;
  logic [InstrW-1:0]          grant_instr;
  logic                       grant_control, grant_barrier;

  // To the stack a branch that says a skip is one that nobody takes.
  logic                skips;
  logic [Lanes-1:0]    stack_taken;
  logic [Lanes-1:0]    off_mask;           // threads of the granted path that are masked off
  logic                grant_predicated;   // the granted path is inside its region

  assign stack_taken = skips ? '0 : resolve_taken_i;

  generate
    if (Predicate != 0) begin : gen_predication
      logic [NumWarps-1:0]       active, unused_slot;
      logic [NumWarps*SkipW-1:0] unused_count;
      assign skips            = resolve_skip_i != '0;
      assign grant_predicated = active[grant_warp];

      predication #(
        .NumWarps (NumWarps),
        .NumSlots (1),
        .Lanes    (Lanes)
      ) u_predication (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .start_valid_i (resolve_valid_i && skips),
        .start_warp_i  (resolve_warp_i),
        .start_slot_i  (1'b0),
        .start_mask_i  (resolve_taken_i),
        .start_count_i (resolve_skip_i),
        .take_valid_i  (grant_valid),
        .take_warp_i   (grant_warp),
        .take_slot_i   (1'b0),
        .off_mask_o    (off_mask),
        .active_o      (active),
        .slot_o        (unused_slot),
        .count_o       (unused_count)
      );

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)          issue_predicated_o <= 1'b0;
        else if (grant_valid) issue_predicated_o <= grant_predicated;
      end
    end else begin : gen_no_predication
      logic unused_skip;
      assign unused_skip        = ^resolve_skip_i;
      assign skips              = 1'b0;
      assign off_mask           = '0;
      assign grant_predicated   = 1'b0;
      assign issue_predicated_o = 1'b0;
    end
  endgenerate

  spe_stack #(
    .NumWarps  (NumWarps),
    .Lanes     (Lanes),
    .Depth     (StackDepth),
    .PushOrder (PushOrder),
    .LevelW    (LevelW)
  ) u_stack (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .launch_valid_i   (launch_valid_i),
    .launch_warp_i    (launch_warp_i),
    .launch_pc_i      (launch_pc_i),
    .launch_mask_i    (launch_mask_i),
    .advance_valid_i  (grant_valid && !grant_control),
    .advance_warp_i   (grant_warp),
    .resolve_valid_i  (resolve_valid_i),
    .resolve_warp_i   (resolve_warp_i),
    .resolve_taken_i  (stack_taken),
    .resolve_target_i (resolve_target_i),
    .resolve_next_i   (resolve_next_i),
    .resolve_rpc_i    (resolve_rpc_i),
    .resolve_exit_i   (resolve_exit_i),
    .resolve_call_i   (resolve_call_i),
    .resolve_return_i (resolve_return_i),
    .pc_o             (pc),
    .mask_o           (mask),
    .level_o          (unused_level),
    .rpc_o            (unused_rpc),
    .rpc_level_o      (unused_rpc_level),
    .sibling_o        (sibling),
    .valid_o          (valid),
    .live_o           (unused_live),
    .depth_o          (depth),
    .push_valid_o     (push_valid),
    .push_warp_o      (push_warp),
    .pop_valid_o      (pop_valid),
    .pop_warp_o       (pop_warp),
    .done_valid_o     (done_valid),
    .done_warp_o      (done_warp),
    .overflow_valid_o (overflow_valid),
    .overflow_warp_o  (overflow_warp),
    .max_depth_o      (max_depth_o)
  );

  logic                       fill_valid;
  logic                       fetch_grant;
  logic [WarpW-1:0]           fetch_warp;
  logic [NumWarps*InstrW-1:0] head;
  logic [NumWarps-1:0]        head_valid, outstanding, need_fetch;
  logic [NumWarps*CountW-1:0] count;

  ibuffer #(
    .NumWarps (NumWarps),
    .NumSlots (1),
    .Depth    (IbufDepth)
  ) u_ibuffer (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .fill_valid_i     (fill_valid),
    .fill_warp_i      (decode_warp_i),
    .fill_slot_i      (1'b0),
    .fill_count_i     (decode_count_i),
    .fill_instr0_i    (decode_instr0_i),
    .fill_instr1_i    (decode_instr1_i),
    .take_valid_i     (grant_valid),
    .take_warp_i      (grant_warp),
    .take_slot_i      (1'b0),
    .request_valid_i  (fetch_grant),
    .request_warp_i   (fetch_warp),
    .request_slot_i   (1'b0),
    .flush0_valid_i   (push_valid),
    .flush0_warp_i    (push_warp),
    .flush1_valid_i   (pop_valid),
    .flush1_warp_i    (pop_warp),
    .redirect_valid_i (resolve_valid_i && !overflow_valid),
    .redirect_warp_i  (resolve_warp_i),
    .redirect_slot_i  (1'b0),
    .head_o           (head),
    .head_valid_o     (head_valid),
    .count_o          (count),
    .outstanding_o    (outstanding),
    .need_fetch_o     (need_fetch)
  );

  logic [NumWarps*24-1:0]          names;
  logic [NumWarps-1:0]             blocked, full;
  logic [NumWarps*SbEntries-1:0]   unused_pending;
  logic [NumWarps*SbEntries*6-1:0] unused_reg;

  spe_scoreboard #(
    .NumWarps   (NumWarps),
    .NumEntries (SbEntries)
  ) u_scoreboard (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .set_valid_i (grant_valid),
    .set_warp_i  (grant_warp),
    .set_reg_i   (grant_instr[5:0]),
    .wb0_valid_i (wb0_valid_i),
    .wb0_warp_i  (wb0_warp_i),
    .wb0_reg_i   (wb0_reg_i),
    .wb1_valid_i (wb1_valid_i),
    .wb1_warp_i  (wb1_warp_i),
    .wb1_reg_i   (wb1_reg_i),
    .head_i      (names),
    .blocked_o   (blocked),
    .full_o      (full),
    .pending_o   (unused_pending),
    .reg_o       (unused_reg)
  );

  // -------------------------------------------------------------------------------------------------- selection
  logic [NumWarps-1:0] may_issue;    // as far as pending, barrier and halted go
  logic [NumWarps-1:0] clear;        // the scoreboard does not hold it back either
  logic [NumWarps-1:0] eligible;     // and its unit is ready
  logic [NumWarps-1:0] no_unit;      // would issue, had its unit been ready
  logic                no_memory;    // of one of them, and that is load/store
  logic [(1 << heddle_pkg::UnitW)-1:0] units;   // by unit code; codes without a unit are never ready

  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_names
      assign names[w*24 +: 24] = head[w*InstrW +: 24];
    end
  endgenerate

  assign may_issue = valid & head_valid & ~pending_q & ~at_barrier_q & ~halted_q;
  assign clear     = may_issue & ~blocked & ~full;
  assign units     = {{((1 << heddle_pkg::UnitW) - NumUnits){1'b0}}, unit_ready_i};
  assign no_unit   = clear & ~eligible;

  // One process: two that select parts of `head` wake each other without end in Icarus 11.
  always_comb begin
    eligible  = '0;
    no_memory = 1'b0;
    for (int w = 0; w < NumWarps; w++) begin
      if (clear[w]) begin
        eligible[w] = units[head[w*InstrW + heddle_pkg::UnitLsb +: heddle_pkg::UnitW]];
        if (!eligible[w] && (head[w*InstrW + heddle_pkg::UnitLsb +: heddle_pkg::UnitW] ==
                             heddle_pkg::UnitW'(heddle_pkg::UnitLoadStore))) no_memory = 1'b1;
      end
    end
  end

  warp_selector #(
    .NumWarps (NumWarps),
    .NumSlots (1),
    .Policy   (Policy)
  ) u_selector (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .launch_valid_i (launch_valid_i),
    .launch_warp_i  (launch_warp_i),
    .ready_l_i      (eligible),
    .ready_r_i      ({NumWarps{1'b0}}),
    .grant_valid_o  (grant_valid),
    .grant_warp_o   (grant_warp),
    .grant_slot_o   (unused_grant_slot)
  );

  assign grant_instr   = head[InstrIdxW'(grant_warp) * InstrIdxW'(InstrW) +: InstrW];
  assign grant_control = grant_instr[heddle_pkg::ControlBit];
  assign grant_barrier = grant_instr[heddle_pkg::BarrierBit];

  // ------------------------------------------------------------------------------------------- fetch and decode
  // The next bundle that the queue of a path lacks is the one at its PC + 4 * count.
  logic [31:0]       fetch_pc, decode_pc;
  logic [CountW-1:0] fetch_count, decode_count;

  rr_arbiter #(
    .NumReq (NumWarps)
  ) u_fetch_turn (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .enable_i      (fetch_ready_i),
    .req_i         (need_fetch & valid & ~halted_q),
    .grant_valid_o (fetch_grant),
    .grant_idx_o   (fetch_warp)
  );

  assign fetch_count  = count[CountIdxW'(fetch_warp) * CountIdxW'(CountW) +: CountW];
  assign fetch_pc     = pc[PcIdxW'(fetch_warp) * PcIdxW'(32) +: 32] + {{(30-CountW){1'b0}}, fetch_count, 2'b00};
  assign decode_count = count[CountIdxW'(decode_warp_i) * CountIdxW'(CountW) +: CountW];
  assign decode_pc    = pc[PcIdxW'(decode_warp_i) * PcIdxW'(32) +: 32] + {{(30-CountW){1'b0}}, decode_count, 2'b00};
  assign fill_valid   = decode_valid_i && valid[decode_warp_i] && outstanding[decode_warp_i] &&
                        (decode_pc_i == decode_pc);

  // ------------------------------------------------------------------------------------------ why nothing issues
  logic [3:0] stall;

  always_comb begin
    stall = 4'(heddle_pkg::StallIbufferEmpty);
    if (grant_valid)                       stall = 4'(heddle_pkg::StallNone);
    else if (depth == '0)                  stall = 4'(heddle_pkg::StallNoWarp);
    else if (no_memory)                    stall = 4'(heddle_pkg::StallMemory);
    else if (no_unit != '0)                stall = 4'(heddle_pkg::StallUnitBusy);
    else if ((may_issue & blocked) != '0)  stall = 4'(heddle_pkg::StallScoreboard);
    else if ((may_issue & full) != '0)     stall = 4'(heddle_pkg::StallScoreboardFull);
    else if ((pending_q | halted_q) != '0) stall = 4'(heddle_pkg::StallBranchPending);
    else if (at_barrier_q != '0)           stall = 4'(heddle_pkg::StallBarrier);
  end

  // -------------------------------------------------------------------------------------------------- registers
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q        <= '0;
      at_barrier_q     <= '0;
      halted_q         <= '0;
      fetch_valid_o    <= 1'b0;
      fetch_warp_o     <= '0;
      fetch_pc_o       <= '0;
      issue_valid_o    <= 1'b0;
      issue_warp_o     <= '0;
      issue_pc_o       <= '0;
      issue_mask_o     <= '0;
      issue_instr_o    <= '0;
      issue_sibling_o  <= 1'b0;
      done_valid_o     <= 1'b0;
      done_warp_o      <= '0;
      overflow_valid_o <= 1'b0;
      overflow_warp_o  <= '0;
      stall_o          <= '0;
    end else begin
      stall_o          <= stall;
      fetch_valid_o    <= fetch_grant;
      issue_valid_o    <= grant_valid;
      done_valid_o     <= done_valid;
      overflow_valid_o <= overflow_valid;
      at_barrier_q     <= at_barrier_q & ~release_i;
      if (fetch_grant) begin
        fetch_warp_o <= fetch_warp;
        fetch_pc_o   <= fetch_pc;
      end
      if (resolve_valid_i && !overflow_valid) pending_q[resolve_warp_i] <= 1'b0;
      if (grant_valid) begin
        issue_warp_o    <= grant_warp;
        issue_pc_o      <= pc[PcIdxW'(grant_warp) * PcIdxW'(32) +: 32];
        issue_mask_o    <= mask[MaskIdxW'(grant_warp) * MaskIdxW'(Lanes) +: Lanes] & ~off_mask;
        issue_instr_o   <= grant_instr;
        issue_sibling_o <= sibling[grant_warp];
        if (grant_control) pending_q[grant_warp] <= 1'b1;
        if (grant_barrier) at_barrier_q[grant_warp] <= 1'b1;
      end
      if (done_valid) done_warp_o <= done_warp;
      if (overflow_valid) begin
        halted_q[overflow_warp] <= 1'b1;
        overflow_warp_o         <= overflow_warp;
      end
    end
  end

`ifndef SYNTHESIS
  logic [Lanes-1:0] resolve_mask;   // of the path whose branch is resolved
  assign resolve_mask = mask[MaskIdxW'(resolve_warp_i) * MaskIdxW'(Lanes) +: Lanes];

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      // A resolution that no control instruction waits for.
      assert (!(resolve_valid_i && !pending_q[resolve_warp_i]));
      // A skip of a branch that does more than diverge: its threads leave, call or return.
      assert (!(resolve_valid_i && skips && (resolve_exit_i != '0 || resolve_call_i || resolve_return_i)));
      // A skip of a branch that does not diverge.
      assert (!(resolve_valid_i && skips &&
                (((resolve_mask & resolve_taken_i) == '0) || ((resolve_mask & ~resolve_taken_i) == '0))));
      // A control or barrier instruction inside a region.
      assert (!(grant_valid && grant_predicated && (grant_control || grant_barrier)));
    end
  end
`endif
endmodule
