// SPDX-License-Identifier: Apache-2.0
// thread_swizzle: home lane of a thread.
//
// Contract
//   Latency  combinational.
//   Order    one question at a time; nothing meets.
//   Reset    no state.
//   Not here that a thread stays in its home lane: dwf_scheduler with LaneAware, and who asks at launch.
// Source: DWF paper, section 4.1 (Swizzle 1); rotation (Swizzle 2) as in the authors' later model.
module thread_swizzle #(
  parameter  int Lanes   = 16,   // threads of a warp
  parameter  int Threads = 256,  // threads of the core, entries of the pool
  parameter  int Swizzle = 1,    // 0 none, 1 neighbours swapped in every other warp, 2 rotation by the warp number
  localparam int TidW    = heddle_pkg::idx_width(Threads),
  localparam int LaneW   = heddle_pkg::idx_width(Lanes)
) (
  input  logic [TidW-1:0]  tid_i,
  output logic [LaneW-1:0] lane_o
);
  initial if (Lanes < 2 || Lanes > 64) $fatal(1, "thread_swizzle: Lanes must be 2 to 64");
  initial if (Threads < Lanes) $fatal(1, "thread_swizzle: Threads must be at least Lanes (one warp)");
  initial if (Swizzle < 0 || Swizzle > 2) $fatal(1, "thread_swizzle: Swizzle must be 0, 1 or 2");
  initial if (Swizzle == 1 && Lanes % 2 != 0) $fatal(1, "thread_swizzle: Swizzle 1 needs an even number of Lanes");

  localparam int SumW = TidW + 1;   // Lanes may be Threads, and rotation adds

  // warp = tid / Lanes, place in it = tid mod Lanes
  generate
    if (Swizzle == 0) begin : gen_none
      assign lane_o = LaneW'(SumW'(tid_i) % SumW'(Lanes));
    end else if (Swizzle == 1) begin : gen_swap
      assign lane_o = LaneW'((SumW'(tid_i) % SumW'(Lanes)) ^ ((SumW'(tid_i) / SumW'(Lanes)) % SumW'(2)));
    end else begin : gen_rotate
      assign lane_o = LaneW'((SumW'(tid_i) % SumW'(Lanes) + SumW'(tid_i) / SumW'(Lanes)) % SumW'(Lanes));
    end
  endgenerate
endmodule
