// SPDX-License-Identifier: Apache-2.0
// The wires between one front end (twin or Verilated RTL) and the rest of the core. Names as in docs/frontend.md,
// without _i/_o.
#pragma once

#include <array>
#include <cstdint>
#include <systemc>

#include "isa/instruction.h"

namespace heddle {

// One writer by construction; the kernel's writer check is left out of the hot path, and so are virtual calls.
template <class T>
class Wire final : public sc_core::sc_signal<T, sc_core::SC_UNCHECKED_WRITERS> {};

// Between parts that are stepped without the kernel, in an order in which nobody misses a value: what is written is
// there at once.
template <class T>
class DirectWire final {
 public:
  [[nodiscard]] const T& read() const { return value_; }
  void write(const T& value) { value_ = value; }

 private:
  T value_{};
};

constexpr unsigned kWritePorts = 2;  // of one front end

template <template <class> class WireOf>
struct FrontendWires {
  // Of a group, one a port.
  template <class T, unsigned Count>
  using Ports = std::array<WireOf<T>, Count>;

  // to the front end
  WireOf<bool> launch_valid;
  WireOf<std::uint32_t> launch_warp, launch_pc;
  WireOf<std::uint64_t> launch_mask;
  WireOf<bool> kill_valid;
  WireOf<std::uint32_t> kill_warp;
  WireOf<bool> fetch_ready;
  WireOf<bool> decode_valid;
  WireOf<std::uint32_t> decode_warp, decode_slot, decode_tag, decode_count;
  WireOf<std::uint64_t> decode_instr0, decode_instr1;
  WireOf<bool> resolve_valid;
  WireOf<std::uint32_t> resolve_warp, resolve_slot;
  WireOf<std::uint64_t> resolve_taken;
  WireOf<std::uint32_t> resolve_target, resolve_next, resolve_rpc;
  WireOf<std::uint64_t> resolve_exit;
  WireOf<bool> resolve_call, resolve_return;
  WireOf<std::uint32_t> resolve_kind;     // of the mark (core/mechanism_unit.h)
  WireOf<std::uint64_t> resolve_operand;  // of the mark, for who reads it
  WireOf<std::uint32_t> resolve_skip;
  WireOf<std::uint64_t> wb_valid;  // bit a port
  Ports<std::uint32_t, kWritePorts> wb_warp, wb_slot, wb_reg;
  Ports<std::uint64_t, kWritePorts> wb_mask;
  WireOf<bool> miss_valid;
  WireOf<std::uint32_t> miss_warp, miss_slot;
  WireOf<bool> split_valid;
  WireOf<std::uint32_t> split_warp, split_slot;
  WireOf<std::uint64_t> split_mask;
  WireOf<bool> save_ready, load_ready;  // of a stack whose rows are in memory
  WireOf<bool> fill_valid;
  WireOf<std::uint32_t> fill_warp;
  Ports<std::uint32_t, 2> fill_pc;
  Ports<std::uint64_t, 2> fill_mask;
  WireOf<std::uint32_t> unit_ready;
  WireOf<std::uint64_t> hold;  // bit a warp, as release: nobody holds one yet
  WireOf<std::uint64_t> release;
  WireOf<bool> issue_ready;
  // from the front end
  WireOf<bool> fetch_valid;
  WireOf<std::uint32_t> fetch_warp, fetch_slot, fetch_pc, fetch_tag;
  WireOf<bool> resolve_ready;
  WireOf<bool> answer_valid;  // to the last instruction of the warp that asks
  WireOf<std::uint32_t> answer_warp;
  WireOf<std::uint64_t> answer_value;
  WireOf<bool> event_valid;  // a mechanism's own
  WireOf<std::uint32_t> event_warp, event_code;
  WireOf<bool> split_ready;  // combinational
  WireOf<bool> save_valid;
  WireOf<std::uint32_t> save_warp, save_row;
  Ports<std::uint32_t, 2> save_pc;
  Ports<std::uint64_t, 2> save_mask;
  WireOf<bool> load_valid;  // combinational
  WireOf<std::uint32_t> load_warp, load_row;
  WireOf<bool> issue_valid;
  WireOf<std::uint32_t> issue_warp, issue_slot, issue_pc;
  WireOf<std::uint64_t> issue_mask, issue_instr;
  WireOf<bool> issue_sibling, issue_predicated;
  WireOf<bool> done_valid;
  WireOf<std::uint32_t> done_warp;
  WireOf<std::uint64_t> idle;
  WireOf<bool> overflow_valid;
  WireOf<std::uint32_t> overflow_warp, stall, max_depth;
  WireOf<std::uint32_t> max_splits, splits, merges,
      refused;                      // of a table of splits, counted since reset; splits and merges at loads, too
  WireOf<std::uint32_t> forwards;   // of a dual-path stack that forwards
  WireOf<std::uint32_t> own_count;  // of a mechanism that counts something of its own, since reset
};
using FrontendPins = FrontendWires<Wire>;
using DirectFrontendPins = FrontendWires<DirectWire>;

// The instruction bundle of docs/frontend.md, and its bits of a control instruction and of one behind which nothing is
// fetched.
constexpr std::uint64_t kBundleControl = std::uint64_t{1} << 27;
constexpr std::uint64_t kBundleJump = std::uint64_t{1} << 29;
[[nodiscard]] inline std::uint64_t bundle_of(const Instruction& inst) {
  return std::uint64_t{inst.rd} | std::uint64_t{inst.rs1} << 6 | std::uint64_t{inst.rs2} << 12 |
         std::uint64_t{inst.rs3} << 18 | static_cast<std::uint64_t>(inst.unit) << 24 |
         (inst.control ? kBundleControl : 0) | std::uint64_t{inst.barrier} << 28 |
         std::uint64_t{inst.ends_fetch()} << 29;
}

}  // namespace heddle
