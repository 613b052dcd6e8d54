// SPDX-License-Identifier: Apache-2.0
// Unstructured edges, regions and structured parts: the paper's figures, graphs made of structured pieces, and small
// random graphs against the definitions followed set by set.
#include "program/unstructured.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle {
namespace {

using Graph = Successors;
using Nodes = std::vector<std::size_t>;
using Edges = std::map<std::pair<std::size_t, std::size_t>, std::string>;  // to the conditions that hold

// Nodes without a successor leave.
std::vector<bool> ends_of(const Graph& g) {
  std::vector<bool> result;
  for (const auto& successors : g) result.push_back(successors.empty());
  return result;
}

Unstructured look(const Graph& g) { return find_unstructured(g, ends_of(g)); }

Edges edges_of(const Unstructured& u) {
  Edges result;
  for (const UnstructuredEdge& e : u.edges) {
    result[{e.from, e.to}] =
        std::string(e.crosses ? "1" : "") + (e.enters_loop ? "2" : "") + (e.leaves_loop ? "3" : "");
  }
  return result;
}

void expect_region(const UnstructuredRegion& r, std::size_t entry, const Nodes& nodes, std::size_t exit) {
  EXPECT_EQ(r.entry, entry);
  EXPECT_EQ(r.nodes, nodes);
  EXPECT_EQ(r.exit, exit);
}

void expect_structured(const Graph& g) {
  const Unstructured u = look(g);
  EXPECT_EQ(edges_of(u), Edges{});
  EXPECT_TRUE(u.regions.empty());
  EXPECT_TRUE(u.structured());
}

// ---- The figures. Nodes have the numbers of the blocks, B1 first: node 0 is the entry.

TEST(PaperFigure, ShortCircuit1) {
  const Graph g = {{1}, {2, 3}, {3, 5}, {4, 5}, {6}, {6}, {}};
  const Unstructured u = look(g);
  EXPECT_EQ(edges_of(u), (Edges{{{2, 3}, "1"}, {{2, 5}, "1"}, {{3, 5}, "1"}}));
  ASSERT_EQ(u.regions.size(), 1u);
  expect_region(u.regions[0], 1, {2, 3, 4, 5}, 6);
  EXPECT_TRUE(u.regions[0].parts.empty());
  EXPECT_FALSE(u.structured());
}

// The linear chains are written with guard i as node 2i and block i as 2i + 1.
TEST(PaperFigure, LinearizedShortCircuit4) {
  const Graph g = {{2}, {}, {3, 4}, {4}, {5, 6}, {6}, {7, 8}, {8}, {9, 10}, {10}, {11, 12}, {12}, {13, 1}, {1}};
  expect_structured(g);
}

TEST(PaperFigure, NestedBranches2a) {
  expect_structured({{1}, {2, 5}, {3, 4}, {8}, {8}, {6, 7}, {8}, {8}, {}});
  expect_structured({{1}, {2, 5}, {3, 4}, {9}, {9}, {6, 7}, {8}, {8}, {9}, {}});
}

TEST(PaperFigure, NestedLoops2bAnd8a) {
  // header 1, S1 2, inner header 3, S2 4, S3 5
  expect_structured({{1}, {2, 6}, {3}, {4, 5}, {3}, {1}, {}});
}

TEST(PaperFigure, NestedIfs3) { expect_structured({{1}, {2, 3}, {4, 5}, {10}, {6, 7}, {9}, {8}, {8}, {9}, {10}, {}}); }

TEST(PaperFigure, JumpOutOfALoop5b) {
  const Graph g = {{1}, {2}, {3, 5}, {4, 6}, {2}, {6}, {}};
  const Unstructured u = look(g);
  EXPECT_EQ(edges_of(u), (Edges{{{2, 5}, "3"}, {{3, 6}, "3"}}));
  ASSERT_EQ(u.regions.size(), 1u);
  // B6 is the end of the jump, so it belongs to the region, whose exit is what follows.
  expect_region(u.regions[0], 1, {2, 3, 4, 5, 6}, kOutside);
}

TEST(PaperFigure, LinearizedJumpOutOfALoop5c) {
  // 14 is the guard of the edge back from B4 to B2
  const Graph g = {{2}, {}, {3, 4}, {4}, {5, 6}, {6}, {7, 8}, {8}, {9, 14}, {14}, {11, 12}, {12}, {1}, {}, {4, 10}};
  expect_structured(g);
}

TEST(PaperFigure, JumpIntoALoop6b) {
  const Graph g = {{1}, {2, 5}, {3}, {4, 6}, {5}, {3}, {}};
  const Unstructured u = look(g);
  EXPECT_EQ(edges_of(u), (Edges{{{1, 5}, "2"}, {{2, 3}, "2"}}));
  ASSERT_EQ(u.regions.size(), 1u);
  expect_region(u.regions[0], 0, {1, 2, 3, 4, 5}, 6);
}

TEST(PaperFigure, IrreducibleGraph6c) {
  const Graph g = {{1}, {2, 3}, {3}, {2, 4}, {}};
  const Unstructured u = look(g);
  EXPECT_EQ(edges_of(u), (Edges{{{1, 2}, "2"}, {{1, 3}, "2"}}));
  ASSERT_EQ(u.regions.size(), 1u);
  expect_region(u.regions[0], 0, {1, 2, 3}, 4);
}

TEST(PaperFigure, LinearizedIrreducibleGraph6d) {
  // 8 is the guard of the edge back from B3 to B2
  expect_structured({{2}, {}, {3, 4}, {4}, {5, 6}, {6}, {7, 8}, {8}, {4, 1}});
}

TEST(PaperFigure, LinearizedNestedBranches7b) {
  // B1, then guarded B2, B5, B3, B6, B4, B7
  expect_structured({{1, 2}, {2}, {3, 4}, {4}, {5, 6}, {6}, {7, 8}, {8}, {9, 10}, {10}, {11, 12}, {12}, {}});
}

TEST(PaperFigure, MergedLoops8b) {
  // guarded blocks 2..6 in one loop, whose last guard (12) leads back
  expect_structured({{1}, {2}, {3, 4}, {4}, {5, 6}, {6}, {7, 8}, {8}, {9, 10}, {10}, {11, 12}, {12}, {2, 13}, {}});
}

// ---- By definition, with sets and without trees. Node n of n is the end.

class Naive {
 public:
  // Every node of the graph is reached and reaches the end.
  Naive(const Graph& graph, const std::vector<bool>& exits) : size_(graph.size()), to_(size_ + 1), from_(size_ + 1) {
    for (std::size_t v = 0; v < size_; ++v) {
      for (const std::size_t s : graph[v]) link(v, s);
      if (exits[v]) link(v, size_);
    }
    for (std::size_t v = 0; v <= size_; ++v) {
      above_.push_back(unreached(to_, 0, v));
      below_.push_back(unreached(from_, size_, v));
    }
    std::set<std::size_t> all;
    for (std::size_t v = 0; v < size_; ++v) all.insert(v);
    find_loops(all, {});
  }

  [[nodiscard]] bool dominates(std::size_t a, std::size_t v) const { return above_[a].count(v) != 0; }
  [[nodiscard]] bool post_dominates(std::size_t a, std::size_t v) const { return below_[a].count(v) != 0; }

  [[nodiscard]] Edges edges() const {
    Edges result;
    for (std::size_t i = 0; i < size_; ++i) {
      for (const std::size_t j : to_[i]) {
        std::string conditions;
        const std::size_t entered = j == 0 ? 1 : 0;
        if (to_[i].size() > 1 && from_[j].size() + entered > 1 && !dominates(i, j) && !dominates(j, i) &&
            !post_dominates(i, j) && !post_dominates(j, i)) {
          conditions += '1';
        }
        const auto rules = [](const auto& relation, const std::set<std::size_t>& loop) {
          return std::all_of(loop.begin(), loop.end(), relation);
        };
        bool enters = false, leaves = false;
        for (const auto& loop : loops_) {
          const bool from = loop.count(i) != 0, to = loop.count(j) != 0;
          enters |= to && !from && !rules([&](std::size_t v) { return dominates(j, v); }, loop);
          leaves |= from && !to && !rules([&](std::size_t v) { return post_dominates(i, v); }, loop);
        }
        if (enters) conditions += '2';
        if (leaves) conditions += '3';
        if (!conditions.empty()) result[{i, j == size_ ? kOutside : j}] = conditions;
      }
    }
    return result;
  }

  struct Bounds {
    std::size_t entry = kNoNode, exit = kNoNode;  // kOutside: before the first node, behind the last
  };
  // CIDOM and CIPDOM outside of the set.
  [[nodiscard]] Bounds bounds(const std::set<std::size_t>& set) const {
    return {nearest(set, [&](std::size_t a, std::size_t v) { return a != v && dominates(a, v); }),
            nearest(set, [&](std::size_t a, std::size_t v) { return a != v && post_dominates(a, v); })};
  }
  // The four points of Definition 4, but for the edge.
  [[nodiscard]] bool is_region(const std::set<std::size_t>& set) const {
    const Bounds b = bounds(set);
    for (const std::size_t v : set) {
      for (const std::size_t p : from_[v]) {
        if (set.count(p) == 0 && p != b.entry) return false;
      }
      for (const std::size_t s : to_[v]) {
        if (set.count(s) == 0 && s != b.exit && !(s == size_ && b.exit == kOutside)) return false;
      }
    }
    return true;
  }
  // Algorithm 2 to the letter, but that CIDOM and CIPDOM are never of the set.
  [[nodiscard]] std::set<std::size_t> algorithm_2(std::set<std::size_t> set) const {
    while (true) {
      const Bounds b = bounds(set);
      std::set<std::size_t> next;
      for (std::size_t v = 0; v < size_; ++v) {
        if (v == b.entry || v == b.exit) continue;
        const bool n1 = b.entry == kOutside || dominates(b.entry, v);
        const bool n2 = reaches(v, b.exit == kOutside ? size_ : b.exit);
        const bool n3 = b.exit == kOutside || post_dominates(b.exit, v);
        const bool n4 = reaches(b.entry == kOutside ? 0 : b.entry, v);
        if ((n1 && n2) || (n3 && n4)) next.insert(v);
      }
      for (const std::size_t v : set) next.insert(v);  // it only grows
      if (next == set) return set;
      set = next;
    }
  }

  // All that leads to `exit` from `entry`, closed: entered at `entry`, left at `exit`.
  [[nodiscard]] std::set<std::size_t> between(std::size_t entry, std::size_t exit) const {
    std::set<std::size_t> set{entry, exit};
    for (bool grows = true; grows;) {
      std::set<std::size_t> next = set;
      for (const std::size_t v : set) {
        if (v != entry) next.insert(from_[v].begin(), from_[v].end());
        if (v != exit) next.insert(to_[v].begin(), to_[v].end());
      }
      grows = next != set;
      set = next;
    }
    return set;
  }

  // By the pieces that programs are made of, in any order: sequence, if and if-else and switch, loop.
  [[nodiscard]] bool made_of_pieces(std::mt19937& random) const {
    std::map<std::size_t, std::set<std::size_t>> to, from;
    for (std::size_t v = 0; v < size_; ++v) {
      to[v] = to_[v];
      for (const std::size_t s : to_[v]) from[s].insert(v);
    }
    const std::size_t begin = size_ + 1;
    from[0].insert(begin);
    const auto remove = [&](std::size_t v) {
      for (const std::size_t s : to[v]) from[s].erase(v);
      for (const std::size_t p : from[v]) to[p].erase(v);
      to.erase(v);
      from.erase(v);
    };
    const auto goes_on = [&](std::size_t v, std::size_t s) {
      to[v].insert(s);
      from[s].insert(v);
    };
    const auto try_node = [&](std::size_t v) {
      if (to[v].count(v) != 0 && to[v].size() == 2) {  // a loop that tests at its end
        to[v].erase(v);
        from[v].erase(v);
        return true;
      }
      const auto lone = [&](std::size_t s) { return s != v && s != size_ && from[s].size() == 1; };
      if (to[v].size() == 1 && lone(*to[v].begin())) {  // sequence
        const std::size_t s = *to[v].begin();
        const std::set<std::size_t> behind = to[s];
        remove(s);
        for (const std::size_t t : behind) goes_on(v, t == s ? v : t);
        return true;
      }
      const auto arm = [&](std::size_t s, std::size_t join) {
        return lone(s) && to[s].size() == 1 && *to[s].begin() == join;
      };
      const std::set<std::size_t> sides = to[v];
      for (const std::size_t s : sides) {  // a loop that tests at its begin
        if (sides.size() != 2 || !arm(s, v)) continue;
        remove(s);
        return true;
      }
      for (const std::size_t s : sides) {  // if, if-else, switch
        const std::size_t join = arm(s, s) || to[s].size() != 1 || !lone(s) ? s : *to[s].begin();
        if (join == v ||
            !std::all_of(sides.begin(), sides.end(), [&](std::size_t o) { return o == join || arm(o, join); }))
          continue;
        if (sides.size() == 1) continue;
        for (const std::size_t o : sides) {
          if (o != join) remove(o);
        }
        goes_on(v, join);
        return true;
      }
      return false;
    };
    for (bool changed = true; changed;) {
      changed = false;
      Nodes order;
      for (const auto& [v, successors] : to) {
        if (v < size_) order.push_back(v);
      }
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t v : order) {
        if (to.count(v) != 0 && try_node(v)) {
          changed = true;
          break;
        }
      }
    }
    return std::count_if(to.begin(), to.end(), [&](const auto& node) { return node.first < size_; }) == 1;
  }

 private:
  using Links = std::vector<std::set<std::size_t>>;

  void link(std::size_t v, std::size_t s) {
    to_[v].insert(s);
    from_[s].insert(v);
  }
  [[nodiscard]] static std::set<std::size_t> reached(const Links& links, std::size_t from, std::size_t without) {
    std::set<std::size_t> result;
    std::vector<std::size_t> work;
    if (from != without) work.push_back(from);
    while (!work.empty()) {
      const std::size_t v = work.back();
      work.pop_back();
      if (!result.insert(v).second) continue;
      for (const std::size_t s : links[v]) {
        if (s != without) work.push_back(s);
      }
    }
    return result;
  }
  [[nodiscard]] std::set<std::size_t> unreached(const Links& links, std::size_t from, std::size_t without) const {
    const std::set<std::size_t> with = reached(links, from, without);
    std::set<std::size_t> result;
    for (std::size_t v = 0; v <= size_; ++v) {
      if (with.count(v) == 0) result.insert(v);
    }
    return result;
  }
  [[nodiscard]] bool reaches(std::size_t v, std::size_t goal) const {
    return reached(to_, v, kNoNode).count(goal) != 0;
  }

  template <typename Above>
  [[nodiscard]] std::size_t nearest(const std::set<std::size_t>& set, const Above& above) const {
    std::vector<std::size_t> common;
    for (std::size_t a = 0; a < size_; ++a) {
      if (std::all_of(set.begin(), set.end(), [&](std::size_t v) { return above(a, v); })) common.push_back(a);
    }
    for (const std::size_t a : common) {
      if (std::all_of(common.begin(), common.end(), [&](std::size_t b) { return a == b || above(b, a); })) return a;
    }
    return kOutside;
  }

  void find_loops(const std::set<std::size_t>& nodes, const std::set<std::size_t>& cut) {
    Links inside(size_ + 1), reversed(size_ + 1);
    for (const std::size_t v : nodes) {
      for (const std::size_t s : to_[v]) {
        if (nodes.count(s) == 0 || cut.count(s) != 0) continue;
        inside[v].insert(s);
        reversed[s].insert(v);
      }
    }
    std::set<std::size_t> seen;
    for (const std::size_t v : nodes) {
      if (seen.count(v) != 0) continue;
      std::set<std::size_t> loop;
      const std::set<std::size_t> after = reached(inside, v, kNoNode), before = reached(reversed, v, kNoNode);
      std::set_intersection(after.begin(), after.end(), before.begin(), before.end(), std::inserter(loop, loop.end()));
      seen.insert(loop.begin(), loop.end());
      if (loop.size() == 1 && inside[v].count(v) == 0) continue;
      std::set<std::size_t> entries = cut;
      for (const std::size_t e : loop) {
        if (e == 0 || std::any_of(from_[e].begin(), from_[e].end(), [&](std::size_t p) { return loop.count(p) == 0; }))
          entries.insert(e);
      }
      loops_.push_back(loop);
      find_loops(loop, entries);
    }
  }

  const std::size_t size_;
  Links to_, from_;
  std::vector<std::set<std::size_t>> above_, below_;  // what each node dominates and post-dominates
  std::vector<std::set<std::size_t>> loops_;
};

// The same graph with its nodes but the first in another order.
std::pair<Graph, std::vector<bool>> shuffled(const Graph& g, const std::vector<bool>& exits, std::mt19937& random) {
  Nodes name(g.size());
  for (std::size_t v = 0; v < g.size(); ++v) name[v] = v;
  std::shuffle(name.begin() + 1, name.end(), random);
  std::pair<Graph, std::vector<bool>> result{Graph(g.size()), std::vector<bool>(g.size())};
  for (std::size_t v = 0; v < g.size(); ++v) {
    for (const std::size_t s : g[v]) result.first[name[v]].push_back(name[s]);
    result.second[name[v]] = exits[v];
  }
  return result;
}

// Every node is reached and leaves.
std::pair<Graph, std::vector<bool>> random_graph(std::mt19937& random, std::size_t most) {
  while (true) {
    const std::size_t size = 2 + random() % (most - 1);
    Graph g(size);
    std::vector<bool> exits(size);
    const bool near = random() % 2 == 0;  // edges to neighbours make loops and arms rather than knots
    for (std::size_t v = 0; v < size; ++v) {
      const unsigned edges = v + 1 == size ? random() % 2 : 1 + random() % 5 / 2;
      for (unsigned e = 0; e < edges; ++e) {
        const std::size_t s =
            near ? std::min<std::size_t>(
                       size - 1, static_cast<std::size_t>(std::max<int>(0, static_cast<int>(v + 1 + random() % 5) - 2)))
                 : random() % size;
        if (std::find(g[v].begin(), g[v].end(), s) == g[v].end()) g[v].push_back(s);
      }
      exits[v] = v + 1 == size || (g[v].size() < 2 && random() % 20 == 0);
    }
    const auto all = [&](const Graph& graph, Nodes work) {
      std::vector<bool> seen(size);
      std::size_t count = 0;
      while (!work.empty()) {
        const std::size_t v = work.back();
        work.pop_back();
        if (seen[v]) continue;
        seen[v] = true;
        ++count;
        work.insert(work.end(), graph[v].begin(), graph[v].end());
      }
      return count == size;
    };
    Graph reversed(size);
    Nodes last;
    for (std::size_t v = 0; v < size; ++v) {
      for (const std::size_t s : g[v]) reversed[s].push_back(v);
      if (exits[v]) last.push_back(v);
    }
    if (all(g, {0}) && all(reversed, last)) return shuffled(g, exits, random);
  }
}

// One behind the other.
std::pair<Graph, std::vector<bool>> two_graphs(std::mt19937& random, std::size_t most) {
  auto [g, exits] = random_graph(random, most / 2);
  const auto [second, second_exits] = random_graph(random, most / 2);
  const std::size_t begin = g.size();
  for (std::size_t v = 0; v < begin; ++v) {
    if (exits[v]) g[v].push_back(begin);
    exits[v] = false;
  }
  for (const auto& successors : second) {
    g.emplace_back();
    for (const std::size_t s : successors) g.back().push_back(begin + s);
  }
  exits.insert(exits.end(), second_exits.begin(), second_exits.end());
  return {g, exits};
}

std::string text(const Graph& g, const std::vector<bool>& exits) {
  std::string result;
  for (std::size_t v = 0; v < g.size(); ++v) {
    result += std::to_string(v) + (exits[v] ? "x:" : ":");
    for (const std::size_t s : g[v]) result += " " + std::to_string(s);
    result += "; ";
  }
  return result;
}

TEST(Unstructured, EdgesEqualTheDefinitionOnRandomGraphs) {
  std::mt19937 random(1);
  std::map<std::string, unsigned> seen;
  for (int n = 0; n < 5000; ++n) {
    const auto [g, exits] = random_graph(random, 12);
    const Edges expected = Naive(g, exits).edges();
    ASSERT_EQ(edges_of(find_unstructured(g, exits)), expected) << text(g, exits);
    for (const auto& [edge, conditions] : expected) ++seen[conditions];
    seen["none"] += expected.empty();
  }
  for (const char* conditions : {"1", "2", "3", "12", "13", "23", "none"})
    EXPECT_GT(seen[conditions], 50u) << conditions;
}

// The smallest set of Definition 4 that holds all of `nodes`, found among all sets; there is one that all others hold.
std::set<std::size_t> smallest_region(const Naive& naive, std::size_t size, const std::set<std::size_t>& nodes) {
  std::set<std::size_t> smallest;
  std::vector<std::set<std::size_t>> all;
  for (unsigned bits = 0; bits < 1u << size; ++bits) {
    std::set<std::size_t> set;
    for (std::size_t v = 0; v < size; ++v) {
      if ((bits >> v & 1u) != 0) set.insert(v);
    }
    if (!std::includes(set.begin(), set.end(), nodes.begin(), nodes.end()) || !naive.is_region(set)) continue;
    if (smallest.empty() || set.size() < smallest.size()) smallest = set;
    all.push_back(set);
  }
  for (const auto& set : all) EXPECT_TRUE(std::includes(set.begin(), set.end(), smallest.begin(), smallest.end()));
  return smallest;
}

TEST(Unstructured, RegionsAreTheSmallestSetsOfDefinition4) {
  std::mt19937 random(3);
  unsigned regions = 0, joined = 0, several = 0, larger = 0, open = 0;
  for (int n = 0; n < 6000; ++n) {
    const auto [g, exits] = n % 4 == 0 ? two_graphs(random, 10) : random_graph(random, 4 + n % 7);
    const Unstructured u = find_unstructured(g, exits);
    if (u.edges.empty()) {
      ASSERT_TRUE(u.regions.empty());
      continue;
    }
    const Naive naive(g, exits);
    std::vector<std::set<std::size_t>> expected;
    for (const UnstructuredEdge& e : u.edges) {
      std::set<std::size_t> ends{e.from};
      if (e.to != kOutside) ends.insert(e.to);
      expected.push_back(smallest_region(naive, g.size(), ends));
      const std::set<std::size_t> literal = naive.algorithm_2(ends);
      const bool region = naive.is_region(literal);
      open += !region;
      larger += region && literal != expected.back();
    }
    for (std::size_t a = 0; a < expected.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        std::set<std::size_t> both, united = expected[a];
        std::set_intersection(expected[a].begin(), expected[a].end(), expected[b].begin(), expected[b].end(),
                              std::inserter(both, both.end()));
        if (both.empty()) continue;
        united.insert(expected[b].begin(), expected[b].end());
        const std::set<std::size_t> smallest = smallest_region(naive, g.size(), united);
        joined += both != expected[a] && both != expected[b];
        expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(a));
        expected[b] = smallest;
        a = b = 0;
        break;
      }
    }
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(u.regions.size(), expected.size()) << text(g, exits);
    for (std::size_t r = 0; r < expected.size(); ++r) {
      ASSERT_EQ(u.regions[r].nodes, Nodes(expected[r].begin(), expected[r].end())) << text(g, exits);
      const Naive::Bounds b = naive.bounds(expected[r]);
      ASSERT_EQ(u.regions[r].entry, b.entry);
      ASSERT_EQ(u.regions[r].exit, b.exit);
      ++regions;
    }
    several += expected.size() > 1;
  }
  EXPECT_GT(regions, 1000u);
  EXPECT_GT(several, 2u);
  EXPECT_GT(joined, 20u) << "two regions can share a part, though the paper says that they cannot";
  EXPECT_GT(larger, 20u) << "Algorithm 2 takes in more than it must";
  EXPECT_GT(open, 100u) << "and may miss what leads back in";
}

// A graph of sequences, if, if-else, switch, while, do-while and loops that test in the middle, in place of each node
// of another.
class Pieces {
 public:
  explicit Pieces(std::mt19937& random) : random_(random) {}

  // One function, and where it ends.
  std::size_t function(unsigned depth) { return region(node(), depth); }
  void expand(const Graph& base, const std::vector<bool>& leaves, unsigned depth) {
    Nodes begin, end;
    for (std::size_t v = 0; v < base.size(); ++v) {
      begin.push_back(node());
      end.push_back(random_() % 2 == 0 ? begin.back() : region(begin.back(), depth));
    }
    exits.resize(graph.size());
    for (std::size_t v = 0; v < base.size(); ++v) {
      for (const std::size_t s : base[v]) edge(end[v], begin[s]);
      exits[end[v]] = leaves[v];
    }
  }
  Graph graph;
  std::vector<bool> exits;

 private:
  std::size_t node() {
    graph.emplace_back();
    return graph.size() - 1;
  }
  void edge(std::size_t from, std::size_t to) { graph[from].push_back(to); }

  // Code from `entry` on; returns the node where it ends, which has no successor yet.
  std::size_t region(std::size_t entry, unsigned depth) {
    const unsigned kind = depth == 0 ? 0 : random_() % 8;
    if (kind == 0) return entry;
    if (kind == 1) return region(region(entry, depth - 1), depth - 1);
    if (kind == 5) {  // do-while
      const std::size_t header = node();
      edge(entry, header);
      const std::size_t last = region(header, depth - 1), behind = node();
      edge(last, header);
      edge(last, behind);
      return behind;
    }
    const std::size_t after = node();
    if (kind == 2) {  // if
      const std::size_t side = node();
      edge(entry, side);
      edge(entry, after);
      edge(region(side, depth - 1), after);
    } else if (kind == 3 || kind == 4) {  // if-else, switch
      const unsigned arms = kind == 3 ? 2 : 3 + random_() % 3;
      for (unsigned n = 0; n < arms; ++n) {
        const std::size_t side = node();
        edge(entry, side);
        edge(region(side, depth - 1), after);
      }
    } else {  // while, or a loop that tests in the middle
      const std::size_t header = node(), body = node();
      edge(entry, header);
      const std::size_t test = kind == 6 ? header : region(header, depth - 1);
      edge(test, body);
      edge(test, after);
      edge(region(body, depth - 1), header);
    }
    return after;
  }

  std::mt19937& random_;
};

TEST(Unstructured, NothingInGraphsMadeOfStructuredPieces) {
  std::mt19937 random(4);
  std::size_t nodes = 0;
  for (int n = 0; n < 2000; ++n) {
    Pieces pieces(random);
    pieces.function(1 + random() % 6);
    nodes += pieces.graph.size();
    const Unstructured u = look(pieces.graph);
    ASSERT_TRUE(u.edges.empty() && u.regions.empty() && u.missed.empty()) << text(pieces.graph, ends_of(pieces.graph));
  }
  EXPECT_GT(nodes, 20000u);
}

TEST(Unstructured, OneMoreEdgeInAStructuredGraphIsFound) {
  std::mt19937 random(5);
  unsigned harmless = 0, marked = 0, missed = 0;
  for (int n = 0; n < 4000; ++n) {
    Pieces pieces(random);
    pieces.function(1 + random() % 3);
    Graph& g = pieces.graph;
    if (g.size() < 3) continue;
    const std::vector<bool> exits = ends_of(g);
    const std::size_t from = random() % g.size(), to = random() % g.size();
    if (exits[from] || std::find(g[from].begin(), g[from].end(), to) != g[from].end()) continue;
    g[from].push_back(to);
    const Unstructured u = find_unstructured(g, exits);
    ASSERT_EQ(u.structured(), Naive(g, exits).made_of_pieces(random)) << text(g, exits);
    ++(u.structured() ? harmless : u.edges.empty() ? missed : marked);
  }
  EXPECT_GT(marked, 800u);
  EXPECT_GT(harmless, 100u);
  EXPECT_GT(missed, 20u);
}

// Parts by Definition 5: every pair of an entry and an exit, and what lies between.
TEST(Unstructured, PartsAreTheLargestOfDefinition5) {
  std::mt19937 random(6);
  unsigned parts = 0;
  for (int n = 0; n < 1500; ++n) {
    const auto [base, leaves] = random_graph(random, 7);
    Pieces pieces(random);
    pieces.expand(base, leaves, 2);
    const Graph& g = pieces.graph;
    const std::vector<bool>& exits = pieces.exits;
    if (g.size() > 24) continue;
    const Unstructured u = find_unstructured(g, exits);
    if (u.regions.empty()) continue;
    const Naive naive(g, exits);
    const Edges bad = naive.edges();
    for (const UnstructuredRegion& r : u.regions) {
      std::vector<std::set<std::size_t>> valid;
      for (const std::size_t entry : r.nodes) {
        for (const std::size_t exit : r.nodes) {
          if (entry == exit || !naive.dominates(entry, exit) || !naive.post_dominates(exit, entry)) continue;
          const std::set<std::size_t> set = naive.between(entry, exit);
          const bool inside = std::includes(r.nodes.begin(), r.nodes.end(), set.begin(), set.end());
          const bool good =
              inside &&
              std::all_of(set.begin(), set.end(),
                          [&](std::size_t v) { return naive.dominates(entry, v) && naive.post_dominates(exit, v); }) &&
              std::none_of(bad.begin(), bad.end(), [&](const auto& e) {
                return set.count(e.first.first) != 0 && set.count(e.first.second) != 0;
              });
          if (good) valid.push_back(set);
        }
      }
      std::set<Nodes> largest, found;
      for (const auto& set : valid) {
        const bool inner = std::any_of(valid.begin(), valid.end(), [&](const auto& other) {
          return other.size() > set.size() && std::includes(other.begin(), other.end(), set.begin(), set.end());
        });
        if (!inner) largest.emplace(set.begin(), set.end());
      }
      for (const StructuredPart& part : r.parts) {
        found.insert(part.nodes);
        const std::set<std::size_t> set = naive.between(part.entry, part.exit);
        ASSERT_EQ(part.nodes, Nodes(set.begin(), set.end())) << text(g, exits);
        ++parts;
      }
      ASSERT_EQ(found, largest) << text(g, exits);
    }
  }
  EXPECT_GT(parts, 300u);
}

// Both ways of collapsing agree, and what has an unstructured edge does not collapse. The reverse does not hold:
// Definition 1 is not complete, whatever the paper says (`missed`, and the graphs below).
TEST(Unstructured, AnUnstructuredEdgeKeepsAGraphFromCollapsing) {
  std::mt19937 random(2);
  unsigned with = 0, without = 0, missed = 0;
  for (int n = 0; n < 20000; ++n) {
    const auto [g, exits] = random_graph(random, 9);
    const Unstructured u = find_unstructured(g, exits);
    ASSERT_EQ(u.structured(), Naive(g, exits).made_of_pieces(random)) << text(g, exits);
    ++(u.structured() ? without : u.edges.empty() ? missed : with);
  }
  EXPECT_GT(with, 5000u);
  EXPECT_GT(without, 10000u);
  EXPECT_GT(missed, 200u);
}

void expect_only_missed(const Graph& g, const Nodes& missed) {
  const Unstructured u = look(g);
  EXPECT_TRUE(u.edges.empty());
  EXPECT_EQ(u.missed, missed);
}

TEST(Unstructured, Definition1MissesAJumpPastAJoinWithABlockOnTheWay) {
  // if (a) { if (b) goto end; S; } T; end: the edge that crosses begins in S, which has one successor
  expect_only_missed({{1, 3}, {2, 4}, {3}, {4}, {}}, {0, 1, 3, 4});
  // Without S it begins at the branch.
  EXPECT_EQ(edges_of(look({{1, 2}, {2, 3}, {3}, {}})), (Edges{{{1, 2}, "1"}}));
}

TEST(Unstructured, Definition1MissesTheOnlyBreakOfALoopInAnArm) {
  // for (;;) { if (a) { if (b) break; } T; }: round the loop, the break post-dominates everything
  expect_only_missed({{1}, {2, 3}, {3, 4}, {1}, {}}, {1, 2, 3});
}

TEST(Unstructured, Definition1MissesASwitchThatFallsThrough) {
  expect_only_missed({{1, 2, 3}, {2}, {3}, {}}, {0, 2, 3});
}

TEST(Unstructured, WhatIsMissedIsFoundBesideARegion) {
  // if (0 || 1) 2; then the jump past a join, 3 to 7
  const Unstructured u = look({{2, 1}, {2, 3}, {3}, {4, 6}, {5, 7}, {6}, {7}, {}});
  EXPECT_EQ(edges_of(u), (Edges{{{1, 2}, "1"}}));
  EXPECT_EQ(u.missed, (Nodes{0, 4, 6, 7})) << "0 stands for the sequence of 0, the region and 3";
  EXPECT_FALSE(u.structured());
  // With an if behind it, the region is all there is.
  EXPECT_TRUE(look({{2, 1}, {2, 3}, {3}, {4, 5}, {5}, {}}).missed.empty());
}

TEST(Unstructured, RegionsThatShareAPartAreOne) {
  // A loop 1, 2, 3 with a break to 4; if-else 4, 5, 6; a loop 7, 8, 9 with a break to 10. The first region ends before
  // 7, the second begins behind 4, and both hold 5 and 6.
  const Graph g = {{1}, {2, 4}, {3, 4}, {1}, {5, 6}, {7}, {7}, {8, 10}, {9, 10}, {7}, {11}, {}};
  const Naive naive(g, ends_of(g));
  EXPECT_EQ(smallest_region(naive, g.size(), {2, 4}), (std::set<std::size_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(smallest_region(naive, g.size(), {8, 10}), (std::set<std::size_t>{5, 6, 7, 8, 9, 10}));
  const Unstructured u = look(g);
  ASSERT_EQ(u.regions.size(), 1u);
  expect_region(u.regions[0], 0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 11);
}

TEST(Unstructured, ARegionInsideAnotherIsPartOfIt) {
  // if (0 || 5) { if (4 || 1) 2; 3 } 6: the inner one is found first
  const Unstructured u = look({{5, 4}, {2, 3}, {3}, {6}, {1, 2}, {4, 6}, {}});
  EXPECT_EQ(edges_of(u), (Edges{{{1, 2}, "1"}, {{5, 4}, "1"}}));
  ASSERT_EQ(u.regions.size(), 1u);
  expect_region(u.regions[0], 0, {1, 2, 3, 4, 5}, 6);
}

TEST(Unstructured, LoopsBesideARegionStayOutOfIt) {
  // while 1, 2; if (3 || 4) 5; while 6, 7; again 8 || 9, 10 inside a loop 0..11
  const Graph g = {{1}, {2, 3}, {1}, {4, 5}, {5, 6}, {6}, {7, 8}, {6}, {9, 10}, {10, 11}, {11}, {0, 12}, {}};
  const Unstructured u = look(g);
  EXPECT_EQ(edges_of(u), (Edges{{{4, 5}, "1"}, {{9, 10}, "1"}}));
  ASSERT_EQ(u.regions.size(), 2u);
  expect_region(u.regions[0], 3, {4, 5}, 6);
  expect_region(u.regions[1], 8, {9, 10}, 11);
  // To the letter, Algorithm 2 takes in whatever goes round the outer loop to its exit.
  EXPECT_GT(Naive(g, ends_of(g)).algorithm_2({4, 5}).size(), 2u);
}

TEST(Unstructured, NestedStructureIsOnePart) {
  // if (1 || 2) { if (3) { if (4) 5 } else 6; 7 } 8
  const Graph g = {{1}, {2, 3}, {3, 8}, {4, 6}, {5, 7}, {7}, {7}, {8}, {}};
  const Unstructured u = look(g);
  EXPECT_EQ(edges_of(u), (Edges{{{2, 3}, "1"}}));
  ASSERT_EQ(u.regions.size(), 1u);
  ASSERT_EQ(u.regions[0].parts.size(), 1u);
  EXPECT_EQ(u.regions[0].parts[0].entry, 3u);
  EXPECT_EQ(u.regions[0].parts[0].nodes, (Nodes{3, 4, 5, 6, 7})) << "though 3 is not the immediate dominator of 5";
  EXPECT_EQ(u.regions[0].parts[0].exit, 7u);
}

TEST(Unstructured, ThreadsThatEndAreNoWayOut) {
  // if (a || b) trap(); c: an edge to the trap is no edge, unless threads always end
  const Graph g = {{2, 1}, {2, 3}, {}, {}};
  EXPECT_TRUE(find_unstructured(g, {false, false, false, true}).structured());
  EXPECT_EQ(edges_of(find_unstructured(g, {false, false, true, true})), (Edges{{{1, 2}, "1"}}));
  EXPECT_EQ(edges_of(find_unstructured(g, {false, false, false, false})), (Edges{{{1, 2}, "1"}}));
}

TEST(Unstructured, EndlessLoopsAreLeftWhereTheyAreEntered) {
  const std::vector<bool> never(6);
  EXPECT_TRUE(find_unstructured({{1}, {2, 3}, {4}, {4}, {1}, {}}, never).structured());
  EXPECT_EQ(edges_of(find_unstructured({{1}, {2, 4}, {3, 4}, {5}, {5}, {1}}, never)), (Edges{{{2, 4}, "1"}}));
}

TEST(Unstructured, ABranchOutOfTheFunctionIsAnEdgeOfItsLoop) {
  // 2 goes on or leaves the function; the loop also ends at 1
  const Unstructured u = find_unstructured({{1}, {2, 3}, {1}, {}}, {false, false, true, true});
  EXPECT_EQ(edges_of(u), (Edges{{{1, 3}, "3"}, {{2, kOutside}, "3"}}));
  ASSERT_EQ(u.regions.size(), 1u);
  expect_region(u.regions[0], 0, {1, 2, 3}, kOutside);
}

TEST(Unstructured, UnreachedNodesDoNotDisturb) {
  EXPECT_TRUE(look({{1, 2}, {3}, {3}, {}, {1, 2}}).structured());
  EXPECT_TRUE(find_unstructured({}, {}).structured());
}

double seconds_of(const Graph& g) {
  const std::clock_t begin = std::clock();
  const Unstructured u = look(g);
  EXPECT_FALSE(u.structured());
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(Unstructured, TenThousandBlocksTakeLessThanTwoSeconds) {
  constexpr std::size_t kSize = 10000;
  std::map<std::string, Graph> graphs;
  Graph loops(kSize), breaks(kSize), ladder(kSize), ifs(kSize), bound(kSize), knot(kSize), sequence(kSize);
  std::mt19937 random(8);
  for (std::size_t v = 0; v + 1 < kSize; ++v) {
    const std::size_t other = kSize - 1 - v, last = kSize - 1;
    const auto add = [&](Graph& g, std::size_t to) {
      if (std::find(g[v].begin(), g[v].end(), to) == g[v].end()) g[v].push_back(to);
    };
    for (Graph* g : {&loops, &breaks, &ladder, &ifs, &bound, &knot, &sequence}) add(*g, v + 1);
    if (v >= kSize / 2) add(loops, other);  // loops around loops, with a jump across
    if (v == 3 * kSize / 4) add(loops, last);
    if (v >= kSize / 2) add(breaks, other);  // each of which is left to the end from its middle
    if (v % 7 == 3) add(breaks, last);
    add(ladder, std::min(last, v + 2));           // a region that all edges find piece by piece
    if (v > 1 && v < kSize / 2) add(ifs, other);  // ifs around ifs, in a region
    if (v == 0 || v == 1) add(ifs, last - 1 + v);
    add(bound, v % 2 == 0 ? v + 1 : v / 2);  // loops with one header after the other
    for (int n = 0; n < 2; ++n) add(knot, random() % kSize);
    if (v % 4 < 2) add(sequence, std::min(last, v / 4 * 4 + (v % 4 == 0 ? 2 : 3)));  // many small regions
  }
  graphs = {{"loops", loops}, {"breaks", breaks}, {"ladder", ladder},    {"ifs", ifs},
            {"bound", bound}, {"knot", knot},     {"sequence", sequence}};
  for (const auto& [name, g] : graphs) {
    const double seconds = seconds_of(g);
    EXPECT_LT(seconds, 2.0) << name;
  }
}

}  // namespace
}  // namespace heddle
