# SPDX-License-Identifier: Apache-2.0
"""What measured figures say of a paper's: reproduced, direction only, or not. One rule for every evaluation (docs/reproduce.md)."""

import math

REPRODUCED, DIRECTION, NOT, OPEN = "reproduced", "direction only", "not", "not asked"

FACTOR = 1.5   # an effect has the size of the paper's if its logarithm is at most this many times larger or smaller,
MARGIN = 0.01  # or if the two ratios differ by at most this
LEVEL = 1.15   # a level is that of the paper if the two are at most this factor apart


def verdict(paper, measured, level=False):
    """What `measured`, the ratios of all perturbed runs, say of the paper's ratio (1 is no effect); every one of them has to.

    "<" or ">" for `paper` is a direction without a size. A level, such as a share of the peak, is no effect: it has neither direction nor
    logarithm, only a distance."""
    if level:
        return REPRODUCED if all(1 / LEVEL <= ratio / paper <= LEVEL for ratio in measured) else NOT
    falls = paper == "<" or (paper != ">" and paper < 1)
    if not all(ratio < 1 if falls else ratio > 1 for ratio in measured):
        return NOT
    if paper in ("<", ">"):
        return DIRECTION
    sizes = [abs(math.log(ratio) / math.log(paper)) for ratio in measured]
    close = [abs(ratio - paper) <= MARGIN for ratio in measured]
    if all(near or 1 / FACTOR <= size <= FACTOR for near, size in zip(close, sizes)):
        return REPRODUCED
    return DIRECTION


def holds(conditions):
    """Of a statement that is true or not: a bound, an equality."""
    return REPRODUCED if all(conditions) else NOT


def perturbed(value, count, within=0.05):
    """`value` first, then whole numbers up to so much of it to either side: `count` of them, which is odd."""
    reach = count // 2
    return [value] + [value + round(sign * step * within * value / reach) for step in range(1, reach + 1) for sign in (-1, 1)]


def gain(ratio):
    return f"{100 * (ratio - 1):+.1f} %"


def share(ratio):
    return f"{100 * ratio:.1f} %"


def spread(ratios, text=gain):
    """The figure of the unperturbed run, which is the first, and the least and greatest of all runs."""
    if len(ratios) == 1:
        return text(ratios[0])
    return f"{text(ratios[0])} ({text(min(ratios))} to {text(max(ratios))})"


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def harmonic(values):
    values = list(values)
    return len(values) / sum(1 / value for value in values)
