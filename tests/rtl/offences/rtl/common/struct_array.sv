// SPDX-License-Identifier: Apache-2.0
// struct_array: has an array of structs.
//
// Contract
//   Latency  see body.
//   Order    one input.
//   Reset    asynchronous, active low.
// finds: array of a user-defined type
module struct_array (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [3:0] data_i,
  output logic [3:0] data_o
);
  typedef struct packed { logic [1:0] a; logic [1:0] b; } pair_t;
  pair_t [1:0] pairs;
  assign pairs = {data_i, data_i};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_o <= '0;
    else         data_o <= pairs[1] ^ pairs[0] ^ data_i;
  end
endmodule
