// SPDX-License-Identifier: Apache-2.0
// core/fork_join_frontend: random programs with and without forks on RTL, twin and oracle in lockstep; every thread
// executes exactly its own path.
#include <gtest/gtest.h>

#include "models/fork_join_frontend_small.h"
#include "tests/core/queue_of_frontends.h"
#include "tests/core/skips_of_frontends.h"

namespace heddle::test {
namespace {

using Small = models::fork_join_frontend_small;

TEST(ForkJoinFrontendRandom, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  ForkJoinFrontendBench<Small> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(64); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    ProgramShape shape = shape_of(seed);
    shape.forks = seed % 4 != 0;
    const RandomProgram program(seed, shape);
    const KernelRun run = run_kernel(bench, program, 2 * Small::kNumWarps + 1, seed,
                                     seed % 3 == 0 ? rough(timing_of(seed)) : timing_of(seed));
    met.hit("recursion", run.deepest_call() >= 3);
    met.hit("threads_meet_again", run.meetings() != 0);
    met.hit("region_of_8", run.regions(8) != 0);
    for (unsigned reason : {kStallNone, kStallNoWarp, kStallUnitBusy, kStallMemory, kStallScoreboard,
                            kStallScoreboardFull, kStallBranchPending, kStallBarrier, kStallIbufferEmpty}) {
      met.hit("stall_reason_" + std::to_string(reason), run.stalls(reason) != 0);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

TEST(ForkJoinFrontendRandom, KilledWarpsLeaveNothingBehindAndAllOpinionsAgreeInEveryCycle) {
  ForkJoinFrontendBench<Small> bench;
  EXPECT_EQ(kill_runs(bench, seeds(48), timing_of).missing(), "");
}

struct ForkJoin {
  template <class Set>
  using Bench = ForkJoinFrontendBench<Set>;
  using Small = models::fork_join_frontend_small;
  using Deep = models::fork_join_frontend_small;
};
INSTANTIATE_TYPED_TEST_SUITE_P(ForkJoinFrontend, SkipMistake, ForkJoin);
INSTANTIATE_TYPED_TEST_SUITE_P(ForkJoinFrontend, QueueOf, ForkJoin);

}  // namespace
}  // namespace heddle::test
