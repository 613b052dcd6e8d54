// SPDX-License-Identifier: Apache-2.0
// Index registers, counters and fcsr: lane-parallel against the scalar reference, and the numbering of threads.
#include "isa/csr.h"

#include <gtest/gtest.h>

#include <cstring>

#include "isa/execute.h"
#include "reference_thread.h"

namespace heddle::csr_test {
namespace {

Launch launch_of(const Program& program, Dim3 grid, Dim3 block) {
  Launch launch;
  launch.program = &program;
  launch.entry = test::kTextBegin;
  launch.grid = grid;
  launch.block = block;
  return launch;
}

std::uint32_t read(const WarpContext& context, std::uint32_t csr, unsigned lane) {
  Instruction instruction = test::make(Op::kCsrrs, static_cast<std::int32_t>(csr));
  instruction.rs1 = 0;
  LaneValues a{}, out;
  std::uint8_t fcsr[kMaxLanes] = {};
  EXPECT_EQ(execute_csr(instruction, context, 0x100000002, 0x300000004, a.v, out.v, lane_mask(32), 32, fcsr), 0u)
      << csr;
  return out.v[lane];
}

TEST(Csr, index_registers_number_the_threads_of_a_warp_in_linear_order) {
  Program program;
  const Launch launch = launch_of(program, {4, 3, 2}, {5, 3, 4});  // 60 threads: one full warp and one of 28
  const WarpContext context(launch, 4 * 3 + 4 * 1 + 2, 1, 32);     // block (2, 1, 1)
  EXPECT_EQ(context.lanes_used, lane_mask(28));
  for (unsigned lane = 0; lane < 28; ++lane) {
    const unsigned thread = 32 + lane;
    EXPECT_EQ(read(context, kCsrThreadX, lane), thread % 5);
    EXPECT_EQ(read(context, kCsrThreadY, lane), thread / 5 % 3);
    EXPECT_EQ(read(context, kCsrThreadZ, lane), thread / 15);
    EXPECT_EQ(read(context, kCsrLane, lane), lane);
    EXPECT_EQ(read(context, kCsrMhartid, lane), 18 * 60 + thread);
  }
  const std::uint32_t expected[][2] = {{kCsrBlockX, 2},    {kCsrBlockY, 1},    {kCsrBlockZ, 1},   {kCsrBlockDimX, 5},
                                       {kCsrBlockDimY, 3}, {kCsrBlockDimZ, 4}, {kCsrGridDimX, 4}, {kCsrGridDimY, 3},
                                       {kCsrGridDimZ, 2},  {kCsrWarp, 1},      {kCsrCycle, 2},    {kCsrCycleh, 1},
                                       {kCsrTime, 2},      {kCsrTimeh, 1},     {kCsrInstret, 4},  {kCsrInstreth, 3}};
  for (const auto& [csr, value] : expected) EXPECT_EQ(read(context, csr, 3), value) << csr;
}

TEST(Csr, lanes_beyond_the_last_thread_are_unused) {
  Program program;
  EXPECT_EQ(WarpContext(launch_of(program, {}, {64}), 0, 1, 32).lanes_used, lane_mask(32));
  EXPECT_EQ(WarpContext(launch_of(program, {}, {33}), 0, 1, 32).lanes_used, 1u);
  EXPECT_EQ(WarpContext(launch_of(program, {}, {64}), 0, 0, 64).lanes_used, ~LaneMask{0});
}

TEST(Csr, the_scalar_reference_reads_the_same_indices) {
  Program program;
  const Launch launch = launch_of(program, {2, 3, 2}, {3, 2, 8});
  AddressSpace memory(test::small_config());
  for (std::uint32_t csr :
       {kCsrThreadX, kCsrThreadY, kCsrThreadZ, kCsrBlockX, kCsrBlockY, kCsrBlockZ, kCsrBlockDimX, kCsrBlockDimY,
        kCsrBlockDimZ, kCsrGridDimX, kCsrGridDimY, kCsrGridDimZ, kCsrLane, kCsrWarp, kCsrMhartid}) {
    Instruction instruction = test::make(Op::kCsrrs, static_cast<std::int32_t>(csr));
    instruction.rs1 = 0;
    for (std::uint64_t block : {0u, 5u, 11u}) {
      for (std::uint32_t thread = 0; thread < 48; ++thread) {
        ThreadOracle scalar;
        std::uint32_t registers[kNumRegs];
        scalar.start(launch, {}, block, thread, 32, {0, thread / 32, thread % 32}, registers, 1);
        ASSERT_EQ(scalar.step(instruction, memory).event, StepEvent::kNone);
        ASSERT_EQ(scalar.reg(test::kRd), read(WarpContext(launch, block, thread / 32, 32), csr, thread % 32))
            << csr << " " << thread;
      }
    }
  }
}

TEST(Csr, every_form_of_access_to_fcsr_equals_the_reference) {
  std::mt19937 random(7);
  test::Reference reference;
  for (Op op : {Op::kCsrrw, Op::kCsrrs, Op::kCsrrc, Op::kCsrrwi, Op::kCsrrsi, Op::kCsrrci}) {
    for (std::uint32_t csr : {kCsrFflags, kCsrFrm, kCsrFcsr}) {
      for (bool no_operand : {false, true}) {
        Instruction instruction = test::make(op, static_cast<std::int32_t>(csr));
        instruction.zimm = static_cast<std::uint8_t>(no_operand ? 0 : random() % 32);
        if (no_operand) instruction.rs1 = 0;
        LaneValues a{}, out;
        std::uint8_t fcsr[kMaxLanes], before[kMaxLanes];
        for (unsigned l = 0; l < 32; ++l) {
          a.v[l] = no_operand ? 0 : static_cast<std::uint32_t>(random());
          fcsr[l] = before[l] = static_cast<std::uint8_t>(random());
        }
        const LaneMask mask = random();
        ASSERT_EQ(execute_csr(instruction, WarpContext(), 0, 0, a.v, out.v, mask, 32, fcsr), 0u);
        for (unsigned l = 0; l < 32; ++l) {
          if ((mask >> l & 1) == 0) {
            ASSERT_EQ(fcsr[l], before[l]);
            continue;
          }
          const auto expected = reference.run(instruction, a.v[l], 0, 0, before[l]);
          ASSERT_EQ(out.v[l], expected.rd) << csr;
          ASSERT_EQ(fcsr[l], expected.fcsr) << csr;
        }
      }
    }
  }
}

TEST(Csr, counters_of_rv64_have_64_bits_and_no_upper_halves) {
  test::WideReference reference;
  WideLaneValues a{}, out;
  std::uint8_t fcsr[kMaxLanes] = {};
  const auto illegal = [&](std::uint32_t csr) {
    Instruction instruction = test::make(Op::kCsrrs, static_cast<std::int32_t>(csr));
    instruction.rs1 = 0;
    const bool refused =
        execute_csr(instruction, WarpContext(), 0x100000002, 0x300000004, a.v, out.v, lane_mask(32), 32, fcsr) != 0;
    EXPECT_EQ(reference.run(instruction, 0, 0, 0).step.event == StepEvent::kIllegal, refused) << csr;
    return refused;
  };
  EXPECT_FALSE(illegal(kCsrCycle));
  EXPECT_EQ(out.v[3], 0x100000002u);
  EXPECT_FALSE(illegal(kCsrInstret));
  EXPECT_EQ(out.v[3], 0x300000004u);
  for (std::uint32_t csr : {kCsrCycleh, kCsrTimeh, kCsrInstreth}) EXPECT_TRUE(illegal(csr)) << csr;

  Instruction swap = test::make(Op::kCsrrw, kCsrFcsr);
  for (std::uint64_t& value : a.v) value = 0xFFFFFFFFFFFFFF75;
  fcsr[3] = 0x42;
  EXPECT_EQ(execute_csr(swap, WarpContext(), 0, 0, a.v, out.v, lane_mask(32), 32, fcsr), 0u);
  EXPECT_EQ(out.v[3], 0x42u);
  EXPECT_EQ(fcsr[3], 0x75);
  const auto scalar = reference.run(swap, a.v[3], 0, 0, 0x42);
  EXPECT_EQ(scalar.rd, 0x42u);
  EXPECT_EQ(scalar.fcsr, 0x75);
}

TEST(Csr, unknown_registers_and_writes_to_read_only_ones_are_illegal) {
  test::Reference reference;
  LaneValues a{}, out;
  std::uint8_t fcsr[kMaxLanes] = {};
  const auto illegal = [&](Op op, std::uint32_t csr, RegId rs1, std::uint8_t zimm) {
    Instruction instruction = test::make(op, static_cast<std::int32_t>(csr));
    instruction.rs1 = rs1;
    instruction.zimm = zimm;
    const LaneMask lanes = execute_csr(instruction, WarpContext(), 0, 0, a.v, out.v, 0x5, 32, fcsr);
    EXPECT_EQ(reference.run(instruction, 0, 0, 0).step.event == StepEvent::kIllegal, lanes != 0) << csr;
    return lanes;
  };
  EXPECT_EQ(illegal(Op::kCsrrs, 0x300, 0, 0), 0x5u);
  EXPECT_EQ(illegal(Op::kCsrrs, 0xCCE, 0, 0), 0x5u);
  EXPECT_EQ(illegal(Op::kCsrrw, kCsrThreadX, 0, 0), 0x5u);  // writes even from x0
  EXPECT_EQ(illegal(Op::kCsrrs, kCsrThreadX, 5, 0), 0x5u);
  EXPECT_EQ(illegal(Op::kCsrrs, kCsrThreadX, 0, 0), 0x0u);
  EXPECT_EQ(illegal(Op::kCsrrci, kCsrCycle, 0, 1), 0x5u);
  EXPECT_EQ(illegal(Op::kCsrrci, kCsrCycle, 7, 0), 0x0u);  // zimm 0: a read; the field is not a register
  EXPECT_EQ(illegal(Op::kCsrrwi, kCsrMhartid, 0, 0), 0x5u);
}

}  // namespace
}  // namespace heddle::csr_test
