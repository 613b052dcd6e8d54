// SPDX-License-Identifier: Apache-2.0
// spe_stack: single-path reconvergence (PDOM) stacks of NumWarps warps; the top of stack (TOS) of each warp in
// registers, the entries below it in storage.
//
// Contract
//   Latency  launch and advance act at the edge at which they are sampled. A resolution is taken in there and acts at
//            the next edge, a pop is chosen in one cycle and done at the edge that ends the next: events show the cycle
//            that ends with the act, and depend on registers only.
//   Order    Advance, resolution and pop of different warps are independent and happen together. One choice a cycle:
//            the lowest warp that has entries and no path and is not being popped.
//            A divergence keeps the diverging entry at the place where its sides meet below them, unless that is its
//            own (tail): then it is replaced. An overflow changes nothing, the live mask included.
//            Where a path has returned to is learnt in the cycle in which it arrives, by its own entry or by the one
//            that is pushed in that cycle, and goes down with the pop of that entry: to a sibling's rpc, or to the PC
//            of the entry that waits for it, which may thereby have arrived itself and is popped in the next cycle.
//   Reset    asynchronous, active low; no warp has an entry, all registers 0. The storage has no reset: an entry is
//            written before it is read.
//   Idle     warp outputs of events are 0 while their valid is 0.
//   Assumes  (asserted) launch of a warp with depth 0 and a mask that is not empty; advance and resolution of a path
//            that is there; no advance or further resolution of a warp until its resolution has acted; PCs with bit 0
//            clear, RETURN as exactly 1; nothing that is both a call and a return.
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
  if (PushOrder < 0 || PushOrder > 3) PushOrder_must_be_0_to_3 limit ();
  if (LevelW < 2 || LevelW > 16) LevelW_must_be_2_to_16 limit ();   // up is not down

  localparam int EntryW   = 2 * (32 + LevelW) + Lanes + 1;   // {pc, mask, level, rpc, rpc_level, sibling}
  localparam int IndexW   = heddle_pkg::idx_width(Depth - 1);
  localparam int NumBelow = NumWarps << IndexW;              // rows of storage: {warp, index}, index 0 the bottom
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

  // ---------------------------------------------------------------------------------------- a resolution is taken in
  // Nothing moves its path until it acts: what it will do is known now.
  logic [31:0]       old_rpc;
  logic [LevelW-1:0] old_level, old_rpc_level;
  logic [Lanes-1:0]  live, active, taken, not_taken;
  logic [LevelW-1:0] up_level, down_level, taken_level;
  logic              to_return;                   // the sides meet where their function returns to
  logic              own_place;                   // ... at the entry's own place, whatever its address
  logic              same_target, divergent, tail, taken_side, next_side, overflow;
  logic [31:0]       rpc, new_rpc, learnt_rpc;    // where the sides meet; the same when a side has brought its address
  logic [LevelW-1:0] new_level, new_rpc_level;    // of the path kept below; of the sides
  logic              same_is_old, down_is_old, taken_is_old;  // level of the entry's own place?
  logic              unknown, taken_at_old, next_at_old, taken_at_new, next_at_new;
  logic              goes_taken, goes_next;       // uniform; neither: no thread is left
  logic              uniform_ends, uniform_learns;
  logic              one_more, two_more;          // entries after a push than before
  logic [DepthW-1:0] old_depth, new_depth;

  assign old_level     = level_q[resolve_warp_i];
  assign old_rpc       = rpc_q[resolve_warp_i];
  assign old_rpc_level = rpc_level_q[resolve_warp_i];
  assign live          = live_q[resolve_warp_i] & ~resolve_exit_i;
  assign active        = mask_q[resolve_warp_i] & live;
  assign taken         = resolve_taken_i & active;
  assign not_taken     = ~resolve_taken_i & active;

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
  assign goes_taken     = (taken != '0) && (not_taken == '0);
  assign goes_next      = (not_taken != '0) && !divergent;
  assign uniform_ends   = !(goes_taken || goes_next) || (goes_taken ? taken_at_old : next_at_old);

  assign taken_side     = !(own_place ? taken_at_old : taken_at_new);
  assign next_side      = !(own_place ? next_at_old : next_at_new);
  // The address that is learnt is always the target: a path that arrives in another way finds its address known.
  assign learnt_rpc     = {resolve_target_i[31:1], 1'b1};
  assign new_rpc        = (rpc[0] && !taken_side) ? learnt_rpc : rpc;
  assign uniform_learns = old_rpc[0] && goes_taken && taken_at_old;
  assign one_more       = (taken_side && next_side) ^ !tail;
  assign two_more       = taken_side && next_side && !tail;
  assign old_depth      = depth_q[resolve_warp_i];
  assign new_depth      = two_more ? old_depth + DepthW'(2) : one_more ? old_depth + DepthW'(1) : old_depth;
  assign overflow       = divergent && (((one_more || two_more) && (old_depth == DepthW'(Depth))) ||
                                        (two_more && (old_depth == DepthW'(Depth - 1))));

  logic              acting_q;                    // a resolution has been taken in; of it:
  logic [WarpW-1:0]  act_warp_q;
  logic [31:0]       act_target_q, act_next_q;    // the PCs of the sides
  logic [Lanes-1:0]  act_taken_q, act_stay_q;     // the threads of the sides
  logic [LevelW-1:0] act_taken_level_q, act_level_q;
  logic [31:0]       act_rpc_q;                   // where they meet
  logic [LevelW-1:0] act_rpc_level_q;
  logic [Lanes-1:0]  act_live_q;
  logic [DepthW-1:0] act_depth_q;                 // after a push
  logic              act_divergent_q, act_overflow_q, act_tail_q;
  logic              act_taken_side_q, act_next_side_q;                         // that a divergence pushes
  logic              act_goes_taken_q, act_goes_next_q, act_ends_q, act_learns_q;   // without divergence
  logic              act_holds_q;                 // the path goes on behind its instruction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acting_q <= 1'b0;
    else         acting_q <= resolve_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (resolve_valid_i) begin
      act_warp_q        <= resolve_warp_i;
      act_target_q      <= resolve_target_i;
      act_next_q        <= resolve_next_i;
      act_taken_q       <= taken;
      act_stay_q        <= not_taken;
      act_taken_level_q <= taken_level;
      act_level_q       <= old_level;
      act_rpc_q         <= new_rpc;
      act_rpc_level_q   <= new_rpc_level;
      act_live_q        <= live;
      act_depth_q       <= new_depth;
      act_divergent_q   <= divergent;
      act_overflow_q    <= overflow;
      act_tail_q        <= tail;
      act_taken_side_q  <= taken_side;
      act_next_side_q   <= next_side;
      act_goes_taken_q  <= goes_taken;
      act_goes_next_q   <= goes_next;
      act_ends_q        <= uniform_ends;
      act_learns_q      <= uniform_learns;
      act_holds_q       <= (goes_next || (goes_taken && same_target)) && !uniform_ends;
    end
  end

  // -------------------------------------------------------------------------------------------------- and it acts
  logic              push, both_sides, taken_upper, to_taken;
  logic [31:0]       tos_pc, tos_rpc, lower_pc;
  logic [LevelW-1:0] tos_level, lower_level;
  logic [Lanes-1:0]  tos_mask, lower_mask;
  logic              old_sibling;
  logic              below_sibling;               // of a pushed entry that lies on what was there before

  assign push       = acting_q && act_divergent_q && !act_overflow_q;
  assign both_sides = act_taken_side_q && act_next_side_q;

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
          num_taken     = num_taken + CountW'(act_taken_q[l]);
          num_not_taken = num_not_taken + CountW'(act_stay_q[l]);
        end
      end
      assign taken_upper = (PushOrder == 2) ? (num_taken <= num_not_taken) : (num_taken >= num_not_taken);
    end
  endgenerate

  // The upper side becomes the TOS, as does the path that goes on; the lower side exists only if both do.
  assign to_taken      = !act_divergent_q ? act_goes_taken_q : both_sides ? taken_upper : act_taken_side_q;
  assign tos_pc        = to_taken ? act_target_q : act_next_q;
  assign tos_level     = to_taken ? act_taken_level_q : act_level_q;
  assign tos_mask      = act_divergent_q ? (to_taken ? act_taken_q : act_stay_q)
                                         : act_ends_q ? '0 : act_taken_q | act_stay_q;
  assign tos_rpc       = act_divergent_q ? act_rpc_q : {act_target_q[31:1], 1'b1};
  assign lower_pc      = to_taken ? act_next_q : act_target_q;
  assign lower_mask    = to_taken ? act_stay_q : act_taken_q;
  assign lower_level   = to_taken ? act_level_q : act_taken_level_q;
  assign old_sibling   = sibling_q[act_warp_q];
  assign below_sibling = act_tail_q && old_sibling;

  // Storage writes: the diverging entry unless replaced (tail), then the lower side above it; both sides remain then,
  // so neither has brought an address. Who waits at RETURN has PC 1.
  logic [31:0]       kept_pc;
  logic [IndexW-1:0] kept_at, lower_at;
  logic [EntryW-1:0] kept_entry, lower_entry;
  assign kept_pc     = act_rpc_q[0] ? 32'd1 : act_rpc_q;
  assign lower_at    = IndexW'(act_depth_q - DepthW'(2));
  assign kept_at     = lower_at - IndexW'(both_sides);
  assign kept_entry  = {kept_pc, act_taken_q | act_stay_q, act_rpc_level_q, rpc_q[act_warp_q], rpc_level_q[act_warp_q],
                        old_sibling};
  assign lower_entry = {lower_pc, lower_mask, lower_level, act_rpc_q, act_rpc_level_q, below_sibling};

  always_ff @(posedge clk_i) begin
    if (push && !act_tail_q) below[AddrW'({act_warp_q, kept_at})] <= kept_entry;
    if (push && both_sides)  below[AddrW'({act_warp_q, lower_at})] <= lower_entry;
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
  logic [31:0]       pop_saved_pc, pop_saved_rpc, pop_old_rpc, pop_address, pop_pc, pop_rpc;
  logic [LevelW-1:0] pop_level, pop_rpc_level;
  logic [Lanes-1:0]  pop_saved_mask, pop_mask;
  logic              pop_sibling, pop_same_place, pop_fills, pop_arrives, pop_valid;

  assign {pop_saved_pc, pop_saved_mask, pop_level, pop_saved_rpc, pop_rpc_level, pop_sibling} =
    below[AddrW'({pop_warp_q, pop_at_q})];

  // What the old top has learnt goes to the rpc of a sibling, or to the PC of the entry that waits for it. (Not both:
  // then its place would be that of its sides, and a tail.)
  assign pop_old_rpc    = rpc_q[pop_warp_q];
  assign pop_same_place = pop_old_rpc[0] && pop_saved_rpc[0] && (rpc_level_q[pop_warp_q] == pop_rpc_level);
  assign pop_rpc        = pop_same_place ? pop_old_rpc : pop_saved_rpc;
  assign pop_fills      = pop_saved_pc[0];
  assign pop_address    = {pop_old_rpc[31:1], 1'b0};
  assign pop_pc         = pop_fills ? pop_address : pop_saved_pc;
  assign pop_arrives    = pop_fills && (pop_saved_rpc != '0) && (pop_address == pop_saved_rpc) &&
                          (pop_level == pop_rpc_level);
  assign pop_valid      = !pop_arrives && ((pop_saved_mask & live_q[pop_warp_q]) != '0);
  assign pop_mask       = pop_arrives ? '0 : pop_saved_mask & live_q[pop_warp_q];

  // ------------------------------------------------------------------------------------------------------ state
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      logic        launches, advances, acts;
      logic        step_ends;                 // an advance arrives (not at RETURN: that is odd and no PC is)

      assign launches  = launch_valid_i && (launch_warp_i == WarpW'(w));
      assign advances  = advance_valid_i && (advance_warp_i == WarpW'(w));
      assign acts      = acting_q && !act_overflow_q && (act_warp_q == WarpW'(w));
      assign pops[w]   = pop_q && (pop_warp_q == WarpW'(w));
      assign ended[w]  = !valid_q[w] && (depth_q[w] != '0) && !pops[w];
      assign step_ends = (rpc_q[w] != '0) && heddle_pkg::sum_is(pc_q[w], 32'd4, rpc_q[w]) &&
                         (level_q[w] == rpc_level_q[w]);

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          pc_q[w]        <= '0;
          mask_q[w]      <= '0;
          level_q[w]     <= '0;
          rpc_q[w]       <= '0;
          rpc_level_q[w] <= '0;
          live_q[w]      <= '0;
          depth_q[w]     <= '0;
          sibling_q[w]   <= 1'b0;
          valid_q[w]     <= 1'b0;
        end else begin
          if (launches) begin
            pc_q[w]        <= launch_pc_i;
            mask_q[w]      <= launch_mask_i;
            level_q[w]     <= '0;
            rpc_q[w]       <= '0;
            rpc_level_q[w] <= '0;
            live_q[w]      <= launch_mask_i;
            depth_q[w]     <= DepthW'(1);
            sibling_q[w]   <= 1'b0;
            valid_q[w]     <= 1'b1;
          end
          if (acts) begin
            if (act_divergent_q || act_goes_taken_q || act_goes_next_q) begin
              pc_q[w]    <= tos_pc;
              level_q[w] <= tos_level;
            end
            if (act_divergent_q || act_learns_q) rpc_q[w] <= tos_rpc;
            if (act_divergent_q) begin
              rpc_level_q[w] <= act_rpc_level_q;
              depth_q[w]     <= act_depth_q;
              sibling_q[w]   <= both_sides || below_sibling;
            end
            mask_q[w]  <= tos_mask;
            live_q[w]  <= act_live_q;
            valid_q[w] <= act_divergent_q || !act_ends_q;
          end
          if (pops[w]) depth_q[w] <= depth_q[w] - DepthW'(1);
          if (pops[w] && !pop_last_q) begin
            pc_q[w]        <= pop_pc;
            mask_q[w]      <= pop_mask;
            level_q[w]     <= pop_level;
            rpc_q[w]       <= pop_rpc;
            rpc_level_q[w] <= pop_rpc_level;
            sibling_q[w]   <= pop_sibling;
            valid_q[w]     <= pop_valid;
          end
          if (advances) begin
            pc_q[w] <= pc_q[w] + 32'd4;
            if (step_ends) begin
              mask_q[w]  <= '0;
              valid_q[w] <= 1'b0;
            end
          end
        end
      end

      assign pc_o[w*32 +: 32]                = pc_q[w];
      assign mask_o[w*Lanes +: Lanes]        = mask_q[w];
      assign level_o[w*LevelW +: LevelW]     = level_q[w];
      assign rpc_o[w*32 +: 32]               = rpc_q[w];
      assign rpc_level_o[w*LevelW +: LevelW] = rpc_level_q[w];
      assign live_o[w*Lanes +: Lanes]        = live_q[w];
      assign depth_o[w*DepthW +: DepthW]     = depth_q[w];
    end
  endgenerate

  // A launch and a resolution may both raise it in one cycle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                                   max_depth_q <= '0;
    else if (push && (act_depth_q > max_depth_q))  max_depth_q <= act_depth_q;
    else if (launch_valid_i && max_depth_q == '0)  max_depth_q <= DepthW'(1);
  end

  // ---------------------------------------------------------------------------------------------------- outputs
  assign valid_o          = valid_q;
  assign sibling_o        = sibling_q;
  assign max_depth_o      = max_depth_q;
  assign resolved_valid_o = acting_q && !act_overflow_q;
  assign resolved_warp_o  = resolved_valid_o ? act_warp_q : '0;
  assign resolved_slot_o  = 1'b0;
  assign resolved_next_o  = resolved_valid_o && act_holds_q;
  assign push_valid_o     = push;
  assign push_warp_o      = push ? act_warp_q : '0;
  assign overflow_valid_o = acting_q && act_overflow_q;
  assign overflow_warp_o  = overflow_valid_o ? act_warp_q : '0;
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
        assert (valid_q[advance_warp_i]);             // an empty path cannot issue
      end
      if (resolve_valid_i) begin
        assert (32'(resolve_warp_i) < NumWarps);      // resolve_warp_i names no warp
        assert (valid_q[resolve_warp_i]);             // an empty path has no branch to resolve
        assert (!(acting_q && (act_warp_q == resolve_warp_i)));       // a second resolution before the first acts
        assert (!(resolve_call_i && resolve_return_i));               // both a call and a return
        assert (!resolve_target_i[0] && !resolve_next_i[0]);          // an odd PC: it would be taken for RETURN
        assert (!resolve_rpc_i[0] || (resolve_rpc_i[31:1] == '0));    // RETURN is told with an address
      end
      // A path with an unresolved branch does not advance.
      assert (!(advance_valid_i && resolve_valid_i && (advance_warp_i == resolve_warp_i)));
      assert (!(advance_valid_i && acting_q && (advance_warp_i == act_warp_q)));
    end
  end
`endif
endmodule
