// SPDX-License-Identifier: Apache-2.0
// Decoder of RV32IMAF and RV64IMAFD with Zicsr, Zba, Zbb, Zbs, Zicond, amocas and Heddle's custom instructions. Strict:
// a reserved encoding is illegal.
#include "isa/instruction.h"

namespace heddle {
namespace {

constexpr RegId kFloat = 32;  // f0 in the common register name space

// Major opcodes, bits 6..0.
enum Opcode : std::uint32_t {
  kLoad = 0x03,
  kLoadFp = 0x07,
  kCustom0 = 0x0B,
  kMiscMem = 0x0F,
  kOpImm = 0x13,
  kAuipcOp = 0x17,
  kOpImmWord = 0x1B,
  kStore = 0x23,
  kStoreFp = 0x27,
  kCustom1 = 0x2B,
  kAmo = 0x2F,
  kOpReg = 0x33,
  kLuiOp = 0x37,
  kOpRegWord = 0x3B,
  kMadd = 0x43,
  kMsub = 0x47,
  kNmsub = 0x4B,
  kNmadd = 0x4F,
  kOpFp = 0x53,
  kBranch = 0x63,
  kJalrOp = 0x67,
  kJalOp = 0x6F,
  kSystem = 0x73,
};

constexpr std::uint32_t bits(std::uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & ((1u << (high - low + 1)) - 1);
}

constexpr std::int32_t imm_i(std::uint32_t w) { return static_cast<std::int32_t>(w) >> 20; }
constexpr std::int32_t imm_s(std::uint32_t w) {
  return (static_cast<std::int32_t>(w) >> 25) * 32 + static_cast<std::int32_t>(bits(w, 11, 7));
}
constexpr std::int32_t imm_b(std::uint32_t w) {
  return (static_cast<std::int32_t>(w) >> 31) * 4096 +
         static_cast<std::int32_t>(bits(w, 7, 7) << 11 | bits(w, 30, 25) << 5 | bits(w, 11, 8) << 1);
}
constexpr std::int32_t imm_u(std::uint32_t w) { return static_cast<std::int32_t>(w & 0xFFFFF000u); }
constexpr std::int32_t imm_j(std::uint32_t w) {
  return (static_cast<std::int32_t>(w) >> 31) * (1 << 20) +
         static_cast<std::int32_t>(bits(w, 19, 12) << 12 | bits(w, 20, 20) << 11 | bits(w, 30, 21) << 1);
}

constexpr bool rounding_mode_legal(std::uint32_t rm) { return rm != 5 && rm != 6; }

// Fields of the encoding by name, and the setters that fill an Instruction from them.
class Decoder {
 public:
  Decoder(std::uint32_t word, Xlen xlen) : wide_(xlen == Xlen::k64) { i_.word = word; }

  [[nodiscard]] Instruction run() {
    switch (bits(i_.word, 6, 0)) {
      case kLuiOp: return upper(Op::kLui);
      case kAuipcOp: return upper(Op::kAuipc);
      case kJalOp: return jump();
      case kJalrOp: return jump_register();
      case kBranch: return branch();
      case kLoad: return load();
      case kStore: return store();
      case kLoadFp: return load_float();
      case kStoreFp: return store_float();
      case kOpImm: return op_immediate();
      case kOpReg: return op_register();
      case kOpImmWord: return wide_ ? word_immediate() : illegal();
      case kOpRegWord: return wide_ ? word_register() : illegal();
      case kMiscMem: return funct3() == 0 ? set(Op::kFence, Unit::kAlu) : illegal();
      case kSystem: return system();
      case kAmo: return atomic();
      case kMadd: return fused(Op::kFmadd);
      case kMsub: return fused(Op::kFmsub);
      case kNmsub: return fused(Op::kFnmsub);
      case kNmadd: return fused(Op::kFnmadd);
      case kOpFp: return op_float();
      case kCustom0: return custom0();
      case kCustom1: return custom1();
      default: return illegal();
    }
  }

 private:
  [[nodiscard]] std::uint32_t funct3() const { return bits(i_.word, 14, 12); }
  [[nodiscard]] std::uint32_t funct7() const { return bits(i_.word, 31, 25); }
  [[nodiscard]] RegId rd() const { return static_cast<RegId>(bits(i_.word, 11, 7)); }
  [[nodiscard]] RegId rs1() const { return static_cast<RegId>(bits(i_.word, 19, 15)); }
  [[nodiscard]] RegId rs2() const { return static_cast<RegId>(bits(i_.word, 24, 20)); }
  [[nodiscard]] RegId rs3() const { return static_cast<RegId>(bits(i_.word, 31, 27)); }

  [[nodiscard]] Instruction illegal() const {
    Instruction none;
    none.word = i_.word;
    return none;
  }

  Instruction set(Op op, Unit unit, unsigned rd = 0, unsigned rs1 = 0, unsigned rs2 = 0, unsigned rs3 = 0) {
    i_.op = op;
    i_.unit = unit;
    i_.rd = static_cast<RegId>(rd);
    i_.rs1 = static_cast<RegId>(rs1);
    i_.rs2 = static_cast<RegId>(rs2);
    i_.rs3 = static_cast<RegId>(rs3);
    return i_;
  }

  Instruction upper(Op op) {
    i_.imm = imm_u(i_.word);
    return set(op, Unit::kAlu, rd());
  }

  Instruction jump() {
    i_.imm = imm_j(i_.word);
    i_.control = true;
    return set(Op::kJal, Unit::kAlu, rd());
  }

  Instruction jump_register() {
    if (funct3() != 0) return illegal();
    i_.imm = imm_i(i_.word);
    i_.control = true;
    return set(Op::kJalr, Unit::kAlu, rd(), rs1());
  }

  Instruction branch() {
    static constexpr Op kOps[8] = {Op::kBeq, Op::kBne, Op::kIllegal, Op::kIllegal,
                                   Op::kBlt, Op::kBge, Op::kBltu,    Op::kBgeu};
    const Op op = kOps[funct3()];
    if (op == Op::kIllegal) return illegal();
    i_.imm = imm_b(i_.word);
    i_.control = true;
    return set(op, Unit::kAlu, 0, rs1(), rs2());
  }

  Instruction load() {
    static constexpr Op kOps[8] = {Op::kLb, Op::kLh, Op::kLw, Op::kLd, Op::kLbu, Op::kLhu, Op::kLwu, Op::kIllegal};
    const Op op = kOps[funct3()];
    if (op == Op::kIllegal || (!wide_ && (op == Op::kLd || op == Op::kLwu))) return illegal();
    i_.imm = imm_i(i_.word);
    return set(op, Unit::kLsu, rd(), rs1());
  }

  Instruction store() {
    static constexpr Op kOps[4] = {Op::kSb, Op::kSh, Op::kSw, Op::kSd};
    if (funct3() > (wide_ ? 3u : 2u)) return illegal();
    i_.imm = imm_s(i_.word);
    return set(kOps[funct3()], Unit::kLsu, 0, rs1(), rs2());
  }

  [[nodiscard]] bool word_or_doubleword() const { return funct3() == 2 || (wide_ && funct3() == 3); }

  Instruction load_float() {
    if (!word_or_doubleword()) return illegal();
    i_.imm = imm_i(i_.word);
    return set(funct3() == 2 ? Op::kFlw : Op::kFld, Unit::kLsu, kFloat + rd(), rs1());
  }

  Instruction store_float() {
    if (!word_or_doubleword()) return illegal();
    i_.imm = imm_s(i_.word);
    return set(funct3() == 2 ? Op::kFsw : Op::kFsd, Unit::kLsu, 0, rs1(), kFloat + rs2());
  }

  Instruction op_immediate() {
    static constexpr Op kOps[8] = {Op::kAddi, Op::kIllegal, Op::kSlti, Op::kSltiu,
                                   Op::kXori, Op::kIllegal, Op::kOri,  Op::kAndi};
    if (funct3() == 1) return shift_immediate(left_shift());
    if (funct3() == 5) return shift_immediate(right_shift());
    i_.imm = imm_i(i_.word);
    return set(kOps[funct3()], Unit::kAlu, rd(), rs1());
  }

  Instruction shift_immediate(Op op) {
    if (op == Op::kIllegal) return illegal();
    i_.imm = static_cast<std::int32_t>(amount());  // of the shift, the number of the bit, or part of the encoding
    return set(op, Unit::kAlu, rd(), rs1());
  }

  // RV64 has a bit more for the amount, the lowest one of funct7.
  [[nodiscard]] std::uint32_t amount() const { return bits(i_.word, wide_ ? 25 : 24, 20); }
  [[nodiscard]] std::uint32_t shift_funct7() const { return wide_ ? funct7() & ~1u : funct7(); }

  [[nodiscard]] Op left_shift() const {
    switch (shift_funct7()) {
      case 0x00: return Op::kSlli;
      case 0x14: return Op::kBseti;
      case 0x24: return Op::kBclri;
      case 0x34: return Op::kBinvi;
      case 0x30: {
        static constexpr Op kOps[8] = {Op::kClz,   Op::kCtz,   Op::kCpop,    Op::kIllegal,
                                       Op::kSextB, Op::kSextH, Op::kIllegal, Op::kIllegal};
        return amount() < 8 ? kOps[amount()] : Op::kIllegal;
      }
      default: return Op::kIllegal;
    }
  }

  [[nodiscard]] Op right_shift() const {
    switch (shift_funct7()) {
      case 0x00: return Op::kSrli;
      case 0x20: return Op::kSrai;
      case 0x24: return Op::kBexti;
      case 0x30: return Op::kRori;
      case 0x14: return amount() == 0x07 ? Op::kOrcB : Op::kIllegal;
      case 0x34: return amount() == (wide_ ? 0x38u : 0x18u) ? Op::kRev8 : Op::kIllegal;
      default: return Op::kIllegal;
    }
  }

  Instruction op_register() {
    static constexpr Op kBase[8] = {Op::kAdd, Op::kSll, Op::kSlt, Op::kSltu, Op::kXor, Op::kSrl, Op::kOr, Op::kAnd};
    static constexpr Op kMulDiv[8] = {Op::kMul, Op::kMulh, Op::kMulhsu, Op::kMulhu,
                                      Op::kDiv, Op::kDivu, Op::kRem,    Op::kRemu};
    // Zba, Zbb, Zbs, Zicond, and what of I has a bit set in funct7.
    static constexpr Op kShiftedAdd[8] = {Op::kIllegal, Op::kIllegal, Op::kSh1add, Op::kIllegal,
                                          Op::kSh2add,  Op::kIllegal, Op::kSh3add, Op::kIllegal};
    static constexpr Op kInverted[8] = {Op::kSub,  Op::kIllegal, Op::kIllegal, Op::kIllegal,
                                        Op::kXnor, Op::kSra,     Op::kOrn,     Op::kAndn};
    static constexpr Op kMinMax[8] = {Op::kIllegal, Op::kIllegal, Op::kIllegal, Op::kIllegal,
                                      Op::kMin,     Op::kMinu,    Op::kMax,     Op::kMaxu};
    switch (funct7()) {
      case 0x00: return set(kBase[funct3()], Unit::kAlu, rd(), rs1(), rs2());
      case 0x01: return set(kMulDiv[funct3()], Unit::kMulDiv, rd(), rs1(), rs2());
      case 0x04: return rs2() == 0 && !wide_ ? two_sources(funct3() == 4 ? Op::kZextH : Op::kIllegal) : illegal();
      case 0x05: return two_sources(kMinMax[funct3()]);
      case 0x07: return two_sources(funct3() == 5 ? Op::kCzeroEqz : funct3() == 7 ? Op::kCzeroNez : Op::kIllegal);
      case 0x10: return two_sources(kShiftedAdd[funct3()]);
      case 0x14: return two_sources(funct3() == 1 ? Op::kBset : Op::kIllegal);
      case 0x20: return two_sources(kInverted[funct3()]);
      case 0x24: return two_sources(funct3() == 1 ? Op::kBclr : funct3() == 5 ? Op::kBext : Op::kIllegal);
      case 0x30: return two_sources(funct3() == 1 ? Op::kRol : funct3() == 5 ? Op::kRor : Op::kIllegal);
      case 0x34: return two_sources(funct3() == 1 ? Op::kBinv : Op::kIllegal);
      default: return illegal();
    }
  }

  Instruction word_immediate() {
    if (funct3() == 0) {
      i_.imm = imm_i(i_.word);
      return set(Op::kAddiw, Unit::kAlu, rd(), rs1());
    }
    if (funct3() == 1 && shift_funct7() == 0x04) return shift_immediate(Op::kSlliUw);
    const Op op = funct3() == 1 ? left_word_shift() : funct3() == 5 ? right_word_shift() : Op::kIllegal;
    if (op == Op::kIllegal) return illegal();
    i_.imm = rs2();
    return set(op, Unit::kAlu, rd(), rs1());
  }

  [[nodiscard]] Op left_word_shift() const {
    static constexpr Op kOps[3] = {Op::kClzw, Op::kCtzw, Op::kCpopw};
    if (funct7() == 0x30 && rs2() < 3) return kOps[rs2()];
    return funct7() == 0 ? Op::kSlliw : Op::kIllegal;
  }

  [[nodiscard]] Op right_word_shift() const {
    switch (funct7()) {
      case 0x00: return Op::kSrliw;
      case 0x20: return Op::kSraiw;
      case 0x30: return Op::kRoriw;
      default: return Op::kIllegal;
    }
  }

  Instruction word_register() {
    static constexpr Op kMulDiv[8] = {Op::kMulw, Op::kIllegal, Op::kIllegal, Op::kIllegal,
                                      Op::kDivw, Op::kDivuw,   Op::kRemw,    Op::kRemuw};
    static constexpr Op kShiftedAdd[8] = {Op::kIllegal,  Op::kIllegal, Op::kSh1addUw, Op::kIllegal,
                                          Op::kSh2addUw, Op::kIllegal, Op::kSh3addUw, Op::kIllegal};
    const std::uint32_t f3 = funct3();
    switch (funct7()) {
      case 0x00: return two_sources(f3 == 0 ? Op::kAddw : f3 == 1 ? Op::kSllw : f3 == 5 ? Op::kSrlw : Op::kIllegal);
      case 0x01: return kMulDiv[f3] == Op::kIllegal ? illegal() : set(kMulDiv[f3], Unit::kMulDiv, rd(), rs1(), rs2());
      case 0x04:
        if (f3 == 0) return two_sources(Op::kAddUw);
        return f3 == 4 && rs2() == 0 ? two_sources(Op::kZextH) : illegal();
      case 0x10: return two_sources(kShiftedAdd[f3]);
      case 0x20: return two_sources(f3 == 0 ? Op::kSubw : f3 == 5 ? Op::kSraw : Op::kIllegal);
      case 0x30: return two_sources(f3 == 1 ? Op::kRolw : f3 == 5 ? Op::kRorw : Op::kIllegal);
      default: return illegal();
    }
  }

  Instruction two_sources(Op op) { return op == Op::kIllegal ? illegal() : set(op, Unit::kAlu, rd(), rs1(), rs2()); }

  Instruction system() {
    if (i_.word == 0x00000073) {
      i_.control = true;
      return set(Op::kEcall, Unit::kAlu, kA0, kA7, kA1, kA2);
    }
    if (i_.word == 0x00100073) return set(Op::kEbreak, Unit::kAlu);
    static constexpr Op kOps[8] = {Op::kIllegal, Op::kCsrrw,  Op::kCsrrs,  Op::kCsrrc,
                                   Op::kIllegal, Op::kCsrrwi, Op::kCsrrsi, Op::kCsrrci};
    const Op op = kOps[funct3()];
    if (op == Op::kIllegal) return illegal();
    i_.imm = static_cast<std::int32_t>(bits(i_.word, 31, 20));
    if (funct3() >= 5) {
      i_.zimm = rs1();
      return set(op, Unit::kAlu, rd());
    }
    return set(op, Unit::kAlu, rd(), rs1());
  }

  Instruction atomic() {
    if (!word_or_doubleword()) return illegal();
    i_.rm = static_cast<std::uint8_t>(bits(i_.word, 26, 25));  // aq, rl
    switch (bits(i_.word, 31, 27)) {
      case 0x02: return rs2() == 0 ? set(sized(Op::kLr, Op::kLrD), Unit::kLsu, rd(), rs1()) : illegal();
      case 0x03: return read_modify_write(Op::kSc, Op::kScD);
      case 0x01: return read_modify_write(Op::kAmoswap, Op::kAmoswapD);
      case 0x00: return read_modify_write(Op::kAmoadd, Op::kAmoaddD);
      case 0x04: return read_modify_write(Op::kAmoxor, Op::kAmoxorD);
      case 0x0C: return read_modify_write(Op::kAmoand, Op::kAmoandD);
      case 0x08: return read_modify_write(Op::kAmoor, Op::kAmoorD);
      case 0x10: return read_modify_write(Op::kAmomin, Op::kAmominD);
      case 0x14: return read_modify_write(Op::kAmomax, Op::kAmomaxD);
      case 0x18: return read_modify_write(Op::kAmominu, Op::kAmominuD);
      case 0x1C: return read_modify_write(Op::kAmomaxu, Op::kAmomaxuD);
      case 0x05: return set(sized(Op::kAmocas, Op::kAmocasD), Unit::kLsu, rd(), rs1(), rs2(), rd());
      default: return illegal();
    }
  }

  [[nodiscard]] Op sized(Op word, Op doubleword) const { return funct3() == 2 ? word : doubleword; }
  Instruction read_modify_write(Op word, Op doubleword) {
    return set(sized(word, doubleword), Unit::kLsu, rd(), rs1(), rs2());
  }

  // Bits 26 and 25 of floating-point operations: 0 single, 1 double.
  [[nodiscard]] std::uint32_t format() const { return bits(i_.word, 26, 25); }
  // The operation of F in the format that the word names.
  [[nodiscard]] Op formatted(Op op) const {
    return format() == 0
               ? op
               : static_cast<Op>(static_cast<int>(op) - static_cast<int>(Op::kFlw) + static_cast<int>(Op::kFld));
  }

  Instruction fused(Op op) {
    if (format() > (wide_ ? 1u : 0u) || !take_rounding_mode()) return illegal();
    return set(formatted(op), Unit::kFp, kFloat + rd(), kFloat + rs1(), kFloat + rs2(), kFloat + rs3());
  }

  Instruction op_float() {
    const std::uint32_t f3 = funct3();
    if (format() > (wide_ ? 1u : 0u)) return illegal();
    switch (bits(i_.word, 31, 27)) {
      case 0x00: return rounded(Op::kFadd);
      case 0x01: return rounded(Op::kFsub);
      case 0x02: return rounded(Op::kFmul);
      case 0x03: return rounded(Op::kFdiv);
      case 0x0B: return rs2() == 0 ? convert(formatted(Op::kFsqrt), kFloat + rd(), kFloat + rs1()) : illegal();
      case 0x04: {
        static constexpr Op kOps[3] = {Op::kFsgnj, Op::kFsgnjn, Op::kFsgnjx};
        return f3 <= 2 ? float_pair(kOps[f3], kFloat + rd()) : illegal();
      }
      case 0x05: return f3 <= 1 ? float_pair(f3 == 0 ? Op::kFmin : Op::kFmax, kFloat + rd()) : illegal();
      case 0x08:  // between the formats: rs2 names that of the source, which is the other one
        if (!wide_ || rs2() > 1 || rs2() == format()) return illegal();
        return convert(format() == 0 ? Op::kFcvtSD : Op::kFcvtDS, kFloat + rd(), kFloat + rs1());
      case 0x14: {
        static constexpr Op kOps[3] = {Op::kFle, Op::kFlt, Op::kFeq};
        return f3 <= 2 ? float_pair(kOps[f3], rd()) : illegal();
      }
      case 0x18: {
        static constexpr Op kOps[4] = {Op::kFcvtWS, Op::kFcvtWuS, Op::kFcvtLS, Op::kFcvtLuS};
        return integer_type() ? convert(formatted(kOps[rs2()]), rd(), kFloat + rs1()) : illegal();
      }
      case 0x1A: {
        static constexpr Op kOps[4] = {Op::kFcvtSW, Op::kFcvtSWu, Op::kFcvtSL, Op::kFcvtSLu};
        return integer_type() ? convert(formatted(kOps[rs2()]), kFloat + rd(), rs1()) : illegal();
      }
      case 0x1C:
        if (rs2() != 0 || f3 > 1) return illegal();
        return set(formatted(f3 == 0 ? Op::kFmvXW : Op::kFclass), Unit::kFp, rd(), kFloat + rs1());
      case 0x1E:
        if (rs2() != 0 || f3 != 0) return illegal();
        return set(formatted(Op::kFmvWX), Unit::kFp, kFloat + rd(), rs1());
      default: return illegal();
    }
  }

  [[nodiscard]] bool integer_type() const { return rs2() <= (wide_ ? 3u : 1u); }

  Instruction convert(Op op, unsigned destination, unsigned source) {
    return take_rounding_mode() ? set(op, Unit::kFp, destination, source) : illegal();
  }

  bool take_rounding_mode() {
    i_.rm = static_cast<std::uint8_t>(funct3());
    return rounding_mode_legal(i_.rm);
  }

  Instruction rounded(Op op) { return take_rounding_mode() ? float_pair(op, kFloat + rd()) : illegal(); }

  Instruction float_pair(Op op, unsigned destination) {
    return set(formatted(op), Unit::kFp, destination, kFloat + rs1(), kFloat + rs2());
  }

  // Barrier, join and pop have no operands; fork, push and bssy name a label, in the branch format.
  Instruction custom0() {
    constexpr std::uint32_t kNoOperands = 0x0000707F;
    constexpr std::uint32_t kLabelOnly = 0xFE007FFF;
    static constexpr Op kOps[8] = {Op::kBarrier, Op::kFork, Op::kJoin,    Op::kPush,
                                   Op::kPop,     Op::kBssy, Op::kIllegal, Op::kIllegal};
    if (funct3() == 6) return convergence_barrier();
    const Op op = kOps[funct3()];
    if (op == Op::kIllegal) return illegal();
    if (op == Op::kBssy) {
      if (rs2() != 0) return illegal();
      i_.imm = imm_b(i_.word);
      i_.zimm = rs1();
      return set(op, Unit::kAlu);
    }
    const bool label = op == Op::kFork || op == Op::kPush;
    if ((i_.word & ~(label ? kLabelOnly : kNoOperands)) != 0) return illegal();
    if (label) i_.imm = imm_b(i_.word);
    i_.barrier = op == Op::kBarrier;
    return set(op, Unit::kAlu);
  }

  // A number of a barrier stands in the field of a register.
  Instruction convergence_barrier() {
    const auto fields_are_zero = [this](bool d, bool first, bool second) {
      return (!d || rd() == 0) && (!first || rs1() == 0) && (!second || rs2() == 0);
    };
    switch (funct7()) {
      case 0:
      case 1:
        if (!fields_are_zero(true, false, true)) return illegal();
        i_.zimm = rs1();
        return set(funct7() == 0 ? Op::kBsync : Op::kBreak, Unit::kAlu);
      case 2: return fields_are_zero(true, true, true) ? set(Op::kYield, Unit::kAlu) : illegal();
      case 3: return fields_are_zero(true, false, true) ? set(Op::kWarpsync, Unit::kAlu, 0, rs1()) : illegal();
      case 4:
      case 5:
        if (!fields_are_zero(false, false, true)) return illegal();
        i_.zimm = rs1();
        return set(funct7() == 4 ? Op::kBmov : Op::kBmovPc, Unit::kAlu, rd());
      case 6: i_.zimm = rd(); return set(Op::kBmovTo, Unit::kAlu, 0, rs1(), rs2());
      default: return illegal();
    }
  }

  Instruction custom1() {
    static constexpr Op kOps[7] = {Op::kSfuRcp, Op::kSfuRsqrt, Op::kSfuSin, Op::kSfuCos,
                                   Op::kSfuEx2, Op::kSfuLg2,   Op::kSfuTanh};
    if (funct3() == 1 && funct7() == 0) return set(Op::kShuffle, Unit::kSfu, rd(), rs1(), rs2());
    if (funct3() == 1 && funct7() == 1 && rs2() == 0) return set(Op::kBallot, Unit::kAlu, rd(), rs1());
    if (funct3() != 0 || rs2() != 0 || funct7() > 6) return illegal();
    return set(kOps[funct7()], Unit::kSfu, kFloat + rd(), kFloat + rs1());
  }

  bool wide_;
  Instruction i_;
};

}  // namespace

Instruction decode(std::uint32_t word, Xlen xlen) { return Decoder(word, xlen).run(); }

}  // namespace heddle
