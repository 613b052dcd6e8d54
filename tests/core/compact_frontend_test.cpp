// SPDX-License-Identifier: Apache-2.0
// core/compact_frontend: random programs on RTL, twin and oracle in lockstep; it issues what spe_frontend does, in the
// same cycles, with fewer entries.
#include <gtest/gtest.h>

#include "models/compact_frontend_small.h"
#include "models/spe_frontend_small.h"
#include "tests/core/skips_of_frontends.h"

namespace heddle::test {
namespace {

using Small = models::compact_frontend_small;

TEST(CompactFrontendRandom, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  CompactFrontendBench<Small> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(64); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed));
    const KernelRun run = run_kernel(bench, program, 2 * Small::kNumWarps + 1, seed,
                                     seed % 3 == 0 ? rough(timing_of(seed)) : timing_of(seed));
    EXPECT_FALSE(run.overflowed());  // as many entries as lanes suffice
    met.hit("recursion", run.deepest_call() >= 3);
    met.hit("threads_meet_again", run.meetings() != 0);
    met.hit("region_of_8", run.regions(8) != 0);
  }
  EXPECT_EQ(met.missing(), "");
}

TEST(CompactFrontendRandom, KilledWarpsLeaveNothingBehindAndAllOpinionsAgreeInEveryCycle) {
  CompactFrontendBench<Small> bench;
  EXPECT_EQ(kill_runs(bench, seeds(48), timing_of).missing(), "");
}

TEST(CompactFrontend, IssuesTheSameInstructionsAsTheTextbooksStackInTheSameCycles) {
  const auto run = [](auto& bench, std::uint64_t seed) {
    const RandomProgram program(300 + seed, shape_of(seed));
    return run_kernel(bench, program, 9, seed, seed % 2 == 0 ? rough(timing_of(seed)) : timing_of(seed)).in_order();
  };
  SpeFrontendBench<models::spe_frontend_small> textbook;
  std::vector<std::vector<KernelRun::Issue>> reference;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) reference.push_back(run(textbook, seed));
  CompactFrontendBench<Small> compact;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    EXPECT_FALSE(reference[seed - 1].empty());
    EXPECT_EQ(run(compact, seed), reference[seed - 1]) << seed;
  }
}

struct Compact {
  template <class Set>
  using Bench = CompactFrontendBench<Set>;
  using Small = models::compact_frontend_small;
};
INSTANTIATE_TYPED_TEST_SUITE_P(CompactFrontend, SkipMistake, Compact);

}  // namespace
}  // namespace heddle::test
