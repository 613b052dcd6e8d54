// SPDX-License-Identifier: Apache-2.0
#include "report/bits.h"

#include <iostream>

#include "cli/commands.h"
#include "cli/output.h"
#include "config/mechanisms.h"

namespace heddle {
namespace po = boost::program_options;

ExitStatus bits_command(const Arguments& arguments) {
  CommandLine line{"bits", "[--mechanism NAME] [--set KEY=VALUE]... [--json FILE]",
                   "Counts the state bits of the front ends, or of dynamic warp formation: per structure, entry format, entries, copies; as in the paper\n"
                   "and as built.",
                   {}, 0, 0, ""};
  add_config_options(line.options, false);
  line.options.add_options()
      ("mechanism", po::value<std::string>()->value_name("NAME"), "spe, dpe or dwf; default spe")
      ("json", po::value<std::string>()->value_name("FILE"), "write the counts as JSON ('-': standard output, and no table)");
  const ParsedLine parsed = parse_line(line, arguments);
  if (parsed.help) return ExitStatus::kPass;
  const std::string mechanism = parsed.text("mechanism");
  Config config = read_config(parsed, false, preset_of_mechanism(mechanism)).build();
  if (!mechanism.empty()) config.mechanism = mechanism;  // those with hardware: count_bits knows them
  check_config(config);
  const std::string json = parsed.text("json");
  if (!json.empty()) write_document(json, bits_json(config));
  if (json != "-") std::cout << bits_table(config);
  return ExitStatus::kPass;
}

}  // namespace heddle
