// SPDX-License-Identifier: Apache-2.0
#include "tests/stack/dpe_stack_oracle.h"

#include <algorithm>

namespace heddle::test {

DpeStackOracle::DpeStackOracle(unsigned warps, unsigned depth, bool taken_left, unsigned level_bits, bool forward,
                               bool split)
    : depth_(depth),
      taken_left_(taken_left),
      forward_(forward),
      split_(split),
      levels_(level_bits),
      warps_(warps) {}

DpeStackOracle::Events DpeStackOracle::step(const Inputs& in) {
  Events events;
  if (chosen_) (chosen_->forward ? events.forward : events.pop) = chosen_->warp;
  events.meet = meeting_;
  const std::optional<Choice> chosen = choice(in.hold, in.kill);
  const std::optional<WarpId> meeting = meeting_choice(in.stopped, in.kill);
  std::set<PathId> over;  // waits that end with this cycle
  for (WarpId w = 0; w < warps_.size(); ++w) {
    for (const unsigned slot : {0, 1}) {
      if (!top(w).path[slot].waits || waits(w, slot, in.stopped)) continue;
      over.emplace(w, slot);
      events.met.insert(top(w).path[1 - slot].mask == 0 ? "wait_ends_as_the_other_part_is_gone"
                                                        : "wait_ends_as_the_other_part_stops");
    }
  }
  if (events.meet) meet(*events.meet, in.kill, events);  // first: who comes or parts at this edge does not meet
  if (in.advance) advance(in, events);
  if (acting_) resolve(*acting_, in, events);
  for (const auto& [w, slot] : over) warps_.at(w).stack.back().path[slot].waits = false;
  if (in.split && split_) split(*in.split, events);
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
  meeting_ = meeting;
  if (in.kill) {
    warps_.at(*in.kill) = Warp();
    if (acting_ && acting_->warp == *in.kill) acting_.reset();
  }
  for (Warp& warp : warps_) {
    max_depth_ = std::max<unsigned>(max_depth_, warp.stack.size());
    for (DpeEntry& entry : warp.stack) entry.parts = entry.parts && entry.path[0].mask != 0 && entry.path[1].mask != 0;
  }
  return events;
}

const Place& DpeStackOracle::place(WarpId w, unsigned slot) const {
  return place_of(warps_.at(w).stack, top(w).path.at(slot));
}

bool DpeStackOracle::waits(WarpId w, unsigned slot, const std::set<PathId>& stopped) const {
  const DpeEntry entry = top(w);
  return entry.path.at(slot).waits && entry.path.at(1 - slot).mask != 0 && stopped.count({w, 1 - slot}) == 0;
}

std::optional<WarpId> DpeStackOracle::meeting_choice(const std::set<PathId>& stopped,
                                                     std::optional<WarpId> killed) const {
  for (WarpId w = 0; w < warps_.size(); ++w) {
    if (w != killed && w != meeting_ && top(w).parts && stopped.count({w, 0}) != 0 && stopped.count({w, 1}) != 0)
      return w;
  }
  return std::nullopt;
}

std::optional<WarpId> DpeStackOracle::resolving() const {
  return acting_ ? std::optional<WarpId>(acting_->warp) : std::nullopt;
}

std::optional<WarpId> DpeStackOracle::popping() const {
  return chosen_ && !chosen_->forward ? std::optional(chosen_->warp) : std::nullopt;
}

std::optional<WarpId> DpeStackOracle::forwarding() const {
  return chosen_ && chosen_->forward ? std::optional(chosen_->warp) : std::nullopt;
}

std::optional<DpeStackOracle::Choice> DpeStackOracle::choice(const std::set<WarpId>& held,
                                                             std::optional<WarpId> killed) const {
  for (WarpId w = 0; w < warps_.size(); ++w) {
    if (warps_[w].stack.empty() || w == killed || (chosen_ && w == chosen_->warp)) continue;
    const DpeEntry& top = warps_[w].stack.back();
    const bool held_back = held.count(w) != 0;
    if (!top.path[0].own() && !top.path[1].own() && (top.empty() || !held_back)) return Choice{w, false};
    if (top.offer && !top.handed && top.path[*top.offer].mask == 0 && !held_back) return Choice{w, true};
  }
  return std::nullopt;
}

std::optional<WarpId> DpeStackOracle::waiting_for_a_pop() const {
  const std::optional<Choice> next = choice();
  return next ? std::optional(next->warp) : std::nullopt;
}

Place& DpeStackOracle::place_of(Stack& stack, const DpePath& path) {
  return path.guest ? stack.at(*path.guest).place : stack.back().place;
}

const Place& DpeStackOracle::place_of(const Stack& stack, const DpePath& path) {
  return path.guest ? stack.at(*path.guest).place : stack.back().place;
}

void DpeStackOracle::leave(DpePath& path) {
  path.mask = 0;
  path.guest.reset();
  path.waits = false;
}

void DpeStackOracle::join(Stack& stack, PathId id, const Inputs& in, const char* how, Events& events) {
  DpePath& self = stack.back().path.at(id.second);
  DpePath& other = stack.back().path.at(1 - id.second);
  if (!stack.back().parts || self.mask == 0 || other.mask == 0 || !self.stands_with(other)) {
    if (stack.back().parts && self.mask != 0 && other.mask != 0 && self.pc == other.pc)
      events.met.insert("other_part_passed_at_another_level");
    return;
  }
  if (in.apart.count({id.first, 1 - id.second}) != 0) {
    events.met.insert("other_part_may_not_be_joined");
    return;
  }
  if (other.waits) events.met.insert("joins_who_waits");
  if (in.kill != id.first) events.met.insert(how);
  if (in.kill == id.first) events.met.insert("kill_with_a_join");
  one(stack.back(), self, other, in.kill == id.first);
}

void DpeStackOracle::one(DpeEntry& entry, DpePath& from, DpePath& to, bool killed) {
  to.mask |= from.mask;
  leave(from);
  entry.joined = true;
  if (!killed) ++merges_;
}

void DpeStackOracle::advance(const Inputs& in, Events& events) {
  const auto& [w, slot] = *in.advance;
  Stack& stack = warps_.at(w).stack;
  DpePath& path = stack.back().path.at(slot);
  const Place& place = place_of(stack, path);
  path.pc += 4;
  if (place.returning()) {
    if (place.arrived(path.pc, path.level)) events.met.insert("advance_to_the_return_address");
  } else if (place.arrived(path.pc, path.level)) {
    if (path.guest) events.met.insert("guest_advances_to_its_place");
    if (stack.back().parts) events.met.insert("part_advances_to_its_place");
    leave(path);
  } else {
    if (place.pc() == path.pc) events.met.insert("rpc_passed_at_another_level");
    if (path.guest && stack.back().place.pc() == path.pc) events.met.insert("guest_passes_the_place_of_its_host");
  }
  join(stack, {w, slot}, in, "advance_joins", events);
}

bool DpeStackOracle::put(Stack& stack, unsigned slot, const DpePath& path) {
  stack.back().path.at(slot) = path;
  Place& place = place_of(stack, path);
  if (!place.arrived(path.pc, path.level)) return false;
  leave(stack.back().path.at(slot));
  place.learn(path.pc);
  return true;
}

void DpeStackOracle::resolve(const Resolve& in, const Inputs& cycle, Events& events) {
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
    if (grown.back().parts) events.met.insert("part_exits");
    leave(self);
  } else if (taken.mask == 0 || rest.mask == 0 || in.target == in.next) {
    DpePath goes = rest.mask == 0 ? taken : DpePath{in.next, mask, level};
    goes.guest = guest;
    const bool known = own.returning() && own.address();
    if (put(grown, in.slot, goes)) {
      if (own.returning()) events.met.insert(known ? "return_to_a_known_address" : "address_learnt");
      if (guest) events.met.insert("guest_arrives");
      if (grown.back().parts) events.met.insert(own.returning() ? "part_returns_to_its_place" : "part_arrives");
    } else if (known && goes.level == own.level()) {
      events.met.insert("return_elsewhere");
    } else if (own.pc() == goes.pc) {
      events.met.insert("rpc_passed_at_another_level");
    }
    join(grown, {in.warp, in.slot}, cycle, "resolution_joins", events);
  } else if (split_ && grown.back().parts && other.mask != 0 && in.kind != kMarkOnce && !other.waits &&
             cycle.stopped.count({in.warp, 1 - in.slot}) == 0) {
    // The other part may still come: nobody parts before it has.
    self.mask = mask;
    if (mask != warp.stack.back().path.at(in.slot).mask) events.met.insert("waits_with_fewer_threads");
    join(grown, {in.warp, in.slot}, cycle, "joins_at_its_branch", events);
    if (self.mask != 0) {
      self.waits = true;
      events.met.insert(self.stands_with(other) ? "waits_beside_who_may_not_be_joined" : "waits");
      if (cycle.kill == in.warp) events.met.insert("kill_as_it_begins_to_wait");
    }
  } else {
    if (grown.back().parts && other.mask != 0) {
      events.met.insert(other.waits                                        ? "diverges_as_the_other_part_waits"
                        : cycle.stopped.count({in.warp, 1 - in.slot}) != 0 ? "diverges_as_the_other_part_is_stopped"
                                                                           : "diverges_and_never_waits");
    }
    for (DpePath& path : grown.back().path) path.waits = false;
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
    DpeEntry pushed;
    pushed.place = place;
    if (guest)
      events.met.insert(other.mask == 0 ? "lonely_guest_diverges" : tail ? "guest_diverges_tail" : "guest_diverges");
    if (guest && place.returning() && grown.back().place.same(place))
      events.met.insert("guest_returns_at_the_level_of_its_host");
    if (guest && tail && other.mask == 0)
      events.met.insert(events.replaced ? "guest_replaces" : "guest_leaves_an_address");
    if (events.replaced) {
      pushed.shares = grown.back().shares && !guest;
      pushed.offer = grown.back().offer;
      pushed.handed = grown.back().handed;
      grown.pop_back();
    } else {
      pushed.shares = tail && !guest;
      if (grown.back().parts && other.mask != 0) events.met.insert(tail ? "row_keeps_one_part" : "row_keeps_parts");
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
  events.resolved = Resolved{in.warp, in.slot, !events.push && now.mask != 0 && !now.waits && now.pc == in.next};
}

void DpeStackOracle::pop(WarpId w, Events& events) {
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
    events.met.insert(path.mask == 0 ? "pop_behind_a_guest"
                      : path.guest   ? "pop_with_a_guest_that_stays_one"
                                     : "pop_with_a_guest");
  }
  for (DpePath& path : top.path) {
    path.mask &= warp.live;
    if (path.mask == 0) leave(path);
  }
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
  if (top.parts)
    events.met.insert(top.path[0].mask != 0 && top.path[1].mask != 0 ? "pop_with_parts"
                                                                     : "pop_of_parts_of_which_one_is_gone");
}

void DpeStackOracle::split(const Split& in, Events& events) {
  DpeEntry& top = warps_.at(in.warp).stack.back();
  DpePath& goes = top.path.at(in.slot);
  DpePath& stays = top.path.at(1 - in.slot);
  if (top.joined) events.met.insert("split_of_who_was_joined");
  stays = goes;
  stays.mask &= in.mask;
  goes.mask &= ~in.mask;
  stays.waits = goes.waits = false;
  top.parts = true;
  ++splits_;
}

void DpeStackOracle::meet(WarpId w, std::optional<WarpId> killed, Events& events) {
  DpeEntry& top = warps_.at(w).stack.back();
  if (!top.parts) {
    events.met.insert("one_of_those_who_are_to_meet_is_gone");
  } else if (!top.path[0].stands_with(top.path[1])) {
    events.met.insert(top.path[0].pc == top.path[1].pc ? "stopped_at_one_pc_at_two_levels" : "stopped_at_two_places");
  } else {
    events.met.insert(killed == w ? "kill_as_they_meet" : "meets");
    one(top, top.path[1], top.path[0], killed == w);
  }
}

void DpeStackOracle::forward(WarpId w, bool killed, Events& events) {
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
}  // namespace heddle::test
