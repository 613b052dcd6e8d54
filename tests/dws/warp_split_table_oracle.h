// SPDX-License-Identifier: Apache-2.0
// What dws/warp_split_table must do (docs/frontend.md), said of whole sets of threads: a warp is the entries that wait
// below, and the sets of the top entry, of which some are in slots and the others wait in a list for one. An event
// takes the threads of one set away and lays them down where they go; what that means, who is there already and who has
// arrived is asked there.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/types.h"
#include "heddle/types.h"
#include "tests/stack/place.h"
#include "tests/stack/spe_stack_oracle.h"

namespace heddle::test {

// Threads at one PC.
struct Split {
  Pc pc = 0;
  LaneMask mask = 0;
  unsigned level = 0;
  friend bool operator==(const Split& a, const Split& b) {
    return a.pc == b.pc && a.mask == b.mask && a.level == b.level;
  }
  friend std::ostream& operator<<(std::ostream& out, const Split& s) {
    return out << std::hex << "{" << s.pc << " " << s.mask << std::dec << " level " << s.level << "}";
  }
};

class WarpSplitTableOracle {
 public:
  using Slots = std::map<unsigned, Split>;  // only those with threads
  using Launch = SpeStackOracle::Launch;
  struct Path {
    WarpId warp;
    unsigned slot;
  };
  struct Resolve {
    WarpId warp;
    unsigned slot;
    LaneMask taken;
    Pc target, next, rpc;
    LaneMask exit;
    bool call = false, returns = false;
    std::uint32_t kind = kMarkNone;  // kMarkDivide: may subdivide
  };
  struct Inputs {
    std::optional<Launch> launch;
    std::optional<Path> advance;
    std::vector<std::vector<bool>> merge;  // by slot and warp
    std::optional<Resolve> resolve;
    std::optional<WarpId> kill = std::nullopt;
  };
  struct Resolved {
    WarpId warp;
    unsigned slot;
    bool next;
  };
  struct Events {
    std::optional<Resolved> resolved;
    std::optional<WarpId> push, pop, done, overflow;
    std::optional<WarpId> refill;  // no pin shows it
    std::set<std::string> met;     // situations, for a test that claims to have met them
  };
  struct Counters {
    unsigned max_depth = 0, max_splits = 0;
    std::uint32_t splits = 0, merges = 0, refused = 0;
  };

  WarpSplitTableOracle(unsigned warps, unsigned slots, unsigned depth, PushOrder order, unsigned level_bits);

  // One clock cycle: all that happens in it sees the warps as they are before it.
  Events step(const Inputs& in);

  [[nodiscard]] const Slots& slots(WarpId w) const { return warps_.at(w).slots; }
  // Of a slot without threads an empty one.
  [[nodiscard]] Split split(WarpId w, unsigned slot) const;
  [[nodiscard]] const std::vector<Split>& waiting(WarpId w) const { return warps_.at(w).waiting; }
  // What lies below the top entry, bottom first.
  [[nodiscard]] const std::vector<SpeEntry>& below(WarpId w) const { return warps_.at(w).below; }
  [[nodiscard]] const Place& place(WarpId w) const { return warps_.at(w).place; }
  [[nodiscard]] bool entry_sibling(WarpId w) const { return warps_.at(w).sibling; }
  [[nodiscard]] bool subdivided(WarpId w) const { return subdivided(warps_.at(w)); }
  [[nodiscard]] bool sibling(WarpId w, unsigned slot) const;
  [[nodiscard]] LaneMask live(WarpId w) const { return warps_.at(w).live; }
  [[nodiscard]] unsigned depth(WarpId w) const { return depth(warps_.at(w)); }
  [[nodiscard]] unsigned capacity() const { return depth_; }
  [[nodiscard]] unsigned slot_count() const { return slots_; }
  [[nodiscard]] const Counters& counters() const { return counters_; }
  [[nodiscard]] const Levels& levels() const { return levels_; }
  [[nodiscard]] const std::optional<Resolve>& acting() const { return acting_; }
  [[nodiscard]] std::optional<WarpId> resolving() const;
  // The warp that is popped or refilled in this cycle.
  [[nodiscard]] std::optional<WarpId> popping() const { return chosen_; }
  // The one that is chosen in this cycle, if it is neither killed nor has a resolution taken in.
  [[nodiscard]] std::optional<WarpId> waiting_for_a_pop(std::optional<WarpId> killed = {},
                                                        std::optional<WarpId> taken_in = {}) const;

 private:
  struct Warp {
    bool runs = false;
    Slots slots;
    std::vector<Split> waiting;  // the last one waits uppermost
    Place place;
    bool sibling = false;
    LaneMask live = 0;
    std::vector<SpeEntry> below;
  };

  static bool subdivided(const Warp& warp) { return warp.slots.size() > 1 || !warp.waiting.empty(); }
  static unsigned depth(const Warp& warp);
  [[nodiscard]] unsigned free_slot(const Warp& warp) const;

  // Who stands where threads of slot `mover` come to, and may be joined.
  [[nodiscard]] static std::optional<unsigned> partner(WarpId w, const Warp& before, unsigned mover, const Split& at,
                                                       const Inputs& in);

  enum class Ended { kGoesOn, kArrived, kJoined };
  // Threads of slot `mover` come to a place; if nobody is there that they wait for or join, they go on.
  Ended come(WarpId w, const Warp& before, unsigned mover, const Split& split, bool learns, const Inputs& in,
             Events& events);

  void advance(const Path& path, const Warp& before, const Inputs& in, Events& events);

  void resolve(const Resolve& in, const Warp& before, const Inputs& pins, Events& events);

  // What spe_stack does, with the slot as its top of stack.
  void diverge_as_a_stack(const Resolve& in, const Warp& before, const std::vector<Split>& sides, Events& events);

  void take_from_below(WarpId w, const Warp& before, Events& events);

  unsigned slots_, depth_;
  PushOrder order_;
  Levels levels_;
  std::vector<Warp> warps_;
  Counters counters_;
  std::optional<Resolve> acting_;
  std::optional<WarpId> chosen_;
};

}  // namespace heddle::test
