// SPDX-License-Identifier: Apache-2.0
// Kernels and workloads on the mechanisms of the barrel core. Oracle and checks are on in every run, and the host
// checks the results.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/support.h"

namespace heddle::test::barrel_test {
namespace {

// A core of lanes x warps threads and one scheduler.
Config core(const std::string& mechanism, unsigned lanes, unsigned warps, const Settings& settings = {}) {
  Settings all{"core.schedulers=1", "core.lanes=" + std::to_string(lanes), "core.warps=" + std::to_string(warps),
               "l1.hit_latency=10", "memory.bytes_per_cycle=8"};
  all.insert(all.end(), settings.begin(), settings.end());
  return config(mechanism, all);
}

Config study(const std::string& mechanism, const Settings& settings = {}) { return core(mechanism, 16, 16, settings); }

constexpr const char* kMechanisms[] = {"dwf", "naive", "pdom-barrel", "mimd"};

// All numbers of a barrel run, for comparing runs.
Figures barrel_figures(const Stats& s) {
  Figures figures = all_figures(s);
  const BarrelStats& b = s.barrel;
  for (const auto& [name, value] : Figures{{"lut_hits", b.lut_hits},
                                           {"lut_misses", b.lut_misses},
                                           {"lut_aliases", b.lut_aliases},
                                           {"lane_conflicts", b.lane_conflicts},
                                           {"fragmented", b.fragmented},
                                           {"drain_cycles", b.drain_cycles},
                                           {"crossbar_cycles", b.crossbar_cycles},
                                           {"update_wait", b.update_wait},
                                           {"max_pool_entries", b.max_pool_entries},
                                           {"max_distinct_pcs", b.max_distinct_pcs},
                                           {"max_wait", b.max_wait}}) {
    figures.emplace_back(name, value);
  }
  return figures;
}

void add_up(const Stats& s) {
  std::uint64_t reasons = 0, sizes = 0, threads = 0;
  for (const std::uint64_t n : s.stalls) reasons += n;
  for (unsigned size = 0; size < s.warp_size.size(); ++size)
    sizes += s.warp_size[size], threads += size * s.warp_size[size];
  EXPECT_EQ(s.stalls[0], s.warp_instructions);
  EXPECT_EQ(reasons, s.cycles);
  EXPECT_EQ(sizes, s.cycles);
  EXPECT_EQ(threads, s.thread_instructions);
  EXPECT_LE(s.thread_instructions, s.live_lane_slots);
  for (const Stall frontend :
       {Stall::kScoreboard, Stall::kScoreboardFull, Stall::kBranchPending, Stall::kIbufferEmpty, Stall::kPathSwitch}) {
    EXPECT_EQ(s.stalls[static_cast<unsigned>(frontend)], 0u);
  }
  EXPECT_GE(s.barrel.max_distinct_pcs, 1u);
  EXPECT_LE(s.barrel.fragmented, s.barrel.lane_conflicts);
  EXPECT_LE(s.barrel.lane_conflicts, s.barrel.lut_hits);
}

class EachBarrelMechanism : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, EachBarrelMechanism, testing::ValuesIn(kMechanisms), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(EachBarrelMechanism, RunsEveryWorkload) {
  for (const std::string& workload : ending_workloads()) {
    SCOPED_TRACE(workload);
    add_up(run_workload(workload, study(GetParam())));
  }
}

// Threads execute the same instructions however they are put together.
TEST_P(EachBarrelMechanism, ExecutesAsManyThreadInstructionsAsSpe) {
  for (const char* workload : {"lud", "bitonic", "mandelbrot", "collatz"}) {
    EXPECT_EQ(run_workload(workload, study(GetParam())).thread_instructions,
              run_workload(workload, study("spe")).thread_instructions)
        << workload;
  }
}

TEST_P(EachBarrelMechanism, RunsCoresOfEverySize) {
  for (const auto& [lanes, warps] : {std::pair{4u, 4u}, {4u, 48u}, {8u, 16u}, {16u, 48u}, {32u, 32u}, {32u, 8u}}) {
    SCOPED_TRACE(std::to_string(lanes) + "x" + std::to_string(warps));
    add_up(run_workload("figure6", core(GetParam(), lanes, warps)));
    if (lanes * warps >= 128) add_up(run_workload("qsort", core(GetParam(), lanes, warps)));
  }
}

TEST_P(EachBarrelMechanism, GivesTheSameNumbersAgain) {
  EXPECT_EQ(barrel_figures(run_workload("qsort", study(GetParam()))),
            barrel_figures(run_workload("qsort", study(GetParam()))));
}

// A warp alone: one instruction every barrel.depth cycles, and one more where warps are formed.
TEST_P(EachBarrelMechanism, IssuesAThreadAgainAfterThePipelineAndNotEarlier) {
  const auto cycles = [&](unsigned depth) {
    WorkloadOptions options;
    options.size = "small";
    options.parameters = {{"blocks", "1"}, {"block", "16"}};
    const std::unique_ptr<Workload> workload = make_workload("alu", options);
    Device device(study(GetParam(), {"barrel.depth=" + std::to_string(depth)}));
    device.load(workload->elf());
    workload->run(device);
    workload->check();
    return device.stats();
  };
  const Stats shallow = cycles(4), deep = cycles(64);
  ASSERT_EQ(shallow.warp_instructions, deep.warp_instructions);
  std::uint64_t memory = shallow.memory_instructions;
  EXPECT_EQ(deep.cycles - shallow.cycles, 60 * (shallow.warp_instructions - memory));
  EXPECT_GE(shallow.cycles, (std::string(GetParam()) == "dwf" ? 5 : 4) * (shallow.warp_instructions - memory));
}

TEST_P(EachBarrelMechanism, RunsRecursionPointersReturnsAndExits) {
  const Config machine = study(GetParam());
  const std::vector<std::uint32_t> spe = run_kernel("control", "recursion", {2}, {64}, study("spe")).out;
  EXPECT_EQ(run_kernel("control", "recursion", {2}, {64}, machine).out, spe);
  for (const char* kernel : {"pointers", "returns", "exits"}) {
    EXPECT_EQ(run_kernel("control", kernel, {3}, {50}, machine).out,
              run_kernel("control", kernel, {3}, {50}, study("spe")).out)
        << kernel;
  }
}

class EachHeuristic : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, EachHeuristic, testing::Values("dmaj", "dmin", "dtime", "dpdpri", "dpc"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(EachHeuristic, RunsWorkloads) {
  const std::string heuristic = std::string("dwf.heuristic=") + GetParam();
  for (const char* workload : {"qsort", "bitonic", "collatz", "mandelbrot", "bfs"}) {
    SCOPED_TRACE(workload);
    add_up(run_workload(workload, study("dwf", {heuristic})));
    add_up(run_workload(workload, core("dwf", 8, 32, {heuristic, "dwf.regfile=ideal", "dwf.swizzle=rotate"})));
  }
}

TEST(Heuristics, DifferInWhatTheyIssue) {
  std::vector<std::uint64_t> cycles;
  for (const char* heuristic : {"dmaj", "dmin", "dtime", "dpdpri", "dpc"}) {
    cycles.push_back(run_workload("collatz", study("dwf", {std::string("dwf.heuristic=") + heuristic})).cycles);
  }
  std::sort(cycles.begin(), cycles.end());
  EXPECT_EQ(std::unique(cycles.begin(), cycles.end()), cycles.end());
}

TEST(RegisterFile, CrossbarPaysForEveryConflictOfABankAndIdealForNone) {
  const Stats ideal = run_workload("collatz", study("dwf", {"dwf.regfile=ideal"}));
  const Stats crossbar = run_workload("collatz", study("dwf", {"dwf.regfile=crossbar"}));
  const Stats aware = run_workload("collatz", study("dwf"));
  EXPECT_EQ(ideal.barrel.crossbar_cycles, 0u);
  EXPECT_EQ(aware.barrel.crossbar_cycles, 0u);
  EXPECT_GT(crossbar.barrel.crossbar_cycles, 0u);
  EXPECT_GT(crossbar.stalls[static_cast<unsigned>(Stall::kRegfile)], 0u);
  EXPECT_GT(crossbar.cycles, ideal.cycles);
  EXPECT_LE(ideal.warp_instructions, aware.warp_instructions) << "any lane will do: warps are fuller";
  EXPECT_EQ(ideal.barrel.fragmented, 0u);
}

// Even and odd threads part: with equal home lanes in all warps nothing can be gained, with swapped ones a side fills
// its warps.
TEST(Swizzle, HelpsWhereEvenAndOddThreadsPart) {
  const auto warps = [](const char* mechanism, const Settings& settings) {
    Device device(study(mechanism, settings));
    device.load(HEDDLE_PARITY);
    const Address out = device.allocate(4 * 256);
    device.launch("parity", {1}, {256}, {out});
    return device.stats().warp_instructions;
  };
  const std::uint64_t fixed = warps("pdom-barrel", {});
  const std::uint64_t none = warps("dwf", {"dwf.swizzle=none"});
  EXPECT_GE(none, fixed - fixed / 20);
  for (const char* swizzle : {"dwf.swizzle=swap", "dwf.swizzle=rotate"})
    EXPECT_LT(warps("dwf", {swizzle}), none * 6 / 10) << swizzle;
  EXPECT_LT(warps("dwf", {"dwf.regfile=ideal", "dwf.swizzle=none"}), none * 6 / 10);
}

TEST(Structures, SmallLutAndTableCostTimeAndNothingElse) {
  const Stats large = run_workload("qsort", study("dwf"));
  const Stats lut = run_workload("qsort", study("dwf", {"dwf.lut_entries=2", "dwf.lut_ways=1"}));
  const Stats table = run_workload("qsort", study("dwf", {"dwf.table_entries=2"}));
  EXPECT_EQ(large.thread_instructions, lut.thread_instructions);
  EXPECT_EQ(large.thread_instructions, table.thread_instructions);
  EXPECT_GT(lut.barrel.lut_aliases, large.barrel.lut_aliases);
  EXPECT_EQ(lut.barrel.drain_cycles, 0u);
  EXPECT_EQ(large.barrel.drain_cycles, 0u);
  EXPECT_GT(table.barrel.drain_cycles, 0u);
  // An update that is held while the other one is not, over and over.
  const std::vector<std::string> tiny{"core.lanes=4", "dwf.lut_entries=2", "dwf.lut_ways=1", "dwf.table_entries=2"};
  EXPECT_EQ(run_workload("qsort", study("dwf", tiny)).thread_instructions, large.thread_instructions);
}

// Threads of formed warps come back line by line; their access is counted once all the same, with all of its lines.
TEST(Memory, IsCountedByAccessThoughThreadsComeBackLineByLine) {
  const Stats formed = run_workload("fft", study("dwf")), fixed = run_workload("fft", study("pdom-barrel"));
  ASSERT_EQ(formed.divergent_branches, 0u);
  EXPECT_EQ(formed.memory_instructions, fixed.memory_instructions);
  EXPECT_EQ(formed.memory_transactions, fixed.memory_transactions);
  const Stats scattered = run_workload("stencil3d", study("dwf"));
  EXPECT_GT(scattered.memory_transactions, scattered.memory_instructions);
  const Stats together = run_workload("stencil3d", study("dwf", {"barrel.split_loads=false"}));
  EXPECT_EQ(together.thread_instructions, scattered.thread_instructions);
  EXPECT_NE(together.cycles, scattered.cycles);
}

// Threads that wait for no queue or bank are not later, but for the stores that the limited unit still holds when a
// launch ends (4 of at most 16 sectors of 32 bytes, 64 bytes a cycle); and how many banks there are is all the same to
// them.
TEST(MemoryPath, WithoutLimitsMimdIsNoSlower) {
  for (const std::string& workload : ending_workloads()) {
    // Neither the size of the cache nor memory's bandwidth decides: with either mimd may fetch more than warps do
    // (docs/barrel.md).
    const auto run = [&](const char* path) {
      return run_workload(workload, study("mimd", {"l1.bytes=1M", "memory.bytes_per_cycle=64",
                                                   std::string("mimd.memory_path=") + path}));
    };
    const Stats unlimited = run("unlimited"), limited = run("lsu");
    EXPECT_EQ(unlimited.thread_instructions, limited.thread_instructions) << workload;
    EXPECT_LE(unlimited.cycles, limited.cycles + 4 * 16 * 32 / 64) << workload;
    EXPECT_EQ(unlimited.shared_conflict_cycles, 0u) << workload;
  }
  for (const char* workload : {"bitonic", "stencil3d"}) {
    const Stats few = run_workload(workload, study("mimd", {"shared.banks=1", "l1.banks=1"})),
                many = run_workload(workload, study("mimd", {"shared.banks=64", "l1.banks=64"}));
    EXPECT_EQ(barrel_figures(few), barrel_figures(many)) << workload;
  }
}

// What the port of memory moves takes its time on every path.
TEST(MemoryPath, KeepsTheBandwidthOfMemory) {
  for (const char* workload : {"stencil3d", "lbm", "lu"}) {
    const Stats s = run_workload(workload, study("mimd", {"memory.bytes_per_cycle=1"}));
    EXPECT_LE(s.memory_bytes, s.cycles + 17 * 128) << workload << ": all but what still waits before memory at the end";
    EXPECT_GT(10 * s.memory_bytes, 9 * s.cycles) << workload << " is bound by it";
  }
}

TEST(MemoryPath, IsThatOfMimdAlone) {
  for (const char* mechanism : {"dwf", "naive", "pdom-barrel"}) {
    EXPECT_EQ(barrel_figures(run_workload("qsort", study(mechanism))),
              barrel_figures(run_workload("qsort", study(mechanism, {"mimd.memory_path=lsu"}))))
        << mechanism;
  }
}

// No reconvergence is the lower bound of lane utilization, no cost of divergence the upper one.
TEST(Bounds, LieOnBothSidesOfDynamicWarpFormation) {
  for (const char* workload : {"collatz", "mandelbrot", "bitonic"}) {
    const auto warps = [&](const char* mechanism) {
      return run_workload(workload, study(mechanism)).warp_instructions;
    };
    EXPECT_GE(warps("naive"), warps("dwf")) << workload;
    EXPECT_GE(warps("dwf"), warps("mimd")) << workload;
  }
}

// What spins in a static warp is resolved where threads of one warp run apart.
TEST(Spin, EndsWhereThreadsRunApartAndIsFoundInTheStackMachine) {
  for (const char* mechanism : {"dwf", "naive", "mimd"})
    add_up(run_workload("spin", study(mechanism, {"run.watchdog=3000"})));
  const Error error = error_of([] { run_workload("spin", study("pdom-barrel", {"run.watchdog=3000"})); });
  EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
  EXPECT_EQ(error.code(), "watchdog");
  EXPECT_NE(std::string(error.what()).find("livelock in kernel spin"), std::string::npos) << error.what();
  EXPECT_NE(error.details().find("threads wait to be issued for"), std::string::npos) << error.details();
}

TEST(Errors, NameWhatDoesNotFit) {
  const auto message = [](const std::function<void()>& f) {
    const Error error = error_of(f);
    EXPECT_EQ(error.status(), ExitStatus::kBadInput);
    return std::string(error.what());
  };
  const auto expect = [&](const char* part, const std::function<void()>& f) {
    const std::string text = message(f);
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
  };
  expect("the barrel core has one scheduler", [] { config("dwf"); });
  expect("at most 32 lanes and 1024 threads", [] { core("dwf", 32, 48); });
  expect("at most 32 lanes and 1024 threads", [] { core("dwf", 64, 4); });
  expect("set one of them", [] { study("dwf", {"dwf.regfile=crossbar", "dwf.lane_aware=true"}); });
  expect("set one of them", [] { study("dwf", {"dwf.regfile=lane_aware", "dwf.lane_aware=false"}); });
  expect("barrel.depth = 3", [] { study("dwf", {"barrel.depth=3"}); });
  for (const char* mechanism : {"naive", "pdom-barrel", "mimd"}) {
    for (const Engine engine : {Engine::kRtl, Engine::kCosim}) {
      expect("is a reference model without RTL", [&] { run_workload("figure6", study(mechanism), engine); });
    }
  }
}

TEST(RegisterFileKeys, OneOfTwoDecidesTheOther) {
  EXPECT_FALSE(study("dwf", {"dwf.regfile=ideal"}).dwf.lane_aware);
  EXPECT_FALSE(study("dwf", {"dwf.regfile=crossbar"}).dwf.lane_aware);
  EXPECT_EQ(study("dwf", {"dwf.lane_aware=false"}).dwf.regfile, DwfRegfile::kIdeal);
  EXPECT_EQ(study("dwf", {"dwf.lane_aware=false", "dwf.regfile=crossbar"}).dwf.regfile, DwfRegfile::kCrossbar);
  EXPECT_TRUE(study("dwf").dwf.lane_aware);
}

#ifdef HEDDLE_HAVE_RTL
TEST(Engines, GiveTheSameNumbersAndAgreeInEveryCycle) {
  for (const char* workload : {"qsort", "bitonic"}) {
    const Figures systemc = barrel_figures(run_workload(workload, study("dwf")));
    EXPECT_EQ(systemc, barrel_figures(run_workload(workload, study("dwf"), Engine::kRtl))) << workload;
    EXPECT_EQ(systemc, barrel_figures(run_workload(workload, study("dwf"), Engine::kCosim))) << workload;
  }
}
#endif

}  // namespace
}  // namespace heddle::test::barrel_test
