// SPDX-License-Identifier: Apache-2.0
// Types of kernel arguments and device variables, as the program's debug information declares them, with their layout
// on both sides: in a 32-bit kernel pointers have four bytes, on a 64-bit host eight, and `long` may differ as well. A
// 64-bit kernel's layouts are the host's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "heddle/arguments.h"

namespace heddle {

struct DataType {
  enum class Kind { kInteger, kFloat, kPointer, kAggregate, kArray, kUnknown };
  struct Extent {
    std::uint32_t bytes = 0, alignment = 1;
  };
  struct Member {
    std::string name;
    std::uint32_t device_offset = 0, host_offset = 0;
    std::shared_ptr<const DataType> type;
  };

  std::string name;  // as C writes it
  Kind kind = Kind::kUnknown;
  bool is_signed = false;
  bool is_truth = false;  // bool: 0 or 1
  Extent device, host;
  bool same = false;                        // both layouts are one: bytes can be copied
  std::vector<Member> members;              // kAggregate, base classes included
  std::uint32_t count = 0;                  // kArray
  std::shared_ptr<const DataType> element;  // kArray
  bool by_reference = false;                // passed so, however small
  std::string
      pointee_problem;  // kPointer: why a buffer of what it points to differs between the sides; empty if it does not
  std::string problem;  // why it cannot be converted; empty if it can
};

// What becomes of a pointer's value. Not asked about pointers within a type that is the same on both sides.
using ConvertPointer = std::function<std::uint64_t(const DataType& type, std::uint64_t host)>;

// Bytes of the host's layout to those of the device. Throws Error("kernel") where a value does not fit or the type
// cannot be converted; `what` names it in the message.
void to_device(const DataType& type, const std::uint8_t* host, std::uint8_t* device, const std::string& what,
               const ConvertPointer& pointer);
// And back; pointers become the device's addresses.
void to_host(const DataType& type, const std::uint8_t* device, std::uint8_t* host, const std::string& what);

// Passes one argument from its bytes on the host.
void add_argument(ArgumentBuilder& builder, const DataType& type, const std::uint8_t* host, const std::string& what,
                  const ConvertPointer& pointer);

}  // namespace heddle
