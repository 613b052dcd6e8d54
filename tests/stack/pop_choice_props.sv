// SPDX-License-Identifier: Apache-2.0
// Properties of pop_choice (scripts/prove), of any question: no state is before it. One arbitrary warp is looked at.
//
//! run NumWarps=3 DepthW=3
//! run NumWarps=24 DepthW=5
//! assume warp_exists: The warp looked at exists.
//!
//! property lowest_is_chosen: A warp is chosen if and only if it wants and no lower-numbered one does.
//!   mutant pop_choice_takes_another
//! property number_and_depth_are_its_own: The number and the depth are those of the warp that is chosen, 0 if none is.
//!   mutant pop_choice_depth_of_all
module pop_choice_props #(
  parameter  int NumWarps = 3,
  parameter  int DepthW   = 3,
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps)
) (
  input logic                       clk_i,
  input logic [NumWarps-1:0]        wants_i,
  input logic [NumWarps*DepthW-1:0] depth_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [NumWarps-1:0] chosen;
  logic [WarpW-1:0]    number;
  logic [DepthW-1:0]   depth;
  pop_choice #(.NumWarps(NumWarps), .DepthW(DepthW)) dut (
    .wants_i  (wants_i),
    .depth_i  (depth_i),
    .chosen_o (chosen),
    .warp_o   (number),
    .depth_o  (depth)
  );

  (* anyconst *) logic [WarpW-1:0] warp;
  logic lower_wants;
  always_comb begin
    lower_wants = 1'b0;
    for (int w = 0; w < NumWarps; w++) if ((w < 32'(warp)) && wants_i[w]) lower_wants = 1'b1;
  end

  always_comb begin
    if (rst_n) begin
      warp_exists: assume (32'(warp) < NumWarps);

      lowest_is_chosen:                   assert (chosen[warp] == (wants_i[warp] && !lower_wants));
      lowest_is_chosen_seen:              cover (wants_i[warp] && lower_wants);
      number_and_depth_are_its_own:       assert ((chosen[warp] ? (number == warp) && (depth == depth_i[32'(warp)*DepthW +: DepthW]) : 1'b1) &&
                                                  ((wants_i != '0) || ((number == '0) && (depth == '0))));
      number_and_depth_are_its_own_seen:  cover (chosen[warp] && (32'(warp) == NumWarps - 1) && (depth != '0));
    end
  end
endmodule
