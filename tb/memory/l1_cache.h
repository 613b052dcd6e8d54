// SPDX-License-Identifier: Apache-2.0
// First-level data cache of a core: tags, LRU and miss status holding registers (MSHRs), without a clock.
//
// Contract
//   Loads    allocate their line at the miss; a load of a line that is outstanding joins its MSHR.
//   Stores   write through (evict): go to memory without allocating, and evict their line. A line that is outstanding
//   when it
//            is written is detached: its data still goes to those who wait, but later loads fetch it anew.
//            Write back (store): dirty the sectors they write; a line that is not there is fetched, and nobody waits
//            for it.
//   Atomics  evict their line as stores that write through do.
//   Victim   a free way of the set, else the least recently used one that is not outstanding.
//   Dirty    a line that is dirty is not replaced or evicted by an atomic: the call asks for its write-back, after
//   which it
//            is clean, and is made once more.
#pragma once

#include <cstdint>
#include <vector>

#include "heddle/config.h"
#include "heddle/types.h"

namespace heddle {

// XOR of the groups of `bits` bits of a line number.
[[nodiscard]] std::uint32_t fold_line(std::uint64_t line, unsigned bits);

// l1.index = fermi: set of a line of 128 bytes in a cache of 32 or 64 sets. Address bits: docs/memory.md.
[[nodiscard]] std::uint32_t fermi_set(std::uint64_t line, std::uint32_t sets);

class L1Cache {
 public:
  enum class Result : std::uint8_t {
    kHit,
    kMiss,       // the caller sends a read tagged with `mshr`
    kMerged,     // waits for a line that is outstanding
    kStalled,    // no MSHR, no target, no way that could be replaced, or a miss while none may be sent; nothing has
                 // changed
    kWriteBack,  // the caller writes `dirty` sectors of line `victim`, and calls again
  };
  struct Access {
    Result result;
    std::uint32_t mshr;        // kMiss only
    std::uint64_t victim = 0;  // kWriteBack only, so is the next
    std::uint32_t dirty = 0;
  };
  struct Waiter {
    std::uint32_t load;
    LaneMask lanes;  // that touch the line
  };
  struct Waiters {
    const Waiter* first;
    std::uint32_t count;
  };

  // Throws Error ("config") when the keys do not describe a cache.
  explicit L1Cache(const Config::L1& config);

  // As constructed: dirty sectors are forgotten.
  void reset();
  // A load of line number `line` for `waiter`. `may_send`: memory takes a request in this cycle.
  Access load(std::uint64_t line, const Waiter& waiter, bool may_send) { return look_up(line, &waiter, 0, may_send); }
  // Write back: a store to `sectors` of a line.
  Access store(std::uint64_t line, std::uint32_t sectors, bool may_send) {
    return look_up(line, nullptr, sectors, may_send);
  }
  // An atomic takes an MSHR to itself, which no load joins: never kHit or kMerged. Its line is evicted.
  Access bypass(std::uint64_t line, const Waiter& waiter, bool may_send);
  // Write through: a store.
  void evict(std::uint64_t line);
  // The data of `mshr` has arrived: frees it and tells who waited, valid until the next call.
  Waiters fill(std::uint32_t mshr);

  [[nodiscard]] bool outstanding() const { return free_.size() != mshrs_.size(); }    // a fill is to come
  [[nodiscard]] bool holds(std::uint64_t line) const { return find(line) != kNone; }  // present or outstanding
  [[nodiscard]] bool contains(std::uint64_t line) const;                              // present, not outstanding
  [[nodiscard]] std::uint32_t dirty(std::uint64_t line) const;                        // its dirty sectors

 private:
  struct Way {
    std::uint64_t line;
    std::uint64_t last_use;  // 0: free; no two used ways are equal
    std::uint32_t mshr;      // kNone: data present
    std::uint32_t dirty;     // sectors; those of a line that is outstanding are kept in its MSHR
  };
  struct Mshr {
    std::uint32_t way;  // kNone: bypass or detached
    std::uint32_t waiters;
  };
  static constexpr std::uint32_t kNone = ~0u;

  [[nodiscard]] std::uint32_t first_way(std::uint64_t line) const;
  [[nodiscard]] std::uint32_t find(std::uint64_t line) const;  // way or kNone
  Access look_up(std::uint64_t line, const Waiter* waiter, std::uint32_t sectors, bool may_send);
  std::uint32_t take_mshr(std::uint32_t way, const Waiter* waiter);
  Access write_back(Way& way);

  const std::uint32_t num_ways_;
  const std::uint32_t num_sets_;
  const bool power_of_two_;
  const L1Index index_;
  const unsigned set_bits_;  // hashed
  const std::uint32_t max_targets_;
  std::uint64_t uses_ = 0;
  std::vector<Way> ways_;  // set major
  std::vector<Mshr> mshrs_;
  std::vector<Waiter> targets_;      // max_targets_ a MSHR
  std::vector<std::uint32_t> free_;  // stack of free MSHRs
};

}  // namespace heddle
