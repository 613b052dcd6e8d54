// SPDX-License-Identifier: Apache-2.0
// One SM without the SystemC kernel.
#pragma once

#include <memory>

#include "engine/core.h"
#include "engine/sm.h"
#include "memory/memory_interface.h"

namespace heddle {

class DirectCore final : public Core {
 public:
  DirectCore(const Config& config, Engine engine);

  void begin(const Launch& launch, AddressSpace& space, Observer* observer, std::ostream& text) override;
  void run() override;
  void set_stop_flag(const std::atomic<bool>* flag) override { sm_.backend().set_stop_flag(flag); }
  [[nodiscard]] Stats take_stats() override { return sm_.backend().take_stats(); }
  [[nodiscard]] Cycle now() const override { return sm_.backend().now(); }
  [[nodiscard]] bool running() const override { return !sm_.backend().finished(); }

 private:
  std::unique_ptr<MemoryInterface> memory_;
  Sm sm_;
};

}  // namespace heddle
