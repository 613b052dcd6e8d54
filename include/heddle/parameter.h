// SPDX-License-Identifier: Apache-2.0
// What a kernel wants to be given: its parameters as the program's debug information declares them.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

struct Parameter {
  // How an argument is passed. kOther: not in one register (structs by value; 64-bit types of a 32-bit program).
  enum class Kind { kInteger, kBool, kFloat, kPointer, kOther };

  std::string name;  // empty if the source gives none
  std::string type;  // as C writes it: "const float*"
  Kind kind = Kind::kOther;
  std::uint32_t bytes = 0;      // of the type
  bool is_signed = false;       // kInteger
  bool may_be_address = false;  // kInteger: uintptr_t or intptr_t
};

}  // namespace heddle
