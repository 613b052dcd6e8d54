# SPDX-License-Identifier: Apache-2.0
"""Structured and unstructured control flow: which edges, which regions, in which order (linearization paper, 3.2, 4).

Graphs are lists of successors; node 0 is the entry, `leaving` are the nodes that leave the function. Where a thread ends is no place
to meet: nodes that lead to no leaving one count only in a graph from which nothing leaves.
"""

from .cfg import directed_graph, networkx

_MOST_TRIED = 8  # ends of a structured part

class Graph:
    def __init__(self, successors, leaving):
        self.successors = [list(dict.fromkeys(s)) for s in successors]
        self.count = len(successors)
        self.reachable = self._walk([0], self.successors)
        self.predecessors = [[] for _ in successors]
        for n in sorted(self.reachable):
            for s in self.successors[n]:
                self.predecessors[s].append(n)
        self.leaving = [n for n in leaving if n in self.reachable] or [n for n in sorted(self.reachable) if not self.successors[n]]
        self.alive = self._walk(self.leaving, self.predecessors)  # can still leave
        self.idom = self._immediate(self.successors, [0])
        self.ipdom = self._immediate(self.predecessors, self.leaving)
        self._dominates = _Tree(self.idom, [0])
        self._postdominates = _Tree(self.ipdom, [n for n in range(self.count) if self.ipdom[n] is None and n in self.alive])
        self._find_loops()

    @staticmethod
    def _walk(starts, edges, stop=()):
        seen, work = set(), list(starts)
        while work:
            n = work.pop()
            if n not in seen and n not in stop:
                seen.add(n)
                work += edges[n]
        return seen

    def walk(self, starts, stop):
        """What can be reached without passing one of `stop`."""
        return self._walk(starts, self.successors, stop)

    def _immediate(self, edges, roots):
        graph = directed_graph((n, s) for n in self.reachable for s in edges[n])
        graph.add_node(-1)
        graph.add_edges_from((-1, n) for n in roots)
        found = networkx().immediate_dominators(graph, -1)
        return [None if found.get(n, -1) in (-1, n) else found[n] for n in range(self.count)]

    def dominates(self, a, b):
        return self._dominates.above(a, b)

    def postdominates(self, a, b):
        return self._postdominates.above(a, b)

    # ---------------------------------------------------------------- loops

    def _find_loops(self):
        """Strongly connected parts, and those that remain inside them without the ways back to where they are entered first."""
        self.loops = []                      # sets of nodes, outer ones first
        self.loop_of = [None] * self.count   # the innermost one of each node
        self.outer = []                      # of each loop the one around it
        work = [(self.reachable, None, None)]
        while work:
            nodes, header, outer = work.pop()
            for part in self.parts(nodes, header):
                first = self._first_entered(part)
                number = len(self.loops)
                self.loops.append(part)
                self.outer.append(outer)
                for n in part:
                    self.loop_of[n] = number
                work.append((part, first, number))

    def parts(self, nodes, header):
        """The cycles of a subgraph from which the ways back to `header` are taken."""
        graph = directed_graph((n, s) for n in nodes for s in self.successors[n] if s in nodes and s != header)
        return [part for part in networkx().strongly_connected_components(graph)
                if len(part) > 1 or any(n in graph[n] for n in part)]

    def _first_entered(self, part):
        entries = [n for n in part if n == 0 or any(p not in part for p in self.predecessors[n])]
        return min(entries, key=lambda n: (self._dominates.depth.get(n, 0), n))

    def loops_around(self, n):
        """From the innermost one."""
        loop = self.loop_of[n]
        while loop is not None:
            yield loop
            loop = self.outer[loop]

    # ---------------------------------------------------------------- edges

    def unstructured_edges(self):
        """{(source, destination): which condition of Definition 1}, the first that holds."""
        found = {}
        for a in sorted(self.alive & self.reachable):
            for b in self.successors[a]:
                if b in self.alive and (condition := self._unstructured(a, b)):
                    found[a, b] = condition
        return found

    def _unstructured(self, a, b):
        alive = [s for s in self.successors[a] if s in self.alive]
        if len(alive) > 1 and len(self.predecessors[b]) > 1 and not (
                self.dominates(a, b) or self.dominates(b, a) or self.postdominates(a, b) or self.postdominates(b, a)):
            return 1
        into = [loop for loop in self.loops_around(b) if a not in self.loops[loop]]
        if into and not self.dominates(b, self._dominates.common(self.loops[into[-1]])):
            return 2
        out = [loop for loop in self.loops_around(a) if b not in self.loops[loop]]
        if out and not self.postdominates(a, self._postdominates.common(self.loops[out[-1]] & self.alive)):
            return 3
        return 0

    def core(self):
        """What is left of the graph without its structured parts, as {first node: (last node, successors)} of what is one behind the
        other, with -2 in front of the entry and -1 behind all that leaves; empty if it is structured.

        Nodes one behind the other are one, and a node between one edge and one edge is part of an edge. Edges to one node are one if
        their source has no others: of threads that part in three ways those on two meet only where all do. So an edge from a node to
        itself is none where one other is left. Structured graphs shrink to one node: Definition 1 sees no more than single edges, and
        overlooks one with a block on it."""
        nodes = self.alive & self.reachable
        start, end = -2, -1
        ahead = {n: {s: 1 for s in self.successors[n] if s in nodes} for n in nodes}  # with the number of edges
        ahead[start], ahead[end] = {0: 1}, {}
        for n in self.leaving:
            ahead[n][end] = 1
        back = {n: {} for n in [0, *ahead]}
        for n, following in ahead.items():
            for s in following:
                back[s][n] = 1
        tail = {n: n for n in ahead}
        work = sorted(nodes)
        while work:
            n = work.pop()
            if n not in ahead or n in (start, end):
                continue
            if ahead[n].get(n) == 1 and len(ahead[n]) == 2 and sum(ahead[n].values()) == 2:
                del ahead[n][n], back[n][n]
            if len(ahead[n]) != 1:
                continue
            (following,) = ahead[n]
            if ahead[n][following] > 1:
                ahead[n][following] = back[following][n] = 1
                work.append(following)
            if following in (n, end):
                if following == n:
                    continue
            elif len(back[following]) == 1:  # one behind the other
                back.pop(following)
                ahead[n] = ahead.pop(following)
                tail[n] = tail.pop(following)
                for s in ahead[n]:
                    back[s][n] = back[s].pop(following)
                work += [n, *ahead[n]]
                continue
            if len(back[n]) == 1 and sum(back[n].values()) == 1:
                (p,) = back.pop(n)
                ahead.pop(n)
                tail.pop(n)
                ahead[p].pop(n)
                back[following].pop(n)
                ahead[p][following] = back[following][p] = ahead[p].get(following, 0) + 1
                work += [p, following]
        return {n: (tail[n], sorted(ahead[n])) for n in ahead} if len(ahead) > 2 else {}

    # ---------------------------------------------------------------- regions

    def regions(self):
        """The unstructured regions, none in another one: Algorithm 2's closure around the edges of Definition 1 in the core of the graph.

        A region needs the block that such an edge goes to only if that cannot be what is behind the region; where the smaller ones
        leave something unstructured, those with it are taken."""
        core = self.core()
        if not core:
            return []
        edges = self._edges_of(core)
        found = self.regions_around([{a} for a, _ in edges])
        if self._core_without(found):
            found = self.regions_around([{a, b} for a, b in edges])
        while left := self._core_without(found):  # what no edge of Definition 1 shows
            more = [{tail, b} for tail, following in left.values() for b in following if min(tail, b) >= 0]
            grown = self.regions_around([region.blocks for region in found] + more)
            if {frozenset(region.blocks) for region in grown} == {frozenset(region.blocks) for region in found}:
                break
            found = grown
        return found

    def _core_without(self, regions):
        """With a node for each of these."""
        place = {n: n for n in range(self.count)}
        for region in regions:
            place.update((n, min(region.blocks)) for n in region.blocks)
        successors = [[] for _ in range(self.count)]
        for n in sorted(self.reachable):
            successors[place[n]] += [place[s] for s in self.successors[n] if place[s] != place[n]]
        return Graph(successors, [place[n] for n in self.leaving]).core()

    @staticmethod
    def _edges_of(core):
        """Those of Definition 1 in a core, from the last node of what is one behind the other; all of them if there is none."""
        numbers = sorted(core)
        place = {n: i for i, n in enumerate(numbers)}
        small = Graph([[place[s] for s in core[n][1]] for n in numbers], [place[-1]])  # -2 comes first
        edges = [(numbers[a], numbers[b]) for a, b in small.unstructured_edges()] or [(a, b) for a in core for b in core[a][1]]
        return sorted((core[a][0], b) for a, b in edges if min(a, b) >= 0)

    def regions_around(self, seeds):
        """Around each of these sets of nodes."""
        found = []
        owner, bound_of = {}, {}  # node -> number of the region that has it, numbers of those that begin or end with it
        for seed in seeds:
            if len({owner.get(n) for n in seed}) == 1 and next(iter(seed)) in owner:
                continue
            region = self.region(seed)
            while True:  # those that overlap, or begin or end inside one another, are one
                touched = {owner[n] for n in region.blocks | region.bounds() if n in owner}
                touched |= {k for n in region.blocks for k in bound_of.get(n, ()) if found[k] is not None}
                if not touched:
                    break
                region = self.region(region.blocks.union(*(found[k].blocks for k in touched)))
                for k in touched:
                    for n in found[k].blocks:
                        owner.pop(n)
                    found[k] = None
            for n in region.blocks:
                owner[n] = len(found)
            for n in region.bounds():
                bound_of.setdefault(n, set()).add(len(found))
            found.append(region)
        return [region for region in found if region is not None]

    def region(self, blocks):
        """The smallest region of Definition 4 around some nodes."""
        blocks = {n for n in blocks if n in self.alive}
        while True:
            entry = self._common(blocks, self._dominates)
            leave = self._common(blocks & self.alive, self._postdominates)
            grown = self._walk(blocks, self.successors, {leave}) | self._walk(blocks, self.predecessors, {entry})
            grown &= self.reachable
            if grown == blocks:
                return Region(blocks, entry, leave)
            blocks = grown

    @staticmethod
    def _common(blocks, tree):
        """The nearest node above all of these that is none of them."""
        above = tree.common(blocks)
        while above is not None and above in blocks:
            above = tree.parent[above]
        return above

    # ---------------------------------------------------------------- structured parts of a region

    def structured_parts(self, region):
        """The largest structured regions inside an unstructured one (Definition 5, Algorithm 3), as {entry: (blocks, exit)}; a part has
        its entry and its exit, and more than one block."""
        parts, inside = {}, set()
        for n in sorted(region.blocks, key=lambda n: (self._dominates.depth[n], n)):
            if n in inside:
                continue
            blocks, leave = {n}, n
            while (grown := self._part(leave, region)) is not None and not grown[0] - {leave} & blocks and not grown[0] & inside - {leave}:
                blocks |= grown[0]
                leave = grown[1]
            if len(blocks) > 1:
                parts[n] = (blocks, leave)
                inside |= blocks
        return parts

    def _part(self, n, region):
        """The structured region that begins with n and ends with one of n's post-dominators, the nearest that can be."""
        leave = n
        for _ in range(_MOST_TRIED):
            leave = self.ipdom[leave]
            if leave is None or leave not in region.blocks or not self.dominates(n, leave):
                return None
            if blocks := self._between(n, leave, region):
                return blocks, leave
        return None

    def _between(self, n, leave, region):
        blocks, work = {n, leave}, [s for s in self.successors[n] if s != leave]
        while work:
            m = work.pop()
            if m in blocks:
                continue
            if m not in region.blocks or not self.dominates(n, m) or not self.postdominates(leave, m):
                return None
            blocks.add(m)
            work += self.successors[m] + self.predecessors[m]
        if (any(p not in blocks for p in self.predecessors[leave]) or any(s in blocks for s in self.successors[leave])
                or any(p in blocks for p in self.predecessors[n])):
            return None
        names = [n] + sorted(blocks - {n, leave}) + [leave]
        place = {m: i for i, m in enumerate(names)}
        inside = Graph([[place[s] for s in self.successors[m]] if m != leave else [] for m in names], [place[leave]])
        return None if inside.core() else blocks

    # ---------------------------------------------------------------- order

    def order(self, nodes, entries):
        """These nodes in reverse post-order, the nodes of a loop beside one another; `entries`: where control comes from outside."""
        return self._order(set(nodes), list(entries), None)

    def _order(self, nodes, entries, header):
        if len(nodes) == 1:
            return list(nodes)
        part_of = {n: part for part in map(frozenset, self.parts(nodes, header)) for n in part}
        finished, seen = [], set()
        for entry in sorted(entries, reverse=True):
            if part_of.get(entry, entry) in seen:
                continue
            work = [(entry, None)]
            while work:
                n, ahead = work.pop()
                unit = part_of.get(n, n)
                if ahead is None:
                    if unit in seen:
                        continue
                    seen.add(unit)
                    members = unit if isinstance(unit, frozenset) else (n,)
                    ahead = iter(sorted({s for m in members for s in self.successors[m] if s in nodes and s != header and s not in members}, reverse=True))
                    work.append((n, ahead))
                    continue
                following = next(ahead, None)
                if following is None:
                    finished.append(self._order(set(unit), [n], n) if isinstance(unit, frozenset) else [n])
                else:
                    work.append((n, ahead))
                    work.append((following, None))
        return [n for part in reversed(finished) for n in part]


def with_joins(successors):
    """The graph with a node more in front of each node that several ways come to, not counting those back: where a region can begin
    and end. The nodes stay what they are; the new ones come behind them, as `{new node: node}`."""
    successors = [list(s) for s in successors]
    count = len(successors)
    graph = Graph(successors, [])
    joins = {}
    for n in range(count):
        ahead = [p for p in graph.predecessors[n] if not graph.dominates(n, p)]
        if len(ahead) < 2:
            continue
        join = len(successors)
        joins[join] = n
        successors.append([n])
        for p in ahead:
            successors[p] = [join if s == n else s for s in successors[p]]
    return successors, joins


class Region:
    """entry: the node in front of it that all ways in come from; exit: the one behind it; None: outside of the function."""

    def __init__(self, blocks, entry, leave):
        self.blocks = blocks
        self.entry = entry
        self.exit = leave

    def bounds(self):
        return {self.entry, self.exit} - {None}


class _Tree:
    """Dominator tree: who is above whom."""

    def __init__(self, parent, roots):
        self.parent = parent
        children = {}
        for n, p in enumerate(parent):
            if p is not None:
                children.setdefault(p, []).append(n)
        self.depth, self._first, self._last = {}, {}, {}
        time = 0
        for root in roots:
            work = [(root, 0, False)]
            while work:
                n, depth, done = work.pop()
                time += 1
                if done:
                    self._last[n] = time
                    continue
                self._first[n], self.depth[n] = time, depth
                work.append((n, depth, True))
                work += [(c, depth + 1, False) for c in children.get(n, ())]

    def above(self, a, b):
        """a is b, or above it."""
        return a in self._first and b in self._first and self._first[a] <= self._first[b] and self._last[b] <= self._last[a]

    def common(self, nodes):
        nodes = iter(nodes)
        result = next(nodes)
        for n in nodes:
            while result is not None and not self.above(result, n):
                result = self.parent[result]
        return result
