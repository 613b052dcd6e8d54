// SPDX-License-Identifier: Apache-2.0
// Kernels and launches that are wrong: each ends with one line that says what happened, in which thread, where in the
// source.
#include <gtest/gtest.h>

#include "support.h"

namespace heddle::test::faults_test {
namespace {

void expect_contains(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' is not in: " << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

struct Case {
  const char* kernel;
  ErrorKind kind;
  std::vector<std::string> says;
};

void PrintTo(const Case& test_case, std::ostream* stream) { *stream << test_case.kernel; }

const std::vector<Case> kCases{
    {"null_load", ErrorKind::kIllegalAddress, {"load of 4 bytes at address 0x00000000"}},
    {"null_store", ErrorKind::kIllegalAddress, {"store of 4 bytes at address 0x00000004"}},
    {"unmapped_load", ErrorKind::kIllegalAddress, {"load of 4 bytes at address 0x50000000"}},
    {"behind_the_heap", ErrorKind::kIllegalAddress, {"store of 4 bytes at address 0x3ffffff0"}},
    {"misaligned_load", ErrorKind::kMisalignedAddress, {"load of 4 bytes at address 0x", "misaligned"}},
    {"misaligned_half", ErrorKind::kMisalignedAddress, {"store of 2 bytes at address 0x", "misaligned"}},
    {"read_only_store", ErrorKind::kIllegalAddress, {"store of 4 bytes at address 0x", "read-only"}},
    {"code_store", ErrorKind::kIllegalAddress, {"store of 4 bytes at address 0x10000000", "read-only"}},
    {"outside_shared", ErrorKind::kIllegalAddress, {"store of 4 bytes at address 0x6000c000", "shared"}},
    {"outside_local", ErrorKind::kIllegalAddress, {"store of 4 bytes at address 0x70001000", "local"}},
    {"null_atomic", ErrorKind::kIllegalAddress, {"atomic access of 4 bytes at address 0x00000008"}},
    {"illegal_instruction", ErrorKind::kIllegalInstruction, {"illegal or unsupported instruction 0xffffffff"}},
    {"breakpoint", ErrorKind::kIllegalInstruction, {"ebreak"}},
    {"bad_call", ErrorKind::kIllegalInstruction, {"environment call 1234", "64 (write), 93 (exit) and 4096 (print)"}},
    {"bad_descriptor", ErrorKind::kIllegalInstruction, {"file descriptor 5", "only 1 and 2 exist"}},
    {"write_of_nothing_mapped", ErrorKind::kIllegalAddress, {"write call", "address 0x00000010"}},
    {"print_of_nothing_mapped", ErrorKind::kIllegalAddress, {"print call", "byte at address 0x00000010: null pointer"}},
    {"unknown_csr", ErrorKind::kIllegalInstruction, {"control and status register 0x7c0"}},
    {"read_only_csr", ErrorKind::kIllegalInstruction, {"control and status register 0xcc0", "read-only"}},
    {"reserved_rounding", ErrorKind::kIllegalInstruction, {"reserved dynamic rounding mode"}},
    {"wild_jump", ErrorKind::kIllegalInstruction, {"instruction fetch outside the program's code", "0x12345678"}},
    {"null_call", ErrorKind::kInvalidPc, {"jump to address 0", "null pointer"}},
    {"misaligned_jump", ErrorKind::kMisalignedAddress, {"jump to misaligned address 0x10000002"}},
    {"endless_recursion",
     ErrorKind::kIllegalAddress,
     {"store of 4 bytes at address 0x6fffff", "memory.local_bytes", "stack overflow"}},
};

class EachFault : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(All, EachFault, testing::ValuesIn(kCases), [](const auto& info) { return info.param.kernel; });

constexpr std::uint32_t kWho = 71;  // warp 2, lane 7 of block 0
constexpr const char* kThread = "thread (71,0,0) of block (0,0,0)";

TEST_P(EachFault, NamesThreadAndSourceLineOnEveryEngine) {
  for (const char* mechanism : {"spe", "dpe"}) {
    for (const Engine engine : engines()) {
      SCOPED_TRACE(testing::Message() << mechanism << " on engine " << static_cast<int>(engine));
      const Error error =
          error_of([&] { run_kernel("faults", GetParam().kernel, {2}, {96}, config(mechanism), {kWho}, 0, engine); });
      EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
      EXPECT_EQ(error.code(), "fault");
      EXPECT_EQ(error.kind(), GetParam().kind) << name_of(error.kind());
      expect_contains(error.what(), GetParam().says);
      expect_contains(error.what(), {std::string("in kernel ") + GetParam().kernel, kThread});
      if (std::string(GetParam().kernel) != "wild_jump") expect_contains(error.what(), {"faults.cu:"});
      EXPECT_NE(error.details().find("warp 2"), std::string::npos) << error.details();
    }
  }
}

// The forbidden line itself is innocent when no thread takes it.
TEST_P(EachFault, IsNotReportedForThreadsThatAvoidIt) {
  const Outcome run = run_kernel("faults", GetParam().kernel, {2}, {96}, config("dpe"), {5000});
  for (const std::uint32_t word : run.out) ASSERT_EQ(word, 1u);
}

TEST_P(EachFault, IsFoundWithoutOracleAndChecks) {
  const Settings bare{"run.oracle=false", "run.checks=false"};
  EXPECT_EQ(error_of([&] { run_kernel("faults", GetParam().kernel, {2}, {96}, config("dpe", bare), {kWho}); }).code(),
            "fault");
}

TEST(Barrier, InDivergentCodeNamesBothPlaces) {
  for (const char* mechanism : {"spe", "dpe"}) {
    const Error error = error_of([&] { run_kernel("faults", "divergent_barrier", {1}, {32}, config(mechanism)); });
    EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
    EXPECT_EQ(error.code(), "barrier");
    expect_contains(error.what(),
                    {"in kernel divergent_barrier", "threads 0xffff while threads 0xffff0000", "__syncthreads"});
    const std::string message = error.what();
    const auto first = message.find("faults.cu:");
    ASSERT_NE(first, std::string::npos) << message;
    const auto second = message.find("faults.cu:", first + 1);
    ASSERT_NE(second, std::string::npos) << message;
    EXPECT_NE(message.substr(first, 14), message.substr(second, 14)) << message;
  }
}

TEST(Watchdog, FindsThreadsThatRepeatThemselves) {
  for (const char* kernel : {"endless", "waiting_warps"}) {
    for (const char* mechanism : {"spe", "dpe"}) {
      const Error error =
          error_of([&] { run_kernel("faults", kernel, {1}, {64}, config(mechanism, {"run.watchdog=2000"})); });
      EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
      EXPECT_EQ(error.code(), "watchdog");
      expect_contains(error.what(), {std::string("livelock in kernel ") + kernel});
      EXPECT_NE(error.details().find("faults.cu:"), std::string::npos) << error.details();
    }
  }
}

TEST(Watchdog, LetsAKernelThatChangesMemoryRun) {
  const Error error = error_of([] {
    run_kernel("faults", "counting", {1}, {32}, config("dpe", {"run.watchdog=1000", "run.max_cycles=60000"}));
  });
  EXPECT_EQ(error.code(), "max_cycles") << error.what();
}

// One warp repeats itself for longer than the watchdog is patient, but another one gets on, without touching memory.
TEST(Watchdog, LetsLongWorkAndItsWaitersEnd) {
  for (const char* mechanism : {"spe", "dpe"}) {
    const Outcome run = run_kernel("control", "patience", {1}, {64}, config(mechanism, {"run.watchdog=1000"}), {8000});
    EXPECT_GT(run.stats.cycles, 3 * (1000u + 16384u));
    std::uint32_t x = 7;
    for (unsigned k = 0; k < 8000; ++k) x = x * 1664525u + 1013904223u;
    EXPECT_EQ(run.out[7], x);
  }
}

TEST(MaxCycles, StopsAKernelAndSaysHowToGoOn) {
  for (const char* mechanism : {"spe", "dpe"}) {
    const Error error =
        error_of([&] { run_kernel("faults", "counting", {1}, {32}, config(mechanism, {"run.max_cycles=1234"})); });
    EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
    EXPECT_EQ(error.code(), "max_cycles");
    expect_contains(error.what(), {"kernel counting", "1234 cycles", "--max-cycles"});
  }
}

TEST(MaxCycles, CountsExactly) {
  const auto cycles = run_kernel("control", "returns", {1}, {32}, config("dpe")).stats.cycles;
  const auto run = [&](std::uint64_t limit) {
    return run_kernel("control", "returns", {1}, {32}, config("dpe", {"run.max_cycles=" + std::to_string(limit)}))
        .stats.cycles;
  };
  EXPECT_EQ(run(cycles), cycles);
  EXPECT_EQ(error_of([&] { run(cycles - 1); }).code(), "max_cycles");
}

struct BadLaunch {
  const char* name;
  const char* program;
  const char* kernel;
  Dim3 grid, block;
  std::vector<std::uint64_t> arguments;
  Settings settings;
  std::vector<std::string> says;
};

void PrintTo(const BadLaunch& launch, std::ostream* stream) { *stream << launch.name; }

class EachBadLaunch : public testing::TestWithParam<BadLaunch> {};

INSTANTIATE_TEST_SUITE_P(
    All, EachBadLaunch,
    testing::Values(BadLaunch{"missing_kernel", "control", "nothing", {1}, {32}, {0}, {}, {"nothing", "returns"}},
                    BadLaunch{"block_of_too_many_warps",
                              "control",
                              "returns",
                              {1},
                              {1024},
                              {0},
                              {"core.warps=16"},
                              {"1024", "16 warps x 32 lanes"}},
                    BadLaunch{"block_of_too_many_threads", "control", "returns", {1}, {4096}, {0}, {}, {"4096"}},
                    BadLaunch{"too_many_registers",
                              "control",
                              "returns",
                              {1},
                              {512},
                              {0},
                              {"core.registers=16384"},
                              {"registers", "16384"}},
                    BadLaunch{"empty_grid", "control", "returns", {0}, {32}, {0}, {}, {"grid"}},
                    BadLaunch{"empty_block", "control", "returns", {1}, {0}, {0}, {}, {"block"}}),
    [](const auto& info) { return info.param.name; });

TEST_P(EachBadLaunch, IsRefusedBeforeItStarts) {
  const BadLaunch& bad = GetParam();
  Device device(config("dpe", bad.settings));
  device.load(elf(bad.program));
  const Error error = error_of([&] { device.launch(bad.kernel, bad.grid, bad.block, bad.arguments); });
  EXPECT_EQ(error.status(), ExitStatus::kBadInput) << error.what();
  expect_contains(error.what(), bad.says);
  EXPECT_EQ(device.cycles(), 0u);
}

TEST(Device, RefusesAnEngineWithoutSuchHardware) {
  Device device(config("dpe", {"stack.depth=7"}), engines().back());
  device.load(elf("control"));
  const Address out = device.allocate(128);
  const auto launch = [&] { device.launch("returns", {1}, {32}, {out}); };
  if (engines().size() == 1) {
    EXPECT_NO_THROW(launch());
    return;
  }
  const Error error = error_of(launch);
  EXPECT_EQ(error.status(), ExitStatus::kBadInput);
  EXPECT_EQ(error.code(), "engine");
  expect_contains(error.what(), {"stack.depth = 7", "--engine systemc"});
}

TEST(Device, RefusesAConfigurationThatDoesNotFitTogether) {
  Config five_schedulers;
  five_schedulers.core.schedulers = 5;
  const Error error = error_of([&] { const Device device(five_schedulers); });
  EXPECT_EQ(error.status(), ExitStatus::kBadInput);
  expect_contains(error.what(), {"core.schedulers"});
}

TEST(Device, RefusesAllocationsBeyondTheHeap) {
  Device device(config("dpe", {"memory.heap_bytes=1M"}));
  device.allocate(512 << 10);
  const Error error = error_of([&] { device.allocate((512 << 10) + 256); });
  EXPECT_EQ(error.status(), ExitStatus::kBadInput);
  EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
  expect_contains(error.what(), {"memory.heap_bytes"});
  const Error outside = error_of([&] { device.write(0x20000000u + (1u << 20), "", 1); });
  EXPECT_EQ(outside.kind(), ErrorKind::kOutsideBuffers) << outside.what();
}

// The other kernels of the program have nothing of it.
TEST(Device, RefusesAKernelWithMoreSharedMemoryThanTheCoreHas) {
  Device device(config("dpe", {"core.shared_bytes=16384"}));
  device.load(elf("faults"));
  const Error error = error_of([&] { device.launch("big_shared", {1}, {32}, {device.allocate(4096)}); });
  EXPECT_EQ(error.status(), ExitStatus::kBadInput);
  EXPECT_EQ(error.kind(), ErrorKind::kResources);
  expect_contains(error.what(), {"32768 bytes", "core.shared_bytes"});
}

TEST(Device, TellsWhatAKernelTakes) {
  Device device(config("dpe"));
  EXPECT_EQ(error_of([&] { static_cast<void>(device.parameters("returns")); }).code(), "kernel");
  device.load(elf("control"));
  EXPECT_EQ(error_of([&] { static_cast<void>(device.parameters("absent")); }).code(), "kernel");
  const auto& parameters = device.parameters("returns");
  ASSERT_TRUE(parameters.has_value());
  ASSERT_EQ(parameters->size(), 1u);
  EXPECT_EQ(parameters->front().kind, Parameter::Kind::kPointer);
  EXPECT_EQ(parameters->front().bytes, 4u);
}

TEST(Device, RefusesToLaunchWithoutAProgram) {
  Device device(config("dpe"));
  EXPECT_EQ(error_of([&] { device.launch("returns", {1}, {32}, {}); }).status(), ExitStatus::kBadInput);
}

}  // namespace
}  // namespace heddle::test::faults_test
