// SPDX-License-Identifier: Apache-2.0
// Properties of ibuffer (scripts/prove). The reference is a memory that answers the requests of a path in order, however late, and
// knows of each whether what it brings still continues the queue; and one arbitrary bundle on its way to the head.
//
//! run NumWarps=1 NumSlots=2 Depth=5 TagW=2
//! run NumWarps=2 NumSlots=1 Depth=4 TagW=3
//! run NumWarps=2 NumSlots=1 Depth=2 TagW=2
//! run NumWarps=1 NumSlots=2 Depth=3 TagW=3 PayloadW=2
//! assume answer_is_legal: An answer is of a path with a request in flight, has the tag of the oldest one, and one or two bundles.
//! assume request_is_legal: A path asks only with need_fetch_o.
//! assume take_is_legal: Only what is there is taken.
//! assume event_names_a_path: A flush names a warp, a redirect a warp and one of its slots.
//! assume one_is_any: The path looked at is any.
//! together rtl_assertions fills_continue_the_queue requests_are_counted tags_tell_epochs_apart room_for_what_is_asked count_is_what_came asks_while_it_may
//! together bundle_is_in_its_place head_is_the_oldest second_is_the_next count_is_what_came requests_are_counted tags_tell_epochs_apart fills_continue_the_queue
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions: a fill was asked for, and has room.
//!   mutant ibuffer_asks_for_one_too_many
//! property fills_continue_the_queue: An answer fills the queue exactly if nothing has ended the epoch of its request since.
//!   mutant stale_answer_accepted
//! property requests_are_counted: requests_o are the requests in flight that will fill; quiet_o says whether none is in flight at all.
//!   mutant one_bundle_forgets_no_request
//! property tags_tell_epochs_apart: Of the requests in flight those that will fill are the youngest and have the tag of the path; the others have another.
//!   mutant ibuffer_epoch_ends_without_a_tag
//! property room_for_what_is_asked: There is room for two bundles of every request that will fill.
//!   mutant ibuffer_asks_without_room
//! property asks_while_it_may: A path asks while fewer than two requests will fill, there is room for another, no jump is queued, and a tag is left.
//!   mutant jump_behind_the_branch_loses_its_stop
//! property count_is_what_came: The queue holds what has filled it since it was emptied, less what was taken.
//!   mutant take_lost_beside_fill
//! property cleared_by_events_only: A queue is emptied by a flush of its warp, its drop, or a redirect that does not leave it, and by nothing else.
//!   mutant flush_loses_to_fill
//! property bundle_is_in_its_place: Every bundle, with its payload, goes behind those that came before it, and moves on with each take.
//!   mutant ibuffer_second_bundle_first
//! property head_is_the_oldest: The head is the bundle that came first, with the payload that came with it; an empty queue shows 0.
//!   mutant ibuffer_shows_a_head_that_is_gone
//! property second_is_the_next: The second are the names of the bundle that came next; a queue without one shows 0.
//!   mutant ibuffer_shows_a_second_of_one
module ibuffer_props #(
  parameter  int NumWarps = 1,
  parameter  int NumSlots = 2,
  parameter  int Depth    = 5,
  parameter  int TagW     = 2,
  parameter  int PayloadW = 0,
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW    = heddle_pkg::idx_width(NumSlots),
  localparam int NumPaths = NumWarps * NumSlots,
  localparam int PathW    = heddle_pkg::idx_width(NumPaths),
  localparam int CountW   = heddle_pkg::idx_width(Depth + 1),
  localparam int InstrW   = heddle_pkg::InstrW + PayloadW,
  localparam int NamesW   = heddle_pkg::NamesW,
  localparam int JumpBit  = heddle_pkg::JumpBit,
  localparam int Most     = (1 << TagW) - 1   // requests in flight
) (
  input logic                clk_i,
  input logic                answer_valid_i,
  input logic [WarpW-1:0]    answer_warp_i,
  input logic [SlotW-1:0]    answer_slot_i,
  input logic [1:0]          answer_count_i,
  input logic [InstrW-1:0]   answer_instr0_i,
  input logic [InstrW-1:0]   answer_instr1_i,
  input logic [NumPaths-1:0] take_i,
  input logic [NumPaths-1:0] request_i,
  input logic                flush0_valid_i,
  input logic [WarpW-1:0]    flush0_warp_i,
  input logic                flush1_valid_i,
  input logic [WarpW-1:0]    flush1_warp_i,
  input logic                flush2_valid_i,
  input logic [WarpW-1:0]    flush2_warp_i,
  input logic [NumPaths-1:0] drop_i,
  input logic                redirect_valid_i,
  input logic [WarpW-1:0]    redirect_warp_i,
  input logic [SlotW-1:0]    redirect_slot_i,
  input logic                redirect_next_i,
  input logic                look_i,     // the bundle of this fill is the one to look at
  input logic                which_i     // the second of two
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [NumPaths*InstrW-1:0] head;
  logic [NumPaths*NamesW-1:0] second;
  logic [NumPaths*CountW-1:0] count;
  logic [NumPaths*2-1:0]      requests;
  logic [NumPaths*TagW-1:0]   tag;
  logic [NumPaths-1:0]        head_valid, second_valid, quiet, need_fetch, fill, clear;
  logic [TagW-1:0]            answer_tag;

  ibuffer #(
    .NumWarps (NumWarps),
    .NumSlots (NumSlots),
    .Depth    (Depth),
    .TagW     (TagW),
    .PayloadW (PayloadW)
  ) dut (
    .clk_i            (clk_i),
    .rst_ni           (rst_n),
    .answer_valid_i   (answer_valid_i),
    .answer_warp_i    (answer_warp_i),
    .answer_slot_i    (answer_slot_i),
    .answer_tag_i     (answer_tag),
    .answer_count_i   (answer_count_i),
    .answer_instr0_i  (answer_instr0_i),
    .answer_instr1_i  (answer_instr1_i),
    .take_i           (take_i),
    .request_i        (request_i),
    .flush0_valid_i   (flush0_valid_i),
    .flush0_warp_i    (flush0_warp_i),
    .flush1_valid_i   (flush1_valid_i),
    .flush1_warp_i    (flush1_warp_i),
    .flush2_valid_i   (flush2_valid_i),
    .flush2_warp_i    (flush2_warp_i),
    .drop_i           (drop_i),
    .redirect_valid_i (redirect_valid_i),
    .redirect_warp_i  (redirect_warp_i),
    .redirect_slot_i  (redirect_slot_i),
    .redirect_next_i  (redirect_next_i),
    .head_o           (head),
    .head_valid_o     (head_valid),
    .second_o         (second),
    .second_valid_o   (second_valid),
    .count_o          (count),
    .requests_o       (requests),
    .tag_o            (tag),
    .quiet_o          (quiet),
    .need_fetch_o     (need_fetch),
    .fill_o           (fill),
    .clear_o          (clear)
  );

  // ------------------------------------------------------------------------------------------------------- events
  logic [SlotW-1:0]    answer_slot, redirect_slot;   // as the module is to see them
  logic [NumPaths-1:0] answers, redirects, flushes, clears;
  logic                one_bundle, with_jump;    // of the answer
  logic [NumPaths*CountW-1:0] came_q;            // bundles since the queue was emptied, less those that were taken
  assign answer_slot   = (NumSlots > 1) ? answer_slot_i : '0;
  assign redirect_slot = (NumSlots > 1) ? redirect_slot_i : '0;
  assign one_bundle    = answer_count_i == 2'd1;
  assign with_jump     = answer_instr0_i[JumpBit] || (!one_bundle && answer_instr1_i[JumpBit]);
  assign clears        = flushes | drop_i | (redirects & {NumPaths{!redirect_next_i}});
  always_comb begin
    for (int p = 0; p < NumPaths; p++) begin
      answers[p]   = answer_valid_i && (32'(answer_warp_i) == p % NumWarps) && (32'(answer_slot) == p / NumWarps);
      redirects[p] = redirect_valid_i && (32'(redirect_warp_i) == p % NumWarps) && (32'(redirect_slot) == p / NumWarps);
      flushes[p]   = (flush0_valid_i && (32'(flush0_warp_i) == p % NumWarps)) ||
                     (flush1_valid_i && (32'(flush1_warp_i) == p % NumWarps)) ||
                     (flush2_valid_i && (32'(flush2_warp_i) == p % NumWarps));
    end
  end

  // ------------------------------------------------------------------------------------------------------- memory
  logic [NumPaths*Most-1:0]      there, continues;
  logic [NumPaths-1:0]           no_marks;
  logic                          unused_mark;
  logic [NumPaths*Most-1:0]      unused_marks;
  logic [NumPaths*TagW-1:0]      in_flight;
  logic [NumPaths-1:0]           apart, fills, ends;

  assign no_marks = '0;   // as a constant at the pin Yosys 0.23 would not elaborate it

  request_memory #(
    .NumPaths (NumPaths),
    .TagW     (TagW)
  ) memory (
    .clk_i         (clk_i),
    .rst_ni        (rst_n),
    .request_i     (request_i),
    .tag_i         (tag),
    .mark_i        (no_marks),
    .answer_i      (answers),
    .end_i         (ends),
    .answer_tag_o  (answer_tag),
    .answer_mark_o (unused_mark),
    .there_o       (there),
    .continues_o   (continues),
    .marks_o       (unused_marks),
    .in_flight_o   (in_flight),
    .apart_o       (apart)
  );

  logic [NumPaths-1:0] asked;   // has a request in flight
  always_comb begin
    for (int p = 0; p < NumPaths; p++) begin
      asked[p] = there[p*Most];
      fills[p] = answers[p] && continues[p*Most];
      ends[p]  = clears[p] || (fills[p] && (one_bundle || with_jump));
    end
  end

  // -------------------------------------------------------------------------------------------------------- queue
  logic [NumPaths-1:0] stop_q;
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < NumPaths; p++) begin
      if (!rst_n || clears[p]) begin
        came_q[p*CountW +: CountW] <= '0;
        stop_q[p]                  <= 1'b0;
      end else begin
        came_q[p*CountW +: CountW] <= came_q[p*CountW +: CountW] - CountW'(take_i[p]) +
                                      (fills[p] ? (one_bundle ? CountW'(1) : CountW'(2)) : '0);
        if (fills[p] && with_jump)                                stop_q[p] <= 1'b1;
        else if (redirects[p] && (came_q[p*CountW +: CountW] == '0)) stop_q[p] <= 1'b0;
      end
    end
  end

  logic [NumPaths-1:0] counted, room, asks, came;
  logic [31:0]         number;   // of requests in flight that will fill
  always_comb begin
    number = '0;
    for (int p = 0; p < NumPaths; p++) begin
      number = '0;
      for (int i = 0; i < Most; i++) number = number + 32'(continues[p*Most+i]);
      counted[p] = (32'(requests[p*2 +: 2]) == number) && (quiet[p] == !asked[p]);
      room[p]    = 32'(count[p*CountW +: CountW]) + 2 * number <= Depth;
      asks[p]    = need_fetch[p] == ((number < 2) && !stop_q[p] && !there[p*Most+Most-1] &&
                                     (32'(came_q[p*CountW +: CountW]) + 2 * number + 2 <= Depth));
      came[p]    = (count[p*CountW +: CountW] == came_q[p*CountW +: CountW]) &&
                   (head_valid[p] == (came_q[p*CountW +: CountW] != '0)) &&
                   (second_valid[p] == (came_q[p*CountW +: CountW] > CountW'(1)));
    end
  end

  // The two paths of every run.
  localparam int QueueW = Depth * InstrW;
  (* hierconn *) wire [QueueW-1:0] \dut.gen_path[0].queue_q , \dut.gen_path[1].queue_q ;
  (* hierconn *) wire [2*TagW-1:0] \dut.in_flight_q ;
  (* hierconn *) wire [1:0] \dut.stop_q ;

  // ---------------------------------------------------------------------------------------------------- one bundle
  (* anyconst *) logic [PathW-1:0] one;
  logic              looking_q;
  logic [CountW-1:0] place_q;   // bundles before it
  logic [InstrW-1:0] bundle_q;
  logic [QueueW-1:0] queue;
  logic              in_place;
  assign queue    = (one == '0) ? \dut.gen_path[0].queue_q : \dut.gen_path[1].queue_q ;
  assign in_place = (place_q < came_q[one*CountW +: CountW]) && (InstrW'(queue >> (32'(place_q) * InstrW)) == bundle_q);
  always_ff @(posedge clk_i) begin
    if (!rst_n || clears[one]) begin
      looking_q <= 1'b0;
    end else if (looking_q) begin
      looking_q <= !(take_i[one] && (place_q == '0));
      place_q   <= place_q - CountW'(take_i[one]);
    end else if (look_i && fills[one] && (!which_i || !one_bundle)) begin
      looking_q <= 1'b1;
      place_q   <= came_q[one*CountW +: CountW] - CountW'(take_i[one]) + CountW'(which_i);
      bundle_q  <= which_i ? answer_instr1_i : answer_instr0_i;
    end
  end

  always_comb begin
    one_is_any: assume (32'(one) < NumPaths);
    if (rst_n) begin
      answer_is_legal:    assume (!answer_valid_i || ((answers != '0) && ((answers & ~asked) == '0) &&
                                                      ((answer_count_i == 2'd1) || (answer_count_i == 2'd2))));
      request_is_legal:   assume ((request_i & ~need_fetch) == '0);
      take_is_legal:      assume ((take_i & ~head_valid) == '0);
      event_names_a_path: assume ((!flush0_valid_i || (32'(flush0_warp_i) < NumWarps)) &&
                                  (!flush1_valid_i || (32'(flush1_warp_i) < NumWarps)) &&
                                  (!flush2_valid_i || (32'(flush2_warp_i) < NumWarps)) &&
                                  (!redirect_valid_i || (redirects != '0)));

      rtl_assertions_seen:           cover ((fill != '0) && (take_i != '0));
      fills_continue_the_queue:      assert (fill == fills);
      fills_continue_the_queue_seen: cover (answers[one] && !fills[one] && (requests[one*2 +: 2] != '0));
      requests_are_counted:          assert ((counted == '1) && (in_flight == \dut.in_flight_q ));
      requests_are_counted_seen:     cover ((requests[one*2 +: 2] == ((Depth >= 4) ? 2'd2 : 2'd1)) && !continues[one*Most]);
      tags_tell_epochs_apart:        assert (apart == '1);
      tags_tell_epochs_apart_seen:   cover (there[one*Most+Most-1] && (continues[one*Most +: Most] == '0) && (tag[one*TagW +: TagW] == '1));
      room_for_what_is_asked:        assert (room == '1);
      room_for_what_is_asked_seen:   cover ((32'(count[one*CountW +: CountW]) == Depth - 2) && (requests[one*2 +: 2] == 2'd1));
      asks_while_it_may:             assert ((asks == '1) && (stop_q == \dut.stop_q ));
      asks_while_it_may_seen:        cover (stop_q[one] && redirects[one] && redirect_next_i && !fill[one]);
      count_is_what_came:            assert (came == '1);
      count_is_what_came_seen:       cover ((32'(count[one*CountW +: CountW]) == Depth) && take_i[one]);
      cleared_by_events_only:        assert (clear == clears);
      cleared_by_events_only_seen:   cover (fills[one] && flushes[one]);
      bundle_is_in_its_place:        assert (!looking_q || in_place);
      bundle_is_in_its_place_seen:   cover (looking_q && (32'(place_q) == Depth - 1));
      head_is_the_oldest:            assert (((came_q[one*CountW +: CountW] == '0) && (head[one*InstrW +: InstrW] == '0)) ||
                                             (looking_q && (place_q == '0) && (head[one*InstrW +: InstrW] == bundle_q)) ||
                                             ((came_q[one*CountW +: CountW] != '0) && !(looking_q && (place_q == '0))));
      head_is_the_oldest_seen:       cover (looking_q && (place_q == '0));
      second_is_the_next:            assert (((came_q[one*CountW +: CountW] <= CountW'(1)) && (second[one*NamesW +: NamesW] == '0)) ||
                                             (looking_q && (place_q == CountW'(1)) && (second[one*NamesW +: NamesW] == bundle_q[NamesW-1:0])) ||
                                             ((came_q[one*CountW +: CountW] > CountW'(1)) && !(looking_q && (place_q == CountW'(1)))));
      second_is_the_next_seen:       cover (looking_q && (place_q == CountW'(1)) && take_i[one]);
    end
  end
endmodule
