// SPDX-License-Identifier: Apache-2.0
// The dual-path stack that the program manages: rows in memory, pushes and pops as instructions. Kernels in
// kernels/pushes.S.
#include <gtest/gtest.h>

#include "support.h"

namespace heddle::test::software_stack_test {
namespace {

Config software(Settings settings = {}) {
  settings.emplace_back("dpe.stack=software");
  return config("dpe", settings);
}

Outcome run_pushes(const std::string& kernel, const Config& machine, Engine engine = Engine::kSystemC) {
  return run_kernel("pushes", kernel, {1}, {8}, machine, {}, 0, engine);
}

const Settings kEightLanes{"core.lanes=8"};

// Instructions of A and G once, of each side once: 8 + 1 for a push, and a pop for each path that comes to it.
TEST(SoftwareStack, PathsMeetAtThePopOfTheirPush) {
  const Outcome run = run_pushes("nested", software(kEightLanes)),
                hardware = run_pushes("nested", config("dpe", kEightLanes));
  EXPECT_EQ(run.out, (std::vector<std::uint32_t>{1031, 1031, 1031, 1031, 1121, 1121, 1111, 1111}));
  EXPECT_EQ(run.out, hardware.out);
  EXPECT_EQ(run.stats.stack_instructions, 2u + 4u);
  EXPECT_EQ(run.stats.saved_rows, 2u);
  EXPECT_EQ(run.stats.loaded_rows, 2u);
  EXPECT_EQ(run.stats.max_stack_depth, 3u);
  EXPECT_EQ(run.stats.divergent_branches, hardware.stats.divergent_branches);
  EXPECT_EQ(hardware.stats.stack_instructions, 0u);
  EXPECT_GT(run.stats.cycles, hardware.stats.cycles);
}

// One warp: while its row is on the way nothing else can be the reason. A row that is stored leaves L1
// (l1.write=through); the two are in one line, so the first comes from memory and the second from L1.
TEST(SoftwareStack, CyclesWithoutAPathAreThoseOfARow) {
  const auto idle = [](const Stats& s, Stall reason) { return s.stalls[static_cast<unsigned>(reason)]; };
  const Config machine = software(kEightLanes);
  const Stats run = run_pushes("nested", machine).stats,
              hardware = run_pushes("nested", config("dpe", kEightLanes)).stats;
  EXPECT_GE(idle(run, Stall::kRow), machine.memory.latency + machine.l1.hit_latency);
  EXPECT_LE(idle(run, Stall::kRow), machine.memory.latency + machine.l1.hit_latency + 32);
  EXPECT_LE(idle(run, Stall::kIbufferEmpty), idle(hardware, Stall::kIbufferEmpty) + run.loaded_rows * 8);
  EXPECT_EQ(idle(hardware, Stall::kRow), 0u);
}

TEST(SoftwareStack, ADivergenceWithoutAPushSavesARowByItself) {
  const Outcome run = run_pushes("library", software(kEightLanes));
  EXPECT_EQ(run.out, run_pushes("library", config("dpe", kEightLanes)).out);
  EXPECT_EQ(run.stats.stack_instructions, 1u + 3u);
  EXPECT_EQ(run.stats.saved_rows, 2u);
  EXPECT_EQ(run.stats.loaded_rows, 2u);
}

TEST(SoftwareStack, ThreadsThatEndInARegionDoNotComeBack) {
  const Outcome run = run_pushes("ends", software(kEightLanes));
  EXPECT_EQ(run.out, (std::vector<std::uint32_t>{6, 1, 1, 1, 1, 1, 1, 1}));
}

TEST(SoftwareStack, MistakesAreNamed) {
  const Error pop = error_of([] { run_pushes("no_push", software(kEightLanes)); });
  EXPECT_EQ(pop.code(), "pop");
  EXPECT_NE(std::string(pop.what()).find("pop without its push in kernel no_push"), std::string::npos) << pop.what();
  EXPECT_EQ(error_of([] { run_pushes("pushes_for_ever", software(kEightLanes)); }).code(), "overflow");
  EXPECT_EQ(error_of([] { software({"dpe.path_forwarding=true"}); }).code(), "config");
  EXPECT_EQ(error_of([] { software({"dpe.memory_split=true"}); }).code(), "config");
}

TEST(SoftwareStack, CountsTheSameOnEveryEngine) {
  for (const Engine engine : engines()) {
    for (const char* kernel : {"nested", "library", "ends"}) {
      const Outcome twin = run_pushes(kernel, software(kEightLanes)),
                    here = run_pushes(kernel, software(kEightLanes), engine);
      EXPECT_EQ(here.out, twin.out) << kernel;
      EXPECT_EQ(all_figures(here.stats), all_figures(twin.stats)) << kernel;
    }
    EXPECT_EQ(all_figures(run_workload("bfs", software(), engine)), all_figures(run_workload("bfs", software())));
  }
}

class WorkloadOnSoftwareStack : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, WorkloadOnSoftwareStack, testing::ValuesIn(ending_workloads()),
                         [](const auto& info) { return info.param; });

TEST_P(WorkloadOnSoftwareStack, IsRight) {
  const Stats issue = run_workload(GetParam(), software());
  const Stats execute = run_workload(
      GetParam(), software({"frontend.resolve=execute", "scoreboard.kind=optimistic", "core.predicate=0"}));
  EXPECT_LE(issue.loaded_rows, issue.saved_rows);
  EXPECT_LE(execute.loaded_rows, execute.saved_rows);
}

}  // namespace
}  // namespace heddle::test::software_stack_test
