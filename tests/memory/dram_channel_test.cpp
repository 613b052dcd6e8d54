// SPDX-License-Identifier: Apache-2.0
// DramChannel: every timing rule as a written-out clock, the peak of the data bus, the order of commands, and random
// traffic against a model that looks through all commands ever given.
#include "memory/dram_channel.h"

#include <random>

#include <gtest/gtest.h>

#include "memory/naive_dram.h"

namespace heddle::test::dram_channel_test {
namespace {

// Lines of 4 bursts, each 2 clocks of the bus; 8 lines a row, 4 banks. Times that no two rules share.
Config machine() {
  Config config;
  config.memory.kind = MemoryKind::kHierarchy;
  config.dram.banks = 4;
  config.dram.t_rcd = 11;
  config.dram.t_rp = 13;
  config.dram.t_cl = 17;
  config.dram.t_rc = 5;
  config.dram.t_ras = 3;
  config.dram.t_rrd = 2;
  config.dram.t_wl = 7;
  config.dram.t_wr = 19;
  config.dram.t_wtr = 23;
  return config;
}
constexpr std::uint64_t kLine = 8;           // clocks of the bus for a line
constexpr std::uint64_t kPatience = 100000;  // clocks after which a channel hangs: no test here takes a fifth of them
std::uint64_t line(std::uint64_t row, std::uint64_t bank, std::uint64_t column) {
  return (row * 4 + bank) * 8 + column;
}

class Channel {
 public:
  explicit Channel(const Config& config) : channel(config) {}
  void read(std::uint64_t line) { channel.request({line, false, next_++}); }
  void write(std::uint64_t line) { channel.request({line, true, 0}); }
  // Clocks in which the reads so far are answered, by their tags.
  std::vector<std::uint64_t> run() {
    while (!channel.idle()) {
      channel.tick();
      if (channel.now() > kPatience) {
        ADD_FAILURE() << "requests are never served";
        break;
      }
      for (std::uint32_t tag = 0; channel.response(tag);) {
        if (answered.size() <= tag) answered.resize(tag + 1);
        answered[tag] = channel.now();
      }
    }
    return answered;
  }
  void rest(unsigned clocks) {
    for (unsigned i = 0; i < clocks; ++i) channel.tick();
  }
  DramChannel channel;
  std::vector<std::uint64_t> answered;

 private:
  std::uint32_t next_ = 0;
};

std::vector<std::uint64_t> reads(const Config& config, const std::vector<std::uint64_t>& lines) {
  Channel channel(config);
  for (const std::uint64_t l : lines) channel.read(l);
  return channel.run();
}

using Clocks = std::vector<std::uint64_t>;

TEST(DramChannel, OpensARowReadsAndAnswersWithTheLastByte) {
  EXPECT_EQ(reads(machine(), {line(0, 0, 0)}), Clocks{1 + 11 + 17 + kLine});
}

TEST(DramChannel, FindsARowOpen) {
  Channel channel(machine());
  channel.read(line(0, 0, 0));
  channel.run();
  channel.rest(100);
  const std::uint64_t start = channel.channel.now();
  channel.read(line(0, 0, 5));
  EXPECT_EQ(channel.run()[1], start + 1 + 17 + kLine);
  EXPECT_EQ(channel.channel.stats().row_hits, 1U);
  EXPECT_EQ(channel.channel.stats().activates, 1U);
}

TEST(DramChannel, ClosesAnotherRowFirst) {
  Channel channel(machine());
  channel.read(line(0, 0, 0));
  channel.run();
  channel.rest(100);
  const std::uint64_t start = channel.channel.now();
  channel.read(line(1, 0, 0));
  EXPECT_EQ(channel.run()[1], start + 1 + 13 + 11 + 17 + kLine);
  EXPECT_EQ(channel.channel.stats().row_hits, 0U);
}

TEST(DramChannel, KeepsTheBusBusyWithinARow) {
  Clocks expected;
  for (unsigned n = 1; n <= 8; ++n) expected.push_back(1 + 11 + 17 + n * kLine);
  EXPECT_EQ(reads(machine(), {line(0, 0, 0), line(0, 0, 1), line(0, 0, 2), line(0, 0, 3), line(0, 0, 4), line(0, 0, 5),
                              line(0, 0, 6), line(0, 0, 7)}),
            expected);
}

TEST(DramChannel, OpensABankWhileAnotherSends) {
  EXPECT_EQ(reads(machine(), {line(0, 0, 0), line(0, 1, 0)}), (Clocks{1 + 11 + 17 + kLine, 1 + 11 + 17 + 2 * kLine}));
}

TEST(DramChannel, WaitsBetweenActivatesOfTwoBanks) {
  Config config = machine();
  config.dram.t_rrd = 60;
  EXPECT_EQ(reads(config, {line(0, 0, 0), line(0, 1, 0)}), (Clocks{1 + 11 + 17 + kLine, 1 + 60 + 11 + 17 + kLine}));
}

TEST(DramChannel, ClosesARowABurstAfterTheLastReadCommand) {
  const std::uint64_t last_read = 1 + 11 + 6;  // the fourth, two clocks each
  EXPECT_EQ(reads(machine(), {line(0, 0, 0), line(1, 0, 0)})[1], last_read + 2 + 13 + 11 + 17 + kLine);
}

TEST(DramChannel, KeepsARowOpenForItsTime) {
  Config config = machine();
  config.dram.t_ras = 80;
  EXPECT_EQ(reads(config, {line(0, 0, 0), line(1, 0, 0)})[1], 1 + 80 + 13 + 11 + 17 + kLine);
}

TEST(DramChannel, WaitsBetweenActivatesOfOneBank) {
  Config config = machine();
  config.dram.t_rc = 120;
  EXPECT_EQ(reads(config, {line(0, 0, 0), line(1, 0, 0)})[1], 1 + 120 + 11 + 17 + kLine);
}

TEST(DramChannel, WritesTakeTheBusAndAReadWaitsBehindThem) {
  Channel channel(machine());
  channel.write(line(0, 0, 0));
  channel.read(line(0, 0, 1));
  const std::uint64_t written = 1 + 11 + 7 + kLine;
  EXPECT_EQ(channel.run()[0], written + 23 + 17 + kLine);
  EXPECT_EQ(channel.channel.stats().writes, 1U);
}

TEST(DramChannel, ClosesAWrittenRowLater) {
  Channel channel(machine());
  channel.write(line(0, 0, 0));
  channel.read(line(1, 0, 0));
  const std::uint64_t written = 1 + 11 + 7 + kLine;
  EXPECT_EQ(channel.run()[0], written + 19 + 13 + 11 + 17 + kLine);
}

Config turning() {  // data of reads and writes as long after their commands
  Config config = machine();
  config.dram.t_wtr = 1;
  config.dram.t_cl = 3;
  config.dram.t_wl = 3;
  return config;
}

TEST(DramChannel, GoesOnReadingWhereAWriteWouldTurnTheBus) {
  Channel channel(turning());
  channel.read(line(0, 0, 0));
  channel.write(line(0, 0, 1));
  channel.read(line(0, 0, 2));
  const std::uint64_t first = 1 + 11 + 3 + kLine;
  EXPECT_EQ(channel.run(), (Clocks{first, first + kLine}));
}

TEST(DramChannel, KeepsTheOrderOfOneLineAndRestsAClockWhereTheBusTurns) {
  Channel channel(turning());
  channel.read(line(0, 0, 0));
  channel.write(line(0, 0, 1));
  channel.read(line(0, 0, 1));
  const std::uint64_t first = 1 + 11 + 3 + kLine, written = first + 1 + kLine;
  EXPECT_EQ(channel.run(), (Clocks{first, written + 1 + 3 + kLine}));
}

TEST(DramChannel, ServesWhatFindsItsRowOpenFirst) {
  // The second one wants another row of the bank, the third the open one.
  const Clocks got = reads(machine(), {line(0, 0, 0), line(1, 0, 0), line(0, 0, 1)});
  EXPECT_EQ(got[2], 1 + 11 + 17 + 2 * kLine);
  EXPECT_GT(got[1], got[2]);
}

TEST(DramChannel, ReachesThePeakOverManyRows) {
  const Config config = [] {
    Config c;  // Table 1's channel
    c.memory.kind = MemoryKind::kHierarchy;
    return c;
  }();
  DramChannel channel(config);
  constexpr std::uint64_t kLines = 2000;
  std::uint64_t sent = 0, got = 0, outstanding = 0;
  while (got < kLines) {
    channel.tick();
    ASSERT_LT(channel.now(), kPatience) << got << " of " << kLines << " lines";
    for (std::uint32_t tag = 0; channel.response(tag); ++got) --outstanding;
    while (sent < kLines && channel.can_accept() && outstanding < config.l2.mshrs) {
      channel.request({sent++, false, 0});
      ++outstanding;
    }
  }
  const double peak = static_cast<double>(channel.stats().busy_clocks) / static_cast<double>(channel.now());
  EXPECT_GT(peak, 0.98);  // each row of another bank is opened behind the one that sends
}

struct Traffic {
  const char* name;
  std::uint64_t lines;  // that are asked for
  unsigned writes;      // percent
  unsigned rate;        // percent of the clocks in which one comes
  unsigned slow;        // timings times
};

class DramTraffic : public testing::TestWithParam<Traffic> {};
INSTANTIATE_TEST_SUITE_P(All, DramTraffic,
                         testing::Values(Traffic{"one_row", 8, 30, 60, 1}, Traffic{"two_rows_of_a_bank", 64, 30, 40, 1},
                                         Traffic{"few_rows", 256, 20, 15, 1}, Traffic{"everywhere", 100000, 20, 10, 1},
                                         Traffic{"rare", 2000, 50, 1, 1}, Traffic{"reads", 500, 0, 90, 1},
                                         Traffic{"writes", 500, 95, 50, 1}, Traffic{"slow", 300, 30, 50, 3}),
                         [](const auto& info) { return info.param.name; });

TEST_P(DramTraffic, IsServedAsTheNaiveModelServesIt) {
  const Traffic& traffic = GetParam();
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    std::mt19937_64 random(seed);
    Config config = machine();
    if (seed == 1) {
      config.dram.t_rc = 61;
      config.dram.t_ras = 47;
      config.dram.t_rrd = 9;
    }
    if (seed == 2) config.dram.burst_bytes = 32;  // a burst a clock
    config.dram.t_cl *= traffic.slow;
    config.dram.t_wr *= traffic.slow;
    config.dram.queue = 12;
    DramChannel channel(config);
    NaiveDram naive(config);
    std::uint32_t tag = 0, reads_under_way = 0;
    for (unsigned clock = 1; clock < 2500; ++clock) {
      channel.tick();
      const std::vector<NaiveDram::Answer> expected = naive.tick();
      std::uint32_t got = 0;
      for (const NaiveDram::Answer& answer : expected) {
        ASSERT_TRUE(channel.response(got)) << "clock " << clock;
        ASSERT_EQ(got, answer.tag) << "clock " << clock;
        --reads_under_way;
      }
      ASSERT_FALSE(channel.response(got)) << "clock " << clock;
      ASSERT_EQ(channel.can_accept(), naive.waiting() < config.dram.queue) << "clock " << clock;
      if (clock < 2000 && channel.can_accept() && random() % 100 < traffic.rate && reads_under_way < config.l2.mshrs) {
        const bool write = random() % 100 < traffic.writes;
        const std::uint64_t asked =
            traffic.lines == 64 ? line(random() % 2, 1, random() % 8) : random() % traffic.lines;
        channel.request({asked, write, tag});
        naive.request(asked, write, tag++);
        reads_under_way += write ? 0 : 1;
      }
    }
    EXPECT_GT(naive.commands().size(), 20U);
  }
}

}  // namespace
}  // namespace heddle::test::dram_channel_test
