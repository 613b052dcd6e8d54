# SPDX-License-Identifier: Apache-2.0
"""How deep the reconvergence stack of a single path gets in a function, at most: entries of spe_stack (docs/frontend.md).

A branch whose threads part leaves an entry where they meet and pushes each side that is not there already; a branch that meets
where the entry on top does replaces that one. So inside of what meets at one place there is the entry of that place, and one more
for each branch that was passed on the way and has two sides.
"""

from .cfg import directed_graph, networkx

UNBOUNDED = float("inf")  # as many as a warp has threads


class Meeting:
    """A place where branches meet (None: where the function is left): what is between, and how many entries it adds to each block."""

    def __init__(self, place, branches, graph):
        self.place = place
        self.blocks = graph.walk([s for b in branches for s in graph.successors[b]], {place})
        self.adds = self._adds(branches, graph)

    def _adds(self, branches, graph):
        library = networkx()
        nodes = self.blocks | set(branches)
        parts = library.condensation(directed_graph([(n, s) for n in nodes for s in graph.successors[n] if s in nodes] + [(n, n) for n in nodes]))
        two_sided = {b for b in branches if self.place not in graph.successors[b]}
        waiting, adds = {}, {}
        for part in library.topological_sort(parts):
            members = parts.nodes[part]["members"]
            before = max((waiting[p] for p in parts.predecessors(part)), default=0)
            own = [n for n in members if n in two_sided]
            cycle = len(members) > 1 or any(n in graph.successors[n] for n in members)
            waiting[part] = before + (0 if not own else UNBOUNDED if cycle else 1)
            for n in members:
                adds[n] = 1 + (waiting[part] if cycle else before)
        return {n: adds[n] for n in self.blocks}


class Depths:
    """Of a graph (structure.Graph): entries at each node; the top is one."""

    def __init__(self, graph):
        branches = {}
        for n in sorted(graph.reachable):
            if len(graph.successors[n]) > 1:
                branches.setdefault(graph.ipdom[n], []).append(n)
        self.meetings = [Meeting(place, found, graph) for place, found in branches.items()]
        self.alive = graph.alive
        self.at = [1] * graph.count
        self._around = {}
        for meeting in self.meetings:
            for n, more in meeting.adds.items():
                self.at[n] += more
                self._around.setdefault(n, []).append(meeting)

    def around(self, n):
        """The meetings whose blocks have n, from the outermost one."""
        return sorted(self._around.get(n, []), key=lambda meeting: -len(meeting.blocks))


class Calls:
    """Which functions of a file call which, and how many entries each needs. `refuse(function, why)` raises."""

    def __init__(self, program, cfgs, refuse):
        self.program = program
        self.cfgs = cfgs    # function -> Cfg
        self.refuse = refuse
        self.least = {}     # function -> entries that it needs with all its branches linearized, its own top included

    def callees(self, function, block):
        """`function`: the block's, as the program has it; the block may be of a changed copy."""
        for i in block.instructions:
            name = i.callee()
            if name is None:
                if (i.is_call() or (i.op == "jr" and not i.is_return() and not block.successors)):
                    yield from sorted(self.program.addressed, key=lambda f: f.name)
                continue
            callee = self.program.callee(function, i)
            if callee is not None:
                yield callee
            elif self.program.returns(function)(name):
                self.refuse(function, f"calls '{name}', which is not in this source: how deep the stack gets there is not known")

    def order(self):
        """The functions, callers first."""
        finished, state = [], {}
        for root in self.cfgs:
            work = [(root, None)]
            while work:
                function, ahead = work.pop()
                if ahead is None:
                    if state.get(function) == "done":
                        continue
                    if state.get(function) == "open":
                        self.refuse(function, "calls itself: how deep the stack gets depends on the input")
                    state[function] = "open"
                    ahead = iter([c for block in self.cfgs[function].blocks for c in self.callees(function, block)])
                following = next(ahead, None)
                if following is not None:
                    work += [(function, ahead), (following, None)]
                    continue
                state[function] = "done"
                finished.append(function)
                blocks = self.cfgs[function].blocks
                inside = self._inside(self.cfgs[function])
                self.least[function] = max([1 + inside] + [inside + self.least[c] for block in blocks for c in self.callees(function, block)])
        return finished[::-1]

    @staticmethod
    def _inside(cfg):
        """Entries more inside of a function that is one line of guards: one for a guard, one for a loop around it."""
        branches = [n for n, block in enumerate(cfg.blocks) if len(set(block.successors)) > 1]
        parts = networkx().strongly_connected_components(directed_graph((n, s) for n, block in enumerate(cfg.blocks) for s in block.successors))
        loops = any(len(part) > 1 for part in parts)
        return min(len(branches), 1 + loops)

    def reserved(self, function, block):
        """Entries above a block's own that its calls need."""
        return max((self.least[c] - 1 for c in self.callees(function, block)), default=0)
