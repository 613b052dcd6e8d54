// SPDX-License-Identifier: Apache-2.0
// One slice of the second-level cache, in front of one DRAM channel: tags, LRU, miss status holding registers. Timing
// only.
//
// Contract
//   Lookup   one request a cycle, in the order in which they are taken. A hit is answered l2.latency cycles later; a
//   write needs no answer. Miss     allocates its line and asks the channel for all of it; a request for a line that is
//   outstanding joins its MSHR
//            (l2.mshr_targets of them). Writes do so, too: a sector may be written in part.
//   Fill     a line that arrives, dram.controller cycles after it has left the channel, answers who waits, one a cycle,
//   in their order; no lookup in these cycles. Writes   stay here: the line is dirty, and goes to DRAM when it is
//   replaced. An atomic is done here: it makes the line dirty and
//            is answered.
//   Victim   a free way, else the least recently used one that is not outstanding.
//   Stall    a request waits, and all behind it, for an MSHR, a target, a way, or room in the channel's queue.
//   None     l2.bytes = 0: no tags. Reads and atomics take an MSHR each, writes go to the channel.
#pragma once

#include <cstdint>
#include <vector>

#include "heddle/config.h"
#include "heddle/stats.h"
#include "heddle/types.h"
#include "memory/dram_channel.h"
#include "memory/ring.h"

namespace heddle {

struct L2Request {
  std::uint64_t line = 0;   // number of the line within the slice
  std::uint32_t bytes = 0;  // of the answer
  std::uint16_t sm = 0;     // who asks, and its tag
  bool write = false;
  bool atomic = false;
  std::uint32_t tag = 0;
};

class L2Slice {
 public:
  // `answers`: at most so many reads and atomics are ever under way.
  L2Slice(const Config& config, std::uint32_t answers);

  void reset();
  // A core cycle: first the channel's clocks, then one fill or lookup.
  void tick(Cycle now);
  [[nodiscard]] bool can_accept() const { return !has_head_; }
  void request(const L2Request& request);  // looked up in this cycle, if nothing is in its way
  [[nodiscard]] bool has_response() const { return !output_.empty(); }
  [[nodiscard]] const L2Request& response() const { return output_.front(); }
  void take_response() { output_.pop(); }
  [[nodiscard]] bool idle() const;
  // As MemoryInterface's; a response that waits to be taken is no event.
  [[nodiscard]] Cycle next_event() const;
  void pass_over(Cycle last);
  [[nodiscard]] const CacheStats& stats() const { return stats_; }
  [[nodiscard]] const DramStats& dram_stats() const { return channel_.stats(); }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Way {
    std::uint64_t line = 0;
    std::uint64_t last_use = 0;  // 0: free
    std::uint32_t mshr = kNone;  // outstanding
    bool dirty = false;
  };
  struct Hit {
    L2Request request;
    Cycle ready;
  };
  struct Fill {
    std::uint32_t mshr;
    Cycle ready;
  };

  [[nodiscard]] bool look_up();  // false: the head has to wait
  bool miss(std::uint32_t set);
  bool pass_on();
  void fetch(std::uint32_t way);
  void use(std::uint32_t way, const L2Request& request);

  const std::uint32_t ways_, sets_, latency_, controller_, max_targets_;
  const std::uint64_t dram_clock_, core_clock_;
  DramChannel channel_;
  Cycle now_ = 0;
  std::uint64_t clock_part_ = 0;  // of the channel's next clock, in core_clock_-ths
  std::uint64_t uses_ = 0;
  bool has_head_ = false;
  bool stalled_ = false;    // the head, in the last tick
  std::uint32_t room_ = 0;  // of the channel's queue then
  L2Request head_;
  std::vector<Way> tags_;  // set major
  std::vector<std::uint32_t> mshr_way_;
  std::vector<std::uint32_t> mshr_count_;
  std::vector<L2Request> targets_;   // max_targets_ an MSHR
  std::vector<std::uint32_t> free_;  // stack of free MSHRs
  Ring<Fill> fills_;                 // MSHRs whose line has left the channel, ready cycles ascend
  std::uint32_t next_target_ = 0;    // of the first of them
  Ring<Hit> hits_;                   // on their way, ready cycles ascend
  Ring<L2Request> output_;
  CacheStats stats_;
};

}  // namespace heddle
