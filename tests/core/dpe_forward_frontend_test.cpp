// SPDX-License-Identifier: Apache-2.0
// core/dpe_forward_frontend: random programs on RTL, twin and oracle in lockstep, with guests in empty slots; every
// thread executes exactly its own path, and what is issued is what single-path execution issues.
#include <gtest/gtest.h>

#include "models/dpe_forward_frontend_bitmap.h"
#include "models/dpe_forward_frontend_optimistic.h"
#include "models/dpe_forward_frontend_small.h"
#include "models/spe_frontend_small.h"
#include "tests/common/set_names.h"
#include "tests/core/queue_of_frontends.h"
#include "tests/core/skips_of_frontends.h"

namespace heddle::test {
namespace {

template <class Set>
class DpeForwardFrontendRandom : public testing::Test {};
using Sets = ParameterSets<models::dpe_forward_frontend_small, models::dpe_forward_frontend_optimistic,
                           models::dpe_forward_frontend_bitmap>;
TYPED_TEST_SUITE(DpeForwardFrontendRandom, Sets, SetNames);

TYPED_TEST(DpeForwardFrontendRandom, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  DpeForwardFrontendBench<TypeParam> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(96); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed));
    const KernelRun run = run_kernel(bench, program, 2 * TypeParam::kNumWarps + 1, seed,
                                     seed % 3 == 0 ? rough(timing_of(seed)) : timing_of(seed));
    EXPECT_FALSE(run.overflowed());
    met.hit("recursion", run.deepest_call() >= 3);
    met.hit("threads_meet_again", run.meetings() != 0);
    met.hit("region_of_8", run.regions(8) != 0);
  }
  // Some that the stack's own test meets need a place where paths meet by an advance, which these programs do not have.
  for (const char* situation :
       {"forward", "forward_beside_an_advance", "guest_exits", "guest_arrives", "guest_diverges", "guest_diverges_tail",
        "guest_is_offered", "guest_of_a_guest", "pop_behind_a_guest", "pop_with_a_guest"}) {
    met.hit(situation, bench.met().count(situation) != 0);
  }
  if (TypeParam::kScoreboard == kScoreboardDpe)
    met.hit("shadowed_since_it_asked", bench.met().count("shadowed_since_it_asked") != 0);
  EXPECT_EQ(met.missing(), "");
}

TYPED_TEST(DpeForwardFrontendRandom, KilledWarpsLeaveNothingBehindAndAllOpinionsAgreeInEveryCycle) {
  DpeForwardFrontendBench<TypeParam> bench;
  EXPECT_EQ(kill_runs(bench, seeds(96), timing_of).missing(), "");
}

// The same instructions for the same threads, in whatever order, in functions and behind them, too.
TYPED_TEST(DpeForwardFrontendRandom, IssuesTheSameInstructionsForTheSameThreadsAsASinglePath) {
  SpeFrontendBench<models::spe_frontend_small> single;
  static_assert(models::spe_frontend_small::kLanes == TypeParam::kLanes);
  std::vector<KernelRun::Issues> reference;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomProgram program(100 + seed, {10, 70, true, false, 2});
    reference.push_back(run_kernel(single, program, 6, seed, timing_of(seed)).issues());
  }
  DpeForwardFrontendBench<TypeParam> dual;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomProgram program(100 + seed, {10, 70, true, false, 2});
    EXPECT_EQ(run_kernel(dual, program, 6, seed, timing_of(seed + 1)).issues(), reference[seed - 1]) << seed;
  }
}

struct DpeForward {
  template <class Set>
  using Bench = DpeForwardFrontendBench<Set>;
  using Small = models::dpe_forward_frontend_small;
  using Deep = models::dpe_forward_frontend_bitmap;
};
INSTANTIATE_TYPED_TEST_SUITE_P(DpeForwardFrontend, SkipMistake, DpeForward);
INSTANTIATE_TYPED_TEST_SUITE_P(DpeForwardFrontend, QueueOf, DpeForward);

}  // namespace
}  // namespace heddle::test
