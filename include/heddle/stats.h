// SPDX-License-Identifier: Apache-2.0
// Statistics of a run: plain integers, exact and repeatable. Definitions in docs/metrics.md; ratios are computed by the
// printers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "heddle/types.h"

namespace heddle {

// Reasons of a scheduler-cycle without an issue; up to kPathSwitch the value is the front end's stall_o code, the rest
// are those of the barrel core alone, and of the core whose stack has its rows in memory.
enum class Stall : unsigned {
  kIssued = 0,
  kNoWarp = 1,
  kUnitBusy = 2,
  kMemory = 3,
  kScoreboard = 4,
  kScoreboardFull = 5,
  kBranchPending = 6,
  kBarrier = 7,
  kIbufferEmpty = 8,
  kPathSwitch = 9,
  kPipeline = 10,
  kFormation = 11,
  kRegfile = 12,
  kRow = 13,
};
constexpr unsigned kNumStalls = 14;

struct BranchStats {  // one static branch or indirect jump that executed
  Pc pc = 0;
  Pc rpc = kNoRpc;
  std::uint64_t executed = 0;  // warp-level executions
  std::uint64_t divergent = 0;
  std::uint64_t interleavable = 0;
  std::uint64_t predicated = 0;  // threads masked off instead
};

struct HelperStats {  // one function for what the instruction set does not have (tb/isa/helpers.h)
  Pc pc = 0;          // where it begins
  std::uint64_t thread_instructions = 0;
};

struct CacheStats {
  std::uint64_t accesses = 0, hits = 0, misses = 0,
                merged = 0;                         // line accesses; merged: miss to a line already outstanding
  std::uint64_t bytes_read = 0, bytes_written = 0;  // between this level and the one behind it
  std::uint64_t stall_cycles = 0;  // cycles the head of the pipeline waited (no MSHR, no target, no bandwidth)
};

struct DramStats {                      // sums over the channels; times in clocks of the command bus
  std::uint64_t reads = 0, writes = 0;  // lines
  std::uint64_t row_hits = 0;           // of them, those that found their row open
  std::uint64_t activates = 0;
  std::uint64_t busy_clocks = 0;  // of the data bus
  std::uint64_t clocks = 0;

  void add(const DramStats& other);
};

struct BarrelStats {  // the barrel core and dynamic warp formation
  bool used = false;  // the run had a barrel core
  bool formed =
      false;  // its warps came from a dwf_scheduler: the counts of its LUT, pool and update ports mean something
  std::uint64_t lut_hits = 0, lut_misses = 0, lut_aliases = 0;
  std::uint64_t lane_conflicts = 0;    // updates of which a lane was taken already
  std::uint64_t fragmented = 0;        // of them, those that would have fitted in another order of lanes
  std::uint64_t drain_cycles = 0;      // cycles in which an update was held because the PC table was full
  std::uint64_t crossbar_cycles = 0;   // cycles in which a warp was read bank after bank
  std::uint64_t update_wait = 0;       // sum over cycles of the groups that wait for an update port
  std::uint64_t max_pool_entries = 0;  // high-water marks
  std::uint64_t max_distinct_pcs = 0;  // PCs at which threads waited at once
  std::uint64_t max_wait = 0;          // cycles a thread waited between coming back and its issue
};

struct SplitStats {           // dynamic warp subdivision
  std::uint64_t made = 0;     // a divergence made one split more
  std::uint64_t merged = 0;   // two splits came to one PC
  std::uint64_t refused = 0;  // the table was full: a side waited on the stack
  std::uint64_t most = 0;     // high-water mark of the splits of a warp
};

struct ThreadExit {          // of one thread
  std::uint32_t status = 0;  // a0 of its exit call
  std::array<std::uint32_t, 3> block{}, thread{};
  Pc pc = 0;
  Cycle cycle = 0;  // of its launch
};

struct ExitStats {
  std::uint64_t failed = 0;  // threads that ended with a status other than 0
  ThreadExit first;          // of them, if there is one
};

struct Stats {
  std::uint64_t cycles = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t live_lane_slots = 0;    // sum over issues of the live threads of the warp (lane_utilization_live)
  std::uint64_t schedulable_paths = 0;  // sum over issues of concurrently schedulable paths of the warp (avg_path)
  std::uint64_t sibling_issues = 0;
  std::array<std::uint64_t, kNumStalls> stalls{};  // scheduler-cycles by reason; [0] = issued
  std::array<std::uint64_t, kMaxLanes + 1>
      warp_size{};  // scheduler-cycles by number of threads issued; [0] = nothing issued
  std::uint64_t divergent_branches = 0, interleavable_branches = 0;
  std::uint64_t predicated_branches = 0;      // that would have been divergent
  std::uint64_t predicated_instructions = 0;  // warp instructions issued with threads masked off
  std::uint64_t masked_threads = 0;           // sum over them of the threads masked off
  std::uint64_t max_stack_depth = 0;
  std::array<std::uint64_t, kMaxStackDepth + 1>
      stack_depth{};  // issues by entries of the warp's stack, the last: that or more
  SplitStats splits;
  std::uint64_t max_pending_sets = 0;  // of a warp at once, in all its open regions (forkjoin)
  std::uint64_t forwarded_paths = 0;   // into a free slot of the entry above theirs (dpe.path_forwarding)
  std::uint64_t memory_splits = 0;     // paths split where a load hit for some of their threads only (dpe.memory_split)
  std::uint64_t memory_joins = 0;      // parts of them that came to where the other stood
  std::uint64_t stack_instructions = 0;  // pushes and pops of the program (dpe.stack=software), by warp
  std::uint64_t saved_rows = 0;          // of its stack, to memory
  std::uint64_t loaded_rows = 0;         // and back
  CacheStats l1;
  CacheStats l2;  // these two: memory.kind=hierarchy
  DramStats dram;
  std::uint64_t shared_accesses = 0, shared_conflict_cycles = 0;
  std::uint64_t memory_instructions = 0, memory_transactions = 0;  // global+local warp accesses, and lines they touched
  std::uint64_t memory_bytes = 0;                                  // moved behind L1
  std::uint64_t memory_busy_cycles = 0;                            // cycles the memory port transferred data
  ExitStats exits;
  BarrelStats barrel;
  std::map<std::string, std::uint64_t> own;  // counts that a mechanism of a plug-in names
  std::vector<BranchStats> branches;         // sorted by pc
  std::vector<HelperStats> helpers;          // sorted by pc
  unsigned lanes = 0, schedulers = 0;        // to compute ratios

  void add_sm(const Stats& other);  // another SM's in the same cycles
  void add(const Stats& other);     // sums; maxima for high-water marks; branches merged by pc
};

}  // namespace heddle
