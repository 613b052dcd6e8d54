// SPDX-License-Identifier: Apache-2.0
// Properties of min_pc_table (scripts/prove). One thread of one warp, both arbitrary, is followed by a reference that
// knows nothing of others: its PC and call level are what its own branches, calls and returns made of them.
//
//! run NumWarps=2 Lanes=3 LevelW=2
//! run NumWarps=3 Lanes=3 LevelW=2
//! assume launch_is_legal: A launched warp has ended, has a number below NumWarps, a PC that is a multiple of 4, and at least one thread.
//! assume advance_is_legal: An advance names a warp with a path whose resolution does not act.
//! assume aside_is_legal: Who stands aside is a warp with a path that others may go before, does nothing else, and has no resolution that acts.
//! assume resolve_is_legal: A resolution names a warp with a path, which does not advance in this cycle and has none that acts; only threads of the path exit. PCs are multiples of 4, nothing is a call and a return.
//! assume kill_is_legal: A kill names a warp with a number below NumWarps that is not launched in this cycle.
//! assume thread_is_one: The thread looked at is any thread of any warp.
//! together rtl_assertions live_is_reference thread_in_its_place path_is_lowest path_is_together waits_are_known valid_is_mask
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions, and no row is read as it is written.
//!   mutant settled_choice_takes_a_settled_warp
//! property live_is_reference: A thread is live from its launch to its exit or the end of its warp by a kill.
//!   mutant min_pc_exit_stays_live
//! property thread_in_its_place: A live thread is at the PC and level where its own branches led it.
//!   mutant min_pc_sides_swapped
//! property path_is_lowest: While a path may issue, no thread of its warp that is not of it is at its place or before it, nor is where the next threads are said to wait.
//!   mutant min_pc_levels_the_other_way
//! property path_is_together: Threads of a path are live.
//!   mutant min_pc_path_with_dead_threads
//! property waits_are_known: Where the next threads wait is never after a thread that is not of the path, and it is said if there is one.
//!   mutant min_pc_forgets_who_waits
//! property valid_is_mask: A path may issue if and only if its mask is not empty.
//!   mutant min_pc_path_without_threads
//! property done_is_empty: A warp is done when its last thread has exited, not before.
//!   mutant min_pc_done_with_threads
module min_pc_table_props #(
  parameter  int NumWarps = 2,
  parameter  int Lanes    = 3,
  parameter  int LevelW   = 2,
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps)
) (
  input logic             clk_i,
  input logic             launch_valid_i,
  input logic [WarpW-1:0] launch_warp_i,
  input logic [31:0]      launch_pc_i,
  input logic [Lanes-1:0] launch_mask_i,
  input logic             advance_valid_i,
  input logic [WarpW-1:0] advance_warp_i,
  input logic             aside_valid_i,
  input logic [WarpW-1:0] aside_warp_i,
  input logic             resolve_valid_i,
  input logic [WarpW-1:0] resolve_warp_i,
  input logic [Lanes-1:0] resolve_taken_i,
  input logic [31:0]      resolve_target_i,
  input logic [31:0]      resolve_next_i,
  input logic [Lanes-1:0] resolve_exit_i,
  input logic             resolve_call_i,
  input logic             resolve_return_i,
  input logic             kill_valid_i,
  input logic [WarpW-1:0] kill_warp_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [NumWarps*32-1:0]     unused_pc, unused_wait_pc;
  logic [NumWarps*LevelW-1:0] level, unused_wait_level;
  logic [NumWarps*Lanes-1:0]  mask, live;
  logic [NumWarps-1:0]        valid, waiting, in_use, others;
  logic                       done_valid, unused_resolved, unused_next, unused_slot, unused_push, unused_pop;
  logic                       unused_overflow, unused_max_depth;
  logic [WarpW-1:0]           done_warp, unused_resolved_warp, unused_push_warp, unused_pop_warp, unused_overflow_warp;

  min_pc_table #(
    .NumWarps (NumWarps),
    .Lanes    (Lanes),
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
    .aside_i          (NumWarps'(aside_valid_i) << aside_warp_i),
    .resolve_valid_i  (resolve_valid_i),
    .resolve_warp_i   (resolve_warp_i),
    .resolve_slot_i   (1'b0),
    .resolve_taken_i  (resolve_taken_i),
    .resolve_target_i (resolve_target_i),
    .resolve_next_i   (resolve_next_i),
    .resolve_rpc_i    (32'd0),
    .resolve_exit_i   (resolve_exit_i),
    .resolve_call_i   (resolve_call_i),
    .resolve_return_i (resolve_return_i),
    .pc_o             (unused_pc),
    .mask_o           (mask),
    .level_o          (level),
    .valid_o          (valid),
    .sibling_o        (waiting),
    .rpc_o            (unused_wait_pc),
    .rpc_level_o      (unused_wait_level),
    .live_o           (live),
    .depth_o          (in_use),
    .resolved_valid_o (unused_resolved),
    .resolved_warp_o  (unused_resolved_warp),
    .resolved_slot_o  (unused_slot),
    .resolved_next_o  (unused_next),
    .push_valid_o     (unused_push),
    .push_warp_o      (unused_push_warp),
    .pop_valid_o      (unused_pop),
    .pop_warp_o       (unused_pop_warp),
    .done_valid_o     (done_valid),
    .done_warp_o      (done_warp),
    .overflow_valid_o (unused_overflow),
    .overflow_warp_o  (unused_overflow_warp),
    .others_o         (others),
    .max_depth_o      (unused_max_depth)
  );

  // A resolution is followed in the cycle in which it acts, unless its warp is killed when it is taken in.
  logic             act_valid, act_call, act_return;
  logic [WarpW-1:0] act_warp;
  logic [Lanes-1:0] act_taken, act_exit;
  logic [31:0]      act_target, act_next;
  always_ff @(posedge clk_i) begin
    act_valid  <= rst_n && resolve_valid_i && !(kill_valid_i && (kill_warp_i == resolve_warp_i));
    act_warp   <= resolve_warp_i;
    act_taken  <= resolve_taken_i;
    act_target <= resolve_target_i;
    act_next   <= resolve_next_i;
    act_exit   <= resolve_exit_i;
    act_call   <= resolve_call_i;
    act_return <= resolve_return_i;
  end

  // The thread that is looked at. Where it is: with the path of its warp, or in the row of the warp's places.
  localparam int PlaceW = 1 + LevelW + 30;   // {aside, ~level, pc}
  (* anyconst *) logic [WarpW-1:0]         warp;
  (* anyconst *) logic [$clog2(Lanes)-1:0] lane;
  (* hierconn *) wire [Lanes*PlaceW-1:0] \dut.u_places.gen_inferred.words[0] , \dut.u_places.gen_inferred.words[1] ,
                                         \dut.u_places.gen_inferred.words[2] ;   // of three warps
  (* hierconn *) wire [NumWarps*Lanes-1:0] \dut.mask_q ;
  (* hierconn *) wire [NumWarps*PlaceW-1:0] \dut.place_q , \dut.wait_q ;
  (* hierconn *) wire \dut.acts , \dut.meets ;
  (* hierconn *) wire [WarpW-1:0] \dut.warp , \dut.u_places.gen_inferred.read_addr_q ;
  (* hierconn *) wire [Lanes-1:0] \dut.taken_q , \dut.exit_q ;
  (* hierconn *) wire [PlaceW-2:0] \dut.target_q , \dut.next_q ;
  logic [Lanes*PlaceW-1:0] row;
  assign row = (warp == 0) ? \dut.u_places.gen_inferred.words[0] : (warp == 1) ? \dut.u_places.gen_inferred.words[1] :
               \dut.u_places.gen_inferred.words[2] ;

  logic              is_live, of_path, killed, issues;
  logic [PlaceW-1:0] path_place, next_place, place;
  logic [Lanes-1:0]  path_mask, warp_live;
  assign path_mask  = \dut.mask_q [warp*Lanes +: Lanes];
  assign warp_live  = live[warp*Lanes +: Lanes] & {Lanes{in_use[warp]}};
  assign is_live    = warp_live[lane];
  assign of_path    = path_mask[lane];
  assign issues     = valid[warp];
  assign path_place = \dut.place_q [warp*PlaceW +: PlaceW];
  assign next_place = \dut.wait_q [warp*PlaceW +: PlaceW];
  assign place      = of_path ? path_place : row[32'(lane)*PlaceW +: PlaceW];
  assign killed     = kill_valid_i && (kill_warp_i == warp);

  logic              ref_live_q;
  logic [31:0]       ref_pc_q;
  logic [LevelW-1:0] ref_level_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n || killed) begin
      ref_live_q <= 1'b0;
    end else begin
      if (launch_valid_i && (launch_warp_i == warp)) begin
        ref_live_q  <= launch_mask_i[lane];
        ref_pc_q    <= launch_pc_i;
        ref_level_q <= '0;
      end
      if (advance_valid_i && (advance_warp_i == warp) && mask[32'(warp)*Lanes + 32'(lane)]) ref_pc_q <= ref_pc_q + 32'd4;
      if (act_valid && (act_warp == warp) && mask[32'(warp)*Lanes + 32'(lane)]) begin
        if (act_exit[lane]) ref_live_q <= 1'b0;
        ref_pc_q <= act_taken[lane] ? act_target : act_next;
        if (act_taken[lane]) ref_level_q <= ref_level_q + LevelW'(act_call) - LevelW'(act_return);
      end
    end
  end

  logic launch_ok, advance_ok, aside_ok, resolve_ok, kill_ok;
  assign launch_ok  = (32'(launch_warp_i) < NumWarps) && !in_use[launch_warp_i] && (launch_mask_i != '0) && (launch_pc_i[1:0] == '0);
  assign advance_ok = (32'(advance_warp_i) < NumWarps) && valid[advance_warp_i] &&
                      !(act_valid && (act_warp == advance_warp_i));
  assign aside_ok   = (32'(aside_warp_i) < NumWarps) && valid[aside_warp_i] && others[aside_warp_i] &&
                      !(act_valid && (act_warp == aside_warp_i)) && !(advance_valid_i && (advance_warp_i == aside_warp_i)) &&
                      !(resolve_valid_i && (resolve_warp_i == aside_warp_i));
  assign resolve_ok = (32'(resolve_warp_i) < NumWarps) && valid[resolve_warp_i] &&
                      !(advance_valid_i && (advance_warp_i == resolve_warp_i)) &&
                      !(act_valid && (act_warp == resolve_warp_i)) &&
                      ((resolve_exit_i & ~mask[resolve_warp_i*Lanes +: Lanes]) == '0) &&
                      (resolve_target_i[1:0] == '0) && (resolve_next_i[1:0] == '0) && !(resolve_call_i && resolve_return_i);
  assign kill_ok    = (32'(kill_warp_i) < NumWarps) && !(launch_valid_i && (launch_warp_i == kill_warp_i));

  // What the RTL keeps of a resolution is what it said; the places of the warp that is settled are read, and it has no path
  // if it meets.
  logic [LevelW-1:0] act_level, target_level;
  logic              kept_right;
  assign act_level    = level[act_warp*LevelW +: LevelW];
  assign target_level = act_level + LevelW'(act_call) - LevelW'(act_return);
  always_comb begin
    kept_right = (\dut.acts == act_valid) && !(\dut.acts && \dut.meets ) && ((valid & ~in_use) == '0);
    if (act_valid) begin
      kept_right = kept_right && (\dut.warp == act_warp) && in_use[act_warp] && valid[act_warp] &&
                   (\dut.taken_q == (act_taken & ~act_exit & \dut.mask_q [act_warp*Lanes +: Lanes])) &&
                   (\dut.exit_q == act_exit) && (\dut.target_q == {~target_level, act_target[31:2]}) &&
                   (\dut.next_q == {~act_level, act_next[31:2]}) &&
                   ((act_exit & ~mask[act_warp*Lanes +: Lanes]) == '0);
    end
    if (\dut.meets ) kept_right = kept_right && in_use[ \dut.warp ] && !valid[ \dut.warp ];
    if (\dut.acts || \dut.meets ) begin
      kept_right = kept_right && (32'( \dut.warp ) < NumWarps) && (\dut.u_places.gen_inferred.read_addr_q == \dut.warp );
    end
  end

  always_comb begin
    launch_is_legal:  assume (!launch_valid_i || launch_ok);
    advance_is_legal: assume (!advance_valid_i || advance_ok);
    aside_is_legal:   assume (!aside_valid_i || aside_ok);
    resolve_is_legal: assume (!resolve_valid_i || resolve_ok);
    kill_is_legal:    assume (!kill_valid_i || kill_ok);
    thread_is_one:    assume ((32'(warp) < NumWarps) && (32'(lane) < Lanes));

    if (rst_n) begin
      rtl_assertions_seen:      cover (resolve_valid_i && \dut.meets );
      live_is_reference:        assert ((is_live == ref_live_q) && kept_right);
      live_is_reference_seen:   cover (is_live && !of_path);
      thread_in_its_place:      assert (!is_live || (place[PlaceW-2:0] == {~ref_level_q, ref_pc_q[31:2]}));
      thread_in_its_place_seen: cover (is_live && !of_path && (ref_level_q != '0));
      path_is_lowest:           assert (!(issues && waiting[warp] && (path_place >= next_place)) &&
                                        !(issues && is_live && !of_path && (path_place >= place)));
      path_is_lowest_seen:      cover (issues && is_live && !of_path);
      path_is_together:         assert (!(in_use[warp] && of_path) || is_live);
      path_is_together_seen:    cover (issues && of_path && waiting[warp]);
      waits_are_known:          assert (!(is_live && !of_path) || (waiting[warp] && (next_place <= place)));
      waits_are_known_seen:     cover (is_live && !of_path && (next_place < place));
      valid_is_mask:            assert (!in_use[warp] ? !issues : issues ? (path_mask != '0) : (warp_live == '0) || waiting[warp]);
      valid_is_mask_seen:       cover (in_use[warp] && !issues && (warp_live == '0));
      done_is_empty:            assert (!(done_valid && (done_warp == warp)) || !is_live);
      done_is_empty_seen:       cover (done_valid && (done_warp == warp));
    end
  end
endmodule
