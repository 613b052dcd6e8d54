// SPDX-License-Identifier: Apache-2.0
// select/warp_selector: random lockstep of RTL, twin and oracle; the orders of both levels step by step.
#include "select/warp_selector.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/warp_selector_default.h"
#include "models/warp_selector_eight_slots.h"
#include "models/warp_selector_gto.h"
#include "models/warp_selector_one_slot.h"
#include "models/warp_selector_one_slot_gto.h"
#include "models/warp_selector_small.h"
#include "models/warp_selector_three_slots_gto.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/select/selector_oracles.h"

namespace heddle::test {
namespace {

using Grants = std::vector<Grant>;
using Ready = std::vector<std::uint64_t>;
constexpr unsigned kLeft = 0, kRight = 1;

template <class Set>
using Twin = warp_selector<Set::kNumWarps, Set::kNumSlots, Set::kPolicy>;

template <class Set>
class WarpSelectorBench : public Bench<typename Set::Rtl, Twin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps;
  explicit WarpSelectorBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, Twin<Set>>(seed) { reset(); }

  void reset() {
    oracle_ = fresh_oracle();
    expect(std::nullopt);
    this->reset_cycle();
  }

  // Of a slot which warps are ready, a bit each.
  std::optional<Grant> step(Ready ready, std::optional<WarpId> launch = {}) {
    launch_valid_i = launch.has_value();
    launch_warp_i = launch.value_or(idle_warp_++ % kWarps);  // no launch: the number says nothing
    ready.resize(Set::kNumSlots);
    WarpSelectorOracle::Inputs in;
    in.launch = launch;
    for (unsigned slot = 0; slot < Set::kNumSlots; ++slot) {
      in.ready.emplace_back();
      for (WarpId w = 0; w < kWarps; ++w) {
        in.ready[slot].push_back(((ready[slot] >> w) & 1) != 0);
        ready_i.set(slot * kWarps + w, in.ready[slot][w]);
      }
    }
    const auto grant = oracle_.step(in);
    expect(grant);
    this->cycle();
    return grant;
  }
  // The grants of some cycles with the same paths ready.
  Grants run(unsigned cycles, const Ready& ready) {
    Grants grants;
    for (unsigned i = 0; i < cycles; ++i) {
      if (const auto grant = step(ready)) grants.push_back(*grant);
    }
    return grants;
  }

 private:
  HEDDLE_INPUT(launch_valid_i, 1, 1);
  HEDDLE_INPUT(launch_warp_i, index_width(kWarps), 1);
  HEDDLE_INPUT(ready_i, 1, Set::kNumSlots* kWarps);
  HEDDLE_OUTPUT(grant_valid_o, 1, 1);
  HEDDLE_OUTPUT(grant_warp_o, index_width(kWarps), 1);
  HEDDLE_OUTPUT(grant_slot_o, index_width(Set::kNumSlots), 1);
  HEDDLE_OUTPUT(grant_o, 1, Set::kNumSlots* kWarps);

  static WarpSelectorOracle fresh_oracle() {
    return WarpSelectorOracle(kWarps, Set::kNumSlots, static_cast<Policy>(Set::kPolicy));
  }
  void expect(const std::optional<Grant>& grant) {
    grant_valid_o.expect(grant.has_value());
    grant_warp_o.expect(grant ? grant->warp : 0);
    grant_slot_o.expect(grant ? grant->slot : 0);
    for (unsigned slot = 0; slot < Set::kNumSlots; ++slot) {
      for (WarpId w = 0; w < kWarps; ++w) grant_o.expect(slot * kWarps + w, grant == Grant{w, slot});
    }
  }

  WarpSelectorOracle oracle_ = fresh_oracle();
  WarpId idle_warp_ = 0;
};

template <class Set>
class WarpSelectorRandom : public testing::Test {};
using Sets = ParameterSets<models::warp_selector_small, models::warp_selector_gto, models::warp_selector_one_slot,
                           models::warp_selector_one_slot_gto, models::warp_selector_three_slots_gto,
                           models::warp_selector_eight_slots, models::warp_selector_default>;
TYPED_TEST_SUITE(WarpSelectorRandom, Sets, SetNames);

TYPED_TEST(WarpSelectorRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    WarpSelectorBench<TypeParam> bench(seed);
    const std::uint64_t all = lane_mask(TypeParam::kNumWarps);
    Ready ready(TypeParam::kNumSlots);
    ready[0] = all;
    std::optional<Grant> last;
    for (unsigned i = 0; i < 4000; ++i) {
      if (random.below(1000) == 0) {
        bench.reset();
        last.reset();
      }
      // Readiness changes slowly at times, so that a greedy warp has a chance to be greedy.
      for (std::uint64_t& warps : ready) {
        if (random.chance(50)) warps = random.next() & (random.chance(50) ? random.next() : all) & all;
      }
      if (random.chance(5)) ready.assign(TypeParam::kNumSlots, 0);
      std::optional<WarpId> launch;
      if (random.chance(15)) {
        launch = last && random.chance(50) ? last->warp : random.below(TypeParam::kNumWarps);
        for (std::uint64_t& warps : ready) warps &= ~(std::uint64_t{1} << *launch);
      }
      const auto grant = bench.step(ready, launch);
      met.hit("launch_of_the_last_granted", launch && last && *launch == last->warp);
      if (grant && TypeParam::kNumSlots > 1) {
        std::uint64_t every = all;
        for (const std::uint64_t warps : ready) every &= warps;
        met.hit("all_slots_ready", ((every >> grant->warp) & 1) != 0);
        met.hit("last_slot_granted", grant->slot + 1 == TypeParam::kNumSlots);
      }
      if (TypeParam::kPolicy == 1)
        met.hit("greedy", grant && last && grant->warp == last->warp && (ready[0] & (ready[0] - 1)) != 0);
      met.hit("nothing_ready", !grant);
      if (grant) last = grant;
    }
  }
  EXPECT_EQ(met.missing(), "");
}

using Small = models::warp_selector_small;  // 3 warps, round robin
using Gto = models::warp_selector_gto;      // 5 warps

TEST(WarpSelectorExample, BothSlotsReadyAlternateStartingLeft) {
  WarpSelectorBench<Small> selector;
  EXPECT_EQ(selector.run(4, {0b001, 0b001}), (Grants{{0, kLeft}, {0, kRight}, {0, kLeft}, {0, kRight}}));
}

TEST(WarpSelectorExample, ASlotAloneWinsAndTheOtherIsPreferredNextTime) {
  WarpSelectorBench<Small> selector;
  EXPECT_EQ(selector.run(2, {0b001, 0b000}), (Grants{{0, kLeft}, {0, kLeft}}));
  EXPECT_EQ(selector.run(2, {0b001, 0b001}), (Grants{{0, kRight}, {0, kLeft}}));
}

TEST(WarpSelectorExample, RoundRobinVisitsTheWarpsInTurnAndAlternatesInEach) {
  WarpSelectorBench<Small> selector;
  EXPECT_EQ(selector.run(6, {0b111, 0b111}),
            (Grants{{0, kLeft}, {1, kLeft}, {2, kLeft}, {0, kRight}, {1, kRight}, {2, kRight}}));
}

TEST(WarpSelectorExample, LooseRoundRobinSkipsAWarpThatIsNotReady) {
  WarpSelectorBench<Small> selector;
  EXPECT_EQ(selector.run(4, {0b101, 0b000}), (Grants{{0, kLeft}, {2, kLeft}, {0, kLeft}, {2, kLeft}}));
}

TEST(WarpSelectorExample, GreedyStaysOnItsWarpAndThenTakesTheOldest) {
  WarpSelectorBench<Gto> selector;
  for (WarpId w : {3, 1, 4, 0, 2}) selector.step({}, w);  // oldest first
  EXPECT_EQ(selector.run(2, {0b00111}), (Grants{{1, kLeft}, {1, kLeft}}));
  EXPECT_EQ(selector.run(1, {0b01101}), (Grants{{3, kLeft}}));  // 1 stalls: 3 is the oldest
  EXPECT_EQ(selector.run(2, {0b11111}), (Grants{{3, kLeft}, {3, kLeft}}));
  EXPECT_EQ(selector.run(1, {0b10101}), (Grants{{4, kLeft}}));
}

TEST(WarpSelectorExample, ARelaunchedWarpIsTheYoungestAndNoLongerGreedy) {
  WarpSelectorBench<Gto> selector;
  EXPECT_EQ(selector.step({0b00001}), (Grant{0, kLeft}));
  selector.step({}, WarpId{0});
  EXPECT_EQ(selector.run(1, {0b10001}), (Grants{{4, kLeft}}));
}

TEST(WarpSelectorExample, WithoutLevelOneThereIsSlot0) {
  WarpSelectorBench<models::warp_selector_one_slot> selector;
  EXPECT_EQ(selector.run(3, {0b011}), (Grants{{0, 0}, {1, 0}, {0, 0}}));
}

TEST(WarpSelectorExample, SlotsTakeTurnsAndOneThatIsNotReadyIsPassedOver) {
  WarpSelectorBench<models::warp_selector_eight_slots> selector;
  EXPECT_EQ(selector.run(9, Ready(8, 0b01)),
            (Grants{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}, {0, 0}}));
  EXPECT_EQ(selector.run(4, {0, 0, 0b01, 0, 0, 0b01, 0b01, 0}), (Grants{{0, 2}, {0, 5}, {0, 6}, {0, 2}}));
}

TEST(WarpSelectorExample, EachWarpHasItsOwnTurn) {
  WarpSelectorBench<models::warp_selector_eight_slots> selector;
  EXPECT_EQ(selector.run(2, {0, 0b01, 0b01}), (Grants{{0, 1}, {0, 2}}));
  EXPECT_EQ(selector.run(4, Ready(8, 0b11)), (Grants{{1, 0}, {0, 3}, {1, 1}, {0, 4}}));
}

// Three slots: behind the last one the first is next, and no fourth.
TEST(WarpSelectorExample, BehindTheLastSlotComesTheFirst) {
  WarpSelectorBench<models::warp_selector_three_slots_gto> selector;
  EXPECT_EQ(selector.run(7, Ready(3, 0b01)), (Grants{{0, 0}, {0, 1}, {0, 2}, {0, 0}, {0, 1}, {0, 2}, {0, 0}}));
  EXPECT_EQ(selector.run(3, {0, 0b01, 0}), (Grants{{0, 1}, {0, 1}, {0, 1}}));
  EXPECT_EQ(selector.run(2, {0b01, 0b01, 0}), (Grants{{0, 0}, {0, 1}}));
}

}  // namespace
}  // namespace heddle::test
