// SPDX-License-Identifier: Apache-2.0
#include "barrel/reference_sources.h"

#include <algorithm>

#include "memory/ring.h"
#include "stack/spe_stack.h"

namespace heddle {
namespace {

constexpr unsigned kEntryDelay = 3;  // update port, update register and pool of dynamic warp formation take as long

class NaiveSource final : public WarpSource {
 public:
  explicit NaiveSource(const Config& config) : ready_(config.core.warps * config.core.lanes) {}
  [[nodiscard]] Style style() const override { return Style::kParts; }
  [[nodiscard]] unsigned entry_delay() const override { return kEntryDelay; }
  void reset() override {
    ready_.clear();
    threads_ = 0;
  }
  void issue(bool ready, std::vector<ThreadGroup>& out) override {
    if (!ready || ready_.empty()) return;
    out.push_back(ready_.front());
    threads_ -= popcount(out.back().mask);
    ready_.pop();
  }
  [[nodiscard]] bool enter(const Flight& flight, LaneMask lanes, const Priorities&) override {
    flight.for_each_next(lanes, [&](Pc pc, LaneMask mask) {
      ThreadGroup& part = ready_.push();
      part = flight.group;
      part.pc = pc;
      part.mask = mask;
      threads_ += popcount(mask);
    });
    return true;
  }
  void drive(bool) override {}
  [[nodiscard]] bool may_hold(unsigned threads) const override { return threads == threads_; }

 private:
  Ring<ThreadGroup> ready_;
  unsigned threads_ = 0;
};

class PdomSource final : public WarpSource {
 public:
  explicit PdomSource(const Config& config)
      : lanes_(config.core.lanes),
        warps_(config.core.warps),
        stack_(
            StackConfig{config.stack.depth, static_cast<std::uint32_t>(config.stack.order), config.stack.level_bits}) {}
  [[nodiscard]] Style style() const override { return Style::kStack; }
  [[nodiscard]] unsigned entry_delay() const override { return kEntryDelay; }
  void reset() override {
    stack_.reset();
    ready_ = 0;
    next_ = 0;
  }
  void issue(bool ready, std::vector<ThreadGroup>& out) override {
    if (!ready || ready_ == 0) return;
    const std::uint64_t later = ready_ >> next_ << next_;
    const auto warp = static_cast<unsigned>(__builtin_ctzll(later != 0 ? later : ready_));
    next_ = warp + 1 == warps_ ? 0 : warp + 1;
    ready_ &= ~(std::uint64_t{1} << warp);
    const SpeEntry& top = stack_.top(warp);
    out.emplace_back();
    out.back().pc = top.pc;
    out.back().mask = top.mask;
    for (unsigned lane = 0; lane < lanes_; ++lane) out.back().tid[lane] = static_cast<ThreadId>(warp * lanes_ + lane);
  }
  [[nodiscard]] bool enter(const Flight& flight, LaneMask, const Priorities&) override {
    const unsigned lane = lowest_bit(flight.group.mask);
    const unsigned warp = flight.group.tid[lane] / lanes_;
    switch (flight.event) {
      case Flight::Event::kLaunch: stack_.launch(warp, flight.next, flight.group.mask); break;
      case Flight::Event::kAdvance:
      case Flight::Event::kBarrier: stack_.advance(warp, 0); break;
      case Flight::Event::kResolve:
        stack_.take_in(warp, 0,
                       {flight.taken, flight.exited, flight.target, flight.next, flight.rpc, flight.call, flight.ret});
        if (stack_.act().overflow) return false;
    }
    while (stack_.depth(warp) != 0 && !has_bit(stack_.valid(0), warp)) stack_.pop(warp);
    ready_ = with_bit(ready_, warp, stack_.depth(warp) != 0);
    return true;
  }
  void drive(bool) override {}
  [[nodiscard]] bool may_hold(unsigned threads) const override {
    // A warp that is in flight holds the threads of its suspended paths; the core counts them as waiting here too.
    unsigned inside = 0;
    for (unsigned warp = 0; warp < warps_; ++warp) {
      if (stack_.depth(warp) == 0) continue;
      inside += count_bits(stack_.live(warp)) - (has_bit(ready_, warp) ? 0u : count_bits(stack_.top(warp).mask));
    }
    return threads == inside;
  }
  void add_to(Stats& stats) const override {
    stats.max_stack_depth = std::max<std::uint64_t>(stats.max_stack_depth, stack_.max_depth());
  }

 private:
  const unsigned lanes_, warps_;
  SpeStackLogic<kMaxWarps, kMaxLanes, 64, 0, 16> stack_;
  std::uint64_t ready_ = 0;  // bit a warp: its top path may issue
  unsigned next_ = 0;
};

class MimdSource final : public WarpSource {
 public:
  explicit MimdSource(const Config& config)
      : lanes_(config.core.lanes),
        ready_(config.core.warps * config.core.lanes) {}
  [[nodiscard]] Style style() const override { return Style::kIndependent; }
  [[nodiscard]] unsigned entry_delay() const override { return kEntryDelay; }
  void reset() override { ready_.clear(); }
  // Lanes fill up in the order of the threads; threads with one PC are one group, so that their accesses are gathered.
  void issue(bool ready, std::vector<ThreadGroup>& out) override {
    for (unsigned lane = 0; ready && lane < lanes_ && !ready_.empty(); ++lane) {
      const Thread thread = ready_.front();
      ready_.pop();
      std::size_t i = 0;
      while (i < out.size() && out[i].pc != thread.pc) ++i;
      if (i == out.size()) {
        out.emplace_back();
        out[i].pc = thread.pc;
      }
      out[i].mask |= LaneMask{1} << lane;
      out[i].tid[lane] = thread.tid;
    }
  }
  [[nodiscard]] bool enter(const Flight& flight, LaneMask lanes, const Priorities&) override {
    flight.for_each_next(lanes, [&](Pc pc, LaneMask mask) {
      for (; mask != 0; mask &= mask - 1) ready_.push({flight.group.tid[lowest_bit(mask)], pc});
    });
    return true;
  }
  void drive(bool) override {}
  [[nodiscard]] bool may_hold(unsigned threads) const override { return threads == ready_.size(); }

 private:
  struct Thread {
    ThreadId tid;
    Pc pc;
  };
  const unsigned lanes_;
  Ring<Thread> ready_;
};

}  // namespace

std::unique_ptr<WarpSource> make_naive_source(const Config& config) { return std::make_unique<NaiveSource>(config); }
std::unique_ptr<WarpSource> make_pdom_barrel_source(const Config& config) {
  return std::make_unique<PdomSource>(config);
}
std::unique_ptr<WarpSource> make_mimd_source(const Config& config) { return std::make_unique<MimdSource>(config); }

}  // namespace heddle
