// SPDX-License-Identifier: Apache-2.0
// stall_reason: why no path issues in a cycle. Contract: docs/frontend.md, core/stall_reason; same pins as
// rtl/core/stall_reason.sv.
#pragma once

#include "common/types.h"

namespace heddle {

// Codes of stall_o.
constexpr std::uint32_t kStallNone = 0;
constexpr std::uint32_t kStallNoWarp = 1;
constexpr std::uint32_t kStallUnitBusy = 2;
constexpr std::uint32_t kStallMemory = 3;
constexpr std::uint32_t kStallScoreboard = 4;
constexpr std::uint32_t kStallScoreboardFull = 5;
constexpr std::uint32_t kStallBranchPending = 6;
constexpr std::uint32_t kStallBarrier = 7;
constexpr std::uint32_t kStallIbufferEmpty = 8;
constexpr std::uint32_t kStallPathSwitch = 9;

// What holds in a cycle without an issue.
struct StallInput {
  bool any_warp = false;
  bool any_eligible = false;
  bool any_memory = false;  // a path lacks nothing but the load/store unit
  bool any_unit = false;    // a path lacks nothing but another unit
  bool any_blocked = false;
  bool any_full = false;
  bool any_pending = false;  // or halted
  bool any_barrier = false;
};

[[nodiscard]] constexpr std::uint32_t find_stall_reason(const StallInput& in) {
  std::uint32_t reason = kStallIbufferEmpty;
  if (!in.any_warp) {
    reason = kStallNoWarp;
  } else if (in.any_eligible) {
    reason = kStallPathSwitch;
  } else if (in.any_memory) {
    reason = kStallMemory;
  } else if (in.any_unit) {
    reason = kStallUnitBusy;
  } else if (in.any_blocked) {
    reason = kStallScoreboard;
  } else if (in.any_full) {
    reason = kStallScoreboardFull;
  } else if (in.any_pending) {
    reason = kStallBranchPending;
  } else if (in.any_barrier) {
    reason = kStallBarrier;
  }
  return reason;
}

template <unsigned NumWarps = 24, unsigned NumSlots = 2>
class stall_reason : public sc_core::sc_module {
  static constexpr unsigned kPaths = NumWarps * NumSlots;
  static_assert(kPaths >= 1 && kPaths <= 64, "stall_reason: the pins of the twin carry 1 to 64 paths");

 public:
  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // issue
  sc_core::sc_in<bool> SC_NAMED(grant_valid_i);
  // by warp
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(in_use_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(pending_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(halted_i);
  // by path
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(eligible_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(no_unit_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(load_store_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(may_issue_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(blocked_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(full_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(wait_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(at_barrier_i);
  // status
  sc_core::sc_out<Number<4>> SC_NAMED(stall_o);

  SC_HAS_PROCESS(stall_reason);
  explicit stall_reason(sc_core::sc_module_name name) : sc_core::sc_module(name) { HEDDLE_CLOCKED_PROCESS(); }

  [[nodiscard]] static constexpr unsigned state_bits() { return 4; }

 private:
  void reset() { stall_o.write(0); }

  void step() {
    StallInput in;
    in.any_warp = in_use_i.read() != 0;
    in.any_eligible = eligible_i.read() != 0;
    in.any_memory = (no_unit_i.read() & load_store_i.read()) != 0;
    in.any_unit = no_unit_i.read() != 0;
    in.any_blocked = (may_issue_i.read() & blocked_i.read()) != 0;
    in.any_full = (may_issue_i.read() & full_i.read()) != 0;
    in.any_pending = (pending_i.read() | halted_i.read()) != 0 || wait_i.read() != 0;
    in.any_barrier = at_barrier_i.read() != 0;
    const std::uint32_t reason = find_stall_reason(in);
    stall_o.write(grant_valid_i.read() ? kStallNone : reason);
  }

  HEDDLE_CLOCKED_BODY()
};

}  // namespace heddle
