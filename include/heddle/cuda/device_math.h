// SPDX-License-Identifier: Apache-2.0
// The functions of the C library that kernels have as instructions, or as a few of them; the others come from the device's libm.
// Included where every function is for both sides; on the host the C library has them.
//
// sqrtf, floorf and the like: F instructions, and D's for those of double. sinf, cosf, tanhf, exp2f, log2f: special functions, correctly rounded. expf, logf, log10f,
// tanf: at most 2 ulp. With a branch nowhere.
#pragma once

#ifdef __riscv
extern "C" {
#define HEDDLE_FN inline __attribute__((always_inline))
#define HEDDLE_UNARY(name, instruction) \
  HEDDLE_FN float name(float x) noexcept { float r; __asm__(instruction : "=f"(r) : "f"(x)); return r; }
#define HEDDLE_SPECIAL(name, function) HEDDLE_UNARY(name, ".insn r 0x2b, 0, " #function ", %0, %1, x0")

HEDDLE_UNARY(sqrtf, "fsqrt.s %0, %1")
HEDDLE_FN float fminf(float a, float b) noexcept { float r; __asm__("fmin.s %0, %1, %2" : "=f"(r) : "f"(a), "f"(b)); return r; }
HEDDLE_FN float fmaxf(float a, float b) noexcept { float r; __asm__("fmax.s %0, %1, %2" : "=f"(r) : "f"(a), "f"(b)); return r; }
HEDDLE_FN float fmaf(float a, float b, float c) noexcept { float r; __asm__("fmadd.s %0, %1, %2, %3" : "=f"(r) : "f"(a), "f"(b), "f"(c)); return r; }

HEDDLE_SPECIAL(heddle_rcp, 0)
HEDDLE_SPECIAL(rsqrtf, 1)
HEDDLE_SPECIAL(sinf, 2)
HEDDLE_SPECIAL(cosf, 3)
HEDDLE_SPECIAL(exp2f, 4)
HEDDLE_SPECIAL(log2f, 5)
HEDDLE_SPECIAL(tanhf, 6)
HEDDLE_FN float tanf(float x) noexcept { return sinf(x) / cosf(x); }
HEDDLE_FN void sincosf(float x, float* s, float* c) noexcept { *s = sinf(x); *c = cosf(x); }

HEDDLE_FN float heddle_float(int bits) noexcept { return __builtin_bit_cast(float, bits); }

// `used`: the compiler's own forms of them (std::floor of a float) become calls of these.
// Round to an integral value by a conversion with rounding mode; values of 2^23 and more (2^52), infinities and NaN are integral already.
#define HEDDLE_ROUND(name, type, word, copysign, convert, mode, integral)               \
  HEDDLE_FN __attribute__((used)) type name(type x) noexcept {                          \
    word integer;                                                                       \
    __asm__(convert " %0, %1, " mode : "=r"(integer) : "f"(x));                         \
    const word bits = __builtin_bit_cast(word, x);                                      \
    const word rounded = __builtin_bit_cast(word, copysign((type)integer, x));          \
    const word small = -(word)((unsigned word)bits << 1 < integral);                    \
    return __builtin_bit_cast(type, bits ^ ((bits ^ rounded) & small));                 \
  }
#define HEDDLE_ROUND_FLOAT(name, mode) HEDDLE_ROUND(name, float, int, __builtin_copysignf, "fcvt.w.s", mode, 0x96000000u)
HEDDLE_ROUND_FLOAT(floorf, "rdn")
HEDDLE_ROUND_FLOAT(ceilf, "rup")
HEDDLE_ROUND_FLOAT(truncf, "rtz")
HEDDLE_ROUND_FLOAT(rintf, "rne")
HEDDLE_ROUND_FLOAT(nearbyintf, "rne")
HEDDLE_ROUND_FLOAT(roundf, "rmm")
#undef HEDDLE_ROUND_FLOAT

#if __riscv_xlen == 64
HEDDLE_FN double sqrt(double x) noexcept { double r; __asm__("fsqrt.d %0, %1" : "=f"(r) : "f"(x)); return r; }
HEDDLE_FN double fmin(double a, double b) noexcept { double r; __asm__("fmin.d %0, %1, %2" : "=f"(r) : "f"(a), "f"(b)); return r; }
HEDDLE_FN double fmax(double a, double b) noexcept { double r; __asm__("fmax.d %0, %1, %2" : "=f"(r) : "f"(a), "f"(b)); return r; }
HEDDLE_FN double fma(double a, double b, double c) noexcept { double r; __asm__("fmadd.d %0, %1, %2, %3" : "=f"(r) : "f"(a), "f"(b), "f"(c)); return r; }
// Names of their own: the optimizer knows the C library's and takes them for its own forms once more.
#define HEDDLE_ROUND_DOUBLE(name, mode) HEDDLE_ROUND(heddle_##name, double, long, __builtin_copysign, "fcvt.l.d", mode, 0x8660000000000000u)
HEDDLE_ROUND_DOUBLE(floor, "rdn")
HEDDLE_ROUND_DOUBLE(ceil, "rup")
HEDDLE_ROUND_DOUBLE(trunc, "rtz")
HEDDLE_ROUND_DOUBLE(rint, "rne")
HEDDLE_ROUND_DOUBLE(nearbyint, "rne")
HEDDLE_ROUND_DOUBLE(round, "rmm")
#undef HEDDLE_ROUND_DOUBLE
#endif
#undef HEDDLE_ROUND

// b^x where high + low is the logarithm of b to base 2: the product in two parts, its integral part into the exponent.
HEDDLE_FN float heddle_power(float x, float high, float low) noexcept {
  const float y = x * high;
  const float bounded = fminf(fmaxf(x, -400.0f), 400.0f);
  const float rest = fmaf(bounded, high, -(bounded * high)) + bounded * low;
  long bounded_whole;  // a register's width
  __asm__("fcvt.w.s %0, %1, rne" : "=r"(bounded_whole) : "f"(y));
  __asm__("min %0, %1, %2" : "=r"(bounded_whole) : "r"(bounded_whole), "r"(250l));
  __asm__("max %0, %1, %2" : "=r"(bounded_whole) : "r"(bounded_whole), "r"(-250l));
  const int whole = (int)bounded_whole, half = whole >> 1;
  const float part = exp2f((y - (float)whole) + rest);
  return part * heddle_float((half + 127) << 23) * heddle_float((whole - half + 127) << 23);
}
HEDDLE_FN float expf(float x) noexcept { return heddle_power(x, 1.44269502f, 1.92596304e-8f); }
HEDDLE_FN float exp10f(float x) noexcept { return heddle_power(x, 3.32192802f, 7.05954141e-8f); }
HEDDLE_FN float logf(float x) noexcept { const float l = log2f(x); return fmaf(l, 0.693147182f, l * -1.90465421e-9f); }
HEDDLE_FN float log10f(float x) noexcept { const float l = log2f(x); return fmaf(l, 0.301030010f, l * -1.43209888e-8f); }

// Fast mathematics.
HEDDLE_FN float __sinf(float x) noexcept { return sinf(x); }
HEDDLE_FN float __cosf(float x) noexcept { return cosf(x); }
HEDDLE_FN float __tanf(float x) noexcept { return sinf(x) * heddle_rcp(cosf(x)); }
HEDDLE_FN void __sincosf(float x, float* s, float* c) noexcept { *s = sinf(x); *c = cosf(x); }
HEDDLE_FN float __expf(float x) noexcept { return exp2f(x * 1.44269504f); }
HEDDLE_FN float __exp10f(float x) noexcept { return exp2f(x * 3.32192809f); }
HEDDLE_FN float __logf(float x) noexcept { return log2f(x) * 0.693147181f; }
HEDDLE_FN float __log2f(float x) noexcept { return log2f(x); }
HEDDLE_FN float __log10f(float x) noexcept { return log2f(x) * 0.301029996f; }
HEDDLE_FN float __powf(float x, float y) noexcept { return exp2f(y * log2f(x)); }

#undef HEDDLE_SPECIAL
#undef HEDDLE_UNARY
#undef HEDDLE_FN
}
#else
extern "C" {
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
}
#endif

// Not in the C library.
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline float rsqrt(float x) { return rsqrtf(x); }
static inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
static inline double rcbrt(double x) { return 1.0 / cbrt(x); }
static inline float sinpif(float x) { return (float)sin(3.14159265358979323846 * x); }
static inline float cospif(float x) { return (float)cos(3.14159265358979323846 * x); }
static inline double sinpi(double x) { return sin(3.14159265358979323846 * x); }
static inline double cospi(double x) { return cos(3.14159265358979323846 * x); }
static inline float normcdff(float x) { return 0.5f * erfcf(-0.707106781f * x); }
static inline double normcdf(double x) { return 0.5 * erfc(-0.70710678118654752 * x); }
static inline float fdividef(float a, float b) { return a / b; }
static inline float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
static inline double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
static inline float rhypotf(float a, float b) { return 1.0f / hypotf(a, b); }
static inline double rhypot(double a, double b) { return 1.0 / hypot(a, b); }

// Inverse of erfc: a first value (Abramowitz and Stegun, 26.2.22), then Halley's steps; of erf near zero by steps on erf itself.
static inline double erfcinv(double y) {
  if (!(y >= 0 && y <= 2)) return __builtin_nan("");
  if (y == 0 || y == 2) return y == 0 ? __builtin_huge_val() : -__builtin_huge_val();
  const double tail = y < 1 ? y : 2 - y;
  const double t = sqrt(-2 * log(0.5 * tail));
  double x = 0.70710678118654752 * (t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t)));
  for (int i = 0; i < 3; ++i) {
    const double step = (erfc(x) - tail) / (1.12837916709551257 * exp(-x * x));
    x += step / (1 - x * step);
  }
  return y < 1 ? x : -x;
}
static inline double erfinv(double y) {
  if (!(fabs(y) <= 0.5)) return y < 0 ? -erfcinv(1 + y) : erfcinv(1 - y);
  double x = 0.88622692545275801 * y;
  for (int i = 0; i < 4; ++i) {
    const double step = (erf(x) - y) / (1.12837916709551257 * exp(-x * x));
    x -= step / (1 + x * step);
  }
  return x;
}
static inline double normcdfinv(double y) { return -1.41421356237309505 * erfcinv(2 * y); }
static inline float erfcinvf(float y) { return (float)erfcinv(y); }
static inline float erfinvf(float y) { return (float)erfinv(y); }
static inline float normcdfinvf(float y) { return (float)normcdfinv(y); }
