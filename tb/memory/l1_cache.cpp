// SPDX-License-Identifier: Apache-2.0
#include "memory/l1_cache.h"

#include <algorithm>
#include <string>

#include "heddle/error.h"

namespace heddle {
namespace {

Error config_error(const std::string& message) { return bad_input("config", message); }

const Config::L1& checked(const Config::L1& config) {
  const unsigned line = config.line;
  if (line < 32 || line > 1024 || (line & (line - 1)) != 0) {
    throw config_error("l1.line is " + std::to_string(line) + ": give a power of two from 32 to 1024");
  }
  if (config.ways == 0 || config.mshrs == 0 || config.mshr_targets == 0) {
    throw config_error("l1.ways, l1.mshrs and l1.mshr_targets are " + std::to_string(config.ways) + ", " +
                       std::to_string(config.mshrs) + " and " + std::to_string(config.mshr_targets) +
                       ": give at least 1 of each");
  }
  const std::uint64_t set = std::uint64_t{config.ways} * line;
  if (config.bytes == 0 || config.bytes % set != 0) {
    throw config_error("l1.bytes is " + std::to_string(config.bytes) +
                       ": give a multiple of l1.ways x l1.line = " + std::to_string(set));
  }
  const std::uint64_t sets = config.bytes / set;
  if (config.index != L1Index::kLinear && (sets & (sets - 1)) != 0) {
    throw config_error("l1.bytes / (l1.ways x l1.line) is " + std::to_string(sets) +
                       ": give a power of two of sets with l1.index = hashed or fermi");
  }
  return config;
}

// Fermi's function is known for two shapes.
L1Index index_of(const Config::L1& config) {
  const unsigned sets = config.bytes / (config.ways * config.line);
  const bool known = config.line == 128 && (sets == 32 || sets == 64);
  return config.index == L1Index::kFermi && !known ? L1Index::kHashed : config.index;
}

}  // namespace

std::uint32_t fold_line(std::uint64_t line, unsigned bits) {
  std::uint64_t folded = 0;
  for (; bits != 0 && line != 0; line >>= bits) folded ^= line;
  return static_cast<std::uint32_t>(folded & ((std::uint64_t{1} << bits) - 1));
}

std::uint32_t fermi_set(std::uint64_t line, std::uint32_t sets) {
  const std::uint64_t folded = line ^ (line >> 6 & 7) ^ (line >> 10 & 1) << 3 ^ (line >> 12 & 1) << 4;
  return static_cast<std::uint32_t>(folded & (sets - 1));
}

L1Cache::L1Cache(const Config::L1& config)
    : num_ways_(checked(config).ways),
      num_sets_(config.bytes / (config.ways * config.line)),
      power_of_two_((num_sets_ & (num_sets_ - 1)) == 0),
      index_(index_of(config)),
      set_bits_(static_cast<unsigned>(__builtin_ctz(num_sets_))),
      max_targets_(config.mshr_targets),
      ways_(std::size_t{num_sets_} * num_ways_),
      mshrs_(config.mshrs),
      targets_(std::size_t{config.mshrs} * config.mshr_targets) {
  free_.reserve(config.mshrs);
  reset();
}

void L1Cache::reset() {
  uses_ = 0;
  std::fill(ways_.begin(), ways_.end(), Way{0, 0, kNone, 0});
  free_.clear();
  for (auto mshr = static_cast<std::uint32_t>(mshrs_.size()); mshr-- != 0;) free_.push_back(mshr);
}

std::uint32_t L1Cache::first_way(std::uint64_t line) const {
  if (index_ == L1Index::kHashed) return fold_line(line, set_bits_) * num_ways_;
  if (index_ == L1Index::kFermi) return fermi_set(line, num_sets_) * num_ways_;
  const std::uint64_t set = power_of_two_ ? line & (num_sets_ - 1) : line % num_sets_;
  return static_cast<std::uint32_t>(set) * num_ways_;
}

std::uint32_t L1Cache::find(std::uint64_t line) const {
  const std::uint32_t first = first_way(line);
  for (std::uint32_t w = first; w != first + num_ways_; ++w) {
    if (ways_[w].line == line && ways_[w].last_use != 0) return w;
  }
  return kNone;
}

bool L1Cache::contains(std::uint64_t line) const {
  const std::uint32_t way = find(line);
  return way != kNone && ways_[way].mshr == kNone;
}

std::uint32_t L1Cache::dirty(std::uint64_t line) const {
  const std::uint32_t way = find(line);
  return way == kNone ? 0 : ways_[way].dirty;
}

std::uint32_t L1Cache::take_mshr(std::uint32_t way, const Waiter* waiter) {
  const std::uint32_t mshr = free_.back();
  free_.pop_back();
  mshrs_[mshr] = {way, waiter != nullptr ? 1u : 0u};
  if (waiter != nullptr) targets_[std::size_t{mshr} * max_targets_] = *waiter;
  return mshr;
}

L1Cache::Access L1Cache::write_back(Way& way) {
  const std::uint32_t dirty = way.dirty;
  way.dirty = 0;
  return {Result::kWriteBack, kNone, way.line, dirty};
}

// A load with its waiter, or a store, for which nobody waits, with the sectors it writes.
L1Cache::Access L1Cache::look_up(std::uint64_t line, const Waiter* waiter, std::uint32_t sectors, bool may_send) {
  const std::uint32_t first = first_way(line);
  std::uint32_t victim = kNone;
  std::uint64_t oldest = ~std::uint64_t{0};
  for (std::uint32_t w = first; w != first + num_ways_; ++w) {
    Way& way = ways_[w];
    if (way.line == line && way.last_use != 0) {
      if (way.mshr != kNone && waiter != nullptr) {
        Mshr& mshr = mshrs_[way.mshr];
        if (mshr.waiters == max_targets_) return {Result::kStalled, kNone};
        targets_[std::size_t{way.mshr} * max_targets_ + mshr.waiters++] = *waiter;
      }
      way.dirty |= sectors;
      way.last_use = ++uses_;
      return {way.mshr == kNone ? Result::kHit : Result::kMerged, kNone};
    }
    if (way.mshr == kNone && way.last_use < oldest) {
      oldest = way.last_use;
      victim = w;
    }
  }
  if (!may_send || victim == kNone || free_.empty()) return {Result::kStalled, kNone};
  if (ways_[victim].dirty != 0) return write_back(ways_[victim]);
  const std::uint32_t mshr = take_mshr(victim, waiter);
  ways_[victim] = {line, ++uses_, mshr, sectors};
  return {Result::kMiss, mshr};
}

L1Cache::Access L1Cache::bypass(std::uint64_t line, const Waiter& waiter, bool may_send) {
  if (!may_send || free_.empty()) return {Result::kStalled, kNone};
  const std::uint32_t way = find(line);
  if (way != kNone && ways_[way].dirty != 0) return write_back(ways_[way]);
  evict(line);
  return {Result::kMiss, take_mshr(kNone, &waiter)};
}

void L1Cache::evict(std::uint64_t line) {
  const std::uint32_t w = find(line);
  if (w == kNone) return;
  Way& way = ways_[w];
  if (way.mshr != kNone) mshrs_[way.mshr].way = kNone;
  way = {0, 0, kNone, 0};
}

L1Cache::Waiters L1Cache::fill(std::uint32_t mshr) {
  Mshr& filled = mshrs_[mshr];
  if (filled.way != kNone) ways_[filled.way].mshr = kNone;
  free_.push_back(mshr);
  const Waiters waiters{&targets_[std::size_t{mshr} * max_targets_], filled.waiters};
  filled.waiters = 0;
  return waiters;
}

}  // namespace heddle
