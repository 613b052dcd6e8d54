#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/release/figures on files of its own, and what tables are made of."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "release" / "figures"

sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
from load_script import load_script  # noqa: E402

PAGE = """# A page

<!-- figures: echo 1; echo 2 -->
```
old
```
Text.

<!-- figures: sed 's/7/8/' -->
| name | figure |
|---|---|
| a | 7 |

<!-- figures, slow: echo slow -->
```text
never
```

```
<!-- no comment in front -->
```
"""


class Blocks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = pathlib.Path(folder.name) / "page.md"

    def run_on(self, text, *options):
        self.page.write_text(text, encoding="utf-8")
        done = subprocess.run([SCRIPT, *options, self.page], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr, self.page.read_text(encoding="utf-8")

    AT = load_script(ROOT / "scripts" / "commit.py").commit()
    RENEWED = PAGE.replace("old", "1\n2").replace("7 |", "8 |").replace("figures:", f"figures at {AT}:")

    def test_blocks_are_what_their_commands_print(self):
        status, out, _, text = self.run_on(PAGE)
        self.assertEqual((status, text), (0, self.RENEWED))
        self.assertIn("2 blocks, 2 renewed, 1 slow ones left out", out)
        status, out, _, text = self.run_on(self.RENEWED)
        self.assertEqual((status, text), (0, self.RENEWED))
        self.assertIn("2 blocks, 0 renewed", out)

    def test_a_page_that_is_edited_meanwhile(self):
        text = "# A page\n<!-- figures: sed -i '1i Above' {0}; echo 1 -->\n```\nold\n```\n".replace("{0}", str(self.page))
        status, _, _, after = self.run_on(text)
        self.assertEqual((status, after), (0, "Above\n" + text.replace("old", "1").replace("figures:", f"figures at {self.AT}:")))

    def test_slow_ones_when_asked_for(self):
        status, _, _, text = self.run_on(PAGE, "--slow")
        self.assertEqual((status, text), (0, self.RENEWED.replace("never", "slow").replace("figures,", f"figures at {self.AT},")))

    def test_a_check_writes_nothing(self):
        status, out, _, text = self.run_on(PAGE, "--check")
        self.assertEqual((status, text), (0, PAGE))
        for line in (f"{self.page}:3: old: echo 1; echo 2", "-old", "+1", f"{self.page}:9: old: sed 's/7/8/'", "-| a | 7 |", "+| a | 8 |",
                     f"{self.page}:14: of an earlier simulator: echo slow", "2 blocks, 2 old"):
            self.assertIn(line, out)
        status, out, _, text = self.run_on(self.RENEWED, "--check")
        self.assertEqual((status, text), (0, self.RENEWED))
        self.assertIn("2 blocks, 0 old", out)

    def test_slow_ones_of_another_simulator_are_named_with_their_commit(self):
        first = subprocess.run(["git", "rev-list", "--max-parents=0", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False).stdout[:12]
        if not first:
            self.skipTest("no repository")
        for at, old in ((first, True), ("0123456", True), (self.AT.rstrip("+"), self.simulator_differs())):
            out = self.run_on(PAGE.replace("figures,", f"figures at {at},"), "--check")[1]
            self.assertEqual(f"{self.page}:14: of an earlier simulator, commit {at}: echo slow" in out, old, at)

    def simulator_differs(self):
        return subprocess.run(["git", "diff", "--quiet", "HEAD", "--", "include", "sim", "systemc", "tb"], cwd=ROOT, check=False).returncode != 0

    def test_a_command_that_fails_leaves_the_page(self):
        status, _, errors, text = self.run_on(PAGE.replace("echo 1;", "false;"))
        self.assertEqual((status, text), (2, PAGE.replace("echo 1;", "false;")))
        self.assertEqual(errors, f"scripts/release/figures: {self.page}:3: false; echo 2: status 1: no message\n")

    def test_a_comment_without_a_block(self):
        for text in ("<!-- figures: echo 1 -->\n\n```\nold\n```\n", "<!-- figures: echo 1 -->\n```\nold\n", "<!-- figures: echo 1 -->"):
            status, _, errors, after = self.run_on(text)
            self.assertEqual((status, after), (2, text))
            self.assertEqual(errors, f"scripts/release/figures: {self.page}:1: no fenced block and no table behind the comment\n")

    def test_commands_find_the_tools_and_the_tree(self):
        status, _, _, text = self.run_on("<!-- figures: command -v figures; test -f README.md -->\n```\n```\n")
        self.assertEqual(status, 0)
        self.assertIn(os.path.realpath(SCRIPT), text)


class Tables(unittest.TestCase):
    tables = load_script(os.path.join(ROOT, "scripts", "release", "figure_tables"))

    def test_counts(self):
        for n, text in ((42, "42"), (499, "499"), (843, "0.8 k"), (4499, "4.5 k"), (9960, "10 k"), (11_402, "11 k"), (99_800, "100 k"), (261_000, "0.26 M"), (997_000, "1.0 M"), (7_130_000, "7.1 M"), (13_200_000, "13 M")):
            self.assertEqual(self.tables.count(n), text)

    def test_words_stay_while_they_are_right(self):
        self.assertEqual(self.tables.in_words("none", "none: no branch with two sides"), "none: no branch with two sides")
        self.assertEqual(self.tables.in_words("loss", "loss, of 0.01 %"), "loss, of 0.01 %")
        self.assertEqual(self.tables.in_words("latency hiding", "none: no branch with two sides"), "latency hiding")

    def test_a_table_of_runs(self):
        table = "| workload | `spe` over `dpe` | `dws` | spe | dws | 5 | 10 |\n|---|---|---|---|---|---|---|\n| figure6 | | | | | | |\n"
        done = subprocess.run([ROOT / "scripts" / "release" / "figure_tables", "subdivision"], input=table, capture_output=True, text=True, check=True)
        heading, rule, row = done.stdout.splitlines()
        self.assertEqual([heading, rule], table.splitlines()[:2])
        cycles = {m: self.tables.cycles("figure6", m, "small") for m in ("spe", "dpe", "dws")}
        self.assertEqual([cell.strip() for cell in row.split("|")[1:4]], ["figure6", f"{cycles['spe'] / cycles['dpe']:.3f}", f"{cycles['spe'] / cycles['dws']:.3f}"])


if __name__ == "__main__":
    unittest.main()
