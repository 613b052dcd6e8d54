// SPDX-License-Identifier: Apache-2.0
// The three structures of issue_logic without a clock: PcTable counts the threads at each PC and queues its warps
// (DMaj, DMin), AgeRing has the warps in order of age (DTime), WaitList sorted by PC (DPC) or by post-dominators passed
// (DPdPri). IssueLogic holds all three, for the scheduler. Contract: docs/dwf.md, dwf/issue_logic.
#pragma once

#include "common/types.h"

namespace heddle {

constexpr std::uint32_t kHeuristicMajority = 0;
constexpr std::uint32_t kHeuristicMinority = 1;
constexpr std::uint32_t kHeuristicTime = 2;
constexpr std::uint32_t kHeuristicPdom = 3;
constexpr std::uint32_t kHeuristicPc = 4;

constexpr std::uint32_t kTableSortStep = 0;   // one odd-even transposition step a cycle
constexpr std::uint32_t kTableSortExact = 1;  // positions stay, the first in order is known

// Scheduler data are compared on a circle: `a` is up to half of it, less one, after `b`.
template <unsigned SchedW>
[[nodiscard]] constexpr bool is_later(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t ahead = (a - b) & static_cast<std::uint32_t>(low_bits(SchedW));
  return ahead != 0 && ahead < (std::uint32_t{1} << (SchedW - 1));
}

// The pick register: a warp that issues next, or none. All 0 while there is none. A new warp that finds none there,
// after the pick of its cycle, goes straight into it.
struct WarpPick {
  bool valid = false;
  std::uint32_t index = 0;
  std::uint32_t sched = 0;  // of DPdPri, else 0
};

// What an update that is not held does.
struct ThreadsEnter {
  bool valid = false;
  bool allocates = false;  // a pool entry: new_index
  bool joins = false;      // a warp of the pool: join_index
  std::uint32_t pc = 0;
  std::uint32_t count = 0;
  std::uint32_t sched = 0;
  std::uint32_t new_index = 0;
  std::uint32_t join_index = 0;
};

struct HoldAnswer {
  bool hold0 = false;
  bool hold1 = false;
};

struct TablePosition {
  bool found = false;
  std::uint32_t index = 0;
};

// Where `pc` is among the valid positions.
template <unsigned Entries>
[[nodiscard]] inline TablePosition table_find(std::uint64_t valid, const std::uint32_t (&pcs)[Entries],
                                              std::uint32_t pc) {
  TablePosition position;
  std::uint64_t left = valid;
  for (unsigned i = 0; i < Entries; ++i) {
    if (left == 0) break;
    if (pcs[lowest_bit(left)] == pc) {
      position.found = true;
      position.index = lowest_bit(left);
      left = 0;
    }
    left &= left - 1;
  }
  return position;
}

// Whether updates with these PCs lack a free position. Update 0 takes its position before update 1 looks.
template <unsigned Entries>
[[nodiscard]] inline HoldAnswer table_hold(std::uint64_t valid, const std::uint32_t (&pcs)[Entries],
                                           std::uint32_t entries, bool update0, std::uint32_t pc0, bool update1,
                                           std::uint32_t pc1) {
  const std::uint32_t room = entries - count_bits(valid);
  bool needs0 = update0;
  bool needs1 = update1;
  if (update0) {
    const TablePosition known = table_find(valid, pcs, pc0);
    needs0 = !known.found;
  }
  if (update1) {
    const TablePosition known = table_find(valid, pcs, pc1);
    needs1 = !known.found;
  }
  HoldAnswer answer;
  answer.hold0 = needs0 && room == 0;
  answer.hold1 = needs1 && room <= (needs0 && !answer.hold0 ? 1u : 0u);
  return answer;
}

// Threads at each PC and the queue of its warps. DMaj: most threads first, DMin: fewest first. Sets of positions are
// masks.
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
    waits_ = 0;
    current_ = 0;
    left_ = 0;
    for (unsigned i = 0; i < Entries; ++i) {
      pc_[i] = 0;
      count_[i] = 0;
      head_[i] = 0;
      tail_[i] = 0;
    }
    for (unsigned i = 0; i < Threads; ++i) next_[i] = 0;
    odd_ = false;
  }

  // picks: the pick register is free; issue: its warp leaves; left_count: threads of the one that left in the cycle
  // before.
  void step(WarpPick& pick, bool picks, bool issue, std::uint32_t left_count, const ThreadsEnter& enter0,
            const ThreadsEnter& enter1) {
    // What registered state decides.
    const std::uint64_t exchanged = exact_ ? 0 : exchanges();
    std::uint64_t room = low_bits(entries_) & ~valid_;  // an entry that ends now is no room yet
    const std::uint64_t leaving = left_;
    left_ = issue ? current_ : 0;
    if (picks) take(pick);

    if (leaving != 0) {
      HEDDLE_EXPECT(count_[lowest_bit(leaving)] >= left_count);
      count_[lowest_bit(leaving)] -= left_count;
    }
    if (enter0.valid) enter(pick, enter0, room);
    if (enter1.valid) enter(pick, enter1, room);
    if (leaving != 0 && count_[lowest_bit(leaving)] == 0) {
      HEDDLE_EXPECT((waits_ & leaving) == 0);
      valid_ &= ~leaving;
    }
    exchange(exchanged);
    odd_ = !odd_;
  }

  [[nodiscard]] HoldAnswer hold(bool update0, std::uint32_t pc0, bool update1, std::uint32_t pc1) const {
    return table_hold(valid_, pc_, entries_, update0, pc0, update1, pc1);
  }

  // State that was kept elsewhere.
  void load_sets(std::uint64_t valid, std::uint64_t waits, std::uint64_t current, std::uint64_t left, bool odd) {
    valid_ = valid;
    waits_ = waits;
    current_ = current;
    left_ = left;
    odd_ = odd;
  }
  void load_entry(std::uint32_t position, std::uint32_t pc, std::uint32_t count, std::uint32_t head,
                  std::uint32_t tail) {
    pc_[position] = pc;
    count_[position] = count;
    head_[position] = static_cast<std::uint16_t>(head);
    tail_[position] = static_cast<std::uint16_t>(tail);
  }
  void load_next(std::uint32_t index, std::uint32_t next) { next_[index] = static_cast<std::uint16_t>(next); }

  // Bit a position:
  [[nodiscard]] std::uint64_t valid() const { return valid_; }
  [[nodiscard]] std::uint64_t waits() const { return waits_; }      // a warp waits, the oldest is head
  [[nodiscard]] std::uint64_t current() const { return current_; }  // of the picked warp
  [[nodiscard]] std::uint64_t left() const { return left_; }        // of the warp that left in the cycle before
  [[nodiscard]] std::uint32_t pc(std::uint32_t position) const { return pc_[position]; }
  [[nodiscard]] std::uint32_t count(std::uint32_t position) const { return count_[position]; }
  [[nodiscard]] std::uint32_t head(std::uint32_t position) const { return head_[position]; }
  [[nodiscard]] std::uint32_t tail(std::uint32_t position) const { return tail_[position]; }
  // The warp behind this one in its queue, if it is not the tail.
  [[nodiscard]] std::uint32_t next(std::uint32_t index) const { return next_[index]; }
  [[nodiscard]] bool odd() const { return odd_; }

 private:
  // The oldest warp of the first PC at which one waits goes into the pick register. DMaj stays at the current PC while
  // one waits there.
  void take(WarpPick& pick) {
    const std::uint64_t current = majority_ ? waits_ & current_ : 0;
    pick.valid = waits_ != 0;
    pick.index = 0;
    current_ = 0;
    if (waits_ != 0) {
      const std::uint32_t position = current != 0 ? lowest_bit(current) : exact_ ? foremost() : lowest_bit(waits_);
      const std::uint32_t warp = head_[position];
      pick.index = warp;
      if (warp == tail_[position]) {
        waits_ &= ~bit_of(position);
      } else {
        head_[position] = next_[warp];
      }
      current_ = bit_of(position);
    }
  }

  void enter(WarpPick& pick, const ThreadsEnter& threads, std::uint64_t& room) {
    TablePosition position = table_find(valid_, pc_, threads.pc);
    HEDDLE_EXPECT(threads.allocates || position.found);
    if (!position.found) {
      HEDDLE_EXPECT(room != 0);
      position.index = lowest_bit(room);
      room &= room - 1;
      valid_ |= bit_of(position.index);
      pc_[position.index] = threads.pc;
      count_[position.index] = 0;
    }
    count_[position.index] += threads.count;
    if (threads.allocates && !pick.valid) {
      pick.valid = true;
      pick.index = threads.new_index;
      current_ = bit_of(position.index);
    } else if (threads.allocates) {
      const std::uint16_t warp = static_cast<std::uint16_t>(threads.new_index);
      if (has_bit(waits_, position.index)) {
        next_[tail_[position.index]] = warp;
      } else {
        head_[position.index] = warp;
        waits_ |= bit_of(position.index);
      }
      tail_[position.index] = warp;
    }
  }

  // The position that precedes all others at which a warp waits. There is one.
  [[nodiscard]] std::uint32_t foremost() const {
    std::uint32_t best = lowest_bit(waits_);
    std::uint64_t left = waits_ & (waits_ - 1);
    for (unsigned i = 1; i < Entries; ++i) {
      if (left == 0) break;
      if (precedes(lowest_bit(left), best)) best = lowest_bit(left);
      left &= left - 1;
    }
    return best;
  }

  // The right ones of the pairs that change places in this cycle. Only a valid one can precede.
  [[nodiscard]] std::uint64_t exchanges() const {
    std::uint64_t exchanged = 0;
    std::uint64_t todo = valid_ & (odd_ ? 0x5555555555555554ull : 0xaaaaaaaaaaaaaaaaull);
    for (unsigned i = 0; i < Entries / 2; ++i) {
      if (todo == 0) break;
      const std::uint32_t right = lowest_bit(todo);
      todo &= todo - 1;
      if (precedes(right, right - 1)) exchanged |= bit_of(right);
    }
    return exchanged;
  }

  [[nodiscard]] bool precedes(std::uint32_t a, std::uint32_t b) const {  // a is valid
    const bool more = count_[a] > count_[b];
    const bool fewer = count_[a] < count_[b];
    return !has_bit(valid_, b) || (majority_ ? more : fewer) || (!more && !fewer && pc_[a] < pc_[b]);
  }

  void exchange(std::uint64_t rights) {
    std::uint64_t todo = rights;
    for (unsigned i = 0; i < Entries / 2; ++i) {
      if (todo == 0) break;
      const std::uint32_t right = lowest_bit(todo);
      const std::uint32_t left = right - 1;
      todo &= todo - 1;
      const std::uint32_t pc = pc_[left];
      const std::uint32_t count = count_[left];
      const std::uint16_t head = head_[left];
      const std::uint16_t tail = tail_[left];
      pc_[left] = pc_[right];
      count_[left] = count_[right];
      head_[left] = head_[right];
      tail_[left] = tail_[right];
      pc_[right] = pc;
      count_[right] = count;
      head_[right] = head;
      tail_[right] = tail;
    }
    valid_ = exchanged_bits(valid_, rights);
    waits_ = exchanged_bits(waits_, rights);
    current_ = exchanged_bits(current_, rights);
    left_ = exchanged_bits(left_, rights);
  }
  // Each bit of `rights` changes places with its left neighbour.
  [[nodiscard]] static std::uint64_t exchanged_bits(std::uint64_t word, std::uint64_t rights) {
    const std::uint64_t differs = (word ^ (word << 1)) & rights;
    return word ^ differs ^ (differs >> 1);
  }

  const std::uint32_t entries_;
  const bool majority_;
  const bool exact_;
  std::uint64_t valid_ = 0;  // masks of positions
  std::uint64_t waits_ = 0;
  std::uint64_t current_ = 0;
  std::uint64_t left_ = 0;
  std::uint32_t pc_[Entries] = {};
  std::uint32_t count_[Entries] = {};
  std::uint16_t head_[Entries] = {};  // oldest and youngest warp that waits
  std::uint16_t tail_[Entries] = {};
  std::uint16_t next_[Threads] = {};  // by pool entry
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

  void step(WarpPick& pick, bool picks, const ThreadsEnter& enter0, const ThreadsEnter& enter1) {
    if (picks) {
      pick.valid = count_ != 0;
      pick.index = 0;
      if (count_ != 0) {
        pick.index = ring_[read_];
        read_ = after(read_);
        --count_;
      }
    }
    if (enter0.valid && enter0.allocates) enter(pick, enter0.new_index);
    if (enter1.valid && enter1.allocates) enter(pick, enter1.new_index);
  }

  // State that was kept elsewhere.
  void load_pointers(std::uint32_t read, std::uint32_t write, std::uint32_t count) {
    read_ = read;
    write_ = write;
    count_ = count;
  }
  void load_place(std::uint32_t place, std::uint32_t index) { ring_[place] = static_cast<std::uint16_t>(index); }

  [[nodiscard]] std::uint32_t read() const { return read_; }
  [[nodiscard]] std::uint32_t write() const { return write_; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t index(std::uint32_t place) const { return ring_[place]; }

 private:
  void enter(WarpPick& pick, std::uint32_t index) {
    if (!pick.valid) {
      pick.valid = true;
      pick.index = index;
    } else {
      HEDDLE_EXPECT(count_ < Threads);
      ring_[write_] = static_cast<std::uint16_t>(index);
      write_ = after(write_);
      ++count_;
    }
  }
  [[nodiscard]] static std::uint32_t after(std::uint32_t place) { return place + 1 == Threads ? 0 : place + 1; }

  std::uint16_t ring_[Threads] = {};
  std::uint32_t read_ = 0;
  std::uint32_t write_ = 0;
  std::uint32_t count_ = 0;
};

// The warps that wait with what sorts them, first to go first. Keys are PCs, or post-dominators passed, which lie on a
// circle and change when threads join: then an odd-even transposition step a cycle puts the list in order again.
template <unsigned Threads, unsigned SchedW>
class WaitList {
 public:
  explicit WaitList(bool circular) : circular_(circular) {}

  void reset() {
    for (unsigned i = 0; i < Threads; ++i) {
      index_[i] = 0;
      key_[i] = 0;
    }
    count_ = 0;
    odd_ = false;
  }

  void step(WarpPick& pick, bool picks, const ThreadsEnter& enter0, const ThreadsEnter& enter1) {
    if (circular_) sort();
    if (picks) take(pick);
    if (enter0.valid && enter0.allocates) enter(pick, enter0);
    if (enter1.valid && enter1.allocates) enter(pick, enter1);
    if (circular_ && enter0.valid && enter0.joins) join(pick, enter0.join_index, enter0.sched);
    if (circular_ && enter1.valid && enter1.joins) join(pick, enter1.join_index, enter1.sched);
  }

  // State that was kept elsewhere.
  void load_count(std::uint32_t count, bool odd) {
    count_ = count;
    odd_ = odd;
  }
  void load_place(std::uint32_t place, std::uint32_t index, std::uint32_t key) {
    index_[place] = static_cast<std::uint16_t>(index);
    key_[place] = key;
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] bool odd() const { return odd_; }
  // Of a place that is taken:
  [[nodiscard]] std::uint32_t index(std::uint32_t place) const { return index_[place]; }
  [[nodiscard]] std::uint32_t key(std::uint32_t place) const { return key_[place]; }

 private:
  [[nodiscard]] bool later(std::uint32_t a, std::uint32_t b) const {
    return circular_ ? is_later<SchedW>(a, b) : a > b;
  }

  void sort() {
    for (unsigned i = 0; i < Threads / 2; ++i) {
      const std::uint32_t left = 2 * i + (odd_ ? 1u : 0u);
      if (left + 1 >= count_) break;
      if (is_later<SchedW>(key_[left], key_[left + 1])) {
        const std::uint16_t index = index_[left];
        const std::uint32_t key = key_[left];
        index_[left] = index_[left + 1];
        key_[left] = key_[left + 1];
        index_[left + 1] = index;
        key_[left + 1] = key;
      }
    }
    odd_ = !odd_;
  }

  void take(WarpPick& pick) {
    pick.valid = count_ != 0;
    pick.index = count_ != 0 ? index_[0] : 0;
    pick.sched = count_ != 0 && circular_ ? key_[0] : 0;
    for (unsigned i = 1; i < Threads; ++i) {
      if (i >= count_) break;
      index_[i - 1] = index_[i];
      key_[i - 1] = key_[i];
    }
    if (count_ != 0) --count_;
  }

  void enter(WarpPick& pick, const ThreadsEnter& threads) {
    if (!pick.valid) {
      pick.valid = true;
      pick.index = threads.new_index;
      pick.sched = circular_ ? threads.sched : 0;
    } else {
      insert(threads.new_index, circular_ ? threads.sched : threads.pc);
    }
  }

  // In front of the first that is later, or at the end.
  void insert(std::uint32_t index, std::uint32_t key) {
    HEDDLE_EXPECT(count_ < Threads);
    bool placed = false;
    std::uint16_t carried_index = static_cast<std::uint16_t>(index);
    std::uint32_t carried_key = key;
    for (unsigned i = 0; i < Threads; ++i) {
      if (i == count_) break;
      placed = placed || later(key_[i], key);
      if (placed) {
        const std::uint16_t moved_index = index_[i];
        const std::uint32_t moved_key = key_[i];
        index_[i] = carried_index;
        key_[i] = carried_key;
        carried_index = moved_index;
        carried_key = moved_key;
      }
    }
    index_[count_] = carried_index;
    key_[count_] = carried_key;
    ++count_;
  }

  // The joined warp waits, or is the one in the pick register.
  void join(WarpPick& pick, std::uint32_t index, std::uint32_t sched) {
    if (pick.valid && pick.index == index) {
      if (is_later<SchedW>(sched, pick.sched)) pick.sched = sched;
    } else {
      for (unsigned i = 0; i < Threads; ++i) {
        if (i == count_) break;
        if (index_[i] == index && is_later<SchedW>(sched, key_[i])) key_[i] = sched;
      }
    }
  }

  const bool circular_;
  std::uint16_t index_[Threads] = {};
  std::uint32_t key_[Threads] = {};
  std::uint32_t count_ = 0;
  bool odd_ = false;
};

struct IssueConfig {
  std::uint32_t table_entries = 0;
  std::uint32_t heuristic = 0;
  std::uint32_t table_sort = kTableSortStep;
};

template <unsigned Threads = 256, unsigned Lanes = 16, unsigned SchedW = 8, unsigned TableEntries = 32,
          unsigned Heuristic = 0, unsigned TableSort = 0>
class IssueLogic {
  static_assert(Heuristic <= kHeuristicPc, "issue_logic: Heuristic is 0 to 4");
  static_assert(TableSort <= kTableSortExact, "issue_logic: TableSort is 0 or 1");
  static_assert(SchedW >= 1 && SchedW <= 32, "issue_logic: 1 to 32 bits of scheduler data");

 public:
  using Table = PcTable<TableEntries, Threads>;
  using List = WaitList<Threads, SchedW>;

  [[nodiscard]] static constexpr IssueConfig default_config() { return {TableEntries, Heuristic, TableSort}; }

  explicit IssueLogic(const IssueConfig& config = default_config())
      : heuristic_(config.heuristic),
        table_(config.table_entries, config.heuristic == kHeuristicMajority, config.table_sort == kTableSortExact),
        list_(config.heuristic == kHeuristicPdom) {
    HEDDLE_EXPECT(config.heuristic <= kHeuristicPc && config.table_sort <= kTableSortExact);
  }

  [[nodiscard]] static constexpr unsigned state_bits() {
    unsigned bits = 1 + index_width(Threads);
    if (Heuristic <= kHeuristicMinority) {
      bits += TableEntries * (4 + 32 + index_width(Threads + 1) + 2 * index_width(Threads)) +
              Threads * index_width(Threads) + (TableSort == kTableSortStep ? 1 : 0);
    } else if (Heuristic == kHeuristicTime) {
      bits += Threads * index_width(Threads) + 2 * index_width(Threads) + index_width(Threads + 1);
    } else if (Heuristic == kHeuristicPdom) {
      bits += SchedW + Threads * (1 + index_width(Threads) + SchedW) + 1;
    } else {
      bits += Threads * (1 + index_width(Threads) + 32);
    }
    return bits;
  }

  void reset() {
    pick_.valid = false;
    pick_.index = 0;
    pick_.sched = 0;
    table_.reset();
    ring_.reset();
    list_.reset();
  }

  [[nodiscard]] bool counts_pcs() const { return heuristic_ <= kHeuristicMinority; }
  [[nodiscard]] bool sorts_warps() const { return heuristic_ >= kHeuristicPdom; }
  [[nodiscard]] bool looks_at_sched() const { return heuristic_ == kHeuristicPdom; }

  [[nodiscard]] HoldAnswer hold(bool update0, std::uint32_t pc0, bool update1, std::uint32_t pc1) const {
    HoldAnswer answer;
    if (counts_pcs()) answer = table_.hold(update0, pc0, update1, pc1);
    return answer;
  }

  // issue: the picked warp leaves in this cycle. left_count: threads of the warp that left in the cycle before, if one
  // did.
  void step(bool issue, std::uint32_t left_count, const ThreadsEnter& enter0, const ThreadsEnter& enter1) {
    HEDDLE_EXPECT(!issue || pick_.valid);
    const bool picks = issue || !pick_.valid;
    if (counts_pcs()) {
      table_.step(pick_, picks, issue, left_count, enter0, enter1);
    } else if (heuristic_ == kHeuristicTime) {
      ring_.step(pick_, picks, enter0, enter1);
    } else {
      list_.step(pick_, picks, enter0, enter1);
    }
  }

  [[nodiscard]] bool pick_valid() const { return pick_.valid; }
  [[nodiscard]] std::uint32_t pick_index() const { return pick_.index; }
  [[nodiscard]] std::uint32_t pick_sched() const { return pick_.sched; }
  // PCs in the table of DMaj and DMin.
  [[nodiscard]] std::uint32_t distinct() const { return count_bits(table_.valid()); }
  [[nodiscard]] std::uint64_t table_valid() const { return table_.valid(); }
  [[nodiscard]] std::uint32_t table_pc(std::uint32_t position) const { return table_.pc(position); }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const Table& table() const { return table_; }
  [[nodiscard]] const List& list() const { return list_; }
#endif

 private:
  const std::uint32_t heuristic_;
  WarpPick pick_;
  Table table_;
  AgeRing<Threads> ring_;
  List list_;
};

}  // namespace heddle
