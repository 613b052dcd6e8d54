#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What kernels save for a caller that they do not have: what goes, what stays, and that no way through real code reads anything else."""

import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from assembly_test import ALL, BARRIER, HEDDLE_CC, KERNELS, ROOT, addressed_of, assemble, file_of, kernels, text_of  # noqa: E402
from assembly.program import Program  # noqa: E402
from assembly.saves import drop_saves  # noqa: E402
from assembly.text import LOADS, STORES, Instruction  # noqa: E402
from load_script import load_script  # noqa: E402

SAVED = [f"s{n}" for n in range(12)] + [f"fs{n}" for n in range(12)]
LEVELS = (["-O0"], ["-O1"], ["-O2"], ["-O3", "--no-barrier-check"], ["-Os"], ["-O2", "-fno-omit-frame-pointer"], ["-O2", "--no-one-ret", "-foptimize-sibling-calls"])


def left(body, more="", kernel=True, used=()):
    """The instructions of function k behind the pass, one to a line."""
    file = file_of(text_of(body, kernel=kernel) + more)
    drop_saves(file, Program([file], used=used))
    return "\n".join(" ".join(i.text.split()) for i in file.again().functions[0].instructions)


class Saves(unittest.TestCase):
    def goes(self, body, expected, **more):
        self.assertEqual(left(body, **more), expected)

    def stays(self, body, **more):
        file = file_of(text_of(body))
        self.assertEqual(left(body, **more), "\n".join(" ".join(i.text.split()) for i in file.functions[0].instructions))

    USUAL = "addi sp,sp,-16\nsw s0,12(sp)\nfsw fs1,8(sp)\nmv s0,a0\nfmv.s fs1,fa0\nfsw fs1,0(s0)\nlw s0,12(sp)\nflw fs1,8(sp)\naddi sp,sp,16\nret"

    def test_saves_restores_and_the_empty_frame(self):
        self.goes(self.USUAL, "mv s0,a0\nfmv.s fs1,fa0\nfsw fs1,0(s0)\nret")

    def test_whole_registers_of_rv64(self):
        usual = "addi sp,sp,-16\nsd s0,8(sp)\nfsd fs1,0(sp)\nmv s0,a0\nfmv.d fs1,fa0\n{}fsd fs1,0(s0)\nld s0,8(sp)\nfld fs1,0(sp)\naddi sp,sp,16\nret"
        self.goes(usual.format(""), "mv s0,a0\nfmv.d fs1,fa0\nfsd fs1,0(s0)\nret")
        # Half of it is read by another instruction.
        self.goes(usual.format("lw a1,12(sp)\n"), "addi sp,sp,-16\nsd s0,8(sp)\nmv s0,a0\nfmv.d fs1,fa0\nlw a1,12(sp)\nfsd fs1,0(s0)\nld s0,8(sp)\naddi sp,sp,16\nret")

    def test_registers_by_their_numbers(self):
        self.goes("addi x2,x2,-16\nsw x8,12(x2)\nmv fp,a0\nsw fp,0(fp)\nlw x8,12(x2)\naddi x2,x2,16\njr x1", "mv fp,a0\nsw fp,0(fp)\njr x1")

    def test_the_return_address_and_the_frame_that_holds_it_stay(self):
        self.goes("addi sp,sp,-16\nsw ra,12(sp)\nsw s0,8(sp)\nmv s0,a0\ncall f\nsw a0,0(s0)\nlw ra,12(sp)\nlw s0,8(sp)\naddi sp,sp,16\nret",
                  "addi sp,sp,-16\nsw ra,12(sp)\nmv s0,a0\ncall f\nsw a0,0(s0)\nlw ra,12(sp)\naddi sp,sp,16\nret")

    def test_a_spill_of_the_same_register_stays(self):
        self.goes("addi sp,sp,-16\nsw s0,12(sp)\nmv s0,a0\nsw s0,8(sp)\nli s0,1\nlw s0,8(sp)\nsw s0,0(a1)\nlw s0,12(sp)\naddi sp,sp,16\nret",
                  "addi sp,sp,-16\nmv s0,a0\nsw s0,8(sp)\nli s0,1\nlw s0,8(sp)\nsw s0,0(a1)\naddi sp,sp,16\nret")

    def test_several_returns(self):
        self.goes("addi sp,sp,-16\nsw s0,12(sp)\nmv s0,a0\nbeqz a1,x\nsw s0,0(a0)\nlw s0,12(sp)\naddi sp,sp,16\nret\nx:\nsw s0,4(a0)\nlw s0,12(sp)\n"
                  "addi sp,sp,16\nret", "mv s0,a0\nbeqz a1,x\nsw s0,0(a0)\nret\nsw s0,4(a0)\nret")

    def test_saves_behind_the_way_that_needs_none(self):
        self.goes("beqz a1,x\naddi sp,sp,-16\nsw s0,12(sp)\nmv s0,a0\nsw s0,0(a0)\nlw s0,12(sp)\naddi sp,sp,16\nx:\nret", "beqz a1,x\nmv s0,a0\nsw s0,0(a0)\nret")

    def test_two_parts_that_save_one_register_each(self):
        # The second save stores what the first restore has brought back.
        part = "sw s0,12(sp)\nmv s0,a{}\nsw s0,0(a0)\nlw s0,12(sp)\n"
        self.goes("addi sp,sp,-16\n" + part.format(0) + "beqz a1,x\n" + part.format(1) + "x:\naddi sp,sp,16\nret",
                  "mv s0,a0\nsw s0,0(a0)\nbeqz a1,x\nmv s0,a1\nsw s0,0(a0)\nret")

    def test_a_save_in_a_loop(self):
        part = "addi sp,sp,-16\nl:\nsw s0,12(sp)\nmv s0,a0\nsw s0,0(a0)\n{}addi a1,a1,-1\nbnez a1,l\nlw s0,12(sp)\naddi sp,sp,16\nret"
        self.goes(part.format("lw s0,12(sp)\n"), "mv s0,a0\nsw s0,0(a0)\naddi a1,a1,-1\nbnez a1,l\nret")
        self.stays(part.format(""))  # the second time it stores a value of the program's

    def test_a_frame_pointer(self):
        self.goes("addi sp,sp,-32\nsw s0,28(sp)\naddi s0,sp,32\nsw a0,-20(s0)\nlw a5,-20(s0)\nsw a5,0(a5)\nlw s0,28(sp)\naddi sp,sp,32\nret",
                  "addi sp,sp,-32\naddi s0,sp,32\nsw a0,-20(s0)\nlw a5,-20(s0)\nsw a5,0(a5)\naddi sp,sp,32\nret")

    def test_memory_of_alloca(self):
        self.goes("addi sp,sp,-32\nsw s0,28(sp)\nsw s1,24(sp)\naddi s0,sp,32\nmv s1,a1\nsub sp,sp,a0\nsw s1,0(sp)\naddi sp,s0,-32\nlw s0,28(sp)\nlw s1,24(sp)\naddi sp,sp,32\nret",
                  "addi sp,sp,-32\naddi s0,sp,32\nmv s1,a1\nsub sp,sp,a0\nsw s1,0(sp)\naddi sp,s0,-32\naddi sp,sp,32\nret")

    def test_a_large_frame(self):
        self.goes("addi sp,sp,-2032\nsw s0,2028(sp)\nli t0,-4096\nadd sp,sp,t0\nmv s0,sp\nsw a0,8(s0)\nlw a0,8(sp)\nli t0,4096\nadd sp,sp,t0\nlw s0,2028(sp)\naddi sp,sp,2032\nret",
                  "addi sp,sp,-2032\nli t0,-4096\nadd sp,sp,t0\nmv s0,sp\nsw a0,8(s0)\nlw a0,8(sp)\nli t0,4096\nadd sp,sp,t0\naddi sp,sp,2032\nret")

    def test_a_computed_goto(self):
        body = "addi sp,sp,-16\nsw s0,12(sp)\nla a5,x\nla a4,y\nmv s0,a0\njr a{}\nx:\nsw s0,0(a1)\ny:\nlw s0,12(sp)\naddi sp,sp,16\nret"
        self.goes(body.format(5), "la a5,x\nla a4,y\nmv s0,a0\njr a5\nsw s0,0(a1)\nret")

    def test_a_tail_call_of_a_device_function(self):
        self.goes("addi sp,sp,-16\nsw s0,12(sp)\nmv s0,a0\nsw s0,0(a0)\nlw s0,12(sp)\naddi sp,sp,16\ntail f", "mv s0,a0\nsw s0,0(a0)\ntail f")

    def test_notes_for_debuggers(self):
        file = file_of(text_of(".cfi_startproc\naddi sp,sp,-16\n.cfi_def_cfa_offset 16\n.loc 1 7 3\nsw s0,12(sp)\n.cfi_offset 8, -4\nfsw fs1,8(sp)\n.cfi_offset fs1, -8\n"
                               "mv s0,a0\n.cfi_remember_state\nlw s0,12(sp)\n.cfi_restore 8\nflw fs1,8(sp)\n.cfi_restore 41\naddi sp,sp,16\n.cfi_def_cfa_offset 0\nret\n.cfi_endproc"))
        drop_saves(file, Program([file]))
        self.assertEqual(file.text(), text_of(".cfi_startproc\n.loc 1 7 3\nmv s0,a0\n.cfi_remember_state\nret\n.cfi_endproc"))
        kept = text_of(".cfi_startproc\naddi sp,sp,-16\n.cfi_def_cfa_offset 16\nsw ra,12(sp)\n.cfi_offset 1, -4\ncall f\nlw ra,12(sp)\n.cfi_restore 1\naddi sp,sp,16\n"
                       ".cfi_def_cfa_offset 0\nret\n.cfi_endproc")
        file = file_of(kept)
        drop_saves(file, Program([file]))
        self.assertEqual(file.text(), kept)

    def test_functions_keep_the_abi(self):
        self.stays(self.USUAL, kernel=False)

    def test_kernels_that_something_calls_are_functions(self):
        for more in ("call k\nret", "tail k", "la a0, k\nret", "lui a0, %hi(k)\naddi a0, a0, %lo(k)\njr a0"):
            self.stays(self.USUAL, more=text_of(more, "f", kernel=False))
        for more in ("\t.data\n\t.word\tk\n", "\t.globl\tother\n\t.set\tother,k\n", "\t.equ other, k\n"):
            self.stays(self.USUAL, more=more)
        self.stays(self.USUAL, used={"k"})
        self.assertNotEqual(left(self.USUAL, used={"f"}, more=text_of("call g\nret", "f", kernel=False) + "\t.section .debug_info\n\t.4byte k\n"),
                            left(self.USUAL, kernel=False))
        self.stays("addi sp,sp,-16\nsw ra,12(sp)\nsw s0,8(sp)\nmv s0,a0\ncall k\nsw s0,0(s0)\nlw ra,12(sp)\nlw s0,8(sp)\naddi sp,sp,16\nret")  # itself

    def test_what_cannot_be_followed(self):
        self.stays("#APP\n.rept 2\nnop\n.endr\n#NO_APP\n" + self.USUAL)
        self.stays(".insn sb 0x63, 0, a0, a1, x\nx:\n" + self.USUAL)

    def test_words_of_another_use(self):
        body = "addi sp,sp,-16\nsw s0,12(sp)\nmv s0,a0\n{}\nsw s0,0(a0)\nlw s0,12(sp)\naddi sp,sp,16\nret"
        self.assertNotIn("12(sp)", left(body.format("nop")))
        for use in ("lw a1,12(sp)", "lbu a1,13(sp)", "sh a1,14(sp)", "sw a1,12(sp)", "sw a1,10(sp)", "lw s1,12(sp)", "flw fa0,12(sp)", "lw s0,10(sp)\nmv s0,a0",
                    "mv a2,sp\nlw a1,12(a2)", "addi a2,sp,8\naddi a2,a2,4\nsw a1,0(a2)", "#APP\nlw s0,12(sp)\n#NO_APP"):
            self.stays(body.format(use))

    def test_pointers_into_the_frame(self):
        # What ends where the saves begin is an array, and may be counted from there.
        self.goes("addi sp,sp,-32\nsw s0,28(sp)\nmv s0,a0\naddi a5,sp,28\nsh2add a5,s0,a5\nsw s0,-16(a5)\nlw a0,12(sp)\nsw a0,0(s0)\nlw s0,28(sp)\naddi sp,sp,32\nret",
                  "addi sp,sp,-32\nmv s0,a0\naddi a5,sp,28\nsh2add a5,s0,a5\nsw s0,-16(a5)\nlw a0,12(sp)\nsw a0,0(s0)\naddi sp,sp,32\nret")
        self.goes("addi sp,sp,-16\nsw s0,4(sp)\nmv s0,a0\nmv a0,sp\ncall f\nlw s0,4(sp)\naddi sp,sp,16\nret", "addi sp,sp,-16\nmv s0,a0\nmv a0,sp\ncall f\naddi sp,sp,16\nret")
        self.stays("addi sp,sp,-16\nsw s0,4(sp)\nmv s0,a0\naddi a0,sp,4\ncall f\nlw s0,4(sp)\nsw s0,0(a1)\naddi sp,sp,16\nret")  # a variable that f sets

    def test_values_of_the_program(self):
        self.stays("addi sp,sp,-16\nmv s0,a0\nsw s0,12(sp)\nlw s0,12(sp)\naddi sp,sp,16\nret")                     # stored behind a write
        self.stays("addi sp,sp,-16\nsw s0,12(sp)\nmv s0,a0\nlw s0,12(sp)\nsw s0,0(a0)\naddi sp,sp,16\nret")        # read behind the load
        self.stays("addi sp,sp,-16\nbeqz a1,x\nmv s0,a0\nx:\nsw s0,12(sp)\nlw s0,12(sp)\naddi sp,sp,16\nret")      # written on one of two ways
        self.stays("addi sp,sp,-16\n#APP\nli s0,1\n#NO_APP\nsw s0,12(sp)\nlw s0,12(sp)\naddi sp,sp,16\nret")
        self.stays("addi sp,sp,-16\nsw a0,12(sp)\nmv a0,a1\nlw a0,12(sp)\naddi sp,sp,16\nret")                     # an argument

    def test_one_word_wrong_one_right(self):
        self.goes("addi sp,sp,-16\nsw s0,12(sp)\nsw s1,8(sp)\nmv s0,a0\nmv s1,a0\nlw s0,12(sp)\nlw s1,8(sp)\nsw s1,0(a0)\naddi sp,sp,16\nret",
                  "addi sp,sp,-16\nsw s1,8(sp)\nmv s0,a0\nmv s1,a0\nlw s1,8(sp)\nsw s1,0(a0)\naddi sp,sp,16\nret")

    def test_a_frame_that_is_not_given_back(self):
        self.goes("addi sp,sp,-16\nsw s0,12(sp)\nmv s0,a0\nlw s0,12(sp)\nret", "addi sp,sp,-16\nmv s0,a0\nret")


class Difference(Exception):
    """What is left of a kernel reads something else than before."""


def compare(function, gone, chance, steps=3000):
    """Goes one way through a kernel, as it was and without what is gone: whatever is left reads the same values, and stores no register
    in the frame that the kernel has not written. It knows nothing of blocks, only of registers and of the words of the frame."""
    code = [s for s in function.statements if s not in function.data and (isinstance(s, Instruction) or hasattr(s, "name"))]
    at = {s.name: n for n, s in enumerate(code) if not isinstance(s, Instruction)}
    addressed = [label for label in addressed_of(function.file) if label in at]
    frames = any("addi" == s.op and s.defs == {"sp"} for s in gone)

    class State:
        def __init__(self):
            self.registers, self.frame = {"sp": ("sp", 0)}, {}

        def value(self, name):
            return self.registers.get(name, "at the begin: " + name)

        def address(self, i):
            match = re.match(r"(-?\d*)\((\w+)\)$", i.operands[-1])
            base = self.value(match.group(2)) if match else None
            return base[1] + int(match.group(1) or 0) if isinstance(base, tuple) else None

        def run(self, i, fresh):
            """What it reads; the same number means the same value."""
            read = {name: self.value(name) for name in i.uses}
            word = self.address(i) if i.op in LOADS | STORES else None
            result = fresh
            if word is not None and i.op in LOADS:
                read["the frame"] = result = self.frame.get(word, f"at the begin: {word}")
            elif word is not None:
                self.frame[word] = self.value(i.operands[0])
            elif i.op in ("addi", "mv") and isinstance(base := self.value(i.operands[1]), tuple):
                result = ("sp", base[1] + (int(i.operands[2]) if i.op == "addi" else 0))
            elif i.op == "mv":
                result = self.value(i.operands[1])
            for name in i.defs:
                self.registers[name] = result
            return read

    states, n = (State(), State()), 0
    for step in range(steps):
        s = code[n]
        n += 1
        if not isinstance(s, Instruction):
            continue
        was = states[0].run(s, step)
        if s not in gone:
            now = states[1].run(s, step)
            ends = s.is_return() or s.op == "tail"
            differ = {name for name in was if was[name] != now[name] and not (ends and name in SAVED)} - ({"sp"} if frames and s.is_call() else set())
            if differ:
                raise Difference(f"{function.name}: {s.text.strip()}: {sorted(differ)}")
            if s.op in STORES and states[1].address(s) is not None and now.get(s.operands[0]) == "at the begin: " + s.operands[0] and s.operands[0] in SAVED:
                raise Difference(f"{function.file.name}: {function.name}: {s.text.strip()} saves a register")
        if s.is_return() or s.op in ("tail", "ebreak") or n == len(code):
            return
        if s.op == "jr":
            own = [label for d in function.tables.get(s, []) for label in re.findall(r"[\w.$]+", d.text) if label in at]
            n = at[chance.choice(own or addressed)]
        elif s.target() is not None and not s.target()[0].isdigit() and (s.op == "j" or chance.random() < 0.5):
            n = at[s.target()]


class RealCode(unittest.TestCase):
    """Kernels of the workloads and of programs of csmith, at all levels of optimization."""

    @classmethod
    def setUpClass(cls):
        cls.files = {}
        script = load_script(os.path.join(ROOT, "scripts", "random", "csmith"))
        with tempfile.TemporaryDirectory() as folder:
            def add(name, source, *flags):
                target = os.path.join(folder, "x.s")
                subprocess.run([HEDDLE_CC, "-S", "--keep-saves", *flags, source, "-o", target], check=True)
                with open(target, encoding="utf-8") as file:
                    cls.files[name] = file.read()

            for source in kernels("ray", "lbm"):
                add(os.path.basename(source), source)
            for level in LEVELS:
                for kernel in ("lps", "mum", "qsort", "blackscholes_library") if ALL else ("qsort",):
                    add(f"{kernel} {' '.join(level)}", os.path.join(KERNELS, kernel + ".cu"), *level)
            programs = ((1003, ["-O2"]), (2004, ["-O2"]), (5004, ["-O2", "-fjump-tables"]), (1003, ["-O0"]), (2004, ["-Os", "-fno-omit-frame-pointer"]))
            for seed, level in programs if ALL else programs[2:]:
                flags, source = script.random_source(seed, True, folder, False)
                program = os.path.join(folder, "program.cpp")
                with open(program, "w", encoding="ascii") as file:
                    file.write(script.make_divergent(source, flags))
                add(f"csmith {seed} {' '.join(level)}", program, *script.COMPILE_FLAGS, *level)

    @staticmethod
    def changed(text, name):
        """The file before the pass with what goes, and the file behind it."""
        before, behind = file_of(text, name), file_of(text, name)
        drop_saves(behind, Program([behind]))
        gone = [{old for old, new in zip(f.instructions, g.instructions) if not new.text} for f, g in zip(before.functions, behind.functions)]
        return before, gone, behind

    def test_every_way_reads_what_it_has_read(self):
        total = 0
        for name, text in self.files.items():
            before, gone, _ = self.changed(text, name)
            for function, those in zip(before.functions, gone):
                if not function.kernel:
                    self.assertEqual(those, set())
                    continue
                total += len(those)
                chance = random.Random(function.name)
                for _ in range(30):
                    compare(function, those, chance)
        self.assertGreater(total, 500 if ALL else 250)

    def test_the_comparison_finds_what_is_wrong(self):
        for name in ("ray.cu", "lbm.cu", "qsort -O0"):
            before, gone, _ = self.changed(self.files[name], name)
            function, those = next((f, g) for f, g in zip(before.functions, gone) if g)
            kept = [i for i in function.instructions if i not in those and re.search(r"\((sp|s0)\)$", i.operands[-1] if i.operands else "")]
            loaded = {i.operands[-1] for i in kept if i.op in LOADS}
            spills = [i for i in kept if i.op in STORES and i.operands[-1] in loaded]
            self.assertGreater(len(spills), 5)
            for change, instructions in ((set.union, spills), (set.difference, those)):
                for i in instructions:
                    chance = random.Random(1)
                    with self.assertRaises(Difference, msg=f"{name}: {i.text.strip()}"):
                        for _ in range(300):
                            compare(function, change(those, {i}), chance)

    def test_it_assembles_and_nothing_is_left_for_a_second_time(self):
        for name, text in self.files.items():
            _, _, behind = self.changed(text, name)
            assemble(behind.text())
            again = behind.again()
            drop_saves(again, Program([again]))
            self.assertEqual(again.text(), behind.text(), name)


if __name__ == "__main__":
    unittest.main()
