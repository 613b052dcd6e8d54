# SPDX-License-Identifier: Apache-2.0
"""What is said about a synthesized module: one record, printed as text, JSON or a row of a table."""
import datetime
import functools
import resource

from . import timing, yosys
from .design import commit
from .memory import ReadTime, macro_nand2

# Outputs whose own longest path is of interest: does a pending write block the next instruction?
CHECKS = {name + "_scoreboard": ["check_wait_o"] for name in ("spe", "dpe", "optimistic", "bitmap")}


class Measured:
    """Synthesizes each module with each set of parameters once; `tell` is called with the text of each new one."""

    def __init__(self, design, options, library, tell):
        self._design, self._options, self._library, self._tell = design, options, library, tell
        self._read_time = ReadTime(options.memory_ns, library)
        self._rows = {}

    @property
    def rows(self):
        """All records so far."""
        return list(self._rows.values())

    def __call__(self, module, parameters):
        """The record of a module."""
        label = (module, tuple(parameters.items()))
        if label not in self._rows:
            self._rows[label] = row = _record(self._design, module, parameters, self._options, self._library, self._read_time)
            if self._library is not None:
                row["mapped"]["nand2_with_memories"] = self._with_memories(row)
            self._tell(text(self._rows[label], self._library, self._options))
        return self._rows[label]

    @functools.cached_property
    def _flop_bit(self):
        """Area of a bit of a small memory that is built of flip-flops, in NAND gates."""
        parameters = self._design.parameters("heddle_mem")
        made = yosys.synthesize(self._design, "heddle_mem", parameters, (0, 0), self._library, self._options.period)
        return min(m.area() for m in made.mappings) / self._library.nand2.area / made.declared_memory

    def _with_memories(self, row):
        """Area with the memories that are kept counted: as what a foundry compiles, and of flip-flops."""
        kept, logic = [m for m in row["state"]["memories"] if m["kept"]], row["mapped"]["nand2_equivalents"]
        return {"macros": logic + sum(macro_nand2(m["words"], m["width"]) for m in kept),
                "flip_flops": logic + sum(m["bits"] * self._flop_bit for m in kept)}


def kept_ports(options):
    """The most read and write ports of a memory that is kept."""
    return (options.read_ports, options.write_ports) if options.memory == "keep" else (0, 0)


def state(made):
    """What is stored and in what."""
    flops, memory = made.generic.flop_bits, made.generic.memory_bits
    return {"flop_bits": flops, "memory_bits": memory, "bits": flops + memory,
            "declared_flop_bits": made.declared_flops, "declared_memory_bits": made.declared_memory,
            "memories": [{"name": m.name, "words": m.words, "width": m.width, "bits": m.bits, "read_ports": m.reads,
                          "write_ports": m.writes, "kept": m.name in made.generic.memories} for m in made.memories]}


def _record(design, module, parameters, options, library, read_time):
    made = yosys.synthesize(design, module, parameters, kept_ports(options), library, options.period)
    generic = made.generic
    row = {
        "module": module, "key": design.key(module), "parameters": parameters,
        "state": state(made),
        "generic": {"nand2_equivalents": generic.nand2_equivalents, "levels": generic.levels(), "cells": generic.counts},
        "warnings": made.warnings, "cpu_seconds": round(made.seconds, 1),
    }
    if library is not None:
        paths = [timing.analyse(mapped, options.period, read_time, derate=options.derate) for mapped in made.mappings]
        path, mapped = min(zip(paths, made.mappings), key=lambda pair: (pair[0].delay if pair[0] else 0, pair[1].area()))
        row["mapped"] = {
            "area": mapped.area(), "area_logic": mapped.area(False), "area_flops": mapped.area(True),
            "nand2_equivalents": mapped.area() / library.nand2.area, "gates": mapped.gates, "cells": mapped.counts,
            "flops": mapped.flop_cells(),
        }
        for memory in row["state"]["memories"]:
            if memory["kept"]:
                memory["read_ns"] = read_time(mapped.memories[memory["name"]])
        row["timing"] = path and _path_record(path)
        if module in CHECKS:
            path = timing.analyse(mapped, options.period, read_time, CHECKS[module], options.derate)
            row["check"] = {"outputs": CHECKS[module], "levels": generic.levels(CHECKS[module]), "timing": _path_record(path)}
    peaks = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    row["peak_mb_so_far"] = round(max(peaks) / 1024)   # of this command: the kernel keeps no peak of one child
    return row


def _path_record(path):
    """A timing path for JSON."""
    return {"start": path.start, "end": path.end, "ns": path.delay, "max_mhz": round(path.max_mhz, 1), "gates": path.gates,
            "memories": path.memories, "path": [{"cell": s.cell, "net": s.net, "ns": s.delay} for s in path.steps]}


def title(row):
    """Module and parameters."""
    return " ".join([row["module"], *(f"{k}={v}" for k, v in row["parameters"].items())])


def text(row, library, options):
    """The report of one module, a string of several lines."""
    state, generic = row["state"], row["generic"]
    lines = [title(row), f"  state      {state['flop_bits']:,} flip-flop bits, {state['memory_bits']:,} memory bits"]
    lines += [f"             memory {line}" for line in memories(row)]
    dropped = state["declared_flop_bits"] + state["declared_memory_bits"] - state["bits"]
    if dropped:
        lines.append(f"             {dropped:,} of the bits that the RTL declares are constant or copies and are not built")
    lines.append(f"  logic      {generic['nand2_equivalents']:,.0f} NAND2 equivalents, {generic['levels']} levels of NAND2 and inverter")
    if library is not None:
        mapped = row["mapped"]
        lines.append(f"  {library.label:10} area {mapped['area']:,.0f}, {mapped['nand2_equivalents']:,.0f} {library.nand2.name}: logic "
                     f"{mapped['area_logic']:,.0f} in {mapped['gates']:,} cells, flip-flops {mapped['area_flops']:,.0f}"
                     + (", kept memories not counted" if state["memory_bits"] else ""))
        if state["memory_bits"]:
            counted = mapped["nand2_with_memories"]
            lines.append(f"             memories counted: {counted['macros']:,.0f} {library.nand2.name} with macros, "
                         f"{counted['flip_flops']:,.0f} with flip-flops (estimated)")
        for flop in mapped["flops"]:
            lines.append(f"             {flop['count']:,} {flop['cell']} of {flop['area']:g}, "
                         f"{'asynchronous reset' if flop['asynchronous_reset'] else 'no asynchronous reset'}")
        lines += _timing_text(row["timing"], options.derate)
    lines.append(f"  made in    {row['cpu_seconds']} s of CPU time; peak memory up to here {row['peak_mb_so_far']:,} MB")
    return "\n".join(lines)


def memories(row):
    """One line for each kind of memory: how large, how many ports, and whether it is kept or built of flip-flops."""
    alike = {}
    for memory in row["state"]["memories"]:
        alike.setdefault(tuple(memory[k] for k in ("words", "width", "read_ports", "write_ports", "kept")) + (memory.get("read_ns"),), []).append(memory["name"])
    return [f"{names[0]}{f' and {len(names) - 1} more like it' if len(names) > 1 else ''}: {words:,} x {width}, {reads} read, {writes} write, "
            f"{'kept' if kept else 'built of flip-flops'}{f', read in {read_ns:.2f} ns' if read_ns else ''}"
            for (words, width, reads, writes, kept, read_ns), names in alike.items()]


def _timing_text(path, derate):
    if path is None:
        return ["  timing     no path"]
    lines = [f"  timing     {path['ns']:.2f} ns, {path['max_mhz']:,.0f} MHz: {path['start']} -> {path['end']}, {path['gates']} gates"]
    if path["memories"]:
        lines[0] += f" and {path['memories']} memory read{'s' if path['memories'] > 1 else ''}"
    if derate != 1:
        lines[0] += f", all delays times {derate:g}"
    for step in path["path"]:
        lines.append(f"             {step['ns']:7.3f}  {step['cell']:<12} {step['net'] or ''}".rstrip())
    return lines


def made_by(name, made_with, options, library):
    """Where a table comes from."""
    how = f"--{name}" + (f" --lib {options.lib}" if library is not None else "") + (" --memory flops" if options.memory == "flops" else "")
    tools = ", ".join(f"library {text}" if what == "library" else text for what, text in made_with.items())
    lines = f"Made by `scripts/synth {how}` at commit {commit()} on {datetime.date.today().isoformat()} with {tools}."
    if library is not None:
        lines += f" Aimed at {options.period:g} ns." + (f" All delays times {options.derate:g}." if options.derate != 1 else "")
        if options.memory == "keep":
            lines += (f" Memories with at most {options.read_ports} read and {options.write_ports} write ports are kept: counted in bits, "
                      f"not in the area, and read in {f'{options.memory_ns:g} ns' if options.memory_ns else 'a time estimated from their size'}. "
                      "Others are built of flip-flops.")
    return lines


def table(rows, library):
    """Markdown: one row a module."""
    head = ["module", "parameters", "flip-flop bits", "memory bits", "memories", "logic, NAND2", "levels"]
    if library is not None:
        head += [f"area, {library.nand2.name}", "of it flip-flops", "with macros", "with memories of flip-flops", "ns", "MHz", "longest path"]
    head += ["CPU s"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        cells = [row["key"], " ".join(f"{k}={v}" for k, v in row["parameters"].items()), f"{row['state']['flop_bits']:,}",
                 f"{row['state']['memory_bits']:,}", "; ".join(memories(row)) or "-", f"{row['generic']['nand2_equivalents']:,.0f}", str(row["generic"]["levels"])]
        if library is not None:
            mapped, path = row["mapped"], row["timing"]
            cells += [f"{mapped['nand2_equivalents']:,.0f}", f"{mapped['area_flops'] / mapped['area']:.0%}" if mapped["area"] else "-"]
            cells += [f"{mapped['nand2_with_memories'][kind]:,.0f}" for kind in ("macros", "flip_flops")]
            cells += [f"{path['ns']:.2f}", f"{path['max_mhz']:,.0f}", f"`{path['start']}` to `{path['end']}`"] if path else ["-", "-", "-"]
        cells += [f"{row['cpu_seconds']:.0f}"]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", f"Synthesis took {sum(row['cpu_seconds'] for row in rows):,.0f} s of CPU time in all and {max(row['peak_mb_so_far'] for row in rows):,} MB at the most."]
    return "\n".join(lines)
