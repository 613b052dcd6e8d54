# SPDX-License-Identifier: Apache-2.0
"""Loops that wait for another thread, and what they may wait for (the idea is that of "MIMD Synchronization on SIMT Architectures", MICRO 2016).

A loop waits if the ways out of it are decided by memory that it reads at an address which does not change in it, and by nothing that it changes
itself: a load, or an atomic that does the same again and again (amoswap, amoor, compare and swap with operands that stay; not amoadd of
more than 0). A way out that is decided by what stays alone is taken at once or never. What it may wait for are the writes outside of it whose address comes from the same pointer or variable.
"""

import re

from .text import LOADS, STORES, register

_REPEATED = ("amoswap", "amoand", "amoor", "amomin", "amomax", "lr.")  # done once more they change nothing
_ADVANCING = ("amoadd", "amoxor", "sc.")
_UNKNOWN = "unknown"


def is_atomic(i):
    return i.op.startswith(("amo", "lr.", "sc.")) or is_compare_and_swap(i)


def is_compare_and_swap(i):
    """As .insn: its first register holds what is expected, then what was there."""
    return i.op == ".insn" and i.operands[0].split() == ["r", "0x2f"] and len(i.operands) == 6


def writes_memory(i):
    """Other than the thread's own frame, as far as the instruction shows."""
    return (i.op in STORES and i.slot() is None) or (is_atomic(i) and not i.op.startswith("lr."))


def _address(i):
    return i.operands[4] if is_compare_and_swap(i) else i.operands[-1]


def register_in(operand):
    """The register of an operand, `a0` or `%lo(x)(a0)`; None: it has none, or it is zero."""
    name = register(operand.split("(")[-1].rstrip(")"))
    return name if name != "zero" else None


def _symbol(operand):
    """The symbol of an operand, `%lo(x+4)(a0)`."""
    words = [w for w in re.findall(r"[%\w.$]+", operand) if not w.startswith("%") and not w[0].isdigit() and register(w) is None]
    return "symbol " + words[0] if words else None


class Definitions:
    """Which instructions a register may have its value from. `blocks`: only these; a value from outside of them is None."""

    def __init__(self, cfg, blocks):
        self.cfg = cfg
        self.blocks = blocks
        self.place = {i: (n, k) for n in blocks for k, i in enumerate(cfg.blocks[n].instructions)}
        self.known = {}

    @staticmethod
    def defines(i, name):
        return name in i.defs or (is_compare_and_swap(i) and register_in(i.operands[3]) == name)

    def of(self, instruction, name):
        if (instruction, name) not in self.known:
            n, k = self.place[instruction]
            self.known[instruction, name] = self._search(n, k, name)
        return self.known[instruction, name]

    def _search(self, n, k, name):
        result, seen, work = set(), set(), [(n, k)]
        while work:
            n, k = work.pop()
            found = next((i for i in reversed(self.cfg.blocks[n].instructions[:k]) if self.defines(i, name)), None)
            if found is not None:
                result.add(found)
                continue
            if n == 0 or any(p not in self.blocks for p in self.cfg.predecessors[n]):
                result.add(None)
            for p in self.cfg.predecessors[n]:
                if p in self.blocks and p not in seen:
                    seen.add(p)
                    work.append((p, len(self.cfg.blocks[p].instructions)))
        return result


class Loop:
    """A loop of a function: does it wait, and for which memory."""

    def __init__(self, cfg, blocks):
        self.cfg = cfg
        self.blocks = blocks
        self.definitions = Definitions(cfg, blocks)
        self.whole = Definitions(cfg, set(range(cfg.count)))
        self.state = {}  # instruction -> "open", or whether its result stays or is read from memory
        self.reads = []  # instructions

    def waits(self):
        ends = [self.cfg.blocks[n].end for n in sorted(self.blocks) if any(s not in self.blocks for s in self.cfg.blocks[n].successors)]
        for end in ends:
            if end is None or end.op == "jr" or len(self.cfg.blocks[self.definitions.place[end][0]].successors) < 2:
                return False
            if not all(self._stays(end, name) for name in end.uses):
                return False
        if any(i.is_call() for n in self.blocks for i in self.cfg.blocks[n].instructions):
            return False
        return any(self._is_decided_by_a_read(end) for end in ends) and not self._makes_it_true()

    def _is_decided_by_a_read(self, end):
        work, seen = [end], {end, None}
        while work:
            i = work.pop()
            if i in self.reads:
                return True
            found = {d for name in i.uses for d in self.definitions.of(i, name)} - seen
            seen |= found
            work += found
        return False

    def _stays(self, instruction, name):
        """A register's value at an instruction is the same in every turn, but for what the memory at places that stay has."""
        sources = self.definitions.of(instruction, name)
        inside = sources - {None}
        return not inside or (None not in sources and all(self._result_stays(d) for d in inside))

    def _result_stays(self, i):
        if i not in self.state:
            self.state[i] = "open"
            self.state[i] = self._evaluate(i)
        return self.state[i] is True  # open: it depends on itself

    def _evaluate(self, i):
        if i.is_call() or i.op.startswith(("csr", "rd")) or (i.opaque and not is_compare_and_swap(i)):
            return False
        if not all(self._stays(i, name) for name in i.uses):
            return False
        if i.op in LOADS and i.slot() is None:
            self.reads.append(i)
        elif i.op in LOADS:
            return all(s.slot() is None or i.slot() not in range(s.slot() - 7, s.slot() + 8)
                       for n in self.blocks for s in self.cfg.blocks[n].instructions if s.op in STORES)
        elif is_compare_and_swap(i) or i.op.startswith(_REPEATED):
            self.reads.append(i)
        elif i.op.startswith(_ADVANCING):
            if i.op.startswith("sc.") or not self._is_zero(i, register_in(i.operands[1])):
                return False
            self.reads.append(i)
        return True

    def _is_zero(self, i, name):
        """A register, or none, is 0 at an instruction."""
        sources = self.whole.of(i, name) if name is not None else ()
        return all(d is not None and d.op == "li" and d.operands[1] == "0" for d in sources)

    def _makes_it_true(self):
        """The loop writes what it reads, other than by what reads it."""
        roots = Roots(self.cfg)
        writes = [i for n in self.blocks for i in self.cfg.blocks[n].instructions if writes_memory(i) and i not in self.reads]
        return any(roots.may_meet(i, read) for i in writes for read in self.reads)

    def releases(self, may_write):
        """Instructions outside of it that may end it. `may_write(call)`: a call of a function that writes memory."""
        roots = Roots(self.cfg)
        return [i for n, b in enumerate(self.cfg.blocks) if n not in self.blocks for i in b.instructions
                if may_write(i) or (writes_memory(i) and any(roots.may_meet(i, read) for read in self.reads))]


class Roots:
    """What an address is computed from: registers at the function's begin, symbols, pointers in memory."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.definitions = Definitions(cfg, set(range(cfg.count)))
        self.known = {}

    def may_meet(self, a, b):
        first, second = self.of_address(a), self.of_address(b)
        if first == {"sp"} or second == {"sp"}:
            return False
        return _UNKNOWN in first | second or not first or not second or bool((first & second) - {"sp"})

    def of_address(self, i):
        base, symbol = register_in(_address(i)), _symbol(_address(i))
        return (self.of(i, base) if base is not None else set()) | ({symbol} if symbol else set())

    def of(self, instruction, name):
        if name in ("sp", "gp", "tp"):
            return {name}
        result = set()
        for d in self.definitions.of(instruction, name):
            result |= {"entry " + name} if d is None else self._result(d)
        return result

    def _result(self, i):
        if i not in self.known:
            self.known[i] = set()  # what depends on itself adds nothing
            self.known[i] = self._evaluate(i)
        return self.known[i]

    def _evaluate(self, i):
        if i.is_call() or is_compare_and_swap(i) or i.op.startswith("amo"):
            return {_UNKNOWN}
        if i.op.startswith(("csr", "rd")):
            return set()
        if i.op in LOADS and i.slot() is not None:
            stores = [s for b in self.cfg.blocks for s in b.instructions if s.op in STORES and s.slot() == i.slot()]
            names = [(s, register_in(s.operands[0])) for s in stores]
            return set().union(*(self.of(s, name) for s, name in names if name is not None)) if stores else {_UNKNOWN}
        if i.op in LOADS:
            return {"memory at " + " ".join(sorted(self.of_address(i)))}
        if i.opaque:
            return {_UNKNOWN}
        symbols = {_symbol(o) for o in i.operands[1:]} - {None}
        return symbols.union(*(self.of(i, name) for name in i.uses))
