// SPDX-License-Identifier: Apache-2.0
// The limit study as a whole: the replayed stack against the machine, the loop of Figure 7, barriers, limits.
#include "limit/study.h"

#include <gtest/gtest.h>

#include <map>

#include "config/config.h"
#include "heddle/device.h"
#include "heddle/error.h"
#include "isa/launch.h"
#include "program/loader.h"
#include "workloads/workload.h"

namespace heddle {
namespace {

using Settings = std::vector<std::string>;  // key=value

Config config(const Settings& settings) {
  ConfigBuilder builder;
  for (const std::string& setting : settings) builder.set(setting, "test");
  return builder.build();
}

// What the machine issues for the warps whose first thread is among the first `threads` of a launch.
class IssueCounter final : public Observer {
 public:
  IssueCounter(std::uint64_t threads, unsigned lanes) : threads_(threads), lanes_(lanes) {}
  void launch_begin(const Launch& launch, const AddressSpace&) override {
    threads_per_block_ = launch.threads_per_block();
  }
  void block_begin(Cycle, unsigned block_slot, std::uint64_t block) override { block_in_slot_[block_slot] = block; }
  void warp_begin(Cycle, WarpId warp, unsigned block_slot, std::uint32_t warp_in_block, LaneMask) override {
    counted_[warp] = block_in_slot_[block_slot] * threads_per_block_ + std::uint64_t{warp_in_block} * lanes_ < threads_;
  }
  void commit(const CommitEvent& event) override { issues_ += counted_[event.warp] ? 1 : 0; }
  [[nodiscard]] std::uint64_t issues() const { return issues_; }

 private:
  const std::uint64_t threads_;
  const unsigned lanes_;
  std::uint64_t threads_per_block_ = 0, issues_ = 0;
  std::map<unsigned, std::uint64_t> block_in_slot_;
  std::map<WarpId, bool> counted_;
};

using Host = std::function<void(DeviceInterface&)>;

LimitResult study(const std::string& elf, const Config& config, const Host& host, const LimitOptions& options = {}) {
  return study_limit("test", config, options, load_program(elf),
                     [&](DeviceInterface& device, const Program&) { host(device); });
}

std::uint64_t machine_issues(const std::string& elf, const Config& config, const Host& host, std::uint64_t threads) {
  Device device(config);
  IssueCounter counter(threads, config.core.lanes);
  device.add_observer(counter);
  device.load(elf);
  host(device);
  return counter.issues();
}

// A kernel of the tests whose only argument is an array of one word a thread.
Host one_launch(const std::string& kernel, Dim3 grid, Dim3 block) {
  return [=](DeviceInterface& device) {
    const Address data = device.allocate(static_cast<std::uint32_t>(4 * grid.count() * block.count()));
    device.launch(kernel, grid, block, {data});
  };
}

std::string elf(const std::string& name) { return HEDDLE_TEST_KERNELS "/" + name + ".elf"; }

void expect_order(const LimitResult& result) {
  EXPECT_LE(result.longest_traces, result.oracle_issues);
  EXPECT_LE(result.oracle_issues, result.pdom_issues);
  EXPECT_LE(result.pdom_issues, result.thread_instructions);
}

class ReplayedWorkload : public testing::TestWithParam<const char*> {};

TEST_P(ReplayedWorkload, IssuesWhatTheSinglePathMachineIssues) {
  for (const Settings& settings : {Settings{"core.lanes=16"}, Settings{"core.lanes=8", "stack.order=smaller_first"}}) {
    for (const std::uint64_t threads : {std::uint64_t{128}, std::uint64_t{20}}) {
      LimitOptions options;
      options.threads = threads;
      const std::shared_ptr<Workload> workload = make_workload(GetParam(), {"small", 1, {}});
      const Host host = [&](DeviceInterface& device) { workload->run(device); };
      const LimitResult result = study(workload->elf(), config(settings), host, options);
      EXPECT_NO_THROW(workload->check());
      EXPECT_EQ(result.pdom_issues, machine_issues(workload->elf(), config(settings), host, threads))
          << settings.front() << ", " << threads;
      expect_order(result);
    }
  }
}

// Workloads whose threads do not influence each other's paths.
INSTANTIATE_TEST_SUITE_P(Limit, ReplayedWorkload,
                         testing::Values("figure6", "bfs", "lud", "qsort", "stencil3d", "bitonic", "mandelbrot",
                                         "reduce", "collatz", "alu"),
                         [](const auto& info) { return std::string(info.param); });

class ReplayedKernel : public testing::TestWithParam<const char*> {};

TEST_P(ReplayedKernel, IssuesWhatTheSinglePathMachineIssues) {
  for (const char* lanes : {"core.lanes=4", "core.lanes=32", "core.lanes=64"}) {
    // 50 threads a block: the last warp of a block is not full.
    const Host host = one_launch(GetParam(), {3}, {50});
    const Config machine = config({lanes, "stack.depth=64", "memory.local_bytes=16K"});
    const LimitResult result = study(elf("control"), machine, host);
    EXPECT_EQ(result.pdom_issues, machine_issues(elf("control"), machine, host, 128)) << lanes;
    if (std::string(GetParam()) == "recursion") {
      // The calls of a small argument are among those of a greater one, and threads meet at their own depth: the
      // longest has them all.
      EXPECT_EQ(result.pdom_issues, result.longest_traces) << lanes;
    } else {
      EXPECT_GT(result.pdom_issues, result.longest_traces) << lanes;
    }
    expect_order(result);
  }
}

INSTANTIATE_TEST_SUITE_P(Limit, ReplayedKernel, testing::Values("recursion", "pointers", "returns", "exits"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Replay, ReconvergesWhereNoTracedThreadJumpsTo) {
  const Host host = one_launch("fall_into_rpc", {1}, {64});
  const Config machine = config({"core.lanes=16"});
  EXPECT_EQ(study(elf("figure7"), machine, host).pdom_issues, machine_issues(elf("figure7"), machine, host, 128));
}

// DWF paper, Figure 7, 128 threads in warps of 16. Per iteration the oracle saves half a body: with L instructions of
// loop and B of body it gains (L + B) / (L + B/2) - 1, at most 100 %.
TEST(Figure7, TheOracleGainsHalfOfTheBody) {
  const auto gain = [](const std::string& kernel) {
    const LimitResult result = study(elf("figure7"), config({"core.lanes=16"}), one_launch(kernel, {1}, {128}));
    EXPECT_EQ(result.warps, 8u);
    EXPECT_EQ(result.threads, 128u);
    EXPECT_LE(result.oracle_issues,
              result.longest_traces + result.warps * 128);  // lock step, but for what is around the loop
    return result.gain();
  };
  double last = 0;
  for (const char* kernel : {"figure7_1", "figure7_4", "figure7_16", "figure7_32"}) {
    const double now = gain(kernel);
    EXPECT_GT(now, last) << kernel;
    EXPECT_LT(now, 1.0) << kernel;
    last = now;
  }
  EXPECT_NEAR(last, 0.92, 0.02);  // the paper's figure
}

TEST(Figure7, BarriersLeaveNothingToGain) {
  const auto gain = [](const char* kernel) {
    return study(elf("figure7"), config({"core.lanes=16"}), one_launch(kernel, {1}, {128})).gain();
  };
  EXPECT_GT(gain("free_sections"), 0.4);
  EXPECT_EQ(gain("barrier_sections"), 0.0);
}

TEST(Study, WarpsAreRecordedWhole) {
  LimitOptions options;
  const auto traced = [&](std::uint64_t threads, Dim3 grid, Dim3 block) {
    options.threads = threads;
    const LimitResult result =
        study(elf("figure7"), config({"core.lanes=8"}), one_launch("figure7_1", grid, block), options);
    return std::pair(result.warps, result.threads);
  };
  EXPECT_EQ(traced(1, {2}, {20}), std::pair(std::uint64_t{1}, std::uint64_t{8}));
  EXPECT_EQ(traced(9, {2}, {20}), std::pair(std::uint64_t{2}, std::uint64_t{16}));
  EXPECT_EQ(traced(17, {2}, {20}),
            std::pair(std::uint64_t{3}, std::uint64_t{20}));  // the last warp of a block has 4 threads
  EXPECT_EQ(traced(20, {2}, {20}), std::pair(std::uint64_t{3}, std::uint64_t{20}));
  EXPECT_EQ(traced(21, {2}, {20}), std::pair(std::uint64_t{4}, std::uint64_t{28}));
  EXPECT_EQ(traced(1000, {2}, {20}), std::pair(std::uint64_t{6}, std::uint64_t{40}));
}

TEST(Study, LimitsAreToldWithTheOptionThatRaisesThem) {
  const auto message = [](LimitOptions options) -> std::string {
    try {
      static_cast<void>(study(elf("control"), config({}), one_launch("returns", {1}, {64}), options));
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), ExitStatus::kBadInput);
      return error.what();
    }
    return "nothing was thrown";
  };
  LimitOptions options;
  options.max_cells = 100;
  EXPECT_NE(message(options).find("--max-cells 100: not enough to align"), std::string::npos) << message(options);
  options = {};
  options.max_trace = 100;
  EXPECT_NE(message(options).find("--max-trace 100: kernel returns jumps more often"), std::string::npos)
      << message(options);
}

TEST(Study, TheSumsAreThoseOfAllLaunches) {
  const Host once = one_launch("figure7_4", {1}, {64});
  const Host twice = [&](DeviceInterface& device) { once(device), once(device); };
  const LimitResult one = study(elf("figure7"), config({}), once), two = study(elf("figure7"), config({}), twice);
  EXPECT_EQ(two.launches, 2u);
  EXPECT_EQ(two.oracle_issues, 2 * one.oracle_issues);
  EXPECT_EQ(two.pdom_issues, 2 * one.pdom_issues);
  EXPECT_EQ(two.cells, 2 * one.cells);
  EXPECT_EQ(two.thread_instructions, 2 * one.thread_instructions);
}

}  // namespace
}  // namespace heddle
