// SPDX-License-Identifier: Apache-2.0
// The barrel core: lanes x warps threads, each with at most one instruction in flight, around a warp source
// (docs/barrel.md).
//
// At edge c it takes what the source issued in cycle c, executes it functionally, and gives back threads whose
// instruction has passed the pipeline or whose data has arrived. Registers are written at issue: their thread cannot
// look at them before it is given back. Memory is accessed functionally in issue order, in a group by ascending thread;
// LoadStoreUnit says when the data would be there.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "barrel/post_dominators.h"
#include "barrel/warp_source.h"
#include "core/core_backend.h"
#include "memory/ring.h"

namespace heddle {

class BarrelBackend final : public CoreBackend {
 public:
  BarrelBackend(const Config& config, std::unique_ptr<WarpSource> source);

  // Which warp issues is known inside of the edge: always, if the program has such instructions.
  [[nodiscard]] bool needs_global_memory_alone() const override { return has_atomics_; }
  [[nodiscard]] Stats take_stats() override;
  // Live threads by place and PC.
  [[nodiscard]] std::string state_dump() const override;

 private:
  using FlightId = std::uint32_t;
  enum class Place : std::uint8_t { kNone, kSource, kPipeline, kMemory, kBarrier };
  static constexpr unsigned kPlaces = 5;
  static constexpr std::uint32_t kNoToken = ~0u;

  struct Thread {
    Place place = Place::kNone;
    std::uint8_t home_lane = 0;
    Pc next_pc = 0;
    Cycle entered = 0;  // the source, last time
    std::uint64_t instret = 0;
    RecurrenceDetector recurrence;
  };

  struct InPipeline {
    Cycle at;
    FlightId flight;
  };
  struct Arrival {
    Cycle at;
    FlightId flight;
    LaneMask lanes;
  };
  struct MemoryWork {  // one access on its way to the load/store unit
    Cycle at;
    std::uint32_t token;
    bool last;  // of its instruction
    MemoryAccess access;
    std::array<std::uint64_t, kMaxLanes> address;
  };
  struct AccessInFlight {
    FlightId flight;
    LaneMask lanes;  // not done
  };

  void reset_machine() override;
  [[nodiscard]] WarpParts warp_parts() const override {
    return !whole_                               ? WarpParts::kFormed
           : style_ == WarpSource::Style::kStack ? WarpParts::kByBranches
                                                 : WarpParts::kByHardware;
  }
  void cycle() override;
  ResidentWarp& clear_warp(WarpId id) override;
  void warp_placed(WarpId id, std::uint32_t warp_in_block) override;
  [[nodiscard]] bool in_flight() const override;
  void reset_recurrence() override;
  [[nodiscard]] bool only_recurrence() const override;
  [[nodiscard]] std::string livelock_text() const override;
  [[nodiscard]] const ResidentWarp& resident(WarpId id) const override { return warps_[id]; }

  void serve_memory();
  void take_completions();
  void leave_pipeline();
  void arrive();
  void issue();
  void read_banks();
  void account(unsigned threads);
  [[nodiscard]] Stall idle_reason() const;

  void execute(const ThreadGroup& group);
  void execute_independently(const ThreadGroup& group);
  void take_from_source(const ThreadGroup& group);
  void split(const ThreadGroup& group);
  void execute_compute(Flight& flight, const Instruction& inst);
  void execute_branch(Flight& flight, const Instruction& inst);
  void execute_jump(Flight& flight, const Instruction& inst);
  void execute_ecall(Flight& flight, const Instruction& inst);
  void execute_csr_access(Flight& flight, const Instruction& inst);
  void execute_memory_access(FlightId id, const Instruction& inst);
  void execute_barrier(Flight& flight, const Instruction& inst);
  void queue_accesses(FlightId id, const Instruction& inst, const std::uint64_t* physical,
                      const std::array<LaneMask, 3>& lanes);
  void access_done(std::uint32_t token, LaneMask lanes);

  void come_back(FlightId id, LaneMask lanes) { arrivals_.push({now_ + entry_delay_, id, lanes}); }
  void enter(FlightId id, LaneMask lanes);
  void wait_at_barrier(FlightId id);
  void release_barrier_if_complete(unsigned block_slot);
  void threads_exit(const Flight& flight);
  void open_region(const Flight& flight);

  void write(const Part& part, LaneMask mask, RegId rd, LaneArray values);
  void move(ThreadId tid, Place to);
  void count_pc(Pc pc, int change);
  void check_conservation() const;
  [[noreturn]] void wrong_thread(const ThreadGroup& group, unsigned lane, const std::string& what) const;

  // Calls f(part) for each static warp of the group last given to split(), in ascending order.
  template <class F>
  void for_each_part(Pc pc, const Instruction& inst, F f) {
    for (std::uint64_t warps = parts_; warps != 0; warps &= warps - 1) {
      const WarpId id = lowest_lane(warps);
      f(Part{id, warps_[id], 0, pc, part_mask_[id], inst});
    }
  }
  // Lanes of the group last given to split() for lanes of a part.
  [[nodiscard]] LaneMask group_lanes(WarpId id, LaneMask lanes) const {
    LaneMask mask = 0;
    for_each_lane(lanes, [&](unsigned lane) { mask |= LaneMask{1} << group_lane_[id * lanes_ + lane]; });
    return mask;
  }
  [[nodiscard]] FlightId new_flight(const ThreadGroup& group);
  [[nodiscard]] WarpId warp_of(ThreadId tid) const { return tid >> lane_shift_; }
  [[nodiscard]] ThreadId thread_of(WarpId id, unsigned lane) const { return static_cast<ThreadId>(id * lanes_ + lane); }

  std::unique_ptr<WarpSource> source_;
  const WarpSource::Style style_;
  const bool whole_;   // groups come back whole
  const bool splits_;  // loads and atomics come back in parts, with their lines
  const bool crossbar_;
  const bool counts_postdominators_;
  const bool homes_matter_;           // a thread may sit in its home lane only
  const bool posts_stores_;           // threads of a store do not wait until it has left the load/store unit
  const unsigned memory_work_ready_;  // nothing issues with more instructions than this before the load/store unit
  const unsigned lane_shift_;
  const Cycle entry_delay_, pipeline_delay_;

  std::vector<ResidentWarp> warps_;
  std::vector<Thread> threads_;
  PostDominatorCounts postdominators_;     // counted for dpdpri only
  std::array<unsigned, kPlaces> count_{};  // live threads by place; kNone means nothing
  unsigned live_ = 0;

  std::vector<Flight> flights_;
  std::vector<FlightId> free_flights_;
  std::vector<std::vector<FlightId>> at_barrier_;  // by block slot: groups that come back whole
  Ring<InPipeline> pipeline_;
  Ring<Arrival> arrivals_;
  Ring<MemoryWork> memory_work_;
  unsigned memory_instructions_ = 0;  // in memory_work_
  std::vector<AccessInFlight> accesses_;
  std::vector<std::uint32_t> free_accesses_;

  std::vector<ThreadGroup> issued_;  // of this cycle
  std::vector<ThreadGroup> held_;    // crossbar: issued, waits for the banks
  unsigned held_threads_ = 0;
  Cycle banks_free_ = 0;
  bool ready_ = false, ready_before_ = false;
  Stall not_ready_ = Stall::kUnitBusy;

  std::uint64_t parts_ = 0;  // of split(): bit a static warp
  std::array<LaneMask, kMaxWarps> part_mask_{};
  std::vector<std::uint8_t> group_lane_;  // by thread

  std::vector<std::uint32_t> waiting_at_;  // threads in the source by static instruction
  std::uint64_t distinct_pcs_ = 0;
  BarrelStats barrel_;
};

}  // namespace heddle
