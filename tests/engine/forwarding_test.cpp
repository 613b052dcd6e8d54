// SPDX-License-Identifier: Apache-2.0
// Path forwarding of the dual-path stack: the same issues in another order, and earlier where a side is short. Kernel
// in kernels/splits.S.
#include <gtest/gtest.h>

#include "support.h"

namespace heddle::test::forwarding_test {
namespace {

Config dpe(bool forwarding, Settings settings = {}) {
  settings.push_back(forwarding ? "dpe.path_forwarding=true" : "dpe.path_forwarding=false");
  return config("dpe", settings);
}

// B runs beside E when D is done, not after E: both are chains of 60 dependent instructions.
TEST(PathForwarding, FillsTheSlotOfASideThatIsDone) {
  const Outcome with = run_kernel("splits", "unbalanced", {1}, {8}, dpe(true, {"core.lanes=8"}));
  const Outcome without = run_kernel("splits", "unbalanced", {1}, {8}, dpe(false, {"core.lanes=8"}));
  EXPECT_EQ(with.out, (std::vector<std::uint32_t>{460, 460, 700, 700, 700, 720, 720, 720}));
  EXPECT_EQ(with.out, without.out);
  EXPECT_EQ(path_figures(with.stats), path_figures(without.stats));
  EXPECT_EQ(with.stats.forwarded_paths, 1u);
  EXPECT_EQ(without.stats.forwarded_paths, 0u);
  EXPECT_LT(with.stats.cycles + 120, without.stats.cycles);
  EXPECT_GT(with.stats.schedulable_paths, without.stats.schedulable_paths);
}

class WorkloadForwarded : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, WorkloadForwarded, testing::ValuesIn(ending_workloads()),
                         [](const auto& info) { return info.param; });

TEST_P(WorkloadForwarded, IssuesWhatSpeIssues) {
  EXPECT_EQ(path_figures(run_workload(GetParam(), dpe(true))), path_figures(run_workload(GetParam(), config("spe"))));
  EXPECT_EQ(
      path_figures(run_workload(GetParam(), dpe(true, {"scoreboard.kind=optimistic", "frontend.resolve=execute"}))),
      path_figures(run_workload(GetParam(), config("spe"))));
}

TEST(PathForwarding, CountsTheSameOnEveryEngine) {
  const Figures kernel = all_figures(run_kernel("splits", "unbalanced", {1}, {8}, dpe(true, {"core.lanes=8"})).stats);
  const Figures workload = all_figures(run_workload("figure6", dpe(true)));
  for (const Engine engine : engines()) {
    EXPECT_EQ(
        all_figures(run_kernel("splits", "unbalanced", {1}, {8}, dpe(true, {"core.lanes=8"}), {}, 0, engine).stats),
        kernel);
    EXPECT_EQ(all_figures(run_workload("figure6", dpe(true), engine)), workload);
  }
}

TEST(PathForwarding, IsForWhatItIsBuiltFor) {
  EXPECT_EQ(error_of([] { run_workload("figure6", dpe(true, {"selector.kind=constrained"})); }).code(), "config");
}

}  // namespace
}  // namespace heddle::test::forwarding_test
