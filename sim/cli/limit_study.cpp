// SPDX-License-Identifier: Apache-2.0
#include "limit/study.h"

#include <algorithm>
#include <iostream>
#include <new>
#include <optional>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "program/loader.h"

namespace heddle {
namespace po = boost::program_options;

CommandLine limit_study_line() {
  const LimitOptions defaults;
  CommandLine line{"limit-study",
                   "WORKLOAD...|KERNEL.elf [options]",
                   "What warps would gain if they reconverged at the best points there are instead of at immediate "
                   "post-dominators: threads are\n"
                   "traced, and the traces of a warp aligned. The machine counts as far as it forms warps (core.lanes, "
                   "stack.order).",
                   {},
                   1,
                   1000,
                   "the workload or kernel file",
                   workload_names};
  const auto number = [](std::uint64_t value) {
    return po::value<std::string>()->value_name("N")->default_value(std::to_string(value));
  };
  add_config_options(line.options, false);
  add_input_options(line.options);
  line.options.add_options()("threads", number(defaults.threads),
                             "trace the first N threads of each launch, rounded up to whole warps")(
      "max-cells", number(defaults.max_cells), "stop when the alignments of a program need more than N matrix cells")(
      "max-trace", number(defaults.max_trace), "stop when the traced threads of a launch jump more than N times")(
      "json", po::value<std::string>()->value_name("FILE"),
      "write the figures as JSON ('-': standard output, and no table)");
  return line;
}

ExitStatus limit_study_command(const ParsedLine& parsed) {
  const Config config = read_config(parsed).build();
  const std::string json = parsed.text("json");
  LimitOptions options;
  options.threads = parse_count(parsed.text("threads"), "--threads");
  options.max_cells = parse_count(parsed.text("max-cells"), "--max-cells");
  options.max_trace = parse_count(parsed.text("max-trace"), "--max-trace");
  options.text_to_stderr = json == "-";
  if (options.threads == 0) throw bad_input("option", "--threads 0: nothing to trace; choose at least 1");
  std::vector<Input> inputs;
  for (const std::string& name : parsed.words) inputs.push_back(read_input(parsed, name));

  std::vector<Task> tasks;
  std::vector<NamedOutput> outputs = {{"--json", json}};
  for (const Input& input : inputs) {
    tasks.push_back(make_task(input, config));
    outputs.insert(outputs.end(), tasks.back().outputs.begin(), tasks.back().outputs.end());
  }
  check_outputs(outputs);

  const Stoppable stoppable;
  options.stop_flag = &stop_flag();
  std::vector<LimitResult> results;
  std::optional<Error> failure;  // what ended the study; the programs before it stay
  OutputFailures failures;
  try {
    for (const Task& task : tasks) {
      const std::string& name = inputs[results.size()].name;
      check_stop("before " + name + " was loaded");
      Program program = load_program(task.elf);
      task.prepare(program);
      LimitResult result = study_limit(name, config, options, std::move(program), task.run);
      task.write_outputs(failures);
      task.finish();
      results.push_back(std::move(result));
    }
  } catch (const Error& error) {
    failure = name_signal(error);
  } catch (const std::bad_alloc&) {
    failure = out_of_memory();
  }
  if (failure) print_error(failure->what());
  if (json != "-" && !results.empty()) std::cout << limit_table(results, config);
  failures.attempt(check_stdout);
  if (!failure && !failures.lines().empty()) failure = bad_input("output", failures.lines().front());
  if (!json.empty())
    failures.attempt(
        [&] { write_document(json, limit_json(results, config, options, failure ? &*failure : nullptr)); });
  const ExitStatus written = tell(failures);
  return failure ? signal_status(failure->code(), std::max(failure->status(), written)) : written;
}

}  // namespace heddle
