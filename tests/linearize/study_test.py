#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels linearized while a command runs: heddle run and compare --linearize, heddle linearize-study. Environment: HEDDLE."""

import glob
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HEDDLE = os.environ["HEDDLE"]


def heddle(*arguments, program=HEDDLE, **environment):
    done = subprocess.run([program, *arguments], env=os.environ | environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


class Study(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.status, cls.text, cls.errors = heddle("linearize-study", "mum", "--runs", "2", "--json", str(cls.folder / "study.json"), TMPDIR=str(cls.folder))
        cls.study = json.loads((cls.folder / "study.json").read_text())

    def test_figures_are_those_of_runs(self):
        self.assertEqual((self.status, self.errors), (0, ""))
        (mum,) = self.study["workloads"]
        self.assertEqual([c["form"] for c in mum["code"]], ["", "0", "1", "2", "3"])
        self.assertEqual([bool(c["unstructured"]) for c in mum["code"]], [True, False, False, False, False])
        runs = {(r["mechanism"], r["form"]): r for r in mum["runs"]}
        self.assertEqual(len(runs), 15)
        latency = self.study["memory_latencies"][1]
        for form in ("", "3"):
            report = str(self.folder / "run.json")
            linearize = ["--linearize", form] if form else []
            status, _, _ = heddle("run", "mum", "--size", "small", "--mechanism", "dpe", "--set", f"memory.latency={latency}", *linearize, "--json", report, "--quiet")
            self.assertEqual(status, 0)
            document = json.loads(pathlib.Path(report).read_text())
            self.assertEqual(document.get("linearize", ""), form)
            self.assertEqual(document["stats"]["cycles"], runs["dpe", form]["cycles"][1])
            self.assertEqual(document["stats"]["warp_instructions"], runs["dpe", form]["warp_instructions"])

    def test_mum_loads_less(self):
        """What the paper says of it: fewer global loads, and it is faster; and it names Definition 1's claims. Not the paper's fewer instructions."""
        (mum,) = self.study["workloads"]
        plain, linear = (next(r for r in mum["runs"] if (r["mechanism"], r["form"]) == ("spe", form)) for form in ("", "3"))
        self.assertLess(linear["warp_instructions"], 1.05 * plain["warp_instructions"])
        self.assertLess(linear["global_loads"], 0.8 * plain["global_loads"])
        self.assertLess(linear["cycles"][0], plain["cycles"][0])
        claims = {c["claim"].split(":")[0]: c["verdict"] for c in self.study["claims"]}
        for claim in ("claim 1", "claim 2", "claim 3"):
            self.assertEqual(claims[claim], "reproduced")
            self.assertIn(f"  {claim}: ", self.text)

    def test_nothing_is_left_behind(self):
        self.assertEqual(glob.glob(str(self.folder / "heddle-*")), [])

    def test_rows_of_a_comparison(self):
        report = str(self.folder / "compare.json")
        status, text, _ = heddle("compare", "nqueen", "--size", "small", "--mechanisms", "spe,forkjoin", "--linearize", "0,3+merge-loops", "--json", report)
        self.assertEqual(status, 0)
        rows = [" ".join(line.split()) for line in text.splitlines()[1:7]]
        names = ["nqueen spe pass", "spe linearize=0 pass", "spe linearize=3,merge-loops pass", "forkjoin pass", "forkjoin linearize=0 pass",
                 "forkjoin linearize=3,merge-loops pass"]
        self.assertEqual([row[:len(name)] for row, name in zip(rows, names)], names)
        self.assertEqual([run.get("linearize", "") for run in json.loads(pathlib.Path(report).read_text())["runs"]], ["", "0", "3,merge-loops"] * 2)


class BadInput(unittest.TestCase):
    def refused(self, *arguments, message, **more):
        status, _, errors = heddle(*arguments, **more)
        self.assertEqual((status, errors.count("\n")), (2, 1), errors)
        self.assertIn(message, errors)

    def test_lists(self):
        self.refused("run", "mum", "--linearize", "4", message="workload mum: heddle-cc: --linearize takes 0, 1, 2, 3")
        self.refused("compare", "mum", "--mechanisms", "spe", "--linearize", "0,4", message="not '4'")
        self.refused("compare", "mum", "--mechanisms", "spe", "--linearize", "0,,3", message="--linearize 0,,3: a name is missing")
        self.refused("run", "mum", "--linearize", "3,function:nobody", message="no source has a function 'nobody'")
        self.refused("run", "./k.elf", "--linearize", "3", message="only for workloads")
        self.refused("linearize-study", "mum", "--runs", "0", message="--runs 0: choose 1 to 21")
        self.refused("linearize-study", "./k.elf", message="name workloads")

    def test_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            self.refused("run", "mum", "--linearize", "3", message="the kernel's source is not there", HEDDLE_KERNELS=folder)
            self.refused("run", "mum", "--linearize", "3", message="no folder can be made there; set TMPDIR", TMPDIR=os.path.join(folder, "none"))
            alone = os.path.join(folder, "heddle")
            shutil.copy(HEDDLE, alone)
            self.refused("run", "mum", "--linearize", "3", message="heddle-cc is not there", program=alone)


if __name__ == "__main__":
    unittest.main()
