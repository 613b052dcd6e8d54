// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "config/config.h"
#include "mechanisms/mechanism.h"
#include "report/bits.h"
#include "report/text.h"
#include "report/version.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

// The baseline. A mechanism with its own default depth is not measured against an spe as deep.
Config as_spe(Config config) {
  if (config.stack.depth == default_stack_depth(config.mechanism)) config.stack.depth = default_stack_depth("spe");
  config.mechanism = "spe";
  return config;
}

// Share of the shadow bits in the scoreboard: of the storage without them, and of all of it; zeros if there are none.
struct ShadowShare {
  double of_rest = 0;
  double of_all = 0;
};

ShadowShare shadow_share(const BitReport& report) {
  std::uint64_t shadow = 0;
  std::uint64_t all = 0;
  for (const BitStructure& structure : report.structures) {
    if (structure.module.rfind("scoreboard/", 0) != 0) continue;
    all += structure.bits();
    for (const BitField& field : structure.fields) {
      if (field.name == "S") shadow += field.bits * structure.entries * structure.copies;
    }
  }
  if (shadow == 0) return {};
  return {static_cast<double>(shadow) / static_cast<double>(all - shadow),
          static_cast<double>(shadow) / static_cast<double>(all)};
}

const char* storage_name(Storage storage) { return storage == Storage::kMemory ? "memory" : "flip-flop"; }

std::string format_of(const BitStructure& structure) {
  std::string text;
  for (const BitField& field : structure.fields)
    text += fmt::format("{}{} {}", text.empty() ? "" : " + ", field.name, field.bits);
  return text;
}

std::string structures_text(const std::vector<BitStructure>& structures, std::uint64_t total) {
  TextTable table("lrrrrll");
  table.row({"structure", "entry", "entries", "copies", "bits", "storage", "format"});
  for (const BitStructure& structure : structures) {
    table.row({structure.name, std::to_string(structure.entry_bits()), std::to_string(structure.entries),
               std::to_string(structure.copies), grouped(structure.bits()), storage_name(structure.storage),
               format_of(structure)});
  }
  table.row({"total", "", "", "", grouped(total)});
  return table.text("  ");
}

Json structures_json(const std::vector<BitStructure>& structures) {
  Json list = Json::array();
  for (const BitStructure& structure : structures) {
    Json fields = Json::array();
    for (const BitField& field : structure.fields) fields.push_back({{"name", field.name}, {"bits", field.bits}});
    list.push_back({{"name", structure.name},
                    {"module", structure.module},
                    {"fields", fields},
                    {"entries", structure.entries},
                    {"copies", structure.copies},
                    {"bits", structure.bits()},
                    {"storage", storage_name(structure.storage)}});
  }
  return list;
}

// What the bits are of.
std::string sizes(const Mechanism& mechanism, const Config& config) {
  if (std::string own = mechanism.sizes(config); !own.empty()) return own;
  const bool stack = frontend_shape(config).core.has_stack;
  return fmt::format("{}: {} warps of {} lanes, {} schedulers, {}{} scoreboard entries a table", mechanism.name,
                     config.core.warps, config.core.lanes, config.core.schedulers,
                     stack ? fmt::format("stack depth {}, ", config.stack.depth) : "", config.scoreboard.entries);
}

}  // namespace

std::string bits_table(const Config& config) {
  const BitReport report = count_bits(config);
  const BitReport spe = count_bits(as_spe(config));
  const Mechanism& mechanism = *find_mechanism(config.mechanism);
  std::string text = sizes(mechanism, config) + "\n\n";
  text += "As in the paper\n" + structures_text(report.paper, report.paper_bits());
  text += "\nAs built\n" + structures_text(report.structures, report.total_bits());
  text += "\nDifferences\n";
  TextTable differences("lrl");
  for (const BitDifference& difference : report.differences) {
    const std::string bits =
        (difference.bits < 0 ? "-" : "+") + grouped(static_cast<std::uint64_t>(std::abs(difference.bits)));
    differences.row({difference.what, bits, difference.reason});
  }
  text += differences.text("  ");
  text += fmt::format("\nper warp: {:.1f} bits as built, {:.1f} as in the paper\n", report.per_warp_bits(),
                      static_cast<double>(report.paper_bits()) / report.warps);
  if (const ShadowShare share = shadow_share(report); share.of_all > 0) {
    text += fmt::format("shadow bits: {:.1f} % on top of the scoreboard without them, {:.1f} % of all of it\n",
                        100 * share.of_rest, 100 * share.of_all);
  }
  text += fmt::format("ratio to spe{}: {:.3f} as built, {:.3f} as in the paper\n", mechanism.bits_compared(),
                      static_cast<double>(report.total_bits()) / static_cast<double>(spe.total_bits()),
                      static_cast<double>(report.paper_bits()) / static_cast<double>(spe.paper_bits()));
  text += fmt::format("register file of the core: {} bits for programs of RV32, {} for those of RV64\n",
                      grouped(register_file_bits(config, Xlen::k32)), grouped(register_file_bits(config, Xlen::k64)));
  return text;
}

std::string bits_json(const Config& config) {
  const BitReport report = count_bits(config);
  const BitReport spe = count_bits(as_spe(config));
  const ShadowShare share = shadow_share(report);
  Json differences = Json::array();
  for (const BitDifference& difference : report.differences) {
    differences.push_back({{"what", difference.what}, {"bits", difference.bits}, {"reason", difference.reason}});
  }
  const Json document = {
      {"heddle", {{"version", version()}, {"git", git_revision()}}},
      {"mechanism", report.mechanism},
      {"structures", structures_json(report.structures)},
      {"total_bits", report.total_bits()},
      {"per_warp_bits", report.per_warp_bits()},
      {"ratio_to_spe", static_cast<double>(report.total_bits()) / static_cast<double>(spe.total_bits())},
      {"shadow_share", share.of_rest},
      {"paper",
       {{"structures", structures_json(report.paper)},
        {"total_bits", report.paper_bits()},
        {"per_warp_bits", static_cast<double>(report.paper_bits()) / report.warps},
        {"ratio_to_spe", static_cast<double>(report.paper_bits()) / static_cast<double>(spe.paper_bits())}}},
      {"differences", differences},
      {"register_file",
       {{"rv32", register_file_bits(config, Xlen::k32)}, {"rv64", register_file_bits(config, Xlen::k64)}}},
  };
  return document.dump(2) + "\n";
}

}  // namespace heddle
