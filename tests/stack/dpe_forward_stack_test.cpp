// SPDX-License-Identifier: Apache-2.0
// stack/dpe_forward_stack: random lockstep of RTL, twin and oracle; guests step by step.
#include "stack/dpe_forward_stack.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/dpe_forward_stack_odd.h"
#include "models/dpe_forward_stack_small.h"
#include "tests/stack/dpe_stack_bench.h"
#include "tests/stack/dpe_stack_random.h"

namespace heddle::test {
namespace {

template <class Set>
using DpeStackTwin =
    dpe_forward_stack<Set::kNumWarps, Set::kLanes, Set::kDepth, Set::kTakenLeft, Set::kLevelW, Set::kWatch>;

template <class Set>
class DpeStackBench : public DpeStackBenchOf<Set, DpeStackTwin<Set>, true> {
  using Base = DpeStackBenchOf<Set, DpeStackTwin<Set>, true>;

 public:
  using Base::kWarps;
  explicit DpeStackBench(std::uint64_t seed = 0) : Base(seed) { this->reset(); }

 private:
  HEDDLE_INPUT(hold_i, 1, kWarps);
  HEDDLE_OUTPUT(forwards_o, 32, 1);

  void drive(const DpeStackOracle::Inputs& in) override {
    for (WarpId w = 0; w < kWarps; ++w) hold_i.set(w, in.hold.count(w) != 0);
  }
  void expect_own(const std::set<DpeStackOracle::PathId>& /*stopped_now*/) override {
    forwards_o.expect(Set::kWatch != 0 ? this->oracle().forwards() : 0);
  }
};

template <class Model>
struct Set : Model {
  using Bench = DpeStackBench<Model>;
};
using Sets = ParameterSets<Set<models::dpe_forward_stack_small>, Set<models::dpe_forward_stack_odd>>;
INSTANTIATE_TYPED_TEST_SUITE_P(DpeForwardStack, DpeStackRandom, Sets, SetNames);

// ---- path forwarding (PCs of Figure 1)

using Forwarding = models::dpe_forward_stack_small;

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

TEST(DpeForwardStackExample, FigureFourDTheSuspendedBlockRunsBesideTheOneThatIsLeft) {
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

TEST(DpeForwardStackExample, AGuestThatArrivesIsNotThereWhenTheTopPops) {
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

TEST(DpeForwardStackExample, AGuestMayArriveInTheCycleOfThePop) {
  DpeStackBench<Forwarding> stack;
  forward_b(stack, kG - 8);
  stack.jump(0, kRight, kF);
  EXPECT_FALSE(stack.advance(0, kLeft).pop);
  EXPECT_EQ(stack.advance(0, kLeft).pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{kAllAtG, {{{{kG, 0}, {kF, 0b0111}}}, kG}}));
}

TEST(DpeForwardStackExample, AGuestPassesThePlaceOfTheEntryItIsIn) {
  DpeStackBench<Forwarding> stack;
  forward_b(stack, kF - 4);
  stack.advance(0, kLeft);
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{guest(kF, 0b1000, 1), {kE, 0b0001}}}, kF}));
  stack.jump(0, kLeft, kF);
  EXPECT_EQ(stack.entries().back(), handed(kLeft, {{{guest(kF, 0b1000, 1), {kE, 0b0001}}}, kF}));
}

TEST(DpeForwardStackExample, AGuestThatExitsIsGoneFromTheEntriesBelow) {
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

TEST(DpeForwardStackExample, AGuestDivergesAboveThePathBesideWhichItRan) {
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

TEST(DpeForwardStackExample, ATailBranchOfAGuestLeavesItsSlotAndMeetsAtItsPlace) {
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

TEST(DpeForwardStackExample, ABranchWithoutReconvergencePointInheritsThePlaceOfTheGuest) {
  DpeStackBench<Forwarding> stack;
  forward_two(stack);
  stack.branch(0, kLeft, 0b1000, 0x210, 0x220, kNoRpc);
  EXPECT_EQ(stack.entries()[3], offered(kRight, {{{{0x210, 0b1000}, {0x220, 0b0100}}}, kG}));
}

TEST(DpeForwardStackExample, AGuestOfAGuestGoesOnFromEntryToEntry) {
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

TEST(DpeForwardStackExample, AGuestOfAGuestThatIsGoneIsGoneFromAllEntries) {
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

TEST(DpeForwardStackExample, AGuestWhoseThreadsExitOneByOneIsGoneAsItsSidesPop) {
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

TEST(DpeForwardStackExample, AnEntryThatReplacesOneWhoseGuestIsGoneGetsNoOther) {
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

TEST(DpeForwardStackExample, AnEntryThatReplacesOneBeforeTheGuestCameIsOfferedIt) {
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

TEST(DpeForwardStackExample, TheOtherSlotsEndForwardsNothing) {
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

TEST(DpeForwardStackExample, ThePathBesideItMayAdvanceAndArriveAsAPathIsForwarded) {
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

TEST(DpeForwardStackExample, NothingIsForwardedWhileTheWarpHolds) {
  DpeStackBench<Forwarding> stack;
  suspend_b(stack);
  stack.jump(0, kLeft, kF);
  for (unsigned i = 0; i < 4; ++i) EXPECT_FALSE(stack.hold({0}).forward);
  // Chosen in the first cycle in which it does not; what it says in the next is too late.
  EXPECT_FALSE(stack.idle().forward);
  EXPECT_EQ(stack.hold({0}).forward, WarpId{0});
}

TEST(DpeForwardStackExample, NothingIsPoppedUnderAGuestWhileTheWarpHolds) {
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

TEST(DpeForwardStackExample, OfTwoWarpsTheLowerIsServedFirstWhateverItWaitsFor) {
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

TEST(DpeForwardStackExample, AKillInTheCycleOfTheChoice) {
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

TEST(DpeForwardStackExample, AKillInTheCycleOfTheForward) {
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

TEST(DpeForwardStackExample, AKillWithAGuestLeavesNoneToTheNextLaunch) {
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
TEST(DpeForwardStackExample, AnAddressThatAGuestsFunctionBringsIsNotThatOfTheEntryItIsIn) {
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

TEST(DpeForwardStackExample, ATailBranchOfAGuestThatIsAloneKeepsTheAddressForWhichTheEntryBelowWaits) {
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

TEST(DpeForwardStackExample, ATailBranchOfAGuestThatIsAloneReplacesAnEntryThatKnowsNoAddress) {
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

TEST(DpeForwardStackExample, AGuestWhoseFunctionReturnsToItsPlaceIsGone) {
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

TEST(DpeForwardStackExample, APathThatMeetsOthersWhereItReturnsStaysWhereItIs) {
  DpeStackBench<Forwarding> stack;
  enter(stack);
  stack.branch(0, kLeft, 0b1000, kB, kC, kReturnRpc);
  stack.branch(0, kRight, 0b0110, kD, kE, kF);
  EXPECT_EQ(stack.entries().back(), (DpeEntry{{{{kD, 0b0110, 1}, {kE, 0b0001, 1}}}, Place::at(kF, 1)}));
  stack.jump(0, kLeft, kF);
  EXPECT_FALSE(stack.forward().forward);
}

TEST(DpeForwardStackExample, AGuestWithoutAPlaceArrivesNowhere) {
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

TEST(DpeForwardStackExample, EveryBitOfThePlaceOfAGuestCounts) {
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

TEST(DpeForwardStackExample, AGuestArrivesAtTheLevelOfItsPlaceOnly) {
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

TEST(DpeForwardStackMistake, AResolutionOfAWarpThatDidNotHold) {
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

}  // namespace
}  // namespace heddle::test
