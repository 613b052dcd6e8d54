// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "isa/program.h"
#include "timeline/spans.h"

namespace heddle {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

const char* mark_name(Timeline::MarkKind kind) {
  switch (kind) {
    case Timeline::MarkKind::kPush: return "divergence";
    case Timeline::MarkKind::kPop: return "reconvergence";
    case Timeline::MarkKind::kBarrier: return "barrier passed";
    case Timeline::MarkKind::kEnd: break;
  }
  return "end of warp";
}

}  // namespace

namespace {

// Head of the document.
std::string head(const Timeline& timeline, const TimelineView& view) {
  return "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"title\": " + quoted(view.title) +
         fmt::format(", \"left_out\": {}}},\n\"traceEvents\": [\n", timeline.left_out()) +
         fmt::format("{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":{{\"name\":{}}}}}",
                     quoted(view.title));
}

// A track for each lane, a counter of the lanes that are filled, and a track of the formed warps.
std::string formed_trace(const Timeline& timeline, const Program& program, const TimelineView& view) {
  const FormedList list = find_formed_blocks(timeline, program);
  std::string text = head(timeline, view);
  const auto out = std::back_inserter(text);
  const unsigned warps_track = view.lanes;  // below the lanes
  for (unsigned lane = 0; lane < view.lanes; ++lane) {
    fmt::format_to(
        out, ",\n{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":{0},\"args\":{{\"name\":\"lane {0}\"}}}}",
        lane);
  }
  fmt::format_to(
      out, ",\n{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":{},\"args\":{{\"name\":\"formed warps\"}}}}",
      warps_track);
  const std::vector<Timeline::FormedWarp>& formed = timeline.formed();
  unsigned filled = 0;  // lanes in this cycle
  for (std::size_t i = 0; i < formed.size(); ++i) {
    const Timeline::FormedWarp& warp = formed[i];
    const CodeBlock& block = list.blocks[list.block[i]];
    const std::uint16_t* tid = &timeline.formed_tids()[warp.tids];
    const std::string name = quoted(program.disassemble(warp.pc));
    unsigned count = 0;
    for (unsigned lane = 0; lane < view.lanes; ++lane) {
      if (((warp.mask >> lane) & 1) == 0) continue;
      const unsigned thread = tid[count++];
      fmt::format_to(out,
                     ",\n{{\"ph\":\"X\",\"name\":{},\"pid\":0,\"tid\":{},\"ts\":{},\"dur\":1,\"args\":{{\"pc\":\"{:#"
                     "010x}\",\"warp\":{},\"lane\":{}}}}}",
                     name, lane, warp.cycle, warp.pc, thread / view.lanes, thread % view.lanes);
    }
    fmt::format_to(out,
                   ",\n{{\"ph\":\"X\",\"name\":{},\"pid\":0,\"tid\":{},\"ts\":{},\"dur\":1,\"args\":{{\"pc\":\"{:#010x}"
                   "\",\"threads\":{},\"mask\":\"{}\",\"source\":{}}}}}",
                   quoted("block " + block.name), warps_track, warp.cycle, warp.pc, count,
                   mask_text(warp.mask, view.lanes), quoted(block.source));
    filled += count;
    const bool last = i + 1 == formed.size() || formed[i + 1].cycle != warp.cycle;
    if (!last) continue;
    fmt::format_to(out, ",\n{{\"ph\":\"C\",\"name\":\"threads\",\"pid\":0,\"ts\":{},\"args\":{{\"threads\":{}}}}}",
                   warp.cycle, filled);
    const bool gap = i + 1 == formed.size() || formed[i + 1].cycle != warp.cycle + 1;
    if (gap)
      fmt::format_to(out, ",\n{{\"ph\":\"C\",\"name\":\"threads\",\"pid\":0,\"ts\":{},\"args\":{{\"threads\":0}}}}",
                     warp.cycle + 1);
    filled = 0;
  }
  text += "\n]}\n";
  return text;
}

}  // namespace

std::string timeline_trace(const Timeline& timeline, const Program& program, const TimelineView& view) {
  if (!timeline.formed().empty()) return formed_trace(timeline, program, view);
  const SpanList list = find_spans(timeline, program);
  std::string text = head(timeline, view);
  const auto out = std::back_inserter(text);
  std::set<WarpId> warps;
  for (const Timeline::Issue& issue : timeline.issues()) warps.insert(issue.warp);
  // A process is a warp (0 has the title), a thread one of its paths.
  for (const WarpId warp : warps) {
    fmt::format_to(out,
                   ",\n{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{0},\"args\":{{\"name\":\"warp {1}\"}}}}"
                   ",\n{{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":{0},\"args\":{{\"sort_index\":{0}}}}}",
                   warp + 1, warp);
    for (unsigned slot = 0; slot < view.slots; ++slot) {
      const std::string path = view.splits       ? fmt::format("split {}", slot)
                               : view.slots == 1 ? "path"
                               : slot == 0       ? "left path"
                                                 : "right path";
      fmt::format_to(out,
                     ",\n{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":\"{}\"}}}}",
                     warp + 1, slot, path);
    }
  }
  for (const Span& span : list.spans) {
    const CodeBlock& block = list.blocks[span.block];
    fmt::format_to(
        out,
        ",\n{{\"ph\":\"X\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"args\":{{\"mask\":\"{}\","
        "\"source\":{}}}}}",
        quoted("block " + block.name), span.warp + 1, span.slot, span.begin, span.end - span.begin,
        mask_text(span.mask, view.lanes), quoted(block.source));
    for (const std::size_t i : span.issues) {
      const Timeline::Issue& issue = timeline.issues()[i];
      fmt::format_to(
          out,
          ",\n{{\"ph\":\"X\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":1,\"args\":{{\"pc\":\"{:#010x}\"}}}}",
          quoted(program.disassemble(issue.pc)), issue.warp + 1, issue.slot, issue.cycle, issue.pc);
    }
  }
  for (const Timeline::Mark& mark : timeline.marks()) {
    fmt::format_to(out, ",\n{{\"ph\":\"i\",\"s\":\"t\",\"name\":\"{}\",\"pid\":{},\"tid\":0,\"ts\":{}}}",
                   mark_name(mark.kind), mark.warp + 1, mark.cycle);
  }
  text += "\n]}\n";
  return text;
}

}  // namespace heddle
