// SPDX-License-Identifier: Apache-2.0
// hazards: which heads wait for a register or for an entry of the scoreboard. Contract: docs/frontend.md, core/hazards;
// same pins as rtl/core/hazards.sv.
//
// HazardsLogic is the machine without a clock, which the front ends hold in simulation: it asks the scoreboard when a
// head is new or a write comes back. The module below holds the scoreboard and core/wakeup, as the hardware does.
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

// A scoreboard by its number: the logic, and the module that answers NumCheck questions in a cycle.
template <unsigned Kind, unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned SbEntries, unsigned Partial>
struct ScoreboardOf;
template <unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned SbEntries, unsigned Partial>
struct ScoreboardOf<kScoreboardSpe, NumWarps, Lanes, NumSlots, SbEntries, Partial> {
  static_assert(NumSlots == 1, "hazards: Scoreboard 0 (spe_scoreboard) has one slot");
  using Logic = SpeScoreboardLogic<NumWarps, SbEntries>;
  template <unsigned NumWb, unsigned NumCheck>
  using Module = spe_scoreboard<NumWarps, SbEntries, NumWb, NumCheck>;
  static constexpr unsigned kEntriesEach = 1;  // entries for one of SbEntries
  static constexpr bool kOneTable = false;     // of all paths of a warp
  static constexpr bool kShadows = false;      // with entries that a push or pop marks for the other path
  static constexpr bool kWakes = true;         // with core/wakeup
};
template <unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned SbEntries, unsigned Partial>
struct ScoreboardOf<kScoreboardDpe, NumWarps, Lanes, NumSlots, SbEntries, Partial> {
  static_assert(NumSlots == 2, "hazards: Scoreboard 1 (dpe_scoreboard) has two slots");
  using Logic = DpeScoreboardLogic<NumWarps, SbEntries>;
  template <unsigned NumWb, unsigned NumCheck>
  using Module = dpe_scoreboard<NumWarps, SbEntries, NumWb, NumCheck>;
  static constexpr unsigned kEntriesEach = 1;
  static constexpr bool kOneTable = false;
  static constexpr bool kShadows = true;
  static constexpr bool kWakes = true;
};
template <unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned SbEntries, unsigned Partial>
struct ScoreboardOf<kScoreboardOptimistic, NumWarps, Lanes, NumSlots, SbEntries, Partial> {
  static_assert(NumSlots >= 2, "hazards: Scoreboard 2 (optimistic_scoreboard) has two slots or more");
  using Logic = OptimisticScoreboardLogic<NumWarps, Lanes, 2 * SbEntries, Partial>;
  template <unsigned NumWb, unsigned NumCheck>
  using Module = optimistic_scoreboard<NumWarps, Lanes, 2 * SbEntries, NumWb, NumCheck, Partial>;
  static constexpr unsigned kEntriesEach = 2;
  static constexpr bool kOneTable = true;
  static constexpr bool kShadows = false;
  static constexpr bool kWakes = false;
};
template <unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned SbEntries, unsigned Partial>
struct ScoreboardOf<kScoreboardBitmap, NumWarps, Lanes, NumSlots, SbEntries, Partial> {
  static_assert(NumSlots <= 2, "hazards: Scoreboard 3 (bitmap_scoreboard) has one slot or two");
  using Logic = BitmapScoreboardLogic<NumWarps, NumSlots>;
  template <unsigned NumWb, unsigned NumCheck>
  using Module = bitmap_scoreboard<NumWarps, NumSlots, NumWb, NumCheck>;
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
  [[gnu::always_inline]] void clear(std::uint32_t warp, std::uint32_t slot, std::uint32_t reg, std::uint64_t mask) {
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
  [[gnu::always_inline]] void ask(std::uint32_t warp, std::uint32_t slot, std::uint64_t mask) {
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

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned NumSlots = 2, unsigned Scoreboard = kScoreboardDpe,
          unsigned SbEntries = 8, unsigned NumWb = 2, unsigned Partial = 0>
class hazards : public sc_core::sc_module {
  using Kind = ScoreboardOf<Scoreboard, NumWarps, Lanes, NumSlots, SbEntries, Partial>;
  static constexpr bool kWakes = Kind::kWakes;
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kSlotW = index_width(NumSlots);
  static constexpr unsigned kPaths = NumWarps * NumSlots;
  static constexpr unsigned kChecks = kWakes ? 3 : kPaths;
  // Rows of the scoreboard: those of the left paths, or of the warps, then those of the right paths.
  static constexpr unsigned kEntries = Kind::kEntriesEach * SbEntries;
  static constexpr unsigned kRows = Kind::kOneTable ? NumWarps : kPaths;
  static constexpr unsigned kRowW = Scoreboard == kScoreboardBitmap ? 64 : kEntries;
  static constexpr unsigned kWaitW = Scoreboard == kScoreboardBitmap ? 4 : kEntries * kRows / NumWarps;
  static_assert(kPaths >= 1 && kPaths <= 64, "hazards: the pins of the twin carry 1 to 64 paths");
  static_assert(Partial == 0 || Scoreboard == kScoreboardOptimistic, "hazards: Partial is 0 but with Scoreboard 2");

 public:
  using Unit = typename Kind::template Module<NumWb, kChecks>;
  using Wakeup = wakeup<NumWarps, kWakes ? NumSlots : 1, kWakes ? SbEntries : 1, NumWb>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // ibuffer
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(clear_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(fill_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(head_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kNamesWidth>>> SC_NAMED(head_names_i, kPaths);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(second_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kNamesWidth>>> SC_NAMED(second_names_i, kPaths);
  // decode
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(fill_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(fill_slot_i);
  sc_core::sc_in<Number<kNamesWidth>> SC_NAMED(fill_names_i);
  // issue
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(grant_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(grant_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(grant_slot_i);
  sc_core::sc_in<Number<kRegWidth>> SC_NAMED(grant_reg_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(grant_mask_i);
  // stack
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(mask_i, kPaths);
  sc_core::sc_in<bool> SC_NAMED(push_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(push_warp_i);
  sc_core::sc_in<bool> SC_NAMED(pop_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(pop_warp_i);
  // write-back
  sc_core::sc_in<Mask<NumWb>> SC_NAMED(wb_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kWarpW>>> SC_NAMED(wb_warp_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<kSlotW>>> SC_NAMED(wb_slot_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<kRegWidth>>> SC_NAMED(wb_reg_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(wb_mask_i, NumWb);
  // to issue
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(blocked_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(full_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(writes_o);

  SC_HAS_PROCESS(hazards);
  explicit hazards(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    SC_METHOD(show_writes);
    for (unsigned r = 0; r < kRows; ++r) sensitive << pending_[r];
    if constexpr (kWakes) {
      SC_METHOD(name_heads);
      for (unsigned p = 0; p < kPaths; ++p) sensitive << head_names_i[p];
      connect_wakeup();
    } else {
      SC_METHOD(show_blocked);
      for (unsigned c = 0; c < kChecks; ++c) sensitive << wait_[c];
      SC_METHOD(find_sets);
      sensitive << grant_i;
    }
    if constexpr (Scoreboard == kScoreboardBitmap) {
      SC_METHOD(name_paths);
      sensitive << grant_i;  // writes constants, but the compiler takes no loop without a sensitivity
    }
    connect_scoreboard();
    connect_copies();
    connect_state();
  }

  [[nodiscard]] static constexpr unsigned state_bits() {
    unsigned bits = Unit::state_bits();
    if constexpr (kWakes) bits += Wakeup::state_bits();
    return bits;
  }

 private:
  void show_writes() {
    std::uint64_t writes = 0;
    for (unsigned w = 0; w < NumWarps; ++w)
      writes = with_bit(writes, w, pending_[w].read() != 0 || pending_[kRows - NumWarps + w].read() != 0);
    writes_o.write(writes);
  }

  void show_blocked() {
    std::uint64_t blocked = 0;
    for (unsigned c = 0; c < kChecks; ++c) blocked = with_bit(blocked, c, wait_[c].read() != 0);
    blocked_o.write(blocked);
  }

  void name_heads() {
    for (unsigned p = 0; p < kPaths; ++p) head_rd_[p].write(bundle_rd(head_names_i[p].read()));
  }

  // Check port p is path p.
  void name_paths() {
    for (unsigned p = 0; p < kChecks; ++p) {
      check_warp_[p].write(warp_of_path<NumWarps>(p));
      check_slot_[p].write(slot_of_path<NumWarps>(p));
    }
  }

  // The warp that issues.
  void find_sets() {
    std::uint64_t sets = 0;
    for (unsigned s = 0; s < NumSlots; ++s) sets |= static_cast<std::uint64_t>(grant_i.read()) >> (s * NumWarps);
    sets_.write(sets & low_bits(NumWarps));
  }

  void connect_scoreboard() {
    scoreboard_.clk_i(clk_i);
    scoreboard_.rst_ni(rst_ni);
    scoreboard_.set_reg_i(grant_reg_i);
    scoreboard_.wb_valid_i(wb_valid_i);
    scoreboard_.wb_warp_i(wb_warp_i);
    scoreboard_.wb_reg_i(wb_reg_i);
    scoreboard_.check_wait_o(wait_);
    if constexpr (Kind::kOneTable) {
      scoreboard_.set_i(sets_);
      scoreboard_.set_mask_i(grant_mask_i);
      scoreboard_.wb_mask_i(wb_mask_i);
      scoreboard_.check_mask_i(mask_i);
    } else {
      scoreboard_.set_i(grant_i);
      scoreboard_.check_warp_i(check_warp_);
    }
    if constexpr (kWakes) {
      scoreboard_.check_names_i(check_names_);
      scoreboard_.check_full_o(check_full_);
      scoreboard_.wake_o(wake_);
    } else {
      scoreboard_.check_names_i(head_names_i);
      scoreboard_.check_full_o(full_o);
    }
  }

  void connect_copies() {
    if constexpr (Scoreboard == kScoreboardDpe || Scoreboard == kScoreboardBitmap) {
      scoreboard_.wb_slot_i(wb_slot_i);
      scoreboard_.copy0_valid_i(push_valid_i);
      scoreboard_.copy0_warp_i(push_warp_i);
      scoreboard_.copy1_valid_i(pop_valid_i);
      scoreboard_.copy1_warp_i(pop_warp_i);
      scoreboard_.check_slot_i(check_slot_);
    }
  }

  void connect_state() {
    if constexpr (Scoreboard == kScoreboardDpe) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        scoreboard_.pending_l_o[w](pending_[w]);
        scoreboard_.pending_r_o[w](pending_[NumWarps + w]);
        scoreboard_.shadow_l_o[w](shadow_[w]);
        scoreboard_.shadow_r_o[w](shadow_[NumWarps + w]);
      }
      for (unsigned i = 0; i < NumWarps * kEntries; ++i) {
        scoreboard_.reg_l_o[i](reg_[i]);
        scoreboard_.reg_r_o[i](reg_[NumWarps * kEntries + i]);
      }
    } else {
      scoreboard_.pending_o(pending_);
      if constexpr (Scoreboard == kScoreboardBitmap) scoreboard_.shadow_o(shadow_);
      else scoreboard_.reg_o(reg_);
      if constexpr (Kind::kOneTable) scoreboard_.mask_o(mask_);
    }
  }

  void connect_wakeup() {
    wakeup_[0].clk_i(clk_i);
    wakeup_[0].rst_ni(rst_ni);
    wakeup_[0].clear_i(clear_i);
    wakeup_[0].fill_i(fill_i);
    wakeup_[0].head_valid_i(head_valid_i);
    wakeup_[0].head_rd_i(head_rd_);
    wakeup_[0].second_valid_i(second_valid_i);
    wakeup_[0].second_i(second_names_i);
    wakeup_[0].fill_warp_i(fill_warp_i);
    wakeup_[0].fill_slot_i(fill_slot_i);
    wakeup_[0].fill_names_i(fill_names_i);
    wakeup_[0].take_i(grant_i);
    wakeup_[0].take_warp_i(grant_warp_i);
    wakeup_[0].take_slot_i(grant_slot_i);
    wakeup_[0].wb_warp_i(wb_warp_i);
    wakeup_[0].wb_slot_i(wb_slot_i);
    wakeup_[0].check_warp_o(check_warp_);
    wakeup_[0].check_slot_o(check_slot_);
    wakeup_[0].check_names_o(check_names_);
    wakeup_[0].check_wait_i(wait_);
    wakeup_[0].wake_i(wake_);
    wakeup_[0].pending_i(pending_);
    wakeup_[0].blocked_o(blocked_o);
    wakeup_[0].full_o(full_o);
  }

  Unit SC_NAMED(scoreboard_);
  sc_core::sc_vector<Wakeup> SC_NAMED(wakeup_, kWakes ? 1 : 0);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(sets_);
  sc_core::sc_vector<sc_core::sc_signal<Number<kRegWidth>>> SC_NAMED(head_rd_, kPaths);
  sc_core::sc_vector<sc_core::sc_signal<Number<kWarpW>>> SC_NAMED(check_warp_, kChecks);
  sc_core::sc_vector<sc_core::sc_signal<Number<1>>> SC_NAMED(check_slot_, kChecks);
  sc_core::sc_vector<sc_core::sc_signal<Number<kNamesWidth>>> SC_NAMED(check_names_, kChecks);
  sc_core::sc_vector<sc_core::sc_signal<Mask<kWaitW>>> SC_NAMED(wait_, kChecks);
  sc_core::sc_signal<Mask<kChecks>> SC_NAMED(check_full_);
  sc_core::sc_vector<sc_core::sc_signal<Mask<kEntries>>> SC_NAMED(wake_, NumWb);
  sc_core::sc_vector<sc_core::sc_signal<Mask<kRowW>>> SC_NAMED(pending_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Mask<kRowW>>> SC_NAMED(shadow_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<kRegWidth>>> SC_NAMED(reg_, kRows* kEntries);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(mask_, kRows* kEntries);
};

}  // namespace heddle
