#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The assembly library under heddle-cc: statements and blocks, fork and join by hand and by the pass, round trips of real code."""

import functools
import glob
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
HEDDLE_CC = os.path.join(ROOT, "sim", "toolchain", "heddle-cc")
KERNELS = os.path.join(ROOT, "sim", "workloads", "kernels")
ALL = "HEDDLE_ALL" in os.environ  # ctest -C all; without it a part of the real code
CSMITH_SEEDS = (1003, 2004, 5004) if ALL else (5004,)

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, "sim", "toolchain"), os.path.join(ROOT, "scripts")]
from assembly import Refused, regions  # noqa: E402
from assembly.cfg import Cfg  # noqa: E402
from assembly.flow import Flow  # noqa: E402
from assembly.fork_join import MODES, fork_join  # noqa: E402
from assembly.program import Program  # noqa: E402
from assembly.text import File, Instruction, Label  # noqa: E402

FORK, JOIN, BARRIER = "\t.insn sb 0x0b, 1, x0, x0, {}\n", "\t.insn i 0x0b, 2, x0, x0, 0\n", "\t.insn i 0x0b, 0, x0, x0, 0\n"


def text_of(body, name="k", kernel=True):
    """One function. FORK label, JOIN and BARRIER stand for the instructions."""
    body = re.sub(r"\bFORK (\S+)", lambda m: FORK.format(m[1]).strip(), body)
    body = body.replace("JOIN", JOIN.strip()).replace("BARRIER", BARRIER.strip())
    lines = [line.strip() if re.match(r"\s*[\w.$]+:$", line) else "\t" + line.strip() for line in body.strip().splitlines()]
    head = f"\t.globl\t{name}\n" + (f"\t.protected\t{name}\n" if kernel else "") + f"\t.type\t{name}, @function\n{name}:\n"
    return head + "\n".join(lines) + f"\n\t.size\t{name}, .-{name}\n"


def kernels(*always):
    """Sources of the workloads' kernels: all, or every fourth and those named."""
    files = sorted(glob.glob(os.path.join(KERNELS, "*.cu")))
    return files if ALL else sorted({*files[::4], *(os.path.join(KERNELS, name + ".cu") for name in always)})


def file_of(text, name="k.s"):
    return File(text.splitlines(keepends=True), name, by_hand=True)


def function_of(body):
    return file_of(text_of(body)).functions[0]


def named(cfg):
    """Block number -> its label, or its first instruction."""
    return [b.labels[0].name if b.labels else b.instructions[0].op for b in cfg.blocks]


def edges(cfg):
    names = named(cfg)
    return {names[n]: [names[s] for s in b.successors] for n, b in enumerate(cfg.blocks)}


def tree(cfg, parents):
    names = named(cfg)
    return {names[n]: names[p] if p is not None else None for n, p in enumerate(parents)}


NESTED = """
  li a1, 0
outer:
  li a2, 0
inner:
  addi a2, a2, 1
  blt a2, a0, inner
  addi a1, a1, 1
  blt a1, a0, outer
  ret
"""


class Statements(unittest.TestCase):
    def test_every_character_belongs_to_a_statement(self):
        text = ('\t.file\t1 "a:b;c.c"\n\t.type k, @function\nk:\n.LFB1:\n\t.loc 1 7 3\n\tli\ta0,1 # c; d: e\n #APP\n# 9 "x.c" 1\n'
                '\tj 1f; ret; 1: nop;2:\n\t.string "a;b:# c"\n# 0 "" 2\n #NO_APP\n\tret\n\t.size k, .-k\n\t.section .debug_info\n\t.4byte .LFB1\n')
        file = File(text.splitlines(keepends=True), "k.s")
        self.assertEqual(file.text(), text)
        found = [s.name if isinstance(s, Label) else s.op for s in file.functions[0].statements if isinstance(s, (Label, Instruction))]
        self.assertEqual(found, ["li", "j", "ret", "1", "nop", "2", "ret"])
        self.assertEqual([file.functions[0].at(i) for i in file.functions[0].instructions[:2]], ["a:b;c.c:7", "x.c:9"])

    def test_lines_in_front_of_a_statement_of_a_shared_line(self):
        file = file_of(text_of("j 1f; ret; 1: nop\nret"))
        label = next(s for s in file.functions[0].statements if isinstance(s, Label))
        label.before.append("here:\n")
        self.assertIn("\tj 1f; ret;\nhere:\n 1: nop\n", file.text())

    def test_a_function_ends_at_the_label_that_its_size_names(self):
        """So LLVM writes it; what stands behind the label is no part of the function for whoever reads the program."""
        text = text_of("beqz a0, x\nli a1, 1\nx:\nret").replace("\t.size\tk, .-k\n", ".Lend:\n\t.size\tk, .Lend-k\n\t.cfi_endproc\n")
        file = file_of(text)
        self.assertEqual(file.text(), text)
        file.functions[0].behind.append("last:\n")
        self.assertIn("ret\nlast:\n.Lend:\n\t.size", file.text())

    def test_source_files_are_numbered_in_front_of_a_function(self):
        """Its blocks, each with a .loc, may come to stand in any order."""
        body = '.file 1 "x.c"\n.loc 1 5 3\nli a0, 1\n.file 2 "y.h"\n.loc 2 7 1\nli a0, 2\nret'
        file = File(text_of(body).splitlines(keepends=True), "k.s")
        text = file.text()
        self.assertLess(max(text.index(".file 1"), text.index(".file 2")), text.index("k:"))
        self.assertLess(text.index(".loc 1"), text.index(".loc 2"))
        self.assertEqual([file.functions[0].at(i) for i in file.functions[0].instructions], ["x.c:5", "y.h:7", "y.h:7"])

    def test_the_compilers_notes_inside_of_inline_assembly_are_followed(self):
        """It ends #APP as late as at its next instruction. What the user wrote there may still be a macro."""
        def readable(directive):
            return function_of(f"#APP\nnop\n{directive}\n#NO_APP\nret").readable

        for directive in (".cfi_offset 8, -4", ".cfi_remember_state", '.file 3 "z.h"', ".loc 1 5 3", ".LVL7:", ".LBI7:", ".LBB7:", ".LBE7:"):
            self.assertTrue(readable(directive), directive)
            self.assertTrue(Cfg(function_of(f"#APP\nnop\n{directive}\n#NO_APP\nret")).known, directive)
        for directive in (".rept 3", ".macro m", ".if 1", '.include "x"'):
            self.assertFalse(readable(directive), directive)

    def test_functions_that_are_spelled_as_registers(self):
        text = text_of("call f0\nla a0, f1\nlui a1, %hi(a2+4)\nlw a1, %lo(s1)(a1)\nadd a0, a1, a2\njalr a5\nret") + "\t.data\n\t.word\tf3\n"
        file = file_of(text)
        self.assertEqual([i.callee() for i in file.functions[0].instructions], ["f0"] + [None] * 6)
        self.assertEqual(set(file.addressed()), {"f1", "a2", "s1", "f3"})

    def test_custom_instructions(self):
        i = function_of("FORK x\nJOIN\nBARRIER\n.insn i 0x13, 1, a0, a0, 0\n.insn sb 0x63, 1, a0, a1, x").instructions
        self.assertEqual([i.is_fork() for i in i], [True, False, False, False, False])
        self.assertEqual([i.is_join() for i in i], [False, True, False, False, False])
        self.assertEqual([i.is_barrier() for i in i], [False, False, True, False, False])
        self.assertEqual([i.hides_control() for i in i], [False, False, False, False, True])


class Graph(unittest.TestCase):
    def test_nested_loops(self):
        cfg = Cfg(function_of(NESTED))
        self.assertEqual(edges(cfg), {"li": ["outer"], "outer": ["inner"], "inner": ["inner", "addi"], "addi": ["outer", "ret"], "ret": []})
        self.assertEqual(tree(cfg, cfg.dominators()), {"li": None, "outer": "li", "inner": "outer", "addi": "inner", "ret": "addi"})
        self.assertEqual(tree(cfg, cfg.post_dominators()), {"li": "outer", "outer": "inner", "inner": "addi", "addi": "ret", "ret": None})

    def test_irreducible_loop(self):
        cfg = Cfg(function_of("beqz a0, b\na:\n addi a1, a1, 1\n bnez a1, b\n j c\nb:\n addi a2, a2, 1\n bnez a2, a\nc:\n ret"))
        self.assertEqual(edges(cfg), {"beqz": ["b", "a"], "a": ["b", "j"], "j": ["c"], "b": ["a", "c"], "c": []})
        self.assertEqual(tree(cfg, cfg.dominators()), {"beqz": None, "a": "beqz", "j": "a", "b": "beqz", "c": "beqz"})
        self.assertEqual(tree(cfg, cfg.post_dominators()), {"beqz": "c", "a": "c", "j": "c", "b": "c", "c": None})

    def test_jump_table(self):
        body = "lw a5, 0(a5)\njr a5\n.section .rodata\nt:\n.word x\n.word y\n.word x\n.text\nx:\n li a0, 1\ny:\n li a0, 2\nz:\n ret"
        cfg = Cfg(function_of(body))
        self.assertEqual(edges(cfg), {"lw": ["x", "y"], "x": ["y"], "y": ["z"], "z": []})
        self.assertTrue(cfg.complete)
        self.assertFalse(cfg.known)

    def test_each_jump_has_its_own_table(self):
        table = "jr a5\n.section .rodata\n.word {}\n.word {}\n.text\n"
        cfg = Cfg(function_of(table.format("x", "y") + "x:\n" + table.format("y", "z") + "y:\n nop\nz:\n ret"))
        self.assertEqual(edges(cfg), {"jr": ["x", "y"], "x": ["y", "z"], "y": ["z"], "z": []})

    def test_computed_goto_goes_to_all_addressed_labels(self):
        cfg = Cfg(function_of("la a5, x\njr a5\nx:\n jr a4\ny:\n j w\nw:\n ret\n.section .data\n.word y-x\n.text"))
        self.assertEqual(edges(cfg), {"la": ["x", "y"], "x": ["x", "y"], "y": ["w"], "w": []})

    def test_indirect_jump_without_labels_leaves(self):
        cfg = Cfg(function_of("jr a5\nx:\n ret"))
        self.assertEqual([b.leaves for b in cfg.blocks], [True, True])

    def test_calls_fall_through_and_tail_calls_leave(self):
        cfg = Cfg(function_of("call f\nbeqz a0, x\ntail g\nx:\n call abort\ny:\n ret"))
        self.assertEqual(edges(cfg), {"call": ["x", "tail"], "tail": [], "x": [], "y": []})
        self.assertEqual([b.leaves for b in cfg.blocks], [False, True, False, True])

    def test_inline_assembly_with_jumps(self):
        cfg = Cfg(function_of("#APP\nbeqz a0, 1f; nop; 1: nop; bnez a0, 1b\n#NO_APP\nret"))
        self.assertEqual(edges(cfg), {"beqz": ["1", "nop"], "nop": ["1"], "1": ["1", "ret"], "ret": []})
        self.assertTrue(cfg.complete)
        self.assertFalse(cfg.known)
        self.assertFalse(Cfg(function_of("#APP\n.rept 3\nnop\n.endr\n#NO_APP\nret")).complete)
        self.assertFalse(Cfg(function_of(".insn sb 0x63, 0, a0, a1, x\nx:\nret")).complete)

    def test_where_threads_end_is_no_place_to_meet(self):
        cfg = Cfg(function_of("beqz a0, x\nli a7,93\necall\nx:\n li a7,64\n ecall\n ret"))
        self.assertEqual(edges(cfg), {"beqz": ["x", "li"], "li": [], "x": []})
        self.assertEqual(tree(cfg, cfg.post_dominators()), {"beqz": "x", "li": None, "x": None})

    def test_a_function_that_never_returns(self):
        program = Program([file_of(text_of("call die\nret") + text_of("beqz a0, x\nebreak\nx:\n li a7,93\n ecall", "die", False))])
        kernel, die = program.files[0].functions
        self.assertEqual(edges(program.cfg(kernel)), {"call": [], "ret": []})
        self.assertFalse(program.returns(kernel)("die"))
        self.assertEqual(tree(Cfg(die), Cfg(die).post_dominators())["beqz"], None)

    def test_branches_on_what_all_threads_share(self):
        body = "csrr a5, 0xCC3\nbeqz a5, x\nnop\nx:\n lw a4, 0(a0)\n bnez a4, y\n nop\ny:\n csrr a3, 0xCC0\n beqz a3, z\n nop\nz:\n ret"
        flow = Flow(function_of(body))
        self.assertEqual([named(flow)[n] for n in sorted(flow.divergent_branches(True))], ["y"])
        self.assertEqual([named(flow)[n] for n in sorted(flow.divergent_branches(True, loads=False))], ["x", "y"])


class ByHand(unittest.TestCase):
    def check(self, text, message):
        program = Program([file_of(text)])
        if message is None:
            regions.check_regions(program)
            return
        with self.assertRaises(Refused) as raised:
            regions.check_regions(program)
        self.assertEqual(str(raised.exception), message)

    def test_accepted(self):
        for body in ("FORK x\nbeqz a0, x\nnop\nx:\nJOIN\nret", "FORK x\nx:\nJOIN\nBARRIER\nret",
                     "FORK x\nFORK y\nbeqz a0, y\nnop\ny:\nJOIN\nbnez a0, x\nli a7,93\necall\nx:\nJOIN\nret",
                     "l:\nFORK x\nbeqz a0, x\nnop\nx:\nJOIN\nbnez a1, l\nret"):
            self.check(text_of(body), None)

    def test_messages(self):
        for body, message in (
                ("JOIN\nret", "k.s:5: join without a fork"),
                ("FORK x\nnop\nret\nx:\nnop\nret", "k.s:5: fork that names no join of function 'k'"),
                ("FORK x\nbeqz a0, x\nret\nx:\nJOIN\nret", "k.s:5: fork whose join is jumped over: function 'k' is left at k.s:7 before it"),
                ("l:\nFORK x\nbnez a0, l\nx:\nJOIN\nret", "k.s:6: fork that is executed again before its join, in a loop inside its own region"),
                ("beqz a0, m\nFORK x\nbnez a1, x\nm:\nnop\nx:\nJOIN\nret", "k.s:6: fork whose region is entered without it, at k.s:9"),
                ("beqz a0, x\nFORK x\nnop\nx:\nJOIN\nret", "k.s:9: join that is reached without its fork at k.s:6"),
                ("FORK x\nFORK y\nnop\nx:\nJOIN\ny:\nJOIN\nret", "k.s:6: fork whose region crosses that of the fork at k.s:5"),
                ("FORK x\nBARRIER\nx:\nJOIN\nret",
                 "k.s:5: fork with a barrier at k.s:6 before its join: threads of a region stay apart until then"),
                ("#APP\n.rept 2\nnop\n.endr\n#NO_APP\nFORK x\nx:\nJOIN\nret",
                 "k.s: function 'k' has fork and join, and inline assembly that cannot be followed")):
            self.check(text_of(body), message)

    def test_barriers_of_callees(self):
        callee = text_of("BARRIER\nret", "f", False) + text_of("call f\nret", "g", False)
        self.check(text_of("FORK x\ncall g\nx:\nJOIN\nret") + callee,
                   "k.s:5: fork with a call of 'g', which may execute a barrier, at k.s:6 before its join: threads of a region stay apart until then")
        pointer = text_of("FORK x\njalr a5\nx:\nJOIN\nret") + callee
        self.check(pointer, None)
        self.check(pointer + "\t.data\n\t.word\tg\n", "k.s:5: fork with a call through a pointer, which may execute a barrier, at k.s:6 before its "
                                                     "join: threads of a region stay apart until then")

    def test_a_join_too_far_away(self):
        near, far = (file_of(text_of("FORK x\nbeqz a0, x\n" + "nop\n" * n + "x:\nJOIN\nret")) for n in (1000, 1030))
        regions.check_distances([near])
        with self.assertRaisesRegex(Refused, "^k.s:5: fork whose join is more than 4 KiB away$"):
            regions.check_distances([far])


class OfTheHeader(unittest.TestCase):
    """__heddle_fork() and __heddle_join() through the compiler."""

    def compile(self, body, *flags):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "k.cu"), "w", encoding="ascii") as file:
                file.write('#include <heddle/kernel.h>\nextern "C" __global__ void k(int* a, int n) {\nconst int t = threadIdx.x;\n' + body + "\n}\n")
            run = subprocess.run([HEDDLE_CC, "-S", "k.cu", "-o", "k.s", *flags], cwd=folder, capture_output=True, text=True, check=False)
            if run.returncode != 0:
                self.assertEqual(run.returncode, 1)
                return run.stderr
            self.assertEqual(run.stderr, "")
            with open(os.path.join(folder, "k.s"), encoding="utf-8") as file:
                return file.read()

    def test_pairs_find_each_other_at_every_level(self):
        body = ("for (int i = 0; i < n; ++i) {\n__heddle_fork();\nif (a[t] > n) { a[t] = 3; __heddle_fork(); if (a[t + 1] < n) a[t + 2] = 5; "
                "__heddle_join(); } else a[t] = 7;\n__heddle_join();\n__syncthreads();\n}")
        for level in ("-O0", "-O1", "-O2", "-Os"):
            text = self.compile(body, level, "-g0")
            pairs = re.findall(r"0x0b, 1, x0, x0, (\S+)", text)
            self.assertEqual(len(set(pairs)), 2, level)
            for label in pairs:
                self.assertRegex(text, rf"{re.escape(label)}:\n\t.insn i 0x0b, 2,")

    def test_messages(self):
        for body, message in (
                ("__heddle_join();", "k.cu:4: join without a fork"),
                ("__heddle_fork();\na[t] = 1;", "k.cu:4: fork whose join is jumped over: function 'k' is left at k.cu:6 before it"),
                ("__heddle_fork();\nwhile (a[t] != 0) ++a[t];\nheddle_exit(0);", "k.cu:4: fork without a join"),
                ("if (a[t] > 2) {\n__heddle_fork();\na[t] = n;\n}\na[t + 1] = 2;\n__heddle_join();",
                 "k.cu:5: fork whose join is jumped over: paths meet at k.cu:8, on one of which its region is still open"),
                ("__heddle_fork();\nif (a[t] > 2) {\n__heddle_join();\na[t] = n;\n} else {\na[t] = 9 * n;\n__heddle_join();\na[0] = 5;\n}",
                 "k.cu:4: fork with several joins, at k.cu:10 and k.cu:6"),
                ("__heddle_fork();\nif (a[t] > 2) a[t] = n;\n__syncthreads();\n__heddle_join();",
                 "k.cu:4: fork with a barrier at k.cu:6 before its join: threads of a region stay apart until then"),
                ("for (int i = 0; i < n; ++i) {\na[i] = 1;\n__heddle_fork();\n}\n__heddle_join();",
                 "k.cu:6: fork whose join is jumped over: paths meet at k.cu:5, on one of which its region is still open")):
            self.assertEqual(self.compile(body), f"heddle-cc: {message}\n")

    def test_copies_of_the_compiler(self):
        # Two copies of both are two regions; two joins of one fork are none.
        text = self.compile("#pragma unroll 4\nfor (int i = 0; i < n; ++i) {\n__heddle_fork();\nif (a[i + t] > 2) a[t] += n;\n__heddle_join();\n}", "-g0")
        self.assertGreater(len(set(re.findall(r"0x0b, 1, x0, x0, (\S+)", text))), 1)
        body = text_of("FORK .\nbeqz a0, x\n#APP\n# 7 \"k.c\" 1\nJOIN\n#NO_APP\nnop\nret\nx:\n#APP\n# 7 \"k.c\" 1\nJOIN\n#NO_APP\nret")
        file = file_of(body)
        with self.assertRaisesRegex(Refused, r"^k.s:5: the compiler has copied the join of this fork, at k.c:7, 2 times$"):
            regions.resolve_marks(Program([file]), file)


def placed(text, mode):
    """Function k after the pass: (instructions as short words, notes)."""
    files, notes = fork_join([file_of(text)], [], mode)
    words = []
    for s in files[0].functions[0].statements:
        if s in files[0].functions[0].data:
            continue
        if isinstance(s, Label):
            words.append(re.sub(r"^\.Lheddle_(\D+)(\d+)_", r"\1", s.name) + ":")
        elif isinstance(s, Instruction):
            label = re.sub(r"^\.Lheddle_(\D+)(\d+)_", r"\1", s.operands[-1]) if s.operands else ""
            words.append(f"fork {label}" if s.is_fork() else "join" if s.is_join() else "barrier" if s.is_barrier() else
                         f"{s.op} {label}" if s.target() else s.op)
    return words, notes


THREAD = "csrr a5, 0xCC0\n"


class Pass(unittest.TestCase):
    def expect(self, body, outermost, innermost, notes=(), more="", kernel=True):
        for mode, expected in (("outermost", outermost), ("innermost", innermost)):
            words, found = placed(text_of(THREAD + body, kernel=kernel) + more, mode)
            self.assertEqual([w for w in words if not w.startswith("fork") or " " in w], ["csrr"] + expected.split(", "), mode)
            self.assertEqual(found, list(notes), mode)

    def test_an_if_in_an_if(self):
        self.expect("beqz a5, x\nnop\nbltz a5, y\nnop\ny:\nnop\nx:\nret",
                    "fork join0, beqz join0, nop, bltz y, nop, y:, nop, join0:, join, x:, ret",
                    "fork join0, beqz join0, nop, fork join1, bltz join1, nop, join1:, join, y:, nop, join0:, join, x:, ret")

    def test_two_ifs_in_a_row_are_two_regions(self):
        code = "fork join0, beqz join0, nop, join0:, join, x:, nop, fork join1, bltz join1, nop, join1:, join, y:, ret"
        self.expect("beqz a5, x\nnop\nx:\nnop\nbltz a5, y\nnop\ny:\nret", code, code)

    def test_sides_that_meet_at_one_place(self):
        self.expect("beqz a5, x\nbltz a5, z\nnop\nj z\nx:\nbgtz a5, z\nnop\nz:\nret",
                    "fork join0, beqz x, bltz join0, nop, j join0, x:, bgtz join0, nop, join0:, join, z:, ret",
                    "fork join0, beqz fork2, fork join1, bltz join1, nop, join1:, join, j join0, fork join2, x:, bgtz join2, nop, "
                    "join2:, join, join0:, join, z:, ret")

    def test_the_fork_of_a_loop_is_before_it(self):
        code = "fork join0, l:, addi, bnez l, join0:, join, ret"
        self.expect("l:\naddi a5, a5, -1\nbnez a5, l\nret", code, code)

    def test_a_loop_at_the_beginning_of_a_function(self):
        words, notes = placed(text_of("l:\nadd a5, a5, tp\nbnez a5, l\nret"), "innermost")
        self.assertEqual((", ".join(words[1:]), notes), ("fork join0, l:, add, bnez l, join0:, join, ret", []))

    def test_a_loop_entered_at_its_condition(self):
        code = "nop, fork join0, j c, l:, nop, c:, addi, bnez l, join0:, join, ret"
        self.expect("nop\nj c\nl:\nnop\nc:\naddi a5, a5, -1\nbnez a5, l\nret", code, code)

    def test_a_branch_in_a_loop_of_all_threads(self):
        self.expect("l:\naddi a0, a0, -1\nbeqz a5, x\nnop\nx:\nbnez a0, l\nret",
                    "fork join0, l:, addi, beqz x, nop, x:, bnez l, join0:, join, ret",
                    "l:, addi, fork join0, beqz join0, nop, join0:, join, x:, bnez l, ret")

    def test_the_largest_region_without_a_barrier(self):
        self.expect("l:\nBARRIER\nbltz a5, y\nbeqz a5, x\nnop\nx:\nnop\ny:\naddi a0, a0, -1\nbnez a0, l\nret",
                    "l:, barrier, fork join0, bltz join0, beqz x, nop, x:, nop, join0:, join, y:, addi, bnez l, ret",
                    "l:, barrier, fork join0, bltz join0, fork join1, beqz join1, nop, join1:, join, x:, nop, join0:, join, y:, addi, bnez l, ret")

    def test_a_barrier_before_the_sides_meet(self):
        code = "beqz x, barrier, x:, nop, ret"
        self.expect("beqz a5, x\nBARRIER\nx:\nnop\nret", code, code, kernel=False, notes=[
            "k.s:5: function 'k' has a branch that may diverge without fork and join: a barrier may be executed before the sides meet, at k.s:6"])

    def test_one_note_a_function(self):
        body = "beqz a5, x\nBARRIER\nx:\nbltz a5, y\nBARRIER\ny:\nbgtz a5, z\nBARRIER\nz:\nret"
        for mode in MODES:
            _, notes = placed(text_of(THREAD + body, kernel=False) + text_of(THREAD + "beqz a5, v\nBARRIER\nv:\nret", "f", kernel=False), mode)
            self.assertEqual([(n.split("'")[1], n.endswith("at k.s:6 (and 2 more in it)")) for n in notes], [("k", True), ("f", False)])

    def test_threads_that_end_before_a_barrier(self):
        code = "fork join0, beqz end1_4, join0:, join, barrier, nop, x:, ret, end1_4:, ret"
        for mode in MODES:
            words, notes = placed(text_of(THREAD + "beqz a5, x\nBARRIER\nnop\nx:\nret"), mode)
            self.assertEqual(", ".join(w for w in words[1:] if not w.startswith("fork0")), code)
            self.assertEqual(notes, [])

    def test_uniform_branches_need_nothing(self):
        code = "beqz x, nop, x:, ret"
        self.expect("beqz a0, x\nnop\nx:\nret", code, code)

    def test_irreducible_loops_lie_in_the_smallest_region_around(self):
        code = "fork join0, beqz b, a:, addi, bnez b, j join0, b:, addi, bnez a, join0:, join, c:, ret"
        self.expect("beqz a5, b\na:\naddi a5, a5, 1\nbnez a5, b\nj c\nb:\naddi a5, a5, 2\nbnez a5, a\nc:\nret", code, code)

    def test_code_that_nothing_reaches_enters_no_region(self):
        """A way from it into the middle of a loop's region would place the fork there."""
        words, notes = placed(text_of(THREAD + "j l\nu:\nbnez a4, x\nj e\nx:\nbltz a5, y\nnop\ny:\nnop\nl:\naddi a5, a5, -1\nbnez a5, x\ne:\nret"), "innermost")
        self.assertEqual((", ".join(words), notes), ("csrr, fork1:, fork join1, j l, u:, bnez x, j e, fork0:, fork join0, x:, bltz join0, nop, join0:, join, y:, nop, l:, addi, "
                                                     "bnez fork0, join1:, join, e:, ret", []))

    def test_a_jump_table(self):
        body = "jr a5\n.section .rodata\nt:\n.word x\n.word y\n.word z\n.text\nx:\nnop\ny:\nnop\nz:\nret"
        code = "fork join0, jr, x:, nop, y:, nop, join0:, join, z:, ret"
        self.expect(body, code, code)
        self.assertIn("\t.word .Lheddle_join0_0\n", fork_join([file_of(text_of(THREAD + body))], [], "innermost")[0][0].text())

    def test_computed_gotos_share_their_labels(self):
        body = "la a4, x\nla a3, y\njr a5\nx:\nbltz a5, w\nnop\nw:\njr a5\ny:\nret"
        words, notes = placed(text_of(THREAD + body), "innermost")
        self.assertEqual(notes, [])
        self.assertEqual(words.count("join"), 2)
        self.assertRegex(fork_join([file_of(text_of(THREAD + body))], [], "innermost")[0][0].text(), "la a3, .Lheddle_join0_0")

    def test_calls_of_libraries_and_through_pointers(self):
        code = "fork join0, call, join0:, join, nop, fork join1, jalr, join1:, join, ret"
        self.expect("call __divdi3\nnop\njalr a4\nret", code, code)

    def test_a_callee_with_regions_of_its_own_needs_none_around(self):
        callee = text_of("beqz a0, x\nnop\nx:\nret", "f", False)
        self.expect("call f\nret", "call, ret", "call, ret", more=callee)
        # Its sides meet in the caller.
        self.expect("call f\nret", "fork join0, call, join0:, join, ret", "fork join0, call, join0:, join, ret", more=text_of("beqz a0, x\nret\nx:\nret", "f", False),
                    notes=["k.s:12: function 'f' has a branch that may diverge without fork and join: the sides meet only where the function is left"])

    def test_infinite_loops_are_left_alone(self):
        code = "l:, beqz x, nop, x:, j l"
        self.expect("l:\nbeqz a5, x\nnop\nx:\nj l", code, code,
                    ["k.s:7: function 'k' has a branch that may diverge without fork and join: the sides meet only where the function is left"])

    def test_functions_that_are_left_as_they_are(self):
        self.expect("FORK x\nbeqz a5, x\nnop\nx:\nJOIN\nret", *["fork x, beqz x, nop, x:, join, ret"] * 2,
                    ["k.s: function 'k' has fork and join of its own: nothing added"])
        self.expect("#APP\n.rept 2\nnop\n.endr\n#NO_APP\nbeqz a5, x\nnop\nx:\nret", *["nop, beqz x, nop, x:, ret"] * 2,
                    ["k.s: function 'k' has inline assembly that cannot be followed: no fork and join"])

    def test_a_far_join_stands_beside_its_fork(self):
        text = text_of(THREAD + "beqz a5, x\n" + "nop\n" * 1100 + "x:\nret")
        words, _ = placed(text, "outermost")
        self.assertEqual(", ".join(w for w in words if w != "nop"), "csrr, fork0:, j fork0_near, join0:, join, j x, fork0_near:, fork join0, beqz join0, "
                         "j join0, x:, ret")
        assemble(fork_join([file_of(text)], [], "outermost")[0][0].text())


def assemble(text):
    """Sections of the object file: name -> disassembly or contents."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "x.s"), os.path.join(folder, "x.o")
        with open(source, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        subprocess.run([HEDDLE_CC, "-c", "-g0", source, "-o", target], check=True)
        with open(target, "rb") as file:
            return file.read()


@functools.lru_cache(maxsize=None)
def addressed_of(file):
    """In every walk again: once a file."""
    return sorted(file.addressed())


def walk(file, function, chance, steps=4000):
    """Goes through a function at random; fails if it breaks a rule of fork and join. Knows nothing of blocks or graphs."""
    code = [s for s in function.statements if isinstance(s, (Label, Instruction)) and s not in function.data]
    at = {s.name: n for n, s in enumerate(code) if isinstance(s, Label)}
    addressed = [label for label in addressed_of(file) if label in at]
    opened, n, exiting = [], 0, False
    for _ in range(steps):
        s = code[n]
        if isinstance(s, Label):
            if opened and s.name == opened[-1]:
                opened.pop()
                n += 1  # the join: goes on behind it
                assert code[n].is_join(), s.name
            n += 1
            continue
        exiting = s.operands[-1] in ("93", "94") if "a7" in s.defs and s.op == "li" else exiting
        assert not s.is_join(), f"join is issued at {function.at(s)}"
        assert not (s.is_barrier() and opened), f"barrier in a region at {function.at(s)}"
        if s.is_fork():
            assert s.join_label() not in opened, f"fork again at {function.at(s)}"
            opened.append(s.join_label())
        if s.is_return() or s.op == "tail":
            assert not opened or s.ends_thread(), f"left in a region at {function.at(s)}"
            return True
        if s.op == "ebreak" or (s.op == "ecall" and exiting):
            return True
        if s.op == "jr":
            own = [label for d in function.tables.get(s, []) for label in re.findall(r"[\w.$]+", d.text) if label in at]
            n = at[chance.choice(own or addressed)]
        elif s.target() is not None and not s.target()[0].isdigit() and (s.op == "j" or chance.random() < 0.5):
            n = at[s.target()]
        elif s.op == "call" and s.callee() in ("abort", "exit", "heddle_exit") or n + 1 == len(code):
            return True
        else:
            n += 1
    return False


class RealCode(unittest.TestCase):
    """All kernels of the workloads, and programs of csmith."""

    @classmethod
    def setUpClass(cls):
        cls.files = {}
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, "x.s")
            for source in kernels("lud"):
                subprocess.run([HEDDLE_CC, "-S", source, "-o", target], check=True)
                with open(target, encoding="utf-8") as file:
                    cls.files[os.path.basename(source)] = file.read()
            cls.add_csmith(folder, target)

    @classmethod
    def add_csmith(cls, folder, target):
        from load_script import load_script  # pylint: disable=import-outside-toplevel
        script = load_script(os.path.join(ROOT, "scripts", "random", "csmith"))
        for seed in CSMITH_SEEDS:
            flags, source = script.random_source(seed, True, folder, False)
            program = os.path.join(folder, "program.cpp")
            with open(program, "w", encoding="ascii") as file:
                file.write(script.make_divergent(source, flags))
            subprocess.run([HEDDLE_CC, "-S", "-fjump-tables", *script.COMPILE_FLAGS, program, "-o", target], check=True)
            with open(target, encoding="utf-8") as file:
                cls.files[f"csmith {seed}"] = file.read()

    def test_the_round_trip_gives_the_same_text(self):
        for name, text in self.files.items():
            self.assertEqual(file_of(text).text(), text, name)

    def test_every_instruction_spelled_anew_gives_the_same_object(self):
        for name, text in self.files.items():
            file = file_of(text)
            for s in file.statements():
                if isinstance(s, Instruction):
                    s.text = s.spell()
            self.assertNotEqual(file.text(), text)
            self.assertEqual(assemble(file.text()), assemble(text), name)

    def test_everything_is_understood(self):
        for name, text in self.files.items():
            for function in file_of(text).functions:
                cfg = Cfg(function)
                self.assertTrue(cfg.complete, f"{name} {function.name}")
                self.assertEqual(cfg.reach([0], None) | {n for n, p in enumerate(cfg.predecessors) if not p}, set(range(cfg.count)), name)

    def test_no_way_through_a_function_breaks_a_rule(self):
        for name, text in self.files.items():
            for mode in MODES:
                files, _ = fork_join([file_of(text, name)], [], mode)
                for function in files[0].functions:
                    chance, ended = random.Random(function.name), 0
                    for _ in range(30):
                        ended += walk(files[0], function, chance)
                    self.assertGreater(ended, 0, f"{name} {function.name}")

    def test_the_walk_finds_what_is_wrong(self):
        text = self.files["lud.cu"]
        files, _ = fork_join([file_of(text)], [], "innermost")
        whole = files[0].text()
        forks = [m.start() for m in re.finditer(r"\t\.insn sb 0x0b, 1,", whole)]
        self.assertGreater(len(forks), 3)
        for start in forks:
            broken = file_of(whole[:start] + "\tnop" + whole[whole.index("\n", start):])
            with self.assertRaises(AssertionError):
                for function in broken.functions:
                    chance = random.Random(1)
                    for _ in range(200):
                        walk(broken, function, chance)
            with self.assertRaises(Refused):
                regions.check_regions(Program([broken]))


if __name__ == "__main__":
    unittest.main()
