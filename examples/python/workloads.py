#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Workloads from Python: one run with its page, then a sweep as a table. Cells as notebooks and editors know them."""

# %% The module: installed, or of the build tree.
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "build" / "python"))
import heddle  # noqa: E402

folder = pathlib.Path(tempfile.mkdtemp())

# %% What there is.
for name, (summary, _) in list(heddle.workloads().items())[:3]:
    print(f"{name}: {summary}")

# %% One run: its result is checked, and the page shows where lanes are lost.
run = heddle.run("lud", "dpe", {"core.warps": 16}, size="small", report=folder / "lud.html")
print(run)
print(f"{run.stats['divergent_branches']} divergent branches, {run.stats['interleavable_branches']} with work on both sides; page: {folder / 'lud.html'}")

# %% A sweep: every workload with every mechanism and every combination of the settings.
rows = heddle.sweep(["figure6", "stencil3d"], ["spe", "dpe"], {"core.warps": [8, 16]})
for row in rows:
    print(f"{row['workload']:10} {row['mechanism']:4} {row['core.warps']:3} warps: {row['result']}, {row['cycles']:6} cycles")
assert all(row["result"] == "pass" for row in rows)

# %% The same as a pandas.DataFrame, where pandas is installed.
try:
    frame = rows.frame()
    print(frame.pivot(index=["workload", "core.warps"], columns="mechanism", values="cycles"))
except ImportError:
    print("pandas is not installed")

print("workloads: passed")
