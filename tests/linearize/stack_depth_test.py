#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""heddle-cc --max-stack-depth on the machine: workloads that need a deep stack run with a shallow one. Environment: HEDDLE, HEDDLE_CC."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HEDDLE, HEDDLE_CC = os.environ["HEDDLE"], os.environ["HEDDLE_CC"]
KERNELS = pathlib.Path(__file__).resolve().parents[2] / "sim" / "workloads" / "kernels"
FLAGS = {"mcx": ["-ffp-contract=off"], "ray": ["-ffp-contract=off"]}


class StackDepth(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def compile(self, name, *options):
        return subprocess.run([HEDDLE_CC, *options, *FLAGS.get(name, []), str(KERNELS / f"{name}.cu"), "-o", str(self.folder / f"{name}.elf")],
                              capture_output=True, text=True, check=False)

    def run_at(self, name, depth, mechanism="spe"):
        """Exit status, message and document of a run with a stack of that depth."""
        report = self.folder / "report.json"
        done = subprocess.run([HEDDLE, "run", name, "--size", "small", "--mechanism", mechanism, "--set", f"stack.depth={depth}", "--json", str(report), "--quiet"],
                              env=os.environ | {"HEDDLE_KERNELS": str(self.folder)}, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr, json.loads(report.read_text())

    def test_three_entries_do(self):
        for name in ("qsort", "mcx", "mum", "nqueen"):
            with self.subTest(name):
                self.assertEqual(self.compile(name).returncode, 0)
                status, message, _ = self.run_at(name, 3)
                self.assertNotEqual(status, 0)
                self.assertIn("overflow", message)
                self.assertEqual(self.compile(name, "--max-stack-depth", "3").returncode, 0)
                for mechanism in ("spe", "dpe"):
                    status, message, document = self.run_at(name, 3, mechanism)
                    self.assertEqual((status, document["result"], message), (0, "pass", ""))
                    self.assertLessEqual(document["stats"]["max_stack_depth"], 3)

    def test_calls_need_more(self):
        self.assertEqual(self.compile("ray", "--max-stack-depth", "5").returncode, 0)
        status, _, document = self.run_at("ray", 5)
        self.assertEqual((status, document["result"]), (0, "pass"))
        done = self.compile("ray", "--max-stack-depth", "4")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        self.assertRegex(done.stderr, "function 'ray' needs a depth of 5 with all branches linearized: no stack depth of 4")

    def test_barriers_are_met_by_all(self):
        """Loops with barriers are not merged."""
        for name, depth in (("lud", 4), ("lu", 4), ("hotspot", 3)):
            self.assertEqual(self.compile(name, "--max-stack-depth", str(depth)).returncode, 0)
            status, message, _ = self.run_at(name, depth)
            self.assertEqual((status, message), (0, ""))


if __name__ == "__main__":
    unittest.main()
