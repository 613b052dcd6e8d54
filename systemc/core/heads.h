// SPDX-License-Identifier: Apache-2.0
// What the front ends keep about the head bundles of their instruction buffers. All of it is derived from the buffers'
// state (retimed decode), none of it is state of its own.
#pragma once

#include "common/types.h"

namespace heddle {

// By unit code: all bits set if the unit can not take an instruction.
struct BusyUnits {
  std::uint64_t word[kUnitCodes] = {};
};

// Bit of unit_ready = unit code.
[[nodiscard]] inline BusyUnits busy_units(std::uint32_t unit_ready) {
  BusyUnits units;
  for (unsigned u = 0; u < kUnitCodes; ++u) units.word[u] = has_bit(unit_ready, u) ? 0 : ~std::uint64_t{0};
  return units;
}

template <unsigned NumWarps, unsigned NumSlots>
class HeadTable {
 public:
  HeadTable() { reset(); }

  void reset() {
    for (unsigned s = 0; s < NumSlots; ++s) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        names_[s][w] = 0;
        unit_code_[s][w] = 0;
      }
      for (unsigned u = 0; u <= kUnitCodes; ++u) unit_[u][s] = u == 0 ? low_bits(NumWarps) : 0;
      writes_[s] = 0;
      waits_[s] = 0;
    }
  }

  // The head of path (warp, slot) is now `bundle`, 0 if there is none.
  void update(std::uint32_t warp, std::uint32_t slot, std::uint64_t bundle) {
    const std::uint32_t code = bundle_unit(bundle) < kUnitCodes ? bundle_unit(bundle) : kUnitCodes;
    names_[slot][warp] = name_set(bundle_names(bundle));
    unit_[unit_code_[slot][warp]][slot] &= ~bit_of(warp);
    unit_[code][slot] |= bit_of(warp);
    unit_code_[slot][warp] = static_cast<std::uint8_t>(code);
    writes_[slot] = with_bit(writes_[slot], warp, bundle_rd(bundle) != 0);
    waits_[slot] = with_bit(waits_[slot], warp, bundle_control(bundle) || bundle_barrier(bundle));
  }

  [[nodiscard]] std::uint64_t names(std::uint32_t warp, std::uint32_t slot) const { return names_[slot][warp]; }
  [[nodiscard]] bool writes(std::uint32_t warp, std::uint32_t slot) const { return has_bit(writes_[slot], warp); }
  // Of a slot, bit a warp:
  [[nodiscard]] std::uint64_t unit(std::uint32_t slot, std::uint32_t code) const { return unit_[code][slot]; }
  [[nodiscard]] std::uint64_t waits(std::uint32_t slot) const { return waits_[slot]; }  // control or barrier
  // Heads whose unit can not take an instruction. Codes that name no unit are never ready.
  [[nodiscard]] std::uint64_t unit_busy(std::uint32_t slot, const BusyUnits& units) const {
    std::uint64_t busy = unit_[kUnitCodes][slot];
    for (unsigned u = 0; u < kUnitCodes; ++u) busy |= unit_[u][slot] & units.word[u];
    return busy;
  }

 private:
  std::uint64_t names_[NumSlots][NumWarps] = {};  // registers that the head reads or writes
  std::uint8_t unit_code_[NumSlots][NumWarps] = {};
  std::uint64_t unit_[kUnitCodes + 1][NumSlots] = {};  // the same, bit a warp; the last: of no unit
  std::uint64_t writes_[NumSlots] = {};                // rd is not 0
  std::uint64_t waits_[NumSlots] = {};
};

}  // namespace heddle
