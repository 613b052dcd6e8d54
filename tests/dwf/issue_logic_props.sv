// SPDX-License-Identifier: Apache-2.0
// Properties of issue_logic (scripts/prove), four pool entries of two lanes, a table of two PCs. The pool is part of the
// wrapper: entries with a PC, a priority and a number of threads, which updates make or join and issues free. So is who of
// two arbitrary warps was made first, and the PC that was issued last.
//
//! run Heuristic=2
//! run Heuristic=3
//! run Heuristic=4
//! run Heuristic=0
//! run Heuristic=1
//! run Heuristic=0 TableSort=1
//! run Heuristic=1 TableSort=1
//! assume additions_are_legal: An addition has one or two threads and is not held; two have different PCs; those that join do so at a warp of their PC that has room and stays; a new warp gets an entry without one, two get two; there are four threads at most.
//! assume entries_are_any: The two entries looked at are any two.
//!
//! together rtl_assertions grants_a_warp never_idle smallest_first order_is_complete oldest_first oldest_of_equals oldest_of_its_pc bounded_wait queue_is_complete ranks_are_the_order stays_at_its_pc most_common_first
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant issue_order_asserts_a_free_place
//! property grants_a_warp: The pick is a warp of the pool.
//!   mutant issue_order_loses_one_of_two
//! property never_idle: There is a pick while the pool has a warp.
//!   mutant issue_order_counts_one_of_two
//! property smallest_first: DPC: no warp has a smaller PC than the pick. DPdPri: while no two warps are half the range apart, none is earlier.
//!   only Heuristic=3,4
//!   mutant issue_tree_prefers_the_left
//! property order_is_complete: DTime: the order holds each warp of the pool once.
//!   only Heuristic=2
//!   mutant issue_order_loses_one_of_two
//! property oldest_first: DTime: of two warps the one that was made first is issued first.
//!   only Heuristic=2
//!   mutant issue_order_swaps_two
//! property oldest_of_equals: DPC: of two warps of one PC the one that was made first is issued first. DPdPri: of one priority, while no two are half the range apart.
//!   only Heuristic=3,4
//!   mutant issue_tree_prefers_the_younger
//! property oldest_of_its_pc: DMaj and DMin: of two warps of one PC the one that was made first is issued first.
//!   only Heuristic=0,1
//!   mutant issue_queue_begins_with_the_new
//! property bounded_wait: DTime: a warp waits for at most three issues of others.
//!   only Heuristic=2
//!   mutant issue_order_loses_one_of_two
//! property queue_is_complete: DMaj and DMin: from the oldest warp of a PC on, each next one leads in order of age to the youngest, and they are all warps of the PC; each PC of the pool is in the table once, with its threads, and no other PC is.
//!   only Heuristic=0,1
//!   mutant issue_queue_keeps_one_of_two
//! property ranks_are_the_order: DPdPri and DPC: the ranks of the n warps that wait are 0 to n - 1, in order of age.
//!   only Heuristic=3,4
//!   mutant rank_is_not_lowered
//! property stays_at_its_pc: DMaj and DMin: while a warp waits at the PC that was issued last, the pick is at it.
//!   only Heuristic=0,1
//!   mutant majority_forgets_where_it_was
//! property most_common_first: Exact choice: when none waits there, no PC has more threads (DMin: fewer) than that of the pick, and none of as many is smaller.
//!   only TableSort=1
//!   mutant exact_choice_forgets_the_pc
module issue_logic_props #(
  parameter int Heuristic = 2,
  parameter int TableSort = 0
) (
  input logic        clk_i,
  input logic        issue_i,
  input logic        add0_valid_i,
  input logic [31:0] add0_pc_i,
  input logic [2:0]  add0_count_i,
  input logic        add0_new_i,
  input logic [1:0]  add0_idx_i,     // the entry made or joined
  input logic [1:0]  add0_sched_i,
  input logic        add1_valid_i,
  input logic [31:0] add1_pc_i,
  input logic [2:0]  add1_count_i,
  input logic        add1_new_i,
  input logic [1:0]  add1_idx_i,
  input logic [1:0]  add1_sched_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // The pool.
  logic [3:0]   valid_q;
  logic [127:0] pc_q;
  logic [7:0]   sched_q;
  logic [11:0]  count_q;
  logic [127:0] pc_shown;
  logic [7:0]   sched_shown;
  always_comb begin
    for (int e = 0; e < 4; e++) begin
      pc_shown[32*e +: 32]  = valid_q[e] ? pc_q[32*e +: 32] : '0;
      sched_shown[2*e +: 2] = valid_q[e] ? sched_q[2*e +: 2] : '0;
    end
  end

  logic        pick_valid, hold0, hold1;
  logic [1:0]  pick, distinct;
  wire         issue       = issue_i && pick_valid;
  wire  [31:0] pick_pc     = pc_q[32*32'(pick) +: 32];
  wire  [1:0]  pick_sched  = sched_q[2*32'(pick) +: 2];
  wire  [2:0]  pick_count  = count_q[3*32'(pick) +: 3];
  issue_logic #(.Threads(4), .Lanes(2), .SchedW(2), .TableEntries(2), .Heuristic(Heuristic), .TableSort(TableSort)) dut (
    .clk_i          (clk_i),
    .rst_ni         (rst_n),
    .valid_i        (valid_q),
    .pc_i           (pc_shown),
    .sched_i        (sched_shown),
    .pick_valid_o   (pick_valid),
    .pick_idx_o     (pick),
    .issued_valid_i (issue),
    .issued_idx_i   (pick),
    .issued_pc_i    (pick_pc),
    .issued_count_i (pick_count),
    .add0_valid_i   (add0_valid_i),
    .add0_pc_i      (add0_pc_i),
    .add0_count_i   (add0_count_i),
    .add0_new_i     (add0_new_i),
    .add0_new_idx_i (add0_idx_i),
    .add1_valid_i   (add1_valid_i),
    .add1_pc_i      (add1_pc_i),
    .add1_count_i   (add1_count_i),
    .add1_new_i     (add1_new_i),
    .add1_new_idx_i (add1_idx_i),
    .query0_valid_i (add0_valid_i),
    .query0_pc_i    (add0_pc_i),
    .query1_valid_i (add1_valid_i),
    .query1_pc_i    (add1_pc_i),
    .hold0_o        (hold0),
    .hold1_o        (hold1),
    .distinct_o     (distinct)
  );

  (* hierconn *) wire [1:0]  \dut.genblk1.gen_oldest.read_q , \dut.genblk1.gen_oldest.write_q ;
  (* hierconn *) wire [2:0]  \dut.genblk1.gen_oldest.waiting_q ;
  (* hierconn *) wire [1:0]  \dut.genblk1.gen_oldest.ring[0] , \dut.genblk1.gen_oldest.ring[1] ;
  (* hierconn *) wire [1:0]  \dut.genblk1.gen_oldest.ring[2] , \dut.genblk1.gen_oldest.ring[3] ;
  wire [7:0] ring = {\dut.genblk1.gen_oldest.ring[3] , \dut.genblk1.gen_oldest.ring[2] ,
                     \dut.genblk1.gen_oldest.ring[1] , \dut.genblk1.gen_oldest.ring[0] };

  (* hierconn *) wire [1:0]  \dut.gen_table.valid_q , \dut.gen_table.current_q ;
  (* hierconn *) wire [63:0] \dut.gen_table.pc_q ;
  (* hierconn *) wire [5:0]  \dut.gen_table.count_q ;
  (* hierconn *) wire [3:0]  \dut.gen_table.head_q , \dut.gen_table.tail_q ;
  (* hierconn *) wire        \dut.gen_table.current_valid_q ;
  (* hierconn *) wire [31:0] \dut.gen_table.current_pc_q ;
  (* hierconn *) wire [1:0]  \dut.gen_table.next_q[0] , \dut.gen_table.next_q[1] ;
  (* hierconn *) wire [1:0]  \dut.gen_table.next_q[2] , \dut.gen_table.next_q[3] ;
  wire [7:0] next_warp = {\dut.gen_table.next_q[3] , \dut.gen_table.next_q[2] ,
                          \dut.gen_table.next_q[1] , \dut.gen_table.next_q[0] };

  (* hierconn *) wire [7:0]  \dut.genblk1.gen_smallest.rank_q ;
  (* hierconn *) wire [1:0]  \dut.genblk1.gen_smallest.waiting_q ;

  // New warps and joins; a joined warp has any priority.
  (* anyconst *) logic [1:0] first, second;
  logic       legal;
  logic [3:0] threads;            // in the pool
  logic       first_is_older_q;   // both wait and first was made before second
  logic [2:0] waited_q;           // issues of others while first waits
  logic        last_valid_q;      // the PC that was issued last
  logic [31:0] last_pc_q;
  wire        make0 = add0_valid_i && add0_new_i;
  wire        make1 = add1_valid_i && add1_new_i;
  wire        makes_first  = (make0 && (add0_idx_i == first)) || (make1 && (add1_idx_i == first));
  wire        makes_second = (make0 && (add0_idx_i == second)) || (make1 && (add1_idx_i == second));
  always_comb begin
    threads = '0;
    for (int e = 0; e < 4; e++) if (valid_q[e]) threads = threads + 4'(count_q[3*e +: 3]);
    legal = (32'(threads) + (add0_valid_i ? 32'(add0_count_i) : 0) + (add1_valid_i ? 32'(add1_count_i) : 0) <= 4) &&
            !(add0_valid_i && add1_valid_i && ((add0_pc_i == add1_pc_i) || (add0_idx_i == add1_idx_i)));
    if (add0_valid_i) begin
      if (hold0 || (add0_count_i == '0) || (add0_count_i > 3'd2) || (add0_new_i && valid_q[add0_idx_i])) legal = 1'b0;
      if (!add0_new_i && (!valid_q[add0_idx_i] || (issue && (pick == add0_idx_i)) || (pc_q[32*32'(add0_idx_i) +: 32] != add0_pc_i) ||
                          (add0_count_i != 3'd1) || (count_q[3*32'(add0_idx_i) +: 3] != 3'd1))) legal = 1'b0;
    end
    if (add1_valid_i) begin
      if (hold1 || (add1_count_i == '0) || (add1_count_i > 3'd2) || (add1_new_i && valid_q[add1_idx_i])) legal = 1'b0;
      if (!add1_new_i && (!valid_q[add1_idx_i] || (issue && (pick == add1_idx_i)) || (pc_q[32*32'(add1_idx_i) +: 32] != add1_pc_i) ||
                          (add1_count_i != 3'd1) || (count_q[3*32'(add1_idx_i) +: 3] != 3'd1))) legal = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      valid_q          <= '0;
      first_is_older_q <= 1'b0;
      waited_q         <= '0;
      last_valid_q     <= 1'b0;
    end else begin
      if (issue) valid_q[pick] <= 1'b0;
      if (issue) last_valid_q  <= 1'b1;
      if (issue) last_pc_q     <= pick_pc;
      if (add0_valid_i) begin
        valid_q[add0_idx_i]             <= 1'b1;
        pc_q[32*32'(add0_idx_i) +: 32]  <= add0_pc_i;
        sched_q[2*32'(add0_idx_i) +: 2] <= add0_sched_i;
        count_q[3*32'(add0_idx_i) +: 3] <= add0_new_i ? add0_count_i : 3'd2;
      end
      if (add1_valid_i) begin
        valid_q[add1_idx_i]             <= 1'b1;
        pc_q[32*32'(add1_idx_i) +: 32]  <= add1_pc_i;
        sched_q[2*32'(add1_idx_i) +: 2] <= add1_sched_i;
        count_q[3*32'(add1_idx_i) +: 3] <= add1_new_i ? add1_count_i : 3'd2;
      end
      if (makes_second) begin
        first_is_older_q <= (valid_q[first] && !(issue && (pick == first))) || (make0 && (add0_idx_i == first));
      end else if (makes_first || (issue && ((pick == first) || (pick == second)))) begin
        first_is_older_q <= 1'b0;
      end
      if (makes_first)                  waited_q <= '0;
      else if (issue && valid_q[first]) waited_q <= waited_q + 3'd1;
    end
  end

  // The order of DTime: place of an entry from the oldest on.
  logic       order_complete;
  logic [2:0] in_order;
  logic [1:0] turn, turn_first, turn_second;
  always_comb begin
    turn_first     = '0;
    turn_second    = '0;
    order_complete = (\dut.genblk1.gen_oldest.waiting_q <= 3'd4) &&
                     (\dut.genblk1.gen_oldest.write_q == 2'(3'(\dut.genblk1.gen_oldest.read_q ) + \dut.genblk1.gen_oldest.waiting_q ));
    for (int e = 0; e < 4; e++) begin
      in_order = '0;
      for (int i = 0; i < 4; i++) begin
        turn = \dut.genblk1.gen_oldest.read_q + 2'(i);
        if ((3'(i) < \dut.genblk1.gen_oldest.waiting_q ) && (ring[2*turn +: 2] == 2'(e))) begin
          in_order = in_order + 3'd1;
          if (2'(e) == first)  turn_first  = 2'(i);
          if (2'(e) == second) turn_second = 2'(i);
        end
      end
      if (in_order != 3'(valid_q[e])) order_complete = 1'b0;
    end
    // Older means nearer to the head.
    if (valid_q[first] && valid_q[second] && (first_is_older_q != (turn_first < turn_second))) order_complete = 1'b0;
    if (valid_q[first] && (32'(waited_q) + 32'(turn_first) > 3)) order_complete = 1'b0;
  end

  // The table of DMaj and DMin, and the queue of each PC in it.
  logic       queue_complete, ended;
  logic [3:0] in_queue;
  logic [2:0] threads_at;
  logic [1:0] at;
  always_comb begin
    queue_complete = !((\dut.gen_table.valid_q == 2'b11) && (\dut.gen_table.pc_q [31:0] == \dut.gen_table.pc_q [63:32]));
    if (\dut.gen_table.current_valid_q != last_valid_q) queue_complete = 1'b0;
    if (last_valid_q && (\dut.gen_table.current_pc_q != last_pc_q)) queue_complete = 1'b0;
    in_queue = '0;
    for (int p = 0; p < 2; p++) begin
      threads_at = '0;
      at         = \dut.gen_table.head_q [2*p +: 2];
      ended      = !\dut.gen_table.valid_q [p];
      for (int i = 0; i < 4; i++) begin
        if (!ended) begin
          if (!valid_q[at] || in_queue[at] || (pc_q[32*32'(at) +: 32] != \dut.gen_table.pc_q [32*p +: 32])) queue_complete = 1'b0;
          // Older means nearer to the head.
          if ((at == first) && valid_q[second] && first_is_older_q && in_queue[second] &&
              (pc_q[32*32'(second) +: 32] == \dut.gen_table.pc_q [32*p +: 32])) queue_complete = 1'b0;
          if ((at == second) && valid_q[first] && !first_is_older_q && in_queue[first] &&
              (pc_q[32*32'(first) +: 32] == \dut.gen_table.pc_q [32*p +: 32])) queue_complete = 1'b0;
          in_queue[at] = 1'b1;
          threads_at   = threads_at + count_q[3*32'(at) +: 3];
          ended        = at == \dut.gen_table.tail_q [2*p +: 2];
          at           = next_warp[2*32'(at) +: 2];
        end
      end
      if (!ended) queue_complete = 1'b0;
      if (\dut.gen_table.count_q [3*p +: 3] != threads_at) queue_complete = 1'b0;
      if (\dut.gen_table.valid_q [p] != (threads_at != '0)) queue_complete = 1'b0;
      if (!\dut.gen_table.valid_q [p] && ({\dut.gen_table.head_q [2*p +: 2], \dut.gen_table.tail_q [2*p +: 2]} != '0)) queue_complete = 1'b0;
      if (\dut.gen_table.current_q [p] !=
          (\dut.gen_table.valid_q [p] && last_valid_q && (\dut.gen_table.pc_q [32*p +: 32] == last_pc_q))) queue_complete = 1'b0;
    end
    for (int e = 0; e < 4; e++) if (valid_q[e] && ((count_q[3*e +: 3] == '0) || (count_q[3*e +: 3] > 3'd2))) queue_complete = 1'b0;
    if (in_queue != valid_q) queue_complete = 1'b0;
  end

  // The ranks of DPdPri and DPC.
  logic       ranks_complete;
  logic [3:0] ranks;
  logic [2:0] num_valid;
  always_comb begin
    num_valid      = '0;
    ranks          = '0;
    ranks_complete = 1'b1;
    for (int e = 0; e < 4; e++) begin
      if (valid_q[e]) begin
        num_valid = num_valid + 3'd1;
        if (ranks[\dut.genblk1.gen_smallest.rank_q [2*e +: 2]]) ranks_complete = 1'b0;
        ranks[\dut.genblk1.gen_smallest.rank_q [2*e +: 2]] = 1'b1;
      end
    end
    for (int i = 0; i < 4; i++) if (ranks[i] != (3'(i) < num_valid)) ranks_complete = 1'b0;
    if (\dut.genblk1.gen_smallest.waiting_q != 2'(num_valid)) ranks_complete = 1'b0;
    if (valid_q[first] && valid_q[second] &&
        (first_is_older_q != (\dut.genblk1.gen_smallest.rank_q [2*first +: 2] < \dut.genblk1.gen_smallest.rank_q [2*second +: 2]))) begin
      ranks_complete = 1'b0;
    end
  end

  wire [31:0] first_pc    = pc_q[32*32'(first) +: 32];
  wire [1:0]  first_sched = sched_q[2*32'(first) +: 2];
  wire        earlier     = (Heuristic == 3) ? first_sched + 2'd1 == pick_sched : first_pc < pick_pc;
  wire        same        = (Heuristic == 3) ? first_sched == pick_sched : first_pc == pick_pc;
  wire        second_like_first = valid_q[first] && valid_q[second] && (first_pc == pc_q[32*32'(second) +: 32]) &&
                                  (first_sched == sched_q[2*32'(second) +: 2]);

  // Priorities within half the range, threads at the PCs of the first and of the pick, warps at the PC that was issued last.
  logic       half_apart, last_waits;
  logic [2:0] at_first, at_pick;
  always_comb begin
    half_apart = 1'b0;
    last_waits = 1'b0;
    at_first   = '0;
    at_pick    = '0;
    for (int e = 0; e < 4; e++) begin
      for (int f = 0; f < 4; f++) begin
        if (valid_q[e] && valid_q[f] && (sched_q[2*e +: 2] == sched_q[2*f +: 2] + 2'd2)) half_apart = 1'b1;
      end
      if (valid_q[e] && last_valid_q && (pc_q[32*e +: 32] == last_pc_q)) last_waits = 1'b1;
      if (valid_q[e] && (pc_q[32*e +: 32] == first_pc)) at_first = at_first + count_q[3*e +: 3];
      if (valid_q[e] && (pc_q[32*e +: 32] == pick_pc))  at_pick  = at_pick + count_q[3*e +: 3];
    end
  end
  wire more_common = (Heuristic == 0) ? at_first > at_pick : at_first < at_pick;

  always_comb begin
    if (rst_n) begin
      additions_are_legal: assume (legal);
      entries_are_any:     assume (first != second);

      rtl_assertions_seen:       cover (issue && add0_valid_i && add1_valid_i && !add1_new_i);
      grants_a_warp:             assert (!pick_valid || valid_q[pick]);
      grants_a_warp_seen:        cover (pick_valid && (valid_q == 4'b1000));
      never_idle:                assert (pick_valid || (valid_q == '0));
      never_idle_seen:           cover (valid_q == 4'b1000);
      smallest_first:            assert (!valid_q[first] || !earlier || ((Heuristic == 3) && half_apart));
      smallest_first_seen:       cover ((valid_q == 4'b1111) && (pick == 2'd2) && !same && (first == 2'd3) && !half_apart);
      order_is_complete:         assert (order_complete);
      order_is_complete_seen:    cover (valid_q == 4'b1111);
      oldest_first:              assert (!(pick_valid && (pick == second) && valid_q[first] && first_is_older_q));
      oldest_first_seen:         cover (valid_q[second] && first_is_older_q && (first > second));
      oldest_of_equals:          assert (!(pick_valid && (pick == second) && valid_q[first] && same && first_is_older_q) ||
                                         ((Heuristic == 3) && half_apart));
      oldest_of_equals_seen:     cover (second_like_first && first_is_older_q && (first > second) && (first == pick));
      oldest_of_its_pc:          assert (!pick_valid || (pick != second) || !valid_q[first] || (first_pc != pick_pc) || !first_is_older_q);
      oldest_of_its_pc_seen:     cover (second_like_first && first_is_older_q && (first > second) && (first == pick) && (distinct == 2'd2));
      bounded_wait:              assert (!valid_q[first] || (waited_q <= 3'd3));
      bounded_wait_seen:         cover (valid_q[first] && (waited_q == 3'd3));
      queue_is_complete:         assert (queue_complete);
      queue_is_complete_seen:    cover ((valid_q == 4'b1111) && (distinct == 2'd2) && first_is_older_q && (first > second) &&
                                        second_like_first && (count_q[11:9] == 3'd1));
      ranks_are_the_order:       assert (ranks_complete);
      ranks_are_the_order_seen:  cover ((valid_q == 4'b1111) && first_is_older_q && (first > second));
      stays_at_its_pc:           assert (!last_waits || (pick_valid && (pick_pc == last_pc_q)));
      stays_at_its_pc_seen:      cover (last_waits && (distinct == 2'd2) && valid_q[first] && (first_pc != last_pc_q) && more_common);
      most_common_first:         assert (!valid_q[first] || last_waits ||
                                         (!more_common && ((at_first != at_pick) || (first_pc >= pick_pc))));
      most_common_first_seen:    cover ((distinct == 2'd2) && !last_waits && valid_q[first] && (first_pc != pick_pc) && (at_first == at_pick));
    end
  end
endmodule
