// SPDX-License-Identifier: Apache-2.0
// One SystemC simulation: clock, reset, front ends of the chosen engine, backend, and a monitor when something watches.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "core/core_backend.h"
#include "engine/dwf_schedulers.h"
#include "engine/frontend.h"
#include "engine/monitor.h"
#include "heddle/device.h"

namespace heddle {

class Core {
 public:
  struct Watch {
    TraceOptions trace;
    std::string mismatch_wave;  // co-simulation
  };

  Core(const Config& config, Engine engine, const Watch& watch, const Program& program);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  // Runs one launch to its end; rethrows what stopped it.
  void run(const Launch& launch, AddressSpace& space, MemoryInterface& memory, Observer* observer, std::ostream& text);
  // Completes the waves; throws Error(output).
  void finish_trace() {
    if (monitor_ != nullptr) monitor_->finish_trace();
  }
  // Another thread or a signal handler stops the launch with it.
  void set_stop_flag(const std::atomic<bool>* flag) { backend_->set_stop_flag(flag); }
  [[nodiscard]] Stats take_stats() { return backend_->take_stats(); }
  [[nodiscard]] Cycle now() const { return backend_->now(); }
  [[nodiscard]] bool running() const { return !backend_->finished(); }

 private:
  struct Scheduler {
    FrontendPins pins;
    FrontendPins rtl_pins;                    // co-simulation: what the RTL shows
    std::unique_ptr<Frontend> frontend;       // drives pins
    std::unique_ptr<Frontend> rtl;            // co-simulation: runs beside it
  };

  struct Formation {                          // dynamic warp formation
    DwfPins pins;
    Wire<DwfOutputs> rtl_out;                 // co-simulation: what the RTL shows
    std::unique_ptr<DwfScheduler> scheduler;  // drives pins
    std::unique_ptr<DwfScheduler> rtl;        // co-simulation: runs beside it
  };

  // Each makes the backend and what it needs of the mechanism's kind.
  void build_frontends(const Config& config, Engine engine, std::vector<std::unique_ptr<Monitored>>& monitored);
  void build_formation(const Config& config, Engine engine, std::vector<std::unique_ptr<Monitored>>& monitored);
  void build_reference(const Config& config, Engine engine, const Watch& watch);

  std::unique_ptr<sc_core::sc_simcontext> context_;
  std::unique_ptr<sc_core::sc_clock> clk_;
  std::unique_ptr<sc_core::sc_signal<bool>> rst_n_;
  std::vector<std::unique_ptr<Scheduler>> schedulers_;
  std::unique_ptr<Formation> formation_;
  std::unique_ptr<CoreBackend> backend_;
  std::unique_ptr<Monitor> monitor_;
};

}  // namespace heddle
