// SPDX-License-Identifier: Apache-2.0
// select/constrained_selector: random lockstep of RTL, twin and oracle; the rules of switching step by step.
#include "select/constrained_selector.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/constrained_selector_default.h"
#include "models/constrained_selector_gto.h"
#include "models/constrained_selector_small.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/select/selector_oracles.h"

namespace heddle::test {
namespace {

constexpr unsigned kLeft = 0, kRight = 1;

// One bit a warp.
struct Paths {
  std::uint64_t ready_l = 0, ready_r = 0, valid_l = 0, valid_r = 0, long_l = 0, long_r = 0;
};

template <class Set>
class ConstrainedSelectorBench : public Bench<typename Set::Rtl, constrained_selector<Set::kNumWarps, Set::kPolicy>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps;
  using Miss = ConstrainedSelectorOracle::Miss;

  explicit ConstrainedSelectorBench(std::uint64_t seed = 0)
      : Bench<typename Set::Rtl, constrained_selector<Set::kNumWarps, Set::kPolicy>>(seed) {
    reset();
  }

  [[nodiscard]] const ConstrainedSelectorOracle& oracle() const { return oracle_; }

  void reset() {
    oracle_ = fresh_oracle();
    expect(std::nullopt);
    this->reset_cycle();
  }

  std::optional<Grant> step(const Paths& paths, std::optional<Miss> miss = {}, std::optional<WarpId> launch = {}) {
    launch_valid_i = launch.has_value();
    launch_warp_i = launch.value_or(idle_warp_++ % kWarps);  // no launch: the number says nothing
    ready_l_i = paths.ready_l;
    ready_r_i = paths.ready_r;
    valid_l_i = paths.valid_l;
    valid_r_i = paths.valid_r;
    long_l_i = paths.long_l;
    long_r_i = paths.long_r;
    miss_valid_i = miss.has_value();
    miss_warp_i = miss ? miss->warp : idle_warp_ % kWarps;
    miss_slot_i = miss ? miss->slot : idle_warp_ % 2;
    ConstrainedSelectorOracle::Inputs in;
    in.launch = launch;
    in.miss = miss;
    for (WarpId w = 0; w < kWarps; ++w) {
      const auto bit = [&](std::uint64_t word) { return ((word >> w) & 1) != 0; };
      in.ready[kLeft].push_back(bit(paths.ready_l));
      in.ready[kRight].push_back(bit(paths.ready_r));
      in.valid[kLeft].push_back(bit(paths.valid_l));
      in.valid[kRight].push_back(bit(paths.valid_r));
      in.long_latency[kLeft].push_back(bit(paths.long_l));
      in.long_latency[kRight].push_back(bit(paths.long_r));
    }
    const auto grant = oracle_.step(in);
    expect(grant);
    this->cycle();
    return grant;
  }

 private:
  HEDDLE_INPUT(launch_valid_i, 1, 1);
  HEDDLE_INPUT(launch_warp_i, index_width(kWarps), 1);
  HEDDLE_INPUT(ready_l_i, kWarps, 1);
  HEDDLE_INPUT(ready_r_i, kWarps, 1);
  HEDDLE_INPUT(valid_l_i, kWarps, 1);
  HEDDLE_INPUT(valid_r_i, kWarps, 1);
  HEDDLE_INPUT(long_l_i, kWarps, 1);
  HEDDLE_INPUT(long_r_i, kWarps, 1);
  HEDDLE_INPUT(miss_valid_i, 1, 1);
  HEDDLE_INPUT(miss_warp_i, index_width(kWarps), 1);
  HEDDLE_INPUT(miss_slot_i, 1, 1);
  HEDDLE_OUTPUT(grant_valid_o, 1, 1);
  HEDDLE_OUTPUT(grant_warp_o, index_width(kWarps), 1);
  HEDDLE_OUTPUT(grant_slot_o, 1, 1);
  HEDDLE_OUTPUT(grant_o, 1, 2 * kWarps);

  static ConstrainedSelectorOracle fresh_oracle() {
    return ConstrainedSelectorOracle(kWarps, static_cast<Policy>(Set::kPolicy));
  }
  void expect(const std::optional<Grant>& grant) {
    grant_valid_o.expect(grant.has_value());
    grant_warp_o.expect(grant ? grant->warp : 0);
    grant_slot_o.expect(grant ? grant->slot : 0);
    for (unsigned slot = 0; slot < 2; ++slot) {
      for (WarpId w = 0; w < kWarps; ++w) grant_o.expect(slot * kWarps + w, grant == Grant{w, slot});
    }
  }

  ConstrainedSelectorOracle oracle_ = fresh_oracle();
  WarpId idle_warp_ = 0;
};

template <class Set>
class ConstrainedSelectorRandom : public testing::Test {};
using Sets = ParameterSets<models::constrained_selector_small, models::constrained_selector_gto,
                           models::constrained_selector_default>;
TYPED_TEST_SUITE(ConstrainedSelectorRandom, Sets, SetNames);

TYPED_TEST(ConstrainedSelectorRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    ConstrainedSelectorBench<TypeParam> bench(seed);
    const std::uint64_t all = lane_mask(TypeParam::kNumWarps);
    Paths paths;
    for (unsigned i = 0; i < 4000; ++i) {
      if (random.below(1000) == 0) bench.reset();
      if (random.chance(40)) paths.valid_l = (random.next() | random.next()) & all;
      if (random.chance(40)) paths.valid_r = (random.next() | random.next()) & all;
      std::optional<WarpId> launch;
      if (random.chance(15)) {
        launch = random.below(TypeParam::kNumWarps);
        // A warp that is launched has no path yet, or (random corner) still has a right one.
        paths.valid_l &= ~(std::uint64_t{1} << *launch);
      }
      paths.ready_l = paths.valid_l & random.next();
      paths.ready_r = paths.valid_r & random.next();
      if (launch) paths.ready_r &= ~(std::uint64_t{1} << *launch);
      paths.long_l = random.next() & all;
      paths.long_r = random.next() & all;
      std::optional<ConstrainedSelectorOracle::Miss> miss;
      if (random.chance(30)) miss = {random.below(TypeParam::kNumWarps), random.below(2)};
      const unsigned missed_current = miss ? bench.oracle().current(miss->warp) : 0;
      const unsigned launched_current = launch ? bench.oracle().current(*launch) : 0;
      const auto grant = bench.step(paths, miss, launch);
      met.hit("miss_of_the_current_path", miss && miss->slot == missed_current);
      met.hit("miss_of_the_other_path", miss && miss->slot != missed_current);
      met.hit("launch_of_a_warp_on_its_right_path", launch && launched_current == kRight);
      met.hit("launch_wins_over_a_switch", launch && launched_current == kLeft && (paths.valid_r >> *launch & 1) != 0);
      met.hit("switch_by_long_instruction", grant && bench.oracle().current(grant->warp) != grant->slot);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

using Small = models::constrained_selector_small;  // 3 warps, round robin

TEST(ConstrainedSelectorExample, OnlyTheCurrentPathCompetes) {
  ConstrainedSelectorBench<Small> selector;
  const Paths both{0b001, 0b001, 0b001, 0b001, 0, 0};
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(selector.step(both), (Grant{0, kLeft}));
  EXPECT_EQ(selector.step({0, 0b001, 0b001, 0b001, 0, 0}), std::nullopt);
}

TEST(ConstrainedSelectorExample, ASpecialFunctionInstructionSwitchesAfterItIssued) {
  ConstrainedSelectorBench<Small> selector;
  // Long but not granted: no switch.
  EXPECT_EQ(selector.step({0, 0b001, 0b001, 0b001, 0b001, 0}), std::nullopt);
  EXPECT_EQ(selector.step({0b001, 0b001, 0b001, 0b001, 0b001, 0}), (Grant{0, kLeft}));
  EXPECT_EQ(selector.step({0b001, 0b001, 0b001, 0b001, 0, 0}), (Grant{0, kRight}));
}

TEST(ConstrainedSelectorExample, AMissSwitchesAndSwitchesBackOnlyForTheCurrentPath) {
  ConstrainedSelectorBench<Small> selector;
  const Paths both{0b001, 0b001, 0b001, 0b001, 0, 0};
  using Miss = ConstrainedSelectorOracle::Miss;
  EXPECT_EQ(selector.step(both, Miss{0, kRight}), (Grant{0, kLeft}));
  EXPECT_EQ(selector.step(both, Miss{0, kLeft}), (Grant{0, kLeft}));
  EXPECT_EQ(selector.step(both), (Grant{0, kRight}));
  EXPECT_EQ(selector.step(both, Miss{0, kRight}), (Grant{0, kRight}));
  EXPECT_EQ(selector.step(both), (Grant{0, kLeft}));
}

TEST(ConstrainedSelectorExample, AnEmptyPathHandsOverInTheNextCycle) {
  ConstrainedSelectorBench<Small> selector;
  const Paths right_only{0, 0b001, 0, 0b001, 0, 0};
  EXPECT_EQ(selector.step(right_only), std::nullopt);
  EXPECT_EQ(selector.step(right_only), (Grant{0, kRight}));
}

TEST(ConstrainedSelectorExample, WithoutAnotherPathThereIsNoSwitch) {
  ConstrainedSelectorBench<Small> selector;
  const Paths left_only{0b001, 0, 0b001, 0, 0b001, 0};
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(selector.step(left_only, ConstrainedSelectorOracle::Miss{0, kLeft}), (Grant{0, kLeft}));
  }
}

TEST(ConstrainedSelectorExample, ALaunchStartsOnTheLeft) {
  ConstrainedSelectorBench<Small> selector;
  selector.step({0, 0, 0, 0b001, 0, 0});
  EXPECT_EQ(selector.oracle().current(0), kRight);
  selector.step({}, {}, WarpId{0});
  EXPECT_EQ(selector.step({0b001, 0b001, 0b001, 0b001, 0, 0}), (Grant{0, kLeft}));
}

TEST(ConstrainedSelectorExample, WarpsTakeTurns) {
  ConstrainedSelectorBench<Small> selector;
  const Paths all{0b111, 0, 0b111, 0, 0, 0};
  for (WarpId w : {0, 1, 2, 0}) EXPECT_EQ(selector.step(all), (Grant{w, kLeft}));
}

}  // namespace
}  // namespace heddle::test
