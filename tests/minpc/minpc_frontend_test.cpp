// SPDX-License-Identifier: Apache-2.0
// minpc/minpc_frontend as mechanism minpc: every workload's results are right, with RTL and twin in lockstep where
// divergence is wild; threads meet earlier than at post-dominators, and never later than with spe.
#include <gtest/gtest.h>

#include "tests/engine/support.h"

namespace heddle::test {
namespace {

class MinPcWorkload : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, MinPcWorkload, testing::ValuesIn(ending_workloads()),
                         [](const auto& info) { return info.param; });

TEST_P(MinPcWorkload, ResultsAreRight) {
  const Stats stats = run_workload(GetParam(), config("minpc"));
  EXPECT_GT(stats.thread_instructions, 0u);
}

#ifdef HEDDLE_HAVE_RTL
TEST(MinPcCosimulation, RtlAndTwinAgreeInEveryCycle) {
  const Settings eight_warps = {"core.warps=16"};
  for (const char* name : {"bfs", "lud", "qsort", "mandelbrot", "collatz", "evenodd", "nqueen", "ray"})
    EXPECT_GT(run_workload(name, config("minpc", eight_warps), Engine::kCosim).cycles, 0u) << name;
}
#endif

// The DWF paper's Figure 7: even and odd threads take turns, and meet before the post-dominator.
TEST(MinPc, ThreadsMeetBeforeThePostDominator) {
  const Stats spe = run_workload("evenodd", config("spe"));
  const Stats minpc = run_workload("evenodd", config("minpc"));
  EXPECT_LT(minpc.warp_instructions, spe.warp_instructions);
}

}  // namespace
}  // namespace heddle::test
