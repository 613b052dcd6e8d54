// SPDX-License-Identifier: Apache-2.0
// What predication does in either front end. FrontEnd: a template Bench, and models Small and Unpredicated.
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
  static void resolve(const FrontendInputs::Resolve& branch,
                      const std::vector<std::uint64_t>& behind = std::vector<std::uint64_t>(10)) {
    resolve_first<Script<typename FrontEnd::Small>>(branch, behind);
  }
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

// ---- mistakes of whoever resolves are asserted by the RTL

template <class FrontEnd>
struct SkipMistake : PredicationOf<FrontEnd> {};
TYPED_TEST_SUITE_P(SkipMistake);

TYPED_TEST_P(SkipMistake, ASkipOfThreadsOfWhichSomeExit) {
  auto branch = short_branch();
  branch.exit = 0b1000;
  EXPECT_THROW(TestFixture::resolve(branch), RtlAssertion);
}

TYPED_TEST_P(SkipMistake, ASkipOfACall) {
  auto branch = short_branch();
  branch.call = true;
  EXPECT_THROW(TestFixture::resolve(branch), RtlAssertion);
}

TYPED_TEST_P(SkipMistake, ASkipOfAReturn) {
  auto branch = short_branch();
  branch.returns = true;
  EXPECT_THROW(TestFixture::resolve(branch), RtlAssertion);
}

TYPED_TEST_P(SkipMistake, ASkipOfABranchThatNoThreadOfThePathTakes) {
  auto branch = short_branch();
  branch.taken = 0b1110000;  // none of the four
  EXPECT_THROW(TestFixture::resolve(branch), RtlAssertion);
}

TYPED_TEST_P(SkipMistake, ASkipOfABranchThatAllThreadsTake) {
  auto branch = short_branch();
  branch.taken = 0b11111;
  EXPECT_THROW(TestFixture::resolve(branch), RtlAssertion);
}

TYPED_TEST_P(SkipMistake, ASkipOfMoreThanEightInstructions) {
  auto branch = short_branch();
  branch.skip = 9;
  branch.target = branch.rpc = branch.next + 4 * 9;
  EXPECT_THROW(TestFixture::resolve(branch), RtlAssertion);
}

TYPED_TEST_P(SkipMistake, ASkipOverAControlInstruction) {
  EXPECT_THROW(TestFixture::resolve(short_branch(), {0, kControl, 0}), RtlAssertion);
}

TYPED_TEST_P(SkipMistake, ASkipOverABarrier) {
  EXPECT_THROW(TestFixture::resolve(short_branch(), {0, kBarrier, 0}), RtlAssertion);
}

REGISTER_TYPED_TEST_SUITE_P(SkipMistake, ASkipOfThreadsOfWhichSomeExit, ASkipOfACall, ASkipOfAReturn,
                            ASkipOfABranchThatNoThreadOfThePathTakes, ASkipOfABranchThatAllThreadsTake,
                            ASkipOfMoreThanEightInstructions, ASkipOverAControlInstruction, ASkipOverABarrier);

}  // namespace heddle::test
