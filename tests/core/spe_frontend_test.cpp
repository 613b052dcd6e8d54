// SPDX-License-Identifier: Apache-2.0
// core/spe_frontend: random programs on RTL, twin and oracle in lockstep; every thread executes exactly its own path.
#include <gtest/gtest.h>

#include "models/spe_frontend_default.h"
#include "models/spe_frontend_fallthrough_gto.h"
#include "models/spe_frontend_larger.h"
#include "models/spe_frontend_shallow.h"
#include "models/spe_frontend_small.h"
#include "models/spe_frontend_smaller.h"
#include "tests/common/set_names.h"
#include "tests/core/frontend_bench.h"

namespace heddle::test {
namespace {

template <class Set>
class SpeFrontendRandom : public testing::Test {};
using Sets = ParameterSets<models::spe_frontend_small, models::spe_frontend_fallthrough_gto,
                           models::spe_frontend_smaller, models::spe_frontend_larger, models::spe_frontend_default>;
TYPED_TEST_SUITE(SpeFrontendRandom, Sets, SetNames);

TYPED_TEST(SpeFrontendRandom, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  SpeFrontendBench<TypeParam> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(TypeParam::kNumWarps > 5 ? 16 : 64); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed));
    const KernelRun run = run_kernel(bench, program, 2 * TypeParam::kNumWarps + 1, seed, timing_of(seed));
    // A divergence keeps one entry and adds two; every nested one has fewer threads.
    if (TypeParam::kStackDepth + 1 >= 2 * TypeParam::kLanes) {
      EXPECT_FALSE(run.overflowed());
    }
    met.hit("recursion", run.deepest_call() >= 3);
    if (TypeParam::kLevelW > 2) met.hit("threads_meet_again", run.meetings() != 0);
    for (unsigned reason : {kStallNone, kStallNoWarp, kStallUnitBusy, kStallMemory, kStallScoreboard, kStallScoreboardFull,
                            kStallBranchPending, kStallBarrier, kStallIbufferEmpty}) {
      if (TypeParam::kNumWarps > 5) break;  // with many warps something is nearly always ready
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

TEST(SpeFrontend, ThePushOrderDoesNotChangeWhatIsIssued) {
  SpeFrontendBench<models::spe_frontend_small> taken_first;
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

}  // namespace
}  // namespace heddle::test
