// SPDX-License-Identifier: Apache-2.0
// What can be seen inside one front end after a clock edge, whichever engine runs it: the outputs of every module of docs/frontend.md.
// Used by the co-simulation comparison, the invariant checks, state dumps and waveforms. SPE uses slot 0 only. What the contract leaves
// undefined is 0 here: paths of a warp with depth 0, register and threads of a scoreboard entry that is not pending.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "heddle/types.h"

namespace heddle {

constexpr unsigned kMaxPartitionWarps = 24;   // warps of one front end
constexpr unsigned kMaxScoreboardEntries = 64;

// Compared as memory, so there is no padding: the members stand by size, and flags that do not fill a word are words.
struct WarpState {
  // stack: top entry
  std::array<LaneMask, 2> mask{};
  LaneMask live = 0;
  LaneMask off_mask = 0;          // predication: threads masked off, 0 outside a region
  std::array<Pc, 2> pc{};
  Pc rpc = 0;
  std::array<std::uint16_t, 2> level{};   // call level of a path
  std::uint32_t rpc_level = 0;
  std::uint32_t depth = 0;
  std::uint32_t region_count = 0, region_slot = 0;  // predication: instructions still to issue, and of which path
  // scoreboard: bit e of pending/shadow = entry e (the optimistic table stands in [0]), of the bitmap register e
  std::array<std::uint64_t, 2> pending{}, shadow{};
  std::array<std::array<LaneMask, kMaxScoreboardEntries>, 1> entry_mask{};  // optimistic table only
  std::array<std::array<std::uint8_t, kMaxScoreboardEntries>, 2> reg{};
  // instruction buffers
  std::array<std::uint64_t, 2> head{};
  std::array<std::uint32_t, 2> count{}, tag{};
  // one byte each: stack, scoreboard, instruction buffers, control state
  std::array<std::uint8_t, 2> valid{};
  std::array<std::uint8_t, 2> blocked{}, full{};
  std::array<std::uint8_t, 2> requests{}, need_fetch{};
  std::uint8_t sibling = 0, acting = 0;
  std::uint8_t branch_pending = 0, pending_slot = 0, at_barrier = 0, halted = 0;
};

struct Event {
  std::uint32_t valid = 0;
  std::uint32_t warp = 0;
};

struct FrontendState {
  std::array<WarpState, kMaxPartitionWarps> warp{};
  // combinational outputs of the cycle that ended at this edge; warp and slot are 0 where valid is 0
  Event resolved, push, pop, done, overflow;
  std::uint32_t resolved_slot = 0, resolved_next = 0;
  std::uint32_t grant_valid = 0, grant_slot = 0, grant_warp = 0;
  std::uint32_t max_depth = 0;
};
static_assert(std::has_unique_object_representations_v<FrontendState>);

// One stack entry for dumps; SPE entries use slot 0.
struct StackEntry {
  std::array<Pc, 2> pc{};          // odd: where the function returns to, filled in when the entry is popped
  std::array<LaneMask, 2> mask{};
  Pc rpc = 0;
  std::array<std::uint32_t, 2> level{};
  std::uint32_t rpc_level = 0;
};

// What the selector decided in one cycle, and between which paths.
struct Selection {
  bool granted = false;
  std::uint32_t warp = 0, slot = 0;
  std::array<std::uint64_t, 2> ready{};  // by slot, bit a warp: paths that could issue
};

// Access to the inside of a running front end.
class FrontendView {
 public:
  virtual ~FrontendView() = default;
  // Paths of a warp between which it may choose: 1 or 2.
  [[nodiscard]] virtual unsigned slots() const { return 2; }
  // Its stacks keep regions from fork to join; to the others these are instructions that do nothing.
  [[nodiscard]] virtual bool knows_forks() const { return false; }
  virtual void read_state(FrontendState& state) const = 0;
  // Stack events of the cycle that ended at the last edge.
  virtual void stack_events(Event& push, Event& pop) const = 0;
  // The selection of the last step; false: this front end does not tell.
  [[nodiscard]] virtual bool selection(Selection&) const { return false; }
  [[nodiscard]] virtual unsigned depth(unsigned warp) const = 0;
  [[nodiscard]] virtual LaneMask live(unsigned warp) const = 0;
  // entry 0 = bottom, depth-1 = top; a stack that folds entries of the textbook's shows them unfolded
  [[nodiscard]] virtual StackEntry entry(unsigned warp, unsigned index) const = 0;
};

}  // namespace heddle
