// SPDX-License-Identifier: Apache-2.0
// Mistakes of whoever says a skip are asserted by the RTL of any front end. FrontEnd: a template Bench, and a model
// Small.
#pragma once

#include <gtest/gtest.h>

#include "tests/core/frontend_script.h"

namespace heddle::test {

template <class FrontEnd>
struct SkipMistake : testing::Test {
  static void resolve(const FrontendInputs::Resolve& branch,
                      const std::vector<std::uint64_t>& behind = std::vector<std::uint64_t>(10)) {
    resolve_first<FrontendScript<typename FrontEnd::Small, FrontEnd::template Bench>>(branch, behind);
  }
};
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
