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
using IssueTwin =
    issue_logic<Set::kThreads, Set::kLanes, Set::kSchedW, Set::kTableEntries, Set::kHeuristic, Set::kTableSort>;

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
  struct Warp {
    Pc pc;
    unsigned count;
  };
  using Pool = std::map<unsigned, Warp>;  // warps that wait or are picked, by index

  explicit IssueBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, IssueTwin<Set>>(seed) { reset(); }

  [[nodiscard]] const Pool& pool() const { return pool_; }
  [[nodiscard]] const IssueOracle& oracle() const { return oracle_; }
  [[nodiscard]] std::optional<unsigned> picked() const {
    return oracle_.picked() ? std::optional(oracle_.picked()->index) : std::nullopt;
  }

  void reset() {
    pool_.clear();
    left_ = 0;
    oracle_ = fresh_oracle();
    expect({});
    this->reset_cycle();
  }

  struct Result {
    std::optional<unsigned> issued;
    IssueOracle::Hold hold;
  };

  // Warps come and go until the next one gets pool entry `index`, and nothing is left of them.
  void turn_to(unsigned index) {
    while ((last_new_ + 1) % kEntries != index) {
      step(false, Wish{0x8000, 1, {}});
      step(true);
    }
    step(false);
  }

  // Wishes that must not be held enter.
  Result step(bool ready, std::optional<Wish> wish0 = {}, std::optional<Wish> wish1 = {}) {
    Result result;
    if (ready) result.issued = picked();
    const auto pc = [](const auto& wish) { return wish ? std::optional(wish->pc) : std::nullopt; };
    result.hold = oracle_.hold(pc(wish0), pc(wish1));
    issue_i = result.issued.has_value();
    left_count_i = left_;
    update0_valid_i = wish0.has_value();
    update1_valid_i = wish1.has_value();
    if (wish0) update0_pc_i = wish0->pc;
    if (wish1) update1_pc_i = wish1->pc;

    Pool after = pool_;
    const unsigned left = left_;
    if (result.issued) {
      left_ = pool_.at(*result.issued).count;
      after.erase(*result.issued);
    }
    const auto enter0 = enter(result.hold.hold0 ? std::nullopt : wish0, after);
    const auto enter1 = enter(result.hold.hold1 ? std::nullopt : wish1, after);
    drive_add(enter0, add0_count_i, add0_sched_i, add0_new_i, add0_new_idx_i, add0_join_i, add0_join_idx_i);
    drive_add(enter1, add1_count_i, add1_sched_i, add1_new_i, add1_new_idx_i, add1_join_i, add1_join_idx_i);
    expect(result.hold);
    oracle_.step(result.issued.has_value(), left, enter0, enter1);
    this->cycle();
    pool_ = after;
    return result;
  }

 private:
  static constexpr unsigned kEntries = Set::kThreads, kIndex = index_width(kEntries), kCount = count_width(Set::kLanes);
  HEDDLE_OUTPUT(pick_valid_o, 1, 1);
  HEDDLE_OUTPUT(pick_idx_o, kIndex, 1);
  HEDDLE_OUTPUT(pick_sched_o, Set::kSchedW, 1);
  HEDDLE_INPUT(issue_i, 1, 1);
  HEDDLE_INPUT(left_count_i, kCount, 1);
  HEDDLE_INPUT(update0_valid_i, 1, 1);
  HEDDLE_INPUT(update0_pc_i, 32, 1);
  HEDDLE_INPUT(update1_valid_i, 1, 1);
  HEDDLE_INPUT(update1_pc_i, 32, 1);
  HEDDLE_OUTPUT(hold0_o, 1, 1);
  HEDDLE_OUTPUT(hold1_o, 1, 1);
  HEDDLE_INPUT(add0_count_i, kCount, 1);
  HEDDLE_INPUT(add0_sched_i, Set::kSchedW, 1);
  HEDDLE_INPUT(add0_new_i, 1, 1);
  HEDDLE_INPUT(add0_new_idx_i, kIndex, 1);
  HEDDLE_INPUT(add0_join_i, 1, 1);
  HEDDLE_INPUT(add0_join_idx_i, kIndex, 1);
  HEDDLE_INPUT(add1_count_i, kCount, 1);
  HEDDLE_INPUT(add1_sched_i, Set::kSchedW, 1);
  HEDDLE_INPUT(add1_new_i, 1, 1);
  HEDDLE_INPUT(add1_new_idx_i, kIndex, 1);
  HEDDLE_INPUT(add1_join_i, 1, 1);
  HEDDLE_INPUT(add1_join_idx_i, kIndex, 1);
  HEDDLE_OUTPUT(distinct_o, count_width(Set::kTableEntries), 1);

  static IssueOracle fresh_oracle() {
    return IssueOracle(Set::kHeuristic, Set::kTableEntries, Set::kSchedW, Set::kTableSort != 0);
  }

  // Entries of the pool as it was before the cycle stay taken until its end.
  std::optional<IssueOracle::Enter> enter(const std::optional<Wish>& wish, Pool& after) {
    if (!wish) return {};
    IssueOracle::Enter enter{wish->pc, wish->count, wish->sched, {}, {}};
    if (wish->join && after.count(*wish->join) != 0 && after.at(*wish->join).pc == wish->pc) {
      after.at(*wish->join).count += wish->count;
      enter.join_index = wish->join;
    } else {
      unsigned index = (last_new_ + 1) % kEntries;
      while (pool_.count(index) != 0 || after.count(index) != 0) index = (index + 1) % kEntries;
      last_new_ = index;
      enter.new_index = index;
      after[index] = {wish->pc, wish->count};
    }
    return enter;
  }

  // What an update would do that is held or is none, is noise.
  static void drive_add(const std::optional<IssueOracle::Enter>& enter, Input& count, Input& sched, Input& fresh,
                        Input& new_idx, Input& join, Input& join_idx) {
    if (!enter) return;
    count = enter->count;
    sched = enter->sched;
    fresh = enter->new_index.has_value();
    new_idx = enter->new_index.value_or(0);
    join = enter->join_index.has_value();
    join_idx = enter->join_index.value_or(0);
  }

  void expect(const IssueOracle::Hold& hold) {
    const auto& pick = oracle_.picked();
    pick_valid_o.expect(pick.has_value());
    pick_idx_o.expect(pick ? pick->index : 0);
    pick_sched_o.expect(pick && Set::kHeuristic == kDPdPri ? pick->sched : 0);
    hold0_o.expect(hold.hold0);
    hold1_o.expect(hold.hold1);
    distinct_o.expect(oracle_.distinct());
  }

  Pool pool_;
  unsigned left_ = 0;  // threads of the warp that issued last
  unsigned last_new_ = kEntries - 1;
  IssueOracle oracle_ = fresh_oracle();
};

template <class Set>
class IssueRandom : public testing::Test {};
using Sets = testing::Types<models::issue_logic_majority, models::issue_logic_majority_exact,
                            models::issue_logic_minority, models::issue_logic_minority_exact, models::issue_logic_time,
                            models::issue_logic_pdom, models::issue_logic_pc>;
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
    constexpr Pc kNone = 1;
    Pc left_last = kNone;  // the PC whose last warp issued in the cycle before
    for (unsigned i = 0; i < 3000; ++i) {
      if (random.below(600) == 0) {
        bench.reset();
        left_last = kNone;
      }
      if (random.below(60) == 0) pace = random.between(20, 95);
      if (random.below(60) == 0) arrivals = random.between(5, 90);
      if (random.below(60) == 0) base = random.base(kPcs);
      const auto& pool = bench.pool();
      const auto wish = [&]() -> std::optional<Wish> {
        if (!random.chance(arrivals) || pool.size() + 2 > TypeParam::kThreads) return {};
        Wish w{base + 4 * random.below(kPcs),
               random.between(1, TypeParam::kLanes),
               {},
               random.below(1u << TypeParam::kSchedW)};
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
      // The warp that issues has no LUT entry any more.
      if (ready && wish0 && wish0->join == pick) wish0->join.reset();
      if (ready && wish1 && wish1->join == pick) wish1->join.reset();
      const auto& queue = bench.oracle().queue();
      const auto waits_at = [&](Pc pc) {
        return std::count_if(queue.begin(), queue.end(), [&](const auto& warp) { return warp.pc == pc; });
      };
      const bool last = pick && waits_at(pool.at(*pick).pc) == 0;
      const bool comes_back = wish0 && wish0->pc == left_last;
      const bool into_picked = pick && !ready && wish0 && wish0->join == pick;
      const auto oldest =
          std::min_element(queue.begin(), queue.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
      const bool not_by_index = !queue.empty() && oldest != queue.begin();
      const bool alone =
          queue.size() == 1 && wish1 && !wish1->join && wish1->pc == queue.front().pc && (ready || !pick);
      left_last = ready && last ? pool.at(*pick).pc : kNone;
      const bool none_waits = queue.empty() && (ready || !pick);
      const auto result = bench.step(ready, wish0, wish1);
      const bool new0 = wish0 && !wish0->join && !result.hold.hold0, new1 = wish1 && !wish1->join && !result.hold.hold1;
      met.hit("empty", pool.empty());
      met.hit("issue_beside_two_updates", result.issued && wish0 && wish1);
      met.hit("threads_join", wish0 && wish0->join);
      met.hit("threads_join_the_warp_that_is_picked", into_picked);
      met.hit("straight_from_an_empty_pool", none_waits && !pick && new0);
      met.hit("straight_as_the_only_warp_leaves", none_waits && result.issued && new0 && !new1);
      met.hit("straight_from_update_1", none_waits && !new0 && new1);
      met.hit("straight_and_the_other_one_waits", none_waits && new0 && new1);
      met.hit("last_threads_of_a_pc_left_and_others_come", comes_back);
      met.hit("a_warp_comes_while_the_only_one_of_its_pc_is_picked", alone);
      met.hit("not_in_order_of_indices", not_by_index);
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

// A full pool of two PCs that differ in one bit, from whichever entry on, but for a warp that is picked meanwhile; the
// oldest has the larger one, the youngest the smaller.
TYPED_TEST(IssueRandom, EveryBitOfAPcDecidesBetweenAnyTwoWarps) {
  constexpr unsigned kThreads = TypeParam::kThreads;
  Random random(1);
  IssueBench<TypeParam> bench;
  for (unsigned bit = 2; bit < 32; ++bit) {
    for (unsigned first = 0; first < kThreads; ++first) {
      const Pc mask = Pc{1} << bit, smaller = (first % 4 < 2 ? 0x5555aaa8u : 0xaaaad554u) & ~mask,
               larger = smaller | mask;
      bench.turn_to(first);
      bench.step(false, Wish{0x8000, 1, {}});
      bench.step(false, Wish{larger, 1, {}});
      for (unsigned i = 3; i < kThreads; ++i) bench.step(false, Wish{random.chance(50) ? larger : smaller, 1, {}});
      bench.step(false, Wish{smaller, 1, {}});
      while (bench.picked()) bench.step(true);
    }
  }
}

using Majority = models::issue_logic_majority;  // 4 table entries
constexpr Pc kA = 0x100, kB = 0x104, kC = 0x108, kD = 0x10c, kE = 0x110;

TEST(IssueExample, DMajStaysAtItsPcUntilNoWarpIsLeftThere) {
  IssueBench<Majority> issue;
  issue.step(false, Wish{kA, 2, {}}, Wish{kB, 1, {}});  // entries 0, 1
  issue.step(false, Wish{kA, 1, {}}, {});               // entry 2
  EXPECT_EQ(issue.step(true).issued, 0u);               // A: three threads against one
  issue.step(false, Wish{kB, 4, {}}, {});               // entry 3: B has the majority now
  for (unsigned i = 0; i < 3; ++i) issue.step(false);   // and is sorted to the front
  EXPECT_EQ(issue.step(true).issued, 2u);               // but A is not done
  EXPECT_EQ(issue.step(true).issued, 1u);
  EXPECT_EQ(issue.step(true).issued, 3u);
  EXPECT_EQ(issue.step(true).issued, std::nullopt);
}

TEST(IssueExample, DMinTakesTheRarestPcAndTheSmallerOfTwoEquallyRare) {
  IssueBench<models::issue_logic_minority> issue;
  issue.step(false, Wish{kD, 1, {}});  // is picked, and stays so
  issue.step(false, Wish{kC, 3, {}}, Wish{kB, 1, {}});
  issue.step(false, Wish{kA, 1, {}}, {});
  for (unsigned i = 0; i < 6; ++i) issue.step(false);
  EXPECT_EQ(issue.step(true).issued, 0u);
  EXPECT_EQ(issue.step(true).issued, 3u);
  EXPECT_EQ(issue.step(true).issued, 2u);
  EXPECT_EQ(issue.step(true).issued, 1u);
}

TEST(IssueExample, WithTheExactChoiceTheMajorityIsPickedAtOnceAndNothingMoves) {
  IssueBench<models::issue_logic_majority_exact> issue;
  issue.step(false, Wish{kD, 1, {}});  // is picked, and stays so
  issue.step(false, Wish{kA, 1, {}}, Wish{kB, 2, {}});
  issue.step(false, Wish{kC, 3, {}}, {});
  issue.step(false, Wish{kA, 2, {}}, {});  // A has three, too, and is smaller
  EXPECT_EQ(issue.oracle().rows()[1]->pc, kA);
  EXPECT_EQ(issue.oracle().rows()[2]->pc, kB);
  EXPECT_EQ(issue.step(true).issued, 0u);
  EXPECT_EQ(issue.step(true).issued, 1u);
  EXPECT_EQ(issue.step(true).issued, 4u);
  EXPECT_EQ(issue.step(true).issued, 3u);
  EXPECT_EQ(issue.step(true).issued, 2u);
}

TEST(IssueExample, DMinLeavesItsPcForOneThatIsRarer) {
  IssueBench<models::issue_logic_minority_exact> issue;
  issue.step(false, Wish{kD, 1, {}});  // is picked, and stays so
  issue.step(false, Wish{kA, 3, {}}, Wish{kB, 1, {}});
  issue.step(false, Wish{kB, 1, {}}, {});
  EXPECT_EQ(issue.step(true, Wish{kB, 4, {}}).issued, 0u);
  EXPECT_EQ(issue.step(true).issued, 2u);  // two threads at B when it was picked
  EXPECT_EQ(issue.step(true).issued, 1u);  // five threads at B, three at A
  EXPECT_EQ(issue.step(true).issued, 3u);
  EXPECT_EQ(issue.step(true).issued, 4u);
}

TEST(IssueExample, TheTableSortsOneStepACycleEvenPairsFirstAndComparesWhatTheCycleBeforeLeft) {
  IssueBench<Majority> issue;                           // the reset cycle is not counted
  issue.step(false, Wish{kA, 1, {}}, Wish{kB, 2, {}});  // cycle 0 finds an empty table
  EXPECT_EQ(issue.oracle().rows()[0]->pc, kA);
  issue.step(false, Wish{kC, 3, {}}, {});  // cycle 1 compares positions 1 and 2
  issue.step(false);                       // cycle 2 swaps (0, 1)
  EXPECT_EQ(issue.oracle().rows()[0]->pc, kB);
  EXPECT_EQ(issue.step(true).issued, 0u);  // cycle 3 swaps (1, 2)
  EXPECT_EQ(issue.oracle().rows()[1]->pc, kC);
  EXPECT_EQ(issue.picked(), 1u);  // B still stood first
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

TEST(IssueExample, ThePositionOfAPcIsFreeInTheSecondCycleAfterItsLastWarpIssues) {
  IssueBench<Majority> issue;
  issue.step(false, Wish{kA, 2, {}}, Wish{kB, 1, {}});
  issue.step(false, Wish{kC, 1, {}}, Wish{kD, 1, {}});
  const auto first = issue.step(true, Wish{kE, 1, {}});
  EXPECT_TRUE(first.issued);
  EXPECT_TRUE(first.hold.hold0);
  EXPECT_TRUE(issue.step(false, Wish{kE, 1, {}}).hold.hold0);
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

TEST(IssueExample, ThePcOfAWarpThatGoesStraightIsTheOneWhereDMajStays) {
  IssueBench<Majority> issue;
  issue.step(false, Wish{kA, 1, {}}, Wish{kB, 4, {}});  // entry 0 goes straight
  issue.step(false, Wish{kA, 1, {}}, {});
  for (unsigned i = 0; i < 3; ++i) issue.step(false);  // B is sorted to the front
  EXPECT_EQ(issue.step(true).issued, 0u);
  EXPECT_EQ(issue.step(true).issued, 2u);
  EXPECT_EQ(issue.step(true).issued, 1u);
}

template <class Set>
class IssueAge : public testing::Test {};
TYPED_TEST_SUITE(IssueAge, Sets, SetNames);

TYPED_TEST(IssueAge, ANewWarpIsPickedAtOnceIfNoneWaitsOfTwoThatOfUpdateZero) {
  IssueBench<TypeParam> issue;
  issue.step(false, {}, Wish{kC, 1, {}});
  EXPECT_EQ(issue.picked(), 0u);
  EXPECT_EQ(issue.step(true, Wish{kD, 1, {}}, Wish{kB, 1, {}}).issued, 0u);
  EXPECT_EQ(issue.picked(), 1u);
  EXPECT_EQ(issue.step(true, Wish{kA, 1, {}}).issued, 1u);
  EXPECT_EQ(issue.picked(), 2u);  // it waited
  EXPECT_EQ(issue.step(true).issued, 2u);
  EXPECT_EQ(issue.step(true, Wish{kC, 1, {}}).issued, 3u);
  EXPECT_EQ(issue.step(true).issued, 4u);
  EXPECT_EQ(issue.step(true).issued, std::nullopt);
}

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

TYPED_TEST(IssueAge, AWarpThatIsAddedWhileTheOnlyOneOfItsPcIsPickedOrLeavesIsNotForgotten) {
  IssueBench<TypeParam> issue;
  issue.step(false, Wish{kA, 2, {}}, {});
  issue.step(false, {}, Wish{kA, 1, {}});
  EXPECT_EQ(issue.step(true, Wish{kA, 1, {}}, {}).issued, 0u);  // 1 is picked, 2 waits
  EXPECT_EQ(issue.step(true, {}, Wish{kA, 1, {}}).issued, 1u);  // 2 is picked, 3 waits
  EXPECT_EQ(issue.step(true).issued, 2u);
  EXPECT_EQ(issue.step(true, Wish{kA, 1, {}}, {}).issued, 3u);
  EXPECT_EQ(issue.step(true).issued, 4u);
  EXPECT_EQ(issue.step(true).issued, std::nullopt);
}

TYPED_TEST(IssueAge, AWarpThatIsAddedWhileTheFirstOfThoseThatWaitIsPickedIsBehindTheOthers) {
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
  issue.step(false, Wish{kE, 1, {}, 0});       // is picked, and stays so
  issue.step(false, Wish{kA, 1, {}, 1}, Wish{kB, 1, {}, 7});
  issue.step(false, Wish{kC, 1, {}, 0}, Wish{kD, 1, {}, 6});
  EXPECT_EQ(issue.step(true).issued, 0u);
  EXPECT_EQ(issue.step(true).issued, 4u);
  EXPECT_EQ(issue.step(true).issued, 2u);
  EXPECT_EQ(issue.step(true).issued, 3u);
  EXPECT_EQ(issue.step(true).issued, 1u);
}

TEST(IssueExample, DPdPriOfTwoCountsHalfATurnApartNeitherIsEarlierSoThatTheOlderWarpIsPicked) {
  IssueBench<models::issue_logic_pdom> issue;
  issue.step(false, Wish{kE, 1, {}, 0});
  issue.step(false, Wish{kA, 1, {}, 6}, Wish{kB, 1, {}, 2});
  EXPECT_EQ(issue.step(true).issued, 0u);
  EXPECT_EQ(issue.step(true).issued, 1u);
  EXPECT_EQ(issue.step(true).issued, 2u);
}

TEST(IssueExample, DPdPriMovesAWarpThatIsJoinedByLaterThreadsOnePlaceACycle) {
  IssueBench<models::issue_logic_pdom> issue;
  issue.step(false, Wish{kE, 1, {}, 0});
  issue.step(false, Wish{kA, 1, {}, 1}, Wish{kB, 1, {}, 2});
  issue.step(false, Wish{kC, 1, {}, 2}, {});
  issue.step(false, Wish{kA, 1, 1u, 3}, {});
  EXPECT_EQ(issue.oracle().queue().front().index, 1u);  // the threads of this cycle move nothing
  issue.step(false);                                    // cycle 4: A behind B
  EXPECT_EQ(issue.oracle().queue().front().index, 2u);
  issue.step(false);  // cycle 5: A behind C
  for (const unsigned index : {0u, 2u, 3u, 1u}) EXPECT_EQ(issue.step(true).issued, index);
}

TEST(IssueExample, DPdPriThreadsThatJoinGiveTheLaterPriorityAlsoToTheWarpThatIsPicked) {
  IssueBench<models::issue_logic_pdom> issue;
  issue.step(false, Wish{kE, 1, {}, 3});
  EXPECT_EQ(issue.oracle().picked()->sched, 3u);
  issue.step(false, Wish{kA, 1, {}, 7});
  issue.step(true, Wish{kA, 1, 1u, 0}, {});  // is picked at this edge
  EXPECT_EQ(issue.oracle().picked()->sched, 0u);
  issue.step(false, Wish{kA, 1, 1u, 6}, {});  // earlier
  issue.step(false, Wish{kA, 1, 1u, 1}, {});  // later
  EXPECT_EQ(issue.oracle().picked()->sched, 1u);
  issue.step(true);
}

TEST(IssueExample, DPdPriIssuesThoseWithTheFewestPostDominatorsBehindThem) {
  IssueBench<models::issue_logic_pdom> issue;
  issue.step(false, Wish{kD, 1, {}, 0});  // is picked, and stays so
  issue.step(false, Wish{kA, 1, {}, 3}, Wish{kB, 1, {}, 1});
  issue.step(false, Wish{kC, 1, {}, 1}, {});
  for (const unsigned index : {0u, 2u, 3u, 1u}) EXPECT_EQ(issue.step(true).issued, index);
}

TEST(IssueExample, DPcIssuesTheSmallestPcAndTheOldestWarpThere) {
  IssueBench<models::issue_logic_pc> issue;
  issue.step(false, Wish{kC, 1, {}});  // is picked, and stays so
  issue.step(false, Wish{kB, 1, {}}, Wish{kA, 1, {}});
  issue.step(false, Wish{kA, 1, {}}, {});
  for (const unsigned index : {0u, 2u, 3u, 1u}) EXPECT_EQ(issue.step(true).issued, index);
}

}  // namespace
}  // namespace heddle::test
