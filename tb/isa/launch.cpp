// SPDX-License-Identifier: Apache-2.0
#include "isa/launch.h"

namespace heddle {
namespace {

constexpr std::uint32_t kRegistersPerThread = 64;

}  // namespace

Launch make_launch(const Program& program, const Kernel& kernel, Dim3 grid, Dim3 block,
                   const std::vector<std::uint32_t>& arguments, std::uint32_t float_mask, std::uint32_t dynamic_shared,
                   const Config& config) {
  Launch launch;
  launch.program = &program;
  launch.kernel = kernel.name;
  launch.entry = kernel.entry;
  launch.grid = grid;
  launch.block = block;
  launch.arguments = arguments;
  launch.float_mask = float_mask;
  launch.dynamic_shared = dynamic_shared;

  const auto refuse = [&](const std::string& why) {
    return bad_input("launch", "kernel '" + kernel.name + "': " + why);
  };
  const auto empty = [](const Dim3& d) { return d.x == 0 || d.y == 0 || d.z == 0; };
  if (empty(grid)) throw refuse("grid " + to_string(grid) + " has no block; every dimension is at least 1");
  if (empty(block)) throw refuse("block " + to_string(block) + " has no thread; every dimension is at least 1");
  // Products of three 32-bit numbers wrap in 64 bits: bound them one factor at a time.
  const auto product_above = [](const Dim3& d, std::uint64_t limit) {
    const std::uint64_t plane = std::uint64_t{d.x} * d.y;
    return plane > limit || plane * d.z > limit;
  };
  const std::uint64_t most_threads = std::uint64_t{config.core.warps} * config.core.lanes;
  if (product_above(block, most_threads)) {
    throw refuse("block " + to_string(block) + " is too large: a core of " + std::to_string(config.core.warps) +
                 " warps x " + std::to_string(config.core.lanes) + " lanes holds " + std::to_string(most_threads) +
                 " threads");
  }
  if (product_above(grid, 0xFFFFFFFFu / block.count())) {
    throw refuse("grid " + to_string(grid) + " x block " + to_string(block) +
                 " has more than 2^32 - 1 threads; launch several smaller grids");
  }
  const std::uint64_t registers =
      std::uint64_t{launch.warps_per_block(config.core.lanes)} * config.core.lanes * kRegistersPerThread;
  if (registers > config.core.registers) {
    throw refuse("block " + to_string(block) + " needs " + std::to_string(registers) + " registers, the core has " +
                 std::to_string(config.core.registers) + " (core.registers): use a smaller block");
  }
  if (std::uint64_t{program.shared_size} + dynamic_shared > config.core.shared_bytes) {
    throw refuse("a block needs " + std::to_string(std::uint64_t{program.shared_size} + dynamic_shared) +
                 " bytes of shared memory, the core has " + std::to_string(config.core.shared_bytes) +
                 " (core.shared_bytes)");
  }
  if (arguments.size() > 2 * kArgumentRegisters)
    throw refuse(std::to_string(arguments.size()) + " arguments, at most 8 integers and 8 floats are passed");
  const auto floats = static_cast<unsigned>(
      __builtin_popcount(float_mask & static_cast<std::uint32_t>(lane_mask(static_cast<unsigned>(arguments.size())))));
  if (floats > kArgumentRegisters || arguments.size() - floats > kArgumentRegisters) {
    throw refuse(std::to_string(arguments.size() - floats) + " integer and " + std::to_string(floats) +
                 " float arguments, at most 8 of each kind are passed");
  }
  return launch;
}

std::vector<InitialRegister> initial_registers(const Launch& launch, const Config& config) {
  std::vector<InitialRegister> registers = {
      {kRa, launch.program->exit_stub},
      {kSp, kLocalBase + (config.memory.local_bytes & ~15u)},
      {kGp, launch.program->global_pointer},
      {kTp, launch.program->thread_pointer},
  };
  RegId next_integer = kA0, next_float = kFa0;
  for (unsigned i = 0; i < launch.arguments.size(); ++i) {
    const bool is_float = (launch.float_mask >> i & 1u) != 0;
    registers.push_back({is_float ? next_float++ : next_integer++, launch.arguments[i]});
  }
  return registers;
}

}  // namespace heddle
