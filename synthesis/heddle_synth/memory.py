# SPDX-License-Identifier: Apache-2.0
"""How long the read of a memory takes: an estimate from its size and ports, in delays of the library's own inverter.

A method of logical effort (Weste and Harris, CMOS VLSI Design, chapter on array subsystems) with four terms, each in FO4, the delay
of an inverter that drives four:
  decoder and word line   a chain of stages of effort 4, one FO4 each, from an address pin to all cells of a row
  bit line                a cell discharges the line of its column: at full swing (register file), or by a tenth of it and a sense
                          amplifier (SRAM), whichever is faster
  columns                 several words may share a row of at most 512 cells; a multiplexer chooses among them
  output                  one driver
Wires count as capacitance and not as resistance. docs/synthesis.md compares the estimate with published memories.
"""
import functools
import math

from . import timing

WORD_LINE = 0.25     # load of a cell on its word line, of an inverter's input
FULL_SWING = 0.08    # FO4 that each cell on a bit line adds, register file
SMALL_SWING = 0.016  # the same, SRAM
SENSE = 2.0          # sense amplifier
OUTPUT = 1.0         # output driver
MULTIPLEXER = 1.0    # of two columns; log4 more for more
ROW_CELLS = 512


def read_fo4(words, width, ports):
    """FO4 delays from address to data of a memory with so many read and write ports together."""
    pitch = (3 + ports) / 4   # a port beside the first adds a word line and bit lines, and the wires of all ports grow with the cell

    def folded(words_in_row):
        rows, cells = math.ceil(words / words_in_row), width * words_in_row
        # An address bit and its inverse reach half of the rows each, through NAND gates of logical effort 4/3.
        effort = rows / 2 * 4 / 3 * cells * WORD_LINE * pitch
        bit_line = min(FULL_SWING * rows * pitch, SMALL_SWING * rows * pitch + SENSE)
        columns = MULTIPLEXER + math.log(words_in_row, 4) if words_in_row > 1 else 0
        return max(1, math.log(effort, 4)) + bit_line + columns + OUTPUT

    foldings = [2 ** k for k in range(10) if 2 ** k <= words and width * 2 ** k <= ROW_CELLS]
    return min(map(folded, foldings or [1]))


class ReadTime:
    """The time of a read, in ns: of every memory the one given, or else estimated with the delay of the library's inverter."""

    def __init__(self, given, library):
        self._given, self._library = given, library

    @functools.cached_property
    def _inverter_delay(self):
        return timing.inverter_delay(self._library)

    def __call__(self, memory):
        if self._given is not None:
            return self._given
        return round(read_fo4(memory.words, memory.width, memory.reads + memory.writes) * self._inverter_delay, 3)
