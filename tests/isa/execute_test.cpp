// SPDX-License-Identifier: Apache-2.0
// Lane-parallel semantics against the scalar reference and against values written by hand.
#include "isa/execute.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string>

#include "reference_thread.h"

namespace heddle::execute_test {
namespace {

using test::corner_integer;
using test::corner_single;
using test::make;
using test::Reference;

constexpr std::uint8_t kDynamic = 7;

std::vector<Op> range(Op first, Op last) {
  std::vector<Op> ops;
  for (int op = static_cast<int>(first); op <= static_cast<int>(last); ++op) ops.push_back(static_cast<Op>(op));
  return ops;
}

struct Lanes {
  LaneValues a, b, c, out;
  std::uint8_t fcsr[kMaxLanes];
  std::uint8_t before[kMaxLanes];
};

std::string show(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c, unsigned rm) {
  char text[128];
  std::snprintf(text, sizeof text, "op %d a %08x b %08x c %08x rm %u", static_cast<int>(op), a, b, c, rm);
  return text;
}

bool host_rounds_to_nearest() {
  const volatile float one = 1.0f, above_half = 0x1.8p-24f, below_half = 0x1.0p-26f;
  return one + above_half > one && one + below_half == one && -one - above_half < -one && -one - below_half == -one;
}

// Runs one warp instruction on both and compares the lanes of the mask, and that other lanes keep their flags.
void expect_equal(Reference& reference, const Instruction& instruction, Lanes& lanes, LaneMask mask, unsigned width) {
  std::memcpy(lanes.before, lanes.fcsr, sizeof lanes.fcsr);
  const Pc pc = test::kTextBegin + 4;
  ASSERT_EQ(execute(instruction, pc, lanes.a.v, lanes.b.v, lanes.c.v, lanes.out.v, mask, width, lanes.fcsr), 0u);
  ASSERT_TRUE(host_rounds_to_nearest());
  for (unsigned l = 0; l < width; ++l) {
    if ((mask >> l & 1) == 0) {
      ASSERT_EQ(lanes.fcsr[l], lanes.before[l]) << "inactive lane " << l;
      continue;
    }
    const auto expected = reference.run(instruction, lanes.a.v[l], lanes.b.v[l], lanes.c.v[l], lanes.before[l]);
    const std::string what = show(instruction.op, lanes.a.v[l], lanes.b.v[l], lanes.c.v[l], instruction.rm) + " fcsr " +
                             std::to_string(lanes.before[l]);
    ASSERT_EQ(expected.step.event, StepEvent::kNone) << what;
    ASSERT_EQ(lanes.out.v[l], expected.rd) << what;
    ASSERT_EQ(lanes.fcsr[l], expected.fcsr) << what;
  }
}

TEST(Execute, integer_operations_equal_the_reference_in_every_lane) {
  std::mt19937 random(1);
  Reference reference;
  std::vector<Op> ops = range(Op::kAddi, Op::kAnd);
  for (Op op : range(Op::kMul, Op::kCzeroNez)) ops.push_back(op);
  for (Op op : {Op::kLui, Op::kAuipc, Op::kJal, Op::kFsgnj, Op::kFsgnjn, Op::kFsgnjx, Op::kFmvXW, Op::kFmvWX})
    ops.push_back(op);
  for (Op op : ops) {
    for (int round = 0; round < 60; ++round) {
      const unsigned width = 4u << random() % 5;
      Lanes lanes{};
      for (unsigned l = 0; l < width; ++l) {
        lanes.a.v[l] = corner_integer(random);
        lanes.b.v[l] = corner_integer(random);
      }
      const bool is_shift = op == Op::kSlli || op == Op::kSrli || op == Op::kSrai || op == Op::kRori ||
                            op == Op::kBclri || op == Op::kBexti || op == Op::kBinvi || op == Op::kBseti;
      std::int32_t imm =
          is_shift ? static_cast<std::int32_t>(random() % 32) : static_cast<std::int32_t>(random() % 4096) - 2048;
      if (op == Op::kLui || op == Op::kAuipc || op == Op::kJal) imm = static_cast<std::int32_t>(imm * 4096u);
      expect_equal(reference, make(op, imm), lanes,
                   (static_cast<LaneMask>(random()) << 32 | random()) & lane_mask(width), width);
    }
  }
}

TEST(Execute, float_operations_equal_the_integer_only_reference_in_every_rounding_mode) {
  std::mt19937 random(2);
  Reference reference;
  std::vector<Op> ops = range(Op::kFmadd, Op::kFsqrt);
  for (Op op : {Op::kFmin, Op::kFmax, Op::kFcvtWS, Op::kFcvtWuS, Op::kFeq, Op::kFlt, Op::kFle, Op::kFclass, Op::kFcvtSW,
                Op::kFcvtSWu})
    ops.push_back(op);
  for (Op op : ops) {
    for (int round = 0; round < 1500; ++round) {
      const unsigned width = 4u << random() % 5;
      const bool mixed = round % 3 == 0;  // dynamic rounding, a mode of its own for every thread
      const auto rm = static_cast<std::uint8_t>(mixed ? kDynamic : random() % 5);
      Lanes lanes{};
      const bool integers = op == Op::kFcvtSW || op == Op::kFcvtSWu;
      for (unsigned l = 0; l < width; ++l) {
        lanes.a.v[l] = integers ? corner_integer(random) : corner_single(random);
        lanes.b.v[l] = corner_single(random);
        lanes.c.v[l] = corner_single(random);
        // Addends near the product, for cancellation and ties.
        if (random() % 4 == 0) lanes.b.v[l] = lanes.a.v[l] ^ (random() % 2 == 0 ? 0x80000000u : 0u) ^ (random() % 4);
        if (random() % 4 == 0) {
          float x, y;
          std::memcpy(&x, &lanes.a.v[l], 4);
          std::memcpy(&y, &lanes.b.v[l], 4);
          const float product = -(x * y);
          std::memcpy(&lanes.c.v[l], &product, 4);
        }
        lanes.fcsr[l] =
            static_cast<std::uint8_t>((mixed ? random() % 5 : 0) << 5 | (random() % 2 == 0 ? 0 : random() % 32));
      }
      expect_equal(reference, make(op, 0, rm), lanes,
                   (static_cast<LaneMask>(random()) << 32 | random()) & lane_mask(width), width);
    }
  }
}

TEST(Execute, special_functions_of_the_lanes_equal_the_reference) {
  std::mt19937 random(3);
  Reference reference;
  for (Op op : range(Op::kSfuRcp, Op::kSfuTanh)) {
    Lanes lanes{};
    for (unsigned& value : lanes.a.v) value = corner_single(random);
    expect_equal(reference, make(op), lanes, lane_mask(32), 32);
  }
}

TEST(Execute, warp_wide_operations_span_32_executing_lanes) {
  LaneValues a, b, out;
  for (unsigned l = 0; l < kMaxLanes; ++l) {
    a.v[l] = l % 3 == 0 ? 0 : 1000 + l;
    b.v[l] = l * 7 + 64;  // only its low five bits count
  }
  std::uint8_t fcsr[kMaxLanes] = {};
  const LaneMask mask = 0xFFFF00FF0F0FFFFF;
  ASSERT_EQ(execute(make(Op::kShuffle), 0x10000, a.v, b.v, nullptr, out.v, mask, 64, fcsr), 0u);
  for (unsigned l = 0; l < 64; ++l) {
    const unsigned source = l / 32 * 32 + l * 7 % 32;
    if ((mask >> l & 1) != 0) {
      EXPECT_EQ(out.v[l], a.v[(mask >> source & 1) != 0 ? source : l]) << l;
    }
  }
  ASSERT_EQ(execute(make(Op::kBallot), 0x10000, a.v, b.v, nullptr, out.v, mask, 64, fcsr), 0u);
  LaneMask votes = 0;
  for (unsigned l = 0; l < 64; ++l) votes |= LaneMask{l % 3 != 0} << l;
  EXPECT_EQ(out.v[0], static_cast<std::uint32_t>(votes & mask));
  EXPECT_EQ(out.v[31], static_cast<std::uint32_t>(votes & mask));
  EXPECT_EQ(out.v[63], static_cast<std::uint32_t>((votes & mask) >> 32));
  ASSERT_EQ(execute(make(Op::kShuffle), 0x10000, a.v, b.v, nullptr, a.v, 0xFF, 8, fcsr), 0u);  // in place
  EXPECT_EQ(a.v[1], 1007u);
}

// To who has no such barriers; the reference knows nothing of them.
TEST(Execute, convergence_barriers_do_nothing_and_read_zero) {
  Reference reference;
  LaneValues a, out;
  std::fill_n(a.v, kMaxLanes, 0xFFFFFFFFu);
  std::uint8_t fcsr[kMaxLanes] = {};
  for (const Op op : range(Op::kBssy, Op::kBmovTo)) {
    const bool reads = op == Op::kBmov || op == Op::kBmovPc;
    Instruction instruction = make(op);
    if (!reads) instruction.rd = 0;
    std::fill_n(out.v, kMaxLanes, 7u);
    EXPECT_EQ(execute(instruction, 0x10000, a.v, a.v, nullptr, out.v, lane_mask(32), 32, fcsr), 0u);
    EXPECT_EQ(out.v[31], reads ? 0u : 7u) << static_cast<int>(op);
    const auto expected = reference.run(instruction, ~0u, ~0u, 7);
    EXPECT_EQ(expected.step.event, StepEvent::kNone);
    EXPECT_EQ(expected.step.rd, instruction.rd);
    EXPECT_EQ(expected.step.counter, reads) << "a machine that has them says what they are";
    EXPECT_EQ(expected.next_pc, test::kTextBegin + 8);
    if (reads) {
      EXPECT_EQ(expected.rd, 0u);
    }
  }
}

TEST(Execute, the_destination_may_be_a_source) {
  std::mt19937 random(4);
  Reference reference;
  for (Op op : {Op::kAdd, Op::kSub, Op::kDiv, Op::kMulhu, Op::kRol, Op::kClz, Op::kCzeroEqz, Op::kCzeroNez, Op::kFadd,
                Op::kFmadd, Op::kFcvtWS, Op::kFmin, Op::kFclass, Op::kSfuSin}) {
    for (int which = 0; which < 3; ++which) {
      LaneValues v[3], original[3];
      for (LaneValues& values : v) {
        for (std::uint32_t& value : values.v) value = corner_single(random);
      }
      std::memcpy(original, v, sizeof v);
      std::uint8_t fcsr[kMaxLanes] = {};
      ASSERT_EQ(execute(make(op), 0, v[0].v, v[1].v, v[2].v, v[which].v, lane_mask(32), 32, fcsr), 0u);
      for (unsigned l = 0; l < 32; ++l) {
        ASSERT_EQ(v[which].v[l], reference.run(make(op), original[0].v[l], original[1].v[l], original[2].v[l]).rd)
            << static_cast<int>(op) << " " << which;
      }
    }
  }
}

TEST(Execute, reserved_dynamic_rounding_modes_are_illegal_in_exactly_their_lanes) {
  Lanes lanes{};
  lanes.fcsr[1] = 5 << 5;
  lanes.fcsr[2] = 6 << 5;
  lanes.fcsr[3] = 7 << 5;
  EXPECT_EQ(execute(make(Op::kFadd, 0, kDynamic), 0, lanes.a.v, lanes.b.v, lanes.c.v, lanes.out.v, 0x0F, 8, lanes.fcsr),
            0x0Eu);
  EXPECT_EQ(execute(make(Op::kFadd, 0, kDynamic), 0, lanes.a.v, lanes.b.v, lanes.c.v, lanes.out.v, 0x01, 8, lanes.fcsr),
            0x00u);
  EXPECT_EQ(execute(make(Op::kFmin, 0, 1), 0, lanes.a.v, lanes.b.v, lanes.c.v, lanes.out.v, 0x0F, 8, lanes.fcsr),
            0x00u);
  EXPECT_EQ(execute(make(Op::kIllegal), 0, lanes.a.v, lanes.b.v, lanes.c.v, lanes.out.v, 0x0F, 8, lanes.fcsr), 0x0Fu);
}

TEST(Execute, branches_are_taken_in_the_lanes_where_the_reference_takes_them) {
  std::mt19937 random(5);
  Reference reference;
  for (Op op : range(Op::kBeq, Op::kBgeu)) {
    for (unsigned width : {4u, 8u, 32u, 64u}) {
      LaneValues a, b;
      for (unsigned l = 0; l < width; ++l) {
        a.v[l] = corner_integer(random);
        b.v[l] = random() % 3 == 0 ? a.v[l] : corner_integer(random);
      }
      const Instruction branch = make(op, 64);
      const LaneMask taken = branch_taken(branch, a.v, b.v, width);
      EXPECT_EQ(taken & ~lane_mask(width), 0u);
      for (unsigned l = 0; l < width; ++l) {
        const bool expected = reference.run(branch, a.v[l], b.v[l], 0).next_pc == test::kTextBegin + 4 + 64;
        ASSERT_EQ((taken >> l & 1) != 0, expected) << show(op, a.v[l], b.v[l], 0, 0);
      }
    }
  }
}

struct Expected {
  const char* what;
  Op op;
  std::uint32_t a, b, c;
  unsigned rm;
  std::uint32_t result;
  unsigned flags;
};

constexpr unsigned NX = 1, UF = 2, OF = 4, DZ = 8, NV = 16;
constexpr std::uint32_t kNan = 0x7FC00000;

// From the specification, by hand. An immediate is b.
const Expected kTable[] = {
    {"a quotient by zero is all ones", Op::kDiv, 7, 0, 0, 0, 0xFFFFFFFF, 0},
    {"a remainder by zero is the dividend", Op::kRem, 0x80000000, 0, 0, 0, 0x80000000, 0},
    {"an unsigned quotient by zero is all ones", Op::kDivu, 7, 0, 0, 0, 0xFFFFFFFF, 0},
    {"an unsigned remainder by zero is the dividend", Op::kRemu, 7, 0, 0, 0, 7, 0},
    {"the overflowing quotient is the dividend", Op::kDiv, 0x80000000, 0xFFFFFFFF, 0, 0, 0x80000000, 0},
    {"the overflowing remainder is zero", Op::kRem, 0x80000000, 0xFFFFFFFF, 0, 0, 0, 0},
    {"division truncates", Op::kDiv, 0xFFFFFFF9, 2, 0, 0, 0xFFFFFFFD, 0},
    {"the remainder has the sign of the dividend", Op::kRem, 0xFFFFFFF9, 2, 0, 0, 0xFFFFFFFF, 0},
    {"mulhsu takes rs1 as signed and rs2 as unsigned", Op::kMulhsu, 0xFFFFFFFF, 0xFFFFFFFF, 0, 0, 0xFFFFFFFF, 0},
    {"mulh of two negative numbers", Op::kMulh, 0x80000000, 0x80000000, 0, 0, 0x40000000, 0},
    {"mulhu of the largest numbers", Op::kMulhu, 0xFFFFFFFF, 0xFFFFFFFF, 0, 0, 0xFFFFFFFE, 0},
    {"sra copies the sign and uses five bits of the amount", Op::kSra, 0x80000000, 0xFFFFFFE4, 0, 0, 0xF8000000, 0},
    {"sltu compares without sign", Op::kSltu, 1, 0xFFFFFFFF, 0, 0, 1, 0},
    {"slt compares with sign", Op::kSlt, 1, 0xFFFFFFFF, 0, 0, 0, 0},
    {"sh1add shifts rs1 and wraps", Op::kSh1add, 0x80000001, 5, 0, 0, 7, 0},
    {"sh2add", Op::kSh2add, 3, 0xFFFFFFFF, 0, 0, 11, 0},
    {"sh3add", Op::kSh3add, 0x20000001, 1, 0, 0, 9, 0},
    {"andn inverts rs2", Op::kAndn, 0xFF00FF00, 0x0F0F0F0F, 0, 0, 0xF000F000, 0},
    {"orn inverts rs2", Op::kOrn, 0xFF000000, 0x0FFFFFF0, 0, 0, 0xFF00000F, 0},
    {"xnor", Op::kXnor, 0xFF00FF00, 0x0F0F0F0F, 0, 0, 0x0FF00FF0, 0},
    {"clz of 0 is 32", Op::kClz, 0, 0, 0, 0, 32, 0},
    {"clz of a negative number is 0", Op::kClz, 0x80000000, 0, 0, 0, 0, 0},
    {"clz of 1 is 31", Op::kClz, 1, 0, 0, 0, 31, 0},
    {"ctz of 0 is 32", Op::kCtz, 0, 0, 0, 0, 32, 0},
    {"ctz of the sign is 31", Op::kCtz, 0x80000000, 0, 0, 0, 31, 0},
    {"cpop of all ones is 32", Op::kCpop, 0xFFFFFFFF, 0, 0, 0, 32, 0},
    {"cpop", Op::kCpop, 0x80000101, 0, 0, 0, 3, 0},
    {"max compares with sign", Op::kMax, 0x80000000, 0x7FFFFFFF, 0, 0, 0x7FFFFFFF, 0},
    {"maxu compares without sign", Op::kMaxu, 0x80000000, 0x7FFFFFFF, 0, 0, 0x80000000, 0},
    {"min compares with sign", Op::kMin, 0x80000000, 0x7FFFFFFF, 0, 0, 0x80000000, 0},
    {"minu compares without sign", Op::kMinu, 0x80000000, 0x7FFFFFFF, 0, 0, 0x7FFFFFFF, 0},
    {"sext.b", Op::kSextB, 0x12345680, 0, 0, 0, 0xFFFFFF80, 0},
    {"sext.b of a positive byte", Op::kSextB, 0xFFFFFF7F, 0, 0, 0, 0x7F, 0},
    {"sext.h", Op::kSextH, 0x12348000, 0, 0, 0, 0xFFFF8000, 0},
    {"sext.h of a positive half", Op::kSextH, 0xFFFF7FFF, 0, 0, 0, 0x7FFF, 0},
    {"zext.h", Op::kZextH, 0xFFFF8001, 0, 0, 0, 0x8001, 0},
    {"rol uses five bits of the amount", Op::kRol, 0x80000001, 33, 0, 0, 3, 0},
    {"rol by 0", Op::kRol, 0x12345678, 32, 0, 0, 0x12345678, 0},
    {"ror uses five bits of the amount", Op::kRor, 0x80000001, 0xFFFFFFE1, 0, 0, 0xC0000000, 0},
    {"ror by 0", Op::kRor, 0x12345678, 0, 0, 0, 0x12345678, 0},
    {"rori by 31", Op::kRori, 0x80000001, 31, 0, 0, 3, 0},
    {"rori by 0", Op::kRori, 0x12345678, 0, 0, 0, 0x12345678, 0},
    {"orc.b of single bits", Op::kOrcB, 0x80010040, 0, 0, 0, 0xFFFF00FF, 0},
    {"orc.b of 0", Op::kOrcB, 0, 0, 0, 0, 0, 0},
    {"orc.b of a lone byte", Op::kOrcB, 0x00007F00, 0, 0, 0, 0x0000FF00, 0},
    {"rev8", Op::kRev8, 0x12345678, 0, 0, 0, 0x78563412, 0},
    {"bclr uses five bits of the number", Op::kBclr, 0xFFFFFFFF, 63, 0, 0, 0x7FFFFFFF, 0},
    {"bclri", Op::kBclri, 0xFFFFFFFF, 31, 0, 0, 0x7FFFFFFF, 0},
    {"bclri of a bit that is clear", Op::kBclri, 0xF0, 0, 0, 0, 0xF0, 0},
    {"bext gives one bit", Op::kBext, 0xFFFFFFFF, 0xFFFFFFFF, 0, 0, 1, 0},
    {"bexti of a bit that is clear", Op::kBexti, 0x7FFFFFFF, 31, 0, 0, 0, 0},
    {"binv clears a bit", Op::kBinv, 0x80000000, 31, 0, 0, 0, 0},
    {"binvi sets a bit", Op::kBinvi, 0, 31, 0, 0, 0x80000000, 0},
    {"bset uses five bits of the number", Op::kBset, 0, 32, 0, 0, 1, 0},
    {"bseti of a bit that is set", Op::kBseti, 0x80000000, 31, 0, 0, 0x80000000, 0},
    {"czero.eqz gives 0 where the condition is 0", Op::kCzeroEqz, 0x12345678, 0, 0, 0, 0, 0},
    {"czero.eqz gives rs1 where any bit of the condition is set", Op::kCzeroEqz, 0x12345678, 0x80000000, 0, 0,
     0x12345678, 0},
    {"czero.nez gives rs1 where the condition is 0", Op::kCzeroNez, 0x12345678, 0, 0, 0, 0x12345678, 0},
    {"czero.nez gives 0 where any bit of the condition is set", Op::kCzeroNez, 0x12345678, 0x80000000, 0, 0, 0, 0},
    {"a NaN result is canonical", Op::kFadd, 0xFFC12345, 0x3F800000, 0, 0, kNan, 0},
    {"a signaling operand is invalid", Op::kFadd, 0x7F800001, 0x3F800000, 0, 0, kNan, NV},
    {"infinity minus infinity is invalid", Op::kFsub, 0x7F800000, 0x7F800000, 0, 0, kNan, NV},
    {"x - x is +0", Op::kFsub, 0x3F800000, 0x3F800000, 0, 0, 0, 0},
    {"x - x is -0 when rounding down", Op::kFsub, 0x3F800000, 0x3F800000, 0, 2, 0x80000000, 0},
    {"1 / 0 divides by zero", Op::kFdiv, 0xBF800000, 0, 0, 0, 0xFF800000, DZ},
    {"0 / 0 is invalid, not a division by zero", Op::kFdiv, 0, 0, 0, 0, kNan, NV},
    {"1 / 3 rounds to nearest", Op::kFdiv, 0x3F800000, 0x40400000, 0, 0, 0x3EAAAAAB, NX},
    {"1 / 3 rounds to zero", Op::kFdiv, 0x3F800000, 0x40400000, 0, 1, 0x3EAAAAAA, NX},
    {"a tie goes to even", Op::kFadd, 0x3F800000, 0x33800000, 0, 0, 0x3F800000, NX},
    {"a tie goes away from zero in RMM", Op::kFadd, 0x3F800000, 0x33800000, 0, 4, 0x3F800001, NX},
    {"a negative tie goes away from zero in RMM", Op::kFadd, 0xBF800000, 0xB3800000, 0, 4, 0xBF800001, NX},
    {"overflow to infinity", Op::kFmul, 0x7F7FFFFF, 0x40000000, 0, 0, 0x7F800000, OF | NX},
    {"overflow to the largest number when rounding to zero", Op::kFmul, 0x7F7FFFFF, 0x40000000, 0, 1, 0x7F7FFFFF,
     OF | NX},
    {"negative overflow to the largest number when rounding up", Op::kFmul, 0xFF7FFFFF, 0x40000000, 0, 3, 0xFF7FFFFF,
     OF | NX},
    {"underflow", Op::kFmul, 0x00800000, 0x3F000001, 0, 0, 0x00400000, UF | NX},
    {"an exact subnormal result does not underflow", Op::kFmul, 0x00800000, 0x3F000000, 0, 0, 0x00400000, 0},
    {"tininess is detected after rounding", Op::kFmul, 0x00FFFFFF, 0x3F000000, 0, 0, 0x00800000, UF | NX},
    {"what rounds up to the smallest normal number with 24 bits is not tiny", Op::kFmul, 0x3F7FFFFF, 0x00800001, 0, 0,
     0x00800000, NX},
    {"the square root of a negative number is invalid", Op::kFsqrt, 0xBF800000, 0, 0, 0, kNan, NV},
    {"the square root of -0 is -0", Op::kFsqrt, 0x80000000, 0, 0, 0, 0x80000000, 0},
    {"the square root of 2", Op::kFsqrt, 0x40000000, 0, 0, 0, 0x3FB504F3, NX},
    {"fmadd rounds once", Op::kFmadd, 0x3F800001, 0x3F800001, 0xBF800002, 0, 0x28800000, 0},
    {"infinity times zero plus a quiet NaN is invalid", Op::kFmadd, 0x7F800000, 0, kNan, 0, kNan, NV},
    {"a quiet NaN in a fused operation is not invalid", Op::kFmadd, 0x7F800000, 0x3F800000, kNan, 0, kNan, 0},
    {"fnmadd is -(a b) - c", Op::kFnmadd, 0x40000000, 0x40400000, 0x3F800000, 0, 0xC0E00000, 0},
    {"fnmsub is -(a b) + c", Op::kFnmsub, 0x40000000, 0x40400000, 0x3F800000, 0, 0xC0A00000, 0},
    {"fmsub is a b - c", Op::kFmsub, 0x40000000, 0x40400000, 0x3F800000, 0, 0x40A00000, 0},
    {"the minimum of -0 and +0 is -0", Op::kFmin, 0, 0x80000000, 0, 0, 0x80000000, 0},
    {"the maximum of -0 and +0 is +0", Op::kFmax, 0x80000000, 0, 0, 0, 0, 0},
    {"a minimum ignores a quiet NaN", Op::kFmin, kNan, 0x3F800000, 0, 0, 0x3F800000, 0},
    {"a minimum with a signaling NaN is the number, and invalid", Op::kFmin, 0x7F800001, 0x3F800000, 0, 0, 0x3F800000,
     NV},
    {"the maximum of two NaNs is canonical", Op::kFmax, 0xFFFFFFFF, 0x7FC00001, 0, 0, kNan, 0},
    {"feq of a quiet NaN is quiet", Op::kFeq, kNan, 0x3F800000, 0, 0, 0, 0},
    {"flt of a quiet NaN is invalid", Op::kFlt, kNan, 0x3F800000, 0, 0, 0, NV},
    {"fle of equal zeros", Op::kFle, 0, 0x80000000, 0, 0, 1, 0},
    {"flt of -0 and +0", Op::kFlt, 0x80000000, 0, 0, 0, 0, 0},
    {"fclass of -infinity", Op::kFclass, 0xFF800000, 0, 0, 0, 1 << 0, 0},
    {"fclass of a negative subnormal", Op::kFclass, 0x80000001, 0, 0, 0, 1 << 2, 0},
    {"fclass of -0", Op::kFclass, 0x80000000, 0, 0, 0, 1 << 3, 0},
    {"fclass of a signaling NaN", Op::kFclass, 0xFF800001, 0, 0, 0, 1 << 8, 0},
    {"fclass of a quiet NaN", Op::kFclass, 0x7FC00000, 0, 0, 0, 1 << 9, 0},
    {"2.5 to integer goes to even", Op::kFcvtWS, 0x40200000, 0, 0, 0, 2, NX},
    {"2.5 to integer goes away in RMM", Op::kFcvtWS, 0x40200000, 0, 0, 4, 3, NX},
    {"-2.5 to integer goes down", Op::kFcvtWS, 0xC0200000, 0, 0, 2, 0xFFFFFFFD, NX},
    {"-2.5 to integer goes up", Op::kFcvtWS, 0xC0200000, 0, 0, 3, 0xFFFFFFFE, NX},
    {"NaN converts to the largest integer", Op::kFcvtWS, 0xFFC00000, 0, 0, 1, 0x7FFFFFFF, NV},
    {"NaN converts to the largest unsigned integer", Op::kFcvtWuS, 0xFFC00000, 0, 0, 1, 0xFFFFFFFF, NV},
    {"2^31 saturates", Op::kFcvtWS, 0x4F000000, 0, 0, 1, 0x7FFFFFFF, NV},
    {"-2^31 fits", Op::kFcvtWS, 0xCF000000, 0, 0, 1, 0x80000000, 0},
    {"-infinity saturates", Op::kFcvtWS, 0xFF800000, 0, 0, 1, 0x80000000, NV},
    {"-1 saturates to unsigned 0", Op::kFcvtWuS, 0xBF800000, 0, 0, 1, 0, NV},
    {"-0.5 to unsigned is inexact, not invalid", Op::kFcvtWuS, 0xBF000000, 0, 0, 1, 0, NX},
    {"-0.5 rounded down to unsigned is invalid", Op::kFcvtWuS, 0xBF000000, 0, 0, 2, 0, NV},
    {"2^24 + 1 to single is a tie to even", Op::kFcvtSW, 0x01000001, 0, 0, 0, 0x4B800000, NX},
    {"the largest unsigned integer to single", Op::kFcvtSWu, 0xFFFFFFFF, 0, 0, 1, 0x4F7FFFFF, NX},
    {"fsgnjn flips", Op::kFsgnjn, 0x3F800000, 0x3F800000, 0, 0, 0xBF800000, 0},
    {"sign injection keeps NaN payloads", Op::kFsgnj, 0x7F800001, 0x80000000, 0, 0, 0xFF800001, 0},
};

TEST(Execute, corner_cases_have_the_values_and_flags_of_the_specification) {
  Reference reference;
  for (const Expected& e : kTable) {
    const Instruction instruction = make(e.op, static_cast<std::int32_t>(e.b), static_cast<std::uint8_t>(e.rm));
    const std::uint32_t a[4] = {e.a, e.a, e.a, e.a}, b[4] = {e.b, e.b, e.b, e.b}, c[4] = {e.c, e.c, e.c, e.c};
    std::uint32_t out[4];
    std::uint8_t fcsr[4] = {};
    EXPECT_EQ(execute(instruction, 0, a, b, c, out, 0xF, 4, fcsr), 0u) << e.what;
    EXPECT_EQ(out[2], e.result) << e.what;
    EXPECT_EQ(fcsr[2], e.flags) << e.what;
    const auto scalar = reference.run(instruction, e.a, e.b, e.c);
    EXPECT_EQ(scalar.rd, e.result) << e.what << " (reference)";
    EXPECT_EQ(scalar.fcsr, e.flags) << e.what << " (reference)";
  }
}

TEST(Execute, the_table_has_every_bit_manipulation) {
  for (Op op : range(Op::kSh1add, Op::kCzeroNez)) {
    EXPECT_TRUE(std::any_of(std::begin(kTable), std::end(kTable), [&](const Expected& e) { return e.op == op; }))
        << static_cast<int>(op);
  }
}

TEST(Execute, special_functions_round_the_double_precision_function) {
  const auto f = [](Op op, float x) {
    std::uint32_t bits;
    std::memcpy(&bits, &x, 4);
    bits = special_function(op, bits);
    float y;
    std::memcpy(&y, &bits, 4);
    return y;
  };
  EXPECT_EQ(f(Op::kSfuRcp, 3.0f), 1.0f / 3.0f);
  EXPECT_EQ(f(Op::kSfuRcp, -0.0f), -INFINITY);
  EXPECT_EQ(f(Op::kSfuRsqrt, 4.0f), 0.5f);
  EXPECT_EQ(f(Op::kSfuEx2, 10.0f), 1024.0f);
  EXPECT_EQ(f(Op::kSfuEx2, 200.0f), INFINITY);
  EXPECT_EQ(f(Op::kSfuLg2, 8.0f), 3.0f);
  EXPECT_EQ(f(Op::kSfuLg2, 0.0f), -INFINITY);
  EXPECT_EQ(f(Op::kSfuSin, 0.0f), 0.0f);
  EXPECT_EQ(f(Op::kSfuCos, 0.0f), 1.0f);
  EXPECT_FLOAT_EQ(f(Op::kSfuSin, 1.5707963f), 1.0f);
  EXPECT_EQ(f(Op::kSfuTanh, 100.0f), 1.0f);
  EXPECT_EQ(special_function(Op::kSfuRsqrt, 0xBF800000), kNan);
  EXPECT_EQ(special_function(Op::kSfuSin, 0x7F800000), kNan);
}

}  // namespace
}  // namespace heddle::execute_test
