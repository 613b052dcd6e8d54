// SPDX-License-Identifier: Apache-2.0
// core/frontend: random programs on RTL, twin and oracle in lockstep, with the stack of the oracle and all hooks; idle
// warps, the issue register, warps that are held, and the order in which paths fetch.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/frontend_one_slot.h"
#include "models/frontend_parts.h"
#include "models/frontend_three_slots.h"
#include "models/frontend_two_slots.h"
#include "tests/common/set_names.h"
#include "tests/core/common_frontend_bench.h"
#include "tests/core/frontend_script.h"

namespace heddle::test {
namespace {

using Issues = std::vector<Issued>;

// The stacks of the oracle.
struct OneSlot : models::frontend_one_slot {
  static constexpr unsigned kStackDepth = 8, kLevelW = 3;
  static void mechanism(FrontendConfig& config) { config.compact = true; }
};
struct TwoSlots : models::frontend_two_slots {
  static constexpr unsigned kStackDepth = 8, kLevelW = 3;
  static void mechanism(FrontendConfig& config) { config.dual = true; }
};
struct Parts : models::frontend_parts {
  static constexpr unsigned kStackDepth = 8, kLevelW = 3;
  static void mechanism(FrontendConfig& config) { config.dual = config.parts = true; }
};
struct ThreeSlots : models::frontend_three_slots {
  static constexpr unsigned kStackDepth = 8, kLevelW = 3;
  static void mechanism(FrontendConfig& config) { config.split_slots = kNumSlots; }
};

template <class Set>
class FrontendRandom : public testing::Test {};
using Sets = ParameterSets<OneSlot, TwoSlots, Parts, ThreeSlots>;
TYPED_TEST_SUITE(FrontendRandom, Sets, SetNames);

// Branches that may subdivide or never wait, and loads whose threads get what they read at different times.
template <class Set>
Timing timing_for(std::uint64_t number) {
  Timing timing = timing_of(number);
  timing.mark = number / 4 % 2 == 0 ? 0 : 50;
  timing.split = Set::kPartial == 0 ? 0 : 60;
  return timing;
}

// With one slot the pins that speak of a slot say anything.
TYPED_TEST(FrontendRandom, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  CommonFrontendBench<TypeParam> bench;
  for (std::uint64_t seed = 1; seed <= seeds(32); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    ProgramShape shape = shape_of(seed);
    shape.barriers = !bench.config().parts || shape.uniform;  // parts at two barriers wait for ever
    const RandomProgram program(seed, shape);
    run_kernel(bench, program, 2 * TypeParam::kNumWarps + 1, seed, timing_for<TypeParam>(seed));
  }
}

// Kills in the cycle of everything that may happen to a warp, and launches while its old answers and writes still come;
// instructions that wait in the issue register, warps that are held; more redirected fetches than there are tags.
TYPED_TEST(FrontendRandom, KilledWarpsLeaveNothingBehindAndAllOpinionsAgreeInEveryCycle) {
  CommonFrontendBench<TypeParam> bench;
  Coverage met = kill_runs(bench, seeds(96), timing_for<TypeParam>);
  if (TypeParam::kTagW == 2) met.hit("tag_wraps", bench.met().count("tag_wraps") != 0);
  if (TypeParam::kTagW == 2 && TypeParam::kIbufDepth >= 4) {  // room for two requests of an epoch
    met.hit("fetch_waits_for_an_answer", bench.met().count("fetch_waits_for_an_answer") != 0);
  }
  EXPECT_EQ(met.missing(), "");
}

TEST(FrontendIdle, AKilledWarpIsIdleWhenItsLastAnswerAndItsLastWriteHaveCome) {
  FrontendScript<TwoSlots, CommonFrontendBench> script({writes(5), 0, 0, 0, 0, 0, 0, 0, 0}, 0b11);
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

template <class Set>
class FrontendKill : public testing::Test {};
TYPED_TEST_SUITE(FrontendKill, Sets, SetNames);

// Stores, which no write-back follows; one of them stands in the issue register when its warp is killed.
TYPED_TEST(FrontendKill, AWarpIsIdleOnceItsLastInstructionHasLeftTheIssueRegister) {
  FrontendScript<TypeParam, CommonFrontendBench> script(std::vector<std::uint64_t>(20, on_unit(4)), 0b11);
  script.issue();
  FrontendInputs in;
  in.issue_ready = false;
  script.fetch = false;
  for (unsigned i = 0; i < 5; ++i) script.step(in);  // every answer has come
  in.kill = 0;
  script.step(in);
  in.kill.reset();
  for (unsigned i = 0; i < 5; ++i) {
    script.step(in);
    EXPECT_TRUE(script.pins().issue.valid);
    EXPECT_EQ(script.pins().idle & 0b11, 0b10u);  // warp 1 has nothing to do with it
  }
  script.step();  // taken
  EXPECT_TRUE(script.pins().issue.valid);
  script.step();
  EXPECT_FALSE(script.pins().issue.valid);
  EXPECT_EQ(script.pins().idle & 0b11, 0b10u);
  script.step();
  EXPECT_EQ(script.pins().idle & 0b11, 0b11u);

  FrontendInputs launch;
  launch.launch = {0, kScriptBase + 0x20, 0b01};
  script.step(launch);
  script.fetch = true;
  EXPECT_EQ(script.issues(1), (Issues{{kScriptBase + 0x20, 0b01, false}}));
}

TEST(FrontendReady, AnInstructionThatIsNotTakenKeepsTheIssueRegister) {
  FrontendScript<TwoSlots, CommonFrontendBench> script(std::vector<std::uint64_t>(20), 0b11);
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

// A held warp reads as one for which no unit is ready; its fetches go on.
TEST(FrontendHold, AHeldWarpIssuesNothingUntilItIsLetGo) {
  CommonFrontendBench<TwoSlots> bench;
  FrontendInputs in;
  in.fetch_ready = true;
  in.unit_ready = 0x1f;
  in.hold = 0b001;
  for (const WarpId warp : {0u, 1u}) {
    in.launch = {warp, kScriptBase, 0b11};
    bench.step(in);
  }
  in.launch.reset();
  unsigned fetches = 0;
  for (unsigned i = 0; i < 20; ++i) {
    const FrontendOutputs& out = bench.oracle().outputs();
    in.decode.reset();
    if (out.fetch.valid) in.decode = {out.fetch.warp, out.fetch.slot, out.fetch.tag, {0, 0}};
    fetches += out.fetch.valid && out.fetch.warp == 0 ? 1 : 0;
    EXPECT_FALSE(out.issue.valid && out.issue.warp == 0);
    if (i == 16) in.fetch_ready = false;
    bench.step(in);
  }
  EXPECT_EQ(fetches, 2u);  // as many as it has room for
  in.decode.reset();
  for (unsigned i = 0; i < 8; ++i) bench.step(in);
  EXPECT_EQ(bench.oracle().outputs().stall, kStallUnitBusy);
  in.hold = 0;
  bench.step(in);
  EXPECT_TRUE(bench.oracle().outputs().issue.valid);
  EXPECT_EQ(bench.oracle().outputs().issue.warp, 0u);
}

TEST(FrontendFetch, WarpsTakeTurnsAndTheTwoPathsOfAWarpAlternate) {
  // Warps 0 and 1 diverge into two sides each while no fetch is possible.
  CommonFrontendBench<TwoSlots> bench;
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
    in.resolve = {warp, 0, 0b01, kScriptBase + 0x20, kScriptBase + 4, kScriptBase + 0x40, 0};
  });
  step({});
  std::vector<std::pair<WarpId, unsigned>> order;
  FrontendInputs fetch;
  fetch.fetch_ready = true;
  for (auto out = step(fetch); out.fetch.valid; out = step(fetch)) order.emplace_back(out.fetch.warp, out.fetch.slot);
  // The left one of warp 1 was last; each has room for two answers.
  EXPECT_EQ(order,
            (std::vector<std::pair<WarpId, unsigned>>{{0, 1}, {1, 1}, {0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 0}}));
}

}  // namespace
}  // namespace heddle::test
