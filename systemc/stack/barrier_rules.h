// SPDX-License-Identifier: Apache-2.0
// The rules of stack/convergence_barriers as pure functions: what becomes of a warp in one resolution or one service.
// The machine without a clock (convergence_barriers_logic.h) and the module (convergence_barriers.h) hold the state and
// apply them. Contract: docs/modules/stack/convergence_barriers.md.
#pragma once

#include "common/types.h"
#include "stack/resolution.h"
#include "stack/spe_stack.h"

namespace heddle {

constexpr unsigned kOperandWidth = 64;  // of a mark; as many as a twin has lanes
constexpr std::uint32_t kEventNone = 0;

constexpr std::uint32_t kYieldSwaps = 0;             // policy: the two top paths of the newest barrier change places
constexpr std::uint32_t kYieldIsFair = 1;            // the path goes behind all others
constexpr std::uint32_t kYieldIsFairAtBranches = 2;  // at every taken backward branch, too
constexpr std::uint32_t kYieldStays = 0;             // mode: who yields stays in its barrier
constexpr std::uint32_t kYieldLeaves = 1;            // who yields leaves the newest one

// StackConfig::order of this stack.
[[nodiscard]] constexpr std::uint32_t barrier_order(std::uint32_t push_order, std::uint32_t policy,
                                                    std::uint32_t yield_mode) {
  return push_order | policy << 2 | yield_mode << 4;
}
[[nodiscard]] constexpr std::uint32_t push_order_of(std::uint32_t order) { return order & 3u; }
[[nodiscard]] constexpr std::uint32_t yield_policy_of(std::uint32_t order) { return (order >> 2) & 3u; }
[[nodiscard]] constexpr std::uint32_t yield_mode_of(std::uint32_t order) { return order >> 4; }
// Who is newest matters.
[[nodiscard]] constexpr bool knows_newest(std::uint32_t order) {
  return yield_policy_of(order) == kYieldSwaps || yield_mode_of(order) == kYieldLeaves;
}

// Of {barrier, mark}.
[[nodiscard]] constexpr std::uint32_t mark_of(std::uint32_t kind) { return kind & ((1u << kKindWidth) - 1); }

// A path that waits in the list of its warp.
struct WaitingPath {
  std::uint64_t mask = 0;
  std::uint32_t pc = 0;
};

// A barrier, or a warpsync at which threads wait: who takes part, who waits, and where they go on.
struct BarrierRow {
  std::uint64_t mask = 0;
  std::uint64_t arrived = 0;
  std::uint32_t pc = 0;
};

// A warp as a resolution or a service sees it: its path, the uppermost one in the list if there are others, and the
// barrier that is concerned.
struct BarrierWarp {
  std::uint64_t mask = 0;
  std::uint32_t pc = 0;
  std::uint64_t live = 0;
  bool others = false;
  std::uint64_t upper_mask = 0;
  std::uint32_t upper_pc = 0;
  bool armed = false;
  std::uint64_t row_mask = 0;
  std::uint64_t row_arrived = 0;
  std::uint32_t row_pc = 0;
};

// What becomes of the list of paths.
constexpr std::uint32_t kListStays = 0;
constexpr std::uint32_t kListPushesTop = 1;     // the stored path is the uppermost
constexpr std::uint32_t kListPushesBottom = 2;  // or the undermost
constexpr std::uint32_t kListRotates = 3;       // the uppermost leaves, the stored one is the undermost
constexpr std::uint32_t kListSwaps = 4;         // the uppermost leaves, the stored one is the uppermost
constexpr std::uint32_t kListPops = 5;          // the uppermost leaves

// What a resolution or a service does.
struct BarrierChange {
  std::uint64_t mask = 0;  // the path
  std::uint32_t pc = 0;
  std::uint32_t list = kListStays;
  std::uint64_t stored_mask = 0;
  std::uint32_t stored_pc = 0;
  // the barrier
  bool writes = false;
  std::uint64_t row_mask = 0;
  std::uint64_t row_arrived = 0;
  std::uint32_t row_pc = 0;
  bool arms = false;
  bool disarms = false;
  bool checks = false;
  bool checks_all = false;
  // what is told
  bool next = false;  // of a resolution: its path goes on behind the instruction
  bool push = false;  // it has diverged, and the path goes on elsewhere
  bool pops = false;  // of a service: the path is another one, or the warp ends
  bool ends = false;
  bool stuck = false;
  bool answers = false;
  std::uint64_t answer = 0;
  std::uint32_t event = kEventNone;
};

// The path goes to another place; it is of those that resolve.
inline void goes_to(std::uint32_t pc, std::uint64_t mask, BarrierChange& change) {
  change.pc = pc;
  change.mask = mask;
}
inline void stores(std::uint32_t list, std::uint32_t pc, std::uint64_t mask, BarrierChange& change) {
  change.list = list;
  change.stored_pc = pc;
  change.stored_mask = mask;
}
inline void writes_row(std::uint64_t mask, std::uint64_t arrived, std::uint32_t pc, BarrierChange& change) {
  change.writes = true;
  change.row_mask = mask;
  change.row_arrived = arrived;
  change.row_pc = pc & ~std::uint32_t{1};
}
// The path becomes the uppermost one of the list, which takes its place.
inline void gives_way(const BarrierWarp& old, std::uint32_t list, BarrierChange& change) {
  stores(list, change.pc, change.mask, change);
  goes_to(old.upper_pc, old.upper_mask, change);
}

inline void resolve_branch(const BarrierWarp& old, const ResolveInput& in, std::uint32_t order, BarrierChange& change) {
  const std::uint64_t active = old.mask & ~in.exit;
  const std::uint64_t taken = active & in.taken;
  const std::uint64_t fall = active & ~in.taken;
  const bool divergent = taken != 0 && fall != 0 && in.target != in.next;
  const bool backward = yield_policy_of(order) == kYieldIsFairAtBranches && taken != 0 && in.target < in.next;
  change.checks_all = (old.mask & in.exit) != 0;
  if (!divergent) {
    goes_to(taken == 0 ? in.next : in.target, active, change);
    change.next = active != 0 && change.pc == in.next;
    if (backward && old.others) gives_way(old, kListRotates, change);
  } else if (!backward && taken_goes_first(push_order_of(order), taken, fall)) {
    goes_to(in.target, taken, change);
    stores(kListPushesTop, in.next, fall, change);
    change.push = true;
  } else {
    goes_to(in.next, fall, change);
    stores(backward ? kListPushesBottom : kListPushesTop, in.target, taken, change);
    change.next = true;
  }
}

inline void resolve_yield(const BarrierWarp& old, std::uint32_t order, BarrierChange& change) {
  if (yield_policy_of(order) != kYieldSwaps) {
    if (old.others) gives_way(old, kListRotates, change);
  } else if (old.others && old.armed && ((old.mask | old.upper_mask) & ~old.row_mask) == 0) {
    gives_way(old, kListSwaps, change);
  }
  change.next = change.list == kListStays;
  if (yield_mode_of(order) == kYieldLeaves && old.armed && (old.row_mask & old.mask) != 0) {
    writes_row(old.row_mask & ~old.mask, old.row_arrived, old.row_pc, change);
    change.checks = true;
  }
}

inline void resolve_sync(const BarrierWarp& old, const ResolveInput& in, std::uint64_t operand, BarrierChange& change) {
  const std::uint64_t waits = old.mask & operand;
  const bool mixed = old.armed && (old.row_mask != operand || old.row_pc != in.next);
  if (waits == 0) {
    change.next = true;
  } else if (mixed) {
    change.next = true;
    change.event = kEventMixed;
  } else {
    writes_row(operand, waits | (old.armed ? old.row_arrived : 0), in.next, change);
    change.arms = !old.armed;
    change.checks = true;
    goes_to(old.pc, old.mask & ~operand, change);
  }
}

// A mark that names a barrier, other than a yield and a warpsync.
inline void resolve_named(const BarrierWarp& old, const ResolveInput& in, std::uint32_t mark, std::uint64_t operand,
                          BarrierChange& change) {
  const std::uint64_t ours = old.armed ? old.row_mask & old.mask : 0;
  change.next = true;
  if (mark == kMarkArm) {
    if (!old.armed) writes_row(old.mask, 0, in.rpc, change);
    change.arms = !old.armed;
    if (ours != 0) change.event = kEventArmed;
  } else if (mark == kMarkArrive) {
    if (ours != 0) {
      writes_row(old.row_mask, old.row_arrived | ours, old.row_pc, change);
      change.checks = true;
      goes_to(in.next, old.mask & ~old.row_mask, change);
      change.next = change.mask != 0;
    }
  } else if (mark == kMarkBreak) {
    if (ours != 0) {
      writes_row(old.row_mask & ~old.mask, old.row_arrived, old.row_pc, change);
      change.checks = true;
    }
  } else if (mark == kMarkSave) {
    const bool moved = (old.row_arrived & old.live) != 0;
    change.answers = true;
    if (ours != 0) {
      change.answer = old.row_mask & old.live;
      change.disarms = !moved;
      if (moved) change.event = kEventMoved;
    }
  } else if (mark == kMarkSavePc) {
    change.answers = true;
    if (ours != 0) change.answer = old.row_pc;
  } else if ((operand & old.live) != 0) {  // restore
    if (!old.armed) writes_row(operand & old.live, 0, in.rpc, change);
    change.arms = !old.armed;
    if (old.armed) change.event = kEventArmed;
  }
}

// What the resolution of the path does; `mark`: in.kind without the barrier.
inline void resolve_barriers(const BarrierWarp& old, const ResolveInput& in, std::uint32_t mark, std::uint64_t operand,
                             std::uint32_t order, BarrierChange& change) {
  goes_to(in.next, old.mask, change);
  if (mark < kMarkArm || mark > kMarkRestore) {
    resolve_branch(old, in, order, change);
  } else if (mark == kMarkYield) {
    resolve_yield(old, order, change);
  } else if (mark == kMarkSync) {
    resolve_sync(old, in, operand, change);
  } else {
    resolve_named(old, in, mark, operand, change);
  }
}

// At an instruction of this mechanism nobody branches, leaves, calls or returns.
[[nodiscard]] constexpr bool is_lawful(const ResolveInput& in) {
  const std::uint32_t mark = mark_of(in.kind);
  return mark < kMarkArm || mark > kMarkRestore || (in.taken == 0 && in.exit == 0 && !in.call && !in.ret);
}

// A warp without a path that issues is served; `checks`: a barrier is to be looked at, which is that of `old`.
inline void serve_barriers(const BarrierWarp& old, bool checks, BarrierChange& change) {
  const std::uint64_t all = old.row_mask & old.live;
  goes_to(old.pc, old.mask, change);
  if (old.live == 0) {
    change.ends = true;
    change.pops = true;
  } else if (checks) {
    const bool opens = all != 0 && (all & ~old.row_arrived) == 0;
    change.disarms = all == 0 || opens;
    change.pops = opens;
    if (opens) {
      if (old.mask != 0) stores(kListPushesTop, old.pc, old.mask, change);
      goes_to(old.row_pc, all, change);
    }
  } else if (old.others) {
    change.list = kListPops;
    change.pops = true;
    goes_to(old.upper_pc, old.upper_mask, change);
  } else {
    change.stuck = true;
    change.event = kEventStuck;
  }
}

// The barrier that a resolution concerns: of a yield the newest, of a warpsync that of its lowest lane.
[[nodiscard]] inline std::uint32_t barrier_of(std::uint32_t mark, std::uint32_t named, std::uint64_t operand,
                                              std::uint32_t newest, std::uint32_t barriers) {
  std::uint32_t index = named;
  if (mark == kMarkYield) index = newest;
  if (mark == kMarkSync) index = barriers + (operand != 0 ? lowest_bit(operand) : 0);
  return index;
}

// Armed barriers by age, the oldest in the lowest digit: `count` digits of `width` bits.
[[nodiscard]] constexpr std::uint32_t barrier_at(std::uint64_t ages, std::uint32_t age, unsigned width) {
  return static_cast<std::uint32_t>((ages >> (age * width)) & low_bits(width));
}
[[nodiscard]] constexpr std::uint64_t with_newest(std::uint64_t ages, std::uint32_t count, std::uint32_t barrier,
                                                  unsigned width) {
  return (ages & low_bits(count * width)) | static_cast<std::uint64_t>(barrier) << (count * width);
}
[[nodiscard]] inline std::uint64_t without_barrier(std::uint64_t ages, std::uint32_t count, std::uint32_t barrier,
                                                   unsigned width) {
  std::uint32_t age = 0;
  for (std::uint32_t i = 0; i < 16; ++i) {
    if (i < count && barrier_at(ages, i, width) == barrier) age = i;
  }
  const std::uint64_t older = low_bits(age * width);
  return (ages & older) | ((ages >> width) & ~older);
}

// The ages when `barrier` is armed or disarmed; `count`: armed ones before.
[[nodiscard]] inline std::uint64_t ages_after(std::uint64_t ages, std::uint32_t count, std::uint32_t barrier,
                                              bool armed, unsigned width) {
  return armed ? with_newest(ages, count, barrier, width) : without_barrier(ages, count, barrier, width);
}

// The lowest barrier that is to be looked at, 0 if none is: those with a name come first.
[[nodiscard]] inline std::uint32_t first_check(std::uint64_t named, std::uint64_t syncs, std::uint32_t barriers) {
  std::uint32_t index = 0;
  if (named != 0) {
    index = lowest_bit(named);
  } else if (syncs != 0) {
    index = barriers + lowest_bit(syncs);
  }
  return index;
}

// The list goes round in `size` rows, a power of two: which row is written, which is the uppermost afterwards, and how
// many there are.
[[nodiscard]] constexpr std::uint32_t stored_row(std::uint32_t list, std::uint32_t upper, std::uint32_t rows,
                                                 std::uint32_t size) {
  std::uint32_t row = upper;
  if (list == kListPushesTop) row = upper + 1;
  if (list == kListPushesBottom || list == kListRotates) row = upper - rows;
  return row & (size - 1);
}
[[nodiscard]] constexpr std::uint32_t upper_after(std::uint32_t list, std::uint32_t upper, std::uint32_t size) {
  std::uint32_t after = upper;
  if (list == kListPushesTop) after = upper + 1;
  if (list == kListRotates || list == kListPops) after = upper - 1;
  return after & (size - 1);
}
[[nodiscard]] constexpr std::uint32_t rows_after(std::uint32_t list, std::uint32_t rows) {
  std::uint32_t after = rows;
  if (list == kListPushesTop || list == kListPushesBottom) after = rows + 1;
  if (list == kListPops) after = rows - 1;
  return after;
}

}  // namespace heddle
