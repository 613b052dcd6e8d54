// SPDX-License-Identifier: Apache-2.0
// What stands behind L1. Timing only: data is functional (address_space.h). Implementations: SimpleMemory; a hierarchy
// can take its place.
#pragma once

#include <cstdint>

#include "heddle/stats.h"
#include "heddle/types.h"

namespace heddle {

struct LineRequest {
  std::uint64_t address = 0;  // physical byte address (local memory is interleaved behind the heap), line aligned
  std::uint32_t bytes = 0;    // to transfer, at least 1
  bool write = false;         // writes get no response
  bool atomic = false;        // read-modify-write: not a write here, it gets a response as a read does
  std::uint32_t tag = 0;      // returned with the response
};

class MemoryInterface {
 public:
  virtual ~MemoryInterface() = default;
  // As constructed: empty, cycle 0, statistics at zero.
  virtual void reset() = 0;
  // One call a cycle, before requests and responses of that cycle.
  virtual void tick(Cycle now) = 0;
  [[nodiscard]] virtual bool can_accept() const = 0;
  // Only when can_accept(), and with at most l1.mshrs reads and atomics unanswered (L1 has no more).
  virtual void request(const LineRequest& request) = 0;
  // Takes one finished read or atomic; false if none is finished in this cycle.
  virtual bool response(std::uint32_t& tag) = 0;
  [[nodiscard]] virtual bool idle() const = 0;
  // The first cycle behind that of the last tick in which something happens by itself (a response, room where there was
  // none); at the latest, so that an earlier one is no mistake. kNever: nothing does.
  [[nodiscard]] virtual Cycle next_event() const = 0;
  // As if tick() had been called for each cycle up to `last`, which lies before next_event().
  virtual void pass_over(Cycle last) = 0;
  // Adds memory_bytes, memory_busy_cycles and what else the implementation counts, up to the last tick.
  virtual void add_to(Stats& stats) const = 0;
};

}  // namespace heddle
