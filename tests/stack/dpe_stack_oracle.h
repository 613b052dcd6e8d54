// SPDX-License-Identifier: Apache-2.0
// What stack/dpe_stack, dpe_forward_stack and dpe_split_stack must do, said with a std::vector a warp
// (docs/frontend.md, DPE paper 3.1, 7.1 and 7.2).
//
// Path forwarding is said by moving: the path of the entry below leaves its slot for that of the entry above, knows
// whose it is and so where it arrives, and moves back, as it is then, when that entry is popped. Splitting is said of
// the entry: its two paths are parts of one as long as both of them are there.
#pragma once

#include <array>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "common/types.h"
#include "heddle/types.h"
#include "tests/stack/place.h"

namespace heddle::test {

struct DpePath {
  Pc pc = 0;
  LaneMask mask = 0;
  unsigned level = 0;
  bool at_return = false;  // waits below paths that meet where they return to: the pop will say its PC
  std::optional<unsigned> guest =
      std::nullopt;    // of the entry with this number (from the bottom), whose place is its own
  bool waits = false;  // at its branch, for its other part
  [[nodiscard]] bool own() const { return mask != 0 && !guest; }
  [[nodiscard]] bool stands_with(const DpePath& p) const { return pc == p.pc && level == p.level; }
  friend std::ostream& operator<<(std::ostream& out, const DpePath& p) {
    out << std::hex;
    if (p.at_return) {
      out << "return";
    } else {
      out << p.pc;
    }
    out << " " << p.mask << std::dec << " level " << p.level;
    if (p.guest) out << " guest of entry " << *p.guest;
    if (p.waits) out << " waits";
    return out;
  }
  friend bool operator==(const DpePath& a, const DpePath& b) {
    return a.pc == b.pc && a.mask == b.mask && a.level == b.level && a.at_return == b.at_return && a.guest == b.guest &&
           a.waits == b.waits;
  }
};

struct DpeEntry {
  std::array<DpePath, 2> path;  // left, right
  Place place;
  bool shares = false;                           // the entry below meets there, too: what is learnt here it knows
  std::optional<unsigned> offer = std::nullopt;  // the slot of the entry below whose path may run here
  bool handed = false;                           // and has come, whether it is still here or not
  bool parts = false;                            // its two paths are parts of one
  bool joined = false;                           // they were, and came together again
  [[nodiscard]] bool empty() const { return path[0].mask == 0 && path[1].mask == 0; }
  friend std::ostream& operator<<(std::ostream& out, const DpeEntry& e) {
    out << "{L " << e.path[0] << ", R " << e.path[1] << ", " << e.place;
    if (e.offer) out << ", " << (e.handed ? "handed " : "offered ") << (*e.offer == 0 ? "L" : "R");
    if (e.parts) out << ", parts";
    return out << "}";
  }
  // `shares` and `joined` follow from how the entry came to be and are not compared.
  friend bool operator==(const DpeEntry& a, const DpeEntry& b) {
    return a.path == b.path && a.place == b.place && a.offer == b.offer && a.handed == b.handed && a.parts == b.parts;
  }
};

class DpeStackOracle {
 public:
  struct Launch {
    WarpId warp;
    Pc pc;
    LaneMask mask;
  };
  struct Advance {
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
    std::uint32_t kind = kMarkNone;
  };
  struct Split {
    WarpId warp;
    unsigned slot;
    LaneMask mask;
  };  // mask: the threads that stay behind
  using PathId = std::pair<WarpId, unsigned>;
  struct Inputs {
    std::optional<Launch> launch;
    std::optional<Advance> advance;
    std::optional<Resolve> resolve;
    std::optional<WarpId> kill = std::nullopt;
    std::set<WarpId> hold = {};
    std::optional<Split> split = std::nullopt;
    std::set<PathId> apart = {};    // nobody may join these
    std::set<PathId> stopped = {};  // these stand at a barrier
  };
  struct Choice {
    WarpId warp;
    bool forward;
  };
  struct Resolved {
    WarpId warp;
    unsigned slot;
    bool next;
  };  // next: its path simply goes on behind its instruction
  struct Events {
    std::optional<Resolved> resolved;
    std::optional<WarpId> push, pop, done, overflow;
    std::optional<WarpId> forward, meet;
    bool replaced = false;      // the push replaced the top entry
    std::set<std::string> met;  // situations, for a test that claims to have met them
  };

  DpeStackOracle(unsigned warps, unsigned depth, bool taken_left, unsigned level_bits = 8, bool forward = false,
                 bool split = false);

  // One clock cycle. Of the inputs a resolution acts a cycle later, and the pop, forward or meet was chosen a cycle
  // ago.
  Events step(const Inputs& in);

  // All entries of a warp, bottom to top.
  [[nodiscard]] const std::vector<DpeEntry>& entries(WarpId w) const { return warps_.at(w).stack; }
  // What the top-of-stack registers show; nothing, if the warp has ended.
  [[nodiscard]] DpeEntry top(WarpId w) const { return depth(w) == 0 ? DpeEntry() : warps_.at(w).stack.back(); }
  // Where the path in this slot of the top arrives.
  [[nodiscard]] const Place& place(WarpId w, unsigned slot) const;
  [[nodiscard]] LaneMask live(WarpId w) const { return warps_.at(w).live; }
  [[nodiscard]] unsigned depth(WarpId w) const { return warps_.at(w).stack.size(); }
  [[nodiscard]] unsigned max_depth() const { return max_depth_; }
  [[nodiscard]] std::uint32_t forwards() const { return forwards_; }
  [[nodiscard]] std::uint32_t splits() const { return splits_; }
  [[nodiscard]] std::uint32_t merges() const { return merges_; }
  // The path in this slot of the top still waits for its other part.
  [[nodiscard]] bool waits(WarpId w, unsigned slot, const std::set<PathId>& stopped = {}) const;
  // The warp whose parts meet at the end of this cycle, if they stand at one place then.
  [[nodiscard]] std::optional<WarpId> meeting() const { return meeting_; }
  // The warp that is chosen for that in this cycle.
  [[nodiscard]] std::optional<WarpId> meeting_choice(const std::set<PathId>& stopped,
                                                     std::optional<WarpId> killed = std::nullopt) const;
  // The resolution that was taken in at the last edge.
  [[nodiscard]] const std::optional<Resolve>& acting() const { return acting_; }
  [[nodiscard]] std::optional<WarpId> resolving() const;
  // The warp that is popped, or that a path is forwarded in, in this cycle.
  [[nodiscard]] std::optional<WarpId> popping() const;
  [[nodiscard]] std::optional<WarpId> forwarding() const;
  // What is chosen in this cycle.
  [[nodiscard]] std::optional<Choice> choice(const std::set<WarpId>& held = {},
                                             std::optional<WarpId> killed = std::nullopt) const;
  // The warp that is chosen in this cycle if none is held or killed.
  [[nodiscard]] std::optional<WarpId> waiting_for_a_pop() const;
  [[nodiscard]] const Levels& levels() const { return levels_; }

 private:
  using Stack = std::vector<DpeEntry>;
  struct Warp {
    Stack stack;
    LaneMask live = 0;
  };

  // Where a path of the uppermost entry arrives.
  static Place& place_of(Stack& stack, const DpePath& path);
  static const Place& place_of(const Stack& stack, const DpePath& path);
  // Nobody is left in the slot, so nobody's guest.
  static void leave(DpePath& path);

  // The path in this slot of the uppermost entry has come to a place of which its entry knows nothing. If its other
  // part stands there they are one.
  void join(Stack& stack, PathId id, const Inputs& in, const char* how, Events& events);
  // `from` is with `to`.
  void one(DpeEntry& entry, DpePath& from, DpePath& to, bool killed);

  // The next instruction of a path: it may be the one where it meets others, but no return brought it there.
  void advance(const Inputs& in, Events& events);

  // A resolution puts the path into this slot of the uppermost entry: empty if it has arrived, and then its return
  // address is known.
  static bool put(Stack& stack, unsigned slot, const DpePath& path);

  void resolve(const Resolve& in, const Inputs& cycle, Events& events);

  void pop(WarpId w, Events& events);

  void split(const Split& in, Events& events);

  void meet(WarpId w, std::optional<WarpId> killed, Events& events);

  void forward(WarpId w, bool killed, Events& events);

  unsigned depth_;
  bool taken_left_;
  bool forward_, split_;
  Levels levels_;
  std::vector<Warp> warps_;
  unsigned max_depth_ = 0;
  std::uint32_t forwards_ = 0, splits_ = 0, merges_ = 0;
  std::optional<Resolve> acting_;
  std::optional<Choice> chosen_;
  std::optional<WarpId> meeting_;
};

}  // namespace heddle::test
