// SPDX-License-Identifier: Apache-2.0
#include "limit/study.h"

#include <iostream>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"
#include "program/loader.h"

namespace heddle {
namespace po = boost::program_options;

ExitStatus limit_study_command(const Arguments& arguments) {
  const LimitOptions defaults;
  CommandLine line{"limit-study", "WORKLOAD...|KERNEL.elf [options]",
                   "What warps would gain if they reconverged at the best points there are instead of at immediate post-dominators: threads are\n"
                   "traced, and the traces of a warp aligned. The machine counts as far as it forms warps (core.lanes, stack.order).",
                   {}, 1, 1000, "the workload or kernel file"};
  const auto number = [](std::uint64_t value) { return po::value<std::string>()->value_name("N")->default_value(std::to_string(value)); };
  add_config_options(line.options, false);
  add_input_options(line.options);
  line.options.add_options()
      ("threads", number(defaults.threads), "trace the first N threads of each launch, rounded up to whole warps")
      ("max-cells", number(defaults.max_cells), "stop when the alignments of a program need more than N matrix cells")
      ("max-trace", number(defaults.max_trace), "stop when the traced threads of a launch jump more than N times")
      ("json", po::value<std::string>()->value_name("FILE"), "write the figures as JSON ('-': standard output, and no table)");
  const ParsedLine parsed = parse_line(line, arguments);
  if (parsed.help) return ExitStatus::kPass;
  const Config config = read_config(parsed).build();
  const std::string json = parsed.text("json");
  LimitOptions options;
  options.threads = parse_count(parsed.text("threads"), "--threads");
  options.max_cells = parse_count(parsed.text("max-cells"), "--max-cells");
  options.max_trace = parse_count(parsed.text("max-trace"), "--max-trace");
  options.text_to_stderr = json == "-";
  if (options.threads == 0) throw bad_input("option", "--threads 0: nothing to trace; choose at least 1");
  if (!json.empty() && json != "-") check_writable(json);
  std::vector<Input> inputs;
  for (const std::string& name : parsed.words) inputs.push_back(read_input(parsed, name));

  std::vector<LimitResult> results;
  for (const Input& input : inputs) {
    const Task task = make_task(input, config);
    Program program = load_program(task.elf);
    task.prepare(program);
    results.push_back(study_limit(input.name, config, options, std::move(program), task.run));
    task.finish();
  }
  if (json != "-") std::cout << limit_table(results, config);
  if (!json.empty()) write_document(json, limit_json(results, config, options));
  return ExitStatus::kPass;
}

}  // namespace heddle
