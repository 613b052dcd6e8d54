// SPDX-License-Identifier: Apache-2.0
// A device without a machine: runs kernels with the scalar reference. For checking kernels, and the second opinion on
// every result. Threads of a warp that are at one PC go on together, the lowest PC first; a turn in which threads stay
// apart is followed by one of those that are furthest behind, for which the others may wait. Warps of a block take
// turns until they wait at a barrier or end. Blocks follow each other; one that does not come to its end is joined by
// the next one, which it may wait for, as long as a core has room. Those of a cooperative launch are there together. A
// warp-wide operation waits until every thread of the warp waits for something: those at one operation, the one first
// in the code, execute it together.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "heddle/config.h"
#include "heddle/device_interface.h"
#include "heddle/error.h"
#include "heddle/stats.h"
#include "isa/launch.h"
#include "isa/program.h"
#include "memory/address_space.h"
#include "oracle/groups.h"
#include "oracle/thread_oracle.h"

namespace heddle {

// Sees every instruction of chosen threads, each thread's in its order.
class ThreadTracer {
 public:
  virtual ~ThreadTracer() = default;
  virtual void launch_begin(const Launch& launch) = 0;
  // block: linear number in the grid; thread: linear number in the block.
  [[nodiscard]] virtual bool wants(std::uint64_t block, std::uint32_t thread) const = 0;
  virtual void executed(std::uint64_t block, std::uint32_t thread, Pc pc) = 0;
  virtual void launch_end() = 0;
};

// Runs launches over somebody's memory and program.
class FunctionalRunner {
 public:
  using TextSink = std::function<void(unsigned descriptor, const std::string& text)>;

  // Geometry and sizes as of the machine; run.max_cycles, if not 0, bounds the instructions of a launch over all
  // threads.
  FunctionalRunner(const Config& config, AddressSpace& memory);

  // Errors stop the launch: machine_stopped("fault") with thread, block, pc, source line and disassembly; "max_cycles".
  void run(const Launch& launch);

  void set_text_sink(TextSink sink) { text_sink_ = std::move(sink); }  // default: standard output and error
  void set_stop_flag(const std::atomic<bool>* flag) {
    stop_flag_ = flag;
  }                                                            // stops a launch: machine_stopped("interrupted")
  void set_tracer(ThreadTracer* tracer) { tracer_ = tracer; }  // default: none

  [[nodiscard]] std::uint64_t thread_instructions() const { return instructions_; }  // of all launches
  [[nodiscard]] const ExitStats& exits() const { return exits_; }                    // of the last launch

 private:
  template <typename Word>
  struct Warp {
    std::uint32_t first = 0;  // thread of the block
    std::vector<BasicThreadOracle<Word>> threads;
    std::vector<Word> registers;  // [register][lane]
    LaneMask traced = 0;
    Groups running;
    LaneMask at_barrier = 0, at_warp_wide = 0;
    bool apart = false;  // its last turn took the lowest PCs and ended with groups apart
  };
  template <typename Word>
  struct Block {
    std::uint64_t number = 0;
    std::vector<Warp<Word>> warps;
  };

  template <typename Word>
  void run_blocks(std::vector<Block<Word>>& slots);
  template <typename Word>
  void begin_block(Block<Word>& block, std::uint64_t number, unsigned slot);
  // A turn for each of its warps. False when all threads have ended.
  template <typename Word>
  bool run_turns(Block<Word>& block);
  // Runs threads of a warp until all of them wait or have ended, or it has had its turn.
  template <typename Word>
  void run_turn(Warp<Word>& warp);
  // What is left of the group is at one PC.
  template <typename Word>
  void step(Warp<Word>& warp, Group& group);
  // Does what a step of the thread leaves to its owner. False if the thread does not go on.
  template <typename Word>
  bool goes_on(Warp<Word>& warp, unsigned lane, const Step& step);
  // Behind a branch or jump: the group is those that go where its first thread goes, the others are one or more groups.
  template <typename Word>
  void part(Warp<Word>& warp, Group& group);
  // The threads at the warp's first warp-wide operation run again.
  template <typename Word>
  void run_warp_wide(Warp<Word>& warp);
  template <typename Word>
  void note_exit(const BasicThreadOracle<Word>& thread);
  template <typename Word>
  void write_text(const BasicThreadOracle<Word>& thread, const Step& step);
  template <typename Word>
  void print(const BasicThreadOracle<Word>& thread, const Step& step);
  template <typename Word>
  [[noreturn]] void stop(const BasicThreadOracle<Word>& thread, Pc pc, ErrorKind kind, const std::string& what) const;

  Config config_;
  AddressSpace& memory_;
  const Launch* launch_ = nullptr;  // that runs
  const Program* program_ = nullptr;
  std::string kernel_;
  std::vector<InitialRegister> initial_;
  std::vector<Block<std::uint32_t>> narrow_;  // resident ones
  std::vector<Block<std::uint64_t>> wide_;
  TextSink text_sink_;
  ThreadTracer* tracer_ = nullptr;
  const std::atomic<bool>* stop_flag_ = nullptr;
  std::uint64_t block_ = 0;  // that runs
  std::uint64_t instructions_ = 0;
  std::uint64_t limit_ = 0;  // value of instructions_ that stops the launch
  ExitStats exits_;
};

// With memory and a program of its own.
class FunctionalDevice final : public DeviceInterface {
 public:
  explicit FunctionalDevice(const Config& config);

  void load(Program program);
  Address allocate(std::uint64_t bytes) override;
  void write(Address destination, const void* source, std::uint64_t bytes) override;
  void read(Address source, void* destination, std::uint64_t bytes) override;
  void launch_with(const std::string& kernel, Dim3 grid, Dim3 block, const KernelArguments& arguments,
                   std::uint32_t dynamic_shared = 0);
  void launch(const std::string& kernel, Dim3 grid, Dim3 block, const std::vector<std::uint64_t>& arguments,
              std::uint32_t float_mask = 0, std::uint32_t dynamic_shared = 0) override;

  void set_text_sink(FunctionalRunner::TextSink sink) { runner_.set_text_sink(std::move(sink)); }
  void set_stop_flag(const std::atomic<bool>* flag) { runner_.set_stop_flag(flag); }
  void set_tracer(ThreadTracer* tracer) { runner_.set_tracer(tracer); }

  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] AddressSpace& memory() { return memory_; }
  [[nodiscard]] std::uint64_t thread_instructions() const { return runner_.thread_instructions(); }  // of all launches
  // First status of the last launch that was not 0.
  [[nodiscard]] std::uint32_t exit_status() const { return runner_.exits().first.status; }

 private:
  Config config_;
  AddressSpace memory_;
  Program program_;
  FunctionalRunner runner_;
};

}  // namespace heddle
