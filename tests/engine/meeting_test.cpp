// SPDX-License-Identifier: Apache-2.0
// Threads that part meet again, on every mechanism: the kernels of kernels/meeting.cu have a barrier and a long uniform
// loop behind functions with several returns, recursion, jump tables, and early ends of threads. Expected words are
// computed on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "support.h"

namespace heddle::test::meeting_test {
namespace {

constexpr unsigned kThreads = 64;                                  // of a block
using Words = std::array<std::optional<std::uint32_t>, kThreads>;  // nothing: not written

std::uint32_t steps(std::uint32_t x) {
  for (unsigned k = 0; k < 200; ++k) x = x * 1664525u + 1013904223u;
  return x;
}

std::uint32_t classify(std::uint32_t x) {
  if (x % 2 == 0) return 1;
  if (x % 3 == 0) return x + 2;
  for (std::uint32_t k = 0; k < x; ++k) {
    if (k * k >= x) return 100 * k;
  }
  return 7;
}

std::uint32_t fibonacci(std::uint32_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

std::uint32_t odd_steps(std::uint32_t n);
std::uint32_t even_steps(std::uint32_t n) {
  return n == 0 ? 1 : n % 3 == 0 ? 2 + odd_steps(n - 1) : odd_steps(n - 1) * 3;
}
std::uint32_t odd_steps(std::uint32_t n) { return n == 0 ? 0 : n > 4 ? even_steps(n - 2) + 5 : even_steps(n - 1); }

std::uint32_t double_compare(std::uint32_t i) {
  const double a = static_cast<int>(i * 37 % 11) - 5.0, b = static_cast<int>(i % 7) - 3.0;
  return (a < b ? 1u : 0u) + (a == b ? 2u : 0u) + (a >= 0.5 ? 4u : 0u);
}

std::uint32_t long_division(std::uint32_t i) {
  const std::uint64_t a = (i * 0x9E3779B97F4A7C15ull) >> (i % 40),
                      b = 1 + ((i * 0xD1B54A32D192ED03ull) >> (24 + i % 39));
  return static_cast<std::uint32_t>(a / b) ^ static_cast<std::uint32_t>(a % b);
}

std::uint32_t switches(std::uint32_t i) {
  const std::array<std::uint32_t, 8> first{i * 3, i + 77, steps(i), 5, i ^ 0x55, i << 3, ~i, 1};
  std::uint32_t value = first[i & 7];
  const std::array<std::uint32_t, 6> second{value + 9, value * 3,      value ^ steps(i + 1),
                                            value - 4, value << 1 | 1, value / 3};
  const std::uint32_t x = i % 9;
  const std::array<std::uint32_t, 9> third{11, steps(3), x * 5, 42, x ^ 99, 1000, steps(5), 7, 7};
  return second[i % 6] + third[x];
}

std::uint32_t computed_goto(std::uint32_t i) {
  std::uint32_t x = i;
  for (std::uint32_t fuel = i % 13; fuel != 0; --fuel) {
    const std::uint32_t label = (x >> 1) % 4;
    if (label == 2) break;
    x = label == 0 ? x + 5 : label == 1 ? 2 * x + 1 : x ^ 0x35;
  }
  return x;
}

std::uint32_t two_gotos(std::uint32_t i) {
  const std::uint32_t n = i / kThreads * kThreads + (i + 1) % kThreads;
  const std::uint32_t x = n % 3 == 0 ? n + 5 : (n % 3 == 1 ? steps(n) : n) ^ 0x1234;
  return x % 3 == 0 ? x * 3 : ~(x % 3 == 1 ? x + 77 : x);
}

std::uint32_t table_step(std::uint32_t which, std::uint32_t x) {
  return which == 0 ? x + 5 : which == 1 ? 3 * x : classify(x);
}
std::uint32_t walk(std::uint32_t x) {
  if (x % 5 == 2) return 9;
  x = table_step(x % 3, x);
  return x % 4 == 1 ? table_step((x >> 2) % 3, x) : x;
}
std::uint32_t tables(std::uint32_t i) { return walk(i / kThreads * kThreads + (i + 3) % kThreads); }

// A word each, exchanged at the barrier.
Words exchanged(std::uint32_t block, const std::function<std::uint32_t(std::uint32_t)>& value) {
  Words words;
  for (std::uint32_t t = 0; t < kThreads; ++t) words[t] = steps(t) + value(block * kThreads + (t + 1) % kThreads);
  return words;
}

Words early_return() {
  Words words;
  for (std::uint32_t t = 0; t < 45; ++t) words[t] = steps(t) + (t + 1 < 45 ? (t + 1) * 7 : 0);
  return words;
}

Words nested_return() {
  Words words;
  std::array<std::uint32_t, kThreads> x{}, shared{};
  std::array<bool, kThreads> at_barrier{}, skips{};
  for (std::uint32_t t = 0; t < kThreads; ++t) {
    x[t] = t;
    bool ends = false;
    if (t % 3 == 1) {
      x[t] += 10;
      if (t >= 40) words[t] = 1, ends = true;
      for (std::uint32_t k = 0; k < t % 5 && !ends; ++k) {
        x[t] += k;
        ends = x[t] % 11 == 0;
      }
    } else {
      skips[t] = t % 7 == 2;
    }
    at_barrier[t] = !ends && !skips[t];
    if (at_barrier[t]) shared[t] = x[t];
  }
  const std::array<std::uint32_t, kThreads> before = shared;
  for (std::uint32_t t = 0; t < kThreads; ++t) {
    if (at_barrier[t]) x[t] = steps(t) + before[(t + 1) % kThreads];
  }
  for (std::uint32_t t = 0; t < kThreads; ++t) {
    at_barrier[t] = at_barrier[t] && t % 5 != 4;
    if (at_barrier[t]) shared[t] = x[t];
  }
  for (std::uint32_t t = 0; t < kThreads; ++t) {
    if (at_barrier[t]) x[t] ^= shared[(t + 2) % kThreads];
    if (at_barrier[t] || skips[t]) words[t] = x[t];
  }
  return words;
}

Words loop_return() {
  Words words;
  std::array<std::uint32_t, kThreads> shared{};
  std::array<bool, kThreads> ended{};
  for (std::uint32_t t = 0; t < kThreads; ++t) shared[t] = t;
  for (std::uint32_t round = 0; round < 6; ++round) {
    const std::array<std::uint32_t, kThreads> before = shared;
    for (std::uint32_t t = 0; t < kThreads; ++t) {
      const std::uint32_t next = before[(t + 1) % kThreads];
      ended[t] = ended[t] || next % 16 == round;
      if (ended[t]) continue;
      shared[t] = next + 1;
      words[t] = steps(next);
    }
  }
  return words;
}

struct Case {
  const char* kernel;
  std::function<Words(std::uint32_t)> expected;  // of a block
  double utilization;  // at least this, of SPE with 32 lanes: nearly all of the time is spent together
  std::vector<std::uint64_t> arguments;
};

void PrintTo(const Case& c, std::ostream* stream) { *stream << c.kernel; }

Case exchange(const char* kernel, double utilization, std::function<std::uint32_t(std::uint32_t)> value) {
  return {kernel, [value](std::uint32_t block) { return exchanged(block, value); }, utilization, {}};
}

const std::vector<Case> kCases{
    exchange("double_compare", 0.65, double_compare),
    exchange("long_division", 0.60, long_division),
    exchange("arc_tangent", 0.60,
             [](std::uint32_t i) {
               return std::atan2(static_cast<float>(static_cast<int>(i % 9)) - 4.0f,
                                 static_cast<float>(static_cast<int>(i % 5)) - 2.0f) > 1.0f
                          ? 1u
                          : 0u;
             }),
    exchange("several_returns", 0.75,
             [](std::uint32_t x) {
               return x % 5 == 0 ? classify(x) : x % 5 == 1 ? classify(x + 1) + 1 : classify(x) + classify(x / 2);
             }),
    exchange("tables", 0.70, tables),
    exchange("depth", 0.80, [](std::uint32_t i) { return (i & 7) * ((i & 7) + 1) / 2; }),
    exchange("fib", 0.55, [](std::uint32_t i) { return fibonacci(i & 7); }),
    exchange("mutual", 0.70, [](std::uint32_t i) { return even_steps(i % 9) + (i % 4 == 1 ? odd_steps(i % 5) : 0); }),
    exchange("switches", 0.30, switches),
    exchange("computed_goto", 0.70, computed_goto),
    exchange("two_gotos", 0.45, two_gotos),
    {"early_return", [](std::uint32_t) { return early_return(); }, 0.65, {45}},
    {"nested_return", [](std::uint32_t) { return nested_return(); }, 0.45, {40}},
    {"loop_return", [](std::uint32_t) { return loop_return(); }, 0.50, {}},
};

class Meeting : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, Meeting, testing::ValuesIn(kCases), [](const auto& info) { return info.param.kernel; });

Stats expect_right(const char* program, const Case& c, const Config& config, Engine engine = Engine::kSystemC) {
  constexpr std::uint32_t kBlocks = 2;
  const Outcome run = run_kernel(program, c.kernel, {kBlocks}, {kThreads}, config, c.arguments, 0, engine);
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    const Words expected = c.expected(block);
    for (std::uint32_t t = 0; t < kThreads; ++t)
      EXPECT_EQ(run.out[block * kThreads + t], expected[t].value_or(0)) << "thread " << t << " of block " << block;
  }
  return run.stats;
}

double utilization(const Stats& s) {
  return static_cast<double>(s.thread_instructions) / static_cast<double>(s.warp_instructions * s.lanes);
}

// Compiled by heddle-cc as it is, with jump tables, and as another tool would do it: several returns left in a
// function.
constexpr const char* kPrograms[] = {"meeting", "meeting_tables", "meeting_returns"};

TEST_P(Meeting, IsRightAndTogetherOnBothStacks) {
  for (const char* program : kPrograms) {
    const Config spe = config("spe"), dpe = config("dpe");
    SCOPED_TRACE(program);
    const Stats single = expect_right(program, GetParam(), spe), dual = expect_right(program, GetParam(), dpe);
    EXPECT_EQ(path_figures(single), path_figures(dual));
    EXPECT_GE(utilization(single), GetParam().utilization);
  }
}

TEST_P(Meeting, IsRightOnEveryMechanismOfTheBarrelCore) {
  for (const char* program : kPrograms) {
    for (const char* mechanism : {"pdom-barrel", "naive", "mimd", "dwf"}) {
      SCOPED_TRACE(testing::Message() << program << ' ' << mechanism);
      const Config machine =
          config(mechanism, {"core.schedulers=1", "core.lanes=16", "core.warps=16", "dwf.heuristic=dpdpri"});
      static_cast<void>(expect_right(program, GetParam(), machine));
    }
  }
}

TEST_P(Meeting, IsRightOnEveryEngine) {
  for (const char* mechanism : {"spe", "dpe"}) {
    for (const Engine engine : engines()) {
      SCOPED_TRACE(testing::Message() << mechanism << " on engine " << static_cast<int>(engine));
      static_cast<void>(expect_right("meeting_returns", GetParam(), config(mechanism), engine));
    }
  }
}

// A call level that wraps may cost time, never a right result.
TEST_P(Meeting, NeedsNoWideCallLevel) {
  if (std::string(GetParam().kernel) == "fib" || std::string(GetParam().kernel) == "mutual" ||
      std::string(GetParam().kernel) == "depth") {
    GTEST_SKIP() << "recursion deeper than two bits count is met too early, and the barrier says so";
  }
  for (const char* mechanism : {"spe", "dpe"})
    static_cast<void>(expect_right("meeting", GetParam(), config(mechanism, {"stack.level_bits=2"})));
}

}  // namespace
}  // namespace heddle::test::meeting_test
