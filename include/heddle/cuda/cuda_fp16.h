// SPDX-License-Identifier: Apache-2.0
// Half precision (C++): __half and __half2, storage of 16 bits each, on both sides. Arithmetic is that of float, rounded once: the right result
// for + - * / and sqrt, whose operands' bits a float holds twice over; fma gets there by way of a sum rounded to odd. A NaN is 0x7FFF.
#pragma once
#define __CUDA_FP16_H__  // what other headers look for

#include "cuda_runtime.h"
#include <math.h>

#include <type_traits>

#define HEDDLE_H static __inline__ __host__ __device__ __attribute__((always_inline, unused))

// ---------------------------------------------------------------- bits
// All ones where a < b, without a branch in a kernel, where a select may become one.
HEDDLE_H unsigned heddle_below(unsigned a, unsigned b) {
#ifdef __riscv
  unsigned r;
  __asm__("sltu %0, %1, %2" : "=r"(r) : "r"((unsigned long)a), "r"((unsigned long)b));
  return 0u - r;
#else
  return 0u - (unsigned)(a < b);
#endif
}
HEDDLE_H unsigned heddle_bits_of(float x) { return __builtin_bit_cast(unsigned, x); }
HEDDLE_H float heddle_float_of(unsigned bits) { return __builtin_bit_cast(float, bits); }

HEDDLE_H float heddle_half_to_float(unsigned short half) {
  const unsigned magnitude = (half & 0x7FFFu) << 13;  // the exponent in its place, 112 too small
  const unsigned special = ~heddle_below(magnitude, 0x0F800000u) & 0x7F800000u;
  return heddle_float_of(heddle_bits_of(heddle_float_of(magnitude) * 5.19229686e33f) | special | (half & 0x8000u) << 16);
}
// To nearest even.
HEDDLE_H unsigned short heddle_float_to_half(float x) {
  const unsigned bits = heddle_bits_of(x), magnitude = bits & 0x7FFFFFFFu;
  const unsigned large = ~heddle_below(magnitude, 0x47800000u);  // 2^16 and more
  const unsigned small = heddle_below(magnitude, 0x38800000u);   // below the normal numbers: their unit is that of 0.5
  const unsigned subnormal = heddle_bits_of(heddle_float_of(magnitude & small) + 0.5f) - 0x3F000000u;
  const unsigned normal = (magnitude + 0xC8000FFFu + (magnitude >> 13 & 1u)) >> 13;
  const unsigned special = 0x7C00u | (heddle_below(0x7F800000u, magnitude) & 0x03FFu);
  const unsigned nan = heddle_below(0x7F800000u, magnitude);
  return (unsigned short)((normal & ~(small | large)) | (subnormal & small) | (special & large) | (bits >> 16 & 0x8000u & ~nan));
}
// Away from zero if `up`, toward it otherwise.
HEDDLE_H unsigned short heddle_float_to_half_directed(float x, bool up) {
  const unsigned bits = heddle_bits_of(x), magnitude = bits & 0x7FFFFFFFu, sign = bits >> 16 & 0x8000u;
  if (magnitude > 0x7F800000u) return 0x7FFF;
  unsigned half = 0x7BFF;
  bool rest = true;
  if (magnitude == 0x7F800000u) {
    half = 0x7C00;
    rest = false;
  } else if (magnitude < 0x38800000u) {
    half = (unsigned)(heddle_float_of(magnitude) * 16777216.0f);
    rest = (float)half * 5.96046448e-8f != heddle_float_of(magnitude);
  } else if (magnitude < 0x47800000u) {
    half = (magnitude - 0x38000000u) >> 13;
    rest = (magnitude & 0x1FFFu) != 0;
  }
  return (unsigned short)(sign | (half + (rest && up)));
}
// A float next to the exact value x + error (error smaller than half a unit of x), odd unless it is exact: it can be rounded once more.
HEDDLE_H float heddle_odd(float x, bool exact, bool above) {
  const unsigned bits = heddle_bits_of(x);
  const bool away = above == (bits >> 31 == 0);
  return heddle_float_of(exact || (bits & 1u) != 0 ? bits : away ? bits + 1u : bits - 1u);
}
HEDDLE_H float heddle_odd_float(double x) {
  const float nearest = (float)x;
  return heddle_odd(nearest, (double)nearest == x || x != x, x > (double)nearest);
}

// ---------------------------------------------------------------- types
struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };

struct __attribute__((aligned(2))) __half {
  unsigned short __x;

  __half() = default;
  __host__ __device__ __half(const __half_raw& raw) : __x(raw.x) {}
  __host__ __device__ __half(float x) : __x(heddle_float_to_half(x)) {}
  __host__ __device__ __half(double x) : __x(heddle_float_to_half(heddle_odd_float(x))) {}
  template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
  __host__ __device__ __half(T x) : __x(heddle_float_to_half(heddle_whole(x))) {}
  __host__ __device__ operator __half_raw() const { return __half_raw{__x}; }
  __host__ __device__ operator float() const { return heddle_half_to_float(__x); }
  __host__ __device__ __half& operator=(const __half_raw& raw) { __x = raw.x; return *this; }
  __host__ __device__ __half& operator=(float x) { return *this = __half(x); }
  __host__ __device__ __half& operator=(double x) { return *this = __half(x); }
  template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
  __host__ __device__ __half& operator=(T x) { return *this = __half(x); }
  template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
  __host__ __device__ operator T() const {
    if constexpr (std::is_same<T, bool>::value) return (__x & 0x7FFF) != 0;
    else return heddle_integer<T>(truncf(heddle_half_to_float(__x)));
  }

  // An integer in a float: as it is, or so large that every half of it is infinite all the same.
  template <class T>
  static __host__ __device__ float heddle_whole(T x) {
    constexpr long long limit = sizeof(T) > 2 ? 1 << 20 : 65535;
    return (float)(std::is_signed<T>::value && (long long)x < -limit ? -limit : x > 0 && (unsigned long long)x > (unsigned long long)limit ? limit : (long long)x);
  }
  // The nearest integer of the type; NaN is 0, or the sign bit alone of 64 bits.
  template <class T>
  static __host__ __device__ T heddle_integer(float x) {
    typedef typename std::make_unsigned<T>::type U;
    constexpr U top = (U)((U)1 << (8 * sizeof(T) - 1));
    constexpr T least = std::is_signed<T>::value ? (T)top : T(0);
    constexpr T most = std::is_signed<T>::value ? (T)(top - 1) : (T)~U(0);
    if (x != x) return sizeof(T) == 8 ? (T)top : T(0);
    return x >= (float)most ? most : x <= (float)least ? least : (T)x;
  }
};
struct __attribute__((aligned(4))) __half2 {
  __half x, y;

  __half2() = default;
  __host__ __device__ __half2(const __half& a, const __half& b) : x(a), y(b) {}
  __host__ __device__ __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  __host__ __device__ __half2& operator=(const __half2_raw& raw) { return *this = __half2(raw); }
  __host__ __device__ operator __half2_raw() const { return __half2_raw{x.__x, y.__x}; }
};
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

// ---------------------------------------------------------------- conversions
HEDDLE_H __half __ushort_as_half(unsigned short x) { return __half(__half_raw{x}); }
HEDDLE_H __half __short_as_half(short x) { return __half(__half_raw{(unsigned short)x}); }
HEDDLE_H unsigned short __half_as_ushort(__half h) { return h.__x; }
HEDDLE_H short __half_as_short(__half h) { return (short)h.__x; }
HEDDLE_H float __half2float(__half h) { return heddle_half_to_float(h.__x); }
HEDDLE_H __half __double2half(double x) { return __half(x); }
HEDDLE_H __half __float2half(float x) { return __half(x); }
HEDDLE_H __half __float2half_rn(float x) { return __half(x); }
HEDDLE_H __half __float2half_rz(float x) { return __ushort_as_half(heddle_float_to_half_directed(x, false)); }
HEDDLE_H __half __float2half_rd(float x) { return __ushort_as_half(heddle_float_to_half_directed(x, heddle_bits_of(x) >> 31 != 0)); }
HEDDLE_H __half __float2half_ru(float x) { return __ushort_as_half(heddle_float_to_half_directed(x, heddle_bits_of(x) >> 31 == 0)); }
#define HEDDLE_HALF_INTEGER(name, type)                                                                                   \
  HEDDLE_H type __half2##name##_rn(__half h) { return __half::heddle_integer<type>(rintf(__half2float(h))); }             \
  HEDDLE_H type __half2##name##_rz(__half h) { return __half::heddle_integer<type>(truncf(__half2float(h))); }            \
  HEDDLE_H type __half2##name##_rd(__half h) { return __half::heddle_integer<type>(floorf(__half2float(h))); }            \
  HEDDLE_H type __half2##name##_ru(__half h) { return __half::heddle_integer<type>(ceilf(__half2float(h))); }             \
  HEDDLE_H __half __##name##2half_rn(type x) { return __half(x); }                                                        \
  HEDDLE_H __half __##name##2half_rz(type x) { return __float2half_rz(__half::heddle_whole(x)); }                         \
  HEDDLE_H __half __##name##2half_rd(type x) { return __float2half_rd(__half::heddle_whole(x)); }                         \
  HEDDLE_H __half __##name##2half_ru(type x) { return __float2half_ru(__half::heddle_whole(x)); }
HEDDLE_HALF_INTEGER(int, int)
HEDDLE_HALF_INTEGER(uint, unsigned int)
HEDDLE_HALF_INTEGER(short, short)
HEDDLE_HALF_INTEGER(ushort, unsigned short)
HEDDLE_HALF_INTEGER(ll, long long)
HEDDLE_HALF_INTEGER(ull, unsigned long long)
#undef HEDDLE_HALF_INTEGER
HEDDLE_H signed char __half2char_rz(__half h) { return __half::heddle_integer<signed char>(truncf(__half2float(h))); }
HEDDLE_H unsigned char __half2uchar_rz(__half h) { return __half::heddle_integer<unsigned char>(truncf(__half2float(h))); }

HEDDLE_H __half2 make_half2(__half x, __half y) { return __half2(x, y); }
HEDDLE_H __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
HEDDLE_H __half2 __half2half2(__half h) { return __half2(h, h); }
HEDDLE_H __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
HEDDLE_H __half2 __float2half2_rn(float x) { return __half2half2(__half(x)); }
HEDDLE_H __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
HEDDLE_H float2 __half22float2(__half2 v) { return make_float2(__half2float(v.x), __half2float(v.y)); }
HEDDLE_H float __low2float(__half2 v) { return __half2float(v.x); }
HEDDLE_H float __high2float(__half2 v) { return __half2float(v.y); }
HEDDLE_H __half __low2half(__half2 v) { return v.x; }
HEDDLE_H __half __high2half(__half2 v) { return v.y; }
HEDDLE_H __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
HEDDLE_H __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
HEDDLE_H __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
HEDDLE_H __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
HEDDLE_H __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }

// ---------------------------------------------------------------- arithmetic; of __half2 on each half
HEDDLE_H bool __hisnan(__half h) { return (h.__x & 0x7FFFu) > 0x7C00u; }
HEDDLE_H int __hisinf(__half h) { return h.__x == 0x7C00u ? 1 : h.__x == 0xFC00u ? -1 : 0; }
HEDDLE_H __half __hneg(__half h) { return __ushort_as_half(__hisnan(h) ? 0x7FFF : h.__x ^ 0x8000u); }
HEDDLE_H __half __habs(__half h) { return __ushort_as_half(__hisnan(h) ? 0x7FFF : h.__x & 0x7FFFu); }
HEDDLE_H __half __hadd(__half a, __half b) { return __half(__half2float(a) + __half2float(b)); }
HEDDLE_H __half __hsub(__half a, __half b) { return __half(__half2float(a) - __half2float(b)); }
HEDDLE_H __half __hmul(__half a, __half b) { return __half(__half2float(a) * __half2float(b)); }
HEDDLE_H __half __hdiv(__half a, __half b) { return __half(__half2float(a) / __half2float(b)); }
HEDDLE_H __half __hadd_rn(__half a, __half b) { return __hadd(a, b); }
HEDDLE_H __half __hsub_rn(__half a, __half b) { return __hsub(a, b); }
HEDDLE_H __half __hmul_rn(__half a, __half b) { return __hmul(a, b); }
HEDDLE_H __half __hfma(__half a, __half b, __half c) {
  const float product = __half2float(a) * __half2float(b), addend = __half2float(c), sum = product + addend;  // the product is exact
  const float part = sum - product, error = (product - (sum - part)) + (addend - part);
  return __half(heddle_odd(sum, !(error < 0 || error > 0), error > 0));
}
// Within 0..1, NaN as 0; not below 0, NaN as it is.
HEDDLE_H __half heddle_saturated(__half h) { return __half2float(h) > 0 ? __half2float(h) < 1 ? h : __half(1.0f) : __half(0.0f); }
HEDDLE_H __half heddle_relu(__half h) { return __half2float(h) <= 0 ? __half(0.0f) : h; }
HEDDLE_H __half __hadd_sat(__half a, __half b) { return heddle_saturated(__hadd(a, b)); }
HEDDLE_H __half __hsub_sat(__half a, __half b) { return heddle_saturated(__hsub(a, b)); }
HEDDLE_H __half __hmul_sat(__half a, __half b) { return heddle_saturated(__hmul(a, b)); }
HEDDLE_H __half __hfma_sat(__half a, __half b, __half c) { return heddle_saturated(__hfma(a, b, c)); }
HEDDLE_H __half __hfma_relu(__half a, __half b, __half c) { return heddle_relu(__hfma(a, b, c)); }
// -0 is less than +0; a NaN gives the other one, or in the second form itself.
HEDDLE_H __half heddle_lesser(__half a, __half b, bool greater, bool keep_nan) {
  if (__hisnan(a) || __hisnan(b)) return keep_nan || (__hisnan(a) && __hisnan(b)) ? __ushort_as_half(0x7FFF) : __hisnan(a) ? b : a;
  const int x = a.__x & 0x8000u ? ~(int)a.__x & 0x7FFF : 0x8000 | a.__x, y = b.__x & 0x8000u ? ~(int)b.__x & 0x7FFF : 0x8000 | b.__x;
  return (x < y) != greater ? a : b;
}
HEDDLE_H __half __hmin(__half a, __half b) { return heddle_lesser(a, b, false, false); }
HEDDLE_H __half __hmax(__half a, __half b) { return heddle_lesser(a, b, true, false); }
HEDDLE_H __half __hmin_nan(__half a, __half b) { return heddle_lesser(a, b, false, true); }
HEDDLE_H __half __hmax_nan(__half a, __half b) { return heddle_lesser(a, b, true, true); }

#define HEDDLE_UNARY(name2, name) HEDDLE_H __half2 name2(__half2 v) { return __half2(name(v.x), name(v.y)); }
#define HEDDLE_BINARY(name2, name) HEDDLE_H __half2 name2(__half2 a, __half2 b) { return __half2(name(a.x, b.x), name(a.y, b.y)); }
#define HEDDLE_TERNARY(name2, name) HEDDLE_H __half2 name2(__half2 a, __half2 b, __half2 c) { return __half2(name(a.x, b.x, c.x), name(a.y, b.y, c.y)); }
HEDDLE_UNARY(__hneg2, __hneg)
HEDDLE_UNARY(__habs2, __habs)
HEDDLE_BINARY(__hadd2, __hadd)
HEDDLE_BINARY(__hsub2, __hsub)
HEDDLE_BINARY(__hmul2, __hmul)
HEDDLE_BINARY(__h2div, __hdiv)
HEDDLE_BINARY(__hadd2_rn, __hadd)
HEDDLE_BINARY(__hsub2_rn, __hsub)
HEDDLE_BINARY(__hmul2_rn, __hmul)
HEDDLE_BINARY(__hadd2_sat, __hadd_sat)
HEDDLE_BINARY(__hsub2_sat, __hsub_sat)
HEDDLE_BINARY(__hmul2_sat, __hmul_sat)
HEDDLE_BINARY(__hmin2, __hmin)
HEDDLE_BINARY(__hmax2, __hmax)
HEDDLE_BINARY(__hmin2_nan, __hmin_nan)
HEDDLE_BINARY(__hmax2_nan, __hmax_nan)
HEDDLE_TERNARY(__hfma2, __hfma)
HEDDLE_TERNARY(__hfma2_sat, __hfma_sat)
HEDDLE_TERNARY(__hfma2_relu, __hfma_relu)
// (a.x + i a.y) * (b.x + i b.y) + (c.x + i c.y)
HEDDLE_H __half2 __hcmadd(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

// ---------------------------------------------------------------- comparisons: of a pair 1 and 0, both halves at once, or masks
#define HEDDLE_COMPARE(name, operation)                                                                                                      \
  HEDDLE_H bool __h##name(__half a, __half b) { return __half2float(a) operation __half2float(b); }                                          \
  HEDDLE_H bool __h##name##u(__half a, __half b) { return __hisnan(a) || __hisnan(b) || __h##name(a, b); }                                   \
  HEDDLE_PAIR(name, __h##name)                                                                                                               \
  HEDDLE_PAIR(name##u, __h##name##u)
#define HEDDLE_PAIR(name, of)                                                                                                                \
  HEDDLE_H __half2 __h##name##2(__half2 a, __half2 b) { return __half2(__half((float)of(a.x, b.x)), __half((float)of(a.y, b.y))); }          \
  HEDDLE_H bool __hb##name##2(__half2 a, __half2 b) { return of(a.x, b.x) && of(a.y, b.y); }                                                 \
  HEDDLE_H unsigned __h##name##2_mask(__half2 a, __half2 b) { return (of(a.x, b.x) ? 0xFFFFu : 0u) | (of(a.y, b.y) ? 0xFFFF0000u : 0u); }
HEDDLE_COMPARE(eq, ==)
HEDDLE_COMPARE(le, <=)
HEDDLE_COMPARE(ge, >=)
HEDDLE_COMPARE(lt, <)
HEDDLE_COMPARE(gt, >)
HEDDLE_H bool __hne(__half a, __half b) { return !__hisnan(a) && !__hisnan(b) && __half2float(a) != __half2float(b); }
HEDDLE_H bool __hneu(__half a, __half b) { return __half2float(a) != __half2float(b); }
HEDDLE_PAIR(ne, __hne)
HEDDLE_PAIR(neu, __hneu)
#undef HEDDLE_COMPARE
#undef HEDDLE_PAIR
HEDDLE_H __half2 __hisnan2(__half2 v) { return __half2(__half((float)__hisnan(v.x)), __half((float)__hisnan(v.y))); }

// ---------------------------------------------------------------- functions
#define HEDDLE_FUNCTION(name, expression)                                                \
  HEDDLE_H __half h##name(__half h) { const float x = __half2float(h); return __half(expression); } \
  HEDDLE_UNARY(h2##name, h##name)
HEDDLE_FUNCTION(sqrt, sqrtf(x))
HEDDLE_FUNCTION(rsqrt, (float)(1.0 / sqrt((double)x)))
HEDDLE_FUNCTION(rcp, 1.0f / x)
HEDDLE_FUNCTION(log, logf(x))
HEDDLE_FUNCTION(log2, log2f(x))
HEDDLE_FUNCTION(log10, log10f(x))
HEDDLE_FUNCTION(exp, expf(x))
HEDDLE_FUNCTION(exp2, exp2f(x))
HEDDLE_FUNCTION(exp10, exp10f(x))
HEDDLE_FUNCTION(cos, cosf(x))
HEDDLE_FUNCTION(sin, sinf(x))
HEDDLE_FUNCTION(tanh, tanhf(x))
HEDDLE_FUNCTION(tanh_approx, tanhf(x))
HEDDLE_FUNCTION(trunc, truncf(x))
HEDDLE_FUNCTION(ceil, ceilf(x))
HEDDLE_FUNCTION(floor, floorf(x))
HEDDLE_FUNCTION(rint, rintf(x))
#undef HEDDLE_FUNCTION
#undef HEDDLE_UNARY
#undef HEDDLE_BINARY
#undef HEDDLE_TERNARY

// ---------------------------------------------------------------- operators
#ifndef __CUDA_NO_HALF_OPERATORS__
#define HEDDLE_OPERATOR(type, operation, name)                                                             \
  HEDDLE_H type operator operation(const type& a, const type& b) { return name(a, b); }                    \
  HEDDLE_H type& operator operation##=(type& a, const type& b) { return a = name(a, b); }
#define HEDDLE_OPERATORS(type, sum, difference, product, quotient, negative, one)                          \
  HEDDLE_OPERATOR(type, +, sum)                                                                            \
  HEDDLE_OPERATOR(type, -, difference)                                                                     \
  HEDDLE_OPERATOR(type, *, product)                                                                        \
  HEDDLE_OPERATOR(type, /, quotient)                                                                       \
  HEDDLE_H type operator+(const type& a) { return a; }                                                     \
  HEDDLE_H type operator-(const type& a) { return negative(a); }                                           \
  HEDDLE_H type& operator++(type& a) { return a = sum(a, one); }                                           \
  HEDDLE_H type& operator--(type& a) { return a = difference(a, one); }                                    \
  HEDDLE_H type operator++(type& a, int) { const type old = a; ++a; return old; }                          \
  HEDDLE_H type operator--(type& a, int) { const type old = a; --a; return old; }
HEDDLE_OPERATORS(__half, __hadd, __hsub, __hmul, __hdiv, __hneg, __half(1.0f))
HEDDLE_OPERATORS(__half2, __hadd2, __hsub2, __hmul2, __h2div, __hneg2, __float2half2_rn(1.0f))
#undef HEDDLE_OPERATORS
#undef HEDDLE_OPERATOR
#define HEDDLE_COMPARISON(operation, name, name2)                                                          \
  HEDDLE_H bool operator operation(const __half& a, const __half& b) { return name(a, b); }                \
  HEDDLE_H bool operator operation(const __half2& a, const __half2& b) { return name2(a, b); }
HEDDLE_COMPARISON(==, __heq, __hbeq2)
HEDDLE_COMPARISON(!=, __hneu, __hbneu2)
HEDDLE_COMPARISON(<=, __hle, __hble2)
HEDDLE_COMPARISON(>=, __hge, __hbge2)
HEDDLE_COMPARISON(<, __hlt, __hblt2)
HEDDLE_COMPARISON(>, __hgt, __hbgt2)
#undef HEDDLE_COMPARISON
#endif

// ---------------------------------------------------------------- in kernels: shuffles and atomic addition
#ifdef __CUDA__
template <>
struct heddle_is_half<__half> : std::true_type {};
template <>
struct heddle_is_half<__half2> : std::true_type {};
#ifdef __riscv
#define HEDDLE_BODY(...) __VA_ARGS__
#else
#define HEDDLE_BODY(...) ;
#endif
static __device__ inline __half2 atomicAdd(__half2* p, __half2 value) HEDDLE_BODY({
  unsigned seen = *(volatile unsigned*)p, expected;
  do {
    expected = seen;
    seen = atomicCAS((unsigned*)p, expected, __builtin_bit_cast(unsigned, __hadd2(__builtin_bit_cast(__half2, expected), value)));
  } while (seen != expected);
  return __builtin_bit_cast(__half2, seen);
})
static __device__ inline __half atomicAdd(__half* p, __half value) HEDDLE_BODY({
  unsigned* const word = (unsigned*)((unsigned long)p & ~3ul);
  const unsigned shift = 8 * ((unsigned long)p & 2u);
  unsigned seen = *(volatile unsigned*)word, expected;
  do {
    expected = seen;
    const unsigned sum = __hadd(__ushort_as_half((unsigned short)(expected >> shift)), value).__x;
    seen = atomicCAS(word, expected, (expected & ~(0xFFFFu << shift)) | sum << shift);
  } while (seen != expected);
  return __ushort_as_half((unsigned short)(seen >> shift));
})
#undef HEDDLE_BODY
#endif

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#undef HEDDLE_H
