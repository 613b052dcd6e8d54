// SPDX-License-Identifier: Apache-2.0
// Memory-divergence splitting of the dual-path stack: threads that hit go on while others wait for memory. Kernels in
// kernels/parts.S.
#include <gtest/gtest.h>

#include "support.h"

namespace heddle::test::memory_split_test {
namespace {

Config dpe(bool splitting, Settings settings = {}) {
  settings.push_back(splitting ? "dpe.memory_split=true" : "dpe.memory_split=false");
  settings.emplace_back("scoreboard.kind=optimistic");
  return config("dpe", settings);
}

Outcome run_parts(const std::string& kernel, bool splitting, Engine engine = Engine::kSystemC) {
  return run_kernel("parts", kernel, {1}, {8}, dpe(splitting, {"core.lanes=8"}), {}, 0, engine);
}

// The second part's first wait and the first part's second one are at the same time; before the divergence they are one
// path again.
TEST(MemorySplit, PartsWaitForMemoryAtTheSameTime) {
  const Outcome with = run_parts("turns", true), without = run_parts("turns", false);
  EXPECT_EQ(with.out, (std::vector<std::uint32_t>{916, 916, 16, 16, 14, 14, 14, 14}));
  EXPECT_EQ(with.out, without.out);
  EXPECT_EQ(with.stats.memory_splits, 1u);
  EXPECT_EQ(with.stats.memory_joins, 1u);
  EXPECT_EQ(without.stats.memory_splits, 0u);
  EXPECT_EQ(with.stats.divergent_branches, without.stats.divergent_branches);
  const unsigned latency = config("dpe").memory.latency;
  EXPECT_LT(with.stats.cycles + latency * 3 / 4, without.stats.cycles);
}

TEST(MemorySplit, PartsMeetAtABarrier) {
  const Outcome with = run_parts("neighbours", true);
  EXPECT_EQ(with.out, run_parts("neighbours", false).out);
  EXPECT_EQ(with.out[0], 1u + 0 + 1 + 1 + 4 + 2);
  EXPECT_GE(with.stats.memory_splits, 1u);
  EXPECT_GE(with.stats.memory_joins, 1u);
}

TEST(MemorySplit, AWaitEndsWhenTheOtherPartDoesNotCome) {
  const Outcome with = run_parts("other_ways", true);
  EXPECT_EQ(with.out, run_parts("other_ways", false).out);
}

TEST(MemorySplit, PartsAtTwoBarriersAreABarrierInDivergentCode) {
  const Error error = error_of([] {
    run_kernel("parts", "two_barriers", {1}, {8}, dpe(true, {"core.lanes=8", "run.watchdog=1000"}), {}, 0,
               Engine::kSystemC);
  });
  EXPECT_EQ(error.code(), "barrier");
  EXPECT_NE(std::string(error.what()).find("while threads 0xf0 are at"), std::string::npos) << error.what();
}

TEST(MemorySplit, AnIndirectJumpIsNotExecutedAgain) {
  const Outcome with = run_parts("jumps", true);
  EXPECT_EQ(with.out, run_parts("jumps", false).out);
  EXPECT_EQ(with.stats.memory_splits, 1u);
}

TEST(MemorySplit, CountsTheSameOnEveryEngine) {
  for (const Engine engine : engines()) {
    for (const char* kernel : {"turns", "neighbours", "other_ways", "jumps"}) {
      const Outcome twin = run_parts(kernel, true), here = run_parts(kernel, true, engine);
      EXPECT_EQ(here.out, twin.out) << kernel;
      EXPECT_EQ(all_figures(here.stats), all_figures(twin.stats)) << kernel;
    }
    EXPECT_EQ(all_figures(run_workload("bfs", dpe(true), engine)), all_figures(run_workload("bfs", dpe(true))));
  }
}

class WorkloadInParts : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, WorkloadInParts, testing::ValuesIn(ending_workloads()),
                         [](const auto& info) { return info.param; });

TEST_P(WorkloadInParts, IsRight) {
  const Stats issue = run_workload(GetParam(), dpe(true));
  const Stats execute = run_workload(GetParam(), dpe(true, {"frontend.resolve=execute", "core.predicate=4"}));
  EXPECT_LE(issue.memory_joins, issue.memory_splits);
  EXPECT_LE(execute.memory_joins, execute.memory_splits);
}

TEST(MemorySplit, IsForWhatItIsBuiltFor) {
  EXPECT_EQ(error_of([] { dpe(true, {"selector.kind=constrained"}); }).code(), "config");
  EXPECT_EQ(error_of([] { dpe(true, {"dpe.path_forwarding=true"}); }).code(), "config");
}

}  // namespace
}  // namespace heddle::test::memory_split_test
