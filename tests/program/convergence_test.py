#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Convergence barriers as heddle-cc --barriers places them: cases by hand, messages, and random ways through real code."""

import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from assembly_test import ALL, CSMITH_SEEDS, HEDDLE_CC, ROOT, THREAD, addressed_of, assemble, file_of, kernels, text_of  # noqa: E402
from load_script import load_script  # noqa: E402
from assembly import convergence  # noqa: E402
from assembly.convergence import barriers  # noqa: E402
from assembly.text import Instruction, Label  # noqa: E402

GOTO_SEEDS = range(1, 25 if ALL else 5)
RANDOM_SEEDS = range(26, 40) if ALL else (29, 32)  # these two: threads that part once more on their way to their end
CAS = "#APP\n.insn r 0x2f, 2, 0x14, a5, a0, a3\n#NO_APP"


def words_of(function):
    """Its instructions as short words: marks by name and number, the others by operation and label."""
    result, places = [], {}
    for s in function.statements:
        if s in function.data:
            continue
        if isinstance(s, Label):
            if re.match(r"\.Lheddle_met\d+_\d+$", s.name):
                places[s.name] = f"m{len(places)}"
            result.append(s.name + ":")
        elif isinstance(s, Instruction):
            kind = s.convergence()
            if kind == "bssy":
                result.append(f"bssy {s.barrier_number()} {s.operands[-1]}")
            elif kind in ("bsync", "break"):
                result.append(f"{kind} {s.barrier_number()}")
            else:
                result.append(kind or ("cas" if s.op == ".insn" and "0x2f" in s.text else "barrier" if s.is_barrier() else f"{s.op} {s.target()}" if s.target() else s.op))
    return result


def placed(text, **options):
    files, notes = barriers([file_of(text)], [], **options)
    return files[0], notes


class Case(unittest.TestCase):
    """Marks along the ways, without what the labels are called."""

    def expect(self, body, code, notes=(), more="", kernel=True, **options):
        file, found = placed(text_of(THREAD + body, kernel=kernel) + more, **options)
        words, names = words_of(file.functions[0])[1:], {}
        text = ", ".join(words)
        used = set(re.findall(r"(?:bssy \d+|\bb\w+|\bj) (\.Lheddle_\w+)", text))
        text = ", ".join(w for w in words if not w.startswith(".Lheddle_") or w[:-1] in used)
        for name in re.findall(r"\.Lheddle_\w+", text):
            names.setdefault(name, f"L{len(names)}")
        self.assertEqual(re.sub(r"\.Lheddle_\w+", lambda m: names[m[0]], text), code)
        self.assertEqual(found, list(notes))
        assemble(file.text())
        return file


class Branches(Case):
    def test_an_if_in_an_if(self):
        self.expect("beqz a5, x\nnop\nbltz a5, y\nnop\ny:\nnop\nx:\nret",
                    "bssy 0 L0, beqz L1, nop, bssy 1 L2, bltz L3, nop, L3:, bsync 1, L2:, y:, nop, L1:, bsync 0, L0:, x:, ret")

    def test_sides_that_meet_at_one_place_have_one_barrier(self):
        self.expect("beqz a5, x\nbltz a5, z\nnop\nj z\nx:\nbgtz a5, z\nnop\nz:\nret",
                    "bssy 0 L0, beqz x, bltz L1, nop, j L1, x:, bgtz L1, nop, L1:, bsync 0, L0:, z:, ret")

    def test_two_ifs_in_a_row_have_one_number(self):
        self.expect("beqz a5, x\nnop\nx:\nnop\nbltz a5, y\nnop\ny:\nret",
                    "bssy 0 L0, beqz L1, nop, L1:, bsync 0, L0:, x:, nop, bssy 0 L2, bltz L3, nop, L3:, bsync 0, L2:, y:, ret")

    def test_the_bssy_of_a_loop_is_before_it(self):
        self.expect("l:\naddi a5, a5, -1\nbnez a5, l\nret", "bssy 0 L0, l:, addi, bnez l, bsync 0, L0:, ret")

    def test_a_loop_at_the_beginning_of_a_function(self):
        words = words_of(placed(text_of("l:\nadd a5, a5, tp\nbnez a5, l\nret"))[0].functions[0])
        self.assertEqual([w.split()[0] for w in words], [".Lheddle_mark0_0_1:", "bssy", "l:", "add", "bnez", ".Lheddle_mark0_2_2:", "bsync", ".Lheddle_met0_2:", "ret"])

    def test_a_loop_behind_an_if(self):
        """The sides meet in front of the loop's bssy, and its turns pass neither."""
        self.expect("beqz a5, l\nnop\nl:\naddi a5, a5, -1\nbnez a5, l\nret",
                    "bssy 0 L0, beqz L1, nop, L1:, bsync 0, L0:, bssy 0 L2, l:, addi, bnez l, bsync 0, L2:, ret")

    def test_two_exits_of_a_loop(self):
        self.expect("l:\nbltz a5, z\naddi a5, a5, -1\nbnez a5, l\nz:\nret", "bssy 0 L0, l:, bltz L1, addi, bnez l, L1:, bsync 0, L0:, z:, ret")

    def test_an_exit_that_goes_further(self):
        self.expect("l:\nbltz a5, y\naddi a5, a5, -1\nbnez a5, l\nnop\ny:\nret",
                    "bssy 0 L0, l:, bltz L1, addi, bnez l, nop, L1:, bsync 0, L0:, y:, ret")

    def test_a_way_into_a_region_from_aside(self):
        """Whoever comes that way waits for nobody."""
        self.expect("beqz a0, x\nbeqz a5, y\nx:\nnop\ny:\nret", "beqz x, bssy 0 L0, beqz L1, x:, nop, L1:, bsync 0, L0:, y:, ret")

    def test_an_irreducible_loop(self):
        """Threads part before they come into it by two ways: armed where they are together."""
        self.expect("beqz a5, b\na:\naddi a5, a5, 1\nbnez a5, b\nj c\nb:\naddi a5, a5, 2\nbnez a5, a\nc:\nret",
                    "bssy 0 L0, beqz b, a:, addi, bnez b, j L1, b:, addi, bnez a, L1:, bsync 0, L0:, c:, ret")

    def test_a_barrier_of_the_block(self):
        """Who does not come to it leaves the region."""
        self.expect("beqz a5, x\nBARRIER\nx:\nnop\nret", "beqz x, barrier, x:, nop, ret", kernel=False)
        self.expect("beqz a5, x\nbltz a5, y\nnop\ny:\nBARRIER\nx:\nnop\nret", "beqz x, bssy 0 L0, bltz L1, nop, L1:, bsync 0, L0:, y:, barrier, x:, nop, ret", kernel=False)
        self.expect("bltz a5, y\nbeqz a5, x\nnop\ny:\nnop\nBARRIER\nx:\nnop\nret",
                    "bssy 0 L0, bltz L1, beqz L2, nop, L1:, bsync 0, L0:, y:, nop, barrier, x:, nop, ret, L2:, break 0, j x", kernel=False)
        self.expect("bltz a5, y\nbeqz a5, x\nnop\ny:\nnop\nBARRIER\nx:\nnop\nret",
                    "bssy 0 L0, bltz L1, beqz x, nop, L1:, bsync 0, L0:, y:, nop, barrier, x:, nop, ret", kernel=False, left_out=("break",))

    def test_threads_that_end(self):
        self.expect("bltz a5, y\nbeqz a5, x\nnop\ny:\nnop\nret\nx:\nli a7, 93\necall", "bssy 0 L0, bltz L1, beqz x, nop, L1:, bsync 0, L0:, y:, nop, ret, x:, li, ecall")

    def test_threads_that_part_again_before_they_end(self):
        self.expect("bltz a5, y\nbeqz a5, x\nnop\ny:\nnop\nret\nx:\nbgtz a5, z\nnop\nz:\nli a7, 93\necall",
                    "bssy 0 L0, bltz L1, beqz L2, nop, L1:, bsync 0, L0:, y:, nop, ret, L2:, break 0, bssy 0 L3, x:, bgtz L4, nop, L4:, bsync 0, L3:, z:, li, ecall")

    def test_threads_that_turn_for_ever(self):
        self.expect("bltz a5, y\nbeqz a5, x\nnop\ny:\nnop\nret\nx:\nj x", "bssy 0 L0, bltz L1, beqz L2, nop, L1:, bsync 0, L0:, y:, nop, ret, L2:, break 0, x:, j x")

    def test_uniform_branches_need_nothing(self):
        self.expect("beqz a0, x\nnop\nx:\nret", "beqz x, nop, x:, ret")

    def test_a_jump_table(self):
        body = "jr a5\n.section .rodata\nt:\n.word x\n.word y\n.word z\n.text\nx:\nnop\ny:\nnop\nz:\nret"
        file = self.expect(body, "bssy 0 L0, jr, x:, nop, y:, nop, bsync 0, L0:, z:, ret")
        self.assertRegex(file.text(), r"\t.word x\n\t.word y\n\t.word .Lheddle_mark0_4_2\n")

    def test_a_far_label(self):
        file, _ = placed(text_of(THREAD + "beqz a5, x\n" + "nop\n" * 1100 + "x:\nret"))
        self.assertEqual([w.split()[0] for w in words_of(file.functions[0])[1:8]], [".Lheddle_mark0_1_1:", "bssy", "j", ".Lheddle_met0_3_2:", "j", ".Lheddle_met0_3_2_over:", "beqz"])
        assemble(file.text())


class Calls(Case):
    def test_calls_of_libraries_and_through_pointers(self):
        self.expect("call __divdi3\nnop\njalr a4\nret", "bssy 0 L0, call, bsync 0, L0:, nop, bssy 0 L1, jalr, bsync 0, L1:, ret")

    def test_a_callee_has_numbers_of_its_own(self):
        callee = text_of("beqz a0, x\nnop\nx:\nret", "f", False)
        file = self.expect("beqz a5, y\ncall f\ny:\nret", "bssy 0 L0, beqz L1, call, L1:, bsync 0, L0:, y:, ret", more=callee)
        self.assertIn("bssy 1", " ".join(words_of(file.functions[1])))
        file = self.expect("call f\nret", "call, ret", more=callee)
        self.assertIn("bssy 0", " ".join(words_of(file.functions[1])))

    def test_a_callee_with_a_barrier_of_the_block(self):
        """Who returns without coming to it may end: nobody waits for those who come to it."""
        self.expect("call f\nret", "call, ret", more=text_of("beqz a0, x\nBARRIER\nx:\nret", "f", False))

    def test_several_returns(self):
        self.expect("call f\nret", "bssy 0 L0, call, bsync 0, L0:, ret", more=text_of("beqz a0, x\nret\nx:\nret", "f", False))

    def test_a_recursion(self):
        body = "beqz a0, x\naddi a0, a0, -1\ncall f\nx:\nret"
        file = self.expect("beqz a5, y\ncall f\ny:\nret", "bssy 0 L0, beqz L1, bssy 1 L2, call, bsync 1, L2:, L1:, bsync 0, L0:, y:, ret".replace("bssy 1 L2, call, bsync 1, L2:, L1:, ", "call, L1:, "),
                           more=text_of(body, "f", False), notes=["k.s: function 'f' calls itself: its threads meet behind the outermost call"])
        self.assertNotIn("bssy", " ".join(words_of(file.functions[1])))

    def test_deeper_than_there_are_barriers(self):
        deep = "".join(f"bltz a{n % 7}, x{n}\nnop\n" for n in range(18)) + "".join(f"nop\nx{n}:\n" for n in reversed(range(18))) + "ret"
        file, notes = placed(text_of("csrr a0, 0xCC0\ncsrr a1, 0xCC0\ncsrr a2, 0xCC0\ncsrr a3, 0xCC0\ncsrr a4, 0xCC0\ncsrr a5, 0xCC0\ncsrr a6, 0xCC0\n" + deep))
        words = words_of(file.functions[0])
        self.assertEqual(sorted(int(w.split()[1]) for w in words if w.startswith("bssy")), list(range(16)))
        self.assertEqual(notes, ["k.s:44: function 'k' has a branch in more than 16 regions: its threads meet further out (and 1 more in it)"])

    def test_what_other_parts_of_the_program_call(self):
        callee = text_of("beqz a0, x\nnop\nx:\nret", "f", False)
        file, notes = placed(text_of(THREAD + "call f\nret") + callee, called={"k", "f"})
        self.assertEqual(notes, ["k.s: function 'f' may be called from a part of the program that is not seen here: its threads meet behind the call"])
        self.assertIn("bssy 0", " ".join(words_of(file.functions[0])))
        self.assertNotIn("bssy", " ".join(words_of(file.functions[1])))

    def test_functions_that_are_left_as_they_are(self):
        own = ".insn sb 0x0b, 5, x3, x0, x\nbeqz a5, x\nnop\nx:\nret"
        self.expect(own, "bssy 3 x, beqz x, nop, x:, ret", ["k.s: function 'k' has convergence barriers of its own: nothing added"])
        self.expect("#APP\n.rept 2\nnop\n.endr\n#NO_APP\nbeqz a5, x\nnop\nx:\nret", "nop, beqz x, nop, x:, ret",
                    ["k.s: function 'k' has inline assembly that cannot be followed: no barriers"])


class Waiting(Case):
    """Loops that wait for another thread."""

    SPIN = f"li a3, 1\nl:\nli a5, 0\n{CAS}\nbnez a5, l\nlw a4, 0(a1)\namoswap.w zero, zero, (a0)\nnop\nret"
    NOTE = "k.s:12: function 'k' waits for another thread: its threads meet behind what they wait for, at k.s:15"

    def test_a_lock(self):
        self.expect(self.SPIN, "li, bssy 0 L0, l:, yield, li, cas, bnez l, lw, amoswap.w, bsync 0, L0:, nop, ret", [self.NOTE])
        self.expect(self.SPIN, "li, bssy 0 L0, l:, li, cas, bnez l, lw, amoswap.w, bsync 0, L0:, nop, ret", [self.NOTE], left_out=("yield",))
        self.expect(self.SPIN, "li, bssy 0 L0, l:, yield, li, cas, bnez l, bsync 0, L0:, lw, amoswap.w, nop, ret", left_out=("release",))

    def test_a_lock_that_is_taken_in_turns(self):
        """The turn that has the lock and the one that tries again share the loop's begin."""
        self.expect(f"li a3, 1\nl:\nli a5, 0\n{CAS}\nbnez a5, l\namoswap.w zero, zero, (a0)\naddi a2, a2, -1\nbnez a2, l\nret",
                    "li, L0:, bssy 0 L1, l:, yield, li, cas, bnez l, amoswap.w, bsync 0, L1:, addi, bnez L0, ret",
                    [self.NOTE.replace("k.s:15", "k.s:14")])

    def test_a_flag_that_the_other_side_sets(self):
        self.expect("beqz a5, w\nsw a5, 0(a0)\nj z\nw:\nlw a4, 0(a0)\nbeqz a4, w\nz:\nret",
                    "bssy 0 L0, beqz w, sw, j L1, w:, yield, lw, beqz w, L1:, bsync 0, L0:, z:, ret")

    def test_a_way_out_that_nothing_in_the_loop_decides(self):
        """It is taken at once or never, so whoever turns waits for the other one."""
        self.expect("l:\nlw a4, 0(a0)\nbeq a4, a5, m\nbnez a2, l\nj z\nm:\naddi a4, a4, 1\nsw a4, 0(a0)\nz:\nret",
                    "bssy 0 L0, l:, yield, lw, beq m, bnez l, j L1, m:, addi, sw, L1:, bsync 0, L0:, z:, ret")
        file, _ = placed(text_of(THREAD + "l:\nbnez a2, l\nret"))
        self.assertNotIn("yield", words_of(file.functions[0]))

    def test_what_changes_in_the_loop_waits_for_nobody(self):
        for turn in ("lw a4, 0(a0)\naddi a0, a0, 4\nbeqz a4, l",        # another place each time
                     "lw a4, 0(a0)\naddi a5, a5, 1\nblt a5, a4, l",     # it counts itself
                     "amoadd.w a4, a5, (a0)\nblt a4, a2, l",            # the next one of a queue
                     "lw a4, 0(a0)\nsw a5, 0(a0)\nbeqz a4, l",          # it writes what it reads
                     f"mv a5, a4\n{CAS}\nmv a4, a5\nbne a4, a2, l",     # what it has read before
                     "call g\nbeqz a0, l"):
            file, notes = placed(text_of(THREAD + f"l:\n{turn}\nsw a3, 0(a0)\nret"))
            self.assertNotIn("yield", words_of(file.functions[0]), turn)
            self.assertEqual(notes, [], turn)

    def test_what_does_the_same_again_waits(self):
        for turn in ("amoswap.w a4, a3, (a0)\nbnez a4, l", "amoor.w a4, a3, (a0)\nbnez a4, l", "amoadd.w a4, zero, (a0)\nbnez a4, l",
                     "li a2, 0\namoadd.w a4, a2, (a0)\nbnez a4, l", "lw a4, 0(a0)\nandi a4, a4, 1\nbnez a4, l", "lui a4, %hi(flag)\nlw a4, %lo(flag)(a4)\nbnez a4, l"):
            file, _ = placed(text_of(THREAD + f"l:\n{turn}\nsw a3, 0(a0)\nret"))
            self.assertIn("yield", words_of(file.functions[0]), turn)

    def test_a_release_is_a_write_by_the_same_pointer(self):
        body = "l:\namoswap.w a4, a3, (a0)\nbnez a4, l\nsw a3, 0(a1)\nsh2add a2, a5, a0\nsw zero, 0(a2)\nsw a3, 4(a1)\nret"
        self.expect(body, "bssy 0 L0, l:, yield, amoswap.w, bnez l, sw, sh2add, sw, bsync 0, L0:, sw, ret",
                    ["k.s:8: function 'k' waits for another thread: its threads meet behind what they wait for, at k.s:12"])

    def test_a_lock_in_a_function(self):
        """Its threads leave it one by one, and meet behind what its caller calls then."""
        lock = text_of("l:\namoswap.w a4, a3, (a0)\nbnez a4, l\nret", "lock", False) + text_of("amoswap.w zero, zero, (a0)\nret", "unlock", False)
        file, notes = placed(text_of(THREAD + "call lock\nnop\ncall unlock\nnop\nret") + lock)
        words = [w for w in words_of(file.functions[0]) if not w.endswith(":")]
        self.assertEqual([w.split()[0] for w in words], ["csrr", "bssy", "call", "nop", "call", "bsync", "nop", "ret"])
        self.assertEqual([w for w in words_of(file.functions[1]) if not w.startswith(".")], ["l:", "yield", "amoswap.w", "bnez l", "ret"])
        self.assertEqual(len(notes), 2)


def walk(file, function, chance, steps=4000):
    """Goes through a kernel and what it calls at random; fails if it breaks a rule of the barriers. Knows nothing of blocks or graphs."""
    functions = {f.name: f for f in file.functions}
    code = {f: [s for s in f.statements if isinstance(s, (Label, Instruction)) and s not in f.data] for f in file.functions}
    at = {f: {s.name: n for n, s in enumerate(statements) if isinstance(s, Label)} for f, statements in code.items()}
    armed, calls, n, exiting = {}, [], 0, False
    for _ in range(steps):
        s = code[function][n]
        if isinstance(s, Label):
            assert s.name not in armed.values(), f"bsync at {s.name} is passed by"
            n += 1
            continue
        exiting = s.operands[-1] in ("93", "94") if "a7" in s.defs and s.op == "li" else exiting
        kind = s.convergence()
        assert not (s.is_barrier() and armed), f"barrier in a region at {function.at(s)}"
        if kind == "bssy":
            assert s.barrier_number() not in armed, f"bssy again in {function.name}: {s.text}"
            assert s.operands[-1] in at[function]
            armed[s.barrier_number()] = s.operands[-1]
        elif kind == "bsync" and s.barrier_number() in armed:
            label = armed.pop(s.barrier_number())
            behind = code[function][n + 1]
            while isinstance(behind, Instruction) and behind.op == "j":  # a label that is far
                behind = code[function][at[function][behind.target()]]
            place = at[function].get(label)
            if place is not None and isinstance(code[function][place], Label) and isinstance(code[function][place + 1], Instruction) and code[function][place + 1].op == "j":
                label = code[function][place + 1].target() if label != getattr(behind, "name", None) else label
            assert getattr(behind, "name", None) == label, f"bsync in front of another label than {label}: {function.name}"
        elif kind == "break":
            armed.pop(s.barrier_number(), None)
        if s.is_return() or s.op == "tail":
            if not calls:
                assert not armed or s.ends_thread(), f"left in a region at {function.at(s)}"
                return True
            function, n, before = calls.pop()
            assert armed == before, f"returned to {function.name} with {armed}, not {before}"
            continue
        if s.op == "ebreak" or (s.op == "ecall" and exiting):
            return True
        if s.op == "jr":
            own = [label for d in function.tables.get(s, []) for label in re.findall(r"[\w.$]+", d.text) if label in at[function]]
            n = at[function][chance.choice(own or [label for label in addressed_of(file) if label in at[function]])]
        elif s.target() is not None and not s.target()[0].isdigit() and (s.op == "j" or chance.random() < 0.5):
            n = at[function][s.target()]
        elif s.op == "call" and s.callee() in ("abort", "exit", "heddle_exit") or n + 1 == len(code[function]):
            return True
        elif s.callee() in functions and len(calls) < 6:
            calls.append((function, n + 1, dict(armed)))
            function, n = functions[s.callee()], 0
        else:
            n += 1
    return False


class RealCode(unittest.TestCase):
    """All kernels of the workloads, and random programs of three kinds."""

    @classmethod
    def setUpClass(cls):
        cls.files = {}
        csmith, goto, hard = (load_script(os.path.join(ROOT, "scripts", "random", name)) for name in ("csmith", "goto_programs", "random_programs"))
        with tempfile.TemporaryDirectory() as folder:
            def add(name, source, *flags):
                target = os.path.join(folder, "x.s")
                subprocess.run([HEDDLE_CC, "-S", *flags, source, "-o", target], check=True, stderr=subprocess.DEVNULL)
                with open(target, encoding="utf-8") as file:
                    cls.files[name] = file.read()

            for source in kernels("lud"):
                add(os.path.basename(source), source)
            program = os.path.join(folder, "program.cpp")
            for seed in CSMITH_SEEDS:
                flags, source = csmith.random_source(seed, True, folder, False)
                with open(program, "w", encoding="ascii") as file:
                    file.write(csmith.make_divergent(source, flags))
                add(f"csmith {seed}", program, "-fjump-tables", *csmith.COMPILE_FLAGS)
            for script, seeds in ((goto, GOTO_SEEDS), (hard, RANDOM_SEEDS)):
                for seed in seeds:
                    made = script.generator.generate(seed)
                    with open(program[:-2], "w", encoding="ascii") as file:
                        file.write(made.source)
                    add(f"{script.__name__} {seed}", program[:-2], "-w", *made.flags)

    def test_no_way_through_a_program_breaks_a_rule(self):
        marks = 0
        for name, text in self.files.items():
            files, _ = barriers([file_of(text, name)], [])
            marks += files[0].text().count("0x0b, 5,")
            for function in files[0].functions:
                if function.kernel:
                    chance, ended = random.Random(function.name), 0
                    for _ in range(40):
                        with self.subTest(name=name, function=function.name):
                            ended += walk(files[0], function, chance)
                    self.assertGreater(ended, 0, f"{name} {function.name}")
        self.assertGreater(marks, 900 if ALL else 150)

    def test_the_walk_finds_what_is_wrong(self):
        """Each mark but a break left out once, and each number changed."""
        files, _ = barriers([file_of(self.files["lud.cu"])], [])
        whole = files[0].text()
        marks = list(re.finditer(r"\t\.insn (?:sb 0x0b, 5, x(\d+)|r 0x0b, 6, 0, x0, x(\d+)).*\n", whole))
        self.assertGreater(len(marks), 10)
        for mark in marks:
            place = mark.start(1) if mark[1] else mark.start(2)
            texts = [whole[:place] + "15" + whole[place + 1:]]
            if mark[2]:  # without a bssy threads pass
                texts.append(whole[:mark.start()] + "\tnop\n" + whole[mark.end():])
            for text in texts:
                broken = file_of(text)
                with self.assertRaises(AssertionError, msg=mark[0]):
                    for function in broken.functions:
                        chance = random.Random(1)
                        for _ in range(200 if function.kernel else 0):
                            walk(broken, function, chance)


class Messages(unittest.TestCase):
    def run_on(self, *flags):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "k.c")
            with open(source, "w", encoding="ascii") as file:
                file.write("#include <heddle/kernel.h>\n__global__ void k(int* a) { if (a[threadIdx.x]) a[threadIdx.x] = 1; __syncthreads(); }\n")
            return subprocess.run([HEDDLE_CC, *flags, source, "-o", os.path.join(folder, "k.s")], capture_output=True, text=True, check=False), os.path.join(folder, "k.s")

    def test_options(self):
        for flags, message in ((("--barriers=no-bsync", "-S"), "--barriers takes no-yield, no-break, no-release, with commas between them, not 'no-bsync'"),
                               (("--barriers", "--fork-join", "-S"), "--fork-join, --software-stack and --barriers are for different machines: choose one")):
            run, _ = self.run_on(*flags)
            self.assertEqual((run.returncode, run.stderr), (2, f"heddle-cc: {message} (heddle-cc --help lists the options)\n"))
        self.assertEqual(self.run_on("--barriers=no-yield,no-release", "-S")[0].returncode, 0)
        self.assertEqual(convergence.LEAVE_OUT, ("yield", "break", "release"))



if __name__ == "__main__":
    unittest.main()
