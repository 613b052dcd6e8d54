// SPDX-License-Identifier: Apache-2.0
// dwf/dwf_scheduler: random lockstep of RTL, twin and oracle with threads that go round as in a barrel core, and
// conservation of threads in every cycle; the DWF paper's example and the Order rules step by step.
#include "dwf/dwf_scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "models/dwf_scheduler_default.h"
#include "models/dwf_scheduler_majority.h"
#include "models/dwf_scheduler_majority_exact.h"
#include "models/dwf_scheduler_majority_unaware.h"
#include "models/dwf_scheduler_minority.h"
#include "models/dwf_scheduler_pc.h"
#include "models/dwf_scheduler_pdom.h"
#include "models/dwf_scheduler_time.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/dwf/dwf_oracle.h"

namespace heddle::test {
namespace {

using Group = DwfOracle::Group;
using Threads = DwfOracle::Threads;

template <class Set>
using SchedulerTwin = dwf_scheduler<Set::kLanes, Set::kThreads, Set::kLutEntries, Set::kLutWays, Set::kTableEntries,
                                    Set::kSchedW, Set::kHeuristic, Set::kLaneAware, Set::kTableSort>;

template <class Set>
class SchedulerBench : public Bench<typename Set::Rtl, SchedulerTwin<Set>> {
 public:
  explicit SchedulerBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, SchedulerTwin<Set>>(seed) { reset(); }

  [[nodiscard]] const DwfOracle& oracle() const { return oracle_; }

  void reset() {
    oracle_ = fresh_oracle();
    entered_ = 0;
    left_ = 0;
    expect();
    this->reset_cycle();
  }

  // Bits that mean nothing are set by `noise`: threads of lanes that are not in a group, data of groups that are none.
  void step(const DwfOracle::Inputs& in, std::uint64_t noise = 0) {
    issue_ready_i = in.issue_ready;
    drive(in.update[0], noise, update0_valid_i, update0_pc_i, update0_req_i, update0_tids_i, update0_sched_i);
    drive(in.update[1], noise >> 8, update1_valid_i, update1_pc_i, update1_req_i, update1_tids_i, update1_sched_i);
    expect();
    if (oracle_.update_ready()) {
      for (const auto& group : in.update) entered_ += group ? group->threads.size() : 0;
    }
    oracle_.step(in);
    this->cycle();
    if (oracle_.issue_valid()) left_ += oracle_.issued().threads.size();
    if (this->twin().state().threads_inside() != entered_ - left_) {
      throw Mismatch("mismatch at cycle " + std::to_string(this->cycles()) + ": threads are lost or doubled");
    }
  }

  // Verbs of one cycle.
  void enter(const Group& group) { step({{group, {}}, false}); }
  void enter(const Group& group0, const Group& group1) { step({{group0, group1}, false}); }
  void wait(unsigned cycles = 1) {
    for (unsigned i = 0; i < cycles; ++i) step({});
  }
  // The warp that issues, as the issue registers show it after the edge.
  std::optional<Group> issue(const DwfOracle::Inputs& beside = {}) {
    DwfOracle::Inputs in = beside;
    in.issue_ready = true;
    step(in);
    return oracle_.issue_valid() ? std::optional(oracle_.issued()) : std::nullopt;
  }
  [[nodiscard]] std::optional<Threads> issued_threads() {
    const auto warp = issue();
    return warp ? std::optional(warp->threads) : std::nullopt;
  }

 private:
  static constexpr unsigned kLanes = Set::kLanes, kTid = index_width(Set::kThreads),
                            kCount = count_width(Set::kThreads);
  HEDDLE_INPUT(update0_valid_i, 1, 1);
  HEDDLE_INPUT(update0_pc_i, 32, 1);
  HEDDLE_INPUT(update0_req_i, kLanes, 1);
  HEDDLE_INPUT(update0_tids_i, kTid, kLanes);
  HEDDLE_INPUT(update0_sched_i, Set::kSchedW, 1);
  HEDDLE_INPUT(update1_valid_i, 1, 1);
  HEDDLE_INPUT(update1_pc_i, 32, 1);
  HEDDLE_INPUT(update1_req_i, kLanes, 1);
  HEDDLE_INPUT(update1_tids_i, kTid, kLanes);
  HEDDLE_INPUT(update1_sched_i, Set::kSchedW, 1);
  HEDDLE_OUTPUT(update_ready_o, 1, 1);
  HEDDLE_INPUT(issue_ready_i, 1, 1);
  HEDDLE_OUTPUT(issue_valid_o, 1, 1);
  HEDDLE_OUTPUT(issue_pc_o, 32, 1);
  HEDDLE_OUTPUT(issue_mask_o, kLanes, 1);
  HEDDLE_OUTPUT(issue_tids_o, kTid, kLanes);
  HEDDLE_OUTPUT(issue_sched_o, Set::kSchedW, 1);
  HEDDLE_OUTPUT(hit_o, 1, 2);
  HEDDLE_OUTPUT(miss_o, 1, 2);
  HEDDLE_OUTPUT(alias_o, 1, 2);
  HEDDLE_OUTPUT(conflict_o, 1, 2);
  HEDDLE_OUTPUT(fragmented_o, 1, 2);
  HEDDLE_OUTPUT(drain_o, 1, 1);
  HEDDLE_OUTPUT(warps_o, kCount, 1);
  HEDDLE_OUTPUT(max_warps_o, kCount, 1);
  HEDDLE_OUTPUT(distinct_o, count_width(Set::kTableEntries), 1);

  static DwfOracle fresh_oracle() {
    return DwfOracle({Set::kLanes, Set::kThreads, Set::kLutEntries, Set::kLutWays, Set::kTableEntries, Set::kSchedW,
                      Set::kHeuristic, Set::kLaneAware != 0, Set::kTableSort != 0});
  }

  static void drive(const std::optional<Group>& group, std::uint64_t noise, Input& valid, Input& pc, Input& req,
                    Input& tids, Input& sched) {
    for (unsigned l = 0; l < kLanes; ++l) tids.set(l, (noise >> l) % Set::kThreads);
    // No group: not valid, or valid without threads.
    valid = group.has_value() || (noise & 1) != 0;
    pc = group ? group->pc : static_cast<Pc>(noise);
    sched = group ? group->sched : noise;
    LaneMask lanes = 0;
    if (group) {
      for (const auto& [lane, tid] : group->threads) {
        lanes |= LaneMask{1} << lane;
        tids.set(lane, tid);
      }
    } else if ((noise & 1) == 0) {
      lanes = noise;
    }
    req = lanes;
  }

  void expect() {
    update_ready_o.expect(oracle_.update_ready());
    const Group& issued = oracle_.issued();
    LaneMask mask = 0;
    for (unsigned l = 0; l < kLanes; ++l) issue_tids_o.expect(l, 0);
    for (const auto& [lane, tid] : issued.threads) {
      mask |= LaneMask{1} << lane;
      issue_tids_o.expect(lane, tid);
    }
    issue_valid_o.expect(oracle_.issue_valid());
    issue_pc_o.expect(issued.pc);
    issue_mask_o.expect(mask);
    issue_sched_o.expect(issued.sched);
    for (unsigned u = 0; u < 2; ++u) {
      const DwfOracle::Event& event = oracle_.event(u);
      hit_o.expect(u, event.hit);
      miss_o.expect(u, event.miss);
      alias_o.expect(u, event.alias);
      conflict_o.expect(u, event.conflict);
      fragmented_o.expect(u, event.fragmented);
    }
    drain_o.expect(oracle_.drained());
    warps_o.expect(oracle_.pool().size());
    max_warps_o.expect(oracle_.max_warps());
    distinct_o.expect(oracle_.distinct());
  }

  DwfOracle oracle_ = fresh_oracle();
  std::size_t entered_ = 0, left_ = 0;
};

// ---- random lockstep

// The rest of a barrel core: threads that issued come back some cycles later as one or two groups, at a few PCs; where
// those begin moves now and then.
template <class Set>
class Barrel {
 public:
  explicit Barrel(Random& random) : random_(random) {
    for (unsigned first = 0; first < Set::kThreads; first += Set::kLanes) {
      Group group{pc(), {}, 0};
      for (unsigned tid = first; tid < std::min(first + Set::kLanes, Set::kThreads); ++tid) {
        group.threads[tid % Set::kLanes] = tid;
      }
      ready_.push_back(group);
    }
  }

  void take(const Group& issued, std::uint64_t now) {
    const unsigned sched = random_.below(1u << Set::kSchedW);
    if (random_.below(300) == 0) base_ = random_.base(kPcs);
    Group taken{random_.chance(80) ? issued.pc + 4 : pc(), {}, sched},
        rest{pc(), {}, random_.below(1u << Set::kSchedW)};
    if (taken.pc - base_ >= 4 * kPcs) taken.pc = base_;
    const bool diverges = random_.chance(60) && taken.pc != rest.pc;
    for (const auto& [lane, tid] : issued.threads) (diverges && random_.chance(50) ? rest : taken).threads[lane] = tid;
    for (const Group& group : {taken, rest}) {
      if (!group.threads.empty()) flying_.emplace_back(now + random_.between(1, 8), group);
    }
  }

  // What comes in this cycle. Groups that are not accepted come again.
  DwfOracle::Inputs inputs(std::uint64_t now, bool accepted, unsigned pace) {
    for (auto it = flying_.begin(); it != flying_.end();) {
      if (it->first <= now) ready_.push_back(it->second);
      it = it->first <= now ? flying_.erase(it) : it + 1;
    }
    if (accepted) {
      offered_ = {};
      for (auto& group : offered_.update) {
        if (ready_.empty() || !random_.chance(pace)) continue;
        if (offered_.update[0] && offered_.update[0]->pc == ready_.front().pc) continue;
        group = ready_.front();
        ready_.pop_front();
      }
      if (!offered_.update[1] && random_.chance(30)) std::swap(offered_.update[0], offered_.update[1]);
    }
    return offered_;
  }

 private:
  static constexpr unsigned kPcs = Set::kTableEntries + 2;
  Pc pc() { return base_ + 4 * random_.below(kPcs); }

  Random& random_;
  Pc base_ = random_.base(kPcs);
  std::deque<Group> ready_;
  std::vector<std::pair<std::uint64_t, Group>> flying_;
  DwfOracle::Inputs offered_;
};

template <class Set>
class SchedulerRandom : public testing::Test {};
using Sets =
    ParameterSets<models::dwf_scheduler_majority, models::dwf_scheduler_majority_exact,
                  models::dwf_scheduler_majority_unaware, models::dwf_scheduler_minority, models::dwf_scheduler_time,
                  models::dwf_scheduler_pdom, models::dwf_scheduler_pc, models::dwf_scheduler_default>;
TYPED_TEST_SUITE(SchedulerRandom, Sets, SetNames);

TYPED_TEST(SchedulerRandom, RtlTwinAndOracleAgreeAndNoThreadIsLost) {
  Coverage met;
  constexpr bool kCounts = TypeParam::kHeuristic <= kDMin, kAware = TypeParam::kLaneAware != 0;
  constexpr bool kLarge = TypeParam::kThreads > 64;
  constexpr unsigned kSets = TypeParam::kLutEntries / TypeParam::kLutWays;
  for (std::uint64_t seed = 1; seed <= (kLarge ? 1 : 4); ++seed) {
    Random random(seed);
    SchedulerBench<TypeParam> bench(seed);
    auto barrel = std::make_unique<Barrel<TypeParam>>(random);
    const DwfOracle& oracle = bench.oracle();
    unsigned pace = 90, credit = 90;
    bool accepted = true;
    for (unsigned i = 0; i < (kLarge ? 2500 : 5000); ++i) {
      if (random.below(900) == 0) {
        bench.reset();
        barrel = std::make_unique<Barrel<TypeParam>>(random);
        accepted = true;
      }
      if (random.below(80) == 0) pace = random.between(40, 100);
      if (random.below(80) == 0) credit = random.between(10, 100);
      DwfOracle::Inputs in = barrel->inputs(bench.cycles(), accepted, pace);
      in.issue_ready = random.chance(credit);
      accepted = oracle.update_ready();

      const auto& u0 = oracle.update(0);
      const auto& u1 = oracle.update(1);
      const auto picked = oracle.picked();
      const bool one_set = u0 && u1 && u0->pc / 4 % kSets == u1->pc / 4 % kSets;
      const bool into_picked = picked && u0 && oracle.forming(u0->pc) == picked;
      bench.step(in, random.next());
      if (oracle.issue_valid()) barrel->take(oracle.issued(), bench.cycles());

      const auto e0 = oracle.event(0), e1 = oracle.event(1);
      met.hit("hit", e0.hit && !e0.conflict);
      met.hit("conflict", e0.conflict);
      met.hit("update_to_the_warp_that_issues", into_picked && in.issue_ready && e0.miss);
      met.hit("issue_beside_two_updates", oracle.issue_valid() && (e0.hit || e0.miss) && (e1.hit || e1.miss));
      met.hit("full_warp_issues", oracle.issue_valid() && oracle.issued().threads.size() == TypeParam::kLanes);
      if (!kLarge) {
        met.hit("threads_join_the_warp_that_is_picked", into_picked && !in.issue_ready && e0.hit && !e0.conflict);
        met.hit("alias", e0.alias || e1.alias);
        met.hit("two_misses_in_one_set", one_set && e0.miss && e1.miss);
        met.hit("many_warps", oracle.pool().size() * 4 > TypeParam::kThreads);
      }
      if (kAware) met.hit("fragmented", e0.fragmented);
      if (kCounts && !kLarge) {
        met.hit("drain", oracle.drained());
        met.hit("one_held_the_other_goes", oracle.drained() && (e0.hit || e0.miss || e1.hit || e1.miss));
      }
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// ---- worked examples

using Majority =
    models::dwf_scheduler_majority;  // 4 lanes, 16 threads, LUT of 2 sets of 2 ways, table of 4, lane-aware
constexpr Pc kA = 0x100, kB = 0x104, kC = 0x108, kD = 0x10c, kE = 0x110, kF = 0x114;

TEST(SchedulerExample, FigureNineTwoDivergedWarpsMakeTwoFullOnes) {
  SchedulerBench<Majority> dwf;
  // W0: threads 0 to 3 in lanes 0 to 3; 0 and 3 go to A, 1 and 2 to B. W1: threads 4 to 7, the other way round.
  dwf.enter({kA, {{0, 0}, {3, 3}}}, {kB, {{1, 1}, {2, 2}}});
  dwf.enter({kA, {{1, 5}, {2, 6}}}, {kB, {{0, 4}, {3, 7}}});
  dwf.wait();
  EXPECT_EQ(dwf.oracle().pool().size(), 2u);
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, 0}, {1, 5}, {2, 6}, {3, 3}}));
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, 4}, {1, 1}, {2, 2}, {3, 7}}));
  EXPECT_EQ(dwf.issued_threads(), std::nullopt);
}

TEST(SchedulerExample, AThreadEntersThePoolOneCycleAfterItsGroupIsPickedThereIfNoneWaitsAndIssuesInTheNext) {
  SchedulerBench<Majority> dwf;
  EXPECT_FALSE(dwf.issue({{Group{kA, {{0, 0}}}, Group{kB, {{1, 1}}}}}));  // taken at this edge
  EXPECT_FALSE(dwf.issue());       // into the pool at this one, A into the pick register
  EXPECT_EQ(dwf.issue()->pc, kA);  // B is picked
  EXPECT_EQ(dwf.issue()->pc, kB);
  EXPECT_FALSE(dwf.issue());
}

TEST(SchedulerExample, AWarpIssuesInEveryCycleWhileSeveralWait) {
  SchedulerBench<Majority> dwf;
  dwf.enter({kA, {{0, 0}}}, {kB, {{1, 1}}});
  dwf.enter({kC, {{2, 2}}}, {kA, {{0, 4}}});
  dwf.wait(2);
  for (unsigned i = 0; i < 4; ++i) EXPECT_TRUE(dwf.issue());
  EXPECT_FALSE(dwf.issue());
}

TEST(SchedulerExample, ThreadsJoinAWarpThatIsPickedUntilItIssues) {
  SchedulerBench<Majority> dwf;
  dwf.enter({kA, {{0, 0}}});
  dwf.wait();
  EXPECT_TRUE(dwf.oracle().picked());
  dwf.enter({kA, {{1, 1}}});
  dwf.wait();
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, 0}, {1, 1}}));
}

TEST(SchedulerExample, WhatIsPickedStaysPicked) {
  SchedulerBench<models::dwf_scheduler_pc> dwf;
  dwf.enter({kC, {{0, 0}}});
  dwf.wait(2);
  dwf.enter({kB, {{1, 1}}}, {kA, {{2, 2}}});
  dwf.wait(2);
  EXPECT_EQ(dwf.issue()->pc, kC);
  EXPECT_EQ(dwf.issue()->pc, kA);
  EXPECT_EQ(dwf.issue()->pc, kB);
}

TEST(SchedulerExample, OnAConflictOnlyTheConflictingThreadsBeginANewWarpAndThatIsTheOneFormedFromThenOn) {
  SchedulerBench<Majority> dwf;
  dwf.enter({kA, {{0, 0}, {1, 1}}});
  dwf.enter({kA, {{1, 5}, {2, 6}}});
  dwf.enter({kA, {{3, 3}}});
  EXPECT_TRUE(dwf.oracle().event(0).conflict);
  EXPECT_TRUE(dwf.oracle().event(0).fragmented);  // four threads would have fitted
  dwf.wait();
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, 0}, {1, 1}, {2, 6}}));
  EXPECT_EQ(dwf.issued_threads(), (Threads{{1, 5}, {3, 3}}));
}

TEST(SchedulerExample, ThreadsForTheWarpThatIssuesInTheSameCycleBeginANewOne) {
  SchedulerBench<Majority> dwf;
  dwf.enter({kA, {{0, 0}}});
  dwf.enter({kA, {{1, 1}}});  // in the update register when the warp of thread 0 issues
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, 0}}));
  EXPECT_TRUE(dwf.oracle().event(0).miss);
  dwf.wait();
  EXPECT_EQ(dwf.issued_threads(), (Threads{{1, 1}}));
}

TEST(SchedulerExample, TheEntryOfTheIssuedWarpIsNotGivenAwayInTheSameCycle) {
  SchedulerBench<Majority> dwf;
  for (unsigned tid = 0; tid < 16; ++tid) dwf.enter({kA, {{tid % 4, tid}}});
  dwf.wait();
  EXPECT_EQ(dwf.oracle().pool().size(), 4u);
  for (unsigned turn = 0; turn < 40; ++turn) {  // round the ring of 16 entries more than once
    const auto warp = dwf.issue();
    ASSERT_TRUE(warp);
    dwf.enter(*warp);
    dwf.wait();
  }
  EXPECT_EQ(dwf.oracle().threads_inside(), 16u);
}

TEST(SchedulerExample, TwoUpdatesIntoOneSetTakeItsTwoWays) {
  SchedulerBench<Majority> dwf;
  dwf.enter({kA, {{0, 0}}}, {kC, {{0, 4}}});  // one set
  dwf.enter({kA, {{1, 1}}}, {kC, {{1, 5}}});
  dwf.wait();
  EXPECT_TRUE(dwf.oracle().event(0).hit);
  EXPECT_TRUE(dwf.oracle().event(1).hit);
}

template <class Set>
class SchedulerAge : public testing::Test {};
using SmallSets = testing::Types<models::dwf_scheduler_majority, models::dwf_scheduler_majority_exact,
                                 models::dwf_scheduler_majority_unaware, models::dwf_scheduler_minority,
                                 models::dwf_scheduler_time, models::dwf_scheduler_pdom, models::dwf_scheduler_pc>;
TYPED_TEST_SUITE(SchedulerAge, SmallSets, SetNames);

TYPED_TEST(SchedulerAge, AHalfFormedWarpDoesNotOvertakeTheFullOneBeforeIt) {
  constexpr unsigned kLanes = TypeParam::kLanes, kLast = TypeParam::kThreads - 1;
  SchedulerBench<TypeParam> dwf;
  // Every pool entry but the last is used and given back: the next warps get the last entry, then entry 0.
  for (unsigned i = 0; i < kLast; ++i) {
    dwf.enter({kB, {{0, 0}}});
    dwf.wait(2);
    ASSERT_TRUE(dwf.issue());
  }
  Threads full;
  for (unsigned l = 0; l < kLanes; ++l) full[l] = l;
  dwf.enter({kA, full});
  dwf.enter({kA, {{0, kLanes}}});  // its lane is taken: a new warp
  dwf.wait();
  ASSERT_EQ(dwf.oracle().pool().count(kLast) + dwf.oracle().pool().count(0), 2u);
  EXPECT_EQ(dwf.issued_threads(), full);
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, kLanes}}));
}

TEST(SchedulerExample, AWarpThatGetsNoMoreThreadsIsStillOlderThanTheOneThatIsFormed) {
  SchedulerBench<models::dwf_scheduler_majority_exact> dwf;
  dwf.enter({kA, {{0, 0}}}, {kC, {{0, 4}}});
  dwf.enter({kE, {{0, 8}}});          // A loses its way
  dwf.enter({kA, {{1, 1}, {2, 2}}});  // and begins a new warp
  dwf.enter({kA, {{3, 3}}});
  dwf.wait();
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, 0}}));
  EXPECT_EQ(dwf.issued_threads(), (Threads{{1, 1}, {2, 2}, {3, 3}}));
}

TEST(SchedulerExample, DPdPriIssuesBehindTheWrapLast) {
  SchedulerBench<models::dwf_scheduler_pdom> dwf;  // counts modulo 16
  dwf.enter({kD, {{4, 4}}, 0});                    // is picked, and stays so
  dwf.enter({kA, {{0, 0}}, 1}, {kB, {{1, 1}}, 15});
  dwf.enter({kA, {{3, 3}}, 15}, {kC, {{2, 2}}, 14});
  dwf.wait();
  EXPECT_EQ(dwf.issued_threads(), (Threads{{4, 4}}));
  EXPECT_EQ(dwf.issued_threads(), (Threads{{2, 2}}));
  EXPECT_EQ(dwf.issued_threads(), (Threads{{1, 1}}));
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, 0}, {3, 3}}));
  EXPECT_EQ(dwf.oracle().issued().sched, 1u);
}

TEST(SchedulerExample, AWarpWhoseEntryIsReplacedStaysInThePoolAndGetsNoMoreThreads) {
  SchedulerBench<Majority> dwf;
  dwf.enter({kA, {{0, 0}}}, {kC, {{0, 4}}});
  dwf.enter({kE, {{0, 8}}});  // the third PC of the set
  dwf.enter({kA, {{1, 1}}});
  EXPECT_TRUE(dwf.oracle().event(0).alias);
  dwf.wait();
  EXPECT_TRUE(dwf.oracle().event(0).miss);
  EXPECT_EQ(dwf.oracle().pool().size(), 4u);
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, 0}}));
  EXPECT_EQ(dwf.issued_threads(), (Threads{{1, 1}}));
}

TEST(SchedulerExample, DPdPriGivesAWarpTheLatestPriorityOfItsThreadsAlsoWhileItIsPicked) {
  SchedulerBench<models::dwf_scheduler_pdom> dwf;
  dwf.enter({kA, {{0, 0}}, 3});
  dwf.wait(2);
  dwf.enter({kA, {{1, 1}}, 5});
  dwf.enter({kA, {{2, 2}}, 4});
  dwf.wait();
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, 0}, {1, 1}, {2, 2}}));
  EXPECT_EQ(dwf.oracle().issued().sched, 5u);
}

TEST(SchedulerExample, NoOtherHeuristicKeepsAPriority) {
  SchedulerBench<Majority> dwf;
  dwf.enter({kA, {{0, 0}}, 255});
  dwf.wait(2);
  EXPECT_TRUE(dwf.issue());
  EXPECT_EQ(dwf.oracle().issued().sched, 0u);
}

TEST(SchedulerExample, AFullTableDrainsAndTheHeldUpdateGoesTheCycleAfterARowBecameFree) {
  SchedulerBench<Majority> dwf;
  dwf.enter({kA, {{0, 0}}}, {kB, {{1, 1}}});
  dwf.enter({kC, {{2, 2}}}, {kD, {{3, 3}}});
  dwf.enter({kE, {{0, 4}}}, {kA, {{1, 5}}});
  EXPECT_FALSE(dwf.oracle().update_ready());
  dwf.step({{Group{kF, {{2, 6}}}, {}}, false});  // A goes in, E is held, F is not taken
  EXPECT_TRUE(dwf.oracle().drained());
  EXPECT_TRUE(dwf.oracle().event(1).hit);
  EXPECT_FALSE(dwf.oracle().update_ready());
  // A's two threads issue: its row is free after the next edge, and E goes at the one after that.
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, 0}, {1, 5}}));
  EXPECT_FALSE(dwf.oracle().update_ready());
  dwf.wait();
  EXPECT_TRUE(dwf.oracle().update_ready());
  dwf.wait();
  EXPECT_TRUE(dwf.oracle().event(0).miss);
  EXPECT_FALSE(dwf.oracle().drained());
}

TEST(SchedulerExample, LaneUnawareThreadsAreRepackedIntoTheFreeLanes) {
  SchedulerBench<models::dwf_scheduler_majority_unaware> dwf;  // 5 lanes
  dwf.enter({kA, {{2, 2}, {4, 4}}});
  dwf.enter({kA, {{0, 5}, {2, 7}, {3, 8}, {4, 9}}});
  dwf.wait();
  EXPECT_TRUE(dwf.oracle().event(0).conflict);
  EXPECT_FALSE(dwf.oracle().event(0).fragmented);
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, 2}, {1, 4}, {2, 5}, {3, 7}, {4, 8}}));
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, 9}}));
}

TEST(SchedulerExample, EveryThreadAtAPcOfItsOwnFillsThePool) {
  SchedulerBench<models::dwf_scheduler_pc> dwf;
  constexpr unsigned kThreads = models::dwf_scheduler_pc::kThreads, kLanes = models::dwf_scheduler_pc::kLanes;
  for (unsigned tid = 0; tid < kThreads; tid += 2) {
    dwf.enter({0x800 - 4 * tid, {{tid % kLanes, tid}}}, {0x7fc - 4 * tid, {{(tid + 1) % kLanes, tid + 1}}});
  }
  dwf.wait();
  EXPECT_EQ(dwf.oracle().pool().size(), kThreads);
  // All of them come out: the one that came first, then the smallest PC first.
  const auto thread = [](unsigned tid) { return Threads{{tid % kLanes, tid}}; };
  EXPECT_EQ(dwf.issued_threads(), thread(0));
  for (unsigned tid = kThreads; tid-- > 1;) EXPECT_EQ(dwf.issued_threads(), thread(tid));
  dwf.wait();
  EXPECT_EQ(dwf.oracle().max_warps(), kThreads);
}

TEST(SchedulerExample, WithoutCreditNothingLeavesAndTheIssueRegistersHold) {
  SchedulerBench<Majority> dwf;
  dwf.enter({kA, {{0, 0}}}, {kB, {{1, 1}}});
  dwf.wait(3);
  EXPECT_EQ(dwf.oracle().pool().size(), 2u);
  EXPECT_EQ(dwf.issued_threads(), (Threads{{0, 0}}));
  dwf.wait(2);
  EXPECT_EQ(dwf.oracle().issued().pc, kA);
}

// ---- what the caller must not do

TEST(SchedulerMistake, TwoGroupsOfOneCycleWithOnePc) {
  SchedulerBench<Majority> dwf;
  EXPECT_THROW(dwf.enter({kA, {{0, 0}}}, {kA, {{1, 1}}}), RtlAssertion);
}

TEST(SchedulerMistake, AThreadThatEntersTwice) {
  SchedulerBench<Majority> dwf;
  dwf.enter({kA, {{0, 0}}});
  EXPECT_THROW(dwf.enter({kB, {{0, 0}}}), RtlAssertion);
}

// ---- narrower configurations

// One twin at the largest sizes with limits equals the twin of those sizes.
template <class Set>
void expect_narrowed_equals_narrow() {
  using Narrow = DwfSchedulerLogic<Set::kLanes, Set::kThreads, Set::kLutEntries, Set::kLutWays, Set::kTableEntries,
                                   Set::kSchedW, Set::kHeuristic, Set::kLaneAware>;
  using Wide = DwfSchedulerLogic<32, 128, 64, 4, 32, Set::kSchedW>;  // priorities count modulo what they do in hardware
  auto narrow = std::make_unique<Narrow>();
  auto wide = std::make_unique<Wide>(Narrow::default_config());
  Random random(7);
  Barrel<Set> barrel(random);
  unsigned issued = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    const DwfOracle::Inputs in = barrel.inputs(i, narrow->output().update_ready, 80);
    typename Narrow::Input narrow_in;
    typename Wide::Input wide_in;
    narrow_in.issue_ready = wide_in.issue_ready = random.chance(70);
    for (unsigned u = 0; u < 2; ++u) {
      if (!in.update[u]) continue;
      narrow_in.update[u].valid = wide_in.update[u].valid = true;
      narrow_in.update[u].pc = wide_in.update[u].pc = in.update[u]->pc;
      narrow_in.update[u].sched = wide_in.update[u].sched = in.update[u]->sched;
      for (const auto& [lane, tid] : in.update[u]->threads) {
        narrow_in.update[u].req |= LaneMask{1} << lane;
        narrow_in.update[u].tids[lane] = wide_in.update[u].tids[lane] = static_cast<std::uint16_t>(tid);
      }
      wide_in.update[u].req = narrow_in.update[u].req;
    }
    narrow->step(narrow_in);
    wide->step(wide_in);
    const auto& a = narrow->output();
    const auto& b = wide->output();
    ASSERT_EQ(a.update_ready, b.update_ready) << i;
    ASSERT_EQ(a.issue_valid, b.issue_valid) << i;
    ASSERT_EQ(a.issue_mask, b.issue_mask) << i;
    ASSERT_EQ(a.issue_pc, b.issue_pc) << i;
    ASSERT_TRUE(std::equal(a.issue_tids, a.issue_tids + Set::kLanes, b.issue_tids)) << i;
    ASSERT_EQ((std::vector<unsigned>{a.hit, a.miss, a.alias, a.conflict, a.fragmented, a.drain, a.warps, a.max_warps,
                                     a.distinct}),
              (std::vector<unsigned>{b.hit, b.miss, b.alias, b.conflict, b.fragmented, b.drain, b.warps, b.max_warps,
                                     b.distinct}))
        << i;
    if (!a.issue_valid) continue;
    ++issued;
    Group warp{a.issue_pc, {}, a.issue_sched};
    for (unsigned l = 0; l < Set::kLanes; ++l) {
      if (((a.issue_mask >> l) & 1) != 0) warp.threads[l] = a.issue_tids[l];
    }
    barrel.take(warp, i);
  }
  EXPECT_GT(issued, 500u);
}

TEST(SchedulerTwin, ANarrowedConfigurationEqualsTheNarrowScheduler) {
  expect_narrowed_equals_narrow<models::dwf_scheduler_majority>();
  expect_narrowed_equals_narrow<models::dwf_scheduler_majority_unaware>();
  expect_narrowed_equals_narrow<models::dwf_scheduler_minority>();
  expect_narrowed_equals_narrow<models::dwf_scheduler_time>();
  expect_narrowed_equals_narrow<models::dwf_scheduler_pdom>();
  expect_narrowed_equals_narrow<models::dwf_scheduler_pc>();
}

}  // namespace
}  // namespace heddle::test
