// SPDX-License-Identifier: Apache-2.0
#include "memory/fault_text.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace heddle {

std::string hex(std::uint64_t value) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%08" PRIx64, value);
  return text;
}

namespace {

// "argument 2 'y'", or "a buffer" if none of the launch's arguments points into it.
std::string buffer_name(const AddressSpace::Nearest& buffer, const Launch& launch) {
  const auto& words = launch.arguments.words;
  auto found = std::find_if(words.begin(), words.end(),
                            [&](const KernelArguments::Word& word) { return word.value == buffer.begin; });
  if (found == words.end()) {
    found = std::find_if(words.begin(), words.end(),
                         [&](const KernelArguments::Word& word) { return word.value - buffer.begin < buffer.bytes; });
  }
  if (found == words.end()) return "a buffer";
  std::string name = "argument " + std::to_string(found->argument + 1);
  const Kernel* kernel = launch.program->kernel(launch.kernel);
  if (kernel == nullptr || !kernel->parameters || found->argument >= kernel->parameters->size()) return name;
  const std::string& parameter = (*kernel->parameters)[found->argument].name;
  return parameter.empty() ? name : name + " '" + parameter + "'";
}

std::string variable_name(Address address, const Program& program) {
  const auto& all = program.variables;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Variable& variable) { return variable.address == address; });
  return found == all.end() ? "a variable" : "variable " + found->name;
}

// " (nearest: offset 400 of argument 2 'y', 400 bytes at 0x20000200)"
std::string nearest_text(Address address, unsigned bytes, const AddressSpace& memory, const Launch& launch) {
  const AddressSpace::Nearest nearest = memory.nearest(address, bytes);
  if (nearest.kind == AddressSpace::Nearest::Kind::kNothing) return "";
  const bool buffer = nearest.kind == AddressSpace::Nearest::Kind::kBuffer;
  return " (nearest: offset " + std::to_string(static_cast<std::int64_t>(address - nearest.begin)) + " of " +
         (buffer ? buffer_name(nearest, launch) : variable_name(nearest.begin, *launch.program)) + ", " +
         std::to_string(nearest.bytes) + " bytes at " + hex(nearest.begin) + ")";
}

}  // namespace

std::string fault_text(Fault fault, Address address, unsigned bytes, const AddressSpace& memory, const Launch& launch) {
  switch (fault) {
    case Fault::kNone: return "no fault";
    case Fault::kNullPage: return "null pointer (page 0 is not mapped)";
    case Fault::kUnmapped: return "unmapped memory" + nearest_text(address, bytes, memory, launch);
    case Fault::kOutside: return "outside every buffer and variable" + nearest_text(address, bytes, memory, launch);
    case Fault::kFreed: return "a buffer that was freed" + nearest_text(address, bytes, memory, launch);
    case Fault::kMisaligned: return "misaligned address";
    case Fault::kReadOnly: return "read-only memory";
    case Fault::kOutsideShared:
      return "shared memory beyond the block's " + std::to_string(launch.shared_bytes()) + " bytes, at offset " +
             std::to_string(address - kSharedBase);
    case Fault::kOutsideLocal: return "outside the thread's local memory of memory.local_bytes (stack overflow?)";
  }
  return "unknown fault";
}

}  // namespace heddle
