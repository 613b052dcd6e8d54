// SPDX-License-Identifier: Apache-2.0
// Crossbar, L2 and DRAM together: latencies and bandwidths as the contract's closed forms, random traffic of several
// SMs (no request lost, doubled or answered for another), and the same answers however seldom the sides exchange.
#include "memory/memory_system.h"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

namespace heddle::test::memory_system_test {
namespace {

Config machine() {
  Config config;
  config.memory.kind = MemoryKind::kHierarchy;
  config.core.clock_mhz = config.dram.clock_mhz = 1000;  // a clock a cycle
  return config;
}

// Reads of 128 bytes and their answers.
class Sm {
 public:
  Sm(MemorySystem& system, unsigned number) : port_(system.port(number)) {}
  bool request(std::uint64_t address, std::uint32_t tag, bool write = false, bool atomic = false,
               std::uint32_t bytes = 128) {
    if (!port_.can_accept()) return false;
    port_.request({address, bytes, write, atomic, tag});
    return true;
  }
  void tick(Cycle now) {
    port_.tick(now);
    for (std::uint32_t tag = 0; port_.response(tag);) answers.emplace_back(tag, now);
  }
  [[nodiscard]] bool idle() const { return port_.idle(); }
  std::vector<std::pair<std::uint32_t, Cycle>> answers;  // tag, cycle

 private:
  SmMemoryPort& port_;
};

class Gpu {
 public:
  Gpu(const Config& config, unsigned sms, Cycle window = 1) : system(config, sms), window_(window) {
    for (unsigned sm = 0; sm < sms; ++sm) this->sms.emplace_back(system, sm);
  }
  // Windows of cycles, in each of which every side runs by itself; `drive(sm, now)` makes requests.
  template <typename Drive>
  void run(Cycle cycles, const Drive& drive) {
    for (const Cycle end = now + cycles; now < end; now += window_) {
      for (Sm& sm : sms) {
        for (Cycle c = now; c < now + window_; ++c) {
          sm.tick(c);
          drive(sm, c);
        }
      }
      for (unsigned channel = 0; channel < system.channels(); ++channel) {
        for (Cycle c = now; c < now + window_; ++c) system.tick_channel(channel, c);
      }
      system.exchange();
    }
  }
  Stats stats() {
    Stats stats;
    system.add_to(stats);
    return stats;
  }
  MemorySystem system;
  std::vector<Sm> sms;
  Cycle now = 0;

 private:
  Cycle window_;
};

// Cycles from the request of a lone read to its answer, after the reads in `before`, long ago.
Cycle latency(const Config& config, const std::vector<std::uint64_t>& before, std::uint64_t address,
              bool atomic = false, std::uint32_t bytes = 128) {
  Gpu gpu(config, 1);
  for (const std::uint64_t a : before) {
    gpu.run(3000, [&, first = gpu.now](Sm& sm, Cycle now) {
      if (now == first) sm.request(a, 0);
    });
  }
  const Cycle start = gpu.now;
  gpu.run(3000, [&](Sm& sm, Cycle now) {
    if (now == start) sm.request(address, 1, false, atomic, bytes);
  });
  EXPECT_EQ(gpu.sms[0].answers.back().first, 1U);
  return gpu.sms[0].answers.back().second - start;
}

TEST(MemorySystem, AnswersAHitInL2AfterBothWaysAndTheSlice) {
  const Config config = machine();
  EXPECT_EQ(latency(config, {0x1000}, 0x1080), 2 * 32 + 50 + (8 + 128 + 31) / 32);
  EXPECT_EQ(latency(config, {0x1000}, 0x1000, false, 32), 2 * 32 + 50 + (8 + 32 + 31) / 32);
}

TEST(MemorySystem, AnAtomicBringsItsData) {
  const Config config = machine();
  EXPECT_EQ(latency(config, {0x1000}, 0x1000, true, 32),
            2 * 32 + 50 + 2 + 1);  // two flits each way, of which the first is in the latency
}

TEST(MemorySystem, AnswersAMissAfterTheChannel) {
  const Config config = machine();
  const Config::Dram& t = config.dram;
  const Cycle ways = 2 * 32 + 5, transfer = 256 / t.bytes_per_clock;
  const std::uint64_t next_row = std::uint64_t{t.channels} * t.row_bytes, same_bank = next_row * t.banks;
  EXPECT_EQ(latency(config, {}, 0), ways + 1 + t.t_rcd + t.t_cl + transfer + t.controller);
  EXPECT_EQ(latency(config, {0}, std::uint64_t{t.channels} * 256),
            ways + 1 + t.t_cl + transfer + t.controller);                                            // row hit
  EXPECT_EQ(latency(config, {0}, next_row), ways + 1 + t.t_rcd + t.t_cl + transfer + t.controller);  // another bank
  EXPECT_EQ(latency(config, {0}, same_bank),
            ways + 1 + t.t_rp + t.t_rcd + t.t_cl + transfer + t.controller);  // bank conflict
}

TEST(MemorySystem, WithoutL2EveryReadGoesToTheChannel) {
  Config config = machine();
  config.l2.bytes = 0;
  const Config::Dram& t = config.dram;
  EXPECT_EQ(latency(config, {0}, 0), 2 * 32 + 5 + 1 + t.t_cl + 256 / t.bytes_per_clock + t.controller);
}

// Bytes a cycle that reads of these lines bring, all SMs asking as fast as they may.
double bandwidth(const Config& config, unsigned sms, std::uint64_t lines, std::uint64_t stride,
                 Stats* stats = nullptr) {
  Gpu gpu(config, sms);
  std::vector<std::uint64_t> next(sms), under_way(sms), seen(sms);
  constexpr Cycle kWarm = 20000, kMeasured = 20000;
  std::uint64_t bytes = 0;
  gpu.run(kWarm + kMeasured, [&](Sm& sm, Cycle now) {
    const auto n = static_cast<std::size_t>(&sm - gpu.sms.data());
    const std::size_t got = sm.answers.size() - seen[n];
    seen[n] = sm.answers.size();
    under_way[n] -= got;
    if (now >= kWarm) bytes += got * 128;
    const std::uint64_t mine = (next[n] * sms + n) % lines * stride;
    if (under_way[n] < config.l1.mshrs && sm.request(mine, 0)) {
      ++next[n];
      ++under_way[n];
    }
  });
  if (stats != nullptr) *stats = gpu.stats();
  return static_cast<double>(bytes) / kMeasured;
}

TEST(MemorySystem, AnSmTakesWhatItsPortPasses) {
  Config config = machine();
  config.l1.mshrs = 64;
  EXPECT_NEAR(bandwidth(config, 1, 1024, 128), 128.0 / 5, 0.3);  // hits: five flits an answer
}

TEST(MemorySystem, FewLinesOutstandingLimitWhatAnSmGets) {
  const Config config = machine();  // 32 lines are enough for the port
  EXPECT_GT(bandwidth(config, 1, 128, 128), 25);
  Config few = machine();
  few.l1.mshrs = 8;
  EXPECT_NEAR(bandwidth(few, 1, 128, 128), 8 * 128 / (2 * 32 + 50 + 5.0), 0.1);
}

TEST(MemorySystem, SlicesSendWhatTheirPortsPass) {
  Config config = machine();
  config.l1.mshrs = 128;
  EXPECT_NEAR(bandwidth(config, 15, 2048, 128), 6 * 128.0 / 5, 3);  // hits in six slices
}

TEST(MemorySystem, OneSliceIsOneSlice) {
  Config config = machine();
  config.l1.mshrs = 128;
  EXPECT_NEAR(bandwidth(config, 15, 64, 6 * 256), 128.0 / 5, 0.5);  // all lines in one of them
}

TEST(MemorySystem, MissesReachThePeakOfTheChannels) {
  Config config = machine();
  config.l1.mshrs = 128;
  config.noc.flit_bytes = 128;  // the ports are no limit
  config.dram.bytes_per_clock = 16;
  Stats stats;
  const double bytes = bandwidth(config, 15, 1u << 20, 128, &stats);
  EXPECT_GT(bytes, 0.95 * 6 * 16);
  EXPECT_LT(bytes, 1.001 * 6 * 16);
}

TEST(MemorySystem, ClocksOfTwoFrequencies) {
  Config config = machine();
  config.core.clock_mhz = 700;
  config.dram.clock_mhz = 924;
  Gpu gpu(config, 1);
  gpu.run(7000, [](Sm&, Cycle) {});
  EXPECT_EQ(gpu.stats().dram.clocks, 6U * 9240);
}

TEST(MemorySystem, DirtyLinesGoToDramWhenReplaced) {
  Config config = machine();
  config.l2.bytes = 6 * 256 * 2;
  config.l2.ways = 2;
  Gpu gpu(config, 1);
  const auto at = [&](Cycle when, std::uint64_t address, bool write, bool atomic) {
    gpu.run(2000, [&](Sm& sm, Cycle now) {
      if (now == when) sm.request(address, 0, write, atomic);
    });
  };
  for (unsigned n = 0; n < 4; ++n) at(gpu.now, n * 6 * 256, n == 0, n == 2);
  EXPECT_EQ(gpu.stats().dram.reads, 4U);
  EXPECT_EQ(gpu.stats().dram.writes, 1U);  // line 0 made room for line 2
  at(gpu.now, 4 * 6 * 256, false, false);
  EXPECT_EQ(gpu.stats().dram.writes, 2U);  // line 2, of an atomic
  EXPECT_EQ(gpu.stats().l2.accesses, 5U);
  EXPECT_EQ(gpu.stats().l2.misses, 5U);
}

TEST(MemorySystem, AnSmTakesAnswersInTheOrderInWhichTheyCome) {
  const Config config = machine();
  Gpu gpu(config, 1);
  const auto all = [&](std::vector<std::uint64_t> lines) {  // requests a cycle apart
    gpu.sms[0].answers.clear();
    gpu.run(3000, [&, first = gpu.now](Sm& sm, Cycle now) {
      if (now - first < lines.size())
        sm.request(lines[now - first] * 256, static_cast<std::uint32_t>(lines[now - first]));
    });
    std::vector<std::uint32_t> tags;
    for (const auto& [tag, cycle] : gpu.sms[0].answers) tags.push_back(tag);
    return tags;
  };
  all({0, 1, 2, 3, 4, 5});
  EXPECT_EQ(all({4, 2, 5, 0, 3, 1}), (std::vector<std::uint32_t>{4, 2, 5, 0, 3, 1}));  // hits, from six slices
  // Of two slices at once: a flit more in the request brings the first one's answer a cycle later, that of the lower
  // slice.
  gpu.sms[0].answers.clear();
  gpu.run(3000, [&, first = gpu.now](Sm& sm, Cycle now) {
    if (now == first) sm.request(0, 0, false, true, 32);
    if (now == first + 1) sm.request(256, 1, false, true, 32);
  });
  EXPECT_EQ(gpu.sms[0].answers[1].second - gpu.sms[0].answers[0].second, 2U);  // two flits each
}

TEST(MemorySystem, ALineThatMakesRoomWaitsForTwoPlacesInTheChannel) {
  Config config = machine();
  config.dram.channels = 1;
  config.l2.bytes = 256 * 2;
  config.l2.ways = 1;  // two sets
  config.dram.queue = 2;
  config.dram.t_rcd = 400;
  Gpu gpu(config, 1);
  gpu.run(3000, [&](Sm& sm, Cycle now) {
    if (now == 0) sm.request(0, 0, true);
  });
  const std::uint64_t before = gpu.stats().l2.stall_cycles;
  const std::uint64_t row = config.dram.row_bytes;
  gpu.run(3000, [&](Sm& sm, Cycle now) {
    if (now == 3000) sm.request(row + 256, 0);  // the other set: opens a row
    if (now == 3001) sm.request(2 * row, 1);    // replaces the dirty line: room for one request, not for two
  });
  EXPECT_GT(gpu.stats().l2.stall_cycles - before, 300U);
  EXPECT_EQ(gpu.stats().dram.writes, 1U);
}

TEST(MemorySystem, ALineIsWaitedForByAsManyAsItHasTargets) {
  Config config = machine();
  config.l2.mshr_targets = 3;
  Gpu gpu(config, 1);
  gpu.run(3000, [&](Sm& sm, Cycle now) {
    if (now < 6) sm.request(0, static_cast<std::uint32_t>(now));
  });
  const Stats stats = gpu.stats();
  EXPECT_EQ(stats.l2.merged, 2U);
  EXPECT_EQ(stats.l2.hits, 3U);  // the others stall until the line is there
  EXPECT_GT(stats.l2.stall_cycles, 100U);
  EXPECT_EQ(gpu.sms[0].answers.size(), 6U);
}

struct Random {
  const char* name;
  unsigned sms;
  std::uint64_t lines;
  unsigned rate, writes, atomics;  // percent
  bool tiny, l2;
};

class RandomTraffic : public testing::TestWithParam<Random> {};
INSTANTIATE_TEST_SUITE_P(All, RandomTraffic,
                         testing::Values(Random{"alone", 1, 300, 60, 20, 5, false, true},
                                         Random{"fifteen", 15, 3000, 50, 30, 5, false, true},
                                         Random{"one_line", 4, 1, 80, 30, 20, false, true},
                                         Random{"tiny", 5, 100, 90, 30, 10, true, true},
                                         Random{"tiny_writes", 5, 100, 90, 90, 5, true, true},
                                         Random{"no_l2", 3, 200, 70, 30, 10, true, false}),
                         [](const auto& info) { return info.param.name; });

// The answers of each SM, and the counts.
using Result = std::pair<std::vector<std::vector<std::pair<std::uint32_t, Cycle>>>, std::vector<std::uint64_t>>;

Result run(const Random& traffic, Cycle window) {
  Config config = machine();
  config.core.clock_mhz = 700;
  config.dram.clock_mhz = 924;
  config.noc.latency = 12;
  config.l1.mshrs = 16;
  if (traffic.tiny) {
    config.noc.queue = config.noc.credits = 1;
    config.l2.mshrs = 2;
    config.l2.mshr_targets = 2;
    config.l2.bytes = 6 * 256 * 2;
    config.l2.ways = 1;
    config.dram.queue = 2;
  }
  if (!traffic.l2) config.l2.bytes = 0;
  Gpu gpu(config, traffic.sms, window);
  std::vector<std::mt19937_64> random;
  for (unsigned sm = 0; sm < traffic.sms; ++sm) random.emplace_back(sm);
  std::vector<std::vector<bool>> busy(traffic.sms, std::vector<bool>(config.l1.mshrs));
  std::vector<std::size_t> seen(traffic.sms);
  std::vector<std::uint64_t> asked(traffic.sms), writes(traffic.sms);
  constexpr Cycle kAsking = 12 * 600, kRest = 12 * 4000;
  gpu.run(kAsking + kRest, [&](Sm& sm, Cycle now) {
    const auto n = static_cast<std::size_t>(&sm - gpu.sms.data());
    for (; seen[n] < sm.answers.size(); ++seen[n]) {
      const std::uint32_t tag = sm.answers[seen[n]].first;
      EXPECT_TRUE(busy[n][tag]) << "answered twice, or never asked";
      busy[n][tag] = false;
    }
    if (now >= kAsking || random[n]() % 100 >= traffic.rate) return;
    const std::uint64_t address = random[n]() % traffic.lines * 128;
    const unsigned kind = random[n]() % 100;
    const bool write = kind < traffic.writes, atomic = !write && kind < traffic.writes + traffic.atomics;
    const auto free = std::find(busy[n].begin(), busy[n].end(), false);
    if (!write && free == busy[n].end()) return;
    const auto tag = static_cast<std::uint32_t>(free - busy[n].begin());
    if (!sm.request(address, write ? 0 : tag, write, atomic,
                    write || atomic ? 32 * (1 + static_cast<std::uint32_t>(random[n]() % 4)) : 128))
      return;
    if (write) {
      ++writes[n];
    } else {
      *free = true;
      ++asked[n];
    }
  });
  EXPECT_TRUE(gpu.system.idle());
  Result result;
  std::uint64_t all = 0;
  for (unsigned n = 0; n < traffic.sms; ++n) {
    EXPECT_EQ(gpu.sms[n].answers.size(), asked[n]) << "every read and atomic is answered once";
    EXPECT_GT(asked[n], 0U);
    all += asked[n] + writes[n];
    result.first.push_back(gpu.sms[n].answers);
  }
  const Stats s = gpu.stats();
  if (traffic.l2) {
    EXPECT_EQ(s.l2.accesses, all) << "every request is looked up once";
    EXPECT_EQ(s.l2.hits + s.l2.misses, s.l2.accesses);
    EXPECT_EQ(s.dram.reads, s.l2.misses - s.l2.merged);
  } else {
    EXPECT_EQ(s.dram.reads + s.dram.writes, all);
  }
  result.second = {s.l2.hits,       s.l2.merged,      s.l2.stall_cycles,  s.dram.reads, s.dram.writes,
                   s.dram.row_hits, s.dram.activates, s.dram.busy_clocks, s.dram.clocks};
  return result;
}

TEST_P(RandomTraffic, IsAnsweredOnceAndTheSameInWindowsOfAnyLength) {
  const Result alone = run(GetParam(), 1);
  for (const Cycle window : {Cycle{3}, Cycle{12}})
    EXPECT_EQ(run(GetParam(), window), alone) << "exchange every " << window << " cycles";
}

}  // namespace
}  // namespace heddle::test::memory_system_test
