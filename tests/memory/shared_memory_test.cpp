// SPDX-License-Identifier: Apache-2.0
// Bank conflicts against written-out cases and against a count by sets.
#include "memory/shared_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "common/random.h"

namespace heddle::test::shared_memory_test {
namespace {

using Addresses = std::vector<std::uint64_t>;

Addresses strided(unsigned lanes, std::uint64_t base, std::uint64_t stride) {
  Addresses addresses;
  for (unsigned lane = 0; lane < lanes; ++lane) addresses.push_back(base + lane * stride);
  return addresses;
}

unsigned passes(unsigned banks, const Addresses& addresses, AccessKind kind = AccessKind::kLoad, unsigned bytes = 4) {
  BankConflicts conflicts(banks);
  return conflicts.passes({0, kind, Space::kShared, static_cast<std::uint8_t>(bytes),
                           lane_mask(static_cast<unsigned>(addresses.size())), addresses.data()});
}

TEST(BankConflicts, UnitStrideNeedsOnePass) { EXPECT_EQ(passes(32, strided(32, 256, 4)), 1u); }

TEST(BankConflicts, OddStridesNeedOnePass) {
  for (unsigned stride = 1; stride < 64; stride += 2) EXPECT_EQ(passes(32, strided(32, 0, 4 * stride)), 1u) << stride;
}

TEST(BankConflicts, StrideTwoNeedsTwoPassesAndStride32NeedsOneALane) {
  EXPECT_EQ(passes(32, strided(32, 0, 8)), 2u);
  EXPECT_EQ(passes(32, strided(32, 0, 128)), 32u);
}

TEST(BankConflicts, DoublewordsOfAWarpNeedTwoPassesAndOneForAllNeedsOne) {
  EXPECT_EQ(passes(32, strided(32, 256, 8), AccessKind::kLoad, 8), 2u);
  EXPECT_EQ(passes(32, strided(16, 256, 8), AccessKind::kLoad, 8), 1u);
  EXPECT_EQ(passes(32, strided(32, 256, 8), AccessKind::kAtomic, 8), 2u);
  EXPECT_EQ(passes(32, strided(32, 64, 0), AccessKind::kLoad, 8), 1u);
  EXPECT_EQ(passes(1, strided(32, 64, 0), AccessKind::kLoad, 8), 2u);
  EXPECT_EQ(passes(32, strided(32, 0, 16), AccessKind::kLoad, 8), 4u);
  EXPECT_EQ(passes(32, strided(32, 64, 0), AccessKind::kAtomic, 8), 32u);
}

TEST(BankConflicts, HalfTheBanksNeedTwoPasses) { EXPECT_EQ(passes(16, strided(32, 0, 4)), 2u); }

TEST(BankConflicts, EqualWordsAreBroadcast) {
  EXPECT_EQ(passes(32, strided(32, 64, 0)), 1u);
  EXPECT_EQ(passes(32, strided(32, 64, 1), AccessKind::kLoad, 1), 1u);
}

TEST(BankConflicts, AtomicsOnOneWordTakeAPassALane) {
  EXPECT_EQ(passes(32, strided(32, 64, 0), AccessKind::kAtomic), 32u);
  EXPECT_EQ(passes(32, strided(32, 64, 4), AccessKind::kAtomic), 1u);
}

TEST(BankConflicts, InactiveLanesDoNotConflict) {
  const Addresses addresses = strided(32, 0, 128);
  BankConflicts conflicts(32);
  EXPECT_EQ(conflicts.passes({0, AccessKind::kLoad, Space::kShared, 4, 0b1010, addresses.data()}), 2u);
}

TEST(BankConflicts, AnUnalignedWordUsesTwoBanks) {
  EXPECT_EQ(passes(32, {2, 4}), 1u);        // words 0 and 1; word 1 again
  EXPECT_EQ(passes(32, {2, 4 + 128}), 2u);  // bank 1 twice
}

TEST(BankConflicts, AgreeWithACountByWords) {
  Random random(3);
  for (unsigned trial = 0; trial < 5000; ++trial) {
    const unsigned banks = 1u << random.below(7);
    const unsigned lanes = 1u << random.between(2, 6);
    const auto bytes = static_cast<std::uint8_t>(1u << random.below(4));
    const auto kind = static_cast<AccessKind>(random.below(3));
    const std::uint32_t range = 1u << random.between(2, 14);
    const bool aligned = bytes == 8 || random.chance(80);
    Addresses addresses = strided(lanes, random.below(400), 4 * random.below(5));
    if (random.chance(70)) {
      for (std::uint64_t& address : addresses) address = random.below(range);
    }
    for (std::uint64_t& address : addresses) address -= aligned ? address % bytes : 0;
    const LaneMask mask = random.some_lanes(lanes);

    std::map<std::uint64_t, std::vector<std::uint64_t>> wanted;  // bank -> words of each lane
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      std::set<std::uint64_t> words;
      for (unsigned byte = 0; byte < bytes; ++byte) words.insert((addresses[lane] + byte) / 4);
      for (const std::uint64_t word : words) wanted[word % banks].push_back(word);
    }
    std::size_t expected = 0;
    for (const auto& [bank, words] : wanted) {
      const std::size_t distinct = std::set<std::uint64_t>(words.begin(), words.end()).size();
      expected = std::max(expected, kind == AccessKind::kAtomic ? words.size() : distinct);
    }
    BankConflicts conflicts(banks);
    ASSERT_EQ(conflicts.passes({0, kind, Space::kShared, bytes, mask, addresses.data()}), expected)
        << "trial " << trial;
  }
}

}  // namespace
}  // namespace heddle::test::shared_memory_test
