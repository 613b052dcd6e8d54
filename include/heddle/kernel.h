// SPDX-License-Identifier: Apache-2.0
// Everything a kernel for the simulated SIMT core needs, under the names CUDA uses: qualifiers, indices, barrier,
// atomics, vector types, special functions. For C (gnu17) and C++ (17), RV32 and RV64; compile with heddle-cc. See
// docs/kernels.md.
//
// HEDDLE_LIBM (heddle-cc --libm): expf logf sinf cosf powf tanhf and their kin stay calls of picolibc's libm instead of
// special-function instructions. The fast-math names (__expf, ...) are always special functions.
#pragma once

#ifndef __riscv
#error "heddle/kernel.h is for kernel code: compile it with heddle-cc"
#endif

#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
#define HEDDLE_FN static inline __attribute__((always_inline, unused))
#else
#define HEDDLE_FN static __inline__ __attribute__((always_inline, unused))
#endif

// ---------------------------------------------------------------- qualifiers
#define __global__ __attribute__((visibility("protected"), noinline))  // a kernel: an entry point for launches
#define __device__
#define __host__
#define __constant__
// One copy per block, contents undefined at the start. heddle-cc moves what is marked `retain` to the shared window:
// unlike section(), that mark survives templates and inline functions.
#define __shared__ static __attribute__((__retain__))
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#ifndef __restrict__
#define __restrict__ __restrict
#endif

// ---------------------------------------------------------------- vector types
#define HEDDLE_VECTOR_TYPES(base)                                                          \
  typedef struct {                                                                         \
    base x;                                                                                \
  } base##1;                                                                               \
  typedef struct __attribute__((aligned(2 * sizeof(base)))) {                              \
    base x, y;                                                                             \
  } base##2;                                                                               \
  typedef struct {                                                                         \
    base x, y, z;                                                                          \
  } base##3;                                                                               \
  typedef struct __attribute__((aligned(4 * sizeof(base) > 16 ? 16 : 4 * sizeof(base)))) { \
    base x, y, z, w;                                                                       \
  } base##4;                                                                               \
  HEDDLE_FN base##1 make_##base##1(base x) {                                               \
    base##1 v = {x};                                                                       \
    return v;                                                                              \
  }                                                                                        \
  HEDDLE_FN base##2 make_##base##2(base x, base y) {                                       \
    base##2 v = {x, y};                                                                    \
    return v;                                                                              \
  }                                                                                        \
  HEDDLE_FN base##3 make_##base##3(base x, base y, base z) {                               \
    base##3 v = {x, y, z};                                                                 \
    return v;                                                                              \
  }                                                                                        \
  HEDDLE_FN base##4 make_##base##4(base x, base y, base z, base w) {                       \
    base##4 v = {x, y, z, w};                                                              \
    return v;                                                                              \
  }

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
HEDDLE_VECTOR_TYPES(char)
HEDDLE_VECTOR_TYPES(uchar)
HEDDLE_VECTOR_TYPES(short)
HEDDLE_VECTOR_TYPES(ushort)
HEDDLE_VECTOR_TYPES(int)
HEDDLE_VECTOR_TYPES(uint)
HEDDLE_VECTOR_TYPES(float)
HEDDLE_VECTOR_TYPES(double)
#undef HEDDLE_VECTOR_TYPES

#ifdef __cplusplus
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
#else
typedef uint3 dim3;
#endif

// ---------------------------------------------------------------- indices: read-only CSRs, constant within a thread
// The asm is not volatile, so the compiler may share, move and drop the reads.
#define HEDDLE_CSR(number)                              \
  (__extension__({                                      \
    unsigned heddle_value_;                             \
    __asm__("csrr %0, " #number : "=r"(heddle_value_)); \
    heddle_value_;                                      \
  }))

HEDDLE_FN uint3 heddle_thread_idx(void) { return make_uint3(HEDDLE_CSR(0xCC0), HEDDLE_CSR(0xCC1), HEDDLE_CSR(0xCC2)); }
HEDDLE_FN uint3 heddle_block_idx(void) { return make_uint3(HEDDLE_CSR(0xCC3), HEDDLE_CSR(0xCC4), HEDDLE_CSR(0xCC5)); }
HEDDLE_FN uint3 heddle_block_dim(void) { return make_uint3(HEDDLE_CSR(0xCC6), HEDDLE_CSR(0xCC7), HEDDLE_CSR(0xCC8)); }
HEDDLE_FN uint3 heddle_grid_dim(void) { return make_uint3(HEDDLE_CSR(0xCC9), HEDDLE_CSR(0xCCA), HEDDLE_CSR(0xCCB)); }
HEDDLE_FN unsigned heddle_lane(void) { return HEDDLE_CSR(0xCCC); }
HEDDLE_FN unsigned heddle_warp(void) { return HEDDLE_CSR(0xCCD); }
HEDDLE_FN unsigned heddle_thread_id(void) { return HEDDLE_CSR(0xF14); }  // mhartid: linear over the whole grid

#define threadIdx (heddle_thread_idx())
#define blockIdx (heddle_block_idx())
#define blockDim (heddle_block_dim())
#define gridDim (heddle_grid_dim())

// ---------------------------------------------------------------- barrier, fences, thread exit, text output
// The comment names the barrier's source line: heddle-cc uses it to refuse code in which the compiler copied a barrier.
#define HEDDLE_STRING_(x) #x
#define HEDDLE_STRING(x) HEDDLE_STRING_(x)
#define HEDDLE_BARRIER ".insn i 0x0b, 0, x0, x0, 0 # heddle.barrier " HEDDLE_STRING(__LINE__)
// With heddle-cc --barriers: the threads of a mask wait for each other. Paths of a warp meet so before a barrier of the
// block.
#define HEDDLE_WARPSYNC ".insn r 0x0b, 6, 3, x0, %0, x0"
#ifdef HEDDLE_BARRIERS
#define __syncthreads() __asm__ volatile(HEDDLE_WARPSYNC "\n\t" HEDDLE_BARRIER ::"r"(-1l) : "memory")
#else
#define __syncthreads() __asm__ volatile(HEDDLE_BARRIER ::: "memory")
#endif

// For hardware of convergence barriers: the other threads of the warp go first; the threads of the mask that live wait
// for each other, also if a branch has parted them. Other hardware ignores a yield, and refuses a warpsync whose
// threads are apart. What else there is of a barrier belongs to the compiler (heddle-cc --barriers) or to assembly: it
// is bound to the place of its label.
HEDDLE_FN void heddle_yield(void) { __asm__ volatile(".insn r 0x0b, 6, 2, x0, x0, x0" ::: "memory"); }
HEDDLE_FN void heddle_warpsync(unsigned long mask) { __asm__ volatile(HEDDLE_WARPSYNC ::"r"(mask) : "memory"); }

// The threads of the mask wait for each other; without --barriers it is refused where they are apart.
HEDDLE_FN void heddle_syncwarp(unsigned mask) {
#ifdef HEDDLE_BARRIERS
  heddle_warpsync(mask);
#else
  (void)mask;
  __asm__ volatile(".insn r 0x2b, 1, 1, x0, x0, x0" ::: "memory");
#endif
}
#ifdef __cplusplus
HEDDLE_FN void __syncwarp(unsigned mask = 0xFFFFFFFFu) { heddle_syncwarp(mask); }
#else
#define __syncwarp(mask) heddle_syncwarp(mask)
#endif

// A region by hand, for hardware of fork and join: threads that diverge behind the fork go on together behind the join.
// No other way leads in or out, and no barrier is inside; heddle-cc finds the join of each fork along the paths, and
// refuses what does not match. Other hardware ignores both.
#define __heddle_fork() __asm__ volatile(".insn sb 0x0b, 1, x0, x0, ." ::: "memory")
#define __heddle_join() __asm__ volatile(".insn i 0x0b, 2, x0, x0, 0" ::: "memory")

HEDDLE_FN void __threadfence(void) { __asm__ volatile("fence rw, rw" ::: "memory"); }
HEDDLE_FN void __threadfence_block(void) { __asm__ volatile("fence rw, rw" ::: "memory"); }

// Ends this thread.
static __inline__ __attribute__((always_inline, unused, noreturn)) void heddle_exit(int status) {
  register int a0 __asm__("a0") = status;
  register int a7 __asm__("a7") = 93;
  __asm__ volatile("ecall" ::"r"(a0), "r"(a7) : "memory");
  __builtin_unreachable();
}

// Writes `size` bytes to standard output (fd 1) or standard error (fd 2) of the simulator. Returns the bytes written.
HEDDLE_FN int heddle_write(int fd, const void* data, unsigned size) {
  register int a0 __asm__("a0") = fd;
  register const void* a1 __asm__("a1") = data;
  register unsigned long a2 __asm__("a2") = size;
  register int a7 __asm__("a7") = 64;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return a0;
}

// ---------------------------------------------------------------- bits
HEDDLE_FN int __float_as_int(float x) {
  int r;
  __asm__("fmv.x.w %0, %1" : "=r"(r) : "f"(x));
  return r;
}
HEDDLE_FN unsigned __float_as_uint(float x) { return (unsigned)__float_as_int(x); }
HEDDLE_FN float __int_as_float(int x) {
  float r;
  __asm__("fmv.w.x %0, %1" : "=f"(r) : "r"(x));
  return r;
}
HEDDLE_FN float __uint_as_float(unsigned x) { return __int_as_float((int)x); }

#ifdef __riscv_zbb
// gcc 12 calls a function for __builtin_bswap32.
HEDDLE_FN unsigned heddle_reverse_bytes(unsigned x) {
  unsigned long r;
  __asm__("rev8 %0, %1" : "=r"(r) : "r"((unsigned long)x));
  return (unsigned)(r >> (8 * (sizeof r - sizeof x)));  // of a whole register
}
HEDDLE_FN int __popc(unsigned x) { return __builtin_popcount(x); }
HEDDLE_FN int __clz(unsigned x) { return x == 0 ? 32 : __builtin_clz(x); }  // clz gives 32 for 0: no branch
#else
HEDDLE_FN unsigned heddle_reverse_bytes(unsigned x) {
  x = (x >> 8 & 0x00FF00FFu) | (x & 0x00FF00FFu) << 8;
  return x >> 16 | x << 16;
}
HEDDLE_FN int __popc(unsigned x) {
  x -= (x >> 1) & 0x55555555u;
  x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
  return (int)((((x + (x >> 4)) & 0x0F0F0F0Fu) * 0x01010101u) >> 24);
}
HEDDLE_FN int __clz(unsigned x) {
  x |= x >> 1;
  x |= x >> 2;
  x |= x >> 4;
  x |= x >> 8;
  x |= x >> 16;
  return 32 - __popc(x);
}
#endif
HEDDLE_FN int __ffs(int x) { return 32 - __clz((unsigned)x & (0u - (unsigned)x)); }
HEDDLE_FN unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
  return heddle_reverse_bytes(x);
}
#ifdef __cplusplus
extern "C"
#endif
    int
    abs(int);  // the compiler's own: no call
HEDDLE_FN int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
HEDDLE_FN unsigned __umul24(unsigned a, unsigned b) { return (a & 0xFFFFFFu) * (b & 0xFFFFFFu); }
HEDDLE_FN int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
HEDDLE_FN unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }

// ---------------------------------------------------------------- special functions: one instruction each
// f32 to f32, correctly rounded. funct7 of custom-1 chooses the function.
#define HEDDLE_SFU(funct, x)                                                           \
  (__extension__({                                                                     \
    float heddle_value_;                                                               \
    __asm__(".insn r 0x2b, 0, " #funct ", %0, %1, x0" : "=f"(heddle_value_) : "f"(x)); \
    heddle_value_;                                                                     \
  }))

HEDDLE_FN float heddle_rcp(float x) { return HEDDLE_SFU(0, x); }
HEDDLE_FN float heddle_rsqrt(float x) { return HEDDLE_SFU(1, x); }
HEDDLE_FN float heddle_sin(float x) { return HEDDLE_SFU(2, x); }
HEDDLE_FN float heddle_cos(float x) { return HEDDLE_SFU(3, x); }
HEDDLE_FN float heddle_ex2(float x) { return HEDDLE_SFU(4, x); }
HEDDLE_FN float heddle_lg2(float x) { return HEDDLE_SFU(5, x); }
HEDDLE_FN float heddle_tanh(float x) { return HEDDLE_SFU(6, x); }

// ---------------------------------------------------------------- float functions that are F instructions
HEDDLE_FN float heddle_fmin(float a, float b) {
  float r;
  __asm__("fmin.s %0, %1, %2" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
HEDDLE_FN float heddle_fmax(float a, float b) {
  float r;
  __asm__("fmax.s %0, %1, %2" : "=f"(r) : "f"(a), "f"(b));
  return r;
}

// Round to an integral value by a conversion with rounding mode; values of 2^23 and more, infinities and NaN are
// integral already. Without a branch, as a GPU's rounding instruction has none.
#define HEDDLE_ROUND(name, mode)                                                  \
  HEDDLE_FN float name(float x) {                                                 \
    int integer;                                                                  \
    __asm__("fcvt.w.s %0, %1, " mode : "=r"(integer) : "f"(x));                   \
    const int rounded = __float_as_int(__builtin_copysignf((float)integer, x));   \
    const int bits = __float_as_int(x);                                           \
    const int small = -(int)((unsigned)bits << 1 < 0x96000000u); /* |x| < 2^23 */ \
    return __int_as_float(bits ^ ((bits ^ rounded) & small));                     \
  }
HEDDLE_ROUND(heddle_floor, "rdn")
HEDDLE_ROUND(heddle_ceil, "rup")
HEDDLE_ROUND(heddle_trunc, "rtz")
HEDDLE_ROUND(heddle_rint, "rne")
HEDDLE_ROUND(heddle_round, "rmm")
#undef HEDDLE_ROUND

#define fminf(a, b) heddle_fmin(a, b)
#define fmaxf(a, b) heddle_fmax(a, b)
#define floorf(x) heddle_floor(x)
#define ceilf(x) heddle_ceil(x)
#define truncf(x) heddle_trunc(x)
#define rintf(x) heddle_rint(x)
#define nearbyintf(x) heddle_rint(x)
#define roundf(x) heddle_round(x)
#define fabsf(x) __builtin_fabsf(x)
#define sqrtf(x) __builtin_sqrtf(x)
#define fmaf(a, b, c) __builtin_fmaf(a, b, c)

#define HEDDLE_FLOAT_TO_INT(name, type, instruction, mode)    \
  HEDDLE_FN type name(float x) {                              \
    type r;                                                   \
    __asm__(instruction " %0, %1, " mode : "=r"(r) : "f"(x)); \
    return r;                                                 \
  }
HEDDLE_FLOAT_TO_INT(__float2int_rn, int, "fcvt.w.s", "rne")
HEDDLE_FLOAT_TO_INT(__float2int_rz, int, "fcvt.w.s", "rtz")
HEDDLE_FLOAT_TO_INT(__float2int_rd, int, "fcvt.w.s", "rdn")
HEDDLE_FLOAT_TO_INT(__float2int_ru, int, "fcvt.w.s", "rup")
HEDDLE_FLOAT_TO_INT(__float2uint_rn, unsigned, "fcvt.wu.s", "rne")
HEDDLE_FLOAT_TO_INT(__float2uint_rz, unsigned, "fcvt.wu.s", "rtz")
#undef HEDDLE_FLOAT_TO_INT
HEDDLE_FN float __int2float_rn(int x) { return (float)x; }
HEDDLE_FN float __uint2float_rn(unsigned x) { return (float)x; }

// ---------------------------------------------------------------- fast math
HEDDLE_FN float __frcp_rn(float x) { return heddle_rcp(x); }
HEDDLE_FN float __fdividef(float a, float b) { return a * heddle_rcp(b); }
HEDDLE_FN float __fsqrt_rn(float x) { return sqrtf(x); }
HEDDLE_FN float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
HEDDLE_FN float __saturatef(float x) { return heddle_fmin(heddle_fmax(x, 0.0f), 1.0f); }
HEDDLE_FN float rsqrtf(float x) { return heddle_rsqrt(x); }
HEDDLE_FN float __frsqrt_rn(float x) { return heddle_rsqrt(x); }
HEDDLE_FN float __sinf(float x) { return heddle_sin(x); }
HEDDLE_FN float __cosf(float x) { return heddle_cos(x); }
HEDDLE_FN float __tanf(float x) { return heddle_sin(x) * heddle_rcp(heddle_cos(x)); }
HEDDLE_FN void __sincosf(float x, float* s, float* c) {
  *s = heddle_sin(x);
  *c = heddle_cos(x);
}
HEDDLE_FN float __expf(float x) { return heddle_ex2(x * 1.44269504f); }
HEDDLE_FN float __exp10f(float x) { return heddle_ex2(x * 3.32192809f); }
HEDDLE_FN float __logf(float x) { return heddle_lg2(x) * 0.693147181f; }
HEDDLE_FN float __log2f(float x) { return heddle_lg2(x); }
HEDDLE_FN float __log10f(float x) { return heddle_lg2(x) * 0.301029996f; }
HEDDLE_FN float __powf(float x, float y) { return heddle_ex2(y * heddle_lg2(x)); }

// powf with C's results for y = 0 and for negative x: a sign when y is odd, NaN when it is not integral.
HEDDLE_FN float heddle_pow(float x, float y) {
  float r = __powf(fabsf(x), y);
  if (x < 0.0f) {
    const float half = y * 0.5f;
    if (truncf(y) != y) r = __builtin_nanf("");
    else if (truncf(half) != half) r = -r;
  }
  return y == 0.0f ? 1.0f : r;
}

#ifndef HEDDLE_LIBM
#define sinf(x) heddle_sin(x)
#define cosf(x) heddle_cos(x)
#define tanf(x) __tanf(x)
#define sincosf(x, s, c) __sincosf(x, s, c)
#define expf(x) __expf(x)
#define exp2f(x) heddle_ex2(x)
#define logf(x) __logf(x)
#define log2f(x) heddle_lg2(x)
#define log10f(x) __log10f(x)
#define powf(x, y) heddle_pow(x, y)
#define tanhf(x) heddle_tanh(x)
#endif

// ---------------------------------------------------------------- atomics: one instruction unless noted, relaxed order
#define HEDDLE_ATOMIC(name, type, instruction)                                                 \
  HEDDLE_FN type name(volatile type* p, type value) {                                          \
    type old;                                                                                  \
    __asm__ volatile(instruction " %0, %2, (%1)" : "=r"(old) : "r"(p), "r"(value) : "memory"); \
    return old;                                                                                \
  }
// bits: w or d, and u of minimum and maximum; amocas by its encoding: rd holds the expected value before and the old
// value after.
#define HEDDLE_ATOMICS(suffix, type, bits, sign, funct3)                                                              \
  HEDDLE_ATOMIC(heddle_atomic_add_##suffix, type, "amoadd." bits)                                                     \
  HEDDLE_ATOMIC(heddle_atomic_min_##suffix, type, "amomin" sign "." bits)                                             \
  HEDDLE_ATOMIC(heddle_atomic_max_##suffix, type, "amomax" sign "." bits)                                             \
  HEDDLE_ATOMIC(heddle_atomic_and_##suffix, type, "amoand." bits)                                                     \
  HEDDLE_ATOMIC(heddle_atomic_or_##suffix, type, "amoor." bits)                                                       \
  HEDDLE_ATOMIC(heddle_atomic_xor_##suffix, type, "amoxor." bits)                                                     \
  HEDDLE_ATOMIC(heddle_atomic_exch_##suffix, type, "amoswap." bits)                                                   \
  HEDDLE_FN type heddle_atomic_sub_##suffix(volatile type* p, type value) {                                           \
    return heddle_atomic_add_##suffix(p, (type)0 - value);                                                            \
  }                                                                                                                   \
  HEDDLE_FN type heddle_atomic_cas_##suffix(volatile type* p, type compare, type value) {                             \
    __asm__ volatile(".insn r 0x2f, " #funct3 ", 0x14, %0, %1, %2" : "+&r"(compare) : "r"(p), "r"(value) : "memory"); \
    return compare;                                                                                                   \
  }
HEDDLE_ATOMICS(i, int, "w", "", 2)
HEDDLE_ATOMICS(u, unsigned, "w", "u", 2)
#if __riscv_xlen == 64
HEDDLE_ATOMICS(l, long, "d", "", 3)
HEDDLE_ATOMICS(ul, unsigned long, "d", "u", 3)
HEDDLE_ATOMICS(ll, long long, "d", "", 3)
HEDDLE_ATOMICS(ull, unsigned long long, "d", "u", 3)
#endif
#undef HEDDLE_ATOMICS
#undef HEDDLE_ATOMIC

HEDDLE_FN float heddle_atomic_exch_f(volatile float* p, float value) {
  return __uint_as_float(heddle_atomic_exch_u((volatile unsigned*)p, __float_as_uint(value)));
}

// A compare-and-swap loop. Threads of one warp that add to one word take turns: in every round the compare-and-swap of
// the lowest lane succeeds and that thread leaves the loop, so k threads need at most k rounds, plus one for each
// success of another warp in between. No thread waits for another one: the loop ends on every mechanism. The order of
// the additions, and with it the rounding, is that of the rounds.
HEDDLE_FN float heddle_atomic_add_f(volatile float* p, float value) {
  unsigned seen = *(volatile unsigned*)p, expected;
  do {
    expected = seen;
    seen = heddle_atomic_cas_u((volatile unsigned*)p, expected, __float_as_uint(__uint_as_float(expected) + value));
  } while (seen != expected);
  return __uint_as_float(seen);
}
#if __riscv_xlen == 64
HEDDLE_FN unsigned long long heddle_double_bits(double x) {
  unsigned long long r;
  __asm__("fmv.x.d %0, %1" : "=r"(r) : "f"(x));
  return r;
}
HEDDLE_FN double heddle_double_of_bits(unsigned long long x) {
  double r;
  __asm__("fmv.d.x %0, %1" : "=f"(r) : "r"(x));
  return r;
}
HEDDLE_FN double heddle_atomic_exch_d(volatile double* p, double value) {
  return heddle_double_of_bits(heddle_atomic_exch_ull((volatile unsigned long long*)p, heddle_double_bits(value)));
}
HEDDLE_FN double heddle_atomic_add_d(volatile double* p, double value) {
  volatile unsigned long long* const bits = (volatile unsigned long long*)p;
  unsigned long long seen = *bits, expected;
  do {
    expected = seen;
    seen = heddle_atomic_cas_ull(bits, expected, heddle_double_bits(heddle_double_of_bits(expected) + value));
  } while (seen != expected);
  return heddle_double_of_bits(seen);
}
#endif
// Compare-and-swap loops as well.
HEDDLE_FN unsigned heddle_atomic_inc_u(volatile unsigned* p, unsigned limit) {
  unsigned seen = *p, expected;
  do {
    expected = seen;
    seen = heddle_atomic_cas_u(p, expected, expected >= limit ? 0u : expected + 1u);
  } while (seen != expected);
  return seen;
}
HEDDLE_FN unsigned heddle_atomic_dec_u(volatile unsigned* p, unsigned limit) {
  unsigned seen = *p, expected;
  do {
    expected = seen;
    seen = heddle_atomic_cas_u(p, expected, expected == 0u || expected > limit ? limit : expected - 1u);
  } while (seen != expected);
  return seen;
}

#ifdef __cplusplus
#define HEDDLE_ATOMIC_NAMES(suffix, type)                                                                   \
  HEDDLE_FN type atomicAdd(volatile type* p, type value) { return heddle_atomic_add_##suffix(p, value); }   \
  HEDDLE_FN type atomicSub(volatile type* p, type value) { return heddle_atomic_sub_##suffix(p, value); }   \
  HEDDLE_FN type atomicMin(volatile type* p, type value) { return heddle_atomic_min_##suffix(p, value); }   \
  HEDDLE_FN type atomicMax(volatile type* p, type value) { return heddle_atomic_max_##suffix(p, value); }   \
  HEDDLE_FN type atomicAnd(volatile type* p, type value) { return heddle_atomic_and_##suffix(p, value); }   \
  HEDDLE_FN type atomicOr(volatile type* p, type value) { return heddle_atomic_or_##suffix(p, value); }     \
  HEDDLE_FN type atomicXor(volatile type* p, type value) { return heddle_atomic_xor_##suffix(p, value); }   \
  HEDDLE_FN type atomicExch(volatile type* p, type value) { return heddle_atomic_exch_##suffix(p, value); } \
  HEDDLE_FN type atomicCAS(volatile type* p, type compare, type value) {                                    \
    return heddle_atomic_cas_##suffix(p, compare, value);                                                   \
  }
HEDDLE_ATOMIC_NAMES(i, int)
HEDDLE_ATOMIC_NAMES(u, unsigned)
HEDDLE_FN float atomicAdd(volatile float* p, float value) { return heddle_atomic_add_f(p, value); }
HEDDLE_FN float atomicExch(volatile float* p, float value) { return heddle_atomic_exch_f(p, value); }
#if __riscv_xlen == 64
HEDDLE_ATOMIC_NAMES(l, long)
HEDDLE_ATOMIC_NAMES(ul, unsigned long)
HEDDLE_ATOMIC_NAMES(ll, long long)
HEDDLE_ATOMIC_NAMES(ull, unsigned long long)
HEDDLE_FN double atomicAdd(volatile double* p, double value) { return heddle_atomic_add_d(p, value); }
HEDDLE_FN double atomicExch(volatile double* p, double value) { return heddle_atomic_exch_d(p, value); }
#endif
#undef HEDDLE_ATOMIC_NAMES
#else
// A function by the type of what a pointer is of.
#define HEDDLE_OF(type, name, suffix) \
  type* : heddle_atomic_##name##_##suffix, volatile type* : heddle_atomic_##name##_##suffix
#if __riscv_xlen == 64
#define HEDDLE_OF_INT(name)                                                                                            \
  HEDDLE_OF(int, name, i), HEDDLE_OF(unsigned, name, u), HEDDLE_OF(long, name, l), HEDDLE_OF(unsigned long, name, ul), \
      HEDDLE_OF(long long, name, ll), HEDDLE_OF(unsigned long long, name, ull)
#define HEDDLE_OF_FLOAT(name) HEDDLE_OF(float, name, f), HEDDLE_OF(double, name, d)
#else
#define HEDDLE_OF_INT(name) HEDDLE_OF(int, name, i), HEDDLE_OF(unsigned, name, u)
#define HEDDLE_OF_FLOAT(name) HEDDLE_OF(float, name, f)
#endif
#define HEDDLE_PICK_INT(p, name) _Generic((p), HEDDLE_OF_INT(name))
#define HEDDLE_PICK(p, name) _Generic((p), HEDDLE_OF_INT(name), HEDDLE_OF_FLOAT(name))
#define atomicAdd(p, value) HEDDLE_PICK(p, add)(p, value)
#define atomicSub(p, value) HEDDLE_PICK_INT(p, sub)(p, value)
#define atomicMin(p, value) HEDDLE_PICK_INT(p, min)(p, value)
#define atomicMax(p, value) HEDDLE_PICK_INT(p, max)(p, value)
#define atomicAnd(p, value) HEDDLE_PICK_INT(p, and)(p, value)
#define atomicOr(p, value) HEDDLE_PICK_INT(p, or)(p, value)
#define atomicXor(p, value) HEDDLE_PICK_INT(p, xor)(p, value)
#define atomicExch(p, value) HEDDLE_PICK(p, exch)(p, value)
#define atomicCAS(p, compare, value) HEDDLE_PICK_INT(p, cas)(p, compare, value)
#endif
#define atomicInc(p, limit) heddle_atomic_inc_u(p, limit)
#define atomicDec(p, limit) heddle_atomic_dec_u(p, limit)

// ---------------------------------------------------------------- min and max; C++: float overloads of the math
// functions
#ifdef __cplusplus
template <class A, class B>
HEDDLE_FN constexpr auto min(A a, B b) -> decltype(a + b) {
  using Common = decltype(a + b);
  if constexpr (__is_same(Common, float)) return fminf(a, b);
  return static_cast<Common>(b) < static_cast<Common>(a) ? static_cast<Common>(b) : static_cast<Common>(a);
}
template <class A, class B>
HEDDLE_FN constexpr auto max(A a, B b) -> decltype(a + b) {
  using Common = decltype(a + b);
  if constexpr (__is_same(Common, float)) return fmaxf(a, b);
  return static_cast<Common>(a) < static_cast<Common>(b) ? static_cast<Common>(b) : static_cast<Common>(a);
}
HEDDLE_FN float min(float a, float b) { return fminf(a, b); }
HEDDLE_FN float max(float a, float b) { return fmaxf(a, b); }

HEDDLE_FN float abs(float x) { return fabsf(x); }
HEDDLE_FN float fabs(float x) { return fabsf(x); }
HEDDLE_FN float sqrt(float x) { return sqrtf(x); }
HEDDLE_FN float floor(float x) { return floorf(x); }
HEDDLE_FN float ceil(float x) { return ceilf(x); }
HEDDLE_FN float exp(float x) { return expf(x); }
HEDDLE_FN float log(float x) { return logf(x); }
HEDDLE_FN float sin(float x) { return sinf(x); }
HEDDLE_FN float cos(float x) { return cosf(x); }
HEDDLE_FN float tan(float x) { return tanf(x); }
HEDDLE_FN float tanh(float x) { return tanhf(x); }
HEDDLE_FN float pow(float x, float y) { return powf(x, y); }
HEDDLE_FN float fmin(float a, float b) { return fminf(a, b); }
HEDDLE_FN float fmax(float a, float b) { return fmaxf(a, b); }
#if __riscv_flen == 64
HEDDLE_FN double pow(float x, double y) { return pow((double)x, y); }
HEDDLE_FN double pow(double x, float y) { return pow(x, (double)y); }
HEDDLE_FN double fmin(float a, double b) { return fmin((double)a, b); }
HEDDLE_FN double fmin(double a, float b) { return fmin(a, (double)b); }
HEDDLE_FN double fmax(float a, double b) { return fmax((double)a, b); }
HEDDLE_FN double fmax(double a, float b) { return fmax(a, (double)b); }
#endif
#else
#define HEDDLE_MIN_MAX(a, b, less, of_floats)                                                             \
  (__extension__({                                                                                        \
    __typeof__(0 ? (a) : (b)) heddle_a_ = (a), heddle_b_ = (b);                                           \
    __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(heddle_a_), float),                     \
                          of_floats((float)heddle_a_, (float)heddle_b_), (less) ? heddle_a_ : heddle_b_); \
  }))
#define min(a, b) HEDDLE_MIN_MAX(a, b, heddle_a_ < heddle_b_, heddle_fmin)
#define max(a, b) HEDDLE_MIN_MAX(a, b, heddle_a_ > heddle_b_, heddle_fmax)
#endif

// ---------------------------------------------------------------- textures: point-sampled, clamped, read by plain
// loads (C++)
#ifdef __cplusplus
template <class T, int Dimensions = 1>
struct texture {
  const T* data;
  int width;
  int height;  // 1 for one dimension
};
template <class T>
HEDDLE_FN T tex1Dfetch(const texture<T, 1>& t, int x) {
  return t.data[x];
}
template <class T>
HEDDLE_FN T tex1D(const texture<T, 1>& t, float x) {
  return t.data[min(max(__float2int_rd(x), 0), t.width - 1)];
}
template <class T>
HEDDLE_FN T tex2D(const texture<T, 2>& t, float x, float y) {
  const int column = min(max(__float2int_rd(x), 0), t.width - 1);
  const int row = min(max(__float2int_rd(y), 0), t.height - 1);
  return t.data[row * t.width + column];
}
#endif
