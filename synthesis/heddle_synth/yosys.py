# SPDX-License-Identifier: Apache-2.0
"""Runs Yosys: one module, flattened, to NAND gates and, with a library, to its cells."""
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import tempfile

from .errors import BadInput, need_tool
from .netlist import Memory, Netlist

MEMORY_MAP = pathlib.Path(__file__).resolve().parent.parent / "memory_map.v"

# Says how Yosys works, not that anything is wrong: a memory with a reset has to be flip-flops.
HARMLESS = re.compile(r"Warning: Replacing memory \\\S+ with list of registers")


@dataclasses.dataclass
class Result:
    """What Yosys made of a module."""
    declared_flops: int           # bits of the RTL before any optimization
    declared_memory: int
    memories: list = dataclasses.field(default_factory=list)   # of the RTL, kept or not
    generic: Netlist = None       # two-input NAND, inverter, flip-flop
    mappings: list = dataclasses.field(default_factory=list)   # to cells of the library, by each of ABC's scripts
    warnings: list = dataclasses.field(default_factory=list)
    seconds: float = 0.0          # of CPU time, Yosys and ABC


def version():
    """The version line of Yosys, short."""
    text = subprocess.run([need_tool("yosys"), "-V"], capture_output=True, text=True).stdout
    return " ".join(text.split()[:2])


# ABC's scripts. &fraig merges what is equal for every input: an enable that the next value implies (where nothing is written everything
# stays) costs no gate; it is done once, for both netlists. (The older ifraig had not ended in 52 minutes for dws_frontend, for which this
# script takes 17.) &get without -n loses the names by which Yosys finds pins again. What is merged may have become deep: the library's
# script makes it shallow again (if -g), as whoever cares about the longest path would. Yosys' own scripts also call scorr and dch, which
# gain little and take minutes at the size of a front end.
_MERGE_ABC = "strash\n&get -n\n&fraig -x\n&put\nmap\n"
_NAND_ABC = "strash\ndc2\nstrash\nmap\n"
_MAP_ABC = "strash\nbalance\n&get -n\n&nf -D {ps}\n&put\nbuffer\nupsize -D {ps}\ndnsize -D {ps}\n"
# Which of these is the fastest depends on the module, by up to a tenth, and on accidents of its form: all are made.
_LIBRARY_ABC = tuple(f"strash\nbalance\n{steps}\n{_MAP_ABC}" for steps in ("dc2\nif -g", "dc2 -l\nif -g", "dc2\nif -g\nstrash\ndc2\nif -g"))


def _script(files, module, parameters, ports, library, until):
    # Not `hierarchy -chparam`, which stops Yosys 0.23 at parts whose parameters are other than their defaults.
    sets = [f"chparam{''.join(f' -set {name} {value}' for name, value in parameters.items())} {module}"] if parameters else []
    limits = "-DMAX_READS={} -DMAX_WRITES={}".format(*ports)
    # Modules are optimized one by one and flattened as gates: a register of one module that happens to equal one of another stays.
    lines = [f"read_verilog -sv -defer -DSYNTHESIS {' '.join(files)}", f"read_verilog -lib {limits} {MEMORY_MAP}",
             *sets, f"hierarchy -check -top {module}", "proc", "opt_expr", "opt_clean", "check -assert",
             "select -assert-none t:$dlatch t:$adlatch",
             "design -save rtl", "flatten", "tee -q -o declared.txt stat -width", "design -load rtl"]
    if until == "rtl":
        return "\n".join(lines) + "\n"
    # peepopt makes a select of one of many fields, v[i*61 +: 61], multiplexers and no barrel shifter.
    lines += ["opt", "wreduce", "peepopt", "opt_clean", "alumacc",
              # No memory_dff: a register behind a memory stays a flip-flop. No wide ports: each port counts once, for one word.
              "opt_mem", "opt_mem_priority", "memory_share -nowiden", "memory_collect", "opt_clean",
              "design -save words", "flatten", "tee -q -o memories.json json t:$mem_v2", "design -load words",
              f"techmap {limits.replace('-D', '-D ')} -map {MEMORY_MAP}", "memory_map",
              # Behind the last word of a memory there is none: what is read there is undefined.
              "opt_expr -mux_undef -undriven",
              "techmap", "opt -fast", "flatten", "opt_expr", "opt_clean", "check -assert"]
    if until == "gates":
        return "\n".join(lines + ["write_json generic.json"]) + "\n"
    lines += ["abc -g AND -script merge.abc", "opt_clean", "design -save gates", "abc -g NAND -script nand.abc", "opt_clean", "write_json generic.json"]
    if library is not None:
        lines += ["design -load gates", f"dfflibmap -liberty {library.path.resolve()}", "opt_clean", "design -save flops"]
        for number in range(len(_LIBRARY_ABC)):
            lines += ["design -load flops", f"abc -liberty {library.path.resolve()} -constr abc.constr -script library{number}.abc", "opt_clean",
                      f"write_json mapped{number}.json"]
    return "\n".join(lines) + "\n"


def _failure(module, parameters, library, text):
    """The one line for what Yosys says when it stops."""
    errors = re.findall(r"^.*?ERROR: (.*)$", text, re.M)
    # A broken limit is an instance of a module that does not exist, named after the limit.
    limit = re.match(r"Module `\\(\w+_must_\w+)' referenced in module `[^\\']*\\(\w+)", errors[0]) if errors else None
    if limit:
        part = f"{limit[2]}: " if limit[2] != module else ""
        return BadInput(f"{module}: {part}{limit[1].replace('_', ' ')}")
    lacking = re.search(r"cannot be legalized: (.*)", errors[0]) if errors else None
    if lacking:
        return BadInput(f"--lib {library.name}: it has no flip-flop that {module} needs: {lacking[1].strip()}")
    with_values = " ".join(f"{k}={v}" for k, v in parameters.items())
    return BadInput(f"{module} {with_values}: yosys stops: {errors[0].strip() if errors else text.strip()[-200:] or 'without a message'}")


def _stat_bits(path):
    text = path.read_text()
    flops = sum(int(width) * int(count) for width, count in re.findall(r"\$\w*dff\w*?_(\d+)\s+(\d+)", text))
    return flops, int(re.search(r"Number of memory bits:\s+(\d+)", text)[1])


def synthesize(design, module, parameters, ports=(2, 2), library=None, period=1.0, until="mapped"):
    """The netlists of a module, as far as asked for: until the bits are known that the "rtl" declares, its "gates" as they come, or all is "mapped".

    Memories with at most so many read and write `ports` are kept, others are built of flip-flops.
    """
    yosys = need_tool("yosys")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "rtl").symlink_to(design.root / "rtl")
        (folder / "run.ys").write_text(_script(design.sources(module), module, parameters, ports, library, until))
        (folder / "merge.abc").write_text(_MERGE_ABC)
        (folder / "nand.abc").write_text(_NAND_ABC)
        if library is not None:
            (folder / "abc.constr").write_text(f"set_driving_cell {library.driver.name}\nset_load {1000 * library.load:g}\n")  # fF
            for number, script in enumerate(_LIBRARY_ABC):
                (folder / f"library{number}.abc").write_text(script.format(ps=round(1000 * period)))
        with open(folder / "out.txt", "w", encoding="utf-8") as out:
            process = subprocess.Popen([yosys, "-q", "-s", "run.ys"], cwd=folder, stdout=out, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        text = (folder / "out.txt").read_text()
        if process.returncode != 0:
            raise _failure(module, parameters, library, text)
        result = Result(*_stat_bits(folder / "declared.txt"))
        if until != "rtl":
            words = json.loads((folder / "memories.json").read_text())["modules"]
            result.memories = [Memory(n, c) for m in words.values() for n, c in m["cells"].items()]
            result.generic = _read(folder / "generic.json", module, None)
        if library is not None:
            result.mappings = [_read(folder / f"mapped{number}.json", module, library) for number in range(len(_LIBRARY_ABC))]
        result.warnings = [line.strip() for line in text.splitlines() if "Warning:" in line and not HARMLESS.search(line)]
        result.seconds = usage.ru_utime + usage.ru_stime
        return result


def _read(path, module, library):
    return Netlist(json.loads(path.read_text())["modules"], module, library)
