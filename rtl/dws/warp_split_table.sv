// SPDX-License-Identifier: Apache-2.0
// warp_split_table: dynamic warp subdivision. The top entry of a single-path stack may be in up to NumSlots splits that
// issue on their own; rows hold entries, and splits without a slot.
//
// Contract
//   Latency  as spe_stack; a refill is chosen and done as a pop. Events depend on registers and merge_i.
//   Order    The lowest warp is chosen that has no path (pop), or a free slot and a split that waits (refill), with
//            nothing under way. A divergence with MarkDivide, or in a subdivided warp, makes a side a split; others
//            push. Splits meet at the entry's place, or where another stands that may be joined. A kill wins over
//            everything else of its warp; an overflow changes nothing.
//   Reset    asynchronous, active low: no warp has an entry.
//   Idle     warps and slots of events, and the mask of an empty path, are 0.
//   Assumes  what stack_caller asserts; (asserted) only threads of the path exit, no path that resolves is joined.
//   Not here which paths may be joined, and stopping a warp that overflowed: front end.
// Above 450 lines: splits, joins and rows meet in one update of a warp's state; a cut would pass some 40 nets.
// Source: DPE paper, section 2.2; splits that wait: ours.
module warp_split_table #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int NumSlots  = 8,  // splits of a warp that may issue
  parameter  int Depth     = 32,  // the top entry and its rows below: entries and splits that wait
  parameter  int PushOrder = 0,  // executes first: 0 taken, 1 fall-through, 2 smaller, 3 larger side (ties: taken)
  parameter  int LevelW    = 8,  // bits of a call level
  parameter  int Watch     = 1,  // 0: max_depth_o, max_splits_o and the counts are left out
  parameter  int PcStep    = 4,  // bytes of an instruction: a power of two
  localparam int PcW       = heddle_pkg::PcW,
  localparam int KindW     = heddle_pkg::KindW,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW     = heddle_pkg::idx_width(NumSlots),
  localparam int SplitW    = heddle_pkg::idx_width(NumSlots + 1),
  localparam int NumPaths  = NumSlots * NumWarps,   // path of slot s of warp w: s*NumWarps + w
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
  input  logic [NumPaths-1:0]        advance_i,
  input  logic [NumPaths-1:0]        merge_i,        // paths that may be joined
  // from execute
  input  logic                       resolve_valid_i,
  input  logic [WarpW-1:0]           resolve_warp_i,
  input  logic [SlotW-1:0]           resolve_slot_i,
  input  logic [Lanes-1:0]           resolve_taken_i,
  input  logic [PcW-1:0]             resolve_target_i,
  input  logic [PcW-1:0]             resolve_next_i,
  input  logic [PcW-1:0]             resolve_rpc_i,
  input  logic [Lanes-1:0]           resolve_exit_i,
  input  logic                       resolve_call_i,
  input  logic                       resolve_return_i,
  input  logic [KindW-1:0]           resolve_kind_i,   // MarkDivide: the divergence may subdivide the warp
  // paths
  output logic [NumPaths*PcW-1:0]    pc_o,
  output logic [NumPaths*Lanes-1:0]  mask_o,
  output logic [NumPaths*LevelW-1:0] level_o,
  output logic [NumPaths-1:0]        valid_o,
  output logic [NumPaths-1:0]        sibling_o,
  // warps
  output logic [NumWarps*PcW-1:0]    rpc_o,
  output logic [NumWarps*LevelW-1:0] rpc_level_o,
  output logic [NumWarps*Lanes-1:0]  live_o,
  output logic [NumWarps*DepthW-1:0] depth_o,
  // events
  output logic                       resolved_valid_o,
  output logic [WarpW-1:0]           resolved_warp_o,
  output logic [SlotW-1:0]           resolved_slot_o,
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
  output logic [DepthW-1:0]          max_depth_o,
  output logic [SplitW-1:0]          max_splits_o,
  output logic [31:0]                splits_o,
  output logic [31:0]                merges_o,
  output logic [31:0]                refused_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (NumSlots < 2) NumSlots_must_be_at_least_2 limit ();   // spe_stack is the one with one
  if (NumSlots > Lanes) NumSlots_must_be_at_most_Lanes limit ();   // a split has a thread
  if (Depth < 2) Depth_must_be_at_least_2 limit ();   // the top is not in storage
  if (PushOrder < 0 || PushOrder > 3) PushOrder_must_be_0_to_3 limit ();
  if (LevelW < 2 || LevelW > 16) LevelW_must_be_2_to_16 limit ();   // up is not down
  if (Watch < 0 || Watch > 1) Watch_must_be_0_or_1 limit ();
  if (PcStep < 2) PcStep_must_be_at_least_2 limit ();   // an odd PC is none
  if ((PcStep & (PcStep - 1)) != 0) PcStep_must_be_a_power_of_two limit ();

  localparam int PlaceW  = PcW + LevelW;
  localparam int RowW    = 2 * PlaceW + Lanes + 2;   // {pc, mask, level, rpc, rpc_level, sibling, waiting}
  localparam int IndexW  = heddle_pkg::idx_width(Depth - 1);
  localparam int NumRows = NumWarps << (IndexW - 1);         // rows of a bank of storage
  localparam int AddrW   = heddle_pkg::idx_width(NumRows);

  // State: the splits of every warp, the place of its top entry, live mask and depth. (Rows are in u_even and u_odd.)
  logic [NumPaths*PcW-1:0]    pc_q;
  logic [NumPaths*Lanes-1:0]  mask_q;
  logic [NumPaths*LevelW-1:0] level_q;
  logic [NumPaths-1:0]        valid_q;
  logic [NumWarps*PcW-1:0]    rpc_q;
  logic [NumWarps*LevelW-1:0] rpc_level_q;
  logic [NumWarps*Lanes-1:0]  live_q;
  logic [NumWarps*DepthW-1:0] depth_q;
  logic [NumWarps-1:0]        sibling_q;
  logic [NumWarps-1:0]        waiting_q;   // the uppermost row is a split that waits for a slot

  // The warp of each event, one-hot; acting: of a resolution, whatever it does; changed: of one that does not overflow.
  logic [NumWarps-1:0] launched, killed, advanced, resolving, acting, changed, popped;
  logic [NumPaths-1:0] joinable;                       // may be a partner

  assign joinable  = valid_q & merge_i;
  assign launched  = launch_valid_i ? NumWarps'(1) << launch_warp_i : '0;
  assign killed    = kill_valid_i ? NumWarps'(1) << kill_warp_i : '0;
  assign resolving = resolve_valid_i ? NumWarps'(1) << resolve_warp_i : '0;
  assign acting    = acting_q ? NumWarps'(1) << act_warp_q : '0;
  assign changed   = overflows ? '0 : acting;
  assign popped    = (pop_q || refill_q) ? NumWarps'(1) << pop_warp_q : '0;

  // ---------------------------------------------------------------------------------------- a resolution is taken in
  // Nothing moves its path until it acts: what it will do is known now, but for what the other paths have to do with
  // it. (A push is of a path without others: depth, too, is what it is now.)
  logic [PcW-1:0]    old_rpc;
  logic [LevelW-1:0] old_level, old_rpc_level;
  logic [Lanes-1:0]  old_mask, active, taken, not_taken;
  logic              same_target, divergent, taken_side, next_side, overflow;
  logic              goes_taken, goes_next;       // uniform; neither: no thread is left
  logic              one_more, two_more;          // entries after a push than before
  logic [DepthW-1:0] old_depth, new_depth;

  always_comb begin
    old_mask      = '0;
    old_level     = '0;
    old_rpc       = '0;
    old_rpc_level = '0;
    old_depth     = '0;
    for (int w = 0; w < NumWarps; w++) begin
      if (resolving[w]) begin
        old_rpc       = old_rpc       | rpc_q[w*PcW +: PcW];
        old_rpc_level = old_rpc_level | rpc_level_q[w*LevelW +: LevelW];
        old_depth     = old_depth     | depth_q[w*DepthW +: DepthW];
        for (int s = 0; s < NumSlots; s++) begin
          old_mask  = old_mask  | (mask_q[(s*NumWarps+w)*Lanes +: Lanes] & {Lanes{resolve_slot_i == SlotW'(s)}});
          old_level = old_level | (level_q[(s*NumWarps+w)*LevelW +: LevelW] &
                                   {LevelW{resolve_slot_i == SlotW'(s)}});
        end
      end
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

  assign taken_side     = !target_arrives;
  assign next_side      = !next_arrives;
  assign one_more       = (taken_side && next_side) ^ !tail;
  assign two_more       = taken_side && next_side && !tail;
  assign new_depth      = two_more ? old_depth + DepthW'(2) : one_more ? old_depth + DepthW'(1) : old_depth;
  assign overflow       = ((one_more || two_more) && (old_depth == DepthW'(Depth))) ||
                          (two_more && (old_depth == DepthW'(Depth - 1)));

  logic                acting_q;                  // a resolution has been taken in; of it:
  logic [WarpW-1:0]    act_warp_q;
  logic [SlotW-1:0]    act_slot_q;
  logic [PcW-1:0]      act_target_q, act_next_q;  // the PCs of the sides
  logic [Lanes-1:0]    act_taken_q, act_stay_q;   // the threads of the sides
  logic [LevelW-1:0]   act_taken_level_q, act_level_q;
  logic                act_taken_home_q, act_next_home_q;     // have arrived at the entry's own place
  logic [PcW-1:0]      act_rpc_q;                 // where they meet if they are pushed
  logic [LevelW-1:0]   act_rpc_level_q;
  logic [Lanes-1:0]    act_exit_q;
  logic [DepthW-1:0]   act_depth_q;               // after a push
  logic                act_mark_q, act_divergent_q, act_overflow_q, act_tail_q;
  logic                act_taken_side_q, act_next_side_q;     // that a push pushes
  logic                act_goes_taken_q, act_goes_next_q;     // without divergence
  logic                act_learns_q;              // who goes to the target brings the entry's address
  logic                act_sibling_q;             // of the entry that diverges
  logic                act_same_target_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acting_q <= 1'b0;
    else         acting_q <= (resolving & ~killed) != '0;
  end

  always_ff @(posedge clk_i) begin
    if (resolve_valid_i) begin
      act_warp_q        <= resolve_warp_i;
      act_slot_q        <= resolve_slot_i;
      act_target_q      <= resolve_target_i;
      act_next_q        <= resolve_next_i;
      act_taken_q       <= taken;
      act_stay_q        <= not_taken;
      act_taken_level_q <= target_level;
      act_level_q       <= old_level;
      act_taken_home_q  <= target_at_own;
      act_next_home_q   <= next_at_own;
      act_rpc_q         <= meet_rpc;
      act_rpc_level_q   <= meet_level;
      act_exit_q        <= resolve_exit_i;
      act_depth_q       <= new_depth;
      act_mark_q        <= resolve_kind_i == KindW'(heddle_pkg::MarkDivide);
      act_divergent_q   <= divergent;
      act_overflow_q    <= overflow;
      act_tail_q        <= tail;
      act_taken_side_q  <= taken_side;
      act_next_side_q   <= next_side;
      act_goes_taken_q  <= goes_taken;
      act_goes_next_q   <= goes_next;
      act_learns_q      <= old_rpc[0] && target_at_own;
      act_sibling_q     <= (sibling_q & resolving) != '0;
      act_same_target_q <= same_target;
    end
  end

  // -------------------------------------------------------------------------------------------------- and it acts
  // The warp as it stands, by slot.
  logic [NumSlots*PcW-1:0]    now_pc;
  logic [NumSlots*LevelW-1:0] now_level;
  logic [NumSlots-1:0]        now_valid, now_joinable, act_slot, now_free;   // act_slot: the path's own
  logic                       now_waiting;
  logic [DepthW-1:0]          now_depth;
  logic [PcW-1:0]             now_rpc;
  logic [LevelW-1:0]          now_rpc_level;
  logic [NumSlots-1:0]        at_target, at_next;           // stand where a side goes
  logic [NumSlots-1:0]        target_partner, next_partner;   // the lowest of them

  always_comb begin
    now_pc       = '0;
    now_level    = '0;
    now_valid    = '0;
    now_joinable = '0;
    now_depth     = '0;
    now_rpc       = '0;
    now_rpc_level = '0;
    for (int w = 0; w < NumWarps; w++) begin
      if (acting[w]) begin
        now_depth     = now_depth     | depth_q[w*DepthW +: DepthW];
        now_rpc       = now_rpc       | rpc_q[w*PcW +: PcW];
        now_rpc_level = now_rpc_level | rpc_level_q[w*LevelW +: LevelW];
        for (int s = 0; s < NumSlots; s++) begin
          now_pc[s*PcW +: PcW]          = now_pc[s*PcW +: PcW] | pc_q[(s*NumWarps+w)*PcW +: PcW];
          now_level[s*LevelW +: LevelW] = now_level[s*LevelW +: LevelW] | level_q[(s*NumWarps+w)*LevelW +: LevelW];
        end
      end
    end
    for (int s = 0; s < NumSlots; s++) begin
      now_valid[s]    = (valid_q[s*NumWarps +: NumWarps] & acting) != '0;
      now_joinable[s] = (joinable[s*NumWarps +: NumWarps] & acting) != '0;
    end
    now_waiting = (waiting_q & acting) != '0;
  end

  generate
    for (genvar s = 0; s < NumSlots; s++) begin : gen_met
      logic others;
      assign act_slot[s]  = act_slot_q == SlotW'(s);
      assign others       = now_joinable[s] && !act_slot[s];
      assign at_target[s] = others && (now_pc[s*PcW +: PcW] == act_target_q) &&
                            (now_level[s*LevelW +: LevelW] == act_taken_level_q);
      assign at_next[s]   = others && (now_pc[s*PcW +: PcW] == act_next_q) &&
                            (now_level[s*LevelW +: LevelW] == act_level_q);
    end
  endgenerate

  assign target_partner = at_target & (~at_target + NumSlots'(1));
  assign next_partner   = at_next & (~at_next + NumSlots'(1));
  assign now_free       = ~now_valid & (now_valid + NumSlots'(1));   // the lowest free slot

  logic divides, pushes, overflows, push;     // a divergence among splits; one as in spe_stack; one that does happen
  logic taken_left, next_left, both_left;     // of the sides of a split: neither arrived nor joined
  logic taken_joins, next_joins;              // a side, or the path
  logic both_sides, taken_upper, to_taken;
  logic splits, refuses;                      // the other side takes a slot; waits for one
  logic ends;                                 // the path's slot is left empty

  assign divides     = act_divergent_q && (act_mark_q || now_waiting || ((now_valid & ~act_slot) != '0));
  assign pushes      = act_divergent_q && !divides;
  assign taken_joins = (act_goes_taken_q || divides) && !act_taken_home_q && (at_target != '0);
  assign next_joins  = (act_goes_next_q || divides) && !act_next_home_q && (at_next != '0);
  assign taken_left  = !act_taken_home_q && !taken_joins;
  assign next_left   = !act_next_home_q && !next_joins;
  assign both_left   = divides && taken_left && next_left;
  assign both_sides  = pushes && act_taken_side_q && act_next_side_q;
  assign splits      = both_left && (now_free != '0);
  assign refuses     = both_left && (now_free == '0);
  assign overflows   = (pushes && act_overflow_q) || (refuses && (now_depth == DepthW'(Depth)));
  assign push        = acting_q && pushes && !act_overflow_q;
  assign ends        = !pushes && !((act_goes_taken_q || divides) && taken_left) &&
                       !((act_goes_next_q || divides) && next_left);

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

  // The upper side stands in the path's slot, as does the path that goes on; the lower side exists only if both do.
  logic [PcW-1:0]    upper_pc, top_rpc, lower_pc;
  logic [LevelW-1:0] upper_level, lower_level;
  logic [Lanes-1:0]  upper_mask, lower_mask, next_mask;
  logic              below_sibling;               // of a pushed entry that lies on what was there before

  assign to_taken      = !act_divergent_q ? act_goes_taken_q : (both_sides || both_left) ? taken_upper
                                          : divides ? taken_left : act_taken_side_q;
  assign next_mask     = act_divergent_q ? act_stay_q : act_taken_q | act_stay_q;
  assign upper_pc      = to_taken ? act_target_q : act_next_q;
  assign upper_level   = to_taken ? act_taken_level_q : act_level_q;
  assign upper_mask    = to_taken ? act_taken_q : next_mask;
  assign top_rpc       = pushes ? act_rpc_q : {act_target_q[PcW-1:1], 1'b1};
  assign lower_pc      = to_taken ? act_next_q : act_target_q;
  assign lower_mask    = to_taken ? act_stay_q : act_taken_q;
  assign lower_level   = to_taken ? act_level_q : act_taken_level_q;
  assign below_sibling = act_tail_q && act_sibling_q;

  // Storage writes: of a push the diverging entry unless replaced (tail), then the lower side above it; both sides
  // remain then, so neither has brought an address. Who waits at RETURN has PC 1. Of a split that waits its path: the
  // place is that of the entry above. Neighbours are in different banks: rows of even index in one, of odd index in the
  // other, so that each bank is written once.
  logic [PcW-1:0]    kept_pc;
  logic [IndexW-1:0] kept_at, lower_at;
  logic [RowW-1:0]   kept_row, lower_row;
  logic              keep, lay;                   // the diverging entry; the lower side
  logic [1:0]        bank_keeps, bank_writes;     // even, odd
  logic [RowW-1:0]   even_below, odd_below;

  assign kept_pc     = act_rpc_q[0] ? PcW'(1) : act_rpc_q;
  assign kept_at     = IndexW'(act_depth_q - (both_sides ? DepthW'(3) : DepthW'(2)));
  assign lower_at    = IndexW'(divides ? now_depth - DepthW'(1) : act_depth_q - DepthW'(2));
  assign kept_row    = {kept_pc, act_taken_q | act_stay_q, act_rpc_level_q, now_rpc, now_rpc_level, act_sibling_q,
                        now_waiting};
  assign lower_row   = {lower_pc, lower_mask, lower_level, act_rpc_q, act_rpc_level_q, below_sibling, now_waiting};
  assign keep        = push && !act_tail_q;
  assign lay         = (push && both_sides) || (acting_q && refuses && !overflows);
  assign bank_keeps  = {keep && kept_at[0], keep && !kept_at[0]};
  assign bank_writes = bank_keeps | {lay && lower_at[0], lay && !lower_at[0]};

  // -------------------------------------------------------------------------------------------------- an advance
  // Which path it is comes late: what it meets is looked at behind the selection of the path and its warp.
  logic [PcW-1:0]      step_pc, step_rpc;
  logic [Lanes-1:0]    step_mask;
  logic [LevelW-1:0]   step_level, step_rpc_level;
  logic [NumSlots*PcW-1:0]    slot_pc;              // of the warp, by slot
  logic [NumSlots*LevelW-1:0] slot_level;
  logic [NumSlots-1:0] step_met, step_partner;      // stand where the path goes; the lowest of them
  logic                step_ends, step_joins;       // it arrives (not at RETURN: that is odd and no PC is)

  always_comb begin
    advanced = '0;
    for (int s = 0; s < NumSlots; s++) advanced = advanced | advance_i[s*NumWarps +: NumWarps];
  end

  always_comb begin
    step_pc        = '0;
    step_mask      = '0;
    step_level     = '0;
    step_rpc       = '0;
    step_rpc_level = '0;
    slot_pc        = '0;
    slot_level     = '0;
    for (int w = 0; w < NumWarps; w++) begin
      if (advanced[w]) begin
        step_rpc       = step_rpc       | rpc_q[w*PcW +: PcW];
        step_rpc_level = step_rpc_level | rpc_level_q[w*LevelW +: LevelW];
        for (int s = 0; s < NumSlots; s++) begin
          step_pc    = step_pc    | (pc_q[(s*NumWarps+w)*PcW +: PcW] & {PcW{advance_i[s*NumWarps+w]}});
          step_mask  = step_mask  | (mask_q[(s*NumWarps+w)*Lanes +: Lanes] & {Lanes{advance_i[s*NumWarps+w]}});
          step_level = step_level | (level_q[(s*NumWarps+w)*LevelW +: LevelW] & {LevelW{advance_i[s*NumWarps+w]}});
          slot_pc[s*PcW +: PcW]          = slot_pc[s*PcW +: PcW] | pc_q[(s*NumWarps+w)*PcW +: PcW];
          slot_level[s*LevelW +: LevelW] = slot_level[s*LevelW +: LevelW] | level_q[(s*NumWarps+w)*LevelW +: LevelW];
        end
      end
    end
  end

  // Nobody but others stand at the next PC.
  generate
    for (genvar s = 0; s < NumSlots; s++) begin : gen_step
      assign step_met[s] = ((joinable[s*NumWarps +: NumWarps] & advanced) != '0) &&
                           heddle_pkg::next_is(step_pc, slot_pc[s*PcW +: PcW], PcStep) &&
                           (slot_level[s*LevelW +: LevelW] == step_level);
    end
  endgenerate

  assign step_ends    = heddle_pkg::next_is(step_pc, step_rpc, PcStep) && (step_rpc != '0) &&
                        (step_level == step_rpc_level);
  assign step_joins   = !step_ends && (step_met != '0);
  assign step_partner = step_met & (~step_met + NumSlots'(1));

  // ------------------------------------------------------------------------------------- a pop or refill is chosen
  logic                pop_q, pop_last_q;     // the warp is popped in this cycle; it ends
  logic                refill_q;              // the warp is refilled in this cycle
  logic [WarpW-1:0]    pop_warp_q, chosen_warp;
  logic [DepthW-1:0]   pop_depth_q, chosen_depth;   // after it; before it
  logic [AddrW-1:0]    chosen_row;            // of the row that becomes the top entry or a split, in its bank
  logic                chosen_odd, pop_odd_q; // its bank
  logic                chosen_waiting;
  logic [NumWarps-1:0] in_use, empty, full;   // has an entry; no path; no free slot
  logic [NumWarps-1:0] wants, chosen;         // pop or refill; the lowest such warp, one-hot

  pop_choice #(
    .NumWarps (NumWarps),
    .DepthW   (DepthW)
  ) u_choice (
    .wants_i  (wants),
    .depth_i  (depth_q),
    .chosen_o (chosen),
    .warp_o   (chosen_warp),
    .depth_o  (chosen_depth)
  );
  assign {chosen_row, chosen_odd} = (AddrW+1)'({chosen_warp, IndexW'(chosen_depth - DepthW'(2))});
  assign chosen_waiting = (chosen & waiting_q) != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pop_q      <= 1'b0;
      refill_q   <= 1'b0;
      pop_last_q <= 1'b0;
      pop_warp_q <= '0;
    end else begin
      pop_q      <= (wants != '0) && !chosen_waiting;
      refill_q   <= chosen_waiting;
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
    .Width (RowW)
  ) u_even (
    .clk_i         (clk_i),
    .write_valid_i (bank_writes[0]),
    .write_addr_i  (AddrW'({act_warp_q, bank_keeps[0] ? kept_at : lower_at} >> 1)),
    .write_data_i  (bank_keeps[0] ? kept_row : lower_row),
    .read_valid_i  (wants != '0),
    .read_addr_i   (chosen_row),
    .read_data_o   (even_below)
  );

  heddle_mem #(
    .Words (NumRows),
    .Width (RowW)
  ) u_odd (
    .clk_i         (clk_i),
    .write_valid_i (bank_writes[1]),
    .write_addr_i  (AddrW'({act_warp_q, bank_keeps[1] ? kept_at : lower_at} >> 1)),
    .write_data_i  (bank_keeps[1] ? kept_row : lower_row),
    .read_valid_i  (wants != '0),
    .read_addr_i   (chosen_row),
    .read_data_o   (odd_below)
  );

  // --------------------------------------------------------------------------------------------------- and done
  // Into the lowest free slot, which is slot 0 of a warp that has no path.
  logic [PcW-1:0]      pop_saved_pc, pop_saved_rpc, pop_old_rpc, pop_address, pop_pc, pop_rpc;
  logic [LevelW-1:0]   pop_level, pop_rpc_level, pop_old_level;
  logic [Lanes-1:0]    pop_saved_mask, pop_live, pop_mask;
  logic                pop_sibling, pop_waiting, pop_same_place, pop_fills, pop_arrives, pop_valid;
  logic [NumSlots-1:0] pop_taken, pop_slot;    // slots with a path; the slot that is filled

  assign {pop_saved_pc, pop_saved_mask, pop_level, pop_saved_rpc, pop_rpc_level, pop_sibling, pop_waiting} =
    pop_odd_q ? odd_below : even_below;

  always_comb begin
    pop_old_rpc   = '0;
    pop_old_level = '0;
    pop_live      = '0;
    for (int w = 0; w < NumWarps; w++) begin
      if (popped[w]) begin
        pop_old_rpc   = pop_old_rpc   | rpc_q[w*PcW +: PcW];
        pop_old_level = pop_old_level | rpc_level_q[w*LevelW +: LevelW];
        pop_live      = pop_live      | live_q[w*Lanes +: Lanes];
      end
    end
    for (int s = 0; s < NumSlots; s++) pop_taken[s] = (valid_q[s*NumWarps +: NumWarps] & popped) != '0;
  end

  // What the old top has learnt goes to the rpc of a sibling, or to the PC of the entry that waits for it. (Not both:
  // then its place would be that of its sides, and a tail.) A split that waits has a PC, and threads that live.
  assign pop_same_place = pop_old_rpc[0] && pop_saved_rpc[0] && (pop_old_level == pop_rpc_level);
  assign pop_rpc        = pop_same_place ? pop_old_rpc : pop_saved_rpc;
  assign pop_fills      = pop_saved_pc[0];
  assign pop_address    = {pop_old_rpc[PcW-1:1], 1'b0};
  assign pop_pc         = pop_fills ? pop_address : pop_saved_pc;
  assign pop_arrives    = pop_fills && (pop_saved_rpc != '0) && (pop_address == pop_saved_rpc) &&
                          (pop_level == pop_rpc_level);
  assign pop_mask       = pop_saved_mask & pop_live;
  assign pop_valid      = !pop_arrives && (pop_mask != '0);
  assign pop_slot       = ~pop_taken & (pop_taken + NumSlots'(1));

  // ------------------------------------------------------------------------------------------------------ state
  // Of launch, advance, resolution, pop and refill at most one is of a path, and a path that is joined has none: fields
  // are sums of what they write. Where nothing happens everything stays, as each sum says: `touched` is a guard without
  // a gate, which spares a simulator the sums and lets a library with clock gates use them.
  logic [NumWarps-1:0] pushed, popping, stored;     // popping: not the last; stored: a split waits
  logic [NumWarps-1:0] meets, keeps_place;          // the entry's place is another, or learns its address; it stays
  logic [NumWarps-1:0] touched;                     // something happens to the warp
  // By path. lp, ap, rp, op, pp: launch; advance; resolution; the other side of a split; pop or refill. at, an, as: it
  // is joined by who goes to the target, to next, who advances.
  logic [NumPaths-1:0] lp, ap, rp, op, pp, at, an, as;
  logic [NumPaths-1:0] moves, stays, given;         // a resolution moves it; it keeps its PC or advances; a new mask
  logic [NumPaths-1:0] others;                      // another split of the warp is valid

  assign pushed      = changed & {NumWarps{pushes}};
  assign stored      = changed & {NumWarps{refuses}};
  assign popping     = popped & {NumWarps{pop_q && !pop_last_q}};
  assign meets       = changed & {NumWarps{pushes || (act_learns_q && (act_goes_taken_q || divides))}};
  assign keeps_place = ~(launched | pushed | popping);
  assign touched     = launched | changed | popped | advanced;

  assign lp    = {{(NumPaths-NumWarps){1'b0}}, launched};
  assign ap    = advance_i;
  assign moves = rp & {NumPaths{pushes || act_goes_taken_q || act_goes_next_q || (divides && !ends)}};
  assign given = lp | rp | op | pp;
  assign stays = ~(lp | moves | op | pp);
  generate
    for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
      assign rp[s*NumWarps +: NumWarps] = changed & {NumWarps{act_slot[s]}};
      assign op[s*NumWarps +: NumWarps] = changed & {NumWarps{splits && now_free[s]}};
      assign pp[s*NumWarps +: NumWarps] = popped & {NumWarps{!pop_last_q && pop_slot[s]}};
      assign at[s*NumWarps +: NumWarps] = changed & {NumWarps{taken_joins && target_partner[s]}};
      assign an[s*NumWarps +: NumWarps] = changed & {NumWarps{next_joins && next_partner[s]}};
      assign as[s*NumWarps +: NumWarps] = advanced & {NumWarps{step_joins && step_partner[s]}};
    end
  endgenerate

  always_comb begin
    empty  = '1;
    full   = '1;
    others = '0;
    for (int s = 0; s < NumSlots; s++) begin
      empty = empty & ~valid_q[s*NumWarps +: NumWarps];
      full  = full & valid_q[s*NumWarps +: NumWarps];
      for (int t = 0; t < NumSlots; t++) begin
        if (t != s) others[s*NumWarps +: NumWarps] = others[s*NumWarps +: NumWarps] | valid_q[t*NumWarps +: NumWarps];
      end
    end
  end
  assign wants = in_use & (empty | (waiting_q & ~full)) & ~popped & ~killed & ~resolving & ~acting;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q   <= '0;
      waiting_q <= '0;
    end else begin
      valid_q   <= ~{NumSlots{killed}} & (lp | (rp & ~{NumPaths{ends}}) | op | (pp & {NumPaths{pop_valid}}) |
                                          (~given & valid_q & ~{NumSlots{launched}} &
                                           ~(ap & {NumPaths{step_ends || step_joins}})));
      waiting_q <= stored | (popped & {NumWarps{!pop_last_q && pop_waiting}}) |
                   (~(launched | stored | popped) & waiting_q);
    end
  end

  always_ff @(posedge clk_i) begin
    sibling_q <= (pushed & {NumWarps{both_sides || below_sibling}}) | (popping & {NumWarps{pop_sibling}}) |
                 (keeps_place & sibling_q);
  end

  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      logic l, r, p;
      assign l         = launched[w];
      assign r         = changed[w];
      assign p         = popping[w];
      assign in_use[w] = depth_q[w*DepthW +: DepthW] != '0;

      always_ff @(posedge clk_i) begin
        if (touched[w]) begin
          live_q[w*Lanes +: Lanes] <= ({Lanes{l}} & launch_mask_i) |
                                      ({Lanes{!l}} & live_q[w*Lanes +: Lanes] & ~({Lanes{r}} & act_exit_q));
          rpc_q[w*PcW +: PcW] <= ({PcW{meets[w]}} & top_rpc) | ({PcW{p}} & pop_rpc) |
                                 ({PcW{!(l || meets[w] || p)}} & rpc_q[w*PcW +: PcW]);
          rpc_level_q[w*LevelW +: LevelW] <= ({LevelW{pushed[w]}} & act_rpc_level_q) | ({LevelW{p}} & pop_rpc_level) |
                                             ({LevelW{keeps_place[w]}} & rpc_level_q[w*LevelW +: LevelW]);
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          depth_q[w*DepthW +: DepthW] <= '0;
        end else if (touched[w] || killed[w]) begin
          depth_q[w*DepthW +: DepthW] <=
            {DepthW{!killed[w]}} & (({DepthW{l}} & DepthW'(1)) | ({DepthW{pushed[w]}} & act_depth_q) |
                                    ({DepthW{stored[w]}} & (now_depth + DepthW'(1))) |
                                    ({DepthW{popped[w]}} & pop_depth_q) |
                                    ({DepthW{!(l || pushed[w] || stored[w] || popped[w])}} &
                                     depth_q[w*DepthW +: DepthW]));
        end
      end

      for (genvar s = 0; s < NumSlots; s++) begin : gen_path
        localparam int P = s * NumWarps + w;
        logic [PcW-1:0] step_bits;            // bits of the PC that an advance changes

        assign step_bits = pc_q[P*PcW +: PcW] ^ (pc_q[P*PcW +: PcW] + PcW'(PcStep));

        always_ff @(posedge clk_i) begin
          if (touched[w]) begin
            pc_q[P*PcW +: PcW] <= ({PcW{lp[P]}} & launch_pc_i) | ({PcW{moves[P]}} & upper_pc) |
                                  ({PcW{op[P]}} & lower_pc) | ({PcW{pp[P]}} & pop_pc) |
                                  ({PcW{stays[P]}} & (pc_q[P*PcW +: PcW] ^ ({PcW{ap[P]}} & step_bits)));
            mask_q[P*Lanes +: Lanes] <=
              ({Lanes{lp[P]}} & launch_mask_i) | ({Lanes{rp[P]}} & upper_mask) | ({Lanes{op[P]}} & lower_mask) |
              ({Lanes{pp[P]}} & pop_mask) | ({Lanes{at[P]}} & act_taken_q) | ({Lanes{an[P]}} & next_mask) |
              ({Lanes{as[P]}} & step_mask) | ({Lanes{!given[P]}} & mask_q[P*Lanes +: Lanes]);
            level_q[P*LevelW +: LevelW] <= ({LevelW{moves[P]}} & upper_level) | ({LevelW{op[P]}} & lower_level) |
                                           ({LevelW{pp[P]}} & pop_level) |
                                           ({LevelW{stays[P]}} & level_q[P*LevelW +: LevelW]);
          end
        end

        assign mask_o[P*Lanes +: Lanes] = mask_q[P*Lanes +: Lanes] & {Lanes{valid_q[P]}};
      end
    end
  endgenerate

  assign sibling_o = others | {NumSlots{waiting_q | sibling_q}};

  // ----------------------------------------------------------------------------------------------------- status
  generate
    if (Watch != 0) begin : gen_watch
      logic              counts;        // the resolution that acts does something
      logic              steps;         // so does the advance
      logic [DepthW-1:0] max_depth_q, reached;
      logic [SplitW-1:0] max_splits_q, valid_splits;
      logic [31:0]       splits_q, merges_q, refused_q;
      logic [31:0]       splits_next, refused_next;   // sums are there before it is known what happens
      logic [29:0]       merges_high;
      logic [2:0]        merges_low;                  // with a carry

      assign counts       = (changed & ~killed) != '0;
      assign steps        = (advanced & ~killed) != '0;
      assign splits_next  = splits_q + 32'd1;
      assign refused_next = refused_q + 32'd1;
      assign merges_high  = merges_q[31:2] + 30'd1;
      assign merges_low   = {1'b0, merges_q[1:0]} +
                            (3'(counts && taken_joins) + 3'(counts && next_joins) + 3'(steps && step_joins));
      assign reached      = pushes ? act_depth_q : now_depth + DepthW'(1);
      always_comb begin
        valid_splits = SplitW'(1);      // the one that comes
        for (int s = 0; s < NumSlots; s++) valid_splits = valid_splits + SplitW'(now_valid[s]);
      end

      // A launch and a resolution may both raise a maximum in one cycle.
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          max_depth_q  <= '0;
          max_splits_q <= '0;
          splits_q     <= '0;
          merges_q     <= '0;
          refused_q    <= '0;
        end else begin
          if (counts && (pushes || refuses) && (reached > max_depth_q)) max_depth_q <= reached;
          else if (launch_valid_i && (max_depth_q == '0))               max_depth_q <= DepthW'(1);
          if (counts && splits && (valid_splits > max_splits_q)) max_splits_q <= valid_splits;
          else if (launch_valid_i && (max_splits_q == '0))       max_splits_q <= SplitW'(1);
          if (counts && splits) splits_q <= splits_next;
          if (counts && refuses) refused_q <= refused_next;
          merges_q <= {merges_low[2] ? merges_high : merges_q[31:2], merges_low[1:0]};
        end
      end
      assign max_depth_o  = max_depth_q;
      assign max_splits_o = max_splits_q;
      assign splits_o     = splits_q;
      assign merges_o     = merges_q;
      assign refused_o    = refused_q;
    end else begin : gen_no_watch
      assign max_depth_o  = '0;
      assign max_splits_o = '0;
      assign splits_o     = '0;
      assign merges_o     = '0;
      assign refused_o    = '0;
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
  assign resolved_valid_o = acting_q && !overflows;
  assign resolved_warp_o  = resolved_valid_o ? act_warp_q : '0;
  assign resolved_slot_o  = resolved_valid_o ? act_slot_q : '0;
  assign resolved_next_o  = resolved_valid_o && !pushes && !ends && (!to_taken || act_same_target_q);
  assign push_valid_o     = push;
  assign push_warp_o      = push ? act_warp_q : '0;
  assign overflow_valid_o = acting_q && overflows;
  assign overflow_warp_o  = overflow_valid_o ? act_warp_q : '0;
  assign pop_valid_o      = pop_q;
  assign pop_warp_o       = pop_q ? pop_warp_q : '0;
  assign done_valid_o     = pop_last_q;
  assign done_warp_o      = pop_last_q ? pop_warp_q : '0;

`ifndef SYNTHESIS
  stack_caller #(
    .NumWarps (NumWarps),
    .Lanes    (Lanes),
    .NumSlots (NumSlots),
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
    .resolve_slot_i   (resolve_slot_i),
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

  logic [NumPaths-1:0] resolving_path;
  assign resolving_path = NumPaths'(1) << (32'(resolve_slot_i) * NumWarps + 32'(resolve_warp_i));

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (resolve_valid_i) begin
        assert ((resolve_exit_i & ~old_mask) == '0);   // a thread of another path exits
        assert ((merge_i & resolving_path) == '0);     // a path with an unresolved branch is joined
      end
    end
  end
`endif
endmodule
