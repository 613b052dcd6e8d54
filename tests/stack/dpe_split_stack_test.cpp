// SPDX-License-Identifier: Apache-2.0
// stack/dpe_split_stack: random lockstep of RTL, twin and oracle; parts step by step.
#include "stack/dpe_split_stack.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/dpe_split_stack_odd.h"
#include "models/dpe_split_stack_small.h"
#include "tests/stack/dpe_stack_bench.h"
#include "tests/stack/dpe_stack_random.h"

namespace heddle::test {
namespace {

template <class Set>
using DpeStackTwin =
    dpe_split_stack<Set::kNumWarps, Set::kLanes, Set::kDepth, Set::kTakenLeft, Set::kLevelW, Set::kWatch>;

template <class Set>
class DpeStackBench : public DpeStackBenchOf<Set, DpeStackTwin<Set>, false, true> {
  using Base = DpeStackBenchOf<Set, DpeStackTwin<Set>, false, true>;
  using Base::kWarpWidth;

 public:
  using Base::kLanes;
  using Base::kWarps;
  explicit DpeStackBench(std::uint64_t seed = 0, bool splits = true) : Base(seed, splits) { this->reset(); }

 private:
  HEDDLE_INPUT(merge_i, 1, 2 * kWarps);
  HEDDLE_INPUT(stopped_i, 1, 2 * kWarps);
  HEDDLE_INPUT(split_valid_i, 1, 1);
  HEDDLE_INPUT(split_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(split_slot_i, 1, 1);
  HEDDLE_INPUT(split_mask_i, kLanes, 1);
  HEDDLE_INPUT(resolve_kind_i, 4, 1);
  HEDDLE_OUTPUT(wait_o, 1, 2 * kWarps);
  HEDDLE_OUTPUT(parts_o, 1, kWarps);
  HEDDLE_OUTPUT(splits_o, 32, 1);
  HEDDLE_OUTPUT(merges_o, 32, 1);

  void drive(const DpeStackOracle::Inputs& in) override {
    for (unsigned path = 0; path < 2 * kWarps; ++path) {
      merge_i.set(path, in.apart.count({path % kWarps, path / kWarps}) == 0);
      stopped_i.set(path, in.stopped.count({path % kWarps, path / kWarps}) != 0);
    }
    split_valid_i = in.split.has_value();
    if (in.split) {
      split_warp_i = in.split->warp;
      split_slot_i = in.split->slot;
      split_mask_i = in.split->mask;
    }
    // Only MarkOnce means something here.
    if (in.resolve) resolve_kind_i = in.resolve->kind != kMarkOnce ? this->cycles() % kMarkOnce : kMarkOnce;
  }
  void expect_own(const std::set<DpeStackOracle::PathId>& stopped_now) override {
    for (WarpId w = 0; w < kWarps; ++w) {
      for (const unsigned slot : {kLeft, kRight})
        wait_o.expect(slot * kWarps + w, this->oracle().waits(w, slot, stopped_now));
      parts_o.expect(w, this->oracle().top(w).parts);
    }
    splits_o.expect(Set::kWatch != 0 ? this->oracle().splits() : 0);
    merges_o.expect(Set::kWatch != 0 ? this->oracle().merges() : 0);
  }
};

template <class Model>
struct Set : Model {
  using Bench = DpeStackBench<Model>;
};
using Sets = ParameterSets<Set<models::dpe_split_stack_small>, Set<models::dpe_split_stack_odd>>;
INSTANTIATE_TYPED_TEST_SUITE_P(DpeSplitStack, DpeStackRandom, Sets, SetNames);

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
      auto in = random_inputs<DpeStackBench<Set>>(random, bench.oracle(), base, holds, parts);
      in.split.reset();
      bench.step(in);
    }
  }
}

TEST(DpeSplitStackExample, WithoutASplitEveryPinIsThatOfAStackThatDoesNotSplit) {
  lockstep_without_splits<models::dpe_split_stack_small>();
  lockstep_without_splits<models::dpe_split_stack_odd>();
}

// ---- memory-divergence splitting (PCs of Figure 1)

using Splitting = models::dpe_split_stack_small;

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

TEST(DpeSplitStackExample, ThreadsThatHaveWhatTheLoadBroughtGoOnAndTheOthersJoinThem) {
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

TEST(DpeSplitStackExample, APathInTheRightSlotLeavesTheOthersInTheLeftOne) {
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

TEST(DpeSplitStackExample, APathThatWasJoinedMayBeSplitAgain) {
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

TEST(DpeSplitStackExample, WhoGoesFirstIsJoinedAndTheSlotThatIsLeftIsHis) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.advance(0, kRight);
  stack.advance(0, kLeft);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA + 4, 0}, {kA + 4, 0b1111}}}, kNoRpc}}));
  // The path is split in that slot, too.
  stack.split(0, kRight, 0b1000);
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kA + 4, 0b1000}, {kA + 4, 0b0111}}}, kNoRpc})}));
}

TEST(DpeSplitStackExample, AJumpToWhereTheOtherPartStandsJoinsItAndDoesNotGoOn) {
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

TEST(DpeSplitStackExample, AtOnePcAtTwoLevelsTheyAreTwo) {
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

TEST(DpeSplitStackExample, WhoMayNotBeJoinedIsPassed) {
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

TEST(DpeSplitStackExample, SidesOfABranchAreNoPartsAndPassEachOther) {
  DpeStackBench<Splitting> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  stack.jump(0, kLeft, kC);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kC, 0b1000}, {kC, 0b0111}}}, kG}));
  stack.stopped = {{0, kLeft}, {0, kRight}};
  stack.meet();
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kC, 0b1000}, {kC, 0b0111}}}, kG}));
}

TEST(DpeSplitStackExample, PartsThatDoNotMeetBeforeEndAtThePlaceOfTheirEntry) {
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

TEST(DpeSplitStackExample, WhoseOtherPartHasArrivedMayBeSplitAgain) {
  DpeStackBench<Splitting> stack;
  split_at_c(stack);
  stack.jump(0, kRight, kG);
  stack.split(0, kLeft, 0b0001);
  EXPECT_EQ(stack.entries().back(), parts({{{{kC, 0b0010}, {kC, 0b0001}}}, kG}));
}

TEST(DpeSplitStackExample, PartsReturnApart) {
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

TEST(DpeSplitStackExample, APathWhoseThreadsDivergeWaitsForItsOtherPartAtTheBranch) {
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

TEST(DpeSplitStackExample, ABranchThatIsItsOwnNextDoesNotGoOn) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.jump(0, kLeft, kB);
  EXPECT_FALSE(stack.branch(0, kLeft, 0b1000, kD, kB, kF).resolved->next);
}

TEST(DpeSplitStackExample, ThreadsThatExitDoNotWait) {
  DpeStackBench<Splitting> stack;
  stack.launch(0, kA, 0b1111);
  stack.split(0, kLeft, 0b0001);
  stack.jump(0, kLeft, kB);
  stack.branch(0, kLeft, 0b1000, kD, kE, kF, 0b0010);
  EXPECT_EQ(stack.entries(), (Entries{parts({{{at_its_branch(kB, 0b1100), {kA, 0b0001}}}, kNoRpc})}));
  EXPECT_EQ(stack.oracle().live(0), 0b1101u);
}

TEST(DpeSplitStackExample, WhoDivergesWhereTheOtherPartStandsJoinsIt) {
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

TEST(DpeSplitStackExample, AWaitEndsAsTheOtherPartArrives) {
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

TEST(DpeSplitStackExample, AWaitEndsAsTheOtherPartExitsAndTheTailBranchReplacesTheEntry) {
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

TEST(DpeSplitStackExample, BesideAPartThatWaitsTheOtherOneDivergesAndTheyArePartsAgainBehindThePop) {
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

TEST(DpeSplitStackExample, ATailBranchBesideAPartThatWaitsLeavesItAlone) {
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

TEST(DpeSplitStackExample, APartAllOfWhoseThreadsExitAboveIsGoneBehindThePop) {
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

TEST(DpeSplitStackExample, AWaitEndsAsTheOtherPartStopsAtABarrierAndDoesNotBeginAgain) {
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

TEST(DpeSplitStackExample, BesideAPartAtABarrierTheOtherOneDiverges) {
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

TEST(DpeSplitStackExample, AnInstructionThatCannotBeExecutedAgainDoesNotWait) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.jump(0, kLeft, kB);
  DpeStackOracle::Resolve calls{0, kLeft, 0b1000, kFunction, kB, kB + 4, 0, true};
  calls.kind = kMarkOnce;
  EXPECT_EQ(stack.resolve(calls).push, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kB + 4, 0b1100}, {kA, 0b0011}}}, kNoRpc}),
                                      {{{{kFunction, 0b1000, 1}, {kB, 0b0100}}}, kB + 4}}));
  // Where the other part stands it does not join it either; all threads to one place do.
  stack.reset();
  split_at_a(stack);
  DpeStackOracle::Resolve apart{0, kLeft, 0b1000, kB, kC, kG, 0};
  apart.kind = kMarkOnce;
  EXPECT_EQ(stack.resolve(apart).push, WarpId{0});
  stack.reset();
  split_at_a(stack);
  apart.taken = 0b1100;
  apart.target = kA;
  stack.resolve(apart);
  EXPECT_EQ(stack.entries(), (Entries{{{{{kA, 0}, {kA, 0b1111}}}, kNoRpc}}));
}

TEST(DpeSplitStackExample, BehindABarrierThePartsOfARowMeet) {
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

TEST(DpeSplitStackExample, WhoWaitsNeedsNoEntryWhereThereIsNone) {
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

TEST(DpeSplitStackExample, PartsAtOneBarrierAreChosenInOneCycleAndMeetInTheNext) {
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

TEST(DpeSplitStackExample, PartsAtTwoBarriersDoNotMeet) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.advance(0, kLeft);
  stack.stopped = {{0, kLeft}, {0, kRight}};
  for (unsigned i = 0; i < 5; ++i) stack.idle();
  EXPECT_EQ(stack.entries(), (Entries{parts({{{{kA + 4, 0b1100}, {kA, 0b0011}}}, kNoRpc})}));
}

TEST(DpeSplitStackExample, EveryBitOfPcAndLevelSaysWhetherPartsAreAtOnePlace) {
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

TEST(DpeSplitStackExample, OfTwoWarpsTheLowerMeetsFirst) {
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

TEST(DpeSplitStackExample, AResolutionThatActsAsTheyAreChosenMayMakeThemOneBefore) {
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

TEST(DpeSplitStackExample, PartsThatComeToBeOrJoinAsTheyWouldHaveMetDoNotMeet) {
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

TEST(DpeSplitStackExample, AKillWithAJoinIsNotCounted) {
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

TEST(DpeSplitStackExample, AKillAsAPathBeginsToWait) {
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

TEST(DpeSplitStackExample, AKillOfPartsLeavesNoneToTheNextLaunch) {
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

TEST(DpeSplitStackExample, AKillInTheCycleOfTheChoiceAndInThatOfTheMeet) {
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

TEST(DpeSplitStackMistake, ASplitOfAPathThatIsNotThereOrNotAlone) {
  DpeStackBench<Splitting> empty;
  empty.launch(0, kA, 0b1111);
  EXPECT_THROW(empty.split(0, kRight, 0b0011), RtlAssertion);
  DpeStackBench<Splitting> two;
  two.launch(0, kA, 0b1111);
  two.branch(0, kLeft, 0b1000, kB, kC, kG);
  EXPECT_THROW(two.split(0, kRight, 0b0011), RtlAssertion);
}

TEST(DpeSplitStackMistake, ASplitThatLeavesAPartWithoutThreads) {
  DpeStackBench<Splitting> all;
  all.launch(0, kA, 0b1111);
  EXPECT_THROW(all.split(0, kLeft, 0b11111), RtlAssertion);
  DpeStackBench<Splitting> none;
  none.launch(0, kA, 0b1111);
  EXPECT_THROW(none.split(0, kLeft, 0b10000), RtlAssertion);
}

TEST(DpeSplitStackMistake, ASplitWithAKillAnAdvanceOrAResolutionOfItsWarp) {
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

TEST(DpeSplitStackMistake, AnAdvanceOrAResolutionOfAPathThatWaits) {
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

TEST(DpeSplitStackMistake, AnAdvanceToAPartWhoseResolutionIsTakenIn) {
  DpeStackBench<Splitting> stack;
  split_at_a(stack);
  stack.advance(0, kLeft);
  EXPECT_THROW(
      stack.step({{}, DpeStackOracle::Advance{0, kRight}, DpeStackOracle::Resolve{0, kLeft, 0, kB, kB, kNoRpc, 0}}),
      RtlAssertion);
}

TEST(DpeSplitStackMistake, AnAdvanceOrAResolutionAsPartsMeet) {
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

}  // namespace
}  // namespace heddle::test
