#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Builds a module test on a copy of the design with one seeded fault and checks that the test catches it.

usage: run_fault.py <fault file> --build <build folder> --work <scratch folder>
       run_fault.py --applies <fault file>... --build <build folder>       only looks whether each still names what it changes

A fault file says what is changed and which test must notice:

    # One sentence: the fault.
    file: rtl/stack/dpe_stack.sv        the file that is changed (RTL module or twin header)
    test: dpe_stack_test                the module test
    model: dpe_stack_small              RTL only: which model of the test gets the fault
    filter: *small*:DpeStackExample*    the GoogleTest cases to run
    expect: mismatch                    or `assertion`: of the changed RTL itself, which stops the test before opinions differ;
                                        or `pass`: nothing is changed (the control: a test that fails for another reason fails)
    at: pop_q                           a place by its name, as construct.py has them: what is assigned there, a block, function or mark
    change: hold || stop -> hold        words that stand there once, and what takes their place; or `drop`: the one statement goes
    at: ...                             as often as needed

Exit status 0: as expected. Otherwise one line says why not: the fault no longer applies, does not compile, was not caught,
or the test failed for another reason than the expected one, a mismatch of the three opinions if nothing else is said.
"""
import argparse
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from construct import Source, words  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Failure(Exception):
    pass


def read_fault(path):
    fault = {"expect": "mismatch", "changes": []}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            key, value = line.split(":", 1)
            if key == "change":
                fault["changes"].append((fault["at"], value.strip()))
            fault[key] = value.strip()
    return fault


source_of = functools.lru_cache(maxsize=None)(Source)


def apply(fault, file):
    """The text of the file with the changes: all are of the sound text."""
    text = file.read_text()
    source, edits = source_of(text, fault["file"].endswith(".h")), []
    for at, words_of in fault["changes"]:
        where = f"the fault no longer applies: {fault['file']}: {at}"
        if not source.spans(at):
            raise Failure(f"{where}: no such place")
        if words_of == "drop":
            statement = source.statement_of(at)
            if statement is None:
                raise Failure(f"{where}: not one statement makes it")
            edits.append((statement.first, statement.last, ""))
            continue
        old, arrow, new = f" {words_of} ".partition(" -> ")
        found = source.find(at, old)
        if not arrow or len(found) != 1:
            raise Failure(f"{where}: {len(found)} times {old.strip()}")
        edits.append((found[0], found[0] + len(words(old)), new.strip()))
    for first, last, new in sorted(edits, reverse=True):
        text = text[:source.tokens[first].begin] + new + text[source.tokens[last - 1].end:]
    return text


def run(command, what, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise Failure(f"{what}:\n{done.stdout[-4000:]}")


def check(fault, build, work):
    context = json.loads((build / "faults" / f"{fault['test']}.json").read_text())
    root = pathlib.Path(context["root"])
    changed = work / fault["file"]
    changed.parent.mkdir(parents=True)
    changed.write_text(apply(fault, root / fault["file"]))
    launcher = [context["launcher"]] if context["launcher"] else []
    includes = [f"-I{i}" for i in context["includes"]]
    objects, libraries = context["objects"], context["libraries"]

    if fault["file"].startswith("rtl/"):
        # The Verilated model is made anew from the changed file; it takes the place of the sound one.
        model = context["models"][fault["model"]]
        sources = [str(changed) if s == str(root / fault["file"]) else s for s in model["sources"]]
        if str(changed) not in sources:
            raise Failure(f"{fault['file']} is no part of model {fault['model']}")
        folder = work / "model"
        run([context["verilate"], folder, model["prefix"], model["top"], *sources, "--", *model["parameters"]],
            "the changed RTL does not verilate")
        made = work / "model.o"
        run([*launcher, context["compiler"], "-std=c++17", "-O1", "-w", *includes, f"-I{folder}", "-c", folder / "all.cpp",
             "-o", made], "the changed RTL does not compile")
        objects = [*objects, str(made)]
        libraries = [l for l in libraries if l != model["object"]]
    else:
        # The changed header hides the sound one.
        made = work / "test.o"
        run([*launcher, context["compiler"], "-std=c++17", "-O0", "-w", "-include", "verilated.h", f"-I{work / 'systemc'}",
             *includes, "-c", context["source"], "-o", made], "the changed twin does not compile")
        objects = [str(made)] + [o for o in objects if not o.endswith(pathlib.Path(context["source"]).name + ".o")]

    test = work / "test"
    run([context["compiler"], *objects, *libraries, "-o", test], "the test with the fault does not link")
    environment = dict(os.environ, SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1")
    done = subprocess.run([test, f"--gtest_filter={fault['filter']}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, env=environment, timeout=240)
    if "[==========] Running 0 tests" in done.stdout:
        raise Failure(f"no test matches {fault['filter']}")
    if fault["expect"] == "pass":
        if done.returncode != 0:
            raise Failure(f"the unchanged design fails:\n{done.stdout[-4000:]}")
        return "passes"
    if done.returncode == 0:
        raise Failure("the fault was not caught: all tests pass")
    reason = {"mismatch": r'mismatch at cycle [^"\n]*', "assertion": r'Assertion failed in rtl\.[^"\n]*'}[fault["expect"]]
    caught = re.findall(reason, done.stdout)
    if not caught:
        raise Failure(f"failed for another reason than the expected {fault['expect']}:\n{done.stdout[-4000:]}")
    return caught[0]


def applies(paths, build):
    """Nothing is run; each that does not apply is a line."""
    bad = []
    for path in paths:
        try:
            fault = read_fault(path)
            apply(fault, ROOT / fault["file"])
            if path.parent.name == "prove":
                continue   # a mutant of scripts/prove, which no test is run with
            context = json.loads((build / "faults" / f"{fault['test']}.json").read_text())
            if fault["file"].startswith("rtl/") and fault["model"] not in context["models"]:
                raise Failure(f"{fault['test']} has no model {fault['model']}")
        except (Failure, OSError, KeyError) as failure:
            bad.append(f"{path.stem}: {failure}")
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fault", type=pathlib.Path, nargs="+")
    parser.add_argument("--applies", action="store_true")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path)
    options = parser.parse_args()
    if options.applies:
        bad = applies(options.fault, options.build)
        print(*bad, f"{len(options.fault) - len(bad)} of {len(options.fault)} faults apply", sep="\n")
        sys.exit(1 if bad else 0)
    if options.work is None or len(options.fault) != 1:
        parser.error("one fault and --work, or --applies")
    options.fault = options.fault[0]
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    try:
        print(f"{options.fault.stem}: {check(read_fault(options.fault), options.build, options.work)}")
    except Failure as failure:
        sys.exit(f"{options.fault.stem}: {failure}")
    shutil.rmtree(options.work)


if __name__ == "__main__":
    main()
