// SPDX-License-Identifier: Apache-2.0
// Bank conflicts of shared memory: how many passes the banks need for one warp access.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "heddle/types.h"
#include "memory/memory_access.h"

namespace heddle {

// Word w lives in bank w modulo banks. A bank serves one word a pass, to any number of lanes; atomics take a pass per lane,
// since lanes on one word must see each other's result.
class BankConflicts {
 public:
  // `banks`: a power of two, 1..64.
  explicit BankConflicts(unsigned banks) : bank_mask_(banks - 1) {}

  // The greatest number of passes any bank needs; at least 1.
  [[nodiscard]] unsigned passes(const MemoryAccess& access) {
    first_.fill(kNone);
    used_.fill(0);
    unsigned entries = 0;
    unsigned most = 1;
    for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) {
      const std::uint64_t address = access.address[__builtin_ctzll(rest)];
      const std::uint64_t last = (address + access.bytes - 1) >> 2;
      for (std::uint64_t word = address >> 2; word <= last; ++word) {
        const auto bank = static_cast<unsigned>(word) & bank_mask_;
        if (access.kind != AccessKind::kAtomic && served(bank, word)) continue;
        word_[entries] = word;
        next_[entries] = first_[bank];
        first_[bank] = static_cast<std::uint8_t>(entries++);
        most = std::max<unsigned>(most, ++used_[bank]);
      }
    }
    return most;
  }

 private:
  static constexpr std::uint8_t kNone = 255;

  [[nodiscard]] bool served(unsigned bank, std::uint64_t word) const {
    for (std::uint8_t e = first_[bank]; e != kNone; e = next_[e]) {
      if (word_[e] == word) return true;
    }
    return false;
  }

  unsigned bank_mask_;
  std::array<std::uint8_t, 64> first_{};             // per bank: its last entry in word_
  std::array<std::uint8_t, 64> used_{};              // per bank: passes
  std::array<std::uint64_t, 2 * kMaxLanes> word_{};  // an unaligned access may touch two words
  std::array<std::uint8_t, 2 * kMaxLanes> next_{};
};

}  // namespace heddle
