// SPDX-License-Identifier: Apache-2.0
// What stack/spe_stack must do, said with a std::vector a warp (docs/frontend.md, DWF paper 3.2).
#pragma once

#include <algorithm>
#include <optional>
#include <ostream>
#include <vector>

#include "heddle/types.h"

namespace heddle::test {

enum class PushOrder { kTakenFirst = 0, kFallthroughFirst = 1, kSmallerFirst = 2, kLargerFirst = 3 };

struct SpeEntry {
  Pc pc = 0;
  LaneMask mask = 0;
  Pc rpc = kNoRpc;
  bool sibling = false;
  friend std::ostream& operator<<(std::ostream& out, const SpeEntry& e) {
    return out << std::hex << "{" << e.pc << " " << e.mask << " " << e.rpc << (e.sibling ? " sibling}" : "}") << std::dec;
  }
  friend bool operator==(const SpeEntry& a, const SpeEntry& b) {
    return a.pc == b.pc && a.mask == b.mask && a.rpc == b.rpc && a.sibling == b.sibling;
  }
};

class SpeStackOracle {
 public:
  struct Launch { WarpId warp; Pc pc; LaneMask mask; };
  struct Advance { WarpId warp; };
  struct Resolve { WarpId warp; LaneMask taken; Pc target, next, rpc; LaneMask exit; };
  struct Inputs {
    std::optional<Launch> launch;
    std::optional<Advance> advance;
    std::optional<Resolve> resolve;
  };
  struct Events {
    std::optional<WarpId> push, pop, done, overflow;
  };

  SpeStackOracle(unsigned warps, unsigned depth, PushOrder order) : depth_(depth), order_(order), warps_(warps) {}

  // One clock cycle.
  Events step(const Inputs& in) {
    Events events;
    for (WarpId w = 0; w < warps_.size() && !events.pop; ++w) {
      if (!warps_[w].stack.empty() && warps_[w].stack.back().mask == 0) events.pop = w;
    }
    if (in.advance) {
      SpeEntry& top = warps_.at(in.advance->warp).stack.back();
      arrive(top, top.pc + 4, top.mask);
    }
    if (in.resolve) resolve(*in.resolve, events);
    if (in.launch) {
      Warp& warp = warps_.at(in.launch->warp);
      warp.stack = {{in.launch->pc, in.launch->mask, kNoRpc, false}};
      warp.live = in.launch->mask;
    }
    if (events.pop) {
      Warp& warp = warps_[*events.pop];
      warp.ended = warp.stack.back();
      warp.stack.pop_back();
      if (warp.stack.empty()) {
        events.done = events.pop;
      } else {
        warp.stack.back().mask &= warp.live;
      }
    }
    for (const Warp& warp : warps_) max_depth_ = std::max<unsigned>(max_depth_, warp.stack.size());
    return events;
  }

  // All entries of a warp, bottom to top.
  [[nodiscard]] const std::vector<SpeEntry>& entries(WarpId w) const { return warps_.at(w).stack; }
  // What the top-of-stack registers show: the top, or what was left there when the warp ended.
  [[nodiscard]] SpeEntry top(WarpId w) const {
    const Warp& warp = warps_.at(w);
    return warp.stack.empty() ? warp.ended : warp.stack.back();
  }
  [[nodiscard]] LaneMask live(WarpId w) const { return warps_.at(w).live; }
  [[nodiscard]] unsigned depth(WarpId w) const { return warps_.at(w).stack.size(); }
  [[nodiscard]] unsigned max_depth() const { return max_depth_; }
  [[nodiscard]] unsigned capacity() const { return depth_; }

 private:
  struct Warp {
    std::vector<SpeEntry> stack;
    SpeEntry ended;
    LaneMask live = 0;
  };

  static void arrive(SpeEntry& entry, Pc pc, LaneMask mask) {
    entry.pc = pc;
    entry.mask = entry.rpc != kNoRpc && pc == entry.rpc ? 0 : mask;
  }

  void resolve(const Resolve& in, Events& events) {
    Warp& warp = warps_.at(in.warp);
    const LaneMask live = warp.live & ~in.exit;
    const SpeEntry old = warp.stack.back();
    const LaneMask mask = old.mask & live;
    const LaneMask taken = mask & in.taken;
    const LaneMask rest = mask & ~in.taken;
    if (mask == 0) {
      warp.stack.back().mask = 0;
    } else if (rest == 0) {
      arrive(warp.stack.back(), in.target, mask);
    } else if (taken == 0 || in.target == in.next) {
      arrive(warp.stack.back(), in.next, mask);
    } else {
      const Pc rpc = in.rpc == kNoRpc ? old.rpc : in.rpc;
      std::vector<SpeEntry> grown = warp.stack;
      const bool tail = rpc == old.rpc;
      if (tail) {
        grown.pop_back();
      } else {
        grown.back().pc = rpc;
        grown.back().mask = mask;
      }
      // The sides in the order in which they execute.
      std::vector<SpeEntry> sides = {{in.target, taken, rpc, false}, {in.next, rest, rpc, false}};
      const bool swap = order_ == PushOrder::kFallthroughFirst ||
                        (order_ == PushOrder::kSmallerFirst && popcount(rest) < popcount(taken)) ||
                        (order_ == PushOrder::kLargerFirst && popcount(rest) > popcount(taken));
      if (swap) std::swap(sides[0], sides[1]);
      if (rpc != kNoRpc) {
        sides.erase(std::remove_if(sides.begin(), sides.end(), [&](const SpeEntry& s) { return s.pc == rpc; }),
                    sides.end());
      }
      sides.back().sibling = tail && old.sibling;
      if (sides.size() == 2) sides.front().sibling = true;
      grown.insert(grown.end(), sides.rbegin(), sides.rend());
      if (grown.size() > depth_) {
        events.overflow = in.warp;
        return;
      }
      events.push = in.warp;
      warp.stack = grown;
    }
    warp.live = live;
  }

  unsigned depth_;
  PushOrder order_;
  std::vector<Warp> warps_;
  unsigned max_depth_ = 0;
};

}  // namespace heddle::test
