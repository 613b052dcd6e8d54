// SPDX-License-Identifier: Apache-2.0
#include "report/perturbed.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/metrics.h"

namespace heddle {
namespace {

constexpr double kSameLines = 0.02;   // ratios of lines so far from 1 are about 1
constexpr double kSecondPath = 0.01;  // so much more avg_path than the baseline has is a second path

double line_ratio(const Stats& base, const Stats& other) {
  if (base.l1.bytes_read == other.l1.bytes_read) return 1;
  if (base.l1.bytes_read == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(other.l1.bytes_read) / static_cast<double>(base.l1.bytes_read);
}

Reading reading_of(const PerturbedGain& gain, double more_paths) {
  if (gain.gains.size() < 2) return Reading::kUnknown;
  if (gain.gain.max < 1) return Reading::kLoss;
  if (gain.gain.min <= 1) return Reading::kNone;
  if (!(std::fabs(gain.lines.mean - 1) <= kSameLines)) return Reading::kTraffic;
  return more_paths > kSecondPath ? Reading::kLatencyHiding : Reading::kOther;
}

}  // namespace

const char* reading_name(Reading reading) {
  switch (reading) {
    case Reading::kUnknown: return "unknown";
    case Reading::kLoss: return "loss";
    case Reading::kNone: return "none";
    case Reading::kTraffic: return "traffic";
    case Reading::kLatencyHiding: return "latency_hiding";
    case Reading::kOther: break;
  }
  return "other";
}

Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  if (values.empty()) return spread;
  const double count = static_cast<double>(values.size());
  for (const double value : values) spread.mean += value / count;
  for (const double value : values) spread.deviation += (value - spread.mean) * (value - spread.mean);
  spread.deviation = values.size() > 1 ? std::sqrt(spread.deviation / (count - 1)) : 0;
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  spread.min = *min;
  spread.max = *max;
  return spread;
}

std::vector<PerturbedGain> perturbed_gains(const std::vector<RunReport>& runs, std::size_t each) {
  std::vector<PerturbedGain> all;
  std::size_t base = 0;  // first run of the workload
  for (std::size_t begin = 0; begin < runs.size(); begin += each) {
    if (runs[begin].workload != runs[base].workload) base = begin;
    PerturbedGain row;
    row.workload = runs[begin].workload;
    row.mechanism = row_name(runs[begin]);
    row.baseline = row_name(runs[base]);
    std::vector<double> cycles, lines;
    double more_paths = 0;
    for (std::size_t i = 0; i < each && begin + i < runs.size(); ++i) {
      const RunReport& from = runs[base + i];
      const RunReport& run = runs[begin + i];
      row.status = std::max(row.status, run.status);
      row.checked = row.checked && run.checked;
      cycles.push_back(static_cast<double>(run.stats.cycles));
      if (from.status != ExitStatus::kPass || run.status != ExitStatus::kPass || run.stats.cycles == 0) continue;
      row.gains.push_back(ratio(static_cast<double>(from.stats.cycles), static_cast<double>(run.stats.cycles)));
      lines.push_back(line_ratio(from.stats, run.stats));
      more_paths = std::max(more_paths, avg_path(run.stats) - avg_path(from.stats));
    }
    row.cycles = spread_of(cycles);
    row.gain = spread_of(row.gains);
    row.lines = spread_of(lines);
    row.reading = reading_of(row, more_paths);
    all.push_back(std::move(row));
  }
  return all;
}

}  // namespace heddle
