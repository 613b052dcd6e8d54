// SPDX-License-Identifier: Apache-2.0
// optimistic_scoreboard: one table a warp whose entries keep the threads of the write, so without false dependences.
// Contract: docs/frontend.md, scoreboard/optimistic_scoreboard; same pins as rtl/scoreboard/optimistic_scoreboard.sv.
//
// OptimisticScoreboardLogic is the machine without a clock. For speed it keeps, beside the tables, the set of pending
// registers that they decode to (derived, not state): most questions end there.
#pragma once

#include "common/types.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned NumEntries = 16, unsigned Partial = 0>
class OptimisticScoreboardLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "optimistic_scoreboard: 1 to 64 warps");
  static_assert(Lanes >= 1 && Lanes <= 64, "optimistic_scoreboard: 1 to 64 lanes");
  static_assert(NumEntries >= 1 && NumEntries <= 64, "optimistic_scoreboard: 1 to 64 entries");

 public:
  static constexpr unsigned kTables = 1;

  // entry_limit: use this many entries of each table.
  explicit OptimisticScoreboardLogic(std::uint32_t entry_limit = NumEntries) : all_entries_(low_bits(entry_limit)) {
    HEDDLE_EXPECT(entry_limit >= 1 && entry_limit <= NumEntries);
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return NumWarps * NumEntries * (1 + 6 + Lanes); }

  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      pending_[w] = 0;
      names_[w] = 0;
      for (unsigned e = 0; e < NumEntries; ++e) {
        reg_[w][e] = 0;
        mask_[w][e] = 0;
      }
    }
  }

  // The entry that a set in this cycle takes: call before clear() of the same cycle.
  [[nodiscard]] std::uint32_t free_entry(std::uint32_t warp, std::uint32_t /*slot*/) const {
    const std::uint64_t free = all_entries_ & ~pending_[warp];
    HEDDLE_EXPECT(free != 0);
    return free != 0 ? lowest_bit(free) : 0;
  }

  // Write-back of `reg` by the threads of `mask`: every pending entry of that register with a common thread.
  void clear(std::uint32_t warp, std::uint32_t /*slot*/, std::uint32_t reg, std::uint64_t mask) {
    if (has_bit(names_[warp], reg)) {
      std::uint64_t still_pending = 0;
      std::uint64_t names = 0;
      for (unsigned e = 0; e < NumEntries; ++e) {
        if ((pending_[warp] >> e) == 0) break;  // no entry from here on
        bool hit = reg_[warp][e] == reg && (mask_[warp][e] & mask) != 0;
        if constexpr (Partial != 0) {  // the other threads' writes come later
          if (hit) mask_[warp][e] &= ~mask;
          hit = hit && mask_[warp][e] == 0;
        }
        if (has_bit(pending_[warp], e) && !hit) {
          still_pending |= bit_of(e);
          names |= bit_of(reg_[warp][e]);
        }
      }
      pending_[warp] = still_pending;
      names_[warp] = names;
    }
  }

  // After clear() of the same cycle.
  void set(std::uint32_t warp, std::uint32_t /*slot*/, std::uint32_t entry, std::uint32_t reg, std::uint64_t mask) {
    HEDDLE_EXPECT(reg != 0);
    pending_[warp] |= bit_of(entry);
    reg_[warp][entry] = static_cast<std::uint8_t>(reg);
    mask_[warp][entry] = mask;
    names_[warp] |= bit_of(reg);
  }

  // Push or pop: nothing.
  void copy(std::uint32_t /*warp*/) {}

  // `mask`: the threads of the path that asks.
  [[nodiscard]] bool blocked(std::uint32_t warp, std::uint32_t /*slot*/, std::uint64_t names,
                             std::uint64_t mask) const {
    bool hit = false;
    if ((names & names_[warp]) != 0) {
      for (unsigned e = 0; e < NumEntries; ++e) {
        if ((pending_[warp] >> e) == 0) break;  // no entry from here on
        hit |= has_bit(pending_[warp], e) && has_bit(names, reg_[warp][e]) && (mask_[warp][e] & mask) != 0;
      }
    }
    return hit;
  }
  // For what, bit an entry.
  [[nodiscard]] std::uint64_t wait(std::uint32_t warp, std::uint32_t /*slot*/, std::uint64_t names,
                                   std::uint64_t mask) const {
    std::uint64_t entries = 0;
    for (unsigned e = 0; e < NumEntries; ++e) {
      if (has_bit(pending_[warp], e) && has_bit(names, reg_[warp][e]) && (mask_[warp][e] & mask) != 0)
        entries |= bit_of(e);
    }
    return entries;
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
  [[nodiscard]] std::uint64_t mask(std::uint32_t warp, std::uint32_t entry) const { return mask_[warp][entry]; }
  [[nodiscard]] bool quiet(std::uint32_t warp) const {
    return pending_[warp] == 0;
  }  // no write of the warp is in flight
  [[nodiscard]] std::uint64_t all_entries() const { return all_entries_; }

 private:
  const std::uint64_t all_entries_;
  std::uint64_t pending_[NumWarps] = {};
  std::uint64_t names_[NumWarps] = {};  // derived: registers of pending entries
  std::uint8_t reg_[NumWarps][NumEntries] = {};
  std::uint64_t mask_[NumWarps][NumEntries] = {};
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned NumEntries = 16, unsigned NumWb = 2,
          unsigned NumCheck = 24, unsigned Partial = 0>
class optimistic_scoreboard : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static_assert(NumWb >= 1 && NumWb <= 64, "optimistic_scoreboard: 1 to 64 ports of write-back");
  static_assert(NumCheck >= 1 && NumCheck <= 64, "optimistic_scoreboard: 1 to 64 check ports");
  static_assert(Partial <= 1,
                "optimistic_scoreboard: Partial is 0 or 1 (threads of an instruction may be written back apart)");

 public:
  using Logic = OptimisticScoreboardLogic<NumWarps, Lanes, NumEntries, Partial>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // issue
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(set_i);
  sc_core::sc_in<Number<kRegWidth>> SC_NAMED(set_reg_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(set_mask_i);
  // write-back
  sc_core::sc_in<Mask<NumWb>> SC_NAMED(wb_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kWarpW>>> SC_NAMED(wb_warp_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<kRegWidth>>> SC_NAMED(wb_reg_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(wb_mask_i, NumWb);
  // check: port k is for warp k mod NumWarps
  sc_core::sc_vector<sc_core::sc_in<Number<kNamesWidth>>> SC_NAMED(check_names_i, NumCheck);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(check_mask_i, NumCheck);
  sc_core::sc_vector<sc_core::sc_out<Mask<NumEntries>>> SC_NAMED(check_wait_o, NumCheck);
  sc_core::sc_out<Mask<NumCheck>> SC_NAMED(check_full_o);
  // state
  sc_core::sc_vector<sc_core::sc_out<Mask<NumEntries>>> SC_NAMED(pending_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<kRegWidth>>> SC_NAMED(reg_o, NumWarps* NumEntries);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(mask_o, NumWarps* NumEntries);

  SC_HAS_PROCESS(optimistic_scoreboard);
  explicit optimistic_scoreboard(sc_core::sc_module_name name, std::uint32_t entry_limit = NumEntries)
      : sc_core::sc_module(name),
        all_entries_(low_bits(entry_limit)) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(check);
    for (unsigned c = 0; c < NumCheck; ++c) sensitive << check_names_i[c] << check_mask_i[c];
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << pending_o[w];
    for (unsigned i = 0; i < NumWarps * NumEntries; ++i) sensitive << reg_o[i] << mask_o[i];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) pending_o[w].write(0);
    for (unsigned i = 0; i < NumWarps * NumEntries; ++i) {
      reg_o[i].write(0);
      mask_o[i].write(0);
    }
  }

  void step() {
    HEDDLE_EXPECT(at_most_one(set_i.read()));
    const std::uint64_t sets = set_reg_i.read() != 0 ? static_cast<std::uint64_t>(set_i.read()) : 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const std::uint64_t pending = pending_o[w].read();
      std::uint64_t woken = 0;
      std::uint64_t left[NumEntries] = {};  // threads whose writes have not come back
      for (unsigned e = 0; e < NumEntries; ++e) left[e] = mask_o[w * NumEntries + e].read();
      for (unsigned k = 0; k < NumWb; ++k) {
        if (has_bit(wb_valid_i.read(), k) && wb_warp_i[k].read() == w) {
          const std::uint64_t hit = matching(w, pending, bit_of(wb_reg_i[k].read()), wb_mask_i[k].read());
          for (unsigned e = 0; e < NumEntries; ++e) {
            if (has_bit(hit, e)) left[e] &= Partial != 0 ? ~static_cast<std::uint64_t>(wb_mask_i[k].read()) : 0;
            woken = with_bit(woken, e, has_bit(woken, e) || (has_bit(hit, e) && left[e] == 0));
          }
        }
      }
      const std::uint64_t free = all_entries_ & ~pending;
      const std::uint64_t taken = has_bit(sets, w) ? free & (~free + 1) : 0;
      pending_o[w].write((pending & ~woken) | taken);
      for (unsigned e = 0; e < NumEntries; ++e) {
        if (has_bit(taken, e)) {
          reg_o[w * NumEntries + e].write(set_reg_i.read());
          mask_o[w * NumEntries + e].write(set_mask_i.read());
        } else if (Partial != 0 && has_bit(pending, e)) {
          mask_o[w * NumEntries + e].write(left[e]);
        }
      }
    }
  }

  void check() {
    std::uint64_t full = 0;
    for (unsigned c = 0; c < NumCheck; ++c) {
      const std::uint32_t warp = c % NumWarps;
      const std::uint32_t names = check_names_i[c].read();
      const std::uint64_t pending = pending_o[warp].read();
      full = with_bit(full, c, bundle_rd(names) != 0 && pending == all_entries_);
      check_wait_o[c].write(matching(warp, pending, name_set(names), check_mask_i[c].read()));
    }
    check_full_o.write(full);
  }

  // Of these entries of a table those of a register that is named and of a thread in the mask.
  [[nodiscard]] std::uint64_t matching(std::uint32_t warp, std::uint64_t entries, std::uint64_t names,
                                       std::uint64_t mask) const {
    std::uint64_t result = 0;
    for (unsigned e = 0; e < NumEntries; ++e) {
      const bool common = (mask_o[warp * NumEntries + e].read() & mask) != 0;
      result =
          with_bit(result, e, has_bit(entries, e) && has_bit(names, reg_o[warp * NumEntries + e].read()) && common);
    }
    return result;
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint64_t all_entries_;
};

}  // namespace heddle
