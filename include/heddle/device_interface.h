// SPDX-License-Identifier: Apache-2.0
// What a host program may do with a device: implemented by the cycle simulator's Device and by the functional runner.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/types.h"

namespace heddle {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

class DeviceInterface {
 public:
  virtual ~DeviceInterface() = default;
  // Device address of a new zeroed buffer, aligned to 256 bytes; it lives as long as the device unless it is given
  // back.
  virtual Address allocate(std::uint64_t bytes) = 0;
  virtual void write(Address destination, const void* source, std::uint64_t bytes) = 0;  // host to device
  virtual void read(Address source, void* destination, std::uint64_t bytes) = 0;         // device to host
  // Runs a kernel to completion. An argument is the value of a register, of an RV32 program the low 32 bits. Bit i of
  // float_mask: argument i is a float (bits of an IEEE single, passed in an fa register). dynamic_shared: bytes of
  // shared memory of a block behind the kernel's static ones.
  virtual void launch(const std::string& kernel, Dim3 grid, Dim3 block, const std::vector<std::uint64_t>& arguments,
                      std::uint32_t float_mask = 0, std::uint32_t dynamic_shared = 0) = 0;
};

}  // namespace heddle
