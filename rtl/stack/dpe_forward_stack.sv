// SPDX-License-Identifier: Apache-2.0
// dpe_forward_stack: dual-path reconvergence stacks with path forwarding. A path of the entry below the top of stack
// (TOS) runs in a slot of the TOS that is empty, as its guest, and still arrives where its own entry meets.
//
// Contract
//   Latency  as dpe_stack; a forward is chosen and done as a pop is.
//   Order    as dpe_stack; one choice a cycle, of pops and forwards. A pop leaves the guest in its slot: it is a path
//            of the entry that comes up. An advance may meet the pop or the forward of its warp, a resolution does not.
//   Reset    asynchronous, active low: no warp has an entry. Data have no reset.
//   Idle     as dpe_stack.
//   Assumes  (asserted) stack_caller; hold_i of a warp in the cycle before a resolution of it is taken in, in that one
//            and in the next. (not asserted) no call or return goes to PC 0: an address of 0 is not known yet.
//   Not here which path has an unresolved branch, and stopping a warp that overflowed: frontend.
// Source: DPE paper, section 7.1. What forwarding is to call levels and RPC RETURN, and one guest an entry: ours.
// Above 450 lines: guests and the entries they come from change in one update of a
// warp's state; some 25 nets would have to cross.
module dpe_forward_stack #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int Depth     = 16,  // entries of a stack, top included
  parameter  int TakenLeft = 1,  // slot of the taken side: 1 left, 0 right
  parameter  int LevelW    = 8,  // bits of a call level
  parameter  int Watch     = 1,  // 0: max_depth_o and forwards_o are left out
  parameter  int PcStep    = 4,  // bytes of an instruction: a power of two
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
  output logic [31:0]                forwards_o
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
  // {here, gone, offer_l, offer_r, guest_rpc, guest_level, left, right, rpc, rpc_level}
  localparam int EntryW  = 4 + 2 * (PcW + LevelW) + 2 * SlotW;
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

  // Of the TOS, too: the slot of the entry below that is offered; whether its path is in the same slot of the TOS, as
  // long as that is valid, or has been there; and the place where it arrives.
  logic [NumWarps-1:0]        here_q, gone_q, offer_l_q, offer_r_q;
  logic [NumWarps*PcW-1:0]    guest_rpc_q;
  logic [NumWarps*LevelW-1:0] guest_level_q;
  logic [NumWarps-1:0]        guest_l, guest_r;            // the slot, if valid, is the guest's and not own
  assign guest_l = here_q & offer_l_q;
  assign guest_r = here_q & offer_r_q;

  logic [NumWarps-1:0] launched, killed, resolving, acting, popped, forwarded;   // the warp of each event, one-hot
  logic [NumWarps-1:0] advanced_l, advanced_r;
  assign {advanced_r, advanced_l} = advance_i;

  // ---------------------------------------------------------------------------------------- a resolution is taken in
  // "own" is the slot that resolves. Until its resolution acts nothing moves it; only the other slot may go on.
  logic [PcW-1:0]    old_rpc;
  logic [Lanes-1:0]  own_mask;
  logic [LevelW-1:0] own_level, old_rpc_level;    // old_rpc: the path's own place, the entry's or the guest's
  logic [NumWarps-1:0] by_guest, meets_at_return;
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
  logic              act_replaces_q;              // the top, if the other slot is empty
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
      // What the top knows of a RETURN, or will, would be lost if a guest replaced it. A guest's own place is a PC.
      act_replaces_q  <= tail && ((by_guest & meets_at_return) == '0);
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
  logic                act_here, act_gone, act_offer_l, act_offer_r;
  logic [PcW-1:0]      act_guest_rpc;
  logic [LevelW-1:0]   act_guest_level;
  logic                offers;                    // the other slot is offered to the new entry

  always_comb begin
    own_pc            = '0;
    act_old_rpc       = '0;
    act_old_rpc_level = '0;
    other_pc          = '0;
    other_mask        = '0;
    other_level       = '0;
    act_guest_rpc     = '0;
    act_guest_level   = '0;
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
      act_guest_rpc     = act_guest_rpc     | (guest_rpc_q[w*PcW +: PcW] & {PcW{acting[w]}});
      act_guest_level   = act_guest_level   | (guest_level_q[w*LevelW +: LevelW] & {LevelW{acting[w]}});
    end
  end

  assign others_valid = act_slot_q ? valid_l_q : valid_r_q;
  assign other_valid  = (acting & others_valid) != '0;
  assign act_here     = (acting & here_q) != '0;
  assign act_gone     = (acting & gone_q) != '0;
  assign act_offer_l  = (acting & offer_l_q) != '0;
  assign act_offer_r  = (acting & offer_r_q) != '0;
  assign offers       = other_valid && (!act_old_rpc[0] || (act_here && (act_slot_q ? act_offer_l : act_offer_r)));

  // A tail whose other slot is empty leaves nothing in its entry: the new one replaces it. Decided for each warp.
  assign overflow = acting_q && act_divergent_q && act_full_q && !(act_replaces_q && !other_valid);
  assign pushed   = acting & {NumWarps{act_divergent_q}} &
                    (~{NumWarps{act_full_q}} | ({NumWarps{act_replaces_q}} & ~others_valid));
  assign grown    = acting & {NumWarps{act_divergent_q && !act_full_q}} & (~{NumWarps{act_replaces_q}} | others_valid);
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
  assign kept_entry = {act_here, act_gone, act_offer_l, act_offer_r, act_guest_rpc, act_guest_level,
                       act_slot_q ? {other_slot, kept_slot} : {kept_slot, other_slot}, act_old_rpc, act_old_rpc_level};

  // -------------------------------------------------------------------------------- a pop or a forward is chosen
  logic                pop_q, pop_last_q;     // the warp is popped in this cycle; it ends
  logic                forward_q;             // a path of the entry below, which a pop would bring, is forwarded to it
  logic [WarpW-1:0]    pop_warp_q, chosen_warp;
  logic [DepthW-1:0]   pop_depth_q, chosen_depth;   // after the pop; before it
  logic [NumWarps-1:0] idle, wants;           // no path of its own and nothing holds a guest; a path can be forwarded
  logic [NumWarps-1:0] ended, chosen;         // entries and one of both; the lowest such warp, one-hot

  assign idle  = ~(valid_l_q & ~guest_l) & ~(valid_r_q & ~guest_r) & ~((valid_l_q | valid_r_q) & hold_i);
  assign wants = ~here_q & ~gone_q & ~hold_i & ((offer_l_q & ~valid_l_q & valid_r_q) |
                                                (offer_r_q & ~valid_r_q & valid_l_q));

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
      forward_q  <= 1'b0;
      pop_last_q <= 1'b0;
      pop_warp_q <= '0;
    end else begin
      pop_q      <= (ended != '0) && ((chosen & wants) == '0);
      forward_q  <= (chosen & wants) != '0;
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
  logic [PcW-1:0]    pop_place_l, pop_place_r;    // where the paths of the row arrive
  logic [LevelW-1:0] pop_place_level_l, pop_place_level_r;
  logic              row_here, row_gone, row_offer_l, row_offer_r, row_l, row_r;   // its guest is in the left slot
  logic [PcW-1:0]    row_guest_rpc;
  logic [LevelW-1:0] row_guest_level;
  logic              to_left;                     // a path is forwarded to the left slot
  logic [NumWarps-1:0] keeps_l, keeps_r;          // a pop keeps the slot: it is, or was, the guest's
  logic              pop_by_guest;                // the old top may be that of a guest of this entry
  logic              pop_same_place, pop_at_l, pop_at_r, pop_arrives_l, pop_arrives_r, pop_valid_l, pop_valid_r;

  assign {row_here, row_gone, row_offer_l, row_offer_r, row_guest_rpc, row_guest_level,
          pop_saved_pc_l, pop_saved_l, pop_level_l, pop_saved_pc_r, pop_saved_r, pop_level_r,
          pop_saved_rpc, pop_rpc_level} = pop_entry;

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

  assign row_l             = row_here && row_offer_l;
  assign row_r             = row_here && row_offer_r;
  assign pop_place_l       = row_l ? row_guest_rpc : pop_saved_rpc;
  assign pop_place_r       = row_r ? row_guest_rpc : pop_saved_rpc;
  assign pop_place_level_l = row_l ? row_guest_level : pop_rpc_level;
  assign pop_place_level_r = row_r ? row_guest_level : pop_rpc_level;
  assign pop_by_guest      = pop_saved_pc_l[0] || pop_saved_pc_r[0];
  assign to_left           = (forwarded & offer_l_q) != '0;
  assign keeps_l           = (here_q | gone_q) & offer_l_q;
  assign keeps_r           = (here_q | gone_q) & offer_r_q;

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
  // Of launch, resolution, pop and forward at most one is of a warp, and an advance of the same slot neither: a field
  // is the sum of what they write. A push comes after an advance of the other slot. A pop keeps the guest's slot.
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      logic l, p, p_l, p_r, pushes, goes_on, meets, replaces;
      logic writes_l, writes_r, moves_l, moves_r;   // a resolution makes the slot another; its PC, too
      logic at_rpc_l, at_rpc_r, ends_l, ends_r;     // an advance arrives (not at RETURN: that is odd and no PC is)
      logic [PcW-1:0]    place_l, place_r;          // where the paths arrive
      logic [LevelW-1:0] place_level_l, place_level_r;

      assign launched[w]  = launch_valid_i && (launch_warp_i == WarpW'(w));
      assign killed[w]    = kill_valid_i && (kill_warp_i == WarpW'(w));
      assign resolving[w] = resolve_valid_i && (resolve_warp_i == WarpW'(w));
      assign acting[w]    = acting_q && (act_warp_q == WarpW'(w));
      assign popped[w]    = pop_q && (pop_warp_q == WarpW'(w));
      assign forwarded[w] = forward_q && (pop_warp_q == WarpW'(w));
      assign ended[w]     = (idle[w] || wants[w]) && (depth_q[w*DepthW +: DepthW] != '0) && !popped[w] &&
                            !forwarded[w] && !killed[w];

      assign meets_at_return[w] = rpc_q[w*PcW];

      assign l        = launched[w];
      assign p        = popped[w] && !pop_last_q;
      assign p_l      = (p && !keeps_l[w]) || (forwarded[w] && offer_l_q[w]);
      assign p_r      = (p && !keeps_r[w]) || (forwarded[w] && offer_r_q[w]);
      assign pushes   = pushed[w];
      assign replaces = pushed[w] && !grown[w];
      assign goes_on  = acting[w] && !act_divergent_q;
      assign meets    = pushes || (goes_on && act_learns_q);
      assign writes_l = pushes || (goes_on && !act_slot_q);
      assign writes_r = pushes || (goes_on && act_slot_q);
      assign moves_l  = pushes || (goes_on && !act_slot_q && act_moves_q);
      assign moves_r  = pushes || (goes_on && act_slot_q && act_moves_q);

      assign place_l       = guest_l[w] ? guest_rpc_q[w*PcW +: PcW] : rpc_q[w*PcW +: PcW];
      assign place_r       = guest_r[w] ? guest_rpc_q[w*PcW +: PcW] : rpc_q[w*PcW +: PcW];
      assign place_level_l = guest_l[w] ? guest_level_q[w*LevelW +: LevelW] : rpc_level_q[w*LevelW +: LevelW];
      assign place_level_r = guest_r[w] ? guest_level_q[w*LevelW +: LevelW] : rpc_level_q[w*LevelW +: LevelW];
      assign at_rpc_l      = heddle_pkg::next_is(pc_l_q[w*PcW +: PcW], place_l, PcStep) && (place_l != '0);
      assign at_rpc_r      = heddle_pkg::next_is(pc_r_q[w*PcW +: PcW], place_r, PcStep) && (place_r != '0);
      assign ends_l        = advanced_l[w] && at_rpc_l && (level_l_q[w*LevelW +: LevelW] == place_level_l);
      assign ends_r        = advanced_r[w] && at_rpc_r && (level_r_q[w*LevelW +: LevelW] == place_level_r);

      always_ff @(posedge clk_i) begin
        if (l || moves_l || p_l || advanced_l[w]) begin
          pc_l_q[w*PcW +: PcW] <= ({PcW{l}} & launch_pc_i) | ({PcW{moves_l}} & act_pc_l_q) | ({PcW{p_l}} & pop_pc_l) |
                                  ({PcW{advanced_l[w]}} & (pc_l_q[w*PcW +: PcW] + PcW'(PcStep)));
        end
        if (l || moves_r || p_r || advanced_r[w]) begin
          pc_r_q[w*PcW +: PcW] <= ({PcW{moves_r}} & act_pc_r_q) | ({PcW{p_r}} & pop_pc_r) |
                                  ({PcW{advanced_r[w]}} & (pc_r_q[w*PcW +: PcW] + PcW'(PcStep)));
        end
        if (l || writes_l || p_l) begin
          mask_l_q[w*Lanes +: Lanes] <= ({Lanes{l}} & launch_mask_i) | ({Lanes{writes_l}} & act_mask_l_q) |
                                        ({Lanes{p_l}} & pop_mask_l);
        end
        if (writes_r || p_r) begin
          mask_r_q[w*Lanes +: Lanes] <= ({Lanes{writes_r}} & act_mask_r_q) | ({Lanes{p_r}} & pop_mask_r);
        end
        if (l || moves_l || p_l) begin
          level_l_q[w*LevelW +: LevelW] <= ({LevelW{moves_l}} & act_level_l_q) | ({LevelW{p_l}} & pop_level_l);
        end
        if (l || moves_r || p_r) begin
          level_r_q[w*LevelW +: LevelW] <= ({LevelW{moves_r}} & act_level_r_q) | ({LevelW{p_r}} & pop_level_r);
        end
        if (l || pushes || goes_on) begin
          live_q[w*Lanes +: Lanes] <= l ? launch_mask_i : live_q[w*Lanes +: Lanes] & ~act_exit_q;
        end
        if (l || meets || p) begin
          rpc_q[w*PcW +: PcW] <= ({PcW{meets}} & act_rpc_q) | ({PcW{p}} & pop_rpc);
        end
        if (l || pushes || p) begin
          rpc_level_q[w*LevelW +: LevelW] <= ({LevelW{pushes}} & act_rpc_level_q) | ({LevelW{p}} & pop_rpc_level);
        end
        // A push that replaces the top puts paths of its own into both slots.
        if (l || pushes || popped[w] || forwarded[w]) here_q[w] <= forwarded[w] || (popped[w] && row_here);
        if (l || pushes || popped[w]) begin
          gone_q[w] <= (popped[w] && row_gone) || (replaces && (here_q[w] || gone_q[w]));
        end
        if (l || grown[w] || popped[w]) begin
          offer_l_q[w] <= (popped[w] && row_offer_l) || (grown[w] && offers && act_slot_q);
          offer_r_q[w] <= (popped[w] && row_offer_r) || (grown[w] && offers && !act_slot_q);
        end
        // The data of a guest that a pop brings are those of the row, the same if it is this one.
        if (popped[w] || forwarded[w]) begin
          guest_rpc_q[w*PcW +: PcW]         <= popped[w] ? row_guest_rpc : to_left ? pop_place_l : pop_place_r;
          guest_level_q[w*LevelW +: LevelW] <= popped[w] ? row_guest_level :
                                               to_left ? pop_place_level_l : pop_place_level_r;
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          valid_l_q[w]                <= 1'b0;
          valid_r_q[w]                <= 1'b0;
          depth_q[w*DepthW +: DepthW] <= '0;
        end else begin
          if (killed[w] || l || writes_l || p_l || ends_l) begin
            valid_l_q[w] <= !killed[w] && (l || (writes_l && act_valid_l_q) || (p_l && pop_valid_l));
          end
          if (killed[w] || writes_r || p_r || ends_r) begin
            valid_r_q[w] <= !killed[w] && ((writes_r && act_valid_r_q) || (p_r && pop_valid_r));
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

  // For watching. (A launch and a resolution may both raise the depth in one cycle.)
  generate
    if (Watch != 0) begin : gen_watch
      logic [DepthW-1:0] max_depth_q;
      logic [31:0]       forwards_q;
      logic              deeper;
      assign deeper = ((grown & ~killed) != '0) && (act_depth_q > max_depth_q);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                                  max_depth_q <= '0;
        else if (deeper)                              max_depth_q <= act_depth_q;
        else if (launch_valid_i && max_depth_q == '0) max_depth_q <= DepthW'(1);
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                          forwards_q <= '0;
        else if ((forwarded & ~killed) != '0) forwards_q <= forwards_q + 32'd1;
      end
      assign max_depth_o = max_depth_q;
      assign forwards_o  = forwards_q;
    end else begin : gen_no_watch
      assign max_depth_o = '0;
      assign forwards_o  = '0;
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
  assign resolved_next_o  = resolved_valid_o && act_holds_q;
  assign push_valid_o     = push;
  assign push_warp_o      = push ? act_warp_q : '0;
  assign overflow_valid_o = overflow;
  assign overflow_warp_o  = overflow ? act_warp_q : '0;
  assign pop_valid_o      = pop_q;
  assign pop_warp_o       = forward_q ? '0 : pop_warp_q;
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

  logic [NumWarps-1:0] held_q;
  always_ff @(posedge clk_i) held_q <= hold_i;

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      // A resolution of a warp that is not held in its cycle, the one before and the one in which it acts.
      assert (((resolving & ~held_q) | ((resolving | acting) & ~hold_i)) == '0);
    end
  end
`endif
endmodule
