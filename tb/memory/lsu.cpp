// SPDX-License-Identifier: Apache-2.0
#include "memory/lsu.h"

#include <cassert>
#include <string>

#include "heddle/error.h"

namespace heddle {
namespace {

const Config& checked(const Config& config) {
  const unsigned banks = config.shared.banks;
  if (banks == 0 || banks > 64 || (banks & (banks - 1)) != 0) {
    throw bad_input("config", "shared.banks is " + std::to_string(banks) + ": give a power of two from 1 to 64");
  }
  if (config.shared.latency == 0 || config.l1.hit_latency == 0) {
    throw bad_input("config", "shared.latency and l1.hit_latency are " + std::to_string(config.shared.latency) +
                                  " and " + std::to_string(config.l1.hit_latency) + ": give at least 1 cycle each");
  }
  return config;
}

// Loads that can be in flight: one for each MSHR target, one for each cycle of both data paths, and the queue.
std::uint32_t max_loads(const Config& config) {
  return config.l1.mshrs * config.l1.mshr_targets + config.l1.hit_latency + config.shared.latency +
         LoadStoreUnit::kQueueEntries;
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(const Config& config, MemoryInterface& memory)
    : memory_(memory),
      l1_delay_(checked(config).l1.hit_latency - 1),
      shared_delay_(config.shared.latency - 1),
      line_bytes_(config.l1.line),
      l1_(config.l1),
      coalescer_(config.l1.line),
      banks_(config.shared.banks),
      queue_(kQueueEntries),
      loads_(max_loads(config)),
      free_loads_(max_loads(config)),
      l1_results_(max_loads(config)),
      shared_results_(max_loads(config)) {
  reset();
}

void LoadStoreUnit::reset() {
  memory_.reset();
  l1_.reset();
  queue_.clear();
  l1_results_.clear();
  shared_results_.clear();
  free_loads_.clear();
  for (std::uint32_t load = 0; load != loads_.size(); ++load) free_loads_.push(load);
  in_flight_ = 0;
  result_valid_ = store_valid_ = miss_valid_ = false;
  stats_ = Stats();
}

void LoadStoreUnit::accept(const MemoryAccess& access, Cycle now) {
  assert(can_accept() && access.mask != 0);
  Request& request = queue_.push();
  request.token = access.token;
  request.kind = access.kind;
  request.space = access.space;
  request.miss_told = false;
  request.pass = 0;
  request.line = 0;
  request.accepted = now;
  if (access.space == Space::kShared) {
    request.passes = banks_.passes(access);
    ++stats_.shared_accesses;
    stats_.shared_conflict_cycles += request.passes - 1;
  } else {
    coalescer_.coalesce(access, request.lines);
    ++stats_.memory_instructions;
    stats_.memory_transactions += request.lines.count;
  }
  request.load = kNoLoad;
  if (access.kind != AccessKind::kStore) {
    request.load = free_loads_.front();
    free_loads_.pop();
    loads_[request.load] = {access.token, access.space == Space::kShared ? 1 : request.lines.count};
  }
  ++in_flight_;
}

void LoadStoreUnit::advance(Cycle now) {
  std::uint32_t mshr;
  if (memory_.response(mshr)) {
    const L1Cache::Waiters waiters = l1_.fill(mshr);
    for (std::uint32_t i = 0; i != waiters.count; ++i) line_arrived(waiters.first[i], now);
  }
  if (!queue_.empty() && queue_.front().accepted < now && pass(queue_.front(), now)) queue_.pop();
  drive_result(now);
}

// One pass of the oldest instruction. True if it was its last.
bool LoadStoreUnit::pass(Request& request, Cycle now) {
  if (request.space == Space::kShared) return pass_shared(request, now);
  switch (request.kind) {
    case AccessKind::kLoad: return pass_load(request, now);
    case AccessKind::kStore: return pass_store(request);
    case AccessKind::kAtomic: return pass_atomic(request);
  }
  return false;
}

bool LoadStoreUnit::pass_shared(Request& request, Cycle now) {
  if (request.pass + 1 != request.passes) {
    ++request.pass;
    return false;
  }
  if (request.kind == AccessKind::kStore) return finish_store(request);
  shared_results_.push({request.load, now + shared_delay_});
  return true;
}

bool LoadStoreUnit::pass_load(Request& request, Cycle now) {
  const Line& line = request.lines.line[request.line];
  const L1Cache::Access access = l1_.load(line.number, request.load, memory_.can_accept());
  if (access.result == L1Cache::Result::kStalled) {
    ++stats_.l1.stall_cycles;
    return false;
  }
  ++stats_.l1.accesses;
  if (access.result == L1Cache::Result::kHit) {
    ++stats_.l1.hits;
    line_arrived(request.load, now);
  } else {
    ++stats_.l1.misses;
    tell_miss(request);
    if (access.result == L1Cache::Result::kMerged) {
      ++stats_.l1.merged;
    } else {
      stats_.l1.bytes_read += line_bytes_;
      memory_.request({line.number * line_bytes_, line_bytes_, false, false, access.mshr});
    }
  }
  return ++request.line == request.lines.count;
}

bool LoadStoreUnit::pass_store(Request& request) {
  if (request.line != request.lines.count) {
    if (!memory_.can_accept()) {
      ++stats_.l1.stall_cycles;
      return false;
    }
    const Line& line = request.lines.line[request.line++];
    const std::uint32_t bytes = popcount(line.sectors) * kSectorBytes;
    l1_.evict(line.number);
    stats_.l1.bytes_written += bytes;
    memory_.request({line.number * line_bytes_, bytes, true, false, 0});
  }
  return request.line == request.lines.count && finish_store(request);
}

bool LoadStoreUnit::pass_atomic(Request& request) {
  const Line& line = request.lines.line[request.line];
  if (request.pass != line.conflicts) {
    ++request.pass;
    return false;
  }
  const L1Cache::Access access = l1_.bypass(line.number, request.load, memory_.can_accept());
  if (access.result == L1Cache::Result::kStalled) {
    ++stats_.l1.stall_cycles;
    return false;
  }
  const std::uint32_t bytes = popcount(line.sectors) * kSectorBytes;
  stats_.l1.bytes_written += bytes;
  memory_.request({line.number * line_bytes_, bytes, false, true, access.mshr});
  tell_miss(request);
  request.pass = 0;
  return ++request.line == request.lines.count;
}

// False while the store before this one has not been taken.
bool LoadStoreUnit::finish_store(const Request& request) {
  if (store_valid_) return false;
  store_valid_ = true;
  store_token_ = request.token;
  return true;
}

void LoadStoreUnit::tell_miss(Request& request) {
  if (request.miss_told) return;
  request.miss_told = true;
  miss_valid_ = true;
  miss_token_ = request.token;
}

void LoadStoreUnit::line_arrived(std::uint32_t load, Cycle now) {
  if (--loads_[load].lines_missing == 0) l1_results_.push({load, now + l1_delay_});
}

// Puts the result that has been ready longest on the bus, if it is free.
void LoadStoreUnit::drive_result(Cycle now) {
  if (result_valid_) return;
  const bool l1_ready = !l1_results_.empty() && l1_results_.front().ready <= now;
  const bool shared_ready = !shared_results_.empty() && shared_results_.front().ready <= now;
  if (!l1_ready && !shared_ready) return;
  const bool take_l1 = l1_ready && (!shared_ready || l1_results_.front().ready <= shared_results_.front().ready);
  Ring<Arriving>& results = take_l1 ? l1_results_ : shared_results_;
  const std::uint32_t load = results.front().load;
  results.pop();
  result_valid_ = true;
  result_token_ = loads_[load].token;
  free_loads_.push(load);
}

void LoadStoreUnit::add_to(Stats& stats) const {
  stats.add(stats_);
  memory_.add_to(stats);
}

}  // namespace heddle
