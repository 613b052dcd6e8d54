// SPDX-License-Identifier: Apache-2.0
// Watches the front ends between the clock edges, when everything has settled: records waves, and in co-simulation compares every
// output of every module of the RTL with its SystemC twin.
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "core/core_backend.h"
#include "engine/frontend.h"
#include "heddle/device.h"
#include "wave/wave.h"

namespace heddle {

struct MonitoredScheduler {
  FrontendPins* pins = nullptr;           // of the engine that drives the core
  const FrontendView* view = nullptr;
  FrontendPins* rtl_pins = nullptr;       // co-simulation only
  const FrontendView* rtl_view = nullptr;
};

class Monitor : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk;

  static constexpr std::size_t kMismatchCycles = 200;  // kept for the wave of a mismatch

  Monitor(sc_core::sc_module_name name, const Config& config, Engine engine, const std::vector<MonitoredScheduler>& schedulers,
          CoreBackend& backend, const TraceOptions& trace, std::string mismatch_wave, const Program& program);

  void begin_launch() { watching_ = true; }
  void end_launch();

 private:
  struct Watched {
    MonitoredScheduler scheduler;
    std::string name;
    FrontendState state, rtl_state;
    std::vector<WaveProbe> outputs, rtl_outputs;      // of all modules, to name what differs
  };

  void sample();
  void compare(Watched& watched);
  [[nodiscard]] std::string describe_difference(const Watched& watched) const;

  CoreBackend& backend_;
  const Config config_;
  std::vector<std::unique_ptr<Watched>> watched_;
  std::unique_ptr<WaveRecorder> recorder_;
  std::unique_ptr<WaveRing> ring_;
  const std::string mismatch_wave_;
  Cycle base_ = 0;   // cycles of the launches before this one
  bool watching_ = false;
};

}  // namespace heddle
