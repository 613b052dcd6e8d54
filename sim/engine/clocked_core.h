// SPDX-License-Identifier: Apache-2.0
// A core in a SystemC simulation: clock, reset, front ends of the chosen engine, backend, and a monitor when something
// watches.
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "core/core_backend.h"
#include "engine/core.h"
#include "engine/dwf_schedulers.h"
#include "engine/frontend.h"
#include "engine/monitor.h"
#include "memory/memory_system.h"

namespace heddle {

class ClockedCore final : public Core {
 public:
  ClockedCore(const Config& config, Engine engine, const Watch& watch, const Program& program);
  ~ClockedCore() override;

  void begin(const Launch& launch, AddressSpace& space, Observer* observer, std::ostream& text) override;
  void run() override;
  void finish_trace() override {
    if (monitor_ != nullptr) monitor_->finish_trace();
  }
  void set_stop_flag(const std::atomic<bool>* flag) override { backend_->set_stop_flag(flag); }
  [[nodiscard]] Stats take_stats() override { return backend_->take_stats(); }
  [[nodiscard]] Cycle now() const override { return backend_->now(); }
  [[nodiscard]] bool running() const override { return !backend_->finished(); }

 private:
  struct Scheduler {
    FrontendPins pins;
    FrontendPins rtl_pins;               // co-simulation: what the RTL shows
    std::unique_ptr<Frontend> frontend;  // drives pins
    std::unique_ptr<Frontend> rtl;       // co-simulation: runs beside it
  };

  struct Formation {  // dynamic warp formation
    DwfPins pins;
    Wire<DwfOutputs> rtl_out;                 // co-simulation: what the RTL shows
    std::unique_ptr<DwfScheduler> scheduler;  // drives pins
    std::unique_ptr<DwfScheduler> rtl;        // co-simulation: runs beside it
  };

  // The backend as a clocked process; the simulation pauses when the launch has ended.
  class Process final : public sc_core::sc_module {
   public:
    sc_core::sc_in<bool> clk{"clk"};
    Process(sc_core::sc_module_name name, CoreBackend& backend);

   private:
    void edge();
    CoreBackend& backend_;
  };

  // Each makes the backend and what it needs of the mechanism's kind.
  void build_frontends(const Config& config, Engine engine, std::vector<std::unique_ptr<Monitored>>& monitored);
  void build_formation(const Config& config, Engine engine, std::vector<std::unique_ptr<Monitored>>& monitored);
  void build_reference(const Config& config, const Watch& watch);

  std::unique_ptr<sc_core::sc_simcontext> context_;
  std::unique_ptr<sc_core::sc_clock> clk_;
  std::unique_ptr<sc_core::sc_signal<bool>> rst_n_;
  std::vector<std::unique_ptr<Scheduler>> schedulers_;
  std::unique_ptr<Formation> formation_;
  std::unique_ptr<MemoryInterface> memory_;
  std::unique_ptr<CoreBackend> backend_;
  std::unique_ptr<Process> process_;
  std::unique_ptr<Monitor> monitor_;
};

}  // namespace heddle
