#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A program of the form `barriers` on cbar, where nothing yields, does what it does on spe: each branch is executed by as many paths, and diverges
as often; so every path has the threads that it has there. Environment: HEDDLE, the program, and KERNELS, the folder of the workloads'."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

HEDDLE, KERNELS = os.environ["HEDDLE"], os.environ["KERNELS"]

# Workload -> why its paths are others.
OTHERS = {"spin": "its threads meet behind the release of the lock",
          "ray": "compiled with -c, it has a function that other sources may call: threads meet behind the call, not before the return"}


def run(name, kernels, *settings):
    words = [word for setting in ("core.predicate=0", "stack.depth=64", "stack.order=larger_first", *settings) for word in ("--set", setting)]
    ran = subprocess.run([HEDDLE, "run", name, "--size", "small", "--json", "-", *words], env=os.environ | {"HEDDLE_KERNELS": kernels}, capture_output=True, text=True, check=False)
    report = json.loads(ran.stdout)
    assert report["result"] == "pass", (name, settings, report["error"])
    return report


class SameAsSpe(unittest.TestCase):
    def test_every_workload(self):
        with tempfile.TemporaryDirectory() as folder:
            names = sorted(file[:-len(".barriers.elf")] for file in os.listdir(KERNELS) if file.endswith(".barriers.elf"))
            self.assertGreater(len(names), 30)
            for name in names:
                for form in ("", ".barriers"):  # spe asks for the first
                    shutil.copy(os.path.join(KERNELS, name + ".barriers.elf"), os.path.join(folder, name + form + ".elf"))
            for name in sorted(set(names) - set(OTHERS)):
                with self.subTest(name=name):
                    spe, cbar = (run(name, folder, *settings) for settings in (["mechanism=spe"], ["mechanism=cbar", "cbar.policy=0"]))
                    self.assertEqual(cbar["branches"], spe["branches"])
                    self.assertGreaterEqual(cbar["stats"]["warp_instructions"], spe["stats"]["warp_instructions"])


if __name__ == "__main__":
    unittest.main()
