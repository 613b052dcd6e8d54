// SPDX-License-Identifier: Apache-2.0
// A load/store unit with its memory and a clock: accesses are scheduled, completions and misses noted with their cycle.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "heddle/config.h"
#include "heddle/stats.h"
#include "memory/lsu.h"
#include "memory/simple_memory.h"

namespace heddle::test {

using Addresses = std::vector<std::uint64_t>;

inline Addresses strided(unsigned lanes, std::uint64_t base, std::uint64_t stride) {
  Addresses addresses;
  for (unsigned lane = 0; lane < lanes; ++lane) addresses.push_back(base + lane * stride);
  return addresses;
}

class LsuMachine {
 public:
  explicit LsuMachine(const Config& config, LoadStoreUnit::Path path = LoadStoreUnit::Path::kOneBus)
      : path_(path),
        memory_(config),
        lsu_(config, memory_, path) {}

  // Offers an access from cycle `at` on, behind those scheduled before, one a cycle (unlimited: all); tokens count up
  // from 0.
  std::uint32_t schedule(Cycle at, AccessKind kind, Space space, Addresses addresses, std::uint8_t bytes = 4) {
    const auto token = static_cast<std::uint32_t>(scheduled_++);
    const LaneMask mask = lane_mask(static_cast<unsigned>(addresses.size()));
    waiting_.push_back({at, {token, kind, space, bytes, mask, nullptr}, std::move(addresses)});
    return token;
  }
  std::uint32_t load(Cycle at, Addresses addresses) {
    return schedule(at, AccessKind::kLoad, Space::kGlobal, std::move(addresses));
  }
  std::uint32_t store(Cycle at, Addresses addresses) {
    return schedule(at, AccessKind::kStore, Space::kGlobal, std::move(addresses));
  }
  std::uint32_t atomic(Cycle at, Addresses addresses) {
    return schedule(at, AccessKind::kAtomic, Space::kGlobal, std::move(addresses));
  }

  // Until everything scheduled has completed.
  void run() {
    for (const Cycle limit = now_ + 100000; !waiting_.empty() || !lsu_.idle(); ++now_) {
      if (now_ == limit) throw std::runtime_error("an access has not completed within 100000 cycles");
      cycle();
    }
  }

  // The cycle in which a token completed or missed.
  [[nodiscard]] Cycle completed(std::uint32_t token) const { return completed_.at(token); }
  [[nodiscard]] Cycle accepted(std::uint32_t token) const { return accepted_.at(token); }
  [[nodiscard]] const std::map<std::uint32_t, Cycle>& missed() const { return missed_; }
  [[nodiscard]] Cycle now() const { return now_; }
  [[nodiscard]] LoadStoreUnit& lsu() { return lsu_; }
  [[nodiscard]] Stats stats() const {
    Stats stats;
    lsu_.add_to(stats);
    return stats;
  }

 private:
  struct Scheduled {
    Cycle at;
    MemoryAccess access;
    Addresses addresses;
  };

  void cycle() {
    lsu_.tick(now_);
    take_completions();
    for (std::uint32_t token = 0; lsu_.miss(token);) note(missed_, token);
    while (!waiting_.empty() && waiting_.front().at <= now_ && lsu_.can_accept()) {
      waiting_.front().access.address = waiting_.front().addresses.data();
      lsu_.accept(waiting_.front().access, now_);
      note(accepted_, waiting_.front().access.token);
      waiting_.pop_front();
      if (path_ != LoadStoreUnit::Path::kUnlimited) return;
    }
    if (path_ == LoadStoreUnit::Path::kUnlimited) take_completions();
  }
  void take_completions() {
    std::uint32_t token = 0;
    LaneMask lanes = 0;  // all: no access asks for parts
    while (path_ == LoadStoreUnit::Path::kOneBus ? lsu_.completion(token) : lsu_.completion(token, lanes))
      note(completed_, token);
  }
  void note(std::map<std::uint32_t, Cycle>& cycles, std::uint32_t token) {
    if (!cycles.emplace(token, now_).second) throw std::runtime_error("told twice of " + std::to_string(token));
  }

  const LoadStoreUnit::Path path_;
  SimpleMemory memory_;
  LoadStoreUnit lsu_;
  Cycle now_ = 0;
  std::size_t scheduled_ = 0;
  std::deque<Scheduled> waiting_;
  std::map<std::uint32_t, Cycle> accepted_, completed_, missed_;
};

}  // namespace heddle::test
