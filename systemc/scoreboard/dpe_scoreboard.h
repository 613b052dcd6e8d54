// SPDX-License-Identifier: Apache-2.0
// dpe_scoreboard: a left and a right table of pending registers a warp, with shadow bits. Contract: docs/frontend.md,
// scoreboard/dpe_scoreboard; same pins as rtl/scoreboard/dpe_scoreboard.sv.
//
// DpeScoreboardLogic is the machine without a clock. For speed it keeps, beside the tables, the set of pending registers
// that they decode to (derived, not state): a query is then one AND.
#pragma once

#include "common/types.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned NumEntries = 8>
class DpeScoreboardLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "dpe_scoreboard: 1 to 64 warps");
  static_assert(NumEntries >= 1 && NumEntries <= 64, "dpe_scoreboard: 1 to 64 entries");

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

  // Own table pending, or the other slot's table shadowed.
  [[nodiscard]] bool blocked(std::uint32_t warp, std::uint32_t slot, std::uint64_t names, std::uint64_t /*mask*/) const {
    return (names & (pending_names_[slot][warp] | shadow_names_[1 - slot][warp])) != 0;
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
  [[nodiscard]] std::uint64_t all_entries() const { return all_entries_; }

 private:
  const std::uint64_t all_entries_;
  std::uint64_t pending_[2][NumWarps] = {};
  std::uint64_t shadow_[2][NumWarps] = {};
  std::uint64_t pending_names_[2][NumWarps] = {};  // derived: registers of pending entries
  std::uint64_t shadow_names_[2][NumWarps] = {};   // derived: registers of shadowed entries
  std::uint8_t reg_[2][NumWarps][NumEntries] = {};
};

template <unsigned NumWarps = 24, unsigned NumEntries = 8>
class dpe_scoreboard : public sc_core::sc_module {
 public:
  using Logic = DpeScoreboardLogic<NumWarps, NumEntries>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // issue
  sc_core::sc_in<bool> SC_NAMED(set_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(set_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(set_slot_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(set_reg_i);
  // write-back
  sc_core::sc_in<bool> SC_NAMED(wb0_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb0_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb0_slot_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb0_reg_i);
  sc_core::sc_in<bool> SC_NAMED(wb1_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb1_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb1_slot_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb1_reg_i);
  // stack
  sc_core::sc_in<bool> SC_NAMED(copy0_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(copy0_warp_i);
  sc_core::sc_in<bool> SC_NAMED(copy1_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(copy1_warp_i);
  // query
  sc_core::sc_vector<sc_core::sc_in<std::uint32_t>> SC_NAMED(head_l_i, NumWarps);
  sc_core::sc_vector<sc_core::sc_in<std::uint32_t>> SC_NAMED(head_r_i, NumWarps);
  sc_core::sc_out<std::uint64_t> SC_NAMED(blocked_l_o);
  sc_core::sc_out<std::uint64_t> SC_NAMED(blocked_r_o);
  sc_core::sc_out<std::uint64_t> SC_NAMED(full_l_o);
  sc_core::sc_out<std::uint64_t> SC_NAMED(full_r_o);
  // state
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> SC_NAMED(pending_l_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> SC_NAMED(shadow_l_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(reg_l_o, NumWarps * NumEntries);
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> SC_NAMED(pending_r_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> SC_NAMED(shadow_r_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(reg_r_o, NumWarps * NumEntries);

  SC_HAS_PROCESS(dpe_scoreboard);
  explicit dpe_scoreboard(sc_core::sc_module_name name, std::uint32_t entry_limit = NumEntries)
      : sc_core::sc_module(name), all_entries_(low_bits(entry_limit)), logic_(entry_limit) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(query);
    for (unsigned w = 0; w < NumWarps; ++w) {
      sensitive << head_l_i[w] << head_r_i[w] << pending_l_o[w] << shadow_l_o[w] << pending_r_o[w] << shadow_r_o[w];
    }
    for (unsigned i = 0; i < NumWarps * NumEntries; ++i) sensitive << reg_l_o[i] << reg_r_o[i];
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
    const std::uint32_t entry = set ? logic_.free_entry(set_warp_i.read(), set_slot_i.read()) : 0;
    if (wb0_valid_i.read()) logic_.clear(wb0_warp_i.read(), wb0_slot_i.read(), wb0_reg_i.read(), 0);
    if (wb1_valid_i.read()) logic_.clear(wb1_warp_i.read(), wb1_slot_i.read(), wb1_reg_i.read(), 0);
    if (set) logic_.set(set_warp_i.read(), set_slot_i.read(), entry, set_reg_i.read(), 0);
    if (copy0_valid_i.read()) logic_.copy(copy0_warp_i.read());
    if (copy1_valid_i.read()) logic_.copy(copy1_warp_i.read());
    if (wb0_valid_i.read()) write_warp(wb0_warp_i.read());
    if (wb1_valid_i.read()) write_warp(wb1_warp_i.read());
    if (set) write_warp(set_warp_i.read());
    if (copy0_valid_i.read()) write_warp(copy0_warp_i.read());
    if (copy1_valid_i.read()) write_warp(copy1_warp_i.read());
  }

  void query() {
    std::uint64_t blocked_l = 0;
    std::uint64_t blocked_r = 0;
    std::uint64_t full_l = 0;
    std::uint64_t full_r = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      std::uint64_t names_for_l = 0;  // registers that block the left path
      std::uint64_t names_for_r = 0;
      for (unsigned e = 0; e < NumEntries; ++e) {
        const std::uint64_t name_l = bit_of(reg_l_o[w * NumEntries + e].read());
        const std::uint64_t name_r = bit_of(reg_r_o[w * NumEntries + e].read());
        if (has_bit(pending_l_o[w].read(), e)) names_for_l |= name_l;
        if (has_bit(shadow_l_o[w].read(), e)) names_for_r |= name_l;
        if (has_bit(pending_r_o[w].read(), e)) names_for_r |= name_r;
        if (has_bit(shadow_r_o[w].read(), e)) names_for_l |= name_r;
      }
      blocked_l = with_bit(blocked_l, w, (name_set(head_l_i[w].read()) & names_for_l) != 0);
      blocked_r = with_bit(blocked_r, w, (name_set(head_r_i[w].read()) & names_for_r) != 0);
      full_l = with_bit(full_l, w, bundle_rd(head_l_i[w].read()) != 0 && pending_l_o[w].read() == all_entries_);
      full_r = with_bit(full_r, w, bundle_rd(head_r_i[w].read()) != 0 && pending_r_o[w].read() == all_entries_);
    }
    blocked_l_o.write(blocked_l);
    blocked_r_o.write(blocked_r);
    full_l_o.write(full_l);
    full_r_o.write(full_r);
  }

  void write_warp(std::uint32_t warp) {
    pending_l_o[warp].write(logic_.pending(warp, 0));
    shadow_l_o[warp].write(logic_.shadow(warp, 0));
    pending_r_o[warp].write(logic_.pending(warp, 1));
    shadow_r_o[warp].write(logic_.shadow(warp, 1));
    for (unsigned e = 0; e < NumEntries; ++e) {
      reg_l_o[warp * NumEntries + e].write(logic_.reg(warp, 0, e));
      reg_r_o[warp * NumEntries + e].write(logic_.reg(warp, 1, e));
    }
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint64_t all_entries_;
  Logic logic_;
};

}  // namespace heddle
