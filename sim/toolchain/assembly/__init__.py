# SPDX-License-Identifier: Apache-2.0
"""Assembly of RV32 and RV64 code, as compilers and people write it: the library under the passes of heddle-cc.

text      statements and functions of a file, written back unchanged but where a pass changed them
cfg       blocks and edges of a function, dominators and post-dominators
flow      which registers are live, where the threads of a warp may differ
program   several files together: which function a call means, whether it may execute a barrier
saves     what kernels save for a caller that they do not have
rewrite   the small passes: one return a function, own indirect jumps, compare and select, shared variables
barriers  copies of a barrier that threads could reach apart
regions   what fork and join enclose, and whether it is right
structure structured and unstructured control flow: edges, regions, order
stack_depth how deep the reconvergence stack gets, at most
linearize the pass that puts the blocks of a region one behind the other, and the one that does so where the stack gets too deep
fork_join the pass that puts fork and join around what may diverge
"""

import importlib


def __getattr__(name):
    """A module, read when it is first named: a program without marks, which most are, needs a third of the package."""
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        raise AttributeError(f"{__name__} has no {name}") from error


class Refused(Exception):
    """A program that heddle-cc does not accept; the text says where and why."""

    status = 1


class Impossible(Refused):
    """An option asks for what cannot be done with this program."""

    status = 2


def one_note(notes):
    """Of the notes on one function the first, and how many more there are."""
    return [f"{notes[0]} (and {len(notes) - 1} more in it)"] if len(notes) > 1 else notes
