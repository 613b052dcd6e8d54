// SPDX-License-Identifier: Apache-2.0
// Sums of statistics, the ratios, and the comparison table.
#include "heddle/stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "report/metrics.h"
#include "report/perturbed.h"
#include "report/report.h"
#include "report/text.h"

namespace heddle::stats_test {
namespace {

Stats some_stats() {
  Stats s;
  s.cycles = 100;
  s.warp_instructions = 50;
  s.thread_instructions = 800;
  s.live_lane_slots = 1000;
  s.schedulable_paths = 60;
  s.sibling_issues = 10;
  s.stalls = {50, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  s.max_stack_depth = 4;
  s.lanes = 32;
  s.schedulers = 2;
  return s;
}

TEST(StatsAdd, SumsCountsAndKeepsMaxima) {
  Stats a = some_stats();
  Stats b = some_stats();
  b.max_stack_depth = 3;
  b.stack_depth[3] = 5;
  b.l1.hits = 7;
  b.warp_size[32] = 11;
  a.add(b);
  EXPECT_EQ(a.cycles, 200u);
  EXPECT_EQ(a.thread_instructions, 1600u);
  EXPECT_EQ(a.stalls[9], 18u);
  EXPECT_EQ(a.warp_size[32], 11u);
  EXPECT_EQ(a.l1.hits, 7u);
  EXPECT_EQ(a.max_stack_depth, 4u);
  EXPECT_EQ(a.stack_depth[3], 5u);
  EXPECT_EQ(a.lanes, 32u);
}

TEST(StatsAdd, KeepsTheFirstThreadThatFailed) {
  Stats sum, first, second;
  first.exits = {2, {5, {1, 0, 0}, {3, 0, 0}, 0x10000040, 70}};
  second.exits = {1, {6, {0, 0, 0}, {0, 0, 0}, 0x10000080, 10}};
  for (const Stats& stats : {Stats{}, first, second, Stats{}}) sum.add(stats);
  EXPECT_EQ(sum.exits.failed, 3u);
  EXPECT_EQ(sum.exits.first.status, 5u);
  EXPECT_EQ(sum.exits.first.pc, 0x10000040u);
}

TEST(StatsAdd, EmptyStatsChangeNothingAndTakeEverything) {
  Stats sum;
  sum.add(some_stats());
  sum.add(Stats());
  EXPECT_EQ(sum.cycles, 100u);
  EXPECT_EQ(sum.lanes, 32u);
  EXPECT_EQ(sum.schedulers, 2u);
}

TEST(StatsAdd, BranchesAreMergedByPcAndStaySorted) {
  std::mt19937 random(1);
  Stats sum;
  std::map<Pc, std::uint64_t> expected;
  for (int round = 0; round < 50; ++round) {
    Stats part;
    for (Pc pc = 0; pc < 200; pc += 4) {
      if (random() % 3 != 0) continue;
      const std::uint64_t count = random() % 100;
      part.branches.push_back({pc, pc + 8, count, count / 2, count / 4});
      expected[pc] += count;
    }
    sum.add(part);
  }
  ASSERT_EQ(sum.branches.size(), expected.size());
  auto want = expected.begin();
  for (const BranchStats& branch : sum.branches) {
    EXPECT_EQ(branch.pc, want->first);
    EXPECT_EQ(branch.executed, want->second);
    EXPECT_EQ(branch.rpc, branch.pc + 8);
    ++want;
  }
}

TEST(Metrics, RatiosFollowTheirDefinitions) {
  const Stats s = some_stats();
  EXPECT_DOUBLE_EQ(ipc(s), 8.0);
  EXPECT_DOUBLE_EQ(lane_utilization(s), 0.5);
  EXPECT_DOUBLE_EQ(lane_utilization_live(s), 0.8);
  EXPECT_DOUBLE_EQ(avg_path(s), 1.2);
  EXPECT_DOUBLE_EQ(sibling_share(s), 0.2);
  EXPECT_EQ(idle_cycles(s), 45u);
}

TEST(Metrics, NothingToDivideByGivesZero) {
  const Stats none;
  for (const double value : {ipc(none), lane_utilization(none), lane_utilization_live(none), avg_path(none),
                             sibling_share(none), l1_hit_rate(none)}) {
    EXPECT_EQ(value, 0.0);
  }
}

RunReport report_of(const std::string& workload, const std::string& mechanism, std::uint64_t cycles) {
  RunReport run;
  run.workload = workload;
  run.config.mechanism = mechanism;
  run.stats = some_stats();
  run.stats.cycles = cycles;
  return run;
}

TEST(CompareTable, SpeedUpIsAgainstTheFirstMechanismOfTheSameWorkload) {
  const std::string table = compare_table(
      {report_of("a", "spe", 300), report_of("a", "dpe", 200), report_of("b", "spe", 100), report_of("b", "dpe", 100)});
  EXPECT_NE(table.find("1.500"), std::string::npos) << table;
  EXPECT_NE(table.find("dpe over spe: 1.225 (geometric mean of 2 workloads)"), std::string::npos) << table;
}

TEST(CompareTable, RunsThatDidNotPassHaveNoSpeedUp) {
  RunReport failed = report_of("a", "dpe", 50);
  failed.set_error(Error(ExitStatus::kWrongResult, "result", "wrong"));
  const std::string table = compare_table({report_of("a", "spe", 300), failed});
  EXPECT_NE(table.find("fail"), std::string::npos);
  EXPECT_NE(table.find("  50         -  "), std::string::npos) << table;
}

// Two runs each of "spe" and `other`, with these cycles and lines of 128 bytes.
std::vector<RunReport> perturbed(const std::string& other, const std::vector<std::uint64_t>& cycles,
                                 const std::vector<std::uint64_t>& lines) {
  std::vector<RunReport> runs;
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    runs.push_back(report_of("a", i < 2 ? "spe" : other, cycles[i]));
    runs.back().stats.l1.bytes_read = 128 * lines[i];
    if (i < 2) runs.back().stats.schedulable_paths = runs.back().stats.warp_instructions;
  }
  return runs;
}

TEST(Perturbed, SpreadIsMeanSampleDeviationAndEnds) {
  const Spread spread = spread_of({1, 2, 6});
  EXPECT_DOUBLE_EQ(spread.mean, 3);
  EXPECT_DOUBLE_EQ(spread.deviation, std::sqrt((4 + 1 + 9) / 2.0));
  EXPECT_EQ(spread.min, 1);
  EXPECT_EQ(spread.max, 6);
}

TEST(Perturbed, GainIsAgainstTheRunWithTheSamePerturbation) {
  const std::vector<PerturbedGain> rows =
      perturbed_gains(perturbed("dpe", {300, 400, 200, 200}, {100, 100, 101, 99}), 2);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].baseline, "spe");
  EXPECT_EQ(rows[1].gains, (std::vector<double>{1.5, 2.0}));
  EXPECT_DOUBLE_EQ(rows[1].cycles.mean, 200);
  EXPECT_DOUBLE_EQ(rows[1].lines.mean, 1);
  EXPECT_DOUBLE_EQ(rows[1].lines.max, 1.01);
}

TEST(Perturbed, AGainIsLatencyHidingOnlyWithAsManyLinesAndASecondPath) {
  const auto reading = [](const std::vector<std::uint64_t>& cycles, const std::vector<std::uint64_t>& lines,
                          const char* mechanism = "dpe") {
    std::vector<RunReport> runs = perturbed(mechanism, cycles, lines);
    if (std::string(mechanism) != "dpe") {
      for (RunReport& run : runs) run.stats.schedulable_paths = run.stats.warp_instructions;
    }
    return perturbed_gains(runs, 2)[1].reading;
  };
  EXPECT_EQ(reading({300, 300, 200, 200}, {1000, 1000, 1019, 1019}), Reading::kLatencyHiding);
  EXPECT_EQ(reading({300, 300, 200, 200}, {1000, 1000, 1021, 1021}), Reading::kTraffic);
  EXPECT_EQ(reading({300, 300, 200, 200}, {1000, 1000, 979, 979}), Reading::kTraffic);
  EXPECT_EQ(reading({300, 300, 200, 200}, {0, 0, 1, 1}), Reading::kTraffic);
  EXPECT_EQ(reading({300, 300, 200, 200}, {0, 0, 0, 0}), Reading::kLatencyHiding);
  EXPECT_EQ(reading({300, 300, 200, 200}, {100, 100, 100, 100}, "dwf"), Reading::kOther);
  EXPECT_EQ(reading({300, 300, 200, 300}, {100, 100, 100, 100}), Reading::kNone);
  EXPECT_EQ(reading({300, 300, 200, 301}, {100, 100, 100, 100}), Reading::kNone);
  EXPECT_EQ(reading({300, 300, 301, 302}, {100, 100, 100, 100}), Reading::kLoss);
  EXPECT_EQ(reading({300, 300, 200}, {100, 100, 100}), Reading::kUnknown);  // stopped before the last one
}

TEST(Perturbed, RunsThatDidNotPassAreNotCompared) {
  std::vector<RunReport> runs = perturbed("dpe", {300, 300, 200, 100}, {1, 1, 1, 1});
  runs[3].set_error(Error(ExitStatus::kWrongResult, "result", "wrong"));
  const PerturbedGain row = perturbed_gains(runs, 2)[1];
  EXPECT_EQ(row.gains, std::vector<double>{1.5});
  EXPECT_EQ(row.status, ExitStatus::kWrongResult);
  EXPECT_EQ(row.reading, Reading::kUnknown);
}

TEST(Perturbed, TheTableHasMeanSpreadAndTheGeometricMeanOfEachPerturbation) {
  std::vector<RunReport> runs = perturbed("dpe", {300, 400, 200, 200}, {100, 100, 50, 50});
  for (RunReport run : perturbed("dpe", {100, 100, 100, 100}, {1, 1, 1, 1})) {
    run.workload = "b";
    runs.push_back(run);
  }
  const std::string table = perturbed_table(runs, 2);
  EXPECT_NE(table.find("1.750      0.354  1.500  2.000  0.500  traffic"), std::string::npos) << table;
  EXPECT_NE(table.find("dpe over spe: 1.319, from 1.225 to 1.414 (geometric mean of 2 workloads)"), std::string::npos)
      << table;
}

TEST(ResultName, StatusesHaveThreeNames) {
  RunReport unchecked;
  unchecked.checked = false;
  EXPECT_STREQ(result_name(unchecked), "unchecked");
  unchecked.status = ExitStatus::kMachineStopped;
  EXPECT_STREQ(result_name(unchecked), "error");
  EXPECT_STREQ(result_name(ExitStatus::kPass), "pass");
  EXPECT_STREQ(result_name(ExitStatus::kWrongResult), "fail");
  EXPECT_STREQ(result_name(ExitStatus::kBadInput), "error");
  EXPECT_STREQ(result_name(ExitStatus::kMachineStopped), "error");
}

TEST(Grouped, PutsACommaBeforeEveryThirdDigit) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

}  // namespace
}  // namespace heddle::stats_test
