// SPDX-License-Identifier: Apache-2.0
// Lane-parallel floating point: the part of execute() that depends on the host's IEEE unit.
#pragma once

#include <cstdint>

#include "heddle/types.h"
#include "isa/instruction.h"

// A loop over the lanes, compiled for the baseline and for machines with 256-bit vectors and fused multiply-add.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define HEDDLE_LANE_KERNEL __attribute__((target_clones("default", "arch=haswell")))
#else
#define HEDDLE_LANE_KERNEL
#endif

namespace heddle {

constexpr std::uint32_t kCanonicalNan = 0x7FC00000u;

// Operations fmadd .. fcvt.s.wu, with registers of 64 bits fmadd .. fcvt.d.s, except sign injection and moves; contract
// as execute().
[[nodiscard]] LaneMask execute_fp(const Instruction& instruction, const std::uint32_t* a, const std::uint32_t* b,
                                  const std::uint32_t* c, std::uint32_t* out, LaneMask mask, unsigned lanes,
                                  std::uint8_t* fcsr);
[[nodiscard]] LaneMask execute_fp(const Instruction& instruction, const std::uint64_t* a, const std::uint64_t* b,
                                  const std::uint64_t* c, std::uint64_t* out, LaneMask mask, unsigned lanes,
                                  std::uint8_t* fcsr);

}  // namespace heddle
