// SPDX-License-Identifier: Apache-2.0
// All SMs of a GPU, each an Sm, over one memory, on several threads of the host.
//
// Time goes in windows of noc.latency cycles, in which no SM can see what another one does: memory requests and answers
// are longer on their way, and stores to global memory become visible to the others at the window's end, in the order
// of the SMs. An SM that comes to an atomic on global memory waits until all others have come that far or to the
// window's end; then what has been stored is made visible, the atomics are done in the order of their cycles and SMs,
// and the window goes on. Blocks are given out at the beginning of a window, in turn, to SMs that have room. So every
// count is the same for any number of host threads. Tasks in which the SMs had little to do the last time are done by
// the calling thread alone.
#pragma once

#include <functional>
#include <memory>
#include <sstream>
#include <vector>

#include "engine/core.h"
#include "engine/host_threads.h"
#include "engine/sm.h"
#include "memory/memory_system.h"

namespace heddle {

class Gpu final : public Core {
 public:
  Gpu(const Config& config, unsigned host_threads);

  // The observer sees SM 0.
  void begin(const Launch& launch, AddressSpace& space, Observer* observer, std::ostream& text) override;
  void run() override;
  void set_stop_flag(const std::atomic<bool>* flag) override;
  [[nodiscard]] Stats take_stats() override;
  [[nodiscard]] Cycle now() const override;
  [[nodiscard]] bool running() const override;

 private:
  void give_blocks();
  void run_window(Cycle end);
  unsigned run_until_alone(unsigned sm, Cycle end);
  void run_tasks(unsigned count, const std::function<void(unsigned)>& task, std::uint64_t& steps);
  void do_what_needs_memory_alone(Cycle end);
  void look_for_livelock();
  void write_text();
  [[nodiscard]] std::exception_ptr first_error() const;

  const Config config_;
  const Cycle window_;
  std::unique_ptr<MemorySystem> system_;                    // memory.kind=hierarchy
  std::vector<std::unique_ptr<MemoryInterface>> memories_;  // simple: each SM's share
  std::vector<std::unique_ptr<Sm>> sms_;
  std::vector<std::unique_ptr<AddressSpace>> views_;
  std::vector<std::ostringstream> texts_;
  std::ostream* text_ = nullptr;   // where they go
  std::vector<char> stopped_;      // in front of an edge that needs memory alone
  std::vector<unsigned> stepped_;  // cycles of each SM in the tasks that were run last
  std::uint64_t window_steps_ = 0,
                go_on_steps_ = 0;  // of all SMs but the busiest one when tasks of the kind were run last
  HostThreads threads_;
  std::uint64_t blocks_ = 0, next_block_ = 0;
  unsigned turn_ = 0;
};

}  // namespace heddle
