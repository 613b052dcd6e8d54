// SPDX-License-Identifier: Apache-2.0
// Detection of warps that run for ever without changing anything: a spin lock between threads of one warp, an empty
// endless loop.
//
// When nothing has ended for a while the core opens a window of observation. In it every warp keeps a hash of its
// registers; a warp whose (register hash, PC, mask) comes back again and again, while no memory value changes anywhere,
// repeats itself: what it does next depends on nothing else. If that holds for every warp that issues, no thread will
// ever leave.
#pragma once

#include <cstdint>

#include "heddle/types.h"

namespace heddle {

[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

// Brent's cycle search over the states of one warp, with an incremental hash of its registers.
class RecurrenceDetector {
 public:
  static constexpr unsigned kEnough = 4;  // recurrences that count as "for ever"

  void reset() { *this = RecurrenceDetector{}; }
  // A register of a lane changes from `before` to `after`.
  void change(unsigned reg, unsigned lane, std::uint64_t before, std::uint64_t after) {
    const std::uint64_t place = mix(std::uint64_t{reg} << 40 | std::uint64_t{lane} << 32);
    hash_ ^= mix(place ^ before) ^ mix(place ^ after);
  }
  void issue(Pc pc, LaneMask mask) {
    const std::uint64_t state = mix(hash_ ^ mix(mask) ^ (std::uint64_t{pc} << 17));
    issued_ = true;
    if (state == saved_) {
      ++recurrences_;
      steps_ = 0;
    } else if (++steps_ >= power_) {
      saved_ = state;
      power_ *= 2;
      steps_ = 0;
      recurrences_ = 0;
    }
  }
  [[nodiscard]] bool issued() const { return issued_; }
  [[nodiscard]] bool recurs() const { return recurrences_ >= kEnough; }

 private:
  std::uint64_t hash_ = 0, saved_ = 0;
  std::uint64_t power_ = 1, steps_ = 0;
  unsigned recurrences_ = 0;
  bool issued_ = false;
};

// When to look.
struct LivelockWatch {
  static constexpr Cycle kWindow = 16384;  // cycles of observation

  bool open = false;
  Cycle since = 0;  // last progress, or start of the window
  Cycle last = 0;   // progress
  // One of several SMs: nothing changed in a window from this cycle on.
  bool stuck = false;
  Cycle stuck_from = 0;

  void progress(Cycle now) {
    open = stuck = false;
    since = last = now;
  }
};

}  // namespace heddle
