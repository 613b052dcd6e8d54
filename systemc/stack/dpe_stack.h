// SPDX-License-Identifier: Apache-2.0
// dpe_stack: dual-path reconvergence stack of the warps of a scheduler. Contract: docs/frontend.md, stack/dpe_stack;
// same pins as rtl/stack/dpe_stack.sv.
//
// DpeStackLogic is the machine without a clock, which the front ends hold. The module below holds its state once, in
// pins and signals. Both apply the same decisions, pure functions of an entry.
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

// Path forwarding, of the top and of each row: the guest of the entry, a path of the one below that is in its slot,
// with the place where it arrives; and the offer: whether there is, or was, such a path to be had, and in which slot. A
// guest that is here has threads.
struct DpeGuest {
  std::uint32_t rpc = 0;
  std::uint16_t rpc_level = 0;
  bool here = false;
  bool gone = false;
  bool offer = false;
  bool slot = false;
};

// Memory-divergence splitting: by slot, bit a warp, paths that may be joined, and those that stand at a barrier for
// their other part.
struct DpePartsInput {
  std::uint64_t merge[2] = {};
  std::uint64_t stopped[2] = {};
};

// What follows from a resolution: whether the path simply goes on behind its instruction, whether it diverges, and
// whether the new entry replaces the top; of a part, whether it waits at its branch, or joins the other one. Two
// entries go with it: the new top, and on a push that is no replacement the one below it.
struct DpeResolved {
  bool next = false;
  bool push = false;
  bool replace = false;
  bool overflow = false;
  bool waits = false;
  bool joins = false;
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

// This path of the entry is its guest.
[[nodiscard]] inline bool is_guest(const DpeGuest& guest, std::uint32_t slot) {
  return guest.here && guest.slot == (slot != 0);
}

// Where a path of the entry arrives. A guest's place is never RETURN.
inline void find_place(const DpeEntry& entry, const DpeGuest& guest, std::uint32_t slot, MeetingPlace& place) {
  const bool of_guest = is_guest(guest, slot);
  place.rpc = of_guest ? guest.rpc : entry.rpc;
  place.level = of_guest ? guest.rpc_level : entry.rpc_level;
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

// The same with forwarding: `entry` and `guest` are the row's. The slot of the guest of `top`, if there is or was one,
// stays as it is.
inline void dpe_uncover_forwarded(DpeEntry& entry, DpeGuest& guest, const DpeEntry& top, const DpeGuest& top_guest,
                                  std::uint64_t live) {
  MeetingPlace own_l;
  MeetingPlace own_r;
  find_place(entry, guest, 0, own_l);
  find_place(entry, guest, 1, own_r);
  dpe_uncover(entry, own_l, own_r, top, live);
  if (top_guest.here || top_guest.gone) {
    const StackPath stays = path_of(top, top_guest.slot ? 1 : 0);
    put_path(entry, top_guest.slot ? 1 : 0, stays.pc, stays.level, stays.mask);
  }
  if (guest.here && (guest.slot ? entry.mask_r : entry.mask_l) == 0) {
    guest.here = false;
    guest.gone = true;
  }
}

// The resolution of the branch of path `slot`, whose place is `own`. A guest leaves an entry that knows an address to
// the pop. What is not written of `below` does not matter.
inline void dpe_resolve(const DpeEntry& old, const MeetingPlace& own, bool guest, std::uint64_t live,
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
    result.replace = tail && other == 0 && !(guest && is_odd(old.rpc));
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

// What becomes of guest and offer as that resolution acts: `old` and `old_guest` are the top before it, `resolved`,
// `below` and `top` what dpe_resolve says.
inline void dpe_resolve_guest(const DpeEntry& old, const DpeGuest& old_guest, std::uint32_t slot,
                              const DpeResolved& resolved, const DpeEntry& below, const DpeEntry& top,
                              DpeGuest& below_guest, DpeGuest& top_guest) {
  const bool keeps = resolved.push && !resolved.replace;
  const std::uint64_t left = slot != 0 ? (keeps ? below.mask_r : top.mask_r) : (keeps ? below.mask_l : top.mask_l);
  DpeGuest after = old_guest;
  if (is_guest(old_guest, slot) && (resolved.replace || left == 0)) {
    after.here = false;
    after.gone = true;
  }
  if (keeps) {
    const std::uint32_t other = 1 - slot;
    MeetingPlace place;
    find_place(old, old_guest, other, place);
    below_guest = after;
    top_guest.offer = (other != 0 ? old.mask_r : old.mask_l) != 0 && !is_odd(place.rpc);
    top_guest.slot = top_guest.offer && other != 0;
  } else {
    top_guest = after;
  }
}

// Both paths of the entry stand at one place.
[[nodiscard]] inline bool dpe_beside(const DpeEntry& entry) {
  return entry.pc_l == entry.pc_r && entry.level_l == entry.level_r;
}

// The path of `slot` joins the other one.
inline void dpe_join(DpeEntry& entry, std::uint32_t slot) {
  const std::uint64_t both = entry.mask_l | entry.mask_r;
  entry.mask_l = slot != 0 ? both : 0;
  entry.mask_r = slot != 0 ? 0 : both;
}

// The threads of `behind` become the other part of the path of `slot`.
inline void dpe_split(DpeEntry& entry, std::uint32_t slot, std::uint64_t behind) {
  const StackPath path = path_of(entry, slot);
  put_path(entry, 1 - slot, path.pc, path.level, path.mask & behind);
  put_path(entry, slot, path.pc, path.level, path.mask & ~behind);
}

// dpe_resolve said what the resolution does to any path; this is what is different for a part whose other part is
// there. `comes`: that one may still come to the branch, so a divergence waits for it; `merge`: it may be joined.
inline void dpe_resolve_part(const DpeEntry& old, std::uint32_t slot, std::uint64_t live, const ResolveInput& in,
                             bool comes, bool merge, DpeResolved& resolved, DpeEntry& top) {
  const bool divergent = resolved.push || resolved.overflow;
  if (divergent && comes) {
    const StackPath path = path_of(old, slot);
    resolved = DpeResolved();
    resolved.live = live & ~in.exit;
    resolved.waits = true;
    top = old;
    put_path(top, slot, path.pc, path.level, path.mask & resolved.live);
  }
  if ((!divergent || comes) && merge && path_of(top, slot).mask != 0 && dpe_beside(top)) {
    dpe_join(top, slot);
    resolved.joins = true;
    resolved.waits = false;
    resolved.next = false;
  }
}

// The path of `slot` of the row is forwarded into the top.
inline void dpe_forward(const DpeEntry& row, const DpeGuest& row_guest, std::uint32_t slot, std::uint64_t live,
                        DpeEntry& top, DpeGuest& guest) {
  const StackPath path = path_of(row, slot);
  MeetingPlace place;
  find_place(row, row_guest, slot, place);
  put_path(top, slot, path.pc, path.level, path.mask & live);
  guest.rpc = place.rpc;
  guest.rpc_level = static_cast<std::uint16_t>(place.level);
  guest.here = (path.mask & live) != 0;
  guest.gone = !guest.here;
}

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned TakenLeft = 1, unsigned LevelW = 8,
          unsigned Forward = 0, unsigned Split = 0, unsigned Watch = 1>
class DpeStackLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "dpe_stack: 1 to 64 warps");
  static_assert(Lanes >= 1 && Lanes <= 64, "dpe_stack: 1 to 64 lanes");
  static_assert(Depth >= 2, "dpe_stack: at least 2 entries");
  static_assert(LevelW >= 2 && LevelW <= 16, "dpe_stack: a call level has 2 to 16 bits");
  static_assert(Forward <= 1, "dpe_stack: Forward is 0 (without) or 1 (with path forwarding)");
  static_assert(Split <= 1 - Forward,
                "dpe_stack: Split is 0 (without), or 1 (with memory-divergence splitting) without forwarding");
  static_assert(Watch <= 1, "dpe_stack: Watch is 0 (without max_depth_o) or 1");

 public:
  static constexpr unsigned kSlots = 2;
  static constexpr bool kForward = Forward != 0;
  static constexpr bool kSplit = Split != 0;

  [[nodiscard]] static constexpr StackConfig default_config() {
    return {Depth, TakenLeft != 0 ? kTakenLeft : kTakenRight, LevelW};
  }

  explicit DpeStackLogic(const StackConfig& config = default_config()) : config_(config) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW && config.order <= kTakenRight);
  }

  // With forwarding: the guest's place, three states of the guest, three of the offer. With splitting: whether the
  // paths are parts of one, and, of the top, whether each waits; whether the instruction that was taken in never waits;
  // the warp whose parts meet.
  [[nodiscard]] static constexpr unsigned entry_bits() {
    return 2 * (32 + Lanes + LevelW) + 32 + LevelW + Forward * (32 + LevelW + 4) + Split;
  }
  [[nodiscard]] static constexpr unsigned state_bits() {
    return NumWarps * (entry_bits() + 2 + Lanes + index_width(Depth + 1)) + rows_below(NumWarps, Depth) * entry_bits() +
           Split * (2 * NumWarps + 2 + index_width(NumWarps)) +
           Watch * (index_width(Depth + 1) + Forward * 32 + Split * 64) +
           taken_in_bits(NumWarps, kSlots, Lanes, LevelW, Depth) + pop_choice_bits(NumWarps, Depth) +
           row_address_bits(NumWarps, Depth, 1) + Forward;
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
    if constexpr (kForward) {
      for (unsigned w = 0; w < NumWarps; ++w) guest_[w] = DpeGuest();
      for (unsigned s = 0; s < kSlots; ++s) {
        guests_[s] = 0;
        offers_[s] = 0;
      }
      forward_ = PopChoice();
      forwards_ = 0;
    }
    if constexpr (kSplit) {
      parts_ = 0;
      waits_[0] = 0;
      waits_[1] = 0;
      waited_[0] = 0;
      waited_[1] = 0;
      for (unsigned w = 0; w < NumWarps; ++w) parts_below_[w] = 0;
      meet_ = PopChoice();
      splits_ = 0;
      merges_ = 0;
    }
  }

  void launch(std::uint32_t warp, std::uint32_t pc, std::uint64_t mask) {
    HEDDLE_EXPECT(depth_[warp] == 0 && mask != 0);
    top_[warp] = DpeEntry();
    top_[warp].pc_l = pc;
    top_[warp].mask_l = mask;
    live_[warp] = mask;
    set_depth(warp, 1);
    if constexpr (kForward) guest_[warp] = DpeGuest();
    if constexpr (kSplit) parts_ &= ~bit_of(warp);
    update_valid(warp);
  }

  // `merge`: the other path may be joined.
  void advance(std::uint32_t warp, std::uint32_t slot, bool merge = false) {
    HEDDLE_EXPECT(path(warp, slot).mask != 0 && !(taken_in_.valid && taken_in_.warp == warp));
    MeetingPlace own;
    own.rpc = top_[warp].rpc;
    own.level = top_[warp].rpc_level;
    if constexpr (kForward) find_place(top_[warp], guest_[warp], slot, own);
    if (slot != 0) {
      top_[warp].pc_r += 4;
      if (arrived_at_pc(top_[warp].pc_r, top_[warp].level_r, own.rpc, own.level)) leave(warp, 1);
    } else {
      top_[warp].pc_l += 4;
      if (arrived_at_pc(top_[warp].pc_l, top_[warp].level_l, own.rpc, own.level)) leave(warp, 0);
    }
    if constexpr (kSplit) {
      if (merge && has_bit(parts(), warp) && dpe_beside(top_[warp])) join(warp, slot);
    }
  }

  // First of a cycle: a path that does not wait for its other part any more goes on. A resolution that acts knows it as
  // waiting still.
  void end_waits(const DpePartsInput& in) {
    waited_[0] = waits_[0];
    waited_[1] = waits_[1];
    waits_[0] &= valid_[1] & ~in.stopped[1];
    waits_[1] &= valid_[0] & ~in.stopped[0];
  }
  // Of the only path of the warp; both parts have threads.
  void split(std::uint32_t warp, std::uint32_t slot, std::uint64_t behind) {
    HEDDLE_EXPECT(has_bit(valid_[slot], warp) && !has_bit(valid_[1 - slot], warp) &&
                  !(taken_in_.valid && taken_in_.warp == warp));
    dpe_split(top_[warp], slot, behind);
    HEDDLE_EXPECT(top_[warp].mask_l != 0 && top_[warp].mask_r != 0);
    parts_ |= bit_of(warp);
    waits_[0] &= ~bit_of(warp);
    waits_[1] &= ~bit_of(warp);
    update_valid(warp);
    if (Watch != 0) ++splits_;
  }
  // Warps whose parts both stand at a barrier, but for the one that is chosen already.
  [[nodiscard]] std::uint64_t meetable(const DpePartsInput& in) const {
    return parts() & in.stopped[0] & in.stopped[1] & ~(meet_.valid ? bit_of(meet_.warp) : 0);
  }
  void choose_meet(std::uint64_t meetable) {
    meet_.valid = meetable != 0;
    meet_.warp = meet_.valid ? lowest_bit(meetable) : 0;
  }
  // What was chosen, unless it is killed at this edge; before everything that changes a path. Returns true if the
  // warp's parts are one path again.
  bool meet(bool killed) {
    const bool met = !killed && has_bit(parts(), meet_.warp) && dpe_beside(top_[meet_.warp]);
    if (met) join(meet_.warp, 1);
    return met;
  }

  // The resolution that was taken in at the last edge acts, unless its warp is killed at this one: what it would have
  // done is returned all the same.
  DpeResolved act(bool killed = false, const DpePartsInput& in = DpePartsInput()) {
    const std::uint32_t warp = taken_in_.warp;
    const std::uint32_t depth = depth_[warp];
    const DpeEntry old = top_[warp];
    DpeEntry below;
    DpeEntry top;
    DpeResolved resolved;
    MeetingPlace own;
    own.rpc = old.rpc;
    own.level = old.rpc_level;
    bool guest = false;
    if constexpr (kForward) {
      find_place(old, guest_[warp], taken_in_.slot, own);
      guest = is_guest(guest_[warp], taken_in_.slot);
    }
    dpe_resolve(old, own, guest, live_[warp], depth, config_, taken_in_.slot, resolution_, resolved, below, top);
    if constexpr (kSplit) {
      const std::uint32_t other = 1 - taken_in_.slot;
      const bool comes = !has_bit(waited_[other] | in.stopped[other], warp) && resolution_.kind != kMarkOnce;
      if (has_bit(parts(), warp))
        dpe_resolve_part(old, taken_in_.slot, live_[warp], resolution_, comes, has_bit(in.merge[other], warp), resolved,
                         top);
    }
    if (!killed) {
      if constexpr (kSplit) {
        if (resolved.push) {
          if (!resolved.replace) parts_below_[warp] = with_bit(parts_below_[warp], depth - 1, has_bit(parts_, warp));
          parts_ &= ~bit_of(warp);
          waits_[0] &= ~bit_of(warp);
          waits_[1] &= ~bit_of(warp);
        }
        waits_[taken_in_.slot] = with_bit(waits_[taken_in_.slot], warp, resolved.waits);
        if (Watch != 0 && resolved.joins) ++merges_;
      }
      if constexpr (kForward) {
        DpeGuest top_guest;
        DpeGuest below_guest;
        dpe_resolve_guest(old, guest_[warp], taken_in_.slot, resolved, below, top, below_guest, top_guest);
        if (resolved.push && !resolved.replace) guest_below_[warp][depth - 1] = below_guest;
        guest_[warp] = top_guest;
      }
      if (resolved.push && !resolved.replace) {
        below_[warp][depth - 1] = below;
        set_depth(warp, depth + 1);
      }
      top_[warp] = top;
      live_[warp] = resolved.live;
      update_valid(warp);
    }
    taken_in_.valid = false;
    return resolved;
  }
  // After act() of the same cycle; it acts at the next edge.
  void take_in(std::uint32_t warp, std::uint32_t slot, const ResolveInput& in) {
    HEDDLE_EXPECT(path(warp, slot).mask != 0 && !(in.call && in.ret));
    taken_in_.valid = true;
    taken_in_.warp = warp;
    taken_in_.slot = slot;
    resolution_ = in;
  }

  // Warps without a path of their own that may be chosen: all but the one that is popped in this cycle, and with
  // forwarding those with a guest in `hold`.
  [[nodiscard]] std::uint64_t poppable(std::uint64_t hold = 0) const {
    const std::uint64_t waiting = occupied_ & ~(chosen_.valid ? bit_of(chosen_.warp) : 0);
    if constexpr (kForward) {
      const std::uint64_t own = (valid_[0] & ~guests_[0]) | (valid_[1] & ~guests_[1]);
      return waiting & ~own & ~((guests_[0] | guests_[1]) & hold) & ~(forward_.valid ? bit_of(forward_.warp) : 0);
    } else {
      return waiting & ~(valid_[0] | valid_[1]);
    }
  }
  // Warps of which a path may be forwarded (with forwarding only).
  [[nodiscard]] std::uint64_t forwardable(std::uint64_t hold) const {
    const std::uint64_t wanted = (offers_[0] & ~valid_[0] & valid_[1]) | (offers_[1] & ~valid_[1] & valid_[0]);
    return wanted & ~hold & ~(chosen_.valid ? bit_of(chosen_.warp) : 0) & ~(forward_.valid ? bit_of(forward_.warp) : 0);
  }
  // After kill(). The lowest of them, from the state before the edge, is popped at the next one, or a path of it
  // forwarded.
  void choose(std::uint64_t poppable, std::uint64_t forwardable = 0) {
    const std::uint64_t candidates = (poppable | forwardable) & occupied_;
    chosen_.valid = candidates != 0;
    chosen_.warp = chosen_.valid ? lowest_bit(candidates) : 0;
    if constexpr (kForward) {
      forward_.valid = chosen_.valid && has_bit(forwardable, chosen_.warp);
      forward_.warp = forward_.valid ? chosen_.warp : 0;
      if (forward_.valid) chosen_ = PopChoice();
    }
  }

  // After an advance of the same cycle. Returns true if the warp has ended.
  bool pop(std::uint32_t warp) {
    const std::uint32_t depth = depth_[warp] - 1;
    if (depth != 0) {
      const DpeEntry top = top_[warp];
      top_[warp] = below_[warp][depth - 1];
      if constexpr (kForward) {
        const DpeGuest guest = guest_[warp];
        guest_[warp] = guest_below_[warp][depth - 1];
        dpe_uncover_forwarded(top_[warp], guest_[warp], top, guest, live_[warp]);
      } else {
        MeetingPlace own;
        own.rpc = top_[warp].rpc;
        own.level = top_[warp].rpc_level;
        dpe_uncover(top_[warp], own, own, top, live_[warp]);
        if constexpr (kSplit) parts_ = with_bit(parts_, warp, has_bit(parts_below_[warp], depth - 1));
      }
    }
    set_depth(warp, depth);
    update_valid(warp);
    return depth == 0;
  }

  // The path that was chosen comes into the slot that it is offered for, unless its warp is killed at this edge.
  void forward(bool killed = false) {
    const std::uint32_t warp = forward_.warp;
    if (!killed) {
      const DpeEntry row = below_[warp][depth_[warp] - 2];
      const DpeGuest row_guest = guest_below_[warp][depth_[warp] - 2];
      dpe_forward(row, row_guest, guest_[warp].slot ? 1 : 0, live_[warp], top_[warp], guest_[warp]);
      update_valid(warp);
      if (Watch != 0) ++forwards_;
    }
  }

  // After everything else of the cycle but choose().
  void kill(std::uint32_t warp) {
    set_depth(warp, 0);
    top_[warp].mask_l = 0;
    top_[warp].mask_r = 0;
    valid_[0] &= ~bit_of(warp);
    valid_[1] &= ~bit_of(warp);
    if constexpr (kForward) {
      for (unsigned s = 0; s < kSlots; ++s) {
        guests_[s] &= ~bit_of(warp);
        offers_[s] &= ~bit_of(warp);
      }
    }
    if (taken_in_.warp == warp) taken_in_.valid = false;
  }

  [[nodiscard]] TakenIn taken_in() const { return taken_in_; }
  [[nodiscard]] PopChoice chosen() const { return chosen_; }
  [[nodiscard]] PopChoice forward_chosen() const { return forward_; }
  [[nodiscard]] DpeEntry top(std::uint32_t warp) const { return top_[warp]; }
  [[nodiscard]] std::uint64_t live(std::uint32_t warp) const { return live_[warp]; }
  [[nodiscard]] std::uint32_t depth(std::uint32_t warp) const { return depth_[warp]; }
  [[nodiscard]] StackPath path(std::uint32_t warp, std::uint32_t slot) const { return path_of(top_[warp], slot); }
  // Another path of the warp meets this one at the same place.
  [[nodiscard]] bool sibling(std::uint32_t warp, std::uint32_t slot) const { return has_bit(valid_[1 - slot], warp); }
  [[nodiscard]] std::uint64_t valid(std::uint32_t slot) const { return valid_[slot]; }  // bit a warp
  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }                    // bit a warp: depth is not 0
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
  [[nodiscard]] std::uint32_t forwards() const { return forwards_; }
  // Bit a warp: both paths are there, and parts of one.
  [[nodiscard]] std::uint64_t parts() const { return parts_ & valid_[0] & valid_[1]; }
  // Bit a warp: the path of the slot waits at its branch.
  [[nodiscard]] std::uint64_t waiting(std::uint32_t slot, const DpePartsInput& in) const {
    return waits_[slot] & valid_[1 - slot] & ~in.stopped[1 - slot];
  }
  [[nodiscard]] PopChoice meet_chosen() const { return meet_; }
  // In the last cycle a path began to wait at its branch, or ended that.
  [[nodiscard]] bool waits_change() const { return waited_[0] != waits_[0] || waited_[1] != waits_[1]; }
  [[nodiscard]] std::uint32_t splits() const { return splits_; }
  [[nodiscard]] std::uint32_t merges() const { return merges_; }
  [[nodiscard]] DpeGuest guest(std::uint32_t warp) const { return guest_[kForward ? warp : 0]; }
  // Entry i from the bottom, i < depth(warp).
  // Of entry i, 0 = bottom, depth(warp) - 1 = top; with forwarding.
  [[nodiscard]] DpeGuest guest(std::uint32_t warp, std::uint32_t i) const {
    return i + 1 == depth_[warp] ? guest_[warp] : guest_below_[warp][i];
  }
  [[nodiscard]] DpeEntry entry(std::uint32_t warp, std::uint32_t i) const {
    return i + 1 == depth_[warp] ? top_[warp] : below_[warp][i];
  }
  [[nodiscard]] StackConfig config() const { return config_; }

 private:
  void set_depth(std::uint32_t warp, std::uint32_t depth) {
    depth_[warp] = depth;
    occupied_ = with_bit(occupied_, warp, depth != 0);
    if (Watch != 0 && depth > max_depth_) max_depth_ = depth;
  }

  void update_valid(std::uint32_t warp) {
    valid_[0] = with_bit(valid_[0], warp, top_[warp].mask_l != 0);
    valid_[1] = with_bit(valid_[1], warp, top_[warp].mask_r != 0);
    if constexpr (kForward) update_guests(warp);
  }

  void update_guests(std::uint32_t warp) {
    const DpeGuest guest = guest_[warp];
    for (unsigned s = 0; s < kSlots; ++s) {
      const bool here = is_guest(guest, s);
      const bool offer = guest.offer && guest.slot == (s != 0) && !guest.here && !guest.gone;
      guests_[s] = with_bit(guests_[s], warp, here);
      offers_[s] = with_bit(offers_[s], warp, offer);
    }
  }

  void join(std::uint32_t warp, std::uint32_t slot) {
    dpe_join(top_[warp], slot);
    update_valid(warp);
    if (Watch != 0) ++merges_;
  }

  // The path of the slot has arrived.
  void leave(std::uint32_t warp, std::uint32_t slot) {
    if (slot != 0) {
      top_[warp].mask_r = 0;
    } else {
      top_[warp].mask_l = 0;
    }
    valid_[slot] &= ~bit_of(warp);
    if constexpr (kForward) {
      if (is_guest(guest_[warp], slot)) {
        guest_[warp].here = false;
        guest_[warp].gone = true;
        update_guests(warp);
      }
    }
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
  // Path forwarding; without it nothing is here but what unused members need.
  static constexpr unsigned kGuests = kForward ? NumWarps : 1;
  DpeGuest guest_[kGuests];
  DpeGuest guest_below_[kGuests][kForward ? Depth - 1 : 1];
  std::uint64_t guests_[kSlots] = {};  // derived, by slot, bit a warp: a guest is here
  std::uint64_t offers_[kSlots] = {};  // derived: a path of the entry below may come
  PopChoice forward_;
  std::uint32_t forwards_ = 0;
  // Memory-divergence splitting, bit a warp; of the rows of a warp bit a row.
  std::uint64_t parts_ = 0;
  std::uint64_t waits_[kSlots] = {};
  std::uint64_t waited_[kSlots] = {};  // derived: waits before the cycle
  std::uint64_t parts_below_[kSplit ? NumWarps : 1] = {};
  PopChoice meet_;
  std::uint32_t splits_ = 0;
  std::uint32_t merges_ = 0;
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned TakenLeft = 1, unsigned LevelW = 8,
          unsigned Forward = 0, unsigned Split = 0, unsigned Watch = 1>
class dpe_stack : public sc_core::sc_module {
  static_assert(2 * NumWarps <= 64, "dpe_stack: the pins of the twin carry at most 64 paths");

  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kDepthW = index_width(Depth + 1);
  static constexpr unsigned kRows = NumWarps * (Depth - 1);
  static constexpr bool kForward = Forward != 0;
  static constexpr unsigned kGuests = kForward ? NumWarps : 1;
  static constexpr unsigned kGuestRows = kForward ? kRows : 1;
  static constexpr bool kSplit = Split != 0;
  static constexpr unsigned kPartRows = kSplit ? kRows : 1;

 public:
  using Logic = DpeStackLogic<NumWarps, Lanes, Depth, TakenLeft, LevelW, Forward, Split, Watch>;
  static constexpr unsigned kPaths = 2 * NumWarps;

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
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(hold_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(merge_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(stopped_i);
  sc_core::sc_in<bool> SC_NAMED(split_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(split_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(split_slot_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(split_mask_i);
  // resolution
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(resolve_slot_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_taken_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_target_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_next_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_rpc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_exit_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_call_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_return_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_mark_i);
  // paths
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(pc_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(mask_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(level_o, kPaths);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(valid_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(sibling_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(wait_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(parts_o);
  // warps
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(rpc_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(rpc_level_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(live_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<kDepthW>>> SC_NAMED(depth_o, NumWarps);
  // events
  sc_core::sc_out<bool> SC_NAMED(resolved_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(resolved_warp_o);
  sc_core::sc_out<Number<1>> SC_NAMED(resolved_slot_o);
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
  sc_core::sc_out<Number<32>> SC_NAMED(splits_o);
  sc_core::sc_out<Number<32>> SC_NAMED(merges_o);
  sc_core::sc_out<Number<32>> SC_NAMED(forwards_o);

  SC_HAS_PROCESS(dpe_stack);
  explicit dpe_stack(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
      : sc_core::sc_module(name),
        depth_limit_(config.depth_limit),
        order_(config.order),
        level_bits_(config.level_bits) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW && config.order <= kTakenRight);
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_paths);
    for (unsigned i = 0; i < kPaths; ++i) sensitive << mask_o[i];
    SC_METHOD(show_done);
    sensitive << pop_valid_o << pop_warp_o;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << depth_o[w];
    SC_METHOD(show_resolution);
    sensitive << acts_ << acting_warp_ << acting_slot_ << taken_ << exit_ << target_ << next_ << meet_ << call_
              << return_;
    for (unsigned i = 0; i < kPaths; ++i) sensitive << pc_o[i] << mask_o[i] << level_o[i];
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << rpc_o[w] << rpc_level_o[w] << live_o[w] << depth_o[w];
    if (kForward) {
      for (unsigned w = 0; w < kGuests; ++w) {
        sensitive << guest_here_[w] << guest_gone_[w] << guest_slot_[w] << offer_[w] << guest_rpc_[w]
                  << guest_level_[w];
      }
    }
    if (kSplit) sensitive << parts_ << waits_l_ << waits_r_ << mark_ << merge_i << stopped_i;
    SC_METHOD(show_parts);
    sensitive << parts_ << waits_l_ << waits_r_ << stopped_i;
    for (unsigned i = 0; i < kPaths; ++i) sensitive << mask_o[i];
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
      live_o[w].write(0);
      depth_o[w].write(0);
    }
    for (unsigned i = 0; i < kRows; ++i) {
      below_pc_l_[i].write(0);
      below_mask_l_[i].write(0);
      below_level_l_[i].write(0);
      below_pc_r_[i].write(0);
      below_mask_r_[i].write(0);
      below_level_r_[i].write(0);
      below_rpc_[i].write(0);
      below_rpc_level_[i].write(0);
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
    pop_valid_o.write(false);
    pop_warp_o.write(0);
    max_depth_o.write(0);
    forwards_o.write(0);
    if constexpr (kForward) {
      for (unsigned w = 0; w < kGuests; ++w) {
        guest_rpc_[w].write(0);
        guest_level_[w].write(0);
        guest_here_[w].write(false);
        guest_gone_[w].write(false);
        offer_[w].write(false);
        guest_slot_[w].write(false);
      }
      for (unsigned i = 0; i < kGuestRows; ++i) {
        below_guest_rpc_[i].write(0);
        below_guest_level_[i].write(0);
        below_guest_here_[i].write(false);
        below_guest_gone_[i].write(false);
        below_offer_[i].write(false);
        below_guest_slot_[i].write(false);
      }
      forward_valid_.write(false);
      forward_warp_.write(0);
    }
    splits_o.write(0);
    merges_o.write(0);
    if constexpr (kSplit) {
      parts_.write(0);
      waits_l_.write(0);
      waits_r_.write(0);
      for (unsigned i = 0; i < kPartRows; ++i) below_parts_[i].write(false);
      mark_.write(false);
      meet_valid_.write(false);
      meet_warp_.write(0);
    }
  }

  // Of the events of a cycle only a kill meets another one of its warp: it comes last, and wins. With forwarding an
  // advance may meet a forward, of the other slot, or a pop, of the guest's slot: both write other signals than the
  // advance.
  void step() {
    const bool kills = kill_valid_i.read();
    const std::uint32_t killed = kill_warp_i.read();
    HEDDLE_EXPECT(!(kills && launch_valid_i.read() && launch_warp_i.read() == killed));
    std::uint32_t most = max_depth_o.read();
    if (launch_valid_i.read()) {
      const std::uint32_t warp = launch_warp_i.read();
      HEDDLE_EXPECT(depth_o[warp].read() == 0 && launch_mask_i.read() != 0);
      DpeEntry entry;
      entry.pc_l = launch_pc_i.read();
      entry.mask_l = launch_mask_i.read();
      write_top(warp, entry);
      live_o[warp].write(launch_mask_i.read());
      depth_o[warp].write(1);
      if (most == 0) most = 1;
      if constexpr (kForward) {
        const DpeGuest none;
        write_guest(warp, none);
      }
    }
    std::uint64_t parts = 0;
    std::uint64_t waits_l = 0;
    std::uint64_t waits_r = 0;
    std::uint32_t merges = 0;
    if constexpr (kSplit) {
      parts = parts_.read();
      if (launch_valid_i.read()) parts = with_bit(parts, launch_warp_i.read(), false);
      waits_l = wait_o.read() & low_bits(NumWarps);
      waits_r = wait_o.read() >> NumWarps;
    }
    bool guest_leaves = false;  // the one of the path that advances
    HEDDLE_EXPECT(at_most_one(advance_i.read()));
    for (unsigned slot = 0; slot < 2; ++slot) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        const unsigned path = slot * NumWarps + w;
        if (has_bit(advance_i.read(), path)) {
          HEDDLE_EXPECT(mask_o[path].read() != 0 && !(acts_.read() && acting_warp_.read() == w));
          const std::uint32_t pc = pc_o[path].read() + 4;
          pc_o[path].write(pc);
          MeetingPlace own;
          own.rpc = rpc_o[w].read();
          own.level = rpc_level_o[w].read();
          bool guest = false;
          if constexpr (kForward) {
            guest = guest_here_[w].read() && guest_slot_[w].read() == (slot != 0);
            if (guest) {
              own.rpc = guest_rpc_[w].read();
              own.level = guest_level_[w].read();
            }
          }
          if (arrived_at_pc(pc, level_o[path].read(), own.rpc, own.level)) {
            mask_o[path].write(0);
            if constexpr (kForward) {
              guest_leaves = guest;
              if (guest) {
                guest_here_[w].write(false);
                guest_gone_[w].write(true);
              }
            }
          } else if constexpr (kSplit) {
            const unsigned other = slot != 0 ? w : NumWarps + w;
            const bool beside = pc == pc_o[other].read() && level_o[path].read() == level_o[other].read();
            if (has_bit(parts_o.read(), w) && has_bit(merge_i.read(), other) && beside) {
              mask_o[other].write(mask_o[other].read() | mask_o[path].read());
              mask_o[path].write(0);
              if (!(kills && killed == w)) ++merges;
            }
          }
        }
      }
    }
    if (acts_.read()) {
      const std::uint32_t warp = acting_warp_.read();
      const std::uint32_t depth = depth_o[warp].read();
      DpeResolved resolved;
      DpeEntry below;
      DpeEntry entry;
      resolve(resolved, below, entry);
      if (!(kills && killed == warp)) {
        if constexpr (kForward) {
          DpeEntry old;
          DpeGuest guest;
          DpeGuest below_guest;
          DpeGuest top_guest;
          read_top(warp, old);
          read_guest(warp, guest);
          dpe_resolve_guest(old, guest, acting_slot_.read(), resolved, below, entry, below_guest, top_guest);
          if (resolved.push && !resolved.replace) write_guest_below(warp * (Depth - 1) + depth - 1, below_guest);
          write_guest(warp, top_guest);
        }
        if (resolved.push && !resolved.replace) {
          write_below(warp * (Depth - 1) + depth - 1, below);
          depth_o[warp].write(depth + 1);
          if (depth + 1 > most) most = depth + 1;
        }
        write_top(warp, entry);
        live_o[warp].write(resolved.live);
        if constexpr (kSplit) {
          if (resolved.push) {
            if (!resolved.replace) below_parts_[warp * (Depth - 1) + depth - 1].write(has_bit(parts, warp));
            parts = with_bit(parts, warp, false);
          }
          const bool left = acting_slot_.read() == 0;
          waits_l =
              with_bit(waits_l, warp, (left && resolved.waits) || (has_bit(waits_l, warp) && !left && !resolved.push));
          waits_r =
              with_bit(waits_r, warp, (!left && resolved.waits) || (has_bit(waits_r, warp) && left && !resolved.push));
          if (resolved.joins) ++merges;
        }
      }
    }
    if (pop_valid_o.read()) {
      const std::uint32_t warp = pop_warp_o.read();
      const std::uint32_t depth = depth_o[warp].read() - 1;
      if (depth != 0) {
        const std::uint32_t row = warp * (Depth - 1) + depth - 1;
        DpeEntry old;
        read_top(warp, old);
        DpeEntry entry;
        read_below(row, entry);
        if constexpr (kForward) {
          DpeGuest guest;
          DpeGuest row_guest;
          read_guest(warp, guest);
          read_guest_below(row, row_guest);
          const bool keeps = guest.here || guest.gone;
          const std::uint32_t slot = guest.slot ? 1 : 0;
          if (guest.here && guest_leaves) put_path(old, slot, 0, 0, 0);
          dpe_uncover_forwarded(entry, row_guest, old, guest, live_o[warp].read());
          if (!keeps || slot != 0) write_path(warp, entry.pc_l, entry.level_l, entry.mask_l);
          if (!keeps || slot == 0) write_path(NumWarps + warp, entry.pc_r, entry.level_r, entry.mask_r);
          rpc_o[warp].write(entry.rpc);
          rpc_level_o[warp].write(entry.rpc_level);
          write_guest(warp, row_guest);
        } else {
          MeetingPlace own;
          own.rpc = entry.rpc;
          own.level = entry.rpc_level;
          dpe_uncover(entry, own, own, old, live_o[warp].read());
          write_top(warp, entry);
          if constexpr (kSplit) parts = with_bit(parts, warp, below_parts_[row].read());
        }
      }
      depth_o[warp].write(depth);
    }
    if constexpr (kForward) {
      if (forward_valid_.read() && !(kills && killed == forward_warp_.read())) forward();
    }
    if constexpr (kSplit) {
      if (split_valid_i.read()) {
        const std::uint32_t warp = split_warp_i.read();
        const std::uint32_t slot = split_slot_i.read();
        DpeEntry entry;
        read_top(warp, entry);
        HEDDLE_EXPECT(path_of(entry, slot).mask != 0 && path_of(entry, 1 - slot).mask == 0);
        dpe_split(entry, slot, split_mask_i.read());
        HEDDLE_EXPECT(entry.mask_l != 0 && entry.mask_r != 0);
        write_top(warp, entry);
        parts = with_bit(parts, warp, true);
        waits_l = with_bit(waits_l, warp, false);
        waits_r = with_bit(waits_r, warp, false);
        if (Watch != 0) splits_o.write(splits_o.read() + 1);
      }
      if (meet_valid_.read()) {
        const std::uint32_t warp = meet_warp_.read();
        DpeEntry entry;
        read_top(warp, entry);
        if (has_bit(parts_o.read(), warp) && dpe_beside(entry) && !(kills && killed == warp)) {
          mask_o[warp].write(entry.mask_l | entry.mask_r);
          mask_o[NumWarps + warp].write(0);
          ++merges;
        }
      }
      const std::uint64_t both_stopped = stopped_i.read() & (stopped_i.read() >> NumWarps) & parts_o.read();
      const std::uint64_t chosen = meet_valid_.read() ? bit_of(meet_warp_.read()) : 0;
      const std::uint64_t meetable = both_stopped & ~chosen & ~(kills ? bit_of(killed) : 0);
      meet_valid_.write(meetable != 0);
      meet_warp_.write(meetable != 0 ? lowest_bit(meetable) : 0);
      parts_.write(parts);
      waits_l_.write(waits_l);
      waits_r_.write(waits_r);
      if (Watch != 0) merges_o.write(merges_o.read() + merges);
    }
    if (kills) {
      mask_o[killed].write(0);
      mask_o[NumWarps + killed].write(0);
      depth_o[killed].write(0);
    }
    if (Watch != 0) max_depth_o.write(most);
    take_in();
    choose();
  }

  // The resolution that acts at the next edge.
  void take_in() {
    const std::uint32_t warp = resolve_warp_i.read();
    const std::uint32_t slot = resolve_slot_i.read();
    acts_.write(resolve_valid_i.read() && !(kill_valid_i.read() && kill_warp_i.read() == warp));
    if (resolve_valid_i.read()) {
      HEDDLE_EXPECT(mask_o[slot * NumWarps + warp].read() != 0 && !(resolve_call_i.read() && resolve_return_i.read()));
      acting_warp_.write(warp);
      acting_slot_.write(slot);
      taken_.write(resolve_taken_i.read());
      exit_.write(resolve_exit_i.read());
      target_.write(resolve_target_i.read());
      next_.write(resolve_next_i.read());
      meet_.write(resolve_rpc_i.read());
      call_.write(resolve_call_i.read());
      return_.write(resolve_return_i.read());
      if constexpr (kSplit) mark_.write(resolve_mark_i.read());
    }
  }

  // The path that is offered comes into its slot.
  void forward() {
    const std::uint32_t warp = forward_warp_.read();
    const std::uint32_t row = warp * (Depth - 1) + depth_o[warp].read() - 2;
    DpeEntry below;
    DpeGuest below_guest;
    DpeEntry entry;
    DpeGuest guest;
    read_below(row, below);
    read_guest_below(row, below_guest);
    read_top(warp, entry);
    read_guest(warp, guest);
    dpe_forward(below, below_guest, guest.slot ? 1 : 0, live_o[warp].read(), entry, guest);
    if (guest.slot) {
      write_path(NumWarps + warp, entry.pc_r, entry.level_r, entry.mask_r);
    } else {
      write_path(warp, entry.pc_l, entry.level_l, entry.mask_l);
    }
    write_guest(warp, guest);
    if (Watch != 0) forwards_o.write(forwards_o.read() + 1);
  }

  // The lowest warp without a path of its own, but for those that are chosen already or killed in this cycle, is popped
  // at the next edge; with forwarding a path may be forwarded instead.
  void choose() {
    std::uint64_t poppable = 0;
    std::uint64_t forwardable = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool left = mask_o[w].read() != 0;
      const bool right = mask_o[NumWarps + w].read() != 0;
      const bool popped = pop_valid_o.read() && pop_warp_o.read() == w;
      const bool killed = kill_valid_i.read() && kill_warp_i.read() == w;
      bool may_pop = depth_o[w].read() != 0 && !popped && !killed;
      if constexpr (kForward) {
        const bool free = !has_bit(hold_i.read(), w);
        const bool on_right = guest_slot_[w].read();
        const bool own_left = left && !(guest_here_[w].read() && !on_right);
        const bool own_right = right && !(guest_here_[w].read() && on_right);
        const bool alone = on_right ? left && !right : right && !left;
        may_pop = may_pop && !(forward_valid_.read() && forward_warp_.read() == w);
        const bool may_forward =
            may_pop && offer_[w].read() && !guest_here_[w].read() && !guest_gone_[w].read() && alone && free;
        forwardable = with_bit(forwardable, w, may_forward);
        may_pop = may_pop && !own_left && !own_right && (!(left || right) || free);
      } else {
        may_pop = may_pop && !left && !right;
      }
      poppable = with_bit(poppable, w, may_pop);
    }
    const std::uint64_t either = poppable | forwardable;
    const std::uint32_t chosen = either != 0 ? lowest_bit(either) : 0;
    const bool pops = either != 0 && has_bit(poppable, chosen);
    pop_valid_o.write(pops);
    pop_warp_o.write(pops ? chosen : 0);
    if constexpr (kForward) {
      forward_valid_.write(either != 0 && !pops);
      forward_warp_.write(chosen);
    }
  }

  void show_paths() {
    std::uint64_t valid = 0;
    std::uint64_t sibling = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool left = mask_o[w].read() != 0;
      const bool right = mask_o[NumWarps + w].read() != 0;
      valid = with_bit(with_bit(valid, w, left), NumWarps + w, right);
      sibling = with_bit(with_bit(sibling, w, right), NumWarps + w, left);
    }
    valid_o.write(valid);
    sibling_o.write(sibling);
  }

  void show_parts() {
    std::uint64_t left = 0;
    std::uint64_t right = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      left = with_bit(left, w, mask_o[w].read() != 0);
      right = with_bit(right, w, mask_o[NumWarps + w].read() != 0);
    }
    std::uint64_t parts = 0;
    std::uint64_t waiting = 0;
    if constexpr (kSplit) {
      const std::uint64_t wait_l = waits_l_.read() & right & ~(stopped_i.read() >> NumWarps);
      const std::uint64_t wait_r = waits_r_.read() & left & ~stopped_i.read();
      parts = parts_.read() & left & right;
      waiting = wait_l | wait_r << NumWarps;
    }
    parts_o.write(parts);
    wait_o.write(waiting);
  }

  void show_done() {
    const std::uint32_t warp = pop_warp_o.read();
    const bool done = pop_valid_o.read() && depth_o[warp].read() == 1;
    done_valid_o.write(done);
    done_warp_o.write(done ? warp : 0);
  }

  void show_resolution() {
    const bool acts = acts_.read();
    const std::uint32_t warp = acting_warp_.read();
    const std::uint32_t slot = acting_slot_.read();
    DpeResolved result;
    DpeEntry below;
    DpeEntry entry;
    resolve(result, below, entry);
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
  void resolve(DpeResolved& resolved, DpeEntry& below, DpeEntry& entry) const {
    const std::uint32_t warp = acting_warp_.read();
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
    DpeEntry old;
    read_top(warp, old);
    MeetingPlace own;
    own.rpc = old.rpc;
    own.level = old.rpc_level;
    bool is_guests = false;
    if constexpr (kForward) {
      DpeGuest guest;
      read_guest(warp, guest);
      find_place(old, guest, acting_slot_.read(), own);
      is_guests = is_guest(guest, acting_slot_.read());
    }
    dpe_resolve(old, own, is_guests, live_o[warp].read(), depth_o[warp].read(), config, acting_slot_.read(), in,
                resolved, below, entry);
    if constexpr (kSplit) {
      const bool left = acting_slot_.read() == 0;
      const std::uint32_t other = left ? NumWarps + warp : warp;
      const bool other_waits = has_bit(left ? waits_r_.read() : waits_l_.read(), warp);
      const bool comes = !other_waits && !has_bit(stopped_i.read(), other) && !mark_.read();
      const bool parts = has_bit(parts_.read(), warp) && old.mask_l != 0 && old.mask_r != 0;
      if (parts)
        dpe_resolve_part(old, acting_slot_.read(), live_o[warp].read(), in, comes, has_bit(merge_i.read(), other),
                         resolved, entry);
    }
  }

  void write_path(std::uint32_t path, std::uint32_t pc, std::uint32_t level, std::uint64_t mask) {
    pc_o[path].write(pc);
    level_o[path].write(level);
    mask_o[path].write(mask);
  }

  void read_guest(std::uint32_t warp, DpeGuest& guest) const {
    guest.rpc = guest_rpc_[warp].read();
    guest.rpc_level = static_cast<std::uint16_t>(guest_level_[warp].read());
    guest.here = guest_here_[warp].read();
    guest.gone = guest_gone_[warp].read();
    guest.offer = offer_[warp].read();
    guest.slot = guest_slot_[warp].read();
  }

  void write_guest(std::uint32_t warp, const DpeGuest& guest) {
    guest_rpc_[warp].write(guest.rpc);
    guest_level_[warp].write(guest.rpc_level);
    guest_here_[warp].write(guest.here);
    guest_gone_[warp].write(guest.gone);
    offer_[warp].write(guest.offer);
    guest_slot_[warp].write(guest.slot);
  }

  void read_guest_below(std::uint32_t row, DpeGuest& guest) const {
    guest.rpc = below_guest_rpc_[row].read();
    guest.rpc_level = static_cast<std::uint16_t>(below_guest_level_[row].read());
    guest.here = below_guest_here_[row].read();
    guest.gone = below_guest_gone_[row].read();
    guest.offer = below_offer_[row].read();
    guest.slot = below_guest_slot_[row].read();
  }

  void write_guest_below(std::uint32_t row, const DpeGuest& guest) {
    below_guest_rpc_[row].write(guest.rpc);
    below_guest_level_[row].write(guest.rpc_level);
    below_guest_here_[row].write(guest.here);
    below_guest_gone_[row].write(guest.gone);
    below_offer_[row].write(guest.offer);
    below_guest_slot_[row].write(guest.slot);
  }

  void read_below(std::uint32_t row, DpeEntry& entry) const {
    entry.pc_l = below_pc_l_[row].read();
    entry.mask_l = below_mask_l_[row].read();
    entry.level_l = static_cast<std::uint16_t>(below_level_l_[row].read());
    entry.pc_r = below_pc_r_[row].read();
    entry.mask_r = below_mask_r_[row].read();
    entry.level_r = static_cast<std::uint16_t>(below_level_r_[row].read());
    entry.rpc = below_rpc_[row].read();
    entry.rpc_level = static_cast<std::uint16_t>(below_rpc_level_[row].read());
  }

  void read_top(std::uint32_t warp, DpeEntry& entry) const {
    entry.pc_l = pc_o[warp].read();
    entry.mask_l = mask_o[warp].read();
    entry.level_l = static_cast<std::uint16_t>(level_o[warp].read());
    entry.pc_r = pc_o[NumWarps + warp].read();
    entry.mask_r = mask_o[NumWarps + warp].read();
    entry.level_r = static_cast<std::uint16_t>(level_o[NumWarps + warp].read());
    entry.rpc = rpc_o[warp].read();
    entry.rpc_level = static_cast<std::uint16_t>(rpc_level_o[warp].read());
  }

  void write_top(std::uint32_t warp, const DpeEntry& entry) {
    pc_o[warp].write(entry.pc_l);
    mask_o[warp].write(entry.mask_l);
    level_o[warp].write(entry.level_l);
    pc_o[NumWarps + warp].write(entry.pc_r);
    mask_o[NumWarps + warp].write(entry.mask_r);
    level_o[NumWarps + warp].write(entry.level_r);
    rpc_o[warp].write(entry.rpc);
    rpc_level_o[warp].write(entry.rpc_level);
  }

  void write_below(std::uint32_t row, const DpeEntry& entry) {
    below_pc_l_[row].write(entry.pc_l);
    below_mask_l_[row].write(entry.mask_l);
    below_level_l_[row].write(entry.level_l);
    below_pc_r_[row].write(entry.pc_r);
    below_mask_r_[row].write(entry.mask_r);
    below_level_r_[row].write(entry.level_r);
    below_rpc_[row].write(entry.rpc);
    below_rpc_level_[row].write(entry.rpc_level);
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint32_t depth_limit_;
  const std::uint32_t order_;
  const std::uint32_t level_bits_;
  // storage: entry i from the bottom of warp w at w * (Depth - 1) + i
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_pc_l_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(below_mask_l_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_level_l_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_pc_r_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(below_mask_r_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_level_r_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_rpc_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_rpc_level_, kRows);
  // path forwarding: of the top, of the rows, and the warp of which a path is forwarded at the next edge
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(guest_rpc_, kGuests);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(guest_level_, kGuests);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(guest_here_, kGuests);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(guest_gone_, kGuests);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(offer_, kGuests);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(guest_slot_, kGuests);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_guest_rpc_, kGuestRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_guest_level_, kGuestRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_guest_here_, kGuestRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_guest_gone_, kGuestRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_offer_, kGuestRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_guest_slot_, kGuestRows);
  sc_core::sc_signal<bool> SC_NAMED(forward_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(forward_warp_);
  // memory-divergence splitting: of the top, of the rows, and the warp whose parts may meet at the next edge
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(parts_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(waits_l_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(waits_r_);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_parts_, kPartRows);
  sc_core::sc_signal<bool> SC_NAMED(mark_);
  sc_core::sc_signal<bool> SC_NAMED(meet_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(meet_warp_);
  // the resolution that was taken in at the last edge
  sc_core::sc_signal<bool> SC_NAMED(acts_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(acting_warp_);
  sc_core::sc_signal<Number<1>> SC_NAMED(acting_slot_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(taken_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(exit_);
  sc_core::sc_signal<Number<32>> SC_NAMED(target_);
  sc_core::sc_signal<Number<32>> SC_NAMED(next_);
  sc_core::sc_signal<Number<32>> SC_NAMED(meet_);
  sc_core::sc_signal<bool> SC_NAMED(call_);
  sc_core::sc_signal<bool> SC_NAMED(return_);
};

}  // namespace heddle
