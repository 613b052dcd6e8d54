#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Faults by construct: a place has what it should, whatever the layout, and a fault whose place or words are gone is refused."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "scripts")]
from construct import Source  # noqa: E402
from load_script import load_script  # noqa: E402
from run_fault import Failure, apply, read_fault  # noqa: E402

RTL = """module m (input logic clk_i, input logic push_i, output logic full_o);
  logic [3:0] count_q, free;  // count_q <= count_q
  assign free = {2'b0, count_q[1:0]} & 4'd7;
  fifo #(.Depth(4)) u_fifo (.push_i (push_i && !full_o), .pop_i (1'b0));
  always_ff @(posedge clk_i) begin : counts
    if (push_i
        && !full_o) begin
      if (free[0]) count_q <= count_q + 4'd1;
      else count_q <= '0;
    end
  end
  generate
    for (genvar i = 0; i < 2; i++) begin : gen_bit
      if (i > 0) assert (count_q != 4'd9);  // @bound
    end
  endgenerate
  assign full_o = count_q == 4'd8;
endmodule
"""
TWIN = """struct M {
  void step() {
    const auto count = state_.count[0] + 1;
    if (push_i.read() != 0) {
      if (count < kMost) state_.count[0] = count;
    }
    full_o.write(count == kMost);
  }
};
"""


class Places(unittest.TestCase):
    def changed(self, text, *lines, suffix=".sv"):
        with tempfile.TemporaryDirectory() as folder:
            source, fault = pathlib.Path(folder) / f"m{suffix}", pathlib.Path(folder) / "f.fault"
            source.write_text(text)
            fault.write_text("\n".join((f"file: m{suffix}", *lines)) + "\n")
            return apply(read_fault(fault), source)

    def refused(self, text, *lines):
        with self.assertRaises(Failure) as failure:
            self.changed(text, *lines)
        return str(failure.exception)

    def test_what_is_assigned(self):
        self.assertIn("assign free = count_q", self.changed(RTL, "at: free", "change: {2'b0, count_q[1:0]} & 4'd7 -> count_q"))
        self.assertIn("if (free[0]) count_q <= count_q + 4'd2;", self.changed(RTL, "at: count_q", "change: 4'd1 -> 4'd2"))

    def test_the_condition_of_the_block_around_it(self):
        self.assertIn("if (push_i) begin", self.changed(RTL, "at: count_q", "change: && !full_o ->").replace("push_i\n        )", "push_i)"))

    def test_a_port_a_block_and_a_mark(self):
        self.assertIn(".push_i (push_i )", self.changed(RTL, "at: push_i", "change: && !full_o ->"))
        self.assertIn("4'd1", self.changed(RTL, "at: counts", "change: free[0] -> free[1]"))
        self.assertIn("count_q != 4'd8);  // @bound", self.changed(RTL, "at: bound", "change: 4'd9 -> 4'd8"))

    def test_an_instance_and_an_assertion(self):
        self.assertIn(".pop_i (1'b1)", self.changed(RTL, "at: u_fifo", "change: .pop_i (1'b0) -> .pop_i (1'b1)"))
        self.assertIn("if (i > 1) assert", self.changed(RTL, "at: assert", "change: i > 0 -> i > 1"))
        self.assertIn("no such place", self.refused(RTL, "at: fifo", "change: 4 -> 5"))

    def test_the_one_statement_goes(self):
        self.assertNotIn("assign full_o", self.changed(RTL, "at: full_o", "change: drop"))
        self.assertIn("not one statement makes it", self.refused(RTL, "at: count_q", "change: drop"))

    def test_members_calls_and_functions_of_a_twin(self):
        self.assertIn("count[0] = count + 1;", self.changed(TWIN, "at: state_", "change: = count -> = count + 1", suffix=".h"))
        self.assertIn("write(true)", self.changed(TWIN, "at: full_o", "change: count == kMost -> true", suffix=".h"))
        self.assertIn("push_i.read() == 0", self.changed(TWIN, "at: step", "change: != 0 -> == 0", suffix=".h"))

    def test_layout_and_comments_do_not_matter(self):
        text = RTL.replace("count_q + 4'd1", "count_q  // one more\n          + 4'd1")
        self.assertIn("<= count_q - 4'd1;", self.changed(text, "at: count_q", "change: count_q + 4'd1 -> count_q - 4'd1"))

    def test_what_is_not_there_once_is_refused(self):
        self.assertIn("no such place", self.refused(RTL, "at: gone", "change: a -> b"))
        self.assertIn("0 times 4'd3", self.refused(RTL, "at: count_q", "change: 4'd3 -> b"))
        self.assertIn("2 times count_q <=", self.refused(RTL, "at: count_q", "change: count_q <= -> b"))

    def test_a_changed_file_is_worded(self):
        script = load_script(HERE / "word_fault")
        for old, new in (("free[0])", "free[1])"), ("push_i && !full_o", "push_i"), ("      else count_q <= '0;\n", ""), ("4'd9", "4'd8"),
                         ("assign full_o = count_q == 4'd8;", "assign full_o = !(count_q == 4'd8);")):
            with self.subTest(old=old):
                text = RTL.replace(old, new)
                lines = script.word(RTL, text, False)
                self.assertEqual(Source(self.changed(RTL, *lines), False).tokens, Source(text, False).tokens, lines)

    def test_wrong_use_is_one_line(self):
        for arguments, said in (([], "usage: "), ([HERE / "rejected" / "harmless.fault"], "tests/faults/rejected/harmless.fault: nothing differs")):
            done = subprocess.run([sys.executable, HERE / "word_fault", *arguments], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr.startswith(said)), (2, "", True), done.stderr)


if __name__ == "__main__":
    unittest.main()
