// SPDX-License-Identifier: Apache-2.0
#include "timeline/side_by_side.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "isa/program.h"
#include "report/metrics.h"
#include "report/text.h"
#include "timeline/draw.h"
#include "timeline/spans.h"

namespace heddle {
namespace {

constexpr const char* kStyle = R"(
body { font: 14px/1.45 system-ui, sans-serif; margin: 2em; color: #1b1f24; background: #fff; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; border-bottom: 1px solid #d0d7de; padding-bottom: .2em; margin-top: 2em; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .1em .8em .1em 0; font-weight: normal; }
th, .key { color: #57606a; } code { font: 12.5px/1.4 ui-monospace, monospace; white-space: pre; }
.pass { color: #1a7f37; } .unchecked { color: #57606a; } .fail, .error { color: #b32d1a; font-weight: 600; }
.runs { display: flex; flex-wrap: wrap; gap: 1.5em; align-items: flex-start; }
.run { border: 1px solid #d0d7de; border-radius: 6px; padding: .6em 1em; }
.run h3 { margin: 0 0 .3em; font-size: 1em; }
.control { position: sticky; top: 0; background: #fff; padding: .5em 0; z-index: 1; }
.control input { width: 40em; max-width: 60vw; vertical-align: middle; }
.lanes { display: flex; gap: 2px; } .lanes i { width: 14px; height: 18px; font: 11px/18px ui-monospace, monospace; text-align: center;
  border-radius: 2px; opacity: .28; } .lanes i.on { opacity: 1; } .lanes i.none { background: none !important; border: 1px dashed #d0d7de;
  box-sizing: border-box; opacity: 1; }
.history .lanes i { height: 5px; border-radius: 0; } .places .lanes i { width: 8px; height: 12px; border-radius: 1px; }
.places .lanes i.off { background: #eaeef2 !important; opacity: 1; }
.stack .lanes i { width: 8px; height: 12px; border-radius: 1px; } .stack .lanes i.off { background: #eaeef2 !important; opacity: 1; }
.places { min-height: 9em; } .history { margin-top: .5em; }
)";

// A run: {lanes, code: [[letter, block, instruction, source]...], steps: [[cycle, warp, code, mask]...] by cycle,
// stacks: [[cycle, warp, [[goes on at, mask, meets at]...]]...]}, the top entry last: one a path, and it goes on by
// itself. Where a thread stands after a step is where it issues next.
constexpr const char* kScript = R"(
"use strict";
const colour = letter => { let n = 0; for (const c of letter) n = n * 26 + c.charCodeAt(0) - 64; return `hsl(${(210 + 137.508 * n) % 360} 62% 68%)`; };
const cell = (style, text, name) => `<i class="${name}" style="background:${style}">${text}</i>`;
const html = text => text.replace(/[&<>]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;"}[c]));
for (const section of document.querySelectorAll("section")) {
  const cards = [...section.querySelectorAll(".run")].map(card => ({card, run: JSON.parse(card.querySelector("script").textContent)}));
  const slider = section.querySelector("input"), choice = section.querySelector("select"), label = section.querySelector(".cycle");
  const warps = [...new Set(cards.flatMap(c => c.run.steps.map(s => s[1])))].sort((a, b) => a - b);
  choice.innerHTML = warps.map(w => `<option>${w}</option>`).join("");
  let cycles = [];
  const choose = () => {
    const warp = Number(choice.value);
    for (const c of cards) c.steps = c.run.steps.filter(s => s[1] === warp).map(s => ({cycle: s[0], code: s[2], mask: BigInt("0x" + s[3])}));
    cycles = [...new Set(cards.flatMap(c => c.steps.map(s => s.cycle)))].sort((a, b) => a - b);
    slider.max = Math.max(0, cycles.length - 1);
    slider.value = 0;
    show();
  };
  const show = () => {
    const now = cycles.length ? cycles[slider.value] : 0;
    label.textContent = `cycle ${now}`;
    for (const {card, run, steps} of cards) {
      let at = steps.length - 1;
      while (at > 0 && steps[at].cycle > now) --at;
      const begun = steps.length && steps[at].cycle <= now, running = begun && steps[at].cycle === now;
      const place = [];  // of each lane: the code that it issues in this cycle, or next
      for (let lane = 0; lane < run.lanes; ++lane) {
        let next = begun && !running ? at + 1 : at;
        while (next >= 0 && next < steps.length && !(steps[next].mask >> BigInt(lane) & 1n)) ++next;
        place.push(next >= 0 && next < steps.length ? {code: steps[next].code, on: running && next === at} : null);
      }
      const cells = (on, letters) => place.map(p => p === null ? cell("", "", "none") : cell(colour(run.code[p.code][0]), letters ? run.code[p.code][0] : "", on(p)));
      card.querySelector(".now").innerHTML = `<div class="lanes">${cells(p => p.on ? "on" : "", true).join("")}</div>` + (running
        ? `<code>${html(run.code[steps[at].code][2])}</code> <span class="key">${html(run.code[steps[at].code][3])}</span>`
        : `<span class="key">${begun && at + 1 === steps.length ? "ended" : begun ? "nothing issues" : "not yet begun"}</span>`);
      const groups = new Map();
      place.forEach((p, lane) => { if (p !== null) groups.set(p.code, [...(groups.get(p.code) || []), lane]); });
      const rows = [...groups].sort((a, b) => place[b[1][0]].on - place[a[1][0]].on || a[0] - b[0]).map(([code, lanes]) => {
        const on = place[lanes[0]].on, row = place.map((p, lane) => cell(colour(run.code[code][0]), "", lanes.includes(lane) ? "on" : "off"));
        return `<tr><td>${on ? "issues" : "waits at"}</td><td>${run.code[code][0]}</td><td><div class="lanes">${row.join("")}</div></td><td>${html(run.code[code][3])}</td></tr>`;
      });
      card.querySelector(".places").innerHTML = `<table><tr><th colspan="4">places where threads stand: ${groups.size}</th></tr>${rows.join("")}</table>`;
      let stack = [];
      for (const s of run.stacks) {
        if (s[0] > now) break;
        if (s[1] === Number(choice.value)) stack = s[2];
      }
      const lanes = mask => Array.from({length: run.lanes}, (_, lane) => cell("#8c959f", "", BigInt("0x" + mask) >> BigInt(lane) & 1n ? "on" : "off")).join("");
      card.querySelector(".stack").innerHTML = stack.length === 0 ? "" : `<table><tr><th>stack, top first</th><th>goes on at</th><th>meets at</th></tr>${
        stack.map(([pc, mask, rpc]) => `<tr><td><div class="lanes">${lanes(mask)}</div></td><td>${html(pc)}</td><td>${html(rpc)}</td></tr>`).reverse().join("")}</table>`;
      const rowsBefore = steps.slice(Math.max(0, at - 23), at + 1).filter(s => s.cycle <= now).map(s =>
        `<div class="lanes">${Array.from({length: run.lanes}, (_, lane) => cell(s.mask >> BigInt(lane) & 1n ? colour(run.code[s.code][0]) : "#eaeef2", "", "on")).join("")}</div>`);
      card.querySelector(".history").innerHTML = `<span class="key">the last ${rowsBefore.length} instructions, newest below</span>${rowsBefore.join("")}`;
    }
  };
  slider.oninput = show;
  choice.onchange = choose;
  choose();
}
)";

// For a <script> element, which ends at the first "</".
std::string in_script(std::string json) {
  for (std::size_t at = json.find("</"); at != std::string::npos; at = json.find("</", at + 2))
    json.insert(at + 1, "\\");
  return json;
}

std::string steps_json(const Timeline& timeline, const Program& program, const TimelineView& view) {
  std::map<Pc, std::size_t> numbers;
  nlohmann::json code = nlohmann::json::array(), steps = nlohmann::json::array(), stacks = nlohmann::json::array();
  const auto place = [&](Pc pc) {
    const SourceLine line = program.source_line(pc);
    return line.line == 0 ? fmt::format("0x{:08x}", pc)
                          : fmt::format("{}:{}", line.file.substr(line.file.rfind('/') + 1), line.line);
  };
  // Of an entry: an odd PC is the end of the function.
  const auto entry_place = [&](Pc pc) {
    if (pc == kNoRpc) return std::string("nowhere");
    return pc == kReturnRpc ? "return" : (pc & 1) != 0 ? "return to " + place(pc & ~Pc{1}) : place(pc);
  };
  const auto number_of = [&](Pc pc, const CodeBlock& block) {
    const auto [found, added] = numbers.emplace(pc, code.size());
    if (added) {
      code.push_back({block.name, block.source, program.disassemble(pc), place(pc)});
    }
    return found->second;
  };
  const auto add = [&](Cycle cycle, WarpId warp, std::size_t number, LaneMask mask) {
    steps.push_back({cycle, warp, number, fmt::format("{:x}", mask)});
  };
  if (timeline.formed().empty()) {
    const SpanList list = find_spans(timeline, program);
    std::vector<std::size_t> block_of(timeline.issues().size());
    for (const Span& span : list.spans) {
      for (const std::size_t issue : span.issues) block_of[issue] = span.block;
    }
    for (std::size_t i = 0; i < timeline.issues().size(); ++i) {
      const Timeline::Issue& issue = timeline.issues()[i];
      add(issue.cycle, issue.warp, number_of(issue.pc, list.blocks[block_of[i]]), issue.mask);
    }
  } else {  // the threads of a formed warp by the static warp that they come from
    const FormedList list = find_formed_blocks(timeline, program);
    for (std::size_t i = 0; i < timeline.formed().size(); ++i) {
      const Timeline::FormedWarp& formed = timeline.formed()[i];
      std::map<WarpId, LaneMask> masks;
      for (unsigned n = 0; n < static_cast<unsigned>(__builtin_popcountll(formed.mask)); ++n) {
        const unsigned thread = timeline.formed_tids()[formed.tids + n];
        masks[thread / view.lanes] |= LaneMask{1} << (thread % view.lanes);
      }
      for (const auto& [warp, mask] : masks)
        add(formed.cycle, warp, number_of(formed.pc, list.blocks[list.block[i]]), mask);
    }
  }
  for (const Timeline::Stack& stack : timeline.stacks()) {
    nlohmann::json rows = nlohmann::json::array();
    for (unsigned index = 0; index < stack.depth; ++index) {
      const StackEntry& entry = timeline.stack_entries()[stack.from + index];
      for (unsigned slot = 0; slot < entry.pc.size(); ++slot) {
        if (entry.mask[slot] != 0)
          rows.push_back({index + 1 == stack.depth ? "" : entry_place(entry.pc[slot]),
                          fmt::format("{:x}", entry.mask[slot]), entry_place(entry.rpc)});
      }
    }
    stacks.push_back({stack.cycle, stack.warp, std::move(rows)});
  }
  return nlohmann::json{
      {"lanes", view.lanes}, {"left_out", timeline.left_out()}, {"code", code}, {"steps", steps}, {"stacks", stacks}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string card(const RunReport& run, const RunReport& first, const std::string& steps) {
  const Stats& s = run.stats;
  const std::string result = result_name(run);
  const bool comparable =
      s.cycles != 0 && first.stats.cycles != 0 && run.error_code.empty() && first.error_code.empty();
  std::string out =
      fmt::format("<div class=\"run\"><h3>{}</h3>\n<table>\n<tr><th>result</th><td class=\"{}\">{}{}</td></tr>\n",
                  escaped(row_name(run)), result, result == "unchecked" ? "not compared" : result,
                  run.error_message.empty() ? "" : ": " + escaped(run.error_message));
  const auto row = [&out](const char* name, const std::string& value) {
    out += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", name, value);
  };
  row("cycles", grouped(s.cycles) +
                    (comparable && &run != &first
                         ? fmt::format(" ({:.3f} times as fast as {})",
                                       ratio(static_cast<double>(first.stats.cycles), static_cast<double>(s.cycles)),
                                       escaped(row_name(first)))
                         : ""));
  row("lane utilization", fmt::format("{:.1f} %", 100 * lane_utilization(s)));
  row("divergent branches",
      fmt::format("{}, interleavable {}", grouped(s.divergent_branches), grouped(s.interleavable_branches)));
  row("paths that could issue", fmt::format("{:.3f}", avg_path(s)));
  return out +
         "</table>\n<div class=\"now\"></div>\n<div class=\"places\"></div>\n<div class=\"stack\"></div>\n<div "
         "class=\"history\"></div>\n<script "
         "type=\"application/json\">" +
         in_script(steps) + "</script></div>\n";
}

}  // namespace

RecordedRun record_run(const std::string& name, const Timeline& timeline, const Program& program,
                       const Config& config) {
  const TimelineView view = timeline_view(name, timeline, config);
  return {timeline_svg(timeline, program, view), steps_json(timeline, program, view)};
}

std::string side_by_side_page(const std::vector<RunReport>& runs, const std::vector<RecordedRun>& recorded) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Heddle: mechanisms side by "
      "side</title>\n<style>{}</style>\n</head>\n<body>\n<h1>Mechanisms side by side</h1>\n<p class=\"key\">A cell is "
      "a thread of the "
      "warp, its colour the basic block in which it stands; bright: it issues in this cycle. The slider goes from "
      "issue to issue, "
      "in the same cycle of all mechanisms (arrow keys, too).</p>\n",
      kStyle);
  const RunReport* first = nullptr;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (first == nullptr || first->workload != runs[i].workload) {
      out += first == nullptr ? "" : "</div></section>\n";
      first = &runs[i];
      out += fmt::format(
          "<section><h2>{}</h2>\n<div class=\"control\"><label>warp <select></select></label> <input type=\"range\" "
          "min=\"0\" value=\"0\" "
          "aria-label=\"issue\"> <span class=\"cycle\"></span></div>\n<div class=\"runs\">\n",
          escaped(source_name(first->workload)));
    }
    out += card(runs[i], *first,
                i < recorded.size() && !recorded[i].steps.empty() ? recorded[i].steps
                                                                  : R"({"lanes":0,"code":[],"steps":[],"stacks":[]})");
  }
  return out + (runs.empty() ? "" : "</div></section>\n") + "<script>" + kScript + "</script>\n</body>\n</html>\n";
}

std::string stacked_pictures(const std::vector<RecordedRun>& recorded) {
  const auto size = [](const std::string& picture, const char* name) {
    const std::size_t at = picture.find(name);
    return at == std::string::npos ? 0.0 : std::strtod(picture.c_str() + at + std::string(name).size(), nullptr);
  };
  std::string inner;
  double width = 0, height = 0;
  for (const RecordedRun& run : recorded) {
    if (run.picture.empty()) continue;
    inner += fmt::format("<svg y=\"{:.0f}\"{}", height, run.picture.substr(4));
    width = std::max(width, size(run.picture, " width=\""));
    height += size(run.picture, " height=\"");
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\">\n{2}</svg>\n",
      width, height, inner);
}

}  // namespace heddle
