// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine: splitmix64, one stream per seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "heddle/types.h"

namespace heddle::test {

// How many seeds a random test tries: `usual`, times the environment variable HEDDLE_SEEDS for a long run.
inline std::uint64_t seeds(unsigned usual) {
  const char* factor = std::getenv("HEDDLE_SEEDS");
  return factor == nullptr ? usual : usual * std::strtoull(factor, nullptr, 10);
}

class Random {
 public:
  // Neighbouring seeds begin far apart in the one sequence that all of them share.
  explicit Random(std::uint64_t seed) : state_(seed) { state_ = next(); }

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // Uniform in 0 .. limit-1.
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>((next() >> 32) % limit); }
  // Uniform in low .. high, both included.
  std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(high - low + 1); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& items) {
    return items[below(static_cast<std::uint32_t>(items.size()))];
  }
  // A mask of `lanes` lanes: none, all, one, or any.
  LaneMask lanes(unsigned lanes) {
    switch (below(6)) {
      case 0: return 0;
      case 1: return lane_mask(lanes);
      case 2: return LaneMask{1} << below(lanes);
      default: return next() & lane_mask(lanes);
    }
  }
  // Where the few PCs of a random test begin: anywhere, or before a power of two, so that every bit of a PC counts,
  // alone, too.
  Pc base(unsigned pcs) { return chance(50) ? static_cast<Pc>(next()) : (Pc{1} << below(32)) - 4 * below(pcs); }
  // A value but for one of its lowest `width` bits.
  std::uint32_t but_for_a_bit(std::uint32_t value, unsigned width) {
    return value ^ (std::uint32_t{1} << below(width));
  }
  // A mask that is never empty.
  LaneMask some_lanes(unsigned count) {
    const LaneMask mask = lanes(count);
    return mask != 0 ? mask : LaneMask{1} << below(count);
  }

 private:
  std::uint64_t state_;
};

}  // namespace heddle::test
