# SPDX-License-Identifier: Apache-2.0
"""Command line of scripts/synth."""
import argparse
import json
import os
import signal
import sys

from . import report, timing, yosys
from .design import Design
from .errors import BadInput, need_tool
from .liberty import NAMED, Library
from .output import Output
from .overheads import Overheads

DESCRIPTION = """Synthesizes modules of rtl/ and reports state, gates, area and timing.

Without --lib: exact flip-flop and memory bits, and the logic as two-input NAND gates and inverters (an inverter counts half).
With --lib also: area and cells of that library, and the longest path with its start and end in the names of the RTL. Inputs
arrive with the clock edge, outputs are due at the next; every input is driven by one buffer, every output drives four inverters,
clock and reset are ideal, wires have no length."""


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadInput(f"{message}; scripts/synth --help tells more")


def _positive(text):
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not a number greater than 0")
    return value


def _ports(text):
    if not text.isdecimal() or int(text) > 999:
        raise argparse.ArgumentTypeError(f"{text} is not a number of ports from 0 to 999")
    return int(text)


def _parse(arguments):
    parser = _Parser(prog="scripts/synth", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module", nargs="?", metavar="MODULE", help="a module of rtl/, for example dpe_stack")
    parser.add_argument("--all", action="store_true", help="every module, at its defaults: the sizes of the papers")
    parser.add_argument("--overheads", action="store_true", help="what the papers say of cost, measured: the tables of docs/tables/synthesis.md")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=VALUE", help="a parameter of MODULE; repeatable")
    parser.add_argument("--lib", metavar="LIBRARY", help=f"{' or '.join(NAMED)} (Debian package qflow-tech-osu018), or a Liberty file")
    parser.add_argument("--memory", choices=("keep", "flops"), default="keep",
                        help="memories without reset: keep those with few ports as memories, counted in bits (default), or build all of flip-flops")
    parser.add_argument("--read-ports", type=_ports, default=2, metavar="N", help="a memory with more is built of flip-flops (default 2)")
    parser.add_argument("--write-ports", type=_ports, default=2, metavar="N", help="a memory with more is built of flip-flops (default 2)")
    parser.add_argument("--memory-ns", type=_positive, metavar="NS",
                        help="read time of every memory that is kept (default: estimated from its size and ports and the library's inverter)")
    parser.add_argument("--derate", type=_positive, default=1.0, metavar="FACTOR",
                        help="multiplies all delays: a corner that the library lacks (slow about 1.6, fast about 0.7: docs/synthesis.md)")
    parser.add_argument("--period", type=_positive, default=1.0, metavar="NS", help="clock period to aim at (default 1: as fast as it gets)")
    parser.add_argument("--json", metavar="FILE", help="write the report there as JSON, - for standard output")
    parser.add_argument("--markdown", metavar="FILE", help="with --all or --overheads: write the tables there; in a file that "
                             "has the lines <!-- synth NAME --> and <!-- /synth -->, between them (NAME: all, overheads)")
    options = parser.parse_args(arguments)
    if bool(options.module) == (options.all or options.overheads):
        raise BadInput("name one MODULE, or --all, or --overheads, or both of these; scripts/synth --help tells more")
    if options.param and not options.module:
        raise BadInput("--param goes with a MODULE")
    if options.markdown and options.module:
        raise BadInput("--markdown goes with --all or --overheads")
    if options.overheads and options.lib is None:
        options.lib = "osu018"
    return options


def _versions(library):
    made_with = {"yosys": yosys.version()}
    if library is not None:
        made_with["opensta"] = f"OpenSTA {timing.version()}"
        made_with["library"] = library.title
    return made_with


def _run(options, json_file, markdown_file):
    design = Design()
    need_tool("yosys")
    library = None
    if options.lib is not None:
        library = Library(options.lib)
        need_tool("sta")
    made_with = _versions(library)
    measured = report.Measured(design, options, library, lambda text: options.json == "-" or print(text, flush=True))
    sections = {}
    if options.module:
        measured(options.module, design.resolve(options.module, options.param))
    if options.overheads:
        sections["overheads"] = Overheads(design, library, measured).markdown()
    if options.all:
        sections["all"] = report.table([measured(module, design.parameters(module)) for module in design.modules()], library)
    sections = {name: f"{report.made_by(name, made_with, options, library)}\n\n{text}" for name, text in sections.items()}
    if sections and not options.markdown and options.json != "-":
        print("\n\n".join(sections.values()))
    for row in measured.rows:
        for line in row["warnings"]:
            print(f"scripts/synth: {row['module']}: {line}", file=sys.stderr)
    document = {"made_with": made_with, "options": {"memory": options.memory, "read_ports": options.read_ports, "write_ports": options.write_ports,
                                                  "memory_ns": options.memory_ns, "period_ns": options.period,
                                                  "derate": options.derate},
                "modules": measured.rows}
    if json_file is not None:
        json_file.write(json.dumps(document, indent=1) + "\n")
    if markdown_file is not None:
        markdown_file.write_sections(sections)
    return 1 if any(row["warnings"] for row in measured.rows) else 0


def main(arguments):
    """Exit status: 0 done, 1 synthesized with warnings, 2 bad usage or input, 128 + signal."""
    files = []
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, lambda number, _: sys.exit(128 + number))   # by way of finally
    try:
        options = _parse(arguments)
        for option, name in (("--json", options.json), ("--markdown", options.markdown)):
            files.append(name and Output(option, name))
        return _run(options, *files)
    except BadInput as error:
        print(f"scripts/synth: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:   # whoever read the report has seen enough of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    finally:
        for file in files:
            if file is not None:
                file.discard()
