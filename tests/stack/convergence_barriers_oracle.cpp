// SPDX-License-Identifier: Apache-2.0
#include "tests/stack/convergence_barriers_oracle.h"

#include <algorithm>
#include <bitset>

namespace heddle::test {

BarriersOracle::Events BarriersOracle::step(const Inputs& in) {
  Events events;
  answer_.reset();
  event_.reset();
  met_.clear();
  const std::optional<WarpId> serves = serves_;
  serves_ = in.resolve ? std::nullopt : next_to_serve(in.kill, serves);
  if (in.advance) {
    for (auto& [lane, thread] : warps_.at(*in.advance).threads) {
      if (runs(warps_[*in.advance], thread)) thread.pc += config_.step;
    }
    warps_[*in.advance].pc += config_.step;
  }
  if (acting_) resolve(*acting_, events);
  if (serves) serve(*serves, events);
  acting_ = in.resolve;
  if (acting_) acting_->operand &= lane_mask(config_.lanes);  // what stands above them does not count
  if (in.kill) {
    warps_.at(*in.kill) = Warp();
    if (acting_ && acting_->warp == *in.kill) acting_.reset();
    if (answer_ && answer_->warp == *in.kill) answer_.reset();
    if (event_ && event_->warp == *in.kill) event_.reset();
  }
  if (in.launch) launch(*in.launch);
  for (WarpId w = 0; w < warps_.size(); ++w) most_ = std::max(most_, depth(w));
  return events;
}

BarriersOracle::Path BarriersOracle::path(WarpId w) const {
  const Warp& warp = warps_.at(w);
  return {warp.looks.empty() ? threads_of(warp, warp.running) : 0, warp.pc};
}

LaneMask BarriersOracle::live(WarpId w) const {
  LaneMask live = 0;
  for (const auto& [lane, thread] : warps_.at(w).threads) live |= bit(lane);
  return live;
}

unsigned BarriersOracle::depth(WarpId w) const {
  return warps_.at(w).used ? static_cast<unsigned>(warps_.at(w).others.size()) + 1 : 0;
}

std::optional<WarpId> BarriersOracle::acting() const {
  return acting_ ? std::optional<WarpId>(acting_->warp) : std::nullopt;
}

std::vector<BarriersOracle::Path> BarriersOracle::others(WarpId w) const {
  std::vector<Path> paths;
  for (const unsigned other : warps_.at(w).others) {
    paths.push_back({threads_of(warps_[w], other), place_of(warps_[w], other)});
  }
  return paths;
}

std::optional<LaneMask> BarriersOracle::members(WarpId w, unsigned index) const {
  const auto found = warps_.at(w).barriers.find(index);
  return found == warps_[w].barriers.end() ? std::nullopt : std::optional<LaneMask>(found->second.members);
}

LaneMask BarriersOracle::threads_of(const Warp& warp, unsigned path) {
  LaneMask mask = 0;
  for (const auto& [lane, thread] : warp.threads) {
    if (!thread.waits && thread.path == path) mask |= bit(lane);
  }
  return mask;
}

Pc BarriersOracle::place_of(const Warp& warp, unsigned path) {
  for (const auto& [lane, thread] : warp.threads) {
    if (!thread.waits && thread.path == path) return thread.pc;
  }
  return 0;
}

LaneMask BarriersOracle::waiting_at(const Warp& warp, unsigned index) {
  LaneMask mask = 0;
  for (const auto& [lane, thread] : warp.threads) {
    if (thread.waits == index) mask |= bit(lane);
  }
  return mask;
}

LaneMask BarriersOracle::live_of(const Warp& warp) {
  LaneMask mask = 0;
  for (const auto& [lane, thread] : warp.threads) mask |= bit(lane);
  return mask;
}

std::optional<WarpId> BarriersOracle::next_to_serve(std::optional<WarpId> killed, std::optional<WarpId> served) const {
  for (WarpId w = 0; w < warps_.size(); ++w) {
    const Warp& warp = warps_[w];
    const bool issues = warp.looks.empty() && threads_of(warp, warp.running) != 0;
    if (warp.used && !issues && !warp.stuck && w != served && w != acting() && w != killed) return w;
  }
  return std::nullopt;
}

void BarriersOracle::launch(const Launch& in) {
  Warp& warp = warps_.at(in.warp);
  warp = Warp();
  warp.used = true;
  warp.pc = in.pc;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (has(in.mask, lane)) warp.threads[lane] = Thread{in.pc, 0, std::nullopt};
  }
}

void BarriersOracle::resolve(const Resolve& in, Events& events) {
  Warp& warp = warps_.at(in.warp);
  const LaneMask path = threads_of(warp, warp.running);
  const unsigned was_running = warp.running;
  const Pc was_at = warp.pc;
  events.resolved = in.warp;
  // Everyone goes on behind the instruction, unless something else is said.
  go_on(warp, path, in.next);
  bool elsewhere = false;  // the path is not what goes on, whatever next is
  if (in.mark == Mark::kNone) elsewhere = branch(warp, path, in, events);
  else if (in.mark == Mark::kYield) yield(warp, path);
  else if (in.mark == Mark::kSync) elsewhere = sync(in, warp, path, was_at);
  else named(in, warp, path);
  events.next = !elsewhere && warp.running == was_running && threads_of(warp, warp.running) != 0;
  if (events.push && events.next) events.push.reset();
}

void BarriersOracle::go_on(Warp& warp, LaneMask threads, Pc pc) {
  for (auto& [lane, thread] : warp.threads) {
    if (has(threads, lane)) thread.pc = pc;
  }
  warp.pc = pc;
}

bool BarriersOracle::branch(Warp& warp, LaneMask path, const Resolve& in, Events& events) {
  LaneMask taken = 0, stay = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!has(path, lane)) continue;
    if (has(in.exit, lane)) {
      warp.threads.erase(lane);
      for (const auto& armed : warp.barriers) warp.looks.insert(armed.first);
    } else if (has(in.taken, lane)) {
      taken |= bit(lane);
      warp.threads[lane].pc = in.target;
    } else {
      stay |= bit(lane);
    }
  }
  const bool loops = config_.rule == YieldRule::kFairAtBranches && taken != 0 && in.target < in.next;
  if (taken == 0 || stay == 0 || in.target == in.next) {
    if (taken != 0) warp.pc = in.target;
    if (loops && !warp.others.empty()) let_others_go(warp, false);
    return warp.pc != in.next;
  }
  events.push = in.warp;
  const bool taken_first = !loops && goes_first(taken, stay);
  // The side that waits is a new path.
  const unsigned side = ++warp.born;
  for (auto& [lane, thread] : warp.threads) {
    if (has(taken_first ? stay : taken, lane)) thread.path = side;
  }
  if (loops) warp.others.push_back(side);
  else warp.others.push_front(side);
  warp.pc = taken_first ? in.target : in.next;
  met_if(loops, "a_loop_lets_others_go");
  return taken_first;
}

bool BarriersOracle::goes_first(LaneMask taken, LaneMask stay) const {
  const auto count = [](LaneMask mask) { return std::bitset<64>(mask).count(); };
  switch (config_.first) {
    case FirstSide::kTaken: return true;
    case FirstSide::kFallThrough: return false;
    case FirstSide::kSmaller: return count(taken) <= count(stay);
    default: return count(taken) >= count(stay);
  }
}

void BarriersOracle::let_others_go(Warp& warp, bool comes_next) {
  const unsigned runs_now = warp.others.front(), ran = warp.running;
  warp.others.pop_front();
  if (comes_next) warp.others.push_front(ran);
  else warp.others.push_back(ran);
  warp.running = runs_now;
  warp.pc = place_of(warp, runs_now);
}

void BarriersOracle::yield(Warp& warp, LaneMask path) {
  std::optional<unsigned> newest;
  for (const auto& [index, barrier] : warp.barriers) {
    if (index < config_.barriers && (!newest || barrier.born > warp.barriers[*newest].born)) newest = index;
  }
  const LaneMask members = newest ? warp.barriers[*newest].members : 0;
  if (!warp.others.empty()) {
    const LaneMask both = path | threads_of(warp, warp.others.front());
    const bool swaps = config_.rule == YieldRule::kSwap && newest && (both & ~members) == 0;
    if (swaps) met_.insert("yield_swaps");
    if (config_.rule != YieldRule::kSwap) met_.insert("yield_rotates");
    if (config_.rule != YieldRule::kSwap || swaps) let_others_go(warp, swaps);
  }
  if (config_.leaves && (members & path) != 0) {
    warp.barriers[*newest].members &= ~path;
    warp.looks.insert(*newest);
    met_.insert("yield_leaves_its_barrier");
  }
}

bool BarriersOracle::sync(const Resolve& in, Warp& warp, LaneMask path, Pc here) {
  if ((path & in.operand) == 0) return false;
  unsigned index = config_.barriers;
  while (!has(in.operand, index - config_.barriers)) ++index;
  const auto waits = warp.barriers.find(index);
  if (waits == warp.barriers.end()) {
    warp.barriers[index] = Barrier{in.operand, in.next, ++warp.born};
  } else if (waits->second.members != in.operand || waits->second.place != in.next) {
    tell(in.warp, Told::kMixed);
    return false;
  }
  for (auto& [lane, thread] : warp.threads) {
    if (has(path & in.operand, lane)) thread.waits = index;
    else if (has(path, lane)) thread.pc = here;
  }
  warp.pc = here;
  warp.looks.insert(index);
  met_if((path & ~in.operand) != 0, "sync_of_a_part");
  return true;
}

void BarriersOracle::named(const Resolve& in, Warp& warp, LaneMask path) {
  const auto found = warp.barriers.find(in.barrier);
  Barrier* armed = found == warp.barriers.end() ? nullptr : &found->second;
  const LaneMask ours = armed != nullptr ? armed->members & path : 0;
  switch (in.mark) {
    case Mark::kArm:
      if (armed == nullptr) warp.barriers[in.barrier] = Barrier{path, in.place, ++warp.born};
      else if (ours != 0) tell(in.warp, Told::kArmed);
      met_if(armed != nullptr && ours == 0, "arm_of_a_barrier_of_others");
      break;
    case Mark::kArrive:
      for (auto& [lane, thread] : warp.threads) {
        if (has(ours, lane)) thread.waits = in.barrier;
      }
      if (ours != 0) warp.looks.insert(in.barrier);
      met_if(ours != 0 && ours != path, "some_of_the_path_arrive");
      break;
    case Mark::kBreak:
      if (ours == 0) break;
      armed->members &= ~path;
      warp.looks.insert(in.barrier);
      break;
    case Mark::kSave: {
      answer_ = {in.warp, ours != 0 ? armed->members & live_of(warp) : 0, false};
      if (ours == 0) break;
      if (waiting_at(warp, in.barrier) != 0) tell(in.warp, Told::kMoved);
      else warp.barriers.erase(in.barrier);
      break;
    }
    case Mark::kSavePc: answer_ = {in.warp, ours != 0 ? armed->place : 0, true}; break;
    default:
      if ((in.operand & live_of(warp)) == 0) break;
      if (armed != nullptr) tell(in.warp, Told::kArmed);
      else warp.barriers[in.barrier] = Barrier{in.operand & live_of(warp), in.place & ~Pc{1}, ++warp.born};
      met_if(armed == nullptr, "restore");
      break;
  }
}

void BarriersOracle::met_if(bool condition, const char* what) {
  if (condition) met_.insert(what);
}

void BarriersOracle::serve(WarpId w, Events& events) {
  Warp& warp = warps_.at(w);
  if (warp.threads.empty()) {
    warp = Warp();
    events.pop = events.done = w;
  } else if (!warp.looks.empty()) {
    const unsigned index = *warp.looks.begin();
    warp.looks.erase(index);
    if (look_at(warp, index)) events.pop = w;
  } else if (!warp.others.empty()) {
    warp.running = warp.others.front();
    warp.others.pop_front();
    warp.pc = place_of(warp, warp.running);
    events.pop = w;
  } else {
    warp.stuck = true;
    tell(w, Told::kStuck);
  }
}

bool BarriersOracle::look_at(Warp& warp, unsigned index) {
  const Barrier barrier = warp.barriers.at(index);
  const LaneMask meant = barrier.members & live_of(warp);
  if ((meant & ~waiting_at(warp, index)) != 0) return false;
  warp.barriers.erase(index);
  if (meant == 0) {
    met_.insert("barrier_without_threads");
    return false;
  }
  const bool pushes = threads_of(warp, warp.running) != 0;
  if (pushes) warp.others.push_front(warp.running);
  met_.insert(pushes ? "release_before_a_path" : "release");
  met_if(index >= config_.barriers, "release_of_a_sync");
  met_if((barrier.members & ~meant) != 0, "release_without_who_has_left");
  warp.running = ++warp.born;
  for (auto& [lane, thread] : warp.threads) {
    if (thread.waits == index) thread = Thread{barrier.place, warp.running, std::nullopt};
  }
  warp.pc = barrier.place;
  return true;
}
}  // namespace heddle::test
