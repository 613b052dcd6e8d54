// SPDX-License-Identifier: Apache-2.0
// early_return: leaves a function early.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
// finds: no return
module early_return (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  function automatic logic [3:0] twist(input [3:0] x);
    return {x[0], x[3:1]};
  endfunction
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= twist(data_i);
  end
endmodule
