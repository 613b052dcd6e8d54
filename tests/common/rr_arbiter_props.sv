// SPDX-License-Identifier: Apache-2.0
// Properties of rr_arbiter (scripts/prove). Inputs are free.
//
//! run NumReq=5
//! run NumReq=24
//! assume one_is_a_requester: The requester looked at is any of them.
//! property grants_a_request: A grant goes to a requester that asks, and only while the arbiter is enabled.
//!   mutant arbiter_grants_without_enable
//! property grant_is_one_hot: grant_o is the grant, one-hot; without one index and bits are 0.
//!   mutant arbiter_grants_a_bit_without_enable
//! property never_idle: With enable and a request there is a grant.
//!   mutant arbiter_misses_the_wrap
//! property bounded_wait: A requester that keeps asking waits for at most NumReq - 1 grants to others.
//!   mutant arbiter_restarts_at_zero
module rr_arbiter_props #(
  parameter  int NumReq = 5,
  localparam int IdxW   = heddle_pkg::idx_width(NumReq)
) (
  input logic              clk_i,
  input logic              enable_i,
  input logic [NumReq-1:0] req_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic              grant_valid;
  logic [IdxW-1:0]   grant_idx;
  logic [NumReq-1:0] grant;
  rr_arbiter #(.NumReq(NumReq)) dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_n),
    .enable_i      (enable_i),
    .req_i         (req_i),
    .grant_valid_o (grant_valid),
    .grant_idx_o   (grant_idx),
    .grant_o       (grant)
  );

  // Any one requester: grants to others since it began to ask.
  (* anyconst *) logic [IdxW-1:0] one;
  logic [IdxW:0] waited_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n || !req_i[one] || (grant_valid && (grant_idx == one))) waited_q <= '0;
    else if (grant_valid)                                             waited_q <= waited_q + (IdxW+1)'(1);
  end

  always_comb begin
    one_is_a_requester: assume (32'(one) < NumReq);
    if (rst_n) begin
      grants_a_request: assert (!grant_valid || (enable_i && (32'(grant_idx) < NumReq) && req_i[grant_idx]));
      grants_a_request_seen: cover (grant_valid && (32'(grant_idx) == NumReq - 1));
      grant_is_one_hot: assert ((grant == (NumReq'(grant_valid) << grant_idx)) && (grant_valid || (grant_idx == '0)));
      grant_is_one_hot_seen: cover (grant[NumReq-1]);
      never_idle: assert (!enable_i || (req_i == '0) || grant_valid);
      never_idle_seen: cover (enable_i && (req_i != '0));
      bounded_wait: assert (32'(waited_q) < NumReq);
      bounded_wait_seen: cover (32'(waited_q) == NumReq - 1);
    end
  end
endmodule
