// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "isa/program.h"
#include "report/bits.h"
#include "report/metrics.h"
#include "report/perturbed.h"
#include "report/report.h"
#include "report/text.h"

namespace heddle {
namespace {

constexpr std::size_t kBranchesShown = 10;

std::string share_of(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{} ({})", grouped(part), percent(ratio(static_cast<double>(part), static_cast<double>(whole))));
}

std::string stall_lines(const Stats& stats) {
  std::vector<unsigned> reasons;
  for (const Stall reason : stall_reasons(stats)) {
    if (stats.stalls[static_cast<unsigned>(reason)] != 0) reasons.push_back(static_cast<unsigned>(reason));
  }
  std::stable_sort(reasons.begin(), reasons.end(),
                   [&](unsigned a, unsigned b) { return stats.stalls[a] > stats.stalls[b]; });
  std::string text;
  for (const unsigned reason : reasons) {
    text += fmt::format("    {:<21} {}\n", kStallNames[reason], share_of(stats.stalls[reason], idle_cycles(stats)));
  }
  return text;
}

// Some mechanisms are without one.
bool has_stack(const Stats& s) { return s.max_stack_depth != 0; }

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

using Lines = std::vector<std::pair<const char*, std::string>>;

// How the warps of a barrel core were formed.
Lines barrel_lines(const RunReport& run) {
  const BarrelStats& b = run.stats.barrel;
  if (!b.used) return {};
  Lines lines;
  lines.emplace_back("distinct PCs", fmt::format("{} at most at once", b.max_distinct_pcs));
  lines.emplace_back("longest wait", fmt::format("{} cycles of a thread for its issue", grouped(b.max_wait)));
  if (!b.formed) return lines;
  lines.emplace_back(
      "warp pool", fmt::format("{} of {} entries", b.max_pool_entries, run.config.core.lanes * run.config.core.warps));
  lines.emplace_back("PC-warp LUT", fmt::format("{} hits, {} misses, {} aliases", grouped(b.lut_hits),
                                                grouped(b.lut_misses), grouped(b.lut_aliases)));
  lines.emplace_back("lane conflicts",
                     fmt::format("{}, of them {} by fragmentation", grouped(b.lane_conflicts), grouped(b.fragmented)));
  if (b.drain_cycles != 0)
    lines.emplace_back("drain", fmt::format("{} cycles with a full PC table", grouped(b.drain_cycles)));
  if (b.crossbar_cycles != 0)
    lines.emplace_back("crossbar", fmt::format("{} cycles for bank conflicts", grouped(b.crossbar_cycles)));
  return lines;
}

std::string reconverges(Pc rpc) {
  return rpc == kNoRpc ? "never" : rpc == kReturnRpc ? "return" : fmt::format("{:#010x}", rpc);
}

std::string branch_lines(const RunReport& run) {
  std::vector<const BranchReport*> divergent;
  for (const BranchReport& branch : run.branches) {
    if (branch.counts.divergent != 0) divergent.push_back(&branch);
  }
  if (divergent.empty()) return {};
  std::stable_sort(divergent.begin(), divergent.end(),
                   [](const auto* a, const auto* b) { return a->counts.divergent > b->counts.divergent; });
  const std::size_t shown = std::min(divergent.size(), kBranchesShown);
  TextTable table("lrrrrl");
  table.row({"divergent branch", "reconverges", "executed", "divergent", "interleavable", "source"});
  for (std::size_t i = 0; i < shown; ++i) {
    const BranchStats& counts = divergent[i]->counts;
    table.row({fmt::format("{:#010x}", counts.pc), reconverges(counts.rpc), grouped(counts.executed),
               grouped(counts.divergent), grouped(counts.interleavable), divergent[i]->source});
  }
  std::string text = table.text("  ");
  if (shown < divergent.size()) text += fmt::format("  ... and {} more (--json lists all)\n", divergent.size() - shown);
  return text;
}

}  // namespace

std::string run_summary(const RunReport& run) {
  const Stats& s = run.stats;
  std::string text =
      fmt::format("{} on {}, engine {}: {}\n", run.workload, run.config.mechanism, run.engine, result_name(run));
  const auto line = [&text](const char* name, const std::string& value) {
    text += fmt::format("  {:<23} {}\n", name, value);
  };
  if (run.launch_count > 1) line("launches", grouped(run.launch_count));
  if (s.exits.failed != 0) {
    line("failed threads", fmt::format("{} ended with a status other than 0, first {} with {}", grouped(s.exits.failed),
                                       thread_text(s.exits.first), static_cast<std::int32_t>(s.exits.first.status)));
  }
  line("cycles", grouped(s.cycles));
  line("warp instructions", grouped(s.warp_instructions));
  line("thread instructions", grouped(s.thread_instructions));
  line("ipc", fmt::format("{:.3f} thread instructions a cycle", ipc(s)));
  line("lane utilization",
       fmt::format("{} ({} of live threads)", percent(lane_utilization(s)), percent(lane_utilization_live(s))));
  if (!s.barrel.used) {
    line("avg path", fmt::format("{:.3f}", avg_path(s)));
    line("sibling issues", share_of(s.sibling_issues, s.warp_instructions));
  }
  line("divergent branches",
       fmt::format("{}, of them interleavable {}", grouped(s.divergent_branches), grouped(s.interleavable_branches)));
  if (s.predicated_branches != 0) {
    line("predicated branches",
         fmt::format("{}, {} instructions with threads masked off (lane utilization {} with them)",
                     grouped(s.predicated_branches), grouped(s.predicated_instructions),
                     percent(lane_utilization_masked(s))));
  }
  if (has_stack(s)) line("stack depth", fmt::format("{} of {}", s.max_stack_depth, run.config.stack.depth));
  if (s.max_pending_sets != 0)
    line("pending sets",
         fmt::format("at most {} in a warp; never more than {}", s.max_pending_sets, ceil_log2(s.lanes)));
  if (s.forwarded_paths != 0) line("forwarded paths", grouped(s.forwarded_paths));
  if (s.stack_instructions + s.saved_rows != 0) {
    line("software stack",
         fmt::format("{} pushes and pops ({:.1f} % of the warp instructions), {} rows to memory, {} back",
                     grouped(s.stack_instructions),
                     s.warp_instructions == 0
                         ? 0.0
                         : 100.0 * static_cast<double>(s.stack_instructions) / static_cast<double>(s.warp_instructions),
                     grouped(s.saved_rows), grouped(s.loaded_rows)));
  }
  if (s.memory_splits != 0)
    line("splits at loads",
         fmt::format("{}, {} joined before they met", grouped(s.memory_splits), grouped(s.memory_joins)));
  if (s.splits.most != 0) {
    line("splits", fmt::format("{} made, {} merged, {} refused by a full table; at most {} of {} in a warp",
                               grouped(s.splits.made), grouped(s.splits.merged), grouped(s.splits.refused),
                               s.splits.most, run.config.dws.splits));
  }
  for (const auto& [name, count] : s.own) line(name.c_str(), grouped(count));
  for (const auto& [name, value] : barrel_lines(run)) line(name, value);
  if (s.l1.accesses != 0) {
    line("L1", fmt::format("{} accesses, hit rate {}, stalled {} cycles", grouped(s.l1.accesses),
                           percent(l1_hit_rate(s)), grouped(s.l1.stall_cycles)));
  }
  if (s.memory_bytes != 0) {
    const bool simple = run.config.memory.kind == MemoryKind::kSimple;
    line("memory",
         fmt::format("{} bytes, {:.2f} of {} bytes a cycle", grouped(s.memory_bytes), memory_bandwidth(s),
                     (simple ? run.config.memory.bytes_per_cycle : run.config.noc.flit_bytes) * run.config.gpu.sms));
  }
  if (s.l2.accesses != 0) {
    line("L2", fmt::format("{} accesses, hit rate {}, stalled {} cycles of slices", grouped(s.l2.accesses),
                           percent(l2_hit_rate(s)), grouped(s.l2.stall_cycles)));
  }
  if (s.dram.clocks != 0) {
    line("DRAM", fmt::format("{} lines read, {} written, {} found their row open; data buses busy {}",
                             grouped(s.dram.reads), grouped(s.dram.writes),
                             share_of(s.dram.row_hits, s.dram.reads + s.dram.writes), percent(dram_utilization(s))));
  }
  if (s.shared_accesses != 0) {
    line("shared memory",
         fmt::format("{} accesses, {} conflict cycles", grouped(s.shared_accesses), grouped(s.shared_conflict_cycles)));
  }
  line("idle cycles", share_of(idle_cycles(s), idle_cycles(s) + s.stalls[0]) + " of the schedulers' cycles");
  text += stall_lines(s);
  text += branch_lines(run);
  if (run.branches_without_rpc != 0) {
    text += fmt::format("  {} branches of the program have no reconvergence point ('heddle cfg' names them)\n",
                        run.branches_without_rpc);
  }
  text += fmt::format(
      "  host: {:.2f} s, {} cycles/s, {} warp instructions/s, {} MB\n", run.host.wall_seconds,
      grouped(static_cast<std::uint64_t>(ratio(static_cast<double>(s.cycles), run.host.wall_seconds))),
      grouped(static_cast<std::uint64_t>(ratio(static_cast<double>(s.warp_instructions), run.host.wall_seconds))),
      run.host.peak_memory_bytes >> 20);
  if (!run.error_details.empty()) text += "State when it stopped\n" + run.error_details;
  return text;
}

std::string row_name(const RunReport& run) {
  return run.config.mechanism + (run.linearize.empty() ? "" : " linearize=" + run.linearize);
}

std::string compare_table(const std::vector<RunReport>& runs) {
  TextTable table("lll");
  table.row({"workload", "mechanism", "result", "cycles", "speed-up", "ipc", "lane_utilization", "avg_path",
             "sibling_issues", "idle_cycles", "stack_depth"});
  std::vector<std::string> order;                    // mechanisms as they come
  std::map<std::string, std::vector<double>> gains;  // mechanism -> speed-ups over the first one
  const RunReport* base = nullptr;
  for (const RunReport& run : runs) {
    const bool first = base == nullptr || base->workload != run.workload;
    if (first) base = &run;
    const Stats& s = run.stats;
    const bool comparable = run.status == ExitStatus::kPass && base->status == ExitStatus::kPass && s.cycles != 0;
    const double speed_up = comparable ? static_cast<double>(base->stats.cycles) / static_cast<double>(s.cycles) : 0;
    const std::string name = row_name(run);
    if (std::find(order.begin(), order.end(), name) == order.end()) order.push_back(name);
    if (comparable) gains[name].push_back(speed_up);
    table.row({first ? run.workload : "", name, result_name(run), grouped(s.cycles),
               comparable ? fmt::format("{:.3f}", speed_up) : "-", fmt::format("{:.3f}", ipc(s)),
               percent(lane_utilization(s)), fmt::format("{:.3f}", avg_path(s)), percent(sibling_share(s)),
               grouped(idle_cycles(s)),
               has_stack(s) ? fmt::format("{}/{}", s.max_stack_depth, run.config.stack.depth) : "-"});
  }
  std::string text = table.text();
  const std::size_t workloads = order.empty() ? 0 : gains[order.front()].size();
  for (std::size_t i = 1; i < order.size() && workloads > 1; ++i) {
    if (gains[order[i]].empty()) continue;
    text += fmt::format("{} over {}: {:.3f} (geometric mean of {} workloads)\n", order[i], order.front(),
                        geometric_mean(gains[order[i]]), gains[order[i]].size());
  }
  return text;
}

std::string perturbed_table(const std::vector<RunReport>& runs, std::size_t each) {
  TextTable table("lll");
  table.row(
      {"workload", "mechanism", "result", "runs", "cycles", "speed-up", "deviation", "min", "max", "lines", "gain"});
  const std::vector<PerturbedGain> rows = perturbed_gains(runs, each);
  std::vector<std::string> order;                                 // mechanisms as they come
  std::map<std::string, std::vector<std::vector<double>>> gains;  // mechanism -> those of each workload that has all
  const PerturbedGain* before = nullptr;
  for (const PerturbedGain& row : rows) {
    const bool first = before == nullptr || before->workload != row.workload;
    before = &row;
    RunReport worst;
    worst.status = row.status;
    worst.checked = row.checked;
    const auto number = [&row](double value) {
      return row.gains.empty() || std::isnan(value) ? "-" : fmt::format("{:.3f}", value);
    };
    table.row({first ? row.workload : "", row.mechanism, result_name(worst), std::to_string(row.gains.size()),
               grouped(static_cast<std::uint64_t>(std::llround(row.cycles.mean))), number(row.gain.mean),
               number(row.gain.deviation), number(row.gain.min), number(row.gain.max), number(row.lines.mean),
               first ? "-" : reading_name(row.reading)});
    if (std::find(order.begin(), order.end(), row.mechanism) == order.end()) order.push_back(row.mechanism);
    if (row.gains.size() == each) gains[row.mechanism].push_back(row.gains);
  }
  std::string text = table.text();
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::vector<std::vector<double>>& workloads = gains[order[i]];
    if (workloads.size() < 2) continue;
    std::vector<double> means;  // geometric, one for each perturbation
    for (std::size_t run = 0; run < each; ++run) {
      std::vector<double> of_run;
      for (const std::vector<double>& workload : workloads) of_run.push_back(workload[run]);
      means.push_back(geometric_mean(of_run));
    }
    const Spread mean = spread_of(means);
    text += fmt::format("{} over {}: {:.3f}, from {:.3f} to {:.3f} (geometric mean of {} workloads)\n", order[i],
                        order.front(), mean.mean, mean.min, mean.max, workloads.size());
  }
  return text;
}

}  // namespace heddle
