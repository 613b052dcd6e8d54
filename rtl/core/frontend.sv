// SPDX-License-Identifier: Apache-2.0
// frontend: decides in every cycle which path of which warp of a scheduler's partition issues: a stack, predication,
// instruction buffers, a scoreboard and a selector, chosen by parameters, and the registers that tie them together.
//
// Contract
//   Latency  everything is decided on registered state: an input sampled at edge t counts from the cycle after edge t
//            on. issue_*, fetch_*, done_*, overflow_*, idle_o and stall_o are registers, and so is whether the head of
//            a queue waits for a register (wakeup; the optimistic and the bitmap scoreboard are asked for every head).
//            Combinational are unit_ready_i, issue_ready_i and kill_* to the grant, and fetch_ready_i to the fetch
//            grant, ending in registers, resolve_ready_o from resolve_valid_i and save_ready_i, and split_ready_o
//            from kill_* and split_* but split_valid_i.
//   Order    A grant, a fill, a write-back, a resolution of another path and a fetch grant of one warp may meet in one
//            cycle; each acts as its module says: take with fill; flush over fill, take and request. No path of a warp
//            is granted in the cycle in which a resolution of it acts. A barrier granted with a release of its warp
//            sets. A kill wins over everything else of its warp, of which no path is granted in that cycle; what is in
//            the issue register stays there until issue_ready_i, and idle_o of its warp waits for that. A warp has
//            at most one unresolved control instruction, and none beside a path that is inside a predicated region, so
//            a divergence never suspends a path that waits for a resolution or that still has threads masked off. A
//            decode answer of an epoch that is over is dropped. What was fetched behind a branch that nobody takes
//            stays in the queue; any other resolution empties it. With Ahead a queue that comes to where two sides meet
//            turns to the second one, and the pop to that side leaves it. Fetch takes turns by warp: a warp is served
//            as often in whichever slot its path is. Of several resolutions the lowest-numbered port's is taken. With
//            splits a path joins another that stands at its PC, waits for no resolution, is not inside a region, and is
//            at a barrier just if the path has come to it, too; none inside a region does. With Split a path is split
//            only as it waits for a register, so that none of its warp does anything else in that cycle; its parts join
//            as splits do, and at barriers, which only whole paths issue.
//   Reset    asynchronous, active low; no warp runs, all outputs 0.
//   Idle     data of issue_*, fetch_*, done_*, overflow_* keep their value while their valid is 0, those of issue_*
//            until issue_ready_i. With one slot, slot inputs, write-back masks and misses are ignored, slot outputs 0.
//   Assumes  (asserted) a resolution belongs to the pending control instruction; launches as the stack asks for; a skip
//            is said of a divergent branch over neither control nor barrier instructions.
//            (not asserted) ... over no place where paths meet; with Ahead what calls or returns is a jump.
//   Not here lanes, memories, decoding, units and barriers: they answer at the pins.
// Source: DPE paper, section 3, and the single-path stack of its baseline.
module frontend #(
  parameter  int NumWarps   = 24,  // warps of the partition
  parameter  int Lanes      = 32,  // threads of a warp
  parameter  int NumSlots   = 2,  // paths of a warp that may issue
  parameter  int Stack      = 1,  // 0 spe_, 2 compact_, 3 fork_join_, 1 dpe_, 5 software_stack, 4 warp_split_table
  parameter  int StackDepth = 16,  // entries of a stack, top included
  parameter  int StackOrder = 0,  // PushOrder or TieOrder; dpe_stack: slot of the taken side, 0 left, 1 right
  parameter  int Scoreboard = 1,  // 0 spe_ (one slot), 1 dpe_ (two), 2 optimistic_ (more than one), 3 bitmap_scoreboard
  parameter  int SbEntries  = 8,  // entries of a scoreboard table; optimistic_scoreboard: half of them
  parameter  int Selector   = 0,  // 0 warp_selector, 1 constrained_selector (two slots)
  parameter  int Policy     = 0,  // as in warp_selector
  parameter  int IbufDepth  = 5,  // bundles of an instruction queue
  parameter  int LevelW     = 8,  // bits of a call level
  parameter  int Predicate  = 1,  // 1: short forward branches may mask threads off, 0: predication is left out
  parameter  int NumWb      = 2,  // write-backs of a cycle
  parameter  int NumResolve = 1,  // ports of resolution
  parameter  int TagW       = 3,  // bits of the tag of a fetch
  parameter  int Forward    = 0,  // 1: dpe_stack runs paths of the entry below in empty slots
  parameter  int Split      = 0,  // 1: dpe_stack splits a path of which some threads wait for memory
  parameter  int Ahead      = 0,  // 1: spe_, compact_stack: the second side is fetched while the first is executed
  parameter  int Watch      = 1,  // 0: without stall_o and the stack's status; 2: with the places of compact_stack
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW      = heddle_pkg::idx_width(NumSlots),
  localparam int SplitW     = heddle_pkg::idx_width(NumSlots + 1),
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
  output logic [SlotW-1:0]            fetch_slot_o,
  output logic [PcW-1:0]              fetch_pc_o,
  output logic [TagW-1:0]             fetch_tag_o,
  // from decode
  input  logic                        decode_valid_i,
  input  logic [WarpW-1:0]            decode_warp_i,
  input  logic [SlotW-1:0]            decode_slot_i,
  input  logic [TagW-1:0]             decode_tag_i,
  input  logic [1:0]                  decode_count_i,
  input  logic [InstrW-1:0]           decode_instr0_i,
  input  logic [InstrW-1:0]           decode_instr1_i,
  // from and to execute
  input  logic [NumResolve-1:0]       resolve_valid_i,
  input  logic [NumResolve*WarpW-1:0] resolve_warp_i,
  input  logic [NumResolve*SlotW-1:0] resolve_slot_i,
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
  input  logic [NumWb*SlotW-1:0]      wb_slot_i,
  input  logic [NumWb*RegW-1:0]       wb_reg_i,
  input  logic [NumWb*Lanes-1:0]      wb_mask_i,
  // from L1 and units
  input  logic                        miss_valid_i,
  input  logic [WarpW-1:0]            miss_warp_i,
  input  logic [SlotW-1:0]            miss_slot_i,
  input  logic                        split_valid_i,
  input  logic [WarpW-1:0]            split_warp_i,
  input  logic [SlotW-1:0]            split_slot_i,
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
  output logic [SlotW-1:0]            issue_slot_o,
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
  output logic [SplitW-1:0]           max_splits_o,
  output logic [31:0]                 splits_o,
  output logic [31:0]                 merges_o,
  output logic [31:0]                 refused_o,
  output logic [31:0]                 forwards_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumSlots < 1) NumSlots_must_be_at_least_1 limit ();
  if (Stack < 0 || Stack > 5) Stack_must_be_0_to_5 limit ();
  if (Scoreboard < 0 || Scoreboard > 3) Scoreboard_must_be_0_to_3 limit ();
  if (Selector < 0 || Selector > 1) Selector_must_be_0_or_1 limit ();
  if (Predicate < 0 || Predicate > 1) Predicate_must_be_0_or_1 limit ();
  if (NumSlots == 1 && (Stack == 1 || Stack == 4 || Stack == 5)) Stack_must_be_0_2_or_3_when_NumSlots_is_1 limit ();
  if (NumSlots == 2 && Stack != 1 && Stack != 4 && Stack != 5) Stack_must_be_1_4_or_5_when_NumSlots_is_2 limit ();
  if (NumSlots > 2 && Stack != 4) Stack_must_be_4_when_NumSlots_is_3 limit ();   // or more
  if (NumSlots == 1 && (Scoreboard == 1 || Scoreboard == 2)) Scoreboard_must_be_0_or_3_when_NumSlots_is_1 limit ();
  if (NumSlots == 2 && Scoreboard == 0) Scoreboard_must_be_1_to_3_when_NumSlots_is_2 limit ();
  // Splits change slots, and with them whose writes are in flight; and of two splits one may stand at a barrier.
  if (Stack == 4 && Scoreboard != 2) Scoreboard_must_be_2_when_Stack_is_4 limit ();
  if (Stack == 4 && Selector != 0) Selector_must_be_0_when_Stack_is_4 limit ();
  if (NumSlots == 1 && Selector == 1) Selector_must_be_0_when_NumSlots_is_1 limit ();
  if (NumWb < 1) NumWb_must_be_at_least_1 limit ();
  if (NumResolve < 1) NumResolve_must_be_at_least_1 limit ();
  if (Forward < 0 || Forward > 1) Forward_must_be_0_or_1 limit ();
  if (Forward == 1 && Stack != 1) Forward_must_be_0_when_Stack_is_not_1 limit ();
  if (Split < 0 || Split > 1) Split_must_be_0_or_1 limit ();
  if (Split == 1 && Stack != 1) Split_must_be_0_when_Stack_is_not_1 limit ();
  if (Split == 1 && Forward == 1) Split_must_be_0_when_Forward_is_1 limit ();
  // Threads that join another path take their writes in flight along; and of two parts one may wait for the other.
  if (Split == 1 && Scoreboard != 2) Split_must_be_0_when_Scoreboard_is_not_2 limit ();
  if (Split == 1 && Selector == 1) Split_must_be_0_when_Selector_is_1 limit ();
  if (Ahead < 0 || Ahead > 1) Ahead_must_be_0_or_1 limit ();
  if (Ahead == 1 && Stack != 0 && Stack != 2) Ahead_must_be_0_when_Stack_is_not_0_or_2 limit ();
  if (Watch < 0 || Watch > 2) Watch_must_be_0_to_2 limit ();

  localparam int Watched  = (Watch == 0) ? 0 : 1;   // of a stack that has no more to show
  localparam int NamesW   = heddle_pkg::NamesW;
  localparam int UnitW    = heddle_pkg::UnitW;
  localparam int CountW   = heddle_pkg::idx_width(IbufDepth + 1);
  localparam int NumPaths = NumSlots * NumWarps;   // path of slot s of warp w: s*NumWarps + w

  // ------------------------------------------------------------------------------------------------------ state
  localparam int NumBarriers = (Stack == 4) ? NumPaths : NumWarps;   // splits come to a barrier one by one

  logic [NumWarps-1:0]       pending_q;        // a control instruction of the warp is unresolved
  logic [NumWarps*SlotW-1:0] pending_slot_q;   // and belongs to this slot
  logic [NumPaths-1:0]       waits;            // the same by path
  logic [NumWarps-1:0]       acting_q;         // a resolution of the warp acts: its other paths wait
  logic [NumBarriers-1:0]    at_barrier_q;
  logic [NumPaths-1:0]       at_barrier;       // the same by path
  logic [NumWarps-1:0]       halted_q;         // its stack overflowed

  logic [NumWarps-1:0]       active;           // a path of the warp is inside a predicated region
  logic [NumWarps*SlotW-1:0] region_slot;      // that of this slot
  logic [NumPaths-1:0]       in_region;        // the same by path

  generate
    for (genvar s = 0; s < NumSlots; s++) begin : gen_slot_waits
      logic [NumWarps-1:0] pending_here, region_here;   // the slot of the warp is this one
      for (genvar w = 0; w < NumWarps; w++) begin : gen_warp_waits
        assign pending_here[w] = pending_slot_q[w*SlotW +: SlotW] == SlotW'(s);
        assign region_here[w]  = region_slot[w*SlotW +: SlotW] == SlotW'(s);
      end
      assign waits[s*NumWarps +: NumWarps]     = pending_q & pending_here;
      assign in_region[s*NumWarps +: NumWarps] = active & region_here;
    end
  endgenerate

  assign at_barrier = {(NumPaths/NumBarriers){at_barrier_q}};

  // ------------------------------------------------------------------------------------------------------ grant
  logic                grant_valid;      // a path issues
  logic [WarpW-1:0]    grant_warp;
  logic [SlotW-1:0]    grant_slot;
  logic [NumPaths-1:0] grant;            // the same by path
  logic [NumPaths-1:0] control;          // the head of a path is a control instruction
  logic [PcW-1:0]      grant_pc;
  logic [Lanes-1:0]    grant_all, grant_mask;   // the path's threads; those that are not masked off
  logic [InstrW-1:0]   grant_instr;
  logic                grant_sibling;
  // Warps of which a path issues a control, a barrier instruction; with no request under way; that have entries; whose
  // instruction is in the issue register.
  logic [NumWarps-1:0] controls, comes, quiets, in_use, issuing;

  // ------------------------------------------------------------------------------------------------- resolution
  // The lowest-numbered one is taken, if there is room for a row that it may save.
  localparam int ResolveW = WarpW + SlotW + 2 * Lanes + 3 * PcW + SkipW + 3;

  logic                has_room;
  logic                resolve_valid, resolve_call, resolve_return, resolve_mark;
  logic [WarpW-1:0]    resolve_warp;
  logic [SlotW-1:0]    resolve_slot;
  logic [Lanes-1:0]    resolve_taken, resolve_exit;
  logic [PcW-1:0]      resolve_target, resolve_next, resolve_rpc;
  logic [SkipW-1:0]    resolve_skip;
  logic [ResolveW-1:0] resolve_row;
  logic [NumResolve*ResolveW-1:0] resolve_rows;

  generate
    for (genvar k = 0; k < NumResolve; k++) begin : gen_resolve
      assign resolve_rows[k*ResolveW +: ResolveW] =
        {resolve_warp_i[k*WarpW +: WarpW], resolve_slot_i[k*SlotW +: SlotW], resolve_taken_i[k*Lanes +: Lanes],
         resolve_target_i[k*PcW +: PcW], resolve_next_i[k*PcW +: PcW], resolve_rpc_i[k*PcW +: PcW],
         resolve_exit_i[k*Lanes +: Lanes], resolve_call_i[k], resolve_return_i[k], resolve_mark_i[k],
         resolve_skip_i[k*SkipW +: SkipW]};
      assign resolve_ready_o[k] = has_room && ((resolve_valid_i & NumResolve'((1 << k) - 1)) == '0);
    end
  endgenerate

  always_comb begin
    resolve_row = resolve_rows[(NumResolve-1)*ResolveW +: ResolveW];
    for (int k = NumResolve - 2; k >= 0; k--) begin
      if (resolve_valid_i[k]) resolve_row = resolve_rows[k*ResolveW +: ResolveW];
    end
  end

  assign resolve_valid = (resolve_valid_i != '0) && has_room;
  assign {resolve_warp, resolve_slot, resolve_taken, resolve_target, resolve_next, resolve_rpc, resolve_exit,
          resolve_call, resolve_return, resolve_mark, resolve_skip} = resolve_row;

  // ------------------------------------------------------------------------------------------------ predication
  // To the stack a branch that says a skip is one that nobody takes.
  logic                skips;
  logic [Lanes-1:0]    stack_taken;
  logic [Lanes-1:0]    off_mask;         // threads of the granted path that are masked off

  assign stack_taken = skips ? '0 : resolve_taken;

  generate
    if (Predicate != 0) begin : gen_predication
      logic [NumWarps*SkipW-1:0] unused_count;
      assign skips = resolve_skip != '0;

      predication #(
        .NumWarps (NumWarps),
        .NumSlots (NumSlots),
        .Lanes    (Lanes)
      ) u_predication (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .start_valid_i (resolve_valid && skips),
        .start_warp_i  (resolve_warp),
        .start_slot_i  (resolve_slot),
        .start_mask_i  (resolve_taken),
        .start_count_i (resolve_skip),
        .take_i        (grant),
        .kill_valid_i  (kill_valid_i),
        .kill_warp_i   (kill_warp_i),
        .off_mask_o    (off_mask),
        .active_o      (active),
        .slot_o        (region_slot),
        .count_o       (unused_count)
      );

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)          issue_predicated_o <= 1'b0;
        else if (grant_valid) issue_predicated_o <= (grant & in_region) != '0;
      end
    end else begin : gen_no_predication
      logic unused_skip;
      assign unused_skip        = ^resolve_skip;
      assign skips              = 1'b0;
      assign off_mask           = '0;
      assign active             = '0;
      assign region_slot        = '0;
      assign issue_predicated_o = 1'b0;
    end
  endgenerate

  // ------------------------------------------------------------------------------------------------------ stack
  logic [NumPaths*PcW-1:0]    pc;
  logic [NumPaths*Lanes-1:0]  mask;
  logic [NumPaths-1:0]        valid, sibling;
  logic [NumWarps*DepthW-1:0] depth;
  logic                       resolved_valid, resolved_next;
  logic [SlotW-1:0]           resolved_slot;
  logic                       push_valid, pop_valid, done_valid, overflow_valid;
  logic [WarpW-1:0]           resolved_warp, push_warp, pop_warp, done_warp, overflow_warp;
  logic [NumPaths*LevelW-1:0] unused_level;
  logic [NumWarps*PcW-1:0]    unused_rpc;
  logic [NumWarps*LevelW-1:0] unused_rpc_level;
  logic [NumWarps*Lanes-1:0]  unused_live;

  // Of a push: the path below, which comes when the path above arrives at a PC; a cycle earlier, if the queue has
  // turned to its instructions.
  logic                       later_valid;
  logic [PcW-1:0]             later_pc, later_rpc;
  logic [NumPaths-1:0]        turned;

  // Parts of paths.
  logic [NumWarps-1:0]        parts;           // the two paths of the warp are parts of one
  logic [NumPaths-1:0]        part_waits;      // its branch waits for its other part
  logic [NumPaths-1:0]        part_stopped;    // its barrier instruction does

  generate
    case (Stack)
      0: begin : gen_spe_stack
        spe_stack #(
          .NumWarps  (NumWarps),
          .Lanes     (Lanes),
          .Depth     (StackDepth),
          .PushOrder (StackOrder),
          .LevelW    (LevelW),
          .Watch     (Watched)
        ) u_stack (
          .clk_i            (clk_i),
          .rst_ni           (rst_ni),
          .launch_valid_i   (launch_valid_i),
          .launch_warp_i    (launch_warp_i),
          .launch_pc_i      (launch_pc_i),
          .launch_mask_i    (launch_mask_i),
          .kill_valid_i     (kill_valid_i),
          .kill_warp_i      (kill_warp_i),
          .advance_i        (grant & ~control),
          .hasten_i         (turned),
          .resolve_valid_i  (resolve_valid),
          .resolve_warp_i   (resolve_warp),
          .resolve_slot_i   (resolve_slot),
          .resolve_taken_i  (stack_taken),
          .resolve_target_i (resolve_target),
          .resolve_next_i   (resolve_next),
          .resolve_rpc_i    (resolve_rpc),
          .resolve_exit_i   (resolve_exit),
          .resolve_call_i   (resolve_call),
          .resolve_return_i (resolve_return),
          .resolve_mark_i   (resolve_mark),
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
          .max_depth_o      (max_depth_o),
          .later_valid_o    (later_valid),
          .later_pc_o       (later_pc),
          .later_rpc_o      (later_rpc)
        );
      end
      1: begin : gen_dpe_stack
        logic [NumPaths-1:0] issues_control;
        assign issues_control = grant & control;

        logic [NumPaths-1:0] merge;   // may be joined by its other part
        for (genvar w = 0; w < NumWarps; w++) begin : gen_merge
          logic [NumSlots-1:0] off;   // a path that issues inside a region, or whose resolution begins it
          for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
            localparam int P = s * NumWarps + w;
            assign off[s]   = in_region[P] && (grant[P] || waits[P]);
            assign merge[P] = (Split != 0) && valid[P] && !waits[P] && !in_region[P] && (off == '0);
          end
        end

        dpe_stack #(
          .NumWarps  (NumWarps),
          .Lanes     (Lanes),
          .Depth     (StackDepth),
          .TakenLeft (1 - StackOrder),
          .LevelW    (LevelW),
          .Forward   (Forward),
          .Split     (Split),
          .Watch     (Watched)
        ) u_stack (
          .clk_i            (clk_i),
          .rst_ni           (rst_ni),
          .launch_valid_i   (launch_valid_i),
          .launch_warp_i    (launch_warp_i),
          .launch_pc_i      (launch_pc_i),
          .launch_mask_i    (launch_mask_i),
          .kill_valid_i     (kill_valid_i),
          .kill_warp_i      (kill_warp_i),
          .advance_i        (grant & ~control),
          .hold_i           (pending_q | issues_control[0 +: NumWarps] | issues_control[NumWarps +: NumWarps]),
          .merge_i          (merge),
          .stopped_i        (part_stopped),
          .split_valid_i    (split_valid_i && split_ready_o),
          .split_warp_i     (split_warp_i),
          .split_slot_i     (split_slot_i),
          .split_mask_i     (split_mask_i),
          .resolve_valid_i  (resolve_valid),
          .resolve_warp_i   (resolve_warp),
          .resolve_slot_i   (resolve_slot),
          .resolve_taken_i  (stack_taken),
          .resolve_target_i (resolve_target),
          .resolve_next_i   (resolve_next),
          .resolve_rpc_i    (resolve_rpc),
          .resolve_exit_i   (resolve_exit),
          .resolve_call_i   (resolve_call),
          .resolve_return_i (resolve_return),
          .resolve_mark_i   (resolve_mark),
          .pc_o             (pc),
          .mask_o           (mask),
          .level_o          (unused_level),
          .valid_o          (valid),
          .sibling_o        (sibling),
          .wait_o           (part_waits),
          .parts_o          (parts),
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
          .max_depth_o      (max_depth_o),
          .splits_o         (splits_o),
          .merges_o         (merges_o),
          .forwards_o       (forwards_o)
        );
      end
      2: begin : gen_compact_stack
        compact_stack #(
          .NumWarps  (NumWarps),
          .Lanes     (Lanes),
          .Depth     (StackDepth),
          .PushOrder (StackOrder),
          .LevelW    (LevelW),
          .Watch     (Watch)
        ) u_stack (
          .clk_i            (clk_i),
          .rst_ni           (rst_ni),
          .launch_valid_i   (launch_valid_i),
          .launch_warp_i    (launch_warp_i),
          .launch_pc_i      (launch_pc_i),
          .launch_mask_i    (launch_mask_i),
          .kill_valid_i     (kill_valid_i),
          .kill_warp_i      (kill_warp_i),
          .advance_i        (grant & ~control),
          .hasten_i         (turned),
          .resolve_valid_i  (resolve_valid),
          .resolve_warp_i   (resolve_warp),
          .resolve_slot_i   (resolve_slot),
          .resolve_taken_i  (stack_taken),
          .resolve_target_i (resolve_target),
          .resolve_next_i   (resolve_next),
          .resolve_rpc_i    (resolve_rpc),
          .resolve_exit_i   (resolve_exit),
          .resolve_call_i   (resolve_call),
          .resolve_return_i (resolve_return),
          .resolve_mark_i   (resolve_mark),
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
          .max_depth_o      (max_depth_o),
          .later_valid_o    (later_valid),
          .later_pc_o       (later_pc),
          .later_rpc_o      (later_rpc)
        );
      end
      3: begin : gen_fork_join_stack
        fork_join_stack #(
          .NumWarps  (NumWarps),
          .Lanes     (Lanes),
          .Depth     (StackDepth),
          .TieOrder  (StackOrder),
          .LevelW    (LevelW),
          .Watch     (Watched)
        ) u_stack (
          .clk_i            (clk_i),
          .rst_ni           (rst_ni),
          .launch_valid_i   (launch_valid_i),
          .launch_warp_i    (launch_warp_i),
          .launch_pc_i      (launch_pc_i),
          .launch_mask_i    (launch_mask_i),
          .kill_valid_i     (kill_valid_i),
          .kill_warp_i      (kill_warp_i),
          .advance_i        (grant & ~control),
          .resolve_valid_i  (resolve_valid),
          .resolve_warp_i   (resolve_warp),
          .resolve_slot_i   (resolve_slot),
          .resolve_taken_i  (stack_taken),
          .resolve_target_i (resolve_target),
          .resolve_next_i   (resolve_next),
          .resolve_rpc_i    (resolve_rpc),
          .resolve_exit_i   (resolve_exit),
          .resolve_call_i   (resolve_call),
          .resolve_return_i (resolve_return),
          .resolve_mark_i   (resolve_mark),
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
      5: begin : gen_software_stack
        assign has_room = save_ready_i;

        software_stack #(
          .NumWarps  (NumWarps),
          .Lanes     (Lanes),
          .Depth     (StackDepth),
          .TakenLeft (1 - StackOrder),
          .LevelW    (LevelW),
          .Watch     (Watched)
        ) u_stack (
          .clk_i            (clk_i),
          .rst_ni           (rst_ni),
          .launch_valid_i   (launch_valid_i),
          .launch_warp_i    (launch_warp_i),
          .launch_pc_i      (launch_pc_i),
          .launch_mask_i    (launch_mask_i),
          .kill_valid_i     (kill_valid_i),
          .kill_warp_i      (kill_warp_i),
          .advance_i        (grant & ~control),
          .resolve_valid_i  (resolve_valid),
          .resolve_warp_i   (resolve_warp),
          .resolve_slot_i   (resolve_slot),
          .resolve_taken_i  (stack_taken),
          .resolve_target_i (resolve_target),
          .resolve_next_i   (resolve_next),
          .resolve_rpc_i    (resolve_rpc),
          .resolve_exit_i   (resolve_exit),
          .resolve_call_i   (resolve_call),
          .resolve_return_i (resolve_return),
          .resolve_mark_i   (resolve_mark),
          .load_ready_i     (load_ready_i),
          .fill_valid_i     (fill_valid_i),
          .fill_warp_i      (fill_warp_i),
          .fill_pc_i        (fill_pc_i),
          .fill_mask_i      (fill_mask_i),
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
          .save_valid_o     (save_valid_o),
          .save_warp_o      (save_warp_o),
          .save_row_o       (save_row_o),
          .save_pc_o        (save_pc_o),
          .save_mask_o      (save_mask_o),
          .load_valid_o     (load_valid_o),
          .load_warp_o      (load_warp_o),
          .load_row_o       (load_row_o),
          .max_depth_o      (max_depth_o)
        );
      end
      default: begin : gen_warp_split_table
        logic [NumPaths-1:0] merge;   // may be joined by who comes to where they stand
        logic [NumWarps-1:0] off;     // a path of the warp issues inside a region, or its resolution begins it
        always_comb begin
          off = '0;
          for (int s = 0; s < NumSlots; s++) begin
            off = off | ((grant[s*NumWarps +: NumWarps] | waits[s*NumWarps +: NumWarps]) &
                         in_region[s*NumWarps +: NumWarps]);
          end
        end
        assign merge = valid & ~waits & ~in_region & ~(at_barrier ^ {NumSlots{comes}}) & ~{NumSlots{off}};

        warp_split_table #(
          .NumWarps  (NumWarps),
          .Lanes     (Lanes),
          .NumSlots  (NumSlots),
          .Depth     (StackDepth),
          .PushOrder (StackOrder),
          .LevelW    (LevelW),
          .Watch     (Watched)
        ) u_stack (
          .clk_i            (clk_i),
          .rst_ni           (rst_ni),
          .launch_valid_i   (launch_valid_i),
          .launch_warp_i    (launch_warp_i),
          .launch_pc_i      (launch_pc_i),
          .launch_mask_i    (launch_mask_i),
          .kill_valid_i     (kill_valid_i),
          .kill_warp_i      (kill_warp_i),
          .advance_i        (grant & ~control),
          .merge_i          (merge),
          .resolve_valid_i  (resolve_valid),
          .resolve_warp_i   (resolve_warp),
          .resolve_slot_i   (resolve_slot),
          .resolve_taken_i  (stack_taken),
          .resolve_target_i (resolve_target),
          .resolve_next_i   (resolve_next),
          .resolve_rpc_i    (resolve_rpc),
          .resolve_exit_i   (resolve_exit),
          .resolve_call_i   (resolve_call),
          .resolve_return_i (resolve_return),
          .resolve_mark_i   (resolve_mark),
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
          .max_depth_o      (max_depth_o),
          .max_splits_o     (max_splits_o),
          .splits_o         (splits_o),
          .merges_o         (merges_o),
          .refused_o        (refused_o)
        );
      end
    endcase
    if (Stack != 1) begin : gen_no_dpe_stack
      assign part_waits = '0;
      assign parts      = '0;
      assign forwards_o = '0;
    end
    if (Stack != 0 && Stack != 2) begin : gen_no_later
      assign later_valid = 1'b0;
      assign later_pc    = '0;
      assign later_rpc   = '0;
    end
    if (Stack != 4) begin : gen_no_splits
      assign max_splits_o = '0;
      assign refused_o    = '0;
    end
    if (Stack != 5) begin : gen_no_rows
      logic unused_rows;
      assign unused_rows  = ^{save_ready_i, load_ready_i, fill_valid_i, fill_warp_i, fill_pc_i, fill_mask_i};
      assign has_room     = 1'b1;
      assign save_valid_o = 1'b0;
      assign save_warp_o  = '0;
      assign save_row_o   = '0;
      assign save_pc_o    = '0;
      assign save_mask_o  = '0;
      assign load_valid_o = 1'b0;
      assign load_warp_o  = '0;
      assign load_row_o   = '0;
    end
    if (Stack != 1 && Stack != 4) begin : gen_no_counts
      assign splits_o = '0;
      assign merges_o = '0;
    end
  endgenerate

  // ---------------------------------------------------------------------------------------- instruction buffers
  logic                       fetch_grant;   // a path asks for its next instructions
  logic [WarpW-1:0]           fetch_warp;
  logic [SlotW-1:0]           fetch_slot;
  logic [NumPaths-1:0]        fetches;       // the same by path
  logic [NumPaths*InstrW-1:0] head;
  logic [NumPaths*NamesW-1:0] second;
  logic [NumPaths-1:0]        head_valid, second_valid, quiet, need_fetch, fill, clear;
  logic [NumPaths*CountW-1:0] count;
  logic [NumPaths*2-1:0]      requests;
  logic [NumPaths*TagW-1:0]   tag;

  // Fetch ahead: a queue turns to the instructions of the path that comes next.
  logic [NumPaths-1:0]        turn;
  logic                       turn_one;
  logic [NumPaths*CountW-1:0] beyond;

  ibuffer #(
    .NumWarps (NumWarps),
    .NumSlots (NumSlots),
    .Depth    (IbufDepth),
    .TagW     (TagW),
    .Turn     (Ahead)
  ) u_ibuffer (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .answer_valid_i   (decode_valid_i),
    .answer_warp_i    (decode_warp_i),
    .answer_slot_i    (decode_slot_i),
    .answer_tag_i     (decode_tag_i),
    .answer_count_i   (decode_count_i),
    .answer_instr0_i  (decode_instr0_i),
    .answer_instr1_i  (decode_instr1_i),
    .take_i           (grant),
    .request_i        (fetches),
    .turn_i           (turn),
    .turn_one_i       (turn_one),
    .flush0_valid_i   (push_valid),
    .flush0_warp_i    (push_warp),
    .flush1_valid_i   (pop_valid && (Forward == 0)),   // a guest keeps its queue
    .flush1_warp_i    (pop_warp),
    .flush2_valid_i   (kill_valid_i),
    .flush2_warp_i    (kill_warp_i),
    .drop_i           ((Stack == 4 || Forward != 0 || Split != 0) ? ~valid : '0),
    .redirect_valid_i (resolved_valid),
    .redirect_warp_i  (resolved_warp),
    .redirect_slot_i  (resolved_slot),
    .redirect_next_i  (resolved_next),
    .head_o           (head),
    .head_valid_o     (head_valid),
    .second_o         (second),
    .second_valid_o   (second_valid),
    .count_o          (count),
    .requests_o       (requests),
    .tag_o            (tag),
    .quiet_o          (quiet),
    .need_fetch_o     (need_fetch),
    .turned_o         (turned),
    .beyond_o         (beyond),
    .fill_o           (fill),
    .clear_o          (clear)
  );

  // ---------------------------------------------------------------------------------------- the paths, by number
  logic [NumPaths-1:0]        exclusive;    // that is a control or barrier instruction
  logic [NumPaths-1:0]        barrier, load_store, special;
  logic [NumPaths-1:0]        unit_ready;
  logic [(1 << UnitW)-1:0]    units;        // by unit code; codes without a unit are never ready
  logic                       occupied;     // the issue register keeps what it holds

  assign occupied = issue_valid_o && !issue_ready_i;
  assign units    = {{((1 << UnitW) - NumUnits){1'b0}}, unit_ready_i};

  assign exclusive = control | barrier;

  generate
    for (genvar p = 0; p < NumPaths; p++) begin : gen_path
      logic [UnitW-1:0]  unit;
      assign barrier[p]    = head[p*InstrW + heddle_pkg::BarrierBit];
      assign control[p]    = head[p*InstrW + heddle_pkg::ControlBit];
      assign unit          = head[p*InstrW + heddle_pkg::UnitLsb +: UnitW];
      assign unit_ready[p] = units[unit];
      assign load_store[p] = unit == UnitW'(heddle_pkg::UnitLoadStore);
      assign special[p]    = unit == UnitW'(heddle_pkg::UnitSpecial);
    end
  endgenerate

  // ------------------------------------------------------------------------------------------------- scoreboard
  logic [NumPaths-1:0] blocked, full;
  logic [NumWarps-1:0] writes;         // a register of the warp has a write in flight

  generate
    if (Scoreboard == 0 || Scoreboard == 1) begin : gen_tables
      // Tables say which entry they free, and wakeup keeps in registers who waits for it.
      localparam int WaitW = NumSlots * SbEntries;
      logic [3*WarpW-1:0]            check_warp;
      logic [2:0]                    check_slot;
      logic [3*NamesW-1:0]           check_names;
      logic [3*WaitW-1:0]            check_wait;
      logic [2:0]                    unused_full;
      logic [NumWb*SbEntries-1:0]    wake;
      logic [NumPaths*SbEntries-1:0] pending;
      logic [NumPaths*RegW-1:0]      head_rd;
      logic                          unused_masks;
      assign unused_masks = ^wb_mask_i;
      for (genvar p = 0; p < NumPaths; p++) begin : gen_rd
        assign head_rd[p*RegW +: RegW] = head[p*InstrW +: RegW];
      end

      wakeup #(
        .NumWarps   (NumWarps),
        .NumSlots   (NumSlots),
        .NumEntries (SbEntries),
        .NumWb      (NumWb)
      ) u_wakeup (
        .clk_i          (clk_i),
        .rst_ni         (rst_ni),
        .clear_i        (clear),
        .fill_i         (fill),
        .head_valid_i   (head_valid),
        .head_rd_i      (head_rd),
        .second_valid_i (second_valid),
        .second_i       (second),
        .fill_warp_i    (decode_warp_i),
        .fill_slot_i    (decode_slot_i),
        .fill_names_i   (decode_instr0_i[NamesW-1:0]),
        .take_i         (grant),
        .take_warp_i    (grant_warp),
        .take_slot_i    (grant_slot),
        .wb_warp_i      (wb_warp_i),
        .wb_slot_i      (wb_slot_i),
        .check_warp_o   (check_warp),
        .check_slot_o   (check_slot),
        .check_names_o  (check_names),
        .check_wait_i   (check_wait),
        .wake_i         (wake),
        .pending_i      (pending),
        .blocked_o      (blocked),
        .full_o         (full)
      );
      if (Scoreboard == 0) begin : gen_spe
        logic [NumWarps*SbEntries*RegW-1:0] unused_reg;
        logic                               unused_slots;
        assign unused_slots = ^check_slot;

        spe_scoreboard #(
          .NumWarps   (NumWarps),
          .NumEntries (SbEntries),
          .NumWb      (NumWb),
          .NumCheck   (3)
        ) u_scoreboard (
          .clk_i         (clk_i),
          .rst_ni        (rst_ni),
          .set_i         (grant),
          .set_reg_i     (grant_instr[RegW-1:0]),
          .wb_valid_i    (wb_valid_i),
          .wb_warp_i     (wb_warp_i),
          .wb_reg_i      (wb_reg_i),
          .check_warp_i  (check_warp),
          .check_names_i (check_names),
          .check_wait_o  (check_wait),
          .check_full_o  (unused_full),
          .wake_o        (wake),
          .pending_o     (pending),
          .reg_o         (unused_reg)
        );
      end else begin : gen_dpe
        logic [NumWarps*SbEntries-1:0]      unused_shadow_l, unused_shadow_r;
        logic [NumWarps*SbEntries*RegW-1:0] unused_reg_l, unused_reg_r;

        dpe_scoreboard #(
          .NumWarps   (NumWarps),
          .NumEntries (SbEntries),
          .NumWb      (NumWb),
          .NumCheck   (3)
        ) u_scoreboard (
          .clk_i         (clk_i),
          .rst_ni        (rst_ni),
          .set_i         (grant),
          .set_reg_i     (grant_instr[RegW-1:0]),
          .wb_valid_i    (wb_valid_i),
          .wb_warp_i     (wb_warp_i),
          .wb_slot_i     (wb_slot_i),
          .wb_reg_i      (wb_reg_i),
          .copy0_valid_i (push_valid),
          .copy0_warp_i  (push_warp),
          .copy1_valid_i (pop_valid),
          .copy1_warp_i  (pop_warp),
          .check_warp_i  (check_warp),
          .check_slot_i  (check_slot),
          .check_names_i (check_names),
          .check_wait_o  (check_wait),
          .check_full_o  (unused_full),
          .wake_o        (wake),
          .pending_l_o   (pending[0 +: NumWarps*SbEntries]),
          .shadow_l_o    (unused_shadow_l),
          .reg_l_o       (unused_reg_l),
          .pending_r_o   (pending[NumWarps*SbEntries +: NumWarps*SbEntries]),
          .shadow_r_o    (unused_shadow_r),
          .reg_r_o       (unused_reg_r)
        );
      end

      for (genvar w = 0; w < NumWarps; w++) begin : gen_writes
        assign writes[w] = (pending[w*SbEntries +: SbEntries] != '0) ||
                           (pending[(NumPaths-NumWarps+w)*SbEntries +: SbEntries] != '0);
      end
    end else begin : gen_asked
      logic [NumPaths*NamesW-1:0] names;     // the registers of the instruction at the head
      logic [NumPaths*WarpW-1:0]  path_warps;
      logic                       unused_wakeup;
      assign unused_wakeup = ^{second, second_valid, fill, clear};
      for (genvar p = 0; p < NumPaths; p++) begin : gen_names
        assign names[p*NamesW +: NamesW]    = head[p*InstrW +: NamesW];
        assign path_warps[p*WarpW +: WarpW] = WarpW'(p % NumWarps);
      end

      if (Scoreboard == 2) begin : gen_optimistic
        localparam int NumEntries = 2 * SbEntries;
        logic [NumPaths*NumEntries-1:0]       waits_for;
        logic [NumWarps*NumEntries-1:0]       pending;
        logic [NumWarps*NumEntries*RegW-1:0]  unused_reg;
        logic [NumWarps*NumEntries*Lanes-1:0] unused_mask;
        logic [NumWarps-1:0]                  sets;   // the warp that issues
        logic                                 unused_slots;
        assign unused_slots = ^wb_slot_i;

        optimistic_scoreboard #(
          .NumWarps   (NumWarps),
          .Lanes      (Lanes),
          .NumEntries (NumEntries),
          .NumWb      (NumWb),
          .NumCheck   (NumPaths),
          .ByPath     (1),
          .Partial    (Split)
        ) u_scoreboard (
          .clk_i         (clk_i),
          .rst_ni        (rst_ni),
          .set_i         (sets),
          .set_reg_i     (grant_instr[RegW-1:0]),
          .set_mask_i    (grant_mask),
          .wb_valid_i    (wb_valid_i),
          .wb_warp_i     (wb_warp_i),
          .wb_reg_i      (wb_reg_i),
          .wb_mask_i     (wb_mask_i),
          .check_warp_i  (path_warps),
          .check_names_i (names),
          .check_mask_i  (mask),
          .check_wait_o  (waits_for),
          .check_full_o  (full),
          .pending_o     (pending),
          .reg_o         (unused_reg),
          .mask_o        (unused_mask)
        );
        always_comb begin
          sets = '0;
          for (int s = 0; s < NumSlots; s++) sets = sets | grant[s*NumWarps +: NumWarps];
        end
        for (genvar p = 0; p < NumPaths; p++) begin : gen_blocked
          assign blocked[p] = waits_for[p*NumEntries +: NumEntries] != '0;
        end
        for (genvar w = 0; w < NumWarps; w++) begin : gen_writes
          assign writes[w] = pending[w*NumEntries +: NumEntries] != '0;
        end
      end else begin : gen_bitmap
        localparam int NumRegs  = 1 << RegW;
        localparam int NumNames = NamesW / RegW;
        logic [NumPaths*NumNames-1:0] waits_for;
        logic [NumPaths*NumRegs-1:0]  pending, unused_shadow;
        logic [NumPaths-1:0]          path_slots;
        logic                         unused_masks;
        assign unused_masks = ^wb_mask_i;
        for (genvar p = 0; p < NumPaths; p++) begin : gen_path_slots
          assign path_slots[p] = p >= NumWarps;
        end

        bitmap_scoreboard #(
          .NumWarps (NumWarps),
          .NumSlots (NumSlots),
          .NumWb    (NumWb),
          .NumCheck (NumPaths)
        ) u_scoreboard (
          .clk_i         (clk_i),
          .rst_ni        (rst_ni),
          .set_i         (grant),
          .set_reg_i     (grant_instr[RegW-1:0]),
          .wb_valid_i    (wb_valid_i),
          .wb_warp_i     (wb_warp_i),
          .wb_slot_i     (wb_slot_i),
          .wb_reg_i      (wb_reg_i),
          .copy0_valid_i (push_valid),
          .copy0_warp_i  (push_warp),
          .copy1_valid_i (pop_valid),
          .copy1_warp_i  (pop_warp),
          .check_warp_i  (path_warps),
          .check_slot_i  (path_slots),
          .check_names_i (names),
          .check_wait_o  (waits_for),
          .check_full_o  (full),
          .pending_o     (pending),
          .shadow_o      (unused_shadow)
        );
        for (genvar p = 0; p < NumPaths; p++) begin : gen_blocked
          assign blocked[p] = waits_for[p*NumNames +: NumNames] != '0;
        end
        for (genvar w = 0; w < NumWarps; w++) begin : gen_writes
          assign writes[w] = (pending[w*NumRegs +: NumRegs] != '0) ||
                             (pending[(NumPaths-NumWarps+w)*NumRegs +: NumRegs] != '0);
        end
      end
    end
  endgenerate

  // -------------------------------------------------------------------------------------------------- selection
  // All vectors of NumPaths bits: paths of slot 0 low.
  logic [NumPaths-1:0] held;         // an exclusive head, while the sibling is inside a region
  logic [NumPaths-1:0] behind;       // ... or waits for a resolution
  logic [NumPaths-1:0] may_issue;    // as far as pending, barrier and halted go
  logic [NumPaths-1:0] free;         // the scoreboard does not hold it back either
  logic [NumPaths-1:0] eligible;     // and its unit is ready, and its warp not killed
  logic [NumPaths-1:0] no_unit;      // would issue, had its unit been ready
  logic [NumWarps-1:0] killed;
  logic [NumWarps-1:0] granted, fetched;   // warps of which a path issues, asks for instructions

  assign killed = kill_valid_i ? NumWarps'(1) << kill_warp_i : '0;

  assign held      = (NumSlots > 1) ? exclusive & {NumSlots{active}} : '0;
  assign behind    = held | (exclusive & {NumSlots{pending_q}});
  assign may_issue = valid & head_valid & ~waits & ~behind & ~at_barrier & ~{NumSlots{halted_q}} &
                     ~{NumSlots{acting_q}} & ~part_waits & ~part_stopped;
  assign free      = may_issue & ~blocked & ~full;
  assign eligible  = free & unit_ready & ~{NumSlots{killed}} & ~{NumPaths{occupied}};
  assign no_unit   = free & ~(unit_ready & ~{NumPaths{occupied}});

  // ----------------------------------------------------------------------------------------------------- parts
  generate
    if (Split != 0) begin : gen_parts
      logic [NumPaths-1:0] may_split;       // alone in its warp, and nothing else can happen to it
      logic [NumPaths-1:0] asked;           // the path that L1 names
      logic [Lanes-1:0]    asked_mask;      // its threads

      for (genvar w = 0; w < NumWarps; w++) begin : gen_warp_parts
        logic free_warp;
        assign free_warp = !pending_q[w] && !acting_q[w] && !active[w] && !at_barrier[w] && !halted_q[w] && !killed[w];

        for (genvar s = 0; s < NumSlots; s++) begin : gen_part
          localparam int P = s * NumWarps + w;
          localparam int O = (1 - s) * NumWarps + w;
          assign part_stopped[P] = parts[w] && head_valid[P] && barrier[P];
          assign may_split[P]    = valid[P] && !valid[O] && head_valid[P] && blocked[P] && free_warp;
          assign asked[P]        = (split_warp_i == WarpW'(w)) && (split_slot_i == SlotW'(s));
        end
      end

      always_comb begin
        asked_mask = '0;
        for (int p = 0; p < NumPaths; p++) asked_mask = asked_mask | (mask[p*Lanes +: Lanes] & {Lanes{asked[p]}});
      end
      assign split_ready_o = ((asked & may_split) != '0) && ((asked_mask & split_mask_i) != '0) &&
                             ((asked_mask & ~split_mask_i) != '0);
    end else begin : gen_no_parts
      logic unused_parts;
      assign unused_parts  = ^{parts, split_valid_i, split_warp_i, split_slot_i, split_mask_i};
      assign part_stopped  = '0;
      assign split_ready_o = 1'b0;
    end
  endgenerate

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
        .ready_i        (eligible),
        .grant_valid_o  (grant_valid),
        .grant_warp_o   (grant_warp),
        .grant_slot_o   (grant_slot),
        .grant_o        (grant)
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
        .grant_slot_o   (grant_slot),
        .grant_o        (grant)
      );
    end
  endgenerate

  always_comb begin
    granted = '0;
    fetched = '0;
    for (int s = 0; s < NumSlots; s++) begin
      granted = granted | grant[s*NumWarps +: NumWarps];
      fetched = fetched | fetches[s*NumWarps +: NumWarps];
    end
  end

  always_comb begin
    grant_pc    = '0;
    grant_all   = '0;
    grant_instr = '0;
    for (int w = 0; w < NumWarps; w++) begin
      if (granted[w]) begin
        for (int s = 0; s < NumSlots; s++) begin
          grant_pc    = grant_pc    | (pc[(s*NumWarps+w)*PcW +: PcW] & {PcW{grant[s*NumWarps+w]}});
          grant_all   = grant_all   | (mask[(s*NumWarps+w)*Lanes +: Lanes] & {Lanes{grant[s*NumWarps+w]}});
          grant_instr = grant_instr | (head[(s*NumWarps+w)*InstrW +: InstrW] & {InstrW{grant[s*NumWarps+w]}});
        end
      end
    end
  end

  assign grant_sibling = (grant & sibling) != '0;
  assign grant_mask    = grant_all & ~off_mask;

  // ------------------------------------------------------------------------------------------------------ fetch
  // While a control instruction waits it has left the queue, and the PC of its path has not moved.
  localparam int HighW = PcW - 2 - CountW;   // the bits of a PC that only a carry changes

  logic [NumPaths-1:0] fetch_wants;
  logic [PcW-1:0]      fetch_from, fetch_pc;
  logic [HighW-1:0]    fetch_steps;     // the high bits that a carry changes
  logic [CountW-1:0]   fetch_asked;
  logic [CountW:0]     fetch_low;       // the sum of the low bits, and its carry
  logic [TagW-1:0]     fetch_tag;

  // Where the next request of a path begins: so many instructions behind a PC.
  logic [NumPaths*PcW-1:0]    from_pc;
  logic [NumPaths*CountW-1:0] asked, from_count;

  assign fetch_wants = need_fetch & valid & ~{NumSlots{halted_q}} & {NumPaths{fetch_ready_i}};

  warp_selector #(
    .NumWarps (NumWarps),
    .NumSlots (NumSlots)
  ) u_fetch_turn (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .launch_valid_i (launch_valid_i),
    .launch_warp_i  (launch_warp_i),
    .ready_i        (fetch_wants),
    .grant_valid_o  (fetch_grant),
    .grant_warp_o   (fetch_warp),
    .grant_slot_o   (fetch_slot),
    .grant_o        (fetches)
  );

  // The bits of a number that one more changes. Instructions from the PC to the end of what was asked for, if there is
  // room: those in the queue, two a request, and one that waits for its resolution.
  function automatic logic [HighW-1:0] carried(input logic [HighW-1:0] high);
    carried = high ^ (high + HighW'(1));
  endfunction
  function automatic logic [CountW-1:0] asked_of(input logic [CountW-1:0] queued, input logic [1:0] asked_for,
                                                 input logic wait_for);
    asked_of = queued + CountW'({asked_for, 1'b0}) + CountW'(wait_for);
  endfunction

  generate
    for (genvar p = 0; p < NumPaths; p++) begin : gen_asked_for
      assign asked[p*CountW +: CountW] = asked_of(count[p*CountW +: CountW], requests[p*2 +: 2], waits[p]);
    end
  endgenerate

  // The side that executes second waits right below the path, which arrives at a PC as long as it neither calls,
  // returns nor diverges: a request that reaches the place turns the queue.
  generate
    if (Ahead != 0) begin : gen_ahead
      logic [NumWarps-1:0]     ahead_q;      // it waits there
      logic [NumWarps*PcW-1:0] ahead_pc_q;   // its PC
      logic [NumWarps*PcW-1:0] place_q;      // the place
      logic [NumWarps-1:0]     pushed, popped, leaves;   // leaves: the path goes to another level
      logic [NumWarps-1:0]     one_left, two_left;       // what was not asked for yet of the way there

      assign pushed  = push_valid ? NumWarps'(1) << push_warp : '0;
      assign popped  = pop_valid ? NumWarps'(1) << pop_warp : '0;
      assign leaves  = (resolve_valid && (resolve_call || resolve_return)) ? NumWarps'(1) << resolve_warp : '0;

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) ahead_q <= '0;
        else         ahead_q <= ~killed & ((pushed & {NumWarps{later_valid}}) |
                                           (ahead_q & ~(pushed | popped | leaves)));
      end
      always_ff @(posedge clk_i) begin
        for (int w = 0; w < NumWarps; w++) begin
          if (pushed[w]) begin
            ahead_pc_q[w*PcW +: PcW] <= later_pc;
            place_q[w*PcW +: PcW]    <= later_rpc;
          end
        end
      end

      // How far it is to the place is worked out beside the choice of who fetches, by warp. A way that ends in the same
      // high bits, or the next ones, has less than 2^(CountW+1) instructions; one that ends before the PC has more left
      // than anything can have been asked for, which is less than Depth.
      for (genvar w = 0; w < NumWarps; w++) begin : gen_from
        logic [PcW-1:0]   own_pc, place;
        logic [HighW-1:0] differs;
        logic             next_high, near;
        logic [CountW:0]  left;

        assign own_pc    = pc[w*PcW +: PcW];
        assign place     = place_q[w*PcW +: PcW];
        assign differs   = own_pc[PcW-1 -: HighW] ^ place[PcW-1 -: HighW];
        assign next_high = differs == carried(own_pc[PcW-1 -: HighW]);
        assign near      = ((differs == '0) || next_high) && (own_pc[1:0] == place[1:0]);
        assign left      = {next_high, place[2 +: CountW]} - {1'b0, own_pc[2 +: CountW]} -
                           {1'b0, asked[w*CountW +: CountW]};

        assign one_left[w] = near && (left == (CountW+1)'(1));
        assign two_left[w] = near && (left == (CountW+1)'(2));
        assign from_pc[w*PcW +: PcW]          = turned[w] ? ahead_pc_q[w*PcW +: PcW] : own_pc;
        assign from_count[w*CountW +: CountW] = turned[w] ? beyond[w*CountW +: CountW] : asked[w*CountW +: CountW];
      end
      assign turn_one = (fetches & one_left) != '0;
      assign turn     = fetches & ahead_q & ~turned & (one_left | two_left);
    end else begin : gen_not_ahead
      logic unused_later;
      assign unused_later = ^{later_valid, later_pc, later_rpc, turned, beyond};
      assign from_pc      = pc;
      assign from_count   = asked;
      assign turn_one     = 1'b0;
      assign turn         = '0;
    end
  endgenerate

  always_comb begin
    fetch_from  = '0;
    fetch_steps = '0;
    fetch_asked = '0;
    fetch_tag   = '0;
    for (int w = 0; w < NumWarps; w++) begin
      if (fetched[w]) begin
        for (int s = 0; s < NumSlots; s++) begin
          fetch_from  = fetch_from  | (from_pc[(s*NumWarps+w)*PcW +: PcW] & {PcW{fetches[s*NumWarps+w]}});
          fetch_steps = fetch_steps |
                        (carried(from_pc[(s*NumWarps+w+1)*PcW-1 -: HighW]) & {HighW{fetches[s*NumWarps+w]}});
          fetch_asked = fetch_asked | (from_count[(s*NumWarps+w)*CountW +: CountW] & {CountW{fetches[s*NumWarps+w]}});
          fetch_tag   = fetch_tag   | (tag[(s*NumWarps+w)*TagW +: TagW] & {TagW{fetches[s*NumWarps+w]}});
        end
      end
    end
  end

  assign fetch_low = {1'b0, fetch_from[2 +: CountW]} + {1'b0, fetch_asked};
  assign fetch_pc  = {fetch_from[PcW-1 -: HighW] ^ (fetch_steps & {HighW{fetch_low[CountW]}}), fetch_low[CountW-1:0],
                      fetch_from[1:0]};

  // ------------------------------------------------------------------------------------------ why nothing issues
  generate
    if (Watch != 0) begin : gen_stall
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
                 ((valid & held) != '0) ||
                 (part_waits != '0))             stall = 4'(heddle_pkg::StallBranchPending);
        else if ((at_barrier_q != '0) ||
                 (part_stopped != '0))           stall = 4'(heddle_pkg::StallBarrier);
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) stall_o <= '0;
        else         stall_o <= stall;
      end
    end else begin : gen_no_stall
      logic unused_load_store;
      assign unused_load_store = ^{load_store, no_unit};
      assign stall_o = '0;
    end
  endgenerate

  // -------------------------------------------------------------------------------------------------- registers
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetch_valid_o    <= 1'b0;
      fetch_warp_o     <= '0;
      fetch_pc_o       <= '0;
      fetch_tag_o      <= '0;
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
    end else begin
      fetch_valid_o    <= fetch_grant;
      issue_valid_o    <= grant_valid || occupied;
      done_valid_o     <= done_valid;
      overflow_valid_o <= overflow_valid;
      if (fetch_grant) begin
        fetch_warp_o <= fetch_warp;
        fetch_pc_o   <= fetch_pc;
        fetch_tag_o  <= fetch_tag;
      end
      if (grant_valid) begin
        issue_warp_o    <= grant_warp;
        issue_pc_o      <= grant_pc;
        issue_mask_o    <= grant_mask;
        issue_instr_o   <= grant_instr;
        issue_sibling_o <= grant_sibling;
      end
      if (done_valid)     done_warp_o <= done_warp;
      if (overflow_valid) overflow_warp_o <= overflow_warp;
    end
  end

  // A warp waits for a resolution, the barrier unit or the end of time; a kill ends all of them.
  logic [NumWarps-1:0] resolves, overflows;

  assign resolves  = resolved_valid ? NumWarps'(1) << resolved_warp : '0;
  assign overflows = overflow_valid ? NumWarps'(1) << overflow_warp : '0;
  always_comb begin
    controls = '0;
    comes    = '0;
    quiets   = '1;
    for (int s = 0; s < NumSlots; s++) begin
      controls = controls | (grant[s*NumWarps +: NumWarps] & control[s*NumWarps +: NumWarps]);
      comes    = comes | (grant[s*NumWarps +: NumWarps] & barrier[s*NumWarps +: NumWarps]);
      quiets   = quiets & quiet[s*NumWarps +: NumWarps];
    end
    for (int w = 0; w < NumWarps; w++) in_use[w] = depth[w*DepthW +: DepthW] != '0;
  end
  assign issuing = issue_valid_o ? NumWarps'(1) << issue_warp_o : '0;   // a kill leaves it there

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= '0;
      halted_q  <= '0;
      idle_o    <= '0;
    end else begin
      pending_q <= ~killed & (controls | (pending_q & ~resolves));
      halted_q  <= ~killed & (overflows | halted_q);
      idle_o    <= ~in_use & ~writes & ~issuing & quiets;
    end
  end

  generate
    if (Stack == 4) begin : gen_split_barriers
      // A path that is not there any more has joined one that waits there, too.
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) at_barrier_q <= '0;
        else         at_barrier_q <= ~{NumSlots{killed}} & ((grant & barrier) |
                                                            (at_barrier_q & valid & {NumSlots{comes | ~release_i}}));
      end
    end else begin : gen_warp_barriers
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) at_barrier_q <= '0;
        else         at_barrier_q <= ~killed & (comes | (at_barrier_q & ~release_i));
      end
    end

    if (NumSlots > 1) begin : gen_pending_slot
      always_ff @(posedge clk_i) begin
        for (int w = 0; w < NumWarps; w++) if (controls[w]) pending_slot_q[w*SlotW +: SlotW] <= grant_slot;
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) acting_q <= '0;
        else         acting_q <= resolve_valid ? NumWarps'(1) << resolve_warp : '0;
      end
    end else begin : gen_no_pending_slot
      assign pending_slot_q = '0;
      assign acting_q       = '0;
    end
  endgenerate

  generate
    if (NumSlots > 1) begin : gen_slots
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          fetch_slot_o <= '0;
          issue_slot_o <= '0;
        end else begin
          if (fetch_grant) fetch_slot_o <= fetch_slot;
          if (grant_valid) issue_slot_o <= grant_slot;
        end
      end
    end else begin : gen_one_slot
      logic unused_slots;
      assign unused_slots = fetch_slot ^ grant_slot;
      assign fetch_slot_o = '0;
      assign issue_slot_o = '0;
    end
  endgenerate

`ifndef SYNTHESIS
  localparam int PathW = heddle_pkg::idx_width(NumPaths);
  logic [PathW-1:0] resolve_path;
  logic [Lanes-1:0] resolve_mask;   // of the path whose branch is resolved
  assign resolve_path = PathW'(resolve_warp) + ((NumSlots > 1) ? PathW'(resolve_slot) * PathW'(NumWarps) : '0);
  assign resolve_mask = mask[resolve_path*Lanes +: Lanes];

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      // A resolution that no control instruction waits for.
      assert (!(resolve_valid && !waits[resolve_path]));
      // A skip of a branch that does more than diverge: its threads leave, call or return.
      assert (!(resolve_valid && skips && (resolve_exit != '0 || resolve_call || resolve_return)));
      // A skip of a branch that does not diverge.
      assert (!(resolve_valid && skips &&
                (((resolve_mask & resolve_taken) == '0) || ((resolve_mask & ~resolve_taken) == '0))));
      // A control or barrier instruction inside a region: it would wait for the end of the region.
      assert ((valid & head_valid & exclusive & in_region) == '0);
    end
  end
`endif
endmodule
