# SPDX-License-Identifier: Apache-2.0
"""The small passes of heddle-cc. Each changes a file in place."""

import re

from . import Refused
from .flow import Flow
from .text import Instruction, Label

_SHARED_SECTION = re.compile(r'\s*\.section\s+([^,\s]+),"(\w*R\w*)",@(\w+)(.*)')


def place_shared(file, source):
    """Moves the sections of __shared__ variables (flag R, from the attribute) to where the link script looks for them."""
    for s in file.statements():
        if match := _SHARED_SECTION.match(s.text):
            name, flags, kind, rest = match.groups()
            if kind != "nobits":
                raise Refused(f"{source}: shared variable in section {name} has an initial value: shared memory starts undefined")
            s.text = f'\t.section\t.bss..heddle_shared{name},"{flags.replace("R", "")}",@nobits{rest}\n'


def one_return(file):
    """Turns every return of a function but its last into a jump to the last: the instruction is the same, and branches
    whose sides both return get a reconvergence point inside the function."""
    for index, function in enumerate(file.functions):
        returns = [i for i in function.instructions if i.is_return() and not i.inline]
        if len(returns) < 2:
            continue
        label = f".Lheddle_return{index}"
        for i in returns[:-1]:
            i.text = f"\tj\t{label}\n"
        returns[-1].before.append(f"{label}:\n")


def own_indirect_jumps(file):
    """Turns a jump to an indirect jump into that indirect jump. The compiler makes one of several computed gotos; each has its own
    targets, and only apart do their threads get a reconvergence point of their own."""
    for function in file.functions:
        register_at, labels = {}, []
        for s in function.statements:
            if isinstance(s, Label) and not s.inline:
                labels.append(s.name)
            elif isinstance(s, Instruction):
                if s.op == "jr" and not s.inline and s.operands[0] not in ("ra", "x1", "t0", "x5"):
                    register_at.update({label: s.operands[0] for label in labels})
                labels = []
        for i in function.instructions:
            if i.op == "j" and not i.inline and i.target() in register_at:
                i.text = f"\tjr\t{register_at[i.target()]}\n"


# Branch -> comparison, and whether its operands change places. Negated: the branch is taken where the comparison is false.
_SELECT_BRANCHES = {"beq": ("xor", False, True), "bne": ("xor", False, False),
                    "blt": ("slt", False, False), "bge": ("slt", False, True), "bgt": ("slt", True, False), "ble": ("slt", True, True),
                    "bltu": ("sltu", False, False), "bgeu": ("sltu", False, True), "bgtu": ("sltu", True, False),
                    "bleu": ("sltu", True, True)}
_SCRATCH = [f"t{n}" for n in range(6, -1, -1)] + [f"a{n}" for n in range(7, -1, -1)]


def _czero(when_zero, rd, rs, condition):
    """czero.eqz or czero.nez, which the assembler does not know."""
    return f"\t.insn r 0x33, {5 if when_zero else 7}, 7, {rd}, {rs}, {condition}\n"


def _select_code(branch, move, live):
    """What does the same as a branch over a move, or None. `live`: registers read behind both."""
    op, operands = branch.op, branch.operands[:-1]
    if op.endswith("z"):
        op, operands = op[:-1], operands + ["zero"]
    comparison, swapped, negated = _SELECT_BRANCHES[op]
    x, y = reversed(operands) if swapped else operands
    to, value = move.operands
    free = [r for r in _SCRATCH if r not in live | {x, y, to, value}]
    text = []
    if comparison == "xor" and "zero" in (x, y):
        condition = y if x == "zero" else x
    elif free:
        condition = free.pop(0)
        text.append(f"\t{comparison}\t{condition},{x},{y}\n")
    else:
        return None
    # Taken, the branch keeps the old value.
    keep = _czero(not negated, to, to, condition)
    if value in ("0", "zero"):
        return text + [keep]
    if not free:
        return None
    other = free.pop(0)
    if move.op == "li":
        text.append(f"\tli\t{other},{value}\n")
        value = other
    return text + [_czero(negated, other, value, condition), keep, f"\tor\t{to},{to},{other}\n"]


def compare_and_select(file):
    """Turns a branch over one move between integer registers, which nothing else jumps to, into a selection: no path splits."""
    for function in file.functions:
        code = Flow(function)
        if not code.known:
            continue
        live = code.live_out()
        for n, block in enumerate(code.blocks):
            if len(block.successors) != 2 or block.successors != [n + 2, n + 1] or len(code.blocks[n + 1].instructions) != 1:
                continue
            branch, move = block.end, code.blocks[n + 1].end
            entries = sum(b.successors.count(n + 1) for b in code.blocks)
            if entries != 1 or move.op not in ("mv", "li") or move.inline or branch.inline:
                continue
            if text := _select_code(branch, move, live[n + 1]):
                branch.text, move.text = "".join(text), ""
