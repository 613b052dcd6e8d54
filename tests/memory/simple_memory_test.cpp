// SPDX-License-Identifier: Apache-2.0
// SimpleMemory: written-out timings, and a naive port that moves one byte after the other.
#include "memory/simple_memory.h"

#include <gtest/gtest.h>

#include <vector>

#include "common/random.h"
#include "heddle/error.h"
#include "memory/naive_port.h"

namespace heddle::test::simple_memory_test {
namespace {

Config with(unsigned latency, unsigned bytes_per_cycle) {
  Config config;
  config.memory.latency = latency;
  config.memory.bytes_per_cycle = bytes_per_cycle;
  return config;
}

LineRequest read(std::uint32_t tag, std::uint32_t bytes) { return {0, bytes, false, false, tag}; }
LineRequest write(std::uint32_t bytes) { return {0, bytes, true, false, 0}; }

// The cycles in which reads are answered, by tag, when the requests are made together in cycle `at`.
std::vector<Cycle> answers(SimpleMemory& memory, Cycle at, const std::vector<LineRequest>& requests) {
  std::vector<Cycle> cycle(requests.size(), 0);
  for (Cycle now = 0; now <= at || !memory.idle(); ++now) {
    memory.tick(now);
    std::uint32_t tag = 0;
    while (memory.response(tag)) cycle.at(tag) = now;
    if (now != at) continue;
    for (const LineRequest& request : requests) memory.request(request);
  }
  return cycle;
}

TEST(SimpleMemory, AnswersALoneReadAfterExactlyTheLatency) {
  SimpleMemory memory(with(200, 32));
  memory.tick(7);
  memory.request(read(5, 128));
  std::uint32_t tag = 0;
  for (Cycle now = 8; now < 207; ++now) {
    memory.tick(now);
    ASSERT_FALSE(memory.response(tag)) << "cycle " << now;
  }
  memory.tick(207);
  ASSERT_TRUE(memory.response(tag));
  EXPECT_EQ(tag, 5u);
  EXPECT_FALSE(memory.response(tag));
}

TEST(SimpleMemory, KeepsThePortFourCyclesFor128BytesAt32BytesACycle) {
  SimpleMemory memory(with(100, 32));
  EXPECT_EQ(answers(memory, 10, {read(0, 128), read(1, 128), read(2, 128)}), (std::vector<Cycle>{110, 114, 118}));
}

TEST(SimpleMemory, CountsFractionsOfACycleExactly) {
  // 48 bytes a cycle: 128 bytes take 2 2/3 cycles, so starts are 10, 12 2/3, 15 1/3, 18.
  SimpleMemory memory(with(100, 48));
  EXPECT_EQ(answers(memory, 10, {read(0, 128), read(1, 128), read(2, 128), read(3, 128)}),
            (std::vector<Cycle>{110, 113, 116, 118}));
}

TEST(SimpleMemory, ServesSeveralReadsInACycleWhenThePortIsWide) {
  SimpleMemory memory(with(100, 256));
  EXPECT_EQ(answers(memory, 10, {read(0, 128), read(1, 128), read(2, 128)}), (std::vector<Cycle>{110, 111, 111}));
}

TEST(SimpleMemory, AnswersNoReadBeforeItsLastByte) {
  SimpleMemory memory(with(10, 4));
  EXPECT_EQ(answers(memory, 10, {read(0, 128)}), (std::vector<Cycle>{42}));
}

TEST(SimpleMemory, LetsReadsWaitForWrites) {
  SimpleMemory memory(with(100, 32));
  EXPECT_EQ(answers(memory, 10, {write(64), write(32), read(2, 128)})[2], 113u);
}

TEST(SimpleMemory, AcceptsUntilItsQueueIsFullAndAgainWhenATransferStarts) {
  SimpleMemory memory(with(100, 32));
  memory.tick(0);
  unsigned accepted = 0;
  for (; memory.can_accept(); ++accepted) memory.request(write(64));
  EXPECT_EQ(accepted, SimpleMemory::kQueueEntries + 1);  // one is on the port
  memory.tick(1);
  EXPECT_FALSE(memory.can_accept());
  memory.tick(2);
  EXPECT_TRUE(memory.can_accept());
}

TEST(SimpleMemory, AcceptsWritesWhileEveryReadIsUnanswered) {
  Config config = with(100, 1024);
  config.l1.mshrs = 3;
  SimpleMemory memory(config);
  memory.tick(0);
  for (std::uint32_t tag = 0; tag < 3; ++tag) memory.request(read(tag, 128));
  EXPECT_TRUE(memory.can_accept());
}

TEST(SimpleMemory, CountsBytesAndBusyCycles) {
  SimpleMemory memory(with(100, 32));
  memory.tick(0);
  memory.request(read(0, 128));
  memory.request(write(32));
  memory.tick(2);
  Stats halfway;
  memory.add_to(halfway);
  EXPECT_EQ(halfway.memory_bytes, 160u);
  EXPECT_EQ(halfway.memory_busy_cycles, 3u);  // cycles 0 to 2
  memory.tick(200);
  Stats stats;
  memory.add_to(stats);
  EXPECT_EQ(stats.memory_busy_cycles, 5u);
}

TEST(SimpleMemory, StartsAgainAfterReset) {
  SimpleMemory memory(with(100, 1));
  memory.tick(1000);
  memory.request(read(0, 128));
  while (memory.can_accept()) memory.request(read(1, 128));
  memory.reset();
  EXPECT_TRUE(memory.can_accept());
  EXPECT_TRUE(memory.idle());
  Stats stats;
  memory.add_to(stats);
  EXPECT_EQ(stats.memory_bytes + stats.memory_busy_cycles, 0u);
  EXPECT_EQ(answers(memory, 3, {read(0, 100)}), (std::vector<Cycle>{103}));
}

TEST(SimpleMemory, RefusesZeroLatencyAndZeroBandwidth) {
  EXPECT_THROW(SimpleMemory{with(0, 32)}, Error);
  EXPECT_THROW(SimpleMemory{with(200, 0)}, Error);
}

TEST(SimpleMemory, MovesTheSameBytesInTheSameCyclesAsANaivePort) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const unsigned latency = random.between(1, 40);
    const unsigned rate = random.between(1, 200);
    const Config config = with(latency, rate);
    SimpleMemory memory(config);
    NaivePort naive(latency, rate);
    std::uint32_t tag = 0;
    std::size_t unanswered = 0;
    for (Cycle now = 0; now < 5500; ++now) {
      memory.tick(now);
      std::vector<std::uint32_t> expected, answered;
      while (const auto answer = naive.answer(now)) expected.push_back(*answer);
      for (std::uint32_t t = 0; memory.response(t);) answered.push_back(t);
      unanswered -= answered.size();
      ASSERT_EQ(answered, expected) << "cycle " << now << ", seed " << seed;
      ASSERT_EQ(memory.idle(), naive.empty()) << "cycle " << now << ", seed " << seed;
      std::vector<LineRequest> requests;
      while (now < 3000 && memory.can_accept() && random.chance(40) && unanswered < config.l1.mshrs) {
        const std::uint32_t bytes = 32 * random.between(1, 4);
        requests.push_back(random.chance(60) ? read(tag++, bytes) : write(bytes));
        unanswered += requests.back().write ? 0 : 1;
        memory.request(requests.back());
      }
      naive.cycle(now, requests);
      Stats stats;
      memory.add_to(stats);
      ASSERT_EQ(stats.memory_busy_cycles, naive.busy) << "cycle " << now << ", seed " << seed;
    }
    Stats stats;
    memory.add_to(stats);
    ASSERT_TRUE(memory.idle()) << "seed " << seed;
    EXPECT_EQ(stats.memory_bytes, naive.bytes) << "seed " << seed;
  }
}

}  // namespace
}  // namespace heddle::test::simple_memory_test
