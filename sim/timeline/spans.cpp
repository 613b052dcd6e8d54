// SPDX-License-Identifier: Apache-2.0
#include "timeline/spans.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "program/cfg.h"

namespace heddle {
namespace {

std::string letters(std::size_t index) {
  std::string name;
  for (std::size_t n = index;; n = n / 26 - 1) {
    name.insert(name.begin(), static_cast<char>('A' + n % 26));
    if (n < 26) return name;
  }
}

std::vector<CodeBlock> all_blocks(const Program& program) {
  std::vector<CodeBlock> blocks;
  for (const FunctionCfg& function : control_flow(program)) {
    for (const BasicBlock& block : function.blocks) {
      const SourceLine line = program.source_line(block.begin);
      blocks.push_back({block.begin, block.end, "",
                        line.file.empty()
                            ? function.name
                            : fmt::format("{} {}:{}", function.name,
                                          std::filesystem::path(line.file).filename().string(), line.line)});
    }
  }
  std::sort(blocks.begin(), blocks.end(), [](const CodeBlock& a, const CodeBlock& b) { return a.begin < b.begin; });
  return blocks;
}

std::size_t block_of(const std::vector<CodeBlock>& blocks, Pc pc) {
  const auto after =
      std::upper_bound(blocks.begin(), blocks.end(), pc, [](Pc value, const CodeBlock& b) { return value < b.begin; });
  return after == blocks.begin() ? 0 : static_cast<std::size_t>(after - blocks.begin()) - 1;
}

// The blocks that `uses` refer to, named in order; the references are renumbered.
std::vector<CodeBlock> name_used(const std::vector<CodeBlock>& blocks, const std::vector<std::size_t*>& uses) {
  std::vector<bool> used(blocks.size());
  for (const std::size_t* use : uses) used[*use] = true;
  std::vector<std::size_t> renumbered(blocks.size());
  std::vector<CodeBlock> named;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (!used[b]) continue;
    renumbered[b] = named.size();
    named.push_back(blocks[b]);
    named.back().name = letters(renumbered[b]);
  }
  for (std::size_t* use : uses) *use = renumbered[*use];
  return named;
}

}  // namespace

std::string mask_text(LaneMask mask, unsigned lanes) {
  return lanes <= 8 ? fmt::format("{:0{}b}", mask, lanes) : fmt::format("{:0{}x}", mask, lanes / 4);
}

SpanList find_spans(const Timeline& timeline, const Program& program) {
  const std::vector<CodeBlock> blocks = all_blocks(program);
  SpanList list;
  if (blocks.empty()) return list;

  std::map<std::pair<WarpId, unsigned>, std::size_t> current;  // path -> its open span
  auto mark = timeline.marks().begin();
  for (std::size_t i = 0; i < timeline.issues().size(); ++i) {
    const Timeline::Issue& issue = timeline.issues()[i];
    for (; mark != timeline.marks().end() && mark->before <= i; ++mark) {
      if (mark->kind == Timeline::MarkKind::kBarrier) continue;
      current.erase(current.lower_bound({mark->warp, 0}), current.lower_bound({mark->warp + 1, 0}));
    }
    const std::size_t block = block_of(blocks, issue.pc);
    const auto open = current.find({issue.warp, issue.slot});
    if (open != current.end()) {
      Span& span = list.spans[open->second];
      const bool again = issue.pc <= timeline.issues()[span.issues.back()].pc;  // next turn of a loop
      if (span.block == block && span.mask == issue.mask && !again) {
        span.issues.push_back(i);
        span.end = issue.cycle + 1;
        continue;
      }
    }
    current[{issue.warp, issue.slot}] = list.spans.size();
    list.spans.push_back({issue.warp, issue.slot, issue.mask, block, {i}, issue.cycle, issue.cycle + 1});
  }

  std::vector<std::size_t*> uses;
  for (Span& span : list.spans) uses.push_back(&span.block);
  list.blocks = name_used(blocks, uses);
  return list;
}

FormedList find_formed_blocks(const Timeline& timeline, const Program& program) {
  const std::vector<CodeBlock> blocks = all_blocks(program);
  FormedList list;
  if (blocks.empty()) return list;
  for (const Timeline::FormedWarp& warp : timeline.formed()) list.block.push_back(block_of(blocks, warp.pc));
  std::vector<std::size_t*> uses;
  for (std::size_t& block : list.block) uses.push_back(&block);
  list.blocks = name_used(blocks, uses);
  return list;
}

}  // namespace heddle
