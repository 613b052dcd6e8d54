// SPDX-License-Identifier: Apache-2.0
// Lane-parallel semantics of the instruction set: one call executes one warp instruction over arrays with one element a
// lane. Registers of RV32 have 32 bits, those of RV64 have 64.
//
// Contract
//   Arrays   every pointer addresses at least `lanes` elements; 64-byte alignment is fastest. `out` may equal a, b or
//   c. Mask     only lanes of `mask` are architecturally executed: other elements of out are unspecified, their fcsr
//   unchanged. Host     floating point uses the host's IEEE unit; its rounding mode on entry and exit is to-nearest.
#pragma once

#include <cstdint>

#include "heddle/types.h"
#include "isa/instruction.h"

namespace heddle {

struct LaneValues {
  alignas(64) std::uint32_t v[kMaxLanes];
};
// Of RV64.
struct WideLaneValues {
  alignas(64) std::uint64_t v[kMaxLanes];
};

// fcsr of a lane: bits 4..0 fflags (NV DZ OF UF NX = 16 8 4 2 1), bits 7..5 frm.
enum FpFlag : std::uint8_t { kFlagNx = 1, kFlagUf = 2, kFlagOf = 4, kFlagDz = 8, kFlagNv = 16 };

// Everything that is not memory, conditional branch, Zicsr or environment call. jal and jalr give the link (pc + 4);
// fence, barrier, fork, join, push and pop give nothing. Returns the lanes for which the instruction is illegal
// (floating point with a reserved dynamic rounding mode; Op::kIllegal): 0 in a correct program.
[[nodiscard]] LaneMask execute(const Instruction& instruction, Pc pc, const std::uint32_t* a, const std::uint32_t* b,
                               const std::uint32_t* c, std::uint32_t* out, LaneMask mask, unsigned lanes,
                               std::uint8_t* fcsr);
[[nodiscard]] LaneMask execute(const Instruction& instruction, Pc pc, const std::uint64_t* a, const std::uint64_t* b,
                               const std::uint64_t* c, std::uint64_t* out, LaneMask mask, unsigned lanes,
                               std::uint8_t* fcsr);

// Lanes (of all `lanes`) for which a conditional branch is taken; the caller applies its mask.
[[nodiscard]] LaneMask branch_taken(const Instruction& instruction, const std::uint32_t* a, const std::uint32_t* b,
                                    unsigned lanes);
[[nodiscard]] LaneMask branch_taken(const Instruction& instruction, const std::uint64_t* a, const std::uint64_t* b,
                                    unsigned lanes);

// New memory value of a read-modify-write (not lr, sc, amocas).
[[nodiscard]] std::uint32_t amo_result(Op op, std::uint32_t old, std::uint32_t operand);
[[nodiscard]] std::uint64_t amo_result(Op op, std::uint64_t old, std::uint64_t operand);

// Result of a special function (Op::kSfuRcp ..): binary32 in, binary32 out, rounded to nearest from the double
// precision function.
[[nodiscard]] std::uint32_t special_function(Op op, std::uint32_t operand);

}  // namespace heddle
