// SPDX-License-Identifier: Apache-2.0
// Convergence barriers: what runs together, what a yield does under each policy, and what a program that waits wrongly
// is told. Kernels in kernels/barriers.S.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "heddle/observer.h"
#include "isa/instruction.h"
#include "support.h"

namespace heddle::test::cbar_test {
namespace {

// The threads of one instruction after the other, where they change, without marks and what a launch ends with.
class Sets final : public Observer {
 public:
  void commit(const CommitEvent& event) override {
    if (event.instruction->is_own() || event.instruction->control) return;
    if (masks.empty() || masks.back() != event.mask) masks.push_back(event.mask);
  }
  [[nodiscard]] bool saw(LaneMask mask) const { return std::find(masks.begin(), masks.end(), mask) != masks.end(); }

  std::vector<LaneMask> masks;
};

struct Watched {
  Outcome outcome;
  Sets sets;
};

// Memory behind the words of the threads is zero: a1 points there for kernels that share something.
Watched run_watched(const std::string& kernel, unsigned threads, const Config& config,
                    std::vector<std::uint64_t> more = {}, Engine engine = Engine::kSystemC) {
  Watched run;
  Device device(config, engine);
  device.add_observer(run.sets);
  device.load(elf("barriers"));
  run.outcome.out.resize(threads);
  const std::uint64_t out = device.allocate(4 * threads + 64);
  if (more.empty()) more.push_back(out + 4 * threads);
  more.insert(more.begin(), out);
  device.launch(kernel, {1}, {threads}, more);
  device.read(out, run.outcome.out.data(), 4 * threads);
  run.outcome.stats = device.stats();
  return run;
}

// A scheduler of the Verilated models has eight warps.
Config cbar(Settings settings = {}) {
  settings.insert(settings.begin(), {"core.warps=16", "run.watchdog=2000"});
  return config("cbar", settings);
}
Config policy(unsigned number) { return cbar({"cbar.policy=" + std::to_string(number)}); }

constexpr LaneMask kAll = 0xFFFFFFFF;

// To the others they do nothing.
TEST(Cbar, EveryEngineAndMechanismComputesTheSame) {
  for (const char* kernel : {"region", "again", "breaks", "last", "recursive"}) {
    SCOPED_TRACE(kernel);
    const unsigned threads = std::string(kernel) == "recursive" ? 21 : 32;
    const std::vector<std::uint32_t> expected =
        run_watched(kernel, threads, config("spe", {"stack.depth=64"}), {7}).outcome.out;
    for (const char* mechanism : {"dpe", "dws", "forkjoin", "minpc"})
      EXPECT_EQ(run_watched(kernel, threads, config(mechanism, {"stack.depth=64"}), {7}).outcome.out, expected)
          << mechanism;
    for (const unsigned number : {0u, 1u, 2u}) {
      if (threads == 21 && number == 2) continue;  // a call backwards lets others go first
      SCOPED_TRACE(number);
      const Watched twin = run_watched(kernel, threads, policy(number), {7});
      EXPECT_EQ(twin.outcome.out, expected);
      for (const Engine engine : engines()) {
        const Watched run = run_watched(kernel, threads, policy(number), {7}, engine);
        EXPECT_EQ(run.outcome.out, expected);
        EXPECT_EQ(run.sets.masks, twin.sets.masks);
        EXPECT_EQ(run.outcome.stats.cycles, twin.outcome.stats.cycles);
        EXPECT_EQ(run.outcome.stats.stalls, twin.outcome.stats.stalls);
      }
    }
  }
}

TEST(Cbar, ThreadsMeetAtTheirBarrierAndTheLargerSideRunsFirst) {
  EXPECT_EQ(run_watched("region", 32, cbar(), {7}).sets.masks, (std::vector<LaneMask>{kAll, 0xFFFFFF80, 0x7F, kAll}));
  EXPECT_EQ(run_watched("region", 32, cbar({"stack.order=smaller_first"}), {7}).sets.masks,
            (std::vector<LaneMask>{kAll, 0x7F, 0xFFFFFF80, kAll}));
  EXPECT_EQ(run_watched("region", 32, cbar(), {7}).outcome.out[0], 18u);
}

TEST(Cbar, ABarrierIsArmedAnewInEachIterationAndALoopMeetsBehindItsEnd) {
  const Sets sets = run_watched("again", 32, cbar()).sets;
  EXPECT_EQ(sets.masks.back(), kAll);
  // Threads that go round once more: behind the region, all that are still there.
  EXPECT_TRUE(sets.saw(0xEEEEEEEE) && sets.saw(0xCCCCCCCC) && sets.saw(0x88888888));
}

TEST(Cbar, ThreadsThatBreakAreNotWaitedFor) {
  const Watched run = run_watched("breaks", 32, cbar());
  EXPECT_TRUE(run.sets.saw(0xEEEEEEEE)) << "the other three quarters, once";
  EXPECT_TRUE(run.sets.saw(0x11111111));
}

TEST(Cbar, TheLastMissingThreadOpensABarrierByABreakOrByItsEnd) {
  for (const std::uint64_t how : {1u, 2u}) {
    for (const Engine engine : engines()) {
      const Watched run = run_watched("last", 32, cbar(), {how}, engine);
      EXPECT_EQ(run.sets.masks.back(), how == 1 ? 1u : kAll - 1) << how;  // who breaks goes on below who is released
      EXPECT_TRUE(run.sets.saw(kAll - 1));
      EXPECT_EQ(run.outcome.out[0], how == 1 ? 12u : 4u);
      EXPECT_EQ(run.outcome.out[1], 3u);
    }
  }
}

// Twenty calls deep each level meets again, with one barrier. Where the others go first at a call, they wait already.
TEST(Cbar, ACallKeepsTheBarrierOfItsCaller) {
  for (const Engine engine : engines()) {
    const Watched run = run_watched("recursive", 21, policy(0), {}, engine);
    for (unsigned lane = 0; lane <= 20; ++lane) {
      EXPECT_EQ(run.outcome.out[lane], lane * (lane + 1) / 2) << lane;
      EXPECT_TRUE(run.sets.saw(lane_mask(21) & ~lane_mask(lane))) << lane;
    }
  }
  EXPECT_EQ(error_of([] { run_watched("recursive", 21, policy(2)); }).code(), "moved");
}

TEST(Cbar, ABarrierIsReadAndPutBack) {
  for (const Engine engine : engines()) {
    // Its 32 threads, none after it was read, and 18 instructions to where they go on.
    const std::vector<std::uint32_t> out = run_watched("held", 32, cbar(), {}, engine).outcome.out;
    EXPECT_EQ(out, std::vector<std::uint32_t>(32, (72u << 16) ^ kAll));
  }
  // Elsewhere a register gets zero: the place of the code is left of what it computes.
  const std::vector<std::uint32_t> spe = run_watched("held", 32, config("spe")).outcome.out;
  EXPECT_TRUE(
      std::all_of(spe.begin(), spe.end(), [&](std::uint32_t value) { return value == spe[0] && value % 65536 == 0; }));
}

TEST(Cbar, PathsMeetAtAWarpsync) {
  for (const Engine engine : engines()) {
    const Watched run = run_watched("syncs", 32, cbar(), {7}, engine);
    EXPECT_EQ(run.sets.masks, (std::vector<LaneMask>{kAll, 0xFFFFFF80, 0x7F, kAll}));
    EXPECT_EQ(run.outcome.out[0], 18u + 0xFFFFFFFEu) << "all vote together";
  }
}

TEST(Cbar, SeveralWarpsyncsWaitAtOnceAndEachVotesForItself) {
  for (const Engine engine : engines()) {
    const Watched run = run_watched("tiles", 32, cbar(), {}, engine);
    for (unsigned tile = 0; tile < 4; ++tile) {
      EXPECT_TRUE(run.sets.saw(LaneMask{0xFF} << (8 * tile))) << tile;
      EXPECT_EQ(run.outcome.out[8 * tile], 17u + (0xAAu << (8 * tile))) << tile;
      EXPECT_EQ(run.outcome.out[8 * tile + 1], 18u + (0xAAu << (8 * tile))) << tile;
    }
  }
}

TEST(Cbar, AVoteOfAPartThatNothingBroughtTogetherIsRefused) {
  const Error error = error_of([] { run_watched("votes", 32, cbar(), {7}); });
  EXPECT_EQ(error.code(), "fault");
  EXPECT_NE(std::string(error.what()).find("by 25 of the warp's 32 threads"), std::string::npos) << error.what();
  EXPECT_NO_THROW(run_watched("votes", 32, cbar(), {32}));
}

// Where nobody waits for the others of a mask.
TEST(Cbar, AWarpsyncOfThreadsThatAreApartIsRefusedElsewhere) {
  for (const char* mechanism : {"spe", "dpe", "dws", "forkjoin", "minpc"}) {
    SCOPED_TRACE(mechanism);
    const Error error = error_of([&] { run_watched("mixed", 32, config(mechanism), {7}); });
    EXPECT_EQ(error.code(), "fault");
    EXPECT_NE(std::string(error.what()).find(" of them are elsewhere, and with mechanism "), std::string::npos)
        << error.what();
    EXPECT_NO_THROW(run_watched("syncs", 32, config(mechanism), {32}));
  }
}

// ---------------------------------------------------------------------------------------------------------- yields

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}
std::vector<std::uint32_t> tickets(unsigned threads) {
  std::vector<std::uint32_t> values(threads);
  for (unsigned i = 0; i < threads; ++i) values[i] = i;
  return values;
}

TEST(Cbar, ALockInsideAWarpIsPassedOnWhereThreadsYield) {
  for (const unsigned number : {0u, 1u, 2u}) {
    for (const Engine engine : engines()) {
      EXPECT_EQ(sorted(run_watched("lock", 32, policy(number), {}, engine).outcome.out), tickets(32)) << number;
    }
  }
  EXPECT_EQ(sorted(run_watched("lock", 32, cbar({"cbar.yield_leaves=on"})).outcome.out), tickets(32));
}

TEST(Cbar, WithoutAYieldOnlyAFairBranchPassesItOn) {
  for (const unsigned number : {0u, 1u}) {
    const Error error = error_of([&] { run_watched("lock_alone", 32, policy(number)); });
    EXPECT_EQ(error.code(), "watchdog") << error.what();
    EXPECT_NE(std::string(error.what()).find("livelock in kernel lock_alone"), std::string::npos) << error.what();
  }
  for (const Engine engine : engines())
    EXPECT_EQ(sorted(run_watched("lock_alone", 32, policy(2), {}, engine).outcome.out), tickets(32));
}

// The published experiment: threads that meet before the lock is given back never get it.
TEST(Cbar, WhoWaitsForThreadsThatWaitForItsLockIsNamed) {
  for (const unsigned number : {0u, 1u, 2u}) {
    const Error error = error_of([&] { run_watched("lock_met", 32, policy(number)); });
    EXPECT_EQ(error.code(), "watchdog") << error.what();
  }
}

TEST(Cbar, AHandOverOfThreeIsStarvedByTheSwapOfTwoAndEndsWhereAllHaveTheirTurn) {
  const Error error = error_of([] { run_watched("handover", 3, policy(0)); });
  EXPECT_EQ(error.code(), "watchdog") << error.what();
  const std::vector<std::uint32_t> expected = {17, 18, 19};
  for (const Engine engine : engines()) {
    EXPECT_EQ(run_watched("handover", 3, policy(1), {}, engine).outcome.out, expected);
    EXPECT_EQ(run_watched("handover", 3, policy(2), {}, engine).outcome.out, expected);
    EXPECT_EQ(run_watched("handover_alone", 3, policy(2), {}, engine).outcome.out, expected);
  }
  EXPECT_EQ(error_of([] { run_watched("handover_alone", 3, policy(1)); }).code(), "watchdog");
}

// ------------------------------------------------------------------------------------------------ what a program is
// told

struct Wrong {
  const char* kernel;
  const char* code;
  const char* says;
  bool elsewhere = true;  // it does nothing there
};
void PrintTo(const Wrong& wrong, std::ostream* stream) { *stream << wrong.kernel; }
class WrongBarrier : public testing::TestWithParam<Wrong> {};
INSTANTIATE_TEST_SUITE_P(
    All, WrongBarrier,
    testing::Values(Wrong{"crossed", "stuck", "of threads 0xffffffff: 0x55555555 wait, 0xaaaaaaaa are missing; b1"},
                    Wrong{"twice", "armed", "barrier b3 is armed already in kernel twice"},
                    Wrong{"mixed", "mixed", "threads 0xfffffffe wait since", false},
                    Wrong{"moved", "moved", "barrier b2, at which threads 0xfffffffe wait already"},
                    Wrong{"number", "number", "barrier b16 in kernel number"},
                    Wrong{"label", "label", "bsync b0 in kernel label is not in front of its label"},
                    Wrong{"unnamed", "warpsync", "lane 0, mask 0x2"}, Wrong{"different", "bmov", "lane 0 has 0x1"}),
    [](const auto& info) { return info.param.kernel; });

TEST_P(WrongBarrier, IsNamedOnEveryEngineAndHarmlessElsewhere) {
  for (const Engine engine : engines()) {
    const Error error = error_of([&] { run_watched(GetParam().kernel, 32, cbar(), {}, engine); });
    EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
    EXPECT_EQ(error.code(), GetParam().code);
    const std::string message = error.what();
    EXPECT_NE(message.find(GetParam().says), std::string::npos) << message;
    EXPECT_NE(message.find(std::string("in kernel ") + GetParam().kernel), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_NE(error.details().find("warp 0"), std::string::npos) << error.details();
  }
  if (GetParam().elsewhere) {
    EXPECT_NO_THROW(run_watched(GetParam().kernel, 32, config("spe")));
  }
}

// Threads that wait are entries of the stack, which go on at their barrier's label.
TEST(Cbar, ADumpShowsWhoWaitsAndWhere) {
  const Error error = error_of([] { run_watched("crossed", 32, cbar()); });
  EXPECT_NE(error.details().find("stack[0] pc 0x"), std::string::npos) << error.details();
  EXPECT_NE(error.details().find("mask 0x55555555"), std::string::npos) << error.details();
  EXPECT_NE(error.details().find("mask 0xaaaaaaaa"), std::string::npos) << error.details();
}

TEST(Cbar, ASavedMaskHasRoomInItsRegister) {
  EXPECT_EQ(error_of([] { run_watched("held", 64, cbar({"core.lanes=64"})); }).code(), "bmov");
}

TEST(Cbar, OrderAndPoliciesOfTheRtlAreThoseOfItsModels) {
#ifdef HEDDLE_HAVE_RTL
  EXPECT_EQ(error_of([] { run_watched("region", 32, cbar({"stack.order=taken_first"}), {7}, Engine::kRtl); }).code(),
            "engine");
  const Error both = error_of([] {
    run_watched("region", 32, cbar({"cbar.policy=0", "cbar.yield_leaves=on"}), {7}, Engine::kRtl);
  });
  EXPECT_EQ(both.code(), "engine");
  EXPECT_NE(std::string(both.what()).find("mechanism = cbar with these options has no Verilated model"),
            std::string::npos)
      << both.what();
  EXPECT_EQ(sorted(run_watched("lock", 32, cbar({"cbar.yield_leaves=on"}), {}, Engine::kCosim).outcome.out),
            tickets(32));
#endif
}

class WorkloadOnCbar : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, WorkloadOnCbar,
                         testing::Values("figure6", "bfs", "lud", "stencil3d", "bitonic", "mandelbrot", "reduce"),
                         [](const auto& info) { return info.param; });

TEST_P(WorkloadOnCbar, CountsTheSameOnEveryEngine) {
  const Stats systemc = run_workload(GetParam(), cbar());
  for (const Engine engine : engines()) {
    const Stats run = run_workload(GetParam(), cbar(), engine);
    EXPECT_EQ(all_figures(run), all_figures(systemc));
  }
}

}  // namespace
}  // namespace heddle::test::cbar_test
