// SPDX-License-Identifier: Apache-2.0
// Control and status registers of docs/isa.md: numbers, and the lane-parallel Zicsr instructions.
#pragma once

#include <cstdint>

#include "heddle/device_interface.h"
#include "heddle/types.h"
#include "isa/instruction.h"
#include "isa/launch.h"

namespace heddle {

enum Csr : std::uint32_t {
  kCsrFflags = 0x001,
  kCsrFrm = 0x002,
  kCsrFcsr = 0x003,
  kCsrCycle = 0xC00,
  kCsrTime = 0xC01,
  kCsrInstret = 0xC02,
  kCsrCycleh = 0xC80,
  kCsrTimeh = 0xC81,
  kCsrInstreth = 0xC82,
  kCsrThreadX = 0xCC0,
  kCsrThreadY,
  kCsrThreadZ,
  kCsrBlockX,
  kCsrBlockY,
  kCsrBlockZ,
  kCsrBlockDimX,
  kCsrBlockDimY,
  kCsrBlockDimZ,
  kCsrGridDimX,
  kCsrGridDimY,
  kCsrGridDimZ,
  kCsrLane,
  kCsrWarp,
  kCsrMhartid = 0xF14,
};

// Counters: their values depend on the machine that runs the program, not on the program alone.
[[nodiscard]] inline bool is_counter(std::uint32_t csr) {
  return (csr >= kCsrCycle && csr <= kCsrInstret) || (csr >= kCsrCycleh && csr <= kCsrInstreth);
}

// What the index registers of the threads of one warp read.
struct WarpContext {
  alignas(64) std::uint32_t thread_x[kMaxLanes];
  alignas(64) std::uint32_t thread_y[kMaxLanes];
  alignas(64) std::uint32_t thread_z[kMaxLanes];
  Dim3 block_index, block_dim, grid_dim;
  std::uint32_t warp_in_block = 0;  // register "warp": number of the warp in its block
  std::uint32_t first_thread = 0;   // global linear number of the thread in lane 0
  LaneMask lanes_used = 0;          // lanes that have a thread

  // Warp `warp` of block `block` (linear numbers) of a launch on a machine of `lanes` lanes a warp.
  WarpContext() = default;
  WarpContext(const Launch& launch, std::uint64_t block, std::uint32_t warp, unsigned lanes);
};

// Executes a Zicsr instruction on registers of RV32 or RV64 (which has no upper halves of counters). a: rs1. cycle and
// instret: values of the counters (instret: instructions of the warp). Returns the lanes for which it is illegal
// (unknown register, write to a read-only one): all of mask or none.
[[nodiscard]] LaneMask execute_csr(const Instruction& instruction, const WarpContext& context, std::uint64_t cycle,
                                   std::uint64_t instret, const std::uint32_t* a, std::uint32_t* out, LaneMask mask,
                                   unsigned lanes, std::uint8_t* fcsr);
[[nodiscard]] LaneMask execute_csr(const Instruction& instruction, const WarpContext& context, std::uint64_t cycle,
                                   std::uint64_t instret, const std::uint64_t* a, std::uint64_t* out, LaneMask mask,
                                   unsigned lanes, std::uint8_t* fcsr);

}  // namespace heddle
