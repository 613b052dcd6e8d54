#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/release/two_arms is tested itself: what it counts, which flags it tells apart, and how it fails."""

import os
import subprocess
import sys
import tempfile
import unittest

HEDDLE = os.environ["HEDDLE"]
HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.join(HERE, "..", "..", "scripts")
SCRIPT = os.path.join(SCRIPTS, "release", "two_arms")

sys.dont_write_bytecode = True
sys.path.insert(0, SCRIPTS)
from load_script import load_script  # noqa: E402

script = load_script(SCRIPT)

SHAPES = {  # body -> (branches, two-armed ones)
    "if (a[0] > n) a[1] = n / 3;": (1, 0),
    "if (a[0] > n) a[1] = n / 3; else a[2] = n * n;": (1, 1),
    "if (a[0] > n) a[1] = n / 3; else if (a[1] > n) a[2] = n * n; else a[3] = n % 5;": (2, 2),
    "if (a[0] > n && a[1] > n) a[2] = n / 3;": (2, 0),
    "while (a[n] > 7) n = n * n;": (2, 0),
    "for (;;) { n = a[n]; if (n > 7) { a[1] = n / 3; break; } if (n < -7) { a[2] = n * 5; break; } a[4] = n * n; } a[3] = n;": (3, 1),
}


class TwoArms(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name

    def source(self, body, name="k.c"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write("void k(volatile int* a, int n) { " + body + " }\n")
        return path

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, "--heddle", HEDDLE, "--jobs", "1", *arguments], capture_output=True, text=True, check=False)

    def test_branches_are_counted_by_their_arms(self):
        bench = script.Bench(HEDDLE, [])
        for body, expected in SHAPES.items():
            counts = bench.measure(self.source(body), [])
            self.assertEqual((counts.branches, counts.two_arms), expected, body)

    def test_a_jump_alone_is_no_work(self):
        blocks = {b["begin"]: b for b in (
            {"begin": "0x10", "end": "0x14", "terminator": "jump", "successors": ["0x20"]},
            {"begin": "0x14", "end": "0x18", "terminator": "fall_through", "successors": ["0x20"]})}
        self.assertEqual(script.work_before("0x10", "0x20", blocks), 0)
        self.assertEqual(script.work_before("0x14", "0x20", blocks), 1)
        self.assertEqual(script.work_before("0x20", "0x20", blocks), 0)

    def test_threaded_jumps_make_arms_of_the_suffix_tree(self):
        bench, source = script.Bench(HEDDLE, []), os.path.join(HERE, "kernels", "suffix_tree.cu")
        self.assertGreater(bench.measure(source, ["-fgcse"]).two_arms, bench.measure(source, []).two_arms)

    def test_the_table_shows_what_a_flag_changes(self):
        ran = self.run_script(self.source("if (a[0] > n) a[1] = n / 3; else a[2] = n * n;"), "--flag=-O0", "--flag=-fno-tree-dce")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        lines = ran.stdout.split("\n")
        self.assertIn("| default | 1 of 1 |", lines[2])
        self.assertTrue(any(line.startswith("| `-O0` | 1 of 1 |") for line in lines))

    def test_failures_are_named(self):
        ran = self.run_script(self.source("nothing;"), "--flag=-O0")
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr, r"^scripts/release/two_arms: .*k\.c with the default flags: heddle-cc: .*compilation failed\n$")
        ran = self.run_script(self.source(""), "--flag=-fno-such-pass")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("with -fno-such-pass", ran.stderr)

    def test_wrong_usage_is_status_two(self):
        for arguments in (["/no/such.c"], ["--random", "-1"], ["--heddle", "/no/such"], ["--jobs", "0"]):
            self.assertEqual(self.run_script(*arguments).returncode, 2, arguments)


if __name__ == "__main__":
    unittest.main()
