// SPDX-License-Identifier: Apache-2.0
// issue_logic: which warp of the pool issues next. Contract: docs/dwf.md, dwf/issue_logic; same pins as
// rtl/dwf/issue_logic.sv.
//
// Two structures: PcTable counts the threads at each PC (DMaj, DMin), AgeRing has the warps in order of age (DTime). The
// choices are pure functions, used by the scheduler on its pool and by the module on its pins.
#pragma once

#include "dwf/warp_pool.h"

namespace heddle {

constexpr std::uint32_t kHeuristicMajority = 0;
constexpr std::uint32_t kHeuristicMinority = 1;
constexpr std::uint32_t kHeuristicTime = 2;
constexpr std::uint32_t kHeuristicPdom = 3;
constexpr std::uint32_t kHeuristicPc = 4;

struct WarpPick {
  bool valid = false;
  std::uint32_t index = 0;  // 0 while not valid
};

// A warp that leaves the pool, and threads that come to it.
struct WarpLeaves {
  bool valid = false;
  std::uint32_t index = 0;
  std::uint32_t pc = 0;
  std::uint32_t count = 0;
};
struct ThreadsEnter {
  bool valid = false;
  bool allocates = false;  // a pool entry: new_index
  std::uint32_t pc = 0;
  std::uint32_t count = 0;
  std::uint32_t new_index = 0;
};

struct HoldAnswer {
  bool hold0 = false;
  bool hold1 = false;
};

// The lowest pool entry at `pc`.
template <unsigned Threads>
[[nodiscard]] inline WarpPick pick_at_pc(const std::uint64_t (&valid)[pool_words(Threads)],
                                         const std::uint32_t (&pcs)[Threads], std::uint32_t pc) {
  WarpPick pick;
  for (unsigned k = 0; k < pool_words(Threads); ++k) {
    std::uint64_t left = pick.valid ? 0 : valid[k];
    for (unsigned i = 0; i < 64; ++i) {
      if (left == 0) break;
      const std::uint32_t index = 64 * k + lowest_bit(left);
      left &= left - 1;
      if (pcs[index] == pc) {
        pick.valid = true;
        pick.index = index;
        left = 0;
      }
    }
  }
  return pick;
}

// The pool entry with the smallest key; the lowest of those.
template <unsigned Threads>
[[nodiscard]] inline WarpPick pick_smallest(const std::uint64_t (&valid)[pool_words(Threads)],
                                            const std::uint32_t (&keys)[Threads]) {
  WarpPick pick;
  std::uint32_t smallest = 0;
  for (unsigned k = 0; k < pool_words(Threads); ++k) {
    std::uint64_t left = valid[k];
    for (unsigned i = 0; i < 64; ++i) {
      if (left == 0) break;
      const std::uint32_t index = 64 * k + lowest_bit(left);
      left &= left - 1;
      if (!pick.valid || keys[index] < smallest) {
        pick.valid = true;
        pick.index = index;
        smallest = keys[index];
      }
    }
  }
  return pick;
}

// Position of `pc` among the valid positions; Entries if it has none.
template <unsigned Entries>
[[nodiscard]] inline std::uint32_t table_find(std::uint64_t valid, const std::uint32_t (&pcs)[Entries], std::uint32_t pc) {
  std::uint32_t position = Entries;
  std::uint64_t left = valid;
  for (unsigned i = 0; i < Entries; ++i) {
    if (left == 0) break;
    if (pcs[lowest_bit(left)] == pc) {
      position = lowest_bit(left);
      left = 0;
    }
    left &= left - 1;
  }
  return position;
}

// The position whose PC issues: the current PC's, else the first valid one. The table is not empty.
template <unsigned Entries>
[[nodiscard]] inline std::uint32_t table_choice(std::uint64_t valid, const std::uint32_t (&pcs)[Entries], bool current_valid,
                                                std::uint32_t current_pc) {
  const std::uint32_t position = current_valid ? table_find(valid, pcs, current_pc) : Entries;
  return position != Entries ? position : lowest_bit(valid);
}

// Whether updates with these PCs lack a free position. Update 0 takes its position before update 1 looks.
template <unsigned Entries>
[[nodiscard]] inline HoldAnswer table_hold(std::uint64_t valid, const std::uint32_t (&pcs)[Entries], std::uint32_t entries,
                                           bool query0, std::uint32_t pc0, bool query1, std::uint32_t pc1) {
  const std::uint32_t room = entries - count_bits(valid);
  const bool needs0 = query0 && table_find(valid, pcs, pc0) == Entries;
  const bool needs1 = query1 && table_find(valid, pcs, pc1) == Entries;
  HoldAnswer answer;
  answer.hold0 = needs0 && room == 0;
  answer.hold1 = needs1 && room <= (needs0 && !answer.hold0 ? 1u : 0u);
  return answer;
}

// Threads at each PC, sorted a step a cycle; DMaj: most threads first, DMin: fewest first.
template <unsigned Entries>
class PcTable {
  static_assert(Entries >= 2 && Entries <= 64, "issue_logic: 2 to 64 table entries");

 public:
  PcTable(std::uint32_t entries, bool majority) : entries_(entries), majority_(majority) {
    HEDDLE_EXPECT(entries >= 2 && entries <= Entries);
    reset();
  }

  void reset() {
    valid_ = 0;
    for (unsigned i = 0; i < Entries; ++i) {
      pc_[i] = 0;
      count_[i] = 0;
    }
    current_valid_ = false;
    current_pc_ = 0;
    odd_ = false;
  }

  void step(const WarpLeaves& leaves, const ThreadsEnter& enter0, const ThreadsEnter& enter1) {
    std::uint64_t room = low_bits(entries_) & ~valid_;  // an entry that becomes empty now is no room yet
    std::uint32_t left = Entries;
    if (leaves.valid) {
      left = table_find(valid_, pc_, leaves.pc);
      HEDDLE_EXPECT(left != Entries && count_[left] >= leaves.count);
      count_[left] -= leaves.count;
      current_valid_ = true;
      current_pc_ = leaves.pc;
    }
    if (enter0.valid) enter(enter0, room);
    if (enter1.valid) enter(enter1, room);
    if (leaves.valid && count_[left] == 0) valid_ &= ~bit_of(left);
    sort();
  }

  [[nodiscard]] std::uint64_t valid() const { return valid_; }  // bit a position
  [[nodiscard]] const std::uint32_t (&pcs() const)[Entries] { return pc_; }
  [[nodiscard]] std::uint32_t count(std::uint32_t position) const { return count_[position]; }
  [[nodiscard]] bool current_valid() const { return current_valid_; }
  [[nodiscard]] std::uint32_t current_pc() const { return current_pc_; }
  [[nodiscard]] std::uint32_t entries() const { return entries_; }

 private:
  void enter(const ThreadsEnter& threads, std::uint64_t& room) {
    std::uint32_t position = table_find(valid_, pc_, threads.pc);
    if (position == Entries) {
      HEDDLE_EXPECT(room != 0);
      position = lowest_bit(room);
      room &= room - 1;
      valid_ |= bit_of(position);
      pc_[position] = threads.pc;
      count_[position] = 0;
    }
    count_[position] += threads.count;
  }

  // One odd-even transposition step. Only a valid right one can precede.
  void sort() {
    const std::uint64_t rights = odd_ ? 0x5555555555555554ull : 0xaaaaaaaaaaaaaaaaull;
    std::uint64_t todo = valid_ & rights;
    for (unsigned i = 0; i < Entries / 2; ++i) {
      if (todo == 0) break;
      const std::uint32_t right = lowest_bit(todo);
      todo &= todo - 1;
      if (precedes(right, right - 1)) swap(right);
    }
    odd_ = !odd_;
  }

  [[nodiscard]] bool precedes(std::uint32_t a, std::uint32_t b) const {  // a is valid
    const bool more = count_[a] > count_[b];
    const bool fewer = count_[a] < count_[b];
    return !has_bit(valid_, b) || (majority_ ? more : fewer) || (!more && !fewer && pc_[a] < pc_[b]);
  }

  void swap(std::uint32_t right) {
    const std::uint32_t left = right - 1;
    const std::uint32_t pc = pc_[left];
    const std::uint32_t count = count_[left];
    const bool valid = has_bit(valid_, left);
    pc_[left] = pc_[right];
    count_[left] = count_[right];
    pc_[right] = pc;
    count_[right] = count;
    valid_ = with_bit(with_bit(valid_, left, true), right, valid);
  }

  const std::uint32_t entries_;
  const bool majority_;
  std::uint64_t valid_ = 0;  // bit a position
  std::uint32_t pc_[Entries] = {};
  std::uint32_t count_[Entries] = {};
  bool current_valid_ = false;
  std::uint32_t current_pc_ = 0;
  bool odd_ = false;
};

// Pool entries in order of allocation.
template <unsigned Threads>
class AgeRing {
 public:
  void reset() {
    for (unsigned i = 0; i < Threads; ++i) ring_[i] = 0;
    read_ = 0;
    write_ = 0;
    count_ = 0;
  }

  void push(std::uint32_t index) {
    HEDDLE_EXPECT(count_ < Threads);
    ring_[write_] = static_cast<std::uint16_t>(index);
    write_ = after(write_);
    ++count_;
  }
  void pop() {
    HEDDLE_EXPECT(count_ != 0);
    read_ = after(read_);
    --count_;
  }

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::uint32_t oldest() const { return ring_[read_]; }

 private:
  [[nodiscard]] static std::uint32_t after(std::uint32_t place) { return place + 1 == Threads ? 0 : place + 1; }

  std::uint16_t ring_[Threads] = {};
  std::uint32_t read_ = 0;
  std::uint32_t write_ = 0;
  std::uint32_t count_ = 0;
};

struct IssueConfig {
  std::uint32_t table_entries = 0;
  std::uint32_t heuristic = 0;
};

template <unsigned Threads = 256, unsigned Lanes = 16, unsigned SchedW = 8, unsigned TableEntries = 32, unsigned Heuristic = 0>
class IssueLogic {
  static_assert(Heuristic <= kHeuristicPc, "issue_logic: Heuristic is 0 to 4");

 public:
  static constexpr unsigned kWords = pool_words(Threads);

  [[nodiscard]] static constexpr IssueConfig default_config() { return {TableEntries, Heuristic}; }

  explicit IssueLogic(const IssueConfig& config = default_config())
      : heuristic_(config.heuristic), table_(config.table_entries, config.heuristic == kHeuristicMajority) {
    HEDDLE_EXPECT(config.heuristic <= kHeuristicPc);
  }

  [[nodiscard]] static constexpr unsigned state_bits() {
    unsigned bits = 0;
    if (Heuristic <= kHeuristicMinority) {
      bits = TableEntries * (1 + 32 + index_width(Threads + 1)) + 1 + 32 + 1;
    } else if (Heuristic == kHeuristicTime) {
      bits = Threads * index_width(Threads) + 2 * index_width(Threads) + index_width(Threads + 1);
    }
    return bits;
  }

  void reset() {
    table_.reset();
    ring_.reset();
  }

  [[nodiscard]] bool counts_pcs() const { return heuristic_ <= kHeuristicMinority; }

  // From registered state of this unit and of the pool.
  [[nodiscard]] WarpPick pick(const std::uint64_t (&valid)[kWords], const std::uint32_t (&pcs)[Threads],
                              const std::uint32_t (&scheds)[Threads]) const {
    WarpPick pick;
    if (counts_pcs()) {
      if (table_.valid() != 0) {
        const std::uint32_t position =
            table_choice(table_.valid(), table_.pcs(), table_.current_valid(), table_.current_pc());
        pick = pick_at_pc<Threads>(valid, pcs, table_.pcs()[position]);
      }
    } else if (heuristic_ == kHeuristicTime) {
      pick.valid = !ring_.empty();
      pick.index = pick.valid ? ring_.oldest() : 0;
    } else {
      pick = pick_smallest<Threads>(valid, heuristic_ == kHeuristicPdom ? scheds : pcs);
    }
    return pick;
  }

  [[nodiscard]] HoldAnswer hold(bool query0, std::uint32_t pc0, bool query1, std::uint32_t pc1) const {
    HoldAnswer answer;
    if (counts_pcs()) answer = table_hold(table_.valid(), table_.pcs(), table_.entries(), query0, pc0, query1, pc1);
    return answer;
  }

  void step(const WarpLeaves& leaves, const ThreadsEnter& enter0, const ThreadsEnter& enter1) {
    if (counts_pcs()) {
      table_.step(leaves, enter0, enter1);
    } else if (heuristic_ == kHeuristicTime) {
      if (leaves.valid) ring_.pop();
      if (enter0.valid && enter0.allocates) ring_.push(enter0.new_index);
      if (enter1.valid && enter1.allocates) ring_.push(enter1.new_index);
    }
  }

  // PCs in the table of DMaj and DMin.
  [[nodiscard]] std::uint32_t distinct() const { return count_bits(table_.valid()); }
  [[nodiscard]] const PcTable<TableEntries>& table() const { return table_; }
  [[nodiscard]] const AgeRing<Threads>& ring() const { return ring_; }
  [[nodiscard]] std::uint32_t heuristic() const { return heuristic_; }

 private:
  const std::uint32_t heuristic_;
  PcTable<TableEntries> table_;
  AgeRing<Threads> ring_;
};

template <unsigned Threads = 256, unsigned Lanes = 16, unsigned SchedW = 8, unsigned TableEntries = 32, unsigned Heuristic = 0>
class issue_logic : public sc_core::sc_module {
 public:
  using Logic = IssueLogic<Threads, Lanes, SchedW, TableEntries, Heuristic>;
  static constexpr unsigned kWords = pool_words(Threads);
  static constexpr bool kCountsPcs = Heuristic <= kHeuristicMinority;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // from the pool
  sc_core::sc_vector<sc_core::sc_in<std::uint64_t>> SC_NAMED(valid_i, kWords);
  sc_core::sc_vector<sc_core::sc_in<std::uint32_t>> SC_NAMED(pc_i, Threads);
  sc_core::sc_vector<sc_core::sc_in<std::uint32_t>> SC_NAMED(sched_i, Threads);
  // the choice
  sc_core::sc_out<bool> SC_NAMED(pick_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(pick_idx_o);
  // what happens in this cycle
  sc_core::sc_in<bool> SC_NAMED(issued_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(issued_idx_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(issued_pc_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(issued_count_i);
  sc_core::sc_in<bool> SC_NAMED(add0_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(add0_pc_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(add0_count_i);
  sc_core::sc_in<bool> SC_NAMED(add0_new_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(add0_new_idx_i);
  sc_core::sc_in<bool> SC_NAMED(add1_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(add1_pc_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(add1_count_i);
  sc_core::sc_in<bool> SC_NAMED(add1_new_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(add1_new_idx_i);
  // room in the table
  sc_core::sc_in<bool> SC_NAMED(query0_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(query0_pc_i);
  sc_core::sc_in<bool> SC_NAMED(query1_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(query1_pc_i);
  sc_core::sc_out<bool> SC_NAMED(hold0_o);
  sc_core::sc_out<bool> SC_NAMED(hold1_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(distinct_o);

  SC_HAS_PROCESS(issue_logic);
  explicit issue_logic(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(choose);
    sensitive << table_valid_ << current_valid_ << current_pc_ << ring_filled_ << ring_oldest_;
    for (unsigned k = 0; k < kWords; ++k) sensitive << valid_i[k];
    for (unsigned i = 0; i < Threads; ++i) sensitive << pc_i[i] << sched_i[i];
    for (unsigned i = 0; i < TableEntries; ++i) sensitive << table_pc_[i];
    SC_METHOD(hold);
    sensitive << table_valid_ << query0_valid_i << query0_pc_i << query1_valid_i << query1_pc_i;
    for (unsigned i = 0; i < TableEntries; ++i) sensitive << table_pc_[i];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const Logic& state() const { return logic_; }
#endif

 private:
  void reset() {
    logic_.reset();
    mirror();
  }

  void step() {
    WarpLeaves leaves;
    leaves.valid = issued_valid_i.read();
    leaves.index = issued_idx_i.read();
    leaves.pc = issued_pc_i.read();
    leaves.count = issued_count_i.read();
    ThreadsEnter enter0;
    enter0.valid = add0_valid_i.read();
    enter0.allocates = add0_new_i.read();
    enter0.pc = add0_pc_i.read();
    enter0.count = add0_count_i.read();
    enter0.new_index = add0_new_idx_i.read();
    ThreadsEnter enter1;
    enter1.valid = add1_valid_i.read();
    enter1.allocates = add1_new_i.read();
    enter1.pc = add1_pc_i.read();
    enter1.count = add1_count_i.read();
    enter1.new_index = add1_new_idx_i.read();
    logic_.step(leaves, enter0, enter1);
    mirror();
  }

  void choose() {
    WarpPick pick;
    if constexpr (Heuristic == kHeuristicTime) {
      pick.valid = ring_filled_.read();
      pick.index = pick.valid ? ring_oldest_.read() : 0;
    } else {
      std::uint64_t valid[kWords];
      std::uint32_t keys[Threads];
      for (unsigned k = 0; k < kWords; ++k) valid[k] = valid_i[k].read();
      for (unsigned i = 0; i < Threads; ++i) keys[i] = Heuristic == kHeuristicPdom ? sched_i[i].read() : pc_i[i].read();
      if constexpr (kCountsPcs) {
        std::uint32_t pcs[TableEntries];
        for (unsigned i = 0; i < TableEntries; ++i) pcs[i] = table_pc_[i].read();
        if (table_valid_.read() != 0) {
          const std::uint32_t position =
              table_choice(table_valid_.read(), pcs, current_valid_.read(), current_pc_.read());
          pick = pick_at_pc<Threads>(valid, keys, pcs[position]);
        }
      } else {
        pick = pick_smallest<Threads>(valid, keys);
      }
    }
    pick_valid_o.write(pick.valid);
    pick_idx_o.write(pick.index);
  }

  void hold() {
    HoldAnswer answer;
    if constexpr (kCountsPcs) {
      std::uint32_t pcs[TableEntries];
      for (unsigned i = 0; i < TableEntries; ++i) pcs[i] = table_pc_[i].read();
      answer = table_hold(table_valid_.read(), pcs, TableEntries, query0_valid_i.read(), query0_pc_i.read(),
                          query1_valid_i.read(), query1_pc_i.read());
    }
    hold0_o.write(answer.hold0);
    hold1_o.write(answer.hold1);
  }

  void mirror() {
    table_valid_.write(logic_.table().valid());
    for (unsigned i = 0; i < TableEntries; ++i) table_pc_[i].write(logic_.table().pcs()[i]);
    current_valid_.write(logic_.table().current_valid());
    current_pc_.write(logic_.table().current_pc());
    ring_filled_.write(!logic_.ring().empty());
    ring_oldest_.write(logic_.ring().oldest());
    distinct_o.write(logic_.distinct());
  }

  HEDDLE_CLOCKED_BODY()

  Logic logic_;
  // Table and ring as the combinational processes see them.
  sc_core::sc_signal<std::uint64_t> SC_NAMED(table_valid_);
  sc_core::sc_vector<sc_core::sc_signal<std::uint32_t>> SC_NAMED(table_pc_, TableEntries);
  sc_core::sc_signal<bool> SC_NAMED(current_valid_);
  sc_core::sc_signal<std::uint32_t> SC_NAMED(current_pc_);
  sc_core::sc_signal<bool> SC_NAMED(ring_filled_);
  sc_core::sc_signal<std::uint32_t> SC_NAMED(ring_oldest_);
};

}  // namespace heddle
