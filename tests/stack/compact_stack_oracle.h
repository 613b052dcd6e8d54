// SPDX-License-Identifier: Apache-2.0
// What stack/compact_stack must do: the textbook's stack of spe_stack_oracle.h, so deep that it never overflows. Depths are
// counted apart: a nesting is a divergence of which the textbook's stack still has entries.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/stack/spe_stack_oracle.h"

namespace heddle::test {

class CompactStackOracle {
 public:
  using Launch = SpeStackOracle::Launch;
  using Advance = SpeStackOracle::Advance;
  using Resolve = SpeStackOracle::Resolve;
  using Inputs = SpeStackOracle::Inputs;
  using Events = SpeStackOracle::Events;

  CompactStackOracle(unsigned warps, unsigned depth, PushOrder order, unsigned level_bits)
      : depth_(depth), stack_(warps, 2 * depth + 1, order, level_bits), warps_(warps) {}

  // One clock cycle. A divergence that finds no room is none for the textbook's stack.
  Events step(const Inputs& in) {
    const SpeStackOracle before = stack_;
    const auto acting = before.acting();
    Events events = stack_.step(in);
    if (acting) {
      auto& nestings = warps_.at(acting->warp).nestings;
      const std::size_t left = stack_.entries(acting->warp).size() - before.entries(acting->warp).size();
      if (left != 0 && nestings.size() + 2 > depth_) {
        stack_ = before;
        stack_.forget_acting();
        events = stack_.step(in);
        events.overflow = acting->warp;
      } else if (left != 0) {
        nestings.push_back(left);
      }
    }
    if (events.pop && !events.done) {
      auto& nestings = warps_.at(*events.pop).nestings;
      if (--nestings.back() == 0) nestings.pop_back();
    }
    if (in.launch) warps_.at(in.launch->warp).launched = true;
    for (WarpId w = 0; w < warps_.size(); ++w) max_depth_ = std::max(max_depth_, depth(w));
    return events;
  }

  [[nodiscard]] const std::vector<SpeEntry>& entries(WarpId w) const { return stack_.entries(w); }
  [[nodiscard]] SpeEntry top(WarpId w) const { return stack_.top(w); }
  [[nodiscard]] LaneMask live(WarpId w) const { return stack_.live(w); }
  // The data of a warp that was never launched are not said.
  [[nodiscard]] bool launched(WarpId w) const { return warps_.at(w).launched; }
  [[nodiscard]] unsigned depth(WarpId w) const { return entries(w).empty() ? 0 : 1 + warps_.at(w).nestings.size(); }
  [[nodiscard]] unsigned max_depth() const { return max_depth_; }
  [[nodiscard]] const Levels& levels() const { return stack_.levels(); }
  // A branch of the warp is not resolved yet.
  [[nodiscard]] bool busy(WarpId w) const { return stack_.acting() && stack_.acting()->warp == w; }
  // How many entries of the textbook's stack each nesting still has, from the outermost.
  [[nodiscard]] const std::vector<std::size_t>& nestings(WarpId w) const { return warps_.at(w).nestings; }

 private:
  struct Warp {
    std::vector<std::size_t> nestings = {};
    bool launched = false;
  };

  unsigned depth_;
  SpeStackOracle stack_;
  std::vector<Warp> warps_;
  unsigned max_depth_ = 0;
};

}  // namespace heddle::test
