// SPDX-License-Identifier: Apache-2.0
#include "program/graph.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <queue>
#include <utility>

#include "program/graph_parts.h"

namespace heddle {

using namespace graph_parts;

namespace {

std::vector<bool> reaching(const Successors& successors, const std::vector<bool>& goals) {
  const Lists predecessors = predecessors_of(successors, std::vector<bool>(successors.size(), true));
  std::vector<bool> result = goals;
  std::vector<std::size_t> work;
  for (std::size_t v = 0; v < goals.size(); ++v) {
    if (goals[v]) work.push_back(v);
  }
  while (!work.empty()) {
    const std::size_t v = work.back();
    work.pop_back();
    for (const Node p : predecessors[v]) {
      if (result[p]) continue;
      result[p] = true;
      work.push_back(p);
    }
  }
  return result;
}

}  // namespace

// Lengauer and Tarjan's algorithm with simple path compression.
std::vector<std::size_t> immediate_dominators(const Successors& successors) {
  const std::size_t size = successors.size();
  std::vector<std::size_t> result(size, kNoNode);
  if (size == 0) return result;

  // Nodes are called by their number in a depth-first search from here on.
  std::vector<Node> number(size, kNone), node, parent;
  std::vector<std::pair<std::size_t, std::size_t>> path;  // node, next successor
  const auto enter = [&](std::size_t v, Node from) {
    number[v] = static_cast<Node>(node.size());
    node.push_back(static_cast<Node>(v));
    parent.push_back(from);
    path.emplace_back(v, 0);
  };
  enter(0, kNone);
  while (!path.empty()) {
    auto& [v, next] = path.back();
    if (next == successors[v].size()) {
      path.pop_back();
      continue;
    }
    const std::size_t s = successors[v][next++];
    if (number[s] == kNone) enter(s, number[v]);
  }
  const auto reached = static_cast<Node>(node.size());
  const Lists predecessors(reached, [&](const auto& add) {
    for (Node v = 0; v < reached; ++v) {
      for (const std::size_t s : successors[node[v]]) add(number[s], v);
    }
  });

  std::vector<Node> semi(reached), best(reached), ancestor(reached, kNone), dominator(reached, kNone);
  std::vector<Node> first_in_bucket(reached, kNone), next_in_bucket(reached, kNone), chain;
  for (Node v = 0; v < reached; ++v) semi[v] = best[v] = v;
  const auto evaluate = [&](Node v) {
    if (ancestor[v] == kNone) return v;
    for (Node u = v; ancestor[ancestor[u]] != kNone; u = ancestor[u]) chain.push_back(u);
    while (!chain.empty()) {
      const Node u = chain.back(), a = ancestor[u];
      chain.pop_back();
      if (semi[best[a]] < semi[best[u]]) best[u] = best[a];
      ancestor[u] = ancestor[a];
    }
    return best[v];
  };
  for (Node v = reached; v-- > 1;) {
    for (const Node p : predecessors[v]) semi[v] = std::min(semi[v], semi[evaluate(p)]);
    next_in_bucket[v] = first_in_bucket[semi[v]];
    first_in_bucket[semi[v]] = v;
    ancestor[v] = parent[v];
    for (Node u = first_in_bucket[parent[v]]; u != kNone; u = next_in_bucket[u]) {
      const Node least = evaluate(u);
      dominator[u] = semi[least] < semi[u] ? least : parent[v];
    }
    first_in_bucket[parent[v]] = kNone;
  }
  for (Node v = 1; v < reached; ++v) {
    if (dominator[v] != semi[v]) dominator[v] = dominator[dominator[v]];
    result[node[v]] = node[dominator[v]];
  }
  return result;
}

std::vector<std::size_t> immediate_post_dominators(const Successors& successors, const std::vector<bool>& exits) {
  // The reversed graph with the outside as node 0 and node v as v + 1. Nodes that never leave are not reached in it.
  const std::size_t size = successors.size();
  Successors reversed(size + 1);
  for (std::size_t v = 0; v < size; ++v) {
    if (exits[v]) reversed[0].push_back(v + 1);
    for (const std::size_t s : successors[v]) reversed[s + 1].push_back(v + 1);
  }
  const std::vector<std::size_t> dominators = immediate_dominators(reversed);
  std::vector<std::size_t> result(size, kNoNode);
  for (std::size_t v = 0; v < size; ++v) {
    const std::size_t d = dominators[v + 1];
    if (d != kNoNode && d != 0) result[v] = d - 1;
  }
  return result;
}

namespace {

// The nodes v from which one of `marked` is reached before the immediate post-dominator of v: the iterated
// post-dominance frontier of `marked`, by the algorithm of Sreedhar and Gao. Only nodes that can leave count.
std::vector<bool> crossing(const Successors& successors, const std::vector<std::size_t>& post,
                           const std::vector<bool>& leaving, const std::vector<bool>& marked) {
  const std::size_t size = successors.size();
  std::vector<Node> parents(size, kNone);
  for (std::size_t v = 0; v < size; ++v) {
    if (post[v] != kNoNode) parents[v] = static_cast<Node>(post[v]);
  }
  const Forest tree(parents, leaving);
  const Lists predecessors = predecessors_of(successors, leaving);
  std::vector<std::vector<Node>> waiting(size + 1);  // by depth
  for (std::size_t v = 0; v < size; ++v) {
    if (leaving[v] && marked[v]) waiting[tree.depth[v]].push_back(static_cast<Node>(v));
  }
  std::vector<bool> result(size), visited(size);
  for (std::size_t depth = size + 1; depth-- > 0;) {
    while (!waiting[depth].empty()) {
      const Node root = waiting[depth].back();
      waiting[depth].pop_back();
      // The part of the root's subtree that no deeper root has visited; a visited node's subtree is visited.
      for (Node n = tree.pre[root]; n < tree.last[root];) {
        const Node y = tree.order[n];
        if (visited[y]) {
          n = tree.last[y];
          continue;
        }
        visited[y] = true;
        for (const Node z : predecessors[y]) {
          if (parents[z] == y || tree.depth[z] > depth || result[z]) continue;
          result[z] = true;
          if (!marked[z]) waiting[tree.depth[z]].push_back(z);
        }
        ++n;
      }
    }
  }
  return result;
}

}  // namespace

std::vector<std::size_t> meeting_points(const Successors& successors, const std::vector<bool>& exits,
                                        const std::vector<bool>& barriers) {
  const std::size_t size = successors.size();
  const std::vector<std::size_t> post = immediate_post_dominators(successors, exits);
  const std::vector<bool> leaving = reaching(successors, exits);
  std::vector<std::size_t> result = post;
  for (std::size_t v = 0; v < size; ++v) {
    if (post[v] == kNoNode && leaving[v]) result[v] = kOutside;
  }
  if (std::find(barriers.begin(), barriers.end(), true) == barriers.end()) return result;

  // Every barrier is a sink: its node's second half, with the same number, is entered by nobody.
  const std::vector<bool> to_barrier = reaching(successors, barriers);
  std::vector<std::size_t> sink(size, kNoNode), barrier_of;
  Successors first(size);
  for (std::size_t v = 0; v < size; ++v) {
    if (!barriers[v]) continue;
    sink[v] = first.size();
    barrier_of.push_back(v);
    first.emplace_back();
  }
  std::vector<bool> ends(first.size());
  std::fill(ends.begin() + static_cast<std::ptrdiff_t>(size), ends.end(), true);
  for (std::size_t v = 0; v < size; ++v) {
    for (const std::size_t s : successors[v]) {
      if (to_barrier[s]) first[v].push_back(barriers[s] ? sink[s] : s);
    }
  }
  const std::vector<std::size_t> before_barrier = immediate_post_dominators(first, ends);
  const std::vector<bool> crosses = crossing(successors, post, leaving, barriers);
  for (std::size_t v = 0; v < size; ++v) {
    if (leaving[v] ? !crosses[v] : first[v].empty()) continue;
    const std::size_t meets = before_barrier[v];
    result[v] = meets != kNoNode && meets >= size ? barrier_of[meets - size] : meets;
  }
  return result;
}

namespace {

// Natural loops, one a header, as a forest by inclusion; node `outside()` is above all of them.
class LoopForest {
 public:
  LoopForest(std::size_t size, const Forest& dominators, const Lists& predecessors,
             const std::vector<std::vector<Node>>& latches)
      : inner_(size, kNone),
        parent_(size + 1, kNone),
        jump_(size + 1, kNone),
        depth_(size + 1),
        exits_(size + 1),
        bad_(size + 1) {
    std::vector<Node> joined(size);  // the outermost loop found so far that holds the node, or the node itself
    for (Node v = 0; v < size; ++v) joined[v] = v;
    const auto outermost = [&](Node v) {
      Node root = v;
      while (joined[root] != root) root = joined[root];
      while (joined[v] != root) v = std::exchange(joined[v], root);
      return root;
    };
    std::vector<Node> headers, work;
    for (std::size_t n = dominators.order.size(); n-- > 0;) {  // inner headers first
      const Node h = dominators.order[n];
      if (latches[h].empty()) continue;
      headers.push_back(h);
      inner_[h] = h;
      work = latches[h];
      while (!work.empty()) {
        const Node v = outermost(work.back());
        work.pop_back();
        if (v == h) continue;
        joined[v] = h;
        (inner_[v] == v ? parent_[v] : inner_[v]) = h;
        work.insert(work.end(), predecessors[v].begin(), predecessors[v].end());
      }
    }
    std::reverse(headers.begin(), headers.end());
    headers_ = std::move(headers);
    jump_[outside()] = outside();
    for (const Node h : headers_) {  // outer loops first
      Node& p = parent_[h];
      if (p == kNone) p = outside();
      depth_[h] = depth_[p] + 1;
      const Node j = jump_[p];
      jump_[h] = depth_[p] - depth_[j] == depth_[j] - depth_[jump_[j]] ? jump_[j] : p;
    }
  }
  [[nodiscard]] Node outside() const { return static_cast<Node>(inner_.size()); }
  [[nodiscard]] Node innermost(std::size_t v) const { return inner_[v] == kNone ? outside() : inner_[v]; }

  // The innermost loop that holds both nodes.
  [[nodiscard]] Node common(std::size_t v, std::size_t w) const {
    Node a = innermost(v), b = innermost(w);
    if (depth_[a] > depth_[b]) std::swap(a, b);
    while (depth_[b] > depth_[a]) b = depth_[jump_[b]] >= depth_[a] ? jump_[b] : parent_[b];
    while (a != b) {
      const bool far = jump_[a] != jump_[b];
      a = far ? jump_[a] : parent_[a];
      b = far ? jump_[b] : parent_[b];
    }
    return a;
  }
  // All loops that hold v, up to `from` exclusive, have one exit more.
  void count_exit(std::size_t v, Node from) {
    ++exits_[innermost(v)];
    --exits_[from];
  }
  void counted() {
    for (std::size_t n = headers_.size(); n-- > 0;) exits_[parent_[headers_[n]]] += exits_[headers_[n]];
    for (const Node h : headers_) bad_[h] = bad_[parent_[h]] + (exits_[h] != 1);
  }
  // Have all loops that hold v, up to `from` exclusive, one exit?
  [[nodiscard]] bool one_exit(std::size_t v, Node from) const { return bad_[innermost(v)] == bad_[from]; }

 private:
  std::vector<Node> inner_;          // by node: header of the innermost loop
  std::vector<Node> parent_, jump_;  // by header: the next loop around it, and one further out
  std::vector<Node> depth_;
  std::vector<std::int64_t> exits_;
  std::vector<Node> bad_;      // loops around, and itself, that have not one exit
  std::vector<Node> headers_;  // outer ones first
};

// Minimum over a range of positions.
class RangeMinimum {
 public:
  explicit RangeMinimum(const std::vector<Node>& values) : size_(values.size()), tree_(2 * values.size(), kNone) {
    std::copy(values.begin(), values.end(), tree_.begin() + static_cast<std::ptrdiff_t>(size_));
    for (std::size_t n = size_; n-- > 1;) tree_[n] = std::min(tree_[2 * n], tree_[2 * n + 1]);
  }
  [[nodiscard]] Node operator()(std::size_t begin, std::size_t end) const {
    Node result = kNone;
    for (begin += size_, end += size_; begin < end; begin /= 2, end /= 2) {
      if (begin % 2 != 0) result = std::min(result, tree_[begin++]);
      if (end % 2 != 0) result = std::min(result, tree_[--end]);
    }
    return result;
  }

 private:
  std::size_t size_;
  std::vector<Node> tree_;
};

// Are the sides of a branch apart? A side that begins at s is what forward edges reach from s without passing the
// reconvergence point R. It is apart from everything else exactly if it is the subtree of s in the dominator tree
// without that of R: s is entered from the branch only, no forward edge leaves that part but to R, and none enters it
// from the subtree of R. The level of an edge is the depth of its target's dominator: it leaves the subtrees of all
// nodes of a greater depth.
class Sides {
 public:
  Sides(const std::vector<Node>& parents, const Forest& dominators, const Successors& forward,
        const std::vector<Node>& incoming, const std::vector<bool>& ordered)
      : tree_(dominators),
        incoming_(incoming),
        lowest_(parents.size()),
        reenters_(parents.size(), -1),
        unordered_(dominators.order.size() + 1),
        least_(least_levels(parents, dominators, forward)) {
    const auto level = [&](Node target) { return tree_.depth[parents[target]]; };
    std::vector<std::priority_queue<Node>> levels(parents.size());  // of edges that leave the subtree
    for (std::size_t n = tree_.order.size(); n-- > 0;) {
      const Node v = tree_.order[n];
      auto& leaving = levels[v];
      for (const std::size_t s : forward[v]) {
        lowest_[v].add({level(static_cast<Node>(s)), static_cast<Node>(s)});
        leaving.push(level(static_cast<Node>(s)));
      }
      while (!leaving.empty() && leaving.top() >= tree_.depth[v]) leaving.pop();
      if (!leaving.empty()) reenters_[v] = leaving.top();
      const Node p = parents[v];
      if (p == kNone) continue;
      for (const Edge& e : lowest_[v].edges) lowest_[p].add(e);
      if (levels[p].size() < leaving.size()) std::swap(levels[p], leaving);
      for (; !leaving.empty(); leaving.pop()) levels[p].push(leaving.top());
    }
    for (std::size_t n = 0; n < tree_.order.size(); ++n) unordered_[n + 1] = unordered_[n] + !ordered[tree_.order[n]];
  }

  [[nodiscard]] bool apart(Node s, Node r) const {
    if (s == r) return true;
    if (incoming_[s] != 1) return false;
    const Node depth = tree_.depth[s], begin = tree_.pre[s], end = tree_.last[s];
    if (!tree_.above(s, r)) {
      if (unordered_[end] != unordered_[begin]) return false;
      for (const Edge& e : lowest_[s].edges) {
        if (e.target != kNone && e.target != r && e.level < depth) return false;
      }
      return true;
    }
    const Node r_begin = tree_.pre[r], r_end = tree_.last[r];
    if (unordered_[end] - unordered_[r_end] + unordered_[r_begin] - unordered_[begin] != 0) return false;
    if (std::min(least_(begin, r_begin), least_(r_end, end)) < depth) return false;
    return reenters_[r] < static_cast<std::int64_t>(depth);
  }

 private:
  struct Edge {
    Node level = kNone, target = kNone;
  };
  struct Lowest {  // the two edges of the lowest level to different targets
    std::array<Edge, 2> edges;
    void add(Edge e) {
      if (e.target == edges[0].target || e.target == edges[1].target) return;  // a target has one level
      if (e.level < edges[0].level) std::swap(e, edges[0]);
      if (e.level < edges[1].level) edges[1] = e;
    }
  };
  static std::vector<Node> least_levels(const std::vector<Node>& parents, const Forest& tree,
                                        const Successors& forward) {
    std::vector<Node> result(tree.order.size(), kNone);
    for (std::size_t n = 0; n < result.size(); ++n) {
      for (const std::size_t s : forward[tree.order[n]]) result[n] = std::min(result[n], tree.depth[parents[s]]);
    }
    return result;
  }

  const Forest& tree_;
  const std::vector<Node>& incoming_;
  std::vector<Lowest> lowest_;          // of the edges from each subtree
  std::vector<std::int64_t> reenters_;  // deepest level of an edge that leaves the subtree, or -1
  std::vector<std::size_t> unordered_;  // up to each preorder number
  RangeMinimum least_;                  // level of an edge by its source's preorder number
};

}  // namespace

Structure find_structure(const Successors& successors, const std::vector<bool>& exits) {
  const std::size_t size = successors.size();
  Structure result{std::vector<bool>(size), std::vector<bool>(size), false};
  if (size == 0) return result;
  const std::vector<std::size_t> post = immediate_post_dominators(successors, exits);
  const std::vector<std::size_t> dominator = immediate_dominators(successors);
  std::vector<Node> parents(size, kNone);
  std::vector<bool> reachable(size);
  for (std::size_t v = 0; v < size; ++v) {
    reachable[v] = v == 0 || dominator[v] != kNoNode;
    if (dominator[v] != kNoNode) parents[v] = static_cast<Node>(dominator[v]);
  }
  const Forest dominators(parents, reachable);

  const Lists predecessors = predecessors_of(successors, reachable);
  Successors forward(size);                      // without back edges
  std::vector<std::vector<Node>> latches(size);  // sources of the back edges to a header
  std::vector<Node> incoming(size);              // forward edges
  for (std::size_t v = 0; v < size; ++v) {
    if (!reachable[v]) continue;
    for (const std::size_t s : successors[v]) {
      if (dominators.above(static_cast<Node>(s), static_cast<Node>(v))) {
        latches[s].push_back(static_cast<Node>(v));
      } else {
        forward[v].push_back(s);
        ++incoming[s];
      }
    }
  }

  LoopForest loops(size, dominators, predecessors, latches);
  for (std::size_t v = 0; v < size; ++v) {
    if (!reachable[v]) continue;
    for (const std::size_t s : successors[v]) loops.count_exit(v, loops.common(v, s));
    if (exits[v]) loops.count_exit(v, loops.outside());
  }
  loops.counted();

  // What the back edges leave must be acyclic; a cycle that remains has several entries.
  std::vector<Node> left = incoming;
  std::vector<std::size_t> ready;
  std::vector<bool> ordered(size);
  for (std::size_t v = 0; v < size; ++v) {
    if (left[v] == 0) ready.push_back(v);
  }
  while (!ready.empty()) {
    const std::size_t v = ready.back();
    ready.pop_back();
    ordered[v] = true;
    for (const std::size_t s : forward[v]) {
      if (--left[s] == 0) ready.push_back(s);
    }
  }
  result.irreducible = std::find(ordered.begin(), ordered.end(), false) != ordered.end();

  const Sides sides(parents, dominators, forward, incoming, ordered);
  for (std::size_t b = 0; b < size; ++b) {
    if (successors[b].size() < 2 || !reachable[b]) continue;
    bool structured = post[b] != kNoNode && ordered[b];
    for (const std::size_t s : successors[b]) {
      const Node common = loops.common(b, s);
      if (common == loops.innermost(b)) continue;
      result.loop_exit[b] = true;
      structured = structured && loops.one_exit(b, common);
    }
    for (std::size_t n = 0; structured && n < forward[b].size(); ++n) {
      structured = sides.apart(static_cast<Node>(forward[b][n]), static_cast<Node>(post[b]));
    }
    result.structured[b] = structured;
  }
  return result;
}

}  // namespace heddle
