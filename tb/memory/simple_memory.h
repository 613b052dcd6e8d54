// SPDX-License-Identifier: Apache-2.0
// Memory behind L1 with a fixed latency and one port of limited bandwidth, first come, first served.
//
// Contract
//   Latency    a read whose transfer starts in cycle s is answered in s + memory.latency, or when its last byte has
//   passed the
//              port if that is later. An idle port starts a request in the cycle it is made.
//   Bandwidth  a request occupies the port for bytes / bytes_per_cycle cycles, fractions included: reads, writes and
//              atomics share it in the order of their requests.
//   Queue      at most kQueueEntries requests wait for the port.
#pragma once

#include <cstdint>

#include "heddle/config.h"
#include "memory/memory_interface.h"
#include "memory/ring.h"

namespace heddle {

class SimpleMemory final : public MemoryInterface {
 public:
  static constexpr std::uint32_t kQueueEntries = 16;  // assumed

  // Throws Error ("config") for a latency or bandwidth of zero.
  explicit SimpleMemory(const Config& config);

  void reset() override;
  void tick(Cycle now) override;
  [[nodiscard]] bool can_accept() const override { return !waiting_.full(); }
  void request(const LineRequest& request) override;
  bool response(std::uint32_t& tag) override;
  [[nodiscard]] bool idle() const override;
  [[nodiscard]] Cycle next_event() const override;
  void pass_over(Cycle last) override { now_ = last; }
  void add_to(Stats& stats) const override;

 private:
  // Port time is counted in bytes: cycle c begins at c * bytes_per_cycle_.
  using PortTime = std::uint64_t;
  struct Read {
    std::uint32_t tag;
    Cycle ready;
  };

  const std::uint64_t bytes_per_cycle_;
  const std::uint64_t latency_;
  Cycle now_ = 0;
  PortTime port_free_ = 0;  // end of the last transfer
  Ring<PortTime> waiting_;  // starts of the transfers that have not begun, ascending
  Ring<Read> reads_;        // ready cycles ascend
  std::uint64_t bytes_ = 0;
  std::uint64_t busy_cycles_ = 0;  // up to busy_until_
  Cycle busy_until_ = 0;           // first cycle not counted yet
};

}  // namespace heddle
