// SPDX-License-Identifier: Apache-2.0
// What stack/spe_stack must do, said with a std::vector a warp (docs/frontend.md, DWF paper 3.2).
#pragma once

#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "heddle/types.h"
#include "tests/stack/place.h"

namespace heddle::test {

enum class PushOrder { kTakenFirst = 0, kFallthroughFirst = 1, kSmallerFirst = 2, kLargerFirst = 3 };

struct SpeEntry {
  Pc pc = 0;
  LaneMask mask = 0;
  Place place;
  bool sibling = false;
  unsigned level = 0;
  bool at_return = false;  // waits below paths that meet where they return to: the pop will say its PC
  friend std::ostream& operator<<(std::ostream& out, const SpeEntry& e) {
    out << std::hex << "{";
    if (e.at_return) {
      out << "return";
    } else {
      out << e.pc;
    }
    return out << " " << e.mask << std::dec << " level " << e.level << ", " << e.place
               << (e.sibling ? ", sibling}" : "}");
  }
  friend bool operator==(const SpeEntry& a, const SpeEntry& b) {
    return a.pc == b.pc && a.mask == b.mask && a.place == b.place && a.sibling == b.sibling && a.level == b.level &&
           a.at_return == b.at_return;
  }
};

class SpeStackOracle {
 public:
  struct Launch {
    WarpId warp;
    Pc pc;
    LaneMask mask;
  };
  struct Advance {
    WarpId warp;
  };
  struct Resolve {
    WarpId warp;
    LaneMask taken;
    Pc target, next, rpc;
    LaneMask exit;
    bool call = false, returns = false;
  };
  struct Inputs {
    std::optional<Launch> launch;
    std::optional<Advance> advance;
    std::optional<Resolve> resolve;
    std::optional<WarpId> kill = std::nullopt;
  };
  struct Resolved {
    WarpId warp;
    unsigned slot;
    bool next;
  };  // next: its path simply goes on behind its instruction
  struct Events {
    std::optional<Resolved> resolved;
    std::optional<WarpId> push, pop, done, overflow;
    std::set<std::string> met;  // situations, for a test that claims to have met them
  };

  SpeStackOracle(unsigned warps, unsigned depth, PushOrder order, unsigned level_bits = 8);

  // One clock cycle. Of the inputs a resolution acts a cycle later, and the pop was chosen a cycle ago.
  Events step(const Inputs& in);

  // All entries of a warp, bottom to top.
  [[nodiscard]] const std::vector<SpeEntry>& entries(WarpId w) const { return warps_.at(w).stack; }
  // What the top-of-stack registers show; nothing, if the warp has ended.
  [[nodiscard]] SpeEntry top(WarpId w) const { return depth(w) == 0 ? SpeEntry() : warps_.at(w).stack.back(); }
  [[nodiscard]] LaneMask live(WarpId w) const { return warps_.at(w).live; }
  [[nodiscard]] unsigned depth(WarpId w) const { return warps_.at(w).stack.size(); }
  [[nodiscard]] unsigned max_depth() const { return max_depth_; }
  // The resolution that was taken in at the last edge.
  [[nodiscard]] const std::optional<Resolve>& acting() const { return acting_; }
  [[nodiscard]] std::optional<WarpId> resolving() const;
  // The warp that is popped in this cycle.
  [[nodiscard]] std::optional<WarpId> popping() const { return chosen_; }
  // The one that is chosen in this cycle, if it is not killed.
  [[nodiscard]] std::optional<WarpId> waiting_for_a_pop(std::optional<WarpId> killed = std::nullopt) const;
  [[nodiscard]] unsigned capacity() const { return depth_; }
  [[nodiscard]] const Levels& levels() const { return levels_; }

 private:
  struct Warp {
    std::vector<SpeEntry> stack;
    LaneMask live = 0;
  };

  // The next instruction of a path: it may be the one where the entry's paths meet, but no return brought it there.
  static void advance(SpeEntry& entry, Events& events);

  // The whole path goes to one place.
  static void go(SpeEntry& entry, Pc pc, unsigned level, LaneMask mask, Events& events);

  void resolve(const Resolve& in, Events& events);

  void pop(WarpId w, Events& events);

  unsigned depth_;
  PushOrder order_;
  Levels levels_;
  std::vector<Warp> warps_;
  unsigned max_depth_ = 0;
  std::optional<Resolve> acting_;
  std::optional<WarpId> chosen_;
};

}  // namespace heddle::test
