#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/random/csmith and csmith_runner are tested themselves: a wrong result is found, and the conditions do depend on the thread."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

RUNNER = os.environ["CSMITH_RUNNER"]
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")
SCRIPT = os.path.join(SCRIPTS, "random", "csmith")

sys.dont_write_bytecode = True
sys.path.insert(0, SCRIPTS)
from load_script import load_script  # noqa: E402

script = load_script(SCRIPT)


def run(elf, expected, seed="1"):
    return subprocess.run([RUNNER, elf, expected, seed], capture_output=True, text=True, check=False)


class Csmith(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name
        cls.elf = os.path.join(cls.folder, "program.elf")
        cls.expected = os.path.join(cls.folder, "expected")
        for seed in range(5000, 5060):
            try:
                script.build(seed, False, cls.folder)
            except script.Unusable:
                continue
            if run(cls.elf, cls.expected).returncode == 0:
                return
        raise RuntimeError("none of 60 seeds gives a usable program")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_one_wrong_word_is_found_in_every_configuration(self):
        with open(self.expected, "rb") as file:
            words = bytearray(file.read())
        words[4 * 13] ^= 1
        wrong = os.path.join(self.folder, "wrong")
        with open(wrong, "wb") as file:
            file.write(words)
        ran = run(self.elf, wrong)
        self.assertEqual(ran.returncode, 1, ran.stdout)
        for words in ("functional device", "mechanism=spe", "mechanism=dpe", "core.lanes=4", "core.lanes=64", "frontend.resolve=execute",
                      "selector.policy=gto", "selector.kind=constrained", "scoreboard.kind=optimistic", "stack.order=larger_first"):
            self.assertIn(words, ran.stdout)
        self.assertRegex(ran.stdout, r"thread 13 has 0x[0-9a-f]{8}, expected 0x[0-9a-f]{8}")

    def test_brief_runs_every_mechanism_and_option_once(self):
        ran = script.run_brief(self.folder, 1, argparse.Namespace(runner=RUNNER))
        self.assertEqual([each.returncode for each in ran], [0] * len(script.FORMS), ran)
        self.assertEqual([int(each.stdout.split()[0]) for each in ran], [8, 1, 1, 2])
        with tempfile.TemporaryDirectory() as folder:
            for form in script.FORMS:
                shutil.copy(os.path.join(self.folder, f"program{form}.elf"), folder)
            with open(self.expected, "rb") as right, open(os.path.join(folder, "expected"), "wb") as wrong:
                wrong.write(bytes(byte ^ 1 for byte in right.read()))
            ran = script.run_brief(folder, 1, argparse.Namespace(runner=RUNNER))
        self.assertEqual([each.returncode for each in ran], [1] * len(script.FORMS), ran)
        said = "".join(each.stdout for each in ran)
        for words in ("mechanism=spe", "mechanism=dws", "mechanism=dwf", "mechanism=forkjoin", "stack.kind=compact", "dpe.path_forwarding=true", "dpe.memory_split=true",
                      "dpe.stack=software", "scoreboard.kind=bitmap"):
            self.assertIn(words, said)

    def test_threads_have_different_results(self):
        with open(self.expected, "rb") as file:
            content = file.read()
        self.assertEqual(len(content), 4 * script.THREADS)
        self.assertGreater(len({content[i:i + 4] for i in range(0, len(content), 4)}), 1)

    def test_every_condition_of_an_if_depends_on_the_thread(self):
        with open(os.path.join(self.folder, "program.cpp"), encoding="ascii") as file:
            program = file.read()
        functions = program[program.index("/* --- FUNCTIONS --- */"):program.index("uint32_t run(uint32_t thread)")]
        conditions = re.findall(r"^\s*if \(.*$", functions, flags=re.M)
        self.assertGreater(len(conditions), 0)
        for condition in conditions:
            self.assertRegex(condition, r"\? 1u : 0u\) \^ \(choice\[\d\] >> \d+ & 1u\)\)$")

    def test_a_uniform_program_is_passed_over(self):
        source = os.path.join(self.folder, "uniform.cpp")
        with open(source, "w", encoding="ascii") as file:
            file.write('#include <heddle/kernel.h>\nextern "C" __global__ void run(unsigned* out) { out[heddle_thread_id()] = 7; }\n')
        elf = os.path.join(self.folder, "uniform.elf")
        for form, flags in script.FORMS.items():
            subprocess.run([script.HEDDLE_CC, *flags, source, "-o", os.path.join(self.folder, f"uniform{form}.elf")], check=True)
        expected = os.path.join(self.folder, "sevens")
        with open(expected, "wb") as file:
            file.write((7).to_bytes(4, "little") * script.THREADS)
        ran = run(elf, expected)
        self.assertEqual(ran.returncode, 4, ran.stdout)
        self.assertIn("same path", ran.stdout)

    def test_bad_usage_is_an_error(self):
        self.assertEqual(run(self.elf, os.path.join(self.folder, "missing")).returncode, 2)
        self.assertEqual(subprocess.run([RUNNER], capture_output=True, check=False).returncode, 2)
        self.assertEqual(run(os.path.join(self.folder, "missing.elf"), self.expected).returncode, 1)


if __name__ == "__main__":
    unittest.main()
