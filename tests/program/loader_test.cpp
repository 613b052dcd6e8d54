// SPDX-License-Identifier: Apache-2.0
// What the loader reads from a good program, and its one line for every bad one.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <random>

#include <elf.h>
#include <sys/stat.h>

#include "heddle/data_type.h"
#include "heddle/error.h"
#include "oracle/functional.h"
#include "program/loader.h"
#include "support.h"

namespace heddle::loader_test {
namespace {

using test::run;
using test::Scratch;
using test::write_file;

constexpr const char* kSource = R"(
#include <heddle/kernel.h>
int counter = 7;
_Thread_local int mine = 3;
_Thread_local int other[5];
static __device__ __attribute__((noinline)) int helper(int x) { return x * 3 + counter; }
__global__ void first(int* a, int n) {
  __shared__ int tile[100];
  const unsigned i = threadIdx.x;
  tile[i] = a[i];
  __syncthreads();
  if (a[i] > n)
    a[i] = helper(tile[i]) + mine;
  other[1] = a[i];
}
__global__ void second(float* x) { x[threadIdx.x] = expf(x[threadIdx.x]); }
)";

class Loader : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch_ = new Scratch;
    write_file(*scratch_ / "good.c", kSource);
    const auto result = run(*scratch_, std::string(HEDDLE_CC) + " good.c -o good.elf");
    ASSERT_EQ(result.status, 0) << result.err;
    good_ = new std::string(test::read_file(*scratch_ / "good.elf"));
  }
  static void TearDownTestSuite() {
    delete good_;
    delete scratch_;
  }

  static std::string path(const std::string& name) { return *scratch_ / name; }
  static Program good() { return load_program(path("good.elf")); }

  // Compiles text with a command in which IN and OUT stand for the files.
  static std::string build(const std::string& name, const std::string& text, std::string command) {
    write_file(path(name), text);
    const std::string out = path(name + ".elf");
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"IN", path(name)}, {"OUT", out}}) {
      command.replace(command.find(from), from.size(), to);
    }
    const auto result = run(*scratch_, command);
    EXPECT_EQ(result.status, 0) << result.err;
    return out;
  }

  // The message of loading `file`, which must fail as bad input with code "elf", in one line that names the file.
  static std::string failure(const std::string& file) {
    try {
      (void)load_program(file);
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), ExitStatus::kBadInput);
      EXPECT_EQ(e.code(), "elf");
      const std::string text = e.what();
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
      EXPECT_EQ(text.rfind(file + ": ", 0), 0u) << text;
      return text.substr(std::min(text.size(), file.size() + 2));
    }
    ADD_FAILURE() << file << " loads";
    return "";
  }

  static std::string failure_of_bytes(const std::string& bytes) {
    write_file(path("bad.elf"), bytes);
    return failure(path("bad.elf"));
  }

  // The good file with something changed.
  static std::string changed(const std::function<void(std::string&)>& change) {
    std::string bytes = *good_;
    change(bytes);
    return bytes;
  }
  template <class T>
  static T get(const std::string& bytes, std::size_t at) {
    T value;
    std::memcpy(&value, &bytes.at(at), sizeof value);
    return value;
  }
  template <class T>
  static void put(std::string& bytes, std::size_t at, T value) {
    std::memcpy(&bytes.at(at), &value, sizeof value);
  }
  // File offset of the first PT_LOAD program header.
  static std::size_t first_load(const std::string& bytes) {
    std::size_t at = get<std::uint32_t>(bytes, 28);
    while (get<std::uint32_t>(bytes, at) != 1) at += 32;
    return at;
  }

  static Scratch* scratch_;
  static std::string* good_;
};
Scratch* Loader::scratch_ = nullptr;
std::string* Loader::good_ = nullptr;

TEST_F(Loader, FindsKernelsByTheirMark) {
  const Program p = good();
  ASSERT_EQ(p.kernels.size(), 2u);
  EXPECT_NE(p.kernel("first"), nullptr);
  EXPECT_NE(p.kernel("second"), nullptr);
  EXPECT_EQ(p.kernel("helper"), nullptr);
  EXPECT_NE(p.at(p.kernel("first")->entry), nullptr);
}

// "name type kind bytes" of every parameter, or "unknown".
std::string signature(const Kernel* kernel) {
  if (kernel == nullptr) return "no kernel";
  if (!kernel->parameters) return "unknown";
  static const char* const kKinds[] = {"integer", "bool", "float", "pointer", "other"};
  std::string text;
  for (const Parameter& p : *kernel->parameters) {
    text += (text.empty() ? "" : "; ") + p.type + " " + p.name + ": " + (p.is_signed ? "signed " : "") +
            (p.may_be_address ? "address " : "") + kKinds[static_cast<int>(p.kind)] + " " + std::to_string(p.bytes);
  }
  return text;
}

TEST_F(Loader, ReadsTheParametersOfKernels) {
  const Program p = good();
  EXPECT_EQ(signature(p.kernel("first")), "int* a: pointer 4; int n: signed integer 4");
  EXPECT_EQ(signature(p.kernel("second")), "float* x: pointer 4");
}

TEST_F(Loader, ParametersAreSeenThroughTypedefsQualifiersAndTemplates) {
  const Program p = load_program(build("types.cu", R"(
#include <heddle/kernel.h>
#include <stdint.h>
typedef const float* const samples_t;
typedef volatile unsigned index_t;
enum Color { kRed = -1, kGreen };
enum class Small : unsigned char { kNone };
struct Pair { int a, b; };
union Either { int i; float f; };
extern "C" __global__ void a(samples_t x, int array[4], const index_t n, Color c, Small s, bool b, char ch, short sh) { array[0] = (int)x[0] + n + c + (int)s + b + ch + sh; }
extern "C" __global__ void b(Pair& p, int (*f)(int), void* v, const char* const* t, uintptr_t u, float) { p.a = 1; }
extern "C" __global__ void c(long long w, double d, Pair p, Either e) {}
template <class T, int N> __global__ void d(T* o, const T v) { o[N] = v; }
template __global__ void d<float, 3>(float*, const float);
namespace n { struct K { static __global__ void e(unsigned char v, signed char w); }; void K::e(unsigned char v, signed char w) {} }
extern "C" __global__ void f(int n, ...) {}
)",
                                       std::string(HEDDLE_CC) + " IN -o OUT"));
  EXPECT_EQ(signature(p.kernel("a")),
            "samples_t x: pointer 4; int* array: pointer 4; const index_t n: integer 4; Color c: signed integer 4; "
            "Small s: integer 1; bool b: bool 1; "
            "char ch: integer 1; short int sh: signed integer 2");
  EXPECT_EQ(signature(p.kernel("b")),
            "Pair& p: pointer 4; int (*)() f: pointer 4; void* v: pointer 4; const char* const* t: pointer 4; "
            "uintptr_t u: address integer 4; float : float 4");
  EXPECT_EQ(signature(p.kernel("c")),
            "long long int w: other 8; double d: other 8; Pair p: other 8; Either e: other 4");
  EXPECT_EQ(signature(p.kernel("d<float, 3>")), "float* o: pointer 4; const float v: float 4");
  EXPECT_EQ(signature(p.kernel("n::K::e")), "unsigned char v: integer 1; signed char w: signed integer 1");
  EXPECT_EQ(signature(p.kernel("f")), "unknown");  // variadic
}

// Folded into one piece of code, with the parameters of each.
TEST_F(Loader, KernelsOfOneCodeKeepTheirParameters) {
  const Program p = load_program(build("folded.c", R"(
#include <heddle/kernel.h>
__global__ void one(int* a, int b) { a[1] = 3; a[2] = 4; a[threadIdx.x] = 5; }
__global__ void two(unsigned* a) { a[1] = 3; a[2] = 4; a[threadIdx.x] = 5; }
)",
                                       std::string(HEDDLE_CC) + " IN -o OUT"));
  for (const char* name : {"one", "two"}) {
    const std::string own =
        name == std::string("one") ? "int* a: pointer 4; int b: signed integer 4" : "unsigned int* a: pointer 4";
    const std::string text = signature(p.kernel(name));
    EXPECT_TRUE(text == own || text == "unknown") << name << ": " << text;
  }
}

TEST_F(Loader, ParametersAreUnknownWithoutDebugInformation) {
  const Program bare = load_program(build("bare.c", kSource, std::string(HEDDLE_CC) + " -g0 IN -o OUT"));
  EXPECT_EQ(signature(bare.kernel("first")), "unknown");
  const Program assembly = load_program(
      build("hand.S", ".globl k\n.protected k\n.type k, @function\nk: sw a0, 0(a1)\n ret\n.size k, . - k\n",
            std::string(HEDDLE_CC) + " IN -o OUT"));
  EXPECT_EQ(signature(assembly.kernel("k")), "unknown");
}

TEST_F(Loader, PlacesEverySegmentInTheMemoryMap) {
  const Program p = good();
  EXPECT_EQ(p.text_begin, 0x10000000u);
  bool has_counter = false;
  for (const Segment& s : p.segments) {
    EXPECT_GE(s.address, 0x10000000u);
    EXPECT_LT(s.address + s.memory_size, 0x20000000u);
    EXPECT_EQ(s.executable, s.address == 0x10000000u);
    EXPECT_FALSE(s.executable && s.writable);
    has_counter |= s.writable && s.data.size() >= 4 && s.data[0] == 7;
  }
  EXPECT_TRUE(has_counter);
  EXPECT_EQ(p.kernels[0].shared_size, 400u);
  ASSERT_EQ(p.local.size(), 1u);
  EXPECT_EQ(p.thread_pointer, 0x70000000u);
  EXPECT_EQ(p.local[0].address, 0x70000000u);
  EXPECT_EQ(p.local[0].data, (std::vector<std::uint8_t>{3, 0, 0, 0}));
  EXPECT_EQ(p.local[0].memory_size, 24u);
}

TEST_F(Loader, DecodesTheTextAndGivesBranchesTheirReconvergencePoint) {
  const Program p = good();
  EXPECT_EQ(p.branches_without_rpc, 0u);
  unsigned branches = 0, barriers = 0;
  for (const Instruction& i : p.text) {
    EXPECT_NE(i.op, Op::kIllegal);
    barriers += i.barrier;
    if (!i.is_branch()) continue;
    ++branches;
    EXPECT_NE(p.at(i.rpc), nullptr);
  }
  EXPECT_EQ(branches, 1u);
  EXPECT_EQ(barriers, 1u);
  EXPECT_EQ(p.disassemble(p.exit_stub), "li a0,0");
  EXPECT_EQ(p.disassemble(p.exit_stub + 4), "li a7,93");
  EXPECT_EQ(p.disassemble(p.exit_stub + 8), "ecall");
}

TEST_F(Loader, NamesPlacesByFileLineAndFunction) {
  const Program p = good();
  Pc branch = p.text_begin;
  while (!p.at(branch)->is_branch()) branch += 4;
  EXPECT_EQ(p.source_line(branch).line, 12u);
  const Pc entry = p.kernel("first")->entry;
  char expected[64];
  std::snprintf(expected, sizeof expected, "good.c:12 (first+0x%x)", branch - entry);
  EXPECT_EQ(p.where(branch), expected);
  EXPECT_EQ(p.where(0x10), "0x10");
  EXPECT_EQ(p.disassemble(0x10), "outside the code");
  EXPECT_EQ(p.source_line(0x10).file, "");
}

TEST_F(Loader, CodeFromTheKernelHeaderCountsAsItsCaller) {
  const Program p = good();
  bool special = false;
  for (Pc pc = p.text_begin; pc < p.text_end; pc += 4) {
    EXPECT_EQ(p.source_line(pc).file.find("kernel.h"), std::string::npos) << p.where(pc);
    if (p.at(pc)->op == Op::kSfuEx2) {
      special = true;
      EXPECT_EQ(p.source_line(pc).line, 16u);
    }
  }
  EXPECT_TRUE(special);
}

TEST_F(Loader, WithoutDebugInformationPlacesAreFunctions) {
  const std::string file = build("nodebug.c", kSource, std::string(HEDDLE_CC) + " -g0 IN -o OUT");
  const Program p = load_program(file);
  EXPECT_EQ(p.where(p.kernel("second")->entry), "second+0x0");
}

TEST_F(Loader, FindsTemplateKernelsByReadableName) {
  const std::string file = build("t.cu", R"(
#include <heddle/kernel.h>
namespace deep { template <class T, int N> __global__ void scale(T* a) { a[threadIdx.x] *= N; } }
template __global__ void deep::scale<int, 3>(int*);
template __global__ void deep::scale<float, 4>(float*);
__global__ void over(int* a) { a[0] = 1; }
)",
                                 std::string(HEDDLE_CC) + " IN -o OUT");
  const Program p = load_program(file);
  ASSERT_EQ(p.kernels.size(), 3u);
  EXPECT_NE(p.kernel("over"), nullptr);
  EXPECT_NE(p.kernel("_Z4overPi"), nullptr);
  ASSERT_NE(p.kernel("deep::scale<int, 3>"), nullptr);
  EXPECT_NE(p.kernel("deep::scale<int, 3>"), p.kernel("deep::scale<float, 4>"));
  EXPECT_EQ(p.kernel("deep::scale"), nullptr) << "two fit";
  const std::string place = p.where(p.kernel("deep::scale<int, 3>")->entry);
  EXPECT_NE(place.find("(deep::scale<int, 3>+0x0)"), std::string::npos) << place;
}

TEST_F(Loader, WithoutMarkedFunctionsEveryGlobalOneIsAKernel) {
  const std::string file = build("plain.c",
                                 "static int __attribute__((noinline)) f(int x) { return x * x; }\n"
                                 "int g(int x) { return f(x); }\nint h(void) { return 1; }\n",
                                 std::string(HEDDLE_CC) + " IN -o OUT");
  const Program p = load_program(file);
  ASSERT_EQ(p.kernels.size(), 2u);
  EXPECT_NE(p.kernel("g"), nullptr);
  EXPECT_NE(p.kernel("h"), nullptr);
}

TEST_F(Loader, ProgramsOfOtherToolsLoadIfTheyHaveTheExitSymbol) {
  const std::string file =
      build("foreign.S", R"(
  .text
  .globl work, __heddle_exit
work:
  beqz a0, 1f
  addi a0, a0, 1
1: ret
__heddle_exit:
  li a0, 0
  li a7, 93
  ecall
  .globl marked
  .type marked, @function
marked: ret
)",
            "riscv64-unknown-elf-gcc -march=rv32imaf -mabi=ilp32f -nostdlib -Wl,-Ttext=0x10000,-e,work IN -o OUT");
  const Program p = load_program(file);
  EXPECT_EQ(p.text_begin, 0x10000u);
  EXPECT_EQ(p.kernels.size(), 1u);
  EXPECT_EQ(p.text[0].rpc, 0x10008u);
  EXPECT_EQ(p.where(0x10004), "work+0x4");
}

TEST_F(Loader, MissingKernelListsThoseThereAre) {
  const Program p = good();
  EXPECT_EQ(&find_kernel(p, "first"), p.kernel("first"));
  try {
    (void)find_kernel(p, "third");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), ExitStatus::kBadInput);
    EXPECT_EQ(e.code(), "kernel");
    EXPECT_EQ(std::string(e.what()), path("good.elf") + ": no kernel 'third'; choose one of: first, second");
  }
}

TEST_F(Loader, RejectsUnreadableFiles) {
  EXPECT_EQ(failure(path("nothing.elf")), "cannot read: No such file or directory");
  EXPECT_EQ(failure(scratch_->path().string()), "cannot read: a directory; give a program made by heddle-cc");
  EXPECT_EQ(failure("/dev/zero"), "cannot read: not a regular file; give a program made by heddle-cc");
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(failure(path("fifo")), "cannot read: not a regular file; give a program made by heddle-cc");
}

TEST_F(Loader, RejectsHugeFilesWithoutReadingThem) {
  write_file(path("sparse.elf"), *good_);
  std::filesystem::resize_file(path("sparse.elf"), std::uintmax_t{5} << 30);
  EXPECT_EQ(failure(path("sparse.elf")),
            "5368709120 bytes long; at most 268435456 are supported: give a program made by heddle-cc, or strip it");
}

TEST_F(Loader, RejectsProgramsThatWantTooMuchMemory) {
  const auto with_size = [](std::uint32_t address, std::uint32_t bytes) {
    return changed([&](std::string& b) {
      std::size_t data = first_load(b);
      while (get<std::uint32_t>(b, data + 24) != 6 || get<std::uint32_t>(b, data) != 1) data += 32;  // writable
      put(b, data + 8, address);
      put<std::uint32_t>(b, data + 16, 0);
      put(b, data + 20, bytes);
    });
  };
  const std::string global = failure_of_bytes(with_size(0x1000, 0x1F000000));
  EXPECT_EQ(global.rfind("code and data take ", 0), 0u) << global;
  EXPECT_NE(
      global.find(
          " bytes with the segment at 0x1000; at most 268435456 are supported: allocate large buffers at run time"),
      std::string::npos)
      << global;
  const std::string shared = failure_of_bytes(with_size(0x60000000, 0x08000000));
  EXPECT_EQ(shared.rfind("shared variables take ", 0), 0u) << shared;
  const std::string all = failure_of_bytes(with_size(0x10100000, 0xFFFFFFFF));
  EXPECT_NE(all.find("is outside the memory map"), std::string::npos) << all;
}

TEST_F(Loader, RejectsTooManyHeaders) {
  std::string bytes = *good_;
  put<std::uint32_t>(bytes, 28, static_cast<std::uint32_t>(bytes.size()));
  put<std::uint16_t>(bytes, 44, 5000);
  bytes.resize(bytes.size() + 5000 * 32);
  EXPECT_EQ(failure_of_bytes(bytes),
            "damaged: 5000 program headers; at most 4096 are supported: link it with heddle-cc");
}

// Each of the sections is the first word of the code, the last one all of it.
TEST_F(Loader, SixtyThousandSectionsOfCodeTakeNoLongTime) {
  const std::string file = build(
      "large.S", "  .text\n  .globl k\n  .type k, @function\nk:\n  .fill 1000000, 4, 0x13\n  ret\n  .size k, . - k\n",
      std::string(HEDDLE_CC) + " IN -o OUT");
  std::string bytes = test::read_file(file);
  const auto headers = get<std::uint32_t>(bytes, 32);
  const unsigned count = get<std::uint16_t>(bytes, 48);
  std::string text, word;
  for (unsigned n = 0; n < count; ++n) {
    if ((get<std::uint32_t>(bytes, headers + 40 * n + 8) & 4) == 0) continue;
    text = bytes.substr(headers + 40 * n, 40);
    put<std::uint32_t>(bytes, headers + 40 * n + 20, 4);
    word = bytes.substr(headers + 40 * n, 40);
  }
  ASSERT_FALSE(text.empty());
  const std::string all = bytes.substr(headers, 40 * count);
  put<std::uint32_t>(bytes, 32, static_cast<std::uint32_t>(bytes.size()));
  put<std::uint16_t>(bytes, 48, 60000);
  bytes += all;
  for (unsigned n = count; n < 59999; ++n) bytes += word;
  bytes += text;
  write_file(path("sections.elf"), bytes);
  const std::clock_t begin = std::clock();
  EXPECT_EQ(load_program(path("sections.elf")).text.size(), load_program(file).text.size());
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 20.0);
}

// Every function but the last holds all the others.
TEST_F(Loader, FunctionsThatHoldEachOtherAreNotAnalysedAgainAndAgain) {
  std::string text = "  .text\n  .globl k\n  .type k, @function\nk:\n  nop\n", sizes;
  for (int n = 0; n < 5000; ++n) {
    const std::string f = "f" + std::to_string(n);
    text += "  .type " + f + ", @function\n" + f + ": beqz a0, 1f\n  .fill 10, 4, 0x13\n1:\n";
    sizes += "  .size " + f + ", end - " + f + "\n";
  }
  const std::string file =
      build("nested.S", text + "  ret\nend:\n" + sizes + "  .size k, end - k\n", std::string(HEDDLE_CC) + " IN -o OUT");
  const std::clock_t begin = std::clock();
  EXPECT_EQ(load_program(file).branches_without_rpc, 0u);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 20.0);
}

TEST_F(Loader, RejectsWhatIsNoElf) {
  EXPECT_EQ(failure_of_bytes(""), "not an ELF file; give a program made by heddle-cc");
  EXPECT_EQ(failure_of_bytes("int main() {}\n"), "not an ELF file; give a program made by heddle-cc");
}

TEST_F(Loader, RejectsTruncatedFilesAtEveryLength) {
  for (std::size_t size = 4; size < good_->size(); size += 1 + size / 16) {
    EXPECT_EQ(failure_of_bytes(good_->substr(0, size)).rfind("truncated: ", 0), 0u) << size << " bytes";
  }
}

TEST_F(Loader, RejectsTheWrongMachineAndByteOrder) {
  EXPECT_EQ(failure("/proc/self/exe"),
            "for another machine (ELF machine 62); kernels are little-endian RISC-V (243): compile with heddle-cc");
  EXPECT_EQ(failure_of_bytes(changed([](std::string& b) { put<std::uint16_t>(b, 18, 40); })),
            "for another machine (ELF machine 40); kernels are little-endian RISC-V (243): compile with heddle-cc");
  EXPECT_NE(failure_of_bytes(changed([](std::string& b) { b[5] = 2; })).find("little-endian"), std::string::npos);
}

TEST_F(Loader, RejectsObjectsAndSharedLibraries) {
  EXPECT_EQ(failure_of_bytes(changed([](std::string& b) { put<std::uint16_t>(b, 16, 1); })),
            "an object file; link it with heddle-cc");
  EXPECT_EQ(failure_of_bytes(changed([](std::string& b) { put<std::uint16_t>(b, 16, 3); })),
            "not a static executable; link it with heddle-cc");
}

TEST_F(Loader, RejectsInstructionSetsTheCoreDoesNotHave) {
  const std::uint32_t flags = get<std::uint32_t>(*good_, 36);
  EXPECT_EQ(failure_of_bytes(changed([&](std::string& b) { put<std::uint32_t>(b, 36, flags | 1); })),
            "uses compressed instructions; compile with -march=rv32imaf");
  EXPECT_EQ(failure_of_bytes(changed([&](std::string& b) { put<std::uint32_t>(b, 36, flags | 8); })),
            "for the 16-register ABI; compile with -mabi=ilp32f");
}

TEST_F(Loader, RejectsProgramsWithoutTheExitSymbol) {
  const std::string file =
      build("noexit.S", "  .text\n  .globl k\n  .type k, @function\nk: ret\n",
            "riscv64-unknown-elf-gcc -march=rv32imaf -mabi=ilp32f -nostdlib -Wl,-Ttext=0x10000,-e,k IN -o OUT");
  EXPECT_EQ(failure(file), "no symbol __heddle_exit, where kernels return to; link with heddle-cc");
}

TEST_F(Loader, RejectsProgramsWithoutCode) {
  const std::string file =
      build("nocode.S", "  .data\n  .globl __heddle_exit\n__heddle_exit: .word 1\n",
            "riscv64-unknown-elf-gcc -march=rv32imaf -mabi=ilp32f -nostdlib -Wl,-Tdata=0x10000,-e,0 IN -o OUT");
  EXPECT_EQ(failure(file), "contains no code");
}

TEST_F(Loader, RejectsProgramsWithoutAKernel) {
  const std::string file = build("nokernel.c", "int x;\n", std::string(HEDDLE_CC) + " IN -o OUT");
  EXPECT_EQ(failure(file), "contains no kernel; mark one with __global__");
}

TEST_F(Loader, RejectsSegmentsOutsideTheMemoryMap) {
  for (const std::uint32_t address : {0u, 0x20000000u, 0x5FFFF000u, 0x80000000u, 0xFFFFF000u}) {
    const std::string text = failure_of_bytes(changed([&](std::string& b) { put(b, first_load(b) + 8, address); }));
    EXPECT_NE(text.find("is outside the memory map; code and data belong between 0x1000 and 0x20000000"),
              std::string::npos)
        << text;
  }
}

TEST_F(Loader, RejectsDamagedSegments) {
  const std::string larger = failure_of_bytes(changed([](std::string& b) {
    put<std::uint32_t>(b, first_load(b) + 20, get<std::uint32_t>(b, first_load(b) + 16) - 4);
  }));
  EXPECT_EQ(larger.rfind("damaged: the segment at 0x10000000 has ", 0), 0u) << larger;
  const std::string overlap =
      failure_of_bytes(changed([](std::string& b) { put<std::uint32_t>(b, first_load(b) + 32 + 8, 0x10000010); }));
  EXPECT_EQ(overlap, "damaged: the segments at 0x10000000 and 0x10000010 overlap");
}

// Files as nobody would write them: fields of headers, symbols and code with values that hurt, bytes of any value,
// parts doubled, files cut. HEDDLE_FUZZ_CASES and HEDDLE_FUZZ_SEED ask for more than ctest runs (docs/testing.md).
class Mutation {
 public:
  Mutation(std::string bytes, std::uint32_t seed) : bytes_(std::move(bytes)), random_(seed) {}

  std::string run() {
    for (unsigned changes = 1 + pick(6); changes > 0 && bytes_.size() > 64; --changes) change();
    return std::move(bytes_);
  }

 private:
  std::size_t pick(std::size_t below) { return below == 0 ? 0 : random_() % below; }
  std::uint32_t word(std::size_t at) const {
    std::uint32_t value = 0;
    if (at + 4 <= bytes_.size()) std::memcpy(&value, &bytes_[at], 4);
    return value;
  }
  void put(std::size_t at, std::uint32_t value, std::size_t size = 4) {
    if (at + size <= bytes_.size()) std::memcpy(&bytes_[at], &value, size);
  }
  [[nodiscard]] std::uint32_t nasty(std::uint32_t now) {
    const std::uint32_t values[] = {0,
                                    1,
                                    3,
                                    4,
                                    0x7F,
                                    0xFF,
                                    0x1000,
                                    0xFFFF,
                                    0x10000,
                                    0x10000000,
                                    0x1FFFF000,
                                    0x60000000,
                                    0x70000000,
                                    0x7FFFFFFF,
                                    0x80000000,
                                    0xFFFFF000,
                                    0xFFFFFFFC,
                                    0xFFFFFFFF,
                                    now + 1,
                                    now - 1,
                                    now + 4,
                                    now * 2,
                                    now ^ 0x80,
                                    static_cast<std::uint32_t>(random_()),
                                    static_cast<std::uint32_t>(bytes_.size())};
    return values[pick(std::size(values))];
  }
  void change_word(std::size_t at) { put(at, nasty(word(at))); }

  void change() {
    const std::size_t programs = word(28), sections = word(32), program_count = word(44) & 0xFFFF,
                      section_count = word(48) & 0xFFFF;
    switch (pick(9)) {
      case 0: bytes_[pick(bytes_.size())] = static_cast<char>(random_()); break;
      case 1: put(16 + 2 * pick(18), nasty(0), 2); break;
      case 2: change_word(programs + 32 * pick(program_count) + 4 * pick(8)); break;
      case 3: change_word(sections + 40 * pick(section_count) + 4 * pick(10)); break;
      case 4: {  // a word inside a section: code, data, symbols, lines
        const std::size_t header = sections + 40 * pick(section_count);
        change_word(word(header + 16) + 4 * pick(word(header + 20) / 4));
        break;
      }
      case 5: {  // a run of words
        const std::size_t header = sections + 40 * pick(section_count);
        const std::size_t from = word(header + 16) + 4 * pick(word(header + 20) / 4);
        for (std::size_t n = pick(16); n > 0; --n) put(from + 4 * n, random_());
        break;
      }
      case 6: {  // one header is another
        const std::size_t size = pick(2) == 0 ? 32 : 40, table = size == 32 ? programs : sections,
                          count = size == 32 ? program_count : section_count;
        const std::size_t from = table + size * pick(count), to = table + size * pick(count);
        for (std::size_t n = 0; n < size; n += 4) put(to + n, word(from + n));
        break;
      }
      case 7:
        if (pick(4) == 0) bytes_.resize(pick(bytes_.size()) + 1);
        break;
      default: put(4 * pick(bytes_.size() / 4), nasty(0)); break;
    }
  }

  std::string bytes_;
  std::mt19937 random_;
};

TEST_F(Loader, MutatedFilesLoadOrAreRefusedInOneLine) {
  const auto number = [](const char* name, unsigned otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
  };
  const unsigned cases = number("HEDDLE_FUZZ_CASES", 2000), first = number("HEDDLE_FUZZ_SEED", 1);
  const std::string tables = test::read_file(build("tables.c", R"(
#include <heddle/kernel.h>
static __device__ __attribute__((noinline)) void waits(int* a) { __syncthreads(); a[0]++; }
void (*pointer)(int*) = waits;
__global__ void k(int* a, int n) {
  static void* const labels[] = {&&one, &&two};
  switch (n) { case 0: a[0] = n; break; case 1: a[1] /= n; break; case 2: a[2] = 5; break; case 3: a[3] *= n; break; case 4: a[8]++; break; case 5: a[9]--; }
  if (a[5] > n) return;
  pointer(a);
  goto *labels[a[7] & 1];
one: a[4] = 1;
two: for (int i = 0; i < n; ++i) { if (a[i] == 7) break; a[i] = n / a[i]; }
})",
                                                   std::string(HEDDLE_CC) + " -fjump-tables IN -o OUT"));
  unsigned loaded = 0, failed = 0;
  for (unsigned n = 0; n < cases; ++n) {
    write_file(path("bad.elf"), Mutation((first + n) % 2 == 0 ? *good_ : tables, first + n).run());
    SCOPED_TRACE("seed " + std::to_string(first + n));
    try {
      const Program p = load_program(path("bad.elf"));
      ASSERT_EQ(p.lines.size(), p.text.size());
      ++loaded;
    } catch (const Error& e) {
      ASSERT_EQ(e.code(), "elf");
      ASSERT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
      ++failed;
    }
  }
  if (cases < 1000) return;
  EXPECT_GT(loaded, cases / 10);
  EXPECT_GT(failed, cases / 10);
}

TEST_F(Loader, DamagedBytesNeverDoMoreThanFail) {
  std::mt19937 random(8);
  unsigned loaded = 0, failed = 0;
  for (int n = 0; n < 3000; ++n) {
    std::string bytes = *good_;
    const unsigned changes = 1 + random() % 8;
    // Half of the changes in the headers, where they hurt.
    for (unsigned c = 0; c < changes; ++c) {
      const std::size_t range = random() % 2 == 0 ? 320 : bytes.size();
      bytes[random() % range] = static_cast<char>(random());
    }
    write_file(path("bad.elf"), bytes);
    try {
      const Program p = load_program(path("bad.elf"));
      ASSERT_EQ(p.lines.size(), p.text.size());
      ++loaded;
    } catch (const Error& e) {
      ASSERT_EQ(e.code(), "elf");
      ++failed;
    }
  }
  EXPECT_GT(loaded, 100u);
  EXPECT_GT(failed, 100u);
}

// ---- RV64: what is different in an ELF64

class Loader64 : public Loader {
 protected:
  static const std::string& file() {
    static const std::string bytes = [] {
      write_file(path("good64.c"), kSource);
      const auto result = run(*scratch_, std::string(HEDDLE_CC) + " --rv64 good64.c -o good64.elf");
      EXPECT_EQ(result.status, 0) << result.err;
      return test::read_file(path("good64.elf"));
    }();
    return bytes;
  }
  static Elf64_Ehdr header() { return get<Elf64_Ehdr>(file(), 0); }
  // File offset of a program header of that type.
  static std::size_t program_header(std::uint32_t type) {
    std::size_t at = header().e_phoff;
    while (get<Elf64_Phdr>(file(), at).p_type != type) at += sizeof(Elf64_Phdr);
    return at;
  }
  // The message about the file with one field of another value.
  template <class T>
  static std::string failure_with(std::size_t at, T value) {
    std::string bytes = file();
    put(bytes, at, value);
    return failure_of_bytes(bytes);
  }
};

TEST_F(Loader64, ReadsWhatItReadsOfRV32) {
  static_cast<void>(file());
  const Program wide = load_program(path("good64.elf")), narrow = good();
  EXPECT_EQ(wide.xlen, Xlen::k64);
  EXPECT_EQ(narrow.xlen, Xlen::k32);
  ASSERT_EQ(wide.kernels.size(), narrow.kernels.size());
  EXPECT_EQ(wide.text_begin, narrow.text_begin);
  EXPECT_EQ(wide.kernel("first")->shared_size, narrow.kernel("first")->shared_size);
  EXPECT_EQ(wide.thread_pointer, narrow.thread_pointer);
  EXPECT_EQ(wide.local.at(0).data, narrow.local.at(0).data);
  EXPECT_EQ(wide.branches_without_rpc, 0u);
  EXPECT_TRUE(wide.movable);
  for (const Instruction& i : wide.text) EXPECT_NE(i.op, Op::kIllegal);
  EXPECT_EQ(signature(wide.kernel("first")), "int* a: pointer 8; int n: signed integer 4");
  const Pc entry = wide.kernel("first")->entry;
  EXPECT_EQ(wide.where(entry).find("good64.c:"), 0u) << wide.where(entry);
}

TEST_F(Loader64, TypesAreTheHosts) {
  const Program p = load_program(build("types64.cu", R"(
#include <heddle/kernel.h>
#include <stdint.h>
struct Node { Node* next; size_t n; float f; int* const* list[2]; };
extern "C" __global__ void a(long l, unsigned long u, long long w, double d, size_t n, uintptr_t p, Node node, Node* nodes, void (*f)(int), bool b) {}
)",
                                       std::string(HEDDLE_CC) + " --rv64 IN -o OUT"));
  const Kernel* kernel = p.kernel("a");
  EXPECT_EQ(signature(kernel),
            "long int l: signed integer 8; long unsigned int u: integer 8; long long int w: signed integer 8; double "
            "d: float "
            "8; size_t n: integer 8; uintptr_t p: address integer 8; Node node: other 40; Node* nodes: pointer 8; "
            "void (*)() f: pointer 8; bool b: bool 1");
  for (const auto& type : kernel->types) {
    ASSERT_NE(type, nullptr);
    EXPECT_TRUE(type->same) << type->name;
    EXPECT_EQ(type->problem, "") << type->name;
    EXPECT_EQ(type->host.bytes, type->device.bytes) << type->name;
  }
  EXPECT_EQ(kernel->types[7]->pointee_problem, "");
  EXPECT_EQ(kernel->types[8]->pointee_problem, "code has other addresses in a kernel");
}

TEST_F(Loader64, JumpTablesOfEightBytesAreRead) {
  const Program p = load_program(build("tables64.c", R"(
int k(int* a, unsigned n, unsigned long m) {
  static void* const labels[] = {&&one, &&two, &&three};
  switch (n) { case 0: a[0] = n; break; case 1: a[1] = 7; break; case 2: a[2] = 5; break; case 3: a[3] *= n; break; case 4: a[8]++; break; case 5: a[9]--; break; case 6: a[10] = n; }
  goto *labels[m % 3];
one: a[4] = 1;
two: a[5] = 2;
three: return a[7];
})",
                                       std::string(HEDDLE_CC) + " --rv64 -fjump-tables IN -o OUT"));
  unsigned jumps = 0;
  for (const Instruction& i : p.text) {
    if (i.op != Op::kJalr || i.is_return() || i.is_call()) continue;
    ++jumps;
    EXPECT_NE(i.rpc, kNoRpc);
  }
  EXPECT_GE(jumps, 2u);
  EXPECT_EQ(p.branches_without_rpc, 0u);
}

TEST_F(Loader64, RejectsWhatTheCoreDoesNotHave) {
  const std::uint32_t flags = header().e_flags;
  constexpr std::size_t kFlags = offsetof(Elf64_Ehdr, e_flags);
  EXPECT_EQ(failure_with(kFlags, flags | 1), "uses compressed instructions; compile with -march=rv64imafd");
  EXPECT_EQ(failure_with(kFlags, flags | 8), "for the 16-register ABI; compile with -mabi=lp64d");
  for (const std::uint32_t abi : {0u, 2u, 6u}) {
    EXPECT_EQ(failure_with(kFlags, (flags & ~6u) | abi),
              "passes doubles in integer registers; compile with -mabi=lp64d");
  }
}

TEST_F(Loader64, RejectsPlacesBeyondTheMemoryMapAndNumbersThatWrap) {
  const std::size_t load = program_header(PT_LOAD);
  const auto field = [&](std::size_t offset) { return load + offset; };
  for (const std::uint64_t address : {std::uint64_t{0x80000000}, std::uint64_t{0x110000000},
                                      std::uint64_t{0xFFFFFFFF10000000}, ~std::uint64_t{0} - 8}) {
    EXPECT_NE(failure_with(field(offsetof(Elf64_Phdr, p_vaddr)), address).find("is outside the memory map"),
              std::string::npos)
        << address;
  }
  EXPECT_EQ(failure_with(field(offsetof(Elf64_Phdr, p_offset)), ~std::uint64_t{0}).rfind("truncated: ", 0), 0u);
  EXPECT_EQ(failure_with(field(offsetof(Elf64_Phdr, p_filesz)), ~std::uint64_t{0} - 0x2000).rfind("truncated: ", 0),
            0u);
  EXPECT_NE(failure_with(field(offsetof(Elf64_Phdr, p_memsz)), ~std::uint64_t{0} - 8).find("is outside the memory map"),
            std::string::npos);
  EXPECT_EQ(failure_with(offsetof(Elf64_Ehdr, e_phoff), ~std::uint64_t{0} - 16).rfind("truncated: ", 0), 0u);
  EXPECT_EQ(failure_with(offsetof(Elf64_Ehdr, e_shoff), ~std::uint64_t{0} - 16).rfind("truncated: ", 0), 0u);
}

TEST_F(Loader64, DamagedFilesAreRefusedInOneLineOrLoad) {
  static constexpr std::uint64_t kNasty[] = {0,
                                             1,
                                             7,
                                             0x7FFFFFFF,
                                             0x80000000,
                                             0xFFFFFFFF,
                                             0x100000000,
                                             0xFFFFFFFF80000000,
                                             0x7FFFFFFFFFFFFFFF,
                                             0xFFFFFFFFFFFFFFF8,
                                             0xFFFFFFFFFFFFFFFF};
  const std::size_t sections = header().e_shoff,
                    bytes_of_sections = std::size_t{header().e_shnum} * header().e_shentsize;
  std::mt19937 random(64);
  unsigned loaded = 0, failed = 0;
  for (int n = 0; n < 1500; ++n) {
    std::string bytes = file();
    for (unsigned c = 1 + random() % 4; c > 0; --c) {
      const unsigned where = random() % 4;
      const std::size_t at = where == 0   ? 16 + random() % 320
                             : where == 1 ? sections + random() % bytes_of_sections
                                          : random() % bytes.size();
      if (random() % 2 == 0) bytes[at] = static_cast<char>(random());
      else if (at / 8 * 8 + 8 <= bytes.size()) put(bytes, at / 8 * 8, kNasty[random() % std::size(kNasty)]);
    }
    write_file(path("bad.elf"), bytes);
    try {
      const Program p = load_program(path("bad.elf"));
      ASSERT_EQ(p.lines.size(), p.text.size());
      ++loaded;
    } catch (const Error& e) {
      ASSERT_EQ(e.code(), "elf");
      ASSERT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
      ++failed;
    }
  }
  EXPECT_GT(loaded, 100u);
  EXPECT_GT(failed, 100u);
}

TEST_F(Loader64, ModulesMoveWithTheirAddressesAndHaveTheWidthOfTheFirst) {
  const std::string source = R"(
#include <heddle/kernel.h>
int values[4] = {5, 6, 7, 8};
int* const second = values + 2;
static int* volatile where = &values[1];
__global__ void NAME(int* a) { a[0] = *where + *second + values[a[1]]; }
)";
  const auto module = [&](const std::string& name, const std::string& option) {
    std::string text = source;
    text.replace(text.find("NAME"), 4, name);
    return load_program(build(name + ".c", text, std::string(HEDDLE_CC) + option + " IN -o OUT"));
  };
  Program program = module("one", " --rv64");
  add_module(program, module("two", " --rv64"));
  FunctionalDevice device{Config{}};
  device.load(std::move(program));
  const Address at = device.allocate(8);
  for (const char* kernel : {"one", "two"}) {
    const std::int32_t words[2] = {0, 3};
    device.write(at, words, sizeof words);
    device.launch(kernel, {1}, {1}, {at});
    std::int32_t result = 0;
    device.read(at, &result, sizeof result);
    EXPECT_EQ(result, 6 + 7 + 8) << kernel;
  }
  Program wide = module("three", " --rv64");
  try {
    add_module(wide, module("four", ""));
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "elf");
    EXPECT_NE(std::string(e.what()).find(
                  ": an RV32 program beside an RV64 one on one device: compile all of them for one of both"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace heddle::loader_test
