// SPDX-License-Identifier: Apache-2.0
// Properties of warp_allocator (scripts/prove). The reference is a set: which indices are taken.
//
//! run Threads=3
//! run Threads=4
//! assume take_is_legal: No more is taken than is free, and two at most.
//! assume release_is_legal: Only a taken index is released.
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant warp_allocator_assertion_lacks_a_take
//! property offers_are_free: An index on offer is not taken, and the two on offer differ.
//!   mutant allocator_forgets_the_wrap
//! property entries_are_conserved: What is free and what is taken make all of the indices at any time.
//!   mutant warp_allocator_count_forgets_a_release
module warp_allocator_props #(
  parameter  int Threads = 3,
  localparam int IdxW    = heddle_pkg::idx_width(Threads),
  localparam int CntW    = heddle_pkg::idx_width(Threads + 1)
) (
  input logic            clk_i,
  input logic [1:0]      take_i,
  input logic            release_valid_i,
  input logic [IdxW-1:0] release_idx_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [IdxW-1:0] offer0, offer1;
  logic [CntW-1:0] free;
  warp_allocator #(.Threads(Threads)) dut (
    .clk_i           (clk_i),
    .rst_ni          (rst_n),
    .offer0_o        (offer0),
    .offer1_o        (offer1),
    .free_o          (free),
    .take_i          (take_i),
    .release_valid_i (release_valid_i),
    .release_idx_i   (release_idx_i)
  );

  logic [Threads-1:0] taken_q;
  logic [CntW-1:0]    num_taken;
  always_comb begin
    num_taken = '0;
    for (int i = 0; i < Threads; i++) num_taken = num_taken + CntW'(taken_q[i]);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      taken_q <= '0;
    end else begin
      for (int i = 0; i < Threads; i++) begin
        if (((take_i != 2'd0) && (32'(offer0) == i)) || ((take_i == 2'd2) && (32'(offer1) == i))) taken_q[i] <= 1'b1;
        if (release_valid_i && (32'(release_idx_i) == i))                                         taken_q[i] <= 1'b0;
      end
    end
  end

  always_comb begin
    if (rst_n) begin
      take_is_legal:    assume ((take_i != 2'd3) && (32'(take_i) <= 32'(free)));
      release_is_legal: assume (!release_valid_i || ((32'(release_idx_i) < Threads) && taken_q[release_idx_i]));

      rtl_assertions_seen:        cover (release_valid_i && (take_i == 2'd2));
      offers_are_free:            assert (((free == '0) || ((32'(offer0) < Threads) && !taken_q[offer0])) &&
                                          ((32'(free) < 2) || ((32'(offer1) < Threads) && !taken_q[offer1] && (offer0 != offer1))));
      offers_are_free_seen:       cover ((32'(free) > 1) && (offer0 > offer1));
      entries_are_conserved:      assert (32'(free) + 32'(num_taken) == Threads);
      entries_are_conserved_seen: cover (free == '0);
    end
  end
endmodule
