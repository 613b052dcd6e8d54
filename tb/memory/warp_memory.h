// SPDX-License-Identifier: Apache-2.0
// Functional execution of one warp's load, store or atomic, in lane order (lowest lane first).
#pragma once

#include <cstdint>

#include "heddle/types.h"
#include "isa/instruction.h"
#include "memory/address_space.h"

namespace heddle {

struct WarpMemoryResult {
  Fault fault = Fault::kNone;
  unsigned lane = 0;    // of the fault
  Address address = 0;  // of the fault
};

// Bytes a lane accesses: 1, 2 or 4.
[[nodiscard]] unsigned access_bytes(Op op);

// a: rs1; b: rs2 (value to store or operand); c: rs3 (amocas.w: expected value). Fills address[lane] for lanes in mask
// and, for loads and atomics, out[lane] (sc.w: 0 success, 1 failure). out may equal a, b or c. At a fault the lanes
// below have been done.
[[nodiscard]] WarpMemoryResult execute_memory(AddressSpace& memory, const Instruction& instruction,
                                              const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                                              std::uint32_t* out, Address* address, LaneMask mask, unsigned lanes,
                                              unsigned block_slot, unsigned warp_slot);

// Text that a write call of one thread passes; nullopt-like: fault != kNone if the range is not readable.
[[nodiscard]] WarpMemoryResult read_text(AddressSpace& memory, Address address, std::uint32_t bytes,
                                         const Accessor& who, std::string& text);

}  // namespace heddle
