// SPDX-License-Identifier: Apache-2.0
// Bank conflicts of shared memory: how many passes the banks need for one warp access.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "heddle/types.h"
#include "memory/memory_access.h"

namespace heddle {

// Word w lives in bank w modulo banks. A bank serves one word a pass, to any number of lanes; atomics take a pass per
// lane, since lanes on one word must see each other's result. A doubleword is two words, which may come in two passes.
class BankConflicts {
 public:
  // `banks`: a power of two, 1..64.
  explicit BankConflicts(unsigned banks)
      : bank_mask_(banks - 1),
        bank_bits_(static_cast<unsigned>(__builtin_ctz(banks))) {}

  // The greatest number of passes any bank needs; at least 1.
  [[nodiscard]] unsigned passes(const MemoryAccess& access) {
    busy_ = 0;
    entries_ = 0;
    most_ = 1;
    const bool share = access.kind != AccessKind::kAtomic;
    if (const unsigned known = regular(access, share); known != 0) return known;
    for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) {
      const std::uint64_t address = access.address[__builtin_ctzll(rest)];
      const std::uint64_t first = address >> 2;
      const std::uint64_t last = (address + access.bytes - 1) >> 2;
      add(first, share);
      if (last != first) add(last, share);
    }
    return most_;
  }

 private:
  // The common cases: lanes 0 .. n-1 on consecutive words or doublewords, or all on one. 0: none of them.
  [[nodiscard]] unsigned regular(const MemoryAccess& access, bool share) const {
    const std::uint64_t base = access.address[0];
    const unsigned words = access.bytes == 8 ? 2 : 1, shift = access.bytes == 8 ? 3 : 2;
    if ((access.mask & (access.mask + 1)) != 0 || (base & 3) + access.bytes > 4 * words) return 0;
    const unsigned lanes = popcount(access.mask);
    std::uint64_t not_consecutive = 0, not_equal = 0;
    for (unsigned lane = 0; lane != lanes; ++lane) {
      not_consecutive |= access.address[lane] ^ (base + (std::uint64_t{lane} << shift));
      not_equal |= access.address[lane] ^ base;
    }
    if (not_consecutive == 0) return (words * lanes + bank_mask_) >> bank_bits_;
    return not_equal == 0 && share ? (words + bank_mask_) >> bank_bits_ : 0;
  }

  struct Entry {
    std::uint64_t word;
    std::uint8_t next;    // an older entry of the bank, if passes > 1
    std::uint8_t passes;  // of the bank, up to this entry
  };

  void add(std::uint64_t word, bool share) {
    const auto bank = static_cast<unsigned>(word) & bank_mask_;
    const std::uint64_t bit = std::uint64_t{1} << bank;
    Entry added{word, 0, 1};
    if ((busy_ & bit) != 0) {
      if (share && served(last_[bank], word)) return;
      added.next = last_[bank];
      added.passes = static_cast<std::uint8_t>(entry_[added.next].passes + 1);
      most_ = std::max<unsigned>(most_, added.passes);
    }
    busy_ |= bit;
    last_[bank] = static_cast<std::uint8_t>(entries_);
    entry_[entries_++] = added;
  }
  [[nodiscard]] bool served(unsigned at, std::uint64_t word) const {
    while (entry_[at].word != word) {
      if (entry_[at].passes == 1) return false;
      at = entry_[at].next;
    }
    return true;
  }

  unsigned bank_mask_, bank_bits_;
  std::uint64_t busy_ = 0;  // bit per bank: has an entry
  unsigned entries_ = 0, most_ = 1;
  std::array<std::uint8_t, 64> last_{};       // of a busy bank: its newest entry
  std::array<Entry, 2 * kMaxLanes> entry_{};  // a doubleword, and an unaligned access, may touch two words
};

}  // namespace heddle
