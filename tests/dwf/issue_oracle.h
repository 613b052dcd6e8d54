// SPDX-License-Identifier: Apache-2.0
// What dwf/issue_logic must choose (docs/dwf.md), said with one queue of all warps that wait and a list of rows.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "heddle/types.h"

namespace heddle::test {

enum Heuristic : unsigned { kDMaj, kDMin, kDTime, kDPdPri, kDPc };

// Whether one count of post-dominators is later than another: it is met in less than half a turn from there on.
inline bool later_sched(unsigned a, unsigned b, unsigned bits) {
  const unsigned turn = 1u << bits;
  for (unsigned steps = 1; steps < turn / 2; ++steps) {
    if ((b + steps) % turn == a) return true;
  }
  return false;
}
inline unsigned latest_sched(unsigned waiting, unsigned joining, unsigned bits) {
  return later_sched(joining, waiting, bits) ? joining : waiting;
}

class IssueOracle {
 public:
  struct Waiting { Pc pc; unsigned sched; };
  using Pool = std::map<unsigned, Waiting>;  // by pool index
  struct Leave { unsigned index; Pc pc; unsigned count; };
  struct Enter { Pc pc; unsigned count; std::optional<unsigned> new_index; };
  struct Hold { bool hold0 = false, hold1 = false; };

  IssueOracle(unsigned heuristic, unsigned entries, unsigned sched_bits, bool exact)
      : heuristic_(heuristic), sched_bits_(sched_bits), exact_(exact), rows_(entries) {}

  [[nodiscard]] std::optional<unsigned> pick(const Pool& pool) const {
    if (queue_.empty()) return std::nullopt;
    if (heuristic_ == kDPdPri) {
      unsigned places = 1;
      while (places <= pool.rbegin()->first) places *= 2;
      return earliest(pool, 0, places);
    }
    if (heuristic_ == kDPc) {  // min_element: the first of equals
      return *std::min_element(queue_.begin(), queue_.end(), [&](unsigned a, unsigned b) { return pool.at(a).pc < pool.at(b).pc; });
    }
    const std::optional<Pc> pc = counting() ? chosen_pc() : pool.at(queue_.front()).pc;
    return *std::find_if(queue_.begin(), queue_.end(), [&](unsigned index) { return pool.at(index).pc == pc; });
  }
  // The warps that wait, oldest first.
  [[nodiscard]] const std::deque<unsigned>& queue() const { return queue_; }

  // Which of two updates must wait for a free row.
  [[nodiscard]] Hold hold(std::optional<Pc> pc0, std::optional<Pc> pc1) const {
    Hold answer;
    if (!counting()) return answer;
    auto room = std::count(rows_.begin(), rows_.end(), std::nullopt);
    if (pc0 && !row_of(*pc0)) {
      answer.hold0 = room == 0;
      room -= answer.hold0 ? 0 : 1;
    }
    if (pc1 && !row_of(*pc1)) answer.hold1 = room == 0;
    return answer;
  }

  void step(const std::optional<Leave>& leave, const std::optional<Enter>& enter0, const std::optional<Enter>& enter1) {
    if (leave) queue_.erase(std::find(queue_.begin(), queue_.end(), leave->index));
    for (const auto& enter : {enter0, enter1}) {
      if (enter && enter->new_index) queue_.push_back(*enter->new_index);
    }
    if (counting()) step_rows(leave, enter0, enter1);
  }

  [[nodiscard]] unsigned distinct() const {
    return static_cast<unsigned>(std::count_if(rows_.begin(), rows_.end(), [](const auto& row) { return row.has_value(); }));
  }

  struct Row { Pc pc; int count; };
  [[nodiscard]] const std::vector<std::optional<Row>>& rows() const { return rows_; }
  [[nodiscard]] std::optional<Pc> chosen_pc() const {
    if (current_ && row_of(*current_)) return current_;
    const auto chosen = exact_ ? std::min_element(rows_.begin(), rows_.end(), [&](const auto& a, const auto& b) { return first(a, b); })
                               : std::find_if(rows_.begin(), rows_.end(), [](const auto& row) { return row.has_value(); });
    return chosen != rows_.end() && *chosen ? std::optional((*chosen)->pc) : std::nullopt;
  }

 private:
  [[nodiscard]] bool counting() const { return heuristic_ == kDMaj || heuristic_ == kDMin; }

  // Of the warps in `places` entries of the pool from `begin` on: the winner of the left half against that of the right half.
  [[nodiscard]] std::optional<unsigned> earliest(const Pool& pool, unsigned begin, unsigned places) const {
    if (places == 1) return pool.count(begin) != 0 ? std::optional(begin) : std::nullopt;
    const auto left = earliest(pool, begin, places / 2), right = earliest(pool, begin + places / 2, places / 2);
    if (!left || !right) return left ? left : right;
    const unsigned a = pool.at(*left).sched, b = pool.at(*right).sched;
    if (a != b) return later_sched(a, b, sched_bits_) ? right : left;
    return *std::find_if(queue_.begin(), queue_.end(), [&](unsigned index) { return index == *left || index == *right; });
  }

  [[nodiscard]] std::optional<std::size_t> row_of(Pc pc) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i] && rows_[i]->pc == pc) return i;
    }
    return std::nullopt;
  }

  void step_rows(const std::optional<Leave>& leave, const std::optional<Enter>& enter0, const std::optional<Enter>& enter1) {
    const auto before = rows_;  // rows that are free in registered state
    if (leave) {
      rows_.at(row_of(leave->pc).value())->count -= static_cast<int>(leave->count);
      current_ = leave->pc;
    }
    std::size_t next = 0;
    for (const auto& enter : {enter0, enter1}) {
      if (!enter) continue;
      if (const auto row = row_of(enter->pc)) {
        rows_[*row]->count += static_cast<int>(enter->count);
        continue;
      }
      while (before.at(next)) ++next;
      rows_[next++] = Row{enter->pc, static_cast<int>(enter->count)};
    }
    for (auto& row : rows_) {
      if (row && row->count == 0) row.reset();
    }
    if (exact_) return;  // no row moves
    for (std::size_t i = turn_ % 2; i + 1 < rows_.size(); i += 2) {
      if (first(rows_[i + 1], rows_[i])) std::swap(rows_[i], rows_[i + 1]);
    }
    ++turn_;
  }

  // Whether row a belongs before row b.
  [[nodiscard]] bool first(const std::optional<Row>& a, const std::optional<Row>& b) const {
    if (!a || !b) return a.has_value() && !b.has_value();
    if (a->count != b->count) return (heuristic_ == kDMaj) == (a->count > b->count);
    return a->pc < b->pc;
  }

  unsigned heuristic_, sched_bits_;
  bool exact_;
  std::vector<std::optional<Row>> rows_;
  std::optional<Pc> current_;
  unsigned turn_ = 0;
  std::deque<unsigned> queue_;  // pool indices in order of allocation
};

}  // namespace heddle::test
