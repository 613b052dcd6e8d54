// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "isa/program.h"
#include "timeline/spans.h"

namespace heddle {
namespace {

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

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

std::string timeline_trace(const Timeline& timeline, const Program& program, const TimelineView& view) {
  const SpanList list = find_spans(timeline, program);
  std::string text = "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"title\": " + quoted(view.title) +
                     fmt::format(", \"left_out\": {}}},\n\"traceEvents\": [\n", timeline.left_out());
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":{{\"name\":{}}}}}", quoted(view.title));
  std::set<WarpId> warps;
  for (const Timeline::Issue& issue : timeline.issues()) warps.insert(issue.warp);
  // Thread 2 * warp + slot is a path.
  for (const WarpId warp : warps) {
    for (unsigned slot = 0; slot < view.slots; ++slot) {
      const char* side = view.slots == 1 ? "" : slot == 0 ? " left" : " right";
      fmt::format_to(out, ",\n{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":{},\"args\":{{\"name\":\"warp {}{}\"}}}}", 2 * warp + slot, warp, side);
    }
  }
  for (const Span& span : list.spans) {
    const CodeBlock& block = list.blocks[span.block];
    fmt::format_to(out, ",\n{{\"ph\":\"X\",\"name\":{},\"pid\":0,\"tid\":{},\"ts\":{},\"dur\":{},\"args\":{{\"mask\":\"{}\",\"source\":{}}}}}",
                   quoted("block " + block.name), 2 * span.warp + span.slot, span.begin, span.end - span.begin,
                   mask_text(span.mask, view.lanes), quoted(block.source));
    for (const std::size_t i : span.issues) {
      const Timeline::Issue& issue = timeline.issues()[i];
      fmt::format_to(out, ",\n{{\"ph\":\"X\",\"name\":{},\"pid\":0,\"tid\":{},\"ts\":{},\"dur\":1,\"args\":{{\"pc\":\"{:#010x}\"}}}}",
                     quoted(program.disassemble(issue.pc)), 2 * issue.warp + issue.slot, issue.cycle, issue.pc);
    }
  }
  for (const Timeline::Mark& mark : timeline.marks()) {
    fmt::format_to(out, ",\n{{\"ph\":\"i\",\"s\":\"t\",\"name\":\"{}\",\"pid\":0,\"tid\":{},\"ts\":{}}}", mark_name(mark.kind), 2 * mark.warp, mark.cycle);
  }
  text += "\n]}\n";
  return text;
}

}  // namespace heddle
