// SPDX-License-Identifier: Apache-2.0
// The workloads: a kernel, the host program around it, and a check of its results against a reference computed on the
// host.
//
//   auto workload = make_workload("bfs", options);   // checks the options, makes the input
//   SomeDevice device(workload->elf());
//   workload->run(device);                           // uploads, launches, downloads
//   workload->check();                               // throws an Error that names the first wrong element
//
// A workload adds one file here, one in kernels/, and one line each in registry.cpp and CMakeLists.txt
// (docs/workloads.md).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "heddle/device_interface.h"

namespace heddle {

// What shapes a workload: a whole number, whose range is checked, as is the multiple, or one of several named choices,
// whose value is the place of the name in the list. The default depends on the size.
struct ParameterInfo {
  const char* name;
  const char* summary;
  std::uint32_t small_value;
  std::uint32_t default_value;
  std::uint32_t large_value;
  std::uint32_t min;
  std::uint32_t max;
  std::uint32_t multiple_of = 1;
  bool power_of_two = false;
  std::vector<const char*> choices = {};

  [[nodiscard]] std::string text(std::uint32_t value) const {
    return choices.empty() ? std::to_string(value) : choices[value];
  }
  [[nodiscard]] std::string allowed() const;  // like "1..256, a multiple of 4" or "shared or global"
};

// A choice between named forms; the first is the default at every size.
[[nodiscard]] ParameterInfo choice(const char* name, const char* summary, std::vector<const char*> choices);

struct WorkloadOptions {
  std::string size =
      "default";  // small: at most some 10k warp instructions; default: 0.1M to 1M; large: about ten times that; paper
  std::uint64_t seed = 1;                         // of the input data
  std::map<std::string, std::string> parameters;  // by name, as the user wrote them
};

// The options of one workload, checked: every parameter has a value.
class Settings {
 public:
  Settings(std::string workload, std::uint64_t seed, std::map<std::string, std::uint32_t> values)
      : workload_(std::move(workload)),
        seed_(seed),
        values_(std::move(values)) {}
  [[nodiscard]] const std::string& workload() const { return workload_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] const std::map<std::string, std::uint32_t>& values() const { return values_; }
  [[nodiscard]] std::uint32_t operator[](const std::string& parameter) const { return values_.at(parameter); }

 private:
  std::string workload_;
  std::uint64_t seed_;
  std::map<std::string, std::uint32_t> values_;
};

class Workload {
 public:
  explicit Workload(Settings settings) : settings_(std::move(settings)) {}
  virtual ~Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  // Path of the kernel's ELF, of the form that a mechanism asks for; throws Error("elf") if it cannot be found.
  [[nodiscard]] std::string elf(const std::string& form = "") const;
  [[nodiscard]] const Settings& settings() const { return settings_; }

  // The host program: uploads the input, launches the kernels, downloads the results.
  virtual void run(DeviceInterface& device) = 0;
  // After run(): throws Error(kWrongResult, "result") with the first wrong element, the value found and the one
  // expected.
  virtual void check() const = 0;

 private:
  Settings settings_;
};

struct WorkloadInfo {
  const char* name;
  const char* summary;
  const char* source;  // where the algorithm is known from
  std::vector<ParameterInfo> parameters;
  bool expects_watchdog;  // on a stack machine the run must end in the watchdog's message
  std::unique_ptr<Workload> (*make)(const Settings&);
  // At size paper, which has about as many thread instructions as the DPE paper's Table 2: parameters that differ from
  // size large.
  std::vector<std::pair<const char*, std::uint32_t>> paper = {};
};

// All workloads, in the order in which `heddle list` shows them.
[[nodiscard]] const std::vector<WorkloadInfo>& workloads();

// What WorkloadOptions::size can be; not every workload has `paper`.
[[nodiscard]] const std::vector<std::string>& workload_sizes();

// The workload of that name; throws Error("workload") listing the names there are.
[[nodiscard]] const WorkloadInfo& find_workload(const std::string& name);

// Checks the options; throws Error("option") for an unknown size or parameter, or a value that is not allowed.
[[nodiscard]] Settings resolve_settings(const WorkloadInfo& info, const WorkloadOptions& options);

[[nodiscard]] std::unique_ptr<Workload> make_workload(const std::string& name, const WorkloadOptions& options = {});

// Of the running program; empty if the system does not tell.
[[nodiscard]] std::string program_path();

// The folder of the kernels' ELFs: environment variable HEDDLE_KERNELS, else ../share/heddle/kernels beside the folder
// of the running program.
[[nodiscard]] std::string kernel_directory();

}  // namespace heddle
