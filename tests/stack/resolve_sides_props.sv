// SPDX-License-Identifier: Apache-2.0
// Properties of resolve_sides (scripts/prove), of any question: no state is before it.
//
//! run LevelW=2
//! run LevelW=8
//! assume pcs_are_even: Threads go to even PCs; a branch that meets at RETURN names no address; it calls or returns, not both.
//!
//! property arrivals_are_at_the_place: Who has arrived where the sides meet is at its level and, if it is a PC, at that PC.
//!   mutant resolve_sides_call_keeps_its_level
//! property nobody_arrives_nowhere: Without a place nobody arrives.
//!   mutant resolve_sides_arrives_nowhere
//! property target_brings_the_address: Sides that meet at RETURN know its address if the path's own place has it, or if the target's side has returned.
//!   mutant resolve_sides_address_not_learnt
//! property tail_is_the_own_place: A tail meets at the path's own place: a level, and a PC or RETURN with the address that it has.
//!   mutant resolve_sides_tail_at_any_level
module resolve_sides_props #(
  parameter int LevelW = 2
) (
  input logic              clk_i,
  input logic [31:0]       target_i,
  input logic [31:0]       next_i,
  input logic [31:0]       rpc_i,
  input logic              call_i,
  input logic              return_i,
  input logic [LevelW-1:0] level_i,
  input logic [31:0]       own_rpc_i,
  input logic [LevelW-1:0] own_level_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic              tail, target_arrives, next_arrives, target_at_own, next_at_own;
  logic [31:0]       meet_rpc;
  logic [LevelW-1:0] meet_level, target_level;
  resolve_sides #(.LevelW(LevelW)) dut (
    .target_i         (target_i),
    .next_i           (next_i),
    .rpc_i            (rpc_i),
    .call_i           (call_i),
    .return_i         (return_i),
    .level_i          (level_i),
    .own_rpc_i        (own_rpc_i),
    .own_level_i      (own_level_i),
    .tail_o           (tail),
    .meet_rpc_o       (meet_rpc),
    .meet_level_o     (meet_level),
    .target_level_o   (target_level),
    .target_arrives_o (target_arrives),
    .next_arrives_o   (next_arrives),
    .target_at_own_o  (target_at_own),
    .next_at_own_o    (next_at_own)
  );

  wire [LevelW-1:0] to_level = call_i ? level_i + LevelW'(1) : return_i ? level_i - LevelW'(1) : level_i;
  wire              known    = own_rpc_i[0] && (own_rpc_i[31:1] != '0);

  wire unused = ^{target_level, next_at_own};

  always_comb begin
    if (rst_n) begin
      pcs_are_even: assume (!target_i[0] && !next_i[0] && (!rpc_i[0] || (rpc_i == 32'd1)) && !(call_i && return_i));

      arrivals_are_at_the_place:      assert ((!target_arrives || ((to_level == meet_level) && (meet_rpc[31:1] == target_i[31:1]))) &&
                                              (!next_arrives || ((level_i == meet_level) && (meet_rpc[0] || (meet_rpc == next_i)))));
      arrivals_are_at_the_place_seen: cover (target_arrives && meet_rpc[0]);
      nobody_arrives_nowhere:         assert ((meet_rpc != '0) || (!target_arrives && !next_arrives));
      nobody_arrives_nowhere_seen:    cover ((meet_rpc == '0) && (target_i == '0));
      target_brings_the_address:      assert (!meet_rpc[0] || (tail && known) || (target_arrives == (meet_rpc[31:1] != '0)) ||
                                              (target_i == '0));
      target_brings_the_address_seen: cover (meet_rpc[0] && !tail && target_arrives);
      tail_is_the_own_place:          assert (!tail || ((meet_level == own_level_i) && ((meet_rpc == own_rpc_i) ||
                                              (own_rpc_i == 32'd1 && target_at_own))));
      tail_is_the_own_place_seen:     cover (tail && (rpc_i != '0) && !rpc_i[0]);
    end
  end
endmodule
