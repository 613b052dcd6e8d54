#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/reconvergence notices threads that meet elsewhere, and threads that go elsewhere; the rules agree where they must.
Environment: HEDDLE, the program."""

import argparse
import os
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "scripts"))
from load_script import load_script  # noqa: E402

script = load_script(os.path.join(ROOT, "scripts", "reconvergence"))
generator = script.generator
SPE = script.CONFIGS[0]


def leaves(statements):
    """A statement is left by break, continue or return."""
    return any(s[0] in ("break", "continue", "return") or (s[0] == "if" and (leaves(s[2]) or leaves(s[3]))) or (s[0] == "switch" and any(map(leaves, s[2])))
               or (s[0] == "loop" and leaves(s[1])) for s in statements)


class Rules(unittest.TestCase):
    def test_post_dominators(self):
        f = generator.Function("run")
        f.blocks = [generator.Block(n) for n in range(1, 6)]
        for block, kind, targets in zip(f.blocks, ("branch", "branch", "jump", "turn", "return"), ([2, 4], [3, 5], [4], [1, 5], [])):
            block.kind, block.targets = kind, targets
        self.assertEqual(generator.post_dominators(f), {1: 5, 2: 5, 3: 4, 4: 5, 5: generator.END})

    def test_regions(self):
        """Of a loop whose body is entered at two places, the loop; of a branch inside with one way in, its own."""
        f = generator.Function("run")
        f.blocks = [generator.Block(n) for n in range(1, 8)]
        for block, kind, targets in zip(f.blocks, ("branch", "branch", "jump", "jump", "turn", "jump", "return"), ([2, 3], [3, 4], [4], [5], [2, 6], [7], [])):
            block.kind, block.targets = kind, targets
        self.assertEqual(generator.post_dominators(f)[2], 4)
        regions = {(r.entry, r.exit, tuple(sorted(r.blocks))) for r in generator.smallest_regions(f)}
        self.assertEqual(regions, {(1, 6, (1, 2, 3, 4, 5))})
        f.blocks[0].targets = [2, 6]
        regions = {(r.entry, r.exit, tuple(sorted(r.blocks))) for r in generator.smallest_regions(f)}
        self.assertEqual(regions, {(1, 6, (1, 2, 3, 4, 5)), (2, 4, (2, 3)), (2, 6, (2, 3, 4, 5))})

    def test_where_regions_are_no_post_dominators(self):
        """Where no statement is left early they are one; in some other programs they are not, and then threads are apart longer."""
        differ = 0
        for seed in range(1, 150):
            program = generator.Program(seed)
            first, regions = (program.expected(script.THREADS, script.WARP, rule) for rule in (generator.run_graph, generator.run_regions))
            if program.structured and not any(leaves(f.tree) for f in program.functions):
                self.assertEqual(first, regions, seed)
            self.assertTrue(all(set(b) <= set(a) for x, y in zip(first, regions) for (_, a), (_, b) in zip(x, y)), seed)
            differ += first != regions
        self.assertGreater(differ, 2)

    def test_post_dominators_are_ends_of_statements_where_no_statement_is_left(self):
        same = differ = 0
        for seed in range(1, 400):
            program = generator.Program(seed)
            if not program.structured:
                continue
            equal = program.expected(script.THREADS, script.WARP) == program.expected(script.THREADS, script.WARP, generator.run_tree)
            if not any(leaves(f.tree) for f in program.functions):
                self.assertTrue(equal, seed)
                same += 1
            differ += not equal
        self.assertGreater(same, 10)
        self.assertGreater(differ, 30)

    def test_programs_have_all_there_is(self):
        kinds, trees = set(), 0
        for seed in range(1, 60):
            program = generator.Program(seed)
            trees += program.structured
            kinds |= {b.kind for f in program.functions for b in f.blocks}
        self.assertEqual(kinds, {"jump", "branch", "turn", "table", "call", "return"})
        self.assertTrue(20 < trees < 50)


class Runs(unittest.TestCase):
    def case(self, seed, folder):
        return script.Case(seed, argparse.Namespace(rv64=False, heddle=os.environ["HEDDLE"]), folder)

    def test_threads_that_meet_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            case = self.case(3, folder)
            self.assertEqual(case.run(SPE)[1:3], (0, 0))
            t = next(t for t, trace in enumerate(case.expected) if any(len(lanes) > 2 for _, lanes in trace))
            k = next(k for k, (_, lanes) in enumerate(case.expected[t]) if len(lanes) > 2)
            n, lanes = case.expected[t][k]
            for wrong, counts in ((lanes + (31 if 31 not in lanes else -1,), (1, 0)), (lanes[1:], (0, 1))):
                case.expected[t][k] = (n, tuple(sorted(wrong)))
                self.assertEqual(case.run(SPE)[1:3], counts)

    def test_threads_that_go_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            case = self.case(3, folder)
            case.expected[5][1] = (999, case.expected[5][1][1])
            with self.assertRaisesRegex(script.Broken, "^thread 5 goes "):
                case.run(SPE)

    def test_regions_that_are_others(self):
        """Of a program in which the smallest regions are no post-dominators: what keeps the first rule or has larger regions does not keep theirs."""
        configs = {c.name: c for c in script.CONFIGS}
        with tempfile.TemporaryDirectory() as folder:
            case = self.case(71, folder)
            counts = case.run(configs["forkjoin, innermost"])
            self.assertEqual(counts[2:4], (0, 0))
            self.assertGreater(counts[1], 0)
            self.assertGreater(case.run(SPE)[3], 0)
        with tempfile.TemporaryDirectory() as folder:
            self.assertGreater(self.case(91, folder).run(configs["forkjoin, outermost"])[3], 0)
        wrong = script.Config("spe", script.REGIONS, ["mechanism=spe"])
        failures = script.run_seed(71, argparse.Namespace(rv64=False, heddle=os.environ["HEDDLE"], keep=None, configs=[wrong])).failures
        self.assertRegex(failures[0], "^spe: [0-9]+ visits with other threads than regions with one entry want, of [0-9]+$")


if __name__ == "__main__":
    unittest.main()
