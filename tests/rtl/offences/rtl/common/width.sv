// SPDX-License-Identifier: Apache-2.0
// width: adds numbers of different widths.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
// finds: verilator .*WIDTH
module width (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  logic [5:0] wide;
  assign wide = data_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= wide[3:0] ^ {3'd0, ^wide[5:4]};
  end
endmodule
