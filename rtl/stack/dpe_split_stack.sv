// SPDX-License-Identifier: Apache-2.0
// dpe_split_stack: dual-path reconvergence stacks with memory-divergence splitting. A path that is alone in its entry
// may be split in two parts: threads that go on, and threads that stay behind in the other slot.
//
// Contract
//   Latency  as dpe_stack; a split acts at the edge at which it is sampled, a meet at a barrier is chosen and done as a
//            pop is. push, overflow, resolved and wait_o depend on stopped_i, too, resolved_next_o on merge_i.
//   Order    as dpe_stack. A part joins the other one where an advance or a resolution brings it to its PC and level,
//            if that may be joined. A part that diverges waits at its branch while the other one may still come there,
//            but for a MarkOnce, which cannot be executed again.
//   Reset    asynchronous, active low: no warp has an entry. Data have no reset.
//   Idle     as dpe_stack.
//   Assumes  (asserted) stack_caller and below. (not asserted) no call or return goes to PC 0: an address of 0 is not
//            known yet; no merge_i of a part with an unresolved branch.
//   Not here which path may be split or joined: dpe_split_frontend.
// Source: DPE paper, section 7.2. Where parts wait and join: ours.
// Above 450 lines: parts and the entry they are of change in one update of a
// warp's state; some 25 nets would have to cross.
module dpe_split_stack #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int Depth     = 16,  // entries of a stack, top included
  parameter  int TakenLeft = 1,  // slot of the taken side: 1 left, 0 right
  parameter  int LevelW    = 8,  // bits of a call level
  parameter  int Watch     = 1,  // 0: max_depth_o, splits_o and merges_o are left out
  parameter  int PcStep    = 4,  // bytes of an instruction: a power of two
  localparam int PcW       = heddle_pkg::PcW,
  localparam int KindW     = heddle_pkg::KindW,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW    = heddle_pkg::idx_width(Depth + 1),
  localparam int NumPaths  = 2 * NumWarps   // path of slot s of warp w: s*NumWarps + w
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
  input  logic [NumPaths-1:0]        merge_i,            // paths that may be joined
  input  logic [NumPaths-1:0]        stopped_i,          // paths that wait for their other part at a barrier
  // from L1
  input  logic                       split_valid_i,
  input  logic [WarpW-1:0]           split_warp_i,
  input  logic                       split_slot_i,
  input  logic [Lanes-1:0]           split_mask_i,       // threads that stay behind
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
  input  logic [KindW-1:0]           resolve_kind_i,
  // paths
  output logic [NumPaths*PcW-1:0]    pc_o,
  output logic [NumPaths*Lanes-1:0]  mask_o,
  output logic [NumPaths*LevelW-1:0] level_o,
  output logic [NumPaths-1:0]        valid_o,
  output logic [NumPaths-1:0]        sibling_o,
  output logic [NumPaths-1:0]        wait_o,             // paths whose branch waits for their other part
  output logic [NumWarps-1:0]        parts_o,            // both paths are there, and parts of one
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
  output logic [DepthW-1:0]          max_depth_o,
  output logic [31:0]                splits_o,
  output logic [31:0]                merges_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Depth < 2) Depth_must_be_at_least_2 limit ();   // the top is not in storage
  if (TakenLeft < 0 || TakenLeft > 1) TakenLeft_must_be_0_or_1 limit ();
  if (LevelW < 2 || LevelW > 16) LevelW_must_be_2_to_16 limit ();   // up is not down
  if (Watch < 0 || Watch > 1) Watch_must_be_0_or_1 limit ();
  if (PcStep < 2) PcStep_must_be_at_least_2 limit ();   // an odd PC is none
  if ((PcStep & (PcStep - 1)) != 0) PcStep_must_be_a_power_of_two limit ();

  localparam int SlotW   = PcW + Lanes + LevelW;            // {pc, mask, level}
  localparam int EntryW  = 1 + 2 * SlotW + PcW + LevelW;    // {parts, left, right, rpc, rpc_level}
  localparam int IndexW  = heddle_pkg::idx_width(Depth - 1);
  localparam int NumRows = NumWarps << IndexW;              // rows of storage: {warp, index}, index 0 the bottom
  localparam int AddrW   = heddle_pkg::idx_width(NumRows);

  // State: TOS, live mask and depth of every warp; a mask counts while its valid bit is set. (Storage for the entries
  // below is that of u_below.)
  logic [NumWarps*PcW-1:0]    pc_l_q, pc_r_q, rpc_q;
  logic [NumWarps*Lanes-1:0]  mask_l_q, mask_r_q, live_q;
  logic [NumWarps*LevelW-1:0] level_l_q, level_r_q, rpc_level_q;
  logic [NumWarps*DepthW-1:0] depth_q;
  logic [NumWarps-1:0]        valid_l_q, valid_r_q;

  // Of the TOS, too: its two paths are parts of one, and the branch of a slot waits for the other part. A
  // path that is alone does not wait.
  logic [NumWarps-1:0]        parts_q, waits_l_q, waits_r_q;
  logic [NumWarps-1:0]        wait_l, wait_r, merge_l, merge_r, stopped_l, stopped_r;
  assign {merge_r, merge_l}     = merge_i;
  assign {stopped_r, stopped_l} = stopped_i;
  assign wait_l                 = waits_l_q & valid_r_q & ~stopped_r;
  assign wait_r                 = waits_r_q & valid_l_q & ~stopped_l;

  logic [NumWarps-1:0] launched, killed, resolving, acting, popped, split, met;   // the warp of each event, one-hot
  logic [NumWarps-1:0] advanced_l, advanced_r;
  assign {advanced_r, advanced_l} = advance_i;

  // ---------------------------------------------------------------------------------------- a resolution is taken in
  // "own" is the slot that resolves. Until its resolution acts nothing moves it; only the other slot may go on.
  logic [PcW-1:0]    old_rpc;
  logic [Lanes-1:0]  own_mask;
  logic [LevelW-1:0] own_level, old_rpc_level;
  logic [Lanes-1:0]  old_live, active, taken, not_taken;
  logic [DepthW-1:0] old_depth;
  logic              same_target, divergent;
  logic              goes_taken, goes_next;        // uniform; neither: no thread is left
  logic              uniform_ends, uniform_learns;

  always_comb begin
    own_mask      = '0;
    old_live      = '0;
    own_level     = '0;
    old_rpc       = '0;
    old_rpc_level = '0;
    old_depth     = '0;
    for (int w = 0; w < NumWarps; w++) begin
      own_mask      = own_mask      | (mask_l_q[w*Lanes +: Lanes] & {Lanes{resolving[w] && !resolve_slot_i}})
                                    | (mask_r_q[w*Lanes +: Lanes] & {Lanes{resolving[w] && resolve_slot_i}});
      own_level     = own_level     | (level_l_q[w*LevelW +: LevelW] & {LevelW{resolving[w] && !resolve_slot_i}})
                                    | (level_r_q[w*LevelW +: LevelW] & {LevelW{resolving[w] && resolve_slot_i}});
      old_live      = old_live      | (live_q[w*Lanes +: Lanes] & {Lanes{resolving[w]}});
      old_rpc       = old_rpc       | (rpc_q[w*PcW +: PcW] & {PcW{resolving[w]}});
      old_rpc_level = old_rpc_level | (rpc_level_q[w*LevelW +: LevelW] & {LevelW{resolving[w]}});
      old_depth     = old_depth     | (depth_q[w*DepthW +: DepthW] & {DepthW{resolving[w]}});
    end
  end

  assign active    = own_mask & old_live & ~resolve_exit_i;
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
    .level_i          (own_level),
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
  assign uniform_learns = old_rpc[0] && goes_taken && target_at_own;

  // What each slot would become: of the entry that a divergence pushes, or of the one slot that goes on.
  logic right_is_target, left_is_target;
  assign left_is_target  = divergent ? (TakenLeft != 0) : goes_taken;
  assign right_is_target = divergent ? (TakenLeft == 0) : goes_taken;

  logic              acting_q;                    // a resolution has been taken in; of it:
  logic [WarpW-1:0]  act_warp_q;
  logic              act_slot_q;
  logic [PcW-1:0]    act_pc_l_q, act_pc_r_q;      // the slots
  logic [Lanes-1:0]  act_mask_l_q, act_mask_r_q;
  logic [LevelW-1:0] act_level_l_q, act_level_r_q;
  logic              act_valid_l_q, act_valid_r_q;
  logic [Lanes-1:0]  act_exit_q;
  logic [LevelW-1:0] act_level_q;                 // of the path that resolves
  logic [PcW-1:0]    act_rpc_q;                   // where the sides meet, or what a path that goes on has learnt
  logic [LevelW-1:0] act_rpc_level_q;
  logic [DepthW-1:0] act_depth_q;                 // with one more entry
  logic              act_divergent_q, act_tail_q;
  logic              act_once_q;                  // it cannot be executed again, so it never waits
  logic              act_full_q;                  // no room for one more entry
  logic              act_moves_q, act_learns_q;   // without divergence: it goes on; it learns an address
  logic              act_holds_q;                 // it goes on behind its instruction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acting_q <= 1'b0;
    else         acting_q <= (resolving & ~killed) != '0;
  end

  always_ff @(posedge clk_i) begin
    if (resolve_valid_i) begin
      act_warp_q      <= resolve_warp_i;
      act_slot_q      <= resolve_slot_i;
      act_pc_l_q      <= left_is_target ? resolve_target_i : resolve_next_i;
      act_pc_r_q      <= right_is_target ? resolve_target_i : resolve_next_i;
      act_level_l_q   <= left_is_target ? target_level : own_level;
      act_level_r_q   <= right_is_target ? target_level : own_level;
      act_mask_l_q    <= !divergent ? active : (TakenLeft != 0) ? taken : not_taken;
      act_mask_r_q    <= !divergent ? active : (TakenLeft != 0) ? not_taken : taken;
      act_valid_l_q   <= !divergent ? !uniform_ends : (TakenLeft != 0) ? !target_arrives : !next_arrives;
      act_valid_r_q   <= !divergent ? !uniform_ends : (TakenLeft != 0) ? !next_arrives : !target_arrives;
      act_exit_q      <= resolve_exit_i;
      act_level_q     <= own_level;
      act_rpc_q       <= divergent ? meet_rpc : {resolve_target_i[PcW-1:1], 1'b1};
      act_rpc_level_q <= meet_level;
      act_depth_q     <= old_depth + DepthW'(1);
      act_divergent_q <= divergent;
      act_tail_q      <= tail;
      act_once_q      <= resolve_kind_i == KindW'(heddle_pkg::MarkOnce);
      act_full_q      <= old_depth >= DepthW'(Depth);
      act_moves_q     <= goes_taken || goes_next;
      act_learns_q    <= uniform_learns;
      act_holds_q     <= (goes_next || (goes_taken && same_target)) && !uniform_ends;
    end
  end

  // -------------------------------------------------------------------------------------------------- and it acts
  // "other" is the other slot of the same entry.
  logic [PcW-1:0]      own_pc, act_old_rpc, other_pc;
  logic [LevelW-1:0]   act_old_rpc_level, other_level;
  logic [Lanes-1:0]    other_mask;
  logic                other_valid;
  logic [NumWarps-1:0] others_valid;              // by warp
  logic [NumWarps-1:0] pushed, grown;             // a new entry; one that does not replace the top
  logic                overflow, push;
  logic [Lanes-1:0]    act_mask;                  // threads that are left
  logic                act_at_other;              // the other part stands where they go, or at the branch itself
  logic [NumWarps-1:0] others_waits, others_stopped, others_merge;
  logic [NumWarps-1:0] awaits;                    // the other part may still come to the branch
  logic [NumWarps-1:0] joins;                     // the path joins it
  logic [NumWarps-1:0] parks_l, parks_r;          // the path of the slot waits for it, with the threads that are left
  logic [NumWarps-1:0] joined_l, joined_r;        // the path joins that of the slot

  always_comb begin
    own_pc            = '0;
    act_old_rpc       = '0;
    act_old_rpc_level = '0;
    other_pc          = '0;
    other_mask        = '0;
    other_level       = '0;
    for (int w = 0; w < NumWarps; w++) begin
      own_pc      = own_pc      | (pc_r_q[w*PcW +: PcW] & {PcW{acting[w] && act_slot_q}})
                                | (pc_l_q[w*PcW +: PcW] & {PcW{acting[w] && !act_slot_q}});
      other_pc    = other_pc    | (pc_l_q[w*PcW +: PcW] & {PcW{acting[w] && act_slot_q}})
                                | (pc_r_q[w*PcW +: PcW] & {PcW{acting[w] && !act_slot_q}});
      other_mask  = other_mask  | (mask_l_q[w*Lanes +: Lanes] & {Lanes{acting[w] && act_slot_q}})
                                | (mask_r_q[w*Lanes +: Lanes] & {Lanes{acting[w] && !act_slot_q}});
      other_level = other_level | (level_l_q[w*LevelW +: LevelW] & {LevelW{acting[w] && act_slot_q}})
                                | (level_r_q[w*LevelW +: LevelW] & {LevelW{acting[w] && !act_slot_q}});
      act_old_rpc       = act_old_rpc       | (rpc_q[w*PcW +: PcW] & {PcW{acting[w]}});
      act_old_rpc_level = act_old_rpc_level | (rpc_level_q[w*LevelW +: LevelW] & {LevelW{acting[w]}});
    end
  end

  assign others_valid = act_slot_q ? valid_l_q : valid_r_q;
  assign other_valid  = (acting & others_valid) != '0;

  assign act_mask       = act_mask_l_q | act_mask_r_q;
  assign act_at_other   = (other_pc == (act_divergent_q ? own_pc : act_pc_l_q)) &&
                          (other_level == (act_divergent_q ? act_level_q : act_level_l_q));
  assign others_waits   = act_slot_q ? waits_l_q : waits_r_q;
  assign others_stopped = act_slot_q ? stopped_l : stopped_r;
  assign others_merge   = act_slot_q ? merge_l : merge_r;
  assign awaits         = acting & {NumWarps{act_divergent_q && !act_once_q}} & parts_o & ~others_waits &
                          ~others_stopped;
  assign joins          = acting & parts_o & others_merge & {NumWarps{act_at_other}} &
                          (act_divergent_q ? awaits : {NumWarps{act_valid_l_q}});
  assign parks_l        = awaits & ~joins & {NumWarps{!act_slot_q}};
  assign parks_r        = awaits & ~joins & {NumWarps{act_slot_q}};
  assign joined_l       = joins & {NumWarps{act_slot_q}};
  assign joined_r       = joins & {NumWarps{!act_slot_q}};

  // A tail whose other slot is empty leaves nothing in its entry: the new one replaces it. Decided for each warp.
  assign overflow = acting_q && act_divergent_q && act_full_q && !(act_tail_q && !other_valid) && (awaits == '0);
  assign pushed   = acting & {NumWarps{act_divergent_q}} & ~awaits &
                    (~{NumWarps{act_full_q}} | ({NumWarps{act_tail_q}} & ~others_valid));
  assign grown    = acting & {NumWarps{act_divergent_q && !act_full_q}} & ~awaits &
                    (~{NumWarps{act_tail_q}} | others_valid);
  assign push     = pushed != '0;

  // The entry kept below the new one: own slot waits where the sides meet (at RETURN with PC 1), or is empty if its
  // entry ends there (tail).
  logic [SlotW-1:0]  kept_slot, other_slot;
  logic [AddrW-1:0]  kept_addr;
  logic [EntryW-1:0] kept_entry, pop_entry;

  assign kept_slot  = act_tail_q ? {own_pc, {Lanes{1'b0}}, act_level_q}
                                 : {act_rpc_q[0] ? PcW'(1) : act_rpc_q, act_mask_l_q | act_mask_r_q, act_rpc_level_q};
  assign other_slot = {other_pc, other_mask & {Lanes{other_valid}}, other_level};
  assign kept_addr  = AddrW'({act_warp_q, IndexW'(act_depth_q - DepthW'(2))});
  assign kept_entry = {(acting & parts_q) != '0, act_slot_q ? {other_slot, kept_slot} : {kept_slot, other_slot},
                       act_old_rpc, act_old_rpc_level};

  // ------------------------------------------------------------ two that stand at one barrier meet, one warp a cycle
  logic                meet_q;
  logic [WarpW-1:0]    meet_warp_q, meet_chosen_warp;
  logic [NumWarps-1:0] stand, meeting, at_other;   // at_other: both paths are at one place
  logic [NumWarps-1:0] unused_meet;
  logic [DepthW-1:0]   unused_meet_depth;

  assign stand = parts_o & stopped_l & stopped_r & ~meeting & ~killed;
  assign met   = meeting & parts_o & at_other;     // one may have joined the other since
  pop_choice #(
    .NumWarps (NumWarps),
    .DepthW   (DepthW)
  ) u_meet (
    .wants_i  (stand),
    .depth_i  (depth_q),
    .chosen_o (unused_meet),
    .warp_o   (meet_chosen_warp),
    .depth_o  (unused_meet_depth)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) meet_q <= 1'b0;
    else         meet_q <= stand != '0;
  end
  always_ff @(posedge clk_i) meet_warp_q <= meet_chosen_warp;

  // -------------------------------------------------------------------------------------------- a pop is chosen
  logic                pop_q, pop_last_q;     // the warp is popped in this cycle; it ends
  logic [WarpW-1:0]    pop_warp_q, chosen_warp;
  logic [DepthW-1:0]   pop_depth_q, chosen_depth;   // after the pop; before it
  logic [NumWarps-1:0] ended, unused_chosen;  // entries and no path

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

  // The row is read as the pop is chosen; no entry of its warp is written then.
  heddle_mem #(
    .Words (NumRows),
    .Width (EntryW)
  ) u_below (
    .clk_i         (clk_i),
    .write_valid_i (grown != '0),
    .write_addr_i  (kept_addr),
    .write_data_i  (kept_entry),
    .read_valid_i  (ended != '0),
    .read_addr_i   (AddrW'({chosen_warp, IndexW'(chosen_depth - DepthW'(2))})),
    .read_data_o   (pop_entry)
  );

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

  always_ff @(posedge clk_i) pop_depth_q <= chosen_depth - DepthW'(1);

  // --------------------------------------------------------------------------------------------------- and done
  logic [PcW-1:0]    pop_saved_pc_l, pop_saved_pc_r, pop_saved_rpc, pop_old_rpc, pop_address;
  logic [PcW-1:0]    pop_pc_l, pop_pc_r, pop_rpc;
  logic [Lanes-1:0]  pop_saved_l, pop_saved_r, pop_live, pop_mask_l, pop_mask_r;
  logic [LevelW-1:0] pop_level_l, pop_level_r, pop_rpc_level, pop_old_level;
  logic              row_parts;
  logic              pop_same_place, pop_at_place, pop_arrives_l, pop_arrives_r, pop_valid_l, pop_valid_r;

  assign {row_parts, pop_saved_pc_l, pop_saved_l, pop_level_l, pop_saved_pc_r, pop_saved_r, pop_level_r,
          pop_saved_rpc, pop_rpc_level} = pop_entry;

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

  // What the old top has learnt goes to the rpc below if that is the same place, or to the PC of the slot that waits
  // for it. (Not both: then the place of that slot would be that of its sides, and a tail.)
  assign pop_address    = {pop_old_rpc[PcW-1:1], 1'b0};
  assign pop_same_place = pop_old_rpc[0] && pop_saved_rpc[0] && (pop_old_level == pop_rpc_level);
  assign pop_rpc        = pop_same_place ? pop_old_rpc : pop_saved_rpc;
  assign pop_pc_l       = pop_saved_pc_l[0] ? pop_address : pop_saved_pc_l;
  assign pop_pc_r       = pop_saved_pc_r[0] ? pop_address : pop_saved_pc_r;
  assign pop_at_place   = (pop_saved_rpc != '0) && (pop_address == pop_saved_rpc);
  assign pop_arrives_l  = pop_saved_pc_l[0] && pop_at_place && (pop_level_l == pop_rpc_level);
  assign pop_arrives_r  = pop_saved_pc_r[0] && pop_at_place && (pop_level_r == pop_rpc_level);
  assign pop_mask_l     = pop_saved_l & pop_live;
  assign pop_mask_r     = pop_saved_r & pop_live;
  assign pop_valid_l    = !pop_arrives_l && (pop_mask_l != '0);
  assign pop_valid_r    = !pop_arrives_r && (pop_mask_r != '0);

  // ------------------------------------------------------------------------------------------------------ state
  // Of launch, resolution, pop, split and meet at most one is of a warp, and an advance of the same slot neither: a
  // field is the sum of what they write. A push comes after an advance of the other slot.
  logic [NumWarps-1:0] steps_join_l, steps_join_r;   // the path of the slot joins the other one by an advance
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      logic l, p, pushes, goes_on, meets;
      logic writes_l, writes_r, moves_l, moves_r;   // a resolution makes the slot another; its PC, too
      logic at_rpc_l, at_rpc_r, ends_l, ends_r;     // an advance arrives (not at RETURN: that is odd and no PC is)
      logic same_level;
      logic fills_l, fills_r;                       // a split puts a part into the slot
      logic takes_l, takes_r;                       // the slot's path takes all threads of the other one
      logic empties_l, empties_r;                   // the slot's path joins the other one

      assign launched[w]  = launch_valid_i && (launch_warp_i == WarpW'(w));
      assign killed[w]    = kill_valid_i && (kill_warp_i == WarpW'(w));
      assign resolving[w] = resolve_valid_i && (resolve_warp_i == WarpW'(w));
      assign acting[w]    = acting_q && (act_warp_q == WarpW'(w));
      assign popped[w]    = pop_q && (pop_warp_q == WarpW'(w));
      assign split[w]     = split_valid_i && (split_warp_i == WarpW'(w));
      assign meeting[w]   = meet_q && (meet_warp_q == WarpW'(w));
      assign ended[w]     = !valid_l_q[w] && !valid_r_q[w] && (depth_q[w*DepthW +: DepthW] != '0) && !popped[w] &&
                            !killed[w];

      assign l        = launched[w];
      assign p        = popped[w] && !pop_last_q;
      assign pushes   = pushed[w];
      assign goes_on  = acting[w] && !act_divergent_q;
      assign meets    = pushes || (goes_on && act_learns_q);
      assign writes_l = pushes || (goes_on && !act_slot_q);
      assign writes_r = pushes || (goes_on && act_slot_q);
      assign moves_l  = pushes || (goes_on && !act_slot_q && act_moves_q);
      assign moves_r  = pushes || (goes_on && act_slot_q && act_moves_q);

      assign at_rpc_l = heddle_pkg::next_is(pc_l_q[w*PcW +: PcW], rpc_q[w*PcW +: PcW], PcStep) &&
                        (rpc_q[w*PcW +: PcW] != '0);
      assign at_rpc_r = heddle_pkg::next_is(pc_r_q[w*PcW +: PcW], rpc_q[w*PcW +: PcW], PcStep) &&
                        (rpc_q[w*PcW +: PcW] != '0);
      assign ends_l   = advanced_l[w] && at_rpc_l && (level_l_q[w*LevelW +: LevelW] == rpc_level_q[w*LevelW +: LevelW]);
      assign ends_r   = advanced_r[w] && at_rpc_r && (level_r_q[w*LevelW +: LevelW] == rpc_level_q[w*LevelW +: LevelW]);

      // Nobody stands at the place of his own entry: who arrives there joins nobody.
      assign same_level      = level_l_q[w*LevelW +: LevelW] == level_r_q[w*LevelW +: LevelW];
      assign at_other[w]     = same_level && (pc_l_q[w*PcW +: PcW] == pc_r_q[w*PcW +: PcW]);
      assign steps_join_l[w] = advanced_l[w] && parts_o[w] && merge_r[w] && same_level &&
                               heddle_pkg::next_is(pc_l_q[w*PcW +: PcW], pc_r_q[w*PcW +: PcW], PcStep);
      assign steps_join_r[w] = advanced_r[w] && parts_o[w] && merge_l[w] && same_level &&
                               heddle_pkg::next_is(pc_r_q[w*PcW +: PcW], pc_l_q[w*PcW +: PcW], PcStep);
      assign fills_l   = split[w] && split_slot_i;
      assign fills_r   = split[w] && !split_slot_i;
      assign takes_l   = steps_join_r[w] || met[w];
      assign takes_r   = steps_join_l[w];
      assign empties_l = takes_r || joined_r[w];
      assign empties_r = takes_l || joined_l[w];

      always_ff @(posedge clk_i) begin
        if (l || moves_l || p || fills_l || advanced_l[w]) begin
          pc_l_q[w*PcW +: PcW] <= ({PcW{l}} & launch_pc_i) | ({PcW{moves_l}} & act_pc_l_q) | ({PcW{p}} & pop_pc_l) |
                                  ({PcW{fills_l}} & pc_r_q[w*PcW +: PcW]) |
                                  ({PcW{advanced_l[w]}} & (pc_l_q[w*PcW +: PcW] + PcW'(PcStep)));
        end
        if (l || moves_r || p || fills_r || advanced_r[w]) begin
          pc_r_q[w*PcW +: PcW] <= ({PcW{moves_r}} & act_pc_r_q) | ({PcW{p}} & pop_pc_r) |
                                  ({PcW{fills_r}} & pc_l_q[w*PcW +: PcW]) |
                                  ({PcW{advanced_r[w]}} & (pc_r_q[w*PcW +: PcW] + PcW'(PcStep)));
        end
        if (l || writes_l || p || parks_l[w] || joined_l[w] || takes_l || split[w]) begin
          mask_l_q[w*Lanes +: Lanes] <= ({Lanes{l}} & launch_mask_i) | ({Lanes{writes_l}} & act_mask_l_q) |
                                        ({Lanes{p}} & pop_mask_l) |
                                        ({Lanes{parks_l[w] || joined_l[w]}} & act_mask) |
                                        ({Lanes{joined_l[w] || takes_l}} & mask_l_q[w*Lanes +: Lanes]) |
                                        ({Lanes{takes_l}} & mask_r_q[w*Lanes +: Lanes]) |
                                        ({Lanes{fills_l}} & mask_r_q[w*Lanes +: Lanes] & split_mask_i) |
                                        ({Lanes{fills_r}} & mask_l_q[w*Lanes +: Lanes] & ~split_mask_i);
        end
        if (writes_r || p || parks_r[w] || joined_r[w] || takes_r || split[w]) begin
          mask_r_q[w*Lanes +: Lanes] <= ({Lanes{writes_r}} & act_mask_r_q) |
                                        ({Lanes{p}} & pop_mask_r) |
                                        ({Lanes{parks_r[w] || joined_r[w]}} & act_mask) |
                                        ({Lanes{joined_r[w] || takes_r}} & mask_r_q[w*Lanes +: Lanes]) |
                                        ({Lanes{takes_r}} & mask_l_q[w*Lanes +: Lanes]) |
                                        ({Lanes{fills_r}} & mask_l_q[w*Lanes +: Lanes] & split_mask_i) |
                                        ({Lanes{fills_l}} & mask_r_q[w*Lanes +: Lanes] & ~split_mask_i);
        end
        if (l || moves_l || p || fills_l) begin
          level_l_q[w*LevelW +: LevelW] <= ({LevelW{moves_l}} & act_level_l_q) | ({LevelW{p}} & pop_level_l) |
                                           ({LevelW{fills_l}} & level_r_q[w*LevelW +: LevelW]);
        end
        if (l || moves_r || p || fills_r) begin
          level_r_q[w*LevelW +: LevelW] <= ({LevelW{moves_r}} & act_level_r_q) | ({LevelW{p}} & pop_level_r) |
                                           ({LevelW{fills_r}} & level_l_q[w*LevelW +: LevelW]);
        end
        if (l || pushes || goes_on || awaits[w]) begin
          live_q[w*Lanes +: Lanes] <= l ? launch_mask_i : live_q[w*Lanes +: Lanes] & ~act_exit_q;
        end
        if (l || meets || p) begin
          rpc_q[w*PcW +: PcW] <= ({PcW{meets}} & act_rpc_q) | ({PcW{p}} & pop_rpc);
        end
        if (l || pushes || p) begin
          rpc_level_q[w*LevelW +: LevelW] <= ({LevelW{pushes}} & act_rpc_level_q) | ({LevelW{p}} & pop_rpc_level);
        end
        if (l || pushes || popped[w] || split[w]) parts_q[w] <= split[w] || (popped[w] && row_parts);
        waits_l_q[w] <= parks_l[w] || (wait_l[w] && !(pushes || split[w]));
        waits_r_q[w] <= parks_r[w] || (wait_r[w] && !(pushes || split[w]));
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          valid_l_q[w]                <= 1'b0;
          valid_r_q[w]                <= 1'b0;
          depth_q[w*DepthW +: DepthW] <= '0;
        end else begin
          if (killed[w] || l || writes_l || p || ends_l || fills_l || empties_l) begin
            valid_l_q[w] <= !killed[w] && !empties_l &&
                            (l || (writes_l && act_valid_l_q) || (p && pop_valid_l) || fills_l);
          end
          if (killed[w] || writes_r || p || ends_r || fills_r || empties_r) begin
            valid_r_q[w] <= !killed[w] && !empties_r &&
                            ((writes_r && act_valid_r_q) || (p && pop_valid_r) || fills_r);
          end
          if (killed[w] || l || grown[w] || popped[w]) begin
            depth_q[w*DepthW +: DepthW] <=
              {DepthW{!killed[w]}} & (({DepthW{l}} & DepthW'(1)) | ({DepthW{grown[w]}} & act_depth_q) |
                                      ({DepthW{popped[w]}} & pop_depth_q));
          end
        end
      end

      assign mask_o[w*Lanes +: Lanes]            = mask_l_q[w*Lanes +: Lanes] & {Lanes{valid_l_q[w]}};
      assign mask_o[(NumWarps+w)*Lanes +: Lanes] = mask_r_q[w*Lanes +: Lanes] & {Lanes{valid_r_q[w]}};
    end
  endgenerate

  // For watching. (A launch and a resolution may both raise the depth in one cycle; up to three warps join. Sums are
  // there before it is known what happens.)
  generate
    if (Watch != 0) begin : gen_watch
      logic [DepthW-1:0] max_depth_q;
      logic [31:0]       splits_q, merges_q;
      logic [29:0]       merges_high;
      logic [2:0]        merges_low;     // with a carry
      logic              deeper, by_step, by_act, by_meet;
      assign deeper      = ((grown & ~killed) != '0) && (act_depth_q > max_depth_q);
      assign by_step     = ((steps_join_l | steps_join_r) & ~killed) != '0;
      assign by_act      = (joins & ~killed) != '0;
      assign by_meet     = (met & ~killed) != '0;
      assign merges_low  = {1'b0, merges_q[1:0]} + (3'(by_step) + 3'(by_act) + 3'(by_meet));
      assign merges_high = merges_q[31:2] + 30'd1;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                                  max_depth_q <= '0;
        else if (deeper)                              max_depth_q <= act_depth_q;
        else if (launch_valid_i && max_depth_q == '0) max_depth_q <= DepthW'(1);
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          splits_q <= '0;
          merges_q <= '0;
        end else begin
          if ((split & ~killed) != '0) splits_q <= splits_q + 32'd1;
          merges_q[1:0] <= merges_low[1:0];
          if (merges_low[2]) merges_q[31:2] <= merges_high;
        end
      end
      assign max_depth_o = max_depth_q;
      assign splits_o    = splits_q;
      assign merges_o    = merges_q;
    end else begin : gen_no_watch
      assign max_depth_o = '0;
      assign splits_o    = '0;
      assign merges_o    = '0;
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- outputs
  assign pc_o             = {pc_r_q, pc_l_q};
  assign level_o          = {level_r_q, level_l_q};
  assign rpc_o            = rpc_q;
  assign rpc_level_o      = rpc_level_q;
  assign live_o           = live_q;
  assign depth_o          = depth_q;
  assign valid_o          = {valid_r_q, valid_l_q};
  assign sibling_o        = {valid_l_q, valid_r_q};
  assign wait_o           = {wait_r, wait_l};
  assign parts_o          = parts_q & valid_l_q & valid_r_q;
  assign resolved_valid_o = acting_q && !overflow;
  assign resolved_warp_o  = resolved_valid_o ? act_warp_q : '0;
  assign resolved_slot_o  = resolved_valid_o && act_slot_q;
  assign resolved_next_o  = resolved_valid_o && act_holds_q && (joins == '0);
  assign push_valid_o     = push;
  assign push_warp_o      = push ? act_warp_q : '0;
  assign overflow_valid_o = overflow;
  assign overflow_warp_o  = overflow ? act_warp_q : '0;
  assign pop_valid_o      = pop_q;
  assign pop_warp_o       = pop_warp_q;
  assign done_valid_o     = pop_last_q;
  assign done_warp_o      = pop_last_q ? pop_warp_q : '0;

`ifndef SYNTHESIS
  stack_caller #(
    .NumWarps (NumWarps),
    .Lanes    (Lanes),
    .NumSlots (2),
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
    .valid_i          ({valid_r_q, valid_l_q}),
    .depth_i          (depth_q),
    .acting_valid_i   (acting_q),
    .acting_warp_i    (act_warp_q)
  );

  logic [NumWarps-1:0] of_slot;   // paths like that which is split
  logic [Lanes-1:0]    of_path;
  assign of_slot = split_slot_i ? valid_r_q & ~valid_l_q : valid_l_q & ~valid_r_q;
  assign of_path = split_slot_i ? mask_r_q[split_warp_i*Lanes +: Lanes] : mask_l_q[split_warp_i*Lanes +: Lanes];

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (split_valid_i) begin
        assert (32'(split_warp_i) < NumWarps);                        // split_warp_i names no warp
        assert ((split & ~of_slot) == '0);                            // not the only path of its warp is split
        assert (((of_path & split_mask_i) != '0) && ((of_path & ~split_mask_i) != '0));   // a part has no thread
        assert ((split & (killed | advanced_l | advanced_r | resolving | acting)) == '0); // of a warp that stands
      end
      assert ((advance_i & wait_o) == '0);                            // a path that waits cannot issue
      // A path that waits has no branch to resolve.
      assert ((resolving & (resolve_slot_i ? wait_r : wait_l)) == '0);
      // A part comes to another whose branch is resolved with the threads that it had.
      assert ((resolving & (resolve_slot_i ? steps_join_l : steps_join_r)) == '0);
      // Parts that meet at a barrier go on.
      assert ((met & (advanced_l | advanced_r | resolving | acting)) == '0);
    end
  end
`endif
endmodule
