# SPDX-License-Identifier: Apache-2.0
"""Regions of fork and join: which join closes which fork, and whether the machine can run them.

`fork` names the address of its join. A thread that arrives at that address stops, and goes on behind it when all threads of the
region have; so a join that is ever issued was reached without its fork. What must hold, on every path: behind a fork its join
comes next among fork and join of the same depth, or the thread ends; nothing enters a region but its fork; no barrier inside.
"""

from . import Refused
from .text import Label


def has_marks(function):
    return any(i.is_fork() or i.is_join() for i in function.instructions)


def _region_cfg(function, program):
    def alone(i):
        return i.is_fork() or i.is_join()

    if not function.readable:
        raise Refused(f"{function.file.name}: function '{function.name}' has fork and join, and inline assembly that cannot be followed")
    return program.cfg(function, alone=alone)


def resolve_marks(program, file):
    """Gives each fork of kernel.h, which names no label yet, its join. They match like parentheses, along every path."""
    for index, function in enumerate(file.functions):
        if any(i.is_fork() and i.join_label() == "." for i in function.instructions):
            _resolve(function, _region_cfg(function, program), index)


def _resolve(function, cfg, index):
    for number, (forks, joins) in enumerate(_match(function, cfg)):
        fork = cfg.blocks[forks[0]].end
        if not joins:
            raise Refused(f"{function.at(fork)}: fork without a join")
        if len(joins) > 1:
            places = sorted({function.at(cfg.blocks[n].end) for n in joins})
            raise Refused(f"{function.at(fork)}: fork with several joins, at {' and '.join(places)}" if len(places) > 1 else
                          f"{function.at(fork)}: the compiler has copied the join of this fork, at {places[0]}, {len(joins)} times")
        label = f".Lheddle_mark{index}_{number}"
        cfg.blocks[joins[0]].end.before.append(f"{label}:\n")
        for n in forks:
            text = cfg.blocks[n].end.text
            cfg.blocks[n].end.text = label.join(text.rsplit(".", 1))


def _match(function, cfg):
    """(forks, joins) of each region: blocks. Forks from which paths meet while their regions are open are one region's."""
    opened = {0: ()}   # block -> the forks that are open at its start
    same = {}          # fork -> another one of the same region: copies of the compiler
    joins = {}         # fork -> blocks
    work = [0]

    def group(fork):
        while fork in same:
            fork = same[fork]
        return fork

    while work:
        n = work.pop()
        block, forks = cfg.blocks[n], opened[n]
        if block.end is not None and block.end.is_fork():
            forks = forks + (n,)
        elif block.end is not None and block.end.is_join():
            if not forks:
                raise Refused(f"{function.at(block.end)}: join without a fork")
            joins.setdefault(forks[-1], set()).add(n)
            forks = forks[:-1]
        if block.leaves and forks:
            raise Refused(f"{function.at(cfg.blocks[forks[-1]].end)}: fork whose join is jumped over: function '{function.name}' is left at "
                          f"{function.at(block.end)} before it")
        for s in block.successors:
            if s not in opened:
                opened[s] = forks
                work.append(s)
                continue
            if len(opened[s]) != len(forks):
                longer = max(opened[s], forks, key=len)
                raise Refused(f"{function.at(cfg.blocks[longer[-1]].end)}: fork whose join is jumped over: paths meet at "
                              f"{cfg.at(s)}, on one of which its region is still open")
            for a, b in zip(opened[s], forks):
                if group(a) != group(b):
                    same[group(a)] = group(b)
    groups = {}
    for n in opened:
        if cfg.blocks[n].end is not None and cfg.blocks[n].end.is_fork():
            groups.setdefault(group(n), []).append(n)
    return [(forks, sorted(set().union(*(joins.get(n, set()) for n in forks)))) for _, forks in sorted(groups.items())]


class ForkRegion:
    """All forks that name one join, and the blocks between."""

    def __init__(self, cfg, join, forks):
        self.join = join
        self.forks = forks
        self.blocks = cfg.reach([s for n in forks for s in cfg.blocks[n].successors], join)


def check_regions(program):
    """Refuses regions that the machine could not run."""
    for file in program.files:
        for function in file.functions:
            if has_marks(function):
                _check(function, program)


def _check(function, program):
    cfg = _region_cfg(function, program)
    reachable = cfg.reach([0], None)
    forks = {}
    for n in sorted(reachable):
        end = cfg.blocks[n].end
        if end is not None and end.is_fork():
            join = cfg.block_of.get(end.join_label())
            if join is None or cfg.blocks[join].end is None or not cfg.blocks[join].end.is_join():
                raise Refused(f"{function.at(end)}: fork that names no join of function '{function.name}'")
            forks.setdefault(join, []).append(n)
    for n in sorted(reachable):
        end = cfg.blocks[n].end
        if end is not None and end.is_join() and n not in forks:
            raise Refused(f"{function.at(end)}: join without a fork")
    regions = [ForkRegion(cfg, join, starts) for join, starts in forks.items()]
    for region in regions:
        _check_region(function, program, cfg, region, reachable)
    for region in regions:
        for other in regions:
            if other.join in region.blocks and not region.blocks.issuperset(other.forks):
                raise Refused(f"{function.at(cfg.blocks[region.forks[0]].end)}: fork whose region crosses that of the fork at "
                              f"{function.at(cfg.blocks[other.forks[0]].end)}")


def _check_region(function, program, cfg, region, reachable):
    where = function.at(cfg.blocks[region.forks[0]].end)
    for n in sorted(region.blocks):
        block = cfg.blocks[n]
        if n in region.forks:
            raise Refused(f"{where}: fork that is executed again before its join, in a loop inside its own region")
        if block.leaves:
            raise Refused(f"{where}: fork whose join is jumped over: function '{function.name}' is left at {function.at(block.end)} before it")
        for i in block.instructions:
            if program.may_execute_barrier(function, i):
                what = "a barrier" if i.is_barrier() else "a warp-wide operation" if i.is_warp_wide() else f"a call of '{i.callee()}', which may execute a barrier," if i.callee() else \
                    "a call through a pointer, which may execute a barrier,"
                raise Refused(f"{where}: fork with {what} at {function.at(i)} before its join: threads of a region stay apart until then")
    for n in sorted(region.blocks | {region.join}):
        for p in cfg.predecessors[n]:
            if p in region.blocks or p in region.forks or p not in reachable:
                continue
            if n == region.join:
                raise Refused(f"{function.at(cfg.blocks[n].end)}: join that is reached without its fork at {where}")
            raise Refused(f"{where}: fork whose region is entered without it, at {cfg.at(n)}")


def far_labels(function, label_of):
    """Labels that are, or may be, too far for the 13-bit offset of an instruction that names them: label_of(instruction), or None."""
    at, labels, named = 0, {}, []
    for s in function.statements:
        if s in function.data:
            continue
        if isinstance(s, Label):
            labels[s.name] = at
        elif hasattr(s, "op"):
            named.append((label_of(s), at))
            at += s.size()
    return {label for label, place in named if label in labels and abs(labels[label] - place) >= 4096 - 8}


def far_forks(function):
    """Join labels that are, or may be, too far from a fork."""
    return far_labels(function, lambda i: i.join_label() if i.is_fork() else None)


def check_distances(files):
    """Refuses forks by hand that cannot name their join."""
    for file in files:
        for function in file.functions:
            far = far_forks(function)
            for i in function.instructions:
                if i.is_fork() and i.join_label() in far:
                    raise Refused(f"{function.at(i)}: fork whose join is more than 4 KiB away")
