// SPDX-License-Identifier: Apache-2.0
// The launch convention of docs/isa.md: memory map, registers at the start of a thread, thread numbering, environment
// calls. The core, the functional runner and the oracle all take it from here.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "heddle/arguments.h"
#include "heddle/config.h"
#include "heddle/device_interface.h"
#include "heddle/error.h"
#include "heddle/types.h"
#include "isa/instruction.h"
#include "isa/program.h"

namespace heddle {

// Memory map.
constexpr Address kNullPageEnd = 0x00001000;    // [0, here) is never mapped
constexpr Address kHeapBase = 0x20000000;       // buffers of RV32 programs; of all, the end of what an ELF may place
constexpr Address kHeapLimit = 0x60000000;      // end of the heap's address range
constexpr Address kUpperHeapBase = 0x80000000;  // more of it, for a large heap whose buffers and gaps do not fit there
constexpr Address kUpperHeapLimit = 0xF0000000;
constexpr Address kSharedBase = 0x60000000;  // shared window of a block
constexpr Address kLocalBase = 0x70000000;   // local window of a thread
constexpr Address kWindowsEnd = 0x80000000;
constexpr Address kWideHeapBase = 0x100000000;  // buffers of RV64 programs
// memory.heap_bytes that are used.
constexpr std::uint64_t kMaxHeapBytes = kHeapLimit - kHeapBase;
constexpr std::uint64_t kMaxWideHeapBytes = std::uint64_t{1} << 40;

// Environment calls (a7), numbers of Linux but for print.
// Write: a0 = 1 or 2, a1 = address, a2 = bytes; a0 becomes the number of bytes written.
constexpr std::uint32_t kEcallWrite = 64;
// Print: a0 = format, a1 = address of the arguments, a2 = bit n: argument n has 8 bytes; a0 becomes the number of
// arguments (memory/print_call.h).
constexpr std::uint32_t kEcallPrint = 4096;
constexpr std::uint32_t kEcallExit = 93;       // a0 = status
constexpr std::uint32_t kEcallExitGroup = 94;  // same as exit: ends the calling thread

constexpr unsigned kArgumentRegisters = 8;  // a0..a7, and fa0..fa7

struct Launch {
  const Program* program = nullptr;
  std::string kernel;  // name, for messages
  Pc entry = 0;
  Dim3 grid, block;
  Address global_pointer = 0;
  KernelArguments arguments;
  std::uint32_t static_shared = 0;   // bytes, as Kernel::shared_size
  std::uint32_t dynamic_shared = 0;  // bytes behind them
  bool cooperative = false;          // its blocks wait for each other: all are there together

  [[nodiscard]] std::uint32_t threads_per_block() const { return static_cast<std::uint32_t>(block.count()); }
  [[nodiscard]] std::uint32_t warps_per_block(unsigned lanes) const {
    return (threads_per_block() + lanes - 1) / lanes;
  }
  [[nodiscard]] std::uint64_t blocks() const { return grid.count(); }
  [[nodiscard]] std::uint32_t shared_bytes() const { return static_shared + dynamic_shared; }
};

// Index of element `linear` of a `size` box, x fastest.
[[nodiscard]] inline Dim3 unflatten(std::uint64_t linear, const Dim3& size) {
  return {static_cast<std::uint32_t>(linear % size.x), static_cast<std::uint32_t>(linear / size.x % size.y),
          static_cast<std::uint32_t>(linear / (std::uint64_t{size.x} * size.y))};
}

// "(x,y,z)"
[[nodiscard]] inline std::string to_string(const Dim3& d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

// kernel: one of the program's (program/loader.h: find_kernel). Refuses what this machine can never run: empty or too
// large grids and blocks, too many arguments, too much shared memory, too few registers. Throws bad_input("launch",
// ...), and bad_input("kernel", ...) where the kernel has warp-wide operations and a warp fewer threads than they span.
[[nodiscard]] Launch make_launch(const Program& program, const Kernel& kernel, Dim3 grid, Dim3 block,
                                 KernelArguments arguments, std::uint32_t dynamic_shared, const Config& config);
// Blocks of a kernel that a core has at once.
[[nodiscard]] std::uint64_t resident_blocks(std::uint64_t threads_per_block, std::uint64_t shared_bytes,
                                            const Config& config);
// Throws bad_input("launch", ..., kTooManyBlocks) unless so many cores have all blocks of it at once.
void check_resident(const Launch& launch, const Config& config, unsigned cores);
// Whether an instruction of a kind is reached from `entry` by branches, jumps and direct calls; what is called through
// a pointer is not looked at.
[[nodiscard]] bool reaches(const Program& program, Pc entry, const std::function<bool(Pc, const Instruction&)>& wanted);
// Why a warp of so few lanes cannot run a warp-wide operation.
[[nodiscard]] std::string narrow_warp(unsigned lanes);
// KernelArguments of one register each, of which RV32 takes the low 32 bits; bit i of float_mask: argument i is a
// float. In a kernel of RV64 whose types are known these decide: a word for an integer of up to 32 bits is cut and
// extended as they say, one for a double is its bits.
[[nodiscard]] KernelArguments word_arguments(const std::vector<std::uint64_t>& words, std::uint32_t float_mask,
                                             const Program& program, const Kernel& kernel, const Config& config);

struct InitialRegister {
  RegId reg;
  std::uint64_t value;
};
// Registers that do not start as 0; the same for every thread of the launch.
[[nodiscard]] std::vector<InitialRegister> initial_registers(const Launch& launch, const Config& config);

}  // namespace heddle
