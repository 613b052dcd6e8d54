// SPDX-License-Identifier: Apache-2.0
// dpe_scoreboard: a left and a right table of pending registers a warp, with shadow bits. Contract: docs/frontend.md,
// scoreboard/dpe_scoreboard; same pins as rtl/scoreboard/dpe_scoreboard.sv.
//
// DpeScoreboardLogic is the machine without a clock. For speed it keeps, beside the tables, the set of pending
// registers that they decode to (derived, not state): whether an instruction is blocked is then one AND.
#pragma once

#include "common/types.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned NumEntries = 8>
class DpeScoreboardLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "dpe_scoreboard: 1 to 64 warps");
  static_assert(NumEntries >= 1 && NumEntries <= 32, "dpe_scoreboard: 1 to 32 entries a table");

 public:
  static constexpr unsigned kTables = 2;

  // entry_limit: use this many entries of each table.
  explicit DpeScoreboardLogic(std::uint32_t entry_limit = NumEntries) : all_entries_(low_bits(entry_limit)) {
    HEDDLE_EXPECT(entry_limit >= 1 && entry_limit <= NumEntries);
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return 2 * NumWarps * NumEntries * (1 + 1 + 6); }
  [[nodiscard]] static constexpr unsigned shadow_bits() { return 2 * NumWarps * NumEntries; }

  void reset() {
    for (unsigned slot = 0; slot < 2; ++slot) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        pending_[slot][w] = 0;
        shadow_[slot][w] = 0;
        pending_names_[slot][w] = 0;
        shadow_names_[slot][w] = 0;
        for (unsigned e = 0; e < NumEntries; ++e) reg_[slot][w][e] = 0;
      }
    }
  }

  // The entry that a set in this cycle takes: call before clear() of the same cycle.
  [[nodiscard]] std::uint32_t free_entry(std::uint32_t warp, std::uint32_t slot) const {
    const std::uint64_t free = all_entries_ & ~pending_[slot][warp];
    HEDDLE_EXPECT(free != 0);
    return free != 0 ? lowest_bit(free) : 0;
  }

  // Write-back of `reg`, issued by path `slot`: P and S of its entry; nothing happens if it is not pending there.
  void clear(std::uint32_t warp, std::uint32_t slot, std::uint32_t reg, std::uint64_t /*mask*/) {
    if (has_bit(pending_names_[slot][warp], reg)) {
      std::uint64_t hit = 0;
      for (unsigned e = 0; e < NumEntries; ++e) {
        if (has_bit(pending_[slot][warp], e) && reg_[slot][warp][e] == reg) {
          hit = bit_of(e);
          break;
        }
      }
      pending_[slot][warp] &= ~hit;
      shadow_[slot][warp] &= ~hit;
      pending_names_[slot][warp] &= ~bit_of(reg);
      shadow_names_[slot][warp] &= ~bit_of(reg);
    }
  }

  // After clear(), before copy() of the same cycle. S of a free entry is 0 already.
  void set(std::uint32_t warp, std::uint32_t slot, std::uint32_t entry, std::uint32_t reg, std::uint64_t /*mask*/) {
    HEDDLE_EXPECT(reg != 0 && !has_bit(pending_names_[slot][warp], reg));
    pending_[slot][warp] |= bit_of(entry);
    reg_[slot][warp][entry] = static_cast<std::uint8_t>(reg);
    pending_names_[slot][warp] |= bit_of(reg);
  }

  // Push or pop of the warp's stack: S := P in both tables.
  void copy(std::uint32_t warp) {
    for (unsigned slot = 0; slot < 2; ++slot) {
      shadow_[slot][warp] = pending_[slot][warp];
      shadow_names_[slot][warp] = pending_names_[slot][warp];
    }
  }

  // An instruction that names these registers (a set) must wait: own table pending, or the other slot's table shadowed.
  [[nodiscard]] bool blocked(std::uint32_t warp, std::uint32_t slot, std::uint64_t names,
                             std::uint64_t /*mask*/) const {
    return (names & (pending_names_[slot][warp] | shadow_names_[1 - slot][warp])) != 0;
  }
  // The same, but for these registers of the other slot's table.
  [[nodiscard]] bool blocked_but(std::uint32_t warp, std::uint32_t slot, std::uint64_t names,
                                 std::uint64_t unheard) const {
    return (names & (pending_names_[slot][warp] | (shadow_names_[1 - slot][warp] & ~unheard))) != 0;
  }
  // Registers of pending entries without a shadow bit, which copy() will set.
  [[nodiscard]] std::uint64_t unshadowed_names(std::uint32_t warp, std::uint32_t slot) const {
    return pending_names_[slot][warp] & ~shadow_names_[slot][warp];
  }
  // For what: bit e an entry of the own table, bit NumEntries + e one of the other slot's.
  [[nodiscard]] std::uint64_t wait(std::uint32_t warp, std::uint32_t slot, std::uint64_t names,
                                   std::uint64_t /*mask*/) const {
    std::uint64_t entries = 0;
    for (unsigned e = 0; e < NumEntries; ++e) {
      if (has_bit(pending_[slot][warp], e) && has_bit(names, reg_[slot][warp][e])) entries |= bit_of(e);
      if (has_bit(shadow_[1 - slot][warp], e) && has_bit(names, reg_[1 - slot][warp][e]))
        entries |= bit_of(NumEntries + e);
    }
    return entries;
  }
  // The entry of its table that a write-back of `reg` frees, one-hot or 0: call before clear() of the same cycle.
  [[nodiscard]] std::uint64_t wake(std::uint32_t warp, std::uint32_t slot, std::uint32_t reg) const {
    return wait(warp, slot, bit_of(reg) & ~std::uint64_t{1}, 0) & low_bits(NumEntries);
  }
  // No entry is free (matters to an instruction with a destination only).
  [[nodiscard]] bool table_full(std::uint32_t warp, std::uint32_t slot) const {
    return pending_[slot][warp] == all_entries_;
  }

  [[nodiscard]] std::uint64_t pending(std::uint32_t warp, std::uint32_t slot) const { return pending_[slot][warp]; }
  [[nodiscard]] std::uint64_t shadow(std::uint32_t warp, std::uint32_t slot) const { return shadow_[slot][warp]; }
  [[nodiscard]] std::uint32_t reg(std::uint32_t warp, std::uint32_t slot, std::uint32_t entry) const {
    return reg_[slot][warp][entry];
  }
  // No write of the warp is in flight.
  [[nodiscard]] bool quiet(std::uint32_t warp) const { return (pending_[0][warp] | pending_[1][warp]) == 0; }
  [[nodiscard]] std::uint64_t all_entries() const { return all_entries_; }

 private:
  const std::uint64_t all_entries_;
  std::uint64_t pending_[2][NumWarps] = {};
  std::uint64_t shadow_[2][NumWarps] = {};
  std::uint64_t pending_names_[2][NumWarps] = {};  // derived: registers of pending entries
  std::uint64_t shadow_names_[2][NumWarps] = {};   // derived: registers of shadowed entries
  std::uint8_t reg_[2][NumWarps][NumEntries] = {};
};

template <unsigned NumWarps = 24, unsigned NumEntries = 8, unsigned NumWb = 2, unsigned NumCheck = 3>
class dpe_scoreboard : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static_assert(NumWb >= 1 && NumWb <= 64, "dpe_scoreboard: 1 to 64 ports of write-back");
  static_assert(NumCheck >= 1 && NumCheck <= 64, "dpe_scoreboard: 1 to 64 check ports");

 public:
  using Logic = DpeScoreboardLogic<NumWarps, NumEntries>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // issue
  sc_core::sc_in<Mask<2 * NumWarps>> SC_NAMED(set_i);
  sc_core::sc_in<Number<kRegWidth>> SC_NAMED(set_reg_i);
  // write-back
  sc_core::sc_in<Mask<NumWb>> SC_NAMED(wb_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kWarpW>>> SC_NAMED(wb_warp_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<1>>> SC_NAMED(wb_slot_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<kRegWidth>>> SC_NAMED(wb_reg_i, NumWb);
  // stack
  sc_core::sc_in<bool> SC_NAMED(copy0_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(copy0_warp_i);
  sc_core::sc_in<bool> SC_NAMED(copy1_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(copy1_warp_i);
  // check
  sc_core::sc_vector<sc_core::sc_in<Number<kWarpW>>> SC_NAMED(check_warp_i, NumCheck);
  sc_core::sc_vector<sc_core::sc_in<Number<1>>> SC_NAMED(check_slot_i, NumCheck);
  sc_core::sc_vector<sc_core::sc_in<Number<kNamesWidth>>> SC_NAMED(check_names_i, NumCheck);
  sc_core::sc_vector<sc_core::sc_out<Mask<2 * NumEntries>>> SC_NAMED(check_wait_o, NumCheck);
  sc_core::sc_out<Mask<NumCheck>> SC_NAMED(check_full_o);
  // wake
  sc_core::sc_vector<sc_core::sc_out<Mask<NumEntries>>> SC_NAMED(wake_o, NumWb);
  // state
  sc_core::sc_vector<sc_core::sc_out<Mask<NumEntries>>> SC_NAMED(pending_l_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Mask<NumEntries>>> SC_NAMED(shadow_l_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<kRegWidth>>> SC_NAMED(reg_l_o, NumWarps* NumEntries);
  sc_core::sc_vector<sc_core::sc_out<Mask<NumEntries>>> SC_NAMED(pending_r_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Mask<NumEntries>>> SC_NAMED(shadow_r_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<kRegWidth>>> SC_NAMED(reg_r_o, NumWarps* NumEntries);

  SC_HAS_PROCESS(dpe_scoreboard);
  explicit dpe_scoreboard(sc_core::sc_module_name name, std::uint32_t entry_limit = NumEntries)
      : sc_core::sc_module(name),
        all_entries_(low_bits(entry_limit)) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(check);
    for (unsigned c = 0; c < NumCheck; ++c) sensitive << check_warp_i[c] << check_slot_i[c] << check_names_i[c];
    for (unsigned w = 0; w < NumWarps; ++w)
      sensitive << pending_l_o[w] << shadow_l_o[w] << pending_r_o[w] << shadow_r_o[w];
    for (unsigned i = 0; i < NumWarps * NumEntries; ++i) sensitive << reg_l_o[i] << reg_r_o[i];
    SC_METHOD(show_wakes);
    sensitive << wb_valid_i;
    for (unsigned k = 0; k < NumWb; ++k) sensitive << wb_warp_i[k] << wb_slot_i[k] << wb_reg_i[k];
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << pending_l_o[w] << pending_r_o[w];
    for (unsigned i = 0; i < NumWarps * NumEntries; ++i) sensitive << reg_l_o[i] << reg_r_o[i];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      pending_l_o[w].write(0);
      shadow_l_o[w].write(0);
      pending_r_o[w].write(0);
      shadow_r_o[w].write(0);
    }
    for (unsigned i = 0; i < NumWarps * NumEntries; ++i) {
      reg_l_o[i].write(0);
      reg_r_o[i].write(0);
    }
  }

  // Which entries are freed show_wakes() says.
  void step() {
    HEDDLE_EXPECT(at_most_one(set_i.read()));
    const std::uint64_t sets = set_reg_i.read() != 0 ? static_cast<std::uint64_t>(set_i.read()) : 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      std::uint64_t woken_l = 0;
      std::uint64_t woken_r = 0;
      for (unsigned k = 0; k < NumWb; ++k) {
        if (wb_warp_i[k].read() == w) {
          if (wb_slot_i[k].read() != 0) {
            woken_r |= wake_o[k].read();
          } else {
            woken_l |= wake_o[k].read();
          }
        }
      }
      const std::uint64_t old_l = pending_l_o[w].read();
      const std::uint64_t old_r = pending_r_o[w].read();
      const std::uint64_t free_l = all_entries_ & ~old_l;
      const std::uint64_t free_r = all_entries_ & ~old_r;
      const std::uint64_t taken_l = has_bit(sets, w) ? free_l & (~free_l + 1) : 0;
      const std::uint64_t taken_r = has_bit(sets, NumWarps + w) ? free_r & (~free_r + 1) : 0;
      const std::uint64_t pending_l = (old_l & ~woken_l) | taken_l;
      const std::uint64_t pending_r = (old_r & ~woken_r) | taken_r;
      const bool copies =
          (copy0_valid_i.read() && copy0_warp_i.read() == w) || (copy1_valid_i.read() && copy1_warp_i.read() == w);
      pending_l_o[w].write(pending_l);
      pending_r_o[w].write(pending_r);
      shadow_l_o[w].write(copies ? pending_l : shadow_l_o[w].read() & ~woken_l);
      shadow_r_o[w].write(copies ? pending_r : shadow_r_o[w].read() & ~woken_r);
      for (unsigned e = 0; e < NumEntries; ++e) {
        if (has_bit(taken_l, e)) reg_l_o[w * NumEntries + e].write(set_reg_i.read());
        if (has_bit(taken_r, e)) reg_r_o[w * NumEntries + e].write(set_reg_i.read());
      }
    }
  }

  void check() {
    std::uint64_t full = 0;
    for (unsigned c = 0; c < NumCheck; ++c) {
      const std::uint32_t warp = check_warp_i[c].read();
      const std::uint32_t names = check_names_i[c].read();
      std::uint64_t wait = 0;
      if (warp < NumWarps) {
        const bool right = check_slot_i[c].read() != 0;
        const std::uint64_t own = right ? pending_r_o[warp].read() : pending_l_o[warp].read();
        const std::uint64_t other = right ? shadow_l_o[warp].read() : shadow_r_o[warp].read();
        wait = matching(warp, right, own, name_set(names)) | matching(warp, !right, other, name_set(names))
                                                                 << NumEntries;
        full = with_bit(full, c, bundle_rd(names) != 0 && own == all_entries_);
      }
      check_wait_o[c].write(wait);
    }
    check_full_o.write(full);
  }

  void show_wakes() {
    for (unsigned k = 0; k < NumWb; ++k) {
      std::uint64_t entry = 0;
      if (has_bit(wb_valid_i.read(), k)) {
        const std::uint32_t warp = wb_warp_i[k].read();
        const bool right = wb_slot_i[k].read() != 0;
        const std::uint64_t pending = right ? pending_r_o[warp].read() : pending_l_o[warp].read();
        entry = matching(warp, right, pending, bit_of(wb_reg_i[k].read()) & ~std::uint64_t{1});
      }
      wake_o[k].write(entry);
    }
  }

  // Of these entries of a table those of the registers that are named.
  [[nodiscard]] std::uint64_t matching(std::uint32_t warp, bool right, std::uint64_t entries,
                                       std::uint64_t names) const {
    std::uint64_t result = 0;
    for (unsigned e = 0; e < NumEntries; ++e) {
      const std::uint32_t reg = right ? reg_r_o[warp * NumEntries + e].read() : reg_l_o[warp * NumEntries + e].read();
      result = with_bit(result, e, has_bit(entries, e) && has_bit(names, reg));
    }
    return result;
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint64_t all_entries_;
};

}  // namespace heddle
