// SPDX-License-Identifier: Apache-2.0
// predication: threads that took a short forward branch are masked off until their path comes to the target. Contract:
// docs/frontend.md, core/predication; same pins as rtl/core/predication.sv.
//
// PredicationLogic is the machine without a clock, for the front ends. The module below keeps the same state in its
// pins.
#pragma once

#include "common/types.h"

namespace heddle {

constexpr unsigned kRegionCountWidth = 4;
constexpr std::uint32_t kMaxRegion = 8;  // instructions between a branch and its target

template <unsigned NumWarps = 24, unsigned NumSlots = 1, unsigned Lanes = 32>
class PredicationLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "predication: 1 to 64 warps");
  static_assert(NumSlots >= 1 && NumSlots <= 64, "predication: 1 to 64 slots");
  static_assert(Lanes >= 1 && Lanes <= 64, "predication: 1 to 64 lanes");

 public:
  PredicationLogic() { reset(); }

  [[nodiscard]] static constexpr unsigned state_bits() {
    return NumWarps * (kRegionCountWidth + slot_state_bits(NumSlots) + Lanes);
  }

  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      count_[w] = 0;
      slot_[w] = 0;
    }
    active_ = 0;
  }

  void start(std::uint32_t warp, std::uint32_t slot, std::uint64_t mask, std::uint32_t count) {
    HEDDLE_EXPECT(count != 0 && count <= kMaxRegion && mask != 0 && !has_bit(active_, warp));
    off_mask_[warp] = mask;
    count_[warp] = static_cast<std::uint8_t>(count);
    if constexpr (NumSlots > 1) slot_[warp] = static_cast<std::uint8_t>(slot);
    active_ |= bit_of(warp);
  }

  // An instruction of the path has issued.
  void take(std::uint32_t warp, std::uint32_t slot) {
    if (inside(warp, slot)) {
      --count_[warp];
      active_ = with_bit(active_, warp, count_[warp] != 0);
    }
  }

  // After start() and take() of the same cycle.
  void kill(std::uint32_t warp) {
    count_[warp] = 0;
    active_ &= ~bit_of(warp);
  }

  // The next instruction of the path belongs to the warp's region.
  [[nodiscard]] bool inside(std::uint32_t warp, std::uint32_t slot) const {
    return has_bit(active_, warp) && (NumSlots == 1 || slot_[warp] == slot);
  }
  [[nodiscard]] std::uint64_t off_mask(std::uint32_t warp, std::uint32_t slot) const {
    return inside(warp, slot) ? off_mask_[warp] : 0;
  }
  [[nodiscard]] std::uint32_t count(std::uint32_t warp) const { return count_[warp]; }
  [[nodiscard]] std::uint32_t slot(std::uint32_t warp) const { return slot_[warp]; }
  [[nodiscard]] std::uint64_t active() const { return active_; }  // bit a warp

 private:
  std::uint64_t off_mask_[NumWarps] = {};  // not reset
  std::uint8_t count_[NumWarps] = {};      // instructions of the region that are still to issue
  std::uint8_t slot_[NumWarps] = {};
  std::uint64_t active_ = 0;  // derived: count is not 0
};

template <unsigned NumWarps = 24, unsigned NumSlots = 1, unsigned Lanes = 32>
class predication : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kSlotW = index_width(NumSlots);
  static constexpr unsigned kPaths = NumWarps * NumSlots;
  static_assert(kPaths <= 64, "predication: the pins of the twin carry at most 64 paths");

 public:
  using Logic = PredicationLogic<NumWarps, NumSlots, Lanes>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // resolution
  sc_core::sc_in<bool> SC_NAMED(start_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(start_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(start_slot_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(start_mask_i);
  sc_core::sc_in<Number<kRegionCountWidth>> SC_NAMED(start_count_i);
  // issue
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(take_i);
  // dispatcher
  sc_core::sc_in<bool> SC_NAMED(kill_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(kill_warp_i);
  // to issue
  sc_core::sc_out<Mask<Lanes>> SC_NAMED(off_mask_o);
  // state
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(active_o);
  sc_core::sc_vector<sc_core::sc_out<Number<kSlotW>>> SC_NAMED(slot_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<kRegionCountWidth>>> SC_NAMED(count_o, NumWarps);

  SC_HAS_PROCESS(predication);
  explicit predication(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(look_up);
    sensitive << take_i;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << off_mask_[w] << count_o[w] << slot_o[w];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      count_o[w].write(0);
      slot_o[w].write(0);
      off_mask_[w].write(0);
    }
  }

  void step() {
    HEDDLE_EXPECT(at_most_one(take_i.read()));
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool start = start_valid_i.read() && start_warp_i.read() == w;
      const bool take = takes_inside(w);
      HEDDLE_EXPECT(!start || !has_bit(take_i.read(), (NumSlots == 1 ? 0 : start_slot_i.read()) * NumWarps + w));
      std::uint32_t count = count_o[w].read();
      if (take) --count;
      if (start) {
        count = start_count_i.read();
        off_mask_[w].write(start_mask_i.read());
        if (NumSlots > 1) slot_o[w].write(start_slot_i.read());
      }
      if (kill_valid_i.read() && kill_warp_i.read() == w) count = 0;
      count_o[w].write(count);
    }
  }

  void look_up() {
    std::uint64_t active = 0, off = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      active = with_bit(active, w, count_o[w].read() != 0);
      if (takes_inside(w)) off = off_mask_[w].read();
    }
    off_mask_o.write(off);
    active_o.write(active);
  }

  // The path of the warp that issues is in its region.
  [[nodiscard]] bool takes_inside(unsigned warp) const {
    const std::uint32_t slot = NumSlots == 1 ? 0 : static_cast<std::uint32_t>(slot_o[warp].read());
    return count_o[warp].read() != 0 && has_bit(take_i.read(), slot * NumWarps + warp);
  }

  HEDDLE_CLOCKED_BODY()

  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(off_mask_, NumWarps);
};

}  // namespace heddle
