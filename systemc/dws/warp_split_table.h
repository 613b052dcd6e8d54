// SPDX-License-Identifier: Apache-2.0
// warp_split_table: single-path reconvergence stack whose top entry may be subdivided into several paths. Contract:
// docs/frontend.md, dws/warp_split_table; same pins as rtl/dws/warp_split_table.sv.
//
// WarpSplitTableLogic is the machine without a clock, which the front ends hold. The module below holds its state once,
// in pins and signals. Both apply the same decisions, pure functions of a split with the place of its entry.
#pragma once

#include "stack/spe_stack.h"

namespace heddle {

// A slot of a warp, if there is one.
struct SlotFound {
  bool found = false;
  std::uint32_t slot = 0;
};

// The refill of the next edge: the uppermost waiting split of the warp goes into the slot.
struct RefillChoice {
  bool valid = false;
  std::uint32_t warp = 0;
  std::uint32_t slot = 0;
};

// What follows from a resolution. Three entries go with it, as with SpeResolved; `under` is also the side that splits
// off or waits.
struct SplitResolved {
  bool next = false;
  bool push = false;
  bool keep_base = false;
  bool two_sides = false;
  bool overflow = false;
  bool split = false;
  bool refused = false;
  std::uint64_t live = 0;
  std::uint32_t depth = 0;
  std::uint64_t to_target = 0;  // threads that join the partner at the target
  std::uint64_t to_next = 0;    // and behind the instruction
};

// The resolution of the split `old`, which has the place and the sibling bit of its entry. What the warp has beside it:
// other splits (subdivided), a free slot, a partner at the target and behind the instruction. What is not written of
// `base` and `under` does not matter.
inline void split_resolve(const SpeEntry& old, std::uint64_t live, std::uint32_t depth, const StackConfig& config,
                          const ResolveInput& in, bool subdivided, bool has_free, bool target_partner,
                          bool next_partner, SplitResolved& result, SpeEntry& base, SpeEntry& under, SpeEntry& top) {
  const std::uint64_t live_after = live & ~in.exit;
  const std::uint64_t active = old.mask & live_after;
  const std::uint64_t taken = in.taken & active;
  const std::uint64_t fall = active & ~in.taken;
  const bool divergent = taken != 0 && fall != 0 && in.target != in.next;
  if (divergent && (in.kind == kMarkDivide || subdivided)) {
    const std::uint32_t mask = level_mask(config.level_bits);
    const std::uint32_t taken_level = target_level(old.level, in, mask);
    const bool taken_there = arrived(in.target, taken_level, old.rpc, old.rpc_level);
    const bool fall_there = arrived(in.next, old.level, old.rpc, old.rpc_level);
    const bool taken_stays = !taken_there && !target_partner;
    const bool fall_stays = !fall_there && !next_partner;
    const bool both = taken_stays && fall_stays;
    top = old;
    if (both && !has_free && depth >= config.depth_limit) {
      result.overflow = true;
      result.live = live;
      result.depth = depth;
    } else {
      const bool taken_first = both ? taken_goes_first(config.order, taken, fall) : taken_stays;
      result.next = fall_stays && !taken_first;
      result.split = both && has_free;
      result.refused = both && !has_free;
      result.live = live_after;
      result.depth = depth + (result.refused ? 1u : 0u);
      result.to_target = !taken_there && target_partner ? taken : 0;
      result.to_next = !fall_there && next_partner ? fall : 0;
      const std::uint32_t place = taken_there ? in.target : in.next;
      if (taken_there || fall_there) top.rpc = learnt(old.rpc, place);
      top.mask = 0;
      if (taken_first) {
        top.pc = in.target;
        top.level = static_cast<std::uint16_t>(taken_level);
        top.mask = taken;
      } else if (fall_stays) {
        top.pc = in.next;
        top.mask = fall;
      }
      under.pc = taken_first ? in.next : in.target;
      under.level = taken_first ? old.level : static_cast<std::uint16_t>(taken_level);
      under.mask = taken_first ? fall : taken;
    }
  } else {
    SpeResolved plain;
    spe_resolve(old, live, depth, config, in, plain, base, under, top);
    result.next = plain.next;
    result.push = plain.push;
    result.keep_base = plain.keep_base;
    result.two_sides = plain.two_sides;
    result.overflow = plain.overflow;
    result.live = plain.live;
    result.depth = plain.depth;
    const bool at_target = fall == 0;
    if (!divergent && top.mask != 0 && (at_target ? target_partner : next_partner)) {
      result.to_target = at_target ? active : 0;
      result.to_next = at_target ? 0 : active;
      result.next = false;
      top.mask = 0;
    }
  }
}

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned NumSlots = 8, unsigned Depth = 32,
          unsigned PushOrder = 0, unsigned LevelW = 8, unsigned Watch = 1>
class WarpSplitTableLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "warp_split_table: 1 to 64 warps");
  static_assert(Lanes >= 2 && Lanes <= 64, "warp_split_table: 2 to 64 lanes");
  static_assert(NumSlots >= 2 && NumSlots <= Lanes, "warp_split_table: 2 slots or more, at most as many as lanes");
  static_assert(Depth >= 2, "warp_split_table: at least 2 entries");
  static_assert(PushOrder <= kLargerFirst, "warp_split_table: PushOrder is 0 to 3");
  static_assert(LevelW >= 2 && LevelW <= 16, "warp_split_table: a call level has 2 to 16 bits");
  static_assert(Watch <= 1, "warp_split_table: Watch is 0 (without max_depth_o, max_splits_o and counts) or 1");

 public:
  static constexpr unsigned kSlots = NumSlots;

  [[nodiscard]] static constexpr StackConfig default_config() { return {Depth, PushOrder, LevelW, NumSlots}; }

  explicit WarpSplitTableLogic(const StackConfig& config = default_config())
      : config_(config),
        all_slots_(low_bits(config.slots)) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW);
    HEDDLE_EXPECT(config.slots >= 2 && config.slots <= NumSlots);
    reset();
  }

  [[nodiscard]] static constexpr unsigned split_bits() { return 32 + Lanes + LevelW; }
  [[nodiscard]] static constexpr unsigned row_bits() { return split_bits() + 32 + LevelW + 1 + 1; }
  [[nodiscard]] static constexpr unsigned watch_bits() {
    return index_width(Depth + 1) + index_width(NumSlots + 1) + 3 * 32;
  }
  // Of a resolution the sides with their threads and levels, and what is known of them before it acts: 13 conditions.
  // (The twin keeps it as it came.)
  [[nodiscard]] static constexpr unsigned resolution_bits() {
    return 1 + index_width(NumWarps) + index_width(NumSlots) + 3 * (32 + Lanes + LevelW) + index_width(Depth + 1) + 13;
  }
  [[nodiscard]] static constexpr unsigned state_bits() {
    return NumWarps * (NumSlots * (split_bits() + 1) + 32 + LevelW + 1 + 1 + Lanes + index_width(Depth + 1)) +
           rows_below(NumWarps, Depth) * row_bits() + Watch * watch_bits() + resolution_bits() +
           pop_choice_bits(NumWarps, Depth) + 1 + row_address_bits(NumWarps, Depth, 2);
  }

  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      for (unsigned s = 0; s < NumSlots; ++s) split_[w][s] = StackPath();
      entry_[w] = SpeEntry();
      slots_[w] = 0;
      live_[w] = 0;
      depth_[w] = 0;
    }
    for (unsigned s = 0; s < NumSlots; ++s) valid_[s] = 0;
    used_ = 0;
    any_valid_ = 0;
    all_valid_ = 0;
    waiting_ = 0;
    occupied_ = 0;
    max_depth_ = 0;
    max_splits_ = 0;
    splits_ = 0;
    merges_ = 0;
    refused_ = 0;
    taken_in_ = TakenIn();
    resolution_ = ResolveInput();
    chosen_ = PopChoice();
    refill_ = RefillChoice();
  }

  void launch(std::uint32_t warp, std::uint32_t pc, std::uint64_t mask) {
    HEDDLE_EXPECT(depth_[warp] == 0 && slots_[warp] == 0 && mask != 0);
    StackPath path;
    path.pc = pc;
    path.mask = mask;
    set_split(warp, 0, path);
    entry_[warp] = SpeEntry();
    live_[warp] = mask;
    waiting_ &= ~bit_of(warp);
    set_depth(warp, 1);
    if (Watch != 0 && max_splits_ == 0) max_splits_ = 1;
  }

  // `merge`: bit a slot of the warp, merge_i. The slot that the path has joined, if any: it has more threads now.
  SlotFound advance(std::uint32_t warp, std::uint32_t slot, std::uint64_t merge) {
    HEDDLE_EXPECT(has_bit(slots_[warp], slot) && !(taken_in_.valid && taken_in_.warp == warp));
    StackPath path = split_[warp][slot];
    path.pc += 4;
    SlotFound partner;
    if (arrived_at_pc(path.pc, path.level, entry_[warp].rpc, entry_[warp].rpc_level)) {
      path.mask = 0;
    } else {
      partner = find_partner(warp, slot, path.pc, path.level, merge);
      if (partner.found) {
        join(warp, partner.slot, path.mask);
        path.mask = 0;
      }
    }
    set_split(warp, slot, path);
    return partner;
  }

  // The resolution that was taken in at the last edge acts, unless its warp is killed at this one: what it would have
  // done is returned all the same. `merge`: as for advance(); the partners whose threads are more now, bit a slot, are
  // in `grown`.
  SplitResolved act(bool killed, std::uint64_t merge, std::uint64_t& grown) {
    const std::uint32_t warp = taken_in_.warp;
    const std::uint32_t slot = taken_in_.slot;
    const std::uint32_t depth = depth_[warp];
    const bool waits = has_bit(waiting_, warp);
    const SpeEntry old = top(warp, slot);
    const SlotFound at_target = find_partner(
        warp, slot, resolution_.target, target_level(old.level, resolution_, level_mask(config_.level_bits)), merge);
    const SlotFound at_next = find_partner(warp, slot, resolution_.next, old.level, merge);
    const std::uint64_t free = all_slots_ & ~slots_[warp];
    SpeEntry base;
    SpeEntry under;
    SpeEntry top;
    SplitResolved resolved;
    split_resolve(old, live_[warp], depth, config_, resolution_, waits || !at_most_one(slots_[warp]), free != 0,
                  at_target.found, at_next.found, resolved, base, under, top);
    grown = 0;
    if (!killed) {
      if (resolved.push && resolved.keep_base) write_row(warp, depth - 1, base, false);
      if (resolved.push && resolved.two_sides) write_row(warp, resolved.depth - 2, under, false);
      if (resolved.refused) {
        write_row(warp, depth - 1, under, waits);
        waiting_ |= bit_of(warp);
      }
      set_depth(warp, resolved.depth);
      entry_[warp] = top;
      set_split(warp, slot, path_of(top, slot));
      if (resolved.split) set_split(warp, lowest_bit(free), path_of(under, slot));
      if (resolved.to_target != 0) {
        join(warp, at_target.slot, resolved.to_target);
        grown |= bit_of(at_target.slot);
      }
      if (resolved.to_next != 0) {
        join(warp, at_next.slot, resolved.to_next);
        grown |= bit_of(at_next.slot);
      }
      live_[warp] = resolved.live;
      if (Watch != 0) {
        splits_ += resolved.split ? 1u : 0u;
        refused_ += resolved.refused ? 1u : 0u;
        if (resolved.split && count_bits(slots_[warp]) > max_splits_) max_splits_ = count_bits(slots_[warp]);
      }
    }
    taken_in_.valid = false;
    return resolved;
  }
  // After act() of the same cycle; it acts at the next edge.
  void take_in(std::uint32_t warp, std::uint32_t slot, const ResolveInput& in) {
    HEDDLE_EXPECT(!(in.call && in.ret));
    taken_in_.valid = true;
    taken_in_.warp = warp;
    taken_in_.slot = slot;
    resolution_ = in;
  }

  // Warps that may be chosen, for a pop or a refill, as far as registers say: not the one of which this is done in this
  // cycle.
  [[nodiscard]] std::uint64_t poppable() const {
    std::uint64_t busy = taken_in_.valid ? bit_of(taken_in_.warp) : 0;
    if (chosen_.valid) busy |= bit_of(chosen_.warp);
    if (refill_.valid) busy |= bit_of(refill_.warp);
    return occupied_ & (~any_valid_ | (waiting_ & ~all_valid_)) & ~busy;
  }
  // After everything else of the cycle. The lowest of them, from the state before the edge, is popped or refilled at
  // the next one.
  void choose(std::uint64_t poppable) {
    const std::uint64_t taken_in = taken_in_.valid ? bit_of(taken_in_.warp) : 0;
    const std::uint64_t candidates = poppable & occupied_ & ~taken_in;
    const std::uint32_t warp = candidates != 0 ? lowest_bit(candidates) : 0;
    const bool refills = candidates != 0 && has_bit(waiting_, warp);
    chosen_.valid = candidates != 0 && !refills;
    chosen_.warp = chosen_.valid ? warp : 0;
    refill_.valid = refills;
    refill_.warp = refills ? warp : 0;
    refill_.slot = refills ? lowest_bit(all_slots_ & ~slots_[warp]) : 0;
  }

  // Returns true if the warp has ended.
  bool pop(std::uint32_t warp) {
    const std::uint32_t depth = depth_[warp] - 1;
    bool waits = false;
    if (depth != 0) {
      const SpeEntry old = entry_[warp];
      entry_[warp] = below_[warp][depth - 1];
      spe_uncover(entry_[warp], old, live_[warp]);
      set_split(warp, 0, path_of(entry_[warp], 0));
      waits = below_waits_[warp][depth - 1];
    }
    waiting_ = with_bit(waiting_, warp, waits);
    set_depth(warp, depth);
    return depth == 0;
  }

  // The refill that was chosen; before choose().
  void refill() {
    const std::uint32_t row = depth_[refill_.warp] - 2;
    set_split(refill_.warp, refill_.slot, path_of(below_[refill_.warp][row], 0));
    waiting_ = with_bit(waiting_, refill_.warp, below_waits_[refill_.warp][row]);
    set_depth(refill_.warp, row + 1);
  }

  // After everything else of the cycle but choose().
  void kill(std::uint32_t warp) {
    set_depth(warp, 0);
    for (std::uint64_t left = slots_[warp]; left != 0; left &= left - 1) set_split(warp, lowest_bit(left), StackPath());
    waiting_ &= ~bit_of(warp);
    if (taken_in_.warp == warp) taken_in_.valid = false;
  }

  [[nodiscard]] TakenIn taken_in() const { return taken_in_; }
  [[nodiscard]] PopChoice chosen() const { return chosen_; }
  [[nodiscard]] RefillChoice refill_chosen() const { return refill_; }
  // A split with the place and the sibling bit of the entry.
  [[nodiscard]] SpeEntry top(std::uint32_t warp, std::uint32_t slot) const {
    SpeEntry entry = entry_[warp];
    entry.mask = split_[warp][slot].mask;
    entry.pc = split_[warp][slot].pc;
    entry.level = static_cast<std::uint16_t>(split_[warp][slot].level);
    return entry;
  }
  [[nodiscard]] std::uint64_t live(std::uint32_t warp) const { return live_[warp]; }
  [[nodiscard]] std::uint32_t depth(std::uint32_t warp) const { return depth_[warp]; }
  [[nodiscard]] StackPath path(std::uint32_t warp, std::uint32_t slot) const { return split_[warp][slot]; }
  // Another path of the warp meets this one at the same place.
  [[nodiscard]] bool sibling(std::uint32_t warp, std::uint32_t slot) const {
    return (slots_[warp] & ~bit_of(slot)) != 0 || has_bit(waiting_, warp) || entry_[warp].sibling;
  }
  [[nodiscard]] std::uint64_t valid(std::uint32_t slot) const { return valid_[slot]; }  // bit a warp
  [[nodiscard]] std::uint64_t slots(std::uint32_t warp) const { return slots_[warp]; }  // bit a slot: valid
  [[nodiscard]] std::uint64_t used() const { return used_; }          // bit a slot: valid, of any warp
  [[nodiscard]] std::uint64_t waiting() const { return waiting_; }    // bit a warp
  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }  // bit a warp: depth is not 0
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
  [[nodiscard]] std::uint32_t max_splits() const { return max_splits_; }
  [[nodiscard]] std::uint32_t splits() const { return splits_; }
  [[nodiscard]] std::uint32_t merges() const { return merges_; }
  [[nodiscard]] std::uint32_t refused() const { return refused_; }
  // Row i from the bottom, i < depth(warp) - 1; of a waiting split only the path counts.
  [[nodiscard]] SpeEntry row(std::uint32_t warp, std::uint32_t i) const { return below_[warp][i]; }
  [[nodiscard]] bool row_waits(std::uint32_t warp, std::uint32_t i) const {
    return i + 2 == depth_[warp] ? has_bit(waiting_, warp) : below_waits_[warp][i + 1];
  }
  [[nodiscard]] StackConfig config() const { return config_; }

 private:
  // The lowest other slot of the warp that lets join at this PC and level.
  [[nodiscard]] SlotFound find_partner(std::uint32_t warp, std::uint32_t slot, std::uint32_t pc, std::uint32_t level,
                                       std::uint64_t merge) const {
    std::uint64_t meets = 0;
    for (std::uint64_t left = slots_[warp] & merge & ~bit_of(slot); left != 0; left &= left - 1) {
      const std::uint32_t other = lowest_bit(left);
      meets |= static_cast<std::uint64_t>(split_[warp][other].pc == pc && split_[warp][other].level == level) << other;
    }
    SlotFound partner;
    partner.found = meets != 0;
    if (partner.found) partner.slot = lowest_bit(meets);
    return partner;
  }

  void join(std::uint32_t warp, std::uint32_t slot, std::uint64_t mask) {
    split_[warp][slot].mask |= mask;
    if (Watch != 0) ++merges_;
  }

  void set_split(std::uint32_t warp, std::uint32_t slot, const StackPath& path) {
    split_[warp][slot] = path;
    slots_[warp] = with_bit(slots_[warp], slot, path.mask != 0);
    valid_[slot] = with_bit(valid_[slot], warp, path.mask != 0);
    used_ = with_bit(used_, slot, valid_[slot] != 0);
    any_valid_ = with_bit(any_valid_, warp, slots_[warp] != 0);
    all_valid_ = with_bit(all_valid_, warp, slots_[warp] == all_slots_);
  }

  void write_row(std::uint32_t warp, std::uint32_t row, const SpeEntry& entry, bool waits) {
    below_[warp][row] = entry;
    below_waits_[warp][row] = waits;
  }

  void set_depth(std::uint32_t warp, std::uint32_t depth) {
    depth_[warp] = depth;
    occupied_ = with_bit(occupied_, warp, depth != 0);
    if (Watch != 0 && depth > max_depth_) max_depth_ = depth;
  }

  const StackConfig config_;
  const std::uint64_t all_slots_;
  StackPath split_[NumWarps][NumSlots];
  SpeEntry entry_[NumWarps];  // place and sibling bit; its path is in the slots
  SpeEntry below_[NumWarps][Depth - 1];
  bool below_waits_[NumWarps][Depth - 1] = {};  // the row below is a waiting split
  std::uint64_t live_[NumWarps] = {};
  std::uint32_t depth_[NumWarps] = {};
  std::uint64_t waiting_ = 0;           // bit a warp: the uppermost row is a waiting split
  std::uint64_t valid_[NumSlots] = {};  // bit a warp
  std::uint64_t slots_[NumWarps] = {};  // derived: the same, bit a slot
  std::uint64_t used_ = 0;              // derived: of any warp, bit a slot
  std::uint64_t any_valid_ = 0;         // derived: of any slot, bit a warp
  std::uint64_t all_valid_ = 0;         // derived: no slot is free, bit a warp
  std::uint64_t occupied_ = 0;          // derived: depth is not 0
  std::uint32_t max_depth_ = 0;
  std::uint32_t max_splits_ = 0;
  std::uint32_t splits_ = 0;
  std::uint32_t merges_ = 0;
  std::uint32_t refused_ = 0;
  TakenIn taken_in_;
  ResolveInput resolution_;
  PopChoice chosen_;
  RefillChoice refill_;
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned NumSlots = 8, unsigned Depth = 32,
          unsigned PushOrder = 0, unsigned LevelW = 8, unsigned Watch = 1>
class warp_split_table : public sc_core::sc_module {
  static_assert(NumWarps * NumSlots <= 64, "warp_split_table: the pins of the twin carry at most 64 paths");

  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kSlotW = index_width(NumSlots);
  static constexpr unsigned kDepthW = index_width(Depth + 1);
  static constexpr unsigned kPaths = NumWarps * NumSlots;
  static constexpr unsigned kRows = NumWarps * (Depth - 1);

 public:
  using Logic = WarpSplitTableLogic<NumWarps, Lanes, NumSlots, Depth, PushOrder, LevelW, Watch>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // launch
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(launch_warp_i);
  sc_core::sc_in<Number<32>> SC_NAMED(launch_pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(launch_mask_i);
  sc_core::sc_in<bool> SC_NAMED(kill_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(kill_warp_i);
  // issue
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(advance_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(merge_i);
  // resolution
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(resolve_slot_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_taken_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_target_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_next_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_rpc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_exit_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_call_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_return_i);
  sc_core::sc_in<Number<kKindWidth>> SC_NAMED(resolve_kind_i);
  // paths
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(pc_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(mask_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(level_o, kPaths);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(valid_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(sibling_o);
  // warps
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(rpc_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(rpc_level_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(live_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<kDepthW>>> SC_NAMED(depth_o, NumWarps);
  // events
  sc_core::sc_out<bool> SC_NAMED(resolved_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(resolved_warp_o);
  sc_core::sc_out<Number<kSlotW>> SC_NAMED(resolved_slot_o);
  sc_core::sc_out<bool> SC_NAMED(resolved_next_o);
  sc_core::sc_out<bool> SC_NAMED(push_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(push_warp_o);
  sc_core::sc_out<bool> SC_NAMED(pop_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(pop_warp_o);
  sc_core::sc_out<bool> SC_NAMED(done_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(done_warp_o);
  sc_core::sc_out<bool> SC_NAMED(overflow_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(overflow_warp_o);
  // status
  sc_core::sc_out<Number<kDepthW>> SC_NAMED(max_depth_o);
  sc_core::sc_out<Number<index_width(NumSlots + 1)>> SC_NAMED(max_splits_o);
  sc_core::sc_out<Number<32>> SC_NAMED(splits_o);
  sc_core::sc_out<Number<32>> SC_NAMED(merges_o);
  sc_core::sc_out<Number<32>> SC_NAMED(refused_o);

  SC_HAS_PROCESS(warp_split_table);
  explicit warp_split_table(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
      : sc_core::sc_module(name),
        depth_limit_(config.depth_limit),
        order_(config.order),
        level_bits_(config.level_bits),
        slot_limit_(config.slots) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW);
    HEDDLE_EXPECT(config.slots >= 2 && config.slots <= NumSlots);
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_paths);
    for (unsigned i = 0; i < kPaths; ++i) sensitive << mask_o[i];
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << sibling_[w] << waiting_[w];
    SC_METHOD(show_pop);
    sensitive << chosen_ << chosen_warp_;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << depth_o[w] << waiting_[w];
    SC_METHOD(show_resolution);
    sensitive << acts_ << acting_warp_ << acting_slot_ << taken_ << exit_ << target_ << next_ << meet_ << call_
              << return_ << kind_ << merge_i;
    for (unsigned i = 0; i < kPaths; ++i) sensitive << pc_o[i] << mask_o[i] << level_o[i];
    for (unsigned w = 0; w < NumWarps; ++w) {
      sensitive << rpc_o[w] << rpc_level_o[w] << sibling_[w] << waiting_[w] << live_o[w] << depth_o[w];
    }
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned i = 0; i < kPaths; ++i) {
      pc_o[i].write(0);
      mask_o[i].write(0);
      level_o[i].write(0);
    }
    for (unsigned w = 0; w < NumWarps; ++w) {
      rpc_o[w].write(0);
      rpc_level_o[w].write(0);
      sibling_[w].write(false);
      waiting_[w].write(false);
      live_o[w].write(0);
      depth_o[w].write(0);
    }
    for (unsigned i = 0; i < kRows; ++i) {
      below_pc_[i].write(0);
      below_mask_[i].write(0);
      below_level_[i].write(0);
      below_rpc_[i].write(0);
      below_rpc_level_[i].write(0);
      below_sibling_[i].write(false);
      below_waiting_[i].write(false);
    }
    acts_.write(false);
    acting_warp_.write(0);
    acting_slot_.write(0);
    taken_.write(0);
    exit_.write(0);
    target_.write(0);
    next_.write(0);
    meet_.write(0);
    call_.write(false);
    return_.write(false);
    kind_.write(kMarkNone);
    chosen_.write(false);
    chosen_warp_.write(0);
    max_depth_o.write(0);
    max_splits_o.write(0);
    splits_o.write(0);
    merges_o.write(0);
    refused_o.write(0);
  }

  // Of the events of a cycle only a kill, and the advance of another slot with a refill, meet another one of their
  // warp. A kill comes last, and wins.
  void step() {
    const bool kills = kill_valid_i.read();
    const std::uint32_t killed = kill_warp_i.read();
    HEDDLE_EXPECT(!(kills && launch_valid_i.read() && launch_warp_i.read() == killed));
    std::uint32_t most = max_depth_o.read();
    std::uint32_t most_splits = max_splits_o.read();
    std::uint32_t splits = splits_o.read();
    std::uint32_t merges = merges_o.read();
    std::uint32_t refused = refused_o.read();
    if (launch_valid_i.read()) {
      const std::uint32_t warp = launch_warp_i.read();
      HEDDLE_EXPECT(depth_o[warp].read() == 0 && launch_mask_i.read() != 0);
      SpeEntry entry;
      entry.pc = launch_pc_i.read();
      entry.mask = launch_mask_i.read();
      write_split(warp, entry);
      write_place(warp, entry, false);
      live_o[warp].write(launch_mask_i.read());
      depth_o[warp].write(1);
      if (most == 0) most = 1;
      if (most_splits == 0) most_splits = 1;
    }
    HEDDLE_EXPECT(at_most_one(advance_i.read()));
    for (unsigned s = 0; s < NumSlots; ++s) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        const unsigned path = s * NumWarps + w;
        if (has_bit(advance_i.read(), path)) {
          HEDDLE_EXPECT(mask_o[path].read() != 0 && !(acts_.read() && acting_warp_.read() == w));
          const std::uint64_t mask = mask_o[path].read();
          const std::uint32_t pc = pc_o[path].read() + 4;
          const std::uint32_t level = level_o[path].read();
          pc_o[path].write(pc);
          const SlotFound partner = find_partner(w, s, pc, level);
          if (arrived_at_pc(pc, level, rpc_o[w].read(), rpc_level_o[w].read())) {
            mask_o[path].write(0);
          } else if (partner.found) {
            const unsigned other = partner.slot * NumWarps + w;
            mask_o[path].write(0);
            mask_o[other].write(mask_o[other].read() | mask);
            if (!(kills && killed == w)) ++merges;
          }
        }
      }
    }
    if (acts_.read()) {
      const std::uint32_t warp = acting_warp_.read();
      const std::uint32_t slot = acting_slot_.read();
      const std::uint32_t depth = depth_o[warp].read();
      const std::uint32_t row = warp * (Depth - 1) + depth - 1;  // of the old top, or of a split that waits
      const std::uint64_t slots = slots_of(warp);
      const std::uint64_t free = low_bits(slot_limit_) & ~slots;
      SlotFound at_target;
      SlotFound at_next;
      SplitResolved resolved;
      SpeEntry base;
      SpeEntry under;
      SpeEntry entry;
      resolve(at_target, at_next, resolved, base, under, entry);
      if (!(kills && killed == warp)) {
        const bool waits = waiting_[warp].read();
        if (resolved.push && resolved.keep_base) write_below(row, base, false);
        if (resolved.push && resolved.two_sides) write_below(resolved.keep_base ? row + 1 : row, under, false);
        if (resolved.refused) write_below(row, under, waits);
        write_split(slot * NumWarps + warp, entry);
        write_place(warp, entry, waits || resolved.refused);
        if (resolved.split) write_split(lowest_bit(free) * NumWarps + warp, under);
        if (resolved.to_target != 0) {
          const unsigned other = at_target.slot * NumWarps + warp;
          mask_o[other].write(mask_o[other].read() | resolved.to_target);
          ++merges;
        }
        if (resolved.to_next != 0) {
          const unsigned other = at_next.slot * NumWarps + warp;
          mask_o[other].write(mask_o[other].read() | resolved.to_next);
          ++merges;
        }
        live_o[warp].write(resolved.live);
        depth_o[warp].write(resolved.depth);
        if (resolved.depth > most) most = resolved.depth;
        if (resolved.split) {
          ++splits;
          if (count_bits(slots) + 1 > most_splits) most_splits = count_bits(slots) + 1;
        }
        if (resolved.refused) ++refused;
      }
    }
    if (chosen_.read()) {
      const std::uint32_t warp = chosen_warp_.read();
      const std::uint32_t depth = depth_o[warp].read() - 1;
      if (depth != 0) {
        const std::uint32_t row = warp * (Depth - 1) + depth - 1;
        SpeEntry entry;
        read_below(row, entry);
        if (waiting_[warp].read()) {
          write_split(lowest_bit(low_bits(slot_limit_) & ~slots_of(warp)) * NumWarps + warp, entry);
          waiting_[warp].write(below_waiting_[row].read());
        } else {
          SpeEntry old;
          read_split(warp, 0, old);
          spe_uncover(entry, old, live_o[warp].read());
          write_split(warp, entry);
          write_place(warp, entry, below_waiting_[row].read());
        }
      }
      depth_o[warp].write(depth);
    }
    if (kills) {
      for (unsigned s = 0; s < NumSlots; ++s) mask_o[s * NumWarps + killed].write(0);
      waiting_[killed].write(false);
      depth_o[killed].write(0);
    }
    if (Watch != 0) {
      max_depth_o.write(most);
      max_splits_o.write(most_splits);
      splits_o.write(splits);
      merges_o.write(merges);
      refused_o.write(refused);
    }
    take_in();
    choose();
  }

  // The resolution that acts at the next edge.
  void take_in() {
    const std::uint32_t warp = resolve_warp_i.read();
    acts_.write(resolve_valid_i.read() && !(kill_valid_i.read() && kill_warp_i.read() == warp));
    if (resolve_valid_i.read()) {
      HEDDLE_EXPECT(has_bit(slots_of(warp), resolve_slot_i.read()) &&
                    !(resolve_call_i.read() && resolve_return_i.read()));
      acting_warp_.write(warp);
      acting_slot_.write(resolve_slot_i.read());
      taken_.write(resolve_taken_i.read());
      exit_.write(resolve_exit_i.read());
      target_.write(resolve_target_i.read());
      next_.write(resolve_next_i.read());
      meet_.write(resolve_rpc_i.read());
      call_.write(resolve_call_i.read());
      return_.write(resolve_return_i.read());
      kind_.write(resolve_kind_i.read());
    }
  }

  // The lowest warp that has no path, or a free slot for one that waits, is popped or refilled at the next edge - but
  // none of which anything else happens to the stack in this cycle.
  void choose() {
    std::uint64_t candidates = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool chosen = chosen_.read() && chosen_warp_.read() == w;
      const bool killed = kill_valid_i.read() && kill_warp_i.read() == w;
      const bool resolves =
          (resolve_valid_i.read() && resolve_warp_i.read() == w) || (acts_.read() && acting_warp_.read() == w);
      const std::uint64_t slots = slots_of(w);
      const bool wants = slots == 0 || (waiting_[w].read() && slots != low_bits(slot_limit_));
      candidates = with_bit(candidates, w, depth_o[w].read() != 0 && wants && !chosen && !killed && !resolves);
    }
    chosen_.write(candidates != 0);
    chosen_warp_.write(candidates != 0 ? lowest_bit(candidates) : 0);
  }

  void show_paths() {
    std::uint64_t valid = 0;
    std::uint64_t sibling = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const std::uint64_t slots = slots_of(w);
      for (unsigned s = 0; s < NumSlots; ++s) {
        valid = with_bit(valid, s * NumWarps + w, has_bit(slots, s));
        sibling =
            with_bit(sibling, s * NumWarps + w, (slots & ~bit_of(s)) != 0 || waiting_[w].read() || sibling_[w].read());
      }
    }
    valid_o.write(valid);
    sibling_o.write(sibling);
  }

  void show_pop() {
    const std::uint32_t warp = chosen_warp_.read();
    const bool pop = chosen_.read() && !waiting_[warp].read();
    const bool done = pop && depth_o[warp].read() == 1;
    pop_valid_o.write(pop);
    pop_warp_o.write(pop ? warp : 0);
    done_valid_o.write(done);
    done_warp_o.write(done ? warp : 0);
  }

  void show_resolution() {
    const bool acts = acts_.read();
    const std::uint32_t warp = acting_warp_.read();
    const std::uint32_t slot = acting_slot_.read();
    SlotFound at_target;
    SlotFound at_next;
    SplitResolved result;
    SpeEntry base;
    SpeEntry under;
    SpeEntry entry;
    resolve(at_target, at_next, result, base, under, entry);
    const bool resolved = acts && !result.overflow;
    const bool push = acts && result.push;
    const bool overflow = acts && result.overflow;
    resolved_valid_o.write(resolved);
    resolved_warp_o.write(resolved ? warp : 0);
    resolved_slot_o.write(resolved ? slot : 0);
    resolved_next_o.write(acts && result.next);
    push_valid_o.write(push);
    push_warp_o.write(push ? warp : 0);
    overflow_valid_o.write(overflow);
    overflow_warp_o.write(overflow ? warp : 0);
  }

  // What follows from the resolution that acts.
  void resolve(SlotFound& at_target, SlotFound& at_next, SplitResolved& resolved, SpeEntry& base, SpeEntry& under,
               SpeEntry& entry) const {
    const std::uint32_t warp = acting_warp_.read();
    const std::uint32_t slot = acting_slot_.read();
    StackConfig config;
    config.depth_limit = depth_limit_;
    config.order = order_;
    config.level_bits = level_bits_;
    ResolveInput in;
    in.taken = taken_.read();
    in.exit = exit_.read();
    in.target = target_.read();
    in.next = next_.read();
    in.rpc = meet_.read();
    in.call = call_.read();
    in.ret = return_.read();
    in.kind = kind_.read();
    SpeEntry old;
    read_split(warp, slot, old);
    const std::uint32_t mask = level_mask(level_bits_);
    const std::uint32_t taken_level = target_level(old.level, in, mask);
    at_target = find_partner(warp, slot, in.target, taken_level);
    at_next = find_partner(warp, slot, in.next, old.level);
    const std::uint64_t slots = slots_of(warp);
    const bool subdivided = waiting_[warp].read() || !at_most_one(slots);
    split_resolve(old, live_o[warp].read(), depth_o[warp].read(), config, in, subdivided,
                  slots != low_bits(slot_limit_), at_target.found, at_next.found, resolved, base, under, entry);
  }

  // The lowest other slot of the warp that lets join at this PC and level.
  [[nodiscard]] SlotFound find_partner(std::uint32_t warp, std::uint32_t slot, std::uint32_t pc,
                                       std::uint32_t level) const {
    const std::uint64_t merge = merge_i.read();
    SlotFound partner;
    for (unsigned s = 0; s < NumSlots; ++s) {
      const unsigned path = s * NumWarps + warp;
      const bool meets =
          s != slot && mask_o[path].read() != 0 && pc_o[path].read() == pc && level_o[path].read() == level;
      if (meets && has_bit(merge, path) && !partner.found) {
        partner.found = true;
        partner.slot = s;
      }
    }
    return partner;
  }

  // Bit a slot: valid.
  [[nodiscard]] std::uint64_t slots_of(std::uint32_t warp) const {
    std::uint64_t slots = 0;
    for (unsigned s = 0; s < NumSlots; ++s) slots = with_bit(slots, s, mask_o[s * NumWarps + warp].read() != 0);
    return slots;
  }

  // A split with the place and the sibling bit of its entry.
  void read_split(std::uint32_t warp, std::uint32_t slot, SpeEntry& entry) const {
    const std::uint32_t path = slot * NumWarps + warp;
    entry.pc = pc_o[path].read();
    entry.mask = mask_o[path].read();
    entry.level = static_cast<std::uint16_t>(level_o[path].read());
    entry.rpc = rpc_o[warp].read();
    entry.rpc_level = static_cast<std::uint16_t>(rpc_level_o[warp].read());
    entry.sibling = sibling_[warp].read();
  }

  void write_split(std::uint32_t path, const SpeEntry& entry) {
    pc_o[path].write(entry.pc);
    mask_o[path].write(entry.mask);
    level_o[path].write(entry.level);
  }

  void write_place(std::uint32_t warp, const SpeEntry& entry, bool waits) {
    rpc_o[warp].write(entry.rpc);
    rpc_level_o[warp].write(entry.rpc_level);
    sibling_[warp].write(entry.sibling);
    waiting_[warp].write(waits);
  }

  void read_below(std::uint32_t row, SpeEntry& entry) const {
    entry.pc = below_pc_[row].read();
    entry.mask = below_mask_[row].read();
    entry.level = static_cast<std::uint16_t>(below_level_[row].read());
    entry.rpc = below_rpc_[row].read();
    entry.rpc_level = static_cast<std::uint16_t>(below_rpc_level_[row].read());
    entry.sibling = below_sibling_[row].read();
  }

  void write_below(std::uint32_t row, const SpeEntry& entry, bool waits) {
    below_pc_[row].write(entry.pc);
    below_mask_[row].write(entry.mask);
    below_level_[row].write(entry.level);
    below_rpc_[row].write(entry.rpc);
    below_rpc_level_[row].write(entry.rpc_level);
    below_sibling_[row].write(entry.sibling);
    below_waiting_[row].write(waits);
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint32_t depth_limit_;
  const std::uint32_t order_;
  const std::uint32_t level_bits_;
  const std::uint32_t slot_limit_;
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(sibling_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(waiting_, NumWarps);  // the uppermost row is a split that waits
  // storage: row i from the bottom of warp w at w * (Depth - 1) + i
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_pc_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(below_mask_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_level_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_rpc_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_rpc_level_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_sibling_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_waiting_, kRows);  // the row below is a split that waits
  // the resolution that was taken in at the last edge
  sc_core::sc_signal<bool> SC_NAMED(acts_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(acting_warp_);
  sc_core::sc_signal<Number<kSlotW>> SC_NAMED(acting_slot_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(taken_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(exit_);
  sc_core::sc_signal<Number<32>> SC_NAMED(target_);
  sc_core::sc_signal<Number<32>> SC_NAMED(next_);
  sc_core::sc_signal<Number<32>> SC_NAMED(meet_);
  sc_core::sc_signal<bool> SC_NAMED(call_);
  sc_core::sc_signal<bool> SC_NAMED(return_);
  sc_core::sc_signal<Number<kKindWidth>> SC_NAMED(kind_);
  // the warp that is popped or refilled at the next edge
  sc_core::sc_signal<bool> SC_NAMED(chosen_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(chosen_warp_);
};

}  // namespace heddle
