// SPDX-License-Identifier: Apache-2.0
// Properties of spe_stack (scripts/prove). One thread of one warp, both arbitrary, is followed by a reference that knows
// nothing of stacks: its PC is what its own branches made of it.
//
//! run NumWarps=1 Lanes=8 Depth=4
//! run NumWarps=1 Lanes=32 Depth=4 PushOrder=1
//! run NumWarps=2 Lanes=4 Depth=3 PushOrder=2
//! assume launch_is_legal: A launched warp has ended, has a number below NumWarps and at least one thread.
//! assume advance_is_legal: An advance names a warp whose top is not empty.
//! assume resolve_is_legal: A resolution names a warp whose top is not empty and does not advance in this cycle; only threads of the top exit.
//! assume thread_is_one: The thread looked at is any thread of any warp.
//! together thread_in_its_place child_in_parent top_is_live live_is_reference no_entry_at_rpc sibling_is_right valid_is_mask depth_bound done_is_empty rtl_assertions
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant spe_stack_valid_seen_always
//! property valid_is_mask: A top is valid if and only if its mask is not empty; a warp that has ended has no thread.
//!   mutant spe_stack_valid_forgets_the_mask
//! property top_is_live: Only live threads are schedulable.
//!   mutant spe_stack_pop_without_live
//! property live_is_reference: A thread is live from its launch to its exit.
//!   mutant spe_stack_exit_stays_live
//! property child_in_parent: Live threads of an entry stand in the entry below at its reconvergence PC, or, where both have one, are not in it.
//!   mutant spe_stack_parent_keeps_one_side
//! property no_entry_at_rpc: No entry with a thread stands at its own reconvergence PC.
//!   mutant spe_stack_entry_stays_at_rpc
//! property thread_in_its_place: A live thread stands where its own branches led it, and below at each reconvergence PC it will pass: none is lost or doubled.
//!   mutant spe_tail_rule_missing
//! property sibling_is_right: The sibling bit says whether the entry below has the same reconvergence PC.
//!   mutant sibling_not_inherited
//! property done_is_empty: A warp is done when its last thread has exited, not before.
//!   mutant spe_stack_done_with_threads
//! property depth_bound: A stack never has more than Depth entries, and max_depth_o is at least the depth.
//!   mutant spe_stack_overflow_one_late
//! property overflow_is_flagged: A divergence makes a push or an overflow, and an overflow only where its entries find no room.
//!   mutant spe_stack_overflow_one_early
//! property overflow_changes_nothing: After an overflow path, live threads and depth are as before.
//!   mutant spe_stack_overflow_changes_live
//! property pop_is_bounded: An empty top is popped within (NumWarps - 1) * Depth + 1 cycles.
//!   mutant spe_stack_pop_waits_for_an_advance
module spe_stack_props #(
  parameter  int NumWarps  = 2,
  parameter  int Lanes     = 8,
  parameter  int Depth     = 4,
  parameter  int PushOrder = 0,
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
  input logic [Lanes-1:0] resolve_exit_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [NumWarps*32-1:0]     pc, rpc;
  logic [NumWarps*Lanes-1:0]  mask, live;
  logic [NumWarps-1:0]        sibling, valid;
  logic [NumWarps*DepthW-1:0] depth;
  logic                       push_valid, pop_valid, done_valid, overflow_valid;
  logic [WarpW-1:0]           push_warp, pop_warp, done_warp, overflow_warp;
  logic [DepthW-1:0]          max_depth;

  spe_stack #(
    .NumWarps  (NumWarps),
    .Lanes     (Lanes),
    .Depth     (Depth),
    .PushOrder (PushOrder)
  ) dut (
    .clk_i            (clk_i),
    .rst_ni           (rst_n),
    .launch_valid_i   (launch_valid_i),
    .launch_warp_i    (launch_warp_i),
    .launch_pc_i      (launch_pc_i),
    .launch_mask_i    (launch_mask_i),
    .advance_valid_i  (advance_valid_i),
    .advance_warp_i   (advance_warp_i),
    .resolve_valid_i  (resolve_valid_i),
    .resolve_warp_i   (resolve_warp_i),
    .resolve_taken_i  (resolve_taken_i),
    .resolve_target_i (resolve_target_i),
    .resolve_next_i   (resolve_next_i),
    .resolve_rpc_i    (resolve_rpc_i),
    .resolve_exit_i   (resolve_exit_i),
    .pc_o             (pc),
    .mask_o           (mask),
    .rpc_o            (rpc),
    .sibling_o        (sibling),
    .valid_o          (valid),
    .live_o           (live),
    .depth_o          (depth),
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

  // Storage of the RTL, seven places of it: NumWarps * (Depth - 1) must not be more.
  localparam int EntryW = 32 + Lanes + 32 + 1;       // {pc, mask, rpc, sibling}
  (* hierconn *) wire [EntryW-1:0] \dut.below[0] , \dut.below[1] , \dut.below[2] , \dut.below[3] ;
  (* hierconn *) wire [EntryW-1:0] \dut.below[4] , \dut.below[5] , \dut.below[6] ;
  wire [7*EntryW-1:0] below = {\dut.below[6] , \dut.below[5] , \dut.below[4] , \dut.below[3] , \dut.below[2] ,
                               \dut.below[1] , \dut.below[0] };
  initial if (NumWarps * (Depth - 1) > 7) $fatal(1, "spe_stack_props: more storage than it looks at");

  // The warp and the thread that are looked at, and the warp's stack, level 0 the bottom.
  (* anyconst *) logic [WarpW-1:0]         warp;
  (* anyconst *) logic [$clog2(Lanes)-1:0] lane;
  logic [DepthW-1:0]       levels;
  logic [Depth*EntryW-1:0] entry;
  logic [Lanes-1:0]        top_mask, warp_live;
  assign levels     = depth[warp*DepthW +: DepthW];
  assign top_mask   = mask[warp*Lanes +: Lanes];
  assign warp_live  = live[warp*Lanes +: Lanes];
  generate
    for (genvar i = 0; i < Depth; i++) begin : gen_level
      assign entry[i*EntryW +: EntryW] =
        (32'(levels) == i + 1) ? {pc[warp*32 +: 32], top_mask, rpc[warp*32 +: 32], sibling[warp]} :
        (i < Depth - 1)        ? below[(32'(warp) * (Depth - 1) + ((i < Depth - 1) ? i : 0))*EntryW +: EntryW] : '0;
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- reference
  logic [Lanes-1:0] own_mask;
  logic             mine, in_own;          // the resolution is of the warp, and of an entry with the thread
  logic             ref_live_q;
  logic [31:0]      ref_pc_q;
  assign own_mask = mask[resolve_warp_i*Lanes +: Lanes];
  assign mine     = resolve_valid_i && (resolve_warp_i == warp);
  assign in_own   = mine && own_mask[lane] && !overflow_valid;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      ref_live_q <= 1'b0;
    end else begin
      if (launch_valid_i && (launch_warp_i == warp)) begin
        ref_live_q <= launch_mask_i[lane];
        ref_pc_q   <= launch_pc_i;
      end
      if (advance_valid_i && (advance_warp_i == warp) && top_mask[lane]) begin
        ref_pc_q <= ref_pc_q + 32'd4;
      end
      if (in_own) begin
        if (resolve_exit_i[lane]) ref_live_q <= 1'b0;
        ref_pc_q <= resolve_taken_i[lane] ? resolve_target_i : resolve_next_i;
      end
    end
  end

  // -------------------------------------------------------------------------------------------------- the properties
  logic        not_at_rpc, in_place, in_parent, sibling_right, last_is_outermost, has_parent, has_sibling, here;
  logic [31:0] pc_here, rpc_here, rpc_lower, expected;
  always_comb begin
    not_at_rpc        = 1'b1;
    in_place          = 1'b1;
    in_parent         = 1'b1;
    sibling_right     = 1'b1;
    has_parent        = 1'b0;
    has_sibling       = 1'b0;
    expected          = ref_pc_q;
    last_is_outermost = 1'b0;      // the thread was found in an entry without reconvergence PC: nothing may follow
    here              = 1'b0;
    pc_here           = '0;
    rpc_here          = '0;
    rpc_lower         = '0;
    for (int i = Depth - 1; i >= 0; i--) begin
      if (i < 32'(levels)) begin
        rpc_here = entry[i*EntryW + 1 +: 32];
        here     = entry[i*EntryW + 33 + 32'(lane)];
        pc_here  = entry[i*EntryW + 33 + Lanes +: 32];
        if (i > 0) rpc_lower = entry[(i-1)*EntryW + 1 +: 32];
        if (entry[i*EntryW] != ((i > 0) && (rpc_here == rpc_lower))) sibling_right = 1'b0;
        if (here && (rpc_here != '0) && (pc_here == rpc_here)) not_at_rpc = 1'b0;
        if ((i == 0) && (rpc_here != '0)) in_parent = 1'b0;
        if (here && ref_live_q) begin
          if (last_is_outermost || (pc_here != expected)) in_place = 1'b0;
          expected          = rpc_here;
          last_is_outermost = rpc_here == '0;
          if (i > 0) begin
            if (rpc_here == rpc_lower) begin
              has_sibling = 1'b1;
              if (entry[(i-1)*EntryW + 33 + 32'(lane)]) in_parent = 1'b0;
            end else begin
              has_parent = 1'b1;
              if (!entry[(i-1)*EntryW + 33 + 32'(lane)] || (entry[(i-1)*EntryW + 33 + Lanes +: 32] != rpc_here)) begin
                in_parent = 1'b0;
              end
            end
          end
        end
      end
    end
    if (ref_live_q && !last_is_outermost) in_place = 1'b0;
  end

  // What was before this cycle, for an overflow of the warp.
  logic              overflowed_q;
  logic [Lanes-1:0]  was_mask_q, was_live_q;
  logic [31:0]       was_pc_q;
  logic [DepthW-1:0] was_levels_q;
  always_ff @(posedge clk_i) begin
    overflowed_q <= rst_n && overflow_valid && (overflow_warp == warp);
    was_mask_q   <= own_mask;
    was_live_q   <= warp_live;
    was_pc_q     <= pc[warp*32 +: 32];
    was_levels_q <= levels;
  end

  // Cycles since the top of the warp became empty.
  localparam int WaitW = $clog2((NumWarps - 1) * Depth + 2) + 1;
  logic             ended;
  logic [WaitW-1:0] waited_q;
  assign ended = (levels != '0) && !valid[warp];
  always_ff @(posedge clk_i) begin
    if (!rst_n || !ended || (pop_valid && (pop_warp == warp))) waited_q <= '0;
    else                                                       waited_q <= waited_q + WaitW'(1);
  end

  logic [Lanes-1:0] active;
  logic             splits;      // the resolution is of a divergent branch
  assign active = own_mask & ~resolve_exit_i;
  assign splits = resolve_valid_i && ((active & resolve_taken_i) != '0) && ((active & ~resolve_taken_i) != '0) &&
                  (resolve_target_i != resolve_next_i);

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

  logic launch_ok, advance_ok, resolve_ok;
  assign launch_ok  = (32'(launch_warp_i) < NumWarps) && (depth[launch_warp_i*DepthW +: DepthW] == '0) &&
                      (launch_mask_i != '0);
  assign advance_ok = (32'(advance_warp_i) < NumWarps) && valid[advance_warp_i];
  assign resolve_ok = (32'(resolve_warp_i) < NumWarps) && valid[resolve_warp_i] &&
                      ((resolve_exit_i & ~own_mask) == '0) && !(advance_valid_i && (advance_warp_i == resolve_warp_i));

  // Entries that the divergence needs.
  logic [31:0]     meet, own_rpc;
  logic [DepthW:0] needed;
  assign own_rpc = rpc[resolve_warp_i*32 +: 32];
  assign meet    = (resolve_rpc_i != '0) ? resolve_rpc_i : own_rpc;
  assign needed  = (DepthW+1)'(depth[resolve_warp_i*DepthW +: DepthW]) + (DepthW+1)'(meet != own_rpc) - (DepthW+1)'(1) +
                   (DepthW+1)'((meet == '0) || (resolve_target_i != meet)) +
                   (DepthW+1)'((meet == '0) || (resolve_next_i != meet));

  always_comb begin
    thread_is_one: assume ((32'(warp) < NumWarps) && (32'(lane) < Lanes));
    if (rst_n) begin
      launch_is_legal:  assume (!launch_valid_i || launch_ok);
      advance_is_legal: assume (!advance_valid_i || advance_ok);
      resolve_is_legal: assume (!resolve_valid_i || resolve_ok);

      rtl_assertions_seen:      cover (advance_valid_i && (32'(levels) == Depth));
      valid_is_mask:            assert (valid_right);
      valid_is_mask_seen:       cover (valid[warp]);
      top_is_live:              assert (!top_mask[lane] || warp_live[lane]);
      top_is_live_seen:         cover (top_mask[lane] && (warp_live != top_mask));
      live_is_reference:        assert (warp_live[lane] == ref_live_q);
      live_is_reference_seen:   cover (ref_live_q);
      child_in_parent:          assert (in_parent);
      child_in_parent_seen:     cover (has_parent && (32'(levels) == Depth));
      no_entry_at_rpc:          assert (not_at_rpc);
      no_entry_at_rpc_seen:     cover (valid[warp] && (32'(levels) == Depth));
      thread_in_its_place:      assert (in_place);
      thread_in_its_place_seen: cover (ref_live_q && (32'(levels) == Depth) && !top_mask[lane]);
      sibling_is_right:         assert (sibling_right);
      sibling_is_right_seen:    cover (has_sibling && sibling[warp]);
      done_is_empty:            assert (!(done_valid && (done_warp == warp) && warp_live[lane]));
      done_is_empty_seen:       cover (done_valid && (done_warp == warp));
      depth_bound:              assert (depth_right);
      depth_bound_seen:         cover (32'(levels) == Depth);
      overflow_is_flagged:      assert ((!splits || (push_valid ^ overflow_valid)) && (!push_valid || splits) &&
                                        (!overflow_valid || (splits && (32'(needed) > Depth))) &&
                                        (!push_valid || (32'(needed) <= Depth)));
      overflow_is_flagged_seen: cover (splits && overflow_valid && mine);
      overflow_changes_nothing: assert (!overflowed_q || ((top_mask == was_mask_q) && (pc[warp*32 +: 32] == was_pc_q) &&
                                                          (warp_live == was_live_q) && (levels == was_levels_q)));
      overflow_changes_nothing_seen: cover (overflowed_q && (was_mask_q != was_live_q));
      pop_is_bounded:            assert (32'(waited_q) <= (NumWarps - 1) * Depth);
      pop_is_bounded_seen:       cover (ended && ((NumWarps == 1) || (waited_q != '0)));
    end
  end
endmodule
