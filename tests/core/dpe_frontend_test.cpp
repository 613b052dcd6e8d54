// SPDX-License-Identifier: Apache-2.0
// core/dpe_frontend: random programs on RTL, twin and oracle in lockstep; every thread executes exactly its own path, and
// what is issued is what single-path execution issues.
#include <gtest/gtest.h>

#include "models/dpe_frontend_constrained.h"
#include "models/dpe_frontend_constrained_gto.h"
#include "models/dpe_frontend_default.h"
#include "models/dpe_frontend_optimistic_gto.h"
#include "models/dpe_frontend_shallow.h"
#include "models/dpe_frontend_small.h"
#include "models/dpe_frontend_wide.h"
#include "models/spe_frontend_small.h"
#include "tests/common/set_names.h"
#include "tests/core/frontend_bench.h"

namespace heddle::test {
namespace {

template <class Set>
class DpeFrontendRandom : public testing::Test {};
using Sets = ParameterSets<models::dpe_frontend_small, models::dpe_frontend_optimistic_gto,
                           models::dpe_frontend_constrained, models::dpe_frontend_constrained_gto,
                           models::dpe_frontend_wide, models::dpe_frontend_default>;
TYPED_TEST_SUITE(DpeFrontendRandom, Sets, SetNames);

TYPED_TEST(DpeFrontendRandom, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  DpeFrontendBench<TypeParam> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(TypeParam::kNumWarps > 5 ? 16 : 64); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed));
    const KernelRun run = run_kernel(bench, program, 2 * TypeParam::kNumWarps + 1, seed, timing_of(seed));
    // With the tail rule as many entries as lanes suffice for any nesting.
    if (TypeParam::kStackDepth >= TypeParam::kLanes) {
      EXPECT_FALSE(run.overflowed());
    }
    met.hit("recursion", run.deepest_call() >= 3);
    if (TypeParam::kLevelW > 2) met.hit("threads_meet_again", run.meetings() != 0);
    for (unsigned reason : {kStallNone, kStallNoWarp, kStallUnitBusy, kStallMemory, kStallScoreboard, kStallBranchPending,
                            kStallBarrier, kStallIbufferEmpty}) {
      if (TypeParam::kNumWarps > 5) break;  // with many warps something is nearly always ready
      met.hit("stall_reason_" + std::to_string(reason), run.stalls(reason) != 0);
    }
    if (TypeParam::kScoreboard == 0 && TypeParam::kSbEntries == 2) met.hit("stall_scoreboard_full", run.stalls(kStallScoreboardFull) != 0);
    if (TypeParam::kSelector == 1) met.hit("stall_path_switch", run.stalls(kStallPathSwitch) != 0);
  }
  EXPECT_EQ(met.missing(), "");
}

template <class Set>
class DpeFrontendAgainstSinglePath : public testing::Test {};
using SetsOfEightLanes = testing::Types<models::dpe_frontend_small, models::dpe_frontend_optimistic_gto,
                                        models::dpe_frontend_constrained, models::dpe_frontend_constrained_gto>;
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

}  // namespace
}  // namespace heddle::test
