// SPDX-License-Identifier: Apache-2.0
// stall_reason: why nothing issues in a cycle, as one code of heddle_pkg (Stall...).
//
// Contract
//   Latency  stall_o is a register: after edge t it says why nothing issued in the cycle before.
//   Order    Of several reasons that of the path which came closest to its issue: no warp, a selector that serves
//            another path, a unit, the scoreboard, a resolution, a barrier; none of these is an empty queue.
//   Reset    asynchronous, active low; StallNone.
//   Not here what a path waits for: frontend.
module stall_reason #(
  parameter  int NumWarps = 24,  // warps of the partition
  parameter  int NumSlots = 2,  // paths of a warp that may issue
  localparam int NumPaths = NumSlots * NumWarps   // path of slot s of warp w: s*NumWarps + w
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from issue
  input  logic                grant_valid_i,
  // by warp
  input  logic [NumWarps-1:0] in_use_i,
  input  logic [NumWarps-1:0] pending_i,      // a control instruction is unresolved
  input  logic [NumWarps-1:0] halted_i,
  // by path
  input  logic [NumPaths-1:0] eligible_i,
  input  logic [NumPaths-1:0] no_unit_i,      // would issue, had its unit been ready
  input  logic [NumPaths-1:0] load_store_i,   // and that is the load-store unit
  input  logic [NumPaths-1:0] may_issue_i,    // as far as the path's own state goes
  input  logic [NumPaths-1:0] blocked_i,      // the scoreboard: a register
  input  logic [NumPaths-1:0] full_i,         // ... no entry
  input  logic [NumPaths-1:0] wait_i,         // for another path
  input  logic [NumPaths-1:0] at_barrier_i,
  // status
  output logic [3:0]          stall_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (NumSlots < 1) NumSlots_must_be_at_least_1 limit ();

  logic [3:0] stall;
  always_comb begin
    stall = 4'(heddle_pkg::StallIbufferEmpty);
    if (grant_valid_i)                                         stall = 4'(heddle_pkg::StallNone);
    else if (in_use_i == '0)                                   stall = 4'(heddle_pkg::StallNoWarp);
    else if (eligible_i != '0)                                 stall = 4'(heddle_pkg::StallPathSwitch);
    else if ((no_unit_i & load_store_i) != '0)                 stall = 4'(heddle_pkg::StallMemory);
    else if (no_unit_i != '0)                                  stall = 4'(heddle_pkg::StallUnitBusy);
    else if ((may_issue_i & blocked_i) != '0)                  stall = 4'(heddle_pkg::StallScoreboard);
    else if ((may_issue_i & full_i) != '0)                     stall = 4'(heddle_pkg::StallScoreboardFull);
    else if (((pending_i | halted_i) != '0) || (wait_i != '0)) stall = 4'(heddle_pkg::StallBranchPending);
    else if (at_barrier_i != '0)                               stall = 4'(heddle_pkg::StallBarrier);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stall_o <= '0;
    else         stall_o <= stall;
  end
endmodule
