// SPDX-License-Identifier: Apache-2.0
// Workloads' kernels compiled anew with heddle-cc --linearize, while the command runs.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace heddle {

class LinearizedKernels {
 public:
  LinearizedKernels() = default;
  ~LinearizedKernels();  // removes the files
  LinearizedKernels(const LinearizedKernels&) = delete;
  LinearizedKernels& operator=(const LinearizedKernels&) = delete;

  // The ELF of a workload; `how`: the list behind --linearize=; `form`: what the mechanism asks for (kernel_form). Compiled at the first call.
  // Throws Error("elf") if there is no heddle-cc beside the program, no source beside the kernels, or the compiler refuses: its first line.
  const std::string& elf(const std::string& workload, const std::string& how, const std::string& form);

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::string> made_;  // workload, how and form -> path
};

}  // namespace heddle
