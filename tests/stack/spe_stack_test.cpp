// SPDX-License-Identifier: Apache-2.0
// stack/spe_stack: random lockstep of RTL, twin and oracle; the DWF paper's example and the Order rules step by step.
#include "stack/spe_stack.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/spe_stack_deep.h"
#include "models/spe_stack_default.h"
#include "models/spe_stack_odd.h"
#include "models/spe_stack_small.h"
#include "models/spe_stack_wide.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/stack/spe_stack_oracle.h"

namespace heddle::test {
namespace {

using Entries = std::vector<SpeEntry>;

template <class Set>
using SpeStackTwin = spe_stack<Set::kNumWarps, Set::kLanes, Set::kDepth, Set::kPushOrder>;

// All three opinions on one stack; the verbs are those of the contract, each of them one cycle.
template <class Set>
class SpeStackBench : public Bench<typename Set::Rtl, SpeStackTwin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes;
  using Inputs = SpeStackOracle::Inputs;
  using Events = SpeStackOracle::Events;

  explicit SpeStackBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, SpeStackTwin<Set>>(seed) { reset(); }

  [[nodiscard]] const SpeStackOracle& oracle() const { return oracle_; }
  [[nodiscard]] const Entries& entries(WarpId w = 0) const { return oracle_.entries(w); }

  void reset() {
    oracle_ = fresh_oracle();
    expect_state();
    expect_events({});
    this->reset_cycle();
  }

  Events step(const Inputs& in) {
    launch_valid_i = in.launch.has_value();
    if (in.launch) {
      launch_warp_i = in.launch->warp;
      launch_pc_i = in.launch->pc;
      launch_mask_i = in.launch->mask;
    }
    advance_valid_i = in.advance.has_value();
    if (in.advance) advance_warp_i = in.advance->warp;
    resolve_valid_i = in.resolve.has_value();
    if (in.resolve) {
      resolve_warp_i = in.resolve->warp;
      resolve_taken_i = in.resolve->taken;
      resolve_target_i = in.resolve->target;
      resolve_next_i = in.resolve->next;
      resolve_rpc_i = in.resolve->rpc;
      resolve_exit_i = in.resolve->exit;
    }
    expect_state();
    const Events events = oracle_.step(in);
    expect_events(events);
    this->cycle();
    return events;
  }

  Events launch(WarpId warp, Pc pc, LaneMask mask) { return step({SpeStackOracle::Launch{warp, pc, mask}, {}, {}}); }
  Events advance(WarpId warp) { return step({{}, SpeStackOracle::Advance{warp}, {}}); }
  Events branch(WarpId warp, LaneMask taken, Pc target, Pc next, Pc rpc, LaneMask exit = 0) {
    return step({{}, {}, SpeStackOracle::Resolve{warp, taken, target, next, rpc, exit}});
  }
  // All threads go to one place (an unconditional jump).
  Events jump(WarpId warp, Pc to) { return branch(warp, ~LaneMask{0}, to, to, kNoRpc); }
  Events exit(WarpId warp) { return branch(warp, 0, 4, 4, kNoRpc, oracle_.top(warp).mask); }
  Events idle() { return step({}); }

 private:
  static constexpr unsigned kDepthWidth = count_width(Set::kDepth), kWarpWidth = index_width(kWarps);
  HEDDLE_INPUT(launch_valid_i, 1, 1);
  HEDDLE_INPUT(launch_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(launch_pc_i, 32, 1);
  HEDDLE_INPUT(launch_mask_i, kLanes, 1);
  HEDDLE_INPUT(advance_valid_i, 1, 1);
  HEDDLE_INPUT(advance_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(resolve_valid_i, 1, 1);
  HEDDLE_INPUT(resolve_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(resolve_taken_i, kLanes, 1);
  HEDDLE_INPUT(resolve_target_i, 32, 1);
  HEDDLE_INPUT(resolve_next_i, 32, 1);
  HEDDLE_INPUT(resolve_rpc_i, 32, 1);
  HEDDLE_INPUT(resolve_exit_i, kLanes, 1);
  HEDDLE_OUTPUT(pc_o, 32, kWarps);
  HEDDLE_OUTPUT(mask_o, kLanes, kWarps);
  HEDDLE_OUTPUT(rpc_o, 32, kWarps);
  HEDDLE_OUTPUT(sibling_o, 1, kWarps);
  HEDDLE_OUTPUT(valid_o, 1, kWarps);
  HEDDLE_OUTPUT(live_o, kLanes, kWarps);
  HEDDLE_OUTPUT(depth_o, kDepthWidth, kWarps);
  HEDDLE_OUTPUT(push_valid_o, 1, 1);
  HEDDLE_OUTPUT(push_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(pop_valid_o, 1, 1);
  HEDDLE_OUTPUT(pop_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(done_valid_o, 1, 1);
  HEDDLE_OUTPUT(done_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(overflow_valid_o, 1, 1);
  HEDDLE_OUTPUT(overflow_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(max_depth_o, kDepthWidth, 1);

  static SpeStackOracle fresh_oracle() {
    return SpeStackOracle(kWarps, Set::kDepth, static_cast<PushOrder>(Set::kPushOrder));
  }

  void expect_state() {
    for (WarpId w = 0; w < kWarps; ++w) {
      const SpeEntry top = oracle_.top(w);
      pc_o.expect(w, top.pc);
      mask_o.expect(w, top.mask);
      rpc_o.expect(w, top.rpc);
      sibling_o.expect(w, top.sibling);
      valid_o.expect(w, top.mask != 0);
      live_o.expect(w, oracle_.live(w));
      depth_o.expect(w, oracle_.depth(w));
    }
    max_depth_o.expect(oracle_.max_depth());
  }

  void expect_events(const Events& events) {
    push_valid_o.expect(events.push.has_value());
    push_warp_o.expect(events.push.value_or(0));
    pop_valid_o.expect(events.pop.has_value());
    pop_warp_o.expect(events.pop.value_or(0));
    done_valid_o.expect(events.done.has_value());
    done_warp_o.expect(events.done.value_or(0));
    overflow_valid_o.expect(events.overflow.has_value());
    overflow_warp_o.expect(events.overflow.value_or(0));
  }

  SpeStackOracle oracle_ = fresh_oracle();
};

// ---- random lockstep

template <class Set>
class SpeStackRandom : public testing::Test {};
using Sets = ParameterSets<models::spe_stack_small, models::spe_stack_deep, models::spe_stack_wide, models::spe_stack_odd,
                           models::spe_stack_default>;
TYPED_TEST_SUITE(SpeStackRandom, Sets, SetNames);

// Legal inputs from a few PCs behind `base`, so that paths often stand at a reconvergence point; base moves now and then,
// and some branches meet at a power of two.
template <class Set>
SpeStackOracle::Inputs random_inputs(Random& random, const SpeStackOracle& oracle, Pc& base) {
  if (random.chance(3)) base = random.base(6);
  const auto pc = [&] { return base + 4 * random.below(6); };
  std::vector<WarpId> ended, running;
  for (WarpId w = 0; w < Set::kNumWarps; ++w) {
    if (oracle.depth(w) == 0) ended.push_back(w);
    if (oracle.top(w).mask != 0) running.push_back(w);
  }
  SpeStackOracle::Inputs in;
  if (!ended.empty() && random.chance(30)) in.launch = {random.pick(ended), pc(), random.some_lanes(Set::kLanes)};
  if (!running.empty() && random.chance(60)) {
    const WarpId warp = random.pick(running);
    const SpeEntry top = oracle.top(warp);
    SpeStackOracle::Resolve r{warp, random.lanes(Set::kLanes), pc(), pc(), pc(), 0};
    if (random.chance(60)) r.taken = random.next() & lane_mask(Set::kLanes);  // divergent more often than not
    if (random.chance(30)) r.rpc = top.rpc;
    if (random.chance(10)) r.rpc = kNoRpc;
    if (random.chance(10)) {  // two sides around the one PC with this bit alone
      r.rpc = Pc{1} << random.below(32);
      r.target = r.rpc - 4 * random.below(3);
      r.next = r.rpc - 4 * random.below(3);
    }
    if (random.chance(10)) r.target = r.next = top.rpc;  // all threads arrive
    if (random.chance(15)) r.exit = top.mask & random.next();
    if (random.chance(10)) r.exit = top.mask;
    in.resolve = r;
  }
  if (!running.empty() && random.chance(50)) {
    const WarpId warp = random.pick(running);
    if (!in.resolve || in.resolve->warp != warp) in.advance = {warp};
  }
  return in;
}

TYPED_TEST(SpeStackRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  Coverage met;
  const unsigned cycles = TypeParam::kNumWarps > 8 ? 3000 : 15000;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    Pc base = 0x100;
    SpeStackBench<TypeParam> bench(seed);
    for (unsigned i = 0; i < cycles; ++i) {
      if (random.below(1000) == 0) bench.reset();
      const auto in = random_inputs<TypeParam>(random, bench.oracle(), base);
      SpeEntry before;
      unsigned depth_before = 0;
      if (in.resolve) {
        before = bench.oracle().top(in.resolve->warp);
        depth_before = bench.oracle().depth(in.resolve->warp);
      }
      const auto events = bench.step(in);
      met.hit("push_two_sides", events.push && bench.oracle().depth(*events.push) == depth_before + 2);
      met.hit("push_one_more", events.push && bench.oracle().depth(*events.push) == depth_before + 1);
      met.hit("replacement", events.push && bench.oracle().depth(*events.push) == depth_before);
      if (TypeParam::kDepth <= 5) met.hit("overflow", events.overflow.has_value());
      met.hit("done", events.done.has_value());
      met.hit("pop", events.pop && !events.done);
      met.hit("no_rpc", events.push && bench.oracle().top(*events.push).rpc == kNoRpc);
      met.hit("sibling", events.push && bench.oracle().top(*events.push).sibling);
      met.hit("sibling_inherited", events.push && before.sibling && bench.oracle().depth(*events.push) == depth_before);
      met.hit("partial_exit", in.resolve && in.resolve->exit != 0 && in.resolve->exit != before.mask);
      met.hit("advance_to_rpc", in.advance && bench.oracle().top(in.advance->warp).mask == 0);
      if (TypeParam::kNumWarps > 1) met.hit("push_and_pop_of_two_warps", events.push && events.pop);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// One side of a branch is at the reconvergence PC already, the other jumps or advances there.
TYPED_TEST(SpeStackRandom, EveryBitOfAReconvergencePcAloneMakesOne) {
  SpeStackBench<TypeParam> stack;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const Pc rpc = Pc{1} << bit;
    stack.launch(0, 0x123, 0b1111);
    stack.branch(0, 0b1000, rpc, 0x456, rpc);
    EXPECT_EQ(stack.entries(), (Entries{{rpc, 0b1111, kNoRpc, false}, {0x456, 0b0111, rpc, false}}));
    stack.jump(0, rpc);
    EXPECT_EQ(stack.idle().pop, WarpId{0});
    stack.branch(0, 0b0110, rpc - 4, rpc, rpc);
    EXPECT_EQ(stack.entries(), (Entries{{rpc, 0b1111, kNoRpc, false}, {rpc - 4, 0b0110, rpc, false}}));
    stack.advance(0);
    EXPECT_EQ(stack.idle().pop, WarpId{0});
    stack.exit(0);
    EXPECT_EQ(stack.idle().done, WarpId{0});
  }
}

// ---- worked examples (4 lanes in the text's order: lane 3 is its first digit)

using Small = models::spe_stack_small;  // taken first
constexpr Pc kA = 0x100, kB = 0x110, kC = 0x120, kD = 0x130, kE = 0x140, kF = 0x150, kG = 0x160;

TEST(SpeStackExample, SectionThreePointTwoOfTheDwfPaperIssuesCDEFG) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1110, kB, kF, kG);
  EXPECT_EQ(stack.entries(),
            (Entries{{kG, 0b1111, kNoRpc, false}, {kF, 0b0001, kG, false}, {kB, 0b1110, kG, true}}));

  // B diverges: the stack of Figure 5. E waits for both sides of B, F for B's whole side, G for all.
  stack.branch(0, 0b1000, kC, kD, kE);
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false},
                                      {kF, 0b0001, kG, false},
                                      {kE, 0b1110, kG, true},
                                      {kD, 0b0110, kE, false},
                                      {kC, 0b1000, kE, true}}));

  // Each block runs, arrives at its reconvergence point, and pops in the cycle after.
  std::vector<Pc> order;
  for (const Pc to : {kE, kE, kG, kG}) {
    order.push_back(stack.oracle().top(0).pc);
    EXPECT_FALSE(stack.jump(0, to).pop);
    EXPECT_EQ(stack.idle().pop, WarpId{0});
  }
  order.push_back(stack.oracle().top(0).pc);
  EXPECT_EQ(order, (std::vector<Pc>{kC, kD, kE, kF, kG}));
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false}}));
}

TEST(SpeStackExample, ABlockPopsWhenItsLastInstructionAdvancesToTheReconvergencePoint) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kG - 8, kC, kG);
  stack.advance(0);
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kG - 4, 0b1000, kG, true}));
  stack.advance(0);
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kG, 0, kG, true}));
  EXPECT_EQ(stack.idle().pop, WarpId{0});
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kC, 0b0111, kG, false}));
}

TEST(SpeStackExample, ASideThatIsAlreadyAtTheReconvergencePointIsNotPushed) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kG, kC, kG);
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false}, {kC, 0b0111, kG, false}}));
}

TEST(SpeStackExample, ALoopWhoseExitIsItsReconvergencePointDoesNotGrowTheStack) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b11111111);
  for (unsigned turn = 0; turn < 7; ++turn) {
    const LaneMask stay = lane_mask(8) & ~lane_mask(turn + 1);
    EXPECT_TRUE(stack.branch(0, stay, kA, kG, kG).push);
    EXPECT_EQ(stack.entries(), (Entries{{kG, 0b11111111, kNoRpc, false}, {kA, stay, kG, false}}));
  }
  stack.jump(0, kG);
  stack.idle();
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b11111111, kNoRpc, false}}));
}

TEST(SpeStackExample, ATailBranchKeepsTheSiblingBitForItsLowerSide) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1110, kB, kF, kG);
  stack.branch(0, 0b1000, kC, kD, kG);
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false},
                                      {kF, 0b0001, kG, false},
                                      {kD, 0b0110, kG, true},
                                      {kC, 0b1000, kG, true}}));
}

TEST(SpeStackExample, ABranchWithoutReconvergencePointInheritsTheRpcOfItsEntry) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1110, kB, kF, kG);
  stack.branch(0, 0b1000, kC, kD, kNoRpc);
  EXPECT_EQ(stack.entries().back().rpc, kG);
  EXPECT_EQ(stack.entries().size(), 4u);
  // In the outermost entry there is nothing to inherit: the sides never meet, and replace it.
  stack.launch(1, kA, 0b1111);
  stack.branch(1, 0b1000, kB, kC, kNoRpc);
  EXPECT_EQ(stack.entries(1), (Entries{{kC, 0b0111, kNoRpc, false}, {kB, 0b1000, kNoRpc, true}}));
  // PC 0 is a place like any other, not one at which such a side has arrived.
  stack.launch(2, kA, 0b1111);
  stack.branch(2, 0b1000, 0, kC, kNoRpc);
  stack.idle();
  EXPECT_EQ(stack.entries(2), (Entries{{kC, 0b0111, kNoRpc, false}, {0, 0b1000, kNoRpc, true}}));
}

TEST(SpeStackExample, ThreadsThatExitAreGoneFromTheEntriesBelow) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kB, kC, kG);
  stack.exit(0);
  stack.idle();
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false}, {kC, 0b0111, kG, false}}));
  stack.jump(0, kG);
  stack.idle();
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b0111, kNoRpc, false}}));
  stack.exit(0);
  EXPECT_EQ(stack.idle().done, WarpId{0});
}

TEST(SpeStackExample, ABranchWhoseThreadsPartlyExitGoesOnWithTheRest) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1100, kB, kC, kG, 0b1010);
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b0101, kNoRpc, false}, {kC, 0b0001, kG, false}, {kB, 0b0100, kG, true}}));
}

TEST(SpeStackExample, OverflowIsFlaggedAndNothingIsLost) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, lane_mask(8));
  stack.branch(0, 0x7f, kB, kC, kG);
  stack.branch(0, 0x3f, kD, kE, kF);
  const Entries full = stack.entries();
  EXPECT_EQ(full.size(), 5u);
  const auto events = stack.branch(0, 0b1, kB, kC, kE, 0b10);
  EXPECT_EQ(events.overflow, WarpId{0});
  EXPECT_FALSE(events.push);
  EXPECT_EQ(stack.entries(), full);
  EXPECT_EQ(stack.oracle().live(0), lane_mask(8));
  EXPECT_EQ(stack.oracle().max_depth(), 5u);
}

TEST(SpeStackExample, OfTwoWarpsWithEmptyTopsTheLowerPopsFirst) {
  SpeStackBench<Small> stack;
  stack.launch(2, kA, 0b1);
  stack.launch(1, kA, 0b1111);
  stack.branch(1, 0b1000, kG - 4, kG, kG);
  // In one cycle warp 1 arrives at G and warp 2 exits.
  stack.step({{}, SpeStackOracle::Advance{1}, SpeStackOracle::Resolve{2, 0, kB, kB, kNoRpc, 0b1}});
  EXPECT_EQ(stack.idle().pop, WarpId{1});
  EXPECT_EQ(stack.idle().done, WarpId{2});
  EXPECT_EQ(stack.entries(1), (Entries{{kG, 0b1111, kNoRpc, false}}));
}

// The side on top executes first: {taken, fall-through} of 1 and 3 threads, and of 2 and 2.
template <class Set>
std::vector<Pc> sides_on_top() {
  SpeStackBench<Set> stack;
  std::vector<Pc> tops;
  for (const LaneMask taken : {LaneMask{0b1000}, LaneMask{0b0111}, LaneMask{0b0011}}) {
    stack.reset();
    stack.launch(0, kA, 0b1111);
    stack.branch(0, taken, kB, kC, kG);
    tops.push_back(stack.entries().back().pc);
  }
  return tops;
}

TEST(SpeStackExample, ThePushOrderSaysWhichSideExecutesFirst) {
  EXPECT_EQ(sides_on_top<models::spe_stack_small>(), (std::vector<Pc>{kB, kB, kB}));  // taken first
  EXPECT_EQ(sides_on_top<models::spe_stack_deep>(), (std::vector<Pc>{kC, kC, kC}));   // fall-through first
  EXPECT_EQ(sides_on_top<models::spe_stack_wide>(), (std::vector<Pc>{kB, kC, kB}));   // smaller first
  EXPECT_EQ(sides_on_top<models::spe_stack_odd>(), (std::vector<Pc>{kC, kB, kB}));    // larger first
}

// ---- mistakes of the caller are asserted by the RTL

TEST(SpeStackMistake, ALaunchOfARunningWarp) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.launch(0, kA, 0b1), RtlAssertion);
}

TEST(SpeStackMistake, ALaunchWithoutThreads) {
  SpeStackBench<Small> stack;
  EXPECT_THROW(stack.launch(0, kA, 0), RtlAssertion);
}

TEST(SpeStackMistake, AnAdvanceOfAWarpThatWaitsForItsPop) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b11);
  stack.branch(0, 0b01, kB, kC, kG);
  stack.jump(0, kG);
  EXPECT_THROW(stack.advance(0), RtlAssertion);
}

TEST(SpeStackMistake, AnAdvanceOfThePathThatResolves) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.step({{}, SpeStackOracle::Advance{0}, SpeStackOracle::Resolve{0, 0, kB, kB, kNoRpc, 0}}),
               RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
