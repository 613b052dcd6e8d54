// SPDX-License-Identifier: Apache-2.0
// IEEE single precision by the host's unit, with RISC-V's results: canonical NaN, saturating conversions, per-lane
// flags.
//
// A vector loop computes all lanes; the host's sticky exception flags tell what any of them raised. If some thread does
// not have those flags yet, a second loop finds the inexact lanes by exact arithmetic on the results; for the rarer
// flags such a lane is computed again alone. The mode the host lacks, to nearest with ties to the larger magnitude
// (RMM), differs from ties to even in exact ties only; those are found in double precision, where a midpoint of two
// singles is exact.
#include "isa/execute_fp.h"

#include <cmath>
#include <cstring>

#include "isa/execute.h"
#include "isa/ieee.h"

namespace heddle {
namespace {

using namespace ieee;

constexpr std::uint32_t kInfinity = ieee::kInfinity<std::uint32_t>;

// Arithmetic of all lanes in the host's rounding mode; a NaN result is the canonical one.
HEDDLE_LANE_KERNEL __attribute__((noinline)) void arithmetic_lanes(Op op, const std::uint32_t* a,
                                                                   const std::uint32_t* b, const std::uint32_t* c,
                                                                   std::uint32_t* __restrict out, unsigned lanes) {
#define HEDDLE_FP_LANES(expression)                   \
  for (unsigned l = 0; l < lanes; ++l) {              \
    const float x = to_float(a[l]);                   \
    const float y = to_float(b[l]);                   \
    const float z = to_float(c[l]);                   \
    (void)x;                                          \
    (void)y;                                          \
    (void)z;                                          \
    const std::uint32_t result = to_bits(expression); \
    out[l] = is_nan(result) ? kCanonicalNan : result; \
  }                                                   \
  return
  switch (op) {
    case Op::kFadd: HEDDLE_FP_LANES(x + y);
    case Op::kFsub: HEDDLE_FP_LANES(x - y);
    case Op::kFmul: HEDDLE_FP_LANES(x * y);
    case Op::kFdiv: HEDDLE_FP_LANES(x / y);
    case Op::kFsqrt: HEDDLE_FP_LANES(__builtin_sqrtf(x));
    case Op::kFmadd: HEDDLE_FP_LANES(__builtin_fmaf(x, y, z));
    case Op::kFmsub: HEDDLE_FP_LANES(__builtin_fmaf(x, y, -z));
    case Op::kFnmsub: HEDDLE_FP_LANES(__builtin_fmaf(-x, y, z));
    case Op::kFnmadd: HEDDLE_FP_LANES(__builtin_fmaf(-x, y, -z));
    case Op::kFcvtSW: HEDDLE_FP_LANES(static_cast<float>(static_cast<std::int32_t>(a[l])));
    default: HEDDLE_FP_LANES(static_cast<float>(a[l]));  // fcvt.s.wu
  }
#undef HEDDLE_FP_LANES
}

// inexact[l] = 1 if `result` differs from the exact value. Holds when every lane was rounded to nearest and raised
// nothing but "inexact": then infinities are exact, and products and the errors of sums are so in the arithmetic used
// here.
HEDDLE_LANE_KERNEL
void find_inexact_lanes(Op op, const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                        const std::uint32_t* result, std::uint8_t* __restrict inexact, unsigned lanes) {
#define HEDDLE_FP_LANES(expression)                                            \
  for (unsigned l = 0; l < lanes; ++l) {                                       \
    const double x = to_float(a[l]);                                           \
    const double y = to_float(b[l]);                                           \
    const double z = to_float(c[l]);                                           \
    const double r = to_float(result[l]);                                      \
    (void)x;                                                                   \
    (void)y;                                                                   \
    (void)z;                                                                   \
    inexact[l] = static_cast<std::uint8_t>((expression)&is_finite(result[l])); \
  }                                                                            \
  return
  // Sum of two doubles and its rounding error: the sum is exact if there is none.
  const auto differs = [](double x, double y, double r) {
    const double sum = x + y;
    const double y_part = sum - x;
    const double error = (x - (sum - y_part)) + (y - y_part);
    return (error != 0) | (sum != r);
  };
  switch (op) {
    case Op::kFadd: HEDDLE_FP_LANES(differs(x, y, r));
    case Op::kFsub: HEDDLE_FP_LANES(differs(x, -y, r));
    case Op::kFmul: HEDDLE_FP_LANES(x * y != r);
    case Op::kFdiv: HEDDLE_FP_LANES((r * y != x) & is_finite(b[l]));
    case Op::kFsqrt: HEDDLE_FP_LANES(r * r != x);
    case Op::kFmadd: HEDDLE_FP_LANES(differs(x * y, z, r));
    case Op::kFmsub: HEDDLE_FP_LANES(differs(x * y, -z, r));
    case Op::kFnmsub: HEDDLE_FP_LANES(differs(-(x * y), z, r));
    case Op::kFnmadd: HEDDLE_FP_LANES(differs(-(x * y), -z, r));
    case Op::kFcvtSW: HEDDLE_FP_LANES(static_cast<double>(static_cast<std::int32_t>(a[l])) != r);
    default: HEDDLE_FP_LANES(static_cast<double>(a[l]) != r);  // fcvt.s.wu
  }
#undef HEDDLE_FP_LANES
}

bool is_fused(Op op) { return op >= Op::kFmadd && op <= Op::kFnmadd; }

// Whether the exact result lies halfway between `nearest` and the next number of larger magnitude.
bool is_tie_away(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t nearest) {
  if (magnitude(nearest) + 1 >= kInfinity) return false;
  const double midpoint = 0.5 * (static_cast<double>(to_float(nearest)) + static_cast<double>(to_float(nearest + 1)));
  const volatile double x = to_float(a), y = to_float(b), z = to_float(c);
  start_host(kRne);
  volatile double exact;
  switch (op) {
    case Op::kFadd: exact = x + y; break;
    case Op::kFsub: exact = x - y; break;
    case Op::kFmul: exact = x * y; break;
    case Op::kFdiv: exact = x / y; break;
    case Op::kFsqrt: exact = std::sqrt(x); break;
    case Op::kFmadd: exact = std::fma(x, y, z); break;
    case Op::kFmsub: exact = std::fma(x, y, -z); break;
    case Op::kFnmsub: exact = std::fma(-x, y, z); break;
    case Op::kFnmadd: exact = std::fma(-x, y, -z); break;
    case Op::kFcvtSW: exact = static_cast<std::int32_t>(a); break;
    default: exact = a; break;
  }
  return (host_flags() & kFlagNx) == 0 && exact == midpoint;
}

bool has(const std::uint32_t* values, std::uint32_t wanted, unsigned lanes) {
  unsigned found = 0;
  for (unsigned l = 0; l < lanes; ++l) found |= static_cast<unsigned>(values[l] == wanted);
  return found != 0;
}

// What one group of lanes with one rounding mode does; `sticky` are flags that all lanes of the warp have already.
void arithmetic(Op op, unsigned rounding, const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                std::uint32_t* out, LaneMask mask, unsigned lanes, std::uint8_t sticky, std::uint8_t* fcsr) {
  const unsigned host_rounding = rounding == kRmm ? kRne : rounding;
  start_host(host_rounding);
  settle(out);
  arithmetic_lanes(op, a, b, c, out, lanes);
  settle(out);
  const std::uint8_t raised = host_flags();
  if ((raised & ~sticky) == 0) {
    // All threads have these flags.
  } else if (raised == kFlagNx && rounding == kRne) {
    alignas(64) std::uint8_t inexact[kMaxLanes];
    find_inexact_lanes(op, a, b, c, out, inexact, lanes);
    set_flag_in_lanes(inexact, kFlagNx, mask, lanes, fcsr);
  } else {
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const int l = __builtin_ctzll(rest);
      if ((raised & ~fcsr[l]) == 0) continue;
      std::uint32_t again;
      start_host(host_rounding);
      settle(&again);
      arithmetic_lanes(op, a + l, b + l, c + l, &again, 1);
      settle(&again);
      fcsr[l] |= host_flags();
    }
  }
  stop_host(host_rounding);
  if (is_fused(op) && has(out, kCanonicalNan, lanes)) {
    // Infinity times zero is invalid whatever is added; hosts differ when a quiet NaN is.
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const int l = __builtin_ctzll(rest);
      if (out[l] != kCanonicalNan) continue;
      const std::uint32_t x = magnitude(a[l]), y = magnitude(b[l]);
      if ((x == kInfinity && y == 0) || (x == 0 && y == kInfinity)) fcsr[l] |= kFlagNv;
    }
  }
  if (rounding == kRmm) {
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const int l = __builtin_ctzll(rest);
      if (is_tie_away(op, a[l], b[l], c[l], out[l])) ++out[l];
    }
  }
}

struct Converted {
  std::uint32_t value;
  std::uint8_t flags;
};

// Single to integer in any mode. |x| < 2^24 has a fraction, larger ones are whole: all steps are exact.
Converted to_integer(std::uint32_t bits, unsigned rounding, bool is_signed) {
  const double low = is_signed ? -2147483648.0 : 0.0;
  const double high = is_signed ? 2147483647.0 : 4294967295.0;
  const std::uint32_t lowest = is_signed ? 0x80000000u : 0u;
  const std::uint32_t highest = is_signed ? 0x7FFFFFFFu : 0xFFFFFFFFu;
  if (is_nan(bits)) return {highest, kFlagNv};
  const double x = to_float(bits);
  if (x < -4294967296.0) return {lowest, kFlagNv};
  if (x > 8589934592.0) return {highest, kFlagNv};
  std::int64_t whole = static_cast<std::int64_t>(x);
  const double fraction = x - static_cast<double>(whole);
  const double distance = fraction < 0 ? -fraction : fraction;
  const int away = fraction < 0 ? -1 : 1;
  switch (rounding) {
    case kRne: whole += distance > 0.5 || (distance == 0.5 && (whole & 1) != 0) ? away : 0; break;
    case kRdn: whole -= fraction < 0 ? 1 : 0; break;
    case kRup: whole += fraction > 0 ? 1 : 0; break;
    case kRmm: whole += distance >= 0.5 ? away : 0; break;
    default: break;
  }
  if (static_cast<double>(whole) < low) return {lowest, kFlagNv};
  if (static_cast<double>(whole) > high) return {highest, kFlagNv};
  return {static_cast<std::uint32_t>(whole), static_cast<std::uint8_t>(fraction != 0 ? kFlagNx : 0)};
}

// Truncation to signed integers when all lanes are in range; false, and nothing of use, if one is not.
HEDDLE_LANE_KERNEL
bool truncate_lanes(const std::uint32_t* a, std::uint32_t* __restrict out, std::uint8_t* __restrict inexact,
                    unsigned lanes) {
  std::uint32_t outside = 0;
  for (unsigned l = 0; l < lanes; ++l) {
    const bool is_outside = magnitude(a[l]) >= 0x4F000000u;  // 2^31
    outside |= static_cast<std::uint32_t>(is_outside);
    const float x = to_float(is_outside ? 0 : a[l]);
    const auto whole = static_cast<std::int32_t>(x);
    out[l] = static_cast<std::uint32_t>(whole);
    inexact[l] = static_cast<std::uint8_t>(static_cast<float>(whole) != x);
  }
  return outside == 0;
}

void convert_to_integer(Op op, unsigned rounding, const std::uint32_t* a, std::uint32_t* out, LaneMask mask,
                        unsigned lanes, std::uint8_t* fcsr) {
  if (op == Op::kFcvtWS && rounding == kRtz) {
    alignas(64) std::uint8_t inexact[kMaxLanes];
    if (truncate_lanes(a, out, inexact, lanes)) {
      set_flag_in_lanes(inexact, kFlagNx, mask, lanes, fcsr);
      return;
    }
  }
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int l = __builtin_ctzll(rest);
    const Converted converted = to_integer(a[l], rounding, op == Op::kFcvtWS);
    out[l] = converted.value;
    fcsr[l] |= converted.flags;
  }
}

// Total order of non-NaN singles as signed integers; -0 below +0.
std::int32_t order(std::uint32_t bits) {
  const auto value = static_cast<std::int32_t>(bits);
  return value ^ ((value >> 31) & 0x7FFFFFFF);
}
bool less(std::uint32_t x, std::uint32_t y) { return order(x) < order(y) && (magnitude(x) | magnitude(y)) != 0; }
bool equal(std::uint32_t x, std::uint32_t y) { return x == y || (magnitude(x) | magnitude(y)) == 0; }

// Operations without rounding, by integer comparison. Returns in `suspect` whether a lane holds a NaN.
HEDDLE_LANE_KERNEL
bool compare_lanes(Op op, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* __restrict out,
                   unsigned lanes) {
  std::uint32_t suspect = 0;
#define HEDDLE_FP_LANES(expression)                                                   \
  for (unsigned l = 0; l < lanes; ++l) {                                              \
    const std::uint32_t x = a[l];                                                     \
    const std::uint32_t y = b[l];                                                     \
    const bool x_nan = is_nan(x), y_nan = is_nan(y);                                  \
    suspect |= static_cast<std::uint32_t>(x_nan) | static_cast<std::uint32_t>(y_nan); \
    out[l] = static_cast<std::uint32_t>(expression);                                  \
  }                                                                                   \
  break
  switch (op) {
    case Op::kFmin: HEDDLE_FP_LANES(x_nan ? (y_nan ? kCanonicalNan : y) : y_nan || order(x) < order(y) ? x : y);
    case Op::kFmax: HEDDLE_FP_LANES(x_nan ? (y_nan ? kCanonicalNan : y) : y_nan || order(x) > order(y) ? x : y);
    case Op::kFeq: HEDDLE_FP_LANES(!x_nan && !y_nan && equal(x, y));
    case Op::kFlt: HEDDLE_FP_LANES(!x_nan && !y_nan && less(x, y));
    default: HEDDLE_FP_LANES(!x_nan && !y_nan && (less(x, y) || equal(x, y)));  // fle
  }
#undef HEDDLE_FP_LANES
  return suspect != 0;
}

void compare(Op op, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* out, LaneMask mask, unsigned lanes,
             std::uint8_t* fcsr) {
  if (!compare_lanes(op, a, b, out, lanes)) return;
  const bool quiet = op != Op::kFlt && op != Op::kFle;  // quiet operations object to signaling NaNs only
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int l = __builtin_ctzll(rest);
    if (quiet ? is_signaling(a[l]) || is_signaling(b[l]) : is_nan(a[l]) || is_nan(b[l])) fcsr[l] |= kFlagNv;
  }
}

}  // namespace

LaneMask execute_fp(const Instruction& instruction, const std::uint32_t* a, const std::uint32_t* b,
                    const std::uint32_t* c, std::uint32_t* out, LaneMask mask, unsigned lanes, std::uint8_t* fcsr) {
  const Op op = instruction.op;
  alignas(64) std::uint32_t result[kMaxLanes];
  const auto finish = [&] { std::memcpy(out, result, lanes * sizeof *out); };
  if (op == Op::kFclass) {
    for (unsigned l = 0; l < lanes; ++l) out[l] = classify(a[l]);
    return 0;
  }
  if (op == Op::kFmin || op == Op::kFmax || op == Op::kFeq || op == Op::kFlt || op == Op::kFle) {
    compare(op, a, b, result, mask, lanes, fcsr);
    finish();
    return 0;
  }

  const FcsrSummary summary = summary_of(fcsr, lanes);
  const auto run = [&](unsigned rounding, LaneMask group) {
    if (op == Op::kFcvtWS || op == Op::kFcvtWuS) {
      convert_to_integer(op, rounding, a, result, group, lanes, fcsr);
    } else {
      arithmetic(op, rounding, a, b, c, result, group, lanes, summary.sticky, fcsr);
    }
  };
  return by_rounding_mode(instruction.rm, summary.nearest, run, result, out, mask, lanes, fcsr);
}

}  // namespace heddle
