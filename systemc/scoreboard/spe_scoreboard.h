// SPDX-License-Identifier: Apache-2.0
// spe_scoreboard: one table of pending registers a warp. Contract: docs/frontend.md, scoreboard/spe_scoreboard; same pins
// as rtl/scoreboard/spe_scoreboard.sv.
//
// SpeScoreboardLogic is the machine without a clock. For speed it keeps, beside the tables, the set of pending registers
// that they decode to (derived, not state): a query is then one AND.
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

  [[nodiscard]] bool blocked(std::uint32_t warp, std::uint32_t /*slot*/, std::uint64_t names, std::uint64_t /*mask*/) const {
    return (names & names_[warp]) != 0;
  }
  // No entry is free (matters to an instruction with a destination only).
  [[nodiscard]] bool table_full(std::uint32_t warp, std::uint32_t /*slot*/) const {
    return pending_[warp] == all_entries_;
  }

  [[nodiscard]] std::uint64_t pending(std::uint32_t warp, std::uint32_t /*slot*/) const { return pending_[warp]; }  // bit an entry
  [[nodiscard]] std::uint32_t reg(std::uint32_t warp, std::uint32_t /*slot*/, std::uint32_t entry) const {
    return reg_[warp][entry];
  }
  [[nodiscard]] std::uint64_t all_entries() const { return all_entries_; }

 private:
  const std::uint64_t all_entries_;
  std::uint64_t pending_[NumWarps] = {};
  std::uint64_t names_[NumWarps] = {};  // derived: registers of pending entries
  std::uint8_t reg_[NumWarps][NumEntries] = {};
};

template <unsigned NumWarps = 24, unsigned NumEntries = 8>
class spe_scoreboard : public sc_core::sc_module {
 public:
  using Logic = SpeScoreboardLogic<NumWarps, NumEntries>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // issue
  sc_core::sc_in<bool> SC_NAMED(set_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(set_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(set_reg_i);
  // write-back
  sc_core::sc_in<bool> SC_NAMED(wb0_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb0_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb0_reg_i);
  sc_core::sc_in<bool> SC_NAMED(wb1_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb1_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb1_reg_i);
  // query
  sc_core::sc_vector<sc_core::sc_in<std::uint32_t>> SC_NAMED(head_i, NumWarps);
  sc_core::sc_out<std::uint64_t> SC_NAMED(blocked_o);
  sc_core::sc_out<std::uint64_t> SC_NAMED(full_o);
  // state
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> SC_NAMED(pending_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(reg_o, NumWarps * NumEntries);

  SC_HAS_PROCESS(spe_scoreboard);
  explicit spe_scoreboard(sc_core::sc_module_name name, std::uint32_t entry_limit = NumEntries)
      : sc_core::sc_module(name), all_entries_(low_bits(entry_limit)), logic_(entry_limit) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(query);
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << head_i[w] << pending_o[w];
    for (unsigned i = 0; i < NumWarps * NumEntries; ++i) sensitive << reg_o[i];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const Logic& state() const { return logic_; }
#endif

 private:
  void reset() {
    logic_.reset();
    for (unsigned w = 0; w < NumWarps; ++w) write_warp(w);
  }

  void step() {
    const bool set = set_valid_i.read() && set_reg_i.read() != 0;
    const std::uint32_t entry = set ? logic_.free_entry(set_warp_i.read(), 0) : 0;
    if (wb0_valid_i.read()) {
      logic_.clear(wb0_warp_i.read(), 0, wb0_reg_i.read(), 0);
      write_warp(wb0_warp_i.read());
    }
    if (wb1_valid_i.read()) {
      logic_.clear(wb1_warp_i.read(), 0, wb1_reg_i.read(), 0);
      write_warp(wb1_warp_i.read());
    }
    if (set) {
      logic_.set(set_warp_i.read(), 0, entry, set_reg_i.read(), 0);
      write_warp(set_warp_i.read());
    }
  }

  void query() {
    std::uint64_t blocked = 0;
    std::uint64_t full = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const std::uint64_t pending = pending_o[w].read();
      std::uint64_t names = 0;
      for (unsigned e = 0; e < NumEntries; ++e) {
        if (has_bit(pending, e)) names |= bit_of(reg_o[w * NumEntries + e].read());
      }
      const std::uint32_t head = head_i[w].read();
      blocked = with_bit(blocked, w, (name_set(head) & names) != 0);
      full = with_bit(full, w, bundle_rd(head) != 0 && pending == all_entries_);
    }
    blocked_o.write(blocked);
    full_o.write(full);
  }

  void write_warp(std::uint32_t warp) {
    pending_o[warp].write(logic_.pending(warp, 0));
    for (unsigned e = 0; e < NumEntries; ++e) reg_o[warp * NumEntries + e].write(logic_.reg(warp, 0, e));
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint64_t all_entries_;
  Logic logic_;
};

}  // namespace heddle
