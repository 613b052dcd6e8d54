// SPDX-License-Identifier: Apache-2.0
// A simulated core with its memory: load a program, allocate and fill buffers, launch kernels, read results and
// statistics.
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
//
// A run can be stopped from outside:
//   std::atomic<bool> stop{false};      // set by a signal handler or another thread
//   device.set_stop_flag(&stop);
//   device.launch(...);                 // throws Error, code "interrupted", some hundred cycles later; statistics and
//   waves reach to there
#pragma once

#include <atomic>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heddle/arguments.h"
#include "heddle/config.h"
#include "heddle/device_interface.h"
#include "heddle/observer.h"
#include "heddle/parameter.h"
#include "heddle/stats.h"

namespace heddle {

class Program;

// What runs the front ends: the SystemC twins, the Verilated RTL, or both with every output compared in every cycle.
enum class Engine { kSystemC, kRtl, kCosim };
[[nodiscard]] const char* engine_name(Engine engine);  // "systemc", "rtl", "cosim"
[[nodiscard]] std::optional<Engine> find_engine(const std::string& name);

struct TraceOptions {
  std::string path;  // .vcd or .fst; empty: no wave
  Cycle start = 0;   // cycles of the first launch's count, both included; launches follow each other
  Cycle end = ~Cycle{0};
};

class Device final : public DeviceInterface {
 public:
  // Throws Error ("config", "engine") if the configuration is inconsistent or this build has no such hardware.
  // heap_at_its_addresses: the host may read and write buffers at their device addresses, if it has nothing else there
  // (see below).
  explicit Device(const Config& config, Engine engine = Engine::kSystemC, bool heap_at_its_addresses = false);
  ~Device() override;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // Before the first launch. Buffers of an RV64 program lie elsewhere than those of RV32: load it before it has any.
  void load(const std::string& elf_path);
  // One more module, from the bytes of its ELF; before the first launch. Further ones are moved behind the first: they
  // must be linked with
  // --emit-relocs, as heddle-cc does.
  void load_module(const std::string& name, std::vector<char> elf);
  Address allocate(std::uint64_t bytes) override;
  // Gives a buffer back: its memory is used again, and until then an access to it is a fault (run.bounds). Throws Error
  // ("memory") if none begins there.
  void release(Address buffer);
  // The buffer that holds all of a range; nothing if none does.
  struct Buffer {
    Address begin = 0;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] std::optional<Buffer> buffer(Address address, std::uint64_t bytes = 0) const;
  [[nodiscard]] std::uint64_t allocated() const;   // of heap_bytes()
  [[nodiscard]] std::uint64_t heap_bytes() const;  // memory.heap_bytes; before a program and with RV32 at most 1 GiB
  // Programs of RV64: memory of the host that kernels see at the host's addresses, until it is given back. False if
  // some of it is there already; if no such memory begins there.
  bool map_host(void* begin, std::uint64_t bytes);
  bool unmap_host(const void* begin);
  void write(Address destination, const void* source, std::uint64_t bytes) override;
  void read(Address source, void* destination, std::uint64_t bytes) override;
  void launch(const std::string& kernel, Dim3 grid, Dim3 block, const std::vector<std::uint64_t>& arguments,
              std::uint32_t float_mask = 0, std::uint32_t dynamic_shared = 0) override;
  // KernelArguments of any number and type (heddle/arguments.h). Blocks of a cooperative launch wait for each other:
  // they must be as many as the machine has at once, of the functional one as a core has.
  void launch_with(const std::string& kernel, Dim3 grid, Dim3 block, const KernelArguments& arguments,
                   std::uint32_t dynamic_shared = 0, bool cooperative = false);

  // The same without the machine: right results and no cycles, many times faster. Returns what such a launch counts:
  // thread_instructions and exits; stats() and launches() have nothing of it. Launches of both kinds may follow each
  // other.
  Stats launch_functional(const std::string& kernel, Dim3 grid, Dim3 block, const KernelArguments& arguments,
                          std::uint32_t dynamic_shared = 0, bool cooperative = false);
  [[nodiscard]] bool heap_at_its_addresses() const;

  // What a kernel takes, in order; none if the program does not say. launch() passes words and does not look at this:
  // it is for callers that convert arguments. Throws Error ("kernel") if there is no such kernel.
  [[nodiscard]] const std::optional<std::vector<Parameter>>& parameters(const std::string& kernel) const;

  [[nodiscard]] const Config& config() const;
  [[nodiscard]] const Program& program() const;
  [[nodiscard]] const Stats& stats() const;                  // sum of all launches
  [[nodiscard]] const std::vector<Stats>& launches() const;  // in order; the last one may be incomplete after an error
  [[nodiscard]] std::uint64_t launch_count() const;          // begun on the machine
  [[nodiscard]] Cycle cycles() const;                        // simulated so far, the running launch included

  // Before the first launch.
  void keep_last_launch_only();           // of launches(): any number of them takes the memory of one
  void add_observer(Observer& observer);  // outlives the device
  void set_trace(const TraceOptions& trace);
  void set_host_threads(
      unsigned count);  // that simulate several SMs (gpu.sms), before the first launch; 0: as the host has
  void set_mismatch_wave(const std::string& path);  // co-simulation: where the last 200 cycles go, .vcd or .fst
  void set_text_output(std::ostream& text);         // write calls of the threads; std::cout by default

  // Looked at every 256 cycles of a launch; null: nobody stops it. Outlives its use.
  void set_stop_flag(const std::atomic<bool>* flag);
  // Completes the wave and the files beside it; nothing is recorded any more. Throws Error("output") when all have been
  // tried: the message is about one that could not be written, the details have a line for each other one. The
  // destructor does the same, and prints errors.
  void finish_trace();

 private:
  class Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace heddle
