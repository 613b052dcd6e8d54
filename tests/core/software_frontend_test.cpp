// SPDX-License-Identifier: Apache-2.0
// core/software_frontend: random programs that push and pop rows on RTL, twin and oracle in lockstep, with a memory
// that takes its time; where threads meet, and what waits for room.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "models/software_frontend_optimistic.h"
#include "models/software_frontend_small.h"
#include "tests/core/skips_of_frontends.h"

namespace heddle::test {
namespace {

using Small = models::software_frontend_small;
using Issues = std::vector<Issued>;

// Threads that executed a push go on behind its pop together; those that come there by another way pass it.
TEST(SoftwareFrontend, ThreadsMeetBehindTheirPopsAndAllOpinionsAgreeInEveryCycle) {
  SoftwareFrontendBench<Small> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(160); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed, bench.config()));
    Timing timing = timing_of(seed / 2);
    timing.save = seed % 3 == 0 ? 10 : 90;
    timing.load = seed % 5 == 0 ? 5 : 60;
    timing.load_latency = seed % 2 == 0 ? 2 : 25;
    const KernelRun run = run_kernel(bench, program, 2 * Small::kNumWarps + 1, seed, timing);
    met.hit("overflow", run.overflowed());
    met.hit("no_overflow", !run.overflowed());
    met.hit("pop", run.pops() != 0);
    met.hit("pop_is_passed", run.passed_pops() != 0);
    met.hit("threads_meet_again", run.meetings() != 0);
    met.hit("recursion", run.deepest_call() >= 3);
    met.hit("region_of_8", run.regions(8) != 0);
    for (unsigned reason : {kStallNone, kStallNoWarp, kStallUnitBusy, kStallMemory, kStallScoreboard,
                            kStallScoreboardFull, kStallBranchPending, kStallBarrier, kStallIbufferEmpty}) {
      met.hit("stall_reason_" + std::to_string(reason), run.stalls(reason) != 0);
    }
  }
  for (const char* situation :
       {"push", "push_suspends_the_other_path", "pop_disables_a_path", "pop_of_the_last_path", "divergence",
        "divergence_saves_a_row", "row_of_dead_threads", "row_with_dead_threads", "row_of_two_paths", "load_waits",
        "end_waits_for_a_fill", "resolution_waits_for_room", "suspended_path_leaves_its_queue",
        "suspended_path_has_requests_under_way", "fill_beside_a_push", "fill_beside_a_grant"}) {
    met.hit(situation, bench.met().count(situation) != 0);
  }
  EXPECT_EQ(met.missing(), "");
}

using SoftwareScript = FrontendScript<Small, SoftwareFrontendBench>;
// By the path in this slot, at `pc`, of which the threads go on at `back`.
FrontendInputs::Resolve push_at(Pc pc, unsigned slot, Pc back) {
  return {0, slot, 0, 0, pc + 4, back, 0, false, false, 0, kMarkPush};
}
FrontendInputs::Resolve pop_at(Pc pc, unsigned slot) {
  return {0, slot, 0, 0, pc + 4, kNoRpc, 0, false, false, 0, kMarkPop};
}

// 0x100: push, 0x104: branch to 0x110, both sides pop at their end, 0x118: all of them.
class Pushed : public SoftwareScript {
 public:
  Pushed() : SoftwareScript({kControl, kControl, 0, kControl, 0, kControl, 0, 0}, 0b1111) {
    issue();
    resolve(push_at(0x100, 0, 0x118));
    EXPECT_EQ(issues(1), (Issues{{0x104, 0b1111, false}}));
  }
  void part() {
    resolve({0, 0, 0b0011, 0x110, 0x108, kNoRpc, 0});
    units = 0b00001;
  }
  void load(const SoftwareRow& row) {
    FrontendInputs in;
    while (!pins().load) step();
    in.load_ready = true;
    step(in);
    in.load_ready = false;
    in.fill = SoftwareStackOracle::Fill{0, row};
    step(in);
  }
};

TEST(SoftwareFrontend, BothSidesPopAndAllGoOnTogether) {
  Pushed script;
  EXPECT_EQ(script.pins().save.row, 0u);
  const SoftwareRow row = script.pins().save.paths;
  EXPECT_EQ(row, (SoftwareRow{{{{0x118, 0b1111}, {0, 0}}}}));
  script.part();
  EXPECT_EQ(script.issues(3), (Issues{{0x108, 0b1100, false}, {0x110, 0b0011, false}, {0x10c, 0b1100, false}}));
  EXPECT_FALSE(script.issues_within(5));  // one control instruction at a time
  script.resolve(pop_at(0x10c, 1));
  EXPECT_EQ(script.issues(1), (Issues{{0x114, 0b0011, false}}));
  EXPECT_FALSE(script.issues_within(10));
  script.resolve(pop_at(0x114, 0));
  EXPECT_FALSE(script.issues_within(10));
  script.load(row);
  EXPECT_EQ(script.issues(2), (Issues{{0x118, 0b1111, false}, {0x11c, 0b1111, false}}));
}

// What was fetched behind a push is there; the instruction behind it issues as early as behind a branch that nobody
// takes.
TEST(SoftwareFrontend, AResolutionWaitsUntilThereIsRoomForARow) {
  SoftwareScript script({kControl, 0, 0, 0}, 0b1111);
  script.issue();
  FrontendInputs waits;
  waits.resolve = push_at(0x100, 0, 0x10c);
  waits.save_ready = false;
  for (unsigned i = 0; i < 5; ++i) script.step(waits);
  waits.save_ready = true;
  script.step(waits);
  script.step();
  EXPECT_FALSE(script.pins().save.valid);
  script.step();
  EXPECT_TRUE(script.pins().save.valid);
  EXPECT_EQ(script.issues(1), (Issues{{0x104, 0b1111, false}}));
}

TEST(SoftwareFrontend, APushWithoutRoomOnTheStackHaltsItsWarp) {
  SoftwareScript script(std::vector<std::uint64_t>(20, kControl), 0b1111);
  Pc pc = kScriptBase;
  for (unsigned i = 1; i < Small::kStackDepth; ++i, pc += 4) {
    EXPECT_EQ(script.issues(1), (Issues{{pc, 0b1111, false}}));
    script.resolve(push_at(pc, 0, 0x200));
  }
  EXPECT_EQ(script.issues(1), (Issues{{pc, 0b1111, false}}));
  script.resolve(push_at(pc, 0, 0x200));
  script.step();
  script.step();
  EXPECT_TRUE(script.pins().overflow.valid);
  EXPECT_FALSE(script.issues_within(20));
}

// Kills in the cycle of everything that may happen to a warp.
TEST(SoftwareFrontend, KilledWarpsLeaveNothingBehindAndAllOpinionsAgreeInEveryCycle) {
  SoftwareFrontendBench<Small> bench;
  const auto timing = [](std::uint64_t seed) {
    Timing slow = timing_of(seed);
    slow.save = seed % 2 == 0 ? 70 : 10;
    return slow;
  };
  Coverage met = kill_runs(bench, seeds(240), timing);
  for (const char* situation : {"kill_with_a_fill_of_a_row", "kill_with_a_resolution_that_waits_for_room"}) {
    met.hit(situation, bench.met().count(situation) != 0);
  }
  EXPECT_EQ(met.missing(), "");
}

TEST(SoftwareFrontend, AnotherScoreboardAndSelectorAgreeInEveryCycle) {
  SoftwareFrontendBench<models::software_frontend_optimistic> bench;
  for (std::uint64_t seed = 1; seed <= seeds(48); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed, bench.config()));
    run_kernel(bench, program, 5, seed, seed % 3 == 0 ? rough(timing_of(seed)) : timing_of(seed));
  }
}

struct Software {
  template <class Set>
  using Bench = SoftwareFrontendBench<Set>;
  using Small = models::software_frontend_small;
};
INSTANTIATE_TYPED_TEST_SUITE_P(SoftwareFrontend, SkipMistake, Software);

}  // namespace
}  // namespace heddle::test
