// SPDX-License-Identifier: Apache-2.0
#include "program/disassemble.h"

#include <array>

#include <fmt/format.h>

namespace heddle {
namespace {

const char* mnemonic(Op op) {
  switch (op) {
    case Op::kIllegal: return ".word";
    case Op::kLui: return "lui";
    case Op::kAuipc: return "auipc";
    case Op::kJal: return "jal";
    case Op::kJalr: return "jalr";
    case Op::kBeq: return "beq";
    case Op::kBne: return "bne";
    case Op::kBlt: return "blt";
    case Op::kBge: return "bge";
    case Op::kBltu: return "bltu";
    case Op::kBgeu: return "bgeu";
    case Op::kLb: return "lb";
    case Op::kLh: return "lh";
    case Op::kLw: return "lw";
    case Op::kLbu: return "lbu";
    case Op::kLhu: return "lhu";
    case Op::kLwu: return "lwu";
    case Op::kLd: return "ld";
    case Op::kSb: return "sb";
    case Op::kSh: return "sh";
    case Op::kSw: return "sw";
    case Op::kSd: return "sd";
    case Op::kAddi: return "addi";
    case Op::kSlti: return "slti";
    case Op::kSltiu: return "sltiu";
    case Op::kXori: return "xori";
    case Op::kOri: return "ori";
    case Op::kAndi: return "andi";
    case Op::kSlli: return "slli";
    case Op::kSrli: return "srli";
    case Op::kSrai: return "srai";
    case Op::kAdd: return "add";
    case Op::kSub: return "sub";
    case Op::kSll: return "sll";
    case Op::kSlt: return "slt";
    case Op::kSltu: return "sltu";
    case Op::kXor: return "xor";
    case Op::kSrl: return "srl";
    case Op::kSra: return "sra";
    case Op::kOr: return "or";
    case Op::kAnd: return "and";
    case Op::kFence: return "fence";
    case Op::kEcall: return "ecall";
    case Op::kEbreak: return "ebreak";
    case Op::kCsrrw: return "csrrw";
    case Op::kCsrrs: return "csrrs";
    case Op::kCsrrc: return "csrrc";
    case Op::kCsrrwi: return "csrrwi";
    case Op::kCsrrsi: return "csrrsi";
    case Op::kCsrrci: return "csrrci";
    case Op::kMul: return "mul";
    case Op::kMulh: return "mulh";
    case Op::kMulhsu: return "mulhsu";
    case Op::kMulhu: return "mulhu";
    case Op::kDiv: return "div";
    case Op::kDivu: return "divu";
    case Op::kRem: return "rem";
    case Op::kRemu: return "remu";
    case Op::kSh1add: return "sh1add";
    case Op::kSh2add: return "sh2add";
    case Op::kSh3add: return "sh3add";
    case Op::kAndn: return "andn";
    case Op::kOrn: return "orn";
    case Op::kXnor: return "xnor";
    case Op::kClz: return "clz";
    case Op::kCtz: return "ctz";
    case Op::kCpop: return "cpop";
    case Op::kMax: return "max";
    case Op::kMaxu: return "maxu";
    case Op::kMin: return "min";
    case Op::kMinu: return "minu";
    case Op::kSextB: return "sext.b";
    case Op::kSextH: return "sext.h";
    case Op::kZextH: return "zext.h";
    case Op::kRol: return "rol";
    case Op::kRor: return "ror";
    case Op::kRori: return "rori";
    case Op::kOrcB: return "orc.b";
    case Op::kRev8: return "rev8";
    case Op::kBclr: return "bclr";
    case Op::kBclri: return "bclri";
    case Op::kBext: return "bext";
    case Op::kBexti: return "bexti";
    case Op::kBinv: return "binv";
    case Op::kBinvi: return "binvi";
    case Op::kBset: return "bset";
    case Op::kBseti: return "bseti";
    case Op::kCzeroEqz: return "czero.eqz";
    case Op::kCzeroNez: return "czero.nez";
    case Op::kAddiw: return "addiw";
    case Op::kSlliw: return "slliw";
    case Op::kSrliw: return "srliw";
    case Op::kSraiw: return "sraiw";
    case Op::kAddw: return "addw";
    case Op::kSubw: return "subw";
    case Op::kSllw: return "sllw";
    case Op::kSrlw: return "srlw";
    case Op::kSraw: return "sraw";
    case Op::kMulw: return "mulw";
    case Op::kDivw: return "divw";
    case Op::kDivuw: return "divuw";
    case Op::kRemw: return "remw";
    case Op::kRemuw: return "remuw";
    case Op::kClzw: return "clzw";
    case Op::kCtzw: return "ctzw";
    case Op::kCpopw: return "cpopw";
    case Op::kRolw: return "rolw";
    case Op::kRorw: return "rorw";
    case Op::kRoriw: return "roriw";
    case Op::kAddUw: return "add.uw";
    case Op::kSh1addUw: return "sh1add.uw";
    case Op::kSh2addUw: return "sh2add.uw";
    case Op::kSh3addUw: return "sh3add.uw";
    case Op::kSlliUw: return "slli.uw";
    case Op::kLr: return "lr.w";
    case Op::kSc: return "sc.w";
    case Op::kAmoswap: return "amoswap.w";
    case Op::kAmoadd: return "amoadd.w";
    case Op::kAmoxor: return "amoxor.w";
    case Op::kAmoand: return "amoand.w";
    case Op::kAmoor: return "amoor.w";
    case Op::kAmomin: return "amomin.w";
    case Op::kAmomax: return "amomax.w";
    case Op::kAmominu: return "amominu.w";
    case Op::kAmomaxu: return "amomaxu.w";
    case Op::kAmocas: return "amocas.w";
    case Op::kLrD: return "lr.d";
    case Op::kScD: return "sc.d";
    case Op::kAmoswapD: return "amoswap.d";
    case Op::kAmoaddD: return "amoadd.d";
    case Op::kAmoxorD: return "amoxor.d";
    case Op::kAmoandD: return "amoand.d";
    case Op::kAmoorD: return "amoor.d";
    case Op::kAmominD: return "amomin.d";
    case Op::kAmomaxD: return "amomax.d";
    case Op::kAmominuD: return "amominu.d";
    case Op::kAmomaxuD: return "amomaxu.d";
    case Op::kAmocasD: return "amocas.d";
    case Op::kFlw: return "flw";
    case Op::kFsw: return "fsw";
    case Op::kFmadd: return "fmadd.s";
    case Op::kFmsub: return "fmsub.s";
    case Op::kFnmsub: return "fnmsub.s";
    case Op::kFnmadd: return "fnmadd.s";
    case Op::kFadd: return "fadd.s";
    case Op::kFsub: return "fsub.s";
    case Op::kFmul: return "fmul.s";
    case Op::kFdiv: return "fdiv.s";
    case Op::kFsqrt: return "fsqrt.s";
    case Op::kFsgnj: return "fsgnj.s";
    case Op::kFsgnjn: return "fsgnjn.s";
    case Op::kFsgnjx: return "fsgnjx.s";
    case Op::kFmin: return "fmin.s";
    case Op::kFmax: return "fmax.s";
    case Op::kFcvtWS: return "fcvt.w.s";
    case Op::kFcvtWuS: return "fcvt.wu.s";
    case Op::kFmvXW: return "fmv.x.w";
    case Op::kFeq: return "feq.s";
    case Op::kFlt: return "flt.s";
    case Op::kFle: return "fle.s";
    case Op::kFclass: return "fclass.s";
    case Op::kFcvtSW: return "fcvt.s.w";
    case Op::kFcvtSWu: return "fcvt.s.wu";
    case Op::kFmvWX: return "fmv.w.x";
    case Op::kFcvtLS: return "fcvt.l.s";
    case Op::kFcvtLuS: return "fcvt.lu.s";
    case Op::kFcvtSL: return "fcvt.s.l";
    case Op::kFcvtSLu: return "fcvt.s.lu";
    case Op::kFld: return "fld";
    case Op::kFsd: return "fsd";
    case Op::kFmaddD: return "fmadd.d";
    case Op::kFmsubD: return "fmsub.d";
    case Op::kFnmsubD: return "fnmsub.d";
    case Op::kFnmaddD: return "fnmadd.d";
    case Op::kFaddD: return "fadd.d";
    case Op::kFsubD: return "fsub.d";
    case Op::kFmulD: return "fmul.d";
    case Op::kFdivD: return "fdiv.d";
    case Op::kFsqrtD: return "fsqrt.d";
    case Op::kFsgnjD: return "fsgnj.d";
    case Op::kFsgnjnD: return "fsgnjn.d";
    case Op::kFsgnjxD: return "fsgnjx.d";
    case Op::kFminD: return "fmin.d";
    case Op::kFmaxD: return "fmax.d";
    case Op::kFcvtWD: return "fcvt.w.d";
    case Op::kFcvtWuD: return "fcvt.wu.d";
    case Op::kFmvXD: return "fmv.x.d";
    case Op::kFeqD: return "feq.d";
    case Op::kFltD: return "flt.d";
    case Op::kFleD: return "fle.d";
    case Op::kFclassD: return "fclass.d";
    case Op::kFcvtDW: return "fcvt.d.w";
    case Op::kFcvtDWu: return "fcvt.d.wu";
    case Op::kFmvDX: return "fmv.d.x";
    case Op::kFcvtLD: return "fcvt.l.d";
    case Op::kFcvtLuD: return "fcvt.lu.d";
    case Op::kFcvtDL: return "fcvt.d.l";
    case Op::kFcvtDLu: return "fcvt.d.lu";
    case Op::kFcvtSD: return "fcvt.s.d";
    case Op::kFcvtDS: return "fcvt.d.s";
    case Op::kBarrier: return "heddle.barrier";
    case Op::kFork: return "heddle.fork";
    case Op::kJoin: return "heddle.join";
    case Op::kPush: return "heddle.push";
    case Op::kPop: return "heddle.pop";
    case Op::kBssy: return "heddle.bssy";
    case Op::kBsync: return "heddle.bsync";
    case Op::kBreak: return "heddle.break";
    case Op::kYield: return "heddle.yield";
    case Op::kWarpsync: return "heddle.warpsync";
    case Op::kBmov:
    case Op::kBmovTo: return "heddle.bmov";
    case Op::kBmovPc: return "heddle.bmov.pc";
    case Op::kSfuRcp: return "heddle.rcp";
    case Op::kSfuRsqrt: return "heddle.rsqrt";
    case Op::kSfuSin: return "heddle.sin";
    case Op::kSfuCos: return "heddle.cos";
    case Op::kSfuEx2: return "heddle.ex2";
    case Op::kSfuLg2: return "heddle.lg2";
    case Op::kSfuTanh: return "heddle.tanh";
    case Op::kShuffle: return "heddle.shfl";
    case Op::kBallot: return "heddle.ballot";
  }
  return "?";
}

std::string csr_name(std::uint32_t number) {
  static constexpr std::array<const char*, 14> kHeddle = {
      "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y", "blockIdx.z", "blockDim.x",
      "blockDim.y",  "blockDim.z",  "gridDim.x",   "gridDim.y",  "gridDim.z",  "lane",       "warp"};
  if (number >= 0xCC0 && number < 0xCC0 + kHeddle.size()) return kHeddle[number - 0xCC0];
  switch (number) {
    case 0x001: return "fflags";
    case 0x002: return "frm";
    case 0x003: return "fcsr";
    case 0xC00: return "cycle";
    case 0xC01: return "time";
    case 0xC02: return "instret";
    case 0xC80: return "cycleh";
    case 0xC81: return "timeh";
    case 0xC82: return "instreth";
    case 0xF14: return "mhartid";
    default: return fmt::format("{:#x}", number);
  }
}

std::string fence_set(std::uint32_t set) {
  std::string text;
  if (set & 8u) text += 'i';
  if (set & 4u) text += 'o';
  if (set & 2u) text += 'r';
  if (set & 1u) text += 'w';
  return text.empty() ? "unknown" : text;
}

// The dynamic rounding mode is the default and not written.
std::string with_rounding(std::string text, std::uint8_t rm) {
  static constexpr std::array<const char*, 5> kModes = {"rne", "rtz", "rdn", "rup", "rmm"};
  return rm < kModes.size() ? std::move(text) + ',' + kModes[rm] : text;
}

// Conversions that are exact for every operand print no rounding mode.
std::string one_operand(const Instruction& i, bool rounds) {
  std::string text = fmt::format("{} {},{}", mnemonic(i.op), register_name(i.rd), register_name(i.rs1));
  return rounds ? with_rounding(std::move(text), i.rm) : text;
}

std::string three_registers(const char* name, RegId a, RegId b, RegId c) {
  return fmt::format("{} {},{},{}", name, register_name(a), register_name(b), register_name(c));
}

std::string csr_access(const Instruction& i) {
  const std::string csr = csr_name(static_cast<std::uint32_t>(i.imm));
  if (i.op >= Op::kCsrrwi) return fmt::format("{} {},{},{}", mnemonic(i.op), register_name(i.rd), csr, i.zimm);
  return fmt::format("{} {},{},{}", mnemonic(i.op), register_name(i.rd), csr, register_name(i.rs1));
}

// The shorter spelling, or an empty string where there is none.
std::string alias(const Instruction& i, Pc target) {
  const char* rd = register_name(i.rd);
  const char* rs1 = register_name(i.rs1);
  switch (i.op) {
    case Op::kAddi:
      if (i.rd == 0 && i.rs1 == 0 && i.imm == 0) return "nop";
      if (i.rs1 == 0) return fmt::format("li {},{}", rd, i.imm);
      if (i.imm == 0) return fmt::format("mv {},{}", rd, rs1);
      return {};
    case Op::kXori: return i.imm == -1 ? fmt::format("not {},{}", rd, rs1) : "";
    case Op::kAndi: return i.imm == 255 ? fmt::format("zext.b {},{}", rd, rs1) : "";
    case Op::kSltiu: return i.imm == 1 ? fmt::format("seqz {},{}", rd, rs1) : "";
    case Op::kSltu: return i.rs1 == 0 ? fmt::format("snez {},{}", rd, register_name(i.rs2)) : "";
    case Op::kSub: return i.rs1 == 0 ? fmt::format("neg {},{}", rd, register_name(i.rs2)) : "";
    case Op::kJal:
      if (i.rd == 0) return fmt::format("j {:#x}", target);
      return i.rd == 1 ? fmt::format("jal {:#x}", target) : "";
    case Op::kJalr:
      if (i.rd == 0 && i.rs1 == 1 && i.imm == 0) return "ret";
      if (i.rd == 0 && i.imm == 0) return fmt::format("jr {}", rs1);
      return i.rd == 1 && i.imm == 0 ? fmt::format("jalr {}", rs1) : "";
    case Op::kBeq: return i.rs2 == 0 ? fmt::format("beqz {},{:#x}", rs1, target) : "";
    case Op::kBne: return i.rs2 == 0 ? fmt::format("bnez {},{:#x}", rs1, target) : "";
    case Op::kBlt:
      if (i.rs2 == 0) return fmt::format("bltz {},{:#x}", rs1, target);
      return i.rs1 == 0 ? fmt::format("bgtz {},{:#x}", register_name(i.rs2), target) : "";
    case Op::kBge:
      if (i.rs2 == 0) return fmt::format("bgez {},{:#x}", rs1, target);
      return i.rs1 == 0 ? fmt::format("blez {},{:#x}", register_name(i.rs2), target) : "";
    case Op::kCsrrs:
      return i.rs1 == 0 ? fmt::format("csrr {},{}", rd, csr_name(static_cast<std::uint32_t>(i.imm))) : "";
    case Op::kCsrrw:
      return i.rd == 0 ? fmt::format("csrw {},{}", csr_name(static_cast<std::uint32_t>(i.imm)), rs1) : "";
    case Op::kAddiw: return i.imm == 0 ? fmt::format("sext.w {},{}", rd, rs1) : "";
    case Op::kSubw: return i.rs1 == 0 ? fmt::format("negw {},{}", rd, register_name(i.rs2)) : "";
    case Op::kAddUw: return i.rs2 == 0 ? fmt::format("zext.w {},{}", rd, rs1) : "";
    case Op::kFsgnj: return i.rs1 == i.rs2 ? fmt::format("fmv.s {},{}", rd, rs1) : "";
    case Op::kFsgnjn: return i.rs1 == i.rs2 ? fmt::format("fneg.s {},{}", rd, rs1) : "";
    case Op::kFsgnjx: return i.rs1 == i.rs2 ? fmt::format("fabs.s {},{}", rd, rs1) : "";
    case Op::kFsgnjD: return i.rs1 == i.rs2 ? fmt::format("fmv.d {},{}", rd, rs1) : "";
    case Op::kFsgnjnD: return i.rs1 == i.rs2 ? fmt::format("fneg.d {},{}", rd, rs1) : "";
    case Op::kFsgnjxD: return i.rs1 == i.rs2 ? fmt::format("fabs.d {},{}", rd, rs1) : "";
    default: return {};
  }
}

}  // namespace

const char* register_name(RegId r) {
  static constexpr std::array<const char*, kNumRegs> kNames = {
      "zero", "ra",  "sp",  "gp",  "tp",  "t0",  "t1",   "t2",   "s0",  "s1",  "a0",   "a1",  "a2",
      "a3",   "a4",  "a5",  "a6",  "a7",  "s2",  "s3",   "s4",   "s5",  "s6",  "s7",   "s8",  "s9",
      "s10",  "s11", "t3",  "t4",  "t5",  "t6",  "ft0",  "ft1",  "ft2", "ft3", "ft4",  "ft5", "ft6",
      "ft7",  "fs0", "fs1", "fa0", "fa1", "fa2", "fa3",  "fa4",  "fa5", "fa6", "fa7",  "fs2", "fs3",
      "fs4",  "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
  return kNames[r % kNumRegs];
}

std::string disassemble(const Instruction& i, Pc pc, Aliases aliases) {
  const char* name = mnemonic(i.op);
  const char* rd = register_name(i.rd);
  const char* rs1 = register_name(i.rs1);
  const Pc target = pc + static_cast<std::uint32_t>(i.imm);
  if (aliases == Aliases::kUse) {
    if (std::string text = alias(i, target); !text.empty()) return text;
  }
  if (i.is_branch()) return fmt::format("{} {},{},{:#x}", name, rs1, register_name(i.rs2), target);
  if (i.is_load()) return fmt::format("{} {},{}({})", name, rd, i.imm, rs1);
  if (i.is_store()) return fmt::format("{} {},{}({})", name, register_name(i.rs2), i.imm, rs1);
  if (i.is_atomic()) {
    static constexpr std::array<const char*, 4> kOrder = {"", ".rl", ".aq", ".aqrl"};
    if (narrow(i.op) == Op::kLr) return fmt::format("{}{} {},({})", name, kOrder[i.rm & 3u], rd, rs1);
    return fmt::format("{}{} {},{},({})", name, kOrder[i.rm & 3u], rd, register_name(i.rs2), rs1);
  }
  switch (narrow(i.op)) {
    case Op::kIllegal: return fmt::format(".word {:#x}", i.word);
    case Op::kLui:
    case Op::kAuipc: return fmt::format("{} {},{:#x}", name, rd, i.word >> 12);
    case Op::kJal: return fmt::format("{} {},{:#x}", name, rd, target);
    case Op::kJalr: return fmt::format("{} {},{}({})", name, rd, i.imm, rs1);
    case Op::kFence:
      if (i.word >> 20 == 0x833) return "fence.tso";
      return fmt::format("fence {},{}", fence_set(i.word >> 24 & 15u), fence_set(i.word >> 20 & 15u));
    case Op::kEcall:
    case Op::kEbreak:
    case Op::kBarrier:
    case Op::kJoin:
    case Op::kPop:
    case Op::kYield: return name;
    case Op::kFork:
    case Op::kPush: return fmt::format("{} {:#x}", name, target);
    case Op::kBssy: return fmt::format("{} b{},{:#x}", name, i.zimm, target);
    case Op::kBsync:
    case Op::kBreak: return fmt::format("{} b{}", name, i.zimm);
    case Op::kWarpsync: return fmt::format("{} {}", name, rs1);
    case Op::kBmov:
    case Op::kBmovPc: return fmt::format("{} {},b{}", name, rd, i.zimm);
    case Op::kBmovTo: return fmt::format("{} b{},{},{}", name, i.zimm, rs1, register_name(i.rs2));
    case Op::kSlli:
    case Op::kSrli:
    case Op::kSrai:
    case Op::kSlliw:
    case Op::kSrliw:
    case Op::kSraiw:
    case Op::kRoriw:
    case Op::kSlliUw:
    case Op::kRori:
    case Op::kBclri:
    case Op::kBexti:
    case Op::kBinvi:
    case Op::kBseti: return fmt::format("{} {},{},{:#x}", name, rd, rs1, i.imm);
    case Op::kFmadd:
    case Op::kFmsub:
    case Op::kFnmsub:
    case Op::kFnmadd:
      return with_rounding(fmt::format("{} {},{},{},{}", name, rd, rs1, register_name(i.rs2), register_name(i.rs3)),
                           i.rm);
    case Op::kFadd:
    case Op::kFsub:
    case Op::kFmul:
    case Op::kFdiv: return with_rounding(three_registers(name, i.rd, i.rs1, i.rs2), i.rm);
    case Op::kFsqrt:
    case Op::kFcvtWS:
    case Op::kFcvtWuS:
    case Op::kFcvtSW:
    case Op::kFcvtSWu:
    case Op::kFcvtLS:
    case Op::kFcvtLuS:
    case Op::kFcvtSL:
    case Op::kFcvtSLu:
    case Op::kFcvtSD: return one_operand(i, i.op != Op::kFcvtDW && i.op != Op::kFcvtDWu);
    case Op::kClz:
    case Op::kCtz:
    case Op::kCpop:
    case Op::kClzw:
    case Op::kCtzw:
    case Op::kCpopw:
    case Op::kSextB:
    case Op::kSextH:
    case Op::kZextH:
    case Op::kOrcB:
    case Op::kRev8:
    case Op::kFmvXW:
    case Op::kFmvWX:
    case Op::kFcvtDS:
    case Op::kFclass: return one_operand(i, false);
    default: break;
  }
  if (i.op >= Op::kCsrrw && i.op <= Op::kCsrrci) return csr_access(i);
  if ((i.op >= Op::kAddi && i.op <= Op::kAndi) || i.op == Op::kAddiw)
    return fmt::format("{} {},{},{}", name, rd, rs1, i.imm);
  if (i.op == Op::kBallot || (i.unit == Unit::kSfu && i.op != Op::kShuffle)) return one_operand(i, false);
  return three_registers(name, i.rd, i.rs1, i.rs2);
}

}  // namespace heddle
