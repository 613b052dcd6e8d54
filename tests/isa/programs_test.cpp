// SPDX-License-Identifier: Apache-2.0
// Scalar programs under qemu-riscv32, on the functional device and on the core: same output, same exit status.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <utility>

#include "heddle/device.h"
#include "oracle/functional.h"
#include "program/loader.h"

namespace heddle {
namespace {

struct Outcome {
  std::string text;
  int status = -1;
};

Outcome run_qemu(const std::string& elf) {
  Outcome outcome;
  std::FILE* pipe = popen(("qemu-riscv32 " + elf).c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) outcome.text.append(buffer, n);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

std::string program(const std::string& name) { return std::string(HEDDLE_TEST_PROGRAMS) + "/" + name + ".elf"; }

Config config_with_stack() {
  Config config;
  config.memory.local_bytes = 65536;
  return config;
}

Outcome run_functional(const std::string& elf) {
  const Config config = config_with_stack();
  FunctionalDevice device(config);
  Outcome outcome;
  device.set_text_sink([&](unsigned, const std::string& text) { outcome.text += text; });
  device.load(load_program(elf));
  device.launch("_start", {}, {}, {});
  outcome.status = static_cast<int>(device.exit_status());
  return outcome;
}

class Programs : public testing::TestWithParam<const char*> {};

TEST_P(Programs, print_the_same_as_under_qemu) {
  const std::string elf = program(GetParam());
  const Outcome qemu = run_qemu(elf);
  ASSERT_GE(qemu.status, 0) << "qemu-riscv32 did not run " << elf << ": apt-get install qemu-user";
  ASSERT_GT(qemu.text.size(), 100u) << "the program prints its results";
  const Outcome functional = run_functional(elf);
  EXPECT_EQ(functional.text, qemu.text);
  EXPECT_EQ(functional.status, qemu.status);
}

INSTANTIATE_TEST_SUITE_P(All, Programs, testing::Values("integer", "bits", "float", "memory", "compute"),
                         [](const auto& info) { return std::string(info.param); });

class ProgramsOnTheCore : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ProgramsOnTheCore, print_the_same_as_under_qemu) {
  const auto& [name, mechanism] = GetParam();
  Config config = config_with_stack();
  config.mechanism = mechanism;
  Device device(config);
  std::ostringstream text;
  device.set_text_output(text);
  device.load(program(name));
  device.launch("_start", {}, {}, {});
  EXPECT_EQ(text.str(), run_qemu(program(name)).text);
}

// The other programs are long for a core with one thread.
INSTANTIATE_TEST_SUITE_P(All, ProgramsOnTheCore,
                         testing::Values(std::pair("memory", "spe"), std::pair("memory", "dpe"),
                                         std::pair("compute", "spe"), std::pair("compute", "dpe"),
                                         std::pair("integer", "dpe"), std::pair("bits", "dpe")),
                         [](const auto& info) { return std::string(info.param.first) + "_" + info.param.second; });

}  // namespace
}  // namespace heddle
