// SPDX-License-Identifier: Apache-2.0
// What dwf/issue_logic must pick (docs/dwf.md), said with one queue of all warps that wait and a list of rows.
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
  struct Warp {
    unsigned index;
    Pc pc;
    unsigned sched;
  };
  struct Enter {
    Pc pc;
    unsigned count, sched;
    std::optional<unsigned> new_index, join_index;
  };
  struct Hold {
    bool hold0 = false, hold1 = false;
  };

  IssueOracle(unsigned heuristic, unsigned entries, unsigned sched_bits, bool exact)
      : heuristic_(heuristic),
        sched_bits_(sched_bits),
        exact_(exact),
        rows_(entries) {}

  // The pick register.
  [[nodiscard]] const std::optional<Warp>& picked() const { return picked_; }
  // The warps that wait: oldest first; with DPdPri in its order.
  [[nodiscard]] const std::deque<Warp>& queue() const { return queue_; }

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

  // A cycle: `issue` takes the warp that is picked, `left` threads went with the one that was taken in the cycle
  // before.
  void step(bool issue, unsigned left, const std::optional<Enter>& enter0, const std::optional<Enter>& enter1) {
    const auto before = rows_;
    const auto leaving = issue ? std::optional(picked_->pc) : std::nullopt;
    if (heuristic_ == kDPdPri) {
      for (std::size_t i = turn_ % 2; i + 1 < queue_.size(); i += 2) {
        if (later_sched(queue_[i].sched, queue_[i + 1].sched, sched_bits_)) std::swap(queue_[i], queue_[i + 1]);
      }
    }
    if (issue) picked_.reset();
    if (!picked_ && !queue_.empty()) {
      const auto chosen = choose(leaving);
      picked_ = *chosen;
      queue_.erase(chosen);
    }
    for (const auto& enter : {enter0, enter1}) {
      if (!enter || !enter->new_index) continue;
      const Warp warp{*enter->new_index, enter->pc, enter->sched};
      if (picked_) {
        queue_.insert(place(*enter), warp);
      } else {
        picked_ = warp;  // none waited
      }
    }
    for (const auto& enter : {enter0, enter1}) {
      if (!enter || !enter->join_index) continue;
      for (Warp& warp : queue_) join(warp, *enter);
      if (picked_) join(*picked_, *enter);
    }
    if (counting()) step_rows(before, left, enter0, enter1);
    left_ = leaving;
    ++turn_;
  }

  [[nodiscard]] unsigned distinct() const {
    return static_cast<unsigned>(
        std::count_if(rows_.begin(), rows_.end(), [](const auto& row) { return row.has_value(); }));
  }

  struct Row {
    Pc pc;
    int count;
  };
  [[nodiscard]] const std::vector<std::optional<Row>>& rows() const { return rows_; }

 private:
  using Place = std::deque<Warp>::const_iterator;
  [[nodiscard]] bool counting() const { return heuristic_ == kDMaj || heuristic_ == kDMin; }

  // With DMaj at the PC of the warp that leaves, if one waits there.
  [[nodiscard]] Place choose(std::optional<Pc> leaving) const {
    if (heuristic_ == kDTime || heuristic_ == kDPdPri) return queue_.begin();
    if (heuristic_ == kDPc) {  // min_element: the first of equals
      return std::min_element(queue_.begin(), queue_.end(), [](const Warp& a, const Warp& b) { return a.pc < b.pc; });
    }
    if (heuristic_ == kDMaj && leaving && waits(*leaving) != queue_.end()) return waits(*leaving);
    std::vector<Row> rows;  // those at which a warp waits
    for (const auto& row : rows_) {
      if (row && waits(row->pc) != queue_.end()) rows.push_back(*row);
    }
    if (!exact_) return waits(rows.front().pc);
    return waits(
        std::min_element(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return first(a, b); })->pc);
  }
  // The oldest warp that waits at the PC.
  [[nodiscard]] Place waits(Pc pc) const {
    return std::find_if(queue_.begin(), queue_.end(), [&](const Warp& warp) { return warp.pc == pc; });
  }
  // Where a new warp goes.
  [[nodiscard]] Place place(const Enter& enter) const {
    if (heuristic_ != kDPdPri) return queue_.end();
    return std::find_if(queue_.begin(), queue_.end(),
                        [&](const Warp& warp) { return later_sched(warp.sched, enter.sched, sched_bits_); });
  }
  void join(Warp& warp, const Enter& enter) const {
    if (warp.index == enter.join_index) warp.sched = latest_sched(warp.sched, enter.sched, sched_bits_);
  }

  [[nodiscard]] std::optional<std::size_t> row_of(Pc pc) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i] && rows_[i]->pc == pc) return i;
    }
    return std::nullopt;
  }

  void step_rows(const std::vector<std::optional<Row>>& before, unsigned left, const std::optional<Enter>& enter0,
                 const std::optional<Enter>& enter1) {
    if (left_) rows_.at(row_of(*left_).value())->count -= static_cast<int>(left);
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
      if (first(before[i + 1], before[i])) std::swap(rows_[i], rows_[i + 1]);
    }
  }

  // Whether row a belongs before row b.
  [[nodiscard]] bool first(const std::optional<Row>& a, const std::optional<Row>& b) const {
    if (!a || !b) return a.has_value() && !b.has_value();
    if (a->count != b->count) return (heuristic_ == kDMaj) == (a->count > b->count);
    return a->pc < b->pc;
  }

  unsigned heuristic_, sched_bits_;
  bool exact_;
  std::optional<Warp> picked_;
  std::deque<Warp> queue_;
  std::vector<std::optional<Row>> rows_;
  std::optional<Pc> left_;  // of the warp that left in the cycle before
  unsigned turn_ = 0;
};

}  // namespace heddle::test
