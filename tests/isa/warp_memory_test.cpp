// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics of a warp, of RV32 and RV64: against the scalar reference, lane by lane in order, and
// against a map of bytes; and their faults.
#include "memory/warp_memory.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>
#include <type_traits>

#include "isa/execute.h"
#include "reference_thread.h"

namespace heddle::warp_memory_test {
namespace {

using test::make;

constexpr Op kOps[] = {Op::kLb,      Op::kLh,      Op::kLw,      Op::kLbu,    Op::kLhu,   Op::kFlw,
                       Op::kSb,      Op::kSh,      Op::kSw,      Op::kFsw,    Op::kLr,    Op::kSc,
                       Op::kAmoswap, Op::kAmoadd,  Op::kAmoxor,  Op::kAmoand, Op::kAmoor, Op::kAmomin,
                       Op::kAmomax,  Op::kAmominu, Op::kAmomaxu, Op::kAmocas};
constexpr Op kWideOps[] = {Op::kLwu,     Op::kLd,       Op::kFld,      Op::kSd,       Op::kFsd,     Op::kLrD,
                           Op::kScD,     Op::kAmoswapD, Op::kAmoaddD,  Op::kAmoxorD,  Op::kAmoandD, Op::kAmoorD,
                           Op::kAmominD, Op::kAmomaxD,  Op::kAmominuD, Op::kAmomaxuD, Op::kAmocasD};

// Of RV32 and RV64.
template <typename Word>
std::vector<Op> all_ops() {
  std::vector<Op> ops(std::begin(kOps), std::end(kOps));
  if (sizeof(Word) == 8) ops.insert(ops.end(), std::begin(kWideOps), std::end(kWideOps));
  return ops;
}

template <typename Word>
Word corner(std::mt19937& random) {
  const std::uint64_t low = test::corner_integer(random), high = random() % 2 == 0 ? 0 : test::corner_integer(random);
  return static_cast<Word>(sizeof(Word) == 8 && random() % 4 == 0 ? low - (std::uint64_t{1} << 32) : high << 32 | low);
}

Program empty_program(Xlen xlen) {
  Program program;
  program.xlen = xlen;
  return program;
}

// Four warps of 32 lanes in one block, and a buffer.
template <typename Word>
struct Machine {
  explicit Machine(const Config& config = test::small_config()) : memory(config) {
    memory.load(empty_program(sizeof(Word) == 8 ? Xlen::k64 : Xlen::k32));
    memory.begin_block(0, 4096);
    for (unsigned warp = 0; warp < 4; ++warp) memory.begin_warp(warp);
    buffer = memory.allocate(1024);
  }
  WarpMemoryResult run(const Instruction& instruction, LaneMask mask, unsigned warp = 0) {
    return execute_memory(memory, instruction, a, b, c, out, address, mask, 32, 0, warp);
  }

  AddressSpace memory;
  Address buffer = 0;
  alignas(64) Word a[kMaxLanes]{}, b[kMaxLanes]{}, c[kMaxLanes]{}, out[kMaxLanes]{};
  Address address[kMaxLanes]{};
};

// One random access of a warp.
template <typename Word>
struct Access {
  Access(Machine<Word>& machine, std::mt19937& random, const std::vector<Op>& ops) {
    const std::int32_t offset = static_cast<std::int32_t>(random() % 64) - 32;
    instruction = make(ops[random() % ops.size()], offset & ~7);
    if (instruction.is_atomic()) instruction.imm = 0;
    const unsigned bytes = access_bytes(instruction.op);
    warp = random() % 4;
    mask = random() % 2 == 0 ? lane_mask(32) : random();
    const Address regions[] = {machine.buffer, kSharedBase, kLocalBase};
    const bool one_region = random() % 2 == 0;
    const Address first_region = regions[random() % 3];
    const unsigned words = random() % 3 == 0 ? 4 : 200;  // many lanes on few words, or spread
    for (unsigned l = 0; l < 32; ++l) {
      const Address region = one_region ? first_region : regions[random() % 3];
      machine.a[l] = static_cast<Word>(region + 64 + (random() % (words * 4) & ~(bytes - 1)) -
                                       static_cast<Address>(instruction.imm));
      machine.b[l] = corner<Word>(random);
      machine.c[l] = random() % 2 == 0 ? 0 : corner<Word>(random);
    }
  }

  Instruction instruction;
  unsigned warp = 0;
  LaneMask mask = 0;
};

template <typename Word>
class WarpMemoryOf : public testing::Test {};
using Words = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(WarpMemoryOf, Words);

TYPED_TEST(WarpMemoryOf, random_accesses_equal_the_reference_executed_lane_by_lane) {
  using Word = TypeParam;
  std::mt19937 random(11);
  test::BasicReference<Word> reference;
  Machine<Word> machine;
  ASSERT_EQ(reference.memory().allocate(1024), machine.buffer);
  const std::vector<Op> ops = all_ops<Word>();
  for (int round = 0; round < 20000; ++round) {
    const Access<Word> access(machine, random, ops);
    const Instruction& instruction = access.instruction;
    ASSERT_EQ(machine.run(instruction, access.mask, access.warp).fault, Fault::kNone);
    for (unsigned l = 0; l < 32; ++l) {
      if ((access.mask >> l & 1) == 0) continue;
      const auto expected =
          reference.run(instruction, machine.a[l], machine.b[l], machine.c[l], 0, {0, access.warp, l});
      ASSERT_EQ(expected.step.event, StepEvent::kNone);
      ASSERT_EQ(machine.address[l], expected.step.address);
      if (!instruction.is_store()) {
        ASSERT_EQ(machine.out[l], expected.rd)
            << "op " << static_cast<int>(instruction.op) << " lane " << l << " round " << round;
      }
    }
  }
  Address different = 0;
  EXPECT_FALSE(machine.memory.first_difference(reference.memory(), different)) << std::hex << different;
}

// Bytes by who sees them and address: the buffer and shared memory all threads, local memory one.
class Bytes {
 public:
  [[nodiscard]] std::uint64_t load(unsigned thread, Address address, unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned n = 0; n < bytes; ++n) value |= std::uint64_t{at(thread, address + n)} << 8 * n;
    return value;
  }
  void store(unsigned thread, Address address, unsigned bytes, std::uint64_t value) {
    for (unsigned n = 0; n < bytes; ++n) at(thread, address + n) = static_cast<std::uint8_t>(value >> 8 * n);
  }

 private:
  std::uint8_t& at(unsigned thread, Address address) {
    return bytes_[{space_of(address) == Space::kLocal ? thread + 1 : 0, address}];
  }
  std::map<std::pair<unsigned, Address>, std::uint8_t> bytes_;
};

std::int64_t sign_extended(std::uint64_t value, unsigned bytes) {
  return static_cast<std::int64_t>(value << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

std::uint64_t modified(Op op, std::uint64_t old, std::uint64_t operand, unsigned bytes) {
  const std::int64_t a = sign_extended(old, bytes), b = sign_extended(operand, bytes);
  switch (narrow(op)) {
    case Op::kAmoadd: return old + operand;
    case Op::kAmoxor: return old ^ operand;
    case Op::kAmoand: return old & operand;
    case Op::kAmoor: return old | operand;
    case Op::kAmomin: return static_cast<std::uint64_t>(std::min(a, b));
    case Op::kAmomax: return static_cast<std::uint64_t>(std::max(a, b));
    case Op::kAmominu: return std::min(old, operand);
    case Op::kAmomaxu: return std::max(old, operand);
    default: return operand;
  }
}

TYPED_TEST(WarpMemoryOf, random_accesses_equal_a_map_of_bytes) {
  using Word = TypeParam;
  std::mt19937 random(12);
  Machine<Word> machine;
  Bytes bytes_of;
  std::vector<Op> ops;
  for (const Op op : all_ops<Word>())
    if (narrow(op) != Op::kLr && narrow(op) != Op::kSc) ops.push_back(op);
  for (int round = 0; round < 20000; ++round) {
    const Access<Word> access(machine, random, ops);
    const Op op = access.instruction.op;
    const unsigned bytes = access_bytes(op);
    const std::uint64_t cut = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
    ASSERT_EQ(machine.run(access.instruction, access.mask, access.warp).fault, Fault::kNone);
    for (unsigned l = 0; l < 32; ++l) {
      if ((access.mask >> l & 1) == 0) continue;
      const unsigned thread = access.warp * 32 + l;
      const Address address = static_cast<Word>(machine.a[l] + static_cast<Word>(access.instruction.imm));
      const std::uint64_t old = bytes_of.load(thread, address, bytes), operand = machine.b[l] & cut;
      std::uint64_t expected = static_cast<std::uint64_t>(sign_extended(old, bytes));
      if (op == Op::kLbu || op == Op::kLhu || op == Op::kLwu) expected = old;
      if (op == Op::kFlw) expected = old | 0xFFFFFFFF00000000u;
      if (!access.instruction.is_store()) {
        ASSERT_EQ(machine.out[l], static_cast<Word>(expected)) << "op " << static_cast<int>(op) << " round " << round;
      }
      if (access.instruction.is_store()) bytes_of.store(thread, address, bytes, operand);
      else if (narrow(op) == Op::kAmocas && old == (machine.c[l] & cut))
        bytes_of.store(thread, address, bytes, operand);
      else if (access.instruction.is_atomic() && narrow(op) != Op::kAmocas)
        bytes_of.store(thread, address, bytes, modified(op, old, operand, bytes));
    }
  }
}

TYPED_TEST(WarpMemoryOf, stores_and_atomics_to_one_place_happen_in_lane_order) {
  using Word = TypeParam;
  Machine<Word> machine;
  for (unsigned l = 0; l < 32; ++l) {
    machine.a[l] = static_cast<Word>(machine.buffer);
    machine.b[l] = 100 + l;
  }
  const auto run = [&](Op op, LaneMask mask) {
    EXPECT_EQ(machine.run(make(op), mask).fault, Fault::kNone);
    Word value = 0;
    machine.memory.read(machine.buffer, &value, sizeof value);
    return value;
  };
  constexpr bool kWide = sizeof(Word) == 8;
  EXPECT_EQ(run(kWide ? Op::kSd : Op::kSw, 0x0F0), 107u);  // the highest lane is last
  EXPECT_EQ(run(kWide ? Op::kAmoswapD : Op::kAmoswap, 0x0F0), 107u);
  EXPECT_EQ(machine.out[4], 107u);                                  // old value of memory
  EXPECT_EQ(machine.out[5], 104u);                                  // what lane 4 stored
  EXPECT_EQ(run(kWide ? Op::kAmocasD : Op::kAmocas, 0x00F), 107u);  // expects 0: nobody swaps
  EXPECT_EQ(run(kWide ? Op::kLrD : Op::kLr, 0x00F), 107u);
  EXPECT_EQ(run(kWide ? Op::kScD : Op::kSc, 0x00F), 100u);  // the first store ends the other reservations
  EXPECT_EQ(machine.out[0], 0u);
  EXPECT_EQ(machine.out[1], 1u);
}

TYPED_TEST(WarpMemoryOf, without_bounds_a_full_warp_faults_where_the_margins_of_the_heap_end) {
  using Word = TypeParam;
  Config config = test::small_config();
  config.run.bounds = false;
  Machine<Word> machine(config);
  const Address first = machine.buffer - 65536, last = machine.buffer + 1024 + 65536 - 4;
  const auto run = [&](Address from) {
    for (unsigned l = 0; l < 32; ++l) machine.a[l] = static_cast<Word>(from + 4 * l);
    return machine.run(make(Op::kLw), lane_mask(32));
  };
  EXPECT_EQ(run(machine.buffer).fault, Fault::kNone);
  EXPECT_EQ(run(last - 4 * 31).fault, Fault::kNone);
  const WarpMemoryResult behind = run(last - 4 * 30);
  EXPECT_EQ(behind.fault, Fault::kUnmapped);
  EXPECT_EQ(behind.lane, 31u);
  EXPECT_EQ(run(first).fault, Fault::kNone);
  const WarpMemoryResult in_front = run(first - 4);
  EXPECT_EQ(in_front.fault, Fault::kUnmapped);
  EXPECT_EQ(in_front.lane, 0u);
}

TEST(WarpMemory, a_reservation_of_a_doubleword_ends_with_a_store_to_either_word) {
  Machine<std::uint64_t> machine;
  const std::pair<Address, Address> places[] = {{machine.buffer, 0}, {kSharedBase, 0}, {kLocalBase, 1}};
  for (const auto& [base, local] : places) {
    for (const unsigned offset : {0u, 4u, 8u}) {
      machine.a[0] = machine.a[1] = base;
      EXPECT_EQ(machine.run(make(Op::kLrD), 1).fault, Fault::kNone);
      EXPECT_EQ(machine.run(make(Op::kSw, static_cast<std::int32_t>(offset)), local != 0 ? 1 : 2).fault, Fault::kNone);
      EXPECT_EQ(machine.run(make(Op::kScD), 1).fault, Fault::kNone);
      EXPECT_EQ(machine.out[0], offset == 8 ? 0u : 1u) << std::hex << base << " " << offset;
    }
  }
  // Of local memory, the neighbour's words lie between a thread's own.
  machine.a[0] = machine.a[1] = kLocalBase;
  EXPECT_EQ(machine.run(make(Op::kLrD), 1).fault, Fault::kNone);
  EXPECT_EQ(machine.run(make(Op::kSd), 2).fault, Fault::kNone);
  EXPECT_EQ(machine.run(make(Op::kScD), 1).fault, Fault::kNone);
  EXPECT_EQ(machine.out[0], 0u);
}

TEST(WarpMemory, addresses_wrap_at_the_size_of_a_register) {
  Machine<std::uint32_t> narrow;
  narrow.a[0] = static_cast<std::uint32_t>(narrow.buffer + 16);
  EXPECT_EQ(narrow.run(make(Op::kLw, -16), 1).fault, Fault::kNone);
  EXPECT_EQ(narrow.address[0], narrow.buffer);
  narrow.a[0] = 0xFFFFFFFC;
  const WarpMemoryResult null = narrow.run(make(Op::kLw, 8), 1);
  EXPECT_EQ(null.fault, Fault::kNullPage);
  EXPECT_EQ(null.address, 4u);
  Machine<std::uint64_t> wide;
  EXPECT_EQ(wide.buffer, kWideHeapBase);
  wide.a[0] = kWideHeapBase - 8;
  EXPECT_EQ(wide.run(make(Op::kLd, 8), 1).fault, Fault::kNone);
  wide.a[0] = wide.buffer | Address{1} << 60;  // no bit is cut off
  const WarpMemoryResult far = wide.run(make(Op::kLd), 1);
  EXPECT_EQ(far.fault, Fault::kUnmapped);
  EXPECT_EQ(far.address, wide.a[0]);
  wide.a[0] = 0xFFFFFFFC;
  EXPECT_EQ(wide.run(make(Op::kLw, 8), 1).fault, Fault::kNone);
  EXPECT_EQ(wide.address[0], 0x100000004u);
  wide.a[0] = ~std::uint64_t{3};
  EXPECT_EQ(wide.run(make(Op::kLw, 8), 1).address, 4u);
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
}  // namespace heddle::warp_memory_test
