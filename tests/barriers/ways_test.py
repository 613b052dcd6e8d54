#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A warp that parts into k ways of one length takes a + s k cycles, whatever else is on the core: ways.cu. Environment: HEDDLE, the program."""

import json
import os
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
HEDDLE_CC = os.path.join(HERE, "..", "..", "sim", "toolchain", "heddle-cc")
HEDDLE = os.environ.get("HEDDLE", os.path.join(HERE, "..", "..", "build", "bin", "heddle"))
WAYS = (1, 2, 3, 5, 8, 16, 24, 31, 32)
WARPS = (1, 4, 12, 48)


def cycles(elf, mechanism, warps, ways):
    ran = subprocess.run([HEDDLE, "run", elf, "--kernel", "ways", "--grid", str(warps), "--block", "32", "--arg", f"zero:{4 * 32 * warps}", "--arg", f"u32:{ways}",
                          "--mechanism", mechanism, "--set", "core.warps=48", "--set", "core.max_blocks=48", "--json", "-"],
                         capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)["stats"]["cycles"]


class Ways(unittest.TestCase):
    def linear(self, mechanism, flags):
        with tempfile.TemporaryDirectory() as folder:
            elf = os.path.join(folder, "ways.elf")
            subprocess.run([HEDDLE_CC, *flags, os.path.join(HERE, "ways.cu"), "-o", elf], check=True)
            for warps in WARPS:
                took = {ways: cycles(elf, mechanism, warps, ways) for ways in WAYS}
                each = (took[32] - took[1]) / 31
                for ways, had in took.items():
                    self.assertLess(abs(took[1] + each * (ways - 1) - had), 0.02 * had, f"{mechanism}, {warps} warps, {ways} ways: {took}")
                self.assertGreater(took[32] / took[1], 31, f"{mechanism}, {warps} warps: {took}")
                self.assertLess(took[32] / took[1], 32.5, f"{mechanism}, {warps} warps: {took}")

    def test_spe(self):
        self.linear("spe", [])

    def test_cbar(self):
        self.linear("cbar", ["--barriers"])


if __name__ == "__main__":
    unittest.main()
