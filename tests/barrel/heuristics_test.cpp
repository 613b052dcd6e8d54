// SPDX-License-Identifier: Apache-2.0
// How much of the machine the issue heuristics use, on shapes of divergence for which the best figure is known.
#include <gtest/gtest.h>

#include "engine/support.h"

namespace heddle::test {
namespace {

constexpr const char* kHeuristics[] = {"dmaj", "dmin", "dtime", "dpdpri", "dpc"};
constexpr const char* kRegfiles[] = {"ideal", "lane_aware"};

Config machine(const Settings& settings) {
  ConfigBuilder builder;
  builder.apply_preset("dwf2007");
  for (const std::string& setting : settings) builder.set(setting, "test");
  return builder.build();
}
Config stacks() { return machine({"mechanism=pdom-barrel"}); }
Config formation(const std::string& heuristic, const std::string& regfile, const Settings& more = {}) {
  Settings settings{"mechanism=dwf", "dwf.heuristic=" + heuristic, "dwf.regfile=" + regfile};
  settings.insert(settings.end(), more.begin(), more.end());
  return machine(settings);
}

double instructions_a_cycle(const Stats& stats) { return static_cast<double>(stats.thread_instructions) / static_cast<double>(stats.cycles); }

// Of 256 threads on a kernel of kernels/divergence.S.
double rate(const std::string& kernel, std::uint32_t rounds, const Config& config) {
  Device device(config);
  device.load(HEDDLE_DIVERGENCE);
  device.launch(kernel, {1}, {256}, {device.allocate(4 * 256), rounds});
  return instructions_a_cycle(device.stats());
}

TEST(Heuristics, ReachTheStackMachineOnCodeThatDoesNotDiverge) {
  const double straight = rate("straight", 40, stacks()), alu = instructions_a_cycle(run_workload("alu", stacks()));
  EXPECT_GT(straight, 15.9);
  for (const char* heuristic : kHeuristics) {
    for (const char* regfile : kRegfiles) {
      SCOPED_TRACE(std::string(heuristic) + " " + regfile);
      EXPECT_GE(rate("straight", 40, formation(heuristic, regfile)), 0.99 * straight);
      EXPECT_GE(instructions_a_cycle(run_workload("alu", formation(heuristic, regfile))), 0.99 * alu);
    }
  }
}

}  // namespace
}  // namespace heddle::test
