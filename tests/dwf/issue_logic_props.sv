// SPDX-License-Identifier: Apache-2.0
// Properties of issue_logic (scripts/prove), four pool entries of two lanes, a table of two PCs, or three where the choice is
// exact: one of the pick and two to choose from. The pool is part of the wrapper: entries with a PC, a priority and a number
// of threads, which updates make or join and issues free. So is who of two arbitrary warps was made first, and what left in
// the cycle before.
//
//! run Heuristic=2
//! run Heuristic=3
//! run Heuristic=4
//! run Heuristic=0
//! run Heuristic=1
//! run Heuristic=0 TableSort=1 TableEntries=3
//! run Heuristic=1 TableSort=1 TableEntries=3
//! assume additions_are_legal: An addition has one or two threads and is not held; two have different PCs; those that join do so at a warp of their PC that has room and stays; a new warp gets an entry without one, two get two; there are four threads at most.
//! assume entries_are_any: The two entries looked at are any two.
//!
//! together rtl_assertions picks_a_warp never_idle smallest_first order_is_complete oldest_first oldest_of_equals oldest_of_its_pc bounded_wait queue_is_complete list_is_complete sched_is_the_latest stays_at_its_pc most_common_first
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant issue_order_asserts_a_free_place
//! property picks_a_warp: The warp that is picked is one of the pool; so is the one that would be next, and it is another.
//!   mutant issue_order_loses_one_of_two
//! property never_idle: While the pool has a warp one is picked; a pick stays until it issues.
//!   mutant issue_order_counts_one_of_two
//! property smallest_first: DPC: no warp that waits has a smaller PC than the next pick.
//!   only Heuristic=4
//!   mutant issue_list_prefers_the_second
//! property order_is_complete: DTime: the order holds each warp that waits once.
//!   only Heuristic=2
//!   mutant issue_order_loses_one_of_two
//! property oldest_first: DTime: of two warps the one that was made first is picked first.
//!   only Heuristic=2
//!   mutant issue_order_swaps_two
//! property oldest_of_equals: DPC: of two warps of one PC the one that was made first is picked first.
//!   only Heuristic=4
//!   mutant issue_list_prefers_the_younger
//! property oldest_of_its_pc: DMaj and DMin: of two warps of one PC the one that was made first is picked first.
//!   only Heuristic=0,1
//!   mutant issue_queue_begins_with_the_new
//! property bounded_wait: DTime: a warp waits for at most three issues of others.
//!   only Heuristic=2
//!   mutant issue_order_loses_one_of_two
//! property queue_is_complete: DMaj and DMin: from the oldest warp of a PC that waits on, each next one leads in order of age to the youngest, and they are all of the PC that wait; each PC of the pool and of what left in the cycle before is in the table once, with its threads, and no other PC is.
//!   only Heuristic=0,1
//!   mutant issue_queue_keeps_one_of_two
//! property list_is_complete: DPdPri and DPC: the list holds each warp that waits once, with its priority or PC.
//!   only Heuristic=3,4
//!   mutant issue_list_loses_one_of_two
//! property sched_is_the_latest: DPdPri: a warp's priority is the one with which it was made, or that of a join that was less than half the range ahead.
//!   only Heuristic=3
//!   mutant join_overwrites_sched
//! property stays_at_its_pc: DMaj: while a warp waits at the PC of the one that is picked, the next pick is at it.
//!   only Heuristic=0
//!   mutant majority_leaves_its_pc
//! property most_common_first: Exact choice: no PC at which a warp waits has more threads (DMin: fewer) than that of the next pick, and none of as many is smaller; DMaj: when none waits at the PC of the one that is picked.
//!   only TableSort=1
//!   mutant exact_choice_forgets_the_pc
module issue_logic_props #(
  parameter int Heuristic    = 2,
  parameter int TableSort    = 0,
  parameter int TableEntries = 2
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
  logic [1:0]   left_q;         // threads of the warp that left in the cycle before, 0: none did
  logic [31:0]  left_pc_q;

  logic        pick_valid, hold0, hold1;
  logic [1:0]  pick, pick_sched, distinct;
  wire         issue      = issue_i && pick_valid;
  wire  [31:0] pick_pc    = pc_q[32*32'(pick) +: 32];
  wire  [2:0]  pick_count = count_q[3*32'(pick) +: 3];
  issue_logic #(.Threads(4), .Lanes(2), .SchedW(2), .TableEntries(TableEntries), .Heuristic(Heuristic), .TableSort(TableSort)) dut (
    .clk_i           (clk_i),
    .rst_ni          (rst_n),
    .pick_valid_o    (pick_valid),
    .pick_idx_o      (pick),
    .pick_sched_o    (pick_sched),
    .issue_i         (issue),
    .left_count_i    (left_q),
    .update0_valid_i (add0_valid_i),
    .update0_pc_i    (add0_pc_i),
    .update1_valid_i (add1_valid_i),
    .update1_pc_i    (add1_pc_i),
    .hold0_o         (hold0),
    .hold1_o         (hold1),
    .add0_count_i    (add0_count_i[1:0]),
    .add0_sched_i    (add0_sched_i),
    .add0_new_i      (add0_new_i),
    .add0_new_idx_i  (add0_idx_i),
    .add0_join_i     (!add0_new_i),
    .add0_join_idx_i (add0_idx_i),
    .add1_count_i    (add1_count_i[1:0]),
    .add1_sched_i    (add1_sched_i),
    .add1_new_i      (add1_new_i),
    .add1_new_idx_i  (add1_idx_i),
    .add1_join_i     (!add1_new_i),
    .add1_join_idx_i (add1_idx_i),
    .distinct_o      (distinct)
  );

  // What the pick register would be loaded with.
  (* hierconn *) wire       \dut.waits ;
  (* hierconn *) wire [1:0] \dut.first_idx ;
  wire        waits   = \dut.waits ;
  wire [1:0]  next    = \dut.first_idx ;
  wire [31:0] next_pc = pc_q[32*32'(next) +: 32];
  wire [3:0]  waiting = valid_q & ~(pick_valid ? 4'b0001 << pick : 4'b0000);

  (* hierconn *) wire [1:0]  \dut.gen_oldest.read_q , \dut.gen_oldest.write_q ;
  (* hierconn *) wire [2:0]  \dut.gen_oldest.waiting_q ;
  (* hierconn *) wire [1:0]  \dut.gen_oldest.ring[0] , \dut.gen_oldest.ring[1] ;
  (* hierconn *) wire [1:0]  \dut.gen_oldest.ring[2] , \dut.gen_oldest.ring[3] ;
  wire [7:0] ring = {\dut.gen_oldest.ring[3] , \dut.gen_oldest.ring[2] ,
                     \dut.gen_oldest.ring[1] , \dut.gen_oldest.ring[0] };

  (* hierconn *) wire [TableEntries-1:0]    \dut.gen_table.valid_q , \dut.gen_table.waits_q , \dut.gen_table.current_q , \dut.gen_table.left_q ;
  (* hierconn *) wire [32*TableEntries-1:0] \dut.gen_table.pc_q ;
  (* hierconn *) wire [3*TableEntries-1:0]  \dut.gen_table.count_q ;
  (* hierconn *) wire [2*TableEntries-1:0]  \dut.gen_table.head_q , \dut.gen_table.tail_q ;
  (* hierconn *) wire [1:0]  \dut.gen_table.next_q[0] , \dut.gen_table.next_q[1] ;
  (* hierconn *) wire [1:0]  \dut.gen_table.next_q[2] , \dut.gen_table.next_q[3] ;
  wire [7:0] next_warp = {\dut.gen_table.next_q[3] , \dut.gen_table.next_q[2] ,
                          \dut.gen_table.next_q[1] , \dut.gen_table.next_q[0] };

  localparam int KeyW = (Heuristic == 3) ? 2 : 32;
  (* hierconn *) wire [3:0]        \dut.gen_list.valid_q ;
  (* hierconn *) wire [7:0]        \dut.gen_list.idx_q ;
  (* hierconn *) wire [4*KeyW-1:0] \dut.gen_list.key_q ;

  // New warps and joins. A priority is later than another by one step forward of four.
  function automatic logic [1:0] latest(input logic [1:0] joining, input logic [1:0] waiting_for);
    latest = (joining == waiting_for + 2'd1) ? joining : waiting_for;
  endfunction
  (* anyconst *) logic [1:0] first, second;
  logic       legal;
  logic [3:0] threads;            // in the pool
  logic       first_is_older_q;   // both wait and first was made before second
  logic [2:0] waited_q;           // issues of others while first waits
  logic       stays_q;            // what was picked did not leave in the cycle before
  logic [1:0] pick_q;
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
      left_q           <= '0;
      stays_q          <= 1'b0;
    end else begin
      if (issue) valid_q[pick] <= 1'b0;
      left_q    <= issue ? pick_count[1:0] : '0;
      left_pc_q <= pick_pc;
      stays_q   <= pick_valid && !issue;
      pick_q    <= pick;
      if (add0_valid_i) begin
        valid_q[add0_idx_i]             <= 1'b1;
        pc_q[32*32'(add0_idx_i) +: 32]  <= add0_pc_i;
        sched_q[2*32'(add0_idx_i) +: 2] <= add0_new_i ? add0_sched_i : latest(add0_sched_i, sched_q[2*32'(add0_idx_i) +: 2]);
        count_q[3*32'(add0_idx_i) +: 3] <= add0_new_i ? add0_count_i : 3'd2;
      end
      if (add1_valid_i) begin
        valid_q[add1_idx_i]             <= 1'b1;
        pc_q[32*32'(add1_idx_i) +: 32]  <= add1_pc_i;
        sched_q[2*32'(add1_idx_i) +: 2] <= add1_new_i ? add1_sched_i : latest(add1_sched_i, sched_q[2*32'(add1_idx_i) +: 2]);
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
    order_complete = (\dut.gen_oldest.waiting_q <= 3'd4) &&
                     (\dut.gen_oldest.write_q == 2'(3'(\dut.gen_oldest.read_q ) + \dut.gen_oldest.waiting_q ));
    for (int e = 0; e < 4; e++) begin
      in_order = '0;
      for (int i = 0; i < 4; i++) begin
        turn = \dut.gen_oldest.read_q + 2'(i);
        if ((3'(i) < \dut.gen_oldest.waiting_q ) && (ring[2*turn +: 2] == 2'(e))) begin
          in_order = in_order + 3'd1;
          if (2'(e) == first)  turn_first  = 2'(i);
          if (2'(e) == second) turn_second = 2'(i);
        end
      end
      if (in_order != 3'(waiting[e])) order_complete = 1'b0;
    end
    // Older means nearer to the head.
    if (waiting[first] && waiting[second] && (first_is_older_q != (turn_first < turn_second))) order_complete = 1'b0;
    if (valid_q[first] && waiting[second] && !waiting[first] && !first_is_older_q) order_complete = 1'b0;
    if (valid_q[second] && waiting[first] && !waiting[second] && first_is_older_q) order_complete = 1'b0;
    if (waiting[first] && (32'(waited_q) + 32'(turn_first) + 32'(pick_valid) > 3)) order_complete = 1'b0;
  end

  // The table of DMaj and DMin, and the queue of each PC in it.
  logic       queue_complete, ended, is_current, is_left;
  logic [3:0] in_queue;
  logic [2:0] threads_at;
  logic [1:0] at;
  always_comb begin
    queue_complete = (left_q != 2'd3) &&
                     ((\dut.gen_table.current_q != '0) == pick_valid) && ((\dut.gen_table.left_q != '0) == (left_q != '0));
    in_queue   = '0;
    is_current = 1'b0;
    is_left    = 1'b0;
    for (int p = 0; p < TableEntries; p++) begin
      threads_at = ((left_q != '0) && (left_pc_q == \dut.gen_table.pc_q [32*p +: 32])) ? 3'(left_q) : 3'd0;
      for (int e = 0; e < 4; e++) begin
        if (valid_q[e] && (pc_q[32*e +: 32] == \dut.gen_table.pc_q [32*p +: 32])) threads_at = threads_at + count_q[3*e +: 3];
      end
      at    = \dut.gen_table.head_q [2*p +: 2];
      ended = !\dut.gen_table.waits_q [p];
      for (int i = 0; i < 4; i++) begin
        if (!ended) begin
          if (!waiting[at] || in_queue[at] || (pc_q[32*32'(at) +: 32] != \dut.gen_table.pc_q [32*p +: 32])) queue_complete = 1'b0;
          // Older means nearer to the head.
          if ((at == first) && waiting[second] && first_is_older_q && in_queue[second] &&
              (pc_q[32*32'(second) +: 32] == \dut.gen_table.pc_q [32*p +: 32])) queue_complete = 1'b0;
          if ((at == second) && waiting[first] && !first_is_older_q && in_queue[first] &&
              (pc_q[32*32'(first) +: 32] == \dut.gen_table.pc_q [32*p +: 32])) queue_complete = 1'b0;
          in_queue[at] = 1'b1;
          ended        = at == \dut.gen_table.tail_q [2*p +: 2];
          at           = next_warp[2*32'(at) +: 2];
        end
      end
      if (!ended) queue_complete = 1'b0;
      if (\dut.gen_table.valid_q [p] != (\dut.gen_table.count_q [3*p +: 3] != '0)) queue_complete = 1'b0;
      if (\dut.gen_table.valid_q [p] && (\dut.gen_table.count_q [3*p +: 3] != threads_at)) queue_complete = 1'b0;
      if (!\dut.gen_table.valid_q [p] && (\dut.gen_table.waits_q [p] || \dut.gen_table.current_q [p] || \dut.gen_table.left_q [p])) begin
        queue_complete = 1'b0;
      end
      if (\dut.gen_table.current_q [p] && (\dut.gen_table.pc_q [32*p +: 32] != pick_pc)) queue_complete = 1'b0;
      if (\dut.gen_table.left_q [p] && (\dut.gen_table.pc_q [32*p +: 32] != left_pc_q)) queue_complete = 1'b0;
      // No PC twice, one of the pick and one of what left at most.
      for (int q = 0; q < p; q++) begin
        if (\dut.gen_table.valid_q [p] && \dut.gen_table.valid_q [q] &&
            (\dut.gen_table.pc_q [32*p +: 32] == \dut.gen_table.pc_q [32*q +: 32])) queue_complete = 1'b0;
      end
      if ((is_current && \dut.gen_table.current_q [p]) || (is_left && \dut.gen_table.left_q [p])) queue_complete = 1'b0;
      is_current = is_current || \dut.gen_table.current_q [p];
      is_left    = is_left || \dut.gen_table.left_q [p];
    end
    for (int e = 0; e < 4; e++) if (valid_q[e] && ((count_q[3*e +: 3] == '0) || (count_q[3*e +: 3] > 3'd2))) queue_complete = 1'b0;
    if (in_queue != waiting) queue_complete = 1'b0;
  end

  // The list of DPdPri and DPC: place of an entry from the first on.
  logic       list_complete;
  logic [2:0] in_list;
  logic [1:0] place_first, place_second;
  always_comb begin
    place_first   = '0;
    place_second  = '0;
    list_complete = 1'b1;
    for (int i = 0; i < 3; i++) begin
      if (\dut.gen_list.valid_q [i+1] && !\dut.gen_list.valid_q [i]) list_complete = 1'b0;
      if ((Heuristic == 4) && \dut.gen_list.valid_q [i+1] &&
          (\dut.gen_list.key_q [KeyW*i +: KeyW] > \dut.gen_list.key_q [KeyW*(i+1) +: KeyW])) list_complete = 1'b0;
    end
    for (int e = 0; e < 4; e++) begin
      in_list = '0;
      for (int i = 0; i < 4; i++) begin
        if (\dut.gen_list.valid_q [i] && (\dut.gen_list.idx_q [2*i +: 2] == 2'(e))) begin
          in_list = in_list + 3'd1;
          if (2'(e) == first)  place_first  = 2'(i);
          if (2'(e) == second) place_second = 2'(i);
          if (\dut.gen_list.key_q [KeyW*i +: KeyW] !=
              ((Heuristic == 3) ? KeyW'(sched_q[2*e +: 2]) : KeyW'(pc_q[32*e +: 32]))) list_complete = 1'b0;
        end
      end
      if (in_list != 3'(waiting[e])) list_complete = 1'b0;
    end
    if ((Heuristic == 4) && waiting[first] && waiting[second] && (pc_q[32*32'(first) +: 32] == pc_q[32*32'(second) +: 32]) &&
        (first_is_older_q != (place_first < place_second))) list_complete = 1'b0;
  end

  wire [31:0] first_pc    = pc_q[32*32'(first) +: 32];
  wire        second_like_first = waiting[first] && waiting[second] && (first_pc == pc_q[32*32'(second) +: 32]);

  // Threads at the PCs of the first and of the next pick, whether a warp waits at that of the pick.
  logic       another_waits;
  logic [2:0] at_first, at_next;
  always_comb begin
    another_waits = 1'b0;
    at_first   = ((left_q != '0) && (left_pc_q == first_pc)) ? 3'(left_q) : 3'd0;
    at_next    = ((left_q != '0) && (left_pc_q == next_pc)) ? 3'(left_q) : 3'd0;
    for (int e = 0; e < 4; e++) begin
      if (waiting[e] && (pc_q[32*e +: 32] == pick_pc)) another_waits = 1'b1;
      if (valid_q[e] && (pc_q[32*e +: 32] == first_pc))  at_first   = at_first + count_q[3*e +: 3];
      if (valid_q[e] && (pc_q[32*e +: 32] == next_pc))   at_next    = at_next + count_q[3*e +: 3];
    end
  end
  // Whether the exact choice, when it is free, would take the PC of the first before that of the next pick.
  wire more_common   = (Heuristic == 0) ? at_first > at_next : at_first < at_next;
  wire comes_earlier = more_common || ((at_first == at_next) && (first_pc < next_pc));

  always_comb begin
    if (rst_n) begin
      additions_are_legal: assume (legal);
      entries_are_any:     assume (first != second);

      rtl_assertions_seen:       cover (issue && add0_valid_i && add1_valid_i && !add1_new_i);
      picks_a_warp:              assert ((!pick_valid || valid_q[pick]) && (!waits || waiting[next]));
      picks_a_warp_seen:         cover (pick_valid && waits && (valid_q == 4'b1010));
      never_idle:                assert ((pick_valid == (valid_q != '0)) && (waits == (waiting != '0)) && (!stays_q || (pick == pick_q)));
      never_idle_seen:           cover (pick_valid && (valid_q == 4'b1000));
      smallest_first:            assert (!waits || !waiting[first] || (first_pc >= next_pc));
      smallest_first_seen:       cover ((waiting == 4'b1110) && (next == 2'd2) && (first == 2'd3) && (first_pc != next_pc));
      order_is_complete:         assert (order_complete);
      order_is_complete_seen:    cover (valid_q == 4'b1111);
      oldest_first:              assert (!(waits && (next == second) && waiting[first] && first_is_older_q));
      oldest_first_seen:         cover (waiting[second] && waiting[first] && first_is_older_q && (first > second));
      oldest_of_equals:          assert (!(waits && (next == second) && second_like_first && first_is_older_q));
      oldest_of_equals_seen:     cover (second_like_first && first_is_older_q && (first > second) && (first == next));
      oldest_of_its_pc:          assert (!(waits && (next == second) && second_like_first && first_is_older_q));
      oldest_of_its_pc_seen:     cover (second_like_first && first_is_older_q && (first > second) && (first == next) && (distinct == 2'd2));
      bounded_wait:              assert (!valid_q[first] || (waited_q <= 3'd3));
      bounded_wait_seen:         cover (valid_q[first] && (waited_q == 3'd3));
      queue_is_complete:         assert (queue_complete);
      queue_is_complete_seen:    cover ((valid_q == 4'b1111) && (distinct == 2'd2) && first_is_older_q && (first > second) &&
                                        second_like_first && (count_q[11:9] == 3'd1));
      list_is_complete:          assert (list_complete);
      list_is_complete_seen:     cover ((waiting == 4'b0111) && first_is_older_q && (first > second));
      sched_is_the_latest:       assert (pick_sched == (pick_valid ? sched_q[2*32'(pick) +: 2] : 2'd0));
      sched_is_the_latest_seen:  cover (pick_valid && add0_valid_i && !add0_new_i && (add0_idx_i == pick) && (add0_sched_i == '0) &&
                                        (pick_sched == 2'd3));
      stays_at_its_pc:           assert (!another_waits || (waits && (next_pc == pick_pc)));
      stays_at_its_pc_seen:      cover (another_waits && (distinct == 2'd2) && waiting[first] && (first_pc != pick_pc) && comes_earlier);
      most_common_first:         assert (!waiting[first] || ((Heuristic == 0) && another_waits) || !comes_earlier);
      most_common_first_seen:    cover ((another_waits == (Heuristic == 1)) && waiting[first] && (first_pc != next_pc) && (at_first == at_next));
    end
  end
endmodule
