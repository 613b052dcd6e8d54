# SPDX-License-Identifier: Apache-2.0
"""Branch-divergence hardware for GPUs, simulated cycle by cycle: kernels launched from Python, with NumPy arrays. See docs/python.md."""

import importlib.util
import sys

from . import _build

# An interpreter of the same version without a NumPy of its own takes the one that this was built beside.
if importlib.util.find_spec("numpy") is None and _build.NUMPY not in sys.path:
    sys.path.append(_build.NUMPY)

from ._core import Error  # noqa: E402
from .device import Array, Device, compile, mechanisms, program  # noqa: E402
from .runs import Rows, Run, run, sweep, workloads  # noqa: E402

__version__ = _build.VERSION
__all__ = ["Array", "Device", "Error", "Rows", "Run", "compile", "mechanisms", "program", "run", "sweep", "workloads"]
