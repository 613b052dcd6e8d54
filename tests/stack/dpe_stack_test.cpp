// SPDX-License-Identifier: Apache-2.0
// stack/dpe_stack: random lockstep of RTL, twin and oracle; the DPE paper's examples and functions step by step.
#include "stack/dpe_stack.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/dpe_stack_deep.h"
#include "models/dpe_stack_default.h"
#include "models/dpe_stack_forward.h"
#include "models/dpe_stack_small.h"
#include "models/dpe_stack_split.h"
#include "models/dpe_stack_split_odd.h"
#include "models/dpe_stack_wide.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/stack/dpe_stack_oracle.h"
#include "tests/stack/kills.h"
#include "tests/stack/stack_logic.h"

namespace heddle::test {
namespace {

using Entries = std::vector<DpeEntry>;
constexpr unsigned kLeft = 0, kRight = 1;

template <class Set>
using DpeStackTwin = dpe_stack<Set::kNumWarps, Set::kLanes, Set::kDepth, Set::kTakenLeft, Set::kLevelW, Set::kForward,
                               Set::kSplit, Set::kWatch>;

// All three opinions on one stack; the verbs are those of the contract: launch and advance take one cycle,
// a resolution one in which it is taken in and one in which it acts, a pop one in which it is chosen and one in which
// it happens. With forwarding a resolution has one more before it, in which its path waits for it.
template <class Set>
class DpeStackBench : public Bench<typename Set::Rtl, DpeStackTwin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes;
  using Inputs = DpeStackOracle::Inputs;
  using Events = DpeStackOracle::Events;

  // splits: the oracle knows of them.
  explicit DpeStackBench(std::uint64_t seed = 0, bool splits = Set::kSplit != 0)
      : Bench<typename Set::Rtl, DpeStackTwin<Set>>(seed),
        splits_(splits) {
    reset();
  }
  // Paths that may not be joined, and paths at a barrier, besides those of a step.
  std::set<DpeStackOracle::PathId> apart, stopped;

  [[nodiscard]] const DpeStackOracle& oracle() const { return oracle_; }
  [[nodiscard]] const Entries& entries(WarpId w = 0) const { return oracle_.entries(w); }

  void reset() {
    oracle_ = DpeStackOracle(kWarps, Set::kDepth, Set::kTakenLeft != 0, Set::kLevelW, Set::kForward != 0, splits_);
    expect_state({});
    expect_events({});
    this->reset_cycle();
    logic_.reset();
  }

  Events step(Inputs in) {
    in.apart.insert(apart.begin(), apart.end());
    in.stopped.insert(stopped.begin(), stopped.end());
    launch_valid_i = in.launch.has_value();
    if (in.launch) {
      launch_warp_i = in.launch->warp;
      launch_pc_i = in.launch->pc;
      launch_mask_i = in.launch->mask;
    } else {
      launch_warp_i = idle_.below(1u << kWarpWidth);
      launch_pc_i = static_cast<Pc>(idle_.next());
      launch_mask_i = idle_.next() & lane_mask(kLanes);
    }
    kill_valid_i = in.kill.has_value();
    if (in.kill) kill_warp_i = *in.kill;
    for (WarpId w = 0; w < kWarps; ++w) hold_i.set(w, in.hold.count(w) != 0);
    for (unsigned path = 0; path < 2 * kWarps; ++path) {
      advance_i.set(path, in.advance && in.advance->slot * kWarps + in.advance->warp == path);
      merge_i.set(path, in.apart.count({path % kWarps, path / kWarps}) == 0);
      stopped_i.set(path, in.stopped.count({path % kWarps, path / kWarps}) != 0);
    }
    split_valid_i = in.split.has_value();
    if (in.split) {
      split_warp_i = in.split->warp;
      split_slot_i = in.split->slot;
      split_mask_i = in.split->mask;
    }
    resolve_valid_i = in.resolve.has_value();
    if (in.resolve) {
      resolve_warp_i = in.resolve->warp;
      resolve_slot_i = in.resolve->slot;
      resolve_taken_i = in.resolve->taken;
      resolve_target_i = in.resolve->target;
      resolve_next_i = in.resolve->next;
      resolve_rpc_i = in.resolve->rpc;
      resolve_exit_i = in.resolve->exit;
      resolve_call_i = in.resolve->call;
      resolve_return_i = in.resolve->returns;
      resolve_mark_i =
          splits_ ? in.resolve->mark : (in.resolve->target & 4) != 0;  // without splits it says nothing to this stack
    } else {
      resolve_warp_i = idle_.below(1u << kWarpWidth);
      for (Input* pc : {&resolve_target_i, &resolve_next_i, &resolve_rpc_i}) *pc = static_cast<Pc>(idle_.next());
      for (Input* mask : {&resolve_taken_i, &resolve_exit_i}) *mask = idle_.next() & lane_mask(kLanes);
    }
    expect_state(in.stopped);
    const Events events = oracle_.step(in);
    expect_events(events);
    this->cycle();
    logic_.step(in, events, events.resolved && events.resolved->next, oracle_);
    return events;
  }

  Events launch(WarpId warp, Pc pc, LaneMask mask) { return step({DpeStackOracle::Launch{warp, pc, mask}, {}, {}}); }
  Events advance(WarpId warp, unsigned slot) { return step({{}, DpeStackOracle::Advance{warp, slot}, {}}); }
  Events branch(WarpId warp, unsigned slot, LaneMask taken, Pc target, Pc next, Pc rpc, LaneMask exit = 0) {
    return resolve({warp, slot, taken, target, next, rpc, exit});
  }
  // All threads of a path go to one place (an unconditional jump).
  Events jump(WarpId warp, unsigned slot, Pc to) { return branch(warp, slot, ~LaneMask{0}, to, to, kNoRpc); }
  // The path calls a function, or returns from it; `taken` are the threads that go, the others stay at `next`.
  Events call(WarpId warp, unsigned slot, Pc to, LaneMask taken = ~LaneMask{0}, Pc next = 4, Pc rpc = kNoRpc) {
    return resolve({warp, slot, taken, to, next, rpc, 0, true, false});
  }
  Events returns(WarpId warp, unsigned slot, Pc to, LaneMask taken = ~LaneMask{0}, Pc next = 4, Pc rpc = kReturnRpc) {
    return resolve({warp, slot, taken, to, next, rpc, 0, false, true});
  }
  Events exit(WarpId warp, unsigned slot) {
    return branch(warp, slot, 0, 4, 4, kNoRpc, oracle_.top(warp).path.at(slot).mask);
  }
  Events kill(WarpId warp) { return step({{}, {}, {}, warp}); }
  Events idle() { return step({}); }
  Events pop() {
    idle();
    return idle();
  }
  Events resolve(const DpeStackOracle::Resolve& resolution) {
    if (Set::kForward != 0) hold({resolution.warp});
    step({{}, {}, resolution, {}, {resolution.warp}});
    return hold({resolution.warp});
  }
  // Nothing happens while these warps hold.
  Events hold(const std::set<WarpId>& warps) { return step({{}, {}, {}, {}, warps}); }
  // Of the path in this slot these threads stay behind, in the other one.
  Events split(WarpId warp, unsigned slot, LaneMask stay) {
    return step({{}, {}, {}, {}, {}, DpeStackOracle::Split{warp, slot, stay}});
  }
  // Two parts are chosen to meet, and do.
  Events meet() {
    idle();
    return idle();
  }
  // A path is chosen to be forwarded, and is.
  Events forward() {
    idle();
    return idle();
  }

 private:
  static constexpr unsigned kDepthWidth = count_width(Set::kDepth), kWarpWidth = index_width(kWarps);
  HEDDLE_INPUT(launch_valid_i, 1, 1);
  HEDDLE_INPUT(launch_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(launch_pc_i, 32, 1);
  HEDDLE_INPUT(launch_mask_i, kLanes, 1);
  HEDDLE_INPUT(kill_valid_i, 1, 1);
  HEDDLE_INPUT(kill_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(advance_i, 1, 2 * kWarps);
  HEDDLE_INPUT(hold_i, 1, kWarps);
  HEDDLE_INPUT(merge_i, 1, 2 * kWarps);
  HEDDLE_INPUT(stopped_i, 1, 2 * kWarps);
  HEDDLE_INPUT(split_valid_i, 1, 1);
  HEDDLE_INPUT(split_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(split_slot_i, 1, 1);
  HEDDLE_INPUT(split_mask_i, kLanes, 1);
  HEDDLE_INPUT(resolve_valid_i, 1, 1);
  HEDDLE_INPUT(resolve_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(resolve_slot_i, 1, 1);
  HEDDLE_INPUT(resolve_taken_i, kLanes, 1);
  HEDDLE_INPUT(resolve_target_i, 32, 1);
  HEDDLE_INPUT(resolve_next_i, 32, 1);
  HEDDLE_INPUT(resolve_rpc_i, 32, 1);
  HEDDLE_INPUT(resolve_exit_i, kLanes, 1);
  HEDDLE_INPUT(resolve_call_i, 1, 1);
  HEDDLE_INPUT(resolve_return_i, 1, 1);
  HEDDLE_INPUT(resolve_mark_i, 1, 1);
  HEDDLE_OUTPUT(pc_o, 32, 2 * kWarps);
  HEDDLE_OUTPUT(mask_o, kLanes, 2 * kWarps);
  HEDDLE_OUTPUT(level_o, Set::kLevelW, 2 * kWarps);
  HEDDLE_OUTPUT(valid_o, 1, 2 * kWarps);
  HEDDLE_OUTPUT(sibling_o, 1, 2 * kWarps);
  HEDDLE_OUTPUT(wait_o, 1, 2 * kWarps);
  HEDDLE_OUTPUT(parts_o, 1, kWarps);
  HEDDLE_OUTPUT(rpc_o, 32, kWarps);
  HEDDLE_OUTPUT(rpc_level_o, Set::kLevelW, kWarps);
  HEDDLE_OUTPUT(live_o, kLanes, kWarps);
  HEDDLE_OUTPUT(depth_o, kDepthWidth, kWarps);
  HEDDLE_OUTPUT(resolved_valid_o, 1, 1);
  HEDDLE_OUTPUT(resolved_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(resolved_slot_o, 1, 1);
  HEDDLE_OUTPUT(resolved_next_o, 1, 1);
  HEDDLE_OUTPUT(push_valid_o, 1, 1);
  HEDDLE_OUTPUT(push_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(pop_valid_o, 1, 1);
  HEDDLE_OUTPUT(pop_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(done_valid_o, 1, 1);
  HEDDLE_OUTPUT(done_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(overflow_valid_o, 1, 1);
  HEDDLE_OUTPUT(overflow_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(max_depth_o, kDepthWidth, 1);
  HEDDLE_OUTPUT(splits_o, 32, 1);
  HEDDLE_OUTPUT(merges_o, 32, 1);
  HEDDLE_OUTPUT(forwards_o, 32, 1);

  void expect_state(const std::set<DpeStackOracle::PathId>& stopped_now) {
    for (WarpId w = 0; w < kWarps; ++w) {
      const DpeEntry top = oracle_.top(w);
      for (const unsigned slot : {kLeft, kRight}) {
        const unsigned path = slot * kWarps + w;
        pc_o.expect(path, top.path[slot].pc);
        mask_o.expect(path, top.path[slot].mask);
        level_o.expect(path, top.path[slot].level);
        valid_o.expect(path, top.path[slot].mask != 0);
        sibling_o.expect(path, top.path[1 - slot].mask != 0);
        wait_o.expect(path, oracle_.waits(w, slot, stopped_now));
      }
      parts_o.expect(w, top.parts);
      rpc_o.expect(w, top.place.rpc());
      rpc_level_o.expect(w, top.place.level());
      live_o.expect(w, oracle_.live(w));
      depth_o.expect(w, oracle_.depth(w));
      if (oracle_.depth(w) != 0) continue;
      for (Output* data : {&rpc_o, &rpc_level_o, &live_o}) data->ignore(w);
      for (Output* data : {&pc_o, &level_o}) {
        data->ignore(w);
        data->ignore(kWarps + w);
      }
    }
    max_depth_o.expect(Set::kWatch != 0 ? oracle_.max_depth() : 0);
    splits_o.expect(Set::kWatch != 0 ? oracle_.splits() : 0);
    merges_o.expect(Set::kWatch != 0 ? oracle_.merges() : 0);
    forwards_o.expect(Set::kWatch != 0 ? oracle_.forwards() : 0);
  }

  void expect_events(const Events& events) {
    resolved_valid_o.expect(events.resolved.has_value());
    resolved_warp_o.expect(events.resolved ? events.resolved->warp : 0);
    resolved_slot_o.expect(events.resolved ? events.resolved->slot : 0);
    resolved_next_o.expect(events.resolved && events.resolved->next);
    push_valid_o.expect(events.push.has_value());
    push_warp_o.expect(events.push.value_or(0));
    pop_valid_o.expect(events.pop.has_value());
    pop_warp_o.expect(events.pop.value_or(0));
    done_valid_o.expect(events.done.has_value());
    done_warp_o.expect(events.done.value_or(0));
    overflow_valid_o.expect(events.overflow.has_value());
    overflow_warp_o.expect(events.overflow.value_or(0));
  }

  bool splits_;
  Random idle_{
      1};  // what data pins say in cycles in which they mean nothing; PCs are odd, too, and warps none of these
  DpeStackOracle oracle_{kWarps, Set::kDepth, Set::kTakenLeft != 0, Set::kLevelW, Set::kForward != 0, splits_};
  StackLogic<typename DpeStackTwin<Set>::Logic, kWarps, Set::kWatch != 0> logic_;
};

// ---- random lockstep

template <class Set>
class DpeStackRandom : public testing::Test {};
using Sets =
    ParameterSets<models::dpe_stack_small, models::dpe_stack_deep, models::dpe_stack_wide, models::dpe_stack_default,
                  models::dpe_stack_forward, models::dpe_stack_split, models::dpe_stack_split_odd>;
TYPED_TEST_SUITE(DpeStackRandom, Sets, SetNames);

// The PC that the paths above will bring to the nearest entry below that waits for it, if that entry meets at a PC
// itself.
std::optional<Pc> own_rpc_of_the_caller(const Entries& entries) {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (entry->path[kLeft].at_return || entry->path[kRight].at_return) return entry->place.pc();
  }
  return std::nullopt;
}

// One of the paths that meet here has brought the address.
bool knows(const DpeEntry& entry) { return entry.place.returning() && entry.place.address(); }

// Which warps hold: those of which a path waits for a resolution, from the cycle before it is taken in to the one in
// which it acts, and some that get none in the end. Without forwarding it says nothing.
class RandomHolds {
 public:
  // The next cycle begins.
  template <class Set>
  void next(Random& random, const DpeStackOracle& oracle) {
    before_ = now_;
    for (WarpId w = 0; w < Set::kNumWarps; ++w) {
      if (oracle.resolving() == w || (now_.count(w) == 0 && random.chance(35))) {
        now_.insert(w);
      } else if (random.chance(resolving_ == w ? 50 : 10)) {  // or the other path waits next
        now_.erase(w);
      }
    }
    resolving_ = oracle.resolving();
  }
  [[nodiscard]] const std::set<WarpId>& now() const { return now_; }
  // A resolution of the warp may be taken in.
  [[nodiscard]] bool allow(WarpId w) const { return before_.count(w) != 0 && now_.count(w) != 0; }

 private:
  std::set<WarpId> before_, now_;
  std::optional<WarpId> resolving_;
};

// A resolution in place of `r`, by which paths come to be forwarded, and guests do all that a path may do.
void steer_to_guests(Random& random, const DpeEntry& top, const Place& place, const Levels& levels, LaneMask all,
                     DpeStackOracle::Resolve& r) {
  const DpePath& self = top.path[r.slot];
  const DpePath& other = top.path[1 - r.slot];
  const bool offered = top.offer == r.slot && !top.handed;
  const bool below = place.returning() && levels.above(place.level()) == self.level;  // may return to its place
  const auto arrive = [&] {
    r.target = r.next = place.pc().value_or(r.target);
    r.taken = all;
    r.call = false;
    r.returns = below;
  };
  if (self.guest) {
    if (random.chance(30)) arrive();
    if (random.chance(10)) r.target = r.next = place.pc().value_or(r.target) - 4;  // arrives by an advance
    if (random.chance(20)) r.rpc = place.pc().value_or(kNoRpc);
    if (top.place.returning() &&
        random.chance(60)) {  // diverges where the entry did that it is in, in a function of its own
      const bool there = self.level == levels.above(top.place.level());
      if (there) r.rpc = kReturnRpc;
      if (!there) r.taken = all;
      r.returns = false;
      r.call = !there;
    }
    if (other.mask == 0 && random.chance(70)) {  // alone
      r.rpc = place.pc().value_or(kNoRpc);
      r.taken = self.mask & (self.mask - 1);
      r.call = r.returns = false;
    }
  } else if (offered ? random.chance(50) : other.guest && random.chance(60)) {
    arrive();  // makes room for a guest, or leaves it alone
  } else if (other.mask != 0 && random.chance(50)) {
    r.rpc = self.level != 0 && random.chance(40) ? kReturnRpc : r.next + 0x100;  // suspends the other path
    r.taken = self.mask & (self.mask - 1);
    r.call = r.returns = false;
  }
}

// Which paths stand at a barrier, and which may not be joined: any, for some cycles, and often both parts of a path.
// Without splitting it says nothing.
class RandomParts {
 public:
  using PathId = DpeStackOracle::PathId;
  template <class Set>
  void next(Random& random, const DpeStackOracle& oracle) {
    for (WarpId w = 0; w < Set::kNumWarps; ++w) {
      for (const unsigned slot : {kLeft, kRight}) {
        flip(random, apart_, {w, slot}, 5, 25);
        flip(random, stopped_, {w, slot}, 4, 20);
      }
      const DpeEntry top = oracle.top(w);
      if (!top.parts || !random.chance(top.path[kLeft].stands_with(top.path[kRight]) ? 15 : 5)) continue;
      stopped_.insert({w, kLeft});
      stopped_.insert({w, kRight});
    }
  }
  [[nodiscard]] const std::set<PathId>& apart() const { return apart_; }
  [[nodiscard]] const std::set<PathId>& stopped() const { return stopped_; }

 private:
  static void flip(Random& random, std::set<PathId>& paths, PathId path, unsigned in, unsigned out) {
    if (paths.count(path) == 0) {
      if (random.chance(in)) paths.insert(path);
    } else if (random.chance(out)) {
      paths.erase(path);
    }
  }
  std::set<PathId> apart_, stopped_;
};

// The parts of this warp meet at the end of this cycle.
bool meets(const DpeStackOracle& oracle, WarpId w) {
  const DpeEntry top = oracle.top(w);
  return oracle.meeting() == w && top.parts && top.path[kLeft].stands_with(top.path[kRight]);
}

// A resolution in place of `r`, by which parts come to one place, or diverge.
void steer_to_parts(Random& random, const DpeEntry& top, const Place& place, LaneMask all, DpeStackOracle::Resolve& r) {
  r.mark = random.chance(15);
  const DpePath& self = top.path[r.slot];
  const DpePath& other = top.path[1 - r.slot];
  if (!top.parts) return;
  if (random.chance(30)) {
    r.taken = self.mask & (self.mask - 1);  // all but one, if there are two
    r.call = r.returns = false;
    if (random.chance(30)) r.rpc = place.pc().value_or(kNoRpc);
  } else if (random.chance(60)) {
    r.target = r.next = other.pc - (random.chance(20) ? 4 : 0);
    r.taken = random.chance(50) ? all : 0;
    if (random.chance(80)) r.call = r.returns = false;
  }
}

// The path that is given may be split, and is: some of its threads stay behind.
std::optional<DpeStackOracle::Split> random_split(Random& random, const DpeStackOracle& oracle,
                                                  const DpeStackOracle::Inputs& in, unsigned warps) {
  std::vector<DpeStackOracle::Split> able;
  for (WarpId w = 0; w < warps; ++w) {
    if (oracle.resolving() == w || (in.resolve && in.resolve->warp == w) || in.kill == w ||
        (in.advance && in.advance->warp == w))
      continue;
    const DpeEntry top = oracle.top(w);
    for (const unsigned slot : {kLeft, kRight}) {
      const LaneMask mask = top.path[slot].mask;
      if (top.path[1 - slot].mask == 0 && (mask & (mask - 1)) != 0) able.push_back({w, slot, mask});
    }
  }
  if (able.empty() || !random.chance(40)) return std::nullopt;
  DpeStackOracle::Split split = random.pick(able);
  const LaneMask mask = split.mask;
  while ((split.mask & mask) == 0 || (split.mask & mask) == mask) split.mask = random.next();
  return split;
}

// Legal inputs from a few PCs behind `base`, so that paths often stand at a reconvergence point; base moves now and
// then, and some branches meet at a power of two. Calls and returns go where something is to be met.
template <class Set>
DpeStackOracle::Inputs random_inputs(Random& random, const DpeStackOracle& oracle, Pc& base, RandomHolds& holds,
                                     RandomParts& parts) {
  holds.next<Set>(random, oracle);
  parts.next<Set>(random, oracle);
  if (random.chance(3)) base = random.base(6) & ~Pc{1};
  const auto pc = [&] { return base + 4 * random.below(6); };
  std::vector<WarpId> idle;
  std::vector<std::pair<WarpId, unsigned>> paths, told,
      waiting;  // paths: all that may advance; waiting: that may be resolved
  const auto& acts = oracle.acting();
  for (WarpId w = 0; w < Set::kNumWarps; ++w) {
    if (oracle.depth(w) == 0) idle.push_back(w);
    if (acts && acts->warp == w) continue;  // both paths stand still
    for (unsigned slot = 0; slot < 2; ++slot) {
      if (oracle.top(w).path[slot].mask == 0 || oracle.waits(w, slot, parts.stopped())) continue;
      if (meets(oracle, w) || (oracle.meeting_choice(parts.stopped()) == w && random.chance(80))) continue;
      paths.emplace_back(w, slot);
      if (Set::kForward == 0 || holds.allow(w)) waiting.emplace_back(w, slot);
      if (knows(oracle.top(w)) && (Set::kForward == 0 || holds.allow(w))) told.emplace_back(w, slot);
    }
  }
  DpeStackOracle::Inputs in;
  if (!idle.empty() && random.chance(30)) {
    const LaneMask mask = random.chance(50) ? lane_mask(Set::kLanes) : random.some_lanes(Set::kLanes);
    in.launch = {random.pick(idle), pc(), mask};
  }
  if (!waiting.empty() && random.chance(60)) {
    const auto [warp, slot] = random.pick(!told.empty() && random.chance(40) ? told : waiting);
    const DpeEntry top = oracle.top(warp);
    const DpePath other = top.path[1 - slot];
    const Place place = oracle.place(warp, slot);
    DpeStackOracle::Resolve r{warp, slot, random.lanes(Set::kLanes), pc(), pc(), pc(), 0};
    if (random.chance(60)) r.taken = random.next() & lane_mask(Set::kLanes);  // divergent more often than not
    if (random.chance(25)) r.rpc = base + 0x100 + 4 * random.below(64);       // out of reach: nest deeper
    if (random.chance(20)) r.rpc = place.pc().value_or(kReturnRpc);
    if (random.chance(10)) r.rpc = kNoRpc;
    if (random.chance(10)) {  // two sides around the one PC with this bit alone
      r.rpc = Pc{1} << random.between(2, 31);
      r.target = r.rpc - 4 * random.below(3);
      r.next = r.rpc - 4 * random.below(3);
    }
    if (random.chance(10)) r.target = r.next = place.pc().value_or(base);  // all threads arrive
    if (random.chance(20) && r.rpc > kReturnRpc) r.target = r.rpc - 4;
    if (random.chance(25)) r.rpc = kReturnRpc;
    // Those that meet where they return to are one level above it, and return; the others call.
    const bool due = place.returning() && oracle.levels().above(place.level()) == top.path[slot].level;
    if (random.chance(due ? 60 : 35)) {
      r.returns = random.chance(due ? 90 : 40);
      r.call = !r.returns;
      if (random.chance(60)) r.taken = lane_mask(Set::kLanes);
      const auto own = own_rpc_of_the_caller(oracle.entries(warp));
      if (r.returns && own && random.chance(70)) r.target = *own;
    }
    if (knows(top) && !top.path[slot].guest && random.chance(60)) {
      // To the address that others brought, all or some of them, or just before it.
      const Pc address = *top.place.address();
      r.target = address - (random.chance(30) ? 4 : 0);
      r.call = false;
      r.returns = top.path[slot].level != top.place.level();
      const LaneMask mask = top.path[slot].mask;
      r.taken = random.chance(50) ? lane_mask(Set::kLanes) : mask & (mask - 1);  // all, or all but one
      if (random.chance(70)) r.rpc = random.chance(50) ? kReturnRpc : kNoRpc;
    }
    if (Set::kSplit != 0) steer_to_parts(random, top, place, lane_mask(Set::kLanes), r);
    if (Set::kForward != 0) steer_to_guests(random, top, place, oracle.levels(), lane_mask(Set::kLanes), r);
    if (random.chance(10)) r.exit = top.path[slot].mask & random.next();
    if (random.chance(due ? 10 : 3)) r.exit = top.path[slot].mask;
    // The sibling may arrive as this path's branch is taken in, with the same reconvergence point.
    if (other.mask != 0 && other.pc + 4 == top.place.pc() && random.chance(50)) r.rpc = other.pc + 4;
    in.resolve = r;
  }
  if (!paths.empty() && random.chance(60)) {
    auto [warp, slot] = random.pick(!told.empty() && random.chance(40) ? told : paths);
    if (in.resolve && random.chance(60)) {  // the sibling of the resolving path advances
      warp = in.resolve->warp;
      slot = 1 - in.resolve->slot;
    }
    if (const auto popped = oracle.popping(); popped && !oracle.top(*popped).empty()) {  // its guest is not held up
      warp = *popped;
      slot = oracle.top(warp).path[kLeft].mask != 0 ? kLeft : kRight;
    }
    const bool resolves = in.resolve && in.resolve->warp == warp && in.resolve->slot == slot;
    const bool stands =
        oracle.top(warp).path[slot].mask == 0 || oracle.waits(warp, slot, parts.stopped()) || meets(oracle, warp);
    if (!stands && !resolves) in.advance = {warp, slot};
  }
  in.apart = parts.apart();
  in.stopped = parts.stopped();
  if (in.resolve) {  // who joined it now would not execute its branch
    in.apart.emplace(in.resolve->warp, in.resolve->slot);
  }
  in.kill = random_kill(random, oracle, in, Set::kNumWarps);
  if (Set::kSplit != 0) {  // seldom, but for those that meet
    if (random.chance(50)) in.kill.reset();
    if (oracle.meeting() && random.chance(10)) in.kill = oracle.meeting();
    if (const auto chosen = oracle.meeting_choice(in.stopped); chosen && random.chance(5)) in.kill = chosen;
  }
  if (in.resolve) {  // does not act as parts meet
    DpeEntry next = oracle.top(in.resolve->warp);
    if (in.advance && in.advance->warp == in.resolve->warp) next.path[in.advance->slot].pc += 4;
    const bool meet = oracle.meeting_choice(in.stopped, in.kill) == in.resolve->warp &&
                      next.path[kLeft].stands_with(next.path[kRight]);
    if (meet) in.resolve.reset();
  }
  in.split = random_split(random, oracle, in, Set::kNumWarps);
  if (Set::kForward != 0) {  // seldom, but for those that meet a forward
    if (random.chance(70)) in.kill.reset();
    if (oracle.forwarding() && random.chance(3)) in.kill = oracle.forwarding();
  }
  in.hold = holds.now();
  return in;
}

TYPED_TEST(DpeStackRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  Coverage met;
  const unsigned cycles = TypeParam::kNumWarps > 8 ? 3000 : TypeParam::kForward != 0 ? 60000 : 30000;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    Pc base = 0x100;
    RandomHolds holds;
    RandomParts parts;
    DpeStackBench<TypeParam> bench(seed);
    std::optional<WarpId> popped, advanced;  // in the cycle before: with a resolution that acts now its sibling
    Kills kills;
    for (unsigned i = 0; i < cycles; ++i) {
      if (random.below(1000) == 0) bench.reset();
      const auto in = random_inputs<TypeParam>(random, bench.oracle(), base, holds, parts);
      const auto acts = bench.oracle().acting();
      DpeEntry before;
      if (acts) before = bench.oracle().top(acts->warp);
      kills.before(bench.oracle(), in);
      const auto chosen = bench.oracle().choice(in.hold, in.kill), unheld = bench.oracle().choice({}, in.kill);
      const auto to_meet = bench.oracle().meeting_choice(in.stopped);
      const DpeEntry advancing = in.advance ? bench.oracle().top(in.advance->warp) : DpeEntry();
      const auto events = bench.step(in);
      kills.count(met, bench.oracle(), in, events, TypeParam::kNumWarps);
      met.hit("push", events.push.has_value());
      met.hit("replacement", events.replaced);
      met.hit("tail_kept",
              events.push && !events.replaced && bench.oracle().top(*events.push).place.same(before.place));
      if (TypeParam::kDepth < TypeParam::kLanes && TypeParam::kDepth <= 5) {
        met.hit("overflow", events.overflow.has_value());
        met.hit("overflow_beside_an_advance", events.overflow && advanced == events.overflow);
      }
      met.hit("push_beside_an_advance", events.push && advanced == events.push);
      met.hit("replaced_as_the_sibling_has_just_arrived", events.replaced && advanced == acts->warp);
      met.hit("done", events.done.has_value());
      met.hit("pop", events.pop.has_value() && !events.done);
      met.hit("no_rpc", events.push && bench.oracle().top(*events.push).place.nowhere());
      met.hit("partial_exit", acts && acts->exit != 0 && acts->exit != before.path[acts->slot].mask);
      met.hit("goes_on", events.resolved && events.resolved->next && acts->target != acts->next);
      met.hit("goes_on_as_target_is_next", events.resolved && events.resolved->next && acts->target == acts->next);
      met.hit("does_not_go_on", events.resolved && !events.resolved->next && !events.push);
      met.hit("sibling_advances_as_it_is_taken_in", in.resolve && in.advance && in.resolve->warp == in.advance->warp);
      if (TypeParam::kNumWarps > 1) {
        met.hit("push_and_pop_of_two_warps", events.push && events.pop);
        met.hit("one_acts_and_another_is_taken_in", acts && in.resolve);
        met.hit("pops_in_two_cycles_on_end", events.pop && popped && events.pop != popped);
      }
      popped = events.pop;
      advanced = in.advance ? std::optional(in.advance->warp) : std::nullopt;
      for (const char* situation :
           {"call", "return", "return_wraps", "divergent_call", "divergent_return", "inherits",
            "return_divergence_at_level_0", "return_divergence", "return_tail_replaced", "address_learnt",
            "return_to_a_known_address", "return_elsewhere", "side_brings_the_address",
            "side_returns_to_a_known_address", "pop_to_the_return_address", "pop_without_address",
            "rpc_passed_at_another_level", "advance_to_the_return_address"}) {
        met.hit(situation, events.met.count(situation) != 0);
      }
      if (TypeParam::kDepth > 2) {
        for (const char* situation :
             {"return_tail_kept", "address_goes_on_to_the_sibling", "return_address_is_the_own_rpc"}) {
          met.hit(situation, events.met.count(situation) != 0);
        }
      }
      if (TypeParam::kForward != 0) {
        const auto beside = [&](const std::optional<WarpId>& event) {
          return event && in.advance && in.advance->warp == *event;
        };
        met.hit("forward", events.forward.has_value());
        met.hit("forward_beside_an_advance", beside(events.forward));
        met.hit("forward_as_the_other_path_arrives",
                beside(events.forward) && in.kill != events.forward &&
                    bench.oracle().top(*events.forward).path[in.advance->slot].mask == 0);
        met.hit("pop_beside_an_advance", beside(events.pop));
        met.hit("pop_as_the_guest_arrives", beside(events.pop) && in.kill != events.pop &&
                                                bench.oracle().top(*events.pop).path[in.advance->slot].mask == 0);
        met.hit("advance_of_a_guest", in.advance && advancing.path[in.advance->slot].guest);
        met.hit("kill_with_a_forward", events.forward && in.kill == events.forward);
        met.hit("kill_beside_a_forward", events.forward && in.kill && in.kill != events.forward);
        met.hit("held_forward",
                unheld && unheld->forward && (!chosen || chosen->warp != unheld->warp) && in.kill != unheld->warp);
        met.hit("held_pop",
                unheld && !unheld->forward && (!chosen || chosen->warp != unheld->warp) && in.kill != unheld->warp);
        for (const char* situation :
             {"guest_advances_to_its_place", "guest_passes_the_place_of_its_host", "guest_exits", "guest_arrives",
              "lonely_guest_diverges", "guest_diverges_tail", "guest_diverges", "guest_is_offered",
              "guest_returns_at_the_level_of_its_host", "guest_replaces", "guest_leaves_an_address",
              "pop_behind_a_guest", "pop_with_a_guest", "pop_with_a_guest_that_stays_one", "guest_of_a_guest"}) {
          met.hit(situation, events.met.count(situation) != 0);
        }
      }
      if (TypeParam::kSplit != 0) {
        met.hit("split_left", in.split && in.split->slot == kLeft);
        met.hit("split_right", in.split && in.split->slot == kRight);
        met.hit("split_beside_a_push", in.split && events.push && events.push != in.split->warp);
        met.hit("split_beside_an_advance", in.split && in.advance);
        met.hit("split_beside_a_kill", in.split && in.kill);
        met.hit("kill_as_they_are_chosen_to_meet", to_meet && in.kill == to_meet);
        met.hit("chosen_to_meet_as_others_do", to_meet && events.meet && in.kill != to_meet);
        met.hit("chosen_to_meet_as_a_resolution_acts", to_meet && acts && acts->warp == *to_meet);
        met.hit("a_stopped_path_advances", in.advance && in.stopped.count({in.advance->warp, in.advance->slot}) != 0);
        for (const char* situation : {"split_of_who_was_joined",
                                      "advance_joins",
                                      "resolution_joins",
                                      "other_part_passed_at_another_level",
                                      "other_part_may_not_be_joined",
                                      "joins_who_waits",
                                      "kill_with_a_join",
                                      "part_advances_to_its_place",
                                      "part_arrives",
                                      "part_returns_to_its_place",
                                      "part_exits",
                                      "waits",
                                      "waits_with_fewer_threads",
                                      "waits_beside_who_may_not_be_joined",
                                      "joins_at_its_branch",
                                      "kill_as_it_begins_to_wait",
                                      "wait_ends_as_the_other_part_is_gone",
                                      "wait_ends_as_the_other_part_stops",
                                      "diverges_as_the_other_part_waits",
                                      "diverges_as_the_other_part_is_stopped",
                                      "diverges_and_never_waits",
                                      "row_keeps_parts",
                                      "row_keeps_one_part",
                                      "pop_with_parts",
                                      "pop_of_parts_of_which_one_is_gone",
                                      "meets",
                                      "kill_as_they_meet",
                                      "stopped_at_two_places",
                                      "stopped_at_one_pc_at_two_levels",
                                      "one_of_those_who_are_to_meet_is_gone"}) {
          met.hit(situation, events.met.count(situation) != 0);
        }
        met.hit("split_of_who_was_to_meet", in.split && events.meet == in.split->warp);
      }
      if (TypeParam::kLevelW < 8) met.hit("call_wraps", events.met.count("call_wraps") != 0);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// What else is said of parts - who may be joined, who stands at a barrier - says nothing then.
template <class Set>
void lockstep_without_splits() {
  for (std::uint64_t seed = 1; seed <= seeds(2); ++seed) {
    Random random(seed);
    Pc base = 0x100;
    RandomHolds holds;
    RandomParts parts;
    DpeStackBench<Set> bench(seed, false);
    for (unsigned i = 0; i < 10000; ++i) {
      auto in = random_inputs<Set>(random, bench.oracle(), base, holds, parts);
      in.split.reset();
      bench.step(in);
    }
  }
}

TEST(DpeStackSplitting, WithoutASplitEveryPinIsThatOfAStackThatDoesNotSplit) {
  lockstep_without_splits<models::dpe_stack_split>();
  lockstep_without_splits<models::dpe_stack_split_odd>();
}

// One side of a branch is at the reconvergence PC already, the other jumps or advances there.
TYPED_TEST(DpeStackRandom, EveryBitOfAReconvergencePcAloneMakesOne) {
  constexpr unsigned kTaken = TypeParam::kTakenLeft != 0 ? kLeft : kRight, kNext = 1 - kTaken;
  DpeStackBench<TypeParam> stack;
  for (unsigned bit = 1; bit < 32; ++bit) {  // bit 0 tells a PC from RETURN
    const Pc rpc = Pc{1} << bit;
    stack.launch(0, 0x124, 0b1111);
    stack.branch(0, kLeft, 0b1000, rpc, 0x456, rpc);
    EXPECT_EQ(stack.entries().back().path[kTaken].mask, 0u);
    stack.jump(0, kNext, rpc);
    EXPECT_EQ(stack.pop().pop, WarpId{0});
    stack.branch(0, kLeft, 0b0110, rpc - 4, rpc, rpc);
    EXPECT_EQ(stack.entries().back().path[kNext].mask, 0u);
    stack.advance(0, kTaken);
    EXPECT_EQ(stack.pop().pop, WarpId{0});
    EXPECT_EQ(stack.entries(), (Entries{{{{{rpc, 0b1111}, {0, 0}}}, kNoRpc}}));
    stack.exit(0, kLeft);
    EXPECT_EQ(stack.pop().done, WarpId{0});
  }
}

TYPED_TEST(DpeStackRandom, SidesThatDifferInOneBitOfTheirPcsAreTwo) {
  constexpr unsigned kTaken = TypeParam::kTakenLeft != 0 ? kLeft : kRight, kNext = 1 - kTaken;
  DpeStackBench<TypeParam> stack;
  for (unsigned bit = 1; bit < 32; ++bit) {
    stack.launch(0, 0x124, 0b1111);
    stack.branch(0, kLeft, 0b1000, 0x456 ^ (Pc{1} << bit), 0x456, kNoRpc);
    EXPECT_EQ(stack.entries().back().path[kTaken].mask, 0b1000u) << bit;
    EXPECT_EQ(stack.entries().back().path[kNext].mask, 0b0111u) << bit;
    stack.exit(0, kTaken);
    stack.exit(0, kNext);
    EXPECT_EQ(stack.pop().done, WarpId{0});
  }
}

// A path's mask may name threads that another path has ended: they are in no side, whoever else runs.
TYPED_TEST(DpeStackRandom, WhoHasEndedIsInNoSideThoughEachWarpHasSuchAThread) {
  constexpr unsigned kTaken = TypeParam::kTakenLeft != 0 ? kLeft : kRight, kNext = 1 - kTaken;
  DpeStackBench<TypeParam> stack;
  for (WarpId warp = 0; warp < TypeParam::kNumWarps; ++warp) {
    for (unsigned lane = 2; lane < TypeParam::kLanes; ++lane) {
      stack.reset();
      for (WarpId w = 0; w < TypeParam::kNumWarps; ++w) stack.launch(w, 0x100, lane_mask(TypeParam::kLanes));
      stack.branch(warp, kLeft, 0b11, 0x200, 0x104, 0x300);
      stack.branch(warp, kTaken, 0, 0x400, 0x204, kNoRpc, LaneMask{1} << lane);
      stack.branch(warp, kNext, LaneMask{1} << lane, 0x500, 0x108, 0x600);
      EXPECT_EQ(stack.oracle().depth(warp), 2u) << lane;
    }
  }
}

// ---- worked examples (4 lanes in the text's order: lane 3 is its first digit)

using Small = models::dpe_stack_small;
// Figure 1: basic blocks, three instructions each but F.
constexpr Pc kA = 0x100, kB = 0x110, kC = 0x120, kD = 0x130, kE = 0x140, kF = 0x150, kG = 0x160;

TEST(DpeStackExample, FiguresOneAndFourNestedDivergenceSuspendsAndResumesTheSibling) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA, 0b1111}, {0, 0}}}, kNoRpc}}));

  // A diverges: B and C are both schedulable, G waits below for both.
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b1111}, {0, 0}}}, kNoRpc}, {{{{kB, 0b1000}, {kC, 0b0111}}}, kG}}));

  // C diverges while B has one of its instructions done: B is suspended where it stands.
  stack.advance(0, kLeft);
  stack.branch(0, kRight, 0b0110, kD, kE, kF);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b1111}, {0, 0}}}, kNoRpc},
                                      {{{{kB + 4, 0b1000}, {kF, 0b0111}}}, kG},
                                      {{{{kD, 0b0110}, {kE, 0b0001}}}, kF}}));

  // D reaches F: its slot is empty, E goes on alone.
  stack.jump(0, kLeft, kF);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kF, 0}, {kE, 0b0001}}}, kF}));

  // E reaches F: the entry pops in the next cycle, and B resumes in its old slot next to F.
  EXPECT_FALSE(stack.jump(0, kRight, kF).pop);
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b1111}, {0, 0}}}, kNoRpc}, {{{{kB + 4, 0b1000}, {kF, 0b0111}}}, kG}}));

  // F and then B reach G: one path of four threads again.
  stack.jump(0, kRight, kG);
  stack.jump(0, kLeft, kG);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b1111}, {0, 0}}}, kNoRpc}}));
  stack.exit(0, kLeft);
  EXPECT_EQ(stack.pop().done, WarpId{0});
  EXPECT_TRUE(stack.entries().empty());
}

TEST(DpeStackExample, AnAdvanceOfTheSiblingIsKeptAsTheBranchIsTakenIn) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.step({{}, DpeStackOracle::Advance{0, kLeft}, DpeStackOracle::Resolve{0, kRight, 0b0110, kD, kE, kF, 0}});
  EXPECT_TRUE(stack.idle().push);
  EXPECT_EQ(stack.entries()[1], (DpeEntry{{{{kB + 4, 0b1000}, {kF, 0b0111}}}, kG}));
}

TEST(DpeStackExample, ASiblingThatArrivesAsATailBranchIsTakenInIsReplacedWithIt) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kG - 4, kC, kG);
  stack.step({{}, DpeStackOracle::Advance{0, kLeft}, DpeStackOracle::Resolve{0, kRight, 0b0110, kD, kE, kG, 0}});
  EXPECT_TRUE(stack.idle().replaced);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b1111}, {0, 0}}}, kNoRpc}, {{{{kD, 0b0110}, {kE, 0b0001}}}, kG}}));
}

TEST(DpeStackExample, ATailBranchBesideABusySiblingKeepsTheEntryWithAnEmptySlot) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.branch(0, kRight, 0b0110, kD, kE, kG);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b1111}, {0, 0}}}, kNoRpc},
                                      {{{{kB, 0b1000}, {kC, 0}}}, kG},
                                      {{{{kD, 0b0110}, {kE, 0b0001}}}, kG}}));
}

TEST(DpeStackExample, ALoopWhoseExitIsItsReconvergencePointDoesNotGrowTheStack) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b11111111);
  // At each turn the lowest thread leaves for G; the branch back to A is taken by the rest.
  for (unsigned turn = 0; turn < 7; ++turn) {
    const LaneMask stay = lane_mask(8) & ~lane_mask(turn + 1);
    stack.branch(0, kLeft, stay, kA, kG, kG);
    EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b11111111}, {0, 0}}}, kNoRpc}, {{{{kA, stay}, {kG, 0}}}, kG}}));
  }
  stack.jump(0, kLeft, kG);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b11111111}, {0, 0}}}, kNoRpc}}));
}

TEST(DpeStackExample, ABranchWithoutReconvergencePointInheritsTheRpcOfItsEntry) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.branch(0, kRight, 0b0110, kD, kE, kNoRpc);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kD, 0b0110}, {kE, 0b0001}}}, kG}));
  // In the outermost entry there is nothing to inherit: the sides never meet, and replace it.
  stack.launch(1, kA, 0b1111);
  stack.branch(1, kLeft, 0b1000, kB, kC, kNoRpc);
  EXPECT_EQ(stack.entries(1), (Entries{{{{{kB, 0b1000}, {kC, 0b0111}}}, kNoRpc}}));
  // PC 0 is a place like any other, not one at which such a side has arrived.
  stack.launch(2, kA, 0b1111);
  stack.branch(2, kLeft, 0b1000, 0, kC, kNoRpc);
  stack.pop();
  EXPECT_EQ(stack.entries(2), (Entries{{{{{0, 0b1000}, {kC, 0b0111}}}, kNoRpc}}));
}

TEST(DpeStackExample, ThreadsThatExitAreGoneFromTheEntriesBelow) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.exit(0, kLeft);
  EXPECT_EQ(stack.oracle().live(0), 0b0111u);
  stack.jump(0, kRight, kG);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b0111}, {0, 0}}}, kNoRpc}}));
}

TEST(DpeStackExample, AnEntryAllOfWhoseThreadsExitedPopsWithoutRunning) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.exit(0, kLeft);
  stack.exit(0, kRight);
  EXPECT_FALSE(stack.pop().done);
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

TEST(DpeStackExample, OverflowIsFlaggedAndNothingIsLost) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, lane_mask(8));
  for (unsigned level = 1; level < Small::kDepth; ++level) {
    EXPECT_TRUE(stack.branch(0, kLeft, lane_mask(8 - level), 0x200, 0x300, 0x400 + 4 * level).push);
  }
  const Entries full = stack.entries();
  const auto events = stack.branch(0, kLeft, 0b1, kA, kC, kG, 0b10);
  EXPECT_EQ(events.overflow, WarpId{0});
  EXPECT_FALSE(events.push);
  stack.pop();  // shows that not even the thread that exits has left
  EXPECT_EQ(stack.entries(), full);
  EXPECT_EQ(stack.oracle().live(0), lane_mask(8));
  EXPECT_EQ(stack.oracle().max_depth(), Small::kDepth);
}

TEST(DpeStackExample, OfTwoWarpsWithEmptyTopsTheLowerPopsFirst) {
  DpeStackBench<Small> stack;
  stack.launch(2, kA, 0b1);
  stack.launch(1, kA, 0b1111);
  stack.branch(1, kLeft, 0b1000, kG - 4, kG, kG);
  // At one edge warp 1 arrives at G and warp 2 exits. Warp 1 is chosen, and while it is popped the next one is.
  stack.step({{}, {}, DpeStackOracle::Resolve{2, kLeft, 0, kB, kB, kNoRpc, 0b1}});
  stack.step({{}, DpeStackOracle::Advance{1, kLeft}, {}});
  EXPECT_FALSE(stack.idle().pop);
  EXPECT_EQ(stack.idle().pop, WarpId{1});
  EXPECT_EQ(stack.idle().done, WarpId{2});
  EXPECT_EQ(stack.entries(1), (Entries{{{{{kG, 0b1111}, {0, 0}}}, kNoRpc}}));
}

// With the tail rule every entry but the outermost holds fewer threads than the one below.
TEST(DpeStackExample, AsManyEntriesAsLanesSufficeForAnyNesting) {
  using Deep = models::dpe_stack_deep;  // 4 lanes, 4 entries
  static_assert(Deep::kDepth == Deep::kLanes);
  for (std::uint64_t seed = 1; seed <= seeds(20); ++seed) {
    Random random(seed);
    DpeStackBench<Deep> stack(seed);
    stack.launch(0, 0x100, 0b1111);
    for (unsigned i = 0; i < 300 && stack.oracle().depth(0) != 0; ++i) {
      const DpeEntry top = stack.oracle().top(0);
      if (top.empty()) {
        stack.pop();
        continue;
      }
      const unsigned slot = top.path[0].mask == 0 ? 1 : top.path[1].mask == 0 ? 0 : random.below(2);
      // A new reconvergence point for every branch: the deepest nesting there is.
      const Pc rpc = random.chance(70) ? 0x1000 + 4 * i : top.place.pc().value_or(kNoRpc);
      const LaneMask taken = random.next() & 0b1111;
      const Pc target = rpc != kNoRpc && random.chance(10) ? rpc : 0x200;
      EXPECT_FALSE(stack.branch(0, slot, taken, target, 0x300, rpc).overflow);
    }
  }
}

// ---- when

TEST(DpeStackTiming, AResolutionIsTakenInAtOneEdgeAndActsAtTheNext) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.launch(1, kA, 0b1111);
  EXPECT_FALSE(stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 0b1000, kB, kC, kG, 0}}).push);
  EXPECT_EQ(stack.entries().size(), 1u);
  // As it acts, that of another warp is taken in.
  EXPECT_EQ(stack.step({{}, {}, DpeStackOracle::Resolve{1, kLeft, 0b1111, kB, kC, kG, 0}}).push, WarpId{0});
  EXPECT_EQ(stack.oracle().top(1).path[kLeft].pc, kA);
  EXPECT_EQ(stack.idle().resolved->warp, WarpId{1});
  EXPECT_EQ(stack.oracle().top(1).path[kLeft].pc, kB);
  EXPECT_FALSE(stack.idle().resolved);
}

TEST(DpeStackTiming, APathWithoutThreadsIsChosenInOneCycleAndPoppedInTheNext) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.exit(0, kLeft);
  EXPECT_FALSE(stack.idle().pop);
  const auto events = stack.idle();
  EXPECT_EQ(events.pop, WarpId{0});
  EXPECT_EQ(events.done, WarpId{0});
  EXPECT_FALSE(stack.idle().pop);
}

// Whether what was fetched behind the instruction at A holds.
TEST(DpeStackTiming, APathGoesOnIfItStaysWholeAndBehindItsInstruction) {
  DpeStackBench<Small> stack;
  const auto goes_on = [&](LaneMask taken, Pc target, Pc next, LaneMask exit = 0) {
    stack.reset();
    stack.launch(0, kA, 0b1111);
    stack.branch(0, kLeft, 0b0011, kA, kD, kG);
    stack.jump(0, kLeft, kA);
    return stack.branch(0, kLeft, taken, target, next, kF, exit).resolved->next;
  };
  EXPECT_TRUE(goes_on(0, kB, kA + 4));
  EXPECT_TRUE(goes_on(0b0011, kA + 4, kA + 4));
  EXPECT_TRUE(goes_on(0b0001, kA + 4, kA + 4));
  EXPECT_TRUE(goes_on(0b0001, kB, kA + 4, 0b0001));
  EXPECT_FALSE(goes_on(0b0011, kB, kA + 4));
  EXPECT_FALSE(goes_on(0b0001, kB, kA + 4));
  EXPECT_FALSE(goes_on(0, kB, kG)) << "has arrived";
  EXPECT_FALSE(goes_on(0, kB, kA + 4, 0b1111)) << "is empty";
}

// ---- functions (f is called from A at level 0; kR is where a call in it returns to)

constexpr Pc kMain = 0x100, kBack = 0x104, kFunction = 0x200, kR = 0x240;

// A path at level 1 that has called the function.
template <class Stack>
void enter(Stack& stack, LaneMask mask = 0b1111) {
  stack.launch(0, kMain, mask);
  stack.call(0, kLeft, kFunction);
}

// A path that waits below paths which meet where they return to.
DpePath waits(LaneMask mask, unsigned level) { return {0, mask, level, true}; }

TEST(DpeStackFunction, PathsOfAFunctionWithTwoReturnsMeetBehindTheCall) {
  DpeStackBench<Small> stack;
  enter(stack);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kFunction, 0b1111, 1}, {0, 0}}}, kNoRpc}}));

  // Both sides go to a return of their own: they meet one level lower, at an address nobody knows yet.
  stack.branch(0, kLeft, 0b1100, kB, kC, kReturnRpc);
  EXPECT_EQ(stack.entries(), (Entries{{{{waits(0b1111, 0), {0, 0}}}, kNoRpc},
                                      {{{{kB, 0b1100, 1}, {kC, 0b0011, 1}}}, Place::where_they_return(0)}}));

  // The right side returns first: it brings the address.
  stack.returns(0, kRight, kBack);
  const Place known = Place::where_they_return(0, kBack);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kB, 0b1100, 1}, {kBack, 0, 0}}}, known}));

  // The left side returns there, too: all four go on behind the call.
  stack.returns(0, kLeft, kBack);
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{{{{kBack, 0b1111, 0}, {0, 0}}}, kNoRpc}}));
}

TEST(DpeStackFunction, AConditionalReturnBringsTheAddressWithTheBranch) {
  DpeStackBench<Small> stack;
  enter(stack);
  // A resolution that is a return and of which only some threads go: they have arrived, the others stay behind.
  stack.returns(0, kLeft, kBack, 0b1100, kFunction + 4);
  const Place known = Place::where_they_return(0, kBack);
  EXPECT_EQ(stack.entries(),
            (Entries{{{{waits(0b1111, 0), {0, 0}}}, kNoRpc}, {{{{kBack, 0, 0}, {kFunction + 4, 0b0011, 1}}}, known}}));
  stack.returns(0, kRight, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kBack, 0b1111, 0}, {0, 0}}}, kNoRpc}}));
}

TEST(DpeStackFunction, ARecursionPassesItsReconvergencePcAtADeeperLevel) {
  DpeStackBench<Small> stack;
  constexpr Pc kCall = 0x220,
               kSum = kR + 4;  // if (n != 0) sum += f(n - 1): the call returns to R, and falls to the sum
  enter(stack);

  // Lane 0 is done at the first call, the others call once more.
  stack.branch(0, kLeft, 0b0001, kSum, kCall, kSum);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kSum, 0b1111, 1}, {0, 0}}}, kNoRpc},
                                      {{{{kSum, 0, 1}, {kCall, 0b1110, 1}}}, Place::at(kSum, 1)}}));
  stack.call(0, kRight, kFunction);

  // The same branch one level up is no tail: it meets at the same PC, but at level 2.
  stack.branch(0, kRight, 0b0010, kSum, kCall, kSum);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kSum, 0b1111, 1}, {0, 0}}}, kNoRpc},
                                      {{{{kSum, 0, 1}, {kSum, 0b1110, 2}}}, Place::at(kSum, 1)},
                                      {{{{kSum, 0, 2}, {kCall, 0b1100, 2}}}, Place::at(kSum, 2)}}));
  stack.call(0, kRight, kFunction);

  // At level 3 the last two go to the sum together: a PC at which nobody waits for them.
  stack.jump(0, kRight, kSum);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kSum, 0, 2}, {kSum, 0b1100, 3}}}, Place::at(kSum, 2)}));

  // They return to R at level 2 and arrive with the next instruction; lane 1 joins them.
  stack.returns(0, kRight, kR);
  stack.advance(0, kRight);
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kSum, 0, 1}, {kSum, 0b1110, 2}}}, Place::at(kSum, 1)}));

  // The same from level 2 to level 1: all four are together.
  stack.returns(0, kRight, kR);
  stack.advance(0, kRight);
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{{{{kSum, 0b1111, 1}, {0, 0}}}, kNoRpc}}));
}

TEST(DpeStackFunction, FibonacciReturnsEarlyOrCallsItselfTwice) {
  DpeStackBench<Small> stack;
  enter(stack, 0b11);
  // Lane 0 returns at once, lane 1 goes on to two calls.
  stack.branch(0, kLeft, 0b10, kB, kC, kReturnRpc);
  for (const Pc back : {kR, kR + 8}) {
    // Each call returns at once, to a level at which its entry does not meet: nothing is learnt.
    stack.call(0, kLeft, kFunction);
    stack.jump(0, kLeft, kC);
    stack.returns(0, kLeft, back);
    EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{back, 0b10, 1}, {kC, 0b01, 1}}}, Place::where_they_return(0)}));
  }
  stack.returns(0, kLeft, kBack);
  stack.returns(0, kRight, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kBack, 0b11, 0}, {0, 0}}}, kNoRpc}}));
}

TEST(DpeStackFunction, ACallWithinACallMeetsAtItsOwnReturnFirst) {
  DpeStackBench<Small> stack;
  enter(stack);
  const Place outer = Place::where_they_return(0), inner = Place::where_they_return(1);
  // f diverges for good, and one of its sides calls g, which does so too.
  stack.branch(0, kLeft, 0b1110, kB, kC, kReturnRpc);
  stack.call(0, kLeft, kD);
  stack.branch(0, kLeft, 0b1000, kE, kF, kReturnRpc);
  EXPECT_EQ(stack.entries(), (Entries{{{{waits(0b1111, 0), {0, 0}}}, kNoRpc},
                                      {{{waits(0b1110, 1), {kC, 0b0001, 1}}}, outer},
                                      {{{{kE, 0b1000, 2}, {kF, 0b0110, 2}}}, inner}}));
  // Both returns of g go to R: the side of f is whole again.
  stack.returns(0, kRight, kR);
  stack.returns(0, kLeft, kR);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kR, 0b1110, 1}, {kC, 0b0001, 1}}}, outer}));
  // Both returns of f go behind its call.
  stack.returns(0, kLeft, kBack);
  stack.returns(0, kRight, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kBack, 0b1111, 0}, {0, 0}}}, kNoRpc}}));
}

TEST(DpeStackFunction, ASecondDivergenceOfTheSameCallKeepsTheBusySiblingBelow) {
  DpeStackBench<Small> stack;
  enter(stack);
  stack.branch(0, kLeft, 0b1000, kB, kC, kReturnRpc);
  // The same place: the diverging path leaves its slot, which keeps PC and level.
  stack.branch(0, kRight, 0b0100, kD, kE, kReturnRpc);
  const Place unknown = Place::where_they_return(0), known = Place::where_they_return(0, kBack);
  EXPECT_EQ(stack.entries(), (Entries{{{{waits(0b1111, 0), {0, 0}}}, kNoRpc},
                                      {{{{kB, 0b1000, 1}, {kC, 0, 1}}}, unknown},
                                      {{{{kD, 0b0100, 1}, {kE, 0b0011, 1}}}, unknown}}));
  // What the upper two bring, the pop brings to the sibling.
  stack.returns(0, kLeft, kBack);
  stack.returns(0, kRight, kBack);
  EXPECT_EQ(stack.entries()[1].place, unknown);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kB, 0b1000, 1}, {kC, 0, 1}}}, known}));
  stack.returns(0, kLeft, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kBack, 0b1111, 0}, {0, 0}}}, kNoRpc}}));
}

TEST(DpeStackFunction, ATailWithAReturningSideTellsTheNewEntryOnly) {
  DpeStackBench<Small> stack;
  enter(stack);
  stack.branch(0, kLeft, 0b1000, kB, kC, kReturnRpc);
  // The right path returns with some of its threads while the left one is busy: the entry below does not know yet.
  stack.returns(0, kRight, kBack, 0b0100, kE);
  EXPECT_EQ(stack.entries()[1], (DpeEntry{{{{kB, 0b1000, 1}, {kC, 0, 1}}}, Place::where_they_return(0)}));
  EXPECT_EQ(stack.entries()[2], (DpeEntry{{{{kBack, 0, 0}, {kE, 0b0011, 1}}}, Place::where_they_return(0, kBack)}));
  // Even if the rest of them exit, the pop tells it.
  stack.exit(0, kRight);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kB, 0b1000, 1}, {kC, 0, 1}}}, Place::where_they_return(0, kBack)}));
}

TEST(DpeStackFunction, ASecondDivergenceWithoutASiblingReplacesTheEntryAndKeepsTheAddress) {
  DpeStackBench<Small> stack;
  enter(stack);
  stack.branch(0, kLeft, 0b1000, kB, kC, kReturnRpc);
  stack.returns(0, kLeft, kBack);
  EXPECT_TRUE(stack.branch(0, kRight, 0b0100, kD, kE, kReturnRpc).replaced);
  EXPECT_EQ(stack.entries(), (Entries{{{{waits(0b1111, 0), {0, 0}}}, kNoRpc},
                                      {{{{kD, 0b0100, 1}, {kE, 0b0011, 1}}}, Place::where_they_return(0, kBack)}}));
}

TEST(DpeStackFunction, ASideThatExitsCompletelyBringsNoAddress) {
  DpeStackBench<Small> stack;
  enter(stack);
  stack.branch(0, kLeft, 0b1100, kB, kC, kReturnRpc);
  stack.exit(0, kLeft);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kB, 0, 1}, {kC, 0b0011, 1}}}, Place::where_they_return(0)}));
  stack.returns(0, kRight, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kBack, 0b0011, 0}, {0, 0}}}, kNoRpc}}));
}

TEST(DpeStackFunction, AFunctionFromWhichNobodyReturnsEndsItsWarp) {
  DpeStackBench<Small> stack;
  enter(stack);
  stack.branch(0, kLeft, 0b1100, kB, kC, kReturnRpc);
  stack.exit(0, kLeft);
  stack.exit(0, kRight);
  EXPECT_FALSE(stack.pop().done);
  EXPECT_EQ(stack.entries(), (Entries{{{{{0, 0, 0}, {0, 0}}}, kNoRpc}}));
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

TEST(DpeStackFunction, AnEarlyReturnFromTheKernelMeetsNobody) {
  DpeStackBench<Small> stack;
  // At level 0 there is no caller: the sides inherit the place of their entry, here none.
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1100, kB, kC, kReturnRpc);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kB, 0b1100}, {kC, 0b0011}}}, kNoRpc}}));
  // Inside of an if-then-else it is that of the branch around it.
  stack.launch(1, kA, 0b1111);
  stack.branch(1, kLeft, 0b1100, kB, kC, kG);
  stack.branch(1, kLeft, 0b1000, kD, kE, kReturnRpc);
  EXPECT_EQ(stack.entries(1), (Entries{{{{{kG, 0b1111}, {0, 0}}}, kNoRpc},
                                       {{{{kB, 0}, {kC, 0b0011}}}, kG},
                                       {{{{kD, 0b1000}, {kE, 0b0100}}}, kG}}));
  // The return itself leaves for the last level, and the threads exit there.
  stack.returns(1, kLeft, kF);
  EXPECT_EQ(stack.entries(1).back(), (DpeEntry{{{{kF, 0b1000, (1u << Small::kLevelW) - 1}, {kE, 0b0100}}}, kG}));
  stack.exit(1, kLeft);
  EXPECT_EQ(stack.oracle().live(1), 0b0111u);
}

TEST(DpeStackFunction, APathThatReturnsElsewhereGoesOnApart) {
  DpeStackBench<Small> stack;
  enter(stack);
  stack.branch(0, kLeft, 0b1100, kB, kC, kReturnRpc);
  stack.returns(0, kLeft, kBack);
  // Not to the address that the others brought: it has not arrived.
  stack.returns(0, kRight, kBack - 4);
  const Place known = Place::where_they_return(0, kBack);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kBack, 0, 0}, {kBack - 4, 0b0011, 0}}}, known}));
  // An advance to that address is no arrival either; a jump there is.
  stack.advance(0, kRight);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kBack, 0, 0}, {kBack, 0b0011, 0}}}, known}));
  stack.jump(0, kRight, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kBack, 0b1111, 0}, {0, 0}}}, kNoRpc}}));
}

TEST(DpeStackFunction, AReturnAddressAtWhichTheCallerMeetsIsPoppedAtOnce) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  // One side calls a function behind whose call it meets the other.
  stack.branch(0, kLeft, 0b1000, kBack, kMain, kBack);
  stack.call(0, kRight, kFunction);
  stack.branch(0, kRight, 0b0100, kB, kC, kReturnRpc);
  stack.returns(0, kLeft, kBack);
  stack.returns(0, kRight, kBack);
  // The pop brings the PC, and with it the slot is empty: the next pop joins all.
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{{{{kBack, 0b1111}, {0, 0}}}, kNoRpc}, {{{{kBack, 0}, {kBack, 0}}}, kBack}}));
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{{{{kBack, 0b1111}, {0, 0}}}, kNoRpc}}));
}

TEST(DpeStackFunction, AnIndirectCallMeetsBehindItself) {
  DpeStackBench<Small> stack;
  stack.launch(0, kMain, 0b1111);
  // Some threads call one function; the others stay at the call, at its level, and call another.
  stack.call(0, kLeft, kB, 0b1000, kMain, kBack);
  EXPECT_EQ(stack.entries(),
            (Entries{{{{{kBack, 0b1111}, {0, 0}}}, kNoRpc}, {{{{kB, 0b1000, 1}, {kMain, 0b0111, 0}}}, kBack}}));
  stack.call(0, kRight, kC);
  stack.returns(0, kLeft, kBack);
  stack.returns(0, kRight, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kBack, 0b1111}, {0, 0}}}, kNoRpc}}));
}

TYPED_TEST(DpeStackRandom, EveryBitOfAReturnAddressSaysWhetherTheCallerMeetsThere) {
  if (TypeParam::kDepth < 3) GTEST_SKIP() << "needs three entries";
  constexpr unsigned kNext = TypeParam::kTakenLeft != 0 ? kRight : kLeft;
  DpeStackBench<TypeParam> stack;
  for (const Pc meet : {0xfffffffcu, 0x55555554u, 0xaaaaaaa8u}) {
    for (unsigned bit = 1; bit < 32; ++bit) {
      const Pc back = bit == 1 ? meet : meet ^ (Pc{1} << bit);
      stack.launch(0, kA, 0b1111);
      stack.branch(0, kLeft, 0b1000, meet, kMain, meet);
      stack.call(0, kNext, kFunction);
      stack.returns(0, kNext, back, 0b0100, kFunction + 4);
      stack.returns(0, kNext, back);
      EXPECT_EQ(stack.pop().pop, WarpId{0});
      EXPECT_EQ(stack.entries().back().path[kNext].mask, back == meet ? 0u : 0b0111u) << bit;
      if (back != meet) stack.jump(0, kNext, meet);
      EXPECT_EQ(stack.pop().pop, WarpId{0});
      stack.exit(0, kLeft);
      EXPECT_EQ(stack.pop().done, WarpId{0});
    }
  }
}

TYPED_TEST(DpeStackRandom, EveryBitOfAReturnAddressAloneIsOne) {
  constexpr unsigned kTaken = TypeParam::kTakenLeft != 0 ? kLeft : kRight, kNext = 1 - kTaken;
  DpeStackBench<TypeParam> stack;
  for (unsigned bit = 2; bit < 32; ++bit) {
    const Pc back = Pc{1} << bit;
    enter(stack);
    stack.returns(0, kLeft, back, 0b0001, kFunction + 4);
    // The address without this bit is not the one that was brought, neither for a side nor for a whole path.
    stack.returns(0, kNext, 0, 0b0010, kFunction + 8);
    EXPECT_EQ(stack.oracle().top(0).path[kTaken].mask, 0b0010u);
    stack.returns(0, kNext, 0);
    EXPECT_EQ(stack.oracle().top(0).path[kNext].mask, 0b1100u);
    stack.exit(0, kTaken);
    stack.jump(0, kNext, back);
    EXPECT_EQ(stack.pop().pop, WarpId{0});
    EXPECT_EQ(stack.entries(), (Entries{{{{{back, 0b1101}, {0, 0}}}, kNoRpc}}));
    stack.exit(0, kLeft);
    EXPECT_EQ(stack.pop().done, WarpId{0});
  }
}

TYPED_TEST(DpeStackRandom, LevelsWrapAround) {
  constexpr unsigned kTaken = TypeParam::kTakenLeft != 0 ? kLeft : kRight;
  DpeStackBench<TypeParam> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  for (unsigned level = 1; level < 1u << TypeParam::kLevelW; ++level) stack.call(0, kTaken, kFunction);
  EXPECT_EQ(stack.oracle().top(0).path[kTaken].level, (1u << TypeParam::kLevelW) - 1);
  stack.jump(0, kTaken, kG);
  EXPECT_EQ(stack.oracle().top(0).path[kTaken].mask, 0b1000u);
  // As many calls as there are levels: level 0 again, and what is there is taken for the place of the entry.
  stack.call(0, kTaken, kG);
  EXPECT_EQ(stack.oracle().top(0).path[kTaken].mask, 0u);
}

// ---- kill

TEST(DpeStackKill, AKilledWarpIsGoneAndMayBeLaunchedInTheNextCycle) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.kill(0);
  EXPECT_EQ(stack.oracle().depth(0), 0u);
  stack.launch(0, kD, 0b0011);
  EXPECT_EQ(stack.oracle().depth(0), 1u);
  stack.exit(0, kLeft);
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

TEST(DpeStackKill, AResolutionThatIsTakenInWithTheKillNeverActs) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 0b1000, kB, kC, kG, 0}, WarpId{0}});
  const auto events = stack.launch(0, kD, 0b0011);
  EXPECT_FALSE(events.resolved || events.push);
  EXPECT_FALSE(stack.idle().push);
}

TEST(DpeStackKill, AResolutionThatActsShowsItsEventsAndChangesNothing) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 0b1000, kB, kC, kG, 0}});
  EXPECT_EQ(stack.kill(0).push, WarpId{0});
  EXPECT_EQ(stack.oracle().depth(0), 0u);
  EXPECT_EQ(stack.oracle().max_depth(), 1u);
}

TEST(DpeStackKill, AnotherWarpIsChosenForAPopInItsStead) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.launch(1, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kG - 4, kG, kG);
  // Both come to wait at one edge: one by an advance, one by a resolution that acts.
  stack.step({{}, {}, DpeStackOracle::Resolve{1, kLeft, 0, 4, 4, kNoRpc, 0b1111}});
  stack.advance(0, kLeft);
  EXPECT_EQ(stack.oracle().waiting_for_a_pop(), WarpId{0});
  stack.kill(0);
  EXPECT_EQ(stack.idle().done, WarpId{1});
}

TEST(DpeStackKill, APopThatEndsWithTheKillIsShownAndChangesNothing) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kNoRpc);
  stack.exit(0, kLeft);
  stack.exit(0, kRight);
  stack.idle();
  EXPECT_EQ(stack.kill(0).pop, WarpId{0});
  EXPECT_EQ(stack.oracle().depth(0), 0u);
  EXPECT_FALSE(stack.pop().pop);
}

TEST(DpeStackKill, OfAnIdleWarpItDoesNothing) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.kill(1);
  EXPECT_EQ(stack.oracle().depth(0), 1u);
  stack.launch(1, kA, 0b1);
  EXPECT_EQ(stack.oracle().depth(1), 1u);
}

// ---- path forwarding (PCs of Figure 1)

using Forwarding = models::dpe_stack_forward;

// A path of entry `of` in the entry above.
DpePath guest(Pc pc, LaneMask mask, unsigned of, unsigned level = 0) { return {pc, mask, level, false, of}; }
// Of the entry below the path in this slot may come, or has come.
DpeEntry offered(unsigned slot, DpeEntry entry) {
  entry.offer = slot;
  return entry;
}
DpeEntry handed(unsigned slot, DpeEntry entry) {
  entry.offer = slot;
  entry.handed = true;
  return entry;
}
const DpeEntry kAllAtG{{{{kG, 0b1111}, {0, 0}}}, kNoRpc};

// Figure 4 up to the divergence of C: B stands still below D and E.
template <class Stack>
void suspend_b(Stack& stack, Pc b = kB) {
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, b, kC, kG);
  stack.branch(0, kRight, 0b0110, kD, kE, kF);
  EXPECT_EQ(
      stack.entries(),
      (Entries{kAllAtG, {{{{b, 0b1000}, {kF, 0b0111}}}, kG}, offered(kLeft, {{{{kD, 0b0110}, {kE, 0b0001}}}, kF})}));
}
// D has finished, and B runs in its place.
template <class Stack>
void forward_b(Stack& stack, Pc b = kB) {
  suspend_b(stack, b);
  stack.jump(0, kLeft, kF);
  EXPECT_EQ(stack.forward().forward, WarpId{0});
  EXPECT_EQ(
      stack.entries(),
      (Entries{kAllAtG, {{{{b, 0}, {kF, 0b0111}}}, kG}, handed(kLeft, {{{guest(b, 0b1000, 1), {kE, 0b0001}}}, kF})}));
}

TEST(DpeStackForwarding, FigureFourDTheSuspendedBlockRunsBesideTheOneThatIsLeft) {
  DpeStackBench<Forwarding> stack;
  suspend_b(stack);
  stack.jump(0, kLeft, kF);
  // D is at F: B is chosen in one cycle and comes in the next, in its own slot. It meets C's threads at G as ever.
  EXPECT_FALSE(stack.idle().forward);
  EXPECT_EQ(stack.entries().back(), offered(kLeft, {{{{kF, 0}, {kE, 0b0001}}}, kF}));
  EXPECT_EQ(stack.idle().forward, WarpId{0});
  EXPECT_EQ(stack.oracle().forwards(), 1u);
  stack.advance(0, kLeft);
  stack.advance(0, kRight);
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG,
                                      {{{{kB, 0}, {kF, 0b0111}}}, kG},
                                      handed(kLeft, {{{guest(kB + 4, 0b1000, 1), {kE + 4, 0b0001}}}, kF})}));

  // E reaches F: the entry pops under B, which is in the slot where it was suspended, one block further.
  stack.jump(0, kRight, kF);
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{kB + 4, 0b1000}, {kF, 0b0111}}}, kG}}));

  stack.jump(0, kRight, kG);
  stack.jump(0, kLeft, kG);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG}));
  stack.exit(0, kLeft);
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

TEST(DpeStackForwarding, AGuestThatArrivesIsNotThereWhenTheTopPops) {
  DpeStackBench<Forwarding> stack;
  forward_b(stack, kG - 4);
  stack.advance(0, kLeft);
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{{kG, 0}, {kE, 0b0001}}}, kF}));
  // It does not come a second time.
  EXPECT_FALSE(stack.forward().forward);
  stack.jump(0, kRight, kF);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{kG, 0}, {kF, 0b0111}}}, kG}}));
  stack.jump(0, kRight, kG);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG}));
}

TEST(DpeStackForwarding, AGuestMayArriveInTheCycleOfThePop) {
  DpeStackBench<Forwarding> stack;
  forward_b(stack, kG - 8);
  stack.jump(0, kRight, kF);
  EXPECT_FALSE(stack.advance(0, kLeft).pop);
  EXPECT_EQ(stack.advance(0, kLeft).pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{kG, 0}, {kF, 0b0111}}}, kG}}));
}

TEST(DpeStackForwarding, AGuestPassesThePlaceOfTheEntryItIsIn) {
  DpeStackBench<Forwarding> stack;
  forward_b(stack, kF - 4);
  stack.advance(0, kLeft);
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{guest(kF, 0b1000, 1), {kE, 0b0001}}}, kF}));
  stack.jump(0, kLeft, kF);
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{guest(kF, 0b1000, 1), {kE, 0b0001}}}, kF}));
}

TEST(DpeStackForwarding, AGuestThatExitsIsGoneFromTheEntriesBelow) {
  DpeStackBench<Forwarding> stack;
  forward_b(stack);
  stack.exit(0, kLeft);
  stack.jump(0, kRight, kF);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{kB, 0}, {kF, 0b0111}}}, kG}}));
  stack.jump(0, kRight, kG);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b0111}, {0, 0}}}, kNoRpc}}));
}

// The same with two threads in B.
template <class Stack>
void forward_two(Stack& stack, Pc rpc = kG) {
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1100, kB, kC, rpc);
  stack.branch(0, kRight, 0b0010, kD, kE, kF);
  stack.jump(0, kLeft, kF);
  stack.forward();
  ASSERT_EQ(stack.entries().back(), handed(kLeft, {{{guest(kB, 0b1100, 1), {kE, 0b0001}}}, kF}));
}

TEST(DpeStackForwarding, AGuestDivergesAboveThePathBesideWhichItRan) {
  DpeStackBench<Forwarding> stack;
  forward_two(stack);
  // Its sides meet at 0x200, and it goes on from there as a guest. Now E waits, and is offered to them.
  EXPECT_TRUE(stack.branch(0, kLeft, 0b1000, 0x210, 0x220, 0x200).push);
  const DpeEntry host = handed(kLeft, {{{guest(0x200, 0b1100, 1), {kE, 0b0001}}}, kF});
  EXPECT_EQ(stack.entries()[2], host);
  EXPECT_EQ(stack.entries()[3], offered(kRight, {{{{0x210, 0b1000}, {0x220, 0b0100}}}, 0x200}));
  stack.jump(0, kRight, 0x200);
  stack.forward();
  EXPECT_EQ(stack.entries()[3], handed(kRight, {{{{0x210, 0b1000}, guest(kE, 0b0001, 2)}}, 0x200}));
  // E arrives at F as it would in its own entry.
  stack.jump(0, kRight, kF);
  EXPECT_EQ(stack.entries()[3], handed(kRight, {{{{0x210, 0b1000}, {kF, 0}}}, 0x200}));
  stack.jump(0, kLeft, 0x200);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{guest(0x200, 0b1100, 1), {kF, 0}}}, kF}));
  // Alone it keeps nothing from being popped.
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{0x200, 0b1100}, {kF, 0b0011}}}, kG}}));
}

TEST(DpeStackForwarding, ATailBranchOfAGuestLeavesItsSlotAndMeetsAtItsPlace) {
  DpeStackBench<Forwarding> stack;
  forward_two(stack);
  EXPECT_TRUE(stack.branch(0, kLeft, 0b1000, 0x210, 0x220, kG).push);
  EXPECT_EQ(stack.entries()[2], handed(kLeft, {{{{kB, 0}, {kE, 0b0001}}}, kF}));
  EXPECT_EQ(stack.entries()[3], offered(kRight, {{{{0x210, 0b1000}, {0x220, 0b0100}}}, kG}));
  stack.jump(0, kLeft, kG);
  stack.jump(0, kRight, kG);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{{kB, 0}, {kE, 0b0001}}}, kF}));
  stack.jump(0, kRight, kF);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{kB, 0}, {kF, 0b0011}}}, kG}}));
}

TEST(DpeStackForwarding, ABranchWithoutReconvergencePointInheritsThePlaceOfTheGuest) {
  DpeStackBench<Forwarding> stack;
  forward_two(stack);
  stack.branch(0, kLeft, 0b1000, 0x210, 0x220, kNoRpc);
  EXPECT_EQ(stack.entries()[3], offered(kRight, {{{{0x210, 0b1000}, {0x220, 0b0100}}}, kG}));
}

TEST(DpeStackForwarding, AGuestOfAGuestGoesOnFromEntryToEntry) {
  DpeStackBench<Forwarding> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.branch(0, kRight, 0b0100, kD, kE, kF);
  stack.jump(0, kLeft, kF);
  stack.forward();
  stack.advance(0, kLeft);
  // E diverges in its turn: B is suspended again, and comes along when the first side is done.
  stack.branch(0, kRight, 0b0010, 0x210, 0x220, 0x200);
  EXPECT_EQ(stack.entries()[2], handed(kLeft, {{{guest(kB + 4, 0b1000, 1), {0x200, 0b0011}}}, kF}));
  EXPECT_EQ(stack.entries()[3], offered(kLeft, {{{{0x210, 0b0010}, {0x220, 0b0001}}}, 0x200}));
  stack.jump(0, kLeft, 0x200);
  stack.forward();
  EXPECT_EQ(stack.entries()[3], handed(kLeft, {{{guest(kB + 4, 0b1000, 1), {0x220, 0b0001}}}, 0x200}));
  EXPECT_EQ(stack.oracle().forwards(), 2u);
  stack.advance(0, kLeft);
  // It stays in its slot as the entries pop one after the other, a guest in the first, at home in the second.
  stack.jump(0, kRight, 0x200);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{guest(kB + 8, 0b1000, 1), {0x200, 0b0011}}}, kF}));
  stack.jump(0, kRight, kF);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{kB + 8, 0b1000}, {kF, 0b0111}}}, kG}}));
}

TEST(DpeStackForwarding, AGuestOfAGuestThatIsGoneIsGoneFromAllEntries) {
  DpeStackBench<Forwarding> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.branch(0, kRight, 0b0100, kD, kE, kF);
  stack.jump(0, kLeft, kF);
  stack.forward();
  stack.branch(0, kRight, 0b0010, 0x210, 0x220, 0x200);
  stack.jump(0, kLeft, 0x200);
  stack.forward();
  stack.jump(0, kLeft, kG);
  stack.jump(0, kRight, 0x200);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{{kG, 0}, {0x200, 0b0011}}}, kF}));
  stack.jump(0, kRight, kF);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{kG, 0}, {kF, 0b0111}}}, kG}}));
}

TEST(DpeStackForwarding, AGuestWhoseThreadsExitOneByOneIsGoneAsItsSidesPop) {
  DpeStackBench<Forwarding> stack;
  forward_two(stack);
  stack.branch(0, kLeft, 0b1000, 0x210, 0x220, 0x200);
  stack.exit(0, kLeft);
  stack.exit(0, kRight);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{{0x200, 0}, {kE, 0b0001}}}, kF}));
  // A tail branch beside the empty slot replaces the entry; both of its sides are its own.
  EXPECT_FALSE(stack.branch(0, kRight, 0b0001, kD, kE, kF).push);
  stack.jump(0, kRight, kF);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{0x200, 0}, {kF, 0b0011}}}, kG}));
}

TEST(DpeStackForwarding, AnEntryThatReplacesOneWhoseGuestIsGoneGetsNoOther) {
  DpeStackBench<Forwarding> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kG - 4, kC, kG);
  stack.branch(0, kRight, 0b0100, kD, kE, kF);
  stack.jump(0, kLeft, kF);
  stack.forward();
  stack.advance(0, kLeft);
  EXPECT_TRUE(stack.branch(0, kRight, 0b0010, kB, kC, kF).replaced);
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{{kB, 0b0010}, {kC, 0b0001}}}, kF}));
  // The path in the slot of the guest is the entry's own: as it leaves nobody comes, and as both have left it pops.
  stack.jump(0, kLeft, kF);
  EXPECT_FALSE(stack.forward().forward);
  stack.jump(0, kRight, kF);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{kF, 0}, {kF, 0b0111}}}, kG}}));
}

TEST(DpeStackForwarding, AnEntryThatReplacesOneBeforeTheGuestCameIsOfferedIt) {
  DpeStackBench<Forwarding> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.branch(0, kRight, 0b0100, kF, kE, kF);
  // D's block is empty; before B comes E's branch is issued.
  EXPECT_EQ(stack.entries().back(), offered(kLeft, {{{{kF, 0}, {kE, 0b0011}}}, kF}));
  EXPECT_TRUE(stack.branch(0, kRight, 0b0010, 0x210, 0x220, kF).replaced);
  EXPECT_EQ(stack.entries().back(), offered(kLeft, {{{{0x210, 0b0010}, {0x220, 0b0001}}}, kF}));
  stack.jump(0, kLeft, kF);
  EXPECT_EQ(stack.forward().forward, WarpId{0});
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{guest(kB, 0b1000, 1), {0x220, 0b0001}}}, kF}));
}

TEST(DpeStackForwarding, TheOtherSlotsEndForwardsNothing) {
  DpeStackBench<Forwarding> stack;
  suspend_b(stack);
  stack.jump(0, kRight, kF);
  EXPECT_FALSE(stack.forward().forward);
  EXPECT_EQ(stack.oracle().forwards(), 0u);
  // When D is done, too, the entry pops.
  stack.jump(0, kLeft, kF);
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kB, 0b1000}, {kF, 0b0111}}}, kG}));
}

TEST(DpeStackForwarding, ThePathBesideItMayAdvanceAndArriveAsAPathIsForwarded) {
  DpeStackBench<Forwarding> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.branch(0, kRight, 0b0110, kF, kF - 8, kF);
  EXPECT_FALSE(stack.advance(0, kRight).forward);
  EXPECT_EQ(stack.advance(0, kRight).forward, WarpId{0});
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{guest(kB, 0b1000, 1), {kF, 0}}}, kF}));
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kB, 0b1000}, {kF, 0b0111}}}, kG}));
}

TEST(DpeStackForwarding, NothingIsForwardedWhileTheWarpHolds) {
  DpeStackBench<Forwarding> stack;
  suspend_b(stack);
  stack.jump(0, kLeft, kF);
  for (unsigned i = 0; i < 4; ++i) EXPECT_FALSE(stack.hold({0}).forward);
  // Chosen in the first cycle in which it does not; what it says in the next is too late.
  EXPECT_FALSE(stack.idle().forward);
  EXPECT_EQ(stack.hold({0}).forward, WarpId{0});
}

TEST(DpeStackForwarding, NothingIsPoppedUnderAGuestWhileTheWarpHolds) {
  DpeStackBench<Forwarding> stack;
  forward_b(stack);
  stack.jump(0, kRight, kF);
  for (unsigned i = 0; i < 4; ++i) EXPECT_FALSE(stack.hold({0}).pop);
  EXPECT_FALSE(stack.hold({1, 2}).pop);
  EXPECT_EQ(stack.hold({0}).pop, WarpId{0});
  // Where no path is left there is nothing to hold for.
  stack.jump(0, kRight, kG);
  stack.jump(0, kLeft, kG);
  EXPECT_FALSE(stack.hold({0}).pop);
  EXPECT_EQ(stack.hold({0}).pop, WarpId{0});
}

TEST(DpeStackForwarding, OfTwoWarpsTheLowerIsServedFirstWhateverItWaitsFor) {
  DpeStackBench<Forwarding> stack;
  suspend_b(stack);
  stack.launch(1, kA, 0b1111);
  stack.step({{}, {}, {}, {}, {0, 1}});
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 0b1111, kF, kF, kNoRpc, 0}, {}, {0, 1}});
  stack.step({{}, {}, DpeStackOracle::Resolve{1, kLeft, 0, 4, 4, kNoRpc, 0b1111}, {}, {0, 1}});
  stack.hold({0, 1});
  EXPECT_FALSE(stack.hold({0}).forward);
  const auto events = stack.idle();
  EXPECT_EQ(events.done, WarpId{1});
  EXPECT_EQ(stack.idle().forward, WarpId{0});
}

TEST(DpeStackForwarding, AKillInTheCycleOfTheChoice) {
  DpeStackBench<Forwarding> stack;
  suspend_b(stack);
  stack.jump(0, kLeft, kF);
  stack.kill(0);
  EXPECT_FALSE(stack.idle().forward);
  stack.launch(0, kA, 0b0011);
  stack.exit(0, kLeft);
  EXPECT_EQ(stack.pop().done, WarpId{0});
  EXPECT_EQ(stack.oracle().forwards(), 0u);
}

TEST(DpeStackForwarding, AKillInTheCycleOfTheForward) {
  DpeStackBench<Forwarding> stack;
  suspend_b(stack);
  stack.jump(0, kLeft, kF);
  stack.idle();
  EXPECT_EQ(stack.kill(0).forward, WarpId{0});
  EXPECT_EQ(stack.oracle().depth(0), 0u);
  EXPECT_EQ(stack.oracle().forwards(), 0u);
  // Its next life knows nothing of the guest: the first entry pops when its own path ends.
  stack.launch(0, kA, 0b0011);
  stack.exit(0, kLeft);
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

TEST(DpeStackForwarding, AKillWithAGuestLeavesNoneToTheNextLaunch) {
  DpeStackBench<Forwarding> stack;
  forward_b(stack);
  stack.kill(0);
  stack.launch(0, kA, 0b0011);
  EXPECT_FALSE(stack.pop().pop);
  stack.branch(0, kLeft, 0b0001, kB, kC, kG);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kB, 0b0001}, {kC, 0b0010}}}, kG}));
  stack.jump(0, kRight, kG);
  EXPECT_FALSE(stack.forward().forward);
}

// C calls a function that diverges to its returns, and so does B, as a guest.
TEST(DpeStackForwarding, AnAddressThatAGuestsFunctionBringsIsNotThatOfTheEntryItIsIn) {
  DpeStackBench<Forwarding> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1100, kB, kC, kG);
  stack.call(0, kRight, kFunction);
  stack.branch(0, kRight, 0b0010, kD, kE, kReturnRpc);
  stack.returns(0, kLeft, kBack);
  const Place known = Place::where_they_return(0, kBack);
  stack.forward();
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{guest(kB, 0b1100, 1), {kE, 0b0001, 1}}}, known}));
  stack.call(0, kLeft, kFunction);
  stack.branch(0, kLeft, 0b1000, kD, kE, kReturnRpc);
  // Both meet where they return to, one level lower: the same level, not the same address. Who returns is not offered
  // to others.
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kD, 0b1000, 1}, {kE, 0b0100, 1}}}, Place::where_they_return(0)}));
  stack.returns(0, kLeft, kB + 8);
  stack.returns(0, kRight, kB + 8);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{guest(kB + 8, 0b1100, 1), {kE, 0b0001, 1}}}, known}));
  stack.returns(0, kRight, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{kB + 8, 0b1100}, {kBack, 0b0011}}}, kG}}));
}

TEST(DpeStackForwarding, ATailBranchOfAGuestThatIsAloneKeepsTheAddressForWhichTheEntryBelowWaits) {
  DpeStackBench<Forwarding> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1100, kB, kC, kG);
  stack.call(0, kRight, kFunction);
  stack.branch(0, kRight, 0b0010, kD, kE, kReturnRpc);
  stack.returns(0, kLeft, kBack);
  stack.forward();
  // The guest's branch is issued as the other path returns, and diverges above an entry without paths.
  stack.hold({0});
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kRight, 0b1111, kBack, 4, kNoRpc, 0, false, true}, {}, {0}});
  stack.hold({0});
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 0b1000, 0x210, 0x220, kG, 0}, {}, {0}});
  const auto events = stack.hold({0});
  EXPECT_TRUE(events.push);
  EXPECT_FALSE(events.replaced);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{0x210, 0b1000}, {0x220, 0b0100}}}, kG}));
  stack.jump(0, kLeft, kG);
  stack.jump(0, kRight, kG);
  stack.pop();
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{kB, 0}, {kBack, 0b0011}}}, kG}}));
}

TEST(DpeStackForwarding, ATailBranchOfAGuestThatIsAloneReplacesAnEntryThatKnowsNoAddress) {
  DpeStackBench<Forwarding> stack;
  forward_two(stack);
  stack.hold({0});
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kRight, 0b1111, kF, kF, kNoRpc, 0}, {}, {0}});
  stack.hold({0});
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 0b1000, 0x210, 0x220, kG, 0}, {}, {0}});
  EXPECT_TRUE(stack.hold({0}).replaced);
  // Both sides are the entry's own now, and the slot below is empty for good.
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{{0x210, 0b1000}, {0x220, 0b0100}}}, kG}));
  stack.jump(0, kLeft, kG);
  EXPECT_FALSE(stack.forward().forward);
  stack.jump(0, kRight, kG);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{kG, 0}, {kF, 0b0011}}}, kG}}));
}

TEST(DpeStackForwarding, AGuestWhoseFunctionReturnsToItsPlaceIsGone) {
  DpeStackBench<Forwarding> stack;
  forward_two(stack);
  stack.call(0, kLeft, kFunction);
  stack.branch(0, kLeft, 0b1000, kD, kE, kReturnRpc);
  stack.returns(0, kLeft, kG);
  stack.returns(0, kRight, kG);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{{kG, 0}, {kE, 0b0001}}}, kF}));
  stack.jump(0, kRight, kF);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{kG, 0}, {kF, 0b0011}}}, kG}}));
}

TEST(DpeStackForwarding, APathThatMeetsOthersWhereItReturnsStaysWhereItIs) {
  DpeStackBench<Forwarding> stack;
  enter(stack);
  stack.branch(0, kLeft, 0b1000, kB, kC, kReturnRpc);
  stack.branch(0, kRight, 0b0110, kD, kE, kF);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kD, 0b0110, 1}, {kE, 0b0001, 1}}}, Place::at(kF, 1)}));
  stack.jump(0, kLeft, kF);
  EXPECT_FALSE(stack.forward().forward);
}

TEST(DpeStackForwarding, AGuestWithoutAPlaceArrivesNowhere) {
  DpeStackBench<Forwarding> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kNoRpc);
  stack.branch(0, kRight, 0b0110, kD, kE, kF);
  stack.jump(0, kLeft, kF);
  stack.forward();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kB, 0}, {kF, 0b0111}}}, kNoRpc},
                                      handed(kLeft, {{{guest(kB, 0b1000, 0), {kE, 0b0001}}}, kF})}));
  stack.jump(0, kLeft, 0);
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{guest(0, 0b1000, 0), {kE, 0b0001}}}, kF}));
  stack.jump(0, kRight, kF);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{0, 0b1000}, {kF, 0b0111}}}, kNoRpc}}));
  stack.exit(0, kLeft);
  stack.exit(0, kRight);
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

TEST(DpeStackForwarding, EveryBitOfThePlaceOfAGuestCounts) {
  DpeStackBench<Forwarding> stack;
  for (unsigned bit = 1; bit < 32; ++bit) {
    const Pc meet = Pc{1} << bit, f = meet ^ 0x80000400u;
    stack.launch(0, 0x124, 0b1111);
    stack.branch(0, kLeft, 0b1000, 0, 0x456, meet);
    stack.branch(0, kRight, 0b0110, f, 0x5a8, f);
    stack.forward();
    stack.jump(0, kLeft, 0);
    EXPECT_EQ(stack.entries().back().path[kLeft].mask, 0b1000u) << bit;
    stack.jump(0, kLeft, meet);
    EXPECT_EQ(stack.entries().back().path[kLeft].mask, 0u) << bit;
    stack.kill(0);
  }
}

TEST(DpeStackForwarding, AGuestArrivesAtTheLevelOfItsPlaceOnly) {
  DpeStackBench<Forwarding> stack;
  for (unsigned bit = 0; bit < Forwarding::kLevelW; ++bit) {
    stack.launch(0, kA, 0b1111);
    stack.branch(0, kLeft, 0b1000, kB, kC, kG);
    stack.branch(0, kRight, 0b0110, kF, kE, kF);
    stack.forward();
    for (unsigned i = 0; i < 1u << bit; ++i) stack.call(0, kLeft, kG);
    EXPECT_EQ(stack.entries().back().path[kLeft], guest(kG, 0b1000, 1, 1u << bit));
    stack.kill(0);
  }
}

// ---- memory-divergence splitting (PCs of Figure 1)

using Splitting = models::dpe_stack_split;

// The two paths of the entry are parts of one.
DpeEntry parts(DpeEntry entry) {
  entry.parts = true;
  return entry;
}
DpePath at_its_branch(Pc pc, LaneMask mask, unsigned level = 0) { return {pc, mask, level, false, std::nullopt, true}; }

// Four threads at A, of which the upper two go on in the left slot and the others stay behind in the right one.
template <class Stack>
void split_at_a(Stack& stack) {
  stack.launch(0, kA, 0b1111);
  stack.split(0, kLeft, 0b0011);
  ASSERT_EQ(stack.entries(), (Entries{parts({{{{kA, 0b1100}, {kA, 0b0011}}}, kNoRpc})}));
}
// The same in the right side of a branch whose left side is done: both parts end at G.
template <class Stack>
void split_at_c(Stack& stack) {
  stack.launch(0, kA, 0b11111);
  stack.branch(0, kLeft, 0b10000, kG, kC, kG);
  stack.split(0, kRight, 0b0011);
  ASSERT_EQ(stack.entries(),
            (Entries{{{{{kG, 0b11111}, {0, 0}}}, kNoRpc}, parts({{{{kC, 0b0011}, {kC, 0b1100}}}, kG})}));
}

TEST(DpeStackSplitting, ThreadsThatHaveWhatTheLoadBroughtGoOnAndTheOthersJoinThem) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  EXPECT_EQ(stack.oracle().splits(), 1u);
  // Of threads that are not the path's nothing is heard.
  stack.advance(0, kLeft);
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kA + 4, 0b1100}, {kA, 0b0011}}}, kNoRpc})}));
  stack.advance(0, kRight);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA + 4, 0b1111}, {kA + 4, 0}}}, kNoRpc}}));
  EXPECT_EQ(stack.oracle().merges(), 1u);
}

TEST(DpeStackSplitting, APathInTheRightSlotLeavesTheOthersInTheLeftOne) {
  DpeStackBench<Splitting> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kG, kC, kG);
  // The mask may name threads that are not there.
  stack.split(0, kRight, 0b11111001);
  EXPECT_EQ(stack.entries().back(), parts({{{{kC, 0b0001}, {kC, 0b0110}}}, kG}));
  // The first of them to go may be any.
  stack.advance(0, kLeft);
  stack.advance(0, kRight);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kC + 4, 0b0111}, {kC + 4, 0}}}, kG}));
}

TEST(DpeStackSplitting, APathThatWasJoinedMayBeSplitAgain) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.advance(0, kLeft);
  stack.advance(0, kRight);
  stack.split(0, kLeft, 0b1001);
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kA + 4, 0b0110}, {kA + 4, 0b1001}}}, kNoRpc})}));
  stack.jump(0, kLeft, kB);
  stack.jump(0, kRight, kB);
  stack.split(0, kLeft, 0b1000);
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kB, 0b0111}, {kB, 0b1000}}}, kNoRpc})}));
  EXPECT_EQ(stack.oracle().splits(), 3u);
  EXPECT_EQ(stack.oracle().merges(), 2u);
}

TEST(DpeStackSplitting, WhoGoesFirstIsJoinedAndTheSlotThatIsLeftIsHis) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.advance(0, kRight);
  stack.advance(0, kLeft);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA + 4, 0}, {kA + 4, 0b1111}}}, kNoRpc}}));
  // The path is split in that slot, too.
  stack.split(0, kRight, 0b1000);
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kA + 4, 0b1000}, {kA + 4, 0b0111}}}, kNoRpc})}));
}

TEST(DpeStackSplitting, AJumpToWhereTheOtherPartStandsJoinsItAndDoesNotGoOn) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.advance(0, kLeft);
  EXPECT_FALSE(stack.branch(0, kRight, 0, kD, kA + 4, kG).resolved->next);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA + 4, 0b1111}, {kA + 4, 0}}}, kNoRpc}}));
  // Of those who exit at it nobody joins.
  stack.split(0, kLeft, 0b0111);
  stack.advance(0, kLeft);
  EXPECT_FALSE(stack.branch(0, kRight, 0b0011, kA + 8, kA + 8, kG, 0b0100).resolved->next);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA + 8, 0b1011}, {kA + 8, 0}}}, kNoRpc}}));
  EXPECT_EQ(stack.oracle().merges(), 2u);
}

TEST(DpeStackSplitting, AtOnePcAtTwoLevelsTheyAreTwo) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.call(0, kLeft, kFunction);
  stack.jump(0, kRight, kFunction - 4);
  stack.advance(0, kRight);
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kFunction, 0b1100, 1}, {kFunction, 0b0011}}}, kNoRpc})}));
  stack.jump(0, kRight, kA);
  stack.call(0, kRight, kFunction);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kFunction, 0b1111, 1}, {kFunction, 0, 1}}}, kNoRpc}}));
  // They return from it as one.
  stack.returns(0, kLeft, kBack);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kBack, 0b1111}, {kFunction, 0, 1}}}, kNoRpc}}));
}

TEST(DpeStackSplitting, WhoMayNotBeJoinedIsPassed) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.advance(0, kLeft);
  stack.apart = {{0, kLeft}};
  stack.advance(0, kRight);
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kA + 4, 0b1100}, {kA + 4, 0b0011}}}, kNoRpc})}));
  stack.jump(0, kRight, kA + 4);
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kA + 4, 0b1100}, {kA + 4, 0b0011}}}, kNoRpc})}));
  // He himself may join who stands still.
  stack.advance(0, kRight);
  stack.advance(0, kLeft);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA + 8, 0}, {kA + 8, 0b1111}}}, kNoRpc}}));
}

TEST(DpeStackSplitting, SidesOfABranchAreNoPartsAndPassEachOther) {
  DpeStackBench<Splitting> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.jump(0, kLeft, kC);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kC, 0b1000}, {kC, 0b0111}}}, kG}));
  stack.stopped = {{0, kLeft}, {0, kRight}};
  stack.meet();
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kC, 0b1000}, {kC, 0b0111}}}, kG}));
}

TEST(DpeStackSplitting, PartsThatDoNotMeetBeforeEndAtThePlaceOfTheirEntry) {
  DpeStackBench<Splitting> stack;
  split_at_c(stack);
  stack.jump(0, kRight, kG - 4);
  stack.advance(0, kRight);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kC, 0b0011}, {kG, 0}}}, kG}));
  EXPECT_FALSE(stack.pop().pop);
  stack.jump(0, kLeft, kG);
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b11111}, {0, 0}}}, kNoRpc}}));
  EXPECT_EQ(stack.oracle().merges(), 0u);
}

TEST(DpeStackSplitting, WhoseOtherPartHasArrivedMayBeSplitAgain) {
  DpeStackBench<Splitting> stack;
  split_at_c(stack);
  stack.jump(0, kRight, kG);
  stack.split(0, kLeft, 0b0001);
  EXPECT_EQ(stack.entries().back(), parts({{{{kC, 0b0010}, {kC, 0b0001}}}, kG}));
}

TEST(DpeStackSplitting, PartsReturnApart) {
  DpeStackBench<Splitting> stack;
  enter(stack);
  stack.branch(0, kLeft, 0b1000, kB, kC, kReturnRpc);
  stack.exit(0, kLeft);
  stack.split(0, kRight, 0b0001);
  stack.returns(0, kRight, kBack);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kC, 0b0001, 1}, {kBack, 0}}}, Place::where_they_return(0, kBack)}));
  stack.returns(0, kLeft, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kBack, 0b0111}, {0, 0}}}, kNoRpc}}));
}

TEST(DpeStackSplitting, APathWhoseThreadsDivergeWaitsForItsOtherPartAtTheBranch) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.jump(0, kLeft, kB);
  // Nothing is pushed, and the branch is not left behind.
  const auto events = stack.branch(0, kLeft, 0b1000, kD, kB + 4, kF);
  EXPECT_FALSE(events.push || events.resolved->next);
  EXPECT_EQ(stack.entries(), (Entries{parts({{{at_its_branch(kB, 0b1100), {kA, 0b0011}}}, kNoRpc})}));
  for (unsigned i = 0; i < 3; ++i) stack.idle();
  EXPECT_TRUE(stack.oracle().waits(0, kLeft));
  // The other part comes to the branch: it is one path that executes it.
  stack.jump(0, kRight, kB);
  EXPECT_EQ(stack.entries(), (Entries{{{{at_its_branch(kB, 0b1111), {kB, 0}}}, kNoRpc}}));
  EXPECT_FALSE(stack.oracle().waits(0, kLeft));
  stack.idle();
  EXPECT_EQ(stack.branch(0, kLeft, 0b1010, kD, kE, kF).push, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{{{{kF, 0b1111}, {kB, 0}}}, kNoRpc}, {{{{kD, 0b1010}, {kE, 0b0101}}}, kF}}));
}

TEST(DpeStackSplitting, ABranchThatIsItsOwnNextDoesNotGoOn) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.jump(0, kLeft, kB);
  EXPECT_FALSE(stack.branch(0, kLeft, 0b1000, kD, kB, kF).resolved->next);
}

TEST(DpeStackSplitting, ThreadsThatExitDoNotWait) {
  DpeStackBench<Splitting> stack;
  stack.launch(0, kA, 0b1111);
  stack.split(0, kLeft, 0b0001);
  stack.jump(0, kLeft, kB);
  stack.branch(0, kLeft, 0b1000, kD, kE, kF, 0b0010);
  EXPECT_EQ(stack.entries(), (Entries{parts({{{at_its_branch(kB, 0b1100), {kA, 0b0001}}}, kNoRpc})}));
  EXPECT_EQ(stack.oracle().live(0), 0b1101u);
}

TEST(DpeStackSplitting, WhoDivergesWhereTheOtherPartStandsJoinsIt) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  const auto events = stack.branch(0, kLeft, 0b1000, kD, kA + 4, kF, 0b0100);
  EXPECT_TRUE(events.resolved);
  stack.reset();
  split_at_a(stack);
  const auto joins = stack.branch(0, kLeft, 0b1000, kD, kA + 4, kF);
  EXPECT_FALSE(joins.push || joins.resolved->next);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA, 0}, {kA, 0b1111}}}, kNoRpc}}));
  EXPECT_EQ(stack.oracle().merges(), 1u);
  // Unless it may not: then it waits beside it.
  stack.split(0, kRight, 0b0011);
  stack.apart = {{0, kLeft}};
  stack.branch(0, kRight, 0b1000, kD, kA + 4, kF);
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kA, 0b0011}, at_its_branch(kA, 0b1100)}}, kNoRpc})}));
}

TEST(DpeStackSplitting, AWaitEndsAsTheOtherPartArrives) {
  DpeStackBench<Splitting> stack;
  split_at_c(stack);
  stack.branch(0, kRight, 0b1000, kC + 8, kC + 4, kF);  // joins at its branch
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kC, 0b1111}, {kC, 0}}}, kG}));
  stack.split(0, kLeft, 0b0011);
  stack.jump(0, kLeft, kD);
  stack.branch(0, kLeft, 0b1000, kE, kD + 4, kF);
  EXPECT_TRUE(stack.oracle().waits(0, kLeft));
  stack.jump(0, kRight, kG);
  EXPECT_FALSE(stack.oracle().waits(0, kLeft));
  EXPECT_EQ(stack.branch(0, kLeft, 0b1000, kE, kD + 4, kF).push, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b11111}, {0, 0}}}, kNoRpc},
                                      {{{{kF, 0b1100}, {kG, 0}}}, kG},
                                      {{{{kE, 0b1000}, {kD + 4, 0b0100}}}, kF}}));
}

TEST(DpeStackSplitting, AWaitEndsAsTheOtherPartExitsAndTheTailBranchReplacesTheEntry) {
  DpeStackBench<Splitting> stack;
  split_at_c(stack);
  stack.jump(0, kRight, kD);
  stack.branch(0, kRight, 0b1000, kE, kD + 4, kG);
  stack.exit(0, kLeft);
  EXPECT_TRUE(stack.branch(0, kRight, 0b1000, kE, kD + 4, kG).replaced);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b11111}, {0, 0}}}, kNoRpc}, {{{{kE, 0b1000}, {kD + 4, 0b0100}}}, kG}}));
  // Its sides are sides, not parts.
  stack.jump(0, kRight, kE);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kE, 0b1000}, {kE, 0b0100}}}, kG}));
}

TEST(DpeStackSplitting, BesideAPartThatWaitsTheOtherOneDivergesAndTheyArePartsAgainBehindThePop) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.jump(0, kLeft, kB);
  stack.branch(0, kLeft, 0b1000, kD, kB + 4, kF);
  EXPECT_EQ(stack.branch(0, kRight, 0b0010, kD, kE, kF).push, WarpId{0});
  EXPECT_EQ(stack.entries(),
            (Entries{parts({{{{kB, 0b1100}, {kF, 0b0011}}}, kNoRpc}), {{{{kD, 0b0010}, {kE, 0b0001}}}, kF}}));
  // Its sides meet at F; above they are no parts.
  stack.jump(0, kLeft, kE);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kE, 0b0010}, {kE, 0b0001}}}, kF}));
  stack.jump(0, kLeft, kF);
  stack.jump(0, kRight, kF);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kB, 0b1100}, {kF, 0b0011}}}, kNoRpc})}));
  // The branch of the left part is executed again, and waits again.
  EXPECT_FALSE(stack.branch(0, kLeft, 0b1000, kD, kB + 4, kF).push);
  EXPECT_TRUE(stack.oracle().waits(0, kLeft));
  stack.jump(0, kRight, kB);
  stack.idle();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kB, 0b1111}, {kB, 0}}}, kNoRpc}}));
}

TEST(DpeStackSplitting, ATailBranchBesideAPartThatWaitsLeavesItAlone) {
  DpeStackBench<Splitting> stack;
  split_at_c(stack);
  stack.jump(0, kRight, kD);
  stack.branch(0, kRight, 0b1000, kE, kD + 4, kF);
  EXPECT_EQ(stack.branch(0, kLeft, 0b0010, kB, kE, kG).push, WarpId{0});
  EXPECT_EQ(stack.entries()[1], (DpeEntry{{{{kC, 0}, {kD, 0b1100}}}, kG}));
  stack.jump(0, kLeft, kG);
  stack.jump(0, kRight, kG);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kC, 0}, {kD, 0b1100}}}, kG}));
  EXPECT_EQ(stack.branch(0, kRight, 0b1000, kE, kD + 4, kF).push, WarpId{0});
}

TEST(DpeStackSplitting, APartAllOfWhoseThreadsExitAboveIsGoneBehindThePop) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.jump(0, kLeft, kB);
  stack.branch(0, kLeft, 0b1000, kD, kB + 4, kF);
  stack.branch(0, kRight, 0b0010, kD, kE, kF);
  stack.exit(0, kLeft);
  stack.exit(0, kRight);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kB, 0b1100}, {kF, 0}}}, kNoRpc}}));
  EXPECT_EQ(stack.branch(0, kLeft, 0b1000, kD, kB + 4, kF).push, WarpId{0});
}

TEST(DpeStackSplitting, AWaitEndsAsTheOtherPartStopsAtABarrierAndDoesNotBeginAgain) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.jump(0, kLeft, kB);
  stack.branch(0, kLeft, 0b1000, kD, kB + 4, kF);
  // That the path itself is said to stand at one changes nothing.
  stack.stopped = {{0, kLeft}, {1, kRight}};
  stack.idle();
  EXPECT_TRUE(stack.oracle().waits(0, kLeft));
  stack.stopped = {{0, kRight}};
  EXPECT_FALSE(stack.oracle().waits(0, kLeft, stack.stopped));
  stack.idle();
  stack.stopped = {};
  stack.idle();
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kB, 0b1100}, {kA, 0b0011}}}, kNoRpc})}));
}

TEST(DpeStackSplitting, BesideAPartAtABarrierTheOtherOneDiverges) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.jump(0, kLeft, kB);
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 0b1000, kD, kE, kF, 0}});
  // What counts is the cycle in which the resolution acts.
  stack.stopped = {{0, kRight}};
  EXPECT_EQ(stack.idle().push, WarpId{0});
  EXPECT_EQ(stack.entries(),
            (Entries{parts({{{{kF, 0b1100}, {kA, 0b0011}}}, kNoRpc}), {{{{kD, 0b1000}, {kE, 0b0100}}}, kF}}));
  // The sides of the new entry are no parts, whatever stands at a barrier.
  stack.stopped = {{0, kLeft}, {0, kRight}};
  stack.jump(0, kLeft, kE);
  stack.meet();
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kE, 0b1000}, {kE, 0b0100}}}, kF}));
}

TEST(DpeStackSplitting, AnInstructionThatCannotBeExecutedAgainDoesNotWait) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.jump(0, kLeft, kB);
  DpeStackOracle::Resolve calls{0, kLeft, 0b1000, kFunction, kB, kB + 4, 0, true};
  calls.mark = true;
  EXPECT_EQ(stack.resolve(calls).push, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kB + 4, 0b1100}, {kA, 0b0011}}}, kNoRpc}),
                                      {{{{kFunction, 0b1000, 1}, {kB, 0b0100}}}, kB + 4}}));
  // Where the other part stands it does not join it either; all threads to one place do.
  stack.reset();
  split_at_a(stack);
  DpeStackOracle::Resolve apart{0, kLeft, 0b1000, kB, kC, kG, 0};
  apart.mark = true;
  EXPECT_EQ(stack.resolve(apart).push, WarpId{0});
  stack.reset();
  split_at_a(stack);
  apart.taken = 0b1100;
  apart.target = kA;
  stack.resolve(apart);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA, 0}, {kA, 0b1111}}}, kNoRpc}}));
}

TEST(DpeStackSplitting, BehindABarrierThePartsOfARowMeet) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.jump(0, kLeft, kB);
  stack.stopped = {{0, kRight}};
  stack.branch(0, kLeft, 0b1000, kA, kE, kA);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kA, 0}, {kE, 0b0100}}}, kA}));
  stack.jump(0, kRight, kA);
  stack.pop();
  // A part that a pop brings to where the other one stands does not join it; at a barrier they meet.
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kA, 0b1100}, {kA, 0b0011}}}, kNoRpc})}));
  stack.stopped = {{0, kLeft}, {0, kRight}};
  stack.meet();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA, 0b1111}, {kA, 0}}}, kNoRpc}}));
}

TEST(DpeStackSplitting, WhoWaitsNeedsNoEntryWhereThereIsNone) {
  DpeStackBench<Splitting> stack;
  stack.launch(0, kA, lane_mask(8));
  for (unsigned level = 1; level < Splitting::kDepth; ++level)
    stack.branch(0, kLeft, lane_mask(8 - level), kA, 0x400 + 4 * level, 0x400 + 4 * level);
  ASSERT_EQ(stack.oracle().depth(0), Splitting::kDepth);
  stack.split(0, kLeft, 0b0011);
  stack.jump(0, kLeft, kB);
  const auto waits = stack.branch(0, kLeft, 0b1000, kD, kE, kF);
  EXPECT_FALSE(waits.overflow);
  EXPECT_TRUE(waits.resolved);
  // The other one finds none: nothing changes, not even who waits.
  EXPECT_EQ(stack.branch(0, kRight, 0b0010, kD, kE, kF).overflow, WarpId{0});
  EXPECT_EQ(stack.entries().back(),
            parts({{{at_its_branch(kB, 0b1100), {kA, 0b0011}}}, 0x400 + 4 * (Splitting::kDepth - 1)}));
}

TEST(DpeStackSplitting, PartsAtOneBarrierAreChosenInOneCycleAndMeetInTheNext) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.stopped = {{0, kLeft}, {0, kRight}};
  EXPECT_FALSE(stack.idle().meet);
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kA, 0b1100}, {kA, 0b0011}}}, kNoRpc})}));
  stack.stopped = {};
  EXPECT_EQ(stack.idle().meet, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA, 0b1111}, {kA, 0}}}, kNoRpc}}));
  EXPECT_EQ(stack.oracle().merges(), 1u);
}

TEST(DpeStackSplitting, PartsAtTwoBarriersDoNotMeet) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.advance(0, kLeft);
  stack.stopped = {{0, kLeft}, {0, kRight}};
  for (unsigned i = 0; i < 5; ++i) stack.idle();
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kA + 4, 0b1100}, {kA, 0b0011}}}, kNoRpc})}));
}

TEST(DpeStackSplitting, EveryBitOfPcAndLevelSaysWhetherPartsAreAtOnePlace) {
  DpeStackBench<Splitting> stack;
  for (unsigned bit = 1; bit < 32; ++bit) {
    const Pc there = Pc{1} << bit;
    split_at_a(stack);
    stack.jump(0, kRight, 0);
    stack.jump(0, kLeft, there);
    stack.stopped = {{0, kLeft}, {0, kRight}};
    stack.meet();
    EXPECT_EQ(stack.entries(), (Entries{parts({{{{there, 0b1100}, {0, 0b0011}}}, kNoRpc})})) << bit;
    stack.stopped = {};
    stack.jump(0, kRight, there - 4);
    stack.advance(0, kRight);
    EXPECT_EQ(stack.entries(), (Entries{{{{{there, 0b1111}, {there, 0}}}, kNoRpc}})) << bit;
    stack.kill(0);
  }
  for (unsigned bit = 0; bit < Splitting::kLevelW; ++bit) {
    split_at_a(stack);
    for (unsigned i = 0; i < 1u << bit; ++i) stack.call(0, kLeft, kA + 4);
    stack.advance(0, kRight);
    stack.stopped = {{0, kLeft}, {0, kRight}};
    stack.meet();
    EXPECT_EQ(stack.entries(), (Entries{parts({{{{kA + 4, 0b1100, 1u << bit}, {kA + 4, 0b0011}}}, kNoRpc})})) << bit;
    stack.stopped = {};
    // At a branch they are two as well.
    stack.branch(0, kRight, 0b0010, kD, kE, kF);
    EXPECT_EQ(stack.entries(),
              (Entries{parts({{{{kA + 4, 0b1100, 1u << bit}, at_its_branch(kA + 4, 0b0011)}}, kNoRpc})}))
        << bit;
    stack.kill(0);
  }
}

TEST(DpeStackSplitting, OfTwoWarpsTheLowerMeetsFirst) {
  DpeStackBench<Splitting> stack;
  for (const WarpId w : {0, 1, 2}) {
    stack.launch(w, kA, 0b1111);
    stack.split(w, kLeft, 0b0011);
  }
  stack.stopped = {{1, kLeft}, {1, kRight}, {2, kLeft}, {2, kRight}, {0, kLeft}};
  EXPECT_FALSE(stack.idle().meet);
  EXPECT_EQ(stack.idle().meet, WarpId{1});
  EXPECT_EQ(stack.idle().meet, WarpId{2});
  EXPECT_FALSE(stack.idle().meet);
  EXPECT_EQ(stack.oracle().merges(), 2u);
}

TEST(DpeStackSplitting, AResolutionThatActsAsTheyAreChosenMayMakeThemOneBefore) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 0, kA, kA, kNoRpc, 0}});
  stack.stopped = {{0, kLeft}, {0, kRight}};
  stack.idle();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA, 0}, {kA, 0b1111}}}, kNoRpc}}));
  // The path stays in its slot.
  EXPECT_EQ(stack.idle().meet, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA, 0}, {kA, 0b1111}}}, kNoRpc}}));
  EXPECT_EQ(stack.oracle().merges(), 1u);
}

TEST(DpeStackSplitting, PartsThatComeToBeOrJoinAsTheyWouldHaveMetDoNotMeet) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 0, kA, kA, kNoRpc, 0}});
  stack.stopped = {{0, kLeft}, {0, kRight}};
  stack.idle();
  EXPECT_EQ(stack.split(0, kRight, 0b1001).meet, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kA, 0b1001}, {kA, 0b0110}}}, kNoRpc})}));
  stack.reset();
  stack.stopped = {};
  split_at_a(stack);
  stack.advance(0, kLeft);
  stack.stopped = {{0, kLeft}, {0, kRight}};
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kRight, 0, kA, kA + 4, kNoRpc, 0}});
  EXPECT_EQ(stack.idle().meet, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA + 4, 0b1111}, {kA + 4, 0}}}, kNoRpc}}));
  EXPECT_EQ(stack.oracle().merges(), 1u);
}

TEST(DpeStackSplitting, AKillWithAJoinIsNotCounted) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.advance(0, kLeft);
  stack.step({{}, DpeStackOracle::Advance{0, kRight}, {}, WarpId{0}});
  EXPECT_EQ(stack.oracle().depth(0), 0u);
  split_at_a(stack);
  stack.advance(0, kLeft);
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kRight, 0, kA, kA + 4, kNoRpc, 0}});
  stack.kill(0);
  split_at_a(stack);
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kRight, 0b0010, kB, kA + 4, kNoRpc, 0}});
  stack.kill(0);
  stack.idle();
  EXPECT_EQ(stack.oracle().merges(), 0u);
}

TEST(DpeStackSplitting, AKillAsAPathBeginsToWait) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.advance(0, kLeft);
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 0b1000, kB, kA + 4, kF, 0}});
  EXPECT_TRUE(stack.kill(0).resolved);
  // The next life knows nothing of it: neither parts nor who waits.
  stack.launch(0, kA, 0b1111);
  stack.idle();
  EXPECT_EQ(stack.branch(0, kLeft, 0b1000, kB, kC, kG).push, WarpId{0});
  stack.jump(0, kLeft, kC);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kC, 0b1000}, {kC, 0b0111}}}, kG}));
}

TEST(DpeStackSplitting, AKillOfPartsLeavesNoneToTheNextLaunch) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.jump(0, kLeft, kB);
  stack.branch(0, kLeft, 0b1000, kD, kE, kF);
  stack.kill(0);
  stack.launch(0, kA, 0b1111);
  EXPECT_EQ(stack.branch(0, kLeft, 0b1000, kB, kC, kG).push, WarpId{0});
  stack.jump(0, kRight, kB);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kB, 0b1000}, {kB, 0b0111}}}, kG}));
}

TEST(DpeStackSplitting, AKillInTheCycleOfTheChoiceAndInThatOfTheMeet) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.launch(1, kA, 0b1111);
  stack.split(1, kLeft, 0b0011);
  stack.stopped = {{0, kLeft}, {0, kRight}, {1, kLeft}, {1, kRight}};
  // Another one is chosen in its place, and killed as it meets.
  stack.kill(0);
  EXPECT_EQ(stack.kill(1).meet, WarpId{1});
  EXPECT_FALSE(stack.idle().meet);
  EXPECT_EQ(stack.oracle().merges(), 0u);
  EXPECT_EQ(stack.oracle().depth(1), 0u);
  stack.launch(1, kA, 0b11);
  stack.idle();
  EXPECT_EQ(stack.entries(1), (Entries{{{{{kA, 0b11}, {0, 0}}}, kNoRpc}}));
}

// ---- mistakes of the caller are asserted by the RTL

TEST(DpeStackMistake, ALaunchOfAWarpThatIsKilled) {
  DpeStackBench<Small> stack;
  EXPECT_THROW(stack.step({DpeStackOracle::Launch{0, kA, 0b1}, {}, {}, WarpId{0}}), RtlAssertion);
}

TEST(DpeStackMistake, ALaunchOfARunningWarp) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.launch(0, kA, 0b1), RtlAssertion);
}

TEST(DpeStackMistake, ALaunchWithoutThreads) {
  DpeStackBench<Small> stack;
  EXPECT_THROW(stack.launch(0, kA, 0), RtlAssertion);
}

TEST(DpeStackMistake, AdvancesOfTwoPaths) {
  struct Opened : DpeStackBench<Small> {
    void advance_two() {
      this->rtl().advance_i = 0b11;
      this->rtl().clk_i = 0;
      this->rtl().eval();
      this->rtl().clk_i = 1;
      this->rtl().eval();
    }
  } stack;
  for (WarpId w : {0, 1}) stack.launch(w, kA, 0b1);
  stack.idle();
  EXPECT_THROW(stack.advance_two(), RtlAssertion);
}

TEST(DpeStackMistake, AnAdvanceOfAnEmptySlot) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.advance(0, kRight), RtlAssertion);
}

TEST(DpeStackMistake, AResolutionOfAnEmptySlot) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.jump(0, kRight, kB), RtlAssertion);
}

TEST(DpeStackMistake, AnAdvanceOfThePathThatResolves) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(
      stack.step({{}, DpeStackOracle::Advance{0, kLeft}, DpeStackOracle::Resolve{0, kLeft, 0, kB, kB, kNoRpc, 0}}),
      RtlAssertion);
}

TEST(DpeStackMistake, AnAdvanceOfThePathWhoseResolutionActs) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 0, kB, kB, kNoRpc, 0}});
  EXPECT_THROW(stack.advance(0, kLeft), RtlAssertion);
}

TEST(DpeStackMistake, AnAdvanceBesideAResolutionThatActs) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kRight, 0, kD, kD, kNoRpc, 0}});
  EXPECT_THROW(stack.advance(0, kLeft), RtlAssertion);
}

TEST(DpeStackMistake, AResolutionOfAWarpThatHasOneTakenIn) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 0, kB, kB, kNoRpc, 0}});
  EXPECT_THROW(stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 0, kB, kB, kNoRpc, 0}}), RtlAssertion);
}

TEST(DpeStackMistake, AResolutionOfAWarpThatDidNotHold) {
  const DpeStackOracle::Resolve jump{0, kLeft, 0, kB, kB, kNoRpc, 0};
  DpeStackBench<Forwarding> now;
  now.launch(0, kA, 0b1);
  now.hold({0});
  EXPECT_THROW(now.step({{}, {}, jump}), RtlAssertion);
  DpeStackBench<Forwarding> before;
  before.launch(0, kA, 0b1);
  EXPECT_THROW(before.step({{}, {}, jump, {}, {0}}), RtlAssertion);
  DpeStackBench<Forwarding> acting;
  acting.launch(0, kA, 0b1);
  acting.hold({0});
  acting.step({{}, {}, jump, {}, {0}});
  EXPECT_THROW(acting.idle(), RtlAssertion);
}

TEST(DpeStackMistake, ASplitOfAPathThatIsNotThereOrNotAlone) {
  DpeStackBench<Splitting> empty;
  empty.launch(0, kA, 0b1111);
  EXPECT_THROW(empty.split(0, kRight, 0b0011), RtlAssertion);
  DpeStackBench<Splitting> two;
  two.launch(0, kA, 0b1111);
  two.branch(0, kLeft, 0b1000, kB, kC, kG);
  EXPECT_THROW(two.split(0, kRight, 0b0011), RtlAssertion);
}

TEST(DpeStackMistake, ASplitThatLeavesAPartWithoutThreads) {
  DpeStackBench<Splitting> all;
  all.launch(0, kA, 0b1111);
  EXPECT_THROW(all.split(0, kLeft, 0b11111), RtlAssertion);
  DpeStackBench<Splitting> none;
  none.launch(0, kA, 0b1111);
  EXPECT_THROW(none.split(0, kLeft, 0b10000), RtlAssertion);
}

TEST(DpeStackMistake, ASplitWithAKillAnAdvanceOrAResolutionOfItsWarp) {
  const DpeStackOracle::Split split{0, kLeft, 0b0011};
  const DpeStackOracle::Resolve jump{0, kLeft, 0, kB, kB, kNoRpc, 0};
  const DpeStackOracle::Advance advance{0, kLeft};
  for (const DpeStackOracle::Inputs& in : {DpeStackOracle::Inputs{{}, {}, {}, WarpId{0}, {}, split},
                                           {{}, advance, {}, {}, {}, split},
                                           {{}, {}, jump, {}, {}, split}}) {
    DpeStackBench<Splitting> stack;
    stack.launch(0, kA, 0b1111);
    EXPECT_THROW(stack.step(in), RtlAssertion);
  }
  DpeStackBench<Splitting> acting;
  acting.launch(0, kA, 0b1111);
  acting.step({{}, {}, jump});
  EXPECT_THROW(acting.step({{}, {}, {}, {}, {}, split}), RtlAssertion);
}

TEST(DpeStackMistake, AnAdvanceOrAResolutionOfAPathThatWaits) {
  const auto wait = [](auto& stack) {
    split_at_a(stack);
    stack.jump(0, kLeft, kB);
    stack.branch(0, kLeft, 0b1000, kD, kE, kF);
  };
  DpeStackBench<Splitting> advanced;
  wait(advanced);
  EXPECT_THROW(advanced.advance(0, kLeft), RtlAssertion);
  DpeStackBench<Splitting> resolved;
  wait(resolved);
  EXPECT_THROW(resolved.jump(0, kLeft, kC), RtlAssertion);
}

TEST(DpeStackMistake, AnAdvanceToAPartWhoseResolutionIsTakenIn) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.advance(0, kLeft);
  EXPECT_THROW(
      stack.step({{}, DpeStackOracle::Advance{0, kRight}, DpeStackOracle::Resolve{0, kLeft, 0, kB, kB, kNoRpc, 0}}),
      RtlAssertion);
}

TEST(DpeStackMistake, AnAdvanceOrAResolutionAsPartsMeet) {
  const DpeStackOracle::Resolve jump{0, kLeft, 0, kB, kB, kNoRpc, 0};
  const auto stop = [](auto& stack) {
    split_at_a(stack);
    stack.stopped = {{0, kLeft}, {0, kRight}};
  };
  DpeStackBench<Splitting> advanced;
  stop(advanced);
  advanced.idle();
  EXPECT_THROW(advanced.advance(0, kLeft), RtlAssertion);
  DpeStackBench<Splitting> taken_in;
  stop(taken_in);
  taken_in.idle();
  EXPECT_THROW(taken_in.step({{}, {}, jump}), RtlAssertion);
  DpeStackBench<Splitting> acting;
  stop(acting);
  acting.step({{}, {}, jump});
  EXPECT_THROW(acting.idle(), RtlAssertion);
}

TEST(DpeStackMistake, ACallThatIsAReturn) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.step({{}, {}, DpeStackOracle::Resolve{0, kLeft, 1, kB, 4, kNoRpc, 0, true, true}}), RtlAssertion);
}

TEST(DpeStackMistake, AnOddPc) {
  DpeStackBench<Small> launched, jumped;
  EXPECT_THROW(launched.launch(0, kA + 1, 0b1), RtlAssertion);
  jumped.launch(0, kA, 0b1);
  EXPECT_THROW(jumped.jump(0, kLeft, kB + 1), RtlAssertion);
}

TEST(DpeStackMistake, AReturnAddressInAResolution) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.branch(0, kLeft, 0b1, kB, kC, kG | kReturnRpc), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
