// SPDX-License-Identifier: Apache-2.0
// compact_stack: single-path reconvergence stacks of NumWarps warps with one entry a nesting: the side that executes
// later, and the meeting point. Paths and events are those of spe_stack, in the same cycles.
//
// Contract
//   Latency  as spe_stack: a resolution is taken in and acts at the next edge, a pop is chosen and done at the next.
//   Order    as spe_stack. Of two sides the later one leaves its entry, the meeting point removes it.
//   Reset    asynchronous, active low: no warp has an entry, no event is under way. Data have no reset.
//   Storage  heddle_mem for the entries. What only the warp of an event needs is in register files of a word a warp:
//            the place of the top, its PC once more, the live threads; so rpc_o, rpc_level_o and live_o are 0.
//   Idle     warps of events, and the mask of an empty path, are 0.
//   Assumes  what stack_caller asserts; no call or return to PC 0.
//   Not here which path has an unresolved branch, and stopping a warp that overflowed: frontend.
// Source: PDOM stack as in Fung et al., "Dynamic Warp Formation", section 3.2; one entry a nesting as in Vortex (Tine
// et al.).
module compact_stack #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int Depth     = 8,  // entries of a stack, top included: one more than nestings
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
  if (Depth < 2) Depth_must_be_at_least_2 limit ();
  if (PushOrder < 0 || PushOrder > 3) PushOrder_must_be_0_to_3 limit ();
  if (LevelW < 2 || LevelW > 16) LevelW_must_be_2_to_16 limit ();
  if (Watch < 0 || Watch > 1) Watch_must_be_0_or_1 limit ();
  if (PcStep < 2) PcStep_must_be_at_least_2 limit ();   // an odd PC is none
  if ((PcStep & (PcStep - 1)) != 0) PcStep_must_be_a_power_of_two limit ();

  // An entry: the later side {PC without bit 0, mask} and the meeting point {mask, rpc, sibling}. A tail has no
  // meeting point, and `level` is that of its later side; else it is the saved rpc_level, and the later side is `up`
  // levels (-1, 0, 1, 2) above the place where the sides meet.
  localparam int EntryW = (PcW - 1) + 2 * Lanes + PcW + LevelW + 2 + 1 + 1;
  // Entry of nesting n in row n modulo a power of two: the depth of the path that diverged, and that after its pop.
  localparam int RowW    = heddle_pkg::idx_width(Depth - 1);
  localparam int NumRows = NumWarps << RowW;
  localparam int AddrW   = heddle_pkg::idx_width(NumRows);

  // State of a warp that all need at once is in registers. PCs are even: bit 0 is not kept.
  logic [NumWarps*(PcW-1)-1:0] pc_q;
  logic [NumWarps*Lanes-1:0]   mask_q;
  logic [NumWarps*LevelW-1:0]  level_q;
  logic [NumWarps*DepthW-1:0]  depth_q;
  logic [NumWarps-1:0]         sibling_q, valid_q;
  logic [NumWarps-1:0]         placed_q;    // the path meets others: else its place is NONE, whatever place_words say
  logic [NumWarps-1:0]         reaches_q;   // ... at a PC, at the level that it has
  logic [NumWarps-1:0]         last_q;      // ... which is behind this one: an advance arrives

  // What only the warp of an event needs is in files of a word a warp: the place {rpc, rpc_level} of the top, its PC
  // once more for the advance, the live threads.
  localparam int PlaceW = PcW + LevelW;
  logic [PlaceW-1:0] place_words[0:NumWarps-1];
  logic [PcW-1:1]    meet_words[0:NumWarps-1];
  logic [Lanes-1:0]  live_words[0:NumWarps-1];

  // The warp of each event, one-hot.
  logic [NumWarps-1:0] launched, killed, advanced, resolving, acting, popped;

  // Warps whose index has bit b set.
  function automatic logic [NumWarps-1:0] with_bit(input int b);
    with_bit = '0;
    for (int i = 0; i < NumWarps; i++) with_bit[i] = ((i >> b) % 2) == 1;
  endfunction

  // ---------------------------------------------------------------------------------------------------- advance
  // Whether an advance arrives does not wait for the grant. What else moves a path says whether it stands before its
  // place; after an advance that is found out in the next cycle, in which the path may advance again.
  localparam int LowPc = PcW / 2;
  localparam int StepW = $clog2(PcStep);
  logic [PcW-1:1]      advance_from, advance_pc, step_pc_q;
  logic [WarpW-1:0]    step_warp;
  logic [NumWarps-1:0] low_is_full;          // an advance carries into the upper half of the PC
  logic [NumWarps-1:0] stepped_q, arrives;   // advanced at the last edge; would arrive at this one
  logic                step_is_last;

  always_comb begin
    advance_from = '0;
    for (int w = 0; w < NumWarps; w++) begin
      advance_from = advance_from | (pc_q[w*(PcW-1) +: PcW-1] & {(PcW-1){advanced[w]}});
    end
  end

  assign advance_pc[LowPc-1:1]   = advance_from[LowPc-1:1] + (LowPc-1)'(PcStep / 2);
  assign advance_pc[PcW-1:LowPc] = advance_from[PcW-1:LowPc] + (PcW-LowPc)'((advanced & low_is_full) != '0);
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_low_is_full
      assign low_is_full[w] = &pc_q[w*(PcW-1)+StepW-1 +: LowPc-StepW];
    end
    for (genvar b = 0; b < WarpW; b++) begin : gen_step_warp
      localparam logic [NumWarps-1:0] WithBit = with_bit(b);
      assign step_warp[b] = (stepped_q & WithBit) != '0;
    end
  endgenerate

  always_ff @(posedge clk_i) begin
    stepped_q <= advanced;
    step_pc_q <= advance_pc;
  end

  assign step_is_last = heddle_pkg::next_is({step_pc_q, 1'b0}, {meet_words[step_warp], 1'b0}, PcStep);
  assign arrives      = (stepped_q & reaches_q & {NumWarps{step_is_last}}) | (~stepped_q & last_q);

  // ----------------------------------------------------------------------------------- a resolution is taken in
  logic [Lanes-1:0]  old_mask, active, taken, rest;
  logic [LevelW-1:0] old_level, old_rpc_level;
  logic [PcW-1:0]    old_rpc;
  logic [DepthW-1:0] old_depth;
  logic              old_sibling;

  always_comb begin
    old_mask  = '0;
    old_level = '0;
    old_depth = '0;
    for (int w = 0; w < NumWarps; w++) begin
      old_mask  = old_mask  | (mask_q[w*Lanes +: Lanes] & {Lanes{resolving[w]}});
      old_level = old_level | (level_q[w*LevelW +: LevelW] & {LevelW{resolving[w]}});
      old_depth = old_depth | (depth_q[w*DepthW +: DepthW] & {DepthW{resolving[w]}});
    end
  end
  assign old_sibling              = (sibling_q & resolving) != '0;
  assign {old_rpc, old_rpc_level} = place_words[resolve_warp_i] & {PlaceW{(placed_q & resolving) != '0}};

  // A path has live threads only.
  assign active = old_mask & ~resolve_exit_i;
  assign taken  = active & resolve_taken_i;
  assign rest   = active & ~resolve_taken_i;

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

  // What becomes of the path.
  logic same_target, any_taken, any_rest, divergent, both_sides, grows, full, target_first, to_target, ends, learns;
  assign same_target = resolve_target_i == resolve_next_i;
  assign any_taken   = taken != '0;
  assign any_rest    = rest != '0;
  assign divergent   = any_taken && any_rest && !same_target;
  assign both_sides  = !target_arrives && !next_arrives;
  assign grows       = divergent && (both_sides || !tail);
  assign full        = old_depth == DepthW'(Depth);
  assign to_target   = any_rest ? divergent && (both_sides ? target_first : next_arrives) : 1'b1;
  assign ends        = !divergent && (any_rest ? next_at_own : !any_taken || target_at_own);
  assign learns      = !divergent && !any_rest && any_taken && target_at_own && old_rpc[0];

  generate
    if (PushOrder == 0) begin : gen_taken_first
      assign target_first = 1'b1;
    end else if (PushOrder == 1) begin : gen_fallthrough_first
      assign target_first = 1'b0;
    end else begin : gen_by_size
      localparam int CountW = $clog2(Lanes + 1);
      logic [CountW-1:0] num_taken, num_rest;
      always_comb begin
        num_taken = '0;
        num_rest  = '0;
        for (int l = 0; l < Lanes; l++) begin
          num_taken = num_taken + CountW'(taken[l]);
          num_rest  = num_rest + CountW'(rest[l]);
        end
      end
      assign target_first = (PushOrder == 2) ? (num_taken <= num_rest) : (num_taken >= num_rest);
    end
  endgenerate

  // At depth 1 the path has all threads that are live.
  logic             changes;   // not an overflow
  logic [Lanes-1:0] resolve_live;
  assign changes      = taken_in && !(grows && full);
  assign resolve_live = (old_depth == DepthW'(1)) ? active : live_words[resolve_warp_i] & ~resolve_exit_i;
  always_ff @(posedge clk_i) begin
    if (changes) live_words[resolve_warp_i] <= resolve_live;
  end

  // The entry is written before it is known whether it will be one: its row is free, unless the stack is full.
  logic [1:0]        later_up;
  logic [LevelW-1:0] later_level;
  logic [EntryW-1:0] entry, pop_entry;
  assign later_up    = 2'(resolve_rpc_i[0]) +
                       (target_first ? 2'd0 : {resolve_return_i, resolve_call_i || resolve_return_i});
  assign later_level = target_first ? old_level : target_level;
  assign entry       = {target_first ? resolve_next_i[PcW-1:1] : resolve_target_i[PcW-1:1], target_first ? rest : taken,
                        active, old_rpc, tail ? later_level : old_rpc_level, later_up, old_sibling, tail};

  // ------------------------------------------------------------------------------------------ a resolution acts
  logic              taken_in;
  logic              resolved_q, push_q, overflow_q, next_q;
  logic [WarpW-1:0]  act_warp_q;
  logic              act_moves_q, act_valid_q, act_sibling_q;
  logic [PcW-1:1]    act_pc_q;
  logic [Lanes-1:0]  act_mask_q;
  logic [LevelW-1:0] act_level_q, act_rpc_level_q;
  logic [PcW-1:0]    act_rpc_q;
  logic [DepthW-1:0] act_depth_q;

  assign taken_in = (resolving & ~killed) != '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      resolved_q <= 1'b0;
      push_q     <= 1'b0;
      overflow_q <= 1'b0;
    end else begin
      resolved_q <= changes;
      push_q     <= changes && divergent;
      overflow_q <= taken_in && grows && full;
    end
  end

  always_ff @(posedge clk_i) begin
    if (resolve_valid_i) begin
      next_q          <= !divergent && !ends && (any_rest || same_target);
      act_warp_q      <= resolve_warp_i;
      act_moves_q     <= any_taken || any_rest;
      act_valid_q     <= !ends;
      act_sibling_q   <= divergent ? both_sides || (tail && old_sibling) : old_sibling;
      act_pc_q        <= to_target ? resolve_target_i[PcW-1:1] : resolve_next_i[PcW-1:1];
      act_mask_q      <= !divergent ? active : to_target ? taken : rest;
      act_level_q     <= to_target ? target_level : old_level;
      act_rpc_q       <= divergent ? meet_rpc : learns ? {resolve_target_i[PcW-1:1], 1'b1} : old_rpc;
      act_rpc_level_q <= divergent ? meet_level : old_rpc_level;
      act_depth_q     <= old_depth + DepthW'(grows);
    end
  end

  // The place is written, new or not; what an advance must know of it goes to registers.
  logic act_placed, act_reaches, act_last;
  assign act_placed  = act_rpc_q != '0;
  assign act_reaches = act_placed && !act_rpc_q[0] && (act_level_q == act_rpc_level_q);
  assign act_last    = act_reaches && heddle_pkg::next_is({act_pc_q, 1'b0}, act_rpc_q, PcStep);

  // -------------------------------------------------------------------------------------------- a pop is chosen
  logic [NumWarps-1:0] ended;          // empty top of a warp that still runs
  logic [WarpW-1:0]    pop_warp_d, pop_warp_q;
  logic [DepthW-1:0]   chosen_depth;   // before the pop
  logic [DepthW-1:0]   below_chosen, pop_depth_q;   // after it, if its entry is removed
  logic                pop_q;

  logic [NumWarps-1:0] unused_chosen;
  pop_choice #(
    .NumWarps (NumWarps),
    .DepthW   (DepthW)
  ) u_choice (
    .wants_i  (ended),
    .depth_i  (depth_q),
    .chosen_o (unused_chosen),
    .warp_o   (pop_warp_d),
    .depth_o  (chosen_depth)
  );
  assign below_chosen = chosen_depth - DepthW'(1);
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_ended
      assign ended[w] = !valid_q[w] && (depth_q[w*DepthW +: DepthW] != '0) && !popped[w] && !killed[w];
    end
  endgenerate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pop_q <= 1'b0;
    else         pop_q <= ended != '0;
  end

  always_ff @(posedge clk_i) begin
    if (ended != '0) begin
      pop_warp_q  <= pop_warp_d;
      pop_depth_q <= below_chosen;
    end
  end

  heddle_mem #(
    .Words (NumRows),
    .Width (EntryW)
  ) u_below (
    .clk_i         (clk_i),
    .write_valid_i (resolve_valid_i && !full),
    .write_addr_i  (AddrW'({resolve_warp_i, old_depth[RowW-1:0]})),
    .write_data_i  (entry),
    .read_valid_i  (ended != '0),
    .read_addr_i   (AddrW'({pop_warp_d, below_chosen[RowW-1:0]})),
    .read_data_o   (pop_entry)
  );

  // -------------------------------------------------------------------------------------------------------- pop
  // The storage is read as the pop is chosen. The sibling bit of the top says whether the entry below still has its
  // later side.
  logic [PcW-1:1]    later_pc, pop_pc;
  logic [Lanes-1:0]  later_mask, meeting_mask, pop_mask;
  logic [PcW-1:0]    saved_rpc, pop_rpc, pop_meets_at;
  logic [LevelW-1:0] saved_level, pop_rpc_level, pop_up, pop_level;
  logic [1:0]        saved_up;
  logic              saved_sibling, saved_tail, pop_done, pop_later, pop_removes, pop_same_level, pop_arrives;
  logic              pop_placed, pop_reaches, pop_last;

  assign {later_pc, later_mask, meeting_mask, saved_rpc, saved_level, saved_up, saved_sibling, saved_tail} = pop_entry;

  assign {pop_rpc, pop_rpc_level} = place_words[pop_warp_q];

  // Of the meeting point only: an address that has been learnt may be where it meets others itself. (A place that was
  // known would have been a tail.)
  assign pop_done       = pop_depth_q == '0;
  assign pop_later      = (sibling_q & popped) != '0;
  assign pop_removes    = !pop_later || saved_tail;
  assign pop_same_level = saved_level == pop_rpc_level;
  assign pop_arrives    = (saved_rpc != '0) && (saved_rpc == {pop_rpc[PcW-1:1], 1'b0}) && pop_same_level;
  assign pop_pc         = pop_later ? later_pc : pop_rpc[PcW-1:1];
  assign pop_mask       = (pop_later ? later_mask : meeting_mask) & live_words[pop_warp_q];
  assign pop_up         = pop_later ? LevelW'(saved_up) | {LevelW{&saved_up}} : '0;
  assign pop_level      = (pop_later && saved_tail) ? saved_level : pop_rpc_level + pop_up;

  // Where the path meets others now.
  assign pop_meets_at = pop_later ? pop_rpc : saved_rpc;
  assign pop_placed   = pop_later ? (placed_q & popped) != '0 : saved_rpc != '0;
  assign pop_reaches  = pop_placed && !pop_meets_at[0] &&
                        ((pop_later && !saved_tail) ? saved_up == 2'd0 : pop_same_level);
  assign pop_last     = pop_reaches && heddle_pkg::next_is({pop_pc, 1'b0}, pop_meets_at, PcStep);

  // Of act and pop of one warp there is one in a cycle.
  always_ff @(posedge clk_i) begin
    if (resolved_q) begin
      place_words[act_warp_q] <= {act_rpc_q, act_rpc_level_q};
      meet_words[act_warp_q]  <= act_rpc_q[PcW-1:1];
    end
    if (pop_q && !pop_done && !pop_later) begin
      place_words[pop_warp_q] <= {saved_rpc, saved_level};
      meet_words[pop_warp_q]  <= saved_rpc[PcW-1:1];
    end
  end

  // ------------------------------------------------------------------------------------------------------ state
  // Of launch, advance, resolution and pop at most one is of a warp: what is written is a sum of what they write.
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      logic l, a, r, p, moves, removes, stays;   // removes: the pop takes its entry; stays: at most the PC moves
      assign launched[w]  = launch_valid_i && (launch_warp_i == WarpW'(w));
      assign killed[w]    = kill_valid_i && (kill_warp_i == WarpW'(w));
      assign resolving[w] = resolve_valid_i && (resolve_warp_i == WarpW'(w));
      assign acting[w]    = resolved_q && (act_warp_q == WarpW'(w));
      assign popped[w]    = pop_q && (pop_warp_q == WarpW'(w));

      assign l       = launched[w];
      assign a       = advanced[w];
      assign r       = acting[w];
      assign p       = popped[w] && !pop_done;
      assign moves   = r && act_moves_q;
      assign removes = popped[w] && pop_removes;
      assign stays   = !(l || r || p);

      always_ff @(posedge clk_i) begin
        if (l || a || moves || p) begin
          pc_q[w*(PcW-1) +: PcW-1] <= ({(PcW-1){l}} & launch_pc_i[PcW-1:1]) | ({(PcW-1){a}} & advance_pc) |
                                      ({(PcW-1){moves}} & act_pc_q) | ({(PcW-1){p}} & pop_pc);
        end
        if (l || moves || p) begin
          level_q[w*LevelW +: LevelW] <= ({LevelW{moves}} & act_level_q) | ({LevelW{p}} & pop_level);
        end
        if (!stays) begin
          mask_q[w*Lanes +: Lanes] <= ({Lanes{l}} & launch_mask_i) | ({Lanes{r}} & act_mask_q) |
                                      ({Lanes{p}} & pop_mask);
          sibling_q[w] <= (r && act_sibling_q) || (p && pop_removes && saved_sibling);
          placed_q[w]  <= (r && act_placed) || (p && pop_placed);
          reaches_q[w] <= (r && act_reaches) || (p && pop_reaches);
        end
        last_q[w] <= (r && act_last) || (p && pop_last) || (stays && arrives[w]);
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          valid_q[w] <= 1'b0;
        end else begin
          valid_q[w] <= !killed[w] && (l || (r && act_valid_q) ||
                                       (p && (pop_later || !pop_arrives) && (pop_mask != '0)) ||
                                       (stays && !(a && arrives[w]) && valid_q[w]));
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          depth_q[w*DepthW +: DepthW] <= '0;
        end else if (l || r || removes || killed[w]) begin
          depth_q[w*DepthW +: DepthW] <=
            {DepthW{!killed[w]}} & (({DepthW{l}} & DepthW'(1)) | ({DepthW{r}} & act_depth_q) |
                                    ({DepthW{removes}} & pop_depth_q));
        end
      end

      assign mask_o[w*Lanes +: Lanes] = mask_q[w*Lanes +: Lanes] & {Lanes{valid_q[w]}};
      assign pc_o[w*PcW +: PcW]       = {pc_q[w*(PcW-1) +: PcW-1], 1'b0};
    end
  endgenerate

  // ------------------------------------------------------------------------------------------------------- watch
  // For watching only: the greatest depth. (A launch and a resolution may both raise it in one cycle.)
  generate
    if (Watch != 0) begin : gen_max_depth
      logic [DepthW-1:0] max_depth_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                                                                   max_depth_q <= '0;
        else if (push_q && ((acting & ~killed) != '0) && (act_depth_q > max_depth_q))  max_depth_q <= act_depth_q;
        else if (launch_valid_i && (max_depth_q == '0))                                max_depth_q <= DepthW'(1);
      end
      assign max_depth_o = max_depth_q;
    end else begin : gen_no_max_depth
      assign max_depth_o = '0;
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- outputs
  assign level_o          = level_q;
  assign rpc_o            = '0;
  assign rpc_level_o      = '0;
  assign live_o           = '0;
  assign valid_o          = valid_q;
  assign sibling_o        = sibling_q;
  assign depth_o          = depth_q;
  assign resolved_valid_o = resolved_q;
  assign resolved_warp_o  = act_warp_q & {WarpW{resolved_q}};
  assign resolved_slot_o  = 1'b0;
  assign resolved_next_o  = resolved_q && next_q;
  assign push_valid_o     = push_q;
  assign push_warp_o      = act_warp_q & {WarpW{push_q}};
  assign pop_valid_o      = pop_q;
  assign pop_warp_o       = pop_warp_q & {WarpW{pop_q}};
  assign done_valid_o     = pop_q && pop_done;
  assign done_warp_o      = pop_warp_q & {WarpW{pop_q && pop_done}};
  assign overflow_valid_o = overflow_q;
  assign overflow_warp_o  = act_warp_q & {WarpW{overflow_q}};

  assign advanced = advance_i;

  logic unused_slot;
  assign unused_slot = resolve_slot_i;

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
    .acting_valid_i   (resolved_q || overflow_q),
    .acting_warp_i    (act_warp_q)
  );
`endif
endmodule
