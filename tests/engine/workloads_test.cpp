// SPDX-License-Identifier: Apache-2.0
// Every workload on the simulated core: right results whatever the configuration, the same counts on every run and
// every engine, and the same paths on both mechanisms.
#include <gtest/gtest.h>

#include <algorithm>

#include "program/cfg.h"
#include "program/loader.h"
#include "support.h"

namespace heddle::test::workloads_test {
namespace {

class EachWorkload : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, EachWorkload, testing::ValuesIn(ending_workloads()),
                         [](const auto& info) { return info.param; });

TEST_P(EachWorkload, IssuesTheSamePathsOnBothMechanisms) {
  EXPECT_EQ(path_figures(run_workload(GetParam(), config("spe"))),
            path_figures(run_workload(GetParam(), config("dpe"))));
}

TEST_P(EachWorkload, CountsTheSameOnEveryRun) {
  for (const char* mechanism : {"spe", "dpe"}) {
    EXPECT_EQ(all_figures(run_workload(GetParam(), config(mechanism))),
              all_figures(run_workload(GetParam(), config(mechanism))));
  }
}

TEST_P(EachWorkload, CountsTheSameOnEveryEngine) {
  for (const char* mechanism : {"spe", "dpe"}) {
    const Figures systemc = all_figures(run_workload(GetParam(), config(mechanism)));
    for (const Engine engine : engines()) {
      EXPECT_EQ(all_figures(run_workload(GetParam(), config(mechanism), engine)), systemc)
          << mechanism << " on engine " << static_cast<int>(engine);
    }
  }
}

// Where no divergence leaves two sides beside each other, dual-path execution has one path a warp, whichever slot it is
// in.
class OneSidedWorkload : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(All, OneSidedWorkload,
                         testing::Values("backprop", "bfs", "mandelbrot", "reduce", "viterbi", "fft", "lu", "matmul",
                                         "evenodd", "hotspot", "nw", "particlefilter", "pathfinder", "alu"),
                         [](const auto& info) { return info.param; });

TEST_P(OneSidedWorkload, TakesTheSameCyclesOnBothMechanisms) {
  const Stats single = run_workload(GetParam(), config("spe")), dual = run_workload(GetParam(), config("dpe"));
  EXPECT_EQ(dual.interleavable_branches, 0u);
  EXPECT_EQ(dual.cycles, single.cycles);
}

// Sides that never meet would run apart to the end of their threads: all threads of a warp, here of a whole block of
// qsort_blocks, must go the same way.
TEST_P(EachWorkload, PartsNoThreadsThatNeverMeet) {
  unsigned found = 0;
  for (const BranchStats& branch :
       run_workload(GetParam(), config("spe", {"core.lanes=64", "core.registers=196608"})).branches) {
    if (branch.rpc != kNoRpc) continue;
    ++found;
    EXPECT_EQ(branch.divergent, 0u) << std::hex << branch.pc;
  }
  EXPECT_GE(found, load_program(make_workload(GetParam())->elf()).branches_without_rpc) << "all of them, and returns";
}

// The checks watch; they do not take part.
TEST_P(EachWorkload, CountsTheSameWithoutOracleAndChecks) {
  for (const char* mechanism : {"spe", "dpe"}) {
    EXPECT_EQ(all_figures(run_workload(GetParam(), config(mechanism, {"run.oracle=false", "run.checks=false"}))),
              all_figures(run_workload(GetParam(), config(mechanism))));
  }
}

struct Variation {
  const char* name;
  Settings settings;
  std::vector<std::string> workloads{"figure6", "bfs", "qsort", "lud", "reduce"};
};

void PrintTo(const Variation& variation, std::ostream* stream) { *stream << variation.name; }

const std::vector<Variation> kVariations{
    {"resolve_execute", {"frontend.resolve=execute"}},
    {"gto", {"selector.policy=gto"}},
    {"constrained", {"selector.kind=constrained"}},
    {"constrained_long", {"selector.kind=constrained", "selector.switch_at=long"}},
    {"constrained_gto", {"selector.kind=constrained", "selector.policy=gto"}},
    {"optimistic", {"scoreboard.kind=optimistic"}},
    {"optimistic_constrained_gto", {"scoreboard.kind=optimistic", "selector.kind=constrained", "selector.policy=gto"}},
    {"optimistic_execute", {"scoreboard.kind=optimistic", "frontend.resolve=execute"}},
    {"fallthrough_first", {"stack.order=fallthrough_first"}},
    {"smaller_first", {"stack.order=smaller_first"}},
    {"larger_first", {"stack.order=larger_first", "frontend.resolve=execute"}},
    {"taken_right", {"stack.taken_left=false"}},
    {"one_scoreboard_entry", {"scoreboard.entries=1"}},
    {"one_optimistic_entry", {"scoreboard.entries=1", "scoreboard.kind=optimistic"}},
    {"many_scoreboard_entries", {"scoreboard.entries=32"}},
    {"short_ibuffer", {"frontend.ibuffer=2"}},
    {"long_ibuffer_slow_fetch", {"frontend.ibuffer=8", "frontend.fetch_latency=16"}},
    {"lanes_4", {"core.lanes=4"}, {"figure6", "qsort"}},
    {"lanes_8", {"core.lanes=8"}},
    {"lanes_16", {"core.lanes=16"}},
    {"lanes_64", {"core.lanes=64", "core.registers=196608"}},
    {"one_scheduler", {"core.schedulers=1", "core.warps=24"}},
    {"four_schedulers", {"core.schedulers=4"}},
    {"odd_warps", {"core.warps=33", "core.schedulers=2"}},
    {"few_warps_four_schedulers", {"core.warps=16", "core.schedulers=4"}},
    {"one_block", {"core.max_blocks=1"}},
    {"slow_units",
     {"alu.latency=9", "alu.interval=3", "fp.latency=17", "fp.interval=5", "muldiv.interval=7", "sfu.interval=16"}},
    {"quick_units", {"alu.latency=1", "fp.latency=1", "muldiv.latency=1", "muldiv.div_latency=1", "lsu.latency=1"}},
    {"poor_memory", {"l1.mshrs=1", "l1.mshr_targets=1", "l1.bytes=1024", "l1.ways=1", "memory.bytes_per_cycle=4"}},
    {"few_banks", {"shared.banks=2"}},
    {"deep_stack", {"stack.depth=64"}},
};

class EachVariation : public testing::TestWithParam<Variation> {};

INSTANTIATE_TEST_SUITE_P(All, EachVariation, testing::ValuesIn(kVariations),
                         [](const auto& info) { return info.param.name; });

// Oracle and checks are on, the host checks the results; DPE takes the same paths as SPE.
TEST_P(EachVariation, GivesRightResultsAndTheSamePathsOnBothMechanisms) {
  for (const std::string& workload : GetParam().workloads) {
    SCOPED_TRACE(workload);
    EXPECT_EQ(path_figures(run_workload(workload, config("spe", GetParam().settings))),
              path_figures(run_workload(workload, config("dpe", GetParam().settings))));
  }
}

// How long a unit takes, and where branches resolve, changes cycles only.
TEST(Timing, DoesNotChangeThePaths) {
  for (const char* mechanism : {"spe", "dpe", "forkjoin"}) {  // of splits it does: who comes to a PC together joins
    const Stats plain = run_workload("qsort", config(mechanism));
    const Stats slow =
        run_workload("qsort", config(mechanism, {"frontend.resolve=execute", "alu.latency=9", "memory.latency=600"}));
    EXPECT_EQ(path_figures(plain), path_figures(slow));
    EXPECT_GT(slow.cycles, plain.cycles);
  }
}

TEST(Stats, AddUpInEveryRun) {
  for (const char* mechanism : {"spe", "dpe", "dws", "forkjoin", "cbar"}) {
    for (const std::string& workload : ending_workloads()) {
      SCOPED_TRACE(workload);
      const Stats s = run_workload(workload, config(mechanism));
      std::uint64_t reasons = 0, sizes = 0, threads = 0;
      for (const std::uint64_t n : s.stalls) reasons += n;
      for (unsigned size = 0; size < s.warp_size.size(); ++size)
        sizes += s.warp_size[size], threads += size * s.warp_size[size];
      EXPECT_EQ(s.stalls[0], s.warp_instructions);
      EXPECT_EQ(reasons, s.cycles * s.schedulers);
      EXPECT_EQ(sizes, s.cycles * s.schedulers);
      EXPECT_EQ(threads, s.thread_instructions);
      EXPECT_LE(s.thread_instructions, s.live_lane_slots);
      EXPECT_GE(s.schedulable_paths, s.warp_instructions);
      EXPECT_LE(s.schedulable_paths, std::max<std::uint64_t>(2, s.splits.most) * s.warp_instructions);
      EXPECT_EQ(s.l1.accesses, s.l1.hits + s.l1.misses);
      EXPECT_LE(s.l1.merged, s.l1.misses);
      std::uint64_t divergent = 0, interleavable = 0;
      for (const BranchStats& branch : s.branches) divergent += branch.divergent, interleavable += branch.interleavable;
      EXPECT_EQ(divergent, s.divergent_branches);
      EXPECT_EQ(interleavable, s.interleavable_branches);
      if (std::string(mechanism) == "spe" || std::string(mechanism) == "forkjoin") {
        EXPECT_EQ(s.schedulable_paths, s.warp_instructions);
      }
    }
  }
}

// Even and odd threads of a warp part in every iteration; in the last one they part at the end of the loop, which the
// odd ones have reached before.
TEST(Evenodd, DivergesInEveryIteration) {
  WorkloadOptions options;
  options.size = "small";
  const auto shape = make_workload("evenodd", options);
  for (const char* mechanism : {"spe", "dpe"}) {
    const Stats s = run_workload("evenodd", config(mechanism));
    EXPECT_EQ(s.divergent_branches, shape->settings()["threads"] / s.lanes * shape->settings()["iterations"]);
    EXPECT_EQ(s.interleavable_branches, 0u);
  }
}

// Of the workloads with unstructured control flow the threads of a warp part, and where the flow is unstructured: but
// for hotspot, whose steps are as many for all.
TEST(Unstructured, BranchesDiverge) {
  const auto divergent = [](const Stats& s, const std::vector<std::pair<Pc, bool>>& structured, bool which) {
    std::uint64_t sum = 0;
    for (const BranchStats& branch : s.branches) {
      const auto found =
          std::find_if(structured.begin(), structured.end(), [&](const auto& b) { return b.first == branch.pc; });
      if (found != structured.end() && found->second == which) sum += branch.divergent;
    }
    return sum;
  };
  for (const char* workload : {"heartwall", "hotspot", "mcx", "mum", "nqueen", "particlefilter", "ray"}) {
    SCOPED_TRACE(workload);
    std::vector<std::pair<Pc, bool>> structured;
    for (const FunctionCfg& function : control_flow(load_program(make_workload(workload)->elf()))) {
      for (const Branch& branch : function.branches) structured.emplace_back(branch.pc, branch.structured);
    }
    const Stats s = run_workload(workload, config("spe", {"core.predicate=0"}));
    EXPECT_LT(static_cast<double>(s.thread_instructions), 0.95 * static_cast<double>(s.warp_instructions * s.lanes));
    EXPECT_GE(divergent(s, structured, true), 1u);
    if (std::string(workload) == "hotspot") {
      EXPECT_EQ(divergent(s, structured, false), 0u);
    } else {
      EXPECT_GE(divergent(s, structured, false), 3u);
    }
  }
}

// The one workload that must not end.
TEST(Spin, EndsInTheWatchdogOnEveryStack) {
  for (const char* mechanism : {"spe", "dpe", "forkjoin"}) {
    const Error error = error_of([&] { run_workload("spin", config(mechanism, {"run.watchdog=2000"})); });
    EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
    EXPECT_EQ(error.code(), "watchdog");
    EXPECT_NE(std::string(error.what()).find("livelock in kernel spin"), std::string::npos) << error.what();
    EXPECT_NE(error.details().find("spin.cu"), std::string::npos) << error.details();
  }
}

}  // namespace
}  // namespace heddle::test::workloads_test
