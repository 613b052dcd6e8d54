// SPDX-License-Identifier: Apache-2.0
// dwf/issue_logic: random lockstep of RTL, twin and oracle for all heuristics; the table of DMaj and DMin step by step.
#include "dwf/issue_logic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "models/issue_logic_majority.h"
#include "models/issue_logic_majority_exact.h"
#include "models/issue_logic_minority.h"
#include "models/issue_logic_minority_exact.h"
#include "models/issue_logic_pc.h"
#include "models/issue_logic_pdom.h"
#include "models/issue_logic_time.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/dwf/issue_oracle.h"

namespace heddle::test {
namespace {

template <class Set>
using IssueTwin = issue_logic<Set::kThreads, Set::kLanes, Set::kSchedW, Set::kTableEntries, Set::kHeuristic, Set::kTableSort>;

// Threads that want to enter at a PC: with a new warp, or into a waiting one.
struct Wish {
  Pc pc;
  unsigned count;
  std::optional<unsigned> join;  // pool index
  unsigned sched = 0;
};

// The issue logic and a pool of warps that keeps to what it says.
template <class Set>
class IssueBench : public Bench<typename Set::Rtl, IssueTwin<Set>> {
 public:
  struct Warp { Pc pc; unsigned sched; unsigned count; };
  using Pool = std::map<unsigned, Warp>;

  explicit IssueBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, IssueTwin<Set>>(seed) { reset(); }

  [[nodiscard]] const Pool& pool() const { return pool_; }
  [[nodiscard]] const IssueOracle& oracle() const { return oracle_; }
  [[nodiscard]] std::optional<unsigned> picked() const { return oracle_.pick(waiting()); }

  void reset() {
    pool_.clear();
    oracle_ = fresh_oracle();
    drive_pool();
    expect({});
    this->reset_cycle();
  }

  struct Result {
    std::optional<unsigned> issued;
    IssueOracle::Hold hold;
  };

  // Warps come and go until the next one gets pool entry `index`.
  void turn_to(unsigned index) {
    while ((last_new_ + 1) % kEntries != index) {
      step(false, Wish{0x8000, 1, {}});
      step(true);
    }
  }

  // Wishes that must not be held enter.
  Result step(bool ready, std::optional<Wish> wish0 = {}, std::optional<Wish> wish1 = {}) {
    Result result;
    const auto pick = picked();
    if (ready) result.issued = pick;
    const auto pc = [](const auto& wish) { return wish ? std::optional(wish->pc) : std::nullopt; };
    result.hold = oracle_.hold(pc(wish0), pc(wish1));
    drive_pool();
    query0_valid_i = wish0.has_value();
    query1_valid_i = wish1.has_value();
    if (wish0) query0_pc_i = wish0->pc;
    if (wish1) query1_pc_i = wish1->pc;

    std::optional<IssueOracle::Leave> leave;
    if (result.issued) {
      const Warp& warp = pool_.at(*result.issued);
      leave = {*result.issued, warp.pc, warp.count};
      issued_idx_i = leave->index;
      issued_pc_i = leave->pc;
      issued_count_i = leave->count;
    }
    issued_valid_i = leave.has_value();
    Pool after = pool_;
    if (leave) after.erase(leave->index);
    const auto enter0 = enter(result.hold.hold0 ? std::nullopt : wish0, after);
    const auto enter1 = enter(result.hold.hold1 ? std::nullopt : wish1, after);
    drive_add(enter0, add0_valid_i, add0_pc_i, add0_count_i, add0_new_i, add0_new_idx_i);
    drive_add(enter1, add1_valid_i, add1_pc_i, add1_count_i, add1_new_i, add1_new_idx_i);
    expect(result.hold);
    oracle_.step(leave, enter0, enter1);
    this->cycle();
    pool_ = after;
    return result;
  }

 private:
  static constexpr unsigned kEntries = Set::kThreads, kIndex = index_width(kEntries), kCount = count_width(kEntries);
  static_assert(kEntries <= 64);
  HEDDLE_INPUT(valid_i, kEntries, 1);
  HEDDLE_INPUT(pc_i, 32, kEntries);
  HEDDLE_INPUT(sched_i, Set::kSchedW, kEntries);
  HEDDLE_OUTPUT(pick_valid_o, 1, 1);
  HEDDLE_OUTPUT(pick_idx_o, kIndex, 1);
  HEDDLE_INPUT(issued_valid_i, 1, 1);
  HEDDLE_INPUT(issued_idx_i, kIndex, 1);
  HEDDLE_INPUT(issued_pc_i, 32, 1);
  HEDDLE_INPUT(issued_count_i, kCount, 1);
  HEDDLE_INPUT(add0_valid_i, 1, 1);
  HEDDLE_INPUT(add0_pc_i, 32, 1);
  HEDDLE_INPUT(add0_count_i, kCount, 1);
  HEDDLE_INPUT(add0_new_i, 1, 1);
  HEDDLE_INPUT(add0_new_idx_i, kIndex, 1);
  HEDDLE_INPUT(add1_valid_i, 1, 1);
  HEDDLE_INPUT(add1_pc_i, 32, 1);
  HEDDLE_INPUT(add1_count_i, kCount, 1);
  HEDDLE_INPUT(add1_new_i, 1, 1);
  HEDDLE_INPUT(add1_new_idx_i, kIndex, 1);
  HEDDLE_INPUT(query0_valid_i, 1, 1);
  HEDDLE_INPUT(query0_pc_i, 32, 1);
  HEDDLE_INPUT(query1_valid_i, 1, 1);
  HEDDLE_INPUT(query1_pc_i, 32, 1);
  HEDDLE_OUTPUT(hold0_o, 1, 1);
  HEDDLE_OUTPUT(hold1_o, 1, 1);
  HEDDLE_OUTPUT(distinct_o, count_width(Set::kTableEntries), 1);

  static IssueOracle fresh_oracle() {
    return IssueOracle(Set::kHeuristic, Set::kTableEntries, Set::kSchedW, Set::kTableSort != 0);
  }

  [[nodiscard]] IssueOracle::Pool waiting() const {
    IssueOracle::Pool waiting;
    for (const auto& [index, warp] : pool_) waiting[index] = {warp.pc, warp.sched};
    return waiting;
  }

  void drive_pool() {
    LaneMask valid = 0;
    for (unsigned i = 0; i < kEntries; ++i) {
      const auto found = pool_.find(i);
      if (found != pool_.end()) valid |= LaneMask{1} << i;
      pc_i.set(i, found != pool_.end() ? found->second.pc : 0);
      sched_i.set(i, found != pool_.end() ? found->second.sched : 0);
    }
    valid_i = valid;
  }

  // Entries of the pool as it was before the cycle stay taken until its end.
  std::optional<IssueOracle::Enter> enter(const std::optional<Wish>& wish, Pool& after) {
    if (!wish) return {};
    IssueOracle::Enter enter{wish->pc, wish->count, {}};
    if (wish->join && after.count(*wish->join) != 0 && after.at(*wish->join).pc == wish->pc) {
      Warp& warp = after.at(*wish->join);
      warp.count += wish->count;
      warp.sched = latest_sched(warp.sched, wish->sched, Set::kSchedW);
    } else {
      unsigned index = (last_new_ + 1) % kEntries;
      while (pool_.count(index) != 0 || after.count(index) != 0) index = (index + 1) % kEntries;
      last_new_ = index;
      enter.new_index = index;
      after[index] = {wish->pc, wish->sched, wish->count};
    }
    return enter;
  }

  static void drive_add(const std::optional<IssueOracle::Enter>& enter, Input& valid, Input& pc, Input& count, Input& fresh,
                        Input& new_idx) {
    valid = enter.has_value();
    if (!enter) return;
    pc = enter->pc;
    count = enter->count;
    fresh = enter->new_index.has_value();
    new_idx = enter->new_index.value_or(0);
  }

  void expect(const IssueOracle::Hold& hold) {
    const auto pick = picked();
    pick_valid_o.expect(pick.has_value());
    pick_idx_o.expect(pick.value_or(0));
    hold0_o.expect(hold.hold0);
    hold1_o.expect(hold.hold1);
    distinct_o.expect(oracle_.distinct());
  }

  Pool pool_;
  unsigned last_new_ = kEntries - 1;
  IssueOracle oracle_ = fresh_oracle();
};

template <class Set>
class IssueRandom : public testing::Test {};
using Sets = testing::Types<models::issue_logic_majority, models::issue_logic_majority_exact, models::issue_logic_minority,
                            models::issue_logic_minority_exact, models::issue_logic_time, models::issue_logic_pdom,
                            models::issue_logic_pc>;
TYPED_TEST_SUITE(IssueRandom, Sets, SetNames);

TYPED_TEST(IssueRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  constexpr bool kCounts = TypeParam::kHeuristic <= kDMin;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    IssueBench<TypeParam> bench(seed);
    constexpr unsigned kPcs = TypeParam::kTableEntries + 2;
    Pc base = 0x100;
    unsigned pace = 70, arrivals = 75;  // in percent
    for (unsigned i = 0; i < 3000; ++i) {
      if (random.below(600) == 0) bench.reset();
      if (random.below(60) == 0) pace = random.between(20, 95);
      if (random.below(60) == 0) arrivals = random.between(5, 90);
      if (random.below(60) == 0) base = random.base(kPcs);
      const auto& pool = bench.pool();
      const auto wish = [&]() -> std::optional<Wish> {
        if (!random.chance(arrivals) || pool.size() + 2 > TypeParam::kThreads) return {};
        Wish w{base + 4 * random.below(kPcs), random.between(1, TypeParam::kLanes), {}, random.below(1u << TypeParam::kSchedW)};
        if (random.chance(10)) w.pc = random.but_for_a_bit(w.pc, 32);
        for (const auto& [index, warp] : pool) {
          if (warp.pc == w.pc && warp.count + w.count <= TypeParam::kLanes && random.chance(50)) w.join = index;
        }
        unsigned threads = w.count * 2;
        for (const auto& [index, warp] : pool) threads += warp.count;
        if (threads > TypeParam::kThreads) return {};
        return w;
      };
      auto wish0 = wish(), wish1 = wish();
      if (wish0 && wish1 && wish0->pc == wish1->pc) wish1.reset();
      const auto pick = bench.picked();
      const bool ready = random.chance(pace);
      if (wish0 && wish0->join == pick) wish0->join.reset();
      if (wish1 && wish1->join == pick) wish1->join.reset();
      const bool last = pick && ready && std::count_if(pool.begin(), pool.end(), [&](const auto& entry) {
                          return entry.second.pc == pool.at(*pick).pc;
                        }) == 1;
      const bool comes_back = last && wish0 && wish0->pc == pool.at(*pick).pc;
      const bool goes_behind = pick && ready && !last && wish1 && !wish1->join && wish1->pc == pool.at(*pick).pc;
      const auto& queue = bench.oracle().queue();
      const bool overtakes = pick && queue.front() != *pick && !std::is_sorted(queue.begin(), queue.end());
      const auto result = bench.step(ready, wish0, wish1);
      met.hit("empty", pool.empty());
      met.hit("issue_beside_two_updates", result.issued && wish0 && wish1);
      met.hit("threads_join", wish0 && wish0->join);
      met.hit("last_threads_of_a_pc_leave_and_others_come", comes_back);
      met.hit("a_warp_goes_behind_those_that_the_oldest_leaves", goes_behind);
      met.hit("not_the_oldest_of_all_and_not_by_index", overtakes || TypeParam::kHeuristic == kDTime);
      if (kCounts) {
        met.hit("hold0", result.hold.hold0);
        met.hit("hold1_only", !result.hold.hold0 && result.hold.hold1 && wish0);
        met.hit("hold0_only", result.hold.hold0 && wish1 && !result.hold.hold1);
        met.hit("table_full", bench.oracle().distinct() == TypeParam::kTableEntries);
      }
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// A full pool of two PCs that differ in one bit, from whichever entry on; the oldest warp has the larger one, the youngest the smaller.
TYPED_TEST(IssueRandom, EveryBitOfAPcDecidesBetweenAnyTwoWarps) {
  constexpr unsigned kThreads = TypeParam::kThreads;
  Random random(1);
  IssueBench<TypeParam> bench;
  for (unsigned bit = 2; bit < 32; ++bit) {
    for (unsigned first = 0; first < kThreads; ++first) {
      const Pc mask = Pc{1} << bit, smaller = (first % 4 < 2 ? 0x5555aaa8u : 0xaaaad554u) & ~mask, larger = smaller | mask;
      bench.turn_to(first);
      bench.step(false, Wish{larger, 1, {}});
      for (unsigned i = 2; i < kThreads; ++i) bench.step(false, Wish{random.chance(50) ? larger : smaller, 1, {}});
      bench.step(false, Wish{smaller, 1, {}});
      while (bench.picked()) bench.step(true);
    }
  }
}

using Majority = models::issue_logic_majority;  // 4 table entries
constexpr Pc kA = 0x100, kB = 0x104, kC = 0x108, kD = 0x10c, kE = 0x110;

TEST(IssueExample, DMajStaysAtItsPcUntilNoWarpIsLeftThere) {
  IssueBench<Majority> issue;
  issue.step(false, Wish{kA, 2, {}}, Wish{kB, 1, {}});   // entries 0, 1
  issue.step(false, Wish{kA, 1, {}}, {});                // entry 2
  EXPECT_EQ(issue.step(true).issued, 0u);                // A: three threads against one
  issue.step(false, Wish{kB, 4, {}}, {});                // entry 3: B has the majority now
  for (unsigned i = 0; i < 3; ++i) issue.step(false);    // and is sorted to the front
  EXPECT_EQ(issue.step(true).issued, 2u);                // but A is not done
  EXPECT_EQ(issue.step(true).issued, 1u);
  EXPECT_EQ(issue.step(true).issued, 3u);
  EXPECT_EQ(issue.step(true).issued, std::nullopt);
}

TEST(IssueExample, DMinTakesTheRarestPcAndTheSmallerOfTwoEquallyRare) {
  IssueBench<models::issue_logic_minority> issue;
  issue.step(false, Wish{kC, 3, {}}, Wish{kB, 1, {}});
  issue.step(false, Wish{kA, 1, {}}, {});
  for (unsigned i = 0; i < 4; ++i) issue.step(false);
  EXPECT_EQ(issue.step(true).issued, 2u);
  EXPECT_EQ(issue.step(true).issued, 1u);
  EXPECT_EQ(issue.step(true).issued, 0u);
}

TEST(IssueExample, WithTheExactChoiceTheMajorityIsPickedAtOnceAndNothingMoves) {
  IssueBench<models::issue_logic_majority_exact> issue;
  issue.step(false, Wish{kA, 1, {}}, Wish{kB, 2, {}});
  EXPECT_EQ(issue.picked(), 1u);
  issue.step(false, Wish{kC, 3, {}}, {});
  EXPECT_EQ(issue.picked(), 2u);
  issue.step(false, Wish{kA, 2, {}}, {});  // A has three, too, and is smaller
  EXPECT_EQ(issue.oracle().rows()[0]->pc, kA);
  EXPECT_EQ(issue.oracle().rows()[1]->pc, kB);
  EXPECT_EQ(issue.step(true).issued, 0u);
  EXPECT_EQ(issue.step(true).issued, 3u);
  EXPECT_EQ(issue.step(true).issued, 2u);
  EXPECT_EQ(issue.step(true).issued, 1u);
}

TEST(IssueExample, TheExactMinorityStaysAtItsPcToo) {
  IssueBench<models::issue_logic_minority_exact> issue;
  issue.step(false, Wish{kA, 3, {}}, Wish{kB, 1, {}});
  issue.step(false, Wish{kB, 1, {}}, {});
  EXPECT_EQ(issue.step(true, Wish{kB, 4, {}}).issued, 1u);
  EXPECT_EQ(issue.step(true).issued, 2u);  // five threads at B, three at A
  EXPECT_EQ(issue.step(true).issued, 3u);
  EXPECT_EQ(issue.step(true).issued, 0u);
}

TEST(IssueExample, AfterResetNoPcIsCurrentNotEvenZero) {
  IssueBench<Majority> majority;
  majority.step(false, Wish{kA, 2, {}}, Wish{0, 1, {}});
  majority.step(false);
  EXPECT_EQ(majority.step(true).issued, 0u);
  IssueBench<models::issue_logic_minority> minority;
  minority.step(false, Wish{kA, 1, {}}, Wish{0, 2, {}});
  minority.step(false);
  EXPECT_EQ(minority.step(true).issued, 0u);
}

TEST(IssueExample, TheTableSortsOneStepACycleEvenPairsFirst) {
  IssueBench<Majority> issue;  // the reset cycle is not counted
  issue.step(false, Wish{kA, 1, {}}, Wish{kB, 2, {}});  // cycle 0 swaps the pair (0, 1) at once
  EXPECT_EQ(issue.oracle().rows()[0]->pc, kB);
  issue.step(false, Wish{kC, 3, {}}, {});               // cycle 1 swaps (1, 2)
  EXPECT_EQ(issue.oracle().rows()[1]->pc, kC);
  EXPECT_EQ(issue.picked(), 1u);                        // B still stands first
  issue.step(false);                                    // cycle 2 swaps (0, 1)
  EXPECT_EQ(issue.picked(), 2u);
}

TEST(IssueExample, AFullTableHoldsANewPcButNotAKnownOne) {
  IssueBench<Majority> issue;
  issue.step(false, Wish{kA, 1, {}}, Wish{kB, 1, {}});
  issue.step(false, Wish{kC, 1, {}}, Wish{kD, 1, {}});
  const auto held = issue.step(false, Wish{kE, 1, {}}, Wish{kA, 1, {}});
  EXPECT_TRUE(held.hold.hold0);
  EXPECT_FALSE(held.hold.hold1);
}

TEST(IssueExample, TheLastFreePositionGoesToUpdateZero) {
  IssueBench<Majority> issue;
  issue.step(false, Wish{kA, 1, {}}, Wish{kB, 1, {}});
  issue.step(false, Wish{kC, 1, {}}, {});
  const auto held = issue.step(false, Wish{kD, 1, {}}, Wish{kE, 1, {}});
  EXPECT_FALSE(held.hold.hold0);
  EXPECT_TRUE(held.hold.hold1);
}

TEST(IssueExample, APositionFreedByAnIssueIsFreeInTheNextCycle) {
  IssueBench<Majority> issue;
  issue.step(false, Wish{kA, 2, {}}, Wish{kB, 1, {}});
  issue.step(false, Wish{kC, 1, {}}, Wish{kD, 1, {}});
  const auto first = issue.step(true, Wish{kE, 1, {}});
  EXPECT_TRUE(first.issued);
  EXPECT_TRUE(first.hold.hold0);
  EXPECT_FALSE(issue.step(false, Wish{kE, 1, {}}).hold.hold0);
}

TEST(IssueExample, DTimeIssuesTheOldestWhateverItsIndex) {
  IssueBench<models::issue_logic_time> issue;
  issue.step(false, Wish{kB, 1, {}}, Wish{kA, 1, {}});  // entries 0, 1
  EXPECT_EQ(issue.step(true).issued, 0u);
  for (unsigned i = 2; i < models::issue_logic_time::kThreads; ++i) issue.step(false, Wish{kC, 1, {}}, {});
  issue.step(false, Wish{kD, 1, {}}, {});  // entry 0 again, the youngest
  EXPECT_EQ(issue.step(true).issued, 1u);
  EXPECT_EQ(issue.step(true).issued, 2u);
}

TEST(IssueExample, ADMajPcThatComesBackIsStillTheCurrentOne) {
  IssueBench<Majority> issue;
  issue.step(false, Wish{kA, 1, {}}, Wish{kB, 3, {}});
  issue.step(false);
  EXPECT_EQ(issue.step(true).issued, 1u);  // B, and it leaves the table
  issue.step(false, Wish{kC, 3, {}}, Wish{kB, 1, {}});
  EXPECT_EQ(issue.step(true).issued, 3u);
  EXPECT_EQ(issue.step(true).issued, 2u);
}

template <class Set>
class IssueAge : public testing::Test {};
TYPED_TEST_SUITE(IssueAge, Sets, SetNames);

TYPED_TEST(IssueAge, AYoungerHalfFormedWarpInALowerEntryDoesNotOvertakeAnOlderFullOne) {
  constexpr unsigned kLast = TypeParam::kThreads - 1;
  IssueBench<TypeParam> issue;
  issue.turn_to(kLast);
  issue.step(false, Wish{kA, TypeParam::kLanes, {}}, {});
  issue.step(false, Wish{kA, 1, {}}, {});
  EXPECT_EQ(issue.step(true, Wish{kA, 1, {}}).issued, kLast);
  EXPECT_EQ(issue.step(true).issued, 0u);
  EXPECT_EQ(issue.step(true).issued, 1u);
}

TYPED_TEST(IssueAge, OfTwoWarpsOfOneCycleThatOfAdditionZeroIsTheOlder) {
  IssueBench<TypeParam> issue;
  issue.step(false, Wish{kA, 1, {}}, {});
  issue.step(false, Wish{kB, 1, {}}, Wish{kA, 1, {}});  // entries 1, 2
  issue.step(false, Wish{kA, 1, {}}, Wish{kB, 1, {}});  // entries 3, 4
  std::map<Pc, std::vector<unsigned>> issued;
  for (unsigned i = 0; i < 5; ++i) {
    const unsigned index = issue.picked().value();
    issued[issue.pool().at(index).pc].push_back(index);
    EXPECT_EQ(issue.step(true).issued, index);
  }
  EXPECT_EQ(issued[kA], (std::vector<unsigned>{0, 2, 3}));
  EXPECT_EQ(issued[kB], (std::vector<unsigned>{1, 4}));
}

TYPED_TEST(IssueAge, AWarpThatIsAddedWhileTheOnlyOneOfItsPcLeavesIsNotForgotten) {
  IssueBench<TypeParam> issue;
  issue.step(false, Wish{kA, 2, {}}, {});
  EXPECT_EQ(issue.step(true, {}, Wish{kA, 1, {}}).issued, 0u);
  EXPECT_EQ(issue.step(true, Wish{kA, 1, {}}, {}).issued, 1u);
  EXPECT_EQ(issue.step(true).issued, 2u);
  EXPECT_EQ(issue.step(true).issued, std::nullopt);
}

TYPED_TEST(IssueAge, AWarpThatIsAddedWhileTheFirstOfTwoLeavesIsBehindTheSecond) {
  IssueBench<TypeParam> issue;
  issue.turn_to(TypeParam::kThreads - 2);
  issue.step(false, Wish{kA, 2, {}}, {});
  issue.step(false, Wish{kA, 2, {}}, {});
  EXPECT_EQ(issue.step(true, Wish{kA, 1, {}}, {}).issued, TypeParam::kThreads - 2);
  EXPECT_EQ(issue.step(true, {}, Wish{kA, 1, {}}).issued, TypeParam::kThreads - 1);
  EXPECT_EQ(issue.step(true).issued, 0u);
  EXPECT_EQ(issue.step(true).issued, 1u);
}

TYPED_TEST(IssueAge, ThreadsThatJoinDoNotMakeAWarpYounger) {
  IssueBench<TypeParam> issue;
  issue.step(false, Wish{kA, 1, {}}, {});
  issue.step(false, Wish{kA, 1, {}}, {});
  issue.step(false, Wish{kA, 2, 0u}, {});
  EXPECT_EQ(issue.step(true, Wish{kA, 1, 1u}, {}).issued, 0u);
  EXPECT_EQ(issue.step(true).issued, 1u);
}

TEST(IssueExample, DPdPriComparesCountsThatHaveWrapped) {
  IssueBench<models::issue_logic_pdom> issue;  // counts modulo 8
  issue.step(false, Wish{kA, 1, {}, 1}, Wish{kB, 1, {}, 7});
  issue.step(false, Wish{kC, 1, {}, 0}, Wish{kD, 1, {}, 6});
  EXPECT_EQ(issue.step(true).issued, 3u);
  EXPECT_EQ(issue.step(true).issued, 1u);
  EXPECT_EQ(issue.step(true).issued, 2u);
  EXPECT_EQ(issue.step(true).issued, 0u);
}

TEST(IssueExample, DPdPriOfTwoCountsHalfATurnApartNeitherIsEarlierSoThatTheLeftOneOfTheTreeIsPicked) {
  IssueBench<models::issue_logic_pdom> issue;
  issue.turn_to(15);
  issue.step(false, Wish{kA, 1, {}, 6}, Wish{kB, 1, {}, 2});  // entries 15, 0
  EXPECT_EQ(issue.step(true).issued, 0u);
  EXPECT_EQ(issue.step(true).issued, 15u);
}

TEST(IssueExample, DPdPriIssuesThoseWithTheFewestPostDominatorsBehindThem) {
  IssueBench<models::issue_logic_pdom> issue;
  issue.step(false, Wish{kA, 1, {}, 3}, Wish{kB, 1, {}, 1});
  issue.step(false, Wish{kC, 1, {}, 1}, {});
  EXPECT_EQ(issue.step(true).issued, 1u);
  EXPECT_EQ(issue.step(true).issued, 2u);
  EXPECT_EQ(issue.step(true).issued, 0u);
}

TEST(IssueExample, DPcIssuesTheSmallestPcAndTheOldestWarpThere) {
  IssueBench<models::issue_logic_pc> issue;
  issue.step(false, Wish{kB, 1, {}}, Wish{kA, 1, {}});
  issue.step(false, Wish{kA, 1, {}}, {});
  EXPECT_EQ(issue.step(true).issued, 1u);
  EXPECT_EQ(issue.step(true).issued, 2u);
  EXPECT_EQ(issue.step(true).issued, 0u);
}

}  // namespace
}  // namespace heddle::test
