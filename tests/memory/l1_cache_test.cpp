// SPDX-License-Identifier: Apache-2.0
// L1 tags, LRU and MSHRs: written-out cases, and a list in order of use for random traces.
#include "memory/l1_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <string>
#include <vector>

#include "common/random.h"
#include "heddle/error.h"

namespace heddle::test::l1_cache_test {
namespace {

using Result = L1Cache::Result;
using Waiters = std::vector<std::uint32_t>;

Config::L1 shape(unsigned sets, unsigned ways, unsigned mshrs = 8, unsigned targets = 4) {
  Config::L1 config;
  config.line = 64;
  config.ways = ways;
  config.bytes = sets * ways * config.line;
  config.mshrs = mshrs;
  config.mshr_targets = targets;
  return config;
}

// Every waiter has lanes of its own.
L1Cache::Waiter waiter(std::uint32_t load) { return {load, LaneMask{0x10001} << load}; }

Waiters fill(L1Cache& cache, std::uint32_t mshr) {
  const L1Cache::Waiters waiters = cache.fill(mshr);
  Waiters loads;
  for (std::uint32_t i = 0; i != waiters.count; ++i) {
    EXPECT_EQ(waiters.first[i].lanes, waiter(waiters.first[i].load).lanes);
    loads.push_back(waiters.first[i].load);
  }
  return loads;
}

// Loads a line and lets its data arrive at once; true if it was there already.
bool load_and_fill(L1Cache& cache, std::uint64_t line) {
  const L1Cache::Access access = cache.load(line, waiter(0), true);
  if (access.result == Result::kMiss) cache.fill(access.mshr);
  return access.result == Result::kHit;
}

TEST(L1Cache, HoldsALineFromItsFill) {
  L1Cache cache(shape(4, 2));
  const L1Cache::Access miss = cache.load(9, waiter(1), true);
  ASSERT_EQ(miss.result, Result::kMiss);
  EXPECT_FALSE(cache.contains(9));
  EXPECT_EQ(fill(cache, miss.mshr), Waiters{1});
  EXPECT_TRUE(cache.contains(9));
  EXPECT_EQ(cache.load(9, waiter(2), true).result, Result::kHit);
}

TEST(L1Cache, JoinsLoadsOfALineThatIsOutstandingUpToTheTargetLimit) {
  L1Cache cache(shape(4, 2, 8, 3));
  const L1Cache::Access miss = cache.load(9, waiter(10), true);
  EXPECT_EQ(cache.load(9, waiter(11), true).result, Result::kMerged);
  EXPECT_EQ(cache.load(9, waiter(12), false).result, Result::kMerged);  // sends nothing
  EXPECT_EQ(cache.load(9, waiter(13), true).result, Result::kStalled);
  EXPECT_EQ(fill(cache, miss.mshr), (Waiters{10, 11, 12}));
  EXPECT_EQ(cache.load(9, waiter(13), true).result, Result::kHit);
}

TEST(L1Cache, StallsWithoutAnMshrAndStillHits) {
  L1Cache cache(shape(4, 2, 2));
  load_and_fill(cache, 7);
  const std::uint32_t first = cache.load(0, waiter(0), true).mshr;
  cache.load(1, waiter(0), true);
  EXPECT_EQ(cache.load(2, waiter(0), true).result, Result::kStalled);
  EXPECT_EQ(cache.load(7, waiter(0), true).result, Result::kHit);
  cache.fill(first);
  EXPECT_EQ(cache.load(2, waiter(0), true).result, Result::kMiss);
}

TEST(L1Cache, StallsWhenEveryWayOfTheSetIsOutstanding) {
  L1Cache cache(shape(4, 2));
  const std::uint32_t first = cache.load(0, waiter(0), true).mshr;
  cache.load(4, waiter(0), true);
  EXPECT_EQ(cache.load(8, waiter(0), true).result, Result::kStalled);
  EXPECT_EQ(cache.load(1, waiter(0), true).result, Result::kMiss);  // another set
  cache.fill(first);
  EXPECT_EQ(cache.load(8, waiter(0), true).result, Result::kMiss);
  EXPECT_FALSE(cache.contains(0));
}

TEST(L1Cache, StallsAMissThatMayNotBeSentAndChangesNothing) {
  L1Cache cache(shape(1, 2, 1));
  load_and_fill(cache, 0);
  load_and_fill(cache, 1);
  EXPECT_EQ(cache.load(2, waiter(0), false).result, Result::kStalled);
  EXPECT_TRUE(cache.contains(0));
  EXPECT_EQ(cache.load(2, waiter(0), true).result, Result::kMiss);  // the MSHR was not taken
  EXPECT_FALSE(cache.contains(0));                                  // the older of the two went
  EXPECT_TRUE(cache.contains(1));
}

TEST(L1Cache, AWriteEvictsItsLine) {
  L1Cache cache(shape(4, 2));
  load_and_fill(cache, 5);
  cache.evict(5);
  EXPECT_FALSE(cache.contains(5));
  EXPECT_EQ(cache.load(5, waiter(0), true).result, Result::kMiss);
}

TEST(L1Cache, AWriteDetachesALineThatIsOutstanding) {
  L1Cache cache(shape(4, 2));
  const L1Cache::Access before = cache.load(5, waiter(1), true);
  cache.evict(5);
  const L1Cache::Access after = cache.load(5, waiter(2), true);
  ASSERT_EQ(after.result, Result::kMiss);  // fetched anew, behind the write
  EXPECT_EQ(fill(cache, before.mshr), Waiters{1});
  EXPECT_FALSE(cache.contains(5));
  EXPECT_EQ(fill(cache, after.mshr), Waiters{2});
  EXPECT_TRUE(cache.contains(5));
}

TEST(L1Cache, AnAtomicTakesAnMshrOfItsOwnAndEvicts) {
  L1Cache cache(shape(4, 2, 2));
  load_and_fill(cache, 5);
  const L1Cache::Access atomic = cache.bypass(5, waiter(1), true);
  ASSERT_EQ(atomic.result, Result::kMiss);
  EXPECT_FALSE(cache.contains(5));
  const L1Cache::Access load = cache.load(5, waiter(2), true);
  ASSERT_EQ(load.result, Result::kMiss);
  EXPECT_EQ(cache.bypass(6, waiter(3), true).result, Result::kStalled);
  EXPECT_EQ(fill(cache, atomic.mshr), Waiters{1});
  EXPECT_FALSE(cache.contains(5));
  EXPECT_EQ(cache.bypass(6, waiter(3), false).result, Result::kStalled);
  EXPECT_EQ(cache.bypass(6, waiter(3), true).result, Result::kMiss);
}

TEST(L1Cache, AStoreThatWritesBackFetchesItsLineAndNobodyWaits) {
  L1Cache cache(shape(4, 2));
  const L1Cache::Access store = cache.store(5, 0b01, true);
  ASSERT_EQ(store.result, Result::kMiss);
  EXPECT_TRUE(cache.outstanding());
  EXPECT_EQ(fill(cache, store.mshr), Waiters{});
  EXPECT_FALSE(cache.outstanding());
  EXPECT_TRUE(cache.contains(5));
  EXPECT_EQ(cache.store(5, 0b10, false).result, Result::kHit);
  EXPECT_EQ(cache.dirty(5), 0b11u);
}

TEST(L1Cache, AStoreThatWritesBackTakesNoTargetOfALineThatIsOutstanding) {
  L1Cache cache(shape(4, 2, 8, 1));
  const L1Cache::Access load = cache.load(5, waiter(1), true);
  EXPECT_EQ(cache.store(5, 0b10, false).result, Result::kMerged);
  EXPECT_EQ(cache.load(5, waiter(2), true).result, Result::kStalled);
  EXPECT_EQ(fill(cache, load.mshr), Waiters{1});
  EXPECT_EQ(cache.dirty(5), 0b10u);
  const L1Cache::Access store = cache.store(6, 1, true);
  EXPECT_EQ(cache.load(6, waiter(3), false).result, Result::kMerged);
  EXPECT_EQ(fill(cache, store.mshr), Waiters{3});
}

TEST(L1Cache, ADirtyVictimIsWrittenBackFirst) {
  L1Cache cache(shape(1, 2, 1));
  cache.fill(cache.store(0, 0b1010, true).mshr);
  load_and_fill(cache, 1);
  EXPECT_EQ(cache.load(2, waiter(0), false).result, Result::kStalled);
  EXPECT_EQ(cache.dirty(0), 0b1010u);
  const L1Cache::Access victim = cache.load(2, waiter(0), true);
  ASSERT_EQ(victim.result, Result::kWriteBack);
  EXPECT_EQ(victim.victim, 0u);
  EXPECT_EQ(victim.dirty, 0b1010u);
  EXPECT_TRUE(cache.contains(0));  // clean, until its place is taken
  EXPECT_EQ(cache.dirty(0), 0u);
  EXPECT_EQ(cache.load(2, waiter(0), true).result, Result::kMiss);
  EXPECT_FALSE(cache.contains(0));
}

TEST(L1Cache, AnAtomicWritesItsDirtyLineBackFirst) {
  L1Cache cache(shape(4, 2));
  const std::uint32_t fetch = cache.store(5, 0b100, true).mshr;  // outstanding: its MSHR has the sectors
  const L1Cache::Access dirty = cache.bypass(5, waiter(1), true);
  ASSERT_EQ(dirty.result, Result::kWriteBack);
  EXPECT_EQ(dirty.victim, 5u);
  EXPECT_EQ(dirty.dirty, 0b100u);
  const L1Cache::Access atomic = cache.bypass(5, waiter(1), true);
  ASSERT_EQ(atomic.result, Result::kMiss);
  EXPECT_EQ(fill(cache, fetch), Waiters{});
  EXPECT_FALSE(cache.contains(5));
  EXPECT_EQ(fill(cache, atomic.mshr), Waiters{1});
}

TEST(L1Cache, AHashedIndexSpreadsWhatALinearOnePutsIntoOneSet) {
  Config::L1 config = shape(8, 1, 64);
  for (const bool hashed : {false, true}) {
    config.index = hashed ? L1Index::kHashed : L1Index::kLinear;
    L1Cache cache(config);
    for (std::uint64_t line = 0; line < 64; line += 8) load_and_fill(cache, line);
    for (std::uint64_t line = 0; line < 64; line += 8) EXPECT_EQ(cache.contains(line), hashed || line == 56) << line;
  }
}

TEST(L1Cache, FoldsEveryGroupOfBitsOfALineNumber) {
  EXPECT_EQ(fold_line(0b101'011'110, 3), 0b000u);
  EXPECT_EQ(fold_line(0b101'011'111, 3), 0b001u);
  EXPECT_EQ(fold_line(std::uint64_t{1} << 40, 3), 0b010u);
  EXPECT_EQ(fold_line(0b1011, 1), 1u);
  EXPECT_EQ(fold_line(0x123456789, 0), 0u);
}

TEST(L1Cache, FermisIndexFoldsTheAddressBitsThatItsTableNames) {
  // Address bits behind each bit of the set number, lowest first.
  const std::vector<std::vector<unsigned>> folded = {{7, 13}, {8, 14}, {9, 15}, {10, 17}, {11, 19}, {12}};
  for (const std::uint32_t sets : {32u, 64u}) {
    for (unsigned bit = 7; bit < 48; ++bit) {
      std::uint32_t expected = 0;
      for (unsigned i = 0; 1u << i < sets; ++i) {
        if (std::count(folded[i].begin(), folded[i].end(), bit) != 0) expected |= 1u << i;
      }
      EXPECT_EQ(fermi_set((std::uint64_t{1} << bit) / 128, sets), expected)
          << "address bit " << bit << ", " << sets << " sets";
    }
    Random random(sets);
    for (unsigned i = 0; i < 100; ++i) {
      const std::uint64_t one = random.below(1u << 20), other = random.below(1u << 20);
      EXPECT_EQ(fermi_set(one ^ other, sets), fermi_set(one, sets) ^ fermi_set(other, sets)) << one << " " << other;
    }
  }
}

TEST(L1Cache, FermisIndexKeepsLinesThatTheLinearOnePutsIntoOneSet) {
  constexpr std::uint64_t kDistance = 12288 / 128, kLines = 24;  // 24 rows of 3,072 words
  Config::L1 config;
  for (const L1Index index : {L1Index::kLinear, L1Index::kFermi}) {
    config.index = index;
    L1Cache cache(config);
    std::uint64_t kept = 0;
    for (std::uint64_t i = 0; i < kLines; ++i) load_and_fill(cache, i * kDistance);
    for (std::uint64_t i = 0; i < kLines; ++i) kept += cache.contains(i * kDistance) ? 1 : 0;
    EXPECT_EQ(kept, index == L1Index::kFermi ? kLines : config.ways);
  }
}

TEST(L1Cache, FermisIndexIsTheHashedOneOfOtherShapes) {
  Config::L1 config;
  config.bytes = 64 * config.ways * 64;
  config.line = 64;  // 64 sets, but of 64 bytes
  std::vector<std::uint64_t> kept[2];
  for (const L1Index index : {L1Index::kHashed, L1Index::kFermi}) {
    config.index = index;
    L1Cache cache(config);
    for (std::uint64_t line = 0; line < 4096; line += 24) load_and_fill(cache, line);
    for (std::uint64_t line = 0; line < 4096; ++line) {
      if (cache.contains(line)) kept[index == L1Index::kFermi ? 1 : 0].push_back(line);
    }
  }
  EXPECT_EQ(kept[0], kept[1]);
}

TEST(L1Cache, ResetForgetsLinesAndMshrs) {
  L1Cache cache(shape(4, 2, 1));
  load_and_fill(cache, 5);
  cache.load(6, waiter(0), true);
  cache.reset();
  EXPECT_FALSE(cache.contains(5));
  EXPECT_EQ(cache.load(6, waiter(0), true).result, Result::kMiss);
}

TEST(L1Cache, ReplacesTheLeastRecentlyUsedLineLikeAListInOrderOfUse) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const unsigned sets = random.between(1, 9);
    const unsigned ways = random.between(1, 6);
    L1Cache cache(shape(sets, ways));
    std::vector<std::list<std::uint64_t>> naive(sets);  // latest use in front
    const std::uint32_t lines = sets * ways * 2;
    for (unsigned step = 0; step < 3000; ++step) {
      const std::uint64_t line = random.below(lines);
      std::list<std::uint64_t>& set = naive[line % sets];
      const std::size_t before = set.size();
      set.remove(line);
      if (random.chance(15)) {
        cache.evict(line);
      } else {
        ASSERT_EQ(load_and_fill(cache, line), set.size() != before) << "step " << step << ", seed " << seed;
        set.push_front(line);
        if (set.size() > ways) set.pop_back();
      }
    }
    for (std::uint64_t line = 0; line < lines; ++line) {
      const std::list<std::uint64_t>& set = naive[line % sets];
      EXPECT_EQ(cache.contains(line), std::find(set.begin(), set.end(), line) != set.end()) << "seed " << seed;
    }
  }
}

TEST(L1Cache, RefusesShapesThatAreNoCache) {
  const auto refuses = [](Config::L1 config, const std::string& words) {
    try {
      L1Cache cache(config);
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), ExitStatus::kBadInput);
      EXPECT_EQ(error.code(), "config");
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
      return;
    }
    ADD_FAILURE() << "accepted; should have complained about " << words;
  };
  Config::L1 config;
  config.line = 96;
  refuses(config, "l1.line is 96");
  config.line = 16;
  refuses(config, "l1.line is 16");
  config.line = 2048;
  refuses(config, "l1.line is 2048");
  config = {};
  config.bytes = 10000;
  refuses(config, "multiple of l1.ways x l1.line = 512");
  config.bytes = 0;
  refuses(config, "l1.bytes is 0");
  config = {};
  config.ways = 0;
  refuses(config, "l1.ways");
  config = {};
  config.mshrs = 0;
  refuses(config, "l1.mshrs");
  config = {};
  config.mshr_targets = 0;
  refuses(config, "l1.mshr_targets");
  config = {};
  config.bytes = 3 * config.ways * config.line;
  config.index = L1Index::kHashed;
  refuses(config, "is 3: give a power of two of sets with l1.index = hashed or fermi");
  config.index = L1Index::kFermi;
  refuses(config, "is 3: give a power of two of sets");
}

}  // namespace
}  // namespace heddle::test::l1_cache_test
