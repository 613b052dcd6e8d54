// SPDX-License-Identifier: Apache-2.0
// A third opinion on the barrel core: what the trace model says of a kernel's threads, beside what the core makes of
// the kernel.
#include <gtest/gtest.h>

#include <algorithm>

#include "barrel/paper_rules.h"
#include "barrel/trace_model.h"
#include "engine/support.h"
#include "heddle/observer.h"
#include "oracle/functional.h"
#include "program/loader.h"

namespace heddle::test::trace_model_test {
namespace {

// ------------------------------------------------------------------------------------------------- the model, worked
// out by hand

constexpr Pc kA = 0x10, kB = 0x14, kC = 0x20, kD = 0x30;

// Two warps of four threads: A, then threads 0, 1, 4 and 5 at B and the others at C, then all at D.
Traces if_else() {
  Traces traces;
  for (unsigned thread = 0; thread < 8; ++thread)
    traces.push_back(thread % 4 < 2 ? Trace{kA, kB, kD} : Trace{kA, kC, kD});
  return traces;
}

using Log = std::vector<std::pair<std::uint64_t, std::vector<unsigned>>>;
Log log_of(const TraceIssues& issues) {
  Log log;
  for (TraceIssue issue : issues) {
    std::sort(issue.threads.begin(), issue.threads.end());
    log.emplace_back(issue.cycle, issue.threads);
  }
  return log;
}

TEST(TraceModel, FindsWhereBothSidesOfABranchMeet) {
  const PostDominators diamond(if_else());
  EXPECT_TRUE(diamond.is_branch(kA));
  EXPECT_FALSE(diamond.is_branch(kB));
  EXPECT_EQ(diamond.of(kA), kD);
  const PostDominators loop({{kA, kB, kA, kB, kC, kD}, {kA, kB, kC, kD}});
  EXPECT_EQ(loop.of(kB), kC);
  const PostDominators never({{kA, kB}, {kA, kC}});
  EXPECT_EQ(never.of(kA), 0u);
}

TEST(TraceModel, StackIssuesOneSideAfterTheOther) {
  const Log expected{{0, {0, 1, 2, 3}}, {1, {4, 5, 6, 7}}, {3, {2, 3}},       {4, {6, 7}},
                     {6, {0, 1}},       {7, {4, 5}},       {9, {0, 1, 2, 3}}, {10, {4, 5, 6, 7}}};
  EXPECT_EQ(log_of(pdom_issues(if_else(), {4, 3, false})), expected);
}

TEST(TraceModel, StackIssuesALoopAsOftenAsItsLongestThread) {
  const Traces loop{{kA, kB, kD}, {kA, kB, kA, kB, kA, kB, kD}};
  const Log expected{{0, {0, 1}}, {1, {0, 1}}, {2, {1}}, {3, {1}}, {4, {1}}, {5, {1}}, {6, {0, 1}}};
  EXPECT_EQ(log_of(pdom_issues(loop, {2, 1, false})), expected);
}

TEST(TraceModel, MimdIssuesThoseReadyLongest) {
  const Log expected{{0, {0, 1, 2, 3}}, {1, {4, 5, 6, 7}}, {3, {0, 1, 2, 3}},
                     {4, {4, 5, 6, 7}}, {6, {0, 1, 2, 3}}, {7, {4, 5, 6, 7}}};
  EXPECT_EQ(log_of(mimd_issues(if_else(), {4, 3, false})), expected);
}

// Any lane: threads 4 and 5 join 0 and 1 where these still wait, one cycle, behind those of warp 0 that go the other
// way. None waits when these become ready, so that no heuristic has a choice.
TEST(TraceModel, FormationBringsThreadsOfBothWarpsTogether) {
  const Log expected{{1, {0, 1, 2, 3}}, {2, {4, 5, 6, 7}}, {5, {2, 3}},        {6, {0, 1, 4, 5}},
                     {7, {6, 7}},       {9, {2, 3}},       {10, {0, 1, 4, 5}}, {11, {6, 7}}};
  for (const char* heuristic : {"dtime", "dmaj"})
    EXPECT_EQ(log_of(FormationModel(if_else(), {4, 3, false}, heuristic).issues()), expected);
}

// Home lanes: 4 and 5 of the odd warp have the lanes 1 and 0, so nobody joins.
TEST(TraceModel, FormationKeepsHomeLanes) {
  const Log oldest{{1, {0, 1, 2, 3}}, {2, {4, 5, 6, 7}}, {5, {2, 3}},  {6, {0, 1}},  {7, {6, 7}},
                   {8, {4, 5}},       {9, {2, 3}},       {10, {0, 1}}, {11, {6, 7}}, {12, {4, 5}}};
  EXPECT_EQ(log_of(FormationModel(if_else(), {4, 3, true}, "dtime").issues()), oldest);
  // 4 and 5 are at the PC of 0 and 1.
  const Log majority{{1, {0, 1, 2, 3}}, {2, {4, 5, 6, 7}}, {5, {2, 3}},  {6, {0, 1}},  {7, {4, 5}},
                     {8, {6, 7}},       {9, {2, 3}},       {10, {0, 1}}, {11, {4, 5}}, {12, {6, 7}}};
  EXPECT_EQ(log_of(FormationModel(if_else(), {4, 3, true}, "dmaj").issues()), majority);
}

// ------------------------------------------------------------------------------------------------- the core against
// the model

class Recorder final : public ThreadTracer {
 public:
  Recorder(unsigned threads, unsigned block) : traces(threads), block_(block) {}
  void launch_begin(const Launch&) override {}
  [[nodiscard]] bool wants(std::uint64_t block, std::uint32_t) const override { return block == block_; }
  void executed(std::uint64_t, std::uint32_t thread, Pc pc) override { traces[thread].push_back(pc); }
  void launch_end() override {}

  Traces traces;

 private:
  const unsigned block_;
};

struct Core {
  unsigned lanes, warps, depth;

  [[nodiscard]] unsigned threads() const { return lanes * warps; }
};

Config machine(const Core& core, const Settings& settings) {
  ConfigBuilder builder;
  builder.apply_preset("dwf2007");
  for (const auto& [key, value] :
       {std::pair{"core.lanes", core.lanes}, {"core.warps", core.warps}, {"barrel.depth", core.depth}}) {
    builder.set(key, std::to_string(value), "test");
  }
  for (const std::string& setting : settings) builder.set(setting, "test");
  return builder.build();
}

// What the core issues, in the words of the model.
class IssueLog final : public Observer {
 public:
  void formed_warp(Cycle now, Pc, LaneMask mask, const std::uint16_t* tids) override {
    if (issues.empty()) first_ = now;
    if (issues.empty() || issues.back().cycle != now - first_) issues.push_back({now - first_, {}});
    for (; mask != 0; mask &= mask - 1) issues.back().threads.push_back(tids[__builtin_ctzll(mask)]);
  }
  TraceIssues issues;

 private:
  Cycle first_ = 0;
};

constexpr unsigned kLutSets = 16, kLutWays = 2;  // those of the paper

// What the threads of a block execute of a kernel of kernels/divergence.S. Each block draws numbers of its own.
Traces traces_of(const Core& core, const std::string& kernel, std::uint32_t rounds, unsigned block = 0) {
  Recorder recorder(core.threads(), block);
  FunctionalDevice device(machine(core, {}));
  device.load(load_program(HEDDLE_DIVERGENCE));
  device.set_tracer(&recorder);
  device.launch(kernel, {block + 1}, {core.threads()}, {rounds});
  return std::move(recorder.traces);
}

// A kernel on a core: what its threads execute, and what the core makes of it.
class Shape {
 public:
  Shape(const Core& core, std::string kernel, std::uint32_t rounds)
      : core_(core),
        kernel_(std::move(kernel)),
        rounds_(rounds),
        traces_(traces_of(core, kernel_, rounds)) {}

  [[nodiscard]] TraceIssues pdom() const { return pdom_issues(traces_, {core_.lanes, core_.depth, false}); }
  [[nodiscard]] TraceIssues mimd() const { return mimd_issues(traces_, {core_.lanes, core_.depth, false}); }
  [[nodiscard]] TraceIssues formation(const std::string& heuristic, const std::string& regfile,
                                      unsigned table_entries = 0) const {
    return FormationModel(traces_,
                          {core_.lanes, core_.depth, regfile == "lane_aware", kLutSets, kLutWays, table_entries},
                          heuristic)
        .issues();
  }

  // Warp for warp and cycle for cycle, from the first issue on.
  void expect_issues(const TraceIssues& model, const Settings& settings) const {
    IssueLog log;
    run(settings, &log);
    const Log expected = log_of(model), seen = log_of(log.issues);
    const std::uint64_t first = expected.front().first;
    for (std::size_t i = 0; i < std::max(expected.size(), seen.size()); ++i) {
      ASSERT_LT(i, expected.size()) << text(settings) << ": the model has ended";
      ASSERT_LT(i, seen.size()) << text(settings) << ": the core has ended";
      ASSERT_EQ(seen[i].first, expected[i].first - first) << text(settings) << ", issue " << i;
      ASSERT_EQ(seen[i].second, expected[i].second) << text(settings) << ", issue " << i;
    }
  }
  // Instructions a cycle, up to a share of them.
  void expect_rate(const TraceIssues& model, const Settings& settings, double share) const {
    const Stats stats = run(settings, nullptr);
    EXPECT_NEAR(static_cast<double>(stats.thread_instructions) / static_cast<double>(stats.cycles), rate_of(model),
                share * rate_of(model))
        << text(settings);
  }

 private:
  Stats run(const Settings& settings, Observer* observer) const {
    Device device(machine(core_, settings));
    device.load(HEDDLE_DIVERGENCE);
    if (observer != nullptr) device.add_observer(*observer);
    device.launch(kernel_, {1}, {core_.threads()}, {rounds_});
    return device.stats();
  }
  [[nodiscard]] std::string text(const Settings& settings) const {
    return kernel_ + ' ' + std::to_string(core_.lanes) + 'x' + std::to_string(core_.warps) + ' ' +
           testing::PrintToString(settings);
  }

  const Core core_;
  const std::string kernel_;
  const std::uint32_t rounds_;
  const Traces traces_;
};

Settings formation(const std::string& heuristic, const std::string& regfile, const Settings& more) {
  Settings settings{"mechanism=dwf", "dwf.heuristic=" + heuristic, "dwf.regfile=" + regfile};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

constexpr std::uint32_t kFewRounds = 4, kRounds = 20;
constexpr Core kCores[] = {{16, 16, 8}, {8, 16, 6}, {32, 12, 20}};
const Settings kPerfect{"dwf.table_entries=64", "dwf.table_sort=exact"};

class EachShape : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Divergence, EachShape, testing::Values("straight", "if_else", "nested_if", "loop_trips"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(EachShape, StaticWarpsIssueAsInTheTraceModel) {
  for (const Core& core : kCores) {
    const Shape shape(core, GetParam(), kFewRounds);
    shape.expect_issues(shape.pdom(), {"mechanism=pdom-barrel"});
  }
}

// Which of the threads that became ready together goes first is nobody's business.
TEST_P(EachShape, ThreadsOnTheirOwnKeepTheRateOfTheTraceModel) {
  for (const Core& core : kCores) {
    const Shape shape(core, GetParam(), kRounds);
    shape.expect_rate(shape.mimd(), {"mechanism=mimd"}, 0.02);
  }
}

// With the look-up table of the paper, and a table of PCs that holds all and is in order.
TEST_P(EachShape, WarpsFormAsInTheTraceModel) {
  for (const Core& core : kCores) {
    const Shape shape(core, GetParam(), kFewRounds);
    for (const char* heuristic : {"dmaj", "dmin", "dtime", "dpdpri", "dpc"}) {
      for (const char* regfile : {"ideal", "lane_aware"}) {
        shape.expect_issues(shape.formation(heuristic, regfile), formation(heuristic, regfile, kPerfect));
      }
    }
  }
}

// With the table of the paper, too: 32 PCs, sorted by a step a cycle.
TEST_P(EachShape, MajoritiesOfTheTableOfThePaperIssueAsInTheTraceModel) {
  const Shape shape(kCores[0], GetParam(), kRounds);
  for (const char* heuristic : {"dmaj", "dmin"}) {
    for (const char* regfile : {"ideal", "lane_aware"})
      shape.expect_issues(shape.formation(heuristic, regfile, 32), formation(heuristic, regfile, {}));
  }
}

// ------------------------------------------------------------------------------------------------- the model against
// theory's choice

// The hardware picks a cycle ahead and brings threads that joined in order step by step. Loops whose rounds overlap
// show it: dpdpri as it is meant picks the first of all as it issues. One launch proves nothing, a warp formed a cycle
// later changes all that follows: means of blocks.
TEST(TraceModel, PickingAheadKeepsTheRateOfLoops) {
  constexpr unsigned kBlocks = 6;
  constexpr std::uint32_t kManyRounds = 40;
  for (const bool lane_aware : {false, true}) {
    double ahead = 0, at_issue = 0;
    for (unsigned block = 0; block < kBlocks; ++block) {
      const Traces traces = traces_of(kCores[0], "loop_trips", kManyRounds, block);
      TraceMachine machine{kCores[0].lanes, kCores[0].depth, lane_aware, kLutSets, kLutWays};
      ahead += rate_of(FormationModel(traces, machine, "dpdpri").issues()) / kBlocks;
      machine.pick_ahead = false;
      at_issue += rate_of(FormationModel(traces, machine, "dpdpri").issues()) / kBlocks;
    }
    EXPECT_NEAR(ahead, at_issue, 0.05 * at_issue) << (lane_aware ? "lane-aware" : "ideal");
    EXPECT_NEAR(at_issue, lane_aware ? 9.0 : 10.3, 0.1) << (lane_aware ? "lane-aware" : "ideal");
  }
}

// The rules of the paper's section 4.3 without the hardware around them. What the hardware adds, a warp that is picked
// a cycle ahead, moves a rate by some percent and more where the heuristic counts threads; with the look-up table of
// the paper, warps are forgotten as well.
TEST(TraceModel, KeepsTheRatesOfTheRulesAsThePaperWordsThem) {
  constexpr unsigned kBlocks = 2;
  for (const auto& [kernel, rounds] :
       {std::pair{"if_else", kFewRounds}, {"nested_if", kFewRounds}, {"loop_trips", kRounds}}) {
    for (const auto& [heuristic, share] :
         {std::pair{"dtime", 0.01}, {"dpdpri", 0.1}, {"dpc", 0.1}, {"dmaj", 0.1}, {"dmin", 0.1}}) {
      double model = 0, rules = 0;
      for (unsigned block = 0; block < kBlocks; ++block) {
        const Traces traces = traces_of(kCores[0], kernel, rounds, block);
        model += rate_of(FormationModel(traces, {16, 8, true}, heuristic).issues()) / kBlocks;
        rules += PaperRules(traces, {16, 9}, heuristic).rate() / kBlocks;
      }
      EXPECT_NEAR(model, rules, share * rules) << kernel << ' ' << heuristic;
    }
  }
}

}  // namespace
}  // namespace heddle::test::trace_model_test
