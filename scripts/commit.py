# SPDX-License-Identifier: Apache-2.0
"""The commit that figures are made at, and whether what they depend on has changed since."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]


def _git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def commit():
    """Short, with a + behind it if the tree differs from it; `unknown` without a repository."""
    done = _git("describe", "--always", "--exclude", "*", "--dirty=+")
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def changed_since(made_at, *folders):
    """Whether something there differs from what it was at that commit; also if that is no commit of this repository."""
    return not made_at or made_at.endswith("+") or _git("diff", "--quiet", made_at, "--", *folders).returncode != 0
