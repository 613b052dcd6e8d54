// SPDX-License-Identifier: Apache-2.0
// Properties of software_stack (scripts/prove). One thread of one warp, both arbitrary, is followed by a reference that
// knows nothing of masks: the slot in which the thread stands, at which PC, and in which rows it waits, from what its own
// path and the other one of its warp do. Rows come back as they were saved; nothing else is known of the memory.
//
//! run NumWarps=1 Lanes=8 Depth=4
//! run NumWarps=2 Lanes=4 Depth=3 TakenLeft=0
//! run NumWarps=3 Lanes=3 Depth=2
//! assume launch_is_legal: A launched warp has ended, has a number below NumWarps, an even PC and at least one thread.
//! assume advance_is_legal: An advance names a slot that is not empty, of a warp without a resolution that acts.
//! assume resolve_is_legal: A resolution names a slot that is not empty and does not advance in this cycle, of a warp without one that acts; only threads of that slot exit. PCs are even, an odd resolve_rpc_i is 1, nothing is a call and a return. A push names an even PC, which is not 0; no thread branches or exits in a push or pop, and a warp that pops has a row.
//! assume pops_what_was_pushed: A thread whose path is popped waits in a row.
//! assume fill_is_legal: A fill is of a warp whose row is on its way, with even PCs.
//! assume rows_come_back: A fill brings the thread looked at as its row was saved.
//! assume kill_is_legal: A kill names a warp with a number below NumWarps that is not launched in this cycle.
//! assume thread_is_one: The thread looked at is any thread of any warp.
//!
//! together thread_in_its_place no_thread_lost masks_disjoint path_is_live live_is_reference valid_is_mask depth_counts_rows depth_bound loading_is_reference done_is_empty rtl_assertions taken_in_is_right choice_is_right overflow_is_flagged overflow_changes_nothing save_is_shown row_is_right row_is_asked_for
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant software_stack_valid_seen_on_the_wrong_side
//! property valid_is_mask: A slot is valid if and only if its mask is not empty; a warp that has ended has no thread.
//!   mutant software_stack_valid_forgets_the_mask
//! property masks_disjoint: No thread stands in both slots.
//!   mutant software_stack_sides_overlap
//! property path_is_live: Only live threads are schedulable.
//!   mutant software_stack_fill_without_live
//! property live_is_reference: A thread is live from its launch to its exit or the end of its warp by a kill.
//!   mutant software_stack_exit_stays_live
//! property thread_in_its_place: A thread stands in the slot and at the PC where its own instructions, or the row that was filled, put it, and in no slot while it waits in rows.
//!   mutant software_stack_push_leaves_the_other_path
//! property no_thread_lost: Every live thread stands in a slot or waits in a row.
//!   mutant software_stack_divergence_forgets_a_row
//! property depth_counts_rows: The depth of a warp that runs is one more than its rows: saves less fills since its launch.
//!   mutant software_stack_fill_keeps_the_depth
//! property depth_bound: A stack never has more than Depth - 1 rows, and max_depth_o is at least the depth.
//!   mutant software_stack_overflow_one_late
//! property overflow_is_flagged: A push, or a divergence beside another path, overflows if and only if the stack is full; nothing else does.
//!   mutant software_stack_overflow_one_early
//! property overflow_changes_nothing: After an overflow both paths, live threads and depth are as before.
//!   mutant software_stack_overflow_changes_live
//! property save_is_shown: A row is on the pins two cycles after the one in which the resolution that saves it was taken in, and at no other time; until the next one the pins keep it.
//!   mutant software_stack_save_without_room
//! property row_is_right: What is saved says of the thread in which slot it goes on, and where, and it is the first row that is free.
//!   mutant software_stack_push_saves_the_next_pc
//! property row_is_asked_for: What is asked for is the row that was saved last of those that are not back.
//!   mutant software_stack_asks_for_the_row_below
//! property loading_is_reference: A row is on its way from the cycle in which it is asked for and memory is ready to its fill or a kill, and a warp that waits for it has no path.
//!   mutant software_stack_kill_leaves_the_load
//! property done_is_empty: A warp is done when its last thread has exited, not before.
//!   mutant software_stack_done_with_a_row
//! property taken_in_is_right: What is registered of a resolution says what the contract says of it in the cycle in which it acts.
//!   mutant software_stack_pop_goes_on
//! property choice_is_right: The warp that ends or asks for its row is the one that stayed, or the lowest-numbered one that ran and had neither path nor load a cycle before, other than one that was chosen or killed then.
//!   mutant software_stack_chosen_again
module software_stack_props #(
  parameter  int NumWarps  = 1,
  parameter  int Lanes     = 8,
  parameter  int Depth     = 4,
  parameter  int TakenLeft = 1,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW    = heddle_pkg::idx_width(Depth + 1)
) (
  input logic               clk_i,
  input logic               launch_valid_i,
  input logic [WarpW-1:0]   launch_warp_i,
  input logic [31:0]        launch_pc_i,
  input logic [Lanes-1:0]   launch_mask_i,
  input logic               advance_valid_i,
  input logic [WarpW-1:0]   advance_warp_i,
  input logic               advance_slot_i,
  input logic               resolve_valid_i,
  input logic [WarpW-1:0]   resolve_warp_i,
  input logic               resolve_slot_i,
  input logic [Lanes-1:0]   resolve_taken_i,
  input logic [31:0]        resolve_target_i,
  input logic [31:0]        resolve_next_i,
  input logic [31:0]        resolve_rpc_i,
  input logic [Lanes-1:0]   resolve_exit_i,
  input logic               resolve_call_i,
  input logic               resolve_return_i,
  input logic [3:0]         resolve_kind_i,
  input logic               load_ready_i,
  input logic               fill_valid_i,
  input logic [WarpW-1:0]   fill_warp_i,
  input logic [63:0]        fill_pc_i,
  input logic [2*Lanes-1:0] fill_mask_i,
  input logic               kill_valid_i,
  input logic [WarpW-1:0]   kill_warp_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  localparam int LevelW = 2;
  logic [NumWarps*32-1:0]       pc_l, pc_r, unused_rpc;
  logic [2*NumWarps*LevelW-1:0] unused_level;
  logic [NumWarps*LevelW-1:0]   unused_rpc_level;
  logic [NumWarps*Lanes-1:0]    mask_l, mask_r, live;
  logic [NumWarps-1:0]          valid_l, valid_r;
  logic [2*NumWarps-1:0]        unused_sibling;
  logic [NumWarps*DepthW-1:0]   depth;
  logic                         resolved_valid, resolved_slot, resolved_next, push_valid, pop_valid, done_valid, overflow_valid;
  logic                         save_valid, load_valid;
  logic [WarpW-1:0]             resolved_warp, push_warp, pop_warp, done_warp, overflow_warp, save_warp, load_warp;
  logic [DepthW-1:0]            save_row, load_row, max_depth;
  logic [31:0]                  save_pc_l, save_pc_r;
  logic [Lanes-1:0]             save_mask_l, save_mask_r;

  software_stack #(
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
    .load_ready_i     (load_ready_i),
    .fill_valid_i     (fill_valid_i),
    .fill_warp_i      (fill_warp_i),
    .fill_pc_i        (fill_pc_i),
    .fill_mask_i      (fill_mask_i),
    .pc_o             ({pc_r, pc_l}),
    .mask_o           ({mask_r, mask_l}),
    .level_o          (unused_level),
    .valid_o          ({valid_r, valid_l}),
    .sibling_o        (unused_sibling),
    .rpc_o            (unused_rpc),
    .rpc_level_o      (unused_rpc_level),
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
    .save_valid_o     (save_valid),
    .save_warp_o      (save_warp),
    .save_row_o       (save_row),
    .save_pc_o        ({save_pc_r, save_pc_l}),
    .save_mask_o      ({save_mask_r, save_mask_l}),
    .load_valid_o     (load_valid),
    .load_warp_o      (load_warp),
    .load_row_o       (load_row),
    .max_depth_o      (max_depth)
  );

  // A resolution is followed in the cycle in which it acts, unless its warp is killed when it is taken in.
  logic             pops;
  assign pops = resolve_kind_i == 4'(heddle_pkg::MarkPop);
  logic             act_valid, act_slot, act_mark, is_push, is_pop;
  logic [WarpW-1:0] act_warp;
  logic [Lanes-1:0] act_taken, act_exit;
  logic [31:0]      act_target, act_next, act_rpc;
  always_ff @(posedge clk_i) begin
    act_valid  <= rst_n && resolve_valid_i && !(kill_valid_i && (kill_warp_i == resolve_warp_i));
    act_warp   <= resolve_warp_i;
    act_slot   <= resolve_slot_i;
    act_taken  <= resolve_taken_i;
    act_target <= resolve_target_i;
    act_next   <= resolve_next_i;
    act_rpc    <= resolve_rpc_i;
    act_exit   <= resolve_exit_i;
    is_push    <= resolve_kind_i == 4'(heddle_pkg::MarkPush);
    is_pop     <= pops;
  end

  // The warp and the thread that are looked at.
  (* anyconst *) logic [WarpW-1:0]         warp;
  (* anyconst *) logic [$clog2(Lanes)-1:0] lane;
  logic [DepthW-1:0] height;
  logic [Lanes-1:0]  top_l, top_r, warp_live;   // of a warp that has ended no thread is live, whatever live_o says
  logic              killed, launched, filled;
  assign height    = depth[warp*DepthW +: DepthW];
  assign top_l     = mask_l[warp*Lanes +: Lanes];
  assign top_r     = mask_r[warp*Lanes +: Lanes];
  assign warp_live = live[warp*Lanes +: Lanes] & {Lanes{height != '0}};
  assign killed    = kill_valid_i && (kill_warp_i == warp);
  assign launched  = launch_valid_i && (launch_warp_i == warp);
  assign filled    = fill_valid_i && (fill_warp_i == warp);

  // -------------------------------------------------------------- what the contract says of the resolution that acts
  logic [Lanes-1:0]  own_mask, other_mask, active, go, stay;
  logic [DepthW-1:0] own_depth;
  logic              splits, uniform_go, grows, fits, saves, mine;
  assign own_mask   = act_slot ? mask_r[act_warp*Lanes +: Lanes] : mask_l[act_warp*Lanes +: Lanes];
  assign other_mask = act_slot ? mask_l[act_warp*Lanes +: Lanes] : mask_r[act_warp*Lanes +: Lanes];
  assign own_depth  = depth[act_warp*DepthW +: DepthW];
  assign act_mark   = is_push || is_pop;
  assign active     = own_mask & (live[act_warp*Lanes +: Lanes] | {Lanes{act_mark}}) & ~act_exit;
  assign go         = active & act_taken;
  assign stay       = active & ~act_taken;
  assign splits     = (go != '0) && (stay != '0) && (act_target != act_next);
  assign uniform_go = (go != '0) && (stay == '0);
  assign grows      = is_push || (splits && (other_mask != '0));
  assign fits       = 32'(own_depth) < Depth;
  assign saves      = act_valid && grows && fits;
  assign mine       = act_valid && (act_warp == warp) && !(grows && !fits);

  // ---------------------------------------------------------------------------------------------------- reference
  // The thread: whether it is live and stands in a slot, in which, and where; and in which rows it waits, for what.
  logic                  ref_live_q, at_q, slot_q, in_own, in_other;
  logic [31:0]           ref_pc_q, row_pc;
  logic [DepthW-1:0]     height_q;
  logic [Depth-2:0]      waits_q, waits_slot_q, on_stack;
  logic [32*Depth-33:0]  waits_pc_q;
  logic                  row_in, row_slot;          // of the uppermost row
  logic [NumWarps-1:0]   loading_q;
  assign in_own   = at_q && (slot_q == act_slot);
  assign in_other = at_q && (slot_q != act_slot);

  always_comb begin
    row_in   = 1'b0;
    row_slot = 1'b0;
    row_pc   = '0;
    on_stack = '0;
    for (int i = 0; i < Depth - 1; i++) begin
      on_stack[i] = waits_q[i] && (i + 1 < 32'(height_q));
      if (i + 2 == 32'(height_q)) begin
        row_in   = waits_q[i];
        row_slot = waits_slot_q[i];
        row_pc   = waits_pc_q[i*32 +: 32];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n || killed) begin
      ref_live_q <= 1'b0;
      at_q       <= 1'b0;
      height_q   <= '0;
    end else begin
      if (launched) begin
        ref_live_q <= launch_mask_i[lane];
        at_q       <= launch_mask_i[lane];
        slot_q     <= 1'b0;
        ref_pc_q   <= launch_pc_i;
        height_q   <= DepthW'(1);
      end
      if (advance_valid_i && (advance_warp_i == warp) && at_q && (slot_q == advance_slot_i)) ref_pc_q <= ref_pc_q + 32'd4;
      if (mine) begin
        if (in_own) ref_pc_q <= act_taken[lane] ? act_target : act_next;
        if (in_own && splits) slot_q <= act_taken[lane] ^ (TakenLeft != 0);
        if (in_own && act_exit[lane]) ref_live_q <= 1'b0;
        if ((in_own && (act_exit[lane] || is_pop)) || (in_other && (is_push || splits))) at_q <= 1'b0;
        if (grows) height_q <= height_q + DepthW'(1);
      end
      if (filled) begin
        at_q     <= row_in && ref_live_q;
        slot_q   <= row_slot;
        ref_pc_q <= row_pc;
        height_q <= height_q - DepthW'(1);
      end
      if (done_valid && (done_warp == warp)) height_q <= '0;
    end
    // What is saved is saved even if the warp is killed.
    for (int i = 0; i < Depth - 1; i++) begin
      if (mine && grows && (i + 1 == 32'(height_q))) begin
        waits_q[i]             <= is_push ? at_q : in_other;
        waits_slot_q[i]        <= slot_q;
        waits_pc_q[i*32 +: 32] <= in_own ? act_rpc : ref_pc_q;
      end
    end
  end

  // Rows on their way.
  always_ff @(posedge clk_i) begin
    for (int w = 0; w < NumWarps; w++) begin
      if (!rst_n || (kill_valid_i && (kill_warp_i == WarpW'(w))))     loading_q[w] <= 1'b0;
      else if (load_valid && load_ready_i && (load_warp == WarpW'(w))) loading_q[w] <= 1'b1;
      else if (fill_valid_i && (fill_warp_i == WarpW'(w)))            loading_q[w] <= 1'b0;
    end
  end

  // Who is chosen.
  logic             chosen_q, chosen, stays;
  logic [WarpW-1:0] chosen_warp_q, chosen_warp;
  always_comb begin
    stays       = chosen_q && !(kill_valid_i && (kill_warp_i == chosen_warp_q)) &&
                  ((depth[chosen_warp_q*DepthW +: DepthW] == DepthW'(1)) ? fill_valid_i : !load_ready_i);
    chosen      = stays;
    chosen_warp = stays ? chosen_warp_q : '0;
    for (int w = NumWarps - 1; w >= 0; w--) begin
      if (!stays && (depth[w*DepthW +: DepthW] != '0) && !valid_l[w] && !valid_r[w] && !loading_q[w] &&
          !(chosen_q && (chosen_warp_q == WarpW'(w))) && !(kill_valid_i && (kill_warp_i == WarpW'(w)))) begin
        chosen      = 1'b1;
        chosen_warp = WarpW'(w);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    chosen_q      <= rst_n && chosen;
    chosen_warp_q <= (rst_n && chosen) ? chosen_warp : '0;
  end

  // What was a cycle before.
  logic                 was_saved_q, was_overflow_q, was_running_q;
  logic [WarpW-1:0]     was_warp_q;
  logic [DepthW-1:0]    was_row_q, was_height_q;
  logic [31:0]          was_pc_l_q, was_pc_r_q;
  logic [Lanes-1:0]     was_l_q, was_r_q, was_live_q;
  logic [WarpW+DepthW+64+2*Lanes-1:0] save, was_save_q;
  assign save = {save_warp, save_row, save_pc_r, save_pc_l, save_mask_r, save_mask_l};
  always_ff @(posedge clk_i) begin
    was_running_q  <= rst_n;
    was_saved_q    <= rst_n && saves;
    was_warp_q     <= act_warp;
    was_row_q      <= own_depth - DepthW'(1);
    was_overflow_q <= rst_n && overflow_valid && (overflow_warp == warp) && !killed;
    was_height_q   <= height;
    was_pc_l_q     <= pc_l[warp*32 +: 32];
    was_pc_r_q     <= pc_r[warp*32 +: 32];
    was_l_q        <= top_l;
    was_r_q        <= top_r;
    was_live_q     <= warp_live;
    was_save_q     <= save;
  end

  // ---------------------------------------------------------------------------------------------------- assumptions
  logic launch_ok, advance_ok, resolve_ok, fill_ok, back_ok, pushes;
  assign pushes     = resolve_kind_i == 4'(heddle_pkg::MarkPush);
  logic [Lanes-1:0] resolve_mask;
  assign resolve_mask = resolve_slot_i ? mask_r[resolve_warp_i*Lanes +: Lanes] : mask_l[resolve_warp_i*Lanes +: Lanes];
  assign launch_ok  = (32'(launch_warp_i) < NumWarps) && (depth[launch_warp_i*DepthW +: DepthW] == '0) && (launch_mask_i != '0) &&
                      !launch_pc_i[0];
  assign advance_ok = (32'(advance_warp_i) < NumWarps) && (advance_slot_i ? valid_r[advance_warp_i] : valid_l[advance_warp_i]) &&
                      !(act_valid && (act_warp == advance_warp_i));
  assign resolve_ok = (32'(resolve_warp_i) < NumWarps) && (resolve_slot_i ? valid_r[resolve_warp_i] : valid_l[resolve_warp_i]) &&
                      !(act_valid && (act_warp == resolve_warp_i)) &&
                      !(advance_valid_i && (advance_warp_i == resolve_warp_i) && (advance_slot_i == resolve_slot_i)) &&
                      ((resolve_exit_i & ~resolve_mask) == '0) && !resolve_target_i[0] && !resolve_next_i[0] &&
                      (!resolve_rpc_i[0] || (resolve_rpc_i[31:1] == '0)) && !(resolve_call_i && resolve_return_i) &&
                      (!pushes || ((resolve_rpc_i != '0) && !resolve_rpc_i[0])) &&
                      (!pops || (depth[resolve_warp_i*DepthW +: DepthW] > DepthW'(1))) &&
                      (!(pushes || pops) || ((resolve_taken_i == '0) && (resolve_exit_i == '0)));
  assign fill_ok    = (32'(fill_warp_i) < NumWarps) && loading_q[fill_warp_i] && !fill_pc_i[0] && !fill_pc_i[32];
  assign back_ok    = (fill_mask_i[lane] == (row_in && !row_slot)) && (fill_mask_i[Lanes+32'(lane)] == (row_in && row_slot)) &&
                      (!row_in || ((row_slot ? fill_pc_i[63:32] : fill_pc_i[31:0]) == row_pc));

  // ---------------------------------------------------------------------------------------------------- properties
  logic valid_right, depth_right, place_right, loading_right, row_right, choice_right, act_right;
  (* hierconn *) wire [NumWarps-1:0] \dut.loading_q ;
  (* hierconn *) wire \dut.choice_q , \dut.choice_last_q ;
  (* hierconn *) wire [WarpW-1:0] \dut.choice_warp_q ;
  (* hierconn *) wire [DepthW-1:0] \dut.choice_row_q , \dut.act_depth_q ;
  (* hierconn *) wire \dut.row_q , \dut.act_slot_q , \dut.act_moves_q , \dut.act_next_q ;
  (* hierconn *) wire [WarpW-1:0] \dut.act_warp_q ;
  (* hierconn *) wire [30:0] \dut.act_pc_l_q , \dut.act_pc_r_q , \dut.act_later_q ;
  (* hierconn *) wire [Lanes-1:0] \dut.act_mask_l_q , \dut.act_mask_r_q , \dut.act_exit_q ;

  always_comb begin
    valid_right   = 1'b1;
    depth_right   = height <= max_depth;
    loading_right = \dut.loading_q == loading_q;
    for (int w = 0; w < NumWarps; w++) begin
      if ((valid_l[w] != (mask_l[w*Lanes +: Lanes] != '0)) || (valid_r[w] != (mask_r[w*Lanes +: Lanes] != '0)) ||
          ((valid_l[w] || valid_r[w]) && (depth[w*DepthW +: DepthW] == '0))) valid_right = 1'b0;
      if (32'(depth[w*DepthW +: DepthW]) > Depth) depth_right = 1'b0;
      if (loading_q[w] && (valid_l[w] || valid_r[w] || (depth[w*DepthW +: DepthW] < DepthW'(2)))) loading_right = 1'b0;
    end
  end

  assign place_right = (top_l[lane] == (at_q && !slot_q)) && (top_r[lane] == (at_q && slot_q)) &&
                       (!at_q || ((slot_q ? pc_r[warp*32 +: 32] : pc_l[warp*32 +: 32]) == ref_pc_q));

  always_comb begin
    row_right = was_row_q == save_row;
    for (int i = 0; i < Depth - 1; i++) begin
      if (i == 32'(save_row)) begin
        if ((save_mask_l[lane] != (waits_q[i] && !waits_slot_q[i])) || (save_mask_r[lane] != (waits_q[i] && waits_slot_q[i])) ||
            (waits_q[i] && ((waits_slot_q[i] ? save_pc_r : save_pc_l) != waits_pc_q[i*32 +: 32]))) row_right = 1'b0;
      end
    end
  end

  // With NumWarps that is no power of two there are numbers of no warp.
  always_comb begin
    choice_right = (\dut.choice_q == chosen_q) && (\dut.choice_warp_q == chosen_warp_q) &&
                   (load_valid == (chosen_q && !\dut.choice_last_q )) && (done_valid == (chosen_q && \dut.choice_last_q && !fill_valid_i)) &&
                   (pop_valid == (fill_valid_i || done_valid)) && (!fill_valid_i || (pop_warp == fill_warp_i)) &&
                   (!done_valid || ((done_warp == chosen_warp_q) && (pop_warp == chosen_warp_q)));
    if (chosen_q && !((32'(chosen_warp_q) < NumWarps) && !valid_l[chosen_warp_q] && !valid_r[chosen_warp_q] && !loading_q[chosen_warp_q] &&
                      (depth[chosen_warp_q*DepthW +: DepthW] != '0) &&
                      (\dut.choice_last_q == (depth[chosen_warp_q*DepthW +: DepthW] == DepthW'(1))) &&
                      !(act_valid && (act_warp == chosen_warp_q)))) choice_right = 1'b0;
  end

  logic [31:0]      after_l, after_r;
  logic [Lanes-1:0] mask_after_l, mask_after_r;
  assign after_l      = (splits ? TakenLeft != 0 : uniform_go) ? act_target : act_next;
  assign after_r      = (splits ? TakenLeft == 0 : uniform_go) ? act_target : act_next;
  assign mask_after_l = !splits ? active : (TakenLeft != 0) ? go : stay;
  assign mask_after_r = !splits ? active : (TakenLeft != 0) ? stay : go;
  always_comb begin
    act_right = (resolved_valid == (act_valid && !(grows && !fits))) && (push_valid == (resolved_valid && splits)) &&
                (\dut.row_q == saves) && (!resolved_valid || ((resolved_warp == act_warp) && (resolved_slot == act_slot))) &&
                (!push_valid || (push_warp == act_warp)) &&
                (resolved_next == (resolved_valid && !is_pop && (active != '0) && !splits && (!uniform_go || (act_target == act_next))));
    if (act_valid && !((32'(act_warp) < NumWarps) && (own_mask != '0) && !(is_pop && (own_depth < DepthW'(2))) &&
                       (\dut.act_warp_q == act_warp) && (\dut.act_slot_q == act_slot) && (\dut.act_exit_q == act_exit) &&
                       (!act_mark || ((act_taken == '0) && (act_exit == '0))) && ((act_exit & ~own_mask) == '0) && !act_target[0] && !act_next[0] &&
                       (!is_push || ((\dut.act_later_q == act_rpc[31:1]) && !act_rpc[0])) &&
                       (\dut.act_depth_q == own_depth + DepthW'(1)) && (\dut.act_moves_q == (!is_pop && (active != '0))) &&
                       (\dut.act_pc_l_q == after_l[31:1]) && (\dut.act_pc_r_q == after_r[31:1]) &&
                       (\dut.act_mask_l_q == mask_after_l) && (\dut.act_mask_r_q == mask_after_r))) act_right = 1'b0;
    // The thread that is popped waits in a row.
    if (mine && is_pop && in_own && ref_live_q && (on_stack == '0)) act_right = 1'b0;
  end

  always_comb begin
    thread_is_one: assume ((32'(warp) < NumWarps) && (32'(lane) < Lanes));
    if (rst_n) begin
      launch_is_legal:      assume (!launch_valid_i || launch_ok);
      advance_is_legal:     assume (!advance_valid_i || advance_ok);
      resolve_is_legal:     assume (!resolve_valid_i || resolve_ok);
      pops_what_was_pushed: assume (!(resolve_valid_i && pops && (resolve_warp_i == warp) &&
                                      resolve_mask[lane] && (on_stack == '0)));
      fill_is_legal:        assume (!fill_valid_i || fill_ok);
      rows_come_back:       assume (!filled || back_ok);
      kill_is_legal:        assume (!kill_valid_i || ((32'(kill_warp_i) < NumWarps) && !(launch_valid_i && (launch_warp_i == kill_warp_i))));

      rtl_assertions_seen:           cover (advance_valid_i && (32'(height) == Depth));
      valid_is_mask:                 assert (valid_right);
      valid_is_mask_seen:            cover (valid_l[warp] && valid_r[warp]);
      masks_disjoint:                assert (!(top_l[lane] && top_r[lane]));
      masks_disjoint_seen:           cover (top_r[lane] && valid_l[warp]);
      path_is_live:                  assert (!(top_l[lane] || top_r[lane]) || warp_live[lane]);
      path_is_live_seen:             cover (filled && (fill_mask_i[Lanes-1:0] != '0) && ((fill_mask_i[Lanes-1:0] & warp_live) == '0));
      live_is_reference:             assert (warp_live[lane] == ref_live_q);
      live_is_reference_seen:        cover (ref_live_q);
      thread_in_its_place:           assert (place_right);
      thread_in_its_place_seen:      cover (at_q && slot_q && (32'(height) == 1) && (max_depth != DepthW'(1)));
      no_thread_lost:                assert (!ref_live_q || at_q || (on_stack != '0));
      no_thread_lost_seen:           cover (ref_live_q && !at_q && valid_r[warp]);
      depth_counts_rows:             assert (height == height_q);
      depth_counts_rows_seen:        cover ((32'(height) == Depth) && filled);
      depth_bound:                   assert (depth_right);
      depth_bound_seen:              cover (32'(height) == Depth);
      overflow_is_flagged:           assert ((overflow_valid == (act_valid && grows && !fits)) && (!overflow_valid || (overflow_warp == act_warp)));
      overflow_is_flagged_seen:      cover (overflow_valid && splits);
      overflow_changes_nothing:      assert (!was_overflow_q || ((top_l == was_l_q) && (top_r == was_r_q) && (warp_live == was_live_q) &&
                                                                 (pc_l[warp*32 +: 32] == was_pc_l_q) && (pc_r[warp*32 +: 32] == was_pc_r_q) &&
                                                                 (height == was_height_q)));
      overflow_changes_nothing_seen: cover (was_overflow_q);
      save_is_shown:                 assert ((save_valid == was_saved_q) && (!save_valid || (save_warp == was_warp_q)) &&
                                             (save_valid || (was_running_q ? save == was_save_q : save == '0)));
      save_is_shown_seen:            cover (save_valid && (height == '0));
      row_is_right:                  assert (!(save_valid && (save_warp == warp)) || row_right);
      row_is_right_seen:             cover (save_valid && save_mask_l[lane] && (save_mask_r != '0));
      row_is_asked_for:              assert (!load_valid || (load_row == depth[load_warp*DepthW +: DepthW] - DepthW'(2)));
      row_is_asked_for_seen:         cover (load_valid && (32'(load_row) == Depth - 2));
      loading_is_reference:          assert (loading_right);
      loading_is_reference_seen:     cover (loading_q == '1);
      done_is_empty:                 assert (!(done_valid && (done_warp == warp) && warp_live[lane]));
      done_is_empty_seen:            cover (done_valid && (done_warp == warp));
      taken_in_is_right:             assert (act_right);
      taken_in_is_right_seen:        cover (saves && splits);
      choice_is_right:               assert (choice_right);
      choice_is_right_seen:          cover (chosen_q && stays && (chosen_warp_q == warp));
    end
  end
endmodule
