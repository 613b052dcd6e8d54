// SPDX-License-Identifier: Apache-2.0
// Timing of one execution unit: a start slot every `interval` cycles, results `latency` cycles after the start.
#pragma once

#include <algorithm>

#include "heddle/types.h"

namespace heddle {

class UnitPipeline {
 public:
  // Cycles of start slots that may be taken ahead of time: the unit's input queue.
  static constexpr Cycle kQueue = 2;

  void configure(unsigned interval) { interval_ = interval; }
  void reset() { next_start_ = 0; }
  // Takes the next start slot at or after `now`; returns it.
  Cycle start(Cycle now) { return start(now, interval_); }
  // For an instruction after which the unit starts nothing for `interval` cycles.
  Cycle start(Cycle now, unsigned interval) {
    const Cycle at = std::max(now, next_start_);
    next_start_ = at + interval;
    return at;
  }
  // A grant decided in the next cycle may be added without growing the queue beyond its bound.
  [[nodiscard]] bool ready(Cycle now) const { return next_start_ <= now + kQueue; }
  // The first cycle behind `now` in which ready() says something else, if nothing starts.
  [[nodiscard]] Cycle ready_changes(Cycle now) const { return ready(now) ? kNever : next_start_ - kQueue; }

 private:
  Cycle next_start_ = 0;
  unsigned interval_ = 1;
};

}  // namespace heddle
