// SPDX-License-Identifier: Apache-2.0
// What the graph algorithms share: lists of nodes in one array, and forests that answer "is above" at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "program/graph.h"

namespace heddle::graph_parts {

using Node = std::uint32_t;
constexpr Node kNone = std::numeric_limits<Node>::max();

// Lists of one node each, in one array.
class Lists {
 public:
  // `each(add)` calls add(node, entry) for every entry; it is called twice.
  template <typename Each>
  Lists(std::size_t size, const Each& each) : begin_(size + 1) {
    each([&](std::size_t node, Node) { ++begin_[node + 1]; });
    for (std::size_t v = 0; v < size; ++v) begin_[v + 1] += begin_[v];
    entries_.resize(begin_[size]);
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    each([&](std::size_t node, Node entry) { entries_[next[node]++] = entry; });
  }
  struct Range {
    const Node *first, *last;
    [[nodiscard]] const Node* begin() const { return first; }
    [[nodiscard]] const Node* end() const { return last; }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(last - first); }
  };
  [[nodiscard]] Range operator[](std::size_t node) const {
    return {entries_.data() + begin_[node], entries_.data() + begin_[node + 1]};
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Node> entries_;
};

[[nodiscard]] inline Lists predecessors_of(const Successors& successors, const std::vector<bool>& counts) {
  return Lists(successors.size(), [&](const auto& add) {
    for (std::size_t v = 0; v < successors.size(); ++v) {
      if (!counts[v]) continue;
      for (const std::size_t s : successors[v]) add(s, static_cast<Node>(v));
    }
  });
}

// A forest given by parents: depth, and preorder intervals that answer "is an ancestor of". Roots hang at depth 0.
struct Forest {
  // Nodes with parent kNone are roots if `member` holds.
  Forest(const std::vector<Node>& parents, const std::vector<bool>& member)
      : pre(parents.size(), kNone),
        last(parents.size(), kNone),
        depth(parents.size()) {
    const Lists children(parents.size(), [&](const auto& add) {
      for (std::size_t v = 0; v < parents.size(); ++v) {
        if (member[v] && parents[v] != kNone) add(parents[v], static_cast<Node>(v));
      }
    });
    std::vector<Node> work;
    for (std::size_t v = parents.size(); v-- > 0;) {
      if (member[v] && parents[v] == kNone) work.push_back(static_cast<Node>(v));
    }
    while (!work.empty()) {
      const Node v = work.back();
      work.pop_back();
      pre[v] = static_cast<Node>(order.size());
      depth[v] = parents[v] == kNone ? 0 : depth[parents[v]] + 1;
      order.push_back(v);
      for (const Node c : children[v]) work.push_back(c);
    }
    for (std::size_t n = order.size(); n-- > 0;) {
      const Node v = order[n];
      if (last[v] == kNone) last[v] = static_cast<Node>(n) + 1;
      const Node p = parents[v];
      if (p != kNone && last[p] == kNone) last[p] = last[v];  // the youngest child ends where its parent does
    }
  }
  // a is v or above it.
  [[nodiscard]] bool above(Node a, Node v) const { return pre[a] <= pre[v] && pre[v] < last[a]; }

  std::vector<Node> pre, last, depth;
  std::vector<Node> order;  // in preorder
};

}  // namespace heddle::graph_parts
