// SPDX-License-Identifier: Apache-2.0
#include "tests/stack/spe_stack_oracle.h"

#include <algorithm>
#include <utility>

namespace heddle::test {

SpeStackOracle::SpeStackOracle(unsigned warps, unsigned depth, PushOrder order, unsigned level_bits)
    : depth_(depth),
      order_(order),
      levels_(level_bits),
      warps_(warps) {}

SpeStackOracle::Events SpeStackOracle::step(const Inputs& in) {
  Events events;
  events.pop = chosen_;
  const std::optional<WarpId> chosen = waiting_for_a_pop(in.kill);
  if (in.advance) advance(warps_.at(in.advance->warp).stack.back(), events);
  if (acting_) resolve(*acting_, events);
  if (in.launch) {
    Warp& warp = warps_.at(in.launch->warp);
    warp.stack = {{in.launch->pc, in.launch->mask, Place(), false}};
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

std::optional<WarpId> SpeStackOracle::resolving() const {
  return acting_ ? std::optional<WarpId>(acting_->warp) : std::nullopt;
}

std::optional<WarpId> SpeStackOracle::waiting_for_a_pop(std::optional<WarpId> killed) const {
  for (WarpId w = 0; w < warps_.size(); ++w) {
    if (!warps_[w].stack.empty() && warps_[w].stack.back().mask == 0 && w != chosen_ && w != killed) return w;
  }
  return std::nullopt;
}

void SpeStackOracle::advance(SpeEntry& entry, Events& events) {
  entry.pc += 4;
  if (entry.place.returning()) {
    if (entry.place.arrived(entry.pc, entry.level)) events.met.insert("advance_to_the_return_address");
  } else if (entry.place.arrived(entry.pc, entry.level)) {
    entry.mask = 0;
  } else if (entry.place.pc() == entry.pc) {
    events.met.insert("rpc_passed_at_another_level");
  }
}

void SpeStackOracle::go(SpeEntry& entry, Pc pc, unsigned level, LaneMask mask, Events& events) {
  const bool known = entry.place.returning() && entry.place.address();
  entry.pc = pc;
  entry.level = level;
  entry.mask = mask;
  if (entry.place.arrived(pc, level)) {
    entry.mask = 0;
    entry.place.learn(pc);
    if (entry.place.returning()) events.met.insert(known ? "return_to_a_known_address" : "address_learnt");
  } else if (known && level == entry.place.level()) {
    events.met.insert("return_elsewhere");
  } else if (entry.place.pc() == pc) {
    events.met.insert("rpc_passed_at_another_level");
  }
}

void SpeStackOracle::resolve(const Resolve& in, Events& events) {
  Warp& warp = warps_.at(in.warp);
  const LaneMask live = warp.live & ~in.exit;
  const SpeEntry old = warp.stack.back();
  const LaneMask mask = old.mask & live;
  const LaneMask taken = mask & in.taken;
  const LaneMask rest = mask & ~in.taken;
  unsigned target_level = old.level;
  if (in.call) target_level = levels_.above(old.level);
  if (in.returns) target_level = levels_.below(old.level);
  if (taken != 0 && in.call) events.met.insert(old.level == levels_.last() ? "call_wraps" : "call");
  if (taken != 0 && in.returns) events.met.insert(old.level == 0 ? "return_wraps" : "return");
  if (mask == 0) {
    warp.stack.back().mask = 0;
  } else if (rest == 0) {
    go(warp.stack.back(), in.target, target_level, mask, events);
  } else if (taken == 0 || in.target == in.next) {
    go(warp.stack.back(), in.next, old.level, mask, events);
  } else {
    Place place = meeting_place(in.rpc, old.level, old.place, levels_);
    const bool tail = place.same(old.place);
    std::vector<SpeEntry> grown = warp.stack;
    if (tail) {
      grown.pop_back();
    } else {
      grown.back().at_return = place.returning();
      grown.back().pc = place.pc().value_or(0);
      grown.back().level = place.level();
      grown.back().mask = mask;
    }
    // The sides in the order in which they execute.
    std::vector<SpeEntry> both = {{in.target, taken, {}, false, target_level}, {in.next, rest, {}, false, old.level}};
    const bool swap = order_ == PushOrder::kFallthroughFirst ||
                      (order_ == PushOrder::kSmallerFirst && popcount(rest) < popcount(taken)) ||
                      (order_ == PushOrder::kLargerFirst && popcount(rest) > popcount(taken));
    if (swap) std::swap(both[0], both[1]);
    std::vector<SpeEntry> sides;
    std::optional<Pc> arrived;
    for (const SpeEntry& side : both) {
      if (place.arrived(side.pc, side.level)) {
        arrived = side.pc;
      } else {
        sides.push_back(side);
      }
    }
    const bool known = place.returning() && place.address();
    if (arrived) place.learn(*arrived);
    for (SpeEntry& side : sides) side.place = place;
    sides.back().sibling = tail && old.sibling;
    if (sides.size() == 2) sides.front().sibling = true;
    grown.insert(grown.end(), sides.rbegin(), sides.rend());
    if (grown.size() > depth_) {
      events.overflow = in.warp;
      return;
    }
    events.push = in.warp;
    warp.stack = grown;
    if (in.call) events.met.insert("divergent_call");
    if (in.returns) events.met.insert("divergent_return");
    if (in.rpc == kNoRpc) events.met.insert("inherits");
    if (in.rpc == kReturnRpc) {
      events.met.insert(old.level == 0 ? "return_divergence_at_level_0" : tail ? "return_tail" : "return_divergence");
    }
    if (place.returning() && arrived)
      events.met.insert(known ? "side_returns_to_a_known_address" : "side_brings_the_address");
  }
  warp.live = live;
  const SpeEntry& now = warp.stack.back();
  events.resolved = Resolved{in.warp, 0, !events.push && now.mask != 0 && now.pc == in.next};
}

void SpeStackOracle::pop(WarpId w, Events& events) {
  Warp& warp = warps_[w];
  const SpeEntry above = warp.stack.back();
  warp.stack.pop_back();
  if (warp.stack.empty()) {
    events.done = w;
    return;
  }
  SpeEntry& top = warp.stack.back();
  top.mask &= warp.live;
  if (above.place.returning() && top.place.same(above.place)) {
    if (above.place.address() && !top.place.address()) events.met.insert("address_goes_on_to_the_sibling");
    top.place = above.place;
  }
  if (top.at_return) {
    const LaneMask back = top.mask;
    top.at_return = false;
    top.pc = above.place.address().value_or(0);
    if (top.place.arrived(top.pc, top.level)) top.mask = 0;
    events.met.insert(!above.place.address() ? "pop_without_address" : "pop_to_the_return_address");
    if (back != 0 && top.mask == 0) events.met.insert("return_address_is_the_own_rpc");
  }
}
}  // namespace heddle::test
