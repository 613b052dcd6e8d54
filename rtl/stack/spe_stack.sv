// SPDX-License-Identifier: Apache-2.0
// spe_stack: single-path reconvergence (PDOM) stacks of NumWarps warps; the top of stack (TOS) of each warp in
// registers, the entries below it in storage.
//
// Contract
//   Latency  inputs sampled at edge t show in the state outputs after edge t; events are combinational, in the cycle
//            of their cause (push, overflow: the resolution; pop, done: the cycle after the TOS became empty or later).
//   Order    Advance, resolution and pop of different warps are independent and happen together. One pop a cycle,
//            lowest warp first, decided on registered state.
//            A divergence keeps the diverging entry at the place where its sides meet below them, unless that is its
//            own (tail): then it is replaced. An overflow changes nothing, the live mask included.
//            Where a path has returned to is learnt in the cycle in which it arrives, by its own entry or by the one
//            that is pushed in that cycle, and goes down with the pop of that entry: to a sibling's rpc, or to the PC
//            of the entry that waits for it, which may thereby have arrived itself and is popped in the next cycle.
//   Reset    asynchronous, active low; no warp has an entry, all registers 0. The storage has no reset: an entry is
//            written before it is read.
//   Idle     warp outputs of events are 0 while their valid is 0.
//   Assumes  (asserted) launch of a warp with depth 0 and a mask that is not empty; advance and resolution of a path
//            that is there; no advance with the resolution of the same warp; no launch, advance or resolution of a
//            popped warp; PCs with bit 0 clear, RETURN as exactly 1; nothing that is both a call and a return.
//            (not asserted) no return to PC 0: an address of 0 is one that is not known yet.
//   Not here which path has an unresolved branch, and stopping a warp that overflowed: frontend.
// The pins are those of every stack: one slot, so slot inputs are ignored, and the path of a warp has its number.
// Source: PDOM stack as in Fung et al., "Dynamic Warp Formation", section 3.2; tail rule, inheritance of RPC NONE, call
// levels and RPC RETURN: ours.
module spe_stack #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int Depth     = 16,  // entries of a stack, top included
  parameter  int PushOrder = 0,  // executes first: 0 taken, 1 fall-through, 2 smaller, 3 larger side (ties: taken)
  parameter  int LevelW    = 8,  // bits of a call level
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
  input  logic                       resolve_call_i,
  input  logic                       resolve_return_i,
  // paths
  output logic [NumWarps*32-1:0]     pc_o,
  output logic [NumWarps*Lanes-1:0]  mask_o,
  output logic [NumWarps*LevelW-1:0] level_o,
  output logic [NumWarps-1:0]        valid_o,
  output logic [NumWarps-1:0]        sibling_o,
  // warps
  output logic [NumWarps*32-1:0]     rpc_o,
  output logic [NumWarps*LevelW-1:0] rpc_level_o,
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
  // status
  output logic [DepthW-1:0]          max_depth_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Depth < 2) Depth_must_be_at_least_2 limit ();   // the top is not in storage
  if (PushOrder < 0 || PushOrder > 3) PushOrder_must_be_0_to_3 limit ();
  if (LevelW < 2 || LevelW > 16) LevelW_must_be_2_to_16 limit ();   // up is not down

  localparam int EntryW   = 2 * (32 + LevelW) + Lanes + 1;   // {pc, mask, level, rpc, rpc_level, sibling}
  localparam int NumBelow = NumWarps * (Depth - 1);
  localparam int AddrW    = heddle_pkg::idx_width(NumBelow);

  // State: TOS, live mask and depth of every warp; storage for the entries below.
  logic [31:0]         pc_q       [0:NumWarps-1];
  logic [Lanes-1:0]    mask_q     [0:NumWarps-1];
  logic [LevelW-1:0]   level_q    [0:NumWarps-1];
  logic [31:0]         rpc_q      [0:NumWarps-1];
  logic [LevelW-1:0]   rpc_level_q[0:NumWarps-1];
  logic [Lanes-1:0]    live_q     [0:NumWarps-1];
  logic [DepthW-1:0]   depth_q    [0:NumWarps-1];
  logic [NumWarps-1:0] sibling_q, valid_q;
  logic [DepthW-1:0]   max_depth_q;
  logic [EntryW-1:0]   below      [0:NumBelow-1];

  logic unused_slots;
  assign unused_slots = advance_slot_i ^ resolve_slot_i;

  // ---------------------------------------------------------------------------------------------------- advance
  // RETURN is odd and no PC is: an advance cannot arrive there.
  logic [31:0] advance_pc, advance_rpc;
  logic        advance_ends;

  assign advance_pc   = pc_q[advance_warp_i] + 32'd4;
  assign advance_rpc  = rpc_q[advance_warp_i];
  assign advance_ends = (advance_rpc != '0) && (advance_pc == advance_rpc) &&
                        (level_q[advance_warp_i] == rpc_level_q[advance_warp_i]);

  // ------------------------------------------------------------------------------------------------- resolution
  logic [31:0]       old_pc, old_rpc;
  logic [LevelW-1:0] old_level, old_rpc_level;
  logic [DepthW-1:0] old_depth;
  logic              old_sibling;
  logic [Lanes-1:0]  live, active, taken, not_taken;
  logic [LevelW-1:0] up_level, down_level, taken_level;
  logic              to_return;                   // the sides meet where their function returns to
  logic              own_place;                   // ... at the entry's own place, whatever its address
  logic              same_target, divergent, tail, taken_side, next_side, both_sides, taken_upper;
  logic [31:0]       rpc, new_rpc, learnt_rpc;    // where the sides meet; the same when a side has brought its address
  logic [LevelW-1:0] new_level, new_rpc_level;    // of the path kept below; of the sides
  logic              same_is_old, down_is_old, taken_is_old;  // level of the entry's own place?
  logic              unknown, taken_at_old, next_at_old, taken_at_new, next_at_new;
  logic              goes_taken;
  logic [31:0]       uniform_pc;
  logic [LevelW-1:0] uniform_level;
  logic              uniform_ends, uniform_learns;
  logic [DepthW:0]   grown_depth;                 // one bit wider: may exceed Depth
  logic [DepthW-1:0] new_depth;
  logic              overflow, push;
  logic [31:0]       upper_pc, lower_pc;
  logic [LevelW-1:0] upper_level, lower_level;
  logic [Lanes-1:0]  upper_mask, lower_mask;
  logic              below_sibling;               // of a pushed entry that lies on what was there before

  assign old_pc        = pc_q[resolve_warp_i];
  assign old_level     = level_q[resolve_warp_i];
  assign old_rpc       = rpc_q[resolve_warp_i];
  assign old_rpc_level = rpc_level_q[resolve_warp_i];
  assign old_depth     = depth_q[resolve_warp_i];
  assign old_sibling   = sibling_q[resolve_warp_i];
  assign live          = live_q[resolve_warp_i] & ~resolve_exit_i;
  assign active        = mask_q[resolve_warp_i] & live;
  assign taken         = resolve_taken_i & active;
  assign not_taken     = active & ~taken;

  // Levels, and whether they are that of the entry's own place.
  assign up_level     = old_level + LevelW'(1);
  assign down_level   = old_level - LevelW'(1);
  assign taken_level  = resolve_call_i ? up_level : resolve_return_i ? down_level : old_level;
  assign same_is_old  = old_level == old_rpc_level;
  assign down_is_old  = down_level == old_rpc_level;
  assign taken_is_old = taken_level == old_rpc_level;

  // Where the sides meet: if not at the entry's own place then at resolve_rpc_i as it is, RETURN without an address.
  assign to_return     = resolve_rpc_i[0];
  assign own_place     = (resolve_rpc_i == '0) || (to_return && ((old_level == '0) || (old_rpc[0] && down_is_old)));
  assign tail          = own_place || (!to_return && (resolve_rpc_i == old_rpc) && same_is_old);
  assign rpc           = own_place ? old_rpc : resolve_rpc_i;
  assign new_level     = to_return ? down_level : old_level;
  assign new_rpc_level = own_place ? old_rpc_level : new_level;

  // Who has arrived at the entry's own place, and who at resolve_rpc_i. At RETURN without an address that is whoever
  // comes to its level, which only the target's side does: no path is at that level and has not arrived.
  assign unknown      = old_rpc[0] && (old_rpc[31:1] == '0);
  assign taken_at_old = (old_rpc != '0) && taken_is_old && (unknown || (resolve_target_i[31:1] == old_rpc[31:1]));
  assign next_at_old  = (old_rpc != '0) && same_is_old && (unknown || (resolve_next_i[31:1] == old_rpc[31:1]));
  assign taken_at_new = to_return ? resolve_return_i
                                  : !resolve_call_i && !resolve_return_i && (resolve_target_i == resolve_rpc_i);
  assign next_at_new  = !to_return && (resolve_next_i == resolve_rpc_i);

  assign same_target    = resolve_target_i == resolve_next_i;
  assign divergent      = (taken != '0) && (not_taken != '0) && !same_target;
  assign goes_taken     = not_taken == '0;
  assign uniform_pc     = (active == '0) ? old_pc : goes_taken ? resolve_target_i : resolve_next_i;
  assign uniform_level  = ((active == '0) || !goes_taken) ? old_level : taken_level;
  assign uniform_ends   = (active == '0) || (goes_taken ? taken_at_old : next_at_old);

  assign taken_side     = !(own_place ? taken_at_old : taken_at_new);
  assign next_side      = !(own_place ? next_at_old : next_at_new);
  // The address that is learnt is always the target: a path that arrives in another way finds its address known.
  assign learnt_rpc     = {resolve_target_i[31:1], 1'b1};
  assign new_rpc        = (rpc[0] && !taken_side) ? learnt_rpc : rpc;
  assign uniform_learns = old_rpc[0] && goes_taken && (active != '0) && taken_at_old;
  assign both_sides     = taken_side && next_side;
  assign grown_depth    = {1'b0, old_depth} + (DepthW+1)'(both_sides) + (DepthW+1)'(!tail);
  assign overflow       = resolve_valid_i && divergent && (grown_depth > (DepthW+1)'(Depth));
  assign new_depth      = grown_depth[DepthW-1:0];
  assign push           = resolve_valid_i && divergent && !overflow;

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
  assign upper_level    = upper_is_taken ? taken_level : old_level;
  assign lower_level    = upper_is_taken ? old_level : taken_level;
  assign below_sibling  = tail && old_sibling;

  // Storage writes: the diverging entry unless replaced (tail), then the lower side above it; both sides remain then,
  // so neither has brought an address.
  logic [AddrW-1:0]  base_addr, kept_addr, lower_addr;
  logic [EntryW-1:0] kept_entry, lower_entry;
  assign base_addr   = AddrW'(resolve_warp_i) * AddrW'(Depth - 1);
  assign kept_addr   = base_addr + AddrW'(old_depth) - AddrW'(1);
  assign lower_addr  = tail ? kept_addr : base_addr + AddrW'(old_depth);
  assign kept_entry  = {resolve_rpc_i, active, new_level, old_rpc, old_rpc_level, old_sibling};
  assign lower_entry = {lower_pc, lower_mask, lower_level, rpc, new_rpc_level, below_sibling};

  // -------------------------------------------------------------------------------------------------------- pop
  logic              pop, pop_last;
  logic [WarpW-1:0]  pop_warp;
  logic [DepthW-1:0] pop_depth;
  logic [AddrW-1:0]  pop_addr;
  logic [31:0]       pop_saved_pc, pop_saved_rpc, pop_old_rpc, pop_pc, pop_rpc;
  logic [LevelW-1:0] pop_level, pop_rpc_level;
  logic [Lanes-1:0]  pop_saved_mask, pop_mask;
  logic              pop_sibling, pop_same_place, pop_fills, pop_arrives;

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
  assign {pop_saved_pc, pop_saved_mask, pop_level, pop_saved_rpc, pop_rpc_level, pop_sibling} = below[pop_addr];

  // What the old top has learnt goes to the rpc of a sibling, or to the PC of the entry that waits for it. (Not both:
  // then its place would be that of its sides, and a tail.)
  assign pop_old_rpc    = rpc_q[pop_warp];
  assign pop_same_place = pop_old_rpc[0] && pop_saved_rpc[0] && (rpc_level_q[pop_warp] == pop_rpc_level);
  assign pop_rpc        = pop_same_place ? pop_old_rpc : pop_saved_rpc;
  assign pop_fills      = pop_saved_pc[0];
  assign pop_pc         = pop_fills ? {pop_old_rpc[31:1], 1'b0} : pop_saved_pc;
  assign pop_arrives    = pop_fills && (pop_saved_rpc != '0) && (pop_pc == pop_saved_rpc) &&
                          (pop_level == pop_rpc_level);
  assign pop_mask       = pop_arrives ? '0 : pop_saved_mask & live_q[pop_warp];

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
        pc_q[w]        <= '0;
        mask_q[w]      <= '0;
        level_q[w]     <= '0;
        rpc_q[w]       <= '0;
        rpc_level_q[w] <= '0;
        live_q[w]      <= '0;
        depth_q[w]     <= '0;
      end
      sibling_q   <= '0;
      valid_q     <= '0;
      max_depth_q <= '0;
    end else begin
      max_depth_q <= max_depth_d;
      if (launch_valid_i) begin
        pc_q[launch_warp_i]        <= launch_pc_i;
        mask_q[launch_warp_i]      <= launch_mask_i;
        level_q[launch_warp_i]     <= '0;
        rpc_q[launch_warp_i]       <= '0;
        rpc_level_q[launch_warp_i] <= '0;
        live_q[launch_warp_i]      <= launch_mask_i;
        depth_q[launch_warp_i]     <= DepthW'(1);
        sibling_q[launch_warp_i]   <= 1'b0;
        valid_q[launch_warp_i]     <= launch_mask_i != '0;
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
          pc_q[resolve_warp_i]        <= upper_pc;
          mask_q[resolve_warp_i]      <= upper_mask;
          level_q[resolve_warp_i]     <= upper_level;
          rpc_q[resolve_warp_i]       <= new_rpc;
          rpc_level_q[resolve_warp_i] <= new_rpc_level;
          depth_q[resolve_warp_i]     <= new_depth;
          sibling_q[resolve_warp_i]   <= both_sides || below_sibling;
        end else begin
          pc_q[resolve_warp_i]    <= uniform_pc;
          mask_q[resolve_warp_i]  <= uniform_ends ? '0 : active;
          level_q[resolve_warp_i] <= uniform_level;
          valid_q[resolve_warp_i] <= !uniform_ends;
          if (uniform_learns) rpc_q[resolve_warp_i] <= learnt_rpc;
        end
      end
      if (pop) begin
        depth_q[pop_warp] <= pop_depth - DepthW'(1);
        if (!pop_last) begin
          pc_q[pop_warp]        <= pop_pc;
          mask_q[pop_warp]      <= pop_mask;
          level_q[pop_warp]     <= pop_level;
          rpc_q[pop_warp]       <= pop_rpc;
          rpc_level_q[pop_warp] <= pop_rpc_level;
          sibling_q[pop_warp]   <= pop_sibling;
          valid_q[pop_warp]     <= pop_mask != '0;
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
      assign pc_o[w*32 +: 32]                = pc_q[w];
      assign mask_o[w*Lanes +: Lanes]        = mask_q[w];
      assign level_o[w*LevelW +: LevelW]     = level_q[w];
      assign rpc_o[w*32 +: 32]               = rpc_q[w];
      assign rpc_level_o[w*LevelW +: LevelW] = rpc_level_q[w];
      assign live_o[w*Lanes +: Lanes]        = live_q[w];
      assign depth_o[w*DepthW +: DepthW]     = depth_q[w];
    end
  endgenerate
  assign valid_o          = valid_q;
  assign sibling_o        = sibling_q;
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
        assert (!launch_pc_i[0]);                     // the PC of a launch is odd
      end
      if (advance_valid_i) begin
        assert (32'(advance_warp_i) < NumWarps);      // advance_warp_i names no warp
        assert (valid_q[advance_warp_i]);             // an empty path cannot issue
      end
      if (resolve_valid_i) begin
        assert (32'(resolve_warp_i) < NumWarps);      // resolve_warp_i names no warp
        assert (valid_q[resolve_warp_i]);             // an empty path has no branch to resolve
        assert (!(resolve_call_i && resolve_return_i));               // both a call and a return
        assert (!resolve_target_i[0] && !resolve_next_i[0]);          // an odd PC: it would be taken for RETURN
        assert (!resolve_rpc_i[0] || (resolve_rpc_i[31:1] == '0));    // RETURN is told with an address
      end
      // A path with an unresolved branch does not advance.
      assert (!(advance_valid_i && resolve_valid_i && (advance_warp_i == resolve_warp_i)));
    end
  end
`endif
endmodule
