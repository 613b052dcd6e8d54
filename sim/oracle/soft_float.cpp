// SPDX-License-Identifier: Apache-2.0
#include "oracle/soft_float.h"

#include <cmath>
#include <cstring>

namespace heddle::soft_float {
namespace {

constexpr std::uint8_t kInexact = 1, kUnderflow = 2, kOverflow = 4, kDivideByZero = 8, kInvalid = 16;
template <typename Bits>
struct Format;
template <>
struct Format<std::uint32_t> {
  static constexpr int kFraction = 23;  // bits
  static constexpr int kLowest = -149;  // exponent of the unit of subnormal numbers
  using Significand = std::uint64_t;    // holds a product
  using Estimate = double;              // of a root
  using Host = float;
};
template <>
struct Format<std::uint64_t> {
  static constexpr int kFraction = 52;
  static constexpr int kLowest = -1074;
  __extension__ using Significand = unsigned __int128;
  using Estimate = long double;
  using Host = double;
};
template <typename Bits>
constexpr int kFraction = Format<Bits>::kFraction;
template <typename Bits>
constexpr int kLowest = Format<Bits>::kLowest;
template <typename Bits>
constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
template <typename Bits>
constexpr Bits kFractionMask = (Bits{1} << kFraction<Bits>)-1;
template <typename Bits>
constexpr Bits kExponentMask = ~kSign<Bits> & ~kFractionMask<Bits>;
template <typename Bits>
constexpr Bits kQuietBit = Bits{1} << (kFraction<Bits> - 1);
template <typename Bits>
constexpr Bits kNan = kExponentMask<Bits> | kQuietBit<Bits>;
template <typename Significand>
constexpr int kWidth = 8 * static_cast<int>(sizeof(Significand));

template <typename Bits>
bool negative(Bits a) {
  return (a & kSign<Bits>) != 0;
}
template <typename Bits>
bool nan(Bits a) {
  return (a & kExponentMask<Bits>) == kExponentMask<Bits> && (a & kFractionMask<Bits>) != 0;
}
template <typename Bits>
bool signaling(Bits a) {
  return nan(a) && (a & kQuietBit<Bits>) == 0;
}
template <typename Bits>
bool infinite(Bits a) {
  return (a & ~kSign<Bits>) == kExponentMask<Bits>;
}
template <typename Bits>
bool zero(Bits a) {
  return (a & ~kSign<Bits>) == 0;
}
template <typename Bits>
Bits signed_zero(bool minus) {
  return minus ? kSign<Bits> : 0;
}
template <typename Bits>
Bits signed_infinity(bool minus) {
  return signed_zero<Bits>(minus) | kExponentMask<Bits>;
}

template <typename Bits>
Bits invalid(std::uint8_t& flags) {
  flags |= kInvalid;
  return kNan<Bits>;
}
// An operand is a NaN.
template <typename Bits>
Bits propagate(bool any_signaling, std::uint8_t& flags) {
  if (any_signaling) flags |= kInvalid;
  return kNan<Bits>;
}

// A finite number: significand * 2^exponent.
template <typename Significand>
struct Number {
  bool minus;
  int exponent;
  Significand significand;
};
template <typename Bits>
using NumberOf = Number<typename Format<Bits>::Significand>;

template <typename Bits>
NumberOf<Bits> unpack(Bits a) {
  const int biased = static_cast<int>((a & kExponentMask<Bits>) >> kFraction<Bits>);
  if (biased == 0) return {negative(a), kLowest<Bits>, a & kFractionMask<Bits>};
  return {negative(a), biased - 1 + kLowest<Bits>, (a & kFractionMask<Bits>) | (Bits{1} << kFraction<Bits>)};
}

int leading_one(std::uint64_t value) { return 63 - __builtin_clzll(value); }
__extension__ int leading_one(unsigned __int128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? 64 + leading_one(high) : leading_one(static_cast<std::uint64_t>(value));
}

// Moves the leading one of a nonzero significand to bit `bit`; the bit is not below the leading one.
template <typename Significand>
void normalise(Number<Significand>& n, int bit) {
  const int up = bit - leading_one(n.significand);
  n.significand <<= up;
  n.exponent -= up;
}

// A significand without its `width` lowest bits, and what they were: at least half of a unit of the rest, and anything
// else. `sticky`: there is something below the significand's own unit. Negative widths append zeros.
template <typename Significand>
struct Cut {
  Significand kept;
  bool half;
  bool rest;
};

template <typename Significand>
Cut<Significand> cut(Significand significand, int width, bool sticky) {
  constexpr int kAll = kWidth<Significand>;
  if (width <= 0) return {significand << -width, false, sticky};
  if (width >= kAll) {
    return {0, width == kAll && significand >> (kAll - 1) != 0,
            sticky || (width == kAll ? significand << 1 : significand) != 0};
  }
  const Significand discarded = significand << (kAll - width);
  return {significand >> width, discarded >> (kAll - 1) != 0, discarded << 1 != 0 || sticky};
}

// Written without branches on the operands: they would be mispredicted half of the time.
template <typename Significand>
Significand round(const Cut<Significand>& c, bool minus, Rounding rounding) {
  const bool odd = (c.kept & 1) != 0;
  bool up = false;
  switch (rounding) {
    case Rounding::kNearestEven: up = c.half & (c.rest | odd); break;
    case Rounding::kNearestAway: up = c.half; break;
    case Rounding::kTowardZero: break;
    case Rounding::kDown: up = (c.half | c.rest) & (minus ? 1 : 0); break;
    case Rounding::kUp: up = (c.half | c.rest) & (minus ? 0 : 1); break;
  }
  return c.kept + static_cast<Significand>(up);
}

// The format's number nearest to the nonzero number n (plus a magnitude smaller than its unit if sticky; then it has
// two bits more than the format, or more).
template <typename Bits, typename Significand>
Bits pack(const Number<Significand>& n, bool sticky, Rounding rounding, std::uint8_t& flags) {
  constexpr int kSmallestNormal = kLowest<Bits> + kFraction<Bits>;
  const int top = n.exponent + leading_one(n.significand);
  const int unit = top - kFraction<Bits> > kLowest<Bits> ? top - kFraction<Bits> : kLowest<Bits>;
  const int width = unit - n.exponent;
  const Cut<Significand> c = cut(n.significand, width, sticky);
  const auto rounded = static_cast<Bits>(round(c, n.minus, rounding));
  if (c.half | c.rest) {
    flags |= kInexact;
    // Tiny: below the smallest normal number also when rounded to its precision without a limit to the exponent.
    if (top < kSmallestNormal - 1 ||
        (top == kSmallestNormal - 1 &&
         round(cut(n.significand, width - 1, sticky), n.minus, rounding) < (Bits{2} << kFraction<Bits>)))
      flags |= kUnderflow;
  }
  const int largest = static_cast<int>(kExponentMask<Bits> >> kFraction<Bits>);
  const bool overflows = unit - kLowest<Bits> >= largest;  // the sum below would wrap
  const Bits magnitude = overflows ? kExponentMask<Bits>   // a carry moves into the exponent
                                   : (static_cast<Bits>(unit - kLowest<Bits>) << kFraction<Bits>)+rounded;
  if (magnitude >= kExponentMask<Bits>) {
    flags |= kOverflow | kInexact;
    const bool to_infinity = rounding == Rounding::kNearestEven || rounding == Rounding::kNearestAway ||
                             rounding == (n.minus ? Rounding::kDown : Rounding::kUp);
    return signed_zero<Bits>(n.minus) | (to_infinity ? kExponentMask<Bits> : kExponentMask<Bits> - 1);
  }
  return signed_zero<Bits>(n.minus) | magnitude;
}

// Bit to which the leading one of a sum's terms is moved: that of the largest product.
template <typename Bits>
constexpr int kTermBit = 2 * kFraction<Bits> + 1;

// x + y exactly, rounded once; both normalised to kTermBit.
template <typename Bits>
Bits sum(const NumberOf<Bits>& x, const NumberOf<Bits>& y, Rounding rounding, std::uint8_t& flags) {
  using Significand = typename Format<Bits>::Significand;
  const bool x_larger = x.exponent > y.exponent || (x.exponent == y.exponent && x.significand >= y.significand);
  constexpr int kGuard = kWidth<Significand> - 3 - kTermBit<Bits>;  // the sum leaves the highest bit free
  const Significand high = (x_larger ? x.significand : y.significand) << kGuard;
  const Significand low = (x_larger ? y.significand : x.significand) << kGuard;
  const bool minus = x_larger ? x.minus : y.minus;
  const int exponent = (x_larger ? x.exponent : y.exponent) - kGuard;
  const int apart = x.exponent > y.exponent ? x.exponent - y.exponent : y.exponent - x.exponent;
  constexpr int kFurthest = kWidth<Significand> - 1;  // nothing of low is left beyond
  const int distance = apart < kFurthest ? apart : kFurthest;
  const bool sticky = (low & ((Significand{1} << distance) - 1)) != 0;
  const Significand aligned = low >> distance;
  const bool subtract = x.minus != y.minus;
  const Significand significand = subtract ? high - aligned - static_cast<Significand>(sticky) : high + aligned;
  if (significand == 0) return signed_zero<Bits>(rounding == Rounding::kDown);
  return pack<Bits>(Number<Significand>{minus, exponent, significand}, sticky, rounding, flags);
}

template <typename Bits>
Bits sum_of_zeros(bool minus_x, bool minus_y, Rounding rounding) {
  return signed_zero<Bits>(minus_x == minus_y ? minus_x : rounding == Rounding::kDown);
}

// Magnitude of a as an integer, in a mode: false if it is above `limit`.
template <typename Bits>
bool whole(Bits a, Rounding rounding, std::uint64_t limit, std::uint64_t& size, std::uint8_t& flags) {
  const NumberOf<Bits> n = unpack(a);
  if (n.exponent > 63 - kFraction<Bits>) return false;  // at least 2^64: normal numbers have the bit above the fraction
  const auto c = cut(n.significand, -n.exponent, false);
  size = static_cast<std::uint64_t>(round(c, n.minus, rounding));
  if (size > limit) return false;
  if (c.half | c.rest) flags |= kInexact;
  return true;
}

// To an integer from -lowest to highest.
template <typename Bits>
std::uint64_t to_integer(Bits a, Rounding rounding, std::uint64_t lowest, std::uint64_t highest, std::uint8_t& flags) {
  const bool minus = negative(a);
  std::uint64_t size = 0;
  if (!nan(a) && !infinite(a) && whole(a, rounding, minus ? lowest : highest, size, flags)) return minus ? -size : size;
  flags |= kInvalid;
  return !nan(a) && minus ? -lowest : highest;
}

// Where dividends and radicands have their leading one.
template <typename Bits>
constexpr int kHigh = kWidth<typename Format<Bits>::Significand> - 4;

template <typename Bits>
typename Format<Bits>::Host host(Bits a) {
  typename Format<Bits>::Host value;
  std::memcpy(&value, &a, sizeof value);
  return value;
}

}  // namespace

template <typename Bits>
Bits add(Bits a, Bits b, Rounding rounding, std::uint8_t& flags) {
  if (nan(a) || nan(b)) return propagate<Bits>(signaling(a) || signaling(b), flags);
  if (infinite(a)) return infinite(b) && negative(a) != negative(b) ? invalid<Bits>(flags) : a;
  if (infinite(b)) return b;
  if (zero(a)) return zero(b) ? sum_of_zeros<Bits>(negative(a), negative(b), rounding) : b;
  if (zero(b)) return a;
  NumberOf<Bits> x = unpack(a), y = unpack(b);
  normalise(x, kTermBit<Bits>);
  normalise(y, kTermBit<Bits>);
  return sum<Bits>(x, y, rounding, flags);
}

template <typename Bits>
Bits multiply(Bits a, Bits b, Rounding rounding, std::uint8_t& flags) {
  if (nan(a) || nan(b)) return propagate<Bits>(signaling(a) || signaling(b), flags);
  const bool minus = negative(a) != negative(b);
  if (infinite(a) || infinite(b)) return zero(a) || zero(b) ? invalid<Bits>(flags) : signed_infinity<Bits>(minus);
  if (zero(a) || zero(b)) return signed_zero<Bits>(minus);
  const NumberOf<Bits> x = unpack(a), y = unpack(b);
  return pack<Bits>(NumberOf<Bits>{minus, x.exponent + y.exponent, x.significand * y.significand}, false, rounding,
                    flags);
}

template <typename Bits>
Bits multiply_add(Bits a, Bits b, Bits c, Rounding rounding, std::uint8_t& flags) {
  const bool no_product = (infinite(a) && zero(b)) || (zero(a) && infinite(b));
  if (no_product) return invalid<Bits>(flags);
  if (nan(a) || nan(b) || nan(c)) return propagate<Bits>(signaling(a) || signaling(b) || signaling(c), flags);
  const bool minus = negative(a) != negative(b);
  if (infinite(a) || infinite(b))
    return infinite(c) && negative(c) != minus ? invalid<Bits>(flags) : signed_infinity<Bits>(minus);
  if (infinite(c)) return c;
  if (zero(a) || zero(b)) return zero(c) ? sum_of_zeros<Bits>(minus, negative(c), rounding) : c;
  const NumberOf<Bits> x = unpack(a), y = unpack(b);
  NumberOf<Bits> product{minus, x.exponent + y.exponent, x.significand * y.significand};
  if (zero(c)) return pack<Bits>(product, false, rounding, flags);
  NumberOf<Bits> addend = unpack(c);
  normalise(product, kTermBit<Bits>);
  normalise(addend, kTermBit<Bits>);
  return sum<Bits>(product, addend, rounding, flags);
}

template <typename Bits>
Bits divide(Bits a, Bits b, Rounding rounding, std::uint8_t& flags) {
  if (nan(a) || nan(b)) return propagate<Bits>(signaling(a) || signaling(b), flags);
  const bool minus = negative(a) != negative(b);
  if (infinite(a)) return infinite(b) ? invalid<Bits>(flags) : signed_infinity<Bits>(minus);
  if (infinite(b)) return signed_zero<Bits>(minus);
  if (zero(b)) {
    if (zero(a)) return invalid<Bits>(flags);
    flags |= kDivideByZero;
    return signed_infinity<Bits>(minus);
  }
  if (zero(a)) return signed_zero<Bits>(minus);
  NumberOf<Bits> x = unpack(a), y = unpack(b);
  normalise(x, kHigh<Bits>);
  normalise(y, kFraction<Bits>);
  return pack<Bits>(NumberOf<Bits>{minus, x.exponent - y.exponent, x.significand / y.significand},
                    x.significand % y.significand != 0, rounding, flags);
}

template <typename Bits>
Bits square_root(Bits a, Rounding rounding, std::uint8_t& flags) {
  if (nan(a)) return propagate<Bits>(signaling(a), flags);
  if (zero(a)) return a;
  if (negative(a)) return invalid<Bits>(flags);
  if (infinite(a)) return a;
  NumberOf<Bits> x = unpack(a);
  normalise(x, kHigh<Bits>);
  if ((x.exponent & 1) != 0) {
    x.significand <<= 1;
    x.exponent -= 1;
  }
  using Significand = typename Format<Bits>::Significand;
  auto root = static_cast<Significand>(std::sqrt(static_cast<typename Format<Bits>::Estimate>(x.significand)));
  while (root * root > x.significand) --root;
  while ((root + 1) * (root + 1) <= x.significand) ++root;
  return pack<Bits>(NumberOf<Bits>{false, x.exponent / 2, root}, root * root != x.significand, rounding, flags);
}

template <typename Bits>
Bits minimum(Bits a, Bits b, std::uint8_t& flags) {
  if (signaling(a) || signaling(b)) flags |= kInvalid;
  if (nan(a)) return nan(b) ? kNan<Bits> : b;
  if (nan(b)) return a;
  if (zero(a) && zero(b)) return a | b;
  return host(a) < host(b) ? a : b;
}

template <typename Bits>
Bits maximum(Bits a, Bits b, std::uint8_t& flags) {
  if (signaling(a) || signaling(b)) flags |= kInvalid;
  if (nan(a)) return nan(b) ? kNan<Bits> : b;
  if (nan(b)) return a;
  if (zero(a) && zero(b)) return a & b;
  return host(a) > host(b) ? a : b;
}

template <typename Bits>
std::uint32_t equal(Bits a, Bits b, std::uint8_t& flags) {
  if (signaling(a) || signaling(b)) flags |= kInvalid;
  return !nan(a) && !nan(b) && host(a) == host(b);
}

template <typename Bits>
std::uint32_t less(Bits a, Bits b, std::uint8_t& flags) {
  if (nan(a) || nan(b)) {
    flags |= kInvalid;
    return 0;
  }
  return host(a) < host(b);
}

template <typename Bits>
std::uint32_t less_or_equal(Bits a, Bits b, std::uint8_t& flags) {
  if (nan(a) || nan(b)) {
    flags |= kInvalid;
    return 0;
  }
  return host(a) <= host(b);
}

template <typename Bits>
std::uint32_t classify(Bits a) {
  if (nan(a)) return signaling(a) ? 1u << 8 : 1u << 9;
  const bool minus = negative(a);
  if (infinite(a)) return minus ? 1u << 0 : 1u << 7;
  if (zero(a)) return minus ? 1u << 3 : 1u << 4;
  if ((a & kExponentMask<Bits>) == 0) return minus ? 1u << 2 : 1u << 5;
  return minus ? 1u << 1 : 1u << 6;
}

template <typename Bits>
std::uint32_t to_int32(Bits a, Rounding rounding, std::uint8_t& flags) {
  return static_cast<std::uint32_t>(to_integer(a, rounding, std::uint64_t{1} << 31, INT32_MAX, flags));
}
template <typename Bits>
std::uint32_t to_uint32(Bits a, Rounding rounding, std::uint8_t& flags) {
  return static_cast<std::uint32_t>(to_integer(a, rounding, 0, UINT32_MAX, flags));
}
template <typename Bits>
std::uint64_t to_int64(Bits a, Rounding rounding, std::uint8_t& flags) {
  return to_integer(a, rounding, std::uint64_t{1} << 63, INT64_MAX, flags);
}
template <typename Bits>
std::uint64_t to_uint64(Bits a, Rounding rounding, std::uint8_t& flags) {
  return to_integer(a, rounding, 0, UINT64_MAX, flags);
}

template <typename Bits>
Bits from_int64(std::uint64_t a, Rounding rounding, std::uint8_t& flags) {
  if (a == 0) return 0;
  const bool minus = a >> 63 != 0;
  return pack<Bits>(Number<std::uint64_t>{minus, 0, minus ? -a : a}, false, rounding, flags);
}
template <typename Bits>
Bits from_int32(std::uint32_t a, Rounding rounding, std::uint8_t& flags) {
  return from_int64<Bits>(a >> 31 != 0 ? a | ~std::uint64_t{UINT32_MAX} : a, rounding, flags);
}
template <typename Bits>
Bits from_unsigned(std::uint64_t a, Rounding rounding, std::uint8_t& flags) {
  return a == 0 ? 0 : pack<Bits>(Number<std::uint64_t>{false, 0, a}, false, rounding, flags);
}

std::uint32_t to_single(std::uint64_t a, Rounding rounding, std::uint8_t& flags) {
  if (nan(a)) return propagate<std::uint32_t>(signaling(a), flags);
  if (infinite(a)) return signed_infinity<std::uint32_t>(negative(a));
  if (zero(a)) return signed_zero<std::uint32_t>(negative(a));
  return pack<std::uint32_t>(unpack(a), false, rounding, flags);
}

std::uint64_t to_double(std::uint32_t a, std::uint8_t& flags) {
  if (nan(a)) return propagate<std::uint64_t>(signaling(a), flags);
  if (infinite(a)) return signed_infinity<std::uint64_t>(negative(a));
  if (zero(a)) return signed_zero<std::uint64_t>(negative(a));
  return pack<std::uint64_t>(unpack(a), false, Rounding::kNearestEven, flags);  // exact
}

#define HEDDLE_INSTANTIATE(Bits)                                         \
  template Bits add(Bits, Bits, Rounding, std::uint8_t&);                \
  template Bits multiply(Bits, Bits, Rounding, std::uint8_t&);           \
  template Bits divide(Bits, Bits, Rounding, std::uint8_t&);             \
  template Bits square_root(Bits, Rounding, std::uint8_t&);              \
  template Bits multiply_add(Bits, Bits, Bits, Rounding, std::uint8_t&); \
  template Bits minimum(Bits, Bits, std::uint8_t&);                      \
  template Bits maximum(Bits, Bits, std::uint8_t&);                      \
  template std::uint32_t equal(Bits, Bits, std::uint8_t&);               \
  template std::uint32_t less(Bits, Bits, std::uint8_t&);                \
  template std::uint32_t less_or_equal(Bits, Bits, std::uint8_t&);       \
  template std::uint32_t classify(Bits);                                 \
  template std::uint32_t to_int32(Bits, Rounding, std::uint8_t&);        \
  template std::uint32_t to_uint32(Bits, Rounding, std::uint8_t&);       \
  template std::uint64_t to_int64(Bits, Rounding, std::uint8_t&);        \
  template std::uint64_t to_uint64(Bits, Rounding, std::uint8_t&);       \
  template Bits from_int32(std::uint32_t, Rounding, std::uint8_t&);      \
  template Bits from_int64(std::uint64_t, Rounding, std::uint8_t&);      \
  template Bits from_unsigned(std::uint64_t, Rounding, std::uint8_t&)
HEDDLE_INSTANTIATE(std::uint32_t);
HEDDLE_INSTANTIATE(std::uint64_t);
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::soft_float
