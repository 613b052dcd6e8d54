// SPDX-License-Identifier: Apache-2.0
// The core around the front ends: block dispatch, fetch and decode, lanes, execution pipelines, memory, write-back, barriers.
//
// One clocked process. At edge c it samples what the front ends show in cycle c and drives their inputs for cycle c+1. An
// instruction seen at edge c reads its operands at that edge; its result waits in a pipeline record and is written to the register
// file when a write port takes it, so a front end that lets a dependent instruction pass too early computes a wrong value.
// Memory is accessed functionally in issue order; LoadStoreUnit says when the data would be there.
#pragma once

#include <array>
#include <exception>
#include <iosfwd>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "core/frontend_pins.h"
#include "core/frontend_state.h"
#include "core/in_flight.h"
#include "core/livelock.h"
#include "core/unit_pipeline.h"
#include "heddle/config.h"
#include "heddle/observer.h"
#include "heddle/stats.h"
#include "isa/csr.h"
#include "isa/launch.h"
#include "isa/program.h"
#include "memory/address_space.h"
#include "memory/lsu.h"
#include "memory/ring.h"

namespace heddle {

class Backend : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk;

  // One element of pins and views for each scheduler.
  Backend(sc_core::sc_module_name name, const Config& config, std::vector<FrontendPins*> pins,
          std::vector<const FrontendView*> views);

  // Prepares a launch and drives idle inputs; the front ends are reset afterwards. text: where write calls of the threads go.
  void begin(const Launch& launch, AddressSpace& space, MemoryInterface& memory, Observer* observer, std::ostream& text);
  // From the next edge on the process runs the launch; it pauses the simulation at its end.
  void go() { running_ = true; }
  [[nodiscard]] bool finished() const { return finished_; }
  // The error that stopped the launch, if any.
  [[nodiscard]] std::exception_ptr error() const { return error_; }
  // Stops the launch from outside (co-simulation mismatch).
  void fail(std::exception_ptr error);

  [[nodiscard]] Cycle now() const { return now_; }
  // Statistics of the launch that has just ended.
  [[nodiscard]] Stats take_stats();
  // One line per warp that still has threads: PC, mask, stack, reason.
  [[nodiscard]] std::string state_dump() const;

 private:
  // What accept() does with an instruction, decided once per static instruction.
  enum class Kind : std::uint8_t { kIllegal, kCompute, kNop, kBranch, kJump, kEcall, kCsr, kMemory, kBarrier };

  struct StaticInstruction {
    std::uint64_t bundle = 0;
    Kind kind = Kind::kIllegal;
    std::uint32_t branch = 0;  // index into branches_
  };

  struct Warp {
    bool occupied = false;     // slot taken: from launch until the last write-back
    bool launched = false;     // the front end has got it
    bool ended = false;        // the front end has popped its last entry
    bool at_barrier = false;
    unsigned block = 0;        // resident block slot
    unsigned in_flight = 0;    // records not yet written back
    LaneMask live = 0;
    Pc control_pc = 0;         // last control or barrier instruction
    std::uint64_t issued = 0;
    std::array<LaneMask, kNumRegs> writing{};  // threads with a write of that register in flight
    alignas(64) std::array<std::uint8_t, kMaxLanes> fcsr{};
    WarpContext context;
    RecurrenceDetector recurrence;
  };

  struct Block {
    bool resident = false;
    std::uint64_t number = 0;
    unsigned warps_running = 0;   // with live threads
    unsigned warps_resident = 0;  // holding a warp slot
    unsigned warps_waiting = 0;   // at the barrier
  };

  struct PendingLaunch {
    WarpId warp;
    std::uint32_t warp_in_block;
  };

  struct Fetch {
    Cycle at;
    std::uint32_t warp, slot;
    Pc pc;
  };

  struct Resolution {
    Cycle at;
    std::uint32_t warp, slot;
    LaneMask taken, exit;
    Pc target, next, rpc;
  };

  struct MemoryWork {  // one access on its way to the load/store unit
    Cycle at;
    MemoryAccess access;
    std::array<std::uint64_t, kMaxLanes> address;
  };

  static constexpr unsigned kWheel = 2048;  // longer than any configurable latency

  struct Partition {  // one scheduler's share of the core
    Partition(FrontendPins* p, const FrontendView* v);
    FrontendPins* pins;
    const FrontendView* view;
    UnitPipeline alu, fp;
    Ring<Fetch> fetches;
    Ring<Resolution> resolutions;
    Ring<PendingLaunch> launches;
    std::vector<RecordQueue> wheel;        // results by cycle modulo kWheel
    RecordQueue results;                   // results waiting for a write port
    std::uint64_t release = 0;             // barrier releases of the next cycle
    bool miss = false;
    std::uint32_t miss_warp = 0, miss_slot = 0;
    std::array<std::uint8_t, 4> check{};   // by cycle modulo 4: local warp + 1 whose paths are checked then
  };

  // One instruction as the front end issued it.
  struct Issue {
    Partition& part;
    unsigned partition;
    std::uint32_t local, slot;
    WarpId id;
    Warp& warp;
    Pc pc;
    LaneMask mask;
    const Instruction& inst;
    const StaticInstruction& info;
  };

  void step();
  void cycle();

  void prepare_code(const Program& program);
  void dispatch();
  void place_block(unsigned block_slot);
  void drive_launch(Partition& part);
  void serve_fetch(Partition& part);
  void drive_resolution(Partition& part);
  void write_back(Partition& part);
  void drive_ready(Partition& part);
  void serve_memory();
  void finish_warps(unsigned partition);
  void free_if_drained(WarpId id);
  void threads_exit(WarpId id, LaneMask exited);

  void accept(unsigned partition);
  void execute_compute(const Issue& issue);
  void execute_branch(const Issue& issue);
  void execute_jump(const Issue& issue);
  void execute_ecall(const Issue& issue);
  void execute_csr_access(const Issue& issue);
  void execute_memory_access(const Issue& issue);
  void execute_barrier(const Issue& issue);
  void queue_accesses(const Issue& issue, RecordId record, const Address* address);
  void queue_access(const Issue& issue, RecordId record, const Address* address, Space space, LaneMask mask);
  void commit(const Issue& issue, LaneMask mask, const std::uint32_t* result, const Address* address, LaneMask taken, Pc target,
              LaneMask exited);
  void resolve(const Issue& issue, LaneMask taken, Pc target, Pc next, LaneMask exit);
  void release_barrier_if_complete(unsigned block_slot);

  RecordId new_record(const Issue& issue, RegId rd, LaneMask mask);
  void drop(RecordId record);
  void finish_at(Partition& part, RecordId record, Cycle at);

  void check_hazards(const Issue& issue) const;
  void check_paths(unsigned partition, unsigned local) const;
  void watch_progress();
  [[nodiscard]] bool stores_change_memory(const Issue& issue) const;

  [[noreturn]] void stop(const std::string& code, const std::string& message) const;
  [[noreturn]] void fault(const Issue& issue, unsigned lane, const std::string& what) const;
  [[noreturn]] void divergent_barrier(const Issue& issue) const;
  [[noreturn]] void overflow(unsigned partition) const;
  [[nodiscard]] std::string warp_name(WarpId id) const;
  [[nodiscard]] std::string thread_name(WarpId id, unsigned lane) const;

  [[nodiscard]] WarpId core_warp(unsigned partition, std::uint32_t local) const { return local * schedulers_ + partition; }
  [[nodiscard]] std::uint32_t* reg(WarpId id, RegId r) { return &registers_[(std::size_t{id} * kNumRegs + r) * lanes_]; }
  [[nodiscard]] const std::uint32_t* reg(WarpId id, RegId r) const {
    return &registers_[(std::size_t{id} * kNumRegs + r) * lanes_];
  }

  const Config config_;
  const unsigned lanes_;
  const unsigned schedulers_;
  std::vector<Partition> parts_;
  UnitPipeline muldiv_, sfu_;
  std::unique_ptr<LoadStoreUnit> lsu_;
  Ring<MemoryWork> memory_work_;

  Launch launch_;
  AddressSpace* space_ = nullptr;
  Observer* observer_ = nullptr;
  std::ostream* text_ = nullptr;
  std::vector<StaticInstruction> code_;    // parallel to Program::text
  std::vector<BranchStats> branches_;
  std::vector<InitialRegister> initial_registers_;

  std::vector<Warp> warps_;
  std::vector<std::uint32_t> registers_;   // [warp][register][lane]
  std::vector<Block> blocks_;
  InFlightPool pool_;
  std::uint64_t next_block_ = 0, blocks_left_ = 0;
  unsigned warps_per_block_ = 0, resident_limit_ = 0, resident_ = 0, free_warps_ = 0;

  Cycle now_ = 0;
  Stats stats_;
  bool running_ = false, finished_ = true;
  std::exception_ptr error_;
  Cycle last_issue_ = 0;
  LivelockWatch watch_;
};

}  // namespace heddle
