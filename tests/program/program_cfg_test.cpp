// SPDX-License-Identifier: Apache-2.0
// Control-flow graphs of compiled and hand-written programs, and what is printed of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "program/cfg.h"
#include "program/cfg_dump.h"
#include "program/loader.h"
#include "support.h"

namespace heddle::program_cfg_test {
namespace {

using test::Scratch;

Program compile(const std::string& name, const std::string& text, const std::string& flags = "") {
  const Scratch scratch;
  test::write_file(scratch / name, text);
  const auto result = test::run(scratch, std::string(HEDDLE_CC) + " " + flags + " " + name + " -o program.elf");
  if (result.status != 0) throw std::runtime_error(result.err);
  return load_program(scratch / "program.elf");
}

// Assembly of a kernel.
std::string in_kernel(const std::string& name, const std::string& body) {
  return "  .text\n  .globl " + name + "\n  .type " + name + ", @function\n" + name + ":\n" + body + "\n  .size " +
         name + ", . - " + name + "\n";
}

// Assembly around one kernel `k`.
Program assemble(const std::string& body, const std::string& more = "") {
  return compile("k.S", in_kernel("k", body) + more);
}

const FunctionCfg& function(const std::vector<FunctionCfg>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const FunctionCfg& f) { return f.name == name; });
  if (found == all.end()) throw std::runtime_error("no function " + name);
  return *found;
}

// Instruction number `n` of the kernel k.
Pc at(const Program& p, unsigned n) { return p.kernel("k")->entry + 4 * n; }

const FunctionCfg& kernel(const std::vector<FunctionCfg>& all) { return function(all, "k"); }

Pc rpc(const Program& p, unsigned n) { return p.at(at(p, n))->rpc; }

TEST(ProgramCfg, ConditionalReturnReconvergesAtTheCommonReturnOrWhereItReturnsTo) {
  const char* source = "int k(int* a, int n) { if (a[0] > n) { a[1] = 2; return n + 1; } a[2] = n / a[3]; return 7; }";
  const Program one = compile("k.c", source);
  const Program several = compile("k.c", source, "--no-one-ret");
  EXPECT_NE(one.at(kernel(control_flow(one)).branches.at(0).rpc), nullptr);
  EXPECT_EQ(kernel(control_flow(several)).branches.at(0).rpc, kReturnRpc);
  EXPECT_EQ(one.branches_without_rpc, 0u);
  EXPECT_EQ(several.branches_without_rpc, 0u);
}

// A program whose function `stop` does not return.
Program with_stop(const std::string& body, const std::string& stop) {
  return assemble(body, "  .type stop, @function\nstop:\n" + stop + "\n  .size stop, . - stop\n");
}

TEST(ProgramCfg, SideThatOnlyEndsDoesNotHideTheJoinHoweverItEnds) {
  for (const char* stop : {"  li a7, 93\n  ecall", "  ebreak", "1:\n  j 1b", "  beqz a0, 1f\n  ebreak\n1:\n  j 1b",
                           "  call stop", "  j stop\n", "  beqz a0, 1f\n  call stop\n1:\n  ebreak\n"}) {
    const Program p = with_stop(R"(
  addi sp, sp, -16
  beqz a0, 1f
  bnez a1, 2f
  call stop
2:
  addi a2, a2, 1
1:
  beqz a3, 3f
  call stop
3:
  addi a2, a2, 1
  ret
)",
                                stop);
    EXPECT_EQ(rpc(p, 1), at(p, 5)) << stop;
    EXPECT_EQ(rpc(p, 2), at(p, 4)) << stop;
    EXPECT_EQ(rpc(p, 5), at(p, 7)) << stop;
    EXPECT_EQ(kernel(control_flow(p)).blocks[2].terminator, Terminator::kThreadExit) << stop;
  }
}

TEST(ProgramCfg, CallThatMayReturnIsNoEnd) {
  const Program p =
      with_stop("  beqz a0, 1f\n  call stop\n1:\n  ret", "  beqz a0, 2f\n  call stop\n  ebreak\n2:\n  ret");
  EXPECT_EQ(rpc(p, 0), at(p, 2));
  EXPECT_EQ(kernel(control_flow(p)).blocks[1].terminator, Terminator::kFallThrough);
}

TEST(ProgramCfg, ThousandsOfFunctionsThatDoNotReturnAreFoundInOneGo) {
  std::string more;
  const int count = 3000;
  for (int n = 0; n < count; ++n) {
    const std::string name = "f" + std::to_string(n);
    more += "  .type " + name + ", @function\n" + name + ":\n  call f" + std::to_string(n + 1) + "\n  ret\n  .size " +
            name + ", . - " + name + "\n";
  }
  const std::string last = "f" + std::to_string(count);
  more += "  .type " + last + ", @function\n" + last + ":\n  ebreak\n  .size " + last + ", . - " + last + "\n";
  const Program p = assemble("  beqz a0, 1f\n  call f0\n1:\n  ret", more);
  EXPECT_EQ(kernel(control_flow(p)).blocks[1].terminator, Terminator::kThreadExit);
}

TEST(ProgramCfg, CallsDoNotEndBlocks) {
  const Program p = assemble(R"(
  addi sp, sp, -16
  sw ra, 0(sp)
  beqz a0, 1f
  call helper
1:
  lw ra, 0(sp)
  addi sp, sp, 16
  ret
)",
                             "helper:\n  ret\n");
  EXPECT_EQ(p.at(at(p, 2))->rpc, at(p, 4));
  EXPECT_EQ(function(control_flow(p), "k").blocks.size(), 3u);
}

TEST(ProgramCfg, ThreadExitInOneSideDoesNotHideTheJoin) {
  const Program p = assemble(R"(
  beqz a0, 1f
  li a0, 3
  li a7, 93
  ecall
1:
  addi a1, a1, 1
  ret
)");
  EXPECT_EQ(p.at(at(p, 0))->rpc, at(p, 4));
  const auto all = control_flow(p);
  EXPECT_EQ(function(all, "k").blocks[1].terminator, Terminator::kThreadExit);
  EXPECT_TRUE(function(all, "k").blocks[1].successors.empty());
}

TEST(ProgramCfg, OtherSystemCallsContinue) {
  const Program p = assemble("  li a7, 64\n  ecall\n  ret");
  EXPECT_EQ(function(control_flow(p), "k").blocks.size(), 1u);
}

TEST(ProgramCfg, CallOfAFunctionThatEndsTheThreadEndsTheBlock) {
  const Program p = assemble(R"(
  beqz a0, 1f
  call outer
1:
  ret
)",
                             R"(
  .type outer, @function
outer:
  addi a0, a0, 1
  call inner
  .size outer, . - outer
  .type inner, @function
inner:
  li a7, 93
  ecall
  .size inner, . - inner
)");
  const auto all = control_flow(p);
  const FunctionCfg& k = function(all, "k");
  EXPECT_EQ(k.blocks[1].terminator, Terminator::kThreadExit);
  EXPECT_EQ(p.at(at(p, 0))->rpc, k.blocks[2].begin);
  EXPECT_EQ(function(all, "outer").blocks.back().terminator, Terminator::kThreadExit);
}

TEST(ProgramCfg, TailCallLeavesTheFunction) {
  const Program p = assemble(R"(
  beqz a0, 1f
  j helper
1:
  ret
)",
                             "  .type helper, @function\nhelper:\n  ret\n  .size helper, . - helper\n");
  EXPECT_EQ(p.at(at(p, 0))->rpc, kReturnRpc);
  EXPECT_EQ(p.branches_without_rpc, 0u);
  EXPECT_EQ(function(control_flow(p), "k").blocks[1].terminator, Terminator::kTailCall);
}

TEST(ProgramCfg, IndirectJumpWithUnknownTargetsMeetsWhereItReturnsTo) {
  const Program p = assemble("  lw t1, 0(a0)\n  jr t1");
  const auto all = control_flow(p);
  EXPECT_EQ(function(all, "k").indirect_jumps, std::vector<Pc>{at(p, 1)});
  EXPECT_EQ(p.at(at(p, 1))->rpc, kReturnRpc);
  EXPECT_EQ(p.branches_without_rpc, 0u);
}

TEST(ProgramCfg, CalleesOfAnIndirectCallMeetBehindIt) {
  const Program p = assemble("  lw t1, 0(a0)\n  mv s0, ra\n  jalr t1\n  mv ra, s0\n  ret");
  const auto all = control_flow(p);
  const FunctionCfg& k = function(all, "k");
  EXPECT_EQ(k.blocks.size(), 1u);
  EXPECT_EQ(k.indirect_calls, std::vector<Pc>{at(p, 2)});
  EXPECT_EQ(p.at(at(p, 2))->rpc, at(p, 3));
  EXPECT_EQ(p.branches_without_rpc, 0u);
}

TEST(ProgramCfg, FarTailCallIsFollowed) {
  const Program p =
      assemble("  tail helper", "  .type helper, @function\nhelper:\n  ret\n  .size helper, . - helper\n");
  EXPECT_EQ(function(control_flow(p), "k").blocks[0].terminator, Terminator::kTailCall);
  EXPECT_TRUE(function(control_flow(p), "k").indirect_jumps.empty());
}

TEST(ProgramCfg, JumpTableIsRead) {
  const Program p = compile("k.c", R"(
#include <heddle/kernel.h>
__global__ void k(int* a, int n) {
  switch (a[0]) {
    case 0: a[1] = n / 3; break;
    case 1: a[2] = n % 5; break;
    case 2: a[3] ^= n; break;
    case 3: a[4] -= a[5]; break;
    case 4: a[6] = 4; break;
    case 5: a[7] *= n; break;
    case 6: a[8] |= 12; break;
  }
  a[9] = n;
}
)",
                            "-fjump-tables");
  const auto all = control_flow(p);
  const FunctionCfg& k = function(all, "k");
  EXPECT_TRUE(k.indirect_jumps.empty());
  const auto jump = std::find_if(k.blocks.begin(), k.blocks.end(),
                                 [](const BasicBlock& b) { return b.terminator == Terminator::kTableJump; });
  ASSERT_NE(jump, k.blocks.end());
  EXPECT_EQ(jump->successors.size(), 7u);
  const Instruction* i = p.at(jump->end - 4);
  EXPECT_EQ(i->op, Op::kJalr);
  ASSERT_NE(p.at(i->rpc), nullptr);
  EXPECT_EQ(p.source_line(i->rpc).line, 13u) << p.where(i->rpc);
  EXPECT_EQ(p.branches_without_rpc, 0u);
}

// Two dense switches: the first one's table lies right in front of the second one's. The first has seven cases and a
// default, the second eight; `index` and `other` are what they switch on.
std::string two_switches(const std::string& index, const std::string& other, const std::string& first_label = "0",
                         const std::string& name = "k") {
  std::string text = "#include <heddle/kernel.h>\n__global__ void " + name +
                     "(int* a, unsigned n, unsigned char c, short h) {\n  int x = a[0];\n  switch (" + index + ") {\n";
  const char* work[] = {"x = x / 3", "x = x % 5", "x ^= n", "x -= n * 7", "a[4] = x", "x *= n", "x |= 12", "a[7] = n"};
  for (int n = 0; n < 7; ++n)
    text += "    case " + first_label + " + " + std::to_string(n) + ": " + work[n] + "; break;\n";
  text += "    default: a[9] = 1;\n  }\n  a[1] = x;\n  switch (" + other + ") {\n";
  for (int n = 0; n < 8; ++n)
    text += "    case " + std::to_string(n) + ": " + work[n] + "; a[2] = x + " + std::to_string(n) + "; break;\n";
  return text + "  }\n  a[3] = x;\n}\n";
}

void expect_two_switches(const Program& p, const std::string& what, const std::string& name = "k") {
  const auto all = control_flow(p);
  const FunctionCfg& k = function(all, name);
  EXPECT_TRUE(k.indirect_jumps.empty()) << what;
  std::set<std::set<std::size_t>> found;  // a compiler may copy the jump
  std::set<Pc> meets;
  unsigned jumps = 0;
  for (const Branch& b : k.branches) {
    const BasicBlock& block = k.blocks[b.block];
    if (block.terminator != Terminator::kTableJump) continue;
    found.emplace(block.successors.begin(), block.successors.end());
    meets.insert(b.rpc);
    ++jumps;
    ASSERT_NE(p.at(b.rpc), nullptr) << what;
  }
  ASSERT_EQ(found.size(), 2u) << what;
  const std::vector<std::set<std::size_t>> targets(found.begin(), found.end());
  // The compiler may test for one case apart, or let the default into the table.
  for (const auto& t : targets) EXPECT_TRUE(t.size() >= 6 && t.size() <= 8) << what << ": " << t.size();
  for (const std::size_t s : targets[0]) EXPECT_EQ(targets[1].count(s), 0u) << what;
  EXPECT_TRUE(jumps != 2 || meets.size() == 2) << what;
}

TEST(ProgramCfg, TablesOfNeighbouringSwitchesAreToldApart) {
  const std::vector<std::pair<std::string, std::string>> indices = {{"n", "0"},      {"x", "10"},
                                                                    {"c", "3"},      {"h", "-2"},
                                                                    {"x & 15", "0"}, {"(n >> 4) & 15", "1"},
                                                                    {"c & 7", "1"},  {"(signed char)x", "0"}};
  std::string text;
  unsigned number = 0;
  for (const auto& [index, label] : indices)
    text += two_switches(index, "(n >> 3) & 7", label, "k" + std::to_string(number++));
  for (const char* level : {"-O0", "-O1", "-O2", "-O3", "-Os"}) {
    const std::string flags = std::string("-fjump-tables -fno-tree-switch-conversion --no-barrier-check ") + level;
    const Program p = compile("k.c", text, flags);
    for (std::size_t i = 0; i < indices.size(); ++i)
      expect_two_switches(p, indices[i].first + " " + flags, "k" + std::to_string(i));
  }
}

TEST(ProgramCfg, TablesOfDistancesAreReadToo) {
  for (const char* flags : {"-O2 -fPIC", "-O0 -fPIC", "-Os -mcmodel=medany", "-O2 -mcmodel=medany"}) {
    expect_two_switches(compile("k.c", two_switches("x", "n >> 29", "5"), std::string("-fjump-tables ") + flags),
                        flags);
  }
}

TEST(ProgramCfg, TablesOfClangAreRead) {
  const Scratch scratch;
  if (test::run(scratch, "clang --target=riscv32 --version").status != 0) GTEST_SKIP() << "no clang for RISC-V";
  for (const char* flags : {"-O0", "-O2", "-O2 -fPIC", "-Os -mcmodel=medany"}) {
    std::string source = two_switches("x", "n & 7", "2");
    source.replace(0, source.find('\n'), "#define __global__ __attribute__((visibility(\"protected\")))");
    test::write_file(scratch / "k.c", source);
    const auto result = test::run(scratch, std::string("clang --target=riscv32 -march=rv32imaf -mabi=ilp32f ") + flags +
                                               " -S k.c -o k.s && sed -i '/addrsig/d;/attribute/d' k.s && " +
                                               HEDDLE_CC + " k.s -o k.elf");
    ASSERT_EQ(result.status, 0) << result.err;
    expect_two_switches(load_program(scratch / "k.elf"), flags);
  }
}

// The check in front of a jump, in every form, around one table of four entries whose neighbour belongs to the
// function, too.
TEST(ProgramCfg, BoundOfATableIsTakenFromEveryFormOfCheck) {
  const std::pair<const char*, unsigned> checks[] = {
      {"li t0, 3\n bgtu a0, t0, 9f", 4},
      {"li t0, 3\n bltu t0, a0, 9f", 4},
      {"li t0, 4\n bgeu a0, t0, 9f", 4},
      {"li t0, 3\n bleu a0, t0, 1f\n j 9f\n1:", 4},
      {"li t0, 4\n bltu a0, t0, 1f\n j 9f\n1:", 4},
      {"sltiu t0, a0, 4\n beqz t0, 9f", 4},
      {"sltiu t0, a0, 4\n bnez t0, 1f\n j 9f\n1:", 4},
      {"sltiu t0, a0, 4\n xori t0, t0, 1\n bnez t0, 9f", 4},
      {"li t0, 3\n sltu t0, t0, a0\n bnez t0, 9f", 4},
      {"bltz a0, 9f\n li t0, 3\n bgt a0, t0, 9f", 4},
      {"andi a0, a0, 3", 4},
      {"srli a0, a0, 30", 4},
      {"slli a0, a0, 30\n srli a0, a0, 30", 4},
      {"andi a0, a0, 7\n li t0, 4\n bge a0, t0, 9f", 4},
      {"addi a0, a0, -20\n li t0, 3\n bgtu a0, t0, 9f", 4},
      {"li t0, 3\n bgtu a0, t0, 9f\n mv t2, a0\n li a0, 0\n nop\n mv a0, t2", 4},
      {"andi t2, a0, 255\n li t0, 3\n bgtu t2, t0, 9f\n andi a0, a0, 255", 4},
      {"sw a0, -4(sp)\n lw t2, -4(sp)\n li t0, 3\n bgtu t2, t0, 9f\n lw a0, -4(sp)", 4},
      {"li t0, 3\n bgtu a0, t0, 9f\n beqz a1, 1f\n addi a2, a2, 1\n1:", 4},
      {"li t0, 3\n bgtu a0, t0, 9f\n beqz a0, 9f\n nop", 3},
      {"li t0, 3\n beqz a1, 1f\n nop\n1:\n bgtu a0, t0, 9f", 4},
      {"li t0, 3\n minu a0, a0, t0", 4},
      {"li t0, 2\n minu a0, t0, a0\n addi a0, a0, 1\n beqz a0, 9f", 3},
      {"li t0, 2\n min a0, a0, t0\n max a0, zero, a0", 3},
      {"max a0, a0, zero\n li t0, 3\n min a0, t0, a0", 4},
      {"li t0, -3\n max a0, a0, t0\n li t0, 0\n min a0, a0, t0\n addi a0, a0, 3", 4},
      {"li t0, 4\n remu a0, a0, t0", 4},
      {"li t0, 3\n remu a0, a0, t0\n addi a0, a0, 1\n beqz a0, 9f", 3},
      {"srli a0, a0, 1\n li t0, 4\n rem a0, a0, t0", 4},
      {"bext a0, a0, a1", 2},
      {"bexti a0, a0, 5", 2},
      {"zext.h a0, a0\n srli a0, a0, 14", 4},
  };
  const char* const addresses[] = {" slli a0, a0, 2\n lui t1, %hi(table)\n addi t1, t1, %lo(table)\n add a0, a0, t1\n",
                                   " lui t1, %hi(table)\n addi t1, t1, %lo(table)\n sh2add a0, a0, t1\n"};
  // A kernel each, with a table of its own.
  std::string text;
  unsigned number = 0;
  for (const auto& [check, entries] : checks) {
    for (std::string address : addresses) {
      const std::string own = std::to_string(number++);
      for (std::size_t at = 0; (at = address.find("(table)", at)) != std::string::npos; at += 6)
        address.insert(at + 6, own);
      text += in_kernel("k" + own, std::string(" ") + check + "\n" + address + R"(
 lw a0, 0(a0)
 jr a0
2: addi a2, a2, 1
 j 9f
3: addi a2, a2, 2
 j 9f
4: addi a2, a2, 3
 j 9f
5: addi a2, a2, 4
 j 9f
6: addi a2, a2, 5
9: ret
  .section .rodata
  .balign 4
table)" + own + R"(: .word 2b, 3b, 4b, 5b
  .word 6b, 6b, 6b, 6b
  .text)");
    }
  }
  const Program p = compile("k.S", text);
  const auto all = control_flow(p);
  for (unsigned k = 0; k < number; ++k) {
    const auto& [check, entries] = checks[k / 2];
    const auto& blocks = function(all, "k" + std::to_string(k)).blocks;
    const auto jump = std::find_if(blocks.begin(), blocks.end(),
                                   [](const BasicBlock& b) { return b.terminator == Terminator::kTableJump; });
    ASSERT_NE(jump, blocks.end()) << check;
    EXPECT_EQ(jump->successors.size(), entries) << check << "\n" << addresses[k % 2];
  }
}

// Nothing bounds either index, but code that forms an address of a table says that one begins there.
TEST(ProgramCfg, TablesWithoutABoundEndWhereOthersBegin) {
  const auto targets = [](const std::string& second, const std::string& tables) {
    const Program p = assemble(
        " lla t1, first\n sh2add a0, a0, t1\n lw a0, 0(a0)\n jr a0\n"
        "c0: addi a2, a2, 1\n j 1f\n"
        "c1: addi a2, a2, 2\n"
        "1: lla t1, " +
            second +
            "\n sh2add a1, a1, t1\n lw a1, 0(a1)\n jr a1\n"
            "c2: addi a2, a2, 3\n j 9f\n"
            "c3: addi a2, a2, 4\n"
            "9: ret\n",
        "  .section .rodata\n  .balign 4\n" + tables + "  .text\n");
    const auto all = control_flow(p);
    std::vector<std::size_t> found;
    for (const BasicBlock& b : kernel(all).blocks)
      if (b.terminator == Terminator::kTableJump) found.push_back(b.successors.size());
    return found;
  };
  EXPECT_EQ(targets("second", "first: .word c0, c1\nsecond: .word c2, c3\n"), (std::vector<std::size_t>{2, 2}));
  // Two places of one object are no two tables.
  EXPECT_EQ(targets("first + 4", "  .type first, @object\n  .size first, 16\nfirst: .word c0, c1, c2, c3\n"),
            (std::vector<std::size_t>{4, 3}));
}

TEST(ProgramCfg, ComputedGotoGoesToTheLabelsWhoseAddressIsTaken) {
  const char* source = R"(
#include <heddle/kernel.h>
__global__ void k(int* a, int n) {
  static void* const table[] = {&&one, &&two, &&three};
  int x = a[0];
  goto *table[n];
one:
  x = x * 5 + a[1];
  if (x > 100) goto *table[x & 1];
two:
  x ^= a[2];
three:
  a[3] = x;
}
)";
  for (const char* flags : {"-O0", "-O1", "-O2", "-Os"}) {
    const Program p = compile("k.c", source, flags);
    const auto all = control_flow(p);
    const FunctionCfg& k = kernel(all);
    EXPECT_TRUE(k.indirect_jumps.empty()) << flags;
    std::size_t most = 0;
    for (const Branch& b : k.branches) {
      if (k.blocks[b.block].terminator == Terminator::kTableJump) {
        most = std::max(most, k.blocks[b.block].successors.size());
        EXPECT_NE(p.at(b.rpc), nullptr) << flags;
      }
    }
    EXPECT_EQ(most, 3u) << flags;
  }
}

TEST(ProgramCfg, AddressesOfLabelsFormedInCodeAreGotosTargets) {
  const Program p = assemble(R"(
  la t1, 1f
  la t2, 2f
  beqz a0, 3f
  mv t1, t2
3:
  jr t1
1:
  addi a1, a1, 1
2:
  addi a1, a1, 1
  ret
)");
  const auto all = control_flow(p);
  const FunctionCfg& k = kernel(all);
  EXPECT_TRUE(k.indirect_jumps.empty());
  EXPECT_EQ(k.branches.back().rpc, at(p, 8));
}

// Kernel `k` with a barrier; returns the rpc of the conditional branch on source line `line`.
Program barrier_kernel(const std::string& body, const std::string& before = "") {
  return compile("k.c",
                 "#include <heddle/kernel.h>\n" + before +
                     "\n__global__ void k(int* a, int n, int m) {\n  const int i = threadIdx.x;\n" + body + "\n}\n",
                 "-O1 --no-barrier-check");
}

// Does a path from pc to the kernel's first barrier, or call of `callee`, exist that passes no other branch?
bool leads_to_barrier(const Program& p, Pc pc) {
  for (int n = 0; n < 40; ++n, pc += 4) {
    const Instruction& i = *p.at(pc);
    if (i.barrier) return true;
    if (i.is_branch() || i.is_return()) return false;
    if (i.op == Op::kJal && i.rd == 0) pc += static_cast<Pc>(i.imm) - 4;
  }
  return false;
}

TEST(Barriers, ThreadsThatReturnEarlyDoNotKeepTheOthersFromThem) {
  for (const char* body :
       {"  if (i >= n) return;\n  a[i] = 1;\n  __syncthreads();\n  a[i + 1] = 2;",
        "  if (i >= n) goto out;\n  a[i] = 1;\n  __syncthreads();\n  a[i + 1] = 2;\nout:\n  a[i + 9] = m;",
        "  if (i >= n) { a[7] = 1; return; }\n  a[i] = 1;\n  __syncthreads();\n  a[i + 1] = a[2];"}) {
    const Program p = barrier_kernel(body);
    const auto all = control_flow(p);
    const Branch& first = kernel(all).branches.at(0);
    ASSERT_NE(p.at(first.rpc), nullptr) << body;
    EXPECT_TRUE(leads_to_barrier(p, first.rpc)) << body << p.where(first.rpc);
    EXPECT_FALSE(first.interleavable && first.rpc == kReturnRpc);
  }
}

TEST(Barriers, MeetAtTheBarrierInCodeAndBehindItAsBefore) {
  const Program p = assemble(R"(
  beqz a0, 4f
  beqz a1, 1f
  addi a2, a2, 1
1:
  .word 0x0000000b
  beqz a2, 2f
  addi a2, a2, 1
2:
  addi a2, a2, 1
4:
  ret
)");
  ASSERT_TRUE(p.at(at(p, 3))->barrier);
  EXPECT_EQ(rpc(p, 0), at(p, 1)) << "the only side that goes on";
  EXPECT_EQ(rpc(p, 1), at(p, 3)) << "the barrier itself";
  EXPECT_EQ(rpc(p, 4), at(p, 6)) << "no barrier between";
}

TEST(Barriers, CallOfAFunctionThatMayWaitCountsAsOneHoweverItIsCalled) {
  for (const char* call : {"call waits", "lui t1, %hi(waits)\n  addi t1, t1, %lo(waits)\n  jalr t1", "call between",
                           "la a5, table\n  lw t1, 0(a5)\n  jalr t1"}) {
    const Program p = assemble(std::string("  beqz a0, 1f\n  ") + call + "\n1:\n  addi a1, a1, 1\n  ret",
                               "  .type waits, @function\nwaits:\n  .word 0x0000000b\n  ret\n  .size waits, . - waits\n"
                               "  .type between, @function\nbetween:\n  tail waits\n  .size between, . - between\n"
                               "  .data\ntable: .word waits\n");
    EXPECT_EQ(rpc(p, 0), at(p, 1)) << call;
  }
  const Program p = assemble("  beqz a0, 1f\n  lw t1, 0(a5)\n  jalr t1\n1:\n  addi a1, a1, 1\n  ret",
                             "  .type waits, @function\nwaits:\n  .word 0x0000000b\n  ret\n  .size waits, . - waits\n");
  EXPECT_EQ(rpc(p, 0), at(p, 3)) << "nobody takes the address of the function that waits";
}

TEST(Barriers, OfACalleeIsSureAndBehindAPointerPossible) {
  const std::string waits = "  .type waits, @function\nwaits:\n  .word 0x0000000b\n  ret\n  .size waits, . - waits\n";
  const std::string goes_on = "  .type goes_on, @function\ngoes_on:\n  ret\n  .size goes_on, . - goes_on\n";
  const auto barrier = [](const std::string& call, const std::string& functions) {
    const Program p = assemble("  beqz a0, 1f\n" + call + "1:\n  ret", functions);
    Barrier worst = Barrier::kNone;
    const auto all = control_flow(p);
    for (const BasicBlock& block : function(all, "k").blocks) worst = std::max(worst, block.barrier);
    return worst;
  };
  const std::string by_pointer = "  la a4, table\n  lw t1, 0(a5)\n  jalr t1\n";
  const std::string by_table = "  slli a1, a1, 2\n  la a5, table\n  add a5, a5, a1\n  lw t1, 0(a5)\n  jalr t1\n";
  EXPECT_EQ(barrier("  call waits\n", waits), Barrier::kSure);
  EXPECT_EQ(barrier("  call goes_on\n", goes_on + waits), Barrier::kNone);
  EXPECT_EQ(barrier(by_pointer, waits + "  .data\ntable: .word waits\n"), Barrier::kPossible);
  EXPECT_EQ(barrier(by_table, waits + goes_on + "  .data\ntable: .word waits, goes_on\n"), Barrier::kPossible);
  EXPECT_EQ(barrier(by_pointer, waits + goes_on + "  .data\ntable: .word goes_on\n"), Barrier::kNone);
}

TEST(Barriers, EarlyReturnInsideIfsAndLoops) {
  const Program p = barrier_kernel(R"(
  int s = 0;
  for (int r = 0; r < m; ++r) {
    if (a[i] > r) {
      if (a[i] > n) return;
      s += a[i];
    }
    __syncthreads();
    a[i] = s;
  })");
  unsigned found = 0;
  const auto all = control_flow(p);
  for (const Branch& b : kernel(all).branches) {
    const unsigned line = p.source_line(b.pc).line;
    if (line != 8 && line != 9) continue;
    ASSERT_NE(p.at(b.rpc), nullptr) << p.where(b.pc);
    EXPECT_TRUE(line == 8 ? leads_to_barrier(p, b.rpc) : true) << p.where(b.pc);
    ++found;
  }
  EXPECT_EQ(found, 2u);
}

TEST(ProgramCfg, EndlessLoopHasNoReconvergencePoint) {
  const Program p = assemble("1:\n  beqz a0, 2f\n  addi a0, a0, -1\n2:\n  j 1b");
  EXPECT_EQ(p.at(at(p, 0))->rpc, kNoRpc);
  EXPECT_EQ(p.branches_without_rpc, 1u);
}

TEST(ProgramCfg, BranchToItsOwnNextInstructionIsNotInterleavable) {
  const Program p = assemble("  beqz a0, 1f\n1:\n  ret");
  const auto all = control_flow(p);
  const Branch& b = function(all, "k").branches.at(0);
  EXPECT_FALSE(b.interleavable);
}

TEST(ProgramCfg, InterleavableMeansBothSidesHoldCode) {
  const Program p = assemble(R"(
  beqz a0, 1f
  addi a1, a1, 1
1:
  bnez a2, 2f
  addi a1, a1, 2
  j 3f
2:
  addi a1, a1, 3
3:
  ret
)");
  const auto all = control_flow(p);
  const FunctionCfg& k = function(all, "k");
  ASSERT_EQ(k.branches.size(), 2u);
  EXPECT_FALSE(k.branches[0].interleavable);
  EXPECT_TRUE(k.branches[1].interleavable);
  EXPECT_TRUE(k.branches[0].structured);
  EXPECT_TRUE(k.branches[1].structured);
}

TEST(ProgramCfg, ShortForwardBranchesOverPlainInstructionsCanBePredicated) {
  const auto skip = [](const std::string& between, const std::string& more = "") {
    const Program p = assemble("  beqz a0, 1f\n" + between + "1:\n  addi a2, a2, 1\n  ret\n" + more,
                               "  .type f, @function\nf:\n  ret\n  .size f, . - f\n");
    return unsigned{p.at(at(p, 0))->skip};
  };
  std::string plain;
  EXPECT_EQ(skip(plain), 0u) << "over nothing";
  for (unsigned n = 1; n <= 10; ++n) {
    plain += n % 2 == 0 ? "  addi a1, a1, 1\n" : "  sw a1, 0(a3)\n";
    EXPECT_EQ(skip(plain), n <= kMaxSkip ? n : 0) << n;
  }
  for (const char* other : {"  j 1f\n", "  beqz a1, 1f\n", "  jal f\n", "  jalr a1\n", "  ret\n", "  ecall\n",
                            "  ebreak\n", "  .word 0x0000000b\n", "  .word 0\n"}) {
    EXPECT_EQ(skip(std::string("  addi a1, a1, 1\n") + other), 0u) << other;
  }
  EXPECT_EQ(skip("  addi a1, a1, 1\n2:\n  addi a1, a1, 1\n", "  j 2b\n"), 2u) << "a jump into it is no matter";
  EXPECT_EQ(skip("  addi a1, a1, 1\n2:\n  addi a1, a1, 1\n", "  beqz a3, 2b\n  addi a1, a1, 1\n  j 2b\n"), 0u)
      << "the sides of a branch meet inside";
  const Program back = assemble("1:\n  addi a0, a0, -1\n  bnez a0, 1b\n  ret");
  EXPECT_EQ(back.at(at(back, 1))->skip, 0u);
}

TEST(ProgramCfg, CodeWithoutASymbolIsAnalysedToo) {
  const Program p = assemble("  ret", "  .balign 4\nlocal:\n  beqz a0, 1f\n  nop\n1:\n  ret\n");
  EXPECT_EQ(p.at(at(p, 1))->rpc, at(p, 3));
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A quadratic analysis takes minutes here; of the time allowed the linear one needs a small part.
TEST(ProgramCfg, HundredThousandBranchesInOneFunctionTakeNoLongTime) {
  const Scratch scratch;
  std::string text = "  .text\n  .globl k\n  .type k, @function\nk:\n";
  for (int n = 0; n < 100000; ++n) {
    const std::string label = std::to_string(n);
    text += "  beqz a0, l" + label + "\n  addi a1, a1, 1\nl" + label + ":\n";
    if (n % 50 == 0) text += "h" + label + ":\n";
    if (n % 50 == 49) text += "  addi a0, a0, -1\n  bnez a0, h" + std::to_string(n - 49) + "\n";
    if (n % 100 == 7) text += "  .word 0x0000000b\n";
  }
  test::write_file(scratch / "k.S", text + "  ret\n  .size k, . - k\n");
  const auto result = test::run(scratch, std::string(HEDDLE_CC) + " k.S -o k.elf");
  ASSERT_EQ(result.status, 0) << result.err;
  const double begin = cpu_seconds();
  const Program p = load_program(scratch / "k.elf");
  EXPECT_LT(cpu_seconds() - begin, 20.0);
  const auto all = control_flow(p);
  EXPECT_GT(kernel(all).branches.size(), 100000u);
}

TEST(ProgramCfg, ThousandsOfSwitchesInOneFunctionTakeNoLongTime) {
  const Scratch scratch;
  std::string text = "  .text\n  .globl k\n  .type k, @function\nk:\n", tables;
  const int count = 10000;
  for (int n = 0; n < count; ++n) {
    const std::string id = std::to_string(n);
    text += "  li t0, 1\n  bgtu a0, t0, e" + id + "\n  slli t1, a0, 2\n  la t2, t" + id +
            "\n  add t1, t1, t2\n  lw t1, 0(t1)\n  jr t1\n" + "a" + id + ": addi a1, a1, 1\n  j e" + id + "\nb" + id +
            ": addi a1, a1, 2\ne" + id + ":\n";
    tables += "t" + id + ": .word a" + id + ", b" + id + "\n";
  }
  test::write_file(scratch / "k.S", text + "  ret\n  .size k, . - k\n  .section .rodata\n" + tables);
  const auto result = test::run(scratch, std::string(HEDDLE_CC) + " k.S -o k.elf");
  ASSERT_EQ(result.status, 0) << result.err;
  const double begin = cpu_seconds();
  const Program p = load_program(scratch / "k.elf");
  EXPECT_LT(cpu_seconds() - begin, 20.0);
  const auto all = control_flow(p);
  EXPECT_EQ(kernel(all).branches.size(), 2u * count);
  for (const Branch& b : kernel(all).branches) ASSERT_LE(kernel(all).blocks[b.block].successors.size(), 2u);
}

TEST(ProgramCfg, AnalysingAgainChangesNothing) {
  Program p = compile("k.c", "int k(int n) { int s = 0; while (n) { if (n & 1) s += n / 3; n >>= 1; } return s; }");
  const unsigned without = p.branches_without_rpc;
  std::vector<Pc> before, after;
  for (const Instruction& i : p.text) before.push_back(i.rpc);
  analyse(p);
  for (const Instruction& i : p.text) after.push_back(i.rpc);
  EXPECT_EQ(before, after);
  EXPECT_EQ(p.branches_without_rpc, without);
}

// The reconvergence point of a branch by the definition, on single instructions and without blocks: the first
// instruction that every path to a return passes, found by taking instructions out one by one. If a barrier lies before
// it: the first that every path to a first barrier passes.
class InstructionGraph {
 public:
  InstructionGraph(const Program& program, const FunctionCfg& f) : program_(program), begin_(f.begin), end_(f.end) {}

  [[nodiscard]] Pc reconvergence(Pc branch) const {
    const bool leaves = search(next_of(branch), 0, Goal::kLeave);
    const Pc post = leaves ? first_common(branch, Goal::kLeave) : kNoRpc;
    if (search(next_of(branch), post, Goal::kBarrier)) return first_common(branch, Goal::kBarrier);
    return leaves && post == kNoRpc ? kReturnRpc : post;
  }

 private:
  enum class Goal { kLeave, kBarrier };

  [[nodiscard]] Pc first_common(Pc branch, Goal goal) const {
    std::vector<Pc> passed;
    for (Pc pc = begin_; pc < end_; pc += 4) {
      if (pc != branch && !search(next_of(branch), pc, goal)) passed.push_back(pc);
    }
    for (const Pc candidate : passed) {
      const bool first = std::all_of(passed.begin(), passed.end(),
                                     [&](Pc other) { return other == candidate || !search({candidate}, other, goal); });
      if (first) return candidate;
    }
    return kNoRpc;
  }
  [[nodiscard]] bool is_barrier(Pc pc) const {
    const Instruction& i = *program_.at(pc);
    if (i.op != Op::kJal || i.rd == 0) return i.barrier;
    const auto callee =
        std::find_if(program_.functions.begin(), program_.functions.end(),
                     [&](const Program::Function& f) { return f.begin == pc + static_cast<Pc>(i.imm); });
    if (callee == program_.functions.end()) return false;
    for (Pc in = callee->begin; in < callee->end; in += 4) {
      if (program_.at(in)->barrier) return true;
    }
    return false;
  }
  [[nodiscard]] std::vector<Pc> next_of(Pc pc) const {
    const Instruction& i = *program_.at(pc);
    std::vector<Pc> next;
    if (i.is_branch() || (i.op == Op::kJal && i.rd == 0)) next.push_back(pc + static_cast<Pc>(i.imm));
    if (!(i.is_jump() && i.rd == 0)) next.push_back(pc + 4);
    return next;
  }
  [[nodiscard]] bool search(std::vector<Pc> work, Pc removed, Goal goal) const {
    std::set<Pc> seen;
    while (!work.empty()) {
      const Pc pc = work.back();
      work.pop_back();
      if (pc == removed || !seen.insert(pc).second) continue;
      const Instruction& i = *program_.at(pc);
      if (goal == Goal::kLeave && i.op == Op::kJalr && i.rd == 0) return true;
      if (goal == Goal::kBarrier && is_barrier(pc)) return true;
      for (const Pc next : next_of(pc)) work.push_back(next);
    }
    return false;
  }

  const Program& program_;
  Pc begin_, end_;
};

// A mixture of loops, early returns, short circuits and calls; every branch of it is checked.
constexpr const char* kMixture = R"(
#include <heddle/kernel.h>
static __device__ __attribute__((noinline)) void step(int* tile, int i, int n) {
  if (i < n) tile[i] += tile[63 - i];
  __syncthreads();
}
static __device__ __attribute__((noinline)) int search(const int* a, int n, int key) {
  for (int i = 0; i < n; ++i) {
    if (a[i] == key) return i;
    if (a[i] < 0 && (key > 5 || a[i] < -7)) break;
    for (int j = i; j < n; j += a[i] + 1) {
      if (a[j] == 3) continue;
      if (a[j] == 4) goto out;
      key += a[j];
    }
  }
out:
  return key > 100 ? -1 : key;
}
__global__ void k(int* a, int n) {
  const int i = threadIdx.x;
  __shared__ int tile[64];
  tile[i] = a[i];
  __syncthreads();
  if (i >= n) return;
  switch (tile[i] & 7) {
    case 0: a[i] = search(a, n, i); break;
    case 1: a[i] = search(a, n, -i); /* and on */
    case 2: a[i + 1]++; break;
    case 5: while (a[i] > 0) { a[i] -= 3; if (a[i] == 77) return; } break;
    default: do { a[i] >>= 1; } while (a[i] > n && tile[63 - i] < a[i]);
  }
  atomicAdd(&a[0], 1);
}
__global__ void phases(int* a, int n, int m) {
  const int i = threadIdx.x;
  __shared__ int tile[64];
  if (i >= n) return;
  tile[i] = a[i];
  for (int round = 0; round < m; ++round) {
    if (tile[i] < 0 && round > 3) { if (tile[i] > -9) return; a[i] = 3; goto out; }
    __syncthreads();
    if (i & round) tile[i] += tile[i ^ round]; else if (i > 40) tile[i]--;
    step(tile, i, n - round);
    while (tile[i] > 100) tile[i] /= 3;
  }
  if (m > 7) { step(tile, i, n); if (tile[i] == 5) return; step(tile, i + 1, n); }
  a[i] = tile[i];
out:
  if (a[i] > 5) a[i] = 5;
}
)";

TEST(ProgramCfg, EveryBranchOfCompiledCodeEqualsTheDefinition) {
  for (const char* flags : {"-O2", "-O1", "-O0", "-Os", "-O2 --no-one-ret", "-O2 -mbranch-cost=1"}) {
    const Program p = compile("k.c", kMixture, flags);
    unsigned branches = 0;
    for (const FunctionCfg& f : control_flow(p)) {
      const InstructionGraph graph(p, f);
      for (const Branch& b : f.branches) {
        EXPECT_EQ(b.rpc, graph.reconvergence(b.pc)) << flags << ": " << p.where(b.pc);
        EXPECT_EQ(b.rpc, p.at(b.pc)->rpc);
        ++branches;
      }
    }
    EXPECT_GT(branches, 15u) << flags;
  }
}

TEST(ProgramCfg, BlocksCoverEachFunctionOnceAndEdgesLeadToTheirStarts) {
  const Program p = compile("k.c", kMixture);
  for (const FunctionCfg& f : control_flow(p)) {
    Pc pc = f.begin;
    for (const BasicBlock& b : f.blocks) {
      EXPECT_EQ(b.begin, pc);
      EXPECT_GT(b.end, b.begin);
      pc = b.end;
      for (Pc inner = b.begin; inner + 4 < b.end; inner += 4) EXPECT_FALSE(p.at(inner)->is_branch());
      for (const std::size_t s : b.successors) EXPECT_LT(s, f.blocks.size());
    }
    EXPECT_EQ(pc, f.end);
  }
}

TEST(CfgDump, TextHasALineForEveryBranchAndTotals) {
  const Program p = compile("k.c", kMixture);
  const auto all = control_flow(p);
  std::ostringstream out;
  write_cfg_text(p, all, out);
  const std::string text = out.str();
  EXPECT_NE(text.find("kernel k  "), std::string::npos);
  for (const FunctionCfg& f : all) {
    for (const Branch& b : f.branches) EXPECT_NE(text.find(p.disassemble(b.pc)), std::string::npos);
  }
  const CfgTotals t = totals_of(all);
  EXPECT_NE(text.find("total: " + std::to_string(t.functions) + " functions, " + std::to_string(t.blocks) +
                      " blocks, " + std::to_string(t.branches) + " branches; "),
            std::string::npos)
      << text;
  EXPECT_GT(t.unstructured, 0u);
  EXPECT_EQ(t.without_rpc, p.branches_without_rpc);
}

TEST(CfgDump, JsonHoldsTheWholeGraph) {
  const Program p = compile("k.c", kMixture);
  const auto all = control_flow(p);
  std::ostringstream out;
  write_cfg_json(p, all, out);
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json.at("kernels").at(0).at("name"), "k");
  ASSERT_EQ(json.at("functions").size(), all.size());
  for (std::size_t n = 0; n < all.size(); ++n) {
    const auto& f = json["functions"][n];
    ASSERT_EQ(f.at("blocks").size(), all[n].blocks.size());
    ASSERT_EQ(f.at("branches").size(), all[n].branches.size());
    for (std::size_t b = 0; b < all[n].branches.size(); ++b) {
      const auto& branch = f["branches"][b];
      EXPECT_EQ(std::stoul(branch.at("pc").get<std::string>(), nullptr, 16), all[n].branches[b].pc);
      EXPECT_EQ(branch.at("structured"), all[n].branches[b].structured);
      EXPECT_EQ(branch.at("interleavable"), all[n].branches[b].interleavable);
      EXPECT_EQ(branch.at("skip"), p.at(all[n].branches[b].pc)->skip);
      const Pc meets = all[n].branches[b].rpc;
      EXPECT_EQ(branch.at("meets"), meets == kNoRpc ? "never" : meets == kReturnRpc ? "return" : "pc");
      if (meets == kNoRpc || meets == kReturnRpc) {
        EXPECT_TRUE(branch.at("rpc").is_null());
      } else {
        EXPECT_EQ(std::stoul(branch.at("rpc").get<std::string>(), nullptr, 16), all[n].branches[b].rpc);
      }
    }
  }
  EXPECT_EQ(json.at("totals").at("branches"), totals_of(all).branches);
}

TEST(CfgDump, RomHasAWordForEveryInstruction) {
  const Program p = compile("k.c", kMixture);
  std::ostringstream out;
  write_rpc_rom(p, control_flow(p), out);
  std::istringstream lines(out.str());
  std::string line;
  std::size_t words = 0;
  unsigned branches = 0;
  while (std::getline(lines, line)) {
    if (line == "@0" || line.rfind("//", 0) == 0) continue;
    const Pc pc = p.text_begin + 4 * static_cast<Pc>(words++);
    ASSERT_NE(p.at(pc), nullptr);
    const std::uint64_t word = std::stoull(line.substr(0, 9), nullptr, 16);
    EXPECT_EQ(static_cast<Pc>(word), p.at(pc)->rpc) << line;
    EXPECT_EQ(word >> 32, p.at(pc)->skip) << line;
    EXPECT_EQ(std::stoul(line.substr(line.find("// ") + 3), nullptr, 16), pc) << line;
    branches += word != 0;
  }
  EXPECT_EQ(words, p.text.size());
  EXPECT_GT(branches, 0u);
}

TEST(CfgDump, RomSaysNoneReturnAndSkip) {
  const Program p = assemble("  beqz a0, 1f\n  addi a0, a0, 1\n1:\n  beqz a1, 2f\n  ret\n2:\n  addi a0, a0, 2\n  ret");
  std::ostringstream out;
  write_rpc_rom(p, control_flow(p), out);
  EXPECT_NE(out.str().find("\n110000008  // 10000000 "), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("\n000000001  // "), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("\n000000000  // "), std::string::npos) << out.str();
}

TEST(CfgDump, SidesThatMeetWhereTheFunctionReturnsToAreNamedSo) {
  const Program p = assemble("  beqz a0, 1f\n  addi a0, a0, 1\n  ret\n1:\n  ret");
  const auto all = control_flow(p);
  std::ostringstream text, dot, json;
  write_cfg_text(p, all, text);
  write_cfg_dot(p, all, dot);
  write_cfg_json(p, all, json);
  EXPECT_NE(text.str().find(" return  "), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("0 without reconvergence point, 1 that meet where they return to, 0 indirect"),
            std::string::npos)
      << text.str();
  EXPECT_NE(dot.str().find("_return\" [style=dashed"), std::string::npos) << dot.str();
  const auto document = nlohmann::json::parse(json.str());
  EXPECT_EQ(document.at("totals").at("without_rpc"), 0);
  EXPECT_EQ(document.at("totals").at("at_return"), 1);
}

// A loop that is left in two places, and an if-else on the way back.
constexpr const char* kTwoExits =
    "  li a1, 0\n1:\n  addi a1, a1, 1\n  beqz a0, 4f\n  addi a0, a0, -1\n  beq a0, a2, 4f\n"
    "  bltz a0, 2f\n  nop\n  j 3f\n2:\n  addi a2, a2, 1\n3:\n  addi a2, a2, 1\n  j 1b\n4:\n  ret";

TEST(CfgDump, UnstructuredEdgesAndRegionsAreMarked) {
  const Program p = assemble(kTwoExits);
  const auto all = control_flow(p);
  std::ostringstream text, dot, json;
  write_cfg_text(p, all, text);
  write_cfg_dot(p, all, dot);
  write_cfg_json(p, all, json);
  const auto document = nlohmann::json::parse(json.str());
  const auto& function = document.at("functions").at(0);
  EXPECT_EQ(function.at("structured"), false);
  std::size_t unstructured = 0;
  for (const auto& edge : function.at("edges")) {
    const bool out = edge.at("to") == function.at("blocks").back().at("begin");
    EXPECT_EQ(edge.at("structured"), !out);
    EXPECT_EQ(edge.at("conditions"), out ? nlohmann::json{3} : nlohmann::json::array());
    unstructured += out;
  }
  EXPECT_EQ(unstructured, 2u);
  ASSERT_EQ(function.at("regions").size(), 1u);
  const auto& region = function["regions"][0];
  EXPECT_EQ(region.at("entry"), function.at("blocks").at(0).at("begin"));
  EXPECT_TRUE(region.at("exit").is_null());
  EXPECT_EQ(region.at("blocks").size(), function["blocks"].size() - 1);
  ASSERT_EQ(region.at("structured_parts").size(), 1u);
  EXPECT_EQ(region["structured_parts"][0].at("blocks").size(), 4u);
  EXPECT_EQ(document.at("totals").at("unstructured_edges"), 2);
  EXPECT_EQ(document["totals"].at("unstructured_regions"), 1);
  EXPECT_EQ(document["totals"].at("unstructured_functions"), 1);
  EXPECT_EQ(document["totals"].at("missed_functions"), 0);

  EXPECT_NE(text.str().find(", condition 3\n"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("  unstructured region from "), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("    structured part "), std::string::npos) << text.str();
  EXPECT_NE(
      text.str().find(
          "; 2 unstructured edges in 1 regions, 1 unstructured functions, 0 of them outside of the regions, too\n"),
      std::string::npos)
      << text.str();
  EXPECT_NE(dot.str().find(" unstructured 3\", color=red];"), std::string::npos) << dot.str();
  EXPECT_NE(dot.str().find("subgraph \"cluster_region_"), std::string::npos) << dot.str();
  EXPECT_NE(dot.str().find("subgraph \"cluster_part_"), std::string::npos) << dot.str();
}

TEST(CfgDump, WhatDefinition1MissesIsNamed) {
  // if (a0) { if (a1) goto end; nop; } nop; end: ret
  const Program p = assemble("  beqz a0, 1f\n  bnez a1, 2f\n  nop\n1:\n  nop\n2:\n  ret");
  const auto all = control_flow(p);
  std::ostringstream text, json;
  write_cfg_text(p, all, text);
  write_cfg_json(p, all, json);
  EXPECT_NE(text.str().find("  unstructured without such an edge: 4 blocks 0x"), std::string::npos) << text.str();
  const auto document = nlohmann::json::parse(json.str());
  EXPECT_EQ(document.at("functions").at(0).at("structured"), false);
  EXPECT_EQ(document["functions"][0].at("unstructured_edges"), 0);
  EXPECT_EQ(document["functions"][0].at("missed").size(), 4u);
  EXPECT_EQ(document.at("totals").at("missed_functions"), 1);
}

TEST(CfgDump, DotHasANodeForEveryBlockAndAnEdgeForEverySuccessor) {
  const Program p = compile("k.c", kMixture);
  const auto all = control_flow(p);
  std::ostringstream out;
  write_cfg_dot(p, all, out);
  const std::string dot = out.str();
  std::size_t edges = 0, dashed = 0, nodes = 0, expected_edges = 0, expected_dashed = 0, expected_nodes = 0;
  std::istringstream lines(dot);
  for (std::string line; std::getline(lines, line);) {
    const bool dash = line.find("style=dashed") != std::string::npos;
    dashed += dash;
    edges += !dash && line.find(" -> ") != std::string::npos;
    nodes += line.find("\\l\"];") != std::string::npos;
  }
  for (const FunctionCfg& f : all) {
    expected_nodes += f.blocks.size();
    for (const BasicBlock& b : f.blocks) expected_edges += b.successors.size();
    for (const Branch& b : f.branches) expected_dashed += b.rpc != kNoRpc;
  }
  EXPECT_EQ(nodes, expected_nodes);
  EXPECT_EQ(edges, expected_edges);
  EXPECT_EQ(dashed, expected_dashed);
  EXPECT_EQ(std::count(dot.begin(), dot.end(), '{'), std::count(dot.begin(), dot.end(), '}'));
}

}  // namespace
}  // namespace heddle::program_cfg_test
