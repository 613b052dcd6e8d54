// SPDX-License-Identifier: Apache-2.0
// Properties of predication (scripts/prove). Inputs are legal and otherwise free. The reference is one arbitrary warp and one
// arbitrary thread: whether the thread is to be off, how many instructions its region was started with, and how many were taken.
//
//! run NumWarps=2 NumSlots=2 Lanes=3
//! run NumWarps=3 NumSlots=1 Lanes=2
//! run NumWarps=1 NumSlots=2 Lanes=5
//! run NumWarps=2 NumSlots=3 Lanes=3
//! assume start_names_a_path: A start names a warp and one of its slots.
//! assume start_is_legal: A start is of a warp without a region, 1 to 8 instructions and a thread; the path does not issue beside it.
//! assume take_is_legal: At most one path issues.
//! assume kill_is_legal: A kill names a warp.
//! assume one_is_any: The warp and the thread looked at are any.
//! together count_is_what_remains count_is_bounded active_until_taken slot_of_the_start
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant predication_asserts_a_count_of_seven
//! property off_in_its_region: A thread of the start is off from the start until all instructions of the region have been taken or its warp is killed, another one is not.
//!   mutant predication_forgets_a_thread
//! property only_in_its_region: For the other slot, and after the last take or a kill, no thread is off.
//!   mutant predication_masks_both_slots
//! property count_is_what_remains: The count is that of the start less the instructions that its slot has taken since.
//!   mutant predication_counts_both_slots
//! property none_after_a_kill: After a kill no instruction remains, whatever started in its cycle.
//!   mutant predication_start_survives_a_kill
//! property count_is_bounded: No more than eight instructions remain.
//!   mutant predication_counts_below_zero
//! property active_until_taken: A warp is active exactly while instructions remain.
//!   mutant predication_active_without_the_last
//! property slot_of_the_start: The slot is that of the latest start; with one slot it is 0.
//!   mutant predication_keeps_its_slot
//! property none_without_a_take: Nobody is off in a cycle in which no path issues.
//!   mutant predication_masks_without_a_take
module predication_props #(
  parameter  int NumWarps = 2,
  parameter  int NumSlots = 2,
  parameter  int Lanes    = 3,
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW    = heddle_pkg::idx_width(NumSlots),
  localparam int LaneW    = heddle_pkg::idx_width(Lanes),
  localparam int NumPaths = NumWarps * NumSlots,
  localparam int PathW    = heddle_pkg::idx_width(NumPaths)
) (
  input logic                clk_i,
  input logic                start_valid_i,
  input logic [WarpW-1:0]    start_warp_i,
  input logic [SlotW-1:0]    start_slot_i,
  input logic [Lanes-1:0]    start_mask_i,
  input logic [3:0]          start_count_i,
  input logic [NumPaths-1:0] take_i,
  input logic                kill_valid_i,
  input logic [WarpW-1:0]    kill_warp_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [Lanes-1:0]          off_mask;
  logic [NumWarps-1:0]       active;
  logic [NumWarps*SlotW-1:0] slot;
  logic [NumWarps*4-1:0]     count;

  predication #(
    .NumWarps (NumWarps),
    .NumSlots (NumSlots),
    .Lanes    (Lanes)
  ) dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_n),
    .start_valid_i (start_valid_i),
    .start_warp_i  (start_warp_i),
    .start_slot_i  (start_slot_i),
    .start_mask_i  (start_mask_i),
    .start_count_i (start_count_i),
    .take_i        (take_i),
    .kill_valid_i  (kill_valid_i),
    .kill_warp_i   (kill_warp_i),
    .off_mask_o    (off_mask),
    .active_o      (active),
    .slot_o        (slot),
    .count_o       (count)
  );

  (* anyconst *) logic [WarpW-1:0] warp;
  (* anyconst *) logic [LaneW-1:0] thread;

  // The slot as the module is to see it, and paths by number.
  logic [SlotW-1:0] start_slot;
  logic [PathW-1:0] start_path, path;   // of the start; of the latest region
  assign start_slot = (NumSlots > 1) ? start_slot_i : '0;
  assign start_path = PathW'(start_warp_i) + PathW'(32'(start_slot) * NumWarps);
  assign path       = PathW'(warp) + PathW'(32'(slot_q) * NumWarps);

  // The latest region of the warp.
  logic             off_q;
  logic [SlotW-1:0] slot_q;
  logic [3:0]       length_q, taken_q;
  logic             starts, issues, in_region, killed;
  logic             others;   // another path of the warp issues
  logic             started_q, killed_q;
  assign starts    = start_valid_i && (start_warp_i == warp);
  assign killed    = kill_valid_i && (kill_warp_i == warp);
  assign issues    = take_i[path];
  assign in_region = taken_q != length_q;
  always_comb begin
    others = 1'b0;
    for (int s = 0; s < NumSlots; s++) others = others || (take_i[s*NumWarps+32'(warp)] && (SlotW'(s) != slot_q));
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      off_q    <= 1'b0;
      slot_q   <= '0;
      length_q <= '0;
      taken_q  <= '0;
    end else begin
      if (starts) begin
        off_q    <= start_mask_i[thread];
        slot_q   <= start_slot;
        length_q <= start_count_i;
        taken_q  <= '0;
      end else if (issues && in_region) begin
        taken_q  <= taken_q + 4'd1;
      end
      if (killed) begin
        length_q <= '0;
        taken_q  <= '0;
      end
    end
    started_q <= rst_n && starts;
    killed_q  <= rst_n && killed;
  end

  logic [3:0] remains;
  assign remains = length_q - taken_q;

  always_comb begin
    one_is_any:         assume ((32'(warp) < NumWarps) && (32'(thread) < Lanes));
    start_names_a_path: assume (!start_valid_i || ((32'(start_warp_i) < NumWarps) && (32'(start_slot) < NumSlots)));
    if (rst_n) begin
      start_is_legal: assume (!start_valid_i ||
                              (!active[start_warp_i] && (start_count_i != '0) && (start_count_i <= 4'd8) && (start_mask_i != '0) &&
                               !take_i[start_path]));
      take_is_legal:  assume ((take_i & (take_i - NumPaths'(1))) == '0);
      kill_is_legal:  assume (!kill_valid_i || (32'(kill_warp_i) < NumWarps));
      rtl_assertions_seen:        cover (start_valid_i && (start_count_i == 4'd8) && (take_i != '0));
      off_in_its_region:          assert (!(issues && in_region) || (off_mask[thread] == off_q));
      off_in_its_region_seen:     cover (issues && off_q && (length_q == 4'd3) && (taken_q == 4'd2));
      only_in_its_region:         assert (!(others || (issues && !in_region)) || (off_mask == '0));
      only_in_its_region_seen:    cover (off_q && issues && (length_q != '0) && !in_region);
      count_is_what_remains:      assert (count[warp*4 +: 4] == remains);
      count_is_what_remains_seen: cover ((remains == 4'd1) && (taken_q == 4'd2));
      none_after_a_kill:          assert (!killed_q || (count[warp*4 +: 4] == '0));
      none_after_a_kill_seen:     cover (killed_q && started_q);
      count_is_bounded:           assert (count[warp*4 +: 4] <= 4'd8);
      count_is_bounded_seen:      cover (count[warp*4 +: 4] == 4'd8);
      active_until_taken:         assert (active[warp] == in_region);
      active_until_taken_seen:    cover (!active[warp] && (taken_q == 4'd2));
      slot_of_the_start:          assert (slot[warp*SlotW +: SlotW] == slot_q);
      slot_of_the_start_seen:     cover ((taken_q == 4'd1) && ((NumSlots == 1) || (32'(slot_q) == NumSlots - 1)));
      none_without_a_take:        assert ((take_i != '0) || (off_mask == '0));
      none_without_a_take_seen:   cover ((take_i == '0) && in_region && off_q);
    end
  end
endmodule
