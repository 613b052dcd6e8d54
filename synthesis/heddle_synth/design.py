# SPDX-License-Identifier: Apache-2.0
"""The modules of rtl/: their files and their parameters."""
import pathlib
import re
import sys

from .errors import BadInput

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from commit import commit  # noqa: E402,F401  (found through the line above)
from load_script import load_script  # noqa: E402


class Design:
    """rtl/ of one source tree."""

    def __init__(self, root=ROOT):
        self.root = root
        self._design = load_script(ROOT / "scripts" / "hardware" / "lint_rtl").Design(root)
        self._read_rtl = load_script(ROOT / "scripts" / "hardware" / "check_ports").read_rtl

    def modules(self):
        """All modules in the order of rtl/heddle.f, parts before wholes."""
        listed = [pathlib.Path(line) for line in (self.root / "rtl" / "heddle.f").read_text().split()]
        return [path.stem for path in listed if path.stem in self._design.file_of]

    def key(self, module):
        """unit/stem."""
        return str(self._design.file_of[module].relative_to(self.root / "rtl").with_suffix(""))

    def parameters(self, module):
        """Defaults by name, in the order of the source; one may be a constant of the package."""
        parameters, _ = self._read_rtl(self._design.file_of[module])
        return {name: int(self._design.number(default)) for name, default in parameters}

    def resolve(self, module, given):
        """(module, all its parameters) from names and NAME=VALUE texts or (name, value) pairs; refuses what does not exist."""
        if module not in self._design.file_of:
            raise BadInput(f"module {module}: not in rtl/; choose one of {', '.join(self.modules())}")
        parameters = self.parameters(module)
        for text in given:
            name, equals, value = text.partition("=")
            if not equals:
                raise BadInput(f"--param {text}: not NAME=VALUE")
            if name not in parameters:
                raise BadInput(f"--param {text}: {module} has no parameter {name}; it has {', '.join(parameters) or 'none'}")
            if not re.fullmatch(r"\d{1,9}", value):
                raise BadInput(f"--param {text}: {value or 'nothing'} is no whole number from 0 to 999999999")
            parameters[name] = int(value)
        return parameters

    def sources(self, module):
        """The files that a module is made of, relative to the root."""
        return [str(pathlib.Path(name).relative_to(self.root)) for name in self._design.files_for(module)]
