// SPDX-License-Identifier: Apache-2.0
// packed_array: has a packed array of two dimensions.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
// finds: packed array of two dimensions
module packed_array (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  logic [1:0][1:0] halves;
  assign halves = data_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= {halves[0], halves[1]};
  end
endmodule
