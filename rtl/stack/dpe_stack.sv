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
//            Where a path has returned to is learnt in the cycle in which it arrives, by its own entry or by the one
//            that is pushed in that cycle, and goes down with the pop of that entry: to an rpc that is the same place,
//            or to the PC of the slot that waits for it, which may thereby have arrived itself and becomes empty.
//   Reset    asynchronous, active low; no warp has an entry, all registers 0. The storage has no reset: an entry is
//            written before it is read.
//   Idle     warp outputs of events are 0 while their valid is 0. An empty slot keeps its PC as last written.
//   Assumes  (asserted) launch of a warp with depth 0 and a mask that is not empty; advance and resolution of a slot
//            that is not empty; never both of one slot; no launch, advance or resolution of a warp that is popped;
//            PCs with bit 0 clear, RETURN as exactly 1; nothing that is both a call and a return.
//            (not asserted) no return to PC 0: an address of 0 is one that is not known yet.
//   Not here which path has an unresolved branch, and stopping a warp that overflowed: frontend.
// The pins are those of every stack.
// Source: DPE paper, section 3.1, Figures 4 and 6; tail rule, inheritance of RPC NONE, call levels and RPC RETURN:
// ours.
module dpe_stack #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int Depth     = 16,  // entries of a stack, top included
  parameter  int TakenLeft = 1,  // slot of the taken side: 1 left, 0 right
  parameter  int LevelW    = 8,  // bits of a call level
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW    = heddle_pkg::idx_width(Depth + 1),
  localparam int NumPaths  = 2 * NumWarps   // path of slot s of warp w: s*NumWarps + w
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
  output logic [NumPaths*32-1:0]     pc_o,
  output logic [NumPaths*Lanes-1:0]  mask_o,
  output logic [NumPaths*LevelW-1:0] level_o,
  output logic [NumPaths-1:0]        valid_o,
  output logic [NumPaths-1:0]        sibling_o,
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
  if (TakenLeft < 0 || TakenLeft > 1) TakenLeft_must_be_0_or_1 limit ();
  if (LevelW < 2 || LevelW > 16) LevelW_must_be_2_to_16 limit ();   // up is not down

  // An entry is {pc_l, mask_l, level_l, pc_r, mask_r, level_r, rpc, rpc_level}.
  localparam int EntryW   = 2 * (32 + Lanes + LevelW) + 32 + LevelW;
  localparam int NumBelow = NumWarps * (Depth - 1);
  localparam int AddrW    = heddle_pkg::idx_width(NumBelow);

  // State: TOS, live mask and depth of every warp; storage for the entries below.
  logic [31:0]         pc_l_q     [0:NumWarps-1];
  logic [Lanes-1:0]    mask_l_q   [0:NumWarps-1];
  logic [LevelW-1:0]   level_l_q  [0:NumWarps-1];
  logic [31:0]         pc_r_q     [0:NumWarps-1];
  logic [Lanes-1:0]    mask_r_q   [0:NumWarps-1];
  logic [LevelW-1:0]   level_r_q  [0:NumWarps-1];
  logic [31:0]         rpc_q      [0:NumWarps-1];
  logic [LevelW-1:0]   rpc_level_q[0:NumWarps-1];
  logic [Lanes-1:0]    live_q     [0:NumWarps-1];
  logic [DepthW-1:0]   depth_q    [0:NumWarps-1];
  logic [NumWarps-1:0] valid_l_q, valid_r_q;
  logic [DepthW-1:0]   max_depth_q;
  logic [EntryW-1:0]   below      [0:NumBelow-1];

  // ---------------------------------------------------------------------------------------------------- advance
  // RETURN is odd and no PC is: an advance cannot arrive there.
  logic [31:0]       advance_pc, advance_rpc;
  logic [LevelW-1:0] advance_level;
  logic              advance_ends;

  assign advance_pc    = (advance_slot_i ? pc_r_q[advance_warp_i] : pc_l_q[advance_warp_i]) + 32'd4;
  assign advance_level = advance_slot_i ? level_r_q[advance_warp_i] : level_l_q[advance_warp_i];
  assign advance_rpc   = rpc_q[advance_warp_i];
  assign advance_ends  = (advance_rpc != '0) && (advance_pc == advance_rpc) &&
                         (advance_level == rpc_level_q[advance_warp_i]);

  // ------------------------------------------------------------------------------------------------- resolution
  // "own" is the slot that resolves, "other" the other slot of the same entry, after an advance in this cycle.
  logic [31:0]       tos_pc_l, tos_pc_r, own_pc, other_pc, old_rpc;
  logic [Lanes-1:0]  tos_mask_l, tos_mask_r, own_mask, other_mask;
  logic [LevelW-1:0] own_level, other_level, old_rpc_level;
  logic              other_advances, other_empty;
  logic [DepthW-1:0] old_depth, new_depth;
  logic [Lanes-1:0]  live, active, taken, not_taken;
  logic [LevelW-1:0] up_level, down_level, taken_level;
  logic              to_return;                    // the sides meet where their function returns to
  logic              own_place;                    // ... at the entry's own place, whatever its address
  logic [31:0]       rpc, new_rpc, learnt_rpc;     // where the sides meet; the same when a side has brought its address
  logic [LevelW-1:0] kept_level, new_rpc_level;    // of the slot that waits below; of the sides
  logic              same_is_old, down_is_old, taken_is_old;   // level of the entry's own place?
  logic              unknown, taken_at_old, next_at_old, taken_at_new, next_at_new, taken_arrives, next_arrives;
  logic              divergent, tail, replace, overflow, push;
  logic              goes_taken;
  logic [31:0]       uniform_pc;
  logic [LevelW-1:0] uniform_level;
  logic              uniform_ends, uniform_learns;

  assign tos_pc_l      = pc_l_q[resolve_warp_i];
  assign tos_mask_l    = mask_l_q[resolve_warp_i];
  assign tos_pc_r      = pc_r_q[resolve_warp_i];
  assign tos_mask_r    = mask_r_q[resolve_warp_i];
  assign own_pc        = resolve_slot_i ? tos_pc_r : tos_pc_l;
  assign own_mask      = resolve_slot_i ? tos_mask_r : tos_mask_l;
  assign own_level     = resolve_slot_i ? level_r_q[resolve_warp_i] : level_l_q[resolve_warp_i];
  assign other_level   = resolve_slot_i ? level_l_q[resolve_warp_i] : level_r_q[resolve_warp_i];
  assign old_rpc       = rpc_q[resolve_warp_i];
  assign old_rpc_level = rpc_level_q[resolve_warp_i];
  assign old_depth     = depth_q[resolve_warp_i];

  assign other_advances = advance_valid_i && (advance_warp_i == resolve_warp_i) && (advance_slot_i != resolve_slot_i);
  assign other_pc       = other_advances  ? advance_pc :
                          resolve_slot_i  ? tos_pc_l : tos_pc_r;
  assign other_mask     = (other_advances && advance_ends) ? '0 :
                          resolve_slot_i                   ? tos_mask_l : tos_mask_r;
  assign other_empty    = other_mask == '0;

  assign live      = live_q[resolve_warp_i] & ~resolve_exit_i;
  assign active    = own_mask & live;
  assign taken     = resolve_taken_i & active;
  assign not_taken = active & ~taken;

  // Levels, and whether they are that of the entry's own place.
  assign up_level     = own_level + LevelW'(1);
  assign down_level   = own_level - LevelW'(1);
  assign taken_level  = resolve_call_i ? up_level : resolve_return_i ? down_level : own_level;
  assign same_is_old  = own_level == old_rpc_level;
  assign down_is_old  = down_level == old_rpc_level;
  assign taken_is_old = taken_level == old_rpc_level;

  // Where the sides meet: if not at the entry's own place then at resolve_rpc_i as it is, RETURN without an address.
  assign to_return     = resolve_rpc_i[0];
  assign own_place     = (resolve_rpc_i == '0) || (to_return && ((own_level == '0) || (old_rpc[0] && down_is_old)));
  assign tail          = own_place || (!to_return && (resolve_rpc_i == old_rpc) && same_is_old);
  assign rpc           = own_place ? old_rpc : resolve_rpc_i;
  assign kept_level    = to_return ? down_level : own_level;
  assign new_rpc_level = own_place ? old_rpc_level : kept_level;

  // Who has arrived at the entry's own place, and who at resolve_rpc_i. At RETURN without an address that is whoever
  // comes to its level, which only the target's side does: no path is at that level and has not arrived.
  assign unknown       = old_rpc[0] && (old_rpc[31:1] == '0);
  assign taken_at_old  = (old_rpc != '0) && taken_is_old && (unknown || (resolve_target_i[31:1] == old_rpc[31:1]));
  assign next_at_old   = (old_rpc != '0) && same_is_old && (unknown || (resolve_next_i[31:1] == old_rpc[31:1]));
  assign taken_at_new  = to_return ? resolve_return_i
                                   : !resolve_call_i && !resolve_return_i && (resolve_target_i == resolve_rpc_i);
  assign next_at_new   = !to_return && (resolve_next_i == resolve_rpc_i);
  assign taken_arrives = own_place ? taken_at_old : taken_at_new;
  assign next_arrives  = own_place ? next_at_old : next_at_new;
  // The address that is learnt is always the target: a path that arrives in another way finds its address known.
  assign learnt_rpc    = {resolve_target_i[31:1], 1'b1};
  assign new_rpc       = (rpc[0] && taken_arrives) ? learnt_rpc : rpc;

  assign divergent      = (taken != '0) && (not_taken != '0) && (resolve_target_i != resolve_next_i);
  assign goes_taken     = not_taken == '0;
  assign uniform_pc     = (active == '0) ? own_pc : goes_taken ? resolve_target_i : resolve_next_i;
  assign uniform_level  = ((active == '0) || !goes_taken) ? own_level : taken_level;
  assign uniform_ends   = (active == '0) || (goes_taken ? taken_at_old : next_at_old);
  assign uniform_learns = old_rpc[0] && goes_taken && (active != '0) && taken_at_old;

  assign replace   = tail && other_empty;
  assign overflow  = resolve_valid_i && divergent && !replace && (old_depth >= DepthW'(Depth));
  assign push      = resolve_valid_i && divergent && !overflow;
  assign new_depth = replace ? old_depth : old_depth + DepthW'(1);

  // The new entry: a side that has already arrived is an empty slot.
  logic [Lanes-1:0]  taken_side, next_side, new_mask_l, new_mask_r;
  logic [31:0]       new_pc_l, new_pc_r;
  logic [LevelW-1:0] new_level_l, new_level_r;

  assign taken_side  = taken_arrives ? '0 : taken;
  assign next_side   = next_arrives ? '0 : not_taken;
  assign new_pc_l    = (TakenLeft != 0) ? resolve_target_i : resolve_next_i;
  assign new_pc_r    = (TakenLeft != 0) ? resolve_next_i : resolve_target_i;
  assign new_mask_l  = (TakenLeft != 0) ? taken_side : next_side;
  assign new_mask_r  = (TakenLeft != 0) ? next_side : taken_side;
  assign new_level_l = (TakenLeft != 0) ? taken_level : own_level;
  assign new_level_r = (TakenLeft != 0) ? own_level : taken_level;

  // The entry kept below it: own slot waits where the sides meet, or is empty if its entry ends there (tail).
  localparam int SlotW = 32 + Lanes + LevelW;   // {pc, mask, level}
  logic [SlotW-1:0]  kept_slot, other_slot;
  logic [AddrW-1:0]  kept_addr;
  logic [EntryW-1:0] kept_entry;

  assign kept_slot  = tail ? {own_pc, {Lanes{1'b0}}, own_level} : {resolve_rpc_i, active, kept_level};
  assign other_slot = {other_pc, other_mask, other_level};
  assign kept_addr  = AddrW'(resolve_warp_i) * AddrW'(Depth - 1) + AddrW'(old_depth) - AddrW'(1);
  assign kept_entry = {resolve_slot_i ? {other_slot, kept_slot} : {kept_slot, other_slot}, old_rpc, old_rpc_level};

  // -------------------------------------------------------------------------------------------------------- pop
  logic              pop, pop_last;
  logic [WarpW-1:0]  pop_warp;
  logic [DepthW-1:0] pop_depth;
  logic [AddrW-1:0]  pop_addr;
  logic [31:0]       pop_saved_pc_l, pop_saved_pc_r, pop_saved_rpc, pop_old_rpc, pop_address;
  logic [31:0]       pop_pc_l, pop_pc_r, pop_rpc;
  logic [Lanes-1:0]  pop_saved_l, pop_saved_r, pop_mask_l, pop_mask_r;
  logic [LevelW-1:0] pop_level_l, pop_level_r, pop_rpc_level;
  logic              pop_same_place, pop_at_rpc, pop_arrives_l, pop_arrives_r;

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
  assign {pop_saved_pc_l, pop_saved_l, pop_level_l, pop_saved_pc_r, pop_saved_r, pop_level_r,
          pop_saved_rpc, pop_rpc_level} = below[pop_addr];

  // What the old top has learnt goes to the rpc below if that is the same place, or to the PC of the slot that waits
  // for it. (Not both: then the place of that slot would be that of its sides, and a tail.)
  assign pop_old_rpc    = rpc_q[pop_warp];
  assign pop_address    = {pop_old_rpc[31:1], 1'b0};
  assign pop_same_place = pop_old_rpc[0] && pop_saved_rpc[0] && (rpc_level_q[pop_warp] == pop_rpc_level);
  assign pop_rpc        = pop_same_place ? pop_old_rpc : pop_saved_rpc;
  assign pop_pc_l       = pop_saved_pc_l[0] ? pop_address : pop_saved_pc_l;
  assign pop_pc_r       = pop_saved_pc_r[0] ? pop_address : pop_saved_pc_r;
  assign pop_at_rpc     = (pop_saved_rpc != '0) && (pop_address == pop_saved_rpc);
  assign pop_arrives_l  = pop_saved_pc_l[0] && pop_at_rpc && (pop_level_l == pop_rpc_level);
  assign pop_arrives_r  = pop_saved_pc_r[0] && pop_at_rpc && (pop_level_r == pop_rpc_level);
  assign pop_mask_l     = pop_arrives_l ? '0 : pop_saved_l & live_q[pop_warp];
  assign pop_mask_r     = pop_arrives_r ? '0 : pop_saved_r & live_q[pop_warp];

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
        pc_l_q[w]      <= '0;
        mask_l_q[w]    <= '0;
        level_l_q[w]   <= '0;
        pc_r_q[w]      <= '0;
        mask_r_q[w]    <= '0;
        level_r_q[w]   <= '0;
        rpc_q[w]       <= '0;
        rpc_level_q[w] <= '0;
        live_q[w]      <= '0;
        depth_q[w]     <= '0;
      end
      valid_l_q   <= '0;
      valid_r_q   <= '0;
      max_depth_q <= '0;
    end else begin
      max_depth_q <= max_depth_d;
      if (launch_valid_i) begin
        pc_l_q[launch_warp_i]      <= launch_pc_i;
        mask_l_q[launch_warp_i]    <= launch_mask_i;
        level_l_q[launch_warp_i]   <= '0;
        pc_r_q[launch_warp_i]      <= '0;
        mask_r_q[launch_warp_i]    <= '0;
        level_r_q[launch_warp_i]   <= '0;
        rpc_q[launch_warp_i]       <= '0;
        rpc_level_q[launch_warp_i] <= '0;
        live_q[launch_warp_i]      <= launch_mask_i;
        depth_q[launch_warp_i]     <= DepthW'(1);
        valid_l_q[launch_warp_i]   <= launch_mask_i != '0;
        valid_r_q[launch_warp_i]   <= 1'b0;
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
        pc_l_q[resolve_warp_i]      <= new_pc_l;
        mask_l_q[resolve_warp_i]    <= new_mask_l;
        level_l_q[resolve_warp_i]   <= new_level_l;
        pc_r_q[resolve_warp_i]      <= new_pc_r;
        mask_r_q[resolve_warp_i]    <= new_mask_r;
        level_r_q[resolve_warp_i]   <= new_level_r;
        rpc_q[resolve_warp_i]       <= new_rpc;
        rpc_level_q[resolve_warp_i] <= new_rpc_level;
        depth_q[resolve_warp_i]     <= new_depth;
        valid_l_q[resolve_warp_i]   <= new_mask_l != '0;
        valid_r_q[resolve_warp_i]   <= new_mask_r != '0;
      end
      if (resolve_valid_i && !divergent && uniform_learns) rpc_q[resolve_warp_i] <= learnt_rpc;
      if (resolve_valid_i && !divergent && !resolve_slot_i) begin
        pc_l_q[resolve_warp_i]    <= uniform_pc;
        mask_l_q[resolve_warp_i]  <= uniform_ends ? '0 : active;
        level_l_q[resolve_warp_i] <= uniform_level;
        valid_l_q[resolve_warp_i] <= !uniform_ends;
      end
      if (resolve_valid_i && !divergent && resolve_slot_i) begin
        pc_r_q[resolve_warp_i]    <= uniform_pc;
        mask_r_q[resolve_warp_i]  <= uniform_ends ? '0 : active;
        level_r_q[resolve_warp_i] <= uniform_level;
        valid_r_q[resolve_warp_i] <= !uniform_ends;
      end
      if (pop) depth_q[pop_warp] <= pop_depth - DepthW'(1);
      if (pop && !pop_last) begin
        pc_l_q[pop_warp]      <= pop_pc_l;
        mask_l_q[pop_warp]    <= pop_mask_l;
        level_l_q[pop_warp]   <= pop_level_l;
        pc_r_q[pop_warp]      <= pop_pc_r;
        mask_r_q[pop_warp]    <= pop_mask_r;
        level_r_q[pop_warp]   <= pop_level_r;
        rpc_q[pop_warp]       <= pop_rpc;
        rpc_level_q[pop_warp] <= pop_rpc_level;
        valid_l_q[pop_warp]   <= pop_mask_l != '0;
        valid_r_q[pop_warp]   <= pop_mask_r != '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (push && !replace) below[kept_addr] <= kept_entry;
  end

  // ---------------------------------------------------------------------------------------------------- outputs
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_state
      assign pc_o[w*32 +: 32]                             = pc_l_q[w];
      assign pc_o[(NumWarps+w)*32 +: 32]                  = pc_r_q[w];
      assign mask_o[w*Lanes +: Lanes]                     = mask_l_q[w];
      assign mask_o[(NumWarps+w)*Lanes +: Lanes]          = mask_r_q[w];
      assign level_o[w*LevelW +: LevelW]                  = level_l_q[w];
      assign level_o[(NumWarps+w)*LevelW +: LevelW]       = level_r_q[w];
      assign rpc_o[w*32 +: 32]                            = rpc_q[w];
      assign rpc_level_o[w*LevelW +: LevelW]              = rpc_level_q[w];
      assign live_o[w*Lanes +: Lanes]                     = live_q[w];
      assign depth_o[w*DepthW +: DepthW]                  = depth_q[w];
    end
  endgenerate
  assign valid_o          = {valid_r_q, valid_l_q};
  assign sibling_o        = {valid_l_q, valid_r_q};
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
        // An empty slot cannot issue.
        assert (advance_slot_i ? valid_r_q[advance_warp_i] : valid_l_q[advance_warp_i]);
      end
      if (resolve_valid_i) begin
        assert (32'(resolve_warp_i) < NumWarps);      // resolve_warp_i names no warp
        // An empty slot has no branch to resolve.
        assert (resolve_slot_i ? valid_r_q[resolve_warp_i] : valid_l_q[resolve_warp_i]);
        assert (!(resolve_call_i && resolve_return_i));               // both a call and a return
        assert (!resolve_target_i[0] && !resolve_next_i[0]);          // an odd PC: it would be taken for RETURN
        assert (!resolve_rpc_i[0] || (resolve_rpc_i[31:1] == '0));    // RETURN is told with an address
      end
      // A path with an unresolved branch does not advance.
      assert (!(advance_valid_i && resolve_valid_i && (advance_warp_i == resolve_warp_i) &&
                (advance_slot_i == resolve_slot_i)));
    end
  end
`endif
endmodule
