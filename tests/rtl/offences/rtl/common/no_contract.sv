// SPDX-License-Identifier: Apache-2.0
// no_contract: a register that promises nothing.
// finds: no 'Order' in the header
module no_contract (
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
