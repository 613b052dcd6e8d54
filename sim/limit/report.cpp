// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "config/config.h"
#include "limit/study.h"
#include "report/report.h"
#include "report/text.h"
#include "report/version.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

// Harmonic means over the programs of how many threads work in an issue.
struct Means {
  double pdom_ipc = 0, oracle_ipc = 0;
  [[nodiscard]] double gain() const { return pdom_ipc == 0 ? 0 : oracle_ipc / pdom_ipc - 1; }
};

Means means(const std::vector<LimitResult>& results) {
  double pdom = 0, oracle = 0;
  for (const LimitResult& result : results) {
    pdom += 1 / result.pdom_ipc();
    oracle += 1 / result.oracle_ipc();
  }
  const auto count = static_cast<double>(results.size());
  return {count / pdom, count / oracle};
}

}  // namespace

std::string limit_table(const std::vector<LimitResult>& results, const Config& config) {
  TextTable table("lrrrrrrrrr");
  table.row({"program", "warps", "threads", "pdom_issues", "oracle_issues", "longest_traces", "pdom_ipc", "oracle_ipc",
             "gain", "at_most"});
  for (const LimitResult& result : results) {
    table.row({result.name, grouped(result.warps), grouped(result.threads), grouped(result.pdom_issues),
               grouped(result.oracle_issues), grouped(result.longest_traces), fmt::format("{:.3f}", result.pdom_ipc()),
               fmt::format("{:.3f}", result.oracle_ipc()), percent(result.gain()), percent(result.bound())});
  }
  if (results.size() > 1) {
    const Means mean = means(results);
    table.row({"harmonic mean", "", "", "", "", "", fmt::format("{:.3f}", mean.pdom_ipc),
               fmt::format("{:.3f}", mean.oracle_ipc), percent(mean.gain())});
  }
  std::string text = fmt::format(
      "warps of {} lanes; an alignment found by merging pairs; at_most: no alignment gains more\n", config.core.lanes);
  text += table.text();
  for (const LimitResult& result : results) {
    if (result.pdom_kept != 0) {
      text += fmt::format(
          "{}: in {} of {} warps merging pairs found nothing as good as post-dominators, which count instead\n",
          result.name, grouped(result.pdom_kept), grouped(result.warps));
    }
  }
  return text;
}

std::string limit_json(const std::vector<LimitResult>& results, const Config& config, const LimitOptions& options,
                       const Error* failure) {
  Json programs = Json::array();
  for (const LimitResult& result : results) {
    programs.push_back({{"workload", result.name},
                        {"launches", result.launches},
                        {"warps", result.warps},
                        {"threads", result.threads},
                        {"thread_instructions", result.thread_instructions},
                        {"pdom_issues", result.pdom_issues},
                        {"oracle_issues", result.oracle_issues},
                        {"longest_traces", result.longest_traces},
                        {"pdom_ipc", result.pdom_ipc()},
                        {"oracle_ipc", result.oracle_ipc()},
                        {"gain", result.gain()},
                        {"at_most", result.bound()},
                        {"pdom_kept", result.pdom_kept},
                        {"cells", result.cells}});
  }
  const Means mean = results.empty() ? Means() : means(results);
  const Json document = {
      {"heddle", {{"version", version()}, {"git", git_revision()}}},
      {"result", result_name(failure == nullptr ? ExitStatus::kPass : failure->status())},
      {"error", failure == nullptr ? Json(nullptr) : Json{{"code", failure->code()}, {"message", failure->what()}}},
      {"lanes", config.core.lanes},
      {"threads", options.threads},
      {"programs", programs},
      {"harmonic_mean", {{"pdom_ipc", mean.pdom_ipc}, {"oracle_ipc", mean.oracle_ipc}, {"gain", mean.gain()}}}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle
