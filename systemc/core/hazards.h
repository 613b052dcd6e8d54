// SPDX-License-Identifier: Apache-2.0
// hazards: which heads wait for a register or for an entry of the scoreboard. Contract: docs/frontend.md, core/hazards;
// same pins as rtl/core/hazards.sv.
//
// HazardsLogic is the machine without a clock, which the front ends hold in simulation. The hardware keeps what a head
// waits for (core/wakeup); the twin asks the scoreboard when a head is new or a write comes back.
#pragma once

#include "core/heads.h"
#include "core/wakeup.h"
#include "scoreboard/bitmap_scoreboard.h"
#include "scoreboard/dpe_scoreboard.h"
#include "scoreboard/optimistic_scoreboard.h"
#include "scoreboard/spe_scoreboard.h"

namespace heddle {

constexpr unsigned kScoreboardSpe = 0;
constexpr unsigned kScoreboardDpe = 1;
constexpr unsigned kScoreboardOptimistic = 2;
constexpr unsigned kScoreboardBitmap = 3;

// A scoreboard by its number.
template <unsigned Kind, unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned SbEntries, unsigned Partial>
struct ScoreboardOf;
template <unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned SbEntries, unsigned Partial>
struct ScoreboardOf<kScoreboardSpe, NumWarps, Lanes, NumSlots, SbEntries, Partial> {
  static_assert(NumSlots == 1, "hazards: Scoreboard 0 (spe_scoreboard) has one slot");
  using Logic = SpeScoreboardLogic<NumWarps, SbEntries>;
  static constexpr unsigned kEntriesEach = 1;  // entries for one of SbEntries
  static constexpr bool kOneTable = false;     // of all paths of a warp
  static constexpr bool kShadows = false;      // with entries that a push or pop marks for the other path
  static constexpr bool kWakes = true;         // with core/wakeup
};
template <unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned SbEntries, unsigned Partial>
struct ScoreboardOf<kScoreboardDpe, NumWarps, Lanes, NumSlots, SbEntries, Partial> {
  static_assert(NumSlots == 2, "hazards: Scoreboard 1 (dpe_scoreboard) has two slots");
  using Logic = DpeScoreboardLogic<NumWarps, SbEntries>;
  static constexpr unsigned kEntriesEach = 1;
  static constexpr bool kOneTable = false;
  static constexpr bool kShadows = true;
  static constexpr bool kWakes = true;
};
template <unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned SbEntries, unsigned Partial>
struct ScoreboardOf<kScoreboardOptimistic, NumWarps, Lanes, NumSlots, SbEntries, Partial> {
  static_assert(NumSlots >= 2, "hazards: Scoreboard 2 (optimistic_scoreboard) has two slots or more");
  using Logic = OptimisticScoreboardLogic<NumWarps, Lanes, 2 * SbEntries, Partial>;
  static constexpr unsigned kEntriesEach = 2;
  static constexpr bool kOneTable = true;
  static constexpr bool kShadows = false;
  static constexpr bool kWakes = false;
};
template <unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned SbEntries, unsigned Partial>
struct ScoreboardOf<kScoreboardBitmap, NumWarps, Lanes, NumSlots, SbEntries, Partial> {
  static_assert(NumSlots <= 2, "hazards: Scoreboard 3 (bitmap_scoreboard) has one slot or two");
  using Logic = BitmapScoreboardLogic<NumWarps, NumSlots>;
  static constexpr unsigned kEntriesEach = 1;
  static constexpr bool kOneTable = false;
  static constexpr bool kShadows = false;
  static constexpr bool kWakes = false;
};

// Keeps: a pop keeps the queues of its warp. What the first two instructions of a queue wait for they have asked
// before, so a pop that marks entries for the other path does not hold them (core/wakeup).
template <class Scoreboard, unsigned NumWarps, unsigned NumSlots, bool Keeps>
class HazardsLogic {
 public:
  using Unit = typename Scoreboard::Logic;
  static constexpr bool kDeaf = Keeps && Scoreboard::kShadows;

  explicit HazardsLogic(std::uint32_t entries) : scoreboard_(Scoreboard::kEntriesEach * entries) {}

  void reset() {
    scoreboard_.reset();
    heads_.reset();
    for (unsigned s = 0; s < NumSlots; ++s) {
      blocked_[s] = 0;
      full_[s] = 0;
    }
    if constexpr (kDeaf) {
      for (unsigned s = 0; s < NumSlots; ++s) {
        for (unsigned w = 0; w < NumWarps; ++w) forget_asked(w, s);
      }
    }
  }

  // A write-back; before set() of the same cycle.
  void clear(std::uint32_t warp, std::uint32_t slot, std::uint32_t reg, std::uint64_t mask) {
    scoreboard_.clear(warp, slot, reg, mask);
  }
  // The entry that set() takes; before clear() of the same cycle.
  [[nodiscard]] std::uint32_t free_entry(std::uint32_t warp, std::uint32_t slot) const {
    return scoreboard_.free_entry(warp, slot);
  }
  // An instruction of these threads that writes `reg` is granted.
  void set(std::uint32_t warp, std::uint32_t slot, std::uint32_t entry, std::uint32_t reg, std::uint64_t mask) {
    scoreboard_.set(warp, slot, entry, reg, mask);
  }
  // The head of the path has left its queue.
  void take(std::uint32_t warp, std::uint32_t slot) {
    if constexpr (kDeaf) {
      unheard_[slot][warp] = unheard_second_[slot][warp];
      unheard_second_[slot][warp] = 0;
    }
  }
  // A push or a pop.
  void copy(std::uint32_t warp) { scoreboard_.copy(warp); }
  // Before copy() of a pop that keeps the queues: `asked` instructions of this path have asked what they wait for.
  void keep(std::uint32_t warp, std::uint32_t slot, std::uint32_t asked) {
    if constexpr (kDeaf) {
      const std::uint64_t shadowed = scoreboard_.unshadowed_names(warp, 1 - slot);
      if (asked >= 1) unheard_[slot][warp] |= shadowed;
      if (asked >= 2) unheard_second_[slot][warp] |= shadowed;
    }
  }

  // Derived values of a path, from the state after the cycle. The queue of the path is empty: nothing blocks.
  void no_head(std::uint32_t warp, std::uint32_t slot) {
    heads_.update(warp, slot, 0);
    blocked_[slot] &= ~bit_of(warp);
    full_[slot] &= ~bit_of(warp);
    if constexpr (kDeaf) forget_asked(warp, slot);
  }
  // The head is this bundle, and these are the threads of the path.
  void new_head(std::uint32_t warp, std::uint32_t slot, std::uint64_t bundle, std::uint64_t mask) {
    heads_.update(warp, slot, bundle);
    ask(warp, slot, mask);
  }
  void ask(std::uint32_t warp, std::uint32_t slot, std::uint64_t mask) {
    bool blocked = false;
    if constexpr (kDeaf) blocked = scoreboard_.blocked_but(warp, slot, heads_.names(warp, slot), unheard_[slot][warp]);
    else blocked = scoreboard_.blocked(warp, slot, heads_.names(warp, slot), mask);
    const bool full = scoreboard_.table_full(warp, slot) && heads_.writes(warp, slot);
    blocked_[slot] = with_bit(blocked_[slot], warp, blocked);
    full_[slot] = with_bit(full_[slot], warp, full);
  }
  // A write-back can only let go what waits for its register, or for an entry.
  [[nodiscard]] bool may_wait_for(std::uint32_t warp, std::uint32_t slot, std::uint32_t reg) const {
    return (has_bit(blocked_[slot], warp) && has_bit(heads_.names(warp, slot), reg)) || has_bit(full_[slot], warp);
  }
  // The set of this cycle took the last entry of a table that all paths of the warp share.
  [[nodiscard]] bool fills_for_all(std::uint32_t warp) const {
    return Scoreboard::kOneTable && scoreboard_.table_full(warp, 0);
  }

  [[nodiscard]] const Unit& scoreboard() const { return scoreboard_; }
  [[nodiscard]] const HeadTable<NumWarps, NumSlots>& heads() const { return heads_; }
  // Of a slot, bit a warp:
  [[nodiscard]] std::uint64_t blocked(std::uint32_t slot) const { return blocked_[slot]; }
  [[nodiscard]] std::uint64_t full(std::uint32_t slot) const { return full_[slot]; }
  // No write of the warp is in flight.
  [[nodiscard]] bool quiet(std::uint32_t warp) const { return scoreboard_.quiet(warp); }

 private:
  void forget_asked(std::uint32_t warp, std::uint32_t slot) {
    unheard_[slot][warp] = 0;
    unheard_second_[slot][warp] = 0;
  }

  Unit scoreboard_;
  HeadTable<NumWarps, NumSlots> heads_;
  std::uint64_t blocked_[NumSlots] = {};  // derived: query of the scoreboard by the heads
  std::uint64_t full_[NumSlots] = {};
  // Derived, of the first and the second instruction of a path: registers that the other slot writes, shadowed since it
  // asked.
  std::uint64_t unheard_[kDeaf ? NumSlots : 1][kDeaf ? NumWarps : 1] = {};
  std::uint64_t unheard_second_[kDeaf ? NumSlots : 1][kDeaf ? NumWarps : 1] = {};
};

}  // namespace heddle
