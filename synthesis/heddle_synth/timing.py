# SPDX-License-Identifier: Apache-2.0
"""Static timing of a mapped netlist with OpenSTA, told in the names of the RTL.

Inputs arrive with the clock edge and outputs must be there at the next one, so the longest path of a module counts whole. Clock
and reset are ideal, and wires have no length, whatever wire loads a library proposes. A memory kept as a cell is read in the time
the caller names.
"""
import dataclasses
import pathlib
import re
import subprocess
import tempfile

from .errors import BadInput, need_tool
from .netlist import MEMORY

CLOCK, RESET = "clk_i", "rst_ni"


@dataclasses.dataclass
class Step:
    """One stage of a path: the cell, the net it drives if the RTL names it, and the delay."""
    cell: str
    net: str
    delay: float


@dataclasses.dataclass
class Path:
    """The longest path to some ends."""
    start: str
    end: str
    delay: float      # ns from the clock edge to the end, its set-up time included
    gates: int
    memories: int
    steps: list

    @property
    def max_mhz(self):
        return 1000 / self.delay


def version():
    """The version of OpenSTA."""
    return subprocess.run([need_tool("sta"), "-version"], capture_output=True, text=True).stdout.strip()


def _bit(bit):
    return f"n{bit}" if isinstance(bit, int) else "1'b1" if bit == "1" else "1'b0"


def verilog(netlist):
    """Structural Verilog with instances c0, c1, ...; the names of their cells in the same order."""
    lines = [f"module top ({', '.join(netlist.ports)});"]
    wires, assigns, bodies, cells = set(), [], [], []
    for name, port in netlist.ports.items():
        width = len(port["bits"])
        lines.append(f"  {port['direction']} {f'[{width - 1}:0] ' if width > 1 else ''}{name};")
        for index, bit in enumerate(port["bits"]):
            pin = f"{name}[{index}]" if width > 1 else name
            assigns.append(f"  assign {_bit(bit)} = {pin};" if port["direction"] == "input" else f"  assign {pin} = {_bit(bit)};")
            wires.add(bit)
    for name, cell in netlist.cells.items():
        kind = f"memory_{len(cells)}" if cell["type"] == MEMORY else cell["type"]
        inputs, outputs = netlist.pins(cell)
        bodies.append(f"  {kind} c{len(cells)} ({', '.join(f'.{p}({_bit(b)})' for p, b in inputs + outputs)});")
        wires.update(b for _, b in inputs + outputs)
        cells.append(name)
    lines += [f"  wire n{b};" for b in sorted(b for b in wires if isinstance(b, int))]
    return "\n".join(lines + assigns + bodies + ["endmodule"]) + "\n", cells


def _memory_liberty(netlist, cells, access):
    """A library with one cell for each memory: read data access(memory) ns after its address and after the clock, writes at the clock."""
    capacitance = netlist.library.load / 4
    setup = " ".join(f"{edge}_constraint(scalar) {{ values(\"0\"); }}" for edge in ("rise", "fall"))
    lines = ["library(memories) {", "  delay_model : table_lookup; time_unit : \"1ns\"; voltage_unit : \"1V\"; current_unit : \"1uA\";",
             "  capacitive_load_unit(1, pf); nom_voltage : 1.8; nom_process : 1; nom_temperature : 25;"]
    for edge in ("rise", "fall"):
        lines.append(f"  input_threshold_pct_{edge} : 50; output_threshold_pct_{edge} : 50; "
                     f"slew_lower_threshold_pct_{edge} : 20; slew_upper_threshold_pct_{edge} : 80;")
    for index, name in enumerate(cells):
        if name not in netlist.memories:
            continue
        cell, read = netlist.cells[name], access(netlist.memories[name])
        arc = " ".join(f"cell_{edge}(scalar) {{ values(\"{read}\"); }} {edge}_transition(scalar) {{ values(\"0\"); }}" for edge in ("rise", "fall"))
        inputs, outputs = netlist.pins(cell)
        address_bits = len(cell["connections"]["RD_ADDR"]) // max(1, int(cell["parameters"]["RD_PORTS"], 2))
        width = int(cell["parameters"]["WIDTH"], 2)
        lines.append(f"  cell(memory_{index}) {{")
        for pin, _ in inputs:
            timing = "" if pin == "CLK" or pin.startswith("RD_") else f" timing() {{ related_pin : \"CLK\"; timing_type : setup_rising; {setup} }}"
            clock = " clock : true;" if pin == "CLK" else ""
            # A write port has one enable, which Yosys tells bit by bit: the bits together are one pin.
            load = capacitance / width if pin.startswith("WR_EN") else capacitance
            lines.append(f"    pin({pin}) {{ direction : input;{clock} capacitance : {load:g};{timing} }}")
        for number, (pin, _) in enumerate(outputs):
            port = number // width
            address = [f"RD_ADDR_{i}" for i in range(port * address_bits, (port + 1) * address_bits)]
            if len(cell["connections"]["RD_ADDR"]) == 1:
                address = ["RD_ADDR"]
            lines.append(f"    pin({pin}) {{ direction : output; timing() {{ related_pin : \"{' '.join(address)}\"; timing_sense : non_unate; {arc} }} "
                         f"timing() {{ related_pin : \"CLK\"; timing_type : rising_edge; {arc} }} }}")
        lines.append("  }")
    return "\n".join(lines + ["}"]) + "\n"


def _parse(text, netlist, cells):
    """The Path in a report of report_checks, or None if there is none."""
    names = {f"{n}[{i}]" if len(p["bits"]) > 1 else n for n, p in netlist.ports.items() for i in range(len(p["bits"]))}
    steps, end = [], None
    for line in text.splitlines():
        found = re.match(r"\s*(-?[\d.]+)\s+(-?[\d.]+) [\^v] (\S+) \((\S+)\)$", line)
        if found:
            delay, arrival, place, kind = float(found[1]), float(found[2]), found[3], found[4]
            if place in names:
                steps.append((None, None, place, delay))
            else:
                instance, pin = place.rsplit("/", 1)
                steps.append((cells[int(instance[1:])], pin, kind, delay))
            end = arrival
        if re.match(r".*data arrival time", line):
            break
    if not steps:
        return None
    setup = sum(float(m[1]) for m in re.finditer(r"\s*(-?[\d.]+)\s+-?[\d.]+\s+library setup time", text))

    def is_memory(step):
        return netlist.cells[step[0]]["type"] == MEMORY

    def is_flop(step):
        return not is_memory(step) and netlist.is_flop(netlist.cells[step[0]]["type"])

    def named(step, pins):
        """The RTL's name of a start or an end: a port, or the register or memory that the cell is."""
        name, _, text_of, _ = step
        if name is None:
            return text_of
        if is_memory(step):
            return f"memory {name}"
        cell = netlist.cells[name]
        found = [netlist.name(cell["connections"][p][0]) for p in pins(cell) if p in cell["connections"]]
        found = [n for n in found if n]
        # A library flip-flop may hold the inverse of a register and drive it through an inverter.
        return found[0] if found else cell["attributes"].get("src", "a register of the module")

    def outputs(cell):
        return netlist.library.cells[cell["type"]].pins_with("output")

    first, last = steps[0], steps[-1]
    # A start is two lines, clock pin and output; the first says nothing.
    if len(steps) > 1 and first[0] is not None and steps[1][0] == first[0]:
        steps = steps[1:]
    inner = [s for s in steps[:-1] if s[0] is not None and not is_flop(s)]
    memories = [s for s in inner if is_memory(s)]
    told = []
    for step in steps:
        name, pin, text_of, delay = step
        if name is None:
            told.append(Step("port", text_of, delay))
        else:
            cell = netlist.cells[name]
            bits = cell["connections"].get(pin) or [None]
            kind = f"memory {name}" if is_memory(step) else cell["type"]
            told.append(Step(kind, netlist.name(bits[0]) if len(bits) == 1 else None, delay))
    return Path(named(first, outputs), named(last, outputs), round(end - setup, 4), len(inner) - len(memories), len(memories), told)


def _sta(folder, lines, what):
    """What OpenSTA says to some commands; a warning is an error."""
    (folder / "run.tcl").write_text("\n".join(lines) + "\nexit\n")
    ran = subprocess.run([need_tool("sta"), "-exit", "-no_splash", "run.tcl"], cwd=folder, capture_output=True, text=True)
    text = ran.stdout + ran.stderr
    trouble = re.search(r"^(?:Error|Warning):? (.*)$", text, re.M)
    if ran.returncode != 0 or trouble:
        raise BadInput(f"{what}: {trouble[1] if trouble else f'exit status {ran.returncode}'}")
    return text


def inverter_delay(library):
    """The delay of the library's inverter with four of its kind behind it (FO4), in ns: the mean of a rise and a fall amid a chain."""
    a, y = (library.inverter.pins_with(direction)[0] for direction in ("input", "output"))
    links = [f"  {library.inverter.name} c{i}_{j} (.{a}(n{i}), .{y}({f'n{i + 1}' if j == 0 else f'u{i}_{j}'}));" for i in range(8) for j in range(4)]
    wires = [f"  wire n{i};" for i in range(9)] + [f"  wire u{i}_{j};" for i in range(8) for j in range(1, 4)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "chain.v").write_text("\n".join(["module top (a, y);", "  input a;", "  output y;", *wires, "  assign n0 = a;", "  assign y = n8;",
                                                   *links, "endmodule"]) + "\n")
        (folder / "cells.lib").write_text(library.without_wires())
        text = _sta(folder, ["read_liberty cells.lib", "read_verilog chain.v", "link_design top",
                             "create_clock -name clock -period 1", "set_input_delay 0 -clock clock a", "set_output_delay 0 -clock clock y",
                             "report_checks -path_delay max -format full -digits 6"], f"OpenSTA with {library.name}")
    return sum(float(delay) for delay in re.findall(rf"(-?[\d.]+)\s+-?[\d.]+ [\^v] c[45]_0/{re.escape(y)} ", text)) / 2


def analyse(netlist, period, access, outputs=None, derate=1.0):
    """The longest Path of a netlist mapped to a library, to all ends or to the named output ports; None if nothing is on one.

    Every delay and every set-up time is multiplied by `derate`.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text, cells = verilog(netlist)
        (folder / "netlist.v").write_text(text)
        (folder / "memories.lib").write_text(_memory_liberty(netlist, cells, access))
        inputs = [n for n, p in netlist.ports.items() if p["direction"] == "input" and n != CLOCK]
        results = [n for n, p in netlist.ports.items() if p["direction"] == "output"]

        def ports(names):
            return "[get_ports {" + " ".join(f"{n}[*]" if len(netlist.ports[n]["bits"]) > 1 else n for n in names) + "}]"

        clock = f" [get_ports {CLOCK}]" if CLOCK in netlist.ports else ""
        (folder / "cells.lib").write_text(netlist.library.without_wires())
        lines = ["read_liberty cells.lib"] + (["read_liberty memories.lib"] if netlist.memories else [])
        lines += ["read_verilog netlist.v", "link_design top", f"create_clock -name clock -period {period}{clock}",
                  f"set_input_delay 0 -clock clock {ports(inputs)}", f"set_output_delay 0 -clock clock {ports(results)}",
                  f"set_driving_cell -lib_cell {netlist.library.driver.name} {ports(inputs)}",
                  f"set_load {netlist.library.load / netlist.library.picofarads:g} {ports(results)}"]
        lines += [f"set_timing_derate -late {derate}", f"set_timing_derate -late -cell_check {derate}"]
        if RESET in netlist.ports:
            lines.append(f"set_false_path -from [get_ports {RESET}]")
        to = f" -to {ports(outputs)}" if outputs else ""
        lines.append(f"report_checks -path_delay max -format full -digits 4{to}")
        return _parse(_sta(folder, lines, f"{netlist.module}: OpenSTA with {netlist.library.name}"), netlist, cells)
