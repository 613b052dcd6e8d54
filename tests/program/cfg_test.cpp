// SPDX-License-Identifier: Apache-2.0
// Post-dominators and structure of hand-made graphs, and of random graphs against the definition.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "program/cfg.h"

namespace heddle {
namespace {

using Graph = std::vector<std::vector<std::size_t>>;

// The nodes of `exits` may leave.
std::vector<bool> leaving(std::size_t size, const std::vector<std::size_t>& exits) {
  std::vector<bool> result(size);
  for (const std::size_t e : exits) result[e] = true;
  return result;
}

std::vector<std::size_t> post_dominators(const Graph& graph, const std::vector<std::size_t>& exits) {
  return immediate_post_dominators(graph, leaving(graph.size(), exits));
}

// By definition, without a tree: u post-dominates v if v cannot leave once u is taken out. The immediate one is that
// which all the others post-dominate.
class Naive {
 public:
  Naive(const Graph& graph, const std::vector<bool>& exits) : graph_(graph), exits_(exits) {}

  [[nodiscard]] bool leaves_without(std::size_t from, std::size_t removed) const {
    std::vector<bool> seen(graph_.size());
    return search(from, removed, seen);
  }
  [[nodiscard]] bool post_dominates(std::size_t u, std::size_t v) const { return !leaves_without(v, u); }

  [[nodiscard]] std::size_t immediate(std::size_t v) const {
    if (!leaves_without(v, kNoNode)) return kNoNode;
    for (std::size_t u = 0; u < graph_.size(); ++u) {
      if (u == v || !post_dominates(u, v)) continue;
      bool nearest = true;
      for (std::size_t other = 0; other < graph_.size(); ++other) {
        if (other != v && post_dominates(other, v) && !post_dominates(other, u)) nearest = false;
      }
      if (nearest) return u;
    }
    return kNoNode;
  }

 private:
  bool search(std::size_t v, std::size_t removed, std::vector<bool>& seen) const {
    if (v == removed || seen[v]) return false;
    seen[v] = true;
    if (exits_[v]) return true;
    for (const std::size_t s : graph_[v]) {
      if (search(s, removed, seen)) return true;
    }
    return false;
  }

  const Graph& graph_;
  const std::vector<bool>& exits_;
};

TEST(PostDominators, IfReconvergesAfterItsOnlySide) {
  const Graph g = {{1, 2}, {2}, {}};
  EXPECT_EQ(post_dominators(g, {2}), (std::vector<std::size_t>{2, 2, kNoNode}));
}

TEST(PostDominators, IfElseReconvergesAfterBothSides) {
  const Graph g = {{1, 2}, {3}, {3}, {}};
  EXPECT_EQ(post_dominators(g, {3})[0], 3u);
}

TEST(PostDominators, LoopReconvergesAtItsExit) {
  // 0 -> 1 (header) -> 2 (body) -> 1, 1 -> 3
  const Graph g = {{1}, {2, 3}, {1}, {}};
  EXPECT_EQ(post_dominators(g, {3}), (std::vector<std::size_t>{1, 3, 1, kNoNode}));
}

TEST(PostDominators, BothExitsOfALoopWithBreakReconvergeBehindIt) {
  // header 1: 2 or out 4; 2: break to 4 or go on at 3; 3: back to 1
  const Graph g = {{1}, {2, 4}, {4, 3}, {1}, {}};
  const auto post = post_dominators(g, {4});
  EXPECT_EQ(post[1], 4u);
  EXPECT_EQ(post[2], 4u);
  EXPECT_EQ(post[3], 1u);
}

TEST(PostDominators, NestedBranchesReconvergeInnermostFirst) {
  // 0: {1, 5}; 1: {2, 3}; 2, 3 -> 4; 4, 5 -> 6
  const Graph g = {{1, 5}, {2, 3}, {4}, {4}, {6}, {6}, {}};
  const auto post = post_dominators(g, {6});
  EXPECT_EQ(post[0], 6u);
  EXPECT_EQ(post[1], 4u);
}

TEST(PostDominators, IrreducibleCycleReconvergesAtItsOnlyWayOut) {
  // 0 enters the cycle 1 <-> 2 at either; 2 leaves to 3
  const Graph g = {{1, 2}, {2}, {1, 3}, {}};
  const auto post = post_dominators(g, {3});
  EXPECT_EQ(post[0], 2u);
  EXPECT_EQ(post[1], 2u);
  EXPECT_EQ(post[2], 3u);
}

TEST(PostDominators, SideThatLoopsForEverDoesNotCount) {
  // 0: {1, 2}; 1 -> 1 for ever; 2 leaves
  const Graph g = {{1, 2}, {1}, {}};
  const auto post = post_dominators(g, {2});
  EXPECT_EQ(post[0], 2u);
  EXPECT_EQ(post[1], kNoNode);
}

TEST(PostDominators, SidesThatBothReturnNeverMeet) {
  const Graph g = {{1, 2}, {}, {}};
  EXPECT_EQ(post_dominators(g, {1, 2})[0], kNoNode);
}

TEST(PostDominators, FunctionWithoutExitHasNone) {
  const Graph g = {{1, 2}, {0}, {0}};
  EXPECT_EQ(post_dominators(g, {}), (std::vector<std::size_t>{kNoNode, kNoNode, kNoNode}));
}

TEST(PostDominators, EmptyGraphHasNone) { EXPECT_TRUE(post_dominators({}, {}).empty()); }

Graph random_graph(std::mt19937& random, std::size_t size, unsigned edges_per_node) {
  Graph graph(size);
  for (std::size_t v = 0; v < size; ++v) {
    const unsigned edges = random() % (edges_per_node + 1);
    for (unsigned e = 0; e < edges; ++e) {
      const std::size_t s = random() % size;
      if (std::find(graph[v].begin(), graph[v].end(), s) == graph[v].end()) graph[v].push_back(s);
    }
  }
  return graph;
}

TEST(PostDominators, EqualTheDefinitionOnRandomGraphs) {
  std::mt19937 random(6);
  std::size_t with = 0, without = 0;
  for (int n = 0; n < 3000; ++n) {
    const std::size_t size = 1 + random() % 14;
    const Graph graph = random_graph(random, size, 1 + random() % 3);
    std::vector<bool> exits(size);
    for (std::size_t v = 0; v < size; ++v) exits[v] = graph[v].empty() ? random() % 4 != 0 : random() % 12 == 0;
    const Naive naive(graph, exits);
    const auto post = immediate_post_dominators(graph, exits);
    for (std::size_t v = 0; v < size; ++v) {
      ASSERT_EQ(post[v], naive.immediate(v)) << "graph " << n << ", node " << v;
      ++(post[v] == kNoNode ? without : with);
    }
  }
  EXPECT_GT(with, 1000u);
  EXPECT_GT(without, 1000u);
}

// A dominator is a post-dominator of the reversed graph whose only exit is the entry.
TEST(Dominators, EqualTheDefinitionOnRandomGraphs) {
  std::mt19937 random(7);
  for (int n = 0; n < 3000; ++n) {
    const std::size_t size = 1 + random() % 14;
    const Graph graph = random_graph(random, size, 3);
    Graph reversed(size);
    for (std::size_t v = 0; v < size; ++v) {
      for (const std::size_t s : graph[v]) reversed[s].push_back(v);
    }
    const std::vector<bool> entry = leaving(size, {0});
    const Naive naive(reversed, entry);
    const auto dominators = immediate_dominators(graph);
    EXPECT_EQ(dominators[0], kNoNode);
    for (std::size_t v = 1; v < size; ++v) ASSERT_EQ(dominators[v], naive.immediate(v)) << "graph " << n << ", node " << v;
  }
}

TEST(Structure, IfElseAndLoopAreStructured) {
  // loop 1..4 around an if-else, exit 5
  const Graph g = {{1}, {2, 5}, {3, 4}, {1}, {1}, {}};
  const Structure s = find_structure(g, leaving(6, {5}));
  EXPECT_TRUE(s.structured[1]);
  EXPECT_TRUE(s.loop_exit[1]);
  EXPECT_TRUE(s.structured[2]);
  EXPECT_FALSE(s.loop_exit[2]);
  EXPECT_FALSE(s.irreducible);
}

TEST(Structure, LoopThatTestsAtItsEndIsStructured) {
  const Graph g = {{1}, {1, 2}, {}};
  const Structure s = find_structure(g, leaving(3, {2}));
  EXPECT_TRUE(s.structured[1]);
  EXPECT_TRUE(s.loop_exit[1]);
}

TEST(Structure, BreakMakesBothExitsUnstructured) {
  const Graph g = {{1}, {2, 4}, {4, 3}, {1}, {}};
  const Structure s = find_structure(g, leaving(5, {4}));
  EXPECT_FALSE(s.structured[1]);
  EXPECT_FALSE(s.structured[2]);
  EXPECT_TRUE(s.loop_exit[1]);
  EXPECT_TRUE(s.loop_exit[2]);
}

TEST(Structure, ContinueIsStructured) {
  // header 1: {2, 5}; 2: continue (4) or 3; 3 -> 4 (latch) -> 1
  const Graph g = {{1}, {2, 5}, {4, 3}, {4}, {1}, {}};
  const Structure s = find_structure(g, leaving(6, {5}));
  EXPECT_TRUE(s.structured[1]);
  EXPECT_TRUE(s.structured[2]);
}

TEST(Structure, ShortCircuitConditionIsUnstructured) {
  // if (a || b) 3 else 2: 0: {3, 1}; 1: {3, 2}; 2, 3 -> 4
  const Graph g = {{3, 1}, {3, 2}, {4}, {4}, {}};
  const Structure s = find_structure(g, leaving(5, {4}));
  EXPECT_FALSE(s.structured[0]);
  EXPECT_FALSE(s.structured[1]) << "block 3 is entered from 0 as well";
}

TEST(Structure, NestedLoopsAreStructured) {
  // outer 1 {2, 5}; inner 2 {3, 4}, 3 -> 2; 4 -> 1
  const Graph g = {{1}, {2, 5}, {3, 4}, {2}, {1}, {}};
  const Structure s = find_structure(g, leaving(6, {5}));
  EXPECT_TRUE(s.structured[1]);
  EXPECT_TRUE(s.structured[2]);
  EXPECT_TRUE(s.loop_exit[1]);
  EXPECT_TRUE(s.loop_exit[2]);
}

TEST(Structure, ReturnInsideALoopIsAnotherExit) {
  // header 1: {2, 4}; 2: return (3) or back
  const Graph g = {{1}, {2, 4}, {3, 1}, {}, {}};
  const Structure s = find_structure(g, leaving(5, {3, 4}));
  EXPECT_FALSE(s.structured[1]);
  EXPECT_FALSE(s.structured[2]);
}

TEST(Structure, CycleWithTwoEntriesIsIrreducible) {
  const Graph g = {{1, 2}, {2}, {1, 3}, {}};
  const Structure s = find_structure(g, leaving(4, {3}));
  EXPECT_TRUE(s.irreducible);
  EXPECT_FALSE(s.structured[2]);
}

TEST(Structure, UnreachableBlocksDoNotDisturb) {
  // 4 is dead code that jumps into a side
  const Graph g = {{1, 2}, {3}, {3}, {}, {1}};
  const Structure s = find_structure(g, leaving(5, {3}));
  EXPECT_TRUE(s.structured[0]);
  EXPECT_FALSE(s.irreducible);
}

// Nesting of sequence, if, if-else, while and do-while gives structured branches only.
class StructuredGraph {
 public:
  explicit StructuredGraph(unsigned seed) : random_(seed) {
    const std::size_t entry = node();
    const std::size_t end = region(entry, 5);
    exit = end;
  }
  Graph graph;
  std::size_t exit = 0;
  std::size_t branches = 0;

 private:
  std::size_t node() {
    graph.emplace_back();
    return graph.size() - 1;
  }
  void edge(std::size_t from, std::size_t to) { graph[from].push_back(to); }

  // Builds code from `entry` on; returns the node where it ends, which has no successor yet.
  std::size_t region(std::size_t entry, unsigned depth) {
    const unsigned kind = depth == 0 ? 0 : random_() % 5;
    if (kind == 0) return entry;
    if (kind == 1) return region(region(entry, depth - 1), depth - 1);
    ++branches;
    const std::size_t after = node();
    if (kind == 2) {  // if
      const std::size_t side = node();
      edge(entry, side);
      edge(entry, after);
      edge(region(side, depth - 1), after);
    } else if (kind == 3) {  // if-else
      const std::size_t left = node(), right = node();
      edge(entry, left);
      edge(entry, right);
      edge(region(left, depth - 1), after);
      edge(region(right, depth - 1), after);
    } else {  // while
      const std::size_t header = node(), body = node();
      edge(entry, header);
      edge(header, body);
      edge(header, after);
      edge(region(body, depth - 1), header);
    }
    return after;
  }

  std::mt19937 random_;
};

TEST(Structure, EveryBranchOfNestedIfsAndLoopsIsStructured) {
  std::size_t branches = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const StructuredGraph g(seed);
    const Structure s = find_structure(g.graph, leaving(g.graph.size(), {g.exit}));
    EXPECT_FALSE(s.irreducible);
    for (std::size_t v = 0; v < g.graph.size(); ++v) {
      if (g.graph[v].size() < 2) continue;
      EXPECT_TRUE(s.structured[v]) << "seed " << seed << ", node " << v;
      ++branches;
    }
  }
  EXPECT_GT(branches, 300u);
}

TEST(Structure, AGotoIntoASideSpoilsTheBranchAroundIt) {
  // An if-else whose left side is also entered from a branch before it.
  const Graph g = {{1, 2}, {2, 3}, {4}, {4}, {}};
  const Structure s = find_structure(g, leaving(5, {4}));
  EXPECT_FALSE(s.structured[0]);
  EXPECT_FALSE(s.structured[1]);
}

}  // namespace
}  // namespace heddle
