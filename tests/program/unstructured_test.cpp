// SPDX-License-Identifier: Apache-2.0
// Unstructured edges, regions and structured parts: the paper's figures, graphs made of structured pieces, and small random graphs
// against the definitions followed set by set.
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

std::vector<bool> leaving(std::size_t size, const Nodes& exits) {
  std::vector<bool> result(size);
  for (const std::size_t e : exits) result[e] = true;
  return result;
}

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
    result[{e.from, e.to}] = std::string(e.crosses ? "1" : "") + (e.enters_loop ? "2" : "") + (e.leaves_loop ? "3" : "");
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
  EXPECT_EQ(u.left, 0u);
}

// ---- The figures. Nodes have the numbers of the blocks, B1 first: node 0 is the entry.

TEST(PaperFigure, ShortCircuit1) {
  const Graph g = {{1}, {2, 3}, {3, 5}, {4, 5}, {6}, {6}, {}};
  const Unstructured u = look(g);
  EXPECT_EQ(edges_of(u), (Edges{{{2, 3}, "1"}, {{2, 5}, "1"}, {{3, 5}, "1"}}));
  ASSERT_EQ(u.regions.size(), 1u);
  expect_region(u.regions[0], 1, {2, 3, 4, 5}, 6);
  EXPECT_TRUE(u.regions[0].parts.empty());
  EXPECT_GT(u.left, 0u);
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

TEST(PaperFigure, NestedIfs3) {
  expect_structured({{1}, {2, 3}, {4, 5}, {10}, {6, 7}, {9}, {8}, {8}, {9}, {10}, {}});
}

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

}  // namespace
}  // namespace heddle
