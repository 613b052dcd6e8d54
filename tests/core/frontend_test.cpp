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

// Kills in the cycle of everything that may happen to a warp, and launches while its old answers and writes still come;
// instructions that wait in the issue register; more resolutions than are taken in a cycle; more redirected fetches than there are tags.
TYPED_TEST(FrontendRandom, KilledWarpsLeaveNothingBehindAndAllOpinionsAgreeInEveryCycle) {
  AnyFrontendBench<TypeParam> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(48); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed));
    const KernelRun run = run_kernel(bench, program, 8 * TypeParam::kNumWarps, seed, rough(timing_of(seed)));
    met.hit("launched_beside_old_ones", run.relaunched_beside_old_ones() != 0);
    if (TypeParam::kNumResolve > 1) met.hit("contention", run.contended() != 0);
  }
  for (const char* situation : kKillSituations) met.hit(situation, bench.met().count(situation) != 0);
  if (TypeParam::kPredicate == 1) {
    met.hit("kill_with_region_begun", bench.met().count("kill_with_region_begun") != 0);
    met.hit("kill_inside_a_region", bench.met().count("kill_inside_a_region") != 0);
  }
  if (TypeParam::kTagW == 2) met.hit("tag_wraps", bench.met().count("tag_wraps") != 0);
  if (TypeParam::kTagW == 2 && TypeParam::kIbufDepth >= 4) {  // room for two requests of an epoch
    met.hit("fetch_waits_for_an_answer", bench.met().count("fetch_waits_for_an_answer") != 0);
  }
  EXPECT_EQ(met.missing(), "");
}

TEST(FrontendIdle, AKilledWarpIsIdleWhenItsLastAnswerAndItsLastWriteHaveCome) {
  FrontendScript<models::frontend_two_slots, AnyFrontendBench> script({writes(5), 0, 0, 0, 0, 0, 0, 0, 0}, 0b11);
  script.latency = 6;
  script.issue();
  FrontendInputs kill;
  kill.kill = 0;
  script.step(kill);
  script.fetch = false;
  for (unsigned i = 0; i < 12; ++i) {
    script.step();
    EXPECT_EQ(script.pins().idle & 1, 0u);  // the write
  }
  FrontendInputs write;
  write.wb[2] = {0, 0, 5, 0b11};
  script.step(write);
  script.step();
  EXPECT_EQ(script.pins().idle & 1, 0u);
  script.step();
  EXPECT_EQ(script.pins().idle & 1, 1u);
}

TEST(FrontendReady, AnInstructionThatIsNotTakenKeepsTheIssueRegister) {
  FrontendScript<models::frontend_two_slots, AnyFrontendBench> script(std::vector<std::uint64_t>(20), 0b11);
  script.issue();
  FrontendInputs wait;
  wait.issue_ready = false;
  script.step(wait);
  const Pc held = script.pins().issue.pc;
  for (unsigned i = 0; i < 5; ++i) {
    script.step(wait);
    EXPECT_TRUE(script.pins().issue.valid);
    EXPECT_EQ(script.pins().issue.pc, held);
    EXPECT_EQ(script.pins().stall, kStallUnitBusy);
  }
  script.step();
  EXPECT_EQ(script.pins().issue.pc, held);
  script.step();
  EXPECT_EQ(script.pins().issue.pc, held + 4);
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
  for_both([](FrontendInputs& in, WarpId warp) { in.decode = {warp, 0, 0, {kControl}}; });
  for_both([](FrontendInputs& in, WarpId) { in.unit_ready = 1; });
  for_both([](FrontendInputs& in, WarpId warp) {
    in.resolve[0] = {warp, 0, 0b01, kScriptBase + 0x20, kScriptBase + 4, kScriptBase + 0x40, 0};
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
