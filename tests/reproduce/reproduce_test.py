#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""heddle reproduce. Environment: HEDDLE, CHROMIUM."""

import html.parser
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim" / "reproduce"))
sys.dont_write_bytecode = True
import dpe  # noqa: E402
from evaluation import Results  # noqa: E402

HEDDLE = os.environ["HEDDLE"]


def stats(cycles=1000, **more):
    """Of a run in which nothing is remarkable."""
    return {"cycles": cycles, "warp_instructions": 100, "thread_instructions": 3200, "ipc": 3.2, "lane_utilization": 0.5, "avg_path": 1.0, "sibling_issues": 10, "idle_cycles": 1000, "schedulers": 30,
            "stalls": {"memory": 600, "scoreboard": 400}, "divergent_branches": 5, "interleavable_branches": 0, "max_stack_depth": 3, "stack_depth_histogram": {"1": 50, "2": 50},
            "l1": {"misses": 100}, "l2": {"misses": 50}, "dws": {"merges": 7}, **more}


def documents(change=None):
    """Of every run of the dual-path paper's evaluation; change(kernel, machine, name) returns what is different in one's statistics."""
    found = {}
    for name in dpe.Dpe("small", 3).plan():
        if name.startswith("bits of "):
            sides = {"bits of SPE": [32, 32, 32], "bits of DPE": [32, 32, 32, 32, 32]}[name]
            found[name] = {"paper": {"structures": [{"name": "stack", "fields": [{"name": str(n), "bits": bits} for n, bits in enumerate(sides)]},
                                                    {"name": "scoreboard left", "fields": [{"name": "P", "bits": 1}, {"name": "S", "bits": 1}, {"name": "reg", "bits": 6}]}]}}
            continue
        kernel, machine = re.fullmatch(r"(\S+) on ((?:SPE|DPE|DWS\d+)(?:, (?:execute|no predication|gto|constrained|optimistic|forwarding))?).*", name).groups()
        more = (change(kernel, machine, name) if change else None) or {}
        found[name] = {"stats": stats(**more), "branches": []}
    return found


def verdicts(change=None):
    return {claim.statement: claim for claim in dpe.Dpe("small", 3).claims(Results(documents(change)))}


class Claims(unittest.TestCase):
    """Verdicts of figures that are made up."""

    GAIN = "DPE over SPE, mean of the interleavable kernels"

    def test_a_gain_like_the_papers(self):
        claim = verdicts(lambda kernel, machine, name: {"cycles": 870} if machine == "DPE" and kernel in dpe.INTERLEAVABLE else None)[self.GAIN]
        self.assertEqual((claim.verdict, claim.measured), ("reproduced", "+14.9 % (+14.9 % to +14.9 %)"))
        self.assertEqual(len(claim.runs), 7 * 2 * 3)
        self.assertEqual(claim.reason, "")

    def test_a_gain_that_one_perturbed_run_does_not_have(self):
        claim = verdicts(lambda kernel, machine, name: {"cycles": 870} if machine == "DPE" and "controller 178" not in name else None)[self.GAIN]
        self.assertEqual(claim.verdict, "not")
        self.assertIn("LUD +14.9 %", claim.reason)

    def test_a_small_gain_and_none(self):
        self.assertEqual(verdicts(lambda kernel, machine, name: {"cycles": 970} if machine == "DPE" else None)[self.GAIN].verdict, "direction only")
        self.assertEqual(verdicts()[self.GAIN].verdict, "not")

    def test_a_kernel_that_is_slower(self):
        statement = "DPE never degrades a kernel that is not interleavable"
        self.assertEqual(verdicts()[statement].verdict, "reproduced")
        self.assertEqual(verdicts(lambda kernel, machine, name: {"cycles": 1011} if machine == "DPE" and kernel == "NW" else None)[statement].verdict, "not")
        self.assertEqual(verdicts(lambda kernel, machine, name: {"cycles": 1009} if machine == "DPE" and kernel == "NW" else None)[statement].verdict, "reproduced")

    def test_work_that_differs_by_an_instruction(self):
        statement = "DPE loses no lane utilization on any kernel"
        self.assertEqual(verdicts()[statement].verdict, "reproduced")
        self.assertEqual(verdicts(lambda kernel, machine, name: {"warp_instructions": 101} if name == "BFS on DPE, controller 162" else None)[statement].verdict, "not")

    def test_a_cache_size_that_changes_the_gain(self):
        statement = "The gain stays within 2 % when L2's size varies"
        self.assertEqual(verdicts()[statement].verdict, "reproduced")
        claim = verdicts(lambda kernel, machine, name: {"cycles": 970} if name == "RAY on DPE, l2.bytes=192K" else None)[statement]
        self.assertEqual(claim.verdict, "not")
        self.assertIn("RAY at 192K by 3.1%", claim.reason)

    def test_stalls_depth_and_bits(self):
        self.assertEqual(verdicts(lambda kernel, machine, name: {"max_stack_depth": 8} if name == "RAY on DPE" else None)["Greatest stack depth of DPE"].verdict, "not")
        self.assertEqual(verdicts()["An entry of the stack has 96 bits in SPE and 160 in DPE"].verdict, "reproduced")
        self.assertEqual(verdicts()["Shadow bits are 7 to 14 % of DPE's scoreboard"].measured, "12.5 %")

    def test_a_run_that_is_missing(self):
        found = documents()
        found["LUD on DPE"] = None
        evaluation = dpe.Dpe("small", 3)
        claims = {claim.statement: claim for claim in evaluation.claims(Results(found))}
        self.assertEqual(claims[self.GAIN].verdict, "not asked")
        self.assertIn("the run 'LUD on DPE' did not end well", claims[self.GAIN].reason)
        self.assertEqual(claims["QSort: DPE over SPE (the same)"].verdict, "not")
        self.assertTrue(any("The run 'LUD on DPE' did not end well" in figure.text for figure in evaluation.figures(Results(found))))

    def test_every_figure_knows_its_runs(self):
        evaluation, results = dpe.Dpe("small", 3), Results(documents())
        planned = set(evaluation.plan())
        used = set()
        for one in evaluation.claims(results) + evaluation.figures(results):
            self.assertTrue(one.runs)
            used |= set(one.runs)
        self.assertEqual(used, planned)  # nothing is run for nothing


class Reference(html.parser.HTMLParser):
    """What a page asks for from elsewhere, and what it has inside."""

    def __init__(self, text):
        super().__init__()
        self.elsewhere, self.anchors, self.links, self.pictures = [], set(), set(), 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.pictures += tag == "svg"
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            if name in ("href", "src", "xlink:href", "data", "action"):
                if value.startswith("#"):
                    self.links.add(value[1:])
                else:
                    self.elsewhere.append(value)


class ReproduceTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.out = self.folder / "out"

    def reproduce(self, *options, **more):
        done = subprocess.run([str(c) for c in (HEDDLE, "reproduce", *options, "--out", self.out)], capture_output=True, text=True, check=False, **more)
        return done.returncode, done.stdout, done.stderr

    def finished(self):
        return sorted((self.out / "results").glob("*.json"))


class Pages(ReproduceTest):
    def test_a_page_and_what_it_says_of_its_runs(self):
        status, out, errors = self.reproduce("forkjoin")
        self.assertEqual((status, errors), (0, ""))
        page = self.out / "forkjoin-small.html"
        document = json.loads((self.out / "forkjoin-small.json").read_text())
        self.assertTrue(out.endswith(f". {page}\n"), out)
        for claim in document["claims"]:
            self.assertIn(claim["verdict"], ("reproduced", "direction only", "not"))
            self.assertIn(claim["statement"][:60], out)
        text = page.read_text()
        reference = Reference(text)
        self.assertEqual(reference.elsewhere, [])
        self.assertEqual(reference.links - reference.anchors, set())
        self.assertEqual(reference.pictures, sum(bool(figure["rows"]) for figure in document["figures"]))
        # The printed commands repeat the numbers beside them, and the documents that are kept.
        rows = re.findall(r'<tr id="run\d+"><td>(\d+)</td><td class="l"><code>(\w+)\.json</code></td><td class="l"><code>heddle ([^<]*)</code></td><td>([^<]*)</td><td>([^<]*)</td></tr>', text)
        self.assertEqual(len(rows), len(document["runs"]))
        for _, key, command, cycles, instructions in rows[::40] + rows[-1:]:
            again = json.loads(subprocess.run([HEDDLE, *shlex.split(command)], capture_output=True, check=True).stdout)
            kept = json.loads((self.out / "results" / f"{key}.json").read_text())
            self.assertEqual(again.get("stats"), kept.get("stats"))
            self.assertEqual(again.get("structures"), kept.get("structures"))
            if "stats" in again:
                self.assertEqual((cycles, instructions), (f"{again['stats']['cycles']:,}", f"{again['stats']['warp_instructions']:,}"))
        # The same numbers make the same page, without a run.
        before = {path: path.stat().st_mtime_ns for path in self.finished()}
        self.assertEqual(self.reproduce("forkjoin")[0], 0)
        self.assertEqual({path: path.stat().st_mtime_ns for path in self.finished()}, before)
        self.assertEqual(page.read_text(), text)

    def test_a_browser_opens_it(self):
        self.assertEqual(self.reproduce("forkjoin")[0], 0)
        page = self.out / "forkjoin-small.html"
        browser = [os.environ["CHROMIUM"], "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder}/browser"]
        environment = os.environ | {"HOME": str(self.folder)}
        seen = subprocess.run([*browser, "--dump-dom", page.as_uri()], capture_output=True, text=True, check=True, env=environment, timeout=120).stdout
        self.assertEqual(Reference(seen).pictures, Reference(page.read_text()).pictures)
        self.assertIn('<span class="verdict reproduced">reproduced</span>', seen)
        shot = self.folder / "shot.png"
        subprocess.run([*browser, f"--screenshot={shot}", "--window-size=1200,1600", page.as_uri()], capture_output=True, check=True, env=environment, timeout=120)
        from PIL import Image  # of matplotlib's packages
        with Image.open(shot) as picture:
            self.assertEqual(picture.size, (1200, 1600))
            colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24)}
        for badge in ((0x1a, 0x7f, 0x37), (0xb4, 0x23, 0x18), (0x00, 0x72, 0xb2)):  # reproduced, not, and a curve
            self.assertIn(badge, colours)


class Evaluations(ReproduceTest):
    """Each of the others, once; one folder for all."""

    def test_they_end_with_a_verdict_for_each_statement(self):
        for name, statements, pictures in (("dpe", 37, 13), ("dwf", 48, 8), ("linearize", 22, 5)):
            with self.subTest(name):
                status, out, errors = self.reproduce(name, "--runs", 1)
                self.assertEqual((status, errors), (0, ""))
                document = json.loads((self.out / f"{name}-small.json").read_text())
                self.assertEqual(len(document["claims"]), statements)
                self.assertNotIn("not asked", {claim["verdict"] for claim in document["claims"]})
                for claim in document["claims"]:
                    self.assertTrue(claim["runs"])
                self.assertTrue(all(run["kept"] for run in document["runs"]))
                reference = Reference((self.out / f"{name}-small.html").read_text())
                self.assertEqual((reference.elsewhere, reference.pictures), ([], pictures))
                self.assertEqual(reference.links - reference.anchors, set())
                if name == "dpe":
                    found = {claim["statement"]: claim["verdict"] for claim in document["claims"]}
                    self.assertEqual(found["DPE loses no lane utilization on any kernel"], "reproduced")
                    self.assertEqual(found["DPE never degrades a kernel that is not interleavable"], "reproduced")
                    self.assertEqual(found["BFS: no branch is interleavable"], "reproduced")


class Interrupted(ReproduceTest):
    def until_more_are_kept(self, before):
        """Waits until a command that has begun has finished a run more."""
        limit = time.monotonic() + 60
        while len(self.finished()) <= before:
            self.assertLess(time.monotonic(), limit, "no run is kept")
            time.sleep(0.01)

    def test_killed_at_any_moment(self):
        for after in (0, 0.1, 0.3):
            before = len(self.finished())
            with subprocess.Popen([HEDDLE, "reproduce", "forkjoin", "--out", self.out], start_new_session=True, stdout=subprocess.DEVNULL) as child:
                self.until_more_are_kept(before)
                time.sleep(after)
                os.killpg(child.pid, signal.SIGKILL)
            for path in self.finished():
                self.assertIn("heddle", json.loads(path.read_text()))
        kept = {path: path.stat().st_mtime_ns for path in self.finished()}
        self.assertTrue(kept)
        self.assertEqual(self.reproduce("forkjoin")[0], 0)
        self.assertEqual({path: path.stat().st_mtime_ns for path in kept}, kept)

    def test_half_a_result_is_none(self):
        self.assertEqual(self.reproduce("forkjoin")[0], 0)
        broken = self.finished()[5]
        whole = broken.read_text()
        broken.write_text(whole[:100])
        self.assertEqual(self.reproduce("forkjoin")[0], 0)
        self.assertEqual(json.loads(broken.read_text()).get("stats"), json.loads(whole).get("stats"))

    def test_a_signal_that_asks(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            before = len(self.finished())
            with subprocess.Popen([HEDDLE, "reproduce", "dwf", "--size", "default", "--out", self.out], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
                self.until_more_are_kept(before)
                child.send_signal(number)
                out, errors = child.communicate(timeout=20)
            self.assertEqual((child.returncode, out), (128 + number, ""))
            self.assertRegex(errors, r"^heddle: stopped with \d+ of \d+ runs kept in .*; the same command goes on from here\n$")
        self.assertFalse(list(self.out.glob("*.html")))


class BadInput(ReproduceTest):
    def refused(self, message, *options, **more):
        status, out, errors = self.reproduce(*options, **more)
        self.assertEqual((status, out, errors.count("\n")), (2, "", 1), errors)
        self.assertTrue(errors.startswith("heddle: "), errors)
        self.assertIn(message, errors)

    def test_options(self):
        self.refused("an evaluation is missing")
        self.refused("evaluation 'dwfs' is not known; there is dpe, dwf, linearize, forkjoin", "dwfs")
        self.refused("--size 'huge' is not known; there is small, default, large, paper", "dpe", "--size", "huge")
        self.refused("--size paper is dpe's", "dwf", "--size", "paper")
        self.refused("--jobs 0: choose 1 to", "dpe", "--jobs", "0")
        self.refused("--runs 2: choose an odd number", "dpe", "--runs", "2")
        self.assertFalse(self.out.exists())

    def test_folders(self):
        self.out.write_text("")
        self.refused("cannot be written", "forkjoin")
        self.out = pathlib.Path("/proc/none")
        self.refused("/proc/none: cannot be written", "forkjoin")

    def test_no_matplotlib(self):
        (self.folder / "matplotlib.py").write_text("raise ImportError('none here')\n")
        self.refused("install python3-matplotlib", "forkjoin", env=os.environ | {"PYTHONPATH": str(self.folder)})
        self.assertFalse(self.out.exists())

    def test_a_simulator_that_vanishes(self):
        """Before it is asked for its version, before its kernels are read, and behind the first run."""
        gone = self.folder / "gone"
        kernels = pathlib.Path(HEDDLE).resolve().parents[1] / "share" / "heddle" / "kernels"
        for until, message in (("never there", "cannot be run (No such file or directory)"), ("--version", "cannot be read (No such file or directory)"), ("run", "cannot be run (No such file or directory)")):
            with self.subTest(until=until):
                if until != "never there":
                    gone.write_text(f"#!/bin/sh\n[ $1 = {until} ] && rm \"$0\"\nexec '{HEDDLE}' \"$@\"\n")
                    gone.chmod(0o755)
                done = subprocess.run([sys.executable, ROOT / "sim" / "reproduce" / "main.py", "forkjoin", "--heddle", gone, "--size", "small", "--out", self.out, "--jobs", "1", "--perturb", "3"],
                                      capture_output=True, text=True, check=False, env=os.environ | {"HEDDLE_KERNELS": str(kernels)})
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertRegex(done.stderr, rf"^heddle: {re.escape(str(gone))}: {re.escape(message)}[^\n]*\n$")
                self.assertFalse(list(self.out.glob("*.html")))

    def test_a_full_disk(self):
        if os.geteuid() != 0:
            self.skipTest("mounting needs root")
        self.out.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", self.out], check=False, capture_output=True).returncode != 0:
            self.skipTest("no mounts here")
        self.addCleanup(subprocess.run, ["umount", self.out], check=True)
        self.refused("cannot be written (No space left on device)", "forkjoin")
        for path in self.finished():
            self.assertIn("heddle", json.loads(path.read_text()))

    def test_a_run_that_fails_costs_no_other(self):
        kernels = self.folder / "kernels"
        shutil.copytree(pathlib.Path(HEDDLE).resolve().parents[1] / "share" / "heddle" / "kernels", kernels)
        (kernels / "nqueen.forkjoin.elf").write_text("")
        status, out, errors = self.reproduce("forkjoin", env=os.environ | {"HEDDLE_KERNELS": str(kernels)})
        self.assertEqual(status, 1)
        self.assertEqual(errors.count("\n"), 4)
        self.assertIn("heddle: nqueen on forkjoin, 32 lanes: ", errors)
        self.assertIn("not asked", out)
        self.assertIn("The pointer of a wavefront of 64 has 3 bits", out)
        self.assertEqual(sum(not run["kept"] for run in json.loads((self.out / "forkjoin-small.json").read_text())["runs"]), 4)


if __name__ == "__main__":
    unittest.main()
