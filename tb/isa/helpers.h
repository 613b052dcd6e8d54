// SPDX-License-Identifier: Apache-2.0
// Functions that the compiler calls for what the instruction set does not have: libgcc's, known by their names.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

enum class Helper : std::uint8_t {
  kNone,
  kFloat,     // floating point that has no instruction: double and wider, and conversions between floats and 64-bit
              // integers
  kDivision,  // of 64-bit integers
};

[[nodiscard]] Helper helper_of(const std::string& function);

}  // namespace heddle
