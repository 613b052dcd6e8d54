// SPDX-License-Identifier: Apache-2.0
// Kernels with every kind of divergent control flow on every engine of the build; the expected words are computed on
// the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <set>

#include "isa/program.h"
#include "support.h"

namespace heddle::test::control_test {
namespace {

using Expected = std::function<std::uint32_t(std::uint32_t)>;

std::uint32_t fibonacci(std::uint32_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

std::uint32_t pointers(std::uint32_t i) {
  const Expected functions[4] = {
      [](std::uint32_t x) { return 2 * x; }, [](std::uint32_t x) { return x * x; },
      [](std::uint32_t x) { return static_cast<std::uint32_t>(__builtin_popcount(x)); },
      [](std::uint32_t x) { return x == 0 ? 0u : 32u - static_cast<std::uint32_t>(__builtin_clz(x)); }};
  std::uint32_t sum = 0;
  for (std::uint32_t k = 0; k < 3; ++k) sum = sum * 5 + functions[(i + k) % 4](i + k);
  return sum;
}

std::uint32_t returns(std::uint32_t i) {
  if (i % 2 == 0) return 2;
  if (i % 3 == 0) return i + 3;
  for (std::uint32_t k = 0; k < i; ++k) {
    if (k * k >= i) return 100 * k + 1;
  }
  return 8;
}

std::uint32_t exits(std::uint32_t i) {
  if (i % 2 == 0) return i % 4 == 0 ? i : 1000;
  if (i % 3 == 0) return 0;
  std::uint32_t sum = 0;
  for (std::uint32_t k = 0; k < i; ++k) {
    if (k == 5 && i % 5 == 0) return sum;
    sum += k;
  }
  return sum + 1000;
}

std::uint32_t unstructured(std::uint32_t i) {
  std::uint32_t x = i * 2654435761u, steps = 0;
  enum { kThird, kHalf, kDone } exit = kDone;
  do {
    ++steps;
    if ((x & 7) == 3) {
      exit = kThird;
      break;
    }
    if ((x >> 3 & 7) == steps % 8) {
      exit = kHalf;
      break;
    }
    x = x * 1664525u + 1013904223u;
  } while (steps != 40);
  if (exit == kThird) {
    x += 17;
    if ((x & 16) == 0) exit = kHalf;
  }
  if (exit == kHalf) x ^= steps;
  return x + steps;
}

std::uint32_t chains(std::uint32_t i) {
  std::uint32_t a = i + 1;
  float f = 1.5f + static_cast<float>(i);
  for (std::uint32_t k = 0; k < 6; ++k) {
    if (((i ^ k) & 1) != 0) {
      a = a * 7 + k;
      a ^= a / (k + 3);
      f = std::fma(f, 0.5f, static_cast<float>(a & 15));
    } else {
      f = std::sqrt(f + 1.0f) + 2.0f;
      a += static_cast<std::uint32_t>(f);
      a = a * a + 1;
    }
  }
  std::uint32_t bits = 0;
  std::memcpy(&bits, &f, 4);
  return a ^ bits;
}

struct Case {
  const char* kernel;
  Dim3 grid, block;
  std::vector<std::uint64_t> arguments;
  std::uint32_t float_mask;
  Expected expected;
};

void PrintTo(const Case& test_case, std::ostream* stream) { *stream << test_case.kernel; }

constexpr std::uint32_t kOneAndAHalf = 0x3FC00000;

const std::vector<Case> kCases{
    {"recursion", {3}, {96}, {}, 0, [](std::uint32_t i) { return fibonacci(i % 9); }},
    {"pointers", {3}, {100}, {}, 0, pointers},
    {"returns", {3}, {96}, {}, 0, returns},
    {"exits", {5}, {77}, {}, 0, exits},
    {"barrier_with_exits",
     {4},
     {160},
     {},
     0,
     [](std::uint32_t i) {
       const std::uint32_t x = i % 160, block = i / 160;
       return x % 8 == 5 || (x >= 64 && x < 128) ? 0 : (159 - x) * 3 + block;
     }},
    {"relay", {3}, {130}, {}, 0, [](std::uint32_t i) { return (i % 130 + 8) % 130; }},
    {"unstructured", {4}, {128}, {}, 0, unstructured},
    {"chains", {2}, {128}, {kOneAndAHalf}, 2, chains},
};

class EachKernel : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(All, EachKernel, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.kernel; });

void expect_right(const Case& c, const Config& config, Engine engine = Engine::kSystemC) {
  const Outcome run = run_kernel("control", c.kernel, c.grid, c.block, config, c.arguments, c.float_mask, engine);
  for (std::uint32_t i = 0; i < run.out.size(); ++i) ASSERT_EQ(run.out[i], c.expected(i)) << "thread " << i;
}

TEST_P(EachKernel, IsRightOnEveryEngine) {
  for (const char* mechanism : {"spe", "dpe"}) {
    for (const Engine engine : engines()) {
      SCOPED_TRACE(testing::Message() << mechanism << " on engine " << static_cast<int>(engine));
      expect_right(GetParam(), config(mechanism), engine);
    }
  }
}

// Every combination of the options that change the order of execution.
TEST_P(EachKernel, IsRightWithAllSchedulingOptions) {
  for (const char* resolve : {"issue", "execute"}) {
    for (const char* policy : {"lrr", "gto"}) {
      const Settings common{std::string("frontend.resolve=") + resolve, std::string("selector.policy=") + policy};
      for (const char* order : {"taken_first", "fallthrough_first", "smaller_first", "larger_first"}) {
        SCOPED_TRACE(testing::Message() << "spe " << resolve << ' ' << policy << ' ' << order);
        Settings settings = common;
        settings.push_back(std::string("stack.order=") + order);
        expect_right(GetParam(), config("spe", settings));
      }
      for (const char* kind : {"two_level", "constrained"}) {
        for (const char* scoreboard : {"shadow", "optimistic"}) {
          for (const char* left : {"true", "false"}) {
            SCOPED_TRACE(testing::Message()
                         << "dpe " << resolve << ' ' << policy << ' ' << kind << ' ' << scoreboard << ' ' << left);
            Settings settings = common;
            settings.push_back(std::string("selector.kind=") + kind);
            settings.push_back(std::string("scoreboard.kind=") + scoreboard);
            settings.push_back(std::string("stack.taken_left=") + left);
            expect_right(GetParam(), config("dpe", settings));
          }
        }
      }
    }
  }
}

TEST_P(EachKernel, IsRightWithEveryNumberOfLanes) {
  for (const char* lanes : {"4", "8", "16", "64"}) {
    for (const char* mechanism : {"spe", "dpe"}) {
      SCOPED_TRACE(testing::Message() << mechanism << " with " << lanes << " lanes");
      expect_right(GetParam(), config(mechanism, {std::string("core.lanes=") + lanes, "core.registers=196608"}));
    }
  }
}

TEST_P(EachKernel, TakesTheSamePathsOnBothMechanisms) {
  const Case& c = GetParam();
  EXPECT_EQ(
      path_figures(run_kernel("control", c.kernel, c.grid, c.block, config("spe"), c.arguments, c.float_mask).stats),
      path_figures(run_kernel("control", c.kernel, c.grid, c.block, config("dpe"), c.arguments, c.float_mask).stats));
}

// What the second path is for: with one warp, one side computes while the other waits for its results.
TEST(DualPath, HidesLatencyInDivergentCode) {
  const Outcome single = run_kernel("control", "chains", {1}, {32}, config("spe"), {kOneAndAHalf}, 2);
  const Outcome dual = run_kernel("control", "chains", {1}, {32}, config("dpe"), {kOneAndAHalf}, 2);
  EXPECT_EQ(single.out, dual.out);
  EXPECT_EQ(single.stats.warp_instructions, dual.stats.warp_instructions);
  EXPECT_LT(dual.stats.cycles, single.stats.cycles);
  EXPECT_GT(dual.stats.schedulable_paths, dual.stats.warp_instructions);
  EXPECT_GT(dual.stats.interleavable_branches, 0u);
}

TEST(Blocks, RunWithAnyNumberOfWarps) {
  const auto relay = [](unsigned threads, unsigned warps, const char* mechanism) {
    const Outcome run = run_kernel("control", "relay", {4}, {threads},
                                   config(mechanism, {"core.warps=" + std::to_string(warps),
                                                      warps > 48 ? "core.schedulers=4" : "core.schedulers=2"}));
    for (std::uint32_t i = 0; i < run.out.size(); ++i)
      ASSERT_EQ(run.out[i], (i % threads + 8) % threads) << "thread " << i;
  };
  for (const char* mechanism : {"spe", "dpe"}) {
    for (unsigned warps = 1; warps <= kMaxWarps; ++warps) {
      SCOPED_TRACE(testing::Message() << mechanism << " with " << warps << " warps");
      relay(32 * std::min(warps, 5u) - 3, warps, mechanism);  // the last warp is not full
    }
  }
}

TEST(Blocks, AreNumberedInThreeDimensions) {
  const Outcome run = run_kernel("control", "returns", {2, 3, 2}, {4, 2, 5}, config("dpe"));
  ASSERT_EQ(run.out.size(), 480u);
  for (std::uint32_t i = 0; i < run.out.size(); ++i) ASSERT_EQ(run.out[i], returns(i)) << "thread " << i;
}

std::vector<std::uint32_t> by_argument(unsigned threads, unsigned rounds, unsigned live) {
  std::vector<std::uint32_t> s(threads);
  for (unsigned t = 0; t < live; ++t) s[t] = t;
  for (unsigned r = 1; r < rounds; ++r) {
    const std::vector<std::uint32_t> before = s;
    for (unsigned t = 0; t < live; ++t) {
      const std::uint32_t other = before[(t + r) % live];
      if (other % 3 == 0) {
        s[t] += other * r;
      } else if (t % 2 == 0) {
        s[t] ^= other;
      }
    }
  }
  return s;
}

std::vector<std::uint32_t> by_constant(unsigned threads) {
  std::vector<std::uint32_t> s(threads);
  for (unsigned t = 0; t < threads; ++t) s[t] = t;
  for (unsigned r = 0; r < 6; ++r) {
    const std::vector<std::uint32_t> before = s;
    for (unsigned t = 0; t < threads; ++t) {
      const std::uint32_t other = before[t ^ (1u << r) % 32];
      s[t] = (before[t] & 1u << r) != 0 ? before[t] + other : other - before[t];
    }
  }
  return s;
}

unsigned barriers_of(const std::string& program, const std::string& kernel) {
  Device device(config("spe"));
  device.load(elf(program));
  const Program& loaded = device.program();
  const auto& functions = loaded.functions;
  const auto f =
      std::find_if(functions.begin(), functions.end(), [&](const auto& function) { return function.name == kernel; });
  unsigned barriers = 0;
  for (Pc pc = f->begin; pc < f->end; pc += 4) barriers += loaded.at(pc)->barrier;
  return barriers;
}

std::vector<std::uint32_t> run_tree(const std::string& program, unsigned threads, const Config& config) {
  Device device(config);
  device.load(elf(program));
  std::vector<std::uint32_t> out(threads);
  const Address at = device.allocate(4 * threads);
  device.launch("by_block", {1}, {threads}, {at}, 0, 4 * threads);
  device.read(at, out.data(), 4 * threads);
  return out;
}

TEST(Barriers, InUnrolledLoopsAreOnEveryMechanismWhatTheyAreInTheSource) {
  constexpr unsigned kThreads = 96;
  for (const char* kernel : {"by_argument", "by_constant"}) {
    EXPECT_GT(barriers_of("unrolled", kernel), barriers_of("rolled", kernel)) << kernel;
  }
  for (const std::string mechanism : {"spe", "dpe", "pdom-barrel", "dwf", "mimd"}) {
    const Config machine = config(mechanism, mechanism == "spe" || mechanism == "dpe"
                                                 ? Settings{}
                                                 : Settings{"core.schedulers=1", "core.lanes=16", "core.warps=16"});
    for (const char* program : {"unrolled", "rolled"}) {
      for (const unsigned rounds : {0u, 1u, 2u, 5u, 6u, 7u, 8u, 17u}) {
        for (const unsigned live : {kThreads, 41u}) {
          EXPECT_EQ(run_kernel(program, "by_argument", {1}, {kThreads}, machine, {rounds, live}).out,
                    by_argument(kThreads, rounds, live))
              << mechanism << " " << program << " " << rounds << " rounds, " << live << " threads";
        }
      }
      EXPECT_EQ(run_kernel(program, "by_constant", {1}, {kThreads}, machine).out, by_constant(kThreads))
          << mechanism << " " << program;
      for (const unsigned threads : {1u, 2u, 8u, 64u}) {
        std::uint32_t sum = 0;
        for (unsigned t = 0; t < threads; ++t) sum += t * t + 1;
        std::vector<std::uint32_t> expected(threads);
        for (unsigned t = 0; t < threads; ++t) expected[t] = sum + t;
        EXPECT_EQ(run_tree(program, threads, machine), expected) << mechanism << " " << program << " " << threads;
      }
    }
  }
}

std::uint32_t pick(std::int32_t x, std::int32_t y, std::uint32_t a, std::uint32_t b) {
  const auto ux = static_cast<std::uint32_t>(x), uy = static_cast<std::uint32_t>(y);
  const bool conditions[] = {
      x == y,  x != y, x<y, x >= y, x> y, x <= y, x == 0, x != 0, x<0, x >= 0, x> 0, x <= 0, ux<uy, ux >= uy, ux> uy,
      ux <= uy};
  std::uint32_t h = 17;
  for (const bool c : conditions) h = h * 31 + (c ? a : b);
  for (const bool c : conditions) h = h * 31 + (c ? 0 : b + 3);
  return h;
}

TEST(Select, IsWhatTheBranchesAre) {
  constexpr unsigned kThreads = 64;
  std::vector<std::uint32_t> expected(kThreads);
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    for (std::int32_t x = -2; x <= 2; ++x)
      expected[i] = expected[i] * 7 + pick(x, static_cast<std::int32_t>(i % 5) - 2, i * 2654435761u, ~i);
  }
  const Outcome branches = run_kernel("branches", "selections", {1}, {kThreads}, config("spe", {"core.predicate=0"}));
  const Outcome selections = run_kernel("select", "selections", {1}, {kThreads}, config("spe", {"core.predicate=0"}));
  EXPECT_EQ(branches.out, expected);
  EXPECT_EQ(selections.out, expected);
  EXPECT_LT(selections.stats.divergent_branches, branches.stats.divergent_branches / 4);
}

TEST(Atomics, LoseNoUpdate) {
  for (const char* mechanism : {"spe", "dpe"}) {
    std::uint32_t expected = 0;
    for (std::uint32_t i = 0; i < 384; ++i) {
      for (std::uint32_t k = 0; k < 7; ++k) expected += (i + k) % 3 != 0 ? i + k : 0;
    }
    EXPECT_EQ(run_kernel("control", "sum", {3}, {128}, config(mechanism), {7}).out[0], expected);
  }
}

TEST(Text, OfThreadsIsComplete) {
  for (const char* mechanism : {"spe", "dpe"}) {
    std::ostringstream text;
    Device device(config(mechanism));
    device.set_text_output(text);
    device.load(elf("control"));
    device.launch("speak", {2}, {20}, {});
    std::multiset<std::string> lines, expected;
    std::istringstream stream(text.str());
    for (std::string line; std::getline(stream, line);) lines.insert(line);
    for (unsigned i = 0; i < 40; i += 2) {
      expected.insert(std::string("thread ") + static_cast<char>('0' + i / 10) + static_cast<char>('0' + i % 10));
    }
    EXPECT_EQ(lines, expected);
  }
}

Outcome nested(const char* mechanism, unsigned levels, unsigned depth, Engine engine = Engine::kSystemC) {
  return run_kernel("nested", "nested", {1}, {32},
                    config(mechanism, {"stack.depth=" + std::to_string(depth), "core.predicate=0"}), {levels}, 0,
                    engine);
}

TEST(Stack, DepthIsThatOfTheNesting) {
  for (const char* mechanism : {"spe", "dpe"}) {
    for (const unsigned levels : {1u, 5u, 12u, 30u}) {
      const Outcome run = nested(mechanism, levels, 64);
      EXPECT_EQ(run.stats.max_stack_depth, levels + 1);
      for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(run.out[lane], std::min(lane, levels));
    }
  }
}

TEST(Stack, OverflowsExactlyAboveItsDepth) {
  for (const char* mechanism : {"spe", "dpe"}) {
    for (const unsigned depth : {2u, 3u, 7u, 16u, 30u}) {
      EXPECT_EQ(nested(mechanism, depth - 1, depth).stats.max_stack_depth, depth);
      EXPECT_EQ(error_of([&] { nested(mechanism, depth, depth); }).code(), "overflow") << mechanism << ' ' << depth;
    }
  }
}

TEST(Stack, OverflowNamesTheBranchAndTheKey) {
  for (const char* mechanism : {"spe", "dpe"}) {
    for (const Engine engine : engines()) {
      const Error error = error_of([&] { nested(mechanism, 16, 16, engine); });
      EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
      EXPECT_EQ(error.code(), "overflow");
      const std::string message = error.what();
      EXPECT_NE(message.find("in kernel nested"), std::string::npos) << message;
      EXPECT_NE(message.find("nested.S:"), std::string::npos) << message;
      EXPECT_NE(message.find("--set stack.depth=32"), std::string::npos) << message;
      EXPECT_NE(error.details().find("stack[15]"), std::string::npos) << error.details();
      EXPECT_NE(error.details().find("halted by a stack overflow"), std::string::npos) << error.details();
    }
  }
}

TEST(Device, RunsSeveralLaunchesOnTheSameMemory) {
  for (const char* mechanism : {"spe", "dpe"}) {
    for (const Engine engine : engines()) {
      Device device(config(mechanism), engine);
      device.load(elf("control"));
      const Address total = device.allocate(4), out = device.allocate(4 * 64);
      device.launch("sum", {1}, {64}, {total, 1});
      device.launch("returns", {1}, {64}, {out});
      device.launch("sum", {1}, {64}, {total, 1});
      std::uint32_t expected = 0, sum = 0;
      for (std::uint32_t i = 0; i < 64; ++i) expected += i % 3 != 0 ? 2 * i : 0;
      device.read(total, &sum, 4);
      EXPECT_EQ(sum, expected);
      ASSERT_EQ(device.launches().size(), 3u);
      EXPECT_EQ(device.stats().cycles,
                device.launches()[0].cycles + device.launches()[1].cycles + device.launches()[2].cycles);
      EXPECT_EQ(device.cycles(), device.stats().cycles);
      EXPECT_EQ(all_figures(device.launches()[0]), all_figures(device.launches()[2])) << "a launch starts from reset";
    }
  }
}

TEST(Device, StopsWhenItsFlagIsSet) {
  for (const char* mechanism : {"spe", "dpe"}) {
    for (const Engine engine : engines()) {
      // An observer is a part of the run: it sets the flag in a known cycle.
      class Stop final : public Observer {
       public:
        std::atomic<bool> flag{false};
        void commit(const CommitEvent& event) override {
          if (event.cycle >= 1000) flag = true;
        }
      };
      Stop stop;
      Device device(config(mechanism, {"run.watchdog=100000000"}), engine);
      device.add_observer(stop);
      device.set_stop_flag(&stop.flag);
      device.load(elf("faults"));
      const Address out = device.allocate(4 * 32);
      const Error error = error_of([&] { device.launch("counting", {1}, {32}, {out}); });
      EXPECT_EQ(error.code(), "interrupted");
      EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
      EXPECT_NE(error.details(), "") << "the state of the warps";
      EXPECT_GE(device.stats().cycles, 1000u);
      EXPECT_LE(device.stats().cycles, 1600u);
      // It stays set: the next launch has no cycle.
      EXPECT_EQ(error_of([&] { device.launch("counting", {1}, {32}, {out}); }).code(), "interrupted");
    }
  }
}

TEST(Device, SaysWhatBecameOfItsWave) {
  const auto finish = [](const std::string& path) {
    Device device(config("dpe"));
    device.set_trace({path});
    device.load(elf("control"));
    const Address out = device.allocate(4 * 64);
    device.launch("returns", {1}, {64}, {out});
    const Error error = error_of([&] { device.finish_trace(); });
    EXPECT_NO_THROW(device.finish_trace()) << "it says so once";
    return error.code();
  };
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("heddle_trace_" + std::to_string(std::random_device()()));
  std::filesystem::create_directories(folder);
  for (const char* extension : {".vcd", ".fst"}) {
    std::filesystem::create_symlink("/dev/full", folder / ("full" + std::string(extension)));
    EXPECT_EQ(finish(folder / ("full" + std::string(extension))), "output");
    EXPECT_EQ(finish(folder / ("good" + std::string(extension))), "no error");
    EXPECT_TRUE(std::filesystem::exists(folder / ("good" + std::string(extension))));
  }
  std::filesystem::remove_all(folder);
}

TEST(Device, SharesNothingWithAnotherOne) {
  const auto steps = [](Device& device, Address out) { device.launch("pointers", {2}, {64}, {out}); };
  Device alone(config("dpe"));
  alone.load(elf("control"));
  const Address out = alone.allocate(512);
  steps(alone, out);
  steps(alone, out);

  Device first(config("dpe")), second(config("spe", {"core.lanes=8"}));
  first.load(elf("control"));
  second.load(elf("control"));
  const Address first_out = first.allocate(512), second_out = second.allocate(512);
  steps(first, first_out);
  steps(second, second_out);
  steps(first, first_out);
  EXPECT_EQ(all_figures(first.stats()), all_figures(alone.stats()));
  for (const auto& [device, address] : {std::pair<Device*, Address>{&first, first_out}, {&second, second_out}}) {
    std::vector<std::uint32_t> words(128);
    device->read(address, words.data(), 512);
    for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(words[i], pointers(i)) << "thread " << i;
  }
}

}  // namespace
}  // namespace heddle::test::control_test
