# SPDX-License-Identifier: Apache-2.0
"""Programs of random control flow that write down who executes each block with whom, and the rule that says who should.

A program is a graph of blocks in assembly, so that no compiler changes it. Each block writes its number and the cycle; those of a warp that
write the same pair were together: a ballot, which any mechanism can execute. Loops have fuel. A thread takes its ways by a number of its own.

Three rules. For every graph: threads that execute a block together and take different ways meet at its immediate post-dominator, and nobody
else joins them. Or, for every graph, too: they meet where the smallest region around it ends that has one entry and one exit, those of them that
came into it together. For programs made of a tree of statements, as graphics APIs define maximal reconvergence: at the end of the statement, those
that leave it by break, continue or return excepted. The first and the last are one where no statement is left so.
"""

import random

MASK = 0xFFFFFFFF
END = -1


class Block:
    """kind: jump, branch (taken, else next), turn (a branch back, costs fuel), table, call, return."""

    def __init__(self, number):
        self.number = number
        self.kind = "return"
        self.targets = []
        self.callee = None
        self.choices = 2     # a branch is taken once in so many cases


class Function:
    def __init__(self, name):
        self.name = name
        self.blocks = []     # in the order of the code
        self.tree = None     # statements, if it is made of such
        self.end = None      # block behind them


class Thread:
    def __init__(self, number, fuel, salt):
        self.number = number
        self.value = (number * 0x9E3779B9 + salt) & MASK
        self.fuel = fuel + (number & 1)
        self.trace = []      # (block, threads)

    def step(self, block):
        """Executes a block: which of its targets it goes to."""
        self.value = (self.value * 1664525 + 1013904223 + block.number) & MASK
        chosen = (self.value >> 16) % block.choices
        if block.kind == "branch":
            return 0 if chosen == 0 else 1
        if block.kind == "turn":
            again = chosen == 0 and self.fuel > 0
            self.fuel -= again
            return 0 if again else 1
        return chosen if block.kind == "table" else 0


# ---------------------------------------------------------------- at the post-dominator

def post_dominators(function):
    """Immediate ones, by what they are: the nearest block without which the end is not reached."""
    blocks = {b.number: b for b in function.blocks}
    successors = {n: b.targets if b.kind != "return" else [END] for n, b in blocks.items()}

    def reaches_end(n, without):
        seen, work = set(), [n]
        while work:
            m = work.pop()
            if m == END:
                return True
            if m not in seen and m != without:
                seen.add(m)
                work += successors[m]
        return False

    needed = {n: [m for m in blocks if m != n and not reaches_end(n, m)] for n in blocks}
    return {n: next((m for m in needed[n] if all(k == m or k in needed[m] for k in needed[n])), END) for n in blocks}


def run_graph(functions, threads):
    meets = {f.name: post_dominators(f) for f in functions}
    by_name = {f.name: f for f in functions}

    def run(function, together, n, until):
        blocks = {b.number: b for b in function.blocks}
        while n != until:
            block = blocks[n]
            ways = {}
            for t in together:
                t.trace.append((n, together))
                way = t.step(block)
                ways.setdefault(block.targets[way] if block.targets else END, []).append(t)
            if block.kind == "call":
                run(by_name[block.callee], together, by_name[block.callee].blocks[0].number, END)
            if len(ways) == 1:
                n = next(iter(ways))
                continue
            for target, those in sorted(ways.items()):
                run(function, those, target, meets[function.name][n])
            n = meets[function.name][n]

    run(functions[0], threads, functions[0].blocks[0].number, END)


# ---------------------------------------------------------------- where a region with one entry ends

class Region:
    """Blocks that are entered at one block only, and left to one block only, or to the function's end."""

    def __init__(self, entry, leave, blocks):
        self.entry, self.exit, self.blocks = entry, leave, blocks


def smallest_regions(function):
    """Around each block with several ways, by what they are: of all pairs of an entry and an exit the one with the fewest blocks between."""
    first = function.blocks[0].number
    successors = {b.number: set(b.targets) if b.kind != "return" else {END} for b in function.blocks}

    def reach(n, without):
        seen, work = set(), [n]
        while work:
            m = work.pop()
            if m != END and m not in seen and m != without:
                seen.add(m)
                work += successors[m]
        return seen

    used = reach(first, None)
    regions = []
    for entry in used:
        for leave in used | {END}:
            blocks = reach(entry, leave)
            ways_in = {m for n in used - blocks for m in successors[n] & blocks} | {first} & blocks
            ways_out = {m for n in blocks for m in successors[n] - blocks}
            if blocks and ways_in <= {entry} and ways_out == {leave}:
                regions.append(Region(entry, leave, blocks))
    around = {n: [r for r in regions if n in r.blocks] for n in used if len(successors[n]) > 1}
    return [min(those, key=lambda r: len(r.blocks)) for those in around.values() if those]


def run_regions(functions, threads):
    by_name = {f.name: f for f in functions}
    regions = {f.name: smallest_regions(f) for f in functions}
    whole = {f.name: Region(f.blocks[0].number, END, {b.number for b in f.blocks}) for f in functions}

    def run(function, together, n, before, around):
        """From block n, to which they came from block `before`, to the end of the region around it."""
        blocks = {b.number: b for b in function.blocks}
        while n != around.exit:
            entered = [r for r in regions[function.name] if r.entry == n and before not in r.blocks and r.blocks < around.blocks]
            if entered:
                inner = max(entered, key=lambda r: len(r.blocks))
                run(function, together, n, before, inner)
                before, n = n, inner.exit
                continue
            ways = {}
            for t in together:
                t.trace.append((n, together))
                way = t.step(blocks[n])
                ways.setdefault(blocks[n].targets[way] if blocks[n].kind != "return" else END, []).append(t)
            if blocks[n].kind == "call":
                callee = by_name[blocks[n].callee]
                run(callee, together, callee.blocks[0].number, None, whole[callee.name])
            if len(ways) > 1:
                for way, those in ways.items():
                    run(function, those, way, n, around)
                return
            before, n = n, next(iter(ways))

    run(functions[0], threads, functions[0].blocks[0].number, None, whole[functions[0].name])


# ---------------------------------------------------------------- at the end of the statement

def run_tree(functions, threads):
    """Statements: ("block", block), ("call", block), ("if", block, then, else), ("switch", block, cases), ("loop", body, block at the end),
    ("break",), ("continue",), ("return",). Each runs for threads together and gives back those that go on behind it."""
    by_name = {f.name: f for f in functions}

    def record(block, together):
        ways = {}
        for t in together:
            t.trace.append((block.number, together))
            ways.setdefault(t.step(block), []).append(t)
        return ways

    def run(statements, together, left):
        for s in statements:
            if not together:
                return []
            if s[0] in ("break", "continue", "return"):
                left[s[0]] += together
                return []
            if s[0] in ("block", "call"):
                record(s[1], together)
                if s[0] == "call":
                    run_function(by_name[s[1].callee], together)
            elif s[0] in ("if", "switch"):
                ways = record(s[1], together)
                behind = []
                for way in sorted(ways):
                    behind += run(s[2][way] if s[0] == "switch" else s[2 + way], ways[way], left)
                together = sorted(behind, key=lambda t: t.number)
            else:
                gone = []
                while together:
                    inner = {"break": [], "continue": [], "return": left["return"]}
                    on = run(s[1], together, inner) + inner["continue"]
                    gone += inner["break"]
                    if not on:
                        break
                    ways = record(s[2], sorted(on, key=lambda t: t.number))
                    gone += ways.get(1, [])
                    together = ways.get(0, [])
                together = sorted(gone, key=lambda t: t.number)
        return together

    def run_function(function, together):
        left = {"return": []}
        on = run(function.tree, together, left)
        record(function.end, sorted(on + left["return"], key=lambda t: t.number))

    run_function(functions[0], threads)


# ---------------------------------------------------------------- programs

class Program:
    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(f"reconvergence {seed}")
        self.structured = self.random.random() < 0.6
        self.several_returns = self.random.random() < 0.4
        self.fuel = self.random.randint(1, 4)
        self.salt = self.random.getrandbits(32)
        self.count = 0
        self.functions = []
        calls = self.random.random() < 0.5
        for name in ("run", "called")[:1 + calls]:
            self.functions.append(Function(name))
        for level, f in reversed(list(enumerate(self.functions))):
            self.budget = 12 if level == 0 else 6
            if self.structured or level == 0 and self.random.random() < 0.2:
                f.tree = self._statements(level, 0, False)
                self._lay_out(f)
            else:
                self._knot(f, level)
        self.structured = all(f.tree is not None for f in self.functions)

    def _block(self):
        self.count += 1
        return Block(self.count)

    def _call(self, level):
        return level + 1 < len(self.functions) and self.random.random() < 0.3

    def _statements(self, level, depth, in_loop):
        result = []
        for _ in range(self.random.randint(1, 3)):
            self.budget -= 1
            kind = self.random.choice(("block", "if", "if", "if", "loop", "loop", "switch")) if depth < 4 and self.budget > 0 else "block"
            block = self._block()
            block.choices = self.random.choice((2, 2, 3))
            if kind == "block":
                if self._call(level):
                    block.kind, block.callee = "call", self.functions[level + 1].name
                result.append(("call" if block.callee else "block", block))
            elif kind == "if":
                other = self._statements(level, depth + 1, in_loop) if self.random.random() < 0.5 else []
                result.append(("if", block, self._statements(level, depth + 1, in_loop), other))
            elif kind == "switch":
                cases = [self._statements(level, depth + 1, in_loop) for _ in range(self.random.randint(2, 4))]
                block.choices = len(cases)
                result.append(("switch", block, cases))
            else:
                result.append(("loop", self._statements(level, depth + 1, True), block))
        leaves = (("break",), ("continue",)) * in_loop + (("return",),) * (depth > 0)
        if leaves and self.random.random() < 0.25:
            result.append(self.random.choice(leaves))
        return result

    def _lay_out(self, function):
        """Blocks of the tree in the order of the text, laid out from its end."""
        end = self._block()

        def place(statements, behind, loop):
            """Statements whose last one goes on at block `behind`; the block at which they begin. `loop`: where break and continue go."""
            begin = behind
            for k, s in reversed(list(enumerate(statements))):
                if s[0] == "break":
                    begin = loop[0]
                elif s[0] == "continue":
                    begin = loop[1]
                elif s[0] == "return":
                    begin = end
                elif s[0] in ("block", "call"):
                    s[1].kind, s[1].targets = ("call" if s[0] == "call" else "jump"), [begin.number]
                    order.append(s[1])
                    begin = s[1]
                elif s[0] == "if":
                    other = place(s[3], begin, loop)
                    then = place(s[2], begin, loop)
                    s[1].kind, s[1].targets = "branch", [then.number, other.number]
                    order.append(s[1])
                    begin = s[1]
                elif s[0] == "switch":
                    cases = [place(case, begin, loop) for case in reversed(s[2])][::-1]
                    s[1].kind, s[1].targets = "table", [case.number for case in cases]
                    order.append(s[1])
                    begin = s[1]
                else:
                    order.append(s[2])
                    body = place(s[1], s[2], (begin, s[2]))
                    s[2].kind, s[2].targets = "turn", [body.number, begin.number]
                    begin = body
            return begin

        order = [end]
        place(function.tree, end, None)
        function.blocks, function.end = order[::-1], end

    def _knot(self, function, level):
        """Any graph at all, whose ways forward lead to the last block."""
        blocks = [self._block() for _ in range(self.random.randint(5, 9))]
        for k, block in enumerate(blocks[:-1]):
            later = [b.number for b in blocks[k + 1:]]
            kind = self.random.choice(("jump", "branch", "branch", "branch", "turn", "turn", "table"))
            block.choices = self.random.choice((2, 2, 3))
            if k > 2 and self.random.random() < 0.1:
                kind = "return"
            if kind == "jump" and self._call(level):
                kind, block.callee = "call", self.functions[level + 1].name
            block.kind = kind
            if kind in ("jump", "call"):
                block.targets = [self.random.choice(later)]
            elif kind == "branch":
                block.targets = [self.random.choice(later), self.random.choice(later)]
            elif kind == "turn":
                block.targets = [self.random.choice([b.number for b in blocks[1:]]) if k else later[0], self.random.choice(later)]
            elif kind == "table":
                block.targets = [self.random.choice(later) for _ in range(3)]
                block.choices = 3
        function.blocks = blocks

    # ---------------------------------------------------------------- code

    def flags(self):
        return ["--no-one-ret"] * self.several_returns

    def expected(self, threads, warp, rule=run_graph):
        """The trace of each thread: (block, lanes)."""
        result = []
        for first in range(0, threads, warp):
            those = [Thread(n, self.fuel, self.salt) for n in range(first, min(first + warp, threads))]
            rule(self.functions, those)
            result += [[(n, tuple(t.number - first for t in together)) for n, together in t.trace] for t in those]
        return result

    def assembly(self, visits, rv64):
        """`visits`: of a thread, at most."""
        word = "w" if rv64 else ""
        lines = ["\t.text"]
        for level, f in enumerate(self.functions):
            lines += ["\t.align\t2", f"\t.globl\t{f.name}"] + [f"\t.protected\t{f.name}"] * (level == 0) + [f"\t.type\t{f.name}, @function", f"{f.name}:"]
            if level == 0:
                lines += ["\tcsrr\ts0, 0xF14", f"\tli\tt0, {8 * visits}", "\tmul\ts2, s0, t0", "\tadd\ts2, s2, a0", "\tandi\ts1, s0, 1", f"\taddi\ts1, s1, {self.fuel}",
                          f"\tli\tt0, {signed(0x9E3779B9)}", f"\tmul{word}\ts0, s0, t0", f"\tli\tt0, {signed(self.salt)}", f"\tadd{word}\ts0, s0, t0"]
            lines.append(f"\tmv\ts{4 + level}, ra")
            for k, block in enumerate(f.blocks):
                following = f.blocks[k + 1].number if k + 1 < len(f.blocks) else None
                lines += self._code(block, following, level, word)
            lines.append(f"\t.size\t{f.name}, .-{f.name}")
        return "\n".join(lines) + "\n"

    def _code(self, block, following, level, word):
        n = block.number
        lines = [f".LB{n}:", f"\tli\tt0, {n}", "\tcsrr\tt1, 0xC00", "\tsw\tt0, 0(s2)", "\tsw\tt1, 4(s2)", "\taddi\ts2, s2, 8",
                 "\tli\tt0, 1664525", f"\tmul{word}\ts0, s0, t0", f"\tli\tt0, {1013904223 + n}", f"\tadd{word}\ts0, s0, t0"]
        if block.kind in ("branch", "turn", "table"):
            lines += [f"\tsrli{word}\tt0, s0, 16", f"\tli\tt1, {block.choices}", "\tremu\tt0, t0, t1"]
        on = block.targets[0] if block.targets else None
        if block.kind == "branch":
            lines.append(f"\tbeqz\tt0, .LB{block.targets[0]}")
            on = block.targets[1]
        elif block.kind == "turn":
            lines += ["\tsltiu\tt0, t0, 1", "\tsnez\tt1, s1", "\tand\tt0, t0, t1", "\tsub\ts1, s1, t0", f"\tbnez\tt0, .LB{block.targets[0]}"]
            on = block.targets[1]
        elif block.kind == "table":
            size = 8 if word else 4
            return lines + [f"\tlla\tt1, .LT{n}", f"\tsh{3 if word else 2}add\tt1, t0, t1", f"\tl{'d' if word else 'w'}\tt1, 0(t1)", "\tjr\tt1", "\t.section\t.rodata", f"\t.align\t{3 if word else 2}",
                            f".LT{n}:"] + [f"\t.{size}byte\t.LB{t}" for t in block.targets] + ["\t.text"]
        elif block.kind == "call":
            lines.append(f"\tcall\t{block.callee}")
        elif block.kind == "return":
            return lines + [f"\tmv\tra, s{4 + level}", "\tret"]
        return lines + ([f"\tj\t.LB{on}"] if on != following else [])


def signed(value):
    return value - (1 << 32) if value >= 1 << 31 else value
