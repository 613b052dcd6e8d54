// SPDX-License-Identifier: Apache-2.0
// stack/convergence_barriers: random lockstep of RTL, twin, its logic and oracle; barriers, yields and warpsyncs by
// example.
#include <gtest/gtest.h>

#include <vector>

#include "models/convergence_barriers_default.h"
#include "models/convergence_barriers_fair.h"
#include "models/convergence_barriers_fair_leaves.h"
#include "models/convergence_barriers_loops.h"
#include "models/convergence_barriers_loops_leaves.h"
#include "models/convergence_barriers_small.h"
#include "models/convergence_barriers_swaps_leaves.h"
#include "models/convergence_barriers_wide.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/stack/convergence_barriers_bench.h"

namespace heddle::test {
namespace {

using Oracle = BarriersOracle;
using Resolve = Oracle::Resolve;

template <class Set>
class BarriersRandom : public testing::Test {};
using Sets = ParameterSets<models::convergence_barriers_small, models::convergence_barriers_swaps_leaves,
                           models::convergence_barriers_fair, models::convergence_barriers_fair_leaves,
                           models::convergence_barriers_loops, models::convergence_barriers_loops_leaves,
                           models::convergence_barriers_wide, models::convergence_barriers_default>;
TYPED_TEST_SUITE(BarriersRandom, Sets, SetNames);

// Legal inputs from a few PCs behind `base`. Most marks are such that something comes of them: a barrier is armed that
// is not, or one of the path's is come to, broken or saved.
template <class Set>
class RandomInputs {
 public:
  RandomInputs(Random& random, const Oracle& oracle, Pc& base) : random_(random), oracle_(oracle), base_(base) {
    if (random.chance(3)) base = random.base(6) & ~Pc{Set::kPcStep - 1};
  }

  Oracle::Inputs make() {
    std::vector<WarpId> ended, running, stuck;
    for (WarpId w = 0; w < Set::kNumWarps; ++w) {
      if (oracle_.depth(w) == 0) ended.push_back(w);
      if (oracle_.path(w).mask != 0 && oracle_.acting() != w) running.push_back(w);
      if (oracle_.stuck(w)) stuck.push_back(w);
    }
    Oracle::Inputs in;
    if (!ended.empty() && random_.chance(30)) {
      const LaneMask all = lane_mask(Set::kLanes);
      in.launch = {random_.pick(ended), pc(), random_.chance(60) ? all : random_.some_lanes(Set::kLanes)};
    }
    if (!running.empty() && random_.chance(60)) in.resolve = resolution(random_.pick(running));
    if (!running.empty() && random_.chance(30)) {
      const WarpId warp = random_.pick(running);
      if (!in.resolve || in.resolve->warp != warp) in.advance = warp;
    }
    if (random_.chance(stuck.empty() ? 3 : 20)) in.kill = kill(in, stuck);
    return in;
  }

 private:
  Pc pc() { return base_ + Set::kPcStep * random_.below(6); }

  Resolve resolution(WarpId warp) {
    const LaneMask path = oracle_.path(warp).mask;
    Resolve r;
    r.warp = warp;
    r.next = oracle_.path(warp).pc + Set::kPcStep;
    r.place = random_.chance(70) ? pc() : Pc(random_.next()) & ~Pc{1};
    r.operand = random_.next();
    r.barrier = random_.below(Set::kBarriers);
    switch (random_.below(14)) {
      case 0:
      case 1: arm(r); break;
      case 2:
      case 3:
      case 4: with_ours(r, Mark::kArrive); break;
      case 5: with_ours(r, Mark::kBreak); break;
      case 6: r.mark = Mark::kYield; break;
      case 7:
      case 8: sync(r); break;
      case 9: with_ours(r, random_.chance(60) ? Mark::kSave : Mark::kSavePc); break;
      case 10:
        if (random_.chance(50)) return r = restore(r);
        [[fallthrough]];
      default: branch(r, path); break;
    }
    return r;
  }

  void branch(Resolve& r, LaneMask path) {
    r.taken = random_.lanes(Set::kLanes);
    r.target = random_.chance(10) ? r.next : pc();
    r.call = random_.chance(10);
    r.returns = !r.call && random_.chance(10);
    if (random_.chance(10)) r.exit = path & random_.next();
    if (random_.chance(4)) r.exit = path;
    if (random_.chance(20)) r.next = pc();
    if (random_.chance(10)) r.target = r.next + (Pc{1} << random_.between(1, 31));
  }
  void arm(Resolve& r) {
    r.mark = Mark::kArm;
    if (random_.chance(10)) return armed_by_others(r);
    for (unsigned i = 0; i < 3 && oracle_.members(r.warp, r.barrier); ++i) r.barrier = random_.below(Set::kBarriers);
  }
  void armed_by_others(Resolve& r) {
    for (unsigned b = 0; b < Set::kBarriers; ++b) {
      const auto members = oracle_.members(r.warp, b);
      if (members && (*members & oracle_.path(r.warp).mask) == 0) r.barrier = b;
    }
  }
  void with_ours(Resolve& r, Mark mark) {
    r.mark = mark;
    std::vector<unsigned> ours;
    for (unsigned b = 0; b < Set::kBarriers; ++b) {
      if ((oracle_.members(r.warp, b).value_or(0) & oracle_.path(r.warp).mask) != 0) ours.push_back(b);
    }
    if (!ours.empty() && random_.chance(85)) r.barrier = random_.pick(ours);
  }
  Resolve restore(Resolve r) {
    r.mark = Mark::kRestore;
    if (random_.chance(50)) r.operand &= oracle_.path(r.warp).mask;
    if (random_.chance(20)) r.operand &= ~oracle_.live(r.warp);
    if (random_.chance(30)) r.place |= 1;  // bit 0 is not kept
    return r;
  }
  // Mostly the set for which others wait; else all threads, a half, a pair, or any.
  void sync(Resolve& r) {
    r.mark = Mark::kSync;
    const LaneMask path = oracle_.path(r.warp).mask, all = lane_mask(Set::kLanes);
    std::vector<unsigned> waited;
    for (unsigned i = Set::kBarriers; i < Set::kBarriers + Set::kLanes; ++i) {
      if ((oracle_.members(r.warp, i).value_or(0) & path) != 0) waited.push_back(i);
    }
    if (!waited.empty() && random_.chance(70)) {
      const unsigned index = random_.pick(waited);
      r.operand = *oracle_.members(r.warp, index);
      if (random_.chance(90)) r.next = oracle_.goes_on_at(r.warp, index);
      return;
    }
    const unsigned half = Set::kLanes / 2;
    switch (random_.below(4)) {
      case 0: r.operand = all; break;
      case 1: r.operand = random_.chance(50) ? lane_mask(half) : all & ~lane_mask(half); break;
      case 2: r.operand = (LaneMask{3} << random_.below(Set::kLanes - 1)) & all; break;
      default: r.operand = random_.lanes(Set::kLanes); break;
    }
    if (random_.chance(20)) r.operand |= ~all;  // what stands above the lanes does not count
  }

  std::optional<WarpId> kill(const Oracle::Inputs& in, const std::vector<WarpId>& stuck) {
    std::vector<WarpId> busy = stuck;
    if (in.resolve) busy.push_back(in.resolve->warp);
    for (const std::optional<WarpId>& warp : {oracle_.acting(), oracle_.serving(), in.advance}) {
      if (warp) busy.push_back(*warp);
    }
    const WarpId killed = busy.empty() || random_.chance(20) ? random_.below(Set::kNumWarps) : random_.pick(busy);
    if (in.launch && in.launch->warp == killed) return std::nullopt;
    return killed;
  }

  Random& random_;
  const Oracle& oracle_;
  Pc& base_;
};

TYPED_TEST(BarriersRandom, RtlTwinLogicAndOracleAgreeInEveryCycle) {
  using Set = TypeParam;
  Coverage met;
  std::vector<const char*> situations = {"release",
                                         "release_before_a_path",
                                         "release_of_a_sync",
                                         "release_without_who_has_left",
                                         "barrier_without_threads",
                                         "sync_of_a_part",
                                         "some_of_the_path_arrive",
                                         "arm_of_a_barrier_of_others",
                                         "restore"};
  situations.push_back(Set::kPolicy == kYieldSwaps ? "yield_swaps" : "yield_rotates");
  if (Set::kPolicy == kYieldIsFairAtBranches) situations.push_back("a_loop_lets_others_go");
  if (Set::kYieldMode == kYieldLeaves) situations.push_back("yield_leaves_its_barrier");
  const unsigned cycles = Set::kNumWarps > 8 ? 4000 : 20000;
  for (std::uint64_t seed = 1; seed <= seeds(3); ++seed) {
    Random random(seed);
    Pc base = 0x100;
    BarriersBench<Set> bench(seed);
    for (unsigned i = 0; i < cycles; ++i) {
      if (random.below(1000) == 0) bench.reset();
      const auto in = RandomInputs<Set>(random, bench.oracle(), base).make();
      const auto acting = bench.oracle().acting(), serving = bench.oracle().serving();
      const auto events = bench.step(in, random.pick(std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 14, 15}));
      for (const char* situation : situations) met.hit(situation, bench.oracle().met().count(situation) != 0);
      met.hit("done", events.done.has_value());
      if (Set::kPushOrder != kPushFallThroughFirst) met.hit("push", events.push.has_value());
      met.hit("killed_as_it_acts", in.kill && in.kill == acting);
      met.hit("killed_as_it_is_served", in.kill && in.kill == serving);
      met.hit("answer", bench.oracle().answer().has_value());
      for (const Told told : {Told::kStuck, Told::kArmed, Told::kMixed, Told::kMoved}) {
        met.hit("event_" + std::to_string(static_cast<int>(told)),
                bench.oracle().event() && bench.oracle().event()->what == told);
      }
    }
  }
  EXPECT_EQ(met.missing(5), "");
}

// ------------------------------------------------------------------------------------------------------- barriers
using Small = models::convergence_barriers_small;  // taken side first, Policy 0
using Program = BarriersProgram<Small>;
constexpr Pc kStart = 0x100, kSide = 0x200, kOther = 0x300, kJoin = 0x400, kEnd = 0x500;

TEST(BarriersExample, BothSidesOfABranchMeetAtTheirBarrier) {
  Program p;
  p.launch(kStart, 0b1111);
  p.arm(0, kJoin);
  p.branch(0b0011, kSide);
  EXPECT_EQ(p.path().mask, 0b0011u);
  p.arrive(0);
  EXPECT_EQ(p.waiting(0), 0b0011u);
  EXPECT_EQ(p.path().mask, 0b1100u);  // the other side runs
  EXPECT_EQ(p.path().pc, kStart + 8);
  p.arrive(0);
  EXPECT_EQ(p.path().mask, 0b1111u);
  EXPECT_EQ(p.path().pc, kJoin);
  EXPECT_FALSE(p.armed(0));
}

TEST(BarriersExample, WithoutABarrierPathsStayApart) {
  Program p;
  p.launch(kStart, 0b11);
  p.branch(0b01, kJoin);
  p.leave(0b01);
  p.jump(kJoin);
  EXPECT_EQ(p.path().mask, 0b10u);
}

// "Control Flow Management in Modern GPUs", early join with break: one thread leaves the region, and the block where
// the other three meet runs once, for all of them.
TEST(BarriersExample, AnEarlyJoinWithABreakRunsItsBlockOnce) {
  constexpr Pc kBlock = kOther;
  Program p;
  unsigned blocks = 0;
  p.launch(kStart, 0b1111);
  p.arm(0, kEnd);    // all meet at the end,
  p.arm(1, kBlock);  // and in the block who comes there
  p.branch(0b1000, kSide);
  p.break_out(1);  // thread 3 does not
  EXPECT_EQ(p.releases(), 0u);
  p.jump(kEnd);
  p.arrive(0);
  p.branch(0b0001, kBlock - 0x10);  // thread 0 comes to it straight, 1 and 2 through another block
  p.arrive(1);
  p.jump(kBlock - 0x20);
  p.arrive(1);
  while (p.path().pc == kBlock) {
    ++blocks;
    EXPECT_EQ(p.path().mask, 0b0111u);
    p.jump(kEnd);
  }
  EXPECT_EQ(blocks, 1u);
  p.arrive(0);
  EXPECT_EQ(p.path().mask, 0b1111u);
  EXPECT_EQ(p.path().pc, kEnd);
}

TEST(BarriersExample, WhoExitsInsideARegionIsNotWaitedFor) {
  Program p;
  p.launch(kStart, 0b1111);
  p.arm(0, kJoin);
  p.branch(0b0110, kSide);
  p.leave(0b0010);  // one of the two; the other goes on
  EXPECT_EQ(p.path().mask, 0b0100u);
  p.arrive(0);
  p.arrive(0);
  EXPECT_EQ(p.path().mask, 0b1101u);
  EXPECT_EQ(p.path().pc, kJoin);
}

TEST(BarriersExample, TheLastMissingThreadExitsAndTheOthersGoOn) {
  Program p;
  p.launch(kStart, 0b1111);
  p.arm(2, kJoin);
  p.branch(0b0111, kSide);
  p.arrive(2);
  p.leave(0b1000);
  EXPECT_EQ(p.path().mask, 0b0111u);
  EXPECT_EQ(p.path().pc, kJoin);
}

TEST(BarriersExample, AnExitOpensSeveralBarriersTheLowestFirst) {
  Program p;
  p.launch(kStart, 0b111);
  p.arm(0, kJoin);
  p.arm(1, kOther);
  p.branch(0b001, kSide);
  p.break_out(1);
  p.arrive(0);
  p.branch(0b010, kSide);
  p.break_out(0);
  p.arrive(1);
  p.leave(0b100);  // missing at both
  EXPECT_EQ(p.releases(), 2u);
  EXPECT_EQ(p.path().mask, 0b010u);
  EXPECT_EQ(p.path().pc, kOther);
  p.leave(0b010);
  EXPECT_EQ(p.path().mask, 0b001u);
  EXPECT_EQ(p.path().pc, kJoin);
}

TEST(BarriersExample, TheLastMissingThreadBreaksAndTheOthersGoOnBeforeIt) {
  Program p;
  p.launch(kStart, 0b1111);
  p.arm(1, kJoin);
  p.branch(0b0111, kSide);
  p.arrive(1);
  p.break_out(1);
  EXPECT_EQ(p.path().mask, 0b0111u);
  EXPECT_EQ(p.path().pc, kJoin);
  p.leave(0b0111);
  EXPECT_EQ(p.path().mask, 0b1000u);  // behind its break
  EXPECT_EQ(p.path().pc, kStart + 12);
}

TEST(BarriersExample, ABarrierOfOthersIsNeitherArmedAgainNorWaitedAt) {
  BarriersProgram<models::convergence_barriers_fair> p;
  p.launch(kStart, 0b1111);
  p.branch(0b0011, kSide);
  p.arm(0, kJoin);
  p.yield();
  EXPECT_EQ(p.path().mask, 0b1100u);
  p.arm(0, kOther);
  EXPECT_EQ(p.told(), std::nullopt);
  EXPECT_EQ(p.oracle().members(0, 0), LaneMask{0b0011});
  p.arrive(0);
  EXPECT_EQ(p.path().mask, 0b1100u);
  EXPECT_EQ(p.path().pc, kStart + 12);
}

TEST(BarriersExample, ABarrierIsUsedAgainInsideItselfAfterItsThreadsHaveMet) {
  Program p;
  p.launch(kStart, 0b1111);
  for (unsigned turn = 0; turn < 3; ++turn) {  // a loop: armed in each turn, and met at
    p.arm(0, kJoin);
    EXPECT_EQ(p.told(), std::nullopt);
    p.branch(0b0101, kSide);
    p.arrive(0);
    p.arrive(0);
    EXPECT_EQ(p.path().mask, 0b1111u);
    p.jump(kStart);
  }
  p.arm(0, kJoin);
  p.arm(0, kOther);  // before they have met: an error, and nothing changes
  EXPECT_EQ(p.told(), Told::kArmed);
  p.branch(0b0101, kSide);
  p.arm(0, kOther);
  EXPECT_EQ(p.told(), Told::kArmed);
  p.arrive(0);
  p.arrive(0);
  EXPECT_EQ(p.path().mask, 0b1111u);
  EXPECT_EQ(p.path().pc, kJoin);
}

TEST(BarriersExample, NestedBarriersMeetInsideOut) {
  Program p;
  p.launch(kStart, 0b1111);
  p.arm(0, kEnd);
  p.branch(0b0011, kSide);
  p.arm(1, kJoin);
  p.branch(0b0001, kOther);
  p.arrive(1);
  p.arrive(1);
  EXPECT_EQ(p.path().mask, 0b0011u);
  EXPECT_EQ(p.path().pc, kJoin);
  p.arrive(0);
  p.arrive(0);
  EXPECT_EQ(p.path().mask, 0b1111u);
  EXPECT_EQ(p.path().pc, kEnd);
}

TEST(BarriersExample, ThreadsThatWaitForEachOtherAreStuckUntilTheyAreKilled) {
  Program p;
  p.launch(kStart, 0b11);
  p.arm(0, kJoin);
  p.arm(1, kJoin);
  p.branch(0b01, kSide);
  p.arrive(0);
  EXPECT_EQ(p.told(), std::nullopt);
  p.arrive(1);
  EXPECT_EQ(p.told(), Told::kStuck);
  EXPECT_EQ(p.path().mask, 0u);
  for (unsigned i = 0; i < 5; ++i) {  // once
    p.step({});
    EXPECT_FALSE(p.oracle().event());
  }
  p.kill();
  p.launch(kStart, 0b11);
  p.arrive(0);  // nothing is armed
  EXPECT_EQ(p.path().mask, 0b11u);
}

TEST(BarriersExample, AWarpIsDoneWhenItsLastThreadHasLeft) {
  Program p;
  p.launch(kStart, 0b11);
  p.arm(0, kJoin);
  p.leave(0b11);
  EXPECT_EQ(p.oracle().depth(0), 0u);
}

// ------------------------------------------------------------------------------------------------ save and restore
TEST(BarriersExample, ASavedBarrierIsFreeAndMeetsWhereItDidOnceItIsRestored) {
  Program p;
  p.launch(kStart, 0b1111);
  p.arm(0, kJoin);
  const std::uint64_t place = p.save_place(0), mask = p.save(0);
  EXPECT_EQ(place, kJoin);
  EXPECT_EQ(mask, 0b1111u);
  EXPECT_FALSE(p.armed(0));
  EXPECT_EQ(p.save(0), 0u);  // nothing is there
  EXPECT_EQ(p.save_place(0), 0u);
  p.arm(0, kOther);  // another region of the same barrier
  p.branch(0b0011, kSide);
  p.arrive(0);
  p.arrive(0);
  EXPECT_EQ(p.path().pc, kOther);
  p.leave(0b0001);
  p.restore(0, mask, kJoin | 1);
  EXPECT_EQ(p.told(), std::nullopt);
  EXPECT_EQ(p.oracle().members(0, 0), LaneMask{0b1110});  // of those that live
  p.branch(0b0010, kSide);
  p.arrive(0);
  p.arrive(0);
  EXPECT_EQ(p.path().mask, 0b1110u);
  EXPECT_EQ(p.path().pc, kJoin);
}

TEST(BarriersExample, ABarrierAtWhichThreadsWaitIsNotMoved) {
  Program p;
  p.launch(kStart, 0b1111);
  p.arm(0, kJoin);
  p.branch(0b0011, kSide);
  p.arrive(0);
  EXPECT_EQ(p.save(0), 0b1111u);
  EXPECT_EQ(p.told(), Told::kMoved);
  p.restore(0, 0b1100, kOther);
  EXPECT_EQ(p.told(), Told::kArmed);
  p.arrive(0);
  EXPECT_EQ(p.path().mask, 0b1111u);
  EXPECT_EQ(p.path().pc, kJoin);
}

TEST(BarriersExample, ARestoreOfNobodyDoesNothing) {
  Program p;
  p.launch(kStart, 0b0011);
  p.restore(0, 0b1100, kJoin);
  EXPECT_FALSE(p.armed(0));
}

TEST(BarriersExample, ASaveOfABarrierOfOthersIsZero) {
  Program p;
  p.launch(kStart, 0b1111);
  p.branch(0b0011, kSide);
  p.arm(0, kJoin);
  p.branch(0b0001, kOther);
  p.arrive(0);
  p.leave(0b0010);  // opens it for thread 0
  p.leave(0b0001);
  p.arm(0, kJoin);
  EXPECT_EQ(p.path().mask, 0b1100u);
  p.branch(0b0100, kSide);
  p.break_out(0);
  EXPECT_EQ(p.save(0), 0u);
  EXPECT_EQ(p.save_place(0), 0u);
  EXPECT_TRUE(p.armed(0));
}

// -------------------------------------------------------------------------------------------------------- warpsync
TEST(WarpsyncExample, TwoPathsThatComeToOneInstructionAreOneBehindIt) {
  Program p;
  p.launch(kStart, 0b1111);
  p.branch(0b0011, kSide);
  p.jump(kJoin);
  p.sync(0b1111);
  EXPECT_EQ(p.path().mask, 0b1100u);
  p.jump(kJoin);
  p.sync(0b1111);
  EXPECT_EQ(p.path().mask, 0b1111u);
  EXPECT_EQ(p.path().pc, kJoin + 4);
  EXPECT_EQ(p.told(), std::nullopt);
}

TEST(WarpsyncExample, WhoHasExitedIsNotWaitedFor) {
  Program p;
  p.launch(kStart, 0b1111);
  p.branch(0b1100, kSide);
  p.leave(0b1000);
  p.jump(kJoin);
  p.sync(0b1111);
  p.jump(kJoin);
  p.sync(0b1111);
  EXPECT_EQ(p.path().mask, 0b0111u);
}

TEST(WarpsyncExample, TwoHalvesWaitAtOnceEachForItself) {
  Program p;
  p.launch(kStart, 0xff);
  p.branch(0b00110011, kJoin);  // half of each half
  p.sync(0x0f);                 // whoever asks for the lower half leaves the others at the instruction
  EXPECT_EQ(p.at_sync(0), 0x03u);
  EXPECT_EQ(p.path().mask, 0x30u);
  EXPECT_EQ(p.path().pc, kJoin);
  p.sync(0xf0);
  EXPECT_EQ(p.at_sync(4), 0x30u);
  EXPECT_EQ(p.path().mask, 0xccu);
  p.jump(kJoin);
  p.sync(0xf0);
  EXPECT_EQ(p.path().mask, 0xf0u);  // the upper half is there, and goes first
  EXPECT_EQ(p.path().pc, kJoin + 4);
  EXPECT_EQ(p.at_sync(0), 0x03u);
  p.leave(0xf0);
  EXPECT_EQ(p.path().mask, 0x0cu);
  EXPECT_EQ(p.path().pc, kJoin);
  p.sync(0x0f);
  EXPECT_EQ(p.path().mask, 0x0fu);
  EXPECT_EQ(p.path().pc, kJoin + 4);
}

TEST(WarpsyncExample, MasksThatDoNotFitAndOtherPlacesAreMixed) {
  Program p;
  p.launch(kStart, 0b1111);
  p.branch(0b0001, kJoin);
  p.sync(0b1111);
  p.jump(kJoin);
  p.sync(0b0011);  // its lowest lane is that of the others
  EXPECT_EQ(p.told(), Told::kMixed);
  EXPECT_EQ(p.path().pc, kJoin + 4);  // and goes on
  p.sync(0b1111);                     // the same mask, elsewhere
  EXPECT_EQ(p.told(), Told::kMixed);
  EXPECT_EQ(p.path().mask, 0b1110u);
  EXPECT_EQ(p.at_sync(0), 0b0001u);
}

TEST(WarpsyncExample, WhoIsInNoMaskGoesOn) {
  Program p;
  p.launch(kStart, 0b0011);
  p.sync(0b1100);
  EXPECT_EQ(p.path().mask, 0b0011u);
  EXPECT_EQ(p.path().pc, kStart + 4);
}

// ---------------------------------------------------------------------------------------------------------- yields
TEST(YieldExample, TheTwoUppermostPathsOfTheNewestBarrierChangePlaces) {
  Program p;
  p.launch(kStart, 0b1111);
  p.arm(0, kEnd);
  p.branch(0b0011, kSide);
  p.arm(1, kJoin);
  p.branch(0b0001, kOther);
  p.yield();
  EXPECT_EQ(p.path().mask, 0b0010u);
  p.yield();
  EXPECT_EQ(p.path().mask, 0b0001u);
  EXPECT_EQ(p.path().pc, kOther + 4);
  p.arrive(1);
  p.yield();  // the next path is not of barrier 1, the newest one
  EXPECT_EQ(p.path().mask, 0b0010u);
  p.arrive(1);
  p.yield();  // barrier 0 is the newest again
  EXPECT_EQ(p.path().mask, 0b1100u);
}

TEST(YieldExample, WhoYieldsIsNotWaitedForAndPassesTheBarrierLater) {
  BarriersProgram<models::convergence_barriers_fair_leaves> p;
  p.launch(kStart, 0b1111);
  p.arm(3, kJoin);
  p.branch(0b1110, kSide);
  p.yield();  // 0b1110 leaves the barrier, and lets thread 0 go
  EXPECT_EQ(p.path().mask, 0b0001u);
  p.arrive(3);
  EXPECT_EQ(p.path().mask, 0b0001u);  // alone
  EXPECT_EQ(p.path().pc, kJoin);
  p.leave(0b0001);
  EXPECT_EQ(p.path().pc, kSide + 8);
  p.arrive(3);
  EXPECT_EQ(p.path().mask, 0b1110u);
  EXPECT_EQ(p.path().pc, kSide + 16);
}

// Three threads hand something over: 2 waits for 1, which waits for 0, which runs last. Each waits in a loop, with a
// yield or without. Returns the turns of all loops, which are 300 if nobody comes.
template <class Set>
unsigned hand_over(bool yields) {
  BarriersProgram<Set> p;
  constexpr unsigned kMost = 300;
  const auto loop_of = [](unsigned thread) { return 0x1000 + 0x100 * thread; };
  p.launch(kStart, 0b111);
  p.arm(0, kEnd);
  p.branch(0b110, p.path().pc + 0x40);
  p.branch(0b100, p.path().pc + 0x40);
  unsigned turns = 0, has_come = 0;
  while (turns < kMost && p.path().pc != kEnd) {
    const unsigned thread = lowest_bit(p.path().mask);
    if (p.path().pc != loop_of(thread)) {
      p.jump(loop_of(thread));
    } else if (has_come == thread) {
      ++has_come;
      p.arrive(0);
    } else {
      ++turns;
      if (yields) p.yield();
      else p.jump(loop_of(thread));
    }
  }
  if (turns < kMost) {
    EXPECT_EQ(p.path().mask, 0b111u);
    EXPECT_EQ(p.path().pc, kEnd);
  }
  return turns;
}

TEST(YieldExample, AHandOverBetweenThreeThreadsStarvesWithSwapsAndEndsWithFairness) {
  EXPECT_EQ(hand_over<Small>(true), 300u);
  EXPECT_LT(hand_over<models::convergence_barriers_fair>(true), 20u);
  EXPECT_EQ(hand_over<models::convergence_barriers_fair>(false), 300u);
  EXPECT_LT(hand_over<models::convergence_barriers_loops>(true), 20u);
  EXPECT_LT(hand_over<models::convergence_barriers_loops>(false), 20u);  // no yield is needed
}

// ---------------------------------------------------------------------------------------------------- what is wrong
Oracle::Events mistake(const Resolve& resolve) {
  Program p;
  p.launch(kStart, 0b0011);
  Oracle::Inputs in;
  in.resolve = resolve;
  return p.step(in);
}
Resolve mark_of(Mark mark) {
  Resolve r;
  r.mark = mark;
  r.next = kStart + 4;
  return r;
}

TEST(BarriersMistake, AMarkAtWhichThreadsBranchOrLeaveOrThatCallsOrReturns) {
  for (unsigned mark = 6; mark <= 13; ++mark) {
    EXPECT_NO_THROW(mistake(mark_of(static_cast<Mark>(mark))));
    for (unsigned what = 0; what < 4; ++what) {
      Resolve r = mark_of(static_cast<Mark>(mark));
      if (what == 0) r.taken = 1;
      if (what == 1) r.exit = 1;
      r.call = what == 2;
      r.returns = what == 3;
      EXPECT_THROW(mistake(r), RtlAssertion) << mark << " " << what;
    }
  }
}

TEST(BarriersMistake, ABarrierThatIsNotThere) {
  Resolve r = mark_of(Mark::kArm);
  r.barrier = 3;
  EXPECT_THROW(mistake(r), RtlAssertion);
}

TEST(BarriersMistake, AThreadOfAnotherPathExits) {
  Resolve r = mark_of(Mark::kNone);
  r.exit = 0b0100;
  EXPECT_THROW(mistake(r), RtlAssertion);
}

TEST(BarriersMistake, AnAdvanceOfAWarpThatIsServed) {
  Program p;
  p.launch(kStart, 0b0011);
  p.arm(0, kJoin);
  Oracle::Inputs in;
  in.resolve = mark_of(Mark::kBreak);
  p.step(in);
  p.step({});
  in.resolve.reset();
  in.advance = 0;
  EXPECT_THROW(p.step(in), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
