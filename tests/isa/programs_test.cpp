// SPDX-License-Identifier: Apache-2.0
// Scalar programs on the functional device and under qemu-riscv32: same output, same exit status.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdio>
#include <string>

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

Outcome run_functional(const std::string& elf) {
  Config config;
  config.memory.local_bytes = 65536;
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
  const std::string elf = std::string(HEDDLE_TEST_PROGRAMS) + "/" + GetParam() + ".elf";
  const Outcome qemu = run_qemu(elf);
  ASSERT_GE(qemu.status, 0) << "qemu-riscv32 did not run " << elf << ": apt-get install qemu-user";
  ASSERT_GT(qemu.text.size(), 100u) << "the program prints its results";
  const Outcome functional = run_functional(elf);
  EXPECT_EQ(functional.text, qemu.text);
  EXPECT_EQ(functional.status, qemu.status);
}

INSTANTIATE_TEST_SUITE_P(All, Programs, testing::Values("integer", "float", "memory", "compute"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace heddle
