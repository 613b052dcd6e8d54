// SPDX-License-Identifier: Apache-2.0
// Watches the schedulers between the clock edges, when everything has settled: records waves, and in co-simulation
// compares every output of every module of the RTL with its SystemC twin.
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "core/core_backend.h"
#include "engine/monitored.h"
#include "heddle/device.h"
#include "output/output_file.h"
#include "wave/wave.h"

namespace heddle {

class Monitor : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk;

  static constexpr std::size_t kMismatchCycles = 200;  // kept for the wave of a mismatch

  Monitor(sc_core::sc_module_name name, Engine engine, std::vector<std::unique_ptr<Monitored>> watched,
          CoreBackend& backend, const TraceOptions& trace, std::string mismatch_wave, const Program& program);
  ~Monitor() override;

  void begin_launch(unsigned warps);  // warps that a scheduler has in it
  void end_launch();
  // Completes the wave and what stands beside it, once; throws Error(output) when all have been tried.
  void finish_trace();

 private:
  void sample();
  [[noreturn]] void stop(const Monitored& watched);

  CoreBackend& backend_;
  std::vector<std::unique_ptr<Monitored>> watched_;
  std::vector<WaveProbe> probes_;
  std::unique_ptr<WaveRecorder> recorder_;
  std::unique_ptr<WaveRing> ring_;
  const std::string mismatch_wave_;
  const TraceOptions trace_;
  const Program& program_;
  std::string open_scope_;  // of the save file
  OutputFailures failures_;
  bool trace_finished_ = false;
  Cycle base_ = 0;  // cycles of the launches before this one
  bool watching_ = false;
};

// Which outputs of `watched` differ, for a message: the first by name and both values, and how many more.
[[nodiscard]] std::string describe_difference(const Monitored& watched);

}  // namespace heddle
