// SPDX-License-Identifier: Apache-2.0
// What every core has, whatever forms its warps: life of a launch, dispatch of blocks, architectural state, functional
// execution, commit, fault texts, watchdog and livelock search. Backend (front ends with static warps) and
// BarrelBackend derive from it. None of them knows the SystemC kernel: edge() is one rising edge of the clock, whoever
// makes it.
//
// Architectural state is kept by static warp: thread w * lanes + l of the core is lane l of warp slot w.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <exception>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "core/lane_rows.h"
#include "core/livelock.h"
#include "core/mechanism_unit.h"
#include "heddle/config.h"
#include "heddle/error.h"
#include "heddle/observer.h"
#include "heddle/stats.h"
#include "isa/csr.h"
#include "isa/launch.h"
#include "isa/program.h"
#include "memory/address_space.h"
#include "memory/lsu.h"
#include "memory/ring.h"

namespace heddle {

[[nodiscard]] inline unsigned lowest_lane(LaneMask mask) { return static_cast<unsigned>(__builtin_ctzll(mask)); }

// Calls f(lane) for every lane of mask, lowest first.
template <class F>
void for_each_lane(LaneMask mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(lowest_lane(mask));
}

class CoreBackend {
 public:
  // `path`: the load/store unit's way to L1 and shared memory.
  CoreBackend(const Config& config, LoadStoreUnit::Path path);
  virtual ~CoreBackend() = default;
  CoreBackend(const CoreBackend&) = delete;
  CoreBackend& operator=(const CoreBackend&) = delete;

  // Prepares a launch and drives idle inputs; what is on the other side of the pins is reset afterwards. text: where
  // write calls of the threads go.
  void begin(const Launch& launch, AddressSpace& space, MemoryInterface& memory, Observer* observer,
             std::ostream& text);
  // From the next edge on the launch runs.
  void go() { running_ = true; }
  void edge();
  [[nodiscard]] bool finished() const { return finished_; }
  // The error that stopped the launch, if any.
  [[nodiscard]] std::exception_ptr error() const { return error_; }
  // Stops the launch from outside (co-simulation mismatch).
  void fail(std::exception_ptr error);
  // Looked at every 256 cycles: once it is set, the launch stops with Error(interrupted). May be null.
  void set_stop_flag(const std::atomic<bool>* flag) { stop_flag_ = flag; }

  // One of several SMs, which are given their blocks from outside: between begin() and go(). More may come until
  // no_more_blocks().
  void take_blocks_from_outside() {
    blocks_left_ = 0;
    blocks_come_ = one_of_several_ = true;
  }
  [[nodiscard]] bool has_room_for_block() const;
  void give_block(std::uint64_t number);
  // Of the launch that has begun: warps of a scheduler have numbers below this.
  [[nodiscard]] unsigned warp_slots() const;
  void no_more_blocks();
  // The next edge executes something that no other SM may do at the same time: an access to a word of global memory
  // that reads and writes it.
  [[nodiscard]] virtual bool needs_global_memory_alone() const = 0;
  // When something last changed that an endless loop does not change. Whether the SM has repeated itself in a window
  // after `cycle`: for ever, if what it waits for does not come from another SM. Then stop_repeating() says so.
  [[nodiscard]] Cycle last_progress() const { return watch_.last; }
  [[nodiscard]] bool repeats_itself_since(Cycle cycle) const { return watch_.stuck && watch_.stuck_from > cycle; }
  void stop_repeating();
  // The cycle of the next edge at which something may change, at the latest: those before it would count the same
  // stalls as the last one and do nothing else, and so would the other side of the pins. pass_over() counts them.
  [[nodiscard]] virtual Cycle next_event() const { return now_; }
  virtual void pass_over(Cycle /*next*/) {}
  // Between two cycles something was handed to the memory behind from outside: its next event may be another one.
  virtual void memory_hears_from_outside() {}
  // Bit a scheduler: a step of its front end would change nothing.
  [[nodiscard]] virtual std::uint32_t asleep() const { return 0; }
  // Cycles that have gone by since this SM has ended.
  void idle_until(Cycle now);

  [[nodiscard]] Cycle now() const { return now_; }
  // Statistics of the launch that has just ended.
  [[nodiscard]] virtual Stats take_stats();
  // The state of everything that still has threads, for messages.
  [[nodiscard]] virtual std::string state_dump() const = 0;

 protected:
  // What is done with an instruction, decided once per static instruction.
  enum class Kind : std::uint8_t {
    kIllegal,
    kCompute,
    kNop,
    kBranch,
    kJump,
    kEcall,
    kCsr,
    kMemory,
    kBarrier,
    kWarpsync,  // of a mechanism whose threads do not wait there
    kOwn        // of the mechanism's unit
  };

  struct StaticInstruction {
    std::uint64_t bundle = 0;
    Kind kind = Kind::kIllegal;
    bool resolves = false;     // an own one is a control instruction
    std::uint8_t skip = 0;     // instructions that threads taking this branch may be masked off for instead
    std::uint16_t helper = 0;  // index into helpers_; the first is for all that is in none
    std::uint32_t branch = 0;  // index into branches_
  };

  struct ResidentWarp {
    bool occupied = false;  // slot taken
    unsigned block = 0;     // resident block slot
    LaneMask live = 0;
    alignas(64) std::array<std::uint8_t, kMaxLanes> fcsr{};
    WarpContext context;
  };

  struct Block {
    bool resident = false;
    std::uint64_t number = 0;
    unsigned warps_resident = 0;  // holding a warp slot
    unsigned running = 0;         // front ends: warps with live threads; barrel: live threads
    unsigned waiting = 0;         // of them, at the barrier
  };

  // One instruction for some threads of one static warp.
  struct Part {
    WarpId id;
    ResidentWarp& warp;
    unsigned slot;
    Pc pc;
    LaneMask mask;
    const Instruction& inst;
  };

  struct EcallResult {
    LaneMask exited = 0, written = 0;
  };

  // --- what a core adds
  virtual void reset_machine() = 0;  // part of begin()
  // Of the mechanism; here one that has nothing of its own.
  [[nodiscard]] virtual const MechanismUnit& unit() const;
  // Which threads of a warp execute an instruction together: as its branches part and join them; of those perhaps only
  // some; any of the core.
  enum class WarpParts : std::uint8_t { kByBranches, kByHardware, kFormed };
  [[nodiscard]] virtual WarpParts warp_parts() const = 0;
  // A short forward branch may mask threads off.
  [[nodiscard]] virtual bool predicates() const { return true; }
  virtual void cycle() = 0;                         // one clock edge; ends with end_of_cycle()
  virtual ResidentWarp& clear_warp(WarpId id) = 0;  // the warp slot as new
  virtual void warp_placed(WarpId id, std::uint32_t warp_in_block) = 0;
  [[nodiscard]] virtual bool in_flight() const = 0;  // something that was issued is still to come back by itself
  virtual void reset_recurrence() = 0;               // a window of observation opens
  [[nodiscard]] virtual bool only_recurrence()
      const = 0;  // something issued in the window, and all of it came back to its own state
  [[nodiscard]] virtual std::string livelock_text() const = 0;  // who repeats what
  virtual void name_what_waits() {}  // nothing issues any more: stops with a better reason than the watchdog's

  // --- dispatch
  void dispatch();
  [[nodiscard]] bool can_place_block() const {
    return !given_blocks_.empty() && resident_blocks_ != resident_limit_ && free_warps_ >= warps_per_block_;
  }
  void end_of_cycle();
  // The first cycle whose end does more than to count: limits, watchdog, a look at the stop flag.
  [[nodiscard]] Cycle next_look() const;
  void release_warp(WarpId id);

  // --- functional execution; each stops the run with a fault text where the program is wrong
  [[nodiscard]] const Instruction& instruction_at(Pc pc) const {
    static const Instruction kOutside;
    const Instruction* inst = launch_.program->at(pc);
    return inst != nullptr ? *inst : kOutside;
  }
  void count_helper(const StaticInstruction& info, unsigned threads) {
    helpers_[info.helper].thread_instructions += threads;
  }
  [[nodiscard]] const StaticInstruction& static_instruction(Pc pc) const {
    const Program& program = *launch_.program;
    return program.at(pc) != nullptr ? code_[(pc - program.text_begin) >> 2] : outside_the_code();
  }
  // An illegal instruction that stops the path: the fault is reported if it is ever issued.
  [[nodiscard]] static const StaticInstruction& outside_the_code();
  void compute(const Part& part, LaneArray out);
  [[nodiscard]] LaneMask branch_taken_lanes(const Part& part, Pc target) const;
  [[nodiscard]] Pc jump_target(const Part& part, unsigned lane) const;
  [[nodiscard]] LaneMask jumping_to(const Part& part, Pc target) const;  // lanes whose jump goes there
  [[nodiscard]] EcallResult environment_call(const Part& part, LaneArray out);
  void control_register(const Part& part, std::uint64_t instret, LaneArray out);
  void access_memory(const Part& part, LaneArray out, Address* address);
  [[nodiscard]] bool stores_change_memory(const Part& part) const;
  // An atomic of at least one thread on global memory; of those that reserve, wherever.
  [[nodiscard]] bool needs_alone(WarpId id, LaneMask mask, const Instruction& inst) const;
  [[noreturn]] void illegal(const Part& part) const;
  void commit(const Part& part, LaneMask mask, LaneArray result, const Address* address, LaneMask taken, Pc target,
              LaneMask exited);
  // A branch or indirect jump has resolved; divergent: some of its threads go to `target` and some to `next`.
  void count_branch(const Instruction& inst, Pc pc, bool divergent, Pc target, Pc next);
  // ... and masks threads off instead.
  void count_predicated(Pc pc);

  // --- checks and texts
  void watch_progress();
  [[noreturn]] void stop_livelock(const std::string& who) const;
  [[noreturn]] void stop(const std::string& code, const std::string& message, ErrorKind kind = ErrorKind::kOther) const;
  [[noreturn]] void wrong(const std::string& code,
                          const std::string& message) const;  // the hardware failed, not the program
  void check_warp_wide(const Part& part) const;
  void check_warpsync(const Part& part) const;
  [[noreturn]] void fault(const Part& part, unsigned lane, ErrorKind kind, const std::string& what) const;
  [[noreturn]] void stack_overflow(WarpId id, Pc pc) const;
  [[noreturn]] void divergent_barrier(const Part& part, LaneMask others, Pc other) const;
  [[nodiscard]] std::string warp_name(WarpId id) const;
  [[nodiscard]] std::string thread_name(WarpId id, unsigned lane) const;

  // Registers of a warp. Word: what wide_ says.
  template <typename Word>
  [[nodiscard]] const Word* reg(WarpId id, RegId r) const {
    return registers_.row<Word>(row_of_register(id, r));
  }
  [[nodiscard]] std::uint64_t value(WarpId id, RegId r, unsigned lane) const {
    return wide_ ? reg<std::uint64_t>(id, r)[lane] : reg<std::uint32_t>(id, r)[lane];
  }
  [[nodiscard]] std::uint64_t value(LaneArray values, unsigned lane) const {
    return wide_ ? values.as<std::uint64_t>()[lane] : values.as<std::uint32_t>()[lane];
  }
  void set_value(LaneArray values, unsigned lane, std::uint64_t value) const {
    if (wide_) values.as<std::uint64_t>()[lane] = value;
    else values.as<std::uint32_t>()[lane] = static_cast<std::uint32_t>(value);
  }
  void write_register(WarpId id, RegId r, LaneMask mask, LaneArray values) {
    if (wide_) write_register_as<std::uint64_t>(id, r, mask, values);
    else write_register_as<std::uint32_t>(id, r, mask, values);
  }
  // The same value for every lane.
  void fill(LaneArray values, std::uint64_t value) const {
    if (wide_) std::fill_n(values.as<std::uint64_t>(), lanes_, value);
    else std::fill_n(values.as<std::uint32_t>(), lanes_, static_cast<std::uint32_t>(value));
  }
  [[nodiscard]] static AccessKind access_kind(const Instruction& inst) {
    return inst.is_atomic() ? AccessKind::kAtomic : inst.is_store() ? AccessKind::kStore : AccessKind::kLoad;
  }
  [[nodiscard]] virtual const ResidentWarp& resident(WarpId id) const = 0;

  const Config config_;
  const unsigned lanes_;
  const LoadStoreUnit::Path path_;
  std::unique_ptr<LoadStoreUnit> lsu_;

  Launch launch_;
  bool wide_ = false;  // the program is RV64: registers have 64 bits
  AddressSpace* space_ = nullptr;
  Observer* observer_ = nullptr;
  std::vector<StaticInstruction> code_;  // parallel to Program::text
  bool has_atomics_ = false;             // the program

  std::vector<Block> blocks_;
  std::uint64_t blocks_left_ = 0;

  Cycle now_ = 0;
  Stats stats_;
  Cycle last_issue_ = 0;
  Cycle last_pending_ = 0;  // something was in flight when no instruction had issued for long
  LivelockWatch watch_;

 private:
  // Of each width; the function without `_as` chooses.
  template <typename Word>
  void compute_as(const Part& part, LaneArray out);
  template <typename Word>
  [[nodiscard]] LaneMask branch_taken_as(const Part& part) const;
  template <typename Word>
  [[nodiscard]] EcallResult environment_call_as(const Part& part, LaneArray out);
  template <typename Word>
  void control_register_as(const Part& part, std::uint64_t instret, LaneArray out);
  template <typename Word>
  void access_memory_as(const Part& part, LaneArray out, Address* address);
  template <typename Word>
  void write_register_as(WarpId id, RegId r, LaneMask mask, LaneArray values) {
    Word* destination = registers_.row<Word>(row_of_register(id, r));
    const Word* source = values.as<Word>();
    if (mask == lane_mask(lanes_)) {
      std::copy_n(source, lanes_, destination);
    } else {
      for_each_lane(mask, [&](unsigned lane) { destination[lane] = source[lane]; });
    }
  }
  [[nodiscard]] static std::size_t row_of_register(WarpId id, RegId r) { return std::size_t{id} * kNumRegs + r; }
  void clear_registers(WarpId id);
  [[nodiscard]] std::uint64_t base_plus_offset(const Part& part, unsigned lane) const;
  [[nodiscard]] std::uint64_t jalr_target(const Part& part, unsigned lane) const;
  [[nodiscard]] bool in_memory(Address address, unsigned bytes, const Accessor& who, std::uint64_t& value) const;
  [[nodiscard]] std::int32_t print(const Part& part, unsigned lane);  // print call; its result
  void count_failure(const Part& part, unsigned lane);

  void prepare_code(const Program& program);
  void prepare_own(const Instruction& inst, StaticInstruction& info) const;
  void find_helpers(const Program& program);
  void place_block(unsigned block_slot);

  std::ostream* text_ = nullptr;
  const std::atomic<bool>* stop_flag_ = nullptr;
  std::vector<BranchStats> branches_;
  std::vector<HelperStats> helpers_;  // the first: everything else
  std::vector<InitialRegister> initial_registers_;
  LaneRows registers_;                // [warp][register]
  std::uint64_t next_block_ = 0;      // of those that are not given from outside
  bool blocks_come_ = false;          // from outside
  bool one_of_several_ = false;       // SMs
  std::string who_repeats_;           // of watch_.stuck
  Ring<std::uint64_t> given_blocks_;  // not placed yet
  unsigned warps_per_block_ = 0, resident_limit_ = 0, resident_blocks_ = 0, free_warps_ = 0;
  bool running_ = false, finished_ = true;
  std::exception_ptr error_;
};

}  // namespace heddle
