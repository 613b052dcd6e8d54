# SPDX-License-Identifier: Apache-2.0
"""The netlist that areas and delays are taken from, of the library's cells and as OpenSTA reads it, simulates as the RTL does.

Stimulus and comparison are those of tests/rtl/netlist_equivalence.
"""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "synthesis"), str(ROOT / "scripts")]

from heddle_synth import timing  # noqa: E402
from heddle_synth.design import Design  # noqa: E402
from heddle_synth.liberty import Library  # noqa: E402
from heddle_synth.yosys import synthesize  # noqa: E402
from load_script import load_script  # noqa: E402

CELLS = "/usr/share/qflow/tech/osu018/osu018_stdcells.v"
CYCLES = 1500


class Netlist(unittest.TestCase):
    def compared(self, module, number=0, change=lambda verilog: verilog):
        """Whether RTL and the netlist of one of ABC's scripts differ, and what the simulation says."""
        check, design = load_script(ROOT / "tests" / "rtl" / "netlist_equivalence"), Design()
        parameters, declarations, legal = next(check.rules(module))
        files = [str(ROOT / f) for f in load_script(ROOT / "scripts" / "hardware" / "lint_rtl").Design(ROOT).files_for(module)]
        mapped = synthesize(design, module, design.resolve(module, [f"{k}={v}" for k, v in parameters.items()]), (0, 0), Library("osu018")).mappings[number]
        ports = {n: (p["direction"], len(p["bits"])) for n, p in mapped.ports.items()}
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            verilog, _ = timing.verilog(mapped)
            (folder / "netlist.v").write_text(change(verilog).replace("module top ", "module netlist ", 1))
            (folder / "testbench.v").write_text(check.testbench(module, parameters, ports, declarations, legal, CYCLES, 1))
            return check.simulate([CELLS] + files, folder, folder / "netlist.v")

    def test_netlists_of_library_cells_are_the_rtl(self):
        # spe_stack has nine words of storage, built of flip-flops.
        for module, number in (("rr_arbiter", 0), ("warp_selector", 1), ("warp_selector", 2), ("spe_scoreboard", 1), ("spe_stack", 2)):
            with self.subTest(module, script=number):
                differ, text = self.compared(module, number)
                self.assertFalse(differ, text)
                self.assertIn(f"{CYCLES} cycles, 0 differences", text)

    def test_another_cell_is_noticed(self):
        differ, _ = self.compared("warp_selector", change=lambda verilog: verilog.replace("NAND2X1", "NOR2X1", 1))
        self.assertTrue(differ)


if __name__ == "__main__":
    unittest.main()
