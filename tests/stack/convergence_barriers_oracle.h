// SPDX-License-Identifier: Apache-2.0
// What stack/convergence_barriers must do, said thread by thread (docs/modules/stack/convergence_barriers.md): where
// each thread is, in which path or at which barrier it waits, and who is meant to come there.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "heddle/types.h"

namespace heddle::test {

// Marks, events, and choices by the numbers of the contract.
enum class Mark { kNone, kArm = 6, kArrive, kBreak, kYield, kSync, kSave, kSavePc, kRestore };
enum class Told { kStuck = 1, kArmed, kMixed, kMoved };
enum class FirstSide { kTaken, kFallThrough, kSmaller, kLarger };
enum class YieldRule { kSwap, kFair, kFairAtBranches };

class BarriersOracle {
 public:
  struct Launch {
    WarpId warp;
    Pc pc;
    LaneMask mask;
  };
  struct Resolve {
    WarpId warp = 0;
    Mark mark = Mark::kNone;
    unsigned barrier = 0;
    Pc next = 0;
    LaneMask taken = 0;
    Pc target = 0;
    LaneMask exit = 0;
    Pc place = 0;  // where who waits goes on
    LaneMask operand = 0;
    bool call = false, returns = false;
  };
  struct Inputs {
    std::optional<Launch> launch;
    std::optional<WarpId> advance;
    std::optional<Resolve> resolve;
    std::optional<WarpId> kill;
  };
  struct Events {
    std::optional<WarpId> resolved, push, pop, done;
    bool next = false;
  };
  struct Answer {
    WarpId warp;
    std::uint64_t value;
    bool place;  // it is a PC
  };
  struct Event {
    WarpId warp;
    Told what;
  };
  struct Path {
    LaneMask mask = 0;
    Pc pc = 0;
  };
  struct Config {
    unsigned warps, lanes, barriers;
    FirstSide first;
    YieldRule rule;
    bool leaves;
    Pc step;
  };

  explicit BarriersOracle(const Config& config) : config_(config), warps_(config.warps) {}

  Events step(const Inputs& in);

  // The path that issues; without threads where the last one was.
  [[nodiscard]] Path path(WarpId w) const;
  [[nodiscard]] LaneMask live(WarpId w) const;
  [[nodiscard]] unsigned depth(WarpId w) const;
  [[nodiscard]] bool stuck(WarpId w) const { return warps_.at(w).stuck; }
  [[nodiscard]] unsigned most() const { return most_; }
  [[nodiscard]] std::optional<Answer> answer() const { return answer_; }
  [[nodiscard]] std::optional<Event> event() const { return event_; }
  [[nodiscard]] std::optional<WarpId> acting() const;
  [[nodiscard]] std::optional<WarpId> serving() const { return serves_; }

  // Paths that wait for their turn, the next one first.
  [[nodiscard]] std::vector<Path> others(WarpId w) const;
  // Of an armed barrier, or of the warpsync whose lowest lane is index - barriers: who is meant to come, and who waits.
  [[nodiscard]] std::optional<LaneMask> members(WarpId w, unsigned index) const;
  [[nodiscard]] Pc goes_on_at(WarpId w, unsigned index) const { return warps_.at(w).barriers.at(index).place; }
  [[nodiscard]] LaneMask waiting(WarpId w, unsigned index) const { return waiting_at(warps_.at(w), index); }
  // Situations of the last step.
  [[nodiscard]] const std::set<std::string>& met() const { return met_; }

 private:
  struct Thread {
    Pc pc = 0;
    unsigned path = 0;
    std::optional<unsigned> waits;  // at this barrier, and in no path
  };
  struct Barrier {
    LaneMask members = 0;  // dead ones, too
    Pc place = 0;
    unsigned born = 0;
  };
  struct Warp {
    bool used = false, stuck = false;
    std::map<unsigned, Thread> threads;  // who is live, by lane
    unsigned running = 0;                // the path that issues if nothing is to be looked at
    Pc pc = 0;                           // where it is, or was as its last thread left
    std::deque<unsigned> others;         // paths that wait for their turn, the next one first
    std::map<unsigned, Barrier> barriers;
    std::set<unsigned> looks;  // barriers that are to be looked at before anyone issues
    unsigned born = 0;         // paths and barriers so far
  };

  static LaneMask bit(unsigned lane) { return LaneMask{1} << lane; }
  static bool has(LaneMask mask, unsigned lane) { return (mask & bit(lane)) != 0; }
  static bool runs(const Warp& warp, const Thread& thread) { return !thread.waits && thread.path == warp.running; }

  static LaneMask threads_of(const Warp& warp, unsigned path);
  static Pc place_of(const Warp& warp, unsigned path);
  static LaneMask waiting_at(const Warp& warp, unsigned index);
  static LaneMask live_of(const Warp& warp);

  [[nodiscard]] std::optional<WarpId> next_to_serve(std::optional<WarpId> killed, std::optional<WarpId> served) const;

  void launch(const Launch& in);

  // ---------------------------------------------------------------------------------------------------- resolutions
  void resolve(const Resolve& in, Events& events);

  static void go_on(Warp& warp, LaneMask threads, Pc pc);

  bool branch(Warp& warp, LaneMask path, const Resolve& in, Events& events);

  [[nodiscard]] bool goes_first(LaneMask taken, LaneMask stay) const;

  // The next path runs; the one that ran comes after all others, or right behind it.
  static void let_others_go(Warp& warp, bool comes_next);

  void yield(Warp& warp, LaneMask path);

  // Threads of the set wait until all of it that live have come; the others issue the instruction again.
  bool sync(const Resolve& in, Warp& warp, LaneMask path, Pc here);

  void named(const Resolve& in, Warp& warp, LaneMask path);

  void tell(WarpId warp, Told what) { event_ = {warp, what}; }
  void met_if(bool condition, const char* what);

  // ------------------------------------------------------------------------------------------------------- services
  void serve(WarpId w, Events& events);

  // Whether the barrier lets its threads go.
  bool look_at(Warp& warp, unsigned index);

  Config config_;
  std::vector<Warp> warps_;
  unsigned most_ = 0;
  std::optional<Resolve> acting_;
  std::optional<WarpId> serves_;
  std::optional<Answer> answer_;
  std::optional<Event> event_;
  std::set<std::string> met_;
};

}  // namespace heddle::test
