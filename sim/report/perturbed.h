// SPDX-License-Identifier: Apache-2.0
// What is left of a gain when memory latency is perturbed: its mean and spread, and the lines that were fetched for it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/report.h"

namespace heddle {

struct Spread {
  double mean = 0, deviation = 0, min = 0, max = 0;  // deviation: of the sample
};
[[nodiscard]] Spread spread_of(const std::vector<double>& values);

// What a gain is, in the order in which it is asked.
enum class Reading {
  kUnknown,        // fewer than two runs could be compared
  kLoss,           // slower in every run
  kNone,           // faster in some runs, slower in others, or equal
  kTraffic,        // faster in every run, with another number of lines
  kLatencyHiding,  // with as many lines, and a second path to issue from
  kOther,          // with as many lines, and no second path
};

[[nodiscard]] const char* reading_name(Reading reading);

// A mechanism on a workload, against the first one of the workload.
struct PerturbedGain {
  std::string workload, mechanism, baseline;
  ExitStatus status = ExitStatus::kPass;  // the greatest of the runs
  bool checked = true;
  std::vector<double> gains;  // of the runs that ended correctly with both mechanisms
  Spread cycles, gain;
  Spread lines;  // fetched, over those of the baseline; not a number where only the mechanism fetched any
  Reading reading = Reading::kUnknown;
};

// `runs`: `each` of a workload and mechanism in a row, the last ones perhaps missing.
[[nodiscard]] std::vector<PerturbedGain> perturbed_gains(const std::vector<RunReport>& runs, std::size_t each);

}  // namespace heddle
