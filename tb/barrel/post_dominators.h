// SPDX-License-Identifier: Apache-2.0
// How many post-dominators each thread has passed: the progress that heuristic dpdpri orders warps by (DWF paper 4.3).
//
// A conditional branch or indirect jump opens a region that ends at its reconvergence PC, whichever way the thread
// goes; a thread whose next PC ends a region it is in has passed one more post-dominator, and has left the regions
// opened since. So two threads that stand at one PC after the same way through a region have counted the same, in
// whatever warps they went there. As in the stacks (docs/frontend.md, "Where paths meet") a region ends at its PC at
// the call level of its branch, or, if its post-dominator is the function's exit, with the return; in the kernel itself
// that is the end of the thread and no region. The scheduler's field has 8 bits, so it gets the count modulo 256 and
// compares on the circle (docs/dwf.md). Counts must lie within half of it: a thread further ahead of the live thread
// that has passed fewest is shown as if it were kMaxAhead ahead.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "heddle/types.h"

namespace heddle {

class PostDominatorCounts {
 public:
  static constexpr std::uint64_t kMaxAhead = 127;

  explicit PostDominatorCounts(std::size_t threads) : threads_(threads) {}

  void reset() {
    for (Thread& thread : threads_) thread.live = false;
    live_ = at_fewest_ = 0;
    fewest_ = 0;
  }
  // A thread begins level with the one that has passed fewest.
  void start(std::size_t thread) {
    threads_[thread] = {true, fewest_, 0, {}};
    ++live_;
    ++at_fewest_;
  }
  void end(std::size_t thread) {
    threads_[thread].live = false;
    --live_;
    leave(threads_[thread].passed);
  }
  // The thread executes a branch that reconverges at rpc.
  void open(std::size_t thread, Pc rpc) {
    const std::uint32_t level = threads_[thread].level;
    if (rpc == kNoRpc || (rpc == kReturnRpc && level == 0)) return;
    std::vector<Place>& regions = threads_[thread].regions;
    const Place end{rpc, rpc == kReturnRpc ? level - 1 : level};
    if (std::find(regions.begin(), regions.end(), end) == regions.end()) regions.push_back(end);
  }
  // The thread has called a function, or returned.
  void change_level(std::size_t thread, bool call, bool ret) {
    threads_[thread].level += static_cast<std::uint32_t>(call) - static_cast<std::uint32_t>(ret);
  }
  // The thread's next PC.
  void arrive(std::size_t number, Pc pc) {
    Thread& thread = threads_[number];
    const auto end = std::find_if(thread.regions.begin(), thread.regions.end(), [&](const Place& place) {
      return place.level == thread.level && (place.rpc == pc || place.rpc == kReturnRpc);
    });
    if (end == thread.regions.end()) return;
    thread.regions.erase(end, thread.regions.end());
    const std::uint64_t before = thread.passed++;
    leave(before);
  }
  // For the scheduler: modulo 256.
  [[nodiscard]] std::uint32_t count(std::size_t thread) const {
    return static_cast<std::uint32_t>(std::min(threads_[thread].passed, fewest_ + kMaxAhead)) & 0xff;
  }

 private:
  struct Place {
    Pc rpc;
    std::uint32_t level;
    friend bool operator==(const Place& a, const Place& b) { return a.rpc == b.rpc && a.level == b.level; }
  };
  struct Thread {
    bool live = false;
    std::uint64_t passed = 0;
    std::uint32_t level = 0;     // of calls
    std::vector<Place> regions;  // where the regions it is in end, outermost first
  };

  // A live thread no longer has this count.
  void leave(std::uint64_t passed) {
    if (passed != fewest_ || --at_fewest_ != 0 || live_ == 0) return;
    fewest_ = ~std::uint64_t{0};
    for (const Thread& thread : threads_) {
      if (!thread.live || thread.passed > fewest_) continue;
      if (thread.passed < fewest_) at_fewest_ = 0;
      fewest_ = thread.passed;
      ++at_fewest_;
    }
  }

  std::vector<Thread> threads_;
  std::uint64_t fewest_ = 0;  // passed by the live thread that is behind all others
  std::size_t live_ = 0, at_fewest_ = 0;
};

}  // namespace heddle
