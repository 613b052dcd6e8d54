// SPDX-License-Identifier: Apache-2.0
// Text of a thread's print call: format, arguments and strings are read from the thread's memory, and the host's printf
// makes the text of each conversion.
//
// Contract
//   Format     Flags `-+ #0`, width and precision, also `*`, lengths hh h l ll q j z t, conversions d i o u x X, e E f
//   F g G a A (also with l),
//              c s p (without a length) and %%. Of %n the argument is passed over and nothing is stored. All else
//              stands in the text as it stands in the format, and takes no argument. A null string is (null).
//   Arguments  One after the other as a variadic function finds them: slots of `slot_bytes`, a value larger than a slot
//   at a multiple of
//              its own size. `eight` says what each one has, whatever its conversion: an integer is extended as its
//              conversion is signed or not (a size_t of four bytes for %lu), or cut.
#pragma once

#include <cstdint>
#include <string>

#include "heddle/types.h"
#include "memory/address_space.h"
#include "memory/warp_memory.h"

namespace heddle {

constexpr std::uint32_t kMostPrintField = 1u << 20;  // the largest width, and precision of a number

struct PrintCall {
  Address format = 0;
  Address arguments = 0;
  std::uint32_t eight = 0;  // bit n: argument n has 8 bytes, else 4
  unsigned slot_bytes = 4;
};

struct PrintResult {
  std::int32_t arguments = 0;  // taken; -1: there is no format
  WarpMemoryResult read;       // what could not be read, if fault != kNone
  bool too_wide = false;       // a field is larger than kMostPrintField

  [[nodiscard]] bool failed() const { return read.fault != Fault::kNone || too_wide; }
};

// Appends the text. Not read, or too wide: what is in front of that is in it.
[[nodiscard]] PrintResult print_text(AddressSpace& memory, const Accessor& who, const PrintCall& call,
                                     std::string& text);
// Why it failed, in words.
[[nodiscard]] std::string fault_text(const PrintResult& result, const AddressSpace& memory, const Launch& launch);

// The result alone, which the format decides; of a format that cannot be read to its end, of its beginning.
[[nodiscard]] std::int32_t print_arguments(AddressSpace& memory, const Accessor& who, Address format);

}  // namespace heddle
