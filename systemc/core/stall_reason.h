// SPDX-License-Identifier: Apache-2.0
// stall_reason: why no path issues in a cycle. Contract: docs/frontend.md, core/stall_reason.
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

}  // namespace heddle
