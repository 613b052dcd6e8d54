// SPDX-License-Identifier: Apache-2.0
#include "cuda/settings.h"

#include <charconv>
#include <cstdlib>
#include <sstream>

#include "config/config.h"
#include "heddle/error.h"
#include "mechanisms/plugins.h"
#include "timeline/draw.h"
#include "wave/wave.h"

namespace heddle {
namespace {

// What a CUDA program takes for granted and the defaults of all keys do not give: stacks and a heap of a size for it,
// of which with RV64 the host has no more than what is used.
// The reference interpreter would compare all memory at each launch: HEDDLE_SET="run.oracle=true" asks for it. Programs
// that are right on a GPU may read a little beyond a buffer (docs/cuda.md): HEDDLE_SET="run.bounds=true" finds where.
KeyValues own_defaults(Xlen xlen) {
  return {{"memory.heap_bytes", xlen == Xlen::k64 ? "4G" : "1G"},
          {"memory.local_bytes", "64K"},
          {"run.oracle", "false"},
          {"run.bounds", "false"}};
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::uint64_t number(const std::string& text, const std::string& origin) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw bad_input("option", origin + ": '" + text + "' is no whole number");
  return value;
}

// Colons stand in pairs between the names of spaces and kernel.
bool is_name(const std::string& text) {
  std::size_t begin = 0;
  for (std::size_t colon = text.find(':'); colon != std::string::npos; colon = text.find(':', begin)) {
    if (colon == begin || text.compare(colon, 2, "::") != 0) return false;
    begin = colon + 2;
  }
  return begin != text.size();
}

void apply_environment(ConfigBuilder& builder) {
  if (const std::string file = variable("HEDDLE_CONFIG"); !file.empty()) builder.load_file(file);
  std::istringstream assignments(variable("HEDDLE_SET"));
  for (std::string assignment; assignments >> assignment;) builder.set(assignment, "HEDDLE_SET");
}

}  // namespace

Detail::Detail(const std::string& list) {
  all_ = list.empty();
  if (all_ || list == "none") return;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    const std::string origin = "HEDDLE_DETAIL " + word;
    const std::size_t colon = word.find(':');
    // A C++ name may hold colons; a range begins with a digit.
    const std::size_t last = word.rfind(':');
    const bool ranged =
        colon != std::string::npos && last + 1 < word.size() && word[last + 1] >= '0' && word[last + 1] <= '9';
    Range range;
    range.kernel = ranged ? word.substr(0, last) : word;
    if (!is_name(range.kernel))
      throw bad_input("option",
                      origin + ": no kernel's name, and no range behind one; write it as in 'kernel:3-5,other'");
    if (ranged) {
      const std::string numbers = word.substr(last + 1);
      const std::size_t dash = numbers.find('-');
      range.first = number(numbers.substr(0, dash), origin);
      if (dash == std::string::npos) range.last = range.first;
      else if (dash + 1 < numbers.size()) range.last = number(numbers.substr(dash + 1), origin);
      if (range.first == 0 || range.last < range.first)
        throw bad_input("option", origin + ": launches are counted from 1, and the range goes up");
    }
    ranges_.push_back(range);
  }
}

bool Detail::next(const std::string& kernel) {
  if (all_) return true;
  const std::uint64_t count = ++launches_[kernel];
  for (const Range& range : ranges_) {
    const bool named = range.kernel == kernel || range.kernel == kernel.substr(0, kernel.find('<'));
    if (named && count >= range.first && count <= range.last) return true;
  }
  return false;
}

Settings read_settings(Xlen xlen) {
  load_plugins();
  Settings settings;
  settings.config = configure(variable("HEDDLE_PRESET"), apply_environment, own_defaults(xlen)).build();
  const std::string engine = variable("HEDDLE_ENGINE");
  const bool functional = engine == "functional";
  if (!engine.empty() && !functional) {
    const std::optional<Engine> found = find_engine(engine);
    if (!found)
      throw bad_input(
          "option", "HEDDLE_ENGINE " + engine + ": there is no such engine; choose systemc, rtl, cosim or functional");
    settings.engine = *found;
  }
  settings.engine_name = functional ? "functional" : engine_name(settings.engine);
  settings.detail = Detail(functional ? "none" : variable("HEDDLE_DETAIL"));
  settings.json = variable("HEDDLE_JSON");
  settings.timeline = variable("HEDDLE_TIMELINE");
  settings.wave = variable("HEDDLE_WAVE");
  settings.mismatch_wave = settings.engine != Engine::kCosim          ? ""
                           : variable("HEDDLE_MISMATCH_WAVE").empty() ? "heddle-mismatch.fst"
                                                                      : variable("HEDDLE_MISMATCH_WAVE");
  if (!settings.timeline.empty()) check_timeline_path(settings.timeline);
  if (!settings.wave.empty()) check_wave_path(settings.wave);
  if (const std::string window = variable("HEDDLE_WINDOW"); !window.empty()) {
    const std::size_t dash = window.find('-');
    settings.window_start = number(window.substr(0, dash), "HEDDLE_WINDOW");
    if (dash != std::string::npos && dash + 1 < window.size())
      settings.window_end = number(window.substr(dash + 1), "HEDDLE_WINDOW");
    if (settings.window_end < settings.window_start)
      throw bad_input("option", "HEDDLE_WINDOW " + window + ": its end lies before its start");
  }
  if (const std::string threads = variable("HEDDLE_THREADS"); !threads.empty())
    settings.host_threads = host_threads(threads, "HEDDLE_THREADS");
  const std::string report = variable("HEDDLE_REPORT");
  settings.report_is_default = report.empty();
  if (report == "none") settings.report = Settings::Report::kNone;
  else if (report == "launches") settings.report = Settings::Report::kLaunches;
  else if (!report.empty() && report != "sum")
    throw bad_input("option", "HEDDLE_REPORT " + report + ": choose none, sum or launches");
  return settings;
}

}  // namespace heddle
