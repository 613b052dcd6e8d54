// SPDX-License-Identifier: Apache-2.0
// The core around the front ends: block dispatch, fetch and decode, lanes, execution pipelines, memory, write-back,
// barriers.
//
// At edge c it samples what the front ends show in cycle c and drives their inputs for cycle c+1. An
// instruction seen at edge c reads its operands at that edge; its result waits in a pipeline record and is written to
// the register file when a write port takes it, so a front end that lets a dependent instruction pass too early
// computes a wrong value. Memory is accessed functionally in issue order; LoadStoreUnit says when the data would be
// there.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/core_backend.h"
#include "core/frontend_pins.h"
#include "core/frontend_state.h"
#include "core/in_flight.h"
#include "core/mechanism_unit.h"
#include "core/selection_rule.h"
#include "core/unit_pipeline.h"
#include "memory/ring.h"

namespace heddle {

// Pins: FrontendPins or DirectFrontendPins.
template <class Pins>
class Backend final : public CoreBackend {
 public:
  // One element of pins and views for each scheduler. unit: may be null.
  Backend(const Config& config, std::vector<Pins*> pins, std::vector<const FrontendView*> views,
          const Capabilities& mechanism = {}, std::unique_ptr<MechanismUnit> unit = nullptr);

  [[nodiscard]] bool needs_global_memory_alone() const override;
  [[nodiscard]] Cycle next_event() const override;
  void pass_over(Cycle next) override;
  void memory_hears_from_outside() override {
    if (config_.run.skip_idle) memory_wakes_ = lsu_->next_event();
  }
  [[nodiscard]] std::uint32_t asleep() const override { return asleep_; }
  [[nodiscard]] Stats take_stats() override;
  // One line per warp that still has threads: PC, mask, stack, reason.
  [[nodiscard]] std::string state_dump() const override;

 private:
  struct DivergentBranch {  // that may have to wait for the other part of its path
    Pc pc, target;
    LaneMask mask, taken;
    std::uint32_t slot;
  };

  struct Question {  // to the front end, whose answer goes to the register of the record
    RecordId record = kNoRecord;
    std::uint32_t slot = 0;
    Pc pc = 0;
  };

  struct Warp : ResidentWarp {  // occupied from launch until the last write-back
    bool launched = false;      // the front end has got it
    bool ended = false;         // the front end has popped its last entry
    bool at_barrier = false;    // all its threads
    LaneMask waiting = 0;       // threads at the barrier, of a warp in splits
    unsigned in_flight = 0;     // records not yet written back
    Pc control_pc = 0;          // last control or barrier instruction
    unsigned masked = 0;        // threads that its last predicated branch masks off
    std::uint64_t issued = 0;
    std::array<LaneMask, kNumRegs> writing{};  // threads with a write of that register in flight
    RecurrenceDetector recurrence;
    DivergentBranch branch{};  // that is not committed yet, if it has threads; where loads split paths
    Question question;
  };

  struct PendingLaunch {
    WarpId warp;
    std::uint32_t warp_in_block;
  };

  struct Fetch {
    Cycle at;
    std::uint32_t warp, slot, tag;
    Pc pc;
  };

  struct Resolution {
    Cycle at;
    std::uint32_t warp, slot;
    LaneMask taken, exit;
    Pc target, next, rpc;
    bool call, ret;
    std::uint8_t skip;
    std::uint32_t kind;
    std::uint64_t operand;
  };

  struct Row {  // of the software-managed stack
    std::array<Pc, 2> pc;
    std::array<LaneMask, 2> mask;
  };

  struct RowAccess {
    std::uint32_t warp, row;
    bool load;
  };

  struct MemoryWork {  // one access on its way to the load/store unit
    Cycle at;
    MemoryAccess access;
    std::array<std::uint64_t, kMaxLanes> address;
  };

  struct LongWait {  // a path that waits for something long
    std::uint32_t warp, slot;
  };

  static constexpr unsigned kRowQueue = 8;  // of a partition, on their way to the load/store unit
  static constexpr unsigned kWheel = 2048;  // longer than any configurable latency

  struct Partition {  // one scheduler's share of the core
    Partition(Pins* p, const FrontendView* v, const Config& config);
    Pins* pins;
    const FrontendView* view;
    SelectionRule rule;
    UnitPipeline alu, fp;
    Ring<Fetch> fetches;
    Ring<Resolution> resolutions;
    Ring<PendingLaunch> launches;
    std::vector<RecordQueue> wheel;                // results by cycle modulo kWheel
    std::array<std::uint64_t, kWheel / 64> due{};  // bit a list of it: not empty
    unsigned lists_due = 0;                        // of them
    RecordQueue results;                           // results waiting for a write port
    std::uint64_t release = 0;                     // barrier releases of the next cycle
    Ring<LongWait> long_waits;                     // to be told, one a cycle, each path once
    std::vector<RecordId>
        missing;              // loads of which some threads have their data and the others wait, to be offered in turn
    std::size_t offered = 0;  // the one of them that is at the pins
    Ring<RowAccess> rows;     // to be saved and loaded
    Ring<std::uint32_t> fills;  // local warps whose row has come
    std::uint64_t loading = 0;  // bit a warp: it waits for its row
    bool rows_ready = false;    // save_ready and load_ready, as they are at the pins
    std::array<std::uint64_t, 2>
        waits{};  // bit a warp: its left, right path is among them; selectors of two slots alone ask
    std::array<std::uint8_t, 4> check{};  // by cycle modulo 4: local warp + 1 whose paths are checked then
    bool same_units = false;              // are ready in this cycle as in the last one
    Cycle wake = 0;  // asleep: the first cycle in which something goes to the front end, unless it is woken
  };

  // One instruction as the front end issued it.
  struct Issue : Part {
    Partition& part;
    unsigned partition;
    std::uint32_t local;
    Warp& state;
    const StaticInstruction& info;
  };

  // The core as the mechanism's unit sees it.
  class Core final : public UnitCore {
   public:
    explicit Core(Backend& backend) : backend_(backend) {}
    [[nodiscard]] const Program& program() const override { return *backend_.launch_.program; }
    [[nodiscard]] const std::string& kernel() const override { return backend_.launch_.kernel; }
    [[nodiscard]] std::string name_of(WarpId warp) const override { return backend_.warp_name(warp); }
    [[nodiscard]] std::uint64_t value(WarpId warp, RegId reg, unsigned lane) const override {
      return backend_.value(warp, reg, lane);
    }
    [[nodiscard]] LaneMask live(WarpId warp) const override { return backend_.warps_[warp].live; }
    [[nodiscard]] unsigned stack_depth(WarpId warp) const override;
    [[nodiscard]] StackEntry stack_entry(WarpId warp, unsigned index) const override;
    [[nodiscard]] Stats& stats() override { return backend_.stats_; }
    [[noreturn]] void stop_at(const PathInstruction& at, const std::string& code,
                              const std::string& message) const override;
    [[noreturn]] void stop(const std::string& code, const std::string& message) const override {
      backend_.stop(code, message);
    }
    [[noreturn]] void wrong(const std::string& code, const std::string& message) const override {
      backend_.wrong(code, message);
    }

   private:
    Backend& backend_;
  };

  void reset_machine() override;
  [[nodiscard]] const MechanismUnit& unit() const override { return unit_ == nullptr ? CoreBackend::unit() : *unit_; }
  [[nodiscard]] WarpParts warp_parts() const override {
    return can_.parts_warps ? WarpParts::kByHardware : WarpParts::kByBranches;
  }
  [[nodiscard]] bool predicates() const override { return can_.predicates; }
  void cycle() override;
  ResidentWarp& clear_warp(WarpId id) override;
  void warp_placed(WarpId id, std::uint32_t warp_in_block) override;
  [[nodiscard]] bool in_flight() const override;
  void reset_recurrence() override;
  [[nodiscard]] bool only_recurrence() const override;
  [[nodiscard]] std::string livelock_text() const override;
  void name_what_waits() override;
  void name_divergent_barrier();
  [[nodiscard]] const ResidentWarp& resident(WarpId id) const override { return warps_[id]; }

  void drive_launch(Partition& part);
  void serve_fetch(Partition& part);
  void drive_resolution(Partition& part);
  void write_back(Partition& part);
  [[nodiscard]] std::uint32_t shared_units() const;
  void drive_ready(Partition& part, std::uint32_t shared);
  void serve_memory();
  [[nodiscard]] bool memory_may_accept() const {
    return !memory_work_.empty() && memory_work_.front().at <= now_ && lsu_->can_accept();
  }
  void load_arrives(RecordId record, LaneMask lanes);
  void offer_split(Partition& part);
  void commit_branch(unsigned partition);
  void take_rows(Partition& part);
  void drive_rows(Partition& part);
  bool send_row();
  [[nodiscard]] bool rows_wait() const {
    return can_.rows_in_memory &&
           std::any_of(parts_.begin(), parts_.end(), [](const Partition& part) { return !part.rows.empty(); });
  }
  [[nodiscard]] Row& row_of(WarpId id, unsigned row) { return rows_[std::size_t{id} * config_.stack.depth + row]; }
  [[nodiscard]] StackEntry entry(unsigned partition, unsigned local, unsigned index) const;
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
  void execute_own(const Issue& issue);
  [[nodiscard]] static PathInstruction path_of(const Issue& issue) {
    return {issue.id, issue.slot, issue.pc, issue.mask, issue.warp.live, issue.inst};
  }
  void hear(unsigned partition);
  void answer(unsigned partition);
  void queue_accesses(const Issue& issue, RecordId record, const Address* address);
  void queue_access(const Issue& issue, RecordId record, const Address* address, Space space, LaneMask mask);
  void resolve(const Issue& issue, LaneMask taken, Pc target, Pc next, LaneMask exit);
  void comes_to_barrier(Warp& warp);
  void release_barrier_if_complete(unsigned block_slot);

  RecordId new_record(const Issue& issue, RegId rd, LaneMask mask);
  void drop(RecordId record);
  void finish_at(Partition& part, RecordId record, Cycle at);
  void tell_long_wait(WarpId id, unsigned slot);

  void look_at(unsigned partition);
  [[nodiscard]] Stall stall(const Partition& part) const;
  [[nodiscard]] bool may_sleep(const Partition& part) const;
  [[nodiscard]] Cycle next_event(const Partition& part) const;
  [[nodiscard]] Cycle next_result(const Partition& part) const;

  // The warp that the front end names at a pin: one that is there.
  [[nodiscard]] WarpId named_warp(unsigned partition, std::uint32_t local, const char* pin) const;
  void check_selection(unsigned partition);
  void check_issue(const Issue& issue) const;
  void check_hazards(const Issue& issue) const;
  void check_paths(unsigned partition, unsigned local);
  // The front end does what docs/frontend.md forbids, of this warp.
  [[noreturn]] void broken(WarpId id, const std::string& what) const;
  [[noreturn]] void barrier_of_a_path(const Issue& issue) const;
  [[noreturn]] void past_the_barrier(const Issue& issue) const;
  [[noreturn]] void overflow(unsigned partition) const;

  [[nodiscard]] WarpId core_warp(unsigned partition, std::uint32_t local) const {
    return local * schedulers_ + partition;
  }

  const unsigned schedulers_;
  const Capabilities can_;
  const std::unique_ptr<MechanismUnit> unit_;
  Core core_{*this};
  std::vector<Partition> parts_;
  UnitPipeline muldiv_, sfu_;
  Ring<MemoryWork> memory_work_;
  std::vector<Row> rows_;           // stack.depth a warp
  unsigned row_turn_ = 0;           // the partition whose row goes to the load/store unit first
  std::uint32_t asleep_ = 0;        // bit a partition
  std::uint32_t shared_units_ = 0;  // that are ready, as the pins say
  Cycle memory_wakes_ =
      0;  // the first cycle in which load/store unit or memory do something, unless an access goes to them
  std::vector<Warp> warps_;
  InFlightPool pool_;
  std::vector<StackEntry> checked_;  // entries of one stack
};

}  // namespace heddle
