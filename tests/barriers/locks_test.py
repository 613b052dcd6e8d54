#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Which kernels of locks.cu end on which mechanism. `locks_test.py --table` prints what docs/tables/locks.md has. Environment: HEDDLE, the program."""

import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
HEDDLE_CC = os.path.join(HERE, "..", "..", "sim", "toolchain", "heddle-cc")
HEDDLE = os.environ.get("HEDDLE", os.path.join(HERE, "..", "..", "build", "bin", "heddle"))
THREADS = 32

# Kernel -> its result.
KERNELS = {"lock": THREADS, "test_lock": THREADS, "done_flag": THREADS, "ticket": THREADS, "flag": 42, "last_one": THREADS - 1, "chain_up": THREADS * (THREADS - 1) // 2,
           "chain_down": THREADS * (THREADS - 1) // 2, "turn": THREADS, "turn_inside": THREADS, "turn_atomic": THREADS, "two_locks": THREADS, "rounds": 3 * THREADS + THREADS, "functions": THREADS}
ALL = set(KERNELS)
EXCHANGED = 30  # threads that find what their partner has written
ON_A_STACK = {"done_flag", "flag", "last_one", "turn_inside"}  # but for the first because the side that waits is the second one to run

# Name, settings, flags of heddle-cc, kernels that end.
CONFIGS = (
    ("spe", ["mechanism=spe"], [], ON_A_STACK),
    ("dpe", ["mechanism=dpe"], [], ON_A_STACK),
    ("forkjoin", ["mechanism=forkjoin"], ["--fork-join"], {"done_flag", "flag", "turn_inside"}),
    ("minpc", ["mechanism=minpc"], [], set()),
    ("dws", ["mechanism=dws"], [], ALL),
    ("dwf", ["mechanism=dwf"], [], ALL),
    ("pdom-barrel", ["mechanism=pdom-barrel"], [], ON_A_STACK),
    ("cbar", ["mechanism=cbar"], ["--barriers"], ALL),
    ("cbar, policy 0", ["mechanism=cbar", "cbar.policy=0"], ["--barriers"], ALL),
    ("cbar, policy 2", ["mechanism=cbar", "cbar.policy=2"], ["--barriers"], ALL),
    ("cbar, policy 2, no-yield", ["mechanism=cbar", "cbar.policy=2"], ["--barriers=no-yield"], ALL),
    ("cbar, no-yield", ["mechanism=cbar"], ["--barriers=no-yield"], {"done_flag", "last_one"}),
    ("cbar, no-release", ["mechanism=cbar"], ["--barriers=no-release"], ON_A_STACK),
    ("naive", ["mechanism=naive"], [], ALL),
    ("mimd", ["mechanism=mimd"], [], ALL),
)


def compiled(flags, folder):
    elf = os.path.join(folder, "locks" + "".join(flags) + ".elf")
    if not os.path.exists(elf):
        subprocess.run([HEDDLE_CC, *flags, os.path.join(HERE, "locks.cu"), "-o", elf], check=True, stderr=subprocess.DEVNULL)
    return elf


def outcome(elf, kernel, settings, folder):
    """ends, hangs, or what went wrong."""
    words, result = os.path.join(folder, "words"), os.path.join(folder, "result")
    with open(words, "wb") as file:
        file.write(bytes(4 * (THREADS + 4)))
    ran = subprocess.run([HEDDLE, "run", elf, "--kernel", kernel, "--grid", "1", "--block", str(THREADS), "--arg", f"inout:{words}:{result}", "--json", "-",
                          *[word for setting in ["run.watchdog=3000", "run.max_cycles=400000", *settings] for word in ("--set", setting)]],
                         capture_output=True, text=True, check=False)
    report = json.loads(ran.stdout) if ran.stdout else {"error": {"code": "none", "message": ran.stderr}}
    if report["error"] is not None:
        return "hangs" if report["error"]["code"] in ("watchdog", "max_cycles", "stuck") else f"{report['error']['code']}: {report['error']['message']}"
    with open(result, "rb") as file:
        value = struct.unpack("<I", file.read(4))[0]
    expected = KERNELS.get(kernel, EXCHANGED)
    return "ends" if value == expected else f"gives {value}, not {expected}"


def outcomes():
    """Name of a configuration -> kernel -> outcome."""
    with tempfile.TemporaryDirectory() as folder:
        return {name: {kernel: outcome(compiled(flags, folder), kernel, settings, folder) for kernel in KERNELS} for name, settings, flags, _ in CONFIGS}


def table():
    lines = ["| | " + " | ".join(f"`{kernel}`" for kernel in KERNELS) + " |", "|---" * (len(KERNELS) + 1) + "|"]
    return lines + [f"| {name} | " + " | ".join(kernels.values()) + " |" for name, kernels in outcomes().items()]


class Locks(unittest.TestCase):
    def test_what_ends(self):
        found = outcomes()
        for name, _, _, ends in CONFIGS:
            self.assertEqual(found[name], {kernel: "ends" if kernel in ends else "hangs" for kernel in KERNELS}, name)

    def test_what_needs_a_syncwarp(self):
        """Without it the side that is first finds nothing; where threads cannot wait it is refused."""
        with tempfile.TemporaryDirectory() as folder:
            for policy in range(3):
                for order in ("larger_first", "smaller_first"):
                    settings = ["mechanism=cbar", f"cbar.policy={policy}", f"stack.order={order}"]
                    self.assertEqual(outcome(compiled(["--barriers"], folder), "exchange", settings, folder), "ends")
                    self.assertEqual(outcome(compiled(["--barriers"], folder), "exchange_alone", settings, folder), f"gives {EXCHANGED // 2}, not {EXCHANGED}")
            self.assertRegex(outcome(compiled(["--barriers"], folder), "exchange", ["mechanism=spe"], folder), "^fault: .*nobody waits for them")


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        print("\n".join(table()))
    else:
        unittest.main()
