// SPDX-License-Identifier: Apache-2.0
#include "report/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "config/config.h"
#include "config/read_file.h"
#include "mechanisms/mechanism.h"
#include "report/metrics.h"
#include "report/text.h"

namespace heddle {
namespace {

constexpr std::uint64_t kMaxSource = 4u << 20;
constexpr unsigned kContext = 3;  // lines around those with code

constexpr const char* kStyle = R"(
body { font: 14px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 76em; padding: 0 1em; color: #1b1f24;
  background: #fff; }
h1 { font-size: 1.5em; }
h2 { font-size: 1.15em; margin-top: 2em; border-bottom: 1px solid #d0d7de; padding-bottom: .2em; }
table { border-collapse: collapse; }
th, td { padding: .15em .8em .15em 0; text-align: right; vertical-align: top; font-variant-numeric: tabular-nums; }
th { font-weight: 600; border-bottom: 1px solid #d0d7de; white-space: nowrap; } td.l, th.l { text-align: left; }
code, td.c { font: 12.5px/1.4 ui-monospace, monospace; }
td.c { text-align: left; white-space: pre; } td.n { color: #8b949e; }
.bar { display: inline-block; height: .75em; background: #4078c0; min-width: 1px; }
.key { color: #57606a; }
.split { display: flex; height: 1.4em; border-radius: 3px; overflow: hidden; margin: .4em 0; }
.split span { display: block; }
.bad { color: #b32d1a; font-weight: 600; } details { margin-top: 1em; }
tr.gap td { color: #8b949e; text-align: left; }
)";

double share(std::uint64_t part, std::uint64_t whole) {
  return ratio(static_cast<double>(part), static_cast<double>(whole));
}
std::string bar(double value, double widest) {
  return fmt::format("<span class=\"bar\" style=\"width:{:.1f}em\"></span>", widest * value);
}

// Rows of a name, a number and its bar.
class Bars {
 public:
  void add(const std::string& name, std::uint64_t value) { rows_.emplace_back(name, value); }
  [[nodiscard]] std::string html() const {
    std::uint64_t most = 1, sum = 0;
    for (const auto& [name, value] : rows_) {
      most = std::max(most, value);
      sum += value;
    }
    std::string out = "<table>\n";
    for (const auto& [name, value] : rows_) {
      out += fmt::format("<tr><td class=\"l\">{}</td><td>{}</td><td>{}</td><td class=\"l\">{}</td></tr>\n",
                         escaped(name), grouped(value), percent(share(value, sum)), bar(share(value, most), 18));
    }
    return out + "</table>\n";
  }

 private:
  std::vector<std::pair<std::string, std::uint64_t>> rows_;
};

std::string lanes_bar(const std::vector<std::tuple<std::string, std::string, std::uint64_t>>& parts,
                      std::uint64_t whole) {
  std::string bar = "<div class=\"split\">", key = "<p class=\"key\">";
  for (const auto& [name, color, value] : parts) {
    bar += fmt::format("<span style=\"width:{:.2f}%;background:{}\"></span>", 100 * share(value, whole), color);
    key += fmt::format("<span style=\"color:{}\">&#9632;</span> {} {} ({})&ensp; ", color, name, grouped(value),
                       percent(share(value, whole)));
  }
  return bar + "</div>\n" + key + "</p>\n";
}

struct Line {
  LaneLoss::Count count;
  std::vector<Pc> instructions;
};

class Page {
 public:
  Page(const RunReport& run, const LaneLoss& lanes, const Program& program)
      : run_(run),
        lanes_(lanes),
        program_(program),
        front_ends_(mechanism_kind(run.config.mechanism) == MechanismKind::kFrontend) {
    for (std::size_t n = 0; n < lanes.counts().size(); ++n) {
      const LaneLoss::Count& count = lanes.counts()[n];
      if (count.warp_instructions == 0) continue;
      const Pc pc = program.text_begin + static_cast<Pc>(n) * 4;
      const SourceLine at = program.source_line(pc);
      Line& line = files_[at.file][at.line];
      line.instructions.push_back(pc);
      line.count.warp_instructions += count.warp_instructions;
      line.count.thread_instructions += count.thread_instructions;
      line.count.missing += count.missing;
      line.count.lost += count.lost;
      slots_ += count.warp_instructions * run.stats.lanes;
      missing_ += count.missing;
    }
  }

  [[nodiscard]] std::string html() const {
    const std::string title = source_name(run_.workload) + " on " + run_.config.mechanism;
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        escaped(title), kStyle);
    out += summary();
    if (slots_ != 0) out += lanes() + branches();
    if (!files_.empty()) out += source();
    if (front_ends_ && run_.stats.max_stack_depth != 0) out += depths();
    if (run_.stats.warp_instructions != 0) out += sizes() + stalls();
    return out + settings() + "</body>\n</html>\n";
  }

 private:
  [[nodiscard]] std::string summary() const {
    const Stats& s = run_.stats;
    std::string out = "<table>\n";
    const auto row = [&](const char* name, const std::string& value) {
      out += fmt::format("<tr><td class=\"l key\">{}</td><td class=\"l\">{}</td></tr>\n", name, value);
    };
    const std::string result = result_name(run_);
    row("result", result == "pass" ? result
                  : result == "unchecked"
                      ? "not compared"
                      : fmt::format("<span class=\"bad\">{}</span> {}", result, escaped(run_.error_message)));
    row("engine",
        run_.engine +
            (run_.config.gpu.sms > 1 ? fmt::format(", {} SMs (lines and branches: SM 0)", run_.config.gpu.sms) : ""));
    row("cycles", grouped(s.cycles));
    row("warp instructions", grouped(s.warp_instructions));
    row("thread instructions", fmt::format("{} ({:.2f} a cycle)", grouped(s.thread_instructions), ipc(s)));
    row("lane utilization", percent(lane_utilization(s)));
    row("launches", grouped(run_.launch_count));
    return out + "</table>\n";
  }

  [[nodiscard]] std::string lanes() const {
    std::uint64_t threads = 0, lost = 0;
    for (const LaneLoss::Count& count : lanes_.counts()) {
      threads += count.thread_instructions;
      lost += count.lost;
    }
    if (!front_ends_) return "";
    return "<h2>Where the lanes go</h2>\n" +
           lanes_bar({{"a thread executes", "#2da44e", threads},
                      {"lost to branches", "#cf222e", lost},
                      {"lost otherwise", "#bf8700", missing_ - lost},
                      {"no thread (ended, or the block has none)", "#d0d7de", slots_ - threads - missing_}},
                     slots_);
  }

  [[nodiscard]] std::string branches() const {
    if (!front_ends_) return "";
    std::vector<const BranchReport*> order;
    for (const BranchReport& branch : run_.branches) {
      if (branch.counts.divergent + branch.counts.predicated != 0 || lost(branch) != 0) order.push_back(&branch);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](const BranchReport* a, const BranchReport* b) { return lost(*a) > lost(*b); });
    std::string out = "<h2>Branches that part threads</h2>\n";
    if (order.empty()) return out + "<p>None.</p>\n";
    out +=
        "<table>\n<tr><th class=\"l\">source</th><th "
        "class=\"l\">instruction</th><th>executed</th><th>divergent</th><th>interleavable</th><th>predicated</th>"
        "<th>lanes lost</th><th>of all lanes</th><th></th></tr>\n";
    for (const BranchReport* branch : order) {
      out += fmt::format(
          "<tr><td class=\"l\">{}</td><td "
          "class=\"c\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td "
          "class=\"l\">{}</td></tr>\n",
          escaped(branch->source), escaped(program_.disassemble(branch->counts.pc)), grouped(branch->counts.executed),
          grouped(branch->counts.divergent), grouped(branch->counts.interleavable), grouped(branch->counts.predicated),
          grouped(lost(*branch)), percent(share(lost(*branch), slots_)),
          bar(share(lost(*branch), std::max<std::uint64_t>(1, lost(*order.front()))), 6));
    }
    return out +
           "</table>\n<p class=\"key\">Interleavable: both sides have something to do. Lanes lost: threads of the warp "
           "that stood elsewhere, counted for the branch at "
           "which they last parted from those that executed.</p>\n";
  }

  [[nodiscard]] std::uint64_t lost(const BranchReport& branch) const {
    const std::size_t place = (branch.counts.pc - program_.text_begin) / 4;
    return place < lanes_.counts().size() ? lanes_.counts()[place].lost : 0;
  }

  [[nodiscard]] std::string depths() const {
    Bars bars;
    for (std::uint64_t depth = 1; depth <= std::min<std::uint64_t>(run_.stats.max_stack_depth, kMaxStackDepth);
         ++depth) {
      bars.add(fmt::format("{} {}", depth, depth == 1 ? "entry" : "entries"), run_.stats.stack_depth[depth]);
    }
    return "<h2>Depth of the stack</h2>\n<p class=\"key\">Warp instructions by the entries of their warp's "
           "reconvergence stack.</p>\n" +
           bars.html();
  }

  [[nodiscard]] std::string sizes() const {
    Bars bars;
    for (unsigned threads = 1; threads <= run_.stats.lanes; ++threads) {
      if (run_.stats.warp_size[threads] != 0)
        bars.add(fmt::format("{} thread{}", threads, threads == 1 ? "" : "s"), run_.stats.warp_size[threads]);
    }
    return "<h2>Threads of an instruction</h2>\n<p class=\"key\">Warp instructions by the threads that executed "
           "them.</p>\n" +
           bars.html();
  }

  [[nodiscard]] std::string stalls() const {
    Bars bars;
    for (unsigned reason = 0; reason < kNumStalls; ++reason) {
      if (run_.stats.stalls[reason] != 0) bars.add(kStallNames[reason], run_.stats.stalls[reason]);
    }
    return "<h2>Cycles of the schedulers</h2>\n" + bars.html();
  }

  [[nodiscard]] std::string source() const {
    std::string out =
        "<h2>Source</h2>\n<p class=\"key\">Of each line: warp instructions, the share of the warp's threads that "
        "executed them, and lanes that branches of the line have cost anywhere.</p>\n";
    std::uint64_t most = 1;
    std::vector<std::pair<std::uint64_t, const std::string*>> order;  // the file in which most was executed first
    for (const auto& [name, lines] : files_) {
      std::uint64_t all = 0;
      for (const auto& [number, line] : lines) {
        most = std::max(most, line.count.warp_instructions);
        all += line.count.warp_instructions;
      }
      order.emplace_back(all, &name);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [all, name] : order) out += file(*name, files_.at(*name), most);
    return out;
  }

  [[nodiscard]] std::string file(const std::string& name, const std::map<unsigned, Line>& lines,
                                 std::uint64_t most) const {
    std::string out = fmt::format(
        "<h3><code>{}</code></h3>\n<table>\n<tr><th>line</th><th>warp instructions</th><th>threads</th><th>lanes "
        "lost</th><th class=\"l\"></th></tr>\n",
        name.empty() ? "without source" : escaped(name));
    const std::vector<std::string> text = name.empty() ? std::vector<std::string>{} : lines_of(name);
    unsigned shown = 0;
    for (auto line = lines.begin(); line != lines.end(); ++line) {
      const unsigned number = line->first;
      const unsigned first = std::max(shown + 1, number > kContext ? number - kContext : 1);
      if (shown != 0 && first > shown + 1 && !text.empty())
        out += "<tr class=\"gap\"><td></td><td></td><td></td><td></td><td>...</td></tr>\n";
      for (unsigned n = first; n < number && n <= text.size(); ++n) out += plain(n, text[n - 1]);
      out += counted(number, number != 0 && number <= text.size() ? text[number - 1] : instructions(line->second),
                     line->second.count, most);
      shown = number;
      const auto next = std::next(line);
      const unsigned behind = std::min<unsigned>(number + kContext, next == lines.end() ? ~0u : next->first - 1);
      for (unsigned n = number + 1; n <= behind && n <= text.size(); ++n) out += plain(shown = n, text[n - 1]);
    }
    return out + "</table>\n";
  }

  static std::string plain(unsigned number, const std::string& text) {
    return fmt::format("<tr><td class=\"n\">{}</td><td></td><td></td><td></td><td class=\"c\">{}</td></tr>\n", number,
                       escaped(text));
  }

  [[nodiscard]] static std::string counted(unsigned number, const std::string& text, const LaneLoss::Count& count,
                                           std::uint64_t most) {
    const double heat = share(count.warp_instructions, most);
    return fmt::format(
        "<tr style=\"background:rgba(255,180,0,{:.2f})\"><td class=\"n\">{}</td><td>{}</td><td>{}</td><td>{}</td><td "
        "class=\"c\">{}</td></tr>\n",
        0.35 * heat, number == 0 ? "" : std::to_string(number), grouped(count.warp_instructions),
        percent(share(count.thread_instructions, count.thread_instructions + count.missing)),
        count.lost == 0 ? "" : grouped(count.lost), escaped(text));
  }

  [[nodiscard]] std::string instructions(const Line& line) const {
    std::string out;
    for (const Pc pc : line.instructions)
      out += fmt::format("{}{:08x}  {}", out.empty() ? "" : "\n", pc, program_.disassemble(pc));
    return out;
  }

  static std::vector<std::string> lines_of(const std::string& path) {
    const FileContent content = read_file(path, kMaxSource);
    std::vector<std::string> lines;
    if (!content.error.empty() || content.more) return lines;
    std::istringstream stream(content.bytes);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  [[nodiscard]] std::string settings() const {
    std::string out = "<details><summary>Configuration</summary>\n<table>\n";
    for (const ConfigKey& key : config_keys()) {
      out += fmt::format(
          "<tr><td class=\"l\"><code>{}</code></td><td class=\"l\">{}</td><td class=\"l key\">{}</td></tr>\n", key.name,
          escaped(key.text(run_.config)), escaped(key.help));
    }
    return out + "</table>\n</details>\n";
  }

  const RunReport& run_;
  const LaneLoss& lanes_;
  const Program& program_;
  const bool front_ends_;
  std::map<std::string, std::map<unsigned, Line>> files_;
  std::uint64_t slots_ = 0, missing_ = 0;
};

}  // namespace

void check_html_path(const std::string& path) {
  if (std::filesystem::path(path).extension() != ".html")
    throw bad_input("option", "--report " + path + ": a page ends in .html; rename it");
}

std::string run_html(const RunReport& run, const LaneLoss& lanes, const Program& program) {
  return Page(run, lanes, program).html();
}

}  // namespace heddle
