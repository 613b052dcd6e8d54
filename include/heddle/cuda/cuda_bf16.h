// SPDX-License-Identifier: Apache-2.0
// The upper half of a float (C++): __nv_bfloat16 and __nv_bfloat162, on both sides. Arithmetic is that of float, rounded once, as that of
// cuda_fp16.h: the right result for + - * / and sqrt; fma gets there by way of a sum rounded to odd. A NaN is 0x7FFF.
#pragma once
#define __CUDA_BF16_H__  // what other headers look for

#include "cuda_fp16.h"

#define HEDDLE_H static __inline__ __host__ __device__ __attribute__((always_inline, unused))

HEDDLE_H float heddle_bf16_to_float(unsigned short x) { return heddle_float_of((unsigned)x << 16); }
// To nearest even.
HEDDLE_H unsigned short heddle_float_to_bf16(float x) {
  const unsigned bits = heddle_bits_of(x);
  const unsigned nan = heddle_below(0x7F800000u, bits & 0x7FFFFFFFu);
  return (unsigned short)(((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16 & ~nan) | (0x7FFFu & nan));
}

struct __nv_bfloat16_raw { unsigned short x; };
struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short __x;

  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw& raw) : __x(raw.x) {}
  __host__ __device__ __nv_bfloat16(float x) : __x(heddle_float_to_bf16(x)) {}
  __host__ __device__ __nv_bfloat16(double x) : __x(heddle_float_to_bf16(heddle_odd_float(x))) {}
  template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
  __host__ __device__ __nv_bfloat16(T x) : __x(heddle_float_to_bf16(heddle_odd_whole(x))) {}
  __host__ __device__ operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  __host__ __device__ operator float() const { return heddle_bf16_to_float(__x); }
  __host__ __device__ __nv_bfloat16& operator=(float x) { return *this = __nv_bfloat16(x); }
  __host__ __device__ __nv_bfloat16& operator=(double x) { return *this = __nv_bfloat16(x); }
  template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
  __host__ __device__ __nv_bfloat16& operator=(T x) { return *this = __nv_bfloat16(x); }
  template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
  __host__ __device__ operator T() const {
    if constexpr (std::is_same<T, bool>::value) return (__x & 0x7FFF) != 0;
    else return __half::heddle_integer<T>(truncf(heddle_bf16_to_float(__x)));
  }

  // An integer's first 24 bits, the last of which says whether any other one was set.
  template <class T>
  static __host__ __device__ float heddle_odd_whole(T x) {
    const bool negative = std::is_signed<T>::value && x < T(0);
    unsigned long long magnitude = negative ? 0ull - (unsigned long long)x : (unsigned long long)x;
    float unit = 1.0f;
    while (magnitude >> 24 != 0) {
      magnitude = magnitude >> 1 | (magnitude & 1u);
      unit *= 2.0f;
    }
    return (negative ? -unit : unit) * (float)magnitude;
  }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16& a, const __nv_bfloat16& b) : x(a), y(b) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// ---------------------------------------------------------------- conversions
HEDDLE_H __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __nv_bfloat16(__nv_bfloat16_raw{x}); }
HEDDLE_H __nv_bfloat16 __short_as_bfloat16(short x) { return __ushort_as_bfloat16((unsigned short)x); }
HEDDLE_H unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
HEDDLE_H short __bfloat16_as_short(__nv_bfloat16 h) { return (short)h.__x; }
HEDDLE_H float __bfloat162float(__nv_bfloat16 h) { return heddle_bf16_to_float(h.__x); }
HEDDLE_H __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
HEDDLE_H __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
HEDDLE_H __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
HEDDLE_H __nv_bfloat16 __int2bfloat16_rn(int x) { return __nv_bfloat16(x); }
HEDDLE_H __nv_bfloat16 __uint2bfloat16_rn(unsigned x) { return __nv_bfloat16(x); }
HEDDLE_H int __bfloat162int_rz(__nv_bfloat16 h) { return __half::heddle_integer<int>(truncf(__bfloat162float(h))); }
HEDDLE_H int __bfloat162int_rn(__nv_bfloat16 h) { return __half::heddle_integer<int>(rintf(__bfloat162float(h))); }
HEDDLE_H __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
HEDDLE_H __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
HEDDLE_H __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 h) { return __nv_bfloat162(h, h); }
HEDDLE_H __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(y)); }
HEDDLE_H __nv_bfloat162 __float2bfloat162_rn(float x) { return __floats2bfloat162_rn(x, x); }
HEDDLE_H __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
HEDDLE_H float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2(__bfloat162float(v.x), __bfloat162float(v.y)); }
HEDDLE_H float __low2float(__nv_bfloat162 v) { return __bfloat162float(v.x); }
HEDDLE_H float __high2float(__nv_bfloat162 v) { return __bfloat162float(v.y); }
HEDDLE_H __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
HEDDLE_H __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }

// ---------------------------------------------------------------- arithmetic; of __nv_bfloat162 on each half
HEDDLE_H bool __hisnan(__nv_bfloat16 h) { return (h.__x & 0x7FFFu) > 0x7F80u; }
HEDDLE_H int __hisinf(__nv_bfloat16 h) { return h.__x == 0x7F80u ? 1 : h.__x == 0xFF80u ? -1 : 0; }
HEDDLE_H __nv_bfloat16 __hneg(__nv_bfloat16 h) { return __ushort_as_bfloat16(__hisnan(h) ? 0x7FFF : h.__x ^ 0x8000u); }
HEDDLE_H __nv_bfloat16 __habs(__nv_bfloat16 h) { return __ushort_as_bfloat16(__hisnan(h) ? 0x7FFF : h.__x & 0x7FFFu); }
HEDDLE_H __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(__bfloat162float(a) + __bfloat162float(b)); }
HEDDLE_H __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(__bfloat162float(a) - __bfloat162float(b)); }
HEDDLE_H __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(__bfloat162float(a) * __bfloat162float(b)); }
HEDDLE_H __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(__bfloat162float(a) / __bfloat162float(b)); }
// In double, where the product is exact and has room: the sum is a float rounded to odd, and then one of these.
HEDDLE_H __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  const double product = (double)__bfloat162float(a) * __bfloat162float(b), addend = __bfloat162float(c), sum = product + addend;
  const double part = sum - product, error = (product - (sum - part)) + (addend - part);
  const float nearest = (float)sum;
  const double rest = (sum - (double)nearest) + error;
  return __nv_bfloat16(heddle_odd(nearest, !(rest < 0 || rest > 0), rest > 0));
}
HEDDLE_H __nv_bfloat16 heddle_lesser(__nv_bfloat16 a, __nv_bfloat16 b, bool greater, bool keep_nan) {
  if (__hisnan(a) || __hisnan(b)) return keep_nan || (__hisnan(a) && __hisnan(b)) ? __ushort_as_bfloat16(0x7FFF) : __hisnan(a) ? b : a;
  const int x = a.__x & 0x8000u ? ~(int)a.__x & 0x7FFF : 0x8000 | a.__x, y = b.__x & 0x8000u ? ~(int)b.__x & 0x7FFF : 0x8000 | b.__x;
  return (x < y) != greater ? a : b;
}
HEDDLE_H __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return heddle_lesser(a, b, false, false); }
HEDDLE_H __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return heddle_lesser(a, b, true, false); }
HEDDLE_H __nv_bfloat162 __hneg2(__nv_bfloat162 v) { return __nv_bfloat162(__hneg(v.x), __hneg(v.y)); }
HEDDLE_H __nv_bfloat162 __habs2(__nv_bfloat162 v) { return __nv_bfloat162(__habs(v.x), __habs(v.y)); }
#define HEDDLE_BINARY(name2, name) \
  HEDDLE_H __nv_bfloat162 name2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y)); }
HEDDLE_BINARY(__hadd2, __hadd)
HEDDLE_BINARY(__hsub2, __hsub)
HEDDLE_BINARY(__hmul2, __hmul)
HEDDLE_BINARY(__h2div, __hdiv)
HEDDLE_BINARY(__hmin2, __hmin)
HEDDLE_BINARY(__hmax2, __hmax)
#undef HEDDLE_BINARY
HEDDLE_H __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#define HEDDLE_FUNCTION(name, expression) \
  HEDDLE_H __nv_bfloat16 h##name(__nv_bfloat16 h) { const float x = __bfloat162float(h); return __nv_bfloat16(expression); }
HEDDLE_FUNCTION(sqrt, sqrtf(x))
HEDDLE_FUNCTION(rsqrt, (float)(1.0 / sqrt((double)x)))
HEDDLE_FUNCTION(rcp, 1.0f / x)
HEDDLE_FUNCTION(log, logf(x))
HEDDLE_FUNCTION(exp, expf(x))
HEDDLE_FUNCTION(trunc, truncf(x))
HEDDLE_FUNCTION(ceil, ceilf(x))
HEDDLE_FUNCTION(floor, floorf(x))
HEDDLE_FUNCTION(rint, rintf(x))
#undef HEDDLE_FUNCTION

// ---------------------------------------------------------------- comparisons and operators
#define HEDDLE_COMPARE(name, operation)                                                                                          \
  HEDDLE_H bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b) { return __bfloat162float(a) operation __bfloat162float(b); }        \
  HEDDLE_H bool operator operation(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __h##name(a, b); }
HEDDLE_COMPARE(eq, ==)
HEDDLE_COMPARE(le, <=)
HEDDLE_COMPARE(ge, >=)
HEDDLE_COMPARE(lt, <)
HEDDLE_COMPARE(gt, >)
#undef HEDDLE_COMPARE
HEDDLE_H bool __hneu(__nv_bfloat16 a, __nv_bfloat16 b) { return __bfloat162float(a) != __bfloat162float(b); }
HEDDLE_H bool operator!=(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hneu(a, b); }
HEDDLE_H bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) { return !__hisnan(a) && !__hisnan(b) && __hneu(a, b); }
#define HEDDLE_OPERATOR(type, operation, name)                                                             \
  HEDDLE_H type operator operation(const type& a, const type& b) { return name(a, b); }                    \
  HEDDLE_H type& operator operation##=(type& a, const type& b) { return a = name(a, b); }
HEDDLE_OPERATOR(__nv_bfloat16, +, __hadd)
HEDDLE_OPERATOR(__nv_bfloat16, -, __hsub)
HEDDLE_OPERATOR(__nv_bfloat16, *, __hmul)
HEDDLE_OPERATOR(__nv_bfloat16, /, __hdiv)
HEDDLE_OPERATOR(__nv_bfloat162, +, __hadd2)
HEDDLE_OPERATOR(__nv_bfloat162, -, __hsub2)
HEDDLE_OPERATOR(__nv_bfloat162, *, __hmul2)
HEDDLE_OPERATOR(__nv_bfloat162, /, __h2div)
#undef HEDDLE_OPERATOR
HEDDLE_H __nv_bfloat16 operator-(const __nv_bfloat16& a) { return __hneg(a); }
HEDDLE_H __nv_bfloat162 operator-(const __nv_bfloat162& a) { return __hneg2(a); }

// ---------------------------------------------------------------- in kernels: shuffles
#ifdef __CUDA__
template <>
struct heddle_is_half<__nv_bfloat16> : std::true_type {};
template <>
struct heddle_is_half<__nv_bfloat162> : std::true_type {};
#endif
#undef HEDDLE_H
