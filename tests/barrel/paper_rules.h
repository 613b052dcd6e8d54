// SPDX-License-Identifier: Apache-2.0
// Dynamic warp formation as the DWF paper's sections 4.1 and 4.3 word it, without the structures that make it hardware:
// threads that are ready join the newest warp of their PC, a cycle issues the best of all warps, and nothing is picked
// ahead or forgotten.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "barrel/trace_model.h"  // Traces, PostDominators

namespace heddle::test {

struct PaperMachine {
  unsigned lanes = 16;
  unsigned depth = 9;  // cycles from an issue of a thread to the first cycle in which it can issue again
};

// Thread instructions a cycle, lane-aware: thread t of warp w has lane t modulo lanes, swapped with its neighbour where
// w is odd.
class PaperRules {
 public:
  PaperRules(const Traces& traces, const PaperMachine& machine, std::string heuristic)
      : traces_(traces),
        machine_(machine),
        heuristic_(std::move(heuristic)),
        regions_(traces),
        at_(traces.size()),
        passed_(traces.size()),
        open_(traces.size()) {}

  double rate() {
    std::map<std::uint64_t, std::vector<unsigned>> ready;  // by cycle
    for (unsigned thread = 0; thread < traces_.size(); ++thread) ready[thread / machine_.lanes].push_back(thread);
    std::uint64_t issued = 0, cycle = 0;
    for (; !ready.empty() || !warps_.empty(); ++cycle) {
      join(ready[cycle]);
      ready.erase(cycle);
      if (warps_.empty()) continue;
      const Warp warp = take_best();
      for (const auto& [lane, thread] : warp.threads) {
        ++issued;
        step(thread);
        if (at_[thread] < traces_[thread].size()) ready[cycle + machine_.depth].push_back(thread);
      }
    }
    return static_cast<double>(issued) / static_cast<double>(cycle);
  }

 private:
  struct Warp {
    Pc pc;
    std::uint64_t age;
    unsigned passed;                       // post-dominators, by the thread that has passed most
    std::map<unsigned, unsigned> threads;  // by lane
  };

  // Threads that became ready together: into the newest warp of their PC; those whose lanes are taken there are a new
  // one.
  void join(const std::vector<unsigned>& together) {
    std::map<Pc, std::vector<unsigned>> groups;
    for (const unsigned thread : together) groups[traces_[thread][at_[thread]]].push_back(thread);
    for (const auto& [pc, group] : groups) {
      const Pc at = pc;
      const auto newest = std::find_if(warps_.rbegin(), warps_.rend(), [&](const Warp& warp) { return warp.pc == at; });
      Warp fresh{pc, made_, 0, {}};
      for (const unsigned thread : group) {
        const unsigned lane = (thread % machine_.lanes) ^ (thread / machine_.lanes & 1);
        Warp& warp = newest != warps_.rend() && newest->threads.count(lane) == 0 ? *newest : fresh;
        warp.threads[lane] = thread;
        warp.passed = std::max(warp.passed, passed_[thread]);
      }
      if (fresh.threads.empty()) continue;
      warps_.push_back(fresh);
      ++made_;
    }
  }

  // The next instruction of a thread; a region that began at a branch ends where its sides meet, and with it those
  // inside.
  void step(unsigned thread) {
    const Pc pc = traces_[thread][at_[thread]++];
    std::vector<Pc>& open = open_[thread];
    if (regions_.is_branch(pc)) open.push_back(regions_.of(pc));
    if (at_[thread] == traces_[thread].size()) return;
    const auto met = std::find(open.begin(), open.end(), traces_[thread][at_[thread]]);
    if (met == open.end()) return;
    open.erase(met, open.end());
    ++passed_[thread];
  }

  Warp take_best() {
    std::map<Pc, std::int64_t> threads;
    for (const Warp& warp : warps_) threads[warp.pc] += static_cast<std::int64_t>(warp.threads.size());
    const auto rank = [&](const Warp& warp) -> std::tuple<std::int64_t, std::int64_t, std::int64_t> {
      if (heuristic_ == "dtime") return {0, 0, 0};
      if (heuristic_ == "dpdpri") return {warp.passed, 0, 0};
      if (heuristic_ == "dpc") return {warp.pc, 0, 0};
      if (heuristic_ == "dmin") return {0, threads[warp.pc], warp.pc};
      return {warp.pc != current_, -threads[warp.pc], warp.pc};  // all warps at a PC before another PC is chosen
    };
    const auto best = std::min_element(warps_.begin(), warps_.end(), [&](const Warp& a, const Warp& b) {
      return std::tuple(rank(a), a.age) < std::tuple(rank(b), b.age);
    });
    const Warp warp = *best;
    warps_.erase(best);
    current_ = warp.pc;
    return warp;
  }

  const Traces& traces_;
  const PaperMachine machine_;
  const std::string heuristic_;
  const PostDominators regions_;
  std::vector<std::size_t> at_;  // by thread: its next instruction
  std::vector<unsigned> passed_;
  std::vector<std::vector<Pc>> open_;  // where the regions meet that a thread is in
  std::vector<Warp> warps_;            // oldest first
  std::uint64_t made_ = 0;
  Pc current_ = 0;
};

}  // namespace heddle::test
