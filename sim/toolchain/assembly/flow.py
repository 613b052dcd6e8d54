# SPDX-License-Identifier: Apache-2.0
"""Data flow of one function: which registers are live, and where the threads of a warp may differ."""

import collections

from .cfg import Cfg
from .text import LOADS, REGISTERS, STORES, WORD, number

# Control and status registers that are the same for all threads of a warp: block index and size, grid size, warp.
_UNIFORM_CSRS = set(range(0xCC3, 0xCCC)) | {0xCCD}


class Flow(Cfg):
    # ---------------------------------------------------------------- liveness

    def live_out(self):
        """For each block the registers that are read behind it before they are written. Inline assembly reads all it names."""
        live_in = [set() for _ in self.blocks]
        changed = True
        while changed:
            changed = False
            for n in range(self.count - 1, -1, -1):
                live = self.behind(n, live_in)
                for instruction in reversed(self.blocks[n].instructions):
                    live = (live | instruction.defs if instruction.inline else live - instruction.defs) | instruction.uses
                if live != live_in[n]:
                    live_in[n], changed = live, True
        return [self.behind(n, live_in) for n in range(self.count)]

    def behind(self, n, live_in):
        return set().union(*(live_in[s] for s in self.blocks[n].successors))

    # ---------------------------------------------------------------- where threads may differ

    def divergent_branches(self, kernel, loads=True):
        """Blocks that end with a branch whose sides the threads of a warp may take apart.

        A forward analysis of what is the same in all threads: the arguments of a kernel, constants, block and grid, what is
        computed from such, or loaded from an address that is such. Where the sides of a branch that is not uniform meet again,
        nothing is that was written on either side. Memory of the thread (the stack) is followed word by word unless its
        address is taken. `loads`: threads that have not met load together, as they do where each branch has a place to meet."""
        ends = self.post_dominators()
        escapes = any("sp" in i.uses and not (i.op == "addi" and i.defs == {"sp"}) and i.slot() is None and not i.is_call()
                      and i.op != "tail" and not i.is_return() for b in self.blocks for i in b.instructions)
        entry = REGISTERS - {"tp"} if kernel else {"sp", "gp"}
        lost = {}  # block -> what is not uniform at its start because threads of several ways meet there
        divergent = set()
        while True:
            at_start = self._uniform(entry, lost, escapes, loads)
            found = {n for n, block in enumerate(self.blocks) if len(block.successors) > 1 and at_start[n] is not None
                     and not block.end.uses <= self._through(block, at_start[n], escapes, loads)}
            if found <= divergent:
                return divergent
            for n in found - divergent:
                sides = collections.Counter(m for s in self.blocks[n].successors for m in self.reach([s], ends[n]))
                written = set().union(*(self._written(self.blocks[m]) for m in sides))
                meeting = {m for m, ways in sides.items() if ways > 1} | ({ends[n]} if ends[n] is not None else set())
                for m in meeting:
                    lost[m] = lost.get(m, set()) | written
            divergent |= found

    def _written(self, block):
        result = set()
        for i in block.instructions:
            result |= i.defs
            if i.op in STORES and i.slot() is not None:
                result.update(i.words(i.slot()))
        return result

    def _uniform(self, entry, lost, escapes, loads):
        at_start = [None] * self.count  # None: not reached yet
        at_start[0] = frozenset(entry)
        work = [0]
        while work:
            n = work.pop()
            behind = self._through(self.blocks[n], at_start[n], escapes, loads)
            for s in self.blocks[n].successors:
                merged = behind - lost.get(s, set())
                if at_start[s] is not None:
                    merged &= at_start[s]
                if at_start[s] is None or merged != at_start[s]:
                    at_start[s] = frozenset(merged)
                    work.append(s)
        return at_start

    @staticmethod
    def _through(block, uniform, escapes, loads):
        """What is uniform behind a block. Words of the frame are their numbers."""
        uniform = set(uniform)
        for i in block.instructions:
            slot = i.slot()
            if i.op in STORES:
                if slot is not None:
                    whole = i.bytes() >= WORD and slot % WORD == 0 and i.uses <= uniform and not escapes
                    (uniform.update if whole else uniform.difference_update)(i.words(slot))
                continue
            if "sp" in i.defs:  # the frame moves: its words get other numbers
                uniform = {u for u in uniform if isinstance(u, str)}
                continue
            if i.is_call():
                same = False
            elif i.op in ("csrr", "csrrs") and len(i.operands) >= 2 and i.uses <= {"zero"}:
                same = number(i.operands[1]) in _UNIFORM_CSRS
            elif i.op in LOADS:
                same = uniform.issuperset(i.words(slot)) and not escapes if slot is not None else loads and i.uses <= uniform
            elif i.opaque or i.op.startswith(("amo", "lr.", "sc.", "csr")) or "sp" in i.uses:
                same = False
            else:
                same = i.uses <= uniform
            if i.inline and not i.defs:
                uniform -= i.uses  # what is in the text without being its first operand may be written as well
            (uniform.update if same else uniform.difference_update)(i.defs)
        return frozenset(uniform)
