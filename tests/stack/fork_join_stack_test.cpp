// SPDX-License-Identifier: Apache-2.0
// stack/fork_join_stack: random lockstep of RTL, twin and oracle; the patent's examples, the bound of pending sets,
// regions inside and behind one another, calls, overflows and kills, step by step. Scripts say entries from the bottom:
// pending sets, in place of a region around another one its threads at the join of the inner one, and the path.
#include "stack/fork_join_stack.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "models/fork_join_stack_deep.h"
#include "models/fork_join_stack_default.h"
#include "models/fork_join_stack_odd.h"
#include "models/fork_join_stack_shallow.h"
#include "models/fork_join_stack_small.h"
#include "models/fork_join_stack_wide.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/stack/fork_join_stack_oracle.h"
#include "tests/stack/kills.h"
#include "tests/stack/stack_logic.h"

namespace heddle::test {
namespace {

using Entries = std::vector<SpeEntry>;
using Resolve = ForkJoinStackOracle::Resolve;
using Launch = ForkJoinStackOracle::Launch;
using Advance = ForkJoinStackOracle::Advance;

template <class Set>
using ForkJoinStackTwin =
    fork_join_stack<Set::kNumWarps, Set::kLanes, Set::kDepth, Set::kTieOrder, Set::kLevelW, Set::kWatch>;

constexpr Resolve fork_of(WarpId warp, Pc next, Pc join) {
  return {warp, 0, 0, next, join, 0, false, false, kMarkFork};
}

// All three opinions on one stack. step() is one cycle; a branch is the two cycles in which it is taken in and acts, a
// pop those in which it is chosen and done.
template <class Set>
class ForkJoinStackBench : public Bench<typename Set::Rtl, ForkJoinStackTwin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes;
  using Inputs = ForkJoinStackOracle::Inputs;
  using Events = ForkJoinStackOracle::Events;

  explicit ForkJoinStackBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, ForkJoinStackTwin<Set>>(seed) {
    reset();
  }

  [[nodiscard]] const ForkJoinStackOracle& oracle() const { return oracle_; }
  [[nodiscard]] Entries entries(WarpId w = 0) const { return oracle_.entries(w); }
  [[nodiscard]] SpeEntry top(WarpId w = 0) const { return oracle_.top(w); }

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
    for (WarpId w = 0; w < kWarps; ++w) advance_i.set(w, in.advance && in.advance->warp == w);
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
      // A kind that another stack reads says nothing to this one.
      const std::uint32_t others = (in.resolve->target & 4) != 0 ? kMarkOnce : kMarkNone;
      resolve_kind_i = in.resolve->kind != kMarkNone ? in.resolve->kind : others;
    }
    resolve_slot_i = this->cycles();  // ignored
    expect_state();
    const Events events = oracle_.step(in);
    expect_events(events);
    this->cycle();
    logic_.step(in, events, events.next, oracle_);
    expect_rows();
    return events;
  }

  Events launch(WarpId warp, Pc pc, LaneMask mask) { return step({Launch{warp, pc, mask}, {}, {}}); }
  Events advance(WarpId warp) { return step({{}, Advance{warp}, {}}); }
  Events kill(WarpId warp) { return step({{}, {}, {}, warp}); }
  Events idle() { return step({}); }
  Events resolve(const Resolve& in) {
    step({{}, {}, in});
    return idle();
  }
  Events fork(WarpId warp, Pc next, Pc join) { return resolve(fork_of(warp, next, join)); }
  Events branch(WarpId warp, LaneMask taken, Pc target, Pc next, LaneMask exit = 0) {
    return resolve({warp, taken, target, next, kNoRpc, exit});
  }
  // All threads go to one place (an unconditional jump).
  Events jump(WarpId warp, Pc to) { return branch(warp, ~LaneMask{0}, to, to); }
  Events call(WarpId warp, Pc to, LaneMask taken = ~LaneMask{0}, Pc next = 4) {
    return resolve({warp, taken, to, next, kNoRpc, 0, true, false});
  }
  Events returns(WarpId warp, Pc to, LaneMask taken = ~LaneMask{0}, Pc next = 4) {
    return resolve({warp, taken, to, next, kReturnRpc, 0, false, true});
  }
  Events exit(WarpId warp) { return branch(warp, 0, 4, 4, oracle_.top(warp).mask); }
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
  HEDDLE_INPUT(resolve_kind_i, kKindWidth, 1);
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

  static ForkJoinStackOracle fresh_oracle() {
    return ForkJoinStackOracle(kWarps, Set::kDepth, static_cast<TieOrder>(Set::kTieOrder), Set::kLevelW);
  }

  void expect_state() {
    for (WarpId w = 0; w < kWarps; ++w) {
      const SpeEntry top = oracle_.top(w);
      pc_o.expect(w, top.pc);
      mask_o.expect(w, top.mask);
      level_o.expect(w, top.level);
      valid_o.expect(w, top.mask != 0);
      sibling_o.expect(w, top.sibling);
      rpc_o.expect(w, top.place.rpc());
      rpc_level_o.expect(w, top.place.level());
      live_o.expect(w, oracle_.live(w));
      depth_o.expect(w, oracle_.depth(w));
      if (oracle_.depth(w) != 0) continue;
      for (Output* data : {&pc_o, &level_o, &sibling_o, &rpc_o, &rpc_level_o, &live_o}) data->ignore(w);
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

  // What lies below the paths is seen in the logic alone.
  void expect_rows() const {
    const auto& logic = logic_.logic();
    for (WarpId w = 0; w < kWarps; ++w) {
      const Entries entries = oracle_.entries(w);
      for (unsigned i = 0; i < entries.size(); ++i) {
        const auto shown = logic.entry(w, i);
        const Place place = shown.rpc == kNoRpc ? Place() : Place::at(shown.rpc, shown.rpc_level);
        expect_of_logic("entry " + std::to_string(i), w,
                        {shown.pc, shown.mask & logic.live(w), place, shown.sibling, shown.level}, entries[i]);
      }
      expect_of_logic("pending sets", w, logic.pending(w), oracle_.pending(w));
    }
    expect_of_logic("most pending sets", 0, logic.max_pending(), oracle_.max_pending());
  }
  template <class Value>
  void expect_of_logic(const std::string& what, WarpId w, const std::common_type_t<Value>& shown,
                       const Value& expected) const {
    if (shown == expected) return;
    std::ostringstream text;
    text << "mismatch at cycle " << this->cycles() << ": " << what << " of warp " << w << ": logic " << shown
         << ", oracle " << expected;
    throw Mismatch(text.str());
  }

  ForkJoinStackOracle oracle_ = fresh_oracle();
  StackLogic<typename ForkJoinStackTwin<Set>::Logic, kWarps, Set::kWatch != 0> logic_;
};

// The most sets that can be pending: log2 of the lanes.
constexpr unsigned most_pending(unsigned lanes) {
  unsigned most = 0;
  while (lanes >> (most + 1) != 0) ++most;
  return most;
}

// Every second thread of a set.
constexpr LaneMask half_of(LaneMask mask) {
  LaneMask half = 0;
  bool take = true;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    if (take) half |= LaneMask{1} << lane;
    take = !take;
  }
  return half;
}

// ---- random lockstep

template <class Set>
class ForkJoinStackRandom : public testing::Test {};
using Sets =
    ParameterSets<models::fork_join_stack_small, models::fork_join_stack_deep, models::fork_join_stack_wide,
                  models::fork_join_stack_odd, models::fork_join_stack_shallow, models::fork_join_stack_default>;
TYPED_TEST_SUITE(ForkJoinStackRandom, Sets, SetNames);

// A resolution of this path: PCs from a few behind `base`, so that paths often stand where they meet; forks at the join
// of their own region or just before it; calls and returns from a level other than that of the join, mostly back to it.
template <class Set>
Resolve random_resolution(Random& random, const ForkJoinStackOracle& oracle, WarpId warp, Pc base) {
  const auto pc = [&] { return base + 4 * random.below(6); };
  const SpeEntry top = oracle.top(warp);
  const std::optional<Pc> join = top.place.pc();
  const bool full = oracle.depth(warp) == Set::kDepth;
  if (random.chance(full ? 10 : oracle.pending(warp) > 1 ? 12 : 25)) {
    Resolve fork = fork_of(warp, pc(), pc());
    if (random.chance(20)) fork.rpc = fork.next;
    if (join && random.chance(30)) fork.rpc = *join - (random.chance(70) ? 4 : 0);
    if (fork.rpc == kNoRpc) fork.rpc = 4;
    fork.target = pc();
    return fork;
  }
  Resolve r{warp, random.lanes(Set::kLanes), pc(), pc(), pc(), 0};
  if (random.chance(20)) r.rpc = random.chance(50) ? kNoRpc : kReturnRpc;
  if (random.chance(30)) r.taken = half_of(top.mask);
  if (random.chance(30)) r.taken = random.next() & lane_mask(Set::kLanes);
  const bool above = top.level == oracle.levels().above(top.place.level()),
             below = top.level == oracle.levels().below(top.place.level());
  if (random.chance(join && (above || below) ? 60 : 15)) {
    r.call = random.chance(above ? 10 : below ? 90 : 50);
    r.returns = !r.call;
    if (random.chance(60)) r.taken = lane_mask(Set::kLanes);
  }
  if (join && random.chance(full ? 70 : 30)) {
    if (random.chance(60)) r.target = *join;
    if (random.chance(60)) r.next = *join;
  }
  if (random.chance(12)) r.exit = top.mask & random.next();
  if (random.chance(6)) r.exit = top.mask;
  if (random.chance(4)) r.exit = random.next() & lane_mask(Set::kLanes);  // of sets that wait, too
  if (random.chance(2)) r.exit = lane_mask(Set::kLanes);
  return r;
}

// A warp whose branch is being resolved does nothing else.
template <class Set>
ForkJoinStackOracle::Inputs random_inputs(Random& random, const ForkJoinStackOracle& oracle, Pc& base) {
  if (random.chance(2)) base = random.base(6) & ~Pc{1};
  std::vector<WarpId> ended, running;
  for (WarpId w = 0; w < Set::kNumWarps; ++w) {
    if (oracle.depth(w) == 0) ended.push_back(w);
    if (oracle.top(w).mask != 0 && oracle.depth(w) != 0 && !oracle.busy(w)) running.push_back(w);
  }
  ForkJoinStackOracle::Inputs in;
  if (!ended.empty() && random.chance(30)) {
    const LaneMask mask = random.chance(60) ? lane_mask(Set::kLanes) : random.some_lanes(Set::kLanes);
    in.launch = {random.pick(ended), base + 4 * random.below(6), mask};
  }
  if (!running.empty() && random.chance(80))
    in.resolve = random_resolution<Set>(random, oracle, random.pick(running), base);
  if (!running.empty() && random.chance(50)) {
    const WarpId warp = random.pick(running);
    if (!in.resolve || in.resolve->warp != warp) in.advance = {warp};
  }
  in.kill = random_kill(random, oracle, in, Set::kNumWarps);
  return in;
}

TYPED_TEST(ForkJoinStackRandom, AllOutputsAndRowsAgreeInEveryCycle) {
  constexpr unsigned kWarps = TypeParam::kNumWarps, kMost = most_pending(TypeParam::kLanes);
  Coverage met;
  const unsigned cycles = kWarps > 8 ? 6000 : 20000;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    Pc base = 0x100;
    ForkJoinStackBench<TypeParam> bench(seed);
    Kills kills;
    for (unsigned i = 0; i < cycles; ++i) {
      if (random.below(1000) == 0) bench.reset();
      const auto in = random_inputs<TypeParam>(random, bench.oracle(), base);
      const std::optional<WarpId> acts = bench.oracle().resolving();
      kills.before(bench.oracle(), in);
      const auto events = bench.step(in);
      kills.count(met, bench.oracle(), in, events, kWarps);
      ASSERT_LE(bench.oracle().max_pending(), kMost);
      met.hit("done", events.done.has_value());
      met.hit("next", events.next);
      if (TypeParam::kDepth <= 8) {
        met.hit("full", bench.oracle().max_depth() == TypeParam::kDepth);
        for (const char* situation : {"overflow_by_a_fork", "overflow_by_a_divergence"})
          met.hit(situation, events.met.count(situation) != 0);
      }
      met.hit("advance_to_the_join",
              in.advance && in.kill != in.advance->warp && bench.top(in.advance->warp).mask == 0);
      if (TypeParam::kDepth > kMost && kMost <= 4)
        met.hit("all_that_can_be_pending", bench.oracle().max_pending() == kMost);
      if (kWarps > 1) {
        met.hit("acts_beside_a_pop", acts && events.pop);
        met.hit("acts_beside_one_taken_in", acts && in.resolve);
        met.hit("pushes_beside_a_join", events.push && events.met.count("join") != 0);
      }
      for (const char* situation : {"fork",
                                    "empty_region",
                                    "divergence_outside_of_regions",
                                    "taken_set_runs",
                                    "fall_through_set_runs",
                                    "sets_of_one_size",
                                    "those_at_next_wait_at_the_join",
                                    "those_at_the_target_wait_at_the_join",
                                    "divergent_call",
                                    "divergent_call_at_the_join",
                                    "divergent_return",
                                    "divergent_return_to_the_join",
                                    "jump_to_the_join",
                                    "call_of_the_join",
                                    "return_to_the_join",
                                    "return_wraps",
                                    "all_exit",
                                    "pending_set_runs",
                                    "pending_set_has_ended",
                                    "join",
                                    "join_of_nobody",
                                    "join_passed_at_another_level"}) {
        met.hit(situation, events.met.count(situation) != 0);
      }
      if (TypeParam::kLevelW <= 3) met.hit("call_wraps", events.met.count("call_wraps") != 0);
      if (TypeParam::kDepth == 2) continue;  // no region in another, and no room for sets in a region
      for (const char* situation :
           {"nested_fork", "divergence", "join_before_a_join", "two_regions_with_one_join", "join_of_two_regions"}) {
        met.hit(situation, events.met.count(situation) != 0);
      }
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// ---- the patent

constexpr Pc kA = 0x100, kB = 0x110, kC = 0x120, kD = 0x130, kE = 0x140, kF = 0x150, kG = 0x160, kJoin = 0x180,
             kOuter = 0x190;

using Small = models::fork_join_stack_small;  // 8 lanes, of two sets of one size the taken one first
using Wide = models::fork_join_stack_wide;    // 64 lanes, the fall-through first

TEST(ForkJoinStackPatent, Of64Threads26AreTrueAnd38FalseThe26RunFirst) {
  const LaneMask few = lane_mask(26) << 7, many = ~few;
  for (const LaneMask taken : {few, many}) {
    ForkJoinStackBench<Wide> stack;
    stack.launch(0, kA, lane_mask(64));
    stack.fork(0, kA + 4, kJoin);
    EXPECT_EQ(stack.branch(0, taken, kB, kC).push, WarpId{0});
    const Pc first = taken == few ? kB : kC, then = taken == few ? kC : kB;
    EXPECT_EQ(stack.entries(),
              (Entries{{kJoin, lane_mask(64), kNoRpc, false}, {then, many, kJoin, false}, {first, few, kJoin, true}}));
    stack.jump(0, kJoin);
    stack.pop();
    EXPECT_EQ(stack.entries(), (Entries{{kJoin, lane_mask(64), kNoRpc, false}, {then, many, kJoin, false}}));
    stack.jump(0, kJoin);
    stack.pop();
    EXPECT_EQ(stack.entries(), (Entries{{kJoin, lane_mask(64), kNoRpc, false}}));
    EXPECT_EQ(stack.oracle().max_pending(), 1u);
  }
}

TEST(ForkJoinStackPatent, EightThreadsThatSplit3And5And1And2And2And3RunInTheOrder1And2And2And3) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b11111111);
  stack.fork(0, kA + 4, kJoin);
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b11111111, kNoRpc, false}, {kA + 4, 0b11111111, kJoin, false}}));
  std::vector<unsigned> order;
  const auto run = [&] {
    order.push_back(popcount(stack.top().mask));
    stack.jump(0, kJoin);
    EXPECT_EQ(stack.top().mask, 0u);
    stack.pop();
  };
  const SpeEntry all{kJoin, 0b11111111, kNoRpc, false};
  stack.branch(0, 0b00000111, kB, kC);  // the 3 go on, the 5 wait
  EXPECT_EQ(stack.entries(), (Entries{all, {kC, 0b11111000, kJoin, false}, {kB, 0b00000111, kJoin, true}}));
  stack.branch(0, 0b00000110, kD, kE);  // the 1 goes on, the 2 wait: most that ever do
  EXPECT_EQ(
      stack.entries(),
      (Entries{all, {kC, 0b11111000, kJoin, false}, {kD, 0b00000110, kJoin, true}, {kE, 0b00000001, kJoin, true}}));
  run();  // 1; the 2 are popped
  EXPECT_EQ(stack.entries(), (Entries{all, {kC, 0b11111000, kJoin, false}, {kD, 0b00000110, kJoin, true}}));
  run();  // 2; the 5 are popped
  EXPECT_EQ(stack.entries(), (Entries{all, {kC, 0b11111000, kJoin, false}}));
  stack.branch(0, 0b00011000, kF, kG);  // the 2 go on, the 3 wait
  EXPECT_EQ(stack.entries(), (Entries{all, {kG, 0b11100000, kJoin, false}, {kF, 0b00011000, kJoin, true}}));
  run();  // 2
  EXPECT_EQ(stack.entries(), (Entries{all, {kG, 0b11100000, kJoin, false}}));
  run();  // 3; nobody waits any more, and all are at the join
  EXPECT_EQ(stack.entries(), (Entries{all}));
  EXPECT_EQ(order, (std::vector<unsigned>{1, 2, 2, 3}));
  EXPECT_EQ(stack.oracle().max_pending(), 2u);
}

// Every set is halved until one thread is left.
template <class Stack>
void halve_all(Stack& stack, unsigned most, const std::function<void()>& before_a_branch) {
  unsigned alone = 0, longest = 0;
  while (alone < Stack::kLanes) {
    const LaneMask mask = stack.top().mask;
    ASSERT_NE(mask, 0u);
    EXPECT_LE(popcount(mask) << stack.oracle().pending(0), Stack::kLanes);
    if (popcount(mask) > 1) {
      before_a_branch();
      EXPECT_EQ(stack.branch(0, half_of(mask), kB, kC).push, WarpId{0});
      longest = std::max(longest, stack.oracle().pending(0));
      continue;
    }
    ++alone;
    stack.exit(0);
    stack.pop();
    while (stack.oracle().depth(0) != 0 && stack.top().mask == 0) stack.pop();
  }
  EXPECT_EQ(longest, most);
  EXPECT_EQ(stack.oracle().max_pending(), most);
  EXPECT_EQ(stack.oracle().depth(0), 0u);
}

TYPED_TEST(ForkJoinStackRandom, NoMoreThanLog2OfTheLanesArePendingAndAsManyMayBe) {
  constexpr unsigned kMost = most_pending(TypeParam::kLanes);
  if (TypeParam::kDepth < kMost + 2) GTEST_SKIP() << "the region and its pending sets do not fit";
  ForkJoinStackBench<TypeParam> stack;
  stack.launch(0, kA, lane_mask(TypeParam::kLanes));
  stack.fork(0, kA + 4, kJoin);
  halve_all(stack, kMost, [] {});
}

TYPED_TEST(ForkJoinStackRandom, RegionsInOneAnotherDoNotChangeTheBound) {
  constexpr unsigned kMost = most_pending(TypeParam::kLanes);
  if (TypeParam::kDepth < 2 * kMost + 1) GTEST_SKIP() << "a region and a pending set for each halving do not fit";
  ForkJoinStackBench<TypeParam> stack;
  stack.launch(0, kA, lane_mask(TypeParam::kLanes));
  unsigned forks = 0;
  halve_all(stack, kMost, [&] { stack.fork(0, kA + 4, kJoin + 0x100 * ++forks); });
  EXPECT_EQ(stack.oracle().max_depth(), 2 * kMost + 1);
}

// The set that runs first: {taken, fall-through} of 1 and 3 threads, of 3 and 1, and of 2 and 2.
template <class Set>
std::vector<Pc> first_sets() {
  ForkJoinStackBench<Set> stack;
  std::vector<Pc> first;
  for (const LaneMask taken : {LaneMask{0b1000}, LaneMask{0b0111}, LaneMask{0b0011}}) {
    stack.reset();
    stack.launch(0, kA, 0b1111);
    stack.branch(0, taken, kB, kC);
    first.push_back(stack.top().pc);
  }
  return first;
}

TEST(ForkJoinStackPatent, TheSmallerSetRunsFirstAndOfTwoOfOneSizeThatOfTheTieOrder) {
  EXPECT_EQ(first_sets<models::fork_join_stack_small>(), (std::vector<Pc>{kB, kC, kB}));
  EXPECT_EQ(first_sets<models::fork_join_stack_deep>(), (std::vector<Pc>{kB, kC, kC}));
}

// ---- in which cycle

TEST(ForkJoinStackTiming, AResolutionActsInTheCycleAfterItWasTakenIn) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  EXPECT_FALSE(stack.step({{}, {}, fork_of(0, kB, kJoin)}).resolved);
  EXPECT_EQ(stack.entries().size(), 1u);
  EXPECT_EQ(stack.idle().resolved, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b1111, kNoRpc, false}, {kB, 0b1111, kJoin, false}}));
  EXPECT_FALSE(stack.step({{}, {}, Resolve{0, 0b1000, kC, kD, kNoRpc, 0}}).push);
  EXPECT_EQ(stack.entries().size(), 2u);
  EXPECT_EQ(stack.idle().push, WarpId{0});
  EXPECT_EQ(stack.entries().size(), 3u);
}

TEST(ForkJoinStackTiming, APopIsChosenInOneCycleAndDoneInTheNext) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.fork(0, kJoin - 4, kJoin);
  stack.advance(0);
  EXPECT_FALSE(stack.idle().pop);
  EXPECT_EQ(stack.top(), (SpeEntry{kJoin, 0, kJoin, false}));
  EXPECT_EQ(stack.idle().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b1111, kNoRpc, false}}));
}

TEST(ForkJoinStackTiming, OneWarpIsPoppedWhileAnotherIsChosen) {
  ForkJoinStackBench<Small> stack;
  for (const WarpId w : {0u, 1u}) {
    stack.launch(w, kA, 0b1111);
    stack.fork(w, kJoin - 4, kJoin);
  }
  stack.advance(1);
  stack.advance(0);                        // warp 1 is chosen
  EXPECT_EQ(stack.idle().pop, WarpId{1});  // warp 0 is chosen
  EXPECT_EQ(stack.idle().pop, WarpId{0});
  EXPECT_FALSE(stack.idle().pop);
}

TEST(ForkJoinStackTiming, NextIsSaidOfAPathThatGoesOnBehindItsInstruction) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  EXPECT_TRUE(stack.fork(0, kA + 4, kJoin).next);
  EXPECT_TRUE(stack.branch(0, 0b0000, kB, kA + 8).next);
  EXPECT_TRUE(stack.branch(0, 0b0101, kA + 12, kA + 12).next);
  EXPECT_TRUE(stack.branch(0, 0b1111, kA + 16, kA + 16).next);
  EXPECT_FALSE(stack.branch(0, 0b1111, kB, kC).next);
  EXPECT_TRUE(stack.branch(0, 0b1000, kJoin, kB).next);   // the others wait at the join
  EXPECT_FALSE(stack.branch(0, 0b0100, kB, kJoin).next);  // and here those who go on are taken
  EXPECT_FALSE(stack.branch(0, 0b0000, kB, kJoin).next);  // arrived
  stack.pop();
  EXPECT_FALSE(stack.branch(0, 0b0001, kB, kC).next);              // pushed
  EXPECT_FALSE(stack.branch(0, 0b0000, kB, kB + 4, 0b0001).next);  // all have ended
  stack.pop();
  EXPECT_FALSE(stack.fork(0, kJoin, kJoin).next);  // an empty region
}

// ---- regions

TEST(ForkJoinStackRegion, ASideThatIsAtTheJoinWaitsThereAndNothingIsStored) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b11111111);
  stack.fork(0, kA, kJoin);
  // A loop that some leave in every turn: the stack does not grow with it.
  for (unsigned turn = 1; turn < 7; ++turn) {
    const LaneMask stay = lane_mask(8) >> turn;
    EXPECT_FALSE(stack.branch(0, stay, kA, kJoin).push);
    EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b11111111, kNoRpc, false}, {kA, stay, kJoin, false}}));
  }
  stack.jump(0, kJoin);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b11111111, kNoRpc, false}}));
}

TEST(ForkJoinStackRegion, PathsThatMeetBeforeTheJoinDoNotRunTogether) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.fork(0, kA, kJoin);
  stack.branch(0, 0b1000, kB, kC);
  std::vector<LaneMask> runs;
  for (unsigned side = 0; side < 2; ++side) {
    stack.jump(0, kD);
    runs.push_back(stack.top().mask);
    stack.jump(0, kJoin);
    stack.pop();
  }
  EXPECT_EQ(runs, (std::vector<LaneMask>{0b1000, 0b0111}));
  EXPECT_EQ(stack.top(), (SpeEntry{kJoin, 0b1111, kNoRpc, false}));
}

TEST(ForkJoinStackRegion, ARegionInAPathOfAnotherOneJoinsTheThreadsOfThatPathAlone) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b11111111);
  stack.fork(0, kA, kOuter);
  stack.branch(0, 0b00000111, kB, kC);
  stack.fork(0, kB, kJoin);
  const Entries outer = {
      {kOuter, 0b11111111, kNoRpc, false}, {kC, 0b11111000, kOuter, false}, {kJoin, 0b00000111, kOuter, true}};
  Entries now = outer;
  now.push_back({kB, 0b00000111, kJoin, false});  // nobody of its region waits
  EXPECT_EQ(stack.entries(), now);
  stack.branch(0, 0b00000001, kD, kE);
  now.back() = {kE, 0b00000110, kJoin, false};
  now.push_back({kD, 0b00000001, kJoin, true});
  EXPECT_EQ(stack.entries(), now);
  stack.jump(0, kOuter);  // the join of the outer region is an instruction as any other
  EXPECT_EQ(stack.top(), (SpeEntry{kOuter, 0b00000001, kJoin, true}));
  for (unsigned side = 0; side < 2; ++side) {
    stack.jump(0, kJoin);
    stack.pop();
  }
  EXPECT_EQ(stack.entries(), outer);
  for (unsigned side = 0; side < 2; ++side) {
    stack.jump(0, kOuter);
    stack.pop();
  }
  EXPECT_EQ(stack.entries(), (Entries{{kOuter, 0b11111111, kNoRpc, false}}));
}

TEST(ForkJoinStackRegion, AJoinBehindAJoinIsReachedByGoingOn) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.fork(0, kA, kJoin + 4);
  stack.fork(0, kA, kJoin);
  stack.jump(0, kJoin);
  stack.pop();
  // The inner join is issued by all of them, and behind it is the outer one.
  EXPECT_EQ(stack.entries(), (Entries{{kJoin + 4, 0b1111, kNoRpc, false}, {kJoin, 0b1111, kJoin + 4, false}}));
  stack.advance(0);
  EXPECT_EQ(stack.top(), (SpeEntry{kJoin + 4, 0, kJoin + 4, false}));
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kJoin + 4, 0b1111, kNoRpc, false}}));
}

TEST(ForkJoinStackRegion, NothingArrivesByAPop) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.fork(0, kA, kJoin);
  stack.fork(0, kA, kJoin);  // two regions with one join: a mistake of the program
  stack.jump(0, kJoin);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b1111, kNoRpc, false}, {kJoin, 0b1111, kJoin, false}}));
  EXPECT_FALSE(stack.pop().pop);
}

TEST(ForkJoinStackRegion, AnEmptyRegionIsOverAtOnce) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b0001, kA, kB);
  EXPECT_EQ(stack.fork(0, kJoin, kJoin).resolved, WarpId{0});
  EXPECT_EQ(stack.top(), (SpeEntry{kJoin, 0, kJoin, false}));
  EXPECT_EQ(stack.oracle().depth(0), 3u);
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{kB, 0b1110, kNoRpc, false}, {kJoin, 0b0001, kNoRpc, true}}));
}

TEST(ForkJoinStackRegion, WhoLeavesARegionButByItsJoinIsInItStill) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.fork(0, kA, kJoin);
  stack.branch(0, 0b0001, kOuter, kB);
  EXPECT_EQ(stack.top(), (SpeEntry{kOuter, 0b0001, kJoin, true}));
  stack.jump(0, kJoin + 4);
  stack.jump(0, kJoin);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b1111, kNoRpc, false}, {kB, 0b1110, kJoin, false}}));
}

TEST(ForkJoinStackRegion, OutsideOfAllRegionsSetsRunToTheirEnd) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kB, kC);
  stack.branch(0, 0b0000, kD, kC);
  EXPECT_EQ(stack.entries(), (Entries{{kC, 0b0111, kNoRpc, false}, {kC, 0b1000, kNoRpc, true}}));
  stack.exit(0);
  EXPECT_FALSE(stack.pop().done);
  stack.exit(0);
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

TEST(ForkJoinStackRegion, TheNextWarpIsInNoRegion) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.fork(0, kA, kJoin);
  stack.kill(0);
  stack.launch(0, kJoin - 4, 0b0011);
  stack.advance(0);
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b0011, kNoRpc, false}}));
}

// ---- threads that end early

TEST(ForkJoinStackExit, ThreadsThatEndAreMissingAtTheJoin) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.fork(0, kA, kJoin);
  stack.branch(0, 0b0001, kB, kC);
  stack.exit(0);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b1110, kNoRpc, false}, {kC, 0b1110, kJoin, false}}));
  stack.branch(0, 0b0000, kD, kC, 0b0010);
  stack.jump(0, kJoin);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b1100, kNoRpc, false}}));
}

TEST(ForkJoinStackExit, ThreadsOfAPendingSetThatEndDoNotRun) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b11111111);
  stack.fork(0, kA, kJoin);
  stack.branch(0, 0b00000111, kB, kC);
  stack.branch(0, 0b00000001, kD, kE);
  stack.branch(0, 0b00000000, kF, kD, 0b00111110);  // some of the last set, all of the other
  stack.jump(0, kJoin);
  stack.pop();
  EXPECT_EQ(stack.entries(),
            (Entries{{kJoin, 0b11000001, kNoRpc, false}, {kC, 0b11000000, kJoin, false}, {kE, 0, kJoin, true}}));
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b11000001, kNoRpc, false}, {kC, 0b11000000, kJoin, false}}));
}

TEST(ForkJoinStackExit, SizesAreThoseOfTheThreadsThatStay) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b11111111);
  stack.branch(0, 0b11111000, kB, kC, 0b11110000);
  EXPECT_EQ(stack.entries(), (Entries{{kC, 0b00000111, kNoRpc, false}, {kB, 0b00001000, kNoRpc, true}}));
}

TEST(ForkJoinStackExit, ARegionInWhichAllEndIsJoinedByNobody) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b0011, kA, kB);
  stack.fork(0, kA, kOuter);
  stack.fork(0, kA, kJoin);
  stack.exit(0);
  stack.pop();
  EXPECT_EQ(stack.entries(),
            (Entries{{kB, 0b1100, kNoRpc, false}, {kOuter, 0, kNoRpc, true}, {kJoin, 0, kOuter, false}}));
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kB, 0b1100, kNoRpc, false}, {kOuter, 0, kNoRpc, true}}));
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kB, 0b1100, kNoRpc, false}}));
  stack.fork(0, kB, kJoin);
  stack.exit(0);
  EXPECT_FALSE(stack.pop().done);
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

// ---- functions

TEST(ForkJoinStackFunction, ARecursionPassesTheJoinAtADeeperLevel) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.fork(0, kA, kJoin);
  stack.branch(0, 0b0001, kB, kJoin);
  stack.call(0, kA);
  // The same fork one level up: another place.
  stack.fork(0, kA, kJoin);
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b1111, kNoRpc, false},
                                      {kJoin, 0b0001, kJoin, false, 1},
                                      {kA, 0b0001, Place::at(kJoin, 1), false, 1}}));
  stack.call(0, kA);
  stack.jump(0, kJoin);  // at level 2 nobody waits there
  EXPECT_EQ(stack.top(), (SpeEntry{kJoin, 0b0001, Place::at(kJoin, 1), false, 2}));
  stack.returns(0, kJoin - 4);
  stack.advance(0);
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.top(), (SpeEntry{kJoin, 0b0001, kJoin, false, 1}));
  stack.returns(0, kJoin);  // a return may come to the join
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b1111, kNoRpc, false}}));
}

TEST(ForkJoinStackFunction, PathsReturnOneAfterTheOtherAndMeetAtTheJoinOfTheCaller) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.fork(0, kA + 4, kJoin);
  stack.call(0, kD);
  stack.returns(0, kA + 8, 0b1100, kE);  // a conditional return
  EXPECT_EQ(stack.entries(),
            (Entries{{kJoin, 0b1111, kNoRpc, false}, {kE, 0b0011, kJoin, false, 1}, {kA + 8, 0b1100, kJoin, true, 0}}));
  stack.jump(0, kJoin);
  stack.pop();
  stack.returns(0, kA + 8);
  stack.jump(0, kJoin);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b1111, kNoRpc, false}}));
}

TEST(ForkJoinStackFunction, ADivergentCallLeavesThoseWhoStayAtTheirLevel) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.fork(0, kA + 4, kJoin);
  stack.call(0, kD, 0b0111, kB);
  EXPECT_EQ(stack.entries(),
            (Entries{{kJoin, 0b1111, kNoRpc, false}, {kD, 0b0111, kJoin, false, 1}, {kB, 0b1000, kJoin, true, 0}}));
  stack.jump(0, kJoin);
  stack.pop();
  stack.returns(0, kJoin, 0b0001, kE);  // one is at the join, and those who stay go on
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, 0b1111, kNoRpc, false}, {kE, 0b0110, kJoin, false, 1}}));
}

// ---- rows

TEST(ForkJoinStackOverflow, OfAForkOrADivergenceIsFlaggedAndNothingIsLost) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, lane_mask(8));
  for (const Pc join : {kJoin, kJoin + 4, kJoin + 8, kJoin + 12}) stack.fork(0, kA, join);
  const Entries full = stack.entries();
  ASSERT_EQ(stack.oracle().depth(0), models::fork_join_stack_small::kDepth);
  for (const Resolve& r : {fork_of(0, kB, kOuter), fork_of(0, kOuter, kOuter), Resolve{0, 0b1, kB, kC, kNoRpc, 0b10}}) {
    const auto events = stack.resolve(r);
    EXPECT_EQ(events.overflow, WarpId{0});
    EXPECT_FALSE(events.push || events.resolved || events.next);
    stack.idle();  // shows that not even the thread that exits has left
    EXPECT_EQ(stack.entries(), full);
    EXPECT_EQ(stack.oracle().live(0), lane_mask(8));
  }
  // What leaves nothing behind has room, and no row was overwritten.
  EXPECT_TRUE(stack.branch(0, 0b1, kB, kJoin + 12).resolved);
  for (const Pc join : {kJoin + 12, kJoin + 8, kJoin + 4, kJoin}) {
    stack.jump(0, join);
    stack.pop();
  }
  stack.idle();  // shows the last row
  EXPECT_EQ(stack.entries(), (Entries{{kJoin, lane_mask(8), kNoRpc, false}}));
}

TYPED_TEST(ForkJoinStackRandom, EveryRowOfAFullStackHoldsWhatWasWritten) {
  ForkJoinStackBench<TypeParam> stack;
  const auto join = [](WarpId w, unsigned n) { return kJoin + 0x10000 * w + 0x100 * n; };
  for (WarpId w = 0; w < TypeParam::kNumWarps; ++w) {
    stack.launch(w, kA, 0b1111);
    // A thread waits, the others go on, as long as they are several; then regions.
    for (unsigned n = 1; n < TypeParam::kDepth; ++n) {
      const LaneMask mask = stack.top(w).mask;
      if (n % 2 == 0 && popcount(mask) > 1) {
        stack.branch(w, half_of(mask), kB + 0x10000 * w + 0x100 * n, kC + 0x10000 * w + 0x100 * n);
      } else {
        stack.fork(w, kA, join(w, n));
      }
    }
    EXPECT_EQ(stack.oracle().depth(w), TypeParam::kDepth);
  }
  for (WarpId w = 0; w < TypeParam::kNumWarps; ++w) {
    while (stack.oracle().depth(w) > 1) {
      stack.jump(w, *stack.top(w).place.pc());
      stack.pop();
    }
    EXPECT_EQ(stack.entries(w), (Entries{{join(w, 1), 0b1111, kNoRpc, false}}));
    stack.exit(w);
    EXPECT_EQ(stack.pop().done, w);
  }
}

// A jump, a side of a branch, an advance and a fork come to the join, and do not where one bit of the PC differs.
TYPED_TEST(ForkJoinStackRandom, EveryBitOfAJoinAloneMakesOne) {
  ForkJoinStackBench<TypeParam> stack;
  for (unsigned bit = 1; bit < 32; ++bit) {
    const Pc join = Pc{1} << bit, other = join ^ (bit == 31 ? 2 : join << 1);
    stack.launch(0, 0x124, 0b1111);
    EXPECT_EQ(stack.fork(0, other, join).next, true);
    stack.branch(0, 0b1000, join, other);
    stack.jump(0, other);
    stack.jump(0, 0x456);
    stack.jump(0, join - 4);
    EXPECT_EQ(stack.top(), (SpeEntry{join - 4, 0b0111, join, false})) << bit;
    stack.advance(0);
    EXPECT_EQ(stack.top(), (SpeEntry{join, 0, join, false})) << bit;
    stack.pop();
    stack.fork(0, join, join);
    EXPECT_EQ(stack.top(), (SpeEntry{join, 0, join, false})) << bit;
    stack.pop();
    stack.exit(0);
    EXPECT_EQ(stack.pop().done, WarpId{0});
  }
}

// ---- kill

TEST(ForkJoinStackKill, AKilledWarpIsGoneAndMayBeLaunchedInTheNextCycle) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.fork(0, kA, kJoin);
  stack.branch(0, 0b1000, kB, kC);
  stack.kill(0);
  EXPECT_EQ(stack.oracle().depth(0), 0u);
  stack.launch(0, kD, 0b0011);
  EXPECT_EQ(stack.entries(), (Entries{{kD, 0b0011, kNoRpc, false}}));
  stack.exit(0);
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

TEST(ForkJoinStackKill, AResolutionThatIsTakenInWithTheKillNeverActs) {
  for (const Resolve& r : {fork_of(0, kB, kJoin), Resolve{0, 0b1000, kB, kC, kNoRpc, 0}}) {
    ForkJoinStackBench<Small> stack;
    stack.launch(0, kA, 0b1111);
    stack.step({{}, {}, r, WarpId{0}});
    const auto events = stack.launch(0, kD, 0b0011);
    EXPECT_FALSE(events.resolved || events.push);
    EXPECT_FALSE(stack.idle().resolved);
    EXPECT_EQ(stack.entries(), (Entries{{kD, 0b0011, kNoRpc, false}}));
  }
}

TEST(ForkJoinStackKill, AResolutionThatActsShowsItsEventsAndChangesNothing) {
  for (const Resolve& r : {fork_of(0, kB, kJoin), Resolve{0, 0b1000, kB, kC, kNoRpc, 0}}) {
    ForkJoinStackBench<Small> stack;
    stack.launch(0, kA, 0b1111);
    stack.step({{}, {}, r});
    EXPECT_EQ(stack.kill(0).resolved, WarpId{0});
    EXPECT_EQ(stack.oracle().depth(0), 0u);
    EXPECT_EQ(stack.oracle().max_depth(), 1u);
    EXPECT_EQ(stack.oracle().max_pending(), 0u);
  }
}

TEST(ForkJoinStackKill, AnotherWarpIsChosenForAPopInItsStead) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.launch(1, kA, 0b1111);
  stack.fork(0, kJoin - 4, kJoin);
  // Both come to wait at one edge: one by an advance, one by a resolution that acts.
  stack.step({{}, {}, Resolve{1, 0, 4, 4, kNoRpc, 0b1111}});
  stack.advance(0);
  EXPECT_EQ(stack.oracle().waiting_for_a_pop(), WarpId{0});
  stack.kill(0);
  EXPECT_EQ(stack.idle().done, WarpId{1});
}

TEST(ForkJoinStackKill, APopOfASetOrARegionThatEndsWithTheKillIsShownAndChangesNothing) {
  for (const bool region : {false, true}) {
    ForkJoinStackBench<Small> stack;
    stack.launch(0, kA, 0b1111);
    if (region) stack.fork(0, kB, kJoin);
    if (!region) stack.branch(0, 0b1000, kB, kC);
    stack.exit(0);
    stack.idle();
    EXPECT_EQ(stack.kill(0).pop, WarpId{0});
    EXPECT_EQ(stack.oracle().depth(0), 0u);
    EXPECT_FALSE(stack.pop().pop);
  }
}

TEST(ForkJoinStackKill, WithAnAdvanceToTheJoinNothingIsPopped) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.fork(0, kJoin - 4, kJoin);
  stack.step({{}, Advance{0}, {}, WarpId{0}});
  EXPECT_FALSE(stack.pop().pop);
}

TEST(ForkJoinStackKill, OfAnIdleWarpItDoesNothing) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.kill(1);
  EXPECT_EQ(stack.oracle().depth(0), 1u);
  stack.launch(1, kA, 0b1);
  EXPECT_EQ(stack.oracle().depth(1), 1u);
}

// ---- mistakes of the caller are asserted by the RTL

TEST(ForkJoinStackMistake, ALaunchOfAWarpThatIsKilled) {
  ForkJoinStackBench<Small> stack;
  EXPECT_THROW(stack.step({Launch{0, kA, 0b1}, {}, {}, WarpId{0}}), RtlAssertion);
}

TEST(ForkJoinStackMistake, ALaunchOfARunningWarpOrWithoutThreadsOrAtAnOddPc) {
  EXPECT_THROW(ForkJoinStackBench<Small>().launch(0, kA, 0), RtlAssertion);
  EXPECT_THROW(ForkJoinStackBench<Small>().launch(0, kA + 1, 0b1), RtlAssertion);
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.launch(0, kA, 0b1), RtlAssertion);
}

TEST(ForkJoinStackMistake, AdvancesOfTwoPaths) {
  struct Opened : ForkJoinStackBench<Small> {
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

TEST(ForkJoinStackMistake, AnAdvanceOfAWarpThatWaitsForItsPop) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b11);
  stack.fork(0, kB, kJoin);
  stack.jump(0, kJoin);
  EXPECT_THROW(stack.advance(0), RtlAssertion);
}

constexpr Resolve kJump{0, 0b1, kB, kB, kNoRpc, 0};

// A warp that was launched, in the cycle of a mistake.
ForkJoinStackBench<Small>::Events mistake(const ForkJoinStackOracle::Inputs& first,
                                          const ForkJoinStackOracle::Inputs& then) {
  ForkJoinStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  stack.step(first);
  return stack.step(then);
}

TEST(ForkJoinStackMistake, AnAdvanceOfAPathThatResolves) {
  EXPECT_THROW(mistake({}, {{}, Advance{0}, kJump}), RtlAssertion);
  EXPECT_THROW(mistake({{}, {}, kJump}, {{}, Advance{0}, {}}), RtlAssertion);
}

TEST(ForkJoinStackMistake, ASecondResolutionBeforeTheFirstHasActed) {
  EXPECT_THROW(mistake({{}, {}, kJump}, {{}, {}, kJump}), RtlAssertion);
}

TEST(ForkJoinStackMistake, AResolutionThatIsCallAndReturnOrHasAnOddPcOrAReturnAddress) {
  EXPECT_THROW(mistake({}, {{}, {}, Resolve{0, 1, kB, 4, kNoRpc, 0, true, true}}), RtlAssertion);
  EXPECT_THROW(mistake({}, {{}, {}, Resolve{0, 1, kB + 1, 4, kNoRpc, 0}}), RtlAssertion);
  EXPECT_THROW(mistake({}, {{}, {}, Resolve{0, 1, kB, 4, kG | kReturnRpc, 0}}), RtlAssertion);
}

TEST(ForkJoinStackMistake, AForkThatIsAnythingElseToo) {
  EXPECT_NO_THROW(mistake({}, {{}, {}, fork_of(0, kB, kJoin)}));
  for (unsigned what = 0; what < 4; ++what) {
    Resolve fork = fork_of(0, kB, kJoin);
    if (what == 0) fork.taken = 1;
    if (what == 1) fork.exit = 1;
    fork.call = what == 2;
    fork.returns = what == 3;
    EXPECT_THROW(mistake({}, {{}, {}, fork}), RtlAssertion) << what;
  }
}

TEST(ForkJoinStackMistake, AForkWithoutAJoinOrAtAnOddPc) {
  for (const Pc join : {kNoRpc, kReturnRpc, kJoin + 1}) {
    EXPECT_THROW(mistake({}, {{}, {}, fork_of(0, kB, join)}), RtlAssertion) << join;
  }
}

}  // namespace
}  // namespace heddle::test
