// SPDX-License-Identifier: Apache-2.0
// The wires between one front end (twin or Verilated RTL) and the rest of the core. Names as in docs/frontend.md, without _i/_o.
#pragma once

#include <cstdint>
#include <systemc>

#include "isa/instruction.h"

namespace heddle {

// One writer by construction; the kernel's writer check is left out of the hot path.
template <class T>
using Wire = sc_core::sc_signal<T, sc_core::SC_UNCHECKED_WRITERS>;

struct WritebackPins {
  Wire<bool> valid;
  Wire<std::uint32_t> warp, slot, reg;
  Wire<std::uint64_t> mask;
};

struct FrontendPins {
  // to the front end
  Wire<bool> launch_valid;
  Wire<std::uint32_t> launch_warp, launch_pc;
  Wire<std::uint64_t> launch_mask;
  Wire<bool> fetch_ready;
  Wire<bool> decode_valid;
  Wire<std::uint32_t> decode_warp, decode_slot, decode_pc, decode_count;
  Wire<std::uint64_t> decode_instr0, decode_instr1;
  Wire<bool> resolve_valid;
  Wire<std::uint32_t> resolve_warp, resolve_slot;
  Wire<std::uint64_t> resolve_taken;
  Wire<std::uint32_t> resolve_target, resolve_next, resolve_rpc;
  Wire<std::uint64_t> resolve_exit;
  Wire<bool> resolve_call, resolve_return;
  Wire<std::uint32_t> resolve_skip;
  WritebackPins wb[2];
  Wire<bool> miss_valid;
  Wire<std::uint32_t> miss_warp, miss_slot;
  Wire<std::uint32_t> unit_ready;
  Wire<std::uint64_t> release;
  // from the front end
  Wire<bool> fetch_valid;
  Wire<std::uint32_t> fetch_warp, fetch_slot, fetch_pc;
  Wire<bool> issue_valid;
  Wire<std::uint32_t> issue_warp, issue_slot, issue_pc;
  Wire<std::uint64_t> issue_mask, issue_instr;
  Wire<bool> issue_sibling, issue_predicated;
  Wire<bool> done_valid;
  Wire<std::uint32_t> done_warp;
  Wire<bool> overflow_valid;
  Wire<std::uint32_t> overflow_warp, stall, max_depth;
};

// The instruction bundle of docs/frontend.md.
[[nodiscard]] inline std::uint64_t bundle_of(const Instruction& inst) {
  return std::uint64_t{inst.rd} | std::uint64_t{inst.rs1} << 6 | std::uint64_t{inst.rs2} << 12 |
         std::uint64_t{inst.rs3} << 18 | static_cast<std::uint64_t>(inst.unit) << 24 |
         std::uint64_t{inst.control} << 27 | std::uint64_t{inst.barrier} << 28 | std::uint64_t{inst.ends_fetch()} << 29;
}

}  // namespace heddle
