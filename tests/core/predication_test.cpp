// SPDX-License-Identifier: Apache-2.0
// core/predication: random lockstep of RTL, twin and oracle; the contract sentence by sentence.
#include "core/predication.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/predication_default.h"
#include "models/predication_five_slots.h"
#include "models/predication_one_slot.h"
#include "models/predication_one_warp.h"
#include "models/predication_small.h"
#include "models/predication_wide.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/core/predication_oracle.h"

namespace heddle::test {
namespace {

template <class Set>
using Twin = predication<Set::kNumWarps, Set::kNumSlots, Set::kLanes>;
using Path = PredicationOracle::Path;
using Start = PredicationOracle::Start;

template <class Set>
class PredicationBench : public Bench<typename Set::Rtl, Twin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps;
  using Inputs = PredicationOracle::Inputs;

  explicit PredicationBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, Twin<Set>>(seed) { reset(); }

  [[nodiscard]] const PredicationOracle& oracle() const { return oracle_; }

  void reset() {
    oracle_ = PredicationOracle(kWarps, Set::kNumSlots);
    expect({{}, {}, false});
    this->reset_cycle();
  }

  void step(const Inputs& in) {
    start_valid_i = in.start.has_value();
    if (in.start) {
      start_warp_i = in.start->path.warp;
      start_slot_i = in.start->path.slot;
      start_mask_i = in.start->off;
      start_count_i = in.start->instructions;
    }
    for (unsigned path = 0; path < kWarps * Set::kNumSlots; ++path) {
      take_i.set(path, in.take && path == (Set::kNumSlots == 1 ? 0 : in.issue.slot) * kWarps + in.issue.warp);
    }
    kill_valid_i = in.kill.has_value();
    kill_warp_i = in.kill.value_or(0);
    expect(in);
    oracle_.step(in);
    this->cycle();
  }
  void start(const Path& path, LaneMask off, unsigned instructions) {
    step({Start{path, off, instructions}, path, false});
  }
  // Who is off for it.
  LaneMask take(const Path& path) {
    step({{}, path, true});
    return off_mask_o.get();
  }
  // The pins in a cycle without events.
  LaneMask idle() {
    step({});
    return off_mask_o.get();
  }
  bool active(WarpId warp) {
    step({});
    return active_o.get(warp) != 0;
  }
  unsigned count(WarpId warp) {
    step({});
    return static_cast<unsigned>(count_o.get(warp));
  }
  unsigned slot(WarpId warp) {
    step({});
    return static_cast<unsigned>(slot_o.get(warp));
  }

 private:
  static constexpr unsigned kWarpWidth = index_width(kWarps), kSlotWidth = index_width(Set::kNumSlots);
  HEDDLE_INPUT(start_valid_i, 1, 1);
  HEDDLE_INPUT(start_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(start_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(start_mask_i, Set::kLanes, 1);
  HEDDLE_INPUT(start_count_i, 4, 1);
  HEDDLE_INPUT(take_i, 1, kWarps* Set::kNumSlots);
  HEDDLE_INPUT(kill_valid_i, 1, 1);
  HEDDLE_INPUT(kill_warp_i, kWarpWidth, 1);
  HEDDLE_OUTPUT(off_mask_o, Set::kLanes, 1);
  HEDDLE_OUTPUT(active_o, 1, kWarps);
  HEDDLE_OUTPUT(slot_o, kSlotWidth, kWarps);
  HEDDLE_OUTPUT(count_o, 4, kWarps);

  void expect(const Inputs& in) {
    off_mask_o.expect(in.take ? oracle_.off(in.issue) : 0);
    for (WarpId w = 0; w < kWarps; ++w) {
      active_o.expect(w, oracle_.active(w));
      slot_o.expect(w, oracle_.slot(w));
      count_o.expect(w, oracle_.count(w));
    }
  }

  PredicationOracle oracle_{kWarps, Set::kNumSlots};
};

// ---- random lockstep

template <class Set>
class PredicationRandom : public testing::Test {};
using Sets = ParameterSets<models::predication_small, models::predication_one_slot, models::predication_one_warp,
                           models::predication_five_slots, models::predication_wide, models::predication_default>;
TYPED_TEST_SUITE(PredicationRandom, Sets, SetNames);

TYPED_TEST(PredicationRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  constexpr unsigned kWarps = TypeParam::kNumWarps, kSlots = TypeParam::kNumSlots;
  constexpr unsigned kSaid = kSlots == 1 ? 2 : kSlots;  // slots that the pins name
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    PredicationBench<TypeParam> bench(seed);
    unsigned all_active = 0;
    for (unsigned i = 0; i < 4000; ++i) {
      if (random.below(1000) == 0) bench.reset();
      std::vector<WarpId> active, idle;
      for (WarpId w = 0; w < kWarps; ++w) (bench.oracle().active(w) ? active : idle).push_back(w);
      if (idle.empty()) ++all_active;

      PredicationOracle::Inputs in;
      // With one slot the slot inputs are anything.
      in.issue = {random.below(kWarps), random.below(kSaid)};
      if (!active.empty() && random.chance(70)) {
        const WarpId w = random.pick(active);
        in.issue = {w, random.chance(80) ? bench.oracle().slot(w) : random.below(kSaid)};
      }
      in.take = random.chance(60);
      if (!idle.empty() && random.chance(40)) {
        in.start =
            Start{{random.pick(idle), random.below(kSaid)}, random.some_lanes(TypeParam::kLanes), random.between(1, 8)};
        if (random.chance(30)) in.start->path.warp = in.issue.warp;
        // Whoever starts a region has an unresolved branch: this path does not issue, and no region of the warp is
        // active.
        const bool same_path = kSlots == 1 || in.start->path.slot == in.issue.slot;
        if (in.take && in.start->path.warp == in.issue.warp && same_path) in.take = false;
        if (bench.oracle().active(in.start->path.warp)) in.start.reset();
      }

      if (random.chance(3)) in.kill = random.below(kWarps);
      if (in.start && random.chance(5)) in.kill = in.start->path.warp;
      if (in.take && random.chance(5)) in.kill = in.issue.warp;

      const bool inside = bench.oracle().inside(in.issue), counted = in.take && inside;
      met.hit("kill_of_a_region", in.kill && bench.oracle().active(*in.kill));
      met.hit("kill_without_a_region", in.kill && !bench.oracle().active(*in.kill) && !in.start);
      met.hit("kill_with_start", in.start && in.kill == in.start->path.warp);
      met.hit("kill_with_take", counted && in.kill == in.issue.warp);
      met.hit("region_of_1", in.start && in.start->instructions == 1);
      met.hit("region_of_8", in.start && in.start->instructions == 8);
      met.hit("last_take", counted && bench.oracle().count(in.issue.warp) == 1);
      met.hit("nobody_issues_beside_a_region", !active.empty() && !in.take);
      met.hit("take_outside_of_a_region", in.take && !bench.oracle().active(in.issue.warp));
      if (kSlots > 1) {
        met.hit("take_of_the_other_slot", in.take && !inside && bench.oracle().active(in.issue.warp));
        met.hit("start_beside_take", in.start && in.take && in.start->path.warp == in.issue.warp);
      }
      if (kWarps > 1) met.hit("start_beside_take_of_another_warp", in.start && counted);
      bench.step(in);
    }
    if (kWarps < 24) met.hit("all_warps_in_regions", all_active != 0);
  }
  EXPECT_EQ(met.missing(), "");
}

// ---- directed

using Small = models::predication_small;       // 3 warps, 2 slots, 5 lanes
using OneSlot = models::predication_one_slot;  // 5 warps, 8 lanes

TEST(PredicationExample, ARegionLastsForAsManyTakesAsItHasInstructions) {
  PredicationBench<Small> regions;
  regions.start({1, 0}, 0b00110, 3);
  EXPECT_TRUE(regions.active(1));
  EXPECT_EQ(regions.count(1), 3u);
  regions.take({1, 0});
  EXPECT_EQ(regions.count(1), 2u);
  regions.take({1, 0});
  EXPECT_TRUE(regions.active(1));
  regions.take({1, 0});
  EXPECT_FALSE(regions.active(1));
  EXPECT_EQ(regions.count(1), 0u);
}

TEST(PredicationExample, TheThreadsOfTheStartAreOffUntilTheLastTake) {
  PredicationBench<Small> regions;
  const Path path{2, 1};
  EXPECT_EQ(regions.take(path), 0u);
  regions.start(path, 0b10010, 2);
  EXPECT_EQ(regions.take(path), 0b10010u);
  EXPECT_EQ(regions.take(path), 0b10010u);
  EXPECT_EQ(regions.take(path), 0u);
}

TEST(PredicationExample, AStartShowsInTheNextCycle) {
  PredicationBench<Small> regions;
  regions.start({0, 0}, 0b1, 1);  // the bench compares with no region in this cycle
  EXPECT_EQ(regions.take({0, 0}), 0b1u);
}

TEST(PredicationExample, NobodyIsOffWithoutATake) {
  PredicationBench<Small> regions;
  regions.start({0, 1}, 0b101, 1);
  EXPECT_EQ(regions.idle(), 0u);
  EXPECT_EQ(regions.take({0, 1}), 0b101u);
}

TEST(PredicationExample, ARegionHasUpToEightInstructions) {
  PredicationBench<Small> regions;
  regions.start({0, 0}, 0b1, 8);
  for (unsigned left = 8; left > 0; --left) {
    EXPECT_EQ(regions.count(0), left);
    regions.take({0, 0});
  }
  EXPECT_FALSE(regions.active(0));
}

TEST(PredicationExample, ATakeOfTheOtherSlotDoesNotCount) {
  PredicationBench<Small> regions;
  regions.start({0, 1}, 0b11, 2);
  EXPECT_EQ(regions.take({0, 0}), 0u);
  EXPECT_EQ(regions.take({0, 0}), 0u);
  EXPECT_EQ(regions.count(0), 2u);
  EXPECT_EQ(regions.take({0, 1}), 0b11u);
}

TEST(PredicationExample, EachWarpHasItsOwnRegion) {
  PredicationBench<Small> regions;
  regions.start({0, 0}, 0b00001, 1);
  regions.start({1, 1}, 0b00010, 2);
  regions.start({2, 0}, 0b00100, 3);
  EXPECT_EQ(regions.take({0, 0}), 0b00001u);
  EXPECT_FALSE(regions.active(0));
  EXPECT_EQ(regions.count(1), 2u);
  EXPECT_EQ(regions.count(2), 3u);
  EXPECT_EQ(regions.take({1, 1}), 0b00010u);
  EXPECT_EQ(regions.take({2, 0}), 0b00100u);
  EXPECT_EQ(regions.count(1), 1u);
  EXPECT_EQ(regions.count(2), 2u);
}

TEST(PredicationExample, ANewRegionHasThreadsSlotAndLengthOfItsOwn) {
  PredicationBench<Small> regions;
  regions.start({1, 1}, 0b11111, 1);
  regions.take({1, 1});
  regions.start({1, 0}, 0b01000, 4);
  EXPECT_EQ(regions.slot(1), 0u);
  EXPECT_EQ(regions.count(1), 4u);
  EXPECT_EQ(regions.take({1, 1}), 0u);
  EXPECT_EQ(regions.take({1, 0}), 0b01000u);
}

TEST(PredicationExample, TheSlotStaysWhenTheRegionIsOver) {
  PredicationBench<Small> regions;
  regions.start({1, 1}, 0b1, 1);
  EXPECT_EQ(regions.slot(1), 1u);
  regions.take({1, 1});
  EXPECT_EQ(regions.slot(1), 1u);
}

TEST(PredicationExample, AResetEndsAllRegions) {
  PredicationBench<Small> regions;
  regions.start({1, 1}, 0b1, 5);
  regions.reset();
  EXPECT_FALSE(regions.active(1));
  EXPECT_EQ(regions.slot(1), 0u);
}

TEST(PredicationExample, WithOneSlotTheSlotInputsAreIgnored) {
  PredicationBench<OneSlot> regions;
  regions.start({4, 1}, 0b1000001, 2);
  EXPECT_EQ(regions.slot(4), 0u);
  EXPECT_EQ(regions.take({4, 0}), 0b1000001u);
  EXPECT_EQ(regions.take({4, 1}), 0b1000001u);
  EXPECT_FALSE(regions.active(4));
}

TEST(PredicationOrder, AStartBesideATakeOfTheOtherSlotIsNotCounted) {
  PredicationBench<Small> regions;
  regions.step({Start{{0, 1}, 0b110, 3}, Path{0, 0}, true});
  EXPECT_EQ(regions.count(0), 3u);
  EXPECT_EQ(regions.take({0, 1}), 0b110u);
}

TEST(PredicationOrder, AStartBesideATakeOfAnotherWarpActsOnBoth) {
  PredicationBench<Small> regions;
  regions.start({0, 0}, 0b1, 2);
  regions.step({Start{{1, 0}, 0b10, 2}, Path{0, 0}, true});
  EXPECT_EQ(regions.count(0), 1u);
  EXPECT_EQ(regions.count(1), 2u);
}

// ---- mistakes of the caller are asserted by the RTL

TEST(PredicationOrder, AKillWinsOverStartAndTake) {
  PredicationBench<Small> regions;
  regions.start({0, 0}, 0b1, 2);
  regions.step({{}, Path{0, 0}, true, WarpId{0}});
  EXPECT_FALSE(regions.active(0));
  regions.step({Start{{1, 0}, 0b1, 2}, Path{0, 0}, false, WarpId{1}});
  EXPECT_FALSE(regions.active(1));
  regions.start({1, 1}, 0b1, 1);
  EXPECT_EQ(regions.take({1, 1}), 0b1u);
}

TEST(PredicationMistake, AStartBesideATakeOfThePath) {
  PredicationBench<Small> regions;
  EXPECT_THROW(regions.step({Start{{0, 1}, 0b1, 1}, Path{0, 1}, true}), RtlAssertion);
}

TEST(PredicationMistake, AStartBesideATakeOfTheWarpWithOneSlot) {
  PredicationBench<OneSlot> regions;
  EXPECT_THROW(regions.step({Start{{0, 1}, 0b1, 1}, Path{0, 0}, true}), RtlAssertion);
}

TEST(PredicationMistake, ARegionWithoutInstructions) {
  PredicationBench<Small> regions;
  EXPECT_THROW(regions.start({0, 0}, 0b1, 0), RtlAssertion);
}

TEST(PredicationMistake, ARegionOfMoreThanEightInstructions) {
  PredicationBench<Small> regions;
  EXPECT_THROW(regions.start({0, 0}, 0b1, 9), RtlAssertion);
}

TEST(PredicationMistake, ARegionWithNobodyOff) {
  PredicationBench<Small> regions;
  EXPECT_THROW(regions.start({0, 0}, 0, 1), RtlAssertion);
}

TEST(PredicationMistake, ASecondRegionInAWarp) {
  PredicationBench<Small> regions;
  regions.start({0, 0}, 0b1, 1);
  EXPECT_THROW(regions.start({0, 1}, 0b10, 1), RtlAssertion);
}

TEST(PredicationMistake, ASecondRegionBesideTheLastTakeOfTheFirst) {
  PredicationBench<Small> regions;
  regions.start({0, 0}, 0b1, 1);
  EXPECT_THROW(regions.step({Start{{0, 1}, 0b10, 1}, Path{0, 0}, true}), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
