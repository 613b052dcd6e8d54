// SPDX-License-Identifier: Apache-2.0
// heddle_mem: storage of Words words with one write and one read port: a synchronous 1R1W SRAM, or the block memory of
// an FPGA. It is the one place to put a memory macro.
//
// Contract
//   Latency  a write at edge t is there for reads after it. The word that is read at edge t (read_valid_i) is on
//            read_data_o in the cycle behind t; later that says nothing.
//   Order    no word is read at the edge at which it is written (asserted): a macro may give the old word or the new.
//   Reset    none: a word is undefined until it is written.
//   Assumes  (asserted) addresses of writes and reads are below Words.
//   Not here when a word counts: whoever stores it.
// Kind 1 instantiates heddle_mem_macro #(Words, Width), a module of the user with these pins and this contract.
module heddle_mem #(
  parameter  int Words = 24,  // words
  parameter  int Width = 32,  // bits of a word
  parameter  int Kind  = heddle_pkg::MemKind,  // 0 inferred, 1 a macro of the user
  localparam int AddrW = heddle_pkg::idx_width(Words)
) (
  input  logic             clk_i,
  // write
  input  logic             write_valid_i,
  input  logic [AddrW-1:0] write_addr_i,
  input  logic [Width-1:0] write_data_i,
  // read
  input  logic             read_valid_i,
  input  logic [AddrW-1:0] read_addr_i,
  output logic [Width-1:0] read_data_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Words < 1) Words_must_be_at_least_1 limit ();
  if (Width < 1) Width_must_be_at_least_1 limit ();
  if (Kind < 0 || Kind > 1) Kind_must_be_0_or_1 limit ();

  generate
    if (Kind == 1) begin : gen_macro
      heddle_mem_macro #(
        .Words (Words),
        .Width (Width)
      ) u_macro (
        .clk_i         (clk_i),
        .write_valid_i (write_valid_i),
        .write_addr_i  (write_addr_i),
        .write_data_i  (write_data_i),
        .read_valid_i  (read_valid_i),
        .read_addr_i   (read_addr_i),
        .read_data_o   (read_data_o)
      );
    end else begin : gen_inferred
      // The address is registered, not the word: in flip-flops that is less.
      logic [Width-1:0] words[0:Words-1];
      logic [AddrW-1:0] read_addr_q;
      assign read_data_o = words[read_addr_q];
      always_ff @(posedge clk_i) begin
        if (write_valid_i) words[write_addr_i] <= write_data_i;
        if (read_valid_i) read_addr_q <= read_addr_i;
      end
    end
  endgenerate

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    // (Before the first reset valids are unknown: that is neither a write nor a read.)
    if (write_valid_i) assert (32'(write_addr_i) < Words);   // the address is that of a word
    if (read_valid_i) assert (32'(read_addr_i) < Words);
    if (write_valid_i && read_valid_i) assert (write_addr_i != read_addr_i);   // a word is read as it is written
  end
`endif
endmodule
