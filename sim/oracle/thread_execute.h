// SPDX-License-Identifier: Apache-2.0
// Inline part of ThreadOracle: what an instruction does. With a constant operation the compiler keeps that operation
// only, so that a loop over the threads of a warp decides what to do once.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstring>
#include <type_traits>

#include "isa/execute.h"
#include "oracle/thread_oracle.h"

namespace heddle {

// Integers of twice a register's width.
template <typename Word>
struct Twice {
  using Unsigned = std::uint64_t;
  using Signed = std::int64_t;
};
template <>
struct Twice<std::uint64_t> {
  __extension__ using Unsigned = unsigned __int128;
  __extension__ using Signed = __int128;
};

// Bit manipulation, said bit by bit.
template <typename Word>
constexpr unsigned kBits = 8 * sizeof(Word);
template <typename Word>
using Bits = std::bitset<kBits<Word>>;

template <typename Word>
bool bit(Word value, Word number) {
  return Bits<Word>(value)[number % kBits<Word>];
}
template <typename Word>
Word with_bit(Word value, Word number, bool to) {
  return static_cast<Word>(Bits<Word>(value).set(number % kBits<Word>, to).to_ullong());
}
template <typename Word>
Word ones(Word value) {
  return static_cast<Word>(Bits<Word>(value).count());
}
template <typename Word>
Word leading_zeros(Word value) {
  Word n = 0;
  while (n < kBits<Word> && !bit<Word>(value, kBits<Word> - 1 - n)) ++n;
  return n;
}
template <typename Word>
Word trailing_zeros(Word value) {
  Word n = 0;
  while (n < kBits<Word> && !bit<Word>(value, n)) ++n;
  return n;
}
// The value beside itself: as many bits of it, from any place on, are a rotation.
template <typename Word>
typename Twice<Word>::Unsigned twice(Word value) {
  return typename Twice<Word>::Unsigned{value} << kBits<Word> | value;
}
// The word whose byte n is what `byte` makes of byte n of the value.
template <typename Word, typename Byte>
Word bytes_of(Word value, const Byte& byte) {
  Word result = 0;
  for (unsigned n = 0; n < sizeof(Word); ++n) result |= byte(value >> (8 * n) & 0xFF, n) << (8 * n);
  return result;
}

template <typename Word>
inline Step BasicThreadOracle<Word>::write_back(RegId rd, Word value) {
  pc_ += 4;
  Step step;
  if (rd != 0) {
    r(rd) = value;
    step.rd = rd;
  }
  return step;
}

template <typename Word>
inline Step BasicThreadOracle<Word>::jump(Word target, RegId rd) {
  if ((target & 3u) != 0) return Step::stopped(StepEvent::kMisaligned);
  if (target == 0) return Step::stopped(StepEvent::kNullJump);
  if (kWide && std::uint64_t{target} >> 32 != 0) return Step::stopped(StepEvent::kFarJump);
  const Pc link = pc_ + 4;
  Step step = write_back(rd, link);
  pc_ = static_cast<Pc>(target);
  return step;
}

template <typename Word>
inline Step BasicThreadOracle<Word>::branch(bool taken, std::int32_t offset) {
  const Pc next = pc_ + (taken ? static_cast<std::uint32_t>(offset) : 4u);
  if ((next & 3u) != 0) return Step::stopped(StepEvent::kMisaligned);
  pc_ = next;
  return {};
}

template <typename Word>
inline Step BasicThreadOracle<Word>::access(Word address) const {
  Step step;
  step.memory = true;
  step.address = address;
  return step;
}

template <typename Word>
template <typename T>
inline Step BasicThreadOracle<Word>::load(const Instruction& instruction, AddressSpace& memory) {
  Step step = access(r(instruction.rs1) + static_cast<Word>(instruction.imm));
  const std::uint8_t* host = memory.translate<false>(step.address, sizeof(T), who_);
  if (host == nullptr) {
    step.event = StepEvent::kFault;
    step.fault = memory.diagnose(step.address, sizeof(T), false, who_);
    return step;
  }
  T value;
  std::memcpy(&value, host, sizeof value);
  step.rd = write_back(instruction.rd, static_cast<Word>(value)).rd;
  return step;
}

template <typename Word>
inline Step BasicThreadOracle<Word>::store(const Instruction& instruction, AddressSpace& memory, unsigned bytes) {
  Step step = access(r(instruction.rs1) + static_cast<Word>(instruction.imm));
  std::uint8_t* host = memory.translate<true>(step.address, bytes, who_);
  if (host == nullptr) {
    step.event = StepEvent::kFault;
    step.fault = memory.diagnose(step.address, bytes, true, who_);
    return step;
  }
  const Word value = r(instruction.rs2);
  for (unsigned i = 0; i < bytes; ++i) host[i] = static_cast<std::uint8_t>(value >> (8 * i));
  memory.stored(host);
  pc_ += 4;
  return step;
}

template <typename Word>
template <bool kWrite>
inline bool BasicThreadOracle<Word>::find_halves(Step& step, AddressSpace& memory, Halves& halves) const {
  halves.low = memory.translate<kWrite>(step.address, 8, who_);
  if (halves.low != nullptr) {
    halves.high = memory.upper_word(halves.low, step.address);
    return true;
  }
  step.event = StepEvent::kFault;
  step.fault = memory.diagnose(step.address, 8, kWrite, who_);
  return false;
}

inline std::uint64_t joined(const std::uint8_t* low, const std::uint8_t* high) {
  std::uint32_t words[2];
  std::memcpy(&words[0], low, 4);
  std::memcpy(&words[1], high, 4);
  return std::uint64_t{words[1]} << 32 | words[0];
}
inline void part(std::uint64_t value, std::uint8_t* low, std::uint8_t* high, AddressSpace& memory) {
  const std::uint32_t words[2] = {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
  std::memcpy(low, &words[0], 4);
  std::memcpy(high, &words[1], 4);
  memory.stored(low);
  memory.stored(high);
}

template <typename Word>
inline Step BasicThreadOracle<Word>::load_doubleword(const Instruction& instruction, AddressSpace& memory) {
  Step step = access(r(instruction.rs1) + static_cast<Word>(instruction.imm));
  Halves halves;
  if (!find_halves<false>(step, memory, halves)) return step;
  step.rd = write_back(instruction.rd, static_cast<Word>(joined(halves.low, halves.high))).rd;
  return step;
}

template <typename Word>
inline Step BasicThreadOracle<Word>::store_doubleword(const Instruction& instruction, AddressSpace& memory) {
  Step step = access(r(instruction.rs1) + static_cast<Word>(instruction.imm));
  Halves halves;
  if (!find_halves<true>(step, memory, halves)) return step;
  part(r(instruction.rs2), halves.low, halves.high, memory);
  pc_ += 4;
  return step;
}

template <typename Word>
__attribute__((always_inline)) inline Step BasicThreadOracle<Word>::execute(Op op, const Instruction& i,
                                                                            AddressSpace& memory) {
  using Signed = std::make_signed_t<Word>;
  using Double = typename Twice<Word>::Unsigned;
  using SignedDouble = typename Twice<Word>::Signed;
  constexpr unsigned kXlen = kBits<Word>;
  const Word a = r(i.rs1), b = r(i.rs2);
  const auto sa = static_cast<Signed>(a), sb = static_cast<Signed>(b);
  const auto imm = static_cast<Word>(i.imm);
  constexpr std::uint32_t kMinus = 0x80000000u;
  const auto minus = [](Word value) { return single(value) >= kMinus; };
  switch (op) {
    case Op::kLui: return write_back(i.rd, imm);
    case Op::kAuipc: return write_back(i.rd, pc_ + imm);
    case Op::kJal: return jump(Word{pc_} + imm, i.rd);
    case Op::kJalr: return jump((a + imm) & ~Word{1}, i.rd);
    case Op::kBeq: return branch(a == b, i.imm);
    case Op::kBne: return branch(a != b, i.imm);
    case Op::kBlt: return branch(sa < sb, i.imm);
    case Op::kBge: return branch(sa >= sb, i.imm);
    case Op::kBltu: return branch(a < b, i.imm);
    case Op::kBgeu: return branch(a >= b, i.imm);
    case Op::kLb: return load<std::int8_t>(i, memory);
    case Op::kLh: return load<std::int16_t>(i, memory);
    case Op::kLbu: return load<std::uint8_t>(i, memory);
    case Op::kLhu: return load<std::uint16_t>(i, memory);
    case Op::kLw: return load<std::int32_t>(i, memory);
    case Op::kFlw: {
      const Step step = load<std::uint32_t>(i, memory);
      if (kWide && step.event == StepEvent::kNone) r(i.rd) = box(static_cast<std::uint32_t>(r(i.rd)));
      return step;
    }
    case Op::kSb: return store(i, memory, 1);
    case Op::kSh: return store(i, memory, 2);
    case Op::kSw:
    case Op::kFsw: return store(i, memory, 4);
    case Op::kAddi: return write_back(i.rd, a + imm);
    case Op::kSlti: return write_back(i.rd, sa < i.imm ? 1 : 0);
    case Op::kSltiu: return write_back(i.rd, a < imm ? 1 : 0);
    case Op::kXori: return write_back(i.rd, a ^ imm);
    case Op::kOri: return write_back(i.rd, a | imm);
    case Op::kAndi: return write_back(i.rd, a & imm);
    case Op::kSlli: return write_back(i.rd, a << (imm % kXlen));
    case Op::kSrli: return write_back(i.rd, a >> (imm % kXlen));
    case Op::kSrai: return write_back(i.rd, static_cast<Word>(SignedDouble{sa} >> (imm % kXlen)));
    case Op::kAdd: return write_back(i.rd, a + b);
    case Op::kSub: return write_back(i.rd, a - b);
    case Op::kSll: return write_back(i.rd, a << (b % kXlen));
    case Op::kSlt: return write_back(i.rd, sa < sb ? 1 : 0);
    case Op::kSltu: return write_back(i.rd, a < b ? 1 : 0);
    case Op::kXor: return write_back(i.rd, a ^ b);
    case Op::kSrl: return write_back(i.rd, a >> (b % kXlen));
    case Op::kSra: return write_back(i.rd, static_cast<Word>(SignedDouble{sa} >> (b % kXlen)));
    case Op::kOr: return write_back(i.rd, a | b);
    case Op::kAnd: return write_back(i.rd, a & b);
    case Op::kFence:
    case Op::kFork:
    case Op::kJoin:
    case Op::kPush:
    case Op::kPop:
    case Op::kBssy:
    case Op::kBsync:
    case Op::kBreak:
    case Op::kYield:
    case Op::kWarpsync:
    case Op::kBmovTo: pc_ += 4; return {};
    case Op::kBmov:
    case Op::kBmovPc: {
      Step step = write_back(i.rd, 0);
      step.counter = true;  // of a mechanism that has such barriers, which the reference does not know
      return step;
    }
    case Op::kBarrier: pc_ += 4; return Step::stopped(StepEvent::kBarrier);
    case Op::kEcall: return call(memory);
    case Op::kEbreak: return Step::stopped(StepEvent::kBreak);
    case Op::kCsrrw:
    case Op::kCsrrs:
    case Op::kCsrrc:
    case Op::kCsrrwi:
    case Op::kCsrrsi:
    case Op::kCsrrci: return csr_op(i);
    case Op::kMul: return write_back(i.rd, static_cast<Word>(SignedDouble{sa} * sb));
    case Op::kMulh: return write_back(i.rd, static_cast<Word>((SignedDouble{sa} * sb) >> kXlen));
    case Op::kMulhsu:
      return write_back(i.rd, static_cast<Word>((SignedDouble{sa} * static_cast<SignedDouble>(b)) >> kXlen));
    case Op::kMulhu: return write_back(i.rd, static_cast<Word>((Double{a} * b) >> kXlen));
    // In twice the width the signed overflow is an ordinary quotient, cut to a register.
    case Op::kDiv: return write_back(i.rd, b == 0 ? ~Word{0} : static_cast<Word>(SignedDouble{sa} / sb));
    case Op::kDivu: return write_back(i.rd, b == 0 ? ~Word{0} : a / b);
    case Op::kRem: return write_back(i.rd, b == 0 ? a : static_cast<Word>(SignedDouble{sa} % sb));
    case Op::kRemu: return write_back(i.rd, b == 0 ? a : a % b);
    case Op::kSh1add: return write_back(i.rd, b + 2 * a);
    case Op::kSh2add: return write_back(i.rd, b + 4 * a);
    case Op::kSh3add: return write_back(i.rd, b + 8 * a);
    case Op::kAndn: return write_back(i.rd, a ^ (a & b));
    case Op::kOrn: return write_back(i.rd, ~(b & ~a));
    case Op::kXnor: return write_back(i.rd, a ^ ~b);
    case Op::kClz: return write_back(i.rd, leading_zeros(a));
    case Op::kCtz: return write_back(i.rd, trailing_zeros(a));
    case Op::kCpop: return write_back(i.rd, ones(a));
    case Op::kMax: return write_back(i.rd, static_cast<Word>(std::max(sa, sb)));
    case Op::kMaxu: return write_back(i.rd, std::max(a, b));
    case Op::kMin: return write_back(i.rd, static_cast<Word>(std::min(sa, sb)));
    case Op::kMinu: return write_back(i.rd, std::min(a, b));
    case Op::kSextB: return write_back(i.rd, (a & 0xFF) - ((a & 0x80) << 1));
    case Op::kSextH: return write_back(i.rd, (a & 0xFFFF) - ((a & 0x8000) << 1));
    case Op::kZextH: return write_back(i.rd, a % 0x10000);
    case Op::kRol: return write_back(i.rd, static_cast<Word>(twice(a) >> (kXlen - b % kXlen)));
    case Op::kRor: return write_back(i.rd, static_cast<Word>(twice(a) >> (b % kXlen)));
    case Op::kRori: return write_back(i.rd, static_cast<Word>(twice(a) >> (imm % kXlen)));
    case Op::kOrcB:
      return write_back(i.rd, bytes_of(a, [](Word value, unsigned) { return Word{value != 0 ? 0xFFu : 0u}; }));
    case Op::kRev8:
      return write_back(i.rd, bytes_of(a, [a](Word, unsigned n) { return a >> (kXlen - 8 - 8 * n) & 0xFFu; }));
    case Op::kBclr: return write_back(i.rd, with_bit<Word>(a, b, false));
    case Op::kBclri: return write_back(i.rd, with_bit<Word>(a, imm, false));
    case Op::kBext: return write_back(i.rd, bit<Word>(a, b) ? 1 : 0);
    case Op::kBexti: return write_back(i.rd, bit<Word>(a, imm) ? 1 : 0);
    case Op::kBinv: return write_back(i.rd, with_bit<Word>(a, b, !bit<Word>(a, b)));
    case Op::kBinvi: return write_back(i.rd, with_bit<Word>(a, imm, !bit<Word>(a, imm)));
    case Op::kBset: return write_back(i.rd, with_bit<Word>(a, b, true));
    case Op::kBseti: return write_back(i.rd, with_bit<Word>(a, imm, true));
    case Op::kCzeroEqz: return write_back(i.rd, b != 0 ? a : 0);
    case Op::kCzeroNez: return write_back(i.rd, b != 0 ? 0 : a);
    case Op::kFsgnj: return write_back(i.rd, box(minus(b) ? single(a) | kMinus : single(a) & ~kMinus));
    case Op::kFsgnjn: return write_back(i.rd, box(minus(b) ? single(a) & ~kMinus : single(a) | kMinus));
    case Op::kFsgnjx: return write_back(i.rd, box(minus(b) ? single(a) ^ kMinus : single(a)));
    case Op::kFmvXW: return write_back(i.rd, word(a));
    case Op::kFmvWX: return write_back(i.rd, box(static_cast<std::uint32_t>(a)));
    case Op::kSfuRcp:
    case Op::kSfuRsqrt:
    case Op::kSfuSin:
    case Op::kSfuCos:
    case Op::kSfuEx2:
    case Op::kSfuLg2:
    case Op::kSfuTanh: return write_back(i.rd, box(special_function(op, single(a))));
    case Op::kShuffle:
    case Op::kBallot: return Step::stopped(StepEvent::kWarpWide);
    case Op::kIllegal: return Step::stopped(StepEvent::kIllegal);
    // Of RV64, what nearly every program has: the others cost a second look.
    case Op::kAddiw: return write_back(i.rd, word(a + imm));
    case Op::kAddw: return write_back(i.rd, word(a + b));
    case Op::kSubw: return write_back(i.rd, word(a - b));
    case Op::kMulw: return write_back(i.rd, word(a * b));
    case Op::kSlliw: return write_back(i.rd, word(a << imm % 32));
    case Op::kSrliw: return write_back(i.rd, word((a & 0xFFFFFFFFu) >> imm % 32));
    case Op::kAddUw: return write_back(i.rd, b + (a & 0xFFFFFFFFu));
    case Op::kSh1addUw: return write_back(i.rd, b + 2 * (a & 0xFFFFFFFFu));
    case Op::kSh2addUw: return write_back(i.rd, b + 4 * (a & 0xFFFFFFFFu));
    case Op::kSh3addUw: return write_back(i.rd, b + 8 * (a & 0xFFFFFFFFu));
    case Op::kLd:
    case Op::kFld: return load_doubleword(i, memory);
    case Op::kSd:
    case Op::kFsd: return store_doubleword(i, memory);
    case Op::kFadd:
    case Op::kFsub:
    case Op::kFmul:
    case Op::kFmadd:
    case Op::kFnmsub: return float_op(i);
    case Op::kFaddD:
    case Op::kFsubD:
    case Op::kFmulD:
    case Op::kFmaddD:
    case Op::kFnmsubD: return double_op(i);
    default:
      if constexpr (kWide) return execute_wide(op, i, memory);
      return i.is_atomic() ? atomic(i, memory) : float_op(i);
  }
}

// What RV64 has and RV32 has not, and what is left of both.
template <typename Word>
inline Step BasicThreadOracle<Word>::execute_wide(Op op, const Instruction& i, AddressSpace& memory) {
  constexpr Word kMinus = Word{1} << (kBits<Word> - 1);
  const Word a = r(i.rs1), b = r(i.rs2);
  const auto low_a = static_cast<std::uint32_t>(a), low_b = static_cast<std::uint32_t>(b);
  // Words as numbers of a register's width, where no operation on two of them overflows but -2^31 / -1: cut by word().
  const Word ua = low_a, ub = low_b;
  const auto sa = static_cast<std::int64_t>(word(a)), sb = static_cast<std::int64_t>(word(b));
  const auto imm = static_cast<Word>(i.imm);
  switch (op) {
    case Op::kLwu: return load<std::uint32_t>(i, memory);
    case Op::kSraiw: return write_back(i.rd, static_cast<Word>(sa >> imm % 32));
    case Op::kSllw: return write_back(i.rd, word(ua << b % 32));
    case Op::kSrlw: return write_back(i.rd, word(ua >> b % 32));
    case Op::kSraw: return write_back(i.rd, static_cast<Word>(sa >> b % 32));
    case Op::kDivw: return write_back(i.rd, sb == 0 ? ~Word{0} : word(static_cast<Word>(sa / sb)));
    case Op::kDivuw: return write_back(i.rd, ub == 0 ? ~Word{0} : word(ua / ub));
    case Op::kRemw: return write_back(i.rd, sb == 0 ? word(a) : word(static_cast<Word>(sa % sb)));
    case Op::kRemuw: return write_back(i.rd, ub == 0 ? word(a) : word(ua % ub));
    case Op::kClzw: return write_back(i.rd, leading_zeros(low_a));
    case Op::kCtzw: return write_back(i.rd, trailing_zeros(low_a));
    case Op::kCpopw: return write_back(i.rd, ones(low_a));
    case Op::kRolw: return write_back(i.rd, word(static_cast<Word>(twice(low_a) >> (32 - b % 32))));
    case Op::kRorw: return write_back(i.rd, word(static_cast<Word>(twice(low_a) >> b % 32)));
    case Op::kRoriw: return write_back(i.rd, word(static_cast<Word>(twice(low_a) >> imm % 32)));
    case Op::kSlliUw: return write_back(i.rd, ua << imm % 64);
    case Op::kFmvXD:
    case Op::kFmvDX: return write_back(i.rd, a);
    case Op::kFsgnjD: return write_back(i.rd, b >= kMinus ? a | kMinus : a & ~kMinus);
    case Op::kFsgnjnD: return write_back(i.rd, b >= kMinus ? a & ~kMinus : a | kMinus);
    case Op::kFsgnjxD: return write_back(i.rd, b >= kMinus ? a ^ kMinus : a);
    default: break;
  }
  if (i.is_atomic()) return narrow(op) == op ? atomic(i, memory) : atomic_doubleword(i, memory);
  return op < Op::kFcvtLS ? float_op(i) : double_op(i);
}

template <typename Word>
template <Op kOp>
__attribute__((always_inline)) inline Step BasicThreadOracle<Word>::step(ConstantOp<kOp>,
                                                                         const Instruction& instruction,
                                                                         AddressSpace& memory) {
  ++steps_;
  return execute(kOp, instruction, memory);
}

// Calls f with the operation as a constant if it is a frequent one, else as it is: for a loop over threads that decides
// once what a step does.
template <typename F>
inline void with_constant(Op op, F f) {
  switch (op) {
#define HEDDLE_CASE(name) \
  case Op::name: f(ConstantOp<Op::name>()); return;
    // clang-format off
    HEDDLE_CASE(kLui) HEDDLE_CASE(kAuipc) HEDDLE_CASE(kJal) HEDDLE_CASE(kJalr) HEDDLE_CASE(kBeq) HEDDLE_CASE(kBne)
    HEDDLE_CASE(kBlt) HEDDLE_CASE(kBge) HEDDLE_CASE(kBltu) HEDDLE_CASE(kBgeu) HEDDLE_CASE(kLw) HEDDLE_CASE(kFlw)
    HEDDLE_CASE(kSw) HEDDLE_CASE(kFsw) HEDDLE_CASE(kAddi) HEDDLE_CASE(kSlti) HEDDLE_CASE(kSltiu) HEDDLE_CASE(kXori)
    HEDDLE_CASE(kOri) HEDDLE_CASE(kAndi) HEDDLE_CASE(kSlli) HEDDLE_CASE(kSrli) HEDDLE_CASE(kSrai) HEDDLE_CASE(kAdd)
    HEDDLE_CASE(kSub) HEDDLE_CASE(kSll) HEDDLE_CASE(kSlt) HEDDLE_CASE(kSltu) HEDDLE_CASE(kXor) HEDDLE_CASE(kSrl)
    HEDDLE_CASE(kSra) HEDDLE_CASE(kOr) HEDDLE_CASE(kAnd) HEDDLE_CASE(kMul) HEDDLE_CASE(kFsgnj) HEDDLE_CASE(kCsrrs)
    HEDDLE_CASE(kSh1add) HEDDLE_CASE(kSh2add) HEDDLE_CASE(kSh3add) HEDDLE_CASE(kAddUw)
    HEDDLE_CASE(kSh1addUw) HEDDLE_CASE(kSh2addUw) HEDDLE_CASE(kSh3addUw)
    HEDDLE_CASE(kLd) HEDDLE_CASE(kFld) HEDDLE_CASE(kSd) HEDDLE_CASE(kFsd) HEDDLE_CASE(kAddiw) HEDDLE_CASE(kSlliw)
    HEDDLE_CASE(kSrliw) HEDDLE_CASE(kAddw) HEDDLE_CASE(kSubw) HEDDLE_CASE(kMulw) HEDDLE_CASE(kFsgnjD)
    HEDDLE_CASE(kFadd) HEDDLE_CASE(kFsub) HEDDLE_CASE(kFmul) HEDDLE_CASE(kFmadd) HEDDLE_CASE(kFnmsub)
    HEDDLE_CASE(kFaddD) HEDDLE_CASE(kFsubD) HEDDLE_CASE(kFmulD) HEDDLE_CASE(kFmaddD) HEDDLE_CASE(kFnmsubD)
    // clang-format on
#undef HEDDLE_CASE
                                                                default : f(op);
  }
}

}  // namespace heddle
