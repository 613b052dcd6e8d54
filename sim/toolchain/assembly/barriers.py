# SPDX-License-Identifier: Apache-2.0
"""Copies of a barrier: the compiler may copy `asm volatile`, and threads that come to different copies do not meet."""

import collections
import re

from . import Refused
from .flow import Flow


def barriers_with_calls(functions):
    """name -> Counter of the barriers one call of the function contains when every call in it is expanded in place."""
    by_name = {f.name: f for f in functions}
    totals = {}

    def total(name, active):
        if name in totals:
            return totals[name]
        if name not in by_name or name in active:
            return collections.Counter()
        instructions = by_name[name].instructions
        result = collections.Counter(line for i in instructions for line in i.barriers)
        for callee, sites in collections.Counter(i.callee() for i in instructions if i.callee() and not i.inline).items():
            for line, copies in total(callee, active | {name}).items():
                result[line] += sites * copies
        totals[name] = result
        return result

    for f in functions:
        total(f.name, frozenset())
    return totals


def source_name(symbol):
    """Without the suffixes the compiler gives to specialised copies (.constprop.0, .isra.0, .part.0)."""
    return re.sub(r"(\.(constprop|isra|part|cold)(\.\d+)?)+$", "", symbol)


def check_barriers(source, optimised, reference):
    """Refuses code with more copies of a barrier than the source has, if threads may come to two of them at a time: behind a
    branch that is not the same for all threads of a warp. Expanding calls makes inlining irrelevant."""
    wanted = barriers_with_calls(reference.functions)
    totals = barriers_with_calls(optimised.functions)

    def barriers_of(instruction):
        return instruction.barriers or (sorted(totals.get(instruction.callee(), ())) if instruction.is_call() else [])

    for function in optimised.functions:
        name, barriers = function.name, totals[function.name]
        allowed = wanted.get(source_name(name))
        if allowed is None or all(copies <= allowed[line] for line, copies in barriers.items()):
            continue
        if _copies_apart(Flow(function), barriers_of) is None:
            continue
        for line, copies in sorted(barriers.items()):
            if copies > allowed[line]:
                raise Refused(
                    f"{source}:{line}: the compiler made {copies} barriers of {allowed[line]} in function "
                    f"'{source_name(name)}', which threads could reach apart; compile with -O2 and without loop unrolling, or "
                    "accept it with --no-barrier-check")


def _copies_apart(flow, lines_of):
    """A source line whose barrier the compiler has copied so that threads of a warp may come to two copies of it at the
    same time, or None. lines_of(instruction): source lines of the barriers that an instruction stands for."""
    barriers = [[line for i in block.instructions for line in lines_of(i)] for block in flow.blocks]
    twice = {line for lines in barriers for line in lines if lines.count(line) > 1}
    copied = twice | {line for n, lines in enumerate(barriers) for line in lines
                      if any(line in other for other in barriers[:n] + barriers[n + 1:])}
    if not copied:
        return None
    if not flow.known:
        return min(copied)
    for n in sorted(flow.divergent_branches(flow.function.kernel)):
        firsts, region = _first_barriers(flow, n, barriers)
        met = [barriers[m][0] for m in firsts]
        again = [line for line in met if line in copied and met.count(line) > 1]
        if again and not _common(flow, n, firsts, region):
            return min(again)
    return None


def _first_barriers(flow, branch, barriers):
    """The blocks with the first barriers behind a branch, and all blocks on the way."""
    firsts, seen, work = set(), set(), list(flow.blocks[branch].successors)
    while work:
        n = work.pop()
        if n in seen:
            continue
        seen.add(n)
        if barriers[n]:
            firsts.add(n)
        else:
            work += flow.blocks[n].successors
    return firsts, seen


def _common(flow, branch, firsts, region):
    """True if one block lies on every way from the branch to those barriers: its sides meet there first."""
    for cut in region:
        reached, work = set(), [s for s in flow.blocks[branch].successors if s in region and s != cut]
        while work:
            n = work.pop()
            if n in reached:
                continue
            reached.add(n)
            if n not in firsts:
                work += [s for s in flow.blocks[n].successors if s in region and s != cut]
        if not reached & firsts:
            return True
    return False
