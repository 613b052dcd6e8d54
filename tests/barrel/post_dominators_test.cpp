// SPDX-License-Identifier: Apache-2.0
#include "barrel/post_dominators.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

constexpr Pc kInner = 0x1010, kOuter = 0x1020;

class PostDominators : public testing::Test {
 protected:
  void SetUp() override {
    for (unsigned thread = 0; thread < 3; ++thread) counts.start(thread);
  }
  void pass(unsigned thread, unsigned times) {
    for (; times != 0; --times) {
      counts.open(thread, kOuter);
      counts.arrive(thread, kOuter);
    }
  }
  PostDominatorCounts counts{4};
};

TEST_F(PostDominators, ArePassedAtTheEndOfARegionOnly) {
  counts.open(0, kOuter);
  counts.arrive(0, kInner);
  EXPECT_EQ(counts.ahead(0), 0u);
  counts.arrive(0, kOuter);
  EXPECT_EQ(counts.ahead(0), 1u);
  counts.arrive(0, kOuter);  // as any other PC: the region is closed
  EXPECT_EQ(counts.ahead(0), 1u);
}

TEST_F(PostDominators, OfALoopAreCountedOnceAtItsExit) {
  for (unsigned iteration = 0; iteration < 5; ++iteration) {
    counts.open(0, kOuter);
    counts.arrive(0, 0x1000);
  }
  counts.arrive(0, kOuter);
  EXPECT_EQ(counts.ahead(0), 1u);
}

TEST_F(PostDominators, OfInnerRegionsEndWithTheOuterOne) {
  counts.open(0, kOuter);
  counts.open(0, kInner);
  counts.arrive(0, kOuter);
  counts.arrive(0, kInner);
  EXPECT_EQ(counts.ahead(0), 1u);
  counts.open(1, kOuter);
  counts.open(1, kInner);
  counts.arrive(1, kInner);
  counts.arrive(1, kOuter);
  EXPECT_EQ(counts.ahead(1), 2u);
}

TEST_F(PostDominators, WithoutAReconvergencePointCountNothing) {
  counts.open(0, kNoRpc);
  counts.arrive(0, kNoRpc);
  EXPECT_EQ(counts.ahead(0), 0u);
}

TEST_F(PostDominators, OfARecursiveFunctionArePassedAtTheirOwnDepth) {
  counts.open(0, kInner);
  counts.change_level(0, true, false);
  counts.arrive(0, kInner);
  EXPECT_EQ(counts.ahead(0), 0u) << "the inner call passes the PC";
  counts.change_level(0, false, true);
  counts.arrive(0, kInner);
  EXPECT_EQ(counts.ahead(0), 1u);
}

TEST_F(PostDominators, ThatAreAFunctionsExitArePassedByTheReturn) {
  counts.open(0, kReturnRpc);
  counts.change_level(0, true, false);
  counts.open(0, kReturnRpc);
  counts.arrive(0, kInner);
  EXPECT_EQ(counts.ahead(0), 0u) << "in the kernel itself there is nothing to pass";
  counts.change_level(0, false, true);
  counts.arrive(0, kOuter);
  EXPECT_EQ(counts.ahead(0), 1u);
}

TEST_F(PostDominators, AreCountedFromTheThreadThatIsBehind) {
  pass(0, 3);
  pass(1, 2);
  EXPECT_EQ(counts.ahead(0), 3u);
  pass(2, 1);
  EXPECT_EQ(counts.ahead(0), 2u);
  EXPECT_EQ(counts.ahead(1), 1u);
  EXPECT_EQ(counts.ahead(2), 0u);
  counts.end(2);
  EXPECT_EQ(counts.ahead(0), 1u);
  EXPECT_EQ(counts.ahead(1), 0u);
}

TEST_F(PostDominators, OfAThreadThatBeginsLaterAreLevelWithTheOneBehind) {
  pass(0, 7), pass(1, 5), pass(2, 9);
  counts.start(3);
  EXPECT_EQ(counts.ahead(3), 0u);
  pass(1, 1);
  EXPECT_EQ(counts.ahead(0), 2u) << "the thread that began is behind now";
  counts.end(1), counts.end(2), counts.end(0);
  EXPECT_EQ(counts.ahead(3), 0u);
}

TEST_F(PostDominators, FitTheFieldOfTheScheduler) {
  pass(0, 300);
  EXPECT_EQ(counts.ahead(0), PostDominatorCounts::kMaxAhead);
  pass(1, 200), pass(2, 200);
  EXPECT_EQ(counts.ahead(0), 100u) << "nothing is forgotten";
  counts.reset();
  counts.start(0);
  EXPECT_EQ(counts.ahead(0), 0u);
}

}  // namespace
}  // namespace heddle::test
