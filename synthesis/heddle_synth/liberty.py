# SPDX-License-Identifier: Apache-2.0
"""Reads of a Liberty file what a report of area needs: cells with area, pins, functions, and what kind of storage they are."""
import itertools
import pathlib
import re

from .errors import BadInput, read_text

NAMED = {"osu018": ("/usr/share/qflow/tech/osu018/osu018_stdcells.lib", "qflow-tech-osu018")}  # name: file, Debian package

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}();:,]|[^\s{}();:,"]+')


class _Group:
    """name(arguments) { attributes, groups }."""

    def __init__(self, name, arguments):
        self.name, self.arguments, self.attributes, self.groups = name, arguments, {}, []

    def all(self, *names):
        return [g for g in self.groups if g.name in names]


def _parse(text, where):
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S).replace("\\\n", " \n")
    tokens = list(_TOKEN.finditer(text))

    def bad(index, what):
        line = text.count("\n", 0, tokens[index].start() if index < len(tokens) else len(text)) + 1
        return BadInput(f"{where}:{line}: not a Liberty file: {what}")

    top, at = _Group("", []), 0
    stack = [top]
    while at < len(tokens):
        token = tokens[at].group()
        if token == ";":
            at += 1
        elif token == "}":
            if len(stack) == 1:
                raise bad(at, "a brace closes what was not opened")
            stack.pop()
            at += 1
        elif at + 1 < len(tokens) and tokens[at + 1].group() == ":":
            end = at + 2
            while end < len(tokens) and tokens[end].group() not in (";", "}") and "\n" not in text[tokens[end - 1].end():tokens[end].start()]:
                end += 1
            stack[-1].attributes[token] = " ".join(t.group().strip('"') for t in tokens[at + 2:end])
            at = end
        elif at + 1 < len(tokens) and tokens[at + 1].group() == "(":
            end = at + 2
            while end < len(tokens) and tokens[end].group() != ")":
                end += 1
            if end == len(tokens):
                raise bad(at, f"the parenthesis after {token} is not closed")
            arguments = [t.group().strip('"') for t in tokens[at + 2:end] if t.group() != ","]
            at = end + 1
            if at < len(tokens) and tokens[at].group() == "{":
                group = _Group(token, arguments)
                stack[-1].groups.append(group)
                stack.append(group)
                at += 1
            else:
                stack[-1].attributes[token] = " ".join(arguments)
        else:
            raise bad(at, f"'{token[:40]}' is neither an attribute nor a group")
    if len(stack) != 1:
        raise bad(len(tokens), f"{stack[-1].name}({' '.join(stack[-1].arguments)}) is not closed")
    return top


def _truth_table(function, inputs):
    """Outputs of a Liberty function for all values of its inputs, or None if it is no plain function of them."""
    words = re.findall(r"[A-Za-z_][\w\[\]]*|[01]|[!'&*|+^()]", function)
    if not set(w for w in words if re.match(r"[A-Za-z_]", w)) <= set(inputs):
        return None
    # Juxtaposition is AND; a quote behind an operand inverts it; precedence: inversion, XOR, AND, OR.
    def parse_or(values, at):
        left, at = parse_and(values, at)
        while at < len(words) and words[at] in "|+":
            right, at = parse_and(values, at + 1)
            left |= right
        return left, at

    def parse_and(values, at):
        left, at = parse_xor(values, at)
        while at < len(words) and words[at] not in ("|", "+", ")"):
            right, at = parse_xor(values, at + (words[at] in "&*"))
            left &= right
        return left, at

    def parse_xor(values, at):
        left, at = parse_operand(values, at)
        while at < len(words) and words[at] == "^":
            right, at = parse_operand(values, at + 1)
            left ^= right
        return left, at

    def parse_operand(values, at):
        if words[at] == "!":
            value, at = parse_operand(values, at + 1)
            return 1 - value, at
        if words[at] == "(":
            value, at = parse_or(values, at + 1)
            at += 1
        else:
            value, at = values.get(words[at], words[at] == "1"), at + 1
        while at < len(words) and words[at] == "'":
            value, at = 1 - value, at + 1
        return int(value), at

    table = []
    for bits in itertools.product((0, 1), repeat=len(inputs)):
        try:
            table.append(parse_or(dict(zip(inputs, bits)), 0)[0])
        except IndexError:
            return None
    return tuple(table)


class Cell:
    """One cell: area in the library's unit, pins, storage."""

    def __init__(self, group):
        self.name = group.arguments[0]
        self.area = float(group.attributes.get("area", 0))
        self.pins = {p.arguments[0]: p for p in group.all("pin") if p.arguments}
        flops = group.all("ff", "ff_bank")
        self.is_flop = bool(flops)
        self.is_asynchronous = any(a in g.attributes for g in flops for a in ("clear", "preset"))
        self.is_latch = bool(group.all("latch", "latch_bank"))
        self.is_usable = group.attributes.get("dont_use", "false") != "true"

    def pins_with(self, direction):
        return [n for n, p in self.pins.items() if p.attributes.get("direction") == direction]

    def capacitance(self, pin):
        return float(self.pins[pin].attributes.get("capacitance", 0))

    def is_gate(self, inputs, table):
        """One output, a function of so many inputs with that truth table."""
        pins, outputs = self.pins_with("input"), self.pins_with("output")
        if self.is_flop or self.is_latch or not self.is_usable or len(pins) != inputs or len(outputs) != 1:
            return False
        function = self.pins[outputs[0]].attributes.get("function")
        return function is not None and _truth_table(function, pins) == table


class Library:
    """The cells of a Liberty file and the units of time and capacitance."""

    def __init__(self, name):
        path, package = NAMED.get(name, (name, None))
        self.name, self.path = name, pathlib.Path(path)
        if not self.path.is_file():
            if package is not None:
                raise BadInput(f"--lib {name}: {path} is not there: apt-get install {package} (or run scripts/setup)")
            raise BadInput(f"--lib {name}: no such file; give the path of a Liberty file or one of {', '.join(NAMED)}")
        self._text = read_text(self.path, f"--lib {name}")
        libraries = _parse(self._text, self.path).all("library")
        if len(libraries) != 1:
            raise BadInput(f"--lib {name}: not a Liberty file: it holds no library(...) group")
        library = libraries[0]
        self.title = library.arguments[0]
        self.label = name if name in NAMED else self.title
        self.cells = {c.name: c for c in (Cell(g) for g in library.all("cell") if g.arguments)}
        self.nand2 = self._smallest("two-input NAND gate", 2, (1, 1, 1, 0))
        self.inverter = self._smallest("inverter", 1, (1, 0))
        buffers = [c for c in self.cells.values() if c.is_gate(1, (0, 1))]
        self.driver = min(buffers or [self.inverter], key=lambda c: c.area)
        unit = re.fullmatch(r"([\d.]+) (pf|ff)", library.attributes.get("capacitive_load_unit", "1 pf").lower())
        if unit is None:
            raise BadInput(f"{self.path}: capacitive_load_unit is {library.attributes['capacitive_load_unit']}; pf or ff is understood")
        self.picofarads = float(unit[1]) * {"pf": 1, "ff": 0.001}[unit[2]]  # of the library's unit of capacitance

    def _smallest(self, what, inputs, table):
        found = [c for c in self.cells.values() if c.is_gate(inputs, table) and c.area > 0]
        if not found:
            raise BadInput(f"--lib {self.name}: the library has no {what} with an area, the unit that areas are compared in")
        return min(found, key=lambda c: c.area)

    def without_wires(self):
        """The file without the wire loads that it proposes for nets whose wires nobody knows."""
        return re.sub(r"^[ \t]*default_wire_load(_selection)?\s*:.*$", "", self._text, flags=re.M)

    @property
    def load(self):
        """What every output drives: four inverters, in picofarads."""
        return 4 * self.inverter.capacitance(self.inverter.pins_with("input")[0]) * self.picofarads
