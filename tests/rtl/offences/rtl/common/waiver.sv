// SPDX-License-Identifier: Apache-2.0
// waiver: waives a warning.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
// finds: waiver of WIDTH
module waiver (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  /* verilator lint_off WIDTH */
  logic [2:0] narrow;
  assign narrow = data_i;
  /* verilator lint_on WIDTH */
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= {1'b0, narrow};
  end
endmodule
