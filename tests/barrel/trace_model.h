// SPDX-License-Identifier: Apache-2.0
// How fast a machine that issues one warp a cycle can be on what its threads execute: the PCs of each thread are given,
// and nothing else is modelled than which of them may issue together and when a thread may issue again. Written from
// docs/dwf.md and docs/barrel.md, which says what it leaves out: lists, and searches through all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "heddle/types.h"

namespace heddle::test {

using Trace = std::vector<Pc>;      // of a thread, from its first instruction to its last
using Traces = std::vector<Trace>;  // thread t is in lane t modulo lanes of static warp t / lanes

// The immediate post-dominator of each branch, in the graph of the steps that some thread takes; 0 if the threads never
// meet again.
class PostDominators {
 public:
  explicit PostDominators(const Traces& traces) {
    for (const Trace& trace : traces) {
      for (std::size_t i = 0; i < trace.size(); ++i) next_[trace[i]].insert(i + 1 < trace.size() ? trace[i + 1] : kEnd);
    }
    for (const Trace& trace : traces) {
      for (std::size_t i = 0; i < trace.size(); ++i) {
        if (next_[trace[i]].size() < 2 || meets_.count(trace[i]) != 0) continue;
        const auto meet = std::find_if(trace.begin() + static_cast<std::ptrdiff_t>(i) + 1, trace.end(),
                                       [&](Pc pc) { return !reaches_end_without(pc, trace[i]); });
        meets_[trace[i]] = meet == trace.end() ? 0 : *meet;
      }
    }
  }

  [[nodiscard]] bool is_branch(Pc pc) const { return meets_.count(pc) != 0; }
  [[nodiscard]] Pc of(Pc branch) const { return meets_.at(branch); }

 private:
  static constexpr Pc kEnd = ~Pc{0};

  [[nodiscard]] bool reaches_end_without(Pc avoided, Pc from) const {
    std::set<Pc> seen{from};
    for (std::vector<Pc> left{from}; !left.empty();) {
      const Pc pc = left.back();
      left.pop_back();
      for (const Pc next : next_.at(pc)) {
        if (next == kEnd) return true;
        if (next != avoided && seen.insert(next).second) left.push_back(next);
      }
    }
    return false;
  }

  std::map<Pc, std::set<Pc>> next_;
  std::map<Pc, Pc> meets_;
};

struct TraceMachine {
  unsigned lanes = 16;
  unsigned depth = 8;  // cycles from an issue of a thread to its next
  // Formation only:
  bool lane_aware = true;                 // a thread sits in its home lane, else in any
  unsigned lut_sets = 1, lut_ways = ~0u;  // of the look-up table of warps being formed: here it forgets none
  unsigned table_entries = 0;  // of majority and minority, sorted by a step a cycle; 0: they know all PCs in order
  bool pick_ahead = true;      // the warp is picked a cycle before it issues, by dpdpri from a list that steps bring in
                               // order; else as it issues, the first of all that wait (dpdpri only)
};

struct TraceIssue {
  std::uint64_t cycle;
  std::vector<unsigned> threads;
};
using TraceIssues = std::vector<TraceIssue>;

// Thread instructions a cycle, to the last issue.
inline double rate_of(const TraceIssues& issues) {
  std::uint64_t threads = 0;
  for (const TraceIssue& issue : issues) threads += issue.threads.size();
  return static_cast<double>(threads) / static_cast<double>(issues.back().cycle + 1);
}

// Threads by their next PC, in their order: those that go on behind the branch at `pc` last.
template <class NextPc>
std::vector<std::vector<unsigned>> sides_of(const std::vector<unsigned>& threads, Pc pc, NextPc next_pc) {
  std::map<std::pair<bool, Pc>, std::vector<unsigned>> by_pc;
  for (const unsigned thread : threads) by_pc[{next_pc(thread) == pc + 4, next_pc(thread)}].push_back(thread);
  std::vector<std::vector<unsigned>> sides;
  for (const auto& [key, side] : by_pc) sides.push_back(side);
  return sides;
}

// Threads on their own, `lanes` of them a cycle, those ready longest first.
inline TraceIssues mimd_issues(const Traces& traces, const TraceMachine& machine) {
  std::vector<std::size_t> at(traces.size());
  std::deque<unsigned> ready;
  for (unsigned thread = 0; thread < traces.size(); ++thread) ready.push_back(thread);
  std::map<std::uint64_t, std::vector<unsigned>> returning;
  TraceIssues issues;
  for (std::uint64_t cycle = 0; !ready.empty() || !returning.empty(); ++cycle) {
    for (const unsigned thread : returning[cycle]) ready.push_back(thread);
    returning.erase(cycle);
    TraceIssue issue{cycle, {}};
    while (!ready.empty() && issue.threads.size() < machine.lanes) {
      issue.threads.push_back(ready.front());
      ready.pop_front();
    }
    for (const unsigned thread : issue.threads) {
      if (++at[thread] < traces[thread].size()) returning[cycle + machine.depth].push_back(thread);
    }
    if (!issue.threads.empty()) issues.push_back(issue);
  }
  return issues;
}

// What a static warp issues, one side of a branch after the other, until each side stands where both meet.
class StackWalk {
 public:
  StackWalk(const Traces& traces, const PostDominators& postdominators)
      : traces_(traces),
        postdominators_(postdominators),
        at_(traces.size()) {}

  std::vector<std::vector<unsigned>> issues_of(const std::vector<unsigned>& threads) {
    issues_.clear();
    walk(threads, 0);
    return issues_;
  }

 private:
  [[nodiscard]] bool ended(unsigned thread) const { return at_[thread] == traces_[thread].size(); }
  [[nodiscard]] Pc pc_of(unsigned thread) const { return traces_[thread][at_[thread]]; }

  void walk(std::vector<unsigned> threads, Pc until) {
    while (!threads.empty() && pc_of(threads.front()) != until) {
      const Pc pc = pc_of(threads.front());
      issues_.push_back(threads);
      std::vector<unsigned> going;
      for (const unsigned thread : threads) {
        if (++at_[thread] != traces_[thread].size()) going.push_back(thread);
      }
      const std::vector<std::vector<unsigned>> sides =
          sides_of(going, pc, [&](unsigned thread) { return pc_of(thread); });
      for (const std::vector<unsigned>& side : sides) {
        if (sides.size() > 1) walk(side, postdominators_.of(pc) != 0 ? postdominators_.of(pc) : until);
      }
      threads.erase(std::remove_if(threads.begin(), threads.end(), [&](unsigned thread) { return ended(thread); }),
                    threads.end());
    }
  }

  const Traces& traces_;
  const PostDominators& postdominators_;
  std::vector<std::size_t> at_;
  std::vector<std::vector<unsigned>> issues_;
};

// Static warps with a reconvergence stack, in turns.
inline TraceIssues pdom_issues(const Traces& traces, const TraceMachine& machine) {
  struct Warp {
    std::vector<std::vector<unsigned>> issues;
    std::size_t done = 0;
    std::uint64_t ready = 0;
  };
  const PostDominators postdominators(traces);
  StackWalk walk(traces, postdominators);
  std::vector<Warp> warps;
  for (unsigned first = 0; first < traces.size(); first += machine.lanes) {
    std::vector<unsigned> threads;
    for (unsigned thread = first; thread < first + machine.lanes && thread < traces.size(); ++thread)
      threads.push_back(thread);
    warps.push_back({walk.issues_of(threads)});
  }
  TraceIssues issues;
  std::size_t turn = 0, left = warps.size();
  for (std::uint64_t cycle = 0; left != 0; ++cycle) {
    for (std::size_t i = 0; i < warps.size(); ++i) {
      Warp& warp = warps[(turn + i) % warps.size()];
      if (warp.done == warp.issues.size() || warp.ready > cycle) continue;
      issues.push_back({cycle, warp.issues[warp.done]});
      if (++warp.done == warp.issues.size()) --left;
      warp.ready = cycle + machine.depth;
      turn = (turn + i + 1) % warps.size();
      break;
    }
  }
  return issues;
}

// Warps formed anew. `heuristic` as in the key dwf.heuristic. The table of PCs is never full.
class FormationModel {
 public:
  FormationModel(const Traces& traces, const TraceMachine& machine, std::string heuristic)
      : traces_(traces),
        machine_(machine),
        heuristic_(std::move(heuristic)),
        at_(traces.size()),
        passed_(count_postdominators(traces)),
        rows_(machine.table_entries) {}

  TraceIssues issues() {
    TraceIssues issues;
    std::size_t left = traces_.size();
    for (std::uint64_t cycle = 0; left != 0; ++cycle) {
      // The warp that was picked in the cycle before issues, the next is picked of those that waited then, or begins in
      // this cycle.
      Warp* issuing = picked_;
      if (heuristic_ == "dpdpri" && machine_.pick_ahead) step(cycle);
      Warp* const next = waiting_.empty() ? nullptr : take_pick(issuing != nullptr ? issuing->pc : 0);
      (machine_.pick_ahead ? picked_ : issuing) = next;
      std::vector<unsigned> issued;
      const auto before = rows_;
      if (left_ != 0) count(left_pc_, -left_, before);
      left_ = 0;
      if (issuing != nullptr) {
        for (const auto& [lane, thread] : issuing->lanes) issued.push_back(thread);
        left_pc_ = issuing->pc;
        left_ = static_cast<std::int64_t>(issued.size());
        set_of(issuing->pc).remove(issuing);
        pool_.remove_if([&](const Warp& warp) { return &warp == issuing; });
        issues.push_back({cycle, issued});
      }
      // The threads of the warps that start, one a cycle, and of those whose instruction is done.
      if (cycle * machine_.lanes < traces_.size()) {
        std::vector<unsigned> threads;
        for (auto thread = static_cast<unsigned>(cycle * machine_.lanes);
             threads.size() < machine_.lanes && thread < traces_.size();)
          threads.push_back(thread++);
        std::sort(threads.begin(), threads.end(), [&](unsigned a, unsigned b) { return home_lane(a) < home_lane(b); });
        enter(threads);
      }
      enter(returning_[cycle]);
      returning_.erase(cycle);
      for (const auto& [pc, threads] : entered_) count(pc, threads, before);
      entered_.clear();
      sort_rows(cycle, before);
      for (const auto& [warp, passed] : raised_) warp->passed = std::max(warp->passed, passed);
      raised_.clear();
      for (const unsigned thread : issued) {
        if (++at_[thread] == traces_[thread].size()) --left;
        else returning_[cycle + machine_.depth].push_back(thread);
      }
    }
    return issues;
  }

 private:
  struct Warp {
    Pc pc;
    std::map<unsigned, unsigned> lanes;  // thread by lane
    std::uint32_t passed;  // post-dominators, of the thread that has passed most in the groups it was formed from
  };
  [[nodiscard]] Pc pc_of(unsigned thread) const { return traces_[thread][at_[thread]]; }

  // Of warp w the lanes are swapped with their neighbours if w is odd.
  [[nodiscard]] unsigned home_lane(unsigned thread) const {
    const unsigned lane = thread % machine_.lanes;
    return thread / machine_.lanes % 2 == 0 ? lane : lane % 2 == 0 ? lane + 1 : lane - 1;
  }

  // For each thread and each of its instructions: how many regions of branches have ended for it when it comes there.
  static std::vector<std::vector<std::uint32_t>> count_postdominators(const Traces& traces) {
    const PostDominators postdominators(traces);
    std::vector<std::vector<std::uint32_t>> passed;
    for (const Trace& trace : traces) {
      passed.emplace_back();
      std::vector<Pc> regions;
      std::uint32_t count = 0;
      for (const Pc pc : trace) {
        const auto ending = std::find(regions.begin(), regions.end(), pc);
        if (ending != regions.end()) {
          regions.erase(ending, regions.end());
          ++count;
        }
        if (postdominators.is_branch(pc)) regions.push_back(postdominators.of(pc));
        passed.back().push_back(count);
      }
    }
    return passed;
  }

  // Threads of one instruction come back, or start: a group for each next PC.
  void enter(const std::vector<unsigned>& threads) {
    if (threads.empty()) return;
    const std::size_t at = at_[threads.front()];
    const Pc pc = at == 0 ? 0 : traces_[threads.front()][at - 1];
    for (const std::vector<unsigned>& side : sides_of(threads, pc, [&](unsigned thread) { return pc_of(thread); }))
      join(side);
  }

  // Into the warp of their PC that is being formed, as far as it has room; the others begin the next one.
  void join(const std::vector<unsigned>& threads) {
    const Pc pc = pc_of(threads.front());
    std::uint32_t passed = 0;
    for (const unsigned thread : threads) passed = std::max(passed, passed_[thread][at_[thread]]);
    std::list<Warp*>& set = set_of(pc);
    const auto found = std::find_if(set.begin(), set.end(), [&](const Warp* warp) { return warp->pc == pc; });
    Warp* const old = found != set.end() ? *found : nullptr;
    Warp* fresh = nullptr;
    for (const unsigned thread : threads) {
      Warp* warp = old != nullptr && has_room(*old, thread) ? old : fresh;
      if (warp == nullptr) {
        pool_.push_back({pc, {}, passed});
        warp = fresh = &pool_.back();
        if (picked_ == nullptr && machine_.pick_ahead) picked_ = warp;
        else wait(warp);
      }
      warp->lanes[lane_in(*warp, thread)] = thread;
      if (warp == old) raised_[warp] = std::max(raised_[warp], passed);
    }
    entered_.emplace_back(pc, static_cast<std::int64_t>(threads.size()));
    // The look-up table finds the last one.
    if (old != nullptr) set.erase(found);
    if (set.size() == machine_.lut_ways) set.pop_back();
    set.push_front(fresh != nullptr ? fresh : old);
  }
  [[nodiscard]] std::list<Warp*>& set_of(Pc pc) { return forming_[pc / 4 % machine_.lut_sets]; }
  [[nodiscard]] bool has_room(const Warp& warp, unsigned thread) const {
    return machine_.lane_aware ? warp.lanes.count(home_lane(thread)) == 0 : warp.lanes.size() < machine_.lanes;
  }
  [[nodiscard]] unsigned lane_in(const Warp& warp, unsigned thread) const {
    return machine_.lane_aware ? home_lane(thread) : static_cast<unsigned>(warp.lanes.size());
  }

  // By age; with dpdpri and its list in front of the first that has passed more.
  void wait(Warp* fresh) {
    const auto place = heuristic_ != "dpdpri" || !machine_.pick_ahead
                           ? waiting_.end()
                           : std::find_if(waiting_.begin(), waiting_.end(),
                                          [&](const Warp* warp) { return warp->passed > fresh->passed; });
    waiting_.insert(place, fresh);
  }
  // Threads that joined may have passed more: neighbours change places, two by two.
  void step(std::uint64_t cycle) {
    for (std::size_t i = cycle % 2; i + 1 < waiting_.size(); i += 2) {
      if (waiting_[i]->passed > waiting_[i + 1]->passed) std::swap(waiting_[i], waiting_[i + 1]);
    }
  }

  // The table, by position: a PC keeps its row while it has threads, a new one takes the first that was free before
  // this cycle.
  struct Row {
    Pc pc;
    std::int64_t threads;
  };
  using Rows = std::vector<std::optional<Row>>;
  [[nodiscard]] std::size_t row_of(Pc pc) const {
    return static_cast<std::size_t>(
        std::find_if(rows_.begin(), rows_.end(), [&](const auto& row) { return row && row->pc == pc; }) -
        rows_.begin());
  }
  void count(Pc pc, std::int64_t threads, const Rows& before) {
    std::size_t row = row_of(pc);
    if (row == rows_.size()) {
      for (row = 0; row < rows_.size() && (rows_[row] || before[row]);) ++row;
      if (row == rows_.size()) return;
      rows_[row] = Row{pc, 0};
    }
    rows_[row]->threads += threads;
  }
  // Neighbours change places by what they were before this cycle.
  void sort_rows(std::uint64_t cycle, const Rows& before) {
    for (auto& row : rows_) {
      if (row && row->threads == 0) row.reset();
    }
    const auto rank = [&](const std::optional<Row>& row) {
      return row ? std::tuple(0, sign() * row->threads, row->pc) : std::tuple(1, std::int64_t{0}, Pc{0});
    };
    for (std::size_t i = cycle % 2; i + 1 < rows_.size(); i += 2) {
      if (rank(before[i + 1]) < rank(before[i])) std::swap(rows_[i], rows_[i + 1]);
    }
  }
  [[nodiscard]] int sign() const { return heuristic_ == "dmaj" ? -1 : 1; }

  // Those that left in the cycle before are counted still.
  [[nodiscard]] std::map<Pc, std::int64_t> threads_by_pc() const {
    std::map<Pc, std::int64_t> threads;
    for (const Warp& warp : pool_) threads[warp.pc] += static_cast<std::int64_t>(warp.lanes.size());
    if (left_ != 0) threads[left_pc_] += left_;
    return threads;
  }

  Warp* take_pick(Pc leaving) {
    const auto chosen = pick(leaving);
    Warp* const warp = *chosen;
    waiting_.erase(chosen);
    return warp;
  }
  // The first of those that wait for which `value` is least.
  template <class Value>
  std::vector<Warp*>::iterator least(Value value) {
    return std::min_element(waiting_.begin(), waiting_.end(),
                            [&](const Warp* a, const Warp* b) { return value(*a) < value(*b); });
  }
  std::vector<Warp*>::iterator pick(Pc leaving) {
    if (!machine_.pick_ahead) return least([](const Warp& warp) { return warp.passed; });
    if (heuristic_ == "dtime" || heuristic_ == "dpdpri") return waiting_.begin();
    if (heuristic_ == "dpc") return least([](const Warp& warp) { return warp.pc; });
    const bool stays = heuristic_ == "dmaj";  // at the PC that it has chosen, until no warp is left there
    if (!rows_.empty())
      return least([&](const Warp& warp) { return std::tuple(stays && warp.pc != leaving, row_of(warp.pc)); });
    std::map<Pc, std::int64_t> threads = threads_by_pc();
    return least(
        [&](const Warp& warp) { return std::tuple(stays && warp.pc != leaving, sign() * threads[warp.pc], warp.pc); });
  }

  const Traces& traces_;
  const TraceMachine machine_;
  const std::string heuristic_;
  std::vector<std::size_t> at_;  // next instruction of a thread
  const std::vector<std::vector<std::uint32_t>> passed_;
  std::list<Warp> pool_;
  std::vector<Warp*> waiting_;
  Rows rows_;
  std::vector<std::pair<Pc, std::int64_t>> entered_;  // threads that enter in this cycle
  Warp* picked_ = nullptr;
  std::map<Pc, std::list<Warp*>> forming_;  // by set of the look-up table, those used last first
  std::map<Warp*, std::uint32_t> raised_;   // by those that join in this cycle
  std::map<std::uint64_t, std::vector<unsigned>> returning_;
  Pc left_pc_ = 0;
  std::int64_t left_ = 0;  // threads that left in the cycle before
};

}  // namespace heddle::test
