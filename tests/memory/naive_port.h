// SPDX-License-Identifier: Apache-2.0
// The memory port, naively: a queue whose first transfer moves byte after byte.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "memory/memory_interface.h"

namespace heddle::test {

// Moves byte after byte, `rate` in a cycle.
class NaivePort {
 public:
  NaivePort(unsigned latency, unsigned rate) : latency_(latency), rate_(rate) {}

  // Cycle `now`, with the requests made in it.
  void cycle(Cycle now, const std::vector<LineRequest>& requests) {
    for (const LineRequest& request : requests) queue_.push_back({request, 0, 0});
    unsigned moved = 0;
    while (moved != rate_ && !queue_.empty()) {
      Job& job = queue_.front();
      // In whole cycles: a transfer that begins inside a cycle is latency-counted from the next one.
      if (job.done == 0) job.start = moved == 0 ? now : now + 1;
      ++moved;
      if (++job.done != job.request.bytes) continue;
      if (!job.request.write) answers_.push_back({job.request.tag, std::max(job.start + latency_, now + 1)});
      queue_.pop_front();
    }
    busy += moved != 0 ? 1 : 0;
    bytes += moved;
  }
  // Tag of the oldest read that is answered by cycle `now`, if any; it is taken.
  std::optional<std::uint32_t> answer(Cycle now) {
    if (answers_.empty() || answers_.front().second > now) return std::nullopt;
    const std::uint32_t tag = answers_.front().first;
    answers_.pop_front();
    return tag;
  }
  // Transfers that have not begun when a cycle begins: all but the one whose turn it is.
  [[nodiscard]] std::size_t waiting() const { return queue_.empty() ? 0 : queue_.size() - 1; }
  [[nodiscard]] std::size_t transfers() const { return queue_.size(); }
  [[nodiscard]] bool empty() const { return queue_.empty() && answers_.empty(); }

  std::uint64_t busy = 0, bytes = 0;

 private:
  struct Job {
    LineRequest request;
    std::uint32_t done;
    Cycle start;
  };
  unsigned latency_, rate_;
  std::deque<Job> queue_;
  std::deque<std::pair<std::uint32_t, Cycle>> answers_;
};

}  // namespace heddle::test
