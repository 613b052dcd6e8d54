// SPDX-License-Identifier: Apache-2.0
// A timeline cut into spans: consecutive instructions of one path in one basic block with one mask. Formed warps: the
// block of each.
#pragma once

#include <string>
#include <vector>

#include "timeline/timeline.h"

namespace heddle {

// Basic block of the program, as pictures name it.
struct CodeBlock {
  Pc begin = 0;
  Pc end = 0;
  std::string name;    // letters in address order: A, B, ..., Z, AA, ...
  std::string source;  // source line of its first instruction, or the function
};

struct Span {
  WarpId warp = 0;
  unsigned slot = 0;
  LaneMask mask = 0;
  std::size_t block = 0;            // index into blocks
  std::vector<std::size_t> issues;  // indices into Timeline::issues()
  Cycle begin = 0;
  Cycle end = 0;  // one past the last issue
};

struct SpanList {
  std::vector<CodeBlock> blocks;  // only those that issued something
  std::vector<Span> spans;        // by begin
};

// The basic blocks of formed warps, instead of spans.
struct FormedList {
  std::vector<CodeBlock> blocks;   // only those that issued something
  std::vector<std::size_t> block;  // of each of Timeline::formed(): index into blocks
};

[[nodiscard]] SpanList find_spans(const Timeline& timeline, const Program& program);

[[nodiscard]] FormedList find_formed_blocks(const Timeline& timeline, const Program& program);

// Lane 0 last, as in the masks of the papers; hexadecimal for more than 8 lanes.
[[nodiscard]] std::string mask_text(LaneMask mask, unsigned lanes);

}  // namespace heddle
