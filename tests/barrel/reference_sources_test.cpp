// SPDX-License-Identifier: Apache-2.0
// The reference sources alone: which threads issue together and when.
#include <gtest/gtest.h>

#include "barrel/reference_sources.h"
#include "config/config.h"
#include "mechanisms/mechanism.h"

namespace heddle::reference_sources_test {
namespace {

constexpr unsigned kLanes = 4;
constexpr Pc kEntry = 0x1000;

Config config_of(const char* mechanism) {
  Config config;
  config.mechanism = mechanism;
  config.core.lanes = kLanes;
  config.core.warps = 4;
  config.core.schedulers = 1;
  return config;
}

Flight launch(unsigned warp) {
  Flight flight;
  flight.event = Flight::Event::kLaunch;
  flight.group.mask = lane_mask(kLanes);
  for (unsigned lane = 0; lane < kLanes; ++lane) flight.group.tid[lane] = static_cast<ThreadId>(warp * kLanes + lane);
  flight.target = flight.next = kEntry;
  return flight;
}

Flight branch(const ThreadGroup& group, LaneMask taken, Pc target, Pc rpc) {
  Flight flight;
  flight.event = Flight::Event::kResolve;
  flight.group = group;
  flight.taken = taken;
  flight.target = target;
  flight.next = group.pc + 4;
  flight.rpc = rpc;
  return flight;
}

Flight advance(const ThreadGroup& group) {
  Flight flight;
  flight.group = group;
  flight.target = flight.next = group.pc + 4;
  return flight;
}

struct Source {
  explicit Source(const char* mechanism, const Config& config)
      : source(find_mechanism(mechanism)->source_of_warps()(config)) {
    EXPECT_NE(source, nullptr) << mechanism;
    source->reset();
  }
  explicit Source(const char* mechanism) : Source(mechanism, config_of(mechanism)) {}
  std::vector<ThreadGroup> issue(bool ready = true) {
    std::vector<ThreadGroup> out;
    source->issue(ready, out);
    return out;
  }
  ThreadGroup one() {
    const std::vector<ThreadGroup> out = issue();
    EXPECT_EQ(out.size(), 1u);
    return out.empty() ? ThreadGroup{} : out.front();
  }
  bool enter(const Flight& flight) { return source->enter(flight, flight.group.mask, {}); }
  std::unique_ptr<WarpSource> source;
};

TEST(ReferenceSources, AreOfTheThreeNamesOnly) {
  for (const char* name : {"naive", "pdom-barrel", "mimd"})
    EXPECT_NE(find_mechanism(name)->source_of_warps(), nullptr) << name;
  for (const char* name : {"spe", "dwf"}) EXPECT_EQ(find_mechanism(name)->source_of_warps(), nullptr) << name;
}

TEST(ReferenceSources, IssueNothingWhileTheCoreIsNotReady) {
  for (const char* name : {"naive", "pdom-barrel", "mimd"}) {
    Source source(name);
    EXPECT_TRUE(source.enter(launch(0)));
    EXPECT_TRUE(source.issue(false).empty()) << name;
    EXPECT_EQ(source.issue(true).size(), 1u) << name;
    EXPECT_TRUE(source.issue(true).empty()) << name << ": a thread has one instruction in flight";
  }
}

TEST(ReferenceSources, TellHowManyThreadsTheyHave) {
  for (const char* name : {"naive", "pdom-barrel", "mimd"}) {
    Source source(name);
    EXPECT_TRUE(source.source->may_hold(0)) << name;
    EXPECT_TRUE(source.enter(launch(0)));
    EXPECT_TRUE(source.source->may_hold(4)) << name;
    EXPECT_FALSE(source.source->may_hold(3)) << name;
    EXPECT_FALSE(source.source->may_hold(5)) << name;
    source.one();
    EXPECT_TRUE(source.source->may_hold(0)) << name;
  }
}

TEST(Naive, PartsOfASplitWarpNeverJoinAgain) {
  Source source("naive");
  EXPECT_TRUE(source.enter(launch(0)));
  EXPECT_TRUE(source.enter(branch(source.one(), 0b0011, 0x2000, 0x1008)));
  ThreadGroup taken = source.one(), fallen = source.one();
  EXPECT_EQ(taken.pc, 0x2000u);
  EXPECT_EQ(taken.mask, 0b0011u);
  EXPECT_EQ(fallen.pc, kEntry + 4);
  EXPECT_EQ(fallen.mask, 0b1100u);
  taken.pc = fallen.pc = 0x1004;  // both come to the reconvergence point
  EXPECT_TRUE(source.enter(advance(taken)));
  EXPECT_TRUE(source.enter(advance(fallen)));
  EXPECT_EQ(source.one().mask, 0b0011u);
  EXPECT_EQ(source.one().mask, 0b1100u);
}

TEST(Naive, IssuesFirstComeFirstServed) {
  Source source("naive");
  for (const unsigned warp : {2u, 0u, 1u}) EXPECT_TRUE(source.enter(launch(warp)));
  for (const unsigned warp : {2u, 0u, 1u}) EXPECT_EQ(source.one().tid[0], warp * kLanes);
}

TEST(PdomBarrel, SidesRunOneAfterTheOtherAndMeet) {
  Source source("pdom-barrel");
  EXPECT_TRUE(source.enter(launch(0)));
  EXPECT_TRUE(source.enter(branch(source.one(), 0b0011, 0x1004 + 4, 0x100C)));
  ThreadGroup group = source.one();
  EXPECT_EQ(group.pc, 0x1008u);
  EXPECT_EQ(group.mask, 0b0011u);
  EXPECT_TRUE(source.issue().empty()) << "the other side waits";
  EXPECT_TRUE(source.enter(advance(group)));  // arrives at 0x100C
  group = source.one();
  EXPECT_EQ(group.pc, 0x1004u);
  EXPECT_EQ(group.mask, 0b1100u);
  EXPECT_TRUE(source.enter(advance(group)));
  group = source.one();
  EXPECT_TRUE(source.enter(advance(group)));
  group = source.one();
  EXPECT_EQ(group.pc, 0x100Cu);
  EXPECT_EQ(group.mask, 0b1111u);
}

TEST(PdomBarrel, WarpsTakeTurns) {
  Source source("pdom-barrel");
  for (const unsigned warp : {0u, 1u, 3u}) EXPECT_TRUE(source.enter(launch(warp)));
  std::vector<unsigned> order;
  for (unsigned i = 0; i < 6; ++i) {
    const ThreadGroup group = source.one();
    order.push_back(group.tid[0] / kLanes);
    EXPECT_TRUE(source.enter(advance(group)));
  }
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 3, 0, 1, 3}));
}

TEST(PdomBarrel, SaysWhenTheStackIsFull) {
  Config config = config_of("pdom-barrel");
  config.stack.depth = 2;
  Source source("pdom-barrel", config);
  EXPECT_TRUE(source.enter(launch(0)));
  EXPECT_FALSE(source.enter(branch(source.one(), 0b0011, 0x2000, 0x3000)));
}

TEST(Mimd, FillsItsLanesWithTheLongestReadyThreadsOfAnyPc) {
  Source source("mimd");
  EXPECT_TRUE(source.enter(launch(0)));
  EXPECT_TRUE(source.enter(branch(source.one(), 0b0101, 0x2000, 0)));
  EXPECT_TRUE(source.enter(launch(1)));
  const std::vector<ThreadGroup> groups = source.issue();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].pc, 0x2000u);
  EXPECT_EQ(groups[1].pc, kEntry + 4);
  EXPECT_EQ(groups[0].mask | groups[1].mask, lane_mask(kLanes));
  EXPECT_EQ(groups[0].mask & groups[1].mask, 0u);
  EXPECT_EQ(source.one().tid[0], 4u) << "the threads of warp 1 have waited less";
}

}  // namespace
}  // namespace heddle::reference_sources_test
