// SPDX-License-Identifier: Apache-2.0
// What the scoreboards must do (docs/frontend.md, DPE paper 3.2 and 6.4): plain tables, searched entry by entry.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "heddle/types.h"

namespace heddle::test {

// The four register names of an instruction, 0 = none.
struct Names {
  unsigned rd = 0, rs1 = 0, rs2 = 0, rs3 = 0;
  [[nodiscard]] std::uint32_t packed() const { return rd | rs1 << 6 | rs2 << 12 | rs3 << 18; }
  [[nodiscard]] bool has(unsigned name) const {
    return name != 0 && (rd == name || rs1 == name || rs2 == name || rs3 == name);
  }
  static Names unpack(std::uint64_t bundle) {
    const auto field = [&](unsigned low) { return static_cast<unsigned>((bundle >> low) & 63); };
    return {field(0), field(6), field(12), field(18)};
  }
};

struct PendingWrite {
  bool pending = false, shadow = false;
  unsigned reg = 0;
  LaneMask mask = ~LaneMask{0};  // optimistic scoreboard only
};

// A table of a fixed number of entries.
class WriteTable {
 public:
  explicit WriteTable(unsigned entries) : entries_(entries) {}

  [[nodiscard]] const std::vector<PendingWrite>& entries() const { return entries_; }
  // The register that the entry named before, which the next set takes.
  [[nodiscard]] unsigned held_by_lowest_free() const {
    for (const PendingWrite& entry : entries_) {
      if (!entry.pending) return entry.reg;
    }
    return 0;
  }
  [[nodiscard]] std::optional<unsigned> free_entry() const {
    for (unsigned i = 0; i < entries_.size(); ++i) {
      if (!entries_[i].pending) return i;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool full() const { return !free_entry(); }
  [[nodiscard]] bool is_pending(unsigned reg) const {
    for (const PendingWrite& e : entries_) {
      if (e.pending && e.reg == reg) return true;
    }
    return false;
  }
  [[nodiscard]] std::vector<unsigned> pending_registers() const {
    std::vector<unsigned> names;
    for (const PendingWrite& e : entries_) {
      if (e.pending) names.push_back(e.reg);
    }
    return names;
  }
  // Bit e: entry e is pending, or shadowed, and named.
  [[nodiscard]] std::uint64_t named(const Names& names, bool shadowed = false, LaneMask path = ~LaneMask{0}) const {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < entries_.size(); ++i) {
      const PendingWrite& e = entries_[i];
      if ((shadowed ? e.shadow : e.pending) && names.has(e.reg) && (e.mask & path) != 0) bits |= std::uint64_t{1} << i;
    }
    return bits;
  }
  // The entry that a write-back of this register frees, as a bit.
  [[nodiscard]] std::uint64_t freed_by(unsigned reg) const { return named({reg, 0, 0, 0}); }
  PendingWrite& at(unsigned i) { return entries_.at(i); }
  void clear(unsigned reg) {
    for (PendingWrite& e : entries_) {
      if (e.pending && e.reg == reg) e.pending = e.shadow = false;
    }
  }
  void clear_common(unsigned reg, LaneMask mask) {
    for (PendingWrite& e : entries_) {
      if (e.pending && e.reg == reg && (e.mask & mask) != 0) e.pending = false;
    }
  }
  void copy_to_shadow() {
    for (PendingWrite& e : entries_) e.shadow = e.pending;
  }

 private:
  std::vector<PendingWrite> entries_;
};

class SpeScoreboardOracle {
 public:
  struct Write {
    WarpId warp;
    unsigned reg;
  };
  struct Inputs {
    std::optional<Write> set;
    std::vector<std::optional<Write>> wb;  // by port
  };

  SpeScoreboardOracle(unsigned warps, unsigned entries) : tables_(warps, WriteTable(entries)) {}

  void step(const Inputs& in) {
    std::optional<unsigned> entry;
    if (in.set && in.set->reg != 0) entry = tables_.at(in.set->warp).free_entry();
    for (const auto& wb : in.wb) {
      if (wb) tables_.at(wb->warp).clear(wb->reg);
    }
    if (entry) tables_[in.set->warp].at(*entry) = {true, false, in.set->reg};
  }
  // What an instruction waits for.
  [[nodiscard]] std::uint64_t wait(WarpId w, const Names& names) const { return tables_.at(w).named(names); }
  [[nodiscard]] bool full(WarpId w, const Names& names) const { return names.rd != 0 && tables_.at(w).full(); }
  [[nodiscard]] const WriteTable& table(WarpId w) const { return tables_.at(w); }

 private:
  std::vector<WriteTable> tables_;
};

class DpeScoreboardOracle {
 public:
  struct Write {
    WarpId warp;
    unsigned slot;
    unsigned reg;
  };
  struct Inputs {
    std::optional<Write> set;
    std::vector<std::optional<Write>> wb;  // by port
    std::array<std::optional<WarpId>, 2> copy;
  };

  DpeScoreboardOracle(unsigned warps, unsigned entries) : tables_(warps, {WriteTable(entries), WriteTable(entries)}) {}

  void step(const Inputs& in) {
    std::optional<unsigned> entry;
    if (in.set && in.set->reg != 0) entry = tables_.at(in.set->warp).at(in.set->slot).free_entry();
    for (const auto& wb : in.wb) {
      if (wb) tables_.at(wb->warp).at(wb->slot).clear(wb->reg);
    }
    if (entry) tables_[in.set->warp][in.set->slot].at(*entry) = {true, false, in.set->reg};
    for (const auto& copy : in.copy) {
      if (!copy) continue;
      for (WriteTable& table : tables_.at(*copy)) table.copy_to_shadow();
    }
  }
  // What an instruction waits for: entries of the own table, above them those of the other slot's.
  [[nodiscard]] std::uint64_t wait(WarpId w, unsigned slot, const Names& names) const {
    return table(w, slot).named(names) | table(w, 1 - slot).named(names, true) << table(w, slot).entries().size();
  }
  [[nodiscard]] bool full(WarpId w, unsigned slot, const Names& names) const {
    return names.rd != 0 && table(w, slot).full();
  }
  [[nodiscard]] const WriteTable& table(WarpId w, unsigned slot) const { return tables_.at(w).at(slot); }

 private:
  std::vector<std::array<WriteTable, 2>> tables_;
};

class OptimisticScoreboardOracle {
 public:
  struct Write {
    WarpId warp;
    unsigned reg;
    LaneMask mask;
  };
  struct Inputs {
    std::optional<Write> set;
    std::vector<std::optional<Write>> wb;  // by port
  };

  OptimisticScoreboardOracle(unsigned warps, unsigned entries) : tables_(warps, WriteTable(entries)) {}

  void step(const Inputs& in) {
    std::optional<unsigned> entry;
    if (in.set && in.set->reg != 0) entry = tables_.at(in.set->warp).free_entry();
    for (const auto& wb : in.wb) {
      if (wb) tables_.at(wb->warp).clear_common(wb->reg, wb->mask);
    }
    if (entry) tables_[in.set->warp].at(*entry) = {true, false, in.set->reg, in.set->mask};
  }
  // What an instruction of these threads waits for.
  [[nodiscard]] std::uint64_t wait(WarpId w, const Names& names, LaneMask path) const {
    return tables_.at(w).named(names, false, path);
  }
  [[nodiscard]] bool full(WarpId w, const Names& names) const { return names.rd != 0 && tables_.at(w).full(); }
  [[nodiscard]] const WriteTable& table(WarpId w) const { return tables_.at(w); }

 private:
  std::vector<WriteTable> tables_;
};

}  // namespace heddle::test
