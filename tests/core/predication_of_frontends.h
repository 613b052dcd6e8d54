// SPDX-License-Identifier: Apache-2.0
// What predication does in any front end. FrontEnd: a template Bench, and models Small and Unpredicated.
#pragma once

#include <gtest/gtest.h>

#include "tests/core/frontend_script.h"
#include "tests/core/kernel_run.h"

namespace heddle::test {

template <class FrontEnd>
struct PredicationOf : testing::Test {
  template <class Set>
  using Script = FrontendScript<Set, FrontEnd::template Bench>;
  using Issues = std::vector<Issued>;
};
TYPED_TEST_SUITE_P(PredicationOf);

TYPED_TEST_P(PredicationOf, DoesNotChangeWhatIsIssued) {
  typename TypeParam::template Bench<typename TypeParam::Small> bench;
  unsigned regions = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const RandomProgram program(200 + seed, {10, 60, true, false, 1, 50});
    Timing timing = timing_of(seed);
    timing.skip = 0;
    const auto reference = run_kernel(bench, program, 6, seed, timing).issues();
    timing.skip = 100;
    const KernelRun run = run_kernel(bench, program, 6, seed, timing);
    EXPECT_EQ(run.issues(), reference) << seed;
    for (unsigned i = 1; i <= RandomProgram::kMaxSkip; ++i) regions += run.regions(i);
  }
  EXPECT_GE(regions, 50u);
}

TYPED_TEST_P(PredicationOf, ThreadsThatTakeAShortBranchAreOffUntilItsTarget) {
  typename TestFixture::template Script<typename TypeParam::Small> script({kControl, 0, 0, 0, 0}, 0b1111);
  EXPECT_EQ(script.issues(1), (typename TestFixture::Issues{{0x100, 0b1111, false}}));
  script.resolve(short_branch());
  EXPECT_EQ(script.issues(4),
            (typename TestFixture::Issues{
                {0x104, 0b1100, true}, {0x108, 0b1100, true}, {0x10c, 0b1111, false}, {0x110, 0b1111, false}}));
  EXPECT_EQ(script.pins().max_depth, 1u);
}

TYPED_TEST_P(PredicationOf, WithoutPredicationASkipIsIgnored) {
  typename TestFixture::template Script<typename TypeParam::Unpredicated> script({kControl, 0, 0, 0}, 0b1111);
  script.issue();
  script.resolve(short_branch());
  EXPECT_EQ(script.issues(3),
            (typename TestFixture::Issues{{0x104, 0b1100, false}, {0x108, 0b1100, false}, {0x10c, 0b1111, false}}));
  EXPECT_EQ(script.pins().max_depth, 2u);
}

REGISTER_TYPED_TEST_SUITE_P(PredicationOf, DoesNotChangeWhatIsIssued, ThreadsThatTakeAShortBranchAreOffUntilItsTarget,
                            WithoutPredicationASkipIsIgnored);

}  // namespace heddle::test
