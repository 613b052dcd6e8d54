// SPDX-License-Identifier: Apache-2.0
// Chains of dependent instructions: of NAME_long and NAME_short the first is 100 steps longer and otherwise the same, alignment included.
#include <heddle/kernel.h>

#define STEPS(count, step, ...) __asm__ volatile(".balign 64\n .rept " #count "\n" step "\n .endr" __VA_ARGS__)
#define KERNEL(name) extern "C" __global__ __attribute__((aligned(64))) void name(uintptr_t* out)
#if __riscv_xlen == 64
#define LOAD_ADDRESS "ld"
#else
#define LOAD_ADDRESS "lw"
#endif
#define CHAIN(name, prepare, step, ...)                        \
  KERNEL(name##_short) { prepare; STEPS(16, step, __VA_ARGS__); } \
  KERNEL(name##_long) { prepare; STEPS(116, step, __VA_ARGS__); }

CHAIN(alu, int x = 1, "addi %0, %0, 1", : "+r"(x))
CHAIN(mul, int x = 1, "mul %0, %0, %0", : "+r"(x))
CHAIN(div, int x = 1, "div %0, %0, %0", : "+r"(x))
CHAIN(fadd, float x = 1, "fadd.s %0, %0, %0", : "+f"(x))
CHAIN(fdiv, float x = 1, "fdiv.s %0, %0, %0", : "+f"(x))
CHAIN(special, float x = 1, ".insn r 0x2b, 0, 0, %0, %0, x0", : "+f"(x))

#if __riscv_xlen == 64
CHAIN(divw, long x = 1, "divw %0, %0, %0", : "+r"(x))
CHAIN(mulw, long x = 1, "mulw %0, %0, %0", : "+r"(x))
CHAIN(fadd64, double x = 1, "fadd.d %0, %0, %0", : "+f"(x))
CHAIN(fdiv64, double x = 1, "fdiv.d %0, %0, %0", : "+f"(x))
CHAIN(fsqrt64, double x = 1, "fsqrt.d %0, %0", : "+f"(x))
// Eight that do not wait for each other.
CHAIN(rate64, (void)out, ".irp to, 0, 1, 2, 3, 4, 5, 6, 7\n fadd.d fa\\to, fa\\to, fa\\to\n .endr", : : : "memory")
#endif

// Each thread has a word that holds the word's own address.
CHAIN(shared, __shared__ uintptr_t words[32]; uintptr_t p = (uintptr_t)&words[threadIdx.x]; words[threadIdx.x] = p, LOAD_ADDRESS " %0, 0(%0)", : "+r"(p) : : "memory")
CHAIN(hit, uintptr_t p = (uintptr_t)&out[threadIdx.x]; out[threadIdx.x] = p, LOAD_ADDRESS " %0, 0(%0)", : "+r"(p) : : "memory")

// The first block goes through zeros, a line of 128 bytes a step.
CHAIN(miss, if (blockIdx.x != 0) return; uintptr_t p = (uintptr_t)out; uintptr_t zero = 0,
      "lw %1, 0(%0)\n add %0, %0, %1\n addi %0, %0, 128", : "+r"(p), "+r"(zero) : : "memory")

// One warp and nothing to wait for; and with a branch over each second instruction, of which no thread, all, or those of odd number take it.
CHAIN(straight, (void)out, "nop", : : : "memory")
CHAIN(untaken, (void)out, "bne x0, x0, 1f\n nop\n 1:", : : : "memory")
CHAIN(taken, (void)out, "beq x0, x0, 1f\n nop\n 1:", : : : "memory")
CHAIN(skip, unsigned odd = threadIdx.x % 2, "bne %0, x0, 1f\n nop\n 1:", : : "r"(odd) : "memory")

// A divergent branch with such a chain on both sides.
#define SIDES(name, step)                                                                   \
  KERNEL(name) {                                                                            \
    __shared__ uintptr_t words[32];                                                         \
    uintptr_t p = (uintptr_t)&words[threadIdx.x], x = 1;                                    \
    words[threadIdx.x] = p;                                                                 \
    if (threadIdx.x % 2 == 0) {                                                             \
      __asm__ volatile(".rept 64\n" step "\n .endr" : "+r"(p), "+r"(x) : : "memory");       \
    } else {                                                                                \
      __asm__ volatile(".rept 64\n" step "\n nop\n .endr" : "+r"(p), "+r"(x) : : "memory"); \
    }                                                                                       \
    out[threadIdx.x] = p + x;                                                               \
  }
SIDES(shared_sides, LOAD_ADDRESS " %0, 0(%0)")
SIDES(division_sides, "div %1, %1, %1")
