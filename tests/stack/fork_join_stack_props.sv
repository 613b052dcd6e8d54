// SPDX-License-Identifier: Apache-2.0
// Properties of fork_join_stack (scripts/prove). One thread of one warp, both arbitrary, is followed by a reference that
// knows its PC and call level from what its own branches, calls and returns made of them; one arbitrary row by a shadow
// of what was stored in it; and the sizes of all sets of the warp are bounded.
//
//! run NumWarps=1 Lanes=8 Depth=6 LevelW=2
//! run NumWarps=2 Lanes=4 Depth=5 TieOrder=1 LevelW=2
//! run NumWarps=3 Lanes=4 Depth=3 LevelW=2
//! run NumWarps=1 Lanes=16 Depth=7 LevelW=2
//! run NumWarps=1 Lanes=64 Depth=9 LevelW=2 of valid_is_mask path_is_live sibling_is_right depth_bound taken_in_is_right choice_is_right sides_add_up sets_are_bounded row_is_not_written
//! run NumWarps=1 Lanes=32 Depth=8 LevelW=2 of valid_is_mask path_is_live sibling_is_right depth_bound taken_in_is_right choice_is_right sides_add_up sets_are_bounded row_is_not_written
//! assume launch_is_legal: A launched warp has ended, has a number below NumWarps, an even PC and at least one thread.
//! assume advance_is_legal: An advance names a warp whose path is not empty and whose resolution does not act.
//! assume resolve_is_legal: A resolution names a warp whose path is not empty, which does not advance in this cycle and has none that acts; only threads of the path exit. PCs are even, an odd resolve_rpc_i is 1, nothing is a call and a return. A fork names the even PC of its join; no thread branches or exits in it, and it neither calls nor returns.
//! assume kill_is_legal: A kill names a warp with a number below NumWarps that is not launched in this cycle.
//! assume one_is_any: The thread and the row looked at are any of any warp.
//! together thread_in_one_set thread_of_its_fork no_thread_lost thread_in_its_place path_is_live live_is_reference region_is_open sibling_is_right row_comes_back valid_is_mask depth_bound done_is_empty rtl_assertions taken_in_is_right choice_is_right pop_brings_the_row waits_at_the_join smaller_first overflow_is_flagged overflow_changes_nothing sides_add_up sets_are_bounded row_is_not_written
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant fork_join_stack_valid_seen_always
//! property valid_is_mask: A path is valid if and only if its mask is not empty; a warp that has ended has no thread.
//!   mutant fork_join_stack_valid_forgets_the_mask
//! property path_is_live: Only live threads are schedulable.
//!   mutant fork_join_stack_pop_without_live
//! property live_is_reference: A thread is live from its launch to its exit or the end of its warp by a kill.
//!   mutant fork_join_stack_exit_stays_live
//! property thread_in_one_set: A live thread is in the path or in one pending set, or waits in the fork mask of an open region, and never in two of them.
//!   mutant fork_join_stack_row_keeps_both_sides
//! property thread_of_its_fork: Who is in a set inside a region is a thread of its fork.
//!   mutant fork_join_stack_fork_forgets_a_thread
//! property no_thread_lost: Every live thread is in the path, in a pending set or in a fork mask.
//!   mutant fork_join_stack_branch_to_the_next_instruction_loses_threads
//! property thread_in_its_place: A live thread's set stands at the PC and level where its own branches led it; who waits stands at the join of its region, and at its level.
//!   mutant fork_join_stack_level_ignored_in_arrival
//! property region_is_open: A path that meets at a join has a row of a fork on its stack, one that meets nowhere has none.
//!   mutant fork_join_stack_region_lost_at_pop
//! property sibling_is_right: The sibling bit of the path and those of the rows say which of them lies on a pending set, and which on a fork's row or none.
//!   mutant fork_join_stack_fork_keeps_the_sibling
//! property row_comes_back: A row holds until its pop what was stored in it, be it set or outer region.
//!   mutant fork_join_stack_rows_share_a_word
//! property pop_brings_the_row: A pop of a set makes it the path; one of a region lets all live threads of its fork go on together at the join, at its level, in the outer region.
//!   mutant fork_join_stack_outer_level_forgotten
//! property waits_at_the_join: No path that an instruction has moved is at the join of its region, at its level.
//!   mutant fork_join_stack_fork_is_never_empty
//! property smaller_first: After a divergence of which both sides remain the smaller one is the path (of equal ones that of TieOrder), and it is not empty.
//!   mutant fork_join_stack_larger_first
//! property sides_add_up: From lane to lane, the sides of a divergence of which both remain have together no more threads than the path.
//!   mutant fork_join_stack_next_set_keeps_the_taken
//! property sets_are_bounded: With k sets pending a path has at most Lanes / 2^k threads, and so at most log2(Lanes) sets are pending.
//!   mutant fork_join_stack_high_half_not_counted
//! property done_is_empty: A warp is done when its last thread has exited, not before.
//!   mutant fork_join_stack_done_with_a_row
//! property depth_bound: A stack never has more than Depth - 1 rows, and max_depth_o is at least the depth.
//!   mutant fork_join_stack_overflow_one_late
//! property overflow_is_flagged: A fork, or a divergence of which both sides remain, overflows if and only if the stack is full; nothing else does.
//!   mutant fork_join_stack_overflow_one_early
//! property overflow_changes_nothing: After an overflow path, region, live threads and depth are as before.
//!   mutant fork_join_stack_overflow_changes_live
//! property taken_in_is_right: What is registered of a resolution says what the contract says of it in the cycle in which it acts.
//!   mutant fork_join_stack_join_looked_at_in_branches
//! property row_is_not_written: No row is read at the edge at which it is written: memories that give the old word then and those that give the new one are the same.
//!   only NumWarps=2,3
//!   mutant fork_join_stack_reads_the_row_it_writes
//! property choice_is_right: The warp that is popped is the lowest-numbered one that had rows or ended and had no path a cycle before, other than one that was popped or killed then; its depth is known.
//!   mutant fork_join_stack_popped_warp_chosen_again
//! property pop_is_bounded: An empty path is popped within (NumWarps - 1) * Depth + 2 cycles.
//!   mutant fork_join_stack_pop_waits_for_an_advance
module fork_join_stack_props #(
  parameter  int NumWarps = 1,
  parameter  int Lanes    = 8,
  parameter  int Depth    = 6,
  parameter  int TieOrder = 0,
  parameter  int LevelW   = 2,
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW   = heddle_pkg::idx_width(Depth + 1)
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
  input logic [3:0]       resolve_kind_i,
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

  fork_join_stack #(
    .NumWarps (NumWarps),
    .Lanes    (Lanes),
    .Depth    (Depth),
    .TieOrder (TieOrder),
    .LevelW   (LevelW)
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
  logic              act_valid, act_call, act_return, act_mark;
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
    act_mark   <= resolve_kind_i == 4'(heddle_pkg::MarkFork);
  end

  // Storage of the RTL, eight words of it: NumWarps << IndexW must not be more.
  localparam int RowW    = 32 + LevelW + Lanes;                 // {pc without bit 0, mask, level, sibling}
  localparam int MaskAt  = 1 + LevelW;                          // where the fields begin; level at 1
  localparam int PcAt    = MaskAt + Lanes;
  localparam int IndexW  = heddle_pkg::idx_width(Depth - 1);
  (* hierconn *) wire [RowW-1:0] \dut.u_rows.gen_inferred.words[0] , \dut.u_rows.gen_inferred.words[1] ;
  (* hierconn *) wire [RowW-1:0] \dut.u_rows.gen_inferred.words[2] , \dut.u_rows.gen_inferred.words[3] ;
  (* hierconn *) wire [RowW-1:0] \dut.u_rows.gen_inferred.words[4] , \dut.u_rows.gen_inferred.words[5] ;
  (* hierconn *) wire [RowW-1:0] \dut.u_rows.gen_inferred.words[6] , \dut.u_rows.gen_inferred.words[7] ;
  wire [8*RowW-1:0] words = {\dut.u_rows.gen_inferred.words[7] , \dut.u_rows.gen_inferred.words[6] ,
                             \dut.u_rows.gen_inferred.words[5] , \dut.u_rows.gen_inferred.words[4] ,
                             \dut.u_rows.gen_inferred.words[3] , \dut.u_rows.gen_inferred.words[2] ,
                             \dut.u_rows.gen_inferred.words[1] , \dut.u_rows.gen_inferred.words[0] };
  initial if ((NumWarps << IndexW) > 8) $fatal(1, "fork_join_stack_props: another storage than it looks at");

  // The warp, thread and row that are looked at. A row has the number of the depth of which it is the uppermost: 2 to Depth.
  (* anyconst *) logic [WarpW-1:0]         warp;
  (* anyconst *) logic [$clog2(Lanes)-1:0] lane;
  (* anyconst *) logic [DepthW-1:0]        number;
  logic [DepthW-1:0]           height;
  logic [(Depth+1)*RowW-1:0]   row;
  logic [Lanes-1:0]            path, warp_live;   // of a warp that has ended no thread is live, whatever live_o says
  logic [31:0]                 path_pc, path_rpc;
  logic [LevelW-1:0]           path_level, path_rpc_level;
  logic                        killed;
  assign height         = depth[warp*DepthW +: DepthW];
  assign path           = mask[warp*Lanes +: Lanes];
  assign path_pc        = pc[warp*32 +: 32];
  assign path_level     = level[warp*LevelW +: LevelW];
  assign path_rpc       = rpc[warp*32 +: 32];
  assign path_rpc_level = rpc_level[warp*LevelW +: LevelW];
  assign warp_live      = live[warp*Lanes +: Lanes] & {Lanes{height != '0}};
  assign killed         = kill_valid_i && (kill_warp_i == warp);
  generate
    for (genvar n = 0; n <= Depth; n++) begin : gen_row
      assign row[n*RowW +: RowW] = (n < 2) ? '0 : words[((32'(warp) << IndexW) + (n % (1 << IndexW)))*RowW +: RowW];
    end
  endgenerate

  // -------------------------------------------------------------- what the contract says of the resolution that acts
  function automatic logic arrived(input [31:0] at, input [LevelW-1:0] at_level, input [31:0] place,
                                   input [LevelW-1:0] place_level);
    arrived = (place != '0) && (at == place) && (at_level == place_level);
  endfunction
  // Threads of a set, counted in each half of the warp as the RTL does: up to every lane, and all.
  localparam int HalfW = $clog2((Lanes + 1) / 2 + 1);
  localparam int SizeW = $clog2(Lanes + 1);
  function automatic logic [Lanes*HalfW-1:0] counts(input [Lanes-1:0] set);
    logic [HalfW-1:0] count;
    count = '0;
    for (int l = 0; l < Lanes; l++) begin
      count = ((l == Lanes / 2) ? HalfW'(0) : count) + HalfW'(set[l]);
      counts[l*HalfW +: HalfW] = count;
    end
  endfunction
  function automatic logic [HalfW-1:0] half(input [Lanes-1:0] set, input high);
    logic [Lanes*HalfW-1:0] all_counts;
    all_counts = counts(set);
    half = high ? all_counts[(Lanes-1)*HalfW +: HalfW] : all_counts[(Lanes/2-1)*HalfW +: HalfW];
  endfunction
  function automatic logic [SizeW-1:0] size(input [Lanes-1:0] set);
    size = SizeW'(half(set, 1'b0)) + SizeW'(half(set, 1'b1));
  endfunction

  logic [Lanes-1:0]  own_mask, active, go, stay, after_mask;
  logic [31:0]       own_rpc, after_pc;
  logic [LevelW-1:0] own_level, own_rpc_level, to_level, after_level;
  logic [DepthW-1:0] own_depth;
  logic              all_go, splits, go_there, stay_there, both, grows, fits, takes, empties, mine;
  assign own_mask      = mask[act_warp*Lanes +: Lanes];
  assign own_rpc       = rpc[act_warp*32 +: 32];
  assign own_rpc_level = rpc_level[act_warp*LevelW +: LevelW];
  assign own_level     = level[act_warp*LevelW +: LevelW];
  assign own_depth     = depth[act_warp*DepthW +: DepthW];
  assign to_level      = own_level + LevelW'(act_call) - LevelW'(act_return);
  assign active        = own_mask & ~act_exit;
  assign go            = active & act_taken;
  assign stay          = active & ~act_taken;
  assign all_go        = stay == '0;                     // or nobody is left
  assign splits        = (go != '0) && (stay != '0) && (act_target != act_next);
  assign go_there      = arrived(act_target, to_level, own_rpc, own_rpc_level);
  assign stay_there    = act_mark ? act_next == act_rpc : arrived(act_next, own_level, own_rpc, own_rpc_level);
  assign both          = splits && !go_there && !stay_there;
  assign grows         = act_mark || both;
  assign fits          = 32'(own_depth) < Depth;
  assign takes         = both ? ((TieOrder == 0) ? size(go) <= size(stay) : size(go) < size(stay))
                              : splits ? stay_there : all_go;       // the path goes on at the target
  assign empties       = !splits && ((active == '0) || (all_go ? go_there : stay_there));
  assign after_mask    = !splits ? active : takes ? go : stay;
  assign after_pc      = takes ? act_target : act_next;
  assign after_level   = takes ? to_level : own_level;
  assign mine          = act_valid && (act_warp == warp);

  // ---------------------------------------------------------------------------------------------------- reference
  // The thread; and which rows are pending sets.
  logic              ref_live_q;
  logic [31:0]       ref_pc_q;
  logic [LevelW-1:0] ref_level_q;
  logic [Depth:0]    ref_set_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n || killed) begin
      ref_live_q <= 1'b0;
    end else begin
      if (launch_valid_i && (launch_warp_i == warp)) begin
        ref_live_q  <= launch_mask_i[lane];
        ref_pc_q    <= launch_pc_i;
        ref_level_q <= '0;
      end
      if (advance_valid_i && (advance_warp_i == warp) && path[lane]) ref_pc_q <= ref_pc_q + 32'd4;
      if (mine && own_mask[lane] && !(grows && !fits)) begin
        if (act_exit[lane]) ref_live_q <= 1'b0;
        ref_pc_q <= act_taken[lane] ? act_target : act_next;
        // Some of a path, but not all, that call or return to the next instruction do neither.
        if (act_taken[lane] && ((act_target != act_next) || all_go)) begin
          ref_level_q <= ref_level_q + LevelW'(act_call) - LevelW'(act_return);
        end
      end
    end
    for (int n = 2; n <= Depth; n++) if (mine && grows && fits && (32'(height) == n - 1)) ref_set_q[n] <= both;
  end

  // The row with the number that is looked at: what was stored in it, and the join of a fork.
  logic [RowW-1:0]   shadow_q;
  logic [31:0]       shadow_join_q;
  logic [LevelW-1:0] shadow_join_level_q;
  always_ff @(posedge clk_i) begin
    if (mine && grows && fits && (height + DepthW'(1) == number)) begin
      shadow_q <= act_mark ? {own_rpc[31:1], own_mask, own_rpc_level, sibling[warp]}
                           : {takes ? act_next[31:1] : act_target[31:1], takes ? stay : go, takes ? own_level : to_level, sibling[warp]};
      shadow_join_q       <= act_rpc;
      shadow_join_level_q <= own_level;
    end
  end

  // -------------------------------------------------------------------------------------------------- the properties
  // Down the stack: whether the thread is in what lies above in the same region.
  logic              one_set, of_its_fork, not_lost, in_place, open_right, siblings_right, join_right;
  logic              above, here, on_set, waits;
  logic [31:0]       join_pc;
  logic [LevelW-1:0] join_level;
  always_comb begin
    one_set        = 1'b1;
    of_its_fork    = 1'b1;
    in_place       = 1'b1;
    open_right     = 1'b1;
    siblings_right = 1'b1;
    join_right     = 1'b1;
    waits          = 1'b0;
    here           = 1'b0;
    above          = path[lane] && ref_live_q;
    on_set         = sibling[warp];
    join_pc        = path_rpc;
    join_level     = path_rpc_level;
    if (above && ((path_pc != ref_pc_q) || (path_level != ref_level_q))) in_place = 1'b0;
    for (int n = Depth; n >= 2; n--) begin
      if (n <= 32'(height)) begin
        here = row[n*RowW + MaskAt + 32'(lane)] && ref_live_q;
        if (on_set != ref_set_q[n]) siblings_right = 1'b0;
        if (ref_set_q[n]) begin
          if (above && here) one_set = 1'b0;
          if (here && (({row[n*RowW + PcAt +: 31], 1'b0} != ref_pc_q) ||
                       (row[n*RowW + 1 +: LevelW] != ref_level_q))) in_place = 1'b0;
          above = above || here;
        end else begin
          if (above && !here) of_its_fork = 1'b0;
          if (here && !above) begin
            waits = 1'b1;
            if ((join_pc != ref_pc_q) || (join_level != ref_level_q)) in_place = 1'b0;
          end
          if ((join_pc == '0) || join_pc[0]) open_right = 1'b0;
          if ((n == 32'(number)) && ((join_pc != shadow_join_q) || (join_level != shadow_join_level_q))) join_right = 1'b0;
          above      = here;
          join_pc    = {row[n*RowW + PcAt +: 31], 1'b0};
          join_level = row[n*RowW + 1 +: LevelW];
        end
        on_set = row[n*RowW];
      end
    end
    not_lost = above == ref_live_q;
    if (height != '0) begin
      if (on_set) siblings_right = 1'b0;
      if (join_pc != '0) open_right = 1'b0;
    end
  end

  // Up the stack: sizes. Every set that is pending halves what may lie above it.
  logic             bounded;
  logic [SizeW-1:0] bound;
  logic [31:0]      num_sets;
  always_comb begin
    bounded  = 1'b1;
    bound    = SizeW'(Lanes);
    num_sets = '0;
    for (int n = 2; n <= Depth; n++) begin
      if (n <= 32'(height)) begin
        if (size(row[n*RowW + MaskAt +: Lanes]) > bound) bounded = 1'b0;
        if (ref_set_q[n]) begin
          bound    = bound >> 1;
          num_sets = num_sets + 1;
        end
      end
    end
    if ((size(path) > bound) || (bound == '0)) bounded = 1'b0;
  end

  // What was before the edge.
  logic              was_overflow_q, was_push_q, was_go_first_q, was_popped_q, was_moved_q, was_set_q;
  logic [Lanes-1:0]  was_path_q, was_live_q, was_go_q, was_stay_q;
  logic [31:0]       was_pc_q, was_rpc_q;
  logic [LevelW-1:0] was_level_q, was_rpc_level_q;
  logic [DepthW-1:0] was_height_q;
  always_ff @(posedge clk_i) begin
    was_overflow_q  <= rst_n && !killed && overflow_valid && (overflow_warp == warp);
    was_push_q      <= rst_n && !killed && mine && both && fits;
    was_popped_q    <= rst_n && !killed && pop_valid && (pop_warp == warp) && (height == number);
    was_moved_q     <= rst_n && !killed && ((mine && !(grows && !fits)) || (advance_valid_i && (advance_warp_i == warp)));
    was_set_q       <= ref_set_q[number];
    was_go_q        <= go;
    was_stay_q      <= stay;
    was_path_q      <= path;
    was_live_q      <= warp_live;
    was_pc_q        <= path_pc;
    was_level_q     <= path_level;
    was_rpc_q       <= path_rpc;
    was_rpc_level_q <= path_rpc_level;
    was_height_q    <= height;
  end
  assign was_go_first_q = (TieOrder == 0) ? size(was_go_q) <= size(was_stay_q) : size(was_go_q) < size(was_stay_q);

  // After the pop of the row that is looked at.
  logic pop_right;
  always_comb begin
    pop_right = path == (shadow_q[MaskAt +: Lanes] & was_live_q);
    if (was_set_q) begin
      if ((path_pc != {shadow_q[PcAt +: 31], 1'b0}) || (path_level != shadow_q[1 +: LevelW]) ||
          (path_rpc != was_rpc_q) || (path_rpc_level != was_rpc_level_q)) pop_right = 1'b0;
    end else begin
      if ((path_pc != shadow_join_q) || (path_level != shadow_join_level_q) ||
          (path_rpc != {shadow_q[PcAt +: 31], 1'b0}) || (path_rpc_level != shadow_q[1 +: LevelW])) pop_right = 1'b0;
    end
    if ((sibling[warp] != shadow_q[0]) || (height + DepthW'(1) != number)) pop_right = 1'b0;
  end

  // Cycles since the path of the warp became empty.
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

  // Of every warp: a warp out of bounds would write into the storage of another.
  logic valid_right, depth_right;
  always_comb begin
    valid_right = 1'b1;
    depth_right = 32'(max_depth) <= Depth;
    for (int w = 0; w < NumWarps; w++) begin
      if ((valid[w] != (mask[w*Lanes +: Lanes] != '0)) || ((depth[w*DepthW +: DepthW] == '0) && valid[w])) valid_right = 1'b0;
      if ((32'(depth[w*DepthW +: DepthW]) > Depth) || (max_depth < depth[w*DepthW +: DepthW])) depth_right = 1'b0;
    end
  end

  logic launch_ok, advance_ok, resolve_ok, kill_ok;
  assign launch_ok  = (32'(launch_warp_i) < NumWarps) && (depth[launch_warp_i*DepthW +: DepthW] == '0) &&
                      (launch_mask_i != '0) && !launch_pc_i[0];
  assign advance_ok = (32'(advance_warp_i) < NumWarps) && valid[advance_warp_i] &&
                      !(act_valid && (act_warp == advance_warp_i));
  assign resolve_ok = (32'(resolve_warp_i) < NumWarps) && valid[resolve_warp_i] &&
                      ((resolve_exit_i & ~mask[resolve_warp_i*Lanes +: Lanes]) == '0) &&
                      !(advance_valid_i && (advance_warp_i == resolve_warp_i)) && !(act_valid && (act_warp == resolve_warp_i)) &&
                      !resolve_target_i[0] && !resolve_next_i[0] && (!resolve_rpc_i[0] || (resolve_rpc_i[31:1] == '0)) &&
                      !(resolve_call_i && resolve_return_i) &&
                      ((resolve_kind_i != 4'(heddle_pkg::MarkFork)) || ((resolve_rpc_i != '0) && !resolve_rpc_i[0] && (resolve_taken_i == '0) &&
                                           (resolve_exit_i == '0) && !resolve_call_i && !resolve_return_i));
  assign kill_ok    = (32'(kill_warp_i) < NumWarps) && !(launch_valid_i && (launch_warp_i == kill_warp_i));

  // Registers of the RTL between the two cycles of a resolution, and of a pop.
  (* hierconn *) wire \dut.resolved_q , \dut.push_q , \dut.fork_q , \dut.overflow_q , \dut.next_q ;
  (* hierconn *) wire \dut.act_moves_q , \dut.act_valid_q , \dut.act_to_target_q , \dut.pop_q ;
  (* hierconn *) wire [WarpW-1:0] \dut.act_warp_q , \dut.pop_warp_q ;
  (* hierconn *) wire [31:1] \dut.act_target_q , \dut.act_next_q , \dut.act_join_q ;
  (* hierconn *) wire [Lanes-1:0] \dut.act_target_mask_q , \dut.act_next_mask_q , \dut.act_exit_q ;
  (* hierconn *) wire [LevelW-1:0] \dut.act_target_level_q , \dut.act_next_level_q ;
  (* hierconn *) wire [HalfW-1:0] \dut.target_low_q , \dut.target_high_q , \dut.next_low_q , \dut.next_high_q ;
  (* hierconn *) wire [DepthW-1:0] \dut.act_depth_q , \dut.pop_depth_q ;
  localparam int AddrW = heddle_pkg::idx_width(NumWarps << IndexW);
  (* hierconn *) wire [AddrW-1:0] \dut.u_rows.gen_inferred.read_addr_q ;

  // Ports of the storage.
  (* hierconn *) wire \dut.u_rows.write_valid_i , \dut.u_rows.read_valid_i ;
  (* hierconn *) wire [AddrW-1:0] \dut.u_rows.write_addr_i , \dut.u_rows.read_addr_i ;
  wire ports_meet = \dut.u_rows.write_valid_i && \dut.u_rows.read_valid_i ;
  wire rows_apart = !(ports_meet && (\dut.u_rows.write_addr_i == \dut.u_rows.read_addr_i ));

  // Sums of many threads are beyond the engines, so they go from lane to lane: up to a lane the two sides of a divergence
  // have no more threads than the path. What is asserted is the step from a lane to the next: from the steps follows the whole.
  logic [Lanes*HalfW-1:0] own_counts, target_counts, next_counts;
  logic [Lanes-1:0]       adds_up;
  logic                   steps_right;
  assign own_counts    = counts(own_mask);
  assign target_counts = counts(\dut.act_target_mask_q );
  assign next_counts   = counts(\dut.act_next_mask_q );
  always_comb begin
    steps_right = 1'b1;
    for (int l = 0; l < Lanes; l++) begin
      adds_up[l] = ((HalfW+1)'(target_counts[l*HalfW +: HalfW]) + (HalfW+1)'(next_counts[l*HalfW +: HalfW]) <=
                    (HalfW+1)'(own_counts[l*HalfW +: HalfW])) &&
                   (32'(own_counts[l*HalfW +: HalfW]) <= l % (Lanes / 2) + 1);
      if (!adds_up[l] && ((l % (Lanes / 2) == 0) || adds_up[(l+Lanes-1)%Lanes])) steps_right = 1'b0;
    end
  end

  logic act_right, choice_right;
  always_comb begin
    act_right = (\dut.resolved_q == (act_valid && !(grows && !fits))) && (\dut.overflow_q == (act_valid && grows && !fits)) &&
                (\dut.push_q == (act_valid && both && fits)) && (\dut.fork_q == (act_valid && act_mark && fits));
    if (act_valid) begin
      // The caller's promises, kept since.
      if (!((32'(act_warp) < NumWarps) && (own_mask != '0) && ((act_exit & ~own_mask) == '0) && !act_target[0] &&
            !act_next[0] && !(act_call && act_return) &&
            (!act_mark || ((act_rpc != '0) && !act_rpc[0] && (act_taken == '0) && (act_exit == '0) && !act_call && !act_return)))) act_right = 1'b0;
      if (!((\dut.act_warp_q == act_warp) && (\dut.act_exit_q == act_exit) && (\dut.act_depth_q == own_depth + DepthW'(grows)) &&
            (\dut.act_moves_q == (active != '0)) && (\dut.act_valid_q == !empties) && (\dut.act_join_q == act_rpc[31:1]) &&
            (\dut.act_next_q == act_next[31:1]) && (\dut.act_next_level_q == own_level) &&
            (\dut.act_target_q == (act_mark ? own_rpc[31:1] : act_target[31:1])) &&
            (\dut.act_target_level_q == (act_mark ? own_rpc_level : to_level)) &&
            (\dut.act_target_mask_q == (act_mark ? own_mask : go)) &&
            (\dut.act_next_mask_q == ((act_target == act_next) ? active : stay)) &&
            (\dut.target_low_q == half(\dut.act_target_mask_q , 1'b0)) &&
            (\dut.target_high_q == half(\dut.act_target_mask_q , 1'b1)) &&
            (\dut.next_low_q == half(\dut.act_next_mask_q , 1'b0)) &&
            (\dut.next_high_q == half(\dut.act_next_mask_q , 1'b1)) &&
            (both || (\dut.act_to_target_q == takes)) &&
            (\dut.next_q == (!empties && !both && (after_pc == act_next))))) act_right = 1'b0;
    end
    choice_right = (pop_valid == chosen_q) && (pop_warp == chosen_warp_q) && (pop_valid == \dut.pop_q );
    if (\dut.pop_q && !((32'(pop_warp) < NumWarps) && (depth[pop_warp*DepthW +: DepthW] != '0) && !valid[pop_warp] &&
                         (\dut.pop_depth_q == depth[pop_warp*DepthW +: DepthW]) &&
                         (\dut.u_rows.gen_inferred.read_addr_q == AddrW'({pop_warp, \dut.pop_depth_q [IndexW-1:0]})) &&
                         !(act_valid && (act_warp == pop_warp)))) choice_right = 1'b0;
  end

  always_comb begin
    one_is_any: assume ((32'(warp) < NumWarps) && (32'(lane) < Lanes) && (32'(number) > 1) && (32'(number) <= Depth));
    if (rst_n) begin
      launch_is_legal:  assume (!launch_valid_i || launch_ok);
      advance_is_legal: assume (!advance_valid_i || advance_ok);
      resolve_is_legal: assume (!resolve_valid_i || resolve_ok);
      kill_is_legal:    assume (!kill_valid_i || kill_ok);

      rtl_assertions_seen:           cover (advance_valid_i && (32'(height) == Depth));
      valid_is_mask:                 assert (valid_right);
      valid_is_mask_seen:            cover (valid[warp]);
      path_is_live:                  assert (!path[lane] || warp_live[lane]);
      path_is_live_seen:             cover (path[lane] && (warp_live != path));
      live_is_reference:             assert (warp_live[lane] == ref_live_q);
      live_is_reference_seen:        cover (ref_live_q);
      thread_in_one_set:             assert (one_set);
      thread_in_one_set_seen:        cover (sibling[warp] && path[lane] && row[32'(height)*RowW]);
      thread_of_its_fork:            assert (of_its_fork);
      thread_of_its_fork_seen:       cover (path[lane] && (32'(height) > 2) && !sibling[warp] && !row[32'(height)*RowW]);
      no_thread_lost:                assert (not_lost);
      no_thread_lost_seen:           cover (ref_live_q && !path[lane] && (32'(height) > 2));
      thread_in_its_place:           assert (in_place);
      thread_in_its_place_seen:      cover (waits && (32'(height) > 2) && (ref_level_q != '0));
      region_is_open:                assert (open_right);
      region_is_open_seen:           cover ((path_rpc != '0) && (32'(height) > 2));
      sibling_is_right:              assert (siblings_right);
      sibling_is_right_seen:         cover (sibling[warp] && (32'(height) == Depth));
      row_comes_back:                assert ((height < number) || ((shadow_q == row[32'(number)*RowW +: RowW]) && join_right));
      row_comes_back_seen:           cover ((32'(height) == Depth) && (32'(number) == 2) && ref_set_q[2]);
      pop_brings_the_row:            assert (!was_popped_q || pop_right);
      pop_brings_the_row_seen:       cover (was_popped_q && !was_set_q && valid[warp] && (32'(height) > 1));
      waits_at_the_join:             assert (!(was_moved_q && valid[warp] && arrived(path_pc, path_level, path_rpc, path_rpc_level)));
      waits_at_the_join_seen:        cover (was_moved_q && !valid[warp] && (warp_live != '0));
      smaller_first:                 assert (!was_push_q || ((path == (was_go_first_q ? was_go_q : was_stay_q)) && sibling[warp] && valid[warp]));
      smaller_first_seen:            cover (was_push_q && (was_go_q != was_stay_q) && !was_go_first_q);
      sides_add_up:                  assert (!\dut.push_q || steps_right);
      sides_add_up_seen:             cover (\dut.push_q && (adds_up == '1));
      sets_are_bounded:              assert (bounded);
      sets_are_bounded_seen:         cover (num_sets == ((Depth == 3) ? 1 : 2));
      done_is_empty:                 assert (!(done_valid && (done_warp == warp) && warp_live[lane]));
      done_is_empty_seen:            cover (done_valid && (done_warp == warp));
      depth_bound:                   assert (depth_right);
      depth_bound_seen:              cover (32'(height) == Depth);
      overflow_is_flagged:           assert ((overflow_valid == (act_valid && grows && !fits)) && (!overflow_valid || (overflow_warp == act_warp)));
      overflow_is_flagged_seen:      cover (overflow_valid && both);
      overflow_changes_nothing:      assert (!was_overflow_q || ((path == was_path_q) && (warp_live == was_live_q) && (path_pc == was_pc_q) &&
                                                                 (path_level == was_level_q) && (path_rpc == was_rpc_q) &&
                                                                 (path_rpc_level == was_rpc_level_q) && (height == was_height_q)));
      overflow_changes_nothing_seen: cover (was_overflow_q);
      taken_in_is_right:             assert (act_right);
      taken_in_is_right_seen:        cover (act_valid && splits && stay_there);
      row_is_not_written:       assert (rows_apart);
      row_is_not_written_seen:  cover (ports_meet);
      choice_is_right:               assert (choice_right);
      choice_is_right_seen:          cover (pop_valid && (pop_warp == warp) && (32'(height) > 1));
      pop_is_bounded:                assert (32'(waited_q) <= (NumWarps - 1) * Depth + 2);
      pop_is_bounded_seen:           cover (waited_q != '0);
    end
  end
endmodule
