// SPDX-License-Identifier: Apache-2.0
// Load/store unit: the cycle of each completion, written out. Hits take 18 cycles, shared memory 20, memory 200.
#include "memory/lsu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "heddle/error.h"
#include "memory/lsu_machine.h"

namespace heddle::test::lsu_test {
namespace {

constexpr Cycle kHit = 18;
constexpr Cycle kShared = 20;
constexpr Cycle kMemory = 200;
constexpr Cycle kMiss = kHit + kMemory;

Config machine() {
  Config config;
  config.l1.hit_latency = kHit;
  config.shared.latency = kShared;
  config.memory.latency = kMemory;
  config.memory.bytes_per_cycle = 128;  // one line a cycle, unless a test says otherwise
  return config;
}

TEST(LoadStoreUnit, ALoadThatMissesTakesL1AndMemoryLatency) {
  LsuMachine m(machine());
  const auto load = m.load(10, strided(32, 0x1000, 4));
  m.run();
  EXPECT_EQ(m.completed(load), 10 + kMiss);
}

TEST(LoadStoreUnit, ALoadThatHitsTakesTheHitLatency) {
  LsuMachine m(machine());
  m.load(0, strided(32, 0x1000, 4));
  const auto hit = m.load(300, strided(32, 0x1000, 4));
  m.run();
  EXPECT_EQ(m.completed(hit), 300 + kHit);
}

TEST(LoadStoreUnit, HitLatencyOfOneCompletesInTheNextCycle) {
  Config config = machine();
  config.l1.hit_latency = 1;
  LsuMachine m(config);
  m.load(0, {0});
  const auto hit = m.load(300, {0});
  m.run();
  EXPECT_EQ(m.completed(hit), 301u);
}

TEST(LoadStoreUnit, LooksUpOneLineACycle) {
  LsuMachine m(machine());
  m.load(0, strided(32, 0, 128));
  const auto hit = m.load(600, strided(32, 0, 128));
  const auto behind = m.load(601, {0});
  m.run();
  EXPECT_EQ(m.completed(hit), 600 + 31 + kHit);
  EXPECT_EQ(m.completed(behind), 600 + 32 + kHit);
}

TEST(LoadStoreUnit, LooksUpOneLineOfEachBankACycle) {
  Config config = machine();
  config.l1.banks = 16;
  LsuMachine m(config);
  m.load(0, strided(32, 0, 128));
  const auto two = m.load(600, strided(32, 0, 128));  // two lines a bank
  const auto behind = m.load(601, {0});
  const auto same = m.load(700, {0, 17 * 128, 2 * 17 * 128});  // lines 0, 0x11, 0x22: bank 0
  const auto store = m.store(1000, strided(16, 0, 128));
  m.run();
  EXPECT_EQ(m.completed(two), 600 + 1 + kHit);
  EXPECT_EQ(m.completed(behind), 600 + 2 + kHit);
  EXPECT_EQ(m.completed(same), 700 + 2 + kMiss);
  EXPECT_EQ(m.completed(store), 1001u);
}

TEST(LoadStoreUnit, ALineThatWaitsHoldsItsBankOnly) {
  Config config = machine();
  config.l1.banks = 2;
  config.l1.mshrs = 1;
  LsuMachine m(config);
  m.load(0, {0x80});                               // line 1: bank 1
  m.load(300, {0x1000});                           // takes the only MSHR until 300 + 201
  const auto mixed = m.load(301, {0x2000, 0x80});  // line 0x40: bank 1 like line 1, and first
  m.run();
  EXPECT_EQ(m.completed(mixed), 501 - 1 + kMiss);
  EXPECT_EQ(m.stats().l1.stall_cycles, 501u - 302u);
  EXPECT_EQ(m.stats().l1.hits, 1u);
}

TEST(LoadStoreUnit, AStoreThatWritesBackKeepsItsLineAndIsCountedWhenReplaced) {
  Config config = machine();
  config.l1.write = L1Write::kBack;
  config.l1.ways = 1;
  config.l1.bytes = 2 * 128;
  LsuMachine m(config);
  const auto miss = m.store(10, {0x1000, 0x1040});  // two sectors
  const auto joined = m.load(20, {0x1000});
  const auto hit = m.load(300, {0x1000});
  m.run();
  EXPECT_EQ(m.completed(miss), 11u);
  EXPECT_EQ(m.completed(joined), 10 + kMiss);
  EXPECT_EQ(m.completed(hit), 300 + kHit);
  EXPECT_EQ(m.stats().l1.bytes_read, 128u);
  EXPECT_EQ(m.stats().l1.bytes_written, 0u);
  const auto replaces = m.load(600, {0x2000});
  m.run();
  EXPECT_EQ(m.completed(replaces), 600 + 1 + kMiss);  // behind the write-back on the port: half a cycle
  EXPECT_EQ(m.stats().l1.bytes_written, 64u);
  const auto again = m.load(1000, {0x3000});
  m.run();
  EXPECT_EQ(m.completed(again), 1000 + kMiss);
  EXPECT_EQ(m.stats().l1.bytes_written, 64u);
}

TEST(LoadStoreUnit, StoresToLocalMemoryStayInLinesThatAreThere) {
  Config config = machine();
  config.l1.write = L1Write::kLocalBack;
  config.l1.ways = 1;
  config.l1.bytes = 2 * 128;
  LsuMachine m(config);
  m.schedule(10, AccessKind::kStore, Space::kLocal, {0x1000, 0x1040});  // not there: to memory, two sectors
  m.run();
  EXPECT_EQ(m.stats().l1.bytes_written, 64u);
  EXPECT_EQ(m.stats().l1.bytes_read, 0u);
  m.schedule(300, AccessKind::kLoad, Space::kLocal, {0x1000});
  m.schedule(310, AccessKind::kStore, Space::kLocal, {0x1000});  // on its way
  m.schedule(600, AccessKind::kStore, Space::kLocal, {0x1040});
  const auto hit = m.schedule(610, AccessKind::kLoad, Space::kLocal, {0x1000});
  m.run();
  EXPECT_EQ(m.completed(hit), 610 + kHit);
  EXPECT_EQ(m.stats().l1.bytes_written, 64u);
  m.load(900, {0x2000});  // replaces it: two dirty sectors
  m.run();
  EXPECT_EQ(m.stats().l1.bytes_written, 128u);
  m.store(1200, {0x2000});  // global: through, and the line is gone
  const auto again = m.load(1300, {0x2000});
  m.run();
  EXPECT_EQ(m.completed(again), 1300 + kMiss);
  EXPECT_EQ(m.stats().l1.bytes_written, 160u);
}

TEST(LoadStoreUnit, PartsCompleteWithTheirLinesAllOfACycleAtOnce) {
  Config config = machine();
  config.l1.banks = 2;
  SimpleMemory memory(config);
  LoadStoreUnit lsu(config, memory, LoadStoreUnit::Path::kNoBus);
  std::vector<std::tuple<Cycle, std::uint32_t, LaneMask>> seen;
  const auto run = [&](std::uint32_t token, const Addresses& words, Cycle from, Cycle to) {
    for (Cycle now = from; now < to; ++now) {
      lsu.tick(now);
      LaneMask lanes = 0;
      for (std::uint32_t done = 0; lsu.completion(done, lanes);) seen.emplace_back(now, done, lanes);
      if (now == from) {
        const LaneMask mask = lane_mask(static_cast<unsigned>(words.size()));
        lsu.accept({token, AccessKind::kLoad, Space::kGlobal, 4, mask, words.data(), true}, now);
      }
    }
  };
  run(0, {0x0, 0x80, 0x4}, 0, 300);            // both banks, one request behind the other
  run(1, {0x0, 0x1000, 0x84, 0x4}, 300, 600);  // lines 0 and 0x20 are in two banks, line 1 shares that of 0x20
  run(2, {0xffe, 0x1000}, 600, 900);           // lane 0 on lines 0x1f (missing) and 0x20, of one bank
  EXPECT_TRUE(lsu.idle());
  const std::vector<std::tuple<Cycle, std::uint32_t, LaneMask>> expected{
      {kMiss, 0, 0b101},        {kMiss + 1, 0, 0b010},     {300 + kHit, 1, 0b1001}, {300 + 1 + kHit, 1, 0b0100},
      {300 + kMiss, 1, 0b0010}, {600 + 1 + kHit, 2, 0b10}, {600 + kMiss, 2, 0b01}};
  EXPECT_EQ(seen, expected);
}

TEST(LoadStoreUnit, AMergedMissCompletesWithTheLineItWaitsFor) {
  LsuMachine m(machine());
  const auto first = m.load(10, {0x1000});
  const auto merged = m.load(100, {0x1040});
  m.run();
  EXPECT_EQ(m.completed(first), 10 + kMiss);
  EXPECT_EQ(m.completed(merged), 10 + kMiss + 1);  // one result a cycle
  EXPECT_EQ(m.stats().l1.merged, 1u);
  EXPECT_EQ(m.stats().l1.misses, 2u);
  EXPECT_EQ(m.stats().l1.bytes_read, 128u);
}

TEST(LoadStoreUnit, AHitOvertakesAMiss) {
  LsuMachine m(machine());
  m.load(0, {0x1000});
  const auto miss = m.load(300, {0x2000});
  const auto hit = m.load(301, {0x1000});
  m.run();
  EXPECT_EQ(m.completed(hit), 301 + kHit);
  EXPECT_EQ(m.completed(miss), 300 + kMiss);
}

TEST(LoadStoreUnit, ALoadOfSeveralLinesCompletesWithItsLastLine) {
  LsuMachine m(machine());
  m.load(0, {0x1000});
  const auto mixed = m.load(300, {0x2000, 0x1000});  // the hit comes second
  m.run();
  EXPECT_EQ(m.completed(mixed), 300 + kMiss);
}

TEST(LoadStoreUnit, TellsOfAMissOnceInTheCycleOfItsLookup) {
  LsuMachine m(machine());
  const auto miss = m.load(10, {0x1000, 0x2000, 0x3000});
  const auto merged = m.load(11, {0x1000});
  const auto hit = m.load(400, {0x1000});
  const auto store = m.store(401, {0x5000});
  const auto atomic = m.atomic(402, {0x6000, 0x7000});
  m.run();
  EXPECT_EQ(m.missed(), (std::map<std::uint32_t, Cycle>{{miss, 11}, {merged, 14}, {atomic, 403}}));
  EXPECT_EQ(m.missed().count(hit) + m.missed().count(store), 0u);
}

TEST(LoadStoreUnit, AFullMshrFileHoldsTheUnitUntilAFill) {
  Config config = machine();
  config.l1.mshrs = 2;
  LsuMachine m(config);
  const auto first = m.load(10, {0x1000});
  m.load(11, {0x2000});
  const auto third = m.load(12, {0x3000});
  const auto behind = m.load(13, {0x1000});
  m.run();
  // The first line arrives in cycle 211; in that cycle its MSHR serves the third load. In the next the fourth load
  // hits, but the second line arrives too and is first on the result bus.
  EXPECT_EQ(m.completed(first), 10 + kMiss);
  EXPECT_EQ(m.completed(third), 211 - 1 + kMiss);
  EXPECT_EQ(m.completed(behind), 212 - 1 + kHit + 1);
  EXPECT_EQ(m.stats().l1.stall_cycles, 211u - 13u);
}

TEST(LoadStoreUnit, AFullTargetListHoldsTheUnitUntilAFill) {
  Config config = machine();
  config.l1.mshr_targets = 2;
  LsuMachine m(config);
  m.load(10, {0x1000});
  m.load(11, {0x1000});
  const auto third = m.load(12, {0x1000});
  m.run();
  EXPECT_EQ(m.completed(third), 211 - 1 + kHit + 2);  // a hit in the cycle of the fill, third on the result bus
  EXPECT_EQ(m.stats().l1.hits, 1u);
  EXPECT_EQ(m.stats().l1.stall_cycles, 211u - 13u);
}

TEST(LoadStoreUnit, LinesArriveAtMemoryBandwidth) {
  Config config = machine();
  config.memory.bytes_per_cycle = 32;
  LsuMachine m(config);
  const auto load = m.load(10, strided(8, 0, 128));
  m.run();
  EXPECT_EQ(m.completed(load), 10 + kMiss + 7 * 4);
  EXPECT_EQ(m.stats().memory_busy_cycles, 32u);
  EXPECT_EQ(m.stats().memory_bytes, 8u * 128u);
}

TEST(LoadStoreUnit, AFullMemoryQueueHoldsTheUnit) {
  Config config = machine();
  config.memory.bytes_per_cycle = 1;  // a line occupies the port for 128 cycles
  LsuMachine m(config);
  const auto load = m.load(0, strided(20, 0, 128));
  m.run();
  // One on the port, 16 waiting; the 18th may go when the second starts, in cycle 1 + 128.
  EXPECT_EQ(m.stats().l1.stall_cycles, (129u - 18u) + 127u + 127u);
  EXPECT_EQ(m.completed(load), 1 + 19 * 128 + kMemory + kHit - 1);
}

TEST(LoadStoreUnit, AStoreCompletesWhenItsLastLineHasLeft) {
  LsuMachine m(machine());
  const auto one = m.store(10, strided(32, 0x1000, 4));
  const auto many = m.store(20, strided(32, 0, 128));
  m.run();
  EXPECT_EQ(m.completed(one), 11u);
  EXPECT_EQ(m.completed(many), 20u + 32u);
}

TEST(LoadStoreUnit, AStoreMovesOnlyTheSectorsItTouches) {
  LsuMachine m(machine());
  m.store(0, strided(8, 0x1000, 4));    // one sector
  m.store(1, strided(32, 0x2000, 4));   // four
  m.store(2, strided(4, 0x3000, 128));  // four lines, one sector each
  m.run();
  EXPECT_EQ(m.stats().l1.bytes_written, 9u * 32u);
  EXPECT_EQ(m.stats().memory_bytes, 9u * 32u);
  EXPECT_EQ(m.stats().l1.accesses, 0u);
}

TEST(LoadStoreUnit, AStoreEvictsItsLineAndAllocatesNone) {
  LsuMachine m(machine());
  m.load(0, {0x1000});
  m.store(300, {0x1004});
  const auto evicted = m.load(301, {0x1000});
  m.store(600, {0x2000});
  const auto never = m.load(601, {0x2000});
  m.run();
  EXPECT_EQ(m.completed(evicted), 301 + kMiss);
  EXPECT_EQ(m.completed(never), 601 + kMiss);
}

TEST(LoadStoreUnit, ALoadBehindAStoreDoesNotJoinTheOlderMiss) {
  LsuMachine m(machine());
  const auto before = m.load(10, {0x1000});
  m.store(50, {0x1000});
  const auto after = m.load(60, {0x1000});
  m.run();
  EXPECT_EQ(m.completed(before), 10 + kMiss);
  EXPECT_EQ(m.completed(after), 60 + kMiss);
}

TEST(LoadStoreUnit, LocalAccessesUseL1LikeGlobalOnes) {
  LsuMachine m(machine());
  const Addresses line = strided(32, std::uint64_t{1} << 33, 4);
  const auto miss = m.schedule(0, AccessKind::kLoad, Space::kLocal, line);
  const auto hit = m.schedule(300, AccessKind::kLoad, Space::kLocal, line);
  const auto global = m.load(400, strided(32, 0, 4));  // the same low address bits
  m.run();
  EXPECT_EQ(m.completed(miss), kMiss);
  EXPECT_EQ(m.completed(hit), 300 + kHit);
  EXPECT_EQ(m.completed(global), 400 + kMiss);
}

TEST(LoadStoreUnit, AtomicsGoToMemoryAndEvict) {
  LsuMachine m(machine());
  m.load(0, {0x1000});
  const auto atomic = m.atomic(300, strided(32, 0x1000, 4));
  const auto evicted = m.load(600, {0x1000});
  m.run();
  EXPECT_EQ(m.completed(atomic), 300 + kMiss);
  EXPECT_EQ(m.completed(evicted), 600 + kMiss);
}

TEST(LoadStoreUnit, AtomicsOnOneWordSerialize) {
  LsuMachine m(machine());
  const auto same = m.atomic(0, strided(32, 0x1000, 0));
  const auto pairs = m.atomic(300, {0x1000, 0x1000, 0x2000, 0x2000, 0x2000});
  m.run();
  EXPECT_EQ(m.completed(same), 31 + kMiss);
  EXPECT_EQ(m.completed(pairs), 300 + 1 + (1 + 2) + kMiss);  // two lines; one and two lanes wait
}

TEST(LoadStoreUnit, ASharedLoadTakesTheSharedLatencyAndACycleAConflict) {
  LsuMachine m(machine());
  const auto free = m.schedule(10, AccessKind::kLoad, Space::kShared, strided(32, 0, 4));
  const auto two = m.schedule(50, AccessKind::kLoad, Space::kShared, strided(32, 0, 8));
  const auto all = m.schedule(100, AccessKind::kLoad, Space::kShared, strided(32, 0, 128));
  const auto behind = m.schedule(101, AccessKind::kLoad, Space::kShared, strided(32, 0, 0));
  m.run();
  EXPECT_EQ(m.completed(free), 10 + kShared);
  EXPECT_EQ(m.completed(two), 50 + 1 + kShared);
  EXPECT_EQ(m.completed(all), 100 + 31 + kShared);
  EXPECT_EQ(m.completed(behind), 100 + 32 + kShared);
  EXPECT_EQ(m.stats().shared_accesses, 4u);
  EXPECT_EQ(m.stats().shared_conflict_cycles, 1u + 31u);
  EXPECT_EQ(m.stats().memory_instructions, 0u);
}

TEST(LoadStoreUnit, DoublewordsOfAWarpAreTwoLinesOrTwoPassesOfTheSharedBanks) {
  LsuMachine m(machine());
  const auto global = m.schedule(0, AccessKind::kLoad, Space::kGlobal, strided(32, 0, 8), 8);
  const auto again = m.schedule(400, AccessKind::kLoad, Space::kGlobal, strided(32, 0, 8), 8);
  const Addresses words = strided(32, std::uint64_t{1} << 33, 4);
  static_cast<void>(m.schedule(800, AccessKind::kLoad, Space::kLocal, words, 8));
  const auto local = m.schedule(1200, AccessKind::kLoad, Space::kLocal, words, 8);
  const auto shared = m.schedule(1600, AccessKind::kLoad, Space::kShared, strided(32, 0, 8), 8);
  m.run();
  EXPECT_GT(m.completed(global), kMiss);
  EXPECT_EQ(m.completed(again), 400 + 1 + kHit);
  EXPECT_EQ(m.completed(local), 1200 + 1 + kHit);
  EXPECT_EQ(m.completed(shared), 1600 + 1 + kShared);
  EXPECT_EQ(m.stats().memory_transactions, 8u);
}

TEST(LoadStoreUnit, ASharedStoreCompletesWithItsLastPass) {
  LsuMachine m(machine());
  const auto free = m.schedule(10, AccessKind::kStore, Space::kShared, strided(32, 0, 4));
  const auto two = m.schedule(50, AccessKind::kStore, Space::kShared, strided(32, 0, 8));
  m.run();
  EXPECT_EQ(m.completed(free), 11u);
  EXPECT_EQ(m.completed(two), 52u);
}

TEST(LoadStoreUnit, SharedAtomicsOnOneWordSerialize) {
  LsuMachine m(machine());
  const auto same = m.schedule(10, AccessKind::kAtomic, Space::kShared, strided(32, 64, 0));
  m.run();
  EXPECT_EQ(m.completed(same), 10 + 31 + kShared);
}

TEST(LoadStoreUnit, TheResultBusTakesTheOldestResultFirst) {
  Config config = machine();
  config.l1.hit_latency = 5;
  config.shared.latency = 4;
  LsuMachine m(config);
  m.load(0, {0});
  const auto hit = m.load(300, {0});  // ready in 305, like the next
  const auto shared = m.schedule(301, AccessKind::kLoad, Space::kShared, {0});
  const auto later = m.load(302, {0});  // ready in 307
  m.run();
  EXPECT_EQ(m.completed(hit), 305u);
  EXPECT_EQ(m.completed(shared), 306u);
  EXPECT_EQ(m.completed(later), 307u);
}

TEST(LoadStoreUnit, AResultAndAStoreCompleteInOneCycle) {
  Config config = machine();
  config.shared.latency = 2;
  LsuMachine m(config);
  const auto load = m.schedule(10, AccessKind::kLoad, Space::kShared, {0});
  const auto store = m.schedule(11, AccessKind::kStore, Space::kShared, {0});
  m.run();
  EXPECT_EQ(m.completed(load), 12u);
  EXPECT_EQ(m.completed(store), 12u);
}

TEST(LoadStoreUnit, KeepsResultsThatAreNotTaken) {
  Config config = machine();
  config.l1.mshrs = config.l1.mshr_targets = 1;
  SimpleMemory memory(config);
  LoadStoreUnit lsu(config, memory);
  const Addresses word{0};
  std::vector<std::uint32_t> expected, tokens;
  Cycle now = 0;
  for (; now < 1000; ++now) {
    lsu.tick(now);
    if (!lsu.can_accept()) continue;
    const auto token = static_cast<std::uint32_t>(expected.size());
    expected.push_back(token);
    const AccessKind kind = token % 40 == 39 ? AccessKind::kStore : AccessKind::kLoad;
    const Space space = token % 2 == 0 ? Space::kGlobal : Space::kShared;
    lsu.accept({token, kind, space, 4, 1, word.data()}, now);
  }
  EXPECT_FALSE(lsu.can_accept());
  for (; !lsu.idle() && now < 2000; ++now) {
    lsu.tick(now);
    for (std::uint32_t token = 0; lsu.completion(token);) tokens.push_back(token);
  }
  std::sort(tokens.begin(), tokens.end());
  EXPECT_EQ(tokens, expected);
}

TEST(LoadStoreUnit, ForgetsAMissThatIsNotAskedFor) {
  const Config config = machine();
  SimpleMemory memory(config);
  LoadStoreUnit lsu(config, memory);
  const Addresses word{0};
  lsu.tick(0);
  lsu.accept({0, AccessKind::kLoad, Space::kGlobal, 4, 1, word.data()}, 0);
  lsu.tick(1);
  lsu.tick(2);
  std::uint32_t token = 0;
  EXPECT_FALSE(lsu.miss(token));
}

TEST(LoadStoreUnit, AcceptingBeforeTheTickOrAfterItIsTheSame) {
  const Config config = machine();
  const Addresses word{0};
  for (const bool before : {false, true}) {
    SimpleMemory memory(config);
    LoadStoreUnit lsu(config, memory);
    Cycle now = 0;
    for (std::uint32_t token = 0; !lsu.completion(token); ++now) {
      if (now == 10 && before) lsu.accept({0, AccessKind::kLoad, Space::kShared, 4, 1, word.data()}, now);
      lsu.tick(now);
      if (now == 10 && !before) lsu.accept({0, AccessKind::kLoad, Space::kShared, 4, 1, word.data()}, now);
      ASSERT_LT(now, 100u);
    }
    EXPECT_EQ(now - 1, 10 + kShared) << (before ? "before" : "after");
  }
}

TEST(LoadStoreUnit, TakesInstructionsUntilItsQueueIsFull) {
  const Config config = machine();
  SimpleMemory memory(config);
  LoadStoreUnit lsu(config, memory);
  const Addresses words = strided(8, 0, 128);  // eight passes
  lsu.tick(0);
  for (unsigned i = 0; i < LoadStoreUnit::kQueueEntries; ++i) {
    ASSERT_TRUE(lsu.can_accept());
    lsu.accept({i, AccessKind::kLoad, Space::kShared, 4, 0xff, words.data()}, 0);
  }
  for (Cycle now = 1; now < 8; ++now) {
    EXPECT_FALSE(lsu.can_accept());
    lsu.tick(now);
  }
  EXPECT_FALSE(lsu.can_accept());
  lsu.tick(8);
  EXPECT_TRUE(lsu.can_accept());
}

TEST(LoadStoreUnit, StartsEmptyAfterReset) {
  const Config config = machine();
  SimpleMemory memory(config);
  LoadStoreUnit lsu(config, memory);
  const Addresses word{0x1000};
  const MemoryAccess load{7, AccessKind::kLoad, Space::kGlobal, 4, 1, word.data()};
  lsu.tick(0);
  lsu.accept(load, 0);
  for (Cycle now = 1; now < 100; ++now) lsu.tick(now);
  lsu.reset();
  EXPECT_TRUE(lsu.idle());
  Stats stats;
  lsu.add_to(stats);
  EXPECT_EQ(stats.memory_instructions + stats.l1.accesses + stats.memory_bytes, 0u);
  // The same load again: the line is neither present nor outstanding.
  std::uint32_t token = 0;
  lsu.tick(0);
  lsu.accept(load, 0);
  for (Cycle now = 1; now < kMiss; ++now) {
    lsu.tick(now);
    ASSERT_FALSE(lsu.completion(token)) << "cycle " << now;
  }
  lsu.tick(kMiss);
  EXPECT_TRUE(lsu.completion(token));
}

TEST(LoadStoreUnit, CountsInstructionsAndTransactions) {
  LsuMachine m(machine());
  m.load(0, strided(32, 0, 4));     // 1 line
  m.load(1, strided(32, 0x40, 4));  // 2
  m.store(2, strided(32, 0, 128));  // 32
  m.atomic(3, strided(32, 0, 8));   // 2
  m.run();
  EXPECT_EQ(m.stats().memory_instructions, 4u);
  EXPECT_EQ(m.stats().memory_transactions, 37u);
  EXPECT_EQ(m.stats().l1.accesses, 3u);
}

class UnlimitedPath : public testing::Test {
 protected:
  static constexpr unsigned kMany = 40;  // instructions of one cycle: more than any queue holds
  static LsuMachine unlimited(const Config& config) { return LsuMachine(config, LoadStoreUnit::Path::kUnlimited); }
};

TEST_F(UnlimitedPath, AnInstructionIsOnePassWhateverItTouches) {
  LsuMachine m = unlimited(machine());
  m.load(0, strided(32, 0, 128));
  const auto lines = m.load(500, strided(32, 0, 128));
  const auto store = m.store(500, strided(4, 0x8000, 128));
  const auto atomic = m.atomic(500, Addresses(32, 0x9000));
  const auto words = m.schedule(500, AccessKind::kLoad, Space::kShared, strided(32, 0, 128));
  const auto one_word = m.schedule(500, AccessKind::kAtomic, Space::kShared, Addresses(32, 0));
  m.run();
  EXPECT_EQ(m.completed(lines), 500 + kHit);
  EXPECT_EQ(m.completed(store), 500u);
  EXPECT_EQ(m.completed(atomic), 500 + kMiss + 1);  // behind the sectors of the store on the port
  EXPECT_EQ(m.completed(words), 500 + kShared);
  EXPECT_EQ(m.completed(one_word), 500 + kShared);
  EXPECT_EQ(m.stats().shared_conflict_cycles, 0u);
}

TEST_F(UnlimitedPath, TakesAsManyInstructionsInACycleAsThereAre) {
  LsuMachine m = unlimited(machine());
  m.load(0, strided(32, 0, 128));
  for (unsigned i = 0; i < kMany; ++i) {
    m.load(500, {128 * (i % 32)});
    m.schedule(500, AccessKind::kLoad, Space::kShared, {0});
  }
  m.run();
  for (std::uint32_t token = 1; token <= 2 * kMany; ++token) {
    EXPECT_EQ(m.accepted(token), 500u);
    EXPECT_EQ(m.completed(token), 500 + (token % 2 == 1 ? kHit : kShared));
  }
}

TEST_F(UnlimitedPath, LinesThatComeInOneCycleFillInIt) {
  Config config = machine();
  config.memory.bytes_per_cycle = 4096;
  LsuMachine m = unlimited(config);
  for (unsigned i = 0; i < 16; ++i) m.load(10, {128 * i});
  m.run();
  EXPECT_EQ(m.completed(0), 10 + kMiss);
  for (std::uint32_t token = 1; token < 16; ++token)
    EXPECT_EQ(m.completed(token), 10 + kMiss + 1);  // transfers that begin inside cycle 10
}

TEST_F(UnlimitedPath, ALineThatWaitsHoldsNothingElse) {
  Config config = machine();
  config.l1.mshrs = 1;
  LsuMachine m = unlimited(config);
  m.load(0, {0});
  const auto miss = m.load(500, {0x1000});
  const auto waits = m.load(501, {0x2000, 0});
  const auto hit = m.load(502, {0});
  m.run();
  EXPECT_EQ(m.completed(miss), 500 + kMiss);
  EXPECT_EQ(m.completed(waits), 500 + kMemory + kMiss);  // from the fill of the other line on
  EXPECT_EQ(m.completed(hit), 502 + kHit);
  EXPECT_EQ(m.stats().l1.stall_cycles, kMemory - 1);
}

// Many threads, each with a line of its own: as long as their bytes take, whatever waits before memory.
TEST_F(UnlimitedPath, KeepsBandwidthAndLatencyOfMemory) {
  Config config = machine();
  config.memory.bytes_per_cycle = 8;
  config.l1.mshrs = kMany;
  LsuMachine loads = unlimited(config);
  for (unsigned i = 0; i < kMany; ++i) loads.load(10, {128 * i});
  loads.run();
  for (std::uint32_t token = 0; token < kMany; ++token) EXPECT_EQ(loads.completed(token), 10 + token * 128 / 8 + kMiss);
  LsuMachine stores = unlimited(config);
  for (unsigned i = 0; i < kMany; ++i) stores.store(10, {128 * i});
  stores.run();
  for (std::uint32_t token = 0; token < kMany; ++token) {
    // One on the port and 16 that wait: the others follow as the port starts one, every 32 / 8 cycles.
    EXPECT_EQ(stores.completed(token), token <= 16 ? 10 : 10 + (token - 16) * 32 / 8);
  }
}

TEST_F(UnlimitedPath, MovesAndCountsWhatTheLoadStoreUnitDoes) {
  const auto traffic = [](LsuMachine m) {
    Cycle at = 0;
    for (const unsigned stride : {0u, 4u, 64u, 128u, 4096u}) {
      m.load(at += 5000, strided(32, 0x1000, stride));
      m.store(at += 5000, strided(32, 0x2000, stride));
      m.atomic(at += 5000, strided(32, 0x3000, stride));
    }
    m.run();
    const Stats s = m.stats();
    return std::tuple(s.memory_instructions, s.memory_transactions, s.memory_bytes, s.l1.accesses, s.l1.hits,
                      s.l1.misses, s.l1.bytes_read, s.l1.bytes_written);
  };
  EXPECT_EQ(traffic(unlimited(machine())), traffic(LsuMachine(machine())));
}

TEST(LoadStoreUnit, RefusesConfigurationsThatAreNoMachine) {
  const auto refuses = [](const Config& config) {
    SimpleMemory memory{Config()};
    EXPECT_THROW(LoadStoreUnit(config, memory), Error);
  };
  Config config;
  config.shared.banks = 24;
  refuses(config);
  config.shared.banks = 128;
  refuses(config);
  config.shared.banks = 0;
  refuses(config);
  config = {};
  config.shared.latency = 0;
  refuses(config);
  config = {};
  config.l1.hit_latency = 0;
  refuses(config);
  config = {};
  config.l1.banks = 12;
  refuses(config);
  config = {};
  config.l1.line = 100;
  refuses(config);
}

}  // namespace
}  // namespace heddle::test::lsu_test
