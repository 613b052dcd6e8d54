// SPDX-License-Identifier: Apache-2.0
// path_state: what keeps a path of a warp from issuing although it has an instruction: a control instruction without
// its resolution, a barrier, an overflow of the stack; and which path of a warp is inside a predicated region.
//
// Contract
//   Latency  an input sampled at edge t shows in the outputs after edge t. settled_o follows killed_i, and in_region_o
//            follows region_i and region_slot_i, in the same cycle.
//   Order    A grant of a barrier instruction with a release of its warp sets. With PathBarriers a path that is not
//            there any more leaves its barrier: it has joined one that waits there, too. A kill wins over everything
//            else of its warp, but for acting_o, which tells one cycle of a resolution that was taken with the kill.
//   Reset    asynchronous, active low; nothing is pending, at a barrier or halted. The slot of what is pending has
//            none: it is written before it counts.
//   Idle     With one slot grant_slot_i and region_slot_i are ignored, and acting_o is 0.
//   Assumes  (not asserted) a grant of one path at most; no control instruction of a warp that has one pending.
//   Not here the regions: predication. The resolutions: the stack.
module path_state #(
  parameter  int NumWarps     = 24,  // warps of the partition
  parameter  int NumSlots     = 2,  // paths of a warp that may issue
  parameter  int PathBarriers = 0,  // 1: paths come to a barrier one by one, 0: the whole warp does
  localparam int WarpW        = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW        = heddle_pkg::idx_width(NumSlots),
  localparam int NumPaths     = NumSlots * NumWarps   // path of slot s of warp w: s*NumWarps + w
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // from issue
  input  logic [NumPaths-1:0]       grant_i,
  input  logic [SlotW-1:0]          grant_slot_i,
  input  logic [NumPaths-1:0]       control_i,       // the head of the path is a control instruction
  input  logic [NumPaths-1:0]       barrier_i,       // ... a barrier instruction
  // from execute: a resolution is taken
  input  logic                      take_valid_i,
  input  logic [WarpW-1:0]          take_warp_i,
  // from dispatcher
  input  logic [NumWarps-1:0]       killed_i,
  // from barrier unit
  input  logic [NumWarps-1:0]       release_i,
  // from stack
  input  logic [NumPaths-1:0]       valid_i,
  input  logic                      resolved_valid_i,
  input  logic [WarpW-1:0]          resolved_warp_i,
  input  logic                      overflow_valid_i,
  input  logic [WarpW-1:0]          overflow_warp_i,
  // from predication
  input  logic [NumWarps-1:0]       region_i,        // a path of the warp is inside a region
  input  logic [NumWarps*SlotW-1:0] region_slot_i,   // that of this slot
  // by warp
  output logic [NumWarps-1:0]       pending_o,       // a control instruction is unresolved
  output logic [NumWarps-1:0]       acting_o,        // a resolution acts: the other paths wait
  output logic [NumWarps-1:0]       halted_o,        // the stack overflowed
  output logic [NumWarps-1:0]       settled_o,       // none of all that, nobody at a barrier, in a region or killed
  // by path
  output logic [NumPaths-1:0]       waits_o,         // its control instruction is unresolved
  output logic [NumPaths-1:0]       at_barrier_o,
  output logic [NumPaths-1:0]       in_region_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (NumSlots < 1) NumSlots_must_be_at_least_1 limit ();
  if (PathBarriers < 0 || PathBarriers > 1) PathBarriers_must_be_0_or_1 limit ();

  logic [NumWarps-1:0] pending_q, halted_q;
  logic [NumWarps-1:0] controls, comes, stopped;   // issues a control, a barrier instruction; is at a barrier
  logic [NumWarps-1:0] resolves, overflows;

  assign resolves  = resolved_valid_i ? NumWarps'(1) << resolved_warp_i : '0;
  assign overflows = overflow_valid_i ? NumWarps'(1) << overflow_warp_i : '0;

  always_comb begin
    controls = '0;
    comes    = '0;
    stopped  = '0;
    for (int s = 0; s < NumSlots; s++) begin
      controls = controls | (grant_i[s*NumWarps +: NumWarps] & control_i[s*NumWarps +: NumWarps]);
      comes    = comes | (grant_i[s*NumWarps +: NumWarps] & barrier_i[s*NumWarps +: NumWarps]);
      stopped  = stopped | at_barrier_o[s*NumWarps +: NumWarps];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= '0;
      halted_q  <= '0;
    end else begin
      pending_q <= ~killed_i & (controls | (pending_q & ~resolves));
      halted_q  <= ~killed_i & (overflows | halted_q);
    end
  end

  generate
    if (PathBarriers != 0) begin : gen_path_barriers
      logic [NumPaths-1:0] at_barrier_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) at_barrier_q <= '0;
        else         at_barrier_q <= ~{NumSlots{killed_i}} &
                                     ((grant_i & barrier_i) |
                                      (at_barrier_q & valid_i & {NumSlots{comes | ~release_i}}));
      end
      assign at_barrier_o = at_barrier_q;
    end else begin : gen_warp_barriers
      logic [NumWarps-1:0] at_barrier_q;
      logic                unused_valid;
      assign unused_valid = ^valid_i;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) at_barrier_q <= '0;
        else         at_barrier_q <= ~killed_i & (comes | (at_barrier_q & ~release_i));
      end
      assign at_barrier_o = {NumSlots{at_barrier_q}};
    end

    if (NumSlots > 1) begin : gen_slots
      logic [NumWarps-1:0]       acting_q;
      logic [NumWarps*SlotW-1:0] pending_slot_q;   // the slot of the control instruction
      always_ff @(posedge clk_i) begin
        for (int w = 0; w < NumWarps; w++) if (controls[w]) pending_slot_q[w*SlotW +: SlotW] <= grant_slot_i;
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) acting_q <= '0;
        else         acting_q <= take_valid_i ? NumWarps'(1) << take_warp_i : '0;
      end
      assign acting_o = acting_q;
      for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
        logic [NumWarps-1:0] pending_here, region_here;   // the slot is this one
        for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
          assign pending_here[w] = pending_slot_q[w*SlotW +: SlotW] == SlotW'(s);
          assign region_here[w]  = region_slot_i[w*SlotW +: SlotW] == SlotW'(s);
        end
        assign waits_o[s*NumWarps +: NumWarps]     = pending_q & pending_here;
        assign in_region_o[s*NumWarps +: NumWarps] = region_i & region_here;
      end
    end else begin : gen_one_slot
      logic unused_slots;
      assign unused_slots = ^{grant_slot_i, region_slot_i, take_valid_i, take_warp_i};
      assign acting_o     = '0;
      assign waits_o      = pending_q;
      assign in_region_o  = region_i;
    end
  endgenerate

  assign pending_o = pending_q;
  assign halted_o  = halted_q;
  assign settled_o = ~(pending_q | acting_o | region_i | stopped | halted_q | killed_i);
endmodule
