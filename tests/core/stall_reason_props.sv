// SPDX-License-Identifier: Apache-2.0
// Properties of stall_reason (scripts/prove). The reference ranks one path, which is any, by how close it came to its issue
// in the cycle before, and knows nothing of the others.
//
//! run NumWarps=2 NumSlots=2
//! run NumWarps=5 NumSlots=1
//! run NumWarps=3 NumSlots=3
//! assume path_is_one: The path looked at is any path.
//!
//! property none_is_an_issue: There is no reason if and only if a path was granted, or in the first cycle.
//!   mutant stall_reason_issue_without_a_warp
//! property no_warp_is_none_in_use: The reason is that there is no warp if and only if none was in use and nothing was granted.
//!   mutant stall_reason_warp_0_is_no_warp
//! property path_is_not_closer: No path came closer to its issue than the reason that is told.
//!   mutant a_load_that_waits_is_a_busy_unit
//! property reason_is_of_a_path: The reason that is told was that of a path, or of a warp; an empty queue is told of the others.
//!   mutant stall_reason_blocked_by_another_reason
module stall_reason_props #(
  parameter  int NumWarps = 2,
  parameter  int NumSlots = 2,
  localparam int NumPaths = NumSlots * NumWarps,
  localparam int PathW    = heddle_pkg::idx_width(NumPaths)
) (
  input logic                clk_i,
  input logic                grant_valid_i,
  input logic [NumWarps-1:0] in_use_i,
  input logic [NumWarps-1:0] pending_i,
  input logic [NumWarps-1:0] halted_i,
  input logic [NumPaths-1:0] eligible_i,
  input logic [NumPaths-1:0] no_unit_i,
  input logic [NumPaths-1:0] load_store_i,
  input logic [NumPaths-1:0] may_issue_i,
  input logic [NumPaths-1:0] blocked_i,
  input logic [NumPaths-1:0] full_i,
  input logic [NumPaths-1:0] wait_i,
  input logic [NumPaths-1:0] at_barrier_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [3:0] stall;

  stall_reason #(
    .NumWarps (NumWarps),
    .NumSlots (NumSlots)
  ) dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_n),
    .grant_valid_i (grant_valid_i),
    .in_use_i      (in_use_i),
    .pending_i     (pending_i),
    .halted_i      (halted_i),
    .eligible_i    (eligible_i),
    .no_unit_i     (no_unit_i),
    .load_store_i  (load_store_i),
    .may_issue_i   (may_issue_i),
    .blocked_i     (blocked_i),
    .full_i        (full_i),
    .wait_i        (wait_i),
    .at_barrier_i  (at_barrier_i),
    .stall_o       (stall)
  );

  // What a path waits for, from the closest to its issue to the farthest: a bit each, and all below it.
  function automatic logic [6:0] reasons(input logic eligible, input logic no_unit, input logic load_store, input logic may_issue,
                                         input logic blocked, input logic full, input logic waits, input logic at_barrier);
    reasons = {eligible, no_unit && load_store, no_unit, may_issue && blocked, may_issue && full, waits, at_barrier};
  endfunction

  (* anyconst *) logic [PathW-1:0] path;
  logic       said_q, warp_q, granted_q;   // not the first cycle; a warp was in use; a path was granted
  logic [6:0] own_q, any_q;                // reasons of the path, and of all
  logic [6:0] own, any;
  always_comb begin
    own = '0;
    any = '0;
    for (int p = 0; p < NumPaths; p++) begin
      if (32'(path) == p) begin
        own = reasons(eligible_i[p], no_unit_i[p], load_store_i[p], may_issue_i[p], blocked_i[p], full_i[p],
                      wait_i[p] || pending_i[p % NumWarps] || halted_i[p % NumWarps], at_barrier_i[p]);
      end
      any = any | reasons(eligible_i[p], no_unit_i[p], load_store_i[p], may_issue_i[p], blocked_i[p], full_i[p],
                          wait_i[p] || pending_i[p % NumWarps] || halted_i[p % NumWarps], at_barrier_i[p]);
    end
  end
  always_ff @(posedge clk_i) begin
    said_q    <= rst_n;
    granted_q <= grant_valid_i;
    warp_q    <= in_use_i != '0;
    own_q     <= own;
    any_q     <= any;
  end

  logic [6:0] told;   // the reason that is told, as a bit; none for an empty queue
  always_comb begin
    told = '0;
    if (stall == 4'(heddle_pkg::StallPathSwitch))     told[6] = 1'b1;
    if (stall == 4'(heddle_pkg::StallMemory))         told[5] = 1'b1;
    if (stall == 4'(heddle_pkg::StallUnitBusy))       told[4] = 1'b1;
    if (stall == 4'(heddle_pkg::StallScoreboard))     told[3] = 1'b1;
    if (stall == 4'(heddle_pkg::StallScoreboardFull)) told[2] = 1'b1;
    if (stall == 4'(heddle_pkg::StallBranchPending))  told[1] = 1'b1;
    if (stall == 4'(heddle_pkg::StallBarrier))        told[0] = 1'b1;
  end

  logic stalls;   // a reason of paths is told
  assign stalls = (stall != 4'(heddle_pkg::StallNone)) && (stall != 4'(heddle_pkg::StallNoWarp));

  always_comb begin
    path_is_one: assume (32'(path) < NumPaths);
    if (rst_n) begin
      none_is_an_issue:            assert ((stall == 4'(heddle_pkg::StallNone)) == (!said_q || granted_q));
      none_is_an_issue_seen:       cover (said_q && granted_q);
      no_warp_is_none_in_use:      assert ((stall == 4'(heddle_pkg::StallNoWarp)) == (said_q && !granted_q && !warp_q));
      no_warp_is_none_in_use_seen: cover (stall == 4'(heddle_pkg::StallNoWarp));
      path_is_not_closer:          assert (!stalls || ((own_q & ~told) < ((told == '0) ? 7'd1 : told)));
      path_is_not_closer_seen:     cover (stalls && (own_q > told) && (own_q[6:5] == '0));
      reason_is_of_a_path:         assert (!stalls || ((told == '0) ? stall == 4'(heddle_pkg::StallIbufferEmpty) : (told & any_q) != '0));
      reason_is_of_a_path_seen:    cover (stalls && (told[3:1] != '0));
    end
  end
endmodule
