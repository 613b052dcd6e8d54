// SPDX-License-Identifier: Apache-2.0
#include "tests/stack/software_stack_oracle.h"

#include <algorithm>

namespace heddle::test {

SoftwareStackOracle::SoftwareStackOracle(unsigned warps, unsigned depth, bool taken_left)
    : depth_(depth),
      taken_left_(taken_left),
      warps_(warps) {}

SoftwareStackOracle::Events SoftwareStackOracle::step(const Inputs& in) {
  Events events;
  const std::optional<WarpId> next = choice(in);
  const std::optional<Load> asked = load();
  if (ends(in)) {
    events.pop = events.done = chosen_;
    warps_.at(*chosen_) = Warp();
  }
  if (chosen_ && !asked && in.fill) events.met.insert("end_waits_for_a_fill");
  if (asked && in.load_ready) warps_.at(asked->warp).loading = true;
  if (asked && !in.load_ready) events.met.insert("load_waits");
  save_.valid = false;
  if (acting_) act(*acting_, events);
  if (in.advance) warps_.at(in.advance->warp).now.path.at(in.advance->slot).pc += 4;
  if (in.launch) {
    Warp fresh;
    fresh.runs = true;
    fresh.now.path[0] = {in.launch->pc, in.launch->mask};
    fresh.live = in.launch->mask;
    warps_.at(in.launch->warp) = fresh;
  }
  if (in.fill) fill(*in.fill, events);
  acting_ = in.resolve;
  chosen_ = next;
  if (in.kill) {
    warps_.at(*in.kill) = Warp();
    if (acting_ && acting_->warp == *in.kill) acting_.reset();
  }
  for (WarpId w = 0; w < warps_.size(); ++w) max_depth_ = std::max(max_depth_, depth(w));
  return events;
}

std::optional<SoftwareStackOracle::Load> SoftwareStackOracle::load() const {
  if (!chosen_ || depth(*chosen_) < 2) return std::nullopt;
  return Load{*chosen_, depth(*chosen_) - 2};
}

std::optional<WarpId> SoftwareStackOracle::resolving() const {
  return acting_ ? std::optional<WarpId>(acting_->warp) : std::nullopt;
}

std::optional<WarpId> SoftwareStackOracle::waiting_for_a_pop(std::optional<WarpId> killed) const {
  for (WarpId w = 0; w < warps_.size(); ++w) {
    const Warp& warp = warps_[w];
    if (warp.runs && warp.now.threads() == 0 && !warp.loading && w != chosen_ && w != killed) return w;
  }
  return std::nullopt;
}

std::optional<WarpId> SoftwareStackOracle::choice(const Inputs& in) const {
  const bool over = ends(in) || (load() && in.load_ready) || in.kill == chosen_;
  if (chosen_ && !over) return chosen_;
  return waiting_for_a_pop(in.kill);
}

bool SoftwareStackOracle::save(const Resolve& in, Warp& warp, const SoftwareRow& row, Events& events) {
  const unsigned number = warp.rows.size();
  if (number + 1 == depth_) {
    events.overflow = in.warp;
    return false;
  }
  save_ = {true, in.warp, number, row};
  warp.rows.push_back(row);
  return true;
}

void SoftwareStackOracle::act(const Resolve& in, Events& events) {
  Warp warp = warps_.at(in.warp);
  SoftwarePath& self = warp.now.path.at(in.slot);
  SoftwarePath& other = warp.now.path.at(1 - in.slot);
  const bool beside = other.mask != 0;
  bool next = false;
  if (in.kind == kMarkPop) {
    self.mask = 0;
    events.met.insert(beside ? "pop_disables_a_path" : "pop_of_the_last_path");
  } else if (in.kind == kMarkPush) {
    SoftwareRow row = warp.now;
    row.path.at(in.slot).pc = in.rpc;
    if (!save(in, warp, row, events)) {
      events.met.insert("overflow_by_a_push");
      return;
    }
    self.pc = in.next;
    other.mask = 0;
    next = true;
    events.met.insert(beside ? "push_suspends_the_other_path" : "push");
  } else {
    warp.live &= ~in.exit;
    const LaneMask mask = self.mask & warp.live, taken = mask & in.taken, rest = mask & ~in.taken;
    if (mask != 0 && mask != self.mask) events.met.insert("some_exit");
    if (mask == 0) {
      self.mask = 0;
      events.met.insert(beside ? "path_exits" : "last_path_exits");
    } else if (taken == 0 || rest == 0 || in.target == in.next) {
      self = {rest == 0 ? in.target : in.next, mask};
      next = self.pc == in.next;
    } else {
      SoftwareRow row = warp.now;
      row.path.at(in.slot).mask = 0;
      if (beside && !save(in, warp, row, events)) {
        events.met.insert("overflow_by_a_divergence");
        return;
      }
      warp.now.path[taken_left_ ? 0 : 1] = {in.target, taken};
      warp.now.path[taken_left_ ? 1 : 0] = {in.next, rest};
      events.push = in.warp;
      events.met.insert(beside ? "divergence_saves_a_row" : "divergence");
    }
  }
  warps_.at(in.warp) = warp;
  events.resolved = Resolved{in.warp, in.slot, next};
}

void SoftwareStackOracle::fill(const Fill& in, Events& events) {
  Warp& warp = warps_.at(in.warp);
  events.pop = in.warp;
  if (!warp.rows.empty()) warp.rows.pop_back();  // a fill that nobody asked for is the caller's mistake
  warp.loading = false;
  warp.now = in.row;
  for (SoftwarePath& path : warp.now.path) path.mask &= warp.live;
  const LaneMask back = warp.now.threads();
  if (in.row.threads() != 0 && back == 0) events.met.insert("row_of_dead_threads");
  if (back != 0 && back != in.row.threads()) events.met.insert("row_with_dead_threads");
  if (warp.now.path[0].mask != 0 && warp.now.path[1].mask != 0) events.met.insert("row_of_two_paths");
}
}  // namespace heddle::test
