# SPDX-License-Identifier: Apache-2.0
"""What an evaluation is made of: runs by name, claims of a paper with a verdict each, and figures, each of which knows its runs."""

import contextlib
import dataclasses

from programs import Programs
from verdict import DIRECTION, NOT, OPEN, gain, holds, share, spread, verdict


UNEXPLAINED = "Unexplained."


class Missing(Exception):
    """What a figure needs is not there: why, as a sentence."""


class Results:
    """Documents of runs by name; tells which have been read since."""

    def __init__(self, documents):
        self._documents = documents
        self._read = None

    def __getitem__(self, name):
        if name not in self._documents:
            raise Missing(f"'{name}' was not asked for")
        if self._read is not None:
            self._read[name] = None  # in order, once
        document = self._documents[name]
        if document is None:
            raise Missing(f"the run '{name}' did not end well")
        return document

    @contextlib.contextmanager
    def reading(self):
        """The names read inside, in a list that is filled at its end."""
        before, self._read, names = self._read, {}, []
        try:
            yield names
        finally:
            names.extend(self._read)
            self._read = before
            if before is not None:
                before.update(dict.fromkeys(names))


@dataclasses.dataclass
class Claim:
    statement: str  # of the paper
    paper: str      # its figure, as printed there
    measured: str
    verdict: str
    runs: list
    parts: str = ""    # the measured figure by program
    decides: str = ""  # which program does, if one does
    reason: str = ""   # where the verdict is not "reproduced"


@dataclasses.dataclass
class Figure:
    """A picture, the numbers in it, or only one of them."""
    title: str
    text: str = ""
    svg: str = ""
    head: list = None
    rows: list = None  # of text; the first column is a name
    runs: list = dataclasses.field(default_factory=list)


class Evaluation:
    """One paper's. A subclass has a name, a title and the paper's name, plans its runs, and reads claims and figures from them."""

    name = title = paper = ""
    PROGRAMS = ()  # of the paper, for which a program of the user's may stand,
    FORMS = {}     # and the forms of it that are needed (Programs)

    def __init__(self, size, perturb, programs=None):
        self.size, self.perturb = size, perturb
        self.programs = programs or Programs()
        self._left_out = None

    def plan(self):
        """{name: arguments of heddle}; of a run of the user's program (arguments, program, form)"""
        raise NotImplementedError

    def label(self):
        """What runs, as short as a name of a file: the size, or the file with the programs."""
        if self.programs.path is None:
            return self.size
        return self.programs.path.stem + (f"-{self.size}" if self.programs.rest else "")

    def sized(self):
        """The same in words."""
        of_kernels = f"size {self.size}"
        if self.programs.path is None:
            return of_kernels
        return f"programs of {self.programs.path.name}" + (f", kernels of {of_kernels}" if self.programs.rest else "")

    def about(self):
        """Paragraphs: the machine, what was perturbed."""
        return []

    def about_programs(self):
        """A paragraph for each of the user's."""
        return [f"{program.name} is `{program}`: {program.input}." + (f" Launches `{program.launches}` count." if program.launches else "") + f" A run counts by this: {program.judged()}." for program in self.programs]

    def claims(self, results):
        raise NotImplementedError

    def figures(self, results):
        raise NotImplementedError

    def claim(self, results, statement, paper, judge, reason=None, parts=None):
        """judge() returns (verdict, measured). parts() gives the same figure by program; reason() says why the verdict is not "reproduced", by other figures of the same programs."""
        claim = Claim(statement, paper, "-", OPEN, [])
        with results.reading() as claim.runs:
            try:
                claim.verdict, claim.measured = judge()
                claim.parts = parts() if parts else ""
                claim.decides = self._decides(claim, judge)
                if claim.verdict in (NOT, DIRECTION):
                    claim.reason = reason() if reason else UNEXPLAINED
            except Missing as missing:
                claim.reason = str(missing)
        return claim

    def among(self, names):
        """These programs, but for the one that is left out; one alone is what a statement is about."""
        return [name for name in names if name != self._left_out] if len(names) > 1 else list(names)

    def _decides(self, claim, judge):
        """One program does, if without it the verdict was another, and of no other program that is true."""
        others = {}
        try:
            for self._left_out in self.deciders():
                found, measured = judge()
                if found != claim.verdict:
                    others[self._left_out] = found, measured
        finally:  # the next statement is about all of them again
            self._left_out = None
        if len(others) != 1:
            return ""
        (name, (found, measured)), = others.items()
        return f"{name} alone decides: without it {found}" + (f", {measured}" if len(measured) < 60 else "") + "."

    def deciders(self):
        """Programs any of which may decide a statement about several."""
        return []

    @staticmethod
    def effect(ratios, paper, level=False):
        """Of claim(): a ratio, whose direction and size count."""
        return verdict(paper, ratios, level), spread(ratios, share if level else gain)

    @staticmethod
    def bound(conditions, text):
        """Of claim(): true or not."""
        return holds(conditions), text

    @staticmethod
    def figure(results, make):
        """make() returns a Figure without runs, or the figure says what is missing."""
        with results.reading() as runs:
            try:
                figure = make()
            except Missing as missing:
                figure = Figure("A figure that is missing", f"Why: {missing}.")
        figure.runs = runs
        return figure
