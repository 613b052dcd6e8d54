// SPDX-License-Identifier: Apache-2.0
// Runs of one workload with several mechanisms beside each other: one page on which a slider moves all of them to the
// same cycle, and one picture of their timelines.
#pragma once

#include <string>
#include <vector>

#include "heddle/config.h"
#include "report/report.h"
#include "timeline/timeline.h"

namespace heddle {

// What is kept of a run, whose program is gone when the page is made.
struct RecordedRun {
  std::string picture;  // SVG
  std::string steps;    // JSON: what each warp issued, where, with which threads
};

[[nodiscard]] RecordedRun record_run(const std::string& name, const Timeline& timeline, const Program& program,
                                     const Config& config);

// A document without references to other files. runs and recorded: in groups of one workload; fewer recorded if the
// last run could not begin.
[[nodiscard]] std::string side_by_side_page(const std::vector<RunReport>& runs,
                                            const std::vector<RecordedRun>& recorded);
// All pictures under each other.
[[nodiscard]] std::string stacked_pictures(const std::vector<RecordedRun>& recorded);

}  // namespace heddle
