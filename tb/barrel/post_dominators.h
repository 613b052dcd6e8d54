// SPDX-License-Identifier: Apache-2.0
// How many post-dominators each thread has passed: the progress that heuristic dpdpri orders warps by (DWF paper 4.3).
//
// A conditional branch or indirect jump opens a region that ends at its reconvergence PC, whichever way the thread goes; a thread
// whose next PC ends a region it is in has passed one more post-dominator, and has left the regions opened since. So two threads
// that stand at one PC after the same way through a region have counted the same, in whatever warps they went there.
// The scheduler's field has 8 bits, so it gets what a thread is ahead of the thread that has passed fewest: that one always goes first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "heddle/types.h"

namespace heddle {

class PostDominatorCounts {
 public:
  static constexpr std::uint32_t kMaxAhead = 255;

  explicit PostDominatorCounts(std::size_t threads) : threads_(threads) {}

  void reset() {
    for (Thread& thread : threads_) thread.live = false;
    live_ = at_fewest_ = 0;
    fewest_ = 0;
  }
  // A thread begins level with the one that has passed fewest.
  void start(std::size_t thread) {
    threads_[thread] = {true, fewest_, {}};
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
    std::vector<Pc>& regions = threads_[thread].regions;
    if (rpc == kNoRpc || rpc == kReturnRpc) return;  // no PC ends such a region
    if (std::find(regions.begin(), regions.end(), rpc) == regions.end()) regions.push_back(rpc);
  }
  // The thread's next PC.
  void arrive(std::size_t number, Pc pc) {
    Thread& thread = threads_[number];
    const auto end = std::find(thread.regions.begin(), thread.regions.end(), pc);
    if (end == thread.regions.end()) return;
    thread.regions.erase(end, thread.regions.end());
    const std::uint64_t before = thread.passed++;
    leave(before);
  }
  [[nodiscard]] std::uint32_t ahead(std::size_t thread) const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(threads_[thread].passed - fewest_, kMaxAhead));
  }

 private:
  struct Thread {
    bool live = false;
    std::uint64_t passed = 0;
    std::vector<Pc> regions;  // reconvergence PCs of the regions it is in, outermost first
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
  std::uint64_t fewest_ = 0;     // passed by the live thread that is behind all others
  std::size_t live_ = 0, at_fewest_ = 0;
};

}  // namespace heddle
