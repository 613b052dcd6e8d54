// SPDX-License-Identifier: Apache-2.0
// path_state: what the paths of the warps wait for: a resolution, a barrier, the end of time. Contract:
// docs/frontend.md, core/path_state; same pins as rtl/core/path_state.sv.
//
// PathStateLogic is the machine without a clock, which the front ends hold in simulation; the module below keeps the
// same state in its pins and signals.
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

template <unsigned NumWarps = 24, unsigned NumSlots = 2, unsigned PathBarriers = 0>
class path_state : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kSlotW = index_width(NumSlots);
  static constexpr unsigned kPaths = NumWarps * NumSlots;
  static constexpr unsigned kBarriers = PathBarriers != 0 ? kPaths : NumWarps;
  static_assert(kPaths >= 1 && kPaths <= 64, "path_state: the pins of the twin carry 1 to 64 paths");
  static_assert(PathBarriers <= 1, "path_state: PathBarriers is 0 (warps) or 1 (paths come to a barrier one by one)");

 public:
  using Logic = PathStateLogic<NumWarps, NumSlots, PathBarriers>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // issue
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(grant_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(grant_slot_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(control_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(barrier_i);
  // execute
  sc_core::sc_in<bool> SC_NAMED(take_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(take_warp_i);
  // dispatcher, barrier unit
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(killed_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(release_i);
  // stack
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(valid_i);
  sc_core::sc_in<bool> SC_NAMED(resolved_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(resolved_warp_i);
  sc_core::sc_in<bool> SC_NAMED(overflow_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(overflow_warp_i);
  // predication
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(region_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kSlotW>>> SC_NAMED(region_slot_i, NumWarps);
  // by warp
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(pending_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(acting_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(halted_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(settled_o);
  // by path
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(waits_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(at_barrier_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(in_region_o);

  SC_HAS_PROCESS(path_state);
  explicit path_state(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_paths);
    sensitive << pending_o << at_barrier_ << region_i;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << pending_slot_[w] << region_slot_i[w];
    SC_METHOD(show_settled);
    sensitive << pending_o << acting_o << halted_o << at_barrier_ << region_i << killed_i;
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    pending_o.write(0);
    acting_o.write(0);
    halted_o.write(0);
    at_barrier_.write(0);
    for (unsigned w = 0; w < NumWarps; ++w) pending_slot_[w].write(0);
  }

  // A kill wins over what sets and clears the bits of its warp.
  void step() {
    const std::uint64_t controls = of_any_slot(grant_i.read() & control_i.read());
    const std::uint64_t comes = of_any_slot(grant_i.read() & barrier_i.read());
    const std::uint64_t resolved = resolved_valid_i.read() ? bit_of(resolved_warp_i.read()) : 0;
    const std::uint64_t overflown = overflow_valid_i.read() ? bit_of(overflow_warp_i.read()) : 0;
    const std::uint64_t stays = ~static_cast<std::uint64_t>(killed_i.read());
    const std::uint64_t release = release_i.read();
    pending_o.write((controls | (pending_o.read() & ~resolved)) & stays);
    halted_o.write((overflown | halted_o.read()) & stays);
    if (PathBarriers != 0) {  // a path that is not there any more has joined one that waits there, too
      const std::uint64_t wait_on = comes | ~release;
      const std::uint64_t kept = at_barrier_.read() & valid_i.read() & of_all_slots(wait_on);
      at_barrier_.write(((grant_i.read() & barrier_i.read()) | kept) & of_all_slots(stays));
    } else {
      at_barrier_.write((comes | (at_barrier_.read() & ~release)) & stays);
    }
    if (NumSlots > 1) {
      acting_o.write(take_valid_i.read() ? bit_of(take_warp_i.read()) : 0);
      for (unsigned w = 0; w < NumWarps; ++w) {
        if (has_bit(controls, w)) pending_slot_[w].write(grant_slot_i.read());
      }
    }
  }

  void show_paths() {
    std::uint64_t waits = 0;
    std::uint64_t in_region = 0;
    for (unsigned p = 0; p < kPaths; ++p) {
      const std::uint32_t warp = warp_of_path<NumWarps>(p);
      const std::uint32_t slot = slot_of_path<NumWarps>(p);
      const bool unresolved = has_bit(pending_o.read(), warp) && (NumSlots == 1 || pending_slot_[warp].read() == slot);
      const bool predicated = has_bit(region_i.read(), warp) && (NumSlots == 1 || region_slot_i[warp].read() == slot);
      waits = with_bit(waits, p, unresolved);
      in_region = with_bit(in_region, p, predicated);
    }
    waits_o.write(waits);
    in_region_o.write(in_region);
    const std::uint64_t barriers = at_barrier_.read();
    at_barrier_o.write(PathBarriers != 0 ? barriers : of_all_slots(barriers));
  }

  void show_settled() {
    const std::uint64_t stopped = of_any_slot(at_barrier_.read());
    const std::uint64_t busy = pending_o.read() | acting_o.read() | halted_o.read() | region_i.read() | killed_i.read();
    settled_o.write(~(busy | stopped) & low_bits(NumWarps));
  }

  // A set of warps as that of all their paths, and of paths as that of their warps.
  [[nodiscard]] static constexpr std::uint64_t of_all_slots(std::uint64_t warps) {
    std::uint64_t paths = 0;
    for (unsigned s = 0; s < NumSlots; ++s) paths |= (warps & low_bits(NumWarps)) << (s * NumWarps);
    return paths;
  }
  [[nodiscard]] static constexpr std::uint64_t of_any_slot(std::uint64_t paths) {
    std::uint64_t warps = 0;
    for (unsigned s = 0; s < NumSlots; ++s) warps |= paths >> (s * NumWarps);
    return warps & low_bits(NumWarps);
  }

  HEDDLE_CLOCKED_BODY()

  sc_core::sc_vector<sc_core::sc_signal<Number<kSlotW>>> SC_NAMED(pending_slot_, NumWarps);  // of what is pending
  sc_core::sc_signal<Mask<kBarriers>> SC_NAMED(at_barrier_);
};

}  // namespace heddle
