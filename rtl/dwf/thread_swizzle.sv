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
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Threads < Lanes) Threads_must_be_at_least_Lanes limit ();   // one warp
  if (Swizzle < 0 || Swizzle > 2) Swizzle_must_be_0_1_or_2 limit ();
  if (Swizzle == 1 && Lanes % 2 != 0) Lanes_must_be_even_with_Swizzle_1 limit ();

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
