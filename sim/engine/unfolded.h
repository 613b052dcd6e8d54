// SPDX-License-Identifier: Apache-2.0
// Stack entries of a compact single-path stack, as the textbook's has them.
#pragma once

#include <vector>

#include "core/frontend_state.h"
#include "stack/compact_stack.h"

namespace heddle {

// The entries that the compact ones fold: of each nesting the meeting point, then the side that waits; last the path. A
// stack has depth(warp), top(warp) and below(warp, i), what nesting i left behind.
template <class Stack>
[[nodiscard]] std::vector<StackEntry> unfolded(const Stack& stack, unsigned warp) {
  std::vector<StackEntry> entries;
  const unsigned depth = stack.depth(warp);
  if (depth == 0) return entries;
  const SpeEntry top = stack.top(warp);
  for (unsigned i = 0; i + 1 < depth; ++i) {
    const CompactEntry from = stack.below(warp, i);
    SpeEntry above = top;  // what the entry left behind of the path that stood here before the next nesting
    if (i + 2 < depth) {
      const CompactEntry next = stack.below(warp, i + 1);
      above.rpc = next.rpc;
      above.rpc_level = next.rpc_level;
      above.sibling = next.sibling;
    }
    if (!from.tail) {
      entries.push_back({{is_odd(above.rpc) ? kReturnPlace : above.rpc, 0},
                         {from.meeting_mask, 0},
                         from.rpc,
                         {above.rpc_level, 0},
                         from.rpc_level});
    }
    if (above.sibling)
      entries.push_back({{from.later_pc, 0}, {from.later_mask, 0}, above.rpc, {from.later_level, 0}, above.rpc_level});
  }
  entries.push_back({{top.pc, 0}, {top.mask, 0}, top.rpc, {top.level, 0}, top.rpc_level});
  return entries;
}

}  // namespace heddle
