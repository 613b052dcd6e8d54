# SPDX-License-Identifier: Apache-2.0
"""Puts convergence barriers where the threads of a warp may part, for hardware that waits for nobody without one.

A point is where threads may take different ways: a branch or table jump that is not provably the same for all threads, a call
through a pointer, a call of a function that leaves threads apart. Its threads meet where `spe` brings them together: at the immediate
post-dominator, before a barrier of the block at the first place that all ways to one pass, behind a call. All points that meet at one
place have one barrier: `bssy` on the ways to them from outside, `bsync` on the ways to the place, `break` on ways that lead elsewhere.
The number is that of a barrier that no thread has at the same time: regions inside have higher ones, and so have called functions.

Where a loop waits for another thread (waiting.py), its threads meet behind what they wait for, and each turn yields.
"""

from . import one_note
from .cfg import directed_graph, networkx
from .flow import Flow
from .program import Program
from .regions import far_labels
from .text import ARM_TEXT, ARRIVE_TEXT, BRANCHES, BREAK_TEXT, YIELD_TEXT
from .waiting import Loop, writes_memory

BARRIERS = 16
LEAVE_OUT = ("yield", "break", "release")


def has_barriers(function):
    """Convergence barriers of its own; yields and warpsyncs go with those of the pass."""
    return any(i.convergence() not in (None, "yield", "warpsync") for i in function.instructions)


def barriers(files, fixed, left_out=(), sibling_calls=False, called=()):
    """The files with barriers, and notes. `fixed`: files of the program that stay as they are; `left_out`: of LEAVE_OUT; `called`: names
    of functions that other parts of the program may call, from which no number is known to be free."""
    far = set()
    while True:
        program = Program([file.again() for file in files] + fixed, sibling_calls)
        plans = _Plans(program, fixed, left_out, called)
        for plan in plans.all:
            _Placement(plan, far).run()
        placed = [file.again() for file in program.files if file not in fixed]
        more = {(file.name, label) for file in placed for f in file.functions for label in _far_labels(f)} - far
        if not more:
            return placed, plans.notes()
        far |= more


def _far_labels(function):
    """Labels of bssy that are, or may be, too far for its 13-bit offset."""
    return far_labels(function, lambda i: i.operands[-1] if i.convergence() == "bssy" else None)


# ---------------------------------------------------------------- all functions

class _Plans:
    """A plan of each function. Which functions leave threads apart behind their return, and which barriers have a number, is found on the way."""

    def __init__(self, program, fixed, left_out, called):
        self.program = program
        self.fixed = fixed
        self.left_out = left_out
        self.functions = [(f, index) for file in program.files if file not in fixed for index, f in enumerate(file.functions)]
        self.apart = {f for file in fixed for f in file.functions if not has_barriers(f)}
        self.waiting = set()  # of these, those that leave threads waiting for what comes behind
        self.writing = program.executing(writes_memory)
        self.unmarked = {}    # function -> why it has no barriers
        self.recursive = self._recursive()
        for f, _ in self.functions:
            if f in self.recursive:
                self.unmarked[f] = "calls itself: its threads meet behind the outermost call"
            elif not f.kernel and f.name in called:
                self.unmarked[f] = "may be called from a part of the program that is not seen here: its threads meet behind the call"
        self.dropped = {}     # function -> places whose barrier has no number
        self._plan()

    def _plan(self):
        while True:
            self.all = [_Plan(f, index, self) for f, index in self.functions]
            apart = {plan.function for plan in self.all if plan.leaves_apart} - self.apart
            waiting = {plan.function for plan in self.all if plan.leaves_waiting} - self.waiting
            self.apart |= apart
            self.waiting |= waiting
            if not apart and not waiting and not self._number():
                return

    def callees(self, function, i):
        """Functions of the program that a call may be of."""
        if i.callee() is not None and (callee := self.program.callee(function, i)) is not None:
            return {callee}
        if i.is_call() or i.op == "tail" or (i.op == "jr" and not i.is_return()):
            return self.program.addressed
        return set()

    def _recursive(self):
        edges = [(f, c) for f, _ in self.functions for i in f.instructions for c in self.callees(f, i)]
        self.calls = directed_graph(edges)
        self.calls.add_nodes_from(f for f, _ in self.functions)
        return {f for part in networkx().strongly_connected_components(self.calls) for f in part if len(part) > 1 or self.calls.has_edge(f, f)}

    def _number(self):
        """Numbers all barriers, callers first; true if some got none and the plans are to be made anew."""
        library = networkx()
        plans = {plan.function: plan for plan in self.all}
        base = dict.fromkeys(self.calls, 0)
        parts = library.condensation(self.calls)
        again = False
        for part in library.topological_sort(parts):
            members = parts.nodes[part]["members"]
            least = max(base[f] for f in members)
            for f in members:
                base[f] = least
            for f in members:
                plan = plans.get(f)
                if plan is None:
                    continue
                for place in plan.number(base[f]):
                    self.dropped.setdefault(f, set()).add(place)
                    again = True
                for n, block in enumerate(plan.cfg.blocks if plan.cfg else ()):
                    for i in block.instructions:
                        for callee in self.callees(f, i) - members:
                            base[callee] = max(base[callee], plan.free_at(n, base[f]))
                if plan.cfg is None:
                    for callee in {c for i in f.instructions for c in self.callees(f, i)} - members:
                        base[callee] = max(base[callee], base[f])
        return again

    def notes(self):
        return [note for plan in self.all for note in one_note(plan.notes)]


# ---------------------------------------------------------------- one function

class _Meeting:
    """A place where threads meet: the start of a block. `points`: blocks that end where they may part. `armed`: blocks at whose start
    they may have the barrier; `entered`: those of them that lead to a point."""

    def __init__(self, place, points):
        self.place = place
        self.points = points
        self.armed = self.entered = frozenset()
        self.number = None

    def spread(self, cfg, alive):
        inside = cfg.reach([s for n in self.points for s in cfg.blocks[n].successors], self.place) | self.points
        coming = cfg.reaching([p for p in cfg.predecessors[self.place] if p in inside], inside)  # all others wait for nobody there
        self.entered = frozenset(cfg.reaching(self.points, coming & alive))
        self.armed = frozenset(coming & alive) | self.entered


class _Plan:
    def __init__(self, function, index, plans):
        self.function = function
        self.index = index
        self.plans = plans
        self.program = plans.program
        self.notes = []
        self.leaves_apart = self.leaves_waiting = False
        self.meetings = []
        self.yields = set()    # blocks
        self.cfg = None
        if has_barriers(function):
            self._note(f"{function.file.name}", "has convergence barriers of its own: nothing added")
            return
        cfg = self.program.cfg(function, Flow)
        if not cfg.complete:
            self.leaves_apart = True
            self._note(f"{function.file.name}", "has inline assembly that cannot be followed: no barriers")
            return
        self.releases = set()
        self._make_cfg()
        points = self._points()
        if function in plans.unmarked:
            self.leaves_apart = bool(points)
            if points:
                self._note(f"{function.file.name}", plans.unmarked[function])
            return
        self._find_meetings(points)

    def _note(self, place, text):
        self.notes.append(f"{place}: function '{self.function.name}' {text}")

    def _make_cfg(self):
        self.cfg = self.program.cfg(self.function, Flow, self._alone)
        self.alive = self.cfg.reach([0], None)

    def _alone(self, i):
        return i.op in BRANCHES or i.op == "jr" or self._call_diverges(i) or i in self.releases or self.program.may_wait_for_block(self.function, i)

    def _call_diverges(self, i):
        """Threads may be apart behind the call, or in it."""
        if not (i.is_call() or i.op == "tail"):
            return False
        callee = self.program.callee(self.function, i)
        return (callee is None and self.program.returns(self.function)(i.callee())) or callee in self.plans.apart

    def _points(self):
        cfg = self.cfg
        kernel = self.program.has_no_caller(self.function)
        branches = [n for n in self.alive if len(set(cfg.blocks[n].successors)) > 1]
        points = cfg.divergent_branches(kernel, loads=False) & self.alive if branches else set()
        for n in self.alive:
            end = cfg.blocks[n].end
            if end is not None and self._call_diverges(end):
                if cfg.blocks[n].leaves:
                    self.leaves_apart = True
                elif cfg.blocks[n].successors:
                    points = points | {n}
        return points

    def _find_meetings(self, points):
        meets = self._meeting_points()
        if self._wait(points, meets):
            points = self._points()  # blocks have other numbers now
            meets = self._meeting_points()
            self._wait(points, meets)
        dropped = {self.cfg.block_of_instruction(i) for i in self.plans.dropped.get(self.function, ())}
        by_place = {}
        for n in sorted(points):
            if meets[n] is not None and n not in self.apart_points and self._parts(n, meets[n]):
                by_place.setdefault(meets[n], set()).add(n)
        found = [_Meeting(place, nodes) for place, nodes in by_place.items()]
        for meeting in found:
            self._grow(meeting, points, meets)
        self.meetings = [m for m in found if m.place not in dropped and self._can_be_placed(m)]
        for m in found:
            if m.place in dropped:
                self._note(self.cfg.at(min(m.points)), f"has a branch in more than {BARRIERS} regions: its threads meet further out")
        inside = set().union(*(m.armed for m in self.meetings))
        self.leaves_apart |= any(n not in inside and (meets[n] is None or self._parts(n, meets[n])) for n in points)

    def _parts(self, n, place):
        """More than one way from a block leads to the place, or it is a call: not if all others lead to the ends of threads, or to no barrier of the block."""
        cfg = self.cfg
        if cfg.blocks[n].end.is_call():
            return True
        coming = cfg.reaching([place], cfg.reach(cfg.blocks[n].successors, place))
        return len(coming & set(cfg.blocks[n].successors)) > 1

    def _grow(self, meeting, points, meets):
        """Its blocks. Threads that part outside and meet inside have the barrier before they part, or not all of them would."""
        cfg = self.cfg
        while True:
            meeting.spread(cfg, self.alive)
            found = set()
            for c in points - meeting.armed - self.apart_points:
                if meets[c] in meeting.armed:
                    between = cfg.reach(cfg.blocks[c].successors, meets[c])
                    if any(q in meeting.entered and q != meets[c] for q in between):
                        found.add(c)
            if not found:
                return
            meeting.points = meeting.points | found

    def _can_be_placed(self, meeting):
        """Jumps that share their targets share what stands before these."""
        for jumps in self.cfg.indirect:
            if len({(n in meeting.armed, n in meeting.entered) for n in jumps.blocks}) > 1 and (set(jumps.targets) & (meeting.armed | {meeting.place})):
                self._note(self.cfg.at(min(meeting.points)), "has a region that some computed gotos leave or enter, and others to the same targets do not: "
                           "its threads meet further out")
                return False
        return True

    # ---------------------------------------------------------------- where threads meet

    def _meeting_points(self):
        """Block -> where the threads of its branch meet, as sim/program/graph.cpp has it: None for nowhere in the function."""
        cfg = self.cfg
        post = cfg.post_dominators()
        sure = {n for n, b in enumerate(cfg.blocks) if b.end is not None and (b.end.is_barrier() or (
            b.end.callee() is not None and self.program.may_wait_for_block(self.function, b.end)))}
        possible = {n for n, b in enumerate(cfg.blocks) if b.end is not None and self.program.may_wait_for_block(self.function, b.end)}
        result = self._before(possible, post)
        if possible != sure:
            result = [a if a is not None else b for a, b in zip(result, self._before(sure, post))]
        return result

    def _before(self, block_barriers, post):
        cfg = self.cfg
        if not block_barriers:
            return list(post)
        to_barrier = cfg.reaching(block_barriers)
        edges = []
        for n, b in enumerate(cfg.blocks):
            edges += [((s, "barrier") if s in block_barriers else s, n) for s in b.successors if s in to_barrier]
        tree = directed_graph(edges + [(-1, (n, "barrier")) for n in block_barriers])
        nearest = networkx().immediate_dominators(tree, -1)
        result = list(post)
        for n, b in enumerate(cfg.blocks):
            if not any(s in block_barriers or s in to_barrier for s in b.successors):
                continue
            if cfg.reach(b.successors, post[n]) & block_barriers:
                place = nearest.get(n, -1)
                result[n] = place[0] if isinstance(place, tuple) else place if place != -1 else None
        return result

    # ---------------------------------------------------------------- loops that wait

    def _wait(self, points, meets):
        """Moves the meeting points of loops that wait behind their release. True if instructions must be blocks of their own first."""
        cfg, alone = self.cfg, set()
        self.apart_points, self.yields = set(), set()
        post = cfg.post_dominators()
        for n in sorted(points):
            end = cfg.blocks[n].end
            callee = self.program.callee(self.function, end) if end.is_call() else None
            if callee in self.plans.waiting:
                loop, releases = frozenset({n}), [i for b in cfg.blocks for i in b.instructions if i is not end and self._may_release(i)]
            elif end.is_call() and self.program.may_wait_for_block(self.function, end):
                meets[n] = None
                continue
            elif end.is_call() or meets[n] is None:
                continue
            else:
                loop = self._turns(n, meets[n])
                waiting = Loop(cfg, loop) if loop else None
                if waiting is None or not waiting.waits():
                    continue
                if "yield" not in self.plans.left_out:
                    self.yields |= {q for q in loop if q == 0 or any(p not in loop for p in cfg.predecessors[q])}
                releases = waiting.releases(lambda i: self._is_call_that_writes(i))
            if "release" in self.plans.left_out:
                continue
            if not releases and not self.program.has_no_caller(self.function):
                self.apart_points.add(n)
                self.leaves_apart = self.leaves_waiting = True
                self._note(cfg.at(n), "waits for another thread: its threads meet where it is called from, behind what they wait for")
                continue
            blocks = {cfg.block_of_instruction(i): i for i in releases}
            if any(cfg.blocks[b].instructions != [i] for b, i in blocks.items()) or len(blocks) < len(releases):
                alone |= set(releases)
                continue
            place = self._behind(post, meets[n], set(blocks))
            if place != meets[n]:
                where = f"at {cfg.at(place)}" if place is not None else "where it is left"
                self._note(cfg.at(n), f"waits for another thread: its threads meet behind what they wait for, {where}")
            if place is None:
                self.apart_points.add(n)
            meets[n] = place
        if alone:
            self.notes.clear()
            self.releases |= alone
            self._make_cfg()
        return bool(alone)

    def _is_call_that_writes(self, i):
        return (i.is_call() or i.op == "tail") and self.program.calls_one_of(self.plans.writing, self.function, i)

    def _may_release(self, i):
        return writes_memory(i) or self._is_call_that_writes(i)

    def _turns(self, n, place):
        """The blocks in which threads may turn without coming to the place where they meet; none if a branch is not one of them."""
        cfg = self.cfg
        between = cfg.reach(cfg.blocks[n].successors, place)
        return frozenset(cfg.reaching([n], between)) if n in between else frozenset()

    @staticmethod
    def _behind(post, place, releases):
        """The nearest place at or behind another one that all releases have before them."""
        def chain(n):
            result = []
            while n is not None:
                result.append(n)
                n = post[n]
            return result

        behind = [chain(r)[1:] for r in releases]
        return next((n for n in chain(place) if all(n in others for others in behind)), None)

    # ---------------------------------------------------------------- numbers

    def calls(self, i):
        return bool(self.plans.callees(self.function, i))

    def number(self, base):
        """Gives each meeting its number; the result is those for which there is none, by an instruction of theirs."""
        none = []
        for m in sorted(self.meetings, key=lambda m: (-len(m.armed), m.place)):
            taken = {o.number for o in self.meetings if o.number is not None and o is not m and o.armed & m.armed}
            m.number = next(k for k in range(base, base + len(taken) + 1) if k not in taken)
            if m.number >= BARRIERS:
                block = self.cfg.blocks[m.place]
                none.append(block.instructions[0])
        return none

    def free_at(self, n, base):
        return 1 + max([m.number for m in self.meetings if n in m.armed] + [base - 1])


# ---------------------------------------------------------------- marks in the code

class _Placement:
    """Each edge into a block passes a list of marks: break, bsync, then bssy from outside to inside. Lists that end alike share their end."""

    def __init__(self, plan, far):
        self.plan = plan
        self.cfg = plan.cfg
        self.index = plan.index
        self.far = {label for file, label in far if file == plan.function.file.name}
        self.meetings = sorted(plan.meetings, key=lambda m: (-len(m.armed), m.number))
        self.breaks = "break" not in plan.plans.left_out
        self.count = 0
        self.block_labels = {}
        self.before = {}     # block -> lines in front of its own labels

    def run(self):
        if self.cfg is None:
            return
        for q in sorted(self.plan.alive):
            self._enter(q)
        for q in sorted({*self.before, *self.block_labels, *self.plan.yields}):
            block = self.cfg.blocks[q]
            lines = self.before.get(q, [])
            if q in self.block_labels:
                lines = lines + [f"{self.block_labels[q]}:\n"]
            turn = [YIELD_TEXT] if q in self.plan.yields else []
            if block.first is block.instructions[0].anchor:
                lines, turn = lines + turn, []
            block.first.before += lines
            block.instructions[0].anchor.before += turn

    def _marks(self, p, q):
        """What is on an edge; p None: the function's caller."""
        marks, rest = [], []
        for m in self.meetings:
            inside = p in m.armed
            if inside and q not in m.armed and q != m.place and self.breaks and self._goes_on(q):
                marks.append(("break", m))
            if q in m.entered and not inside:
                rest.append(("bssy", m))
            if inside and q == m.place:
                marks.append(("bsync", m))
        return marks + rest

    def _goes_on(self, q):
        """Behind a block there is more than the ends of threads: somebody could wait for long, or the number is used again."""
        blocks = self.cfg.reach([q], None)
        if any(n in m.entered for m in self.meetings for n in blocks) or any(self.plan.calls(i) for n in blocks for i in self.cfg.blocks[n].instructions):
            return True
        return any(self.cfg.blocks[n].leaves for n in blocks) or not networkx().is_directed_acyclic_graph(
            directed_graph((n, s) for n in blocks for s in self.cfg.blocks[n].successors))

    def _text(self, mark):
        name, m = mark
        label = f".Lheddle_met{self.index}_{m.place}"
        if name == "break":
            return [BREAK_TEXT.format(m.number)]
        if name == "bsync":
            return [ARRIVE_TEXT.format(m.number), f"{label}:\n"]
        if label not in self.far:
            return [ARM_TEXT.format(m.number, label)]
        self.count += 1
        near = f"{label}_{self.count}"
        return [ARM_TEXT.format(m.number, near), f"\tj\t{near}_over\n", f"{near}:\n", f"\tj\t{label}\n", f"{near}_over:\n"]

    def _label(self, q):
        for label in self.cfg.blocks[q].labels:
            if not label.name.isdigit():
                return label.name
        return self.block_labels.setdefault(q, f".Lheddle_block{self.index}_{q}")

    def _enter(self, q):
        """Places all marks on the ways into block q, and sends each way to its first."""
        cfg = self.cfg
        lists = {p: self._marks(p, q) for p in cfg.predecessors[q] if p in self.plan.alive}
        together = [mark for marks in lists.values() if any(name == "bsync" for name, _ in marks) for mark in marks if mark[0] == "bssy"]
        for marks in lists.values():  # who has met goes on together
            if any(name == "bsync" for name, _ in marks):
                marks += [mark for mark in dict.fromkeys(together) if mark not in marks]
                marks.sort(key=lambda mark: (("break", "bsync", "bssy").index(mark[0]), self.meetings.index(mark[1])))
        through = None
        if q == 0:
            through = self._marks(None, 0)
        elif q - 1 in lists and cfg.blocks[q - 1].falls_through:
            through = lists[q - 1]
        placed = {}  # end of a list -> its label
        jumps = {}
        for p, marks in lists.items():
            end = cfg.blocks[p].end
            if (end is not None and end.target() is not None and cfg.blocks[p].successors[0] == q) or any(p in i.blocks for i in cfg.indirect):
                jumps[p] = marks
        inline = through if through is not None else max(jumps.values(), key=len, default=[])
        self.before[q] = self._chain(inline, q, placed, False)
        for p, marks in sorted(jumps.items(), key=lambda item: -len(item[1])):
            if not marks:
                continue
            if tuple(marks) not in placed:
                cfg.function.behind += self._chain(marks, q, placed, True)
            label = placed[tuple(marks)]
            end = cfg.blocks[p].end
            if end.target() is not None:
                end.replace_symbol(end.target(), label)
                continue
            for group in cfg.indirect:
                if p in group.blocks:
                    for statement, target in [(s, t) for t, statements in group.references.items() if cfg.block_of[t] == q for s in statements]:
                        statement.replace_symbol(target, label)
        if not self.before[q]:
            del self.before[q]

    def _chain(self, marks, q, placed, apart):
        """Lines of a list of marks as far as its end has no place yet; `apart`: they do not stand in front of the block."""
        lines = []
        for k, mark in enumerate(marks):
            end = tuple(marks[k:])
            if end in placed:
                return lines + [f"\tj\t{placed[end]}\n"]
            self.count += 1
            placed[end] = f".Lheddle_mark{self.index}_{q}_{self.count}"
            lines += [f"{placed[end]}:\n"] + self._text(mark)
        return lines + ([f"\tj\t{self._label(q)}\n"] if apart else [])
