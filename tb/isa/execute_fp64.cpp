// SPDX-License-Identifier: Apache-2.0
// Floating point on registers of 64 bits: F in NaN boxes, by the code for singles; D, and conversions that RV64 adds,
// by the host's unit.
//
// A vector loop computes all lanes; a lane whose thread does not have all flags that it raised is computed again alone,
// to see its own. Ties of RMM are found in the host's long double, which holds a midpoint of two doubles.
#include <cfenv>
#include <cmath>
#include <limits>

#include "isa/execute_fp.h"
#include "isa/ieee.h"

namespace heddle {
namespace {

using namespace ieee;

static_assert(std::numeric_limits<long double>::digits >= 64, "holds midpoints of doubles, and 64-bit integers");

float single(std::uint64_t value) { return to_float(unboxed(value)); }
std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }
std::int32_t low_signed(std::uint64_t value) { return static_cast<std::int32_t>(value); }
std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

bool gives_single(Op op) { return op == Op::kFcvtSD || op == Op::kFcvtSL || op == Op::kFcvtSLu; }
bool gives_integer(Op op) {
  switch (narrow(op)) {
    case Op::kFcvtWS:
    case Op::kFcvtWuS:
    case Op::kFcvtLS:
    case Op::kFcvtLuS: return true;
    default: return false;
  }
}
bool compares(Op op) { return op == Op::kFeq || op == Op::kFlt || op == Op::kFle || op == Op::kFclass; }

// Arithmetic of all lanes in the host's rounding mode; a NaN result is the canonical one.
HEDDLE_LANE_KERNEL __attribute__((noinline)) void arithmetic_lanes(Op op, const std::uint64_t* a,
                                                                   const std::uint64_t* b, const std::uint64_t* c,
                                                                   std::uint64_t* __restrict out, unsigned lanes) {
#define HEDDLE_FP_LANES(expression)                                    \
  for (unsigned l = 0; l < lanes; ++l) {                               \
    const double x = to_float(a[l]);                                   \
    const double y = to_float(b[l]);                                   \
    const double z = to_float(c[l]);                                   \
    (void)x;                                                           \
    (void)y;                                                           \
    (void)z;                                                           \
    const auto result = to_bits(expression);                           \
    out[l] = boxed(is_nan(result) ? kNan<decltype(+result)> : result); \
  }                                                                    \
  return
  switch (op) {
    case Op::kFaddD: HEDDLE_FP_LANES(x + y);
    case Op::kFsubD: HEDDLE_FP_LANES(x - y);
    case Op::kFmulD: HEDDLE_FP_LANES(x * y);
    case Op::kFdivD: HEDDLE_FP_LANES(x / y);
    case Op::kFsqrtD: HEDDLE_FP_LANES(__builtin_sqrt(x));
    case Op::kFmaddD: HEDDLE_FP_LANES(__builtin_fma(x, y, z));
    case Op::kFmsubD: HEDDLE_FP_LANES(__builtin_fma(x, y, -z));
    case Op::kFnmsubD: HEDDLE_FP_LANES(__builtin_fma(-x, y, z));
    case Op::kFnmaddD: HEDDLE_FP_LANES(__builtin_fma(-x, y, -z));
    case Op::kFcvtDW: HEDDLE_FP_LANES(static_cast<double>(low_signed(a[l])));
    case Op::kFcvtDWu: HEDDLE_FP_LANES(static_cast<double>(low(a[l])));
    case Op::kFcvtDL: HEDDLE_FP_LANES(static_cast<double>(as_signed(a[l])));
    case Op::kFcvtDLu: HEDDLE_FP_LANES(static_cast<double>(a[l]));
    case Op::kFcvtDS: HEDDLE_FP_LANES(static_cast<double>(single(a[l])));
    case Op::kFcvtSL: HEDDLE_FP_LANES(static_cast<float>(as_signed(a[l])));
    case Op::kFcvtSLu: HEDDLE_FP_LANES(static_cast<float>(a[l]));
    default: HEDDLE_FP_LANES(static_cast<float>(x));  // fcvt.s.d
  }
#undef HEDDLE_FP_LANES
}

// Whether the exact result lies halfway between `nearest` and the next number of larger magnitude.
bool is_tie_away(Op op, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t nearest) {
  long double below, above;
  if (gives_single(op)) {
    if (magnitude(low(nearest)) + 1 >= kInfinity<std::uint32_t>) return false;
    below = to_float(low(nearest));
    above = to_float(low(nearest) + 1);
  } else {
    if (magnitude(nearest) + 1 >= kInfinity<std::uint64_t>) return false;
    below = to_float(nearest);
    above = to_float(nearest + 1);
  }
  const long double midpoint = (below + above) / 2;
  const volatile long double x = to_float(a), y = to_float(b), z = to_float(c);
  std::feclearexcept(FE_ALL_EXCEPT);
  volatile long double exact;
  switch (op) {
    case Op::kFaddD: exact = x + y; break;
    case Op::kFsubD: exact = x - y; break;
    case Op::kFmulD: exact = x * y; break;
    case Op::kFdivD: exact = x / y; break;
    case Op::kFsqrtD: exact = std::sqrt(x); break;
    case Op::kFmaddD: exact = std::fma(x, y, z); break;
    case Op::kFmsubD: exact = std::fma(x, y, -z); break;
    case Op::kFnmsubD: exact = std::fma(-x, y, z); break;
    case Op::kFnmaddD: exact = std::fma(-x, y, -z); break;
    case Op::kFcvtSL:
    case Op::kFcvtDL: exact = as_signed(a); break;
    case Op::kFcvtSLu:
    case Op::kFcvtDLu: exact = a; break;
    case Op::kFcvtSD: exact = x; break;
    default: return false;  // always exact
  }
  return std::fetestexcept(FE_INEXACT) == 0 && exact == midpoint;
}

bool has(const std::uint64_t* values, std::uint64_t wanted, unsigned lanes) {
  unsigned found = 0;
  for (unsigned l = 0; l < lanes; ++l) found |= static_cast<unsigned>(values[l] == wanted);
  return found != 0;
}

// What one group of lanes with one rounding mode does; `sticky` are flags that all lanes of the warp have already.
void arithmetic(Op op, unsigned rounding, const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* c,
                std::uint64_t* out, LaneMask mask, unsigned lanes, std::uint8_t sticky, std::uint8_t* fcsr) {
  const unsigned host_rounding = rounding == kRmm ? kRne : rounding;
  start_host(host_rounding);
  settle(out);
  arithmetic_lanes(op, a, b, c, out, lanes);
  settle(out);
  const std::uint8_t raised = host_flags();
  if ((raised & ~sticky) != 0) {
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const int l = __builtin_ctzll(rest);
      if ((raised & ~fcsr[l]) == 0) continue;
      std::uint64_t again;
      start_host(host_rounding);
      settle(&again);
      arithmetic_lanes(op, a + l, b + l, c + l, &again, 1);
      settle(&again);
      fcsr[l] |= host_flags();
    }
  }
  stop_host(host_rounding);
  if (op >= Op::kFmaddD && op <= Op::kFnmaddD && has(out, kNan<std::uint64_t>, lanes)) {
    // Infinity times zero is invalid whatever is added; hosts differ when a quiet NaN is.
    constexpr std::uint64_t kInf = kInfinity<std::uint64_t>;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const int l = __builtin_ctzll(rest);
      const std::uint64_t x = magnitude(a[l]), y = magnitude(b[l]);
      if ((x == kInf && y == 0) || (x == 0 && y == kInf)) fcsr[l] |= kFlagNv;
    }
  }
  if (rounding == kRmm) {
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const int l = __builtin_ctzll(rest);
      if (is_tie_away(op, a[l], b[l], c[l], out[l])) ++out[l];
    }
  }
}

struct IntegerType {
  bool is_signed;
  bool is_long;
};
IntegerType integer_type(Op op) {
  const Op narrowed = narrow(op);
  return {narrowed == Op::kFcvtWS || narrowed == Op::kFcvtLS, narrowed == Op::kFcvtLS || narrowed == Op::kFcvtLuS};
}

struct Converted {
  std::uint64_t value;
  std::uint8_t flags;
};

// Number to integer in any mode. |x| < 2^52 may have a fraction, larger ones are whole: all steps are exact.
Converted to_integer(double x, unsigned rounding, IntegerType type) {
  const double end = type.is_long ? (type.is_signed ? 0x1p63 : 0x1p64) : (type.is_signed ? 0x1p31 : 0x1p32);
  const std::uint64_t highest = type.is_long ? (type.is_signed ? ~std::uint64_t{0} >> 1 : ~std::uint64_t{0})
                                             : (type.is_signed ? 0x7FFFFFFFu : ~std::uint64_t{0});
  const std::uint64_t lowest = type.is_signed ? ~highest : 0;
  if (std::isnan(x)) return {highest, kFlagNv};
  if (std::isinf(x)) return {x < 0 ? lowest : highest, kFlagNv};
  double whole = std::trunc(x);
  const double distance = std::fabs(x - whole);
  const double away = x < 0 ? -1 : 1;
  bool further = false;
  switch (rounding) {
    case kRne: further = distance > 0.5 || (distance == 0.5 && std::fmod(whole, 2) != 0); break;
    case kRdn: further = distance != 0 && x < 0; break;
    case kRup: further = distance != 0 && x > 0; break;
    case kRmm: further = distance >= 0.5; break;
    default: break;
  }
  if (further) whole += away;
  if (whole < (type.is_signed ? -end : 0)) return {lowest, kFlagNv};
  if (whole >= end) return {highest, kFlagNv};
  const std::uint64_t value =
      type.is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(whole)) : static_cast<std::uint64_t>(whole);
  return {type.is_long ? value : sign_extended(value), static_cast<std::uint8_t>(distance != 0 ? kFlagNx : 0)};
}

void convert_to_integer(Op op, unsigned rounding, const std::uint64_t* a, std::uint64_t* out, LaneMask mask,
                        std::uint8_t* fcsr) {
  const IntegerType type = integer_type(op);
  const bool from_single = op == narrow(op);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int l = __builtin_ctzll(rest);
    const Converted converted = to_integer(from_single ? single(a[l]) : to_float(a[l]), rounding, type);
    out[l] = converted.value;
    fcsr[l] |= converted.flags;
  }
}

// -0 is below +0 for fmin and fmax.
bool below(std::uint64_t x, std::uint64_t y) {
  if ((magnitude(x) | magnitude(y)) == 0) return x > y;
  return to_float(x) < to_float(y);
}

std::uint64_t least(std::uint64_t x, std::uint64_t y, bool greatest) {
  if (is_nan(x)) return is_nan(y) ? kNan<std::uint64_t> : y;
  if (is_nan(y)) return x;
  return (greatest ? below(y, x) : below(x, y)) ? x : y;
}

void compare(Op op, const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out, LaneMask mask,
             std::uint8_t* fcsr) {
  const bool quiet = op != Op::kFltD && op != Op::kFleD;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int l = __builtin_ctzll(rest);
    const std::uint64_t x = a[l], y = b[l];
    const bool unordered = is_nan(x) || is_nan(y);
    if (quiet ? is_signaling(x) || is_signaling(y) : unordered) fcsr[l] |= kFlagNv;
    switch (op) {
      case Op::kFeqD: out[l] = !unordered && to_float(x) == to_float(y) ? 1 : 0; break;
      case Op::kFltD: out[l] = !unordered && to_float(x) < to_float(y) ? 1 : 0; break;
      case Op::kFleD: out[l] = !unordered && to_float(x) <= to_float(y) ? 1 : 0; break;
      default: out[l] = least(x, y, op == Op::kFmaxD); break;
    }
  }
}

// F in boxes.
LaneMask execute_boxed(const Instruction& instruction, const std::uint64_t* a, const std::uint64_t* b,
                       const std::uint64_t* c, std::uint64_t* out, LaneMask mask, unsigned lanes, std::uint8_t* fcsr) {
  const Op op = instruction.op;
  LaneValues x{}, y{}, z{}, result{};
  const bool from_integer = op == Op::kFcvtSW || op == Op::kFcvtSWu;
  for (unsigned l = 0; l < lanes; ++l) {
    x.v[l] = from_integer ? low(a[l]) : unboxed(a[l]);
    y.v[l] = unboxed(b[l]);
    z.v[l] = unboxed(c[l]);
  }
  const LaneMask illegal = execute_fp(instruction, x.v, y.v, z.v, result.v, mask, lanes, fcsr);
  const bool integer = gives_integer(op) || compares(op);
  for (unsigned l = 0; l < lanes; ++l) out[l] = integer ? sign_extended(result.v[l]) : boxed(result.v[l]);
  return illegal;
}

bool is_new(Op op) { return op == Op::kFcvtLS || op == Op::kFcvtLuS || op == Op::kFcvtSL || op == Op::kFcvtSLu; }

}  // namespace

LaneMask execute_fp(const Instruction& instruction, const std::uint64_t* a, const std::uint64_t* b,
                    const std::uint64_t* c, std::uint64_t* out, LaneMask mask, unsigned lanes, std::uint8_t* fcsr) {
  const Op op = instruction.op;
  if (op < Op::kFld && !is_new(op)) return execute_boxed(instruction, a, b, c, out, mask, lanes, fcsr);
  if (op == Op::kFclassD) {
    for (unsigned l = 0; l < lanes; ++l) out[l] = classify(a[l]);
    return 0;
  }
  alignas(64) std::uint64_t result[kMaxLanes];
  if (op == Op::kFminD || op == Op::kFmaxD || op == Op::kFeqD || op == Op::kFltD || op == Op::kFleD) {
    compare(op, a, b, result, mask, fcsr);
    std::memcpy(out, result, lanes * sizeof *out);
    return 0;
  }
  const FcsrSummary summary = summary_of(fcsr, lanes);
  const auto run = [&](unsigned rounding, LaneMask group) {
    if (gives_integer(op)) {
      convert_to_integer(op, rounding, a, result, group, fcsr);
    } else {
      arithmetic(op, rounding, a, b, c, result, group, lanes, summary.sticky, fcsr);
    }
  };
  return by_rounding_mode(instruction.rm, summary.nearest, run, result, out, mask, lanes, fcsr);
}

}  // namespace heddle
