// SPDX-License-Identifier: Apache-2.0
// What dwf/issue_logic must choose (docs/dwf.md), said with lists of rows and a queue.
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

class IssueOracle {
 public:
  struct Waiting { Pc pc; unsigned sched; };
  using Pool = std::map<unsigned, Waiting>;  // by pool index
  struct Leave { unsigned index; Pc pc; unsigned count; };
  struct Enter { Pc pc; unsigned count; std::optional<unsigned> new_index; };
  struct Hold { bool hold0 = false, hold1 = false; };

  IssueOracle(unsigned heuristic, unsigned entries) : heuristic_(heuristic), rows_(entries) {}

  [[nodiscard]] std::optional<unsigned> pick(const Pool& pool) const {
    if (heuristic_ == kDTime) return queue_.empty() ? std::nullopt : std::optional(queue_.front());
    if (counting()) {
      const std::optional<Pc> pc = chosen_pc();
      for (const auto& [index, warp] : pool) {
        if (pc && warp.pc == *pc) return index;
      }
      return std::nullopt;
    }
    std::vector<std::pair<std::uint64_t, unsigned>> order;
    for (const auto& [index, warp] : pool) order.emplace_back(heuristic_ == kDPc ? warp.pc : warp.sched, index);
    if (order.empty()) return std::nullopt;
    return std::min_element(order.begin(), order.end())->second;
  }

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
    if (leave && heuristic_ == kDTime) queue_.pop_front();
    for (const auto& enter : {enter0, enter1}) {
      if (enter && enter->new_index && heuristic_ == kDTime) queue_.push_back(*enter->new_index);
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
    for (const auto& row : rows_) {
      if (row) return row->pc;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool counting() const { return heuristic_ == kDMaj || heuristic_ == kDMin; }

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

  unsigned heuristic_;
  std::vector<std::optional<Row>> rows_;
  std::optional<Pc> current_;
  unsigned turn_ = 0;
  std::deque<unsigned> queue_;
};

}  // namespace heddle::test
