// SPDX-License-Identifier: Apache-2.0
// Gathers the lanes of a warp access into the lines they touch.
#pragma once

#include <array>
#include <cstdint>

#include "heddle/types.h"
#include "memory/memory_access.h"

namespace heddle {

constexpr std::uint32_t kSectorBytes = 32;  // what a write moves at least

struct Line {
  std::uint64_t number;     // address / line bytes
  LaneMask lanes;           // that touch it
  std::uint32_t sectors;    // bit i: bytes 32 i .. 32 i + 31 of the line are touched (stores and atomics; 0 for loads)
  std::uint32_t conflicts;  // atomics: lanes on the most wanted word of the line, less one
};

struct LineList {
  std::uint32_t count;
  std::array<Line, 2 * kMaxLanes>
      line;  // an unaligned access may touch two lines, and so may a doubleword of local memory
};

class Coalescer {
 public:
  // `line_bytes`: a power of two, 32..1024. Words of local memory are interleaved over so many lanes.
  Coalescer(std::uint32_t line_bytes, unsigned lanes)
      : shift_(static_cast<unsigned>(__builtin_ctz(line_bytes))),
        line_mask_(line_bytes - 1),
        words_apart_(4 * lanes) {}

  // Every line once, in the order in which the lanes, lowest first, touch it.
  void coalesce(const MemoryAccess& access, LineList& lines) const;

 private:
  static Line& entry(std::uint64_t number, LaneMask lanes, LineList& lines);
  template <bool kSectors>
  void touch(std::uint64_t address, unsigned bytes, LaneMask lane, LineList& lines) const;
  template <bool kSectors>
  void touch_all(const MemoryAccess& access, LineList& lines) const;
  [[nodiscard]] bool one_line(const std::uint64_t* address, unsigned lanes, unsigned bytes) const;
  [[nodiscard]] std::uint32_t sector_bit(std::uint64_t address) const {
    return 1u << ((static_cast<std::uint32_t>(address) & line_mask_) / kSectorBytes);
  }
  void count_conflicts(const MemoryAccess& access, LineList& lines) const;

  unsigned shift_;
  std::uint32_t line_mask_;
  std::uint32_t words_apart_;  // bytes between a lane's neighbouring words in local memory
};

}  // namespace heddle
