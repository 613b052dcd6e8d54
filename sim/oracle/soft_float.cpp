// SPDX-License-Identifier: Apache-2.0
#include "oracle/soft_float.h"

#include <cmath>
#include <cstring>

namespace heddle::soft_float {
namespace {

constexpr std::uint8_t kInexact = 1, kUnderflow = 2, kOverflow = 4, kDivideByZero = 8, kInvalid = 16;
constexpr std::uint32_t kSign = 1u << 31;
constexpr std::uint32_t kExponentMask = 0xFFu << 23;
constexpr std::uint32_t kFractionMask = (1u << 23) - 1;
constexpr std::uint32_t kQuietBit = 1u << 22;
constexpr std::uint32_t kNan = kExponentMask | kQuietBit;
constexpr int kLowestExponent = -149;  // of the unit of subnormal numbers

bool negative(std::uint32_t a) { return (a & kSign) != 0; }
bool nan(std::uint32_t a) { return (a & kExponentMask) == kExponentMask && (a & kFractionMask) != 0; }
bool signaling(std::uint32_t a) { return nan(a) && (a & kQuietBit) == 0; }
bool infinite(std::uint32_t a) { return (a & ~kSign) == kExponentMask; }
bool zero(std::uint32_t a) { return (a & ~kSign) == 0; }
std::uint32_t signed_zero(bool minus) { return minus ? kSign : 0; }
std::uint32_t signed_infinity(bool minus) { return (minus ? kSign : 0) | kExponentMask; }

std::uint32_t invalid(std::uint8_t& flags) {
  flags |= kInvalid;
  return kNan;
}
// An operand is a NaN.
std::uint32_t propagate(bool any_signaling, std::uint8_t& flags) {
  if (any_signaling) flags |= kInvalid;
  return kNan;
}

// A finite number: significand * 2^exponent.
struct Number {
  bool minus;
  int exponent;
  std::uint64_t significand;
};

Number unpack(std::uint32_t a) {
  const int biased = static_cast<int>((a & kExponentMask) >> 23);
  if (biased == 0) return {negative(a), kLowestExponent, a & kFractionMask};
  return {negative(a), biased - 150, (a & kFractionMask) | (1u << 23)};
}

// Moves the leading one of a nonzero significand to bit `bit`; the bit is not below the leading one.
void normalise(Number& n, int bit) {
  const int up = bit - (63 - __builtin_clzll(n.significand));
  n.significand <<= up;
  n.exponent -= up;
}

// A significand without its `width` lowest bits, and what they were: at least half of a unit of the rest, and anything
// else. `sticky`: there is something below the significand's own unit. Negative widths append zeros.
struct Cut {
  std::uint64_t kept;
  bool half;
  bool rest;
};

Cut cut(std::uint64_t significand, int width, bool sticky) {
  if (width <= 0) return {significand << -width, false, sticky};
  if (width >= 64)
    return {0, width == 64 && significand >> 63 != 0, sticky || (width == 64 ? significand << 1 : significand) != 0};
  const std::uint64_t discarded = significand << (64 - width);
  return {significand >> width, discarded >> 63 != 0, discarded << 1 != 0 || sticky};
}

// Written without branches on the operands: they would be mispredicted half of the time.
std::uint64_t round(const Cut& c, bool minus, Rounding rounding) {
  const bool odd = (c.kept & 1) != 0;
  bool up = false;
  switch (rounding) {
    case Rounding::kNearestEven: up = c.half & (c.rest | odd); break;
    case Rounding::kNearestAway: up = c.half; break;
    case Rounding::kTowardZero: break;
    case Rounding::kDown: up = (c.half | c.rest) & (minus ? 1 : 0); break;
    case Rounding::kUp: up = (c.half | c.rest) & (minus ? 0 : 1); break;
  }
  return c.kept + static_cast<std::uint64_t>(up);
}

// Single nearest to the nonzero number n (plus a magnitude smaller than its unit if sticky; then it has more than 25
// bits).
std::uint32_t pack(const Number& n, bool sticky, Rounding rounding, std::uint8_t& flags) {
  const int leading = 63 - __builtin_clzll(n.significand);
  const int top = n.exponent + leading;
  const int unit = top - 23 > kLowestExponent ? top - 23 : kLowestExponent;
  const int width = unit - n.exponent;
  const Cut c = cut(n.significand, width, sticky);
  const std::uint64_t rounded = round(c, n.minus, rounding);
  if (c.half | c.rest) {
    flags |= kInexact;
    // Tiny: below 2^-126 also when rounded to 24 bits without a limit to the exponent.
    if (top < -127 || (top == -127 && round(cut(n.significand, width - 1, sticky), n.minus, rounding) < (1u << 24)))
      flags |= kUnderflow;
  }
  const std::uint64_t magnitude =
      (static_cast<std::uint64_t>(unit - kLowestExponent) << 23) + rounded;  // a carry moves into the exponent
  if (magnitude >= kExponentMask) {
    flags |= kOverflow | kInexact;
    const bool to_infinity = rounding == Rounding::kNearestEven || rounding == Rounding::kNearestAway ||
                             rounding == (n.minus ? Rounding::kDown : Rounding::kUp);
    return (n.minus ? kSign : 0) | (to_infinity ? kExponentMask : kExponentMask - 1);
  }
  return (n.minus ? kSign : 0) | static_cast<std::uint32_t>(magnitude);
}

// x + y exactly, rounded once; significands below 2^48 and, unless 0, normalised by the caller to bits 47 (x) and 47
// (y).
std::uint32_t sum(const Number& x, const Number& y, Rounding rounding, std::uint8_t& flags) {
  const bool x_larger = x.exponent > y.exponent || (x.exponent == y.exponent && x.significand >= y.significand);
  constexpr int kGuard = 14;  // bit 47 moves to bit 61: the sum stays below 2^63
  const std::uint64_t high = (x_larger ? x.significand : y.significand) << kGuard;
  const std::uint64_t low = (x_larger ? y.significand : x.significand) << kGuard;
  const bool minus = x_larger ? x.minus : y.minus;
  const int exponent = (x_larger ? x.exponent : y.exponent) - kGuard;
  const int apart = x.exponent > y.exponent ? x.exponent - y.exponent : y.exponent - x.exponent;
  const int distance = apart < 63 ? apart : 63;  // low is below 2^62: nothing of it is left beyond
  const bool sticky = (low & ((std::uint64_t{1} << distance) - 1)) != 0;
  const std::uint64_t aligned = low >> distance;
  const bool subtract = x.minus != y.minus;
  const std::uint64_t significand = subtract ? high - aligned - static_cast<std::uint64_t>(sticky) : high + aligned;
  if (significand == 0) return signed_zero(rounding == Rounding::kDown);
  return pack({minus, exponent, significand}, sticky, rounding, flags);
}

std::uint32_t sum_of_zeros(bool minus_x, bool minus_y, Rounding rounding) {
  return signed_zero(minus_x == minus_y ? minus_x : rounding == Rounding::kDown);
}

// Integer value of a in a mode: false if out of [low, high].
bool whole(std::uint32_t a, Rounding rounding, std::int64_t low, std::int64_t high, std::int64_t& value,
           std::uint8_t& flags) {
  if (zero(a)) {
    value = 0;
    return true;
  }
  const Number n = unpack(a);
  if (n.exponent > 16) return false;  // at least 2^40: normal numbers have bit 23 set
  const Cut c = cut(n.significand, -n.exponent, false);
  const auto size = static_cast<std::int64_t>(round(c, n.minus, rounding));
  value = n.minus ? -size : size;
  if (value < low || value > high) return false;
  if (c.half | c.rest) flags |= kInexact;
  return true;
}

std::uint32_t to_integer(std::uint32_t a, Rounding rounding, std::int64_t low, std::int64_t high, std::uint8_t& flags) {
  std::int64_t value = 0;
  if (!nan(a) && !infinite(a) && whole(a, rounding, low, high, value, flags)) return static_cast<std::uint32_t>(value);
  flags |= kInvalid;
  return static_cast<std::uint32_t>(!nan(a) && negative(a) ? low : high);
}

float host(std::uint32_t a) {
  float value;
  std::memcpy(&value, &a, sizeof value);
  return value;
}

}  // namespace

std::uint32_t add(std::uint32_t a, std::uint32_t b, Rounding rounding, std::uint8_t& flags) {
  if (nan(a) || nan(b)) return propagate(signaling(a) || signaling(b), flags);
  if (infinite(a)) return infinite(b) && negative(a) != negative(b) ? invalid(flags) : a;
  if (infinite(b)) return b;
  if (zero(a)) return zero(b) ? sum_of_zeros(negative(a), negative(b), rounding) : b;
  if (zero(b)) return a;
  Number x = unpack(a), y = unpack(b);
  normalise(x, 47);
  normalise(y, 47);
  return sum(x, y, rounding, flags);
}

std::uint32_t multiply(std::uint32_t a, std::uint32_t b, Rounding rounding, std::uint8_t& flags) {
  if (nan(a) || nan(b)) return propagate(signaling(a) || signaling(b), flags);
  const bool minus = negative(a) != negative(b);
  if (infinite(a) || infinite(b)) return zero(a) || zero(b) ? invalid(flags) : signed_infinity(minus);
  if (zero(a) || zero(b)) return signed_zero(minus);
  const Number x = unpack(a), y = unpack(b);
  return pack({minus, x.exponent + y.exponent, x.significand * y.significand}, false, rounding, flags);
}

std::uint32_t multiply_add(std::uint32_t a, std::uint32_t b, std::uint32_t c, Rounding rounding, std::uint8_t& flags) {
  const bool no_product = (infinite(a) && zero(b)) || (zero(a) && infinite(b));
  if (no_product) return invalid(flags);
  if (nan(a) || nan(b) || nan(c)) return propagate(signaling(a) || signaling(b) || signaling(c), flags);
  const bool minus = negative(a) != negative(b);
  if (infinite(a) || infinite(b)) return infinite(c) && negative(c) != minus ? invalid(flags) : signed_infinity(minus);
  if (infinite(c)) return c;
  if (zero(a) || zero(b)) return zero(c) ? sum_of_zeros(minus, negative(c), rounding) : c;
  const Number x = unpack(a), y = unpack(b);
  Number product{minus, x.exponent + y.exponent, x.significand * y.significand};
  if (zero(c)) return pack(product, false, rounding, flags);
  Number addend = unpack(c);
  normalise(product, 47);
  normalise(addend, 47);
  return sum(product, addend, rounding, flags);
}

std::uint32_t divide(std::uint32_t a, std::uint32_t b, Rounding rounding, std::uint8_t& flags) {
  if (nan(a) || nan(b)) return propagate(signaling(a) || signaling(b), flags);
  const bool minus = negative(a) != negative(b);
  if (infinite(a)) return infinite(b) ? invalid(flags) : signed_infinity(minus);
  if (infinite(b)) return signed_zero(minus);
  if (zero(b)) {
    if (zero(a)) return invalid(flags);
    flags |= kDivideByZero;
    return signed_infinity(minus);
  }
  if (zero(a)) return signed_zero(minus);
  Number x = unpack(a), y = unpack(b);
  normalise(x, 60);
  normalise(y, 23);
  return pack({minus, x.exponent - y.exponent, x.significand / y.significand}, x.significand % y.significand != 0,
              rounding, flags);
}

std::uint32_t square_root(std::uint32_t a, Rounding rounding, std::uint8_t& flags) {
  if (nan(a)) return propagate(signaling(a), flags);
  if (zero(a)) return a;
  if (negative(a)) return invalid(flags);
  if (infinite(a)) return a;
  Number x = unpack(a);
  normalise(x, 60);
  if ((x.exponent & 1) != 0) {
    x.significand <<= 1;
    x.exponent -= 1;
  }
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(x.significand)));
  while (root * root > x.significand) --root;
  while ((root + 1) * (root + 1) <= x.significand) ++root;
  return pack({false, x.exponent / 2, root}, root * root != x.significand, rounding, flags);
}

std::uint32_t minimum(std::uint32_t a, std::uint32_t b, std::uint8_t& flags) {
  if (signaling(a) || signaling(b)) flags |= kInvalid;
  if (nan(a)) return nan(b) ? kNan : b;
  if (nan(b)) return a;
  if (zero(a) && zero(b)) return a | b;
  return host(a) < host(b) ? a : b;
}

std::uint32_t maximum(std::uint32_t a, std::uint32_t b, std::uint8_t& flags) {
  if (signaling(a) || signaling(b)) flags |= kInvalid;
  if (nan(a)) return nan(b) ? kNan : b;
  if (nan(b)) return a;
  if (zero(a) && zero(b)) return a & b;
  return host(a) > host(b) ? a : b;
}

std::uint32_t equal(std::uint32_t a, std::uint32_t b, std::uint8_t& flags) {
  if (signaling(a) || signaling(b)) flags |= kInvalid;
  return !nan(a) && !nan(b) && host(a) == host(b);
}

std::uint32_t less(std::uint32_t a, std::uint32_t b, std::uint8_t& flags) {
  if (nan(a) || nan(b)) {
    flags |= kInvalid;
    return 0;
  }
  return host(a) < host(b);
}

std::uint32_t less_or_equal(std::uint32_t a, std::uint32_t b, std::uint8_t& flags) {
  if (nan(a) || nan(b)) {
    flags |= kInvalid;
    return 0;
  }
  return host(a) <= host(b);
}

std::uint32_t classify(std::uint32_t a) {
  if (nan(a)) return signaling(a) ? 1u << 8 : 1u << 9;
  const bool minus = negative(a);
  if (infinite(a)) return minus ? 1u << 0 : 1u << 7;
  if (zero(a)) return minus ? 1u << 3 : 1u << 4;
  if ((a & kExponentMask) == 0) return minus ? 1u << 2 : 1u << 5;
  return minus ? 1u << 1 : 1u << 6;
}

std::uint32_t to_int32(std::uint32_t a, Rounding rounding, std::uint8_t& flags) {
  return to_integer(a, rounding, INT32_MIN, INT32_MAX, flags);
}
std::uint32_t to_uint32(std::uint32_t a, Rounding rounding, std::uint8_t& flags) {
  return to_integer(a, rounding, 0, UINT32_MAX, flags);
}

std::uint32_t from_int32(std::uint32_t a, Rounding rounding, std::uint8_t& flags) {
  if (a == 0) return 0;
  const bool minus = negative(a);
  return pack({minus, 0, minus ? ~a + 1u : a}, false, rounding, flags);
}

std::uint32_t from_uint32(std::uint32_t a, Rounding rounding, std::uint8_t& flags) {
  return a == 0 ? 0 : pack({false, 0, a}, false, rounding, flags);
}

}  // namespace heddle::soft_float
