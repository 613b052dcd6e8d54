#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Plug-ins on the command line: how they come in, what is said of those that cannot. Environment: BUILD, PLUGINS (built ones)."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, PLUGINS = pathlib.Path(os.environ["BUILD"]), pathlib.Path(os.environ["PLUGINS"])
ROOT = pathlib.Path(__file__).resolve().parents[2]
HEDDLE = BUILD / "bin" / "heddle"
STUB = PLUGINS / "stub.so"


def run(*command, **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HEDDLE_")}
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, env={**clean, **environment})


class Plugins(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def ok(self, *arguments, **environment):
        done = run(HEDDLE, *arguments, **environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refused(self, code, *arguments, **environment):
        """The one line."""
        done = run(HEDDLE, *arguments, "--json", self.folder / "e.json", **environment)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(json.loads((self.folder / "e.json").read_text())["error"]["code"], code)
        return done.stderr

    def test_a_mechanism_and_a_key_of_its_own(self):
        document = json.loads(self.ok("run", "figure6", "--plugin", STUB, "--mechanism", "stub", "--set", "stub.x=3", "--json", "-"))
        self.assertEqual((document["result"], document["mechanism"], document["config"]["stub.x"]), ("pass", "stub", 3))
        self.assertEqual(document["plugins"], [str(STUB)])
        default = json.loads(self.ok("run", "figure6", "--plugin", STUB, "--mechanism", "stub", "--json", "-"))
        self.assertEqual(default["config"]["stub.x"], 7)
        self.assertIn("stub.x = 10 is not possible; allowed: 1 to 9", self.refused("config", "run", "figure6", "--plugin", STUB, "--set", "stub.x=10"))

    def test_a_front_end_of_a_plug_in_counts_as_one_of_the_tree(self):
        runs = json.loads(self.ok("compare", "qsort", "--size", "small", "--plugin", STUB, "--mechanisms", "spe,stub", "--json", "-"))["runs"]
        self.assertEqual(runs[0]["stats"], runs[1]["stats"])
        self.assertEqual(["plugins" in run for run in runs], [False, True])
        self.assertGreater(runs[0]["stats"]["divergent_branches"], 0)

    def test_lists_say_where_it_is_from(self):
        self.assertRegex(self.ok("list", "mechanisms", "--plugin", STUB), rf"stub +for tests +\[nobody\] {STUB}\n")
        self.assertIn("stub.x", self.ok("list", "keys", HEDDLE_PLUGIN=str(STUB)))
        self.assertNotIn("stub", self.ok("list", "mechanisms"))

    def test_completion_offers_it(self):
        self.assertEqual(self.ok("complete", "run", "--plugin", STUB, "--mechanism", "st"), "stub\n")
        self.assertEqual(self.ok("complete", "run", "--set", "stub.", HEDDLE_PLUGIN=str(STUB)), "stub.x=\n")
        self.assertEqual(self.ok("complete", "run", "--plugin", PLUGINS / "old.so", "--mechanism", "st"), "")

    def test_the_environment_and_twice_the_same(self):
        link = self.folder / "link.so"
        link.symlink_to(STUB)
        for environment in (f"{STUB}", f":{STUB}::", f"{STUB}:{link}"):
            self.ok("run", "figure6", "--mechanism", "stub", "--quiet", HEDDLE_PLUGIN=environment)
        self.ok("run", "figure6", "--plugin", link, "--plugin", STUB, "--mechanism", "stub", "--quiet", HEDDLE_PLUGIN=str(STUB))

    def test_a_study_takes_it(self):
        self.assertIn("figure6", self.ok("limit-study", "figure6", "--plugin", STUB, "--set", "stub.x=2"))

    def test_a_sweep_passes_it_on_and_runs_anew_when_it_changes(self):
        (self.folder / "s.toml").write_text('[sweep]\nworkloads = ["figure6"]\nmechanisms = ["stub"]\n')
        plugin = self.folder / "copy.so"
        shutil.copy(STUB, plugin)
        sweep = [sys.executable, ROOT / "scripts" / "sweep", self.folder / "s.toml", "--out", self.folder / "out", "--heddle", HEDDLE]
        done = run(*sweep, "--plugin", plugin)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        first = (self.folder / "out" / "results.csv").read_text()
        self.assertIn(",stub,pass,", first)
        with open(plugin, "ab") as file:
            file.write(b"\0")
        done = run(*sweep, "--plugin", plugin)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotEqual((self.folder / "out" / "results.csv").read_text(), first)  # another key
        done = run(*sweep, "--plugin", self.folder / "none.so")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))

    def test_what_is_no_plug_in_is_refused(self):
        text = self.folder / "text.so"
        text.write_text("no library\n")
        for path, why in ((self.folder / "none.so", "cannot be read: No such file or directory"),
                          (text, "is no shared library that can be loaded: "),
                          (PLUGINS / "empty.so", "is no plug-in of Heddle: HEDDLE_PLUGIN is not in it"),
                          (PLUGINS / "old.so", "was built with interface 0.0.1-000000000000, and this Heddle has "),
                          (PLUGINS / "taken.so", "mechanism spe is there already, of Heddle's own; choose another name"),
                          (PLUGINS / "foreign_key.so", "key core.warps of mechanism other: its name begins with 'other.'"),
                          (PLUGINS / "odd_name.so", "mechanism 'A b': a name is of small letters")):
            self.assertIn(f"heddle: --plugin {path}: {why}", self.refused("plugin", "run", "figure6", "--plugin", path))
            self.assertIn(f"heddle: HEDDLE_PLUGIN {path}: {why}", self.refused("plugin", "bits", HEDDLE_PLUGIN=str(path)))
        copy = self.folder / "copy.so"
        shutil.copy(STUB, copy)
        self.assertIn(f"mechanism stub is there already, of plug-in {STUB}; choose another name",
                      self.refused("plugin", "run", "figure6", "--plugin", STUB, "--plugin", copy))

    def test_what_a_plug_in_may_leave_out_is_one_line(self):
        stub = ("--plugin", STUB, "--mechanism", "stub")
        self.assertIn("mechanism stub: it says nothing of its bits", self.refused("option", "bits", *stub))
        for option in (("--wave", self.folder / "w.vcd"), ("--engine", "cosim"), ("--engine", "rtl")):
            line = self.refused("engine", "run", "figure6", *stub, *option)
            self.assertRegex(line, "mechanism stub has no module for the SystemC kernel|has no Verilated model of mechanism stub")
        self.assertFalse((self.folder / "w.vcd").exists())


if __name__ == "__main__":
    unittest.main()
