# SPDX-License-Identifier: Apache-2.0
"""The parts of synthesis/heddle_synth that need no tool: Liberty files, counts, levels and names of netlists, timing reports."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "synthesis"))

from heddle_synth import timing  # noqa: E402
from heddle_synth.design import Design  # noqa: E402
from heddle_synth.errors import BadInput  # noqa: E402
from heddle_synth.liberty import Library  # noqa: E402
from heddle_synth.netlist import Netlist  # noqa: E402
from heddle_synth.output import Output  # noqa: E402


def gate(name, area, inputs, function, more=""):
    pins = "".join(f"pin({p}) {{ direction : input; capacitance : 5; }}\n" for p in inputs)
    return f"cell({name}) {{ area : {area}; {more}\n{pins} pin(Y) {{ direction : output; function : \"{function}\"; }} }}\n"


FLOPS = """cell(FLOP) { area : 8; ff(IQ, IQN) { clocked_on : "CK"; next_state : "D"; }
  pin(CK) { direction : input; clock : true; } pin(D) { direction : input } pin(Q) { direction : output; function : "IQ"; } }
cell (FLOPR) { /* with reset */ area : 12;
  ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; clear : "!R"; } pin(D) { direction : input } pin(R) { direction : input }
  pin(CK) { direction : input } pin(Q) { direction : output; function : "IQ"; } }
"""


def library(cells, head="capacitive_load_unit(1, ff);"):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "small.lib"
        path.write_text(f"library(small) {{ time_unit : \"1ns\"; {head}\n define(a, cell, string)\n{cells} }}\n")
        return Library(str(path))


INVERTER = gate("INV", 1, "A", "A'")


class Liberty(unittest.TestCase):
    def test_a_nand_is_known_by_its_function_however_it_is_written(self):
        for function in ("!(A B)", "(A*B)'", "!A | !B", "A' + B'", "!(A&B)", "(A ^ 1) + !B", "((A B)^1)"):
            with self.subTest(function):
                self.assertEqual(library(INVERTER + gate("N", 3, "AB", function)).nand2.name, "N")

    def test_another_function_is_no_nand(self):
        for function in ("!(A+B)", "A B", "!(A C)", "A^B", "!A", "(A", ""):
            with self.subTest(function), self.assertRaisesRegex(BadInput, "two-input NAND"):
                library(INVERTER + gate("N", 3, "AB", function))

    def test_the_smallest_usable_cell_counts(self):
        cells = INVERTER + gate("N4", 9, "AB", "!(A B)") + gate("N1", 4, "AB", "!(A B)") + gate("N0", 2, "AB", "!(A B)", "dont_use : true;")
        self.assertEqual(library(cells).nand2.name, "N1")

    def test_asynchronous_reset_is_told_from_none(self):
        cells = library(INVERTER + gate("N", 3, "AB", "!(A B)") + FLOPS).cells
        self.assertEqual([(cells[n].is_flop, cells[n].is_asynchronous, cells[n].area) for n in ("FLOP", "FLOPR", "INV")],
                         [(True, False, 8), (True, True, 12), (False, False, 1)])

    def test_the_load_is_four_inverters_in_picofarads(self):
        cells = INVERTER + gate("N", 3, "AB", "!(A B)")
        self.assertAlmostEqual(library(cells).load, 0.020)
        self.assertAlmostEqual(library(cells, "capacitive_load_unit(1, pf);").load, 20)
        with self.assertRaisesRegex(BadInput, "capacitive_load_unit is 1 nf"):
            library(cells, "capacitive_load_unit(1, nf);")


def cell(kind, pins, **parameters):
    return {"type": kind, "connections": {p: b if isinstance(b, list) else [b] for p, b in pins.items()}, "parameters": parameters, "attributes": {}}


def netlist(cells, ports, names=(), lib=None):
    nets = {n: {"hide_name": 0, "bits": p["bits"]} for n, p in ports.items()}
    nets.update({n: {"hide_name": h, "bits": b} for n, b, h in names})
    return Netlist({"m": {"attributes": {"top": "1"}, "ports": ports, "cells": cells, "netnames": nets}}, "m", lib)


PORTS = {"a": {"direction": "input", "bits": [2]}, "y": {"direction": "output", "bits": [5]}, "z": {"direction": "output", "bits": [7]}}
MEMORY = cell("heddle_memory", {"CLK": 2, "RD_ADDR": [5, 2], "RD_DATA": [20, 21], "WR_EN": ["1", "1"], "WR_ADDR": [2, 2], "WR_DATA": [2, 6]},
              SIZE="11", WIDTH="10", ABITS="10", RD_PORTS="1", WR_PORTS="1")


class Netlists(unittest.TestCase):
    def setUp(self):
        # a -> n -> n -> n -> y;  flip-flop of y -> n -> z, memory behind it
        self.cells = {"g1": cell("$_NAND_", {"A": 2, "B": "1", "Y": 3}), "g2": cell("$_NOT_", {"A": 3, "Y": 4}), "g3": cell("$_NAND_", {"A": 4, "B": 2, "Y": 5}),
                      "f": cell("$_DFF_P_", {"C": 2, "D": 5, "Q": 6}), "g4": cell("$_NOT_", {"A": 6, "Y": 7})}

    def test_counts(self):
        made = netlist(dict(self.cells, m=MEMORY), PORTS)
        self.assertEqual((made.nand2_equivalents, made.flop_bits, made.memory_bits, made.gates), (3.0, 1, 6, 4))
        self.assertEqual([(n, m.words, m.width, m.reads, m.writes) for n, m in made.memories.items()], [("m", 3, 2, 1, 1)])

    def test_levels_end_at_ports_and_storage(self):
        made = netlist(self.cells, PORTS)
        self.assertEqual((made.levels(), made.levels(["y"]), made.levels(["z"])), (3, 3, 1))
        self.cells["g5"] = cell("$_NOT_", {"A": 5, "Y": 8})
        self.assertEqual(netlist(self.cells, PORTS).levels(), 3)          # g5 drives nothing
        self.cells["f"]["connections"]["D"] = [8]
        self.assertEqual(netlist(self.cells, PORTS).levels(), 4)          # now a flip-flop
        self.cells["f"]["connections"]["D"] = [5]
        memory = dict(MEMORY, connections=dict(MEMORY["connections"], RD_ADDR=[8, 2]))
        self.assertEqual(netlist(dict(self.cells, m=memory), PORTS).levels(), 4)   # or a memory

    def test_a_register_is_named_before_a_port_and_never_by_a_tool(self):
        ports = dict(PORTS, q_o={"direction": "output", "bits": [6, 7]})
        made = netlist(self.cells, ports, [("part.state_q[3]", [9, 6], 0), ("$abc$1", [3], 1)])
        self.assertEqual([made.name(b) for b in (6, 7, 2, 3)], ["part.state_q[3][1]", "z", "a", None])


REPORT = """
  Delay    Time   Description
---------------------------------------------------------
   0.0000    0.0000   clock clock (rise edge)
   0.0000    0.0000   clock network delay (ideal)
   0.0000    0.0000 ^ c1/CK (FLOP)
   0.4000    0.4000 ^ c1/Q (FLOP)
   0.3000    0.7000 v c2/Y (INV)
   2.0000    2.7000 v c3/RD_DATA_1 (memory_3)
   0.2000    2.9000 ^ c4/Y (N)
   0.0000    2.9000 ^ c5/D (FLOP)
             2.9000   data arrival time

  10.0000   10.0000   clock clock (rise edge)
                      10.0000 ^ c5/CK (FLOP)
  -0.1000    9.9000   library setup time
             9.9000   data required time
"""


class Timing(unittest.TestCase):
    def test_a_report_is_told_in_names_of_the_rtl(self):
        lib = library(INVERTER + gate("N", 3, "AB", "!(A B)") + FLOPS)
        cells = {"f0": cell("FLOP", {"CK": 2, "D": 3, "Q": 30}), "f": cell("FLOP", {"CK": 2, "D": 13, "Q": 10}), "i": cell("INV", {"A": 10, "Y": 11}),
                 "m": MEMORY, "n": cell("N", {"A": 21, "B": 10, "Y": 12}), "g": cell("FLOP", {"CK": 2, "D": 12, "Q": 13})}
        made = netlist(cells, {"clk_i": {"direction": "input", "bits": [2]}}, [("count_q", [10, 9], 0), ("done_q", [13], 0)], lib)
        path = timing._parse(REPORT, made, list(cells))
        self.assertEqual((path.start, path.end, path.gates, path.memories), ("count_q[0]", "done_q", 2, 1))
        self.assertAlmostEqual(path.delay, 3.0)
        self.assertAlmostEqual(path.max_mhz, 1000 / 3)
        self.assertEqual([s.cell for s in path.steps], ["FLOP", "INV", "memory m", "N", "FLOP"])
        self.assertIsNone(timing._parse("No paths found.\n", made, list(cells)))


class Outputs(unittest.TestCase):
    def written(self, before, **sections):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.md"
            if before is not None:
                path.write_text(before)
            Output("--markdown", str(path)).write_sections(sections)
            self.assertEqual([p.name for p in pathlib.Path(folder).iterdir()], ["page.md"])
            return path.read_text()

    def test_sections_go_between_their_marks(self):
        page = "head\n<!-- synth a -->\n{}<!-- /synth -->\nbetween\n<!-- synth b -->\n{}<!-- /synth -->\ntail\n"
        self.assertEqual(self.written(page.format("", ""), a="A", b="B"), page.format("\nA\n\n", "\nB\n\n"))
        self.assertEqual(self.written(page.format("old\n", "old\n"), b="B\\1"), page.format("old\n", "\nB\\1\n\n"))

    def test_without_marks_they_are_the_file(self):
        self.assertEqual(self.written("old", a="A", b="B"), "A\n\nB\n")
        self.assertEqual(self.written(None, a="A"), "A\n")


class Sources(unittest.TestCase):
    def test_all_modules_are_known_with_their_defaults(self):
        design = Design()
        listed = (design.root / "rtl" / "heddle.f").read_text().split()
        self.assertEqual(design.modules(), [pathlib.Path(n).stem for n in listed if not n.endswith("_pkg.sv")])
        self.assertEqual(design.resolve("dpe_stack", ["Depth=7"]),
                         {"NumWarps": 24, "Lanes": 32, "Depth": 7, "TakenLeft": 1, "LevelW": 8, "Watch": 1, "PcStep": 4})
        for module in design.modules():
            self.assertTrue(all(isinstance(value, int) for value in design.parameters(module).values()), module)
        self.assertEqual(design.parameters("heddle_mem")["Kind"], 0)  # a constant of the package


if __name__ == "__main__":
    unittest.main()
