// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_system.h"

#include <algorithm>
#include <cassert>

#include "memory/simple_memory.h"

namespace heddle {
namespace {

constexpr std::uint32_t kHeaderBytes = 8;

std::uint32_t flits(std::uint32_t data, std::uint32_t flit_bytes) {
  return (kHeaderBytes + data + flit_bytes - 1) / flit_bytes;
}

}  // namespace

// ---------------------------------------------------------------- an SM's side

SmMemoryPort::SmMemoryPort(const Config& config, std::uint16_t sm)
    : line_bytes_(config.l2.line),
      flit_bytes_(config.noc.flit_bytes),
      latency_(config.noc.latency),
      credits_at_start_(config.noc.credits),
      sm_(sm),
      waiting_(config.noc.queue),
      credits_(config.dram.channels),
      credits_back_(config.dram.channels, Ring<Cycle>(config.noc.credits)),
      answers_(config.dram.channels, Ring<Answer>(config.l1.mshrs)),
      taken_(config.l1.mshrs) {
  reset();
}

void SmMemoryPort::reset() {
  now_ = event_ = out_free_ = in_free_ = 0;
  waiting_.clear();
  std::fill(credits_.begin(), credits_.end(), credits_at_start_);
  for (Ring<Cycle>& ring : credits_back_) ring.clear();
  for (Ring<Answer>& ring : answers_) ring.clear();
  credit_due_ = answer_due_ = kNever;
  unanswered_ = 0;
  taken_.clear();
  sent_.clear();
  bytes_ = busy_cycles_ = 0;
}

void SmMemoryPort::act() {
  const Cycle now = now_;
  if (credit_due_ <= now) {
    credit_due_ = kNever;
    for (std::size_t channel = 0; channel < credits_.size(); ++channel) {
      Ring<Cycle>& ring = credits_back_[channel];
      for (; !ring.empty() && ring.front() <= now; ring.pop()) ++credits_[channel];
      if (!ring.empty()) credit_due_ = std::min(credit_due_, ring.front());
    }
  }
  if (answer_due_ <= now && in_free_ <= now) {
    Ring<Answer>* first = nullptr;
    for (Ring<Answer>& ring : answers_) {
      if (!ring.empty() && (first == nullptr || ring.front().first < first->front().first)) first = &ring;
    }
    in_free_ = now + first->front().flits;
    busy_cycles_ += first->front().flits;
    taken_.push({first->front().tag, in_free_ - 1});
    first->pop();
    answer_due_ = kNever;
    for (const Ring<Answer>& ring : answers_) {
      if (!ring.empty()) answer_due_ = std::min(answer_due_, ring.front().first);
    }
  }
  if (!waiting_.empty() && out_free_ <= now) {
    const Waiting& head = waiting_.front();
    if (credits_[head.channel] != 0) {
      --credits_[head.channel];
      sent_.push_back({head.request, head.channel, head.flits, now + latency_});
      out_free_ = now + head.flits;
      waiting_.pop();
    }
  }
  event_ = find_event();
}

void SmMemoryPort::request(const LineRequest& request) {
  assert(can_accept() && request.bytes > 0);
  const std::uint64_t line = request.address / line_bytes_;
  const bool carries = request.write || request.atomic;
  Waiting& waiting = waiting_.push();
  waiting.channel = static_cast<std::uint32_t>(line % credits_.size());
  waiting.flits = flits(carries ? request.bytes : 0, flit_bytes_);
  waiting.request = {line / credits_.size(), request.bytes, sm_, request.write, request.atomic, request.tag};
  bytes_ += request.bytes;
  event_ = 0;
  if (!request.write) ++unanswered_;
}

bool SmMemoryPort::response(std::uint32_t& tag) {
  if (taken_.empty() || taken_.front().ready > now_) return false;
  tag = taken_.front().tag;
  taken_.pop();
  --unanswered_;
  return true;
}

Cycle SmMemoryPort::find_event() const {
  Cycle next = answer_due_ == kNever ? kNever : std::max(answer_due_, in_free_);
  if (!waiting_.empty()) {
    const std::uint32_t channel = waiting_.front().channel;
    if (credits_[channel] != 0) {
      next = std::min(next, out_free_);
    } else if (!credits_back_[channel].empty()) {
      next = std::min(next, std::max(credits_back_[channel].front(), out_free_));
    }
  }
  return std::max(next, now_ + 1);
}

bool SmMemoryPort::idle() const { return waiting_.empty() && unanswered_ == 0; }

void SmMemoryPort::add_to(Stats& stats) const {
  stats.memory_bytes += bytes_;
  stats.memory_busy_cycles += busy_cycles_;
}

// ---------------------------------------------------------------- a channel's side

MemoryPartition::MemoryPartition(const Config& config, unsigned sms)
    : flit_bytes_(config.noc.flit_bytes),
      latency_(config.noc.latency),
      line_bytes_(config.l2.line),
      slice_(config, sms * config.l1.mshrs),
      packets_(sms, Ring<Packet>(config.noc.credits)) {
  reset();
}

void MemoryPartition::reset() {
  slice_.reset();
  for (Ring<Packet>& ring : packets_) ring.clear();
  waiting_ = last_sm_ = 0;
  moving_ = false;
  now_ = event_ = there_ = in_free_ = out_free_ = 0;
  answers_.clear();
  credits_.clear();
}

void MemoryPartition::act() {
  const Cycle now = now_;
  if (now != 0) slice_.pass_over(now - 1);
  if (waiting_ != 0 && !moving_ && in_free_ <= now) {
    const auto sms = static_cast<std::uint32_t>(packets_.size());
    std::uint32_t sm = last_sm_;
    for (std::uint32_t n = 0; n < sms; ++n) {
      sm = sm + 1 == sms ? 0 : sm + 1;
      if (packets_[sm].empty() || packets_[sm].front().first > now) continue;
      packet_ = packets_[sm].front();
      packets_[sm].pop();
      --waiting_;
      last_sm_ = sm;
      moving_ = true;
      in_free_ = now + packet_.flits;
      there_ = in_free_ - 1;
      credits_.push_back({sm, now + latency_});
      break;
    }
  }
  if (moving_ && there_ <= now && slice_.can_accept()) {
    slice_.request(packet_.request);
    moving_ = false;
  }
  slice_.tick(now);
  if (slice_.has_response() && out_free_ <= now) {
    const L2Request& answer = slice_.response();
    const std::uint32_t length = flits(answer.bytes, flit_bytes_);
    answers_.push_back({answer.sm, answer.tag, length, now + latency_});
    out_free_ = now + length;
    slice_.take_response();
  }
  event_ = find_event();
}

Cycle MemoryPartition::find_event() const {
  Cycle next = slice_.next_event();
  if (moving_) {
    if (there_ > now_ || slice_.can_accept()) next = std::min(next, there_);
  } else if (waiting_ != 0) {
    Cycle first = kNever;
    for (const Ring<Packet>& ring : packets_) {
      if (!ring.empty()) first = std::min(first, ring.front().first);
    }
    next = std::min(next, std::max(first, in_free_));
  }
  if (slice_.has_response()) next = std::min(next, out_free_);
  return std::max(next, now_ + 1);
}

void MemoryPartition::add_to(Stats& stats) const {
  const CacheStats& l2 = slice_.stats();
  const DramStats& dram = slice_.dram_stats();
  stats.l2.accesses += l2.accesses;
  stats.l2.hits += l2.hits;
  stats.l2.misses += l2.misses;
  stats.l2.merged += l2.merged;
  stats.l2.stall_cycles += l2.stall_cycles;
  stats.l2.bytes_read += dram.reads * line_bytes_;
  stats.l2.bytes_written += dram.writes * line_bytes_;
  stats.dram.add(dram);
}

// ---------------------------------------------------------------- both

MemorySystem::MemorySystem(const Config& config, unsigned sms) {
  for (unsigned sm = 0; sm < sms; ++sm)
    ports_.push_back(std::make_unique<SmMemoryPort>(config, static_cast<std::uint16_t>(sm)));
  for (unsigned channel = 0; channel < config.dram.channels; ++channel)
    partitions_.push_back(std::make_unique<MemoryPartition>(config, sms));
}

void MemorySystem::reset() {
  for (auto& port : ports_) port->reset();
  for (auto& partition : partitions_) partition->reset();
}

void MemorySystem::run_channel(unsigned channel, Cycle first, Cycle end) {
  MemoryPartition& partition = *partitions_[channel];
  for (Cycle cycle = std::max(first, partition.next_event()); cycle < end; cycle = partition.next_event())
    partition.tick(cycle);
  partition.pass_over(end - 1);
}

Cycle MemorySystem::next_event_of_channels() const {
  Cycle next = kNever;
  for (const auto& partition : partitions_) next = std::min(next, partition->next_event());
  return next;
}

void MemorySystem::pass_over(Cycle last) const {
  for (const auto& partition : partitions_) partition->pass_over(last);
}

void MemorySystem::exchange() {
  for (std::size_t sm = 0; sm < ports_.size(); ++sm) {
    for (const SmMemoryPort::Sent& sent : ports_[sm]->sent_) {
      MemoryPartition& partition = *partitions_[sent.channel];
      partition.packets_[sm].push({sent.request, sent.flits, sent.first});
      ++partition.waiting_;
      partition.event_ = std::min(partition.event_, sent.first);
    }
    ports_[sm]->sent_.clear();
  }
  for (std::size_t channel = 0; channel < partitions_.size(); ++channel) {
    MemoryPartition& partition = *partitions_[channel];
    for (const MemoryPartition::Sent& answer : partition.answers_) {
      SmMemoryPort& port = *ports_[answer.sm];
      port.answers_[channel].push({answer.tag, answer.flits, answer.first});
      port.answer_due_ = std::min(port.answer_due_, answer.first);
      port.event_ = std::min(port.event_, answer.first);
    }
    for (const MemoryPartition::Credit& credit : partition.credits_) {
      SmMemoryPort& port = *ports_[credit.sm];
      port.credits_back_[channel].push(credit.there);
      port.credit_due_ = std::min(port.credit_due_, credit.there);
      port.event_ = std::min(port.event_, credit.there);
    }
    partition.answers_.clear();
    partition.credits_.clear();
  }
}

bool MemorySystem::idle() const {
  return std::all_of(partitions_.begin(), partitions_.end(), [](const auto& partition) { return partition->idle(); }) &&
         std::all_of(ports_.begin(), ports_.end(),
                     [](const auto& port) { return port->idle() && port->sent_.empty(); });
}

void MemorySystem::add_to(Stats& stats) const {
  for (const auto& partition : partitions_) {
    partition->catch_up();
    partition->add_to(stats);
  }
}

void MemoryHierarchy::tick(Cycle now) {
  now_ = now;
  port_.tick(now);
  if (now < channels_event_ && !port_.has_sent()) return;
  for (unsigned channel = 0; channel < system_.channels(); ++channel) system_.tick_channel(channel, now);
  system_.exchange();
  channels_event_ = system_.next_event_of_channels();
}

void MemoryHierarchy::add_to(Stats& stats) const {
  port_.add_to(stats);
  system_.pass_over(now_);
  system_.add_to(stats);
}

std::unique_ptr<MemoryInterface> make_memory(const Config& config) {
  if (config.memory.kind == MemoryKind::kHierarchy) return std::make_unique<MemoryHierarchy>(config);
  return std::make_unique<SimpleMemory>(config);
}

}  // namespace heddle
