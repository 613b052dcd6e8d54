// SPDX-License-Identifier: Apache-2.0
// Constants only, for the test of scripts/hardware/check_ports.
package heddle_pkg;
  localparam Agrees  = 1;
  localparam Differs = 2;
  localparam LostW   = 4;
endpackage
