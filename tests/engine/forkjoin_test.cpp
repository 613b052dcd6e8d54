// SPDX-License-Identifier: Apache-2.0
// Fork/join: what runs, in which order, and what a program that forks or joins wrongly is told. Kernels in
// kernels/forks.S.
#include <gtest/gtest.h>

#include <vector>

#include "heddle/observer.h"
#include "isa/instruction.h"
#include "support.h"

namespace heddle::test::forkjoin_test {
namespace {

// The threads of one instruction after the other, where they change, and those at joins.
class Sets final : public Observer {
 public:
  void commit(const CommitEvent& event) override {
    if (event.instruction->op == Op::kJoin) joins.push_back(event.mask);
    if (masks.empty() || masks.back() != event.mask) masks.push_back(event.mask);
  }

  std::vector<LaneMask> masks, joins;
};

struct Watched {
  Outcome outcome;
  Sets sets;
};

Watched run_watched(const std::string& kernel, unsigned threads, const Config& config,
                    std::vector<std::uint64_t> more = {}, Engine engine = Engine::kSystemC) {
  Watched run;
  Device device(config, engine);
  device.add_observer(run.sets);
  device.load(elf("forks"));
  run.outcome.out.resize(threads);
  more.insert(more.begin(), device.allocate(4 * threads));
  device.launch(kernel, {1}, {threads}, more);
  device.read(more.front(), run.outcome.out.data(), 4 * threads);
  run.outcome.stats = device.stats();
  return run;
}

Config forkjoin(Settings settings = {}) { return config("forkjoin", settings); }

TEST(ForkJoin, TheTextsExampleRunsThe26First) {
  const Config machine = forkjoin({"core.lanes=64"});
  const Watched run = run_watched("sides", 64, machine, {26});
  const LaneMask below = (LaneMask{1} << 26) - 1;
  EXPECT_EQ(run.sets.masks, (std::vector<LaneMask>{~LaneMask{0}, below, ~below, ~LaneMask{0}}));
  EXPECT_EQ(run.sets.joins, std::vector<LaneMask>{~LaneMask{0}});
  for (unsigned t = 0; t < 64; ++t) EXPECT_EQ(run.outcome.out[t], t < 26 ? 18u : 17u) << t;
  const Watched other = run_watched("sides", 64, machine, {38});
  EXPECT_EQ(other.sets.masks[1], ~((LaneMask{1} << 38) - 1));
}

TEST(ForkJoin, EqualSetsRunAsTheOrderSays) {
  EXPECT_EQ(run_watched("sides", 32, forkjoin(), {16}).sets.masks[1], 0xffffu);  // taken
  EXPECT_EQ(run_watched("sides", 32, forkjoin({"stack.order=fallthrough_first"}), {16}).sets.masks[1], 0xffff0000u);
}

TEST(ForkJoin, TheDrawingsExampleRunsOneTwoTwoThree) {
  const Watched run = run_watched("drawing", 8, forkjoin({"core.lanes=8"}));
  EXPECT_EQ(run.sets.masks, (std::vector<LaneMask>{0xff, 0x07, 0x01, 0x06, 0xf8, 0x18, 0xe0, 0xff}));
  EXPECT_EQ(run.outcome.stats.max_stack_depth, 1u + 1 + 2);  // the path, the region around, two pending sets
  EXPECT_EQ(run.outcome.out, (std::vector<std::uint32_t>{17, 18, 18, 19, 19, 20, 20, 20}));
}

class EachWidth : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Lanes, EachWidth, testing::Values(4, 8, 16, 32, 64));

TEST_P(EachWidth, HalvesFillTheStackAndNoMore) {
  const unsigned lanes = GetParam();
  unsigned bits = 0;
  while (1u << bits < lanes) ++bits;
  const Watched run = run_watched("halves", lanes, forkjoin({"core.lanes=" + std::to_string(lanes)}));
  EXPECT_EQ(run.outcome.stats.max_stack_depth, 1 + 1 + bits);
  EXPECT_EQ(run.outcome.stats.max_pending_sets, bits);
  for (unsigned t = 0; t < lanes; ++t) {
    unsigned ones = 0;
    while (ones < 6 && (t >> ones & 1) != 0) ++ones;
    EXPECT_EQ(run.outcome.out[t], ones + (ones < 6 ? 32 : 0)) << t;
  }
}

std::vector<std::uint32_t> on_spe(const std::string& kernel, std::vector<std::uint64_t> more = {}) {
  return run_watched(kernel, 32, config("spe"), more).outcome.out;
}

// To the others fork and join are instructions that do nothing.
TEST(ForkJoin, EveryEngineAndMechanismComputesTheSame) {
  for (const char* kernel : {"sides", "drawing", "halves", "nested", "recursive", "ends", "apart"}) {
    SCOPED_TRACE(kernel);
    const std::vector<std::uint32_t> expected = on_spe(kernel, {7});
    EXPECT_EQ(run_watched(kernel, 32, config("dpe"), {7}).outcome.out, expected);
    const Watched twin = run_watched(kernel, 32, forkjoin(), {7});
    EXPECT_EQ(twin.outcome.out, expected);
    for (const Engine engine : engines()) {
      const Watched run = run_watched(kernel, 32, forkjoin(), {7}, engine);
      EXPECT_EQ(run.outcome.out, expected);
      EXPECT_EQ(run.sets.masks, twin.sets.masks);
      EXPECT_EQ(run.outcome.stats.cycles, twin.outcome.stats.cycles);
    }
  }
}

class WorkloadOnForkJoin : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, WorkloadOnForkJoin,
                         testing::Values("figure6", "bfs", "lud", "stencil3d", "bitonic", "mandelbrot", "reduce"),
                         [](const auto& info) { return info.param; });

TEST_P(WorkloadOnForkJoin, CountsTheSameOnEveryEngine) {
  const Stats systemc = run_workload(GetParam(), forkjoin());
  for (const Engine engine : engines()) {
    const Stats run = run_workload(GetParam(), forkjoin(), engine);
    EXPECT_EQ(run.cycles, systemc.cycles);
    EXPECT_EQ(run.thread_instructions, systemc.thread_instructions);
    EXPECT_EQ(run.max_stack_depth, systemc.max_stack_depth);
    EXPECT_EQ(run.stalls, systemc.stalls);
  }
}

TEST(ForkJoin, AJoinIsIssuedOnceByAllOfItsForkThatLive) {
  const Watched nested = run_watched("nested", 32, forkjoin());
  EXPECT_EQ(nested.sets.joins, (std::vector<LaneMask>{0xaaaaaaaa, 0x55555555, 0xffffffff}));
  EXPECT_EQ(run_watched("ends", 32, forkjoin()).sets.joins, std::vector<LaneMask>{0xeeeeeeee});
  const Watched recursive = run_watched("recursive", 8, forkjoin({"core.lanes=8"}));
  // Ten open regions, and nobody who waits but at their joins.
  EXPECT_EQ(recursive.outcome.stats.max_pending_sets, 0u);
  EXPECT_EQ(nested.outcome.stats.max_pending_sets, 1u);
  EXPECT_EQ(recursive.sets.joins, (std::vector<LaneMask>{0x80, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc, 0xfe, 0xff}));
}

TEST(ForkJoin, ThreadsThatPartOutsideOfRegionsDoNotMeetAgain) {
  const Watched run = run_watched("apart", 32, forkjoin(), {7});
  EXPECT_EQ(run.sets.masks, (std::vector<LaneMask>{0xffffffff, 0x7f, ~LaneMask{0x7f} & 0xffffffff}));
  EXPECT_EQ(run_watched("apart", 32, config("spe"), {7}).sets.masks.back(), 0xffffffffu);
}

struct Wrong {
  const char* kernel;
  const char* says;
};
void PrintTo(const Wrong& wrong, std::ostream* stream) { *stream << wrong.kernel; }
class WrongJoin : public testing::TestWithParam<Wrong> {};
INSTANTIATE_TEST_SUITE_P(All, WrongJoin,
                         testing::Values(Wrong{"no_fork", "no region is open"},
                                         Wrong{"jumped_over", "is left through its own join only"},
                                         Wrong{"half_forked", "no region is open"}),
                         [](const auto& info) { return info.param.kernel; });

TEST_P(WrongJoin, IsNamedOnEveryEngineAndHarmlessElsewhere) {
  for (const Engine engine : engines()) {
    const Error error = error_of([&] { run_watched(GetParam().kernel, 32, forkjoin(), {}, engine); });
    EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
    EXPECT_EQ(error.code(), "join");
    const std::string message = error.what();
    EXPECT_NE(message.find(std::string("join without its fork in kernel ") + GetParam().kernel), std::string::npos)
        << message;
    EXPECT_NE(message.find(GetParam().says), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_NE(error.details().find("warp 0"), std::string::npos) << error.details();
  }
  EXPECT_NO_THROW(run_watched(GetParam().kernel, 32, config("spe")));
}

// Regions that nest too deeply are an overflow of the stack, named as every other.
TEST(ForkJoin, TooManyOpenRegionsAreAnOverflow) {
  const Error error = error_of([] { run_watched("recursive", 8, forkjoin({"core.lanes=8", "stack.depth=8"})); });
  EXPECT_EQ(error.code(), "overflow");
  EXPECT_NO_THROW(run_watched("recursive", 8, forkjoin({"core.lanes=8", "stack.depth=12"})));
}

TEST(ForkJoin, AnOrderThatItDoesNotHaveIsRefused) {
  EXPECT_EQ(error_of([] { run_watched("sides", 32, forkjoin({"stack.order=larger_first"}), {3}); }).code(), "config");
}

}  // namespace
}  // namespace heddle::test::forkjoin_test
