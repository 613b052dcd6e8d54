// SPDX-License-Identifier: Apache-2.0
// Workloads' kernels compiled anew with heddle-cc --linearize, while the command runs.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace heddle {

struct LinearizedKernel {
  std::string elf;
  std::optional<int> frame_accesses;  // registers were reserved for the pass: loads and stores of the frame more
};

class LinearizedKernels {
 public:
  LinearizedKernels() = default;
  ~LinearizedKernels();  // removes the files
  LinearizedKernels(const LinearizedKernels&) = delete;
  LinearizedKernels& operator=(const LinearizedKernels&) = delete;

  // Of a workload; `how`: the list behind --linearize=; `form`: what the mechanism asks for (kernel_form). Compiled at
  // the first call. Throws Error("elf") if there is no heddle-cc beside the program, no source beside the kernels, or
  // the compiler refuses: its first line.
  const LinearizedKernel& kernel(const std::string& workload, const std::string& how, const std::string& form);

 private:
  std::filesystem::path folder_;
  std::map<std::string, LinearizedKernel> made_;  // by workload, how and form
};

// Those of the running command.
[[nodiscard]] LinearizedKernels& linearized_kernels();

}  // namespace heddle
