// SPDX-License-Identifier: Apache-2.0
// Control-flow graphs of compiled and hand-written programs, and what is printed of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "program/cfg.h"
#include "program/cfg_dump.h"
#include "program/loader.h"
#include "support.h"

namespace heddle {
namespace {

using test::Scratch;

Program compile(const std::string& name, const std::string& text, const std::string& flags = "") {
  const Scratch scratch;
  test::write_file(scratch / name, text);
  const auto result = test::run(scratch, std::string(HEDDLE_CC) + " " + flags + " " + name + " -o program.elf");
  if (result.status != 0) throw std::runtime_error(result.err);
  return load_program(scratch / "program.elf");
}

// Assembly around one kernel `k`.
Program assemble(const std::string& body, const std::string& more = "") {
  return compile("k.S", "  .text\n  .globl k\n  .type k, @function\nk:\n" + body + "\n  .size k, . - k\n" + more);
}

const FunctionCfg& function(const std::vector<FunctionCfg>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const FunctionCfg& f) { return f.name == name; });
  if (found == all.end()) throw std::runtime_error("no function " + name);
  return *found;
}

// Instruction number `n` of the kernel k.
Pc at(const Program& p, unsigned n) { return p.kernel("k")->entry + 4 * n; }

TEST(ProgramCfg, ConditionalReturnReconvergesAtTheCommonReturn) {
  const char* source = "int k(int* a, int n) { if (a[0] > n) { a[1] = 2; return n + 1; } a[2] = n / a[3]; return 7; }";
  const Program one = compile("k.c", source);
  const Program several = compile("k.c", source, "--no-one-ret");
  EXPECT_EQ(one.branches_without_rpc, 0u);
  EXPECT_EQ(several.branches_without_rpc, 1u);
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
)", "helper:\n  ret\n");
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
)", R"(
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
)", "  .type helper, @function\nhelper:\n  ret\n  .size helper, . - helper\n");
  EXPECT_EQ(p.at(at(p, 0))->rpc, kNoRpc);
  EXPECT_EQ(p.branches_without_rpc, 1u);
  EXPECT_EQ(function(control_flow(p), "k").blocks[1].terminator, Terminator::kTailCall);
}

TEST(ProgramCfg, IndirectJumpWithUnknownTargetsHasNoReconvergencePoint) {
  const Program p = assemble("  lw t1, 0(a0)\n  jr t1");
  const auto all = control_flow(p);
  EXPECT_EQ(function(all, "k").indirect_jumps, std::vector<Pc>{at(p, 1)});
  EXPECT_EQ(p.at(at(p, 1))->rpc, kNoRpc);
  EXPECT_EQ(p.branches_without_rpc, 1u);
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
  const Program p = assemble("  tail helper", "  .type helper, @function\nhelper:\n  ret\n  .size helper, . - helper\n");
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
)", "-fjump-tables");
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

TEST(ProgramCfg, CodeWithoutASymbolIsAnalysedToo) {
  const Program p = assemble("  ret", "  .balign 4\nlocal:\n  beqz a0, 1f\n  nop\n1:\n  ret\n");
  EXPECT_EQ(p.at(at(p, 1))->rpc, at(p, 3));
}

TEST(ProgramCfg, LargeFunctionsTakeNoLongTime) {
  std::string body;
  for (int n = 0; n < 3000; ++n) {
    const std::string label = std::to_string(n);
    body += "  beqz a0, l" + label + "\n  addi a1, a1, 1\nl" + label + ":\n";
    if (n % 50 == 0) body += "h" + label + ":\n";
    if (n % 50 == 49) body += "  addi a0, a0, -1\n  bnez a0, h" + std::to_string(n - 49) + "\n";
  }
  const auto start = std::chrono::steady_clock::now();
  const Program p = assemble(body + "  ret");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(p.branches_without_rpc, 0u);
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

// The reconvergence point of a branch by the definition, on single instructions and without blocks: the first instruction
// that every path to a return passes, found by taking instructions out one by one.
class InstructionGraph {
 public:
  InstructionGraph(const Program& program, const FunctionCfg& f) : program_(program), begin_(f.begin), end_(f.end) {}

  [[nodiscard]] Pc reconvergence(Pc branch) const {
    if (!leaves_without(branch, 0)) return kNoRpc;
    std::vector<Pc> passed;
    for (Pc pc = begin_; pc < end_; pc += 4) {
      if (pc != branch && !leaves_without(branch, pc)) passed.push_back(pc);
    }
    for (const Pc candidate : passed) {
      const bool first = std::all_of(passed.begin(), passed.end(), [&](Pc other) {
        return other == candidate || !leaves_without(candidate, other);
      });
      if (first) return candidate;
    }
    return kNoRpc;
  }

 private:
  [[nodiscard]] bool leaves_without(Pc from, Pc removed) const {
    std::set<Pc> seen;
    std::vector<Pc> work{from};
    while (!work.empty()) {
      const Pc pc = work.back();
      work.pop_back();
      if (pc == removed || !seen.insert(pc).second) continue;
      const Instruction& i = *program_.at(pc);
      const bool returns = i.op == Op::kJalr && i.rd == 0;
      if (returns) return true;
      if (i.is_branch() || (i.op == Op::kJal && i.rd == 0)) work.push_back(pc + static_cast<Pc>(i.imm));
      if (!(i.op == Op::kJal && i.rd == 0)) work.push_back(pc + 4);
    }
    return false;
  }

  const Program& program_;
  Pc begin_, end_;
};

// A mixture of loops, early returns, short circuits and calls; every branch of it is checked.
constexpr const char* kMixture = R"(
#include <heddle/kernel.h>
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
  EXPECT_NE(text.find("total: " + std::to_string(t.functions) + " functions, " + std::to_string(t.blocks) + " blocks, " +
                      std::to_string(t.branches) + " branches; "), std::string::npos) << text;
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
      if (all[n].branches[b].rpc == kNoRpc) {
        EXPECT_TRUE(branch.at("rpc").is_null());
      } else {
        EXPECT_EQ(std::stoul(branch.at("rpc").get<std::string>(), nullptr, 16), all[n].branches[b].rpc);
      }
    }
  }
  EXPECT_EQ(json.at("totals").at("branches"), totals_of(all).branches);
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
}  // namespace heddle
