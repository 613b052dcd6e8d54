# SPDX-License-Identifier: Apache-2.0
"""Linearization: unstructured control flow made structured, without a copy of any block (Anantpur and Govindarajan's Algorithm 1).

The blocks of a region stand one behind the other, each behind a guard that lets those threads in whose guard variable names it; at
its end a block names the one that follows. Behind the source of a way back stands a guard that sends back who goes back. Blocks are
numbered in the order in which they stand, so who goes back is who names a number that is not greater. At level 3 the guard variable
counts from where most guards can tell who comes by a comparison with zero: these need no second instruction.

The guard variable and the register that a guard compares with are any two that nobody reads on the way into a block of the region or
out of it: within a block they are the program's.
"""

from . import Impossible, interleave, one_note
from .flow import Flow
from .program import Program
from .stack_depth import Calls, Depths
from .structure import Graph, Region, with_joins
from .text import BRANCHES, Statement

LEVELS = 3  # 0: as Algorithm 1 says; then one optimization more each: O1, O2, O3
_REGISTERS = [f"t{n}" for n in range(6, -1, -1)] + [f"a{n}" for n in range(7, -1, -1)] + [f"s{n}" for n in range(11, -1, -1)]
_INVERSE = {"beq": "bne", "blt": "bge", "bltu": "bgeu", "bgt": "ble", "bgtu": "bleu", "beqz": "bnez", "bltz": "bgez", "blez": "bgtz"}
_INVERSE |= {b: a for a, b in _INVERSE.items()}


_WITH_ZERO = {"bne": lambda v: v != 0, "beq": lambda v: v == 0, "blt": lambda v: v < 0, "ble": lambda v: v <= 0, "bge": lambda v: v >= 0,
              "bgt": lambda v: v > 0}


class NoRegister(Impossible):
    """Two registers more are needed."""


class Options:
    def __init__(self, level=LEVELS, all_branches=False, functions=(), merge_loops=False, select=False, interleave=False):
        self.level = level
        self.all_branches = all_branches
        self.functions = frozenset(functions)  # only these; empty: all
        self.merge_loops = merge_loops
        self.interleave = interleave           # branches with two arms, in the place of unstructured regions
        self.select = select                   # the guard variable is chosen without a branch: no deeper stack, more instructions


def linearize(file, program, options):
    """Changes the file; returns notes on what is left alone, one a function. What is left alone of a function that was named is refused."""
    notes = []
    for index, function in enumerate(file.functions):
        if not options.functions or any(function.is_named(name) for name in options.functions):
            found = []
            _Function(function, f"line{index}", program, options, found).run()
            notes += one_note(found)
    if options.functions and notes:
        raise Impossible(notes[0])
    return notes


def limit_depth(file, program, most):
    """Linearizes what is nested deeper than a stack of `most` entries allows (the paper's 5.3), and no more; returns notes."""
    return _DepthLimit(file, program, most).run()


class _DepthLimit:
    """Callers come first: what they leave of the stack is what their callees have."""

    def __init__(self, file, program, most):
        self.file = file
        self.program = program
        self.most = most
        self.below = {}  # function -> entries below its own top, at most
        self.notes = []

    def run(self):
        cfgs = {}
        for function in self.file.functions:
            cfgs[function] = self.program.cfg(function, Flow)
            if not cfgs[function].complete:
                self._refuse(function, "has inline assembly that cannot be followed: how deep the stack gets in it is not known")
        self.calls = Calls(self.program, cfgs, self._refuse)
        for function in self.calls.order():
            if self.most - self.below.get(function, 0) < self.calls.least[function]:
                self._refuse(function, f"needs a depth of {self.below.get(function, 0) + self.calls.least[function]} with all branches linearized")
            cfg, depths = self._made_to_fit(function, cfgs[function])
            for n, block in enumerate(cfg.blocks):
                for callee in self.calls.callees(function, block):
                    self.below[callee] = max(self.below.get(callee, 0), self.below.get(function, 0) + depths.at[n + 1] - 1)
        return self.notes

    def _refuse(self, function, why):
        raise Impossible(f"{function.file.name}: function '{function.name}' {why}: no stack depth of {self.most}")

    def _made_to_fit(self, function, cfg):
        """The graph and depths of the function, changed if need be: the smallest parts that do, at the highest level that does."""
        depths = self._depths(cfg)
        index, widest = self.file.functions.index(function), max(len(depths.around(n)) for n in range(len(depths.at)))
        if not self._deep(function, cfg, depths):
            return cfg, depths
        for wider in range(widest):
            seeds = self._seeds(function, cfg, depths, wider)
            for level, select, merge_loops in ((3, False, False), (1, False, False), (0, False, False), (0, True, False), (0, True, True)):
                notes, copy = [], self.file.again()
                changed = copy.functions[index]
                options = Options(level, merge_loops=merge_loops, select=select)
                _Function(changed, f"depth{index}", Program([copy], self.program.sibling_calls, self.program.used), options, notes, seeds).run()
                again = copy.again()
                new_cfg = Program([again], self.program.sibling_calls, self.program.used).cfg(again.functions[index], Flow)
                new_depths = self._depths(new_cfg)
                if not self._deep(function, new_cfg, new_depths):
                    self.notes += notes
                    function.statements = changed.statements
                    return new_cfg, new_depths
        n = self._deep(function, cfg, depths)[0]
        self._refuse(function, f"needs a depth of {self.below.get(function, 0) + depths.at[n + 1]} at {cfg.at(n)}" + "".join(f" ({note})" for note in notes))
        return None

    @staticmethod
    def _depths(cfg):
        """Node 0 is the caller, node n + 1 block n."""
        return Depths(Graph([[1]] + [[s + 1 for s in b.successors] for b in cfg.blocks], [n + 1 for n, b in enumerate(cfg.blocks) if b.leaves]))

    def _room(self, function, block):
        return self.most - self.below.get(function, 0) - self.calls.reserved(function, block)

    def _deep(self, function, cfg, depths):
        """Blocks at which the stack may get too deep."""
        return [n for n, block in enumerate(cfg.blocks) if depths.at[n + 1] > self._room(function, block)]

    def _seeds(self, function, cfg, depths, wider):
        """What is to be linearized: around each such block the innermost meeting from which on one entry is left for all; or `wider`."""
        seeds = {}
        for n in self._deep(function, cfg, depths):
            around, entries, chosen = depths.around(n + 1), 2, 0
            for k, meeting in enumerate(around):
                if entries > self._room(function, cfg.blocks[n]):
                    break
                chosen, entries = k, entries + meeting.adds[n + 1]
            seeds[around[max(0, chosen - wider)]] = None
        return [blocks for meeting in seeds if (blocks := meeting.blocks & depths.alive)]


# ---------------------------------------------------------------- one region as a line of guards and blocks

class _Node:
    """kind: entry (the block in front of the region), guard, block, back (guard of a way back), end (the block behind it)."""

    def __init__(self, kind, number):
        self.kind = kind
        self.number = number
        self.position = 0
        self.edges = []   # those that leave it
        self.into = []


class _Edge:
    """mask: values of the guard variable that take it."""

    def __init__(self, source, mask, target, back=False):
        self.source = source
        self.mask = mask
        self.values = mask if source.kind in ("entry", "block") else 0  # that can come
        self.target = target
        self.back = back
        source.edges.append(self)
        target.into.append(self)

    def go(self, target):
        self.target.into.remove(self)
        self.target = target
        target.into.append(self)


class _Line:
    """units: (first block, last block, blocks) each, numbered from 1; ways: of each unit the numbers that follow it, 0: the end's;
    dominates(a, b) of numbers, None: guards are not nested; barriers: numbers of units with one, None: loops are not merged."""

    def __init__(self, units, ways, entries, dominates, level, barriers):
        self.count = len(units)
        self.dominates = dominates
        last = self.count + 1
        ways = [[w or last for w in way] for way in ways]
        self.entry, self.end = _Node("entry", 0), _Node("end", last)
        self.guards = [None] + [_Node("guard", n) for n in range(1, last)]
        self.blocks = [None] + [_Node("block", n) for n in range(1, last)]
        backs = self._backs(ways, barriers)
        self.nodes = []
        for n in range(1, last):
            self.nodes += [self.guards[n], self.blocks[n]] + ([_Node("back", n)] if n in backs else [])
        self.nodes.append(self.end)
        for position, node in enumerate(self.nodes, 1):
            node.position = position
        for value in entries:
            _Edge(self.entry, 1 << (value or last), self.nodes[0])
        everything = (1 << last + 1) - 1
        for node, following in zip(self.nodes, self.nodes[1:] + [None]):
            n = node.number
            if node.kind == "guard":
                _Edge(node, 1 << n, following)
                _Edge(node, everything ^ 1 << n, self.nodes[following.position])
            elif node.kind == "block":
                for value in dict.fromkeys(ways[n - 1]):
                    _Edge(node, 1 << value, following)
            elif node.kind == "back":
                _Edge(node, (1 << n + 1) - 1, self.guards[backs[n]], True)
                _Edge(node, everything ^ (1 << n + 1) - 1, following)
        self._find_values()
        if level >= 2 and self.dominates is not None:
            self._nest()
        if level >= 1:
            self._skip()
        if level >= 3:
            self._merge()
        self._drop()

    @staticmethod
    def _backs(ways, barriers):
        """{source of ways back: where they go}: loops are disjoint or nested, so some go further back than they must. Merged loops
        let threads run ahead, so one with a barrier in it is not merged with what is inside."""
        backs, open_loops = {}, []
        for n, way in enumerate(ways, 1):
            to = min((w for w in way if w <= n), default=None)
            if to is None:
                continue
            while open_loops and open_loops[-1][1] >= to:
                first, source = open_loops.pop()
                to = min(to, first)
                if barriers is not None and not any(to <= b <= n for b in barriers):
                    backs.pop(source)
            open_loops.append((to, n))
            backs[n] = to
        return backs

    def _find_values(self, anew=False):
        """anew: edges have changed since."""
        for edge in [e for n in self.nodes if anew and n.kind in ("guard", "back") for e in n.edges]:
            edge.values = 0
        changed = True
        while changed:
            changed = False
            for node in self.nodes:
                if node.kind in ("guard", "back"):
                    come = self._coming(node)
                    for edge in node.edges:
                        if edge.values != come & edge.mask:
                            edge.values = come & edge.mask
                            changed |= edge.back

    @staticmethod
    def _coming(node):
        come = 0
        for edge in node.into:
            come |= edge.values
        return come

    # ---------------------------------------------------------------- optimizations

    def _nest(self):
        """O2: who is not let into a block goes past the guards of the blocks that it dominates, if he can name none of them. A guard
        around this one goes as far, or names what is here: so nobody comes into the middle."""
        for guard in self.guards[1:]:
            past = guard.edges[1]
            place, open_until = None, 0
            for node in self.nodes[past.target.position - 1:]:
                if node.position > open_until:
                    place = node
                if node.kind == "guard":
                    if past.values >> node.number & 1 or not self.dominates(guard.number, node.number):
                        break
                    open_until = max([open_until] + [e.source.position for e in node.into if e.back])
                elif node.kind == "end" or (node.kind == "back" and node.position > open_until):
                    break
            if place is not past.target:
                past.go(place)

    def _skip(self):
        """O1: if only one way to a guard names its block, the others go past it. No guard where all name its block."""
        for guard in self.guards[1:]:
            let_in, past = guard.edges
            come = self._coming(guard)
            let_in.values, past.values = come & let_in.mask, come & past.mask
            named = {e.source for e in guard.into if e.values & let_in.mask}  # a block's ways to one guard are one
            if len(named) == 1:  # none that a way back goes to: such a one is named from the front and from behind
                for edge in [e for e in guard.into if e.source not in named]:
                    edge.go(past.target)
                past.values = self._coming(guard) & past.mask
            if not past.values:
                self._remove(guard, lambda edge, to=let_in.target: to)
            elif past.target.position > max([0] + [e.source.position for e in guard.into if e.back]):
                for edge in [e for e in guard.into if e.back and e.values == let_in.mask]:  # who is not let in leaves the loop
                    edge.go(let_in.target)
        for node in self.nodes:
            if node.kind == "back" and not self._coming(node) & node.edges[1].mask:
                self._remove(node, lambda edge, to=node.edges[0].target: to)

    def _merge(self):
        """O3: a guard with one block in front of it is that block's branch."""
        for node in self.nodes:
            if node.kind in ("guard", "back") and node.into and len({e.source for e in node.into}) == 1 and node.into[0].source.kind in ("entry", "block"):
                self._remove(node, lambda edge, n=node: next(e.target for e in n.edges if e.mask & edge.values))

    @staticmethod
    def _remove(node, where):
        for edge in list(node.into):
            edge.go(where(edge))
        for edge in node.edges:
            edge.target.into.remove(edge)
        node.edges = []

    def _drop(self):
        """What nobody comes to is not written."""
        self.nodes = [n for n in self.nodes if n.into or n.kind == "end"]
        for position, node in enumerate(self.nodes, 1):
            node.position = position

    # ---------------------------------------------------------------- comparisons with zero

    def best_origin(self):
        """The number from which to count so that most guards are comparisons with zero, the first one of those."""
        self._find_values(anew=True)
        asks = [node for node in self.nodes if node.kind in ("guard", "back")]
        return max(range(1, self.end.number + 2), key=lambda origin: sum(self.compares_with_zero(node, origin) is not None for node in asks))

    def compares_with_zero(self, node, origin):
        """The branch that tells, of the values that can come to it, those that take the node's branch from those that do not; None:
        there is no such one. A guard's branch is taken by who is not let in, that of a way back by who goes back."""
        come = [n - origin for n in range(self.end.number + 1) if self._coming(node) >> n & 1]
        taken = node.edges[1 if node.kind == "guard" else 0]
        takes = [taken.mask >> value + origin & 1 for value in come]
        for op, holds in _WITH_ZERO.items():
            if all(holds(value) == bool(take) for value, take in zip(come, takes)):
                return op
        return None

    # ---------------------------------------------------------------- check

    def structured(self):
        nodes = [self.entry] + self.nodes
        place = {node: n for n, node in enumerate(nodes)}
        return not Graph([[place[e.target] for e in node.edges] for node in nodes], [place[self.end]]).core()


# ---------------------------------------------------------------- one function

class _Function:
    """label: what its new labels begin with; seeds: blocks around which regions are linearized, in place of the unstructured ones."""

    def __init__(self, function, label, program, options, notes, seeds=None):
        self.function = function
        self.label = label
        self.seeds = seeds
        self.program = program
        self.options = options
        self.notes = notes
        self.labels = 0

    def run(self):
        cfg = self.cfg = self.program.cfg(self.function, Flow)
        if why := self._unreadable():
            self._note(f"{self.function.file.name}", why)
            return
        # Node 0 is the caller, node n + 1 block n; the others, where several ways come together, are empty.
        successors, self.joins = with_joins([[1]] + [[s + 1 for s in b.successors] for b in cfg.blocks])
        self.graph = Graph(successors, [n + 1 for n, b in enumerate(cfg.blocks) if b.leaves])
        self.join_of = {n: join for join, n in self.joins.items()}
        regions = [r for r in self._regions() if self._can(r)]
        if not regions:
            return
        if self.program.has_no_caller(self.function):  # nobody reads what it should have saved
            for instruction in self.function.instructions:
                if instruction.is_return():
                    instruction.uses = {"ra"}
        live_out = cfg.live_out()
        self.live_in = [self._live_in(b, live) for b, live in zip(cfg.blocks, live_out)]
        self._cut()
        self.behind = {}  # node -> regions that it leads into
        for region in regions:
            self._plan(region)
            self.behind.setdefault(region.entry, []).append(region)
        self._write(regions)

    def _note(self, where, why):
        self.notes.append(f"{where}: function '{self.function.name}' {why}: not linearized")

    def _unreadable(self):
        cfg = self.cfg
        if not cfg.complete:
            return "has inline assembly that cannot be followed"
        for block in cfg.blocks:
            if any(label.inline or label.name.isdigit() for label in block.labels) or (
                    block.end is not None and block.end.inline and (block.end.op in BRANCHES or block.end.op in ("j", "jr", "tail", "ret"))):
                return "has inline assembly with jumps"
        return None

    def _regions(self):
        graph = self.graph
        if self.seeds is not None:
            return graph.regions_around(self.seeds)
        if self.options.interleave:
            self.arms = interleave.two_armed(self.cfg, self.program)
            return graph.regions_around([{m + 1 for m in one | other} for _, one, other in self.arms])
        if self.options.all_branches:
            inner = graph.reachable - {0} - (set(graph.leaving) if len(graph.leaving) == 1 else set())
            if not any(len(graph.successors[n]) > 1 for n in inner):
                return []
            return [Region(inner, 0, graph.leaving[0] if len(graph.leaving) == 1 else None)]
        return graph.regions()

    def _can(self, region):
        for n in sorted(region.blocks | {region.entry}):
            block = self._code(n)
            if block is not None and block.end is not None and block.end.op == "jr" and not block.end.is_return():
                self._note(self.cfg.at(n - 1), "has a region around a jump through a register there (a switch by table, a computed goto)")
                return False
        return True

    @staticmethod
    def _live_in(block, live):
        live = set(live)
        for i in reversed(block.instructions):
            live = (live | i.defs if i.inline else live - i.defs) | i.uses
        return live

    def _registers(self, region):
        """The guard variable and what it is compared with."""
        taken = {"zero"}
        for n in region.blocks | region.bounds() | set(self.graph.successors[region.entry]):
            n = self.joins.get(n, n)
            if n:
                taken |= self.live_in[n - 1]
        for n in region.blocks | {region.entry}:
            block = self._code(n)
            if block is not None and block.end is not None:
                taken |= block.end.uses
        free = [r for r in _REGISTERS if r not in taken]
        if len(free) < 2:
            raise NoRegister(f"{self.cfg.at(min(region.blocks) - 1 if min(region.blocks) <= self.cfg.count else 0)}: function '{self.function.name}': no two registers are free to linearize with")
        return free[:2]

    # ---------------------------------------------------------------- plan

    def _may_wait(self, n):
        """At a barrier."""
        block = self._code(n)
        return block is not None and any(self.program.may_execute_barrier(self.function, i) for i in block.instructions)

    def _enters(self, region, s):
        """Of what follows the block in front of a region: who goes past it goes along the line, too, where the stack is to stay flat."""
        return s in region.blocks or (self.seeds is not None and s == region.exit)

    def _plan(self, region):
        graph = self.graph
        whole = self.options.all_branches or self.options.interleave or self.seeds is not None
        parts = {} if whole else graph.structured_parts(region)
        covered = {n: first for first, (blocks, _) in parts.items() for n in blocks}
        entries = [s for s in graph.successors[region.entry] if self._enters(region, s)]
        order = graph.order(region.blocks, [s for s in entries if s in region.blocks])
        if self.options.interleave:
            first_arms = {m + 1 for _, one, _ in self.arms for m in one}
            order = interleave.order(order, graph.successors, self._code, first_arms)
        firsts = [n for n in order if covered.get(n, n) == n and (n in covered or n not in self.joins)]
        region.units = []
        for n in firsts:
            blocks, leave = parts.get(n, ({n}, n))
            region.units.append((n, leave, sorted(blocks)))
        number = {first: k for k, (first, _, _) in enumerate(region.units, 1)}

        def value(n):
            while n in region.blocks and n not in number:
                n = self.joins[n]
            return number[n] if n in region.blocks else 0

        ways = [[value(s) for s in graph.successors[leave]] for _, leave, _ in region.units]

        def dominates(a, b):
            return graph.dominates(region.units[a - 1][0], region.units[b - 1][0])

        region.value = value
        barriers = None
        if self.options.merge_loops:
            barriers = [k for k, (_, _, blocks) in enumerate(region.units, 1) if any(self._may_wait(n) for n in blocks)]
        region.guard, region.scratch = self._registers(region)
        level = 0 if self.options.interleave else self.options.level  # the optimizations let an arm go past the other's guards
        while True:
            region.line = _Line(region.units, ways, [value(n) for n in entries],
                                dominates if self.seeds is None else None, level, barriers)
            if level == 0 or region.line.structured():
                break
            level -= 1
        region.origin = region.line.best_origin() if level >= 3 else 0

    # ---------------------------------------------------------------- text

    def _cut(self):
        """The statements of each block, the source line in force in front of it, and what is behind all of them."""
        block_of = {s: n for n, b in enumerate(self.cfg.blocks, 1) for s in b.labels + b.instructions}
        self.statements = {n: [] for n in block_of.values()}
        self.source_line = {}
        pending, last, line = [], None, (None, "1")
        for s in self.function.statements:
            n = block_of.get(s)
            if n is None:
                pending.append(s)
                if s.text.strip().startswith("#NO_APP") and last is not None:  # the inline assembly's end stays with it
                    self.statements[last] += pending
                    pending = []
                line = _source_line(s, line)
                continue
            if n != last:
                first = next((p for p in pending if p.text.strip().startswith(".loc")), None)
                self.source_line[n] = line if first is None else None
            self.statements[n] += pending + [s]
            pending, last = [], n
        self.tail = pending

    def _write(self, regions):
        """Blocks where they were, and a region's behind the block that leads into it. What another place is gone to from has a label."""
        self.heads, self.never = {}, []  # node of the graph or of a line -> where its label stands
        moved = {n for region in regions for n in region.blocks}
        pieces = []
        for n in self._original_order():
            if n in moved:
                continue
            pieces.append((n, None))
            for region in self.behind.get(n, []):
                pieces += [(node, region) for node in region.line.nodes if node.kind != "end"]
        result = []
        for (item, region), following in zip(pieces, [self._place(*piece) for piece in pieces[1:]] + [None]):
            if region is None:
                ways = []
                for s in self._followers(item):
                    into = next((r for r in self.behind.get(item, []) if self._enters(r, s)), None)
                    ways.append(self._way(into, into.line.entry, s) if into else (s, None, None))
                result += self._block(item, ways, following)
            elif item.kind == "block":
                first, leave, blocks = region.units[item.number - 1]
                inner = [first] + [n for n in blocks if n not in (first, leave)]
                for n, behind in zip(inner, inner[1:] + [leave]) if leave != first else []:
                    result += self._block(n, [(s, None, None) for s in self._followers(n)], behind)
                result += self._block(leave, [self._way(region, item, s) for s in self._followers(leave)], following)
            else:
                result += [self._head(item)] + [Statement(line) for line in self._check(item, region, following)]
        self.function.statements = [s for s in result + self.never + self.tail if not _is_frame_note(s)]

    @staticmethod
    def _place(target, region):
        """What a way goes to: a node of the graph, or a guard."""
        if isinstance(target, int):
            return target
        if target.kind == "block":
            return region.units[target.number - 1][0]
        return region.exit if target.kind == "end" and region.exit is not None else target

    def _original_order(self):
        """A join stands in front of its block."""
        for n in range(self.cfg.count + 1):
            if n in self.join_of:
                yield self.join_of[n]
            yield n

    def _code(self, n):
        """The block that a node is, if it is one."""
        return self.cfg.blocks[n - 1] if 0 < n <= self.cfg.count else None

    def _head(self, place):
        return self.heads.setdefault(place, Statement(""))

    def _label(self, place):
        block = self._code(place) if isinstance(place, int) else None
        if block is not None and block.labels:
            return block.labels[0].name
        head = self._head(place)
        if not head.text:
            head.text = self._new_label() + ":\n"
            if not isinstance(place, int) and place.kind == "end":  # no thread comes here
                self.never += [head, Statement("\tebreak\n")]
        return head.text[:-2]

    def _new_label(self):
        self.labels += 1
        return f".Lheddle_{self.label}_{self.labels}"

    def _followers(self, n):
        """Of a branch its target and then what stands behind it, though they be one."""
        block = self._code(n)
        if block is None:
            return self.graph.successors[n]
        joined = set(self.graph.successors[n])
        return [s + 1 if s + 1 in joined else self.join_of[s + 1] for s in block.successors]

    def _way(self, region, node, s):
        """(place, register, value) of the way from a node of a region's line to node s of the graph; no register where nobody asks."""
        value = region.value(s) or region.line.end.number
        edge = next(e for e in node.edges if e.mask == 1 << value)
        asks = edge.target.kind in ("guard", "back")
        return self._place(edge.target, region), region.guard if asks else None, value - region.origin

    def _block(self, n, ways, following):
        """A block's text, from its label to where it goes."""
        if self._code(n) is None:
            return [self._head(n)] + [Statement(line) for line in self._go(ways[0], following)]
        end = self._code(n).end
        branch = end is not None and end.op in BRANCHES
        result = [self._head(n)]
        if self.source_line.get(n) and self.source_line[n][0]:
            result.append(Statement("\t{} is_stmt {}\n".format(*self.source_line[n])))
        result += [s for s in self.statements.get(n, []) if s is not end or not (branch or (end.op == "j" and ways))]
        if branch and len(ways) == 2:
            lines = self._branch(end, *ways, following)
        else:
            lines = self._go(ways[0], following) if ways and (end is None or end.op != "jr") else []
        return result + [Statement(line) for line in lines]

    @staticmethod
    def _set(way):
        return [f"\tli\t{way[1]},{way[2]}\n"] if way[1] is not None else []

    def _go(self, way, following):
        return self._set(way) + ([] if way[0] == following else [f"\tj\t{self._label(way[0])}\n"])

    def _branch(self, end, taken, other, following):
        op, operands = end.op, end.operands[:-1]
        if taken[0] == other[0]:
            if taken[1] is None or taken[2] == other[2]:
                return self._go(other, following)
            if self.options.select and (chosen := _choose(taken[1], op, operands, taken[2], other[2])):
                return chosen + self._go((other[0], None, None), following)
            over = self._new_label()
            return (self._set(taken) + [f"\t{op}\t{','.join(operands + [over])}\n"] + self._set(other) + [f"{over}:\n"]
                    + self._go((other[0], None, None), following))
        if taken[0] == following:
            op, taken, other = _INVERSE[op], other, taken
        return self._set(taken) + [f"\t{op}\t{','.join(operands + [self._label(taken[0])])}\n"] + self._go(other, following)

    def _check(self, node, region, following):
        op, there, here = ("bne", *reversed(node.edges)) if node.kind == "guard" else ("ble", *node.edges)
        with_zero = region.line.compares_with_zero(node, region.origin) if region.origin else None
        return [*([] if with_zero else [f"\tli\t{region.scratch},{node.number - region.origin}\n"]),
                f"\t{with_zero or op}\t{region.guard},{'zero' if with_zero else region.scratch},{self._label(self._place(there.target, region))}\n",
                *self._go((self._place(here.target, region), None, None), following)]


_COMPARE = {"beq": "xor", "bne": "xor", "blt": "slt", "bltu": "sltu", "bgt": "slt", "bgtu": "sltu"}


def _choose(register, op, operands, taken, other):
    """One value or the other into the register, as a branch would choose, without one: threads do not part for it."""
    if op.endswith("z"):
        op, operands = op[:-1], [*operands, "zero"]
    inverse = op in ("bge", "bgeu", "ble", "bleu")
    op = _INVERSE[op] if inverse else op
    taken, other = (other, taken) if inverse else (taken, other)
    left, right = reversed(operands) if op.startswith("bgt") else operands
    if max(taken, other) > 1023:  # immediate operands
        return None
    lines = [f"\t{_COMPARE[op]}\t{register},{left},{right}\n"]
    if op in ("beq", "bne"):
        set_bit = "seqz" if op == "beq" else "snez"
        lines = (lines if right != "zero" else []) + [f"\t{set_bit}\t{register},{register if right != 'zero' else left}\n"]
    if abs(taken - other) > 1:
        return lines + [f"\tneg\t{register},{register}\n", f"\tandi\t{register},{register},{taken ^ other}\n", f"\txori\t{register},{register},{other}\n"]
    return lines + [f"\tneg\t{register},{register}\n"] * (taken < other) + [f"\taddi\t{register},{register},{other}\n"]


def _source_line(statement, line):
    """(directive, is_stmt) in force behind a statement."""
    words = statement.text.split()
    if not words or words[0] != ".loc":
        return line
    stmt = line[1]
    if "is_stmt" in words:
        at = words.index("is_stmt")
        stmt = words[at + 1]
        del words[at:at + 2]
    return " ".join(words), stmt


def _is_frame_note(statement):
    """Where the frame is, of a function whose blocks have moved: the assembler asks for these in the order of execution."""
    bare = statement.text.strip()
    return bare.startswith(".cfi_") and not bare.startswith((".cfi_startproc", ".cfi_endproc", ".cfi_sections"))
