// SPDX-License-Identifier: Apache-2.0
// Shared memory of each kernel, of programs that heddle-cc makes.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "program/loader.h"
#include "support.h"

namespace heddle::shared_layout_test {
namespace {

using test::run;
using test::Scratch;
using test::write_file;

class SharedLayout : public ::testing::Test {
 protected:
  std::string build(const std::string& text, const std::string& name = "k.cu") {
    write_file(scratch_ / name, (name.back() == 'S' ? "" : "#include <heddle/kernel.h>\n") + text);
    const auto result = run(scratch_, std::string(HEDDLE_CC) + " " + name + " -o k.elf");
    EXPECT_EQ(result.status, 0) << result.err;
    return scratch_ / "k.elf";
  }
  std::string without_relocations() {
    EXPECT_EQ(run(scratch_,
                  "riscv64-unknown-elf-objcopy --remove-section .rela.text --remove-section .rela.data k.elf bare.elf")
                  .status,
              0);
    return scratch_ / "bare.elf";
  }
  static std::map<std::string, unsigned> sizes(const std::string& elf) {
    std::map<std::string, unsigned> all;
    for (const Kernel& k : load_program(elf).kernels) all[k.name] = k.shared_size;
    return all;
  }
  using Sizes = std::map<std::string, unsigned>;

  Scratch scratch_;
};

// A kernel's code, relative to its beginning.
std::vector<std::uint32_t> words(const Program& program, const std::string& kernel, unsigned count) {
  std::vector<std::uint32_t> all;
  for (unsigned n = 0; n < count; ++n) all.push_back(program.at(program.kernel(kernel)->entry + 4 * n)->word);
  return all;
}

TEST_F(SharedLayout, EachKernelHasWhatItUses) {
  const std::string elf = build(R"(
extern "C" __global__ void none(int* a) { a[0] = 1; }
extern "C" __global__ void small(int* a) { __shared__ int tile[10]; tile[threadIdx.x] = a[0]; __syncthreads(); a[0] = tile[a[1]]; }
extern "C" __global__ void large(int* a) { __shared__ int tile[7500]; tile[threadIdx.x] = a[0]; __syncthreads(); a[0] = tile[a[1]]; }
extern "C" __global__ void other(int* a) { __shared__ int tile[7500]; tile[threadIdx.x] = a[0]; __syncthreads(); a[0] = tile[a[1]]; }
__shared__ int nobodys[5000];
)");
  EXPECT_EQ(sizes(elf), (Sizes{{"none", 0}, {"small", 48}, {"large", 30000}, {"other", 30000}}));
  // The same code, now with the same addresses in it.
  const Program program = load_program(elf);
  EXPECT_EQ(words(program, "large", 12), words(program, "other", 12));
  const Program bare = load_program(without_relocations());
  EXPECT_NE(words(bare, "large", 12), words(bare, "other", 12));
}

TEST_F(SharedLayout, AKernelAloneIsAsTheLinkerHasIt) {
  const std::string elf = build(R"(
__shared__ char first[3];
__shared__ double second[7];
__shared__ __align__(64) float third[5];
extern "C" __global__ void k(double* a) {
  extern __shared__ float behind[];
  first[threadIdx.x % 3] = 2; second[threadIdx.x % 7] = a[1]; third[threadIdx.x % 5] = 3; behind[threadIdx.x] = 4;
  __syncthreads();
  a[0] = first[1] + second[2] + third[3] + behind[7];
})");
  const Program program = load_program(elf), bare = load_program(without_relocations());
  EXPECT_EQ(program.kernels[0].shared_size, bare.kernels[0].shared_size);
  ASSERT_EQ(program.text.size(), bare.text.size());
  for (std::size_t n = 0; n < program.text.size(); ++n) EXPECT_EQ(program.text[n].word, bare.text[n].word) << n;
}

TEST_F(SharedLayout, WhatAFunctionUsesIsTheKernelsThatCallIt) {
  EXPECT_EQ(sizes(build(R"(
static __device__ __attribute__((noinline)) int deep(int i) { __shared__ int tile[1000]; tile[threadIdx.x] = i; __syncthreads(); return tile[i]; }
static __device__ __attribute__((noinline)) int helper(int i) { __shared__ int tile[100]; tile[threadIdx.x] = i; __syncthreads(); return tile[i] + deep(i); }
extern "C" __global__ void a(int* p) { __shared__ int tile[2000]; tile[threadIdx.x] = p[0]; __syncthreads(); p[0] = helper(p[1]) + tile[p[2]]; }
extern "C" __global__ void b(int* p) { __shared__ int tile[20]; tile[threadIdx.x] = p[0]; __syncthreads(); p[0] = helper(p[1]) + tile[p[2]]; }
extern "C" __global__ void c(int* p) { __shared__ int tile[3000]; tile[threadIdx.x] = p[0]; __syncthreads(); p[0] = tile[p[2]]; }
)")),
            (Sizes{{"a", 12400}, {"b", 4480}, {"c", 12000}}));
}

TEST_F(SharedLayout, ACallThroughAPointerMayGoWhereverOnePoints) {
  EXPECT_EQ(sizes(build(R"(
static __device__ int one(int i) { __shared__ int tile[1000]; tile[threadIdx.x] = i; __syncthreads(); return tile[i]; }
static __device__ int two(int i) { __shared__ int tile[100]; tile[threadIdx.x] = i; __syncthreads(); return tile[i]; }
static __device__ __attribute__((noinline)) int three(int i) { __shared__ int tile[50]; tile[threadIdx.x] = i; __syncthreads(); return tile[i]; }
int (*const table[])(int) = {one, two};
int (*variable)(int);
extern "C" __global__ void through(int* p) { p[0] = table[p[1]](p[2]); }
extern "C" __global__ void set(int* p) { variable = p[0] ? one : two; p[1] = three(p[0]); }
extern "C" __global__ void apart(int* p) { p[0] = three(p[1]); }
)")),
            (Sizes{{"through", 4400}, {"set", 208}, {"apart", 208}}));
}

TEST_F(SharedLayout, DynamicMemoryBeginsBehindTheKernelsOwn) {
  EXPECT_EQ(sizes(build(R"(
extern __shared__ int dynamic[];
static __device__ __attribute__((noinline)) int both(int i) { dynamic[threadIdx.x] = i; __syncthreads(); return dynamic[i]; }
extern "C" __global__ void only(int* p) { dynamic[threadIdx.x] = p[0]; __syncthreads(); p[0] = dynamic[p[1]]; }
extern "C" __global__ void mixed(int* p) { __shared__ int tile[500]; tile[threadIdx.x] = dynamic[threadIdx.x] = p[0]; __syncthreads(); p[0] = dynamic[p[1]] + tile[p[2]]; }
extern "C" __global__ void caller(int* p) { __shared__ int tile[20]; tile[threadIdx.x] = p[0]; __syncthreads(); p[0] = both(p[1]) + tile[p[2]]; }
extern "C" __global__ void other(int* p) { __shared__ int tile[10]; tile[threadIdx.x] = p[0]; __syncthreads(); p[0] = both(p[1]) + tile[p[2]]; }
extern "C" __global__ void unrelated(int* p) { __shared__ int tile[5000]; tile[threadIdx.x] = p[0]; __syncthreads(); p[0] = tile[p[2]]; }
)")),
            (Sizes{{"only", 0}, {"mixed", 2000}, {"caller", 80}, {"other", 80}, {"unrelated", 20000}}));
}

TEST_F(SharedLayout, AddressesInDataAreEveryKernels) {
  EXPECT_EQ(sizes(build(R"(
__shared__ int tile[40];
int* const where = tile + 3;
int* volatile cell = tile;
extern "C" __global__ void a(int* p) { __shared__ int own[10]; own[threadIdx.x] = *p; __syncthreads(); p[0] = own[p[1]]; cell[0] = 1; }
extern "C" __global__ void b(int* p) { p[0] = 1; }
)")),
            (Sizes{{"a", 208}, {"b", 160}}));
}

// Nobody knows who uses what: without relocations, of labels without a size, with addresses relative to the code.
TEST_F(SharedLayout, WhatIsNotKnownIsEveryKernels) {
  build(R"(
extern "C" __global__ void a(int* p) { __shared__ int tile[10]; tile[threadIdx.x] = p[0]; __syncthreads(); p[0] = tile[p[1]]; }
extern "C" __global__ void b(int* p) { __shared__ int tile[20]; tile[threadIdx.x] = p[0]; __syncthreads(); p[0] = tile[p[1]]; }
)");
  EXPECT_EQ(sizes(without_relocations()), (Sizes{{"a", 128}, {"b", 128}}));
  const std::string variables = R"(
  .section .bss..heddle_shared.x, "aw", @nobits
x: .zero 32
  .type y, @object
y: .zero 16
  .size y, 16
  .text
  .globl a
  .protected a
  .type a, @function
a: lui a5, %hi(y)
  sw a0, %lo(y)(a5)
  ret
  .size a, . - a
)";
  EXPECT_EQ(sizes(build(variables, "k.S")), (Sizes{{"a", 48}}));
  const std::string sized = "  .type x, @object\n  .size x, 32\n";
  EXPECT_EQ(sizes(build(variables + sized, "k.S")), (Sizes{{"a", 16}}));
  EXPECT_EQ(sizes(build(variables + sized + "b: la a0, x\n ret\n", "k.S")), (Sizes{{"a", 48}}));
}

}  // namespace
}  // namespace heddle::shared_layout_test
