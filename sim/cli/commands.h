// SPDX-License-Identifier: Apache-2.0
// The commands of the program. Each says what its line takes, gets the line parsed, prints its result and
// returns the exit status.
#pragma once

#include <vector>

#include "cli/options.h"
#include "heddle/error.h"

namespace heddle {

struct Command {
  const char* name;
  const char* summary;
  CommandLine (*line)();
  ExitStatus (*run)(const ParsedLine& parsed);
};

[[nodiscard]] const std::vector<Command>& commands();

[[nodiscard]] CommandLine list_line();
[[nodiscard]] ExitStatus list_command(const ParsedLine& parsed);
[[nodiscard]] CommandLine run_line();
[[nodiscard]] ExitStatus run_command(const ParsedLine& parsed);
[[nodiscard]] CommandLine compare_line();
[[nodiscard]] ExitStatus compare_command(const ParsedLine& parsed);
[[nodiscard]] CommandLine exec_line();
[[nodiscard]] ExitStatus exec_command(const ParsedLine& parsed);
[[nodiscard]] CommandLine bits_line();
[[nodiscard]] ExitStatus bits_command(const ParsedLine& parsed);
[[nodiscard]] CommandLine cfg_line();
[[nodiscard]] ExitStatus cfg_command(const ParsedLine& parsed);
[[nodiscard]] CommandLine limit_study_line();
[[nodiscard]] ExitStatus limit_study_command(const ParsedLine& parsed);
[[nodiscard]] CommandLine linearize_study_line();
[[nodiscard]] ExitStatus linearize_study_command(const ParsedLine& parsed);
[[nodiscard]] CommandLine reproduce_line();
[[nodiscard]] ExitStatus reproduce_command(const ParsedLine& parsed);

// What a shell offers for the last of these words of a command line; completions/ asks.
[[nodiscard]] std::vector<std::string> completions(const Arguments& words);

// One line on standard error, as every error is told.
void print_error(const char* message);

[[nodiscard]] Error out_of_memory();

// For the program that a command becomes: a variable of the environment, and the plug-ins of the line in one.
void set_variable(const char* name, const std::string& value);
void pass_plugins(const ParsedLine& line);

}  // namespace heddle
