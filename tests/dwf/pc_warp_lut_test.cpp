// SPDX-License-Identifier: Apache-2.0
// dwf/pc_warp_lut: random lockstep of RTL, twin and oracle; two lookups and an invalidation that meet in one set.
#include "dwf/pc_warp_lut.h"

#include <gtest/gtest.h>

#include <list>
#include <optional>
#include <vector>

#include "models/pc_warp_lut_direct.h"
#include "models/pc_warp_lut_four.h"
#include "models/pc_warp_lut_small.h"
#include "models/pc_warp_lut_unaware.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"

namespace heddle::test {
namespace {

// A list of entries a set, most recently used first.
class LutOracle {
 public:
  struct Entry {
    Pc pc;
    LaneMask occ;
    unsigned idx;
  };
  struct Lookup {
    Pc pc;
    LaneMask req;
    unsigned new_idx;
  };
  struct Answer {
    bool hit = false;
    unsigned idx = 0;
    LaneMask occ = 0;
    bool alias = false;
  };

  LutOracle(unsigned lanes, unsigned entries, unsigned ways, bool aware)
      : lanes_(lanes),
        ways_(ways),
        aware_(aware),
        sets_(entries / ways) {}

  void invalidate(unsigned idx) {
    for (auto& set : sets_) set.remove_if([&](const Entry& e) { return e.idx == idx; });
  }

  Answer look_up(const Lookup& in) {
    auto& set = sets_.at(in.pc / 4 % sets_.size());
    Answer answer;
    Entry entry{in.pc, 0, in.new_idx};
    for (const Entry& e : set) {
      if (e.pc == in.pc) {
        answer = {true, e.idx, e.occ, false};
        entry = e;
      }
    }
    set.remove_if([&](const Entry& e) { return e.pc == in.pc; });
    if (set.size() == ways_) {
      answer.alias = true;
      set.pop_back();
    }
    // Thread by thread: a lane of the warp being formed, else one of a new warp.
    LaneMask fresh = 0;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      if (((in.req >> lane) & 1) == 0) continue;
      const LaneMask joined = LaneMask{1} << place(entry.occ, lane);
      if ((joined & ~entry.occ & lane_mask(lanes_)) != 0) {
        entry.occ |= joined;
      } else {
        fresh |= LaneMask{1} << place(fresh, lane);
      }
    }
    if (fresh != 0) entry = {in.pc, fresh, in.new_idx};
    set.push_front(entry);
    return answer;
  }

  [[nodiscard]] bool uses(unsigned idx) const {
    for (const auto& set : sets_) {
      for (const Entry& e : set) {
        if (e.idx == idx) return true;
      }
    }
    return false;
  }

 private:
  [[nodiscard]] unsigned place(LaneMask occ, unsigned lane) const {
    unsigned free = 0;
    while (((occ >> free) & 1) != 0) ++free;
    return aware_ ? lane : free;
  }

  unsigned lanes_, ways_;
  bool aware_;
  std::vector<std::list<Entry>> sets_;
};

template <class Set>
using LutTwin = pc_warp_lut<Set::kLanes, Set::kThreads, Set::kLutEntries, Set::kLutWays, Set::kLaneAware>;

template <class Set>
class LutBench : public Bench<typename Set::Rtl, LutTwin<Set>> {
 public:
  using Lookup = LutOracle::Lookup;
  using Answer = LutOracle::Answer;

  explicit LutBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, LutTwin<Set>>(seed) { reset(); }

  [[nodiscard]] const LutOracle& oracle() const { return oracle_; }

  void reset() {
    oracle_ = fresh_oracle();
    expect({}, {});
    this->reset_cycle();
  }

  std::pair<Answer, Answer> step(std::optional<unsigned> invalidate, std::optional<Lookup> lookup0,
                                 std::optional<Lookup> lookup1) {
    invalidate_valid_i = invalidate.has_value();
    invalidate_idx_i = invalidate.value_or(0);
    lookup0_valid_i = lookup0.has_value();
    lookup1_valid_i = lookup1.has_value();
    if (lookup0) {
      lookup0_pc_i = lookup0->pc;
      lookup0_req_i = lookup0->req;
      lookup0_new_idx_i = lookup0->new_idx;
    }
    if (lookup1) {
      lookup1_pc_i = lookup1->pc;
      lookup1_req_i = lookup1->req;
      lookup1_new_idx_i = lookup1->new_idx;
    }
    if (invalidate) oracle_.invalidate(*invalidate);
    const Answer answer0 = lookup0 ? oracle_.look_up(*lookup0) : Answer{};
    const Answer answer1 = lookup1 ? oracle_.look_up(*lookup1) : Answer{};
    expect(answer0, answer1);
    this->cycle();
    return {answer0, answer1};
  }
  Answer look_up(Pc pc, LaneMask req, unsigned new_idx) { return step({}, Lookup{pc, req, new_idx}, {}).first; }

 private:
  static constexpr unsigned kIndex = index_width(Set::kThreads);
  HEDDLE_INPUT(invalidate_valid_i, 1, 1);
  HEDDLE_INPUT(invalidate_idx_i, kIndex, 1);
  HEDDLE_INPUT(lookup0_valid_i, 1, 1);
  HEDDLE_INPUT(lookup0_pc_i, 32, 1);
  HEDDLE_INPUT(lookup0_req_i, Set::kLanes, 1);
  HEDDLE_INPUT(lookup0_new_idx_i, kIndex, 1);
  HEDDLE_INPUT(lookup1_valid_i, 1, 1);
  HEDDLE_INPUT(lookup1_pc_i, 32, 1);
  HEDDLE_INPUT(lookup1_req_i, Set::kLanes, 1);
  HEDDLE_INPUT(lookup1_new_idx_i, kIndex, 1);
  HEDDLE_OUTPUT(hit0_o, 1, 1);
  HEDDLE_OUTPUT(idx0_o, kIndex, 1);
  HEDDLE_OUTPUT(occ0_o, Set::kLanes, 1);
  HEDDLE_OUTPUT(alias0_o, 1, 1);
  HEDDLE_OUTPUT(hit1_o, 1, 1);
  HEDDLE_OUTPUT(idx1_o, kIndex, 1);
  HEDDLE_OUTPUT(occ1_o, Set::kLanes, 1);
  HEDDLE_OUTPUT(alias1_o, 1, 1);

  static LutOracle fresh_oracle() {
    return LutOracle(Set::kLanes, Set::kLutEntries, Set::kLutWays, Set::kLaneAware != 0);
  }

  void expect(const Answer& answer0, const Answer& answer1) {
    hit0_o.expect(answer0.hit);
    idx0_o.expect(answer0.idx);
    occ0_o.expect(answer0.occ);
    alias0_o.expect(answer0.alias);
    hit1_o.expect(answer1.hit);
    idx1_o.expect(answer1.idx);
    occ1_o.expect(answer1.occ);
    alias1_o.expect(answer1.alias);
  }

  LutOracle oracle_ = fresh_oracle();
};

template <class Set>
class LutRandom : public testing::Test {};
using Sets = testing::Types<models::pc_warp_lut_small, models::pc_warp_lut_direct, models::pc_warp_lut_four,
                            models::pc_warp_lut_unaware>;
TYPED_TEST_SUITE(LutRandom, Sets, SetNames);

TYPED_TEST(LutRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  Coverage met;
  constexpr unsigned kSets = TypeParam::kLutEntries / TypeParam::kLutWays;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    LutBench<TypeParam> bench(seed);
    constexpr unsigned kPcs = TypeParam::kLutEntries * 3 / 2;
    Pc base = 0x100;
    const auto set_of = [](Pc pc) { return pc / 4 % kSets; };
    for (unsigned i = 0; i < 3000; ++i) {
      if (random.below(500) == 0) bench.reset();
      if (random.below(60) == 0) base = random.base(kPcs);
      std::optional<unsigned> invalidate;
      if (random.chance(40)) invalidate = random.below(TypeParam::kThreads);
      std::vector<unsigned> unused;
      for (unsigned idx = 0; idx < TypeParam::kThreads; ++idx) {
        if (!bench.oracle().uses(idx) && idx != invalidate) unused.push_back(idx);
      }
      const auto pc = [&] {
        const Pc usual = base + 4 * random.below(kPcs);
        return random.chance(10) ? random.but_for_a_bit(usual, 32) : usual;
      };
      const std::size_t any = random.below(static_cast<std::uint32_t>(unused.size()));
      std::optional<LutOracle::Lookup> lookup0, lookup1;
      if (random.chance(80)) lookup0 = {pc(), random.some_lanes(TypeParam::kLanes), unused.at(any)};
      if (random.chance(60))
        lookup1 = {pc(), random.some_lanes(TypeParam::kLanes), unused.at((any + 1) % unused.size())};
      if (lookup0 && lookup1 && lookup0->pc == lookup1->pc) lookup1->pc += 4 * random.between(1, 2) * kSets;
      const auto [answer0, answer1] = bench.step(invalidate, lookup0, lookup1);
      const bool one_set = lookup0 && lookup1 && set_of(lookup0->pc) == set_of(lookup1->pc);
      met.hit("hit", answer0.hit && !answer1.hit);
      met.hit("two_hits", answer0.hit && answer1.hit);
      met.hit("alias", answer0.alias);
      met.hit("both_miss_in_one_set", one_set && !answer0.hit && !answer1.hit);
      met.hit("two_aliases_in_one_set", one_set && answer0.alias && answer1.alias);
      met.hit("conflict", answer1.hit && (answer1.occ & lookup1->req) != 0);
      met.hit("hit_beside_invalidation", answer0.hit && invalidate);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

using Small = models::pc_warp_lut_small;    // 4 lanes, 2 sets of 2 ways
using Direct = models::pc_warp_lut_direct;  // 4 sets of 1 way

constexpr Pc kA = 0x100, kB = 0x108, kC = 0x110, kD = 0x118;  // one set of the small table

TEST(LutExample, AHitGivesTheWarpBeingFormedAndTheLanesItHad) {
  LutBench<Small> lut;
  EXPECT_FALSE(lut.look_up(kA, 0b0011, 7).hit);
  const auto answer = lut.look_up(kA, 0b0100, 8);
  EXPECT_TRUE(answer.hit);
  EXPECT_EQ(answer.idx, 7u);
  EXPECT_EQ(answer.occ, 0b0011u);
  EXPECT_EQ(lut.look_up(kA, 0b1000, 9).occ, 0b0111u);
}

TEST(LutExample, AConflictMovesTheEntryToTheNewWarpWithTheConflictingLanes) {
  LutBench<Small> lut;
  lut.look_up(kA, 0b0011, 7);
  EXPECT_EQ(lut.look_up(kA, 0b0110, 8).idx, 7u);
  const auto answer = lut.look_up(kA, 0b1000, 9);
  EXPECT_EQ(answer.idx, 8u);
  EXPECT_EQ(answer.occ, 0b0010u);
}

TEST(LutExample, ALookupInTheCycleOfTheInvalidationMisses) {
  LutBench<Small> lut;
  lut.look_up(kA, 0b0011, 7);
  EXPECT_FALSE(lut.step(7, LutOracle::Lookup{kA, 0b0100, 8}, {}).first.hit);
  EXPECT_EQ(lut.look_up(kA, 0b1000, 9).idx, 8u);
}

TEST(LutExample, LookupOneSeesTheTableAsLookupZeroLeftIt) {
  LutBench<Direct> lut;
  lut.look_up(0x100, 0b0001, 1);
  // Lookup 0 replaces the entry that lookup 1 asks for.
  const auto [answer0, answer1] =
      lut.step({}, LutOracle::Lookup{0x110, 0b0001, 2}, LutOracle::Lookup{0x100, 0b0010, 3});
  EXPECT_TRUE(answer0.alias);
  EXPECT_FALSE(answer1.hit);
  EXPECT_TRUE(answer1.alias);
  EXPECT_EQ(lut.look_up(0x100, 0b0100, 4).idx, 3u);
}

TEST(LutExample, TwoMissesInOneFullSetReplaceBothWays) {
  LutBench<Small> lut;
  lut.look_up(kA, 0b0001, 1);
  lut.look_up(kB, 0b0001, 2);
  const auto [answer0, answer1] = lut.step({}, LutOracle::Lookup{kC, 0b0001, 3}, LutOracle::Lookup{kD, 0b0001, 4});
  EXPECT_TRUE(answer0.alias);
  EXPECT_TRUE(answer1.alias);
  EXPECT_EQ(lut.look_up(kC, 0b0010, 5).idx, 3u);
  EXPECT_EQ(lut.look_up(kD, 0b0010, 6).idx, 4u);
}

TEST(LutExample, TheLeastRecentlyUsedWayIsReplacedAndAHitCountsAsUse) {
  LutBench<Small> lut;
  lut.look_up(kA, 0b0001, 1);
  lut.look_up(kB, 0b0001, 2);
  lut.look_up(kA, 0b0010, 3);
  EXPECT_TRUE(lut.look_up(kC, 0b0001, 4).alias);
  EXPECT_TRUE(lut.look_up(kA, 0b0100, 5).hit);
  EXPECT_FALSE(lut.look_up(kB, 0b0100, 6).hit);
}

TEST(LutExample, AnInvalidWayIsTakenBeforeAValidOneIsReplaced) {
  LutBench<Small> lut;
  lut.look_up(kA, 0b0001, 1);
  lut.look_up(kB, 0b0001, 2);
  lut.step(2, {}, {});
  EXPECT_FALSE(lut.look_up(kC, 0b0001, 3).alias);
  EXPECT_TRUE(lut.look_up(kA, 0b0010, 4).hit);
}

TEST(LutExample, LaneUnawareGroupsFillTheFreeLanesInOrder) {
  LutBench<models::pc_warp_lut_unaware> lut;  // 5 lanes
  lut.look_up(kA, 0b10100, 1);
  EXPECT_EQ(lut.look_up(kA, 0b10000, 2).occ, 0b00011u);
  EXPECT_EQ(lut.look_up(kA, 0b10111, 3).occ, 0b00111u);  // two of the four find a lane, two begin warp 3
  const auto answer = lut.look_up(kA, 0b00001, 4);
  EXPECT_EQ(answer.idx, 3u);
  EXPECT_EQ(answer.occ, 0b00011u);
}

TEST(LutMistake, ANewWarpInThePoolEntryOfOneThatIsStillFormed) {
  LutBench<Small> lut;
  lut.look_up(kA, 0b0001, 1);
  EXPECT_THROW(lut.look_up(kB, 0b0001, 1), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
