// SPDX-License-Identifier: Apache-2.0
#include "program/unstructured.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "program/graph_parts.h"

namespace heddle {

using namespace graph_parts;

namespace {

// Strongly connected sets among the nodes whose `part` equals that of the given ones, edges to `cut` nodes left out.
// Calls `each(nodes)` for every set.
class Components {
 public:
  explicit Components(const Successors& successors)
      : successors_(successors),
        number_(successors.size(), kNone),
        low_(successors.size()) {}

  template <typename Each>
  void find(const std::vector<Node>& nodes, const std::vector<Node>& part, const std::vector<bool>& cut,
            const Each& each) {
    for (const Node v : nodes) number_[v] = kNone;
    Node count = 0;
    std::vector<Node> stack;
    std::vector<std::pair<Node, std::size_t>> path;  // node, next successor
    std::vector<std::vector<Node>> found;
    const auto enter = [&](Node v) {
      number_[v] = low_[v] = count++;
      stack.push_back(v);
      path.emplace_back(v, 0);
    };
    for (const Node root : nodes) {
      if (number_[root] != kNone) continue;
      enter(root);
      while (!path.empty()) {
        auto& [v, next] = path.back();
        if (next < successors_[v].size()) {
          const auto s = static_cast<Node>(successors_[v][next++]);
          if (part[s] != part[v] || cut[s]) continue;
          if (number_[s] == kNone) {
            enter(s);
          } else if (number_[s] != kDone) {
            low_[v] = std::min(low_[v], number_[s]);
          }
          continue;
        }
        const Node done = v;
        path.pop_back();
        if (!path.empty()) low_[path.back().first] = std::min(low_[path.back().first], low_[done]);
        if (low_[done] != number_[done]) continue;
        found.emplace_back();
        for (bool last = false; !last;) {
          const Node member = stack.back();
          stack.pop_back();
          last = member == done;
          number_[member] = kDone;
          found.back().push_back(member);
        }
      }
    }
    for (const std::vector<Node>& component : found) each(component);
  }

 private:
  static constexpr Node kDone = kNone - 1;
  const Successors& successors_;
  std::vector<Node> number_, low_;
};

// What is left of a graph when only nodes count that are reached and may leave.
struct LiveGraph {
  Successors successors;
  std::vector<bool> member;
  std::vector<bool> exits;      // a path to the end of the function begins with the edge out of here
  std::vector<bool> exit_edge;  // and that edge is one of the program

  LiveGraph(const Successors& all, const std::vector<bool>& leaves) : successors(all.size()), exits(leaves) {
    const std::size_t size = all.size();
    const std::vector<bool> reached = closure(all, {0});
    for (std::size_t v = 0; v < size; ++v) exits[v] = exits[v] && reached[v];
    exit_edge = exits;
    if (std::find(exits.begin(), exits.end(), true) == exits.end()) end_somewhere(all, reached);
    Successors reversed(size);
    std::vector<std::size_t> ends;
    for (std::size_t v = 0; v < size; ++v) {
      if (!reached[v]) continue;
      for (const std::size_t s : all[v]) reversed[s].push_back(v);
      if (exits[v]) ends.push_back(v);
    }
    member = closure(reversed, ends);
    for (std::size_t v = 0; v < size; ++v) {
      if (!member[v]) continue;
      std::copy_if(all[v].begin(), all[v].end(), std::back_inserter(successors[v]),
                   [&](std::size_t s) { return member[s]; });
    }
  }

 private:
  static std::vector<bool> closure(const Successors& successors, std::vector<std::size_t> work) {
    std::vector<bool> result(successors.size());
    for (const std::size_t v : work) result[v] = true;
    while (!work.empty()) {
      const std::size_t v = work.back();
      work.pop_back();
      for (const std::size_t s : successors[v]) {
        if (!result[s]) work.push_back(s);
        result[s] = true;
      }
    }
    return result;
  }
  // Nothing leaves: the ends of threads do, and loops that nothing leaves are left where they are entered.
  void end_somewhere(const Successors& all, const std::vector<bool>& reached) {
    std::vector<Node> nodes, component(all.size(), 0);
    for (std::size_t v = 0; v < all.size(); ++v) {
      if (reached[v]) nodes.push_back(static_cast<Node>(v));
    }
    std::vector<std::vector<Node>> components;
    Components(all).find(nodes, std::vector<Node>(all.size()), std::vector<bool>(all.size()),
                         [&](const std::vector<Node>& c) {
                           for (const Node v : c) component[v] = static_cast<Node>(components.size());
                           components.push_back(c);
                         });
    std::vector<bool> left(components.size()), entered(all.size());
    entered[0] = true;
    for (const Node v : nodes) {
      for (const std::size_t s : all[v]) {
        if (component[s] == component[v]) continue;
        left[component[v]] = true;
        entered[s] = true;
      }
    }
    for (const Node v : nodes) {
      if (left[component[v]]) continue;
      exits[v] = entered[v];
      exit_edge[v] = all[v].empty();
    }
  }
};

// Loops: strongly connected sets, and inside each of them those that remain without the edges to its entries. In
// reducible graphs these are the natural loops, one a header.
class Loops {
 public:
  Loops(const LiveGraph& graph, const Lists& predecessors, const Forest& dominators, const Forest& post_dominators)
      : innermost_(graph.successors.size(), kNone) {
    Components components(graph.successors);
    std::vector<Node> part(graph.successors.size());
    std::vector<bool> cut(graph.successors.size());
    Node parts = 0;
    std::vector<std::pair<std::vector<Node>, Node>> work(1);  // nodes, the loop around them
    work.back().second = kNone;
    for (std::size_t v = 0; v < graph.member.size(); ++v) {
      if (graph.member[v]) work.back().first.push_back(static_cast<Node>(v));
    }
    while (!work.empty()) {
      const auto [nodes, around] = std::move(work.back());
      work.pop_back();
      ++parts;
      for (const Node v : nodes) part[v] = parts;
      std::vector<std::vector<Node>> found;
      components.find(nodes, part, cut, [&](const std::vector<Node>& c) {
        const auto& out = graph.successors[c[0]];
        const bool again = !cut[c[0]] && std::find(out.begin(), out.end(), c[0]) != out.end();
        if (c.size() > 1 || again) found.push_back(c);
      });
      for (std::vector<Node>& c : found) {
        const auto loop = static_cast<Node>(loops_.size());
        loops_.push_back({around, head(c, dominators), head(c, post_dominators)});
        for (const Node v : c) innermost_[v] = loop;
      }
      // Entries are known once all of the sets have their loop.
      std::vector<Node> entries;
      for (const std::vector<Node>& c : found) {
        const Node loop = innermost_[c[0]];
        for (const Node v : c) {
          const bool entered = v == 0 || std::any_of(predecessors[v].begin(), predecessors[v].end(),
                                                     [&](Node p) { return innermost_[p] != loop; });
          if (entered) entries.push_back(v);
        }
      }
      for (const Node v : entries) cut[v] = true;
      for (std::vector<Node>& c : found) {
        const Node loop = innermost_[c[0]];
        work.emplace_back(std::move(c), loop);
      }
    }
    std::vector<Node> parents;
    for (const Loop& loop : loops_) parents.push_back(loop.around);
    forest_.emplace_back(parents, std::vector<bool>(loops_.size(), true));
  }

  // A loop that holds `to` but not `from`, and that `to` does not dominate.
  [[nodiscard]] bool enters_at_side(Node from, Node to) const {
    for (Node loop = innermost_[to]; loop != kNone && !holds(loop, from); loop = loops_[loop].around) {
      if (loops_[loop].dominator != to) return true;
    }
    return false;
  }
  // A loop that holds `from` but not `to` (kNone: outside of all), and that `from` does not post-dominate.
  [[nodiscard]] bool leaves_at_side(Node from, Node to) const {
    for (Node loop = innermost_[from]; loop != kNone && !holds(loop, to); loop = loops_[loop].around) {
      if (loops_[loop].post_dominator != from) return true;
    }
    return false;
  }

 private:
  struct Loop {
    Node around = kNone;
    Node dominator = kNone, post_dominator = kNone;  // the member that dominates all others
  };
  [[nodiscard]] bool holds(Node loop, Node v) const {
    return v != kNone && innermost_[v] != kNone && forest_[0].above(loop, innermost_[v]);
  }
  [[nodiscard]] static Node head(const std::vector<Node>& nodes, const Forest& tree) {
    Node first = nodes[0], last = first;  // in preorder
    for (const Node v : nodes) {
      if (tree.pre[v] < tree.pre[first]) first = v;
      if (tree.pre[v] > tree.pre[last]) last = v;
    }
    return tree.above(first, last) ? first : kNone;
  }

  std::vector<Node> innermost_;
  std::vector<Loop> loops_;
  std::vector<Forest> forest_;  // one, of loops
};

// A tree of which kNone is the root: what is before the first node, or behind the last.
struct Tree {
  Tree(std::vector<Node> immediate, const std::vector<bool>& member)
      : parents(std::move(immediate)),
        forest(parents, member) {}
  [[nodiscard]] bool strictly_above(Node a, Node v) const { return a == kNone || (a != v && forest.above(a, v)); }
  // The nearest to a, at or above it, that is strictly above v.
  [[nodiscard]] Node over(Node a, Node v) const {
    while (!strictly_above(a, v)) a = parents[a];
    return a;
  }
  [[nodiscard]] Node common(Node a, Node b) const {
    if (b == kNone) return kNone;
    while (a != kNone && !forest.above(a, b)) a = parents[a];
    return a;
  }
  std::vector<Node> parents;
  Forest forest;
};

std::vector<Node> as_nodes(const std::vector<std::size_t>& from) {
  std::vector<Node> result;
  for (const std::size_t v : from) result.push_back(v == kNoNode ? kNone : static_cast<Node>(v));
  return result;
}

class Analysis {
 public:
  Analysis(const Successors& successors, const std::vector<bool>& exits)
      : graph_(successors, exits),
        size_(successors.size()),
        predecessors_(predecessors_of(graph_.successors, graph_.member)),
        dominators_(as_nodes(immediate_dominators(graph_.successors)), graph_.member),
        post_dominators_(as_nodes(immediate_post_dominators(graph_.successors, graph_.exits)), graph_.member) {}

  [[nodiscard]] Unstructured run() {
    find_edges();
    find_regions();
    result_.missed = collapse();
    return std::move(result_);
  }

 private:
  // ---- Definition 1
  void find_edges() {
    const Loops loops(graph_, predecessors_, dominators_.forest, post_dominators_.forest);
    bad_successors_.resize(size_);
    const Forest &above = dominators_.forest, &below = post_dominators_.forest;
    for (Node v = 0; v < size_; ++v) {
      if (!graph_.member[v]) continue;
      const bool branches = graph_.successors[v].size() + (graph_.exit_edge[v] ? 1 : 0) > 1;
      for (const std::size_t to : graph_.successors[v]) {
        const auto s = static_cast<Node>(to);
        UnstructuredEdge e{v, s};
        // Its target has several predecessors, or would be dominated.
        e.crosses = branches && !above.above(v, s) && !above.above(s, v) && !below.above(v, s) && !below.above(s, v);
        e.enters_loop = loops.enters_at_side(v, s);
        e.leaves_loop = loops.leaves_at_side(v, s);
        add(e);
      }
      UnstructuredEdge out{v, kOutside};
      out.leaves_loop = graph_.exit_edge[v] && loops.leaves_at_side(v, kNone);
      add(out);
    }
  }
  void add(const UnstructuredEdge& e) {
    if (!e.crosses && !e.enters_loop && !e.leaves_loop) return;
    result_.edges.push_back(e);
    if (e.to != kOutside) bad_successors_[e.from].push_back(static_cast<Node>(e.to));
  }

  // ---- Definition 4
  struct Region {
    Node entry = kNone, exit = kNone;
    std::vector<Node> nodes;
  };

  void find_regions() {
    region_of_.assign(size_, kNone);
    std::vector<Region> regions;
    for (const UnstructuredEdge& e : result_.edges) {
      const auto from = static_cast<Node>(e.from);
      const Node to = e.to == kOutside ? from : static_cast<Node>(e.to);
      if (region_of_[from] != kNone && region_of_[from] == region_of_[to]) continue;
      regions.push_back({dominators_.parents[from], post_dominators_.parents[from], {}});
      grow(regions, {from, to});
    }
    for (Node number = 0; number < regions.size(); ++number) {
      Region& r = regions[number];
      if (r.nodes.empty()) continue;
      std::sort(r.nodes.begin(), r.nodes.end());
      result_.regions.push_back(
          {as_index(r.entry), as_index(r.exit), {r.nodes.begin(), r.nodes.end()}, parts_of(number, r.nodes)});
    }
    std::sort(result_.regions.begin(), result_.regions.end(),
              [](const auto& a, const auto& b) { return a.nodes[0] < b.nodes[0]; });
  }

  // Lets the last region grow until edges lead into it from its entry only and out of it to its exit only. These two
  // move outwards, and what they were then belongs to the region. A node of another region brings all of it: one of the
  // two holds the other, or they share a part and must be one.
  void grow(std::vector<Region>& regions, std::vector<Node> nodes) {
    const auto number = static_cast<Node>(regions.size() - 1);
    Region& r = regions.back();
    std::vector<Node> work, old_entries, old_exits;
    const auto move = [](Node& bound, Node to, std::vector<Node>& old) {
      if (bound == to) return;
      old.push_back(bound);
      bound = to;
    };
    const auto put = [&](Node v) {
      const Node other = region_of_[v];
      if (other == number) return;
      if (other == kNone) {
        region_of_[v] = number;
        r.nodes.push_back(v);
        work.push_back(v);
        move(r.entry, dominators_.over(r.entry, v), old_entries);
        move(r.exit, post_dominators_.over(r.exit, v), old_exits);
        return;
      }
      const Region absorbed = std::exchange(regions[other], {});
      for (const Node member : absorbed.nodes) region_of_[member] = number;
      r.nodes.insert(r.nodes.end(), absorbed.nodes.begin(), absorbed.nodes.end());
      move(r.entry, dominators_.common(r.entry, absorbed.entry), old_entries);
      move(r.exit, post_dominators_.common(r.exit, absorbed.exit), old_exits);
      if (absorbed.entry != kNone) old_entries.push_back(absorbed.entry);
      if (absorbed.exit != kNone) old_exits.push_back(absorbed.exit);
    };
    const auto put_all = [&](std::vector<Node>& old, const Node& bound) {
      while (!old.empty()) {
        const Node v = old.back();
        old.pop_back();
        if (v != bound) put(v);
      }
    };
    for (const Node v : nodes) put(v);
    while (!work.empty() || !old_entries.empty() || !old_exits.empty()) {
      put_all(old_entries, r.entry);
      put_all(old_exits, r.exit);
      if (work.empty()) continue;
      const Node v = work.back();
      work.pop_back();
      for (const Node p : predecessors_[v]) {
        if (p != r.entry) put(p);
      }
      for (const std::size_t s : graph_.successors[v]) {
        if (s != r.exit) put(static_cast<Node>(s));
      }
    }
  }

  // ---- Algorithm 3
  std::vector<StructuredPart> parts_of(Node region, std::vector<Node> nodes) {
    std::vector<StructuredPart> parts;
    std::sort(nodes.begin(), nodes.end(), [&](Node a, Node b) {
      const Node depth_a = dominators_.forest.depth[a], depth_b = dominators_.forest.depth[b];
      return depth_a != depth_b ? depth_a < depth_b : a < b;
    });
    taken_.resize(size_);
    stamp_.resize(size_, kNone);
    for (const Node v : nodes) {
      if (taken_[v]) continue;
      StructuredPart part = largest_part(region, v);
      if (part.nodes.empty()) continue;
      for (const std::size_t n : part.nodes) taken_[n] = true;
      parts.push_back(std::move(part));
    }
    for (StructuredPart& part : parts) std::sort(part.nodes.begin(), part.nodes.end());
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.entry < b.entry; });
    return parts;
  }

  // The largest part that begins at a node. A part with a later exit holds those with an earlier one, so what is wrong
  // with one is wrong with all that are larger.
  StructuredPart largest_part(Node region, Node entry) {
    ++stamps_;
    std::vector<std::size_t> nodes;
    std::vector<Node> work;
    std::size_t good = 0;
    Node exit = post_dominators_.parents[entry], good_exit = kNone;
    const auto put = [&](Node v) {
      if (stamp_[v] == stamps_) return true;
      stamp_[v] = stamps_;
      nodes.push_back(v);
      work.push_back(v);
      return region_of_[v] == region && (v == entry || dominators_.strictly_above(entry, v));
    };
    const auto move_exit = [&](Node to) {
      work.push_back(std::exchange(exit, to));  // behind which the part goes on now
      return exit != kNone && put(exit);
    };
    const auto follow = [&](Node v) {
      const Node common = post_dominators_.common(exit, v);
      return (common == exit || move_exit(common)) && put(v);
    };
    const auto close = [&] {
      while (!work.empty()) {
        const Node v = work.back();
        work.pop_back();
        const auto& before = predecessors_[v];
        const auto& behind = graph_.successors[v];
        if (v != entry && !std::all_of(before.begin(), before.end(), follow)) return false;
        if (v != exit && (!bad_successors_[v].empty() || !std::all_of(behind.begin(), behind.end(), follow)))
          return false;
      }
      return std::none_of(bad_successors_[exit].begin(), bad_successors_[exit].end(),
                          [&](Node s) { return stamp_[s] == stamps_; });
    };
    bool goes_on = exit != kNone && put(entry) && put(exit);
    while (goes_on && close()) {
      good = nodes.size();
      good_exit = exit;
      goes_on = move_exit(post_dominators_.parents[exit]);
    }
    nodes.resize(good);
    return {entry, good_exit, std::move(nodes)};
  }

  // ---- Structure without a definition of edges
  // Regions are nodes. Then a node with one edge in and one out becomes an edge; edges that are all of a node's and go
  // to one node are one; an edge back to its own node goes if one other is left there; a node and its only successor
  // are one if nothing else leads to that.
  [[nodiscard]] std::vector<std::size_t> collapse() const {
    const std::size_t end = size_, begin = size_ + 1;
    // Nodes of a region are its first one. Where a loop that nothing leaves is left: a node of its own in front of its
    // entry.
    std::vector<std::size_t> as(size_), front, behind_front;
    for (std::size_t v = 0; v < size_; ++v) as[v] = v;
    for (const UnstructuredRegion& r : result_.regions) {
      for (const std::size_t v : r.nodes) as[v] = r.nodes[0];
    }
    const auto endless = [&](std::size_t v) {
      return graph_.exits[v] && !graph_.exit_edge[v] && region_of_[v] == kNone;
    };
    front = as;
    for (std::size_t v = 0; v < size_; ++v) {
      if (!graph_.member[v] || !endless(v)) continue;
      front[v] = size_ + 2 + behind_front.size();
      behind_front.push_back(v);
    }
    std::vector<std::map<std::size_t, std::size_t>> to(size_ + 2 + behind_front.size());  // with the number of edges
    std::vector<std::multiset<std::size_t>> from(to.size());
    std::vector<std::size_t> work;
    const auto link = [&](std::size_t v, std::size_t s) {
      ++to[v][s];
      from[s].insert(v);
    };
    // Returns whether the node's edges are fewer now.
    const auto join_edges = [&](std::size_t v) {
      if (to[v].size() == 2 && to[v].count(v) != 0 && to[v].begin()->second == 1 && to[v].rbegin()->second == 1) {
        to[v].erase(v);
        from[v].erase(from[v].find(v));
        return true;
      }
      if (to[v].size() != 1 || to[v].begin()->second == 1) return false;
      const std::size_t s = to[v].begin()->first;
      to[v][s] = 1;
      from[s].erase(v);
      from[s].insert(v);
      if (s != end) work.push_back(s);
      return true;
    };
    std::set<std::pair<std::size_t, std::size_t>> edges;
    for (std::size_t v = 0; v < size_; ++v) {
      if (!graph_.member[v]) continue;
      if (as[v] == v) work.push_back(v);
      for (const std::size_t s : graph_.successors[v]) {
        if (region_of_[v] == kNone || region_of_[v] != region_of_[s]) edges.emplace(as[v], front[s]);
      }
      if (graph_.exits[v] && !endless(v)) edges.emplace(as[v], end);
      if (!endless(v)) continue;
      work.push_back(front[v]);
      edges.emplace(front[v], v);
      edges.emplace(front[v], end);
    }
    for (const auto& [v, s] : edges) link(v, s);
    if (!work.empty()) link(begin, front[0]);
    while (!work.empty()) {
      const std::size_t v = work.back();
      work.pop_back();
      bool fewer = false;
      while (join_edges(v)) fewer = true;
      if (fewer && to[v].size() == 1 && to[v].begin()->first != end) work.push_back(to[v].begin()->first);
      if (from[v].size() != 1) continue;
      const std::size_t p = *from[v].begin();
      const bool edge = to[v].size() == 1;  // not to v, which something else leads to
      if (!edge && (p == begin || to[p].size() != 1)) continue;
      // v goes, and what is behind it is behind p.
      to[p].erase(v);
      from[v].clear();
      for (const auto& [s, count] : to[v]) {
        from[s].erase(v);
        for (std::size_t n = 0; n < count; ++n) link(p, s);
        if (s != end) work.push_back(s);
      }
      to[v].clear();
      if (p == begin) continue;
      while (join_edges(p)) {
      }
      work.push_back(p);
      if (to[p].size() == 1 && to[p].begin()->first != end) work.push_back(to[p].begin()->first);
    }
    std::vector<std::size_t> left;
    for (std::size_t v = 0; v < size_; ++v) {
      if (!from[as[v]].empty() || !from[front[v]].empty()) left.push_back(v);
    }
    return left;
  }

  [[nodiscard]] static std::size_t as_index(Node v) { return v == kNone ? kOutside : v; }

  const LiveGraph graph_;
  const std::size_t size_;
  const Lists predecessors_;
  const Tree dominators_, post_dominators_;
  std::vector<std::vector<Node>> bad_successors_;  // by unstructured edges
  std::vector<Node> region_of_;
  std::vector<bool> taken_;  // by a part of its region
  std::vector<Node> stamp_;
  Node stamps_ = 0;
  Unstructured result_;
};

}  // namespace

Unstructured find_unstructured(const Successors& successors, const std::vector<bool>& exits) {
  return successors.empty() ? Unstructured{} : Analysis(successors, exits).run();
}

}  // namespace heddle
