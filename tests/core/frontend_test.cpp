// SPDX-License-Identifier: Apache-2.0
// core/frontend: random programs on RTL, twin and oracle in lockstep, with stacks, scoreboards and selectors exchanged;
// and the order in which paths fetch. What the mechanisms have beyond that is tested under their names.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/frontend_one_slot.h"
#include "models/frontend_optimistic_constrained.h"
#include "models/frontend_software.h"
#include "models/frontend_split.h"
#include "models/frontend_two_slots.h"
#include "tests/common/set_names.h"
#include "tests/core/frontend_bench.h"
#include "tests/core/frontend_script.h"

namespace heddle::test {
namespace {

template <class Set>
class FrontendRandom : public testing::Test {};
using Sets = ParameterSets<models::frontend_one_slot, models::frontend_two_slots,
                           models::frontend_optimistic_constrained, models::frontend_split, models::frontend_software>;
TYPED_TEST_SUITE(FrontendRandom, Sets, SetNames);

// With one slot the pins that speak of a slot say anything.
TYPED_TEST(FrontendRandom, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  AnyFrontendBench<TypeParam> bench;
  for (std::uint64_t seed = 1; seed <= seeds(32); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed, bench.config()));
    const bool overflowed =
        run_kernel(bench, program, 2 * TypeParam::kNumWarps + 1, seed, timing_of(seed)).overflowed();
    if (!bench.config().software) {  // as many entries as lanes suffice for divergences alone
      EXPECT_FALSE(overflowed);
    }
  }
}

// Kills in the cycle of everything that may happen to a warp, and launches while its old answers and writes still come;
// instructions that wait in the issue register; more resolutions than are taken in a cycle; more redirected fetches
// than there are tags.
TYPED_TEST(FrontendRandom, KilledWarpsLeaveNothingBehindAndAllOpinionsAgreeInEveryCycle) {
  AnyFrontendBench<TypeParam> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(TypeParam::kStack == 5 ? 120 : 48); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed, bench.config()));
    Timing timing = rough(timing_of(seed));
    timing.save = seed % 2 == 0 ? 70 : 10;
    const KernelRun run = run_kernel(bench, program, 8 * TypeParam::kNumWarps, seed, timing);
    met.hit("launched_beside_old_ones", run.relaunched_beside_old_ones() != 0);
    if (TypeParam::kNumResolve > 1) met.hit("contention", run.contended() != 0);
  }
  for (const char* situation : kKillSituations) met.hit(situation, bench.met().count(situation) != 0);
  if (TypeParam::kPredicate == 1) {
    met.hit("kill_with_region_begun", bench.met().count("kill_with_region_begun") != 0);
    met.hit("kill_inside_a_region", bench.met().count("kill_inside_a_region") != 0);
  }
  if (TypeParam::kStack == 5) {
    for (const char* situation : {"kill_with_a_fill_of_a_row", "kill_with_a_resolution_that_waits_for_room"}) {
      met.hit(situation, bench.met().count(situation) != 0);
    }
  }
  if (TypeParam::kTagW == 2) met.hit("tag_wraps", bench.met().count("tag_wraps") != 0);
  if (TypeParam::kTagW == 2 && TypeParam::kIbufDepth >= 4) {  // room for two requests of an epoch
    met.hit("fetch_waits_for_an_answer", bench.met().count("fetch_waits_for_an_answer") != 0);
  }
  EXPECT_EQ(met.missing(), "");
}

// ---- paths that are split at loads

using Split = models::frontend_split;

// Loads whose threads get what they read in two cycles, and a memory that says which of them wait.
Timing split(Timing timing, std::uint64_t number) {
  static constexpr unsigned kSplits[] = {100, 60, 30};
  timing.split = kSplits[number % 3];
  timing.mark = number % 2 == 0 ? 0 : 20;
  return timing;
}

TEST(FrontendSplitting, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  AnyFrontendBench<Split> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(160); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    ProgramShape shape = shape_of(seed);
    shape.uniform = seed % 3 == 0;
    shape.barriers = shape.uniform;  // parts at two barriers wait for ever
    const RandomProgram program(seed, shape);
    const KernelRun run = run_kernel(bench, program, 2 * Split::kNumWarps + 1, seed, split(timing_of(seed), seed / 4));
    EXPECT_FALSE(run.overflowed());
    met.hit("recursion", run.deepest_call() >= 3);
    met.hit("region_of_8", run.regions(8) != 0);
    met.hit("repeated", run.repeated() != 0);
    for (unsigned reason : {kStallNone, kStallNoWarp, kStallUnitBusy, kStallMemory, kStallScoreboard,
                            kStallScoreboardFull, kStallBranchPending, kStallBarrier, kStallIbufferEmpty}) {
      met.hit("stall_reason_" + std::to_string(reason), run.stalls(reason) != 0);
    }
  }
  for (const char* situation : {"split",
                                "split_withdrawn",
                                "split_of_who_goes_on",
                                "split_of_a_right_path",
                                "split_beside_a_grant",
                                "split_of_who_was_joined",
                                "advance_joins",
                                "resolution_joins",
                                "joins_who_waits",
                                "joins_at_its_branch",
                                "waits",
                                "diverges_as_the_other_part_waits",
                                "diverges_and_never_waits",
                                "wait_ends_as_the_other_part_is_gone",
                                "row_keeps_parts",
                                "row_keeps_one_part",
                                "pop_with_parts",
                                "part_arrives",
                                "part_exits",
                                "other_part_may_not_be_joined",
                                "stopped",
                                "no_split_of_an_empty_slot",
                                "no_split_beside_another_path",
                                "no_split_without_who_stays",
                                "no_split_without_who_goes",
                                "no_split_without_a_head",
                                "no_split_of_who_is_not_blocked",
                                "no_split_behind_an_unresolved_branch",
                                "no_split_inside_a_region",
                                "no_split_at_a_barrier"}) {
    met.hit(situation, bench.met().count(situation) != 0);
  }
  EXPECT_EQ(met.missing(), "");
}

using SplitScript = FrontendScript<Split, AnyFrontendBench>;
using Issues = std::vector<Issued>;

// Four threads have a load into register 5, which the instruction at 0x104 reads; it has come for all but those in
// `behind`.
class Loaded : public SplitScript {
 public:
  // What follows the load.
  explicit Loaded(std::vector<std::uint64_t> behind_it) : SplitScript(code(std::move(behind_it)), 0b1111) {
    EXPECT_EQ(issues(1), (Issues{{0x100, 0b1111, false}}));
    EXPECT_FALSE(issues_within(10));
  }
  void write_back(LaneMask mask, unsigned slot = 0, unsigned reg = 5) {
    FrontendInputs in;
    in.wb[0] = {0, slot, reg, mask};
    step(in);
  }
  // Of the path in this slot these threads stay behind.
  void offer(unsigned slot, LaneMask behind, bool valid = true) {
    FrontendInputs in;
    in.split = {valid, 0, slot, behind};
    step(in);
  }
  [[nodiscard]] unsigned splits() {
    step();
    return pins().splits;
  }

 private:
  static std::vector<std::uint64_t> code(std::vector<std::uint64_t> behind_it) {
    behind_it.insert(behind_it.begin(), writes(5));
    return behind_it;
  }
};

TEST(FrontendSplitting, ThreadsThatHaveWhatTheLoadBroughtGoOnAndTheOthersJoinThem) {
  Loaded script({reads(5), 0, reads(5) | on_unit(1), 0, 0});
  script.write_back(0b1100);
  EXPECT_FALSE(script.issues_within(10));  // as one path they wait for the last of them
  script.units = 0b00001;
  script.offer(0, 0b0011);
  EXPECT_EQ(script.issues(2), (Issues{{0x104, 0b1100, false}, {0x108, 0b1100, false}}));
  EXPECT_FALSE(script.issues_within(10));
  EXPECT_EQ(script.splits(), 1u);
  script.write_back(0b0011);
  EXPECT_EQ(script.issues(2), (Issues{{0x104, 0b0011, false}, {0x108, 0b0011, false}}));
  script.units = 0b00011;
  EXPECT_EQ(script.issues(2), (Issues{{0x10c, 0b1111, false}, {0x110, 0b1111, false}}));
  EXPECT_EQ(script.pins().merges, 1u);
}

TEST(FrontendSplitting, NothingIsSplitBeforeTheFirstUseOrWithoutThreadsOnBothSides) {
  Loaded script({reads(5), 0, 0});
  script.offer(0, 0b1111);
  script.offer(0, 0b10000);
  script.offer(1, 0b0011);
  script.offer(0, 0b0011, false);
  EXPECT_EQ(script.splits(), 0u);
  script.write_back(0b1111);
  script.units = 0;
  EXPECT_FALSE(script.issues_within(3));
  script.offer(0, 0b0011);  // nobody waits any more
  EXPECT_EQ(script.splits(), 0u);
}

TEST(FrontendSplitting, PartsStopAtABarrierAndExecuteItAsOne) {
  Loaded script({reads(5), kBarrier, 0, 0});
  script.write_back(0b1100);
  script.offer(0, 0b0011);
  EXPECT_EQ(script.issues(1), (Issues{{0x104, 0b1100, false}}));
  EXPECT_FALSE(script.issues_within(10));
  EXPECT_EQ(script.pins().stall, kStallScoreboard);
  // The others come to where the first stand, and may join them there.
  script.write_back(0b0011);
  EXPECT_EQ(script.issues(2), (Issues{{0x104, 0b0011, false}, {0x108, 0b1111, false}}));
  EXPECT_FALSE(script.issues_within(10));
  EXPECT_EQ(script.pins().stall, kStallBarrier);
  FrontendInputs release;
  release.release = 1;
  script.step(release);
  EXPECT_EQ(script.issues(1), (Issues{{0x10c, 0b1111, false}}));
}

TEST(FrontendSplitting, PartsThatWereSplitAtABarrierMeetThere) {
  // The barrier itself waits for the load.
  Loaded script({kBarrier | reads(5), 0, 0});
  script.offer(0, 0b0011);
  script.write_back(0b1111);
  EXPECT_EQ(script.issues(1), (Issues{{0x104, 0b1111, false}}));
  EXPECT_EQ(script.pins().merges, 1u);
}

TEST(FrontendSplitting, ABarrierWaitsForAPartThatComesByAnotherWay) {
  // The parts branch, one to the barrier at 0x10c, the other to 0x110, from where it jumps to it.
  Loaded script({reads(5), kControl, kBarrier, kJump, 0});
  script.write_back(0b1100);
  script.offer(0, 0b0011);
  EXPECT_EQ(script.issues(2), (Issues{{0x104, 0b1100, false}, {0x108, 0b1100, false}}));
  script.resolve({0, 0, 0, 0x110, 0x10c, 0x120, 0});
  EXPECT_FALSE(script.issues_within(10));
  script.write_back(0b0011);
  EXPECT_EQ(script.issues(2), (Issues{{0x104, 0b0011, false}, {0x108, 0b0011, false}}));
  EXPECT_FALSE(script.issues_within(10));  // the first stand at the barrier
  script.resolve({0, 1, 0b0011, 0x110, 0x10c, 0x120, 0});
  EXPECT_EQ(script.issues(1), (Issues{{0x110, 0b0011, false}}));
  EXPECT_FALSE(script.issues_within(10));
  script.resolve({0, 1, 0b0011, 0x10c, 0x114, 0x120, 0});
  EXPECT_EQ(script.issues(1), (Issues{{0x10c, 0b1111, false}}));
}

TEST(FrontendSplitting, AnInstructionThatSendsPartsApartIsExecutedAgainWithTheOthers) {
  Loaded script({reads(5), kControl, 0, 0, 0});
  script.write_back(0b1100);
  script.offer(0, 0b0011);
  EXPECT_EQ(script.issues(2), (Issues{{0x104, 0b1100, false}, {0x108, 0b1100, false}}));
  script.resolve({0, 0, 0b1000, 0x110, 0x10c, 0x114, 0});
  EXPECT_FALSE(script.issues_within(10));
  script.write_back(0b0011);
  EXPECT_EQ(script.issues(2), (Issues{{0x104, 0b0011, false}, {0x108, 0b1111, false}}));
  script.resolve({0, 0, 0b1010, 0x110, 0x10c, 0x114, 0});
  EXPECT_EQ(script.issues(2), (Issues{{0x10c, 0b0101, false}, {0x110, 0b1010, false}}));
}

TEST(FrontendSplitting, APathThatWaitsForItsOtherPartIsTheReasonWhenNothingElseIsThere) {
  Loaded script({reads(5), kControl, 0, 0, 0});
  script.fetch = false;
  script.write_back(0b1100);
  script.offer(0, 0b0011);
  EXPECT_EQ(script.issues(2), (Issues{{0x104, 0b1100, false}, {0x108, 0b1100, false}}));
  script.write_back(0b0011);
  script.resolve({0, 0, 0b1000, 0x110, 0x10c, 0x114, 0});
  EXPECT_FALSE(script.issues_within(5));
  EXPECT_EQ(script.pins().stall, kStallBranchPending);
  script.fetch = true;
  EXPECT_EQ(script.issues(2), (Issues{{0x104, 0b0011, false}, {0x108, 0b1111, false}}));
}

// A part waits at 0x120 as the branch of the other one, at 0x140, acts, and the barrier behind that comes to its queue.
TEST(FrontendSplitting, AWaitThatEndsAsTheOtherPartsResolutionActsStillCountsForIt) {
  std::vector<std::uint64_t> code(30);
  code[0] = kControl | reads(5);
  code[7] = code[15] = kControl;
  code[16] = kBarrier;
  Loaded script(code);
  script.write_back(0b1100);
  script.offer(0, 0b0011);
  EXPECT_EQ(script.issues(1), (Issues{{0x104, 0b1100, false}}));
  script.resolve({0, 0, 0b1100, 0x120, 0x108, 0x170, 0});
  EXPECT_EQ(script.issues(1), (Issues{{0x120, 0b1100, false}}));
  script.resolve({0, 0, 0b1000, 0x130, 0x124, 0x134, 0});
  EXPECT_FALSE(script.issues_within(20));
  script.write_back(0b0011);
  EXPECT_EQ(script.issues(1), (Issues{{0x104, 0b0011, false}}));
  const auto fetch_one = [&] {
    script.fetch = true;
    script.step();
    script.fetch = false;
  };
  script.fetch = false;
  script.one_by_one = true;
  script.resolve({0, 1, 0b0011, 0x140, 0x108, 0x170, 0});
  script.step();
  fetch_one();
  EXPECT_EQ(script.issues(1), (Issues{{0x140, 0b0011, false}}));
  fetch_one();
  script.resolve({0, 1, 0b0001, 0x160, 0x144, 0x170, 0});
  script.fetch = true;
  EXPECT_EQ(script.issues(1), (Issues{{0x160, 0b0001, false}}));  // it did not wait in its turn
}

TEST(FrontendSplitting, NoPartJoinsAPathInsideARegion) {
  // 0x108 is a branch over two instructions.
  Loaded script({reads(5), kControl, on_unit(1), on_unit(1), 0, 0});
  script.write_back(0b1100);
  script.offer(0, 0b0011);
  script.units = 0b00001;
  EXPECT_EQ(script.issues(2), (Issues{{0x104, 0b1100, false}, {0x108, 0b1100, false}}));
  FrontendInputs::Resolve branch{0, 0, 0b1000, 0x114, 0x10c, 0x114, 0};
  branch.skip = 2;
  script.resolve(branch);
  EXPECT_FALSE(script.issues_within(5));
  script.write_back(0b0011);
  EXPECT_EQ(script.issues(1), (Issues{{0x104, 0b0011, false}}));
  EXPECT_FALSE(script.issues_within(10));  // their branch waits for the end of the region
  script.units = 0b00011;
  EXPECT_EQ(script.issues(2), (Issues{{0x10c, 0b0100, true}, {0x110, 0b0100, true}}));
}

// With barriers anywhere: of parts at two of them kills are the end.
TEST(FrontendSplitting, KilledWarpsLeaveNothingBehindAndAllOpinionsAgreeInEveryCycle) {
  AnyFrontendBench<Split> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(320); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed));
    run_kernel(bench, program, 8 * Split::kNumWarps, seed, split(rough(timing_of(seed)), seed / 4));
  }
  for (const char* situation : kKillSituations) met.hit(situation, bench.met().count(situation) != 0);
  for (const char* situation : {"no_split_with_a_kill", "stopped_at_two_places", "wait_ends_as_the_other_part_stops",
                                "diverges_as_the_other_part_is_stopped", "stops_as_the_other_part_waits"}) {
    met.hit(situation, bench.met().count(situation) != 0);
  }
  EXPECT_EQ(met.missing(), "");
}

// ---- rows that the program pushes and pops

using Software = models::frontend_software;

// Threads that executed a push go on behind its pop together; those that come there by another way pass it.
TEST(FrontendSoftware, ThreadsMeetBehindTheirPopsAndAllOpinionsAgreeInEveryCycle) {
  AnyFrontendBench<Software> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(160); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed, bench.config()));
    Timing timing = timing_of(seed / 2);
    timing.save = seed % 3 == 0 ? 10 : 90;
    timing.load = seed % 5 == 0 ? 5 : 60;
    timing.load_latency = seed % 2 == 0 ? 2 : 25;
    const KernelRun run = run_kernel(bench, program, 2 * Software::kNumWarps + 1, seed, timing);
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

using SoftwareScript = FrontendScript<Software, AnyFrontendBench>;
// By the path in this slot, at `pc`, of which the threads go on at `back`.
FrontendInputs::Resolve push_at(Pc pc, unsigned slot, Pc back) {
  return {0, slot, 0, 0, pc + 4, back, 0, false, false, 0, true};
}
FrontendInputs::Resolve pop_at(Pc pc, unsigned slot) { return push_at(pc, slot, kReturnRpc); }

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

TEST(FrontendSoftware, BothSidesPopAndAllGoOnTogether) {
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
TEST(FrontendSoftware, AResolutionWaitsUntilThereIsRoomForARow) {
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

TEST(FrontendSoftware, APushWithoutRoomOnTheStackHaltsItsWarp) {
  SoftwareScript script(std::vector<std::uint64_t>(20, kControl), 0b1111);
  Pc pc = kScriptBase;
  for (unsigned i = 1; i < Software::kStackDepth; ++i, pc += 4) {
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

template <class Set>
class FrontendKill : public testing::Test {};
TYPED_TEST_SUITE(FrontendKill, Sets, SetNames);

// Stores, which no write-back follows; one of them stands in the issue register when its warp is killed.
TYPED_TEST(FrontendKill, AWarpIsIdleOnceItsLastInstructionHasLeftTheIssueRegister) {
  FrontendScript<TypeParam, AnyFrontendBench> script(std::vector<std::uint64_t>(20, on_unit(4)), 0b11);
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
