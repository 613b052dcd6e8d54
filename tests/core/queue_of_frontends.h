// SPDX-License-Identifier: Apache-2.0
// What the instruction queue of a path does around control instructions, in either front end. FrontEnd: a template
// Bench, and a model Deep with queues of five.
#pragma once

#include <gtest/gtest.h>

#include "tests/core/frontend_script.h"

namespace heddle::test {

template <class FrontEnd>
struct QueueOf : testing::Test {
  using Script = FrontendScript<typename FrontEnd::Deep, FrontEnd::template Bench>;
  using Issues = std::vector<Issued>;
  static_assert(FrontEnd::Deep::kIbufDepth == 5);

  // A program begins with `first`, which has issued; the queue has had time to fill.
  struct Behind : Script {
    explicit Behind(std::uint64_t first, std::vector<std::uint64_t> rest = std::vector<std::uint64_t>(30))
        : Script(with(first, rest), 0b1111) {
      this->issue();
      EXPECT_FALSE(this->issues_within(6));
    }
    static std::vector<std::uint64_t> with(std::uint64_t first, std::vector<std::uint64_t> rest) {
      rest.insert(rest.begin(), first);
      return rest;
    }
    // Cycles from the resolution to the next issue.
    std::uint64_t cycles_from(const FrontendInputs::Resolve& resolution) {
      const std::uint64_t resolved = this->now();
      this->resolve(resolution);
      this->issue();
      return this->now() - 1 - resolved;
    }
  };
  static constexpr FrontendInputs::Resolve kNobodyTakesIt{0, 0, 0, kScriptBase + 0x20, kScriptBase + 4, kNoRpc, 0};
  static constexpr FrontendInputs::Resolve kAllTakeIt{0, 0, 0b1111, kScriptBase + 0x20, kScriptBase + 4, kNoRpc, 0};
  // To the issue register with the queue kept: taken in, acts, granted. With a fetch whose answer comes at once: two
  // more.
  static constexpr std::uint64_t kKept = 3, kFetched = 5;
};
TYPED_TEST_SUITE_P(QueueOf);

TYPED_TEST_P(QueueOf, ABranchThatNobodyTakesKeepsIt) {
  typename TestFixture::Behind script(kControl);
  EXPECT_EQ(script.cycles_from(TestFixture::kNobodyTakesIt), TestFixture::kKept);
  EXPECT_EQ(script.pins().issue.pc, kScriptBase + 4);
}

TYPED_TEST_P(QueueOf, ABranchThatAllTakeDoesNot) {
  typename TestFixture::Behind script(kControl);
  EXPECT_EQ(script.cycles_from(TestFixture::kAllTakeIt), TestFixture::kFetched);
  EXPECT_EQ(script.pins().issue.pc, kScriptBase + 0x20);
}

TYPED_TEST_P(QueueOf, APredicatedSkipKeepsIt) {
  typename TestFixture::Behind script(kControl);
  EXPECT_EQ(script.cycles_from(short_branch()), TestFixture::kKept);
  EXPECT_TRUE(script.pins().issue.predicated);
  const auto first = script.now();
  EXPECT_EQ(script.issues(2), (typename TestFixture::Issues{{0x108, 0b1100, true}, {0x10c, 0b1111, false}}));
  EXPECT_EQ(script.now(), first + 2);
}

TYPED_TEST_P(QueueOf, BehindAJumpThatGoesOnIsFetchedAgain) {
  typename TestFixture::Behind script(kJump);
  EXPECT_EQ(script.cycles_from(TestFixture::kNobodyTakesIt), TestFixture::kFetched);
  EXPECT_EQ(script.pins().issue.pc, kScriptBase + 4);
}

TYPED_TEST_P(QueueOf, AJumpBehindABranchIsKeptAndNothingIsFetchedBehindIt) {
  typename TestFixture::Behind script(kControl, {0, kJump, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(script.cycles_from(TestFixture::kNobodyTakesIt), TestFixture::kKept);
  EXPECT_EQ(script.issues(1), (typename TestFixture::Issues{{0x108, 0b1111, false}}));
  for (unsigned i = 0; i < 6; ++i) {
    script.step();
    EXPECT_FALSE(script.pins().fetch.valid);
  }
  auto jump = TestFixture::kAllTakeIt;
  jump.next = 0x10c;
  EXPECT_EQ(script.cycles_from(jump), TestFixture::kFetched);
  EXPECT_EQ(script.pins().issue.pc, kScriptBase + 0x20);
}

TYPED_TEST_P(QueueOf, AnswersOfOneInstructionLoseNone) {
  for (const unsigned latency : {0u, 1u, 3u}) {
    typename TestFixture::Script script(std::vector<std::uint64_t>(20), 0b1111);
    script.one_by_one = true;
    script.latency = latency;
    for (Pc pc = kScriptBase; pc < kScriptBase + 80; pc += 4) EXPECT_EQ(script.issue().pc, pc);
  }
}

TYPED_TEST_P(QueueOf, AStraightLineOfOneWarpIssuesInEveryCycle) {
  for (const unsigned latency : {0u, 1u}) {
    typename TestFixture::Script script(std::vector<std::uint64_t>(60), 0b1111);
    script.latency = latency;
    script.issue();
    const auto first = script.now();
    script.issues(50);
    EXPECT_EQ(script.now(), first + 50) << latency;
  }
}

REGISTER_TYPED_TEST_SUITE_P(QueueOf, ABranchThatNobodyTakesKeepsIt, ABranchThatAllTakeDoesNot, APredicatedSkipKeepsIt,
                            BehindAJumpThatGoesOnIsFetchedAgain, AJumpBehindABranchIsKeptAndNothingIsFetchedBehindIt,
                            AnswersOfOneInstructionLoseNone, AStraightLineOfOneWarpIssuesInEveryCycle);

}  // namespace heddle::test
