// SPDX-License-Identifier: Apache-2.0
// Post-dominators and structure of hand-made graphs, and of random graphs against the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <random>
#include <vector>

#include "program/cfg.h"

namespace heddle {
namespace {

using Graph = Successors;

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
    for (std::size_t v = 1; v < size; ++v)
      ASSERT_EQ(dominators[v], naive.immediate(v)) << "graph " << n << ", node " << v;
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

// The definition of structure followed step by step: loops as sets, sides walked for each branch.
Structure naive_structure(const Graph& successors, const std::vector<bool>& exits) {
  const std::size_t size = successors.size();
  Structure result{std::vector<bool>(size), std::vector<bool>(size), false};
  if (size == 0) return result;
  const std::vector<std::size_t> dominator = immediate_dominators(successors);
  const std::vector<std::size_t> post = immediate_post_dominators(successors, exits);
  const auto reachable = [&](std::size_t v) { return v == 0 || dominator[v] != kNoNode; };
  const auto dominates = [&](std::size_t a, std::size_t b) {
    while (b != a && b != 0) b = dominator[b];
    return a == b;
  };

  Graph predecessors(size);
  Graph forward(size);                                      // without back edges
  std::map<std::size_t, std::vector<std::size_t>> latches;  // header -> sources of its back edges
  for (std::size_t v = 0; v < size; ++v) {
    if (!reachable(v)) continue;
    for (const std::size_t s : successors[v]) {
      predecessors[s].push_back(v);
      if (dominates(s, v)) {
        latches[s].push_back(v);
      } else {
        forward[v].push_back(s);
      }
    }
  }

  // Natural loops, one a header.
  struct Loop {
    std::vector<bool> blocks;
    std::size_t exits = 0;  // edges out of it, and blocks that leave the function
  };
  std::vector<Loop> loops;
  for (const auto& [header, sources] : latches) {
    std::vector<bool> in(size);
    in[header] = true;
    std::vector<std::size_t> work = sources;
    while (!work.empty()) {
      const std::size_t v = work.back();
      work.pop_back();
      if (in[v]) continue;
      in[v] = true;
      work.insert(work.end(), predecessors[v].begin(), predecessors[v].end());
    }
    std::size_t exit_edges = 0;
    for (std::size_t v = 0; v < size; ++v) {
      if (!in[v]) continue;
      exit_edges += exits[v];
      for (const std::size_t s : successors[v]) exit_edges += !in[s];
    }
    loops.push_back({std::move(in), exit_edges});
  }

  // What the back edges leave must be acyclic; a cycle that remains has several entries.
  std::vector<std::size_t> incoming(size);
  for (std::size_t v = 0; v < size; ++v) {
    for (const std::size_t s : forward[v]) ++incoming[s];
  }
  std::vector<std::size_t> ready;
  std::vector<bool> ordered(size);
  for (std::size_t v = 0; v < size; ++v) {
    if (incoming[v] == 0) ready.push_back(v);
  }
  while (!ready.empty()) {
    const std::size_t v = ready.back();
    ready.pop_back();
    ordered[v] = true;
    for (const std::size_t s : forward[v]) {
      if (--incoming[s] == 0) ready.push_back(s);
    }
  }
  result.irreducible = std::find(ordered.begin(), ordered.end(), false) != ordered.end();

  for (std::size_t b = 0; b < size; ++b) {
    if (successors[b].size() < 2 || !reachable(b)) continue;
    bool structured = post[b] != kNoNode && ordered[b];
    for (const Loop& loop : loops) {
      if (!loop.blocks[b]) continue;
      const bool leaves_loop =
          std::any_of(successors[b].begin(), successors[b].end(), [&](std::size_t s) { return !loop.blocks[s]; });
      if (!leaves_loop) continue;
      result.loop_exit[b] = true;
      structured &= loop.exits == 1;
    }
    // The sides: blocks reached without passing the reconvergence point; each block may belong to one side only and be
    // entered from the branch or from its own side only.
    std::vector<std::size_t> side(size, kNoNode);
    for (std::size_t n = 0; structured && n < forward[b].size(); ++n) {
      std::vector<std::size_t> work{forward[b][n]};
      while (!work.empty()) {
        const std::size_t v = work.back();
        work.pop_back();
        if (v == post[b] || side[v] == n) continue;
        if (side[v] != kNoNode || !ordered[v]) structured = false;
        side[v] = n;
        work.insert(work.end(), forward[v].begin(), forward[v].end());
      }
    }
    for (std::size_t v = 0; structured && v < size; ++v) {
      if (side[v] == kNoNode) continue;
      for (const std::size_t p : predecessors[v]) {
        const bool back_edge = dominates(v, p);
        if (p != b && side[p] != side[v] && !back_edge) structured = false;
      }
    }
    result.structured[b] = structured;
  }
  return result;
}

// Graphs as code has them: a long way from the entry to the exit with jumps forward, some back, and some ends of
// threads.
Graph code_graph(std::mt19937& random, std::size_t size) {
  Graph graph(size);
  const unsigned back = random() % 4, ends = random() % 8;
  const auto edge = [&](std::size_t v, std::size_t s) {
    if (std::find(graph[v].begin(), graph[v].end(), s) == graph[v].end()) graph[v].push_back(s);
  };
  for (std::size_t v = 0; v + 1 < size; ++v) {
    if (random() % 40 < ends) continue;
    if (random() % 2 == 0) edge(v, v + 1 + random() % std::min<std::size_t>(4, size - v - 1));
    if (random() % 8 < back) edge(v, v - std::min<std::size_t>(v, random() % 6));
    if (graph[v].empty() || random() % 8 != 0) edge(v, v + 1);
    if (random() % 16 == 0) edge(v, v + 1 + random() % (size - v - 1));
  }
  return graph;
}

std::vector<bool> random_exits(std::mt19937& random, const Graph& graph) {
  std::vector<bool> exits(graph.size());
  for (std::size_t v = 0; v < graph.size(); ++v) exits[v] = graph[v].empty() ? random() % 4 != 0 : random() % 20 == 0;
  return exits;
}

TEST(Structure, EqualsTheDefinitionOnRandomGraphs) {
  std::mt19937 random(8);
  std::size_t structured = 0, unstructured = 0, loop_exits = 0, irreducible = 0;
  for (int n = 0; n < 20000; ++n) {
    const std::size_t size = 2 + random() % 24;
    Graph graph = n % 4 == 0 ? random_graph(random, size, 2) : code_graph(random, size);
    if (n % 4 == 3) {
      const StructuredGraph made(random());
      graph = made.graph;
      for (int more = 0; more < 2; ++more) {  // a few gotos in nested ifs and loops
        auto& from = graph[random() % graph.size()];
        const std::size_t to = random() % graph.size();
        if (std::find(from.begin(), from.end(), to) == from.end()) from.push_back(to);
      }
    }
    const std::vector<bool> exits = random_exits(random, graph);
    const Structure naive = naive_structure(graph, exits);
    const Structure fast = find_structure(graph, exits);
    ASSERT_EQ(fast.irreducible, naive.irreducible) << "graph " << n;
    irreducible += naive.irreducible;
    for (std::size_t v = 0; v < graph.size(); ++v) {
      if (graph[v].size() < 2) continue;
      ASSERT_EQ(fast.structured[v], naive.structured[v]) << "graph " << n << ", node " << v;
      ASSERT_EQ(fast.loop_exit[v], naive.loop_exit[v]) << "graph " << n << ", node " << v;
      ++(naive.structured[v] ? structured : unstructured);
      loop_exits += naive.loop_exit[v];
    }
  }
  EXPECT_GT(structured, 10000u);
  EXPECT_GT(unstructured, 10000u);
  EXPECT_GT(loop_exits, 5000u);
  EXPECT_GT(irreducible, 500u);
}

// Meeting points by definition: every candidate is taken out, and what is then still reached decides.
class NaiveMeeting {
 public:
  NaiveMeeting(const Graph& graph, const std::vector<bool>& exits, const std::vector<bool>& barriers)
      : graph_(graph),
        barriers_(barriers),
        naive_(graph, exits) {}

  [[nodiscard]] std::size_t of(std::size_t v) const {
    const bool leaves = naive_.leaves_without(v, kNoNode);
    const std::size_t post = naive_.immediate(v);
    if (!barrier_before(v, post, leaves)) return post != kNoNode ? post : leaves ? kOutside : kNoNode;
    std::vector<std::size_t> common;
    for (std::size_t u = 0; u < graph_.size(); ++u) {
      if ((u != v || barriers_[u]) && !behind_reaches_barrier(v, u)) common.push_back(u);
    }
    for (const std::size_t u : common) {
      const bool first = std::all_of(common.begin(), common.end(), [&](std::size_t other) {
        return other == u || (!barriers_[u] && !behind_reaches_barrier(u, other));
      });
      if (first) return u;
    }
    return kNoNode;
  }

 private:
  // Is there a barrier on a path from the end of v to `post`?
  [[nodiscard]] bool barrier_before(std::size_t v, std::size_t post, bool leaves) const {
    std::vector<bool> seen(graph_.size());
    std::vector<std::size_t> work(graph_[v]);
    while (!work.empty()) {
      const std::size_t n = work.back();
      work.pop_back();
      if (n == post || seen[n]) continue;
      seen[n] = true;
      if (barriers_[n] && (!leaves || naive_.leaves_without(n, kNoNode))) return true;
      work.insert(work.end(), graph_[n].begin(), graph_[n].end());
    }
    return false;
  }
  [[nodiscard]] bool behind_reaches_barrier(std::size_t v, std::size_t removed) const {
    std::vector<bool> seen(graph_.size());
    std::vector<std::size_t> work(graph_[v]);
    while (!work.empty()) {
      const std::size_t n = work.back();
      work.pop_back();
      if (n == removed || seen[n]) continue;
      if (barriers_[n]) return true;
      seen[n] = true;
      work.insert(work.end(), graph_[n].begin(), graph_[n].end());
    }
    return false;
  }

  const Graph& graph_;
  const std::vector<bool>& barriers_;
  Naive naive_;
};

TEST(MeetingPoints, EqualTheDefinitionOnRandomGraphs) {
  std::mt19937 random(9);
  std::size_t nodes = 0, outside = 0, never = 0, barriers_met = 0, moved = 0;
  for (int n = 0; n < 6000; ++n) {
    const std::size_t size = 2 + random() % 14;
    const Graph graph = n % 3 == 0 ? random_graph(random, size, 2) : code_graph(random, size);
    const std::vector<bool> exits = random_exits(random, graph);
    std::vector<bool> barriers(size);
    const unsigned share = random() % 4;
    for (std::size_t v = 0; v < size; ++v) barriers[v] = random() % 10 < share;
    const NaiveMeeting naive(graph, exits, barriers);
    const auto fast = meeting_points(graph, exits, barriers);
    const auto post = immediate_post_dominators(graph, exits);
    for (std::size_t v = 0; v < size; ++v) {
      if (graph[v].size() < 2) continue;
      ASSERT_EQ(fast[v], naive.of(v)) << "graph " << n << ", node " << v;
      ++(fast[v] == kNoNode ? never : fast[v] == kOutside ? outside : nodes);
      barriers_met += fast[v] < size && barriers[fast[v]];
      moved += fast[v] < size && fast[v] != post[v];
    }
  }
  EXPECT_GT(nodes, 1000u);
  EXPECT_GT(outside, 100u);
  EXPECT_GT(never, 1000u);
  EXPECT_GT(barriers_met, 500u);
  EXPECT_GT(moved, 500u);
}

TEST(MeetingPoints, SidesThatBothReturnMeetOutside) {
  const Graph g = {{1, 2}, {}, {}};
  EXPECT_EQ(meeting_points(g, leaving(3, {1, 2}), leaving(3, {}))[0], kOutside);
}

TEST(MeetingPoints, ThreadsThatLeaveBeforeABarrierRunAlone) {
  // if (0) goto 3; 1: barrier, 2 -> 3: the common end
  const Graph g = {{3, 1}, {2}, {3}, {}};
  EXPECT_EQ(meeting_points(g, leaving(4, {3}), leaving(4, {}))[0], 3u);
  EXPECT_EQ(meeting_points(g, leaving(4, {3}), leaving(4, {1}))[0], 1u);
}

TEST(MeetingPoints, BarrierAtTheMeetingPointIsNotBeforeIt) {
  const Graph g = {{1, 2}, {2}, {3}, {}};
  EXPECT_EQ(meeting_points(g, leaving(4, {3}), leaving(4, {2}))[0], 2u);
}

TEST(MeetingPoints, LoopAroundABarrierMeetsAtItsBody) {
  // header 1: {2, 4}; 2 -> 3: barrier -> 1; no barrier behind
  const Graph g = {{1}, {2, 4}, {3}, {1}, {}};
  EXPECT_EQ(meeting_points(g, leaving(5, {4}), leaving(5, {3}))[1], 2u);
}

TEST(MeetingPoints, TwoBarriersThatMayBeNextHaveNothingInCommon) {
  // header 1: {2, 3}; 2: barrier -> 1; 3: barrier
  const Graph g = {{1}, {2, 3}, {1}, {}};
  EXPECT_EQ(meeting_points(g, leaving(4, {3}), leaving(4, {2, 3}))[1], kNoNode);
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Deep nesting and long chains: quadratic algorithms take many minutes here, recursion overflows the stack.
TEST(Graphs, HundredThousandBranchesOfAnyFormTakeNoLongTime) {
  const std::size_t count = 100000;
  std::map<std::string, Graph> graphs;
  Graph& ifs = graphs["nested ifs"];
  ifs.resize(2 * count + 1);
  for (std::size_t v = 0; v < count; ++v) ifs[v] = {v + 1, 2 * count - v};
  for (std::size_t v = count; v < 2 * count; ++v) ifs[v] = {v + 1};
  Graph& loops = graphs["nested loops"];
  loops.resize(2 * count + 1);
  for (std::size_t v = 0; v < count; ++v) loops[v] = {v + 1};
  for (std::size_t v = count; v < 2 * count; ++v) loops[v] = {2 * count - 1 - v, v + 1};
  Graph& conditions = graphs["one short-circuit condition"];
  conditions.resize(count + 2);
  for (std::size_t v = 0; v < count; ++v) conditions[v] = {v + 1, count + 1};
  conditions[count] = {count + 1};
  Graph& breaks = graphs["a loop with breaks"];
  breaks.resize(count + 2);
  for (std::size_t v = 0; v < count; ++v) breaks[v] = {v + 1, count + 1};
  breaks[count] = {0, count + 1};
  Graph& row = graphs["ifs in a row"];
  row.resize(2 * count + 1);
  for (std::size_t v = 0; v < count; ++v) {
    row[2 * v] = {2 * v + 1, 2 * v + 2};
    row[2 * v + 1] = {2 * v + 2};
  }
  std::mt19937 random(10);
  graphs["random code"] = code_graph(random, 2 * count);
  for (const auto& [name, graph] : graphs) {
    const double begin = cpu_seconds();
    const std::vector<bool> exits = leaving(graph.size(), {graph.size() - 1});
    std::vector<bool> barriers(graph.size());
    for (std::size_t v = 0; v < graph.size(); v += 1000) barriers[v] = true;
    EXPECT_EQ(find_structure(graph, exits).structured.size(), graph.size());
    EXPECT_EQ(meeting_points(graph, exits, barriers).size(), graph.size());
    EXPECT_LT(cpu_seconds() - begin, 15.0) << name;
  }
}

}  // namespace
}  // namespace heddle
