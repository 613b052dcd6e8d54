// SPDX-License-Identifier: Apache-2.0
// What can be seen inside one front end after a clock edge, whichever engine runs it: the outputs of every module of
// docs/frontend.md. Used by the co-simulation comparison, the invariant checks, state dumps and waveforms. What the
// contract leaves undefined is 0 here: paths of a warp with depth 0, places of a split that is not there, register and
// threads of a scoreboard entry that is not pending.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "heddle/types.h"

namespace heddle {

constexpr unsigned kMaxPartitionWarps = 24;  // warps of one front end
constexpr unsigned kMaxScoreboardEntries = 64;

// All structures here are compared as memory, so there is no padding: the members stand by size, and flags that do not
// fill a word are words.

// A path of the top entry: one a slot of a warp.
struct PathState {
  LaneMask mask = 0;
  std::uint64_t head = 0;  // instruction buffer
  Pc pc = 0;
  std::uint32_t count = 0, tag = 0, requests = 0;
  std::uint16_t level = 0;  // call level
  std::uint8_t valid = 0, sibling = 0;
  std::uint8_t blocked = 0, full = 0;  // scoreboard
  std::uint8_t need_fetch = 0, at_barrier = 0;
};

struct WarpState {
  // stack: top entry
  LaneMask live = 0;
  LaneMask off_mask = 0;  // predication: threads masked off, 0 outside a region
  Pc rpc = 0;
  std::uint32_t rpc_level = 0;
  std::uint32_t depth = 0;
  std::uint32_t region_slot = 0;  // predication: of which path, and instructions still to issue
  std::uint64_t region_count = 0;
  // scoreboard: bit e of pending/shadow = entry e (the optimistic table stands in [0]), of the bitmap register e
  std::array<std::uint64_t, 2> pending{}, shadow{};
  std::array<std::array<LaneMask, kMaxScoreboardEntries>, 1> entry_mask{};  // optimistic table only
  std::array<std::array<std::uint8_t, kMaxScoreboardEntries>, 2> reg{};
  // control state
  std::uint32_t pending_slot = 0;
  std::uint8_t branch_pending = 0, acting = 0, halted = 0;
  std::uint8_t at_barrier = 0;  // any of its paths
};

struct WarpEvent {
  std::uint32_t valid = 0;
  std::uint32_t warp = 0;
};

// Combinational outputs of the cycle that ended at this edge; warp and slot are 0 where valid is 0.
struct StackEvents {
  WarpEvent resolved, push, pop, done, overflow;
  std::uint32_t resolved_slot = 0, resolved_next = 0;
  std::uint32_t grant_valid = 0, grant_slot = 0, grant_warp = 0;
  std::uint32_t max_depth = 0;
};
static_assert(std::has_unique_object_representations_v<WarpState> &&
              std::has_unique_object_representations_v<StackEvents> &&
              std::has_unique_object_representations_v<PathState>);

struct FrontendState : StackEvents {
  std::array<WarpState, kMaxPartitionWarps> warp{};
  std::vector<PathState> paths;  // of slot s of warp w: s * kMaxPartitionWarps + w
  unsigned warps =
      kMaxPartitionWarps;  // read and compared: of a launch of a few the others stay as its reset has left them

  explicit FrontendState(unsigned slots) : paths(std::size_t{slots} * kMaxPartitionWarps) {}
  [[nodiscard]] unsigned slots() const { return static_cast<unsigned>(paths.size() / kMaxPartitionWarps); }
  void clear() {
    static_cast<StackEvents&>(*this) = {};
    warp.fill({});
    std::fill(paths.begin(), paths.end(), PathState());
  }
  [[nodiscard]] PathState& path(unsigned w, unsigned slot) { return paths[slot * kMaxPartitionWarps + w]; }
  [[nodiscard]] const PathState& path(unsigned w, unsigned slot) const { return paths[slot * kMaxPartitionWarps + w]; }
};
[[nodiscard]] inline bool operator==(const FrontendState& a, const FrontendState& b) {
  bool equal =
      a.warps == b.warps && a.slots() == b.slots() &&
      std::memcmp(a.warp.data(), b.warp.data(), a.warps * sizeof(WarpState)) == 0 &&
      std::memcmp(&static_cast<const StackEvents&>(a), &static_cast<const StackEvents&>(b), sizeof(StackEvents)) == 0;
  for (unsigned slot = 0; equal && slot < a.slots(); ++slot) {
    equal = std::memcmp(&a.path(0, slot), &b.path(0, slot), a.warps * sizeof(PathState)) == 0;
  }
  return equal;
}

// One stack entry for dumps; with one slot, slot 0. Of a table of splits each split is shown as an entry of its own.
struct StackEntry {
  std::array<Pc, 2> pc{};  // odd: where the function returns to, filled in when the entry is popped
  std::array<LaneMask, 2> mask{};
  Pc rpc = 0;
  std::array<std::uint32_t, 2> level{};
  std::uint32_t rpc_level = 0;
};

// What the selector decided in one cycle, and between which paths.
struct Selection {
  bool granted = false;
  std::uint32_t warp = 0, slot = 0;
  unsigned slots = 1;
  const std::uint64_t* ready = nullptr;  // by slot, bit a warp: paths that could issue; until the next step
};

// Access to the inside of a running front end.
class FrontendView {
 public:
  virtual ~FrontendView() = default;
  // Before the reset of a launch: warps below this number are all that it launches.
  virtual void begin_launch(unsigned) {}
  // Paths of a warp between which it may choose.
  [[nodiscard]] virtual unsigned slots() const { return 2; }
  // Splits of a warp that are there now, where warps are split.
  [[nodiscard]] virtual unsigned splits(unsigned) const { return 1; }
  // Their threads, and those of the splits for which the table had no room; not those that have arrived where all of
  // them meet.
  [[nodiscard]] virtual LaneMask in_splits(unsigned) const { return 0; }
  // Of its first `warps` warps. A state that is new, or that this front end has written since the launch began.
  virtual void read_state(FrontendState& state) const = 0;
  // Grows, from 1 on, when what read_state() shows, or an output, may have changed.
  [[nodiscard]] virtual std::uint64_t changes() const { return ++asked_; }
  // Stack events of the cycle that ended at the last edge.
  virtual void stack_events(WarpEvent& push, WarpEvent& pop) const = 0;
  // The selection of the last step; false: this front end does not tell.
  [[nodiscard]] virtual bool selection(Selection&) const { return false; }
  // Its last step has changed nothing, and the next one will not if no input is valid and the units that are ready are
  // the same. false: perhaps.
  [[nodiscard]] virtual bool still() const { return false; }
  // Entries that the warp's stack holds.
  [[nodiscard]] virtual unsigned stack_entries(unsigned warp) const = 0;
  // Entries that entry() shows: the stack's, with splits as entries of their own and folded entries unfolded.
  [[nodiscard]] virtual unsigned depth(unsigned warp) const = 0;
  [[nodiscard]] virtual LaneMask live(unsigned warp) const = 0;
  // entry 0 = bottom, depth-1 = top
  [[nodiscard]] virtual StackEntry entry(unsigned warp, unsigned index) const = 0;

 private:
  mutable std::uint64_t asked_ = 0;
};

}  // namespace heddle
