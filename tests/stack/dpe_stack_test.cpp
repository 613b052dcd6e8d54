// SPDX-License-Identifier: Apache-2.0
// stack/dpe_stack: random lockstep of RTL, twin and oracle; the DPE paper's examples and functions step by step.
#include "stack/dpe_stack.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/dpe_stack_deep.h"
#include "models/dpe_stack_default.h"
#include "models/dpe_stack_small.h"
#include "models/dpe_stack_wide.h"
#include "tests/stack/dpe_stack_bench.h"
#include "tests/stack/dpe_stack_random.h"

namespace heddle::test {
namespace {

template <class Set>
using DpeStackTwin = dpe_stack<Set::kNumWarps, Set::kLanes, Set::kDepth, Set::kTakenLeft, Set::kLevelW, Set::kWatch>;

template <class Set>
class DpeStackBench : public DpeStackBenchOf<Set, DpeStackTwin<Set>> {
 public:
  explicit DpeStackBench(std::uint64_t seed = 0) : DpeStackBenchOf<Set, DpeStackTwin<Set>>(seed) { this->reset(); }
};

template <class Model>
struct Set : Model {
  using Bench = DpeStackBench<Model>;
};
using Sets = ParameterSets<Set<models::dpe_stack_small>, Set<models::dpe_stack_deep>, Set<models::dpe_stack_wide>,
                           Set<models::dpe_stack_default>>;
INSTANTIATE_TYPED_TEST_SUITE_P(DpeStack, DpeStackRandom, Sets, SetNames);

// ---- worked examples (4 lanes in the text's order: lane 3 is its first digit)

using Small = models::dpe_stack_small;
// Figure 1: basic blocks, three instructions each but F.
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
