// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics of a warp against the scalar reference, lane by lane in order, and their faults.
#include "memory/warp_memory.h"

#include <gtest/gtest.h>

#include "isa/execute.h"
#include "reference_thread.h"

namespace heddle {
namespace {

using test::make;
using test::Reference;

constexpr Op kOps[] = {Op::kLb,      Op::kLh,      Op::kLw,      Op::kLbu,    Op::kLhu,   Op::kFlw,
                       Op::kSb,      Op::kSh,      Op::kSw,      Op::kFsw,    Op::kLr,    Op::kSc,
                       Op::kAmoswap, Op::kAmoadd,  Op::kAmoxor,  Op::kAmoand, Op::kAmoor, Op::kAmomin,
                       Op::kAmomax,  Op::kAmominu, Op::kAmomaxu, Op::kAmocas};

bool writes_register(const Instruction& instruction) { return !instruction.is_store(); }

TEST(WarpMemory, random_accesses_equal_the_reference_executed_lane_by_lane) {
  std::mt19937 random(11);
  Reference reference;
  AddressSpace memory(test::small_config());
  memory.begin_block(0, 4096);
  for (unsigned warp = 0; warp < 4; ++warp) memory.begin_warp(warp);
  const Address buffer = memory.allocate(1024);
  ASSERT_EQ(reference.memory().allocate(1024), buffer);
  const Address regions[] = {buffer, kSharedBase, kLocalBase};

  for (int round = 0; round < 20000; ++round) {
    const std::int32_t offset = static_cast<std::int32_t>(random() % 64) - 32;
    Instruction instruction = make(kOps[random() % (sizeof kOps / sizeof *kOps)], offset & ~3);
    if (instruction.is_atomic()) instruction.imm = 0;
    const unsigned bytes = access_bytes(instruction.op);
    const unsigned warp = random() % 4;
    const LaneMask mask = random() % 2 == 0 ? lane_mask(32) : random();
    const bool one_region = random() % 2 == 0;
    const Address first_region = regions[random() % 3];
    const unsigned words = random() % 3 == 0 ? 4 : 200;  // many lanes on few words, or spread
    LaneValues a, b, c, out{};
    Address address[kMaxLanes];
    for (unsigned l = 0; l < 32; ++l) {
      const Address region = one_region ? first_region : regions[random() % 3];
      a.v[l] = static_cast<std::uint32_t>(region) + 64 +
               (static_cast<std::uint32_t>(random()) % (words * 4) & ~(bytes - 1)) -
               static_cast<std::uint32_t>(instruction.imm);
      b.v[l] = test::corner_integer(random);
      c.v[l] = random() % 2 == 0 ? 0 : test::corner_integer(random);
    }
    const auto result = execute_memory(memory, instruction, a.v, b.v, c.v, out.v, address, mask, 32, 0, warp);
    ASSERT_EQ(result.fault, Fault::kNone);
    for (unsigned l = 0; l < 32; ++l) {
      if ((mask >> l & 1) == 0) continue;
      const auto expected = reference.run(instruction, a.v[l], b.v[l], c.v[l], 0, {0, warp, l});
      ASSERT_EQ(expected.step.event, StepEvent::kNone);
      ASSERT_EQ(address[l], expected.step.address);
      if (writes_register(instruction)) {
        ASSERT_EQ(out.v[l], expected.rd) << "op " << static_cast<int>(instruction.op) << " lane " << l << " round "
                                         << round;
      }
    }
  }
  Address different = 0;
  EXPECT_FALSE(memory.first_difference(reference.memory(), different)) << std::hex << different;
}

TEST(WarpMemory, stores_and_atomics_to_one_word_happen_in_lane_order) {
  AddressSpace memory(test::small_config());
  const Address word = memory.allocate(4);
  LaneValues a, b, c{}, out;
  Address address[kMaxLanes];
  for (unsigned l = 0; l < 32; ++l) {
    a.v[l] = static_cast<std::uint32_t>(word);
    b.v[l] = 100 + l;
  }
  const auto run = [&](Op op, LaneMask mask) {
    EXPECT_EQ(execute_memory(memory, make(op), a.v, b.v, c.v, out.v, address, mask, 32, 0, 0).fault, Fault::kNone);
    std::uint32_t value;
    memory.read(word, &value, 4);
    return value;
  };
  EXPECT_EQ(run(Op::kSw, 0x0F0), 107u);  // the highest lane is last
  EXPECT_EQ(run(Op::kAmoswap, 0x0F0), 107u);
  EXPECT_EQ(out.v[4], 107u);                 // old value of memory
  EXPECT_EQ(out.v[5], 104u);                 // what lane 4 stored
  EXPECT_EQ(run(Op::kAmocas, 0x00F), 107u);  // expects 0: nobody swaps
  EXPECT_EQ(run(Op::kLr, 0x00F), 107u);
  EXPECT_EQ(run(Op::kSc, 0x00F), 100u);  // the first store ends the other reservations
  EXPECT_EQ(out.v[0], 0u);
  EXPECT_EQ(out.v[1], 1u);
}

TEST(WarpMemory, a_fault_names_the_lowest_faulting_lane_and_its_address) {
  AddressSpace memory(test::small_config());
  const Address word = memory.allocate(4);
  for (const Op op : {Op::kLw, Op::kSw, Op::kAmoadd, Op::kLr}) {
    LaneValues a, b{}, c{}, out;
    Address address[kMaxLanes];
    for (unsigned l = 0; l < 32; ++l) a.v[l] = static_cast<std::uint32_t>(word);
    a.v[3] = 0;  // not in the mask
    a.v[9] = static_cast<std::uint32_t>(word) + 2;
    a.v[11] = 16;
    const auto result =
        execute_memory(memory, make(op), a.v, b.v, c.v, out.v, address, lane_mask(32) & ~LaneMask{8}, 32, 0, 0);
    EXPECT_EQ(result.fault, Fault::kMisaligned);
    EXPECT_EQ(result.lane, 9u);
    EXPECT_EQ(result.address, word + 2);
  }
}

TEST(WarpMemory, a_full_warp_that_leaves_the_heap_or_is_misaligned_in_one_lane_faults) {
  AddressSpace memory(test::small_config());
  const Address buffer = memory.allocate(256);
  LaneValues a, b{}, c{}, out;
  Address address[kMaxLanes];
  for (unsigned l = 0; l < 32; ++l) a.v[l] = static_cast<std::uint32_t>(buffer) + 8 * l;
  EXPECT_EQ(execute_memory(memory, make(Op::kLw, 4), a.v, b.v, c.v, out.v, address, lane_mask(32), 32, 0, 0).fault,
            Fault::kNone);
  const auto above = execute_memory(memory, make(Op::kLw, 8), a.v, b.v, c.v, out.v, address, lane_mask(32), 32, 0, 0);
  EXPECT_EQ(above.fault, Fault::kUnmapped);
  EXPECT_EQ(above.lane, 31u);
  a.v[20] += 2;
  const auto misaligned =
      execute_memory(memory, make(Op::kLw, 4), a.v, b.v, c.v, out.v, address, lane_mask(32), 32, 0, 0);
  EXPECT_EQ(misaligned.fault, Fault::kMisaligned);
  EXPECT_EQ(misaligned.lane, 20u);
  const auto below = execute_memory(memory, make(Op::kLw, -4), a.v, b.v, c.v, out.v, address, lane_mask(32), 32, 0, 0);
  EXPECT_EQ(below.fault, Fault::kUnmapped);
  EXPECT_EQ(below.lane, 0u);
}

TEST(WarpMemory, text_is_read_from_any_region_and_stops_at_its_end) {
  AddressSpace memory(test::small_config());
  const Address buffer = memory.allocate(256);
  memory.write(buffer + 250, "hello!", 6);
  std::string text;
  EXPECT_EQ(read_text(memory, buffer + 250, 6, {}, text).fault, Fault::kNone);
  EXPECT_EQ(text, "hello!");
  const auto result = read_text(memory, buffer + 250, 7, {}, text);
  EXPECT_EQ(result.fault, Fault::kUnmapped);
  EXPECT_EQ(result.address, buffer + 256);
}

}  // namespace
}  // namespace heddle
