// SPDX-License-Identifier: Apache-2.0
// dpe_stack: dual-path reconvergence stacks of NumWarps warps; the top of stack (TOS) of each warp, with its two
// schedulable paths, in registers, the entries below it in storage.
//
// Contract
//   Latency  launch and advance act at the edge at which they are sampled. A resolution is taken in there and acts at
//            the next edge, a pop or a forward is chosen in one cycle and done at the edge that ends the next: events
//            show the cycle that ends with the act. They depend on registers and, with Split, push, overflow and
//            resolved on stopped_i, resolved_next_o on merge_i, too. wait_o depends on registers and stopped_i.
//   Order    An advance of the other slot in the cycle in which a divergence acts is applied first: what is saved below
//            the new entry, or looked at for the tail rule, is that slot after its advance. It is kept when the push
//            overflows, too; apart from it an overflow changes nothing, the live mask included.
//            Advance, resolution and pop of different warps are independent and happen together. One choice a cycle:
//            the lowest warp that has entries and no path and is not being popped. With Forward also one of which a
//            guest goes on, or an own path beside an empty slot: an advance may meet its pop or forward, a resolution
//            does not (hold_i).
//            Where a path has returned to is learnt in the cycle in which it arrives, by its own entry or by the one
//            that is pushed in that cycle, and goes down with the pop of that entry: to an rpc that is the same place,
//            or to the PC of the slot that waits for it, which may thereby have arrived itself and becomes empty.
//            With Split a path becomes two parts of one entry at the edge of a split. One that comes to where the
//            other stands, by an advance or a resolution, joins it, if that may be joined. A divergence of a part
//            pushes nothing while the other one may still come: the part waits at its branch, or joins the other
//            there; a marked instruction, which cannot be executed again, never waits. Two that stand at one barrier
//            are chosen in one cycle and joined at the edge that ends the next.
//            A kill wins over everything else of its warp: a resolution that is taken in or acts, a choice, a pop, a
//            forward, a meet.
//   Reset    asynchronous, active low; no warp has an entry. Data have no reset: those of a path are written by the
//            launch of its warp, an entry before it is read.
//   Idle     warp outputs of events are 0 while their valid is 0, and so is the mask of an empty slot, which keeps its
//            PC as last written.
//   Assumes  (asserted) launch of a warp with depth 0, not killed in this cycle, and a mask that is not empty; advance
//            and resolution of a slot that is not empty; no advance of a slot, and no further resolution of its warp,
//            until its resolution has acted; no advance of a warp in the cycle in which one acts; with Forward hold_i
//            of the warp in that cycle, in the one in which the resolution is taken in and in the one before; PCs with
//            bit 0 clear, RETURN as exactly 1; nothing that is both a call and a return; a split of the only path of
//            its warp, into two that have threads, with no kill, advance or resolution of the warp, taken in or acting;
//            no advance and no resolution of a part that waits, nor of parts as they meet; no advance to a part whose
//            resolution is taken in, if that may be joined. (not asserted) no call or return to PC 0: an address of
//            0 is one that is not known yet; no merge_i of a part with an unresolved branch.
//   Not here which path has an unresolved branch, which may be split or joined, and stopping a warp that overflowed:
//            frontend.
// The pins are those of every stack, with hold_i and forwards_o, and those of Split from merge_i on.
// Source: DPE paper, section 3.1, Figures 4 and 6, forwarding 7.1, splitting 7.2; tail rule, inheritance of RPC NONE,
// call levels and RPC RETURN, what forwarding is to them, and where parts join: ours.
module dpe_stack #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int Depth     = 16,  // entries of a stack, top included
  parameter  int TakenLeft = 1,  // slot of the taken side: 1 left, 0 right
  parameter  int LevelW    = 8,  // bits of a call level
  parameter  int Forward   = 0,  // 1: paths of the entry below run in empty slots of the top
  parameter  int Split     = 0,  // 1: a path may be split in two that issue on their own until they meet
  parameter  int Watch     = 1,  // 0: max_depth_o and the counts are left out
  localparam int PcW       = heddle_pkg::PcW,
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
  input  logic [NumWarps-1:0]        hold_i,
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
  input  logic                       resolve_mark_i,
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
  output logic [31:0]                merges_o,
  output logic [31:0]                forwards_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Depth < 2) Depth_must_be_at_least_2 limit ();   // the top is not in storage
  if (TakenLeft < 0 || TakenLeft > 1) TakenLeft_must_be_0_or_1 limit ();
  if (LevelW < 2 || LevelW > 16) LevelW_must_be_2_to_16 limit ();   // up is not down
  if (Forward < 0 || Forward > 1) Forward_must_be_0_or_1 limit ();
  if (Split < 0 || Split > 1) Split_must_be_0_or_1 limit ();
  if (Split == 1 && Forward == 1) Split_must_be_0_when_Forward_is_1 limit ();   // what is in the slot: part or guest?
  if (Watch < 0 || Watch > 1) Watch_must_be_0_or_1 limit ();

  // An entry is {pc_l, mask_l, level_l, pc_r, mask_r, level_r, rpc, rpc_level}, with Forward behind {here, gone,
  // offer_l, offer_r, grpc, grpc_level}, with Split behind {parts}.
  localparam int SlotW   = PcW + Lanes + LevelW;            // {pc, mask, level}
  localparam int PlainW  = 2 * SlotW + PcW + LevelW;
  localparam int EntryW  = PlainW + ((Forward != 0) ? 4 + PcW + LevelW : (Split != 0) ? 1 : 0);
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

  // With Forward, of every warp: the slot of the entry below that is offered; whether its path is in the top's same
  // slot, as long as that is valid; and that path's place.
  logic [NumWarps-1:0]        here_q, offer_l_q, offer_r_q;
  logic [NumWarps*PcW-1:0]    guest_rpc_q;
  logic [NumWarps*LevelW-1:0] guest_level_q;
  logic [NumWarps-1:0]        guest_l, guest_r;            // the slot, if valid, is the guest's and not own
  assign guest_l = here_q & offer_l_q;
  assign guest_r = here_q & offer_r_q;

  // With Split, of every warp:
  logic [NumWarps-1:0]       awaits;               // the other part may still come to the branch that acts
  logic [NumWarps-1:0]       joins;                // the path whose resolution acts joins the other part
  logic [NumWarps-1:0]       parks_l, parks_r;     // ... waits for it, with the threads that are left
  logic [NumWarps-1:0]       joined_l, joined_r;   // ... joins the slot's
  logic [NumWarps-1:0]       fills_l, fills_r;     // a split puts a part into the slot
  logic [NumWarps-1:0]       empties_l, empties_r; // the slot's path joins the other one
  logic [NumWarps*Lanes-1:0] leave_l, leave_r;     // threads that leave the slot's path for the other one
  logic [NumWarps*Lanes-1:0] come_l, come_r;       // threads that come to it from the other one
  logic [Lanes-1:0]          act_put_l, act_put_r; // threads that the resolution which acts puts into a slot

  logic [NumWarps-1:0] launched, killed, resolving, acting, popped;   // the warp of each event, one-hot
  logic [NumWarps-1:0] forwarded;
  logic [NumWarps-1:0] advanced_l, advanced_r;
  assign {advanced_r, advanced_l} = advance_i;

  // ---------------------------------------------------------------------------------------- a resolution is taken in
  // "own" is the slot that resolves. Until its resolution acts nothing moves it; only the other slot may go on.
  logic [PcW-1:0]    old_rpc;
  logic [Lanes-1:0]  own_mask;
  logic [LevelW-1:0] own_level, old_rpc_level;    // old_rpc: the path's own place, the entry's or the guest's
  logic [NumWarps-1:0] by_guest;
  logic [Lanes-1:0]  old_live, active, taken, not_taken;
  logic [DepthW-1:0] old_depth;
  logic              same_target, divergent;
  logic              goes_taken, goes_next;        // uniform; neither: no thread is left
  logic              uniform_ends, uniform_learns;

  assign by_guest = resolving & (resolve_slot_i ? guest_r : guest_l);

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
      old_rpc       = old_rpc       | (rpc_q[w*PcW +: PcW] & {PcW{resolving[w] && !by_guest[w]}})
                                    | (guest_rpc_q[w*PcW +: PcW] & {PcW{by_guest[w]}});
      old_rpc_level = old_rpc_level | (rpc_level_q[w*LevelW +: LevelW] & {LevelW{resolving[w] && !by_guest[w]}})
                                    | (guest_level_q[w*LevelW +: LevelW] & {LevelW{by_guest[w]}});
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
  logic              act_full_q;                  // no room for one more entry
  logic              act_moves_q, act_learns_q;   // without divergence: it goes on; it learns an address
  logic              act_holds_q;                 // it goes on behind its instruction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acting_q <= 1'b0;
    else         acting_q <= (resolving & ~killed) != '0;
  end

  always_ff @(posedge clk_i) begin
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
    act_full_q      <= old_depth >= DepthW'(Depth);
    act_moves_q     <= goes_taken || goes_next;
    act_learns_q    <= uniform_learns;
    act_holds_q     <= (goes_next || (goes_taken && same_target)) && !uniform_ends;
  end

  // -------------------------------------------------------------------------------------------------- and it acts
  // "other" is the other slot of the same entry.
  logic [PcW-1:0]      own_pc, act_old_rpc, other_pc;
  logic [LevelW-1:0]   act_old_rpc_level, other_level;
  logic [Lanes-1:0]    other_mask;
  logic                other_valid;
  logic [NumWarps-1:0] others_valid;                   // by warp
  logic                act_replaces;                   // if the other slot is empty
  logic [NumWarps-1:0] pushed, grown;                  // a new entry; one that does not replace the top
  logic                overflow, push, replace;

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

  // The entry replaces the top if nothing is left there. Decided for each warp.
  assign replace  = act_replaces && !other_valid;
  assign overflow = acting_q && act_divergent_q && act_full_q && !replace && (awaits == '0);
  assign pushed   = acting & {NumWarps{act_divergent_q}} & ~awaits &
                    (~{NumWarps{act_full_q}} | ({NumWarps{act_replaces}} & ~others_valid));
  assign grown    = acting & {NumWarps{act_divergent_q && !act_full_q}} & ~awaits &
                    (~{NumWarps{act_replaces}} | others_valid);
  assign push     = pushed != '0;

  // The entry kept below the new one: own slot waits where the sides meet (at RETURN with PC 1), or is empty if its
  // entry ends there (tail).
  logic [SlotW-1:0]  kept_slot, other_slot;
  logic [AddrW-1:0]  kept_addr;
  logic [PlainW-1:0] kept_plain, pop_plain;
  logic [EntryW-1:0] kept_entry, pop_entry;

  assign kept_slot  = act_tail_q ? {own_pc, {Lanes{1'b0}}, act_level_q}
                                 : {act_rpc_q[0] ? PcW'(1) : act_rpc_q, act_mask_l_q | act_mask_r_q, act_rpc_level_q};
  assign other_slot = {other_pc, other_mask & {Lanes{other_valid}}, other_level};
  assign kept_addr  = AddrW'({act_warp_q, IndexW'(act_depth_q - DepthW'(2))});
  assign kept_plain = {act_slot_q ? {other_slot, kept_slot} : {kept_slot, other_slot}, act_old_rpc, act_old_rpc_level};

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

  // -------------------------------------------------------------------------------- a pop or a forward is chosen
  logic                pop_q, pop_last_q;     // the warp is popped in this cycle; it ends
  logic                forward_q;             // a path of the entry below, which a pop would bring, is forwarded to it
  logic [WarpW-1:0]    pop_warp_q, chosen_warp;
  logic [DepthW-1:0]   pop_depth_q, chosen_depth;   // after the pop; before it
  logic [NumWarps-1:0] idle, wants;           // no path of its own and nothing holds a guest; a path can be forwarded
  logic [NumWarps-1:0] ended, chosen;         // entries and one of both; the lowest such warp, one-hot

  pop_choice #(
    .NumWarps (NumWarps),
    .DepthW   (DepthW)
  ) u_choice (
    .wants_i  (ended),
    .depth_i  (depth_q),
    .chosen_o (chosen),
    .warp_o   (chosen_warp),
    .depth_o  (chosen_depth)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pop_q      <= 1'b0;
      pop_last_q <= 1'b0;
      pop_warp_q <= '0;
    end else begin
      pop_q      <= (ended != '0) && ((chosen & wants) == '0);
      pop_last_q <= chosen_depth == DepthW'(1);
      pop_warp_q <= chosen_warp;
    end
  end

  always_ff @(posedge clk_i) pop_depth_q <= chosen_depth - DepthW'(1);

  // --------------------------------------------------------------------------------------------------- and done
  logic [PcW-1:0]    pop_saved_pc_l, pop_saved_pc_r, pop_saved_rpc, pop_old_rpc, pop_address;
  logic [PcW-1:0]    pop_pc_l, pop_pc_r, pop_rpc, pop_place_l, pop_place_r;
  logic [Lanes-1:0]  pop_saved_l, pop_saved_r, pop_live, pop_mask_l, pop_mask_r;
  logic [LevelW-1:0] pop_level_l, pop_level_r, pop_rpc_level, pop_old_level, pop_place_level_l, pop_place_level_r;
  logic              pop_same_place, pop_at_l, pop_at_r, pop_arrives_l, pop_arrives_r, pop_valid_l, pop_valid_r;
  logic              pop_by_guest;          // the old top may be that of a guest of this entry

  assign {pop_saved_pc_l, pop_saved_l, pop_level_l, pop_saved_pc_r, pop_saved_r, pop_level_r,
          pop_saved_rpc, pop_rpc_level} = pop_plain;

  always_comb begin
    pop_old_rpc   = '0;
    pop_old_level = '0;
    pop_live      = '0;
    for (int w = 0; w < NumWarps; w++) begin
      pop_old_rpc   = pop_old_rpc   | (rpc_q[w*PcW +: PcW] & {PcW{popped[w]}});
      pop_old_level = pop_old_level | (rpc_level_q[w*LevelW +: LevelW] & {LevelW{popped[w]}});
      pop_live      = pop_live      | (live_q[w*Lanes +: Lanes] & {Lanes{popped[w] || forwarded[w]}});
    end
  end

  // What the old top has learnt goes to the rpc below if that is the same place, or to the PC of the slot that waits
  // for it. (Not both: then the place of that slot would be that of its sides, and a tail. Or a guest called: its place
  // is another, and of the entry's its call has no more than the level.)
  assign pop_address    = {pop_old_rpc[PcW-1:1], 1'b0};
  assign pop_same_place = pop_old_rpc[0] && pop_saved_rpc[0] && (pop_old_level == pop_rpc_level) && !pop_by_guest;
  assign pop_rpc        = pop_same_place ? pop_old_rpc : pop_saved_rpc;
  assign pop_pc_l       = pop_saved_pc_l[0] ? pop_address : pop_saved_pc_l;
  assign pop_pc_r       = pop_saved_pc_r[0] ? pop_address : pop_saved_pc_r;
  assign pop_at_l       = (pop_place_l != '0) && (pop_address == pop_place_l);
  assign pop_at_r       = (pop_place_r != '0) && (pop_address == pop_place_r);
  assign pop_arrives_l  = pop_saved_pc_l[0] && pop_at_l && (pop_level_l == pop_place_level_l);
  assign pop_arrives_r  = pop_saved_pc_r[0] && pop_at_r && (pop_level_r == pop_place_level_r);
  assign pop_mask_l     = pop_saved_l & pop_live;
  assign pop_mask_r     = pop_saved_r & pop_live;
  assign pop_valid_l    = !pop_arrives_l && (pop_mask_l != '0);
  assign pop_valid_r    = !pop_arrives_r && (pop_mask_r != '0);

  // ------------------------------------------------------------------------------------------------------ state
  // Of launch, resolution, pop and forward at most one is of a warp, and an advance of the same slot neither: fields
  // are sums of what they write. A push comes after an advance of the other slot. A pop keeps a guest's slot. Of a path
  // that stays threads may leave, and others come to it.
  logic [NumWarps-1:0] keeps_l, keeps_r;
  logic [NumWarps-1:0] ends_l, ends_r;       // an advance arrives (not at RETURN: that is odd and no PC is)
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      logic           l, p, p_l, p_r, pushes, goes_on, meets, exits;
      logic [PcW-1:0]    place_l, place_r;          // where the paths arrive
      logic [LevelW-1:0] place_level_l, place_level_r;
      logic           writes_l, writes_r, moves_l, moves_r;   // a resolution makes the slot another; its PC, too
      logic           puts_l, puts_r, keeps_mask_l, keeps_mask_r;
      logic [PcW-1:0] step_l, step_r;               // bits of the PC that an advance changes

      assign launched[w]   = launch_valid_i && (launch_warp_i == WarpW'(w));
      assign killed[w]     = kill_valid_i && (kill_warp_i == WarpW'(w));
      assign resolving[w]  = resolve_valid_i && (resolve_warp_i == WarpW'(w));
      assign acting[w]     = acting_q && (act_warp_q == WarpW'(w));
      assign popped[w]     = pop_q && (pop_warp_q == WarpW'(w));
      assign forwarded[w]  = forward_q && (pop_warp_q == WarpW'(w));
      assign ended[w]      = (idle[w] || wants[w]) && (depth_q[w*DepthW +: DepthW] != '0) && !popped[w] &&
                             !forwarded[w] && !killed[w];

      assign l        = launched[w];
      assign p        = popped[w] && !pop_last_q;
      assign p_l      = (p && !keeps_l[w]) || (forwarded[w] && offer_l_q[w]);
      assign p_r      = (p && !keeps_r[w]) || (forwarded[w] && offer_r_q[w]);
      assign pushes   = pushed[w];
      assign goes_on  = acting[w] && !act_divergent_q;
      assign exits    = pushes || goes_on || awaits[w];
      assign meets    = pushes || (goes_on && act_learns_q);
      assign writes_l = pushes || (goes_on && !act_slot_q);
      assign writes_r = pushes || (goes_on && act_slot_q);
      assign moves_l  = pushes || (goes_on && !act_slot_q && act_moves_q);
      assign moves_r  = pushes || (goes_on && act_slot_q && act_moves_q);

      assign puts_l       = writes_l || parks_l[w] || joined_l[w];
      assign puts_r       = writes_r || parks_r[w] || joined_r[w];
      assign keeps_mask_l = !(l || writes_l || p_l || parks_l[w] || fills_l[w]);
      assign keeps_mask_r = !(writes_r || p_r || parks_r[w] || fills_r[w]);

      assign place_l       = guest_l[w] ? guest_rpc_q[w*PcW +: PcW] : rpc_q[w*PcW +: PcW];
      assign place_r       = guest_r[w] ? guest_rpc_q[w*PcW +: PcW] : rpc_q[w*PcW +: PcW];
      assign place_level_l = guest_l[w] ? guest_level_q[w*LevelW +: LevelW] : rpc_level_q[w*LevelW +: LevelW];
      assign place_level_r = guest_r[w] ? guest_level_q[w*LevelW +: LevelW] : rpc_level_q[w*LevelW +: LevelW];

      assign step_l = pc_l_q[w*PcW +: PcW] ^ (pc_l_q[w*PcW +: PcW] + PcW'(4));
      assign ends_l[w] = heddle_pkg::next_is(pc_l_q[w*PcW +: PcW], place_l) && (place_l != '0) &&
                         (level_l_q[w*LevelW +: LevelW] == place_level_l);
      assign step_r = pc_r_q[w*PcW +: PcW] ^ (pc_r_q[w*PcW +: PcW] + PcW'(4));
      assign ends_r[w] = heddle_pkg::next_is(pc_r_q[w*PcW +: PcW], place_r) && (place_r != '0) &&
                         (level_r_q[w*LevelW +: LevelW] == place_level_r);

      always_ff @(posedge clk_i) begin
        pc_l_q[w*PcW +: PcW] <= ({PcW{l}} & launch_pc_i) | ({PcW{moves_l}} & act_pc_l_q) | ({PcW{p_l}} & pop_pc_l) |
                                ({PcW{fills_l[w]}} & pc_r_q[w*PcW +: PcW]) |
                                ({PcW{!(l || moves_l || p_l || fills_l[w])}} &
                                 (pc_l_q[w*PcW +: PcW] ^ ({PcW{advanced_l[w]}} & step_l)));
        mask_l_q[w*Lanes +: Lanes] <= ({Lanes{l}} & launch_mask_i) | ({Lanes{puts_l}} & act_put_l) |
                                      ({Lanes{p_l}} & pop_mask_l) | come_l[w*Lanes +: Lanes] |
                                      ({Lanes{keeps_mask_l}} &
                                       (mask_l_q[w*Lanes +: Lanes] & ~leave_l[w*Lanes +: Lanes]));
        level_l_q[w*LevelW +: LevelW] <= ({LevelW{moves_l}} & act_level_l_q) | ({LevelW{p_l}} & pop_level_l) |
                                         ({LevelW{fills_l[w]}} & level_r_q[w*LevelW +: LevelW]) |
                                         ({LevelW{!(l || moves_l || p_l || fills_l[w])}} &
                                          level_l_q[w*LevelW +: LevelW]);
        pc_r_q[w*PcW +: PcW] <= ({PcW{moves_r}} & act_pc_r_q) | ({PcW{p_r}} & pop_pc_r) |
                                ({PcW{fills_r[w]}} & pc_l_q[w*PcW +: PcW]) |
                                ({PcW{!(l || moves_r || p_r || fills_r[w])}} &
                                 (pc_r_q[w*PcW +: PcW] ^ ({PcW{advanced_r[w]}} & step_r)));
        mask_r_q[w*Lanes +: Lanes] <= ({Lanes{puts_r}} & act_put_r) | ({Lanes{p_r}} & pop_mask_r) |
                                      come_r[w*Lanes +: Lanes] |
                                      ({Lanes{keeps_mask_r}} &
                                       (mask_r_q[w*Lanes +: Lanes] & ~leave_r[w*Lanes +: Lanes]));
        level_r_q[w*LevelW +: LevelW] <= ({LevelW{moves_r}} & act_level_r_q) | ({LevelW{p_r}} & pop_level_r) |
                                         ({LevelW{fills_r[w]}} & level_l_q[w*LevelW +: LevelW]) |
                                         ({LevelW{!(l || moves_r || p_r || fills_r[w])}} &
                                          level_r_q[w*LevelW +: LevelW]);
        live_q[w*Lanes +: Lanes] <= ({Lanes{l}} & launch_mask_i) |
                                    ({Lanes{!l}} & live_q[w*Lanes +: Lanes] &
                                     ~({Lanes{exits}} & act_exit_q));
        rpc_q[w*PcW +: PcW] <= ({PcW{meets}} & act_rpc_q) | ({PcW{p}} & pop_rpc) |
                               ({PcW{!(l || meets || p)}} & rpc_q[w*PcW +: PcW]);
        rpc_level_q[w*LevelW +: LevelW] <= ({LevelW{pushes}} & act_rpc_level_q) | ({LevelW{p}} & pop_rpc_level) |
                                           ({LevelW{!(l || pushes || p)}} & rpc_level_q[w*LevelW +: LevelW]);
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          valid_l_q[w]                <= 1'b0;
          valid_r_q[w]                <= 1'b0;
          depth_q[w*DepthW +: DepthW] <= '0;
        end else begin
          valid_l_q[w] <= !killed[w] && !empties_l[w] &&
                          (l || (writes_l && act_valid_l_q) || (p_l && pop_valid_l) || fills_l[w] ||
                           (!(writes_l || p_l) && valid_l_q[w] && !(advanced_l[w] && ends_l[w])));
          valid_r_q[w] <= !killed[w] && !empties_r[w] &&
                          ((writes_r && act_valid_r_q) || (p_r && pop_valid_r) || fills_r[w] ||
                           (!(writes_r || p_r) && valid_r_q[w] && !(advanced_r[w] && ends_r[w])));
          depth_q[w*DepthW +: DepthW] <=
            {DepthW{!killed[w]}} & (({DepthW{l}} & DepthW'(1)) | ({DepthW{grown[w]}} & act_depth_q) |
                                    ({DepthW{popped[w]}} & pop_depth_q) |
                                    ({DepthW{!(l || grown[w] || popped[w])}} &
                                     depth_q[w*DepthW +: DepthW]));
        end
      end

      assign mask_o[w*Lanes +: Lanes]            = mask_l_q[w*Lanes +: Lanes] & {Lanes{valid_l_q[w]}};
      assign mask_o[(NumWarps+w)*Lanes +: Lanes] = mask_r_q[w*Lanes +: Lanes] & {Lanes{valid_r_q[w]}};
    end
  endgenerate

  // ------------------------------------------------------------------------------------------------------ guests
  generate
    if (Forward != 0) begin : gen_forward
      // Of every warp: the guest is gone, whatever the slot of the offer holds. (That it is here and its slot is not
      // valid says the same.)
      logic [NumWarps-1:0] gone_q;

      // What the top knows of a RETURN, or will, would be lost if a guest replaced it. A guest's own place is a PC.
      logic                act_replaces_q;
      logic [NumWarps-1:0] meets_at_return;

      for (genvar w = 0; w < NumWarps; w++) begin : gen_return
        assign meets_at_return[w] = rpc_q[w*PcW];
      end
      always_ff @(posedge clk_i) act_replaces_q <= tail && ((by_guest & meets_at_return) == '0);
      assign act_replaces = act_replaces_q;

      // What goes down with the entry that is kept, and whether its other slot is offered to the new one.
      logic              act_here, act_gone, act_offer_l, act_offer_r, offers;
      logic [PcW-1:0]    act_guest_rpc;
      logic [LevelW-1:0] act_guest_level;

      always_comb begin
        act_guest_rpc   = '0;
        act_guest_level = '0;
        for (int w = 0; w < NumWarps; w++) begin
          act_guest_rpc   = act_guest_rpc   | (guest_rpc_q[w*PcW +: PcW] & {PcW{acting[w]}});
          act_guest_level = act_guest_level | (guest_level_q[w*LevelW +: LevelW] & {LevelW{acting[w]}});
        end
      end
      assign act_here    = (acting & here_q) != '0;
      assign act_gone    = (acting & gone_q) != '0;
      assign act_offer_l = (acting & offer_l_q) != '0;
      assign act_offer_r = (acting & offer_r_q) != '0;
      assign kept_entry  = {act_here, act_gone, act_offer_l, act_offer_r, act_guest_rpc, act_guest_level, kept_plain};
      assign offers      = other_valid && (!act_old_rpc[0] || (act_here && (act_slot_q ? act_offer_l : act_offer_r)));

      // What comes up.
      logic              row_here, row_gone, row_offer_l, row_offer_r, row_l, row_r;   // its guest is in the left slot
      logic [PcW-1:0]    row_guest_rpc;
      logic [LevelW-1:0] row_guest_level;
      logic              to_left;             // a path is forwarded to the left slot

      assign {row_here, row_gone, row_offer_l, row_offer_r, row_guest_rpc, row_guest_level, pop_plain} = pop_entry;
      assign row_l             = row_here && row_offer_l;
      assign row_r             = row_here && row_offer_r;
      assign to_left           = (forwarded & offer_l_q) != '0;
      assign pop_place_l       = row_l ? row_guest_rpc : pop_saved_rpc;
      assign pop_place_r       = row_r ? row_guest_rpc : pop_saved_rpc;
      assign pop_place_level_l = row_l ? row_guest_level : pop_rpc_level;
      assign pop_place_level_r = row_r ? row_guest_level : pop_rpc_level;
      assign pop_by_guest      = pop_saved_pc_l[0] || pop_saved_pc_r[0];

      assign idle    = ~(valid_l_q & ~guest_l) & ~(valid_r_q & ~guest_r) & ~((valid_l_q | valid_r_q) & hold_i);
      assign wants   = ~here_q & ~gone_q & ~hold_i & ((offer_l_q & ~valid_l_q & valid_r_q) |
                                                      (offer_r_q & ~valid_r_q & valid_l_q));
      assign keeps_l = (here_q | gone_q) & offer_l_q;
      assign keeps_r = (here_q | gone_q) & offer_r_q;

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) forward_q <= 1'b0;
        else         forward_q <= (chosen & wants) != '0;
      end

      // A push that replaces the top puts paths of its own into both slots. The data of a guest that a pop brings are
      // those of the row, the same if it is this one.
      for (genvar w = 0; w < NumWarps; w++) begin : gen_guest
        logic stays, replaced;
        assign stays    = !(launched[w] || pushed[w] || popped[w]);
        assign replaced = pushed[w] && !grown[w];

        always_ff @(posedge clk_i) begin
          here_q[w]    <= forwarded[w] || (popped[w] && row_here) || (stays && here_q[w]);
          gone_q[w]    <= (popped[w] && row_gone) || (replaced && here_q[w]) || ((stays || replaced) && gone_q[w]);
          offer_l_q[w] <= (popped[w] && row_offer_l) || (grown[w] && offers && act_slot_q) ||
                          ((stays || replaced) && offer_l_q[w]);
          offer_r_q[w] <= (popped[w] && row_offer_r) || (grown[w] && offers && !act_slot_q) ||
                          ((stays || replaced) && offer_r_q[w]);
          if (popped[w] || forwarded[w]) begin
            guest_rpc_q[w*PcW +: PcW]         <= popped[w] ? row_guest_rpc : to_left ? pop_place_l : pop_place_r;
            guest_level_q[w*LevelW +: LevelW] <= popped[w] ? row_guest_level :
                                                 to_left ? pop_place_level_l : pop_place_level_r;
          end
        end
      end

      if (Watch != 0) begin : gen_forwards
        logic [31:0] forwards_q;
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni)                               forwards_q <= '0;
          else if ((forwarded & ~killed) != '0)      forwards_q <= forwards_q + 32'd1;
        end
        assign forwards_o = forwards_q;
      end else begin : gen_no_forwards
        assign forwards_o = '0;
      end
    end else begin : gen_no_forward
      logic unused_hold;
      assign unused_hold       = ^hold_i;
      assign act_replaces      = act_tail_q;
      assign here_q            = '0;
      assign offer_l_q         = '0;
      assign offer_r_q         = '0;
      assign guest_rpc_q       = '0;
      assign guest_level_q     = '0;
      assign pop_place_l       = pop_saved_rpc;
      assign pop_place_r       = pop_saved_rpc;
      assign pop_place_level_l = pop_rpc_level;
      assign pop_place_level_r = pop_rpc_level;
      assign pop_by_guest      = 1'b0;
      assign idle              = ~valid_l_q & ~valid_r_q;
      assign wants             = '0;
      assign keeps_l           = '0;
      assign keeps_r           = '0;
      assign forward_q         = 1'b0;
      assign forwards_o        = '0;
    end
  endgenerate

  // ------------------------------------------------------------------------------------------- parts of a path
  generate
    if (Split != 0) begin : gen_split
      // Of the top of every warp: its two paths are parts of one, and the branch of a slot waits for the other.
      logic [NumWarps-1:0] parts_q, waits_l_q, waits_r_q;
      logic [NumWarps-1:0] wait_l, wait_r, merge_l, merge_r, stopped_l, stopped_r;
      logic [NumWarps-1:0] others_waits, others_stopped, others_merge;
      logic [NumWarps-1:0] split;                  // the warp, one-hot
      logic [NumWarps-1:0] at_other;               // both paths stand at one place
      logic [NumWarps-1:0] steps_join_l, steps_join_r;
      logic                row_parts;

      assign {merge_r, merge_l}     = merge_i;
      assign {stopped_r, stopped_l} = stopped_i;
      assign wait_l                 = waits_l_q & valid_r_q & ~stopped_r;
      assign wait_r                 = waits_r_q & valid_l_q & ~stopped_l;
      assign wait_o                 = {wait_r, wait_l};
      assign parts_o                = parts_q & valid_l_q & valid_r_q;

      // A resolution of a part acts. Its threads that are left:
      logic [Lanes-1:0] act_mask;
      logic             act_mark_q;     // its instruction never waits
      logic             act_at_other;   // the other one stands where they go, or at the branch that sends them apart

      always_ff @(posedge clk_i) act_mark_q <= resolve_mark_i;
      assign act_mask       = act_mask_l_q | act_mask_r_q;
      assign act_at_other   = (other_pc == (act_divergent_q ? own_pc : act_pc_l_q)) &&
                              (other_level == (act_divergent_q ? act_level_q : act_level_l_q));
      assign others_waits   = act_slot_q ? waits_l_q : waits_r_q;
      assign others_stopped = act_slot_q ? stopped_l : stopped_r;
      assign others_merge   = act_slot_q ? merge_l : merge_r;
      assign awaits         = acting & {NumWarps{act_divergent_q && !act_mark_q}} & parts_o & ~others_waits &
                              ~others_stopped;
      assign joins          = acting & parts_o & others_merge & {NumWarps{act_at_other}} &
                              (act_divergent_q ? awaits : {NumWarps{act_valid_l_q}});

      // Two that wait for each other at a barrier meet there, one warp a cycle.
      logic                meet_q;
      logic [WarpW-1:0]    meet_warp_q, meet_chosen_warp;
      logic [NumWarps-1:0] stand, meeting, met;
      logic [NumWarps-1:0] unused_meet;
      logic [DepthW-1:0]   unused_meet_depth;

      assign stand = parts_o & stopped_l & stopped_r & ~meeting & ~killed;
      assign met   = meeting & parts_o & at_other;   // one may have joined the other since
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

      assign kept_entry             = {(acting & parts_q) != '0, kept_plain};
      assign {row_parts, pop_plain} = pop_entry;

      assign parks_l   = awaits & ~joins & {NumWarps{!act_slot_q}};
      assign parks_r   = awaits & ~joins & {NumWarps{act_slot_q}};
      assign joined_l  = joins & {NumWarps{act_slot_q}};
      assign joined_r  = joins & {NumWarps{!act_slot_q}};
      assign empties_l = steps_join_l | joined_r;
      assign empties_r = steps_join_r | joined_l | met;
      assign fills_l   = split & {NumWarps{split_slot_i}};
      assign fills_r   = split & {NumWarps{!split_slot_i}};
      assign act_put_l = (awaits != '0) ? act_mask : act_mask_l_q;   // one mask, if nothing diverges
      assign act_put_r = (awaits != '0) ? act_mask : act_mask_r_q;

      for (genvar w = 0; w < NumWarps; w++) begin : gen_parts
        logic same_level, gives_l, gives_r;   // the path gives all of its threads to the other one

        assign meeting[w]      = meet_q && (meet_warp_q == WarpW'(w));
        assign split[w]        = split_valid_i && (split_warp_i == WarpW'(w));
        assign same_level      = level_l_q[w*LevelW +: LevelW] == level_r_q[w*LevelW +: LevelW];
        assign at_other[w]     = same_level && (pc_l_q[w*PcW +: PcW] == pc_r_q[w*PcW +: PcW]);
        // Nobody stands at the place of his own entry: who arrives there joins nobody.
        assign steps_join_l[w] = advanced_l[w] && parts_o[w] && merge_r[w] && same_level &&
                                 heddle_pkg::next_is(pc_l_q[w*PcW +: PcW], pc_r_q[w*PcW +: PcW]);
        assign steps_join_r[w] = advanced_r[w] && parts_o[w] && merge_l[w] && same_level &&
                                 heddle_pkg::next_is(pc_r_q[w*PcW +: PcW], pc_l_q[w*PcW +: PcW]);
        assign gives_l         = steps_join_l[w];
        assign gives_r         = steps_join_r[w] || met[w];

        assign leave_l[w*Lanes +: Lanes] = {Lanes{fills_r[w]}} & split_mask_i;
        assign leave_r[w*Lanes +: Lanes] = {Lanes{fills_l[w]}} & split_mask_i;
        assign come_l[w*Lanes +: Lanes]  = mask_r_q[w*Lanes +: Lanes] & ({Lanes{gives_r}} | leave_r[w*Lanes +: Lanes]);
        assign come_r[w*Lanes +: Lanes]  = mask_l_q[w*Lanes +: Lanes] & ({Lanes{gives_l}} | leave_l[w*Lanes +: Lanes]);

        // What waits for a path that is not there does not wait: neither launch nor pop leaves one waiting.
        always_ff @(posedge clk_i) begin
          parts_q[w]   <= split[w] || (popped[w] && row_parts) ||
                          (!(launched[w] || pushed[w] || popped[w]) && parts_q[w]);
          waits_l_q[w] <= parks_l[w] || (!(pushed[w] || split[w]) && wait_l[w]);
          waits_r_q[w] <= parks_r[w] || (!(pushed[w] || split[w]) && wait_r[w]);
        end
      end

      if (Watch != 0) begin : gen_counts
        // The sums are there before it is known what happens.
        logic [31:0] splits_q, merges_q;
        logic [29:0] merges_high;
        logic [2:0]  merges_low;     // with a carry
        logic        splits, by_step, by_act, by_meet;   // joins of up to three warps
        assign splits      = (split & ~killed) != '0;
        assign by_step     = ((steps_join_l | steps_join_r) & ~killed) != '0;
        assign by_act      = (joins & ~killed) != '0;
        assign by_meet     = (met & ~killed) != '0;
        assign merges_low  = {1'b0, merges_q[1:0]} + (3'(by_step) + 3'(by_act) + 3'(by_meet));
        assign merges_high = merges_q[31:2] + 30'd1;
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            splits_q <= '0;
            merges_q <= '0;
          end else begin
            splits_q <= splits ? splits_q + 32'd1 : splits_q;
            merges_q <= {merges_low[2] ? merges_high : merges_q[31:2], merges_low[1:0]};
          end
        end
        assign splits_o = splits_q;
        assign merges_o = merges_q;
      end else begin : gen_no_counts
        assign splits_o = '0;
        assign merges_o = '0;
      end

`ifndef SYNTHESIS
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
    end else begin : gen_no_split
      logic unused_split;
      assign unused_split = ^{merge_i, stopped_i, split_valid_i, split_warp_i, split_slot_i, split_mask_i,
                                resolve_mark_i};
      assign awaits       = '0;
      assign joins        = '0;
      assign parks_l      = '0;
      assign parks_r      = '0;
      assign joined_l     = '0;
      assign joined_r     = '0;
      assign act_put_l    = act_mask_l_q;
      assign act_put_r    = act_mask_r_q;
      assign fills_l      = '0;
      assign fills_r      = '0;
      assign empties_l    = '0;
      assign empties_r    = '0;
      assign leave_l      = '0;
      assign leave_r      = '0;
      assign come_l       = '0;
      assign come_r       = '0;
      assign wait_o       = '0;
      assign parts_o      = '0;
      assign splits_o     = '0;
      assign merges_o     = '0;
      if (Forward == 0) begin : gen_plain
        assign kept_entry = kept_plain;
        assign pop_plain  = pop_entry;
      end
    end
  endgenerate

  // A launch and a resolution may both raise it in one cycle.
  generate
    if (Watch != 0) begin : gen_max_depth
      logic [DepthW-1:0] max_depth_q;
      logic              deeper;
      assign deeper = ((grown & ~killed) != '0) && (act_depth_q > max_depth_q);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                                  max_depth_q <= '0;
        else if (deeper)                              max_depth_q <= act_depth_q;
        else if (launch_valid_i && max_depth_q == '0) max_depth_q <= DepthW'(1);
      end
      assign max_depth_o = max_depth_q;
    end else begin : gen_no_max_depth
      assign max_depth_o = '0;
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
  assign resolved_valid_o = acting_q && !overflow;
  assign resolved_warp_o  = resolved_valid_o ? act_warp_q : '0;
  assign resolved_slot_o  = resolved_valid_o && act_slot_q;
  assign resolved_next_o  = resolved_valid_o && act_holds_q && (joins == '0);
  assign push_valid_o     = push;
  assign push_warp_o      = push ? act_warp_q : '0;
  assign overflow_valid_o = overflow;
  assign overflow_warp_o  = overflow ? act_warp_q : '0;
  assign pop_valid_o      = pop_q;
  assign pop_warp_o       = forward_q ? '0 : pop_warp_q;
  assign done_valid_o     = pop_last_q;
  assign done_warp_o      = pop_last_q ? pop_warp_q : '0;

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (launch_valid_i) begin
        assert (32'(launch_warp_i) < NumWarps);       // launch_warp_i names no warp
        assert (depth_q[launch_warp_i*DepthW +: DepthW] == '0);   // the launched warp still runs
        assert (launch_mask_i != '0);                 // a warp is launched without a thread
        assert (!launch_pc_i[0]);                     // the PC of a launch is odd
      end
      assert ((advance_i & (advance_i - NumPaths'(1))) == '0);        // several paths issue
      assert ((advance_i & ~valid_o) == '0);                          // an empty slot cannot issue
      if (resolve_valid_i) begin
        assert (32'(resolve_warp_i) < NumWarps);      // resolve_warp_i names no warp
        // An empty slot has no branch to resolve.
        assert (resolve_slot_i ? valid_r_q[resolve_warp_i] : valid_l_q[resolve_warp_i]);
        assert (!(acting_q && (act_warp_q == resolve_warp_i)));       // a second resolution before the first acts
        assert (!(resolve_call_i && resolve_return_i));               // both a call and a return
        assert (!resolve_target_i[0] && !resolve_next_i[0]);          // an odd PC: it would be taken for RETURN
        assert (!resolve_rpc_i[0] || (resolve_rpc_i[PcW-1:1] == '0));    // RETURN is told with an address
      end
      assert (!(kill_valid_i && (32'(kill_warp_i) >= NumWarps)));     // kill_warp_i names no warp
      assert ((launched & killed) == '0);                             // a warp is launched and killed
      // A path with an unresolved branch does not advance.
      assert (((resolve_slot_i ? advanced_r : advanced_l) & resolving) == '0);
      // A path goes on while a resolution of its warp acts.
      assert (((advanced_l | advanced_r) & acting) == '0);
      // A resolution of a warp that is not held in its cycle, the one before and the one in which it acts.
      assert ((Forward == 0) || (((resolving & ~held_q) | ((resolving | acting) & ~hold_i)) == '0));
    end
  end

  logic [NumWarps-1:0] held_q;
  always_ff @(posedge clk_i) held_q <= hold_i;
`endif
endmodule
