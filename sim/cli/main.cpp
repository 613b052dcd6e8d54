// SPDX-License-Identifier: Apache-2.0
// heddle: runs kernels on the simulated core and reports. Commands, options and exit statuses: docs/cli.md.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "config/nearest.h"
#include "heddle/error.h"
#include "report/report.h"
#include "report/version.h"

namespace heddle {

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      {"list", "workloads, mechanisms, presets, configuration keys", list_line, list_command},
      {"run", "run one workload or kernel with one mechanism and check the result", run_line, run_command},
      {"compare", "run workloads with several mechanisms: one table", compare_line, compare_command},
      {"exec", "run a CUDA program made by heddle-nvcc", exec_line, exec_command},
      {"bits", "state bits of a mechanism, structure by structure", bits_line, bits_command},
      {"cfg", "control flow of a kernel: blocks, branches, reconvergence points", cfg_line, cfg_command},
      {"limit-study", "what warps would gain from the best reconvergence points", limit_study_line,
       limit_study_command},
      {"linearize-study", "what linearization costs and gains, beside the paper's tables", linearize_study_line,
       linearize_study_command},
      {"reproduce", "a paper's evaluation run anew: one page of plots and verdicts", reproduce_line, reproduce_command},
  };
  return table;
}

void print_error(const char* message) {
  std::fprintf(stderr, "%s %s\n", painted(STDERR_FILENO, Colour::kRed, "heddle:").c_str(), message);
}

Error out_of_memory() {
  return bad_input("memory", "out of memory; choose a smaller workload or machine", ErrorKind::kOutOfMemory);
}

namespace {

void print_usage(std::ostream& out) {
  out << "heddle " << version() << " (" << git_revision()
      << "): GPU branch-divergence hardware, running kernels cycle by cycle\n\n"
      << "usage: heddle COMMAND [options]\n\n";
  for (const Command& command : commands()) {
    out << "  " << command.name << std::string(17 - std::string(command.name).size(), ' ') << command.summary << "\n";
  }
  out << "\n'heddle COMMAND --help' describes a command, 'heddle --version' the build.\n"
      << "Exit status: 0 correct; 1 wrong result or mismatch; 2 bad usage or input, or an output that cannot be "
         "written;\n"
      << "3 the simulated machine stopped; 128 + signal after SIGINT, SIGTERM or SIGHUP.\n";
}

const Command& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (name == command.name) return command;
    names.emplace_back(command.name);
  }
  throw bad_input("option",
                  "'" + name + "' is no command" + did_you_mean(name, names) + " ('heddle --help' lists them)");
}

// The error line and, if asked for, a document that says the same.
ExitStatus report_error(const Error& stopped, const Arguments& arguments) {
  const Error error = name_signal(stopped);
  print_error(error.what());
  const ExitStatus status = signal_status(error.code(), error.status());
  const std::string json = find_json_option(arguments);
  if (json.empty()) return status;
  try {
    write_document(json, error_json(error));
  } catch (const Error& second) {
    // An unwritable document may be what the first message is about.
    if (std::string(second.what()) != error.what()) print_error(second.what());
  }
  return status;
}

ExitStatus finish_stdout() {
  OutputFailures failures;
  failures.attempt(check_stdout);
  return tell(failures);
}

ExitStatus dispatch(const Arguments& arguments) {
  if (arguments.empty()) {
    print_usage(std::cerr);
    return ExitStatus::kBadInput;
  }
  if (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    print_usage(std::cout);
    return ExitStatus::kPass;
  }
  if (arguments[0] == "--version") {
    std::cout << "heddle " << version() << " (" << git_revision() << ")\n";
    return ExitStatus::kPass;
  }
  const Arguments rest(arguments.begin() + 1, arguments.end());
  if (arguments[0] == "complete") {
    for (const std::string& completion : completions(rest)) std::cout << completion << "\n";
    return ExitStatus::kPass;
  }
  const Command& command = find_command(arguments[0]);
  const ParsedLine parsed = parse_line(command.line(), rest);
  return parsed.help ? ExitStatus::kPass : command.run(parsed);
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  using heddle::Error;
  using heddle::ExitStatus;
  const heddle::Arguments arguments(argv + 1, argv + argc);
  ExitStatus status = ExitStatus::kBadInput;
  heddle::open_standard_streams();
  heddle::install_signals();
  try {
    status = heddle::dispatch(arguments);
  } catch (const Error& error) {
    status = heddle::report_error(error, arguments);
  } catch (const std::bad_alloc&) {
    status = heddle::report_error(heddle::out_of_memory(), arguments);
  } catch (const std::exception& error) {
    status = heddle::report_error(
        heddle::bad_input("internal", std::string("internal error: ") + error.what() + "; please report it"),
        arguments);
  }
  return static_cast<int>(std::max(status, heddle::finish_stdout()));
}
