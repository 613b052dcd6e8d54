// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"
#include "program/cfg_dump.h"
#include "program/loader.h"

namespace heddle {
namespace po = boost::program_options;

CommandLine cfg_line() {
  CommandLine line{
      "cfg",
      "KERNEL.elf|WORKLOAD [--dot FILE] [--json FILE] [--rom FILE]",
      "Shows the control-flow graph of each function: blocks, immediate post-dominators, and for each branch its "
      "reconvergence point,\n"
      "whether it is structured, and whether both sides can be interleaved; unstructured edges and regions.",
      {},
      1,
      1,
      "the kernel file",
      workload_names};
  line.options.add_options()("dot", po::value<std::string>()->value_name("FILE"),
                             "write the graph for Graphviz ('-': standard output, and no text)")(
      "json", po::value<std::string>()->value_name("FILE"), "write it as JSON ('-': standard output, and no text)")(
      "rom", po::value<std::string>()->value_name("FILE"),
      "write what a decoder needs of each instruction for $readmemh ('-': standard output, and no text)");
  return line;
}

ExitStatus cfg_command(const ParsedLine& parsed) {
  const std::string dot = parsed.text("dot");
  const std::string json = parsed.text("json");
  const std::string rom = parsed.text("rom");
  std::vector<std::string> to_stdout;
  for (const char* option : {"dot", "json", "rom"}) {
    if (parsed.text(option) == "-") to_stdout.push_back(fmt::format("--{} -", option));
  }
  if (to_stdout.size() > 1)
    throw bad_input("option", fmt::format("{}: only one document fits on standard output; name a file for the other",
                                          fmt::join(to_stdout, " and ")));
  check_outputs({{"--dot", dot}, {"--json", json}, {"--rom", rom}});
  const std::string& name = parsed.words[0];
  const Program program = load_program(names_elf(name) ? name : make_workload(name)->elf());
  const std::vector<FunctionCfg> functions = control_flow(program);

  using Writer = void (*)(const Program&, const std::vector<FunctionCfg>&, std::ostream&);
  OutputFailures failures;
  const auto write = [&](const std::string& path, Writer writer) {
    if (path.empty()) return;
    std::ostringstream text;
    writer(program, functions, text);
    failures.attempt([&] { write_document(path, text.str()); });
  };
  write(dot, write_cfg_dot);
  write(json, write_cfg_json);
  write(rom, write_rpc_rom);
  if (to_stdout.empty()) write_cfg_text(program, functions, std::cout);
  return tell(failures);
}

}  // namespace heddle
