// SPDX-License-Identifier: Apache-2.0
// rr_arbiter: grants one of NumReq requesters in turn.
//
// Contract
//   Latency  the grant is combinational; the turn moves on at the edge that ends the cycle of a grant.
//   Order    the first requester at or after (last granted + 1) modulo NumReq wins. Without enable_i nothing is
//            granted and the turn stays.
//   Reset    asynchronous, active low; requester 0 is first.
//   Idle     grant_idx_o and grant_o are 0 while grant_valid_o is 0.
module rr_arbiter #(
  parameter  int NumReq = 24,  // requesters
  localparam int IdxW   = heddle_pkg::idx_width(NumReq)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              enable_i,
  input  logic [NumReq-1:0] req_i,
  output logic              grant_valid_o,
  output logic [IdxW-1:0]   grant_idx_o,
  output logic [NumReq-1:0] grant_o         // the same, one-hot
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumReq < 1) NumReq_must_be_at_least_1 limit ();

  // Requesters whose index has bit b set.
  function automatic logic [NumReq-1:0] with_bit(input int b);
    with_bit = '0;
    for (int i = 0; i < NumReq; i++) with_bit[i] = ((i >> b) % 2) == 1;
  endfunction

  // Requests at or below each place: log2(NumReq) levels, no carry that runs through all of them.
  function automatic logic [NumReq-1:0] any_up_to(input logic [NumReq-1:0] req);
    any_up_to = req;
    for (int s = 1; s < NumReq; s = 2 * s) any_up_to = any_up_to | (any_up_to << s);
  endfunction

  logic [NumReq-1:0] behind_last;                  // requesters above the last granted: first in turn; 0 never is
  logic [NumReq-1:0] later_up_to, req_up_to, up_to;
  logic [NumReq-1:0] first;                        // who is granted, one-hot
  logic [IdxW-1:0]   first_idx;

  assign later_up_to = any_up_to(req_i & behind_last);
  assign req_up_to   = any_up_to(req_i);
  assign up_to       = later_up_to[NumReq-1] ? later_up_to : req_up_to;
  assign first       = up_to & ~(up_to << 1);

  generate
    for (genvar b = 0; b < IdxW; b++) begin : gen_idx
      localparam logic [NumReq-1:0] WithBit = with_bit(b);
      assign first_idx[b] = (first & WithBit) != '0;
    end
  endgenerate

  assign grant_valid_o = enable_i & (req_i != '0);
  assign grant_idx_o   = enable_i ? first_idx : '0;
  assign grant_o       = enable_i ? first : '0;

  generate
    if (NumReq > 1) begin : gen_turn
      logic [NumReq-1:1] behind_last_q;
      assign behind_last = {behind_last_q, 1'b0};
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          behind_last_q <= '0;
        end else if (grant_valid_o) begin
          behind_last_q <= up_to[NumReq-2:0];
        end
      end
    end else begin : gen_no_turn
      logic unused_clock;
      assign unused_clock = clk_i ^ rst_ni;
      assign behind_last  = 1'b0;
    end
  endgenerate
endmodule
