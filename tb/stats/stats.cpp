// SPDX-License-Identifier: Apache-2.0
#include "heddle/stats.h"

#include <algorithm>

namespace heddle {
namespace {

void add_cache(CacheStats& sum, const CacheStats& other) {
  sum.accesses += other.accesses;
  sum.hits += other.hits;
  sum.misses += other.misses;
  sum.merged += other.merged;
  sum.bytes_read += other.bytes_read;
  sum.bytes_written += other.bytes_written;
  sum.stall_cycles += other.stall_cycles;
}

void add_barrel(BarrelStats& sum, const BarrelStats& other) {
  sum.used = sum.used || other.used;
  sum.formed = sum.formed || other.formed;
  sum.lut_hits += other.lut_hits;
  sum.lut_misses += other.lut_misses;
  sum.lut_aliases += other.lut_aliases;
  sum.lane_conflicts += other.lane_conflicts;
  sum.fragmented += other.fragmented;
  sum.drain_cycles += other.drain_cycles;
  sum.crossbar_cycles += other.crossbar_cycles;
  sum.update_wait += other.update_wait;
  sum.max_pool_entries = std::max(sum.max_pool_entries, other.max_pool_entries);
  sum.max_distinct_pcs = std::max(sum.max_distinct_pcs, other.max_distinct_pcs);
  sum.max_wait = std::max(sum.max_wait, other.max_wait);
}

void add_counts(BranchStats& sum, const BranchStats& other) {
  sum.executed += other.executed;
  sum.divergent += other.divergent;
  sum.interleavable += other.interleavable;
  sum.predicated += other.predicated;
}

void add_counts(HelperStats& sum, const HelperStats& other) { sum.thread_instructions += other.thread_instructions; }

// Both lists are sorted by pc; so is the result.
template <typename Counts>
std::vector<Counts> merge(const std::vector<Counts>& a, const std::vector<Counts>& b) {
  std::vector<Counts> merged;
  merged.reserve(a.size() + b.size());
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->pc < j->pc)) {
      merged.push_back(*i++);
    } else if (i == a.end() || j->pc < i->pc) {
      merged.push_back(*j++);
    } else {
      merged.push_back(*i++);
      add_counts(merged.back(), *j++);
    }
  }
  return merged;
}

}  // namespace

void DramStats::add(const DramStats& other) {
  reads += other.reads;
  writes += other.writes;
  row_hits += other.row_hits;
  activates += other.activates;
  busy_clocks += other.busy_clocks;
  clocks += other.clocks;
}

void Stats::add_sm(const Stats& other) {
  const ExitStats first = exits.failed == 0 || (other.exits.failed != 0 && other.exits.first.cycle < exits.first.cycle)
                              ? other.exits
                              : exits;
  const std::uint64_t both = std::max(cycles, other.cycles);
  const unsigned all = schedulers + other.schedulers;
  add(other);
  exits.first = first.first;
  cycles = both;
  schedulers = all;
}

void Stats::add(const Stats& other) {
  if (exits.failed == 0) exits.first = other.exits.first;
  exits.failed += other.exits.failed;
  cycles += other.cycles;
  warp_instructions += other.warp_instructions;
  thread_instructions += other.thread_instructions;
  live_lane_slots += other.live_lane_slots;
  schedulable_paths += other.schedulable_paths;
  sibling_issues += other.sibling_issues;
  for (std::size_t i = 0; i < stalls.size(); ++i) stalls[i] += other.stalls[i];
  for (std::size_t i = 0; i < warp_size.size(); ++i) warp_size[i] += other.warp_size[i];
  divergent_branches += other.divergent_branches;
  interleavable_branches += other.interleavable_branches;
  predicated_branches += other.predicated_branches;
  predicated_instructions += other.predicated_instructions;
  masked_threads += other.masked_threads;
  max_stack_depth = std::max(max_stack_depth, other.max_stack_depth);
  for (std::size_t i = 0; i < stack_depth.size(); ++i) stack_depth[i] += other.stack_depth[i];
  max_pending_sets = std::max(max_pending_sets, other.max_pending_sets);
  forwarded_paths += other.forwarded_paths;
  memory_splits += other.memory_splits;
  stack_instructions += other.stack_instructions;
  saved_rows += other.saved_rows;
  loaded_rows += other.loaded_rows;
  memory_joins += other.memory_joins;
  splits.made += other.splits.made;
  splits.merged += other.splits.merged;
  splits.refused += other.splits.refused;
  splits.most = std::max(splits.most, other.splits.most);
  add_cache(l1, other.l1);
  add_cache(l2, other.l2);
  dram.add(other.dram);
  shared_accesses += other.shared_accesses;
  shared_conflict_cycles += other.shared_conflict_cycles;
  memory_instructions += other.memory_instructions;
  memory_transactions += other.memory_transactions;
  memory_bytes += other.memory_bytes;
  memory_busy_cycles += other.memory_busy_cycles;
  add_barrel(barrel, other.barrel);
  for (const auto& [name, count] : other.own) own[name] += count;
  branches = merge(branches, other.branches);
  helpers = merge(helpers, other.helpers);
  lanes = std::max(lanes, other.lanes);
  schedulers = std::max(schedulers, other.schedulers);
}

}  // namespace heddle
