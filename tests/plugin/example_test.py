#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""examples/mechanism: built in a scratch folder against an installed Heddle, and run by heddle, by a CUDA program and from Python.

Environment: BUILD; RTL (1: this build has Verilator); PYTHON (the interpreter that the module is for, or empty)."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["BUILD"])
ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = os.environ["RTL"] == "1"
SIXTEEN = ("--set", "core.warps=16")  # as many as the model has
PROGRAM = """
import heddle, numpy as np
program = heddle.compile('''
#include "heddle/kernel.h"
extern "C" __global__ void odd(const int* in, int* out) {
  int i = threadIdx.x, n = in[i], steps = 0;
  while (n > 1) { n = n % 2 ? 3 * n + 1 : n / 2; ++steps; }
  out[i] = steps;
}
''')
device = heddle.Device("turns", plugin=PLUGIN, program=program)
out = np.zeros(64, np.int32)
stats = device.launch("odd", 1, 64, np.arange(64, dtype=np.int32), out)
assert list(out[:10]) == [0, 0, 1, 7, 2, 5, 8, 16, 3, 19], out
assert stats["own"]["turns.changes"] > 0, stats
assert device.report["plugins"] == [PLUGIN] and "turns" in heddle.mechanisms()
try:
    heddle.Device(plugin=["none.so"])
except heddle.Error as error:
    assert error.code == "plugin" and "none.so" in str(error), error
else:
    assert False
"""


def run(*command, **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HEDDLE_")}
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, env={**clean, **environment}, cwd=Example.folder)


class Example(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.prefix = cls.folder / "prefix"
        shutil.copytree(ROOT / "examples" / "mechanism", cls.folder / "mechanism")
        for command in (("cmake", "--install", BUILD, "--prefix", cls.prefix),
                        ("cmake", "-S", "mechanism", "-B", "built", f"-DCMAKE_PREFIX_PATH={cls.prefix}", f"-DHEDDLE_RTL={'ON' if RTL else 'OFF'}"),
                        ("cmake", "--build", "built", "--parallel", "2")):
            done = run(*command)
            assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
            assert "warning" not in done.stderr.lower(), done.stderr
        cls.plugin = cls.folder / "built" / "turns.so"
        cls.heddle = cls.prefix / "bin" / "heddle"

    def ok(self, *arguments):
        done = run(self.heddle, *arguments, HEDDLE_PLUGIN=str(self.plugin))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def stats(self, workload, *options):
        document = json.loads(self.ok("run", workload, "--size", "small", "--json", "-", *options))
        self.assertEqual(document["result"], "pass")
        return document["stats"]

    def test_workloads_on_every_engine(self):
        for workload in ("bfs", "qsort", "collatz"):
            machine = ("--mechanism", "turns", *SIXTEEN)
            systemc = self.stats(workload, *machine)
            self.assertGreater(systemc["own"]["turns.changes"], 1000)
            self.assertNotIn("own", self.stats(workload, "--mechanism", "spe"))
            if not RTL:
                continue
            for engine in ("rtl", "cosim"):
                self.assertEqual(self.stats(workload, *machine, "--engine", engine), systemc, engine)

    def test_barriers(self):
        for workload in ("reduce", "bitonic"):
            self.stats(workload, "--mechanism", "turns")

    def test_its_key(self):
        one, four = (self.stats("qsort", "--mechanism", "turns", "--set", f"turns.each={n}") for n in (1, 4))
        self.assertLess(four["own"]["turns.changes"], one["own"]["turns.changes"])
        done = run(self.heddle, "run", "bfs", "--plugin", self.plugin, "--mechanism", "turns", "--set", "turns.each=2", "--engine", "rtl")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        self.assertIn("has no Verilated model", done.stderr)
        done = run(self.heddle, "run", "bfs", "--plugin", self.plugin, "--mechanism", "turns", "--set", "scoreboard.kind=bitmap")
        self.assertIn("scoreboard.kind = bitmap (--set) with turns: ", done.stderr)

    def test_pictures_and_bits(self):
        self.ok("run", "collatz", "--size", "small", "--mechanism", "turns", "--quiet", "--report", "r.html", "--timeline", "t.svg", "--wave", "w.vcd")
        self.assertIn("turns", (self.folder / "r.html").read_text())
        self.assertIn("</svg>", (self.folder / "t.svg").read_text())
        self.assertIn(" own_count ", (self.folder / "w.vcd").read_text())
        self.assertIn("places of threads", self.ok("bits", "--mechanism", "turns"))
        self.assertRegex(self.ok("list", "mechanisms"), rf"turns +groups of threads.*{self.plugin}")

    def test_a_cuda_program(self):
        shutil.copy(ROOT / "examples" / "cuda" / "bfs.cu", self.folder)
        done = run(self.prefix / "bin" / "heddle-nvcc", "bfs.cu", "-o", "bfs")
        self.assertEqual(done.returncode, 0, done.stderr)
        alone = run("./bfs")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        done = run(self.heddle, "exec", "--plugin", self.plugin, "--mechanism", "turns", "--json", "cuda.json", "--", "./bfs")
        self.assertEqual((done.returncode, done.stdout), (0, alone.stdout), done.stderr)
        document = json.loads((self.folder / "cuda.json").read_text())
        self.assertEqual((document["mechanism"], document["plugins"]), ("turns", [str(self.plugin)]))
        self.assertGreater(document["stats"]["own"]["turns.changes"], 0)
        done = run("./bfs", HEDDLE_PLUGIN="none.so")
        self.assertEqual((done.returncode, done.stderr.count("none.so: cannot be read")), (2, 1), done.stderr)

    @unittest.skipUnless(os.environ["PYTHON"], "this build has no Python module")
    def test_from_python(self):
        (package,) = self.prefix.glob("lib/python3*/dist-packages")
        (self.folder / "p.py").write_text(f"PLUGIN = {str(self.plugin)!r}\n" + PROGRAM)
        done = run(os.environ["PYTHON"], "p.py", PYTHONPATH=str(package))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
