// SPDX-License-Identifier: Apache-2.0
#include "memory/simple_memory.h"

#include <algorithm>
#include <cassert>

#include "heddle/error.h"

namespace heddle {
namespace {

std::uint64_t at_least_one(std::uint64_t value, const char* key) {
  if (value == 0) throw bad_input("config", std::string(key) + " is 0: give at least 1");
  return value;
}

}  // namespace

SimpleMemory::SimpleMemory(const Config& config)
    : bytes_per_cycle_(at_least_one(config.memory.bytes_per_cycle, "memory.bytes_per_cycle")),
      latency_(at_least_one(config.memory.latency, "memory.latency")),
      waiting_(kQueueEntries),
      reads_(static_cast<std::uint32_t>(at_least_one(config.l1.mshrs, "l1.mshrs"))) {}

void SimpleMemory::reset() {
  now_ = busy_until_ = 0;
  port_free_ = bytes_ = busy_cycles_ = 0;
  waiting_.clear();
  reads_.clear();
}

void SimpleMemory::tick(Cycle now) {
  now_ = now;
  while (!waiting_.empty() && waiting_.front() <= now * bytes_per_cycle_) waiting_.pop();
}

void SimpleMemory::request(const LineRequest& request) {
  assert(can_accept() && request.bytes > 0);
  const PortTime now = now_ * bytes_per_cycle_;
  const PortTime start = std::max(port_free_, now);
  const PortTime end = start + request.bytes;
  if (start > now) waiting_.push(start);
  port_free_ = end;

  bytes_ += request.bytes;
  const Cycle first_cycle = std::max(start / bytes_per_cycle_, busy_until_);
  const Cycle end_cycle = (end + bytes_per_cycle_ - 1) / bytes_per_cycle_;
  busy_cycles_ += end_cycle - std::min(first_cycle, end_cycle);
  busy_until_ = end_cycle;

  if (!request.write) {
    const Cycle start_cycle = (start + bytes_per_cycle_ - 1) / bytes_per_cycle_;
    reads_.push({request.tag, std::max(start_cycle + latency_, end_cycle)});
  }
}

bool SimpleMemory::response(std::uint32_t& tag) {
  if (reads_.empty() || reads_.front().ready > now_) return false;
  tag = reads_.front().tag;
  reads_.pop();
  return true;
}

bool SimpleMemory::idle() const { return reads_.empty() && port_free_ <= now_ * bytes_per_cycle_; }

Cycle SimpleMemory::next_event() const {
  Cycle next = kNever;
  if (!reads_.empty()) next = reads_.front().ready;
  if (waiting_.full()) next = std::min(next, (waiting_.front() + bytes_per_cycle_ - 1) / bytes_per_cycle_);
  return std::max(next, now_ + 1);
}

void SimpleMemory::add_to(Stats& stats) const {
  // What the port has promised beyond this cycle is one stretch without a gap.
  const Cycle next = now_ + 1;
  const Cycle ahead = busy_until_ > next ? busy_until_ - next : 0;
  stats.memory_bytes += bytes_;
  stats.memory_busy_cycles += busy_cycles_ - ahead;
}

}  // namespace heddle
