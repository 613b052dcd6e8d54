#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Nothing is lost: full disks, closed pipes, failing renames, names given twice, signals. What was asked for is complete or absent, the
exit status says so, and so does a line; one failing output costs no other.

Environment as for cli_test.py.
"""

import contextlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree

from cli_test import BAD_INPUT, ENGINES, HEDDLE, PASS, STOPPED, CliTest, heddle

SMALL = ("figure6", "--size", "small")
LONG = ("mandelbrot", "--size", "large")  # a minute and more
COMMANDS = (("list",), ("--help",), ("--version",), ("run", "--help"), ("bits",), ("cfg", "figure6"), ("run", *SMALL), ("compare", *SMALL),
            ("limit-study", *SMALL), ("run", *SMALL, "--json", "-"), ("bits", "--json", "-"))
FST2VCD = shutil.which("fst2vcd")


def limit_files(size):
    """For preexec_fn: a file that grows beyond the size is an error, as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def processor_seconds(process):
    """What it has computed so far: on a busy machine it takes longer to get as far, and no more."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def catches(process, number):
    """The program does not leave this signal to the system any more."""
    caught = re.search(r"(?m)^SigCgt:\s*(\w+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())
    return caught is not None and int(caught[1], 16) >> (number - 1) & 1 == 1


class OutputTest(CliTest):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(dir=self.here))

    def parts(self):
        return [p.name for p in self.work.rglob("*") if ".part" in p.name]

    def run_here(self, *arguments, status, stderr, **options):
        """Runs in a folder of its own: exit status, one line for each pattern, nothing half-written. Returns what it printed."""
        done = subprocess.run([HEDDLE, *map(str, arguments)], capture_output="stdout" not in options, text=True, cwd=self.work, timeout=120,
                              check=False, **({"stderr": subprocess.PIPE} if "stdout" in options else {}), **options)
        self.expect(done.returncode, done.stderr, status, stderr)
        return done.stdout

    def expect(self, returncode, text, status, patterns):
        self.assertEqual(returncode, status, text)
        lines = text.splitlines()
        self.assertEqual(len(lines), len(patterns), text)
        for line, pattern in zip(lines, patterns):
            self.assertTrue(line.startswith("heddle: "), line)
            self.assertRegex(line, pattern)
        self.assertEqual(self.parts(), [])

    def document(self, name="x.json"):
        return json.loads((self.work / name).read_text())

    def last_cycle(self, wave):
        """Time of the last sample: the wave can be read to its end."""
        if wave.suffix == ".fst":
            if FST2VCD is None:
                self.skipTest("fst2vcd is not installed")
            vcd = subprocess.run([FST2VCD, "-f", wave], capture_output=True, text=True, check=True).stdout
        else:
            vcd = wave.read_text()
            self.assertTrue(vcd.endswith("\n"))
        return int(re.findall(r"(?m)^#(\d+)$", vcd)[-1])

    @contextlib.contextmanager
    def full_disk(self, size):
        """A small file system of its own."""
        disk = self.work / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("a tmpfs cannot be mounted here (not the super-user)")
        try:
            yield disk
        finally:
            subprocess.run(["umount", disk], check=True)


class StandardOutput(OutputTest):
    def test_a_full_disk_is_noticed_by_every_command(self):
        for command in COMMANDS:
            with self.subTest(command=command), open("/dev/full", "wb") as full:
                self.run_here(*command, status=BAD_INPUT, stderr=[r"standard output cannot be written \(No space left on device\)"], stdout=full)

    def test_a_closed_pipe_is_a_line_and_a_status(self):
        for command in COMMANDS:
            reader, writer = os.pipe()
            os.close(reader)
            with self.subTest(command=command), os.fdopen(writer, "wb") as pipe:
                self.run_here(*command, status=BAD_INPUT, stderr=[r"standard output cannot be written \(Broken pipe\)"], stdout=pipe)

    def test_closed_standard_output_gets_no_file(self):
        done = subprocess.run(f"exec '{HEDDLE}' run figure6 --size small --wave x.vcd --json x.json >&-", shell=True, cwd=self.work,
                              stderr=subprocess.PIPE, text=True, timeout=120, check=False)
        self.expect(done.returncode, done.stderr, BAD_INPUT, [r"standard output cannot be written \(Bad file descriptor\)"])
        self.assertTrue((self.work / "x.vcd").read_text().startswith("$version"))
        self.assertNotIn("thread instructions", (self.work / "x.vcd").read_text())

    def test_what_was_asked_for_beside_it_is_complete(self):
        for command in (("run", *SMALL), ("compare", *SMALL, "--mechanisms", "spe,dpe")):
            with self.subTest(command=command), open("/dev/full", "wb") as full:
                self.run_here(*command, "--json", "x.json", status=BAD_INPUT, stderr=["standard output cannot be written"], stdout=full)
                document = self.document()
                self.assertEqual((document["result"], document["error"]["code"]), ("error", "output"))
                self.assertIn("standard output", document["error"]["message"])
        self.assertEqual([run["result"] for run in document["runs"]], ["pass", "pass"])

    def test_the_start_of_a_list_is_no_error(self):
        done = subprocess.run(f"'{HEDDLE}' list | head -1", shell=True, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((done.stdout, done.stderr), ("workloads\n", ""))


class FullDisks(OutputTest):
    def check_wave(self, extension, **options):
        wave = options.pop("folder", self.work) / f"x.{extension}"
        self.run_here("run", "lud", "--size", "small", "--mechanism", "dpe", "--quiet", "--wave", wave, "--json", "x.json", "--timeline", "x.svg",
                      status=BAD_INPUT, stderr=[rf"x\.{extension}: cannot be written \((File too large|No space left on device)\)"], **options)
        self.assertFalse(wave.exists())
        document = self.document()
        self.assertEqual((document["result"], document["error"]["code"]), ("error", "output"))
        self.assertGreater(document["stats"]["cycles"], 10000, "the run goes on")
        self.assertEqual([p.name for p in wave.parent.iterdir() if p.suffix in (".gtkw", ".flt")], [], "of no use without the wave")
        self.assertTrue((self.work / "x.svg").exists())

    def test_of_a_limited_file_size(self):
        for extension, limit in (("vcd", 1 << 20), ("fst", 150 << 10)):
            with self.subTest(extension=extension):
                wave = self.work / f"x.{extension}"
                self.run_here("run", "lud", "--size", "small", "--mechanism", "dpe", "--quiet", "--wave", wave, "--json", "x.json",
                              status=BAD_INPUT, stderr=[rf"x\.{extension}: cannot be written \(File too large\)"], preexec_fn=limit_files(limit))
                self.assertFalse(wave.exists())
                document = self.document()
                self.assertEqual((document["result"], document["error"]["code"]), ("error", "output"))
                self.assertGreater(document["stats"]["cycles"], 10000, "the run goes on")
                self.assertEqual([p.name for p in self.work.iterdir() if p.suffix in (".gtkw", ".flt")], [])

    def test_of_a_small_file_system(self):
        with self.full_disk("300k") as disk:
            (disk / "filler").write_bytes(bytes(50 << 10))
            self.check_wave("vcd", folder=disk)
            for file in disk.glob("x.*"):
                file.unlink()
            (disk / "filler").write_bytes(bytes(128 << 10))
            self.check_wave("fst", folder=disk)

    def test_full_from_the_beginning(self):
        with self.full_disk("64k") as disk:
            with contextlib.suppress(OSError):
                (disk / "filler").write_bytes(bytes(1 << 20))
            for extension in ("fst", "vcd"):
                with self.subTest(extension=extension):
                    self.run_here("run", *SMALL, "--quiet", "--wave", disk / f"x.{extension}", "--json", disk / "x.json", "--timeline",
                                  disk / "x.svg", status=BAD_INPUT,
                                  stderr=["x.svg: cannot", rf"x\.{extension}: cannot", "x.json: cannot"])
                    self.assertEqual([p.name for p in disk.iterdir()], ["filler"])


class Names(OutputTest):
    def test_a_circle_of_links_is_refused_before_the_run(self):
        for name in ("x.json", "x.html", "x.vcd", "x.fst", "x.svg", "x.dot", "x.rom"):
            (self.work / name).symlink_to("other." + name)
            (self.work / ("other." + name)).symlink_to(name)
        for command, option, name in ((("run", *SMALL), "--json", "x.json"), (("run", *SMALL), "--report", "x.html"), (("run", *SMALL), "--wave", "x.vcd"),
                                      (("run", *SMALL), "--wave", "x.fst"), (("run", *SMALL), "--timeline", "x.svg"), (("compare", *SMALL), "--json", "x.json"),
                                      (("bits",), "--json", "x.json"), (("cfg", "figure6"), "--json", "x.json"), (("cfg", "figure6"), "--dot", "x.dot"),
                                      (("cfg", "figure6"), "--rom", "x.rom"),
                                      (("limit-study", *SMALL), "--json", "x.json")):
            with self.subTest(command=command, option=option):
                out = self.run_here(*command, option, name, status=BAD_INPUT, stderr=[rf"^heddle: {name}: cannot be written \(Too many levels of symbolic links\)"])
                self.assertEqual(out, "")
                self.assertTrue((self.work / name).is_symlink())

    def test_a_page_ends_in_html(self):
        for name in ("w.xyz", "w", "-", "html", "/dev/null"):
            self.run_here("run", *SMALL, "--report", name, status=BAD_INPUT, stderr=[f"^heddle: --report {name}: a page ends in .html; rename it$"])
        self.assertEqual(list(self.work.iterdir()), [])


class Memory(OutputTest):
    """An address space that is too small, from where the program itself begins up to what the run needs."""

    def limited(self, megabytes, *command):
        (self.work / "x.json").unlink(missing_ok=True)
        size = int(megabytes * (1 << 20))
        return subprocess.run([HEDDLE, *command, "--json", "x.json"], capture_output=True, text=True, cwd=self.work, timeout=120, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))

    def least(self):
        """What the program needs before it can say anything."""
        found = next((megabytes for megabytes in range(10, 400, 2) if self.limited(megabytes, "bits").returncode == PASS), None)
        if found is None:
            self.skipTest("this build needs more address space by itself (a sanitizer)")
        return found

    def check_limits(self, limits, *command):
        """How many runs had too little."""
        refused = 0
        for megabytes in limits:
            with self.subTest(command=command, megabytes=megabytes):
                done = self.limited(megabytes, *command)
                if done.returncode == PASS:
                    continue
                refused += 1
                self.expect(done.returncode, done.stderr, BAD_INPUT, [r"out of memory; choose a smaller workload or machine$|the host refuses \d+ bytes for"])
                document = self.document()
                self.assertEqual((document["result"], document["error"]["code"]), ("error", "memory"))
                self.assertIn(document["error"]["message"], done.stderr)
        return refused

    def test_that_is_short_while_sms_are_built(self):
        command = ("run", "qsort", "--size", "small", "--set", "gpu.sms=64")
        least = self.least()
        self.assertGreater(self.check_limits(range(least + 280, least + 780, 50), *command), 5)

    def test_that_is_short_in_every_engine_and_output(self):
        base = ("run", "figure6", "--size", "small", "--quiet", "--set", "memory.heap_bytes=1M")
        least = self.least()
        for more in ((), ("--mechanism", "dwf"), ("--wave", "x.vcd"), ("--wave", "x.fst"), ("--timeline", "x.svg", "--report", "x.html"), ("--set", "gpu.sms=8")):
            self.assertGreater(self.check_limits([least + n / 2 for n in range(32)], *base, *more), 3, more)


class OneFailingOutput(OutputTest):
    """A link to /dev/full fails when it is written, not before."""

    def setUp(self):
        super().setUp()
        for name in ("full.json", "full.svg", "full.vcd", "full.fst", "full.bin", "full.dot", "full.rom"):
            (self.work / name).symlink_to("/dev/full")

    def test_timeline(self):
        self.run_here("run", *SMALL, "--quiet", "--timeline", "full.svg", "--json", "x.json", "--wave", "x.vcd", status=BAD_INPUT,
                      stderr=["full.svg: cannot be written"])
        self.assertEqual(self.document()["error"]["code"], "output")
        self.assertGreater(self.document()["stats"]["cycles"], 100)
        self.assertGreater(self.last_cycle(self.work / "x.vcd"), 100)

    def test_wave(self):
        for wave in ("full.vcd", "full.fst"):
            self.run_here("run", *SMALL, "--quiet", "--wave", wave, "--json", "x.json", "--timeline", "x.svg", status=BAD_INPUT,
                          stderr=[rf"{wave}: cannot be written"])
            self.assertEqual([p.name for p in self.work.iterdir() if p.suffix in (".gtkw", ".flt")], [])
            self.assertEqual(self.document()["error"]["code"], "output")
            xml.etree.ElementTree.parse(self.work / "x.svg")

    def test_document(self):
        out = self.run_here("run", *SMALL, "--json", "full.json", "--timeline", "x.svg", status=BAD_INPUT, stderr=["full.json: cannot be written"])
        self.assertIn("thread instructions", out)
        xml.etree.ElementTree.parse(self.work / "x.svg")
        out = self.run_here("compare", *SMALL, "--mechanisms", "spe,dpe", "--json", "full.json", status=BAD_INPUT, stderr=["full.json: cannot be written"])
        self.assertEqual(out.count(" pass "), 2)
        self.assertIn("program", self.run_here("limit-study", *SMALL, "--json", "full.json", status=BAD_INPUT, stderr=["full.json: cannot"]))
        self.assertIn("total", self.run_here("bits", "--json", "full.json", status=BAD_INPUT, stderr=["full.json: cannot be written"]))

    def test_buffers_of_a_kernel(self):
        (self.work / "in.bin").write_bytes(struct.pack("<64i", *range(64)))
        self.run_here("run", self.good, "--kernel", "mix", "--grid", "2", "--block", "32", "--quiet", "--json", "x.json", "--arg", "in:in.bin",
                      "--arg", "out:full.bin:256", "--arg", "inout:in.bin:y.bin", "--arg", "zero:256", "--arg", "u32:16", "--arg", "i32:-3",
                      "--arg", "f32:0.5", status=BAD_INPUT, stderr=["full.bin: cannot be written"])
        self.assertEqual(struct.unpack("<64i", (self.work / "y.bin").read_bytes()), tuple(2 * v for v in range(64)))
        self.assertEqual(self.document()["result"], "error")

    def test_graph(self):
        text = self.run_here("cfg", "figure6", "--dot", "full.dot", "--rom", "full.rom", "--json", "x.json", status=BAD_INPUT,
                             stderr=["full.dot: cannot be written", "full.rom: cannot be written"])
        self.assertIn("figure6", text)
        self.assertIn("functions", self.document())

    def test_every_one_is_told_and_a_worse_run_keeps_its_error(self):
        self.run_here("run", "lud", "--size", "small", "--max-cycles", "500", "--quiet", "--timeline", "full.svg", "--wave", "full.vcd", "--json",
                      "x.json", status=STOPPED, stderr=["still runs after 500 cycles", "full.svg: cannot", "full.vcd: cannot"])
        error = self.document()["error"]
        self.assertEqual(error["code"], "max_cycles")
        self.assertEqual([line for line in error["details"] if "cannot be written" in line], error["details"][-2:])


class Renames(OutputTest):
    def test_a_folder_in_its_place(self):
        for extension in ("vcd", "fst"):
            run = subprocess.Popen([HEDDLE, "run", "mandelbrot", "--param", "width=128", "--param", "height=64", "--quiet", "--json", "x.json",
                                    "--wave", f"x.{extension}"], cwd=self.work, stderr=subprocess.PIPE, text=True)
            while not self.parts() and run.poll() is None:
                time.sleep(0.001)
            (self.work / f"x.{extension}").mkdir()
            (self.work / f"x.{extension}" / "something").write_text("")
            errors = run.communicate(timeout=120)[1]
            # The part that was seen may be that of the check before the run: then the file is refused when it is opened.
            self.expect(run.returncode, errors, BAD_INPUT, [rf"x\.{extension}: cannot be written \((Is a directory|it is a folder)\)"])
            self.assertEqual(self.document()["error"]["code"], "output")

    def test_links_are_followed(self):
        (self.work / "far").mkdir()
        (self.work / "far" / "x.json").write_text("old")
        (self.work / "x.json").symlink_to("far/x.json")
        (self.work / "new.vcd").symlink_to("far/new.vcd")
        self.run_here("run", *SMALL, "--quiet", "--json", "x.json", "--wave", "new.vcd", status=PASS, stderr=[])
        self.assertTrue((self.work / "x.json").is_symlink() and (self.work / "new.vcd").is_symlink())
        self.assertEqual(self.document("far/x.json")["result"], "pass")
        self.assertGreater(self.last_cycle(self.work / "far" / "new.vcd"), 100)

    def test_a_folder_without_permission(self):
        locked = self.work / "locked"
        locked.mkdir(mode=0o555)
        if os.access(locked, os.W_OK):
            self.skipTest("the super-user can write everywhere")
        self.run_here("run", *SMALL, "--timeline", "locked/x.svg", status=BAD_INPUT, stderr=["locked/x.svg: cannot be written"])


class SameNames(OutputTest):
    def refused(self, pattern, *arguments, **options):
        self.run_here(*arguments, status=BAD_INPUT, stderr=[pattern], **options)

    def test_two_options(self):
        (self.work / "link.json").symlink_to("x.json")
        (self.work / "old.json").write_text("old")
        os.link(self.work / "old.json", self.work / "hard.json")
        # An endless kernel would run into the time limit if the check came late.
        run = ("run", self.bad, "--kernel", "endless")
        for first, second in (("x.json", "x.json"), ("x.json", "./x.json"), ("x.json", self.work / "x.json"), ("x.json", "link.json"),
                              ("old.json", "hard.json")):
            with self.subTest(first=first, second=second):
                self.refused(rf"--timeline \S*{second}: --json {first} writes the same file; name two files", *run, "--json", first, "--timeline", second)
        self.refused("--wave w.vcd, with .*/w.gtkw: --json w.gtkw writes the same file", *run, "--json", "w.gtkw", "--wave", "w.vcd")
        self.refused("w.pc.flt: --json w.pc.flt writes the same file", *run, "--json", "w.pc.flt", "--wave", "w.fst")
        self.refused("--arg x.json: --json x.json writes the same file", *run, "--json", "x.json", "--arg", "out:x.json:4")
        self.refused("--arg x.bin: --arg ./x.bin writes the same file", *run, "--arg", "out:./x.bin:4", "--arg", "out:x.bin:4")
        self.refused("--json g: --dot g writes the same file", "cfg", "figure6", "--dot", "g", "--json", "g")
        self.refused("--rom g: --dot g writes the same file", "cfg", "figure6", "--dot", "g", "--rom", "g")
        if "cosim" in ENGINES:
            self.refused("--mismatch-wave w.fst: --wave w.fst writes the same file", "run", *LONG, "--engine", "cosim", "--wave", "w.fst",
                         "--mismatch-wave", "w.fst")

    def test_the_file_of_standard_output(self):
        with open(self.work / "x.json", "wb") as file:
            self.refused("--json x.json: standard output goes to this file already", "run", *LONG, "--json", "x.json", stdout=file)

    def test_a_device_may_be_named_often(self):
        (self.work / "null.svg").symlink_to("/dev/null")
        self.run_here("run", *SMALL, "--quiet", "--json", "/dev/null", "--timeline", "null.svg", status=PASS, stderr=[])

    def test_rows_of_a_comparison_share_no_file(self):
        self.refused("each of the 2 runs would write this file", "compare", self.good, "--kernel", "shape", "--arg", "out:x.bin:96", "--mechanisms",
                     "spe,dpe")


class Signals(OutputTest):
    def setUp(self):
        super().setUp()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # ignored under nohup and behind &: programs would do so, too
            if signal.getsignal(number) == signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)

    def start(self, *arguments, **options):
        return subprocess.Popen([HEDDLE, *map(str, arguments)], cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def stop(self, *arguments, number=signal.SIGINT, after=0.6, second=None, **options):
        """after: seconds of the processor that the program has had by then."""
        run = self.start(*arguments, **options)
        while run.poll() is None and processor_seconds(run) < after:
            time.sleep(0.01)
        return self.end(run, number, second)

    def end(self, run, number, second=None):
        begin = time.monotonic()
        run.send_signal(number)
        if second is not None:
            run.send_signal(second)
        out, errors = run.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, 20)
        return run.returncode, out, errors

    def test_run(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for extension in ("fst", "vcd"):
                with self.subTest(signal=number.name, wave=extension):
                    code, out, errors = self.stop("run", *LONG, "--json", "x.json", "--wave", f"x.{extension}", "--timeline", "x.svg", number=number)
                    self.expect(code, errors, 128 + number, [rf"{number.name}: kernel mandelbrot was stopped from outside after \d+ cycles"])
                    self.assertIn("mandelbrot on spe, engine systemc: error", out)
                    document = self.document()
                    self.assertEqual((document["result"], document["error"]["code"]), ("error", "interrupted"))
                    self.assertGreater(document["stats"]["warp_instructions"], 0)
                    self.assertEqual(self.last_cycle(self.work / f"x.{extension}"), document["stats"]["cycles"] - 1)
                    self.assertTrue((self.work / "x.gtkw").exists())
                    xml.etree.ElementTree.parse(self.work / "x.svg")

    def test_every_engine_and_core(self):
        for options in [("--engine", engine) for engine in ENGINES] + [("--mechanism", "dwf"), ("--mechanism", "mimd")]:
            with self.subTest(options=options):
                code, _, errors = self.stop("run", *LONG, *options, "--quiet", "--json", "x.json")
                self.expect(code, errors, 130, ["SIGINT: "])
                self.assertEqual(self.document()["error"]["code"], "interrupted")

    def test_at_any_moment(self):
        """From the first moment on: stopped with its document, ended at once, or not yet there to notice."""
        for after in (0.004, 0.01, 0.02, 0.04, 0.1, 0.3):
            with self.subTest(after=after):
                run = self.start("run", "reduce", "--size", "large", "--quiet", "--json", "x.json", "--wave", "x.fst")
                time.sleep(after)
                while after == 0.3 and run.poll() is None and not catches(run, signal.SIGINT):
                    time.sleep(0.01)
                caught = catches(run, signal.SIGINT)
                code, _, errors = self.end(run, signal.SIGINT)
                self.assertEqual(self.parts(), [])
                if code != -signal.SIGINT or caught:
                    self.expect(code, errors, 130, ["SIGINT"])
                    if "ended by" not in errors:
                        self.assertEqual(self.document()["error"]["code"], "interrupted")

    def test_before_the_first_launch(self):
        code, _, errors = self.stop("run", "reduce", "--param", "count=33554432", "--json", "x.json", "--wave", "x.fst", after=0.3)
        self.expect(code, errors, 130, ["SIGINT: stopped between two launches"])
        document = self.document()
        self.assertEqual((document["error"]["code"], document["stats"]["cycles"]), ("interrupted", 0))
        self.assertFalse((self.work / "x.fst").exists())

    def test_a_second_one_ends_the_program(self):
        code, _, errors = self.stop("run", *LONG, "--json", "x.json", "--wave", "x.vcd", second=signal.SIGTERM)
        self.expect(code, errors, 143, ["ended by SIGTERM"])
        self.assertEqual(list(self.work.iterdir()), [])

    def test_those_that_are_ignored_stay_so(self):
        code, _, errors = self.stop("run", "mandelbrot", "--quiet", "--json", "x.json", number=signal.SIGHUP, after=0.1,
                                    preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.assertEqual((code, errors), (PASS, ""))

    def test_compare_keeps_its_rows(self):
        code, out, errors = self.stop("compare", "figure6", "mandelbrot", "--size", "large", "--json", "x.json", after=3, number=signal.SIGTERM)
        self.expect(code, errors, 143, [r"on \w+: SIGTERM: kernel \w+ was stopped from outside"])
        document = self.document()
        self.assertEqual((document["result"], document["error"]["code"]), ("error", "interrupted"))
        results = [run["result"] for run in document["runs"]]
        self.assertEqual(results[-1], "error")
        self.assertEqual(set(results[:-1]), {"pass"}, "rows that ended before")
        self.assertEqual(out.count(" pass "), len(results) - 1)

    def test_a_perturbed_compare_keeps_its_runs(self):
        code, out, errors = self.stop("compare", "figure6", "mandelbrot", "--size", "large", "--perturb", "2", "--json", "x.json", after=3,
                                      number=signal.SIGTERM)
        self.expect(code, errors, 143, [r"on \w+, memory.latency \d+: SIGTERM: kernel \w+ was stopped from outside"])
        document = self.document()
        self.assertEqual((document["result"], document["error"]["code"]), ("error", "interrupted"))
        results = [run["result"] for run in document["runs"]]
        self.assertEqual(results[-1], "error")
        self.assertLessEqual(set(results[:-1]), {"pass"}, "runs that ended before")
        gains = document["perturb"]["gains"]
        self.assertEqual((len(gains), gains[-1]["gain"]), ((len(results) + 1) // 2, "unknown"))
        self.assertEqual(out.count(" error "), 1)

    def test_limit_study_keeps_its_programs(self):
        code, out, errors = self.stop("limit-study", "figure6", "qsort", "--size", "large", "--json", "x.json", after=2, number=signal.SIGTERM)
        self.expect(code, errors, 143, ["SIGTERM: .* stopped from outside"])
        document = self.document()
        self.assertEqual((document["result"], document["error"]["code"]), ("error", "interrupted"))
        self.assertEqual([program["workload"] for program in document["programs"]], ["figure6"])
        self.assertRegex(out, r"(?m)^figure6 ")


class Comparisons(OutputTest):
    def test_a_missing_kernel_is_told_before_the_first_row(self):
        folder = self.kernels("mandelbrot")
        # Its rows would run into the time limit if the check came late.
        done = heddle("compare", "mandelbrot", "lud", "--size", "large", "--json", "x.json", cwd=self.work, HEDDLE_KERNELS=str(folder))
        self.expect(done.returncode, done.stderr, BAD_INPUT, [r"kernels/lud\.elf: "])
        self.assertEqual(done.stdout, "")

    def test_rows_stay_when_a_later_one_cannot_begin(self):
        folder = self.kernels("spin", "mandelbrot", "figure6")
        run = subprocess.Popen([HEDDLE, "compare", "spin", "mandelbrot", "figure6", "--mechanisms", "spe,dpe", "--json", "x.json"], cwd=self.work, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env={**os.environ, "HEDDLE_KERNELS": str(folder)})
        first = run.stderr.readline()  # spin has been stopped, so the kernels have been looked for, and mandelbrot is still to come
        (folder / "figure6.elf").unlink()
        out, errors = run.communicate(timeout=120)
        missing = r"figure6 on {}: .*kernels/figure6\.elf: "
        self.expect(run.returncode, first + errors, STOPPED, ["spin on spe: ", "spin on dpe: ", missing.format("spe"), missing.format("dpe")])
        self.assertEqual(re.findall(r"(?m)^(\w*) +(?:spe|dpe) +(\w+) ", out), [("spin", "error"), ("", "error"), ("mandelbrot", "pass"), ("", "pass"), ("figure6", "error"), ("", "error")])
        self.assertEqual([r["result"] for r in self.document()["runs"]], ["error", "error", "pass", "pass", "error", "error"])

    def test_programs_of_a_limit_study_stay(self):
        out = self.run_here("limit-study", "figure6", "collatz", "--size", "small", "--max-cells", "1000", "--json", "x.json", status=BAD_INPUT,
                            stderr=["--max-cells 1000: not enough"])
        self.assertRegex(out, r"(?m)^figure6 ")
        document = self.document()
        self.assertEqual((document["result"], document["error"]["code"]), ("error", "option"))
        self.assertEqual([program["workload"] for program in document["programs"]], ["figure6"])

    def kernels(self, *names):
        """A folder with the kernels of these workloads."""
        source = pathlib.Path(os.environ.get("HEDDLE_KERNELS", pathlib.Path(HEDDLE).resolve().parents[1] / "share" / "heddle" / "kernels"))
        folder = self.work / "kernels"
        folder.mkdir()
        for name in names:
            shutil.copy(source / f"{name}.elf", folder)
        return folder


if __name__ == "__main__":
    unittest.main()
