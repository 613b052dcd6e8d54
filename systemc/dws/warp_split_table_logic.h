// SPDX-License-Identifier: Apache-2.0
// warp_split_table without a clock, as the front ends hold it: a single-path reconvergence stack whose top entry may be
// subdivided into several paths. Contract: docs/frontend.md, dws/warp_split_table. The decisions are pure functions of
// a split with the place of its entry, which the module of warp_split_table.h applies, too.
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
          unsigned PushOrder = 0, unsigned LevelW = 8, unsigned Watch = 1, unsigned PcStep = 4>
class WarpSplitTableLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "warp_split_table: 1 to 64 warps");
  static_assert(Lanes >= 2 && Lanes <= 64, "warp_split_table: 2 to 64 lanes");
  static_assert(NumSlots >= 2 && NumSlots <= Lanes, "warp_split_table: 2 slots or more, at most as many as lanes");
  static_assert(Depth >= 2, "warp_split_table: at least 2 entries");
  static_assert(PushOrder <= kPushLargerFirst, "warp_split_table: PushOrder is 0 to 3");
  static_assert(LevelW >= 2 && LevelW <= 16, "warp_split_table: a call level has 2 to 16 bits");
  static_assert(Watch <= 1, "warp_split_table: Watch is 0 (without max_depth_o, max_splits_o and counts) or 1");
  static_assert(is_pc_step(PcStep), "warp_split_table: PcStep is a power of two of at least 2");

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
    path.pc += PcStep;
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

}  // namespace heddle
