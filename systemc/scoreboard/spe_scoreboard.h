// SPDX-License-Identifier: Apache-2.0
// spe_scoreboard: one table of pending registers a warp. Contract: docs/frontend.md, scoreboard/spe_scoreboard; same
// pins as rtl/scoreboard/spe_scoreboard.sv.
//
// SpeScoreboardLogic is the machine without a clock. For speed it keeps, beside the tables, the set of pending
// registers that they decode to (derived, not state): whether an instruction is blocked is then one AND.
#pragma once

#include "common/types.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned NumEntries = 8>
class SpeScoreboardLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "spe_scoreboard: 1 to 64 warps");
  static_assert(NumEntries >= 1 && NumEntries <= 64, "spe_scoreboard: 1 to 64 entries");

 public:
  static constexpr unsigned kTables = 1;

  // entry_limit: use this many entries of each table.
  explicit SpeScoreboardLogic(std::uint32_t entry_limit = NumEntries) : all_entries_(low_bits(entry_limit)) {
    HEDDLE_EXPECT(entry_limit >= 1 && entry_limit <= NumEntries);
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return NumWarps * NumEntries * (1 + 6); }

  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      pending_[w] = 0;
      names_[w] = 0;
      for (unsigned e = 0; e < NumEntries; ++e) reg_[w][e] = 0;
    }
  }

  // The entry that a set in this cycle takes: call before clear() of the same cycle.
  [[nodiscard]] std::uint32_t free_entry(std::uint32_t warp, std::uint32_t /*slot*/) const {
    const std::uint64_t free = all_entries_ & ~pending_[warp];
    HEDDLE_EXPECT(free != 0);
    return free != 0 ? lowest_bit(free) : 0;
  }

  // Write-back of `reg`; nothing happens if it is not pending.
  void clear(std::uint32_t warp, std::uint32_t /*slot*/, std::uint32_t reg, std::uint64_t /*mask*/) {
    if (has_bit(names_[warp], reg)) {
      std::uint64_t hit = 0;
      for (unsigned e = 0; e < NumEntries; ++e) {
        if (has_bit(pending_[warp], e) && reg_[warp][e] == reg) {
          hit = bit_of(e);
          break;
        }
      }
      pending_[warp] &= ~hit;
      names_[warp] &= ~bit_of(reg);
    }
  }

  // After clear() of the same cycle.
  void set(std::uint32_t warp, std::uint32_t /*slot*/, std::uint32_t entry, std::uint32_t reg, std::uint64_t /*mask*/) {
    HEDDLE_EXPECT(reg != 0 && !has_bit(names_[warp], reg));
    pending_[warp] |= bit_of(entry);
    reg_[warp][entry] = static_cast<std::uint8_t>(reg);
    names_[warp] |= bit_of(reg);
  }

  // Push or pop: nothing.
  void copy(std::uint32_t /*warp*/) {}

  // An instruction that names these registers (a set) must wait.
  [[nodiscard]] bool blocked(std::uint32_t warp, std::uint32_t /*slot*/, std::uint64_t names,
                             std::uint64_t /*mask*/) const {
    return (names & names_[warp]) != 0;
  }
  // For what, bit an entry.
  [[nodiscard]] std::uint64_t wait(std::uint32_t warp, std::uint32_t /*slot*/, std::uint64_t names,
                                   std::uint64_t /*mask*/) const {
    std::uint64_t entries = 0;
    for (unsigned e = 0; e < NumEntries; ++e) {
      if (has_bit(pending_[warp], e) && has_bit(names, reg_[warp][e])) entries |= bit_of(e);
    }
    return entries;
  }
  // The entry that a write-back of `reg` frees, one-hot or 0: call before clear() of the same cycle.
  [[nodiscard]] std::uint64_t wake(std::uint32_t warp, std::uint32_t slot, std::uint32_t reg) const {
    return wait(warp, slot, bit_of(reg) & ~std::uint64_t{1}, 0);
  }
  // No entry is free (matters to an instruction with a destination only).
  [[nodiscard]] bool table_full(std::uint32_t warp, std::uint32_t /*slot*/) const {
    return pending_[warp] == all_entries_;
  }

  [[nodiscard]] std::uint64_t pending(std::uint32_t warp, std::uint32_t /*slot*/) const {
    return pending_[warp];
  }  // bit an entry
  [[nodiscard]] std::uint32_t reg(std::uint32_t warp, std::uint32_t /*slot*/, std::uint32_t entry) const {
    return reg_[warp][entry];
  }
  [[nodiscard]] bool quiet(std::uint32_t warp) const {
    return pending_[warp] == 0;
  }  // no write of the warp is in flight
  [[nodiscard]] std::uint64_t all_entries() const { return all_entries_; }

 private:
  const std::uint64_t all_entries_;
  std::uint64_t pending_[NumWarps] = {};
  std::uint64_t names_[NumWarps] = {};  // derived: registers of pending entries
  std::uint8_t reg_[NumWarps][NumEntries] = {};
};

template <unsigned NumWarps = 24, unsigned NumEntries = 8, unsigned NumWb = 2, unsigned NumCheck = 3>
class spe_scoreboard : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static_assert(NumWb >= 1 && NumWb <= 64, "spe_scoreboard: 1 to 64 ports of write-back");
  static_assert(NumCheck >= 1 && NumCheck <= 64, "spe_scoreboard: 1 to 64 check ports");

 public:
  using Logic = SpeScoreboardLogic<NumWarps, NumEntries>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // issue
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(set_i);
  sc_core::sc_in<Number<kRegWidth>> SC_NAMED(set_reg_i);
  // write-back
  sc_core::sc_in<Mask<NumWb>> SC_NAMED(wb_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kWarpW>>> SC_NAMED(wb_warp_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<kRegWidth>>> SC_NAMED(wb_reg_i, NumWb);
  // check
  sc_core::sc_vector<sc_core::sc_in<Number<kWarpW>>> SC_NAMED(check_warp_i, NumCheck);
  sc_core::sc_vector<sc_core::sc_in<Number<kNamesWidth>>> SC_NAMED(check_names_i, NumCheck);
  sc_core::sc_vector<sc_core::sc_out<Mask<NumEntries>>> SC_NAMED(check_wait_o, NumCheck);
  sc_core::sc_out<Mask<NumCheck>> SC_NAMED(check_full_o);
  // wake
  sc_core::sc_vector<sc_core::sc_out<Mask<NumEntries>>> SC_NAMED(wake_o, NumWb);
  // state
  sc_core::sc_vector<sc_core::sc_out<Mask<NumEntries>>> SC_NAMED(pending_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<kRegWidth>>> SC_NAMED(reg_o, NumWarps* NumEntries);

  SC_HAS_PROCESS(spe_scoreboard);
  explicit spe_scoreboard(sc_core::sc_module_name name, std::uint32_t entry_limit = NumEntries)
      : sc_core::sc_module(name),
        all_entries_(low_bits(entry_limit)) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(check);
    for (unsigned c = 0; c < NumCheck; ++c) sensitive << check_warp_i[c] << check_names_i[c];
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << pending_o[w];
    for (unsigned i = 0; i < NumWarps * NumEntries; ++i) sensitive << reg_o[i];
    SC_METHOD(show_wakes);
    sensitive << wb_valid_i;
    for (unsigned k = 0; k < NumWb; ++k) sensitive << wb_warp_i[k] << wb_reg_i[k];
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << pending_o[w];
    for (unsigned i = 0; i < NumWarps * NumEntries; ++i) sensitive << reg_o[i];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) pending_o[w].write(0);
    for (unsigned i = 0; i < NumWarps * NumEntries; ++i) reg_o[i].write(0);
  }

  // Which entries are freed show_wakes() says.
  void step() {
    HEDDLE_EXPECT(at_most_one(set_i.read()));
    const std::uint64_t sets = set_reg_i.read() != 0 ? static_cast<std::uint64_t>(set_i.read()) : 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      std::uint64_t woken = 0;
      for (unsigned k = 0; k < NumWb; ++k) {
        if (wb_warp_i[k].read() == w) woken |= wake_o[k].read();
      }
      const std::uint64_t pending = pending_o[w].read();
      const std::uint64_t free = all_entries_ & ~pending;
      const std::uint64_t taken = has_bit(sets, w) ? free & (~free + 1) : 0;
      pending_o[w].write((pending & ~woken) | taken);
      for (unsigned e = 0; e < NumEntries; ++e) {
        if (has_bit(taken, e)) reg_o[w * NumEntries + e].write(set_reg_i.read());
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
        wait = waiting(warp, name_set(names));
        full = with_bit(full, c, bundle_rd(names) != 0 && pending_o[warp].read() == all_entries_);
      }
      check_wait_o[c].write(wait);
    }
    check_full_o.write(full);
  }

  void show_wakes() {
    for (unsigned k = 0; k < NumWb; ++k) {
      std::uint64_t entry = 0;
      if (has_bit(wb_valid_i.read(), k))
        entry = waiting(wb_warp_i[k].read(), bit_of(wb_reg_i[k].read()) & ~std::uint64_t{1});
      wake_o[k].write(entry);
    }
  }

  // Pending entries of these registers, from the registers behind the pins.
  [[nodiscard]] std::uint64_t waiting(std::uint32_t warp, std::uint64_t names) const {
    std::uint64_t entries = 0;
    for (unsigned e = 0; e < NumEntries; ++e) {
      entries = with_bit(entries, e,
                         has_bit(pending_o[warp].read(), e) && has_bit(names, reg_o[warp * NumEntries + e].read()));
    }
    return entries;
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint64_t all_entries_;
};

}  // namespace heddle
