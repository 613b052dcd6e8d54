// SPDX-License-Identifier: Apache-2.0
// Random traffic through tiny structures: every output in every cycle like the naive unit; nothing lost, nothing twice,
// no bound broken, counts that agree with each other.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "memory/lsu_machine.h"
#include "memory/naive_lsu.h"

namespace heddle::test::lsu_random_test {
namespace {

constexpr unsigned kThreads = 512;

Config tiny(Random& random) {
  Config config;
  config.core.lanes = kMaxLanes;
  config.core.warps = kThreads / kMaxLanes;
  config.l1.line = 32u << random.below(3);
  config.l1.ways = random.between(1, 3);
  config.l1.bytes = config.l1.line * config.l1.ways * random.between(1, 4);
  config.l1.mshrs = random.between(1, 3);
  config.l1.mshr_targets = random.between(1, 3);
  config.l1.hit_latency = random.between(1, 20);
  config.shared.banks = 1u << random.below(4);
  config.shared.latency = random.between(1, 20);
  config.memory.latency = random.between(1, 50);
  config.memory.bytes_per_cycle = random.between(1, 64);
  config.l1.banks = random.chance(50) ? 1 : 1u << random.below(5);
  config.l1.write = random.chance(33) ? L1Write::kThrough : random.chance(50) ? L1Write::kBack : L1Write::kLocalBack;
  config.l1.index = random.chance(50) ? L1Index::kLinear : L1Index::kHashed;
  if (config.l1.index == L1Index::kHashed) config.l1.bytes = config.l1.line * config.l1.ways << random.below(3);
  return config;
}

struct Issued {
  AccessKind kind;
  Space space;
  Cycle at;
  unsigned lines;  // distinct lines; 0 in shared memory
  LaneMask lanes;  // not complete
  bool parts;
};

// What a run of random traffic ended with.
struct Outcome {
  std::vector<std::pair<std::uint32_t, Cycle>> completions;
  Stats stats;
  std::uint64_t loaded_lines = 0;
  std::uint64_t write_backs = 0;
  std::uint64_t parts = 0;  // completions that left lanes behind
};

Outcome run(std::uint64_t seed) {
  Random random(seed);
  const Config config = tiny(random);
  const bool bus = random.chance(40);
  const bool unlimited = !bus && random.chance(50);
  SimpleMemory memory(config);
  LoadStoreUnit lsu(config, memory,
                    bus         ? LoadStoreUnit::Path::kOneBus
                    : unlimited ? LoadStoreUnit::Path::kUnlimited
                                : LoadStoreUnit::Path::kNoBus);
  NaiveLsu naive(config, bus, unlimited);
  const unsigned lanes = 1u << random.between(2, 6);
  const std::uint32_t range = config.l1.line * random.between(2, 40);
  const unsigned patience = random.between(10, 100);  // percent of the cycles in which completions are taken
  constexpr unsigned kInstructions = 400;

  Outcome outcome;
  std::map<std::uint32_t, Issued> pending;
  std::set<std::uint32_t> missed;
  std::uint32_t next = 0;
  Cycle now = 0;
  for (; next < kInstructions || !lsu.idle(); ++now) {
    if (now == 2000000) {
      ADD_FAILURE() << "no end in sight, " << pending.size() << " pending, seed " << seed;
      return outcome;
    }
    lsu.tick(now);
    naive.tick(now);
    std::uint32_t token = 0;
    unsigned results = 0, stores = 0;
    while (!bus || random.chance(patience)) {
      std::optional<std::uint32_t>& expected = naive.result ? naive.result : naive.store;
      LaneMask completing = 0, expected_lanes = 0;
      if (!bus && !naive.completed.empty()) {
        expected = naive.completed.front().first;
        expected_lanes = naive.completed.front().second;
        naive.completed.pop_front();
      }
      const bool completed = bus ? lsu.completion(token) : lsu.completion(token, completing);
      if (!bus && completed && completing != expected_lanes) {
        ADD_FAILURE() << "lanes " << completing << " of token " << token << " instead of " << expected_lanes
                      << ", cycle " << now << ", seed " << seed;
        return outcome;
      }
      if (completed != expected.has_value() || (completed && token != *expected)) {
        ADD_FAILURE() << "completion of " << (completed ? std::to_string(token) : "none") << " instead of "
                      << (expected ? std::to_string(*expected) : "none") << ", cycle " << now << ", seed " << seed;
        return outcome;
      }
      if (!completed) break;
      expected.reset();
      const auto found = pending.find(token);
      if (found == pending.end()) {
        ADD_FAILURE() << "token " << token << " completed without being pending, cycle " << now << ", seed " << seed;
        return outcome;
      }
      Issued& issued = found->second;
      if (bus) completing = issued.lanes;
      EXPECT_EQ(completing & ~issued.lanes, 0u) << "token " << token << ", seed " << seed;
      issued.lanes &= ~completing;
      const bool is_store = issued.kind == AccessKind::kStore;
      Cycle least = 1;
      if (!is_store) least = issued.space == Space::kShared ? config.shared.latency : config.l1.hit_latency;
      const bool line_a_cycle = !unlimited && (config.l1.banks == 1 || issued.kind == AccessKind::kAtomic);
      if (!is_store && !issued.parts && line_a_cycle && issued.lines > 1) least += issued.lines - 1;
      if (issued.space != Space::kShared && issued.kind == AccessKind::kAtomic) least += config.memory.latency;
      EXPECT_GE(now - issued.at, least) << "token " << token << ", seed " << seed;
      if (issued.lanes != 0) {
        EXPECT_TRUE(issued.parts) << "token " << token << ", seed " << seed;
        ++outcome.parts;
        continue;
      }
      if (bus) ++(is_store ? stores : results);
      outcome.completions.emplace_back(token, now);
      pending.erase(found);
    }
    EXPECT_LE(results, 1u) << "cycle " << now << ", seed " << seed;
    EXPECT_LE(stores, 1u) << "cycle " << now << ", seed " << seed;
    const bool miss = lsu.miss(token);
    if (miss != naive.missed.has_value() || (miss && token != *naive.missed) ||
        lsu.can_accept() != naive.can_accept()) {
      ADD_FAILURE() << "another miss or readiness than the naive unit's, cycle " << now << ", seed " << seed;
      return outcome;
    }
    if (miss) {
      EXPECT_TRUE(missed.insert(token).second) << "token " << token << " missed twice, seed " << seed;
      EXPECT_TRUE(pending.count(token) == 1 && pending[token].kind != AccessKind::kStore &&
                  pending[token].space != Space::kShared)
          << "token " << token << ", seed " << seed;
    }
    EXPECT_EQ(lsu.idle(), pending.empty()) << "cycle " << now << ", seed " << seed;
    if (next == kInstructions || !lsu.can_accept() || random.chance(30)) continue;
    unsigned waiting = 0;
    for (const auto& [other, issued] : pending) waiting += popcount(issued.lanes);
    if (unlimited && waiting + lanes > kThreads) continue;
    const auto space = static_cast<Space>(random.below(3));
    const auto kind = static_cast<AccessKind>(random.chance(60) ? 0 : random.between(1, 2));
    const bool words = random.chance(70), aligned = space == Space::kShared || kind == AccessKind::kAtomic || !words;
    const unsigned unit = words || space == Space::kLocal ? 4 : 8;
    Addresses addresses(lanes);
    for (std::uint64_t& address : addresses) {
      address = random.below(range) / unit * unit + (space == Space::kLocal ? std::uint64_t{1} << 32 : 0);
      if (!aligned && random.chance(10)) address += random.below(4);
    }
    const LaneMask mask = random.some_lanes(lanes);
    std::set<std::uint64_t> lines;
    for (unsigned lane = 0; lane < lanes && space != Space::kShared; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      lines.insert(addresses[lane] / config.l1.line);
      const unsigned last = words ? 3 : space == Space::kLocal ? 4 * kMaxLanes : 7;  // of its words
      lines.insert((addresses[lane] + last) / config.l1.line);
    }
    if (kind == AccessKind::kLoad) outcome.loaded_lines += lines.size();
    const bool parts = !bus && kind != AccessKind::kStore && space != Space::kShared && random.chance(70);
    pending[next] = {kind, space, now, static_cast<unsigned>(lines.size()), mask, parts};
    const auto bytes = static_cast<std::uint8_t>(words ? 4 : 8);
    const MemoryAccess access{next, kind, space, bytes, mask, addresses.data(), parts};
    lsu.accept(access, now);
    naive.accept(access, now);
    ++next;
  }
  EXPECT_TRUE(pending.empty()) << "seed " << seed;
  // A store that wrote back may still wait for its line.
  for (const Cycle limit = now + 100000; !memory.idle() && now != limit; ++now) lsu.tick(now);
  EXPECT_TRUE(memory.idle()) << "seed " << seed;
  outcome.write_backs = naive.write_backs;
  lsu.add_to(outcome.stats);
  const CacheStats& l1 = outcome.stats.l1;
  EXPECT_EQ(l1.hits, naive.counts.hits) << "seed " << seed;
  EXPECT_EQ(l1.misses, naive.counts.misses) << "seed " << seed;
  EXPECT_EQ(l1.merged, naive.counts.merged) << "seed " << seed;
  EXPECT_EQ(l1.stall_cycles, naive.counts.stall_cycles) << "seed " << seed;
  EXPECT_EQ(l1.bytes_read, naive.counts.bytes_read) << "seed " << seed;
  EXPECT_EQ(l1.bytes_written, naive.counts.bytes_written) << "seed " << seed;
  EXPECT_EQ(l1.accesses, outcome.loaded_lines) << "seed " << seed;
  EXPECT_EQ(l1.hits + l1.misses, l1.accesses) << "seed " << seed;
  EXPECT_EQ(l1.bytes_read, (l1.misses - l1.merged + naive.store_fetches) * config.l1.line) << "seed " << seed;
  EXPECT_EQ(outcome.stats.memory_bytes, l1.bytes_read + l1.bytes_written) << "seed " << seed;
  EXPECT_LE(outcome.stats.memory_bytes, outcome.stats.memory_busy_cycles * config.memory.bytes_per_cycle)
      << "seed " << seed;
  return outcome;
}

TEST(LoadStoreUnitTraffic, EveryAcceptedInstructionCompletesExactlyOnce) {
  std::uint64_t hits = 0, merged = 0, stalls = 0, conflicts = 0, write_backs = 0, parts = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Outcome outcome = run(seed);
    ASSERT_EQ(outcome.completions.size(), 400u) << "seed " << seed;
    hits += outcome.stats.l1.hits;
    merged += outcome.stats.l1.merged;
    stalls += outcome.stats.l1.stall_cycles;
    conflicts += outcome.stats.shared_conflict_cycles;
    write_backs += outcome.write_backs;
    parts += outcome.parts;
  }
  // The traffic met what it is meant to meet.
  EXPECT_GT(hits, 100u);
  EXPECT_GT(merged, 100u);
  EXPECT_GT(stalls, 100u);
  EXPECT_GT(conflicts, 100u);
  EXPECT_GT(write_backs, 100u);
  EXPECT_GT(parts, 100u);
}

TEST(LoadStoreUnitTraffic, TheSameTrafficTakesTheSameCycles) { EXPECT_EQ(run(5).completions, run(5).completions); }

// Loads and stores in every cycle that takes one; the completions of the last `taken` cycles.
std::vector<std::pair<std::uint32_t, Cycle>> flood(LoadStoreUnit& lsu, std::uint64_t seed, Cycle cycles, Cycle taken) {
  Random random(seed);
  std::vector<std::pair<std::uint32_t, Cycle>> completions;
  std::uint32_t next = 0;
  Addresses addresses(8);
  for (Cycle now = 0; now < cycles; ++now) {
    lsu.tick(now);
    for (std::uint32_t token = 0; now + taken >= cycles && lsu.completion(token);) completions.emplace_back(token, now);
    if (!lsu.can_accept()) continue;
    for (std::uint64_t& address : addresses) address = random.below(2048) / 4 * 4;
    const auto kind = static_cast<AccessKind>(random.below(3));
    const Space space = random.chance(50) ? Space::kGlobal : Space::kShared;
    lsu.accept({next++, kind, space, 4, 0xff, addresses.data()}, now);
  }
  return completions;
}

TEST(LoadStoreUnitTraffic, ResetLeavesNothingBehind) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const Config config = tiny(random);
    SimpleMemory memory(config), fresh_memory(config);
    LoadStoreUnit lsu(config, memory), fresh(config, fresh_memory);
    flood(lsu, seed, random.between(100, 300), random.chance(50) ? 0 : random.below(100));
    lsu.reset();
    EXPECT_TRUE(lsu.idle());
    ASSERT_EQ(flood(lsu, seed + 100, 3000, 3000), flood(fresh, seed + 100, 3000, 3000)) << "seed " << seed;
    Stats stats, fresh_stats;
    lsu.add_to(stats);
    fresh.add_to(fresh_stats);
    EXPECT_EQ(stats.l1.accesses, fresh_stats.l1.accesses) << "seed " << seed;
    EXPECT_EQ(stats.memory_busy_cycles, fresh_stats.memory_busy_cycles) << "seed " << seed;
  }
}

}  // namespace
}  // namespace heddle::test::lsu_random_test
