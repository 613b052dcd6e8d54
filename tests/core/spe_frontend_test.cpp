// SPDX-License-Identifier: Apache-2.0
// core/spe_frontend: random programs on RTL, twin and oracle in lockstep; every thread executes exactly its own path.
#include <gtest/gtest.h>

#include "models/spe_frontend_default.h"
#include "models/spe_frontend_larger.h"
#include "models/spe_frontend_shallow.h"
#include "models/spe_frontend_small.h"
#include "models/spe_frontend_smaller.h"
#include "models/spe_frontend_unpredicated.h"
#include "tests/common/set_names.h"
#include "tests/core/predication_of_frontends.h"
#include "tests/core/queue_of_frontends.h"
#include "tests/core/skips_of_frontends.h"

namespace heddle::test {
namespace {

using Small = models::spe_frontend_small;

template <class Set>
class SpeFrontendRandom : public testing::Test {};
using Sets = ParameterSets<models::spe_frontend_small, models::spe_frontend_smaller, models::spe_frontend_larger,
                           models::spe_frontend_unpredicated, models::spe_frontend_default>;
TYPED_TEST_SUITE(SpeFrontendRandom, Sets, SetNames);

TYPED_TEST(SpeFrontendRandom, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  SpeFrontendBench<TypeParam> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(TypeParam::kNumWarps > 5 ? 40 : 64); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed));
    const KernelRun run = run_kernel(bench, program, 2 * TypeParam::kNumWarps + 1, seed,
                                     seed % 3 == 0 ? rough(timing_of(seed)) : timing_of(seed));
    // A divergence keeps one entry and adds two; every nested one has fewer threads.
    if (TypeParam::kStackDepth + 1 >= 2 * TypeParam::kLanes) {
      EXPECT_FALSE(run.overflowed());
    }
    met.hit("recursion", run.deepest_call() >= 3);
    if (TypeParam::kLevelW > 2) met.hit("threads_meet_again", run.meetings() != 0);
    if (TypeParam::kPredicate == 1) {
      met.hit("region_of_1", run.regions(1) != 0);
      met.hit("region_of_8", run.regions(8) != 0);
    }
    for (unsigned reason : {kStallNone, kStallNoWarp, kStallUnitBusy, kStallMemory, kStallScoreboard,
                            kStallScoreboardFull, kStallBranchPending, kStallBarrier, kStallIbufferEmpty}) {
      if (TypeParam::kNumWarps > 5) break;  // with many warps something is nearly always ready
      if (reason == kStallScoreboardFull && TypeParam::kScoreboard == kScoreboardBitmap) continue;
      met.hit("stall_reason_" + std::to_string(reason), run.stalls(reason) != 0);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

TEST(SpeFrontend, AnOverflowHaltsItsWarpAndNoOther) {
  using Shallow = models::spe_frontend_shallow;  // three entries
  SpeFrontendBench<Shallow> bench;
  unsigned overflows = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const RandomProgram program(seed, {12, 80, true, false});
    overflows += run_kernel(bench, program, Shallow::kNumWarps, seed, timing_of(seed)).overflowed() ? 1 : 0;
  }
  EXPECT_GE(overflows, 3u);
}

TEST(SpeFrontend, AKillAsItsWarpOverflowsOrBehindThatLetsItBeLaunchedAgain) {
  SpeFrontendBench<models::spe_frontend_shallow> bench;
  for (std::uint64_t seed = 1; seed <= 192; ++seed) {
    const RandomProgram program(seed, {12, 80, true, false});
    Timing timing = rough(timing_of(seed));
    timing.kill = 10;
    run_kernel(bench, program, 40, seed, timing);
  }
  EXPECT_EQ(bench.met().count("kill_with_overflow"), 1u);
  EXPECT_EQ(bench.met().count("kill_of_a_halted_warp"), 1u);
}

TEST(SpeFrontend, ThePushOrderDoesNotChangeWhatIsIssued) {
  SpeFrontendBench<Small> taken_first;
  std::vector<KernelRun::Issues> reference;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const RandomProgram program(seed, {10, 70, true, false, 2});
    reference.push_back(run_kernel(taken_first, program, 6, seed, timing_of(seed)).issues());
  }
  SpeFrontendBench<models::spe_frontend_larger> larger_first;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const RandomProgram program(seed, {10, 70, true, false, 2});
    EXPECT_EQ(run_kernel(larger_first, program, 6, seed, timing_of(seed + 1)).issues(), reference[seed - 1]);
  }
}

// ---- predication

struct Spe {
  template <class Set>
  using Bench = SpeFrontendBench<Set>;
  using Small = models::spe_frontend_small;
  using Deep = models::spe_frontend_larger;
  using Unpredicated = models::spe_frontend_unpredicated;
};
INSTANTIATE_TYPED_TEST_SUITE_P(SpeFrontend, PredicationOf, Spe);
INSTANTIATE_TYPED_TEST_SUITE_P(SpeFrontend, SkipMistake, Spe);
INSTANTIATE_TYPED_TEST_SUITE_P(SpeFrontend, QueueOf, Spe);

template <class Set>
using Script = FrontendScript<Set, SpeFrontendBench>;
using Issues = std::vector<Issued>;

TEST(SpeFrontendPredication, LanesOutsideThePathMeanNothing) {
  Script<Small> script({kControl, 0, 0, 0}, 0b1111);
  script.issue();
  auto branch = short_branch();
  branch.taken |= 0b11110000;
  script.resolve(branch);
  EXPECT_EQ(script.issues(3), (Issues{{0x104, 0b1100, true}, {0x108, 0b1100, true}, {0x10c, 0b1111, false}}));
}

TEST(SpeFrontendPredication, ARegionMayEndWhereThePathArrives) {
  // 0x100: three threads to 0x110, one to 0x104, all meet at 0x118. Of the three one branches from 0x110 to 0x118, too.
  Script<Small> script({kControl, 0, kControl, 0, kControl, 0, 0}, 0b1111);
  script.issue();
  script.resolve({0, 0, 0b0111, 0x110, 0x104, 0x118, 0});
  EXPECT_EQ(script.issues(1), (Issues{{0x110, 0b0111, false}}));
  FrontendInputs::Resolve branch{0, 0, 0b0001, 0x118, 0x114, 0x118, 0};
  branch.skip = 1;
  script.resolve(branch);
  EXPECT_EQ(script.issues(3), (Issues{{0x114, 0b0110, true}, {0x104, 0b1000, false}, {0x108, 0b1000, false}}));
  script.resolve({0, 0, 0b1000, 0x118, 0x10c, kNoRpc, 0});
  EXPECT_EQ(script.issues(1), (Issues{{0x118, 0b1111, false}}));
}

TEST(SpeFrontendPredication, OneRegionMayFollowAnother) {
  Script<Small> script({kControl, 0, kControl, 0, 0}, 0b1111);
  script.issue();
  FrontendInputs::Resolve first{0, 0, 0b0001, 0x108, 0x104, 0x108, 0}, second{0, 0, 0b1010, 0x110, 0x10c, 0x110, 0};
  first.skip = second.skip = 1;
  script.resolve(first);
  EXPECT_EQ(script.issues(2), (Issues{{0x104, 0b1110, true}, {0x108, 0b1111, false}}));
  script.resolve(second);
  EXPECT_EQ(script.issues(2), (Issues{{0x10c, 0b0101, true}, {0x110, 0b1111, false}}));
}

TEST(SpeFrontendPredication, TheNextInstructionKnowsWhoWasOff) {
  // The target reads what the region writes: it waits for the write-back, for all threads.
  Script<Small> script({kControl, 0, writes(5), reads(5)}, 0b1111);
  script.issue();
  script.resolve(short_branch());
  script.issues(2);
  EXPECT_FALSE(script.issues_within(10));
  FrontendInputs in;
  in.wb[0] = {0, 0, 5, 0b1100};
  script.step(in);
  EXPECT_EQ(script.issues(1), (Issues{{0x10c, 0b1111, false}}));
}

}  // namespace
}  // namespace heddle::test
