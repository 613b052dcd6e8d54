# SPDX-License-Identifier: Apache-2.0
"""One HTML page of an evaluation, that needs nothing beside itself."""

import html
import shlex

from jobs import with_document
from verdict import DIRECTION, NOT, OPEN, REPRODUCED

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1d1d1f; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .4rem; } .key { color: #555; }
table { border-collapse: collapse; margin: .6rem 0; font-size: .87rem; }
th, td { text-align: right; padding: .22rem .7rem; border-bottom: 1px solid #e5e5e5; vertical-align: top; }
th { color: #555; font-weight: 600; } td:nth-child(2) { white-space: nowrap; } th:first-child, td:first-child, td.l, th.l { text-align: left; }
.verdict { white-space: nowrap; border-radius: .6rem; padding: .05rem .55rem; color: #fff; }
.reproduced { background: #1a7f37; } .direction { background: #9a6700; } .not { background: #b42318; } .open { background: #6e6e73; }
details { margin: .3rem 0; } summary { cursor: pointer; color: #0060c0; font-size: .87rem; }
code { font: .8rem ui-monospace, monospace; overflow-wrap: anywhere; } svg { max-width: 100%; height: auto; } tr:target { background: #fff3c4; }
.runs a { margin-right: .4rem; } a { color: #0060c0; }
"""
CLASSES = {REPRODUCED: "reproduced", DIRECTION: "direction", NOT: "not", OPEN: "open"}


def _escape(text):
    return html.escape(str(text), quote=False)


def _paragraph(text):
    """`code` is marked as in Markdown."""
    parts = _escape(text).split("`")
    return "<p>" + "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts)) + "</p>\n"


def counts(claims):
    return {name: sum(claim.verdict == name for claim in claims) for name in CLASSES}


class Page:
    def __init__(self, evaluation, jobs, version):
        """jobs: {name: job with "key" and "arguments"}, in order."""
        self._evaluation, self._jobs, self._version = evaluation, jobs, version
        self._number = {name: number for number, name in enumerate(jobs, 1)}

    def text(self, claims, figures, results):
        """The page; `results` gives the document of a run by its name, or None."""
        evaluation = self._evaluation
        found = ", ".join(f"{number} {name}" for name, number in counts(claims).items() if number)
        out = [f"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{_escape(evaluation.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
               f"<h1>{_escape(evaluation.title)}</h1>\n<p class=\"key\">{_escape(evaluation.paper)}. {_escape(self._version)}, {_escape(evaluation.sized())}, {len(self._jobs)} runs.</p>\n"]
        out += [_paragraph(text) for text in evaluation.about()]
        out.append(f"<h2 id=\"claims\">The paper's statements</h2>\n<p>{len(claims)} statements, {_escape(evaluation.sized())}: {found}.</p>\n")
        out.append("<table>\n<tr><th>statement</th><th>paper</th><th>here</th><th class=\"l\">verdict</th></tr>\n")
        for claim in claims:
            reason = "".join(f"<div class=\"key\">{_escape(text)}</div>" for text in (claim.parts, claim.decides, claim.reason) if text)
            out.append(f"<tr><td>{_escape(claim.statement)}{reason}{self._runs(claim.runs)}</td><td>{_escape(claim.paper)}</td><td>{_escape(claim.measured)}</td>"
                       f"<td class=\"l\"><span class=\"verdict {CLASSES[claim.verdict]}\">{claim.verdict}</span><div class=\"key\">{_escape(evaluation.sized())}</div></td></tr>\n")
        out.append("</table>\n")
        for figure in figures:
            out.append(f"<h2>{_escape(figure.title)}</h2>\n")
            out.append(_paragraph(figure.text) if figure.text else "")
            out.append(figure.svg)
            if figure.rows:
                table = self._table(figure.head, figure.rows)
                out.append(f"<details><summary>the numbers</summary>\n{table}</details>\n" if figure.svg else table)
            out.append(self._runs(figure.runs))
        return "".join(out) + self._run_table(results) + "</body>\n</html>\n"

    @staticmethod
    def _table(head, rows):
        return ("<table>\n<tr>" + "".join(f"<th>{_escape(cell)}</th>" for cell in head) + "</tr>\n" +
                "".join("<tr>" + "".join(f"<td>{_escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows) + "</table>\n")

    def _runs(self, names):
        if not names:
            return ""
        links = " ".join(f"<a href=\"#run{self._number[name]}\">{self._number[name]}</a>" for name in names)
        return f"<details class=\"runs\"><summary>from {len(names)} run{'s' if len(names) > 1 else ''}</summary>{links}</details>\n"

    def _run_table(self, results):
        out = ["<h2 id=\"runs\">The runs</h2>\n<p>Every number above is computed from these. The command gives the document again, which is kept under the name at its left in <code>results/</code>.</p>\n"
               "<table>\n<tr><th>run</th><th class=\"l\">kept as</th><th class=\"l\">command</th><th>cycles</th><th>warp instructions</th></tr>\n"]
        for name, one in self._jobs.items():
            stats = (results(name) or {}).get("stats", {})
            cells = "".join(f"<td>{stats[key]:,}</td>" if key in stats else "<td>-</td>" for key in ("cycles", "warp_instructions"))
            command = shlex.join(["heddle", *with_document(one["arguments"], "-")])
            out.append(f"<tr id=\"run{self._number[name]}\"><td>{self._number[name]}</td><td class=\"l\"><code>{one['key']}.json</code></td><td class=\"l\"><code>{_escape(command)}</code></td>{cells}</tr>\n")
        return "".join(out) + "</table>\n"
