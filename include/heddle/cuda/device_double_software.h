// SPDX-License-Identifier: Apache-2.0
// Arithmetic of double and conversions with a rounding mode, in software, for --rv32. Included by device_language.h.
//
// To nearest by the compiler's own operations, kept apart from others by `volatile`, so that nothing is contracted; in other directions by
// heddle_rounded_*, in the device's library.
#pragma once

// Mode: the encoding of the F extension (0 nearest even, 1 to zero, 2 down, 3 up).
extern "C" __device__ double heddle_rounded_fma(double a, double b, double c, int mode);
extern "C" __device__ double heddle_rounded_div(double a, double b, int mode);
extern "C" __device__ double heddle_rounded_sqrt(double a, int mode);

HEDDLE_D double __dadd_rn(double a, double b) HEDDLE_BODY({ volatile double r = a + b; return r; })
HEDDLE_D double __dsub_rn(double a, double b) HEDDLE_BODY({ volatile double r = a - b; return r; })
HEDDLE_D double __dmul_rn(double a, double b) HEDDLE_BODY({ volatile double r = a * b; return r; })
HEDDLE_D double __ddiv_rn(double a, double b) HEDDLE_BODY({ return a / b; })
HEDDLE_D double __drcp_rn(double a) HEDDLE_BODY({ return 1.0 / a; })
HEDDLE_D double __dsqrt_rn(double a) HEDDLE_BODY({ return sqrt(a); })
HEDDLE_D double __fma_rn(double a, double b, double c) HEDDLE_BODY({ return heddle_rounded_fma(a, b, c, 0); })

// A float or double one step further from zero (1) or nearer to it (-1).
HEDDLE_D float heddle_step(float x, int by) HEDDLE_BODY({ return __builtin_bit_cast(float, __builtin_bit_cast(int, x) + by); })
// A double in a float, and a 64-bit integer, whose upper half is `high`, in a double.
HEDDLE_D float heddle_to_float(double x, int mode) HEDDLE_BODY({
  const float nearest = (float)x;
  const double back = nearest;
  if (mode == 0 || !(back < x || back > x)) return nearest;
  const int away = x < 0 ? mode == 2 : mode == 3;  // the result lies beyond x
  const int beyond = x < 0 ? back < x : back > x;
  if (away == beyond) return nearest;
  return nearest == 0 ? __builtin_copysignf(__builtin_bit_cast(float, 1), (float)x) : heddle_step(nearest, away - beyond);
})
HEDDLE_D double heddle_from_halves(double high, unsigned low, int mode) HEDDLE_BODY({
  return high == 0 ? (double)low : heddle_rounded_fma(high, 4294967296.0, (double)low, mode);
})
// The same in a float: first to odd, where the second rounding sees what the first one lost.
HEDDLE_D float heddle_float_from_halves(double high, unsigned low, int mode) HEDDLE_BODY({
  const double below = heddle_from_halves(high, low, 2), above = heddle_from_halves(high, low, 3);
  return heddle_to_float(__builtin_bit_cast(unsigned long long, below) & 1 ? below : above, mode);
})
#define HEDDLE_DOUBLE_MODE(mode, code)                                                                                              \
  HEDDLE_D double __dadd_##mode(double a, double b) HEDDLE_BODY({ return heddle_rounded_fma(a, 1.0, b, code); })                    \
  HEDDLE_D double __dsub_##mode(double a, double b) HEDDLE_BODY({ return heddle_rounded_fma(a, 1.0, -b, code); })                   \
  HEDDLE_D double __dmul_##mode(double a, double b) HEDDLE_BODY({                                                                   \
    return heddle_rounded_fma(a, b, __builtin_copysign(0.0, __builtin_copysign(1.0, a) * __builtin_copysign(1.0, b)), code);        \
  })                                                                                                                                \
  HEDDLE_D double __fma_##mode(double a, double b, double c) HEDDLE_BODY({ return heddle_rounded_fma(a, b, c, code); })             \
  HEDDLE_D double __ddiv_##mode(double a, double b) HEDDLE_BODY({ return heddle_rounded_div(a, b, code); })                         \
  HEDDLE_D double __drcp_##mode(double a) HEDDLE_BODY({ return heddle_rounded_div(1.0, a, code); })                                 \
  HEDDLE_D double __dsqrt_##mode(double a) HEDDLE_BODY({ return heddle_rounded_sqrt(a, code); })
HEDDLE_DOUBLE_MODE(rz, 1)
HEDDLE_DOUBLE_MODE(rd, 2)
HEDDLE_DOUBLE_MODE(ru, 3)
#undef HEDDLE_DOUBLE_MODE

#define HEDDLE_DOUBLE_CONVERSIONS(mode, code)                                                                             \
  HEDDLE_D float __double2float_##mode(double x) HEDDLE_BODY({ return heddle_to_float(x, code); })                                  \
  HEDDLE_D double __ll2double_##mode(long long x) HEDDLE_BODY({ return heddle_from_halves((double)(int)(x >> 32), (unsigned)x, code); }) \
  HEDDLE_D double __ull2double_##mode(unsigned long long x) HEDDLE_BODY({ return heddle_from_halves((double)(unsigned)(x >> 32), (unsigned)x, code); }) \
  HEDDLE_D float __ll2float_##mode(long long x) HEDDLE_BODY({ return heddle_float_from_halves((double)(int)(x >> 32), (unsigned)x, code); }) \
  HEDDLE_D float __ull2float_##mode(unsigned long long x) HEDDLE_BODY({ return heddle_float_from_halves((double)(unsigned)(x >> 32), (unsigned)x, code); })
HEDDLE_DOUBLE_CONVERSIONS(rn, 0)
HEDDLE_DOUBLE_CONVERSIONS(rz, 1)
HEDDLE_DOUBLE_CONVERSIONS(rd, 2)
HEDDLE_DOUBLE_CONVERSIONS(ru, 3)
#undef HEDDLE_DOUBLE_CONVERSIONS
#define HEDDLE_TO_INTEGER(name, to, from, suffix)                                     \
  HEDDLE_D to name##_rz(from x) HEDDLE_BODY({ return (to)x; })                        \
  HEDDLE_D to name##_rn(from x) HEDDLE_BODY({ return (to)rint##suffix(x); })          \
  HEDDLE_D to name##_rd(from x) HEDDLE_BODY({ return (to)floor##suffix(x); })         \
  HEDDLE_D to name##_ru(from x) HEDDLE_BODY({ return (to)ceil##suffix(x); })
HEDDLE_TO_INTEGER(__float2ll, long long, float, f)
HEDDLE_TO_INTEGER(__float2ull, unsigned long long, float, f)
HEDDLE_TO_INTEGER(__double2int, int, double, )
HEDDLE_TO_INTEGER(__double2uint, unsigned, double, )
HEDDLE_TO_INTEGER(__double2ll, long long, double, )
HEDDLE_TO_INTEGER(__double2ull, unsigned long long, double, )
#undef HEDDLE_TO_INTEGER
HEDDLE_D double __int2double_rn(int x) HEDDLE_BODY({ return (double)x; })
HEDDLE_D double __uint2double_rn(unsigned x) HEDDLE_BODY({ return (double)x; })
