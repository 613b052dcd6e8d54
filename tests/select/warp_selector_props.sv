// SPDX-License-Identifier: Apache-2.0
// Properties of warp_selector (scripts/prove). Ready bits and launches are free.
//
//! run NumWarps=3 Policy=0
//! run NumWarps=3 Policy=1
//! run NumWarps=8 Policy=0
//! run NumWarps=4 Policy=1 NumSlots=1
//! run NumWarps=2 Policy=0 NumSlots=3
//! run NumWarps=2 Policy=1 NumSlots=5
//! assume launch_is_legal: A launch names a warp.
//! assume one_is_a_warp: The warp and the slot looked at are any of them.
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant warp_selector_asserts_another_bound
//! property grants_a_ready_path: There is a grant if and only if a path is ready, and it goes to one that is.
//!   mutant warp_selector_always_left
//! property slots_alternate: Of the ready slots of a warp the first one after that which was granted last goes first.
//!   mutant warp_selector_left_first
//! property grant_is_one_hot: grant_o is the grant by path, one-hot; without one warp, slot and bits are 0.
//!   mutant warp_selector_grants_both_slots
//! property bounded_wait: With loose round robin, a warp with a ready path waits for at most NumWarps - 1 grants to others.
//!   only Policy=0
//!   mutant arbiter_restarts_at_zero
//! property path_bounded_wait: With loose round robin, a ready path waits for at most NumSlots * NumWarps - 1 grants to others.
//!   only Policy=0
//!   mutant warp_selector_left_first
//! property greedy_stays: With greedy then oldest, the warp granted last is granted again while it is ready and is not launched anew.
//!   only Policy=1
//!   mutant warp_selector_not_greedy
module warp_selector_props #(
  parameter  int NumWarps = 3,
  parameter  int NumSlots = 2,
  parameter  int Policy   = 0,
  localparam int NumPaths = NumSlots * NumWarps,
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW    = heddle_pkg::idx_width(NumSlots)
) (
  input logic                clk_i,
  input logic                launch_valid_i,
  input logic [WarpW-1:0]    launch_warp_i,
  input logic [NumPaths-1:0] ready_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic                grant_valid;
  logic [SlotW-1:0]    grant_slot;
  logic [WarpW-1:0]    grant_warp;
  logic [NumPaths-1:0] grant;
  warp_selector #(
    .NumWarps (NumWarps),
    .NumSlots (NumSlots),
    .Policy   (Policy)
  ) dut (
    .clk_i          (clk_i),
    .rst_ni         (rst_n),
    .launch_valid_i (launch_valid_i),
    .launch_warp_i  (launch_warp_i),
    .ready_i        (ready_i),
    .grant_valid_o  (grant_valid),
    .grant_warp_o   (grant_warp),
    .grant_slot_o   (grant_slot),
    .grant_o        (grant)
  );

  (* anyconst *) logic [WarpW-1:0] warp;
  (* anyconst *) logic [SlotW-1:0] slot;
  logic [NumSlots-1:0] warp_slots;   // ready slots of the warp
  logic [NumWarps-1:0] warps;        // warps with a ready slot
  logic                warp_ready, path_ready, granted, slot_granted;
  always_comb begin
    warp_slots = '0;
    warps      = '0;
    for (int s = 0; s < NumSlots; s++) begin
      warp_slots[s] = ready_i[s*NumWarps + 32'(warp)];
      warps         = warps | ready_i[s*NumWarps +: NumWarps];
    end
  end
  assign warp_ready   = warp_slots != '0;
  assign path_ready   = warp_slots[slot];
  assign granted      = grant_valid && (grant_warp == warp);
  assign slot_granted = granted && (grant_slot == slot);

  // Grants to others since the warp, and the path, became ready; the slot that was granted last.
  localparam int WaitW = $clog2(NumPaths) + 1;
  logic [WaitW-1:0] warp_waits_q, path_waits_q;
  logic             granted_before_q, granted_last_q;
  logic [SlotW-1:0] last_slot_q, turn;   // turn: the slot whose turn it is
  always_ff @(posedge clk_i) begin
    if (!rst_n || !warp_ready || granted)      warp_waits_q <= '0;
    else if (grant_valid)                      warp_waits_q <= warp_waits_q + WaitW'(1);
    if (!rst_n || !path_ready || slot_granted) path_waits_q <= '0;
    else if (grant_valid)                      path_waits_q <= path_waits_q + WaitW'(1);
    if (!rst_n) begin
      granted_before_q <= 1'b0;
      last_slot_q      <= SlotW'(NumSlots - 1);
    end else if (granted) begin
      granted_before_q <= 1'b1;
      last_slot_q      <= grant_slot;
    end
    if (!rst_n)                                               granted_last_q <= 1'b0;
    else if (launch_valid_i && (launch_warp_i == warp))       granted_last_q <= 1'b0;
    else if (grant_valid)                                     granted_last_q <= granted;
  end

  always_comb begin
    turn = '0;
    for (int k = NumSlots; k > 0; k--) begin
      if (warp_slots[(32'(last_slot_q) + k) % NumSlots]) turn = SlotW'((32'(last_slot_q) + k) % NumSlots);
    end
  end

  always_comb begin
    one_is_a_warp: assume ((32'(warp) < NumWarps) && (32'(slot) < NumSlots));
    if (rst_n) begin
      launch_is_legal:          assume (!launch_valid_i || (32'(launch_warp_i) < NumWarps));
      rtl_assertions_seen:      cover (launch_valid_i && grant_valid);
      grants_a_ready_path:      assert ((grant_valid == (ready_i != '0)) &&
                                        (!grant_valid || ((32'(grant_warp) < NumWarps) && (32'(grant_slot) < NumSlots) &&
                                                          ready_i[32'(grant_slot)*NumWarps + 32'(grant_warp)])));
      grants_a_ready_path_seen: cover (grant_valid && (32'(grant_warp) == NumWarps - 1) && (32'(grant_slot) == NumSlots - 1));
      slots_alternate:          assert (!granted || (grant_slot == turn));
      slots_alternate_seen:     cover (granted && (warp_slots == '1) && granted_before_q && (grant_slot == '0));
      grant_is_one_hot:         assert ((grant == (NumPaths'(grant_valid) << (32'(grant_slot)*NumWarps + 32'(grant_warp)))) &&
                                        (grant_valid || ((grant_slot == '0) && (grant_warp == '0))));
      grant_is_one_hot_seen:    cover (grant[NumPaths-1]);
      bounded_wait:             assert (32'(warp_waits_q) < NumWarps);
      bounded_wait_seen:        cover (32'(warp_waits_q) == NumWarps - 1);
      path_bounded_wait:        assert (32'(path_waits_q) < NumPaths);
      path_bounded_wait_seen:   cover (32'(path_waits_q) == NumPaths - 1);
      greedy_stays:             assert (!(granted_last_q && warp_ready) || granted);
      greedy_stays_seen:        cover (granted_last_q && warp_ready && ((warps & ~(NumWarps'(1) << warp)) != '0));
    end
  end
endmodule
