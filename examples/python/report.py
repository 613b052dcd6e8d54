#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Pages and pictures of a kernel of one's own: which branch loses lanes, and which path issued when."""

# %% The module: installed, or of the build tree.
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "build" / "python"))
import heddle  # noqa: E402
import numpy as np  # noqa: E402

folder = pathlib.Path(tempfile.mkdtemp())

# %% A kernel with a branch that parts threads. The name of its source is the title of page and picture.
(folder / "halves.cu").write_text("""
#include <heddle/kernel.h>

extern "C" __global__ void halves(int* values) {
  int x = values[threadIdx.x];
  if (threadIdx.x % 2 == 0)
    for (int k = 0; k < 8; ++k) x = (x ^ x << 3) + k;
  else
    for (int k = 0; k < 8; ++k) x = (x ^ x >> 5) - k;
  values[threadIdx.x] = x;
}
""")
program = heddle.compile(folder / "halves.cu")

# %% Files are written at the end of the block.
for mechanism in ("spe", "dpe"):
    with heddle.Device(mechanism, preset="teach", program=program, report=folder / f"{mechanism}.html", timeline=folder / f"{mechanism}.svg") as device:
        device.launch("halves", 1, 32, np.arange(32, dtype=np.int32))
        print(device)
    assert f"halves on {mechanism}" in (folder / f"{mechanism}.html").read_text()
    assert f"halves on {mechanism}" in (folder / f"{mechanism}.svg").read_text()
print("report: passed")
