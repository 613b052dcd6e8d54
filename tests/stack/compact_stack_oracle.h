// SPDX-License-Identifier: Apache-2.0
// What stack/compact_stack must do: the textbook's stack of spe_stack_oracle.h, so deep that it never overflows, one
// for each warp, with resolutions that act and pops that happen a cycle after they were known. Depths are counted
// apart: a nesting is a divergence of which the textbook's stack still has entries.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/stack/spe_stack_oracle.h"

namespace heddle::test {

class CompactStackOracle {
 public:
  using Launch = SpeStackOracle::Launch;
  using Advance = SpeStackOracle::Advance;
  using Resolve = SpeStackOracle::Resolve;
  using Inputs = SpeStackOracle::Inputs;
  // Of one cycle: events are of the resolution that acts and of the pop that was chosen.
  struct Events {
    std::optional<WarpId> resolved, push, pop, done, overflow;
    bool next = false;
    std::set<std::string> met;
  };

  CompactStackOracle(unsigned warps, unsigned depth, PushOrder order, unsigned level_bits)
      : depth_(depth),
        warps_(warps, Warp{SpeStackOracle(1, 2 * depth + 1, order, level_bits)}) {}

  // One clock cycle: what was known before it, then its inputs.
  Events step(const Inputs& in) {
    Events events;
    const std::optional<WarpId> chosen = waiting_for_a_pop(in.kill);
    if (resolve_) act(*resolve_, events);
    if (pop_) pop(*pop_, events);
    if (in.launch) {
      Warp& warp = warps_.at(in.launch->warp);
      warp.stack.step({SpeStackOracle::Launch{0, in.launch->pc, in.launch->mask}, {}, {}});
    }
    if (in.advance) events.met.merge(warps_.at(in.advance->warp).stack.step({{}, SpeStackOracle::Advance{0}, {}}).met);
    resolve_ = in.resolve;
    pop_ = chosen;
    if (in.kill) {
      warps_.at(*in.kill).stack.step({{}, {}, {}, WarpId{0}});
      warps_.at(*in.kill).nestings.clear();
      if (busy(*in.kill)) resolve_.reset();
    }
    for (WarpId w = 0; w < warps_.size(); ++w) max_depth_ = std::max(max_depth_, depth(w));
    return events;
  }

  [[nodiscard]] const std::vector<SpeEntry>& entries(WarpId w) const { return warps_.at(w).stack.entries(0); }
  [[nodiscard]] SpeEntry top(WarpId w) const { return warps_.at(w).stack.top(0); }
  [[nodiscard]] LaneMask live(WarpId w) const { return warps_.at(w).stack.live(0); }
  [[nodiscard]] unsigned depth(WarpId w) const { return entries(w).empty() ? 0 : 1 + warps_.at(w).nestings.size(); }
  [[nodiscard]] unsigned max_depth() const { return max_depth_; }
  [[nodiscard]] const Levels& levels() const { return warps_.front().stack.levels(); }
  // A branch of the warp is not resolved yet.
  [[nodiscard]] bool busy(WarpId w) const { return resolve_ && resolve_->warp == w; }
  [[nodiscard]] std::optional<WarpId> resolving() const {
    return resolve_ ? std::optional<WarpId>(resolve_->warp) : std::nullopt;
  }
  // The warp that is popped in this cycle.
  [[nodiscard]] std::optional<WarpId> popping() const { return pop_; }
  // The one that is chosen in this cycle, if it is not killed.
  [[nodiscard]] std::optional<WarpId> waiting_for_a_pop(std::optional<WarpId> killed = std::nullopt) const {
    for (WarpId w = 0; w < warps_.size(); ++w) {
      if (depth(w) != 0 && top(w).mask == 0 && pop_ != w && killed != w) return w;
    }
    return std::nullopt;
  }
  // How many entries of the textbook's stack each nesting still has, from the outermost.
  [[nodiscard]] const std::vector<std::size_t>& nestings(WarpId w) const { return warps_.at(w).nestings; }

 private:
  struct Warp {
    SpeStackOracle stack;
    std::vector<std::size_t> nestings = {};
  };

  void act(Resolve in, Events& events) {
    Warp& warp = warps_.at(in.warp);
    const WarpId w = in.warp;
    in.warp = 0;
    Warp after = warp;
    after.stack.step({{}, {}, in});  // taken in
    const auto spe = after.stack.step({});
    const std::size_t left = after.stack.entries(0).size() - warp.stack.entries(0).size();
    if (left != 0) after.nestings.push_back(left);
    if (1 + after.nestings.size() > depth_) {
      events.overflow = w;
      return;
    }
    warp = after;
    events.resolved = w;
    events.met.insert(spe.met.begin(), spe.met.end());
    if (spe.push) {
      events.push = w;
    } else {
      events.next = top(w).mask != 0 && top(w).pc == in.next;
    }
  }

  void pop(WarpId w, Events& events) {
    Warp& warp = warps_.at(w);
    warp.stack.step({});  // chosen
    const auto spe = warp.stack.step({});
    events.pop = w;
    events.met.insert(spe.met.begin(), spe.met.end());
    if (spe.done) {
      events.done = w;
    } else if (--warp.nestings.back() == 0) {
      warp.nestings.pop_back();
    }
  }

  unsigned depth_;
  std::vector<Warp> warps_;
  std::optional<Resolve> resolve_;
  std::optional<WarpId> pop_;
  unsigned max_depth_ = 0;
};

}  // namespace heddle::test
