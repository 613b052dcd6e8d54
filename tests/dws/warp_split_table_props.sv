// SPDX-License-Identifier: Apache-2.0
// Properties of warp_split_table (scripts/prove). One thread of one warp, both arbitrary, is followed by a reference that
// knows nothing of stacks and splits: its PC and call level are what its own branches, calls and returns made of them.
//
//! run NumWarps=1 Lanes=5 NumSlots=2 Depth=4 LevelW=2
//! run NumWarps=1 Lanes=6 NumSlots=3 Depth=4 PushOrder=1 LevelW=3
//! run NumWarps=2 Lanes=5 NumSlots=2 Depth=3 PushOrder=2 LevelW=2
//! run NumWarps=3 Lanes=4 NumSlots=2 Depth=3 PushOrder=1 LevelW=2
//! run NumWarps=1 Lanes=8 NumSlots=4 Depth=5 PushOrder=3 LevelW=3
//! run NumWarps=1 Lanes=16 NumSlots=8 Depth=4 LevelW=3
//! run NumWarps=1 Lanes=32 NumSlots=2 Depth=4 PushOrder=1 LevelW=3
//! assume launch_is_legal: A launched warp has ended, has a number below NumWarps, an even PC and at least one thread.
//! assume advance_is_legal: An advance names a path that is not empty and has no resolution, in a warp whose resolution does not act.
//! assume resolve_is_legal: A resolution names a path that is not empty, which neither advances in this cycle nor may be joined, in a warp that has none that acts; only threads of the path exit. PCs are even, an odd resolve_rpc_i is 1, nothing is a call and a return, and neither goes to PC 0.
//! assume kill_is_legal: A kill names a warp with a number below NumWarps that is not launched in this cycle.
//! assume thread_is_one: The thread looked at is any thread of any warp.
//! together thread_in_its_place return_is_learnt child_in_parent split_is_live live_is_reference no_entry_at_rpc sibling_is_right address_is_one split_is_even kept_level_is_met valid_is_mask in_one_split waiting_is_right depth_bound done_is_empty rtl_assertions arrival_at_level taken_in_is_right choice_is_right overflow_is_flagged overflow_changes_nothing single_while_unmarked row_is_not_written
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant warp_split_table_valid_seen_always
//! property valid_is_mask: A slot is valid if and only if its mask is not empty; a warp that has ended has no thread.
//!   mutant warp_split_table_valid_forgets_the_mask
//! property in_one_split: A thread is in one split of its warp at most, whether that has a slot or waits.
//!   mutant warp_split_table_joined_path_stays
//! property split_is_live: Only live threads are in a split.
//!   mutant warp_split_table_pop_without_live
//! property live_is_reference: A thread is live from its launch to its exit or the end of its warp by a kill.
//!   mutant warp_split_table_exit_stays_live
//! property child_in_parent: Live threads of an entry stand in the nearest entry below that meets elsewhere, at the PC (or waiting for the address) and level where the entry meets, and in none between.
//!   mutant warp_split_table_parent_keeps_one_side
//! property no_entry_at_rpc: No split and no entry with a thread stands at its own reconvergence PC and level, or at the level of its RETURN before the address is known.
//!   mutant warp_split_table_side_stays_at_rpc
//! property thread_in_its_place: A live thread stands, in a split or in an entry, at the PC and level where its own branches led it, and below at each place where it will meet others: none is lost or doubled.
//!   mutant warp_split_table_join_forgets_threads
//! property kept_level_is_met: The entry that waits for a return address is one level below the paths that had not returned when it was pushed over: the entry above it meets at RETURN and at its level.
//!   mutant warp_split_table_waits_at_its_own_level
//! property return_is_learnt: A thread that waits for a return address and stands in no entry above has brought it.
//!   mutant warp_split_table_side_learns_nothing
//! property address_is_one: Entries that meet at one RETURN know one address; an upper one knows it if the lower one does.
//!   mutant warp_split_table_tail_forgets_the_address
//! property split_is_even: No split has an odd PC.
//!   mutant warp_split_table_pop_leaves_return
//! property arrival_at_level: A thread that its own instruction makes wait stands at the address and at the level of the place.
//!   mutant warp_split_table_level_ignored_in_arrival
//! property sibling_is_right: The entry's sibling bit says whether the entry below meets at the same place; sibling_o of a slot also whether there is another split.
//!   mutant warp_split_table_waiting_is_no_sibling
//! property waiting_is_right: What waits above the rows of entries are splits with PCs, and only they; there are as many rows as depth says.
//!   mutant warp_split_table_refill_forgets_who_waits
//! property single_while_unmarked: Until a resolution is marked a warp has one path at most, in slot 0.
//!   mutant warp_split_table_divides_unmarked
//! property done_is_empty: A warp is done when its last thread has exited, not before.
//!   mutant warp_split_table_done_with_threads
//! property depth_bound: A warp never has more than Depth - 1 rows, max_depth_o is at least the depth, and max_splits_o neither below the valid slots nor above NumSlots.
//!   mutant warp_split_table_overflow_one_late
//! property overflow_is_flagged: A divergence makes a push or an overflow, or splits; an overflow only where there is no room.
//!   mutant warp_split_table_overflow_one_early
//! property overflow_changes_nothing: After an overflow paths, live threads and depth are as before.
//!   only NumWarps=1,2
//!   mutant warp_split_table_overflow_changes_live
//! property kill_empties: After a kill the warp has depth 0 and no path.
//!   mutant warp_split_table_killed_split_stays
//! property taken_in_is_right: What is registered of a resolution says what the contract says of it in the cycle in which it acts.
//!   mutant warp_split_table_tail_at_any_level
//! property row_is_not_written: No row is read at the edge at which it is written: memories that give the old word then and those that give the new one are the same.
//!   only NumWarps=2,3
//!   mutant warp_split_table_reads_the_row_it_writes
//! property choice_is_right: The warp that is popped or refilled is the lowest-numbered one that a cycle before had no path, or a free slot and a split that waits, and no resolution, other than one that was popped, refilled or killed then.
//!   mutant warp_split_table_popped_warp_chosen_again
module warp_split_table_props #(
  parameter  int NumWarps  = 2,
  parameter  int Lanes     = 8,
  parameter  int NumSlots  = 2,
  parameter  int Depth     = 4,
  parameter  int PushOrder = 0,
  parameter  int LevelW    = 2,
  localparam int NumPaths  = NumSlots * NumWarps,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW     = heddle_pkg::idx_width(NumSlots),
  localparam int SplitW    = heddle_pkg::idx_width(NumSlots + 1),
  localparam int DepthW    = heddle_pkg::idx_width(Depth + 1)
) (
  input logic             clk_i,
  input logic             launch_valid_i,
  input logic [WarpW-1:0] launch_warp_i,
  input logic [31:0]      launch_pc_i,
  input logic [Lanes-1:0] launch_mask_i,
  input logic             advance_valid_i,
  input logic [WarpW-1:0] advance_warp_i,
  input logic [SlotW-1:0] advance_slot_i,
  input logic [NumPaths-1:0] merge_i,
  input logic             resolve_valid_i,
  input logic [WarpW-1:0] resolve_warp_i,
  input logic [SlotW-1:0] resolve_slot_i,
  input logic [Lanes-1:0] resolve_taken_i,
  input logic [31:0]      resolve_target_i,
  input logic [31:0]      resolve_next_i,
  input logic [31:0]      resolve_rpc_i,
  input logic [Lanes-1:0] resolve_exit_i,
  input logic             resolve_call_i,
  input logic             resolve_return_i,
  input logic [3:0]       resolve_kind_i,
  input logic             kill_valid_i,
  input logic [WarpW-1:0] kill_warp_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [NumPaths*32-1:0]     pc;
  logic [NumPaths*LevelW-1:0] level;
  logic [NumPaths*Lanes-1:0]  mask;
  logic [NumPaths-1:0]        sibling, valid;
  logic [NumWarps*32-1:0]     rpc;
  logic [NumWarps*LevelW-1:0] rpc_level;
  logic [NumWarps*Lanes-1:0]  live;
  logic [NumWarps*DepthW-1:0] depth;
  logic                       resolved_valid, resolved_next, push_valid, pop_valid, done_valid, overflow_valid;
  logic [SlotW-1:0]           resolved_slot;
  logic [WarpW-1:0]           resolved_warp, push_warp, pop_warp, done_warp, overflow_warp;
  logic [DepthW-1:0]          max_depth;
  logic [SplitW-1:0]          max_splits;
  logic [31:0]                unused_splits, unused_merges, unused_refused;
  logic [NumPaths-1:0]        advance;

  always_comb begin
    advance = '0;
    for (int p = 0; p < NumPaths; p++) begin
      advance[p] = advance_valid_i && (32'(advance_warp_i) == p % NumWarps) && (32'(advance_slot_i) == p / NumWarps);
    end
  end

  warp_split_table #(
    .NumWarps  (NumWarps),
    .Lanes     (Lanes),
    .NumSlots  (NumSlots),
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
    .advance_i        (advance),
    .merge_i          (merge_i),
    .resolve_valid_i  (resolve_valid_i),
    .resolve_warp_i   (resolve_warp_i),
    .resolve_slot_i   (resolve_slot_i),
    .resolve_taken_i  (resolve_taken_i),
    .resolve_target_i (resolve_target_i),
    .resolve_next_i   (resolve_next_i),
    .resolve_rpc_i    (resolve_rpc_i),
    .resolve_exit_i   (resolve_exit_i),
    .resolve_call_i   (resolve_call_i),
    .resolve_return_i (resolve_return_i),
    .resolve_kind_i   (resolve_kind_i),
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
    .max_depth_o      (max_depth),
    .max_splits_o     (max_splits),
    .splits_o         (unused_splits),
    .merges_o         (unused_merges),
    .refused_o        (unused_refused)
  );

  // A resolution is followed in the cycle in which it acts, unless its warp is killed when it is taken in.
  logic              act_valid, act_call, act_return, act_mark;
  logic [SlotW-1:0]  act_slot;
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
    act_mark   <= resolve_kind_i == 4'(heddle_pkg::MarkDivide);
    act_slot   <= resolve_slot_i;
  end

  // Storage of the RTL, six places of it, even and odd in turn: NumWarps << IndexW must not be more.
  localparam int EntryW  = 2 * (32 + LevelW) + Lanes + 2;       // {pc, mask, level, rpc, rpc_level, sibling, waiting}
  localparam int RlAt    = 2;                                   // where the fields begin; sibling at 1, waiting at 0
  localparam int RpcAt   = RlAt + LevelW;
  localparam int LevelAt = RpcAt + 32;
  localparam int MaskAt  = LevelAt + LevelW;
  localparam int PcAt    = MaskAt + Lanes;
  localparam int IndexW  = heddle_pkg::idx_width(Depth - 1);
  (* hierconn *) wire [EntryW-1:0] \dut.u_even.gen_inferred.words[0] , \dut.u_even.gen_inferred.words[1] , \dut.u_even.gen_inferred.words[2] ;
  (* hierconn *) wire [EntryW-1:0] \dut.u_odd.gen_inferred.words[0] , \dut.u_odd.gen_inferred.words[1] , \dut.u_odd.gen_inferred.words[2] ;
  wire [6*EntryW-1:0] below = {\dut.u_odd.gen_inferred.words[2] , \dut.u_even.gen_inferred.words[2] ,
                               \dut.u_odd.gen_inferred.words[1] , \dut.u_even.gen_inferred.words[1] ,
                               \dut.u_odd.gen_inferred.words[0] , \dut.u_even.gen_inferred.words[0] };
  initial if ((NumWarps << IndexW) > 6) $fatal(1, "warp_split_table_props: another storage than it looks at");

  // The warp and the thread that are looked at, and the warp's stack, entry 0 the bottom.
  (* anyconst *) logic [WarpW-1:0]         warp;
  (* anyconst *) logic [$clog2(Lanes)-1:0] lane;
  (* hierconn *) wire [NumWarps-1:0] \dut.sibling_q , \dut.waiting_q ;
  logic [DepthW-1:0]       rows, height;            // depth; entries of it, without the splits that wait
  logic [Depth*EntryW-1:0] row, entry;
  logic [Lanes-1:0]        top_mask, warp_live;     // of a warp that has ended no thread is live, whatever live_o says
  logic [31:0]             top_pc;                  // of the split of the thread
  logic [LevelW-1:0]       top_level;
  logic [NumSlots-1:0]     valids;
  logic                    killed, chain;           // chain: all rows above are splits that wait
  logic                    one_split, waiting_right, in_top, split_even;
  logic [DepthW-1:0]       waiters;
  assign rows      = depth[warp*DepthW +: DepthW];
  assign warp_live = live[warp*Lanes +: Lanes] & {Lanes{rows != '0}};
  assign killed    = kill_valid_i && (kill_warp_i == warp);
  generate
    for (genvar i = 0; i < Depth; i++) begin : gen_row
      if (i < Depth - 1) begin : gen_stored
        assign row[i*EntryW +: EntryW] = below[((32'(warp) << IndexW) + i)*EntryW +: EntryW];
      end else begin : gen_none
        assign row[i*EntryW +: EntryW] = '0;
      end
    end
    for (genvar s = 0; s < NumSlots; s++) begin : gen_valids
      assign valids[s] = valid[s*NumWarps + 32'(warp)];
    end
  endgenerate

  // As the contract has them: whether a path is where an entry meets, and whether two entries meet at one place.
  function automatic logic arrived(input [31:0] at, input [LevelW-1:0] at_level, input [31:0] place,
                                   input [LevelW-1:0] place_level);
    arrived = (place != '0) && (at_level == place_level) &&
              (place[0] ? ((place[31:1] == '0) || (place[31:1] == at[31:1])) : (at == place));
  endfunction
  function automatic logic same(input [31:0] a, input [LevelW-1:0] a_level, input [31:0] b, input [LevelW-1:0] b_level);
    same = (a_level == b_level) && ((a == b) || (a[0] && b[0]));
  endfunction


  // The splits of the top entry: those of the slots, then those that wait.
  logic [31:0]       own_pc, own_rpc_now;
  logic [LevelW-1:0] own_lv, own_rl_now;
  assign own_rpc_now = rpc[warp*32 +: 32];
  assign own_rl_now  = rpc_level[warp*LevelW +: LevelW];
  always_comb begin
    top_mask      = '0;
    top_pc        = '0;
    top_level     = '0;
    in_top        = 1'b0;
    one_split     = 1'b1;
    split_even    = 1'b1;
    waiting_right = 1'b1;
    waiters       = '0;
    own_pc        = '0;
    own_lv        = '0;
    for (int s = 0; s < NumSlots; s++) begin
      if (valid[s*NumWarps + 32'(warp)]) begin
        own_pc = pc[(s*NumWarps + 32'(warp))*32 +: 32];
        own_lv = level[(s*NumWarps + 32'(warp))*LevelW +: LevelW];
        if (own_pc[0]) split_even = 1'b0;
        if ((top_mask & mask[(s*NumWarps + 32'(warp))*Lanes +: Lanes]) != '0) one_split = 1'b0;
        top_mask = top_mask | mask[(s*NumWarps + 32'(warp))*Lanes +: Lanes];
        if (mask[(s*NumWarps + 32'(warp))*Lanes + 32'(lane)]) begin
          in_top    = 1'b1;
          top_pc    = own_pc;
          top_level = own_lv;
        end
      end
    end
    chain = (rows != '0) && \dut.waiting_q [warp];
    if (chain && (32'(rows) < 2)) waiting_right = 1'b0;
    for (int i = Depth - 2; i >= 0; i--) begin
      if (i + 1 < 32'(rows)) begin
        if (chain) begin
          own_pc  = row[i*EntryW + PcAt +: 32];
          own_lv  = row[i*EntryW + LevelAt +: LevelW];
          waiters = waiters + DepthW'(1);
          if (own_pc[0]) split_even = 1'b0;
          if (row[i*EntryW + MaskAt +: Lanes] == '0) waiting_right = 1'b0;
          if ((top_mask & row[i*EntryW + MaskAt +: Lanes]) != '0) one_split = 1'b0;
          top_mask = top_mask | row[i*EntryW + MaskAt +: Lanes];
          if (row[i*EntryW + MaskAt + 32'(lane)]) begin
            in_top    = 1'b1;
            top_pc    = own_pc;
            top_level = own_lv;
          end
          if ((i == 0) && row[0]) waiting_right = 1'b0;
          chain = row[i*EntryW];
        end else if (row[i*EntryW]) begin
          waiting_right = 1'b0;
        end
      end
    end
  end
  assign height = rows - waiters;
  generate
    for (genvar i = 0; i < Depth; i++) begin : gen_entry
      assign entry[i*EntryW +: EntryW] =
        (32'(height) == i + 1) ? {top_pc, top_mask, top_level, own_rpc_now, own_rl_now, \dut.sibling_q [warp], 1'b0} :
                                 row[i*EntryW +: EntryW];
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
  assign own_mask = mask[(32'(act_slot)*NumWarps + 32'(act_warp))*Lanes +: Lanes];
  assign mine     = act_valid && (act_warp == warp);
  assign in_own   = mine && own_mask[lane] && !overflow_valid;
  logic advances;                          // a path with the thread
  assign advances = advance_valid_i && (advance_warp_i == warp) &&
                    mask[(32'(advance_slot_i)*NumWarps + 32'(warp))*Lanes + 32'(lane)];
  always_ff @(posedge clk_i) begin
    if (!rst_n || killed) begin
      ref_live_q <= 1'b0;
    end else begin
      if (launch_valid_i && (launch_warp_i == warp)) begin
        ref_live_q  <= launch_mask_i[lane];
        ref_pc_q    <= launch_pc_i;
        ref_level_q <= '0;
      end
      if (advances) begin
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
        rl_here    = entry[i*EntryW + RlAt +: LevelW];
        rpc_here   = entry[i*EntryW + RpcAt +: 32];
        level_here = entry[i*EntryW + LevelAt +: LevelW];
        here       = entry[i*EntryW + MaskAt + 32'(lane)];
        pc_here    = entry[i*EntryW + PcAt +: 32];
        rl_lower   = '0;
        rpc_lower  = '0;
        if (i > 0) begin
          rl_lower  = entry[(i-1)*EntryW + RlAt +: LevelW];
          rpc_lower = entry[(i-1)*EntryW + RpcAt +: 32];
        end
        same_below = (i > 0) && same(rpc_here, rl_here, rpc_lower, rl_lower);
        if (entry[i*EntryW + 1] != same_below) sibling_right = 1'b0;
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
  always_ff @(posedge clk_i) moved_q <= rst_n && !killed && ((in_own && !act_exit[lane]) || advances);
  always_comb begin
    below_has = 1'b0;
    for (int i = 0; i < Depth - 1; i++) if (i + 2 == 32'(height)) below_has = entry[i*EntryW + MaskAt + 32'(lane)];
  end
  assign on_its_way = top_mask[lane] || (\dut.sibling_q [warp] && (32'(height) > 1) && below_has);

  // What was before this cycle, for an overflow of the warp, and a kill.
  logic                overflowed_q, killed_q;
  logic [Lanes-1:0]    was_mask_q, was_live_q;
  logic [31:0]         was_pc_q, was_rpc_q;
  logic [LevelW-1:0]   was_level_q;
  logic [NumSlots-1:0] was_valids_q;
  logic [DepthW-1:0]   was_rows_q;
  always_ff @(posedge clk_i) begin
    overflowed_q <= rst_n && !killed && overflow_valid && (overflow_warp == warp);
    killed_q     <= rst_n && killed;
    was_mask_q   <= top_mask;
    was_live_q   <= warp_live;
    was_pc_q     <= top_pc;
    was_level_q  <= top_level;
    was_rpc_q    <= own_rpc_now;
    was_valids_q <= valids;
    was_rows_q   <= rows;
  end

  // Registers of the RTL between the two cycles of a resolution, and of a pop.
  (* hierconn *) wire \dut.acting_q , \dut.act_divergent_q , \dut.act_overflow_q , \dut.act_tail_q , \dut.act_mark_q ;
  (* hierconn *) wire \dut.act_taken_side_q , \dut.act_next_side_q , \dut.act_goes_taken_q , \dut.act_goes_next_q ;
  (* hierconn *) wire \dut.act_taken_home_q , \dut.act_next_home_q , \dut.act_learns_q , \dut.act_sibling_q ;
  (* hierconn *) wire \dut.act_same_target_q , \dut.pop_q , \dut.pop_last_q , \dut.refill_q ;
  (* hierconn *) wire [WarpW-1:0] \dut.act_warp_q , \dut.pop_warp_q ;
  (* hierconn *) wire [SlotW-1:0] \dut.act_slot_q ;
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

  // A resolution of the warp has been marked since its launch.
  logic marked_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n || (launch_valid_i && (launch_warp_i == warp)))                      marked_q <= 1'b0;
    else if (resolve_valid_i && (resolve_kind_i == 4'(heddle_pkg::MarkDivide)) && (resolve_warp_i == warp)) marked_q <= 1'b1;
  end

  // A pop or refill is chosen a cycle ahead.
  logic                chosen_q, chosen_waits_q;
  logic [WarpW-1:0]    chosen_warp_q;
  logic [NumSlots-1:0] valids_of;
  logic [NumWarps-1:0] wants;
  always_comb begin
    wants = '0;
    for (int w = 0; w < NumWarps; w++) begin
      for (int s = 0; s < NumSlots; s++) valids_of[s] = valid[s*NumWarps + w];
      wants[w] = (depth[w*DepthW +: DepthW] != '0) &&
                 ((valids_of == '0) || (\dut.waiting_q [w] && (valids_of != '1))) &&
                 !((\dut.pop_q || \dut.refill_q ) && (\dut.pop_warp_q == WarpW'(w))) &&
                 !(kill_valid_i && (kill_warp_i == WarpW'(w))) && !(act_valid && (act_warp == WarpW'(w))) &&
                 !(resolve_valid_i && (resolve_warp_i == WarpW'(w)));
    end
  end
  always_ff @(posedge clk_i) begin
    chosen_q       <= 1'b0;
    chosen_waits_q <= 1'b0;
    chosen_warp_q  <= '0;
    for (int w = NumWarps - 1; w >= 0; w--) begin
      if (rst_n && wants[w]) begin
        chosen_q       <= 1'b1;
        chosen_waits_q <= \dut.waiting_q [w];
        chosen_warp_q  <= WarpW'(w);
      end
    end
  end

  logic splits;      // the resolution is of a divergent branch
  assign splits = act_valid && ((active & act_taken) != '0) && ((active & ~act_taken) != '0) &&
                  (act_target != act_next);

  // Of the warp looked at only, which is any: of another warp nothing is assumed in the induction step.
  logic              valid_right, depth_right;
  logic [SplitW-1:0] slots_used;
  always_comb begin
    valid_right = 1'b1;
    depth_right = (32'(rows) <= Depth) && (max_depth >= rows) && (32'(max_depth) <= Depth) &&
                  (32'(max_splits) <= NumSlots);
    slots_used  = '0;
    for (int s = 0; s < NumSlots; s++) begin
      if (!((valids[s] == (mask[(s*NumWarps + 32'(warp))*Lanes +: Lanes] != '0)) && ((rows != '0) || !valids[s]))) begin
        valid_right = 1'b0;
      end
      slots_used = slots_used + SplitW'(valids[s]);
    end
  end

  function automatic logic is_valid(input [WarpW-1:0] of_warp, input [SlotW-1:0] of_slot);
    is_valid = (32'(of_warp) < NumWarps) && (32'(of_slot) < NumSlots) &&
               valid[32'(of_slot)*NumWarps + 32'(of_warp)];
  endfunction
  logic launch_ok, advance_ok, resolve_ok, kill_ok;
  assign launch_ok  = (32'(launch_warp_i) < NumWarps) && (depth[launch_warp_i*DepthW +: DepthW] == '0) &&
                      (launch_mask_i != '0) && !launch_pc_i[0];
  assign advance_ok = is_valid(advance_warp_i, advance_slot_i) && !(act_valid && (act_warp == advance_warp_i));
  assign resolve_ok = is_valid(resolve_warp_i, resolve_slot_i) &&
                      ((resolve_exit_i & ~mask[(32'(resolve_slot_i)*NumWarps + 32'(resolve_warp_i))*Lanes +: Lanes]) == '0) &&
                      !(advance_valid_i && (advance_warp_i == resolve_warp_i) && (advance_slot_i == resolve_slot_i)) &&
                      !merge_i[32'(resolve_slot_i)*NumWarps + 32'(resolve_warp_i)] &&
                      !(act_valid && (act_warp == resolve_warp_i)) &&
                      !resolve_target_i[0] && !resolve_next_i[0] && (!resolve_rpc_i[0] || (resolve_rpc_i[31:1] == '0)) &&
                      !(resolve_call_i && resolve_return_i) &&
                      (!(resolve_call_i || resolve_return_i) || (resolve_target_i != '0));
  assign kill_ok    = (32'(kill_warp_i) < NumWarps) && !(launch_valid_i && (launch_warp_i == kill_warp_i));

  // What the contract says of the resolution that acts: where its sides meet, and who is there.
  logic [31:0]         own_rpc, meet, meet_learnt;
  logic [LevelW-1:0]   own_level, own_rpc_level, meet_level, to_level;
  logic                is_tail, taken_there, next_there, all_go, none_go, taken_home, next_home, divides;
  logic [Lanes-1:0]    go, stay;
  logic [NumSlots-1:0] act_valids;
  always_comb begin
    for (int s = 0; s < NumSlots; s++) act_valids[s] = valid[s*NumWarps + 32'(act_warp)];
    own_rpc       = rpc[act_warp*32 +: 32];
    own_rpc_level = rpc_level[act_warp*LevelW +: LevelW];
    own_level     = level[(32'(act_slot)*NumWarps + 32'(act_warp))*LevelW +: LevelW];
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
    taken_home  = arrived(act_target, to_level, own_rpc, own_rpc_level);
    next_home   = arrived(act_next, own_level, own_rpc, own_rpc_level);
    meet_learnt = (meet[0] && taken_there) ? {act_target[31:1], 1'b1} : meet;
    go          = active & act_taken;
    stay        = active & ~act_taken;
    all_go      = (go != '0) && (stay == '0);
    none_go     = (stay != '0) && !splits;
    divides     = splits && (act_mark || \dut.waiting_q [act_warp] || ((act_valids & (act_valids - NumSlots'(1))) != '0));
  end

  // Entries that a push needs: one side at least has not arrived.
  logic [DepthW:0] needed;
  assign needed = (DepthW+1)'(depth[act_warp*DepthW +: DepthW]) + (DepthW+1)'(!is_tail) +
                  (DepthW+1)'(!taken_there && !next_there);

  logic pop_full;
  always_comb begin
    pop_full = 1'b1;
    for (int s = 0; s < NumSlots; s++) if (!valid[s*NumWarps + 32'(\dut.pop_warp_q )]) pop_full = 1'b0;
  end

  logic act_right, choice_right;
  logic [IndexW-1:0] pop_index;
  assign pop_index = IndexW'(depth[\dut.pop_warp_q *DepthW +: DepthW] - DepthW'(2));
  always_comb begin
    act_right = (\dut.acting_q == act_valid) &&
                (!act_valid || ((32'(act_warp) < NumWarps) && (\dut.act_warp_q == act_warp)));
    if (mine) begin
      if (act_mark && !marked_q) act_right = 1'b0;
      if (!(is_valid(act_warp, act_slot) && ((act_exit & ~own_mask) == '0) &&
            !act_target[0] && !act_next[0] && (!act_rpc[0] || (act_rpc == 32'd1)) && !(act_call && act_return) &&
            (!(act_call || act_return) || (act_target != '0)))) act_right = 1'b0;
      if (!((\dut.act_slot_q == act_slot) && (\dut.act_mark_q == act_mark) &&
            (\dut.act_target_q == act_target) && (\dut.act_next_q == act_next) &&
            (\dut.act_taken_q == go) && (\dut.act_stay_q == stay) && (\dut.act_taken_level_q == to_level) &&
            (\dut.act_level_q == own_level) && (\dut.act_exit_q == act_exit) &&
            (\dut.act_taken_home_q == taken_home) && (\dut.act_next_home_q == next_home) &&
            (\dut.act_learns_q == (own_rpc[0] && taken_home)) && (\dut.act_same_target_q == (act_target == act_next)) &&
            (\dut.act_sibling_q == \dut.sibling_q [act_warp]) && (\dut.act_divergent_q == splits) &&
            (\dut.act_goes_taken_q == all_go) && (\dut.act_goes_next_q == none_go))) act_right = 1'b0;
      if (splits && !((\dut.act_tail_q == is_tail) && (\dut.act_taken_side_q == !taken_there) &&
                      (\dut.act_next_side_q == !next_there) && (\dut.act_rpc_q == meet_learnt) &&
                      (\dut.act_rpc_level_q == meet_level))) act_right = 1'b0;
      if (splits && !divides &&
          !((\dut.act_overflow_q == (32'(needed) > Depth)) &&
            (\dut.act_overflow_q || (\dut.act_depth_q == DepthW'(needed))))) act_right = 1'b0;
      if (!overflow_valid && !(resolved_valid && (resolved_warp == act_warp) && (resolved_slot == act_slot))) act_right = 1'b0;
    end
    choice_right = (\dut.pop_q == (chosen_q && !chosen_waits_q)) && (\dut.refill_q == (chosen_q && chosen_waits_q)) &&
                   (\dut.pop_warp_q == chosen_warp_q) && (pop_valid == \dut.pop_q ) &&
                   (pop_warp == (pop_valid ? chosen_warp_q : '0));
    if (chosen_q && !((32'(\dut.pop_warp_q ) < NumWarps) && (depth[\dut.pop_warp_q *DepthW +: DepthW] != '0) &&
                      (\dut.waiting_q [\dut.pop_warp_q ] == \dut.refill_q ) && !(act_valid && (act_warp == \dut.pop_warp_q )) &&
                      (\dut.pop_last_q == (depth[\dut.pop_warp_q *DepthW +: DepthW] == DepthW'(1))) &&
                      (\dut.pop_depth_q == depth[\dut.pop_warp_q *DepthW +: DepthW] - DepthW'(1)) &&
                      (\dut.u_even.gen_inferred.read_addr_q == \dut.u_odd.gen_inferred.read_addr_q ) &&
                      ((AddrW+1)'({\dut.u_even.gen_inferred.read_addr_q , \dut.pop_odd_q }) == (AddrW+1)'({\dut.pop_warp_q , pop_index})))) choice_right = 1'b0;
    // A pop still has no path, a refill still a free slot.
    if (\dut.pop_q || \dut.refill_q ) begin
      for (int s = 0; s < NumSlots; s++) if (\dut.pop_q && valid[s*NumWarps + 32'(\dut.pop_warp_q )]) choice_right = 1'b0;
    end
    if (\dut.refill_q ) begin
      if (pop_full) choice_right = 1'b0;
    end
    if (!\dut.pop_q && \dut.pop_last_q && (\dut.pop_warp_q == warp)) choice_right = 1'b0;
  end
  // The top entry meets where the one below it does.
  logic        same_at_top;
  logic [31:0] next_rpc;
  logic [LevelW-1:0] next_rl;
  always_comb begin
    same_at_top = 1'b0;
    next_rpc    = '0;
    next_rl     = '0;
    for (int i = 0; i < Depth - 1; i++) begin
      if (i + 2 == 32'(height)) begin
        next_rpc    = entry[i*EntryW + RpcAt +: 32];
        next_rl     = entry[i*EntryW + RlAt +: LevelW];
        same_at_top = same(own_rpc_now, own_rl_now, next_rpc, next_rl);
      end
    end
  end

  logic sibling_shown;
  always_comb begin
    sibling_shown = 1'b1;
    for (int s = 0; s < NumSlots; s++) begin
      if (sibling[s*NumWarps + 32'(warp)] != (((valids & ~(NumSlots'(1) << s)) != '0) || (waiters != '0) || same_at_top)) begin
        sibling_shown = 1'b0;
      end
    end
  end
  always_comb begin
    thread_is_one: assume ((32'(warp) < NumWarps) && (32'(lane) < Lanes));
    if (rst_n) begin
      launch_is_legal:  assume (!launch_valid_i || launch_ok);
      advance_is_legal: assume (!advance_valid_i || advance_ok);
      resolve_is_legal: assume (!resolve_valid_i || resolve_ok);
      kill_is_legal:    assume (!kill_valid_i || kill_ok);

      rtl_assertions_seen:      cover (advance_valid_i && (32'(rows) == Depth));
      valid_is_mask:            assert (valid_right);
      valid_is_mask_seen:       cover (valids == '1);
      in_one_split:             assert (one_split);
      in_one_split_seen:        cover ((waiters != '0) && in_top);
      split_is_live:            assert ((top_mask & ~warp_live) == '0);
      split_is_live_seen:       cover (in_top && (slots_used == SplitW'(2)));
      live_is_reference:        assert (warp_live[lane] == ref_live_q);
      live_is_reference_seen:   cover (ref_live_q);
      child_in_parent:          assert (in_parent);
      child_in_parent_seen:     cover (has_parent && (slots_used == SplitW'(2)));
      no_entry_at_rpc:          assert (not_at_rpc);
      no_entry_at_rpc_seen:     cover ((own_rpc_now != '0) && (slots_used == SplitW'(2)) && (waiters != '0));
      thread_in_its_place:      assert (in_place);
      thread_in_its_place_seen: cover (ref_live_q && (waiters != '0) && !valids[0]);
      kept_level_is_met:        assert (waits_right);
      kept_level_is_met_seen:   cover (waits && has_parent);
      return_is_learnt:         assert (learnt);
      return_is_learnt_seen:    cover (ref_live_q && waits && !on_its_way && (slots_used != '0));
      address_is_one:           assert (one_address);
      address_is_one_seen:      cover (has_sibling && own_rpc_now[0] && (own_rpc_now[31:1] != '0));
      split_is_even:            assert (split_even);
      split_is_even_seen:       cover (waits && pop_valid && (warp_live != '0));
      arrival_at_level:         assert (!(moved_q && !on_its_way) ||
                                        arrived(ref_pc_q, ref_level_q, own_rpc_now, own_rl_now));
      arrival_at_level_seen:    cover (moved_q && !on_its_way && (own_rl_now != '0) && (slots_used != '0));
      sibling_is_right:         assert (sibling_right && ((rows == '0) || sibling_shown));
      sibling_is_right_seen:    cover (has_sibling && \dut.sibling_q [warp]);
      waiting_is_right:         assert (waiting_right);
      waiting_is_right_seen:    cover (32'(waiters) == 2);
      single_while_unmarked:    assert (marked_q || (rows == '0) || ((32'(valids) <= 1) && (waiters == '0)));
      single_while_unmarked_seen: cover (!marked_q && valids[0] && (32'(rows) == Depth));
      done_is_empty:            assert (!(done_valid && (done_warp == warp) && warp_live[lane]));
      done_is_empty_seen:       cover (done_valid && (done_warp == warp));
      depth_bound:              assert (depth_right);
      depth_bound_seen:         cover (32'(rows) == Depth);
      overflow_is_flagged:      assert ((act_valid && !mine) ||
                                        (!push_valid || (splits && !divides && (32'(needed) <= Depth))) &&
                                        (!(splits && !divides) || (push_valid ^ overflow_valid)) &&
                                        (!overflow_valid || (splits && (divides ? (act_valids == '1) &&
                                                                                  (32'(depth[act_warp*DepthW +: DepthW]) == Depth)
                                                                                : (32'(needed) > Depth)))));
      overflow_is_flagged_seen: cover (divides && overflow_valid && mine);
      overflow_changes_nothing: assert (!overflowed_q || ((top_mask == was_mask_q) && (top_pc == was_pc_q) &&
                                                          (top_level == was_level_q) && (own_rpc_now == was_rpc_q) &&
                                                          (valids == was_valids_q) &&
                                                          (warp_live == was_live_q) && (rows == was_rows_q)));
      overflow_changes_nothing_seen: cover (overflowed_q && (waiters != '0));
      kill_empties:              assert (!killed_q || ((rows == '0) && (valids == '0)));
      kill_empties_seen:         cover (killed_q && (was_valids_q == '1));
      taken_in_is_right:         assert (act_right);
      taken_in_is_right_seen:    cover (act_valid && push_valid && mine && (32'(rows) == 2));
      row_is_not_written:        assert (rows_apart);
      row_is_not_written_seen:   cover (even_meets && odd_meets);
      choice_is_right:           assert (choice_right);
      choice_is_right_seen:      cover (\dut.refill_q );
    end
  end
endmodule
