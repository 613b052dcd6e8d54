// SPDX-License-Identifier: Apache-2.0
// bitmap_scoreboard: a pending bit, and with two slots a shadow bit, for every register of every path. Contract:
// docs/frontend.md, scoreboard/bitmap_scoreboard; same pins as rtl/scoreboard/bitmap_scoreboard.sv.
//
// BitmapScoreboardLogic is the machine without a clock, with the functions of the tables: what they need entries for it
// ignores.
#pragma once

#include "common/types.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned NumSlots = 2>
class BitmapScoreboardLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "bitmap_scoreboard: 1 to 64 warps");
  static_assert(NumSlots == 1 || NumSlots == 2, "bitmap_scoreboard: 1 or 2 slots");

 public:
  static constexpr unsigned kTables = NumSlots;

  // Never full: an entry limit means nothing.
  explicit BitmapScoreboardLogic(std::uint32_t /*entry_limit*/ = 0) {}

  [[nodiscard]] static constexpr unsigned state_bits() { return NumWarps * NumSlots * NumSlots * (kRegisters - 1); }
  [[nodiscard]] static constexpr unsigned shadow_bits() {
    return NumWarps * NumSlots * (NumSlots - 1) * (kRegisters - 1);
  }

  void reset() {
    for (unsigned slot = 0; slot < NumSlots; ++slot) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        pending_[slot][w] = 0;
        shadow_[slot][w] = 0;
      }
    }
  }

  [[nodiscard]] std::uint32_t free_entry(std::uint32_t /*warp*/, std::uint32_t /*slot*/) const { return 0; }

  // Write-back of `reg`, issued by path `slot`: P and S; nothing happens if it is not pending there.
  void clear(std::uint32_t warp, std::uint32_t slot, std::uint32_t reg, std::uint64_t /*mask*/) {
    pending_[slot][warp] &= ~bit_of(reg);
    shadow_[slot][warp] &= ~bit_of(reg);
  }

  // After clear(), before copy() of the same cycle. S of a register that is not pending is 0 already.
  void set(std::uint32_t warp, std::uint32_t slot, std::uint32_t /*entry*/, std::uint32_t reg, std::uint64_t /*mask*/) {
    HEDDLE_EXPECT(reg != 0 && !has_bit(pending_[slot][warp], reg));
    pending_[slot][warp] |= bit_of(reg);
  }

  // Push or pop of the warp's stack: S := P of both paths. One path has no S.
  void copy(std::uint32_t warp) {
    if constexpr (NumSlots == 2) {
      for (unsigned slot = 0; slot < 2; ++slot) shadow_[slot][warp] = pending_[slot][warp];
    }
  }

  // An instruction that names these registers (a set) must wait: own row pending, or the other slot's row shadowed.
  [[nodiscard]] bool blocked(std::uint32_t warp, std::uint32_t slot, std::uint64_t names,
                             std::uint64_t /*mask*/) const {
    return (names & (pending_[slot][warp] | shadow_[NumSlots - 1 - slot][warp])) != 0;
  }
  // For which of its names {rs3, rs2, rs1, rd}, bit 0 rd.
  [[nodiscard]] std::uint64_t wait(std::uint32_t warp, std::uint32_t slot, std::uint32_t names) const {
    return waiting(pending_[slot][warp] | shadow_[NumSlots - 1 - slot][warp], names);
  }
  [[nodiscard]] bool table_full(std::uint32_t /*warp*/, std::uint32_t /*slot*/) const { return false; }

  [[nodiscard]] std::uint64_t pending(std::uint32_t warp, std::uint32_t slot) const {
    return pending_[slot][warp];
  }  // bit a register
  [[nodiscard]] std::uint64_t shadow(std::uint32_t warp, std::uint32_t slot) const { return shadow_[slot][warp]; }
  // No write of the warp is in flight.
  [[nodiscard]] bool quiet(std::uint32_t warp) const { return (pending_[0][warp] | pending_[NumSlots - 1][warp]) == 0; }

  // Which of the names are in a set of registers.
  [[nodiscard]] static constexpr std::uint64_t waiting(std::uint64_t registers, std::uint32_t names) {
    std::uint64_t wait = 0;
    for (unsigned n = 0; n < 4; ++n) wait = with_bit(wait, n, has_bit(registers, (names >> (6 * n)) & 63u));
    return wait;
  }

 private:
  static constexpr unsigned kRegisters = 64;  // register 0 is none: its bits are always 0

  std::uint64_t pending_[NumSlots][NumWarps] = {};
  std::uint64_t shadow_[NumSlots][NumWarps] = {};
};

template <unsigned NumWarps = 24, unsigned NumSlots = 2, unsigned NumWb = 2, unsigned NumCheck = 3>
class bitmap_scoreboard : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static_assert(NumWb >= 1 && NumWb <= 64, "bitmap_scoreboard: 1 to 64 ports of write-back");
  static_assert(NumCheck >= 1 && NumCheck <= 64, "bitmap_scoreboard: 1 to 64 check ports");

 public:
  using Logic = BitmapScoreboardLogic<NumWarps, NumSlots>;
  static constexpr unsigned kPaths = NumWarps * NumSlots;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // issue
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(set_i);
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
  sc_core::sc_vector<sc_core::sc_out<Mask<4>>> SC_NAMED(check_wait_o, NumCheck);
  sc_core::sc_out<Mask<NumCheck>> SC_NAMED(check_full_o);
  // state
  sc_core::sc_vector<sc_core::sc_out<Mask<64>>> SC_NAMED(pending_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<Mask<64>>> SC_NAMED(shadow_o, kPaths);

  SC_HAS_PROCESS(bitmap_scoreboard);
  explicit bitmap_scoreboard(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(check);
    for (unsigned c = 0; c < NumCheck; ++c) sensitive << check_warp_i[c] << check_slot_i[c] << check_names_i[c];
    for (unsigned i = 0; i < kPaths; ++i) sensitive << pending_o[i] << shadow_o[i];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned i = 0; i < kPaths; ++i) {
      pending_o[i].write(0);
      shadow_o[i].write(0);
    }
  }

  void step() {
    HEDDLE_EXPECT(at_most_one(set_i.read()));
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool copies =
          (copy0_valid_i.read() && copy0_warp_i.read() == w) || (copy1_valid_i.read() && copy1_warp_i.read() == w);
      for (unsigned slot = 0; slot < NumSlots; ++slot) {
        std::uint64_t cleared = 0;
        for (unsigned k = 0; k < NumWb; ++k) {
          const bool own = wb_warp_i[k].read() == w && (NumSlots == 1 || wb_slot_i[k].read() == slot);
          if (has_bit(wb_valid_i.read(), k) && own) cleared |= bit_of(wb_reg_i[k].read());
        }
        const bool set = has_bit(set_i.read(), slot * NumWarps + w);
        const std::uint64_t taken = set ? bit_of(set_reg_i.read()) & ~std::uint64_t{1} : 0;
        const std::uint64_t pending = (pending_o[slot * NumWarps + w].read() & ~cleared) | taken;
        pending_o[slot * NumWarps + w].write(pending);
        if (NumSlots == 2)
          shadow_o[slot * NumWarps + w].write(copies ? pending : shadow_o[slot * NumWarps + w].read() & ~cleared);
      }
    }
  }

  void check() {
    for (unsigned c = 0; c < NumCheck; ++c) {
      const std::uint32_t warp = check_warp_i[c].read();
      const std::uint32_t pin = check_slot_i[c].read();
      const std::uint32_t slot = NumSlots == 2 ? pin : 0;
      std::uint64_t wait = 0;
      if (warp < NumWarps) {
        const std::uint64_t own = pending_o[slot * NumWarps + warp].read();
        const std::uint64_t other = shadow_o[(NumSlots - 1 - slot) * NumWarps + warp].read();
        wait = Logic::waiting(own | other, check_names_i[c].read());
      }
      check_wait_o[c].write(wait);
    }
    check_full_o.write(0);
  }

  HEDDLE_CLOCKED_BODY()
};

}  // namespace heddle
