// SPDX-License-Identifier: Apache-2.0
#include "barrel/post_dominators.h"

#include <gtest/gtest.h>

namespace heddle::test::post_dominators_test {
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
  EXPECT_EQ(counts.count(0), 0u);
  counts.arrive(0, kOuter);
  EXPECT_EQ(counts.count(0), 1u);
  counts.arrive(0, kOuter);  // as any other PC: the region is closed
  EXPECT_EQ(counts.count(0), 1u);
}

TEST_F(PostDominators, OfALoopAreCountedOnceAtItsExit) {
  for (unsigned iteration = 0; iteration < 5; ++iteration) {
    counts.open(0, kOuter);
    counts.arrive(0, 0x1000);
  }
  counts.arrive(0, kOuter);
  EXPECT_EQ(counts.count(0), 1u);
}

TEST_F(PostDominators, OfInnerRegionsEndWithTheOuterOne) {
  counts.open(0, kOuter);
  counts.open(0, kInner);
  counts.arrive(0, kOuter);
  counts.arrive(0, kInner);
  EXPECT_EQ(counts.count(0), 1u);
  counts.open(1, kOuter);
  counts.open(1, kInner);
  counts.arrive(1, kInner);
  counts.arrive(1, kOuter);
  EXPECT_EQ(counts.count(1), 2u);
}

TEST_F(PostDominators, WithoutAReconvergencePointCountNothing) {
  counts.open(0, kNoRpc);
  counts.arrive(0, kNoRpc);
  EXPECT_EQ(counts.count(0), 0u);
}

TEST_F(PostDominators, OfARecursiveFunctionArePassedAtTheirOwnDepth) {
  counts.open(0, kInner);
  counts.change_level(0, true, false);
  counts.arrive(0, kInner);
  EXPECT_EQ(counts.count(0), 0u) << "the inner call passes the PC";
  counts.change_level(0, false, true);
  counts.arrive(0, kInner);
  EXPECT_EQ(counts.count(0), 1u);
}

TEST_F(PostDominators, ThatAreAFunctionsExitArePassedByTheReturn) {
  counts.open(0, kReturnRpc);
  counts.change_level(0, true, false);
  counts.open(0, kReturnRpc);
  counts.arrive(0, kInner);
  EXPECT_EQ(counts.count(0), 0u) << "in the kernel itself there is nothing to pass";
  counts.change_level(0, false, true);
  counts.arrive(0, kOuter);
  EXPECT_EQ(counts.count(0), 1u);
}

TEST_F(PostDominators, StayCountedWhenTheThreadThatIsBehindMovesOn) {
  pass(0, 3);
  pass(1, 2);
  EXPECT_EQ(counts.count(0), 3u);
  pass(2, 1);
  EXPECT_EQ(counts.count(0), 3u) << "what stands in the pool stays right";
  EXPECT_EQ(counts.count(1), 2u);
  EXPECT_EQ(counts.count(2), 1u);
  counts.end(2);
  EXPECT_EQ(counts.count(0), 3u);
  EXPECT_EQ(counts.count(1), 2u);
}

TEST_F(PostDominators, OfAThreadThatBeginsLaterAreLevelWithTheOneBehind) {
  pass(0, 7), pass(1, 5), pass(2, 9);
  counts.start(3);
  EXPECT_EQ(counts.count(3), 5u);
  counts.end(1), counts.end(2), counts.end(0), counts.end(3);
  counts.start(0);
  EXPECT_EQ(counts.count(0), 5u) << "nobody is left to compare with";
}

TEST_F(PostDominators, AreShownWithinHalfTheCircleOfTheThreadThatIsBehind) {
  pass(0, 300);
  EXPECT_EQ(counts.count(0), 127u);
  pass(1, 100), pass(2, 100);
  EXPECT_EQ(counts.count(0), 227u);
  pass(1, 100), pass(2, 100);
  EXPECT_EQ(counts.count(0), 300u - 256u) << "nothing is forgotten";
  EXPECT_EQ(counts.count(1), 200u);
  pass(1, 60), pass(2, 60);
  EXPECT_EQ(counts.count(1), 4u);
  counts.reset();
  counts.start(0);
  EXPECT_EQ(counts.count(0), 0u);
}

}  // namespace
}  // namespace heddle::test::post_dominators_test
