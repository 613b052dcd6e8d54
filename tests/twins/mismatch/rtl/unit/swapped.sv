// SPDX-License-Identifier: Apache-2.0
// Interface only, for the test of scripts/hardware/check_ports.
module swapped #(
  parameter  int unsigned Width = 4,
  localparam int unsigned Half  = Width / 2
) (
  input  logic               clk_i,
  // data
  input  logic [Width-1:0]   d_i,
  output logic [Width-1:0]   q_o
);
endmodule
