// SPDX-License-Identifier: Apache-2.0
// Arithmetic of double with a rounding mode: 0 nearest even, 1 to zero, 2 down, 3 up. Linked to programs of heddle-nvcc that call it.
#include <stdint.h>
#include <string.h>

static uint64_t bits_of(double x) { uint64_t bits; memcpy(&bits, &x, sizeof bits); return bits; }
static double of_bits(uint64_t bits) { double x; memcpy(&x, &bits, sizeof x); return x; }
static int is_finite(double x) { return (bits_of(x) >> 52 & 0x7FF) != 0x7FF; }

// |x| = mantissa * 2^exponent, mantissa in [2^52, 2^53); x finite and not zero.
static uint64_t unpack(double x, int* exponent) {
  uint64_t mantissa = bits_of(x) & 0xFFFFFFFFFFFFFull;
  const int biased = (int)(bits_of(x) >> 52 & 0x7FF);
  if (biased != 0) {
    *exponent = biased - 1075;
    return mantissa | 1ull << 52;
  }
  *exponent = -1074;
  for (; mantissa >> 52 == 0; mantissa <<= 1) --*exponent;
  return mantissa;
}

// significand * 2^exponent in a double; bit 63 of the significand is 1, bit 0 also stands for all that is below it.
static double pack(int negative, uint64_t significand, int exponent, int mode) {
  int biased = exponent + 63 + 1023;
  if (biased < 1) {
    const int by = 1 - biased;
    significand = by > 63 ? 1 : significand >> by | ((significand & ((1ull << by) - 1)) != 0);
    biased = 1;
  }
  const unsigned rest = (unsigned)significand & 0x7FF;
  uint64_t mantissa = significand >> 11;
  mantissa += mode == 0 ? rest > 0x400 || (rest == 0x400 && (mantissa & 1)) : rest != 0 && mode == (negative ? 2 : 3);
  uint64_t bits = ((uint64_t)(biased - 1) << 52) + mantissa;
  if (bits >= 0x7FFull << 52) bits = (0x7FFull << 52) - !(mode == 0 || mode == (negative ? 2 : 3));
  return of_bits(bits | (uint64_t)negative << 63);
}

typedef struct { uint64_t high, low; } Wide;

static Wide shifted_left(Wide w, int by) {
  if (by >= 64) return (Wide){w.low << (by - 64), 0};
  return by == 0 ? w : (Wide){w.high << by | w.low >> (64 - by), w.low << by};
}
// Bit 0 of the result also stands for what is lost.
static Wide shifted_right(Wide w, int by) {
  if (by == 0) return w;
  if (by >= 128) return (Wide){0, (w.high | w.low) != 0};
  if (by > 64) return (Wide){0, w.high >> (by - 64) | (w.low != 0 || w.high << (128 - by) != 0)};
  if (by == 64) return (Wide){0, w.high | (w.low != 0)};
  return (Wide){w.high >> by, w.high << (64 - by) | w.low >> by | (w.low << (64 - by) != 0)};
}

double heddle_rounded_fma(double a, double b, double c, int mode) {
  if (!is_finite(a) || !is_finite(b)) return a * b + c;
  if (!is_finite(c)) return c + c;
  const int product_negative = (int)((bits_of(a) ^ bits_of(b)) >> 63), negative = (int)(bits_of(c) >> 63);
  const double zero = product_negative != negative ? (mode == 2 ? -0.0 : 0.0) : product_negative ? -0.0 : 0.0;
  if (a == 0 || b == 0) return c == 0 ? zero : c;
  int ea, eb, ec;
  const uint64_t ma = unpack(a, &ea), mb = unpack(b, &eb);
  const uint64_t low = (ma & 0xFFFFFFFF) * (mb & 0xFFFFFFFF);
  const uint64_t middle = (ma >> 32) * (mb & 0xFFFFFFFF) + (low >> 32), other = (ma & 0xFFFFFFFF) * (mb >> 32) + (middle & 0xFFFFFFFF);
  Wide sum = {(ma >> 32) * (mb >> 32) + (middle >> 32) + (other >> 32), other << 32 | (low & 0xFFFFFFFF)};
  const int by = sum.high >> 41 != 0 ? 21 : 22;  // to bit 126
  sum = shifted_left(sum, by);
  int exponent = ea + eb - by, sum_negative = product_negative;
  if (c != 0) {
    Wide addend = {unpack(c, &ec) << 10, 0};
    ec -= 74;
    if (ec > exponent || (ec == exponent && (addend.high > sum.high || (addend.high == sum.high && addend.low > sum.low)))) {
      const Wide w = sum;
      const int e = exponent;
      sum = addend;
      addend = w;
      exponent = ec;
      ec = e;
      sum_negative = negative;
    }
    addend = shifted_right(addend, exponent - ec);
    if (product_negative != negative) addend = (Wide){~addend.high + (addend.low == 0), 0 - addend.low};
    sum.low += addend.low;
    sum.high += addend.high + (sum.low < addend.low);
    if ((sum.high | sum.low) == 0) return zero;
  }
  for (; sum.high >> 63 == 0; --exponent) sum = shifted_left(sum, 1);
  return pack(sum_negative, sum.high | (sum.low != 0), exponent + 64, mode);
}

double heddle_rounded_div(double a, double b, int mode) {
  if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0) return a / b;
  int ea, eb;
  uint64_t rest = unpack(a, &ea), quotient = 0;
  const uint64_t divisor = unpack(b, &eb);
  if (rest < divisor) {
    rest <<= 1;
    --ea;
  }
  for (int i = 0; i < 64; ++i, rest <<= 1) {
    quotient = quotient << 1 | (rest >= divisor);
    if (rest >= divisor) rest -= divisor;
  }
  return pack((int)((bits_of(a) ^ bits_of(b)) >> 63), quotient | (rest != 0), ea - eb - 63, mode);
}

double heddle_rounded_sqrt(double a, int mode) {
  if (a < 0) return of_bits(0x7FF8ull << 48);
  if (!is_finite(a) || a == 0) return a;
  int exponent;
  uint64_t mantissa = unpack(a, &exponent), root = 0, rest = 0;
  if (exponent & 1) {
    mantissa <<= 1;
    --exponent;
  }
  for (int i = 0; i < 56; ++i) {  // two digits of mantissa * 2^58 for one of the root
    rest = rest << 2 | (i < 27 ? mantissa >> (52 - 2 * i) & 3 : 0);
    const uint64_t trial = root << 2 | 1;
    root = root << 1 | (rest >= trial);
    if (rest >= trial) rest -= trial;
  }
  return pack(0, root << 8 | (rest != 0), (exponent - 58) / 2 - 8, mode);
}
