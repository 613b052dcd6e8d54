# SPDX-License-Identifier: Apache-2.0
"""Puts push and pop around the regions in which threads may diverge, for a stack that the program manages.

The regions are those of fork and join, the innermost ones: each is entered through its push, which saves the paths of the warp and
names where the region ends; there every path pops. A divergence that has no region of its own saves what it must by itself.
"""

from .fork_join import fork_join
from .text import FUNCT3_OF_POP, FUNCT3_OF_PUSH


def software_stack(files, fixed, sibling_calls=False):
    """The files with push and pop, and notes on what is left alone. Regions by hand are kept, as pushes and pops."""
    placed, notes = fork_join(files, fixed, "innermost", sibling_calls, "push and pop")
    for file in placed:
        for function in file.functions:
            for i in function.instructions:
                if i.is_fork():
                    i.respell(FUNCT3_OF_PUSH)
                elif i.is_join():
                    i.respell(FUNCT3_OF_POP)
    return placed, notes
