// SPDX-License-Identifier: Apache-2.0
// spe_stack: single-path reconvergence (PDOM) stacks of NumWarps warps; the top of stack (TOS) of each warp in
// registers, the entries below it in storage.
//
// Contract
//   Latency  inputs sampled at edge t show in the state outputs after edge t; events are combinational, in the cycle
//            of their cause (push, overflow: the resolution; pop, done: the cycle after the TOS became empty or later).
//   Order    Advance, resolution and pop of different warps are independent and happen together. One pop a cycle,
//            lowest warp first, decided on registered state.
//            A divergence keeps the diverging entry at the reconvergence PC below the pushed sides, unless its own rpc
//            is that PC (tail): then it is replaced. An overflow changes nothing, the live mask included.
//   Reset    asynchronous, active low; no warp has an entry, all registers 0. The storage has no reset: an entry is
//            written before it is read.
//   Idle     warp outputs of events are 0 while their valid is 0.
//   Assumes  (asserted) launch of a warp with depth 0 and a mask that is not empty; advance and resolution of a path
//            that is there; no advance with the resolution of the same warp; no launch, advance or resolution of a
//            popped warp.
//   Not here which path has an unresolved branch, and stopping a warp that overflowed: spe_frontend.
// Source: PDOM stack as in Fung et al., "Dynamic Warp Formation", section 3.2; tail rule and inheritance of RPC NONE:
// ours.
module spe_stack #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int Depth     = 16,  // entries of a stack, top included
  parameter  int PushOrder = 0,  // executes first: 0 taken, 1 fall-through, 2 smaller, 3 larger side (ties: taken)
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
  // from execute
  input  logic                       resolve_valid_i,
  input  logic [WarpW-1:0]           resolve_warp_i,
  input  logic [Lanes-1:0]           resolve_taken_i,
  input  logic [31:0]                resolve_target_i,
  input  logic [31:0]                resolve_next_i,
  input  logic [31:0]                resolve_rpc_i,
  input  logic [Lanes-1:0]           resolve_exit_i,
  // state
  output logic [NumWarps*32-1:0]     pc_o,
  output logic [NumWarps*Lanes-1:0]  mask_o,
  output logic [NumWarps*32-1:0]     rpc_o,
  output logic [NumWarps-1:0]        sibling_o,
  output logic [NumWarps-1:0]        valid_o,
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
  initial if (NumWarps < 1) $fatal(1, "spe_stack: NumWarps must be at least 1");
  initial if (Lanes < 2 || Lanes > 64) $fatal(1, "spe_stack: Lanes must be 2 to 64 (a mask is one 64-bit word)");
  initial if (Depth < 2) $fatal(1, "spe_stack: Depth must be at least 2 (the top is not in storage)");
  initial if (PushOrder < 0 || PushOrder > 3) $fatal(1, "spe_stack: PushOrder must be 0 to 3");

  localparam int EntryW   = 32 + Lanes + 32 + 1;         // {pc, mask, rpc, sibling}
  localparam int NumBelow = NumWarps * (Depth - 1);
  localparam int AddrW    = heddle_pkg::idx_width(NumBelow);

  // State: TOS, live mask and depth of every warp; storage for the entries below.
  logic [31:0]         pc_q   [0:NumWarps-1];
  logic [Lanes-1:0]    mask_q [0:NumWarps-1];
  logic [31:0]         rpc_q  [0:NumWarps-1];
  logic [Lanes-1:0]    live_q [0:NumWarps-1];
  logic [DepthW-1:0]   depth_q[0:NumWarps-1];
  logic [NumWarps-1:0] sibling_q, valid_q;
  logic [DepthW-1:0]   max_depth_q;
  logic [EntryW-1:0]   below  [0:NumBelow-1];

  // ---------------------------------------------------------------------------------------------------- advance
  logic [31:0] advance_pc, advance_rpc;
  logic        advance_ends;

  assign advance_pc   = pc_q[advance_warp_i] + 32'd4;
  assign advance_rpc  = rpc_q[advance_warp_i];
  assign advance_ends = (advance_rpc != '0) && (advance_pc == advance_rpc);

  // ------------------------------------------------------------------------------------------------- resolution
  logic [31:0]       old_pc, old_rpc, rpc;        // rpc: where the sides meet
  logic [DepthW-1:0] old_depth;
  logic              old_sibling;
  logic [Lanes-1:0]  live, active, taken, not_taken;
  logic              same_target, divergent, tail, taken_side, next_side, both_sides, taken_upper;
  logic [31:0]       uniform_pc;
  logic              uniform_ends;
  logic [DepthW:0]   grown_depth;                 // one bit wider: may exceed Depth
  logic [DepthW-1:0] new_depth;
  logic              overflow, push;
  logic [31:0]       upper_pc, lower_pc;
  logic [Lanes-1:0]  upper_mask, lower_mask;
  logic              below_sibling;               // of a pushed entry that lies on what was there before

  assign old_pc      = pc_q[resolve_warp_i];
  assign old_rpc     = rpc_q[resolve_warp_i];
  assign old_depth   = depth_q[resolve_warp_i];
  assign old_sibling = sibling_q[resolve_warp_i];
  assign rpc         = (resolve_rpc_i != '0) ? resolve_rpc_i : old_rpc;
  assign live        = live_q[resolve_warp_i] & ~resolve_exit_i;
  assign active      = mask_q[resolve_warp_i] & live;
  assign taken       = resolve_taken_i & active;
  assign not_taken   = active & ~taken;

  assign same_target  = resolve_target_i == resolve_next_i;
  assign divergent    = (taken != '0) && (not_taken != '0) && !same_target;
  assign uniform_pc   = (active == '0)     ? old_pc :
                        (not_taken == '0)  ? resolve_target_i : resolve_next_i;
  assign uniform_ends = (active == '0) || ((old_rpc != '0) && (uniform_pc == old_rpc));

  assign tail       = rpc == old_rpc;
  assign taken_side = (rpc == '0) || (resolve_target_i != rpc);
  assign next_side  = (rpc == '0) || (resolve_next_i != rpc);
  assign both_sides = taken_side && next_side;
  assign grown_depth = {1'b0, old_depth} + (DepthW+1)'(both_sides) + (DepthW+1)'(!tail);
  assign overflow   = resolve_valid_i && divergent && (grown_depth > (DepthW+1)'(Depth));
  assign new_depth  = grown_depth[DepthW-1:0];
  assign push       = resolve_valid_i && divergent && !overflow;

  generate
    if (PushOrder == 0) begin : gen_taken_first
      assign taken_upper = 1'b1;
    end else if (PushOrder == 1) begin : gen_fallthrough_first
      assign taken_upper = 1'b0;
    end else begin : gen_by_size
      localparam int CountW = $clog2(Lanes + 1);
      logic [CountW-1:0] num_taken, num_not_taken;
      always_comb begin
        num_taken     = '0;
        num_not_taken = '0;
        for (int l = 0; l < Lanes; l++) begin
          num_taken     = num_taken + CountW'(taken[l]);
          num_not_taken = num_not_taken + CountW'(not_taken[l]);
        end
      end
      assign taken_upper = (PushOrder == 2) ? (num_taken <= num_not_taken) : (num_taken >= num_not_taken);
    end
  endgenerate

  // The upper side becomes the TOS; the lower one exists only if both do.
  logic upper_is_taken;
  assign upper_is_taken = both_sides ? taken_upper : taken_side;
  assign upper_pc       = upper_is_taken ? resolve_target_i : resolve_next_i;
  assign upper_mask     = upper_is_taken ? taken : not_taken;
  assign lower_pc       = upper_is_taken ? resolve_next_i : resolve_target_i;
  assign lower_mask     = upper_is_taken ? not_taken : taken;
  assign below_sibling  = tail && old_sibling;

  // Storage writes: the diverging entry unless replaced (tail), then the lower side above it.
  logic [AddrW-1:0]  base_addr, kept_addr, lower_addr;
  logic [EntryW-1:0] kept_entry, lower_entry;
  assign base_addr   = AddrW'(resolve_warp_i) * AddrW'(Depth - 1);
  assign kept_addr   = base_addr + AddrW'(old_depth) - AddrW'(1);
  assign lower_addr  = tail ? kept_addr : base_addr + AddrW'(old_depth);
  assign kept_entry  = {rpc, active, old_rpc, old_sibling};
  assign lower_entry = {lower_pc, lower_mask, rpc, below_sibling};

  // -------------------------------------------------------------------------------------------------------- pop
  logic              pop, pop_last;
  logic [WarpW-1:0]  pop_warp;
  logic [DepthW-1:0] pop_depth;
  logic [AddrW-1:0]  pop_addr;
  logic [31:0]       pop_pc, pop_rpc;
  logic [Lanes-1:0]  pop_saved_mask, pop_mask;
  logic              pop_sibling;

  // Warps whose index has bit b set.
  function automatic logic [NumWarps-1:0] with_bit(input int b);
    with_bit = '0;
    for (int i = 0; i < NumWarps; i++) with_bit[i] = ((i >> b) % 2) == 1;
  endfunction

  logic [NumWarps-1:0] ended, first_ended;   // empty TOS of a warp that still runs; the lowest of them, one-hot
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_ended
      assign ended[w] = !valid_q[w] && (depth_q[w] != '0);
    end
    for (genvar b = 0; b < WarpW; b++) begin : gen_pop_warp
      localparam logic [NumWarps-1:0] WithBit = with_bit(b);
      assign pop_warp[b] = (first_ended & WithBit) != '0;
    end
  endgenerate
  assign first_ended = ended & (~ended + NumWarps'(1));
  assign pop         = ended != '0;

  assign pop_depth = depth_q[pop_warp];
  assign pop_last  = pop_depth == DepthW'(1);
  assign pop_addr  = (pop && !pop_last) ? AddrW'(pop_warp) * AddrW'(Depth - 1) + AddrW'(pop_depth) - AddrW'(2) : '0;
  assign {pop_pc, pop_saved_mask, pop_rpc, pop_sibling} = below[pop_addr];
  assign pop_mask  = pop_saved_mask & live_q[pop_warp];

  // ------------------------------------------------------------------------------------------------------ state
  // max_depth: a launch and a resolution may both raise it in one cycle.
  logic [DepthW-1:0] max_depth_d;
  always_comb begin
    max_depth_d = max_depth_q;
    if (launch_valid_i && (max_depth_d == '0)) max_depth_d = DepthW'(1);
    if (push && (new_depth > max_depth_d)) max_depth_d = new_depth;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int w = 0; w < NumWarps; w++) begin
        pc_q[w]    <= '0;
        mask_q[w]  <= '0;
        rpc_q[w]   <= '0;
        live_q[w]  <= '0;
        depth_q[w] <= '0;
      end
      sibling_q   <= '0;
      valid_q     <= '0;
      max_depth_q <= '0;
    end else begin
      max_depth_q <= max_depth_d;
      if (launch_valid_i) begin
        pc_q[launch_warp_i]      <= launch_pc_i;
        mask_q[launch_warp_i]    <= launch_mask_i;
        rpc_q[launch_warp_i]     <= '0;
        live_q[launch_warp_i]    <= launch_mask_i;
        depth_q[launch_warp_i]   <= DepthW'(1);
        sibling_q[launch_warp_i] <= 1'b0;
        valid_q[launch_warp_i]   <= launch_mask_i != '0;
      end
      if (advance_valid_i) begin
        pc_q[advance_warp_i] <= advance_pc;
        if (advance_ends) begin
          mask_q[advance_warp_i]  <= '0;
          valid_q[advance_warp_i] <= 1'b0;
        end
      end
      if (resolve_valid_i && !overflow) begin
        live_q[resolve_warp_i] <= live;
        if (divergent) begin
          pc_q[resolve_warp_i]      <= upper_pc;
          mask_q[resolve_warp_i]    <= upper_mask;
          rpc_q[resolve_warp_i]     <= rpc;
          depth_q[resolve_warp_i]   <= new_depth;
          sibling_q[resolve_warp_i] <= both_sides || below_sibling;
        end else begin
          pc_q[resolve_warp_i]    <= uniform_pc;
          mask_q[resolve_warp_i]  <= uniform_ends ? '0 : active;
          valid_q[resolve_warp_i] <= !uniform_ends;
        end
      end
      if (pop) begin
        depth_q[pop_warp] <= pop_depth - DepthW'(1);
        if (!pop_last) begin
          pc_q[pop_warp]      <= pop_pc;
          mask_q[pop_warp]    <= pop_mask;
          rpc_q[pop_warp]     <= pop_rpc;
          sibling_q[pop_warp] <= pop_sibling;
          valid_q[pop_warp]   <= pop_mask != '0;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (push && !tail) below[kept_addr] <= kept_entry;
    if (push && both_sides) below[lower_addr] <= lower_entry;
  end

  // ---------------------------------------------------------------------------------------------------- outputs
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_state
      assign pc_o[w*32 +: 32]            = pc_q[w];
      assign mask_o[w*Lanes +: Lanes]    = mask_q[w];
      assign rpc_o[w*32 +: 32]           = rpc_q[w];
      assign live_o[w*Lanes +: Lanes]    = live_q[w];
      assign depth_o[w*DepthW +: DepthW] = depth_q[w];
    end
  endgenerate
  assign sibling_o        = sibling_q;
  assign valid_o          = valid_q;
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
        assert (valid_q[advance_warp_i]);             // an empty path cannot issue
      end
      if (resolve_valid_i) begin
        assert (32'(resolve_warp_i) < NumWarps);      // resolve_warp_i names no warp
        assert (valid_q[resolve_warp_i]);             // an empty path has no branch to resolve
      end
      // A path with an unresolved branch does not advance.
      assert (!(advance_valid_i && resolve_valid_i && (advance_warp_i == resolve_warp_i)));
    end
  end
`endif
endmodule
