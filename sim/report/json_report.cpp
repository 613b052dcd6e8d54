// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "config/config.h"
#include "mechanisms/mechanism.h"
#include "report/metrics.h"
#include "report/perturbed.h"
#include "report/report.h"
#include "report/version.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json identity() { return {{"version", version()}, {"git", git_revision()}}; }

Json config_json(const Config& config) {
  Json json = Json::object();
  for (const ConfigKey& key : config_keys()) {
    switch (key.type) {
      case KeyType::kNumber: json[key.name] = key.get(config); break;
      case KeyType::kBool: json[key.name] = key.get(config) != 0; break;
      case KeyType::kChoice: json[key.name] = key.text(config); break;
    }
  }
  return json;
}

Json barrel_json(const BarrelStats& b) {
  Json json = {{"max_distinct_pcs", b.max_distinct_pcs}, {"max_wait_cycles", b.max_wait}};
  if (!b.formed) return json;
  json.update({{"lut", {{"hits", b.lut_hits}, {"misses", b.lut_misses}, {"aliases", b.lut_aliases}}},
               {"lane_conflicts", b.lane_conflicts},
               {"fragmented", b.fragmented},
               {"drain_cycles", b.drain_cycles},
               {"crossbar_cycles", b.crossbar_cycles},
               {"update_wait", b.update_wait},
               {"max_pool_entries", b.max_pool_entries}});
  return json;
}

// Addresses are hexadecimal strings, as in the JSON of `heddle cfg`.
std::string address_text(Pc pc) { return fmt::format("{:#x}", pc); }

Json cache_json(const CacheStats& cache) {
  return {{"accesses", cache.accesses},
          {"hits", cache.hits},
          {"misses", cache.misses},
          {"merged", cache.merged},
          {"bytes_read", cache.bytes_read},
          {"bytes_written", cache.bytes_written},
          {"stall_cycles", cache.stall_cycles}};
}

Json exits_json(const ExitStats& exits) {
  if (exits.failed == 0) return {{"failed", 0}, {"first", nullptr}};
  const ThreadExit& first = exits.first;
  return {{"failed", exits.failed},
          {"first",
           {{"status", static_cast<std::int32_t>(first.status)},
            {"block", first.block},
            {"thread", first.thread},
            {"pc", address_text(first.pc)},
            {"cycle", first.cycle}}}};
}

Json stats_json(const Stats& s) {
  Json stalls = Json::object();
  for (const Stall reason : stall_reasons(s)) {
    stalls[kStallNames[static_cast<unsigned>(reason)]] = s.stalls[static_cast<unsigned>(reason)];
  }
  Json histogram = Json::object();
  for (unsigned threads = 0; threads <= s.lanes; ++threads)
    histogram["W" + std::to_string(threads)] = s.warp_size[threads];
  Json depths = Json::object();
  for (std::size_t depth = 1; depth < s.stack_depth.size(); ++depth) {
    if (s.stack_depth[depth] != 0) depths[std::to_string(depth)] = s.stack_depth[depth];
  }
  Json json = {
      {"cycles", s.cycles},
      {"warp_instructions", s.warp_instructions},
      {"thread_instructions", s.thread_instructions},
      {"ipc", ipc(s)},
      {"lane_utilization", lane_utilization(s)},
      {"lane_utilization_live", lane_utilization_live(s)},
      {"avg_path", avg_path(s)},
      {"sibling_issues", s.sibling_issues},
      {"idle_cycles", idle_cycles(s)},
      {"stalls", stalls},
      {"warp_size_histogram", histogram},
      {"divergent_branches", s.divergent_branches},
      {"interleavable_branches", s.interleavable_branches},
      {"predicated_branches", s.predicated_branches},
      {"predicated_instructions", s.predicated_instructions},
      {"masked_threads", s.masked_threads},
      {"lane_utilization_masked", lane_utilization_masked(s)},
      {"max_stack_depth", s.max_stack_depth},
      {"stack_depth_histogram", depths},
      {"l1", cache_json(s.l1)},
      {"shared", {{"accesses", s.shared_accesses}, {"conflict_cycles", s.shared_conflict_cycles}}},
      {"memory",
       {{"instructions", s.memory_instructions},
        {"transactions", s.memory_transactions},
        {"bytes", s.memory_bytes},
        {"busy_cycles", s.memory_busy_cycles},
        {"bytes_per_cycle", memory_bandwidth(s)}}},
      {"exits", exits_json(s.exits)},
      {"lanes", s.lanes},
      {"schedulers", s.schedulers},
  };
  if (s.dram.clocks != 0) {
    json["l2"] = cache_json(s.l2);
    json["dram"] = {{"reads", s.dram.reads},
                    {"writes", s.dram.writes},
                    {"row_hits", s.dram.row_hits},
                    {"activates", s.dram.activates},
                    {"busy_clocks", s.dram.busy_clocks},
                    {"clocks", s.dram.clocks},
                    {"utilization", dram_utilization(s)}};
  }
  if (s.barrel.used) json["barrel"] = barrel_json(s.barrel);
  if (s.forwarded_paths != 0) json["dpe"] = {{"forwarded_paths", s.forwarded_paths}};
  if (s.stack_instructions + s.saved_rows != 0) {
    json["dpe"] = {
        {"stack_instructions", s.stack_instructions}, {"saved_rows", s.saved_rows}, {"loaded_rows", s.loaded_rows}};
  }
  if (s.memory_splits != 0) json["dpe"] = {{"memory_splits", s.memory_splits}, {"memory_joins", s.memory_joins}};
  if (s.max_pending_sets != 0) json["forkjoin"] = {{"max_pending_sets", s.max_pending_sets}};
  if (s.splits.most != 0) {
    json["dws"] = {{"splits", s.splits.made},
                   {"merges", s.splits.merged},
                   {"refused", s.splits.refused},
                   {"max_splits", s.splits.most}};
  }
  if (!s.own.empty()) json["own"] = s.own;
  return json;
}

Json functional_json(const Stats& s) {
  return {{"thread_instructions", s.thread_instructions}, {"exits", exits_json(s.exits)}};
}

Json branches_json(const std::vector<BranchReport>& branches) {
  Json list = Json::array();
  for (const BranchReport& branch : branches) {
    const Pc rpc = branch.counts.rpc;
    list.push_back({{"pc", address_text(branch.counts.pc)},
                    {"source", branch.source},
                    {"rpc", rpc == kNoRpc || rpc == kReturnRpc ? Json(nullptr) : Json(address_text(rpc))},
                    {"meets", rpc == kNoRpc       ? "never"
                              : rpc == kReturnRpc ? "return"
                                                  : "pc"},
                    {"executed", branch.counts.executed},
                    {"divergent", branch.counts.divergent},
                    {"interleavable", branch.counts.interleavable},
                    {"predicated", branch.counts.predicated}});
  }
  return list;
}

Json launches_json(const std::vector<LaunchReport>& launches) {
  Json list = Json::array();
  for (const LaunchReport& launch : launches) {
    list.push_back({{"kernel", launch.kernel},
                    {"grid", launch.grid},
                    {"block", launch.block},
                    {"stats", launch.functional ? functional_json(launch.stats) : stats_json(launch.stats)}});
    if (launch.functional) list.back()["functional"] = true;
  }
  return list;
}

Json failure_json(const std::string& code, const std::string& message, const std::string& details) {
  Json lines = Json::array();
  std::istringstream text(details);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return {{"code", code}, {"message", message}, {"details", lines}};
}

// What stopped the run, then the lines about its outputs.
Json run_failure_json(const RunReport& run) {
  if (run.error_code.empty()) return nullptr;
  std::string details = run.error_details;
  for (const std::string& line : run.output_errors) {
    if (line != run.error_message) details += line + "\n";
  }
  return failure_json(run.error_code, run.error_message, details);
}

Json run_body(const RunReport& run) {
  const auto rate = [&run](std::uint64_t count) { return ratio(static_cast<double>(count), run.host.wall_seconds); };
  Json body = {
      {"workload", run.workload},
      {"mechanism", run.config.mechanism},
      {"engine", run.engine},
      {"config", config_json(run.config)},
      {"result", result_name(run)},
      {"error", run_failure_json(run)},
      {"stats", stats_json(run.stats)},
      {"launches", launches_json(run.launches)},
      {"branches", branches_json(run.branches)},
      {"branches_without_rpc", run.branches_without_rpc},
      {"host",
       {{"wall_seconds", run.host.wall_seconds},
        {"cycles_per_second", rate(run.stats.cycles)},
        {"warp_instructions_per_second", rate(run.stats.warp_instructions)},
        {"peak_memory_bytes", run.host.peak_memory_bytes}}},
  };
  const Mechanism* const mechanism = find_mechanism(run.config.mechanism);
  if (const std::string library = mechanism == nullptr ? "" : library_of(*mechanism); !library.empty())
    body["plugins"] = {library};
  if (!run.functional_launches.empty()) body["functional_launches"] = run.functional_launches;
  if (!run.linearize.empty()) body["linearize"] = run.linearize;
  if (!run.notes.empty()) body["notes"] = run.notes;
  return body;
}

Json spread_json(const Spread& spread) {
  return {{"mean", spread.mean}, {"deviation", spread.deviation}, {"min", spread.min}, {"max", spread.max}};
}

// What is not a number is written as null.
Json perturb_json(const std::vector<RunReport>& runs, std::size_t each) {
  Json gains = Json::array();
  for (const PerturbedGain& row : perturbed_gains(runs, each)) {
    gains.push_back({{"workload", row.workload},
                     {"mechanism", row.mechanism},
                     {"baseline", row.baseline},
                     {"compared", row.gains.size()},
                     {"speed_up", row.gains.empty() ? Json(nullptr) : spread_json(row.gain)},
                     {"lines", row.gains.empty() ? Json(nullptr) : spread_json(row.lines)},
                     {"gain", reading_name(row.reading)}});
  }
  return {{"key", runs.empty() ? "memory.latency" : perturbed_key(runs.front().config)},
          {"runs_each", each},
          {"gains", gains}};
}

// Paths and messages may hold bytes that are no UTF-8: they are replaced, never a reason to fail.
std::string written(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string run_json(const RunReport& run) {
  Json document = {{"heddle", identity()}};
  document.update(run_body(run));
  return written(document);
}

std::string compare_json(const std::vector<RunReport>& runs, const Error* failure, std::size_t each) {
  Json list = Json::array();
  RunReport worst;
  if (failure != nullptr) worst.status = failure->status();
  for (const RunReport& run : runs) {
    list.push_back(run_body(run));
    worst.status = std::max(worst.status, run.status);
    worst.checked = worst.checked && run.checked;
  }
  Json document = {{"heddle", identity()},
                   {"result", result_name(worst)},
                   {"error", failure == nullptr ? Json(nullptr)
                                                : failure_json(failure->code(), failure->what(), failure->details())},
                   {"runs", list}};
  if (each > 1) document["perturb"] = perturb_json(runs, each);
  return written(document);
}

std::string error_json(const Error& error) {
  return written(Json{{"heddle", identity()},
                      {"result", result_name(error.status())},
                      {"error", failure_json(error.code(), error.what(), error.details())}});
}

}  // namespace heddle
