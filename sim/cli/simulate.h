// SPDX-License-Identifier: Apache-2.0
// One run of a workload or a raw kernel on a simulated core, with everything that is written about it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/raw_kernel.h"
#include "config/config.h"
#include "heddle/device.h"
#include "report/report.h"
#include "timeline/timeline.h"
#include "workloads/workload.h"

namespace heddle {

struct Job {
  std::string name;                 // of a workload, or the path of an ELF
  bool is_elf = false;
  WorkloadOptions workload;         // unless is_elf
  std::string kernel, grid = "1", block = "1";  // if is_elf
  std::vector<std::string> arguments;
  Config config;
  Engine engine = Engine::kSystemC;
  std::string wave, timeline, mismatch_wave;  // files to write; empty: none
  Cycle window_start = 0, window_end = ~Cycle{0};
  bool progress = false;            // show it on standard error
  bool text_to_stderr = false;      // what the threads print
};

[[nodiscard]] Engine parse_engine(const std::string& name);
[[nodiscard]] const char* engine_name(Engine engine);

// "x.elf" and everything with a '/' is an ELF, the rest are names of workloads.
[[nodiscard]] bool names_elf(const std::string& name);

// Throws what is wrong with the job before anything is simulated; later errors are in the report.
[[nodiscard]] RunReport simulate(const Job& job);

}  // namespace heddle
