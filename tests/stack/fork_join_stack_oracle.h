// SPDX-License-Identifier: Apache-2.0
// What stack/fork_join_stack must do, said with lists: a warp is the regions that are open, one inside the other, each
// with the sets that wait for their turn and the threads that have come to its join. Who is at a join was counted as it
// came; what a path has beside it follows from the list that it is in (docs/frontend.md, US 8,959,319).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/types.h"
#include "heddle/types.h"
#include "tests/stack/place.h"
#include "tests/stack/spe_stack_oracle.h"

namespace heddle::test {

enum class TieOrder { kTaken = 0, kFallthrough = 1 };

class ForkJoinStackOracle {
 public:
  using Launch = SpeStackOracle::Launch;
  using Advance = SpeStackOracle::Advance;
  struct Resolve {
    WarpId warp;
    LaneMask taken;
    Pc target, next, rpc;
    LaneMask exit;
    bool call = false, returns = false;
    std::uint32_t kind = kMarkNone;  // kMarkFork: rpc is its join
  };
  struct Inputs {
    std::optional<Launch> launch;
    std::optional<Advance> advance;
    std::optional<Resolve> resolve;
    std::optional<WarpId> kill = std::nullopt;
  };
  // Of one cycle: events are of the resolution that acts and of the pop that was chosen.
  struct Events {
    std::optional<WarpId> resolved, push, pop, done, overflow;
    bool next = false;
    std::set<std::string> met;  // situations, for a test that claims to have met them
  };

  ForkJoinStackOracle(unsigned warps, unsigned depth, TieOrder ties, unsigned level_bits);

  // One clock cycle: what was known before it, then its inputs.
  Events step(const Inputs& in);

  // Of a warp, bottom to top: pending sets, who will be at the join of the next region, the path. Only threads that
  // live.
  [[nodiscard]] std::vector<SpeEntry> entries(WarpId w) const;
  [[nodiscard]] SpeEntry top(WarpId w) const;
  [[nodiscard]] LaneMask live(WarpId w) const { return warps_.at(w).live; }
  [[nodiscard]] unsigned depth(WarpId w) const { return depth(warps_.at(w)); }
  [[nodiscard]] unsigned max_depth() const { return max_depth_; }
  // Sets that wait for their turn, and the most that a warp had at a time.
  [[nodiscard]] unsigned pending(WarpId w) const { return pending(warps_.at(w)); }
  [[nodiscard]] unsigned max_pending() const { return max_pending_; }
  [[nodiscard]] const Levels& levels() const { return levels_; }
  // A branch of the warp is not resolved yet.
  [[nodiscard]] bool busy(WarpId w) const { return resolving() == w; }
  [[nodiscard]] std::optional<WarpId> resolving() const;
  // The warp that is popped in this cycle.
  [[nodiscard]] std::optional<WarpId> popping() const { return popping_; }
  // The one that is chosen in this cycle, if it is not killed.
  [[nodiscard]] std::optional<WarpId> waiting_for_a_pop(std::optional<WarpId> killed = std::nullopt) const;

 private:
  struct Set {
    Pc pc = 0;
    LaneMask mask = 0;
    unsigned level = 0;
  };
  struct Region {
    Place join;
    LaneMask arrived = 0;
    std::vector<Set> waiting = {};  // the one whose turn is next is the last
  };
  struct Warp {
    std::vector<Region> open;  // the first is the warp, which has no join; none: the warp has ended
    Set path;
    LaneMask live = 0;
  };

  static unsigned pending(const Warp& warp);
  static unsigned depth(const Warp& warp) { return pending(warp) + warp.open.size(); }

  static LaneMask threads_of(const Warp& warp, std::size_t first);

  // Threads that exit are nowhere any more.
  static void end(Warp& warp, LaneMask exit);

  // The threads of the path are in these sets now, the one that runs if sizes do not decide first: some are at the
  // join, of two others the larger waits.
  static void run(Warp& warp, const std::vector<Set>& sets, Events& events);

  // The sets of the path behind its instruction.
  [[nodiscard]] std::vector<Set> sets_behind(const Set& path, const Resolve& in) const;

  void act(const Resolve& in, Events& events);

  void pop(WarpId w, Events& events);

  unsigned depth_;
  TieOrder ties_;
  Levels levels_;
  std::vector<Warp> warps_;
  std::optional<Resolve> acting_;
  std::optional<WarpId> popping_;
  unsigned max_depth_ = 0, max_pending_ = 0;
};

}  // namespace heddle::test
