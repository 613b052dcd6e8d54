#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels from Python: NumPy arrays in and out, two mechanisms compared, statistics as rows. Cells as notebooks and editors know them."""

# %% The module: installed, or of the build tree.
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "build" / "python"))
import heddle  # noqa: E402
import numpy as np  # noqa: E402

# %% A program with two kernels. `collatz` takes another number of steps in every thread.
PROGRAM = heddle.compile("""
#include <heddle/kernel.h>

extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void collatz(int n, const unsigned* start, int* steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned value = start[i];
  int count = 0;
  while (value != 1) {
    if (value % 2) value = 3 * value + 1;
    else value /= 2;
    ++count;
  }
  steps[i] = count;
}
""")

# %% NumPy arrays go to the device and come back.
n = 5000
x = np.linspace(0, 1, n, dtype=np.float32)
y = np.ones(n, np.float32)
expected = np.float32(0.5) * x + y

device = heddle.Device("spe", program=PROGRAM)
stats = device.launch("saxpy", (n + 127) // 128, 128, n, 0.5, x, y)
assert np.allclose(y, expected, rtol=1e-6), "saxpy: wrong result"
print(f"saxpy on spe: {stats['cycles']} cycles, {stats['ipc']:.1f} thread instructions a cycle")

# %% The same divergent kernel on three mechanisms, its arrays kept on the device.
rng = np.random.default_rng(1)
start = rng.integers(1, 400, n, dtype=np.uint32)


def steps_of(value):
    count = 0
    while value != 1:
        value = 3 * value + 1 if value % 2 else value // 2
        count += 1
    return count


wanted = np.array([steps_of(int(value)) for value in start])
rows = []
for mechanism in ("spe", "dpe", "dws"):
    device = heddle.Device(mechanism, program=PROGRAM)
    steps = device.zeros(n, np.int32)
    device.launch("collatz", (n + 127) // 128, 128, n, device.array(start), steps)
    assert np.array_equal(steps.get(), wanted), f"collatz on {mechanism}: wrong result"
    rows.append({"mechanism": mechanism, **device.launches[0]})

# %% Rows of numbers: pandas.DataFrame(rows), or as here by hand.
for row in rows:
    print(f"collatz on {row['mechanism']}: {row['cycles']:7} cycles, speed-up {rows[0]['cycles'] / row['cycles']:.2f}, "
          f"lane utilization {row['lane_utilization']:.2f}, {row['divergent_branches']} divergent branches")

print("saxpy: passed")
