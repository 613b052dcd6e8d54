// SPDX-License-Identifier: Apache-2.0
// pop_choice: of the warps that want one, the lowest-numbered gets the pop; and how deep its stack is.
//
// Contract
//   Latency  combinational.
//   Order    one choice at a time; nothing meets.
//   Reset    no state.
//   Idle     chosen_o, warp_o and depth_o are 0 while nobody wants.
//   Not here who wants, and the register in which a choice waits for its cycle: the stacks.
module pop_choice #(
  parameter  int NumWarps = 24,  // warps of the partition
  parameter  int DepthW   = 5,   // bits of a depth
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps)
) (
  // from the stack
  input  logic [NumWarps-1:0]        wants_i,
  input  logic [NumWarps*DepthW-1:0] depth_i,
  // to the stack
  output logic [NumWarps-1:0]        chosen_o,   // one-hot
  output logic [WarpW-1:0]           warp_o,
  output logic [DepthW-1:0]          depth_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (DepthW < 1) DepthW_must_be_at_least_1 limit ();

  // Warps whose index has bit b set.
  function automatic logic [NumWarps-1:0] with_bit(input int b);
    with_bit = '0;
    for (int i = 0; i < NumWarps; i++) with_bit[i] = ((i >> b) % 2) == 1;
  endfunction

  assign chosen_o = wants_i & (~wants_i + NumWarps'(1));
  generate
    for (genvar b = 0; b < WarpW; b++) begin : gen_warp
      localparam logic [NumWarps-1:0] WithBit = with_bit(b);
      assign warp_o[b] = (chosen_o & WithBit) != '0;
    end
  endgenerate
  always_comb begin
    depth_o = '0;
    for (int w = 0; w < NumWarps; w++) depth_o = depth_o | (depth_i[w*DepthW +: DepthW] & {DepthW{chosen_o[w]}});
  end
endmodule
