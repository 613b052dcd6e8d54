// SPDX-License-Identifier: Apache-2.0
// RV64IMAFD: lane-parallel semantics against the scalar reference and against values written by hand.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "isa/execute.h"
#include "reference_thread.h"

namespace heddle::execute64_test {
namespace {

using test::make;
using test::WideReference;
using u64 = std::uint64_t;

constexpr std::uint8_t kDynamic = 7;
constexpr u64 kBox = 0xFFFFFFFF00000000;

std::vector<Op> range(Op first, Op last) {
  std::vector<Op> ops;
  for (int op = static_cast<int>(first); op <= static_cast<int>(last); ++op) ops.push_back(static_cast<Op>(op));
  return ops;
}

u64 any(std::mt19937& random) { return u64{random()} << 32 | random(); }

// Corners of 32 and of 64 bits, few bits, anything.
u64 corner(std::mt19937& random) {
  static const u64 corners[] = {0,
                                1,
                                2,
                                31,
                                32,
                                33,
                                63,
                                64,
                                65,
                                0x7FFFFFFF,
                                0x80000000,
                                0xFFFFFFFF,
                                0x100000000,
                                0xFFFFFFFF7FFFFFFF,
                                0xFFFFFFFF80000000,
                                0x7FFFFFFFFFFFFFFF,
                                0x8000000000000000,
                                0x8000000000000001,
                                0xFFFFFFFFFFFFFFFE,
                                0xFFFFFFFFFFFFFFFF};
  switch (random() % 4) {
    case 0:
    case 1: return corners[random() % (sizeof corners / sizeof *corners)];
    case 2: return u64{1} << random() % 64 ^ u64 { 1 } << random() % 64;
    default: return any(random);
  }
}

u64 corner_double(std::mt19937& random) {
  static const u64 corners[] = {
      0x0000000000000000, 0x0000000000000001, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x0010000000000001,
      0x3690000000000000, 0x36A0000000000000, 0x380FFFFFE0000000, 0x3810000000000000, 0x3CA0000000000000,
      0x3CB0000000000000, 0x3FDFFFFFFFFFFFFF, 0x3FE0000000000000, 0x3FE0000000000001, 0x3FEFFFFFFFFFFFFF,
      0x3FF0000000000000, 0x3FF0000000000001, 0x3FF8000000000000, 0x4004000000000000, 0x41DFFFFFFFC00000,
      0x41E0000000000000, 0x41EFFFFFFFE00000, 0x41F0000000000000, 0x4330000000000001, 0x43DFFFFFFFFFFFFF,
      0x43E0000000000000, 0x43EFFFFFFFFFFFFF, 0x43F0000000000000, 0x47EFFFFFE0000000, 0x47EFFFFFF0000000,
      0x47F0000000000000, 0x7FE0000000000000, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF0000000000001,
      0x7FF7FFFFFFFFFFFF, 0x7FF8000000000000, 0x7FFFFFFFFFFFFFFF};
  const u64 sign = random() % 2 == 0 ? 0 : u64{1} << 63;
  switch (random() % 5) {
    case 0: return sign | corners[random() % (sizeof corners / sizeof *corners)];
    case 1: return sign | (0x3FE0000000000000 + (any(random) & 0x003FFFFFFFFFFFFF));
    case 2: return sign | (0x3FD0000000000000 + (u64{random()} % 16 << 51));                 // exact results, ties
    case 3: return sign | (0x3FF0000000000000 + (u64{random()} % 64 << 52) + random() % 4);  // integers, ties
    default: return any(random);
  }
}

// Boxed, but some not.
u64 corner_box(std::mt19937& random) { return random() % 16 == 0 ? any(random) : kBox | test::corner_single(random); }

struct Lanes {
  WideLaneValues a, b, c, out;
  std::uint8_t fcsr[kMaxLanes];
};

std::string show(Op op, u64 a, u64 b, u64 c, unsigned rm) {
  char text[160];
  std::snprintf(text, sizeof text, "op %d a %016lx b %016lx c %016lx rm %u", static_cast<int>(op), a, b, c, rm);
  return text;
}

void expect_equal(WideReference& reference, const Instruction& instruction, Lanes& lanes, LaneMask mask,
                  unsigned width) {
  std::uint8_t before[kMaxLanes];
  std::memcpy(before, lanes.fcsr, sizeof before);
  ASSERT_EQ(
      execute(instruction, test::kTextBegin + 4, lanes.a.v, lanes.b.v, lanes.c.v, lanes.out.v, mask, width, lanes.fcsr),
      0u);
  for (unsigned l = 0; l < width; ++l) {
    if ((mask >> l & 1) == 0) {
      ASSERT_EQ(lanes.fcsr[l], before[l]) << "inactive lane " << l;
      continue;
    }
    const auto expected = reference.run(instruction, lanes.a.v[l], lanes.b.v[l], lanes.c.v[l], before[l]);
    const std::string what = show(instruction.op, lanes.a.v[l], lanes.b.v[l], lanes.c.v[l], instruction.rm) + " fcsr " +
                             std::to_string(before[l]);
    ASSERT_EQ(expected.step.event, StepEvent::kNone) << what;
    ASSERT_EQ(lanes.out.v[l], expected.rd) << what;
    ASSERT_EQ(lanes.fcsr[l], expected.fcsr) << what;
  }
}

TEST(Execute64, integer_operations_equal_the_reference_in_every_lane) {
  std::mt19937 random(1);
  WideReference reference;
  std::vector<Op> ops = range(Op::kAddi, Op::kAnd);
  for (Op op : range(Op::kMul, Op::kSlliUw)) ops.push_back(op);
  for (Op op : {Op::kLui, Op::kAuipc, Op::kJal, Op::kFsgnj, Op::kFsgnjn, Op::kFsgnjx, Op::kFmvXW, Op::kFmvWX,
                Op::kFsgnjD, Op::kFsgnjnD, Op::kFsgnjxD, Op::kFmvXD, Op::kFmvDX})
    ops.push_back(op);
  for (Op op : ops) {
    for (int round = 0; round < 80; ++round) {
      const unsigned width = 4u << random() % 5;
      Lanes lanes{};
      for (unsigned l = 0; l < width; ++l) {
        lanes.a.v[l] = round % 4 == 0 ? corner_box(random) : corner(random);
        lanes.b.v[l] = round % 4 == 0 ? corner_box(random) : corner(random);
      }
      auto imm = static_cast<std::int32_t>(random() % 4096) - 2048;
      if (op == Op::kLui || op == Op::kAuipc) imm *= 4096;
      if (op == Op::kJal) imm &= 0x7FC;
      expect_equal(reference, make(op, imm), lanes, any(random) & lane_mask(width), width);
    }
  }
}

TEST(Execute64, floating_point_equals_the_integer_only_reference_in_every_rounding_mode) {
  std::mt19937 random(2);
  WideReference reference;
  std::vector<Op> ops = range(Op::kFmadd, Op::kFsqrt);
  for (Op op : range(Op::kFmaddD, Op::kFsqrtD)) ops.push_back(op);
  for (Op op :
       {Op::kFmin,   Op::kFmax,    Op::kFcvtWS, Op::kFcvtWuS, Op::kFeq,    Op::kFlt,     Op::kFle,    Op::kFclass,
        Op::kFcvtSW, Op::kFcvtSWu, Op::kFcvtLS, Op::kFcvtLuS, Op::kFcvtSL, Op::kFcvtSLu, Op::kFminD,  Op::kFmaxD,
        Op::kFcvtWD, Op::kFcvtWuD, Op::kFeqD,   Op::kFltD,    Op::kFleD,   Op::kFclassD, Op::kFcvtDW, Op::kFcvtDWu,
        Op::kFcvtLD, Op::kFcvtLuD, Op::kFcvtDL, Op::kFcvtDLu, Op::kFcvtSD, Op::kFcvtDS})
    ops.push_back(op);
  for (Op op : ops) {
    const bool integers = narrow(op) == Op::kFcvtSW || narrow(op) == Op::kFcvtSWu || narrow(op) == Op::kFcvtSL ||
                          narrow(op) == Op::kFcvtSLu;
    const bool singles = op < Op::kFld || op == Op::kFcvtDS;
    for (int round = 0; round < 1500; ++round) {
      const unsigned width = 4u << random() % 5;
      const bool mixed = round % 3 == 0;  // dynamic rounding, a mode of its own for every thread
      const auto rm = static_cast<std::uint8_t>(mixed ? kDynamic : random() % 5);
      Lanes lanes{};
      for (unsigned l = 0; l < width; ++l) {
        const auto operand = [&] { return singles ? corner_box(random) : corner_double(random); };
        lanes.a.v[l] = integers ? corner(random) : operand();
        lanes.b.v[l] = operand();
        lanes.c.v[l] = operand();
        // Addends near the product, for cancellation and ties.
        if (random() % 4 == 0)
          lanes.b.v[l] = lanes.a.v[l] ^ (random() % 2 == 0 ? u64{1} << (singles ? 31 : 63) : 0) ^ random() % 4;
        if (random() % 4 == 0 && !singles) {
          double x, y;
          std::memcpy(&x, &lanes.a.v[l], 8);
          std::memcpy(&y, &lanes.b.v[l], 8);
          const double product = -(x * y);
          std::memcpy(&lanes.c.v[l], &product, 8);
        }
        lanes.fcsr[l] =
            static_cast<std::uint8_t>((mixed ? random() % 5 : 0) << 5 | (random() % 2 == 0 ? 0 : random() % 32));
      }
      expect_equal(reference, make(op, 0, rm), lanes, any(random) & lane_mask(width), width);
    }
  }
}

TEST(Execute64, the_destination_may_be_a_source) {
  std::mt19937 random(4);
  WideReference reference;
  for (Op op : {Op::kAdd, Op::kAddw, Op::kDiv, Op::kMulhu, Op::kClzw, Op::kFadd, Op::kFaddD, Op::kFmaddD, Op::kFcvtLD,
                Op::kFminD, Op::kFclassD, Op::kFcvtSD, Op::kSfuSin}) {
    for (int which = 0; which < 3; ++which) {
      WideLaneValues v[3], original[3];
      for (WideLaneValues& values : v) {
        for (u64& value : values.v) value = corner_double(random);
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

TEST(Execute64, branches_compare_64_bits) {
  std::mt19937 random(5);
  WideReference reference;
  for (Op op : range(Op::kBeq, Op::kBgeu)) {
    for (unsigned width : {4u, 8u, 32u, 64u}) {
      WideLaneValues a, b;
      for (unsigned l = 0; l < width; ++l) {
        a.v[l] = corner(random);
        b.v[l] = random() % 3 == 0 ? a.v[l] ^ (u64{random()} % 2 << 32) : corner(random);
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

TEST(Execute64, warp_wide_operations_move_64_bits_and_vote_with_them) {
  WideLaneValues a, b, out;
  for (unsigned l = 0; l < kMaxLanes; ++l) {
    a.v[l] = l % 3 == 0 ? 0 : u64{l} << 32;
    b.v[l] = l * 7 + 64;
  }
  std::uint8_t fcsr[kMaxLanes] = {};
  ASSERT_EQ(execute(make(Op::kShuffle), 0, a.v, b.v, b.v, out.v, lane_mask(64), 64, fcsr), 0u);
  for (unsigned l = 0; l < 64; ++l) EXPECT_EQ(out.v[l], a.v[l / 32 * 32 + l * 7 % 32]) << l;
  ASSERT_EQ(execute(make(Op::kBallot), 0, a.v, b.v, b.v, out.v, lane_mask(64), 64, fcsr), 0u);
  EXPECT_EQ(out.v[0], 0x00000000'36DB6DB6u | 0xFFFFFFFF'80000000u) << "a word, sign-extended";
}

TEST(Execute64, reserved_dynamic_rounding_modes_are_illegal_in_exactly_their_lanes) {
  Lanes lanes{};
  lanes.fcsr[1] = 5 << 5;
  lanes.fcsr[3] = 7 << 5;
  const auto illegal = [&](Op op, LaneMask mask) {
    return execute(make(op, 0, kDynamic), 0, lanes.a.v, lanes.b.v, lanes.c.v, lanes.out.v, mask, 8, lanes.fcsr);
  };
  EXPECT_EQ(illegal(Op::kFaddD, 0x0F), 0x0Au);
  EXPECT_EQ(illegal(Op::kFadd, 0x0F), 0x0Au);
  EXPECT_EQ(illegal(Op::kFcvtLuD, 0x0F), 0x0Au);
  EXPECT_EQ(illegal(Op::kFaddD, 0x05), 0u);
  EXPECT_EQ(illegal(Op::kFminD, 0x0F), 0u);
}

struct Expected {
  const char* what;
  Op op;
  u64 a, b, c;
  unsigned rm;
  u64 result;
  unsigned flags;
};

constexpr unsigned NX = 1, UF = 2, OF = 4, DZ = 8, NV = 16;
constexpr u64 kNan = 0x7FF8000000000000, kNanBox = 0xFFFFFFFF7FC00000;

// From the specification, by hand. An immediate is b.
const Expected kTable[] = {
    {"addw sign-extends", Op::kAddw, 0x7FFFFFFF, 1, 0, 0, 0xFFFFFFFF80000000, 0},
    {"addiw ignores the high word", Op::kAddiw, 0xFFFFFFFF00000001, 1, 0, 0, 2, 0},
    {"subw", Op::kSubw, 0, 1, 0, 0, 0xFFFFFFFFFFFFFFFF, 0},
    {"sllw uses five bits of the amount", Op::kSllw, 1, 63, 0, 0, 0xFFFFFFFF80000000, 0},
    {"sll uses six", Op::kSll, 1, 127, 0, 0, 0x8000000000000000, 0},
    {"srlw sign-extends its word", Op::kSrlw, 0x1FFFFFFFF, 32, 0, 0, 0xFFFFFFFFFFFFFFFF, 0},
    {"sraw takes the sign of the low word", Op::kSraw, 0x80000000, 4, 0, 0, 0xFFFFFFFFF8000000, 0},
    {"srai by 63", Op::kSrai, 0x8000000000000000, 63, 0, 0, 0xFFFFFFFFFFFFFFFF, 0},
    {"mulw", Op::kMulw, 0x10000, 0x8000, 0, 0, 0xFFFFFFFF80000000, 0},
    {"mulh", Op::kMulh, 0x8000000000000000, 0x8000000000000000, 0, 0, 0x4000000000000000, 0},
    {"mulhsu", Op::kMulhsu, ~u64{0}, ~u64{0}, 0, 0, ~u64{0}, 0},
    {"divw of the overflow", Op::kDivw, 0x80000000, 0xFFFFFFFF, 0, 0, 0xFFFFFFFF80000000, 0},
    {"remw of the overflow", Op::kRemw, 0x80000000, 0xFFFFFFFF, 0, 0, 0, 0},
    {"divuw by a low word of 0", Op::kDivuw, 7, 0x100000000, 0, 0, ~u64{0}, 0},
    {"remuw by 0 is the sign-extended dividend", Op::kRemuw, 0x80000000, 0, 0, 0, 0xFFFFFFFF80000000, 0},
    {"div of the overflow", Op::kDiv, 0x8000000000000000, ~u64{0}, 0, 0, 0x8000000000000000, 0},
    {"clz of 0 is 64", Op::kClz, 0, 0, 0, 0, 64, 0},
    {"clzw of 0 is 32", Op::kClzw, 0xFFFFFFFF00000000, 0, 0, 0, 32, 0},
    {"ctzw of a low word of 0", Op::kCtzw, 0x8000000000000000, 0, 0, 0, 32, 0},
    {"cpopw", Op::kCpopw, ~u64{0}, 0, 0, 0, 32, 0},
    {"cpop", Op::kCpop, ~u64{0}, 0, 0, 0, 64, 0},
    {"rolw", Op::kRolw, 0x80000000, 1, 0, 0, 1, 0},
    {"roriw sign-extends", Op::kRoriw, 1, 1, 0, 0, 0xFFFFFFFF80000000, 0},
    {"rori by 63", Op::kRori, 1, 63, 0, 0, 2, 0},
    {"rev8", Op::kRev8, 0x0102030405060708, 0, 0, 0, 0x0807060504030201, 0},
    {"orc.b", Op::kOrcB, 0x0100000000800001, 0, 0, 0, 0xFF00000000FF00FF, 0},
    {"add.uw", Op::kAddUw, 0xFFFFFFFFFFFFFFFF, 1, 0, 0, 0x100000000, 0},
    {"sh3add.uw", Op::kSh3addUw, 0xFFFFFFFF80000000, 1, 0, 0, 0x400000001, 0},
    {"slli.uw by 32", Op::kSlliUw, 0xFFFFFFFF80000001, 32, 0, 0, 0x8000000100000000, 0},
    {"sext.b", Op::kSextB, 0x80, 0, 0, 0, 0xFFFFFFFFFFFFFF80, 0},
    {"zext.h", Op::kZextH, ~u64{0}, 0, 0, 0, 0xFFFF, 0},
    {"lui sign-extends", Op::kLui, 0, 0x80000000, 0, 0, 0xFFFFFFFF80000000, 0},
    {"a single that is not boxed is a NaN", Op::kFadd, 0x3F800000, kBox | 0x3F800000, 0, 0, kNanBox, 0},
    {"fsgnj of a single that is not boxed", Op::kFsgnj, 0x3F800000, kBox | 0x80000000, 0, 0, 0xFFFFFFFFFFC00000, 0},
    {"fmv.x.w takes the low word, boxed or not", Op::kFmvXW, 0x80000001, 0, 0, 0, 0xFFFFFFFF80000001, 0},
    {"fmv.w.x boxes", Op::kFmvWX, 0x3F800000, 0, 0, 0, kBox | 0x3F800000, 0},
    {"fcvt.wu.s sign-extends", Op::kFcvtWuS, kBox | 0x4F000000, 0, 0, 0, 0xFFFFFFFF80000000, 0},
    {"fcvt.wu.d of a NaN", Op::kFcvtWuD, kNan, 0, 0, 0, ~u64{0}, NV},
    {"fcvt.l.d of 2^63 saturates", Op::kFcvtLD, 0x43E0000000000000, 0, 0, 0, 0x7FFFFFFFFFFFFFFF, NV},
    {"fcvt.l.d of -2^63 fits", Op::kFcvtLD, 0xC3E0000000000000, 0, 0, 0, 0x8000000000000000, 0},
    {"fcvt.lu.d of -0.5 is inexact", Op::kFcvtLuD, 0xBFE0000000000000, 0, 0, 1, 0, NX},
    {"fcvt.lu.d of -1 is invalid", Op::kFcvtLuD, 0xBFF0000000000000, 0, 0, 1, 0, NV},
    {"fcvt.l.s of 2^62", Op::kFcvtLS, kBox | 0x5E800000, 0, 0, 0, 0x4000000000000000, 0},
    {"2^53 + 1 to double is a tie to even", Op::kFcvtDL, 0x20000000000001, 0, 0, 0, 0x4340000000000000, NX},
    {"2^53 + 1 to double goes away in RMM", Op::kFcvtDL, 0x20000000000001, 0, 0, 4, 0x4340000000000001, NX},
    {"2^64 - 1 to double", Op::kFcvtDLu, ~u64{0}, 0, 0, 1, 0x43EFFFFFFFFFFFFF, NX},
    {"2^24 + 1 to single is a tie to even", Op::kFcvtSL, 0x1000001, 0, 0, 0, kBox | 0x4B800000, NX},
    {"fcvt.s.d of a tie in RMM", Op::kFcvtSD, 0x3FF0000010000000, 0, 0, 4, kBox | 0x3F800001, NX},
    {"fcvt.s.d underflows", Op::kFcvtSD, 1, 0, 0, 0, kBox, UF | NX},
    {"fcvt.s.d overflows", Op::kFcvtSD, 0x7FEFFFFFFFFFFFFF, 0, 0, 0, kBox | 0x7F800000, OF | NX},
    {"fcvt.d.s of a signaling NaN", Op::kFcvtDS, kBox | 0x7F800001, 0, 0, 0, kNan, NV},
    {"fcvt.d.s of a subnormal", Op::kFcvtDS, kBox | 1, 0, 0, 0, 0x36A0000000000000, 0},
    {"1 / 3", Op::kFdivD, 0x3FF0000000000000, 0x4008000000000000, 0, 0, 0x3FD5555555555555, NX},
    {"1 / 3 rounds up", Op::kFdivD, 0x3FF0000000000000, 0x4008000000000000, 0, 3, 0x3FD5555555555556, NX},
    {"division by 0", Op::kFdivD, 0xBFF0000000000000, 0, 0, 0, 0xFFF0000000000000, DZ},
    {"a tie goes to even", Op::kFaddD, 0x3FF0000000000000, 0x3CA0000000000000, 0, 0, 0x3FF0000000000000, NX},
    {"a tie goes away in RMM", Op::kFaddD, 0x3FF0000000000000, 0x3CA0000000000000, 0, 4, 0x3FF0000000000001, NX},
    {"the square root of 2", Op::kFsqrtD, 0x4000000000000000, 0, 0, 0, 0x3FF6A09E667F3BCD, NX},
    {"fmadd rounds once", Op::kFmaddD, 0x3FF0000000000001, 0x3FF0000000000001, 0xBFF0000000000002, 0,
     0x3970000000000000, 0},
    {"infinity times zero plus a quiet NaN", Op::kFmaddD, 0x7FF0000000000000, 0, kNan, 0, kNan, NV},
    {"overflow", Op::kFmulD, 0x7FEFFFFFFFFFFFFF, 0x4000000000000000, 0, 0, 0x7FF0000000000000, OF | NX},
    {"tininess is detected after rounding", Op::kFmulD, 0x001FFFFFFFFFFFFF, 0x3FE0000000000000, 0, 0,
     0x0010000000000000, UF | NX},
    {"the minimum of -0 and +0", Op::kFminD, 0, 0x8000000000000000, 0, 0, 0x8000000000000000, 0},
    {"the maximum of two NaNs", Op::kFmaxD, ~u64{0}, kNan, 0, 0, kNan, 0},
    {"fle of a quiet NaN", Op::kFleD, kNan, 0, 0, 0, 0, NV},
    {"feq of a quiet NaN", Op::kFeqD, kNan, 0, 0, 0, 0, 0},
    {"fclass of a negative subnormal", Op::kFclassD, 0x8000000000000001, 0, 0, 0, 1 << 2, 0},
    {"fclass of a single that is not boxed", Op::kFclass, 0, 0, 0, 0, 1 << 9, 0},
    {"fsgnjn.d keeps a NaN's payload", Op::kFsgnjnD, 0x7FF0000000000001, 0, 0, 0, 0xFFF0000000000001, 0},
};

TEST(Execute64, corner_cases_have_the_values_and_flags_of_the_specification) {
  WideReference reference;
  for (const Expected& e : kTable) {
    const Instruction instruction = make(e.op, static_cast<std::int32_t>(e.b), static_cast<std::uint8_t>(e.rm));
    const u64 a[4] = {e.a, e.a, e.a, e.a}, b[4] = {e.b, e.b, e.b, e.b}, c[4] = {e.c, e.c, e.c, e.c};
    u64 out[4];
    std::uint8_t fcsr[4] = {};
    EXPECT_EQ(execute(instruction, 0, a, b, c, out, 0xF, 4, fcsr), 0u) << e.what;
    EXPECT_EQ(out[2], e.result) << e.what;
    EXPECT_EQ(fcsr[2], e.flags) << e.what;
    const auto scalar = reference.run(instruction, e.a, e.b, e.c);
    EXPECT_EQ(scalar.rd, e.result) << e.what << " (reference)";
    EXPECT_EQ(scalar.fcsr, e.flags) << e.what << " (reference)";
  }
}

// Memory of the reference; `a` is the address.
class Memory64 : public testing::Test {
 protected:
  Memory64() : buffer_(reference_.memory().allocate(256)) {}

  u64 at(unsigned offset) const {
    u64 value;
    reference_.memory().read(buffer_ + offset, &value, 8);
    return value;
  }
  void put(unsigned offset, u64 value) { reference_.memory().write(buffer_ + offset, &value, 8); }

  mutable WideReference reference_;
  Address buffer_;
};

TEST_F(Memory64, loads_extend_and_stores_cut) {
  put(0, 0x80000000FFFFFFFF);
  EXPECT_EQ(reference_.run(make(Op::kLd), buffer_, 0, 0).rd, 0x80000000FFFFFFFF);
  EXPECT_EQ(reference_.run(make(Op::kLw, 4), buffer_, 0, 0).rd, 0xFFFFFFFF80000000);
  EXPECT_EQ(reference_.run(make(Op::kLwu, 4), buffer_, 0, 0).rd, 0x80000000u);
  EXPECT_EQ(reference_.run(make(Op::kLb), buffer_, 0, 0).rd, ~u64{0});
  EXPECT_EQ(reference_.run(make(Op::kLbu), buffer_, 0, 0).rd, 0xFFu);
  (void)reference_.run(make(Op::kSd, 8), buffer_, 0x0123456789ABCDEF, 0);
  EXPECT_EQ(at(8), 0x0123456789ABCDEFu);
  (void)reference_.run(make(Op::kSw, 8), buffer_, 0xFFFFFFFF00000000, 0);
  EXPECT_EQ(at(8), 0x0123456700000000u);
}

TEST_F(Memory64, a_doubleword_of_local_memory_is_two_words_of_the_storage) {
  const Accessor who{0, 1, 3};
  (void)reference_.run(make(Op::kSd, 16), kLocalBase, 0x0123456789ABCDEF, 0, 0, who);
  EXPECT_EQ(reference_.run(make(Op::kLd, 16), kLocalBase, 0, 0, 0, who).rd, 0x0123456789ABCDEFu);
  EXPECT_EQ(reference_.run(make(Op::kLwu, 20), kLocalBase, 0, 0, 0, who).rd, 0x01234567u);
  EXPECT_EQ(reference_.run(make(Op::kLd, 16), kLocalBase, 0, 0, 0, {0, 1, 4}).rd, 0u) << "the neighbour's";
}

TEST_F(Memory64, misaligned_unmapped_and_far_accesses_fault) {
  EXPECT_EQ(reference_.run(make(Op::kLd, 4), buffer_, 0, 0).step.fault, Fault::kMisaligned);
  EXPECT_EQ(reference_.run(make(Op::kSd, 4), buffer_, 0, 0).step.fault, Fault::kMisaligned);
  EXPECT_EQ(reference_.run(make(Op::kAmoaddD), buffer_ + 4, 0, 0).step.fault, Fault::kMisaligned);
  EXPECT_EQ(reference_.run(make(Op::kLd), 8, 0, 0).step.fault, Fault::kNullPage);
  for (Op op : {Op::kLw, Op::kLd, Op::kSw, Op::kSd, Op::kAmoadd, Op::kAmoaddD, Op::kLrD})
    EXPECT_EQ(reference_.run(make(op), u64{1} << 40 | buffer_, 0, 0).step.fault, Fault::kUnmapped);
  EXPECT_EQ(reference_.run(make(Op::kJalr), u64{1} << 32 | test::kTextBegin, 0, 0).step.event, StepEvent::kFarJump);
}

TEST_F(Memory64, atomics_of_doublewords_and_words) {
  const u64 minus_one = ~u64{0}, big = u64{1} << 40;
  const struct {
    Op op;
    u64 before, operand, after;
  } table[] = {{Op::kAmoswapD, 1, big, big},
               {Op::kAmoaddD, 0xFFFFFFFF, 1, u64{1} << 32},
               {Op::kAmoxorD, big | 1, big, 1},
               {Op::kAmoandD, big | 1, big, big},
               {Op::kAmoorD, 1, big, big | 1},
               {Op::kAmominD, minus_one, big, minus_one},
               {Op::kAmomaxD, minus_one, big, big},
               {Op::kAmominuD, minus_one, big, big},
               {Op::kAmomaxuD, minus_one, big, minus_one}};
  for (const auto& t : table) {
    EXPECT_EQ(amo_result(t.op, t.before, t.operand), t.after) << static_cast<int>(t.op);
    put(0, t.before);
    EXPECT_EQ(reference_.run(make(t.op), buffer_, t.operand, 0).rd, t.before);
    EXPECT_EQ(at(0), t.after) << static_cast<int>(t.op);
  }
  put(0, 0x1111111180000000);
  EXPECT_EQ(reference_.run(make(Op::kAmoadd), buffer_, 1, 0).rd, 0xFFFFFFFF80000000) << "a word's old value";
  EXPECT_EQ(at(0), 0x1111111180000001u);
}

TEST_F(Memory64, compare_and_swap) {
  put(0, 0x0000000180000000);
  EXPECT_EQ(reference_.run(make(Op::kAmocasD), buffer_, 5, 0x80000000).rd, 0x0000000180000000u) << "differs above";
  EXPECT_EQ(at(0), 0x0000000180000000u);
  EXPECT_EQ(reference_.run(make(Op::kAmocasD), buffer_, u64{5} << 32, 0x0000000180000000).rd, 0x0000000180000000u);
  EXPECT_EQ(at(0), u64{5} << 32);
  put(0, 0x0000000180000000);
  EXPECT_EQ(reference_.run(make(Op::kAmocas), buffer_, 7, 0xABCD000080000000).rd, 0xFFFFFFFF80000000);
  EXPECT_EQ(at(0), 0x0000000100000007u) << "the high word of what is compared does not count";
}

TEST_F(Memory64, a_reservation_of_a_doubleword_ends_with_a_write_to_either_word) {
  const Accessor other{0, 1, 5};
  const auto conditional = [&] { return reference_.run(make(Op::kScD), buffer_, 9, 0).rd; };
  const auto reserve = [&] { (void)reference_.run(make(Op::kLrD), buffer_, 0, 0); };
  put(0, 7);
  reserve();
  EXPECT_EQ(conditional(), 0u);
  EXPECT_EQ(at(0), 9u);
  EXPECT_EQ(conditional(), 1u) << "once";
  for (std::int32_t offset : {0, 4}) {
    reserve();
    (void)reference_.run(make(Op::kSw, offset), buffer_, 1, 0, 0, other);
    EXPECT_EQ(conditional(), 1u) << offset;
  }
  reserve();
  (void)reference_.run(make(Op::kSd, 8), buffer_, 1, 0, 0, other);
  EXPECT_EQ(conditional(), 0u) << "a write behind it";
}

}  // namespace
}  // namespace heddle::execute64_test
