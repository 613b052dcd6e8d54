// SPDX-License-Identifier: Apache-2.0
// latch: keeps a value in combinational logic.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
// finds: verilator .*LATCH
module latch (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  logic [3:0] kept;
  always_comb begin
    if (data_i[0]) kept = data_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= kept;
  end
endmodule
