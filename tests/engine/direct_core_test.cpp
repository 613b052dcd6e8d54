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

}  // namespace
}  // namespace heddle::test
