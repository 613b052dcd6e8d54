// SPDX-License-Identifier: Apache-2.0
// Path forwarding: what is known of a guest, the path of the entry below that is in a slot of this one; what
// resolutions, pops and forwards make of it; and dpe_forward_stack without a clock, which the front ends hold.
#pragma once

#include "common/types.h"
#include "stack/dpe_entry.h"
#include "stack/resolution.h"

namespace heddle {

// Of the top and of each row: the guest of the entry, a path of the one below that is in its slot,
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

// What dpe_uncover does, and the guests: `entry` and `guest` are the row's. The slot of the guest of `top`, if there is
// or was one, stays as it is.
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
          unsigned Watch = 1, unsigned PcStep = 4>
class DpeForwardStackLogic : public DpeStackState<NumWarps, Lanes, Depth, TakenLeft, LevelW, Watch, PcStep> {
  using Base = DpeStackState<NumWarps, Lanes, Depth, TakenLeft, LevelW, Watch, PcStep>;

 public:
  using Base::kSlots;
  static constexpr bool kForward = true;

  explicit DpeForwardStackLogic(const StackConfig& config = Base::default_config()) : Base(config) {}

  // Beside what every entry has: the guest's place, two states of the guest, two slots of the offer; of the resolution
  // whether its entry may be replaced, of the choice whether it is a forward.
  [[nodiscard]] static constexpr unsigned state_bits() { return Base::state_bits(32 + LevelW + 4) + 2 + Watch * 32; }

  void reset() {
    Base::reset();
    for (unsigned w = 0; w < NumWarps; ++w) guest_[w] = DpeGuest();
    for (unsigned s = 0; s < kSlots; ++s) {
      guests_[s] = 0;
      offers_[s] = 0;
    }
    forward_ = PopChoice();
    forwards_ = 0;
  }

  void launch(std::uint32_t warp, std::uint32_t pc, std::uint64_t mask) {
    Base::launch(warp, pc, mask);
    guest_[warp] = DpeGuest();
    update_guests(warp);
  }

  void advance(std::uint32_t warp, std::uint32_t slot) {
    MeetingPlace own;
    find_place(this->top_[warp], guest_[warp], slot, own);
    if (this->step(warp, slot, own) && is_guest(guest_[warp], slot)) {
      guest_[warp].here = false;
      guest_[warp].gone = true;
      update_guests(warp);
    }
  }

  // The resolution that was taken in at the last edge acts, unless its warp is killed at this one: what it would have
  // done is returned all the same. A guest leaves an entry that knows an address to the pop.
  DpeResolved act(bool killed = false) {
    const std::uint32_t warp = this->taken_in_.warp;
    const std::uint32_t slot = this->taken_in_.slot;
    const DpeEntry old = this->top_[warp];
    DpeEntry below;
    DpeEntry top;
    DpeResolved resolved;
    MeetingPlace own;
    find_place(old, guest_[warp], slot, own);
    dpe_resolve(old, own, is_guest(guest_[warp], slot) && is_odd(old.rpc), this->live_[warp], this->depth_[warp],
                this->config_, slot, this->resolution_, resolved, below, top);
    if (!killed) {
      DpeGuest top_guest;
      DpeGuest below_guest;
      dpe_resolve_guest(old, guest_[warp], slot, resolved, below, top, below_guest, top_guest);
      if (resolved.push && !resolved.replace) guest_below_[warp][this->depth_[warp] - 1] = below_guest;
      guest_[warp] = top_guest;
      this->apply(warp, resolved, below, top);
      update_guests(warp);
    }
    this->taken_in_.valid = false;
    return resolved;
  }

  // Warps without a path of their own that may be chosen: all but the one that is served in this cycle and those with a
  // guest in `hold`.
  [[nodiscard]] std::uint64_t poppable(std::uint64_t hold) const {
    const std::uint64_t own = (this->valid_[0] & ~guests_[0]) | (this->valid_[1] & ~guests_[1]);
    return free() & ~own & ~((guests_[0] | guests_[1]) & hold);
  }
  // Warps of which a path may be forwarded.
  [[nodiscard]] std::uint64_t forwardable(std::uint64_t hold) const {
    const std::uint64_t wanted =
        (offers_[0] & ~this->valid_[0] & this->valid_[1]) | (offers_[1] & ~this->valid_[1] & this->valid_[0]);
    return free() & wanted & ~hold;
  }
  // After kill(). The lowest of them, from the state before the edge, is popped at the next one, or a path of it
  // forwarded.
  void choose(std::uint64_t poppable, std::uint64_t forwardable) {
    const std::uint64_t candidates = (poppable | forwardable) & this->occupied_;
    const std::uint32_t warp = candidates != 0 ? lowest_bit(candidates) : 0;
    forward_.valid = candidates != 0 && has_bit(forwardable, warp);
    forward_.warp = forward_.valid ? warp : 0;
    this->chosen_.valid = candidates != 0 && !forward_.valid;
    this->chosen_.warp = this->chosen_.valid ? warp : 0;
  }

  // After an advance of the same cycle. Returns true if the warp has ended.
  bool pop(std::uint32_t warp) {
    const std::uint32_t depth = this->depth_[warp] - 1;
    if (depth != 0) {
      const DpeEntry top = this->top_[warp];
      const DpeGuest guest = guest_[warp];
      this->top_[warp] = this->below_[warp][depth - 1];
      guest_[warp] = guest_below_[warp][depth - 1];
      dpe_uncover_forwarded(this->top_[warp], guest_[warp], top, guest, this->live_[warp]);
    }
    this->set_depth(warp, depth);
    this->update_valid(warp);
    update_guests(warp);
    return depth == 0;
  }

  // The path that was chosen comes into the slot that it is offered for, unless its warp is killed at this edge.
  void forward(bool killed = false) {
    const std::uint32_t warp = forward_.warp;
    if (!killed) {
      const std::uint32_t row = this->depth_[warp] - 2;
      dpe_forward(this->below_[warp][row], guest_below_[warp][row], guest_[warp].slot ? 1 : 0, this->live_[warp],
                  this->top_[warp], guest_[warp]);
      this->update_valid(warp);
      update_guests(warp);
      if (Watch != 0) ++forwards_;
    }
  }

  // After everything else of the cycle but choose().
  void kill(std::uint32_t warp) {
    Base::kill(warp);
    for (unsigned s = 0; s < kSlots; ++s) {
      guests_[s] &= ~bit_of(warp);
      offers_[s] &= ~bit_of(warp);
    }
  }

  [[nodiscard]] PopChoice forward_chosen() const { return forward_; }
  [[nodiscard]] std::uint32_t forwards() const { return forwards_; }
  [[nodiscard]] DpeGuest guest(std::uint32_t warp) const { return guest_[warp]; }
  // Of entry i from the bottom.
  [[nodiscard]] DpeGuest guest(std::uint32_t warp, std::uint32_t i) const {
    return i + 1 == this->depth_[warp] ? guest_[warp] : guest_below_[warp][i];
  }

 private:
  [[nodiscard]] std::uint64_t free() const { return this->unserved() & ~(forward_.valid ? bit_of(forward_.warp) : 0); }
  void update_guests(std::uint32_t warp) {
    const DpeGuest guest = guest_[warp];
    for (unsigned s = 0; s < kSlots; ++s) {
      const bool offer = guest.offer && guest.slot == (s != 0) && !guest.here && !guest.gone;
      guests_[s] = with_bit(guests_[s], warp, is_guest(guest, s));
      offers_[s] = with_bit(offers_[s], warp, offer);
    }
  }

  DpeGuest guest_[NumWarps];
  DpeGuest guest_below_[NumWarps][Depth - 1];
  std::uint64_t guests_[kSlots] = {};  // derived, by slot, bit a warp: a guest is here
  std::uint64_t offers_[kSlots] = {};  // derived: a path of the entry below may come
  PopChoice forward_;
  std::uint32_t forwards_ = 0;
};

}  // namespace heddle
