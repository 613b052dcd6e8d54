#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`heddle bits` counts what the RTL holds: yosys reads each front end and its flip-flops and memories are summed.

Environment: HEDDLE (the program), YOSYS, RTL (the folder of the sources).
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

HEDDLE = os.environ["HEDDLE"]
YOSYS = os.environ["YOSYS"]
RTL = pathlib.Path(os.environ["RTL"])


def rtl_bits(top, parameters):
    """State bits of the module: widths of all registers and memories before any optimization."""
    sources = [RTL / "common/heddle_pkg.sv"] + sorted(p for p in RTL.rglob("*.sv") if p.name != "heddle_pkg.sv")
    chparam = " ".join(f"-set {name} {value}" for name, value in parameters.items())
    with tempfile.TemporaryDirectory() as folder:
        netlist = pathlib.Path(folder) / "netlist.json"
        script = (f"read_verilog -sv -DSYNTHESIS {' '.join(map(str, sources))}; chparam {chparam} {top}; hierarchy -check -top {top}; "
                  f"proc; flatten; opt_clean; memory_collect; write_json {netlist}")
        done = subprocess.run([YOSYS, "-q", "-p", script], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        modules = json.loads(netlist.read_text())["modules"]
    module = next(m for m in modules.values() if int(m["attributes"].get("top", "0"), 2))
    bits = 0
    for cell in module["cells"].values():
        if "dff" in cell["type"]:
            bits += int(cell["parameters"]["WIDTH"], 2)
        elif cell["type"].startswith("$mem"):
            bits += int(cell["parameters"]["WIDTH"], 2) * int(cell["parameters"]["SIZE"], 2)
        elif "latch" in cell["type"]:
            raise AssertionError(f"{top} has a latch")
    return bits


def reported_bits(settings):
    arguments = [f"--set={key}={value}" for key, value in settings.items()]
    done = subprocess.run([HEDDLE, "bits", "--json", "-", *arguments], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["total_bits"]


class BitsOfRtl(unittest.TestCase):
    # One scheduler: one front end is the whole core.
    SIZES = ({"warps": 3, "lanes": 8, "depth": 5, "entries": 3, "ibuffer": 3}, {"warps": 4, "lanes": 4, "depth": 4, "entries": 4, "ibuffer": 4})

    def compare(self, mechanism, sizes, settings, parameters):
        common = {"NumWarps": sizes["warps"], "Lanes": sizes["lanes"], "StackDepth": sizes["depth"], "SbEntries": sizes["entries"],
                  "IbufDepth": sizes["ibuffer"]}
        keys = {"mechanism": mechanism, "core.schedulers": 1, "core.warps": sizes["warps"], "core.lanes": sizes["lanes"],
                "stack.depth": sizes["depth"], "scoreboard.entries": sizes["entries"], "frontend.ibuffer": sizes["ibuffer"]}
        with self.subTest(mechanism=mechanism, **sizes, **parameters):
            self.assertEqual(reported_bits({**keys, **settings}), rtl_bits(f"{mechanism}_frontend", {**common, **parameters}))

    def test_spe(self):
        for sizes in self.SIZES:
            self.compare("spe", sizes, {}, {})

    def test_dpe(self):
        for sizes in self.SIZES:
            self.compare("dpe", sizes, {}, {})

    def test_options(self):
        sizes = self.SIZES[0]
        self.compare("spe", sizes, {"selector.policy": "gto"}, {"Policy": 1})
        self.compare("dpe", sizes, {"selector.policy": "gto"}, {"Policy": 1})
        self.compare("dpe", sizes, {"scoreboard.kind": "optimistic"}, {"Scoreboard": 1})
        self.compare("dpe", sizes, {"selector.kind": "constrained"}, {"Selector": 1})


if __name__ == "__main__":
    unittest.main()
