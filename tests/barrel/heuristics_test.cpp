// SPDX-License-Identifier: Apache-2.0
// How much of the machine the issue heuristics use, on shapes of divergence for which the best figure is known.
#include <gtest/gtest.h>

#include "engine/support.h"

namespace heddle::test::heuristics_test {
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

double instructions_a_cycle(const Stats& stats) {
  return static_cast<double>(stats.thread_instructions) / static_cast<double>(stats.cycles);
}

// Of 256 threads on a kernel of kernels/divergence.S.
double rate(const std::string& kernel, std::uint32_t rounds, const Config& config) {
  Device device(config);
  device.load(HEDDLE_DIVERGENCE);
  device.launch(kernel, {1}, {256}, {rounds});
  return instructions_a_cycle(device.stats());
}

double alu_rate(const Config& config) {
  WorkloadOptions options;
  options.size = "small";
  options.parameters = {{"blocks", "1"}, {"block", "256"}, {"iterations", "80"}};
  const std::unique_ptr<Workload> workload = make_workload("alu", options);
  Device device(config);
  device.load(workload->elf());
  workload->run(device);
  workload->check();
  return instructions_a_cycle(device.stats());
}

TEST(Rates, OfCodeWithoutDivergenceAreThoseOfTheStackMachine) {
  const double straight = rate("straight", 40, stacks());
  EXPECT_GT(straight, 15.9);
  for (const char* heuristic : kHeuristics) {
    for (const char* regfile : kRegfiles)
      EXPECT_GE(rate("straight", 40, formation(heuristic, regfile)), 0.99 * straight) << heuristic << ' ' << regfile;
  }
  EXPECT_GE(rate("straight", 40, formation("dmaj", "lane_aware", {"dwf.table_sort=exact"})), 0.99 * straight);
}

// The stores with which alu begins send its warps apart in time. dmaj then leaves those that are few behind for good,
// and they end alone, too few for the pipeline: the starvation that the paper reports. It reaches 0.76 here and is not
// held to 0.99.
TEST(Rates, OfCodeThatBeginsWithMemoryAreThoseOfTheStackMachineButForDmaj) {
  const double alu = alu_rate(stacks());
  EXPECT_GT(alu, 15.8);
  for (const char* heuristic : {"dmin", "dtime", "dpdpri", "dpc"}) {
    for (const char* regfile : kRegfiles)
      EXPECT_GE(alu_rate(formation(heuristic, regfile)), 0.99 * alu) << heuristic << ' ' << regfile;
  }
}

// Instructions a cycle on an ideal and on a lane-aware register file.
struct Expected {
  const char* kernel;
  std::uint32_t rounds;
  const char* heuristic;
  double ideal, lane_aware;
};

// What can be had if all threads at a PC issue together, once, and nothing else than the threads' own numbers decides:
// a side of a branch takes ceil(threads / 16) issues of each of its instructions, or, lane-aware, as many as the
// fullest lane has threads; in the loop at least the nine cycles of the pipeline. 5 % are allowed: launch and end, the
// start of a side, before its warps are full, and the instructions that all execute, of which the kernels have more or
// fewer than the sums behind these figures. (loop_trips_met: the sums over its own draws. loop_trips with dpdpri, whose
// rounds overlap the more of them there are: the trace model that always picks the first of all, 40 rounds, mean of six
// draws; TraceModel.PickingAheadKeepsTheRateOfLoops.)
TEST(Rates, OfRandomBranchesAreNearTheBestThatCanBeHad) {
  constexpr Expected kExpected[] = {
      {"if_else", 40, "dpdpri", 15.3, 11.6},   {"if_else", 40, "dmaj", 15.3, 11.6},
      {"nested_if", 40, "dpdpri", 14.7, 10.2}, {"loop_trips", 40, "dpdpri", 10.3, 9.0},
      {"loop_trips", 40, "dmaj", 13.4, 10.9},  {"loop_trips_met", 40, "dpdpri", 12.16, 10.98},
  };
  for (const Expected& expected : kExpected) {
    SCOPED_TRACE(std::string(expected.kernel) + " " + expected.heuristic);
    EXPECT_NEAR(rate(expected.kernel, expected.rounds, formation(expected.heuristic, "ideal")), expected.ideal,
                0.05 * expected.ideal);
    EXPECT_NEAR(rate(expected.kernel, expected.rounds, formation(expected.heuristic, "lane_aware")),
                expected.lane_aware, 0.05 * expected.lane_aware);
  }
}

}  // namespace
}  // namespace heddle::test::heuristics_test
