// SPDX-License-Identifier: Apache-2.0
// The compile driver: what it makes, what it refuses and how, and the kernel header in C and C++.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <sstream>

#include "program/loader.h"
#include "support.h"

namespace heddle::heddle_cc_test {
namespace {

using test::CommandResult;
using test::Scratch;
using test::write_file;

class HeddleCc : public ::testing::Test {
 protected:
  CommandResult cc(const std::string& arguments) {
    return test::run(scratch_, std::string(HEDDLE_CC) + target_ + " " + arguments);
  }
  void file(const std::string& name, const std::string& text) { write_file(scratch_ / name, text); }
  std::string text_of(const std::string& name) { return test::read_file(scratch_ / name); }
  bool exists(const std::string& name) { return std::filesystem::exists(scratch_ / name); }
  Program program(const std::string& name = "a.elf") { return load_program(scratch_ / name); }

  // Compiles to a.elf, which must work without a word.
  void build(const std::string& arguments) {
    const CommandResult r = cc(arguments);
    ASSERT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(r.err, "");
  }

  // Expects exactly this one line and status.
  void refuses(const std::string& arguments, int status, const std::string& line) {
    const CommandResult r = cc(arguments);
    EXPECT_EQ(r.status, status) << arguments;
    EXPECT_EQ(r.out, "");
    EXPECT_EQ(r.err, "heddle-cc: " + line + "\n") << arguments;
  }

  // Expects the messages of another tool and then this line.
  void fails(const std::string& arguments, const std::string& message_of_tool, const std::string& line) {
    const CommandResult r = cc(arguments);
    EXPECT_EQ(r.status, 1) << arguments;
    EXPECT_NE(r.err.find(message_of_tool), std::string::npos) << r.err;
    const std::string last = "heddle-cc: " + line + "\n";
    ASSERT_GE(r.err.size(), last.size());
    EXPECT_EQ(r.err.substr(r.err.size() - last.size()), last);
  }

  Scratch scratch_;
  std::string target_;  // option
};

// For both widths.
class HeddleCcOf : public HeddleCc, public ::testing::WithParamInterface<Xlen> {
 protected:
  HeddleCcOf() {
    if (wide()) target_ = " --rv64";
  }
  [[nodiscard]] static bool wide() { return GetParam() == Xlen::k64; }
  // Of a whole register.
  [[nodiscard]] static std::string load() { return wide() ? "ld" : "lw"; }
  [[nodiscard]] static std::string store() { return wide() ? "sd" : "sw"; }
};
INSTANTIATE_TEST_SUITE_P(Both, HeddleCcOf, ::testing::Values(Xlen::k32, Xlen::k64),
                         [](const auto& info) { return info.param == Xlen::k64 ? "RV64" : "RV32"; });

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

constexpr const char* kHint = " (heddle-cc --help lists the options)";
constexpr const char* kTwoReturns =
    "int k(int* a, int n) { if (a[0] > n) { a[1] = 2; return n + 1; } a[2] = n / a[3]; return 7; }\n";
constexpr const char* kBarrierCopied = R"(#include <heddle/kernel.h>
extern "C" __global__ void k(int* a, int n, int m) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  const bool c = a[t] > n;
  for (int i = 0; i < m; ++i) {
    if (c) { s[t] = 1; a[t + 7] = 3; }
    __syncthreads();
    if (c) a[t] = s[63 - t];
  }
}
)";

TEST_F(HeddleCc, HelpNamesEveryOption) {
  const CommandResult r = cc("--help");
  EXPECT_EQ(r.status, 0);
  for (const char* option :
       {"-o FILE", "-c", "-S", "-D", "-I", "-O", "-MD", "-MF", "--libm", "--no-barrier-check", "--no-one-ret",
        "--keep-saves", "--select", "--rv64", "--fork-join[=innermost|outermost]", "--keep", "--print-flags", "-v"}) {
    EXPECT_NE(r.out.find(option), std::string::npos) << option;
  }
}

TEST_F(HeddleCc, WrongUsageIsOneLineAndStatusTwo) {
  file("k.c", kTwoReturns);
  file("l.c", kTwoReturns);
  file("k.txt", "");
  file("k.o", "");
  refuses("", 2, std::string("no source file given") + kHint);
  refuses("k.c --frobnicate", 2, std::string("unknown option '--frobnicate'") + kHint);
  refuses("k.c --fork-join=all", 2, std::string("--fork-join takes innermost or outermost, not 'all'") + kHint);
  refuses("k.c -o", 2, std::string("option -o needs a value") + kHint);
  refuses("k.txt", 2,
          std::string("k.txt: unknown kind of file; expected one of .S .a .c .cc .cpp .cu .cxx .o .s") + kHint);
  refuses("none.c", 2, "none.c: no such file");
  refuses("-c k.c l.c -o x.o", 2, std::string("-o with -c or -S takes one source file") + kHint);
  refuses("-c k.o", 2, std::string("k.o: nothing to compile with -c") + kHint);
  refuses("k.c -MF x.d", 2, std::string("-MF needs -MD") + kHint);
  refuses("k.c l.c -MD", 2, std::string("-MD takes one source file") + kHint);
}

TEST_F(HeddleCc, CompilerMessagesAreShownAndStatusIsOne) {
  file("bad.c", "int k(void) { return nothing; }\n");
  fails("bad.c", "'nothing' undeclared", "bad.c: compilation failed");
  file("bad.h.c", "#include <none.h>\n");
  fails("bad.h.c", "none.h", "bad.h.c: preprocessing failed");
  file("call.c", "int missing(int); int k(int x) { return missing(x); }\n");
  fails("call.c -o call.elf", "undefined reference to `missing'", "call.elf: linking failed");
  file("bad.S", "  frobnicate a0\n");
  fails("bad.S", "frobnicate", "bad.S: assembly failed");
  EXPECT_FALSE(exists("call.elf"));
}

TEST_F(HeddleCc, UnwritableOutputIsNamed) {
  file("k.c", kTwoReturns);
  const CommandResult r = cc("k.c -S -o nowhere/k.s");
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err, "heddle-cc: nowhere/k.s: cannot write: No such file or directory\n");
}

TEST_F(HeddleCc, MissingCompilerIsNamedWithItsPackage) {
  file("k.c", kTwoReturns);
  const CommandResult r = test::run(scratch_, "p=$(python3 -c 'import sys; print(sys.executable)'); PATH=/nowhere $p " +
                                                  std::string(HEDDLE_CC) + " k.c");
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err,
            "heddle-cc: riscv64-unknown-elf-gcc not found: install the packages gcc-riscv64-unknown-elf and "
            "picolibc-riscv64-unknown-elf\n");
}

TEST_P(HeddleCcOf, BuildsCAndCxxAndAssemblyTogether) {
  file("a.c",
       "#include <heddle/kernel.h>\nint from_cxx(int); int from_assembly(int);\n"
       "__global__ void k(int* a) { a[threadIdx.x] = from_cxx(a[0]) + from_assembly(a[1]); }\n");
  file("b.cpp",
       "template <class T> static T twice(T x) { return 2 * x; }\n"
       "extern \"C\" int from_cxx(int x) { return twice(x); }\n");
  file("c.S", "  .globl from_assembly\n  .type from_assembly, @function\nfrom_assembly:\n  neg a0, a0\n  ret\n");
  build("a.c b.cpp c.S");
  EXPECT_NE(program().kernel("k"), nullptr);
  EXPECT_EQ(program().xlen, GetParam());
  build("-c b.cpp -o b.o");
  build("-c c.S");
  build("a.c b.o c.o -o other.elf");
  EXPECT_NE(program("other.elf").kernel("k"), nullptr);
}

TEST_F(HeddleCc, PassesDefinitionsIncludesAndLevels) {
  file("sub/x.h", "");
  std::filesystem::create_directory(scratch_ / "sub");
  file("sub/x.h", "#define FROM_HEADER 1\n");
  file("k.c",
       "#include <x.h>\n#if !defined FROM_HEADER || VALUE != 3 || defined __OPTIMIZE__\n#error no\n#endif\n"
       "int k(void) { return 1; }\n");
  build("k.c -Isub -DVALUE=3 -O0");
  build("k.c -I sub -D VALUE=3 -O0");
}

constexpr const char* kSaves =
    "#include <heddle/kernel.h>\n"
    "__attribute__((noinline, noclone)) __device__ int f(int x) { int y; asm volatile(\"mv s1, %1; mv %0, s1\" : "
    "\"=r\"(y) : \"r\"(x) : \"s1\"); return y; }\n"
    "__global__ void k(int* a) { int y; asm volatile(\"mv s2, %1; mv %0, s2\" : \"=r\"(y) : \"r\"(a[0]) : \"s2\"); "
    "a[1] = f(y); }\n";

TEST_P(HeddleCcOf, KernelsSaveNoRegistersForACaller) {
  file("k.c", kSaves);
  for (const char* flags :
       {"-O2", "-O0", "-O2 --fork-join", "-O2 --software-stack", "-O2 --linearize", "-Os -fno-omit-frame-pointer"}) {
    build(std::string("k.c -S -o k.s ") + flags);
    EXPECT_EQ(count(text_of("k.s"), store() + "\ts1,"), 1u) << flags;
    EXPECT_EQ(count(text_of("k.s"), store() + "\ts2,"), 0u) << flags;
    EXPECT_EQ(count(text_of("k.s"), load() + "\ts2,"), 0u) << flags;
    build(std::string("k.c -S -o k.s --keep-saves ") + flags);
    EXPECT_EQ(count(text_of("k.s"), store() + "\ts2,"), 1u) << flags;
    EXPECT_EQ(count(text_of("k.s"), load() + "\ts2,"), 1u) << flags;
  }
}

TEST_F(HeddleCc, AKernelThatAnotherSourceCallsSavesThem) {
  const auto saves = [&](const std::string& with) {
    build(with + " --keep");
    return count(text_of("k.s"), "sw\ts2,");
  };
  file("k.c", kSaves);
  file("other.c", "int other(int x) { return x; }\n");
  file("calls.c", "void k(int*); void calls(int* a) { k(a); }\n");
  file("names.c", "void k(int*); void (*kernel)(int*) = k;\n");
  file("by_hand.S", "  .globl by_hand\n  .type by_hand, @function\nby_hand:\n  tail k\n");
  EXPECT_EQ(saves("k.c"), 0u);
  EXPECT_EQ(saves("k.c other.c"), 0u);
  for (const char* more : {"calls.c", "names.c", "by_hand.S"}) {
    EXPECT_EQ(saves(std::string("k.c ") + more), 1u) << more;
    EXPECT_EQ(saves(std::string(more) + " k.c -o b.elf"), 1u) << more;
    build(std::string("-c ") + more + " -o more.o");
    EXPECT_EQ(saves("k.c more.o"), 1u) << more;
  }
  build("-c other.c -o other.o");
  EXPECT_EQ(saves("k.c other.o"), 0u);
}

TEST_P(HeddleCcOf, SourcesOfOneNameStayApart) {
  // Both are compiled a second time, with registers reserved.
  std::filesystem::create_directory(scratch_ / "x");
  std::filesystem::create_directory(scratch_ / "y");
  file("x/k.cu", test::read_file(HEDDLE_SOURCE_DIR "/sim/workloads/kernels/mcx.cu"));
  file("y/k.cu", test::read_file(HEDDLE_SOURCE_DIR "/sim/workloads/kernels/heartwall.cu"));
  const CommandResult r = cc("x/k.cu y/k.cu --linearize");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(count(r.err, "t5 and t6 reserved"), 2u) << r.err;
  EXPECT_NE(program().kernel("mcx"), nullptr);
  EXPECT_NE(program().kernel("heartwall"), nullptr);
}

TEST_P(HeddleCcOf, EveryFunctionEndsWithOneReturn) {
  file("k.c", kTwoReturns);
  build("k.c -S -o one.s");
  build("k.c -S -o several.s --no-one-ret");
  EXPECT_EQ(count(text_of("several.s"), "\tret\n"), 2u);
  EXPECT_EQ(count(text_of("one.s"), "\tret\n"), 1u);
  EXPECT_EQ(count(text_of("one.s"), "\tj\t.Lheddle_return0\n"), 1u);
  EXPECT_EQ(count(text_of("one.s"), ".Lheddle_return0:\n"), 1u);
  build("k.c -o one.elf");
  build("k.c -o several.elf --no-one-ret");
  EXPECT_EQ(program("one.elf").text.size(), program("several.elf").text.size());
  const auto meet_at_return = [](const Program& p) {
    return std::count_if(p.text.begin(), p.text.end(), [](const Instruction& i) { return i.rpc == kReturnRpc; });
  };
  EXPECT_EQ(meet_at_return(program("one.elf")), 0);
  EXPECT_EQ(meet_at_return(program("several.elf")), 1);
}

TEST_P(HeddleCcOf, ReturnsOfDifferentFunctionsStayApart) {
  file("k.c", std::string(kTwoReturns) +
                  "int l(int* a, int n) { if (a[0] < n) { a[5] = 2; return n - 1; } a[7] = n / a[3]; return 9; }\n");
  build("k.c -S -o k.s");
  EXPECT_EQ(count(text_of("k.s"), "\tret\n"), 2u);
  build("k.c");
  const Program p = program();
  for (const Program::Function& f : p.functions) {
    for (Pc pc = f.begin; pc < f.end; pc += 4) {
      const Instruction& i = *p.at(pc);
      if (i.op != Op::kJal) continue;
      EXPECT_GE(pc + static_cast<Pc>(i.imm), f.begin);
      EXPECT_LT(pc + static_cast<Pc>(i.imm), f.end);
    }
  }
}

TEST_F(HeddleCc, InlineAssemblyPassesUntouched) {
  file("k.c",
       "int k(int* a, int n) { __asm__ volatile(\"j 1f; ret; 1:\\n\\tret\\n\" ::: \"memory\"); if (a[0] > n) { a[1] = "
       "2; return n + 1; }"
       " a[2] = n / a[3]; return 7; }\n");
  build("k.c -S -o k.s");
  EXPECT_EQ(count(text_of("k.s"), "j 1f; ret; 1:\n\tret\n"), 1u);
  EXPECT_EQ(count(text_of("k.s"), "\tret\n"), 2u) << "one of the compiler, one of the inline assembly";
}

TEST_P(HeddleCcOf, RefusesCopiedBarriers) {
  file("k.cu", kBarrierCopied);
  build("k.cu");
  refuses("k.cu -O3", 1,
          "k.cu:8: the compiler made 2 barriers of 1 in function 'k', which threads could reach apart; compile with "
          "-O2 and "
          "without loop unrolling, or accept it with --no-barrier-check");
  build("k.cu -O3 --no-barrier-check");
  unsigned barriers = 0;
  for (const Instruction& i : program().text) barriers += i.barrier;
  EXPECT_EQ(barriers, 2u);
}

// Accepted: no branch that threads may take apart lies in front of two copies. (What unrolled code does: engine tests.)
TEST_P(HeddleCcOf, AcceptsCopiesOfBarriersInUniformLoops) {
  const std::pair<const char*, const char*> loops[] = {
      {"an argument", "for (int i = 0; i < n; ++i) { s[t] += s[t ^ i]; __syncthreads(); }"},
      {"the block's size", "for (int i = 0; i < (int)blockDim.x; ++i) { s[t] += s[t ^ i]; __syncthreads(); }"},
      {"the block's number", "for (int i = 0; i < (int)blockIdx.x; ++i) { s[t] += s[t ^ i]; __syncthreads(); }"},
      {"a word of memory", "n = a[7]; for (int i = 0; i < n; ++i) { s[t] += s[t ^ i]; __syncthreads(); }"},
      {"a divergent guard",
       "if (t < m) { a[t] = 1; return; } for (int i = 0; i < n; ++i) { s[t] += s[t ^ i]; __syncthreads(); }"},
      {"divergent work",
       "for (int i = 0; i < n; ++i) { if (s[t] > i) s[t] += s[t ^ i]; else s[t] *= 3; __syncthreads(); }"},
  };
  for (const auto& [name, loop] : loops) {
    file("k.cu", std::string("#include <heddle/kernel.h>\n__shared__ volatile int s[64];\nextern \"C\" __global__ void "
                             "k(int* a, int n, int m) "
                             "{ const int t = threadIdx.x;\n") +
                     loop + "\na[t] = s[0]; }\n");
    build("k.cu -funroll-loops");
    unsigned barriers = 0;
    for (const Instruction& i : program().text) barriers += i.barrier;
    EXPECT_GT(barriers, 1u) << name;
  }
}

TEST_P(HeddleCcOf, RefusesCopiesOfBarriersInLoopsThatThreadsLeaveApart) {
  const std::pair<const char*, const char*> loops[] = {
      {"the thread's number", "for (int i = 0; i < t; ++i) { s[t] += s[t ^ i]; __syncthreads(); }"},
      {"the thread's word", "n = a[t]; for (int i = 0; i < n; ++i) { s[t] += s[t ^ i]; __syncthreads(); }"},
      {"the lane", "for (int i = 0; i < (int)heddle_lane(); ++i) { s[t] += s[t ^ i]; __syncthreads(); }"},
      {"a choice by the thread",
       "if (a[t] > 3) { n = m * m; a[t] = 5; } for (int i = 0; i < n; ++i) { s[t] += s[t ^ i]; __syncthreads(); }"},
      {"the rounds of a divergent loop",
       "n = 0; while (a[n * t] > 3) ++n; for (int i = 0; i < n; ++i) { s[t] += s[t ^ i]; __syncthreads(); }"},
      {"an atomic's result", "n = atomicAdd(a, 1); for (int i = 0; i < n; ++i) { s[t] += s[t ^ i]; __syncthreads(); }"},
      {"a function's result", "n = other(m); for (int i = 0; i < n; ++i) { s[t] += s[t ^ i]; __syncthreads(); }"},
      {"memory of the thread",
       "volatile int mine[4]; mine[m & 3] = t; n = mine[1]; for (int i = 0; i < n; ++i) { s[t] += s[t ^ i]; "
       "__syncthreads(); }"},
  };
  for (const auto& [name, loop] : loops) {
    file("k.cu", std::string("#include <heddle/kernel.h>\n__shared__ volatile int s[64]; extern \"C\" int other(int);\n"
                             "extern \"C\" __global__ void k(int* a, int n, int m) { const int t = threadIdx.x;\n") +
                     loop + "\na[t] = s[0]; }\n");
    const CommandResult r = cc("-c k.cu -funroll-loops");
    EXPECT_EQ(r.status, 1) << name;
    EXPECT_EQ(r.err.rfind("heddle-cc: k.cu:4: the compiler made ", 0), 0u) << name << ": " << r.err;
  }
}

TEST_F(HeddleCc, UnrollPragmasAreThoseOfCuda) {
  const auto copies = [&](const std::string& pragma, const std::string& before = "") {
    file("k.cu",
         before + "extern \"C\" void k(int* a, int n) {\n" + pragma + "\nfor (int i = 0; i < n; ++i) a[i] ^= 5; }\n");
    build("k.cu -S -o k.s");
    return count(text_of("k.s"), "\txori\t");
  };
  EXPECT_EQ(copies(""), 1u);
  EXPECT_EQ(copies("#pragma unroll 1"), 1u);
  const std::size_t four = copies("#pragma unroll 4");
  EXPECT_GE(four, 4u);
  EXPECT_EQ(copies("  # pragma  unroll (4)"), four);
  EXPECT_EQ(copies("#pragma unroll FACTOR", "#define FACTOR TWICE\n#define TWICE (4)\n"), four);
  EXPECT_EQ(copies("_Pragma(\"unroll 4\")"), four);
  EXPECT_GE(copies("#pragma unroll"), 16u);
  EXPECT_EQ(copies("#pragma unroll NOTHING"), 1u) << "no number: not unrolled";
  EXPECT_EQ(copies("#pragma unrolled 4"), 1u) << "another pragma";
}

TEST_P(HeddleCcOf, BitManipulationIsInstructions) {
  file("k.c", R"(#include <heddle/kernel.h>
__global__ void k(int* a, unsigned* u, float* f) {
  a[0] = min(a[1], a[2]);
  a[3] = max(a[4], a[5]);
  a[6] = abs(a[7]);
  a[8] = a[9] < 0 ? 0 : a[9] > 255 ? 255 : a[9];
  u[0] = u[1] << u[2] | u[1] >> (-u[2] & 31);
  u[3] = __clz(u[4]) + __popc(u[5]) + __ffs(a[10]) + __brev(u[6]);
  f[0] = min(f[1], f[2]) + max(f[3], f[4]) + fminf(f[5], f[6]);
}
)");
  std::filesystem::copy(scratch_ / "k.c", scratch_ / "k.cu");
  for (const char* source : {"k.c", "k.cu"}) {
    build(source);
    const Program p = program();
    std::map<Op, unsigned> seen;
    for (Pc pc = p.kernel("k")->entry; pc < p.exit_stub; pc += 4) {
      const Instruction& i = *p.at(pc);
      ++seen[i.op];
      EXPECT_FALSE(i.is_branch()) << source << ": " << p.disassemble(pc);
      EXPECT_FALSE(i.is_call()) << source << ": " << p.disassemble(pc);
    }
    EXPECT_EQ(seen[Op::kMin], 2u);
    EXPECT_EQ(seen[Op::kMax], wide() ? 2u : 3u) << "abs(int) of RV64 is three other instructions";
    EXPECT_EQ(seen[Op::kRol] + seen[Op::kRor] + seen[Op::kRolw] + seen[Op::kRorw], 1u);
    EXPECT_EQ(seen[Op::kClz] + seen[Op::kClzw], 2u);
    EXPECT_EQ(seen[Op::kCpop] + seen[Op::kCpopw], 1u);
    EXPECT_EQ(seen[Op::kRev8], 1u);
    EXPECT_EQ(seen[Op::kFmin], 2u);
    EXPECT_EQ(seen[Op::kFmax], 1u);
  }
  build(std::string("k.c -Wno-all -march=") + (wide() ? "rv64imafd" : "rv32imaf"));
  for (const Instruction& i : program().text) EXPECT_FALSE(i.op >= Op::kSh1add && i.op <= Op::kCzeroNez);
}

TEST_P(HeddleCcOf, CompilesSingleBitsOfLongIntegers) {
  file("k.c", "long long k(long long a) { return a | 2048; }\n");
  build("k.c");
}

TEST_P(HeddleCcOf, AssemblyMayUseWhatTheCompilerDoesNot) {
  file("k.S", "  .globl k\n  .type k, @function\nk:\n  bseti a0, a0, 11\n  clz a0, a0\n  ret\n");
  build("k.S");
  EXPECT_EQ(program().at(program().kernel("k")->entry)->op, Op::kBseti);
}

TEST_P(HeddleCcOf, SelectTurnsBranchesOverOneMoveIntoSelections) {
  file("k.c", "int k(int c, int a, int b) { int r = b; if (c) r = a; return r * 3; }\n");
  build("k.c");
  const auto operations = [&](Op op) {
    const Program p = program();
    return std::count_if(p.text.begin(), p.text.end(), [op](const Instruction& i) { return i.op == op; });
  };
  EXPECT_EQ(operations(Op::kBeq) + operations(Op::kBne), 1);
  build("k.c --select");
  EXPECT_EQ(operations(Op::kBeq) + operations(Op::kBne), 0);
  EXPECT_EQ(operations(Op::kCzeroEqz), 1);
  EXPECT_EQ(operations(Op::kCzeroNez), 1);
  // A move that another branch jumps to stays a move; inline assembly with a jump leaves the function as it is.
  file("l.c",
       "int k(volatile int* p, int c, int a, int b) { int r = b; if (p[0] == 3) goto take; p[1] = 7; if (c) { take: r "
       "= a; } "
       "p[2] = 1; return r * 3 + a; }\n");
  build("l.c -S -o l.s");
  build("l.c --select -S -o selected.s");
  EXPECT_EQ(text_of("l.s"), text_of("selected.s"));
  file("m.c", "int k(int c, int a, int b) { int r = b; if (c) r = a; asm(\"j 1f; 1:\"); return r * 3; }\n");
  build("m.c --select -S -o m.s");
  EXPECT_EQ(count(text_of("m.s"), ".insn"), 0u);
}

TEST_P(HeddleCcOf, InlinedBarriersAreNoCopies) {
  file("k.cu", R"(#include <heddle/kernel.h>
__device__ inline void add(int* s) { s[threadIdx.x] += s[threadIdx.x ^ 1]; __syncthreads(); s[0]++; __syncthreads(); }
__device__ inline void twice(int* s) { add(s); add(s); }
extern "C" __global__ void k(int* a) {
  __shared__ int s[64];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  twice(s);
  twice(s);
  a[threadIdx.x] = s[0];
}
)");
  build("k.cu");
  unsigned barriers = 0;
  for (const Instruction& i : program().text) barriers += i.barrier;
  EXPECT_GE(barriers, 9u);
}

TEST_P(HeddleCcOf, EachComputedGotoHasItsOwnIndirectJump) {
  file("k.c", R"(
void k(unsigned* a, unsigned x, unsigned y) {
  static const void* const first[] = {&&l0, &&l1, &&l2};
  static const void* const second[] = {&&m0, &&m1, &&m2};
  if (x == 7) goto *first[y % 3];
l0: a[0] = x;
l1: a[1] = y;
l2: asm volatile("fence");
  for (unsigned i = 0; i < x; ++i) {
    if (a[i] == 9) goto *second[a[i + 1] % 3];
m0: a[2] = i;
m1: a[3] = x;
m2: a[4] += y;
  }
}
)");
  build("k.c -O2");
  const Program p = program();
  unsigned indirect = 0, to_an_indirect = 0;
  const auto is_indirect = [](const Instruction* i) {
    return i != nullptr && i->op == Op::kJalr && i->rd == 0 && !i->is_return();
  };
  for (Pc pc = p.text_begin; pc < p.text_end; pc += 4) {
    const Instruction& i = *p.at(pc);
    indirect += is_indirect(&i);
    to_an_indirect += i.op == Op::kJal && i.rd == 0 && is_indirect(p.at(pc + static_cast<Pc>(i.imm)));
  }
  EXPECT_GE(indirect, 2u);
  EXPECT_EQ(to_an_indirect, 0u);
}

TEST_P(HeddleCcOf, SharedVariablesAreInTheSharedWindowWhereverTheyAreDeclared) {
  file("k.cu", R"(#include <heddle/kernel.h>
__shared__ int global_tile[10];
inline __attribute__((noinline)) int* in_inline() { __shared__ int tile[20]; return tile; }
template <class T> __global__ void in_template(T* a) { __shared__ T tile[40]; tile[threadIdx.x] = a[0]; __syncthreads(); a[1] = tile[2]; }
template __global__ void in_template<int>(int*);
template __global__ void in_template<float>(float*);
extern "C" __global__ void k(int* a) { volatile __shared__ int x; x = global_tile[a[2]] = 1; __syncthreads(); a[0] = x + in_inline()[3] + global_tile[a[1]]; }
)");
  build("k.cu");
  std::map<std::string, unsigned> sizes;
  for (const Kernel& k : program().kernels) sizes[readable_name(k.name)] = k.shared_size;
  // 40 + 80 + 4 bytes, in multiples of 16.
  EXPECT_EQ(sizes,
            (std::map<std::string, unsigned>{{"in_template<int>", 160}, {"in_template<float>", 160}, {"k", 128}}));
  const CommandResult symbols = test::run(scratch_, "riscv64-unknown-elf-nm -C a.elf");
  std::istringstream lines(symbols.out);
  unsigned tiles = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("tile") == std::string::npos || line.find("::tile") == std::string::npos) continue;
    ++tiles;
    EXPECT_EQ(line.substr(wide() ? 8 : 0, 5), "60000") << line;
  }
  EXPECT_EQ(tiles, 3u);
}

TEST_P(HeddleCcOf, DynamicSharedMemoryBeginsBehindTheStatic) {
  file("k.cu", R"(#include <heddle/kernel.h>
extern __shared__ float outside[];
extern "C" __global__ void k(int* a) {
  extern __shared__ int inside[];
  __shared__ int tile[6];
  a[0] = (int)(long)outside;
  a[1] = (int)(long)inside;
  a[2] = (int)(long)&tile[a[3]];
}
)");
  build("k.cu");
  const Program p = program();
  EXPECT_EQ(p.kernels[0].shared_size, 32u);
  std::string text;
  for (Pc pc = p.kernel("k")->entry; pc < p.exit_stub; pc += 4) text += p.disassemble(pc) + "\n";
  EXPECT_NE(text.find("lui"), std::string::npos);
  const CommandResult symbols = test::run(scratch_, "riscv64-unknown-elf-nm a.elf");
  EXPECT_NE(symbols.out.find("60000020 B __heddle_dynamic_shared"), std::string::npos) << symbols.out;
  EXPECT_EQ(symbols.out.find(" U "), std::string::npos);
}

TEST_F(HeddleCc, GlobalConstructorsAreRefused) {
  file("k.cpp",
       "struct A { int x; A(); }; A a; A::A() { x = (int)(long)this; }\nextern \"C\" int k() { return a.x; }\n");
  fails("k.cpp", "a global object has a constructor: nothing would run it before the kernel", "a.elf: linking failed");
}

TEST_P(HeddleCcOf, MathIsSpecialFunctionsUnlessLibmIsAsked) {
  file("k.c",
       "#include <heddle/kernel.h>\n__global__ void k(float* a) { a[0] = sinf(a[1]) + expf(a[2]) + powf(a[3], 2.5f); "
       "}\n");
  build("k.c");
  const Program special = program();
  EXPECT_EQ(std::count_if(special.text.begin(), special.text.end(),
                          [](const Instruction& i) { return i.unit == Unit::kSfu; }),
            4);
  EXPECT_EQ(special.functions.size(), 2u) << "k and the exit";
  build("k.c --libm");
  const Program libm = program();
  EXPECT_EQ(
      std::count_if(libm.text.begin(), libm.text.end(), [](const Instruction& i) { return i.unit == Unit::kSfu; }), 0);
  EXPECT_TRUE(
      std::any_of(libm.functions.begin(), libm.functions.end(), [](const auto& f) { return f.name == "sinf"; }));
}

TEST_P(HeddleCcOf, LibrariesUseMultiplyAndFloatInstructions) {
  file("k.c",
       "#include <heddle/kernel.h>\n__global__ void k(double* a, float* f) { a[0] = a[1] * a[2]; f[0] = asinf(f[1]); "
       "}\n");
  build("k.c");
  const Program p = program();
  EXPECT_TRUE(std::any_of(p.text.begin(), p.text.end(),
                          [](const Instruction& i) { return i.op == (wide() ? Op::kFmulD : Op::kMul); }));
  EXPECT_TRUE(std::any_of(p.text.begin(), p.text.end(), [](const Instruction& i) { return i.op == Op::kFmul; }));
  EXPECT_TRUE(std::none_of(p.functions.begin(), p.functions.end(),
                           [](const auto& f) { return f.name == "__mulsi3" || f.name == "__mulsf3"; }));
  for (const Instruction& i : p.text) EXPECT_NE(i.op, Op::kIllegal);
}

TEST_F(HeddleCc, DependenciesNameTheTargetAndTheHeaders) {
  file("x.h", "\n");
  file("k.c", "#include \"x.h\"\n#include <heddle/kernel.h>\nint k(void) { return 1; }\n");
  build("-c k.c -MD -MF k.dep -o k.o");
  const std::string dependencies = text_of("k.dep");
  EXPECT_EQ(dependencies.rfind("k.o:", 0), 0u) << dependencies;
  EXPECT_NE(dependencies.find("x.h"), std::string::npos);
  EXPECT_NE(dependencies.find("heddle/kernel.h"), std::string::npos);
  build("-c k.c -MD -o l.o");
  EXPECT_EQ(text_of("l.d").rfind("l.o:", 0), 0u);
}

TEST_F(HeddleCc, KeepLeavesSourceAndAssemblyBesideTheOutput) {
  file("k.c", kTwoReturns);
  std::filesystem::create_directory(scratch_ / "out");
  build("k.c --keep -o out/x.elf");
  EXPECT_TRUE(exists("out/k.i"));
  EXPECT_NE(text_of("out/k.s").find(".Lheddle_return0"), std::string::npos);
  EXPECT_FALSE(exists("k.s"));
}

TEST_F(HeddleCc, PrintFlagsShowsWhatWouldRun) {
  const CommandResult r = cc("--print-flags -O1");
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.out.find("riscv64-unknown-elf-gcc -O2 -g -march=rv32imaf_zba_zbb "), std::string::npos);
  EXPECT_NE(r.out.find(" -fno-gcse "), std::string::npos);
  EXPECT_NE(r.out.find("-march=rv32imf"), std::string::npos) << "the linker's";
  EXPECT_NE(r.out.find(" -O1\n"), std::string::npos);
}

TEST_F(HeddleCc, WorksAfterInstallationAndThroughLinks) {
  file("k.c", "#include <heddle/kernel.h>\n__global__ void k(int* a) { a[0] = 1; }\n");
  const std::string source = HEDDLE_SOURCE_DIR;
  const CommandResult install = test::run(
      scratch_, "mkdir -p p/bin p/share/heddle p/include/heddle && cp " + source +
                    "/sim/toolchain/heddle-cc p/bin/ && cp " + source + "/sim/toolchain/heddle.ld " + source +
                    "/sim/toolchain/exit.S p/share/heddle/ && cp -r " + source +
                    "/sim/toolchain/assembly p/share/heddle/ && cp " + source +
                    "/include/heddle/kernel.h p/include/heddle/ && ln -s p/bin/heddle-cc cc && ./cc k.c -o k.elf");
  EXPECT_EQ(install.status, 0) << install.err;
  EXPECT_NE(program("k.elf").kernel("k"), nullptr);
  const CommandResult broken = test::run(scratch_, "rm p/share/heddle/heddle.ld; ./cc k.c");
  EXPECT_EQ(broken.status, 1);
  EXPECT_NE(broken.err.find("heddle-cc: heddle/kernel.h, heddle.ld, exit.S or assembly/__init__.py not found near "),
            std::string::npos);
}

// Everything the header has, used once.
constexpr const char* kEverything = R"(#include <heddle/kernel.h>
__constant__ int table[4] = {1, 2, 3, 4};
__device__ int total;
__device__ static __forceinline__ float helper(float x) { return x + 1; }
__device__ __noinline__ int other(int x) { return x * 2; }
__global__ void __launch_bounds__(64) k(int* i, unsigned* u, float* f, float4* v, const int* __restrict__ r) {
  __shared__ int tile[64];
  extern __shared__ float dynamic[];
  const unsigned n = threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x * blockDim.x + blockIdx.y * blockDim.y +
                     blockIdx.z * blockDim.z + gridDim.x + gridDim.y + gridDim.z + heddle_lane() + heddle_warp() + heddle_thread_id();
  tile[n & 63] = r[0];
  dynamic[0] = 1;
  __syncthreads();
  __threadfence();
  __threadfence_block();
  i[0] = atomicAdd(i, 1) + atomicSub(i, 2) + atomicMin(i, 3) + atomicMax(i, 4) + atomicAnd(i, 5) + atomicOr(i, 6) +
         atomicXor(i, 7) + atomicExch(i, 8) + atomicCAS(i, 9, 10) + atomicAdd(&total, 1) + atomicAdd(&tile[0], 2);
  u[0] = atomicAdd(u, 1u) + atomicSub(u, 2u) + atomicMin(u, 3u) + atomicMax(u, 4u) + atomicAnd(u, 5u) + atomicOr(u, 6u) +
         atomicXor(u, 7u) + atomicExch(u, 8u) + atomicCAS(u, 9u, 10u) + atomicInc(u, 5u) + atomicDec(u, 5u);
  f[0] = atomicAdd(f, 1.0f) + atomicExch(f, 2.0f);
  f[1] = __expf(f[0]) + __exp10f(f[0]) + __logf(f[0]) + __log2f(f[0]) + __log10f(f[0]) + __powf(f[0], f[1]) + __sinf(f[0]) +
         __cosf(f[0]) + __tanf(f[0]) + __fdividef(f[0], f[1]) + __frcp_rn(f[0]) + __fsqrt_rn(f[0]) + __frsqrt_rn(f[0]) +
         rsqrtf(f[0]) + __saturatef(f[0]) + __fmaf_rn(f[0], f[1], f[2]);
  __sincosf(f[0], &f[3], &f[4]);
  f[2] = expf(f[0]) + exp2f(f[0]) + logf(f[0]) + log2f(f[0]) + log10f(f[0]) + powf(f[0], f[1]) + sinf(f[0]) + cosf(f[0]) +
         tanf(f[0]) + tanhf(f[0]) + sqrtf(f[0]) + fminf(f[0], f[1]) + fmaxf(f[0], f[1]) + fabsf(f[0]) + floorf(f[0]) +
         ceilf(f[0]) + roundf(f[0]) + truncf(f[0]) + rintf(f[0]) + nearbyintf(f[0]) + fmaf(f[0], f[1], f[2]);
  i[1] = __float2int_rn(f[0]) + __float2int_rz(f[0]) + __float2int_rd(f[0]) + __float2int_ru(f[0]) + __float_as_int(f[0]) +
         __popc(u[0]) + __clz(u[0]) + __ffs(i[0]) + __mul24(i[0], i[1]) + __mulhi(i[0], i[1]) + min(i[0], 3) + max(i[0], 4);
  u[1] = __float2uint_rn(f[0]) + __float2uint_rz(f[0]) + __float_as_uint(f[0]) + __brev(u[0]) + __umul24(u[0], u[1]) +
         __umulhi(u[0], u[1]) + min(u[0], 3u) + max(u[0], 4u);
  f[5] = __int_as_float(i[0]) + __uint_as_float(u[0]) + __int2float_rn(i[0]) + __uint2float_rn(u[0]) + helper(f[1]) +
         min(f[0], f[1]) + max(f[0], f[1]) + (float)(table[n & 3] + other(i[1]));
  const float2 two = make_float2(1, 2);
  const int3 three = make_int3(1, 2, 3);
  const uchar4 four = make_uchar4(1, 2, 3, 4);
  v[0] = make_float4(two.x, two.y, (float)three.z, (float)four.w);
  if (i[5] == 1) heddle_exit(0);
  if (i[5] == 2) heddle_write(1, "text\n", 5);
}
)";

TEST_P(HeddleCcOf, KernelHeaderIsCleanInCAndCxx) {
  file("k.c", kEverything);
  file("k.cu", std::string(kEverything) + R"(
__global__ void more(float* f, const float* t, int n) {
  const dim3 d(4, 5);
  const texture<float, 1> line = {t, n, 1};
  const texture<float, 2> plane = {t, n, 4};
  f[0] = tex1Dfetch(line, 3) + tex1D(line, 2.5f) + tex2D(plane, 1.5f, 2.5f) + (float)(d.x + d.y + d.z);
  f[1] = sqrt(f[0]) + fabs(f[0]) + abs(f[0]) + floor(f[0]) + ceil(f[0]) + exp(f[0]) + log(f[0]) + sin(f[0]) + cos(f[0]) +
         tan(f[0]) + tanh(f[0]) + pow(f[0], f[1]) + fmin(f[0], f[1]) + fmax(f[0], f[1]) + min(f[0], 2) + (float)max(3u, n);
}
)");
  for (const char* source : {"k.c", "k.cu"}) {
    for (const char* flags : {"-O2", "-O0", "-O1 --libm", "-Os"}) {
      build(std::string(source) + " -Wall -Wextra -Werror " + flags);
      const Program p = program();
      EXPECT_EQ(std::count_if(p.text.begin(), p.text.end(), [](const Instruction& i) { return i.op == Op::kIllegal; }),
                0);
    }
  }
}

TEST_P(HeddleCcOf, AtomicsAreSingleInstructions) {
  file("k.cu",
       "#include <heddle/kernel.h>\n"
       "extern \"C\" __global__ void k(int* i, unsigned* u) {\n"
       "  i[0] = atomicAdd(i + 1, 1) + atomicMin(i + 2, 3) + atomicCAS(i + 3, 4, 5);\n"
       "  u[0] = atomicMin(u + 1, 1u) + atomicMax(u + 2, 2u) + atomicExch(u + 3, 3u);\n}\n");
  build("k.cu");
  const Program p = program();
  const auto how_many = [&](Op op) {
    return std::count_if(p.text.begin(), p.text.end(), [&](const Instruction& i) { return i.op == op; });
  };
  EXPECT_EQ(how_many(Op::kAmoadd), 1);
  EXPECT_EQ(how_many(Op::kAmomin), 1);
  EXPECT_EQ(how_many(Op::kAmocas), 1);
  EXPECT_EQ(how_many(Op::kAmominu), 1);
  EXPECT_EQ(how_many(Op::kAmomaxu), 1);
  EXPECT_EQ(how_many(Op::kAmoswap), 1);
  EXPECT_EQ(how_many(Op::kLr), 0);
  EXPECT_TRUE(std::none_of(p.text.begin(), p.text.end(), [](const Instruction& i) { return i.is_branch(); }));
}

// ---- the header's arithmetic, executed by qemu

std::uint32_t next(std::uint32_t& state) { return state = state * 1664525u + 1013904223u; }

float as_float(std::uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
std::uint32_t as_bits(float f) {
  std::uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return bits;
}

// Inputs: interesting values, then random ones, half of them of moderate size.
std::uint32_t input(unsigned n, std::uint32_t& state) {
  static constexpr std::uint32_t kSpecial[] = {
      0x00000000, 0x80000000, 0x3F000000, 0xBF000000, 0x3F800000, 0xBF800000, 0x3FC00000, 0xBFC00000,
      0x40200000, 0xC0200000, 0x3EFFFFFF, 0xBEFFFFFF, 0x4AFFFFFF, 0xCAFFFFFF, 0x4B000000, 0xCB000000,
      0x4B000001, 0x4EFFFFFF, 0x4F000000, 0xCF000000, 0xCF000001, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000,
      0xFF800000, 0x00000001, 0x80000001, 0x7FC00000, 0xFFFFFFFF, 0x00800000, 0x33333333, 0xAAAAAAAA};
  const std::uint32_t random = next(state);
  if (n < sizeof kSpecial / sizeof kSpecial[0]) return kSpecial[n];
  return n % 2 == 0 ? random : (random & 0x87FFFFFFu) + 0x3C000000u;
}

constexpr unsigned kInputs = 20000;

constexpr const char* kArithmetic = R"(
#include <heddle/kernel.h>
static unsigned input(unsigned n, unsigned* state) {
  static const unsigned special[] = {
      0x00000000, 0x80000000, 0x3F000000, 0xBF000000, 0x3F800000, 0xBF800000, 0x3FC00000, 0xBFC00000, 0x40200000,
      0xC0200000, 0x3EFFFFFF, 0xBEFFFFFF, 0x4AFFFFFF, 0xCAFFFFFF, 0x4B000000, 0xCB000000, 0x4B000001, 0x4EFFFFFF,
      0x4F000000, 0xCF000000, 0xCF000001, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x00000001, 0x80000001,
      0x7FC00000, 0xFFFFFFFF, 0x00800000, 0x33333333, 0xAAAAAAAA};
  const unsigned random = *state = *state * 1664525u + 1013904223u;
  if (n < sizeof special / sizeof special[0]) return special[n];
  return n % 2 == 0 ? random : (random & 0x87FFFFFFu) + 0x3C000000u;
}
int main(void) {
  unsigned state = 1, before = 0;
  for (unsigned n = 0; n < 20000; ++n) {
    const unsigned x = input(n, &state);
    const float f = __uint_as_float(x);
    const unsigned results[] = {
        __float_as_uint(floorf(f)), __float_as_uint(ceilf(f)), __float_as_uint(truncf(f)), __float_as_uint(rintf(f)),
        __float_as_uint(roundf(f)), (unsigned)__popc(x), (unsigned)__clz(x), (unsigned)__ffs((int)x), __brev(x),
        (unsigned)__mulhi((int)x, (int)before), __umulhi(x, before), (unsigned)__mul24((int)x, (int)before),
        __umul24(x, before), (unsigned)min((int)x, (int)before), max(x, before)};
    heddle_write(1, results, sizeof results);
    before = x;
  }
  return 0;
}
)";

TEST_P(HeddleCcOf, HeaderArithmeticIsRightUnderQemu) {
  file("main.c", kArithmetic);
  file("start.S", "  .globl _start\n_start:\n  call main\n  li a7, 93\n  ecall\n");
  build("main.c start.S");
  const CommandResult r = test::run(scratch_, wide() ? "qemu-riscv64 a.elf" : "qemu-riscv32 a.elf");
  ASSERT_EQ(r.status, 0) << r.err;
  constexpr unsigned kResults = 15;
  ASSERT_EQ(r.out.size(), kInputs * kResults * 4);
  std::uint32_t state = 1, before = 0;
  for (unsigned n = 0; n < kInputs; ++n) {
    std::uint32_t got[kResults];
    std::memcpy(got, &r.out[n * sizeof got], sizeof got);
    const std::uint32_t x = input(n, state);
    const float f = as_float(x);
    const float rounded[] = {std::floor(f), std::ceil(f), std::trunc(f), std::nearbyint(f), std::round(f)};
    for (unsigned m = 0; m < 5; ++m) {
      if (std::isnan(f)) {
        EXPECT_TRUE(std::isnan(as_float(got[m])));
      } else {
        ASSERT_EQ(got[m], as_bits(rounded[m])) << f << ", rounding " << m;
      }
    }
    std::uint32_t reversed = 0;
    for (unsigned b = 0; b < 32; ++b) reversed |= (x >> b & 1u) << (31 - b);
    const auto s = static_cast<std::int32_t>(x), t = static_cast<std::int32_t>(before);
    const auto low24 = [](std::int32_t v) {
      return static_cast<std::int64_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(v) << 8) >> 8);
    };
    ASSERT_EQ(got[5], static_cast<unsigned>(__builtin_popcount(x))) << x;
    ASSERT_EQ(got[6], x == 0 ? 32u : static_cast<unsigned>(__builtin_clz(x))) << x;
    ASSERT_EQ(got[7], static_cast<unsigned>(__builtin_ffs(s))) << x;
    ASSERT_EQ(got[8], reversed) << x;
    ASSERT_EQ(got[9], static_cast<std::uint32_t>(static_cast<std::int64_t>(s) * t >> 32));
    ASSERT_EQ(got[10], static_cast<std::uint32_t>(static_cast<std::uint64_t>(x) * before >> 32));
    ASSERT_EQ(got[11], static_cast<std::uint32_t>(low24(s) * low24(t)));
    ASSERT_EQ(got[12], static_cast<std::uint32_t>((x & 0xFFFFFFu) * std::uint64_t{before & 0xFFFFFFu}));
    ASSERT_EQ(got[13], static_cast<std::uint32_t>(std::min(s, t)));
    ASSERT_EQ(got[14], std::max(x, before));
    before = x;
  }
}

}  // namespace
}  // namespace heddle::heddle_cc_test
