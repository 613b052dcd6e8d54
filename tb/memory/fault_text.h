// SPDX-License-Identifier: Apache-2.0
// What is wrong with an access, in words: "outside every buffer and variable (nearest: offset 400 of argument 2 'y',
// 400 bytes at 0x20000200)".
#pragma once

#include <string>

#include "heddle/error.h"
#include "isa/launch.h"
#include "memory/address_space.h"

namespace heddle {

[[nodiscard]] constexpr ErrorKind kind_of(Fault fault) {
  return fault == Fault::kMisaligned ? ErrorKind::kMisalignedAddress : ErrorKind::kIllegalAddress;
}
// An address or a register's value: "0x20000200".
[[nodiscard]] std::string hex(std::uint64_t value);
// bytes: of the access.
[[nodiscard]] std::string fault_text(Fault fault, Address address, unsigned bytes, const AddressSpace& memory,
                                     const Launch& launch);

}  // namespace heddle
