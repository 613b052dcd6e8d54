// SPDX-License-Identifier: Apache-2.0
// What a command runs: a workload with its size, seed and parameters, or a kernel file with its launch and arguments.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/raw_kernel.h"
#include "heddle/device_interface.h"
#include "workloads/workload.h"

namespace heddle {

class Program;

struct Input {
  std::string name;  // of a workload, or the path of an ELF
  bool is_elf = false;
  WorkloadOptions workload;  // unless is_elf
  std::string linearize;  // how a workload's kernel is compiled anew (heddle-cc --linearize=); empty: as it was built
  RawLaunch launch;       // if is_elf
};

// "x.elf" and everything with a '/' is an ELF, the rest are names of workloads.
[[nodiscard]] bool names_elf(const std::string& name);

// --size, --seed, --param, --kernel, --grid, --block, --shared, --arg, --launches, --symbol, --expect.
void add_input_options(boost::program_options::options_description& options);
// Names of all workloads.
[[nodiscard]] std::vector<std::string> workload_names();
// Throws Error for an unknown workload, and for options of the other kind.
[[nodiscard]] Input read_input(const ParsedLine& line, const std::string& name);

// What a workload and a raw kernel have in common.
struct Task {
  std::string elf;
  std::function<void(const Program&)> prepare;  // throws what is wrong with the input, once the program is known
  std::function<void(DeviceInterface&, const Program&)> run;
  std::function<void()> finish;                        // check the result
  bool checked = true;                                 // finish() has something to compare the result with
  std::vector<NamedOutput> outputs;                    // files that the next one writes
  std::function<void(OutputFailures&)> write_outputs;  // after a run that ended
};

[[nodiscard]] Task make_task(const Input& input, const Config& config);

}  // namespace heddle
