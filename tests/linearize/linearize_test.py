#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""heddle-cc --linearize: the analysis on graphs, and the paper's three claims on real code. Environment: HEDDLE_CC."""

import glob
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEDDLE_CC = os.environ["HEDDLE_CC"]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "sim" / "toolchain"))
from assembly.flow import Flow  # noqa: E402  pylint: disable=wrong-import-position
from assembly import Refused, interleave  # noqa: E402  pylint: disable=wrong-import-position
from assembly.linearize import NoRegister, Options, limit_depth, linearize  # noqa: E402  pylint: disable=wrong-import-position
from assembly.program import Program  # noqa: E402  pylint: disable=wrong-import-position
from assembly.stack_depth import UNBOUNDED, Depths  # noqa: E402  pylint: disable=wrong-import-position
from assembly.structure import Graph  # noqa: E402  pylint: disable=wrong-import-position
from assembly.text import BRANCHES, File, Instruction, Label  # noqa: E402  pylint: disable=wrong-import-position

# The paper's graphs: node 0 is Entry, node n block Bn, the last one Exit.
FIGURE_1 = Graph([[1], [3, 2], [3, 5], [4, 5], [6], [6], [7], []], [7])
FIGURE_5 = Graph([[1], [2], [3, 5], [4, 6], [2], [6], [7], []], [7])
FIGURE_6A = Graph([[1], [5, 2], [3], [4, 6], [5], [3], [7], []], [7])
FIGURE_6C = Graph([[1], [2, 3], [3, 4], [2], []], [4])


class StructuredGraph:
    """A random graph, put together of sequences, branches and loops."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.successors = []
        self._new()
        first, self.last = self._part(4)
        self.successors[0].append(first)

    def _new(self):
        self.successors.append([])
        return len(self.successors) - 1

    def _part(self, depth):
        kind = self.random.randrange(7) if depth else 0
        if kind == 0:
            n = self._new()
            return n, n
        if kind <= 2:
            first, second = self._part(depth - 1), self._part(depth - 1)
            self.successors[first[1]].append(second[0])
            return first[0], second[1]
        fork = self._new()
        if kind == 6:  # the condition behind the body
            body, test, end = self._part(depth - 1), self._new(), self._new()
            self.successors[fork] = [body[0]]
            self.successors[body[1]].append(test)
            self.successors[test] = [body[0], end]
            return fork, end
        body, end = self._part(depth - 1), self._new()
        if kind == 3:
            other = self._part(depth - 1)
            self.successors[fork] = [body[0], other[0]]
            self.successors[other[1]].append(end)
        else:
            self.successors[fork] = [body[0], end]
        self.successors[body[1]].append(fork if kind == 5 else end)
        return fork, end


def random_graph(seed):
    rng = random.Random(seed)
    count = rng.randrange(3, 12)
    successors = [[1]] + [[rng.randrange(1, count) for _ in range(rng.choice([1, 2, 2]))] for _ in range(1, count - 1)] + [[]]
    return Graph(successors, [count - 1])


class Analysis(unittest.TestCase):
    def test_edges_of_the_figures(self):
        self.assertEqual(FIGURE_1.unstructured_edges(), {(2, 3): 1, (2, 5): 1, (3, 5): 1})
        self.assertEqual(FIGURE_5.unstructured_edges(), {(2, 5): 3, (3, 6): 3})
        self.assertEqual(FIGURE_6A.unstructured_edges(), {(1, 5): 2, (2, 3): 2})
        self.assertEqual(FIGURE_6C.unstructured_edges(), {(1, 2): 2, (1, 3): 2})

    def test_regions_of_the_figures(self):
        def regions(graph):
            return [(sorted(r.blocks), r.entry, r.exit) for r in graph.regions()]
        self.assertEqual(regions(FIGURE_1), [([2, 3, 4, 5], 1, 6)])
        self.assertEqual(regions(FIGURE_5), [([2, 3, 4, 5], 1, 6)])  # B6 can be behind it
        self.assertEqual(regions(FIGURE_6A), [([1, 2, 3, 4, 5], 0, 6)])
        self.assertEqual(regions(FIGURE_6C), [([1, 2, 3], 0, 4)])

    def test_structured_graphs_have_none(self):
        for seed in range(600):
            made = StructuredGraph(seed)
            graph = Graph(made.successors, [made.last])
            self.assertEqual(graph.unstructured_edges(), {}, seed)
            self.assertEqual(graph.regions(), [], seed)

    def test_definition_1_finds_nothing_that_the_core_does_not_have(self):
        kinds = set()
        for seed in range(2000):
            graph = random_graph(seed)
            kinds.add((bool(graph.core()), bool(graph.unstructured_edges())))
            self.assertFalse(graph.unstructured_edges() and not graph.core(), seed)
        self.assertEqual(kinds, {(False, False), (True, True), (True, False)})

    def test_an_edge_with_a_block_on_it(self):
        """Both ways to 4 are taken by threads of their own, though the last edge of one of them comes from a block with no other."""
        graph = Graph([[1], [5, 2], [3, 4], [5], [6], [6], []], [6])
        self.assertEqual(graph.unstructured_edges(), {})
        self.assertEqual([(sorted(r.blocks), r.entry, r.exit) for r in graph.regions()], [([2, 3, 4, 5], 1, 6)])

    def test_ways_that_part_in_more_than_two(self):
        """2 and 3 meet in 3 while 4 is still apart: where a switch falls from one case into the next; not where all cases end alike."""
        falls_through = Graph([[1], [2, 3, 4], [3], [5], [5], []], [5])
        self.assertEqual([(sorted(r.blocks), r.entry, r.exit) for r in falls_through.regions()], [([1, 2, 3, 4], 0, 5)])
        self.assertEqual(Graph([[1], [2, 3, 4], [5], [5], [5], []], [5]).core(), {})
        self.assertEqual(Graph([[1], [2, 3, 4], [3], [5], [3], []], [5]).core(), {})  # 3 is where all meet

    def test_a_region_has_one_way_in_and_one_out(self):
        regions = 0
        for seed in range(2000):
            graph = random_graph(seed)
            seen = set()
            for region in graph.regions():
                regions += 1
                self.assertFalse(seen & region.blocks, seed)
                seen |= region.blocks
                for n in region.blocks:
                    self.assertLessEqual(set(graph.predecessors[n]), region.blocks | {region.entry}, seed)
                    if n in graph.alive:
                        self.assertLessEqual(set(graph.successors[n]) & graph.alive, region.blocks | {region.exit}, seed)
        self.assertGreater(regions, 200)

    def test_structured_parts(self):
        # 1 -> 2 or 9; 2: if (..) 3 else 4; 5: -> 6 or 8; 6 -> 7; 9 -> 8 or 7: unstructured but for 2 to 5.
        graph = Graph([[1], [2, 9], [3, 4], [5], [5], [6, 8], [7], [10], [10], [8, 7], []], [10])
        (region,) = graph.regions()
        self.assertEqual(graph.structured_parts(region), {2: ({2, 3, 4, 5}, 5)})

    def test_blocks_of_a_loop_are_beside_one_another(self):
        # The loop 2, 4 has an exit to 3, which comes first in the text.
        graph = Graph([[1], [2], [3, 4], [5], [2, 5], []], [5])
        self.assertEqual(graph.order({2, 3, 4}, [2]), [2, 4, 3])

    def test_ten_thousand_blocks(self):
        """Short circuits, loops with two exits, one behind the other."""
        successors = [[1]]
        while len(successors) < 10000:
            n = len(successors)
            successors += [[n + 2, n + 1], [n + 2, n + 4], [n + 3, n + 4], [n + 5], [n + 5], [n + 6, n + 7], [n + 8, n + 5], [n + 8]]
        graph = Graph(successors + [[]], [len(successors)])
        regions = graph.regions()
        self.assertGreater(len(regions), 1000)
        self.assertEqual(sum(len(graph.order(r.blocks, graph.successors[r.entry])) for r in regions), sum(len(r.blocks) for r in regions))


def assembly(source, *flags):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.s")
        subprocess.run([HEDDLE_CC, "-w", "-S", *flags, str(source), "-o", path], check=True, stderr=subprocess.DEVNULL)
        with open(path, encoding="utf-8") as file:
            return file.readlines()


def graph_of(cfg):
    return Graph([[1]] + [[s + 1 for s in b.successors] for b in cfg.blocks], [n + 1 for n, b in enumerate(cfg.blocks) if b.leaves])


def cfgs(file):
    return {f.name: Program([file]).cfg(f, Flow) for f in file.functions}


def branches(file):
    return sum(i.op in BRANCHES for f in file.functions for i in f.instructions)


class Claims(unittest.TestCase):
    """On the workloads, and on programs of the generator that makes jumps of all kinds."""

    def check(self, lines, name):
        before, original = cfgs(File(lines, name)), File(lines, name)
        unchanged, had = original.text(), branches(original)
        kept = {i.op for f in original.functions for i in f.instructions} & {"sw", "lw", "mul", "fadd.s", "call"}
        for options in (Options(0), Options(1), Options(2), Options(3), Options(0, all_branches=True), Options(3, all_branches=True),
                        Options(3, all_branches=True, merge_loops=True)):
            file = File(lines, name)
            notes = linearize(file, Program([file]), options)
            left = {note.split("'")[1] for note in notes}
            text = file.text()
            if left == set(before):
                self.assertEqual(text, unchanged)
                continue
            after = cfgs(file.again())
            for function, cfg in after.items():
                if function in left:
                    continue
                self.assertEqual(graph_of(cfg).core(), {}, (name, function, vars(options)))  # claim 1
                self.checked += bool(graph_of(before[function]).core())
            blocks = sum(cfg.count for cfg in before.values())
            self.assertLessEqual(branches(file.again()) - had, 2 * blocks, (name, vars(options)))  # claim 3
            for instruction in kept:
                self.assertEqual(text.count(f"\t{instruction}\t"), "".join(lines).count(f"\t{instruction}\t"), (name, instruction))  # no copy

    def setUp(self):
        self.checked = 0  # functions that were not structured before

    def test_workloads(self):
        for source in sorted(glob.glob(str(ROOT / "sim" / "workloads" / "kernels" / "*.cu"))):
            try:
                self.check(assembly(source), source)
            except NoRegister:
                self.check(assembly(source, "-ffixed-t5", "-ffixed-t6"), source)
        self.assertGreater(self.checked, 30)

    def test_random_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in (2, 3, 5, 8, 13):
                source = os.path.join(folder, f"{seed}.c")
                with open(source, "w", encoding="utf-8") as file:
                    subprocess.run([sys.executable, str(ROOT / "tests" / "random" / "generate.py"), str(seed)], stdout=file, check=True)
                self.check(assembly(source, "-I", str(ROOT / "tests" / "random"), "-ffixed-t5", "-ffixed-t6"), source)
        self.assertGreater(self.checked, 30)


def code_of(graph):
    """A function with the graph's nodes as blocks: node n adds n, and branches by a bit of its own."""
    lines = ["\t.text\n", "\t.type\tf, @function\n", "f:\n"]
    for n, successors in enumerate(graph.successors):
        lines += [f".L{n}:\n", f"\taddi\ta0,a0,{n}\n"]
        if len(successors) == 2:
            lines += [f"\tsrli\ta1,a0,{n % 3}\n", "\tandi\ta1,a1,1\n", f"\tbne\ta1,zero,.L{successors[0]}\n", f"\tj\t.L{successors[1]}\n"]
        elif successors:
            lines.append(f"\tj\t.L{successors[0]}\n")
        else:
            lines.append("\tret\n")
    return lines + ["\t.size\tf, .-f\n"]


CONDITIONS = {"bne": lambda a, b: a != b, "beq": lambda a, b: a == b, "ble": lambda a, b: a <= b, "blt": lambda a, b: a < b,
              "bge": lambda a, b: a >= b, "bgt": lambda a, b: a > b}
VALUES = {"andi": lambda a, b: a & b, "xori": lambda a, b: a ^ b, "xor": lambda a, b: a ^ b, "neg": lambda a: -a,
          "seqz": lambda a: a == 0, "snez": lambda a: a != 0}


def executed(file, steps):
    """The values of a0 behind each addi of it, as an interpreter of these few instructions finds them."""
    code = [s for s in file.functions[0].statements if isinstance(s, (Instruction, Label))]
    at = {s.name: n for n, s in enumerate(code) if isinstance(s, Label)}
    registers, trace, n = {"zero": 0, "a0": 1}, [], 0
    while len(trace) < steps:
        s = code[n]
        n += 1
        if isinstance(s, Label):
            continue
        o = s.operands
        if s.op == "ret":
            break
        if s.op == "li":
            registers[o[0]] = int(o[1])
        elif s.op == "addi":
            registers[o[0]] = registers[o[1]] + int(o[2])
            if o[0] == "a0":
                trace.append(registers["a0"])
        elif s.op == "srli":
            registers[o[0]] = registers[o[1]] >> int(o[2])
        elif s.op in VALUES:
            registers[o[0]] = VALUES[s.op](*(int(v) if v.lstrip("-").isdigit() else registers[v] for v in o[1:]))
        elif s.op == "j" or CONDITIONS[s.op](*(registers[r] for r in o[:2])):
            n = at[o[-1]]
    return trace


class Interleaving(unittest.TestCase):
    """The paper's Figure 2(a): B2 loads what B3 and B4 use."""
    ARMS = """\t.text
\t.type\tf, @function
f:
\tbeq\ta0,zero,.L5
\tlw\ta4,0(a1)
\tbeq\ta2,zero,.L4
\taddi\ta0,a4,3
\tj\t.L8
.L4:
\taddi\ta0,a4,4
\tj\t.L8
.L5:
\tbeq\ta3,zero,.L7
\tlw\ta5,0(a1)
\tlw\ta4,4(a1)
\tadd\ta0,a5,a4
\tsw\ta0,8(a1)
\tj\t.L8
.L7:
\taddi\ta0,a0,7
.L8:
\tret
\t.size\tf, .-f
""".splitlines(keepends=True)

    def setUp(self):
        self.file = File(self.ARMS, "arms")
        self.program = Program([self.file])

    def test_blocks_of_the_other_arm_come_between_a_load_and_its_use(self):
        cfg = self.program.cfg(self.file.functions[0], Flow)
        ((branch, one, other),) = interleave.two_armed(cfg, self.program)
        self.assertEqual((branch, one, other), (0, {4, 5, 6}, {1, 2, 3}))  # B5 to B7, B2 to B4
        order = interleave.order([1, 2, 3, 4, 5, 6], [b.successors for b in cfg.blocks], lambda n: cfg.blocks[n], one)
        self.assertEqual(order, [1, 4, 2, 3, 5, 6])  # B2, B5, B3, ...

    def test_a_block_that_loads_and_uses_is_two(self):
        interleave.split_loads(self.file, self.program, lambda function: True)
        file = self.file.again()
        text = file.text()
        loads = re.findall(r"lw\t(\w+),", text)
        self.assertEqual(loads[0], "a4")            # used in another block
        self.assertNotIn(loads[1], ("a0", "a1", "a2", "a3", "a4", "a5"))
        self.assertNotIn(loads[2], ("a0", "a1", "a2", "a3", "a4", "a5", loads[1]))
        self.assertIn(f"\tlw\t{loads[2]},4(a1)\n.Lheddle_split0_1:\n\tadd\ta0,{loads[1]},{loads[2]}\n\tsw\ta0,8(a1)", text)
        self.assertEqual(text.count("split"), 1)

    def test_what_is_left_alone(self):
        for old, new in (("addi\ta0,a0,7", "call\tg"), ("lw\t", "sw\t"), ("\tlw\ta5,0(a1)", "\tlw\ta5,0(sp)")):
            text = "".join(self.ARMS).replace(old, new)
            file = File(text.splitlines(keepends=True), "arms")
            interleave.split_loads(file, Program([file]), lambda function: True)
            self.assertEqual(file.text().count("split"), 1 if "(sp)" in new else 0)


class SourceFiles(unittest.TestCase):
    def test_a_block_that_moves_in_front_of_a_header_s_first_line_assembles(self):
        source = """#include <heddle/kernel.h>
__global__ void k(unsigned* p) {
  unsigned a = p[0], b = p[1];
  if (a & 1) goto second;
  if (b & 2) goto third;
first:
  atomicAdd(p + 2, a);
  goto last;
second:
  atomicOr(p + 3, b);
  if (p[4] & 4) goto first;
third:
  p[5] = b;
last:
  p[6] = 1;
}
"""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "k.c")
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)
            for level in ("-O0", "-O1"):
                for form in ("1", "2", "3"):
                    subprocess.run([HEDDLE_CC, level, f"--linearize={form}", path, "-o", os.path.join(folder, "k.elf")], check=True)


class RandomGraphs(unittest.TestCase):
    def check(self, graph, name):
        lines = code_of(graph)
        expected = executed(File(lines, name), 200)
        for options in (Options(0), Options(1), Options(2), Options(3), Options(0, all_branches=True), Options(3, all_branches=True),
                        Options(3, all_branches=True, merge_loops=True)):
            file = File(lines, name)
            self.assertEqual(linearize(file, Program([file]), options), [])
            file = file.again()
            self.assertEqual(graph_of(cfgs(file)["f"]).core(), {}, (name, vars(options)))
            self.assertEqual(executed(file, 200), expected, (name, vars(options)))

    def test_structured_and_the_same(self):
        for seed in range(400):
            graph = random_graph(seed)
            if graph.count - 1 in graph.reachable:
                self.check(graph, seed)

    def test_what_definition_1_overlooks_beside_what_it_sees(self):
        self.check(Graph([[1], [3, 2], [3, 5], [4, 5], [6], [6], [7], [8], [9, 10], [8, 11], [9, 8], []], [11]), "both")

    def test_ways_back_that_cross(self):
        self.check(Graph([[1], [2], [3], [1, 4], [2, 5], []], [5]), "cross")


def deepest(graph, seed, threads=8, steps=400):
    """The most entries of a single-path stack whose threads go anywhere: docs/frontend.md, spe_stack."""
    random_ = random.Random(seed)
    stack, most = [(0, set(range(threads)), None)], 1  # (node, threads, where they meet)
    for _ in range(steps):
        if not stack:
            break
        node, mask, place = stack.pop()
        if node == place or not graph.successors[node]:
            continue
        ways = [random_.choice(graph.successors[node]) for _ in range(threads)]
        sides = {s: {t for t in mask if ways[t] == s} for s in graph.successors[node]}
        sides = [(s, m) for s, m in sides.items() if m]
        if len(sides) == 1:
            stack.append((sides[0][0], mask, place))
        else:
            meeting = graph.ipdom[node]
            if meeting != place or meeting is None:
                stack.append((meeting, mask, place) if meeting is not None else (graph.count, set(), place))
            random_.shuffle(sides)
            stack += [(s, m, meeting) for s, m in sides if s != meeting]
            most = max(most, len(stack))
        while stack and stack[-1][0] == graph.count:
            stack.pop()
    return most


class StackDepth(unittest.TestCase):
    def test_of_shapes(self):
        for depth, graph in ((1, [[1], []]), (2, [[1, 2], [2], []]), (3, [[1, 2], [3], [3], []]),
                             (7, [[1, 2], [3, 4], [9], [5, 6], [8], [7], [7], [8], [9], []]),  # the paper's Figure 3
                             (2, [[1], [1, 2], []]), (4, [[1, 2], [5], [3, 4], [5], [5], []]),  # a loop; sides that meet at one place
                             (UNBOUNDED, [[1], [2, 3], [1], [4], []]), (UNBOUNDED, [[1], [2, 3], [1, 4], [4], []])):
            graph = Graph(graph, [len(graph) - 1])
            if depth == UNBOUNDED and graph.ipdom[1] == 3:  # the side that leaves is where the others come to
                depth = 2
            self.assertEqual(max(Depths(graph).at), depth, graph.successors)

    def test_no_run_is_deeper(self):
        reached = 0
        for seed in range(300):
            graph = random_graph(seed)
            if graph.count - 1 in graph.reachable:
                bound = max(Depths(graph).at[n] for n in graph.reachable)
                most = max(deepest(graph, draw) for draw in range(20))
                self.assertLessEqual(most, bound, (seed, graph.successors))
                reached += most == bound
        self.assertGreater(reached, 50)

    def test_made_to_fit(self):
        changed = 0
        for seed in range(120):
            graph = random_graph(seed)
            if graph.count - 1 not in graph.reachable or not graph.reachable <= graph.alive:  # what never ends is no region
                continue
            lines = code_of(graph)
            for most in (3, 5):
                file = File(lines, seed)
                self.assertEqual(limit_depth(file, Program([file]), most), [])
                changed += file.text() != "".join(lines)
                file = file.again()
                self.assertLessEqual(max(Depths(graph_of(cfgs(file)["f"])).at), most, seed)
                self.assertEqual(executed(file, 200), executed(File(lines, seed), 200), (seed, most))
        self.assertGreater(changed, 25)

    def test_no_more_than_needed(self):
        lines = code_of(Graph([[1, 2], [3, 4], [9], [5, 6], [8], [7], [7], [8], [9], []], [9]))
        sizes = []
        for most in (7, 6, 5, 4, 3, 2):
            file = File(lines, most)
            limit_depth(file, Program([file]), most)
            sizes.append(len(file.again().functions[0].instructions))
        self.assertEqual(sizes[0], len(File(lines, 0).functions[0].instructions))
        self.assertEqual(sizes, sorted(sizes))

    def program(self, *functions):
        """Functions of one branch and a call each: the name of the callee."""
        lines = []
        for name, callee in functions:
            lines += ["\t.text\n", f"\t.type\t{name}, @function\n", f"{name}:\n", "\tbeq\ta0,zero,.L%s\n" % name, f"\tcall\t{callee}\n" if callee else "\tnop\n",
                      f".L{name}:\n", "\tret\n", f"\t.size\t{name}, .-{name}\n"]
        return File(lines, "x.s")

    def test_calls(self):
        file = self.program(("f", "g"), ("g", "h"), ("h", None))
        self.assertEqual(limit_depth(file, Program([file]), 4), [])
        for functions, most, why in (((("f", "g"), ("g", "h"), ("h", None)), 3, "needs a depth of 4"),
                                     ((("f", "g"), ("g", "f")), 60, "calls itself"), ((("f", "memcpy"),), 60, "calls 'memcpy'")):
            file = self.program(*functions)
            with self.assertRaisesRegex(Refused, f"x.s: function '[fgh]' {why}.*: no stack depth of {most}"):
                limit_depth(file, Program([file]), most)


class BadInput(unittest.TestCase):
    def refused(self, *flags, source="__global__ void k(int* a) { a[0] = 1; }"):
        with tempfile.TemporaryDirectory() as folder:
            text, source, output = source, os.path.join(folder, "k.cu"), os.path.join(folder, "k.elf")
            with open(source, "w", encoding="utf-8") as file:
                file.write(f"#include <heddle/kernel.h>\n{text}\n")
            done = subprocess.run([HEDDLE_CC, *flags, source, "-o", output], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertFalse(os.path.exists(output))
            return done.stderr

    def test_what_nobody_knows(self):
        self.assertIn("--linearize takes 0, 1, 2, 3, all-branches", self.refused("--linearize=4"))
        self.assertIn("'branches'", self.refused("--linearize=3,branches"))

    def test_a_depth_that_is_none(self):
        for depth in ("1", "0", "-3", "two", "1000"):
            self.assertIn(f"not '{depth}'", self.refused("--max-stack-depth", depth))

    def test_a_function_that_is_not_there(self):
        self.assertIn("no source has a function 'kernel'", self.refused("--linearize=function:kernel"))

    def test_a_function_that_cannot_be(self):
        """Named it is refused; else it is left alone, with a note."""
        goto = "__global__ void k(int* a) {\n  static const void* const to[] = {&&l, &&m};\n  goto *to[a[1]];\n  l: if (a[2]) goto n;\n  a[3] = 7;\n  m: a[4] = 5;\n  n: a[0] = 1; }"
        self.assertRegex(self.refused("--linearize=function:k", source=goto), r"k.cu:4: function '_Z1kPi' has a region around a jump through a register there \(a switch by table, a computed goto\): not linearized")
        self.assertRegex(self.refused("-fjump-tables", "--linearize=all-branches,function:k",
                                      source="__global__ void k(int* a) { switch (a[1]) { case 0: a[2] = 1; case 1: a[3] = 5; case 2: a[4] = 6; case 3: a[5] = 7; case 4: a[6] = 8; } }"),
                         "k.cu:2: function '_Z1kPi' has a region around a jump through a register there")

    def test_a_depth_that_no_linearization_reaches(self):
        self.assertRegex(self.refused("--max-stack-depth=9", source="__global__ void k(int* a) { if (a[1]) k(a + 1); a[0] = 1; }"),
                         "function '_Z1kPi' calls itself: how deep the stack gets depends on the input: no stack depth of 9")


if __name__ == "__main__":
    unittest.main()
