# SPDX-License-Identifier: Apache-2.0
"""The program `heddle` from Python: workloads that check their own result, pages and pictures of their runs, grids of them."""

import concurrent.futures
import itertools
import json
import os
import subprocess

from .device import _error, _flat, _settings, _text, program

FILES = {"report", "timeline", "wave", "mismatch_wave"}  # options that name what a run writes


def workloads():
    """What run() can be given: a dict of name -> (summary, source)."""
    listed = {}
    for line in subprocess.run([program(), "list", "workloads"], capture_output=True, text=True, check=True).stdout.splitlines():
        name, rest = line.split(None, 1)
        summary, _, source = rest.rpartition("[")
        listed[name] = (summary.strip(), source.rstrip("]"))
    return listed


class Run(dict):
    """The document of `heddle run --json` (docs/cli.md), with the names one asks for most."""

    @property
    def name(self):
        return os.path.splitext(os.path.basename(self["workload"]))[0]

    @property
    def mechanism(self):
        return self["mechanism"]

    @property
    def result(self):
        """"pass", or of a sweep what went wrong: "fail" or "error"."""
        return self["result"]

    @property
    def stats(self):
        return self["stats"]

    @property
    def cycles(self):
        return self["stats"]["cycles"]

    def __repr__(self):
        return f"<heddle.Run {self.name} on {self.mechanism}: {self.result}, {self.cycles:,} cycles>"


class Rows(list):
    """Flat dicts of names and numbers, one a run."""

    def frame(self):
        """The same as a pandas.DataFrame."""
        import pandas
        return pandas.DataFrame(list(self))


def _words(mechanism, settings, size, seed, parameters, options):
    words = ["--mechanism", _text(mechanism, "mechanism"), "--size", _text(size, "size"), "--seed", str(seed)]
    for key, value in _settings({} if settings is None else settings):
        words += ["--set", f"{key}={value}"]
    for key, value in (parameters or {}).items():
        words += ["--param", f"{key}={value}"]
    for option, values in options.items():
        for value in values if isinstance(values, (list, tuple)) else [values]:
            if value is True:
                words.append("--" + option.replace("_", "-"))
            elif value is not False and value not in ("", None):
                words += ["--" + option.replace("_", "-"), str(value)]
    return words


def _document(name, words):
    """And the exit status."""
    done = subprocess.run([program(), "run", name, *words, "--json", "-", "--quiet"], capture_output=True, text=True, check=False)
    if not done.stdout.startswith("{"):
        raise _error("run", done.stderr.strip() or f"heddle run {name} ended with status {done.returncode} and said nothing")
    return json.loads(done.stdout), done.returncode


def run(workload, mechanism="spe", settings=None, *, size="default", seed=1, parameters=None, **options):
    """Runs a workload, whose result is checked, and returns its Run.

    settings={"core.warps": 16}, parameters={"n": 64}: as --set and --param. options: the others of `heddle run`, for example preset="fermi",
    report="page.html", timeline="picture.svg", wave="wave.vcd", no_check=True, threads=2. What fails raises Error."""
    document, status = _document(_text(workload, "workload", "workload"), _words(mechanism, settings, size, seed, parameters, options))
    if document["result"] not in ("pass", "unchecked"):
        problem = document["error"]
        error = _error(problem["code"], problem["message"])
        error.details = problem.get("details", "")
        error.status = status
        raise error
    return Run(document)


def sweep(workloads, mechanisms=("spe", "dpe"), settings=None, *, size="small", jobs=None, **options):
    """Runs every workload with every mechanism and every combination of settings; Rows in that order.

    settings={"core.warps": [8, 16], "l1.bytes": "32K"}: lists are swept. jobs: runs at a time, as many as there are processors unless said
    otherwise. A row has workload, mechanism, the swept settings, result, and the statistics under names with dots; a run that fails has its
    error. sweep(...).frame() is a pandas.DataFrame."""
    for option in FILES & options.keys():
        raise _error("option", f"sweep({option}=...): every run would write this file; use run()")
    workloads = [workloads] if isinstance(workloads, str) else list(workloads)
    mechanisms = [mechanisms] if isinstance(mechanisms, str) else list(mechanisms)
    settings = settings or {}
    axes = {key: list(value) if isinstance(value, (list, tuple, range)) else [value] for key, value in settings.items()}
    points = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]

    def one(workload, mechanism, point):
        row = {"workload": workload, "mechanism": mechanism, **point}
        document, _ = _document(workload, _words(mechanism, point, size, 1, None, options))
        error = document.get("error")
        return {**row, "result": document["result"], **({"error": error["message"]} if error else {}), **_flat(document.get("stats", {}))}

    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        return Rows(pool.map(lambda job: one(*job), itertools.product(workloads, mechanisms, points)))
