// SPDX-License-Identifier: Apache-2.0
#include "memory/coalescer.h"

#include <algorithm>

namespace heddle {

// The entry of a line, which `lanes` touch, in the list, which grows if it is not there yet.
Line& Coalescer::entry(std::uint64_t number, LaneMask lanes, LineList& lines) {
  // Neighbours in a warp mostly share a line: look at the newest first.
  std::uint32_t at = lines.count;
  while (at != 0 && lines.line[at - 1].number != number) --at;
  if (at == 0) {
    at = ++lines.count;
    lines.line[at - 1] = {number, 0, 0, 0};
  }
  lines.line[at - 1].lanes |= lanes;
  return lines.line[at - 1];
}

// Whether one line holds all bytes of all lanes; the lanes are 0 .. lanes-1.
bool Coalescer::one_line(const std::uint64_t* address, unsigned lanes, unsigned bytes) const {
  const std::uint64_t first = address[0];
  std::uint64_t differences = 0;
  for (unsigned lane = 0; lane != lanes; ++lane) {
    differences |= (address[lane] ^ first) | ((address[lane] + bytes - 1) ^ first);
  }
  return differences >> shift_ == 0;
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

// Bytes that lie together, at most 8: no sector lies between.
template <bool kSectors>
void Coalescer::touch(std::uint64_t address, unsigned bytes, LaneMask lane, LineList& lines) const {
  const std::uint64_t end = address + bytes - 1;
  Line& first = entry(address >> shift_, lane, lines);
  if (kSectors) first.sectors |= sector_bit(address);
  if (!kSectors && address >> shift_ == end >> shift_) return;
  Line& last = entry(end >> shift_, lane, lines);
  if (kSectors) last.sectors |= sector_bit(end);
}

template <bool kSectors>
void Coalescer::touch_all(const MemoryAccess& access, LineList& lines) const {
  const bool apart = access.space == Space::kLocal && access.bytes == 8;
  for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = access.address[__builtin_ctzll(rest)];
    const LaneMask lane = rest & -rest;
    touch<kSectors>(address, apart ? 4 : access.bytes, lane, lines);
    if (apart) touch<kSectors>(address + words_apart_, 4, lane, lines);
  }
}

void Coalescer::coalesce(const MemoryAccess& access, LineList& lines) const {
  lines.count = 0;
  if (access.kind != AccessKind::kLoad) {
    touch_all<true>(access, lines);
    if (access.kind == AccessKind::kAtomic) count_conflicts(access, lines);
    return;
  }
  const bool prefix = (access.mask & (access.mask + 1)) == 0,
             apart = access.space == Space::kLocal && access.bytes == 8;
  if (prefix && !apart && one_line(access.address, popcount(access.mask), access.bytes)) {
    entry(access.address[0] >> shift_, access.mask, lines);
    return;
  }
  touch_all<false>(access, lines);
}

}  // namespace heddle
