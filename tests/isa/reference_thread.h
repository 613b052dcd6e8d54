// SPDX-License-Identifier: Apache-2.0
// One instruction on the scalar reference, for comparison with the lane-parallel semantics; and operands that hit
// corners.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "heddle/config.h"
#include "isa/csr.h"
#include "isa/instruction.h"
#include "isa/launch.h"
#include "isa/program.h"
#include "memory/address_space.h"
#include "oracle/thread_oracle.h"

namespace heddle::test {

constexpr Pc kTextBegin = 0x00010000;
constexpr RegId kRs1 = 5, kRs2 = 6, kRs3 = 7, kRd = 10, kFcsrSource = 28;

inline Config small_config() {
  Config config;
  config.core.warps = 4;
  config.core.max_blocks = 4;
  config.memory.heap_bytes = 1u << 20;
  return config;
}

// An instruction of `op` on the registers above. Memory operations other than atomics use `imm` as offset.
inline Instruction make(Op op, std::int32_t imm = 0, std::uint8_t rm = 0) {
  Instruction instruction;
  instruction.op = op;
  instruction.rd = kRd;
  instruction.rs1 = kRs1;
  instruction.rs2 = kRs2;
  instruction.rs3 = narrow(op) == Op::kAmocas ? kRd : kRs3;
  instruction.imm = imm;
  instruction.rm = rm;
  return instruction;
}

template <typename Word>
struct BasicOutcome {
  Step step;
  Word rd;
  Pc next_pc;
  std::uint8_t fcsr;
};

// Runs single instructions, each on a fresh thread of an address space that lives on.
template <typename Word>
class BasicReference {
 public:
  explicit BasicReference(const Config& config = small_config()) : config_(config), memory_(config) {
    program_.xlen = sizeof(Word) == 8 ? Xlen::k64 : Xlen::k32;
    memory_.load(program_);
    memory_.begin_block(0, 4096);
    for (unsigned warp = 0; warp < config.core.warps; ++warp) memory_.begin_warp(warp);
    launch_.program = &program_;
    launch_.entry = kTextBegin;
  }

  BasicOutcome<Word> run(const Instruction& instruction, Word a, Word b, Word c, std::uint8_t fcsr = 0,
                         const Accessor& who = {}) {
    Instruction set_fcsr;
    set_fcsr.op = Op::kCsrrw;
    set_fcsr.rs1 = kFcsrSource;
    set_fcsr.imm = kCsrFcsr;
    BasicThreadOracle<Word> thread;
    thread.start(launch_, {}, 0, 0, config_.core.lanes, who, registers_, 1);
    thread.set_reg(kRs1, a);
    thread.set_reg(kRs2, b);
    thread.set_reg(instruction.rs3 == kRd ? kRd : kRs3, c);
    thread.set_reg(kFcsrSource, fcsr);
    (void)thread.step(set_fcsr, memory_);
    const Step step = thread.step(instruction, memory_);
    return {step, thread.reg(kRd), thread.pc(), thread.fcsr()};
  }

  AddressSpace& memory() { return memory_; }

 private:
  Config config_;
  AddressSpace memory_;
  Program program_;
  Launch launch_;
  Word registers_[kNumRegs];
};

using Reference = BasicReference<std::uint32_t>;
using WideReference = BasicReference<std::uint64_t>;

// Integers: small, extreme, or anything.
inline std::uint32_t corner_integer(std::mt19937& random) {
  static const std::uint32_t corners[] = {
      0, 1, 2, 3, 31, 32, 33, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFF, 0x8000, 0x10000};
  return random() % 2 == 0 ? corners[random() % (sizeof corners / sizeof *corners)]
                           : static_cast<std::uint32_t>(random());
}

// Singles: zeros, subnormals, powers of two, ties, limits of integers, infinities, NaNs, close pairs, or any bits.
inline std::uint32_t corner_single(std::mt19937& random) {
  static const std::uint32_t corners[] = {
      0x00000000, 0x00000001, 0x00000002, 0x007FFFFF, 0x00800000, 0x00800001, 0x00FFFFFF, 0x01000000,
      0x33800000, 0x34000000, 0x3EFFFFFF, 0x3F000000, 0x3F000001, 0x3F7FFFFF, 0x3F800000, 0x3F800001,
      0x3FC00000, 0x40200000, 0x40490FDB, 0x4B000000, 0x4B000001, 0x4B7FFFFF, 0x4B800000, 0x4EFFFFFF,
      0x4F000000, 0x4F000001, 0x4F7FFFFF, 0x4F800000, 0x5F000000, 0x7F000000, 0x7F7FFFFE, 0x7F7FFFFF,
      0x7F800000, 0x7F800001, 0x7FBFFFFF, 0x7FC00000, 0x7FFFFFFF};
  const std::uint32_t sign = random() % 2 == 0 ? 0 : 0x80000000u;
  switch (random() % 4) {
    case 0: return sign | corners[random() % (sizeof corners / sizeof *corners)];
    case 1: return sign | (0x3F800000u + (static_cast<std::uint32_t>(random()) & 0x03FFFFFFu) - 0x02000000u);  // near 1
    case 2:
      return sign |
             (0x3E800000u + ((static_cast<std::uint32_t>(random()) % 16) << 22));  // few bits: exact results, ties
    default: return static_cast<std::uint32_t>(random());
  }
}

inline bool is_float_op(Op op) { return op >= Op::kFmadd && op <= Op::kFmvWX; }

}  // namespace heddle::test
