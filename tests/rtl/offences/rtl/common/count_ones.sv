// SPDX-License-Identifier: Apache-2.0
// count_ones: counts ones with a function that is miscompiled.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
// finds: \$countones
module count_ones (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= {1'b0, 3'($countones(data_i))};
  end
endmodule
