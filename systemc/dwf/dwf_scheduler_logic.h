// SPDX-License-Identifier: Apache-2.0
// dwf_scheduler without a clock: forms warps of threads with equal next PC and issues one a cycle. step() is one cycle,
// output() what the outputs show after it. The logic of update registers, LUT, allocator, pool and issue logic are
// members. Contract: docs/dwf.md, dwf/dwf_scheduler.
#pragma once

#include "dwf/issue_logic.h"
#include "dwf/pc_warp_lut.h"
#include "dwf/warp_allocator.h"
#include "dwf/warp_pool.h"
#include "dwf/warp_update_register.h"

namespace heddle {

// Limits and options that may differ from the module's parameters: a narrower configuration of the same hardware.
struct DwfConfig {
  std::uint32_t lanes = 0;
  std::uint32_t threads = 0;
  std::uint32_t lut_entries = 0;
  std::uint32_t lut_ways = 0;
  std::uint32_t table_entries = 0;
  std::uint32_t heuristic = 0;
  bool lane_aware = true;
  std::uint32_t table_sort = kTableSortStep;
};

// The input pins of one cycle. Groups are taken while the output update_ready is set.
template <unsigned Lanes>
struct DwfInput {
  DwfGroup<Lanes> update[2];
  bool issue_ready = false;
};

// The outputs. Words of events: bit u is update u.
template <unsigned Lanes>
struct DwfOutput {
  bool update_ready = true;
  bool issue_valid = false;
  bool drain = false;
  std::uint32_t issue_pc = 0;
  std::uint64_t issue_mask = 0;
  std::uint32_t issue_sched = 0;
  std::uint32_t hit = 0;
  std::uint32_t miss = 0;
  std::uint32_t alias = 0;
  std::uint32_t conflict = 0;
  std::uint32_t fragmented = 0;
  std::uint32_t warps = 0;
  std::uint32_t max_warps = 0;
  std::uint32_t distinct = 0;
  std::uint16_t issue_tids[Lanes] = {};
};

template <unsigned Lanes = 16, unsigned Threads = 256, unsigned LutEntries = 32, unsigned LutWays = 2,
          unsigned TableEntries = 32, unsigned SchedW = 8, unsigned Heuristic = 0, unsigned LaneAware = 1,
          unsigned TableSort = 0>
class DwfSchedulerLogic {
 public:
  using UpdateRegister = WarpUpdateRegisterLogic<Lanes, Threads, SchedW>;
  using Lut = PcWarpLutLogic<Lanes, Threads, LutEntries, LutWays, LaneAware>;
  using Allocator = WarpAllocatorLogic<Threads>;
  using Pool = WarpPoolLogic<Lanes, Threads>;
  using Issue = IssueLogic<Threads, Lanes, SchedW, TableEntries, Heuristic, TableSort>;
  using Group = DwfGroup<Lanes>;
  using Input = DwfInput<Lanes>;
  using Output = DwfOutput<Lanes>;
  using Config = DwfConfig;

  [[nodiscard]] static constexpr DwfConfig default_config() {
    return {Lanes, Threads, LutEntries, LutWays, TableEntries, Heuristic, LaneAware != 0, TableSort};
  }

  explicit DwfSchedulerLogic(const DwfConfig& config = default_config())
      : config_(config),
        lut_(LutConfig{config.lut_entries, config.lut_ways, config.lanes, config.lane_aware}),
        allocator_(config.threads),
        issue_(IssueConfig{config.table_entries, config.heuristic, config.table_sort}) {
    HEDDLE_EXPECT(config.lanes >= 1 && config.lanes <= Lanes);
    reset();
  }

  // Scheduler data have bits where the heuristic looks at them only.
  static constexpr unsigned kSchedBits = Heuristic == kHeuristicPdom ? SchedW : 0;

  // Bits that are in no submodule: issue registers, events, high-water mark.
  [[nodiscard]] static constexpr unsigned own_state_bits() {
    return 1 + 32 + Lanes + Lanes * index_width(Threads) + kSchedBits + 5 * 2 + 1 + index_width(Threads + 1);
  }
  [[nodiscard]] static constexpr unsigned state_bits() {
    return 2 * (UpdateRegister::state_bits() - SchedW + kSchedBits) + Lut::state_bits() + Allocator::state_bits() +
           Pool::state_bits() + Issue::state_bits() + own_state_bits();
  }

  void reset() {
    update_[0].reset();
    update_[1].reset();
    lut_.reset();
    allocator_.reset();
    issue_.reset();
    held_ = HoldAnswer();
    output_.update_ready = true;
    output_.issue_valid = false;
    output_.drain = false;
    output_.issue_pc = 0;
    output_.issue_mask = 0;
    output_.issue_sched = 0;
    output_.hit = 0;
    output_.miss = 0;
    output_.alias = 0;
    output_.conflict = 0;
    output_.fragmented = 0;
    output_.warps = 0;
    output_.max_warps = 0;
    output_.distinct = 0;
#ifndef HEDDLE_SYNTHESIS
    found_[0] = LutAnswer();
    found_[1] = LutAnswer();
#endif
    for (unsigned l = 0; l < Lanes; ++l) output_.issue_tids[l] = 0;
  }

  void step(const Input& in) {
    // The picked warp leaves as it stands.
    const std::uint32_t left_count = output_.issue_valid ? count_bits(output_.issue_mask) : 0;  // in the cycle before
    const bool issues = issue_.pick_valid() && in.issue_ready;
    const std::uint32_t picked = issue_.pick_index();
    if (issues) {
      output_.issue_pc = pool_.pc(picked);
      output_.issue_mask = pool_.mask(picked);
      output_.issue_sched = issue_.pick_sched();
      for (unsigned l = 0; l < Lanes; ++l) output_.issue_tids[l] = static_cast<std::uint16_t>(pool_.tid(picked, l));
      lut_.invalidate(output_.issue_pc, picked);
    }
    output_.issue_valid = issues;

    // The updates that are not held, update 0 first.
    const bool ready = output_.update_ready;
    output_.drain = !ready;
    output_.hit = 0;
    output_.miss = 0;
    output_.alias = 0;
    output_.conflict = 0;
    output_.fragmented = 0;
#ifndef HEDDLE_SYNTHESIS
    found_[0] = LutAnswer();
    found_[1] = LutAnswer();
#endif
    ThreadsEnter enter0;
    ThreadsEnter enter1;
    if (update_[0].valid() && !held_.hold0) {
      enter0 = form(update_[0], 0);
      update_[0].clear();
    }
    if (update_[1].valid() && !held_.hold1) {
      enter1 = form(update_[1], 1);
      update_[1].clear();
    }
    issue_.step(issues, left_count, enter0, enter1);
    if (issues) allocator_.release(picked);  // its entry is offered from the next cycle on
    if (ready) {
      update_[0].load(in.update[0], issue_.looks_at_sched() ? in.update[0].sched : 0);
      update_[1].load(in.update[1], issue_.looks_at_sched() ? in.update[1].sched : 0);
    }

    // What follows from the state after the cycle.
    HEDDLE_EXPECT(!ready || !update_[0].valid() || !update_[1].valid() || update_[0].pc() != update_[1].pc());
    held_ = issue_.hold(update_[0].valid(), update_[0].pc(), update_[1].valid(), update_[1].pc());
    output_.update_ready = !held_.hold0 && !held_.hold1;
    output_.warps = config_.threads - allocator_.free();
    if (output_.warps > output_.max_warps) output_.max_warps = output_.warps;
    output_.distinct = issue_.distinct();
  }

  [[nodiscard]] Output output() const { return output_; }
  [[nodiscard]] const Config& config() const { return config_; }

  [[nodiscard]] const UpdateRegister& update(std::uint32_t u) const { return update_[u]; }
  [[nodiscard]] const Lut& lut() const { return lut_; }
  [[nodiscard]] const Allocator& allocator() const { return allocator_; }
  [[nodiscard]] const Pool& pool() const { return pool_; }
  [[nodiscard]] const Issue& issue() const { return issue_; }
#ifndef HEDDLE_SYNTHESIS
  // The LUT's answer to update `u` in the last cycle.
  [[nodiscard]] const LutAnswer& found(std::uint32_t u) const { return found_[u]; }

  // Threads that have entered and not left: in the update registers and in the entries of the pool that are not free.
  [[nodiscard]] std::uint32_t threads_inside() const {
    std::uint32_t threads = 0;
    for (unsigned u = 0; u < 2; ++u) {
      if (update_[u].valid()) threads += count_bits(update_[u].req());
    }
    for (unsigned i = 0; i < config_.threads; ++i) threads += count_bits(pool_.mask(i));
    for (unsigned i = 0; i < allocator_.free(); ++i) threads -= count_bits(pool_.mask(allocator_.offer(i)));
    return threads;
  }
#endif

 private:
  // Update `u` goes into the pool.
  [[nodiscard]] ThreadsEnter form(const UpdateRegister& update, std::uint32_t u) {
    const std::uint32_t fresh_index = allocator_.offer0();
    const LutAnswer found = lut_.look_up(update.pc(), update.req(), fresh_index);
#ifndef HEDDLE_SYNTHESIS
    found_[u] = found;
#endif
    const DwfPlacement place = dwf_place(update.req(), found.hit, found.occ, config_.lane_aware, config_.lanes);
    ThreadsEnter enter;
    enter.valid = true;
    enter.allocates = place.fresh != 0;
    enter.joins = place.join != 0;
    enter.pc = update.pc();
    enter.count = count_bits(update.req());
    enter.sched = update.sched();
    enter.new_index = fresh_index;
    enter.join_index = found.idx;
    if (enter.joins) pool_.join(found.idx, found.occ | place.join);
    if (enter.allocates) {
      allocator_.take();
      pool_.open(fresh_index, update.pc(), place.fresh);
    }
    put_threads(update, place, found.idx, fresh_index);

    const bool conflict = found.hit && enter.allocates;
    output_.hit |= (found.hit ? 1u : 0u) << u;
    output_.miss |= (found.hit ? 0u : 1u) << u;
    output_.alias |= (found.alias ? 1u : 0u) << u;
    output_.conflict |= (conflict ? 1u : 0u) << u;
    output_.fragmented |= (conflict && count_bits(found.occ) + enter.count <= config_.lanes ? 1u : 0u) << u;
    return enter;
  }

  // Lane-aware threads stay in their lanes. Lane-unaware: the i-th thread of the group takes the i-th lane of its
  // placement, lanes that join before lanes of the new warp.
  void put_threads(const UpdateRegister& update, const DwfPlacement& place, std::uint32_t joined_index,
                   std::uint32_t fresh_index) {
    std::uint64_t threads = update.req();
    std::uint64_t join = place.join;
    std::uint64_t fresh = place.fresh;
    for (unsigned i = 0; i < Lanes; ++i) {
      if (threads == 0) break;
      const std::uint32_t from = lowest_bit(threads);
      threads &= threads - 1;
      if (config_.lane_aware) {
        pool_.write(has_bit(place.join, from) ? joined_index : fresh_index, from, update.tid(from));
      } else if (join != 0) {
        pool_.write(joined_index, lowest_bit(join), update.tid(from));
        join &= join - 1;
      } else {
        pool_.write(fresh_index, lowest_bit(fresh), update.tid(from));
        fresh &= fresh - 1;
      }
    }
  }

  const Config config_;
  UpdateRegister update_[2];
  Lut lut_;
  Allocator allocator_;
  Pool pool_;
  Issue issue_;
  HoldAnswer held_;  // derived: the table's answer to the update registers
  Output output_;
#ifndef HEDDLE_SYNTHESIS
  LutAnswer found_[2];
#endif
};

}  // namespace heddle
