# SPDX-License-Identifier: Apache-2.0
"""How long the read of a memory takes, and how large it is: estimates from its size and ports.

Time, in delays of the library's own inverter, by a method of logical effort (Weste and Harris, CMOS VLSI Design, chapter on array
subsystems) with four terms, each in FO4, the delay of an inverter that drives four:
  decoder and word line   a chain of stages of effort 4, one FO4 each, from an address pin to all cells of a row
  bit line                a cell discharges the line of its column: at full swing (register file), or by a tenth of it and a sense
                          amplifier (SRAM), whichever is faster
  columns                 several words may share a row of at most 512 cells; a multiplexer chooses among them
  output                  one driver
Wires count as capacitance and not as resistance. docs/synthesis.md compares the estimate with published memories.

Area, in two-input NAND gates: of a compiled memory, a rectangle with a fixed part in each direction; of flip-flops, what a bit of a
small memory comes out as.
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

# IHP SG13G2, the compiled memories with two ports and two words in a row (RM_IHPSG13_2P_*), um: fixed part and what a bit or a row adds.
MACRO_WIDTH, BIT_WIDTH = 137.1, 17.68
MACRO_HEIGHT, ROW_HEIGHT = 54.2, 0.647
MACRO_NAND2 = 7.258   # um2 of that process' smallest two-input NAND


def macro_nand2(words, width):
    """Area of a compiled memory with a read and a write port."""
    return (MACRO_WIDTH + BIT_WIDTH * width) * (MACRO_HEIGHT + ROW_HEIGHT * math.ceil(words / 2)) / MACRO_NAND2


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
