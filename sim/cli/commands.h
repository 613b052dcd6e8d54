// SPDX-License-Identifier: Apache-2.0
// The commands of the program. Each gets what follows its name, prints its result and returns the exit status.
#pragma once

#include <vector>

#include "cli/options.h"
#include "heddle/error.h"

namespace heddle {

struct Command {
  const char* name;
  const char* summary;
  ExitStatus (*run)(const Arguments& arguments);
};

[[nodiscard]] const std::vector<Command>& commands();

[[nodiscard]] ExitStatus list_command(const Arguments& arguments);
[[nodiscard]] ExitStatus run_command(const Arguments& arguments);
[[nodiscard]] ExitStatus compare_command(const Arguments& arguments);
[[nodiscard]] ExitStatus exec_command(const Arguments& arguments);
[[nodiscard]] ExitStatus bits_command(const Arguments& arguments);
[[nodiscard]] ExitStatus cfg_command(const Arguments& arguments);
[[nodiscard]] ExitStatus limit_study_command(const Arguments& arguments);
[[nodiscard]] ExitStatus linearize_study_command(const Arguments& arguments);
[[nodiscard]] ExitStatus reproduce_command(const Arguments& arguments);

// One line on standard error, as every error is told.
void print_error(const char* message);

[[nodiscard]] Error out_of_memory();

}  // namespace heddle
