// SPDX-License-Identifier: Apache-2.0
// Inline part of ThreadOracle: what an instruction does. With a constant operation the compiler keeps that operation
// only, so that a loop over the threads of a warp decides what to do once.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstring>

#include "isa/execute.h"
#include "oracle/thread_oracle.h"

namespace heddle {

// Bit manipulation, said bit by bit.
using Bits32 = std::bitset<32>;

inline bool bit(std::uint32_t value, std::uint32_t number) { return Bits32(value)[number % 32]; }
inline std::uint32_t with_bit(std::uint32_t value, std::uint32_t number, bool to) {
  return static_cast<std::uint32_t>(Bits32(value).set(number % 32, to).to_ulong());
}
inline std::uint32_t ones(std::uint32_t value) { return static_cast<std::uint32_t>(Bits32(value).count()); }
inline std::uint32_t leading_zeros(std::uint32_t value) {
  std::uint32_t n = 0;
  while (n < 32 && !bit(value, 31 - n)) ++n;
  return n;
}
inline std::uint32_t trailing_zeros(std::uint32_t value) {
  std::uint32_t n = 0;
  while (n < 32 && !bit(value, n)) ++n;
  return n;
}
// The value beside itself: 32 bits of it from any place on are a rotation.
inline std::uint64_t twice(std::uint32_t value) { return std::uint64_t{value} << 32 | value; }
// The word whose byte n is what `byte` makes of byte n of the value.
template <typename Byte>
inline std::uint32_t bytes_of(std::uint32_t value, const Byte& byte) {
  std::uint32_t result = 0;
  for (unsigned n = 0; n < 4; ++n) result |= byte(value >> (8 * n) & 0xFF, n) << (8 * n);
  return result;
}

inline Step ThreadOracle::write_back(RegId rd, std::uint32_t value) {
  pc_ += 4;
  Step step;
  if (rd != 0) {
    r(rd) = value;
    step.rd = rd;
  }
  return step;
}

inline Step ThreadOracle::jump(Pc target, RegId rd) {
  if ((target & 3u) != 0) return Step::stopped(StepEvent::kMisaligned);
  if (target == 0) return Step::stopped(StepEvent::kNullJump);
  const Pc link = pc_ + 4;
  Step step = write_back(rd, link);
  pc_ = target;
  return step;
}

inline Step ThreadOracle::branch(bool taken, std::int32_t offset) {
  const Pc next = pc_ + (taken ? static_cast<std::uint32_t>(offset) : 4u);
  if ((next & 3u) != 0) return Step::stopped(StepEvent::kMisaligned);
  pc_ = next;
  return {};
}

template <typename T>
inline Step ThreadOracle::load(const Instruction& instruction, AddressSpace& memory) {
  Step step;
  step.memory = true;
  step.address = r(instruction.rs1) + static_cast<std::uint32_t>(instruction.imm);
  const std::uint8_t* host = memory.translate<false>(step.address, sizeof(T), who_);
  if (host == nullptr) {
    step.event = StepEvent::kFault;
    step.fault = memory.diagnose(step.address, sizeof(T), false, who_);
    return step;
  }
  T value;
  std::memcpy(&value, host, sizeof value);
  step.rd = write_back(instruction.rd, static_cast<std::uint32_t>(static_cast<std::int32_t>(value))).rd;
  return step;
}

inline Step ThreadOracle::store(const Instruction& instruction, AddressSpace& memory, unsigned bytes) {
  Step step;
  step.memory = true;
  step.address = r(instruction.rs1) + static_cast<std::uint32_t>(instruction.imm);
  std::uint8_t* host = memory.translate<true>(step.address, bytes, who_);
  if (host == nullptr) {
    step.event = StepEvent::kFault;
    step.fault = memory.diagnose(step.address, bytes, true, who_);
    return step;
  }
  const std::uint32_t value = r(instruction.rs2);
  for (unsigned i = 0; i < bytes; ++i) host[i] = static_cast<std::uint8_t>(value >> (8 * i));
  memory.stored(host);
  pc_ += 4;
  return step;
}

__attribute__((always_inline)) inline Step ThreadOracle::execute(Op op, const Instruction& i, AddressSpace& memory) {
  const std::uint32_t a = r(i.rs1), b = r(i.rs2);
  const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
  const auto imm = static_cast<std::uint32_t>(i.imm);
  switch (op) {
    case Op::kLui: return write_back(i.rd, imm);
    case Op::kAuipc: return write_back(i.rd, pc_ + imm);
    case Op::kJal: return jump(pc_ + imm, i.rd);
    case Op::kJalr: return jump((a + imm) & ~1u, i.rd);
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
    case Op::kLw:
    case Op::kFlw: return load<std::int32_t>(i, memory);
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
    case Op::kSlli: return write_back(i.rd, a << (imm % 32));
    case Op::kSrli: return write_back(i.rd, a >> (imm % 32));
    case Op::kSrai: return write_back(i.rd, static_cast<std::uint32_t>(std::int64_t{sa} >> (imm % 32)));
    case Op::kAdd: return write_back(i.rd, a + b);
    case Op::kSub: return write_back(i.rd, a - b);
    case Op::kSll: return write_back(i.rd, a << (b % 32));
    case Op::kSlt: return write_back(i.rd, sa < sb ? 1 : 0);
    case Op::kSltu: return write_back(i.rd, a < b ? 1 : 0);
    case Op::kXor: return write_back(i.rd, a ^ b);
    case Op::kSrl: return write_back(i.rd, a >> (b % 32));
    case Op::kSra: return write_back(i.rd, static_cast<std::uint32_t>(std::int64_t{sa} >> (b % 32)));
    case Op::kOr: return write_back(i.rd, a | b);
    case Op::kAnd: return write_back(i.rd, a & b);
    case Op::kFence:
    case Op::kFork:
    case Op::kJoin:
    case Op::kPush:
    case Op::kPop: pc_ += 4; return {};
    case Op::kBarrier: pc_ += 4; return Step::stopped(StepEvent::kBarrier);
    case Op::kEcall: return call(memory);
    case Op::kEbreak: return Step::stopped(StepEvent::kBreak);
    case Op::kCsrrw:
    case Op::kCsrrs:
    case Op::kCsrrc:
    case Op::kCsrrwi:
    case Op::kCsrrsi:
    case Op::kCsrrci: return csr_op(i);
    case Op::kMul: return write_back(i.rd, static_cast<std::uint32_t>(std::int64_t{sa} * sb));
    case Op::kMulh: return write_back(i.rd, static_cast<std::uint32_t>((std::int64_t{sa} * sb) >> 32));
    case Op::kMulhsu:
      return write_back(i.rd, static_cast<std::uint32_t>((std::int64_t{sa} * static_cast<std::int64_t>(b)) >> 32));
    case Op::kMulhu: return write_back(i.rd, static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32));
    // In 64 bits the signed overflow is an ordinary quotient, cut to 32 bits.
    case Op::kDiv: return write_back(i.rd, b == 0 ? 0xFFFFFFFFu : static_cast<std::uint32_t>(std::int64_t{sa} / sb));
    case Op::kDivu: return write_back(i.rd, b == 0 ? 0xFFFFFFFFu : a / b);
    case Op::kRem: return write_back(i.rd, b == 0 ? a : static_cast<std::uint32_t>(std::int64_t{sa} % sb));
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
    case Op::kMax: return write_back(i.rd, static_cast<std::uint32_t>(std::max(sa, sb)));
    case Op::kMaxu: return write_back(i.rd, std::max(a, b));
    case Op::kMin: return write_back(i.rd, static_cast<std::uint32_t>(std::min(sa, sb)));
    case Op::kMinu: return write_back(i.rd, std::min(a, b));
    case Op::kSextB: return write_back(i.rd, (a & 0xFF) - ((a & 0x80) << 1));
    case Op::kSextH: return write_back(i.rd, (a & 0xFFFF) - ((a & 0x8000) << 1));
    case Op::kZextH: return write_back(i.rd, a % 0x10000);
    case Op::kRol: return write_back(i.rd, static_cast<std::uint32_t>(twice(a) >> (32 - b % 32)));
    case Op::kRor: return write_back(i.rd, static_cast<std::uint32_t>(twice(a) >> (b % 32)));
    case Op::kRori: return write_back(i.rd, static_cast<std::uint32_t>(twice(a) >> (imm % 32)));
    case Op::kOrcB:
      return write_back(i.rd, bytes_of(a, [](std::uint32_t value, unsigned) { return value != 0 ? 0xFFu : 0u; }));
    case Op::kRev8:
      return write_back(i.rd, bytes_of(a, [a](std::uint32_t, unsigned n) { return a >> (24 - 8 * n) & 0xFFu; }));
    case Op::kBclr: return write_back(i.rd, with_bit(a, b, false));
    case Op::kBclri: return write_back(i.rd, with_bit(a, imm, false));
    case Op::kBext: return write_back(i.rd, bit(a, b) ? 1 : 0);
    case Op::kBexti: return write_back(i.rd, bit(a, imm) ? 1 : 0);
    case Op::kBinv: return write_back(i.rd, with_bit(a, b, !bit(a, b)));
    case Op::kBinvi: return write_back(i.rd, with_bit(a, imm, !bit(a, imm)));
    case Op::kBset: return write_back(i.rd, with_bit(a, b, true));
    case Op::kBseti: return write_back(i.rd, with_bit(a, imm, true));
    case Op::kCzeroEqz: return write_back(i.rd, b != 0 ? a : 0);
    case Op::kCzeroNez: return write_back(i.rd, b != 0 ? 0 : a);
    case Op::kFsgnj: return write_back(i.rd, (b >> 31) != 0 ? a | 0x80000000u : a & 0x7FFFFFFFu);
    case Op::kFsgnjn: return write_back(i.rd, (b >> 31) != 0 ? a & 0x7FFFFFFFu : a | 0x80000000u);
    case Op::kFsgnjx: return write_back(i.rd, (b >> 31) != 0 ? a ^ 0x80000000u : a);
    case Op::kFmvXW:
    case Op::kFmvWX: return write_back(i.rd, a);
    case Op::kSfuRcp:
    case Op::kSfuRsqrt:
    case Op::kSfuSin:
    case Op::kSfuCos:
    case Op::kSfuEx2:
    case Op::kSfuLg2:
    case Op::kSfuTanh: return write_back(i.rd, special_function(op, a));
    case Op::kShuffle:
    case Op::kBallot: return Step::stopped(StepEvent::kWarpWide);
    case Op::kIllegal: return Step::stopped(StepEvent::kIllegal);
    default: return i.is_atomic() ? atomic(i, memory) : float_op(i);
  }
}

__attribute__((always_inline)) inline Step ThreadOracle::step_as(Op op, const Instruction& instruction,
                                                                 AddressSpace& memory) {
  ++steps_;
  return execute(op, instruction, memory);
}

}  // namespace heddle
