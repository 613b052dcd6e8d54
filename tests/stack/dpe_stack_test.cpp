// SPDX-License-Identifier: Apache-2.0
// stack/dpe_stack: random lockstep of RTL, twin and oracle; the DPE paper's examples step by step.
#include "stack/dpe_stack.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/dpe_stack_deep.h"
#include "models/dpe_stack_default.h"
#include "models/dpe_stack_small.h"
#include "models/dpe_stack_wide.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/stack/dpe_stack_oracle.h"

namespace heddle::test {
namespace {

using Entries = std::vector<DpeEntry>;
constexpr unsigned kLeft = 0, kRight = 1;

template <class Set>
using DpeStackTwin = dpe_stack<Set::kNumWarps, Set::kLanes, Set::kDepth, Set::kTakenLeft>;

// All three opinions on one stack; the verbs are those of the contract, each of them one cycle.
template <class Set>
class DpeStackBench : public Bench<typename Set::Rtl, DpeStackTwin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes;
  using Inputs = DpeStackOracle::Inputs;
  using Events = DpeStackOracle::Events;

  explicit DpeStackBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, DpeStackTwin<Set>>(seed) { reset(); }

  [[nodiscard]] const DpeStackOracle& oracle() const { return oracle_; }
  [[nodiscard]] const Entries& entries(WarpId w = 0) const { return oracle_.entries(w); }

  void reset() {
    oracle_ = DpeStackOracle(kWarps, Set::kDepth, Set::kTakenLeft != 0);
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
    if (in.advance) {
      advance_warp_i = in.advance->warp;
      advance_slot_i = in.advance->slot;
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
    }
    expect_state();
    const Events events = oracle_.step(in);
    expect_events(events);
    this->cycle();
    return events;
  }

  Events launch(WarpId warp, Pc pc, LaneMask mask) { return step({DpeStackOracle::Launch{warp, pc, mask}, {}, {}}); }
  Events advance(WarpId warp, unsigned slot) { return step({{}, DpeStackOracle::Advance{warp, slot}, {}}); }
  Events branch(WarpId warp, unsigned slot, LaneMask taken, Pc target, Pc next, Pc rpc, LaneMask exit = 0) {
    return step({{}, {}, DpeStackOracle::Resolve{warp, slot, taken, target, next, rpc, exit}});
  }
  // All threads of a path go to one place (an unconditional jump).
  Events jump(WarpId warp, unsigned slot, Pc to) { return branch(warp, slot, ~LaneMask{0}, to, to, kNoRpc); }
  Events exit(WarpId warp, unsigned slot) {
    return branch(warp, slot, 0, 4, 4, kNoRpc, oracle_.top(warp).path.at(slot).mask);
  }
  Events idle() { return step({}); }

 private:
  static constexpr unsigned kDepthWidth = count_width(Set::kDepth), kWarpWidth = index_width(kWarps);
  HEDDLE_INPUT(launch_valid_i, 1, 1);
  HEDDLE_INPUT(launch_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(launch_pc_i, 32, 1);
  HEDDLE_INPUT(launch_mask_i, kLanes, 1);
  HEDDLE_INPUT(advance_valid_i, 1, 1);
  HEDDLE_INPUT(advance_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(advance_slot_i, 1, 1);
  HEDDLE_INPUT(resolve_valid_i, 1, 1);
  HEDDLE_INPUT(resolve_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(resolve_slot_i, 1, 1);
  HEDDLE_INPUT(resolve_taken_i, kLanes, 1);
  HEDDLE_INPUT(resolve_target_i, 32, 1);
  HEDDLE_INPUT(resolve_next_i, 32, 1);
  HEDDLE_INPUT(resolve_rpc_i, 32, 1);
  HEDDLE_INPUT(resolve_exit_i, kLanes, 1);
  HEDDLE_OUTPUT(pc_l_o, 32, kWarps);
  HEDDLE_OUTPUT(mask_l_o, kLanes, kWarps);
  HEDDLE_OUTPUT(pc_r_o, 32, kWarps);
  HEDDLE_OUTPUT(mask_r_o, kLanes, kWarps);
  HEDDLE_OUTPUT(rpc_o, 32, kWarps);
  HEDDLE_OUTPUT(valid_l_o, 1, kWarps);
  HEDDLE_OUTPUT(valid_r_o, 1, kWarps);
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

  void expect_state() {
    for (WarpId w = 0; w < kWarps; ++w) {
      const DpeEntry top = oracle_.top(w);
      pc_l_o.expect(w, top.path[kLeft].pc);
      mask_l_o.expect(w, top.path[kLeft].mask);
      pc_r_o.expect(w, top.path[kRight].pc);
      mask_r_o.expect(w, top.path[kRight].mask);
      rpc_o.expect(w, top.rpc);
      valid_l_o.expect(w, top.path[kLeft].mask != 0);
      valid_r_o.expect(w, top.path[kRight].mask != 0);
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

  DpeStackOracle oracle_{kWarps, Set::kDepth, Set::kTakenLeft != 0};
};

// ---- random lockstep

template <class Set>
class DpeStackRandom : public testing::Test {};
using Sets = ParameterSets<models::dpe_stack_small, models::dpe_stack_deep, models::dpe_stack_wide, models::dpe_stack_default>;
TYPED_TEST_SUITE(DpeStackRandom, Sets, SetNames);

// Legal inputs from a few PCs behind `base`, so that paths often stand at a reconvergence point; base moves now and then,
// and some branches meet at a power of two.
template <class Set>
DpeStackOracle::Inputs random_inputs(Random& random, const DpeStackOracle& oracle, Pc& base) {
  if (random.chance(3)) base = random.base(6);
  const auto pc = [&] { return base + 4 * random.below(6); };
  std::vector<WarpId> idle;
  std::vector<std::pair<WarpId, unsigned>> paths;
  for (WarpId w = 0; w < Set::kNumWarps; ++w) {
    if (oracle.depth(w) == 0) idle.push_back(w);
    for (unsigned slot = 0; slot < 2; ++slot) {
      if (oracle.top(w).path[slot].mask != 0) paths.emplace_back(w, slot);
    }
  }
  DpeStackOracle::Inputs in;
  if (!idle.empty() && random.chance(30)) in.launch = {random.pick(idle), pc(), random.some_lanes(Set::kLanes)};
  if (!paths.empty() && random.chance(60)) {
    const auto [warp, slot] = random.pick(paths);
    const DpeEntry top = oracle.top(warp);
    const DpePath other = top.path[1 - slot];
    DpeStackOracle::Resolve r{warp, slot, random.lanes(Set::kLanes), pc(), pc(), pc(), 0};
    if (random.chance(60)) r.taken = random.next() & lane_mask(Set::kLanes);  // divergent more often than not
    if (random.chance(25)) r.rpc = base + 0x100 + 4 * random.below(64);      // out of reach: nest deeper
    if (random.chance(30)) r.rpc = top.rpc;
    if (random.chance(10)) r.rpc = kNoRpc;
    if (random.chance(10)) {  // two sides around the one PC with this bit alone
      r.rpc = Pc{1} << random.below(32);
      r.target = r.rpc - 4 * random.below(3);
      r.next = r.rpc - 4 * random.below(3);
    }
    if (random.chance(10)) r.target = r.next = top.rpc;  // all threads arrive
    if (random.chance(20) && r.rpc != kNoRpc) r.target = r.rpc - 4;
    if (random.chance(10)) r.exit = top.path[slot].mask & random.next();
    if (random.chance(3)) r.exit = top.path[slot].mask;
    in.resolve = r;
    if (other.mask != 0 && other.pc + 4 == top.rpc && random.chance(50)) {
      // The sibling arrives in the cycle in which this path meets a branch with the same reconvergence point.
      in.resolve->rpc = top.rpc;
      in.advance = {warp, 1 - slot};
      return in;
    }
  }
  if (!paths.empty() && random.chance(60)) {
    auto [warp, slot] = random.pick(paths);
    if (in.resolve && random.chance(60)) {  // the sibling of the resolving path advances
      warp = in.resolve->warp;
      slot = 1 - in.resolve->slot;
    }
    const bool resolves = in.resolve && in.resolve->warp == warp && in.resolve->slot == slot;
    if (oracle.top(warp).path[slot].mask != 0 && !resolves) in.advance = {warp, slot};
  }
  return in;
}

TYPED_TEST(DpeStackRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  Coverage met;
  const unsigned cycles = TypeParam::kNumWarps > 8 ? 3000 : 15000;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    Pc base = 0x100;
    DpeStackBench<TypeParam> bench(seed);
    for (unsigned i = 0; i < cycles; ++i) {
      if (random.below(1000) == 0) bench.reset();
      const auto in = random_inputs<TypeParam>(random, bench.oracle(), base);
      DpeEntry before;
      if (in.resolve) before = bench.oracle().top(in.resolve->warp);
      const auto events = bench.step(in);
      const bool together = in.resolve && in.advance && in.resolve->warp == in.advance->warp;
      met.hit("push", events.push.has_value());
      met.hit("replacement", events.replaced);
      met.hit("tail_kept", events.push && !events.replaced &&
                               bench.oracle().top(*events.push).rpc == before.rpc);
      if (TypeParam::kDepth < TypeParam::kLanes && TypeParam::kDepth <= 5) {
        met.hit("overflow", events.overflow.has_value());
        met.hit("overflow_with_advance", events.overflow && together);
      }
      met.hit("push_with_advance", events.push && together);
      met.hit("sibling_arrives_in_the_cycle_of_replacement", events.replaced && together);
      met.hit("done", events.done.has_value());
      met.hit("pop", events.pop.has_value() && !events.done);
      met.hit("no_rpc", events.push && bench.oracle().top(*events.push).rpc == kNoRpc);
      met.hit("partial_exit", in.resolve && in.resolve->exit != 0 &&
                                  in.resolve->exit != before.path[in.resolve->slot].mask);
      if (TypeParam::kNumWarps > 1) met.hit("push_and_pop_of_two_warps", events.push && events.pop);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// One side of a branch is at the reconvergence PC already, the other jumps or advances there.
TYPED_TEST(DpeStackRandom, EveryBitOfAReconvergencePcAloneMakesOne) {
  constexpr unsigned kTaken = TypeParam::kTakenLeft != 0 ? kLeft : kRight, kNext = 1 - kTaken;
  DpeStackBench<TypeParam> stack;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const Pc rpc = Pc{1} << bit;
    stack.launch(0, 0x123, 0b1111);
    stack.branch(0, kLeft, 0b1000, rpc, 0x456, rpc);
    EXPECT_EQ(stack.entries().back().path[kTaken].mask, 0u);
    stack.jump(0, kNext, rpc);
    EXPECT_EQ(stack.idle().pop, WarpId{0});
    stack.branch(0, kLeft, 0b0110, rpc - 4, rpc, rpc);
    EXPECT_EQ(stack.entries().back().path[kNext].mask, 0u);
    stack.advance(0, kTaken);
    EXPECT_EQ(stack.idle().pop, WarpId{0});
    EXPECT_EQ(stack.entries(), (Entries{{{{{rpc, 0b1111}, {0, 0}}}, kNoRpc}}));
    stack.exit(0, kLeft);
    EXPECT_EQ(stack.idle().done, WarpId{0});
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
  EXPECT_EQ(stack.idle().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b1111}, {0, 0}}}, kNoRpc}, {{{{kB + 4, 0b1000}, {kF, 0b0111}}}, kG}}));

  // F and then B reach G: one path of four threads again.
  stack.jump(0, kRight, kG);
  stack.jump(0, kLeft, kG);
  stack.idle();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b1111}, {0, 0}}}, kNoRpc}}));
  stack.exit(0, kLeft);
  EXPECT_EQ(stack.idle().done, WarpId{0});
  EXPECT_TRUE(stack.entries().empty());
}

TEST(DpeStackExample, AnAdvanceOfTheSiblingInTheCycleOfThePushIsKept) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.step({{}, DpeStackOracle::Advance{0, kLeft}, DpeStackOracle::Resolve{0, kRight, 0b0110, kD, kE, kF, 0}});
  EXPECT_EQ(stack.entries()[1], (DpeEntry{{{{kB + 4, 0b1000}, {kF, 0b0111}}}, kG}));
}

TEST(DpeStackExample, ASiblingThatArrivesInTheCycleOfATailBranchIsReplacedWithIt) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kG - 4, kC, kG);
  const auto events =
      stack.step({{}, DpeStackOracle::Advance{0, kLeft}, DpeStackOracle::Resolve{0, kRight, 0b0110, kD, kE, kG, 0}});
  EXPECT_TRUE(events.replaced);
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
  stack.idle();
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
  stack.idle();
  EXPECT_EQ(stack.entries(2), (Entries{{{{{0, 0b1000}, {kC, 0b0111}}}, kNoRpc}}));
}

TEST(DpeStackExample, ThreadsThatExitAreGoneFromTheEntriesBelow) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.exit(0, kLeft);
  EXPECT_EQ(stack.oracle().live(0), 0b0111u);
  stack.jump(0, kRight, kG);
  stack.idle();
  EXPECT_EQ(stack.entries(), (Entries{{{{{kG, 0b0111}, {0, 0}}}, kNoRpc}}));
}

TEST(DpeStackExample, AnEntryAllOfWhoseThreadsExitedPopsWithoutRunning) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.exit(0, kLeft);
  stack.exit(0, kRight);
  EXPECT_FALSE(stack.idle().done);
  EXPECT_EQ(stack.idle().done, WarpId{0});
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
  EXPECT_EQ(stack.entries(), full);
  EXPECT_EQ(stack.oracle().live(0), lane_mask(8));
  EXPECT_EQ(stack.oracle().max_depth(), Small::kDepth);
}

TEST(DpeStackExample, OfTwoWarpsWithEmptyTopsTheLowerPopsFirst) {
  DpeStackBench<Small> stack;
  stack.launch(2, kA, 0b1);
  stack.launch(1, kA, 0b1111);
  stack.branch(1, kLeft, 0b1000, kG - 4, kG, kG);
  // In one cycle warp 1 arrives at G and warp 2 exits.
  stack.step({{}, DpeStackOracle::Advance{1, kLeft}, DpeStackOracle::Resolve{2, kLeft, 0, kB, kB, kNoRpc, 0b1}});
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
        stack.idle();
        continue;
      }
      const unsigned slot = top.path[0].mask == 0 ? 1 : top.path[1].mask == 0 ? 0 : random.below(2);
      // A new reconvergence point for every branch: the deepest nesting there is.
      const Pc rpc = random.chance(70) ? 0x1000 + 4 * i : top.rpc;
      const LaneMask taken = random.next() & 0b1111;
      const Pc target = rpc != kNoRpc && random.chance(10) ? rpc : 0x200;
      EXPECT_FALSE(stack.branch(0, slot, taken, target, 0x300, rpc).overflow);
    }
  }
}

// ---- mistakes of the caller are asserted by the RTL

TEST(DpeStackMistake, ALaunchOfARunningWarp) {
  DpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.launch(0, kA, 0b1), RtlAssertion);
}

TEST(DpeStackMistake, ALaunchWithoutThreads) {
  DpeStackBench<Small> stack;
  EXPECT_THROW(stack.launch(0, kA, 0), RtlAssertion);
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

}  // namespace
}  // namespace heddle::test
