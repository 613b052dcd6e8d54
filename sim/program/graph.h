// SPDX-License-Identifier: Apache-2.0
// Graph algorithms on plain successor lists, node 0 the entry: dominators, structure, and where the sides of a branch
// meet. All of them take O(edges * log(nodes)) time, and no recursion.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

using Successors = std::vector<std::vector<std::size_t>>;

constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);
constexpr std::size_t kOutside = static_cast<std::size_t>(-2);  // where the function returns to

// Immediate post-dominator of every node over all paths that leave; `exits[v]` says that v may leave. kNoNode for nodes
// whose only common point is outside (or that never leave).
[[nodiscard]] std::vector<std::size_t> immediate_post_dominators(const Successors& successors,
                                                                 const std::vector<bool>& exits);
// Immediate dominator from node 0; kNoNode for node 0 and for unreachable nodes.
[[nodiscard]] std::vector<std::size_t> immediate_dominators(const Successors& successors);

// Where the sides of a branch at the end of each node meet; `barriers[v]` says that v begins with a block barrier.
// - R is the immediate post-dominator over all paths that leave; kOutside if that is only the exit, kNoNode if none
// leaves.
// - If no barrier lies on a path from v to R (R exclusive; for kNoNode: on any path from v), they meet at R.
// - Otherwise at the immediate post-dominator over all paths to a first barrier, which may be that barrier; kNoNode if
// those
//   paths have nothing in common. Sides from which no barrier is reached do not count: they run on alone.
[[nodiscard]] std::vector<std::size_t> meeting_points(const Successors& successors, const std::vector<bool>& exits,
                                                      const std::vector<bool>& barriers);

struct Structure {
  std::vector<bool> structured;  // by node, meaningful where it has several successors
  std::vector<bool> loop_exit;
  bool irreducible = false;
};
// A branch is structured when it has an immediate post-dominator R, its sides up to R (back edges left out) share no
// block and are entered from the branch alone, and, if it leaves a loop, that loop has no other exit; in a cycle with
// several entries no branch is.
[[nodiscard]] Structure find_structure(const Successors& successors, const std::vector<bool>& exits);

}  // namespace heddle
