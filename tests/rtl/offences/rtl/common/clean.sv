// SPDX-License-Identifier: Apache-2.0
// clean: a register without a fault.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
module clean (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= data_i;
  end
endmodule
