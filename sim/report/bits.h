// SPDX-License-Identifier: Apache-2.0
// State bits of the front ends and of dynamic warp formation, structure by structure, computed from the configuration
// alone.
//
// "As built" counts every state bit of docs/frontend.md or docs/dwf.md. "As in the paper" counts those fields that the
// source of the mechanism lists; each other field carries the reason why it is there, so that as built = as in the
// paper + the differences, exactly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/config.h"
#include "isa/instruction.h"

namespace heddle {

enum class Storage { kFlipFlop, kMemory };

struct BitField {
  std::string name;
  unsigned bits = 0;
  std::string reason;  // why the field exists though the paper does not list it; empty: the paper lists it
};

struct BitStructure {
  std::string name;
  std::string module;            // key of the module that holds it, for example "stack/dpe_stack"
  std::vector<BitField> fields;  // of one entry
  std::uint64_t entries = 1;     // of one copy
  std::uint64_t copies = 1;      // in the whole core
  Storage storage = Storage::kFlipFlop;

  [[nodiscard]] unsigned entry_bits() const;
  [[nodiscard]] std::uint64_t bits() const { return entry_bits() * entries * copies; }
};

struct BitDifference {
  std::string what;       // structure, field
  std::int64_t bits = 0;  // less than 0: the paper lists it, and it is not built
  std::string reason;
};

struct BitReport {
  std::string mechanism;
  unsigned warps = 0;                    // of the core
  unsigned partitions = 0;               // front ends; dynamic warp formation has one scheduler
  std::vector<BitStructure> structures;  // as built
  std::vector<BitStructure> paper;       // as in the paper
  std::vector<BitDifference> differences;

  [[nodiscard]] std::uint64_t total_bits() const;
  [[nodiscard]] std::uint64_t paper_bits() const;
  [[nodiscard]] double per_warp_bits() const { return static_cast<double>(total_bits()) / warps; }
  // As built, of a module in one front end of the core.
  [[nodiscard]] std::uint64_t module_bits(std::string_view module) const;
};

// The register file of the core, whose registers have as many bits as the program's (RV32, RV64); no front end has it.
[[nodiscard]] std::uint64_t register_file_bits(const Config& config, Xlen xlen);
// Bits that hold a number below `value`; at least one.
[[nodiscard]] unsigned ceil_log2(std::uint64_t value);
[[nodiscard]] unsigned index_bits(std::uint64_t count);
// The fields of a structure that the paper lists; every other one becomes a difference.
[[nodiscard]] BitStructure listed_part(BitReport& report, const BitStructure& built);

// The mechanism is config.mechanism (a reference has no hardware: Error(option)); the sizes are its keys.
// All front ends of a core are built for the same number of warps.
[[nodiscard]] BitReport count_bits(const Config& config);

[[nodiscard]] std::string bits_table(const Config& config);
[[nodiscard]] std::string bits_json(const Config& config);

}  // namespace heddle
