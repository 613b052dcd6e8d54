// SPDX-License-Identifier: Apache-2.0
#include "isa/launch.h"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

constexpr std::uint32_t kRegistersPerThread = 64;
constexpr std::size_t kMaxStackArguments = 4096;  // bytes, as CUDA allows

// An integer of up to 32 bits, by its type.
std::uint32_t extended(std::uint32_t word, const Parameter& type) {
  const unsigned shift = 32 - 8 * std::min(4u, type.bytes);
  return type.is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(word << shift) >> shift)
                        : word << shift >> shift;
}

}  // namespace

bool reaches(const Program& program, Pc entry, const std::function<bool(Pc, const Instruction&)>& wanted) {
  std::vector<bool> seen(program.text.size());
  std::vector<Pc> left{entry};
  while (!left.empty()) {
    const Pc pc = left.back();
    left.pop_back();
    const Instruction* inst = program.at(pc);
    if (inst == nullptr || seen[(pc - program.text_begin) / 4]) continue;
    seen[(pc - program.text_begin) / 4] = true;
    if (wanted(pc, *inst)) return true;
    if (inst->is_branch() || inst->op == Op::kJal) left.push_back(pc + static_cast<Pc>(inst->imm));
    if (!inst->is_jump() || inst->is_call()) left.push_back(pc + 4);
  }
  return false;
}

std::string narrow_warp(unsigned lanes) {
  return "warp-wide operations (shuffle, vote, __syncwarp) span " + std::to_string(kWarpWide) +
         " threads, and a warp of this machine has " + std::to_string(lanes) +
         ": set core.lanes to 32 or 64, on a mechanism that keeps warps together (spe, dpe)";
}

Launch make_launch(const Program& program, const Kernel& kernel, Dim3 grid, Dim3 block, KernelArguments arguments,
                   std::uint32_t dynamic_shared, const Config& config) {
  Launch launch;
  launch.program = &program;
  launch.kernel = kernel.name;
  launch.entry = kernel.entry;
  launch.global_pointer = kernel.global_pointer;
  launch.grid = grid;
  launch.block = block;
  launch.arguments = std::move(arguments);
  launch.static_shared = kernel.shared_size;
  launch.dynamic_shared = dynamic_shared;

  const auto refuse = [&](const std::string& why, ErrorKind kind = ErrorKind::kOther) {
    return bad_input("launch", "kernel '" + kernel.name + "': " + why, kind);
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
                     std::to_string(config.core.registers) + " (core.registers): use a smaller block",
                 ErrorKind::kResources);
  }
  if (config.core.lanes < kWarpWide &&
      reaches(program, kernel.entry, [](Pc, const Instruction& i) { return i.is_warp_wide(); })) {
    throw bad_input("kernel", "kernel '" + kernel.name + "': " + narrow_warp(config.core.lanes),
                    ErrorKind::kUnsupported);
  }
  if (std::uint64_t{kernel.shared_size} + dynamic_shared > config.core.shared_bytes) {
    throw refuse("a block needs " + std::to_string(std::uint64_t{kernel.shared_size} + dynamic_shared) +
                     " bytes of shared memory, the core has " + std::to_string(config.core.shared_bytes) +
                     " (core.shared_bytes)",
                 ErrorKind::kResources);
  }
  if (launch.arguments.stack.size() > kMaxStackArguments ||
      launch.arguments.stack.size() > config.memory.local_bytes / 2) {
    throw refuse(std::to_string(launch.arguments.stack.size()) + " bytes of arguments on the stack; at most " +
                 std::to_string(kMaxStackArguments) + ", and half of memory.local_bytes, are passed");
  }
  return launch;
}

std::uint64_t resident_blocks(std::uint64_t threads_per_block, std::uint64_t shared_bytes, const Config& config) {
  const Config::Core& core = config.core;
  const std::uint64_t warps = (threads_per_block + core.lanes - 1) / core.lanes;
  return std::min<std::uint64_t>({core.max_blocks, core.warps / warps,
                                  core.registers / (warps * core.lanes * kRegistersPerThread),
                                  shared_bytes == 0 ? core.max_blocks : core.shared_bytes / shared_bytes});
}

void check_resident(const Launch& launch, const Config& config, unsigned cores) {
  const std::uint64_t most = cores * resident_blocks(launch.threads_per_block(), launch.shared_bytes(), config);
  if (launch.blocks() <= most) return;
  throw bad_input(
      "launch",
      "kernel '" + launch.kernel + "': " + std::to_string(launch.blocks()) +
          " blocks that wait for each other cannot be there together: " + std::to_string(most) +
          " can (core.warps, core.max_blocks, core.registers, core.shared_bytes, and gpu.sms on the machine)",
      ErrorKind::kTooManyBlocks);
}

KernelArguments word_arguments(const std::vector<std::uint64_t>& words, std::uint32_t float_mask,
                               const Program& program, const Kernel& kernel, const Config& config) {
  ArgumentBuilder builder(stack_top(config), program.register_bytes());
  const bool typed = program.xlen == Xlen::k64 && kernel.parameters && kernel.parameters->size() == words.size();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto word = static_cast<std::uint32_t>(words[i]);
    const Parameter unknown;
    const Parameter& parameter = typed ? (*kernel.parameters)[i] : unknown;
    const bool integer = parameter.kind == Parameter::Kind::kInteger || parameter.kind == Parameter::Kind::kBool;
    const bool floating = typed ? parameter.kind == Parameter::Kind::kFloat : i < 32 && (float_mask >> i & 1u) != 0;
    if (floating && parameter.bytes == 8) builder.add_double(words[i]);
    else if (floating) builder.add_float(word);
    else if (integer && parameter.bytes < 8) builder.add_word(extended(word, parameter));
    else if (program.xlen == Xlen::k64) builder.add_doubleword(words[i]);
    else builder.add_word(word);
  }
  return builder.finish();
}

std::vector<InitialRegister> initial_registers(const Launch& launch, const Config& config) {
  const KernelArguments& arguments = launch.arguments;
  std::vector<InitialRegister> registers = {
      {kRa, launch.program->exit_stub},
      {kSp, stack_top(config) - static_cast<Address>(arguments.stack.size())},
      {kGp, launch.global_pointer},
      {kTp, launch.program->thread_pointer},
  };
  for (unsigned i = 0; i < arguments.integers.size(); ++i)
    registers.push_back({static_cast<RegId>(kA0 + i), arguments.integers[i]});
  for (unsigned i = 0; i < arguments.floats.size(); ++i)
    registers.push_back({static_cast<RegId>(kFa0 + i), arguments.floats[i]});
  return registers;
}

}  // namespace heddle
