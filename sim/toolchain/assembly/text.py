# SPDX-License-Identifier: Apache-2.0
"""Statements of an assembly file, and its functions.

Every character of the file belongs to one statement, so what no pass has touched is written back as it was, debug information
included; only the numbers of source files (`.file`) move from inside a function to its front, so that its blocks may change places.
A pass changes `text`, or puts lines in front of a statement (`before`) or behind a function (`behind`).
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
LOADS = {"lb", "lh", "lw", "lbu", "lhu", "flw", "lwu", "ld", "fld"}
STORES = {"sb", "sh", "sw", "fsw", "sd", "fsd"}
_BYTES = {"b": 1, "h": 2, "w": 4, "d": 8}  # of a load or store, by the end of its name
WORD = 4  # bytes: what the frame is counted in
TRANSFERS = {"j", "jr", "jal", "jalr", "call", "tail", "ret"}
_NO_RESULT = BRANCHES | STORES | {"fence", "nop", "ebreak", "unimp"}
# Read or write what is not a register: state of the thread, or counters.
_STATE = {"frflags", "frrm", "frcsr", "fsflags", "fsrm", "fscsr", "csrw", "csrs", "csrc",
          "rdcycle", "rdcycleh", "rdtime", "rdtimeh", "rdinstret", "rdinstreth"}
# Instructions that the assembler may write as two.
_TWO_WORDS = BRANCHES | {"call", "tail", "la", "lla", "li"}
_LONGEST = 8  # instructions of a number of 64 bits

_DEBUG_LABEL = re.compile(r"^\.L(VL|BB|BE|BI|FB|FE|M|SI)\d+$")
_LABEL = re.compile(r"\s*([^\s:#\"();,]+):")
_PIECE = re.compile(r'(?:[^;#"]|"(?:[^"\\]|\\.)*")*(?:;|#.*\n?|"|$)')
_WORD = re.compile(r"%\w+|[.\w$]+")
_SLOT = re.compile(r"^(-?\d+)\(sp\)$")
_BARRIER = re.compile(r"# heddle\.barrier (\d+)")
_LINE_MARKER = re.compile(r'# (\d+) "([^"]*)"')
_INLINE_PLACE = re.compile(r'# (\d+) "(.*)" 1$')
_LOC = re.compile(r"\.loc\s+(\d+)\s+(\d+)")
_FILE = re.compile(r'\.file\s+(\d+)\s+(?:"[^"]*"\s+)?"([^"]*)"')
_TYPE = re.compile(r"\.type\s+([^,\s]+)\s*,\s*[@%]function")
_SIZE = re.compile(r"\.size\s+([^,\s]+)\s*,\s*([A-Za-z_.$][\w.$]*)?")
_SECTION = re.compile(r'\.(?:section|pushsection)\s+([^,\s]+)')
_SYMBOL = re.compile(r"[A-Za-z_.$][\w.$]*")
_ALIAS = re.compile(r"\.(?:set|equ|equiv)\s+[^,\s]+\s*,\s*([\w.$]+)\s*$")
_DATA = re.compile(r"\.(?:[248]?byte|half|short|word|long|dword|quad)\s+(.*)")
_SECTION_DIRECTIVES = (".section", ".pushsection", ".popsection", ".previous", ".text", ".data", ".bss")
# Directives of inline assembly that make no code and steer no assembly. The compiler's own may stand there, too.
_HARMLESS = (".loc", ".cfi_", ".option", ".align", ".p2align", ".balign")

FORK_TEXT = "\t.insn sb 0x0b, 1, x0, x0, {}\n"
JOIN_TEXT = "\t.insn i 0x0b, 2, x0, x0, 0\n"
FUNCT3_OF_PUSH, FUNCT3_OF_POP = 3, 4
ARM_TEXT = "\t.insn sb 0x0b, 5, x{}, x0, {}\n"          # bssy: number of the barrier, label
ARRIVE_TEXT = "\t.insn r 0x0b, 6, 0, x0, x{}, x0\n"     # bsync
BREAK_TEXT = "\t.insn r 0x0b, 6, 1, x0, x{}, x0\n"
YIELD_TEXT = "\t.insn r 0x0b, 6, 2, x0, x0, x0\n"
THREAD_ENDS = "# heddle.end"  # on a return of a kernel: of a region's way, on which threads end


def number(text):
    """The value of a plain number, else None."""
    try:
        return int(text, 0)
    except ValueError:
        return None


def register(word):
    """The ABI's name of a register, however it is spelled; None: it is none."""
    return _NAMES.get(word)


class Statement:
    """A label, an instruction, or anything else: directives, comments, empty lines."""

    def __init__(self, text, inline=False, place=None):
        self.text = text
        self.before = []      # lines that passes put in front
        self.inline = inline  # of inline assembly
        self.place = place    # (file, line) of the source
        self.anchor = self    # what lines for the statement stand in front of: where its inline assembly begins

    def replace_symbol(self, old, new):
        """Names another symbol wherever the statement names the old one."""
        self.text = re.sub(rf"(?<![\w.$]){re.escape(old)}(?![\w.$])", new, self.text)


class Label(Statement):
    def __init__(self, name, *statement):
        super().__init__(*statement)
        self.name = name


class Instruction(Statement):
    def __init__(self, bare, barrier, *statement):
        super().__init__(*statement)
        self.barriers = [barrier] if barrier is not None else []  # source lines of the barriers it stands for
        words = bare.split(None, 1)
        self.op = words[0]
        self.operands = [o.strip() for o in words[1].split(",")] if len(words) > 1 else []
        named = [[_NAMES[w] for w in _WORD.findall(o) if w in _NAMES] for o in self.operands]
        registers = [name for names in named for name in names]
        if self.op in ("jal", "jalr") and named and named[0] == ["zero"] and len(named) > 1:
            self.op, self.operands, named = ("j" if self.op == "jal" else "jr"), self.operands[1:], named[1:]
        # These may read their first operand, too: amocas, spelled as .insn, does.
        self.opaque = self.op.startswith(".") or self.op in _STATE
        has_result = bool(named and named[0]) and self.op not in _NO_RESULT and self.op not in TRANSFERS
        self.defs = {named[0][0]} - {"zero"} if has_result and "(" not in self.operands[0] else set()
        self.uses = set(registers if self.opaque or not self.defs else [name for names in named[1:] for name in names]) - {"zero"}
        if self.is_call():
            self.defs, self.uses = set(CALLER_SAVED), self.uses | ARGUMENTS | {"sp", "gp", "tp"}
        elif self.op == "tail":
            self.uses = ARGUMENTS | SAVED | {"ra"}
        elif self.is_return():
            self.uses = RESULTS | SAVED | {"ra"}
        elif self.op == "ecall":
            self.opaque, self.defs, self.uses = True, {"a0"}, {f"a{n}" for n in range(8)}
        elif self.convergence() in ("bssy", "bsync", "break", "yield"):
            self.uses = set()

    def spell(self, operands=None):
        """The instruction as text, from what was understood of it, or with other operands."""
        return f"\t{self.op}\t{','.join(operands or self.operands)}".rstrip() + "\n"

    def size(self):
        """Bytes, at most."""
        if self.op == "li" and (value := number(self.operands[1])) is not None and not -1 << 31 <= value < 1 << 32:
            return 4 * _LONGEST
        return 8 if self.op in _TWO_WORDS else 4

    def is_return(self):
        return self.op == "ret" or (self.op == "jr" and self.operands in (["ra"], ["x1"]))

    def is_call(self):
        return self.op in ("call", "jal", "jalr")

    def callee(self):
        """The symbol that a call or tail call names, which may be spelled as a register is; None: through a register, or no call."""
        return self.operands[-1] if self.op in ("call", "jal", "tail") and self.operands else None

    def symbols(self):
        """What its operands name that is no register; a function may be spelled as one."""
        sure = self.operands[1:2] if self.op in ("la", "lla") else re.findall(r"%\w+\(([^()]*)\)", ",".join(self.operands))
        names = [name for name in _SYMBOL.findall(re.sub(r"%\w+", "", ",".join(self.operands))) if name not in _NAMES]
        return dict.fromkeys(names + [name for operand in sure for name in _SYMBOL.findall(operand)])

    def target(self):
        return self.operands[-1] if self.op in BRANCHES or self.op == "j" else None

    def slot(self):
        """Offset of a load or store of the frame, else None."""
        match = _SLOT.match(self.operands[1]) if self.op in LOADS | STORES and len(self.operands) == 2 else None
        return int(match.group(1)) if match else None

    def bytes(self):
        """Of a load or store."""
        return _BYTES[self.op.rstrip("u")[-1]]

    def words(self, offset):
        """Numbers of the words that a load or store at this offset from the frame's begin is of."""
        return range(offset // WORD, (offset + self.bytes() - 1) // WORD + 1)

    # ---------------------------------------------------------------- spelled as .insn

    def _fields(self):
        return self.operands[0].split() if self.op == ".insn" and self.operands else []

    def _custom0(self):
        """funct3 of an instruction of custom-0, else None."""
        fields = self._fields()
        return number(self.operands[1]) if len(fields) == 2 and number(fields[1]) == 0x0B and len(self.operands) > 1 else None

    def is_barrier(self):
        return self._custom0() == 0

    def is_warp_wide(self):
        """A shuffle or vote: needs the threads of the warp together, as a barrier needs those of the block."""
        fields = self._fields()
        return len(fields) == 2 and number(fields[1]) == 0x2B and len(self.operands) > 1 and number(self.operands[1]) == 1

    def convergence(self):
        """What it says of a convergence barrier: bssy, bsync, break, yield, warpsync, bmov, bmov.pc, restore; None: nothing."""
        custom0 = self._custom0()
        if custom0 == 6 and len(self.operands) > 2:
            return dict(enumerate(("bsync", "break", "yield", "warpsync", "bmov", "bmov.pc", "restore"))).get(number(self.operands[2]))
        return "bssy" if custom0 == 5 else None

    def barrier_number(self):
        """Of bssy, bsync and break."""
        word = self.operands[2 if self.convergence() == "bssy" else 4]
        return int(word[1:]) if re.fullmatch(r"x\d+", word) else None

    def respell(self, funct3):
        """As another instruction of custom-0 with the same operands."""
        fields = self.text.split(",")
        fields[1] = f" {funct3}"
        self.text = ",".join(fields)

    def is_fork(self):
        return self._custom0() == 1

    def is_join(self):
        return self._custom0() == 2

    def join_label(self):
        """Of a fork."""
        return self.operands[-1]

    def hides_control(self):
        """A branch or jump that is spelled as .insn."""
        fields = self._fields()
        return len(fields) == 2 and number(fields[1]) in (0x63, 0x67, 0x6F)

    def ends_thread(self):
        """A return of a kernel that a pass has given to a region."""
        return self.is_return() and THREAD_ENDS in self.text


class Function:
    def __init__(self, name, file):
        self.name = name
        self.file = file
        self.kernel = False
        self.statements = []
        self.behind = []       # lines that passes put at the end
        self.tables = {}       # indirect jump -> the data statements of the table behind it
        self.data = set()      # statements of other sections
        self.readable = True   # every instruction in it is one

    def is_named(self, name):
        """By its symbol, or in C++ by the name in it."""
        return self.name == name or self.name.startswith(f"_Z{len(name)}{name}")

    @property
    def instructions(self):
        return [s for s in self.statements if isinstance(s, Instruction)]

    def cut(self, end):
        """Gives back what stands from the label on at which the function ends, if it ends at one: LLVM counts its size up to there."""
        at = next((n for n, s in enumerate(self.statements) if isinstance(s, Label) and s.name == end), len(self.statements))
        rest, self.statements = self.statements[at:], self.statements[:at]
        return rest

    def at(self, statement):
        """`file:line` of a statement, as far as known."""
        if statement.place is None:
            return f"{self.file.name}: function '{self.name}'"
        return f"{statement.place[0]}:{statement.place[1]}"


class File:
    """`by_hand`: places are lines of the file itself, or of what the preprocessor says that they come from."""

    def __init__(self, lines, name, by_hand=False):
        self.name = name
        self.by_hand = by_hand
        self.functions = []
        self.parts = []        # functions, statements outside them, lines of debug information
        self.globals = set()
        self._parse(lines)

    def text(self):
        result = []

        def add(statement):
            if statement.before and result and not result[-1].endswith("\n"):
                result.append("\n")
            result.extend(statement.before)
            result.append(statement.text)

        for part in self.parts:
            if isinstance(part, Function):
                for statement in part.statements:
                    add(statement)
                result.extend(part.behind)
            elif isinstance(part, str):
                result.append(part)
            else:
                add(part)
        return "".join(result)

    def again(self):
        """The file read anew, as passes have changed it."""
        return File(self.text().splitlines(keepends=True), self.name, self.by_hand)

    def statements(self):
        for part in self.parts:
            if not isinstance(part, str):
                yield from part.statements if isinstance(part, Function) else [part]

    def addressed(self):
        """Symbol -> statements that form its address: data outside debug information, or code."""
        result = {}
        section = ".text"
        for s in self.statements():
            if isinstance(s, Instruction):
                if s.op not in BRANCHES and s.op not in TRANSFERS and not s.is_fork() and s.convergence() != "bssy":
                    for symbol in s.symbols():
                        result.setdefault(symbol, []).append(s)
                continue
            bare = s.text.strip()
            if bare.startswith(_SECTION_DIRECTIVES):
                section = _section_behind(bare)
            if not section.startswith((".debug", ".eh_frame")) and (match := _DATA.match(bare)):
                for symbol in _SYMBOL.findall(match.group(1).split("#")[0]):
                    result.setdefault(symbol, []).append(s)
        return result

    def aliased(self):
        """Symbols that have a second name."""
        matches = (_ALIAS.match(s.text.strip()) for s in self.statements() if not isinstance(s, (Label, Instruction)))
        return {match.group(1) for match in matches if match}

    # ---------------------------------------------------------------- parsing

    def _parse(self, lines):
        types = (_TYPE.match(line.strip()) for line in lines if ".type" in line)
        declared = {match.group(1) for match in types if match}
        protected = set()
        names = {}             # number -> source file
        current, inline, place = None, False, None
        opening = None         # of inline assembly, of which no statement has come yet
        section, home, jump = ".text", ".text", None  # home: the function's; jump: indirect, in front of its table
        source, line_of_source = self.name, 0
        for line in lines:
            stripped = line.strip()
            if current is None and section.startswith(".debug") and not stripped.startswith(_SECTION_DIRECTIVES):
                self.parts.append(line)
                continue
            if self.by_hand:
                line_of_source += 1
                place = source, line_of_source
                if match := _LINE_MARKER.match(stripped):
                    source, line_of_source = match.group(2), int(match.group(1)) - 1
            if stripped.startswith("#APP"):
                inline = True
            elif stripped.startswith("#NO_APP"):
                inline = False
            elif inline and (match := _INLINE_PLACE.match(stripped)):
                place = match.group(2), int(match.group(1))
            for text in _pieces(line):
                s = _statement(text, inline, place)
                if stripped.startswith("#APP"):
                    opening = s
                elif isinstance(s, (Label, Instruction)):
                    s.anchor, opening = opening or s, None
                if isinstance(s, Label) and s.name in declared and not inline:
                    self.parts.append(s)
                    current, home, jump = Function(s.name, self), section, None
                    self.functions.append(current)
                    self.parts.append(current)
                    continue
                bare = text.strip()
                if not isinstance(s, (Label, Instruction)):
                    if not bare.startswith("."):
                        pass
                    elif match := _LOC.match(bare):
                        place = names.get(match.group(1), self.name), int(match.group(2))
                    elif match := _FILE.match(bare):
                        names[match.group(1)] = match.group(2)
                        if current is not None:  # a block with a .loc of the file may come to stand before this one
                            self.parts.insert(self.parts.index(current) - 1, s)
                            continue
                    elif match := re.match(r"\.(protected|globl|global|weak)\s+(\S+)", bare):
                        (protected if match.group(1) == "protected" else self.globals).add(match.group(2))
                    elif (match := _SIZE.match(bare)) and current and match.group(1) == current.name:
                        self.parts += current.cut(match.group(2))
                        current = None
                    elif bare.startswith(_SECTION_DIRECTIVES):
                        section = _section_behind(bare)
                if current is None:
                    self.parts.append(s)
                    continue
                current.statements.append(s)
                if section != home:
                    current.data.add(s)
                    if jump is not None and _DATA.match(bare):
                        current.tables.setdefault(jump, []).append(s)
                elif isinstance(s, Instruction):
                    jump = s if s.op == "jr" and not s.is_return() else None
                    current.readable &= not s.hides_control()
                elif inline and bare.startswith(".") and not bare.endswith(":") and not bare.startswith(_HARMLESS):
                    current.readable = False
        for function in self.functions:
            function.kernel = function.name in protected


def _section_behind(directive):
    match = _SECTION.match(directive)
    return match.group(1) if match else directive.split()[0] if directive.startswith((".text", ".data", ".bss")) else ".text"


def _pieces(line):
    """The statements of a line as text; together they are the line."""
    if ":" not in line and ";" not in line:
        return [line]
    result, at = [], 0
    while at < len(line):
        end = max(_PIECE.match(line, at).end(), at + 1)
        while (label := _LABEL.match(line, at, end)) and line[label.end():end].strip():
            result.append(line[at:label.end()])
            at = label.end()
        result.append(line[at:end])
        at = end
    if len(result) > 1 and not result[-1].strip():
        result[-2:] = [result[-2] + result[-1]]
    return result


def _statement(text, inline, place):
    bare = re.sub(r"#.*", "", text).strip().rstrip(";").strip()
    if (match := _LABEL.match(text)) and not _DEBUG_LABEL.match(match.group(1)):
        return Label(match.group(1), text, inline, place)
    if not bare or match or (bare.startswith(".") and not bare.startswith(".insn")):
        return Statement(text, inline, place)
    barrier = _BARRIER.search(text) if inline else None
    return Instruction(re.sub(r"\s+", " ", bare), int(barrier.group(1)) if barrier else None, text, inline, place)
