// SPDX-License-Identifier: Apache-2.0
// path_state: what the paths of the warps wait for: a resolution, a barrier, the end of time. Contract:
// docs/frontend.md, core/path_state; same pins as rtl/core/path_state.sv.
//
// PathStateLogic is the machine without a clock, which the front ends hold in simulation.
#pragma once

#include "common/types.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned NumSlots = 2, unsigned PathBarriers = 0>
class PathStateLogic {
  static constexpr unsigned kBarriers = PathBarriers != 0 ? NumSlots : 1;  // words of them

 public:
  [[nodiscard]] static constexpr unsigned state_bits() {
    // with slots: the one of the pending instruction, and acting
    return NumWarps * (2 + kBarriers + (NumSlots > 1 ? 1 + slot_state_bits(NumSlots) : 0));
  }

  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) pending_slot_[w] = 0;
    for (unsigned s = 0; s < NumSlots; ++s) pending_at_[s] = 0;
    for (unsigned s = 0; s < kBarriers; ++s) at_barrier_[s] = 0;
    barrier_slots_ = 0;
    pending_ = 0;
    acting_ = 0;
    halted_ = 0;
  }

  // A control instruction of the path is granted.
  void wait_for_resolution(std::uint32_t warp, std::uint32_t slot) {
    pending_ |= bit_of(warp);
    pending_at_[slot] |= bit_of(warp);
    if constexpr (NumSlots > 1) pending_slot_[warp] = static_cast<std::uint8_t>(slot);
  }
  // No control instruction of the warp is unresolved.
  void settle(std::uint32_t warp) {
    pending_ &= ~bit_of(warp);
    pending_at_[NumSlots > 1 ? pending_slot_[warp] : 0] &= ~bit_of(warp);
  }
  // A resolution is taken, and acts in the next cycle; 0: none is.
  void set_acting(std::uint64_t warps) {
    if constexpr (NumSlots > 1) acting_ = warps;
  }

  // A barrier instruction of the path is granted.
  void come_to_barrier(std::uint32_t warp, std::uint32_t slot) {
    const std::uint32_t place = PathBarriers != 0 ? slot : 0;
    at_barrier_[place] |= bit_of(warp);
    barrier_slots_ |= bit_of(place);
  }
  // Before come_to_barrier() of the same cycle: where one barrier instruction of a warp is granted (warps of
  // `arriving`) none of its paths leaves.
  void release(std::uint64_t warps, std::uint64_t arriving) {
    const std::uint64_t leaving = PathBarriers != 0 ? warps & ~arriving : warps;
    if (leaving != 0) {
      for (std::uint64_t left = barrier_slots_; left != 0; left &= left - 1) leave_barrier(leaving, lowest_bit(left));
    }
  }
  // The path is not there any more.
  void forget(std::uint32_t warp, std::uint32_t slot) {
    if constexpr (PathBarriers != 0) leave_barrier(bit_of(warp), slot);
  }

  // The stack of the warp overflowed.
  void halt(std::uint32_t warp) { halted_ |= bit_of(warp); }

  // After everything else of the cycle.
  void kill(std::uint32_t warp) {
    settle(warp);
    halted_ &= ~bit_of(warp);
    release(bit_of(warp), 0);
  }

  // Bit a warp:
  [[nodiscard]] std::uint64_t pending() const { return pending_; }
  [[nodiscard]] std::uint64_t pending_at(std::uint32_t slot) const { return pending_at_[slot]; }
  [[nodiscard]] std::uint64_t acting() const { return acting_; }
  [[nodiscard]] std::uint64_t at_barrier(std::uint32_t slot) const { return at_barrier_[PathBarriers != 0 ? slot : 0]; }
  [[nodiscard]] std::uint64_t halted() const { return halted_; }
  [[nodiscard]] std::uint32_t pending_slot(std::uint32_t warp) const { return pending_slot_[warp]; }
  // Bit a slot: a path is at a barrier there; 1 where warps are.
  [[nodiscard]] std::uint64_t barrier_slots() const { return barrier_slots_; }

 private:
  void leave_barrier(std::uint64_t warps, std::uint32_t place) {
    at_barrier_[place] &= ~warps;
    barrier_slots_ = with_bit(barrier_slots_, place, at_barrier_[place] != 0);
  }

  std::uint64_t pending_ = 0;                 // a control instruction is unresolved
  std::uint64_t pending_at_[NumSlots] = {};   // derived: the same by its slot
  std::uint8_t pending_slot_[NumWarps] = {};  // its slot
  std::uint64_t acting_ = 0;                  // its resolution acts: the other paths wait (two slots or more)
  std::uint64_t at_barrier_[kBarriers] = {};
  std::uint64_t barrier_slots_ = 0;  // derived: not 0
  std::uint64_t halted_ = 0;
};

}  // namespace heddle
