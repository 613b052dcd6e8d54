// SPDX-License-Identifier: Apache-2.0
// A core that runs launches: in a SystemC simulation, where RTL and waves need one, else without the kernel.
#pragma once

#include <atomic>
#include <iosfwd>
#include <memory>
#include <string>

#include "heddle/config.h"
#include "heddle/device.h"
#include "heddle/observer.h"
#include "heddle/stats.h"
#include "isa/launch.h"
#include "memory/address_space.h"

namespace heddle {

class Core {
 public:
  virtual ~Core() = default;

  // What a launch needs, which stays until run() has returned. If it throws nothing has run, and there are no
  // statistics to take.
  virtual void begin(const Launch& launch, AddressSpace& space, Observer* observer, std::ostream& text) = 0;
  // Runs the launch to its end; rethrows what stopped it.
  virtual void run() = 0;
  // Completes the waves; throws Error(output).
  virtual void finish_trace() {}
  // Another thread or a signal handler stops the launch with it.
  virtual void set_stop_flag(const std::atomic<bool>* flag) = 0;
  [[nodiscard]] virtual Stats take_stats() = 0;
  [[nodiscard]] virtual Cycle now() const = 0;
  [[nodiscard]] virtual bool running() const = 0;
};

struct Watch {
  TraceOptions trace;
  std::string mismatch_wave;  // co-simulation
};

// Throws Error("engine") where this build has no such engine for the mechanism.
void check_engine(const Config& config, Engine engine);

// host_threads: that simulate several SMs; 0: as many as the host has. After check_engine(). Throws Error ("engine",
// "option") where the engine has no model of this size, or the mechanism cannot be watched.
[[nodiscard]] std::unique_ptr<Core> make_core(const Config& config, Engine engine, const Watch& watch,
                                              const Program& program, unsigned host_threads = 0);

}  // namespace heddle
