// SPDX-License-Identifier: Apache-2.0
// unused_input: ignores an input.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
// finds: verilator .*UNUSED
module unused_input (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  logic [3:0] count;
  assign count = data_o + 4'd1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= count;
  end
endmodule
