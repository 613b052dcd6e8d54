// SPDX-License-Identifier: Apache-2.0
// combinational_loop: feeds a wire from itself.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
// finds: verilator .*UNOPTFLAT|yosys .*loop
module combinational_loop (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  logic [3:0] a, b;
  assign a = b ^ data_i;
  assign b = a & data_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= b;
  end
endmodule
