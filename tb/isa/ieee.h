// SPDX-License-Identifier: Apache-2.0
// What the lane-parallel floating point of singles (execute_fp.cpp) and doubles (execute_fp64.cpp) shares: the parts of
// a number, by the unsigned integer that holds its bits; the host's rounding mode and flags; rounding modes of threads.
#pragma once

#include <cstdint>
#include <cstring>

#include "heddle/types.h"
#include "isa/execute.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace heddle::ieee {

enum RoundingMode : unsigned { kRne = 0, kRtz = 1, kRdn = 2, kRup = 3, kRmm = 4, kDynamic = 7 };

template <typename Bits>
constexpr unsigned kFractionBits = sizeof(Bits) == 4 ? 23 : 52;
template <typename Bits>
constexpr Bits kSignBit = Bits{1} << (8 * sizeof(Bits) - 1);
template <typename Bits>
constexpr Bits kInfinity = kSignBit<Bits> - (Bits{1} << kFractionBits<Bits>);
template <typename Bits>
constexpr Bits kQuietBit = Bits{1} << (kFractionBits<Bits> - 1);
template <typename Bits>
constexpr Bits kNan = kInfinity<Bits> | kQuietBit<Bits>;  // the canonical one

template <typename Bits>
Bits magnitude(Bits bits) {
  return bits & ~kSignBit<Bits>;
}
template <typename Bits>
bool is_nan(Bits bits) {
  return magnitude(bits) > kInfinity<Bits>;
}
template <typename Bits>
bool is_finite(Bits bits) {
  return magnitude(bits) < kInfinity<Bits>;
}
template <typename Bits>
bool is_signaling(Bits bits) {
  return is_nan(bits) && (bits & kQuietBit<Bits>) == 0;
}

template <typename To, typename From>
To bit_copy(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
inline float to_float(std::uint32_t bits) { return bit_copy<float>(bits); }
inline double to_float(std::uint64_t bits) { return bit_copy<double>(bits); }
inline std::uint32_t to_bits(float value) { return bit_copy<std::uint32_t>(value); }
inline std::uint64_t to_bits(double value) { return bit_copy<std::uint64_t>(value); }

// Result of fclass.
template <typename Bits>
Bits classify(Bits bits) {
  const Bits m = magnitude(bits);
  const unsigned positive = m == 0                               ? 4
                            : m < Bits{1} << kFractionBits<Bits> ? 5
                            : m < kInfinity<Bits>                ? 6
                            : m == kInfinity<Bits>               ? 7
                            : (m & kQuietBit<Bits>) != 0         ? 9
                                                                 : 8;
  return Bits{1} << ((bits & kSignBit<Bits>) != 0 && positive <= 7 ? 7 - positive : positive);
}

// What has been written at p must be there now, and what is read later may have changed: keeps the arithmetic, which
// works on memory in a function of its own, between the accesses to the host's status register.
inline void settle(const void* p) { asm volatile("" : : "r"(p) : "memory"); }

// The host's rounding mode and sticky flags.
#if defined(__x86_64__)
inline void start_host(unsigned rounding) {
  constexpr unsigned kAllMasked = 0x1F80;
  constexpr unsigned kControl[] = {0u << 13, 3u << 13, 1u << 13, 2u << 13};  // RNE, RTZ, RDN, RUP
  const unsigned wanted = kAllMasked | kControl[rounding];
  if (_mm_getcsr() != wanted) _mm_setcsr(wanted);
}
inline void stop_host(unsigned rounding) {
  if (rounding != kRne) start_host(kRne);
}
inline std::uint8_t host_flags() {
  const unsigned csr = _mm_getcsr();
  return static_cast<std::uint8_t>((csr & 1u) << 4 | (csr & 4u) << 1 | (csr & 8u) >> 1 | (csr & 16u) >> 3 |
                                   (csr & 32u) >> 5);
}
#else
inline void start_host(unsigned rounding) {
  constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  std::fesetround(kModes[rounding]);
  std::feclearexcept(FE_ALL_EXCEPT);
}
inline void stop_host(unsigned rounding) {
  if (rounding != kRne) std::fesetround(FE_TONEAREST);
}
inline std::uint8_t host_flags() {
  const int raised = std::fetestexcept(FE_ALL_EXCEPT);
  return static_cast<std::uint8_t>((raised & FE_INVALID ? kFlagNv : 0) | (raised & FE_DIVBYZERO ? kFlagDz : 0) |
                                   (raised & FE_OVERFLOW ? kFlagOf : 0) | (raised & FE_UNDERFLOW ? kFlagUf : 0) |
                                   (raised & FE_INEXACT ? kFlagNx : 0));
}
#endif

// fcsr of the lanes of mask |= flag where where[l] is 1.
inline void set_flag_in_lanes(const std::uint8_t* where, std::uint8_t flag, LaneMask mask, unsigned lanes,
                              std::uint8_t* fcsr) {
  for (unsigned l = 0; l < lanes; ++l) fcsr[l] |= (mask >> l & where[l]) != 0 ? flag : 0;
}

// fcsr of all lanes: flags that each has already, and whether none has another rounding mode than to nearest.
struct FcsrSummary {
  std::uint8_t sticky;
  bool nearest;
};
inline FcsrSummary summary_of(const std::uint8_t* fcsr, unsigned lanes) {
  std::uint8_t all = 0xFF, any = 0;
  for (unsigned l = 0; l < lanes; ++l) {
    all &= fcsr[l];
    any |= fcsr[l];
  }
  return {static_cast<std::uint8_t>(all & 0x1F), any >> 5 == kRne};
}

// Calls run(mode, lanes), which leaves its lanes' results in `result`, for an instruction's rounding mode field; if
// that is dynamic, for each mode that threads have chosen. Results go to `out`. Returns the lanes whose mode is
// reserved.
template <typename Word, typename Run>
LaneMask by_rounding_mode(unsigned rm, bool nearest, const Run& run, const Word* result, Word* out, LaneMask mask,
                          unsigned lanes, const std::uint8_t* fcsr) {
  if (rm != kDynamic) {
    if (rm > kRmm) return mask;
    run(rm, mask);
    std::memcpy(out, result, lanes * sizeof *out);
    return 0;
  }
  if (nearest) {
    run(kRne, mask);
    std::memcpy(out, result, lanes * sizeof *out);
    return 0;
  }
  // Threads chose rounding modes of their own: one group a mode.
  LaneMask groups[8] = {};
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int l = __builtin_ctzll(rest);
    groups[fcsr[l] >> 5] |= LaneMask{1} << l;
  }
  if (const LaneMask illegal = groups[5] | groups[6] | groups[7]; illegal != 0) return illegal;
  alignas(64) Word merged[kMaxLanes] = {};
  for (unsigned rounding = kRne; rounding <= kRmm; ++rounding) {
    if (groups[rounding] == 0) continue;
    run(rounding, groups[rounding]);
    for (LaneMask rest = groups[rounding]; rest != 0; rest &= rest - 1) {
      const int l = __builtin_ctzll(rest);
      merged[l] = result[l];
    }
  }
  std::memcpy(out, merged, lanes * sizeof *out);
  return 0;
}

// Single precision in a register of 64 bits has ones above it; anything else counts as a NaN.
inline std::uint64_t boxed(std::uint32_t single) { return 0xFFFFFFFF00000000u | single; }
inline std::uint64_t boxed(std::uint64_t whole) { return whole; }
inline std::uint32_t unboxed(std::uint32_t single) { return single; }
inline std::uint32_t unboxed(std::uint64_t value) {
  return value >> 32 == 0xFFFFFFFFu ? static_cast<std::uint32_t>(value) : kNan<std::uint32_t>;
}
inline std::uint64_t sign_extended(std::uint64_t word) {
  return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(word)});
}

}  // namespace heddle::ieee
