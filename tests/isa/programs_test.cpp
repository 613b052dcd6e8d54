// SPDX-License-Identifier: Apache-2.0
// Scalar programs of RV32 and RV64 under qemu, on the functional device and on the core: same output, same exit status.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <algorithm>
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

// Path of a program "rv32/name".
std::string elf_of(const std::string& program) { return std::string(HEDDLE_TEST_PROGRAMS) + "/" + program + ".elf"; }

Outcome run_qemu(const std::string& program) {
  Outcome outcome;
  std::FILE* pipe = popen(("qemu-riscv" + program.substr(2, 2) + " " + elf_of(program)).c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) outcome.text.append(buffer, n);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

Config config_with_stack() {
  Config config;
  config.memory.local_bytes = 65536;
  return config;
}

Outcome run_functional(const std::string& program) {
  const Config config = config_with_stack();
  FunctionalDevice device(config);
  Outcome outcome;
  device.set_text_sink([&](unsigned, const std::string& text) { outcome.text += text; });
  device.load(load_program(elf_of(program)));
  device.launch("_start", {}, {}, {});
  outcome.status = static_cast<int>(device.exit_status());
  return outcome;
}

std::string test_name(std::string program) {
  std::replace(program.begin(), program.end(), '/', '_');
  return program;
}

class Programs : public testing::TestWithParam<const char*> {};

TEST_P(Programs, print_the_same_as_under_qemu) {
  const Outcome qemu = run_qemu(GetParam());
  ASSERT_GE(qemu.status, 0) << "qemu did not run " << GetParam() << ": apt-get install qemu-user";
  ASSERT_GT(qemu.text.size(), 100u) << "the program prints its results";
  const Outcome functional = run_functional(GetParam());
  EXPECT_EQ(functional.text, qemu.text);
  EXPECT_EQ(functional.status, qemu.status);
}

INSTANTIATE_TEST_SUITE_P(All, Programs,
                         testing::Values("rv32/integer", "rv32/bits", "rv32/float", "rv32/memory", "rv32/compute",
                                         "rv64/integer", "rv64/bits", "rv64/float", "rv64/memory", "rv64/compute",
                                         "rv64/integer64", "rv64/double", "rv64/memory64"),
                         [](const auto& info) { return test_name(info.param); });

class ProgramsOnTheCore : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ProgramsOnTheCore, print_the_same_as_under_qemu) {
  const auto& [name, mechanism] = GetParam();
  Config config = config_with_stack();
  config.mechanism = mechanism;
  Device device(config);
  std::ostringstream text;
  device.set_text_output(text);
  device.load(elf_of(name));
  device.launch("_start", {}, {}, {});
  EXPECT_EQ(text.str(), run_qemu(name).text);
}

// The other programs are long for a core with one thread.
INSTANTIATE_TEST_SUITE_P(All, ProgramsOnTheCore,
                         testing::Values(std::pair("rv32/memory", "spe"), std::pair("rv32/memory", "dpe"),
                                         std::pair("rv32/compute", "spe"), std::pair("rv32/compute", "dpe"),
                                         std::pair("rv32/integer", "dpe"), std::pair("rv32/bits", "dpe"),
                                         std::pair("rv64/memory", "dpe"), std::pair("rv64/memory64", "spe"),
                                         std::pair("rv64/memory64", "dpe"), std::pair("rv64/compute", "dpe"),
                                         std::pair("rv64/integer64", "dpe"), std::pair("rv64/bits", "dpe")),
                         [](const auto& info) { return test_name(info.param.first) + "_" + info.param.second; });

}  // namespace
}  // namespace heddle
