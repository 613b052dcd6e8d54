// SPDX-License-Identifier: Apache-2.0
// dwf_scheduler: same pins as rtl/dwf/dwf_scheduler.sv. In simulation these are pins around the machine of
// dwf_scheduler_logic.h; for synthesis the modules of its parts, wires, and what lies between them as combinational
// processes.
#pragma once

#include "dwf/dwf_scheduler_logic.h"

namespace heddle {

template <unsigned Lanes = 16, unsigned Threads = 256, unsigned LutEntries = 32, unsigned LutWays = 2,
          unsigned TableEntries = 32, unsigned SchedW = 8, unsigned Heuristic = 0, unsigned LaneAware = 1,
          unsigned TableSort = 0>
class dwf_scheduler : public sc_core::sc_module {
  static constexpr unsigned kTidW = index_width(Threads);
  static constexpr unsigned kCntW = index_width(Threads + 1);

 public:
  using Logic =
      DwfSchedulerLogic<Lanes, Threads, LutEntries, LutWays, TableEntries, SchedW, Heuristic, LaneAware, TableSort>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // from write-back and dispatcher
  sc_core::sc_in<bool> SC_NAMED(update0_valid_i);
  sc_core::sc_in<Number<32>> SC_NAMED(update0_pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(update0_req_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kTidW>>> SC_NAMED(update0_tids_i, Lanes);
  sc_core::sc_in<Number<SchedW>> SC_NAMED(update0_sched_i);
  sc_core::sc_in<bool> SC_NAMED(update1_valid_i);
  sc_core::sc_in<Number<32>> SC_NAMED(update1_pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(update1_req_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kTidW>>> SC_NAMED(update1_tids_i, Lanes);
  sc_core::sc_in<Number<SchedW>> SC_NAMED(update1_sched_i);
  sc_core::sc_out<bool> SC_NAMED(update_ready_o);
  // to execute
  sc_core::sc_in<bool> SC_NAMED(issue_ready_i);
  sc_core::sc_out<bool> SC_NAMED(issue_valid_o);
  sc_core::sc_out<Number<32>> SC_NAMED(issue_pc_o);
  sc_core::sc_out<Mask<Lanes>> SC_NAMED(issue_mask_o);
  sc_core::sc_vector<sc_core::sc_out<Number<kTidW>>> SC_NAMED(issue_tids_o, Lanes);
  sc_core::sc_out<Number<SchedW>> SC_NAMED(issue_sched_o);
  // events
  sc_core::sc_out<Number<2>> SC_NAMED(hit_o);
  sc_core::sc_out<Number<2>> SC_NAMED(miss_o);
  sc_core::sc_out<Number<2>> SC_NAMED(alias_o);
  sc_core::sc_out<Number<2>> SC_NAMED(conflict_o);
  sc_core::sc_out<Number<2>> SC_NAMED(fragmented_o);
  sc_core::sc_out<bool> SC_NAMED(drain_o);
  // status
  sc_core::sc_out<Number<kCntW>> SC_NAMED(warps_o);
  sc_core::sc_out<Number<kCntW>> SC_NAMED(max_warps_o);
  sc_core::sc_out<Number<index_width(TableEntries + 1)>> SC_NAMED(distinct_o);

  SC_HAS_PROCESS(dwf_scheduler);
#ifdef HEDDLE_SYNTHESIS
  // A narrower configuration is for simulation.
  explicit dwf_scheduler(sc_core::sc_module_name name, const DwfConfig& /*config*/ = Logic::default_config())
      : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(let_go);
    sensitive << hold0_ << hold1_ << issue_ready_i << pick_valid_ << issue_valid_o << issue_mask_o;
    for (unsigned u = 0; u < 2; ++u) sensitive << valid_[u];
    SC_METHOD(place);
    sensitive << offer0_ << offer1_;
    for (unsigned u = 0; u < 2; ++u) sensitive << goes_[u] << req_[u] << hit_[u] << occ_[u];
    for (unsigned i = 0; i < 2 * Lanes; ++i) sensitive << tids_[i];
    SC_METHOD(show_warps);
    sensitive << free_ << most_;
    connect_updates();
    connect_lut();
    connect_pool();
    connect_issue();
  }
#else
  explicit dwf_scheduler(sc_core::sc_module_name name, const DwfConfig& config = Logic::default_config())
      : sc_core::sc_module(name),
        logic_(config) {
    HEDDLE_CLOCKED_PROCESS();
  }
#endif

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const Logic& state() const { return logic_; }
#endif

 private:
#ifdef HEDDLE_SYNTHESIS
  static constexpr bool kLooksAtSched = Heuristic == kHeuristicPdom;
  static constexpr unsigned kLanesW = index_width(Lanes + 1);

  void reset() {
    issue_valid_o.write(false);
    issue_pc_o.write(0);
    issue_mask_o.write(0);
    issue_sched_o.write(0);
    for (unsigned l = 0; l < Lanes; ++l) issue_tids_o[l].write(0);
    hit_o.write(0);
    miss_o.write(0);
    alias_o.write(0);
    conflict_o.write(0);
    fragmented_o.write(0);
    drain_o.write(false);
    most_.write(0);
  }

  void step() {
    issue_valid_o.write(issues_.read());
    if (issues_.read()) {
      issue_pc_o.write(read_pc_.read());
      issue_mask_o.write(read_mask_.read());
      if (kLooksAtSched) issue_sched_o.write(pick_sched_.read());
      for (unsigned l = 0; l < Lanes; ++l) issue_tids_o[l].write(read_tids_[l].read());
    }
    std::uint32_t hit = 0;
    std::uint32_t miss = 0;
    std::uint32_t alias = 0;
    std::uint32_t conflict = 0;
    std::uint32_t fragmented = 0;
    for (unsigned u = 0; u < 2; ++u) {
      const bool hits = goes_[u].read() && hit_[u].read();
      const bool conflicts = hits && allocates_[u].read();
      const std::uint32_t threads = count_bits(occ_[u].read()) + count_bits(req_[u].read());
      hit |= (hits ? 1u : 0u) << u;
      miss |= (goes_[u].read() && !hits ? 1u : 0u) << u;
      alias |= (goes_[u].read() && alias_[u].read() ? 1u : 0u) << u;
      conflict |= (conflicts ? 1u : 0u) << u;
      fragmented |= (conflicts && threads <= Lanes ? 1u : 0u) << u;
    }
    hit_o.write(hit);
    miss_o.write(miss);
    alias_o.write(alias);
    conflict_o.write(conflict);
    fragmented_o.write(fragmented);
    drain_o.write(!update_ready_o.read());
    most_.write(max_warps_o.read());
  }

  // Who leaves: the updates that are not held, and the picked warp if it may.
  void let_go() {
    goes_[0].write(valid_[0].read() && !hold0_.read());
    goes_[1].write(valid_[1].read() && !hold1_.read());
    update_ready_o.write(!(valid_[0].read() && hold0_.read()) && !(valid_[1].read() && hold1_.read()));
    issues_.write(pick_valid_.read() && issue_ready_i.read());
    std::uint32_t left = 0;
    if (issue_valid_o.read()) left = count_bits(issue_mask_o.read());
    left_count_.write(left);
  }

  // Where the threads of each update go.
  void place() {
    std::uint32_t takes = 0;
    for (unsigned u = 0; u < 2; ++u) {
      const std::uint64_t req = req_[u].read();
      const std::uint64_t occ = occ_[u].read();
      const DwfPlacement threads = dwf_place(req, hit_[u].read(), occ, LaneAware != 0, Lanes);
      const bool joins = goes_[u].read() && threads.join != 0;
      const bool allocates = goes_[u].read() && threads.fresh != 0;
      const std::uint64_t writes = goes_[u].read() ? threads.join | threads.fresh : 0;
      new_idx_[u].write(takes == 0 ? offer0_.read() : offer1_.read());
      if (allocates) ++takes;
      joins_[u].write(joins);
      allocates_[u].write(allocates);
      join_mask_[u].write(occ | threads.join);
      new_mask_[u].write(threads.fresh);
      lane_we_[u].write(writes);
      count_[u].write(count_bits(req));
      // Lane-unaware: behind those that are there, and from lane 0 on in the new warp.
      const std::uint32_t taken = count_bits(occ);
      std::uint32_t lane = taken != Lanes ? taken : 0;
      std::uint32_t placed[Lanes] = {};
      for (unsigned l = 0; l < Lanes; ++l) placed[l] = tids_[u * Lanes + l].read();
      if (LaneAware == 0) {
        for (unsigned l = 0; l < Lanes; ++l) {
          if (has_bit(req, l)) {
            placed[lane] = tids_[u * Lanes + l].read();
            lane = lane + 1 == Lanes ? 0 : lane + 1;
          }
        }
      }
      for (unsigned l = 0; l < Lanes; ++l) lane_tid_[u * Lanes + l].write(placed[l]);
    }
    takes_.write(takes);
  }

  void show_warps() {
    const std::uint32_t warps = Threads - free_.read();
    const std::uint32_t most = most_.read();
    warps_o.write(warps);
    max_warps_o.write(warps > most ? warps : most);
  }

  void connect_updates() {
    update0_.clk_i(clk_i);
    update0_.rst_ni(rst_ni);
    update0_.valid_i(update0_valid_i);
    update0_.pc_i(update0_pc_i);
    update0_.req_i(update0_req_i);
    update0_.tids_i(update0_tids_i);
    update0_.sched_i(update0_sched_i);
    update0_.load_i(update_ready_o);
    update0_.clear_i(goes_[0]);
    update0_.valid_o(valid_[0]);
    update0_.pc_o(pc_[0]);
    update0_.req_o(req_[0]);
    update0_.sched_o(sched_[0]);
    update1_.clk_i(clk_i);
    update1_.rst_ni(rst_ni);
    update1_.valid_i(update1_valid_i);
    update1_.pc_i(update1_pc_i);
    update1_.req_i(update1_req_i);
    update1_.tids_i(update1_tids_i);
    update1_.sched_i(update1_sched_i);
    update1_.load_i(update_ready_o);
    update1_.clear_i(goes_[1]);
    update1_.valid_o(valid_[1]);
    update1_.pc_o(pc_[1]);
    update1_.req_o(req_[1]);
    update1_.sched_o(sched_[1]);
    for (unsigned l = 0; l < Lanes; ++l) {
      update0_.tids_o[l](tids_[l]);
      update1_.tids_o[l](tids_[Lanes + l]);
    }
  }

  void connect_lut() {
    lut_.clk_i(clk_i);
    lut_.rst_ni(rst_ni);
    lut_.invalidate_valid_i(issues_);
    lut_.invalidate_idx_i(pick_idx_);
    lut_.lookup0_valid_i(goes_[0]);
    lut_.lookup0_pc_i(pc_[0]);
    lut_.lookup0_req_i(req_[0]);
    lut_.lookup0_new_idx_i(new_idx_[0]);
    lut_.lookup1_valid_i(goes_[1]);
    lut_.lookup1_pc_i(pc_[1]);
    lut_.lookup1_req_i(req_[1]);
    lut_.lookup1_new_idx_i(new_idx_[1]);
    lut_.hit0_o(hit_[0]);
    lut_.idx0_o(join_idx_[0]);
    lut_.occ0_o(occ_[0]);
    lut_.alias0_o(alias_[0]);
    lut_.hit1_o(hit_[1]);
    lut_.idx1_o(join_idx_[1]);
    lut_.occ1_o(occ_[1]);
    lut_.alias1_o(alias_[1]);
  }

  void connect_pool() {
    allocator_.clk_i(clk_i);
    allocator_.rst_ni(rst_ni);
    allocator_.offer0_o(offer0_);
    allocator_.offer1_o(offer1_);
    allocator_.free_o(free_);
    allocator_.take_i(takes_);
    allocator_.release_valid_i(issues_);
    allocator_.release_idx_i(pick_idx_);
    pool_.clk_i(clk_i);
    pool_.rst_ni(rst_ni);
    pool_.join0_valid_i(joins_[0]);
    pool_.join0_idx_i(join_idx_[0]);
    pool_.join0_mask_i(join_mask_[0]);
    pool_.new0_valid_i(allocates_[0]);
    pool_.new0_idx_i(new_idx_[0]);
    pool_.new0_pc_i(pc_[0]);
    pool_.new0_mask_i(new_mask_[0]);
    pool_.lane0_we_i(lane_we_[0]);
    pool_.join1_valid_i(joins_[1]);
    pool_.join1_idx_i(join_idx_[1]);
    pool_.join1_mask_i(join_mask_[1]);
    pool_.new1_valid_i(allocates_[1]);
    pool_.new1_idx_i(new_idx_[1]);
    pool_.new1_pc_i(pc_[1]);
    pool_.new1_mask_i(new_mask_[1]);
    pool_.lane1_we_i(lane_we_[1]);
    for (unsigned l = 0; l < Lanes; ++l) {
      pool_.lane0_tid_i[l](lane_tid_[l]);
      pool_.lane1_tid_i[l](lane_tid_[Lanes + l]);
    }
    pool_.read_valid_i(pick_valid_);
    pool_.read_idx_i(pick_idx_);
    pool_.read_pc_o(read_pc_);
    pool_.read_mask_o(read_mask_);
    pool_.read_tids_o(read_tids_);
  }

  void connect_issue() {
    issue_.clk_i(clk_i);
    issue_.rst_ni(rst_ni);
    issue_.pick_valid_o(pick_valid_);
    issue_.pick_idx_o(pick_idx_);
    issue_.pick_sched_o(pick_sched_);
    issue_.issue_i(issues_);
    issue_.left_count_i(left_count_);
    issue_.update0_valid_i(valid_[0]);
    issue_.update0_pc_i(pc_[0]);
    issue_.update1_valid_i(valid_[1]);
    issue_.update1_pc_i(pc_[1]);
    issue_.hold0_o(hold0_);
    issue_.hold1_o(hold1_);
    issue_.add0_count_i(count_[0]);
    issue_.add0_sched_i(sched_[0]);
    issue_.add0_new_i(allocates_[0]);
    issue_.add0_new_idx_i(new_idx_[0]);
    issue_.add0_join_i(joins_[0]);
    issue_.add0_join_idx_i(join_idx_[0]);
    issue_.add1_count_i(count_[1]);
    issue_.add1_sched_i(sched_[1]);
    issue_.add1_new_i(allocates_[1]);
    issue_.add1_new_idx_i(new_idx_[1]);
    issue_.add1_join_i(joins_[1]);
    issue_.add1_join_idx_i(join_idx_[1]);
    issue_.distinct_o(distinct_o);
  }

  warp_update_register<Lanes, Threads, SchedW, kLooksAtSched ? 1 : 0> SC_NAMED(update0_);
  warp_update_register<Lanes, Threads, SchedW, kLooksAtSched ? 1 : 0> SC_NAMED(update1_);
  pc_warp_lut<Lanes, Threads, LutEntries, LutWays, LaneAware> SC_NAMED(lut_);
  warp_allocator<Threads> SC_NAMED(allocator_);
  warp_pool<Lanes, Threads> SC_NAMED(pool_);
  issue_logic<Threads, Lanes, SchedW, TableEntries, Heuristic, TableSort> SC_NAMED(issue_);

  sc_core::sc_signal<Number<kCntW>> SC_NAMED(most_);  // warps in any cycle before this one
  // of both updates
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(valid_, 2);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(pc_, 2);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(req_, 2);
  sc_core::sc_vector<sc_core::sc_signal<Number<kTidW>>> SC_NAMED(tids_, 2 * Lanes);
  sc_core::sc_vector<sc_core::sc_signal<Number<SchedW>>> SC_NAMED(sched_, 2);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(goes_, 2);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(hit_, 2);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(alias_, 2);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(occ_, 2);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(joins_, 2);
  sc_core::sc_vector<sc_core::sc_signal<Number<kTidW>>> SC_NAMED(join_idx_, 2);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(join_mask_, 2);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(allocates_, 2);
  sc_core::sc_vector<sc_core::sc_signal<Number<kTidW>>> SC_NAMED(new_idx_, 2);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(new_mask_, 2);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(lane_we_, 2);
  sc_core::sc_vector<sc_core::sc_signal<Number<kTidW>>> SC_NAMED(lane_tid_, 2 * Lanes);
  sc_core::sc_vector<sc_core::sc_signal<Number<kLanesW>>> SC_NAMED(count_, 2);
  sc_core::sc_signal<bool> SC_NAMED(hold0_);
  sc_core::sc_signal<bool> SC_NAMED(hold1_);
  // allocator
  sc_core::sc_signal<Number<kTidW>> SC_NAMED(offer0_);
  sc_core::sc_signal<Number<kTidW>> SC_NAMED(offer1_);
  sc_core::sc_signal<Number<kCntW>> SC_NAMED(free_);
  sc_core::sc_signal<Number<2>> SC_NAMED(takes_);
  // the picked warp
  sc_core::sc_signal<bool> SC_NAMED(pick_valid_);
  sc_core::sc_signal<Number<kTidW>> SC_NAMED(pick_idx_);
  sc_core::sc_signal<Number<SchedW>> SC_NAMED(pick_sched_);
  sc_core::sc_signal<bool> SC_NAMED(issues_);
  sc_core::sc_signal<Number<kLanesW>> SC_NAMED(left_count_);
  sc_core::sc_signal<Number<32>> SC_NAMED(read_pc_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(read_mask_);
  sc_core::sc_vector<sc_core::sc_signal<Number<kTidW>>> SC_NAMED(read_tids_, Lanes);
#else
  void reset() {
    logic_.reset();
    update_ready_o.write(true);
    issue_valid_o.write(false);
    issue_pc_o.write(0);
    issue_mask_o.write(0);
    issue_sched_o.write(0);
    for (unsigned l = 0; l < Lanes; ++l) issue_tids_o[l].write(0);
    hit_o.write(0);
    miss_o.write(0);
    alias_o.write(0);
    conflict_o.write(0);
    fragmented_o.write(0);
    drain_o.write(false);
    warps_o.write(0);
    max_warps_o.write(0);
    distinct_o.write(0);
  }

  void step() {
    DwfInput<Lanes> in;
    in.issue_ready = issue_ready_i.read();
    in.update[0].valid = update0_valid_i.read();
    in.update[0].pc = update0_pc_i.read();
    in.update[0].req = update0_req_i.read();
    in.update[0].sched = update0_sched_i.read();
    in.update[1].valid = update1_valid_i.read();
    in.update[1].pc = update1_pc_i.read();
    in.update[1].req = update1_req_i.read();
    in.update[1].sched = update1_sched_i.read();
    for (unsigned l = 0; l < Lanes; ++l) {
      in.update[0].tids[l] = static_cast<std::uint16_t>(update0_tids_i[l].read());
      in.update[1].tids[l] = static_cast<std::uint16_t>(update1_tids_i[l].read());
    }
    logic_.step(in);
    write_all();
  }

  void write_all() {
    const DwfOutput<Lanes> out = logic_.output();
    update_ready_o.write(out.update_ready);
    issue_valid_o.write(out.issue_valid);
    issue_pc_o.write(out.issue_pc);
    issue_mask_o.write(out.issue_mask);
    issue_sched_o.write(out.issue_sched);
    for (unsigned l = 0; l < Lanes; ++l) issue_tids_o[l].write(out.issue_tids[l]);
    hit_o.write(out.hit);
    miss_o.write(out.miss);
    alias_o.write(out.alias);
    conflict_o.write(out.conflict);
    fragmented_o.write(out.fragmented);
    drain_o.write(out.drain);
    warps_o.write(out.warps);
    max_warps_o.write(out.max_warps);
    distinct_o.write(out.distinct);
  }

  Logic logic_;
#endif

  HEDDLE_CLOCKED_BODY()
};

}  // namespace heddle
