// SPDX-License-Identifier: Apache-2.0
// An SM without the SystemC kernel: at every edge the front ends, the twins' machines or the Verilated RTL, take their
// inputs and go on, the backend does its cycle, and then they drive their outputs. So every side sees what stood in the
// cycle that ends, as in a simulation with the kernel: counts are the same.
#pragma once

#include <memory>
#include <vector>

#include "core/core_backend.h"
#include "engine/dwf_schedulers.h"
#include "engine/frontend.h"
#include "heddle/device.h"

namespace heddle {

class Sm {
 public:
  // Whether there is one: a mechanism may bring a SystemC module alone. Co-simulation is in the kernel.
  [[nodiscard]] static bool exists(const Config& config, Engine engine);
  Sm(const Config& config, Engine engine);

  // As the backend's; the machines are reset. go() of the backend lets it run.
  void begin(const Launch& launch, AddressSpace& space, MemoryInterface& memory, Observer* observer,
             std::ostream& text);
  void cycle();
  // Behind a cycle: passes over those before `end` in which nothing can change; none without run.skip_idle. The
  // machines are not stepped: they stand.
  void skip(Cycle end);
  [[nodiscard]] CoreBackend& backend() { return *backend_; }
  [[nodiscard]] const CoreBackend& backend() const { return *backend_; }

 private:
  std::vector<std::unique_ptr<DirectFrontendPins>> pins_;
  std::vector<std::unique_ptr<DirectFrontend>> frontends_;
  std::unique_ptr<DirectDwfPins> dwf_pins_;
  std::unique_ptr<DirectDwfScheduler> dwf_;
  std::unique_ptr<CoreBackend> backend_;
};

}  // namespace heddle
