# SPDX-License-Identifier: Apache-2.0
"""A flat netlist as Yosys writes it: what it is made of, how deep it is, and what its nets are called in the RTL."""
import collections
import re

from .errors import BadInput

GENERIC_GATES = {"$_NAND_": 1.0, "$_NOT_": 0.5}  # NAND2 equivalents: four transistors, two transistors
MEMORY = "heddle_memory"


class Memory:
    """A memory of the RTL, by the name of its cell."""

    def __init__(self, name, cell):
        self.name = name
        self.words, self.width, self.reads, self.writes = (int(cell["parameters"][p], 2) for p in ("SIZE", "WIDTH", "RD_PORTS", "WR_PORTS"))
        self.bits = self.words * self.width


class Netlist:
    """One module's cells and nets; a bit of a net is a number, or a constant '0', '1', 'x'."""

    def __init__(self, modules, module, library):
        top = [m for m in modules.values() if int(m["attributes"].get("top", "0"), 2)]
        self.module, self.library = module, library
        self.ports, self.cells, self._nets = top[0]["ports"], top[0]["cells"], top[0]["netnames"]
        self._names = None
        counts = collections.Counter(c["type"] for c in self.cells.values())
        self.memories = {n: Memory(n, c) for n, c in self.cells.items() if c["type"] == MEMORY}
        self.counts = {t: n for t, n in sorted(counts.items()) if t != MEMORY}
        unmapped = [t for t in self.counts if library is not None and t not in library.cells]
        if unmapped:
            raise BadInput(f"--lib {library.name}: it has no cell for {', '.join(t.strip('$') for t in unmapped)}: another library is needed")

    def is_flop(self, cell_type):
        if self.library is not None:
            return self.library.cells[cell_type].is_flop
        return "DFF" in cell_type

    @property
    def flop_bits(self):
        return sum(n for t, n in self.counts.items() if self.is_flop(t))

    @property
    def memory_bits(self):
        return sum(m.bits for m in self.memories.values())

    @property
    def gates(self):
        """Cells that are not storage."""
        return sum(n for t, n in self.counts.items() if not self.is_flop(t))

    @property
    def nand2_equivalents(self):
        """Of the logic of a generic netlist, flip-flops and memories apart."""
        return sum(GENERIC_GATES[t] * n for t, n in self.counts.items() if not self.is_flop(t))

    def area(self, flops=None):
        """Area in the library's unit: all, or of flip-flops (True) or logic (False) alone. Memories have none."""
        return sum(self.library.cells[t].area * n for t, n in self.counts.items() if flops is None or self.is_flop(t) == flops)

    def flop_cells(self):
        """The kinds of flip-flop used: name, number, area of one, asynchronous or not."""
        return [{"cell": t, "count": n, "area": self.library.cells[t].area, "asynchronous_reset": self.library.cells[t].is_asynchronous}
                for t, n in self.counts.items() if self.is_flop(t)]

    def name(self, bit):
        """The name of a net in the RTL, a register's before a port's before a wire's; None for a net that the tools made."""
        if self._names is None:
            self._names = {}
            for name, net in self._nets.items():
                if net["hide_name"]:
                    continue
                rank = (0 if re.search(r"_q(\[\d+\])?$", name) else 1 if name in self.ports else 2, name.count("."), len(name))
                for index, bit_of_net in enumerate(net["bits"]):
                    text = f"{name}[{index + net.get('offset', 0)}]" if len(net["bits"]) > 1 else name
                    old = self._names.get(bit_of_net)
                    if old is None or rank < old[0]:
                        self._names[bit_of_net] = (rank, text)
        return self._names.get(bit, (None, None))[1]

    def pins(self, cell):
        """(inputs, outputs) of a cell: lists of (pin, bit); buses of a memory bit by bit."""
        inputs, outputs = [], []
        for pin, bits in cell["connections"].items():
            if cell["type"] == MEMORY:
                is_output = pin == "RD_DATA"
            elif self.library is not None:
                is_output = pin in self.library.cells[cell["type"]].pins_with("output")
            else:
                is_output = pin in ("Q", "Y")
            named = [(pin if len(bits) == 1 else f"{pin}_{i}", bit) for i, bit in enumerate(bits)]
            (outputs if is_output else inputs).extend(named)
        return inputs, outputs

    def levels(self, outputs=None):
        """Gates on the longest way between ports, flip-flops and memories; with `outputs`, to these ports alone."""
        drivers, storage = {}, set()
        for name, cell in self.cells.items():
            inputs, results = self.pins(cell)
            is_gate = cell["type"] != MEMORY and not self.is_flop(cell["type"])
            if not is_gate:
                storage.add(name)
            for _, bit in results:
                drivers[bit] = [b for _, b in inputs] if is_gate else []
        depth = {}

        def visit(root):
            stack = [root]
            while stack:
                bit = stack[-1]
                if bit in depth:
                    stack.pop()
                    continue
                fan_in = [b for b in drivers.get(bit, []) if not isinstance(b, str)]
                waiting = [b for b in fan_in if b not in depth]
                if waiting:
                    stack.extend(waiting)
                    continue
                depth[bit] = 1 + max((depth[b] for b in fan_in), default=0) if drivers.get(bit) else 0
                stack.pop()

        ends = [b for n, p in self.ports.items() if p["direction"] == "output" and n in (outputs or self.ports) for b in p["bits"]]
        if outputs is None:
            ends += [b for n in storage for _, b in self.pins(self.cells[n])[0]]
        for bit in ends:
            if not isinstance(bit, str):
                visit(bit)
        return max((depth[b] for b in ends if not isinstance(b, str)), default=0)
