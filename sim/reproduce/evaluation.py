# SPDX-License-Identifier: Apache-2.0
"""What an evaluation is made of: runs by name, claims of a paper with a verdict each, and figures, each of which knows its runs."""

import contextlib
import dataclasses

from verdict import DIRECTION, NOT, OPEN, gain, holds, share, spread, verdict


class Missing(Exception):
    """A run that a figure needs did not end well."""


class Results:
    """Documents of runs by name; tells which have been read since."""

    def __init__(self, documents):
        self._documents = documents
        self._read = None

    def __getitem__(self, name):
        if self._read is not None:
            self._read[name] = None  # in order, once
        document = self._documents[name]
        if document is None:
            raise Missing(name)
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
    reason: str     # where the verdict is not "reproduced"
    runs: list


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

    def __init__(self, size, perturb):
        self.size, self.perturb = size, perturb

    def plan(self):
        """{name: arguments of heddle}"""
        raise NotImplementedError

    def about(self):
        """Paragraphs: the machine, what was perturbed."""
        return []

    def claims(self, results):
        raise NotImplementedError

    def figures(self, results):
        raise NotImplementedError

    @staticmethod
    def claim(results, statement, paper, judge, reason=None):
        """judge() returns (verdict, measured); reason() says why the verdict is not "reproduced"."""
        why = ""
        with results.reading() as runs:
            try:
                found, measured = judge()
                if reason is not None and found in (NOT, DIRECTION):
                    why = reason()
            except Missing as missing:
                found, measured, why = OPEN, "-", f"the run '{missing}' did not end well"
        return Claim(statement, paper, measured, found, why, runs)

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
                figure = Figure("A figure that is missing", f"The run '{missing}' did not end well.")
        figure.runs = runs
        return figure
