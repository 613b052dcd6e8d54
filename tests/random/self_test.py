#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/random/random_programs and its generator are tested themselves: mistakes in programs, results and meetings are found."""

import io
import os
import sys
import tempfile
import types
import unittest
from contextlib import redirect_stdout

RUNNER = os.environ["CSMITH_RUNNER"]
SLICE = [int(seed) for seed in os.environ["RANDOM_SEEDS"].split()]
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")

sys.dont_write_bytecode = True
sys.path.insert(0, SCRIPTS)
from load_script import load_script  # noqa: E402

script = load_script(os.path.join(SCRIPTS, "random", "random_programs"))
generate = script.generator.generate
SEED = SLICE[0]


def options(keep=None):
    return types.SimpleNamespace(runner=RUNNER, mechanisms="naive,mimd", keep=keep, flags="", rv64=False)


class RandomPrograms(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name

    def run_changed(self, change, seed=SEED):
        """The result of a seed whose program `change` has altered."""
        def changed(number):
            program = generate(number)
            source = program.source
            change(program)
            self.assertNotEqual(program.source, source)
            return program

        script.generator.generate = changed
        try:
            return script.run_seed(seed, options())
        finally:
            script.generator.generate = generate

    def replace(self, old, new):
        return lambda program: setattr(program, "source", program.source.replace(old, new))

    def test_a_seed_gives_the_same_program_every_time(self):
        self.assertEqual(generate(SEED).source, generate(SEED).source)
        self.assertNotEqual(generate(SEED).source, generate(SEED + 1).source)

    def test_the_seeds_of_ctest_have_every_feature(self):
        met = set().union(*(generate(seed).features for seed in SLICE))
        self.assertEqual(set(script.generator.FEATURES) - met, set())

    def test_a_good_program_passes_and_threads_differ(self):
        result = script.run_seed(SEED, options(keep=self.folder))
        self.assertTrue(result.passed, result.line())
        self.assertRegex(result.line(), r"\d+ runs, \d+ divergent branches")
        self.assertGreater(result.counts["divergent"], 0)
        program = generate(SEED)
        with open(os.path.join(self.folder, str(SEED), "expected"), "rb") as file:
            content = file.read()
        self.assertEqual(len(content), 4 * program.blocks * program.threads)
        self.assertGreater(len({content[i:i + 4] for i in range(0, len(content), 4)}), program.threads // 2)

    def test_one_wrong_thread_is_found_by_every_run_and_named(self):
        result = self.run_changed(self.replace("  result[t->id] = mix(t->hash, a ^ b ^ c);",
                                               "#ifdef HOST\n  if (t->id == 13u) a += 1u;\n#endif\n  result[t->id] = mix(t->hash, a ^ b ^ c);"))
        self.assertFalse(result.passed)
        self.assertEqual({mechanism for mechanism, _, _ in result.failures}, {"", "naive", "mimd"})  # "": the functional device
        self.assertEqual({code for _, code, _ in result.failures}, {"result"})
        self.assertIn("naive wrong in", result.line())
        self.assertRegex(result.line(), rf"thread 13 has 0x[0-9a-f]{{8}}, expected .*--exactly {SEED} ")

    def test_a_missed_barrier_gives_a_wrong_result(self):
        result = self.run_changed(self.replace("    __syncthreads(); ", "    if (blockDim.y == 0u) __syncthreads(); "))
        self.assertFalse(result.passed)
        self.assertIn("result", {code for mechanism, code, _ in result.failures if mechanism == "mimd"})

    def test_meetings_at_different_places_are_a_mistake_of_the_generator(self):
        def split(program):
            place = program.source.rindex("  EXCHANGE(")
            program.source = program.source[:place] + "  if (t->id & 1u) EXCHANGE(1u);\n  else\n" + program.source[place:]

        result = self.run_changed(split)
        self.assertRegex(result.line(), r"the host program fails: thread \d+ of block 0 waits at line \d+, others at line \d+")

    def test_undefined_behaviour_is_a_mistake_of_the_generator(self):
        result = self.run_changed(self.replace("  result[t->id] = mix(", "  result[t->id] = (1u << (t->id + 32u)) + mix("))
        self.assertRegex(result.line(), r"the host program fails: .*shift exponent 32 is too large")

    def test_what_does_not_compile_and_what_does_not_end_are_failures(self):
        self.assertIn("the host's compiler refuses it", self.run_changed(self.replace("unsigned", "unsined")).line())
        self.assertIn("heddle-cc refuses it", self.run_changed(self.replace("#include <heddle/kernel.h>", "#error no")).line())
        script.HOST_SECONDS, kept = 1, script.HOST_SECONDS
        self.addCleanup(setattr, script, "HOST_SECONDS", kept)
        result = self.run_changed(self.replace("  result[t->id] = mix(", "  while (t->fuel < 99u) __asm__ volatile(\"\");\n  result[t->id] = mix("))
        self.assertIn("takes too long: host", result.line())

    def test_statistics_name_features_failures_and_where_branches_meet(self):
        good = script.run_seed(SEED, options())
        bad = script.Result(generate(SEED))
        script.read_output("systemc core.lanes=4 mechanism=spe: barrier: in divergent code\n"
                           "cosim mechanism=dpe: mismatch: at cycle 3\n", bad)
        text = io.StringIO()
        with redirect_stdout(text):
            script.print_statistics([good, bad])
        self.assertRegex(text.getvalue(), r"branches executed +\d+, \d+\.\d % of them divergent")
        self.assertRegex(text.getvalue(), r"spe +1 refused, 0 wrong\n +dpe +0 refused, 1 wrong")
        for feature in good.program.features:
            self.assertRegex(text.getvalue(), rf"  {feature} +2 \(1\)")


if __name__ == "__main__":
    unittest.main()
