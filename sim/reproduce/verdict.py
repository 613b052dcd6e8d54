# SPDX-License-Identifier: Apache-2.0
"""What measured figures say of a paper's: reproduced, direction only, or not. One rule for every evaluation (docs/reproduce.md)."""

import math
import statistics

REPRODUCED, DIRECTION, NOT, OPEN = "reproduced", "direction only", "not", "not asked"

FACTOR = 1.5   # an effect has the size of the paper's if its logarithm is at most this many times larger or smaller,
MARGIN = 0.01  # or if the two ratios differ by at most this
LEVEL = 1.15   # a level is that of the paper if the two are at most this factor apart


def verdict(paper, measured, level=False):
    """What the median of `measured`, the ratios of all perturbed runs, says of the paper's ratio (1 is no effect).

    "<" or ">" for `paper` is a direction without a size. A level, such as a share of the peak, is no effect: it has neither direction nor
    logarithm, only a distance."""
    ratio = median(measured)
    if level:
        return REPRODUCED if 1 / LEVEL <= ratio / paper <= LEVEL else NOT
    falls = paper == "<" or (paper != ">" and paper < 1)
    if ratio >= 1 if falls else ratio <= 1:
        return NOT
    if paper in ("<", ">"):
        return DIRECTION
    size = abs(math.log(ratio) / math.log(paper))
    return REPRODUCED if abs(ratio - paper) <= MARGIN or 1 / FACTOR <= size <= FACTOR else DIRECTION


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
    """The median of all runs, and the least and greatest of them: the error bar."""
    if len(ratios) == 1:
        return text(ratios[0])
    return f"{text(median(ratios))} ({text(min(ratios))} to {text(max(ratios))})"


def median(values):
    return statistics.median(values)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def harmonic(values):
    values = list(values)
    return len(values) / sum(1 / value for value in values)
