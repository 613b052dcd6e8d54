// SPDX-License-Identifier: Apache-2.0
// Properties of thread_swizzle (scripts/prove). Two arbitrary threads are asked for.
//
//! run Lanes=6 Threads=20 Swizzle=1
//! run Lanes=5 Threads=15 Swizzle=0
//! run Lanes=5 Threads=30 Swizzle=2
//! assume threads_exist: The two threads exist.
//!
//! property lane_exists: A home lane is a lane.
//!   mutant swizzle_swaps_the_highest_bit
//! property lanes_differ: Two threads of one warp have different home lanes.
//!   mutant swizzle_pairs_share_a_lane
//! property thread_is_recovered: Warp and home lane tell the thread: the inverse exists.
//!   mutant swizzle_swaps_by_the_thread
module thread_swizzle_props #(
  parameter  int Lanes   = 6,
  parameter  int Threads = 20,
  parameter  int Swizzle = 1,
  localparam int TidW    = heddle_pkg::idx_width(Threads),
  localparam int LaneW   = heddle_pkg::idx_width(Lanes)
) (
  input logic            clk_i,
  input logic [TidW-1:0] tid_i,
  input logic [TidW-1:0] other_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [LaneW-1:0] lane, other_lane;
  thread_swizzle #(.Lanes(Lanes), .Threads(Threads), .Swizzle(Swizzle)) dut (.tid_i(tid_i), .lane_o(lane));
  thread_swizzle #(.Lanes(Lanes), .Threads(Threads), .Swizzle(Swizzle)) other (.tid_i(other_i), .lane_o(other_lane));

  // The way back: which place of the warp has this home lane?
  localparam int SumW = TidW + 1;
  wire [SumW-1:0] warp       = SumW'(tid_i) / SumW'(Lanes);
  wire [SumW-1:0] other_warp = SumW'(other_i) / SumW'(Lanes);
  wire [SumW-1:0] at         = SumW'(lane);
  wire [SumW-1:0] place      = ((Swizzle == 0) || ((Swizzle == 1) && !warp[0])) ? at :
                               (Swizzle == 1) ? (lane[0] ? at - SumW'(1) : at + SumW'(1)) :
                                                (at + SumW'(Lanes) - warp % SumW'(Lanes)) % SumW'(Lanes);

  always_comb begin
    if (rst_n) begin
      threads_exist: assume ((32'(tid_i) < Threads) && (32'(other_i) < Threads));

      lane_exists:              assert (32'(lane) < Lanes);
      lane_exists_seen:         cover ((32'(lane) == Lanes - 1) && (warp == 1));
      lanes_differ:             assert ((tid_i == other_i) || (warp != other_warp) || (lane != other_lane));
      lanes_differ_seen:        cover ((tid_i != other_i) && (warp == 1) && (other_warp == 1));
      thread_is_recovered:      assert (32'(warp) * Lanes + 32'(place) == 32'(tid_i));
      thread_is_recovered_seen: cover ((warp == 1) && (lane == '0));
    end
  end
endmodule
