#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/release/dwf_study itself, on statistics that nobody measured: which verdicts it gives, how full it says that warps can be, and what
it writes where; mistakes of the caller are one line with status 1."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "release" / "dwf_study"
LOADER = importlib.machinery.SourceFileLoader("dwf_study", str(SCRIPT))
study = importlib.util.module_from_spec(importlib.util.spec_from_loader("dwf_study", LOADER))
LOADER.exec_module(study)
import verdict as rules  # noqa: E402  (of sim/reproduce, which the script has put into the path)


class Verdict(unittest.TestCase):
    def check(self, wanted, paper, *measured):
        self.assertEqual(study.verdict(paper, measured), wanted, (paper, measured))

    def test_the_size_counts(self):
        self.check("reproduced", 1.281, 1.281)
        self.check("direction only", 1.281, 1.047)  # a sixth of the effect
        self.check("direction only", 1.934, 3.3)    # and one that is too large

    def test_the_factor_is_one_of_logarithms(self):
        for paper in (1.5, 0.6):
            for sign in (-1, 1):
                self.check("reproduced", paper, paper ** (rules.FACTOR - 0.001) ** sign)
                self.check("direction only", paper, paper ** (rules.FACTOR + 0.001) ** sign)

    def test_falling_is_judged_as_rising(self):
        for measured in (1.05, 1.13, 1.2, 1.3, 1.4):
            self.assertEqual(study.verdict(1.2, [measured]), study.verdict(1 / 1.2, [1 / measured]))

    def test_the_other_direction_is_none(self):
        self.check("not", 1.2, 0.99)
        self.check("not", 0.9857, 1.001)  # near in size, but a gain and no loss
        self.check("not", 1.2, 1.0)
        self.check("not", 0.9, 1.0)

    def test_a_small_effect_may_miss_by_the_margin(self):
        self.check("reproduced", 0.9857, 0.9857 - rules.MARGIN + 1e-6)
        self.check("direction only", 0.9857, 0.9857 - rules.MARGIN - 1e-6)
        self.check("reproduced", 0.9957, 0.9999)

    def test_a_level_is_reproduced_or_not(self):
        self.assertEqual(study.verdict(0.49, [0.5], level=True), "reproduced")
        self.assertEqual(study.verdict(0.49, [0.75], level=True), "not")
        self.assertEqual(study.verdict(0.195, [0.322], level=True), "not")  # though their logarithms are within 1.5
        self.assertEqual(study.verdict(0.805, [0.69], level=True), "not")
        self.assertEqual(study.verdict(0.49, [0.49, 0.75, 0.75], level=True), "not")

    def test_the_median_of_the_perturbed_runs_decides(self):
        self.check("reproduced", 1.2, 1.2, 1.05, 1.3)
        self.check("reproduced", 1.2, 0.999, 1.2, 1.9)
        self.check("direction only", 1.2, 1.2, 1.05, 1.05)
        self.check("not", 1.2, 0.999, 0.999, 1.3)

    def test_a_statement_without_a_size_has_a_direction_at_most(self):
        self.check("direction only", ">", 1.5, 1.001)
        self.check("not", ">", 1.5, 1.0, 1.0)
        self.check("direction only", "<", 0.2)
        self.check("not", "<", 0.2, 1.1, 1.2)


class Packing(unittest.TestCase):
    def test_is_what_throwing_coins_gives(self):
        coins = random.Random(1)
        rounds = 3000
        for halvings in (1, 2, 3, 4):
            p = 0.5 ** halvings
            fullest, all_lanes = 0, 0
            for _ in range(rounds):
                lanes = []
                for _ in range(study.LANES):  # a bit a thread, set with probability p
                    taken = -1
                    for _ in range(halvings):
                        taken &= coins.getrandbits(study.THREADS // study.LANES)
                    lanes.append(bin(taken).count("1"))
                fullest += max(lanes)
                all_lanes += -(-sum(lanes) // study.LANES)
            self.assertAlmostEqual(study.warps_lane_aware(p) / (fullest / rounds), 1, delta=0.03)
            self.assertAlmostEqual(study.warps_ideal(p) / (all_lanes / rounds), 1, delta=0.03)

    def test_is_whole_where_all_threads_go(self):
        self.assertAlmostEqual(study.fill_of_side(study.warps_lane_aware, 1), 1)
        self.assertAlmostEqual(study.fill_of_side(study.warps_ideal, 1), 1)
        self.assertAlmostEqual(study.warps_lane_aware(0), 0)

    def test_lanes_cost_something(self):
        for one_in in study.ONE_IN:
            self.assertLess(study.fill_of_side(study.warps_lane_aware, 1 / one_in), study.fill_of_side(study.warps_ideal, 1 / one_in))


# IPC of every run by machine; what is not named has that of PDOM.
def statistics(ipc, perturb=3):
    stats = {}
    for name, arguments in study.plan("small", perturb, experiments=True).items():
        machine = name.split()[-2].replace("_", " ")
        latency = int(name.split()[-1])
        value = ipc.get((machine, latency), ipc.get(machine, ipc["pdom"]))
        stats[name] = {"cycles": 1000, "thread_instructions": int(1000 * value), "warp_instructions": 500, "ipc": value,
                       "lane_utilization": value / 16, "warp_size_histogram": {"W%d" % size: 10 for size in range(17)},
                       "l1": {"accesses": 100, "misses": 5}, "memory": {"busy_cycles": 100}, "barrel": {"max_wait_cycles": 50}}
        assert arguments[0] in [program.workload for program in study.PROGRAMS] + study.DIVERGENT + ["ifelse"]
    return stats


def lines(ipc, perturb=3):
    return study.report(study.Study(statistics(ipc, perturb), "small", perturb), "heddle 0")


def row(report, start):
    found = [line for line in report if line.startswith("| " + start)]
    assert len(found) == 1, (start, found)
    return [cell.strip() for cell in found[0].strip("| ").split(" | ")]


class Report(unittest.TestCase):
    def test_gives_direction_size_and_spread(self):
        report = lines({"pdom": 8.0, "ideal dmaj": 9.8, ("ideal dmaj", 95): 9.6, ("ideal dmaj", 105): 10.0, "dwf dmaj": 8.4, "mimd": 7.9})
        self.assertEqual(row(report, "DWF (DMaj, no lane conflicts) over PDOM")[1:],
                         ["+22.5 %"] + 3 * ["+22.5 % (+20.0 % to +25.0 %)", "reproduced"] + ["+22.5 % to +22.5 %: holds it"])
        self.assertEqual(row(report, "DWF (DMaj, lane-aware) over PDOM")[3], "direction only")
        self.assertEqual(row(report, "MIMD over PDOM")[3], "**not**")

    def test_experiments_leave_a_program_out_and_take_bandwidth_away(self):
        report = lines({"pdom": 8.0, "mimd": 10.0, "mimd, 4 bytes a cycle": 9.0, "ideal dmaj, 2 bytes a cycle": 10.0})
        self.assertEqual(row(report, "mimd / ideal dmaj"), ["mimd / ideal dmaj", "+4.6 %"] + 8 * ["+25.0 %, +25.0 %, +25.0 %"] + ["+12.5 %, +12.5 %, +12.5 %", "-20.0 %, -20.0 %, -20.0 %"])
        stats = statistics({"pdom": 8.0, "mimd": 10.0})
        for name, run in stats.items():
            if name.startswith("lu ") and "mimd" in name:
                run["ipc"] = 8.0
        alone = row(study.report(study.Study(stats, "small", 3), "heddle 0"), "mimd / ideal dmaj")
        self.assertEqual([cell == "+25.0 %, +25.0 %, +25.0 %" for cell in alone[2:10]], [False] + [program.workload == "lu" for program in study.PROGRAMS])

    def test_has_no_spread_where_memory_is_ideal(self):
        report = lines({"pdom": 8.0, "pdom 16, ideal memory": 8.0})
        self.assertEqual(row(report, "PDOM, IPC of peak, ideal memory, 16 lanes")[1:4], ["49.0 %", "50.0 %", "reproduced"])
        self.assertEqual(row(report, "Black-Scholes, DPdPri, lane-aware: IPC of peak")[2:4], ["50.0 % (50.0 % to 50.0 %)", "**not**"])

    def test_counts_the_verdicts(self):
        report = lines({"pdom": 8.0})
        counted = next(line for line in report if line.startswith("As published: "))
        marks = [row(report, statement[0])[3] for statement in study.statements(study.Study(statistics({"pdom": 8.0}), "small", 3), "published")]
        self.assertIn("%d not; A launch a phase" % marks.count("**not**"), counted)
        self.assertIn("%d reproduced" % marks.count("reproduced"), counted)

    def test_says_whether_the_range_holds_the_papers_figure(self):
        self.assertTrue(study.within(1.2, 1.1, 1.3))
        self.assertFalse(study.within(1.2, 1.21, 1.3))
        self.assertFalse(study.within(1.2, 1.0, 1.19))
        self.assertTrue(study.within("<", 0.9, 1.1))
        self.assertFalse(study.within("<", 1.0, 1.1))
        self.assertFalse(study.within(">", 0.9, 1.0))
        stats = statistics({"pdom": 8.0})
        for name in stats:
            if "memory=launches" in name or "loops=launches" in name or "blocks=16" in name:
                stats[name]["ipc"] *= 1.5 if "ideal_dmaj" in name else 1
        report = study.report(study.Study(stats, "small", 3), "heddle 0")
        self.assertTrue(row(report, "DWF (DMaj, no lane conflicts) over PDOM")[-1].endswith("holds it"))

    def test_needs_no_perturbation(self):
        self.assertEqual(row(lines({"pdom": 8.0, "naive": 4.0}, 1), "PDOM over naive")[2], "+100.0 %")


def call(*arguments):
    done = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.saved = self.folder / "study.json"
        self.saved.write_text(json.dumps({"version": "heddle 0", "stats": statistics({"pdom": 8.0})}))

    def test_reports_saved_statistics(self):
        status, out, errors = call("--size", "small", "--from", self.saved)
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("heddle 0, size small", out)
        self.assertIn("memory.latency 95, 100, 105", out)

    def test_refuses_what_is_no_such_file(self):
        for text in ("", "[]", "{}", json.dumps({"version": "heddle 0", "stats": {}})):
            self.saved.write_text(text)
            status, out, errors = call("--size", "small", "--from", self.saved)
            self.assertEqual((status, out), (1, ""))
            self.assertRegex(errors, r"^scripts/release/dwf_study: --from .*study.json (is no file of an earlier --json|has not the run).*\n$")
        self.assertRegex(call("--from", self.folder / "none.json")[2], "none.json is no file of an earlier --json")

    def test_refuses_an_even_number_of_perturbations(self):
        for number in ("0", "2", "-1"):
            self.assertEqual(call("--perturb", number), (1, "", "scripts/release/dwf_study: --perturb is %s: give an odd number, at least 1\n" % number))

    def test_refuses_no_jobs_and_no_build(self):
        self.assertEqual(call("--jobs", "0"), (1, "", "scripts/release/dwf_study: --jobs is 0: give at least 1\n"))
        self.assertEqual(call("--build", "nowhere"), (1, "", "scripts/release/dwf_study: nowhere/bin/heddle is not there: run scripts/build first\n"))

    def test_writes_between_the_marks_only(self):
        page = self.folder / "page.md"
        self.addCleanup(setattr, study, "PAGE", study.PAGE)
        study.PAGE = str(page)
        page.write_text("before\n%s\nold\n%s\nbehind\n" % (study.BEGIN, study.END))
        study.write_page(["new"])
        self.assertEqual(page.read_text(), "before\n%s\nnew\n%s\nbehind\n" % (study.BEGIN, study.END))
        page.write_text("no marks\n")
        with self.assertRaises(SystemExit) as stopped, contextlib.redirect_stderr(io.StringIO()):
            study.write_page(["new"])
        self.assertIn("has lost its marks", str(stopped.exception))
        self.assertEqual(page.read_text(), "no marks\n")


if __name__ == "__main__":
    unittest.main()
