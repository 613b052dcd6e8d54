# SPDX-License-Identifier: Apache-2.0
"""Programs of this repository as Python modules, whether or not their names end in .py."""
import importlib.machinery
import importlib.util
import pathlib
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is


def load_script(path):
    path = pathlib.Path(path).resolve()
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))   # it finds what stands beside it, as when it is run
    loader = importlib.machinery.SourceFileLoader(path.stem, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(path.stem, loader))
    loader.exec_module(module)
    return module
