// SPDX-License-Identifier: Apache-2.0
// What stack/dpe_stack must do, said with a std::vector a warp (docs/frontend.md, DPE paper 3.1).
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <vector>

#include "heddle/types.h"

namespace heddle::test {

struct DpePath {
  Pc pc = 0;
  LaneMask mask = 0;
  friend bool operator==(const DpePath& a, const DpePath& b) { return a.pc == b.pc && a.mask == b.mask; }
};

struct DpeEntry {
  std::array<DpePath, 2> path;  // left, right
  Pc rpc = kNoRpc;
  [[nodiscard]] bool empty() const { return path[0].mask == 0 && path[1].mask == 0; }
  friend std::ostream& operator<<(std::ostream& out, const DpeEntry& e) {
    return out << std::hex << "{L " << e.path[0].pc << " " << e.path[0].mask << ", R " << e.path[1].pc << " "
               << e.path[1].mask << ", " << e.rpc << "}" << std::dec;
  }
  friend bool operator==(const DpeEntry& a, const DpeEntry& b) { return a.path == b.path && a.rpc == b.rpc; }
};

class DpeStackOracle {
 public:
  struct Launch { WarpId warp; Pc pc; LaneMask mask; };
  struct Advance { WarpId warp; unsigned slot; };
  struct Resolve { WarpId warp; unsigned slot; LaneMask taken; Pc target, next, rpc; LaneMask exit; };
  struct Inputs {
    std::optional<Launch> launch;
    std::optional<Advance> advance;
    std::optional<Resolve> resolve;
  };
  struct Events {
    std::optional<WarpId> push, pop, done, overflow;
    bool replaced = false;  // the push replaced the top entry
  };

  DpeStackOracle(unsigned warps, unsigned depth, bool taken_left) : depth_(depth), taken_left_(taken_left), warps_(warps) {}

  // One clock cycle.
  Events step(const Inputs& in) {
    Events events;
    for (WarpId w = 0; w < warps_.size() && !events.pop; ++w) {
      if (!warps_[w].stack.empty() && warps_[w].stack.back().empty()) events.pop = w;
    }
    if (in.advance) {
      DpeEntry& top = warps_.at(in.advance->warp).stack.back();
      DpePath& path = top.path.at(in.advance->slot);
      path = arrived({path.pc + 4, path.mask}, top.rpc);
    }
    if (in.resolve) resolve(*in.resolve, events);
    if (in.launch) {
      Warp& warp = warps_.at(in.launch->warp);
      DpeEntry first;
      first.path[0] = {in.launch->pc, in.launch->mask};
      warp.stack = {first};
      warp.live = in.launch->mask;
    }
    if (events.pop) {
      Warp& warp = warps_[*events.pop];
      warp.ended = warp.stack.back();
      warp.stack.pop_back();
      if (warp.stack.empty()) {
        events.done = events.pop;
      } else {
        for (DpePath& path : warp.stack.back().path) path.mask &= warp.live;
      }
    }
    for (const Warp& warp : warps_) max_depth_ = std::max<unsigned>(max_depth_, warp.stack.size());
    return events;
  }

  // All entries of a warp, bottom to top.
  [[nodiscard]] const std::vector<DpeEntry>& entries(WarpId w) const { return warps_.at(w).stack; }
  // What the top-of-stack registers show: the top, or what was left there when the warp ended.
  [[nodiscard]] DpeEntry top(WarpId w) const {
    const Warp& warp = warps_.at(w);
    return warp.stack.empty() ? warp.ended : warp.stack.back();
  }
  [[nodiscard]] LaneMask live(WarpId w) const { return warps_.at(w).live; }
  [[nodiscard]] unsigned depth(WarpId w) const { return warps_.at(w).stack.size(); }
  [[nodiscard]] unsigned max_depth() const { return max_depth_; }

 private:
  struct Warp {
    std::vector<DpeEntry> stack;
    DpeEntry ended;
    LaneMask live = 0;
  };

  // A path that stands at the reconvergence point of its entry is an empty slot.
  static DpePath arrived(DpePath path, Pc rpc) {
    if (rpc != kNoRpc && path.pc == rpc) path.mask = 0;
    return path;
  }

  void resolve(const Resolve& in, Events& events) {
    Warp& warp = warps_.at(in.warp);
    DpeEntry top = warp.stack.back();
    DpePath& self = top.path.at(in.slot);
    const DpePath& other = top.path.at(1 - in.slot);
    const LaneMask live = warp.live & ~in.exit;
    const LaneMask mask = self.mask & live;
    const DpePath taken{in.target, mask & in.taken};
    const DpePath rest{in.next, mask & ~in.taken};
    std::vector<DpeEntry> grown = warp.stack;
    grown.pop_back();
    if (mask == 0) {
      self.mask = 0;
      grown.push_back(top);
    } else if (taken.mask == 0 || rest.mask == 0 || in.target == in.next) {
      self = arrived({rest.mask == 0 ? in.target : in.next, mask}, top.rpc);
      grown.push_back(top);
    } else {
      const Pc rpc = in.rpc == kNoRpc ? top.rpc : in.rpc;
      DpeEntry pushed;
      pushed.rpc = rpc;
      pushed.path[taken_left_ ? 0 : 1] = arrived(taken, rpc);
      pushed.path[taken_left_ ? 1 : 0] = arrived(rest, rpc);
      if (rpc == top.rpc) {
        self.mask = 0;
        events.replaced = other.mask == 0;
      } else {
        self = {rpc, mask};
      }
      if (!events.replaced) grown.push_back(top);
      grown.push_back(pushed);
      if (grown.size() > depth_) {
        events.overflow = in.warp;
        events.replaced = false;
        return;
      }
      events.push = in.warp;
    }
    warp.stack = grown;
    warp.live = live;
  }

  unsigned depth_;
  bool taken_left_;
  std::vector<Warp> warps_;
  unsigned max_depth_ = 0;
};

}  // namespace heddle::test
