#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/prove itself: a wrong design fails with a counterexample, an empty property and a harmless mutant do not pass,
and mistakes of the caller are one line with status 2."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def prove(root, *arguments, **options):
    done = subprocess.run([sys.executable, ROOT / "scripts" / "prove", "--root", root, "--jobs", "1", "--seconds", "20", *arguments],
                          capture_output=True, text=True, **options)
    return done.returncode, done.stdout, done.stderr


class Prove(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for part in ("rtl", "scripts", "synthesis", "tests/faults", "tests/common"):
            shutil.copytree(ROOT / part, self.root / part)

    def change(self, file, old, new):
        path = self.root / file
        text = path.read_text()
        self.assertEqual(text.count(old), 1)
        path.write_text(text.replace(old, new))

    def test_a_wrong_design_fails_with_a_counterexample(self):
        self.change("rtl/common/rr_arbiter.sv", "= later_up_to[NumReq-1] ? later_up_to : req_up_to;", "= req_up_to;")
        status, out, errors = prove(self.root, "rr_arbiter", "--quick", "--property", "bounded_wait", "--keep", self.root / "keep")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"bounded_wait +failed")
        self.assertRegex(errors, r"^prove: rr_arbiter bounded_wait \(NumReq=5\) fails in cycle \d+: \S+\.txt, \S+\.vcd\n$")
        text = next((self.root / "keep").glob("*.txt")).read_text()
        self.assertIn("req_i = ", text)
        self.assertRegex(text.split("\ncycle ")[-1], r"waited_q = 0x5\n")   # the state that must not be
        vcd = next((self.root / "keep").glob("*.vcd")).read_text()
        self.assertIn("$enddefinitions", vcd)

    def test_a_property_that_says_nothing_does_not_pass(self):
        self.change("tests/common/rr_arbiter_props.sv", "cover (32'(waited_q) == NumReq - 1)", "cover (32'(waited_q) == NumReq)")
        status, _, errors = prove(self.root, "rr_arbiter", "--quick", "--property", "bounded_wait")
        self.assertEqual(status, 1)
        self.assertIn("cover bounded_wait_seen is unreachable: the property says nothing", errors)

    def test_what_is_inductive_but_false_from_the_start_fails(self):
        props = "tests/common/rr_arbiter_props.sv"
        self.change(props, "logic rst_n = 1'b0;", "logic rst_n = 1'b0, stays_q = 1'b0;")
        self.change(props, "rst_n <= 1'b1;", "{rst_n, stays_q} <= {1'b1, stays_q || (stays_q && enable_i)};")
        self.change(props, "      never_idle: assert (!enable_i || (req_i == '0) || grant_valid);\n", "")
        self.change(props, "    if (rst_n) begin", "    never_idle: assert (stays_q);\n    if (rst_n) begin")
        status, out, errors = prove(self.root, "rr_arbiter", "--quick", "--property", "never_idle", "--keep", self.root / "keep")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"never_idle +failed")
        self.assertIn("never_idle (NumReq=5) fails in cycle 0", errors)

    def test_a_mutant_that_survives_does_not_pass(self):
        self.change("tests/faults/prove/arbiter_restarts_at_zero.fault", "with:\n= req_up_to;",
                    "with:\n= (later_up_to == '0) ? req_up_to : later_up_to;")
        status, out, errors = prove(self.root, "rr_arbiter", "--property", "bounded_wait")
        self.assertEqual(status, 1)
        self.assertIn("mutant arbiter_restarts_at_zero survives (the property is proved)", errors)
        self.assertIn("survives", out)

    def test_an_outdated_mutant_is_named(self):
        self.change("rtl/common/rr_arbiter.sv", "? later_up_to : req_up_to;", "? later_up_to : any_up_to(req_i);")
        status, _, errors = prove(self.root, "rr_arbiter", "--property", "bounded_wait")
        self.assertEqual(status, 1)
        self.assertIn("mutant arbiter_restarts_at_zero: the fault no longer applies", errors)

    def test_an_annotation_without_its_label_is_named(self):
        self.change("tests/common/rr_arbiter_props.sv", "never_idle_seen: cover", "never_busy_seen: cover")
        status, _, errors = prove(self.root, "--list")
        self.assertEqual((status, errors), (2, "prove: tests/common/rr_arbiter_props.sv: never_busy_seen: no annotation\n"))

    def test_a_run_of_some_properties_is_of_these_only(self):
        props = "tests/common/rr_arbiter_props.sv"
        self.change(props, "//! run NumReq=24\n", "//! run NumReq=3 of never_idle grant_is_one_hot\n")
        status, out, _ = prove(self.root, "rr_arbiter")
        self.assertEqual(status, 0)
        self.assertEqual(len(re.findall(r"NumReq=5 .* proved .* cycle \d+$", out, re.M)), 4)
        self.assertEqual(re.findall(r"NumReq=3 +(\w+) +proved .* cycle \d+ +-$", out, re.M), ["grant_is_one_hot", "never_idle"])
        status, out, _ = prove(self.root, "rr_arbiter", "--list")
        self.assertIn("`NumReq=5`; `NumReq=3` (of `never_idle`, `grant_is_one_hot` only).", out)
        self.change(props, "of never_idle", "of never_busy")
        status, _, errors = prove(self.root, "rr_arbiter", "--list")
        self.assertEqual((status, errors), (2, "prove: tests/common/rr_arbiter_props.sv: run of never_busy, which is no property\n"))

    def test_mistakes_of_the_caller_are_one_line(self):
        status, out, errors = prove(self.root, "no_such_module")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(errors, r"^prove: no module no_such_module with properties; there are [^\n]*\n$")
        status, out, errors = prove(self.root, "rr_arbiter", "--property", "no_such_property")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(errors, r"^prove: no property no_such_property in rr_arbiter[^\n]*\n$")
        status, out, errors = prove(self.root, "rr_arbiter", env=dict(os.environ, PATH="/nowhere"))
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(errors, r"^prove: not installed: yosys \(apt-get install yosys\), [^\n]*\n$")

    def test_sby_files_are_written(self):
        status, _, _ = prove(self.root, "--sby", self.root / "sby")
        self.assertEqual(status, 0)
        text = (self.root / "sby" / "rr_arbiter_0.sby").read_text()
        self.assertIn("hierarchy -check -top rr_arbiter_props -chparam NumReq 5", text)
        self.assertIn("prove: abc pdr", text)


if __name__ == "__main__":
    unittest.main()
