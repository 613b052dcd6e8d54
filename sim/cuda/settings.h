// SPDX-License-Identifier: Apache-2.0
// What the environment says about the simulated device of a CUDA program: HEDDLE_CONFIG, HEDDLE_SET, ...
// (docs/cuda.md). The program's own command line is its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "heddle/config.h"
#include "heddle/device.h"
#include "isa/instruction.h"

namespace heddle {

// Which launches run on the machine: all, or those that HEDDLE_DETAIL names. The others run on the functional device.
class Detail {
 public:
  // "kernel:3-5,other,third:2-": numbers are those of the kernel's own launches, from 1; "none". Empty: all.
  // Throws Error(option).
  explicit Detail(const std::string& list);
  // Whether the next launch of the kernel is one of them: asked once a launch.
  [[nodiscard]] bool next(const std::string& kernel);

 private:
  struct Range {
    std::string kernel;
    std::uint64_t first = 1, last = ~std::uint64_t{0};
  };
  bool all_ = false;
  std::vector<Range> ranges_;
  std::map<std::string, std::uint64_t> launches_;
};

struct Settings {
  Config config;
  Engine engine = Engine::kSystemC;
  const char* engine_name = "systemc";  // or "functional"
  Detail detail{""};
  std::string json, timeline, wave, mismatch_wave;  // files to write; empty: none
  unsigned host_threads = 0;                        // that simulate several SMs; 0: as many as the host has
  Cycle window_start = 0, window_end = ~Cycle{0};   // of timeline and wave
  enum class Report { kNone, kSum, kLaunches } report = Report::kSum;
  bool report_is_default = true;  // nobody asked for it
};

// Throws Error(option, config, plugin) with what is wrong.
[[nodiscard]] Settings read_settings(Xlen xlen);

}  // namespace heddle
