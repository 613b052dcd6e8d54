// SPDX-License-Identifier: Apache-2.0
// Properties of dpe_forward_stack (scripts/prove). One thread of one warp, both arbitrary, is followed by a reference that knows
// nothing of stacks: its PC and call level are what its own branches, calls and returns made of them.
//
//! run NumWarps=1 Lanes=6 Depth=4 LevelW=2
//! run NumWarps=2 Lanes=4 Depth=3 TakenLeft=0 LevelW=2
//! run NumWarps=3 Lanes=3 Depth=3 LevelW=2
//! assume launch_is_legal: A launched warp has ended, has a number below NumWarps an even PC and at least one thread.
//! assume advance_is_legal: An advance names a slot that is not empty, of a warp without a resolution that acts.
//! assume resolve_is_legal: A resolution names a slot that is not empty and does not advance in this cycle, of a warp without one that acts; only threads of that slot exit. PCs are even, an odd resolve_rpc_i is 1, nothing is a call and a return, and neither goes to PC 0.
//! assume hold_is_legal: A resolution is taken in only if hold_i of its warp is set in its cycle and in the one before, and hold_i is set in the cycle in which it acts.
//! assume kill_is_legal: A kill names a warp with a number below NumWarps that is not launched in this cycle.
//! assume thread_is_one: The thread looked at is any thread of any warp.
//!
//! together thread_in_its_place return_is_learnt child_in_parent masks_disjoint top_is_live live_is_reference no_slot_at_rpc address_is_one top_is_even kept_level_is_met valid_is_mask depth_bound done_is_empty rtl_assertions arrival_at_level taken_in_is_right choice_is_right choice_of_a_third overflow_is_flagged overflow_changes_nothing guest_is_offered offer_is_legal rows_are_kept outlives_a_guest learns_its_own_return rows_apart
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant dpe_forward_stack_valid_seen_on_the_wrong_side
//! property valid_is_mask: A slot is valid if and only if its mask is not empty; a warp that has ended has no thread.
//!   mutant dpe_forward_stack_valid_forgets_the_mask
//! property masks_disjoint: No thread stands in both slots of an entry, at any level.
//!   mutant dpe_forward_stack_sides_overlap
//! property top_is_live: Only live threads are schedulable.
//!   mutant dpe_forward_stack_pop_without_live
//! property live_is_reference: A thread is live from its launch to its exit or the end of its warp by a kill.
//!   mutant dpe_forward_stack_exit_stays_live
//! property child_in_parent: Live threads of an entry stand in the nearest entry below that meets elsewhere, at the PC (or waiting for the address) and level where the entry meets, and in none between.
//!   mutant dpe_forward_stack_parent_keeps_one_side
//! property no_slot_at_rpc: No slot with a thread stands at the reconvergence PC and level of its own entry, or at the level of its RETURN before the address is known.
//!   mutant dpe_forward_stack_side_at_rpc_kept
//! property thread_in_its_place: A live thread stands at the PC and level where its own branches led it, and below at each place where it will meet others: none is lost or doubled.
//!   mutant dpe_forward_stack_advance_lost_beside_a_resolution
//! property kept_level_is_met: A slot that waits for a return address is alone in its entry in doing so, and the entry above meets at RETURN and at its level.
//!   mutant dpe_forward_stack_waits_at_its_own_level
//! property return_is_learnt: A thread that waits for a return address and stands in no entry above has brought it.
//!   mutant dpe_forward_stack_learnt_address_lost_at_pop
//! property address_is_one: Entries that meet at one RETURN know one address; an upper one knows it if the lower one does.
//!   mutant dpe_stack_tail_forgets_the_address
//! property top_is_even: No path has an odd PC.
//!   mutant dpe_forward_stack_pop_leaves_return
//! property arrival_at_level: A thread that its own instruction makes wait stands at the address and at the level of the place.
//!   mutant dpe_forward_stack_level_ignored_in_arrival
//! property done_is_empty: A warp is done when its last thread has exited, not before.
//!   mutant dpe_forward_stack_done_with_threads
//! property depth_bound: A stack never has more than Depth entries, and max_depth_o is at least the depth.
//!   mutant dpe_forward_stack_overflow_one_late
//! property overflow_is_flagged: A divergence makes a push or an overflow, and an overflow only of a full stack.
//!   only NumWarps=1,2
//!   mutant dpe_forward_stack_overflow_one_early
//! property overflow_changes_nothing: After an overflow both paths, live threads and depth are as before.
//!   only NumWarps=1,2
//!   mutant dpe_forward_stack_overflow_changes_live
//! property taken_in_is_right: What is registered of a resolution says what the contract says of it in the cycle in which it acts.
//!   mutant tail_at_any_level
//! property choice_is_right: The warp that is popped is the lowest-numbered one that had entries and no path a cycle before, other than one that was popped or killed then; it has them still, and its index and whether it ends follow from its depth.
//!   mutant dpe_forward_stack_popped_warp_chosen_again
//! property choice_of_a_third: While a resolution of one warp acts and one of another is taken in, a third one is chosen as ever.
//!   only NumWarps=3
//!   mutant dpe_forward_stack_two_resolutions_stop_the_choice
//! property guest_is_offered: A guest's live threads are those of the slot below that is offered, and its place is that slot's.
//!   mutant dpe_forward_stack_guest_place_is_the_rows
//! property offer_is_legal: What is offered, or has a guest, is a slot below with an even PC whose place is a PC or NONE; there is no offer at the bottom.
//!   mutant dpe_forward_stack_offers_a_path_that_returns
//! property rows_are_kept: A row below the top is what it was while it is one.
//!   mutant dpe_forward_stack_forward_writes_a_row
//! property outlives_a_guest: What a RETURN has learnt is not lost when a guest has the last path of the entry that meets there: its threads stand in their places.
//!   only NumWarps=1,2
//!   mutant dpe_forward_stack_guest_replaces_below_a_return
//! property learns_its_own_return: An entry that meets at a RETURN is not told where the call of its guest has returned to.
//!   only NumWarps=1,2
//!   mutant dpe_forward_stack_address_of_a_guests_call_handed_on
//! property rows_apart: No row is written at the edge at which it is read for a pop.
//!   only NumWarps=2,3
//!   mutant dpe_forward_stack_row_written_as_it_is_read
//! property pop_is_bounded: An empty top is popped within (NumWarps - 1) * Depth + 2 cycles; the only warp's within one more.
//!   only NumWarps=1,2
//!   mutant dpe_forward_stack_pop_waits_for_an_advance
module dpe_forward_stack_props #(
  parameter  int NumWarps  = 2,
  parameter  int Lanes     = 8,
  parameter  int Depth     = 4,
  parameter  int TakenLeft = 1,
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
  input logic             advance_slot_i,
  input logic [NumWarps-1:0] hold_i,
  input logic             resolve_valid_i,
  input logic [WarpW-1:0] resolve_warp_i,
  input logic             resolve_slot_i,
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

  logic [NumWarps*32-1:0]     pc_l, pc_r, rpc;
  logic [NumWarps*LevelW-1:0] level_l, level_r, rpc_level;
  logic [NumWarps*Lanes-1:0]  mask_l, mask_r, live;
  logic [NumWarps-1:0]        valid_l, valid_r;
  logic [2*NumWarps-1:0]      unused_sibling;
  logic [NumWarps*DepthW-1:0] depth;
  logic                       resolved_valid, resolved_next, push_valid, pop_valid, done_valid, overflow_valid;
  logic                       unused_resolved_slot;
  logic [WarpW-1:0]           resolved_warp, push_warp, pop_warp, done_warp, overflow_warp;
  logic [DepthW-1:0]          max_depth;
  logic [31:0]                unused_forwards;

  dpe_forward_stack #(
    .NumWarps  (NumWarps),
    .Lanes     (Lanes),
    .Depth     (Depth),
    .TakenLeft (TakenLeft),
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
    .advance_i        ({NumWarps'(advance_valid_i && advance_slot_i) << advance_warp_i,
                        NumWarps'(advance_valid_i && !advance_slot_i) << advance_warp_i}),
    .hold_i           (hold_i),
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
    .pc_o             ({pc_r, pc_l}),
    .mask_o           ({mask_r, mask_l}),
    .level_o          ({level_r, level_l}),
    .valid_o          ({valid_r, valid_l}),
    .sibling_o        (unused_sibling),
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
    .max_depth_o      (max_depth),
    .forwards_o       (unused_forwards)
  );

  // A resolution is followed in the cycle in which it acts, unless its warp is killed when it is taken in.
  logic              act_valid, act_call, act_return;
  logic [WarpW-1:0]  act_warp;
  logic              act_slot;
  logic [Lanes-1:0]  act_taken, act_exit;
  logic [31:0]       act_target, act_next, act_rpc;
  always_ff @(posedge clk_i) begin
    act_valid  <= rst_n && resolve_valid_i && !(kill_valid_i && (kill_warp_i == resolve_warp_i));
    act_warp   <= resolve_warp_i;
    act_slot   <= resolve_slot_i;
    act_taken  <= resolve_taken_i;
    act_target <= resolve_target_i;
    act_next   <= resolve_next_i;
    act_rpc    <= resolve_rpc_i;
    act_exit   <= resolve_exit_i;
    act_call   <= resolve_call_i;
    act_return <= resolve_return_i;
  end

  // Storage of the RTL, six places of it: NumWarps << IndexW must not be more.
  localparam int SlotW   = 32 + Lanes + LevelW;
  localparam int PlainW  = 2 * SlotW + 32 + LevelW;
  localparam int EntryW  = PlainW + 4 + 32 + LevelW;        // {here, gone, offer_l, offer_r, grpc, grpc_level, plain}
  localparam int GuestAt = PlainW + LevelW;                     // of grpc; grpc_level below it
  localparam int FlagsAt = GuestAt + 32;                        // {here, gone, offer_l, offer_r}
  localparam int RpcAt   = LevelW;                              // where the fields begin; rpc_level at 0
  localparam int RightAt = RpcAt + 32;
  localparam int LeftAt  = RightAt + SlotW;
  localparam int MaskAt  = LevelW;                              // in a slot; level at 0
  localparam int PcAt    = MaskAt + Lanes;
  localparam int IndexW  = heddle_pkg::idx_width(Depth - 1);
  (* hierconn *) wire [EntryW-1:0] \dut.u_below.gen_inferred.words[0] , \dut.u_below.gen_inferred.words[1] ;
  (* hierconn *) wire [EntryW-1:0] \dut.u_below.gen_inferred.words[2] , \dut.u_below.gen_inferred.words[3] ;
  (* hierconn *) wire [EntryW-1:0] \dut.u_below.gen_inferred.words[4] , \dut.u_below.gen_inferred.words[5] ;   // of three warps
  wire [6*EntryW-1:0] below = {\dut.u_below.gen_inferred.words[5] , \dut.u_below.gen_inferred.words[4] ,
                               \dut.u_below.gen_inferred.words[3] , \dut.u_below.gen_inferred.words[2] ,
                               \dut.u_below.gen_inferred.words[1] , \dut.u_below.gen_inferred.words[0] };
  (* hierconn *) wire [NumWarps-1:0] \dut.here_q , \dut.gone_q , \dut.offer_l_q , \dut.offer_r_q ;
  (* hierconn *) wire [NumWarps*32-1:0] \dut.guest_rpc_q ;
  (* hierconn *) wire [NumWarps*LevelW-1:0] \dut.guest_level_q ;
  wire [NumWarps-1:0] here    = \dut.here_q ;
  wire [NumWarps-1:0] gone    = \dut.gone_q ;
  wire [NumWarps-1:0] offer_l = \dut.offer_l_q ;
  wire [NumWarps-1:0] offer_r = \dut.offer_r_q ;
  wire [NumWarps-1:0] guest_l = here & offer_l & valid_l;       // a guest stands in the slot
  wire [NumWarps-1:0] guest_r = here & offer_r & valid_r;
  wire [NumWarps*32-1:0] guest_rpc = \dut.guest_rpc_q ;
  wire [NumWarps*LevelW-1:0] guest_level = \dut.guest_level_q ;
  initial if ((NumWarps << IndexW) > 6) $fatal(1, "dpe_forward_stack_props: another storage than it looks at");

  // The warp and the thread that are looked at, and the warp's stack, entry 0 the bottom.
  (* anyconst *) logic [WarpW-1:0]         warp;
  (* anyconst *) logic [$clog2(Lanes)-1:0] lane;
  logic [DepthW-1:0]       height;
  logic [Depth*EntryW-1:0] entry;
  logic [Lanes-1:0]        top_mask_l, top_mask_r;
  logic [Lanes-1:0]        warp_live;   // of a warp that has ended no thread is live, whatever live_o says
  logic                    killed;
  assign height     = depth[warp*DepthW +: DepthW];
  assign top_mask_l = mask_l[warp*Lanes +: Lanes];
  assign top_mask_r = mask_r[warp*Lanes +: Lanes];
  assign warp_live  = live[warp*Lanes +: Lanes] & {Lanes{height != '0}};
  assign killed     = kill_valid_i && (kill_warp_i == warp);
  generate
    for (genvar i = 0; i < Depth; i++) begin : gen_entry
      assign entry[i*EntryW +: EntryW] =
        (32'(height) == i + 1) ? {here[warp], gone[warp], offer_l[warp], offer_r[warp], guest_rpc[warp*32 +: 32],
                                      guest_level[warp*LevelW +: LevelW], pc_l[warp*32 +: 32], top_mask_l, level_l[warp*LevelW +: LevelW], pc_r[warp*32 +: 32], top_mask_r,
                                      level_r[warp*LevelW +: LevelW], rpc[warp*32 +: 32], rpc_level[warp*LevelW +: LevelW]} :
        (i < Depth - 1)        ? below[((32'(warp) << IndexW) + ((i < Depth - 1) ? i : 0))*EntryW +: EntryW] : '0;
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- reference
  logic [Lanes-1:0] own_mask;
  logic             mine, in_own;          // the resolution is of the warp, and of a slot with the thread
  logic             ref_live_q;
  logic [31:0]      ref_pc_q;
  logic [LevelW-1:0] ref_level_q;
  logic [Lanes-1:0] active;                 // threads of the path that do not exit
  assign active   = own_mask & live[act_warp*Lanes +: Lanes] & ~act_exit;
  assign own_mask = act_slot ? mask_r[act_warp*Lanes +: Lanes] : mask_l[act_warp*Lanes +: Lanes];
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
      if (advance_valid_i && (advance_warp_i == warp) && (advance_slot_i ? top_mask_r[lane] : top_mask_l[lane])) begin
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
  // The same of a path, which may wait for a return address.
  function automatic logic at_place(input [31:0] at, input [LevelW-1:0] at_level, input [31:0] place, input [LevelW-1:0] place_level);
    at_place = at[0] ? place[0] && (place_level == at_level)
                     : ((place[31:1] == '0) || !place[0]) && arrived(at, at_level, place, place_level);
  endfunction
  function automatic logic same(input [31:0] a, input [LevelW-1:0] a_level, input [31:0] b, input [LevelW-1:0] b_level);
    same = (a_level == b_level) && ((a == b) || (a[0] && b[0]));
  endfunction

  logic              disjoint, not_at_rpc, in_place, in_parent, learnt, one_address, waits_right;
  logic              found, found_own, has_parent, has_sibling, waits, waits_l, waits_r, same_above, same_below, here_l, here_r, lower_l, lower_r;
  logic [31:0]       pc_here, pc_l_here, pc_r_here, rpc_here, rpc_lower, rpc_above, run_rpc, expected, parent_pc;
  logic [LevelW-1:0] level_here, level_l_here, level_r_here, rl_here, rl_lower, rl_above, expected_level;
  // What a slot of an entry holds that is or was forwarded is not looked at there, but above.
  logic              stale_l, stale_r, is_guest, in_guest_l, in_guest_r, odd_lower, own_here, guests_right, offered_right;
  logic [31:0]       place, place_l, place_r, place_lower;
  logic [LevelW-1:0] place_level, place_level_l, place_level_r, place_level_lower;
  logic [3:0]        flags;
  always_comb begin
    disjoint       = 1'b1;
    not_at_rpc     = 1'b1;
    in_place       = 1'b1;
    in_parent      = 1'b1;
    learnt         = 1'b1;
    one_address    = 1'b1;
    waits_right    = 1'b1;
    has_parent     = 1'b0;
    has_sibling    = 1'b0;
    waits          = 1'b0;
    waits_l        = 1'b0;
    waits_r        = 1'b0;
    found          = 1'b0;      // the thread was found; in a slot that was not a guest's; where it is to be found next:
    found_own      = 1'b0;
    expected       = ref_pc_q;
    expected_level = ref_level_q;
    here_l         = 1'b0;
    here_r         = 1'b0;
    lower_l        = 1'b0;
    lower_r        = 1'b0;
    pc_here        = '0;
    pc_l_here      = '0;
    pc_r_here      = '0;
    parent_pc      = '0;
    rpc_here       = '0;
    level_here     = '0;
    level_l_here   = '0;
    level_r_here   = '0;
    rl_here        = '0;
    rpc_lower      = '0;
    rl_lower       = '0;
    rpc_above      = '0;
    rl_above       = '0;
    stale_l        = 1'b0;
    stale_r        = 1'b0;
    is_guest       = 1'b0;
    in_guest_l     = 1'b0;
    in_guest_r     = 1'b0;
    odd_lower      = 1'b0;
    own_here       = 1'b0;
    guests_right   = 1'b1;
    offered_right  = 1'b1;
    place          = '0;
    place_l        = '0;
    place_r        = '0;
    place_lower    = '0;
    place_level    = '0;
    place_level_l  = '0;
    place_level_r  = '0;
    place_level_lower = '0;
    flags          = '0;
    run_rpc        = '0;        // of the topmost of the entries above that meet at one place
    same_above     = 1'b0;
    same_below     = 1'b0;
    // Of every warp, for the choice of a forward: one offer and one guest at most, a guest of an offer, nothing at the bottom.
    for (int w = 0; w < NumWarps; w++) begin
      for (int i = 0; i < Depth; i++) begin
        flags = (i + 1 == 32'(depth[w*DepthW +: DepthW])) ? {here[w], gone[w], offer_l[w], offer_r[w]} :
                (i < Depth - 1) ? below[((w << IndexW) + ((i < Depth - 1) ? i : 0))*EntryW + FlagsAt +: 4] : '0;
        if ((i < 32'(depth[w*DepthW +: DepthW])) &&
            ((flags[1:0] == 2'b11) || (flags[3:2] == 2'b11) || ((flags[3:2] != '0) && (flags[1:0] == '0)) ||
             ((i == 0) && (flags != '0)))) offered_right = 1'b0;
      end
    end
    for (int i = Depth - 1; i >= 0; i--) begin
      if (i < 32'(height)) begin
        rl_here      = entry[i*EntryW +: LevelW];
        rpc_here     = entry[i*EntryW + RpcAt +: 32];
        level_r_here = entry[i*EntryW + RightAt +: LevelW];
        here_r       = entry[i*EntryW + RightAt + MaskAt + 32'(lane)];
        pc_r_here    = entry[i*EntryW + RightAt + PcAt +: 32];
        level_l_here = entry[i*EntryW + LeftAt +: LevelW];
        here_l       = entry[i*EntryW + LeftAt + MaskAt + 32'(lane)];
        pc_l_here    = entry[i*EntryW + LeftAt + PcAt +: 32];
        // Places of the slots; whether a slot of this entry, and of the one below, is forwarded to the entry above.
        in_guest_l    = entry[i*EntryW + FlagsAt + 3] && entry[i*EntryW + FlagsAt + 1];
        in_guest_r    = entry[i*EntryW + FlagsAt + 3] && entry[i*EntryW + FlagsAt];
        place_l       = in_guest_l ? entry[i*EntryW + GuestAt +: 32] : rpc_here;
        place_r       = in_guest_r ? entry[i*EntryW + GuestAt +: 32] : rpc_here;
        place_level_l = in_guest_l ? entry[i*EntryW + PlainW +: LevelW] : rl_here;
        place_level_r = in_guest_r ? entry[i*EntryW + PlainW +: LevelW] : rl_here;
        rl_lower     = '0;
        rpc_lower    = '0;
        odd_lower    = 1'b0;
        if (i > 0) begin
          rl_lower  = entry[(i-1)*EntryW +: LevelW];
          rpc_lower = entry[(i-1)*EntryW + RpcAt +: 32];
          odd_lower = entry[(i-1)*EntryW + RightAt + PcAt] || entry[(i-1)*EntryW + LeftAt + PcAt];
        end
        // The guest is that of the offered slot: its threads, its place. An offer is of a path that has not come to a return.
        if (i > 0) begin
          lower_r           = entry[(i-1)*EntryW + RightAt + MaskAt + 32'(lane)];
          lower_l           = entry[(i-1)*EntryW + LeftAt + MaskAt + 32'(lane)];
          is_guest          = entry[(i-1)*EntryW + FlagsAt + 3] &&
                              (entry[i*EntryW + FlagsAt] ? entry[(i-1)*EntryW + FlagsAt] : entry[(i-1)*EntryW + FlagsAt + 1]);
          place_lower       = is_guest ? entry[(i-1)*EntryW + GuestAt +: 32] : rpc_lower;
          place_level_lower = is_guest ? entry[(i-1)*EntryW + PlainW +: LevelW] : rl_lower;
          if (entry[i*EntryW + FlagsAt +: 2] != '0) begin
            if (place_lower[0] ||
                entry[(i-1)*EntryW + (entry[i*EntryW + FlagsAt] ? RightAt : LeftAt) + PcAt]) offered_right = 1'b0;
          end
          // Until a guest has replaced the entry its own threads are others.
          if (!entry[i*EntryW + FlagsAt + 2] && ((here_l && !in_guest_l) || (here_r && !in_guest_r)) &&
              ((entry[i*EntryW + FlagsAt + 1] && lower_l) || (entry[i*EntryW + FlagsAt] && lower_r))) guests_right = 1'b0;
          if (entry[i*EntryW + FlagsAt + 3] && ((place_lower != entry[i*EntryW + GuestAt +: 32]) ||
              (place_level_lower != entry[i*EntryW + PlainW +: LevelW]))) guests_right = 1'b0;
          if ((in_guest_l && ((entry[i*EntryW + LeftAt + MaskAt +: Lanes] & ~entry[(i-1)*EntryW + LeftAt + MaskAt +: Lanes]) != '0)) ||
              (in_guest_r && ((entry[i*EntryW + RightAt + MaskAt +: Lanes] & ~entry[(i-1)*EntryW + RightAt + MaskAt +: Lanes]) != '0))) guests_right = 1'b0;
          if (ref_live_q && in_guest_l && (entry[i*EntryW + LeftAt + MaskAt +: Lanes] != '0) && (here_l != lower_l)) guests_right = 1'b0;
          if (ref_live_q && in_guest_r && (entry[i*EntryW + RightAt + MaskAt +: Lanes] != '0) && (here_r != lower_r)) guests_right = 1'b0;
        end
        if (here_l && here_r) disjoint = 1'b0;      // what was forwarded included
        here_l     = here_l && !stale_l;
        here_r     = here_r && !stale_r;
        pc_here    = here_r ? pc_r_here : pc_l_here;
        level_here = here_r ? level_r_here : level_l_here;
        place       = here_r ? place_r : place_l;
        place_level = here_r ? place_level_r : place_level_l;
        own_here    = (here_l && !in_guest_l) || (here_r && !in_guest_r);
        same_below = (i > 0) && same(rpc_here, rl_here, rpc_lower, rl_lower) && !(odd_lower && rpc_here[0]);
        if (same_below && rpc_lower[0] && (rpc_lower[31:1] != '0) && (rpc_lower != rpc_here)) one_address = 1'b0;
        if ((i == 0) && ((rpc_here != '0) || (rl_here != '0))) in_parent = 1'b0;
        // A waiting slot lies below what it waits for. An empty one has an even PC.
        waits_l = pc_l_here[0];
        waits_r = pc_r_here[0];
        if (waits_l && waits_r) waits_right = 1'b0;
        if (waits_l) begin
          waits = 1'b1;
          if ((pc_l_here != 32'd1) || !rpc_above[0] || (rl_above != level_l_here) || stale_l ||
              (place_l[0] && (place_level_l == level_l_here))) waits_right = 1'b0;
        end
        if (waits_r) begin
          waits = 1'b1;
          if ((pc_r_here != 32'd1) || !rpc_above[0] || (rl_above != level_r_here) || stale_r ||
              (place_r[0] && (place_level_r == level_r_here))) waits_right = 1'b0;
        end
        if ((here_l || here_r) && ref_live_q) begin
          if (at_place(pc_here, level_here, place, place_level)) not_at_rpc = 1'b0;
          if ((level_here != expected_level) || (found && (expected == '0))) in_place = 1'b0;
          if (!pc_here[0] && (pc_here != expected)) in_place = 1'b0;
          if (pc_here[0] && found && !expected[0]) in_place = 1'b0;
          if (pc_here[0] && !found && (run_rpc[31:1] != ref_pc_q[31:1])) in_place = 1'b0;
          if (pc_here[0] && !found && (run_rpc[31:1] == '0)) learnt = 1'b0;
          found          = 1'b1;
          found_own      = own_here;
          expected       = place;
          expected_level = place_level;
        end
        // Between a thread and where it is to be found next are only entries that meet there, too. (Of a path
        // that meets at a RETURN: under one that meets elsewhere may be a path that a guest has suspended.)
        if (found && (i > 0) && found_own && expected[0]) begin
          lower_r = entry[(i-1)*EntryW + RightAt + MaskAt + 32'(lane)];
          lower_l = entry[(i-1)*EntryW + LeftAt + MaskAt + 32'(lane)];
          if (same_below) begin
            if (here_l || here_r) has_sibling = 1'b1;
          end else begin
            has_parent = 1'b1;
            parent_pc  = rpc_here[0] ? 32'd1 : rpc_here;
            if ((rpc_here == '0) ||
                (!(lower_l && (entry[(i-1)*EntryW + LeftAt + PcAt +: 32] == parent_pc) &&
                   (entry[(i-1)*EntryW + LeftAt +: LevelW] == rl_here)) &&
                 !(lower_r && (entry[(i-1)*EntryW + RightAt + PcAt +: 32] == parent_pc) &&
                   (entry[(i-1)*EntryW + RightAt +: LevelW] == rl_here)))) in_parent = 1'b0;
            found_own = 1'b0;
          end
        end
        stale_l = (entry[i*EntryW + FlagsAt + 2 +: 2] != '0) && entry[i*EntryW + FlagsAt + 1];
        stale_r = (entry[i*EntryW + FlagsAt + 2 +: 2] != '0) && entry[i*EntryW + FlagsAt];
        if (!same_above) run_rpc = rpc_here;
        same_above = same_below;
        rpc_above  = rpc_here;
        rl_above   = rl_here;
      end
    end
    if (ref_live_q && (!found || (expected != '0) || ref_pc_q[0])) in_place = 1'b0;
  end

  // Whether the thread's own instruction moved it, and where it goes if it was in a guest and that did not diverge.
  logic moved_q, was_split_q, on_its_way, from_guest_q;
  logic [31:0]       from_rpc_q, arrival_rpc;
  logic [LevelW-1:0] from_level_q, arrival_level;
  assign arrival_rpc   = from_guest_q ? from_rpc_q : rpc[warp*32 +: 32];
  assign arrival_level = from_guest_q ? from_level_q : rpc_level[warp*LevelW +: LevelW];
  always_ff @(posedge clk_i) begin
    from_guest_q <= ((top_mask_l[lane] && guest_l[warp]) || (top_mask_r[lane] && guest_r[warp])) && !(push_valid && (push_warp == warp));
    from_rpc_q   <= guest_rpc[warp*32 +: 32];
    from_level_q <= guest_level[warp*LevelW +: LevelW];
  end
  always_ff @(posedge clk_i) begin
    moved_q <= rst_n && !killed && ((in_own && !act_exit[lane]) ||
                         (advance_valid_i && (advance_warp_i == warp) &&
                          (advance_slot_i ? top_mask_r[lane] : top_mask_l[lane])));
    was_split_q <= push_valid && (push_warp == warp) && !in_own;
  end
  // In the top, or in the slot beside one that diverged, which the push suspended.
  assign on_its_way = top_mask_l[lane] || top_mask_r[lane] || was_split_q;

  // What was before this cycle, for an overflow of the warp.
  localparam int TopW = 2*Lanes + 3*32 + 3*LevelW + Lanes + DepthW + 4 + 32 + LevelW;
  logic            overflowed_q;
  logic [TopW-1:0] now_top, was_top_q;
  assign now_top = {top_mask_l, top_mask_r, pc_l[warp*32 +: 32], pc_r[warp*32 +: 32], rpc[warp*32 +: 32],
                    level_l[warp*LevelW +: LevelW], level_r[warp*LevelW +: LevelW], rpc_level[warp*LevelW +: LevelW],
                    warp_live, height, here[warp], gone[warp], offer_l[warp], offer_r[warp], guest_rpc[warp*32 +: 32],
                    guest_level[warp*LevelW +: LevelW]};
  always_ff @(posedge clk_i) begin
    overflowed_q <= rst_n && !killed && overflow_valid && (overflow_warp == warp);
    was_top_q    <= now_top;
  end

  // Cycles since the top of the warp became empty.
  localparam int WaitW = $clog2((NumWarps - 1) * Depth + 2) + 1;
  logic             ended;
  logic [WaitW-1:0] waited_q;
  assign ended = (height != '0) && !valid_l[warp] && !valid_r[warp];
  always_ff @(posedge clk_i) begin
    if (!rst_n || !ended || (pop_valid && (pop_warp == warp))) waited_q <= '0;
    else                                                       waited_q <= waited_q + WaitW'(1);
  end

  // A pop, or a forward, is chosen a cycle ahead.
  logic                chosen_q, forward_q;
  logic [WarpW-1:0]    chosen_warp_q;
  logic [NumWarps-1:0] pops, forwards_to;
  assign pops        = ~(valid_l & ~guest_l) & ~(valid_r & ~guest_r) & ~((guest_l | guest_r) & hold_i);
  assign forwards_to = ~here & ~gone & ~hold_i & ((offer_l & ~valid_l & valid_r) | (offer_r & ~valid_r & valid_l));
  always_ff @(posedge clk_i) begin
    chosen_q      <= 1'b0;
    forward_q     <= 1'b0;
    chosen_warp_q <= '0;
    for (int w = NumWarps - 1; w >= 0; w--) begin
      if (rst_n && (depth[w*DepthW +: DepthW] != '0) && (pops[w] || forwards_to[w]) &&
          !((chosen_q || forward_q) && (chosen_warp_q == WarpW'(w))) && !(kill_valid_i && (kill_warp_i == WarpW'(w)))) begin
        chosen_q      <= pops[w];
        forward_q     <= !pops[w];
        chosen_warp_q <= WarpW'(w);
      end
    end
  end

  // In the cycle before a resolution acted and another one was taken in.
  logic two_resolve_q;
  always_ff @(posedge clk_i) two_resolve_q <= rst_n && act_valid && resolve_valid_i;

  // A resolution is expected: hold_i in its cycle, the one before and the one in which it acts.
  logic [NumWarps-1:0] held_q;
  always_ff @(posedge clk_i) held_q <= hold_i;

  // Rows of a warp below its top, as they were.
  logic [DepthW-1:0]           was_height_q;
  logic [(Depth-1)*EntryW-1:0] was_rows_q;
  logic                        rows_kept;
  always_ff @(posedge clk_i) begin
    was_height_q <= rst_n ? height : '0;
    was_rows_q   <= entry[0 +: (Depth-1)*EntryW];
  end
  always_comb begin
    rows_kept = 1'b1;
    for (int i = 0; i < Depth - 1; i++) begin
      if ((i + 1 < 32'(was_height_q)) && (i + 1 < 32'(height)) && (entry[i*EntryW +: EntryW] != was_rows_q[i*EntryW +: EntryW])) rows_kept = 1'b0;
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
      if (!((valid_l[w] == (mask_l[w*Lanes +: Lanes] != '0)) && (valid_r[w] == (mask_r[w*Lanes +: Lanes] != '0)) &&
            ((depth[w*DepthW +: DepthW] != '0) || (!valid_l[w] && !valid_r[w])))) valid_right = 1'b0;
      if ((32'(depth[w*DepthW +: DepthW]) > Depth) || (max_depth < depth[w*DepthW +: DepthW])) depth_right = 1'b0;
    end
  end

  logic launch_ok, advance_ok, resolve_ok, hold_ok, kill_ok;
  logic [Lanes-1:0] to_resolve;
  assign launch_ok  = (32'(launch_warp_i) < NumWarps) && (depth[launch_warp_i*DepthW +: DepthW] == '0) &&
                      (launch_mask_i != '0) && !launch_pc_i[0];
  assign advance_ok = (32'(advance_warp_i) < NumWarps) &&
                      (advance_slot_i ? valid_r[advance_warp_i] : valid_l[advance_warp_i]) &&
                      !(act_valid && (act_warp == advance_warp_i));
  assign to_resolve = resolve_slot_i ? mask_r[resolve_warp_i*Lanes +: Lanes] : mask_l[resolve_warp_i*Lanes +: Lanes];
  assign resolve_ok = (32'(resolve_warp_i) < NumWarps) &&
                      (resolve_slot_i ? valid_r[resolve_warp_i] : valid_l[resolve_warp_i]) &&
                      ((resolve_exit_i & ~to_resolve) == '0) &&
                      !(advance_valid_i && (advance_warp_i == resolve_warp_i) && (advance_slot_i == resolve_slot_i)) &&
                      !(act_valid && (act_warp == resolve_warp_i)) &&
                      held_q[resolve_warp_i] && hold_i[resolve_warp_i] &&
                      !resolve_target_i[0] && !resolve_next_i[0] && (!resolve_rpc_i[0] || (resolve_rpc_i[31:1] == '0)) &&
                      !(resolve_call_i && resolve_return_i) &&
                      (!(resolve_call_i || resolve_return_i) || (resolve_target_i != '0));
  assign hold_ok    = !act_valid || hold_i[act_warp];
  assign kill_ok    = (32'(kill_warp_i) < NumWarps) && !(launch_valid_i && (launch_warp_i == kill_warp_i));

  // Registers of the RTL between the two cycles of a resolution, and of a pop.
  (* hierconn *) wire \dut.acting_q , \dut.act_slot_q , \dut.act_divergent_q , \dut.act_tail_q , \dut.act_full_q ;
  (* hierconn *) wire [NumWarps-1:0] \dut.held_q ;
  (* hierconn *) wire \dut.act_replaces_q , \dut.forward_q ;
  (* hierconn *) wire \dut.act_valid_l_q , \dut.act_valid_r_q , \dut.act_moves_q , \dut.act_learns_q , \dut.pop_q , \dut.pop_last_q ;
  (* hierconn *) wire [WarpW-1:0] \dut.act_warp_q , \dut.pop_warp_q ;
  (* hierconn *) wire [31:0] \dut.act_pc_l_q , \dut.act_pc_r_q , \dut.act_rpc_q ;
  (* hierconn *) wire [Lanes-1:0] \dut.act_mask_l_q , \dut.act_mask_r_q , \dut.act_exit_q ;
  (* hierconn *) wire [LevelW-1:0] \dut.act_level_l_q , \dut.act_level_r_q , \dut.act_level_q , \dut.act_rpc_level_q ;
  (* hierconn *) wire [DepthW-1:0] \dut.act_depth_q , \dut.pop_depth_q ;
  localparam int AddrW = heddle_pkg::idx_width(NumWarps << IndexW);
  (* hierconn *) wire \dut.u_below.write_valid_i , \dut.u_below.read_valid_i ;
  (* hierconn *) wire [AddrW-1:0] \dut.u_below.write_addr_i , \dut.u_below.read_addr_i , \dut.u_below.gen_inferred.read_addr_q ;
  wire rows_are_apart = !(\dut.u_below.write_valid_i && \dut.u_below.read_valid_i && (\dut.u_below.write_addr_i == \dut.u_below.read_addr_i ));

  // What the contract says of the resolution that acts: where its sides meet, and who is there.
  logic [31:0]       own_rpc, meet, meet_learnt;
  logic [LevelW-1:0] own_level, own_rpc_level, meet_level, to_level;
  logic              is_tail, taken_there, next_there, all_go, none_go, arrives, learns;
  logic              by_guest, goes_on, left_goes, right_goes;   // without divergence; which slot gets the target's side
  logic [Lanes-1:0]  go, stay;
  always_comb begin
    by_guest      = act_slot ? guest_r[act_warp] : guest_l[act_warp];
    own_rpc       = by_guest ? guest_rpc[act_warp*32 +: 32] : rpc[act_warp*32 +: 32];
    own_rpc_level = by_guest ? guest_level[act_warp*LevelW +: LevelW] : rpc_level[act_warp*LevelW +: LevelW];
    own_level     = act_slot ? level_r[act_warp*LevelW +: LevelW] : level_l[act_warp*LevelW +: LevelW];
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
    goes_on     = (all_go || none_go) && !arrives;
    left_goes   = splits ? TakenLeft != 0 : all_go;
    right_goes  = splits ? TakenLeft == 0 : all_go;
  end

  logic act_right, choice_right, forwards_now, own_left;
  always_comb begin
    act_right = (\dut.acting_q == act_valid) && (\dut.held_q == held_q);
    if (act_valid) begin
      if (!((32'(act_warp) < NumWarps) && (own_mask != '0) && ((act_exit & ~own_mask) == '0) &&
            !act_target[0] && !act_next[0] && (!act_rpc[0] || (act_rpc == 32'd1)) && !(act_call && act_return) &&
            (!(act_call || act_return) || (act_target != '0)))) act_right = 1'b0;
      if (!((\dut.act_warp_q == act_warp) && (\dut.act_slot_q == act_slot) && (\dut.act_exit_q == act_exit) &&
            (\dut.act_level_q == own_level) && (\dut.act_divergent_q == splits) &&
            (\dut.act_pc_l_q == (left_goes ? act_target : act_next)) &&
            (\dut.act_pc_r_q == (right_goes ? act_target : act_next)) &&
            (\dut.act_level_l_q == (left_goes ? to_level : own_level)) &&
            (\dut.act_level_r_q == (right_goes ? to_level : own_level)))) act_right = 1'b0;
      if (splits && !((\dut.act_tail_q == is_tail) &&
                      (\dut.act_replaces_q == (is_tail && !(by_guest && rpc[act_warp*32]))) && (\dut.act_rpc_q == meet_learnt) &&
                      (\dut.act_rpc_level_q == meet_level) &&
                      (\dut.act_mask_l_q == (left_goes ? go : stay)) &&
                      (\dut.act_mask_r_q == (right_goes ? go : stay)) &&
                      (\dut.act_valid_l_q == !(left_goes ? taken_there : next_there)) &&
                      (\dut.act_valid_r_q == !(right_goes ? taken_there : next_there)) &&
                      (\dut.act_depth_q == depth[act_warp*DepthW +: DepthW] + DepthW'(1)) &&
                      (\dut.act_full_q == (32'(depth[act_warp*DepthW +: DepthW]) == Depth)))) act_right = 1'b0;
      if (!splits && !((\dut.act_mask_l_q == active) && (\dut.act_mask_r_q == active) &&
                       (\dut.act_valid_l_q == goes_on) && (\dut.act_valid_r_q == goes_on) &&
                       (\dut.act_moves_q == (all_go || none_go)) && (\dut.act_learns_q == learns) &&
                       (!learns || (\dut.act_rpc_q == {act_target[31:1], 1'b1})) &&
                       (resolved_next == (goes_on && (none_go || (act_target == act_next)))))) act_right = 1'b0;
      if (!overflow_valid && !(resolved_valid && (resolved_warp == act_warp))) act_right = 1'b0;
    end
    forwards_now = \dut.forward_q ;
    own_left     = (valid_l[\dut.pop_warp_q ] && !guest_l[\dut.pop_warp_q ]) || (valid_r[\dut.pop_warp_q ] && !guest_r[\dut.pop_warp_q ]);
    choice_right = (pop_valid == chosen_q) && (pop_warp == (chosen_q ? chosen_warp_q : '0)) && (pop_valid == \dut.pop_q ) &&
                   (forwards_now == forward_q) && (\dut.pop_warp_q == chosen_warp_q);
    if (\dut.pop_q || forwards_now) begin
      if (!((32'(\dut.pop_warp_q ) < NumWarps) && (depth[\dut.pop_warp_q *DepthW +: DepthW] != '0) &&
            (\dut.pop_last_q == (depth[\dut.pop_warp_q *DepthW +: DepthW] == DepthW'(1))) &&
            (\dut.pop_depth_q == depth[\dut.pop_warp_q *DepthW +: DepthW] - DepthW'(1)) &&
            (\dut.u_below.gen_inferred.read_addr_q == AddrW'({\dut.pop_warp_q , IndexW'(depth[\dut.pop_warp_q *DepthW +: DepthW] - DepthW'(2))})))) choice_right = 1'b0;
      if (act_valid && (act_warp == \dut.pop_warp_q )) choice_right = 1'b0;
      // A resolution of the warp is not taken in either: nothing was held when it was chosen.
      if ((valid_l[\dut.pop_warp_q ] || valid_r[\dut.pop_warp_q ]) && held_q[\dut.pop_warp_q ]) choice_right = 1'b0;
    end
    if (\dut.pop_q && own_left) choice_right = 1'b0;
    if (\dut.pop_q && forwards_now) choice_right = 1'b0;
    if (forwards_now && (here[\dut.pop_warp_q ] || gone[\dut.pop_warp_q ] || !(offer_l[\dut.pop_warp_q ] || offer_r[\dut.pop_warp_q ]) ||
                         (offer_l[\dut.pop_warp_q ] && valid_l[\dut.pop_warp_q ]) ||
                         (offer_r[\dut.pop_warp_q ] && valid_r[\dut.pop_warp_q ]))) choice_right = 1'b0;
    if (!\dut.pop_q && \dut.pop_last_q ) choice_right = 1'b0;
  end

  always_comb begin
    thread_is_one: assume ((32'(warp) < NumWarps) && (32'(lane) < Lanes));
    if (rst_n) begin
      launch_is_legal:  assume (!launch_valid_i || launch_ok);
      advance_is_legal: assume (!advance_valid_i || advance_ok);
      resolve_is_legal: assume (!resolve_valid_i || resolve_ok);
      hold_is_legal:    assume (hold_ok);
      kill_is_legal:    assume (!kill_valid_i || kill_ok);

      rtl_assertions_seen:       cover (advance_valid_i && resolve_valid_i && (32'(height) == 2));
      valid_is_mask:             assert (valid_right);
      valid_is_mask_seen:        cover (valid_l[warp] && valid_r[warp]);
      masks_disjoint:            assert (disjoint);
      masks_disjoint_seen:       cover (valid_l[warp] && valid_r[warp] && (32'(height) == Depth));
      top_is_live:               assert (!(top_mask_l[lane] || top_mask_r[lane]) || warp_live[lane]);
      top_is_live_seen:          cover ((top_mask_l != '0) && (warp_live != (top_mask_l | top_mask_r)));
      live_is_reference:         assert (warp_live[lane] == ref_live_q);
      live_is_reference_seen:    cover (ref_live_q);
      child_in_parent:           assert (in_parent);
      child_in_parent_seen:      cover (has_parent && has_sibling);
      no_slot_at_rpc:            assert (not_at_rpc);
      no_slot_at_rpc_seen:       cover ((valid_l[warp] || valid_r[warp]) && (32'(height) == Depth));
      thread_in_its_place:       assert (in_place);
      thread_in_its_place_seen:  cover (ref_live_q && (32'(height) == Depth) && !top_mask_l[lane] && !top_mask_r[lane]);
      kept_level_is_met:         assert (waits_right);
      kept_level_is_met_seen:    cover (waits && has_parent);
      return_is_learnt:          assert (learnt);
      return_is_learnt_seen:     cover (ref_live_q && waits && !on_its_way && pop_valid);
      address_is_one:            assert (one_address);
      address_is_one_seen:       cover (has_sibling && rpc[warp*32] && (rpc[warp*32+1 +: 31] != '0));
      top_is_even:               assert (!(valid_l[warp] && pc_l[warp*32]) && !(valid_r[warp] && pc_r[warp*32]));
      top_is_even_seen:          cover (waits && pop_valid && (warp_live != '0));
      arrival_at_level:          assert (!(moved_q && !on_its_way) ||
                                         arrived(ref_pc_q, ref_level_q, arrival_rpc, arrival_level));
      arrival_at_level_seen:     cover (moved_q && !on_its_way && (rpc_level[warp*LevelW +: LevelW] != '0));
      done_is_empty:             assert (!(done_valid && (done_warp == warp) && warp_live[lane]));
      done_is_empty_seen:        cover (done_valid && (done_warp == warp));
      depth_bound:               assert (depth_right);
      depth_bound_seen:          cover (32'(height) == Depth);
      overflow_is_flagged:       assert ((!splits || (push_valid ^ overflow_valid)) && (!push_valid || splits) &&
                                         (!overflow_valid || (mine ? 32'(height) == Depth : 1'b1)));
      overflow_is_flagged_seen:  cover (splits && overflow_valid && mine);
      overflow_changes_nothing:  assert (!overflowed_q || (now_top == was_top_q));
      overflow_changes_nothing_seen: cover (overflowed_q && (top_mask_l != '0) && (top_mask_r != '0));
      taken_in_is_right:         assert (act_right);
      taken_in_is_right_seen:    cover (act_valid && push_valid && mine && (32'(height) == 2));
      choice_is_right:           assert (choice_right);
      choice_is_right_seen:      cover (pop_valid && done_valid);
      choice_of_a_third:         assert (choice_right);
      choice_of_a_third_seen:    cover (pop_valid && two_resolve_q);
      guest_is_offered:          assert (guests_right);
      guest_is_offered_seen:     cover (guest_l[warp] && valid_r[warp] && (32'(height) == Depth));
      offer_is_legal:            assert (offered_right);
      offer_is_legal_seen:       cover (forward_q && (chosen_warp_q == warp) && (32'(height) == Depth));
      rows_are_kept:             assert (rows_kept);
      rows_are_kept_seen:        cover (forward_q && (chosen_warp_q == warp) && (32'(height) == 3));
      outlives_a_guest:          assert (in_place && learnt);
      outlives_a_guest_seen:     cover (splits && by_guest && is_tail && mine && rpc[warp*32]);
      learns_its_own_return:     assert (in_place && one_address);
      learns_its_own_return_seen: cover (splits && by_guest && act_rpc[0] && !is_tail && mine && rpc[warp*32]);
      rows_apart:                assert (rows_are_apart);
      rows_apart_seen:           cover (\dut.u_below.write_valid_i && \dut.u_below.read_valid_i );
      pop_is_bounded:            assert (32'(waited_q) <= (NumWarps - 1) * Depth + 1 + ((NumWarps == 1) ? 1 : 0));
      pop_is_bounded_seen:       cover (ended && ((NumWarps == 1) || (waited_q != '0)));
    end
  end
endmodule
