#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the code of a notebook as a plain script: run_lesson.py NOTEBOOK. Its outputs are to be stripped, so that it shows what its reader runs."""

import json
import os
import sys


def main(path):
    with open(path, encoding="utf-8") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    if any(cell["outputs"] or cell["execution_count"] is not None for cell in cells):
        sys.exit(f"{path}: has outputs: strip them (jupyter nbconvert --clear-output --inplace)")
    os.chdir(os.path.dirname(os.path.abspath(path)))
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells, 1):
        exec(compile("".join(cell["source"]), f"{path}, code cell {number}", "exec"), names)
    print("lesson: passed")


if __name__ == "__main__":
    main(sys.argv[1])
