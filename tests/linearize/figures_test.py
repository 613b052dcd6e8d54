#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The linearization paper's worked examples on the machine: how often a warp executes a block, before and after, and how deep its
stack is. Environment: HEDDLE, HEDDLE_CC."""

import functools
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
HEDDLE, HEDDLE_CC = os.environ["HEDDLE"], os.environ["HEDDLE_CC"]
SCRATCH = tempfile.TemporaryDirectory()
MORE = 64  # instructions by which -DTWICE makes a block longer
LEVELS = ("0", "1", "2", "3", "all-branches,0", "all-branches,3")
MECHANISMS = ("spe", "dpe", "dwf", "forkjoin")


def words(data):
    return list(struct.unpack(f"<{len(data) // 4}i", data))


@functools.lru_cache(None)
def compiled(how, block, twice):
    path = os.path.join(SCRATCH.name, f"{how}.{block}.{twice}.elf")
    flags = [f"--linearize={how}"] * bool(how) + ["-DTWICE"] * twice
    subprocess.run([HEDDLE_CC, *flags, f"-DBLOCK={block}", str(HERE / "figures.cu"), "-o", path], check=True)
    return path


def run(kernel, arrays, out, how="", block=0, twice=False, mechanism="spe", threads=4, numbers=(), settings=()):
    """The output's words and the statistics."""
    arguments = []
    for n, array in enumerate(arrays):
        path = os.path.join(SCRATCH.name, f"in{n}")
        with open(path, "wb") as file:
            file.write(struct.pack(f"<{len(array)}i", *array))
        arguments += ["--arg", f"in:{path}"]
    arguments += [a for number in numbers for a in ("--arg", f"i32:{number}")]
    result, report = os.path.join(SCRATCH.name, "out"), os.path.join(SCRATCH.name, "json")
    subprocess.run([HEDDLE, "run", compiled(how, block, twice), "--kernel", kernel, "--mechanism", mechanism, "--block", str(threads), *arguments,
                    "--arg", f"out:{result}:{out}", "--set", "core.predicate=0", "--set", "run.watchdog=10000",
                    *[a for s in settings for a in ("--set", s)], "--json", report, "--quiet"], check=True)
    with open(result, "rb") as file, open(report, encoding="utf-8") as statistics:
        return words(file.read())[:threads], json.load(statistics)["stats"]


def executions(block, *arguments, **more):
    """Of a block by the warp."""
    long, short = (run(*arguments, block=block, twice=twice, **more)[1]["warp_instructions"] for twice in (True, False))
    assert (long - short) % MORE == 0
    return (long - short) // MORE


class Figure1And4(unittest.TestCase):
    # T1 and T2 go to B3, one of them on to B5; T3 by B2 and B3 to B5, T4 by B2.
    C1, C2, C3 = [1, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0]

    def counts(self, how, mechanism="spe"):
        return [executions(b, "short_circuit", [self.C1, self.C2, self.C3], 16, how=how, mechanism=mechanism) for b in (2, 3, 4, 5, 6)]

    def test_blocks_behind_a_short_circuit_are_executed_once(self):
        self.assertEqual(self.counts(""), [1, 2, 1, 3, 1])
        for how in ("0", "3", "all-branches,3"):
            self.assertEqual(self.counts(how), [1] * 5, how)

    def test_on_two_paths_too(self):
        self.assertEqual(self.counts("3", "dpe"), [1] * 5)

    def test_no_side_has_anything_beside_it(self):
        """Each guard has an empty side: nothing for a second path to do."""
        def path(how):
            return run("short_circuit", [self.C1, self.C2, self.C3], 16, how=how, block=5, mechanism="dpe")[1]["avg_path"]
        self.assertGreater(path(""), 1)
        self.assertEqual(path("0"), 1)


class Figure2And8(unittest.TestCase):
    TRIPS = [10, 15, 15, 10]  # of T1, then of T2

    def test_merged_loops_take_25_turns_in_place_of_30(self):
        def turns(how):
            return executions(2, "loops", [self.TRIPS], 8, how=how, threads=2)
        self.assertEqual(turns(""), 30)
        self.assertEqual(turns("all-branches,0"), 30)
        for level in "03":
            self.assertEqual(turns(f"all-branches,merge-loops,{level}"), 25, level)

    def test_the_result_is_the_same(self):
        expected = []
        for t in range(2):
            r = 1
            for i in range(2):
                r ^= i
                for j in range(self.TRIPS[2 * t + i]):
                    r = (r * 3 + j) & 0xFFFFFFFF
                r += 7
            expected.append(r & 0xFFFFFFFF)
        for how in ("", "all-branches,merge-loops,0", "all-branches,merge-loops,3"):
            self.assertEqual([w & 0xFFFFFFFF for w in run("loops", [self.TRIPS], 8, how=how, threads=2)[0]], expected, how)


class Figure3(unittest.TestCase):
    WAYS = [3, 2, 1, 0]  # one thread less goes on at each branch

    def depth(self, how):
        # The side that falls through, the `then` of the source, runs first.
        return run("nested", [self.WAYS], 80, how=how, block=6, settings=["stack.order=fallthrough_first"])[1]["max_stack_depth"]

    def test_the_stack_does_not_grow_with_the_nesting(self):
        self.assertEqual(self.depth(""), 7)
        self.assertEqual(self.depth("all-branches,0"), 2)  # who skips a block is where the guard ends already

    def test_every_block_once(self):
        self.assertEqual([executions(b, "nested", [self.WAYS], 80, how="all-branches,0") for b in range(2, 11)], [1] * 9)


class Interleaving(unittest.TestCase):
    THREADS = 32
    X, Y = ([(t * step) % 97 for t in range(32 * 64)] for step in (7, 11))

    def expected(self):
        values = []
        for t in range(self.THREADS):
            table = self.X if t % 2 else self.Y
            r = table[t * 64] * 3 + 1 if t % 2 else table[t * 64] - 7
            second = table[t * 64 + 32 + (r & 1)]
            values.append(r + second * 5 if t % 2 else r - second * 9)
        return values

    def cycles(self, how, latency, mechanism="spe"):
        result, statistics = run("arms_that_load", [self.X, self.Y], 4 * self.THREADS, how=how, threads=self.THREADS, numbers=[0], mechanism=mechanism,
                                 settings=[f"memory.latency={latency}"])
        self.assertEqual(result, self.expected(), how)
        return statistics["cycles"]

    def latencies_waited_for(self, how, mechanism="spe"):
        return (self.cycles(how, 1400, mechanism) - self.cycles(how, 400, mechanism)) / 1000

    def test_each_arm_waits_for_what_it_loads_while_the_other_does(self):
        """Two loads one behind the other in each arm: four latencies if the arms take no turns, else two."""
        self.assertEqual(self.latencies_waited_for(""), 4)
        self.assertEqual(self.latencies_waited_for("interleave"), 2)
        self.assertEqual(self.latencies_waited_for("", "dpe"), 2)

    def test_right_on_all_mechanisms(self):
        for mechanism in MECHANISMS:
            self.cycles("interleave", 200, mechanism)


class Figures5And6(unittest.TestCase):
    def test_a_jump_out_of_a_loop(self):
        # One thread leaves the loop in its first turn, one in its third, one never.
        arguments = ("out_of_a_loop", [[0, 2, 9]], 12)
        expected = []
        for c in (0, 2, 9):
            r = 0
            for i in range(4):
                r += i
                if c == i:
                    break
                r *= 3
            else:
                r += 1000
            expected.append(r + 1)
        for how in ("",) + LEVELS:
            for mechanism in MECHANISMS:
                self.assertEqual(run(*arguments, how=how, threads=3, numbers=[4], mechanism=mechanism)[0], expected, (how, mechanism))
        self.assertEqual([executions(6, *arguments, how=how, threads=3, numbers=[4]) for how in ("", "3")], [1, 1])

    def test_a_jump_into_a_loop(self):
        arguments = ("into_a_loop", [[0, 1, 0, 1]], 16)
        expected = []
        for c in (0, 1, 0, 1):
            r, i, inside = (0, 0, True) if c == 1 else (50, 0, False)
            while inside or i < 3:
                if not inside:
                    r = (r * 3 + 1) & 0xFFFFFFFF
                r ^= i + 9
                i, inside = i + 1, False
            expected.append(r)
        for how in ("",) + LEVELS:
            for mechanism in MECHANISMS:
                self.assertEqual(run(*arguments, how=how, numbers=[3], mechanism=mechanism)[0], expected, (how, mechanism))


if __name__ == "__main__":
    unittest.main()
