# SPDX-License-Identifier: Apache-2.0
"""Output files: known to be writable before the work starts, there under their name when complete."""
import os
import pathlib
import re
import sys
import tempfile

from .errors import BadInput


class Output:
    """A file to write, or standard output for '-'."""

    def __init__(self, option, name):
        self._name = name
        if name == "-":
            return
        path = pathlib.Path(name)
        if path.is_dir():
            raise BadInput(f"{option} {name}: is a directory; name a file")
        try:
            handle, self._temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        except OSError as error:
            raise BadInput(f"{option} {name}: cannot be written: {error.strerror}") from None
        os.fchmod(handle, 0o644)
        os.close(handle)

    def write(self, text):
        """The whole text, once."""
        if self._name == "-":
            sys.stdout.write(text)
            return
        pathlib.Path(self._temporary).write_text(text, encoding="utf-8")
        os.replace(self._temporary, self._name)
        self._temporary = None

    def write_sections(self, sections):
        """Sections by name, between their marks where the file has them, else one behind the other as the whole file."""
        path = pathlib.Path(self._name)
        text = path.read_text(encoding="utf-8") if self._name != "-" and path.exists() else ""
        marks = {name: re.compile(rf"(?<=<!-- synth {name} -->\n).*?(?=<!-- /synth -->)", re.S) for name in sections}
        if any(mark.search(text) for mark in marks.values()):
            for name, section in sections.items():
                text = marks[name].sub(lambda _, new=section: f"\n{new}\n\n", text, count=1)
            self.write(text)
        else:
            self.write("\n\n".join(sections.values()) + "\n")

    def discard(self):
        """Leaves nothing behind when the work failed."""
        if self._name != "-" and self._temporary is not None:
            os.unlink(self._temporary)
            self._temporary = None
