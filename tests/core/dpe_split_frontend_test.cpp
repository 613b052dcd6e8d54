// SPDX-License-Identifier: Apache-2.0
// core/dpe_split_frontend: random programs on RTL, twin and oracle in lockstep, with loads whose threads get what they
// read at different times; where paths are split, where parts meet, and where they must not.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/dpe_split_frontend_small.h"
#include "tests/core/skips_of_frontends.h"

namespace heddle::test {
namespace {

using Small = models::dpe_split_frontend_small;

// Loads whose threads get what they read in two cycles, and a memory that says which of them wait.
Timing split(Timing timing, std::uint64_t number) {
  static constexpr unsigned kSplits[] = {100, 60, 30};
  timing.split = kSplits[number % 3];
  timing.mark = number % 2 == 0 ? 0 : 20;
  return timing;
}

TEST(DpeSplitFrontend, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  DpeSplitFrontendBench<Small> bench;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(160); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    ProgramShape shape = shape_of(seed);
    shape.uniform = seed % 3 == 0;
    shape.barriers = shape.uniform;  // parts at two barriers wait for ever
    const RandomProgram program(seed, shape);
    const KernelRun run = run_kernel(bench, program, 2 * Small::kNumWarps + 1, seed, split(timing_of(seed), seed / 4));
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

using SplitScript = FrontendScript<Small, DpeSplitFrontendBench>;
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

TEST(DpeSplitFrontend, ThreadsThatHaveWhatTheLoadBroughtGoOnAndTheOthersJoinThem) {
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

TEST(DpeSplitFrontend, NothingIsSplitBeforeTheFirstUseOrWithoutThreadsOnBothSides) {
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

TEST(DpeSplitFrontend, PartsStopAtABarrierAndExecuteItAsOne) {
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

TEST(DpeSplitFrontend, PartsThatWereSplitAtABarrierMeetThere) {
  // The barrier itself waits for the load.
  Loaded script({kBarrier | reads(5), 0, 0});
  script.offer(0, 0b0011);
  script.write_back(0b1111);
  EXPECT_EQ(script.issues(1), (Issues{{0x104, 0b1111, false}}));
  EXPECT_EQ(script.pins().merges, 1u);
}

TEST(DpeSplitFrontend, ABarrierWaitsForAPartThatComesByAnotherWay) {
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

TEST(DpeSplitFrontend, AnInstructionThatSendsPartsApartIsExecutedAgainWithTheOthers) {
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

TEST(DpeSplitFrontend, APathThatWaitsForItsOtherPartIsTheReasonWhenNothingElseIsThere) {
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
TEST(DpeSplitFrontend, AWaitThatEndsAsTheOtherPartsResolutionActsStillCountsForIt) {
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

TEST(DpeSplitFrontend, NoPartJoinsAPathInsideARegion) {
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
TEST(DpeSplitFrontend, KilledWarpsLeaveNothingBehindAndAllOpinionsAgreeInEveryCycle) {
  DpeSplitFrontendBench<Small> bench;
  Coverage met = kill_runs(bench, seeds(320), [](std::uint64_t seed) { return split(timing_of(seed), seed / 4); });
  for (const char* situation : {"no_split_with_a_kill", "stopped_at_two_places", "wait_ends_as_the_other_part_stops",
                                "diverges_as_the_other_part_is_stopped", "stops_as_the_other_part_waits"}) {
    met.hit(situation, bench.met().count(situation) != 0);
  }
  EXPECT_EQ(met.missing(), "");
}

struct DpeSplit {
  template <class Set>
  using Bench = DpeSplitFrontendBench<Set>;
  using Small = models::dpe_split_frontend_small;
};
INSTANTIATE_TYPED_TEST_SUITE_P(DpeSplitFrontend, SkipMistake, DpeSplit);

}  // namespace
}  // namespace heddle::test
