# SPDX-License-Identifier: Apache-2.0
"""Puts fork and join around the regions in which threads of a warp may diverge.

A point is where threads may take different ways: a branch or table jump that is not provably the same for all threads, a call
through a pointer, a call of a function that has points outside its own regions (or of a library, which is not known). The region
of a branch begins at one block, ends where its sides meet (its immediate post-dominator), and has no other way in or out: the
smallest such one. `outermost` takes for each point the largest region of any branch around it, `innermost` the smallest; never
one with a barrier inside.

A region costs two new pieces of code, which are put on the edges: all ways into it pass the fork, all ways out of it go to the
join, nothing else does.
"""

from . import one_note
from .flow import Flow
from .program import Program
from .regions import check_regions, far_forks, has_marks
from .text import BRANCHES, FORK_TEXT, JOIN_TEXT, THREAD_ENDS

MODES = ("innermost", "outermost")
_MOST_COPIED = 64  # instructions of one way to the end of a kernel


def fork_join(files, fixed, mode, sibling_calls=False, marks="fork and join"):
    """The files with fork and join, and notes on what is left alone, one a function. `fixed`: files of the program that stay as they are; `marks`: what
    the notes call the two."""
    files = [_give_ends_to_regions(file, files + fixed, sibling_calls) for file in files]
    far = set()
    while True:
        program = Program([file.again() for file in files] + fixed, sibling_calls)
        plans = _plan(program, mode, fixed, marks)
        for plan in plans:
            plan.place(far)
        placed = [file.again() for file in program.files if file not in fixed]
        check_regions(Program(placed + fixed, sibling_calls))
        more = {(file.name, label) for file in placed for f in file.functions for label in far_forks(f)} - far
        if not more:
            return placed, [note for plan in plans for note in one_note(plan.notes)]
        far |= more


def _plan(program, mode, fixed, marks):
    """A plan of each function; which functions leave threads apart behind their return is found on the way."""
    apart, plans = {f for file in fixed for f in file.functions if not has_marks(f)}, {}
    functions = [(f, index) for file in program.files if file not in fixed for index, f in enumerate(file.functions)]
    while True:
        for f, index in functions:
            if f not in plans or any(program.callee(f, i) in apart - plans[f].apart for i in f.instructions):
                plans[f] = _Plan(f, index, program, mode, frozenset(apart), marks)
        found = {f for f, plan in plans.items() if plan.leaves_apart}
        if found <= apart:
            return [plans[f] for f, _ in functions]
        apart |= found


# ---------------------------------------------------------------- threads that end early

def _give_ends_to_regions(file, files, sibling_calls):
    """In a kernel, a return is the thread's end. A branch with a way to the end and one to a barrier has a region all the same, if
    the way to the end is its own: it gets a copy."""
    program = Program([f.again() for f in files], sibling_calls)
    changed = program.files[files.index(file)]
    for index, function in enumerate(changed.functions):
        if program.has_no_caller(function) and function.readable and not has_marks(function):
            _copy_ends(function, program, index)
    return changed.again()


def _copy_ends(function, program, index):
    def alone(i):
        return i.op in BRANCHES or program.may_execute_barrier(function, i)

    if not any(program.may_execute_barrier(function, i) for i in function.instructions):
        return
    cfg = program.cfg(function, Flow, alone)
    if not cfg.complete:
        return
    waits = cfg.reaching([n for n, b in enumerate(cfg.blocks) if any(program.may_execute_barrier(function, i) for i in b.instructions)])
    for n in sorted(cfg.divergent_branches(True, loads=False)):
        block = cfg.blocks[n]
        ways = [s for s in block.successors if s not in waits]
        if len(block.successors) != 2 or len(ways) != 1 or block.end.op not in BRANCHES:
            continue
        way = sorted(cfg.reach(ways, None))
        if not any(cfg.blocks[m].leaves for m in way):
            continue
        code = [i for m in way for i in cfg.blocks[m].instructions]
        if len(code) > _MOST_COPIED or any(i.op == "jr" and not i.is_return() for i in code):
            continue
        label = {m: f".Lheddle_end{index}_{n}_{m}" for m in way}
        function.behind += _copied(cfg, way, label)
        if ways[0] == block.successors[0]:
            block.end.replace_symbol(block.end.target(), label[ways[0]])
        else:
            block.end.text = block.end.text.rstrip("\n") + f"\n\tj\t{label[ways[0]]}\n"


def _copied(cfg, way, label):
    """A copy of all blocks that a block leads to, itself included: what falls through falls into the next one again."""
    lines = []
    for m in way:
        block = cfg.blocks[m]
        lines.append(f"{label[m]}:\n")
        for i in block.instructions:
            operands = i.operands if i.target() is None else i.operands[:-1] + [label[block.successors[0]]]
            lines.append(i.spell(operands).rstrip("\n") + (f" {THREAD_ENDS}\n" if i.is_return() else "\n"))
    return lines


# ---------------------------------------------------------------- which regions

class _Region:
    def __init__(self, blocks, entry, leave):
        self.blocks = blocks
        self.entry = entry  # the block that all ways in go to
        self.exit = leave   # the block that all ways out go to


class _Plan:
    """The regions of one function, and their place in its code."""

    def __init__(self, function, index, program, mode, apart, marks):
        self.function = function
        self.index = index
        self.program = program
        self.apart = apart  # functions that leave threads apart
        self.marks = marks
        self.notes = []
        self.leaves_apart = False
        self.regions = []
        if has_marks(function):
            self._note(f"{function.file.name}", "has fork and join of its own: nothing added")
            return
        self.cfg = program.cfg(function, Flow, self._alone)
        if not self.cfg.complete:
            self.leaves_apart = True
            self._note(f"{function.file.name}", f"has inline assembly that cannot be followed: no {self.marks}")
            return
        if points := self._points():
            self._find_regions(points, mode)

    def _note(self, place, text):
        self.notes.append(f"{place}: function '{self.function.name}' {text}")

    def _alone(self, i):
        return i.op in BRANCHES or i.op == "jr" or self._call_diverges(i) or self.program.may_execute_barrier(self.function, i)

    def _call_diverges(self, i):
        """Threads may be apart behind the call, or in it."""
        if not (i.is_call() or i.op == "tail"):
            return False
        callee = self.program.callee(self.function, i)
        return (callee is None and self.program.returns(self.function)(i.callee())) or callee in self.apart

    def _points(self):
        cfg = self.cfg
        kernel = self.program.has_no_caller(self.function)
        self.reachable = reachable = cfg.reach([0], None)
        branches = [n for n in reachable if len(set(cfg.blocks[n].successors)) > 1]
        points = {n for n in cfg.divergent_branches(kernel, loads=False) if n in reachable} if branches else set()
        for n in reachable:
            end = cfg.blocks[n].end
            if end is not None and self._call_diverges(end):
                if cfg.blocks[n].leaves:
                    self.leaves_apart = True
                else:
                    points.add(n)
        return sorted(points)

    def _find_regions(self, points, mode):
        cfg = self.cfg
        self.idom, self.ipdom = cfg.dominators(), cfg.post_dominators()
        self.bad = {n for n, b in enumerate(cfg.blocks) if any(self.program.may_execute_barrier(self.function, i) for i in b.instructions)}
        around = {}  # (entry, exit) -> region
        own = {}
        for n in sorted(self.reachable):
            if len(set(cfg.blocks[n].successors)) > 1 or n in points:
                region = self._region_of(n)
                own[n] = region
                if region is not None and self._refusal(region) is None:
                    around[region.entry, region.exit] = region
        candidates = {n: sorted((r for r in around.values() if n in r.blocks), key=lambda r: (len(r.blocks), r.entry, r.exit),
                                reverse=mode == "outermost") for n in points}
        chosen = []
        for n in sorted(points, key=lambda n: len(candidates[n][0].blocks) if candidates[n] else 0, reverse=True):
            if mode == "outermost" and any(n in r.blocks for r in chosen):
                continue
            region = next((r for r in candidates[n] if all(_nested(r, other) for other in chosen)), None)
            if region is None:
                self._leave_alone(n, own[n])
            elif region not in chosen:
                chosen.append(region)
        if mode == "outermost":
            chosen = [r for r in chosen if not any(r.blocks < other.blocks for other in chosen)]
        self.regions = sorted(chosen, key=lambda r: (r.entry, -len(r.blocks)))

    def _leave_alone(self, n, region):
        self.leaves_apart = True
        why = "the sides meet only where the function is left" if region is None else self._refusal(region) or "its region would cross another"
        what = "call" if self.cfg.blocks[n].end.is_call() else "branch"
        self._note(self.cfg.at(n), f"has a {what} that may diverge without {self.marks}: {why}")

    def _refusal(self, region):
        """Why a region is none, or None."""
        cfg = self.cfg
        barriers = sorted(self.bad & region.blocks)
        if barriers:
            return f"a barrier may be executed before the sides meet, at {cfg.at(barriers[0])}"
        for jumps in cfg.indirect:
            inside = {n in region.blocks for n in jumps.blocks}
            if len(inside) > 1 and {region.entry, region.exit} & set(jumps.targets):
                return "computed gotos inside and outside go to where its region begins or ends"
        return None

    # ---------------------------------------------------------------- single entry, single exit

    def _common(self, tree, nodes):
        """The nearest common ancestor in a tree of dominators; None if only the root outside the function is."""
        nodes = list(nodes)
        common = self._ancestors(tree, nodes[0])
        for n in nodes[1:]:
            other = set(self._ancestors(tree, n))
            common = [a for a in common if a in other]
        return common[0] if common else None

    @staticmethod
    def _ancestors(tree, n):
        result = []
        while n is not None:
            result.append(n)
            n = tree[n]
        return result

    def _region_of(self, n):
        """The smallest region around a block's branch or call; None if its sides meet outside the function only."""
        cfg = self.cfg
        first, leave = n, self.ipdom[n]
        while leave is not None:
            blocks = cfg.reach([first], leave)
            entries = {m for m in blocks if m == 0 or any(p not in blocks for p in cfg.predecessors[m] if p in self.reachable)}
            if len(entries) <= 1:
                return _Region(frozenset(blocks), min(entries, default=first), leave)
            before = first, leave
            first = self._common(self.idom, entries | {first})
            leave = self._common(self.ipdom, [first, leave])
            if leave is not None and (leave == first or (first, leave) == before):  # a way back from behind it
                leave = self.ipdom[leave]
        return None

    # ---------------------------------------------------------------- fork and join in the code

    def place(self, far):
        """Writes fork and join into the function. `far`: (file, label) of joins that must stand beside their fork."""
        if self.regions:
            _Placement(self.cfg, self.regions, self.index, {label for file, label in far if file == self.function.file.name}).run()


def _nested(a, b):
    return a.blocks <= b.blocks or b.blocks <= a.blocks or not a.blocks & b.blocks


class _Mark:
    """A fork or a join on the ways into a block."""

    def __init__(self, region, name, label):
        self.region = region
        self.name = name    # fork, join
        self.label = label


class _Placement:
    """Each edge into a block lands at the first mark it must pass, or at the block. From a mark the way goes on to the next one:
    joins from inside to outside, then forks from outside to inside, then the block."""

    def __init__(self, cfg, regions, index, far):
        self.cfg = cfg
        self.function = cfg.function
        self.index = index
        self.regions = regions
        self.reachable = cfg.reach([0], None)
        self.joins = {r: _Mark(r, "join", f".Lheddle_join{index}_{n}") for n, r in enumerate(regions)}
        self.forks = {r: _Mark(r, "fork", f".Lheddle_fork{index}_{n}") for n, r in enumerate(regions)}
        self.far = {r for r in regions if self.joins[r].label in far}
        self.placed = {self.joins[r] for r in self.far}
        self.labels = {}    # block -> a label that this made
        self.arriving = {}  # statement -> lines for ways into its block
        self.leaving = {}   # statement -> lines in front of a jump

    def run(self):
        for q in sorted({r.entry for r in self.regions} | {r.exit for r in self.regions}):
            self._enter(q)
        for statement in {*self.arriving, *self.leaving}:
            statement.before += self.arriving.get(statement, []) + self.leaving.get(statement, [])
        # A block's own label stands behind what leads into it.
        for q, label in self.labels.items():
            first = self.cfg.blocks[q].first
            first.before.insert(len(self.arriving.get(first, [])), f"{label}:\n")

    def _label(self, mark, q):
        """Where a jump goes that is to land at a mark, or at block q."""
        if mark is not None:
            return mark.label
        for label in self.cfg.blocks[q].labels:
            if not label.name.isdigit():
                return label.name
        return self.labels.setdefault(q, f".Lheddle_block{self.index}_{q}")

    def _landing(self, p, q):
        """The first mark on the way from block p to block q; p None: from the function's caller."""
        left = [r for r in self.regions if p in r.blocks and q not in r.blocks]
        if left:
            return self.joins[min(left, key=lambda r: len(r.blocks))]
        entered = [r for r in self.regions if q in r.blocks and p not in r.blocks]
        return self.forks[max(entered, key=lambda r: len(r.blocks))] if entered else None

    def _next(self, mark, q):
        if mark.name == "fork":
            inner = [r for r in self.regions if r.entry == q and q in r.blocks and r.blocks < mark.region.blocks]
            return self.forks[max(inner, key=lambda r: len(r.blocks))] if inner else None
        outer = [r for r in self.regions if q not in r.blocks and mark.region.blocks < r.blocks]
        if outer:
            return self.joins[min(outer, key=lambda r: len(r.blocks))]
        entered = [r for r in self.regions if q in r.blocks and not mark.region.blocks <= r.blocks]
        return self.forks[max(entered, key=lambda r: len(r.blocks))] if entered else None

    def _code(self, mark):
        region = mark.region
        lines = [f"{mark.label}:\n"]
        if mark.name == "join":
            return lines + [JOIN_TEXT]
        if region in self.far:
            join = self.joins[region]
            over = mark.label + "_near"
            lines += [f"\tj\t{over}\n", f"{join.label}:\n", JOIN_TEXT, f"\tj\t{self._label(self._next(join, region.exit), region.exit)}\n",
                      f"{over}:\n"]
        return lines + [FORK_TEXT.format(self.joins[region].label)]

    def _chain(self, mark, q):
        """Lines of a mark and those behind it that have no place yet, and where the way goes on: a mark, or None for the block."""
        lines = []
        while mark is not None and mark not in self.placed:
            self.placed.add(mark)
            lines += self._code(mark)
            mark = self._next(mark, q)
        return lines, mark

    def _enter(self, q):
        """Places all marks on the ways into block q, and sends each way to its first."""
        cfg, block = self.cfg, self.cfg.blocks[q]
        lands, through = {}, None  # block -> mark
        for p in cfg.predecessors[q]:
            if p in self.reachable:
                lands[p] = self._landing(p, q)
        if q == 0 or (q - 1 in lands and cfg.blocks[q - 1].falls_through):
            through = q - 1
            if q == 0:
                lands[through] = self._landing(None, q)
        inline = self.arriving.setdefault(block.first, [])
        if through is not None:
            lines, mark = self._chain(lands[through], q)
            inline += lines + ([f"\tj\t{mark.label}\n"] if mark is not None else [])
        for p, mark in lands.items():
            end = cfg.blocks[p].end if p >= 0 else None
            if end is None or end.target() is None or cfg.blocks[p].successors[0] != q:
                continue
            if end.op == "j" and not end.inline and mark is not None and mark not in self.placed:
                lines, mark = self._chain(mark, q)
                self.leaving.setdefault(end, []).extend(lines)
            if mark is not None:
                end.replace_symbol(end.target(), mark.label)
        for jumps in cfg.indirect:
            mark = next((lands[p] for p in jumps.blocks if p in lands), None)
            if q in jumps.targets and mark is not None:
                for label, statements in jumps.references.items():
                    if cfg.block_of[label] == q:
                        for s in statements:
                            s.replace_symbol(label, mark.label)
        for mark in lands.values():
            if mark is None or mark in self.placed:
                continue
            lines, behind = self._chain(mark, q)
            if through is None and not inline and behind is None:
                inline += lines
            else:
                self.function.behind += lines + [f"\tj\t{self._label(behind, q)}\n"]
