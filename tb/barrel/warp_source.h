// SPDX-License-Identifier: Apache-2.0
// What decides which threads issue together in a barrel core, as the core sees it: threads enter with their next PC,
// and leave in groups that execute one instruction.
//
// A thread has at most one instruction in flight: between leaving and entering it is in no source. Number of a thread
// (TID): static warp x lanes + lane in it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "heddle/stats.h"
#include "heddle/types.h"
#include "isa/instruction.h"

namespace heddle {

using ThreadId = std::uint16_t;

// Threads that execute one instruction together; tid[l] is the thread in lane l of the mask.
struct ThreadGroup {
  Pc pc = 0;
  LaneMask mask = 0;
  std::array<ThreadId, kMaxLanes> tid{};
};

// An issued group until all of its threads have entered a source again.
struct Flight {
  enum class Event : std::uint8_t { kAdvance, kResolve, kBarrier, kLaunch };

  ThreadGroup group;
  Event event = Event::kAdvance;
  LaneMask taken = 0;   // lanes that go on at target; the others at next
  LaneMask exited = 0;  // lanes whose threads end here
  Pc target = 0, next = 0;
  Pc rpc = kNoRpc;                 // of the branch
  bool call = false, ret = false;  // what threads that go to target do to their call level
  LaneMask waiting = 0;            // lanes that have not come back
  std::uint32_t accesses = 0;      // memory accesses outstanding

  // Calls f(pc, lanes) for each next PC of `lanes` (at most two), the taken one first.
  template <class F>
  void for_each_next(LaneMask lanes, F f) const {
    lanes &= ~exited;
    const LaneMask taking = target == next ? 0 : lanes & taken;
    if (taking != 0) f(target, taking);
    if ((lanes & ~taking) != 0) f(next, lanes & ~taking);
  }
};

class WarpSource {
 public:
  virtual ~WarpSource() = default;

  // What the core does for the source.
  enum class Style : std::uint8_t {
    kFormed,       // warps are formed anew: threads come back as soon as each can
    kIndependent,  // as kFormed, and every lane follows its own indirect jumps
    kParts,        // a group comes back whole; barriers count threads
    kStack,        // as kParts, and a barrier needs the whole static warp
  };
  [[nodiscard]] virtual Style style() const = 0;
  // Cycles between the last stage of the pipeline and enter(): a reference has no hardware in which they would pass.
  [[nodiscard]] virtual unsigned entry_delay() const = 0;

  // Idle and empty; before every launch.
  virtual void reset() = 0;
  // The cycle's groups, appended to `out`; ready: what the core said in the cycle before (drive).
  virtual void issue(bool ready, std::vector<ThreadGroup>& out) = 0;
  using Priorities = std::array<std::uint32_t, 2>;  // scheduler data of the next PCs, in the order of for_each_next
  // Threads of a flight come back with their next PCs. Exited ones are told too. False: no room (reconvergence stack
  // overflow).
  [[nodiscard]] virtual bool enter(const Flight& flight, LaneMask lanes, const Priorities& priorities) = 0;
  // End of the cycle; ready: a group may be issued in the next one.
  virtual void drive(bool ready) = 0;
  // What is known of the number of threads inside does not contradict `threads`, the core's count.
  [[nodiscard]] virtual bool may_hold(unsigned threads) const = 0;
  // Counts of the launch.
  virtual void add_to(Stats&) const {}
};

}  // namespace heddle
