#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/prove itself: a wrong design fails with a counterexample, an empty property and a harmless mutant do not pass,
and mistakes of the caller are one line with status 2."""
import argparse
import contextlib
import io
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROPS = "tests/common/rr_arbiter_props.sv"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
from load_script import load_script  # noqa: E402


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
        self.change(PROPS, "//! run NumReq=24\n", "")   # 5 requests are the same to the script, and quick

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

    def test_what_there_is_no_time_for_is_undecided(self):
        script, prover = self.script_and_prover(ROOT, quick=True, property=None, seconds=5)
        module = script.Module(ROOT / PROPS, ROOT)
        self.assertEqual({row[3].kind for row in prover.quick([module], set())}, {"proved"})
        script, prover = self.script_and_prover(ROOT, quick=True, property=None, seconds=5)
        prover.limit = 0
        rows = [script.columns(row) for row in prover.quick([module], set())]
        self.assertEqual([row[2:4] + row[5:] for row in rows], [[name, "undecided", "-", "-"] for name in module.properties])
        self.assertEqual([script.columns(row)[3:] for row in prover.all([module])][0], ["undecided", "0.0", "undecided", "undecided"])

    def test_what_does_not_elaborate_is_told_however_late_it_is(self):
        self.change(PROPS, "rst_n <= 1'b1;", "rst_n <= enabel_i;")
        shutil.copytree(ROOT / "tests/core", self.root / "tests/core")
        script, prover = self.script_and_prover(self.root, quick=True, property=None, seconds=5)
        modules = [script.Module(self.root / name, self.root) for name in (PROPS, "tests/core/fetch_request_props.sv")]
        prover.limit = 0
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            kinds = {(row[0].name, row[3].kind) for row in prover.quick(modules, set())}
        self.assertEqual(kinds, {("rr_arbiter", "failed"), ("fetch_request", "undecided")})
        self.assertRegex(errors.getvalue(), r"^prove: rr_arbiter \(NumReq=5\) does not elaborate: [^\n]*enabel_i[^\n]*\n$")

    def test_what_is_on_record_is_not_proved_again_until_it_changes(self):
        docs = self.root / "docs"
        docs.mkdir()
        (docs / "proofs.tsv").write_text("")
        self.assertEqual(prove(self.root, "rr_arbiter", "--results")[0], 0)
        self.assertIn("\n4 recorded, 0 proved, 0 bounded, 0 failed, 0 undecided", prove(self.root, "rr_arbiter", "--quick")[1])
        self.change("rtl/common/rr_arbiter.sv", "= later_up_to[NumReq-1] ? later_up_to : req_up_to;", "= req_up_to;")
        status, out, _ = prove(self.root, "rr_arbiter", "--quick", "--keep", self.root / "keep")
        self.assertEqual(status, 1)
        self.assertIn("\n0 recorded, 0 proved, 3 bounded, 1 failed, 0 undecided", out)

    def test_results_go_on_where_they_were_interrupted(self):
        path = self.root / "docs" / "proofs.tsv"
        path.parent.mkdir()
        path.write_text("")
        self.assertEqual(prove(self.root, "rr_arbiter", "--results")[0], 0)
        whole = path.read_text()

        def again(text):
            path.write_text(text)
            said = prove(self.root, "rr_arbiter", "--results")[1].splitlines()
            self.assertEqual([line.split("\t")[:4] for line in path.read_text().splitlines()], [line.split("\t")[:4] for line in whole.splitlines()])
            return said[1:-1], said[-1].split(",")[:2]

        lines = whole.splitlines(keepends=True)
        self.assertEqual(again(whole), ([], ["4 kept", " 0 proved"]))
        for line, change in ((2, ""), (2, re.sub(r"\tproved\t", "\tbounded 9\t", lines[2])), (2, re.sub(r"cycle \d+\t(?=\w+\n)", "-\t", lines[2])),
                             (3, re.sub(r"\w+\n", "0123456789abcdef\n", lines[3]))):
            with self.subTest(change=change):
                self.assertNotEqual(change, lines[line])
                rows, counts = again("".join(lines[:line] + [change] + lines[line + 1:]))
                self.assertEqual([row.split()[2] for row in rows], [lines[line].split("\t")[2]])
                self.assertEqual(counts, ["3 kept", " 1 proved"])

    def test_what_is_not_proved_in_time_is_searched(self):
        script, prover = self.script_and_prover(ROOT, quick=True, property=None, seconds=5)
        module = script.Module(ROOT / PROPS, ROOT)
        prover.quick_proof = prover.quick_deep_search = lambda group: None
        self.assertEqual({(row[3].kind, row[3].cycles) for row in prover.quick([module], set())}, {("bounded", script.QUICK_CYCLES)})

    def results_of(self, name):
        """The script, its prover, the module, and its lines in docs/proofs.tsv, as if they were of today."""
        script, prover = self.script_and_prover(ROOT)
        module = next(script.Module(p, ROOT) for p in (ROOT / "tests").glob(f"*/{name}_props.sv"))
        rows = [row[:-1] + [prover.digest(module)] for row in script.read_results(ROOT / "docs" / "proofs.tsv") if row[0] == name]
        return script, prover, module, rows

    def test_no_result_is_a_bad_one(self):
        script, prover, module, rows = self.results_of("wakeup")
        row = next(row for row in rows if row[6].startswith("cycle"))
        self.assertEqual(script.check_results(rows, [module], prover), 0)
        for instead in ([row[:3] + ["bounded 9"] + row[4:]], [row[:6] + ["survives"] + row[7:]],
                        [row[:5] + ["out of reach"] + row[6:]]):
            with self.subTest(instead=instead), contextlib.redirect_stderr(io.StringIO()):
                at = rows.index(row)
                self.assertEqual(script.check_results(rows[:at] + instead + rows[at + 1:], [module], prover), 1)

    def test_a_property_without_a_result_is_named_and_does_not_fail(self):
        script, prover, module, rows = self.results_of("wakeup")
        for some in (rows[1:], rows + rows[:1], [rows[0][:2] + ["sleep"] + rows[0][3:]] + rows[1:]):
            with self.subTest(some=some), contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(script.check_results(some, [module], prover), 0)
                self.assertEqual(out.getvalue()[:len("old: wakeup: ")], "old: wakeup: ")

    def test_results_of_earlier_files_are_named_and_do_not_fail(self):
        script, prover, module, rows = self.results_of("wakeup")
        for stamp, said in (("0123456789abcdef", "old: wakeup: "), (rows[0][-1], "")):
            with self.subTest(stamp=stamp), contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(script.check_results([rows[0][:-1] + [stamp]] + rows[1:], [module], prover), 0)
                self.assertEqual(out.getvalue()[:len("old: wakeup: ")], said)

    def test_results_take_the_place_of_earlier_ones_and_go_with_their_property(self):
        script, _, module, rows = self.results_of("rr_arbiter")
        path = self.root / "proofs.tsv"
        path.write_text("")
        again = rows[0][:4] + ["9.9"] + rows[0][5:]
        script.write_results(path, [module], rows[1:] + [["gone"] + rows[0][1:]])
        script.write_results(path, [module], [rows[0]])
        script.write_results(path, [module], [again])
        self.assertEqual(script.read_results(path), [again] + rows[1:])

    def test_results_are_of_files_and_mutants_without_comments_and_layout(self):
        def digest():
            script, prover = self.script_and_prover(self.root)
            return prover.digest(script.Module(self.root / PROPS, self.root))

        rtl, before = "rtl/common/rr_arbiter.sv", digest()
        self.change(rtl, "= later_up_to[NumReq-1] ? later_up_to : req_up_to;", "=  // the next\n later_up_to[NumReq-1] ? later_up_to : req_up_to;")
        self.assertEqual(digest(), before)
        self.change("rtl/common/heddle_pkg.sv", "localparam PcW = 32;", "localparam PcW = 31;")   # not named by the arbiter
        self.assertEqual(digest(), before)
        mutant = "tests/faults/prove/arbiter_restarts_at_zero.fault"
        self.change(mutant, "later_up_to : ->", "later_up_to : req_up_to -> req_up_to")   # the same in other words
        self.assertEqual(digest(), before)
        seen = {before}
        for file, old, new in (("rtl/common/heddle_pkg.sv", "idx_width = (n > 2)", "idx_width = (n > 3)"),
                               ("rtl/common/heddle_pkg.sv", "endpackage", "  typedef logic name_t;\nendpackage"),
                               (mutant, "-> req_up_to", "-> req_i"),
                               (rtl, "? later_up_to : req_up_to;", "? req_up_to : later_up_to;"),
                               (PROPS, "never_idle: assert (!enable_i ||", "never_idle: assert (enable_i ||")):
            self.change(file, old, new)
            self.assertNotIn(digest(), seen)
            seen.add(digest())

    def script_and_prover(self, root, **options):
        script = load_script(ROOT / "scripts" / "prove")
        prover = script.Prover(root, argparse.Namespace(**{"jobs": 1, "keep": None, "quick": False, "all": False, **options}))
        self.addCleanup(prover.temporary.cleanup)
        return script, prover

    def test_an_assertion_is_the_disjunction_of_its_parts(self):
        script = load_script(ROOT / "scripts" / "prove")
        for seed in range(50):
            draw = random.Random(seed)
            aiger = object.__new__(script.Aiger)
            aiger.inputs, aiger.nexts, aiger.gates = 6, [0, 0], []
            for number in range(9, 9 + draw.randint(1, 30)):   # of the gate's variable; those below are inputs and latches
                aiger.gates.append(tuple(2 * draw.randrange(max(1, number - 6), number) + draw.randint(0, 1) for _ in "ab"))
            output = 2 * (8 + len(aiger.gates)) + draw.randint(0, 1)
            parts = aiger.parts(output)
            for row in range(1 << 8):
                value = [0] + [row >> i & 1 for i in range(8)]

                def of(literal):
                    return value[literal >> 1] ^ (literal & 1)

                for a, b in aiger.gates:
                    value.append(of(a) & of(b))
                self.assertEqual(any(all(map(of, part)) for part in parts), of(output) == 1, (seed, row))

    def test_what_is_taken_apart_is_proved_and_refuted_alike(self):
        script = load_script(ROOT / "scripts" / "prove")
        abc = script.abc
        script.abc = lambda command, seconds: "" if " -C " in command else abc(command, seconds)   # nothing is decided soon

        def is_inductive(next_of_last):
            """A ring of latches of which one is 1, but for the way back: no two are."""
            folder = tempfile.TemporaryDirectory()
            self.addCleanup(folder.cleanup)
            size = 12
            source = pathlib.Path(folder.name) / "ring.v"
            source.write_text(f"module ring (input clk); reg [{size - 1}:0] r = 1; always @(posedge clk) r <= {next_of_last};\n"
                              f"integer i, n; reg two; always @* begin n = 0; for (i = 0; i < {size}; i = i + 1) n = n + r[i]; two = n != 1; end\n"
                              "always @* assert (!two); endmodule\n")
            aig = source.with_suffix(".aig")
            subprocess.run(["yosys", "-q", "-p", f"read_verilog -formal {source}; prep -flatten; opt -full; techmap; opt -fast; async2sync; dffunmap; "
                            f"simplemap; abc -g AND -fast; opt_clean; write_aiger -zinit {aig}"], check=True)
            return script.is_inductive(aig, 20)

        self.assertTrue(is_inductive("{r[10:0], r[11]}"))
        self.assertFalse(is_inductive("{r[10:0], r[11] | r[3]}"))

    def test_a_property_that_says_nothing_does_not_pass(self):
        self.change(PROPS, "cover (32'(waited_q) == NumReq - 1)", "cover (32'(waited_q) == NumReq)")
        status, _, errors = prove(self.root, "rr_arbiter", "--property", "bounded_wait")
        self.assertEqual(status, 1)
        self.assertIn("cover bounded_wait_seen is unreachable: the property says nothing", errors)

    def test_what_is_inductive_but_false_from_the_start_fails(self):
        self.change(PROPS, "logic rst_n = 1'b0;", "logic rst_n = 1'b0, stays_q = 1'b0;")
        self.change(PROPS, "rst_n <= 1'b1;", "{rst_n, stays_q} <= {1'b1, stays_q || (stays_q && enable_i)};")
        self.change(PROPS, "      never_idle: assert (!enable_i || (req_i == '0) || grant_valid);\n", "")
        self.change(PROPS, "    if (rst_n) begin", "    never_idle: assert (stays_q);\n    if (rst_n) begin")
        status, out, errors = prove(self.root, "rr_arbiter", "--quick", "--property", "never_idle", "--keep", self.root / "keep")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"never_idle +failed")
        self.assertIn("never_idle (NumReq=5) fails in cycle 0", errors)

    def test_a_mutant_that_survives_does_not_pass(self):
        self.change("tests/faults/prove/arbiter_restarts_at_zero.fault", "later_up_to[NumReq-1] ? later_up_to : ->",
                    "later_up_to[NumReq-1] ? later_up_to : req_up_to -> (later_up_to == '0) ? req_up_to : later_up_to")
        status, out, errors = prove(self.root, "rr_arbiter", "--property", "bounded_wait")
        self.assertEqual(status, 1)
        self.assertIn("mutant arbiter_restarts_at_zero survives (the property is proved)", errors)
        self.assertIn("survives", out)

    def test_an_outdated_mutant_is_named(self):
        self.change("rtl/common/rr_arbiter.sv", "= later_up_to[NumReq-1] ?", "= (later_up_to != '0) ?")
        status, _, errors = prove(self.root, "rr_arbiter", "--property", "bounded_wait")
        self.assertEqual(status, 1)
        self.assertIn("mutant arbiter_restarts_at_zero: the fault no longer applies", errors)

    def test_an_annotation_without_its_label_is_named(self):
        self.change(PROPS, "never_idle_seen: cover", "never_busy_seen: cover")
        status, _, errors = prove(self.root, "--list")
        self.assertEqual((status, errors), (2, "prove: tests/common/rr_arbiter_props.sv: never_busy_seen: no annotation\n"))

    def test_a_run_of_some_properties_is_of_these_only(self):
        self.change(PROPS, "//! run NumReq=5\n", "//! run NumReq=5\n//! run NumReq=3 of never_idle grant_is_one_hot\n")
        status, out, _ = prove(self.root, "rr_arbiter")
        self.assertEqual(status, 0)
        self.assertEqual(len(re.findall(r"NumReq=5 .* proved .* cycle \d+$", out, re.M)), 4)
        self.assertEqual(re.findall(r"NumReq=3 +(\w+) +proved .* cycle \d+ +-$", out, re.M), ["grant_is_one_hot", "never_idle"])
        status, out, _ = prove(self.root, "rr_arbiter", "--list")
        self.assertIn("`NumReq=5`; `NumReq=3` (of `never_idle`, `grant_is_one_hot` only).", out)
        self.change(PROPS, "of never_idle", "of never_busy")
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
