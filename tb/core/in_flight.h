// SPDX-License-Identifier: Apache-2.0
// Instructions between issue and write-back: a fixed pool of records, a timing wheel, and one first-in first-out list a
// write port group.
#pragma once

#include <cstdint>
#include <vector>

#include "core/lane_rows.h"
#include "heddle/types.h"
#include "isa/instruction.h"

namespace heddle {

using RecordId = std::uint32_t;
constexpr RecordId kNoRecord = ~RecordId{0};

struct InFlight {
  LaneMask issued = 0;  // threads of the instruction: what the scoreboard tracks
  LaneMask mask = 0;    // threads whose register is written
  WarpId warp = 0;      // core warp
  std::uint8_t slot = 0;
  RegId rd = 0;               // 0: nothing to write back (stores)
  std::uint8_t parts = 0;     // memory: accesses still outstanding
  bool in_parts = false;      // a load that completes first for threads that hit
  bool fills = false;         // a row of the software-managed stack comes back
  RecordId next = kNoRecord;  // link of the list the record is in
};

class InFlightPool {
 public:
  InFlightPool(std::size_t size, unsigned lanes) : records_(size), values_(size, lanes) { reset(false); }
  // wide: the results have 64 bits.
  void reset(bool wide) {
    values_.set_width(wide);
    free_ = kNoRecord;
    for (RecordId id = static_cast<RecordId>(records_.size()); id-- > 0;) release(id);
  }
  // Sized for full scoreboards and memory queue; instructions without a destination may make it grow.
  RecordId allocate() {
    const RecordId id = free_;
    if (id == kNoRecord) return grow();
    free_ = records_[id].next;
    records_[id].next = kNoRecord;
    return id;
  }
  void release(RecordId id) {
    records_[id].next = free_;
    free_ = id;
  }
  // Another one like it, in no list.
  RecordId copy(RecordId id) {
    const RecordId other = allocate();
    records_[other] = records_[id];
    records_[other].next = kNoRecord;
    values_.copy(id, other);
    return other;
  }
  InFlight& operator[](RecordId id) { return records_[id]; }
  // What it writes into its register.
  [[nodiscard]] LaneArray value(RecordId id) { return values_.row(id); }

 private:
  RecordId grow() {
    records_.emplace_back();
    values_.add_row();
    return static_cast<RecordId>(records_.size() - 1);
  }
  std::vector<InFlight> records_;
  LaneRows values_;
  RecordId free_ = kNoRecord;
};

// Singly linked FIFO of pool records.
class RecordQueue {
 public:
  [[nodiscard]] bool empty() const { return head_ == kNoRecord; }
  void clear() { head_ = tail_ = kNoRecord; }
  void push(InFlightPool& pool, RecordId id) {
    pool[id].next = kNoRecord;
    if (empty()) head_ = id;
    else pool[tail_].next = id;
    tail_ = id;
  }
  RecordId pop(InFlightPool& pool) {
    const RecordId id = head_;
    head_ = pool[id].next;
    return id;
  }
  // Appends all of `other`, which becomes empty.
  void append(InFlightPool& pool, RecordQueue& other) {
    if (other.empty()) return;
    if (empty()) head_ = other.head_;
    else pool[tail_].next = other.head_;
    tail_ = other.tail_;
    other.clear();
  }

 private:
  RecordId head_ = kNoRecord, tail_ = kNoRecord;
};

}  // namespace heddle
