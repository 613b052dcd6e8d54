// SPDX-License-Identifier: Apache-2.0
// First-level data cache of a core: tags, LRU and miss status holding registers (MSHRs), without a clock.
//
// Contract
//   Loads    allocate their line at the miss; a load of a line that is outstanding joins its MSHR.
//   Writes   go through without allocating; a write (store or atomic) evicts its line. A line that is outstanding when it
//            is written is detached: its data still goes to those who wait, but later loads fetch it anew.
//   Victim   a free way of the set, else the least recently used one that is not outstanding.
#pragma once

#include <cstdint>
#include <vector>

#include "heddle/config.h"

namespace heddle {

class L1Cache {
 public:
  enum class Result : std::uint8_t {
    kHit,
    kMiss,     // the caller sends a read tagged with `mshr`
    kMerged,   // waits for a line that is outstanding
    kStalled,  // no MSHR, no target, no way that could be replaced, or a miss while none may be sent; nothing has changed
  };
  struct Access {
    Result result;
    std::uint32_t mshr;  // kMiss only
  };
  struct Waiters {
    const std::uint32_t* first;
    std::uint32_t count;
  };

  // Throws Error ("config") when the keys do not describe a cache.
  explicit L1Cache(const Config::L1& config);

  // As constructed.
  void reset();
  // A load of line number `line` for `waiter`. `may_send`: memory takes a request in this cycle.
  Access load(std::uint64_t line, std::uint32_t waiter, bool may_send);
  // An atomic takes an MSHR to itself, which no load joins: kMiss or kStalled. Its line is evicted.
  Access bypass(std::uint64_t line, std::uint32_t waiter, bool may_send);
  // A store.
  void evict(std::uint64_t line);
  // The data of `mshr` has arrived: frees it and tells who waited, valid until the next call.
  Waiters fill(std::uint32_t mshr);

  [[nodiscard]] bool contains(std::uint64_t line) const;  // present, not outstanding

 private:
  struct Way {
    std::uint64_t line;
    std::uint64_t last_use;  // 0: free; no two used ways are equal
    std::uint32_t mshr;      // kNone: data present
  };
  struct Mshr {
    std::uint32_t way;       // kNone: bypass or detached
    std::uint32_t waiters;
  };
  static constexpr std::uint32_t kNone = ~0u;

  [[nodiscard]] std::uint32_t first_way(std::uint64_t line) const;
  [[nodiscard]] std::uint32_t find(std::uint64_t line) const;  // way or kNone
  std::uint32_t take_mshr(std::uint32_t way, std::uint32_t waiter);

  const std::uint32_t num_ways_;
  const std::uint32_t num_sets_;
  const bool power_of_two_;
  const std::uint32_t max_targets_;
  std::uint64_t uses_ = 0;
  std::vector<Way> ways_;              // set major
  std::vector<Mshr> mshrs_;
  std::vector<std::uint32_t> targets_; // max_targets_ a MSHR
  std::vector<std::uint32_t> free_;    // stack of free MSHRs
};

}  // namespace heddle
