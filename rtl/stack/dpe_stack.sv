// SPDX-License-Identifier: Apache-2.0
// dpe_stack: dual-path reconvergence stacks of NumWarps warps; the top of stack (TOS) of each warp, with its two
// schedulable paths, in registers, the entries below it in storage.
//
// Contract
//   Latency  inputs sampled at edge t show in the state outputs after edge t; events are combinational, in the cycle
//            of their cause (push, overflow: the resolution; pop, done: the cycle after the TOS became empty or later).
//   Order    An advance of the other slot in the cycle of a divergence is applied first: what is saved below the new
//            entry, or looked at for the tail rule, is that slot after its advance. It is kept when the push overflows,
//            too; apart from it an overflow changes nothing, the live mask included.
//            Advance, resolution and pop of different warps are independent and happen together. One pop a cycle,
//            lowest warp first, decided on registered state.
//   Reset    asynchronous, active low; no warp has an entry, all registers 0. The storage has no reset: an entry is
//            written before it is read.
//   Idle     warp outputs of events are 0 while their valid is 0. An empty slot keeps its PC as last written.
//   Assumes  (asserted) launch of a warp with depth 0 and a mask that is not empty; advance and resolution of a slot
//            that is not empty; never both of one slot; no launch, advance or resolution of a warp that is popped.
//   Not here which path has an unresolved branch, and stopping a warp that overflowed: dpe_frontend.
// Source: DPE paper, section 3.1, Figures 4 and 6; tail rule and inheritance of RPC NONE: ours.
module dpe_stack #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int Depth     = 16,  // entries of a stack, top included
  parameter  int TakenLeft = 1,  // slot of the taken side: 1 left, 0 right
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW    = heddle_pkg::idx_width(Depth + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from dispatcher
  input  logic                       launch_valid_i,
  input  logic [WarpW-1:0]           launch_warp_i,
  input  logic [31:0]                launch_pc_i,
  input  logic [Lanes-1:0]           launch_mask_i,
  // from issue
  input  logic                       advance_valid_i,
  input  logic [WarpW-1:0]           advance_warp_i,
  input  logic                       advance_slot_i,
  // from execute
  input  logic                       resolve_valid_i,
  input  logic [WarpW-1:0]           resolve_warp_i,
  input  logic                       resolve_slot_i,
  input  logic [Lanes-1:0]           resolve_taken_i,
  input  logic [31:0]                resolve_target_i,
  input  logic [31:0]                resolve_next_i,
  input  logic [31:0]                resolve_rpc_i,
  input  logic [Lanes-1:0]           resolve_exit_i,
  // state
  output logic [NumWarps*32-1:0]     pc_l_o,
  output logic [NumWarps*Lanes-1:0]  mask_l_o,
  output logic [NumWarps*32-1:0]     pc_r_o,
  output logic [NumWarps*Lanes-1:0]  mask_r_o,
  output logic [NumWarps*32-1:0]     rpc_o,
  output logic [NumWarps-1:0]        valid_l_o,
  output logic [NumWarps-1:0]        valid_r_o,
  output logic [NumWarps*Lanes-1:0]  live_o,
  output logic [NumWarps*DepthW-1:0] depth_o,
  // events
  output logic                       push_valid_o,
  output logic [WarpW-1:0]           push_warp_o,
  output logic                       pop_valid_o,
  output logic [WarpW-1:0]           pop_warp_o,
  output logic                       done_valid_o,
  output logic [WarpW-1:0]           done_warp_o,
  output logic                       overflow_valid_o,
  output logic [WarpW-1:0]           overflow_warp_o,
  output logic [DepthW-1:0]          max_depth_o
);
  initial if (NumWarps < 1) $fatal(1, "dpe_stack: NumWarps must be at least 1");
  initial if (Lanes < 2 || Lanes > 64) $fatal(1, "dpe_stack: Lanes must be 2 to 64 (a mask is one 64-bit word)");
  initial if (Depth < 2) $fatal(1, "dpe_stack: Depth must be at least 2 (the top is not in storage)");
  initial if (TakenLeft < 0 || TakenLeft > 1) $fatal(1, "dpe_stack: TakenLeft must be 0 or 1");

  localparam int EntryW   = 2 * (32 + Lanes) + 32;       // {pc_l, mask_l, pc_r, mask_r, rpc}
  localparam int NumBelow = NumWarps * (Depth - 1);
  localparam int AddrW    = heddle_pkg::idx_width(NumBelow);

  // State: TOS, live mask and depth of every warp; storage for the entries below.
  logic [31:0]         pc_l_q  [0:NumWarps-1];
  logic [Lanes-1:0]    mask_l_q[0:NumWarps-1];
  logic [31:0]         pc_r_q  [0:NumWarps-1];
  logic [Lanes-1:0]    mask_r_q[0:NumWarps-1];
  logic [31:0]         rpc_q   [0:NumWarps-1];
  logic [Lanes-1:0]    live_q  [0:NumWarps-1];
  logic [DepthW-1:0]   depth_q [0:NumWarps-1];
  logic [NumWarps-1:0] valid_l_q, valid_r_q;
  logic [DepthW-1:0]   max_depth_q;
  logic [EntryW-1:0]   below   [0:NumBelow-1];

  // ---------------------------------------------------------------------------------------------------- advance
  logic [31:0] advance_pc, advance_rpc;
  logic        advance_ends;

  assign advance_pc   = (advance_slot_i ? pc_r_q[advance_warp_i] : pc_l_q[advance_warp_i]) + 32'd4;
  assign advance_rpc  = rpc_q[advance_warp_i];
  assign advance_ends = (advance_rpc != '0) && (advance_pc == advance_rpc);

  // ------------------------------------------------------------------------------------------------- resolution
  // "own" is the slot that resolves, "other" the other slot of the same entry, after an advance in this cycle.
  logic [31:0]       tos_pc_l, tos_pc_r, own_pc, other_pc, old_rpc;
  logic [Lanes-1:0]  tos_mask_l, tos_mask_r, own_mask, other_mask;
  logic              other_advances, other_empty;
  logic [31:0]       rpc;                          // where the sides meet
  logic [DepthW-1:0] old_depth, new_depth;
  logic [Lanes-1:0]  live, active, taken, not_taken;
  logic              divergent, tail, replace, overflow, push;
  logic [31:0]       uniform_pc;
  logic              uniform_ends;

  assign tos_pc_l   = pc_l_q[resolve_warp_i];
  assign tos_mask_l = mask_l_q[resolve_warp_i];
  assign tos_pc_r   = pc_r_q[resolve_warp_i];
  assign tos_mask_r = mask_r_q[resolve_warp_i];
  assign own_pc     = resolve_slot_i ? tos_pc_r : tos_pc_l;
  assign own_mask   = resolve_slot_i ? tos_mask_r : tos_mask_l;
  assign old_rpc    = rpc_q[resolve_warp_i];
  assign old_depth  = depth_q[resolve_warp_i];

  assign other_advances = advance_valid_i && (advance_warp_i == resolve_warp_i) && (advance_slot_i != resolve_slot_i);
  assign other_pc       = other_advances  ? advance_pc :
                          resolve_slot_i  ? tos_pc_l : tos_pc_r;
  assign other_mask     = (other_advances && advance_ends) ? '0 :
                          resolve_slot_i                   ? tos_mask_l : tos_mask_r;
  assign other_empty    = other_mask == '0;

  assign rpc       = (resolve_rpc_i != '0) ? resolve_rpc_i : old_rpc;
  assign live      = live_q[resolve_warp_i] & ~resolve_exit_i;
  assign active    = own_mask & live;
  assign taken     = resolve_taken_i & active;
  assign not_taken = active & ~taken;

  assign divergent    = (taken != '0) && (not_taken != '0) && (resolve_target_i != resolve_next_i);
  assign uniform_pc   = (active == '0)    ? own_pc :
                        (not_taken == '0) ? resolve_target_i : resolve_next_i;
  assign uniform_ends = (active == '0) || ((old_rpc != '0) && (uniform_pc == old_rpc));

  assign tail      = rpc == old_rpc;
  assign replace   = tail && other_empty;
  assign overflow  = resolve_valid_i && divergent && !replace && (old_depth >= DepthW'(Depth));
  assign push      = resolve_valid_i && divergent && !overflow;
  assign new_depth = replace ? old_depth : old_depth + DepthW'(1);

  // The new entry: a side that is already at the reconvergence PC is an empty slot.
  logic [Lanes-1:0]  taken_side, next_side, new_mask_l, new_mask_r;
  logic [31:0]       new_pc_l, new_pc_r;

  assign taken_side = ((rpc != '0) && (resolve_target_i == rpc)) ? '0 : taken;
  assign next_side  = ((rpc != '0) && (resolve_next_i == rpc))   ? '0 : not_taken;
  assign new_pc_l   = (TakenLeft != 0) ? resolve_target_i : resolve_next_i;
  assign new_pc_r   = (TakenLeft != 0) ? resolve_next_i : resolve_target_i;
  assign new_mask_l = (TakenLeft != 0) ? taken_side : next_side;
  assign new_mask_r = (TakenLeft != 0) ? next_side : taken_side;

  // The entry kept below it: own slot at the reconvergence PC, or empty if its entry ends there (tail).
  logic [31:0]       kept_pc;
  logic [Lanes-1:0]  kept_mask;
  logic [AddrW-1:0]  kept_addr;
  logic [EntryW-1:0] kept_entry;

  assign kept_pc    = tail ? own_pc : rpc;
  assign kept_mask  = tail ? '0 : active;
  assign kept_addr  = AddrW'(resolve_warp_i) * AddrW'(Depth - 1) + AddrW'(old_depth) - AddrW'(1);
  assign kept_entry = resolve_slot_i ? {other_pc, other_mask, kept_pc, kept_mask, old_rpc}
                                     : {kept_pc, kept_mask, other_pc, other_mask, old_rpc};

  // -------------------------------------------------------------------------------------------------------- pop
  logic              pop, pop_last;
  logic [WarpW-1:0]  pop_warp;
  logic [DepthW-1:0] pop_depth;
  logic [AddrW-1:0]  pop_addr;
  logic [31:0]       pop_pc_l, pop_pc_r, pop_rpc;
  logic [Lanes-1:0]  pop_saved_l, pop_saved_r, pop_mask_l, pop_mask_r;

  // Warps whose index has bit b set.
  function automatic logic [NumWarps-1:0] with_bit(input int b);
    with_bit = '0;
    for (int i = 0; i < NumWarps; i++) with_bit[i] = ((i >> b) % 2) == 1;
  endfunction

  logic [NumWarps-1:0] ended, first_ended;   // empty TOS of a warp that still runs; the lowest of them, one-hot
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_ended
      assign ended[w] = !valid_l_q[w] && !valid_r_q[w] && (depth_q[w] != '0);
    end
    for (genvar b = 0; b < WarpW; b++) begin : gen_pop_warp
      localparam logic [NumWarps-1:0] WithBit = with_bit(b);
      assign pop_warp[b] = (first_ended & WithBit) != '0;
    end
  endgenerate
  assign first_ended = ended & (~ended + NumWarps'(1));
  assign pop         = ended != '0;

  assign pop_depth  = depth_q[pop_warp];
  assign pop_last   = pop_depth == DepthW'(1);
  assign pop_addr   = (pop && !pop_last) ? AddrW'(pop_warp) * AddrW'(Depth - 1) + AddrW'(pop_depth) - AddrW'(2) : '0;
  assign {pop_pc_l, pop_saved_l, pop_pc_r, pop_saved_r, pop_rpc} = below[pop_addr];
  assign pop_mask_l = pop_saved_l & live_q[pop_warp];
  assign pop_mask_r = pop_saved_r & live_q[pop_warp];

  // ------------------------------------------------------------------------------------------------------ state
  // max_depth: a launch and a resolution may both raise it in one cycle.
  logic [DepthW-1:0] max_depth_d;
  always_comb begin
    max_depth_d = max_depth_q;
    if (launch_valid_i && (max_depth_d == '0)) max_depth_d = DepthW'(1);
    if (push && (new_depth > max_depth_d)) max_depth_d = new_depth;
  end

  // The last write of a register wins: advance before resolution.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int w = 0; w < NumWarps; w++) begin
        pc_l_q[w]   <= '0;
        mask_l_q[w] <= '0;
        pc_r_q[w]   <= '0;
        mask_r_q[w] <= '0;
        rpc_q[w]    <= '0;
        live_q[w]   <= '0;
        depth_q[w]  <= '0;
      end
      valid_l_q   <= '0;
      valid_r_q   <= '0;
      max_depth_q <= '0;
    end else begin
      max_depth_q <= max_depth_d;
      if (launch_valid_i) begin
        pc_l_q[launch_warp_i]    <= launch_pc_i;
        mask_l_q[launch_warp_i]  <= launch_mask_i;
        pc_r_q[launch_warp_i]    <= '0;
        mask_r_q[launch_warp_i]  <= '0;
        rpc_q[launch_warp_i]     <= '0;
        live_q[launch_warp_i]    <= launch_mask_i;
        depth_q[launch_warp_i]   <= DepthW'(1);
        valid_l_q[launch_warp_i] <= launch_mask_i != '0;
        valid_r_q[launch_warp_i] <= 1'b0;
      end
      if (advance_valid_i && !advance_slot_i) begin
        pc_l_q[advance_warp_i] <= advance_pc;
        if (advance_ends) begin
          mask_l_q[advance_warp_i]  <= '0;
          valid_l_q[advance_warp_i] <= 1'b0;
        end
      end
      if (advance_valid_i && advance_slot_i) begin
        pc_r_q[advance_warp_i] <= advance_pc;
        if (advance_ends) begin
          mask_r_q[advance_warp_i]  <= '0;
          valid_r_q[advance_warp_i] <= 1'b0;
        end
      end
      if (resolve_valid_i && !overflow) live_q[resolve_warp_i] <= live;
      if (push) begin
        pc_l_q[resolve_warp_i]    <= new_pc_l;
        mask_l_q[resolve_warp_i]  <= new_mask_l;
        pc_r_q[resolve_warp_i]    <= new_pc_r;
        mask_r_q[resolve_warp_i]  <= new_mask_r;
        rpc_q[resolve_warp_i]     <= rpc;
        depth_q[resolve_warp_i]   <= new_depth;
        valid_l_q[resolve_warp_i] <= new_mask_l != '0;
        valid_r_q[resolve_warp_i] <= new_mask_r != '0;
      end
      if (resolve_valid_i && !divergent && !resolve_slot_i) begin
        pc_l_q[resolve_warp_i]    <= uniform_pc;
        mask_l_q[resolve_warp_i]  <= uniform_ends ? '0 : active;
        valid_l_q[resolve_warp_i] <= !uniform_ends;
      end
      if (resolve_valid_i && !divergent && resolve_slot_i) begin
        pc_r_q[resolve_warp_i]    <= uniform_pc;
        mask_r_q[resolve_warp_i]  <= uniform_ends ? '0 : active;
        valid_r_q[resolve_warp_i] <= !uniform_ends;
      end
      if (pop) depth_q[pop_warp] <= pop_depth - DepthW'(1);
      if (pop && !pop_last) begin
        pc_l_q[pop_warp]    <= pop_pc_l;
        mask_l_q[pop_warp]  <= pop_mask_l;
        pc_r_q[pop_warp]    <= pop_pc_r;
        mask_r_q[pop_warp]  <= pop_mask_r;
        rpc_q[pop_warp]     <= pop_rpc;
        valid_l_q[pop_warp] <= pop_mask_l != '0;
        valid_r_q[pop_warp] <= pop_mask_r != '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (push && !replace) below[kept_addr] <= kept_entry;
  end

  // ---------------------------------------------------------------------------------------------------- outputs
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_state
      assign pc_l_o[w*32 +: 32]          = pc_l_q[w];
      assign mask_l_o[w*Lanes +: Lanes]  = mask_l_q[w];
      assign pc_r_o[w*32 +: 32]          = pc_r_q[w];
      assign mask_r_o[w*Lanes +: Lanes]  = mask_r_q[w];
      assign rpc_o[w*32 +: 32]           = rpc_q[w];
      assign live_o[w*Lanes +: Lanes]    = live_q[w];
      assign depth_o[w*DepthW +: DepthW] = depth_q[w];
    end
  endgenerate
  assign valid_l_o        = valid_l_q;
  assign valid_r_o        = valid_r_q;
  assign max_depth_o      = max_depth_q;
  assign push_valid_o     = push;
  assign push_warp_o      = push ? resolve_warp_i : '0;
  assign overflow_valid_o = overflow;
  assign overflow_warp_o  = overflow ? resolve_warp_i : '0;
  assign pop_valid_o      = pop;
  assign pop_warp_o       = pop_warp;
  assign done_valid_o     = pop && pop_last;
  assign done_warp_o      = (pop && pop_last) ? pop_warp : '0;

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (launch_valid_i) begin
        assert (32'(launch_warp_i) < NumWarps);       // launch_warp_i names no warp
        assert (depth_q[launch_warp_i] == '0);        // the launched warp still runs
        assert (launch_mask_i != '0);                 // a warp is launched without a thread
      end
      if (advance_valid_i) begin
        assert (32'(advance_warp_i) < NumWarps);      // advance_warp_i names no warp
        // An empty slot cannot issue.
        assert (advance_slot_i ? valid_r_q[advance_warp_i] : valid_l_q[advance_warp_i]);
      end
      if (resolve_valid_i) begin
        assert (32'(resolve_warp_i) < NumWarps);      // resolve_warp_i names no warp
        // An empty slot has no branch to resolve.
        assert (resolve_slot_i ? valid_r_q[resolve_warp_i] : valid_l_q[resolve_warp_i]);
      end
      // A path with an unresolved branch does not advance.
      assert (!(advance_valid_i && resolve_valid_i && (advance_warp_i == resolve_warp_i) &&
                (advance_slot_i == resolve_slot_i)));
    end
  end
`endif
endmodule
