// SPDX-License-Identifier: Apache-2.0
// What all stacks share: a path as they show it, their options, the resolution of a control instruction as they receive
// it, where the two sides of a divergence meet, and when a path has arrived there (docs/frontend.md, "Where paths
// meet").
//
// A place is {rpc, level}. rpc is 0 (NONE: nowhere), a PC, or odd (RETURN: where the function returns to; the bits
// above bit 0 are the address once a path has brought it). Levels count modulo a power of two: `mask` is that less one.
#pragma once

#include "common/types.h"

namespace heddle {

constexpr std::uint32_t kNoPlace = 0;
constexpr std::uint32_t kReturnPlace = 1;

// A path of a warp; without threads there is none.
struct StackPath {
  std::uint64_t mask = 0;
  std::uint32_t pc = 0;
  std::uint32_t level = 0;
};

// Options and limits of one stack; narrower limits use fewer entries and fewer bits of a level than the module has.
struct StackConfig {
  std::uint32_t depth_limit = 0;
  std::uint32_t order = 0;  // of the two sides of a divergence; the stack says what its numbers mean
  std::uint32_t level_bits = 8;
  std::uint32_t slots = 0;  // of warp_split_table
};

// Order of a stack of two slots: where the threads that take the branch go.
constexpr std::uint32_t kTakenLeft = 0;
constexpr std::uint32_t kTakenRight = 1;

// What execute says about a control instruction. It may be a call or a return, not both. `kind` is kMark..., for the
// stack that reads it.
struct ResolveInput {
  std::uint64_t taken = 0;
  std::uint64_t exit = 0;
  std::uint32_t target = 0;
  std::uint32_t next = 0;
  std::uint32_t rpc = 0;
  bool call = false;
  bool ret = false;
  std::uint32_t kind = kMarkNone;
};

// The path whose resolution was taken in at the last edge and acts at the next.
struct TakenIn {
  bool valid = false;
  std::uint32_t warp = 0;
  std::uint32_t slot = 0;
};

// The warp that is popped at the next edge.
struct PopChoice {
  bool valid = false;
  std::uint32_t warp = 0;
};

// Where paths meet.
struct MeetingPlace {
  std::uint32_t rpc = 0;
  std::uint32_t level = 0;
};

[[nodiscard]] constexpr bool is_odd(std::uint32_t pc) { return (pc & 1u) != 0; }
[[nodiscard]] constexpr std::uint32_t level_mask(std::uint32_t level_bits) {
  return (std::uint32_t{1} << level_bits) - 1;
}

// A path has arrived at a place that is a PC. This is all that an advance or a pop can bring about.
[[nodiscard]] constexpr bool arrived_at_pc(std::uint32_t pc, std::uint32_t level, std::uint32_t rpc,
                                           std::uint32_t rpc_level) {
  return pc == rpc && level == rpc_level && rpc != kNoPlace && !is_odd(rpc);
}

// A path has arrived, RETURN included: the first one that comes back, and whoever comes to the same address.
[[nodiscard]] constexpr bool arrived(std::uint32_t pc, std::uint32_t level, std::uint32_t rpc,
                                     std::uint32_t rpc_level) {
  const bool at_return = is_odd(rpc) && level == rpc_level && (rpc == kReturnPlace || rpc == (pc | 1u));
  return at_return || arrived_at_pc(pc, level, rpc, rpc_level);
}

// The rpc after a path has arrived at it with `pc`: RETURN knows the address then.
[[nodiscard]] constexpr std::uint32_t learnt(std::uint32_t rpc, std::uint32_t pc) {
  return is_odd(rpc) ? (pc | 1u) : rpc;
}

// One place, as far as levels tell; RETURN with and without its address is one.
[[nodiscard]] constexpr bool same_place(std::uint32_t rpc_a, std::uint32_t level_a, std::uint32_t rpc_b,
                                        std::uint32_t level_b) {
  return level_a == level_b && (rpc_a == rpc_b || (is_odd(rpc_a) && is_odd(rpc_b)));
}

// Level of the threads that go to the target.
[[nodiscard]] constexpr std::uint32_t target_level(std::uint32_t level, const ResolveInput& in, std::uint32_t mask) {
  return (level + (in.call ? 1u : 0u) - (in.ret ? 1u : 0u)) & mask;
}

// Where the sides of a divergence on `level` meet; `rpc` and `rpc_level` are those of the entry.
inline void find_meeting_place(std::uint32_t resolve_rpc, std::uint32_t level, std::uint32_t rpc,
                               std::uint32_t rpc_level, std::uint32_t mask, MeetingPlace& place) {
  if (resolve_rpc == kNoPlace || (is_odd(resolve_rpc) && level == 0)) {
    place.rpc = rpc;
    place.level = rpc_level;
  } else if (is_odd(resolve_rpc)) {
    place.level = (level - 1) & mask;
    place.rpc = is_odd(rpc) && rpc_level == place.level ? rpc : kReturnPlace;
  } else {
    place.rpc = resolve_rpc;
    place.level = level;
  }
}

// Flip-flops of a resolution that was taken in, as what follows from it: PCs and place; threads of the sides and those
// that exit; levels, with two slots of the path itself, too; conditions; the depth after a push. And of a pop that was
// chosen: which warp, whether it ends, and the depth after it.
[[nodiscard]] constexpr unsigned taken_in_bits(unsigned warps, unsigned slots, unsigned lanes, unsigned levels,
                                               unsigned depth) {
  return 1 + index_width(warps) + (slots - 1) + 3 * 32 + 3 * lanes + (slots == 1 ? 3 * levels + 11 : 4 * levels + 8) +
         index_width(depth + 1);
}
[[nodiscard]] constexpr unsigned pop_choice_bits(unsigned warps, unsigned depth) {
  return 2 + index_width(warps) + index_width(depth + 1);
}
// Rows of storage: {warp, index}.
[[nodiscard]] constexpr unsigned rows_below(unsigned warps, unsigned depth) { return warps << index_width(depth - 1); }
// Where the storage, of one memory or of two, is read; of two, which one it is.
[[nodiscard]] constexpr unsigned row_address_bits(unsigned warps, unsigned depth, unsigned banks) {
  return banks * index_width(rows_below(warps, depth) / banks) + (banks - 1);
}

}  // namespace heddle
