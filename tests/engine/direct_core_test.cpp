// SPDX-License-Identifier: Apache-2.0
// Engine systemc has two cores: in the SystemC kernel where something is watched, without it where nothing is. Every count is the same.
#include <filesystem>
#include <tuple>

#include <gtest/gtest.h>

#include "support.h"

namespace heddle::test {
namespace {

struct Machine {
  std::string name, mechanism;
  Settings settings;
};

std::ostream& operator<<(std::ostream& out, const Machine& machine) { return out << machine.name; }

const std::vector<Machine> kMachines = {
    {"spe", "spe", {}},
    {"compact_stack", "spe", {"stack.kind=compact"}},
    {"bitmap_scoreboard", "spe", {"scoreboard.kind=bitmap"}},
    {"four_schedulers", "spe", {"core.schedulers=4", "core.warps=16", "frontend.resolve=execute"}},
    {"dpe", "dpe", {}},
    {"forwarding", "dpe", {"dpe.path_forwarding=on"}},
    {"memory_split", "dpe", {"dpe.memory_split=on"}},
    {"software_stack", "dpe", {"dpe.stack=software"}},
    {"dws", "dws", {}},
    {"forkjoin", "forkjoin", {}},
    {"dwf", "dwf", {}},
    {"dwf_exact", "dwf", {"dwf.table_sort=exact"}},
};

class DirectCore : public testing::TestWithParam<std::tuple<Machine, std::string>> {};

INSTANTIATE_TEST_SUITE_P(All, DirectCore, testing::Combine(testing::ValuesIn(kMachines), testing::Values("figure6", "qsort", "stencil3d", "lud")),
                         [](const auto& info) { return std::get<0>(info.param).name + "_" + std::get<1>(info.param); });

TEST_P(DirectCore, CountsWhatTheKernelsDoes) {
  const auto& [machine, name] = GetParam();
  const Config built = config(machine.mechanism, machine.settings, preset_of_mechanism(machine.mechanism));
  TraceOptions one_cycle;
  one_cycle.path = testing::TempDir() + machine.name + "_" + name + ".vcd";
  one_cycle.end = 0;
  Stats watched;
  {
    WorkloadOptions options;
    options.size = "small";
    const std::unique_ptr<Workload> workload = make_workload(name, options);
    Device device(built);
    device.set_trace(one_cycle);
    device.load(workload->elf(kernel_form(built)));
    workload->run(device);
    workload->check();
    watched = device.stats();
  }
  EXPECT_TRUE(std::filesystem::exists(one_cycle.path));
  EXPECT_EQ(all_figures(run_workload(name, built)), all_figures(watched));
}

// ---------------------------------------------------------------- cycles in which nothing can change

struct Surroundings {
  std::string name;
  Settings settings;
};

std::ostream& operator<<(std::ostream& out, const Surroundings& surroundings) { return out << surroundings.name; }

const std::vector<Surroundings> kSurroundings = {
    {"simple", {}},
    {"few_warps", {"core.warps=8", "memory.latency=600"}},
    {"hierarchy", {"memory.kind=hierarchy", "core.warps=16"}},
    {"three_sms", {"memory.kind=hierarchy", "gpu.sms=3"}},
    {"two_sms", {"gpu.sms=2", "memory.latency=500"}},
    {"resolved_at_execute", {"frontend.resolve=execute", "frontend.fetch_latency=7", "alu.latency=20", "core.warps=8"}},
    {"slow_units", {"alu.interval=5", "fp.interval=64", "muldiv.interval=33", "sfu.interval=40", "muldiv.div_latency=256", "core.warps=8"}},
    {"written_back", {"l1.write=back", "l1.banks=4", "l1.mshrs=2", "memory.bytes_per_cycle=4", "core.warps=8"}},
    {"local_written_back", {"l1.write=local_back", "memory.kind=hierarchy", "core.warps=8"}},
    {"narrow_memory", {"memory.kind=hierarchy", "l1.mshrs=4", "l2.bytes=24576", "l2.mshrs=2", "dram.queue=2", "noc.credits=1", "noc.queue=1", "core.warps=8"}},
    {"one_scheduler", {"core.schedulers=1", "core.warps=9", "selector.policy=gto"}},
};

class SkipIdle : public testing::TestWithParam<std::tuple<Machine, Surroundings>> {};

INSTANTIATE_TEST_SUITE_P(All, SkipIdle, testing::Combine(testing::ValuesIn(kMachines.begin(), kMachines.end() - 2), testing::ValuesIn(kSurroundings)),
                         [](const auto& info) { return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name; });

Settings joined(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

TEST_P(SkipIdle, ChangesNoCount) {
  const auto& [machine, surroundings] = GetParam();
  const Settings settings = joined(joined(machine.settings, surroundings.settings), {"run.oracle=off", "stack.depth=32"});
  for (const char* workload : {"bfs", "qsort", "lud", "mcml"}) {
    const Stats run = run_workload(workload, config(machine.mechanism, joined(settings, {"run.skip_idle=off"})));
    EXPECT_EQ(all_figures(run_workload(workload, config(machine.mechanism, joined(settings, {"run.skip_idle=on"})))), all_figures(run)) << workload;
  }
}

TEST(SkipIdle, StopsInTheSameCycle) {
  for (const auto& [workload, limit] : {std::pair{"bfs", "run.max_cycles=3001"}, std::pair{"spin", "run.watchdog=130"}}) {
    std::string said[2];
    for (const bool skip : {false, true}) {
      try {
        run_workload(workload, config("spe", joined({limit}, {"core.warps=8", skip ? "run.skip_idle=on" : "run.skip_idle=off"})));
        said[skip] = "ended";
      } catch (const Error& error) {
        said[skip] = std::string(error.what()) + error.details();
      }
    }
    EXPECT_EQ(said[0], said[1]);
    EXPECT_NE(said[0], "ended");
  }
}

}  // namespace
}  // namespace heddle::test
