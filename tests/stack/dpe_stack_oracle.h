// SPDX-License-Identifier: Apache-2.0
// What stack/dpe_stack must do, said with a std::vector a warp (docs/frontend.md, DPE paper 3.1, 7.1 and 7.2).
//
// Path forwarding is said by moving: the path of the entry below leaves its slot for that of the entry above, knows whose it
// is and so where it arrives, and moves back, as it is then, when that entry is popped.
//
// Memory-divergence splitting: an entry knows whether its paths are parts of one, and which of them waits at its branch.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "heddle/types.h"
#include "tests/stack/place.h"

namespace heddle::test {

struct DpePath {
  Pc pc = 0;
  LaneMask mask = 0;
  unsigned level = 0;
  bool at_return = false;         // waits below paths that meet where they return to: the pop will say its PC
  std::optional<unsigned> guest = std::nullopt;  // of the entry with this number (from the bottom), whose place is its own
  [[nodiscard]] bool own() const { return mask != 0 && !guest; }
  friend std::ostream& operator<<(std::ostream& out, const DpePath& p) {
    out << std::hex;
    if (p.at_return) {
      out << "return";
    } else {
      out << p.pc;
    }
    out << " " << p.mask << std::dec << " level " << p.level;
    if (p.guest) out << " guest of entry " << *p.guest;
    return out;
  }
  friend bool operator==(const DpePath& a, const DpePath& b) {
    return a.pc == b.pc && a.mask == b.mask && a.level == b.level && a.at_return == b.at_return && a.guest == b.guest;
  }
};

struct DpeEntry {
  std::array<DpePath, 2> path;  // left, right
  Place place;
  bool shares = false;            // the entry below meets there, too: what is learnt here it knows
  std::optional<unsigned> offer = std::nullopt;  // the slot of the entry below whose path may run here
  bool handed = false;            // and has come, whether it is still here or not
  bool parts = false;             // its paths, if there are two, are parts of one
  std::array<bool, 2> waits{};    // they stand at a branch until the other part comes or can come no more
  [[nodiscard]] bool divided() const { return parts && path[0].mask != 0 && path[1].mask != 0; }
  // Both parts stand at one place.
  [[nodiscard]] bool beside() const { return path[0].pc == path[1].pc && path[0].level == path[1].level; }
  [[nodiscard]] bool empty() const { return path[0].mask == 0 && path[1].mask == 0; }
  friend std::ostream& operator<<(std::ostream& out, const DpeEntry& e) {
    out << "{L " << e.path[0] << ", R " << e.path[1] << ", " << e.place;
    if (e.offer) out << ", " << (e.handed ? "handed " : "offered ") << (*e.offer == 0 ? "L" : "R");
    if (e.divided()) out << ", parts";
    if (e.waits[0]) out << ", L waits";
    if (e.waits[1]) out << ", R waits";
    return out << "}";
  }
  // `shares` follows from how the entry came to be and is not compared; `parts` says nothing of a single path.
  friend bool operator==(const DpeEntry& a, const DpeEntry& b) {
    return a.path == b.path && a.place == b.place && a.offer == b.offer && a.handed == b.handed &&
           a.divided() == b.divided() && a.waits == b.waits;
  }
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
    bool mark = false;  // cannot be executed again
  };
  struct Split { WarpId warp; unsigned slot; LaneMask behind; };
  using Path = std::pair<WarpId, unsigned>;  // warp and slot
  struct Inputs {
    std::optional<Launch> launch;
    std::optional<Advance> advance;
    std::optional<Resolve> resolve;
    std::optional<WarpId> kill = std::nullopt;
    std::set<WarpId> hold = {};
    std::optional<Split> split = std::nullopt;
    std::set<Path> merge = {}, stopped = {};  // that may be joined; that stand at a barrier
  };
  struct Choice { WarpId warp; bool forward; };
  struct Resolved { WarpId warp; unsigned slot; bool next; };  // next: its path simply goes on behind its instruction
  struct Events {
    std::optional<Resolved> resolved;
    std::optional<WarpId> push, pop, done, overflow;
    std::optional<WarpId> forward;
    bool replaced = false;      // the push replaced the top entry
    std::set<std::string> met;  // situations, for a test that claims to have met them
  };

  DpeStackOracle(unsigned warps, unsigned depth, bool taken_left, unsigned level_bits = 8, bool forward = false, bool split = false)
      : depth_(depth), taken_left_(taken_left), forward_(forward), split_(split), levels_(level_bits), warps_(warps) {}

  // One clock cycle. Of the inputs a resolution acts a cycle later, and the pop or forward was chosen a cycle ago.
  Events step(const Inputs& in) {
    Events events;
    if (chosen_) (chosen_->forward ? events.forward : events.pop) = chosen_->warp;
    const std::optional<Choice> chosen = choice(in.hold, in.kill);
    const std::optional<WarpId> to_meet = split_ ? meet_choice(in.stopped, in.kill) : std::nullopt;
    const std::vector<Path> ended = ended_waits(in.stopped);
    if (in.advance) advance(*in.advance, in, events);
    if (acting_) resolve(*acting_, in, events);
    for (const auto& [w, slot] : ended) warps_[w].stack.back().waits.at(slot) = false;
    if (meeting_) meet(*meeting_, in.kill == meeting_, events);
    if (in.split) split(*in.split);
    if (in.launch) {
      Warp& warp = warps_.at(in.launch->warp);
      DpeEntry first;
      first.path[0] = {in.launch->pc, in.launch->mask};
      warp.stack = {first};
      warp.live = in.launch->mask;
    }
    if (events.pop) pop(*events.pop, events);
    if (events.forward) forward(*events.forward, in.kill == events.forward, events);
    acting_ = in.resolve;
    chosen_ = chosen;
    meeting_ = to_meet;
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
  // Where the path in this slot of the top arrives.
  [[nodiscard]] const Place& place(WarpId w, unsigned slot) const { return place_of(warps_.at(w).stack, top(w).path.at(slot)); }
  [[nodiscard]] LaneMask live(WarpId w) const { return warps_.at(w).live; }
  [[nodiscard]] unsigned depth(WarpId w) const { return warps_.at(w).stack.size(); }
  [[nodiscard]] unsigned max_depth() const { return max_depth_; }
  [[nodiscard]] std::uint32_t forwards() const { return forwards_; }
  [[nodiscard]] std::uint32_t splits() const { return splits_; }
  [[nodiscard]] std::uint32_t merges() const { return merges_; }
  // The path waits at its branch in this cycle.
  [[nodiscard]] bool waiting(WarpId w, unsigned slot, const std::set<Path>& stopped) const {
    const DpeEntry now = top(w);
    return now.waits.at(slot) && now.path.at(1 - slot).mask != 0 && stopped.count({w, 1 - slot}) == 0;
  }
  // The warp whose parts meet in this cycle if they stand at one place, and the one that is chosen for it.
  [[nodiscard]] std::optional<WarpId> meeting() const { return meeting_; }
  [[nodiscard]] std::optional<WarpId> meet_choice(const std::set<Path>& stopped, std::optional<WarpId> killed) const {
    for (WarpId w = 0; w < warps_.size(); ++w) {
      if (w == meeting_ || w == killed || !top(w).divided()) continue;
      if (stopped.count({w, 0}) != 0 && stopped.count({w, 1}) != 0) return w;
    }
    return std::nullopt;
  }
  // The resolution that was taken in at the last edge.
  [[nodiscard]] const std::optional<Resolve>& acting() const { return acting_; }
  [[nodiscard]] std::optional<WarpId> resolving() const { return acting_ ? std::optional<WarpId>(acting_->warp) : std::nullopt; }
  // The warp that is popped, or that a path is forwarded in, in this cycle.
  [[nodiscard]] std::optional<WarpId> popping() const { return chosen_ && !chosen_->forward ? std::optional(chosen_->warp) : std::nullopt; }
  [[nodiscard]] std::optional<WarpId> forwarding() const { return chosen_ && chosen_->forward ? std::optional(chosen_->warp) : std::nullopt; }
  // What is chosen in this cycle.
  [[nodiscard]] std::optional<Choice> choice(const std::set<WarpId>& held = {}, std::optional<WarpId> killed = std::nullopt) const {
    for (WarpId w = 0; w < warps_.size(); ++w) {
      if (warps_[w].stack.empty() || w == killed || (chosen_ && w == chosen_->warp)) continue;
      const DpeEntry& top = warps_[w].stack.back();
      const bool held_back = held.count(w) != 0;
      if (!top.path[0].own() && !top.path[1].own() && (top.empty() || !held_back)) return Choice{w, false};
      if (top.offer && !top.handed && top.path[*top.offer].mask == 0 && !held_back) return Choice{w, true};
    }
    return std::nullopt;
  }
  // The warp that is chosen in this cycle if none is held or killed.
  [[nodiscard]] std::optional<WarpId> waiting_for_a_pop() const {
    const std::optional<Choice> next = choice();
    return next ? std::optional(next->warp) : std::nullopt;
  }
  [[nodiscard]] const Levels& levels() const { return levels_; }

 private:
  using Stack = std::vector<DpeEntry>;
  struct Warp {
    Stack stack;
    LaneMask live = 0;
  };

  // Where a path of the uppermost entry arrives.
  static Place& place_of(Stack& stack, const DpePath& path) { return path.guest ? stack.at(*path.guest).place : stack.back().place; }
  static const Place& place_of(const Stack& stack, const DpePath& path) {
    return path.guest ? stack.at(*path.guest).place : stack.back().place;
  }
  // Nobody is left in the slot, so nobody's guest.
  static void leave(DpePath& path) {
    path.mask = 0;
    path.guest.reset();
  }

  // The next instruction of a path: it may be the one where it meets others, but no return brought it there.
  void advance(const Advance& in, const Inputs& inputs, Events& events) {
    Stack& stack = warps_.at(in.warp).stack;
    DpePath& path = stack.back().path.at(in.slot);
    const Place& place = place_of(stack, path);
    path.pc += 4;
    if (place.returning()) {
      if (place.arrived(path.pc, path.level)) events.met.insert("advance_to_the_return_address");
    } else if (place.arrived(path.pc, path.level)) {
      if (path.guest) events.met.insert("guest_advances_to_its_place");
      leave(path);
    } else {
      if (place.pc() == path.pc) events.met.insert("rpc_passed_at_another_level");
      if (path.guest && stack.back().place.pc() == path.pc) events.met.insert("guest_passes_the_place_of_its_host");
    }
    if (path.mask != 0 && joins(stack.back(), in.warp, in.slot, inputs)) {
      join(stack.back(), in.slot, inputs.kill == in.warp);
      events.met.insert("join_by_advance");
    } else if (stack.back().divided() && stack.back().beside()) {
      events.met.insert("advance_beside_a_part_that_may_not_be_joined");
    }
  }

  // This part stands where the other one does, and may join it.
  static bool joins(const DpeEntry& entry, WarpId w, unsigned slot, const Inputs& in) {
    return entry.divided() && entry.beside() && in.merge.count({w, 1 - slot}) != 0;
  }
  void join(DpeEntry& entry, unsigned slot, bool killed) {
    entry.path.at(1 - slot).mask |= entry.path.at(slot).mask;
    entry.path.at(slot).mask = 0;
    if (!killed) ++merges_;
  }

  // The paths that wait no more: of the registered state, before anything happens.
  [[nodiscard]] std::vector<Path> ended_waits(const std::set<Path>& stopped) const {
    std::vector<Path> ended;
    for (WarpId w = 0; w < warps_.size(); ++w) {
      for (const unsigned slot : {0u, 1u}) {
        if (top(w).waits.at(slot) && !waiting(w, slot, stopped)) ended.emplace_back(w, slot);
      }
    }
    return ended;
  }

  void split(const Split& in) {
    DpeEntry& top = warps_.at(in.warp).stack.back();
    DpePath& path = top.path.at(in.slot);
    top.path.at(1 - in.slot) = {path.pc, path.mask & in.behind, path.level};
    path.mask &= ~in.behind;
    top.parts = true;
    top.waits = {};
    ++splits_;
  }

  void meet(WarpId w, bool killed, Events& events) {
    if (!top(w).divided() || !top(w).beside()) {
      events.met.insert(top(w).divided() ? "no_meet_of_different_pcs" : "no_meet_of_a_part_that_is_gone");
      return;
    }
    join(warps_[w].stack.back(), 1, killed);
    events.met.insert(killed ? "kill_with_a_meet" : "meet");
  }

  // A resolution puts the path into this slot of the uppermost entry: empty if it has arrived, and then its return address is known.
  static bool put(Stack& stack, unsigned slot, const DpePath& path) {
    stack.back().path.at(slot) = path;
    Place& place = place_of(stack, path);
    if (!place.arrived(path.pc, path.level)) return false;
    leave(stack.back().path.at(slot));
    place.learn(path.pc);
    return true;
  }

  void resolve(const Resolve& in, const Inputs& inputs, Events& events) {
    Warp& warp = warps_.at(in.warp);
    Stack grown = warp.stack;
    DpePath& self = grown.back().path.at(in.slot);
    const DpePath other = grown.back().path.at(1 - in.slot);
    const Place own = place_of(grown, self);
    const std::optional<unsigned> guest = self.guest;
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
    if (mask == 0) {
      if (guest) events.met.insert("guest_exits");
      leave(self);
    } else if (taken.mask == 0 || rest.mask == 0 || in.target == in.next) {
      DpePath goes = rest.mask == 0 ? taken : DpePath{in.next, mask, level};
      goes.guest = guest;
      const bool known = own.returning() && own.address();
      if (put(grown, in.slot, goes)) {
        if (own.returning()) events.met.insert(known ? "return_to_a_known_address" : "address_learnt");
        if (guest) events.met.insert("guest_arrives");
      } else if (known && goes.level == own.level()) {
        events.met.insert("return_elsewhere");
      } else if (own.pc() == goes.pc) {
        events.met.insert("rpc_passed_at_another_level");
      }
      if (joins(grown.back(), in.warp, in.slot, inputs)) {
        join(grown.back(), in.slot, inputs.kill == in.warp);
        events.met.insert("join_by_jump");
      }
    } else if (other_comes(grown.back(), in, inputs, events)) {
      self.mask = mask;
      if (joins(grown.back(), in.warp, in.slot, inputs)) {
        join(grown.back(), in.slot, inputs.kill == in.warp);
        events.met.insert("join_at_the_branch");
      } else {
        grown.back().waits.at(in.slot) = true;
        events.met.insert("wait");
      }
      warp.stack = grown;
      warp.live = live;
      events.resolved = Resolved{in.warp, in.slot, false};
      return;
    } else {
      const Place place = meeting_place(in.rpc, level, own, levels_);
      const bool known = place.returning() && place.address();
      const bool tail = place.same(own);
      if (tail) {
        leave(self);
        events.replaced = other.mask == 0 && !(guest && grown.back().place.returning());
      } else {
        self.pc = place.pc().value_or(0);
        self.mask = mask;
        self.level = place.level();
        self.at_return = place.returning();
      }
      grown.back().waits = {};
      DpeEntry pushed;
      pushed.place = place;
      if (guest) events.met.insert(other.mask == 0 ? "lonely_guest_diverges" : tail ? "guest_diverges_tail" : "guest_diverges");
      if (guest && place.returning() && grown.back().place.same(place)) events.met.insert("guest_returns_at_the_level_of_its_host");
      if (guest && tail && other.mask == 0) events.met.insert(events.replaced ? "guest_replaces" : "guest_leaves_an_address");
      if (events.replaced) {
        pushed.shares = grown.back().shares && !guest;
        pushed.offer = grown.back().offer;
        pushed.handed = grown.back().handed;
        grown.pop_back();
      } else {
        pushed.shares = tail && !guest;
        if (forward_ && other.mask != 0 && !place_of(grown, other).returning()) pushed.offer = 1 - in.slot;
        if (other.guest) events.met.insert("guest_is_offered");
      }
      grown.push_back(pushed);
      const bool taken_there = put(grown, taken_left_ ? 0 : 1, taken);
      const bool rest_there = put(grown, taken_left_ ? 1 : 0, rest);
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

  // The other part may still come to this one, so this one does not diverge.
  static bool other_comes(const DpeEntry& entry, const Resolve& in, const Inputs& inputs, Events& events) {
    if (!entry.divided()) return false;
    const bool stopped = inputs.stopped.count({in.warp, 1 - in.slot}) != 0;
    if (entry.waits.at(1 - in.slot)) events.met.insert("divergence_while_the_other_waits");
    if (stopped) events.met.insert("divergence_while_the_other_is_stopped");
    if (in.mark) events.met.insert("divergence_that_never_waits");
    return !entry.waits.at(1 - in.slot) && !stopped && !in.mark;
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
    if (above.handed) {  // the path of this entry, or what is left of it, comes home
      DpePath& path = top.path.at(*above.offer);
      path = above.path.at(*above.offer);
      if (path.guest == warp.stack.size() - 1) path.guest.reset();
      events.met.insert(path.mask == 0 ? "pop_behind_a_guest" : path.guest ? "pop_with_a_guest_that_stays_one" : "pop_with_a_guest");
    }
    for (DpePath& path : top.path) {
      path.mask &= warp.live;
      if (path.mask == 0) leave(path);
    }
    if (top.divided()) events.met.insert("pop_brings_parts_back");
    if (above.place.returning() && above.shares) {
      if (above.place.address() && !top.place.address()) events.met.insert("address_goes_on_to_the_sibling");
      top.place = above.place;
    }
    for (DpePath& path : top.path) {
      if (!path.at_return) continue;
      const LaneMask back = path.mask;
      path.at_return = false;
      path.pc = above.place.address().value_or(0);
      if (place_of(warp.stack, path).arrived(path.pc, path.level)) leave(path);
      events.met.insert(!above.place.address() ? "pop_without_address" : "pop_to_the_return_address");
      if (back != 0 && path.mask == 0) events.met.insert("return_address_is_the_own_rpc");
    }
  }

  void forward(WarpId w, bool killed, Events& events) {
    Stack& stack = warps_[w].stack;
    const unsigned slot = stack.back().offer.value();
    const unsigned home = stack.size() - 2;
    DpePath& path = stack.at(home).path.at(slot);
    if (path.guest) events.met.insert("guest_of_a_guest");
    stack.back().path.at(slot) = path;
    if (!path.guest) stack.back().path.at(slot).guest = home;
    stack.back().handed = true;
    leave(path);
    if (!killed) ++forwards_;
  }

  unsigned depth_;
  bool taken_left_;
  bool forward_;
  bool split_;
  Levels levels_;
  std::vector<Warp> warps_;
  unsigned max_depth_ = 0;
  std::uint32_t forwards_ = 0, splits_ = 0, merges_ = 0;
  std::optional<Resolve> acting_;
  std::optional<Choice> chosen_;
  std::optional<WarpId> meeting_;
};

}  // namespace heddle::test
