// SPDX-License-Identifier: Apache-2.0
// predication: masks threads off that took a short forward branch, until their path comes to the target.
//
// Contract
//   Latency  a start or take sampled at edge t shows after edge t. off_mask_o is combinational from take_i, which is
//            known late: an AND and an OR of registers.
//   Order    a start and a take of one warp may meet: the take is of the sibling then and changes nothing. A kill of
//            the warp wins over both.
//   Reset    asynchronous, active low; no warp is active. The masks have no reset: a start writes one before it counts.
//   Idle     off_mask_o is 0 without a take of a path that is in its region.
//   Assumes  (asserted) at most one path issues; a start names a path, has 1 to 8 instructions and a thread to mask
//            off, no region of its warp is active, and the path does not issue in the same cycle.
//   Not here which branches may do it, and what else waits while a warp is active: the front end and whoever resolves.
module predication #(
  parameter  int NumWarps = 24,  // warps of the partition
  parameter  int NumSlots = 1,  // paths of a warp; 1: slot inputs are ignored
  parameter  int Lanes    = 32,  // threads of a warp
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW    = heddle_pkg::idx_width(NumSlots),
  localparam int NumPaths = NumWarps * NumSlots,   // path of slot s of warp w: s*NumWarps + w
  localparam int SkipW    = heddle_pkg::SkipW
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // resolution of a branch
  input  logic                      start_valid_i,
  input  logic [WarpW-1:0]          start_warp_i,
  input  logic [SlotW-1:0]          start_slot_i,
  input  logic [Lanes-1:0]          start_mask_i,
  input  logic [SkipW-1:0]          start_count_i,
  // issue
  input  logic [NumPaths-1:0]       take_i,
  // from dispatcher
  input  logic                      kill_valid_i,
  input  logic [WarpW-1:0]          kill_warp_i,
  // to issue
  output logic [Lanes-1:0]          off_mask_o,
  // state
  output logic [NumWarps-1:0]       active_o,
  output logic [NumWarps*SlotW-1:0] slot_o,
  output logic [NumWarps*SkipW-1:0] count_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (NumSlots < 1) NumSlots_must_be_at_least_1 limit ();
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();

  localparam int MaxSkip = heddle_pkg::MaxSkip;

  logic [SkipW-1:0]          count_q [0:NumWarps-1];   // instructions of the region that are still to issue
  logic [SlotW-1:0]          slot_q  [0:NumWarps-1];   // and the path that issues them
  logic [NumWarps*Lanes-1:0] off_q;                    // who does not take part

  logic [NumWarps-1:0]       starts;   // the warp that starts, one-hot
  logic [NumWarps-1:0]       counts;   // the warp of which an instruction of its region issues

  assign starts = start_valid_i ? NumWarps'(1) << start_warp_i : '0;

  generate
    if (NumSlots == 1) begin : gen_one_slot
      logic unused_slots;
      assign unused_slots = ^start_slot_i;
      for (genvar w = 0; w < NumWarps; w++) begin : gen_no_slot
        assign slot_q[w] = '0;
      end
    end else begin : gen_slots
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          for (int w = 0; w < NumWarps; w++) slot_q[w] <= '0;
        end else begin
          for (int w = 0; w < NumWarps; w++) if (starts[w]) slot_q[w] <= start_slot_i;
        end
      end
    end

    for (genvar w = 0; w < NumWarps; w++) begin : gen_state
      logic [NumSlots-1:0] regions, takes;   // the path in this slot is in the region; it issues
      for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
        assign regions[s] = active_o[w] && (slot_q[w] == SlotW'(s));
        assign takes[s]   = take_i[s*NumWarps+w];
      end
      assign counts[w]                 = (regions & takes) != '0;
      assign active_o[w]               = count_q[w] != '0;
      assign slot_o[w*SlotW +: SlotW]  = slot_q[w];
      assign count_o[w*SkipW +: SkipW] = count_q[w];
    end
  endgenerate

  always_comb begin
    off_mask_o = '0;
    for (int w = 0; w < NumWarps; w++) if (counts[w]) off_mask_o = off_mask_o | off_q[w*Lanes +: Lanes];
  end

  always_ff @(posedge clk_i) begin
    for (int w = 0; w < NumWarps; w++) if (starts[w]) off_q[w*Lanes +: Lanes] <= start_mask_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int w = 0; w < NumWarps; w++) count_q[w] <= '0;
    end else begin
      for (int w = 0; w < NumWarps; w++) if (counts[w]) count_q[w] <= count_q[w] - SkipW'(1);
      for (int w = 0; w < NumWarps; w++) if (starts[w]) count_q[w] <= start_count_i;
      if (kill_valid_i)  count_q[kill_warp_i] <= '0;
    end
  end

`ifndef SYNTHESIS
  localparam int PathW = heddle_pkg::idx_width(NumPaths);
  logic [PathW-1:0] start_path;
  assign start_path = PathW'(start_warp_i) + ((NumSlots > 1) ? PathW'(start_slot_i) * PathW'(NumWarps) : '0);

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!(start_valid_i && (32'(start_warp_i) >= NumWarps)));   // start_warp_i names no warp
      // start_slot_i names no slot
      assert (!(start_valid_i && (NumSlots > 1) && (32'(start_slot_i) >= NumSlots)));
      // A region of no instruction or too many.
      assert (!(start_valid_i && ((start_count_i == '0) || (start_count_i > SkipW'(MaxSkip)))));
      // A region in which everybody takes part.
      assert (!(start_valid_i && (start_mask_i == '0)));
      // A second region of a warp.
      assert (!(start_valid_i && active_o[start_warp_i]));
      assert ((take_i & (take_i - NumPaths'(1))) == '0);              // several paths issue
      assert (!(start_valid_i && take_i[start_path]));                // a path issues while its branch is resolved
    end
  end
`endif
endmodule
