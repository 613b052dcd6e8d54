#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/hardware/coverage itself: lines and bits that no test reaches are named and fail, and so do a failing test and a module without
one; mistakes of the caller are one line with status 2.

A tree of its own holds the script and the arbiter, with a line that is reached only when everyone requests. The test of this tree
drives the requests 1 .. REQUESTS.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EVERYONE = 7  # three requests
PLANTED = "    if (req_i == '1) crowded_q <= 1'b1;"
TEST = r"""
#include <verilated.h>
#include <verilated_cov.h>
#include <cstdlib>
#include <string>
#include "Vrr_arbiter.h"
int main() {
  VerilatedContext context;
  Vrr_arbiter top(&context);
  for (int reset = 1; reset >= 0; --reset) {
    for (int enable = 0; enable < 2; ++enable) {
      for (int requests = 0; requests <= std::atoi(std::getenv("REQUESTS")); ++requests) {
        top.rst_ni = !reset;
        top.enable_i = enable;
        top.req_i = requests;
        top.clk_i = 0;
        top.eval();
        top.clk_i = 1;
        top.eval();
      }
    }
  }
  context.coveragep()->write((std::string(std::getenv("HEDDLE_COVERAGE_FOLDER")) + "/0.dat").c_str());
  return std::getenv("FAIL") != nullptr;
}
"""
# A build of this tree elaborates the arbiter; the program is there already.
CMAKE = """cmake_minimum_required(VERSION 3.25)
project(tree NONE)
add_custom_target(rr_arbiter_test COMMAND verilator --lint-only -Wno-fatal ${CMAKE_SOURCE_DIR}/rtl/common/heddle_pkg.sv ${CMAKE_SOURCE_DIR}/rtl/common/rr_arbiter.sv)
"""
PRESETS = '{"version": 3, "configurePresets": [{"name": "coverage", "binaryDir": "${sourceDir}/build-coverage"}]}'


class Coverage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        for part in ("scripts/hardware", "rtl/common", "tests/common", "build-coverage/bin"):
            (cls.root / part).mkdir(parents=True)
        shutil.copy(ROOT / "scripts" / "hardware" / "coverage", cls.root / "scripts" / "hardware")
        shutil.copy(ROOT / "rtl" / "common" / "heddle_pkg.sv", cls.root / "rtl" / "common")
        cls.arbiter = cls.root / "rtl" / "common" / "rr_arbiter.sv"
        lines = (ROOT / "rtl" / "common" / "rr_arbiter.sv").read_text().splitlines()
        lines[lines.index("endmodule"):] = ["  logic crowded_q;", "  always_ff @(posedge clk_i) begin", PLANTED, "  end", "endmodule", ""]
        cls.arbiter.write_text("\n".join(lines))
        cls.planted_at = f"rtl/common/rr_arbiter.sv:{lines.index(PLANTED) + 1}: if: {PLANTED.strip()}"
        (cls.root / "tests" / "common" / "CMakeLists.txt").write_text("heddle_module_test(rr_arbiter_test SOURCES rr_arbiter_test.cpp MODELS three)\n")
        (cls.root / "CMakeLists.txt").write_text(CMAKE)
        (cls.root / "CMakePresets.json").write_text(PRESETS)
        (cls.root / "test.cpp").write_text(TEST)
        subprocess.run(["verilator", "--cc", "--exe", "--build", "--coverage-line", "--coverage-toggle", "-Wno-fatal", "-GNumReq=3",
                        "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0", "--Mdir", cls.root / "model", "--top-module", "rr_arbiter",
                        "-o", cls.root / "build-coverage" / "bin" / "rr_arbiter_test",
                        cls.root / "rtl" / "common" / "heddle_pkg.sv", cls.arbiter, cls.root / "test.cpp"],
                       check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, OBJCACHE=shutil.which("ccache") or ""))

    def coverage(self, *arguments, requests=EVERYONE, **environment):
        done = subprocess.run([sys.executable, self.root / "scripts" / "hardware" / "coverage", *arguments], capture_output=True, text=True,
                              env=dict(os.environ, REQUESTS=str(requests), **environment))
        return done.returncode, done.stdout, done.stderr

    def test_what_is_reached_is_green(self):
        status, out, errors = self.coverage("--keep-build", "--holes")
        self.assertEqual((status, errors), (0, ""), out)
        self.assertRegex(out, r"\ncommon/rr_arbiter +9/9 +100\.0 % +\d+/\d+ ")
        self.assertRegex(out, r"\nall +9/9 +100\.0 % ")
        self.assertNotIn("rtl/common", out)

    def test_a_line_that_is_not_reached_is_named_and_fails(self):
        status, out, errors = self.coverage("--keep-build", "--holes", requests=EVERYONE - 1)
        self.assertEqual((status, errors), (1, ""), out)
        self.assertRegex(out, r"\ncommon/rr_arbiter +8/9 +88\.9 % ")
        self.assertIn(f"\n  {self.planted_at}\n", out)
        self.assertIn("\n  crowded_q: 1 bits do not toggle: \n", out)
        self.assertEqual(self.coverage("--keep-build", "--least", "88", requests=EVERYONE - 1)[0], 0)
        self.assertEqual(self.coverage("--keep-build", "--least", "89", requests=EVERYONE - 1)[0], 1)

    def test_a_bit_that_does_not_toggle_is_named(self):
        status, out, _ = self.coverage("--keep-build", "--holes", "--least", "0", requests=3)
        self.assertEqual(status, 0)
        self.assertIn("\n  req_i: 1 bits do not toggle: 2\n", out)

    def test_a_test_that_fails_is_no_coverage(self):
        status, out, _ = self.coverage("--keep-build", FAIL="1")
        self.assertEqual(status, 1)
        self.assertIn("rr_arbiter_test failed: ", out)

    def test_a_module_that_no_test_simulates_fails(self):
        other = self.root / "rtl" / "common" / "other.sv"
        self.addCleanup(other.unlink)
        other.write_text("module other (input logic a_i);\nendmodule\n")
        status, out, _ = self.coverage("--keep-build")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"\ncommon/other +no test simulates it\n")
        self.assertEqual(self.coverage("--keep-build", "rr_arbiter_test")[0], 0)   # but not when only some tests are asked for

    def refused(self, expected, *arguments, **environment):
        status, out, errors = self.coverage(*arguments, **environment)
        self.assertEqual((status, out), (2, ""), errors)
        self.assertRegex(errors, rf"^coverage: {expected}[^\n]*\n$")

    def test_wrong_use(self):
        self.refused("gone_test is no module test: rr_arbiter_test", "gone_test")
        self.refused("unrecognized arguments: --hole5; see scripts/hardware/coverage --help", "--hole5")
        self.refused("argument --least: invalid percent value: '101'", "--least", "101")
        self.refused("argument --least: invalid percent value: 'most'", "--least", "most")

    def test_what_is_missing(self):
        self.refused("verilator was not found: apt-get install verilator", PATH="nowhere")
        only_verilator = self.root / "bin"
        only_verilator.mkdir()
        (only_verilator / "verilator").symlink_to(shutil.which("verilator"))
        self.refused("cmake was not found: apt-get install cmake", PATH=str(only_verilator))
        program, hidden = self.root / "build-coverage" / "bin" / "rr_arbiter_test", self.root / "hidden"
        program.rename(hidden)
        self.addCleanup(hidden.rename, program)
        self.refused(r"\S+/build-coverage/bin/rr_arbiter_test is not there: leave --keep-build out", "--keep-build")

    def test_a_build_that_breaks(self):
        status, out, errors = self.coverage()
        self.assertEqual((status, errors), (0, ""), out)
        sound = self.arbiter.read_text()
        self.addCleanup(self.arbiter.write_text, sound)
        self.arbiter.write_text(sound.replace("endmodule", "endmodul"))
        self.refused(r"cmake --build \S+ failed: %Error: \S+/rr_arbiter\.sv:\d+:\d+: syntax error", "rr_arbiter_test")
        lists = self.root / "CMakeLists.txt"
        self.addCleanup(lists.write_text, CMAKE)
        lists.write_text("project(\n")
        self.refused(r"cmake --preset coverage failed: CMake Error", "rr_arbiter_test")


if __name__ == "__main__":
    unittest.main()
