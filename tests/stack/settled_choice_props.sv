// SPDX-License-Identifier: Apache-2.0
// Properties of settled_choice (scripts/prove). What was asked in the cycle before is kept; one warp, which is any, is
// looked at.
//
//! run NumWarps=3
//! run NumWarps=24
//! assume resolution_is_of_a_warp: A resolution names a warp below NumWarps.
//! assume warp_exists: The warp looked at exists.
//!
//! property acts_is_a_resolution: A resolution acts if and only if it was taken in in the cycle before and its warp not killed then; and it is that of its warp.
//!   mutant settled_choice_killed_resolution_acts
//! property serves_the_lowest: A warp is served if and only if it was the lowest that waited in the cycle before, without those that were settled or killed then, and no resolution was taken in.
//!   mutant settled_choice_serves_beside_a_resolution
//! property served_once: A warp that is settled in a cycle is not served in the next.
//!   mutant settled_choice_takes_a_settled_warp
//! property one_is_settled: A warp is settled if and only if a resolution of it acts, or it is served; not both.
//!   mutant settled_choice_resolution_settles_nothing
//! property said_a_cycle_ahead: A warp is settled only if the cycle before said so, and it is the one that it said.
//!   mutant settled_choice_says_another_warp
module settled_choice_props #(
  parameter  int NumWarps = 3,
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps)
) (
  input logic                clk_i,
  input logic                kill_valid_i,
  input logic [WarpW-1:0]    kill_warp_i,
  input logic                resolve_valid_i,
  input logic [WarpW-1:0]    resolve_warp_i,
  input logic [NumWarps-1:0] waits_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic                next_valid, acts, serves;
  logic [WarpW-1:0]    next_warp, settled_warp;
  logic [NumWarps-1:0] waiter, settled;
  settled_choice #(.NumWarps(NumWarps)) dut (
    .clk_i           (clk_i),
    .rst_ni          (rst_n),
    .kill_valid_i    (kill_valid_i),
    .kill_warp_i     (kill_warp_i),
    .resolve_valid_i (resolve_valid_i),
    .resolve_warp_i  (resolve_warp_i),
    .waits_i         (waits_i),
    .next_valid_o    (next_valid),
    .next_warp_o     (next_warp),
    .waiter_o        (waiter),
    .acts_o          (acts),
    .serves_o        (serves),
    .warp_o          (settled_warp),
    .settled_o       (settled)
  );

  // May the warp be served, and a lower-numbered one?
  (* anyconst *) logic [WarpW-1:0] warp;
  logic may, lower_may, candidate;
  always_comb begin
    may       = 1'b0;
    lower_may = 1'b0;
    candidate = 1'b0;
    for (int w = 0; w < NumWarps; w++) begin
      candidate = waits_i[w] && !settled[w] && !(kill_valid_i && (32'(kill_warp_i) == w));
      if (candidate && (w < 32'(warp))) lower_may = 1'b1;
      if (candidate && (w == 32'(warp))) may = 1'b1;
    end
  end

  // The cycle before.
  logic             was_q, taken_q, killed_q, may_q, settled_q, next_q;
  logic [WarpW-1:0] taken_warp_q, next_warp_q;
  always_ff @(posedge clk_i) begin
    was_q        <= rst_n;
    taken_q      <= resolve_valid_i;
    taken_warp_q <= resolve_warp_i;
    killed_q     <= kill_valid_i && (kill_warp_i == resolve_warp_i);
    may_q        <= may && !lower_may;
    settled_q    <= settled[warp];
    next_q       <= next_valid;
    next_warp_q  <= next_warp;
  end

  always_comb begin
    resolution_is_of_a_warp: assume (!resolve_valid_i || (32'(resolve_warp_i) < NumWarps));
    warp_exists:             assume (32'(warp) < NumWarps);

    if (rst_n) begin
      acts_is_a_resolution:      assert ((acts == (was_q && taken_q && !killed_q)) && (!acts || (settled_warp == taken_warp_q)));
      acts_is_a_resolution_seen: cover (acts && (32'(settled_warp) == NumWarps - 1));
      serves_the_lowest:         assert (((serves && (settled_warp == warp)) == (was_q && may_q && !taken_q)) &&
                                         (waiter[warp] == (may && !lower_may)));
      serves_the_lowest_seen:    cover (serves && (32'(settled_warp) == NumWarps - 1) && lower_may);
      served_once:               assert (!(was_q && settled_q && serves && (settled_warp == warp)));
      served_once_seen:          cover (settled[warp] && waits_i[warp] && (32'(warp) == NumWarps - 1));
      one_is_settled:            assert ((settled[warp] == ((acts || serves) && (settled_warp == warp))) && !(acts && serves));
      one_is_settled_seen:       cover (settled[warp] && (32'(warp) == NumWarps - 1));
      said_a_cycle_ahead:        assert (!was_q || (next_q ? (settled_warp == next_warp_q) : !(acts || serves)));
      said_a_cycle_ahead_seen:   cover (was_q && next_q && !acts && !serves && (settled_warp != '0));
    end
  end
endmodule
