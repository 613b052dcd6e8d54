// SPDX-License-Identifier: Apache-2.0
// stack/settled_choice: random lockstep of RTL, twin and oracle; resolutions beside warps that wait, and kills of both.
#include "stack/settled_choice.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "models/settled_choice_default.h"
#include "models/settled_choice_one.h"
#include "models/settled_choice_small.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"

namespace heddle::test {
namespace {

using Warp = std::optional<unsigned>;

// Who is settled in a cycle, and by what.
struct Settled {
  Warp resolves, served;
};

template <class Set>
class SettledBench : public Bench<typename Set::Rtl, settled_choice<Set::kNumWarps>> {
 public:
  explicit SettledBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, settled_choice<Set::kNumWarps>>(seed) {
    reset();
  }

  void reset() {
    settled_ = Settled();
    last_ = 0;
    expect({}, {});
    this->reset_cycle();
  }

  // A cycle in which these warps wait, one resolves and one is killed. Who is settled in the next.
  Settled step(const std::set<unsigned>& waits, Warp resolves = {}, Warp killed = {}) {
    set_inputs(waits, resolves, killed);
    Warp waiter;
    for (const unsigned warp : waits) {
      if (!waiter && settled_.resolves != warp && settled_.served != warp && killed != warp) waiter = warp;
    }
    const Warp next = resolves ? resolves : waiter;
    expect(waiter, next);
    this->cycle();
    settled_.resolves = resolves == killed ? Warp() : resolves;
    settled_.served = resolves ? Warp() : waiter;
    last_ = next.value_or(last_);
    return settled_;
  }
  [[nodiscard]] Settled settled() const { return settled_; }

 private:
  HEDDLE_INPUT(kill_valid_i, 1, 1);
  HEDDLE_INPUT(kill_warp_i, index_width(Set::kNumWarps), 1);
  HEDDLE_INPUT(resolve_valid_i, 1, 1);
  HEDDLE_INPUT(resolve_warp_i, index_width(Set::kNumWarps), 1);
  HEDDLE_INPUT(waits_i, Set::kNumWarps, 1);
  HEDDLE_OUTPUT(next_valid_o, 1, 1);
  HEDDLE_OUTPUT(next_warp_o, index_width(Set::kNumWarps), 1);
  HEDDLE_OUTPUT(waiter_o, Set::kNumWarps, 1);
  HEDDLE_OUTPUT(acts_o, 1, 1);
  HEDDLE_OUTPUT(serves_o, 1, 1);
  HEDDLE_OUTPUT(warp_o, index_width(Set::kNumWarps), 1);
  HEDDLE_OUTPUT(settled_o, Set::kNumWarps, 1);

  void set_inputs(const std::set<unsigned>& waits, Warp resolves, Warp killed) {
    std::uint64_t mask = 0;
    for (const unsigned warp : waits) mask += std::uint64_t{1} << warp;
    waits_i = mask;
    resolve_valid_i = resolves.has_value();
    resolve_warp_i = resolves.value_or(0);
    kill_valid_i = killed.has_value();
    kill_warp_i = killed.value_or(0);
  }
  static std::uint64_t one_hot(Warp warp) { return warp ? std::uint64_t{1} << *warp : 0; }
  void expect(Warp waiter, Warp next) {
    next_valid_o.expect(next.has_value());
    next_warp_o.expect(next.value_or(0));
    waiter_o.expect(one_hot(waiter));
    acts_o.expect(settled_.resolves.has_value());
    serves_o.expect(settled_.served.has_value());
    warp_o.expect(last_);
    settled_o.expect(one_hot(settled_.resolves) | one_hot(settled_.served));
  }

  Settled settled_;
  unsigned last_ = 0;
};

using Small = models::settled_choice_small;

TEST(SettledChoiceExample, TheLowestWarpThatWaitsIsServedIfNoneResolves) {
  SettledBench<Small> bench;
  const Settled settled = bench.step({1, 2});
  EXPECT_EQ(settled.served, 1u);
  EXPECT_FALSE(settled.resolves);
}

TEST(SettledChoiceExample, AResolutionGoesFirst) {
  SettledBench<Small> bench;
  const Settled settled = bench.step({0, 1}, 2);
  EXPECT_EQ(settled.resolves, 2u);
  EXPECT_FALSE(settled.served);
}

TEST(SettledChoiceExample, WhoIsServedIsNotChosenAgainInThatCycle) {
  SettledBench<Small> bench;
  bench.step({0, 2});
  EXPECT_EQ(bench.step({0, 2}).served, 2u);
}

TEST(SettledChoiceExample, AKilledWarpNeitherResolvesNorIsServed) {
  SettledBench<Small> bench;
  const Settled nobody = bench.step({0}, 1, 1);
  EXPECT_FALSE(nobody.resolves || nobody.served);
  EXPECT_EQ(bench.step({0, 2}, {}, 0).served, 2u);
}

template <class Set>
class SettledChoiceRandom : public testing::Test {};
using Sets = ParameterSets<models::settled_choice_small, models::settled_choice_one, models::settled_choice_default>;
TYPED_TEST_SUITE(SettledChoiceRandom, Sets, SetNames);

TYPED_TEST(SettledChoiceRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  Coverage met;
  Random random(1);
  SettledBench<TypeParam> bench(1);
  for (unsigned i = 0; i < 5000; ++i) {
    if (random.below(300) == 0) bench.reset();
    const unsigned percent = random.pick<unsigned>({3, 20, 80});
    std::set<unsigned> waits;
    for (unsigned w = 0; w < TypeParam::kNumWarps; ++w) {
      if (random.chance(percent)) waits.insert(w);
    }
    Warp resolves, killed;
    if (random.chance(40)) resolves = random.below(TypeParam::kNumWarps);
    if (random.chance(30)) killed = resolves && random.chance(50) ? *resolves : random.below(TypeParam::kNumWarps);
    const Warp served = bench.settled().served;
    met.hit("resolution_beside_a_warp_that_waits", resolves && !waits.empty());
    met.hit("resolution_killed_as_it_is_taken_in", resolves && killed == resolves);
    met.hit("waits_while_it_is_served", served && waits.count(*served) != 0);
    met.hit("waits_while_it_is_killed", killed && waits.count(*killed) != 0);
    bench.step(waits, resolves, killed);
  }
  EXPECT_EQ(met.missing(), "");
}

}  // namespace
}  // namespace heddle::test
