// SPDX-License-Identifier: Apache-2.0
#include "report/bits.h"

#include <iostream>

#include "cli/commands.h"
#include "cli/output.h"

namespace heddle {
namespace po = boost::program_options;

CommandLine bits_line() {
  CommandLine line{"bits",
                   "[--mechanism NAME] [--set KEY=VALUE]... [--json FILE]",
                   "Counts the state bits of the front ends, or of dynamic warp formation: per structure, entry "
                   "format, entries, copies; as in the paper\n"
                   "and as built.",
                   {},
                   0,
                   0,
                   ""};
  add_config_options(line.options, true);
  line.options.add_options()("json", po::value<std::string>()->value_name("FILE"),
                             "write the counts as JSON ('-': standard output, and no table)");
  return line;
}

ExitStatus bits_command(const ParsedLine& parsed) {
  const Config config = read_config(parsed).build();  // count_bits refuses mechanisms without hardware
  const std::string json = parsed.text("json");
  check_outputs({{"--json", json}});
  if (json != "-") std::cout << bits_table(config);
  OutputFailures failures;
  if (!json.empty()) failures.attempt([&] { write_document(json, bits_json(config)); });
  return tell(failures);
}

}  // namespace heddle
