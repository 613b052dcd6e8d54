// SPDX-License-Identifier: Apache-2.0
#include "isa/execute.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "isa/execute_fp.h"
#include "isa/ieee.h"

namespace heddle {
namespace {

using ieee::boxed;
using ieee::unboxed;

std::int32_t as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value); }
std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }

// RISC-V division does not trap: x / 0 = -1 (all ones), x % 0 = x; the signed overflow gives the dividend and 0.
template <typename Word>
Word divide_signed(Word a, Word b) {
  constexpr Word kLowest = Word{1} << (8 * sizeof(Word) - 1);
  if (b == 0) return ~Word{0};
  return a == kLowest && b == ~Word{0} ? a : static_cast<Word>(as_signed(a) / as_signed(b));
}
template <typename Word>
Word remainder_signed(Word a, Word b) {
  constexpr Word kLowest = Word{1} << (8 * sizeof(Word) - 1);
  if (b == 0) return a;
  return a == kLowest && b == ~Word{0} ? 0 : static_cast<Word>(as_signed(a) % as_signed(b));
}

// Integers of twice the width, for the upper half of a product.
template <typename Word>
struct Product {
  using Unsigned = std::uint64_t;
  using Signed = std::int64_t;
};
template <>
struct Product<std::uint64_t> {
  __extension__ using Unsigned = unsigned __int128;
  __extension__ using Signed = __int128;
};

// A byte's value in every byte.
template <typename Word>
constexpr Word every_byte(unsigned byte) {
  return static_cast<Word>(0x0101010101010101u * byte);
}

// All ones in every byte that is not zero: the carry into bit 7 of a byte shows whether its lower bits are.
template <typename Word>
Word or_combine_bytes(Word x) {
  const Word top = (((x & every_byte<Word>(0x7F)) + every_byte<Word>(0x7F)) | x) & every_byte<Word>(0x80);
  return (top >> 7) * 0xFFu;
}

template <typename Word>
Word population(Word x) {
  x -= (x >> 1) & every_byte<Word>(0x55);
  x = (x & every_byte<Word>(0x33)) + ((x >> 2) & every_byte<Word>(0x33));
  return (((x + (x >> 4)) & every_byte<Word>(0x0F)) * every_byte<Word>(1)) >> (8 * sizeof(Word) - 8);
}
// Ones from the highest one downwards, and below the lowest one.
template <typename Word>
Word fill_downwards(Word x) {
  x |= x >> 1;
  x |= x >> 2;
  x |= x >> 4;
  x |= x >> 8;
  x |= x >> 16;
  return sizeof(Word) == 8 ? x | x >> (4 * sizeof(Word)) : x;
}
template <typename Word>
Word below_lowest(Word x) {
  return ~x & (x - 1u);
}
std::uint32_t byte_swapped(std::uint32_t x) { return __builtin_bswap32(x); }
std::uint64_t byte_swapped(std::uint64_t x) { return __builtin_bswap64(x); }

// A register that holds a single.
template <typename Word>
Word single(std::uint32_t bits) {
  return sizeof(Word) == 8 ? static_cast<Word>(boxed(bits)) : static_cast<Word>(bits);
}

// One loop over the lanes with the operation in its body.
#define HEDDLE_LANES(expression)                              \
  _Pragma("GCC ivdep") for (unsigned l = 0; l < lanes; ++l) { \
    const Word x = a[l];                                      \
    const Word y = b[l];                                      \
    (void)x;                                                  \
    (void)y;                                                  \
    out[l] = static_cast<Word>(expression);                   \
  }                                                           \
  return true

// Integer instructions of both widths; false if the operation is none of them.
template <typename Word>
__attribute__((always_inline)) inline bool integer_lanes(const Instruction& instruction, Pc pc, const Word* a,
                                                         const Word* b, Word* out, unsigned lanes) {
  using Double = typename Product<Word>::Unsigned;
  using SignedDouble = typename Product<Word>::Signed;
  constexpr unsigned kBits = 8 * sizeof(Word), kAmount = kBits - 1;
  constexpr Word kOne = 1;
  const Word imm = static_cast<Word>(instruction.imm);
  const unsigned shift = static_cast<unsigned>(instruction.imm) & kAmount;
  switch (instruction.op) {
    case Op::kLui: HEDDLE_LANES(imm);
    case Op::kAuipc: HEDDLE_LANES(Word{pc} + imm);
    case Op::kJal:
    case Op::kJalr: HEDDLE_LANES(Word{pc} + 4);
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
    case Op::kSll: HEDDLE_LANES(x << (y & kAmount));
    case Op::kSlt: HEDDLE_LANES(as_signed(x) < as_signed(y));
    case Op::kSltu: HEDDLE_LANES(x < y);
    case Op::kXor: HEDDLE_LANES(x ^ y);
    case Op::kSrl: HEDDLE_LANES(x >> (y & kAmount));
    case Op::kSra: HEDDLE_LANES(as_signed(x) >> (y & kAmount));
    case Op::kOr: HEDDLE_LANES(x | y);
    case Op::kAnd: HEDDLE_LANES(x & y);
    case Op::kMul: HEDDLE_LANES(x * y);
    case Op::kMulh: HEDDLE_LANES((SignedDouble{as_signed(x)} * as_signed(y)) >> kBits);
    case Op::kMulhsu: HEDDLE_LANES((SignedDouble{as_signed(x)} * static_cast<SignedDouble>(y)) >> kBits);
    case Op::kMulhu: HEDDLE_LANES((Double{x} * y) >> kBits);
    case Op::kDiv: HEDDLE_LANES(divide_signed(x, y));
    case Op::kDivu: HEDDLE_LANES(y == 0 ? ~Word{0} : x / y);
    case Op::kRem: HEDDLE_LANES(remainder_signed(x, y));
    case Op::kRemu: HEDDLE_LANES(y == 0 ? x : x % y);
    case Op::kSh1add: HEDDLE_LANES((x << 1) + y);
    case Op::kSh2add: HEDDLE_LANES((x << 2) + y);
    case Op::kSh3add: HEDDLE_LANES((x << 3) + y);
    case Op::kAndn: HEDDLE_LANES(x & ~y);
    case Op::kOrn: HEDDLE_LANES(x | ~y);
    case Op::kXnor: HEDDLE_LANES(~(x ^ y));
    case Op::kClz: HEDDLE_LANES(kBits - population(fill_downwards(x)));
    case Op::kCtz: HEDDLE_LANES(population(below_lowest(x)));
    case Op::kCpop: HEDDLE_LANES(population(x));
    case Op::kMax: HEDDLE_LANES(as_signed(x) > as_signed(y) ? x : y);
    case Op::kMaxu: HEDDLE_LANES(x > y ? x : y);
    case Op::kMin: HEDDLE_LANES(as_signed(x) < as_signed(y) ? x : y);
    case Op::kMinu: HEDDLE_LANES(x < y ? x : y);
    case Op::kSextB: HEDDLE_LANES(static_cast<std::int8_t>(x));
    case Op::kSextH: HEDDLE_LANES(static_cast<std::int16_t>(x));
    case Op::kZextH: HEDDLE_LANES(x & 0xFFFFu);
    case Op::kRol: HEDDLE_LANES(x << (y & kAmount) | x >> (-y & kAmount));
    case Op::kRor: HEDDLE_LANES(x >> (y & kAmount) | x << (-y & kAmount));
    case Op::kRori: HEDDLE_LANES(x >> shift | x << (-shift & kAmount));
    case Op::kOrcB: HEDDLE_LANES(or_combine_bytes(x));
    case Op::kRev8: HEDDLE_LANES(byte_swapped(x));
    case Op::kBclr: HEDDLE_LANES(x & ~(kOne << (y & kAmount)));
    case Op::kBclri: HEDDLE_LANES(x & ~(kOne << shift));
    case Op::kBext: HEDDLE_LANES(x >> (y & kAmount) & kOne);
    case Op::kBexti: HEDDLE_LANES(x >> shift & kOne);
    case Op::kBinv: HEDDLE_LANES(x ^ kOne << (y & kAmount));
    case Op::kBinvi: HEDDLE_LANES(x ^ kOne << shift);
    case Op::kBset: HEDDLE_LANES(x | kOne << (y & kAmount));
    case Op::kBseti: HEDDLE_LANES(x | kOne << shift);
    case Op::kCzeroEqz: HEDDLE_LANES(y == 0 ? 0 : x);
    case Op::kCzeroNez: HEDDLE_LANES(y != 0 ? 0 : x);
    // Moves between the register files are bit copies, sign injection is bit work: no flags, no NaN handling.
    case Op::kFmvXW: HEDDLE_LANES(static_cast<std::int32_t>(x));
    case Op::kFmvWX: HEDDLE_LANES(single<Word>(static_cast<std::uint32_t>(x)));
    case Op::kFsgnj: HEDDLE_LANES(single<Word>((unboxed(x) & 0x7FFFFFFFu) | (unboxed(y) & 0x80000000u)));
    case Op::kFsgnjn: HEDDLE_LANES(single<Word>((unboxed(x) & 0x7FFFFFFFu) | (~unboxed(y) & 0x80000000u)));
    case Op::kFsgnjx: HEDDLE_LANES(single<Word>(unboxed(x) ^ (unboxed(y) & 0x80000000u)));
    default: return false;
  }
}

HEDDLE_LANE_KERNEL
bool execute_integer(const Instruction& instruction, Pc pc, const std::uint32_t* a, const std::uint32_t* b,
                     std::uint32_t* out, unsigned lanes) {
  return integer_lanes(instruction, pc, a, b, out, lanes);
}
HEDDLE_LANE_KERNEL
bool execute_integer(const Instruction& instruction, Pc pc, const std::uint64_t* a, const std::uint64_t* b,
                     std::uint64_t* out, unsigned lanes) {
  return integer_lanes(instruction, pc, a, b, out, lanes);
}

// On the low words of registers of 64 bits, of which `word` makes the sign-extended result; and bit copies of doubles.
HEDDLE_LANE_KERNEL
bool execute_wide(const Instruction& instruction, const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out,
                  unsigned lanes) {
  using Word = std::uint64_t;
  constexpr Word kSign = ieee::kSignBit<Word>;
  const auto imm = static_cast<std::uint32_t>(instruction.imm);
  const unsigned shift = imm & 31u;
  const auto low = [](Word value) { return static_cast<std::uint32_t>(value); };
  const auto word = [](std::uint32_t value) { return as_signed(value); };
  switch (instruction.op) {
    case Op::kAddiw: HEDDLE_LANES(word(low(x) + imm));
    case Op::kSlliw: HEDDLE_LANES(word(low(x) << shift));
    case Op::kSrliw: HEDDLE_LANES(word(low(x) >> shift));
    case Op::kSraiw: HEDDLE_LANES(as_signed(low(x)) >> shift);
    case Op::kAddw: HEDDLE_LANES(word(low(x) + low(y)));
    case Op::kSubw: HEDDLE_LANES(word(low(x) - low(y)));
    case Op::kSllw: HEDDLE_LANES(word(low(x) << (y & 31u)));
    case Op::kSrlw: HEDDLE_LANES(word(low(x) >> (y & 31u)));
    case Op::kSraw: HEDDLE_LANES(as_signed(low(x)) >> (y & 31u));
    case Op::kMulw: HEDDLE_LANES(word(low(x) * low(y)));
    case Op::kDivw: HEDDLE_LANES(word(divide_signed(low(x), low(y))));
    case Op::kDivuw: HEDDLE_LANES(word(low(y) == 0 ? ~0u : low(x) / low(y)));
    case Op::kRemw: HEDDLE_LANES(word(remainder_signed(low(x), low(y))));
    case Op::kRemuw: HEDDLE_LANES(word(low(y) == 0 ? low(x) : low(x) % low(y)));
    case Op::kClzw: HEDDLE_LANES(32u - population(fill_downwards(low(x))));
    case Op::kCtzw: HEDDLE_LANES(population(below_lowest(low(x))));
    case Op::kCpopw: HEDDLE_LANES(population(low(x)));
    case Op::kRolw: HEDDLE_LANES(word(low(x) << (y & 31u) | low(x) >> (-y & 31u)));
    case Op::kRorw: HEDDLE_LANES(word(low(x) >> (y & 31u) | low(x) << (-y & 31u)));
    case Op::kRoriw: HEDDLE_LANES(word(low(x) >> shift | low(x) << (-shift & 31u)));
    case Op::kAddUw: HEDDLE_LANES(Word{low(x)} + y);
    case Op::kSh1addUw: HEDDLE_LANES((Word{low(x)} << 1) + y);
    case Op::kSh2addUw: HEDDLE_LANES((Word{low(x)} << 2) + y);
    case Op::kSh3addUw: HEDDLE_LANES((Word{low(x)} << 3) + y);
    case Op::kSlliUw: HEDDLE_LANES(Word{low(x)} << (imm & 63u));
    case Op::kFmvXD:
    case Op::kFmvDX: HEDDLE_LANES(x);
    case Op::kFsgnjD: HEDDLE_LANES((x & ~kSign) | (y & kSign));
    case Op::kFsgnjnD: HEDDLE_LANES((x & ~kSign) | (~y & kSign));
    case Op::kFsgnjxD: HEDDLE_LANES(x ^ (y & kSign));
    default: return false;
  }
}
#undef HEDDLE_LANES

// flag[l] = 1 if the branch of lane l is taken.
template <typename Word>
__attribute__((always_inline)) inline void flag_lanes(Op op, const Word* a, const Word* b, std::uint8_t* flag,
                                                      unsigned lanes) {
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
HEDDLE_LANE_KERNEL
void compare_lanes(Op op, const std::uint32_t* a, const std::uint32_t* b, std::uint8_t* flag, unsigned lanes) {
  flag_lanes(op, a, b, flag, lanes);
}
HEDDLE_LANE_KERNEL
void compare_lanes(Op op, const std::uint64_t* a, const std::uint64_t* b, std::uint8_t* flag, unsigned lanes) {
  flag_lanes(op, a, b, flag, lanes);
}

// A lane whose source does not execute keeps its own value.
template <typename Word>
void shuffle(const Word* a, const Word* b, Word* out, LaneMask mask, unsigned lanes) {
  alignas(64) Word values[kMaxLanes];
  std::copy_n(a, lanes, values);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(rest));
    const unsigned source = (lane & ~(kWarpWide - 1)) | static_cast<unsigned>(b[lane] & (kWarpWide - 1));
    out[lane] = values[(mask >> source & 1) != 0 ? source : lane];
  }
}

// Of 32 lanes: a word, sign-extended as integers of 32 bits are.
template <typename Word>
void ballot(const Word* a, Word* out, LaneMask mask, unsigned lanes) {
  LaneMask votes = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) votes |= LaneMask{a[lane] != 0} << lane;
  votes &= mask;
  for (unsigned lane = 0; lane < lanes; ++lane)
    out[lane] = static_cast<Word>(static_cast<std::int32_t>(votes >> (lane & ~(kWarpWide - 1))));
}

// What is not integer_lanes'.
template <typename Word>
LaneMask execute_rest(const Instruction& instruction, const Word* a, const Word* b, const Word* c, Word* out,
                      LaneMask mask, unsigned lanes, std::uint8_t* fcsr) {
  switch (instruction.op) {
    case Op::kFence:
    case Op::kBarrier:
    case Op::kFork:
    case Op::kJoin:
    case Op::kPush:
    case Op::kPop:
    case Op::kBssy:
    case Op::kBsync:
    case Op::kBreak:
    case Op::kYield:
    case Op::kWarpsync:
    case Op::kBmovTo: return 0;
    case Op::kBmov:
    case Op::kBmovPc: std::fill_n(out, lanes, Word{0}); return 0;
    case Op::kSfuRcp:
    case Op::kSfuRsqrt:
    case Op::kSfuSin:
    case Op::kSfuCos:
    case Op::kSfuEx2:
    case Op::kSfuLg2:
    case Op::kSfuTanh:
      for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctzll(rest);
        out[l] = single<Word>(special_function(instruction.op, unboxed(a[l])));
      }
      return 0;
    case Op::kShuffle: shuffle(a, b, out, mask, lanes); return 0;
    case Op::kBallot: ballot(a, out, mask, lanes); return 0;
    default: {
      constexpr Op kLast = sizeof(Word) == 8 ? Op::kFcvtDS : Op::kFcvtSWu;
      if (instruction.op >= Op::kFmadd && instruction.op <= kLast)
        return execute_fp(instruction, a, b, c, out, mask, lanes, fcsr);
      return mask;
    }
  }
}

template <typename Word>
LaneMask lanes_that_branch(const Instruction& instruction, const Word* a, const Word* b, unsigned lanes) {
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

template <typename Word>
Word stored_by(Op op, Word old, Word operand) {
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

}  // namespace

LaneMask execute(const Instruction& instruction, Pc pc, const std::uint32_t* a, const std::uint32_t* b,
                 const std::uint32_t* c, std::uint32_t* out, LaneMask mask, unsigned lanes, std::uint8_t* fcsr) {
  if (execute_integer(instruction, pc, a, b, out, lanes)) return 0;
  return execute_rest(instruction, a, b, c, out, mask, lanes, fcsr);
}
LaneMask execute(const Instruction& instruction, Pc pc, const std::uint64_t* a, const std::uint64_t* b,
                 const std::uint64_t* c, std::uint64_t* out, LaneMask mask, unsigned lanes, std::uint8_t* fcsr) {
  if (execute_integer(instruction, pc, a, b, out, lanes) || execute_wide(instruction, a, b, out, lanes)) return 0;
  return execute_rest(instruction, a, b, c, out, mask, lanes, fcsr);
}

LaneMask branch_taken(const Instruction& instruction, const std::uint32_t* a, const std::uint32_t* b, unsigned lanes) {
  return lanes_that_branch(instruction, a, b, lanes);
}
LaneMask branch_taken(const Instruction& instruction, const std::uint64_t* a, const std::uint64_t* b, unsigned lanes) {
  return lanes_that_branch(instruction, a, b, lanes);
}

std::uint32_t amo_result(Op op, std::uint32_t old, std::uint32_t operand) { return stored_by(op, old, operand); }
std::uint64_t amo_result(Op op, std::uint64_t old, std::uint64_t operand) {
  return stored_by(narrow(op), old, operand);
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
