// SPDX-License-Identifier: Apache-2.0
#include "isa/execute.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "isa/execute_fp.h"

namespace heddle {
namespace {

std::int32_t as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value); }

// RISC-V division does not trap: x / 0 = -1 (all ones), x % 0 = x; the signed overflow gives the dividend and 0.
std::uint32_t divide_signed(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return ~0u;
  return a == 0x80000000u && b == ~0u ? a : static_cast<std::uint32_t>(as_signed(a) / as_signed(b));
}
std::uint32_t remainder_signed(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return a;
  return a == 0x80000000u && b == ~0u ? 0 : static_cast<std::uint32_t>(as_signed(a) % as_signed(b));
}

// All ones in every byte that is not zero: the carry into bit 7 of a byte shows whether its lower bits are.
std::uint32_t or_combine_bytes(std::uint32_t x) {
  const std::uint32_t top = (((x & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | x) & 0x80808080u;
  return (top >> 7) * 0xFFu;
}

std::uint32_t population(std::uint32_t x) {
  x -= (x >> 1) & 0x55555555u;
  x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
  return (((x + (x >> 4)) & 0x0F0F0F0Fu) * 0x01010101u) >> 24;
}
// Ones from the highest one downwards, and below the lowest one.
std::uint32_t fill_downwards(std::uint32_t x) {
  x |= x >> 1;
  x |= x >> 2;
  x |= x >> 4;
  x |= x >> 8;
  return x | x >> 16;
}
std::uint32_t below_lowest(std::uint32_t x) { return ~x & (x - 1u); }

// One loop over the lanes with the operation in its body.
#define HEDDLE_LANES(expression)                              \
  _Pragma("GCC ivdep") for (unsigned l = 0; l < lanes; ++l) { \
    const std::uint32_t x = a[l];                             \
    const std::uint32_t y = b[l];                             \
    (void)x;                                                  \
    (void)y;                                                  \
    out[l] = static_cast<std::uint32_t>(expression);          \
  }                                                           \
  return true

// Integer instructions; false if the operation is none of them.
HEDDLE_LANE_KERNEL
bool execute_integer(const Instruction& instruction, Pc pc, const std::uint32_t* a, const std::uint32_t* b,
                     std::uint32_t* out, unsigned lanes) {
  const std::uint32_t imm = static_cast<std::uint32_t>(instruction.imm);
  const unsigned shift = imm & 31u;
  switch (instruction.op) {
    case Op::kLui: HEDDLE_LANES(imm);
    case Op::kAuipc: HEDDLE_LANES(pc + imm);
    case Op::kJal:
    case Op::kJalr: HEDDLE_LANES(pc + 4);
    case Op::kAddi: HEDDLE_LANES(x + imm);
    case Op::kSlti: HEDDLE_LANES(as_signed(x) < instruction.imm);
    case Op::kSltiu: HEDDLE_LANES(x < imm);
    case Op::kXori: HEDDLE_LANES(x ^ imm);
    case Op::kOri: HEDDLE_LANES(x | imm);
    case Op::kAndi: HEDDLE_LANES(x & imm);
    case Op::kSlli: HEDDLE_LANES(x << shift);
    case Op::kSrli: HEDDLE_LANES(x >> shift);
    case Op::kSrai: HEDDLE_LANES(as_signed(x) >> shift);
    case Op::kAdd: HEDDLE_LANES(x + y);
    case Op::kSub: HEDDLE_LANES(x - y);
    case Op::kSll: HEDDLE_LANES(x << (y & 31u));
    case Op::kSlt: HEDDLE_LANES(as_signed(x) < as_signed(y));
    case Op::kSltu: HEDDLE_LANES(x < y);
    case Op::kXor: HEDDLE_LANES(x ^ y);
    case Op::kSrl: HEDDLE_LANES(x >> (y & 31u));
    case Op::kSra: HEDDLE_LANES(as_signed(x) >> (y & 31u));
    case Op::kOr: HEDDLE_LANES(x | y);
    case Op::kAnd: HEDDLE_LANES(x & y);
    case Op::kMul: HEDDLE_LANES(x * y);
    case Op::kMulh: HEDDLE_LANES((std::int64_t{as_signed(x)} * as_signed(y)) >> 32);
    case Op::kMulhsu: HEDDLE_LANES((std::int64_t{as_signed(x)} * std::int64_t{y}) >> 32);
    case Op::kMulhu: HEDDLE_LANES((std::uint64_t{x} * y) >> 32);
    case Op::kDiv: HEDDLE_LANES(divide_signed(x, y));
    case Op::kDivu: HEDDLE_LANES(y == 0 ? ~0u : x / y);
    case Op::kRem: HEDDLE_LANES(remainder_signed(x, y));
    case Op::kRemu: HEDDLE_LANES(y == 0 ? x : x % y);
    case Op::kSh1add: HEDDLE_LANES((x << 1) + y);
    case Op::kSh2add: HEDDLE_LANES((x << 2) + y);
    case Op::kSh3add: HEDDLE_LANES((x << 3) + y);
    case Op::kAndn: HEDDLE_LANES(x & ~y);
    case Op::kOrn: HEDDLE_LANES(x | ~y);
    case Op::kXnor: HEDDLE_LANES(~(x ^ y));
    case Op::kClz: HEDDLE_LANES(32u - population(fill_downwards(x)));
    case Op::kCtz: HEDDLE_LANES(population(below_lowest(x)));
    case Op::kCpop: HEDDLE_LANES(population(x));
    case Op::kMax: HEDDLE_LANES(as_signed(x) > as_signed(y) ? x : y);
    case Op::kMaxu: HEDDLE_LANES(x > y ? x : y);
    case Op::kMin: HEDDLE_LANES(as_signed(x) < as_signed(y) ? x : y);
    case Op::kMinu: HEDDLE_LANES(x < y ? x : y);
    case Op::kSextB: HEDDLE_LANES(static_cast<std::int8_t>(x));
    case Op::kSextH: HEDDLE_LANES(static_cast<std::int16_t>(x));
    case Op::kZextH: HEDDLE_LANES(x & 0xFFFFu);
    case Op::kRol: HEDDLE_LANES(x << (y & 31u) | x >> (-y & 31u));
    case Op::kRor: HEDDLE_LANES(x >> (y & 31u) | x << (-y & 31u));
    case Op::kRori: HEDDLE_LANES(x >> shift | x << (-shift & 31u));
    case Op::kOrcB: HEDDLE_LANES(or_combine_bytes(x));
    case Op::kRev8: HEDDLE_LANES(__builtin_bswap32(x));
    case Op::kBclr: HEDDLE_LANES(x & ~(1u << (y & 31u)));
    case Op::kBclri: HEDDLE_LANES(x & ~(1u << shift));
    case Op::kBext: HEDDLE_LANES(x >> (y & 31u) & 1u);
    case Op::kBexti: HEDDLE_LANES(x >> shift & 1u);
    case Op::kBinv: HEDDLE_LANES(x ^ 1u << (y & 31u));
    case Op::kBinvi: HEDDLE_LANES(x ^ 1u << shift);
    case Op::kBset: HEDDLE_LANES(x | 1u << (y & 31u));
    case Op::kBseti: HEDDLE_LANES(x | 1u << shift);
    case Op::kCzeroEqz: HEDDLE_LANES(y == 0 ? 0 : x);
    case Op::kCzeroNez: HEDDLE_LANES(y != 0 ? 0 : x);
    // Moves between the register files are bit copies, sign injection is bit work: no flags, no NaN handling.
    case Op::kFmvXW:
    case Op::kFmvWX: HEDDLE_LANES(x);
    case Op::kFsgnj: HEDDLE_LANES((x & 0x7FFFFFFFu) | (y & 0x80000000u));
    case Op::kFsgnjn: HEDDLE_LANES((x & 0x7FFFFFFFu) | (~y & 0x80000000u));
    case Op::kFsgnjx: HEDDLE_LANES(x ^ (y & 0x80000000u));
    default: return false;
  }
}
#undef HEDDLE_LANES

// flag[l] = 1 if the branch of lane l is taken.
HEDDLE_LANE_KERNEL
void compare_lanes(Op op, const std::uint32_t* a, const std::uint32_t* b, std::uint8_t* flag, unsigned lanes) {
#define HEDDLE_COMPARE(expression)                                                      \
  for (unsigned l = 0; l < lanes; ++l) flag[l] = static_cast<std::uint8_t>(expression); \
  return
  switch (op) {
    case Op::kBeq: HEDDLE_COMPARE(a[l] == b[l]);
    case Op::kBne: HEDDLE_COMPARE(a[l] != b[l]);
    case Op::kBlt: HEDDLE_COMPARE(as_signed(a[l]) < as_signed(b[l]));
    case Op::kBge: HEDDLE_COMPARE(as_signed(a[l]) >= as_signed(b[l]));
    case Op::kBltu: HEDDLE_COMPARE(a[l] < b[l]);
    default: HEDDLE_COMPARE(a[l] >= b[l]);
  }
#undef HEDDLE_COMPARE
}

// A lane whose source does not execute keeps its own value.
void shuffle(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* out, LaneMask mask, unsigned lanes) {
  alignas(64) std::uint32_t values[kMaxLanes];
  std::copy_n(a, lanes, values);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(rest));
    const unsigned source = (lane & ~(kWarpWide - 1)) | (b[lane] & (kWarpWide - 1));
    out[lane] = values[(mask >> source & 1) != 0 ? source : lane];
  }
}

void ballot(const std::uint32_t* a, std::uint32_t* out, LaneMask mask, unsigned lanes) {
  LaneMask votes = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) votes |= LaneMask{a[lane] != 0} << lane;
  votes &= mask;
  for (unsigned lane = 0; lane < lanes; ++lane)
    out[lane] = static_cast<std::uint32_t>(votes >> (lane & ~(kWarpWide - 1)));
}

}  // namespace

LaneMask execute(const Instruction& instruction, Pc pc, const std::uint32_t* a, const std::uint32_t* b,
                 const std::uint32_t* c, std::uint32_t* out, LaneMask mask, unsigned lanes, std::uint8_t* fcsr) {
  if (execute_integer(instruction, pc, a, b, out, lanes)) return 0;
  switch (instruction.op) {
    case Op::kFence:
    case Op::kBarrier:
    case Op::kFork:
    case Op::kJoin:
    case Op::kPush:
    case Op::kPop: return 0;
    case Op::kSfuRcp:
    case Op::kSfuRsqrt:
    case Op::kSfuSin:
    case Op::kSfuCos:
    case Op::kSfuEx2:
    case Op::kSfuLg2:
    case Op::kSfuTanh:
      for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctzll(rest);
        out[l] = special_function(instruction.op, a[l]);
      }
      return 0;
    case Op::kShuffle: shuffle(a, b, out, mask, lanes); return 0;
    case Op::kBallot: ballot(a, out, mask, lanes); return 0;
    default:
      if (instruction.op >= Op::kFmadd && instruction.op <= Op::kFcvtSWu)
        return execute_fp(instruction, a, b, c, out, mask, lanes, fcsr);
      return mask;
  }
}

LaneMask branch_taken(const Instruction& instruction, const std::uint32_t* a, const std::uint32_t* b, unsigned lanes) {
  alignas(64) std::uint8_t flag[kMaxLanes] = {};
  compare_lanes(instruction.op, a, b, flag, lanes);
  LaneMask taken = 0;
  for (unsigned l = 0; l < lanes; l += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, flag + l, sizeof eight);
    // Gathers the low bits of eight bytes into one byte: byte i lands on bit 56 + i of the product.
    taken |= (eight * 0x0102040810204080u >> 56) << l;
  }
  return taken;
}

std::uint32_t amo_result(Op op, std::uint32_t old, std::uint32_t operand) {
  switch (op) {
    case Op::kAmoadd: return old + operand;
    case Op::kAmoxor: return old ^ operand;
    case Op::kAmoand: return old & operand;
    case Op::kAmoor: return old | operand;
    case Op::kAmomin: return as_signed(old) < as_signed(operand) ? old : operand;
    case Op::kAmomax: return as_signed(old) > as_signed(operand) ? old : operand;
    case Op::kAmominu: return old < operand ? old : operand;
    case Op::kAmomaxu: return old > operand ? old : operand;
    default: return operand;  // amoswap
  }
}

std::uint32_t special_function(Op op, std::uint32_t operand) {
  float single;
  std::memcpy(&single, &operand, sizeof single);
  const double x = single;
  double y;
  switch (op) {
    case Op::kSfuRcp: y = 1.0 / x; break;
    case Op::kSfuRsqrt: y = 1.0 / std::sqrt(x); break;
    case Op::kSfuSin: y = std::sin(x); break;
    case Op::kSfuCos: y = std::cos(x); break;
    case Op::kSfuEx2: y = std::exp2(x); break;
    case Op::kSfuLg2: y = std::log2(x); break;
    default: y = std::tanh(x); break;
  }
  if (std::isnan(y)) return kCanonicalNan;
  const float rounded = static_cast<float>(y);
  std::uint32_t bits;
  std::memcpy(&bits, &rounded, sizeof bits);
  return bits;
}

}  // namespace heddle
