// SPDX-License-Identifier: Apache-2.0
// Unstructured edges and regions of a control-flow graph, after "Taming Control Divergence in GPUs through Control Flow
// Linearization" (Anantpur and Govindarajan, CC 2014); what its text leaves open is decided in docs/kernels.md.
#pragma once

#include <cstddef>
#include <vector>

#include "program/graph.h"

namespace heddle {

// By which conditions of Definition 1 an edge is unstructured.
struct UnstructuredEdge {
  std::size_t from = 0;
  std::size_t to = 0;        // kOutside: out of the function
  bool crosses = false;      // 1: from a branch to a join, neither of which dominates or post-dominates the other
  bool enters_loop = false;  // 2: into a loop elsewhere than at the block that dominates it
  bool leaves_loop = false;  // 3: out of a loop elsewhere than from the block that post-dominates it
};

// A part of a region with one entry and one exit (both in `nodes`) and no unstructured edge: Definition 5.
struct StructuredPart {
  std::size_t entry = 0, exit = 0;
  std::vector<std::size_t> nodes;  // sorted
};

// Definition 4: edges lead into it only from `entry`, out of it only to `exit`, neither of which is in it.
struct UnstructuredRegion {
  std::size_t entry = kOutside;       // kOutside: the region holds the function's first block
  std::size_t exit = kOutside;        // kOutside: the end of the function
  std::vector<std::size_t> nodes;     // sorted
  std::vector<StructuredPart> parts;  // the largest ones, disjoint, by entry
};

struct Unstructured {
  std::vector<UnstructuredEdge> edges;      // by source, in the order of its successors
  std::vector<UnstructuredRegion> regions;  // disjoint, by their first node
  // What Definition 1 misses: nodes left when, with each region as one node, sequences, arms and loops are collapsed as
  // long as possible.
  std::vector<std::size_t> missed;

  // Made of constructs with one entry and one exit alone.
  [[nodiscard]] bool structured() const { return edges.empty() && missed.empty(); }
};

// Only nodes count that are reached and from which the function may be left; if it never is, the ends of threads count
// for that, and the entries of loops that nothing leaves. `exits[v]`: v may leave. Successors are distinct.
[[nodiscard]] Unstructured find_unstructured(const Successors& successors, const std::vector<bool>& exits);

}  // namespace heddle
