// SPDX-License-Identifier: Apache-2.0
// One decoded RV32IMAF or RV64IMAFD instruction (with Zicsr, Zicond, Zba, Zbb, Zbs and Heddle's custom-0/custom-1), as
// every part of the simulator sees it.
#pragma once

#include <cstdint>

#include "heddle/types.h"

namespace heddle {

// Register names are 6 bits: x0..x31 are 0..31, f0..f31 are 32..63. 0 (x0) means "none": it is never tracked.
using RegId = std::uint8_t;
// Registers with a role in the ABI.
constexpr RegId kRa = 1, kSp = 2, kGp = 3, kTp = 4, kFp = 8, kA0 = 10, kA1 = 11, kA2 = 12, kA7 = 17, kFa0 = 32 + 10;

constexpr unsigned kNumRegs = 64;

// Execution unit classes; the value is the 3-bit code in the front end's instruction bundle and the bit of
// unit_ready_i.
enum class Unit : std::uint8_t { kAlu = 0, kMulDiv = 1, kFp = 2, kSfu = 3, kLsu = 4 };
constexpr unsigned kNumUnits = 5;

constexpr unsigned kWarpWide =
    32;  // lanes that a warp-wide operation spans: groups of neighbours, of which a warp has one or two

// Bits of an integer register. With 64 there is D beside F, and floating-point registers have 64 bits, too.
enum class Xlen : std::uint8_t { k32, k64 };

enum class Op : std::uint8_t {
  kIllegal,
  // RV32I
  kLui,
  kAuipc,
  kJal,
  kJalr,
  kBeq,
  kBne,
  kBlt,
  kBge,
  kBltu,
  kBgeu,
  kLb,
  kLh,
  kLw,
  kLbu,
  kLhu,
  kLwu,  // RV64
  kLd,   // RV64
  kSb,
  kSh,
  kSw,
  kSd,  // RV64
  kAddi,
  kSlti,
  kSltiu,
  kXori,
  kOri,
  kAndi,
  kSlli,
  kSrli,
  kSrai,
  kAdd,
  kSub,
  kSll,
  kSlt,
  kSltu,
  kXor,
  kSrl,
  kSra,
  kOr,
  kAnd,
  kFence,
  kEcall,
  kEbreak,
  // Zicsr
  kCsrrw,
  kCsrrs,
  kCsrrc,
  kCsrrwi,
  kCsrrsi,
  kCsrrci,
  // M
  kMul,
  kMulh,
  kMulhsu,
  kMulhu,
  kDiv,
  kDivu,
  kRem,
  kRemu,
  // Zba, Zbb, Zbs: address and bit manipulation
  kSh1add,
  kSh2add,
  kSh3add,
  kAndn,
  kOrn,
  kXnor,
  kClz,
  kCtz,
  kCpop,
  kMax,
  kMaxu,
  kMin,
  kMinu,
  kSextB,
  kSextH,
  kZextH,
  kRol,
  kRor,
  kRori,
  kOrcB,
  kRev8,
  kBclr,
  kBclri,
  kBext,
  kBexti,
  kBinv,
  kBinvi,
  kBset,
  kBseti,
  // Zicond: compare and select
  kCzeroEqz,
  kCzeroNez,
  // RV64: on the low words of the sources; the result is a sign-extended word. Then those of Zba, which take a
  // zero-extended word
  kAddiw,
  kSlliw,
  kSrliw,
  kSraiw,
  kAddw,
  kSubw,
  kSllw,
  kSrlw,
  kSraw,
  kMulw,
  kDivw,
  kDivuw,
  kRemw,
  kRemuw,
  kClzw,
  kCtzw,
  kCpopw,
  kRolw,
  kRorw,
  kRoriw,
  kAddUw,
  kSh1addUw,
  kSh2addUw,
  kSh3addUw,
  kSlliUw,
  // A, and amocas.w of Zacas; then the same on doublewords (RV64), in the same order
  kLr,
  kSc,
  kAmoswap,
  kAmoadd,
  kAmoxor,
  kAmoand,
  kAmoor,
  kAmomin,
  kAmomax,
  kAmominu,
  kAmomaxu,
  kAmocas,
  kLrD,
  kScD,
  kAmoswapD,
  kAmoaddD,
  kAmoxorD,
  kAmoandD,
  kAmoorD,
  kAmominD,
  kAmomaxD,
  kAmominuD,
  kAmomaxuD,
  kAmocasD,
  // F; fcvt.l.s .. fcvt.s.lu are RV64's
  kFlw,
  kFsw,
  kFmadd,
  kFmsub,
  kFnmsub,
  kFnmadd,
  kFadd,
  kFsub,
  kFmul,
  kFdiv,
  kFsqrt,
  kFsgnj,
  kFsgnjn,
  kFsgnjx,
  kFmin,
  kFmax,
  kFcvtWS,
  kFcvtWuS,
  kFmvXW,
  kFeq,
  kFlt,
  kFle,
  kFclass,
  kFcvtSW,
  kFcvtSWu,
  kFmvWX,
  kFcvtLS,
  kFcvtLuS,
  kFcvtSL,
  kFcvtSLu,
  // D (RV64), in the same order as F
  kFld,
  kFsd,
  kFmaddD,
  kFmsubD,
  kFnmsubD,
  kFnmaddD,
  kFaddD,
  kFsubD,
  kFmulD,
  kFdivD,
  kFsqrtD,
  kFsgnjD,
  kFsgnjnD,
  kFsgnjxD,
  kFminD,
  kFmaxD,
  kFcvtWD,
  kFcvtWuD,
  kFmvXD,
  kFeqD,
  kFltD,
  kFleD,
  kFclassD,
  kFcvtDW,
  kFcvtDWu,
  kFmvDX,
  kFcvtLD,
  kFcvtLuD,
  kFcvtDL,
  kFcvtDLu,
  kFcvtSD,  // double to single
  kFcvtDS,  // single to double
  // custom-0: block barrier, fork/join marks, software-managed stack, convergence barriers
  kBarrier,
  kFork,
  kJoin,
  kPush,
  kPop,
  kBssy,
  kBsync,
  kBreak,
  kYield,
  kWarpsync,
  kBmov,    // the threads of a barrier into a register
  kBmovPc,  // where they go on
  kBmovTo,  // both back into a barrier
  // custom-1: special functions, and operations over the threads of a warp
  kSfuRcp,
  kSfuRsqrt,
  kSfuSin,
  kSfuCos,
  kSfuEx2,
  kSfuLg2,
  kSfuTanh,
  kShuffle,
  kBallot,
};

struct Instruction {
  Op op = Op::kIllegal;
  Unit unit = Unit::kAlu;
  RegId rd = 0;   // destination; amocas also reads rd: then rs3 == rd
  RegId rs1 = 0;  // sources; ecall: rd = a0 (read and, by a write call, written), rs1 = a7, rs2 = a1, rs3 = a2
  RegId rs2 = 0;
  RegId rs3 = 0;
  std::uint8_t rm = 0;    // F: rounding mode field; AMO: aq/rl bits
  bool control = false;   // branch, jal, jalr, ecall: the path waits for its resolution
  bool barrier = false;   // block barrier
  std::int32_t imm = 0;   // sign-extended immediate; CSR number for Zicsr (zimm of the *i forms is in `zimm`)
  std::uint8_t zimm = 0;  // and the number of a convergence barrier
  Pc rpc = kNoRpc;        // conditional branch or indirect jump: address of its immediate post-dominator, or kReturnRpc
  std::uint8_t skip = 0;  // conditional branch that can be predicated: instructions between it and its target, else 0
  std::uint16_t rpc_block = 0;  // instructions of the basic block at rpc, at most 65535; 0 if there is none
  std::uint32_t word = 0;       // the encoding

  [[nodiscard]] bool is_branch() const { return op >= Op::kBeq && op <= Op::kBgeu; }
  [[nodiscard]] bool is_load() const { return (op >= Op::kLb && op <= Op::kLd) || op == Op::kFlw || op == Op::kFld; }
  [[nodiscard]] bool is_store() const { return (op >= Op::kSb && op <= Op::kSd) || op == Op::kFsw || op == Op::kFsd; }
  [[nodiscard]] bool is_atomic() const { return op >= Op::kLr && op <= Op::kAmocasD; }
  // Its result depends on the threads that execute it together.
  [[nodiscard]] bool is_warp_wide() const { return op == Op::kShuffle || op == Op::kBallot; }
  // To compute it makes a difference, even into x0: for flags, and for a warp-wide operation that may be refused.
  [[nodiscard]] bool has_effect() const { return rd != 0 || unit == Unit::kFp || is_warp_wide(); }
  // There for one mechanism; to all others it does nothing, but that a warpsync refuses threads that are apart, and a
  // bmov into a register reads 0.
  [[nodiscard]] bool is_own() const { return op >= Op::kFork && op <= Op::kBmovTo; }
  [[nodiscard]] bool is_memory() const { return unit == Unit::kLsu; }
  // Calls and returns by the link registers x1 and x5, as the specification's hints for return-address stacks have it.
  // A jalr that names both is a return and a call in one: neither here.
  [[nodiscard]] bool is_call() const { return is_jump() && links(rd) && !(op == Op::kJalr && links(rs1) && rs1 != rd); }
  [[nodiscard]] bool is_return() const { return op == Op::kJalr && !links(rd) && links(rs1); }
  [[nodiscard]] bool is_jump() const { return op == Op::kJal || op == Op::kJalr; }
  // Nothing is fetched behind it: control goes elsewhere, or (ecall) may end.
  [[nodiscard]] bool ends_fetch() const { return control && !is_branch(); }
  [[nodiscard]] static bool links(RegId r) { return r == 1 || r == 5; }
};

// What an atomic of doublewords or an operation of D does, as one of words or of F; others are themselves.
[[nodiscard]] constexpr Op narrow(Op op) {
  const auto moved = [op](Op from, Op to) {
    return static_cast<Op>(static_cast<int>(op) - static_cast<int>(from) + static_cast<int>(to));
  };
  if (op >= Op::kLrD && op <= Op::kAmocasD) return moved(Op::kLrD, Op::kLr);
  return op >= Op::kFld && op <= Op::kFcvtDLu ? moved(Op::kFld, Op::kFlw) : op;
}
static_assert(narrow(Op::kAmocasD) == Op::kAmocas && narrow(Op::kFcvtDLu) == Op::kFcvtSLu);

// The threads that the register of a warpsync names; one of 32 bits is extended by its uppermost bit, so that -1 is
// all.
[[nodiscard]] constexpr LaneMask sync_mask(std::uint64_t value, bool wide) {
  return wide ? value : static_cast<LaneMask>(static_cast<std::int32_t>(value));
}

// Decodes one 32-bit word. Unsupported or illegal encodings give Op::kIllegal (word kept). rpc is left kNoRpc.
[[nodiscard]] Instruction decode(std::uint32_t word, Xlen xlen = Xlen::k32);

}  // namespace heddle
