#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What `heddle reproduce` runs, with its options checked: the runs that are missing, then the page (docs/reproduce.md)."""

import argparse
import json
import pathlib
import signal
import sys

sys.dont_write_bytecode = True

from jobs import Progress, Runner, Signals, Store, Wrong, machine_hash, make_job, start, write_whole  # noqa: E402
from programs import Programs  # noqa: E402


class Stopped(BaseException):
    """By a signal."""


def evaluation(name, size, perturb, file):
    if name == "dpe":
        from dpe import Dpe as kind
    elif name == "dwf":
        from dwf import Dwf as kind
    elif name == "linearize":
        from linearize import Linearize as kind
    else:
        from forkjoin import ForkJoin as kind
    return kind(size, perturb, Programs(file, kind.PROGRAMS, kind.FORMS))


def summary(claims):
    rows = [("statement of the paper", "paper", "here", "verdict")] + [(claim.statement, claim.paper, claim.measured, claim.verdict) for claim in claims]
    rows = [tuple(cell if len(cell) <= limit else cell[:limit - 3] + "..." for cell, limit in zip(row, (72, 24, 40, 20))) for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def reproduce(options):
    from evaluation import Results
    from page import Page, counts
    study = evaluation(options.evaluation, options.size, options.perturb, options.programs)
    store = Store(options.out)
    page = options.out / f"{study.name}-{study.label()}.html"
    version = start([options.heddle, "--version"]).communicate()[0].decode().strip()
    machine = machine_hash(options.heddle)
    first = study.programs.plan()
    plan = {name: run if isinstance(run, tuple) else (run, None, None) for name, run in {**first, **study.plan()}.items()}
    jobs = {name: make_job(machine, *run) for name, run in plan.items()}

    def ended(names):
        """Documents of these runs; those that are missing are run."""
        missing = [jobs[name] for name in names if store.result(jobs[name]) is None]
        for one in missing:  # what failed before is tried again
            store.failure(one).unlink(missing_ok=True)
        Runner(store, options.heddle).all(missing, options.jobs, Progress("heddle reproduce", len(missing)))
        return {name: store.result(jobs[name]) for name in names}

    try:
        study.programs.check_launches(ended(first))
        documents = ended(plan)
    except Stopped:
        kept = sum(store.path(one).exists() for one in jobs.values())
        print(f"heddle: stopped with {kept} of {len(jobs)} runs kept in {options.out}; the same command goes on from here", file=sys.stderr)
        return 128 + STOPPED_BY[-1]
    failed = {name: store.why(jobs[name]) or "no result" for name, document in documents.items() if document is None}
    failed.update(study.programs.differences(documents, {name: run[1:] for name, run in plan.items() if run[1]}))
    documents.update(dict.fromkeys(failed))
    results = Results(documents)
    claims = study.claims(results)
    figures = study.figures(results)
    write_whole(page, Page(study, jobs, version).text(claims, figures, documents.get))
    write_whole(page.with_suffix(".json"), json.dumps({
        "heddle": version, "evaluation": study.name, "size": study.label(),
        "claims": [{"statement": claim.statement, "paper": claim.paper, "measured": claim.measured, "verdict": claim.verdict, "parts": claim.parts, "decides": claim.decides, "reason": claim.reason, "runs": [jobs[name]["key"] for name in claim.runs]} for claim in claims],
        "figures": [{"title": figure.title, "head": figure.head, "rows": figure.rows, "runs": [jobs[name]["key"] for name in figure.runs]} for figure in figures],
        "runs": [{"name": name, "key": one["key"], "arguments": one["arguments"], "kept": documents[name] is not None} for name, one in jobs.items()]}, indent=1) + "\n")
    print(summary(claims))
    print(f"{study.sized()}: " + ", ".join(f"{number} {name}" for name, number in counts(claims).items() if number) + f". {page}")
    for name, why in failed.items():
        print(f"heddle: {name}: {why.removeprefix('heddle: ')}", file=sys.stderr)
    return 1 if failed else 0


STOPPED_BY = []


def stop(number, _):
    for other in Signals.NUMBERS:  # all that is left to do is to end
        signal.signal(other, signal.SIG_IGN)
    STOPPED_BY.append(number)
    raise Stopped


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("evaluation")
    parser.add_argument("--heddle", type=pathlib.Path, required=True)
    parser.add_argument("--size", required=True)
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, required=True)
    parser.add_argument("--perturb", type=int, required=True)
    options = parser.parse_args()
    for number in Signals.NUMBERS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        return reproduce(options)
    except Wrong as wrong:
        print(f"heddle: {wrong}", file=sys.stderr)
        return 2
    except Stopped:
        print("heddle: stopped", file=sys.stderr)
        return 128 + STOPPED_BY[-1]


if __name__ == "__main__":
    sys.exit(main())
