# SPDX-License-Identifier: Apache-2.0
"""What a kernel saves for a caller is neither stored nor loaded: it has none.

Compilers make a kernel as any function: the registers that a callee must keep are stored before it writes them and loaded before it
returns. A save is a store of such a register while that holds what it held at the kernel's begin, a restore a load of it from there.
Both go if no other instruction names the word of the frame, and nobody reads what the restores load. (A pointer may lead to the word:
gcc counts from the end of an array, where the saves begin. But what a save stores the program has not written, so nobody looks for it.)
Where no other instruction uses the frame, the frame goes, too. The return address stays: it is how a kernel comes to its end.
"""

import re

from .flow import Flow
from .text import LOADS, SAVED, STORES, WORD, number, register

_KEPT = SAVED - {"sp", "gp", "tp"}
_MEMORY = re.compile(r"^(-?\w*)\((\w+)\)$")
_FRAME_NOTE = re.compile(r"\s*\.cfi_(?:offset|restore)\s+(\w+)")
_SIZE_NOTE = re.compile(r"\s*\.cfi_def_cfa_offset\s")


def drop_saves(file, program):
    """Changes the kernels of a file that nothing calls."""
    for function in file.functions:
        if program.has_no_caller(function):
            cfg = program.cfg(function, Flow)
            if cfg.complete:
                _Kernel(function, cfg).run()


def _at_start(cfg, entry, through):
    """For each block the facts that hold at its start on all ways; None: no way leads there."""
    at_start = [None] * cfg.count
    at_start[0] = frozenset(entry)
    work = [0]
    while work:
        n = work.pop()
        behind = through(cfg.blocks[n], at_start[n])
        for s in cfg.blocks[n].successors:
            met = behind if at_start[s] is None else behind & at_start[s]
            if met != at_start[s]:
                at_start[s] = met
                work.append(s)
    return at_start


class _Kernel:
    def __init__(self, function, cfg):
        self.function = function
        self.cfg = cfg
        self.frame = _Frame(cfg)

    def run(self):
        words = self._saved_words()
        if not words:
            return
        gone = {i for accesses in words.values() for i in accesses}
        frame = self._unused_frame(gone)
        for i in gone | frame:
            i.text = ""
        saved = {register(i.operands[0]) for i in gone}
        for s in self.function.statements:
            note = _FRAME_NOTE.match(s.text)
            if (note and _of_debugger(note.group(1)) in saved) or (frame and _SIZE_NOTE.match(s.text)):
                s.text = ""

    def _saved_words(self):
        """Words of the frame where what a caller would want back begins -> the loads and stores of it."""
        words = {word: accesses for word, accesses in self.frame.accesses.items() if self._looks_saved(word, accesses)}
        own = {i: (i.uses, i.defs) for accesses in words.values() for i in accesses}
        for i in own:
            i.uses = i.defs = set()
        for i in self.function.instructions:
            if i.is_return() or i.op == "tail":
                i.uses = i.uses - SAVED
        while wrong := self._restored_for_use(words) | self._saved_later(words):
            for word in wrong:
                for i in words.pop(word):
                    i.uses, i.defs = own[i]
        return words

    def _looks_saved(self, word, accesses):
        registers = {register(i.operands[0]) for i in accesses}
        words = self.frame.words[accesses[0]]
        return (len(registers) == 1 and registers <= _KEPT and any(i.op in STORES for i in accesses) and words[0] == word
                and all(self.frame.accesses[w] == accesses for w in words)
                and all(self.frame.words[i] == words and i.bytes() == WORD * len(words) and not i.inline for i in accesses))

    def _restored_for_use(self, words):
        """Those of which a load is read; none of the loads and stores of the others does anything."""
        word_of = {i: word for word, accesses in words.items() for i in accesses}
        wrong = set()
        for block, live in zip(self.cfg.blocks, self.cfg.live_out()):
            for i in reversed(block.instructions):
                if i in word_of and i.op in LOADS and register(i.operands[0]) in live:
                    wrong.add(word_of[i])
                live = (live | i.defs if i.inline else live - i.defs) | i.uses
        return wrong

    def _saved_later(self, words):
        """Those that are stored where the register holds something else."""
        word_of = {i: word for word, accesses in words.items() for i in accesses}

        def behind(i, held):
            if i in word_of:
                return held | {register(i.operands[0])} if i.op in LOADS else held
            return held - (i.defs | i.uses if i.inline or i.opaque else i.defs)

        def through(block, held):
            for i in block.instructions:
                held = behind(i, held)
            return held

        wrong = set()
        for block, held in zip(self.cfg.blocks, _at_start(self.cfg, _KEPT, through)):
            for i in block.instructions if held is not None else []:
                if i in word_of and i.op in STORES and register(i.operands[0]) not in held:
                    wrong.add(word_of[i])
                held = behind(i, held)
        return wrong

    def _unused_frame(self, gone):
        """What moves the stack pointer, if all else that names it is gone."""
        rest = {i for i in self.function.instructions if "sp" in i.uses | i.defs and i not in gone}
        moves = all(i.op == "addi" and not i.inline and [register(o) for o in i.operands[:2]] == ["sp", "sp"] for i in rest)
        return rest if moves and self.frame.closed else set()


class _Frame:
    """Which instructions name which words of the frame. Words are counted from where the stack pointer is at the function's begin."""

    def __init__(self, cfg):
        self.words = {}      # load or store -> words
        self.accesses = {}   # word -> loads and stores
        self.closed = True   # it is given back wherever the function is left
        entry = {("sp", "sp", 0), ("zero", "", 0)}
        for block, facts in zip(cfg.blocks, _at_start(cfg, entry, self._through)):
            if facts is None:
                continue
            values = _values(facts)
            for i in block.instructions:
                self._note(i, values)
                _step(i, values)
            self.closed &= not block.leaves or values.get("sp") == ("sp", 0)

    @staticmethod
    def _through(block, facts):
        values = _values(facts)
        for i in block.instructions:
            _step(i, values)
        return frozenset((name, *value) for name, value in values.items())

    def _note(self, i, values):
        memory = _MEMORY.match(i.operands[-1]) if i.op in LOADS | STORES else None
        base, first = values.get(register(memory.group(2)), ("", 0)) if memory else ("", 0)
        offset = number(memory.group(1) or "0") if base else None
        if offset is not None:
            first += offset
            self.words[i] = list(i.words(first))
            for word in self.words[i]:
                self.accesses.setdefault(word, []).append(i)


def _values(facts):
    return {name: (base, offset) for name, base, offset in facts}


def _step(i, values):
    """Behind an instruction: integer registers that hold a constant, or a distance from the stack pointer at the function's begin."""
    def value(word):
        return ("", number(word)) if number(word) is not None else values.get(register(word))

    new = None
    if i.op in ("li", "mv", "addi", "add", "sub", "lui") and len(i.defs) == 1 and not i.inline:
        terms = [value(word) for word in i.operands[1:]]
        if None not in terms:
            first, second = terms[0], terms[1] if len(terms) > 1 else ("", 0)
            if i.op == "sub":
                new = (first[0], first[1] - second[1]) if not second[0] else None
            elif i.op == "lui":
                new = ("", first[1] << 12)
            elif not (first[0] and second[0]):
                new = (first[0] or second[0], first[1] + second[1])
    for name in i.defs | i.uses if i.inline or i.opaque else i.defs:
        values.pop(name, None)
    if new is not None:
        values[next(iter(i.defs))] = new


def _of_debugger(name):
    """A register by its name or its number in debug information."""
    n = number(name)
    return register(name) if n is None else register(f"x{n}" if n < 32 else f"f{n - 32}")
