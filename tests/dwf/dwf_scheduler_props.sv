// SPDX-License-Identifier: Apache-2.0
// Properties of dwf_scheduler (scripts/prove), two lanes, four threads, a LUT of two ways and a table of two PCs. Where
// each thread is, is a matter of all of them; at which PC, of an arbitrary one that is followed. Most properties say how
// the parts agree with each other (LUT with pool, free list with pool, heuristic with pool): together they are inductive.
//
//! run Heuristic=4 LaneAware=1
//! run Heuristic=0 LaneAware=1
//! run Heuristic=1 LaneAware=1
//! run Heuristic=2 LaneAware=1
//! run Heuristic=3 LaneAware=1
//! run Heuristic=4 LaneAware=0
//! assume groups_are_legal: The two groups of a cycle have different PCs; their threads exist, differ, and are neither inside nor being issued.
//! assume homes_are_kept: Lane aware: thread t is in lane t mod 2 of its group.
//!
//! together rtl_assertions in_one_place threads_are_conserved issued_at_its_pc waits_at_its_pc lane_is_home warps_are_bounded lut_mirrors_the_pool lut_entries_differ lanes_are_a_row free_list_is_the_rest free_list_is_closed nothing_is_empty updates_differ table_counts_threads queue_is_complete order_is_complete list_is_complete never_idle
//! property rtl_assertions: What the modules assert of each other: LUT entries point to different warps, lanes that are written are free, entries are taken and released once.
//!   mutant lut_hits_the_issued_warp
//! property in_one_place: A thread inside is in exactly one place: update register, pool or issue register; any other is in none.
//!   mutant dwf_conflict_is_dropped
//! property threads_are_conserved: There are as many threads inside and not issued as lanes with a thread in update registers and pool.
//!   mutant update_register_loses_a_lane
//! property issued_at_its_pc: A thread is issued at the PC with which it entered.
//!   mutant pool_new_warp_keeps_lanes
//! property waits_at_its_pc: Before, too, its update register or its warp has this PC.
//!   mutant warp_pool_second_new_keeps_pc
//! property lane_is_home: Lane aware: a thread waits and is issued in its home lane.
//!   only LaneAware=1
//!   mutant dwf_lanes_cross
//! property warps_are_bounded: There are never more warps than threads.
//!   mutant warp_allocator_count_forgets_a_release
//! property lut_mirrors_the_pool: A LUT entry names a warp that waits in the pool, has its PC, and has as taken exactly the lanes that are.
//!   mutant lut_conflict_keeps_the_old_warp
//! property lut_entries_differ: No two LUT entries name one warp or one PC.
//!   mutant lut_finds_in_full_sets_only
//! property lanes_are_a_row: Not lane aware: the lanes of a warp that have a thread are a row from lane 0 up.
//!   only LaneAware=0
//!   mutant dwf_new_warp_keeps_the_lanes_of_its_group
//! property free_list_is_the_rest: A pool entry holds a warp, or is in the allocator's free list once.
//!   mutant allocator_forgets_the_wrap
//! property free_list_is_closed: The free list ends where the next release goes.
//!   mutant warp_allocator_write_pointer_stays
//! property nothing_is_empty: Each warp of the pool and each update has a thread.
//!   mutant update_register_takes_an_empty_group
//! property updates_differ: The two updates have different PCs.
//!   mutant update_register_drops_a_bit_of_the_pc
//! property table_counts_threads: DMaj and DMin: each PC of the pool and of the warp that left last cycle is in the table once, with the number of its threads there, and no other PC is.
//!   only Heuristic=0,1
//!   mutant issue_table_forgets_a_departure
//! property queue_is_complete: DMaj and DMin: each warp of the pool is in the queue of its PC once, or is picked, and then its PC is current.
//!   only Heuristic=0,1
//!   mutant queue_forgets_a_warp_added_as_its_head_leaves
//! property order_is_complete: DTime: the order holds each warp of the pool that is not picked once.
//!   only Heuristic=2
//!   mutant issue_order_loses_one_of_two
//! property list_is_complete: DPdPri and DPC: the list holds each warp of the pool that is not picked once (DPC: the smaller PC first).
//!   only Heuristic=3,4
//!   mutant issue_list_loses_one_of_two
//! property never_idle: A warp that is picked issues as soon as there is credit; while the pool has a warp one is picked.
//!   mutant dwf_idles_beside_two_updates
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

  // State of the parts. Pool entry e, lane l: taken and tid at 4*l + e.
  (* hierconn *) wire \dut.valid0 , \dut.valid1 , \dut.issue , \dut.pick_valid ;
  (* hierconn *) wire [31:0] \dut.pc0 , \dut.pc1 ;
  (* hierconn *) wire [1:0] \dut.req0 , \dut.req1 , \dut.pick_idx ;
  (* hierconn *) wire [3:0] \dut.tids0 , \dut.tids1 , \dut.present_q ;
  (* hierconn *) wire [3:0] \dut.u_pool.joined_q ;
  (* hierconn *) wire [1:0] \dut.u_pool.began[0] , \dut.u_pool.began[1] , \dut.u_pool.began[2] , \dut.u_pool.began[3] ;
  (* hierconn *) wire [1:0] \dut.u_pool.grown[0] , \dut.u_pool.grown[1] , \dut.u_pool.grown[2] , \dut.u_pool.grown[3] ;
  wire [7:0]   began = {\dut.u_pool.began[3] , \dut.u_pool.began[2] , \dut.u_pool.began[1] , \dut.u_pool.began[0] };
  wire [7:0]   grown = {\dut.u_pool.grown[3] , \dut.u_pool.grown[2] , \dut.u_pool.grown[1] , \dut.u_pool.grown[0] };
  logic [7:0]  taken;
  always_comb begin
    for (int e = 0; e < 4; e++) begin
      for (int l = 0; l < 2; l++) taken[4*l + e] = \dut.u_pool.joined_q [e] ? grown[2*e + l] : began[2*e + l];
    end
  end
  (* hierconn *) wire [1:0] \dut.u_pool.gen_lane[0].tid[0] , \dut.u_pool.gen_lane[0].tid[1] , \dut.u_pool.gen_lane[0].tid[2] , \dut.u_pool.gen_lane[0].tid[3] ;
  (* hierconn *) wire [1:0] \dut.u_pool.gen_lane[1].tid[0] , \dut.u_pool.gen_lane[1].tid[1] , \dut.u_pool.gen_lane[1].tid[2] , \dut.u_pool.gen_lane[1].tid[3] ;
  wire [15:0]  tid = {{\dut.u_pool.gen_lane[1].tid[3] , \dut.u_pool.gen_lane[1].tid[2] , \dut.u_pool.gen_lane[1].tid[1] , \dut.u_pool.gen_lane[1].tid[0] }, {\dut.u_pool.gen_lane[0].tid[3] , \dut.u_pool.gen_lane[0].tid[2] , \dut.u_pool.gen_lane[0].tid[1] , \dut.u_pool.gen_lane[0].tid[0] }};
  (* hierconn *) wire [31:0] \dut.u_pool.pc[0] , \dut.u_pool.pc[1] , \dut.u_pool.pc[2] , \dut.u_pool.pc[3] ;
  wire [127:0] pool_pc = {\dut.u_pool.pc[3] , \dut.u_pool.pc[2] , \dut.u_pool.pc[1] , \dut.u_pool.pc[0] };
  (* hierconn *) wire [1:0] \dut.u_lut.valid_q ;
  (* hierconn *) wire [31:0] \dut.u_lut.pc_q[0] , \dut.u_lut.pc_q[1] ;
  wire [63:0]  lut_pc = {\dut.u_lut.pc_q[1] , \dut.u_lut.pc_q[0] };
  (* hierconn *) wire [1:0] \dut.u_lut.occ_q[0] , \dut.u_lut.occ_q[1] ;
  wire [3:0]   lut_occ = {\dut.u_lut.occ_q[1] , \dut.u_lut.occ_q[0] };
  (* hierconn *) wire [1:0] \dut.u_lut.idx_q[0] , \dut.u_lut.idx_q[1] ;
  wire [3:0]   lut_idx = {\dut.u_lut.idx_q[1] , \dut.u_lut.idx_q[0] };
  (* hierconn *) wire [1:0] \dut.u_allocator.read_q , \dut.u_allocator.write_q ;
  (* hierconn *) wire [2:0] \dut.u_allocator.free_q ;
  (* hierconn *) wire       \dut.u_allocator.written_q ;
  (* hierconn *) wire [3:0] \dut.u_allocator.taken_q ;
  wire [3:0]   pool_valid = \dut.u_allocator.taken_q ;                                               // entries with a warp
  wire [3:0]   picked     = \dut.pick_valid ? 4'b0001 << \dut.pick_idx : 4'b0000;
  wire [3:0]   waiting    = pool_valid & ~picked;
  (* hierconn *) wire [1:0] \dut.u_allocator.ring[0] , \dut.u_allocator.ring[1] , \dut.u_allocator.ring[2] , \dut.u_allocator.ring[3] ;
  wire [7:0]   ring = {\dut.u_allocator.ring[3] , \dut.u_allocator.ring[2] , \dut.u_allocator.ring[1] , \dut.u_allocator.ring[0] };
  (* hierconn *) wire [1:0]  \dut.u_issue.gen_table.valid_q ;
  (* hierconn *) wire [63:0] \dut.u_issue.gen_table.pc_q ;
  (* hierconn *) wire [5:0]  \dut.u_issue.gen_table.count_q ;
  (* hierconn *) wire [1:0]  \dut.u_issue.gen_table.waits_q , \dut.u_issue.gen_table.current_q , \dut.u_issue.gen_table.left_q ;
  (* hierconn *) wire [3:0]  \dut.u_issue.gen_table.head_q , \dut.u_issue.gen_table.tail_q ;
  (* hierconn *) wire [1:0]  \dut.u_issue.gen_table.next_q[0] , \dut.u_issue.gen_table.next_q[1] , \dut.u_issue.gen_table.next_q[2] , \dut.u_issue.gen_table.next_q[3] ;
  wire [7:0]   next_warp = {\dut.u_issue.gen_table.next_q[3] , \dut.u_issue.gen_table.next_q[2] , \dut.u_issue.gen_table.next_q[1] , \dut.u_issue.gen_table.next_q[0] };
  (* hierconn *) wire [1:0]  \dut.u_issue.gen_oldest.read_q , \dut.u_issue.gen_oldest.write_q ;
  (* hierconn *) wire [2:0]  \dut.u_issue.gen_oldest.waiting_q ;
  (* hierconn *) wire [1:0] \dut.u_issue.gen_oldest.ring[0] , \dut.u_issue.gen_oldest.ring[1] , \dut.u_issue.gen_oldest.ring[2] , \dut.u_issue.gen_oldest.ring[3] ;
  wire [7:0]   order = {\dut.u_issue.gen_oldest.ring[3] , \dut.u_issue.gen_oldest.ring[2] , \dut.u_issue.gen_oldest.ring[1] , \dut.u_issue.gen_oldest.ring[0] };
  localparam int KeyW = (Heuristic == 3) ? 1 : 32;
  (* hierconn *) wire [3:0]        \dut.u_issue.gen_list.valid_q ;
  (* hierconn *) wire [7:0]        \dut.u_issue.gen_list.idx_q ;
  (* hierconn *) wire [4*KeyW-1:0] \dut.u_issue.gen_list.key_q ;

  // Threads inside: from the edge at which they are taken to the end of the cycle in which they are issued.
  (* anyconst *) logic [1:0] thread;
  logic [3:0]  inside_q, entering, leaving;
  logic [31:0] pc_q;
  logic        legal, home, mine0, mine1;
  always_comb begin
    entering = '0;
    leaving  = '0;
    legal    = !(update0_valid_i && update1_valid_i && (update0_pc_i == update1_pc_i));
    home     = 1'b1;
    mine0    = 1'b0;
    mine1    = 1'b0;
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
    end
  end
  logic issues_q;   // after the cycle before a warp must be issued
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      inside_q <= '0;
      issues_q <= 1'b0;
    end else begin
      inside_q <= (inside_q & ~leaving) | (update_ready ? entering : '0);
      issues_q <= issue_ready_i && \dut.pick_valid ;
      if (update_ready && mine0) pc_q <= update0_pc_i;
      if (update_ready && mine1) pc_q <= update1_pc_i;
    end
  end

  // Where threads are: in how many places, and whether the one that is followed waits at its PC.
  logic found, twice, one_place, at_its_pc, at_home;
  always_comb begin
    one_place = \dut.present_q == (inside_q & ~leaving);
    for (int t = 0; t < 4; t++) begin
      found = 1'b0;
      twice = 1'b0;
      for (int l = 0; l < 2; l++) begin
        if (issue_valid && issue_mask[l] && (issue_tids[2*l +: 2] == 2'(t))) begin
          twice = twice || found;
          found = 1'b1;
        end
        if (\dut.valid0 && \dut.req0 [l] && (\dut.tids0 [2*l +: 2] == 2'(t))) begin
          twice = twice || found;
          found = 1'b1;
        end
        if (\dut.valid1 && \dut.req1 [l] && (\dut.tids1 [2*l +: 2] == 2'(t))) begin
          twice = twice || found;
          found = 1'b1;
        end
        for (int e = 0; e < 4; e++) begin
          if (pool_valid[e] && taken[4*l + e] && (tid[2*(4*l + e) +: 2] == 2'(t))) begin
            twice = twice || found;
            found = 1'b1;
          end
        end
      end
      if (twice || (found != inside_q[t])) one_place = 1'b0;
    end
    at_its_pc = 1'b1;
    at_home   = 1'b1;
    for (int l = 0; l < 2; l++) begin
      if (issue_valid && issue_mask[l] && (issue_tids[2*l] != 1'(l)))     at_home = 1'b0;
      if (\dut.valid0 && \dut.req0 [l] && (\dut.tids0 [2*l] != 1'(l))) at_home = 1'b0;
      if (\dut.valid1 && \dut.req1 [l] && (\dut.tids1 [2*l] != 1'(l))) at_home = 1'b0;
      if (\dut.valid0 && \dut.req0 [l] && (\dut.tids0 [2*l +: 2] == thread) && (\dut.pc0 != pc_q)) at_its_pc = 1'b0;
      if (\dut.valid1 && \dut.req1 [l] && (\dut.tids1 [2*l +: 2] == thread) && (\dut.pc1 != pc_q)) at_its_pc = 1'b0;
      for (int e = 0; e < 4; e++) begin
        if (pool_valid[e] && taken[4*l + e] && (tid[2*(4*l + e) +: 2] == thread) &&
            (pool_pc[32*e +: 32] != pc_q)) at_its_pc = 1'b0;
        if (pool_valid[e] && taken[4*l + e] && (tid[2*(4*l + e)] != 1'(l))) at_home = 1'b0;
      end
    end
  end

  logic [3:0] num_waiting, num_lanes;
  always_comb begin
    num_waiting = '0;
    for (int t = 0; t < 4; t++) num_waiting = num_waiting + 4'(inside_q[t] && !leaving[t]);
    num_lanes = '0;
    for (int l = 0; l < 2; l++) begin
      num_lanes = num_lanes + 4'(\dut.valid0 && \dut.req0 [l]) + 4'(\dut.valid1 && \dut.req1 [l]);
      for (int e = 0; e < 4; e++) num_lanes = num_lanes + 4'(pool_valid[e] && taken[4*l + e]);
    end
  end

  // LUT and pool.
  logic lut_mirrors, lanes_row, not_empty;
  always_comb begin
    lut_mirrors = 1'b1;
    lanes_row   = 1'b1;
    not_empty   = (!\dut.valid0 || (\dut.req0 != '0)) && (!\dut.valid1 || (\dut.req1 != '0));
    for (int e = 0; e < 4; e++) begin
      for (int w = 0; w < 2; w++) begin
        if (\dut.u_lut.valid_q [w] && (lut_idx[2*w +: 2] == 2'(e)) &&
            !(pool_valid[e] && (lut_pc[32*w +: 32] == pool_pc[32*e +: 32]) &&
              (lut_occ[2*w +: 2] == {taken[4 + e], taken[e]}))) lut_mirrors = 1'b0;
      end
      if (pool_valid[e] && !taken[e] && taken[4 + e])  lanes_row = 1'b0;
      if (pool_valid[e] && !taken[e] && !taken[4 + e]) not_empty = 1'b0;
    end
  end

  // Allocator and pool: the free list is the places of the ring from the read pointer on.
  logic [2:0] in_list;
  logic [1:0] place;
  logic       list_is_rest;
  always_comb begin
    list_is_rest = !\dut.pick_valid || pool_valid[\dut.pick_idx ];
    for (int e = 0; e < 4; e++) begin
      in_list = '0;
      for (int i = 0; i < 4; i++) begin
        place = \dut.u_allocator.read_q + 2'(i);
        if ((3'(i) < \dut.u_allocator.free_q ) &&
            (((\dut.u_allocator.written_q || (place < \dut.u_allocator.read_q )) ? ring[2*place +: 2] : place) == 2'(e))) begin
          in_list = in_list + 3'd1;
        end
      end
      if (in_list != 3'(!pool_valid[e])) list_is_rest = 1'b0;
    end
  end
  wire [3:0] list_end = 4'(\dut.u_allocator.read_q ) + 4'(\dut.u_allocator.free_q );

  // Heuristic and pool.
  logic [2:0] threads_at, in_order;
  logic [1:0] in_table, turn;
  logic       table_counts, order_complete;
  always_comb begin
    table_counts = !((\dut.u_issue.gen_table.valid_q == 2'b11) &&
                     (\dut.u_issue.gen_table.pc_q [31:0] == \dut.u_issue.gen_table.pc_q [63:32]));
    for (int p = 0; p < 2; p++) begin
      threads_at = '0;
      for (int e = 0; e < 4; e++) begin
        if (pool_valid[e] && (pool_pc[32*e +: 32] == \dut.u_issue.gen_table.pc_q [32*p +: 32])) begin
          threads_at = threads_at + 3'(taken[e]) + 3'(taken[4 + e]);
        end
      end
      if (issue_valid && (issue_pc == \dut.u_issue.gen_table.pc_q [32*p +: 32])) begin
        threads_at = threads_at + 3'(issue_mask[0]) + 3'(issue_mask[1]);
      end
      if (\dut.u_issue.gen_table.valid_q [p] != (\dut.u_issue.gen_table.count_q [3*p +: 3] != '0)) table_counts = 1'b0;
      if (\dut.u_issue.gen_table.valid_q [p] && (\dut.u_issue.gen_table.count_q [3*p +: 3] != threads_at)) table_counts = 1'b0;
    end
    for (int e = 0; e < 4; e++) begin
      in_table = '0;
      for (int p = 0; p < 2; p++) begin
        in_table[p] = \dut.u_issue.gen_table.valid_q [p] && (pool_pc[32*e +: 32] == \dut.u_issue.gen_table.pc_q [32*p +: 32]);
      end
      if (pool_valid[e] && (in_table == '0)) table_counts = 1'b0;
    end
    order_complete = (\dut.u_issue.gen_oldest.waiting_q <= 3'd4) &&
                     (\dut.u_issue.gen_oldest.write_q == 2'(3'(\dut.u_issue.gen_oldest.read_q ) +
                                                                     \dut.u_issue.gen_oldest.waiting_q ));
    for (int e = 0; e < 4; e++) begin
      in_order = '0;
      for (int i = 0; i < 4; i++) begin
        turn = \dut.u_issue.gen_oldest.read_q + 2'(i);
        if ((3'(i) < \dut.u_issue.gen_oldest.waiting_q ) && (order[2*turn +: 2] == 2'(e))) in_order = in_order + 3'd1;
      end
      if (in_order != 3'(waiting[e])) order_complete = 1'b0;
    end
  end

  // The queues of DMaj and DMin. The PC of the pick is current; that of the warp in the issue register is the one that it left.
  logic [3:0] in_queue;
  logic [1:0] at;
  logic       queue_complete, ended;
  always_comb begin
    queue_complete = (\dut.u_issue.gen_table.current_q != 2'b11) && (\dut.u_issue.gen_table.left_q != 2'b11) &&
                     (\dut.pick_valid == (\dut.u_issue.gen_table.current_q != '0)) &&
                     ((\dut.u_issue.gen_table.left_q != '0) == issue_valid);
    in_queue       = '0;
    for (int p = 0; p < 2; p++) begin
      at    = \dut.u_issue.gen_table.head_q [2*p +: 2];
      ended = !\dut.u_issue.gen_table.waits_q [p];
      for (int i = 0; i < 4; i++) begin
        if (!ended) begin
          if (!pool_valid[at] || in_queue[at] ||
              (pool_pc[32*32'(at) +: 32] != \dut.u_issue.gen_table.pc_q [32*p +: 32])) queue_complete = 1'b0;
          in_queue[at] = 1'b1;
          ended        = at == \dut.u_issue.gen_table.tail_q [2*p +: 2];
          at           = next_warp[2*32'(at) +: 2];
        end
      end
      if (!ended) queue_complete = 1'b0;
      if (!\dut.u_issue.gen_table.valid_q [p] && (\dut.u_issue.gen_table.waits_q [p] || \dut.u_issue.gen_table.current_q [p] ||
                                                  \dut.u_issue.gen_table.left_q [p])) queue_complete = 1'b0;
      if (\dut.u_issue.gen_table.current_q [p] &&
          (pool_pc[32*32'(\dut.pick_idx ) +: 32] != \dut.u_issue.gen_table.pc_q [32*p +: 32])) queue_complete = 1'b0;
      if (\dut.u_issue.gen_table.left_q [p] && (issue_pc != \dut.u_issue.gen_table.pc_q [32*p +: 32])) queue_complete = 1'b0;
    end
    if (in_queue != waiting) queue_complete = 1'b0;
  end

  // The lists of DPdPri and DPC.
  logic       list_complete;
  logic [2:0] in_list_of_waiting;
  always_comb begin
    list_complete = 1'b1;
    for (int i = 0; i < 3; i++) begin
      if (\dut.u_issue.gen_list.valid_q [i+1] && !\dut.u_issue.gen_list.valid_q [i]) list_complete = 1'b0;
      if ((Heuristic == 4) && \dut.u_issue.gen_list.valid_q [i+1] &&
          (\dut.u_issue.gen_list.key_q [KeyW*i +: KeyW] > \dut.u_issue.gen_list.key_q [KeyW*(i+1) +: KeyW])) begin
        list_complete = 1'b0;
      end
    end
    for (int e = 0; e < 4; e++) begin
      in_list_of_waiting = '0;
      for (int i = 0; i < 4; i++) begin
        if (\dut.u_issue.gen_list.valid_q [i] && (\dut.u_issue.gen_list.idx_q [2*i +: 2] == 2'(e))) begin
          in_list_of_waiting = in_list_of_waiting + 3'd1;
        end
      end
      if (in_list_of_waiting != 3'(waiting[e])) list_complete = 1'b0;
    end
  end

  always_comb begin
    if (rst_n) begin
      groups_are_legal: assume (legal);
      homes_are_kept:   assume ((LaneAware == 0) || home);

      rtl_assertions_seen:         cover ((warps == 3'd2) && issue_valid && (conflict != '0));
      in_one_place:                assert (one_place);
      in_one_place_seen:           cover ((hit != '0) && inside_q[thread] && !\dut.valid0 && !\dut.valid1 );
      threads_are_conserved:       assert (num_lanes == num_waiting);
      threads_are_conserved_seen:  cover ((num_lanes == 4'd3) && (warps == 3'd2));
      issued_at_its_pc:            assert (!leaving[thread] || (issue_pc == pc_q));
      issued_at_its_pc_seen:       cover (leaving[thread] && (issue_mask == 2'b11) && (warps != '0));
      waits_at_its_pc:             assert (at_its_pc);
      waits_at_its_pc_seen:        cover ((warps == 3'd2) && inside_q[thread] && !leaving[thread] && !\dut.valid0 && !\dut.valid1 );
      lane_is_home:                assert (at_home);
      lane_is_home_seen:           cover (issue_valid && (issue_mask == 2'b11));
      warps_are_bounded:           assert ((warps <= 3'd4) && (max_warps >= warps) && (max_warps <= 3'd4));
      warps_are_bounded_seen:      cover (warps == 3'd3);
      lut_mirrors_the_pool:        assert (lut_mirrors);
      lut_mirrors_the_pool_seen:   cover ((\dut.u_lut.valid_q == 2'b11) && (lut_occ[1:0] == 2'b11));
      lut_entries_differ:          assert ((\dut.u_lut.valid_q != 2'b11) ||
                                           ((lut_idx[1:0] != lut_idx[3:2]) && (lut_pc[31:0] != lut_pc[63:32])));
      lut_entries_differ_seen:     cover ((\dut.u_lut.valid_q == 2'b11) && (conflict != '0));
      lanes_are_a_row:             assert (lanes_row);
      lanes_are_a_row_seen:        cover ((conflict != '0) && (warps == 3'd2));
      free_list_is_the_rest:       assert (list_is_rest);
      free_list_is_the_rest_seen:  cover (\dut.u_allocator.free_q == 3'd1);
      free_list_is_closed:         assert ((\dut.u_allocator.free_q <= 3'd4) && (list_end[1:0] == \dut.u_allocator.write_q ) &&
                                           (\dut.u_allocator.written_q || (list_end >= 4'd4)));
      free_list_is_closed_seen:    cover (\dut.u_allocator.written_q && (\dut.u_allocator.write_q != '0));
      nothing_is_empty:            assert (not_empty);
      nothing_is_empty_seen:       cover ((warps == 3'd2) && \dut.valid0 && \dut.valid1 );
      updates_differ:              assert (!(\dut.valid0 && \dut.valid1 && (\dut.pc0 == \dut.pc1 )));
      updates_differ_seen:         cover (\dut.valid0 && \dut.valid1 && (warps == 3'd2));
      table_counts_threads:        assert (table_counts);
      table_counts_threads_seen:   cover (drain && (distinct == 2'd2));
      queue_is_complete:           assert (queue_complete);
      queue_is_complete_seen:      cover ((distinct == 2'd2) && (warps == 3'd3));
      order_is_complete:           assert (order_complete);
      order_is_complete_seen:      cover (\dut.u_issue.gen_oldest.waiting_q == 3'd3);
      list_is_complete:            assert (list_complete);
      list_is_complete_seen:       cover (\dut.u_issue.gen_list.valid_q == 4'b0111);
      never_idle:                  assert ((issue_valid == issues_q) && (\dut.pick_valid == (pool_valid != '0)));
      never_idle_seen:             cover (issue_valid && \dut.pick_valid && (warps == 3'd2));
    end
  end
endmodule
