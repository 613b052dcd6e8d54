// SPDX-License-Identifier: Apache-2.0
// core/dws_frontend: random programs on RTL, twin and oracle in lockstep; every thread executes exactly its own path,
// whatever branches may subdivide its warp; where splits meet, and where they must not.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "models/dws_frontend_small.h"
#include "models/spe_frontend_small.h"
#include "tests/core/queue_of_frontends.h"
#include "tests/core/skips_of_frontends.h"

namespace heddle::test {
namespace {

using Small = models::dws_frontend_small;  // 3 warps of 8 lanes, 4 slots, 5 entries, fall-through first
using Script = FrontendScript<Small, DwsFrontendBench>;
using Issues = std::vector<Issued>;

// Of the branches none, some or all may subdivide.
Timing marked(Timing timing, std::uint64_t number) {
  static constexpr unsigned kMarks[] = {100, 60, 0, 25};
  timing.mark = kMarks[number % 4];
  return timing;
}

TEST(DwsFrontendRandom, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  DwsFrontendBench<Small> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(160); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed));
    bool waited = false;
    const auto look = [&](const FrontendOracle& oracle) {
      for (WarpId w = 0; w < Small::kNumWarps; ++w) {
        for (unsigned slot = 0; slot < Small::kNumSlots; ++slot) waited = waited || oracle.waits_for_region(w, slot);
      }
    };
    const Timing timing = marked(seed % 3 == 0 ? rough(timing_of(seed)) : timing_of(seed), seed / 4);
    const KernelRun run = run_kernel(bench, program, 2 * Small::kNumWarps + 1, seed, timing, look);
    met.hit("overflow", run.overflowed());
    met.hit("recursion", run.deepest_call() >= 3);
    met.hit("threads_meet_again", run.meetings() != 0);
    met.hit("region_of_1", run.regions(1) != 0);
    met.hit("region_of_8", run.regions(8) != 0);
    met.hit("sibling_waits_for_a_region", waited);
    met.hit("all_slots", bench.oracle().outputs().max_splits == Small::kNumSlots);
    for (unsigned reason : {kStallNone, kStallNoWarp, kStallUnitBusy, kStallMemory, kStallScoreboard,
                            kStallBranchPending, kStallBarrier, kStallIbufferEmpty}) {
      met.hit("stall_reason_" + std::to_string(reason), run.stalls(reason) != 0);
    }
  }
  for (const char* situation : {"join_at_a_barrier", "joins_by_an_advance", "goes_joins", "divergence_joins", "split",
                                "split_without_mark", "refused", "refill", "release_beside_a_barrier"}) {
    met.hit(situation, bench.met().count(situation) != 0);
  }
  EXPECT_EQ(met.missing(), "");
}

TEST(DwsFrontendRandom, KilledWarpsLeaveNothingBehindAndAllOpinionsAgreeInEveryCycle) {
  DwsFrontendBench<Small> bench;
  const auto timing = [](std::uint64_t seed) { return marked(timing_of(seed), seed / 4); };
  EXPECT_EQ(kill_runs(bench, seeds(64), timing).missing(), "");
}

TEST(DwsFrontend, WithoutMarksIssuesWhatASinglePathIssues) {
  SpeFrontendBench<models::spe_frontend_small> single;
  static_assert(models::spe_frontend_small::kLanes == Small::kLanes);
  std::vector<KernelRun::Issues> reference;
  std::vector<bool> overflowed;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomProgram program(100 + seed, {10, 70, true, false, 2});
    reference.push_back(run_kernel(single, program, 6, seed, timing_of(seed)).issues());
  }
  DwsFrontendBench<Small> bench;
  unsigned compared = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomProgram program(100 + seed, {10, 70, true, false, 2});
    const KernelRun run = run_kernel(bench, program, 6, seed, timing_of(seed + 1));
    if (run.overflowed()) continue;  // its stack is not as deep
    EXPECT_EQ(run.issues(), reference[seed - 1]) << seed;
    ++compared;
  }
  EXPECT_GE(compared, 10u);
}

// Of each instruction how many threads executed it. Those that jump to several places are executed again by who stays.
std::map<std::pair<unsigned, Pc>, unsigned> threads_of(const RandomProgram& program, const KernelRun::Issues& issues) {
  std::map<std::pair<unsigned, Pc>, unsigned> threads;
  for (const auto& [what, count] : issues) {
    const auto [launch, pc, mask] = what;
    const Kind kind = program.at(pc).kind;
    if (kind == Kind::kPlain || kind == Kind::kBranch) threads[{launch, pc}] += count * popcount(mask);
  }
  return threads;
}

TEST(DwsFrontend, SubdivisionDoesNotChangeWhatThreadsExecute) {
  DwsFrontendBench<Small> bench;
  unsigned compared = 0, others = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const RandomProgram program(200 + seed, {10, 60, true, false, 1});
    Timing timing = timing_of(seed);
    timing.skip = 0;
    const KernelRun stack = run_kernel(bench, program, 6, seed, timing);
    timing.mark = 70;
    const KernelRun split = run_kernel(bench, program, 6, seed, timing);
    if (stack.overflowed() || split.overflowed()) continue;
    ++compared;
    others += stack.issues() != split.issues() ? 1 : 0;
    EXPECT_TRUE(threads_of(program, split.issues()) == threads_of(program, stack.issues())) << seed;
  }
  EXPECT_GE(compared, 10u);
  EXPECT_GE(others, 5u);
}

struct Dws {
  template <class Set>
  using Bench = DwsFrontendBench<Set>;
  using Small = models::dws_frontend_small;
  using Deep = models::dws_frontend_small;
};
INSTANTIATE_TYPED_TEST_SUITE_P(DwsFrontend, SkipMistake, Dws);
INSTANTIATE_TYPED_TEST_SUITE_P(DwsFrontend, QueueOf, Dws);

// ---- splits of four threads: 0 and 1 go to 0x120, 2 and 3 to 0x104. An instruction issues when its unit is ready:
// that of 0x120 and on is 1, that of 0x104 2, of 0x108 3, of 0x10c 2, and so on.

class Parted : public Script {
 public:
  explicit Parted(const std::vector<std::uint64_t>& next = {}, const std::vector<std::uint64_t>& target = {})
      : Script(code(next, target), 0b1111) {
    units = kFirst;
    issue();
    resolve(split(0, 0b0011, 0x120, 0x104));
    EXPECT_FALSE(issues_within(8));  // what both of them issue next is there
  }
  // A branch that may subdivide.
  static Resolve split(unsigned slot, LaneMask taken, Pc target, Pc next) {
    Resolve branch{0, slot, taken, target, next, kNoRpc, 0};
    branch.kind = kMarkDivide;
    return branch;
  }
  static Resolve jump(unsigned slot, Pc to, Pc next) { return {0, slot, ~LaneMask{0}, to, next, kNoRpc, 0}; }
  // The instruction that issues when this unit alone is ready, for a cycle, after all that can be fetched was.
  Issued issue_on(unsigned ready) {
    units = kNone;
    EXPECT_FALSE(issues_within(10));
    units = ready;
    step();
    units = kNone;
    return issues(1).front();
  }
  static constexpr unsigned kNone = 0, kFirst = 0b00001, kTarget = 0b00010, kEven = 0b00100, kOdd = 0b01000;

 private:
  static std::vector<std::uint64_t> code(const std::vector<std::uint64_t>& next,
                                         const std::vector<std::uint64_t>& target) {
    std::vector<std::uint64_t> all(24);
    all[0] = kControl;
    for (unsigned i = 1; i < 8; ++i) all[i] = on_unit(i % 2 == 1 ? 2 : 3) | (i - 1 < next.size() ? next[i - 1] : 0);
    for (unsigned i = 8; i < 24; ++i) all[i] = on_unit(1) | (i - 8 < target.size() ? target[i - 8] : 0);
    return all;
  }
};

TEST(DwsFrontendSplits, IssueBesideOneAnother) {
  Parted script;
  script.units = 0b11111;
  script.issue();
  const auto begin = script.now();
  const Issues issued = script.issues(3);
  EXPECT_EQ(script.now(), begin + 3);  // one in every cycle
  EXPECT_EQ(issued, (Issues{{0x104, 0b1100, false}, {0x124, 0b0011, false}, {0x108, 0b1100, false}}));
  EXPECT_TRUE(script.pins().issue.sibling);
  EXPECT_EQ(script.pins().max_splits, 2u);
  EXPECT_EQ(script.pins().splits, 1u);
}

TEST(DwsFrontendSplits, ComeToOnePcAndGoOnAsOne) {
  // 0x104, 0x108, 0x10c; the others jump to 0x10c.
  Parted script({}, {kJump});
  EXPECT_EQ(script.issue_on(Parted::kEven), (Issued{0x104, 0b1100, false}));
  EXPECT_EQ(script.issue_on(Parted::kTarget), (Issued{0x120, 0b0011, false}));
  script.resolve(Parted::jump(1, 0x10c, 0x124));
  EXPECT_FALSE(script.issues_within(8));
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x108, 0b1100, false}));
  EXPECT_EQ(script.pins().merges, 1u);
  EXPECT_EQ(script.issue_on(Parted::kEven), (Issued{0x10c, 0b1111, false}));
}

TEST(DwsFrontendSplits, NobodyJoinsAPathWhoseBranchIsUnresolved) {
  // Threads 2 and 3 jump to a branch at 0x124, to which the others come as it is unresolved.
  Parted script({kJump}, {0, kControl | on_unit(2)});
  EXPECT_EQ(script.issue_on(Parted::kEven), (Issued{0x104, 0b1100, false}));
  script.resolve(Parted::jump(0, 0x124, 0x108));
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x124, 0b1100, false}));
  EXPECT_EQ(script.issue_on(Parted::kTarget), (Issued{0x120, 0b0011, false}));
  EXPECT_EQ(script.pins().merges, 0u);
  script.resolve({0, 0, 0b1000, 0x140, 0x128, kNoRpc, 0});
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x124, 0b0011, false}));
}

TEST(DwsFrontendSplits, WhoComesToABarrierJoinsWhoWaitsThereAndBothWaitForItsRelease) {
  // A barrier at 0x108; the others jump to it.
  Parted script({0, kBarrier}, {kJump});
  EXPECT_EQ(script.issue_on(Parted::kEven), (Issued{0x104, 0b1100, false}));
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x108, 0b1100, false}));
  EXPECT_EQ(script.issue_on(Parted::kTarget), (Issued{0x120, 0b0011, false}));
  script.resolve(Parted::jump(1, 0x108, 0x124));
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x108, 0b0011, false}));
  EXPECT_EQ(script.pins().merges, 1u);
  script.units = 0b11111;
  EXPECT_FALSE(script.issues_within(10));
  EXPECT_EQ(script.pins().stall, kStallBarrier);
  FrontendInputs release;
  release.release = 1;
  script.step(release);
  EXPECT_EQ(script.issues(1), (Issues{{0x10c, 0b1111, false}}));
}

TEST(DwsFrontendSplits, ABarrierThatIsGrantedWinsOverAReleaseOfThoseWhoWaitThere) {
  Parted script({0, kBarrier}, {kJump});
  script.issue_on(Parted::kEven);
  script.issue_on(Parted::kOdd);
  script.issue_on(Parted::kTarget);
  script.resolve(Parted::jump(1, 0x108, 0x124));
  EXPECT_FALSE(script.issues_within(8));
  script.units = 0b11111;
  FrontendInputs release;
  release.release = 1;
  script.step(release);  // 0x108 is granted in this cycle
  EXPECT_EQ(script.issues(1), (Issues{{0x108, 0b0011, false}}));
  EXPECT_FALSE(script.issues_within(10));
  script.step(release);
  EXPECT_EQ(script.issues(1), (Issues{{0x10c, 0b1111, false}}));
}

TEST(DwsFrontendSplits, OneOfTwoAtABarrierDoesNotHoldTheOther) {
  Parted script({0, kBarrier});
  script.issue_on(Parted::kEven);
  script.issue_on(Parted::kOdd);
  script.units = 0b11111;
  EXPECT_EQ(script.issues(2), (Issues{{0x120, 0b0011, false}, {0x124, 0b0011, false}}));
}

TEST(DwsFrontendSplits, WhoComesBehindABarrierByAnotherWayDoesNotJoinWhoWaitsThere) {
  Parted script({0, kBarrier}, {kJump});
  script.issue_on(Parted::kEven);
  script.issue_on(Parted::kOdd);
  script.issue_on(Parted::kTarget);
  script.resolve(Parted::jump(1, 0x10c, 0x124));
  EXPECT_FALSE(script.issues_within(8));
  EXPECT_EQ(script.issue_on(Parted::kEven), (Issued{0x10c, 0b0011, false}));
  EXPECT_EQ(script.pins().merges, 0u);
}

TEST(DwsFrontendSplits, ASlotThatIsTakenAgainForgetsWhatWasFetchedForTheOneBefore) {
  // Those at 0x120 end behind their first instruction; what was fetched behind it was of slot 1, as is the next split,
  // to 0x130.
  Parted script({kControl}, {kControl});
  EXPECT_EQ(script.issue_on(Parted::kTarget), (Issued{0x120, 0b0011, false}));
  script.resolve({0, 1, 0, 0x100, 0x124, kNoRpc, 0b0011});
  EXPECT_EQ(script.issue_on(Parted::kEven), (Issued{0x104, 0b1100, false}));
  script.resolve(Parted::split(0, 0b0100, 0x130, 0x108));
  EXPECT_FALSE(script.issues_within(8));
  EXPECT_EQ(script.issue_on(Parted::kTarget), (Issued{0x130, 0b0100, false}));
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x108, 0b1000, false}));
}

TEST(DwsFrontendSplits, ThreadsThatJoinBringTheHazardsOfTheirOwn) {
  // 0x120 writes what 0x10c reads; the other path, which they join there, does not wait for it.
  Parted script({0, 0, reads(5)}, {writes(5), kJump});
  EXPECT_EQ(script.issue_on(Parted::kEven), (Issued{0x104, 0b1100, false}));
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x108, 0b1100, false}));
  EXPECT_EQ(script.issue_on(Parted::kTarget), (Issued{0x120, 0b0011, false}));
  EXPECT_EQ(script.issue_on(Parted::kTarget), (Issued{0x124, 0b0011, false}));
  script.resolve(Parted::jump(1, 0x10c, 0x128));
  script.units = 0b11111;
  script.step();
  const bool before = script.issues_within(10);
  EXPECT_FALSE(before);
  EXPECT_EQ(script.pins().stall, kStallScoreboard);
  FrontendInputs write;
  write.wb[0] = {0, 1, 5, 0b0011};
  script.step(write);
  EXPECT_EQ(script.issues(1), (Issues{{0x10c, 0b1111, false}}));
}

// ---- splits and regions: behind 0x104, a branch that thread 3 takes to 0x110, thread 2 alone issues 0x108 and 0x10c

FrontendInputs::Resolve over_two() {
  FrontendInputs::Resolve branch{0, 0, 0b1000, 0x110, 0x108, 0x110, 0};
  branch.skip = 2;
  return branch;
}

TEST(DwsFrontendSplits, APathThatBeginsARegionDoesNotJoinWhoStandsAtItsFirstInstruction) {
  Parted script({kControl}, {kJump});
  EXPECT_EQ(script.issue_on(Parted::kTarget), (Issued{0x120, 0b0011, false}));
  script.resolve(Parted::jump(1, 0x108, 0x124));
  EXPECT_EQ(script.issue_on(Parted::kEven), (Issued{0x104, 0b1100, false}));
  script.resolve(over_two());
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x108, 0b0011, false}));
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x108, 0b0100, true}));  // comes to where the other is
  EXPECT_EQ(script.issue_on(Parted::kEven), (Issued{0x10c, 0b0011, false}));
  EXPECT_EQ(script.issue_on(Parted::kEven), (Issued{0x10c, 0b0100, true}));  // and with its last instruction, too
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x110, 0b0011, false}));
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x110, 0b1100, false}));
  EXPECT_EQ(script.pins().merges, 1u);  // now
}

TEST(DwsFrontendSplits, NobodyJoinsAPathInsideARegionUntilItIsOver) {
  Parted script({kControl}, {kJump});
  EXPECT_EQ(script.issue_on(Parted::kTarget), (Issued{0x120, 0b0011, false}));
  EXPECT_FALSE(script.issues_within(8));
  script.fetch = false;
  script.resolve(Parted::jump(1, 0x108, 0x124));
  EXPECT_EQ(script.issue_on(Parted::kEven), (Issued{0x104, 0b1100, false}));
  script.resolve(over_two());
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x108, 0b0100, true}));
  script.fetch = true;
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x108, 0b0011, false}));  // comes to where the other is
  EXPECT_EQ(script.pins().merges, 0u);
  EXPECT_EQ(script.issue_on(Parted::kEven), (Issued{0x10c, 0b0100, true}));
  EXPECT_EQ(script.issue_on(Parted::kEven), (Issued{0x10c, 0b0011, false}));
  EXPECT_EQ(script.issue_on(Parted::kOdd), (Issued{0x110, 0b1111, false}));
}

}  // namespace
}  // namespace heddle::test
