// SPDX-License-Identifier: Apache-2.0
// assertion: states a concurrent property.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
// finds: concurrent assertion
module assertion (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= data_i;
  end
  assert property (@(posedge clk_i) data_i != 4'd9 |-> rst_ni);
endmodule
