// SPDX-License-Identifier: Apache-2.0
// common/rr_arbiter: random lockstep of RTL, twin and oracle; the order of grants step by step.
#include "common/rr_arbiter.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "models/rr_arbiter_one.h"
#include "models/rr_arbiter_seven.h"
#include "models/rr_arbiter_wide.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/rr_arbiter_oracle.h"
#include "tests/common/set_names.h"

namespace heddle::test {
namespace {

template <class Set>
class RrArbiterBench : public Bench<typename Set::Rtl, rr_arbiter<Set::kNumReq>> {
 public:
  explicit RrArbiterBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, rr_arbiter<Set::kNumReq>>(seed) {
    reset();
  }

  void reset() {
    oracle_ = RrArbiterOracle(Set::kNumReq);
    expect(std::nullopt);
    this->reset_cycle();
  }

  // One cycle; the grant.
  std::optional<unsigned> step(bool enable, std::uint64_t requests) {
    enable_i = enable;
    req_i = requests;
    std::vector<bool> wants;
    for (unsigned i = 0; i < Set::kNumReq; ++i) wants.push_back(((requests >> i) & 1) != 0);
    const auto grant = oracle_.step(enable, wants);
    expect(grant);
    this->cycle();
    return grant;
  }

 private:
  HEDDLE_INPUT(enable_i, 1, 1);
  HEDDLE_INPUT(req_i, Set::kNumReq, 1);
  HEDDLE_OUTPUT(grant_valid_o, 1, 1);
  HEDDLE_OUTPUT(grant_idx_o, index_width(Set::kNumReq), 1);
  HEDDLE_OUTPUT(grant_o, 1, Set::kNumReq);

  void expect(std::optional<unsigned> grant) {
    grant_valid_o.expect(grant.has_value());
    grant_idx_o.expect(grant.value_or(0));
    for (unsigned i = 0; i < Set::kNumReq; ++i) grant_o.expect(i, grant == i);
  }

  RrArbiterOracle oracle_{Set::kNumReq};
};

template <class Set>
class RrArbiterRandom : public testing::Test {};
using Sets = testing::Types<models::rr_arbiter_one, models::rr_arbiter_seven, models::rr_arbiter_wide>;
TYPED_TEST_SUITE(RrArbiterRandom, Sets, SetNames);

TYPED_TEST(RrArbiterRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  for (std::uint64_t seed = 1; seed <= seeds(3); ++seed) {
    Random random(seed);
    RrArbiterBench<TypeParam> bench(seed);
    for (unsigned i = 0; i < 4000; ++i) {
      if (random.below(500) == 0) bench.reset();
      const std::uint64_t few = random.next() & random.next() & random.next();
      bench.step(random.chance(80), (random.chance(50) ? few : random.lanes(64)) & lane_mask(TypeParam::kNumReq));
    }
  }
}

using Seven = models::rr_arbiter_seven;

TEST(RrArbiterExample, EveryRequesterIsServedOnceInATurn) {
  RrArbiterBench<Seven> arbiter;
  for (unsigned turn = 0; turn < 2; ++turn) {
    for (unsigned i = 0; i < 7; ++i) EXPECT_EQ(arbiter.step(true, 0x7f), i);
  }
}

TEST(RrArbiterExample, TheTurnWrapsAtACountThatIsNoPowerOfTwo) {
  RrArbiterBench<Seven> arbiter;
  EXPECT_EQ(arbiter.step(true, 0b1000000), 6u);
  EXPECT_EQ(arbiter.step(true, 0b1000010), 1u);
}

TEST(RrArbiterExample, ADisabledCycleDoesNotPassTheTurn) {
  RrArbiterBench<Seven> arbiter;
  EXPECT_EQ(arbiter.step(true, 0b11), 0u);
  EXPECT_EQ(arbiter.step(false, 0b11), std::nullopt);
  EXPECT_EQ(arbiter.step(true, 0b11), 1u);
}

}  // namespace
}  // namespace heddle::test
