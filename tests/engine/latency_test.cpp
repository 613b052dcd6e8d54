// SPDX-License-Identifier: Apache-2.0
// Cycles from an instruction to the first that depends on it, against docs/core.md; and what makes the constrained
// selector switch.
#include <gtest/gtest.h>

#include "support.h"

namespace heddle::test::latency_test {
namespace {

constexpr unsigned kWideWord = 8;  // bytes

// Cycles between two steps of a chain.
double step_cycles(const std::string& chain, const Config& config, const std::string& program = "latency") {
  const std::uint32_t blocks = chain == "miss" ? 120 : 1;  // so that the zeros are there
  const auto stats = [&](const std::string& kernel) {
    return run_kernel(program, kernel, {blocks}, {32}, config, {}, 0, Engine::kSystemC, kWideWord).stats;
  };
  const Stats less = stats(chain + "_short"), more = stats(chain + "_long");
  return static_cast<double>(more.cycles - less.cycles) / 100;
}

void expect_distances(const Config& c) {
  const unsigned load = c.lsu_latency + 3;
  const std::vector<std::pair<const char*, unsigned>> distances = {
      {"alu", c.alu.latency + 3},
      {"mul", c.muldiv.latency + 3},
      {"div", c.div_latency + 3},
      {"fadd", c.fp.latency + 3},
      {"fdiv", c.fp_div_latency + 3},
      {"special", c.sfu.latency + 3},
      {"shared", load + c.shared.latency},
      {"hit", load + c.l1.hit_latency},
      {"miss", load + c.l1.hit_latency + c.memory.latency + 2 * (c.alu.latency + 3)}};
  for (const char* program : {"latency", "latency64"}) {
    for (const auto& [chain, distance] : distances) {
      // Doublewords of 32 lanes: two cycles of the banks, or two lines.
      const bool two =
          program == std::string("latency64") && (chain == std::string("shared") || chain == std::string("hit"));
      EXPECT_EQ(step_cycles(chain, c, program), distance + (two ? 1 : 0))
          << chain << " of " << program << " on " << c.mechanism;
    }
  }
  const std::vector<std::pair<const char*, unsigned>> wide = {{"mulw", c.muldiv.latency + 3},
                                                              {"divw", c.div_latency + 3},
                                                              {"fadd64", c.fp64.latency + 3},
                                                              {"fdiv64", c.fp64_div_latency + 3},
                                                              {"fsqrt64", c.fp64_div_latency + 3}};
  for (const auto& [chain, distance] : wide)
    EXPECT_EQ(step_cycles(chain, c, "latency64"), distance) << chain << " on " << c.mechanism;
  EXPECT_NEAR(step_cycles("rate64", c, "latency64"), 8 * c.fp64.interval, 0.05) << c.mechanism;
}

TEST(Distance, IsThatOfTheTableOnTheDefaultMachine) {
  for (const char* mechanism : {"spe", "dpe"}) expect_distances(config(mechanism));
}

TEST(Distance, FollowsItsKeys) {
  expect_distances(
      config("dpe", {"alu.latency=1", "fp.latency=9", "muldiv.latency=5", "muldiv.div_latency=33", "fp.div_latency=31",
                     "fp64.latency=12", "fp64.interval=5", "fp64.div_latency=77", "sfu.latency=11", "sfu.interval=4",
                     "lsu.latency=2", "shared.latency=7", "l1.hit_latency=30", "memory.latency=77"}));
}

TEST(Distance, OfTheFermiPresetIsThatOfTheTable) {
  ConfigBuilder builder;
  builder.apply_preset("fermi");
  builder.set("memory.kind=simple", "test");
  const Config fermi = builder.build();
  expect_distances(fermi);
  EXPECT_EQ(step_cycles("alu", fermi), 9);
  EXPECT_EQ(step_cycles("shared", fermi), 26);
  EXPECT_EQ(step_cycles("hit", fermi), 35);
  EXPECT_NEAR(step_cycles("rate64", fermi, "latency64"), 8 * 2, 0.05);  // half the rate of float
}

TEST(Distance, OfTheVoltaPresetIsThatOfTheTable) {
  ConfigBuilder builder;
  builder.apply_preset("volta");
  builder.set("memory.kind=simple", "test");
  const Config volta = builder.build();
  EXPECT_EQ(step_cycles("alu", volta), 4);
  EXPECT_EQ(step_cycles("mul", volta), 5);
  EXPECT_EQ(step_cycles("fadd", volta), 4);
  EXPECT_EQ(step_cycles("special", volta), 14);
  EXPECT_EQ(step_cycles("shared", volta), 19);
  EXPECT_EQ(step_cycles("hit", volta), 28);
  EXPECT_EQ(step_cycles("fadd64", volta, "latency64"), 8);
  EXPECT_NEAR(step_cycles("rate64", volta, "latency64"), 8 * 4, 0.05);
}

// Cycles of a step: a branch to the instruction that its path executes next, and that one to the next branch.
TEST(Branch, IsAsFarFromTheNextInstructionAsTheTableSays) {
  for (const char* mechanism : {"spe", "dpe"}) {
    for (const unsigned fetch_latency : {1u, 3u}) {
      const Config c = config(mechanism, {"frontend.fetch_latency=" + std::to_string(fetch_latency)});
      EXPECT_EQ(step_cycles("untaken", c), 4 + 1) << mechanism;
      EXPECT_EQ(step_cycles("skip", c), 4 + 1) << mechanism;
      EXPECT_EQ(step_cycles("taken", c), 6 + fetch_latency) << mechanism;
    }
  }
}

TEST(Branch, ResolvesLaterWhenTheAluHasFinished) {
  const Config c = config("spe", {"frontend.resolve=execute"});
  EXPECT_EQ(step_cycles("untaken", c), 4 + c.alu.latency + 1);
  EXPECT_EQ(step_cycles("taken", c), 6 + c.alu.latency + c.frontend.fetch_latency);
}

TEST(StraightLine, OfOneWarpIssuesInEveryCycle) {
  for (const char* mechanism : {"spe", "dpe"}) EXPECT_EQ(step_cycles("straight", config(mechanism)), 1) << mechanism;
}

Stats constrained(const std::string& kernel, const std::string& switch_at) {
  return run_kernel("latency", kernel, {1}, {32},
                    config("dpe", {"selector.kind=constrained", "selector.switch_at=" + switch_at}))
      .stats;
}

// Two sides of 64 dependent steps: one after the other without a switch, at the same time with one.
TEST(Constrained, SwitchesAtWhatItIsToldTo) {
  const Config c = config("dpe");
  const std::uint64_t shared = 64 * (c.lsu_latency + c.shared.latency + 3), divisions = 64 * (c.div_latency + 3);
  const std::uint64_t global_shared = constrained("shared_sides", "global").cycles,
                      global_division = constrained("division_sides", "global").cycles;
  EXPECT_GT(global_shared, 2 * shared);
  EXPECT_GT(global_division, 2 * divisions);
  EXPECT_LT(constrained("shared_sides", "shared").cycles, global_shared - shared * 3 / 4);
  EXPECT_EQ(constrained("division_sides", "shared").cycles, global_division);
  EXPECT_LT(constrained("shared_sides", "long").cycles, global_shared - shared * 3 / 4);
  EXPECT_LT(constrained("division_sides", "long").cycles, global_division - divisions * 3 / 4);
}

TEST(Constrained, WhereItSwitchesIsNothingToTheTwoLevelSelector) {
  for (const char* kernel : {"shared_sides", "division_sides"}) {
    const auto cycles = [&](const std::string& at) {
      return run_kernel("latency", kernel, {1}, {32}, config("dpe", {"selector.switch_at=" + at})).stats.cycles;
    };
    EXPECT_EQ(cycles("global"), cycles("long"));
  }
}

}  // namespace
}  // namespace heddle::test::latency_test
