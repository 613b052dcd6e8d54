// SPDX-License-Identifier: Apache-2.0
// The language of kernels in .cu files: index variables, barrier, warp-wide operations, atomics, intrinsics, textures. The device half has
// the bodies, the host half the declarations.
#pragma once

#include "driver_types.h"
#include "texel.h"
#include "vector_functions.h"

#ifdef __riscv
#define HEDDLE_D __device__ inline __attribute__((always_inline))
#define HEDDLE_BODY(...) __VA_ARGS__
#else
#define HEDDLE_D __device__
#define HEDDLE_BODY(...) ;
#endif

// ---------------------------------------------------------------- index variables: read-only CSRs, constant within a thread
#define HEDDLE_CSR(number) HEDDLE_BODY({ unsigned v; __asm__("csrr %0, " #number : "=r"(v)); return v; })
#define HEDDLE_INDEX(name, cx, cy, cz)                               \
  struct heddle_##name {                                             \
    static HEDDLE_D unsigned heddle_x() HEDDLE_CSR(cx)               \
    static HEDDLE_D unsigned heddle_y() HEDDLE_CSR(cy)               \
    static HEDDLE_D unsigned heddle_z() HEDDLE_CSR(cz)               \
    __declspec(property(get = heddle_x)) unsigned x;                 \
    __declspec(property(get = heddle_y)) unsigned y;                 \
    __declspec(property(get = heddle_z)) unsigned z;                 \
    HEDDLE_D operator uint3() const HEDDLE_BODY({ return uint3{heddle_x(), heddle_y(), heddle_z()}; }) \
    HEDDLE_D operator dim3() const HEDDLE_BODY({ return dim3(heddle_x(), heddle_y(), heddle_z()); })   \
  };                                                                 \
  extern const __device__ __attribute__((weak)) heddle_##name name;
HEDDLE_INDEX(threadIdx, 0xCC0, 0xCC1, 0xCC2)
HEDDLE_INDEX(blockIdx, 0xCC3, 0xCC4, 0xCC5)
HEDDLE_INDEX(blockDim, 0xCC6, 0xCC7, 0xCC8)
HEDDLE_INDEX(gridDim, 0xCC9, 0xCCA, 0xCCB)
#undef HEDDLE_INDEX
constexpr int warpSize = 32;  // warp-wide operations work on groups of 32 threads; core.lanes may be more

HEDDLE_D unsigned heddle_lane() HEDDLE_BODY({ unsigned v; __asm__("csrr %0, 0xCCC" : "=r"(v)); return v & 31u; })

// ---------------------------------------------------------------- barrier, fences, end of a thread, text
// With heddle-nvcc --barriers the threads of a mask wait for each other; otherwise a warp-wide operation is refused where they are apart.
HEDDLE_D void heddle_warpsync(unsigned long mask) HEDDLE_BODY({
#ifdef HEDDLE_BARRIERS
  __asm__ volatile(".insn r 0x0b, 6, 3, x0, %0, x0" ::"r"(mask) : "memory");
#endif
})
#ifdef HEDDLE_BARRIERS
HEDDLE_D void __syncthreads() HEDDLE_BODY({  // paths of a warp meet before a barrier of the block
  __asm__ volatile(".insn r 0x0b, 6, 3, x0, %0, x0\n.insn i 0x0b, 0, x0, x0, 0 # heddle.barrier" ::"r"(-1l) : "memory");
})
#else
HEDDLE_D void __syncthreads() HEDDLE_BODY({ __asm__ volatile(".insn i 0x0b, 0, x0, x0, 0 # heddle.barrier" ::: "memory"); })
#endif
HEDDLE_D void __threadfence() HEDDLE_BODY({ __asm__ volatile("fence rw, rw" ::: "memory"); })
HEDDLE_D void __threadfence_block() HEDDLE_BODY({ __asm__ volatile("fence rw, rw" ::: "memory"); })
HEDDLE_D void __threadfence_system() HEDDLE_BODY({ __asm__ volatile("fence rw, rw" ::: "memory"); })

// Bit n of eight: argument n has eight bytes, as a float that has become a double.
extern "C" __device__ int heddle_printf(unsigned eight, const char* format, ...);
template <typename... T>
HEDDLE_D int printf(const char* format, T... values) HEDDLE_BODY({
  static_assert(sizeof...(T) <= 32 && ((sizeof(T) <= 8) && ...), "printf takes up to 32 arguments of at most eight bytes");
  unsigned eight = 0, bit = 1;
  ((eight |= sizeof(T) == 8 || __is_same(T, float) ? bit : 0, bit <<= 1), ...);
  return heddle_printf(eight, format, values...);
})
__device__ void __assert_fail(const char* text, const char* file, unsigned line, const char* function) noexcept __attribute__((noreturn))
__asm__("heddle_assert_fail");
extern "C" __device__ void heddle_trap() __attribute__((noreturn));
HEDDLE_D void __trap() HEDDLE_BODY({ heddle_trap(); })

// `long` is a register's width.
HEDDLE_D clock_t clock() HEDDLE_BODY({ unsigned long r; __asm__ volatile("csrr %0, cycle" : "=r"(r)); return (clock_t)r; })
#if __riscv_xlen == 32
HEDDLE_D long long clock64() HEDDLE_BODY({
  unsigned high, low, again;
  do __asm__ volatile("csrr %0, cycleh\n\tcsrr %1, cycle\n\tcsrr %2, cycleh" : "=&r"(high), "=&r"(low), "=&r"(again)); while (high != again);
  return (long long)((unsigned long long)high << 32 | low);
})
#else
HEDDLE_D long long clock64() HEDDLE_BODY({ return clock(); })
#endif

HEDDLE_D void __nanosleep(unsigned) HEDDLE_BODY({})  // at most twice the time that is named: none

// ---------------------------------------------------------------- memory: malloc and free are the C library's names, in the device's library. Failure is null.
#if __riscv_xlen != 32
HEDDLE_D void* operator new(size_t bytes) noexcept(false) HEDDLE_BODY({ return malloc(bytes == 0 ? 1 : bytes); })
HEDDLE_D void* operator new[](size_t bytes) noexcept(false) HEDDLE_BODY({ return malloc(bytes == 0 ? 1 : bytes); })
HEDDLE_D void operator delete(void* pointer) noexcept HEDDLE_BODY({ free(pointer); })
HEDDLE_D void operator delete[](void* pointer) noexcept HEDDLE_BODY({ free(pointer); })
HEDDLE_D void operator delete(void* pointer, size_t) noexcept HEDDLE_BODY({ free(pointer); })
HEDDLE_D void operator delete[](void* pointer, size_t) noexcept HEDDLE_BODY({ free(pointer); })
#endif

// ---------------------------------------------------------------- atomics: one instruction for integers, relaxed order
#define HEDDLE_ATOMIC(name, type, instruction)                                                              \
  HEDDLE_D type name(volatile type* p, type value) HEDDLE_BODY({                                            \
    type old;                                                                                               \
    __asm__ volatile(instruction " %0, %2, (%1)" : "=r"(old) : "r"(p), "r"(value) : "memory");              \
    return old;                                                                                             \
  })                                                                                                        \
  HEDDLE_D type name(type* p, type value) HEDDLE_BODY({ return name((volatile type*)p, value); })
HEDDLE_ATOMIC(atomicAdd, int, "amoadd.w")
HEDDLE_ATOMIC(atomicAdd, unsigned, "amoadd.w")
HEDDLE_ATOMIC(atomicMin, int, "amomin.w")
HEDDLE_ATOMIC(atomicMin, unsigned, "amominu.w")
HEDDLE_ATOMIC(atomicMax, int, "amomax.w")
HEDDLE_ATOMIC(atomicMax, unsigned, "amomaxu.w")
HEDDLE_ATOMIC(atomicAnd, int, "amoand.w")
HEDDLE_ATOMIC(atomicAnd, unsigned, "amoand.w")
HEDDLE_ATOMIC(atomicOr, int, "amoor.w")
HEDDLE_ATOMIC(atomicOr, unsigned, "amoor.w")
HEDDLE_ATOMIC(atomicXor, int, "amoxor.w")
HEDDLE_ATOMIC(atomicXor, unsigned, "amoxor.w")
HEDDLE_ATOMIC(atomicExch, int, "amoswap.w")
HEDDLE_ATOMIC(atomicExch, unsigned, "amoswap.w")
HEDDLE_D int atomicSub(int* p, int value) HEDDLE_BODY({ return atomicAdd(p, -value); })
HEDDLE_D unsigned atomicSub(unsigned* p, unsigned value) HEDDLE_BODY({ return atomicAdd(p, 0u - value); })
HEDDLE_D unsigned atomicCAS(unsigned* p, unsigned compare, unsigned value) HEDDLE_BODY({
  __asm__ volatile(".insn r 0x2f, 2, 0x14, %0, %1, %2" : "+&r"(compare) : "r"(p), "r"(value) : "memory");
  return compare;
})
HEDDLE_D unsigned atomicCAS(volatile unsigned* p, unsigned compare, unsigned value) HEDDLE_BODY({ return atomicCAS((unsigned*)p, compare, value); })
HEDDLE_D int atomicCAS(int* p, int compare, int value) HEDDLE_BODY({ return (int)atomicCAS((unsigned*)p, (unsigned)compare, (unsigned)value); })
HEDDLE_D int atomicCAS(volatile int* p, int compare, int value) HEDDLE_BODY({ return (int)atomicCAS((unsigned*)p, (unsigned)compare, (unsigned)value); })
HEDDLE_D float atomicExch(float* p, float value) HEDDLE_BODY({
  return __builtin_bit_cast(float, atomicExch((unsigned*)p, __builtin_bit_cast(unsigned, value)));
})
// Compare-and-swap loops: of the threads of a warp that want one word one succeeds each round and leaves.
#define HEDDLE_SWAP_LOOP(word, p, next)                             \
  word seen = *(volatile word*)(p), expected;                       \
  do {                                                              \
    expected = seen;                                                \
    seen = atomicCAS((word*)(p), expected, next);                   \
  } while (seen != expected);
HEDDLE_D float atomicAdd(float* p, float value) HEDDLE_BODY({
  HEDDLE_SWAP_LOOP(unsigned, p, __builtin_bit_cast(unsigned, __builtin_bit_cast(float, expected) + value))
  return __builtin_bit_cast(float, seen);
})
HEDDLE_D float atomicAdd(volatile float* p, float value) HEDDLE_BODY({ return atomicAdd((float*)p, value); })
HEDDLE_D unsigned atomicInc(unsigned* p, unsigned limit) HEDDLE_BODY({
  HEDDLE_SWAP_LOOP(unsigned, p, expected >= limit ? 0u : expected + 1u)
  return seen;
})
HEDDLE_D unsigned atomicDec(unsigned* p, unsigned limit) HEDDLE_BODY({
  HEDDLE_SWAP_LOOP(unsigned, p, expected == 0u || expected > limit ? limit : expected - 1u)
  return seen;
})
#if __riscv_xlen == 32  // 64 bits: under a lock for the address, in the device's library
extern "C" __device__ unsigned long long heddle_atomic64(int operation, void* p, unsigned long long value, unsigned long long compare);
HEDDLE_D unsigned long long atomicAdd(unsigned long long* p, unsigned long long v) HEDDLE_BODY({ return heddle_atomic64(0, p, v, 0); })
HEDDLE_D unsigned long long atomicExch(unsigned long long* p, unsigned long long v) HEDDLE_BODY({ return heddle_atomic64(1, p, v, 0); })
HEDDLE_D unsigned long long atomicCAS(unsigned long long* p, unsigned long long c, unsigned long long v) HEDDLE_BODY({ return heddle_atomic64(2, p, v, c); })
HEDDLE_D unsigned long long atomicMin(unsigned long long* p, unsigned long long v) HEDDLE_BODY({ return heddle_atomic64(3, p, v, 0); })
HEDDLE_D unsigned long long atomicMax(unsigned long long* p, unsigned long long v) HEDDLE_BODY({ return heddle_atomic64(4, p, v, 0); })
HEDDLE_D unsigned long long atomicAnd(unsigned long long* p, unsigned long long v) HEDDLE_BODY({ return heddle_atomic64(5, p, v, 0); })
HEDDLE_D unsigned long long atomicOr(unsigned long long* p, unsigned long long v) HEDDLE_BODY({ return heddle_atomic64(6, p, v, 0); })
HEDDLE_D unsigned long long atomicXor(unsigned long long* p, unsigned long long v) HEDDLE_BODY({ return heddle_atomic64(7, p, v, 0); })
HEDDLE_D long long atomicMin(long long* p, long long v) HEDDLE_BODY({ return (long long)heddle_atomic64(8, p, (unsigned long long)v, 0); })
HEDDLE_D long long atomicMax(long long* p, long long v) HEDDLE_BODY({ return (long long)heddle_atomic64(9, p, (unsigned long long)v, 0); })
HEDDLE_D double heddle_atomic_add(double* p, double v) HEDDLE_BODY({
  return __builtin_bit_cast(double, heddle_atomic64(10, p, __builtin_bit_cast(unsigned long long, v), 0));
})
#else
HEDDLE_ATOMIC(atomicAdd, unsigned long long, "amoadd.d")
HEDDLE_ATOMIC(atomicMin, long long, "amomin.d")
HEDDLE_ATOMIC(atomicMin, unsigned long long, "amominu.d")
HEDDLE_ATOMIC(atomicMax, long long, "amomax.d")
HEDDLE_ATOMIC(atomicMax, unsigned long long, "amomaxu.d")
HEDDLE_ATOMIC(atomicAnd, long long, "amoand.d")
HEDDLE_ATOMIC(atomicAnd, unsigned long long, "amoand.d")
HEDDLE_ATOMIC(atomicOr, long long, "amoor.d")
HEDDLE_ATOMIC(atomicOr, unsigned long long, "amoor.d")
HEDDLE_ATOMIC(atomicXor, long long, "amoxor.d")
HEDDLE_ATOMIC(atomicXor, unsigned long long, "amoxor.d")
HEDDLE_ATOMIC(atomicExch, unsigned long long, "amoswap.d")
HEDDLE_D unsigned long long atomicCAS(unsigned long long* p, unsigned long long compare, unsigned long long value) HEDDLE_BODY({
  __asm__ volatile(".insn r 0x2f, 3, 0x14, %0, %1, %2" : "+&r"(compare) : "r"(p), "r"(value) : "memory");
  return compare;
})
HEDDLE_D unsigned long long atomicCAS(volatile unsigned long long* p, unsigned long long compare, unsigned long long value)
    HEDDLE_BODY({ return atomicCAS((unsigned long long*)p, compare, value); })
HEDDLE_D double heddle_atomic_add(double* p, double v) HEDDLE_BODY({
  HEDDLE_SWAP_LOOP(unsigned long long, p, __builtin_bit_cast(unsigned long long, __builtin_bit_cast(double, expected) + v))
  return __builtin_bit_cast(double, seen);
})
#endif
// A template, so that a program's own atomicAdd(double*, double) comes first.
template <class T, class = typename std::enable_if<std::is_same<T, double>::value>::type>
HEDDLE_D T atomicAdd(T* p, T value) HEDDLE_BODY({ return heddle_atomic_add(p, value); })
#undef HEDDLE_ATOMIC
#undef HEDDLE_SWAP_LOOP

// Of a block or of the system: every atomic operation is one for all.
#define HEDDLE_SCOPED(name)                                                                                                              \
  template <class T, class... V>                                                                                                         \
  HEDDLE_D typename std::remove_volatile<T>::type name##_block(T* p, V... values) HEDDLE_BODY({ return name(p, values...); })            \
  template <class T, class... V>                                                                                                         \
  HEDDLE_D typename std::remove_volatile<T>::type name##_system(T* p, V... values) HEDDLE_BODY({ return name(p, values...); })
HEDDLE_SCOPED(atomicAdd)
HEDDLE_SCOPED(atomicSub)
HEDDLE_SCOPED(atomicExch)
HEDDLE_SCOPED(atomicCAS)
HEDDLE_SCOPED(atomicMin)
HEDDLE_SCOPED(atomicMax)
HEDDLE_SCOPED(atomicAnd)
HEDDLE_SCOPED(atomicOr)
HEDDLE_SCOPED(atomicXor)
HEDDLE_SCOPED(atomicInc)
HEDDLE_SCOPED(atomicDec)
#undef HEDDLE_SCOPED

// ---------------------------------------------------------------- operations over the 32 threads around this one that run with it
HEDDLE_D unsigned heddle_ballot(int predicate) HEDDLE_BODY({
  unsigned r;
  __asm__ volatile(".insn r 0x2b, 1, 1, %0, %1, x0" : "=r"(r) : "r"((long)predicate));
  return r;
})
HEDDLE_D unsigned long heddle_shuffle(unsigned long value, unsigned lane) HEDDLE_BODY({
  unsigned long r;
  __asm__ volatile(".insn r 0x2b, 1, 0, %0, %1, %2" : "=r"(r) : "r"(value), "r"(lane));
  return r;
})
#ifdef HEDDLE_BARRIERS
HEDDLE_D void __syncwarp(unsigned mask = 0xFFFFFFFFu) HEDDLE_BODY({ heddle_warpsync(mask); })
#else
HEDDLE_D void __syncwarp(unsigned = 0xFFFFFFFFu) HEDDLE_BODY({ __asm__ volatile(".insn r 0x2b, 1, 1, x0, x0, x0" ::: "memory"); })
#endif
HEDDLE_D unsigned heddle_ballot_sync(unsigned mask, int predicate) HEDDLE_BODY({
  heddle_warpsync(mask);
  return heddle_ballot(predicate) & mask;
})
HEDDLE_D unsigned __activemask() HEDDLE_BODY({ return heddle_ballot(1); })
HEDDLE_D unsigned __ballot(int predicate) HEDDLE_BODY({ return heddle_ballot(predicate); })
HEDDLE_D int __any(int predicate) HEDDLE_BODY({ return heddle_ballot(predicate) != 0; })
HEDDLE_D int __all(int predicate) HEDDLE_BODY({ return heddle_ballot(predicate == 0) == 0; })
HEDDLE_D unsigned __ballot_sync(unsigned mask, int predicate) HEDDLE_BODY({ return heddle_ballot_sync(mask, predicate); })
HEDDLE_D int __any_sync(unsigned mask, int predicate) HEDDLE_BODY({ return heddle_ballot_sync(mask, predicate) != 0; })
HEDDLE_D int __all_sync(unsigned mask, int predicate) HEDDLE_BODY({ return heddle_ballot_sync(mask, predicate == 0) == 0; })

// The lane that a shuffle reads, by arithmetic alone: a branch would part the warp. Distances count modulo 32, as on NVIDIA's machines.
// All bits where a < b; in assembly, because the compiler makes branches of what it knows to be a comparison.
HEDDLE_D unsigned heddle_less(unsigned a, unsigned b) HEDDLE_BODY({
  unsigned r;
  __asm__("sltu %0, %1, %2" : "=r"(r) : "r"((unsigned long)a), "r"((unsigned long)b));
  return 0u - r;
})
HEDDLE_D unsigned heddle_source_idx(unsigned lane, int width) HEDDLE_BODY({ return (heddle_lane() & ~(width - 1u)) | (lane & (width - 1u)); })
HEDDLE_D unsigned heddle_source_up(unsigned delta, int width) HEDDLE_BODY({
  const unsigned self = heddle_lane();
  const unsigned by = delta & 31u;
  return self - (by & ~heddle_less(self & (width - 1u), by));
})
HEDDLE_D unsigned heddle_source_down(unsigned delta, int width) HEDDLE_BODY({
  const unsigned self = heddle_lane();
  const unsigned by = delta & 31u;
  return self + (by & heddle_less((self & (width - 1u)) + by, (unsigned)width));
})
HEDDLE_D unsigned heddle_source_xor(unsigned bits, int width) HEDDLE_BODY({
  const unsigned self = heddle_lane();
  const unsigned by = bits & 31u;
  return self ^ (by & ~heddle_less(self | (width - 1u), self ^ by));
})
// Halves and pairs of them: cuda_fp16.h and cuda_bf16.h say which.
template <class T>
struct heddle_is_half : std::false_type {};
template <class T>
HEDDLE_D T heddle_shuffle_any(T value, unsigned source) HEDDLE_BODY({
  static_assert(heddle_is_half<T>::value ||
                    (std::is_arithmetic<T>::value && (sizeof(T) == 4 || sizeof(T) == 8 || (sizeof(T) < 4 && std::is_integral<T>::value))),
                "shuffles take int, unsigned, float, long long, double or a half");
  if constexpr (sizeof(T) < 4 && std::is_integral<T>::value) {  // an int, as in CUDA
    return (T)heddle_shuffle((unsigned long)value, source);
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(T, (unsigned short)heddle_shuffle(__builtin_bit_cast(unsigned short, value), source));
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, (unsigned)heddle_shuffle(__builtin_bit_cast(unsigned, value), source));
  } else if constexpr (sizeof(T) == sizeof(long)) {
    return __builtin_bit_cast(T, heddle_shuffle(__builtin_bit_cast(unsigned long, value), source));
  } else {
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
    const unsigned low = (unsigned)heddle_shuffle((unsigned)bits, source);
    const unsigned high = (unsigned)heddle_shuffle((unsigned)(bits >> 32), source);
    return __builtin_bit_cast(T, (unsigned long long)high << 32 | low);
  }
})
#define HEDDLE_SHUFFLE(name, source, parameter)                                                                                            \
  template <class T>                                                                                                                       \
  HEDDLE_D T __shfl##name(T value, parameter which, int width = 32) HEDDLE_BODY({ return heddle_shuffle_any(value, source(which, width)); }) \
  template <class T>                                                                                                                       \
  HEDDLE_D T __shfl##name##_sync(unsigned mask, T value, parameter which, int width = 32) HEDDLE_BODY({                                     \
    heddle_warpsync(mask);                                                                                                                 \
    return heddle_shuffle_any(value, source(which, width));                                                                                \
  })
HEDDLE_SHUFFLE(, heddle_source_idx, int)
HEDDLE_SHUFFLE(_up, heddle_source_up, unsigned)
HEDDLE_SHUFFLE(_down, heddle_source_down, unsigned)
HEDDLE_SHUFFLE(_xor, heddle_source_xor, int)
#undef HEDDLE_SHUFFLE

// Which threads of the mask have the same value: a vote for each bit.
template <class T>
HEDDLE_D unsigned __match_any_sync(unsigned mask, T value) HEDDLE_BODY({
  static_assert(std::is_arithmetic<T>::value && (sizeof(T) == 4 || sizeof(T) == 8), "__match_any_sync takes int, unsigned, float, long long or double");
  typedef typename std::conditional<sizeof(T) == 8, unsigned long long, unsigned>::type Bits;
  Bits bits = __builtin_bit_cast(Bits, value);
  unsigned same = heddle_ballot_sync(mask, 1);
  for (unsigned i = 0; i < 8 * sizeof(T); ++i, bits >>= 1) same &= ~(heddle_ballot((int)(bits & 1)) ^ (0u - (unsigned)(bits & 1)));
  return same;
})
template <class T>
HEDDLE_D unsigned __match_all_sync(unsigned mask, T value, int* all) HEDDLE_BODY({
  const unsigned same = __match_any_sync(mask, value);
  *all = same == heddle_ballot_sync(mask, 1);
  return mask & (0u - (unsigned)*all);
})
#define HEDDLE_EXTREME(name, type, instruction)                                                                               \
  HEDDLE_D type name(type a, type b) HEDDLE_BODY({ type long r; __asm__(instruction " %0, %1, %2" : "=r"(r) : "r"((type long)a), "r"((type long)b)); return (type)r; })
HEDDLE_EXTREME(heddle_min, signed, "min")
HEDDLE_EXTREME(heddle_min, unsigned, "minu")
HEDDLE_EXTREME(heddle_max, signed, "max")
HEDDLE_EXTREME(heddle_max, unsigned, "maxu")
#undef HEDDLE_EXTREME
// A value of all threads of the mask in each of them. `other`: the value of a lane, or this thread's own where that lane is not of them.
#define HEDDLE_REDUCE(name, type, first, next)                                                                              \
  HEDDLE_D type name(unsigned mask, type value) HEDDLE_BODY({                                                               \
    const unsigned members = heddle_ballot_sync(mask, 1);                                                                   \
    type result = first;                                                                                                    \
    for (unsigned lane = 0; lane < 32; ++lane) {                                                                            \
      const unsigned member = 0u - (members >> lane & 1u);                                                                  \
      const type other = (type)((heddle_shuffle((unsigned)value, lane) & member) | ((unsigned)value & ~member));            \
      result = next;                                                                                                        \
    }                                                                                                                       \
    return result;                                                                                                          \
  })
HEDDLE_REDUCE(__reduce_add_sync, unsigned, 0, result + (other & member))
HEDDLE_REDUCE(__reduce_add_sync, int, 0, (int)((unsigned)result + ((unsigned)other & member)))
HEDDLE_REDUCE(__reduce_min_sync, unsigned, value, heddle_min(result, other))
HEDDLE_REDUCE(__reduce_min_sync, int, value, heddle_min(result, other))
HEDDLE_REDUCE(__reduce_max_sync, unsigned, value, heddle_max(result, other))
HEDDLE_REDUCE(__reduce_max_sync, int, value, heddle_max(result, other))
HEDDLE_REDUCE(__reduce_and_sync, unsigned, value, result & other)
HEDDLE_REDUCE(__reduce_or_sync, unsigned, value, result | other)
HEDDLE_REDUCE(__reduce_xor_sync, unsigned, 0, result ^ (other & member))
#undef HEDDLE_REDUCE

// Barriers that count, by an atomic addition between two of them.
HEDDLE_D int __syncthreads_count(int predicate) HEDDLE_BODY({
  static __shared__ int count;
  __syncthreads();  // everyone has read the last one
  count = 0;
  __syncthreads();
  if (predicate) atomicAdd(&count, 1);
  __syncthreads();
  return count;
})
HEDDLE_D int __syncthreads_or(int predicate) HEDDLE_BODY({ return __syncthreads_count(predicate) != 0; })
HEDDLE_D int __syncthreads_and(int predicate) HEDDLE_BODY({ return __syncthreads_count(predicate == 0) == 0; })

// ---------------------------------------------------------------- bits and integers
HEDDLE_D int __float_as_int(float x) HEDDLE_BODY({ return __builtin_bit_cast(int, x); })
HEDDLE_D unsigned __float_as_uint(float x) HEDDLE_BODY({ return __builtin_bit_cast(unsigned, x); })
HEDDLE_D float __int_as_float(int x) HEDDLE_BODY({ return __builtin_bit_cast(float, x); })
HEDDLE_D float __uint_as_float(unsigned x) HEDDLE_BODY({ return __builtin_bit_cast(float, x); })
HEDDLE_D long long __double_as_longlong(double x) HEDDLE_BODY({ return __builtin_bit_cast(long long, x); })
HEDDLE_D double __longlong_as_double(long long x) HEDDLE_BODY({ return __builtin_bit_cast(double, x); })
HEDDLE_D int __double2hiint(double x) HEDDLE_BODY({ return (int)(__builtin_bit_cast(unsigned long long, x) >> 32); })
HEDDLE_D int __double2loint(double x) HEDDLE_BODY({ return (int)__builtin_bit_cast(unsigned long long, x); })
HEDDLE_D double __hiloint2double(int high, int low) HEDDLE_BODY({
  return __builtin_bit_cast(double, (unsigned long long)(unsigned)high << 32 | (unsigned)low);
})
HEDDLE_D int __popc(unsigned x) HEDDLE_BODY({ return __builtin_popcount(x); })
HEDDLE_D int __popcll(unsigned long long x) HEDDLE_BODY({ return __builtin_popcountll(x); })
#if __riscv_xlen == 32
HEDDLE_D int __clz(int x) HEDDLE_BODY({ int r; __asm__("clz %0, %1" : "=r"(r) : "r"(x)); return r; })
HEDDLE_D int __clzll(long long x) HEDDLE_BODY({ const int high = __clz((int)(x >> 32)); return high < 32 ? high : 32 + __clz((int)x); })
#else
HEDDLE_D int __clz(int x) HEDDLE_BODY({ int r; __asm__("clzw %0, %1" : "=r"(r) : "r"(x)); return r; })
HEDDLE_D int __clzll(long long x) HEDDLE_BODY({ int r; __asm__("clz %0, %1" : "=r"(r) : "r"(x)); return r; })
#endif
HEDDLE_D int __ffs(int x) HEDDLE_BODY({ return 32 - __clz((int)((unsigned)x & (0u - (unsigned)x))); })
HEDDLE_D int __ffsll(long long x) HEDDLE_BODY({ return 64 - __clzll((long long)((unsigned long long)x & (0ull - (unsigned long long)x))); })
HEDDLE_D unsigned __brev(unsigned x) HEDDLE_BODY({ return __builtin_bitreverse32(x); })
HEDDLE_D unsigned long long __brevll(unsigned long long x) HEDDLE_BODY({ return __builtin_bitreverse64(x); })
HEDDLE_D unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) HEDDLE_BODY({
  const unsigned long long bytes = (unsigned long long)high << 32 | low;
  unsigned r = 0;
  for (int i = 0; i < 4; ++i) r |= (unsigned)(bytes >> 8 * (selector >> 4 * i & 7u) & 0xFFu) << 8 * i;
  return r;
})
HEDDLE_D unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) HEDDLE_BODY({
  return (unsigned)(((unsigned long long)high << 32 | low) << (by & 31u) >> 32);
})
HEDDLE_D unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) HEDDLE_BODY({
  return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31u));
})
HEDDLE_D unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) HEDDLE_BODY({
  return (unsigned)(((unsigned long long)high << 32 | low) << (by < 32u ? by : 32u) >> 32);
})
HEDDLE_D unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) HEDDLE_BODY({
  return (unsigned)(((unsigned long long)high << 32 | low) >> (by < 32u ? by : 32u));
})
HEDDLE_D unsigned __sad(int a, int b, unsigned c) HEDDLE_BODY({ return c + (a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b); })
HEDDLE_D unsigned __usad(unsigned a, unsigned b, unsigned c) HEDDLE_BODY({ return c + (a < b ? b - a : a - b); })
HEDDLE_D int __mul24(int a, int b) HEDDLE_BODY({ return (int)((unsigned)((int)((unsigned)a << 8) >> 8) * (unsigned)((int)((unsigned)b << 8) >> 8)); })
HEDDLE_D unsigned __umul24(unsigned a, unsigned b) HEDDLE_BODY({ return (a & 0xFFFFFFu) * (b & 0xFFFFFFu); })
HEDDLE_D int mul24(int a, int b) HEDDLE_BODY({ return __mul24(a, b); })
HEDDLE_D unsigned umul24(unsigned a, unsigned b) HEDDLE_BODY({ return __umul24(a, b); })
HEDDLE_D int __mulhi(int a, int b) HEDDLE_BODY({ return (int)((long long)a * b >> 32); })
HEDDLE_D unsigned __umulhi(unsigned a, unsigned b) HEDDLE_BODY({ return (unsigned)((unsigned long long)a * b >> 32); })
#if __riscv_xlen == 32
HEDDLE_D unsigned long long __umul64hi(unsigned long long a, unsigned long long b) HEDDLE_BODY({
  const unsigned long long al = (unsigned)a, ah = a >> 32, bl = (unsigned)b, bh = b >> 32;
  const unsigned long long middle = ah * bl + (al * bl >> 32), other = al * bh + (unsigned)middle;
  return ah * bh + (middle >> 32) + (other >> 32);
})
HEDDLE_D long long __mul64hi(long long a, long long b) HEDDLE_BODY({
  return (long long)(__umul64hi((unsigned long long)a, (unsigned long long)b) - (a < 0 ? (unsigned long long)b : 0) - (b < 0 ? (unsigned long long)a : 0));
})
#else
HEDDLE_D unsigned long long __umul64hi(unsigned long long a, unsigned long long b) HEDDLE_BODY({ return (unsigned long long)((unsigned __int128)a * b >> 64); })
HEDDLE_D long long __mul64hi(long long a, long long b) HEDDLE_BODY({ return (long long)((__int128)a * b >> 64); })
#endif
HEDDLE_D int __hadd(int a, int b) HEDDLE_BODY({ return (int)(((long long)a + b) >> 1); })
HEDDLE_D int __rhadd(int a, int b) HEDDLE_BODY({ return (int)(((long long)a + b + 1) >> 1); })
HEDDLE_D unsigned __uhadd(unsigned a, unsigned b) HEDDLE_BODY({ return (unsigned)(((unsigned long long)a + b) >> 1); })
HEDDLE_D unsigned __urhadd(unsigned a, unsigned b) HEDDLE_BODY({ return (unsigned)(((unsigned long long)a + b + 1) >> 1); })

// Sums of products of bytes, and of half words with bytes.
#define HEDDLE_DOT(type, byte, half)                                                                                                      \
  HEDDLE_D type __dp4a(type a, type b, type c) HEDDLE_BODY({                                                                              \
    unsigned sum = (unsigned)c;                                                                                                           \
    for (int i = 0; i < 32; i += 8) sum += (unsigned)((byte)((unsigned)a >> i) * (byte)((unsigned)b >> i));                               \
    return (type)sum;                                                                                                                     \
  })                                                                                                                                      \
  HEDDLE_D type __dp2a_lo(type a, type b, type c) HEDDLE_BODY({                                                                           \
    return (type)((unsigned)c + (unsigned)((half)a * (byte)b) + (unsigned)((half)((unsigned)a >> 16) * (byte)((unsigned)b >> 8)));        \
  })                                                                                                                                      \
  HEDDLE_D type __dp2a_hi(type a, type b, type c) HEDDLE_BODY({ return __dp2a_lo(a, (type)((unsigned)b >> 16), c); })
HEDDLE_DOT(int, signed char, short)
HEDDLE_DOT(unsigned, unsigned char, unsigned short)
#undef HEDDLE_DOT
HEDDLE_D int __dp4a(char4 a, char4 b, int c) HEDDLE_BODY({ return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c); })
HEDDLE_D unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) HEDDLE_BODY({ return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c); })

// Loads and stores that hint at caches: without the hint.
#define HEDDLE_LOAD(name) template <class T> HEDDLE_D T name(const T* p) HEDDLE_BODY({ return *p; })
#define HEDDLE_STORE(name) template <class T> HEDDLE_D void name(T* p, T value) HEDDLE_BODY({ *p = value; })
HEDDLE_LOAD(__ldg)
HEDDLE_LOAD(__ldca)
HEDDLE_LOAD(__ldcg)
HEDDLE_LOAD(__ldcs)
HEDDLE_LOAD(__ldlu)
template <class T>
HEDDLE_D T __ldcv(const T* p) HEDDLE_BODY({ __asm__ volatile("" ::: "memory"); const T value = *p; __asm__ volatile("" ::: "memory"); return value; })
HEDDLE_STORE(__stwb)
HEDDLE_STORE(__stcg)
HEDDLE_STORE(__stcs)
template <class T>
HEDDLE_D void __stwt(T* p, T value) HEDDLE_BODY({ __asm__ volatile("" ::: "memory"); *p = value; __asm__ volatile("" ::: "memory"); })
#undef HEDDLE_LOAD
#undef HEDDLE_STORE

// ---------------------------------------------------------------- conversions and arithmetic with a rounding mode
#define HEDDLE_MODES(apply, ...) apply(rn, "rne", __VA_ARGS__) apply(rz, "rtz", __VA_ARGS__) apply(rd, "rdn", __VA_ARGS__) apply(ru, "rup", __VA_ARGS__)
#define HEDDLE_CONVERT(mode, rm, name, to, from, instruction, result, operand)                                                   \
  HEDDLE_D to name##_##mode(from x) HEDDLE_BODY({ to r; __asm__(instruction " %0, %1, " rm : "=" result(r) : operand(x)); return r; })
// 0 of NaN, as PTX has it; heddle-nvcc does the same for casts.
#define HEDDLE_TO_INTEGER(mode, rm, name, to, instruction)                                                                       \
  HEDDLE_D to name##_##mode(float x) HEDDLE_BODY({                                                                               \
    to r; int ordered;                                                                                                           \
    __asm__(instruction " %0, %2, " rm "\n\tfeq.s %1, %2, %2\n\tneg %1, %1\n\tand %0, %0, %1" : "=&r"(r), "=&r"(ordered) : "f"(x)); \
    return r; })
HEDDLE_MODES(HEDDLE_TO_INTEGER, __float2int, int, "fcvt.w.s")
HEDDLE_MODES(HEDDLE_TO_INTEGER, __float2uint, unsigned, "fcvt.wu.s")
#undef HEDDLE_TO_INTEGER
HEDDLE_MODES(HEDDLE_CONVERT, __int2float, float, int, "fcvt.s.w", "f", "r")
HEDDLE_MODES(HEDDLE_CONVERT, __uint2float, float, unsigned, "fcvt.s.wu", "f", "r")
HEDDLE_MODES(HEDDLE_CONVERT, __fsqrt, float, float, "fsqrt.s", "f", "f")
#define HEDDLE_BINARY(mode, rm, type, name, instruction)                                                                         \
  HEDDLE_D type name##_##mode(type a, type b) HEDDLE_BODY({                                                                      \
    type r; __asm__(instruction " %0, %1, %2, " rm : "=f"(r) : "f"(a), "f"(b)); return r; })
HEDDLE_MODES(HEDDLE_BINARY, float, __fadd, "fadd.s")
HEDDLE_MODES(HEDDLE_BINARY, float, __fsub, "fsub.s")
HEDDLE_MODES(HEDDLE_BINARY, float, __fmul, "fmul.s")
HEDDLE_MODES(HEDDLE_BINARY, float, __fdiv, "fdiv.s")
#define HEDDLE_FUSED(mode, rm, type, name, instruction)                                                                          \
  HEDDLE_D type name##_##mode(type a, type b, type c) HEDDLE_BODY({                                                              \
    type r; __asm__(instruction " %0, %1, %2, %3, " rm : "=f"(r) : "f"(a), "f"(b), "f"(c)); return r; })
HEDDLE_MODES(HEDDLE_FUSED, float, __fmaf, "fmadd.s")
#define HEDDLE_RECIPROCAL(mode, rm, type, name, divide) HEDDLE_D type name##_##mode(type x) HEDDLE_BODY({ return divide##_##mode(1, x); })
HEDDLE_MODES(HEDDLE_RECIPROCAL, float, __frcp, __fdiv)
HEDDLE_D float __frsqrt_rn(float x) HEDDLE_BODY({ return rsqrtf(x); })
HEDDLE_D float __fdividef(float a, float b) HEDDLE_BODY({ return a * heddle_rcp(b); })
HEDDLE_D float __saturatef(float x) HEDDLE_BODY({ return fminf(fmaxf(x, 0.0f), 1.0f); })
#if __riscv_xlen == 32
#include "device_double_software.h"
#else
#include "device_double.h"
#endif
#undef HEDDLE_MODES
#undef HEDDLE_CONVERT
#undef HEDDLE_BINARY
#undef HEDDLE_FUSED
#undef HEDDLE_RECIPROCAL

// ---------------------------------------------------------------- min, max, abs, of every mix of types, on both sides
#define HEDDLE_HD static __host__ __device__ inline __attribute__((always_inline, unused))
#define HEDDLE_MIN_MAX(type)                                               \
  HEDDLE_HD constexpr type min(type a, type b) { return b < a ? b : a; }   \
  HEDDLE_HD constexpr type max(type a, type b) { return a < b ? b : a; }
HEDDLE_MIN_MAX(int)
HEDDLE_MIN_MAX(unsigned)
HEDDLE_MIN_MAX(long)
HEDDLE_MIN_MAX(unsigned long)
HEDDLE_MIN_MAX(long long)
HEDDLE_MIN_MAX(unsigned long long)
#undef HEDDLE_MIN_MAX
HEDDLE_HD float min(float a, float b) { return fminf(a, b); }
HEDDLE_HD float max(float a, float b) { return fmaxf(a, b); }
HEDDLE_HD double min(double a, double b) { return fmin(a, b); }
HEDDLE_HD double max(double a, double b) { return fmax(a, b); }
template <class A, class B>
using heddle_mixed = typename std::enable_if<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value && !std::is_same<A, B>::value,
                                             typename std::common_type<A, B>::type>::type;
template <class A, class B>
HEDDLE_HD constexpr heddle_mixed<A, B> min(A a, B b) {
  typedef typename std::common_type<A, B>::type T;
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B>
HEDDLE_HD constexpr heddle_mixed<A, B> max(A a, B b) {
  typedef typename std::common_type<A, B>::type T;
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}
HEDDLE_HD int umin(unsigned a, unsigned b) { return a < b ? a : b; }
HEDDLE_HD int umax(unsigned a, unsigned b) { return a < b ? b : a; }
template <class T>
HEDDLE_HD typename std::enable_if<std::is_unsigned<T>::value, T>::type abs(T x) { return x; }
HEDDLE_HD long long llmin(long long a, long long b) { return a < b ? a : b; }
HEDDLE_HD long long llmax(long long a, long long b) { return a < b ? b : a; }

// ---------------------------------------------------------------- textures
#ifdef __riscv
HEDDLE_D int heddle_floor(float x) { int r; __asm__("fcvt.w.s %0, %1, rdn" : "=r"(r) : "f"(x)); return r; }
// Texel number along one dimension; -1: the border.
HEDDLE_D int heddle_texel(int at, int size, int mode) {
  if (mode == cudaAddressModeWrap) return at - size * heddle_floor((float)at / (float)size);
  if (mode == cudaAddressModeMirror) {
    const int twice = at - 2 * size * heddle_floor((float)at / (float)(2 * size));
    return twice < size ? twice : 2 * size - 1 - twice;
  }
  if (mode == cudaAddressModeBorder) return at < 0 || at >= size ? -1 : at;
  return min(max(at, 0), size - 1);
}
template <class T>
HEDDLE_D T heddle_fetch(const heddle_texture& t, int x, int y) {
  const int column = heddle_texel(x, (int)t.width, t.address_mode[0]);
  const int row = t.height == 0 ? 0 : heddle_texel(y, (int)t.height, t.address_mode[1]);
  if (column < 0 || row < 0) return T{};
  return *(const T*)(const void*)((unsigned long)t.base + (unsigned long)(unsigned)row * t.pitch + (unsigned)column * sizeof(T));
}
// A component as a float: as it is, or the range of its type as 0..1 or -1..1.
template <cudaTextureReadMode mode, class C>
HEDDLE_D float heddle_component_value(C c) {
  if constexpr (mode == cudaReadModeElementType) return (float)c;
  return fmaxf((float)c / (float)((1u << (8 * sizeof(C) - std::is_signed<C>::value)) - 1u), -1.0f);
}
#define HEDDLE_TEXEL_MAP(F, T, expression)                                                                    \
  if constexpr (heddle_component<T>::count == 1 && sizeof(F) == 4) {                                          \
    return expression(*(const typename heddle_component<T>::type*)&v);                                        \
  } else {                                                                                                    \
    F r;                                                                                                      \
    for (int i = 0; i < heddle_component<T>::count; ++i) ((float*)&r)[i] = expression(((const typename heddle_component<T>::type*)&v)[i]); \
    return r;                                                                                                 \
  }
#endif

// A descriptor is read at the fetch. In registers from the front of a loop on, its fields would be many, and go to each thread's frame.
HEDDLE_D const heddle_texture& heddle_at_fetch(const heddle_texture* t) HEDDLE_BODY({
  __asm__ volatile("" : "+r"(t));
  return *t;
})
// What a fetch returns.
template <class T, cudaTextureReadMode mode, int count = heddle_component<T>::count>
struct heddle_texel_type { typedef T type; };
template <class T>
struct heddle_texel_type<T, cudaReadModeNormalizedFloat, 1> { typedef float type; };
template <class T>
struct heddle_texel_type<T, cudaReadModeNormalizedFloat, 2> { typedef float2 type; };
template <class T>
struct heddle_texel_type<T, cudaReadModeNormalizedFloat, 4> { typedef float4 type; };

template <class T, cudaTextureReadMode mode>
HEDDLE_D typename heddle_texel_type<T, mode>::type heddle_read(const heddle_texture& t, int x, int y) HEDDLE_BODY({
  const T v = heddle_fetch<T>(t, x, y);
  if constexpr (mode == cudaReadModeElementType) {
    return v;
  } else {
    typedef typename heddle_texel_type<T, mode>::type F;
    HEDDLE_TEXEL_MAP(F, T, heddle_component_value<mode>)
  }
})
// At a point; linear filtering as the hardware does it, with 8 bits of fraction.
template <class T, cudaTextureReadMode mode>
HEDDLE_D typename heddle_texel_type<T, mode>::type heddle_sample(const heddle_texture& t, float x, float y) HEDDLE_BODY({
  typedef typename heddle_texel_type<T, mode>::type R;
  if (t.normalized) {
    x *= (float)t.width;
    y *= (float)t.height;
  }
  if constexpr (std::is_same<typename heddle_component<R>::type, float>::value) {
    if (t.linear) {
      const float x0 = x - 0.5f, y0 = t.height == 0 ? 0.0f : y - 0.5f;
      const int column = heddle_floor(x0), row = heddle_floor(y0);
      const float fx = rintf((x0 - (float)column) * 256.0f) * 0.00390625f, fy = rintf((y0 - (float)row) * 256.0f) * 0.00390625f;
      const R a = heddle_read<T, mode>(t, column, row), b = heddle_read<T, mode>(t, column + 1, row);
      const R c = t.height == 0 ? a : heddle_read<T, mode>(t, column, row + 1), d = t.height == 0 ? b : heddle_read<T, mode>(t, column + 1, row + 1);
      R r;
      for (unsigned i = 0; i < sizeof(R) / 4; ++i) {
        const float top = ((const float*)&a)[i] + fx * (((const float*)&b)[i] - ((const float*)&a)[i]);
        const float bottom = ((const float*)&c)[i] + fx * (((const float*)&d)[i] - ((const float*)&c)[i]);
        ((float*)&r)[i] = top + fy * (bottom - top);
      }
      return r;
    }
  }
  return heddle_read<T, mode>(t, heddle_floor(x), heddle_floor(y));
})
#ifdef __riscv
#undef HEDDLE_TEXEL_MAP
#endif

template <class T, int dimensions = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
  __host__ __device__ constexpr texture(int normalized_ = 0, cudaTextureFilterMode filter_ = cudaFilterModePoint,
                                        cudaTextureAddressMode address_ = cudaAddressModeClamp)
      : textureReference{normalized_, filter_, {address_, address_, address_}, cudaCreateChannelDesc<T>(), 0, {}} {}
  __host__ __device__ constexpr texture(int normalized_, cudaTextureFilterMode filter_, cudaTextureAddressMode address_, cudaChannelFormatDesc channels)
      : textureReference{normalized_, filter_, {address_, address_, address_}, channels, 0, {}} {}
};

template <class T, cudaTextureReadMode mode>
HEDDLE_D typename heddle_texel_type<T, mode>::type tex1Dfetch(const texture<T, 1, mode>& t, int x) HEDDLE_BODY({
  typedef typename heddle_texel_type<T, mode>::type R;
  const heddle_texture& d = heddle_at_fetch(&t.heddle);
  if ((unsigned)x >= d.width) return R{};
  return heddle_read<T, mode>(d, x, 0);
})
template <class T, cudaTextureReadMode mode>
HEDDLE_D typename heddle_texel_type<T, mode>::type tex1D(const texture<T, 1, mode>& t, float x) HEDDLE_BODY({ return heddle_sample<T, mode>(heddle_at_fetch(&t.heddle), x, 0.0f); })
template <class T, cudaTextureReadMode mode>
HEDDLE_D typename heddle_texel_type<T, mode>::type tex2D(const texture<T, 2, mode>& t, float x, float y) HEDDLE_BODY({ return heddle_sample<T, mode>(heddle_at_fetch(&t.heddle), x, y); })

// Texture objects name the descriptor's address; the mode of reading is the object's, so integers come as they are.
#ifdef __riscv
#define HEDDLE_OBJECT(object) heddle_at_fetch((const heddle_texture*)(const void*)(unsigned long)(object))
#endif
template <class T>
HEDDLE_D T tex1Dfetch(cudaTextureObject_t object, int x) HEDDLE_BODY({
  const heddle_texture& t = HEDDLE_OBJECT(object);
  if ((unsigned)x >= t.width) return T{};
  return heddle_read<T, cudaReadModeElementType>(t, x, 0);
})
template <class T>
HEDDLE_D T tex1D(cudaTextureObject_t object, float x) HEDDLE_BODY({ return heddle_sample<T, cudaReadModeElementType>(HEDDLE_OBJECT(object), x, 0.0f); })
template <class T>
HEDDLE_D T tex2D(cudaTextureObject_t object, float x, float y) HEDDLE_BODY({ return heddle_sample<T, cudaReadModeElementType>(HEDDLE_OBJECT(object), x, y); })
// The texture of a layer, of which there are some: the first or the last one beyond them.
HEDDLE_D heddle_texture heddle_layer_of(cudaTextureObject_t object, int layer) HEDDLE_BODY({
  heddle_texture t = HEDDLE_OBJECT(object);
  t.base += t.layer * (unsigned)min(max(layer, 0), (int)t.layers - 1);
  return t;
})
template <class T>
HEDDLE_D T tex1DLayered(cudaTextureObject_t object, float x, int layer) HEDDLE_BODY({ return heddle_sample<T, cudaReadModeElementType>(heddle_layer_of(object, layer), x, 0.0f); })
template <class T>
HEDDLE_D T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) HEDDLE_BODY({ return heddle_sample<T, cudaReadModeElementType>(heddle_layer_of(object, layer), x, y); })

// Surfaces: x counts bytes. Beyond it: a trap, the nearest element, or 0 and no write.
template <class T>
HEDDLE_D T* heddle_surface_at(cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode mode) HEDDLE_BODY({
  const heddle_surface& s = *(const heddle_surface*)(const void*)(unsigned long)object;
  const int last = (int)s.row - (int)sizeof(T);
  if (x < 0 || x > last || y < 0 || y >= (int)s.height) {
    if (mode == cudaBoundaryModeTrap) __trap();
    if (mode == cudaBoundaryModeZero) return (T*)0;
    x = min(max(x, 0), last);
    y = min(max(y, 0), (int)s.height - 1);
  }
  return (T*)(void*)((unsigned long)s.base + (unsigned long)(unsigned)y * s.pitch + (unsigned)x);
})
template <class T>
HEDDLE_D T surf2Dread(cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) HEDDLE_BODY({
  const T* const p = heddle_surface_at<T>(object, x, y, mode);
  return p == (const T*)0 ? T{} : *p;
})
template <class T>
HEDDLE_D void surf2Dread(T* value, cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) HEDDLE_BODY({ *value = surf2Dread<T>(object, x, y, mode); })
template <class T>
HEDDLE_D void surf2Dwrite(T value, cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) HEDDLE_BODY({
  T* const p = heddle_surface_at<T>(object, x, y, mode);
  if (p != (T*)0) *p = value;
})
template <class T>
HEDDLE_D T surf1Dread(cudaSurfaceObject_t object, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) HEDDLE_BODY({ return surf2Dread<T>(object, x, 0, mode); })
template <class T>
HEDDLE_D void surf1Dwrite(T value, cudaSurfaceObject_t object, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) HEDDLE_BODY({ surf2Dwrite(value, object, x, 0, mode); })
template <class T>
HEDDLE_D void tex1Dfetch(T* value, cudaTextureObject_t object, int x) HEDDLE_BODY({ *value = tex1Dfetch<T>(object, x); })
template <class T>
HEDDLE_D void tex2D(T* value, cudaTextureObject_t object, float x, float y) HEDDLE_BODY({ *value = tex2D<T>(object, x, y); })
#ifdef __riscv
#undef HEDDLE_OBJECT
#endif

#undef HEDDLE_HD
#undef HEDDLE_CSR
#undef HEDDLE_D
#undef HEDDLE_BODY
