// SPDX-License-Identifier: Apache-2.0
// What stack/dpe_stack must do, said with a std::vector a warp (docs/frontend.md, DPE paper 3.1).
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "heddle/types.h"
#include "tests/stack/place.h"

namespace heddle::test {

struct DpePath {
  Pc pc = 0;
  LaneMask mask = 0;
  unsigned level = 0;
  bool at_return = false;  // waits below paths that meet where they return to: the pop will say its PC
  friend std::ostream& operator<<(std::ostream& out, const DpePath& p) {
    out << std::hex;
    if (p.at_return) {
      out << "return";
    } else {
      out << p.pc;
    }
    return out << " " << p.mask << std::dec << " level " << p.level;
  }
  friend bool operator==(const DpePath& a, const DpePath& b) {
    return a.pc == b.pc && a.mask == b.mask && a.level == b.level && a.at_return == b.at_return;
  }
};

struct DpeEntry {
  std::array<DpePath, 2> path;  // left, right
  Place place;
  [[nodiscard]] bool empty() const { return path[0].mask == 0 && path[1].mask == 0; }
  friend std::ostream& operator<<(std::ostream& out, const DpeEntry& e) {
    return out << "{L " << e.path[0] << ", R " << e.path[1] << ", " << e.place << "}";
  }
  friend bool operator==(const DpeEntry& a, const DpeEntry& b) { return a.path == b.path && a.place == b.place; }
};

class DpeStackOracle {
 public:
  struct Launch { WarpId warp; Pc pc; LaneMask mask; };
  struct Advance { WarpId warp; unsigned slot; };
  struct Resolve {
    WarpId warp;
    unsigned slot;
    LaneMask taken;
    Pc target, next, rpc;
    LaneMask exit;
    bool call = false, returns = false;
  };
  struct Inputs {
    std::optional<Launch> launch;
    std::optional<Advance> advance;
    std::optional<Resolve> resolve;
    std::optional<WarpId> kill = std::nullopt;
  };
  struct Resolved { WarpId warp; unsigned slot; bool next; };  // next: its path simply goes on behind its instruction
  struct Events {
    std::optional<Resolved> resolved;
    std::optional<WarpId> push, pop, done, overflow;
    bool replaced = false;      // the push replaced the top entry
    std::set<std::string> met;  // situations, for a test that claims to have met them
  };

  DpeStackOracle(unsigned warps, unsigned depth, bool taken_left, unsigned level_bits = 8)
      : depth_(depth), taken_left_(taken_left), levels_(level_bits), warps_(warps) {}

  // One clock cycle. Of the inputs a resolution acts a cycle later, and the pop was chosen a cycle ago.
  Events step(const Inputs& in) {
    Events events;
    events.pop = chosen_;
    std::optional<WarpId> chosen = waiting_for_a_pop(in.kill);
    if (in.advance) {
      DpeEntry& top = warps_.at(in.advance->warp).stack.back();
      advance(top, top.path.at(in.advance->slot), events);
    }
    if (acting_) resolve(*acting_, events);
    if (in.launch) {
      Warp& warp = warps_.at(in.launch->warp);
      DpeEntry first;
      first.path[0] = {in.launch->pc, in.launch->mask};
      warp.stack = {first};
      warp.live = in.launch->mask;
    }
    if (events.pop) pop(*events.pop, events);
    acting_ = in.resolve;
    chosen_ = chosen;
    if (in.kill) {
      warps_.at(*in.kill) = Warp();
      if (acting_ && acting_->warp == *in.kill) acting_.reset();
    }
    for (const Warp& warp : warps_) max_depth_ = std::max<unsigned>(max_depth_, warp.stack.size());
    return events;
  }

  // All entries of a warp, bottom to top.
  [[nodiscard]] const std::vector<DpeEntry>& entries(WarpId w) const { return warps_.at(w).stack; }
  // What the top-of-stack registers show; nothing, if the warp has ended.
  [[nodiscard]] DpeEntry top(WarpId w) const { return depth(w) == 0 ? DpeEntry() : warps_.at(w).stack.back(); }
  [[nodiscard]] LaneMask live(WarpId w) const { return warps_.at(w).live; }
  [[nodiscard]] unsigned depth(WarpId w) const { return warps_.at(w).stack.size(); }
  [[nodiscard]] unsigned max_depth() const { return max_depth_; }
  // The resolution that was taken in at the last edge.
  [[nodiscard]] const std::optional<Resolve>& acting() const { return acting_; }
  [[nodiscard]] std::optional<WarpId> resolving() const { return acting_ ? std::optional<WarpId>(acting_->warp) : std::nullopt; }
  // The warp that is popped in this cycle.
  [[nodiscard]] std::optional<WarpId> popping() const { return chosen_; }
  // The one that is chosen in this cycle, if it is not killed.
  [[nodiscard]] std::optional<WarpId> waiting_for_a_pop(std::optional<WarpId> killed = std::nullopt) const {
    for (WarpId w = 0; w < warps_.size(); ++w) {
      if (!warps_[w].stack.empty() && warps_[w].stack.back().empty() && w != chosen_ && w != killed) return w;
    }
    return std::nullopt;
  }
  [[nodiscard]] const Levels& levels() const { return levels_; }

 private:
  struct Warp {
    std::vector<DpeEntry> stack;
    LaneMask live = 0;
  };

  // The next instruction of a path: it may be the one where the entry's paths meet, but no return brought it there.
  static void advance(const DpeEntry& entry, DpePath& path, Events& events) {
    path.pc += 4;
    if (entry.place.returning()) {
      if (entry.place.arrived(path.pc, path.level)) events.met.insert("advance_to_the_return_address");
    } else if (entry.place.arrived(path.pc, path.level)) {
      path.mask = 0;
    } else if (entry.place.pc() == path.pc) {
      events.met.insert("rpc_passed_at_another_level");
    }
  }

  // A resolution puts the path into this slot of the entry: empty if it has arrived, and then its return address is known.
  static bool put(DpeEntry& entry, unsigned slot, const DpePath& path) {
    entry.path.at(slot) = path;
    if (!entry.place.arrived(path.pc, path.level)) return false;
    entry.path.at(slot).mask = 0;
    entry.place.learn(path.pc);
    return true;
  }

  void resolve(const Resolve& in, Events& events) {
    Warp& warp = warps_.at(in.warp);
    DpeEntry top = warp.stack.back();
    DpePath& self = top.path.at(in.slot);
    const DpePath& other = top.path.at(1 - in.slot);
    const unsigned level = self.level;
    const LaneMask live = warp.live & ~in.exit;
    const LaneMask mask = self.mask & live;
    unsigned target_level = level;
    if (in.call) target_level = levels_.above(level);
    if (in.returns) target_level = levels_.below(level);
    const DpePath taken{in.target, mask & in.taken, target_level};
    const DpePath rest{in.next, mask & ~in.taken, level};
    if (taken.mask != 0 && in.call) events.met.insert(level == levels_.last() ? "call_wraps" : "call");
    if (taken.mask != 0 && in.returns) events.met.insert(level == 0 ? "return_wraps" : "return");
    std::vector<DpeEntry> grown = warp.stack;
    grown.pop_back();
    if (mask == 0) {
      self.mask = 0;
      grown.push_back(top);
    } else if (taken.mask == 0 || rest.mask == 0 || in.target == in.next) {
      const DpePath goes = rest.mask == 0 ? taken : DpePath{in.next, mask, level};
      const bool known = top.place.returning() && top.place.address();
      if (put(top, in.slot, goes)) {
        if (top.place.returning()) events.met.insert(known ? "return_to_a_known_address" : "address_learnt");
      } else if (known && goes.level == top.place.level()) {
        events.met.insert("return_elsewhere");
      } else if (top.place.pc() == goes.pc) {
        events.met.insert("rpc_passed_at_another_level");
      }
      grown.push_back(top);
    } else {
      const Place place = meeting_place(in.rpc, level, top.place, levels_);
      const bool known = place.returning() && place.address();
      DpeEntry pushed;
      pushed.place = place;
      const bool taken_there = put(pushed, taken_left_ ? 0 : 1, taken);
      const bool rest_there = put(pushed, taken_left_ ? 1 : 0, rest);
      const bool tail = place.same(top.place);
      if (tail) {
        self.mask = 0;
        events.replaced = other.mask == 0;
      } else {
        self = {place.pc().value_or(0), mask, place.level(), place.returning()};
      }
      if (!events.replaced) grown.push_back(top);
      grown.push_back(pushed);
      if (grown.size() > depth_) {
        events.overflow = in.warp;
        events.replaced = false;
        return;
      }
      events.push = in.warp;
      if (in.call) events.met.insert("divergent_call");
      if (in.returns) events.met.insert("divergent_return");
      if (in.rpc == kNoRpc) events.met.insert("inherits");
      if (in.rpc == kReturnRpc && level == 0) {
        events.met.insert("return_divergence_at_level_0");
      } else if (in.rpc == kReturnRpc) {
        events.met.insert(!tail ? "return_divergence" : events.replaced ? "return_tail_replaced" : "return_tail_kept");
      }
      if (place.returning() && (taken_there || rest_there)) {
        events.met.insert(known ? "side_returns_to_a_known_address" : "side_brings_the_address");
      }
    }
    warp.stack = grown;
    warp.live = live;
    const DpePath& now = warp.stack.back().path.at(in.slot);
    events.resolved = Resolved{in.warp, in.slot, !events.push && now.mask != 0 && now.pc == in.next};
  }

  void pop(WarpId w, Events& events) {
    Warp& warp = warps_[w];
    const DpeEntry above = warp.stack.back();
    warp.stack.pop_back();
    if (warp.stack.empty()) {
      events.done = w;
      return;
    }
    DpeEntry& top = warp.stack.back();
    for (DpePath& path : top.path) path.mask &= warp.live;
    if (above.place.returning() && top.place.same(above.place)) {
      if (above.place.address() && !top.place.address()) events.met.insert("address_goes_on_to_the_sibling");
      top.place = above.place;
    }
    for (DpePath& path : top.path) {
      if (!path.at_return) continue;
      const LaneMask back = path.mask;
      path.at_return = false;
      path.pc = above.place.address().value_or(0);
      if (top.place.arrived(path.pc, path.level)) path.mask = 0;
      events.met.insert(!above.place.address() ? "pop_without_address" : "pop_to_the_return_address");
      if (back != 0 && path.mask == 0) events.met.insert("return_address_is_the_own_rpc");
    }
  }

  unsigned depth_;
  bool taken_left_;
  Levels levels_;
  std::vector<Warp> warps_;
  unsigned max_depth_ = 0;
  std::optional<Resolve> acting_;
  std::optional<WarpId> chosen_;
};

}  // namespace heddle::test
