// SPDX-License-Identifier: Apache-2.0
// What lies behind the L1 caches of a GPU's SMs: a crossbar, and for each DRAM channel a slice of L2. Timing only.
//
// Contract
//   Lines      of l2.line bytes go round the channels: line n is line n / channels of channel n mod channels.
//   Packet     8 bytes of address and command and, in a write, an atomic or an answer, its data; it takes a port one
//   cycle for each
//              noc.flit_bytes. Its first flit is at the other side noc.latency cycles after it was sent; where two meet
//              the ports take them one after the other: a slice's port round robin over the SMs, an SM's port in the
//              order of their arrival (the lower slice first if equal). A packet is there when its last flit has passed
//              the port.
//   Request    made in cycle c is sent in cycle c + 1 at the earliest, in order; noc.queue wait at most. An SM has at
//   most noc.credits
//              requests on their way to one slice; a credit is back noc.latency cycles after the slice's port has taken
//              the request.
//   Answers    find room, as an SM has an MSHR for each.
//   So a lone read of b bytes that hits in L2 is answered 2 noc.latency + l2.latency + ceil((8 + b) / noc.flit_bytes)
//   cycles after its request.
//
// SMs and channels meet in exchange() only, and nothing crosses in less than noc.latency cycles: between two exchanges
// at most so many cycles apart each of them can run by itself, in any order or at once, with the same result.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "heddle/config.h"
#include "heddle/stats.h"
#include "memory/l2_slice.h"
#include "memory/memory_interface.h"
#include "memory/ring.h"

namespace heddle {

class MemorySystem;

// An SM's side.
class SmMemoryPort final : public MemoryInterface {
 public:
  explicit SmMemoryPort(const Config& config, std::uint16_t sm);

  void reset() override;
  void tick(Cycle now) override {
    now_ = now;
    if (now >= event_) act();
  }
  [[nodiscard]] bool can_accept() const override { return !waiting_.full(); }
  void request(const LineRequest& request) override;
  bool response(std::uint32_t& tag) override;
  [[nodiscard]] bool idle() const override;  // all its requests are done, as far as this side knows
  [[nodiscard]] bool has_sent() const { return !sent_.empty(); }  // since the last exchange
  [[nodiscard]] Cycle next_event() const override {               // without an exchange
    return std::max(taken_.empty() ? event_ : std::min(event_, taken_.front().ready), now_ + 1);
  }
  void pass_over(Cycle last) override { now_ = last; }
  void add_to(Stats& stats) const override;

 private:
  friend class MemorySystem;
  struct Waiting {
    L2Request request;
    std::uint32_t channel, flits;
  };
  struct Sent {
    L2Request request;
    std::uint32_t channel, flits;
    Cycle first;  // flit at the other side
  };
  struct Answer {
    std::uint32_t tag, flits;
    Cycle first;
  };
  struct Taken {
    std::uint32_t tag;
    Cycle ready;
  };

  void act();
  [[nodiscard]] Cycle find_event() const;

  const std::uint32_t line_bytes_, flit_bytes_, latency_, credits_at_start_;
  const std::uint16_t sm_;
  Cycle now_ = 0;
  Cycle event_ = 0;  // the first cycle in which something may move
  Cycle out_free_ = 0, in_free_ = 0;
  Ring<Waiting> waiting_;
  std::vector<std::uint32_t> credits_;               // by channel
  std::vector<Ring<Cycle>> credits_back_;            // on their way
  std::vector<Ring<Answer>> answers_;                // by channel, on their way or before the port
  Cycle credit_due_ = kNever, answer_due_ = kNever;  // the first of them
  Ring<Taken> taken_;
  std::vector<Sent> sent_;  // since the last exchange
  std::uint32_t unanswered_ = 0;
  std::uint64_t bytes_ = 0, busy_cycles_ = 0;
};

// A channel's side.
class MemoryPartition {
 public:
  MemoryPartition(const Config& config, unsigned sms);

  void reset();
  // Of cycles in which nothing happens only the last one counts: what time has done is made up for when something does.
  void tick(Cycle now) {
    now_ = now;
    if (now >= event_) act();
  }
  [[nodiscard]] Cycle next_event() const { return event_; }  // as MemoryInterface's, without an exchange
  void pass_over(Cycle last) { now_ = last; }
  void catch_up() { slice_.pass_over(now_); }
  [[nodiscard]] bool idle() const { return waiting_ == 0 && !moving_ && answers_.empty() && slice_.idle(); }
  void add_to(Stats& stats) const;

 private:
  friend class MemorySystem;
  struct Packet {
    L2Request request;
    std::uint32_t flits;
    Cycle first;
  };
  struct Sent {
    std::uint32_t sm, tag, flits;
    Cycle first;
  };
  struct Credit {
    std::uint32_t sm;
    Cycle there;
  };

  void act();
  [[nodiscard]] Cycle find_event() const;

  const std::uint32_t flit_bytes_, latency_, line_bytes_;
  Cycle now_ = 0;
  Cycle event_ = 0;  // the first cycle in which something may happen
  L2Slice slice_;
  std::vector<Ring<Packet>> packets_;  // by SM
  std::uint32_t waiting_ = 0;          // in all of them
  std::uint32_t last_sm_ = 0;          // of which a packet was taken last
  bool moving_ = false;                // a packet passes the port
  Packet packet_{};
  Cycle there_ = 0;  // it is, in this cycle
  Cycle in_free_ = 0, out_free_ = 0;
  std::vector<Sent> answers_;  // since the last exchange
  std::vector<Credit> credits_;
};

class MemorySystem {
 public:
  // A configuration that check_config() takes, with memory.kind=hierarchy.
  MemorySystem(const Config& config, unsigned sms);

  void reset();
  [[nodiscard]] SmMemoryPort& port(unsigned sm) { return *ports_[sm]; }
  [[nodiscard]] unsigned channels() const { return static_cast<unsigned>(partitions_.size()); }
  void tick_channel(unsigned channel, Cycle now) { partitions_[channel]->tick(now); }
  void run_channel(unsigned channel, Cycle first, Cycle end);  // as ticks of these cycles
  [[nodiscard]] Cycle next_event_of_channels() const;
  void pass_over(Cycle last) const;  // channels
  // Hands over what was sent since the last exchange.
  void exchange();
  [[nodiscard]] bool idle() const;
  // L2 and DRAM; what passes an SM's port, the port adds.
  void add_to(Stats& stats) const;

 private:
  std::vector<std::unique_ptr<SmMemoryPort>> ports_;
  std::vector<std::unique_ptr<MemoryPartition>> partitions_;
};

// One SM with all of it to itself, exchanging in every cycle.
class MemoryHierarchy final : public MemoryInterface {
 public:
  explicit MemoryHierarchy(const Config& config) : system_(config, 1), port_(system_.port(0)) {}

  void reset() override {
    system_.reset();
    now_ = channels_event_ = 0;
  }
  void tick(Cycle now) override;
  [[nodiscard]] bool can_accept() const override { return port_.can_accept(); }
  void request(const LineRequest& request) override { port_.request(request); }
  bool response(std::uint32_t& tag) override { return port_.response(tag); }
  [[nodiscard]] bool idle() const override { return port_.idle() && system_.idle(); }
  [[nodiscard]] Cycle next_event() const override {
    return std::min(port_.next_event(), std::max(channels_event_, now_ + 1));
  }
  void pass_over(Cycle last) override {
    port_.pass_over(last);
    now_ = last;
  }
  void add_to(Stats& stats) const override;

 private:
  MemorySystem system_;
  SmMemoryPort& port_;
  Cycle now_ = 0;
  Cycle channels_event_ = 0;  // the first cycle in which one of them may do something
};

// As memory.kind says.
[[nodiscard]] std::unique_ptr<MemoryInterface> make_memory(const Config& config);

}  // namespace heddle
