// SPDX-License-Identifier: Apache-2.0
#include "tests/stack/fork_join_stack_oracle.h"

#include <algorithm>
#include <utility>

namespace heddle::test {

ForkJoinStackOracle::ForkJoinStackOracle(unsigned warps, unsigned depth, TieOrder ties, unsigned level_bits)
    : depth_(depth),
      ties_(ties),
      levels_(level_bits),
      warps_(warps) {}

ForkJoinStackOracle::Events ForkJoinStackOracle::step(const Inputs& in) {
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

std::vector<SpeEntry> ForkJoinStackOracle::entries(WarpId w) const {
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

SpeEntry ForkJoinStackOracle::top(WarpId w) const {
  const Warp& warp = warps_.at(w);
  if (warp.open.empty()) return SpeEntry();
  const Region& region = warp.open.back();
  return {warp.path.pc, warp.path.mask, region.join, !region.waiting.empty(), warp.path.level};
}

std::optional<WarpId> ForkJoinStackOracle::resolving() const {
  return acting_ ? std::optional<WarpId>(acting_->warp) : std::nullopt;
}

std::optional<WarpId> ForkJoinStackOracle::waiting_for_a_pop(std::optional<WarpId> killed) const {
  for (WarpId w = 0; w < warps_.size(); ++w) {
    if (depth(w) != 0 && warps_[w].path.mask == 0 && popping_ != w && killed != w) return w;
  }
  return std::nullopt;
}

unsigned ForkJoinStackOracle::pending(const Warp& warp) {
  unsigned sets = 0;
  for (const Region& region : warp.open) sets += region.waiting.size();
  return sets;
}

LaneMask ForkJoinStackOracle::threads_of(const Warp& warp, std::size_t first) {
  LaneMask threads = warp.path.mask;
  for (std::size_t i = first; i < warp.open.size(); ++i) {
    threads |= warp.open[i].arrived;
    for (const Set& set : warp.open[i].waiting) threads |= set.mask;
  }
  return threads;
}

void ForkJoinStackOracle::end(Warp& warp, LaneMask exit) {
  warp.live &= ~exit;
  warp.path.mask &= ~exit;
  for (Region& region : warp.open) {
    region.arrived &= ~exit;
    for (Set& set : region.waiting) set.mask &= ~exit;
  }
}

void ForkJoinStackOracle::run(Warp& warp, const std::vector<Set>& sets, Events& events) {
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

std::vector<ForkJoinStackOracle::Set> ForkJoinStackOracle::sets_behind(const Set& path, const Resolve& in) const {
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

void ForkJoinStackOracle::act(const Resolve& in, Events& events) {
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

void ForkJoinStackOracle::pop(WarpId w, Events& events) {
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
}  // namespace heddle::test
