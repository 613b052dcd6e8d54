#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Fork and join, push and pop, convergence barriers change nothing on mechanisms that ignore them: random programs, as both compilers give them, have the
host's results, and their branches meet where they met without. Environment: HEDDLE and CLANG, programs, and RANDOM_SEEDS."""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

HEDDLE, CLANG = os.environ["HEDDLE"], os.environ["CLANG"]
SEEDS = [int(seed) for seed in os.environ["RANDOM_SEEDS"].split()]
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")

sys.dont_write_bytecode = True
sys.path.insert(0, SCRIPTS)
from load_script import load_script  # noqa: E402

script = load_script(os.path.join(SCRIPTS, "random", "random_programs"))
MARKS = ("--fork-join", "--fork-join=outermost", "--software-stack", "--barriers")
MECHANISMS = ("spe", "dpe", "pdom-barrel")
# As heddle-nvcc asks of it: barriers and tails are not copied, jumps not threaded.
CLANG_FLAGS = ["--target=riscv32-unknown-elf", "-march=rv32imaf", "-mabi=ilp32f", "-O2", "-gdwarf-4", "-w", "-ffp-contract=off", "-fno-jump-tables",
               "-fno-optimize-sibling-calls", "-fno-addrsig", "-Xclang", "-fconvergent-functions", "-mllvm", "-disable-tail-duplicate",
               "-mllvm", "-disable-early-taildup", "-mllvm", "-tail-dup-placement=0", "-mllvm", "-jump-threading-threshold=0"]


def run(*command):
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command[0]}: status {done.returncode}: {done.stderr.decode()}")
    return done.stdout


class Program:
    def __init__(self, seed, folder):
        self.program = script.generator.generate(seed)
        self.folder = folder
        with open(self.file("program.c"), "w", encoding="ascii") as file:
            file.write(self.program.source)
        run(*script.HOST_CC, self.file("program.c"), "-o", self.file("host"))
        with open(self.file("expected"), "wb") as file:
            file.write(run(self.file("host"), str(self.program.blocks), str(self.program.threads)))

    def file(self, name):
        return os.path.join(self.folder, name)

    def sources(self):
        """Compiler -> what heddle-cc takes of it."""
        gcc = re.search(r"^C: +(.*)$", run(script.HEDDLE_CC, "--print-flags").decode(), re.MULTILINE)[1].split()
        run(*gcc, "-E", self.file("program.c"), "-o", self.file("program.i"))
        run(CLANG, *CLANG_FLAGS, "-S", self.file("program.i"), "-o", self.file("clang.s"))
        with open(self.file("clang.s"), encoding="utf-8") as file:
            text = re.sub(r"@plt$", "", file.read(), flags=re.MULTILINE)
        with open(self.file("clang.s"), "w", encoding="utf-8") as file:
            file.write(text)
        return {"gcc": ["-w", *self.program.flags, self.file("program.c")], "clang": ["--compiled", self.file("clang.s")]}

    def branches(self, source, *marks):
        """(Mechanism, kind of place where a branch's sides meet) -> how often such branches were executed, and how often threads parted.
        All of them together: the way to a kernel's end may be copied."""
        elf, result, expected = (self.file(name) for name in ("program.elf", "result", "expected"))
        run(script.HEDDLE_CC, *source, *marks, "-o", elf)
        launch = ["--kernel", "run", "--grid", str(self.program.blocks), "--block", str(self.program.threads),
                  "--arg", f"out:{result}:{os.path.getsize(expected)}", "--expect", f"{result}={expected}"]
        found = collections.Counter()
        for mechanism in MECHANISMS:
            report = json.loads(run(HEDDLE, "run", elf, *launch, "--mechanism", mechanism, "--set", "stack.depth=64", "--no-check", "--json", "-"))
            for branch in report["branches"]:
                found[mechanism, branch["meets"], "executed"] += branch["executed"]
                # Whether a short branch is predicated depends on what stands between.
                found[mechanism, branch["meets"], "parted"] += branch["divergent"] + branch["predicated"]
        return found


class Marks(unittest.TestCase):
    def test_change_no_result_and_no_meeting(self):
        for seed in SEEDS:
            with tempfile.TemporaryDirectory() as folder:
                program = Program(seed, folder)
                for compiler, source in program.sources().items():
                    plain = program.branches(source)
                    self.assertGreater(plain["spe", "pc", "parted"], 0)
                    for marks in MARKS:
                        with self.subTest(seed=seed, compiler=compiler, marks=marks):
                            self.assertEqual(program.branches(source, marks), plain)


if __name__ == "__main__":
    unittest.main()
