// SPDX-License-Identifier: Apache-2.0
// Properties of compact_stack (scripts/prove). It and the textbook's stack have the same inputs: until a warp nests deeper
// than there are entries, nobody can tell them apart. What is proved of spe_stack is true of it, too.
//
//! run NumWarps=1 Lanes=4 Depth=3 LevelW=2
//! run NumWarps=2 Lanes=4 Depth=3 PushOrder=2 LevelW=2
//! run NumWarps=3 Lanes=2 Depth=3 LevelW=2 of row_is_not_written
//! assume launch_is_legal: Nothing has overflowed. A launched warp has ended, has a number below NumWarps, an even PC and at least one thread.
//! assume advance_is_legal: An advance names a warp whose top is not empty and that does not resolve.
//! assume resolve_is_legal: A resolution names a warp whose top is not empty, that does not advance and has none taken in; only threads of the top exit. PCs are even, an odd resolve_rpc_i is 1, nothing is a call and a return, and neither goes to PC 0.
//! assume kill_is_legal: A kill names a warp with a number below NumWarps that is not launched in this cycle.
//! together rtl_assertions paths_are_equal events_are_equal overflow_is_first state_is_folded entries_are_folded act_is_equal choice_is_equal row_is_not_written arrival_is_foreseen
//!
//! property rtl_assertions: What the RTL of both asserts of its callers follows from the assumptions.
//!   mutant compact_stack_valid_seen_always
//! property paths_are_equal: PC, mask, level and sibling bit of every path are those of spe_stack.
//!   mutant compact_stack_later_side_forgets_its_level
//! property events_are_equal: Resolutions, pushes, pops and ends of warps are those of spe_stack, in the same cycles.
//!   mutant compact_stack_branch_to_the_next_instruction_stops
//! property overflow_is_first: As long as compact_stack does not overflow, 2 * Depth - 1 entries of spe_stack are enough.
//!   mutant compact_stack_overflow_one_late
//! property state_is_folded: The place of a path that meets others is in the files, and so are the live threads once a warp has diverged; before, its path has them all.
//!   mutant compact_learnt_address_lost
//! property entries_are_folded: From the top down, each entry is the later side, if that waits, and the meeting point, unless it is a tail, of spe_stack, and these are all that it has; an address that was learnt is that of all who meet there.
//!   mutant compact_tail_leaves_a_meeting_point
//! property act_is_equal: What is registered of a resolution, and written of its entry, is what spe_stack makes of its own.
//!   mutant compact_stack_target_at_the_level_of_the_branch
//! property row_is_not_written: No row is read at the edge at which it is written: memories that give the old word then and those that give the new one are the same.
//!   only NumWarps=2,3
//!   mutant compact_stack_reads_the_row_it_writes
//! property choice_is_equal: Both pop the same warp next, which has entries and no path, at the depths that they have.
//!   mutant compact_popped_warp_is_chosen_again
//! property arrival_is_foreseen: Whether a path arrives with its next advance is known before it is granted.
//!   mutant compact_second_advance_in_a_row_passes
module compact_stack_props #(
  parameter  int NumWarps  = 1,
  parameter  int Lanes     = 4,
  parameter  int Depth     = 3,
  parameter  int PushOrder = 0,
  parameter  int LevelW    = 2,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW    = heddle_pkg::idx_width(Depth + 1),
  localparam int SpeDepth  = 2 * Depth - 1,
  localparam int SpeDepthW = heddle_pkg::idx_width(SpeDepth + 1)
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

  // Outputs of both.
  localparam int EventsW = 5 + 4 * WarpW;
  logic [NumWarps*32-1:0]        pc, spe_pc, unused_rpc, spe_rpc;
  logic [NumWarps*Lanes-1:0]     mask, spe_mask, unused_live, spe_live;
  logic [NumWarps*LevelW-1:0]    level, spe_level, unused_rpc_level, spe_rpc_level;
  logic [NumWarps-1:0]           valid, spe_valid, sibling, spe_sibling;
  logic [EventsW-1:0]            events, spe_events;
  logic                          slot, spe_slot, overflow, spe_overflow;
  logic [WarpW-1:0]              overflow_warp, spe_overflow_warp;
  logic [NumWarps*DepthW-1:0]    depth;
  logic [NumWarps*SpeDepthW-1:0] spe_depth;
  logic [DepthW-1:0]             max_depth;
  logic [SpeDepthW-1:0]          spe_max_depth;

  compact_stack #(
    .NumWarps  (NumWarps),
    .Lanes     (Lanes),
    .Depth     (Depth),
    .PushOrder (PushOrder),
    .LevelW    (LevelW)
  ) u_compact (
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
    .rpc_o            (unused_rpc),
    .rpc_level_o      (unused_rpc_level),
    .live_o           (unused_live),
    .depth_o          (depth),
    .resolved_valid_o (events[4+4*WarpW]),
    .resolved_warp_o  (events[4+3*WarpW +: WarpW]),
    .resolved_slot_o  (slot),
    .resolved_next_o  (events[3+3*WarpW]),
    .push_valid_o     (events[2+3*WarpW]),
    .push_warp_o      (events[2+2*WarpW +: WarpW]),
    .pop_valid_o      (events[1+2*WarpW]),
    .pop_warp_o       (events[1+1*WarpW +: WarpW]),
    .done_valid_o     (events[0+1*WarpW]),
    .done_warp_o      (events[0 +: WarpW]),
    .overflow_valid_o (overflow),
    .overflow_warp_o  (overflow_warp),
    .max_depth_o      (max_depth)
  );

  spe_stack #(
    .NumWarps  (NumWarps),
    .Lanes     (Lanes),
    .Depth     (SpeDepth),
    .PushOrder (PushOrder),
    .LevelW    (LevelW)
  ) u_spe (
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
    .pc_o             (spe_pc),
    .mask_o           (spe_mask),
    .level_o          (spe_level),
    .valid_o          (spe_valid),
    .sibling_o        (spe_sibling),
    .rpc_o            (spe_rpc),
    .rpc_level_o      (spe_rpc_level),
    .live_o           (spe_live),
    .depth_o          (spe_depth),
    .resolved_valid_o (spe_events[4+4*WarpW]),
    .resolved_warp_o  (spe_events[4+3*WarpW +: WarpW]),
    .resolved_slot_o  (spe_slot),
    .resolved_next_o  (spe_events[3+3*WarpW]),
    .push_valid_o     (spe_events[2+3*WarpW]),
    .push_warp_o      (spe_events[2+2*WarpW +: WarpW]),
    .pop_valid_o      (spe_events[1+2*WarpW]),
    .pop_warp_o       (spe_events[1+1*WarpW +: WarpW]),
    .done_valid_o     (spe_events[0+1*WarpW]),
    .done_warp_o      (spe_events[0 +: WarpW]),
    .overflow_valid_o (spe_overflow),
    .overflow_warp_o  (spe_overflow_warp),
    .max_depth_o      (spe_max_depth)
  );

  // A warp that has overflowed is halted by the front end: nothing more is said then, of others neither.
  logic broken_q;
  always_ff @(posedge clk_i) broken_q <= rst_n && (broken_q || overflow);

  // Data of a warp that was never launched, or was killed, are not said.
  logic [NumWarps-1:0] launched_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      launched_q <= '0;
    end else begin
      if (launch_valid_i) launched_q[launch_warp_i] <= 1'b1;
      if (kill_valid_i) launched_q[kill_warp_i] <= 1'b0;
    end
  end
  logic same_paths;
  always_comb begin
    same_paths = valid == spe_valid;
    for (int w = 0; w < NumWarps; w++) begin
      if (launched_q[w] && ((pc[w*32 +: 32] != spe_pc[w*32 +: 32]) || (mask[w*Lanes +: Lanes] != spe_mask[w*Lanes +: Lanes]) ||
                            (level[w*LevelW +: LevelW] != spe_level[w*LevelW +: LevelW]) || (sibling[w] != spe_sibling[w]))) same_paths = 1'b0;
    end
  end

  // State of both, by name; rows of storage of three warps (Depth 3: two nestings, four entries).
  localparam int EntryW = 31 + 2 * Lanes + 32 + LevelW + 2 + 1 + 1, PlaceW = 32 + LevelW;
  localparam int SpeEntryW = 2 * (32 + LevelW) + Lanes + 1, SpeIndexW = heddle_pkg::idx_width(SpeDepth - 1);
  (* hierconn *) wire [EntryW-1:0] \u_compact.u_below.gen_inferred.words[0] , \u_compact.u_below.gen_inferred.words[1] ,
                                   \u_compact.u_below.gen_inferred.words[2] , \u_compact.u_below.gen_inferred.words[3] ,
                                   \u_compact.u_below.gen_inferred.words[4] , \u_compact.u_below.gen_inferred.words[5] ;
  (* hierconn *) wire [SpeEntryW-1:0] \u_spe.u_even.gen_inferred.words[0] , \u_spe.u_even.gen_inferred.words[1] ,
                                      \u_spe.u_even.gen_inferred.words[2] , \u_spe.u_even.gen_inferred.words[3] ,
                                      \u_spe.u_odd.gen_inferred.words[0] , \u_spe.u_odd.gen_inferred.words[1] ,
                                      \u_spe.u_odd.gen_inferred.words[2] , \u_spe.u_odd.gen_inferred.words[3] ,
                                      \u_spe.u_even.gen_inferred.words[4] , \u_spe.u_even.gen_inferred.words[5] ,
                                      \u_spe.u_odd.gen_inferred.words[4] , \u_spe.u_odd.gen_inferred.words[5] ;
  (* hierconn *) wire [PlaceW-1:0] \u_compact.place_words[0] , \u_compact.place_words[1] , \u_compact.place_words[2] ;
  (* hierconn *) wire [30:0]       \u_compact.meet_words[0] , \u_compact.meet_words[1] , \u_compact.meet_words[2] ;
  (* hierconn *) wire [Lanes-1:0]  \u_compact.live_words[0] , \u_compact.live_words[1] , \u_compact.live_words[2] ;
  wire [6*EntryW-1:0]    rows     = {\u_compact.u_below.gen_inferred.words[5] , \u_compact.u_below.gen_inferred.words[4] ,
                                     \u_compact.u_below.gen_inferred.words[3] , \u_compact.u_below.gen_inferred.words[2] ,
                                     \u_compact.u_below.gen_inferred.words[1] , \u_compact.u_below.gen_inferred.words[0] };
  wire [12*SpeEntryW-1:0] spe_rows = {\u_spe.u_odd.gen_inferred.words[5] , \u_spe.u_even.gen_inferred.words[5] ,
                                     \u_spe.u_odd.gen_inferred.words[4] , \u_spe.u_even.gen_inferred.words[4] ,
                                     \u_spe.u_odd.gen_inferred.words[3] , \u_spe.u_even.gen_inferred.words[3] ,
                                     \u_spe.u_odd.gen_inferred.words[2] , \u_spe.u_even.gen_inferred.words[2] ,
                                     \u_spe.u_odd.gen_inferred.words[1] , \u_spe.u_even.gen_inferred.words[1] ,
                                     \u_spe.u_odd.gen_inferred.words[0] , \u_spe.u_even.gen_inferred.words[0] };
  wire [3*PlaceW-1:0] places = {\u_compact.place_words[2] , \u_compact.place_words[1] , \u_compact.place_words[0] };
  wire [3*31-1:0]     meets  = {\u_compact.meet_words[2] , \u_compact.meet_words[1] , \u_compact.meet_words[0] };
  wire [3*Lanes-1:0]  lives  = {\u_compact.live_words[2] , \u_compact.live_words[1] , \u_compact.live_words[0] };
  (* hierconn *) wire [NumWarps-1:0] \u_compact.placed_q , \u_compact.reaches_q , \u_compact.arrives ;
  (* hierconn *) wire [NumWarps*Lanes-1:0] \u_compact.mask_q ;
  wire [NumWarps-1:0]       placed = \u_compact.placed_q , reaches = \u_compact.reaches_q , arrives = \u_compact.arrives ;
  wire [NumWarps*Lanes-1:0] kept_mask = \u_compact.mask_q ;

  // Of the resolution that acts, and of the pop.
  (* hierconn *) wire \u_compact.resolved_q , \u_compact.next_q , \u_compact.push_q , \u_compact.act_moves_q ,
                      \u_compact.act_valid_q , \u_compact.act_sibling_q , \u_compact.pop_q ;
  (* hierconn *) wire [WarpW-1:0]  \u_compact.act_warp_q , \u_compact.pop_warp_q ;
  (* hierconn *) wire [30:0]       \u_compact.act_pc_q ;
  (* hierconn *) wire [Lanes-1:0]  \u_compact.act_mask_q ;
  (* hierconn *) wire [LevelW-1:0] \u_compact.act_level_q , \u_compact.act_rpc_level_q ;
  (* hierconn *) wire [31:0]       \u_compact.act_rpc_q ;
  (* hierconn *) wire [DepthW-1:0] \u_compact.act_depth_q , \u_compact.pop_depth_q ;
  (* hierconn *) wire \u_spe.acting_q , \u_spe.act_divergent_q , \u_spe.act_overflow_q , \u_spe.act_tail_q , \u_spe.both_sides ,
                      \u_spe.act_goes_taken_q , \u_spe.act_goes_next_q , \u_spe.act_ends_q , \u_spe.act_learns_q ,
                      \u_spe.act_sibling_q , \u_spe.act_holds_q , \u_spe.pop_q , \u_spe.pop_last_q , \u_spe.below_sibling ;
  (* hierconn *) wire [WarpW-1:0]  \u_spe.act_warp_q , \u_spe.pop_warp_q ;
  (* hierconn *) wire [31:0]       \u_spe.tos_pc , \u_spe.lower_pc , \u_spe.tos_rpc , \u_spe.act_rpc_q ;
  (* hierconn *) wire [Lanes-1:0]  \u_spe.tos_mask , \u_spe.lower_mask , \u_spe.act_taken_q , \u_spe.act_stay_q , \u_spe.act_exit_q ;
  (* hierconn *) wire [LevelW-1:0] \u_spe.tos_level , \u_spe.lower_level , \u_spe.act_rpc_level_q ;
  (* hierconn *) wire [SpeDepthW-1:0] \u_spe.act_depth_q , \u_spe.pop_depth_q ;
  localparam int RowW = heddle_pkg::idx_width(Depth - 1);
  localparam int AddrW = heddle_pkg::idx_width(NumWarps << RowW);
  localparam int SpeAddrW = heddle_pkg::idx_width(NumWarps << (SpeIndexW - 1));
  (* hierconn *) wire \u_spe.pop_odd_q ;
  (* hierconn *) wire [AddrW-1:0] \u_compact.u_below.gen_inferred.read_addr_q ;
  (* hierconn *) wire \u_compact.u_below.write_valid_i , \u_compact.u_below.read_valid_i ;
  (* hierconn *) wire [AddrW-1:0] \u_compact.u_below.write_addr_i , \u_compact.u_below.read_addr_i ;
  wire ports_meet = \u_compact.u_below.write_valid_i && \u_compact.u_below.read_valid_i ;
  wire rows_apart = !(ports_meet && (\u_compact.u_below.write_addr_i == \u_compact.u_below.read_addr_i ));
  (* hierconn *) wire [SpeAddrW-1:0] \u_spe.u_even.gen_inferred.read_addr_q , \u_spe.u_odd.gen_inferred.read_addr_q ;
  logic [SpeIndexW-1:0] spe_pop_index;
  assign spe_pop_index = SpeIndexW'(spe_depth[\u_spe.pop_warp_q *SpeDepthW +: SpeDepthW] - SpeDepthW'(2));

  function automatic same_place(input [31:0] a, input [LevelW-1:0] a_level, input [31:0] b, input [LevelW-1:0] b_level);
    same_place = (a_level == b_level) && ((a[0] && b[0]) || (a == b));
  endfunction

  // The same place, of which `later` may have learnt the address since.
  function automatic learnt_from(input [31:0] later, input [31:0] before);
    learnt_from = (later == before) || ((before == 32'd1) && later[0]);
  endfunction

  logic folded_state, folded_entries, foreseen;
  logic [31:0]          place, row_rpc, later_rpc;
  logic [LevelW-1:0]    place_level, row_level, later_level, meeting_level;
  logic [30:0]          row_pc;
  logic [Lanes-1:0]     row_later, row_meeting, members;
  logic [1:0]           row_up;
  logic                 row_sibling, row_tail, waits, acts_here;
  logic [SpeEntryW-1:0] spe_row;
  int                   at;
  always_comb begin
    folded_state   = 1'b1;
    folded_entries = 1'b1;
    foreseen       = 1'b1;
    row_pc = '0; row_later = '0; row_meeting = '0; row_rpc = '0; row_level = '0; row_up = '0; row_sibling = 1'b0; row_tail = 1'b0;
    later_rpc = '0; later_level = '0; meeting_level = '0; spe_row = '0; place = '0; place_level = '0; waits = 1'b0; members = '0;
    acts_here = 1'b0; at = 0;
    for (int w = 0; w < NumWarps; w++) begin
      if ((depth[w*DepthW +: DepthW] == '0) != (spe_depth[w*SpeDepthW +: SpeDepthW] == '0)) folded_state = 1'b0;
      if ((depth[w*DepthW +: DepthW] == '0) ? valid[w] : !launched_q[w]) folded_state = 1'b0;
      if (32'(depth[w*DepthW +: DepthW]) > Depth) folded_state = 1'b0;
      if (depth[w*DepthW +: DepthW] != '0) begin
        place       = spe_rpc[w*32 +: 32];
        place_level = spe_rpc_level[w*LevelW +: LevelW];
        acts_here   = \u_compact.resolved_q && (\u_compact.act_warp_q == WarpW'(w));
        if (placed[w] ? (place == '0) || (places[w*PlaceW +: PlaceW] != {place, place_level}) || (meets[w*31 +: 31] != place[31:1])
                      : (place != '0) || (place_level != '0)) folded_state = 1'b0;
        if (acts_here ? (lives[w*Lanes +: Lanes] != (spe_live[w*Lanes +: Lanes] & ~\u_spe.act_exit_q ))
                      : (32'(depth[w*DepthW +: DepthW]) > 1) && (lives[w*Lanes +: Lanes] != spe_live[w*Lanes +: Lanes])) folded_state = 1'b0;
        if (valid[w] && ((kept_mask[w*Lanes +: Lanes] == '0) ||
                         ((place == 32'd1) && (spe_level[w*LevelW +: LevelW] == place_level)))) folded_state = 1'b0;
        if (valid[w] && ((reaches[w] != (placed[w] && !place[0] && (spe_level[w*LevelW +: LevelW] == place_level))) ||
                         (arrives[w] != (reaches[w] && (spe_pc[w*32 +: 32] + 32'd4 == place))))) foreseen = 1'b0;
        // From the top down: who waits, and where. members: threads that are live are in it.
        at    = 32'(spe_depth[w*SpeDepthW +: SpeDepthW]) - 2;
        waits = spe_sibling[w];
        members = spe_mask[w*Lanes +: Lanes];
        for (int k = Depth - 1; k >= 1; k--) begin
          if (k < 32'(depth[w*DepthW +: DepthW])) begin
            {row_pc, row_later, row_meeting, row_rpc, row_level, row_up, row_sibling, row_tail} = rows[(2*w + k % 2)*EntryW +: EntryW];
            if (waits) begin
              if (at < 0) folded_entries = 1'b0;
              spe_row = '0;
              for (int i = 0; i < SpeDepth - 1; i++) if (i == at) spe_row = spe_rows[(4*w + i)*SpeEntryW +: SpeEntryW];
              later_level = row_tail ? row_level : place_level + (LevelW'(row_up) | {LevelW{&row_up}});
              later_rpc   = spe_row[LevelW+1 +: 32];
              if ((spe_row[SpeEntryW-1 -: 32] != {row_pc, 1'b0}) || (spe_row[2*LevelW+33 +: Lanes] != row_later) ||
                  (spe_row[LevelW+33 +: LevelW] != later_level) || !learnt_from(place, later_rpc) ||
                  (spe_row[1 +: LevelW] != place_level) || (spe_row[0] != (row_tail && row_sibling)) ||
                  ((place == 32'd1) && (later_level == place_level))) folded_entries = 1'b0;
              at = at - 1;
            end else if (row_tail) begin
              folded_entries = 1'b0;
            end
            if (!row_tail) begin
              if ((at < 0) || (place == '0) || same_place(place, place_level, row_rpc, row_level) ||
                  ((row_rpc == 32'd1) && (row_level == place_level))) folded_entries = 1'b0;
              spe_row = '0;
              for (int i = 0; i < SpeDepth - 1; i++) if (i == at) spe_row = spe_rows[(4*w + i)*SpeEntryW +: SpeEntryW];
              if (spe_row != {place[0] ? 32'd1 : place, row_meeting, place_level, row_rpc, row_level, row_sibling}) folded_entries = 1'b0;
              at          = at - 1;
              place       = row_rpc;
              place_level = row_level;
              members       = row_meeting;
            end else begin
              members = members | row_later;
            end
            waits = row_sibling;
          end
        end
        if ((at != -1) || waits || (place != '0) || (place_level != '0)) folded_entries = 1'b0;
        if ((spe_live[w*Lanes +: Lanes] & ~members) != '0) folded_state = 1'b0;
        if ((32'(depth[w*DepthW +: DepthW]) == 1) && valid[w] && (spe_live[w*Lanes +: Lanes] != spe_mask[w*Lanes +: Lanes])) folded_state = 1'b0;
      end
    end
  end

  // The resolution that acts.
  logic                 equal_act, equal_choice, one_acts, grows;
  logic [WarpW-1:0]     act_warp, pop_warp;
  logic [31:0]          old_rpc, new_rpc, act_entry_rpc;
  logic [LevelW-1:0]    old_rpc_level, act_entry_level;
  logic [DepthW-1:0]    act_depth;
  logic [SpeDepthW-1:0] spe_act_depth;
  logic [30:0]          act_entry_pc;
  logic [Lanes-1:0]     act_entry_later, act_entry_meeting, act_active;
  logic [1:0]           act_entry_up;
  logic                 act_entry_sibling, act_entry_tail;
  assign act_warp       = \u_compact.act_warp_q ;
  assign pop_warp       = \u_compact.pop_warp_q ;
  assign one_acts       = \u_compact.resolved_q ;
  assign grows          = \u_spe.act_divergent_q && (!\u_spe.act_tail_q || \u_spe.both_sides );
  assign act_active     = \u_spe.act_taken_q | \u_spe.act_stay_q ;
  assign act_depth      = depth[act_warp*DepthW +: DepthW];
  assign spe_act_depth  = spe_depth[act_warp*SpeDepthW +: SpeDepthW];
  assign old_rpc        = spe_rpc[act_warp*32 +: 32];
  assign old_rpc_level  = spe_rpc_level[act_warp*LevelW +: LevelW];
  assign new_rpc        = (\u_spe.act_divergent_q || \u_spe.act_learns_q ) ? \u_spe.tos_rpc : old_rpc;
  assign {act_entry_pc, act_entry_later, act_entry_meeting, act_entry_rpc, act_entry_level, act_entry_up, act_entry_sibling,
          act_entry_tail} = rows[(2*32'(act_warp) + 32'(act_depth[0]))*EntryW +: EntryW];
  always_comb begin
    equal_act = ((one_acts || overflow) == \u_spe.acting_q ) && (acting == (NumWarps'(one_acts || overflow) << act_warp));
    if ((one_acts || overflow) && ((32'(act_warp) >= NumWarps) || (act_warp != \u_spe.act_warp_q ) || !valid[act_warp])) equal_act = 1'b0;
    if (one_acts) begin
      if (\u_spe.act_overflow_q ||
          (\u_compact.push_q != \u_spe.act_divergent_q ) || (\u_compact.next_q != \u_spe.act_holds_q )) equal_act = 1'b0;
      // The path.
      if (\u_compact.act_moves_q != (\u_spe.act_divergent_q || \u_spe.act_goes_taken_q || \u_spe.act_goes_next_q )) equal_act = 1'b0;
      if (\u_compact.act_moves_q && (({\u_compact.act_pc_q , 1'b0} != \u_spe.tos_pc ) || (\u_compact.act_level_q != \u_spe.tos_level ))) equal_act = 1'b0;
      if ((\u_compact.act_mask_q != \u_spe.tos_mask ) || (\u_compact.act_valid_q != (\u_spe.act_divergent_q || !\u_spe.act_ends_q )) ||
          (\u_compact.act_valid_q && (\u_compact.act_mask_q == '0))) equal_act = 1'b0;
      if (act_active != (spe_mask[act_warp*Lanes +: Lanes] & ~\u_spe.act_exit_q )) equal_act = 1'b0;
      if ((\u_compact.act_moves_q != (act_active != '0)) || (!\u_compact.act_moves_q && !\u_spe.act_ends_q )) equal_act = 1'b0;
      // Where it meets others: who arrives has a place to arrive at.
      if ((\u_compact.act_rpc_q != new_rpc) ||
          (\u_compact.act_rpc_level_q != (\u_spe.act_divergent_q ? \u_spe.act_rpc_level_q : old_rpc_level))) equal_act = 1'b0;
      if ((\u_compact.act_sibling_q != (\u_spe.act_divergent_q ? \u_spe.both_sides || \u_spe.below_sibling : \u_spe.act_sibling_q )) ||
          (\u_spe.act_sibling_q != spe_sibling[act_warp])) equal_act = 1'b0;
      if (\u_spe.act_divergent_q && !\u_spe.act_tail_q ) begin
        if ((new_rpc == '0) || same_place(new_rpc, \u_spe.act_rpc_level_q , old_rpc, old_rpc_level)) equal_act = 1'b0;
      end else begin
        if (!learnt_from(new_rpc, old_rpc) || (\u_spe.act_divergent_q && (\u_spe.act_rpc_level_q != old_rpc_level))) equal_act = 1'b0;
        if ((\u_spe.act_divergent_q ? !\u_spe.both_sides : \u_spe.act_ends_q && (act_active != '0)) && (old_rpc == '0)) equal_act = 1'b0;
      end
      if ((new_rpc == 32'd1) && ((\u_compact.act_valid_q && (\u_compact.act_level_q == \u_compact.act_rpc_level_q )) ||
                                 (grows && \u_spe.both_sides && (\u_spe.lower_level == \u_spe.act_rpc_level_q )))) equal_act = 1'b0;
      if (grows && !\u_spe.act_tail_q && (old_rpc == 32'd1) && (old_rpc_level == \u_spe.act_rpc_level_q )) equal_act = 1'b0;
      // Depths and entry.
      if ((\u_compact.act_depth_q != act_depth + DepthW'(grows)) || (grows && (32'(act_depth) == Depth)) ||
          (\u_spe.act_divergent_q && (\u_spe.act_depth_q != spe_act_depth + SpeDepthW'(!\u_spe.act_tail_q ) + SpeDepthW'(\u_spe.both_sides )))) equal_act = 1'b0;
      if (grows) begin
        if ((act_entry_tail != \u_spe.act_tail_q ) || (act_entry_sibling != spe_sibling[act_warp])) equal_act = 1'b0;
        if (\u_spe.both_sides && (({act_entry_pc, 1'b0} != \u_spe.lower_pc ) || (act_entry_later != \u_spe.lower_mask ) ||
            ((act_entry_tail ? act_entry_level : \u_spe.act_rpc_level_q + (LevelW'(act_entry_up) | {LevelW{&act_entry_up}})) !=
             \u_spe.lower_level ) || (\u_spe.act_rpc_q != new_rpc))) equal_act = 1'b0;
        if (!\u_spe.act_tail_q && ((act_entry_meeting != act_active) || (act_entry_rpc != old_rpc) || (act_entry_level != old_rpc_level))) equal_act = 1'b0;
      end
    end

    equal_choice = (\u_compact.pop_q == \u_spe.pop_q );
    if (\u_compact.pop_q ) begin
      if ((32'(pop_warp) >= NumWarps) || (pop_warp != \u_spe.pop_warp_q ) || valid[pop_warp] || (depth[pop_warp*DepthW +: DepthW] == '0) ||
          (\u_compact.pop_depth_q != depth[pop_warp*DepthW +: DepthW] - DepthW'(1)) ||
          (\u_spe.pop_depth_q != spe_depth[pop_warp*SpeDepthW +: SpeDepthW] - SpeDepthW'(1)) ||
          (\u_compact.u_below.gen_inferred.read_addr_q != AddrW'({pop_warp, \u_compact.pop_depth_q [RowW-1:0]})) ||
          (\u_spe.u_even.gen_inferred.read_addr_q != \u_spe.u_odd.gen_inferred.read_addr_q ) ||
          ((SpeAddrW+1)'({\u_spe.u_even.gen_inferred.read_addr_q , \u_spe.pop_odd_q }) != (SpeAddrW+1)'({pop_warp, spe_pop_index})) ||
          (\u_spe.pop_last_q != (32'(spe_depth[pop_warp*SpeDepthW +: SpeDepthW]) == 1))) equal_choice = 1'b0;
    end
  end

  logic [NumWarps-1:0] acting;   // a resolution was taken in
  logic                launch_ok, advance_ok, resolve_ok, kill_ok;
  always_ff @(posedge clk_i) begin
    acting <= '0;
    if (rst_n && resolve_valid_i) acting[resolve_warp_i] <= 1'b1;
    if (kill_valid_i) acting[kill_warp_i] <= 1'b0;
  end
  assign launch_ok  = !broken_q && (32'(launch_warp_i) < NumWarps) && (depth[launch_warp_i*DepthW +: DepthW] == '0) &&
                      (launch_mask_i != '0) && !launch_pc_i[0];
  assign advance_ok = !broken_q && (32'(advance_warp_i) < NumWarps) && valid[advance_warp_i] && !acting[advance_warp_i];
  assign resolve_ok = !broken_q && (32'(resolve_warp_i) < NumWarps) && valid[resolve_warp_i] && !acting[resolve_warp_i] &&
                      ((resolve_exit_i & ~mask[resolve_warp_i*Lanes +: Lanes]) == '0) &&
                      !(advance_valid_i && (advance_warp_i == resolve_warp_i)) && !resolve_target_i[0] &&
                      !resolve_next_i[0] && (!resolve_rpc_i[0] || (resolve_rpc_i[31:1] == '0)) &&
                      !(resolve_call_i && resolve_return_i) &&
                      (!(resolve_call_i || resolve_return_i) || (resolve_target_i != '0));
  assign kill_ok    = (32'(kill_warp_i) < NumWarps) && !(launch_valid_i && (launch_warp_i == kill_warp_i));

  always_comb begin
    if (rst_n) begin
      launch_is_legal:  assume (!broken_q && (!launch_valid_i || launch_ok));   // nothing is looked at behind an overflow
      advance_is_legal: assume (!advance_valid_i || advance_ok);
      resolve_is_legal: assume (!resolve_valid_i || resolve_ok);
      kill_is_legal:    assume (!kill_valid_i || kill_ok);

      rtl_assertions_seen:    cover (advance_valid_i && (32'(depth[DepthW-1:0]) == Depth));
      paths_are_equal:        assert (broken_q || same_paths);
      paths_are_equal_seen:   cover (!broken_q && (32'(spe_depth[SpeDepthW-1:0]) > 2) && valid[0] && (32'(depth[DepthW-1:0]) == 2));
      events_are_equal:       assert (broken_q || overflow || (events == spe_events));
      events_are_equal_seen:  cover (!broken_q && events[2*WarpW+1]);
      overflow_is_first:      assert (broken_q || overflow || !spe_overflow);
      overflow_is_first_seen: cover (overflow);
      state_is_folded:        assert (broken_q || folded_state);
      state_is_folded_seen:   cover (!broken_q && (placed != '0) && (lives[NumWarps*Lanes-1:0] != '0) && (lives[NumWarps*Lanes-1:0] != mask));
      entries_are_folded:     assert (broken_q || folded_entries);
      entries_are_folded_seen: cover (!broken_q && (32'(depth[DepthW-1:0]) > 1) && valid[0] && sibling[0] && (lives[Lanes-1:0] != '0));
      act_is_equal:           assert (broken_q || equal_act);
      act_is_equal_seen:      cover (one_acts && grows && \u_spe.both_sides && !act_entry_tail);
      row_is_not_written:     assert (broken_q || rows_apart);
      row_is_not_written_seen: cover (!broken_q && ports_meet);
      choice_is_equal:        assert (broken_q || equal_choice);
      choice_is_equal_seen:   cover (!broken_q && \u_compact.pop_q && (32'(depth[pop_warp*DepthW +: DepthW]) == Depth));
      arrival_is_foreseen:    assert (broken_q || foreseen);
      arrival_is_foreseen_seen: cover ((arrives & valid) != '0);
    end
  end
endmodule
