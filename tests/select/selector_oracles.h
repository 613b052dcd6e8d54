// SPDX-License-Identifier: Apache-2.0
// What the two selectors must do (docs/frontend.md, DPE paper 3.3): queues of warps and a choice of slot.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "heddle/types.h"

namespace heddle::test {

enum class Policy { kRoundRobin = 0, kGreedyThenOldest = 1 };

struct Grant {
  WarpId warp = 0;
  unsigned slot = 0;
  friend bool operator==(const Grant& a, const Grant& b) { return a.warp == b.warp && a.slot == b.slot; }
};

// Level 2: which warp of those with a winner.
class WarpChoice {
 public:
  WarpChoice(unsigned warps, Policy policy) : policy_(policy) {
    for (WarpId w = 0; w < warps; ++w) queue_.push_back(w);
  }

  [[nodiscard]] std::optional<WarpId> choose(const std::vector<bool>& wants) const {
    if (policy_ == Policy::kGreedyThenOldest && greedy_ && wants[*greedy_]) return greedy_;
    for (WarpId w : queue_) {
      if (wants[w]) return w;
    }
    return std::nullopt;
  }
  void clock(std::optional<WarpId> granted, std::optional<WarpId> launched) {
    if (policy_ == Policy::kRoundRobin) {
      // The granted warp goes to the end, with all that stand before it.
      if (granted) std::rotate(queue_.begin(), std::find(queue_.begin(), queue_.end(), *granted) + 1, queue_.end());
      return;
    }
    if (granted) greedy_ = granted;
    if (launched) {
      queue_.erase(std::find(queue_.begin(), queue_.end(), *launched));
      queue_.push_back(*launched);  // the youngest
      if (greedy_ == launched) greedy_.reset();
    }
  }

 private:
  Policy policy_;
  std::deque<WarpId> queue_;  // round robin: whose turn; greedy then oldest: by age
  std::optional<WarpId> greedy_;
};

class WarpSelectorOracle {
 public:
  struct Inputs {
    std::optional<WarpId> launch;
    std::vector<std::vector<bool>> ready;  // per slot, per warp
  };

  WarpSelectorOracle(unsigned warps, unsigned slots, Policy policy) : choice_(warps, policy) {
    std::deque<unsigned> turn;
    for (unsigned slot = 0; slot < slots; ++slot) turn.push_back(slot);
    turns_.assign(warps, turn);
  }

  std::optional<Grant> step(const Inputs& in) {
    std::vector<bool> wants;
    for (WarpId w = 0; w < turns_.size(); ++w) wants.push_back(first_ready(in, w).has_value());
    const auto warp = choice_.choose(wants);
    std::optional<Grant> grant;
    if (warp) {
      grant = Grant{*warp, *first_ready(in, *warp)};
      // The granted slot goes to the end, with all that stand before it.
      std::deque<unsigned>& turn = turns_[*warp];
      std::rotate(turn.begin(), std::find(turn.begin(), turn.end(), grant->slot) + 1, turn.end());
    }
    choice_.clock(warp, in.launch);
    return grant;
  }

 private:
  [[nodiscard]] std::optional<unsigned> first_ready(const Inputs& in, WarpId w) const {
    for (unsigned slot : turns_[w]) {
      if (in.ready[slot][w]) return slot;
    }
    return std::nullopt;
  }

  WarpChoice choice_;
  std::vector<std::deque<unsigned>> turns_;  // of a warp: its slots, the one whose turn it is first
};

class ConstrainedSelectorOracle {
 public:
  struct Miss {
    WarpId warp;
    unsigned slot;
  };
  struct Inputs {
    std::optional<WarpId> launch;
    std::array<std::vector<bool>, 2> ready, valid, long_latency;  // per slot, per warp
    std::optional<Miss> miss;
  };

  ConstrainedSelectorOracle(unsigned warps, Policy policy) : choice_(warps, policy), current_(warps, 0) {}

  [[nodiscard]] unsigned current(WarpId w) const { return current_.at(w); }

  std::optional<Grant> step(const Inputs& in) {
    std::vector<bool> wants;
    for (WarpId w = 0; w < current_.size(); ++w) wants.push_back(in.ready[current_[w]][w]);
    const auto warp = choice_.choose(wants);
    std::optional<Grant> grant;
    if (warp) grant = Grant{*warp, current_[*warp]};
    for (WarpId w = 0; w < current_.size(); ++w) {
      const unsigned slot = current_[w];
      const bool gone = !in.valid[slot][w];
      const bool waits = warp == w && in.long_latency[slot][w];
      const bool missed = in.miss && in.miss->warp == w && in.miss->slot == slot;
      if ((gone || waits || missed) && in.valid[1 - slot][w]) current_[w] = 1 - slot;
    }
    if (in.launch) current_.at(*in.launch) = 0;
    choice_.clock(warp, in.launch);
    return grant;
  }

 private:
  WarpChoice choice_;
  std::vector<unsigned> current_;
};

}  // namespace heddle::test
