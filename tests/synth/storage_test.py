# SPDX-License-Identifier: Apache-2.0
"""What storage and its selects cost, on modules written for it: nothing is free that no memory could be."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "synthesis"))

from heddle_synth import report  # noqa: E402
from heddle_synth.design import Design  # noqa: E402
from heddle_synth.yosys import synthesize  # noqa: E402

STRIDED = """module strided #(parameter int Fields = 8, parameter int Width = 61, localparam int IdxW = $clog2(Fields)) (
  input  logic [IdxW-1:0]         idx_i,
  input  logic [Fields*Width-1:0] fields_i,
  output logic [Width-1:0]        field_o
);
  assign field_o = fields_i[32'(idx_i)*Width +: Width];
endmodule
"""
# Words that are written by number and searched by content.
SEARCHED = """module searched #(parameter int Words = 6, parameter int Writes = 1, parameter int Reset = 0, localparam int IdxW = 8) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [Writes*IdxW-1:0] write_idx_i,
  input  logic [Writes*4-1:0]    write_data_i,
  input  logic [3:0]             key_i,
  output logic [Words-1:0]       found_o
);
  logic [3:0] word_q [0:Words-1];
  for (genvar w = 0; w < Words; w++) begin : gen_word
    assign found_o[w] = word_q[w] == key_i;
  end
  if (Reset == 1) begin : gen_reset
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) for (int w = 0; w < Words; w++) word_q[w] <= '0;
      else for (int p = 0; p < Writes; p++) word_q[write_idx_i[p*IdxW +: IdxW]] <= write_data_i[p*4 +: 4];
    end
  end else begin : gen_no_reset
    always_ff @(posedge clk_i) begin
      for (int p = 0; p < Writes; p++) word_q[write_idx_i[p*IdxW +: IdxW]] <= write_data_i[p*4 +: 4];
    end
  end
endmodule
"""
# Two parts with a memory of their own.
TABLE = """module table_of_words #(parameter int Words = 6, localparam int IdxW = $clog2(Words)) (
  input  logic            clk_i,
  input  logic            we_i,
  input  logic [IdxW-1:0] write_idx_i,
  input  logic [4:0]      write_data_i,
  input  logic [IdxW-1:0] read_idx_i,
  output logic [4:0]      read_data_o
);
  logic [4:0] word_q [0:Words-1];
  always_ff @(posedge clk_i) if (we_i) word_q[write_idx_i] <= write_data_i;
  assign read_data_o = word_q[read_idx_i];
endmodule
"""
TWO = """module two #(parameter int Words = 6, localparam int IdxW = $clog2(Words)) (
  input  logic            clk_i,
  input  logic [1:0]      we_i,
  input  logic [IdxW-1:0] idx_i,
  input  logic [4:0]      data_i,
  output logic [9:0]      data_o
);
  for (genvar t = 0; t < 2; t++) begin : gen_table
    table_of_words #(.Words(Words)) u_table (.clk_i(clk_i), .we_i(we_i[t]), .write_idx_i(idx_i), .write_data_i(data_i),
                                             .read_idx_i(idx_i), .read_data_o(data_o[5*t +: 5]));
  end
endmodule
"""


class Storage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls._folder.name)
        (root / "rtl" / "test").mkdir(parents=True)
        for name, text in (("strided", STRIDED), ("searched", SEARCHED), ("table_of_words", TABLE), ("two", TWO)):
            (root / "rtl" / "test" / f"{name}.sv").write_text(text)
        cls.design = Design(root)

    @classmethod
    def tearDownClass(cls):
        cls._folder.cleanup()

    def made(self, module, ports=(2, 2), **parameters):
        return synthesize(self.design, module, parameters, ports)

    def test_a_strided_select_is_multiplexers(self):
        for fields, width in ((8, 61), (7, 5), (48, 3)):
            with self.subTest(fields=fields, width=width):
                made = self.made("strided", Fields=fields, Width=width).generic
                # A multiplexer is three NAND gates and an inverter; the inverters of one index can be shared.
                self.assertLess(made.nand2_equivalents, 4.5 * (fields - 1) * width)
                self.assertLessEqual(made.levels(), 3 * (fields - 1).bit_length() + 1)

    def test_what_is_searched_is_flip_flops(self):
        made = self.made("searched", Words=6)
        self.assertEqual([(m.name, m.words, m.width, m.reads, m.writes) for m in made.memories], [("word_q", 6, 4, 6, 1)])
        self.assertEqual((made.generic.flop_bits, made.generic.memory_bits), (24, 0))

    def test_the_limits_are_the_users(self):
        for ports, writes, kept in (((6, 1), 1, True), ((5, 1), 1, False), ((6, 1), 2, False), ((6, 2), 2, True), ((0, 0), 1, False)):
            with self.subTest(ports=ports, writes=writes):
                made = self.made("searched", ports, Words=6, Writes=writes)
                self.assertEqual((made.generic.flop_bits, made.generic.memory_bits), (0, 24) if kept else (24, 0))

    def test_a_reset_changes_no_cost_but_that_of_its_flip_flops(self):
        with_reset, without = (self.made("searched", Words=5, Reset=r).generic for r in (1, 0))
        self.assertEqual(with_reset.flop_bits, without.flop_bits)

    def test_every_memory_is_named_kept_or_not(self):
        entry = "5 x 5, 1 read, 1 write"
        for ports, what in (((2, 2), "kept"), ((0, 2), "built of flip-flops"), ((2, 0), "built of flip-flops")):
            row = {"state": report.state(self.made("two", ports, Words=5))}
            self.assertEqual(report.memories(row), [f"gen_table[0].u_table.word_q and 1 more like it: {entry}, {what}"])

    def test_any_number_of_words_can_be_built_of_flip_flops(self):
        for words in (2, 3, 5, 6, 7, 12, 17):
            with self.subTest(words=words):
                self.assertEqual(self.made("table_of_words", (0, 0), Words=words).generic.flop_bits, 5 * words)


if __name__ == "__main__":
    unittest.main()
