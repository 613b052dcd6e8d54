// SPDX-License-Identifier: Apache-2.0
#include "memory/l2_slice.h"

#include <algorithm>
#include <cassert>

namespace heddle {
L2Slice::L2Slice(const Config& config, std::uint32_t answers)
    : ways_(config.l2.ways),
      sets_(config.l2.bytes / (config.l2.ways * config.l2.line * config.dram.channels)),
      latency_(config.l2.latency),
      controller_(config.dram.controller),
      max_targets_(config.l2.mshr_targets),
      dram_clock_(config.dram.clock_mhz),
      core_clock_(config.core.clock_mhz),
      channel_(config),
      tags_(std::size_t{sets_} * ways_),
      mshr_way_(config.l2.mshrs),
      mshr_count_(config.l2.mshrs),
      targets_(std::size_t{config.l2.mshrs} * max_targets_),
      fills_(config.l2.mshrs),
      hits_(answers),
      output_(answers) {
  reset();
}

void L2Slice::reset() {
  channel_.reset();
  now_ = clock_part_ = uses_ = 0;
  has_head_ = stalled_ = false;
  std::fill(tags_.begin(), tags_.end(), Way{});
  free_.clear();
  for (std::uint32_t m = 0; m < mshr_way_.size(); ++m) free_.push_back(m);
  fills_.clear();
  next_target_ = 0;
  hits_.clear();
  output_.clear();
  stats_ = {};
}

void L2Slice::request(const L2Request& request) {
  assert(can_accept());
  head_ = request;
  has_head_ = true;
}

bool L2Slice::idle() const {
  return !has_head_ && hits_.empty() && output_.empty() && fills_.empty() && free_.size() == mshr_way_.size() &&
         channel_.idle();
}

void L2Slice::tick(Cycle now) {
  now_ = now;
  for (clock_part_ += dram_clock_; clock_part_ >= core_clock_; clock_part_ -= core_clock_) {
    channel_.tick();
    std::uint32_t mshr = 0;
    while (channel_.response(mshr)) fills_.push({mshr, now_ + controller_});
  }
  while (!hits_.empty() && hits_.front().ready <= now_) {
    output_.push(hits_.front().request);
    hits_.pop();
  }
  if (!fills_.empty() && fills_.front().ready <= now_) {
    const std::uint32_t mshr = fills_.front().mshr;
    const L2Request& target = targets_[std::size_t{mshr} * max_targets_ + next_target_];
    if (mshr_way_[mshr] != kNone) {
      tags_[mshr_way_[mshr]].mshr = kNone;
      use(mshr_way_[mshr], target);
    }
    if (!target.write) output_.push(target);
    if (++next_target_ == mshr_count_[mshr]) {
      next_target_ = 0;
      free_.push_back(mshr);
      fills_.pop();
    }
  } else if (has_head_) {
    // A head that waits has something new to find after a fill, which ends its stall, or when the channel's queue has
    // more room.
    if (!stalled_ || channel_.room() != room_) has_head_ = stalled_ = !look_up();
    room_ = channel_.room();
    if (stalled_) ++stats_.stall_cycles;
    return;
  }
  stalled_ = false;
}

Cycle L2Slice::next_event() const {
  if (has_head_ && !stalled_) return now_ + 1;
  Cycle next = kNever;
  if (!hits_.empty()) next = hits_.front().ready;
  if (!fills_.empty()) next = std::min(next, fills_.front().ready);
  if (const std::uint64_t clocks = channel_.clocks_to_event(); clocks != kNever) {
    next = std::min(next, now_ + (clocks * core_clock_ - clock_part_ + dram_clock_ - 1) / dram_clock_);
  }
  return std::max(next, now_ + 1);
}

void L2Slice::pass_over(Cycle last) {
  const Cycle cycles = last - now_;
  clock_part_ += cycles * dram_clock_;
  channel_.pass_over(clock_part_ / core_clock_);
  clock_part_ %= core_clock_;
  if (stalled_) stats_.stall_cycles += cycles;
  now_ = last;
}

void L2Slice::use(std::uint32_t way, const L2Request& request) {
  tags_[way].last_use = ++uses_;
  tags_[way].dirty |= request.write || request.atomic;
}

bool L2Slice::look_up() {
  if (sets_ == 0) return pass_on();
  const auto set = static_cast<std::uint32_t>(head_.line % sets_);
  for (std::uint32_t way = set * ways_; way < (set + 1) * ways_; ++way) {
    const Way& w = tags_[way];
    if (w.last_use == 0 || w.line != head_.line) continue;
    if (w.mshr == kNone) {
      use(way, head_);
      if (!head_.write) hits_.push({head_, now_ + latency_});
      ++stats_.hits;
    } else {
      if (mshr_count_[w.mshr] == max_targets_) return false;
      targets_[std::size_t{w.mshr} * max_targets_ + mshr_count_[w.mshr]++] = head_;
      ++stats_.misses;
      ++stats_.merged;
    }
    ++stats_.accesses;
    return true;
  }
  if (!miss(set)) return false;
  ++stats_.accesses;
  ++stats_.misses;
  return true;
}

bool L2Slice::miss(std::uint32_t set) {
  std::uint32_t victim = kNone;
  for (std::uint32_t way = set * ways_; way < (set + 1) * ways_; ++way) {
    if (tags_[way].mshr == kNone && (victim == kNone || tags_[way].last_use < tags_[victim].last_use)) victim = way;
  }
  if (victim == kNone || free_.empty()) return false;
  Way& way = tags_[victim];
  if (channel_.room() < (way.dirty ? 2U : 1U)) return false;
  if (way.dirty) channel_.request({way.line, true, 0});
  way = {head_.line, ++uses_, free_.back(), false};
  fetch(victim);
  return true;
}

bool L2Slice::pass_on() {
  if (!channel_.can_accept() || (!head_.write && free_.empty())) return false;
  if (head_.write) {
    channel_.request({head_.line, true, 0});
  } else {
    fetch(kNone);
  }
  return true;
}

void L2Slice::fetch(std::uint32_t way) {
  const std::uint32_t mshr = free_.back();
  free_.pop_back();
  channel_.request({head_.line, false, mshr});
  mshr_way_[mshr] = way;
  mshr_count_[mshr] = 1;
  targets_[std::size_t{mshr} * max_targets_] = head_;
}

}  // namespace heddle
