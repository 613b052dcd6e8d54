# SPDX-License-Identifier: Apache-2.0
"""Control flow and data flow of compiler-written RV32 assembly, for the passes of heddle-cc.

Instructions of one function between its label and its .size line; blocks; which registers are live; where threads of a warp may
differ. What cannot be understood (an indirect jump, control flow in inline assembly) makes `Flow.known` false: a pass then leaves
the function alone, or says no.
"""

import re

ARGUMENTS = {f"a{n}" for n in range(8)} | {f"fa{n}" for n in range(8)}
TEMPORARIES = {f"t{n}" for n in range(7)} | {f"ft{n}" for n in range(12)}
SAVED = {f"s{n}" for n in range(12)} | {f"fs{n}" for n in range(12)} | {"sp", "gp", "tp"}
CALLER_SAVED = ARGUMENTS | TEMPORARIES | {"ra"}
REGISTERS = CALLER_SAVED | SAVED
RESULTS = {"a0", "a1", "fa0", "fa1"}

_X_NAMES = "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6".split()
_F_NAMES = ("ft0 ft1 ft2 ft3 ft4 ft5 ft6 ft7 fs0 fs1 fa0 fa1 fa2 fa3 fa4 fa5 fa6 fa7 "
            "fs2 fs3 fs4 fs5 fs6 fs7 fs8 fs9 fs10 fs11 ft8 ft9 ft10 ft11").split()
_NAMES = {f"x{n}": name for n, name in enumerate(_X_NAMES)} | {f"f{n}": name for n, name in enumerate(_F_NAMES)} | {"fp": "s0"}
_NAMES |= {name: name for name in REGISTERS | {"zero"}}

BRANCHES = {"beq", "bne", "blt", "bge", "bltu", "bgeu", "bgt", "ble", "bgtu", "bleu", "beqz", "bnez", "bltz", "bgez", "blez", "bgtz"}
LOADS = {"lb", "lh", "lw", "lbu", "lhu", "flw"}
STORES = {"sb", "sh", "sw", "fsw"}
_TRANSFERS = {"j", "jr", "jal", "jalr", "call", "tail", "ret"}
_NO_RESULT = BRANCHES | STORES | {"fence", "nop", "ebreak"}
# Read or write what is not a register: state of the thread, or counters.
_STATE = {"frflags", "frrm", "frcsr", "fsflags", "fsrm", "fscsr", "csrw", "csrs", "csrc",
          "rdcycle", "rdcycleh", "rdtime", "rdtimeh", "rdinstret", "rdinstreth"}

_LABEL = re.compile(r"^([^\s:#\"]+):")
_DEBUG_LABEL = re.compile(r"^\.L(VL|BB|BE|BI|FB|FE|M|SI)\d+:")
_WORD = re.compile(r"%\w+|[.\w$]+")
_SLOT = re.compile(r"^(-?\d+)\(sp\)$")
_BARRIER = re.compile(r"# heddle\.barrier (\d+)")

# Control and status registers that are the same for all threads of a warp: block index and size, grid size, warp.
_UNIFORM_CSRS = set(range(0xCC3, 0xCCC)) | {0xCCD}


class Instruction:
    def __init__(self, line, text, inline, barrier=None):
        self.line = line          # index into the file's lines
        self.inline = inline      # of inline assembly
        self.barriers = [barrier] if barrier is not None else []  # source lines of the barriers it stands for
        words = text.split(None, 1)
        self.op = words[0]
        self.operands = [o.strip() for o in words[1].split(",")] if len(words) > 1 else []
        named = [[_NAMES[w] for w in _WORD.findall(o) if w in _NAMES] for o in self.operands]
        registers = [name for names in named for name in names]
        # These may read their first operand, too: amocas, spelled as .insn, does.
        self.opaque = self.op.startswith(".") or self.op in _STATE
        has_result = bool(named and named[0]) and self.op not in _NO_RESULT and self.op not in _TRANSFERS
        self.defs = {named[0][0]} - {"zero"} if has_result and "(" not in self.operands[0] else set()
        self.uses = set(registers if self.opaque or not self.defs else [name for names in named[1:] for name in names]) - {"zero"}
        if self.op in ("call", "jal") or (self.op == "jalr" and len(self.operands) == 1):
            self.defs, self.uses = set(CALLER_SAVED), self.uses | ARGUMENTS | {"sp", "gp", "tp"}
        elif self.op == "tail":
            self.uses = ARGUMENTS | SAVED | {"ra"}
        elif self.is_return():
            self.uses = RESULTS | SAVED | {"ra"}
        elif self.op == "ecall":
            self.opaque, self.defs, self.uses = True, {"a0"}, {f"a{n}" for n in range(8)}

    def is_return(self):
        return self.op == "ret" or (self.op == "jr" and self.operands == ["ra"])

    def is_call(self):
        return self.op in ("call", "jal", "jalr")

    def target(self):
        return self.operands[-1] if self.op in BRANCHES or self.op == "j" else None

    def slot(self):
        """Offset of a load or store of the frame, else None."""
        match = _SLOT.match(self.operands[1]) if self.op in LOADS | STORES and len(self.operands) == 2 else None
        return int(match.group(1)) if match else None


class Block:
    def __init__(self):
        self.instructions = []
        self.labels = []
        self.successors = []


class Flow:
    """One function: its lines are first (behind the label) to last (exclusive)."""

    def __init__(self, lines, first, last):
        self.known = True
        self.blocks = [Block()]
        self._read(lines, first, last)
        self._connect()

    def _read(self, lines, first, last):
        inline = False
        for number in range(first, last):
            line = lines[number]
            stripped = line.strip()
            if stripped.startswith("#APP"):
                inline = True
            elif stripped.startswith("#NO_APP"):
                inline = False
            elif inline:
                barrier = _BARRIER.search(line)
                for text in re.sub(r"#.*", "", line).split(";"):
                    text = re.sub(r"\s+", " ", text.strip())
                    if not text or text.startswith(".loc ") or _DEBUG_LABEL.match(text):
                        continue
                    if text.startswith(".") and not text.startswith(".insn"):
                        self.known = False
                    instruction = Instruction(number, text, True, int(barrier.group(1)) if barrier else None)
                    if ":" in text or instruction.op in BRANCHES | _TRANSFERS:
                        self.known = False
                    self.blocks[-1].instructions.append(instruction)
            elif (match := _LABEL.match(line)) and not _DEBUG_LABEL.match(line):
                if self.blocks[-1].instructions:
                    self.blocks.append(Block())
                self.blocks[-1].labels.append(match.group(1))
            elif stripped and not match and not stripped.startswith((".", "#")):
                instruction = Instruction(number, re.sub(r"#.*", "", stripped), False)
                self.blocks[-1].instructions.append(instruction)
                if instruction.op in BRANCHES | {"j", "jr", "tail", "ret"}:
                    self.blocks.append(Block())

    def _connect(self):
        at = {label: n for n, block in enumerate(self.blocks) for label in block.labels}
        for n, block in enumerate(self.blocks):
            end = block.instructions[-1] if block.instructions else None
            following = [n + 1] if n + 1 < len(self.blocks) else []
            if end is None or (end.op not in BRANCHES and end.op not in ("j", "jr", "tail", "ret")):
                block.successors = following
            elif end.op in BRANCHES or end.op == "j":
                if end.target() not in at:
                    self.known = False
                    continue
                block.successors = [at[end.target()]] + (following if end.op in BRANCHES else [])
            elif end.op == "jr" and not end.is_return():
                self.known = False
        self.count = len(self.blocks)

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

    def reach(self, start, stop):
        """Blocks reachable from `start`, itself included, without passing `stop`."""
        seen, work = set(), [start]
        while work:
            n = work.pop()
            if n in seen or n == stop:
                continue
            seen.add(n)
            work += self.blocks[n].successors
        return seen

    def post_dominators(self):
        """The immediate post-dominator of each block; None where it is the function's end, or nothing ends."""
        everything = (1 << self.count) - 1
        sets = [everything] * self.count
        changed = True
        while changed:
            changed = False
            for n in range(self.count - 1, -1, -1):
                common = everything if self.blocks[n].successors else 0
                for s in self.blocks[n].successors:
                    common &= sets[s]
                common |= 1 << n
                if common != sets[n]:
                    sets[n], changed = common, True
        ends = [any(not self.blocks[m].successors for m in self.reach(n, None)) for n in range(self.count)]
        result = []
        for n in range(self.count):
            strict = [m for m in range(self.count) if m != n and sets[n] >> m & 1] if ends[n] else []
            result.append(max(strict, key=lambda m: bin(sets[m]).count("1")) if strict else None)
        return result

    def divergent_branches(self, kernel):
        """Blocks that end with a branch whose sides the threads of a warp may take apart.

        A forward analysis of what is the same in all threads: the arguments of a kernel, constants, block and grid, what is
        computed from such, or loaded from an address that is such. Where the sides of a branch that is not uniform meet again,
        nothing is that was written on either side. Memory of the thread (the stack) is followed word by word unless its
        address is taken."""
        ends = self.post_dominators()
        escapes = any("sp" in i.uses and not (i.op == "addi" and i.defs == {"sp"}) and i.slot() is None and not i.is_call()
                      and i.op != "tail" and not i.is_return() for b in self.blocks for i in b.instructions)
        entry = REGISTERS - {"tp"} if kernel else {"sp", "gp"}
        lost = {}  # block -> what is not uniform at its start because threads of several ways meet there
        divergent = set()
        while True:
            at_start = self._uniform(entry, lost, escapes)
            found = {n for n, block in enumerate(self.blocks) if len(block.successors) == 2 and at_start[n] is not None
                     and not block.instructions[-1].uses <= self._through(block, at_start[n], escapes)}
            if found <= divergent:
                return divergent
            for n in found - divergent:
                sides = [self.reach(s, ends[n]) for s in self.blocks[n].successors]
                written = set().union(*(self._written(self.blocks[m]) for m in sides[0] | sides[1]))
                meeting = (sides[0] & sides[1]) | ({ends[n]} if ends[n] is not None else set())
                for m in meeting:
                    lost[m] = lost.get(m, set()) | written
            divergent |= found

    def _written(self, block):
        result = set()
        for i in block.instructions:
            result |= i.defs
            if i.op in STORES and i.slot() is not None:
                result.add(i.slot() // 4)
        return result

    def _uniform(self, entry, lost, escapes):
        at_start = [None] * self.count  # None: not reached yet
        at_start[0] = frozenset(entry)
        work = [0]
        while work:
            n = work.pop()
            behind = self._through(self.blocks[n], at_start[n], escapes)
            for s in self.blocks[n].successors:
                merged = behind - lost.get(s, set())
                if at_start[s] is not None:
                    merged &= at_start[s]
                if at_start[s] is None or merged != at_start[s]:
                    at_start[s] = frozenset(merged)
                    work.append(s)
        return at_start

    @staticmethod
    def _through(block, uniform, escapes):
        """What is uniform behind a block. Words of the frame are their numbers."""
        uniform = set(uniform)
        for i in block.instructions:
            slot = i.slot()
            if i.op in STORES:
                if slot is not None:
                    whole = i.op in ("sw", "fsw") and slot % 4 == 0 and i.uses <= uniform and not escapes
                    (uniform.add if whole else uniform.discard)(slot // 4)
                continue
            if "sp" in i.defs:  # the frame moves: its words get other numbers
                uniform = {u for u in uniform if isinstance(u, str)}
                continue
            if i.is_call():
                same = False
            elif i.op in ("csrr", "csrrs") and len(i.operands) >= 2 and i.uses <= {"zero"}:
                same = _number(i.operands[1]) in _UNIFORM_CSRS
            elif i.op in LOADS:
                same = slot // 4 in uniform and not escapes if slot is not None else i.uses <= uniform
            elif i.opaque or i.op.startswith(("amo", "lr.", "sc.", "csr")) or "sp" in i.uses:
                same = False
            else:
                same = i.uses <= uniform
            if i.inline and not i.defs:
                uniform -= i.uses  # what is in the text without being its first operand may be written as well
            (uniform.update if same else uniform.difference_update)(i.defs)
        return frozenset(uniform)

    # ---------------------------------------------------------------- copies of barriers

    def copies_apart(self, lines_of, kernel):
        """A source line whose barrier the compiler has copied so that threads of a warp may come to two copies of it at the
        same time, or None. lines_of(instruction): source lines of the barriers that an instruction stands for."""
        barriers = [[line for i in block.instructions for line in lines_of(i)] for block in self.blocks]
        twice = {line for lines in barriers for line in lines if lines.count(line) > 1}
        copied = twice | {line for n, lines in enumerate(barriers) for line in lines
                          if any(line in other for other in barriers[:n] + barriers[n + 1:])}
        if not copied:
            return None
        if not self.known:
            return min(copied)
        for n in sorted(self.divergent_branches(kernel)):
            firsts, region = self._first_barriers(n, barriers)
            met = [barriers[m][0] for m in firsts]
            again = [line for line in met if line in copied and met.count(line) > 1]
            if again and not self._common(n, firsts, region):
                return min(again)
        return None

    def _first_barriers(self, branch, barriers):
        """The blocks with the first barriers behind a branch, and all blocks on the way."""
        firsts, seen, work = set(), set(), list(self.blocks[branch].successors)
        while work:
            n = work.pop()
            if n in seen:
                continue
            seen.add(n)
            if barriers[n]:
                firsts.add(n)
            else:
                work += self.blocks[n].successors
        return firsts, seen

    def _common(self, branch, firsts, region):
        """True if one block lies on every way from the branch to those barriers: its sides meet there first."""
        for cut in region:
            reached, work = set(), [s for s in self.blocks[branch].successors if s in region and s != cut]
            while work:
                n = work.pop()
                if n in reached:
                    continue
                reached.add(n)
                if n not in firsts:
                    work += [s for s in self.blocks[n].successors if s in region and s != cut]
            if not reached & firsts:
                return True
        return False


def _number(text):
    try:
        return int(text, 0)
    except ValueError:
        return None
