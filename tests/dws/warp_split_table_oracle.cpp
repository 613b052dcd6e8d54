// SPDX-License-Identifier: Apache-2.0
#include "tests/dws/warp_split_table_oracle.h"

#include <algorithm>

namespace heddle::test {

WarpSplitTableOracle::WarpSplitTableOracle(unsigned warps, unsigned slots, unsigned depth, PushOrder order,
                                           unsigned level_bits)
    : slots_(slots),
      depth_(depth),
      order_(order),
      levels_(level_bits),
      warps_(warps) {}

WarpSplitTableOracle::Events WarpSplitTableOracle::step(const Inputs& in) {
  Events events;
  const std::vector<Warp> before = warps_;
  const auto chosen = waiting_for_a_pop(in.kill, in.resolve ? std::optional<WarpId>(in.resolve->warp) : std::nullopt);
  if (in.launch) {
    Warp& warp = warps_.at(in.launch->warp);
    warp = Warp();
    warp.runs = true;
    warp.live = in.launch->mask;
    warp.slots[0] = {in.launch->pc, in.launch->mask, 0};
    counters_.max_splits = std::max(counters_.max_splits, 1u);
  }
  // Of the change of a warp that is killed nothing stays, in no counter either.
  const auto spared = [&](WarpId w) { return in.kill != w; };
  if (in.advance && spared(in.advance->warp)) advance(*in.advance, before[in.advance->warp], in, events);
  if (acting_) {
    const Counters counted = counters_;
    resolve(*acting_, before[acting_->warp], in, events);
    if (!spared(acting_->warp)) counters_ = counted;
  }
  if (chosen_) take_from_below(*chosen_, before[*chosen_], events);
  acting_ = in.resolve;
  chosen_ = chosen;
  if (in.kill) {
    warps_.at(*in.kill) = Warp();
    if (resolving() == in.kill) acting_.reset();
  }
  for (WarpId w = 0; w < warps_.size(); ++w) counters_.max_depth = std::max(counters_.max_depth, depth(w));
  return events;
}

Split WarpSplitTableOracle::split(WarpId w, unsigned slot) const {
  const auto found = slots(w).find(slot);
  return found == slots(w).end() ? Split() : found->second;
}

bool WarpSplitTableOracle::sibling(WarpId w, unsigned slot) const {
  const Warp& warp = warps_.at(w);
  return warp.slots.size() > warp.slots.count(slot) || !warp.waiting.empty() || warp.sibling;
}

std::optional<WarpId> WarpSplitTableOracle::resolving() const {
  return acting_ ? std::optional<WarpId>(acting_->warp) : std::nullopt;
}

std::optional<WarpId> WarpSplitTableOracle::waiting_for_a_pop(std::optional<WarpId> killed,
                                                              std::optional<WarpId> taken_in) const {
  for (WarpId w = 0; w < warps_.size(); ++w) {
    const Warp& warp = warps_[w];
    const bool needs_one = warp.slots.empty() || (!warp.waiting.empty() && warp.slots.size() < slots_);
    if (warp.runs && needs_one && w != chosen_ && w != killed && w != taken_in && w != resolving()) return w;
  }
  return std::nullopt;
}

unsigned WarpSplitTableOracle::depth(const Warp& warp) {
  return warp.runs ? 1 + static_cast<unsigned>(warp.below.size() + warp.waiting.size()) : 0;
}

unsigned WarpSplitTableOracle::free_slot(const Warp& warp) const {
  unsigned slot = 0;
  while (warp.slots.count(slot) != 0) ++slot;
  return slot;
}

std::optional<unsigned> WarpSplitTableOracle::partner(WarpId w, const Warp& before, unsigned mover, const Split& at,
                                                      const Inputs& in) {
  for (const auto& [slot, other] : before.slots) {
    if (slot != mover && in.merge[slot][w] && other.pc == at.pc && other.level == at.level) return slot;
  }
  return std::nullopt;
}

WarpSplitTableOracle::Ended WarpSplitTableOracle::come(WarpId w, const Warp& before, unsigned mover, const Split& split,
                                                       bool learns, const Inputs& in, Events& events) {
  Warp& warp = warps_.at(w);
  const bool arrived = before.place.arrived(split.pc, split.level) && (learns || !before.place.returning());
  if (arrived) {
    if (learns && before.place.returning())
      events.met.insert(before.place.address() ? "return_to_a_known_address" : "address_learnt");
    if (learns) warp.place.learn(split.pc);
    return Ended::kArrived;
  }
  if (before.place.pc() == split.pc) events.met.insert("rpc_passed_at_another_level");
  if (const auto other = partner(w, before, mover, split, in)) {
    warp.slots[*other].mask |= split.mask;
    ++counters_.merges;
    return Ended::kJoined;
  }
  return Ended::kGoesOn;
}

void WarpSplitTableOracle::advance(const Path& path, const Warp& before, const Inputs& in, Events& events) {
  Warp& warp = warps_.at(path.warp);
  Split split = warp.slots.at(path.slot);
  split.pc += 4;
  warp.slots.erase(path.slot);
  const Ended ended = come(path.warp, before, path.slot, split, false, in, events);
  if (ended == Ended::kGoesOn) warp.slots[path.slot] = split;
  if (ended == Ended::kArrived) events.met.insert(subdivided(before) ? "split_advances_to_rpc" : "advances_to_rpc");
  if (ended == Ended::kJoined) events.met.insert("joins_by_an_advance");
}

void WarpSplitTableOracle::resolve(const Resolve& in, const Warp& before, const Inputs& pins, Events& events) {
  Warp& warp = warps_.at(in.warp);
  const Split old = before.slots.at(in.slot);
  const LaneMask mask = old.mask & before.live & ~in.exit;
  const LaneMask taken = mask & in.taken, rest = mask & ~in.taken;
  unsigned level = old.level;
  if (in.call) level = levels_.above(level);
  if (in.returns) level = levels_.below(level);
  const Split target{in.target, taken, level}, next{in.next, rest, old.level};
  warp.live &= ~in.exit;
  warp.slots.erase(in.slot);
  std::vector<Split> sides;  // as they execute
  if (mask == 0) {
    events.met.insert("all_exit");
  } else if (rest == 0) {
    sides = {target};
  } else if (taken == 0 || in.target == in.next) {
    sides = {{in.next, mask, old.level}};
  } else {
    sides = {target, next};
    if (order_ == PushOrder::kFallthroughFirst ||
        (order_ == PushOrder::kSmallerFirst && popcount(rest) < popcount(taken)) ||
        (order_ == PushOrder::kLargerFirst && popcount(rest) > popcount(taken))) {
      sides = {next, target};
    }
    if (in.kind != kMarkDivide && !subdivided(before)) {
      diverge_as_a_stack(in, before, sides, events);
      return;
    }
  }
  const bool divergent = sides.size() == 2;
  std::vector<Split> stay;
  std::string ends;
  for (const Split& side : sides) {
    const Ended ended = come(in.warp, before, in.slot, side, true, pins, events);
    if (ended == Ended::kGoesOn) stay.push_back(side);
    if (ended == Ended::kJoined) ends += "joins";
    if (ended == Ended::kArrived) ends += "arrives";
  }
  if (!ends.empty()) events.met.insert((divergent ? "divergence_" : "goes_") + ends);
  if (!stay.empty()) warp.slots[in.slot] = stay.front();
  if (stay.size() == 2) {
    if (warp.slots.size() < slots_) {
      warp.slots[free_slot(warp)] = stay.back();
      ++counters_.splits;
      counters_.max_splits = std::max<unsigned>(counters_.max_splits, warp.slots.size());
      events.met.insert(in.kind == kMarkDivide ? "split" : "split_without_mark");
      if (before.place.returning()) events.met.insert("split_that_meets_where_it_returns");
    } else if (depth(before) == depth_) {
      warp = before;
      events.overflow = in.warp;
      events.met.insert("overflow_of_a_split");
      return;
    } else {
      warp.waiting.push_back(stay.back());
      ++counters_.refused;
      events.met.insert(before.waiting.empty() ? "refused" : "refused_again");
    }
    if (in.call) events.met.insert("split_by_a_call");
    if (in.returns) events.met.insert("split_by_a_return");
  }
  const auto now = warp.slots.find(in.slot);
  events.resolved = Resolved{in.warp, in.slot, now != warp.slots.end() && now->second.pc == in.next};
}

void WarpSplitTableOracle::diverge_as_a_stack(const Resolve& in, const Warp& before, const std::vector<Split>& sides,
                                              Events& events) {
  Warp& warp = warps_.at(in.warp);
  const unsigned level = before.slots.at(in.slot).level;
  Place place = meeting_place(in.rpc, level, before.place, levels_);
  const bool tail = place.same(before.place);
  if (!tail) {
    const LaneMask all = sides[0].mask | sides[1].mask;
    SpeEntry kept{place.pc().value_or(0), all, before.place, before.sibling, place.level(), place.returning()};
    warp.below.push_back(kept);
  }
  std::vector<Split> run;
  std::optional<Pc> arrived;
  for (const Split& side : sides) {
    if (place.arrived(side.pc, side.level)) {
      arrived = side.pc;
    } else {
      run.push_back(side);
    }
  }
  if (arrived) place.learn(*arrived);
  const bool inherited = tail && before.sibling;
  if (run.size() == 2) warp.below.push_back({run[1].pc, run[1].mask, place, inherited, run[1].level});
  warp.sibling = run.size() == 2 || inherited;
  warp.place = place;
  warp.slots[in.slot] = run.front();
  if (depth(warp) > depth_) {
    warp = before;
    events.overflow = in.warp;
    events.met.insert("overflow_of_a_push");
    return;
  }
  events.push = in.warp;
  events.resolved = Resolved{in.warp, in.slot, false};
  if (in.slot != 0) events.met.insert("push_from_another_slot_than_0");
  events.met.insert(run.size() == 1 ? "push_one_side" : tail ? "push_two_sides_tail" : "push_two_sides");
}

void WarpSplitTableOracle::take_from_below(WarpId w, const Warp& before, Events& events) {
  Warp& warp = warps_.at(w);
  if (!before.waiting.empty()) {
    // Into a slot that was free before this cycle: an advance in it may have emptied another one.
    warp.slots[free_slot(before)] = warp.waiting.back();
    warp.waiting.pop_back();
    events.refill = w;
    events.met.insert(before.slots.empty() ? "refill_of_no_path" : "refill");
    return;
  }
  events.pop = w;
  if (before.below.empty()) {
    warp = Warp();
    events.done = w;
    return;
  }
  SpeEntry entry = before.below.back();
  warp.below.pop_back();
  entry.mask &= warp.live;
  const Place& above = before.place;
  if (above.returning() && entry.place.same(above)) {
    if (above.address() && !entry.place.address()) events.met.insert("address_goes_on_to_the_sibling");
    entry.place = above;
  }
  if (entry.at_return) {
    entry.pc = above.address().value_or(0);
    events.met.insert(above.address() ? "pop_to_the_return_address" : "pop_without_address");
    if (entry.place.arrived(entry.pc, entry.level)) entry.mask = 0;
  }
  warp.place = entry.place;
  warp.sibling = entry.sibling;
  if (entry.mask != 0) warp.slots[0] = {entry.pc, entry.mask, entry.level};
  events.met.insert(entry.mask != 0 ? "pop" : "pop_of_nobody");
}
}  // namespace heddle::test
