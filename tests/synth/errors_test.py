# SPDX-License-Identifier: Apache-2.0
"""Every wrong use of scripts/synth: one line on standard error that says what to do, exit status 2, no file left behind."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SYNTH = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "synth"


class Errors(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)

    def tearDown(self):
        self._folder.cleanup()

    def refused(self, expected, *arguments, path=None):
        before = sorted(self.folder.rglob("*"))
        environment = dict(os.environ, **({"PATH": path} if path is not None else {}))
        ran = subprocess.run([sys.executable, SYNTH, *map(str, arguments)], capture_output=True, text=True, env=environment, cwd=self.folder)
        self.assertEqual(ran.returncode, 2, ran.stderr)
        self.assertEqual(ran.stdout, "")
        self.assertEqual(ran.stderr.count("\n"), 1, ran.stderr)
        self.assertTrue(ran.stderr.startswith("scripts/synth: "), ran.stderr)
        self.assertIn(expected, ran.stderr)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def liberty(self, text):
        path = self.folder / "my.lib"
        path.write_text(text)
        return path

    def test_usage(self):
        self.refused("name one MODULE, or --all, or --overheads")
        self.refused("name one MODULE, or --all, or --overheads", "rr_arbiter", "--all")
        self.refused("--param goes with a MODULE", "--all", "--param", "NumReq=3")
        self.refused("--markdown goes with --all or --overheads", "rr_arbiter", "--markdown", "t.md")
        self.refused("unrecognized arguments: --fats", "rr_arbiter", "--fats")
        self.refused("invalid choice: 'ram'", "rr_arbiter", "--memory", "ram")
        self.refused("many is not a number of ports from 0 to 999", "rr_arbiter", "--read-ports", "many")
        self.refused("-1 is not a number of ports from 0 to 999", "rr_arbiter", "--write-ports=-1")
        self.refused("0 is not a number greater than 0", "rr_arbiter", "--period", "0")
        self.refused("two is not a number greater than 0", "rr_arbiter", "--memory-ns", "two")
        self.refused("0 is not a number greater than 0", "rr_arbiter", "--derate", "0")

    def test_module_and_parameters(self):
        self.refused("module rr_arbitre: not in rtl/; choose one of heddle_mem, rr_arbiter, resolve_sides,", "rr_arbitre")
        self.refused("--param Req=3: rr_arbiter has no parameter Req; it has NumReq", "rr_arbiter", "--param", "Req=3")
        self.refused("--param NumReq: not NAME=VALUE", "rr_arbiter", "--param", "NumReq")
        self.refused("--param NumReq=many: many is no whole number", "rr_arbiter", "--param", "NumReq=many")
        self.refused("--param NumReq=: nothing is no whole number", "rr_arbiter", "--param", "NumReq=")

    def test_limits_of_the_module_and_of_its_parts(self):
        self.refused("rr_arbiter: NumReq must be at least 1", "rr_arbiter", "--param", "NumReq=0")
        self.refused("pc_warp_lut: LutEntries must be a power of two", "pc_warp_lut", "--param", "LutEntries=12")
        self.refused("spe_frontend: spe_stack: PushOrder must be 0 to 3", "spe_frontend", "--param", "PushOrder=4", "--param", "NumWarps=2")
        self.refused("dpe_frontend: dpe_stack: TakenLeft must be 0 or 1", "dpe_frontend", "--param", "TakenLeft=2", "--param", "NumWarps=2")

    def test_parts_that_do_not_fit_together(self):
        one_slot = ("frontend", "--param", "NumWarps=2", "--param", "NumSlots=1")
        self.refused("frontend: hazards: Scoreboard must be 0 or 3 when NumSlots is 1", *one_slot)
        self.refused("frontend: Selector must be 0 when NumSlots is not 2", *one_slot, "--param", "Scoreboard=0", "--param", "Selector=1")

    def test_library(self):
        self.refused("--lib my.lib: no such file; give the path of a Liberty file or one of osu018", "rr_arbiter", "--lib", "my.lib")
        self.refused("--lib .: no such file", "rr_arbiter", "--lib", ".")
        self.refused("is not a text file", "rr_arbiter", "--lib", shutil.which("true"))
        self.refused("it holds no library(...) group", "rr_arbiter", "--lib", self.liberty(""))
        self.refused("my.lib:2: not a Liberty file: '=' is neither an attribute nor a group", "rr_arbiter", "--lib", self.liberty("library(l) {\n= 3\n}"))
        self.refused("my.lib:2: not a Liberty file: cell(INV) is not closed", "rr_arbiter", "--lib", self.liberty("library(l) { cell(INV) {\n area : 1;"))
        self.refused("my.lib:1: not a Liberty file: a brace closes", "rr_arbiter", "--lib", self.liberty("}"))
        self.refused("the library has no two-input NAND gate with an area", "rr_arbiter", "--lib", self.liberty("library(l) { }"))

    def test_library_without_flip_flops(self):
        gates = "".join(f"cell({n}) {{ area : 1; {''.join(f'pin({p}) {{ direction : input; capacitance : 0.01; }} ' for p in i)}"
                        f"pin(Y) {{ direction : output; function : \"{f}\"; }} }}\n" for n, i, f in (("INV", "A", "!A"), ("NAND2", "AB", "!(A B)")))
        self.refused("my.lib: it has no flip-flop that rr_arbiter needs: dffs with async set or reset are not supported", "rr_arbiter", "--param", "NumReq=3", "--lib", self.liberty(f"library(l) {{\n{gates}}}"))

    def test_outputs(self):
        self.refused("--json no/such/folder.json: cannot be written: No such file or directory", "rr_arbiter", "--json", "no/such/folder.json")
        self.refused("is a directory; name a file", "rr_arbiter", "--json", self.folder)
        self.refused("--markdown no/table.md: cannot be written", "--all", "--markdown", "no/table.md")
        # The file of an earlier run stays as it was when this one fails.
        (self.folder / "r.json").write_text("earlier")
        self.refused("NumReq must be at least 1", "rr_arbiter", "--param", "NumReq=0", "--json", "r.json")
        self.assertEqual((self.folder / "r.json").read_text(), "earlier")

    def test_a_signal_leaves_nothing_half_written(self):
        for ending in (signal.SIGTERM, signal.SIGHUP):
            run = subprocess.Popen([sys.executable, SYNTH, "--all", "--markdown", "t.md"], cwd=self.folder, stdout=subprocess.DEVNULL)
            while run.poll() is None and not list(self.folder.iterdir()):
                time.sleep(0.05)
            run.send_signal(ending)
            self.assertEqual(run.wait(), 128 + ending)
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_missing_tools(self):
        self.refused("yosys was not found: apt-get install yosys (or run scripts/setup)", "rr_arbiter", path="/nowhere")
        only_yosys = self.folder / "bin"
        only_yosys.mkdir()
        (only_yosys / "yosys").symlink_to(shutil.which("yosys"))
        self.refused("sta was not found: apt-get install opensta (or run scripts/setup)", "rr_arbiter", "--lib", "osu018", path=str(only_yosys))


if __name__ == "__main__":
    unittest.main()
