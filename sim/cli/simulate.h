// SPDX-License-Identifier: Apache-2.0
// One run of a workload or a raw kernel on a simulated core, with everything that is written about it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/input.h"
#include "config/config.h"
#include "heddle/device.h"
#include "report/report.h"
#include "timeline/side_by_side.h"
#include "timeline/timeline.h"

namespace heddle {

struct Job : Input {
  Config config;
  Engine engine = Engine::kSystemC;
  std::string wave, timeline, mismatch_wave;  // files to write; empty: none
  bool mismatch_wave_asked = false;           // else its name is the default
  std::string html;                           // report of the run; empty: none
  std::string json;                           // of the command: written by it, but its name is taken
  Cycle window_start = 0, window_end = ~Cycle{0};
  unsigned host_threads = 0;        // that simulate several SMs; 0: as many as the host has
  Observer* observer = nullptr;     // one more
  RecordedRun* recorded = nullptr;  // filled for a page of several runs
  bool progress = false;            // show it on standard error
  bool text_to_stderr = false;      // what the threads print
};

[[nodiscard]] std::vector<std::string> engine_names();
[[nodiscard]] Engine parse_engine(const std::string& name);

// Throws what is wrong with the job before anything is simulated; later errors are in the report, those of outputs,
// too.
[[nodiscard]] RunReport simulate(const Job& job);
// The same checks alone.
void check_job(const Job& job);

}  // namespace heddle
