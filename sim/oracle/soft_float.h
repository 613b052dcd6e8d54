// SPDX-License-Identifier: Apache-2.0
// IEEE single precision in integer arithmetic only, with RISC-V's results and flags. The reference's own opinion on
// floating point: it shares nothing with the lane-parallel semantics, which use the host's unit.
#pragma once

#include <cstdint>

namespace heddle::soft_float {

enum class Rounding : std::uint8_t { kNearestEven = 0, kTowardZero = 1, kDown = 2, kUp = 3, kNearestAway = 4 };

// Operands and results are bit patterns. Flags (NV DZ OF UF NX = 16 8 4 2 1) are or-ed into `flags`.
std::uint32_t add(std::uint32_t a, std::uint32_t b, Rounding rounding, std::uint8_t& flags);
std::uint32_t multiply(std::uint32_t a, std::uint32_t b, Rounding rounding, std::uint8_t& flags);
std::uint32_t divide(std::uint32_t a, std::uint32_t b, Rounding rounding, std::uint8_t& flags);
std::uint32_t square_root(std::uint32_t a, Rounding rounding, std::uint8_t& flags);
std::uint32_t multiply_add(std::uint32_t a, std::uint32_t b, std::uint32_t c, Rounding rounding,
                           std::uint8_t& flags);  // a * b + c

std::uint32_t minimum(std::uint32_t a, std::uint32_t b, std::uint8_t& flags);
std::uint32_t maximum(std::uint32_t a, std::uint32_t b, std::uint8_t& flags);
std::uint32_t equal(std::uint32_t a, std::uint32_t b, std::uint8_t& flags);
std::uint32_t less(std::uint32_t a, std::uint32_t b, std::uint8_t& flags);
std::uint32_t less_or_equal(std::uint32_t a, std::uint32_t b, std::uint8_t& flags);
std::uint32_t classify(std::uint32_t a);

std::uint32_t to_int32(std::uint32_t a, Rounding rounding, std::uint8_t& flags);
std::uint32_t to_uint32(std::uint32_t a, Rounding rounding, std::uint8_t& flags);
std::uint32_t from_int32(std::uint32_t a, Rounding rounding, std::uint8_t& flags);
std::uint32_t from_uint32(std::uint32_t a, Rounding rounding, std::uint8_t& flags);

}  // namespace heddle::soft_float
