// SPDX-License-Identifier: Apache-2.0
// two_drivers: drives a wire twice.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
// finds: yosys .*multiple conflicting drivers
module two_drivers (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  logic [3:0] sum;
  assign sum = data_i;
  assign sum = ~data_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= sum;
  end
endmodule
