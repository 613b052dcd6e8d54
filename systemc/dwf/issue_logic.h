// SPDX-License-Identifier: Apache-2.0
// issue_logic: which warp of the pool issues next. Contract: docs/dwf.md, dwf/issue_logic; same pins as
// rtl/dwf/issue_logic.sv.
//
// Three structures: PcTable counts the threads at each PC and queues its warps (DMaj, DMin), AgeRing has the warps in order of age
// (DTime), AgeList also when they do not leave in that order (DPdPri, DPC). The choices are pure functions, used by the scheduler
// on its pool and by the module on its pins.
#pragma once

#include "dwf/warp_pool.h"

namespace heddle {

constexpr std::uint32_t kHeuristicMajority = 0;
constexpr std::uint32_t kHeuristicMinority = 1;
constexpr std::uint32_t kHeuristicTime = 2;
constexpr std::uint32_t kHeuristicPdom = 3;
constexpr std::uint32_t kHeuristicPc = 4;

constexpr std::uint32_t kTableSortStep = 0;   // one odd-even transposition step a cycle
constexpr std::uint32_t kTableSortExact = 1;  // positions stay, the first in order is known

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

// The next power of two.
[[nodiscard]] constexpr unsigned tree_leaves(unsigned places) { return places <= 1 ? 1 : 1u << index_width(places); }

// The waiting warp with the smallest key, and the oldest of those. Circular keys have no order when they lie further apart than half
// their range, so the comparisons are a tree: neighbours first, then winners.
template <unsigned Threads, unsigned SchedW>
[[nodiscard]] inline WarpPick pick_by_tree(const std::uint64_t (&valid)[pool_words(Threads)], const std::uint32_t (&keys)[Threads],
                                           const std::uint16_t (&ranks)[Threads], bool circular) {
  constexpr unsigned kLeaves = tree_leaves(Threads);
  constexpr unsigned kLevels = index_width(kLeaves);
  bool filled[kLeaves];
  std::uint32_t winner[kLeaves];
  for (unsigned i = 0; i < kLeaves; ++i) {
    filled[i] = i < Threads && has_bit(valid[(i < Threads ? i : 0) / 64], i % 64);
    winner[i] = i < Threads ? i : 0;
  }
  for (unsigned level = 0; level < kLevels; ++level) {
    for (unsigned k = 0; k < kLeaves / 2; ++k) {
      if (k < (kLeaves >> (level + 1))) {
        const std::uint32_t left = winner[2 * k];
        const std::uint32_t right = winner[2 * k + 1];
        const bool earlier = circular ? is_later<SchedW>(keys[left], keys[right]) : keys[right] < keys[left];
        const bool right_wins = filled[2 * k + 1] &&
                                (!filled[2 * k] || earlier || (keys[right] == keys[left] && ranks[right] < ranks[left]));
        winner[k] = right_wins ? right : left;
        filled[k] = filled[2 * k] || filled[2 * k + 1];
      }
    }
  }
  WarpPick pick;
  pick.valid = filled[0];
  pick.index = filled[0] ? winner[0] : 0;
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

// Threads at each PC and the queue of its warps. DMaj: most threads first, DMin: fewest first.
template <unsigned Entries, unsigned Threads>
class PcTable {
  static_assert(Entries >= 2 && Entries <= 64, "issue_logic: 2 to 64 table entries");

 public:
  PcTable(std::uint32_t entries, bool majority, bool exact) : entries_(entries), majority_(majority), exact_(exact) {
    HEDDLE_EXPECT(entries >= 2 && entries <= Entries);
    reset();
  }

  void reset() {
    valid_ = 0;
    for (unsigned i = 0; i < Entries; ++i) {
      pc_[i] = 0;
      count_[i] = 0;
      head_[i] = 0;
      tail_[i] = 0;
    }
    for (unsigned i = 0; i < Threads; ++i) next_[i] = 0;
    current_valid_ = false;
    current_pc_ = 0;
    odd_ = false;
  }

  // The oldest warp of the current PC, or else of the first PC.
  [[nodiscard]] WarpPick pick() const {
    WarpPick pick;
    if (valid_ != 0) {
      std::uint32_t position = current_valid_ ? table_find(valid_, pc_, current_pc_) : Entries;
      if (position == Entries) position = exact_ ? foremost() : lowest_bit(valid_);
      pick.valid = true;
      pick.index = head_[position];
    }
    return pick;
  }

  void step(const WarpLeaves& leaves, const ThreadsEnter& enter0, const ThreadsEnter& enter1) {
    std::uint64_t room = low_bits(entries_) & ~valid_;  // an entry that becomes empty now is no room yet
    std::uint32_t left = Entries;
    bool drained = false;  // of warps
    if (leaves.valid) {
      left = table_find(valid_, pc_, leaves.pc);
      HEDDLE_EXPECT(left != Entries && count_[left] >= leaves.count && head_[left] == leaves.index);
      count_[left] -= leaves.count;
      drained = head_[left] == tail_[left];
      if (!drained) head_[left] = next_[head_[left]];
      current_valid_ = true;
      current_pc_ = leaves.pc;
    }
    if (enter0.valid) enter(enter0, room, drained && enter0.pc == leaves.pc);
    if (enter1.valid) enter(enter1, room, drained && enter1.pc == leaves.pc);
    if (leaves.valid && count_[left] == 0) {
      valid_ &= ~bit_of(left);
      head_[left] = 0;
      tail_[left] = 0;
    }
    if (!exact_) sort();
  }

  [[nodiscard]] std::uint64_t valid() const { return valid_; }  // bit a position
  [[nodiscard]] const std::uint32_t (&pcs() const)[Entries] { return pc_; }
  [[nodiscard]] std::uint32_t count(std::uint32_t position) const { return count_[position]; }
  [[nodiscard]] std::uint32_t head(std::uint32_t position) const { return head_[position]; }
  [[nodiscard]] std::uint32_t tail(std::uint32_t position) const { return tail_[position]; }
  // The warp behind this one in its queue, if it is not the tail.
  [[nodiscard]] std::uint32_t next(std::uint32_t index) const { return next_[index]; }
  [[nodiscard]] bool current_valid() const { return current_valid_; }
  [[nodiscard]] std::uint32_t current_pc() const { return current_pc_; }
  [[nodiscard]] std::uint32_t entries() const { return entries_; }

 private:
  // `drained`: the last warp of this PC leaves now.
  void enter(const ThreadsEnter& threads, std::uint64_t& room, bool drained) {
    std::uint32_t position = table_find(valid_, pc_, threads.pc);
    const bool fresh = position == Entries;
    HEDDLE_EXPECT(threads.allocates || (!fresh && !drained));
    if (fresh) {
      HEDDLE_EXPECT(room != 0);
      position = lowest_bit(room);
      room &= room - 1;
      valid_ |= bit_of(position);
      pc_[position] = threads.pc;
      count_[position] = 0;
    }
    count_[position] += threads.count;
    if (threads.allocates) {
      const std::uint16_t warp = static_cast<std::uint16_t>(threads.new_index);
      if (fresh || drained) {
        head_[position] = warp;
      } else {
        next_[tail_[position]] = warp;
      }
      tail_[position] = warp;
    }
  }

  // The position that precedes all others. The table is not empty.
  [[nodiscard]] std::uint32_t foremost() const {
    std::uint32_t best = lowest_bit(valid_);
    std::uint64_t left = valid_ & (valid_ - 1);
    for (unsigned i = 1; i < Entries; ++i) {
      if (left == 0) break;
      if (precedes(lowest_bit(left), best)) best = lowest_bit(left);
      left &= left - 1;
    }
    return best;
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
    const std::uint16_t head = head_[left];
    const std::uint16_t tail = tail_[left];
    const bool valid = has_bit(valid_, left);
    pc_[left] = pc_[right];
    count_[left] = count_[right];
    head_[left] = head_[right];
    tail_[left] = tail_[right];
    pc_[right] = pc;
    count_[right] = count;
    head_[right] = head;
    tail_[right] = tail;
    valid_ = with_bit(with_bit(valid_, left, true), right, valid);
  }

  const std::uint32_t entries_;
  const bool majority_;
  const bool exact_;
  std::uint64_t valid_ = 0;  // bit a position
  std::uint32_t pc_[Entries] = {};
  std::uint32_t count_[Entries] = {};
  std::uint16_t head_[Entries] = {};  // oldest and youngest warp of the PC; 0 while not valid
  std::uint16_t tail_[Entries] = {};
  std::uint16_t next_[Threads] = {};  // by pool entry
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

// The waiting warps, oldest first; a warp's rank is its place. The hardware keeps the rank of each pool entry: the same order from the
// other side, so that nothing here goes over entries in which no warp waits.
template <unsigned Threads>
class AgeList {
 public:
  void reset() {
    for (unsigned i = 0; i < Threads; ++i) list_[i] = 0;
    count_ = 0;
  }

  void add(std::uint32_t index) {
    HEDDLE_EXPECT(count_ < Threads);
    list_[count_] = static_cast<std::uint16_t>(index);
    ++count_;
  }
  // Every greater rank falls by one.
  void remove(std::uint32_t index) {
    bool found = false;
    for (unsigned r = 0; r < Threads; ++r) {
      if (r == count_) break;
      if (found) list_[r - 1] = list_[r];
      if (list_[r] == index) found = true;
    }
    HEDDLE_EXPECT(found);
    --count_;
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t at(std::uint32_t rank) const { return list_[rank]; }
  // By pool entry; 0 where no warp waits.
  void read_ranks(std::uint16_t (&ranks)[Threads]) const {
    for (unsigned i = 0; i < Threads; ++i) ranks[i] = 0;
    for (unsigned r = 0; r < Threads; ++r) {
      if (r == count_) break;
      ranks[list_[r]] = static_cast<std::uint16_t>(r);
    }
  }

 private:
  std::uint16_t list_[Threads] = {};
  std::uint32_t count_ = 0;
};

struct IssueConfig {
  std::uint32_t table_entries = 0;
  std::uint32_t heuristic = 0;
  std::uint32_t table_sort = kTableSortStep;
};

template <unsigned Threads = 256, unsigned Lanes = 16, unsigned SchedW = 8, unsigned TableEntries = 32, unsigned Heuristic = 0,
          unsigned TableSort = 0>
class IssueLogic {
  static_assert(Heuristic <= kHeuristicPc, "issue_logic: Heuristic is 0 to 4");
  static_assert(TableSort <= kTableSortExact, "issue_logic: TableSort is 0 or 1");

 public:
  static constexpr unsigned kWords = pool_words(Threads);

  [[nodiscard]] static constexpr IssueConfig default_config() { return {TableEntries, Heuristic, TableSort}; }

  explicit IssueLogic(const IssueConfig& config = default_config())
      : heuristic_(config.heuristic),
        table_(config.table_entries, config.heuristic == kHeuristicMajority, config.table_sort == kTableSortExact) {
    HEDDLE_EXPECT(config.heuristic <= kHeuristicPc && config.table_sort <= kTableSortExact);
  }

  [[nodiscard]] static constexpr unsigned state_bits() {
    unsigned bits = 0;
    if (Heuristic <= kHeuristicMinority) {
      bits = TableEntries * (2 + 32 + index_width(Threads + 1) + 2 * index_width(Threads)) + Threads * index_width(Threads) + 1 + 32 +
             (TableSort == kTableSortStep ? 1 : 0);
    } else if (Heuristic == kHeuristicTime) {
      bits = Threads * index_width(Threads) + 2 * index_width(Threads) + index_width(Threads + 1);
    } else {
      bits = Threads * index_width(Threads) + index_width(Threads);
    }
    return bits;
  }

  void reset() {
    table_.reset();
    ring_.reset();
    ages_.reset();
  }

  [[nodiscard]] bool counts_pcs() const { return heuristic_ <= kHeuristicMinority; }
  [[nodiscard]] bool ranks_warps() const { return heuristic_ >= kHeuristicPdom; }

  // From registered state of this unit and of the pool.
  [[nodiscard]] WarpPick pick(const std::uint64_t (&valid)[kWords], const std::uint32_t (&pcs)[Threads],
                              const std::uint32_t (&scheds)[Threads]) const {
    WarpPick pick;
    if (counts_pcs()) {
      pick = table_.pick();
    } else if (heuristic_ == kHeuristicTime) {
      pick.valid = !ring_.empty();
      pick.index = pick.valid ? ring_.oldest() : 0;
    } else if (heuristic_ == kHeuristicPdom) {
      pick = pick_earliest(valid, scheds);
    } else {
      pick = pick_lowest(pcs);
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
    } else {
      if (leaves.valid) ages_.remove(leaves.index);
      if (enter0.valid && enter0.allocates) ages_.add(enter0.new_index);
      if (enter1.valid && enter1.allocates) ages_.add(enter1.new_index);
    }
  }

  // PCs in the table of DMaj and DMin.
  [[nodiscard]] std::uint32_t distinct() const { return count_bits(table_.valid()); }
  [[nodiscard]] const PcTable<TableEntries, Threads>& table() const { return table_; }
  [[nodiscard]] const AgeRing<Threads>& ring() const { return ring_; }
  [[nodiscard]] const AgeList<Threads>& ages() const { return ages_; }
  [[nodiscard]] std::uint32_t heuristic() const { return heuristic_; }

 private:
  // As pick_by_tree: keys in a row have an order, and the first of equal ones in the list is the oldest.
  [[nodiscard]] WarpPick pick_lowest(const std::uint32_t (&keys)[Threads]) const {
    WarpPick pick;
    std::uint32_t lowest = 0;
    for (unsigned r = 0; r < Threads; ++r) {
      if (r == ages_.count()) break;
      const std::uint32_t index = ages_.at(r);
      if (!pick.valid || keys[index] < lowest) {
        pick.valid = true;
        pick.index = index;
        lowest = keys[index];
      }
    }
    return pick;
  }

  // Likewise while all keys lie within half of the circle, counted here from the point opposite the oldest warp's key.
  [[nodiscard]] WarpPick pick_earliest(const std::uint64_t (&valid)[kWords], const std::uint32_t (&keys)[Threads]) const {
    constexpr std::uint32_t kMask = static_cast<std::uint32_t>(low_bits(SchedW));
    constexpr std::uint32_t kHalf = std::uint32_t{1} << (SchedW - 1);
    const std::uint32_t origin = keys[ages_.at(0)] - kHalf;
    WarpPick pick;
    std::uint32_t lowest = kMask;
    std::uint32_t highest = 0;
    for (unsigned r = 0; r < Threads; ++r) {
      if (r == ages_.count()) break;
      const std::uint32_t index = ages_.at(r);
      const std::uint32_t place = (keys[index] - origin) & kMask;
      if (!pick.valid || place < lowest) {
        pick.valid = true;
        pick.index = index;
        lowest = place;
      }
      if (place > highest) highest = place;
    }
    if (pick.valid && highest - lowest >= kHalf) {
      std::uint16_t ranks[Threads];
      ages_.read_ranks(ranks);
      pick = pick_by_tree<Threads, SchedW>(valid, keys, ranks, true);
    }
    return pick;
  }

  const std::uint32_t heuristic_;
  PcTable<TableEntries, Threads> table_;
  AgeRing<Threads> ring_;
  AgeList<Threads> ages_;
};

template <unsigned Threads = 256, unsigned Lanes = 16, unsigned SchedW = 8, unsigned TableEntries = 32, unsigned Heuristic = 0,
          unsigned TableSort = 0>
class issue_logic : public sc_core::sc_module {
 public:
  using Logic = IssueLogic<Threads, Lanes, SchedW, TableEntries, Heuristic, TableSort>;
  static constexpr unsigned kWords = pool_words(Threads);
  static constexpr bool kCountsPcs = Heuristic <= kHeuristicMinority;
  static constexpr bool kRanksWarps = Heuristic >= kHeuristicPdom;

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
    sensitive << chosen_valid_ << chosen_;
    for (unsigned k = 0; k < kWords; ++k) sensitive << valid_i[k];
    for (unsigned i = 0; i < Threads; ++i) sensitive << pc_i[i] << sched_i[i] << rank_[i];
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
    if constexpr (kRanksWarps) {
      std::uint64_t valid[kWords];
      std::uint32_t keys[Threads];
      std::uint16_t ranks[Threads];
      for (unsigned k = 0; k < kWords; ++k) valid[k] = valid_i[k].read();
      for (unsigned i = 0; i < Threads; ++i) {
        keys[i] = Heuristic == kHeuristicPdom ? sched_i[i].read() : pc_i[i].read();
        ranks[i] = static_cast<std::uint16_t>(rank_[i].read());
      }
      pick = pick_by_tree<Threads, SchedW>(valid, keys, ranks, Heuristic == kHeuristicPdom);
    } else {
      pick.valid = chosen_valid_.read();
      pick.index = chosen_.read();
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
    WarpPick chosen;
    if constexpr (kCountsPcs) {
      chosen = logic_.table().pick();
    } else if constexpr (kRanksWarps) {
      std::uint16_t ranks[Threads];
      logic_.ages().read_ranks(ranks);
      for (unsigned i = 0; i < Threads; ++i) rank_[i].write(ranks[i]);
    } else {
      chosen.valid = !logic_.ring().empty();
      chosen.index = chosen.valid ? logic_.ring().oldest() : 0;
    }
    chosen_valid_.write(chosen.valid);
    chosen_.write(chosen.index);
    distinct_o.write(logic_.distinct());
  }

  HEDDLE_CLOCKED_BODY()

  Logic logic_;
  // What the combinational processes see: the table's PCs, the choice of table or ring, the ranks.
  sc_core::sc_signal<std::uint64_t> SC_NAMED(table_valid_);
  sc_core::sc_vector<sc_core::sc_signal<std::uint32_t>> SC_NAMED(table_pc_, TableEntries);
  sc_core::sc_signal<bool> SC_NAMED(chosen_valid_);
  sc_core::sc_signal<std::uint32_t> SC_NAMED(chosen_);
  sc_core::sc_vector<sc_core::sc_signal<std::uint32_t>> SC_NAMED(rank_, Threads);
};

}  // namespace heddle
