// SPDX-License-Identifier: Apache-2.0
// Properties of constrained_selector (scripts/prove). Ready, valid and long bits, launches and misses are free.
//
//! run NumWarps=3 Policy=0
//! run NumWarps=3 Policy=1
//! run NumWarps=8 Policy=0
//! assume launch_is_legal: A launch names a warp.
//! assume miss_is_legal: A miss names a warp.
//! assume one_is_a_warp: The warp looked at is any of them.
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant constrained_selector_asserts_another_bound
//! property grants_a_current_path: A grant goes to a ready path, and to the current one of its warp.
//!   mutant constrained_selector_grants_the_other_slot
//! property never_idle: There is a grant while some warp's current path is ready.
//!   mutant constrained_selector_left_only
//! property grant_is_one_hot: grant_o is the grant by path, one-hot; without one warp, slot and bits are 0.
//!   mutant constrained_selector_grants_both_slots
//! property bounded_wait: With loose round robin, a warp whose current path is ready waits for at most NumWarps - 1 grants to others.
//!   only Policy=0
//!   mutant arbiter_restarts_at_zero
//! property switches_when_empty: A warp whose current path is empty changes to the other one within a cycle.
//!   mutant constrained_selector_stays_on_an_empty_path
//! property switches_only_for_a_reason: The current path of a warp changes only when it is empty, is granted a long instruction, has missed, or the warp is launched.
//!   mutant any_miss_switches
module constrained_selector_props #(
  parameter  int NumWarps = 3,
  parameter  int Policy   = 0,
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps)
) (
  input logic                clk_i,
  input logic                launch_valid_i,
  input logic [WarpW-1:0]    launch_warp_i,
  input logic [NumWarps-1:0] ready_l_i,
  input logic [NumWarps-1:0] ready_r_i,
  input logic [NumWarps-1:0] valid_l_i,
  input logic [NumWarps-1:0] valid_r_i,
  input logic [NumWarps-1:0] long_l_i,
  input logic [NumWarps-1:0] long_r_i,
  input logic                miss_valid_i,
  input logic [WarpW-1:0]    miss_warp_i,
  input logic                miss_slot_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic                  grant_valid, grant_slot;
  logic [WarpW-1:0]      grant_warp;
  logic [2*NumWarps-1:0] grant;
  constrained_selector #(
    .NumWarps (NumWarps),
    .Policy   (Policy)
  ) dut (
    .clk_i          (clk_i),
    .rst_ni         (rst_n),
    .launch_valid_i (launch_valid_i),
    .launch_warp_i  (launch_warp_i),
    .ready_l_i      (ready_l_i),
    .ready_r_i      (ready_r_i),
    .valid_l_i      (valid_l_i),
    .valid_r_i      (valid_r_i),
    .long_l_i       (long_l_i),
    .long_r_i       (long_r_i),
    .miss_valid_i   (miss_valid_i),
    .miss_warp_i    (miss_warp_i),
    .miss_slot_i    (miss_slot_i),
    .grant_valid_o  (grant_valid),
    .grant_warp_o   (grant_warp),
    .grant_slot_o   (grant_slot),
    .grant_o        (grant)
  );
  (* hierconn *) wire [NumWarps-1:0] \dut.current_q ;   // 1: right

  (* anyconst *) logic [WarpW-1:0] warp;
  logic [NumWarps-1:0] current_ready;
  logic                current, granted, empty, other_valid, missed, long;
  assign current       = \dut.current_q [warp];
  assign current_ready = (\dut.current_q & ready_r_i) | (~\dut.current_q & ready_l_i);
  assign granted       = grant_valid && (grant_warp == warp);
  assign empty         = current ? !valid_r_i[warp] : !valid_l_i[warp];
  assign other_valid   = current ? valid_l_i[warp] : valid_r_i[warp];
  assign missed        = miss_valid_i && (miss_warp_i == warp) && (miss_slot_i == current);
  assign long          = granted && (current ? long_r_i[warp] : long_l_i[warp]);

  // Grants to others since the warp's current path became ready; what was before this cycle.
  logic [WarpW:0] waits_q;
  logic           known_q, was_q, must_change_q, may_change_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n || !current_ready[warp] || granted) waits_q <= '0;
    else if (grant_valid)                          waits_q <= waits_q + (WarpW+1)'(1);
    known_q       <= rst_n;
    was_q         <= current;
    must_change_q <= empty && other_valid && !(launch_valid_i && (launch_warp_i == warp));
    may_change_q  <= empty || missed || long || (launch_valid_i && (launch_warp_i == warp));
  end

  always_comb begin
    one_is_a_warp: assume (32'(warp) < NumWarps);
    if (rst_n) begin
      launch_is_legal:            assume (!launch_valid_i || (32'(launch_warp_i) < NumWarps));
      miss_is_legal:              assume (!miss_valid_i || (32'(miss_warp_i) < NumWarps));
      rtl_assertions_seen:        cover (launch_valid_i && miss_valid_i && grant_valid);
      grants_a_current_path:      assert (!granted || ((grant_slot == current) &&
                                                       (grant_slot ? ready_r_i[warp] : ready_l_i[warp])));
      grants_a_current_path_seen: cover (granted && grant_slot);
      never_idle:                 assert (grant_valid == (current_ready != '0));
      never_idle_seen:            cover ((current_ready & \dut.current_q ) != '0);
      grant_is_one_hot:           assert ((grant == ((2*NumWarps)'(grant_valid) << (grant_slot*NumWarps + 32'(grant_warp)))) &&
                                          (grant_valid || (!grant_slot && (grant_warp == '0))));
      grant_is_one_hot_seen:      cover (grant[2*NumWarps-1]);
      bounded_wait:               assert (32'(waits_q) < NumWarps);
      bounded_wait_seen:          cover (32'(waits_q) == NumWarps - 1);
      switches_when_empty:        assert (!(known_q && must_change_q) || (current != was_q));
      switches_when_empty_seen:   cover (known_q && must_change_q && was_q);
      switches_only_for_a_reason: assert (!known_q || (current == was_q) || may_change_q);
      switches_only_for_a_reason_seen: cover (known_q && (current != was_q));
    end
  end
endmodule
