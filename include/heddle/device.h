// SPDX-License-Identifier: Apache-2.0
// A simulated core with its memory: load a program, allocate and fill buffers, launch kernels, read results and statistics.
//
//   heddle::Device device(config);
//   device.load("saxpy.elf");
//   heddle::Address x = device.allocate(4 * n);
//   device.write(x, host_x, 4 * n);
//   device.launch("saxpy", {n / 128}, {128}, {n, x});
//   device.read(x, host_x, 4 * n);
//   device.stats().cycles;
//
// Errors are thrown as heddle::Error. After an error in launch() the device is not usable for another launch.
// Several devices may exist in one process; they must be used from one thread.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heddle/config.h"
#include "heddle/device_interface.h"
#include "heddle/observer.h"
#include "heddle/parameter.h"
#include "heddle/stats.h"

namespace heddle {

class Program;

// What runs the front ends: the SystemC twins, the Verilated RTL, or both with every output compared in every cycle.
enum class Engine { kSystemC, kRtl, kCosim };

struct TraceOptions {
  std::string path;          // .vcd or .fst; empty: no wave
  Cycle start = 0;           // cycles of the first launch's count, both included; launches follow each other
  Cycle end = ~Cycle{0};
};

class Device final : public DeviceInterface {
 public:
  // Throws Error ("config", "engine") if the configuration is inconsistent or this build has no such hardware.
  explicit Device(const Config& config, Engine engine = Engine::kSystemC);
  ~Device() override;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  void load(const std::string& elf_path);
  Address allocate(std::uint32_t bytes) override;
  void write(Address destination, const void* source, std::uint32_t bytes) override;
  void read(Address source, void* destination, std::uint32_t bytes) override;
  void launch(const std::string& kernel, Dim3 grid, Dim3 block, const std::vector<std::uint32_t>& arguments,
              std::uint32_t float_mask = 0, std::uint32_t dynamic_shared = 0) override;

  // What a kernel takes, in order; none if the program does not say. launch() passes words and does not look at this: it is for
  // callers that convert arguments. Throws Error ("kernel") if there is no such kernel.
  [[nodiscard]] const std::optional<std::vector<Parameter>>& parameters(const std::string& kernel) const;

  [[nodiscard]] const Config& config() const;
  [[nodiscard]] const Program& program() const;
  [[nodiscard]] const Stats& stats() const;                   // sum of all launches
  [[nodiscard]] const std::vector<Stats>& launches() const;   // in order; the last one may be incomplete after an error
  [[nodiscard]] Cycle cycles() const;                         // simulated so far, the running launch included

  // Before the first launch.
  void add_observer(Observer& observer);                      // outlives the device
  void set_trace(const TraceOptions& trace);
  void set_mismatch_wave(const std::string& path);            // co-simulation: where the last 200 cycles go, .vcd or .fst
  void set_text_output(std::ostream& text);                   // write calls of the threads; std::cout by default

 private:
  class Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace heddle
