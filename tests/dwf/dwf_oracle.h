// SPDX-License-Identifier: Apache-2.0
// What dwf/dwf_scheduler must do (docs/dwf.md): warps are maps of threads, the LUT a list of warps by last use, the
// warp being formed knows itself which lanes it has.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <vector>

#include "heddle/types.h"
#include "tests/dwf/issue_oracle.h"

namespace heddle::test {

class DwfOracle {
 public:
  using Threads = std::map<unsigned, unsigned>;  // thread by lane
  struct Group {
    Pc pc = 0;
    Threads threads;
    unsigned sched = 0;
  };
  struct Sizes {
    unsigned lanes, threads, lut_entries, lut_ways, table_entries, sched_bits, heuristic;
    bool lane_aware, exact;
  };
  struct Inputs {
    std::array<std::optional<Group>, 2> update;
    bool issue_ready = false;
  };
  // What happened to an update in the last cycle.
  struct Event {
    bool hit = false, miss = false, alias = false, conflict = false, fragmented = false;
  };

  explicit DwfOracle(const Sizes& sizes)
      : sizes_(sizes),
        sets_(sizes.lut_entries / sizes.lut_ways),
        issue_(sizes.heuristic, sizes.table_entries, sizes.sched_bits, sizes.exact) {
    for (unsigned i = 0; i < sizes.threads; ++i) free_.push_back(i);
  }

  void step(const Inputs& in) {
    // Decisions on registered state.
    const auto leaves = in.issue_ready ? picked() : std::nullopt;
    const auto left = static_cast<unsigned>(issued_.threads.size());
    const auto held = hold();
    const bool ready = update_ready();

    issue_valid_ = leaves.has_value();
    if (leaves) {
      issued_ = pool_.at(*leaves);
      pool_.erase(*leaves);
      for (auto& set : sets_) set.remove(*leaves);
    }
    drained_ = held.hold0 || held.hold1;
    std::array<std::optional<IssueOracle::Enter>, 2> enter;
    for (unsigned u = 0; u < 2; ++u) {
      events_[u] = {};
      if (!update_[u] || (u == 0 ? held.hold0 : held.hold1)) continue;
      enter[u] = form(*update_[u], events_[u]);
      update_[u].reset();
    }
    issue_.step(leaves.has_value(), left, enter[0], enter[1]);
    if (leaves) free_.push_back(*leaves);
    if (ready) take(in.update);
    max_warps_ = std::max<unsigned>(max_warps_, pool_.size());
  }

  [[nodiscard]] bool update_ready() const { return !hold().hold0 && !hold().hold1; }
  [[nodiscard]] bool issue_valid() const { return issue_valid_; }
  [[nodiscard]] const Group& issued() const { return issued_; }  // the last one
  [[nodiscard]] const Event& event(unsigned u) const { return events_.at(u); }
  [[nodiscard]] bool drained() const { return drained_; }
  [[nodiscard]] unsigned max_warps() const { return max_warps_; }
  [[nodiscard]] unsigned distinct() const { return issue_.distinct(); }
  [[nodiscard]] const std::map<unsigned, Group>& pool() const { return pool_; }  // by index
  [[nodiscard]] const std::optional<Group>& update(unsigned u) const { return update_.at(u); }
  // The pool entry that threads for `pc` would join.
  [[nodiscard]] std::optional<unsigned> forming(Pc pc) const {
    for (const unsigned index : sets_.at(pc / 4 % sets_.size())) {
      if (pool_.at(index).pc == pc) return index;
    }
    return std::nullopt;
  }
  // The pool entry that issues next.
  [[nodiscard]] std::optional<unsigned> picked() const {
    return issue_.picked() ? std::optional(issue_.picked()->index) : std::nullopt;
  }
  [[nodiscard]] std::size_t threads_inside() const {
    std::size_t count = 0;
    for (const auto& group : update_) count += group ? group->threads.size() : 0;
    for (const auto& [index, warp] : pool_) count += warp.threads.size();
    return count;
  }

 private:
  [[nodiscard]] IssueOracle::Hold hold() const {
    const auto pc = [](const auto& group) { return group ? std::optional(group->pc) : std::nullopt; };
    return issue_.hold(pc(update_[0]), pc(update_[1]));
  }

  // Priorities are lost at the door where nobody looks at them.
  void take(const std::array<std::optional<Group>, 2>& groups) {
    update_ = groups;
    for (auto& group : update_) {
      if (group && sizes_.heuristic != kDPdPri) group->sched = 0;
    }
  }

  IssueOracle::Enter form(const Group& group, Event& event) {
    std::list<unsigned>& set = sets_.at(group.pc / 4 % sets_.size());
    const auto old = forming(group.pc);
    const std::size_t there = old ? pool_.at(*old).threads.size() : 0;
    Group fresh{group.pc, {}, group.sched};
    IssueOracle::Enter enter{group.pc, static_cast<unsigned>(group.threads.size()), group.sched, {}, {}};
    for (const auto& [lane, tid] : group.threads) {
      if (old) {
        Group& warp = pool_.at(*old);
        const auto place = sizes_.lane_aware ? lane : lowest_free(warp);
        if (place < sizes_.lanes && warp.threads.count(place) == 0) {
          warp.threads[place] = tid;
          warp.sched = latest_sched(warp.sched, group.sched, sizes_.sched_bits);
          enter.join_index = *old;
          continue;
        }
      }
      fresh.threads[sizes_.lane_aware ? lane : lowest_free(fresh)] = tid;
    }
    event.hit = old.has_value();
    event.miss = !old;
    if (old) set.remove(*old);
    if (fresh.threads.empty()) {
      set.push_front(*old);
      return enter;
    }
    event.conflict = old.has_value();
    event.fragmented = old && there + group.threads.size() <= sizes_.lanes;
    if (set.size() == sizes_.lut_ways) {
      event.alias = true;
      set.pop_back();
    }
    enter.new_index = free_.front();
    free_.pop_front();
    pool_[*enter.new_index] = fresh;
    set.push_front(*enter.new_index);
    return enter;
  }

  static unsigned lowest_free(const Group& warp) {
    unsigned lane = 0;
    while (warp.threads.count(lane) != 0) ++lane;
    return lane;
  }

  Sizes sizes_;
  std::array<std::optional<Group>, 2> update_;
  std::map<unsigned, Group> pool_;
  std::deque<unsigned> free_;
  std::vector<std::list<unsigned>> sets_;  // most recently used first
  IssueOracle issue_;
  Group issued_;
  bool issue_valid_ = false, drained_ = false;
  std::array<Event, 2> events_;
  unsigned max_warps_ = 0;
};

}  // namespace heddle::test
