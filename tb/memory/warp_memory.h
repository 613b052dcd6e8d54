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

// Bytes a lane accesses: 1, 2, 4 or 8.
[[nodiscard]] unsigned access_bytes(Op op);

// Word: an integer register, of RV32 or RV64; addresses wrap at its size. a: rs1; b: rs2 (value to store or operand);
// c: rs3 (amocas: expected value). Fills address[lane] for all lanes and, for loads and atomics, out[lane] for lanes in
// mask (sc: 0 success, 1 failure). out may equal a, b or c. At a fault the lanes below have been done.
template <typename Word>
[[nodiscard]] WarpMemoryResult execute_memory(AddressSpace& memory, const Instruction& instruction, const Word* a,
                                              const Word* b, const Word* c, Word* out, Address* address, LaneMask mask,
                                              unsigned lanes, unsigned block_slot, unsigned warp_slot);

// Text that a write call of one thread passes; nullopt-like: fault != kNone if the range is not readable.
[[nodiscard]] WarpMemoryResult read_text(AddressSpace& memory, Address address, std::uint64_t bytes,
                                         const Accessor& who, std::string& text);

}  // namespace heddle
