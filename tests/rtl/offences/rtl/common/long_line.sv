// SPDX-License-Identifier: Apache-2.0
// long_line: a register with a long line.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
// finds: longer than 120 columns
module long_line (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= data_i ^ {1'b0, data_i[3:1]} ^ {2'b00, data_i[3:2]} ^ {3'b000, data_i[3]} ^ {data_i[0], 3'b000} ^ 4'd9;
  end
endmodule
