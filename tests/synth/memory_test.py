# SPDX-License-Identifier: Apache-2.0
"""The estimated time of a read, the delay of the inverter that it is measured in, and the estimated area."""
import pathlib
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "synthesis"))

from heddle_synth import timing  # noqa: E402
from heddle_synth.liberty import NAMED, Library  # noqa: E402
from heddle_synth.memory import MACRO_NAND2, ReadTime, macro_nand2, read_fo4  # noqa: E402

WIRE_LOADS = """
  wire_load("long") { capacitance : 0.1; resistance : 0; area : 0; slope : 10; fanout_length(1, 10); }
  default_wire_load : "long";
"""
# ns of memories with one port as CACTI 6.5 has them in 45 nm: the files fakeram45_*.lib of OpenROAD-flow-scripts.
CACTI = {(32, 32): 0.173, (64, 32): 0.207, (128, 32): 0.200, (256, 32): 0.235, (1024, 32): 0.309, (2048, 39): 0.435, (64, 256): 0.253, (512, 64): 0.305}

# um2 of memories with two ports as IHP's datasheets and layouts have them: RM_IHPSG13_2P_*.
IHP = {(64, 22): 39384, (64, 32): 52621, (1024, 16): 155154}


class Memory(unittest.TestCase):
    def test_areas_are_those_of_published_memories(self):
        for (words, width), area in IHP.items():
            self.assertAlmostEqual(macro_nand2(words, width) * MACRO_NAND2 / area, 1, delta=0.05, msg=f"{words} x {width}")

    def test_a_larger_memory_is_slower(self):
        for words, width, ports in ((4, 8, 1), (60, 184, 2), (256, 32, 2), (1024, 64, 1)):
            read = read_fo4(words, width, ports)
            for larger in ((2 * words, width, ports), (words, 4 * width, ports), (words, width, ports + 2)):
                self.assertGreater(read_fo4(*larger), read, larger)

    def test_a_doubling_adds_about_one_gate_delay(self):
        for words in (64, 128, 256, 512, 1024):
            self.assertAlmostEqual(read_fo4(2 * words, 32, 1) - read_fo4(words, 32, 1), 1.25, delta=0.5)

    def test_sizes_compare_as_published_memories_do(self):
        unit = CACTI[64, 32] / read_fo4(64, 32, 1)
        for (words, width), ns in CACTI.items():
            self.assertAlmostEqual(unit * read_fo4(words, width, 1) / ns, 1, delta=0.2, msg=f"{words} x {width}")

    def test_a_time_that_is_given_holds_for_all(self):
        small, large = (types.SimpleNamespace(words=w, width=32, reads=1, writes=1) for w in (4, 4096))
        self.assertEqual([ReadTime(0.4, None)(m) for m in (small, large)], [0.4, 0.4])
        library = Library("osu018")
        self.assertEqual(ReadTime(None, library)(large), round(timing.inverter_delay(library) * read_fo4(4096, 32, 2), 3))

    def test_wires_have_no_length_whatever_the_library_proposes(self):
        plain = Library("osu018")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "wires.lib"
            path.write_text(pathlib.Path(NAMED["osu018"][0]).read_text().replace("cell (AND2X1)", f"{WIRE_LOADS}  cell (AND2X1)", 1))
            self.assertIn("default_wire_load", path.read_text())
            self.assertEqual(timing.inverter_delay(Library(str(path))), timing.inverter_delay(plain))
        self.assertAlmostEqual(timing.inverter_delay(plain), 0.099, places=3)


if __name__ == "__main__":
    unittest.main()
