// SPDX-License-Identifier: Apache-2.0
// core/dpe_frontend: random programs on RTL, twin and oracle in lockstep; every thread executes exactly its own path,
// and what is issued is what single-path execution issues.
#include <gtest/gtest.h>

#include "models/dpe_frontend_constrained.h"
#include "models/dpe_frontend_default.h"
#include "models/dpe_frontend_optimistic.h"
#include "models/dpe_frontend_shallow.h"
#include "models/dpe_frontend_small.h"
#include "models/dpe_frontend_unpredicated.h"
#include "models/dpe_frontend_wide.h"
#include "models/spe_frontend_small.h"
#include "tests/common/set_names.h"
#include "tests/core/predication_of_frontends.h"
#include "tests/core/queue_of_frontends.h"
#include "tests/core/skips_of_frontends.h"

namespace heddle::test {
namespace {

using Small = models::dpe_frontend_small;

template <class Set>
class DpeFrontendRandom : public testing::Test {};
using Sets =
    ParameterSets<models::dpe_frontend_small, models::dpe_frontend_optimistic, models::dpe_frontend_constrained,
                  models::dpe_frontend_wide, models::dpe_frontend_unpredicated, models::dpe_frontend_default>;
TYPED_TEST_SUITE(DpeFrontendRandom, Sets, SetNames);

TYPED_TEST(DpeFrontendRandom, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  DpeFrontendBench<TypeParam> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(TypeParam::kNumWarps > 5 ? 40 : 96); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed));
    bool waited = false;
    const auto look = [&](const FrontendOracle& oracle) {
      for (WarpId w = 0; w < TypeParam::kNumWarps; ++w) {
        waited = waited || oracle.waits_for_region(w, 0) || oracle.waits_for_region(w, 1);
      }
    };
    const KernelRun run = run_kernel(bench, program, 2 * TypeParam::kNumWarps + 1, seed,
                                     seed % 3 == 0 ? rough(timing_of(seed)) : timing_of(seed), look);
    // With the tail rule as many entries as lanes suffice for any nesting.
    if (TypeParam::kStackDepth >= TypeParam::kLanes) {
      EXPECT_FALSE(run.overflowed());
    }
    met.hit("recursion", run.deepest_call() >= 3);
    if (TypeParam::kLevelW > 2) met.hit("threads_meet_again", run.meetings() != 0);
    if (TypeParam::kPredicate == 1) {
      met.hit("region_of_1", run.regions(1) != 0);
      met.hit("region_of_8", run.regions(8) != 0);
      met.hit("sibling_waits_for_a_region", waited);
    }
    for (unsigned reason : {kStallNone, kStallNoWarp, kStallUnitBusy, kStallMemory, kStallScoreboard,
                            kStallBranchPending, kStallBarrier, kStallIbufferEmpty}) {
      if (TypeParam::kNumWarps > 5) break;  // with many warps something is nearly always ready
      met.hit("stall_reason_" + std::to_string(reason), run.stalls(reason) != 0);
    }
    if (TypeParam::kScoreboard == kScoreboardDpe && TypeParam::kSbEntries == 2)
      met.hit("stall_scoreboard_full", run.stalls(kStallScoreboardFull) != 0);
    if (TypeParam::kSelector == kSelectorConstrained) met.hit("stall_path_switch", run.stalls(kStallPathSwitch) != 0);
  }
  EXPECT_EQ(met.missing(), "");
}

template <class Set>
class DpeFrontendAgainstSinglePath : public testing::Test {};
using SetsOfEightLanes =
    testing::Types<models::dpe_frontend_small, models::dpe_frontend_optimistic, models::dpe_frontend_constrained>;
TYPED_TEST_SUITE(DpeFrontendAgainstSinglePath, SetsOfEightLanes, SetNames);

// The same instructions for the same threads, in whatever order, in functions and behind them, too.
TYPED_TEST(DpeFrontendAgainstSinglePath, IssuesTheSameInstructionsForTheSameThreads) {
  SpeFrontendBench<models::spe_frontend_small> single;
  static_assert(models::spe_frontend_small::kLanes == TypeParam::kLanes);
  std::vector<KernelRun::Issues> reference;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomProgram program(100 + seed, {10, 70, true, false, 2});
    reference.push_back(run_kernel(single, program, 6, seed, timing_of(seed)).issues());
  }
  DpeFrontendBench<TypeParam> dual;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomProgram program(100 + seed, {10, 70, true, false, 2});
    EXPECT_EQ(run_kernel(dual, program, 6, seed, timing_of(seed + 1)).issues(), reference[seed - 1]) << seed;
  }
}

TEST(DpeFrontend, AnOverflowHaltsItsWarpAndNoOther) {
  using Shallow = models::dpe_frontend_shallow;  // two entries
  DpeFrontendBench<Shallow> bench;
  unsigned overflows = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const RandomProgram program(seed, {12, 80, true, false});
    overflows += run_kernel(bench, program, Shallow::kNumWarps, seed, timing_of(seed)).overflowed() ? 1 : 0;
  }
  EXPECT_GE(overflows, 3u);
}

// ---- predication

struct Dpe {
  template <class Set>
  using Bench = DpeFrontendBench<Set>;
  using Small = models::dpe_frontend_small;
  using Deep = models::dpe_frontend_optimistic;
  using Unpredicated = models::dpe_frontend_unpredicated;
};
INSTANTIATE_TYPED_TEST_SUITE_P(DpeFrontend, PredicationOf, Dpe);
INSTANTIATE_TYPED_TEST_SUITE_P(DpeFrontend, SkipMistake, Dpe);
INSTANTIATE_TYPED_TEST_SUITE_P(DpeFrontend, QueueOf, Dpe);

template <class Set>
using Script = FrontendScript<Set, DpeFrontendBench>;
using Issues = std::vector<Issued>;

TEST(DpeFrontendPredication, ARegionMayEndWhereThePathArrives) {
  // 0x100: three threads to 0x110, one to 0x104 on the right, all meet at 0x118. Of the three one branches to 0x118,
  // too.
  Script<Small> script({kControl, on_unit(1), kControl | on_unit(1), 0, kControl, 0, 0}, 0b1111);
  script.units = 0b00001;
  script.issue();
  script.resolve({0, 0, 0b0111, 0x110, 0x104, 0x118, 0});
  EXPECT_EQ(script.issues(1), (Issues{{0x110, 0b0111, false}}));
  FrontendInputs::Resolve branch{0, 0, 0b0001, 0x118, 0x114, 0x118, 0};
  branch.skip = 1;
  script.resolve(branch);
  EXPECT_EQ(script.issues(1), (Issues{{0x114, 0b0110, true}}));
  script.units = 0b00010;
  EXPECT_EQ(script.issues(2), (Issues{{0x104, 0b1000, false}, {0x108, 0b1000, false}}));
  script.units = 0b00001;
  script.resolve({0, 1, 0b1000, 0x118, 0x10c, kNoRpc, 0});
  EXPECT_EQ(script.issues(1), (Issues{{0x118, 0b1111, false}}));
}

TEST(DpeFrontendPredication, TheOptimisticScoreboardKnowsWhoWasOff) {
  // Behind the region the threads part; those that were off do not wait for what the others write in it.
  Script<models::dpe_frontend_optimistic> script({kControl, 0, writes(5), kControl, reads(5), reads(5), 0}, 0b1111);
  script.issue();
  script.resolve(short_branch());
  EXPECT_EQ(script.issues(3), (Issues{{0x104, 0b1100, true}, {0x108, 0b1100, true}, {0x10c, 0b1111, false}}));
  script.resolve({0, 0, 0b0011, 0x114, 0x110, 0x118, 0});
  EXPECT_EQ(script.issues(1), (Issues{{0x114, 0b0011, false}}));
  EXPECT_FALSE(script.issues_within(10));
  FrontendInputs in;
  in.wb[0] = {0, 0, 5, 0b1100};
  script.step(in);
  EXPECT_EQ(script.issues(2), (Issues{{0x110, 0b1100, false}, {0x114, 0b1100, false}}));
}

// Four threads part: 0 and 1 to 0x120, on the left, to three instructions on unit 1, of which `sibling` is the first; 2
// and 3 to 0x104, a branch over two instructions on unit 2. The branch is unresolved, only unit 0 is ready. All meet at
// 0x140.
class Beside : public Script<Small> {
 public:
  // fetches: more than the first two instructions of both.
  explicit Beside(std::uint64_t sibling, bool fetches = true) : Script<Small>(code(sibling), 0b1111) {
    units = 0b00001;
    issue();
    resolve({0, 0, 0b0011, 0x120, 0x104, 0x140, 0});
    EXPECT_FALSE(issues_within(3));
    fetch = fetches;
    EXPECT_EQ(issues(1), (Issues{{0x104, 0b1100, false}}));
    EXPECT_FALSE(issues_within(5));  // the sibling's instructions are there, its unit is busy
  }
  // Thread 2 takes the branch.
  void begin_region() {
    Resolve branch{0, 1, 0b0100, 0x110, 0x108, 0x110, 0};
    branch.skip = 2;
    resolve(branch);
  }

 private:
  static std::vector<std::uint64_t> code(std::uint64_t sibling) {
    std::vector<std::uint64_t> all(20);
    all[0] = all[1] = kControl;
    all[2] = all[3] = on_unit(2);
    all[8] = sibling | on_unit(1);
    all[9] = all[10] = on_unit(1);
    return all;
  }
};

TEST(DpeFrontendPredication, ASiblingsBranchWaitsUntilTheRegionIsOver) {
  Beside script(kControl);
  script.begin_region();
  script.units = 0b00011;
  EXPECT_FALSE(script.issues_within(10));
  EXPECT_EQ(script.pins().stall, kStallUnitBusy);  // the region lacks its unit, the sibling the end of the region
  script.units = 0b11111;
  EXPECT_EQ(script.issues(2), (Issues{{0x108, 0b1000, true}, {0x10c, 0b1000, true}}));
  const auto last = script.now();
  EXPECT_EQ(script.issues(1), (Issues{{0x120, 0b0011, false}}));
  EXPECT_EQ(script.now(), last + 1);
}

TEST(DpeFrontendPredication, ASiblingsBarrierWaitsUntilTheRegionIsOver) {
  Beside script(kBarrier);
  script.begin_region();
  script.units = 0b00011;
  EXPECT_FALSE(script.issues_within(10));
  script.units = 0b11111;
  EXPECT_EQ(script.issues(2), (Issues{{0x108, 0b1000, true}, {0x10c, 0b1000, true}}));
  const auto last = script.now();
  EXPECT_EQ(script.issues(1), (Issues{{0x120, 0b0011, false}}));
  EXPECT_EQ(script.now(), last + 1);
}

TEST(DpeFrontendPredication, ASiblingThatWaitsForTheRegionIsTheReasonWhenNothingElseIsThere) {
  Beside script(kControl, false);
  script.units = 0b11111;
  script.begin_region();
  EXPECT_EQ(script.issues(1), (Issues{{0x108, 0b1000, true}}));
  EXPECT_FALSE(script.issues_within(5));  // the path has no further instruction
  EXPECT_EQ(script.pins().stall, kStallBranchPending);
  script.fetch = true;
  EXPECT_EQ(script.issues(2), (Issues{{0x10c, 0b1000, true}, {0x120, 0b0011, false}}));
}

TEST(DpeFrontendPredication, OtherInstructionsOfTheSiblingIssueForAllItsThreadsAndDoNotCount) {
  Beside script(0);
  script.begin_region();
  script.units = 0b00010;
  EXPECT_EQ(script.issues(3), (Issues{{0x120, 0b0011, false}, {0x124, 0b0011, false}, {0x128, 0b0011, false}}));
  script.units = 0b00100;
  EXPECT_EQ(script.issues(2), (Issues{{0x108, 0b1000, true}, {0x10c, 0b1000, true}}));
}

TEST(DpeFrontendPredication, ARegionMayBeginBesideAGrantOfTheSibling) {
  Beside script(0);
  script.units = 0b00010;
  script.begin_region();  // and 0x120 is granted
  script.units = 0b00100;
  EXPECT_EQ(script.issues(3), (Issues{{0x120, 0b0011, false}, {0x108, 0b1000, true}, {0x10c, 0b1000, true}}));
}

TEST(DpeFrontendPredication, OneRegionMayFollowAnotherOnTheOtherSide) {
  Beside script(kControl);
  script.begin_region();
  script.units = 0b00110;
  EXPECT_EQ(script.issues(3), (Issues{{0x108, 0b1000, true}, {0x10c, 0b1000, true}, {0x120, 0b0011, false}}));
  FrontendInputs::Resolve branch{0, 0, 0b0001, 0x128, 0x124, 0x128, 0};
  branch.skip = 1;
  script.resolve(branch);
  EXPECT_EQ(script.issues(2), (Issues{{0x124, 0b0010, true}, {0x128, 0b0011, false}}));
  script.units = 0b00001;
  EXPECT_EQ(script.issues(1), (Issues{{0x110, 0b1100, false}}));
}

TEST(DpeFrontendPredication, APathThatWaitsForTheRegionIsNotTheCurrentOne) {
  std::vector<std::uint64_t> code(20);
  code[0] = code[1] = kControl;
  code[2] = on_unit(3);  // a special function: would hand over to the sibling
  code[8] = kControl | on_unit(1);
  Script<models::dpe_frontend_constrained> script(code, 0b1111);
  script.units = 0b11101;
  script.issue();
  script.resolve({0, 0, 0b0011, 0x120, 0x104, 0x140, 0});
  const auto miss = [&](unsigned slot) {
    EXPECT_FALSE(script.issues_within(5));
    FrontendInputs in;
    in.miss = {0, slot};
    script.step(in);
  };
  miss(0);
  EXPECT_EQ(script.issues(1), (Issues{{0x104, 0b1100, false}}));
  miss(1);  // the sibling is current when the region begins
  FrontendInputs::Resolve branch{0, 1, 0b0100, 0x110, 0x108, 0x110, 0};
  branch.skip = 2;
  script.resolve(branch);
  script.units = 0b11111;
  EXPECT_EQ(script.issues(3), (Issues{{0x108, 0b1000, true}, {0x10c, 0b1000, true}, {0x110, 0b1100, false}}));
}

}  // namespace
}  // namespace heddle::test
