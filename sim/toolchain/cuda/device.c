// SPDX-License-Identifier: Apache-2.0
// What kernels of CUDA programs call: text output, assertions, and on a core of 32 bits what it has no instructions for: atomics of 64 bits, conversions of double.
// Linked to every program that heddle-nvcc makes.
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "heddle/kernel.h"

enum { kStatusTrap = 133, kStatusAssert = 134 };  // of a thread that ends with it; the runtime knows them

__attribute__((noreturn)) void heddle_trap(void) { heddle_exit(kStatusTrap); }

// The simulator makes the text, in one piece: texts of several threads do not mix. Bit n of eight: argument n has eight bytes.
int heddle_printf(unsigned eight, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  register const char* a0 __asm__("a0") = format;
  register va_list a1 __asm__("a1") = arguments;
  register unsigned a2 __asm__("a2") = eight;
  register int a7 __asm__("a7") = 4096;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  va_end(arguments);
  return (int)(intptr_t)a0;
}

__attribute__((noreturn)) void heddle_assert_fail(const char* text, const char* file, unsigned line, const char* function) {
  heddle_printf(0, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line, function, blockIdx.x, blockIdx.y,
                blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, text);
  heddle_exit(kStatusAssert);
}

#if __riscv_xlen == 32
// Conversions toward zero as PTX has them: the nearest value where the integer cannot hold the float; of NaN the sign bit alone.
#define HEDDLE_CONVERSION(name, to, from, word, mantissa, exponents, width, is_signed)                        \
  to name(from x) {                                                                                           \
    word bits;                                                                                                \
    memcpy(&bits, &x, sizeof bits);                                                                           \
    const int negative = bits >> (8 * sizeof bits - 1) != 0;                                                  \
    const int exponent = (int)(bits >> mantissa & exponents);                                                 \
    const to sign = (to)1 << (width - 1);                                                                     \
    if (exponent < exponents / 2 + width - is_signed && (is_signed || !negative)) return (to)x;               \
    if (exponent == exponents && bits << (8 * sizeof bits - mantissa) != 0) return sign;                      \
    if (negative) return is_signed ? sign : 0;                                                                \
    return is_signed ? ~sign : ~(to)0;                                                                        \
  }
HEDDLE_CONVERSION(heddle_float_to_s64, int64_t, float, uint32_t, 23, 255, 64, 1)
HEDDLE_CONVERSION(heddle_float_to_u64, uint64_t, float, uint32_t, 23, 255, 64, 0)
HEDDLE_CONVERSION(heddle_double_to_s32, int32_t, double, uint64_t, 52, 2047, 32, 1)
HEDDLE_CONVERSION(heddle_double_to_u32, uint32_t, double, uint64_t, 52, 2047, 32, 0)
HEDDLE_CONVERSION(heddle_double_to_s64, int64_t, double, uint64_t, 52, 2047, 64, 1)
HEDDLE_CONVERSION(heddle_double_to_u64, uint64_t, double, uint64_t, 52, 2047, 64, 0)

// One lock for all words whose addresses agree in these bits. A thread that has the lock runs to its release within the loop's body, so the
// others of its warp, which wait behind the body, never keep it from there.
static unsigned locks[256];

uint64_t heddle_atomic64(int operation, uint64_t* p, uint64_t value, uint64_t compare) {
  unsigned* lock = &locks[(uintptr_t)p >> 3 & 255u];
  uint64_t old = 0;
  for (int done = 0; !done;) {
    if (heddle_atomic_cas_u(lock, 0, 1) == 0) {
      volatile uint64_t* word = p;
      old = *word;
      uint64_t next = value;
      switch (operation) {
        case 0: next = old + value; break;
        case 1: break;
        case 2: next = old == compare ? value : old; break;
        case 3: next = value < old ? value : old; break;
        case 4: next = value > old ? value : old; break;
        case 5: next = old & value; break;
        case 6: next = old | value; break;
        case 7: next = old ^ value; break;
        case 8: next = (int64_t)value < (int64_t)old ? value : old; break;
        case 9: next = (int64_t)value > (int64_t)old ? value : old; break;
        default: {
          double a, b;
          memcpy(&a, &old, sizeof a);
          memcpy(&b, &value, sizeof b);
          a += b;
          memcpy(&next, &a, sizeof next);
        }
      }
      *word = next;
      __threadfence();
      heddle_atomic_exch_u(lock, 0);
      done = 1;
    }
  }
  return old;
}

// ---------------------------------------------------------------- double
// Conversions without a branch, in place of libgcc's: threads that convert together stay together.
static double from_magnitude(uint32_t magnitude, uint32_t sign) {
  const int zeros = __builtin_clz(magnitude | 1);
  const uint32_t aligned = magnitude << zeros, some = 0u - (magnitude != 0);  // bit 31 of it is the 1 that goes into the exponent
  const uint32_t high = sign | ((((uint32_t)(1023 + 31 - 1 - zeros) << 20) + (aligned >> 11)) & some), low = aligned << 21;
  double x;
  memcpy(&x, (uint32_t[]){low, high}, sizeof x);
  return x;
}
double __floatunsidf(uint32_t n) { return from_magnitude(n, 0); }
double __floatsidf(int32_t n) {
  const uint32_t sign = (uint32_t)(n >> 31);
  return from_magnitude(((uint32_t)n ^ sign) - sign, sign & 0x80000000u);
}
#endif
