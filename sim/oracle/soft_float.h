// SPDX-License-Identifier: Apache-2.0
// IEEE single and double precision in integer arithmetic only, with RISC-V's results and flags. The reference's own
// opinion on floating point: it shares nothing with the lane-parallel semantics, which use the host's unit.
#pragma once

#include <cstdint>

namespace heddle::soft_float {

enum class Rounding : std::uint8_t { kNearestEven = 0, kTowardZero = 1, kDown = 2, kUp = 3, kNearestAway = 4 };

// Operands and results are bit patterns, of singles in 32 bits and of doubles in 64. Flags (NV DZ OF UF NX = 16 8 4 2
// 1) are or-ed into `flags`.
template <typename Bits>
Bits add(Bits a, Bits b, Rounding rounding, std::uint8_t& flags);
template <typename Bits>
Bits multiply(Bits a, Bits b, Rounding rounding, std::uint8_t& flags);
template <typename Bits>
Bits divide(Bits a, Bits b, Rounding rounding, std::uint8_t& flags);
template <typename Bits>
Bits square_root(Bits a, Rounding rounding, std::uint8_t& flags);
template <typename Bits>
Bits multiply_add(Bits a, Bits b, Bits c, Rounding rounding, std::uint8_t& flags);  // a * b + c

template <typename Bits>
Bits minimum(Bits a, Bits b, std::uint8_t& flags);
template <typename Bits>
Bits maximum(Bits a, Bits b, std::uint8_t& flags);
template <typename Bits>
std::uint32_t equal(Bits a, Bits b, std::uint8_t& flags);
template <typename Bits>
std::uint32_t less(Bits a, Bits b, std::uint8_t& flags);
template <typename Bits>
std::uint32_t less_or_equal(Bits a, Bits b, std::uint8_t& flags);
template <typename Bits>
std::uint32_t classify(Bits a);

template <typename Bits>
std::uint32_t to_int32(Bits a, Rounding rounding, std::uint8_t& flags);
template <typename Bits>
std::uint32_t to_uint32(Bits a, Rounding rounding, std::uint8_t& flags);
template <typename Bits>
std::uint64_t to_int64(Bits a, Rounding rounding, std::uint8_t& flags);
template <typename Bits>
std::uint64_t to_uint64(Bits a, Rounding rounding, std::uint8_t& flags);
// Bits: of the result.
template <typename Bits>
Bits from_int32(std::uint32_t a, Rounding rounding, std::uint8_t& flags);
template <typename Bits>
Bits from_int64(std::uint64_t a, Rounding rounding, std::uint8_t& flags);
template <typename Bits>
Bits from_unsigned(std::uint64_t a, Rounding rounding, std::uint8_t& flags);

std::uint32_t to_single(std::uint64_t a, Rounding rounding, std::uint8_t& flags);
std::uint64_t to_double(std::uint32_t a, std::uint8_t& flags);

}  // namespace heddle::soft_float
