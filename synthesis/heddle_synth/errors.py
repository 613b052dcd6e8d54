# SPDX-License-Identifier: Apache-2.0
"""The one kind of failure a caller can mend: one line that says what, where and what to do."""
import shutil


class BadInput(Exception):
    """Wrong use, an input that cannot be read or an output that cannot be written; exit status 2."""


PACKAGES = {"yosys": "yosys", "berkeley-abc": "berkeley-abc", "sta": "opensta"}  # program: Debian package


def need_tool(tool):
    """The path of a program, or the Debian package that brings it."""
    path = shutil.which(tool)
    if path is None:
        raise BadInput(f"{tool} was not found: apt-get install {PACKAGES[tool]} (or run scripts/setup)")
    return path


def read_text(path, what):
    """The text of a file, or what cannot be read and why."""
    try:
        return path.read_text()
    except UnicodeDecodeError:
        raise BadInput(f"{what}: {path} is not a text file") from None
    except OSError as error:
        raise BadInput(f"{what}: cannot read {path}: {error.strerror}") from None
