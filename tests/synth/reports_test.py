# SPDX-License-Identifier: Apache-2.0
"""scripts/synth on small modules: what it reports adds up, is about the RTL's own names, and follows its options."""
import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "synthesis"))

from heddle_synth import timing  # noqa: E402
from heddle_synth.design import Design  # noqa: E402
from heddle_synth.liberty import Library  # noqa: E402
from heddle_synth.yosys import synthesize  # noqa: E402

STACK = ("fork_join_stack", "--param", "NumWarps=1", "--param", "Lanes=2", "--param", "Depth=5", "--param", "LevelW=2")


@functools.cache
def run(*arguments):
    """(standard output, the module's record) of a call that must succeed without warnings."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.json"
        ran = subprocess.run([ROOT / "scripts" / "synth", *arguments, "--json", path], capture_output=True, text=True)
        assert ran.returncode == 0 and not ran.stderr, (ran.returncode, ran.stderr)
        return ran.stdout, json.loads(path.read_text())["modules"][0]


class Reports(unittest.TestCase):
    def test_without_a_library(self):
        text, row = run("spe_scoreboard", "--param", "NumWarps=2", "--param", "NumEntries=3")
        self.assertEqual(row["state"]["flop_bits"], 2 * 3 * 7)
        self.assertEqual(row["state"]["declared_flop_bits"], 2 * 3 * 7)
        self.assertGreater(row["generic"]["levels"], 5)
        cells = row["generic"]["cells"]
        self.assertEqual(row["generic"]["nand2_equivalents"], cells["$_NAND_"] + cells["$_NOT_"] / 2)
        self.assertNotIn("mapped", row)
        self.assertIn("42 flip-flop bits, 0 memory bits", text)

    def test_area_is_that_of_the_cells(self):
        text, row = run("rr_arbiter", "--param", "NumReq=5", "--lib", "osu018")
        mapped = row["mapped"]
        self.assertEqual(mapped["flops"], [{"cell": "DFFSR", "count": 4, "area": 176.0, "asynchronous_reset": True}])
        self.assertEqual(mapped["area_flops"], 4 * 176)
        liberty = pathlib.Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib").read_text()
        areas = {n: float(a) for n, a in re.findall(r"cell \((\w+)\) \{\s*(?:cell_footprint[^;]*;\s*)?area : ([\d.]+)", liberty)}
        self.assertEqual(mapped["area"], sum(areas[c] * n for c, n in mapped["cells"].items()))
        self.assertEqual(mapped["area"], mapped["area_logic"] + mapped["area_flops"])
        self.assertIn("4 DFFSR of 176, asynchronous reset", text)

    def test_the_longest_path_is_in_names_of_the_rtl(self):
        text, row = run("rr_arbiter", "--param", "NumReq=5", "--lib", "osu018")
        path = row["timing"]
        source = (ROOT / "rtl" / "common" / "rr_arbiter.sv").read_text()
        for name in (path["start"], path["end"]):
            self.assertIn(re.match(r"\w+", name)[0], source)
        self.assertEqual(path["max_mhz"], round(1000 / path["ns"], 1))
        # A row each for a register that it starts at, for the gates, and for its end; a port that it starts at has none.
        self.assertEqual(len(path["path"]), ("_q[" in path["start"]) + path["gates"] + 1)
        self.assertNotIn("$", text)
        self.assertNotIn("abc", text)

    def test_memories_are_kept_or_built(self):
        text, kept = run(*STACK, "--lib", "osu018")
        _, built = run(*STACK, "--lib", "osu018", "--memory", "flops")
        entry = 31 + 2 + 2 + 1   # {PC, mask, call level, sibling}
        self.assertEqual(kept["state"]["memories"],
                         [{"name": "u_rows.gen_inferred.words", "words": 4, "width": entry, "bits": 4 * entry, "read_ports": 1, "write_ports": 1, "kept": True,
                           "read_ns": kept["state"]["memories"][0]["read_ns"]}])
        self.assertEqual(built["state"]["memory_bits"], 0)
        self.assertEqual(kept["state"]["bits"], built["state"]["bits"])
        self.assertIn(f"memory u_rows.gen_inferred.words: 4 x {entry}, 1 read, 1 write, kept", text)
        # Counted: of flip-flops it is nearly what is built; a macro of four words is mostly its fixed part.
        counted, area = kept["mapped"]["nand2_with_memories"], built["mapped"]["nand2_equivalents"]
        self.assertAlmostEqual(counted["flip_flops"] / area, 1, delta=0.1)
        self.assertGreater(counted["macros"], kept["mapped"]["nand2_equivalents"])
        self.assertEqual(built["mapped"]["nand2_with_memories"], {"macros": area, "flip_flops": area})
        self.assertIn(f"{counted['flip_flops']:,.0f} with flip-flops", text)
        # The memory has no reset, so its flip-flops are the small ones.
        flops, with_memory = ({f["asynchronous_reset"]: f["count"] for f in row["mapped"]["flops"]} for row in (kept, built))
        self.assertEqual(with_memory, {True: flops[True], False: flops[False] + 4 * entry})

    def test_a_read_of_a_memory_takes_the_time_named(self):
        text, slow = run(*STACK, "--lib", "osu018", "--memory-ns", "30")
        path = slow["timing"]
        self.assertEqual(path["memories"], 1)
        self.assertEqual([s["ns"] for s in path["path"] if s["cell"] == "memory u_rows.gen_inferred.words"], [30])
        self.assertGreater(path["ns"], 30)
        self.assertLess(path["ns"], 45)
        self.assertIn("1 write, kept, read in 30.00 ns", text)
        self.assertIn(" and 1 memory read", text)

    def test_a_read_of_a_memory_takes_the_time_estimated(self):
        text, row = run(*STACK, "--lib", "osu018")
        read = row["state"]["memories"][0]["read_ns"]
        self.assertGreater(read, 0.2)
        self.assertLess(read, 1)
        self.assertIn(f"1 write, kept, read in {read:.2f} ns", text)

    def test_all_delays_can_be_multiplied(self):
        (_, once), (text, twice) = (run("rr_arbiter", "--param", "NumReq=5", "--lib", "osu018", "--derate", d) for d in ("1", "2"))
        self.assertAlmostEqual(twice["timing"]["ns"], 2 * once["timing"]["ns"], places=2)
        self.assertEqual(twice["mapped"], once["mapped"])
        self.assertIn("all delays times 2", text)

    def test_a_whole_front_end_has_the_names_of_its_parts(self):
        _, row = run("spe_frontend", *(f"--param={p}" for p in ("NumWarps=1", "Lanes=2", "StackDepth=2", "SbEntries=1", "IbufDepth=2")),
                     "--lib", "osu018")
        self.assertEqual(sum(f["count"] for f in row["mapped"]["flops"]), row["state"]["flop_bits"])
        self.assertNotIn("$", row["timing"]["start"] + row["timing"]["end"])

    def test_a_way_to_named_outputs_alone(self):
        design, library = Design(), Library("osu018")
        made = synthesize(design, "rr_arbiter", design.resolve("rr_arbiter", ["NumReq=5"]), library=library)
        for mapped in made.mappings:
            valid = timing.analyse(mapped, 1.0, None, ["grant_valid_o"])
            self.assertEqual(valid.end, "grant_valid_o")
            self.assertLess(valid.delay, timing.analyse(mapped, 1.0, None).delay)
        self.assertLess(made.generic.levels(["grant_valid_o"]), made.generic.levels())

    def test_of_all_mappings_the_fastest_is_reported(self):
        design, library = Design(), Library("osu018")
        made = synthesize(design, "warp_selector", design.resolve("warp_selector", ["NumWarps=8"]), library=library)
        delays = [timing.analyse(mapped, 1.0, None).delay for mapped in made.mappings]
        self.assertGreater(len(set(delays)), 1, "one mapping is as good as another: compare another module")
        _, row = run("warp_selector", "--param", "NumWarps=8", "--lib", "osu018")
        self.assertEqual(row["timing"]["ns"], min(delays))
        self.assertEqual(row["mapped"]["area"], min(m.area() for m, d in zip(made.mappings, delays) if d == min(delays)))

    def test_a_module_without_clock_has_a_path_too(self):
        _, row = run("thread_swizzle", "--param", "Lanes=4", "--param", "Threads=8", "--param", "Swizzle=1", "--lib", "osu018")
        self.assertEqual(row["state"]["bits"], 0)

    def test_json_to_standard_output_is_json_alone(self):
        ran = subprocess.run([ROOT / "scripts" / "synth", "rr_arbiter", "--param", "NumReq=2", "--json", "-"], capture_output=True, text=True)
        self.assertEqual(json.loads(ran.stdout)["modules"][0]["parameters"], {"NumReq": 2})


if __name__ == "__main__":
    unittest.main()
