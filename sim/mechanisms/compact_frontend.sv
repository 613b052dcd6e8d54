// SPDX-License-Identifier: Apache-2.0
// Places and live threads of compact_stack for the simulator, in a Verilated model alone: the stack keeps them in memories whose words change at
// other edges than what it shows.
module compact_places #(
  parameter int NumWarps = 1,
  parameter int Lanes    = 1,
  parameter int LevelW   = 1
) (
  input logic                clk_i,
  input logic [NumWarps-1:0] launched,
  input logic [Lanes-1:0]    launch_mask,
  input logic [Lanes-1:0]    resolve_live,
  input logic [NumWarps-1:0] acting,
  input logic [31:0]         act_rpc,
  input logic [LevelW-1:0]   act_rpc_level,
  input logic [NumWarps-1:0] popped,
  input logic                pop_moves,
  input logic [31:0]         saved_rpc,
  input logic [LevelW-1:0]   saved_level
);
  logic [Lanes-1:0]           act_live_q;
  logic [NumWarps*32-1:0]     rpc_q /*verilator public_flat_rd*/;
  logic [NumWarps*LevelW-1:0] rpc_level_q /*verilator public_flat_rd*/;
  logic [NumWarps*Lanes-1:0]  live_q /*verilator public_flat_rd*/;

  always_ff @(posedge clk_i) begin
    act_live_q <= resolve_live;
    for (int w = 0; w < NumWarps; w++) begin
      if (launched[w]) begin
        rpc_q[w*32 +: 32]             <= '0;
        rpc_level_q[w*LevelW +: LevelW] <= '0;
        live_q[w*Lanes +: Lanes]      <= launch_mask;
      end else if (acting[w]) begin
        rpc_q[w*32 +: 32]             <= act_rpc;
        rpc_level_q[w*LevelW +: LevelW] <= act_rpc_level;
        live_q[w*Lanes +: Lanes]      <= act_live_q;
      end else if (popped[w] && pop_moves) begin
        rpc_q[w*32 +: 32]             <= saved_rpc;
        rpc_level_q[w*LevelW +: LevelW] <= saved_level;
      end
    end
  end
endmodule

bind compact_stack compact_places #(
  .NumWarps (NumWarps),
  .Lanes    (Lanes),
  .LevelW   (LevelW)
) u_places (
  .clk_i         (clk_i),
  .launched      (launched),
  .launch_mask   (launch_mask_i),
  .resolve_live  (resolve_live),
  .acting        (acting),
  .act_rpc       (act_rpc_q),
  .act_rpc_level (act_rpc_level_q),
  .popped        (popped),
  .pop_moves     (!pop_done && !pop_later),
  .saved_rpc     (saved_rpc),
  .saved_level   (saved_level)
);
