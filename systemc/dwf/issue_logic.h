// SPDX-License-Identifier: Apache-2.0
// issue_logic: which of the warps that wait issues next, in a register a cycle ahead. Same pins as
// rtl/dwf/issue_logic.sv. The module keeps the state of its own structure of issue_structures.h in signals, and lends
// it to the structure for the step of a cycle.
#pragma once

#include "dwf/issue_structures.h"

namespace heddle {

template <unsigned Threads = 256, unsigned Lanes = 16, unsigned SchedW = 8, unsigned TableEntries = 32,
          unsigned Heuristic = 0, unsigned TableSort = 0>
class issue_logic : public sc_core::sc_module {
  static constexpr bool kCountsPcs = Heuristic <= kHeuristicMinority;
  static constexpr bool kSortsWarps = Heuristic >= kHeuristicPdom;
  static constexpr bool kLooksAtSched = Heuristic == kHeuristicPdom;
  static constexpr unsigned kIdxW = index_width(Threads);
  static constexpr unsigned kCntW = index_width(Threads + 1);
  static constexpr unsigned kLanesW = index_width(Lanes + 1);
  static constexpr unsigned kPositions = kCountsPcs ? TableEntries : 1;
  static constexpr unsigned kKeys = kSortsWarps ? Threads : 1;
  static constexpr unsigned kKeyW = kLooksAtSched ? SchedW : 32;

 public:
  using Logic = IssueLogic<Threads, Lanes, SchedW, TableEntries, Heuristic, TableSort>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // the pick register
  sc_core::sc_out<bool> SC_NAMED(pick_valid_o);
  sc_core::sc_out<Number<kIdxW>> SC_NAMED(pick_idx_o);
  sc_core::sc_out<Number<SchedW>> SC_NAMED(pick_sched_o);
  sc_core::sc_in<bool> SC_NAMED(issue_i);
  sc_core::sc_in<Number<kLanesW>> SC_NAMED(left_count_i);
  // update registers
  sc_core::sc_in<bool> SC_NAMED(update0_valid_i);
  sc_core::sc_in<Number<32>> SC_NAMED(update0_pc_i);
  sc_core::sc_in<bool> SC_NAMED(update1_valid_i);
  sc_core::sc_in<Number<32>> SC_NAMED(update1_pc_i);
  sc_core::sc_out<bool> SC_NAMED(hold0_o);
  sc_core::sc_out<bool> SC_NAMED(hold1_o);
  // what they do
  sc_core::sc_in<Number<kLanesW>> SC_NAMED(add0_count_i);
  sc_core::sc_in<Number<SchedW>> SC_NAMED(add0_sched_i);
  sc_core::sc_in<bool> SC_NAMED(add0_new_i);
  sc_core::sc_in<Number<kIdxW>> SC_NAMED(add0_new_idx_i);
  sc_core::sc_in<bool> SC_NAMED(add0_join_i);
  sc_core::sc_in<Number<kIdxW>> SC_NAMED(add0_join_idx_i);
  sc_core::sc_in<Number<kLanesW>> SC_NAMED(add1_count_i);
  sc_core::sc_in<Number<SchedW>> SC_NAMED(add1_sched_i);
  sc_core::sc_in<bool> SC_NAMED(add1_new_i);
  sc_core::sc_in<Number<kIdxW>> SC_NAMED(add1_new_idx_i);
  sc_core::sc_in<bool> SC_NAMED(add1_join_i);
  sc_core::sc_in<Number<kIdxW>> SC_NAMED(add1_join_idx_i);
  sc_core::sc_out<Number<index_width(TableEntries + 1)>> SC_NAMED(distinct_o);

  SC_HAS_PROCESS(issue_logic);
  explicit issue_logic(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(hold);
    sensitive << valid_ << update0_valid_i << update0_pc_i << update1_valid_i << update1_pc_i;
    for (unsigned i = 0; i < kPositions; ++i) sensitive << pc_[i];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    pick_valid_o.write(false);
    pick_idx_o.write(0);
    pick_sched_o.write(0);
    for (unsigned i = 0; i < Threads; ++i) warps_[i].write(0);
    odd_.write(false);
    if constexpr (kCountsPcs) {
      valid_.write(0);
      waits_.write(0);
      current_.write(0);
      left_.write(0);
      for (unsigned i = 0; i < TableEntries; ++i) {
        pc_[i].write(0);
        count_[i].write(0);
        head_[i].write(0);
        tail_[i].write(0);
      }
    } else {
      read_.write(0);
      write_.write(0);
      waiting_.write(0);
    }
    if constexpr (kSortsWarps) {
      for (unsigned i = 0; i < Threads; ++i) keys_[i].write(0);
    }
  }

  void step() {
    ThreadsEnter enter0;
    enter0.valid = update0_valid_i.read() && !hold0_o.read();
    enter0.allocates = add0_new_i.read();
    enter0.joins = add0_join_i.read();
    enter0.pc = update0_pc_i.read();
    enter0.count = add0_count_i.read();
    enter0.sched = add0_sched_i.read();
    enter0.new_index = add0_new_idx_i.read();
    enter0.join_index = add0_join_idx_i.read();
    ThreadsEnter enter1;
    enter1.valid = update1_valid_i.read() && !hold1_o.read();
    enter1.allocates = add1_new_i.read();
    enter1.joins = add1_join_i.read();
    enter1.pc = update1_pc_i.read();
    enter1.count = add1_count_i.read();
    enter1.sched = add1_sched_i.read();
    enter1.new_index = add1_new_idx_i.read();
    enter1.join_index = add1_join_idx_i.read();
    HEDDLE_EXPECT(!issue_i.read() || pick_valid_o.read());
    const bool picks = issue_i.read() || !pick_valid_o.read();
    WarpPick pick;
    pick.valid = pick_valid_o.read();
    pick.index = pick_idx_o.read();
    pick.sched = pick_sched_o.read();
    if constexpr (kCountsPcs) {
      step_table(pick, picks, enter0, enter1);
    } else if constexpr (kSortsWarps) {
      step_list(pick, picks, enter0, enter1);
    } else {
      step_ring(pick, picks, enter0, enter1);
    }
    pick_valid_o.write(pick.valid);
    pick_idx_o.write(pick.index);
    pick_sched_o.write(pick.sched);
  }

  void step_table(WarpPick& pick, bool picks, const ThreadsEnter& enter0, const ThreadsEnter& enter1) {
    PcTable<TableEntries, Threads> table(TableEntries, Heuristic == kHeuristicMajority, TableSort == kTableSortExact);
    table.load_sets(valid_.read(), waits_.read(), current_.read(), left_.read(), odd_.read());
    for (unsigned i = 0; i < TableEntries; ++i)
      table.load_entry(i, pc_[i].read(), count_[i].read(), head_[i].read(), tail_[i].read());
    for (unsigned i = 0; i < Threads; ++i) table.load_next(i, warps_[i].read());
    table.step(pick, picks, issue_i.read(), left_count_i.read(), enter0, enter1);
    valid_.write(table.valid());
    waits_.write(table.waits());
    current_.write(table.current());
    left_.write(table.left());
    odd_.write(table.odd());
    for (unsigned i = 0; i < TableEntries; ++i) {
      pc_[i].write(table.pc(i));
      count_[i].write(table.count(i));
      head_[i].write(table.head(i));
      tail_[i].write(table.tail(i));
    }
    for (unsigned i = 0; i < Threads; ++i) warps_[i].write(table.next(i));
  }

  void step_ring(WarpPick& pick, bool picks, const ThreadsEnter& enter0, const ThreadsEnter& enter1) {
    AgeRing<Threads> ring;
    ring.load_pointers(read_.read(), write_.read(), waiting_.read());
    for (unsigned i = 0; i < Threads; ++i) ring.load_place(i, warps_[i].read());
    ring.step(pick, picks, enter0, enter1);
    read_.write(ring.read());
    write_.write(ring.write());
    waiting_.write(ring.count());
    for (unsigned i = 0; i < Threads; ++i) warps_[i].write(ring.index(i));
  }

  void step_list(WarpPick& pick, bool picks, const ThreadsEnter& enter0, const ThreadsEnter& enter1) {
    WaitList<Threads, SchedW> list(kLooksAtSched);
    list.load_count(waiting_.read(), odd_.read());
    for (unsigned i = 0; i < Threads; ++i) list.load_place(i, warps_[i].read(), keys_[i].read());
    list.step(pick, picks, enter0, enter1);
    waiting_.write(list.count());
    odd_.write(list.odd());
    for (unsigned i = 0; i < Threads; ++i) {
      warps_[i].write(list.index(i));
      keys_[i].write(list.key(i));
    }
  }

  void hold() {
    HoldAnswer answer;
    std::uint32_t distinct = 0;
    if constexpr (kCountsPcs) {
      std::uint32_t pcs[TableEntries] = {};
      for (unsigned i = 0; i < TableEntries; ++i) pcs[i] = pc_[i].read();
      answer = table_hold(valid_.read(), pcs, TableEntries, update0_valid_i.read(), update0_pc_i.read(),
                          update1_valid_i.read(), update1_pc_i.read());
      distinct = count_bits(valid_.read());
    }
    hold0_o.write(answer.hold0);
    hold1_o.write(answer.hold1);
    distinct_o.write(distinct);
  }

  HEDDLE_CLOCKED_BODY()

  // By pool entry the warp behind it in its queue, or the ring, or the list.
  sc_core::sc_vector<sc_core::sc_signal<Number<kIdxW>>> SC_NAMED(warps_, Threads);
  sc_core::sc_signal<bool> SC_NAMED(odd_);
  // The table, sets by position.
  sc_core::sc_signal<Mask<TableEntries>> SC_NAMED(valid_);
  sc_core::sc_signal<Mask<TableEntries>> SC_NAMED(waits_);
  sc_core::sc_signal<Mask<TableEntries>> SC_NAMED(current_);
  sc_core::sc_signal<Mask<TableEntries>> SC_NAMED(left_);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(pc_, kPositions);
  sc_core::sc_vector<sc_core::sc_signal<Number<kCntW>>> SC_NAMED(count_, kPositions);
  sc_core::sc_vector<sc_core::sc_signal<Number<kIdxW>>> SC_NAMED(head_, kPositions);
  sc_core::sc_vector<sc_core::sc_signal<Number<kIdxW>>> SC_NAMED(tail_, kPositions);
  // Ring and list.
  sc_core::sc_signal<Number<kIdxW>> SC_NAMED(read_);
  sc_core::sc_signal<Number<kIdxW>> SC_NAMED(write_);
  sc_core::sc_signal<Number<kCntW>> SC_NAMED(waiting_);
  sc_core::sc_vector<sc_core::sc_signal<Number<kKeyW>>> SC_NAMED(keys_, kKeys);
};

}  // namespace heddle
