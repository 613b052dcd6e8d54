// SPDX-License-Identifier: Apache-2.0
// Ratios of a run's integer counts. Definitions in docs/metrics.md; a ratio with nothing to divide by is 0.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "heddle/stats.h"

namespace heddle {

// JSON names of the stall reasons, index = Stall; [0] (issued) is not a stall.
constexpr std::array<const char*, kNumStalls> kStallNames = {
    "issued",  "no_warp",       "unit_busy",   "memory",   "scoreboard", "scoreboard_full", "branch_pending",
    "barrier", "ibuffer_empty", "path_switch", "pipeline", "formation",  "regfile",         "row"};

// The reasons that exist on the machine that made the statistics.
[[nodiscard]] inline std::vector<Stall> stall_reasons(const Stats& s) {
  if (s.barrel.used) {
    return {Stall::kNoWarp,   Stall::kUnitBusy,  Stall::kMemory, Stall::kBarrier,
            Stall::kPipeline, Stall::kFormation, Stall::kRegfile};
  }
  std::vector<Stall> reasons{Stall::kNoWarp,     Stall::kUnitBusy,       Stall::kMemory,
                             Stall::kScoreboard, Stall::kScoreboardFull, Stall::kBranchPending,
                             Stall::kBarrier,    Stall::kIbufferEmpty,   Stall::kPathSwitch};
  if (s.loaded_rows != 0) reasons.push_back(Stall::kRow);
  return reasons;
}

[[nodiscard]] constexpr double ratio(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

[[nodiscard]] inline std::uint64_t idle_cycles(const Stats& s) {
  std::uint64_t sum = 0;
  for (unsigned reason = 1; reason < kNumStalls; ++reason) sum += s.stalls[reason];
  return sum;
}
[[nodiscard]] inline double ipc(const Stats& s) {
  return ratio(static_cast<double>(s.thread_instructions), static_cast<double>(s.cycles));
}
[[nodiscard]] inline double lane_utilization(const Stats& s) {
  return ratio(static_cast<double>(s.thread_instructions), static_cast<double>(s.warp_instructions) * s.lanes);
}
[[nodiscard]] inline double lane_utilization_live(const Stats& s) {
  return ratio(static_cast<double>(s.thread_instructions), static_cast<double>(s.live_lane_slots));
}
[[nodiscard]] inline double lane_utilization_masked(
    const Stats& s) {  // threads that predication masks off counted as issued
  return ratio(static_cast<double>(s.thread_instructions + s.masked_threads),
               static_cast<double>(s.warp_instructions) * s.lanes);
}
[[nodiscard]] inline double avg_path(const Stats& s) {
  return ratio(static_cast<double>(s.schedulable_paths), static_cast<double>(s.warp_instructions));
}
[[nodiscard]] inline double sibling_share(const Stats& s) {
  return ratio(static_cast<double>(s.sibling_issues), static_cast<double>(s.warp_instructions));
}
[[nodiscard]] inline double l1_hit_rate(const Stats& s) {
  return ratio(static_cast<double>(s.l1.hits), static_cast<double>(s.l1.accesses));
}
[[nodiscard]] inline double l2_hit_rate(const Stats& s) {
  return ratio(static_cast<double>(s.l2.hits), static_cast<double>(s.l2.accesses));
}
[[nodiscard]] inline double dram_utilization(const Stats& s) {  // of the peak bandwidth of all channels
  return ratio(static_cast<double>(s.dram.busy_clocks), static_cast<double>(s.dram.clocks));
}
[[nodiscard]] inline double memory_bandwidth(const Stats& s) {  // bytes a cycle
  return ratio(static_cast<double>(s.memory_bytes), static_cast<double>(s.cycles));
}

}  // namespace heddle
