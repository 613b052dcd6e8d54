// SPDX-License-Identifier: Apache-2.0
// constrained_selector: a warp_selector in which only the current slot of each warp competes; a warp changes to its
// other path when the current one is empty or waits for something long.
//
// Contract
//   Latency  the grant is combinational; a change of the current slot takes effect in the next cycle.
//   Order    At an edge a warp changes to its other slot if that is not empty and the current one (as registered) is
//            empty, or is granted in this cycle with its long bit set, or is reported to have missed. Several reasons
//            in one cycle are one change. A launch of the warp wins: left is current. Among warps as warp_selector.
//   Reset    asynchronous, active low; left slots are current.
//   Idle     grant_warp_o, grant_slot_o and grant_o are 0 while grant_valid_o is 0.
//   Assumes  (asserted) launch_warp_i and miss_warp_i < NumWarps.
//   Not here what makes a path ready, and which loads miss: frontend and the memory system.
// Source: DPE paper, section 3.3 (one schedulable entry a warp).
module constrained_selector #(
  parameter  int NumWarps = 24,  // warps of the partition
  parameter  int Policy   = 0,  // 0 loose round robin, 1 greedy then oldest
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from dispatcher
  input  logic                launch_valid_i,
  input  logic [WarpW-1:0]    launch_warp_i,
  // from front end
  input  logic [NumWarps-1:0] ready_l_i,
  input  logic [NumWarps-1:0] ready_r_i,
  input  logic [NumWarps-1:0] valid_l_i,
  input  logic [NumWarps-1:0] valid_r_i,
  input  logic [NumWarps-1:0] long_l_i,     // the next instruction of the left path is a special function
  input  logic [NumWarps-1:0] long_r_i,
  // from L1
  input  logic                miss_valid_i,
  input  logic [WarpW-1:0]    miss_warp_i,
  input  logic                miss_slot_i,
  // to front end
  output logic                grant_valid_o,
  output logic [WarpW-1:0]    grant_warp_o,
  output logic                grant_slot_o,
  output logic [2*NumWarps-1:0] grant_o   // the same by path, one-hot
);
  logic [NumWarps-1:0] current_q;   // 1: the right slot is current
  logic [NumWarps-1:0] ready, current_valid, current_long, other_valid;
  logic [NumWarps-1:0] granted, missed, change;
  logic                unused_slot;

  assign ready         = (current_q & ready_r_i) | (~current_q & ready_l_i);
  assign current_valid = (current_q & valid_r_i) | (~current_q & valid_l_i);
  assign other_valid   = (current_q & valid_l_i) | (~current_q & valid_r_i);
  assign current_long  = (current_q & long_r_i) | (~current_q & long_l_i);

  warp_selector #(
    .NumWarps (NumWarps),
    .NumSlots (1),
    .Policy   (Policy)
  ) u_warp (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .launch_valid_i (launch_valid_i),
    .launch_warp_i  (launch_warp_i),
    .ready_i        (ready),
    .grant_valid_o  (grant_valid_o),
    .grant_warp_o   (grant_warp_o),
    .grant_slot_o   (unused_slot),
    .grant_o        (granted)
  );
  assign grant_slot_o = (granted & current_q) != '0;
  assign grant_o      = {granted & current_q, granted & ~current_q};

  always_comb begin
    missed = '0;
    if (miss_valid_i && (miss_slot_i == current_q[miss_warp_i])) missed[miss_warp_i] = 1'b1;
  end
  assign change = (~current_valid | (granted & current_long) | missed) & other_valid;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      current_q <= '0;
    end else begin
      current_q <= current_q ^ change;
      if (launch_valid_i) current_q[launch_warp_i] <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!(launch_valid_i && (32'(launch_warp_i) >= NumWarps)));   // launch_warp_i names no warp
      assert (!(miss_valid_i && (32'(miss_warp_i) >= NumWarps)));       // miss_warp_i names no warp
    end
  end
`endif
endmodule
