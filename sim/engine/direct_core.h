// SPDX-License-Identifier: Apache-2.0
// A core without the SystemC kernel: at every edge the twins' machines take their inputs and go on, the backend does its cycle, and then the
// machines drive their outputs. So every side sees what stood in the cycle that ends, as in a simulation with the kernel: counts are the same.
#pragma once

#include <memory>
#include <vector>

#include "core/core_backend.h"
#include "engine/core.h"
#include "engine/dwf_schedulers.h"
#include "engine/frontend.h"

namespace heddle {

class DirectCore final : public Core {
 public:
  // Whether there is such a core: a mechanism may bring a SystemC module alone.
  [[nodiscard]] static bool exists(const Config& config);
  explicit DirectCore(const Config& config);

  void run(const Launch& launch, AddressSpace& space, MemoryInterface& memory, Observer* observer, std::ostream& text) override;
  void set_stop_flag(const std::atomic<bool>* flag) override { backend_->set_stop_flag(flag); }
  [[nodiscard]] Stats take_stats() override { return backend_->take_stats(); }
  [[nodiscard]] Cycle now() const override { return backend_->now(); }
  [[nodiscard]] bool running() const override { return !backend_->finished(); }

 private:
  void cycle();

  std::vector<std::unique_ptr<DirectFrontendPins>> pins_;
  std::vector<std::unique_ptr<DirectFrontend>> frontends_;
  std::unique_ptr<DirectDwfPins> dwf_pins_;
  std::unique_ptr<DirectDwfScheduler> dwf_;
  std::unique_ptr<CoreBackend> backend_;
};

}  // namespace heddle
