// SPDX-License-Identifier: Apache-2.0
// What stack/fork_join_stack must do, said with lists: a warp is the regions that are open, one inside the other, each
// with the sets that wait for their turn and the threads that have come to its join. Who is at a join was counted as it
// came; what a path has beside it follows from the list that it is in (docs/frontend.md, US 8,959,319).
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/types.h"
#include "heddle/types.h"
#include "tests/stack/place.h"
#include "tests/stack/spe_stack_oracle.h"

namespace heddle::test {

enum class TieOrder { kTaken = 0, kFallthrough = 1 };

class ForkJoinStackOracle {
 public:
  using Launch = SpeStackOracle::Launch;
  using Advance = SpeStackOracle::Advance;
  struct Resolve {
    WarpId warp;
    LaneMask taken;
    Pc target, next, rpc;
    LaneMask exit;
    bool call = false, returns = false;
    std::uint32_t kind = kMarkNone;  // kMarkFork: rpc is its join
  };
  struct Inputs {
    std::optional<Launch> launch;
    std::optional<Advance> advance;
    std::optional<Resolve> resolve;
    std::optional<WarpId> kill = std::nullopt;
  };
  // Of one cycle: events are of the resolution that acts and of the pop that was chosen.
  struct Events {
    std::optional<WarpId> resolved, push, pop, done, overflow;
    bool next = false;
    std::set<std::string> met;  // situations, for a test that claims to have met them
  };

  ForkJoinStackOracle(unsigned warps, unsigned depth, TieOrder ties, unsigned level_bits)
      : depth_(depth),
        ties_(ties),
        levels_(level_bits),
        warps_(warps) {}

  // One clock cycle: what was known before it, then its inputs.
  Events step(const Inputs& in) {
    Events events;
    const std::optional<WarpId> chosen = waiting_for_a_pop(in.kill);
    if (acting_) act(*acting_, events);
    if (popping_) pop(*popping_, events);
    if (in.launch) warps_.at(in.launch->warp) = {{Region()}, {in.launch->pc, in.launch->mask, 0}, in.launch->mask};
    if (in.advance) {
      Warp& warp = warps_.at(in.advance->warp);
      const Set& path = warp.path;
      run(warp, {{path.pc + 4, path.mask, path.level}}, events);
    }
    acting_ = in.resolve;
    popping_ = chosen;
    if (in.kill) {
      warps_.at(*in.kill) = Warp();
      if (busy(*in.kill)) acting_.reset();
    }
    for (WarpId w = 0; w < warps_.size(); ++w) {
      max_depth_ = std::max(max_depth_, depth(w));
      max_pending_ = std::max(max_pending_, pending(w));
    }
    return events;
  }

  // Of a warp, bottom to top: pending sets, who will be at the join of the next region, the path. Only threads that
  // live.
  [[nodiscard]] std::vector<SpeEntry> entries(WarpId w) const {
    const Warp& warp = warps_.at(w);
    std::vector<SpeEntry> all;
    for (std::size_t i = 0; i < warp.open.size(); ++i) {
      const Region& region = warp.open[i];
      for (const Set& set : region.waiting)
        all.push_back({set.pc, set.mask, region.join, &set != &region.waiting.front(), set.level});
      Set on_top = warp.path;
      if (i + 1 < warp.open.size()) {
        const Place& join = warp.open[i + 1].join;
        on_top = {*join.pc(), threads_of(warp, i + 1), join.level()};
      }
      all.push_back({on_top.pc, on_top.mask, region.join, !region.waiting.empty(), on_top.level});
    }
    return all;
  }
  [[nodiscard]] SpeEntry top(WarpId w) const {
    const Warp& warp = warps_.at(w);
    if (warp.open.empty()) return SpeEntry();
    const Region& region = warp.open.back();
    return {warp.path.pc, warp.path.mask, region.join, !region.waiting.empty(), warp.path.level};
  }
  [[nodiscard]] LaneMask live(WarpId w) const { return warps_.at(w).live; }
  [[nodiscard]] unsigned depth(WarpId w) const { return depth(warps_.at(w)); }
  [[nodiscard]] unsigned max_depth() const { return max_depth_; }
  // Sets that wait for their turn, and the most that a warp had at a time.
  [[nodiscard]] unsigned pending(WarpId w) const { return pending(warps_.at(w)); }
  [[nodiscard]] unsigned max_pending() const { return max_pending_; }
  [[nodiscard]] const Levels& levels() const { return levels_; }
  // A branch of the warp is not resolved yet.
  [[nodiscard]] bool busy(WarpId w) const { return resolving() == w; }
  [[nodiscard]] std::optional<WarpId> resolving() const {
    return acting_ ? std::optional<WarpId>(acting_->warp) : std::nullopt;
  }
  // The warp that is popped in this cycle.
  [[nodiscard]] std::optional<WarpId> popping() const { return popping_; }
  // The one that is chosen in this cycle, if it is not killed.
  [[nodiscard]] std::optional<WarpId> waiting_for_a_pop(std::optional<WarpId> killed = std::nullopt) const {
    for (WarpId w = 0; w < warps_.size(); ++w) {
      if (depth(w) != 0 && warps_[w].path.mask == 0 && popping_ != w && killed != w) return w;
    }
    return std::nullopt;
  }

 private:
  struct Set {
    Pc pc = 0;
    LaneMask mask = 0;
    unsigned level = 0;
  };
  struct Region {
    Place join;
    LaneMask arrived = 0;
    std::vector<Set> waiting = {};  // the one whose turn is next is the last
  };
  struct Warp {
    std::vector<Region> open;  // the first is the warp, which has no join; none: the warp has ended
    Set path;
    LaneMask live = 0;
  };

  static unsigned pending(const Warp& warp) {
    unsigned sets = 0;
    for (const Region& region : warp.open) sets += region.waiting.size();
    return sets;
  }
  static unsigned depth(const Warp& warp) { return pending(warp) + warp.open.size(); }

  static LaneMask threads_of(const Warp& warp, std::size_t first) {
    LaneMask threads = warp.path.mask;
    for (std::size_t i = first; i < warp.open.size(); ++i) {
      threads |= warp.open[i].arrived;
      for (const Set& set : warp.open[i].waiting) threads |= set.mask;
    }
    return threads;
  }

  // Threads that exit are nowhere any more.
  static void end(Warp& warp, LaneMask exit) {
    warp.live &= ~exit;
    warp.path.mask &= ~exit;
    for (Region& region : warp.open) {
      region.arrived &= ~exit;
      for (Set& set : region.waiting) set.mask &= ~exit;
    }
  }

  // The threads of the path are in these sets now, the one that runs if sizes do not decide first: some are at the
  // join, of two others the larger waits.
  static void run(Warp& warp, const std::vector<Set>& sets, Events& events) {
    Region& region = warp.open.back();
    std::vector<Set> others;
    for (const Set& set : sets) {
      if (region.join.arrived(set.pc, set.level)) {
        region.arrived |= set.mask;
        warp.path = {set.pc, 0, set.level};
      } else {
        others.push_back(set);
        if (region.join.pc() == set.pc) events.met.insert("join_passed_at_another_level");
      }
    }
    if (others.empty()) return;
    if (others.size() == 2) {
      if (popcount(others[0].mask) == popcount(others[1].mask)) events.met.insert("sets_of_one_size");
      if (popcount(others[0].mask) > popcount(others[1].mask)) std::swap(others[0], others[1]);
      region.waiting.push_back(others[1]);
    }
    warp.path = others[0];
  }

  // The sets of the path behind its instruction.
  [[nodiscard]] std::vector<Set> sets_behind(const Set& path, const Resolve& in) const {
    const LaneMask taken = path.mask & in.taken, rest = path.mask & ~in.taken;
    unsigned level = path.level;
    if (in.call) level = levels_.above(level);
    if (in.returns) level = levels_.below(level);
    const Set at_target{in.target, taken, level}, at_next{in.next, rest, path.level};
    if (path.mask == 0) return {};
    if (rest == 0) return {at_target};
    if (taken == 0 || in.target == in.next) return {{in.next, path.mask, path.level}};
    if (ties_ == TieOrder::kTaken) return {at_target, at_next};
    return {at_next, at_target};
  }

  void act(const Resolve& in, Events& events) {
    const Warp& before = warps_.at(in.warp);
    Warp after = before;
    std::vector<Set> sets;
    if (in.kind == kMarkFork) {
      after.open.push_back({Place::at(in.rpc, before.path.level)});
      sets = {{in.next, before.path.mask, before.path.level}};
    } else {
      end(after, in.exit);
      sets = sets_behind(after.path, in);
    }
    Events told;
    run(after, sets, told);
    if (depth(after) > depth_) {
      events.overflow = in.warp;
      events.met.insert(in.kind == kMarkFork ? "overflow_by_a_fork" : "overflow_by_a_divergence");
      return;
    }
    const bool grown = pending(after) != pending(before);
    if (in.kind == kMarkFork) {
      told.met.insert(after.path.mask == 0 ? "empty_region" : before.open.size() > 1 ? "nested_fork" : "fork");
      if (Place::at(in.rpc + 4, before.path.level) == before.open.back().join) told.met.insert("join_before_a_join");
      if (after.open.back().join == before.open.back().join) told.met.insert("two_regions_with_one_join");
    } else if (sets.size() == 2) {
      if (grown) told.met.insert(before.open.size() > 1 ? "divergence" : "divergence_outside_of_regions");
      if (grown) told.met.insert(after.path.pc == in.target ? "taken_set_runs" : "fall_through_set_runs");
      if (!grown)
        told.met.insert(after.path.pc == in.target ? "those_at_next_wait_at_the_join"
                                                   : "those_at_the_target_wait_at_the_join");
      if (in.call) told.met.insert(grown ? "divergent_call" : "divergent_call_at_the_join");
      if (in.returns) told.met.insert(grown ? "divergent_return" : "divergent_return_to_the_join");
    } else if (sets.size() == 1) {
      if (after.path.mask == 0)
        told.met.insert(in.returns ? "return_to_the_join" : in.call ? "call_of_the_join" : "jump_to_the_join");
      if (in.call && after.path.level == 0) told.met.insert("call_wraps");
      if (in.returns && after.path.level == levels_.last()) told.met.insert("return_wraps");
    } else {
      told.met.insert("all_exit");
    }
    warps_.at(in.warp) = after;
    events.resolved = in.warp;
    if (grown) events.push = in.warp;
    events.next = !grown && after.path.mask != 0 && after.path.pc == in.next;
    events.met.merge(told.met);
  }

  void pop(WarpId w, Events& events) {
    Warp& warp = warps_.at(w);
    Region& region = warp.open.back();
    events.pop = w;
    if (!region.waiting.empty()) {
      warp.path = region.waiting.back();
      region.waiting.pop_back();
      events.met.insert(warp.path.mask != 0 ? "pending_set_runs" : "pending_set_has_ended");
    } else if (warp.open.size() == 1) {
      warp.open.clear();
      events.done = w;
    } else {
      warp.path = {*region.join.pc(), region.arrived, region.join.level()};
      const bool both = region.join == warp.open[warp.open.size() - 2].join;
      warp.open.pop_back();
      events.met.insert(warp.path.mask == 0 ? "join_of_nobody" : both ? "join_of_two_regions" : "join");
    }
  }

  unsigned depth_;
  TieOrder ties_;
  Levels levels_;
  std::vector<Warp> warps_;
  std::optional<Resolve> acting_;
  std::optional<WarpId> popping_;
  unsigned max_depth_ = 0, max_pending_ = 0;
};

}  // namespace heddle::test
