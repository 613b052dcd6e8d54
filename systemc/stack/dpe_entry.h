// SPDX-License-Identifier: Apache-2.0
// What the dual-path stacks share: an entry, what follows from a resolution, what a pop uncovers, and the state of a
// stack without a clock. dpe_stack.h, dpe_forward_stack.h and dpe_split_stack.h are made of it.
#pragma once

#include "common/types.h"
#include "stack/resolution.h"

namespace heddle {

// One entry: two paths with their call levels and the place where both of them meet. A slot with an empty mask is
// empty.
struct DpeEntry {
  std::uint64_t mask_l = 0;
  std::uint64_t mask_r = 0;
  std::uint32_t pc_l = 0;
  std::uint32_t pc_r = 0;
  std::uint32_t rpc = 0;
  std::uint16_t level_l = 0;
  std::uint16_t level_r = 0;
  std::uint16_t rpc_level = 0;
};

// What follows from a resolution: whether the path simply goes on behind its instruction, whether it diverges, and
// whether the new entry replaces the top. Two entries go with it: the new top, and on a push that is no replacement the
// one below it.
struct DpeResolved {
  bool next = false;
  bool push = false;
  bool replace = false;
  bool overflow = false;
  std::uint64_t live = 0;
};

// A path of an entry.
[[nodiscard]] inline StackPath path_of(const DpeEntry& entry, std::uint32_t slot) {
  StackPath path;
  path.mask = slot != 0 ? entry.mask_r : entry.mask_l;
  path.pc = slot != 0 ? entry.pc_r : entry.pc_l;
  path.level = slot != 0 ? entry.level_r : entry.level_l;
  return path;
}

// One slot of `entry` is rewritten.
inline void put_path(DpeEntry& entry, std::uint32_t slot, std::uint32_t pc, std::uint32_t level, std::uint64_t mask) {
  if (slot != 0) {
    entry.pc_r = pc;
    entry.level_r = static_cast<std::uint16_t>(level);
    entry.mask_r = mask;
  } else {
    entry.pc_l = pc;
    entry.level_l = static_cast<std::uint16_t>(level);
    entry.mask_l = mask;
  }
}

// The path of `slot`, whose place is `own`, goes on as a whole; if it has arrived it leaves its slot, and the entry
// knows where it returned to.
inline void dpe_move(DpeEntry& entry, const MeetingPlace& own, std::uint32_t slot, std::uint32_t pc,
                     std::uint32_t level, std::uint64_t mask) {
  const bool there = arrived(pc, level, own.rpc, own.level);
  put_path(entry, slot, pc, level, there ? 0 : mask);
  if (there && is_odd(own.rpc)) entry.rpc = learnt(own.rpc, pc);
}

// `entry` is uncovered as `top` is popped from it; own_l and own_r are the places of its paths. The address that a
// return brought fills in the PC of the path whose sides met there; if none is, it goes on to the entry that meets
// there too.
inline void dpe_uncover(DpeEntry& entry, const MeetingPlace& own_l, const MeetingPlace& own_r, const DpeEntry& top,
                        std::uint64_t live) {
  const std::uint32_t address = top.rpc & ~std::uint32_t{1};
  const bool fills = is_odd(entry.pc_l) || is_odd(entry.pc_r);
  entry.mask_l &= live;
  entry.mask_r &= live;
  if (is_odd(entry.pc_l)) {
    entry.pc_l = address;
    if (arrived_at_pc(address, entry.level_l, own_l.rpc, own_l.level)) entry.mask_l = 0;
  }
  if (is_odd(entry.pc_r)) {
    entry.pc_r = address;
    if (arrived_at_pc(address, entry.level_r, own_r.rpc, own_r.level)) entry.mask_r = 0;
  }
  if (!fills && is_odd(top.rpc) && is_odd(entry.rpc) && top.rpc_level == entry.rpc_level) entry.rpc = top.rpc;
}

// The resolution of the branch of path `slot`, whose place is `own`. A tail whose entry has no other path replaces it
// unless `keeps`. What is not written of `below` does not matter.
inline void dpe_resolve(const DpeEntry& old, const MeetingPlace& own, bool keeps, std::uint64_t live,
                        std::uint32_t depth, const StackConfig& config, std::uint32_t slot, const ResolveInput& in,
                        DpeResolved& result, DpeEntry& below, DpeEntry& top) {
  const std::uint64_t live_after = live & ~in.exit;
  const std::uint64_t active = (slot != 0 ? old.mask_r : old.mask_l) & live_after;
  const std::uint64_t taken = in.taken & active;
  const std::uint64_t fall = active & ~in.taken;
  const std::uint32_t level = slot != 0 ? old.level_r : old.level_l;
  const std::uint32_t mask = level_mask(config.level_bits);
  const std::uint32_t taken_level = target_level(level, in, mask);
  top = old;
  result.live = live_after;
  if (active == 0) {
    if (slot != 0) {
      top.mask_r = 0;
    } else {
      top.mask_l = 0;
    }
  } else if (taken == 0 || fall == 0 || in.target == in.next) {
    dpe_move(top, own, slot, fall == 0 ? in.target : in.next, fall == 0 ? taken_level : level, active);
    result.next = (taken == 0 || in.target == in.next) && (slot != 0 ? top.mask_r : top.mask_l) != 0;
  } else {
    MeetingPlace place;
    find_meeting_place(in.rpc, level, own.rpc, own.level, mask, place);
    const bool tail = same_place(place.rpc, place.level, own.rpc, own.level);
    const std::uint64_t other = slot != 0 ? old.mask_l : old.mask_r;
    result.replace = tail && other == 0 && !keeps;
    if (!result.replace && depth >= config.depth_limit) {
      result.overflow = true;
      result.live = live;
    } else {
      const bool taken_there = arrived(in.target, taken_level, place.rpc, place.level);
      const bool fall_there = arrived(in.next, level, place.rpc, place.level);
      const std::uint64_t taken_side = taken_there ? 0 : taken;
      const std::uint64_t fall_side = fall_there ? 0 : fall;
      const std::uint32_t meet_pc = is_odd(place.rpc) ? kReturnPlace : place.rpc;  // RETURN: the pop fills it in
      const std::uint16_t meet_level = static_cast<std::uint16_t>(place.level);
      const std::uint16_t target_side_level = static_cast<std::uint16_t>(taken_level);
      const std::uint16_t next_side_level = static_cast<std::uint16_t>(level);
      const bool taken_left = config.order == kTakenLeft;
      result.push = true;
      below = old;
      if (slot != 0) {
        below.pc_r = tail ? old.pc_r : meet_pc;
        below.level_r = tail ? old.level_r : meet_level;
        below.mask_r = tail ? 0 : active;
      } else {
        below.pc_l = tail ? old.pc_l : meet_pc;
        below.level_l = tail ? old.level_l : meet_level;
        below.mask_l = tail ? 0 : active;
      }
      top.pc_l = taken_left ? in.target : in.next;
      top.level_l = taken_left ? target_side_level : next_side_level;
      top.mask_l = taken_left ? taken_side : fall_side;
      top.pc_r = taken_left ? in.next : in.target;
      top.level_r = taken_left ? next_side_level : target_side_level;
      top.mask_r = taken_left ? fall_side : taken_side;
      top.rpc = taken_there || fall_there ? learnt(place.rpc, taken_there ? in.target : in.next) : place.rpc;
      top.rpc_level = meet_level;
    }
  }
}

// State of the stacks of NumWarps warps, as far as they share it, and who looks at it. A stack derives its own from it.
template <unsigned NumWarps, unsigned Lanes, unsigned Depth, unsigned TakenLeft, unsigned LevelW, unsigned Watch,
          unsigned PcStep>
class DpeStackState {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "a dual-path stack: 1 to 64 warps");
  static_assert(Lanes >= 1 && Lanes <= 64, "a dual-path stack: 1 to 64 lanes");
  static_assert(Depth >= 2, "a dual-path stack: at least 2 entries");
  static_assert(LevelW >= 2 && LevelW <= 16, "a dual-path stack: a call level has 2 to 16 bits");
  static_assert(Watch <= 1, "a dual-path stack: Watch is 0 (without max_depth_o and counts) or 1");
  static_assert(is_pc_step(PcStep), "a dual-path stack: PcStep is a power of two of at least 2");

 public:
  static constexpr unsigned kSlots = 2;

  [[nodiscard]] static constexpr StackConfig default_config() {
    return {Depth, TakenLeft != 0 ? kTakenLeft : kTakenRight, LevelW};
  }

  [[nodiscard]] static constexpr unsigned entry_bits() { return 2 * (32 + Lanes + LevelW) + 32 + LevelW; }
  // `more`: bits of an entry beside these.
  [[nodiscard]] static constexpr unsigned state_bits(unsigned more = 0) {
    return NumWarps * (entry_bits() + more + 2 + Lanes + index_width(Depth + 1)) +
           rows_below(NumWarps, Depth) * (entry_bits() + more) + row_address_bits(NumWarps, Depth, 1) +
           Watch * index_width(Depth + 1) + taken_in_bits(NumWarps, kSlots, Lanes, LevelW, Depth) +
           pop_choice_bits(NumWarps, Depth);
  }

  [[nodiscard]] TakenIn taken_in() const { return taken_in_; }
  [[nodiscard]] PopChoice chosen() const { return chosen_; }
  [[nodiscard]] DpeEntry top(std::uint32_t warp) const { return top_[warp]; }
  [[nodiscard]] std::uint64_t live(std::uint32_t warp) const { return live_[warp]; }
  [[nodiscard]] std::uint32_t depth(std::uint32_t warp) const { return depth_[warp]; }
  [[nodiscard]] StackPath path(std::uint32_t warp, std::uint32_t slot) const { return path_of(top_[warp], slot); }
  // Another path of the warp meets this one at the same place.
  [[nodiscard]] bool sibling(std::uint32_t warp, std::uint32_t slot) const { return has_bit(valid_[1 - slot], warp); }
  [[nodiscard]] std::uint64_t valid(std::uint32_t slot) const { return valid_[slot]; }  // bit a warp
  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }                    // bit a warp: depth is not 0
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
  // Entry i from the bottom, i < depth(warp).
  [[nodiscard]] DpeEntry entry(std::uint32_t warp, std::uint32_t i) const {
    return i + 1 == depth_[warp] ? top_[warp] : below_[warp][i];
  }
  [[nodiscard]] StackConfig config() const { return config_; }

  // After act() of the same cycle; it acts at the next edge.
  void take_in(std::uint32_t warp, std::uint32_t slot, const ResolveInput& in) {
    HEDDLE_EXPECT(path(warp, slot).mask != 0 && !(in.call && in.ret));
    taken_in_.valid = true;
    taken_in_.warp = warp;
    taken_in_.slot = slot;
    resolution_ = in;
  }

 protected:
  explicit DpeStackState(const StackConfig& config) : config_(config) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW && config.order <= kTakenRight);
  }

  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      top_[w] = DpeEntry();
      live_[w] = 0;
      depth_[w] = 0;
    }
    valid_[0] = 0;
    valid_[1] = 0;
    occupied_ = 0;
    max_depth_ = 0;
    taken_in_ = TakenIn();
    resolution_ = ResolveInput();
    chosen_ = PopChoice();
  }

  void launch(std::uint32_t warp, std::uint32_t pc, std::uint64_t mask) {
    HEDDLE_EXPECT(depth_[warp] == 0 && mask != 0);
    top_[warp] = DpeEntry();
    top_[warp].pc_l = pc;
    top_[warp].mask_l = mask;
    live_[warp] = mask;
    set_depth(warp, 1);
    update_valid(warp);
  }

  // The path goes on behind its instruction; `own` is its place. Returns true if it has arrived.
  bool step(std::uint32_t warp, std::uint32_t slot, const MeetingPlace& own) {
    HEDDLE_EXPECT(path(warp, slot).mask != 0 && !(taken_in_.valid && taken_in_.warp == warp));
    const StackPath from = path(warp, slot);
    const bool there = arrived_at_pc(from.pc + PcStep, from.level, own.rpc, own.level);
    put_path(top_[warp], slot, from.pc + PcStep, from.level, there ? 0 : from.mask);
    if (there) valid_[slot] &= ~bit_of(warp);
    return there;
  }

  // What a resolution made of the top.
  void apply(std::uint32_t warp, const DpeResolved& resolved, const DpeEntry& below, const DpeEntry& top) {
    if (resolved.push && !resolved.replace) {
      below_[warp][depth_[warp] - 1] = below;
      set_depth(warp, depth_[warp] + 1);
    }
    top_[warp] = top;
    live_[warp] = resolved.live;
    update_valid(warp);
  }

  void kill(std::uint32_t warp) {
    set_depth(warp, 0);
    top_[warp].mask_l = 0;
    top_[warp].mask_r = 0;
    valid_[0] &= ~bit_of(warp);
    valid_[1] &= ~bit_of(warp);
    if (taken_in_.warp == warp) taken_in_.valid = false;
  }

  // Warps without a path that may be chosen: all but the one that is popped in this cycle.
  [[nodiscard]] std::uint64_t poppable() const { return unserved() & ~(valid_[0] | valid_[1]); }
  // After kill(). The lowest of them, from the state before the edge, is popped at the next one.
  void choose(std::uint64_t poppable) {
    const std::uint64_t candidates = poppable & occupied_;
    chosen_.valid = candidates != 0;
    chosen_.warp = chosen_.valid ? lowest_bit(candidates) : 0;
  }
  // After an advance of the same cycle. Returns true if the warp has ended.
  bool pop(std::uint32_t warp) {
    const std::uint32_t depth = depth_[warp] - 1;
    if (depth != 0) {
      const DpeEntry top = top_[warp];
      top_[warp] = below_[warp][depth - 1];
      dpe_uncover(top_[warp], place(warp), place(warp), top, live_[warp]);
    }
    set_depth(warp, depth);
    update_valid(warp);
    return depth == 0;
  }

  [[nodiscard]] std::uint64_t unserved() const { return occupied_ & ~(chosen_.valid ? bit_of(chosen_.warp) : 0); }
  [[nodiscard]] MeetingPlace place(std::uint32_t warp) const {
    MeetingPlace own;
    own.rpc = top_[warp].rpc;
    own.level = top_[warp].rpc_level;
    return own;
  }

  void set_depth(std::uint32_t warp, std::uint32_t depth) {
    depth_[warp] = depth;
    occupied_ = with_bit(occupied_, warp, depth != 0);
    if (Watch != 0 && depth > max_depth_) max_depth_ = depth;
  }
  void update_valid(std::uint32_t warp) {
    valid_[0] = with_bit(valid_[0], warp, top_[warp].mask_l != 0);
    valid_[1] = with_bit(valid_[1], warp, top_[warp].mask_r != 0);
  }

  const StackConfig config_;
  DpeEntry top_[NumWarps];
  DpeEntry below_[NumWarps][Depth - 1];
  std::uint64_t live_[NumWarps] = {};
  std::uint32_t depth_[NumWarps] = {};
  std::uint64_t valid_[2] = {};
  std::uint64_t occupied_ = 0;  // derived: depth is not 0
  std::uint32_t max_depth_ = 0;
  TakenIn taken_in_;
  ResolveInput resolution_;
  PopChoice chosen_;
};

}  // namespace heddle
