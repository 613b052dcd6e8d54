#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""heddle reproduce. Environment: HEDDLE, CHROMIUM."""

import html.parser
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim" / "reproduce"))
sys.dont_write_bytecode = True
import dpe  # noqa: E402
import plots  # noqa: E402
import programs as programs_of  # noqa: E402
from evaluation import Results  # noqa: E402
from jobs import Runner, Store, Wrong, make_job  # noqa: E402

HEDDLE = os.environ["HEDDLE"]
ALL = "HEDDLE_ALL" in os.environ  # ctest -C all


def stats(cycles=1000, **more):
    """Of a run in which nothing is remarkable."""
    return {"cycles": cycles, "warp_instructions": 100, "thread_instructions": 3200, "ipc": 3.2, "lane_utilization": 0.5, "avg_path": 1.0, "sibling_issues": 10, "idle_cycles": 1000, "schedulers": 30,
            "stalls": {"no_warp": 0, "memory": 600, "scoreboard": 400}, "divergent_branches": 5, "interleavable_branches": 0, "max_stack_depth": 3, "stack_depth_histogram": {"1": 50, "2": 50},
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
        kernel, machine = re.fullmatch(r"(.+?) on ((?:SPE|DPE|DWS\d+)(?:, (?:execute|no predication|gto|constrained|optimistic|forwarding))?).*", name).groups()
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

    def test_the_median_decides_and_the_others_are_its_error_bar(self):
        claim = verdicts(lambda kernel, machine, name: {"cycles": 870} if machine == "DPE" and "controller 178" not in name else None)[self.GAIN]
        self.assertEqual((claim.verdict, claim.measured), ("reproduced", "+14.9 % (+0.0 % to +14.9 %)"))
        claim = verdicts(lambda kernel, machine, name: {"cycles": 870} if machine == "DPE" and "controller 178" in name else None)[self.GAIN]
        self.assertEqual((claim.verdict, claim.measured), ("not", "+0.0 % (+0.0 % to +14.9 %)"))
        self.assertIn("LUD +0.0 %", claim.parts)
        self.assertEqual(claim.reason, "A second path was there at this share of the issues: " + ", ".join(f"{kernel} 10.0 %" for kernel in dpe.INTERLEAVABLE) + ".")

    def test_a_reason_is_of_other_figures_or_there_is_none(self):
        """A bar that no other figure explains says so; what is reproduced needs no reason."""
        claims = verdicts(lambda kernel, machine, name: {"cycles": 900, "l1": {"misses": 90}, "idle_cycles": 700} if machine == "DPE" and kernel == "MUMpp" else None)
        self.assertEqual(claims["MUMpp: DPE loses by its L1 misses"].reason, "L1 misses -10.0 %; idle cycles -30.0 %.")
        self.assertEqual(claims["MUMpp: L1 misses of DPE"].reason, "Unexplained.")
        self.assertEqual(claims["... against both paths in the selector"].reason, "Unexplained.")
        self.assertEqual({claim.reason for claim in claims.values() if claim.verdict == "reproduced"}, {""})
        self.assertFalse([claim.statement for claim in claims.values() if claim.verdict != "reproduced" and not claim.reason])

    def test_a_program_that_decides_alone_is_named(self):
        """In a mean, in a bound; not where two do, where none does, and in no statement about one program."""
        mean = "Lane utilization of DWS50, the others but DXTC and BACKP"
        def lost(*kernels):  # noqa: E306
            return verdicts(lambda kernel, machine, name: {"lane_utilization": 0.05} if machine == "DWS50" and kernel in kernels else None)[mean]
        self.assertEqual((lost("PathFind").verdict, lost("PathFind").decides), ("reproduced", "PathFind alone decides: without it not, +0.0 % (+0.0 % to +0.0 %)."))
        self.assertEqual(lost("PathFind", "NW").decides, "")
        self.assertEqual((lost("DXTC", "BACKP").verdict, lost("DXTC", "BACKP").measured), ("not", "+0.0 % (+0.0 % to +0.0 %)"))
        bound = "DPE never degrades a kernel that is not interleavable"
        slow = verdicts(lambda kernel, machine, name: {"cycles": 1100} if machine == "DPE" and kernel in ("NW", "LUD") else None)
        self.assertEqual((slow[bound].verdict, slow[bound].decides), ("not", "NW alone decides: without it reproduced."))
        self.assertEqual(slow["LUD: DPE over SPE (from the gains of DWS50)"].decides, "")
        self.assertEqual(verdicts()[bound].decides, "")

    def test_a_mechanism_has_one_colour(self):
        colours = plots._colours  # pylint: disable=protected-access
        self.assertEqual(colours(["SPE", "DPE", "DWS50"])["DPE"], colours(["DPE", "path forwarding"])["DPE"])
        self.assertEqual(len(set(plots.MECHANISMS.values())), len(plots.MECHANISMS) - 1)  # SPE is PDOM
        self.assertFalse(set(plots.MECHANISMS.values()) & set(plots.COLOURS))
        drawn = {name: plots.bars(["a"], {name: [1], "another": [2]}, "") for name in ("DPE", "DWS50")}
        for name, picture in drawn.items():
            self.assertIn(plots.MECHANISMS[name], picture)

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
        spread = {"SPE, controller 162": 101, "SPE, controller 178": 103, "DPE": 105, "DPE, controller 162": 102}
        for more, verdict in ((0, "reproduced"), (4, "not")):
            def changes(kernel, machine, name):
                return {"warp_instructions": spread.get(name.removeprefix("MCML on "), 100) + (more if machine == "DPE" else 0)} if kernel == "MCML" else None
            self.assertEqual(verdicts(changes)[statement].verdict, verdict)

    def test_a_cache_size_that_changes_the_gain(self):
        statement = "The gain stays within 2 % when L2's size varies"
        self.assertEqual(verdicts()[statement].verdict, "reproduced")
        claim = verdicts(lambda kernel, machine, name: {"cycles": 970} if name == "RAY on DPE, l2.bytes=192K" else None)[statement]
        self.assertEqual(claim.verdict, "not")
        self.assertIn("RAY at 192K by 3.1%", claim.parts)
        self.assertEqual(claim.decides, "RAY alone decides: without it reproduced, at most 0.0% (Stencil, 768K).")

    def test_what_the_end_of_a_launch_adds(self):
        """A gain that scheduler-cycles with a warp do not have is told from one that they have."""
        ends_sooner, works_less = {"cycles": 970, "stalls": {"no_warp": 100}}, {"cycles": 970, "stalls": {"no_warp": 1000}}
        def reason(statement, there):  # noqa: E306
            return verdicts(lambda kernel, machine, name: there if kernel == "RAY" and ("optimistic" in name or "DPE, l2.bytes=192K" in name) else {"stalls": {"no_warp": 1000}})[statement].reason
        optimistic, size = "Optimistic scoreboard gains at most 1 % over DPE", "The gain stays within 2 % when L2's size varies"
        self.assertIn("In scheduler-cycles with a warp: LUD +0.0 %, QSort +0.0 %, Stencil +0.0 %, RAY +0.0 %,", reason(optimistic, ends_sooner))
        self.assertIn("RAY +3.2 %,", reason(optimistic, works_less))
        self.assertEqual(reason(size, ends_sooner), "In scheduler-cycles with a warp, too: none.")
        self.assertEqual(reason(size, works_less), "In scheduler-cycles with a warp, too: RAY at 192K.")

    def test_a_second_kernel_stands_beside_and_decides_nothing(self):
        """Where its program alone is meant, and among the kernels; a mean, or a bound over all, is without it."""
        second, = dpe.BESIDE
        plain = verdicts()
        claims = verdicts(lambda kernel, machine, name: {"cycles": 930, "max_stack_depth": 12, "warp_instructions": 100 + (machine == "DPE")} if kernel == second and machine != "SPE" else None)
        statement = "QSort: DPE over SPE (the same)"
        self.assertEqual((claims[statement].verdict, claims[statement].measured), ("not", "+0.0 % (+0.0 % to +0.0 %)"))
        self.assertEqual(claims[statement].parts, f"QSort +0.0 %, {second} +7.5 %")
        self.assertEqual(claims["QSort: DWS50 over SPE"].parts, f"QSort +0.0 %, {second} +7.5 %")
        self.assertEqual(claims["QSort: DWS50 over DPE"].parts, f"QSort +0.0 %, {second} +0.0 %")
        self.assertEqual({name: claim.verdict for name, claim in claims.items()}, {name: claim.verdict for name, claim in plain.items()})
        self.assertEqual({name for name, claim in claims.items() if claim.parts != plain[name].parts}, {statement, "QSort: DWS50 over SPE"})
        evaluation = dpe.Dpe("small", 3)
        figures = {figure.title: figure for figure in evaluation.figures(Results(documents()))}
        self.assertEqual([row[:2] for row in figures["The kernels (Table 2)"].rows][-1], [second, "qsort"])
        self.assertIn(["QSort", "qsort_blocks"], [row[:2] for row in figures["The kernels (Table 2)"].rows])
        self.assertEqual(sum(second in figure.svg for figure in figures.values()), 0)
        self.assertTrue(any(second in paragraph for paragraph in evaluation.about()))

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
        self.assertTrue(any("the run 'LUD on DPE' did not end well" in figure.text for figure in evaluation.figures(Results(found))))

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

    def refused(self, message, *options, **more):
        status, out, errors = self.reproduce(*options, **more)
        self.assertEqual((status, out, errors.count("\n")), (2, "", 1), errors)
        self.assertTrue(errors.startswith("heddle: "), errors)
        self.assertIn(message, errors)


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
        self.assertEqual(self.reproduce("forkjoin", "--runs", 1)[0], 0)
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
        for badge in ((0x1a, 0x7f, 0x37), (0xb4, 0x23, 0x18), (0x33, 0x22, 0x88)):  # reproduced, not, and a curve
            self.assertIn(badge, colours)


class Evaluations(ReproduceTest):
    """Each of the others, once; one folder for all. Without `ctest -C all` the shortest."""

    def test_they_end_with_a_verdict_for_each_statement(self):
        for name, statements, pictures in (("linearize", 22, 5), ("dwf", 72, 10), ("dpe", 37, 13))[:3 if ALL else 1]:
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

        if not ALL:
            return
        with self.subTest("a program in the place of one kernel"):
            file = self.folder / "some.toml"
            file.write_text(f'others = "kernels"\n[LUD]\nprogram = "{pathlib.Path(HEDDLE).parent / "cuda_lud"}"\narguments = ["32"]\ninput = "a matrix"\ncheck = "status"\n')
            status, _, errors = self.reproduce("dpe", "--programs", file, "--runs", 1)
            self.assertEqual((status, errors), (0, ""))
            document = json.loads((self.out / "dpe-some-small.json").read_text())
            self.assertNotIn("not asked", {claim["verdict"] for claim in document["claims"]})
            lud = [run["arguments"][0] for run in document["runs"] if run["name"].startswith("LUD on")]
            self.assertEqual(set(lud), {"exec"})
            self.assertEqual({run["arguments"][1] for run in document["runs"] if run["arguments"][0] == "run"}, set(dpe.WORKLOADS.values()) - {"lud"})


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
        # Half a result is none.
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

    def stopped(self, job, numbers, pauses):
        """Runs of a simulator that only waits, as `job` says, and signals with these pauses in front: how it ended, and the seconds until then. No run goes on."""
        waits, begun = self.folder / "waits", self.folder / "begun"
        waits.write_text(f"#!/bin/sh\n[ $1 = --version ] && exit\n{job}\n")
        waits.chmod(0o755)
        begun.write_text("")
        command = [sys.executable, ROOT / "sim" / "reproduce" / "main.py", "forkjoin", "--heddle", waits, "--size", "small", "--out", self.out, "--jobs", "3", "--perturb", "3"]
        with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"HEDDLE_KERNELS": str(self.folder), "BEGUN": str(begun)}) as child:
            while not begun.read_text():
                time.sleep(0.005)
            for number, pause in zip(numbers, pauses):
                time.sleep(pause)
                child.send_signal(number)
            asked = time.monotonic()
            _, errors = child.communicate(timeout=60)
            took = time.monotonic() - asked
        for run in begun.read_text().split():
            state = pathlib.Path(f"/proc/{run}/stat")
            self.assertFalse(state.exists() and state.read_text().split()[2] != "Z", f"run {run} goes on behind {numbers} at {pauses}")
        return child.returncode, errors, took

    def test_no_run_goes_on_whenever_signals_come(self):
        """One or two of them, while runs begin, end, and are asked to end."""
        chance = random.Random(7)
        for round_ in range(30 if ALL else 10):
            numbers = [chance.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)) for _ in range(1 + round_ % 3)]
            job = chance.choice(("echo $$ >> $BEGUN; exec sleep 100", "echo $$ >> $BEGUN; exec sleep 0.02", "echo $$ >> $BEGUN; trap 'sleep 0.1; exit 1' TERM; sleep 1"))
            with self.subTest(numbers=numbers, job=job):
                status, errors, took = self.stopped(job, numbers, [chance.uniform(0, 0.05) for _ in numbers])
                self.assertIn(status - 128 if status > 0 else -status, numbers)  # a last one may come behind Python's end
                self.assertRegex(errors, r"^heddle: stopped( with \d+ of \d+ runs kept in .*; the same command goes on from here)?\n$")
                self.assertLess(took, 8)

    def test_a_run_that_does_not_listen_is_ended(self):
        status, _, took = self.stopped("trap '' TERM; echo $$ >> $BEGUN; exec sleep 100", [signal.SIGTERM], [0.1])
        self.assertEqual(status, 128 + signal.SIGTERM)
        self.assertLess(took, 30)


class Programs(ReproduceTest):
    """CUDA programs in the place of kernels. Environment: HEDDLE_NVCC."""

    LUD = {"program": "cuda/lud", "arguments": ["32"], "input": "a matrix", "check": "status"}

    def setUp(self):
        super().setUp()
        self.file = self.folder / "some.toml"
        (self.folder / "cuda").mkdir()
        for name in ("lud", "bfs", "pathfinder", "hotspot"):
            (self.folder / "cuda" / name).symlink_to(pathlib.Path(HEDDLE).parent / f"cuda_{name}")

    def write(self, text="", **programs):
        """The file: programs by name, each as its keys."""
        for name, keys in programs.items():
            text += f"[{name}]\n" + "".join(f"{key} = {value if isinstance(value, list) else json.dumps(value)}\n" for key, value in keys.items() if value is not None)
        self.file.write_text(text)

    def document(self, name):
        return json.loads((self.out / f"{name}.json").read_text())

    def test_examples_of_the_dual_path_paper(self):
        file = self.folder / "dpe_programs.toml"
        shutil.copy(ROOT / "examples" / file.name, file)
        status, out, errors = self.reproduce("dpe", "--programs", file, "--runs", 1)
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("programs of dpe_programs.toml: ", out)
        document = self.document("dpe-dpe_programs")
        claims = {claim["statement"]: claim for claim in document["claims"]}
        self.assertIn(claims["LUD: DPE over SPE (from the gains of DWS50)"]["verdict"], ("reproduced", "direction only"))
        self.assertEqual(claims["BFS: no branch is interleavable"]["verdict"], "reproduced")
        for statement in ("QSort: DPE over SPE (the same)", "DPE over SPE, mean of the interleavable kernels"):
            self.assertEqual((claims[statement]["verdict"], claims[statement]["reason"]), ("not asked", "'QSort on DPE' was not asked for"))
        self.assertEqual({run["name"].split(" ")[0].rstrip(",") for run in document["runs"]}, {"LUD", "BFS", "PathFind", "HOTSPOT", "bits"})
        kernels = next(figure for figure in document["figures"] if figure["title"] == "The kernels (Table 2)")
        self.assertEqual([row[:2] for row in kernels["rows"]], [["LUD", "lud 64"], ["BFS", "bfs 2000"], ["PathFind", "pathfinder 1500"], ["HOTSPOT", "hotspot 48"]])
        text = (self.out / "dpe-dpe_programs.html").read_text()
        self.assertIn("BFS is <code>bfs 2000</code>: a graph of 2,000 nodes, made by the program. Launches <code>expand:2-</code> count. A run counts by this: says \"bfs: passed\".", text)
        self.assertEqual(Reference(text).links - Reference(text).anchors, set())
        # The printed command gives the kept statistics again, and its launches are those that were named.
        run = next(run for run in document["runs"] if run["name"] == "BFS on SPE")
        again = self.folder / "again.json"
        subprocess.run([HEDDLE, "exec", "--json", again, *run["arguments"][1:]], check=True, stdout=subprocess.DEVNULL)
        again, kept = json.loads(again.read_text()), json.loads((self.out / "results" / f"{run['key']}.json").read_text())
        self.assertEqual(again["stats"], kept["stats"])
        self.assertEqual(again["functional_launches"], {"expand": 1})
        # What is there is not run again; another program, check or file of input is.
        before = {path: path.stat().st_mtime_ns for path in self.finished()}
        self.assertEqual(self.reproduce("dpe", "--programs", file, "--runs", 1)[0], 0)
        self.assertEqual({path: path.stat().st_mtime_ns for path in self.finished()}, before)
        file.write_text(file.read_text().replace('"bfs: passed"', '"passed"'))
        self.assertEqual(self.reproduce("dpe", "--programs", file, "--runs", 1)[0], 0)
        self.assertEqual(len(self.finished()), len(before) + 10)  # those of BFS

    def test_examples_of_the_linearization_paper(self):
        file = self.folder / "linearize_programs.toml"
        shutil.copy(ROOT / "examples" / file.name, file)
        subprocess.run([os.environ["HEDDLE_NVCC"], "--linearize", ROOT / "examples" / "cuda" / "hotspot.cu", "-o", self.folder / "cuda" / "hotspot.linearized"], check=True)
        status, out, errors = self.reproduce("linearize", "--programs", file)
        self.assertEqual((status, errors), (0, ""))
        document = self.document("linearize-linearize_programs")
        claims = {claim["statement"]: claim for claim in document["claims"]}
        self.assertRegex(claims["hotspot: executed instructions (Table 4, O3)"]["measured"], r"^[+-]\d+\.\d % \([+-]\d+\.\d %\)$")  # and our kernel's
        self.assertIn(claims["hotspot: speed (Table 2)"]["verdict"], ("reproduced", "direction only", "not"))
        self.assertEqual(claims["ray: speed (Table 2)"]["verdict"], "not asked")
        self.assertEqual(len(document["runs"]), 2 + 2 * 2 * 3 + 1)

    def test_a_program_whose_result_is_wrong(self):
        """By its exit status, by what it says, by what the functional device writes."""
        script = self.folder / "cuda" / "strange"
        source = script.with_suffix(".cu")
        source.write_text("#include <stdlib.h>\n__global__ void k() {}\nint main(int, char** words) { k<<<1, 32>>>(); if (cudaDeviceSynchronize()) return 9; return WEXITSTATUS(system(words[1])); }\n")
        subprocess.run([os.environ["HEDDLE_NVCC"], source, "-o", script], check=True)
        for body, check, message in (
                ('exit 3', '"status"', "ended with status 3"),
                ('echo done', '{ prints = "passed" }', "its output does not say 'passed'"),
                ('echo 3 errors', '{ lacks = "errors" }', "its output says 'errors'"),
                ('echo ${HEDDLE_ENGINE:-machine}', '{ same = ["output"] }', "output not as on the functional device"),
                ('echo ${HEDDLE_ENGINE:-machine} > result.txt', '{ same = ["output", "result.txt"] }', "result.txt not as on the functional device"),
                ('', '{ same = ["result.txt"] }', "result.txt, which is compared, cannot be read (No such file or directory)")):
            with self.subTest(check=check, body=body):
                self.file.write_text(f'[NW]\nprogram = "cuda/strange"\narguments = [{json.dumps(body)}]\ninput = "none"\ncheck = {check}\n')
                status, out, errors = self.reproduce("dpe", "--programs", self.file, "--runs", 1)
                self.assertEqual(status, 1)
                self.assertIn(f"heddle: NW on SPE: {message}\n", errors)
                self.assertIn("2 reproduced, 35 not asked", out)
                self.assertFalse((self.folder / "result.txt").exists())

    def simulated(self, job, **environment):
        """What is kept of a program's run by a simulator that is the shell's `job` , or why nothing is."""
        simulator = self.folder / "simulator"
        simulator.write_text(f"#!/bin/sh\n{job}\n")
        simulator.chmod(0o755)
        program = programs_of.Program("LUD", {"program": simulator}, {"program": simulator}, {"input": "x", "arguments": [], "check": {}})
        one, store = make_job("machine", program.arguments("program", ["--quiet"]), program, "program"), Store(self.out)
        with unittest.mock.patch.dict(os.environ, environment):
            Runner(store, simulator).run(one)
        return store.result(one) or store.why(one)

    def test_of_the_environment_a_program_has_the_plug_ins(self):
        job = """while [ $1 != --json ]; do shift; done; echo "{\\"launches\\": [{}], \\"seen\\": \\"$HEDDLE_PLUGIN $HEDDLE_SET\\"}" > $2"""
        self.assertEqual(self.simulated(job, HEDDLE_PLUGIN="/a.so:b.so", HEDDLE_SET="core.warps=8")["seen"], f"/a.so:{os.getcwd()}/b.so ")

    def test_a_program_that_launches_nothing(self):
        self.assertEqual(self.simulated("""while [ $1 != --json ]; do shift; done; echo '{"launches": []}' > $2"""), "it launches no kernel")
        self.assertEqual(self.simulated("exit 0"), "it has written no statistics")  # it leaves by _exit()

    def wrong(self, names=("LUD", "QSort")):
        """The line about the file, or about the launches, of which there are some."""
        with self.assertRaises(Wrong) as raised:
            programs = programs_of.Programs(self.file, names, {"program": True})
            programs.check_launches({programs.functional("LUD", "program"): {"functional_launches": {"factor<int>": 1, "factor<float>": 2, "a::rest": 2}}})
        self.assertTrue(str(raised.exception).startswith(f"{self.file}: "))
        return str(raised.exception)

    def test_what_may_be_wrong_in_a_file(self):
        for change, message in (({"program": None}, '[LUD] needs program = "path of the executable"'), ({"program": "cuda/none"}, "cuda/none is not there, or cannot be executed: build it with heddle-nvcc"),
                                ({"program": "/bin/true"}, "/bin/true does not load libheddle_cudart: build it with heddle-nvcc"), ({"input": None}, "[LUD] needs input"), ({"size": "64"}, "[LUD] 'size' is not known"),
                                ({"arguments": [64]}, "a list of words"), ({"check": "right"}, '[LUD] check: write "status"'), ({"check": None}, '[LUD] check: write "status"'),
                                *(({"launches": launches}, "is no kernel with numbers behind it") for launches in ("factor:x", "factor:3-2", "factor:", ":3", "a:rest", "a::", "factor:0")),
                                ({"launches": "nothing"}, "[LUD] launches: nothing does not occur: it launches a::rest, factor<float>, factor<int>"), ({"launches": "a::rest:1-99"}, "[LUD] launches: a::rest:99 does not occur: a::rest has 2 launches"),
                                ({"launches": "factor:3-"}, "[LUD] launches: factor:3 does not occur: factor has 2 launches"), ({"launches": "factor<int>:1,factor<int>:2"}, "factor<int>:2 does not occur")):
            with self.subTest(change=change):
                self.write(LUD={**self.LUD, **change})
                self.assertIn(message, self.wrong())
        for check in ('prints = ""', "same = []", 'says = "x"', 'lacks = "x", prints = "y"'):
            with self.subTest(check=check):
                self.file.write_text(f'[LUD]\nprogram = "cuda/lud"\ninput = "x"\ncheck = {{ {check} }}\n')
                self.assertIn('[LUD] check: write "status"', self.wrong())
        for text, message in (("[LUD", "is not TOML"), ("", "names no program"), ("LUD = 3\n", "'LUD' is a table"), ('others = "all"\n[LUD]\n', 'others = "all": write "kernels"')):
            self.file.write_text(text)
            self.assertIn(message, self.wrong())
        self.write(LUDX=self.LUD)
        self.assertIn("[LUDX] is no program of this paper; there is LUD, QSort", self.wrong())

    def test_a_wrong_file_is_one_line(self):
        self.write(LUD={**self.LUD, "launches": "factor_diagonal:1-99"})
        self.refused("[LUD] launches: factor_diagonal:99 does not occur: factor_diagonal has 2 launches", "dpe", "--programs", self.file)
        self.write(LUDX=self.LUD)
        self.refused("[LUDX] is no program of this paper; there is hotspot, heartwall", "linearize", "--programs", self.file)
        self.file.unlink()
        self.refused("some.toml: cannot be read (No such file or directory)", "dpe", "--programs", self.file)
        self.refused("--programs is for dpe and linearize", "dwf", "--programs", self.file)
        self.assertFalse(list(self.out.glob("*.html")))


class BadInput(ReproduceTest):
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
