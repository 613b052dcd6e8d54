// SPDX-License-Identifier: Apache-2.0
#include "memory/coalescer.h"

#include <algorithm>

namespace heddle {
namespace {

// Bits of the sectors that bytes first .. last of a line touch.
std::uint32_t sector_bits(std::uint32_t first, std::uint32_t last) {
  const std::uint32_t low = first / kSectorBytes;
  const std::uint32_t high = last / kSectorBytes;
  return (~0u >> (31 - high)) & (~0u << low);
}

}  // namespace

void Coalescer::add_lane(std::uint64_t address, unsigned bytes, bool sectors, LineList& lines) const {
  const std::uint64_t end = address + bytes - 1;
  for (std::uint64_t number = address >> shift_; number <= end >> shift_; ++number) {
    // Neighbours in a warp mostly share a line: look at the newest first.
    std::uint32_t at = lines.count;
    while (at != 0 && lines.line[at - 1].number != number) --at;
    if (at == 0) {
      at = ++lines.count;
      lines.line[at - 1] = {number, 0, 0};
    }
    if (!sectors) continue;
    const std::uint64_t base = number << shift_;
    const std::uint64_t first = std::max(address, base) - base;
    const std::uint64_t last = std::min<std::uint64_t>(end - base, line_mask_);
    lines.line[at - 1].sectors |=
        sector_bits(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
  }
}

void Coalescer::count_conflicts(const MemoryAccess& access, LineList& lines) const {
  LaneMask rest = access.mask;
  while (rest != 0) {
    const std::uint64_t word = access.address[__builtin_ctzll(rest)] >> 2;
    std::uint32_t conflicts = 0;
    LaneMask others = rest &= rest - 1;
    for (; others != 0; others &= others - 1) {
      const int lane = __builtin_ctzll(others);
      if (access.address[lane] >> 2 != word) continue;
      ++conflicts;
      rest &= ~(LaneMask{1} << lane);
    }
    const std::uint64_t number = word >> (shift_ - 2);
    Line* line = lines.line.data();
    while (line->number != number) ++line;
    line->conflicts = std::max(line->conflicts, conflicts);
  }
}

void Coalescer::coalesce(const MemoryAccess& access, LineList& lines) const {
  const bool sectors = access.kind != AccessKind::kLoad;
  lines.count = 0;
  for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) {
    add_lane(access.address[__builtin_ctzll(rest)], access.bytes, sectors, lines);
  }
  if (access.kind == AccessKind::kAtomic) count_conflicts(access, lines);
}

}  // namespace heddle
