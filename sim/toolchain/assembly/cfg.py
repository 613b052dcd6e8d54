# SPDX-License-Identifier: Apache-2.0
"""Control-flow graph of one function of an assembly file.

Calls fall through, unless the callee does not return. Numeric labels (`1f`) and jumps of inline assembly are followed. A jump
through a table behind it goes to the table's labels; any other indirect jump to all labels of the function whose address is
taken (a computed goto), or out of the function if there are none. Thread exits (`ecall` with a7 = 93 set in the block), `ebreak`
and calls that do not return end a path without leaving the function.
"""

import re

from . import Refused
from .text import BRANCHES, Instruction, Label

_EXIT_CALLS = {"93", "94"}
NOT_RETURNING = frozenset({"abort", "exit", "_exit", "__assert_func", "__heddle_exit", "longjmp"})


def networkx():
    """The graph library, where one is needed: most sources are compiled without."""
    try:
        import networkx as library  # pylint: disable=import-outside-toplevel
    except ImportError:
        raise Refused("the Python module networkx was not found: install the package python3-networkx") from None
    return library


def directed_graph(edges):
    """Of these edges, added one by one: networkx's constructor imports pandas, NumPy and SciPy, where they are, to see what it is given."""
    graph = networkx().DiGraph()
    graph.add_edges_from(edges)
    return graph


class Block:
    def __init__(self):
        self.labels = []       # statements
        self.instructions = []
        self.successors = []   # numbers of blocks; of a conditional branch the target, then the next one
        self.leaves = False    # may leave the function: return, tail call, jump out of it

    @property
    def end(self):
        return self.instructions[-1] if self.instructions else None

    @property
    def first(self):
        """The statement in front of which code for all ways into the block stands."""
        return (self.labels or self.instructions)[0].anchor

    @property
    def falls_through(self):
        return self.end is None or self.end.op not in ("j", "jr", "tail", "ret")


class IndirectJumps:
    """Indirect jumps that share their targets, and the statements in which these are named."""

    def __init__(self, blocks, targets, references):
        self.blocks = blocks
        self.targets = targets        # numbers of blocks
        self.references = references  # label -> statements


class Cfg:
    """`alone(instruction)`: true for what is to be a block of its own. `returns(callee)`: false for what does not come back.
    `sibling_calls`: an indirect jump may be a call instead of a goto."""

    def __init__(self, function, alone=lambda i: False, returns=lambda name: name not in NOT_RETURNING, sibling_calls=False):
        self.function = function
        self.known = function.readable  # the compiler's own direct control flow only
        self.complete = function.readable  # all edges are known
        self.indirect = []
        self.blocks = self._make_blocks(alone, returns)
        self.count = len(self.blocks)
        self._connect(returns, sibling_calls)

    def _make_blocks(self, alone, returns):
        blocks = [Block()]
        for s in self.function.statements:
            if s in self.function.data or not isinstance(s, (Label, Instruction)):
                continue
            if isinstance(s, Label):
                self.known &= not s.inline
                if blocks[-1].instructions:
                    blocks.append(Block())
                blocks[-1].labels.append(s)
                continue
            apart = alone(s)
            if apart and blocks[-1].instructions:
                blocks.append(Block())
            blocks[-1].instructions.append(s)
            transfer = s.op in BRANCHES or s.op in ("j", "jr", "tail", "ret")
            self.known &= not (s.inline and (transfer or s.is_call()))
            if apart or transfer or self._ends(blocks[-1], returns):
                blocks.append(Block())
        if not blocks[-1].labels and not blocks[-1].instructions and len(blocks) > 1:
            blocks.pop()
        return blocks

    @staticmethod
    def _ends(block, returns):
        """True if no thread comes behind the block's last instruction."""
        end = block.instructions[-1]
        if end.op in ("ebreak", "unimp"):
            return True
        if end.op == "ecall":
            sets = [i for i in block.instructions if "a7" in i.defs]
            return bool(sets) and sets[-1].op == "li" and sets[-1].operands[1] in _EXIT_CALLS
        return end.is_call() and end.callee() is not None and not returns(end.callee())

    def _labels(self):
        """Label -> block, and numeric label -> blocks with it."""
        named, numeric = {}, {}
        for n, block in enumerate(self.blocks):
            for label in block.labels:
                if label.name.isdigit():
                    numeric.setdefault(label.name, []).append(n)
                else:
                    named[label.name] = n
        return named, numeric

    def _connect(self, returns, sibling_calls):
        self.block_of, numeric = self._labels()

        def block_at(label, n):
            if match := re.fullmatch(r"(\d+)([bf])", label):
                places = numeric.get(match.group(1), [])
                before, behind = [p for p in places if p <= n], [p for p in places if p > n]
                return (before[-1] if before else None) if match.group(2) == "b" else (behind[0] if behind else None)
            return self.block_of.get(label)

        indirect = []
        for n, block in enumerate(self.blocks):
            end = block.end
            following = [n + 1] if n + 1 < self.count else []
            if end is not None and end.target() is not None:
                target = block_at(end.target(), n)
                if target is None:
                    self.known = False
                    block.leaves = True
                block.successors = ([] if target is None else [target]) + (following if end.op in BRANCHES else [])
            elif end is not None and end.op in ("jr", "tail", "ret"):
                block.leaves = (end.op != "jr" or end.operands[0] in ("ra", "x1", "t0", "x5")) and not end.ends_thread()
                if end.op == "jr" and not end.is_return():
                    self.known = False
                    if not block.leaves:
                        indirect.append(n)
            elif end is None or not self._ends(block, returns):
                block.successors = following
        if indirect:
            self._find_targets(indirect, sibling_calls)
        self.predecessors = [[] for _ in self.blocks]
        for n, block in enumerate(self.blocks):
            for s in dict.fromkeys(block.successors):
                self.predecessors[s].append(n)

    def _find_targets(self, indirect, sibling_calls):
        tables = {n: self.function.tables.get(self.blocks[n].end) for n in indirect}
        addressed = self.function.file.addressed()
        own = {label: statements for label, statements in addressed.items() if label in self.block_of}
        if all(tables.values()):
            for n in indirect:
                private = {label: [s for s in statements if s in tables[n]] for label, statements in own.items()}
                self._add_indirect([n], {label: statements for label, statements in private.items() if statements})
            return
        if not own or sibling_calls:
            for n in indirect:
                self.blocks[n].leaves = not tables[n]
        if own:
            self._add_indirect(indirect, own)

    def _add_indirect(self, blocks, references):
        targets = sorted({self.block_of[label] for label in references})
        self.indirect.append(IndirectJumps(blocks, targets, references))
        for n in blocks:
            self.blocks[n].successors = list(targets)

    def block_of_instruction(self, instruction):
        """The number of its block."""
        return next(n for n, b in enumerate(self.blocks) if instruction in b.instructions)

    def at(self, n):
        """`file:line` of a block."""
        return self.function.at((self.blocks[n].instructions or self.blocks[n].labels)[0])

    # ---------------------------------------------------------------- paths and dominators

    def reach(self, starts, stop):
        """Blocks reachable from `starts`, themselves included, without passing `stop`."""
        seen, work = set(), list(starts)
        while work:
            n = work.pop()
            if n in seen or n == stop:
                continue
            seen.add(n)
            work += self.blocks[n].successors
        return seen

    def _immediate(self, edges, root):
        """Block -> immediate dominator in a graph that begins at `root`; None where that is the root itself."""
        graph = directed_graph(edges)
        graph.add_node(root)
        found = networkx().immediate_dominators(graph, root)
        return [found.get(n) if n != root and found.get(n) != -1 else None for n in range(self.count)]

    def dominators(self):
        """The immediate dominator of each block; None for the entry and what cannot be reached."""
        return self._immediate([(n, s) for n, b in enumerate(self.blocks) for s in b.successors], 0)

    def post_dominators(self):
        """The immediate post-dominator of each block; None where it is the function's end, or nothing ends. Where a thread ends is
        no place to meet, so ends count only for blocks from which nothing leaves the function."""
        reverse = [(s, n) for n, b in enumerate(self.blocks) for s in b.successors]
        leaving = [n for n, b in enumerate(self.blocks) if b.leaves]
        result = self._immediate(reverse + [(-1, n) for n in leaving], -1)
        leaves = self.reaching(leaving)
        inner = [(s, n) for s, n in reverse if s not in leaves]
        ending = self._immediate(inner + [(-1, n) for n, b in enumerate(self.blocks) if not b.successors and not b.leaves], -1)
        return [result[n] if n in leaves else ending[n] for n in range(self.count)]

    def reaching(self, ends, through=None):
        """Blocks from which one of `ends` can be reached, themselves included; by way of these blocks alone."""
        seen, work = set(), list(ends)
        while work:
            n = work.pop()
            if n not in seen:
                seen.add(n)
                work += [p for p in self.predecessors[n] if through is None or p in through]
        return seen
