// SPDX-License-Identifier: Apache-2.0
// settled_choice: the warp whose state is settled in the next cycle. It is that of a resolution that is taken in; if
// none is, the lowest-numbered one that waits is served.
//
// Contract
//   Latency  next_valid_o, next_warp_o and waiter_o are combinational. Of a resolution or a service acts_o or serves_o,
//            warp_o and settled_o say so in the next cycle.
//   Order    A resolution goes before a service. It does not act if its warp is killed as it is taken in; and a warp
//            that is killed or settled in this cycle does not wait.
//   Reset    asynchronous, active low; nobody is settled.
//   Idle     settled_o is 0 and warp_o keeps its value while nobody is settled; waiter_o is 0 while nobody waits.
//   Not here who waits for what, and what settling does: convergence_barriers, min_pc_table.
module settled_choice #(
  parameter  int NumWarps = 24,  // warps of the partition
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from dispatcher
  input  logic                kill_valid_i,
  input  logic [WarpW-1:0]    kill_warp_i,
  // from execute
  input  logic                resolve_valid_i,
  input  logic [WarpW-1:0]    resolve_warp_i,
  // from the stack
  input  logic [NumWarps-1:0] waits_i,        // warps with threads that have no path
  // to the stack, of the next cycle
  output logic                next_valid_o,
  output logic [WarpW-1:0]    next_warp_o,
  output logic [NumWarps-1:0] waiter_o,       // one-hot: who is served if no resolution is taken in
  // to the stack, of this cycle
  output logic                acts_o,         // a resolution acts
  output logic                serves_o,       // a warp is served
  output logic [WarpW-1:0]    warp_o,
  output logic [NumWarps-1:0] settled_o       // the same warp, one-hot
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();

  logic [NumWarps-1:0] killed, wants;
  logic [WarpW-1:0]    waiter_warp;
  logic                unused_depth;

  assign killed = kill_valid_i ? NumWarps'(1) << kill_warp_i : '0;
  assign wants  = waits_i & ~settled_o & ~killed;
  pop_choice #(
    .NumWarps (NumWarps),
    .DepthW   (1)
  ) u_choice (
    .wants_i  (wants),
    .depth_i  (waits_i),
    .chosen_o (waiter_o),
    .warp_o   (waiter_warp),
    .depth_o  (unused_depth)
  );

  assign next_valid_o = resolve_valid_i || (wants != '0);
  assign next_warp_o  = resolve_valid_i ? resolve_warp_i : waiter_warp;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      acts_o   <= 1'b0;
      serves_o <= 1'b0;
      warp_o   <= '0;
    end else begin
      acts_o   <= resolve_valid_i && !(kill_valid_i && (kill_warp_i == resolve_warp_i));
      serves_o <= (wants != '0) && !resolve_valid_i;
      if (next_valid_o) warp_o <= next_warp_o;
    end
  end
  assign settled_o = (acts_o || serves_o) ? NumWarps'(1) << warp_o : '0;
endmodule
