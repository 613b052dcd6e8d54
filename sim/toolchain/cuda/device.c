// SPDX-License-Identifier: Apache-2.0
// What kernels of CUDA programs call: text output, assertions, atomics of 64 bits, conversions to double. Linked to every program that heddle-nvcc makes; what is
// not called is not in it.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "heddle/kernel.h"

enum { kStatusTrap = 133, kStatusAssert = 134 };  // of a thread that ends with it; the runtime knows them

__attribute__((noreturn)) void heddle_trap(void) { heddle_exit(kStatusTrap); }

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

// A thread's text goes out in one piece: lines of several threads do not mix. The sizes of a 64-bit host: l, j, z and t stand for eight bytes
// where a value of this size was passed, which the compiler does for `long` (heddle-nvcc) and never for size_t.
int heddle_printf(const char* format, ...) {
  char text[256];
  unsigned length = 0;
  int total = 0;
  va_list arguments;
  va_start(arguments, format);
  while (*format != '\0') {
    char piece[128];
    unsigned used = 0;
    if (*format != '%') {
      while (*format != '\0' && *format != '%' && used < sizeof piece) piece[used++] = *format++;
    } else {
      char one[24] = "%";
      unsigned n = 1;
      int stars[2], star_count = 0, longs = 0;
      ++format;
      while (*format != '\0' && strchr("-+ #0123456789.*", *format) != NULL) {
        if (*format == '*' && star_count < 2) stars[star_count++] = va_arg(arguments, int);
        if (n < 12) one[n++] = *format;
        ++format;
      }
      while (*format != '\0' && strchr("hlLqjzt", *format) != NULL) {
        if (*format == 'l' || *format == 'q' || *format == 'j') longs = 1;
        if (*format == 'h') one[n++] = 'h';
        ++format;
        if (n > 16) break;
      }
      const char kind = *format == '\0' ? '%' : *format++;
      if (longs && strchr("diuoxX", kind) != NULL) {
        one[n++] = 'l';
        one[n++] = 'l';
      }
      one[n++] = kind;
      one[n] = '\0';
      int written = 0;
#define PRINT(value)                                                                        \
  (star_count == 0   ? snprintf(piece, sizeof piece, one, value)                            \
   : star_count == 1 ? snprintf(piece, sizeof piece, one, stars[0], value)                  \
                     : snprintf(piece, sizeof piece, one, stars[0], stars[1], value))
      if (strchr("eEfFgGaA", kind) != NULL) written = PRINT(va_arg(arguments, double));
      else if (longs && strchr("diuoxX", kind) != NULL) written = PRINT(va_arg(arguments, long long));
      else if (kind == 's') written = PRINT(va_arg(arguments, const char*));
      else if (kind == '%') { piece[0] = '%'; written = 1; }
      else written = PRINT(va_arg(arguments, int));
#undef PRINT
      used = written < 0 ? 0 : (unsigned)written < sizeof piece ? (unsigned)written : sizeof piece - 1;
    }
    total += (int)used;
    if (length + used > sizeof text) {
      heddle_write(1, text, length);
      length = 0;
    }
    memcpy(text + length, piece, used);
    length += used;
  }
  va_end(arguments);
  if (length != 0) heddle_write(1, text, length);
  return total;
}

__attribute__((noreturn)) void heddle_assert_fail(const char* text, const char* file, unsigned line, const char* function) {
  heddle_printf("%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line, function, blockIdx.x, blockIdx.y,
                blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, text);
  heddle_exit(kStatusAssert);
}

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
