#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""heddle compare --report and --timeline; the page in a browser. Environment: HEDDLE, HEDDLE_CC, CHROMIUM (or empty)."""

import html.parser
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

HEDDLE, CHROMIUM = os.environ["HEDDLE"], os.environ["CHROMIUM"]
LESSONS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "lessons"


class Page(html.parser.HTMLParser):
    """Texts of elements by class, scripts with data, and everything that refers to another file."""

    def __init__(self, text):
        super().__init__()
        self.data, self.references, self.results, self.cells, self.stack = [], [], [], 0, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.references += [value for name, value in attributes.items() if name in ("src", "href")]
        self.stack.append((tag, attributes.get("class") or "", attributes.get("type") or ""))
        if tag == "i" and any(name == "now" for _, name, _ in self.stack):
            self.cells += 1
        if tag in ("input", "meta"):
            self.stack.pop()

    def handle_endtag(self, tag):
        if self.stack and self.stack[-1][0] == tag:
            self.stack.pop()

    def handle_data(self, data):
        if self.stack and self.stack[-1][2] == "application/json":
            self.data.append(json.loads(data))
        if self.stack and self.stack[-1][0] == "td" and self.stack[-1][1]:
            self.results.append((self.stack[-1][1], data))


class SideBySide(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        (cls.folder / "in").write_bytes(struct.pack("32i", *range(32)))
        subprocess.run([os.environ["HEDDLE_CC"], LESSONS / "paths.cu", "-o", cls.folder / "paths.elf"], check=True)
        cls.kernel = ("paths.elf", "--kernel", "two_sides", "--block", "32", "--preset", "teach", "--arg", "in:in", "--arg", "zero:128")

    def compare(self, *arguments, status=0):
        done = subprocess.run([HEDDLE, "compare", *arguments], capture_output=True, text=True, check=False, cwd=self.folder, timeout=300)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def page(self, *arguments):
        self.compare(*arguments, "--report", "page.html", "--json", "runs.json")
        return Page((self.folder / "page.html").read_text()), json.loads((self.folder / "runs.json").read_text())["runs"]

    def test_the_page_has_every_issue_of_every_run(self):
        for arguments in ((*self.kernel, "--mechanisms", "spe,dpe,dws,minpc"), ("figure6", "bitonic", "--size", "small", "--mechanisms", "spe,dpe"),
                          ("bitonic", "--size", "small", "--preset", "dwf2007", "--mechanisms", "dwf,mimd")):
            page, runs = self.page(*arguments)
            self.assertEqual(page.references, [])
            self.assertEqual(len(page.data), len(runs))
            for data, run in zip(page.data, runs):
                self.assertEqual(data["lanes"], run["stats"]["lanes"])
                if data["left_out"] == 0:
                    self.assertEqual(sum(bin(int(step[3], 16)).count("1") for step in data["steps"]), run["stats"]["thread_instructions"])
                self.assertEqual([step[0] for step in data["steps"]], sorted(step[0] for step in data["steps"]))
                self.assertLess(max(step[2] for step in data["steps"]), len(data["code"]))

    def test_the_page_has_the_stack_step_by_step(self):
        page, runs = self.page("figure6", "--size", "small", "--mechanisms", "spe,dpe")
        for data, run in zip(page.data, runs):
            self.assertEqual([stack[0] for stack in data["stacks"]], sorted(stack[0] for stack in data["stacks"]))
            entries = [[int(mask, 16) for _, mask, _ in stack[2]] for stack in data["stacks"]]
            for masks in entries:  # all threads of the warp meet in the lowest entry
                self.assertTrue(all(mask & masks[0] == mask for mask in masks))
            self.assertEqual(entries[-1], [])
        spe = page.data[0]["stacks"]
        self.assertEqual(max(len(stack[2]) for stack in spe), runs[0]["stats"]["max_stack_depth"])
        lines = {place for stack in spe for _, _, place in stack[2]}
        self.assertIn("nowhere", lines)
        self.assertTrue(any(re.fullmatch(r"figure6\.cu:\d+", place) for place in lines), lines)

    def test_own_kernels_are_not_compared_and_not_red(self):
        page, _ = self.page(*self.kernel, "--mechanisms", "spe,dpe")
        self.assertEqual(page.results, [("unchecked", "not compared")] * 2)
        page, _ = self.page("figure6", "--size", "small", "--mechanisms", "spe,dpe")
        self.assertEqual(page.results, [("pass", "pass")] * 2)
        self.compare("spin", "--size", "small", "--mechanisms", "spe,dws", "--report", "page.html", status=3)
        page = Page((self.folder / "page.html").read_text())
        self.assertEqual([name for name, _ in page.results], ["error", "pass"])
        run = [HEDDLE, "run", *self.kernel, "--report", "run.html", "--quiet"]
        self.assertEqual(subprocess.run(run, cwd=self.folder, check=False).returncode, 0)
        text = (self.folder / "run.html").read_text()
        self.assertIn("<td class=\"l\">not compared</td>", text)
        self.assertIn("<title>paths on spe</title>", text)

    def test_one_picture_of_all_timelines(self):
        self.compare(*self.kernel, "--mechanisms", "spe,dpe", "--timeline", "page.svg")
        root = xml.etree.ElementTree.parse(self.folder / "page.svg").getroot()
        tops = [(float(picture.get("y")), float(picture.get("height"))) for picture in root]
        self.assertEqual(tops[1][0], tops[0][1])
        self.assertEqual(sum(tops[1]), float(root.get("height")))
        text = "".join(root.itertext())
        for word in ("paths on spe", "paths on dpe"):
            self.assertIn(word, text)

    def test_what_is_refused(self):
        for message, arguments in (("--perturb: not with --report or --timeline", ("--perturb", "2", "--report", "p.html")),
                                   ("a comparison is a picture, .svg", ("--timeline", "p.json")), ("a page ends in .html", ("--report", "p.txt")),
                                   ("writes the same file", ("--report", "p.html", "--json", "p.html")), ("lies before --wave-start", ("--wave-start", "5", "--wave-end", "2"))):
            self.assertIn(message, self.compare("figure6", "--size", "small", *arguments, status=2))
            for left in self.folder.glob("p.*"):
                self.assertEqual(json.loads(left.read_text())["error"]["code"], "option")  # the document that was asked for

    @unittest.skipUnless(CHROMIUM, "chromium is not installed")
    def test_the_slider_in_a_browser(self):
        page, _ = self.page(*self.kernel, "--mechanisms", "spe,dpe")
        text = (self.folder / "page.html").read_text()
        cycles = sorted({step[0] for data in page.data for step in data["steps"] if step[1] == 0})
        browser = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder}/browser"]
        for place in (0, 60, len(cycles) - 1):
            moved = self.folder / "moved.html"
            moved.write_text(text.replace("</body>", f"<script>const r = document.querySelector('input'); r.value = {place}; r.dispatchEvent(new Event('input'));</script></body>"))
            seen = subprocess.run([*browser, "--dump-dom", moved.as_uri()], capture_output=True, text=True, check=True, env=os.environ | {"HOME": str(self.folder)}, timeout=120).stdout
            self.assertIn(f"cycle {cycles[place]}<", seen)
            if place == 60:
                self.assertIn("stack, top first", seen)
            self.assertEqual(Page(seen).cells, 2 * 8)
            cards = re.split(r'<div class="run">', seen)[1:]
            for data, card in zip(page.data, cards):
                issued = [int(step[3], 16) for step in data["steps"] if step[1] == 0 and step[0] == cycles[place]]
                now = card[card.index('class="now"'):card.index('class="places"')]
                self.assertEqual(now.count('class="on"'), bin(issued[0]).count("1") if issued else 0)


if __name__ == "__main__":
    unittest.main()
