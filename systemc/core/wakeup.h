// SPDX-License-Identifier: Apache-2.0
// wakeup: for the first two instructions of every queue the entries of the scoreboard that they wait for, so that
// whether a head may issue is a register. Contract: docs/frontend.md, core/wakeup; same pins as rtl/core/wakeup.sv.
//
// In simulation the front ends ask their scoreboard directly, which says the same: this module is the hardware's way.
#pragma once

#include "common/types.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned NumSlots = 2, unsigned NumEntries = 8, unsigned NumWb = 2>
class wakeup : public sc_core::sc_module {
  static_assert(NumSlots == 1 || NumSlots == 2, "wakeup: 1 or 2 slots");
  static_assert(NumWarps >= 1 && NumWarps * NumSlots <= 64, "wakeup: the pins of the twin carry 1 to 64 paths");
  static_assert(NumEntries >= 1 && NumEntries * NumSlots <= 64, "wakeup: an instruction waits for at most 64 entries");
  static_assert(NumWb >= 1 && NumWb <= 64, "wakeup: 1 to 64 ports of write-back");

 public:
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kPaths = NumWarps * NumSlots;
  static constexpr unsigned kWaitWidth = NumSlots * NumEntries;
  static constexpr unsigned kCheckPorts = 3;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // queue
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(clear_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(fill_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(head_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kRegWidth>>> SC_NAMED(head_rd_i, kPaths);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(second_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kNamesWidth>>> SC_NAMED(second_i, kPaths);
  // decode
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(fill_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(fill_slot_i);
  sc_core::sc_in<Number<kNamesWidth>> SC_NAMED(fill_names_i);
  // issue
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(take_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(take_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(take_slot_i);
  // write-back
  sc_core::sc_vector<sc_core::sc_in<Number<kWarpW>>> SC_NAMED(wb_warp_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<1>>> SC_NAMED(wb_slot_i, NumWb);
  // scoreboard
  sc_core::sc_vector<sc_core::sc_out<Number<kWarpW>>> SC_NAMED(check_warp_o, kCheckPorts);
  sc_core::sc_vector<sc_core::sc_out<Number<1>>> SC_NAMED(check_slot_o, kCheckPorts);
  sc_core::sc_vector<sc_core::sc_out<Number<kNamesWidth>>> SC_NAMED(check_names_o, kCheckPorts);
  sc_core::sc_vector<sc_core::sc_in<Mask<kWaitWidth>>> SC_NAMED(check_wait_i, kCheckPorts);
  sc_core::sc_vector<sc_core::sc_in<Mask<NumEntries>>> SC_NAMED(wake_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Mask<NumEntries>>> SC_NAMED(pending_i, kPaths);
  // to issue
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(blocked_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(full_o);

  SC_HAS_PROCESS(wakeup);
  explicit wakeup(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(ask);
    sensitive << fill_warp_i << fill_slot_i << fill_names_i << taken_warp_ << taken_slot_ << filled_warp_
              << filled_slot_;
    for (unsigned i = 0; i < kPaths; ++i) sensitive << second_i[i];
  }

  [[nodiscard]] static constexpr unsigned state_bits() {
    return kPaths * (2 * kWaitWidth + 3) + 2 * (1 + index_width(NumWarps) + NumSlots - 1);
  }

 private:
  static constexpr std::uint64_t kTable = low_bits(NumEntries);

  void reset() {
    for (unsigned i = 0; i < kPaths; ++i) {
      wait_head_[i] = 0;
      wait_second_[i] = 0;
    }
    depends_ = 0;
    took_ = false;
    got_ = false;
    taken_warp_.write(0);
    taken_slot_.write(0);
    filled_warp_.write(0);
    filled_slot_.write(0);
    blocked_o.write(0);
    full_o.write(0);
  }

  void step() {
    std::uint64_t blocked = 0;
    std::uint64_t full = 0;
    for (unsigned slot = 0; slot < NumSlots; ++slot) {
      for (unsigned warp = 0; warp < NumWarps; ++warp) {
        const unsigned p = slot * NumWarps + warp;
        const std::uint32_t second = second_i[p].read();
        const std::uint32_t head_rd = head_rd_i[p].read();
        const bool take = has_bit(take_i.read(), p);
        const bool fill = has_bit(fill_i.read(), p);
        const bool has_head = has_bit(head_valid_i.read(), p);
        const bool has_second = has_bit(second_valid_i.read(), p);

        // What the second instruction waits for now: it is asked for in the cycle after it came.
        std::uint64_t now = wait_second_[p];
        bool depends = has_bit(depends_, p);
        const bool after_take = took_ && taken_warp_.read() == warp && taken_slot_.read() == slot;
        const bool after_fill = got_ && filled_warp_.read() == warp && filled_slot_.read() == slot;
        if (after_take || after_fill) {
          now = after_take ? check_wait_i[1].read() : check_wait_i[2].read();
          depends = has_bit(name_set(second), head_rd);
        }

        const std::uint64_t woken = woken_entries(warp, slot);
        const std::uint64_t pending = pending_i[p].read();
        const std::uint64_t free = kTable & ~pending;
        const std::uint64_t entry = take && head_rd != 0 ? free & (~free + 1) : 0;
        std::uint64_t head = wait_head_[p] & ~woken;
        std::uint32_t rd = head_rd;
        if (take && has_second) {
          head = (now & ~woken) | (depends ? entry : 0);
          rd = bundle_rd(second);
        } else if (take || !has_head) {
          const std::uint32_t names = fill_names_i.read();
          head = (check_wait_i[0].read() & ~woken) | (has_bit(name_set(names), head_rd) ? entry : 0);
          rd = bundle_rd(names);
        }
        wait_head_[p] = head;
        wait_second_[p] = now & ~woken;
        depends_ = with_bit(depends_, p, depends);

        const bool stays = !has_bit(clear_i.read(), p) && (fill || (take ? has_second : has_head));
        const bool table_full = ((pending | entry) & ~woken & kTable) == kTable;
        blocked = with_bit(blocked, p, stays && head != 0);
        full = with_bit(full, p, stays && rd != 0 && table_full);
      }
    }
    blocked_o.write(blocked);
    full_o.write(full);
    took_ = take_i.read() != 0;
    got_ = fill_i.read() != 0;
    taken_warp_.write(take_warp_i.read());
    filled_warp_.write(fill_warp_i.read());
    taken_slot_.write(slot_of(take_slot_i.read()));
    filled_slot_.write(slot_of(fill_slot_i.read()));
  }

  // What the write-backs of this cycle free, as wait bits of the path.
  [[nodiscard]] std::uint64_t woken_entries(std::uint32_t warp, std::uint32_t slot) const {
    std::uint64_t woken = 0;
    for (unsigned k = 0; k < NumWb; ++k) {
      const bool own = NumSlots == 1 || wb_slot_i[k].read() == slot;
      const std::uint64_t wake = wake_i[k].read();
      if (wb_warp_i[k].read() == warp) woken |= own ? wake : wake << (kWaitWidth - NumEntries);
    }
    return woken;
  }

  void ask() {
    check_warp_o[0].write(fill_warp_i.read());
    check_slot_o[0].write(slot_of(fill_slot_i.read()));
    check_names_o[0].write(fill_names_i.read());
    check_warp_o[1].write(taken_warp_.read());
    check_slot_o[1].write(taken_slot_.read());
    check_names_o[1].write(second_of(taken_warp_.read(), taken_slot_.read()));
    check_warp_o[2].write(filled_warp_.read());
    check_slot_o[2].write(filled_slot_.read());
    check_names_o[2].write(second_of(filled_warp_.read(), filled_slot_.read()));
  }

  [[nodiscard]] std::uint32_t second_of(std::uint32_t warp, std::uint32_t slot) const {
    return warp < NumWarps ? static_cast<std::uint32_t>(second_i[slot * NumWarps + warp].read()) : 0;
  }

  [[nodiscard]] static std::uint32_t slot_of(std::uint32_t pin) { return NumSlots == 2 ? pin : 0; }

  HEDDLE_CLOCKED_BODY()

  Mask<kWaitWidth> wait_head_[kPaths] = {};
  Mask<kWaitWidth> wait_second_[kPaths] = {};
  Mask<kPaths> depends_ = 0;  // bit a path
  bool took_ = false;         // a take in the cycle before
  bool got_ = false;          // a fill
  // The paths that the cycle before named.
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(taken_warp_);
  sc_core::sc_signal<Number<1>> SC_NAMED(taken_slot_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(filled_warp_);
  sc_core::sc_signal<Number<1>> SC_NAMED(filled_slot_);
};

}  // namespace heddle
