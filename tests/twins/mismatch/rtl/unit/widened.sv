// SPDX-License-Identifier: Apache-2.0
// Interface only, for the test of scripts/hardware/check_ports.
module widened #(
  parameter  int unsigned Width = 4,
  localparam int unsigned Half  = Width / 2
) (
  input  logic               clk_i,
  // data
  input  logic [Width-1:0]   d_i,
  output logic    q_o
);
endmodule
