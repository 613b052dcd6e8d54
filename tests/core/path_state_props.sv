// SPDX-License-Identifier: Apache-2.0
// Properties of path_state (scripts/prove). Events are free but for what a front end never does; the reference follows one
// warp and one of its slots, which are any.
//
//! run NumWarps=2 NumSlots=2 PathBarriers=0
//! run NumWarps=3 NumSlots=1 PathBarriers=0
//! run NumWarps=2 NumSlots=3 PathBarriers=1
//! assume grant_is_legal: One path at most is granted, that of grant_slot_i, and no control instruction of a warp that has one pending.
//! assume event_names_a_warp: Events name warps, region_slot_i slots.
//! assume one_is_any: Warp and slot looked at are any.
//! together waits_for_its_own_resolution pending_is_a_path
//!
//! property waits_for_its_own_resolution: A path waits from the grant of its control instruction until a resolution of its warp has acted, or a kill.
//!   mutant path_state_resolution_of_another_warp
//! property pending_is_a_path: A warp is pending if and only if one of its paths waits, and only one does.
//!   mutant path_state_waits_in_all_slots
//! property barrier_until_release: A path is at a barrier from the grant of its own, or without PathBarriers of any of its warp, until a release that meets no such grant, or a kill.
//!   mutant path_state_release_wins
//! property halted_until_kill: A warp is halted from the overflow of its stack until a kill.
//!   mutant overflow_does_not_halt
//! property acts_one_cycle: With several slots a warp acts in the cycle after a resolution of it was taken, and only then.
//!   mutant path_state_acts_on_every_warp
//! property settled_is_nothing_else: A warp is settled if nothing of all that holds of it, no path is in a region, and it is not killed.
//!   mutant path_state_settled_in_a_region
module path_state_props #(
  parameter  int NumWarps     = 2,
  parameter  int NumSlots     = 2,
  parameter  int PathBarriers = 0,
  localparam int NumPaths     = NumSlots * NumWarps,
  localparam int WarpW        = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW        = heddle_pkg::idx_width(NumSlots)
) (
  input logic                      clk_i,
  input logic [NumPaths-1:0]       grant_i,
  input logic [SlotW-1:0]          grant_slot_i,
  input logic [NumPaths-1:0]       control_i,
  input logic [NumPaths-1:0]       barrier_i,
  input logic                      take_valid_i,
  input logic [WarpW-1:0]          take_warp_i,
  input logic [NumWarps-1:0]       killed_i,
  input logic [NumWarps-1:0]       release_i,
  input logic [NumPaths-1:0]       valid_i,
  input logic                      resolved_valid_i,
  input logic [WarpW-1:0]          resolved_warp_i,
  input logic                      overflow_valid_i,
  input logic [WarpW-1:0]          overflow_warp_i,
  input logic [NumWarps-1:0]       region_i,
  input logic [NumWarps*SlotW-1:0] region_slot_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [NumWarps-1:0] pending, acting, halted, settled;
  logic [NumPaths-1:0] waits, at_barrier, in_region;

  path_state #(
    .NumWarps     (NumWarps),
    .NumSlots     (NumSlots),
    .PathBarriers (PathBarriers)
  ) dut (
    .clk_i            (clk_i),
    .rst_ni           (rst_n),
    .grant_i          (grant_i),
    .grant_slot_i     (grant_slot_i),
    .control_i        (control_i),
    .barrier_i        (barrier_i),
    .take_valid_i     (take_valid_i),
    .take_warp_i      (take_warp_i),
    .killed_i         (killed_i),
    .release_i        (release_i),
    .valid_i          (valid_i),
    .resolved_valid_i (resolved_valid_i),
    .resolved_warp_i  (resolved_warp_i),
    .overflow_valid_i (overflow_valid_i),
    .overflow_warp_i  (overflow_warp_i),
    .region_i         (region_i),
    .region_slot_i    (region_slot_i),
    .pending_o        (pending),
    .acting_o         (acting),
    .halted_o         (halted),
    .settled_o        (settled),
    .waits_o          (waits),
    .at_barrier_o     (at_barrier),
    .in_region_o      (in_region)
  );

  (* anyconst *) logic [WarpW-1:0] warp;
  (* anyconst *) logic [SlotW-1:0] slot;
  logic [31:0]         path;
  logic [NumSlots-1:0] waiting, standing;   // of the warp's paths
  logic                legal, comes, own_barrier;
  assign path = 32'(warp) + 32'(slot) * NumWarps;
  always_comb begin
    legal       = (grant_i & (grant_i - NumPaths'(1))) == '0;
    comes       = 1'b0;
    waiting     = '0;
    standing    = '0;
    for (int p = 0; p < NumPaths; p++) begin
      if (grant_i[p] && ((NumSlots > 1) && (32'(grant_slot_i) != p / NumWarps))) legal = 1'b0;
      if (grant_i[p] && control_i[p] && pending[p % NumWarps]) legal = 1'b0;
      if ((32'(warp) == p % NumWarps) && grant_i[p] && barrier_i[p]) comes = 1'b1;
      if (32'(warp) == p % NumWarps) waiting[p / NumWarps]  = waits[p];
      if (32'(warp) == p % NumWarps) standing[p / NumWarps] = at_barrier[p];
    end
    own_barrier = (PathBarriers != 0) ? grant_i[path] && barrier_i[path] : comes;
  end

  logic waits_q, barrier_q, halted_q, acts_q;
  always_ff @(posedge clk_i) begin
    acts_q <= rst_n && take_valid_i && (take_warp_i == warp);
    if (!rst_n || killed_i[warp]) begin
      waits_q   <= 1'b0;
      barrier_q <= 1'b0;
      halted_q  <= 1'b0;
    end else begin
      if (resolved_valid_i && (resolved_warp_i == warp)) waits_q <= 1'b0;
      if (grant_i[path] && control_i[path])              waits_q <= 1'b1;
      if (release_i[warp] && !comes)                     barrier_q <= 1'b0;
      if ((PathBarriers != 0) && !valid_i[path])         barrier_q <= 1'b0;
      if (own_barrier)                                   barrier_q <= 1'b1;
      if (overflow_valid_i && (overflow_warp_i == warp)) halted_q <= 1'b1;
    end
  end

  always_comb begin
    one_is_any: assume ((32'(warp) < NumWarps) && (32'(slot) < NumSlots));
    if (rst_n) begin
      grant_is_legal:                    assume (legal);
      event_names_a_warp:                assume ((32'(take_warp_i) < NumWarps) && (32'(resolved_warp_i) < NumWarps) &&
                                                 (32'(overflow_warp_i) < NumWarps) &&
                                                 (32'(region_slot_i[warp*SlotW +: SlotW]) < NumSlots));
      waits_for_its_own_resolution:      assert (waits[path] == waits_q);
      waits_for_its_own_resolution_seen: cover (waits_q && resolved_valid_i && (resolved_warp_i != warp));
      pending_is_a_path:                 assert ((pending[warp] == (waiting != '0)) && ((waiting & (waiting - NumSlots'(1))) == '0));
      pending_is_a_path_seen:            cover (pending == '1);
      barrier_until_release:             assert (at_barrier[path] == barrier_q);
      barrier_until_release_seen:        cover (barrier_q && release_i[warp] && comes);
      halted_until_kill:                 assert (halted[warp] == halted_q);
      halted_until_kill_seen:            cover (halted_q && killed_i[warp]);
      acts_one_cycle:                    assert (acting[warp] == ((NumSlots > 1) && acts_q));
      acts_one_cycle_seen:               cover (acts_q && !take_valid_i);
      settled_is_nothing_else:           assert (settled[warp] == ((waiting == '0) && (standing == '0) && !halted[warp] && !acting[warp] &&
                                                                   !region_i[warp] && !killed_i[warp]));
      settled_is_nothing_else_seen:      cover (settled[warp] && (in_region != '0) && (halted != '0));
    end
  end
endmodule
