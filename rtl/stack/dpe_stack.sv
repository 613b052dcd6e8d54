// SPDX-License-Identifier: Apache-2.0
// dpe_stack: dual-path reconvergence stacks of NumWarps warps; the top of stack (TOS) of each warp, with its two
// schedulable paths, in registers, the entries below it in storage.
//
// Contract
//   Latency  launch and advance act at the edge at which they are sampled. A resolution is taken in there and acts at
//            the next edge, a pop is chosen in one cycle and done at the edge that ends the next: events show the cycle
//            that ends with the act. They depend on registers and, push, overflow and resolved, on advance_*.
//   Order    An advance of the other slot in the cycle in which a divergence acts is applied first: what is saved below
//            the new entry, or looked at for the tail rule, is that slot after its advance. It is kept when the push
//            overflows, too; apart from it an overflow changes nothing, the live mask included.
//            Advance, resolution and pop of different warps are independent and happen together. One choice a cycle:
//            the lowest warp that has entries and no path and is not being popped.
//            Where a path has returned to is learnt in the cycle in which it arrives, by its own entry or by the one
//            that is pushed in that cycle, and goes down with the pop of that entry: to an rpc that is the same place,
//            or to the PC of the slot that waits for it, which may thereby have arrived itself and becomes empty.
//   Reset    asynchronous, active low; no warp has an entry, all registers 0. The storage has no reset: an entry is
//            written before it is read.
//   Idle     warp outputs of events are 0 while their valid is 0. An empty slot keeps its PC as last written.
//   Assumes  (asserted) launch of a warp with depth 0 and a mask that is not empty; advance and resolution of a slot
//            that is not empty; no advance of a slot, and no further resolution of its warp, until its resolution has
//            acted; PCs with bit 0 clear, RETURN as exactly 1; nothing that is both a call and a return.
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
  output logic                       resolved_valid_o,
  output logic [WarpW-1:0]           resolved_warp_o,
  output logic                       resolved_slot_o,
  output logic                       resolved_next_o,
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
  localparam int SlotW    = 32 + Lanes + LevelW;             // {pc, mask, level}
  localparam int EntryW   = 2 * SlotW + 32 + LevelW;
  localparam int IndexW   = heddle_pkg::idx_width(Depth - 1);
  localparam int NumBelow = NumWarps << IndexW;              // rows of storage: {warp, index}, index 0 the bottom
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

  // ---------------------------------------------------------------------------------------- a resolution is taken in
  // "own" is the slot that resolves. Until its resolution acts nothing moves it; only the other slot may go on.
  logic [31:0]       old_rpc;
  logic [Lanes-1:0]  own_mask;
  logic [LevelW-1:0] own_level, old_rpc_level;
  logic [Lanes-1:0]  live, active, taken, not_taken;
  logic [LevelW-1:0] up_level, down_level, taken_level;
  logic              to_return;                    // the sides meet where their function returns to
  logic              own_place;                    // ... at the entry's own place, whatever its address
  logic [31:0]       rpc, new_rpc, learnt_rpc;     // where the sides meet; the same when a side has brought its address
  logic [LevelW-1:0] kept_level, new_rpc_level;    // of the slot that waits below; of the sides
  logic              same_is_old, down_is_old, taken_is_old;   // level of the entry's own place?
  logic              unknown, taken_at_old, next_at_old, taken_at_new, next_at_new, taken_arrives, next_arrives;
  logic              same_target, divergent, tail;
  logic              goes_taken, goes_next;        // uniform; neither: no thread is left
  logic              uniform_ends, uniform_learns;

  assign own_mask      = resolve_slot_i ? mask_r_q[resolve_warp_i] : mask_l_q[resolve_warp_i];
  assign own_level     = resolve_slot_i ? level_r_q[resolve_warp_i] : level_l_q[resolve_warp_i];
  assign old_rpc       = rpc_q[resolve_warp_i];
  assign old_rpc_level = rpc_level_q[resolve_warp_i];

  assign live      = live_q[resolve_warp_i] & ~resolve_exit_i;
  assign active    = own_mask & live;
  assign taken     = resolve_taken_i & active;
  assign not_taken = ~resolve_taken_i & active;

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

  assign same_target    = resolve_target_i == resolve_next_i;
  assign divergent      = (taken != '0) && (not_taken != '0) && !same_target;
  assign goes_taken     = (taken != '0) && (not_taken == '0);
  assign goes_next      = (not_taken != '0) && !divergent;
  assign uniform_ends   = !(goes_taken || goes_next) || (goes_taken ? taken_at_old : next_at_old);
  assign uniform_learns = old_rpc[0] && goes_taken && taken_at_old;

  logic              acting_q;                    // a resolution has been taken in; of it:
  logic [WarpW-1:0]  act_warp_q;
  logic              act_slot_q;
  logic [31:0]       act_target_q, act_next_q;    // the PCs of the sides
  logic [Lanes-1:0]  act_taken_q, act_stay_q;     // the threads of the sides
  logic [LevelW-1:0] act_taken_level_q, act_level_q;
  logic [31:0]       act_rpc_q;                   // where they meet
  logic [LevelW-1:0] act_rpc_level_q;
  logic [Lanes-1:0]  act_live_q;
  logic              act_divergent_q, act_tail_q;
  logic              act_full_q;                  // no room for one more entry
  logic              act_taken_side_q, act_next_side_q;                             // that a divergence pushes
  logic              act_goes_taken_q, act_goes_next_q, act_ends_q, act_learns_q;   // without divergence
  logic              act_holds_q;                 // the path goes on behind its instruction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acting_q <= 1'b0;
    else         acting_q <= resolve_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (resolve_valid_i) begin
      act_warp_q        <= resolve_warp_i;
      act_slot_q        <= resolve_slot_i;
      act_target_q      <= resolve_target_i;
      act_next_q        <= resolve_next_i;
      act_taken_q       <= taken;
      act_stay_q        <= not_taken;
      act_taken_level_q <= taken_level;
      act_level_q       <= own_level;
      act_rpc_q         <= new_rpc;
      act_rpc_level_q   <= new_rpc_level;
      act_live_q        <= live;
      act_divergent_q   <= divergent;
      act_tail_q        <= tail;
      act_full_q        <= depth_q[resolve_warp_i] >= DepthW'(Depth);
      act_taken_side_q  <= !taken_arrives;
      act_next_side_q   <= !next_arrives;
      act_goes_taken_q  <= goes_taken;
      act_goes_next_q   <= goes_next;
      act_ends_q        <= uniform_ends;
      act_learns_q      <= uniform_learns;
      act_holds_q       <= (goes_next || (goes_taken && same_target)) && !uniform_ends;
    end
  end

  // -------------------------------------------------------------------------------------------------- and it acts
  // "other" is the other slot of the same entry, after an advance in this cycle.
  logic [NumWarps-1:0] step_ends_l, step_ends_r;     // an advance arrives (not at RETURN: that is odd and no PC is)
  logic [31:0]         own_pc, other_pc, other_step;
  logic [Lanes-1:0]    other_mask;
  logic [LevelW-1:0]   other_level;
  logic                other_advances, other_ends, other_empty;
  logic                replace, overflow, push;
  logic [DepthW-1:0]   old_depth, grown_depth;

  assign own_pc         = act_slot_q ? pc_r_q[act_warp_q] : pc_l_q[act_warp_q];
  assign other_step     = (act_slot_q ? pc_l_q[act_warp_q] : pc_r_q[act_warp_q]) + 32'd4;
  assign other_advances = advance_valid_i && (advance_warp_i == act_warp_q) && (advance_slot_i != act_slot_q);
  assign other_ends     = other_advances && (act_slot_q ? step_ends_l[act_warp_q] : step_ends_r[act_warp_q]);
  assign other_pc       = other_advances ? other_step : act_slot_q ? pc_l_q[act_warp_q] : pc_r_q[act_warp_q];
  assign other_mask     = other_ends     ? '0 : act_slot_q ? mask_l_q[act_warp_q] : mask_r_q[act_warp_q];
  assign other_level    = act_slot_q ? level_l_q[act_warp_q] : level_r_q[act_warp_q];
  assign other_empty    = other_ends || !(act_slot_q ? valid_l_q[act_warp_q] : valid_r_q[act_warp_q]);

  assign old_depth   = depth_q[act_warp_q];
  assign replace     = act_tail_q && other_empty;
  assign overflow    = acting_q && act_divergent_q && act_full_q && !replace;
  assign push        = acting_q && act_divergent_q && !overflow;
  assign grown_depth = old_depth + DepthW'(1);

  // The new entry: a side that has already arrived is an empty slot. Without divergence own slot goes on.
  logic [Lanes-1:0]  taken_side, next_side, new_mask_l, new_mask_r, uniform_mask;
  logic [31:0]       new_pc_l, new_pc_r, tos_rpc, uniform_pc;
  logic [LevelW-1:0] new_level_l, new_level_r, uniform_level;

  assign taken_side  = act_taken_side_q ? act_taken_q : '0;
  assign next_side   = act_next_side_q ? act_stay_q : '0;
  assign new_pc_l    = (TakenLeft != 0) ? act_target_q : act_next_q;
  assign new_pc_r    = (TakenLeft != 0) ? act_next_q : act_target_q;
  assign new_mask_l  = (TakenLeft != 0) ? taken_side : next_side;
  assign new_mask_r  = (TakenLeft != 0) ? next_side : taken_side;
  assign new_level_l = (TakenLeft != 0) ? act_taken_level_q : act_level_q;
  assign new_level_r = (TakenLeft != 0) ? act_level_q : act_taken_level_q;

  assign uniform_pc    = act_goes_taken_q ? act_target_q : act_next_q;
  assign uniform_mask  = act_ends_q ? '0 : act_taken_q | act_stay_q;
  assign uniform_level = act_goes_taken_q ? act_taken_level_q : act_level_q;
  assign tos_rpc       = act_divergent_q ? act_rpc_q : {act_target_q[31:1], 1'b1};

  // The entry kept below it: own slot waits where the sides meet (at RETURN with PC 1), or is empty if its entry ends
  // there (tail).
  logic [SlotW-1:0]  kept_slot, other_slot;
  logic [AddrW-1:0]  kept_addr;
  logic [EntryW-1:0] kept_entry;

  assign kept_slot  = act_tail_q ? {own_pc, {Lanes{1'b0}}, act_level_q}
                                 : {act_rpc_q[0] ? 32'd1 : act_rpc_q, act_taken_q | act_stay_q, act_rpc_level_q};
  assign other_slot = {other_pc, other_mask, other_level};
  assign kept_addr  = AddrW'({act_warp_q, IndexW'(old_depth - DepthW'(1))});
  assign kept_entry = {act_slot_q ? {other_slot, kept_slot} : {kept_slot, other_slot},
                       rpc_q[act_warp_q], rpc_level_q[act_warp_q]};

  always_ff @(posedge clk_i) begin
    if (push && !replace) below[kept_addr] <= kept_entry;
  end

  // --------------------------------------------------------------------------------------------- a pop is chosen
  // Warps whose index has bit b set.
  function automatic logic [NumWarps-1:0] with_bit(input int b);
    with_bit = '0;
    for (int i = 0; i < NumWarps; i++) with_bit[i] = ((i >> b) % 2) == 1;
  endfunction

  logic                pop_q, pop_last_q;     // the warp is popped in this cycle; it ends
  logic [WarpW-1:0]    pop_warp_q;
  logic [IndexW-1:0]   pop_at_q;              // index of the entry that becomes the TOS
  logic [NumWarps-1:0] pops;
  logic [NumWarps-1:0] ended, chosen;         // entries and no path; the lowest such warp, one-hot
  logic                chosen_last;
  logic [WarpW-1:0]    chosen_warp;
  logic [IndexW-1:0]   chosen_at;

  assign chosen = ended & (~ended + NumWarps'(1));
  generate
    for (genvar b = 0; b < WarpW; b++) begin : gen_chosen_warp
      localparam logic [NumWarps-1:0] WithBit = with_bit(b);
      assign chosen_warp[b] = (chosen & WithBit) != '0;
    end
  endgenerate
  always_comb begin
    chosen_last = 1'b0;
    chosen_at   = '0;
    for (int w = 0; w < NumWarps; w++) begin
      chosen_last |= chosen[w] && (depth_q[w] == DepthW'(1));
      chosen_at   |= chosen[w] ? IndexW'(depth_q[w] - DepthW'(2)) : '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pop_q      <= 1'b0;
      pop_last_q <= 1'b0;
      pop_warp_q <= '0;
      pop_at_q   <= '0;
    end else begin
      pop_q      <= ended != '0;
      pop_last_q <= chosen_last;
      pop_warp_q <= chosen_warp;
      pop_at_q   <= chosen_at;
    end
  end

  // --------------------------------------------------------------------------------------------------- and done
  logic [31:0]       pop_saved_pc_l, pop_saved_pc_r, pop_saved_rpc, pop_old_rpc, pop_address;
  logic [31:0]       pop_pc_l, pop_pc_r, pop_rpc;
  logic [Lanes-1:0]  pop_saved_l, pop_saved_r, pop_mask_l, pop_mask_r;
  logic [LevelW-1:0] pop_level_l, pop_level_r, pop_rpc_level;
  logic              pop_same_place, pop_at_rpc, pop_arrives_l, pop_arrives_r, pop_valid_l, pop_valid_r;

  assign {pop_saved_pc_l, pop_saved_l, pop_level_l, pop_saved_pc_r, pop_saved_r, pop_level_r,
          pop_saved_rpc, pop_rpc_level} = below[AddrW'({pop_warp_q, pop_at_q})];

  // What the old top has learnt goes to the rpc below if that is the same place, or to the PC of the slot that waits
  // for it. (Not both: then the place of that slot would be that of its sides, and a tail.)
  assign pop_old_rpc    = rpc_q[pop_warp_q];
  assign pop_address    = {pop_old_rpc[31:1], 1'b0};
  assign pop_same_place = pop_old_rpc[0] && pop_saved_rpc[0] && (rpc_level_q[pop_warp_q] == pop_rpc_level);
  assign pop_rpc        = pop_same_place ? pop_old_rpc : pop_saved_rpc;
  assign pop_pc_l       = pop_saved_pc_l[0] ? pop_address : pop_saved_pc_l;
  assign pop_pc_r       = pop_saved_pc_r[0] ? pop_address : pop_saved_pc_r;
  assign pop_at_rpc     = (pop_saved_rpc != '0) && (pop_address == pop_saved_rpc);
  assign pop_arrives_l  = pop_saved_pc_l[0] && pop_at_rpc && (pop_level_l == pop_rpc_level);
  assign pop_arrives_r  = pop_saved_pc_r[0] && pop_at_rpc && (pop_level_r == pop_rpc_level);
  assign pop_valid_l    = !pop_arrives_l && ((pop_saved_l & live_q[pop_warp_q]) != '0);
  assign pop_valid_r    = !pop_arrives_r && ((pop_saved_r & live_q[pop_warp_q]) != '0);
  assign pop_mask_l     = pop_arrives_l ? '0 : pop_saved_l & live_q[pop_warp_q];
  assign pop_mask_r     = pop_arrives_r ? '0 : pop_saved_r & live_q[pop_warp_q];

  // ------------------------------------------------------------------------------------------------------ state
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      logic launches, advances_l, advances_r, pushes, goes_on;

      assign launches       = launch_valid_i && (launch_warp_i == WarpW'(w));
      assign advances_l     = advance_valid_i && (advance_warp_i == WarpW'(w)) && !advance_slot_i;
      assign advances_r     = advance_valid_i && (advance_warp_i == WarpW'(w)) && advance_slot_i;
      assign pushes         = push && (act_warp_q == WarpW'(w));
      assign goes_on        = acting_q && !act_divergent_q && (act_warp_q == WarpW'(w));
      assign pops[w]        = pop_q && (pop_warp_q == WarpW'(w));
      assign ended[w]       = !valid_l_q[w] && !valid_r_q[w] && (depth_q[w] != '0) && !pops[w];
      assign step_ends_l[w] = (rpc_q[w] != '0) && heddle_pkg::sum_is(pc_l_q[w], 32'd4, rpc_q[w]) &&
                              (level_l_q[w] == rpc_level_q[w]);
      assign step_ends_r[w] = (rpc_q[w] != '0) && heddle_pkg::sum_is(pc_r_q[w], 32'd4, rpc_q[w]) &&
                              (level_r_q[w] == rpc_level_q[w]);

      // The last write of a register wins: advance before push.
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
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
          valid_l_q[w]   <= 1'b0;
          valid_r_q[w]   <= 1'b0;
        end else begin
          if (launches) begin
            pc_l_q[w]      <= launch_pc_i;
            mask_l_q[w]    <= launch_mask_i;
            level_l_q[w]   <= '0;
            pc_r_q[w]      <= '0;
            mask_r_q[w]    <= '0;
            level_r_q[w]   <= '0;
            rpc_q[w]       <= '0;
            rpc_level_q[w] <= '0;
            live_q[w]      <= launch_mask_i;
            depth_q[w]     <= DepthW'(1);
            valid_l_q[w]   <= 1'b1;
            valid_r_q[w]   <= 1'b0;
          end
          if (goes_on && !act_slot_q) begin
            if (act_goes_taken_q || act_goes_next_q) begin
              pc_l_q[w]    <= uniform_pc;
              level_l_q[w] <= uniform_level;
            end
            mask_l_q[w]  <= uniform_mask;
            valid_l_q[w] <= !act_ends_q;
          end
          if (goes_on && act_slot_q) begin
            if (act_goes_taken_q || act_goes_next_q) begin
              pc_r_q[w]    <= uniform_pc;
              level_r_q[w] <= uniform_level;
            end
            mask_r_q[w]  <= uniform_mask;
            valid_r_q[w] <= !act_ends_q;
          end
          if (pops[w]) depth_q[w] <= depth_q[w] - DepthW'(1);
          if (pops[w] && !pop_last_q) begin
            pc_l_q[w]      <= pop_pc_l;
            mask_l_q[w]    <= pop_mask_l;
            level_l_q[w]   <= pop_level_l;
            pc_r_q[w]      <= pop_pc_r;
            mask_r_q[w]    <= pop_mask_r;
            level_r_q[w]   <= pop_level_r;
            rpc_q[w]       <= pop_rpc;
            rpc_level_q[w] <= pop_rpc_level;
            valid_l_q[w]   <= pop_valid_l;
            valid_r_q[w]   <= pop_valid_r;
          end
          if (advances_l) begin
            pc_l_q[w] <= pc_l_q[w] + 32'd4;
            if (step_ends_l[w]) begin
              mask_l_q[w]  <= '0;
              valid_l_q[w] <= 1'b0;
            end
          end
          if (advances_r) begin
            pc_r_q[w] <= pc_r_q[w] + 32'd4;
            if (step_ends_r[w]) begin
              mask_r_q[w]  <= '0;
              valid_r_q[w] <= 1'b0;
            end
          end
          if (pushes) begin
            pc_l_q[w]      <= new_pc_l;
            mask_l_q[w]    <= new_mask_l;
            level_l_q[w]   <= new_level_l;
            pc_r_q[w]      <= new_pc_r;
            mask_r_q[w]    <= new_mask_r;
            level_r_q[w]   <= new_level_r;
            rpc_level_q[w] <= act_rpc_level_q;
            valid_l_q[w]   <= (TakenLeft != 0) ? act_taken_side_q : act_next_side_q;
            valid_r_q[w]   <= (TakenLeft != 0) ? act_next_side_q : act_taken_side_q;
          end
          if (pushes && !replace) depth_q[w] <= grown_depth;
          if (pushes || (goes_on && act_learns_q)) rpc_q[w] <= tos_rpc;
          if (pushes || goes_on) live_q[w] <= act_live_q;
        end
      end

      assign pc_o[w*32 +: 32]                       = pc_l_q[w];
      assign pc_o[(NumWarps+w)*32 +: 32]            = pc_r_q[w];
      assign mask_o[w*Lanes +: Lanes]               = mask_l_q[w];
      assign mask_o[(NumWarps+w)*Lanes +: Lanes]    = mask_r_q[w];
      assign level_o[w*LevelW +: LevelW]            = level_l_q[w];
      assign level_o[(NumWarps+w)*LevelW +: LevelW] = level_r_q[w];
      assign rpc_o[w*32 +: 32]                      = rpc_q[w];
      assign rpc_level_o[w*LevelW +: LevelW]        = rpc_level_q[w];
      assign live_o[w*Lanes +: Lanes]               = live_q[w];
      assign depth_o[w*DepthW +: DepthW]            = depth_q[w];
    end
  endgenerate

  // A launch and a resolution may both raise it in one cycle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                                                 max_depth_q <= '0;
    else if (push && !replace && (grown_depth > max_depth_q))    max_depth_q <= grown_depth;
    else if (launch_valid_i && max_depth_q == '0)                max_depth_q <= DepthW'(1);
  end

  // ---------------------------------------------------------------------------------------------------- outputs
  assign valid_o          = {valid_r_q, valid_l_q};
  assign sibling_o        = {valid_l_q, valid_r_q};
  assign max_depth_o      = max_depth_q;
  assign resolved_valid_o = acting_q && !overflow;
  assign resolved_warp_o  = resolved_valid_o ? act_warp_q : '0;
  assign resolved_slot_o  = resolved_valid_o && act_slot_q;
  assign resolved_next_o  = resolved_valid_o && act_holds_q;
  assign push_valid_o     = push;
  assign push_warp_o      = push ? act_warp_q : '0;
  assign overflow_valid_o = overflow;
  assign overflow_warp_o  = overflow ? act_warp_q : '0;
  assign pop_valid_o      = pop_q;
  assign pop_warp_o       = pop_warp_q;
  assign done_valid_o     = pop_last_q;
  assign done_warp_o      = pop_last_q ? pop_warp_q : '0;

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
        assert (!(acting_q && (act_warp_q == resolve_warp_i)));       // a second resolution before the first acts
        assert (!(resolve_call_i && resolve_return_i));               // both a call and a return
        assert (!resolve_target_i[0] && !resolve_next_i[0]);          // an odd PC: it would be taken for RETURN
        assert (!resolve_rpc_i[0] || (resolve_rpc_i[31:1] == '0));    // RETURN is told with an address
      end
      // A path with an unresolved branch does not advance.
      assert (!(advance_valid_i && resolve_valid_i && (advance_warp_i == resolve_warp_i) &&
                (advance_slot_i == resolve_slot_i)));
      assert (!(advance_valid_i && acting_q && (advance_warp_i == act_warp_q) && (advance_slot_i == act_slot_q)));
    end
  end
`endif
endmodule
