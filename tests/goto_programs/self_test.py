#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/random/goto_programs and its generator are tested themselves: programs are what they promise, and a wrong one is found and named."""

import io
import os
import subprocess
import sys
import tempfile
import types
import unittest
from contextlib import redirect_stdout

RUNNER, HEDDLE = os.environ["CSMITH_RUNNER"], os.environ["HEDDLE"]
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")

sys.dont_write_bytecode = True
sys.path.insert(0, SCRIPTS)
from load_script import load_script  # noqa: E402

script = load_script(os.path.join(SCRIPTS, "random", "goto_programs"))
generate = script.generator.generate
SEED = 1


def options(forms=("plain",), keep=None):
    return types.SimpleNamespace(runner=RUNNER, heddle=HEDDLE, forms=[form for form in script.FORMS if form[0] in forms], keep=keep, flags="", rv64=False, jobs=1)


class GotoPrograms(unittest.TestCase):
    def run_changed(self, old, new, forms=("plain",)):
        """The result of the seed whose program has `new` for `old`."""
        def changed(number):
            program = generate(number)
            self.assertIn(old, program.source)
            program.source = program.source.replace(old, new)
            return program

        script.generator.generate = changed
        try:
            return script.run_seed(SEED, options(forms))
        finally:
            script.generator.generate = generate

    def test_a_seed_gives_one_program(self):
        self.assertEqual(generate(3).source, generate(3).source)
        self.assertNotEqual(generate(3).source, generate(4).source)
        printed = subprocess.run([sys.executable, os.path.join(script.TESTS, "generate.py"), "3"], capture_output=True, text=True, check=True)
        self.assertEqual(printed.stdout, generate(3).source)

    def test_every_feature_comes_up(self):
        seen = set().union(*(generate(seed).features for seed in range(1, 41)))
        self.assertEqual(seen, set(script.generator.FEATURES))

    def test_threads_differ_and_programs_end(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(100, 106):
                source, host = os.path.join(folder, "program.c"), os.path.join(folder, "host")
                with open(source, "w", encoding="ascii") as file:
                    file.write(generate(seed).source)
                subprocess.run(script.HOST_CC + [source, "-o", host], check=True)
                words = subprocess.run([host], capture_output=True, timeout=5, check=True).stdout
                self.assertEqual(len(words), 4 * script.generator.THREADS)
                self.assertGreater(len({words[i:i + 4] for i in range(0, len(words), 4)}), script.generator.THREADS // 2)

    def test_every_form_runs_and_is_counted(self):
        result = script.run_seed(SEED, options([name for name, _, _ in script.FORMS]))
        self.assertTrue(result.passed, result.line())
        self.assertEqual(set(result.runs), {name for name, _, _ in script.FORMS})
        self.assertEqual(set(result.totals), set(result.runs))
        self.assertEqual(result.runs["plain"], 8, "spe, dpe, dws, dwf, and four options of spe, dpe and scoreboards")
        self.assertGreater(result.totals["plain"]["unstructured_edges"], 0)
        text = io.StringIO()
        with redirect_stdout(text):
            script.print_statistics([result], options())
        self.assertIn("form plain: 1 of 1 programs have unstructured edges, ", text.getvalue())

    def test_a_wrong_result_is_a_failure_of_every_form(self):
        result = self.run_changed("  result[id] = run_thread(id);\n}", "  result[id] = run_thread(id) + (id == 63u);\n}", ("plain", "fork-join"))
        self.assertEqual([form for form, _ in result.failures], ["plain", "fork-join"])
        self.assertIn("thread 63 has", result.line())
        self.assertIn(f"reproduce with scripts/random/goto_programs --exactly {SEED} ", result.line())

    def test_undefined_behaviour_is_a_failure(self):
        result = self.run_changed("  return hash;", "  return hash + (1 << id);")
        self.assertIn("the host program fails: ", result.line())

    def test_an_endless_thread_is_a_failure(self):
        seconds, script.HOST_SECONDS = script.HOST_SECONDS, 1
        try:
            result = self.run_changed("  return hash;", "  for (volatile unsigned x = 0u; x == 0u;) {}\n  return hash;")
        finally:
            script.HOST_SECONDS = seconds
        self.assertIn("takes too long", result.line())

    def test_a_flag_that_heddle_cc_does_not_know_is_a_failure(self):
        forms, script.FORMS = script.FORMS, (("odd", ("--no-such-pass",), "plain"),)
        try:
            result = script.run_seed(SEED, options(["odd"]))
        finally:
            script.FORMS = forms
        self.assertIn("odd: heddle-cc refuses it", result.line())

    def test_a_form_that_nothing_runs_is_a_failure(self):
        forms, script.FORMS = script.FORMS, (("odd", (), "nonesuch"),)
        try:
            result = script.run_seed(SEED, options(["odd"]))
        finally:
            script.FORMS = forms
        self.assertIn("no mechanism runs that form", result.line())


if __name__ == "__main__":
    unittest.main()
