// SPDX-License-Identifier: Apache-2.0
// One run as a page: what it cost, which branches lost how many lanes, how deep the stack was, and the source with what
// each line did.
#pragma once

#include <string>

#include "isa/program.h"
#include "report/lane_loss.h"
#include "report/report.h"

namespace heddle {

// Throws Error(option) where the name does not end as a page's.
void check_html_path(const std::string& path);
// A whole document without references to other files. Source files that cannot be read are shown as instructions.
[[nodiscard]] std::string run_html(const RunReport& run, const LaneLoss& lanes, const Program& program);

}  // namespace heddle
