// SPDX-License-Identifier: Apache-2.0
#include "report/bits.h"

#include <fmt/format.h>

#include <algorithm>

#include "heddle/error.h"
#include "mechanisms/mechanism.h"
#include "report/frontend_bits.h"

namespace heddle {
namespace {

// Neighbouring fields with one reason are one difference.
void add_difference(BitReport& report, const BitStructure& built, const BitField& field) {
  const auto bits = static_cast<std::int64_t>(field.bits * built.entries * built.copies);
  const std::string prefix = built.name + ": ";
  if (!report.differences.empty()) {
    BitDifference& last = report.differences.back();
    if (last.reason == field.reason && last.what.compare(0, prefix.size(), prefix) == 0) {
      last.what += ", " + field.name;
      last.bits += bits;
      return;
    }
  }
  report.differences.push_back({prefix + field.name, bits, field.reason});
}

std::uint64_t sum(const std::vector<BitStructure>& structures) {
  std::uint64_t bits = 0;
  for (const BitStructure& structure : structures) bits += structure.bits();
  return bits;
}

}  // namespace

std::uint64_t register_file_bits(const Config& config, Xlen xlen) {
  return std::uint64_t{config.core.registers} * (xlen == Xlen::k64 ? 64 : 32);
}

unsigned ceil_log2(std::uint64_t value) {
  unsigned bits = 0;
  while ((std::uint64_t{1} << bits) < value) ++bits;
  return bits;
}

unsigned index_bits(std::uint64_t count) { return std::max(1u, ceil_log2(count)); }

BitStructure listed_part(BitReport& report, const BitStructure& built) {
  BitStructure listed = built;
  listed.fields.clear();
  for (const BitField& field : built.fields) {
    if (field.bits == 0) continue;
    if (field.reason.empty()) {
      listed.fields.push_back(field);
    } else {
      add_difference(report, built, field);
    }
  }
  return listed;
}

unsigned BitStructure::entry_bits() const {
  unsigned bits = 0;
  for (const BitField& field : fields) bits += field.bits;
  return bits;
}

std::uint64_t BitReport::total_bits() const { return sum(structures); }
std::uint64_t BitReport::paper_bits() const { return sum(paper); }

std::uint64_t BitReport::module_bits(std::string_view module) const {
  std::uint64_t bits = 0;
  for (const BitStructure& structure : structures) {
    if (structure.module == module) bits += structure.bits();
  }
  return bits / partitions;
}

BitReport count_bits(const Config& config) {
  const Mechanism* mechanism = find_mechanism(config.mechanism);
  if (mechanism == nullptr)
    throw bad_input("option", fmt::format("mechanism {}: nothing is known of its bits", config.mechanism));
  if (const FrontendDesign* design = mechanism->design(config)) return bits_of_frontend(*design, config);
  if (std::optional<BitReport> report = mechanism->bits(config)) return *report;
  std::vector<std::string> names;
  for (const Mechanism* each : mechanisms()) {
    if (each->kind != MechanismKind::kReference) names.emplace_back(each->name);
  }
  throw bad_input("option", fmt::format("mechanism {}: there is no hardware of it to count; choose one of {}",
                                        config.mechanism, fmt::join(names, ", ")));
}

}  // namespace heddle
