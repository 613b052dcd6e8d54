#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A man page from what a program says of itself: man_page.py PROGRAM VERSION > page. Of a program with commands (lines "  NAME   summary" in its
--help) the page has those of each command, too."""

import pathlib
import re
import subprocess
import sys


def help_of(*command):
    return subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def body(lines):
    """Paragraphs, and a tagged one for each line that begins with an option, or with a word and its meaning in a column of its own."""
    out, tagged = [], False
    for line in lines:
        entry = re.match(r"  (-\S(?: ?\S)*|[a-z][a-z-]+(?=  ))(?:\s{2,}(.*))?$", line)
        if entry:
            out += [".TP", ".B " + roff(entry[1])] + ([roff(entry[2])] if entry[2] else [])
            tagged = True
        elif tagged and re.match(r"\s{8,}\S", line):
            out.append(roff(line.strip()))
        elif line.strip():
            out += [".PP"] * tagged + [roff(line.strip())]
            tagged = False
        else:
            out.append(".PP")
            tagged = False
    return out


def section(title, text):
    usage, _, rest = text.partition("\n")
    return [title, ".B " + roff(usage.removeprefix("usage: "))] + [".PP"] + body(rest.strip("\n").split("\n"))


def page(program, version):
    name = pathlib.Path(program).name
    text = help_of(program)
    commands = re.findall(r"(?m)^  ([a-z][a-z-]+)  +\S", text)
    about = {"heddle-cc": "compile kernels for the simulated core", "heddle-nvcc": "compile CUDA programs for the simulated core"}
    if commands:
        first, _, rest = text.partition("\n")
        summary = first.split(": ", 1)[1]
        usage, rest = re.match(r"\s*(usage: .*)\n([\s\S]*)", rest).groups()
        out = section(".SH SYNOPSIS", usage + "\n" + rest)
    else:
        summary = about[name]
        out = section(".SH SYNOPSIS", text)
    out = [f'.TH {name.upper()} 1 "" "heddle {version}" "Heddle"', ".SH NAME", f"{roff(name)} \\- {roff(summary)}"] + out
    for command in commands:
        out += section(f".SH {roff(name)} {command}".upper().replace("\\\\-", "-"), help_of(program, command))
    others = [n for n in ("heddle", "heddle-cc", "heddle-nvcc") if n != name]
    out += [".SH SEE ALSO", ", ".join(f"\\fB{roff(n)}\\fP(1)" for n in others)]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    print(page(*sys.argv[1:]), end="")
