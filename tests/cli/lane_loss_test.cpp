// SPDX-License-Identifier: Apache-2.0
// Which branch a lost lane is counted for.
#include "report/lane_loss.h"

#include <gtest/gtest.h>

#include "isa/launch.h"
#include "isa/program.h"
#include "memory/address_space.h"

namespace heddle::lane_loss_test {
namespace {

constexpr Pc kBase = 0x10000000;

// Warp 0 with threads 0 to 3, of a program of twenty instructions.
class LaneLossTest : public testing::Test {
 protected:
  LaneLossTest() {
    program_.text_begin = kBase;
    program_.text.resize(20);
    Launch launch;
    launch.program = &program_;
    const AddressSpace memory{Config{}};
    lanes_.launch_begin(launch, memory);
    lanes_.warp_begin(0, 0, 0, 0, 0xF);
  }
  void issue(unsigned place, LaneMask mask, LaneMask taken = 0, LaneMask exited = 0) {
    CommitEvent event;
    event.pc = kBase + 4 * place;
    event.mask = mask;
    event.taken = taken;
    event.exited = exited;
    lanes_.commit(event);
  }
  [[nodiscard]] std::uint64_t lost(unsigned place) const { return lanes_.counts()[place].lost; }

  Program program_;
  LaneLoss lanes_;
};

TEST_F(LaneLossTest, BothSidesOfABranch) {
  issue(0, 0xF, 0x3);
  issue(1, 0xC);
  issue(2, 0x3);
  issue(3, 0x3);
  issue(4, 0xF);
  EXPECT_EQ(lost(0), 6U);
  EXPECT_EQ(lanes_.counts()[1].missing, 2U);
  EXPECT_EQ(lanes_.counts()[4].missing, 0U);
  EXPECT_EQ(lanes_.without_branch(), 0U);
}

TEST_F(LaneLossTest, OfNestedBranchesTheOneThatPartedTheseTwo) {
  issue(0, 0xF, 0x3);  // 0, 1 from 2, 3
  issue(1, 0x3, 0x1);  // 0 from 1: 2 and 3 are lost to the first branch
  issue(2, 0x2);       // 0 to the second one, 2 and 3 to the first
  EXPECT_EQ(lost(0), 4U);
  EXPECT_EQ(lost(1), 1U);
  issue(3, 0x1);
  issue(4, 0x3);  // together again
  EXPECT_EQ(lost(0), 8U);
  EXPECT_EQ(lost(1), 2U);
  issue(5, 0xC);
  EXPECT_EQ(lost(0), 10U);
}

TEST_F(LaneLossTest, WhatMetIsNotPartedAnyMore) {
  issue(0, 0xF, 0x1);
  issue(1, 0xE);
  issue(2, 0xF);
  issue(3, 0x6);  // parted otherwise
  EXPECT_EQ(lost(0), 1U);
  EXPECT_EQ(lanes_.without_branch(), 2U);
}

TEST_F(LaneLossTest, ThreadsThatHaveEndedAreNotLost) {
  issue(0, 0xF, 0x8);
  issue(1, 0x8, 0, 0x8);
  issue(2, 0x7);
  EXPECT_EQ(lost(0), 3U);  // of the fourth thread's last instruction
  EXPECT_EQ(lanes_.counts()[2].missing, 0U);
}

TEST_F(LaneLossTest, ThreadsThatLeaveALoopOneAfterTheOther) {
  for (const LaneMask inside : {0xF, 0xE, 0xC, 0x8}) issue(0, inside, inside & (inside - 1));  // the lowest leaves
  issue(1, 0xF);
  EXPECT_EQ(lost(0), 1U + 2U + 3U);
}

}  // namespace
}  // namespace heddle::lane_loss_test
