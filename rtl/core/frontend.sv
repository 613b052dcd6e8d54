// SPDX-License-Identifier: Apache-2.0
// frontend: decides in every cycle which path of which warp of a scheduler's partition issues: a stack, predication,
// instruction buffers, a scoreboard and a selector, chosen by parameters, and the registers that tie them together.
//
// Contract
//   Latency  everything is decided on registered state: an input sampled at edge t counts from the cycle after edge t
//            on. issue_*, fetch_*, done_*, overflow_* and stall_o are registers. Combinational are only unit_ready_i to
//            the grant and fetch_ready_i to the fetch grant, both ending in registers.
//   Order    A grant, a fill, a write-back, a resolution of another path and a fetch grant of one warp may meet in one
//            cycle; each acts as its module says: take with fill; scoreboard set before the copy of shadow bits;
//            advance before the resolution of the sibling; flush over fill, take and request; a barrier granted with a
//            release of its warp sets. A warp has at most one unresolved control instruction, and none beside a path
//            that is inside a predicated region, so a divergence never suspends a path that waits for a resolution or
//            that still has threads masked off. A decode answer that does not continue its path is stale and dropped.
//            What was fetched behind a branch that nobody takes stays in the queue; any other resolution empties it.
//            Fetch takes turns by warp: a warp is served as often in whichever slot its path is.
//   Reset    asynchronous, active low; no warp runs, all registers 0.
//   Idle     data of issue_*, fetch_*, done_*, overflow_* keep their value while their valid is 0. With one slot, slot
//            inputs, write-back masks and misses are ignored, and slot outputs are 0.
//   Assumes  (asserted) a resolution belongs to the pending control instruction; launches as the stack asks for; a skip
//            is said of a divergent branch over neither control nor barrier instructions.
//            (not asserted) ... over no place where paths meet.
//   Not here lanes, memories, decoding, units and barriers: they answer at the pins.
// Source: DPE paper, section 3, and the single-path stack of its baseline.
module frontend #(
  parameter  int NumWarps   = 24,  // warps of the partition
  parameter  int Lanes      = 32,  // threads of a warp
  parameter  int NumSlots   = 2,  // paths of a warp that may issue: 1 or 2
  parameter  int Stack      = 1,  // 0 spe_stack (one slot), 1 dpe_stack (two)
  parameter  int StackDepth = 16,  // entries of a stack, top included
  parameter  int StackOrder = 0,  // spe_stack: PushOrder; dpe_stack: slot of the taken side, 0 left, 1 right
  parameter  int Scoreboard = 1,  // 0 spe_scoreboard (one slot), 1 dpe_scoreboard, 2 optimistic_scoreboard (two)
  parameter  int SbEntries  = 8,  // entries of a scoreboard table; optimistic_scoreboard: half of them
  parameter  int Selector   = 0,  // 0 warp_selector, 1 constrained_selector (two slots)
  parameter  int Policy     = 0,  // as in warp_selector
  parameter  int IbufDepth  = 5,  // bundles of an instruction queue
  parameter  int LevelW     = 8,  // bits of a call level
  parameter  int Predicate  = 1,  // 1: short forward branches may mask threads off, 0: predication is left out
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW     = heddle_pkg::idx_width(StackDepth + 1),
  localparam int InstrW     = heddle_pkg::InstrW,
  localparam int RegW       = heddle_pkg::RegW,
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
  output logic                fetch_slot_o,
  output logic [31:0]         fetch_pc_o,
  // from decode
  input  logic                decode_valid_i,
  input  logic [WarpW-1:0]    decode_warp_i,
  input  logic                decode_slot_i,
  input  logic [31:0]         decode_pc_i,
  input  logic [1:0]          decode_count_i,
  input  logic [InstrW-1:0]   decode_instr0_i,
  input  logic [InstrW-1:0]   decode_instr1_i,
  // from execute
  input  logic                resolve_valid_i,
  input  logic [WarpW-1:0]    resolve_warp_i,
  input  logic                resolve_slot_i,
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
  input  logic                wb0_slot_i,
  input  logic [RegW-1:0]     wb0_reg_i,
  input  logic [Lanes-1:0]    wb0_mask_i,
  input  logic                wb1_valid_i,
  input  logic [WarpW-1:0]    wb1_warp_i,
  input  logic                wb1_slot_i,
  input  logic [RegW-1:0]     wb1_reg_i,
  input  logic [Lanes-1:0]    wb1_mask_i,
  // from L1
  input  logic                miss_valid_i,
  input  logic [WarpW-1:0]    miss_warp_i,
  input  logic                miss_slot_i,
  // from units
  input  logic [NumUnits-1:0] unit_ready_i,
  // from barrier unit
  input  logic [NumWarps-1:0] release_i,
  // to execute
  output logic                issue_valid_o,
  output logic [WarpW-1:0]    issue_warp_o,
  output logic                issue_slot_o,
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
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumSlots < 1 || NumSlots > 2) NumSlots_must_be_1_or_2 limit ();
  if (Stack < 0 || Stack > 1) Stack_must_be_0_or_1 limit ();
  if (Scoreboard < 0 || Scoreboard > 2) Scoreboard_must_be_0_to_2 limit ();
  if (Selector < 0 || Selector > 1) Selector_must_be_0_or_1 limit ();
  if (Predicate < 0 || Predicate > 1) Predicate_must_be_0_or_1 limit ();
  if ((Stack == 0) != (NumSlots == 1)) Stack_must_be_0_just_when_NumSlots_is_1 limit ();
  if ((Scoreboard == 0) != (NumSlots == 1)) Scoreboard_must_be_0_just_when_NumSlots_is_1 limit ();
  if (Selector == 1 && NumSlots == 1) Selector_must_be_0_when_NumSlots_is_1 limit ();

  localparam int CountW   = heddle_pkg::idx_width(IbufDepth + 1);
  localparam int NumPaths = NumSlots * NumWarps;   // path of slot s of warp w: s*NumWarps + w

  // ------------------------------------------------------------------------------------------------------ state
  logic [NumWarps-1:0] pending_q;        // a control instruction of the warp is unresolved
  logic [NumWarps-1:0] pending_slot_q;   // and belongs to this slot
  logic [NumPaths-1:0] waits;            // the same by path
  logic [NumWarps-1:0] at_barrier_q;
  logic [NumWarps-1:0] halted_q;         // its stack overflowed

  logic [NumWarps-1:0] active;           // a path of the warp is inside a predicated region
  logic [NumWarps-1:0] region_slot;      // that of this slot
  logic [NumPaths-1:0] in_region;        // the same by path

  generate
    if (NumSlots == 2) begin : gen_slots_wait
      assign waits     = {pending_q & pending_slot_q, pending_q & ~pending_slot_q};
      assign in_region = {active & region_slot, active & ~region_slot};
    end else begin : gen_slot_waits
      assign waits     = pending_q & ~pending_slot_q;
      assign in_region = active & ~region_slot;
    end
  endgenerate

  // ------------------------------------------------------------------------------------------------------ grant
  logic                grant_valid;      // a path issues
  logic [WarpW-1:0]    grant_warp;
  logic                grant_slot;
  logic [31:0]         grant_pc;
  logic [Lanes-1:0]    grant_all, grant_mask;   // the path's threads; those that are not masked off
  logic [InstrW-1:0]   grant_instr;
  logic                grant_control, grant_barrier, grant_sibling;

  // ------------------------------------------------------------------------------------------------ predication
  // To the stack a branch that says a skip is one that nobody takes.
  logic                skips;
  logic [Lanes-1:0]    stack_taken;
  logic [Lanes-1:0]    off_mask;         // threads of the granted path that are masked off

  assign stack_taken = skips ? '0 : resolve_taken_i;

  generate
    if (Predicate != 0) begin : gen_predication
      logic [NumWarps*SkipW-1:0] unused_count;
      assign skips = resolve_skip_i != '0;

      predication #(
        .NumWarps (NumWarps),
        .NumSlots (NumSlots),
        .Lanes    (Lanes)
      ) u_predication (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .start_valid_i (resolve_valid_i && skips),
        .start_warp_i  (resolve_warp_i),
        .start_slot_i  (resolve_slot_i),
        .start_mask_i  (resolve_taken_i),
        .start_count_i (resolve_skip_i),
        .take_valid_i  (grant_valid),
        .take_warp_i   (grant_warp),
        .take_slot_i   (grant_slot),
        .off_mask_o    (off_mask),
        .active_o      (active),
        .slot_o        (region_slot),
        .count_o       (unused_count)
      );

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)          issue_predicated_o <= 1'b0;
        else if (grant_valid) issue_predicated_o <= active[grant_warp] && (region_slot[grant_warp] == grant_slot);
      end
    end else begin : gen_no_predication
      logic unused_skip;
      assign unused_skip        = ^resolve_skip_i;
      assign skips              = 1'b0;
      assign off_mask           = '0;
      assign active             = '0;
      assign region_slot        = '0;
      assign issue_predicated_o = 1'b0;
    end
  endgenerate

  // ------------------------------------------------------------------------------------------------------ stack
  logic [NumPaths*32-1:0]     pc;
  logic [NumPaths*Lanes-1:0]  mask;
  logic [NumPaths-1:0]        valid, sibling;
  logic [NumWarps*DepthW-1:0] depth;
  logic                       resolved_valid, resolved_slot, resolved_next;
  logic                       push_valid, pop_valid, done_valid, overflow_valid;
  logic [WarpW-1:0]           resolved_warp, push_warp, pop_warp, done_warp, overflow_warp;
  logic [NumPaths*LevelW-1:0] unused_level;
  logic [NumWarps*32-1:0]     unused_rpc;
  logic [NumWarps*LevelW-1:0] unused_rpc_level;
  logic [NumWarps*Lanes-1:0]  unused_live;

  generate
    if (Stack == 0) begin : gen_spe_stack
      spe_stack #(
        .NumWarps  (NumWarps),
        .Lanes     (Lanes),
        .Depth     (StackDepth),
        .PushOrder (StackOrder),
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
        .advance_slot_i   (grant_slot),
        .resolve_valid_i  (resolve_valid_i),
        .resolve_warp_i   (resolve_warp_i),
        .resolve_slot_i   (resolve_slot_i),
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
        .done_valid_o     (done_valid),
        .done_warp_o      (done_warp),
        .overflow_valid_o (overflow_valid),
        .overflow_warp_o  (overflow_warp),
        .max_depth_o      (max_depth_o)
      );
    end else begin : gen_dpe_stack
      dpe_stack #(
        .NumWarps  (NumWarps),
        .Lanes     (Lanes),
        .Depth     (StackDepth),
        .TakenLeft (1 - StackOrder),
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
        .advance_slot_i   (grant_slot),
        .resolve_valid_i  (resolve_valid_i),
        .resolve_warp_i   (resolve_warp_i),
        .resolve_slot_i   (resolve_slot_i),
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
        .done_valid_o     (done_valid),
        .done_warp_o      (done_warp),
        .overflow_valid_o (overflow_valid),
        .overflow_warp_o  (overflow_warp),
        .max_depth_o      (max_depth_o)
      );
    end
  endgenerate

  // ---------------------------------------------------------------------------------------- instruction buffers
  logic                       fill_valid;
  logic                       fetch_grant;
  logic [WarpW-1:0]           fetch_warp;
  logic                       fetch_slot;
  logic [NumPaths*InstrW-1:0] head;
  logic [NumPaths-1:0]        head_valid, need_fetch;
  logic [NumPaths*CountW-1:0] count;
  logic [NumPaths*2-1:0]      requests;

  ibuffer #(
    .NumWarps (NumWarps),
    .NumSlots (NumSlots),
    .Depth    (IbufDepth)
  ) u_ibuffer (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .fill_valid_i     (fill_valid),
    .fill_warp_i      (decode_warp_i),
    .fill_slot_i      (decode_slot_i),
    .fill_count_i     (decode_count_i),
    .fill_instr0_i    (decode_instr0_i),
    .fill_instr1_i    (decode_instr1_i),
    .take_valid_i     (grant_valid),
    .take_warp_i      (grant_warp),
    .take_slot_i      (grant_slot),
    .request_valid_i  (fetch_grant),
    .request_warp_i   (fetch_warp),
    .request_slot_i   (fetch_slot),
    .flush0_valid_i   (push_valid),
    .flush0_warp_i    (push_warp),
    .flush1_valid_i   (pop_valid),
    .flush1_warp_i    (pop_warp),
    .redirect_valid_i (resolved_valid),
    .redirect_warp_i  (resolved_warp),
    .redirect_slot_i  (resolved_slot),
    .redirect_next_i  (resolved_next),
    .head_o           (head),
    .head_valid_o     (head_valid),
    .count_o          (count),
    .requests_o       (requests),
    .need_fetch_o     (need_fetch)
  );

  // ---------------------------------------------------------------------------------------- the paths, by number
  localparam int NamesW = heddle_pkg::NamesW;
  localparam int UnitW  = heddle_pkg::UnitW;

  // What issue, fetch and decode look at: a row a path, chosen by warp and then by slot.
  localparam int IssueW  = 32 + Lanes + InstrW + 1;   // {pc, mask, bundle, sibling}
  localparam int DecodeW = 32 + CountW + 2;           // {pc, instructions to the queue's end, asked for more}

  logic [NumPaths*IssueW-1:0]  issue_rows;
  logic [NumPaths*32-1:0]      fetch_rows;   // PC of the first bundle that no request will bring
  logic [NumPaths*DecodeW-1:0] decode_rows;
  logic [31:0]                 path_pc    [0:NumPaths-1];
  logic [Lanes-1:0]            path_mask  [0:NumPaths-1];
  logic [CountW-1:0]           path_count [0:NumPaths-1];
  logic [InstrW-1:0]           path_head  [0:NumPaths-1];
  logic [NumPaths*NamesW-1:0]  names;        // the registers of the instruction at the head
  logic [NumPaths-1:0]         exclusive;    // that is a control or barrier instruction
  logic [NumPaths-1:0]         load_store, special;
  logic [NumPaths-1:0]         unit_ready;
  logic [(1 << UnitW)-1:0]     units;        // by unit code; codes without a unit are never ready

  assign units = {{((1 << UnitW) - NumUnits){1'b0}}, unit_ready_i};

  generate
    for (genvar p = 0; p < NumPaths; p++) begin : gen_path
      logic [UnitW-1:0] unit;
      logic [1:0]       under_way;
      logic [CountW:0]  queued, asked;   // instructions from the PC to the queue's end, and to that of its requests
      assign path_pc[p]        = pc[p*32 +: 32];
      assign path_mask[p]      = mask[p*Lanes +: Lanes];
      assign path_count[p]     = count[p*CountW +: CountW];
      assign path_head[p]      = head[p*InstrW +: InstrW];
      assign under_way         = requests[p*2 +: 2];
      assign queued            = {1'b0, path_count[p]} + (CountW+1)'(waits[p]);
      assign asked             = queued + (CountW+1)'({under_way, 1'b0});

      assign issue_rows[p*IssueW +: IssueW]    = {path_pc[p], path_mask[p], path_head[p], sibling[p]};
      assign fetch_rows[p*32 +: 32]            = path_pc[p] + {{(29-CountW){1'b0}}, asked, 2'b00};
      assign decode_rows[p*DecodeW +: DecodeW] = {path_pc[p], queued, valid[p] && (under_way != '0)};
      assign names[p*NamesW +: NamesW]         = head[p*InstrW +: NamesW];

      assign exclusive[p]      = head[p*InstrW + heddle_pkg::ControlBit] || head[p*InstrW + heddle_pkg::BarrierBit];
      assign unit              = head[p*InstrW + heddle_pkg::UnitLsb +: UnitW];
      assign unit_ready[p]     = units[unit];
      assign load_store[p]     = unit == UnitW'(heddle_pkg::UnitLoadStore);
      assign special[p]        = unit == UnitW'(heddle_pkg::UnitSpecial);
    end
  endgenerate

  // ------------------------------------------------------------------------------------------------- scoreboard
  logic [NumPaths-1:0] blocked, full;

  generate
    if (Scoreboard == 0) begin : gen_spe_scoreboard
      logic [NumWarps*SbEntries-1:0]   unused_pending;
      logic [NumWarps*SbEntries*RegW-1:0] unused_reg;
      logic                            unused_pins;
      assign unused_pins = ^{wb0_slot_i, wb1_slot_i, wb0_mask_i, wb1_mask_i};

      spe_scoreboard #(
        .NumWarps   (NumWarps),
        .NumEntries (SbEntries)
      ) u_scoreboard (
        .clk_i       (clk_i),
        .rst_ni      (rst_ni),
        .set_valid_i (grant_valid),
        .set_warp_i  (grant_warp),
        .set_reg_i   (grant_instr[RegW-1:0]),
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
    end else if (Scoreboard == 1) begin : gen_dpe_scoreboard
      logic [NumWarps*SbEntries-1:0]   unused_pending_l, unused_shadow_l, unused_pending_r, unused_shadow_r;
      logic [NumWarps*SbEntries*RegW-1:0] unused_reg_l, unused_reg_r;
      logic                            unused_masks;
      assign unused_masks = ^{wb0_mask_i, wb1_mask_i};

      dpe_scoreboard #(
        .NumWarps   (NumWarps),
        .NumEntries (SbEntries)
      ) u_scoreboard (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .set_valid_i   (grant_valid),
        .set_warp_i    (grant_warp),
        .set_slot_i    (grant_slot),
        .set_reg_i     (grant_instr[RegW-1:0]),
        .wb0_valid_i   (wb0_valid_i),
        .wb0_warp_i    (wb0_warp_i),
        .wb0_slot_i    (wb0_slot_i),
        .wb0_reg_i     (wb0_reg_i),
        .wb1_valid_i   (wb1_valid_i),
        .wb1_warp_i    (wb1_warp_i),
        .wb1_slot_i    (wb1_slot_i),
        .wb1_reg_i     (wb1_reg_i),
        .copy0_valid_i (push_valid),
        .copy0_warp_i  (push_warp),
        .copy1_valid_i (pop_valid),
        .copy1_warp_i  (pop_warp),
        .head_l_i      (names[0 +: NumWarps*NamesW]),
        .head_r_i      (names[NumWarps*NamesW +: NumWarps*NamesW]),
        .blocked_l_o   (blocked[0 +: NumWarps]),
        .blocked_r_o   (blocked[NumWarps +: NumWarps]),
        .full_l_o      (full[0 +: NumWarps]),
        .full_r_o      (full[NumWarps +: NumWarps]),
        .pending_l_o   (unused_pending_l),
        .shadow_l_o    (unused_shadow_l),
        .reg_l_o       (unused_reg_l),
        .pending_r_o   (unused_pending_r),
        .shadow_r_o    (unused_shadow_r),
        .reg_r_o       (unused_reg_r)
      );
    end else begin : gen_optimistic_scoreboard
      logic [NumWarps*2*SbEntries-1:0]       unused_pending;
      logic [NumWarps*2*SbEntries*RegW-1:0]     unused_reg;
      logic [NumWarps*2*SbEntries*Lanes-1:0] unused_mask;
      logic                                  unused_slots;
      assign unused_slots = wb0_slot_i ^ wb1_slot_i;

      optimistic_scoreboard #(
        .NumWarps   (NumWarps),
        .Lanes      (Lanes),
        .NumEntries (2 * SbEntries)
      ) u_scoreboard (
        .clk_i       (clk_i),
        .rst_ni      (rst_ni),
        .set_valid_i (grant_valid),
        .set_warp_i  (grant_warp),
        .set_reg_i   (grant_instr[RegW-1:0]),
        .set_mask_i  (grant_mask),
        .wb0_valid_i (wb0_valid_i),
        .wb0_warp_i  (wb0_warp_i),
        .wb0_reg_i   (wb0_reg_i),
        .wb0_mask_i  (wb0_mask_i),
        .wb1_valid_i (wb1_valid_i),
        .wb1_warp_i  (wb1_warp_i),
        .wb1_reg_i   (wb1_reg_i),
        .wb1_mask_i  (wb1_mask_i),
        .head_l_i    (names[0 +: NumWarps*NamesW]),
        .head_r_i    (names[NumWarps*NamesW +: NumWarps*NamesW]),
        .mask_l_i    (mask[0 +: NumWarps*Lanes]),
        .mask_r_i    (mask[NumWarps*Lanes +: NumWarps*Lanes]),
        .blocked_l_o (blocked[0 +: NumWarps]),
        .blocked_r_o (blocked[NumWarps +: NumWarps]),
        .full_l_o    (full[0 +: NumWarps]),
        .full_r_o    (full[NumWarps +: NumWarps]),
        .pending_o   (unused_pending),
        .reg_o       (unused_reg),
        .mask_o      (unused_mask)
      );
    end
  endgenerate

  // -------------------------------------------------------------------------------------------------- selection
  // All vectors of NumPaths bits: left paths low, right paths high.
  logic [NumPaths-1:0] held;         // an exclusive head, while the sibling is inside a region
  logic [NumPaths-1:0] behind;       // ... or waits for a resolution
  logic [NumPaths-1:0] may_issue;    // as far as pending, barrier and halted go
  logic [NumPaths-1:0] clear;        // the scoreboard does not hold it back either
  logic [NumPaths-1:0] eligible;     // and its unit is ready
  logic [NumPaths-1:0] no_unit;      // would issue, had its unit been ready

  assign held      = (NumSlots == 2) ? exclusive & {NumSlots{active}} : '0;
  assign behind    = held | (exclusive & {NumSlots{pending_q}});
  assign may_issue = valid & head_valid & ~waits & ~behind & ~{NumSlots{at_barrier_q}} & ~{NumSlots{halted_q}};
  assign clear     = may_issue & ~blocked & ~full;
  assign eligible  = clear & unit_ready;
  assign no_unit   = clear & ~unit_ready;

  generate
    if (Selector == 0) begin : gen_warp_selector
      logic unused_for_constrained;
      assign unused_for_constrained = ^{special, miss_valid_i, miss_warp_i, miss_slot_i};

      warp_selector #(
        .NumWarps (NumWarps),
        .NumSlots (NumSlots),
        .Policy   (Policy)
      ) u_selector (
        .clk_i          (clk_i),
        .rst_ni         (rst_ni),
        .launch_valid_i (launch_valid_i),
        .launch_warp_i  (launch_warp_i),
        .ready_l_i      (eligible[0 +: NumWarps]),
        .ready_r_i      (eligible[NumPaths-1 -: NumWarps]),   // ignored with one slot
        .grant_valid_o  (grant_valid),
        .grant_warp_o   (grant_warp),
        .grant_slot_o   (grant_slot)
      );
    end else begin : gen_constrained_selector
      // A path that is held back is not there for the selector: as current path it would keep the region from its end.
      logic [NumPaths-1:0] present;
      assign present = valid & ~held;

      constrained_selector #(
        .NumWarps (NumWarps),
        .Policy   (Policy)
      ) u_selector (
        .clk_i          (clk_i),
        .rst_ni         (rst_ni),
        .launch_valid_i (launch_valid_i),
        .launch_warp_i  (launch_warp_i),
        .ready_l_i      (eligible[0 +: NumWarps]),
        .ready_r_i      (eligible[NumWarps +: NumWarps]),
        .valid_l_i      (present[0 +: NumWarps]),
        .valid_r_i      (present[NumWarps +: NumWarps]),
        .long_l_i       (special[0 +: NumWarps]),
        .long_r_i       (special[NumWarps +: NumWarps]),
        .miss_valid_i   (miss_valid_i),
        .miss_warp_i    (miss_warp_i),
        .miss_slot_i    (miss_slot_i),
        .grant_valid_o  (grant_valid),
        .grant_warp_o   (grant_warp),
        .grant_slot_o   (grant_slot)
      );
    end
  endgenerate

  logic [IssueW-1:0] issue_left, issue_right;

  always_comb begin
    issue_left  = '0;
    issue_right = '0;
    for (int w = 0; w < NumWarps; w++) begin
      issue_left  |= {IssueW{grant_warp == WarpW'(w)}} & issue_rows[w*IssueW +: IssueW];
      issue_right |= {IssueW{grant_warp == WarpW'(w)}} & issue_rows[(NumPaths-NumWarps+w)*IssueW +: IssueW];
    end
  end

  assign {grant_pc, grant_all, grant_instr, grant_sibling} = grant_slot ? issue_right : issue_left;
  assign grant_control = grant_instr[heddle_pkg::ControlBit];
  assign grant_barrier = grant_instr[heddle_pkg::BarrierBit];
  assign grant_mask    = grant_all & ~off_mask;

  // ------------------------------------------------------------------------------------------- fetch and decode
  // While a control instruction waits it has left the queue, and the PC of its path has not moved.
  logic [NumPaths-1:0] fetch_wants;
  logic [31:0]         fetch_left, fetch_right, fetch_pc;
  logic [DecodeW-1:0]  decode_left, decode_right;
  logic [31:0]         decode_path_pc;
  logic [CountW:0]     decode_queued;
  logic                decode_asked;

  assign fetch_wants = need_fetch & valid & ~{NumSlots{halted_q}} & {NumPaths{fetch_ready_i}};

  warp_selector #(
    .NumWarps (NumWarps),
    .NumSlots (NumSlots)
  ) u_fetch_turn (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .launch_valid_i (launch_valid_i),
    .launch_warp_i  (launch_warp_i),
    .ready_l_i      (fetch_wants[0 +: NumWarps]),
    .ready_r_i      (fetch_wants[NumPaths-1 -: NumWarps]),   // ignored with one slot
    .grant_valid_o  (fetch_grant),
    .grant_warp_o   (fetch_warp),
    .grant_slot_o   (fetch_slot)
  );

  always_comb begin
    fetch_left   = '0;
    fetch_right  = '0;
    decode_left  = '0;
    decode_right = '0;
    for (int w = 0; w < NumWarps; w++) begin
      fetch_left   |= {32{fetch_warp == WarpW'(w)}} & fetch_rows[w*32 +: 32];
      fetch_right  |= {32{fetch_warp == WarpW'(w)}} & fetch_rows[(NumPaths-NumWarps+w)*32 +: 32];
      decode_left  |= {DecodeW{decode_warp_i == WarpW'(w)}} & decode_rows[w*DecodeW +: DecodeW];
      decode_right |= {DecodeW{decode_warp_i == WarpW'(w)}} & decode_rows[(NumPaths-NumWarps+w)*DecodeW +: DecodeW];
    end
  end

  assign fetch_pc = fetch_slot ? fetch_right : fetch_left;
  assign {decode_path_pc, decode_queued, decode_asked} =
    ((NumSlots == 2) && decode_slot_i) ? decode_right : decode_left;
  assign fill_valid = decode_valid_i && decode_asked &&
                      heddle_pkg::sum_is(decode_path_pc, {{(29-CountW){1'b0}}, decode_queued, 2'b00}, decode_pc_i);

  // ------------------------------------------------------------------------------------------ why nothing issues
  logic [3:0] stall;

  always_comb begin
    stall = 4'(heddle_pkg::StallIbufferEmpty);
    if (grant_valid)                         stall = 4'(heddle_pkg::StallNone);
    else if (depth == '0)                    stall = 4'(heddle_pkg::StallNoWarp);
    else if (eligible != '0)                 stall = 4'(heddle_pkg::StallPathSwitch);
    else if ((no_unit & load_store) != '0)   stall = 4'(heddle_pkg::StallMemory);
    else if (no_unit != '0)                  stall = 4'(heddle_pkg::StallUnitBusy);
    else if ((may_issue & blocked) != '0)    stall = 4'(heddle_pkg::StallScoreboard);
    else if ((may_issue & full) != '0)       stall = 4'(heddle_pkg::StallScoreboardFull);
    else if (((pending_q | halted_q) != '0) ||
             ((valid & held) != '0))         stall = 4'(heddle_pkg::StallBranchPending);
    else if (at_barrier_q != '0)             stall = 4'(heddle_pkg::StallBarrier);
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
      if (resolved_valid) pending_q[resolved_warp] <= 1'b0;
      if (grant_valid) begin
        issue_warp_o    <= grant_warp;
        issue_pc_o      <= grant_pc;
        issue_mask_o    <= grant_mask;
        issue_instr_o   <= grant_instr;
        issue_sibling_o <= grant_sibling;
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

  generate
    if (NumSlots == 2) begin : gen_slots
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          pending_slot_q <= '0;
          fetch_slot_o   <= 1'b0;
          issue_slot_o   <= 1'b0;
        end else begin
          if (fetch_grant) fetch_slot_o <= fetch_slot;
          if (grant_valid) issue_slot_o <= grant_slot;
          if (grant_valid && grant_control) pending_slot_q[grant_warp] <= grant_slot;
        end
      end
    end else begin : gen_one_slot
      assign pending_slot_q = '0;
      assign fetch_slot_o   = 1'b0;
      assign issue_slot_o   = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  localparam int PathW = heddle_pkg::idx_width(NumPaths);
  logic [PathW-1:0] resolve_path;
  logic [Lanes-1:0] resolve_mask;   // of the path whose branch is resolved
  assign resolve_path = PathW'(resolve_warp_i) + (((NumSlots == 2) && resolve_slot_i) ? PathW'(NumWarps) : '0);
  assign resolve_mask = path_mask[resolve_path];

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      // A resolution that no control instruction waits for.
      assert (!(resolve_valid_i && !waits[resolve_path]));
      // A skip of a branch that does more than diverge: its threads leave, call or return.
      assert (!(resolve_valid_i && skips && (resolve_exit_i != '0 || resolve_call_i || resolve_return_i)));
      // A skip of a branch that does not diverge.
      assert (!(resolve_valid_i && skips &&
                (((resolve_mask & resolve_taken_i) == '0) || ((resolve_mask & ~resolve_taken_i) == '0))));
      // A control or barrier instruction inside a region: it would wait for the end of the region.
      assert ((valid & head_valid & exclusive & in_region) == '0);
    end
  end
`endif
endmodule
