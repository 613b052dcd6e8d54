// SPDX-License-Identifier: Apache-2.0
// The decoder and the disassembler against GNU objdump, which was written by others: the text of both must be equal for
// every word, and both must agree on what is an instruction.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <vector>

#include "isa/instruction.h"
#include "program/disassemble.h"
#include "support.h"

namespace heddle::decode_test {
namespace {

using test::Scratch;

std::string assembler(Xlen xlen) {
  return std::string("riscv64-unknown-elf-as -march=") +
         (xlen == Xlen::k32 ? "rv32imaf_zicsr_zba_zbb_zbs -mabi=ilp32f " : "rv64imafd_zicsr_zba_zbb_zbs -mabi=lp64d ");
}

// objdump's text of each word, as a program from address 0; empty where it knows no instruction.
std::vector<std::string> objdump(const std::vector<std::uint32_t>& words, Xlen xlen) {
  const Scratch scratch;
  {
    std::ofstream out(scratch / "words.s");
    out << "\t.text\n" << std::hex;
    for (const std::uint32_t w : words) out << "\t.insn 0x" << w << "\n";
  }
  const auto result = test::run(scratch, assembler(xlen) +
                                             "words.s -o words.o && "
                                             "riscv64-unknown-elf-objdump -d -M no-aliases -z words.o");
  if (result.status != 0) throw std::runtime_error(result.err);
  std::vector<std::string> texts(words.size());
  std::istringstream in(result.out);
  for (std::string line; std::getline(in, line);) {
    // "     1f4:	00000013          	addi	zero,zero,0 # comment"
    const std::size_t colon = line.find(":\t");
    if (colon == std::string::npos) continue;
    const std::size_t tab = line.find('\t', colon + 2);
    if (tab == std::string::npos) continue;
    std::string text = line.substr(tab + 1);
    text = text.substr(0, text.find(" #"));
    text = text.substr(0, text.find(" <"));
    for (char& c : text) {
      if (c == '\t') c = ' ';
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    if (text.rfind(".4byte", 0) == 0 || text.rfind(".word", 0) == 0) text.clear();
    texts.at(std::stoul(line.substr(0, colon), nullptr, 16) / 4) = text;
  }
  return texts;
}

// Mnemonic and operands; numbers compare by value, names as they are.
std::vector<std::string> tokens(const std::string& text) {
  std::vector<std::string> result(1);
  for (const char c : text) {
    if (c == ' ' || c == ',' || c == '(' || c == ')') {
      if (!result.back().empty()) result.emplace_back();
    } else {
      result.back() += c;
    }
  }
  if (result.back().empty()) result.pop_back();
  return result;
}

bool is_csr(Op op) { return op >= Op::kCsrrw && op <= Op::kCsrrci; }

// Privileged instructions objdump knows under any -march; the core has no such mode.
bool privileged(const std::string& mnemonic) {
  static const std::set<std::string> kNames = {"mret",       "sret",      "uret",        "dret",       "wfi",
                                               "sfence.vma", "sfence.vm", "hfence.vvma", "hfence.gvma"};
  return kNames.count(mnemonic) != 0;
}

// Instructions of ours that objdump 2.40 does not know.
bool unknown_to_objdump(const Instruction& i) {
  if (i.op >= Op::kBarrier || narrow(i.op) == Op::kAmocas || i.op == Op::kCzeroEqz || i.op == Op::kCzeroNez)
    return true;
  // The rounding mode of exact conversions; objdump wants it zero.
  if ((i.op == Op::kFcvtDW || i.op == Op::kFcvtDWu || i.op == Op::kFcvtDS) && i.rm != 0) return true;
  // Reserved fields of fence (rd, rs1, mode) are to be ignored; objdump wants them zero.
  return i.op == Op::kFence && (i.word & 0xF00F8F80u) != 0 && i.word != 0x8330000Fu;
}

// objdump takes shift amounts of 32 to 63 for RV32, where they are reserved.
bool long_shift(std::uint32_t w) {
  const std::uint32_t funct3 = w >> 12 & 7u;
  return (w & 0x7Fu) == 0x13 && (funct3 == 1 || funct3 == 5) && (w >> 25 & 1u) == 1;
}

// True if equal; `target` is what objdump prints for jump and branch targets.
bool same_text(const Instruction& i, const std::string& ours, const std::string& theirs) {
  std::vector<std::string> a = tokens(ours), b = tokens(theirs);
  if (a.size() != b.size()) return false;
  for (std::size_t n = 0; n < a.size(); ++n) {
    if (a[n] == b[n]) continue;
    const bool address = (i.is_branch() || i.op == Op::kJal) && n + 1 == a.size();
    // objdump's addresses of RV64 have 64 bits.
    if (address && std::stoul(a[n], nullptr, 16) == static_cast<Pc>(std::stoul(b[n], nullptr, 16))) continue;
    const bool csr_name = is_csr(i.op) && n == 2;  // objdump has names for all CSRs, we for those of user code
    if (csr_name) continue;
    return false;
  }
  return true;
}

// Checks all words; returns how often each operation was seen.
std::map<Op, std::size_t> compare(const std::vector<std::uint32_t>& words, Xlen xlen) {
  const std::vector<std::string> theirs = objdump(words, xlen);
  std::map<Op, std::size_t> seen;
  for (std::size_t n = 0; n < words.size(); ++n) {
    const Pc pc = static_cast<Pc>(4 * n);
    const Instruction i = decode(words[n], xlen);
    const std::string ours = disassemble(i, pc, Aliases::kNone);
    ++seen[i.op];
    if (i.op == Op::kIllegal) {
      const std::string mnemonic = theirs[n].substr(0, theirs[n].find(' '));
      const bool reserved_rounding = theirs[n].size() > 7 && theirs[n].rfind(",unknown") == theirs[n].size() - 8;
      if (!theirs[n].empty() && !privileged(mnemonic) && !reserved_rounding &&
          !(xlen == Xlen::k32 && long_shift(words[n]))) {
        ADD_FAILURE() << std::hex << words[n] << ": illegal for us, objdump: " << theirs[n];
      }
    } else if (theirs[n].empty()) {
      if (!unknown_to_objdump(i)) ADD_FAILURE() << std::hex << words[n] << ": unknown to objdump, ours: " << ours;
    } else if (!same_text(i, ours, theirs[n])) {
      ADD_FAILURE() << std::hex << words[n] << ": ours: " << ours << ", objdump: " << theirs[n];
    }
    if (::testing::Test::HasFailure()) break;
  }
  return seen;
}

constexpr unsigned kNumOps = static_cast<unsigned>(Op::kSfuTanh) + 1;

// 32-bit encodings: low bits 11, and not the prefix of longer ones.
bool word_sized(std::uint32_t w) { return (w & 3u) == 3 && (w & 0x1Cu) != 0x1C; }

class DecodeOf : public testing::TestWithParam<Xlen> {};

bool of_rv64(Op op) {
  return op == Op::kLwu || op == Op::kLd || op == Op::kSd || (op >= Op::kAddiw && op <= Op::kSlliUw) ||
         (op >= Op::kLrD && op <= Op::kAmocasD) || (op >= Op::kFcvtLS && op <= Op::kFcvtDS);
}

TEST_P(DecodeOf, AgreesWithObjdumpOnAMillionRandomWords) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> words;
  while (words.size() < 1000000) {
    const std::uint32_t w = static_cast<std::uint32_t>(random()) | 3u;
    if (word_sized(w)) words.push_back(w);
  }
  compare(words, GetParam());
}

TEST_P(DecodeOf, AgreesWithObjdumpOnEveryCombinationOfTheFieldsThatDecide) {
  // opcode x funct7 x funct3 x rs2, with random registers in the rest.
  std::mt19937 random(2);
  std::vector<std::uint32_t> words;
  for (std::uint32_t opcode = 3; opcode < 128; opcode += 4) {
    if (!word_sized(opcode)) continue;
    for (std::uint32_t funct7 = 0; funct7 < 128; ++funct7) {
      for (std::uint32_t funct3 = 0; funct3 < 8; ++funct3) {
        for (std::uint32_t rs2 = 0; rs2 < 32; ++rs2) {
          const std::uint32_t others = static_cast<std::uint32_t>(random()) & 0x000F8F80u;
          words.push_back(funct7 << 25 | rs2 << 20 | funct3 << 12 | others | opcode);
        }
      }
    }
  }
  const auto seen = compare(words, GetParam());
  // ecall and ebreak are single words, barrier, join, pop and yield have all other fields zero, a few only one field.
  const std::set<Op> rare = {Op::kEcall, Op::kEbreak, Op::kBarrier, Op::kJoin,  Op::kPop,     Op::kFork,
                             Op::kPush,  Op::kBsync,  Op::kBreak,   Op::kYield, Op::kWarpsync};
  for (unsigned op = 0; op < kNumOps; ++op) {
    if (rare.count(static_cast<Op>(op)) == 0) {
      const bool exists = GetParam() == Xlen::k64 || !of_rv64(static_cast<Op>(op));
      EXPECT_EQ(seen.count(static_cast<Op>(op)) != 0, exists) << "operation " << op;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Both, DecodeOf, testing::Values(Xlen::k32, Xlen::k64),
                         [](const auto& info) { return info.param == Xlen::k32 ? "RV32" : "RV64"; });

TEST(Decode, SystemInstructionsAreSingleWords) {
  EXPECT_EQ(decode(0x00000073).op, Op::kEcall);
  EXPECT_EQ(decode(0x00100073).op, Op::kEbreak);
  for (unsigned bit = 7; bit < 32; ++bit) {
    const Op op = decode(0x00000073u ^ 1u << bit).op;
    if (bit == 20) {
      EXPECT_EQ(op, Op::kEbreak);
    } else if (bit < 12 || bit > 14) {  // funct3 makes it a CSR instruction
      EXPECT_EQ(op, Op::kIllegal) << "bit " << bit;
    }
  }
}

TEST(Decode, EcallNamesTheRegistersOfAWriteCall) {
  const Instruction i = decode(0x00000073);
  EXPECT_EQ(i.rd, 10) << "a0: first argument and result";
  EXPECT_EQ(i.rs1, 17) << "a7: number of the call";
  EXPECT_EQ(i.rs2, 11);
  EXPECT_EQ(i.rs3, 12);
  EXPECT_TRUE(i.control);
}

TEST(Decode, CompressedAndLongEncodingsAreIllegal) {
  for (std::uint32_t w = 0; w < 0x10000; ++w) {
    if ((w & 3u) != 3) {
      ASSERT_EQ(decode(w << 16 | w).op, Op::kIllegal) << std::hex << w;
    }
  }
  EXPECT_EQ(decode(0x0000001F).op, Op::kIllegal);
  EXPECT_EQ(decode(0x0000005F).op, Op::kIllegal);
  EXPECT_EQ(decode(0x0000007F).op, Op::kIllegal);
  EXPECT_EQ(decode(0).op, Op::kIllegal);
  EXPECT_EQ(decode(0xFFFFFFFF).op, Op::kIllegal);
}

TEST(Decode, CustomInstructionsAreStrict) {
  EXPECT_EQ(decode(0x0000000B).op, Op::kBarrier);
  EXPECT_TRUE(decode(0x0000000B).barrier);
  EXPECT_FALSE(decode(0x0000000B).control);
  EXPECT_EQ(decode(0x0000200B).op, Op::kJoin);
  EXPECT_EQ(decode(0x0000400B).op, Op::kPop);
  for (const std::uint32_t word : {0x0000000Bu, 0x0000200Bu, 0x0000400Bu}) {
    for (unsigned bit = 7; bit < 32; ++bit) {
      if (bit < 12 || bit > 14) {
        EXPECT_EQ(decode(word | 1u << bit).op, Op::kIllegal) << "bit " << bit;
      }
    }
  }
  // fork and push carry a label: beq's immediate, no registers. 0xFE000EE3 is beq x0, x0, .-4.
  const std::uint32_t minus_four = 0xFE000E80u;
  EXPECT_EQ(decode(minus_four | 0x100Bu).op, Op::kFork);
  EXPECT_EQ(decode(minus_four | 0x100Bu).imm, -4);
  EXPECT_EQ(decode(minus_four | 0x300Bu).op, Op::kPush);
  EXPECT_EQ(decode(minus_four | 0x300Bu | 1u << 15).op, Op::kIllegal);
  EXPECT_EQ(decode(minus_four | 0x300Bu | 1u << 20).op, Op::kIllegal);
  EXPECT_EQ(decode(7u << 12 | 0x0Bu).op, Op::kIllegal);

  const Instruction shuffle = decode(12u << 20 | 11u << 15 | 1u << 12 | 10u << 7 | 0x2Bu),
                    ballot = decode(1u << 25 | 11u << 15 | 1u << 12 | 10u << 7 | 0x2Bu);
  EXPECT_EQ(shuffle.op, Op::kShuffle);
  EXPECT_EQ(std::vector({shuffle.rd, shuffle.rs1, shuffle.rs2}), (std::vector<RegId>{10, 11, 12}));
  EXPECT_EQ(ballot.op, Op::kBallot);
  EXPECT_EQ(std::vector({ballot.rd, ballot.rs1, ballot.rs2}), (std::vector<RegId>{10, 11, 0}));
  EXPECT_TRUE(shuffle.is_warp_wide() && ballot.is_warp_wide());
  EXPECT_EQ(decode(ballot.word | 1u << 20).op, Op::kIllegal);
  for (std::uint32_t funct7 = 2; funct7 < 128; ++funct7)
    EXPECT_EQ(decode(funct7 << 25 | 1u << 12 | 0x2Bu).op, Op::kIllegal);

  for (std::uint32_t funct7 = 0; funct7 < 128; ++funct7) {
    const Instruction i = decode(funct7 << 25 | 11u << 15 | 10u << 7 | 0x2Bu);
    if (funct7 <= 6) {
      EXPECT_EQ(static_cast<unsigned>(i.op), static_cast<unsigned>(Op::kSfuRcp) + funct7);
      EXPECT_EQ(i.unit, Unit::kSfu);
      EXPECT_EQ(i.rd, 32 + 10);
      EXPECT_EQ(i.rs1, 32 + 11);
    } else {
      EXPECT_EQ(i.op, Op::kIllegal);
    }
  }
  EXPECT_EQ(decode(0x0010002B).op, Op::kIllegal) << "rs2 is not zero";
  EXPECT_EQ(decode(0x0000202B).op, Op::kIllegal) << "funct3 is neither 0 nor 1";
}

// The word, its text at address 0x100, and the fields that must be zero in it.
TEST(Decode, ConvergenceBarriersHaveNumbersInTheFieldsOfRegisters) {
  constexpr std::uint32_t kRd = 31u << 7, kRs1 = 31u << 15, kRs2 = 31u << 20;
  struct Form {
    std::uint32_t word;
    Op op;
    const char* text;
    std::uint32_t zero;
    std::vector<RegId> registers;  // rd, rs1, rs2
  };
  // GNU as makes these words of `.insn b 0x0b, 5, x3, x0, .-4` and `.insn r 0x0b, 6, F7, ...`.
  const Form forms[] = {
      {0xFE01DE8B, Op::kBssy, "heddle.bssy b3,0xfc", kRs2, {0, 0, 0}},
      {0x0007E00B, Op::kBsync, "heddle.bsync b15", kRd | kRs2, {0, 0, 0}},
      {0x0201E00B, Op::kBreak, "heddle.break b3", kRd | kRs2, {0, 0, 0}},
      {0x0400600B, Op::kYield, "heddle.yield", kRd | kRs1 | kRs2, {0, 0, 0}},
      {0x0605E00B, Op::kWarpsync, "heddle.warpsync a1", kRd | kRs2, {0, 11, 0}},
      {0x0801E50B, Op::kBmov, "heddle.bmov a0,b3", kRs2, {10, 0, 0}},
      {0x0A01E50B, Op::kBmovPc, "heddle.bmov.pc a0,b3", kRs2, {10, 0, 0}},
      {0x0CC5E18B, Op::kBmovTo, "heddle.bmov b3,a1,a2", 0, {0, 11, 12}},
  };
  for (const Form& form : forms) {
    SCOPED_TRACE(form.text);
    const Instruction i = decode(form.word);
    EXPECT_EQ(i.op, form.op);
    EXPECT_EQ(disassemble(i, 0x100), form.text);
    EXPECT_EQ(std::vector({i.rd, i.rs1, i.rs2}), form.registers);
    EXPECT_TRUE(i.is_own() && i.unit == Unit::kAlu && !i.control && !i.barrier);
    for (unsigned bit = 7; bit < 25; ++bit) {
      if ((form.zero >> bit & 1) != 0) {
        EXPECT_EQ(decode(form.word | 1u << bit).op, Op::kIllegal) << "bit " << bit;
      }
    }
  }
  EXPECT_EQ(decode(forms[0].word).imm, -4);
  for (std::uint32_t funct7 = 7; funct7 < 128; ++funct7)
    EXPECT_EQ(decode(funct7 << 25 | 6u << 12 | 0x0Bu).op, Op::kIllegal) << funct7;
}

TEST(Decode, BitManipulationTakesOneAluOperation) {
  // Words of GNU as, one an encoding form; the assembler of binutils 2.40 does not know Zicond: its two by the
  // specification.
  const std::pair<std::uint32_t, const char*> words[] = {
      {0x20C5A533, "sh1add a0,a1,a2"},    {0x40C5F533, "andn a0,a1,a2"},      {0x60059513, "clz a0,a1"},
      {0x60159513, "ctz a0,a1"},          {0x60259513, "cpop a0,a1"},         {0x0AC5C533, "min a0,a1,a2"},
      {0x0805C533, "zext.h a0,a1"},       {0x61F5D513, "rori a0,a1,0x1f"},    {0x2875D513, "orc.b a0,a1"},
      {0x6985D513, "rev8 a0,a1"},         {0x49F59513, "bclri a0,a1,0x1f"},   {0x28C59533, "bset a0,a1,a2"},
      {0x0EC5D533, "czero.eqz a0,a1,a2"}, {0x0EC5F533, "czero.nez a0,a1,a2"},
  };
  for (const auto& [word, text] : words) {
    const Instruction i = decode(word);
    EXPECT_EQ(disassemble(i, 0), text);
    EXPECT_EQ(i.unit, Unit::kAlu) << text;
    EXPECT_FALSE(i.control) << text;
  }
}

TEST(Decode, NeighboursOfBitManipulationAreIllegal) {
  EXPECT_EQ(decode(0x0810C533).op, Op::kIllegal) << "pack of Zbkb: zext.h has rs2 = 0";
  EXPECT_EQ(decode(0x60359513).op, Op::kIllegal) << "behind cpop";
  EXPECT_EQ(decode(0x60659513).op, Op::kIllegal) << "behind sext.h";
  EXPECT_EQ(decode(0x6A05D513).op, Op::kIllegal) << "rev8 of RV64";
  EXPECT_EQ(decode(0x6885D513).op, Op::kIllegal) << "brev8 of Zbkb";
  EXPECT_EQ(decode(0x6205D513).op, Op::kIllegal) << "rori by 32";
  EXPECT_EQ(decode(0x6A05D513, Xlen::k64).op, Op::kIllegal) << "rev8 of RV64 has 0x38 in its amount";
  EXPECT_EQ(decode(0x6985D513, Xlen::k64).op, Op::kIllegal) << "rev8 of RV32";
  EXPECT_EQ(decode(0x0805C533, Xlen::k64).op, Op::kIllegal) << "zext.h of RV32";
  EXPECT_EQ(decode(0x0AC59533).op, Op::kIllegal) << "clmul of Zbc";
  EXPECT_EQ(decode(0x0EC5E533).op, Op::kIllegal) << "between the two of Zicond";
}

TEST(Decode, CompareAndSwapReadsItsDestination) {
  const Instruction i = decode(0x28C5A7AF);  // amocas.w a5, a2, (a1)
  EXPECT_EQ(i.op, Op::kAmocas);
  EXPECT_EQ(i.unit, Unit::kLsu);
  EXPECT_EQ(i.rd, 15);
  EXPECT_EQ(i.rs1, 11);
  EXPECT_EQ(i.rs2, 12);
  EXPECT_EQ(i.rs3, 15);
  EXPECT_EQ(disassemble(i, 0), "amocas.w a5,a2,(a1)");
  const Instruction d = decode(0x28C5B7AF, Xlen::k64);
  EXPECT_EQ(d.op, Op::kAmocasD);
  EXPECT_EQ(std::vector({d.rd, d.rs1, d.rs2, d.rs3}), (std::vector<RegId>{15, 11, 12, 15}));
  EXPECT_EQ(disassemble(d, 0), "amocas.d a5,a2,(a1)");
  EXPECT_EQ(decode(0x28C5B7AF).op, Op::kIllegal);
}

// Every legal word names exactly the registers its text does (two spellings of one name count as one).
TEST_P(DecodeOf, RegistersAreThoseOfTheText) {
  std::mt19937 random(3);
  for (int n = 0; n < 300000; ++n) {
    const Instruction i = decode(static_cast<std::uint32_t>(random()) | 3u, GetParam());
    if (i.op == Op::kIllegal || i.op == Op::kFence || i.op == Op::kEcall) continue;
    std::multiset<std::string> from_text, from_fields;
    const std::vector<std::string> parts = tokens(disassemble(i, 0, Aliases::kNone));
    std::set<std::string> names;
    for (unsigned r = 1; r < kNumRegs; ++r) names.insert(register_name(static_cast<RegId>(r)));
    for (std::size_t p = 1; p < parts.size(); ++p) {
      if (names.count(parts[p]) != 0) from_text.insert(parts[p]);
    }
    for (const RegId r : {i.rd, i.rs1, i.rs2}) {
      if (r != 0) from_fields.insert(register_name(r));
    }
    if (i.rs3 != 0 && narrow(i.op) != Op::kAmocas) from_fields.insert(register_name(i.rs3));
    ASSERT_EQ(from_text, from_fields) << disassemble(i, 0, Aliases::kNone);
  }
}

TEST_P(DecodeOf, ClassesAndFlagsFollowTheOperation) {
  std::mt19937 random(4);
  for (int n = 0; n < 300000; ++n) {
    const Instruction i = decode(static_cast<std::uint32_t>(random()) | 3u, GetParam());
    ASSERT_EQ(i.control, i.is_branch() || i.op == Op::kJal || i.op == Op::kJalr || i.op == Op::kEcall);
    ASSERT_EQ(i.is_memory(), i.is_load() || i.is_store() || i.is_atomic());
    ASSERT_EQ(i.unit == Unit::kMulDiv,
              (i.op >= Op::kMul && i.op <= Op::kRemu) || (i.op >= Op::kMulw && i.op <= Op::kRemuw));
    ASSERT_EQ(i.unit == Unit::kSfu, i.op >= Op::kSfuRcp);
    ASSERT_EQ(i.unit == Unit::kFp, i.op >= Op::kFmadd && i.op <= Op::kFcvtDS && i.op != Op::kFld && i.op != Op::kFsd);
    ASSERT_EQ(i.rpc, kNoRpc);
  }
}

// Text with aliases, given to the assembler, is the same word again.
TEST_P(DecodeOf, TextAssemblesBackToTheWord) {
  std::mt19937 random(5);
  const Scratch scratch;
  std::vector<std::uint32_t> words;
  {
    std::ofstream out(scratch / "text.s");
    out << "\t.option norelax\n\t.text\n";
    while (words.size() < 60000) {
      std::uint32_t w = static_cast<std::uint32_t>(random()) | 3u;
      if (random() % 4 == 0) w &= ~0x01F00000u;  // more zero registers and immediates, where aliases are
      if (random() % 4 == 0) w &= ~0x000F8000u;
      if (random() % 4 == 0) w &= ~0x00000F80u;
      const Instruction i = decode(w, GetParam());
      // Jump targets need a linker and were compared with objdump; our own instructions have no assembler.
      if (i.op == Op::kIllegal || i.is_branch() || i.op == Op::kJal || unknown_to_objdump(i)) continue;
      if (i.op == Op::kFence && ((w >> 24 & 15u) == 0 || (w >> 20 & 15u) == 0)) continue;  // no name for an empty set
      if (is_csr(i.op) && i.imm >= 0xCC0 && i.imm <= 0xCCD) continue;
      words.push_back(w);
      out << "\t" << disassemble(i, 0) << "\n";
    }
  }
  const auto result = test::run(scratch, assembler(GetParam()) +
                                             "text.s -o text.o && "
                                             "riscv64-unknown-elf-objcopy -O binary -j .text text.o text.bin");
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string bytes = test::read_file(scratch / "text.bin");
  ASSERT_EQ(bytes.size(), 4 * words.size());
  for (std::size_t n = 0; n < words.size(); ++n) {
    std::uint32_t w = 0;
    for (unsigned b = 4; b-- > 0;) w = w << 8 | static_cast<unsigned char>(bytes[4 * n + b]);
    ASSERT_EQ(w, words[n]) << disassemble(decode(words[n], GetParam()), 0);
  }
}

TEST(Disassemble, ShortFormsAreThoseOfTheManual) {
  EXPECT_EQ(disassemble(decode(0x00000013), 0), "nop");
  EXPECT_EQ(disassemble(decode(0x00300793), 0), "li a5,3");
  EXPECT_EQ(disassemble(decode(0x00078713), 0), "mv a4,a5");
  EXPECT_EQ(disassemble(decode(0x00008067), 0), "ret");
  EXPECT_EQ(disassemble(decode(0x0040006F), 0x100), "j 0x104");
  EXPECT_EQ(disassemble(decode(0x02069263), 0x1000004C), "bnez a3,0x10000070");
  EXPECT_EQ(disassemble(decode(0xCC302773), 0), "csrr a4,blockIdx.x");
  EXPECT_EQ(disassemble(decode(0xCCC02773), 0), "csrr a4,lane");
  EXPECT_EQ(disassemble(decode(0x0000000B), 0), "heddle.barrier");
  EXPECT_EQ(disassemble(decode(0x0807872B), 0), "heddle.ex2 fa4,fa5");
  EXPECT_EQ(disassemble(decode(0xFE00100B | 0xE80), 0x20), "heddle.fork 0x1c");
  EXPECT_EQ(disassemble(decode(0xFFFFFFFF), 0), ".word 0xffffffff");
}

}  // namespace
}  // namespace heddle::decode_test
