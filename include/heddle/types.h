// SPDX-License-Identifier: Apache-2.0
// Vocabulary types of the simulator. Widths and encodings are those of the hardware's ports.
#pragma once

#include <cstdint>

namespace heddle {

using Pc = std::uint32_t;        // byte address of an instruction
using Address = std::uint64_t;   // byte address in the memory map of docs/isa.md
using LaneMask = std::uint64_t;  // bit l = lane l
using WarpId = std::uint32_t;    // warp slot of the core, 0 .. warps-1
using Cycle = std::uint64_t;     // core clock cycles since launch

constexpr Cycle kNever = ~Cycle{0};

constexpr Pc kNoRpc = 0;      // "no reconvergence point"; never equal to a PC
constexpr Pc kReturnRpc = 1;  // "where the function returns to": the post-dominator is the function's exit
constexpr unsigned kMaxLanes = 64;
constexpr unsigned kMaxWarps = 64;
constexpr unsigned kMaxLocalBytes = 1u << 20;  // memory.local_bytes
constexpr unsigned kMaxStackDepth = 64;
constexpr unsigned kMaxSkip = 8;  // instructions of a predicated region (MaxSkip of rtl/common/heddle_pkg.sv)

// The next multiple of unit.
template <typename Count>
[[nodiscard]] constexpr Count round_up(Count value, std::uint64_t unit) {
  return static_cast<Count>((value + unit - 1) / unit * unit);
}

// Mask of the low `lanes` lanes, lanes in 0..64.
[[nodiscard]] constexpr LaneMask lane_mask(unsigned lanes) {
  return lanes >= 64 ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
}

[[nodiscard]] inline unsigned popcount(LaneMask mask) { return static_cast<unsigned>(__builtin_popcountll(mask)); }

}  // namespace heddle
