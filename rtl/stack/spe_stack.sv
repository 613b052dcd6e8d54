// SPDX-License-Identifier: Apache-2.0
// spe_stack: single-path reconvergence (PDOM) stacks of NumWarps warps. The top of stack (TOS) is in registers, the
// entries below are in storage.
//
// Contract
//   Latency  launch and advance act at the edge at which they are sampled. A resolution is taken in there and acts at
//            the next edge; a pop is chosen in one cycle and done at the edge that ends the next. Events show the cycle
//            that ends with the act.
//   Order    Events of different warps happen together. The lowest warp with entries, without path and pop, is popped
//            next. A kill wins over everything else of its warp; an overflow changes nothing. A divergence keeps its
//            entry where the sides meet, unless that is its own place (tail). An address that a return has brought goes
//            down with pops.
//   Reset    asynchronous, active low: no warp has an entry. Data have no reset.
//   Idle     warps of events, and the mask of an empty path, are 0.
//   Assumes  what stack_caller asserts; no call or return to PC 0.
//   Not here which path has an unresolved branch, and stopping a warp that overflowed: frontend.
// Source: PDOM stack as in Fung et al., "Dynamic Warp Formation", section 3.2; the rest: ours.
module spe_stack #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int Depth     = 16,  // entries of a stack, top included
  parameter  int PushOrder = 0,  // executes first: 0 taken, 1 fall-through, 2 smaller, 3 larger side (ties: taken)
  parameter  int LevelW    = 8,  // bits of a call level
  parameter  int Watch     = 1,  // 0: max_depth_o is left out
  parameter  int PcStep    = 4,  // bytes of an instruction: a power of two
  localparam int PcW       = heddle_pkg::PcW,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW    = heddle_pkg::idx_width(Depth + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from dispatcher
  input  logic                       launch_valid_i,
  input  logic [WarpW-1:0]           launch_warp_i,
  input  logic [PcW-1:0]             launch_pc_i,
  input  logic [Lanes-1:0]           launch_mask_i,
  input  logic                       kill_valid_i,
  input  logic [WarpW-1:0]           kill_warp_i,
  // from issue
  input  logic [NumWarps-1:0]        advance_i,
  // from execute
  input  logic                       resolve_valid_i,
  input  logic [WarpW-1:0]           resolve_warp_i,
  input  logic                       resolve_slot_i,
  input  logic [Lanes-1:0]           resolve_taken_i,
  input  logic [PcW-1:0]             resolve_target_i,
  input  logic [PcW-1:0]             resolve_next_i,
  input  logic [PcW-1:0]             resolve_rpc_i,
  input  logic [Lanes-1:0]           resolve_exit_i,
  input  logic                       resolve_call_i,
  input  logic                       resolve_return_i,
  // paths
  output logic [NumWarps*PcW-1:0]    pc_o,
  output logic [NumWarps*Lanes-1:0]  mask_o,
  output logic [NumWarps*LevelW-1:0] level_o,
  output logic [NumWarps-1:0]        valid_o,
  output logic [NumWarps-1:0]        sibling_o,
  // warps
  output logic [NumWarps*PcW-1:0]    rpc_o,
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

  if (Watch < 0 || Watch > 1) Watch_must_be_0_or_1 limit ();
  if (PcStep < 2) PcStep_must_be_at_least_2 limit ();   // an odd PC is none
  if ((PcStep & (PcStep - 1)) != 0) PcStep_must_be_a_power_of_two limit ();

  localparam int EntryW  = 2 * (PcW + LevelW) + Lanes + 1;   // {pc, mask, level, rpc, rpc_level, sibling}
  localparam int IndexW  = heddle_pkg::idx_width(Depth - 1);
  localparam int NumRows = NumWarps << (IndexW - 1);         // rows of a bank of storage
  localparam int AddrW   = heddle_pkg::idx_width(NumRows);

  // State: TOS, live mask and depth of every warp. (Storage for the entries below is that of u_even and u_odd.)
  logic [NumWarps*PcW-1:0]    pc_q, rpc_q;
  logic [NumWarps*Lanes-1:0]  mask_q, live_q;
  logic [NumWarps*LevelW-1:0] level_q, rpc_level_q;
  logic [NumWarps*DepthW-1:0] depth_q;
  logic [NumWarps-1:0]        sibling_q, valid_q;

  logic [NumWarps-1:0] launched, killed, advanced, resolving, acting, popped;   // the warp of each event, one-hot

  assign advanced = advance_i;

  logic unused_slot;
  assign unused_slot = resolve_slot_i;

  // ---------------------------------------------------------------------------------------- a resolution is taken in
  // Nothing moves its path until it acts: what it will do is known now.
  logic [PcW-1:0]    old_rpc;
  logic [LevelW-1:0] old_level, old_rpc_level;
  logic [Lanes-1:0]  old_mask, active, taken, not_taken;
  logic              same_target, divergent, taken_side, next_side, overflow;
  logic              goes_taken, goes_next;       // uniform; neither: no thread is left
  logic              uniform_ends, uniform_learns;
  logic              one_more, two_more;          // entries after a push than before
  logic [DepthW-1:0] old_depth, new_depth;

  always_comb begin
    old_mask      = '0;
    old_level     = '0;
    old_rpc       = '0;
    old_rpc_level = '0;
    old_depth     = '0;
    for (int w = 0; w < NumWarps; w++) begin
      old_mask      = old_mask      | (mask_q[w*Lanes +: Lanes] & {Lanes{resolving[w]}});
      old_level     = old_level     | (level_q[w*LevelW +: LevelW] & {LevelW{resolving[w]}});
      old_rpc       = old_rpc       | (rpc_q[w*PcW +: PcW] & {PcW{resolving[w]}});
      old_rpc_level = old_rpc_level | (rpc_level_q[w*LevelW +: LevelW] & {LevelW{resolving[w]}});
      old_depth     = old_depth     | (depth_q[w*DepthW +: DepthW] & {DepthW{resolving[w]}});
    end
  end

  // A path has live threads only.
  assign active    = old_mask & ~resolve_exit_i;
  assign taken     = resolve_taken_i & active;
  assign not_taken = ~resolve_taken_i & active;

  // Where the sides meet, and who is there already.
  logic [LevelW-1:0] target_level, meet_level;
  logic [PcW-1:0]    meet_rpc;
  logic              tail, target_arrives, next_arrives, target_at_own, next_at_own;
  resolve_sides #(
    .LevelW (LevelW)
  ) u_sides (
    .target_i         (resolve_target_i),
    .next_i           (resolve_next_i),
    .rpc_i            (resolve_rpc_i),
    .call_i           (resolve_call_i),
    .return_i         (resolve_return_i),
    .level_i          (old_level),
    .own_rpc_i        (old_rpc),
    .own_level_i      (old_rpc_level),
    .tail_o           (tail),
    .meet_rpc_o       (meet_rpc),
    .meet_level_o     (meet_level),
    .target_level_o   (target_level),
    .target_arrives_o (target_arrives),
    .next_arrives_o   (next_arrives),
    .target_at_own_o  (target_at_own),
    .next_at_own_o    (next_at_own)
  );

  assign same_target    = resolve_target_i == resolve_next_i;
  assign divergent      = (taken != '0) && (not_taken != '0) && !same_target;
  assign goes_taken     = (taken != '0) && (not_taken == '0);
  assign goes_next      = (not_taken != '0) && !divergent;
  assign uniform_ends   = !(goes_taken || goes_next) || (goes_taken ? target_at_own : next_at_own);

  assign taken_side     = !target_arrives;
  assign next_side      = !next_arrives;
  assign uniform_learns = old_rpc[0] && goes_taken && target_at_own;
  assign one_more       = (taken_side && next_side) ^ !tail;
  assign two_more       = taken_side && next_side && !tail;
  assign new_depth      = two_more ? old_depth + DepthW'(2) : one_more ? old_depth + DepthW'(1) : old_depth;
  assign overflow       = divergent && (((one_more || two_more) && (old_depth == DepthW'(Depth))) ||
                                        (two_more && (old_depth == DepthW'(Depth - 1))));

  logic              acting_q;                    // a resolution has been taken in; of it:
  logic [WarpW-1:0]  act_warp_q;
  logic [PcW-1:0]    act_target_q, act_next_q;    // the PCs of the sides
  logic [Lanes-1:0]  act_taken_q, act_stay_q;     // the threads of the sides
  logic [LevelW-1:0] act_taken_level_q, act_level_q;
  logic [PcW-1:0]    act_rpc_q;                   // where they meet
  logic [LevelW-1:0] act_rpc_level_q;
  logic [Lanes-1:0]  act_exit_q;
  logic [DepthW-1:0] act_depth_q;                 // after a push
  logic              act_divergent_q, act_overflow_q, act_tail_q;
  logic              act_taken_side_q, act_next_side_q;                         // that a divergence pushes
  logic              act_goes_taken_q, act_goes_next_q, act_ends_q, act_learns_q;   // without divergence
  logic              act_sibling_q;               // of the entry that diverges
  logic              act_holds_q;                 // the path goes on behind its instruction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acting_q <= 1'b0;
    else         acting_q <= (resolving & ~killed) != '0;
  end

  always_ff @(posedge clk_i) begin
    if (resolve_valid_i) begin
      act_warp_q        <= resolve_warp_i;
      act_target_q      <= resolve_target_i;
      act_next_q        <= resolve_next_i;
      act_taken_q       <= taken;
      act_stay_q        <= not_taken;
      act_taken_level_q <= target_level;
      act_level_q       <= old_level;
      act_rpc_q         <= meet_rpc;
      act_rpc_level_q   <= meet_level;
      act_exit_q        <= resolve_exit_i;
      act_depth_q       <= new_depth;
      act_divergent_q   <= divergent;
      act_overflow_q    <= overflow;
      act_tail_q        <= tail;
      act_taken_side_q  <= taken_side;
      act_next_side_q   <= next_side;
      act_goes_taken_q  <= goes_taken;
      act_goes_next_q   <= goes_next;
      act_ends_q        <= uniform_ends;
      act_sibling_q     <= (sibling_q & resolving) != '0;
      act_learns_q      <= uniform_learns;
      act_holds_q       <= (goes_next || (goes_taken && same_target)) && !uniform_ends;
    end
  end

  // -------------------------------------------------------------------------------------------------- and it acts
  logic              push, both_sides, taken_upper, to_taken;
  logic [PcW-1:0]    tos_pc, tos_rpc, lower_pc;
  logic [LevelW-1:0] tos_level, lower_level;
  logic [Lanes-1:0]  tos_mask, lower_mask;
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
  assign tos_mask      = !act_divergent_q ? act_taken_q | act_stay_q : to_taken ? act_taken_q : act_stay_q;
  assign tos_rpc       = act_divergent_q ? act_rpc_q : {act_target_q[PcW-1:1], 1'b1};
  assign lower_pc      = to_taken ? act_next_q : act_target_q;
  assign lower_mask    = to_taken ? act_stay_q : act_taken_q;
  assign lower_level   = to_taken ? act_level_q : act_taken_level_q;
  assign below_sibling = act_tail_q && act_sibling_q;

  // Storage writes: the diverging entry unless replaced (tail), then the lower side above it; both sides remain then,
  // so neither has brought an address. Who waits at RETURN has PC 1. Neighbours are in different banks: entries of even
  // index in one, of odd index in the other, so that each bank is written once.
  logic [PcW-1:0]    kept_pc, act_old_rpc;
  logic [LevelW-1:0] act_old_rpc_level;
  logic [IndexW-1:0] kept_at, lower_at;
  logic [EntryW-1:0] kept_entry, lower_entry;
  logic              keep, lay;                   // the diverging entry; the lower side
  logic [1:0]        bank_keeps, bank_writes;     // even, odd
  logic [EntryW-1:0] even_below, odd_below;

  always_comb begin
    act_old_rpc       = '0;
    act_old_rpc_level = '0;
    for (int w = 0; w < NumWarps; w++) begin
      act_old_rpc       = act_old_rpc       | (rpc_q[w*PcW +: PcW] & {PcW{acting[w]}});
      act_old_rpc_level = act_old_rpc_level | (rpc_level_q[w*LevelW +: LevelW] & {LevelW{acting[w]}});
    end
  end

  assign kept_pc     = act_rpc_q[0] ? PcW'(1) : act_rpc_q;
  assign lower_at    = IndexW'(act_depth_q - DepthW'(2));
  assign kept_at     = lower_at - IndexW'(both_sides);
  assign kept_entry  = {kept_pc, act_taken_q | act_stay_q, act_rpc_level_q, act_old_rpc, act_old_rpc_level,
                        act_sibling_q};
  assign lower_entry = {lower_pc, lower_mask, lower_level, act_rpc_q, act_rpc_level_q, below_sibling};
  assign keep        = push && !act_tail_q;
  assign lay         = push && both_sides;
  assign bank_keeps  = {keep && kept_at[0], keep && !kept_at[0]};
  assign bank_writes = bank_keeps | {lay && lower_at[0], lay && !lower_at[0]};

  // --------------------------------------------------------------------------------------------- a pop is chosen
  logic                pop_q, pop_last_q;     // the warp is popped in this cycle; it ends
  logic [WarpW-1:0]    pop_warp_q, chosen_warp;
  logic [DepthW-1:0]   pop_depth_q, chosen_depth;   // after the pop; before it
  logic [AddrW-1:0]    chosen_row;            // of the entry that becomes the TOS, in its bank
  logic                chosen_odd, pop_odd_q; // its bank
  logic [NumWarps-1:0] ended;                 // entries and no path
  logic [NumWarps-1:0] step_ends;             // an advance arrives (not at RETURN: that is odd and no PC is)

  logic [NumWarps-1:0] unused_chosen;
  pop_choice #(
    .NumWarps (NumWarps),
    .DepthW   (DepthW)
  ) u_choice (
    .wants_i  (ended),
    .depth_i  (depth_q),
    .chosen_o (unused_chosen),
    .warp_o   (chosen_warp),
    .depth_o  (chosen_depth)
  );
  assign {chosen_row, chosen_odd} = (AddrW+1)'({chosen_warp, IndexW'(chosen_depth - DepthW'(2))});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pop_q      <= 1'b0;
      pop_last_q <= 1'b0;
      pop_warp_q <= '0;
    end else begin
      pop_q      <= ended != '0;
      pop_last_q <= chosen_depth == DepthW'(1);
      pop_warp_q <= chosen_warp;
    end
  end

  always_ff @(posedge clk_i) begin
    pop_depth_q <= chosen_depth - DepthW'(1);
    pop_odd_q   <= chosen_odd;
  end

  heddle_mem #(
    .Words (NumRows),
    .Width (EntryW)
  ) u_even (
    .clk_i         (clk_i),
    .write_valid_i (bank_writes[0]),
    .write_addr_i  (AddrW'({act_warp_q, bank_keeps[0] ? kept_at : lower_at} >> 1)),
    .write_data_i  (bank_keeps[0] ? kept_entry : lower_entry),
    .read_valid_i  (ended != '0),
    .read_addr_i   (chosen_row),
    .read_data_o   (even_below)
  );

  heddle_mem #(
    .Words (NumRows),
    .Width (EntryW)
  ) u_odd (
    .clk_i         (clk_i),
    .write_valid_i (bank_writes[1]),
    .write_addr_i  (AddrW'({act_warp_q, bank_keeps[1] ? kept_at : lower_at} >> 1)),
    .write_data_i  (bank_keeps[1] ? kept_entry : lower_entry),
    .read_valid_i  (ended != '0),
    .read_addr_i   (chosen_row),
    .read_data_o   (odd_below)
  );

  // --------------------------------------------------------------------------------------------------- and done
  logic [PcW-1:0]    pop_saved_pc, pop_saved_rpc, pop_old_rpc, pop_address, pop_pc, pop_rpc;
  logic [LevelW-1:0] pop_level, pop_rpc_level, pop_old_level;
  logic [Lanes-1:0]  pop_saved_mask, pop_live, pop_mask;
  logic              pop_sibling, pop_same_place, pop_fills, pop_arrives, pop_valid;

  assign {pop_saved_pc, pop_saved_mask, pop_level, pop_saved_rpc, pop_rpc_level, pop_sibling} =
    pop_odd_q ? odd_below : even_below;

  always_comb begin
    pop_old_rpc   = '0;
    pop_old_level = '0;
    pop_live      = '0;
    for (int w = 0; w < NumWarps; w++) begin
      pop_old_rpc   = pop_old_rpc   | (rpc_q[w*PcW +: PcW] & {PcW{popped[w]}});
      pop_old_level = pop_old_level | (rpc_level_q[w*LevelW +: LevelW] & {LevelW{popped[w]}});
      pop_live      = pop_live      | (live_q[w*Lanes +: Lanes] & {Lanes{popped[w]}});
    end
  end

  // What the old top has learnt goes to the rpc of a sibling, or to the PC of the entry that waits for it. (Not both:
  // then its place would be that of its sides, and a tail.)
  assign pop_same_place = pop_old_rpc[0] && pop_saved_rpc[0] && (pop_old_level == pop_rpc_level);
  assign pop_rpc        = pop_same_place ? pop_old_rpc : pop_saved_rpc;
  assign pop_fills      = pop_saved_pc[0];
  assign pop_address    = {pop_old_rpc[PcW-1:1], 1'b0};
  assign pop_pc         = pop_fills ? pop_address : pop_saved_pc;
  assign pop_arrives    = pop_fills && (pop_saved_rpc != '0) && (pop_address == pop_saved_rpc) &&
                          (pop_level == pop_rpc_level);
  assign pop_mask       = pop_saved_mask & pop_live;
  assign pop_valid      = !pop_arrives && (pop_mask != '0);

  // ------------------------------------------------------------------------------------------------------ state
  // Of launch, advance, resolution and pop at most one is of a warp: what is written is a sum of what they write.
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      logic           l, a, r, p, moves, meets, pushes;
      logic [PcW-1:0] step_pc;

      assign launched[w]  = launch_valid_i && (launch_warp_i == WarpW'(w));
      assign killed[w]    = kill_valid_i && (kill_warp_i == WarpW'(w));
      assign resolving[w] = resolve_valid_i && (resolve_warp_i == WarpW'(w));
      assign acting[w]    = acting_q && !act_overflow_q && (act_warp_q == WarpW'(w));
      assign popped[w]    = pop_q && (pop_warp_q == WarpW'(w));
      assign ended[w]     = !valid_q[w] && (depth_q[w*DepthW +: DepthW] != '0) && !popped[w] && !killed[w];

      assign l         = launched[w];
      assign a         = advanced[w];
      assign r         = acting[w];
      assign p         = popped[w] && !pop_last_q;
      assign moves     = r && (act_divergent_q || act_goes_taken_q || act_goes_next_q);
      assign meets     = r && (act_divergent_q || act_learns_q);
      assign pushes    = r && act_divergent_q;
      assign step_pc   = pc_q[w*PcW +: PcW] + PcW'(PcStep);
      assign step_ends[w] = heddle_pkg::next_is(pc_q[w*PcW +: PcW], rpc_q[w*PcW +: PcW], PcStep) &&
                            (rpc_q[w*PcW +: PcW] != '0) &&
                            (level_q[w*LevelW +: LevelW] == rpc_level_q[w*LevelW +: LevelW]);

      always_ff @(posedge clk_i) begin
        if (l || a || moves || p) begin
          pc_q[w*PcW +: PcW] <= ({PcW{l}} & launch_pc_i) | ({PcW{a}} & step_pc) | ({PcW{moves}} & tos_pc) |
                                ({PcW{p}} & pop_pc);
        end
        if (l || moves || p) begin
          level_q[w*LevelW +: LevelW] <= ({LevelW{moves}} & tos_level) | ({LevelW{p}} & pop_level);
        end
        if (l || meets || p) rpc_q[w*PcW +: PcW] <= ({PcW{meets}} & tos_rpc) | ({PcW{p}} & pop_rpc);
        if (l || pushes || p) begin
          rpc_level_q[w*LevelW +: LevelW] <= ({LevelW{pushes}} & act_rpc_level_q) | ({LevelW{p}} & pop_rpc_level);
        end
        if (l || r || p) begin
          mask_q[w*Lanes +: Lanes] <= ({Lanes{l}} & launch_mask_i) | ({Lanes{r}} & tos_mask) | ({Lanes{p}} & pop_mask);
          sibling_q[w] <= (r && (act_divergent_q ? both_sides || below_sibling : act_sibling_q)) || (p && pop_sibling);
        end
        if (l || r) begin
          live_q[w*Lanes +: Lanes] <= ({Lanes{l}} & launch_mask_i) |
                                      ({Lanes{r}} & live_q[w*Lanes +: Lanes] & ~act_exit_q);
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          valid_q[w] <= 1'b0;
        end else begin
          valid_q[w] <= !killed[w] && (l || (r && (act_divergent_q || !act_ends_q)) || (p && pop_valid) ||
                                       (!(l || r || p || (a && step_ends[w])) && valid_q[w]));
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          depth_q[w*DepthW +: DepthW] <= '0;
        end else if (l || pushes || popped[w] || killed[w]) begin
          depth_q[w*DepthW +: DepthW] <=
            {DepthW{!killed[w]}} & (({DepthW{l}} & DepthW'(1)) | ({DepthW{pushes}} & act_depth_q) |
                                    ({DepthW{popped[w]}} & pop_depth_q));
        end
      end

      assign mask_o[w*Lanes +: Lanes] = mask_q[w*Lanes +: Lanes] & {Lanes{valid_q[w]}};
    end
  endgenerate

  // A launch and a resolution may both raise it in one cycle.
  generate
    if (Watch != 0) begin : gen_max_depth
      logic [DepthW-1:0] max_depth_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                                                                 max_depth_q <= '0;
        else if (push && ((acting & ~killed) != '0) && (act_depth_q > max_depth_q))  max_depth_q <= act_depth_q;
        else if (launch_valid_i && max_depth_q == '0)                                max_depth_q <= DepthW'(1);
      end
      assign max_depth_o = max_depth_q;
    end else begin : gen_no_max_depth
      assign max_depth_o = '0;
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- outputs
  assign pc_o             = pc_q;
  assign level_o          = level_q;
  assign rpc_o            = rpc_q;
  assign rpc_level_o      = rpc_level_q;
  assign live_o           = live_q;
  assign depth_o          = depth_q;
  assign valid_o          = valid_q;
  assign sibling_o        = sibling_q;
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
  stack_caller #(
    .NumWarps (NumWarps),
    .Lanes    (Lanes),
    .DepthW   (DepthW)
  ) u_caller (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .launch_valid_i   (launch_valid_i),
    .launch_warp_i    (launch_warp_i),
    .launch_pc_i      (launch_pc_i),
    .launch_mask_i    (launch_mask_i),
    .kill_valid_i     (kill_valid_i),
    .kill_warp_i      (kill_warp_i),
    .advance_i        (advance_i),
    .resolve_valid_i  (resolve_valid_i),
    .resolve_warp_i   (resolve_warp_i),
    .resolve_slot_i   (1'b0),
    .resolve_target_i (resolve_target_i),
    .resolve_next_i   (resolve_next_i),
    .resolve_rpc_i    (resolve_rpc_i),
    .resolve_call_i   (resolve_call_i),
    .resolve_return_i (resolve_return_i),
    .valid_i          (valid_q),
    .depth_i          (depth_q),
    .acting_valid_i   (acting_q),
    .acting_warp_i    (act_warp_q)
  );
`endif
endmodule
