// SPDX-License-Identifier: Apache-2.0
// Dynamic warp subdivision: which branches subdivide, what that costs, and barriers. Kernels in kernels/splits.S.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "heddle/observer.h"
#include "isa/instruction.h"
#include "support.h"

namespace heddle::test::dws_test {
namespace {

// The threads of each issue of the xori that names a block.
class Blocks final : public Observer {
 public:
  void commit(const CommitEvent& event) override {
    if (event.instruction->op == Op::kXori) masks[event.instruction->imm].push_back(event.mask);
  }

  std::map<int, std::vector<LaneMask>> masks;
};

struct Watched {
  Outcome outcome;
  Blocks blocks;
};

Watched run_watched(const std::string& kernel, unsigned threads, const Config& config,
                    std::vector<std::uint64_t> more = {}, Engine engine = Engine::kSystemC) {
  Watched run;
  Device device(config, engine);
  device.add_observer(run.blocks);
  device.load(elf("splits"));
  run.outcome.out.resize(threads);
  more.insert(more.begin(), device.allocate(4 * threads));
  device.launch(kernel, {1}, {threads}, more);
  device.read(more.front(), run.outcome.out.data(), 4 * threads);
  run.outcome.stats = device.stats();
  return run;
}

Config dws(Settings settings = {}) { return config("dws", settings); }

constexpr int kB = 2, kC = 4, kD = 8, kE = 16, kF = 32, kG = 64;

TEST(Dws, AShortBlockBehindABranchIsIssuedOnceForEachSplit) {
  const Watched run = run_watched("figure1", 8, dws({"core.lanes=8", "dws.threshold=2"}));
  const auto& masks = run.blocks.masks;
  EXPECT_EQ(masks.at(kB), std::vector<LaneMask>{0x03});
  EXPECT_EQ(masks.at(kC), std::vector<LaneMask>{0xfc});
  EXPECT_EQ(masks.at(kD), std::vector<LaneMask>{0x1c});
  EXPECT_EQ(masks.at(kE), std::vector<LaneMask>{0xe0});
  EXPECT_EQ(masks.at(kF), (std::vector<LaneMask>{0xe0, 0x1c}));  // D ends with a jump: E is there first
  EXPECT_EQ(masks.at(kG), std::vector<LaneMask>{0xff});          // A went over the stack: G is long
  const Stats& stats = run.outcome.stats;
  EXPECT_EQ(stats.splits.made, 1u);
  EXPECT_EQ(stats.splits.merged, 0u);
  EXPECT_EQ(stats.splits.refused, 0u);
  EXPECT_EQ(stats.splits.most, 2u);
  EXPECT_EQ(stats.max_stack_depth, 3u);  // G, B, and the entry that is in splits
}

TEST(Dws, ABlockAboveTheThresholdIsIssuedByAll) {
  const Watched run = run_watched("figure1", 8, dws({"core.lanes=8", "dws.threshold=0"}));
  EXPECT_EQ(run.blocks.masks.at(kF), std::vector<LaneMask>{0xfc});
  EXPECT_EQ(run.outcome.stats.splits.made, 0u);
  EXPECT_EQ(run.outcome.stats.max_stack_depth, 5u);
}

TEST(Dws, AHighThresholdRunsG_ForEachSplit) {
  const Watched run = run_watched("figure1", 8, dws({"core.lanes=8", "dws.threshold=100"}));
  LaneMask all = 0;
  for (const LaneMask mask : run.blocks.masks.at(kG)) {
    EXPECT_EQ(all & mask, 0u);
    all |= mask;
  }
  EXPECT_EQ(all, 0xffu);
  EXPECT_GT(run.blocks.masks.at(kG).size(), 1u);
  EXPECT_EQ(run.outcome.stats.max_stack_depth, 1u);
  EXPECT_EQ(run.outcome.stats.splits.most, 3u);
}

// Splits come to a barrier one by one, also those for which the table has no room.
class SplitsAtBarriers : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Table, SplitsAtBarriers, testing::Values(2, 3, 8, 32));

TEST_P(SplitsAtBarriers, AreCountedAsThreads) {
  const std::uint32_t threads = 64;
  const Watched run = run_watched("fan", threads, dws({"dws.splits=" + std::to_string(GetParam())}), {4 * threads});
  for (unsigned t = 0; t < threads; ++t) EXPECT_EQ(run.outcome.out[t], (t + 1) % 32) << t;
  const SplitStats& splits = run.outcome.stats.splits;
  EXPECT_EQ(splits.refused == 0, GetParam() == 32) << splits.refused;
  if (GetParam() < 32) {
    EXPECT_EQ(splits.most, GetParam());
  } else {
    EXPECT_GT(splits.most, 8u);
  }
}

TEST(Dws, EveryEngineDoesTheSame) {
  for (const char* kernel : {"figure1", "fan"}) {
    SCOPED_TRACE(kernel);
    const Watched twin = run_watched(kernel, 64, dws({"dws.threshold=2"}), {256});
    EXPECT_EQ(twin.outcome.out, run_watched(kernel, 64, config("spe"), {256}).outcome.out);
    for (const Engine engine : engines()) {
      const Watched run = run_watched(kernel, 64, dws({"dws.threshold=2"}), {256}, engine);
      EXPECT_EQ(run.outcome.out, twin.outcome.out);
      EXPECT_EQ(run.blocks.masks, twin.blocks.masks);
      EXPECT_EQ(all_figures(run.outcome.stats), all_figures(twin.outcome.stats));
    }
  }
}

// Threads are counted, at whichever barrier they are; a stack has no way to bring both sides to theirs.
TEST(Dws, SidesMayComeToDifferentBarriers) {
  const Watched run = run_watched("apart", 32, dws(), {7});
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(run.outcome.out[t], t < 7 ? 18u : 17u) << t;
  EXPECT_EQ(error_of([] { run_watched("apart", 32, config("spe"), {7}); }).code(), "barrier");
}

// The one with the lock runs on beside those who spin, if the branch that leaves the loop (in front of 5 instructions)
// subdivides.
TEST(Dws, ALockWithinAWarpEndsWhereTheLoopsBranchSubdivides) {
  EXPECT_GT(run_workload("spin", dws()).splits.made, 0u);
  EXPECT_EQ(run_workload("spin", dws({"dws.splits=2", "dws.threshold=5"})).splits.most, 2u);
  const Error error = error_of([] { run_workload("spin", dws({"dws.threshold=4", "run.watchdog=2000"})); });
  EXPECT_EQ(error.code(), "watchdog");
}

class WorkloadOnDws : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, WorkloadOnDws, testing::Values("figure6", "bfs", "lud", "stencil3d", "bitonic", "reduce"),
                         [](const auto& info) { return info.param; });

TEST_P(WorkloadOnDws, CountsTheSameOnEveryEngine) {
  const Stats systemc = run_workload(GetParam(), dws());
  for (const Engine engine : engines())
    EXPECT_EQ(all_figures(run_workload(GetParam(), dws(), engine)), all_figures(systemc));
}

// What meets later, or not at all, issues more often for the same threads. The blocks behind the branches of lud are
// passed by few splits: the paper, too, has it among the programs that lose next to nothing.
TEST(Dws, LaneUtilizationFallsWithTheThreshold) {
  const auto utilization = [&](const char* name, const Config& config) {
    const Stats stats = run_workload(name, config);
    return static_cast<double>(stats.thread_instructions) / static_cast<double>(stats.warp_instructions * stats.lanes);
  };
  const auto with_threshold = [&](const char* name, unsigned threshold) {
    return utilization(name, dws({"dws.splits=32", "dws.threshold=" + std::to_string(threshold)}));
  };
  EXPECT_EQ(with_threshold("viterbi", 0), utilization("viterbi", config("spe")));
  EXPECT_LT(with_threshold("viterbi", 5), with_threshold("viterbi", 0));
  EXPECT_LT(with_threshold("viterbi", 10), with_threshold("viterbi", 5) - 0.01);
  EXPECT_LE(with_threshold("viterbi", 100), with_threshold("viterbi", 10));
  EXPECT_LT(with_threshold("stencil3d", 50), utilization("stencil3d", config("spe")) - 0.05);
  EXPECT_NEAR(with_threshold("lud", 50), utilization("lud", config("spe")), 0.01);
}

}  // namespace
}  // namespace heddle::test::dws_test
