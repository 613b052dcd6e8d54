// SPDX-License-Identifier: Apache-2.0
// Properties of spe_stack (scripts/prove). One thread of one warp, both arbitrary, is followed by a reference that knows
// nothing of stacks: its PC and call level are what its own branches, calls and returns made of them.
//
//! run NumWarps=1 Lanes=8 Depth=4 LevelW=2
//! run NumWarps=1 Lanes=32 Depth=4 PushOrder=1 LevelW=3
//! run NumWarps=2 Lanes=4 Depth=3 PushOrder=2 LevelW=2
//! run NumWarps=3 Lanes=2 Depth=3 PushOrder=1 LevelW=2
//! assume launch_is_legal: A launched warp has ended, has a number below NumWarps an even PC and at least one thread.
//! assume advance_is_legal: An advance names a warp whose top is not empty and whose resolution does not act.
//! assume resolve_is_legal: A resolution names a warp whose top is not empty, which does not advance in this cycle and has none that acts; only threads of the top exit. PCs are even, an odd resolve_rpc_i is 1, nothing is a call and a return, and neither goes to PC 0.
//! assume kill_is_legal: A kill names a warp with a number below NumWarps that is not launched in this cycle.
//! assume thread_is_one: The thread looked at is any thread of any warp.
//! together thread_in_its_place return_is_learnt child_in_parent top_is_live live_is_reference no_entry_at_rpc sibling_is_right address_is_one top_is_even kept_level_is_met valid_is_mask depth_bound done_is_empty rtl_assertions arrival_at_level taken_in_is_right choice_is_right row_is_not_written overflow_is_flagged overflow_changes_nothing
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant spe_stack_valid_seen_always
//! property valid_is_mask: A top is valid if and only if its mask is not empty; a warp that has ended has no thread.
//!   mutant spe_stack_valid_forgets_the_mask
//! property top_is_live: Only live threads are schedulable.
//!   mutant spe_stack_pop_without_live
//! property live_is_reference: A thread is live from its launch to its exit or the end of its warp by a kill.
//!   mutant spe_stack_exit_stays_live
//! property child_in_parent: Live threads of an entry stand in the nearest entry below that meets elsewhere, at the PC (or waiting for the address) and level where the entry meets, and in none between.
//!   mutant spe_stack_parent_keeps_one_side
//! property no_entry_at_rpc: No entry with a thread stands at its own reconvergence PC and level, or at the level of its RETURN before the address is known.
//!   mutant spe_stack_entry_stays_at_rpc
//! property thread_in_its_place: A live thread stands at the PC and level where its own branches led it, and below at each place where it will meet others: none is lost or doubled.
//!   mutant spe_tail_rule_missing
//! property kept_level_is_met: The entry that waits for a return address is one level below the paths that had not returned when it was pushed over: the entry above it meets at RETURN and at its level.
//!   mutant spe_stack_waits_at_its_own_level
//! property return_is_learnt: A thread that waits for a return address and stands in no entry above has brought it.
//!   mutant learnt_address_lost_at_pop
//! property address_is_one: Entries that meet at one RETURN know one address; an upper one knows it if the lower one does.
//!   only NumWarps=1,2
//!   mutant spe_stack_tail_forgets_the_address
//! property top_is_even: No top has an odd PC.
//!   mutant spe_stack_pop_leaves_return
//! property arrival_at_level: A thread that its own instruction makes wait stands at the address and at the level of the place.
//!   mutant level_ignored_in_arrival
//! property sibling_is_right: The sibling bit says whether the entry below meets at the same place.
//!   mutant sibling_not_inherited
//! property done_is_empty: A warp is done when its last thread has exited, not before.
//!   mutant spe_stack_done_with_threads
//! property depth_bound: A stack never has more than Depth entries, and max_depth_o is at least the depth.
//!   mutant spe_stack_overflow_one_late
//! property overflow_is_flagged: A divergence makes a push or an overflow, and an overflow only where its entries find no room.
//!   only NumWarps=1,2
//!   mutant spe_stack_overflow_one_early
//! property overflow_changes_nothing: After an overflow path, live threads and depth are as before.
//!   only NumWarps=1,2
//!   mutant spe_stack_overflow_changes_live
//! property taken_in_is_right: What is registered of a resolution says what the contract says of it in the cycle in which it acts.
//!   only NumWarps=1,2
//!   mutant spe_tail_at_any_level
//! property row_is_not_written: No row is read at the edge at which it is written: memories that give the old word then and those that give the new one are the same.
//!   only NumWarps=2,3
//!   mutant spe_stack_reads_the_row_it_writes
//! property choice_is_right: The warp that is popped is the lowest-numbered one that had entries and no path a cycle before, other than one that was popped or killed then; it has them still, and its index and whether it ends follow from its depth.
//!   mutant spe_stack_popped_warp_chosen_again
//! property pop_is_bounded: An empty top is popped within (NumWarps - 1) * Depth + 2 cycles.
//!   mutant spe_stack_pop_waits_for_an_advance
module spe_stack_props #(
  parameter  int NumWarps  = 2,
  parameter  int Lanes     = 8,
  parameter  int Depth     = 4,
  parameter  int PushOrder = 0,
  parameter  int LevelW    = 2,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW    = heddle_pkg::idx_width(Depth + 1)
) (
  input logic             clk_i,
  input logic             launch_valid_i,
  input logic [WarpW-1:0] launch_warp_i,
  input logic [31:0]      launch_pc_i,
  input logic [Lanes-1:0] launch_mask_i,
  input logic             advance_valid_i,
  input logic [WarpW-1:0] advance_warp_i,
  input logic             resolve_valid_i,
  input logic [WarpW-1:0] resolve_warp_i,
  input logic [Lanes-1:0] resolve_taken_i,
  input logic [31:0]      resolve_target_i,
  input logic [31:0]      resolve_next_i,
  input logic [31:0]      resolve_rpc_i,
  input logic [Lanes-1:0] resolve_exit_i,
  input logic             resolve_call_i,
  input logic             resolve_return_i,
  input logic             kill_valid_i,
  input logic [WarpW-1:0] kill_warp_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [NumWarps*32-1:0]     pc, rpc;
  logic [NumWarps*LevelW-1:0] level, rpc_level;
  logic [NumWarps*Lanes-1:0]  mask, live;
  logic [NumWarps-1:0]        sibling, valid;
  logic [NumWarps*DepthW-1:0] depth;
  logic                       resolved_valid, resolved_next, push_valid, pop_valid, done_valid, overflow_valid;
  logic                       unused_resolved_slot;
  logic [WarpW-1:0]           resolved_warp, push_warp, pop_warp, done_warp, overflow_warp;
  logic [DepthW-1:0]          max_depth;

  spe_stack #(
    .NumWarps  (NumWarps),
    .Lanes     (Lanes),
    .Depth     (Depth),
    .PushOrder (PushOrder),
    .LevelW    (LevelW)
  ) dut (
    .clk_i            (clk_i),
    .rst_ni           (rst_n),
    .launch_valid_i   (launch_valid_i),
    .launch_warp_i    (launch_warp_i),
    .launch_pc_i      (launch_pc_i),
    .launch_mask_i    (launch_mask_i),
    .kill_valid_i     (kill_valid_i),
    .kill_warp_i      (kill_warp_i),
    .advance_i        (NumWarps'(advance_valid_i) << advance_warp_i),
    .resolve_valid_i  (resolve_valid_i),
    .resolve_warp_i   (resolve_warp_i),
    .resolve_slot_i   (1'b0),
    .resolve_taken_i  (resolve_taken_i),
    .resolve_target_i (resolve_target_i),
    .resolve_next_i   (resolve_next_i),
    .resolve_rpc_i    (resolve_rpc_i),
    .resolve_exit_i   (resolve_exit_i),
    .resolve_call_i   (resolve_call_i),
    .resolve_return_i (resolve_return_i),
    .pc_o             (pc),
    .mask_o           (mask),
    .level_o          (level),
    .valid_o          (valid),
    .sibling_o        (sibling),
    .rpc_o            (rpc),
    .rpc_level_o      (rpc_level),
    .live_o           (live),
    .depth_o          (depth),
    .resolved_valid_o (resolved_valid),
    .resolved_warp_o  (resolved_warp),
    .resolved_slot_o  (unused_resolved_slot),
    .resolved_next_o  (resolved_next),
    .push_valid_o     (push_valid),
    .push_warp_o      (push_warp),
    .pop_valid_o      (pop_valid),
    .pop_warp_o       (pop_warp),
    .done_valid_o     (done_valid),
    .done_warp_o      (done_warp),
    .overflow_valid_o (overflow_valid),
    .overflow_warp_o  (overflow_warp),
    .max_depth_o      (max_depth)
  );

  // A resolution is followed in the cycle in which it acts, unless its warp is killed when it is taken in.
  logic              act_valid, act_call, act_return;
  logic [WarpW-1:0]  act_warp;
  logic [Lanes-1:0]  act_taken, act_exit;
  logic [31:0]       act_target, act_next, act_rpc;
  always_ff @(posedge clk_i) begin
    act_valid  <= rst_n && resolve_valid_i && !(kill_valid_i && (kill_warp_i == resolve_warp_i));
    act_warp   <= resolve_warp_i;
    act_taken  <= resolve_taken_i;
    act_target <= resolve_target_i;
    act_next   <= resolve_next_i;
    act_rpc    <= resolve_rpc_i;
    act_exit   <= resolve_exit_i;
    act_call   <= resolve_call_i;
    act_return <= resolve_return_i;
  end

  // Storage of the RTL, six places of it, even and odd in turn: NumWarps << IndexW must not be more.
  localparam int EntryW  = 2 * (32 + LevelW) + Lanes + 1;       // {pc, mask, level, rpc, rpc_level, sibling}
  localparam int RpcAt   = 1 + LevelW;                          // where the fields begin; rpc_level at 1
  localparam int LevelAt = RpcAt + 32;
  localparam int MaskAt  = LevelAt + LevelW;
  localparam int PcAt    = MaskAt + Lanes;
  localparam int IndexW  = heddle_pkg::idx_width(Depth - 1);
  (* hierconn *) wire [EntryW-1:0] \dut.u_even.gen_inferred.words[0] , \dut.u_even.gen_inferred.words[1] , \dut.u_even.gen_inferred.words[2] ;
  (* hierconn *) wire [EntryW-1:0] \dut.u_odd.gen_inferred.words[0] , \dut.u_odd.gen_inferred.words[1] , \dut.u_odd.gen_inferred.words[2] ;
  wire [6*EntryW-1:0] below = {\dut.u_odd.gen_inferred.words[2] , \dut.u_even.gen_inferred.words[2] ,
                               \dut.u_odd.gen_inferred.words[1] , \dut.u_even.gen_inferred.words[1] ,
                               \dut.u_odd.gen_inferred.words[0] , \dut.u_even.gen_inferred.words[0] };
  initial if ((NumWarps << IndexW) > 6) $fatal(1, "spe_stack_props: another storage than it looks at");

  // The warp and the thread that are looked at, and the warp's stack, entry 0 the bottom.
  (* anyconst *) logic [WarpW-1:0]         warp;
  (* anyconst *) logic [$clog2(Lanes)-1:0] lane;
  logic [DepthW-1:0]       height;
  logic [Depth*EntryW-1:0] entry;
  logic [Lanes-1:0]        top_mask, warp_live;   // of a warp that has ended no thread is live, whatever live_o says
  logic                    killed;
  assign height     = depth[warp*DepthW +: DepthW];
  assign top_mask   = mask[warp*Lanes +: Lanes];
  assign warp_live  = live[warp*Lanes +: Lanes] & {Lanes{height != '0}};
  assign killed     = kill_valid_i && (kill_warp_i == warp);
  generate
    for (genvar i = 0; i < Depth; i++) begin : gen_entry
      assign entry[i*EntryW +: EntryW] =
        (32'(height) == i + 1) ? {pc[warp*32 +: 32], top_mask, level[warp*LevelW +: LevelW], rpc[warp*32 +: 32],
                                      rpc_level[warp*LevelW +: LevelW], sibling[warp]} :
        (i < Depth - 1)        ? below[((32'(warp) << IndexW) + ((i < Depth - 1) ? i : 0))*EntryW +: EntryW] : '0;
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- reference
  logic [Lanes-1:0] own_mask;
  logic             mine, in_own;          // the resolution is of the warp, and of an entry with the thread
  logic             ref_live_q;
  logic [31:0]      ref_pc_q;
  logic [LevelW-1:0] ref_level_q;
  logic [Lanes-1:0] active;                 // threads of the path that do not exit
  assign active   = own_mask & ~act_exit;
  assign own_mask = mask[act_warp*Lanes +: Lanes];
  assign mine     = act_valid && (act_warp == warp);
  assign in_own   = mine && own_mask[lane] && !overflow_valid;
  always_ff @(posedge clk_i) begin
    if (!rst_n || killed) begin
      ref_live_q <= 1'b0;
    end else begin
      if (launch_valid_i && (launch_warp_i == warp)) begin
        ref_live_q  <= launch_mask_i[lane];
        ref_pc_q    <= launch_pc_i;
        ref_level_q <= '0;
      end
      if (advance_valid_i && (advance_warp_i == warp) && top_mask[lane]) begin
        ref_pc_q <= ref_pc_q + 32'd4;
      end
      if (in_own) begin
        if (act_exit[lane]) ref_live_q <= 1'b0;
        ref_pc_q <= act_taken[lane] ? act_target : act_next;
        // Some of a path, but not all, that call or return to the next instruction do neither.
        if (act_taken[lane] && ((act_target != act_next) || ((active & ~act_taken) == '0))) begin
          ref_level_q <= ref_level_q + LevelW'(act_call) - LevelW'(act_return);
        end
      end
    end
  end

  // -------------------------------------------------------------------------------------------------- the properties
  // As the contract has them: whether a path is where an entry meets, and whether two entries meet at one place.
  function automatic logic arrived(input [31:0] at, input [LevelW-1:0] at_level, input [31:0] place,
                                   input [LevelW-1:0] place_level);
    arrived = (place != '0) && (at_level == place_level) &&
              (place[0] ? ((place[31:1] == '0) || (place[31:1] == at[31:1])) : (at == place));
  endfunction
  function automatic logic same(input [31:0] a, input [LevelW-1:0] a_level, input [31:0] b, input [LevelW-1:0] b_level);
    same = (a_level == b_level) && ((a == b) || (a[0] && b[0]));
  endfunction

  logic              not_at_rpc, in_place, in_parent, sibling_right, learnt, one_address, waits_right;
  logic              found, has_parent, has_sibling, waits, same_above, same_below, here;
  logic [31:0]       pc_here, rpc_here, rpc_lower, rpc_above, run_rpc, expected;
  logic [LevelW-1:0] level_here, rl_here, rl_lower, rl_above, expected_level;
  always_comb begin
    not_at_rpc     = 1'b1;
    in_place       = 1'b1;
    in_parent      = 1'b1;
    sibling_right  = 1'b1;
    learnt         = 1'b1;
    one_address    = 1'b1;
    waits_right    = 1'b1;
    has_parent     = 1'b0;
    has_sibling    = 1'b0;
    waits          = 1'b0;
    found          = 1'b0;      // the thread was found; where it is to be found next:
    expected       = ref_pc_q;
    expected_level = ref_level_q;
    here           = 1'b0;
    pc_here        = '0;
    rpc_here       = '0;
    level_here     = '0;
    rl_here        = '0;
    rpc_lower      = '0;
    rl_lower       = '0;
    rpc_above      = '0;
    rl_above       = '0;
    run_rpc        = '0;        // of the topmost of the entries above that meet at one place
    same_above     = 1'b0;
    same_below     = 1'b0;
    for (int i = Depth - 1; i >= 0; i--) begin
      if (i < 32'(height)) begin
        rl_here    = entry[i*EntryW + 1 +: LevelW];
        rpc_here   = entry[i*EntryW + RpcAt +: 32];
        level_here = entry[i*EntryW + LevelAt +: LevelW];
        here       = entry[i*EntryW + MaskAt + 32'(lane)];
        pc_here    = entry[i*EntryW + PcAt +: 32];
        rl_lower   = '0;
        rpc_lower  = '0;
        if (i > 0) begin
          rl_lower  = entry[(i-1)*EntryW + 1 +: LevelW];
          rpc_lower = entry[(i-1)*EntryW + RpcAt +: 32];
        end
        same_below = (i > 0) && same(rpc_here, rl_here, rpc_lower, rl_lower);
        if (entry[i*EntryW] != same_below) sibling_right = 1'b0;
        if (same_below && rpc_lower[0] && (rpc_lower[31:1] != '0) && (rpc_lower != rpc_here)) one_address = 1'b0;
        if ((i == 0) && ((rpc_here != '0) || (rl_here != '0))) in_parent = 1'b0;
        // A waiting entry lies below what it waits for.
        if (pc_here[0]) begin
          waits = 1'b1;
          if ((pc_here != 32'd1) || !rpc_above[0] || (rl_above != level_here) ||
              (rpc_here[0] && (rl_here == level_here))) waits_right = 1'b0;
        end
        if (here && ref_live_q) begin
          if (pc_here[0] ? (rpc_here[0] && (rl_here == level_here))
                         : ((rpc_here[31:1] == '0) || !rpc_here[0]) &&
                           arrived(pc_here, level_here, rpc_here, rl_here)) not_at_rpc = 1'b0;
          if ((level_here != expected_level) || (found && (expected == '0))) in_place = 1'b0;
          if (!pc_here[0] && (pc_here != expected)) in_place = 1'b0;
          if (pc_here[0] && found && !expected[0]) in_place = 1'b0;
          if (pc_here[0] && !found && (run_rpc[31:1] != ref_pc_q[31:1])) in_place = 1'b0;
          if (pc_here[0] && !found && (run_rpc[31:1] == '0)) learnt = 1'b0;
          found          = 1'b1;
          expected       = rpc_here;
          expected_level = rl_here;
        end
        // Between a thread and where it is to be found next are only entries that meet there, too.
        if (found && (i > 0)) begin
          if (same_below) begin
            if (here) has_sibling = 1'b1;
            if (entry[(i-1)*EntryW + MaskAt + 32'(lane)]) in_parent = 1'b0;
          end else begin
            has_parent = 1'b1;
            if (!entry[(i-1)*EntryW + MaskAt + 32'(lane)] || (rpc_here == '0) ||
                (entry[(i-1)*EntryW + LevelAt +: LevelW] != rl_here) ||
                (entry[(i-1)*EntryW + PcAt +: 32] != (rpc_here[0] ? 32'd1 : rpc_here))) in_parent = 1'b0;
          end
        end
        if (!same_above) run_rpc = rpc_here;
        same_above = same_below;
        rpc_above  = rpc_here;
        rl_above   = rl_here;
      end
    end
    if (ref_live_q && (!found || (expected != '0) || ref_pc_q[0])) in_place = 1'b0;
  end

  // Whether the thread's own instruction moved it; a side that waits below its sibling is still on its way.
  logic moved_q, below_has, on_its_way;
  always_ff @(posedge clk_i) begin
    moved_q <= rst_n && !killed && ((in_own && !act_exit[lane]) ||
                         (advance_valid_i && (advance_warp_i == warp) && top_mask[lane]));
  end
  always_comb begin
    below_has = 1'b0;
    for (int i = 0; i < Depth - 1; i++) if (i + 2 == 32'(height)) below_has = entry[i*EntryW + MaskAt + 32'(lane)];
  end
  assign on_its_way = top_mask[lane] || (sibling[warp] && (32'(height) > 1) && below_has);

  // What was before this cycle, for an overflow of the warp.
  logic              overflowed_q;
  logic [Lanes-1:0]  was_mask_q, was_live_q;
  logic [31:0]       was_pc_q, was_rpc_q;
  logic [LevelW-1:0] was_level_q;
  logic [DepthW-1:0] was_height_q;
  always_ff @(posedge clk_i) begin
    overflowed_q <= rst_n && !killed && overflow_valid && (overflow_warp == warp);
    was_mask_q   <= own_mask;
    was_live_q   <= warp_live;
    was_pc_q     <= pc[warp*32 +: 32];
    was_level_q  <= level[warp*LevelW +: LevelW];
    was_rpc_q    <= rpc[warp*32 +: 32];
    was_height_q <= height;
  end

  // Cycles since the top of the warp became empty.
  localparam int WaitW = $clog2((NumWarps - 1) * Depth + 2) + 1;
  logic             ended;
  logic [WaitW-1:0] waited_q;
  assign ended = (height != '0) && !valid[warp];
  always_ff @(posedge clk_i) begin
    if (!rst_n || !ended || (pop_valid && (pop_warp == warp))) waited_q <= '0;
    else                                                       waited_q <= waited_q + WaitW'(1);
  end

  // A pop is chosen a cycle ahead.
  logic             chosen_q;
  logic [WarpW-1:0] chosen_warp_q;
  always_ff @(posedge clk_i) begin
    chosen_q      <= 1'b0;
    chosen_warp_q <= '0;
    for (int w = NumWarps - 1; w >= 0; w--) begin
      if (rst_n && (depth[w*DepthW +: DepthW] != '0) && !valid[w] && !(pop_valid && (pop_warp == WarpW'(w))) &&
          !(kill_valid_i && (kill_warp_i == WarpW'(w)))) begin
        chosen_q      <= 1'b1;
        chosen_warp_q <= WarpW'(w);
      end
    end
  end

  logic splits;      // the resolution is of a divergent branch
  assign splits = act_valid && ((active & act_taken) != '0) && ((active & ~act_taken) != '0) &&
                  (act_target != act_next);

  // Of every warp: a warp out of bounds would write into the storage of another.
  logic valid_right, depth_right;
  always_comb begin
    valid_right = 1'b1;
    depth_right = 32'(max_depth) <= Depth;
    for (int w = 0; w < NumWarps; w++) begin
      if (!((valid[w] == (mask[w*Lanes +: Lanes] != '0)) &&
            ((depth[w*DepthW +: DepthW] != '0) || !valid[w]))) valid_right = 1'b0;
      if ((32'(depth[w*DepthW +: DepthW]) > Depth) || (max_depth < depth[w*DepthW +: DepthW])) depth_right = 1'b0;
    end
  end

  logic launch_ok, advance_ok, resolve_ok, kill_ok;
  assign launch_ok  = (32'(launch_warp_i) < NumWarps) && (depth[launch_warp_i*DepthW +: DepthW] == '0) &&
                      (launch_mask_i != '0) && !launch_pc_i[0];
  assign advance_ok = (32'(advance_warp_i) < NumWarps) && valid[advance_warp_i] &&
                      !(act_valid && (act_warp == advance_warp_i));
  assign resolve_ok = (32'(resolve_warp_i) < NumWarps) && valid[resolve_warp_i] &&
                      ((resolve_exit_i & ~mask[resolve_warp_i*Lanes +: Lanes]) == '0) && !(advance_valid_i && (advance_warp_i == resolve_warp_i)) &&
                      !(act_valid && (act_warp == resolve_warp_i)) &&
                      !resolve_target_i[0] && !resolve_next_i[0] && (!resolve_rpc_i[0] || (resolve_rpc_i[31:1] == '0)) &&
                      !(resolve_call_i && resolve_return_i) &&
                      (!(resolve_call_i || resolve_return_i) || (resolve_target_i != '0));
  assign kill_ok    = (32'(kill_warp_i) < NumWarps) && !(launch_valid_i && (launch_warp_i == kill_warp_i));

  // Registers of the RTL between the two cycles of a resolution, and of a pop.
  (* hierconn *) wire \dut.acting_q , \dut.act_divergent_q , \dut.act_overflow_q , \dut.act_tail_q ;
  (* hierconn *) wire \dut.act_taken_side_q , \dut.act_next_side_q , \dut.act_goes_taken_q , \dut.act_goes_next_q ;
  (* hierconn *) wire \dut.act_ends_q , \dut.act_learns_q , \dut.act_sibling_q , \dut.pop_q , \dut.pop_last_q ;
  (* hierconn *) wire [WarpW-1:0] \dut.act_warp_q , \dut.pop_warp_q ;
  (* hierconn *) wire [31:0] \dut.act_target_q , \dut.act_next_q , \dut.act_rpc_q ;
  (* hierconn *) wire [Lanes-1:0] \dut.act_taken_q , \dut.act_stay_q , \dut.act_exit_q ;
  (* hierconn *) wire [LevelW-1:0] \dut.act_taken_level_q , \dut.act_level_q , \dut.act_rpc_level_q ;
  (* hierconn *) wire [DepthW-1:0] \dut.act_depth_q , \dut.pop_depth_q ;
  localparam int AddrW = heddle_pkg::idx_width(NumWarps << (IndexW - 1));
  (* hierconn *) wire \dut.pop_odd_q ;
  (* hierconn *) wire [AddrW-1:0] \dut.u_even.gen_inferred.read_addr_q , \dut.u_odd.gen_inferred.read_addr_q ;

  // Ports of the storage.
  (* hierconn *) wire \dut.u_even.write_valid_i , \dut.u_even.read_valid_i , \dut.u_odd.write_valid_i , \dut.u_odd.read_valid_i ;
  (* hierconn *) wire [AddrW-1:0] \dut.u_even.write_addr_i , \dut.u_even.read_addr_i , \dut.u_odd.write_addr_i , \dut.u_odd.read_addr_i ;
  wire even_meets = \dut.u_even.write_valid_i && \dut.u_even.read_valid_i , odd_meets = \dut.u_odd.write_valid_i && \dut.u_odd.read_valid_i ;
  wire rows_apart = !(even_meets && (\dut.u_even.write_addr_i == \dut.u_even.read_addr_i )) &&
                    !(odd_meets && (\dut.u_odd.write_addr_i == \dut.u_odd.read_addr_i ));

  // What the contract says of the resolution that acts: where its sides meet, and who is there.
  logic [31:0]       own_rpc, meet, meet_learnt;
  logic [LevelW-1:0] own_level, own_rpc_level, meet_level, to_level;
  logic              is_tail, taken_there, next_there, all_go, none_go, arrives, learns;
  logic [Lanes-1:0]  go, stay;
  always_comb begin
    own_rpc       = rpc[act_warp*32 +: 32];
    own_rpc_level = rpc_level[act_warp*LevelW +: LevelW];
    own_level     = level[act_warp*LevelW +: LevelW];
    to_level      = own_level + LevelW'(act_call) - LevelW'(act_return);
    meet          = act_rpc;
    meet_level    = own_level - LevelW'(act_rpc[0]);
    if ((act_rpc == '0) || (act_rpc[0] && (own_level == '0)) || same(meet, meet_level, own_rpc, own_rpc_level)) begin
      meet       = own_rpc;
      meet_level = own_rpc_level;
    end
    is_tail     = same(meet, meet_level, own_rpc, own_rpc_level);
    taken_there = arrived(act_target, to_level, meet, meet_level);
    next_there  = arrived(act_next, own_level, meet, meet_level);
    meet_learnt = (meet[0] && taken_there) ? {act_target[31:1], 1'b1} : meet;
    go          = active & act_taken;
    stay        = active & ~act_taken;
    all_go      = (go != '0) && (stay == '0);
    none_go     = (stay != '0) && !splits;
    arrives     = all_go ? arrived(act_target, to_level, own_rpc, own_rpc_level)
                         : arrived(act_next, own_level, own_rpc, own_rpc_level);
    learns      = all_go && arrives && own_rpc[0];
  end

  // Entries that the divergence needs: one side at least has not arrived.
  logic [DepthW:0] needed;
  assign needed = (DepthW+1)'(depth[act_warp*DepthW +: DepthW]) + (DepthW+1)'(!is_tail) +
                  (DepthW+1)'(!taken_there && !next_there);

  logic              act_right, choice_right;
  logic [IndexW-1:0] pop_index;
  assign pop_index = IndexW'(depth[\dut.pop_warp_q *DepthW +: DepthW] - DepthW'(2));
  always_comb begin
    act_right = \dut.acting_q == act_valid;
    if (act_valid) begin
      if (!((32'(act_warp) < NumWarps) && (own_mask != '0) && ((act_exit & ~own_mask) == '0) &&
            !act_target[0] && !act_next[0] && (!act_rpc[0] || (act_rpc == 32'd1)) && !(act_call && act_return) &&
            (!(act_call || act_return) || (act_target != '0)))) act_right = 1'b0;
      if (!((\dut.act_warp_q == act_warp) && (\dut.act_target_q == act_target) && (\dut.act_next_q == act_next) &&
            (\dut.act_taken_q == go) && (\dut.act_stay_q == stay) && (\dut.act_taken_level_q == to_level) &&
            (\dut.act_level_q == own_level) && (\dut.act_exit_q == act_exit) &&
            (\dut.act_sibling_q == sibling[act_warp]) && (\dut.act_divergent_q == splits))) act_right = 1'b0;
      if (splits && !((\dut.act_tail_q == is_tail) && (\dut.act_taken_side_q == !taken_there) &&
                      (\dut.act_next_side_q == !next_there) && (\dut.act_rpc_q == meet_learnt) &&
                      (\dut.act_rpc_level_q == meet_level) &&
                      (\dut.act_overflow_q == (32'(needed) > Depth)) && (\dut.act_overflow_q || (\dut.act_depth_q == DepthW'(needed))))) act_right = 1'b0;
      if (!splits && !((\dut.act_goes_taken_q == all_go) && (\dut.act_goes_next_q == none_go) &&
                       (\dut.act_ends_q == (arrives || (!all_go && !none_go))) && (\dut.act_learns_q == learns) &&
                       !\dut.act_overflow_q &&
                       (resolved_next == (!\dut.act_ends_q && (none_go || (act_target == act_next)))))) act_right = 1'b0;
      if (!overflow_valid && !(resolved_valid && (resolved_warp == act_warp))) act_right = 1'b0;
    end
    choice_right = (pop_valid == chosen_q) && (pop_warp == chosen_warp_q) && (pop_valid == \dut.pop_q );
    if (\dut.pop_q && !((32'(\dut.pop_warp_q ) < NumWarps) && (depth[\dut.pop_warp_q *DepthW +: DepthW] != '0) && !valid[\dut.pop_warp_q ] &&
                         (\dut.pop_last_q == (depth[\dut.pop_warp_q *DepthW +: DepthW] == DepthW'(1))) &&
                         (\dut.pop_depth_q == depth[\dut.pop_warp_q *DepthW +: DepthW] - DepthW'(1)) &&
                         (\dut.u_even.gen_inferred.read_addr_q == \dut.u_odd.gen_inferred.read_addr_q ) &&
                         ((AddrW+1)'({\dut.u_even.gen_inferred.read_addr_q , \dut.pop_odd_q }) == (AddrW+1)'({\dut.pop_warp_q , pop_index})))) choice_right = 1'b0;
    if (!\dut.pop_q && \dut.pop_last_q ) choice_right = 1'b0;
  end

  always_comb begin
    thread_is_one: assume ((32'(warp) < NumWarps) && (32'(lane) < Lanes));
    if (rst_n) begin
      launch_is_legal:  assume (!launch_valid_i || launch_ok);
      advance_is_legal: assume (!advance_valid_i || advance_ok);
      resolve_is_legal: assume (!resolve_valid_i || resolve_ok);
      kill_is_legal:    assume (!kill_valid_i || kill_ok);

      rtl_assertions_seen:      cover (advance_valid_i && (32'(height) == Depth));
      valid_is_mask:            assert (valid_right);
      valid_is_mask_seen:       cover (valid[warp]);
      top_is_live:              assert (!top_mask[lane] || warp_live[lane]);
      top_is_live_seen:         cover (top_mask[lane] && (warp_live != top_mask));
      live_is_reference:        assert (warp_live[lane] == ref_live_q);
      live_is_reference_seen:   cover (ref_live_q);
      child_in_parent:          assert (in_parent);
      child_in_parent_seen:     cover (has_parent && (32'(height) == Depth));
      no_entry_at_rpc:          assert (not_at_rpc);
      no_entry_at_rpc_seen:     cover (valid[warp] && (32'(height) == Depth));
      thread_in_its_place:      assert (in_place);
      thread_in_its_place_seen: cover (ref_live_q && (32'(height) == Depth) && !top_mask[lane]);
      kept_level_is_met:        assert (waits_right);
      kept_level_is_met_seen:   cover (waits && has_parent);
      return_is_learnt:         assert (learnt);
      return_is_learnt_seen:    cover (ref_live_q && waits && !on_its_way && pop_valid);
      address_is_one:           assert (one_address);
      address_is_one_seen:      cover (has_sibling && rpc[warp*32] && (rpc[warp*32+1 +: 31] != '0));
      top_is_even:              assert ((height == '0) || !pc[warp*32]);
      top_is_even_seen:         cover (waits && pop_valid && (warp_live != '0));
      arrival_at_level:         assert (!(moved_q && !on_its_way) ||
                                        arrived(ref_pc_q, ref_level_q, rpc[warp*32 +: 32], rpc_level[warp*LevelW +: LevelW]));
      arrival_at_level_seen:    cover (moved_q && !on_its_way && (rpc_level[warp*LevelW +: LevelW] != '0));
      sibling_is_right:         assert (sibling_right);
      sibling_is_right_seen:    cover (has_sibling && sibling[warp]);
      done_is_empty:            assert (!(done_valid && (done_warp == warp) && warp_live[lane]));
      done_is_empty_seen:       cover (done_valid && (done_warp == warp));
      depth_bound:              assert (depth_right);
      depth_bound_seen:         cover (32'(height) == Depth);
      overflow_is_flagged:      assert ((!splits || (push_valid ^ overflow_valid)) && (!push_valid || splits) &&
                                        (!overflow_valid || (splits && (32'(needed) > Depth))) &&
                                        (!push_valid || (32'(needed) <= Depth)));
      overflow_is_flagged_seen: cover (splits && overflow_valid && mine);
      overflow_changes_nothing: assert (!overflowed_q || ((top_mask == was_mask_q) && (pc[warp*32 +: 32] == was_pc_q) &&
                                                          (level[warp*LevelW +: LevelW] == was_level_q) &&
                                                          (rpc[warp*32 +: 32] == was_rpc_q) &&
                                                          (warp_live == was_live_q) && (height == was_height_q)));
      overflow_changes_nothing_seen: cover (overflowed_q && (was_mask_q != was_live_q));
      taken_in_is_right:         assert (act_right);
      taken_in_is_right_seen:    cover (act_valid && push_valid && mine && (32'(height) == 2));
      choice_is_right:           assert (choice_right);
      choice_is_right_seen:      cover (pop_valid && (pop_warp == warp) && !done_valid);
      row_is_not_written:        assert (rows_apart);
      row_is_not_written_seen:   cover (even_meets && odd_meets);
      pop_is_bounded:            assert (32'(waited_q) <= (NumWarps - 1) * Depth + 1);
      pop_is_bounded_seen:       cover (ended && ((NumWarps == 1) || (waited_q != '0)));
    end
  end
endmodule
