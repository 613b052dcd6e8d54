# SPDX-License-Identifier: Apache-2.0
"""What scripts/random/csmith and scripts/random/random_programs share: programs from seeds, each run by csmith_runner in a folder of its own."""

import concurrent.futures
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEDDLE_CC = os.path.join(ROOT, "sim", "toolchain", "heddle-cc")

# What is in front of .elf, and the options of heddle-cc, of the kernels that mechanisms ask for.
FORMS = {"": [], ".forkjoin": ["--fork-join"], ".software": ["--software-stack"], ".barriers": ["--barriers"]}

RUNNER_SECONDS = 600
RUNNER_SKIPS = 4         # exit status: nothing wrong, but not a program to test with


class Unusable(Exception):
    """Not a program to test with; the text says why."""


def command(arguments, seconds, **more):
    try:
        return subprocess.run(arguments, timeout=seconds, capture_output=True, **more)
    except subprocess.TimeoutExpired:
        raise Unusable("takes too long: " + os.path.basename(arguments[0])) from None


def add_options(parser, count):
    parser.add_argument("--count", type=int, default=count, help=f"programs to run (default {count})")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at the same time (default: one a core)")
    parser.add_argument("--keep", metavar="DIRECTORY", help="keep sources, programs and expected results there")
    parser.add_argument("--rv64", action="store_true", help="compile for RV64 (heddle-cc --rv64)")
    parser.add_argument("--with", dest="flags", default="", metavar="FLAGS", help="more flags for heddle-cc, such as --with=--fork-join")
    parser.add_argument("--runner", default=os.path.join(ROOT, "build", "bin", "csmith_runner"), help="the program built from tests/csmith")


def compiler_flags(options):
    """More flags for heddle-cc."""
    return options.flags.split() + ["--rv64"] * options.rv64


def need(options, script, tools):
    """Ends with a message if the runner or one of (tool, package) is not there."""
    if not os.access(options.runner, os.X_OK):
        sys.exit(f"scripts/random/{script}: {options.runner} is not there: build it (scripts/build release csmith_runner) or name it with --runner")
    for tool, package in tools:
        if shutil.which(tool) is None:
            sys.exit(f"scripts/random/{script}: {tool} was not found: apt-get install {package}")


@contextlib.contextmanager
def folder_of(seed, options):
    """Where a seed's program is made: below --keep, or for a while."""
    if options.keep:
        folder = os.path.join(options.keep, str(seed))
        os.makedirs(folder, exist_ok=True)
        yield folder
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield folder


def run_program(folder, seed, options, flags=()):
    """csmith_runner on program.elf and expected of the folder."""
    return command([options.runner, *flags, os.path.join(folder, "program.elf"), os.path.join(folder, "expected"), str(seed)], RUNNER_SECONDS,
                   text=True)


def run_all(seeds, run_one, options):
    """Runs and prints (passed?, line) of every seed; the number of failures."""
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for passed, line in pool.map(run_one, seeds):
            failures += not passed
            print(("ok      " if passed else "FAILED  ") + line, flush=True)
    print(f"{len(seeds) - failures} of {len(seeds)} programs passed")
    return failures
