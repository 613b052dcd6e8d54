// SPDX-License-Identifier: Apache-2.0
#include "timeline/draw.h"

#include <algorithm>
#include <filesystem>

#include "heddle/error.h"
#include "mechanisms/mechanism.h"

namespace heddle {
namespace {

bool is_svg(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".svg") return true;
  if (extension == ".json") return false;
  throw bad_input("option", "--timeline " + path + ": a timeline ends in .svg or .json; rename it");
}

}  // namespace

void check_timeline_path(const std::string& path) { static_cast<void>(is_svg(path)); }
std::size_t timeline_issues(const std::string& path) { return is_svg(path) ? kSvgIssues : kTraceIssues; }

TimelineView timeline_view(const std::string& name, const Timeline& timeline, const Config& config) {
  const FrontendShape shape = frontend_shape(config);
  TimelineView view{name + " on " + config.mechanism, config.core.lanes, shape.slots, shape.core.splits_warps};
  if (view.splits) {  // no rows for those that the table had room for and nobody took
    view.slots = 1;
    for (const Timeline::Issue& issue : timeline.issues()) view.slots = std::max(view.slots, issue.slot + 1);
  }
  return view;
}

std::string draw_timeline(const std::string& path, const std::string& name, const Timeline& timeline,
                          const Program& program, const Config& config) {
  const TimelineView view = timeline_view(name, timeline, config);
  return is_svg(path) ? timeline_svg(timeline, program, view) : timeline_trace(timeline, program, view);
}

}  // namespace heddle
