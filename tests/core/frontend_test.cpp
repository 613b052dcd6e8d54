// SPDX-License-Identifier: Apache-2.0
// core/frontend: random programs on RTL, twin and oracle in lockstep, with stacks, scoreboards and selectors exchanged; and the
// order in which paths fetch. What the mechanisms have beyond that is tested under their names.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "models/frontend_one_slot.h"
#include "models/frontend_optimistic_constrained.h"
#include "models/frontend_two_slots.h"
#include "tests/common/set_names.h"
#include "tests/core/frontend_bench.h"
#include "tests/core/frontend_script.h"

namespace heddle::test {
namespace {

template <class Set>
class FrontendRandom : public testing::Test {};
using Sets = ParameterSets<models::frontend_one_slot, models::frontend_two_slots, models::frontend_optimistic_constrained>;
TYPED_TEST_SUITE(FrontendRandom, Sets, SetNames);

// With one slot the pins that speak of a slot say anything.
TYPED_TEST(FrontendRandom, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  AnyFrontendBench<TypeParam> bench;
  for (std::uint64_t seed = 1; seed <= seeds(32); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed));
    EXPECT_FALSE(run_kernel(bench, program, 2 * TypeParam::kNumWarps + 1, seed, timing_of(seed)).overflowed());
  }
}

TEST(FrontendFetch, WarpsTakeTurnsAndTheTwoPathsOfAWarpAlternate) {
  // Warps 0 and 1 diverge into two sides each while no fetch is possible.
  AnyFrontendBench<models::frontend_two_slots> bench;
  const auto step = [&](const FrontendInputs& in) {
    bench.step(in);
    return bench.oracle().outputs();
  };
  const auto for_both = [&](auto change) {
    for (const WarpId warp : {0u, 1u}) {
      FrontendInputs in;
      change(in, warp);
      step(in);
    }
  };
  for_both([](FrontendInputs& in, WarpId warp) { in.launch = {warp, kScriptBase, 0b11}; });
  for_both([](FrontendInputs& in, WarpId) { in.fetch_ready = true; });
  for_both([](FrontendInputs& in, WarpId warp) { in.decode = {warp, 0, kScriptBase, {kControl}}; });
  for_both([](FrontendInputs& in, WarpId) { in.unit_ready = 1; });
  for_both([](FrontendInputs& in, WarpId warp) {
    in.resolve = {warp, 0, 0b01, kScriptBase + 0x20, kScriptBase + 4, kScriptBase + 0x40, 0};
  });
  step({});
  std::vector<std::pair<WarpId, unsigned>> order;
  FrontendInputs fetch;
  fetch.fetch_ready = true;
  for (auto out = step(fetch); out.fetch.valid; out = step(fetch)) order.emplace_back(out.fetch.warp, out.fetch.slot);
  // The left one of warp 1 was last; each has room for two answers.
  EXPECT_EQ(order, (std::vector<std::pair<WarpId, unsigned>>{{0, 1}, {1, 1}, {0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 0}}));
}

}  // namespace
}  // namespace heddle::test
