// SPDX-License-Identifier: Apache-2.0
// Properties of dwf_scheduler (scripts/prove), two lanes and four threads. One arbitrary thread is followed: is it inside,
// and at which PC did it enter? The assertions of all modules of the scheduler are proved with it: at most one LUT entry
// points to a warp, no update overwrites an occupied lane, pool entries are taken and released once.
//
//! run Heuristic=4 LaneAware=1
//! run Heuristic=0 LaneAware=1
//! run Heuristic=4 LaneAware=0
//! assume groups_are_legal: The two groups of a cycle have different PCs; their threads exist, differ, and are neither inside nor being issued.
//! assume homes_are_kept: Lane aware: thread t is in lane t mod 2 of its group.
//!
//! property rtl_assertions: What the modules assert of each other: LUT entries point to different warps, lanes that are written are free, entries are taken and released once.
//!   mutant lut_hits_the_issued_warp
//! property in_one_place: A thread inside is in exactly one place: update register, pool or issue register; any other is in none.
//!   mutant dwf_conflict_is_dropped
//! property issued_at_its_pc: A thread is issued at the PC with which it entered.
//!   mutant pool_new_warp_keeps_lanes
//! property lane_is_home: Lane aware: a thread is issued in its home lane.
//!   only LaneAware=1
//!   mutant dwf_lanes_cross
//! property warps_are_bounded: There are never more warps than threads.
//!   mutant warp_allocator_count_forgets_a_release
module dwf_scheduler_props #(
  parameter int Heuristic = 4,
  parameter int LaneAware = 1
) (
  input logic        clk_i,
  input logic        update0_valid_i,
  input logic [31:0] update0_pc_i,
  input logic [1:0]  update0_req_i,
  input logic [3:0]  update0_tids_i,
  input logic        update0_sched_i,
  input logic        update1_valid_i,
  input logic [31:0] update1_pc_i,
  input logic [1:0]  update1_req_i,
  input logic [3:0]  update1_tids_i,
  input logic        update1_sched_i,
  input logic        issue_ready_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic        update_ready, issue_valid, issue_sched, drain;
  logic [31:0] issue_pc;
  logic [1:0]  issue_mask, hit, miss, alias_seen, conflict, fragmented, distinct;
  logic [3:0]  issue_tids;
  logic [2:0]  warps, max_warps;
  dwf_scheduler #(
    .Lanes        (2),
    .Threads      (4),
    .LutEntries   (2),
    .LutWays      (2),
    .TableEntries (2),
    .SchedW       (1),
    .Heuristic    (Heuristic),
    .LaneAware    (LaneAware)
  ) dut (
    .clk_i           (clk_i),
    .rst_ni          (rst_n),
    .update0_valid_i (update0_valid_i),
    .update0_pc_i    (update0_pc_i),
    .update0_req_i   (update0_req_i),
    .update0_tids_i  (update0_tids_i),
    .update0_sched_i (update0_sched_i),
    .update1_valid_i (update1_valid_i),
    .update1_pc_i    (update1_pc_i),
    .update1_req_i   (update1_req_i),
    .update1_tids_i  (update1_tids_i),
    .update1_sched_i (update1_sched_i),
    .update_ready_o  (update_ready),
    .issue_ready_i   (issue_ready_i),
    .issue_valid_o   (issue_valid),
    .issue_pc_o      (issue_pc),
    .issue_mask_o    (issue_mask),
    .issue_tids_o    (issue_tids),
    .issue_sched_o   (issue_sched),
    .hit_o           (hit),
    .miss_o          (miss),
    .alias_o         (alias_seen),
    .conflict_o      (conflict),
    .fragmented_o    (fragmented),
    .drain_o         (drain),
    .warps_o         (warps),
    .max_warps_o     (max_warps),
    .distinct_o      (distinct)
  );

  // Where threads wait: update registers and pool.
  (* hierconn *) wire \dut.valid0 , \dut.valid1 ;
  (* hierconn *) wire [1:0] \dut.req0 , \dut.req1 ;
  (* hierconn *) wire [3:0] \dut.tids0 , \dut.tids1 , \dut.pool_valid ;
  (* hierconn *) wire \dut.u_pool.gen_lane[0].taken[0] , \dut.u_pool.gen_lane[0].taken[1] ;
  (* hierconn *) wire \dut.u_pool.gen_lane[0].taken[2] , \dut.u_pool.gen_lane[0].taken[3] ;
  (* hierconn *) wire \dut.u_pool.gen_lane[1].taken[0] , \dut.u_pool.gen_lane[1].taken[1] ;
  (* hierconn *) wire \dut.u_pool.gen_lane[1].taken[2] , \dut.u_pool.gen_lane[1].taken[3] ;
  (* hierconn *) wire [1:0] \dut.u_pool.gen_lane[0].tid[0] , \dut.u_pool.gen_lane[0].tid[1] ;
  (* hierconn *) wire [1:0] \dut.u_pool.gen_lane[0].tid[2] , \dut.u_pool.gen_lane[0].tid[3] ;
  (* hierconn *) wire [1:0] \dut.u_pool.gen_lane[1].tid[0] , \dut.u_pool.gen_lane[1].tid[1] ;
  (* hierconn *) wire [1:0] \dut.u_pool.gen_lane[1].tid[2] , \dut.u_pool.gen_lane[1].tid[3] ;
  wire [7:0]  taken = {\dut.u_pool.gen_lane[1].taken[3] , \dut.u_pool.gen_lane[1].taken[2] ,
                       \dut.u_pool.gen_lane[1].taken[1] , \dut.u_pool.gen_lane[1].taken[0] ,
                       \dut.u_pool.gen_lane[0].taken[3] , \dut.u_pool.gen_lane[0].taken[2] ,
                       \dut.u_pool.gen_lane[0].taken[1] , \dut.u_pool.gen_lane[0].taken[0] };
  wire [15:0] tid   = {\dut.u_pool.gen_lane[1].tid[3] , \dut.u_pool.gen_lane[1].tid[2] ,
                       \dut.u_pool.gen_lane[1].tid[1] , \dut.u_pool.gen_lane[1].tid[0] ,
                       \dut.u_pool.gen_lane[0].tid[3] , \dut.u_pool.gen_lane[0].tid[2] ,
                       \dut.u_pool.gen_lane[0].tid[1] , \dut.u_pool.gen_lane[0].tid[0] };

  (* anyconst *) logic [1:0] thread;

  // Threads inside: from the edge at which they are taken to the end of the cycle in which they are issued.
  logic [3:0]  inside_q, entering, leaving;
  logic [31:0] pc_q;
  logic        legal, home, mine0, mine1;
  logic [2:0]  places;
  always_comb begin
    entering = '0;
    leaving  = '0;
    legal    = !(update0_valid_i && update1_valid_i && (update0_pc_i == update1_pc_i));
    home     = 1'b1;
    mine0    = 1'b0;
    mine1    = 1'b0;
    places   = '0;
    for (int l = 0; l < 2; l++) begin
      if (update0_valid_i && update0_req_i[l]) begin
        if (inside_q[update0_tids_i[2*l +: 2]] || entering[update0_tids_i[2*l +: 2]]) legal = 1'b0;
        if (update0_tids_i[2*l] != 1'(l))         home  = 1'b0;
        if (update0_tids_i[2*l +: 2] == thread)   mine0 = 1'b1;
        entering[update0_tids_i[2*l +: 2]] = 1'b1;
      end
    end
    for (int l = 0; l < 2; l++) begin
      if (update1_valid_i && update1_req_i[l]) begin
        if (inside_q[update1_tids_i[2*l +: 2]] || entering[update1_tids_i[2*l +: 2]]) legal = 1'b0;
        if (update1_tids_i[2*l] != 1'(l))         home  = 1'b0;
        if (update1_tids_i[2*l +: 2] == thread)   mine1 = 1'b1;
        entering[update1_tids_i[2*l +: 2]] = 1'b1;
      end
      if (issue_valid && issue_mask[l]) leaving[issue_tids[2*l +: 2]] = 1'b1;
      if (issue_valid && issue_mask[l] && (issue_tids[2*l +: 2] == thread))     places = places + 3'd1;
      if (\dut.valid0 && \dut.req0 [l] && (\dut.tids0 [2*l +: 2] == thread)) places = places + 3'd1;
      if (\dut.valid1 && \dut.req1 [l] && (\dut.tids1 [2*l +: 2] == thread)) places = places + 3'd1;
      for (int e = 0; e < 4; e++) begin
        if (\dut.pool_valid [e] && taken[4*l + e] && (tid[2*(4*l + e) +: 2] == thread)) places = places + 3'd1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      inside_q <= '0;
    end else begin
      inside_q <= (inside_q & ~leaving) | (update_ready ? entering : '0);
      if (update_ready && mine0) pc_q <= update0_pc_i;
      if (update_ready && mine1) pc_q <= update1_pc_i;
    end
  end

  always_comb begin
    if (rst_n) begin
      groups_are_legal: assume (legal);
      homes_are_kept:   assume ((LaneAware == 0) || home);

      rtl_assertions_seen:    cover ((warps == 3'd2) && issue_valid && (conflict != '0));
      in_one_place:           assert (places == 3'(inside_q[thread]));
      in_one_place_seen:      cover ((hit != '0) && inside_q[thread] && !\dut.valid0 && !\dut.valid1 );
      issued_at_its_pc:       assert (!leaving[thread] || (issue_pc == pc_q));
      issued_at_its_pc_seen:  cover (leaving[thread] && (issue_mask == 2'b11) && (warps != '0));
      lane_is_home:           assert (!issue_valid || ((!issue_mask[0] || !issue_tids[0]) && (!issue_mask[1] || issue_tids[2])));
      lane_is_home_seen:      cover (issue_valid && (issue_mask == 2'b11));
      warps_are_bounded:      assert ((warps <= 3'd4) && (max_warps >= warps) && (max_warps <= 3'd4));
      warps_are_bounded_seen: cover (warps == 3'd3);
    end
  end
endmodule
