// SPDX-License-Identifier: Apache-2.0
// Interface only, for the test of scripts/hardware/check_ports.
module derived #(
  parameter  int unsigned Width = 4
) (
  input  logic               clk_i,
  // data
  input  logic [Width-1:0]   d_i,
  output logic [Width-1:0]   q_o,
  output logic               valid_o
);
endmodule
