// SPDX-License-Identifier: Apache-2.0
// Programs of RV64 on both cores: every mechanism and every engine of the build, with the oracle and all checks; the
// host computes what they must give.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "engine/sm.h"
#include "isa/launch.h"
#include "kernels/wide_work.h"
#include "memory/memory_system.h"
#include "oracle/oracle.h"
#include "program/loader.h"
#include "support.h"

namespace heddle::test::wide_test {
namespace {

constexpr std::uint32_t kBlocks = 3, kThreads = 96, kAll = kBlocks * kThreads;

using Wide = std::vector<std::uint64_t>;
using Expected = std::function<std::uint64_t(std::uint64_t)>;

struct WideOutcome {
  Wide out, totals;
  Stats stats;
  std::string text;
};

// Runs a kernel whose first argument is a result of 64 bits a thread, the second one eight zeroed totals.
WideOutcome run_wide(const std::string& kernel, const Config& config, Engine engine = Engine::kSystemC,
                     std::uint32_t threads = kThreads) {
  const std::string form = kernel_form(config);
  std::ostringstream text;
  Device device(config, engine);
  device.set_text_output(text);
  device.load(elf(form.empty() ? "wide" : "wide_" + form));
  WideOutcome run;
  run.out.resize(std::size_t{kBlocks} * threads);
  run.totals.resize(8);
  const Address out = device.allocate(run.out.size() * 8), totals = device.allocate(run.totals.size() * 8);
  const std::uint64_t least = ~std::uint64_t{0} >> 1;
  device.write(totals + 16, &least, 8);
  device.launch(kernel, {kBlocks}, {threads}, {out, totals});
  device.read(out, run.out.data(), run.out.size() * 8);
  device.read(totals, run.totals.data(), run.totals.size() * 8);
  run.stats = device.stats();
  run.text = text.str();
  return run;
}

std::uint64_t calls(std::uint64_t n, double weight) { return calls_to(n, weight, calls); }

std::uint64_t pointers(std::uint64_t i) {
  const Expected functions[3] = {[](std::uint64_t x) { return x * x; }, [](std::uint64_t x) { return ~x; },
                                 [](std::uint64_t x) { return x << 40 | x; }};
  std::uint64_t sum = 0;
  for (unsigned k = 0; k < 3; ++k) sum = sum * 5 + functions[(i + k) % 3](scrambled(i));
  return sum;
}

std::uint64_t local(std::uint64_t i) {
  unsigned char memory[128];
  std::uint64_t sum = 0, value = 0;
  std::uint32_t word = 0;
  for (unsigned k = 0; k < 16; ++k) {
    value = scrambled(i + k);
    std::memcpy(memory + (k * 7 + i) % 16 * 8, &value, 8);
  }
  std::memcpy(&word, memory + i % 32 * 4, 4);
  word += 77;
  std::memcpy(memory + i % 32 * 4, &word, 4);
  memory[i % 128] = static_cast<unsigned char>(i);
  for (unsigned k = 0; k < 16; ++k) {
    std::memcpy(&value, memory + 8 * k, 8);
    sum = sum * 3 + value;
  }
  return sum;
}

std::uint64_t block_sum(std::uint64_t i, std::uint32_t threads) {
  std::uint64_t sum = 0;
  for (std::uint64_t k = i / threads * threads; k < (i / threads + 1) * threads; ++k) sum += scrambled(k);
  return sum;
}

const Settings kBarrel{"core.warps=32", "core.schedulers=1"};

// spe or dpe, or the barrel core with dwf.
Config machine(const std::string& mechanism, Settings more = {}) {
  if (mechanism == "dwf") more.insert(more.end(), kBarrel.begin(), kBarrel.end());
  return config(mechanism, more);
}

// Each mechanism, with the stacks and the memory that its keys give it.
struct Machine {
  const char* name;
  const char* mechanism;
  Settings settings = {};
  bool whole_warps = false;  // that a program knows: shuffles are allowed
  bool every_engine = false;
};

void PrintTo(const Machine& machine, std::ostream* stream) { *stream << machine.name; }

const std::vector<Machine> kMachines{
    {"spe", "spe", {}, true, true},
    {"spe_compact", "spe", {"stack.kind=compact"}, true, true},
    {"dpe", "dpe", {}, true, true},
    {"dpe_optimistic", "dpe", {"scoreboard.kind=optimistic"}, true, true},
    {"dpe_constrained", "dpe", {"selector.kind=constrained", "selector.switch_at=long"}, true, true},
    {"dpe_memory_split", "dpe", {"dpe.memory_split=true"}, false, true},
    {"dpe_software", "dpe", {"dpe.stack=software"}, true, true},
    {"dws", "dws", {}, false, true},
    {"forkjoin", "forkjoin", {}, false, true},
    {"minpc", "minpc", {}, false, true},
    {"cbar", "cbar", {}, false, true},
    {"dwf", "dwf", kBarrel, false, true},
    {"naive", "naive", kBarrel},
    {"pdom_barrel", "pdom-barrel", kBarrel, true},
    {"mimd", "mimd", kBarrel},
    {"hierarchy", "spe", {"memory.kind=hierarchy", "l1.write=back"}, true},
};

class EachMachine : public testing::TestWithParam<Machine> {
 protected:
  static void expect(const std::string& kernel, const Expected& expected, std::uint32_t threads = kThreads) {
    const Machine& machine = GetParam();
    for (const Engine engine : engines()) {
      if (engine != Engine::kSystemC && !machine.every_engine) continue;
      SCOPED_TRACE(testing::Message() << kernel << " on engine " << static_cast<int>(engine));
      const WideOutcome run = run_wide(kernel, config(machine.mechanism, machine.settings), engine, threads);
      for (std::uint64_t i = 0; i < run.out.size(); ++i) ASSERT_EQ(run.out[i], expected(i)) << "thread " << i;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(All, EachMachine, testing::ValuesIn(kMachines),
                         [](const auto& info) { return info.param.name; });

TEST_P(EachMachine, ComputesWithIntegersOf64Bits) { expect("integers_of", integers); }
TEST_P(EachMachine, ComputesWithDoubles) { expect("doubles_of", doubles); }
TEST_P(EachMachine, BranchesOnUpperHalves) { expect("branches_of", branches); }
TEST_P(EachMachine, CallsFunctionsAndPointersToThem) {
  expect("calls_of", [](std::uint64_t i) { return calls(i % 7, static_cast<double>(i)); });
  expect("pointers_of", pointers);
}
TEST_P(EachMachine, KeepsDoublewordsInLocalMemory) { expect("local_of", local); }
TEST_P(EachMachine, SharesDoublewordsAcrossABarrier) {
  expect(
      "barriers_of", [](std::uint64_t i) { return block_sum(i, 128) + i % 128; }, 128);
}
TEST_P(EachMachine, CountsInOneRegister) {
  expect("counters_of", [](std::uint64_t) { return 1; });
}
TEST_P(EachMachine, ShufflesWholeRegisters) {
  if (GetParam().whole_warps) {
    expect("shuffles_of", [](std::uint64_t i) {
      const std::uint64_t warp = i / 32 * 32;
      std::uint32_t votes = 0;
      for (unsigned lane = 0; lane < 32; ++lane)
        votes |= static_cast<std::uint32_t>(scrambled(warp + lane) >> 40 & 1) << lane;
      return scrambled(warp + (i + 1) % 32) +
             static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(votes)));
    });
  }
}

TEST_P(EachMachine, HasAtomicsOfDoublewords) {
  const Machine& machine = GetParam();
  std::uint64_t sum = 0, most = 0, words = 0;
  std::int64_t least = INT64_MAX;
  std::uint64_t all = 0;
  for (std::uint64_t i = 0; i < kAll; ++i) {
    sum += scrambled(i);
    words += scrambled(i) << 32;
    most = std::max(most, scrambled(i));
    least = std::min(least, static_cast<std::int64_t>(scrambled(i)));
    all ^= scrambled(i);
  }
  for (const Engine engine : engines()) {
    if (engine != Engine::kSystemC && !machine.every_engine) continue;
    SCOPED_TRACE(static_cast<int>(engine));
    const Config c = config(machine.mechanism, machine.settings);
    const WideOutcome run = run_wide("atomics_of", c, engine);
    EXPECT_EQ(run.totals, (Wide{sum, most, static_cast<std::uint64_t>(least), all, 0, 0, words, 0}));
    for (std::uint64_t i = 0; i < kAll; ++i) ASSERT_EQ(run.out[i], block_sum(i, kThreads)) << "thread " << i;
    const WideOutcome exchange = run_wide("exchange_of", c, engine);
    EXPECT_EQ(exchange.totals[4], sum);
    EXPECT_EQ(exchange.totals[5], sum);
  }
}

// Several SMs at a time: what is written in a window, and atomics that wait for each other.
TEST(WideGpu, GivesTheSameOnSeveralSms) {
  for (const char* kernel : {"local_of", "atomics_of", "exchange_of", "doubles_of"}) {
    for (const char* mechanism : {"dpe", "dwf"}) {
      SCOPED_TRACE(testing::Message() << kernel << " on " << mechanism);
      const WideOutcome one = run_wide(kernel, machine(mechanism)),
                        three = run_wide(kernel, machine(mechanism, {"gpu.sms=3", "run.oracle=false"}));
      EXPECT_EQ(one.out, three.out);
      EXPECT_EQ(one.totals, three.totals);
    }
  }
}

TEST(WideCalls, WriteTextAndEndWithAStatus) {
  for (const char* mechanism : {"spe", "dwf"}) {
    const WideOutcome run = run_wide("writes", machine(mechanism));
    EXPECT_EQ(run.text, "64 bits\n");
    EXPECT_EQ(run.stats.exits.failed, 1u);
    EXPECT_EQ(run.stats.exits.first.status, 3u);
  }
}

TEST(WideCalls, PrintSlotsOf64Bits) {
  for (const char* mechanism : {"spe", "dwf"}) {
    const WideOutcome run = run_wide("prints", machine(mechanism));
    EXPECT_EQ(run.text, "1099511627776 -7 0.10000000000000001\n") << mechanism;
    EXPECT_EQ(run.out, Wide(run.out.size(), 3)) << mechanism;
  }
}

std::string failure(const std::string& kernel, const Config& config) {
  try {
    run_wide(kernel, config);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(WideFaults, SayWhatRv64HasNot) {
  for (const char* mechanism : {"spe", "dwf"}) {
    const std::string jump = failure("far_jump", machine(mechanism));
    EXPECT_NE(jump.find("code has addresses of 32 bits"), std::string::npos) << jump;
    const std::string counter = failure("upper_counter", machine(mechanism));
    EXPECT_NE(counter.find("control and status register 0xc80 does not exist"), std::string::npos) << counter;
  }
}

// Passes all on to the oracle, but for one bit of the upper half of one register.
class Corrupting final : public Observer {
 public:
  explicit Corrupting(const Config& config) : oracle_(config) {}
  void launch_begin(const Launch& launch, const AddressSpace& memory) override { oracle_.launch_begin(launch, memory); }
  void block_begin(Cycle cycle, unsigned slot, std::uint64_t block) override {
    oracle_.block_begin(cycle, slot, block);
  }
  void warp_begin(Cycle cycle, WarpId warp, unsigned slot, std::uint32_t number, LaneMask threads) override {
    oracle_.warp_begin(cycle, warp, slot, number, threads);
  }
  void commit(const CommitEvent& event) override {
    CommitEvent reported = event;
    std::array<std::uint64_t, kMaxLanes> values{};
    if (event.result && ++results_ == 100) {
      for (unsigned lane = 0; lane < 32; ++lane) values[lane] = event.result[lane];
      values[lowest_lane(event.mask)] ^= std::uint64_t{1} << 63;
      reported.result = values.data();
    }
    oracle_.commit(reported);
  }

 private:
  Oracle oracle_;
  unsigned results_ = 0;
};

TEST(WideOracle, FindsABitOfAnUpperHalf) {
  const Config c = config("spe");
  const Program program = load_program(elf("wide"));
  AddressSpace space(c);
  space.load(program);
  const Address out = space.allocate(8 * 32);
  const Kernel& kernel = find_kernel(program, "integers_of");
  const Launch launch = make_launch(program, kernel, {1}, {32}, word_arguments({out}, 0, program, kernel, c), 0, c);
  const std::unique_ptr<MemoryInterface> memory = make_memory(c);
  Corrupting observer(c);
  std::ostringstream text;
  Sm sm(c, Engine::kSystemC);
  sm.begin(launch, space, *memory, &observer, text);
  sm.backend().go();
  while (!sm.backend().finished()) sm.cycle();
  ASSERT_TRUE(sm.backend().error());
  try {
    std::rethrow_exception(sm.backend().error());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "oracle");
    EXPECT_NE(std::string(error.what()).find("reference says"), std::string::npos) << error.what();
  }
}

// The lock's upper half alone says that it is taken.
TEST(WideLivelock, IsFoundThoughDoublewordsAreWritten) {
  for (const char* mechanism : {"spe", "dpe", "dwf"}) {
    const std::string text = failure("spins", machine(mechanism, {"run.watchdog=3000"}));
    EXPECT_NE(text.find("livelock"), std::string::npos) << mechanism << ": " << text;
  }
}

TEST(WideLivelock, IsNotWhereUpperHalvesCount) {
  for (const char* mechanism : {"spe", "dpe", "dwf"}) {
    const WideOutcome run = run_wide("counts_up", machine(mechanism, {"run.watchdog=1000"}), Engine::kSystemC, 32);
    EXPECT_EQ(run.out, Wide(run.out.size(), 1)) << mechanism;
    EXPECT_GT(run.stats.cycles, 100000u);
  }
}

}  // namespace
}  // namespace heddle::test::wide_test
