// SPDX-License-Identifier: Apache-2.0
// undriven: reads a wire that nobody drives.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
// finds: verilator .*UNDRIVEN|yosys .*no driver
module undriven (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  logic [3:0] nobody;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= nobody ^ data_i;
  end
endmodule
