# SPDX-License-Identifier: Apache-2.0
"""Branch interleaving (linearization paper, 5.1): of a branch with two arms the blocks of both take turns, so that what one arm loads
comes while the other one works. A block that loads and uses is two.

A warp has one scoreboard: an instruction of the other arm must not name the register of a load that is still under way. So such a
load gets a register of its own where one is free and its value stays in the block.
"""

import re

from .cfg import directed_graph, networkx
from .flow import Flow
from .text import LOADS, Statement

_MOST_BLOCKS = 200  # of both arms
_INTEGER = [f"a{n}" for n in range(8)] + [f"t{n}" for n in range(7)] + [f"s{n}" for n in range(2, 12)]
_FLOAT = [f"fa{n}" for n in range(8)] + [f"ft{n}" for n in range(12)] + [f"fs{n}" for n in range(12)]
_KEPT = 2  # integer registers for the guards


def is_load(instruction):
    """One that may take long: not of the frame."""
    return instruction.op in LOADS and instruction.slot() is None and not instruction.inline


def two_armed(cfg, program):
    """(branch, blocks of one arm, of the other), the outermost ones with a load and without a call or barrier."""
    found, inside = [], set()
    ends = cfg.post_dominators()
    function = cfg.function
    for n, block in enumerate(cfg.blocks):
        sides = list(dict.fromkeys(block.successors))
        if n in inside or len(sides) != 2 or ends[n] is None or ends[n] in sides:
            continue
        one, other = (cfg.reach([s], ends[n]) for s in sides)
        arms = one | other
        if one & other or n in arms or arms & inside or len(arms) > _MOST_BLOCKS:
            continue
        if any(p not in arms and p != n for m in arms for p in cfg.predecessors[m]):
            continue
        code = [i for m in arms for i in cfg.blocks[m].instructions]
        if any(i.is_call() or program.may_execute_barrier(function, i) for i in code) or not any(map(is_load, code)):
            continue
        found.append((n, one, other))
        inside |= arms
    return found


def split_loads(file, program, chosen):
    """Labels in front of what uses a load of its own block, in the arms of functions for which chosen(function)."""
    for index, function in enumerate(file.functions):
        cfg = program.cfg(function, Flow)
        if chosen(function) and cfg.complete:
            _Splitter(function, index, cfg, program).run()


class _Splitter:
    def __init__(self, function, index, cfg, program):
        self.function = function
        self.index = index
        self.cfg = cfg
        self.program = program
        self.labels = 0

    def run(self):
        found = two_armed(self.cfg, self.program)
        if not found:
            return
        if self.program.has_no_caller(self.function):
            for i in self.function.instructions:
                if i.is_return():
                    i.uses = {"ra"}
        live_out = self.cfg.live_out()
        for branch, one, other in found:
            blocks = [self.cfg.blocks[m] for m in sorted(one | other)]
            named = set().union(*(i.uses | i.defs for b in blocks + [self.cfg.blocks[branch]] for i in b.instructions), *(live_out[m] for m in one | other), live_out[branch])
            free = {"i": [r for r in _INTEGER if r not in named][_KEPT:], "f": [r for r in _FLOAT if r not in named]}
            for m in sorted(one | other):
                self._split(self.cfg.blocks[m], live_out[m], free)

    def _split(self, block, live_out, free):
        code = block.instructions
        waiting = {}  # register -> place of its load
        for at, i in enumerate(code):
            if i.uses & waiting.keys():
                for register, load in waiting.items():
                    self._rename(code, load, register, live_out, free)
                waiting = {}
                self.labels += 1
                place = self.function.statements.index(i)
                self.function.statements.insert(place, Statement(f".Lheddle_split{self.index}_{self.labels}:\n"))
            for register in i.defs:
                waiting.pop(register, None)
            if is_load(i) and len(i.defs) == 1:
                waiting[next(iter(i.defs))] = at

    @staticmethod
    def _rename(code, load, register, live_out, free):
        names = free["f" if register.startswith("f") else "i"]
        users = []
        for i in code[load + 1:]:
            if register in i.uses:
                users.append(i)
            if register in i.defs:
                break
        else:
            if register in live_out:
                return
        if not names or any(i.inline or i.opaque or register in i.defs and i.operands[0] != register for i in users):
            return
        name = names.pop()

        def changed(i, first):
            operands = [re.sub(rf"(?<![\w.]){register}(?!\w)", name, o) if k >= first else o for k, o in enumerate(i.operands)]
            i.operands, i.text = operands, i.spell(operands)
        code[load].operands[0] = name
        code[load].text = code[load].spell()
        for i in users:
            changed(i, 1 if i.defs else 0)


def order(nodes, successors, block_of, one):
    """An order of the nodes in which the arms take turns where a load has come before: loops stay together; `one`: those of the first arm.

    successors: of each node; block_of(n): its block, or None; within a loop as `nodes` come."""
    graph = directed_graph((n, s) for n in nodes for s in successors[n] if s in set(nodes))
    graph.add_nodes_from(nodes)
    parts = networkx().condensation(graph)
    place = {n: k for k, n in enumerate(nodes)}
    missing = {part: parts.in_degree(part) for part in parts}
    ready = [part for part in parts if not missing[part]]
    result, last, waiting = [], None, set()  # what the last part of each arm has loaded

    def arm(part):
        return min(parts.nodes[part]["members"], key=place.get) in one

    def code(part):
        return [i for n in parts.nodes[part]["members"] if block_of(n) is not None for i in block_of(n).instructions]

    while ready:
        part = min(ready, key=lambda p: (bool(waiting & set().union(*(i.uses for i in code(p)))) and arm(p) == last,
                                         min(place[n] for n in parts.nodes[p]["members"])))
        ready.remove(part)
        result += sorted(parts.nodes[part]["members"], key=place.get)
        if code(part):
            last = arm(part)
            waiting = set().union(*(i.defs for i in code(part) if is_load(i)))
        for s in parts.successors(part):
            missing[s] -= 1
            if not missing[s]:
                ready.append(s)
    return result
