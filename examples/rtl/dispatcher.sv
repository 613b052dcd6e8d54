// SPDX-License-Identifier: Apache-2.0
// dispatcher: runs the blocks of a grid one after the other, and is the barrier of the block that runs.
//
// A block begins when every warp is idle: its arguments and return address are written to the registers of all warps,
// a register a cycle, and then its warps are launched, one a cycle. (One block at a time is the simplest rule. A warp
// that is idle may be given to another block at once.)
//
// Contract
//   Latency  a release follows the last arrival by one cycle at least.
//   Order    a warp that ends no longer counts for the barrier: release and end may meet.
//   Assumes  1 <= threads_i <= NumWarps*Lanes; grid_i >= 1; start_i only while busy_o is 0; the other inputs of the
//            grid keep their values while it is 1.
module dispatcher #(
  parameter  int NumWarps = 4,
  parameter  int Lanes    = 8,
  parameter  int NumArgs  = 4,   // 1 to 8
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // the grid
  input  logic                  start_i,
  input  logic [31:0]           grid_i,      // blocks
  input  logic [31:0]           threads_i,   // of a block
  input  logic [31:0]           return_i,    // where a thread of the kernel returns to
  input  logic [NumArgs*32-1:0] args_i,
  output logic                  busy_o,
  // the block that runs
  output logic [31:0]           block_o,     // its number
  output logic [31:0]           first_o,     // number of its first thread in the grid
  // to the registers of all threads of a warp
  output logic                  write_valid_o,
  output logic [WarpW-1:0]      write_warp_o,
  output logic [4:0]            write_reg_o,
  output logic [31:0]           write_data_o,
  // to and from the front end
  output logic                  launch_valid_o,
  output logic [WarpW-1:0]      launch_warp_o,
  output logic [Lanes-1:0]      launch_mask_o,
  input  logic                  done_valid_i,
  input  logic [WarpW-1:0]      done_warp_i,
  input  logic [NumWarps-1:0]   idle_i,
  input  logic                  arrive_valid_i,   // a barrier instruction of the warp has issued
  input  logic [WarpW-1:0]      arrive_warp_i,
  output logic [NumWarps-1:0]   release_o
);
  localparam logic [1:0] Rest = 0, Write = 1, Launch = 2, Run = 3;
  localparam int         ArgW = heddle_pkg::idx_width(NumArgs + 1);

  logic [1:0]          state_q;
  logic [31:0]         block_q, first_q;
  logic [WarpW-1:0]    warp_q;
  logic [ArgW-1:0]     arg_q;                 // 0: the return address, n: argument n - 1
  logic [NumWarps-1:0] running_q, arrived_q;
  logic                last_warp, last_block, ended;

  // A thread takes part if its number is one of the block's.
  generate
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      assign launch_mask_o[l] = 32'(warp_q) * Lanes + l < threads_i;
    end
  endgenerate

  assign last_warp  = 32'(warp_q) == NumWarps - 1;
  assign last_block = block_q + 32'd1 == grid_i;
  // done_* says only that the last thread has ended; idle_o that nothing of the warp is under way any more.
  assign ended      = (state_q == Run) && (running_q == '0) && (idle_i == '1);

  assign busy_o         = state_q != Rest;
  assign block_o        = block_q;
  assign first_o        = first_q;
  assign write_valid_o  = state_q == Write;
  assign write_warp_o   = warp_q;
  assign write_reg_o    = (arg_q == '0) ? 5'd1 : 5'(arg_q) + 5'd9;   // ra, a0, a1, ...
  assign write_data_o   = (arg_q == '0) ? return_i : args_i[(32'(arg_q) - 1)*32 +: 32];
  assign launch_valid_o = (state_q == Launch) && launch_mask_o[0];
  assign launch_warp_o  = warp_q;
  // Whoever still runs has arrived. Before all warps are launched this says nothing.
  assign release_o      = ((state_q == Run) && ((running_q & ~arrived_q) == '0)) ? arrived_q : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= Rest;
      block_q   <= '0;
      first_q   <= '0;
      warp_q    <= '0;
      arg_q     <= '0;
      running_q <= '0;
      arrived_q <= '0;
    end else begin
      case (state_q)
        Rest: begin
          block_q <= '0;
          first_q <= '0;
          if (start_i) state_q <= Write;
        end
        Write: begin
          warp_q <= last_warp ? '0 : warp_q + 1'b1;
          if (last_warp) arg_q <= (32'(arg_q) == NumArgs) ? '0 : arg_q + 1'b1;
          if (last_warp && (32'(arg_q) == NumArgs)) state_q <= Launch;
        end
        Launch: begin
          warp_q <= last_warp ? '0 : warp_q + 1'b1;
          if (last_warp) state_q <= Run;
        end
        default: begin
          if (ended) begin
            block_q <= block_q + 32'd1;
            first_q <= first_q + threads_i;
            state_q <= last_block ? Rest : Write;
          end
        end
      endcase
      if (launch_valid_o) running_q[warp_q] <= 1'b1;
      if (done_valid_i) running_q[done_warp_i] <= 1'b0;
      if (release_o != '0) arrived_q <= '0;
      if (arrive_valid_i) arrived_q[arrive_warp_i] <= 1'b1;
    end
  end
endmodule
