// SPDX-License-Identifier: Apache-2.0
// What a launch refuses, and the registers a thread starts with.
#include "isa/launch.h"

#include <gtest/gtest.h>

#include <map>

#include "reference_thread.h"

namespace heddle::launch_test {
namespace {

class LaunchTest : public testing::Test {
 protected:
  LaunchTest() {
    program_.exit_stub = 0x10100;
    program_.thread_pointer = 0x70000000;
    config_.core.warps = 8;
  }

  Launch make(Dim3 grid, Dim3 block, std::vector<std::uint64_t> arguments = {}, std::uint32_t floats = 0,
              std::uint32_t dynamic_shared = 0) {
    return make_launch(program_, kernel_, grid, block, word_arguments(arguments, floats, program_, kernel_, config_),
                       dynamic_shared, config_);
  }
  void expect_refused(const std::string& part, Dim3 grid, Dim3 block, std::vector<std::uint64_t> arguments = {},
                      std::uint32_t floats = 0, std::uint32_t dynamic_shared = 0) {
    try {
      (void)make(grid, block, std::move(arguments), floats, dynamic_shared);
      FAIL() << "accepted: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "launch");
      EXPECT_EQ(error.status(), ExitStatus::kBadInput);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }

  Program program_;
  Kernel kernel_{"k", 0x10000, 0x11800, 0, 1024};
  Config config_;
};

TEST_F(LaunchTest, the_largest_block_that_fits_is_accepted_and_one_thread_more_is_not) {
  EXPECT_EQ(make({1}, {256}).warps_per_block(32), 8u);
  expect_refused("too large: a core of 8 warps x 32 lanes holds 256 threads", {1}, {257});
  expect_refused("too large", {1}, {65536, 65536, 65536});
  expect_refused("too large", {1}, {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF});
}

TEST_F(LaunchTest, empty_grids_and_blocks_are_refused) {
  expect_refused("grid (4,0,1) has no block", {4, 0, 1}, {32});
  expect_refused("block (0,1,1) has no thread", {4}, {0});
}

TEST_F(LaunchTest, grids_of_more_threads_than_thread_numbers_are_refused) {
  expect_refused("more than 2^32 - 1 threads", {0x1000000}, {256});
  expect_refused("more than 2^32 - 1 threads", {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, {1});
  EXPECT_EQ(make({0xFFFFFF}, {256}).blocks(), 0xFFFFFFu);
}

TEST_F(LaunchTest, registers_and_shared_memory_limit_a_block) {
  config_.core.registers = 64 * 32 * 2;
  EXPECT_EQ(make({1}, {64}).threads_per_block(), 64u);
  expect_refused("needs 6144 registers, the core has 4096 (core.registers)", {1}, {65});
  EXPECT_EQ(make({1}, {32}, {}, 0, 49152 - 1024).shared_bytes(), 49152u);
  expect_refused("needs 49153 bytes of shared memory, the core has 49152 (core.shared_bytes)", {1}, {32}, {}, 0,
                 49152 - 1023);
  expect_refused("shared memory", {1}, {32}, {}, 0, 0xFFFFFFFF);
}

TEST_F(LaunchTest, arguments_beyond_the_registers_lie_at_the_stack_pointer) {
  const Launch launch = make({1}, {1}, std::vector<std::uint64_t>(10, 7));
  EXPECT_EQ(launch.arguments.integers.size(), 8u);
  EXPECT_EQ(launch.arguments.stack.size(), 16u);
  for (const InitialRegister& r : initial_registers(launch, config_)) {
    if (r.reg == kSp) {
      EXPECT_EQ(r.value, 0x70001000u - 16);
    }
  }
}

TEST_F(LaunchTest, more_than_four_kilobytes_of_arguments_are_refused) {
  config_.memory.local_bytes = 16384;
  EXPECT_EQ(make({1}, {1}, std::vector<std::uint64_t>(8 + 1024)).arguments.stack.size(), 4096u);
  expect_refused("4112 bytes of arguments on the stack; at most 4096", {1}, {1}, std::vector<std::uint64_t>(8 + 1025));
  config_.memory.local_bytes = 4096;
  expect_refused("half of memory.local_bytes", {1}, {1}, std::vector<std::uint64_t>(8 + 600));
}

TEST_F(LaunchTest, a_thread_starts_with_the_registers_of_the_abi) {
  const Launch launch = make({1}, {1}, {11, 0x3F800000, 22, 0x40000000}, 0b1010);
  std::map<unsigned, std::uint32_t> registers;
  for (const InitialRegister& r : initial_registers(launch, config_)) registers[r.reg] = r.value;
  const std::map<unsigned, std::uint32_t> expected = {{1, 0x10100},     {2, 0x70001000}, {3, 0x11800},
                                                      {4, 0x70000000},  {10, 11},        {11, 22},
                                                      {42, 0x3F800000}, {43, 0x40000000}};
  EXPECT_EQ(registers, expected);
}

}  // namespace
}  // namespace heddle::launch_test
