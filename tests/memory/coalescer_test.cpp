// SPDX-License-Identifier: Apache-2.0
// Lines of warp accesses: written-out strides, and every byte of every lane looked at one by one.
#include "memory/coalescer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "common/random.h"

namespace heddle::test::coalescer_test {
namespace {

using Addresses = std::vector<std::uint64_t>;
using Numbers = std::vector<std::uint64_t>;

Addresses strided(unsigned lanes, std::uint64_t base, std::uint64_t stride) {
  Addresses addresses;
  for (unsigned lane = 0; lane < lanes; ++lane) addresses.push_back(base + lane * stride);
  return addresses;
}

std::vector<Line> lines(const Addresses& addresses, AccessKind kind = AccessKind::kLoad, unsigned bytes = 4,
                        unsigned line_bytes = 128, LaneMask mask = ~LaneMask{0}, Space space = Space::kGlobal) {
  const auto list = std::make_unique<LineList>();
  const auto lanes = static_cast<unsigned>(addresses.size());
  Coalescer(line_bytes, lanes)
      .coalesce({0, kind, space, static_cast<std::uint8_t>(bytes), mask & lane_mask(lanes), addresses.data()}, *list);
  return {list->line.begin(), list->line.begin() + list->count};
}

Numbers numbers(const std::vector<Line>& lines) {
  Numbers result;
  for (const Line& line : lines) result.push_back(line.number);
  return result;
}

TEST(Coalescer, UnitStrideIsOneLine) { EXPECT_EQ(numbers(lines(strided(32, 0x2000, 4))), Numbers{0x40}); }

TEST(Coalescer, UnitStrideOffTheLineIsTwoLines) {
  EXPECT_EQ(numbers(lines(strided(32, 0x2004, 4))), (Numbers{0x40, 0x41}));
}

TEST(Coalescer, StrideTwoIsTwoLines) { EXPECT_EQ(numbers(lines(strided(32, 0x2000, 8))), (Numbers{0x40, 0x41})); }

TEST(Coalescer, DoublewordsOfAWarpAreTwoLines) {
  EXPECT_EQ(numbers(lines(strided(32, 0x2000, 8), AccessKind::kLoad, 8)), (Numbers{0x40, 0x41}));
  const std::vector<Line> written = lines(strided(32, 0x2000, 8), AccessKind::kStore, 8);
  ASSERT_EQ(numbers(written), (Numbers{0x40, 0x41}));
  EXPECT_EQ(written[0].sectors, 0b1111u);
  EXPECT_EQ(written[1].sectors, 0b1111u);
}

TEST(Coalescer, ADoublewordOfLocalMemoryIsTwoWordsALaneWidthApartAndItsLinesCountOnce) {
  const std::vector<Line> read = lines(strided(32, 0x2000, 4), AccessKind::kLoad, 8, 128, ~LaneMask{0}, Space::kLocal);
  ASSERT_EQ(numbers(read), (Numbers{0x40, 0x41}));
  EXPECT_EQ(read[0].lanes, lane_mask(32));
  EXPECT_EQ(read[1].lanes, lane_mask(32));
  const std::vector<Line> written = lines(strided(32, 0x2000, 4), AccessKind::kStore, 8, 128, 1, Space::kLocal);
  ASSERT_EQ(numbers(written), (Numbers{0x40, 0x41}));
  EXPECT_EQ(written[0].sectors, 0b0001u);
  EXPECT_EQ(written[1].sectors, 0b0001u);
  // Eight lanes: both words lie in one line.
  EXPECT_EQ(numbers(lines(strided(8, 0x2000, 4), AccessKind::kLoad, 8, 128, ~LaneMask{0}, Space::kLocal)),
            Numbers{0x40});
}

TEST(Coalescer, Stride32IsALineALane) {
  const Numbers result = numbers(lines(strided(32, 0x2000, 128)));
  ASSERT_EQ(result.size(), 32u);
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(result[lane], 0x40 + lane);
}

TEST(Coalescer, OneWordIsOneLine) { EXPECT_EQ(numbers(lines(strided(64, 0x2040, 0))), Numbers{0x40}); }

TEST(Coalescer, LinesComeInTheOrderOfTheLanes) {
  EXPECT_EQ(numbers(lines({0x500, 0x100, 0x504, 0x300, 0x104})), (Numbers{0xa, 0x2, 0x6}));
}

TEST(Coalescer, InactiveLanesTouchNothing) {
  EXPECT_EQ(numbers(lines(strided(32, 0, 128), AccessKind::kLoad, 4, 128, 0b100100)), (Numbers{2, 5}));
}

TEST(Coalescer, AnAccessAcrossTheLineTouchesBoth) {
  EXPECT_EQ(numbers(lines({126})), (Numbers{0, 1}));
  EXPECT_EQ(numbers(lines({127}, AccessKind::kLoad, 2)), (Numbers{0, 1}));
  EXPECT_EQ(numbers(lines({124})), Numbers{0});
  const std::vector<Line> written = lines({126}, AccessKind::kStore);
  EXPECT_EQ(written[0].sectors, 0b1000u);
  EXPECT_EQ(written[1].sectors, 0b0001u);
}

TEST(Coalescer, LocalAddressesAboveFourGibibytesKeepAllBits) {
  EXPECT_EQ(numbers(lines(strided(32, (std::uint64_t{5} << 32) + 256, 4))), Numbers{(std::uint64_t{5} << 25) + 2});
}

TEST(Coalescer, StoresNameTheSectorsTheyTouch) {
  const std::vector<Line> narrow = lines(strided(8, 0x2020, 4), AccessKind::kStore);
  ASSERT_EQ(narrow.size(), 1u);
  EXPECT_EQ(narrow[0].sectors, 0b0010u);
  EXPECT_EQ(lines(strided(32, 0x2000, 4), AccessKind::kStore)[0].sectors, 0b1111u);
  EXPECT_EQ(lines(strided(2, 0x2000, 1020), AccessKind::kStore, 4, 1024)[0].sectors, 0x80000001u);
}

TEST(Coalescer, AtomicsCountTheLanesThatWaitForOneWord) {
  EXPECT_EQ(lines(strided(32, 0x2000, 0), AccessKind::kAtomic)[0].conflicts, 31u);
  EXPECT_EQ(lines(strided(32, 0x2000, 4), AccessKind::kAtomic)[0].conflicts, 0u);
  const std::vector<Line> two = lines({0x2000, 0x2080, 0x2000, 0x2004, 0x2000, 0x2004}, AccessKind::kAtomic);
  EXPECT_EQ(two[0].conflicts, 2u);
  EXPECT_EQ(two[1].conflicts, 0u);
}

TEST(Coalescer, AgreesWithALookAtEveryByte) {
  Random random(11);
  for (unsigned trial = 0; trial < 5000; ++trial) {
    const unsigned line_bytes = 32u << random.below(6);
    const unsigned lanes = 1u << random.between(2, 6);
    const unsigned bytes = 1u << random.below(4);
    const Space space = random.chance(30) ? Space::kLocal : Space::kGlobal;
    const auto kind = static_cast<AccessKind>(random.below(3));
    const bool aligned = kind == AccessKind::kAtomic || bytes == 8 || random.chance(70);
    const std::uint32_t range = 1u << random.between(3, 16);
    Addresses addresses(lanes);
    for (std::uint64_t& address : addresses) {
      address = random.below(range);
      if (aligned) address -= address % (space == Space::kLocal ? std::min(bytes, 4u) : bytes);
    }
    const LaneMask mask = random.some_lanes(lanes);

    Numbers order;
    std::map<std::uint64_t, std::uint32_t> sectors;
    std::map<std::uint64_t, LaneMask> touched;
    std::map<std::uint64_t, std::map<std::uint64_t, unsigned>> words;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      for (unsigned n = 0; n < bytes; ++n) {
        const bool upper_word_apart = space == Space::kLocal && n >= 4;
        const std::uint64_t byte = addresses[lane] + n + (upper_word_apart ? 4 * (lanes - 1) : 0);
        const std::uint64_t number = byte / line_bytes;
        if (std::find(order.begin(), order.end(), number) == order.end()) order.push_back(number);
        touched[number] |= LaneMask{1} << lane;
        sectors[number] |= 1u << (byte % line_bytes / 32);
      }
      ++words[addresses[lane] / line_bytes][addresses[lane] / 4];
    }
    const std::vector<Line> result = lines(addresses, kind, bytes, line_bytes, mask, space);
    ASSERT_EQ(numbers(result), order) << "trial " << trial;
    for (const Line& line : result) {
      ASSERT_EQ(line.sectors, kind == AccessKind::kLoad ? 0 : sectors[line.number]) << "trial " << trial;
      ASSERT_EQ(line.lanes, touched[line.number]) << "trial " << trial;
      unsigned most = 1;
      if (kind == AccessKind::kAtomic) {
        for (const auto& [word, count] : words[line.number]) most = std::max(most, count);
      }
      ASSERT_EQ(line.conflicts, most - 1) << "trial " << trial;
    }
  }
}

}  // namespace
}  // namespace heddle::test::coalescer_test
