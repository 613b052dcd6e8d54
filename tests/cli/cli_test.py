#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The command line as users and scripts meet it: exit statuses, messages, files, documents.

Environment: HEDDLE (the program), HEDDLE_CC (the kernel compiler), HEDDLE_ENGINES (what the build has, separated by commas).
"""

import json
import os
import pathlib
import pty
import re
import shutil
import stat
import statistics
import struct
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

HEDDLE = os.environ["HEDDLE"]
HEDDLE_CC = os.environ["HEDDLE_CC"]
ENGINES = os.environ.get("HEDDLE_ENGINES", "systemc").split(",")
KERNELS = pathlib.Path(__file__).resolve().parent / "kernels"
WORKLOAD_KERNELS = pathlib.Path(__file__).resolve().parents[2] / "sim" / "workloads" / "kernels"
COMPLETIONS = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "install" / "completions"
DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "tables" / "keys.md"

PASS, WRONG, BAD_INPUT, STOPPED = 0, 1, 2, 3

STALLS = {"no_warp", "unit_busy", "memory", "scoreboard", "scoreboard_full", "branch_pending", "barrier", "ibuffer_empty",
          "path_switch"}

# Documented shape of a run's JSON: a type, a list of one element type, or a dictionary of them.
STATS = {
    "cycles": int, "warp_instructions": int, "thread_instructions": int, "ipc": float, "lane_utilization": float,
    "lane_utilization_live": float, "avg_path": float, "sibling_issues": int, "idle_cycles": int,
    "stalls": {name: int for name in STALLS}, "warp_size_histogram": dict, "divergent_branches": int,
    "interleavable_branches": int, "predicated_branches": int, "predicated_instructions": int, "masked_threads": int,
    "lane_utilization_masked": float, "max_stack_depth": int, "stack_depth_histogram": dict,
    "l1": {name: int for name in ("accesses", "hits", "misses", "merged", "bytes_read", "bytes_written", "stall_cycles")},
    "shared": {"accesses": int, "conflict_cycles": int},
    "memory": {"instructions": int, "transactions": int, "bytes": int, "busy_cycles": int, "bytes_per_cycle": float},
    "exits": {"failed": int, "first": (type(None), dict)},
    "lanes": int, "schedulers": int,
}
RUN = {
    "heddle": {"version": str, "git": str}, "workload": str, "mechanism": str, "engine": str, "config": dict, "result": str,
    "error": (type(None), dict), "stats": STATS,
    "launches": [{"kernel": str, "grid": [int], "block": [int], "stats": STATS}],
    "branches": [{"pc": str, "source": str, "rpc": (str, type(None)), "meets": str, "executed": int, "divergent": int, "interleavable": int,
                  "predicated": int}],
    "branches_without_rpc": int,
    "host": {"wall_seconds": float, "cycles_per_second": float, "warp_instructions_per_second": float, "peak_memory_bytes": int},
}
SPREAD = {"mean": float, "deviation": float, "min": float, "max": float}
PERTURB = {
    "key": str, "runs_each": int,
    "gains": [{"workload": str, "mechanism": str, "baseline": str, "compared": int, "speed_up": SPREAD, "lines": SPREAD, "gain": str}],
}
BITS_STRUCTURE = {"name": str, "module": str, "fields": [{"name": str, "bits": int}], "entries": int, "copies": int, "bits": int,
                  "storage": str}
BITS = {
    "heddle": {"version": str, "git": str}, "mechanism": str, "structures": [BITS_STRUCTURE], "total_bits": int,
    "per_warp_bits": float, "ratio_to_spe": float, "shadow_share": float,
    "paper": {"structures": [BITS_STRUCTURE], "total_bits": int, "per_warp_bits": float, "ratio_to_spe": float},
    "differences": [{"what": str, "bits": int, "reason": str}],
    "register_file": {"rv32": int, "rv64": int},
}
LIMIT = {
    "heddle": {"version": str, "git": str}, "result": str, "error": (type(None), dict), "lanes": int, "threads": int,
    "programs": [{"workload": str, "launches": int, "warps": int, "threads": int, "thread_instructions": int, "pdom_issues": int,
                  "oracle_issues": int, "longest_traces": int, "pdom_ipc": float, "oracle_ipc": float, "gain": float, "at_most": float,
                  "pdom_kept": int, "cells": int}],
    "harmonic_mean": {"pdom_ipc": float, "oracle_ipc": float, "gain": float},
}


def mismatch(shape, value, where="document"):
    """First place where value is not of the shape, or None."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return f"{where} is no object"
        if set(shape) != set(value):
            return f"{where} has keys {sorted(value)} instead of {sorted(shape)}"
        return next((m for k in shape if (m := mismatch(shape[k], value[k], f"{where}.{k}"))), None)
    if isinstance(shape, list):
        if not isinstance(value, list):
            return f"{where} is no list"
        return next((m for i, v in enumerate(value) if (m := mismatch(shape[0], v, f"{where}[{i}]"))), None)
    if shape is int:
        return None if type(value) is int else f"{where} = {value!r} is no integer"
    return None if isinstance(value, shape) else f"{where} = {value!r} is no {shape}"


def heddle(*arguments, cwd=None, **environment):
    return subprocess.run([HEDDLE, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, timeout=120, check=False,
                          env={**os.environ, **environment})


class CliTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.here = pathlib.Path(cls.folder.name)
        for source in KERNELS.glob("*.cu"):
            subprocess.run([HEDDLE_CC, source, "-o", cls.here / f"{source.stem}.elf"], check=True)
        cls.bad = cls.here / "bad.elf"
        cls.good = cls.here / "good.elf"
        cls.args = cls.here / "args.elf"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def ok(self, *arguments):
        done = heddle(*arguments, cwd=self.here)
        self.assertEqual((done.returncode, done.stderr), (PASS, ""), done.stdout)
        return done.stdout

    def fails(self, status, pattern, *arguments):
        """The command ends with the status and one line that matches; nothing half-written stays behind."""
        before = set(self.here.rglob("*"))
        done = heddle(*arguments, cwd=self.here)
        self.assertEqual(done.returncode, status, done.stderr)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("heddle: "), lines[0])
        self.assertRegex(lines[0], pattern)
        self.assertNotIn("internal error", lines[0])
        self.assertFalse([p for p in set(self.here.rglob("*")) - before if p.name.endswith(".part")])
        return done

    def document(self, *arguments, status=PASS, shape=None):
        done = heddle(*arguments, "--json", "-", cwd=self.here)
        self.assertEqual(done.returncode, status, done.stderr)
        document = json.loads(done.stdout)
        if shape is not None:
            self.assertIsNone(mismatch(shape, document))
        return document


class HelpAndLists(CliTest):
    def test_no_command_is_bad_usage(self):
        done = heddle()
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertIn("usage: heddle COMMAND", done.stderr)

    def test_help_names_every_command_and_exit_status(self):
        text = self.ok("--help")
        for word in ("list", "run", "compare", "bits", "cfg", "limit-study", "linearize-study", "reproduce", "0 correct", "1 wrong", "2 bad usage", "3 the simulated machine"):
            self.assertIn(word, text)

    def test_every_command_has_help(self):
        for command in ("list", "run", "compare", "bits", "cfg", "limit-study", "linearize-study", "reproduce"):
            self.assertIn(f"usage: heddle {command}", self.ok(command, "--help"))

    def test_version(self):
        self.assertRegex(self.ok("--version"), r"^heddle \d+\.\d+\.\d+ \(\S+\)\n$")

    def test_lists_have_their_content(self):
        everything = self.ok("list")
        for word in ("figure6", "bfs", "lud", "qsort", "qsort_blocks", "stencil3d", "bitonic", "mandelbrot", "reduce", "collatz",
                     "viterbi", "lbm", "blackscholes", "fft", "lu", "matmul", "evenodd", "heartwall", "hotspot", "mcx", "mum",
                     "nqueen", "particlefilter", "ray", "lps", "mcml", "dxtc", "bfs2", "pathfinder", "nw", "backprop", "spin", "spe", "dpe", "fermi", "volta", "dwf2007", "teach"):
            self.assertRegex(everything, rf"(?m)^  {word} ")
        self.assertNotIn("fermi", self.ok("list", "workloads"))
        self.assertRegex(self.ok("list", "keys"), r"(?m)^  stack\.depth +16 +2 to 64 ")
        self.assertRegex(self.ok("list", "parameters"), r"(?m)^  lud n ")

    def test_the_documented_keys_are_those_of_the_program(self):
        listed = [re.split(r" {2,}", line.strip()) for line in self.ok("list", "keys").splitlines()]
        documented = [[cell.strip(" `") for cell in line.strip("|\n").split(" | ")] for line in DOCUMENT.read_text().splitlines()
                      if line.startswith(("| key | default", "| `")) and line.count(" | ") == 4]
        self.assertEqual(documented, listed)

    def test_words_that_mean_nothing(self):
        self.fails(BAD_INPUT, "'frobnicate' is no command", "frobnicate")
        self.fails(BAD_INPUT, "'comprae' is no command; did you mean 'compare'", "comprae")
        self.fails(BAD_INPUT, "list shapes: there is no such list; choose workloads", "list", "shapes")
        self.fails(BAD_INPUT, "'extra' is one argument too many", "run", "lud", "extra")
        self.fails(BAD_INPUT, "the workload or kernel file is missing", "run")
        self.fails(BAD_INPUT, "a workload is missing", "compare")
        self.fails(BAD_INPUT, "no workload is named 'nope': choose one of .*lud", "run", "nope")
        self.fails(BAD_INPUT, "no workload is named 'nope'", "compare", "lud", "nope", "--size", "small")


class Shell(CliTest):
    """What shells offer, and what terminals show."""

    def complete(self, *words):
        return self.ok("complete", *words).splitlines()

    def test_commands_and_options(self):
        commands = re.findall(r"(?m)^  ([a-z-]+)  ", self.ok("--help"))
        self.assertEqual(self.complete(""), [*commands, "--help", "--version"])
        self.assertEqual(self.complete("com"), ["compare"])
        for command in commands:
            options = set(re.findall(r"(?m)^  (--[a-z-]+)", self.ok(command, "--help")))
            self.assertGreaterEqual(len(options), 1)
            self.assertEqual(set(self.complete(command, "--")), options, command)
        self.assertEqual(self.complete("frobnicate", ""), [])
        self.assertEqual(self.complete("exec", "--mechanism", "dpe", "--", "./app", "--"), [])

    def test_values(self):
        for topic, option in (("mechanisms", "--mechanism"), ("presets", "--preset")):
            self.assertEqual(self.complete("run", option, ""), re.findall(r"(?m)^  (\S+)  ", self.ok("list", topic)))
        names = re.findall(r"(?m)^  (\S+)  ", self.ok("list", "workloads"))
        for command in ("run", "compare", "cfg", "limit-study", "linearize-study"):
            self.assertEqual(self.complete(command, ""), names, command)
        self.assertEqual(self.complete("run", "lud", "--size", "l"), ["large"])
        self.assertEqual(self.complete("run", "--size=la"), ["--size=large"])
        self.assertEqual(self.complete("run", "--engine", "c"), ["cosim"])
        self.assertEqual(self.complete("compare", "lud", "--mechanisms", "spe,dw"), ["spe,dws", "spe,dwf"])
        self.assertEqual(self.complete("run", "--set", "memory.k"), ["memory.kind="])
        self.assertEqual(self.complete("run", "--set", "memory.kind=h"), ["memory.kind=hierarchy"])
        self.assertEqual(self.complete("run", "matmul", "--param", "memory=g"), ["memory=global"])
        self.assertIn("dwf", self.complete("reproduce", ""))
        self.assertEqual(self.complete("list", "pre"), ["presets"])
        self.assertEqual(self.complete("run", "--json", ""), [])  # a file: the shell's own

    def test_bash_and_zsh_ask_the_program(self):
        path = os.pathsep.join((str(pathlib.Path(HEDDLE).parent), os.environ["PATH"]))
        for line, words in (("heddle compa", "compare"), ("heddle run --set memory.kind=h", "hierarchy"), ("heddle run lud --size d", "default"), ("heddle run --json ", "")):
            script = f'source "{COMPLETIONS}/heddle.bash"; COMP_LINE="{line}"; COMP_POINT=${{#COMP_LINE}}; _heddle; echo "${{COMPREPLY[*]}}"'
            done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})
            self.assertEqual((done.stdout, done.stderr), (words + "\n", ""), line)
        if shutil.which("zsh") is None:
            self.skipTest("zsh is not installed")
        script = f'compadd() {{ print -r -- "$@" }}; _files() {{ print files }}; complete_it() {{ source "{COMPLETIONS}/_heddle" }}; complete_it'
        for words, printed in (("heddle compa", "-- compare"), ("heddle run --json ''", "files")):
            done = subprocess.run(["zsh", "-fc", f"words=({words}); CURRENT=$#words; {script}"], capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})
            self.assertEqual((done.stdout.splitlines()[-1], done.stderr), (printed, ""))

    def terminal(self, *arguments, **environment):
        """What a command writes to a terminal."""
        ours, theirs = pty.openpty()
        try:
            subprocess.run([HEDDLE, *arguments], stdout=theirs, stderr=theirs, cwd=self.here, timeout=120, check=False, env={**os.environ, "TERM": "xterm", **environment})
            os.set_blocking(ours, False)
            return os.read(ours, 1 << 16).decode()
        finally:
            os.close(ours)
            os.close(theirs)

    def test_colours_on_a_terminal_alone(self):
        run = ("run", "figure6", "--size", "small")
        self.assertIn("\x1b[1;32mpass\x1b[0m", self.terminal(*run))
        self.assertEqual(self.terminal("compare", *run[1:], "--mechanisms", "spe,dpe").count("  \x1b[1;32mpass\x1b[0m  "), 2)
        self.assertTrue(self.terminal("run", "nope").startswith("\x1b[1;31mheddle:\x1b[0m no workload"))
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            for line in (run, ("run", "nope")):
                self.assertNotIn("\x1b[1", self.terminal(*line, **environment))
        self.assertNotIn("\x1b", self.ok(*run))


class Options(CliTest):
    def test_misspelt_values(self):
        for name, line in (("qsort", ("run", "qsrot")), ("lud", ("compare", "ludd")), ("dpe", ("run", "lud", "--mechanism", "dpee")), ("volta", ("run", "lud", "--preset", "vlota")),
                           ("large", ("run", "lud", "--size", "larg")), ("cosim", ("run", "lud", "--engine", "cosmi")), ("presets", ("list", "preset")),
                           ("threads", ("run", "figure6", "--param", "thread=1")), ("forkjoin", ("reproduce", "fork-join")), ("small", ("reproduce", "dpe", "--size", "smal"))):
            self.fails(BAD_INPUT, f"did you mean '{name}'\\?", *line)

    def test_unknown_or_malformed_options(self):
        self.fails(BAD_INPUT, "--siz: there is no such option; did you mean '--size'", "run", "lud", "--siz", "small")
        self.fails(BAD_INPUT, "-x: there is no such option", "run", "lud", "-x")
        self.fails(BAD_INPUT, "--size: given more than once", "run", "lud", "--size", "small", "--size", "large")
        self.fails(BAD_INPUT, "'--set' is missing", "run", "lud", "--set")
        self.fails(BAD_INPUT, "--set depth: no '=' in it; write key=value", "run", "lud", "--set", "depth")
        self.fails(BAD_INPUT, "--param n: no '=' in it", "run", "lud", "--param", "n")
        self.fails(BAD_INPUT, "set twice", "run", "lud", "--param", "n=32", "--param", "n=64")
        self.fails(BAD_INPUT, "--seed x: not a whole number", "run", "lud", "--seed", "x")
        self.fails(BAD_INPUT, "--wave-end 2: lies before --wave-start", "run", "lud", "--wave-start", "5", "--wave-end", "2")
        self.fails(BAD_INPUT, "--engine fpga: there is no such engine; choose systemc, rtl or cosim", "run", "lud", "--engine", "fpga")
        self.fails(BAD_INPUT, "--preset ferm: there is no such preset; there is fermi, volta, dwf2007, teach; did you mean 'fermi'", "run", "lud", "--preset", "ferm")
        self.fails(BAD_INPUT, "'tiny': choose small, default, large or paper", "run", "lud", "--size", "tiny")
        self.fails(BAD_INPUT, "workload lud has no parameter 'foo'", "run", "lud", "--param", "foo=1")
        self.fails(BAD_INPUT, "'13': give a whole number in 16", "run", "lud", "--param", "n=13")
        self.fails(BAD_INPUT, "--kernel: only for kernel files; 'lud' names a workload", "run", "lud", "--kernel", "k")
        self.fails(BAD_INPUT, "--seed: only for workloads", "run", self.good, "--seed", "1")
        self.fails(BAD_INPUT, "--mismatch-wave: only with --engine cosim", "run", "lud", "--mismatch-wave", "x.fst")
        self.fails(BAD_INPUT, "only one document fits on standard output", "cfg", "lud", "--dot", "-", "--json", "-")
        self.fails(BAD_INPUT, "--json - and --rom -: only one document fits on standard output", "cfg", "lud", "--json", "-", "--rom", "-")

    def test_messages_are_one_short_line_of_text(self):
        """Whatever they quote: control characters, bytes that are no UTF-8, five thousand characters."""
        odd = b"\x1b[31m\r\n\t\x07\x7f\xc2\x9b\xff\xc3\xa9" + b"z" * 5000
        lines = (("run", odd), ("run", b"./" + odd), ("run", "figure6", b"--" + odd), ("run", "figure6", odd), (odd,), ("cfg", odd), ("limit-study", odd), ("reproduce", odd),
                 ("compare", odd), ("compare", "figure6", "--mechanisms", odd), ("bits", "--mechanism", odd), ("list", odd),
                 *(("run", "figure6", option, odd) for option in ("--size", "--seed", "--param", "--mechanism", "--set", "--engine", "--config", "--preset", "--threads",
                                                                  "--max-cycles", "--json", "--wave", "--timeline", "--report", "--wave-end", "--linearize")),
                 ("run", "figure6", "--set", b"l1.bytes=" + odd), ("run", "figure6", "--set", odd + b"=1"), ("run", "figure6", "--param", b"threads=" + odd),
                 *(("run", self.good, option, odd) for option in ("--kernel", "--grid", "--block", "--shared", "--arg", "--launches", "--symbol", "--expect")))
        for line in lines:
            with self.subTest(line=[word[:20] for word in map(os.fsencode, line)]):
                done = subprocess.run([HEDDLE, *line], capture_output=True, cwd=self.here, timeout=120, check=False)
                self.assertEqual((done.returncode, done.stdout), (BAD_INPUT, b""), done.stderr[:300])
                text = done.stderr.decode()
                self.assertEqual((text.count("\n"), text[:8], text[-1]), (1, "heddle: ", "\n"))
                self.assertTrue(text[:-1].isprintable(), text)
                self.assertLessEqual(len(text), 1100)
                self.assertIn("\\x1b[31m\\x0d\\x0a\\x09\\x07\\x7f\\xc2\\x9b\\xff\u00e9zzz", text)
                self.assertIn("zzz [...] zzz", text)

    def test_what_is_said_behind_a_long_value_is_kept(self):
        self.fails(BAD_INPUT, r"^heddle: --set: l1.bytes = 1z+ \[\.\.\.\] z+ is not possible; allowed: 256 to 16777216$", "run", "figure6", "--set", "l1.bytes=1" + "z" * 2000)
        self.fails(BAD_INPUT, r"^heddle: --set: l1.bytes = 1z{600} is not possible; allowed: 256 to 16777216$", "run", "figure6", "--set", "l1.bytes=1" + "z" * 600)

    def test_empty_values(self):
        for option in ("--json", "--preset", "--config", "--mechanism", "--size", "--wave", "--timeline", "--engine"):
            self.fails(BAD_INPUT, f"{option}: its value is empty; write one, or leave the option out", "run", "lud", "--size=small" if option != "--size" else "--quiet",
                       option, "")
        self.fails(BAD_INPUT, "--kernel: its value is empty", "run", self.good, "--kernel", "")

    def test_configuration_keys(self):
        self.fails(BAD_INPUT, "--set: unknown key 'core.lane'; did you mean 'core.lanes'", "run", "lud", "--set", "core.lane=8")
        self.fails(BAD_INPUT, "--set: core.lanes = 12 .*allowed: a power of two from 4 to 64", "run", "lud", "--set", "core.lanes=12")
        self.fails(BAD_INPUT, "--set: stack.depth = 65 .*allowed: 2 to 64", "run", "lud", "--set", "stack.depth=65")
        self.fails(BAD_INPUT, "--mechanism: mechanism = tbc .*allowed: spe, dpe, dws, forkjoin, minpc, cbar, dwf", "run", "lud", "--mechanism", "tbc")
        self.fails(BAD_INPUT, "--mechanisms: mechanism = x ", "compare", "lud", "--mechanisms", "spe,x")
        self.fails(BAD_INPUT, "--max-cycles: run.max_cycles = ten ", "run", "lud", "--max-cycles", "ten")
        self.fails(BAD_INPUT, r"core.warps = 48 \(default\) with core.schedulers = 1 \(--set\): a scheduler serves at most 24 warps",
                   "bits", "--set", "core.schedulers=1")

    def test_configuration_file(self):
        file = self.here / "machine.ini"
        file.write_text("# a small machine\n[core]\nlanes = 8   # threads\nwarps=4\n\n[stack]\ndepth = 5\n")
        config = self.document("run", "figure6", "--size", "small", "--config", file, "--set", "core.warps=6")["config"]
        self.assertEqual((config["core.lanes"], config["core.warps"], config["stack.depth"]), (8, 6, 5))

    def test_configuration_file_errors_name_the_line(self):
        file = self.here / "broken.ini"
        for text, message in (("[core]\n\nlanes = 9\n", r"broken.ini:3: core.lanes = 9 .*allowed: a power of two"),
                              ("[stack]\ndeep = 3\n", r"broken.ini:2: unknown key 'stack.deep'; did you mean 'stack.depth'"),
                              ("[core]\nwarps = 4\nwarps = 5\n", r"broken.ini:3: core.warps is set a second time \(first in line 2\)"),
                              ("[core\n", r"broken.ini:1: '\[core' is not a section"),
                              ("nonsense\n", r"broken.ini:1: 'nonsense' is not understood; write key = value"),
                              ("[core]\nschedulers = 1\n", r"core.schedulers = 1 \(broken.ini:2\): a scheduler serves at most")):
            file.write_text(text)
            self.fails(BAD_INPUT, message, "run", "lud", "--config", "broken.ini")
        self.fails(BAD_INPUT, "missing.ini: cannot be read", "run", "lud", "--config", "missing.ini")


    def test_configuration_files_of_other_systems(self):
        file = self.here / "other.ini"
        for text in (b"\xef\xbb\xbf[core]\nlanes = 8\n", b"[core]\r\nlanes = 8\r\n", b"\xef\xbb\xbf[core]\r\n\r\nlanes=8 # threads\r\n", b"[core]\nlanes = 8"):
            file.write_bytes(text)
            self.assertEqual(self.document("run", "figure6", "--size", "small", "--config", file)["config"]["core.lanes"], 8)
        for text, message in (("[core]\nlanes = 8\n".encode("utf-16"), "other.ini: is UTF-16 text; save it as UTF-8"),
                              ("[core]\n".encode("utf-16-be"), "other.ini: is not text"), (b"[core]\nlanes = 8\0\n", "other.ini: is not text"),
                              (b"\xef\xbb\xbf[core]\nlanes = 9\n", "other.ini:2: core.lanes = 9")):
            file.write_bytes(text)
            self.fails(BAD_INPUT, message, "run", "lud", "--config", file)

    def test_files_without_an_end(self):
        self.fails(BAD_INPUT, "/dev/zero: larger than 1 MiB", "run", "lud", "--config", "/dev/zero")
        self.fails(BAD_INPUT, "cannot be read .Is a directory", "run", "lud", "--config", self.here)
        shape = ("run", self.good, "--kernel", "shape")
        self.fails(BAD_INPUT, "in:/dev/zero: does not fit into the device's heap of 1048576 bytes", *shape, "--arg", "in:/dev/zero", "--set", "memory.heap_bytes=1M")
        self.fails(BAD_INPUT, "in:.*cannot be read .Is a directory", *shape, "--arg", f"in:{self.here}")
        self.fails(BAD_INPUT, "--expect out.bin=/dev/zero: /dev/zero has more than 64 bytes, out.bin will have 64", *shape, "--arg", "out:out.bin:64",
                   "--expect", "out.bin=/dev/zero")
        self.fails(BAD_INPUT, r"heap of 1048576 bytes \(memory.heap_bytes\), of which 524288 are left", "run", self.good, "--kernel", "mix", "--set",
                   "memory.heap_bytes=1M", "--arg", "zero:524288", "--arg", "out:o.bin:524289")

    def test_a_pipe_is_an_input_for_every_run(self):
        command = f"head -c 64 /dev/zero | {HEDDLE} compare {self.good} --kernel shape --block 16 --arg in:/dev/stdin --mechanisms spe,dpe"
        done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=self.here, timeout=120, check=False)
        self.assertEqual((done.returncode, done.stderr), (PASS, ""), done.stdout)
        self.assertEqual(done.stdout.count(" unchecked "), 2)

    def test_lists_with_holes(self):
        for text in (",", "spe,", ",spe", "spe,,dpe", ""):
            self.fails(BAD_INPUT, "--mechanisms .*: a name is missing|--mechanisms", "compare", "lud", "--mechanisms", text)
        self.fails(BAD_INPUT, "--mechanisms spe,dpe,spe: spe stands twice; name it once", "compare", "lud", "--mechanisms", "spe,dpe,spe")


class Outputs(CliTest):
    def test_unwritable_files_are_told_before_the_run(self):
        for option, name in (("--json", "x.json"), ("--wave", "x.fst"), ("--wave", "x.vcd"), ("--timeline", "x.svg"), ("--report", "x.html")):
            # An endless kernel would run into the time limit if the check came late.
            self.fails(BAD_INPUT, "/absent/.*cannot be written", "run", self.bad, "--kernel", "endless", option, f"/absent/{name}")
        self.fails(BAD_INPUT, "/absent/out: cannot be written", "run", self.bad, "--kernel", "endless", "--arg", "out:/absent/out:4")
        (self.here / "folder.json").mkdir()
        self.fails(BAD_INPUT, "folder.json: cannot be written .it is a folder", "run", "lud", "--size", "small", "--json", "folder.json")

    def test_wrong_extensions(self):
        self.fails(BAD_INPUT, "x.txt: a wave file ends in .fst or .vcd", "run", "lud", "--wave", "x.txt")
        self.fails(BAD_INPUT, "x.png: a timeline ends in .svg or .json", "run", "lud", "--timeline", "x.png")

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full on this system")
        self.fails(BAD_INPUT, "/dev/full: cannot be written", "run", "figure6", "--size", "small", "--json", "/dev/full", "--quiet")

    def test_quiet_prints_nothing(self):
        self.assertEqual(self.ok("run", "figure6", "--size", "small", "--quiet"), "")

    def test_json_on_stdout_is_alone_there(self):
        done = heddle("run", self.here / "print.elf", "--json", "-", cwd=self.here)
        self.assertEqual(done.returncode, PASS, done.stderr)
        json.loads(done.stdout)
        self.assertIn("hello from a thread", done.stderr)

    def test_threads_print_to_stdout(self):
        self.assertIn("hello from a thread\n", self.ok("run", self.here / "print.elf"))

    def test_wave_files(self):
        for extension in ("fst", "vcd"):
            wave = self.here / f"w.{extension}"
            self.ok("run", "figure6", "--size", "small", "--mechanism", "dpe", "--wave", wave, "--quiet")
            self.assertGreater(wave.stat().st_size, 1000)
            save = (self.here / "w.gtkw").read_text()
            self.assertIn(str(wave), save)
            for group in ("warp00 stack", "warp00 scoreboard", "warp00 selector"):
                self.assertIn(f"-{group}\n", save)
            self.assertRegex((self.here / "w.pc.flt").read_text(), r"(?m)^10000000 10000000: \w+")
        vcd = (self.here / "w.vcd").read_text()
        self.assertIn("$scope module warp00 $end", vcd)
        # The save file names signals that the wave declares.
        declared = {m.group(1) for m in re.finditer(r"\$var wire \d+ \S+ (\w+)", vcd)}
        named = {line.split("[")[0].rsplit(".", 1)[-1] for line in save.splitlines() if line.startswith("systemc.")}
        self.assertEqual(declared, named)

    def test_wave_window_is_in_cycles(self):
        wave = self.here / "window.vcd"
        self.ok("run", "figure6", "--size", "small", "--wave", wave, "--wave-start", "40", "--wave-end", "60", "--quiet")
        times = [int(t) for t in re.findall(r"(?m)^#(\d+)$", wave.read_text())]
        self.assertEqual(times[0], 40)
        self.assertTrue(all(40 <= t <= 60 for t in times) and len(times) > 5, times)

    def test_report_page(self):
        """Its lanes are those of the statistics, and the source is beside its counts."""
        page = self.here / "r.html"
        for mechanism, workload in (("spe", "qsort"), ("dpe", "figure6"), ("dws", "stencil3d"), ("forkjoin", "bitonic"), ("cbar", "bitonic")):
            document = self.document("run", workload, "--size", "small", "--mechanism", mechanism, "--report", page)
            stats = document["stats"]
            text = page.read_text()
            for tag in ("table", "tr", "td", "details"):
                self.assertEqual(len(re.findall(f"<{tag}\\b", text)), text.count(f"</{tag}>"), tag)
            self.assertIn(f"{workload} on {mechanism}", text)
            parts = [int(n.replace(",", "")) for n in re.findall(r"</span> [a-z (),]+ ([0-9,]+) \(", text)]
            threads, lost, otherwise, empty = parts
            self.assertEqual(threads, stats["thread_instructions"])
            self.assertEqual(sum(parts), stats["warp_instructions"] * stats["lanes"])
            self.assertAlmostEqual(threads / (threads + lost + otherwise), stats["lane_utilization_live"], 6)
            self.assertEqual(sum(int(n.replace(",", "")) for n in re.findall(r"<td class=\"l\">\d+ (?:entry|entries)</td><td>([0-9,]+)</td>", text)), 0 if mechanism == "cbar" else stats["warp_instructions"])
            branches = re.findall(r"<tr><td class=\"l\">([^<]*)</td><td class=\"c\">[^<]*</td>" + r"<td>([0-9,]+)</td>" * 5, text)
            self.assertEqual(sum(int(b[5].replace(",", "")) for b in branches), lost)
            self.assertEqual(sum(int(b[2].replace(",", "")) for b in branches), stats["divergent_branches"])
        self.fails(BAD_INPUT, "the same file", "run", "lud", "--size", "small", "--report", "one.html", "--json", "one.html")

    def test_timeline_picture(self):
        picture = self.here / "t.svg"
        self.ok("run", "figure6", "--size", "small", "--mechanism", "dpe", "--timeline", picture, "--quiet")
        root = xml.etree.ElementTree.parse(picture).getroot()
        text = "".join(root.itertext())
        for word in ("figure6 on dpe", "warp 0 L", "warp 0 R", "divergence", "figure6.cu:"):
            self.assertIn(word, text)

    def test_timeline_of_formed_warps(self):
        picture, trace = self.here / "formed.svg", self.here / "formed.json"
        run = ("run", "bitonic", "--size", "small", "--mechanism", "dwf", "--preset", "dwf2007", "--quiet")
        self.ok(*run, "--wave-start", "2600", "--wave-end", "2760", "--timeline", picture)
        text = "".join(xml.etree.ElementTree.parse(picture).getroot().itertext())
        for word in ("bitonic on dwf", "threads on average", "lane 15", "bitonic.cu:"):
            self.assertIn(word, text)
        self.ok(*run, "--timeline", trace)
        stats = self.document(*run[:-1])["stats"]
        events = json.loads(trace.read_text())["traceEvents"]
        issues = [e for e in events if e["ph"] == "X"]
        self.assertEqual(sum(e["tid"] == 16 for e in issues), stats["warp_instructions"])
        self.assertEqual(sum(e["tid"] < 16 for e in issues), stats["thread_instructions"])
        self.assertLessEqual(max(e["args"]["threads"] for e in events if e["ph"] == "C"), 16)

    def test_timeline_for_perfetto(self):
        trace = self.here / "t.json"
        stats = self.document("run", "figure6", "--size", "small", "--mechanism", "dpe", "--timeline", trace)["stats"]
        events = json.loads(trace.read_text())["traceEvents"]
        issues = [e for e in events if e["ph"] == "X" and "pc" in e["args"]]
        self.assertEqual(len(issues), stats["warp_instructions"])
        self.assertEqual({e["tid"] for e in issues} - {0, 1}, set())

    def test_a_large_timeline_says_what_it_leaves_out(self):
        picture = self.here / "big.svg"
        self.ok("run", "lud", "--size", "small", "--timeline", picture, "--quiet")
        self.assertRegex(picture.read_text(), r"\d+ more left out: choose a window with --wave-start and --wave-end")

    def test_interrupted_runs_keep_their_wave_and_timeline(self):
        done = heddle("run", "lud", "--size", "small", "--max-cycles", "500", "--wave", "part.vcd", "--timeline", "part.svg", cwd=self.here)
        self.assertEqual(done.returncode, STOPPED)
        times = [int(t) for t in re.findall(r"(?m)^#(\d+)$", (self.here / "part.vcd").read_text())]
        self.assertGreater(times[-1], 450)
        xml.etree.ElementTree.parse(self.here / "part.svg")


class Documents(CliTest):
    def test_run(self):
        document = self.document("run", "lud", "--size", "small", "--mechanism", "dpe", shape=RUN)
        self.assertEqual((document["workload"], document["mechanism"], document["engine"]), ("lud", "dpe", "systemc"))
        self.assertEqual((document["result"], document["error"]), ("pass", None))
        keys = {line.split()[0] for line in self.ok("list", "keys").splitlines()[1:]}
        self.assertEqual(set(document["config"]), keys)

    def test_counts_fit_together(self):
        for mechanism in ("spe", "dpe", "dws", "forkjoin", "cbar"):
            document = self.document("run", "lud", "--size", "small", "--mechanism", mechanism)
            s = document["stats"]
            self.assertEqual(sum(s["stalls"].values()), s["idle_cycles"])
            histogram = s["warp_size_histogram"]
            self.assertEqual(len(histogram), s["lanes"] + 1)
            self.assertEqual(sum(histogram.values()), s["schedulers"] * s["cycles"])
            self.assertEqual(histogram["W0"], s["idle_cycles"])
            self.assertEqual(sum(histogram.values()) - histogram["W0"], s["warp_instructions"])
            self.assertEqual(sum(int(k[1:]) * v for k, v in histogram.items()), s["thread_instructions"])
            depths = s["stack_depth_histogram"]
            self.assertEqual(sum(depths.values()), 0 if mechanism == "cbar" else s["warp_instructions"])  # it has no stack
            self.assertLessEqual(set(depths), {str(depth) for depth in range(1, s["max_stack_depth"] + 1)})
            self.assertAlmostEqual(s["ipc"], s["thread_instructions"] / s["cycles"])
            self.assertAlmostEqual(s["lane_utilization"], s["thread_instructions"] / (s["warp_instructions"] * s["lanes"]))
            self.assertEqual(sum(b["divergent"] for b in document["branches"]), s["divergent_branches"])
            self.assertEqual(sum(b["predicated"] for b in document["branches"]), s["predicated_branches"])
            self.assertEqual(sum(b["interleavable"] for b in document["branches"]), s["interleavable_branches"])
            for key in ("cycles", "warp_instructions", "thread_instructions", "idle_cycles", "sibling_issues", "divergent_branches"):
                self.assertEqual(sum(launch["stats"][key] for launch in document["launches"]), s[key], key)
            self.assertEqual(max(launch["stats"]["max_stack_depth"] for launch in document["launches"]), s["max_stack_depth"])
            self.assertTrue(any("lud.cu:" in b["source"] for b in document["branches"]))

    def test_counts_repeat_and_mechanisms_agree(self):
        first, second = (self.document("run", "qsort", "--size", "small", "--mechanism", "dpe")["stats"] for _ in range(2))
        self.assertEqual(first, second)
        spe = self.document("run", "qsort", "--size", "small")["stats"]
        for key in ("warp_instructions", "thread_instructions", "lane_utilization"):
            self.assertEqual(spe[key], first[key], key)
        self.assertEqual(spe["avg_path"], 1.0)

    def test_compare(self):
        document = self.document("compare", "figure6", "lud", "--size", "small", "--mechanisms", "spe,dpe")
        self.assertEqual([(r["workload"], r["mechanism"]) for r in document["runs"]],
                         [("figure6", "spe"), ("figure6", "dpe"), ("lud", "spe"), ("lud", "dpe")])
        shape = {key: value for key, value in RUN.items() if key != "heddle"}
        for run in document["runs"]:
            self.assertIsNone(mismatch(shape, run))
        table = self.ok("compare", "figure6", "lud", "--size", "small")
        header = table.splitlines()[0].split()
        self.assertEqual(header, ["workload", "mechanism", "result", "cycles", "speed-up", "ipc", "lane_utilization", "avg_path",
                                  "sibling_issues", "idle_cycles", "stack_depth"])
        row = table.splitlines()[2].split()
        self.assertEqual(row[0:2], ["dpe", "pass"])
        self.assertEqual(row[3], f'{document["runs"][0]["stats"]["cycles"] / document["runs"][1]["stats"]["cycles"]:.3f}')

    def test_compare_perturbed(self):
        arguments = ("compare", "figure6", "lud", "--size", "small", "--mechanisms", "spe,dpe", "--perturb", "3")
        document = self.document(*arguments)
        self.assertEqual([(r["workload"], r["mechanism"], r["config"]["memory.latency"]) for r in document["runs"]],
                         [(w, m, latency) for w in ("figure6", "lud") for m in ("spe", "dpe") for latency in (190, 200, 210)])
        self.assertIsNone(mismatch(PERTURB, document["perturb"]))
        self.assertEqual((document["perturb"]["key"], document["perturb"]["runs_each"]), ("memory.latency", 3))
        rows = document["perturb"]["gains"]
        self.assertEqual([(r["workload"], r["mechanism"], r["baseline"]) for r in rows],
                         [(w, m, "spe") for w in ("figure6", "lud") for m in ("spe", "dpe")])
        lud = [run["stats"] for run in document["runs"][6:]]
        for name, ratios in (("speed_up", [lud[i]["cycles"] / lud[i + 3]["cycles"] for i in range(3)]),
                             ("lines", [lud[i + 3]["l1"]["bytes_read"] / lud[i]["l1"]["bytes_read"] for i in range(3)])):
            spread = rows[3][name]
            self.assertAlmostEqual(spread["mean"], statistics.mean(ratios))
            self.assertAlmostEqual(spread["deviation"], statistics.stdev(ratios))
            self.assertEqual((spread["min"], spread["max"]), (min(ratios), max(ratios)))
        self.assertEqual([r["gain"] for r in rows if r["mechanism"] == "spe"], ["none", "none"])
        self.assertEqual(rows[3]["gain"], "latency_hiding")
        self.assertEqual(self.document(*arguments)["perturb"], document["perturb"], "deterministic")

        lines = self.ok(*arguments).splitlines()
        self.assertEqual(lines[0].split(), ["workload", "mechanism", "result", "runs", "cycles", "speed-up", "deviation", "min", "max", "lines", "gain"])
        self.assertEqual(lines[4].split(), ["dpe", "pass", "3", f'{round(statistics.mean(run["cycles"] for run in lud[3:])):,}', *(f'{rows[3]["speed_up"][key]:.3f}' for key in
                                            ("mean", "deviation", "min", "max")), f'{rows[3]["lines"]["mean"]:.3f}', "latency_hiding"])
        self.assertRegex(lines[5], r"^dpe over spe: 1\.\d{3}, from 1\.\d{3} to 1\.\d{3} \(geometric mean of 2 workloads\)$")
        self.assertNotIn("perturb", self.document("compare", "figure6", "--size", "small"))

    def test_compare_perturbed_with_a_hierarchy(self):
        """Its latency is another key's."""
        document = self.document("compare", "lud", "--size", "small", "--mechanisms", "spe", "--preset", "fermi", "--perturb", "3")
        self.assertEqual(document["perturb"]["key"], "dram.controller")
        self.assertEqual([run["config"]["dram.controller"] for run in document["runs"]], [162, 170, 178])
        cycles = [run["stats"]["cycles"] for run in document["runs"]]
        self.assertEqual(cycles, sorted(cycles))
        self.assertLess(cycles[0], cycles[2])

    def test_perturbation_takes_what_lies_within_five_percent(self):
        latencies = lambda *more: [r["config"]["memory.latency"] for r in self.document("compare", "figure6", "--size", "small", "--mechanisms", "spe", *more)["runs"]]
        self.assertEqual(latencies("--perturb", "2"), [190, 210])
        self.assertEqual(latencies("--perturb", "4"), [190, 197, 203, 210])
        self.assertEqual(latencies("--perturb", "3", "--set", "memory.latency=39"), [38, 39, 40])
        for number, message in (("1", "a spread needs at least 2 runs"), ("0", "at least 2"), ("x", "--perturb x: not a whole number"), ("-2", "not a whole number"),
                                ("22", "there are 21 whole numbers within 5 % of memory.latency = 200; lower --perturb or raise the latency"),
                                ("99999999999", "there are 21 whole numbers")):
            self.fails(BAD_INPUT, message, "compare", "figure6", "--size", "small", f"--perturb={number}")
        self.fails(BAD_INPUT, "there is 1 whole number within 5 % of memory.latency = 19", "compare", "figure6", "--perturb", "2", "--set", "memory.latency=19")
        self.fails(BAD_INPUT, "memory.latency = 105000 is not possible", "compare", "figure6", "--perturb", "2", "--set", "memory.latency=100000")
        self.fails(BAD_INPUT, "--perturb: there is no such option", "run", "figure6", "--perturb", "2")

    def test_a_perturbed_run_that_fails_does_not_stop_the_others(self):
        arguments = ("compare", "figure6", "--size", "small", "--mechanisms", "spe", "--perturb", "2")
        cycles = [run["stats"]["cycles"] for run in self.document(*arguments)["runs"]]
        self.assertLess(cycles[0], cycles[1])
        done = heddle(*arguments, "--max-cycles", cycles[0] + 1, "--json", "some.json", cwd=self.here)
        self.assertEqual(done.returncode, STOPPED)
        self.assertRegex(done.stderr, r"^heddle: figure6 on spe, memory.latency 210: .*--max-cycles.*\n$")
        self.assertRegex(done.stdout, r"(?m)^figure6 +spe +error +1 ")
        document = json.loads((self.here / "some.json").read_text())
        self.assertEqual([run["result"] for run in document["runs"]], ["pass", "error"])
        self.assertEqual((document["result"], document["perturb"]["gains"][0]["compared"], document["perturb"]["gains"][0]["gain"]), ("error", 1, "unknown"))

    def test_the_barrel_core_reports_its_own_counts(self):
        for mechanism in ("dwf", "naive", "pdom-barrel", "mimd"):
            stats = self.document("run", "collatz", "--size", "small", "--mechanism", mechanism, "--preset", "dwf2007")["stats"]
            self.assertEqual(list(stats["stalls"]), ["no_warp", "unit_busy", "memory", "barrier", "pipeline", "formation", "regfile"])
            self.assertEqual(sum(stats["stalls"].values()), stats["idle_cycles"])
            barrel = stats["barrel"]
            self.assertGreater(barrel["max_distinct_pcs"], 1)
            self.assertEqual("lut" in barrel, mechanism == "dwf")
            if mechanism == "dwf":
                self.assertEqual(list(barrel["lut"]), ["hits", "misses", "aliases"])
                self.assertTrue(0 < barrel["max_pool_entries"] <= 256)
                self.assertTrue(0 < barrel["fragmented"] <= barrel["lane_conflicts"] <= barrel["lut"]["hits"])
        self.assertNotIn("barrel", self.document("run", "collatz", "--size", "small", "--preset", "dwf2007")["stats"])

    def test_statistics_of_subdivision(self):
        stats = self.document("run", "collatz", "--size", "small", "--mechanism", "dws")["stats"]
        self.assertEqual(list(stats["dws"]), ["splits", "merges", "refused", "max_splits"])
        self.assertLessEqual(stats["dws"]["max_splits"], 8)
        self.assertGreater(stats["dws"]["splits"], 0)
        self.assertNotIn("dws", self.document("run", "collatz", "--size", "small")["stats"])
        self.assertRegex(self.ok("run", "collatz", "--size", "small", "--mechanism", "dws"), r"splits +[\d,]+ made, [\d,]+ merged, [\d,]+ refused")

    def test_statistics_of_the_barrel_core_in_words(self):
        text = self.ok("run", "collatz", "--size", "small", "--mechanism", "dwf", "--preset", "dwf2007")
        for line in (r"warp pool +\d+ of 256 entries", r"PC-warp LUT +[\d,]+ hits, [\d,]+ misses", r"lane conflicts +[\d,]+, of them",
                     r"longest wait +[\d,]+ cycles"):
            self.assertRegex(text, line)
        self.assertNotIn("stack depth", text)

    def test_a_stack_is_counted_where_there_is_one(self):
        page = self.here / "depth.html"
        for mechanism, stack in (("spe", True), ("dws", True), ("minpc", False), ("cbar", False)):
            arguments = ("collatz", "--size", "small", "--mechanism", mechanism)
            with self.subTest(mechanism=mechanism):
                stats = self.document("run", *arguments)["stats"]
                self.assertEqual((stats["max_stack_depth"] != 0, stats["stack_depth_histogram"] != {}), (stack, stack))
                self.assertEqual("stack depth" in self.ok("run", *arguments, "--report", str(page)), stack)
                self.assertEqual("Depth of the stack" in page.read_text(encoding="utf-8"), stack)
                self.assertEqual("stack depth" in self.ok("bits", "--mechanism", mechanism), stack)
                self.assertRegex(self.ok("compare", "collatz", "--size", "small", "--mechanisms", mechanism), r" \d+/\d+ *\n" if stack else r" - *\n")

    def test_compare_takes_the_mechanisms_that_fit_the_machine(self):
        names = lambda *machine: [r["mechanism"] for r in self.document("compare", "figure6", "--size", "small", *machine)["runs"]]
        self.assertEqual(names(), ["spe", "dpe", "dws", "forkjoin", "minpc", "cbar"])
        self.assertEqual(names("--mechanisms", "all"), ["spe", "dpe", "dws", "forkjoin", "minpc", "cbar"])
        self.assertEqual(names("--preset", "dwf2007"), ["spe", "dpe", "dws", "forkjoin", "minpc", "cbar", "dwf", "naive", "pdom-barrel", "mimd"])
        self.fails(BAD_INPUT, "the barrel core has one scheduler", "compare", "figure6", "--mechanisms", "spe,dwf", "--preset", "fermi")

    def test_without_a_preset_the_machine_is_that_of_the_mechanism(self):
        for arguments in (("--mechanism", "dwf"), ("--set", "mechanism=mimd")):
            document = self.document("run", "figure6", "--size", "small", *arguments)
            self.assertEqual((document["config"]["core.lanes"], document["config"]["core.schedulers"]), (16, 1))
        document = self.document("run", "figure6", "--size", "small", "--mechanism", "dwf", "--set", "core.lanes=8")
        self.assertEqual((document["config"]["core.lanes"], document["config"]["core.schedulers"]), (8, 1))
        runs = self.document("compare", "figure6", "--size", "small", "--mechanisms", "spe,dwf")["runs"]
        self.assertEqual([run["config"]["core.lanes"] for run in runs], [16, 16], "one machine for all rows")
        for arguments in (("--mechanism", "dwf"), ("--set", "mechanism=dwf")):
            self.assertEqual(self.document("bits", *arguments, shape=BITS)["paper"]["total_bits"], 48464)
        self.assertEqual(self.document("run", "figure6", "--size", "small")["config"]["core.lanes"], 32)

    def test_bits(self):
        for mechanism in ("spe", "dpe", "dwf"):
            document = self.document("bits", "--mechanism", mechanism, "--preset", "dwf2007", shape=BITS)
            for structures, total in ((document["structures"], document["total_bits"]),
                                      (document["paper"]["structures"], document["paper"]["total_bits"])):
                for s in structures:
                    self.assertEqual(s["bits"], sum(f["bits"] for f in s["fields"]) * s["entries"] * s["copies"])
                    self.assertIn(s["storage"], ("flip-flop", "memory"))
                self.assertEqual(sum(s["bits"] for s in structures), total)
            self.assertEqual(document["paper"]["total_bits"] + sum(d["bits"] for d in document["differences"]), document["total_bits"])
            first = document["paper"]["structures"][0]  # warps of 16: a stack entry, a warp update register
            self.assertEqual(sum(f["bits"] for f in first["fields"]), {"spe": 80, "dpe": 128, "dwf": 168}[mechanism])
        self.assertEqual(document["paper"]["total_bits"], 48464)  # DWF paper, Table 1
        self.assertRegex(self.ok("bits", "--mechanism", "dwf", "--preset", "dwf2007"), r"total +48,464")
        bits = {mechanism: self.document("bits", "--mechanism", mechanism, shape=BITS) for mechanism in ("spe", "dws")}  # stacks of 16 and 32
        self.assertAlmostEqual(bits["dws"]["ratio_to_spe"], bits["dws"]["total_bits"] / bits["spe"]["total_bits"])
        self.fails(BAD_INPUT, "mechanism mimd: there is no hardware of it to count; choose one of spe, dpe, dws, forkjoin, minpc, cbar, dwf", "bits", "--mechanism", "mimd",
                   "--preset", "dwf2007")

    def test_limit_study(self):
        document = self.document("limit-study", "collatz", "lud", "--size", "small", "--set", "core.lanes=16", shape=LIMIT)
        collatz, lud = document["programs"]
        self.assertEqual((document["lanes"], collatz["warps"], collatz["threads"]), (16, 8, 128))
        self.assertGreater(collatz["gain"], 0.1)
        self.assertEqual((lud["gain"], lud["oracle_issues"]), (0.0, lud["pdom_issues"]))
        self.assertAlmostEqual(collatz["gain"], collatz["pdom_issues"] / collatz["oracle_issues"] - 1)
        means = [2 / sum(1 / p[key] for p in document["programs"]) for key in ("pdom_ipc", "oracle_ipc")]
        self.assertAlmostEqual(document["harmonic_mean"]["gain"], means[1] / means[0] - 1)
        lines = self.ok("limit-study", "collatz", "lud", "--size", "small", "--set", "core.lanes=16", "--json", "limit.json").splitlines()
        self.assertEqual(json.loads((self.here / "limit.json").read_text()), document)
        self.assertEqual(lines[1].split(), ["program", "warps", "threads", "pdom_issues", "oracle_issues", "longest_traces", "pdom_ipc",
                                            "oracle_ipc", "gain", "at_most"])
        self.assertEqual(lines[2].split()[0:4], ["collatz", "8", "128", f'{collatz["pdom_issues"]:,}'])
        self.assertIn(f'{100 * collatz["gain"]:.1f} %', lines[2])
        self.assertTrue(lines[4].startswith("harmonic mean"))
        self.assertEqual(len(self.ok("limit-study", "lud", "--size", "small").splitlines()), 3)  # no mean of one

    def test_limit_study_of_a_kernel_file(self):
        document = self.document("limit-study", self.good, "--kernel", "shape", "--grid", "2", "--block", "40", "--arg", "zero:320",
                                 "--threads", "50", "--set", "core.lanes=16", shape=LIMIT)
        self.assertEqual((document["programs"][0]["warps"], document["programs"][0]["threads"]), (4, 56))

    def test_limit_study_errors(self):
        self.fails(BAD_INPUT, "the workload or kernel file is missing", "limit-study")
        self.fails(BAD_INPUT, "no workload is named 'nope'", "limit-study", "lud", "nope")
        self.fails(BAD_INPUT, "--threads 0: nothing to trace; choose at least 1", "limit-study", "lud", "--threads", "0")
        self.fails(BAD_INPUT, "--max-cells x: not a whole number", "limit-study", "lud", "--max-cells", "x")
        self.fails(BAD_INPUT, "--max-cells 1000: not enough to align these traces; raise it", "limit-study", "collatz", "--size", "small", "--max-cells", "1000",
                   "--json", "small.json")
        self.fails(BAD_INPUT, "--max-trace 1000: kernel collatz jumps more often than that in the traced threads; raise it", "limit-study", "collatz",
                   "--size", "small", "--max-trace", "1000")
        self.fails(BAD_INPUT, "--kernel: only for kernel files", "limit-study", "lud", "--kernel", "k")
        self.fails(BAD_INPUT, "--seed: only for workloads", "limit-study", self.good, "--seed", "1")
        self.fails(BAD_INPUT, "--mechanism: there is no such option", "limit-study", "lud", "--mechanism", "dpe")

    def test_errors_are_documents_too(self):
        document = self.document("run", "nope", status=BAD_INPUT)
        self.assertEqual(document["result"], "error")
        self.assertIn("no workload is named", document["error"]["message"])
        document = self.document("run", "lud", "--size", "small", "--max-cycles", "100", status=STOPPED, shape=RUN)
        self.assertEqual((document["result"], document["error"]["code"]), ("error", "max_cycles"))
        self.assertGreater(document["stats"]["warp_instructions"], 0)
        document = self.document("run", "lud", "--siz", "x", status=BAD_INPUT)
        self.assertEqual(document["error"]["code"], "option")

    def test_json_file(self):
        self.ok("run", "figure6", "--size", "small", "--json", "run.json")
        self.assertIsNone(mismatch(RUN, json.loads((self.here / "run.json").read_text())))

    def test_cfg(self):
        self.assertIn("figure6", self.ok("cfg", "figure6"))
        self.assertTrue(self.ok("cfg", self.good, "--dot", "-").startswith("digraph"))
        self.assertIn("functions", self.document("cfg", self.good))
        self.assertRegex(self.ok("cfg", self.good, "--rom", "-"), r"(?s)\A// \d+ instructions from 0x10000000: .*\n@0\n[0-9a-f]{9}  // 10000000 ")


class RawKernels(CliTest):
    def test_every_kind_of_argument(self):
        (self.here / "in.bin").write_bytes(struct.pack("<64i", *range(64)))
        (self.here / "io.bin").write_bytes(struct.pack("<64i", *range(100, 164)))
        self.ok("run", self.good, "--kernel", "mix", "--grid", "2", "--block", "32,1,1", "--arg", "in:in.bin", "--arg", "out:out.bin:256",
                "--arg", "inout:io.bin:io2.bin", "--arg", "zero:256", "--arg", "u32:0x10", "--arg", "i32:-3", "--arg", "f32:0.5")
        out = struct.unpack("<64i", (self.here / "out.bin").read_bytes())
        self.assertEqual(out, tuple(t + 16 - 3 + 4 + 5 for t in range(64)))
        self.assertEqual(struct.unpack("<64i", (self.here / "io2.bin").read_bytes()), tuple(2 * v for v in range(100, 164)))
        self.assertEqual(struct.unpack("<64i", (self.here / "io.bin").read_bytes()), tuple(range(100, 164)))

    def test_three_dimensions(self):
        self.ok("run", self.good, "--kernel", "shape", "--grid", "2,3,2", "--block", "4,2,3", "--arg", f"out:shape.bin:{4 * 12 * 24}")
        out = struct.unpack("<288I", (self.here / "shape.bin").read_bytes())
        self.assertEqual(out, tuple(1000 * block + thread for block in range(12) for thread in range(24)))

    def test_accesses_outside_of_the_buffers_of_arguments(self):
        (self.here / "from.bin").write_bytes(bytes(128))
        for mechanism, preset in (("spe", []), ("dwf", ["--preset", "dwf2007"])):
            call = ["run", self.bad, "--kernel", "past", "--block", "32", "--quiet", "--mechanism", mechanism, *preset]
            self.fails(STOPPED, r"^heddle: store of 4 bytes at address 0x20000260: outside every buffer and variable \(nearest: offset 96 of argument 3 'to', 96 bytes at "
                       r"0x20000200\) in kernel past: thread \(0,0,0\) of block \(0,0,0\) \(warp 0, lane 0\) at \S*bad\.cu:11 \(past\+0x\w+\) `sw ",
                       *call, "--arg", "u32:24", "--arg", "in:from.bin", "--arg", "out:to.bin:96")
            self.fails(STOPPED, "nearest: offset 128 of argument 2 'from', 128 bytes at 0x20000000", *call, "--arg", "i32:-96", "--arg", "in:from.bin", "--arg", "out:to.bin:96")
            self.ok(*call, "--arg", "u32:24", "--arg", "in:from.bin", "--arg", "out:to.bin:96", "--set", "run.bounds=false")
            self.assertEqual((self.here / "to.bin").read_bytes(), bytes(96))
            (self.here / "to.bin").unlink()

    def test_notes_of_software_floating_point_and_division(self):
        for kernel, pattern in (("in_double", r"in __muldf3, __adddf3, .*; double is computed in software: write 2\.0f for 2\.0, sqrtf for sqrt, float for double"),
                                ("divides", r"in __divdi3; 64-bit integers are divided in software: divide int or unsigned where the values fit")):
            call = ["run", self.good, "--kernel", kernel, "--block", "32", "--arg", "zero:256"]
            for mechanism in ("spe", "dwf"):
                done = heddle(*call, "--mechanism", mechanism, cwd=self.here)
                self.assertRegex(done.stderr, rf"^heddle: note: kernel {kernel}: \d\d % of its instructions are {pattern}\n$")
            self.ok(*call, "--quiet")
            self.assertEqual([f"heddle: note: {note}\n" for note in self.document(*call, "--mechanism", "dwf")["notes"]], [done.stderr])
            compared = heddle("compare", *call[1:], "--mechanisms", "spe,dpe", cwd=self.here)
            self.assertEqual(compared.stderr.count("note"), 1)
        self.assertNotIn("notes", self.document("run", self.good, "--kernel", "shape", "--arg", "out:shape.bin:4"))

    def test_bad_arguments(self):
        for argument, message in (("7", "no ':' in it"), ("u65:7", "'u65' is no kind of argument; write u32:N"), ("u32:-1", "from 0 to 4294967295"),
                                  ("i32:2147483648", "from -2147483648 to 2147483647"), ("f32:1.5x", "'1.5x' is not a number"),
                                  ("u32:4294967296", "from 0 to 4294967295"), ("u32:7 ", "from 0 to"), ("u32:", "from 0 to"), ("addr:x", "from 0 to"),
                                  ("f32: 1", "' 1' is not a number"), ("f32:", "'' is not a number"), ("f32:1e999", "beyond the largest float"),
                                  ("f32:-1e39", "beyond the largest float"), ("f32:1e-46", "write f32:0 for zero"), ("out:file:-4", "number of bytes"),
                                  ("in:absent.bin", "absent.bin cannot be read"), ("out:file", "write out:FILE:BYTES"),
                                  ("out:file:0", "not a number of bytes from 1"), ("zero:2G", "not a number of bytes from 1"),
                                  ("inout:only", "write inout:FILE:OUT")):
            self.fails(BAD_INPUT, f"--arg {re.escape(argument)}: .*{re.escape(message)}", "run", self.good, "--kernel", "shape", "--arg", argument)
        (self.here / "empty.bin").write_bytes(b"")
        self.fails(BAD_INPUT, "empty.bin holds no data", "run", self.good, "--kernel", "shape", "--arg", "in:empty.bin")

    def test_bad_launches(self):
        self.fails(BAD_INPUT, "has several kernels; choose one with --kernel: .*mix", "run", self.good)
        self.fails(BAD_INPUT, "no kernel 'nope'.*mix", "run", self.good, "--kernel", "nope")
        self.fails(BAD_INPUT, "--grid 0: write one to three sizes", "run", self.good, "--kernel", "shape", "--grid", "0")
        self.fails(BAD_INPUT, "--block 1,2,3,4: write one to three sizes", "run", self.good, "--kernel", "shape", "--block", "1,2,3,4")
        self.fails(BAD_INPUT, r"block \(4096,1,1\) is too large", "run", self.good, "--kernel", "shape", "--block", "4096", "--arg", "zero:4")
        for grid in ("-1", "1,,1", "1,", "4294967296", "1,0", "0x"):
            self.fails(BAD_INPUT, "--grid", "run", self.good, "--kernel", "shape", f"--grid={grid}", "--arg", "zero:4")
        self.fails(BAD_INPUT, r"more than 2\^32 - 1 threads", "run", self.good, "--kernel", "shape", "--grid", "65536,65536,65536", "--arg", "zero:4")
        self.fails(BAD_INPUT, "arguments", "run", self.good, "--kernel", "mix", *["--arg=u32:1"] * 9)
        self.fails(BAD_INPUT, "heap", "run", self.good, "--kernel", "shape", "--arg", "zero:1073741824")

    def script(self, text):
        path = self.here / "list.txt"
        path.write_text(text)
        return path

    def test_launches_symbols_and_shared(self):
        program = self.here / "launches.elf"
        (self.here / "x.bin").write_bytes(struct.pack("<8i", *range(8)))
        (self.here / "three.bin").write_bytes(struct.pack("<i", 3))
        path = self.script("""# x, y and back, twice
            buffer x inout:x.bin:x2.bin
            buffer y zero:32   # between
            repeat 2
              launch step 1 8 x y u32:8
              launch step 2 4 y x u32:8
            end
            launch turn 1 8 shared:32 x
        """)
        values = list(range(8))
        for _ in range(4):
            values = [3 * v + 1 + i % 4 for i, v in enumerate(values)]
        (self.here / "want.bin").write_bytes(struct.pack("<8i", *reversed(values)))
        document = self.document("run", program, "--launches", path, "--symbol", "factor=three.bin", "--expect", "x2.bin=want.bin", "--mechanism", "dpe")
        self.assertEqual(document["result"], "pass")
        self.assertEqual([launch["kernel"] for launch in document["launches"]], ["step"] * 4 + ["turn"])
        self.assertEqual(document["launches"][1]["grid"], [2, 1, 1])
        # Without the variable another result; the same by the command line.
        self.assertEqual(heddle("run", program, "--launches", path, "--expect", "x2.bin=want.bin", cwd=self.here).returncode, WRONG)
        (self.here / "back.bin").write_bytes(struct.pack("<8i", *reversed(range(8))))
        self.ok("run", program, "--kernel", "turn", "--block", "8", "--shared", "32", "--arg", "inout:x.bin:x3.bin", "--expect", "x3.bin=back.bin")

    def test_bad_lists_of_launches(self):
        program = self.here / "launches.elf"
        good = "buffer x zero:32\nlaunch turn 1 8 shared:32 x\n"
        for text, message in (("", "there is no launch in it"), (good + "lunch x", "list.txt:3: 'lunch' is none of buffer, launch, repeat and end"),
                              (good + "repeat 2\n", "list.txt:3: repeat without an end"), (good + "end", "list.txt:3: end without a repeat"),
                              (good + "repeat 0\n", "list.txt:3: write repeat N"), (good + "repeat x\n", "list.txt:3: write repeat N"),
                              ("repeat 1001\nrepeat 1000\nlaunch turn 1 8 zero:4\nend\nend", "list.txt:5: more than 1000000 launches"),
                              (good + "launch turn 1 8 y", "list.txt:3: y: no buffer of that name"), (good + "launch turn 1", "list.txt:3: write launch KERNEL"),
                              (good + "launch turn 1,0 8 x", "list.txt:3: grid 1,0: write one to three"), (good + "buffer y u32:4", "list.txt:3: u32:4: is no buffer"),
                              (good + "buffer x zero:4", "list.txt:3: buffer x is there already, at .*list.txt:1"), (good + "buffer x:y zero:4", "has no ':'"),
                              (good + "launch turn 1 8 shared:x x", "list.txt:3: shared:x: write a number"), (good + "launch nope 1 8", "no kernel 'nope'"),
                              (good + "launch turn 1 8 x x", "list.txt:3: kernel turn has 1 parameter .*leave out .*list.txt:1: zero:32"),
                              (good + "launch step 1 8 x x f32:1", "parameter 3 'n' .int.: .*list.txt:3: f32:1 is a float")):
            self.fails(BAD_INPUT, message, "run", program, "--launches", self.script(text))
        self.fails(BAD_INPUT, "--launches absent.txt: cannot be read", "run", program, "--launches", "absent.txt")
        self.fails(BAD_INPUT, "--arg: not with --launches", "run", program, "--launches", self.script(good), "--arg", "u32:1")
        self.fails(BAD_INPUT, "--launches: only for kernel files", "run", "figure6", "--launches", self.script(good))
        self.fails(BAD_INPUT, "two outputs|same file|already", "run", program, "--launches", self.script("buffer a out:o:4\nbuffer b out:o:4\nlaunch turn 1 1 a"))
        self.fails(BAD_INPUT, "--shared x: write a number of bytes", "run", program, "--kernel", "turn", "--shared", "x", "--arg", "zero:32")
        (self.here / "five.bin").write_bytes(b"12345")
        path = self.script(good)
        for symbol, message in (("factor", "write NAME=FILE"), ("=five.bin", "write NAME=FILE"), ("factor=absent", "absent cannot be read"),
                                ("factor=five.bin", "the file has 5 bytes, the variable 4"), ("factors=five.bin", "no variable of that name.*did you mean 'factor'")):
            self.fails(BAD_INPUT, f"--symbol {symbol}: .*{message}", "run", program, "--launches", path, "--symbol", symbol)
        self.fails(BAD_INPUT, "is set twice", "run", program, "--launches", path, "--symbol", "factor=five.bin", "--symbol", "factor=five.bin")
        self.fails(BAD_INPUT, "33 arguments are given, at most 32", "run", program, "--kernel", "turn", *["--arg=u32:1"] * 33)

    def test_a_run_that_is_compared_with_nothing_is_unchecked(self):
        run = ("run", self.good, "--kernel", "shape", "--block", "16", "--arg", "out:free.bin:64")
        self.assertIn("engine systemc: unchecked\n", self.ok(*run))
        self.assertEqual(self.document(*run, shape=RUN)["result"], "unchecked")
        compare = ("compare", self.good, "--kernel", "shape", "--block", "16", "--arg", "zero:64", "--mechanisms", "spe,dpe")
        self.assertEqual(self.ok(*compare).count(" unchecked "), 2)
        document = self.document(*compare)
        self.assertEqual([document["result"], *(r["result"] for r in document["runs"])], ["unchecked"] * 3)
        self.assertEqual(self.document("compare", "figure6", "--size", "small", "--mechanisms", "spe")["result"], "pass")

    def test_expected_outputs(self):
        run = ("run", self.good, "--kernel", "shape", "--block", "16", "--arg", "out:a=b.bin:64")
        (self.here / "want=16.bin").write_bytes(struct.pack("<16I", *range(16)))
        self.assertIn("engine systemc: pass\n", self.ok(*run, "--expect", "a=b.bin=want=16.bin"))
        self.assertEqual(self.document(*run, "--expect", "a=b.bin=want=16.bin", shape=RUN)["result"], "pass")
        (self.here / "a=b.bin").unlink()
        (self.here / "other.bin").write_bytes(struct.pack("<16I", *range(5), 0x1205, *range(6, 15), 1))
        message = (r"wrong result: a=b.bin differs from other.bin at byte 21: 0x00, expected 0x12 \(word 5: 0x00000005, expected 0x00001205\); "
                   "2 of 64 bytes differ")
        self.fails(WRONG, message, *run, "--expect", "a=b.bin=other.bin")
        self.assertEqual(len((self.here / "a=b.bin").read_bytes()), 64)  # to look at
        document = self.document(*run, "--expect", "a=b.bin=other.bin", status=WRONG, shape=RUN)
        self.assertEqual((document["result"], document["error"]["code"]), ("fail", "result"))
        for expect, why in (("x", "no '=' in it"), ("x=other.bin", "no --arg out: or inout: writes the file"), ("a=b.bin=absent", "absent cannot be read"),
                            ("a=b.bin=args.elf", "args.elf has more than 64 bytes, a=b.bin will have 64")):
            self.fails(BAD_INPUT, f"--expect {re.escape(expect)}: {why}", *run, "--expect", expect)
        self.fails(BAD_INPUT, "is compared with other.bin already", *run, "--expect", "a=b.bin=other.bin", "--expect", "a=b.bin=want=16.bin")
        self.fails(BAD_INPUT, "--expect: only for kernel files", "run", "lud", "--expect", "a=b")

    def test_two_outputs_of_one_name(self):
        (self.here / "in4.bin").write_bytes(bytes(4))
        self.fails(BAD_INPUT, "--arg ./two.bin: --arg two.bin writes the same file; name two files", "run", self.good, "--kernel", "mix", "--arg", "in:in4.bin",
                   "--arg", "out:two.bin:4", "--arg", "out:./two.bin:4", "--arg", "zero:4", "--arg", "u32:1", "--arg", "i32:1", "--arg", "f32:1")
        self.ok("run", self.good, "--kernel", "mix", "--arg", "in:in4.bin", "--arg", "out:/dev/null:4", "--arg", "inout:in4.bin:/dev/null", "--arg", "zero:4",
                "--arg", "u32:1", "--arg", "i32:1", "--arg", "f32:inf")

    def test_arguments_are_checked_against_the_parameters(self):
        buffer = "in:FILE, out:FILE:BYTES, inout:FILE:OUT or zero:BYTES"
        types = ["zero:32", "zero:4", "zero:16", "u32:1", "u32:1000", "u32:0", "u32:1", "i32:-1"]
        narrow = ["zero:32", "i32:-1", "i32:-1", "u32:255", "u32:65535", "zero:8", "zero:4", "f32:1"]

        def call(kernel, arguments):
            return ("run", self.args, "--kernel", kernel, *(f"--arg={a}" for a in arguments))

        def instead(arguments, index, text):
            return [*arguments[:index], text, *arguments[index + 1:]]

        self.ok(*call("types", types))
        self.ok(*call("narrow", narrow))
        self.ok(*call("nothing", []))
        self.ok(*call("fill<float>", ["zero:4", "f32:2"]))
        self.ok(*call("fill<int>", ["zero:4", "i32:2"]))
        self.ok(*call("space::Kernels::member", ["zero:4", "i32:2"]))
        for kernel, arguments, message in (
                ("types", types[:7], r"kernel types has 8 parameters \(int\* out, samples_t x, .*\), 7 arguments are given: parameter 8 \(char c\) has none: write --arg u32:N"),
                ("types", [*types, "u32:5"], "kernel types has 8 parameters .* 9 arguments are given: leave out --arg u32:5$"),
                ("nothing", ["u32:5", "u32:6"], "kernel nothing has no parameters, 2 arguments are given: leave out --arg u32:5 and what follows"),
                ("types", [], r"parameter 1 \(int\* out\) has none: write --arg " + buffer),
                ("types", instead(types, 0, "u32:4096"), rf"parameter 1 'out' \(int\*\): --arg u32:4096 is a number; write {buffer}, or addr:0x1000 if it is an address"),
                ("types", instead(types, 1, "f32:1"), r"parameter 2 'x' \(samples_t\): --arg f32:1 is a float; write in:FILE"),
                ("types", instead(types, 3, "f32:1"), r"parameter 4 'n' \(const index_t\): --arg f32:1 is a float; write u32:N"),
                ("types", instead(types, 3, "zero:4"), "parameter 4 'n' .*: --arg zero:4 is an address; write u32:N"),
                ("types", instead(types, 4, "addr:4"), r"parameter 5 'color' \(Color\): --arg addr:4 is an address"),
                ("types", instead(types, 5, "u32:256"), r"parameter 6 'small' \(Small\): --arg u32:256 does not fit into 8 bits"),
                ("types", instead(types, 6, "u32:2"), r"parameter 7 'flag' \(bool\): --arg u32:2 is neither 0 nor 1"),
                ("narrow", instead(narrow, 2, "i32:-32769"), r"parameter 3 's' \(short int\): --arg i32:-32769 does not fit into 16 bits"),
                ("narrow", instead(narrow, 5, "u32:1"), r"parameter 6 'pair' \(Pair&\): --arg u32:1 is a number"),
                ("narrow", instead(narrow, 7, "u32:1"), r"parameter 8 \(float\): --arg u32:1 is a whole number; write f32:X"),
                ("narrow", instead(narrow, 7, "zero:4"), "--arg zero:4 is an address; write f32:X"),
                ("fill<float>", ["zero:4", "u32:2"], r"kernel fill<float>, parameter 2 'value' \(float\)"),
                ("wide", ["zero:4", "u32:2"], r"kernel wide, parameter 2 'x' \(long long int\): cannot be passed"),
                ("twice", ["zero:4", "f32:2"], r"kernel twice, parameter 2 'x' \(double\): cannot be passed"),
                ("by_value", ["zero:4", "u32:2"], r"kernel by_value, parameter 2 'pair' \(Pair\): cannot be passed")):
            with self.subTest(kernel=kernel, arguments=arguments):
                self.fails(BAD_INPUT, message, *call(kernel, arguments), "--json", "refused.json", "--timeline", "refused.svg")
                self.assertEqual(json.loads((self.here / "refused.json").read_text())["error"]["code"], "argument")
                self.assertFalse((self.here / "refused.svg").exists())

    def test_arguments_of_64_bits(self):
        wide, bare = self.here / "args64.elf", self.here / "bare64.elf"
        subprocess.run([HEDDLE_CC, "--rv64", KERNELS / "args.cu", "-o", wide], check=True)
        subprocess.run([HEDDLE_CC, "--rv64", "-g0", KERNELS / "args.cu", "-o", bare], check=True)
        for elf, kernel, argument, message in (
                (wide, "wide", "f64:2", r"parameter 2 'x' \(long long int\): --arg f64:2 is a float; write i64:N"),
                (wide, "twice", "f32:2", r"parameter 2 'x' \(double\): --arg f32:2 is a float; write f64:X"),
                (wide, "twice", "u64:2", "--arg u64:2 is a whole number; write f64:X"),
                (wide, "fill<float>", "f64:2", "--arg f64:2 is a double; write f32:X"),
                (wide, "fill<int>", "u64:4294967296", "does not fit into 32 bits"),
                (wide, "by_value", "u32:2", "only types of up to 64 bits and pointers can"),
                (wide, "wide", "i64:9223372036854775808", "from -9223372036854775808 to 9223372036854775807"),
                (wide, "wide", "u64:18446744073709551616", "from 0 to 18446744073709551615"),
                (wide, "twice", "f64:1e309", "beyond the largest double"),
                (bare, "twice", "f64:2", "bare64.elf does not say whether the kernel takes a double: compile it with -g"),
                (self.args, "fill<int>", "addr:4294967296", "args.elf: compile it with heddle-cc --rv64"),
                (self.args, "fill<float>", "f64:2", "does not fit into the 32-bit registers of")):
            with self.subTest(kernel=kernel, argument=argument):
                self.fails(BAD_INPUT, message, "run", elf, "--kernel", kernel, "--arg", "zero:4", "--arg", argument)
        for elf, kernel, argument, result in ((wide, "wide", "i64:-5", -5), (wide, "wide", "u32:7", 7), (wide, "twice", "f64:-2.5", -2), (bare, "wide", "i32:-3", -3)):
            with self.subTest(kernel=kernel, argument=argument):
                self.ok("run", elf, "--kernel", kernel, "--arg", "out:wide.bin:4", "--arg", argument, "--quiet")
                self.assertEqual(struct.unpack("<i", (self.here / "wide.bin").read_bytes()), (result,))

    def test_arguments_reach_narrow_parameters_as_the_compiler_expects(self):
        (self.here / "pair.bin").write_bytes(struct.pack("<ii", 3, 4))
        self.ok("run", self.args, "--kernel", "narrow", "--arg=out:narrow.bin:24", "--arg=u32:200", "--arg=u32:0xfffe", "--arg=i32:-1", "--arg=i32:-2",
                "--arg=in:pair.bin", "--arg=addr:0x20000200", "--arg=f32:1")
        self.assertEqual(struct.unpack("<6i", (self.here / "narrow.bin").read_bytes()), (-56, -2, 255, 65534, 4, 1))

    def test_an_address_by_number(self):
        self.fails(STOPPED, "store of 4 bytes at address 0x00000000", "run", self.bad, "--kernel", "null_store", "--arg", "u32:0", "--quiet")
        self.fails(STOPPED, "store of 4 bytes at address 0x90000000", "run", self.bad, "--kernel", "null_store", "--arg", "addr:0x90000000", "--quiet")

    def test_without_debug_information_nothing_is_checked(self):
        subprocess.run([HEDDLE_CC, "-g0", KERNELS / "good.cu", "-o", self.here / "bare.elf"], check=True)
        run = ("--kernel", "shape", "--block", "16", "--arg", "zero:64", "--arg", "u32:7")
        done = heddle("compare", "bare.elf", *run, "--mechanisms", "spe,dpe", cwd=self.here)
        self.assertEqual(done.returncode, PASS, done.stderr)
        self.assertRegex(done.stderr, r"^heddle: note: bare.elf does not say what kernel shape takes \(no debug information\): its arguments are not checked\n$")
        self.assertEqual(self.ok("run", "bare.elf", *run, "--quiet"), "")

    def test_threads_that_end_with_a_status(self):
        run = ("run", self.args, "--kernel", "gives_up", "--block", "32", "--arg", "out:gone.bin:128")
        message = r"29 threads ended with a status other than 0: first thread \(3,0,0\) of block \(0,0,0\), status -97, in cycle \d+ at args.cu:\d+"
        for mechanism in ("spe", "dwf"):
            self.fails(WRONG, message, *run, "--mechanism", mechanism)
            self.assertEqual((self.here / "gone.bin").read_bytes(), struct.pack("<i", 1) * 32)
            document = self.document(*run, "--mechanism", mechanism, status=WRONG, shape=RUN if mechanism == "spe" else None)
            self.assertEqual((document["result"], document["error"]["code"]), ("fail", "exit"))
            exits = document["stats"]["exits"]
            self.assertEqual((exits["failed"], exits["first"]["status"], exits["first"]["block"], exits["first"]["thread"]), (29, -97, [0, 0, 0], [3, 0, 0]))
        done = heddle(*run, cwd=self.here)
        self.assertIn("failed threads          29 ended with a status other than 0, first thread (3,0,0) of block (0,0,0) with -97\n", done.stdout)
        self.assertEqual(self.document(*run[:4], "--block", "3", *run[6:])["stats"]["exits"], {"failed": 0, "first": None})

    def test_bad_files(self):
        elf = self.good.read_bytes()
        (self.here / "text.elf").write_text("not an ELF at all\n")
        (self.here / "cut.elf").write_bytes(elf[: len(elf) // 3])
        (self.here / "class.elf").write_bytes(elf[:4] + b"\x02" + elf[5:])
        (self.here / "machine.elf").write_bytes(elf[:18] + struct.pack("<H", 62) + elf[20:])
        for name in ("absent", "text", "cut", "class", "machine"):
            self.fails(BAD_INPUT, rf"{name}\.elf: ", "run", f"{name}.elf")
            self.fails(BAD_INPUT, rf"{name}\.elf: ", "cfg", f"{name}.elf")
        locked = self.here / "locked.elf"
        locked.write_bytes(elf)
        locked.chmod(0)
        if os.access(locked, os.R_OK):
            locked.chmod(stat.S_IRUSR)
            return  # the super-user can read everything
        self.fails(BAD_INPUT, r"locked\.elf: ", "run", "locked.elf")


class WrongResults(CliTest):
    """Status 1: the workload's own check finds what a changed kernel computes."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        source = (WORKLOAD_KERNELS / "figure6.cu").read_text()
        changed = source.replace("sum = r4 * 3;", "sum = r4 * 4;")
        assert changed != source, "figure6.cu no longer holds the line that this test changes"
        (cls.here / "kernels").mkdir()
        (cls.here / "figure6.cu").write_text(changed)
        subprocess.run([HEDDLE_CC, cls.here / "figure6.cu", "-o", cls.here / "kernels" / "figure6.elf"], check=True)

    def test_run(self):
        done = heddle("run", "figure6", "--size", "small", "--json", "wrong.json", cwd=self.here, HEDDLE_KERNELS=str(self.here / "kernels"))
        self.assertEqual(done.returncode, WRONG, done.stderr)
        self.assertRegex(done.stderr, r"^heddle: .*figure6.*\n$")
        self.assertIn("engine systemc: fail", done.stdout)
        document = json.loads((self.here / "wrong.json").read_text())
        self.assertEqual((document["result"], document["error"]["code"]), ("fail", "result"))

    def test_compare(self):
        done = heddle("compare", "figure6", "--size", "small", "--mechanisms", "spe,dpe", cwd=self.here, HEDDLE_KERNELS=str(self.here / "kernels"))
        self.assertEqual(done.returncode, WRONG, done.stderr)
        self.assertEqual(done.stdout.count(" fail "), 2)

    def test_a_folder_without_kernels_is_named(self):
        done = heddle("run", "lud", cwd=self.here, HEDDLE_KERNELS=str(self.here / "kernels"))
        self.assertEqual(done.returncode, BAD_INPUT)
        self.assertRegex(done.stderr, r"^heddle: .*kernels/lud\.elf: .*HEDDLE_KERNELS.*\n$")


class MachineStops(CliTest):
    """Status 3: what happened, where (kernel, thread, source line or disassembly), and the way out."""

    def test_faults(self):
        for kernel, message, arguments in (
                ("null_store", r"address 0x00000000.*null.*bad\.cu:\d+.*`sw ", ["--arg", "u32:0"]),
                ("misaligned", r"misaligned.*bad\.cu:\d+.*`sw ", ["--arg", "zero:64"]),
                ("unmapped", r"0x90000000.*bad\.cu:\d+.*`sw ", []),
                ("read_only", r"0x10000000.*bad\.cu:\d+.*`sw ", []),
                ("illegal", r"0xffffffff|illegal|unsupported", []),
                ("breakpoint", r"ebreak", [])):
            for mechanism in ("spe", "dpe"):
                with self.subTest(kernel=kernel, mechanism=mechanism):
                    self.fails(STOPPED, message, "run", self.bad, "--kernel", kernel, "--mechanism", mechanism, "--quiet", *arguments)

    def test_barrier_in_divergent_code(self):
        for mechanism in ("spe", "dpe"):
            self.fails(STOPPED, r"barrier.*bad\.cu:\d+", "run", self.bad, "--kernel", "divergent_barrier", "--block", "32", "--mechanism", mechanism,
                       "--arg", "zero:256", "--quiet")

    def test_stack_overflow_names_size_and_key(self):
        for mechanism in ("spe", "dpe"):
            self.fails(STOPPED, r"stack overflow.*deep.*all 2 entries.*stack\.depth", "run", self.bad, "--kernel", "deep", "--block", "32",
                       "--arg", "zero:16384", "--mechanism", mechanism, "--set", "stack.depth=2", "--quiet")
            self.ok("run", self.bad, "--kernel", "deep", "--block", "32", "--arg", "zero:16384", "--mechanism", mechanism, "--quiet")

    def test_endless_kernel(self):
        self.fails(STOPPED, r"endless still runs after 5000 cycles \(run\.max_cycles\): raise the limit with --max-cycles", "run", self.bad,
                   "--kernel", "endless", "--max-cycles", "5000", "--quiet")

    def test_spin_lock_ends_in_the_watchdog(self):
        for mechanism in ("spe", "dpe"):
            self.fails(STOPPED, "watchdog.*lock", "run", "spin", "--size", "small", "--mechanism", mechanism, "--set", "run.watchdog=20000", "--quiet")

    def test_the_state_of_every_warp_is_told(self):
        document = self.document("run", "spin", "--size", "small", "--set", "run.watchdog=20000", status=STOPPED, shape=RUN)
        details = document["error"]["details"]
        self.assertTrue(any(re.search(r"stack\[\d+\].* pc 0x1000\w+ level \d+ mask 0x\w+ rpc ", line) for line in details), details)
        done = heddle("run", "spin", "--size", "small", "--set", "run.watchdog=20000", cwd=self.here)
        self.assertIn("State when it stopped\n" + details[0], done.stdout)

    def test_compare_goes_on_after_an_error_and_returns_the_greatest_status(self):
        done = heddle("compare", "spin", "figure6", "--size", "small", "--mechanisms", "spe", "--set", "run.watchdog=20000", cwd=self.here)
        self.assertEqual(done.returncode, STOPPED)
        self.assertRegex(done.stdout, r"(?m)^spin +spe +error ")
        self.assertRegex(done.stdout, r"(?m)^figure6 +spe +pass ")


class Engines(CliTest):
    def test_missing_engine_says_how_to_get_it(self):
        if "rtl" in ENGINES:
            self.skipTest("this build has the RTL engines")
        self.fails(BAD_INPUT, "run scripts/build, or use --engine systemc", "run", "figure6", "--engine", "rtl")

    def test_engines_agree_on_every_count(self):
        if "rtl" not in ENGINES:
            self.skipTest("this build has no RTL engines")
        for mechanism in ("spe", "dpe"):
            counts = [self.document("run", "figure6", "--size", "small", "--mechanism", mechanism, "--engine", engine)["stats"]
                      for engine in ("systemc", "rtl", "cosim")]
            self.assertEqual(counts[0], counts[1])
            self.assertEqual(counts[0], counts[2])


if __name__ == "__main__":
    unittest.main()
