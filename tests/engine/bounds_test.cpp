// SPDX-License-Identifier: Apache-2.0
// Accesses outside of buffers, variables and shared memory: each engine and mechanism stops with the same words about
// them.
#include <gtest/gtest.h>

#include "isa/launch.h"
#include "program/loader.h"
#include "support.h"

namespace heddle::test::bounds_test {
namespace {

constexpr std::uint32_t kWho = 71;

struct Access {
  const char* kernel;
  std::uint32_t distance;
  const char* says;  // all of it up to the kernel's name
  const char* line;  // of the source
  bool two = true;   // buffers
};

void PrintTo(const Access& access, std::ostream* stream) {
  *stream << access.kernel << " " << static_cast<std::int32_t>(access.distance);
}

constexpr auto kMinus = [](std::uint32_t bytes) { return ~bytes + 1; };

// The first buffer has 768 bytes at 0x20000000, the second 400 at 0x20000600, and 4 bytes at 0x20000a00 are freed.
const std::vector<Access> kOutside{
    {"store_at", 400,
     "store of 4 bytes at address 0x20000790: outside every buffer and variable (nearest: offset 400 of argument 2 "
     "'second', 400 bytes at 0x20000600)",
     ":10 "},
    {"store_at", 700,
     "store of 4 bytes at address 0x200008bc: outside every buffer and variable (nearest: offset 700 of argument 2 "
     "'second', 400 bytes at 0x20000600)",
     ":10 "},
    {"store_at", kMinus(4),
     "store of 4 bytes at address 0x200005fc: outside every buffer and variable (nearest: offset -4 of argument 2 "
     "'second', 400 bytes at 0x20000600)",
     ":10 "},
    {"store_at", kMinus(0x300),
     "store of 4 bytes at address 0x20000300: outside every buffer and variable (nearest: offset 768 of argument 1 "
     "'first', 768 bytes at 0x20000000)",
     ":10 "},
    {"store_at", kMinus(0x604),
     "store of 4 bytes at address 0x1ffffffc: unmapped memory (nearest: offset -4 of argument 1 'first', 768 bytes at "
     "0x20000000)",
     ":10 "},
    {"store_at", 0x400,
     "store of 4 bytes at address 0x20000a00: a buffer that was freed (nearest: offset 0 of a buffer, 4 bytes at "
     "0x20000a00)",
     ":10 "},
    {"load_at", 400,
     "load of 4 bytes at address 0x20000790: outside every buffer and variable (nearest: offset 400 of argument 2 "
     "'second', 400 bytes at 0x20000600)",
     ":16 "},
    {"add_at", 404,
     "atomic access of 4 bytes at address 0x20000794: outside every buffer and variable (nearest: offset 404 of "
     "argument 2 'second', 400 bytes at 0x20000600)",
     ":20 "},
    {"byte_of_small", 6,
     "store of 1 bytes at address 0x10001046: outside every buffer and variable (nearest: offset 6 of variable small, "
     "6 bytes at 0x10001040)",
     ":25 ", false},
    {"word_of_table", 68,
     "store of 4 bytes at address 0x10001044: outside every buffer and variable (nearest: offset 4 of variable small, "
     "6 bytes at 0x10001040)",
     ":31 ", false},
    {"word_of_table", 20,
     "store of 4 bytes at address 0x10001014: outside every buffer and variable (nearest: offset 20 of variable table, "
     "16 bytes at 0x10001000)",
     ":31 ", false},
    {"word_of_table", 132,
     "store of 4 bytes at address 0x10001084: unmapped memory (nearest: offset 4 of variable behind, 4 bytes at "
     "0x10001080)",
     ":31 ", false},
    {"shared_at", 96, "store of 4 bytes at address 0x60000060: shared memory beyond the block's 96 bytes, at offset 96",
     ":40 ", false},
};

// Runs a kernel on the machine, or on the functional device.
void run(const Access& access, const Config& config, Engine engine, bool functional) {
  Device device(config, engine);
  device.load(elf("bounds"));
  const Address first = device.allocate(768), second = device.allocate(400), freed = device.allocate(4);
  device.release(freed);
  std::vector<std::uint64_t> words{first, second, kWho, access.distance};
  if (!access.two) words.erase(words.begin() + 1);
  if (functional) {
    const Program& program = device.program();
    const KernelArguments arguments = word_arguments(words, 0, program, find_kernel(program, access.kernel), config);
    static_cast<void>(device.launch_functional(access.kernel, {2}, {96}, arguments));
  } else {
    device.launch(access.kernel, {2}, {96}, words);
  }
}

class Outside : public testing::TestWithParam<Access> {
 protected:
  static void expect_told(const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
    EXPECT_EQ(error.code(), "fault");
    const std::string message = error.what();
    const std::string begins =
        std::string(GetParam().says) + " in kernel " + GetParam().kernel + ": thread (71,0,0) of block (0,0,0)";
    EXPECT_EQ(message.substr(0, begins.size()), begins);
    EXPECT_NE(message.find(std::string("bounds.cu") + GetParam().line), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
};

INSTANTIATE_TEST_SUITE_P(All, Outside, testing::ValuesIn(kOutside));

TEST_P(Outside, IsToldAlikeByEveryMechanismAndEngine) {
  for (const char* mechanism : {"spe", "dpe", "dws", "dwf", "pdom-barrel", "mimd"}) {
    for (const Engine engine : engines()) {
      SCOPED_TRACE(testing::Message() << mechanism << " on engine " << engine_name(engine));
      const Error error =
          error_of([&] { run(GetParam(), config(mechanism, {}, preset_of_mechanism(mechanism)), engine, false); });
      if (engine != Engine::kSystemC && error.code() == "engine") continue;  // this build has no such model
      expect_told(error);
    }
  }
  expect_told(error_of([&] { run(GetParam(), config("spe"), Engine::kSystemC, true); }));
}

TEST_P(Outside, IsToldBySeveralSms) {
  expect_told(error_of([&] {
    run(GetParam(), config("spe", {"gpu.sms=2", "memory.kind=hierarchy"}), Engine::kSystemC, false);
  }));
}

TEST(Bounds, AreOffWithTheChecksUnlessAskedFor) {
  const Access& in_the_gap = kOutside[1];
  const auto code = [&](const Settings& settings, bool functional) {
    return error_of([&] { run(in_the_gap, config("dpe", settings), Engine::kSystemC, functional); }).code();
  };
  for (const bool functional : {false, true}) {
    EXPECT_EQ(code({}, functional), "fault");
    EXPECT_EQ(code({"run.bounds=false"}, functional), "no error");
    EXPECT_EQ(code({"run.checks=false"}, functional), "no error");
    EXPECT_EQ(code({"run.checks=false", "run.bounds=true"}, functional), "fault");
  }
}

TEST(Bounds, ChangeNoPlaceAndNoCycle) {
  for (const char* workload : {"bfs", "lud"}) {
    EXPECT_EQ(all_figures(run_workload(workload, config("dpe"))),
              all_figures(run_workload(workload, config("dpe", {"run.bounds=false"}))))
        << workload;
  }
}

TEST(Bounds, AHundredThousandSmallBuffersAreEachUsable) {
  Device device(config("spe"));
  device.load(elf("bounds"));
  const Address out = device.allocate(4 * 32);
  Address last = 0;
  for (int n = 0; n < 100000; ++n) last = device.allocate(16);
  device.launch("store_at", {1}, {32}, {out, last, 5, 12});
  std::uint32_t word = 0;
  device.read(last + 12, &word, 4);
  EXPECT_EQ(word, 7u);
  EXPECT_EQ(error_of([&] { device.launch("store_at", {1}, {32}, {out, last, 5, 16}); }).code(), "fault");
}

TEST(Device, RefusesToGiveBackWhatIsNoBuffer) {
  Device device(config("spe"));
  const Address buffer = device.allocate(64);
  EXPECT_EQ(error_of([&] { device.release(buffer + 4); }).code(), "memory");
  device.release(buffer);
  const Error twice = error_of([&] { device.release(buffer); });
  EXPECT_EQ(std::string(twice.what()),
            "0x20000000 is given back, and no buffer begins there: give back what allocate() returned, once");
  EXPECT_EQ(device.allocated(), 0u);
}

}  // namespace
}  // namespace heddle::test::bounds_test
