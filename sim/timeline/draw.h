// SPDX-License-Identifier: Apache-2.0
// A recorded timeline as a file: the kind by the file's name, the rows by the machine.
#pragma once

#include <cstddef>
#include <string>

#include "heddle/config.h"
#include "timeline/timeline.h"

namespace heddle {

// Throws Error(option) unless the name ends in .svg or .json.
void check_timeline_path(const std::string& path);
// How much to record for it.
[[nodiscard]] std::size_t timeline_issues(const std::string& path);
// Title and rows.
[[nodiscard]] TimelineView timeline_view(const std::string& name, const Timeline& timeline, const Config& config);
[[nodiscard]] std::string draw_timeline(const std::string& path, const std::string& name, const Timeline& timeline,
                                        const Program& program, const Config& config);

}  // namespace heddle
