// SPDX-License-Identifier: Apache-2.0
// stack/compact_stack: random lockstep of RTL, twin and the textbook's stack; what an entry holds and when it goes,
// step by step. Scripts say entries as the textbook's stack has them, and of how many of these each nesting consists.
#include "stack/compact_stack.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/compact_stack_deep.h"
#include "models/compact_stack_default.h"
#include "models/compact_stack_odd.h"
#include "models/compact_stack_small.h"
#include "models/compact_stack_wide.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/stack/compact_stack_oracle.h"
#include "tests/stack/kills.h"
#include "tests/stack/stack_logic.h"

namespace heddle::test {
namespace {

using Entries = std::vector<SpeEntry>;
using Nestings = std::vector<std::size_t>;

template <class Set>
using CompactStackTwin =
    compact_stack<Set::kNumWarps, Set::kLanes, Set::kDepth, Set::kPushOrder, Set::kLevelW, Set::kWatch>;

// All three opinions on one stack. step() is one cycle; a branch is the two cycles in which it is taken in and acts, a
// pop those in which it is chosen and done.
template <class Set>
class CompactStackBench : public Bench<typename Set::Rtl, CompactStackTwin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes;
  using Inputs = CompactStackOracle::Inputs;
  using Events = CompactStackOracle::Events;

  explicit CompactStackBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, CompactStackTwin<Set>>(seed) {
    reset();
  }

  [[nodiscard]] const CompactStackOracle& oracle() const { return oracle_; }
  [[nodiscard]] const Entries& entries(WarpId w = 0) const { return oracle_.entries(w); }
  [[nodiscard]] const Nestings& nestings(WarpId w = 0) const { return oracle_.nestings(w); }

  void reset() {
    oracle_ = fresh_oracle();
    expect_state();
    expect_events({});
    this->reset_cycle();
    logic_.reset();
  }

  Events step(const Inputs& in) {
    launch_valid_i = in.launch.has_value();
    if (in.launch) {
      launch_warp_i = in.launch->warp;
      launch_pc_i = in.launch->pc;
      launch_mask_i = in.launch->mask;
    }
    kill_valid_i = in.kill.has_value();
    if (in.kill) kill_warp_i = *in.kill;
    for (WarpId w = 0; w < kWarps; ++w) {
      advance_i.set(w, in.advance && in.advance->warp == w);
    }
    resolve_valid_i = in.resolve.has_value();
    if (in.resolve) {
      resolve_warp_i = in.resolve->warp;
      resolve_taken_i = in.resolve->taken;
      resolve_target_i = in.resolve->target;
      resolve_next_i = in.resolve->next;
      resolve_rpc_i = in.resolve->rpc;
      resolve_exit_i = in.resolve->exit;
      resolve_call_i = in.resolve->call;
      resolve_return_i = in.resolve->returns;
    }
    resolve_slot_i = this->cycles();  // ignored
    expect_state();
    const Events events = oracle_.step(in);
    expect_events(events);
    this->cycle();
    logic_.step(in, events, events.next, oracle_);
    return events;
  }

  Events launch(WarpId warp, Pc pc, LaneMask mask) { return step({SpeStackOracle::Launch{warp, pc, mask}, {}, {}}); }
  Events advance(WarpId warp) { return step({{}, SpeStackOracle::Advance{warp}, {}}); }
  Events kill(WarpId warp) { return step({{}, {}, {}, warp}); }
  Events idle() { return step({}); }
  Events resolve(const SpeStackOracle::Resolve& in) {
    step({{}, {}, in});
    return idle();
  }
  Events branch(WarpId warp, LaneMask taken, Pc target, Pc next, Pc rpc, LaneMask exit = 0) {
    return resolve({warp, taken, target, next, rpc, exit});
  }
  // All threads go to one place (an unconditional jump).
  Events jump(WarpId warp, Pc to) { return branch(warp, ~LaneMask{0}, to, to, kNoRpc); }
  Events call(WarpId warp, Pc to, LaneMask taken = ~LaneMask{0}, Pc next = 4, Pc rpc = kNoRpc) {
    return resolve({warp, taken, to, next, rpc, 0, true, false});
  }
  Events returns(WarpId warp, Pc to, LaneMask taken = ~LaneMask{0}, Pc next = 4, Pc rpc = kReturnRpc) {
    return resolve({warp, taken, to, next, rpc, 0, false, true});
  }
  Events exit(WarpId warp) { return branch(warp, 0, 4, 4, kNoRpc, oracle_.top(warp).mask); }
  Events pop() {
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
  HEDDLE_INPUT(advance_i, 1, kWarps);
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
  HEDDLE_OUTPUT(pc_o, 32, kWarps);
  HEDDLE_OUTPUT(mask_o, kLanes, kWarps);
  HEDDLE_OUTPUT(level_o, Set::kLevelW, kWarps);
  HEDDLE_OUTPUT(valid_o, 1, kWarps);
  HEDDLE_OUTPUT(sibling_o, 1, kWarps);
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

  static CompactStackOracle fresh_oracle() {
    return CompactStackOracle(kWarps, Set::kDepth, static_cast<PushOrder>(Set::kPushOrder), Set::kLevelW);
  }

  void expect_state() {
    for (WarpId w = 0; w < kWarps; ++w) {
      const SpeEntry top = oracle_.top(w);
      pc_o.expect(w, top.pc);
      mask_o.expect(w, top.mask);
      level_o.expect(w, top.level);
      valid_o.expect(w, top.mask != 0);
      sibling_o.expect(w, top.sibling);
      depth_o.expect(w, oracle_.depth(w));
      if (oracle_.depth(w) == 0) {
        for (Output* data : {&pc_o, &level_o, &sibling_o}) data->ignore(w);
      }
      // In files.
      rpc_o.expect(w, 0);
      rpc_level_o.expect(w, 0);
      live_o.expect(w, 0);
    }
    max_depth_o.expect(Set::kWatch != 0 ? oracle_.max_depth() : 0);
  }

  void expect_events(const Events& events) {
    resolved_valid_o.expect(events.resolved.has_value());
    resolved_warp_o.expect(events.resolved.value_or(0));
    resolved_slot_o.expect(0);
    resolved_next_o.expect(events.next);
    push_valid_o.expect(events.push.has_value());
    push_warp_o.expect(events.push.value_or(0));
    pop_valid_o.expect(events.pop.has_value());
    pop_warp_o.expect(events.pop.value_or(0));
    done_valid_o.expect(events.done.has_value());
    done_warp_o.expect(events.done.value_or(0));
    overflow_valid_o.expect(events.overflow.has_value());
    overflow_warp_o.expect(events.overflow.value_or(0));
  }

  CompactStackOracle oracle_ = fresh_oracle();
  StackLogic<typename CompactStackTwin<Set>::Logic, kWarps, Set::kWatch != 0> logic_;
};

// ---- random lockstep

template <class Set>
class CompactStackRandom : public testing::Test {};
using Sets = ParameterSets<models::compact_stack_small, models::compact_stack_deep, models::compact_stack_wide,
                           models::compact_stack_odd, models::compact_stack_default>;
TYPED_TEST_SUITE(CompactStackRandom, Sets, SetNames);

// A resolution of this path: PCs from a few behind `base`, so that paths often stand where they meet; calls and returns
// go where something is to be met.
template <class Set>
SpeStackOracle::Resolve random_resolution(Random& random, const CompactStackOracle& oracle, WarpId warp, Pc base) {
  const auto pc = [&] { return base + 4 * random.below(6); };
  const SpeEntry top = oracle.top(warp);
  const bool returning = top.place.returning(), known = returning && top.place.address();
  SpeStackOracle::Resolve r{warp, random.lanes(Set::kLanes), pc(), pc(), pc(), 0};
  if (random.chance(60)) r.taken = random.next() & lane_mask(Set::kLanes);  // divergent more often than not
  if (random.chance(20)) r.rpc = top.place.pc().value_or(kReturnRpc);
  if (random.chance(10)) r.rpc = kNoRpc;
  if (random.chance(25)) r.rpc = kReturnRpc;
  if (random.chance(10)) r.target = r.next = top.place.pc().value_or(base);  // all threads arrive
  // Those that meet where they return to are one level above it, and return; the others call.
  const bool due = returning && oracle.levels().above(top.place.level()) == top.level;
  if (random.chance(due ? 60 : 35)) {
    r.returns = random.chance(due ? 90 : 40);
    r.call = !r.returns;
    if (random.chance(60)) r.taken = lane_mask(Set::kLanes);
    // The place of the nearest entry that waits for a return address: its path arrives with the pop.
    for (auto entry = oracle.entries(warp).rbegin(); r.returns && entry != oracle.entries(warp).rend(); ++entry) {
      if (!entry->at_return) continue;
      if (random.chance(70)) r.target = entry->place.pc().value_or(r.target);
      break;
    }
  }
  if (known && random.chance(80)) {  // to the address that others brought, or just before it
    r.target = *top.place.address() - (random.chance(30) ? 4 : 0);
    r.call = false;
    r.returns = top.level != top.place.level();
    r.taken = random.chance(40) ? lane_mask(Set::kLanes) : top.mask & random.next();
    if (random.chance(70)) r.rpc = random.chance(50) ? kReturnRpc : kNoRpc;
  }
  if (random.chance(15)) r.exit = top.mask & random.next();
  if (random.chance(returning && !known ? 30 : 10)) r.exit = top.mask;    // some end where the others would return
  if (random.chance(5)) r.exit = random.next() & lane_mask(Set::kLanes);  // of paths that wait, too
  return r;
}

// A warp whose branch is being resolved does nothing else.
template <class Set>
SpeStackOracle::Inputs random_inputs(Random& random, const CompactStackOracle& oracle, Pc& base) {
  if (random.chance(3)) base = random.base(6) & ~Pc{1};
  std::vector<WarpId> ended, running, told;  // told: paths whose return address others have brought
  for (WarpId w = 0; w < Set::kNumWarps; ++w) {
    if (oracle.depth(w) == 0) ended.push_back(w);
    if (oracle.top(w).mask != 0 && oracle.depth(w) != 0 && !oracle.busy(w)) running.push_back(w);
    const Place& place = oracle.top(w).place;
    if (!running.empty() && running.back() == w && place.returning() && place.address()) told.push_back(w);
  }
  SpeStackOracle::Inputs in;
  if (!ended.empty() && random.chance(30)) {
    const LaneMask mask = random.chance(50) ? lane_mask(Set::kLanes) : random.some_lanes(Set::kLanes);
    in.launch = {random.pick(ended), base + 4 * random.below(6), mask};
  }
  if (!running.empty() && random.chance(80)) {
    in.resolve =
        random_resolution<Set>(random, oracle, random.pick(!told.empty() && random.chance(40) ? told : running), base);
  }
  if (!running.empty() && random.chance(50)) {
    const WarpId warp = random.pick(running);
    if (!in.resolve || in.resolve->warp != warp) in.advance = {warp};
  }
  in.kill = random_kill(random, oracle, in, Set::kNumWarps);
  return in;
}

TYPED_TEST(CompactStackRandom, PathsEventsAndLiveMasksAreThoseOfTheTextbooksStackInEveryCycle) {
  constexpr unsigned kWarps = TypeParam::kNumWarps;
  Coverage met;
  const unsigned cycles = kWarps > 8 ? 6000 : 20000;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    Pc base = 0x100;
    CompactStackBench<TypeParam> bench(seed);
    Kills kills;
    for (unsigned i = 0; i < cycles; ++i) {
      if (random.below(1000) == 0) bench.reset();
      const auto in = random_inputs<TypeParam>(random, bench.oracle(), base);
      std::vector<Nestings> before;
      for (WarpId w = 0; w < kWarps; ++w) before.push_back(bench.nestings(w));
      kills.before(bench.oracle(), in);
      const auto events = bench.step(in);
      kills.count(met, bench.oracle(), in, events, kWarps);
      const WarpId popped = events.pop.value_or(0), pushed = events.push.value_or(0);
      const bool grown = events.push && bench.nestings(pushed).size() > before[pushed].size();
      met.hit("later_side_and_meeting_point", grown && bench.nestings(pushed).back() == 2);
      met.hit("one_of_them", grown && bench.nestings(pushed).back() == 1);
      met.hit("replacement", events.push && !grown);
      met.hit("entry_left_with_its_meeting_point", events.pop && !events.done && before[popped].back() == 2);
      met.hit("entry_removed", events.pop && !events.done && before[popped].back() == 1);
      met.hit("done", events.done.has_value());
      met.hit("next", events.next);
      if (TypeParam::kDepth <= 4) met.hit("overflow", events.overflow.has_value());
      if (TypeParam::kDepth <= 4) met.hit("full", bench.oracle().max_depth() == TypeParam::kDepth);
      met.hit("advance_arrives", in.advance && bench.oracle().top(in.advance->warp).mask == 0);
      if (kWarps > 1) {
        met.hit("acts_beside_a_pop", events.resolved && events.pop);
        met.hit("acts_beside_one_taken_in", events.resolved && in.resolve);
        met.hit("pushes_beside_a_later_side", grown && events.pop && !events.done && before[popped].back() == 2);
      }
      for (const char* situation :
           {"call", "return", "return_wraps", "divergent_call", "divergent_return", "inherits",
            "return_divergence_at_level_0", "return_divergence", "return_tail", "address_learnt",
            "return_to_a_known_address", "return_elsewhere", "side_brings_the_address",
            "side_returns_to_a_known_address", "address_goes_on_to_the_sibling", "pop_to_the_return_address",
            "pop_without_address", "rpc_passed_at_another_level", "advance_to_the_return_address"}) {
        met.hit(situation, events.met.count(situation) != 0);
      }
      if (TypeParam::kDepth > 2)
        met.hit("return_address_is_the_own_rpc", events.met.count("return_address_is_the_own_rpc") != 0);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// ---- step by step (4 lanes in the text's order: lane 3 is its first digit)

using Small = models::compact_stack_small;  // taken first, three nestings
constexpr Pc kA = 0x100, kB = 0x110, kC = 0x120, kD = 0x130, kE = 0x140, kF = 0x150, kG = 0x160;

TEST(CompactStackTiming, AResolutionActsInTheCycleAfterItWasTakenIn) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  EXPECT_FALSE(stack.step({{}, {}, SpeStackOracle::Resolve{0, 0b1000, kB, kC, kG, 0}}).push);
  EXPECT_EQ(stack.entries().size(), 1u);
  const auto events = stack.idle();
  EXPECT_EQ(events.resolved, WarpId{0});
  EXPECT_EQ(events.push, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false}, {kC, 0b0111, kG, false}, {kB, 0b1000, kG, true}}));
}

TEST(CompactStackTiming, APopIsChosenInOneCycleAndDoneInTheNext) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kG - 4, kC, kG);
  stack.advance(0);
  EXPECT_FALSE(stack.idle().pop);
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kG, 0, kG, true}));
  EXPECT_EQ(stack.idle().pop, WarpId{0});
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kC, 0b0111, kG, false}));
}

TEST(CompactStackTiming, OneWarpIsPoppedWhileAnotherIsChosen) {
  CompactStackBench<Small> stack;
  for (const WarpId w : {0u, 1u}) {
    stack.launch(w, kA, 0b1111);
    stack.branch(w, 0b1000, kG - 4, kC, kG);
  }
  stack.advance(1);
  stack.advance(0);                        // warp 1 is chosen
  EXPECT_EQ(stack.idle().pop, WarpId{1});  // warp 0 is chosen
  EXPECT_EQ(stack.idle().pop, WarpId{0});
  EXPECT_FALSE(stack.idle().pop);
}

TEST(CompactStackTiming, NextIsSaidOfAPathThatSimplyGoesOn) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  EXPECT_TRUE(stack.branch(0, 0b0000, kB, kA + 4, kG).next);
  EXPECT_TRUE(stack.branch(0, 0b0101, kA + 8, kA + 8, kG).next);
  EXPECT_TRUE(stack.branch(0, 0b1111, kA + 12, kA + 12, kG).next);
  EXPECT_FALSE(stack.branch(0, 0b1111, kB, kC, kG).next);
  EXPECT_FALSE(stack.branch(0, 0b1000, kG - 4, kG, kG).next);  // divergent, though one side goes on there
  EXPECT_FALSE(stack.branch(0, 0b0000, kB, kG, kG).next);      // arrived
  stack.pop();
  EXPECT_FALSE(stack.branch(0, 0b0000, kB, kG + 4, kG, 0b1111).next);
}

TEST(CompactStackEntry, TwoSidesAndTheirMeetingPointAreOneEntry) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1110, kB, kF, kG);
  stack.branch(0, 0b1000, kC, kD, kE);
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false},
                                      {kF, 0b0001, kG, false},
                                      {kE, 0b1110, kG, true},
                                      {kD, 0b0110, kE, false},
                                      {kC, 0b1000, kE, true}}));
  EXPECT_EQ(stack.nestings(), (Nestings{2, 2}));
  EXPECT_EQ(stack.oracle().depth(0), 3u);

  // The DWF paper's order: C, D, E, F, G. A later side leaves its entry, a meeting point removes it.
  std::vector<Pc> order;
  std::vector<unsigned> depths;
  for (const Pc to : {kE, kE, kG, kG}) {
    order.push_back(stack.oracle().top(0).pc);
    stack.jump(0, to);
    EXPECT_EQ(stack.pop().pop, WarpId{0});
    depths.push_back(stack.oracle().depth(0));
  }
  EXPECT_EQ(order, (std::vector<Pc>{kC, kD, kE, kF}));
  EXPECT_EQ(depths, (std::vector<unsigned>{3, 2, 2, 1}));
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false}}));
}

TEST(CompactStackEntry, ATailHasALaterSideAndNoMeetingPoint) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1110, kB, kF, kG);
  stack.branch(0, 0b1000, kC, kD, kG);
  EXPECT_EQ(
      stack.entries(),
      (Entries{{kG, 0b1111, kNoRpc, false}, {kF, 0b0001, kG, false}, {kD, 0b0110, kG, true}, {kC, 0b1000, kG, true}}));
  EXPECT_EQ(stack.nestings(), (Nestings{2, 1}));
  // D is the last of its entry, and F waits below it.
  stack.jump(0, kG);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kD, 0b0110, kG, true}));
  EXPECT_EQ(stack.nestings(), (Nestings{2}));
  stack.jump(0, kG);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kF, 0b0001, kG, false}));
  EXPECT_EQ(stack.nestings(), (Nestings{1}));
}

TEST(CompactStackEntry, OneSideLeavesAMeetingPointOnlyAndAsATailNothing) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b11111111);
  stack.branch(0, 0b10000000, kG, kA, kG);
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b11111111, kNoRpc, false}, {kA, 0b01111111, kG, false}}));
  EXPECT_EQ(stack.nestings(), (Nestings{1}));
  // A loop whose exit is its own reconvergence point does not grow the stack.
  for (unsigned turn = 1; turn < 6; ++turn) {
    const LaneMask stay = lane_mask(8) >> (turn + 1);
    EXPECT_TRUE(stack.branch(0, stay, kA, kG, kG).push);
    EXPECT_EQ(stack.entries(), (Entries{{kG, 0b11111111, kNoRpc, false}, {kA, stay, kG, false}}));
    EXPECT_EQ(stack.nestings(), (Nestings{1}));
  }
  stack.jump(0, kG);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b11111111, kNoRpc, false}}));
}

TEST(CompactStackEntry, SidesThatNeverMeetAreATailOfTheWarp) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kB, kC, kNoRpc);
  EXPECT_EQ(stack.entries(), (Entries{{kC, 0b0111, kNoRpc, false}, {kB, 0b1000, kNoRpc, true}}));
  EXPECT_EQ(stack.nestings(), (Nestings{1}));
  stack.exit(0);
  EXPECT_FALSE(stack.pop().done);
  stack.exit(0);
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

TEST(CompactStackEntry, ALaterSideDivergesWhileItsMeetingPointWaits) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kG, kB, kE);
  stack.jump(0, kE);
  stack.pop();
  stack.branch(0, 0b0100, kC, kD, kF);
  EXPECT_EQ(
      stack.entries(),
      (Entries{{kE, 0b1111, kNoRpc, false}, {kF, 0b0111, kE, false}, {kD, 0b0011, kF, false}, {kC, 0b0100, kF, true}}));
  EXPECT_EQ(stack.nestings(), (Nestings{1, 2}));
}

TEST(CompactStackEntry, ThreadsThatExitAreGoneFromLaterSidesAndMeetingPoints) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kB, kC, kG);
  stack.exit(0);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false}, {kC, 0b0111, kG, false}}));
  stack.jump(0, kG);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b0111, kNoRpc, false}}));
}

TEST(CompactStackEntry, AnOverflowIsFlaggedAndNothingIsLost) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, lane_mask(8));
  stack.branch(0, 0x7f, kB, kC, kE);
  stack.branch(0, 0x3f, kB, kC, kF);
  stack.branch(0, 0x1f, kB, kC, kG);
  const Entries full = stack.entries();
  EXPECT_EQ(stack.oracle().depth(0), 4u);
  const auto events = stack.branch(0, 0b1, kB, kC, kD, 0b10);
  EXPECT_EQ(events.overflow, WarpId{0});
  EXPECT_FALSE(events.push || events.resolved);
  stack.idle();  // shows that not even the thread that exits has left
  EXPECT_EQ(stack.entries(), full);
  EXPECT_EQ(stack.oracle().live(0), lane_mask(8));
  // What leaves nothing behind has room, and nothing that waits was overwritten.
  EXPECT_TRUE(stack.branch(0, 0b1, kB, kG, kG).push);
  while (stack.oracle().depth(0) > 1) {
    stack.jump(0, *stack.oracle().top(0).place.pc());
    stack.pop();
  }
  EXPECT_EQ(stack.entries(), (Entries{{kE, lane_mask(8), kNoRpc, false}}));
}

TYPED_TEST(CompactStackRandom, EveryRowOfAFullStackHoldsWhatWasWritten) {
  CompactStackBench<TypeParam> stack;
  for (WarpId w = 0; w < TypeParam::kNumWarps; ++w) {
    stack.launch(w, kA, 0b1111);
    // Each turn the whole path goes round, and a thread leaves for a meeting point of its own.
    for (unsigned n = 1; n < TypeParam::kDepth; ++n) {
      stack.branch(w, 0b1000, kB + 0x1000 * w + 0x100 * n, kC + 0x100 * n, kG + 0x100 * n, 0);
      if (stack.oracle().top(w).mask == 0b1000) {
        stack.jump(w, kG + 0x100 * n);
        stack.pop();
      }
      stack.jump(w, kA);
      if (n + 1 < TypeParam::kDepth) stack.branch(w, 0b1000, kA, kA, kNoRpc);
    }
  }
  for (WarpId w = 0; w < TypeParam::kNumWarps; ++w) {
    while (stack.oracle().depth(w) > 1) {
      stack.jump(w, *stack.oracle().top(w).place.pc());
      stack.pop();
    }
    EXPECT_EQ(stack.oracle().top(w).mask, 0b1111u);
    stack.exit(w);
    EXPECT_EQ(stack.pop().done, w);
  }
}

// ---- functions (f is called from main at level 0; kR is where a call in it returns to)

constexpr Pc kMain = 0x100, kBack = 0x104, kFunction = 0x200, kR = 0x240;

template <class Stack>
void enter(Stack& stack, LaneMask mask = 0b1111) {
  stack.launch(0, kMain, mask);
  stack.call(0, kFunction);
}

TEST(CompactStackFunction, PathsOfAFunctionWithTwoReturnsMeetBehindTheCall) {
  CompactStackBench<Small> stack;
  enter(stack);
  stack.branch(0, 0b1100, kB, kC, kReturnRpc);
  const Place unknown = Place::where_they_return(0), known = Place::where_they_return(0, kBack);
  EXPECT_EQ(
      stack.entries(),
      (Entries{{0, 0b1111, kNoRpc, false, 0, true}, {kC, 0b0011, unknown, false, 1}, {kB, 0b1100, unknown, true, 1}}));
  EXPECT_EQ(stack.nestings(), (Nestings{2}));
  // The first side brings the address, the later one finds it in the rpc, and the meeting point takes it for its PC.
  stack.returns(0, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kC, 0b0011, known, false, 1}));
  stack.returns(0, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kBack, 0b1111, kNoRpc, false, 0}}));
}

TEST(CompactStackFunction, AConditionalReturnBringsTheAddressWithTheBranch) {
  CompactStackBench<Small> stack;
  enter(stack);
  stack.returns(0, kBack, 0b1100, kFunction + 4);
  const Place known = Place::where_they_return(0, kBack);
  EXPECT_EQ(stack.entries(), (Entries{{0, 0b1111, kNoRpc, false, 0, true}, {kFunction + 4, 0b0011, known, false, 1}}));
  EXPECT_EQ(stack.nestings(), (Nestings{1}));
  stack.returns(0, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kBack, 0b1111, kNoRpc, false, 0}}));
}

TEST(CompactStackFunction, ALaterSideIsOneBelowToTwoAboveThePlaceWhereTheSidesMeet) {
  // Fall-through first: the target's side waits.
  CompactStackBench<models::compact_stack_deep> stack;
  enter(stack);
  stack.call(0, kB, 0b1000, kFunction + 4, kReturnRpc);  // from level 1, where they return to is level 0: two above
  EXPECT_EQ(stack.entries()[1], (SpeEntry{kB, 0b1000, Place::where_they_return(0), false, 2}));
  stack.returns(0, kC, 0b0100, kD, kE);  // a return that is passed at level 0: one below
  EXPECT_EQ(stack.entries()[3], (SpeEntry{kC, 0b0100, Place::at(kE, 1), false, 0}));
  stack.jump(0, kE);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kC, 0b0100, Place::at(kE, 1), false, 0}));
  stack.call(0, kE);
  stack.pop();
  stack.returns(0, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kB, 0b1000, Place::where_they_return(0, kBack), false, 2}));
}

TEST(CompactStackFunction, ARecursionPassesItsReconvergencePcAtADeeperLevel) {
  CompactStackBench<Small> stack;
  constexpr Pc kCall = 0x220,
               kSum = kR + 4;  // if (n != 0) sum += f(n - 1): the call returns to R, and falls to the sum
  enter(stack);
  stack.branch(0, 0b0001, kSum, kCall, kSum);
  stack.call(0, kFunction);
  // The same branch one level up is no tail: it meets at the same PC, but at level 2.
  stack.branch(0, 0b0010, kSum, kCall, kSum);
  EXPECT_EQ(stack.entries(), (Entries{{kSum, 0b1111, kNoRpc, false, 1},
                                      {kSum, 0b1110, Place::at(kSum, 1), false, 2},
                                      {kCall, 0b1100, Place::at(kSum, 2), false, 2}}));
  EXPECT_EQ(stack.nestings(), (Nestings{1, 1}));
  stack.call(0, kFunction);
  stack.jump(0, kSum);  // at level 3 nobody waits there
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kSum, 0b1100, Place::at(kSum, 2), false, 3}));
  for (const unsigned level : {2u, 1u}) {
    stack.returns(0, kR);
    stack.advance(0);
    EXPECT_EQ(stack.pop().pop, WarpId{0});
    EXPECT_EQ(stack.entries().back().level, level);
  }
  EXPECT_EQ(stack.entries(), (Entries{{kSum, 0b1111, kNoRpc, false, 1}}));
}

TEST(CompactStackFunction, AReturnAddressAtWhichTheCallerMeetsIsPoppedAtOnce) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kBack, kMain, kBack);
  stack.call(0, kFunction);
  stack.branch(0, 0b0100, kB, kC, kReturnRpc);
  for (unsigned side = 0; side < 2; ++side) {
    stack.returns(0, kBack);
    stack.pop();
  }
  // The pop brought the PC, and with it the path has arrived: the next pop joins all.
  EXPECT_EQ(stack.entries(), (Entries{{kBack, 0b1111, kNoRpc, false, 0}, {kBack, 0, kBack, false, 0}}));
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kBack, 0b1111, kNoRpc, false, 0}}));
}

TYPED_TEST(CompactStackRandom, EveryBitOfAReturnAddressSaysWhetherTheCallerMeetsThere) {
  if (TypeParam::kDepth < 3) GTEST_SKIP() << "two nestings";
  CompactStackBench<TypeParam> stack;
  for (const Pc meet : {0xfffffffcu, 0x55555554u, 0xaaaaaaa8u}) {
    for (unsigned bit = 1; bit < 32; ++bit) {
      const Pc back = bit == 1 ? meet : meet ^ (Pc{1} << bit);
      stack.launch(0, kA, 0b1111);
      stack.branch(0, 0b1000, meet, kMain, meet);
      stack.call(0, kFunction);
      stack.returns(0, back, 0b0100, kFunction + 4);
      stack.returns(0, back);
      stack.pop();
      EXPECT_EQ(stack.entries().back().mask, back == meet ? 0u : 0b0111u) << bit;
      if (back != meet) stack.jump(0, meet);
      stack.pop();
      stack.exit(0);
      EXPECT_EQ(stack.pop().done, WarpId{0});
    }
  }
}

// One side of a branch is at the reconvergence PC already, the other jumps or advances there.
TYPED_TEST(CompactStackRandom, EveryBitOfAReconvergencePcAloneMakesOne) {
  CompactStackBench<TypeParam> stack;
  for (unsigned bit = 1; bit < 32; ++bit) {
    const Pc rpc = Pc{1} << bit;
    stack.launch(0, 0x124, 0b1111);
    stack.branch(0, 0b1000, rpc, 0x456, rpc);
    EXPECT_EQ(stack.entries(), (Entries{{rpc, 0b1111, kNoRpc, false}, {0x456, 0b0111, rpc, false}}));
    stack.jump(0, rpc);
    stack.pop();
    stack.branch(0, 0b0110, rpc - 4, rpc, rpc);
    EXPECT_EQ(stack.entries(), (Entries{{rpc, 0b1111, kNoRpc, false}, {rpc - 4, 0b0110, rpc, false}}));
    stack.advance(0);
    stack.pop();
    // Sides that differ in this bit are two.
    stack.branch(0, 0b1000, 0x456 ^ rpc, 0x456, kNoRpc);
    ASSERT_EQ(stack.entries().size(), 2u) << bit;
    stack.exit(0);
    stack.pop();
    stack.exit(0);
    EXPECT_EQ(stack.pop().done, WarpId{0});
  }
}

// The carry into each bit: a path steps, or is uncovered, one instruction before its meeting point, and then arrives.
TYPED_TEST(CompactStackRandom, OneInstructionBeforeTheMeetingPointIsKnownByStepAndByPop) {
  CompactStackBench<TypeParam> stack;
  for (unsigned bit = 4; bit < 32; ++bit) {
    const Pc rpc = Pc{1} << bit;
    stack.launch(0, 0x124, 0b1111);
    stack.branch(0, 0b1000, rpc - 8, rpc, rpc);
    stack.advance(0);
    stack.advance(0);
    EXPECT_EQ(stack.oracle().top(0).mask, 0u) << bit;
    stack.pop();
    for (const bool taken_before : {true, false}) {  // so in one of the two the side that executes later stands there
      stack.branch(0, 0b1100, taken_before ? rpc - 4 : 0x456, taken_before ? 0x456 : rpc - 4, rpc);
      for (unsigned side = 0; side < 2; ++side) {
        if (stack.entries().back().pc == rpc - 4) stack.advance(0);
        else stack.jump(0, rpc);
        EXPECT_EQ(stack.oracle().top(0).mask, 0u) << bit;
        stack.pop();
      }
      EXPECT_EQ(stack.entries(), (Entries{{rpc, 0b1111, kNoRpc, false}})) << bit;
    }
    stack.exit(0);
    EXPECT_EQ(stack.pop().done, WarpId{0});
  }
}

// The side on top executes first: {taken, fall-through} of 1 and 3 threads, and of 2 and 2.
template <class Set>
std::vector<Pc> sides_on_top() {
  CompactStackBench<Set> stack;
  std::vector<Pc> tops;
  for (const LaneMask taken : {LaneMask{0b1000}, LaneMask{0b0111}, LaneMask{0b0011}}) {
    stack.reset();
    stack.launch(0, kA, 0b1111);
    stack.branch(0, taken, kB, kC, kG);
    tops.push_back(stack.entries().back().pc);
  }
  return tops;
}

TEST(CompactStackEntry, ThePushOrderSaysWhichSideExecutesFirst) {
  EXPECT_EQ(sides_on_top<models::compact_stack_small>(), (std::vector<Pc>{kB, kB, kB}));  // taken first
  EXPECT_EQ(sides_on_top<models::compact_stack_deep>(), (std::vector<Pc>{kC, kC, kC}));   // fall-through first
  EXPECT_EQ(sides_on_top<models::compact_stack_wide>(), (std::vector<Pc>{kB, kC, kB}));   // smaller first
  EXPECT_EQ(sides_on_top<models::compact_stack_odd>(), (std::vector<Pc>{kC, kB, kB}));    // larger first
}

// ---- kill

TEST(CompactStackKill, AKilledWarpIsGoneAndMayBeLaunchedInTheNextCycle) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kB, kC, kG);
  stack.kill(0);
  EXPECT_EQ(stack.oracle().depth(0), 0u);
  stack.launch(0, kD, 0b0011);
  EXPECT_EQ(stack.oracle().depth(0), 1u);
  stack.exit(0);
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

TEST(CompactStackKill, AResolutionThatIsTakenInWithTheKillNeverActs) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.step({{}, {}, SpeStackOracle::Resolve{0, 0b1000, kB, kC, kG, 0}, WarpId{0}});
  const auto events = stack.launch(0, kD, 0b0011);
  EXPECT_FALSE(events.resolved || events.push);
  EXPECT_FALSE(stack.idle().push);
}

TEST(CompactStackKill, AResolutionThatActsShowsItsEventsAndChangesNothing) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.step({{}, {}, SpeStackOracle::Resolve{0, 0b1000, kB, kC, kG, 0}});
  EXPECT_EQ(stack.kill(0).push, WarpId{0});
  EXPECT_EQ(stack.oracle().depth(0), 0u);
  EXPECT_EQ(stack.oracle().max_depth(), 1u);
}

TEST(CompactStackKill, AnotherWarpIsChosenForAPopInItsStead) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.launch(1, kA, 0b1111);
  stack.branch(0, 0b1000, kG - 4, kG, kG);
  // Both come to wait at one edge: one by an advance, one by a resolution that acts.
  stack.step({{}, {}, SpeStackOracle::Resolve{1, 0, 4, 4, kNoRpc, 0b1111}});
  stack.advance(0);
  EXPECT_EQ(stack.oracle().waiting_for_a_pop(), WarpId{0});
  stack.kill(0);
  EXPECT_EQ(stack.idle().done, WarpId{1});
}

TEST(CompactStackKill, APopThatEndsWithTheKillIsShownAndChangesNothing) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kB, kC, kNoRpc);
  stack.exit(0);
  stack.idle();
  EXPECT_EQ(stack.kill(0).pop, WarpId{0});
  EXPECT_EQ(stack.oracle().depth(0), 0u);
  EXPECT_FALSE(stack.pop().pop);
}

TEST(CompactStackKill, OfAnIdleWarpItDoesNothing) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.kill(1);
  EXPECT_EQ(stack.oracle().depth(0), 1u);
  stack.launch(1, kA, 0b1);
  EXPECT_EQ(stack.oracle().depth(1), 1u);
}

// ---- mistakes of the caller are asserted by the RTL

TEST(CompactStackMistake, ALaunchOfAWarpThatIsKilled) {
  CompactStackBench<Small> stack;
  EXPECT_THROW(stack.step({SpeStackOracle::Launch{0, kA, 0b1}, {}, {}, WarpId{0}}), RtlAssertion);
}

TEST(CompactStackMistake, ALaunchOfARunningWarpOrWithoutThreadsOrAtAnOddPc) {
  EXPECT_THROW(CompactStackBench<Small>().launch(0, kA, 0), RtlAssertion);
  EXPECT_THROW(CompactStackBench<Small>().launch(0, kA + 1, 0b1), RtlAssertion);
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.launch(0, kA, 0b1), RtlAssertion);
}

TEST(CompactStackMistake, AdvancesOfTwoPaths) {
  struct Opened : CompactStackBench<Small> {
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

TEST(CompactStackMistake, AnAdvanceOfAWarpThatWaitsForItsPop) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b11);
  stack.branch(0, 0b01, kB, kC, kG);
  stack.jump(0, kG);
  EXPECT_THROW(stack.advance(0), RtlAssertion);
}

constexpr SpeStackOracle::Resolve kJump{0, 0b1, kB, kB, kNoRpc, 0};

// A warp that was launched, in the cycle of a mistake.
CompactStackBench<Small>::Events mistake(const SpeStackOracle::Inputs& first, const SpeStackOracle::Inputs& then) {
  CompactStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  stack.step(first);
  return stack.step(then);
}

TEST(CompactStackMistake, AnAdvanceOfAPathThatResolves) {
  EXPECT_THROW(mistake({}, {{}, SpeStackOracle::Advance{0}, kJump}), RtlAssertion);
  EXPECT_THROW(mistake({{}, {}, kJump}, {{}, SpeStackOracle::Advance{0}, {}}), RtlAssertion);
}

TEST(CompactStackMistake, ASecondResolutionBeforeTheFirstHasActed) {
  EXPECT_THROW(mistake({{}, {}, kJump}, {{}, {}, kJump}), RtlAssertion);
}

TEST(CompactStackMistake, AResolutionThatIsCallAndReturnOrHasAnOddPcOrAReturnAddress) {
  using Resolve = SpeStackOracle::Resolve;
  EXPECT_THROW(mistake({}, {{}, {}, Resolve{0, 1, kB, 4, kNoRpc, 0, true, true}}), RtlAssertion);
  EXPECT_THROW(mistake({}, {{}, {}, Resolve{0, 1, kB + 1, 4, kNoRpc, 0}}), RtlAssertion);
  EXPECT_THROW(mistake({}, {{}, {}, Resolve{0, 1, kB, 4, kG | kReturnRpc, 0}}), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
