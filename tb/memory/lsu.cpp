// SPDX-License-Identifier: Apache-2.0
#include "memory/lsu.h"

#include <algorithm>
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
  const unsigned l1_banks = config.l1.banks;
  if (l1_banks == 0 || l1_banks > 64 || (l1_banks & (l1_banks - 1)) != 0) {
    throw bad_input("config", "l1.banks is " + std::to_string(l1_banks) + ": give a power of two from 1 to 64");
  }
  if (config.shared.latency == 0 || config.l1.hit_latency == 0) {
    throw bad_input("config", "shared.latency and l1.hit_latency are " + std::to_string(config.shared.latency) +
                                  " and " + std::to_string(config.l1.hit_latency) + ": give at least 1 cycle each");
  }
  return config;
}

std::uint32_t threads(const Config& config) { return config.core.warps * config.core.lanes; }

// Instructions whose passes are not finished.
std::uint32_t max_requests(const Config& config, LoadStoreUnit::Path path) {
  return path == LoadStoreUnit::Path::kUnlimited ? threads(config) : LoadStoreUnit::kQueueEntries;
}

// Loads that can be in flight: one for each MSHR target, one for each cycle of both data paths, and the queue.
std::uint32_t max_loads(const Config& config, LoadStoreUnit::Path path) {
  if (path == LoadStoreUnit::Path::kUnlimited) return threads(config);
  return config.l1.mshrs * config.l1.mshr_targets + config.l1.hit_latency + config.shared.latency +
         LoadStoreUnit::kQueueEntries;
}

// Results on their way from L1. Without a bus none stays: a cycle adds those who waited for a line, and the hits of the
// passes.
std::uint32_t max_l1_results(const Config& config, LoadStoreUnit::Path path) {
  if (path != LoadStoreUnit::Path::kNoBus) return 2 * max_loads(config, path);  // in two parts
  return config.l1.hit_latency * (config.l1.mshr_targets + LoadStoreUnit::kQueueEntries);
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(const Config& config, MemoryInterface& memory, Path path)
    : memory_(memory),
      bus_(path == Path::kOneBus),
      unlimited_(path == Path::kUnlimited),
      write_(checked(config).l1.write),
      l1_delay_(config.l1.hit_latency - (unlimited_ ? 0 : 1)),
      shared_delay_(config.shared.latency - (unlimited_ ? 0 : 1)),
      line_bytes_(config.l1.line),
      bank_bits_(static_cast<unsigned>(__builtin_ctz(config.l1.banks))),
      all_banks_(lane_mask(config.l1.banks)),
      l1_(config.l1),
      coalescer_(config.l1.line, config.core.lanes),
      banks_(config.shared.banks),
      spare_(max_requests(config, path)),
      loads_(max_loads(config, path)),
      l1_results_(max_l1_results(config, path)),
      shared_results_(max_loads(config, path)),
      stores_done_(bus_ ? 1 : max_requests(config, path)) {
  free_loads_.reserve(loads_.size());
  reset();
}

void LoadStoreUnit::reset() {
  memory_.reset();
  l1_.reset();
  spare_.splice(spare_.end(), queue_);
  l1_results_.clear();
  shared_results_.clear();
  free_loads_.clear();
  for (auto load = static_cast<std::uint32_t>(loads_.size()); load-- != 0;) free_loads_.push_back(load);
  in_flight_ = 0;
  now_ = stalled_ = 0;
  result_valid_ = miss_valid_ = progress_ = false;
  stores_done_.clear();
  stats_ = Stats();
}

void LoadStoreUnit::accept(const MemoryAccess& access, Cycle now) {
  assert(can_accept() && access.mask != 0);
  assert(!access.parts || (access.kind != AccessKind::kStore && access.space != Space::kShared));
  assert(!access.parts || !bus_ || access.kind == AccessKind::kLoad);
  progress_ = true;
  queue_.splice(queue_.end(), spare_, spare_.begin());
  Request& request = queue_.back();
  request.token = access.token;
  request.kind = access.kind;
  request.space = access.space;
  request.miss_told = false;
  request.pass = 0;
  request.line = 0;
  request.lanes = access.mask;
  request.accepted = now;
  std::uint32_t lines = 1;
  if (access.space == Space::kShared) {
    request.passes = unlimited_ ? 1 : banks_.passes(access);
    ++stats_.shared_accesses;
    stats_.shared_conflict_cycles += request.passes - 1;
  } else {
    coalescer_.coalesce(access, request.lines);
    lines = request.lines.count;
    ++stats_.memory_instructions;
    stats_.memory_transactions += lines;
    std::fill_n(request.done.begin(), lines, false);
    for (std::uint32_t i = 0; i != lines && bank_bits_ != 0; ++i) {
      request.bank[i] = std::uint64_t{1} << fold_line(request.lines.line[i].number, bank_bits_);
    }
  }
  request.load = kNoLoad;
  if (access.kind != AccessKind::kStore) {
    request.load = free_loads_.back();
    free_loads_.pop_back();
    Load& load = loads_[request.load];
    load = {access.token, lines, access.mask, 0, 0, access.parts, false};
    LaneMask one_line = 0;
    for (std::uint32_t i = 0; i != lines && access.parts && !bus_; ++i) {
      load.two_lines |= one_line & request.lines.line[i].lanes;
      one_line |= request.lines.line[i].lanes;
    }
  }
  ++in_flight_;
  if (unlimited_ && pass(request, now)) spare_.splice(spare_.begin(), queue_, std::prev(queue_.end()));
}

void LoadStoreUnit::advance(Cycle now) {
  std::uint32_t mshr;
  while (memory_.response(mshr)) {
    progress_ = true;
    const L1Cache::Waiters waiters = l1_.fill(mshr);
    for (std::uint32_t i = 0; i != waiters.count; ++i) {
      const L1Cache::Waiter& waiter = waiters.first[i];
      const LaneMask lanes = line_arrived(loads_[waiter.load], waiter.lanes);
      if (lanes != 0) l1_results_.push({waiter.load, now + l1_delay_, lanes});
    }
    if (!unlimited_) break;
  }
  if (unlimited_) pass_all(now);
  else pass_in_order(now);
  if (bus_) drive_result(now);
}

// The oldest instruction; without bus those behind it too, in banks that it leaves free.
void LoadStoreUnit::pass_in_order(Cycle now) {
  taken_banks_ = 0;
  bool more = true;
  while (more && !queue_.empty() && queue_.front().accepted < now && pass(queue_.front(), now)) {
    more = !bus_ && shares_banks(queue_.front());
    spare_.splice(spare_.begin(), queue_, queue_.begin());
    more = more && !queue_.empty() && shares_banks(queue_.front());
  }
}

// Unlimited: all that wait for a line.
void LoadStoreUnit::pass_all(Cycle now) {
  for (auto request = queue_.begin(); request != queue_.end();) {
    const auto next = std::next(request);
    if (pass(*request, now)) spare_.splice(spare_.begin(), queue_, request);
    request = next;
  }
}

// A load or store of lines: what banks it leaves free in a cycle, the next one may take.
bool LoadStoreUnit::shares_banks(const Request& request) {
  return request.space != Space::kShared && request.kind != AccessKind::kAtomic;
}

// One pass of an instruction. True if it was its last.
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
  progress_ = true;
  if (request.pass + 1 != request.passes) {
    ++request.pass;
    return false;
  }
  if (request.kind == AccessKind::kStore) return finish_store(request);
  shared_results_.push({request.load, now + shared_delay_, request.lanes});
  return true;
}

// At most one line of each bank (unlimited: all lines), in their order; a line that has to wait keeps its bank in this
// cycle. True if all are done.
template <class LineDone>
bool LoadStoreUnit::pass_lines(Request& request, LineDone line_done) {
  bool waits = false;
  for (std::uint32_t i = request.line; i != request.lines.count && taken_banks_ != all_banks_; ++i) {
    const std::uint64_t bank = unlimited_ ? 0 : bank_bits_ == 0 ? 1 : request.bank[i];
    if (request.done[i] || (taken_banks_ & bank) != 0) continue;
    taken_banks_ |= bank;
    request.done[i] = line_done(request.lines.line[i]);
    waits = waits || !request.done[i];
    progress_ = progress_ || request.done[i];
  }
  if (waits) stall();
  while (request.line != request.lines.count && request.done[request.line]) ++request.line;
  return request.line == request.lines.count;
}

// A pass had to wait: counted once a cycle.
void LoadStoreUnit::stall() {
  if (stalled_ != now_ + 1) ++stats_.l1.stall_cycles;
  stalled_ = now_ + 1;
}

// Looks a line up, after the write-back that it needs.
template <class LookUp>
L1Cache::Access LoadStoreUnit::look_up(LookUp look_up) {
  L1Cache::Access access = look_up(memory_.can_accept());
  if (access.result != L1Cache::Result::kWriteBack) return access;
  write(access.victim, access.dirty);
  return look_up(memory_.can_accept());
}

void LoadStoreUnit::write(std::uint64_t line, std::uint32_t sectors) {
  const std::uint32_t bytes = popcount(sectors) * kSectorBytes;
  progress_ = true;
  stats_.l1.bytes_written += bytes;
  memory_.request({line * line_bytes_, bytes, true, false, 0});
}

bool LoadStoreUnit::pass_load(Request& request, Cycle now) {
  LaneMask hits = 0;
  const bool last = pass_lines(request, [&](const Line& line) { return load_line(request, line, hits); });
  if (hits != 0) l1_results_.push({request.load, now + l1_delay_, hits});
  if (last && bus_ && loads_[request.load].parts) hits_arrive(request.load, now);
  return last;
}

// Of a load in parts whose lines have all been looked up: lanes that hit do not wait for those that missed.
void LoadStoreUnit::hits_arrive(std::uint32_t load_id, Cycle now) {
  Load& load = loads_[load_id];
  const LaneMask hits = load.lanes & ~load.missed;
  if (load.lines_missing == 0 || hits == 0) return;
  load.lanes = load.missed;
  load.hits_to_come = true;
  l1_results_.push({load_id, now + l1_delay_, hits});
}

// False if the line has to wait. Lanes that have their data with it are added to `hits`.
bool LoadStoreUnit::load_line(Request& request, const Line& line, LaneMask& hits) {
  const L1Cache::Access access = look_up([&](bool may_send) {
    return l1_.load(line.number, {request.load, line.lanes}, may_send);
  });
  if (access.result == L1Cache::Result::kStalled) return false;
  ++stats_.l1.accesses;
  if (access.result == L1Cache::Result::kHit) {
    ++stats_.l1.hits;
    hits |= line_arrived(loads_[request.load], line.lanes);
    return true;
  }
  ++stats_.l1.misses;
  loads_[request.load].missed |= line.lanes;
  tell_miss(request);
  if (access.result == L1Cache::Result::kMerged) {
    ++stats_.l1.merged;
  } else {
    stats_.l1.bytes_read += line_bytes_;
    memory_.request({line.number * line_bytes_, line_bytes_, false, false, access.mshr});
  }
  return true;
}

bool LoadStoreUnit::pass_store(Request& request) {
  return pass_lines(request, [&](const Line& line) { return store_line(line, request.space); }) &&
         finish_store(request);
}

// False if the line has to wait.
bool LoadStoreUnit::store_line(const Line& line, Space space) {
  const bool back =
      write_ == L1Write::kBack || (write_ == L1Write::kLocalBack && space == Space::kLocal && l1_.holds(line.number));
  if (!back) {
    if (!memory_.can_accept()) return false;
    l1_.evict(line.number);
    write(line.number, line.sectors);
    return true;
  }
  const L1Cache::Access access = look_up([&](bool may_send) { return l1_.store(line.number, line.sectors, may_send); });
  if (access.result == L1Cache::Result::kMiss) {
    stats_.l1.bytes_read += line_bytes_;
    memory_.request({line.number * line_bytes_, line_bytes_, false, false, access.mshr});
  }
  return access.result != L1Cache::Result::kStalled;
}

// One line at a time, whatever the banks are. Unlimited: all of them.
bool LoadStoreUnit::pass_atomic(Request& request) {
  if (unlimited_) return pass_lines(request, [&](const Line& line) { return atomic_line(request, line); });
  const Line& line = request.lines.line[request.line];
  if (request.pass != line.conflicts) {
    progress_ = true;
    ++request.pass;
    return false;
  }
  if (!atomic_line(request, line)) {
    stall();
    return false;
  }
  progress_ = true;
  request.pass = 0;
  return ++request.line == request.lines.count;
}

// False if the line has to wait.
bool LoadStoreUnit::atomic_line(Request& request, const Line& line) {
  const L1Cache::Access access = look_up([&](bool may_send) {
    return l1_.bypass(line.number, {request.load, line.lanes}, may_send);
  });
  if (access.result == L1Cache::Result::kStalled) return false;
  const std::uint32_t bytes = popcount(line.sectors) * kSectorBytes;
  stats_.l1.bytes_written += bytes;
  memory_.request({line.number * line_bytes_, bytes, false, true, access.mshr});
  tell_miss(request);
  return true;
}

// False while stores before this one have not been taken.
bool LoadStoreUnit::finish_store(const Request& request) {
  progress_ = true;
  if (stores_done_.full()) return false;
  stores_done_.push({request.token, request.lanes});
  return true;
}

void LoadStoreUnit::tell_miss(Request& request) {
  if (request.miss_told) return;
  request.miss_told = true;
  miss_valid_ = true;
  miss_token_ = request.token;
}

// A line that `lanes` of a load touch is there: those whose data is complete with it.
LaneMask LoadStoreUnit::line_arrived(Load& load, LaneMask lanes) {
  if (!load.parts || bus_) return --load.lines_missing == 0 ? load.lanes : 0;
  const LaneMask complete = lanes & ~load.two_lines;
  load.two_lines &= ~lanes;
  return complete;
}

// Where the result is that has been ready longest, L1 before shared memory if equal; null if none is ready.
Ring<LoadStoreUnit::Arriving>* LoadStoreUnit::ready_results(Cycle now) {
  const bool l1_ready = !l1_results_.empty() && l1_results_.front().ready <= now;
  const bool shared_ready = !shared_results_.empty() && shared_results_.front().ready <= now;
  if (!l1_ready && !shared_ready) return nullptr;
  const bool take_l1 = l1_ready && (!shared_ready || l1_results_.front().ready <= shared_results_.front().ready);
  return take_l1 ? &l1_results_ : &shared_results_;
}

// Puts a result on the bus, if it is free.
void LoadStoreUnit::drive_result(Cycle now) {
  if (result_valid_) return;
  Ring<Arriving>* results = ready_results(now);
  if (results == nullptr) return;
  const Arriving arrived = results->front();
  results->pop();
  Load& load = loads_[arrived.load];
  result_valid_ = progress_ = true;
  result_token_ = load.token;
  result_lanes_ = arrived.lanes;
  result_ends_ = !load.hits_to_come;
  load.hits_to_come = false;
  if (result_ends_) free_loads_.push_back(arrived.load);
}

bool LoadStoreUnit::from_results(std::uint32_t& token, LaneMask& lanes) {
  if (Ring<Arriving>* results = ready_results(now_)) {
    const Arriving arrived = results->front();
    results->pop();
    Load& load = loads_[arrived.load];
    token = load.token;
    lanes = arrived.lanes;
    load.lanes &= ~lanes;
    if (load.lanes != 0) return true;
    free_loads_.push_back(arrived.load);
    --in_flight_;
    return true;
  }
  return take_store(token, lanes);
}

Cycle LoadStoreUnit::next_event() const {
  if (progress_ || !bus_) return now_ + 1;  // without bus: not worked out
  Cycle next = memory_.next_event();
  if (!l1_results_.empty()) next = std::min(next, l1_results_.front().ready);
  if (!shared_results_.empty()) next = std::min(next, shared_results_.front().ready);
  return std::max(next, now_ + 1);
}

void LoadStoreUnit::pass_over(Cycle last) {
  if (stalled_ == now_ + 1) {
    stats_.l1.stall_cycles += last - now_;
    stalled_ = last + 1;
  }
  memory_.pass_over(last);
  now_ = last;
}

void LoadStoreUnit::add_to(Stats& stats) const {
  stats.add(stats_);
  memory_.add_to(stats);
}

}  // namespace heddle
