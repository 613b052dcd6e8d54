// SPDX-License-Identifier: Apache-2.0
// program_rom: the program, and of each of its instructions what the compiler knows about reconvergence.
//
// The table is what `heddle cfg KERNEL.elf --rom FILE` writes: {skip, rpc} for each instruction, 0 but for branches and
// indirect jumps. A core with an instruction cache keeps it beside the cache's lines, or in a small cache of its own.
//
// Contract
//   Latency  what is read at an edge shows after it. A synchronous memory fits.
module program_rom #(
  parameter int          Words    = 256,            // of the program, a power of two
  parameter logic [31:0] Base     = 32'h1000_0000,  // address of the first
  parameter              CodeFile = "code.hex",     // objcopy -O verilog
  parameter              RpcFile  = "rpc.hex"       // heddle cfg --rom
) (
  input  logic        clk_i,
  // fetch: two instructions
  input  logic [31:0] fetch_pc_i,
  output logic [31:0] fetch_instr0_o,
  output logic [31:0] fetch_instr1_o,
  // execute: what belongs to one
  input  logic        execute_read_i,
  input  logic [31:0] execute_pc_i,
  output logic [31:0] execute_rpc_o,
  output logic [3:0]  execute_skip_o
);
  localparam int AddressW = $clog2(Words);

  logic [31:0]         code [0:Words-1];
  logic [35:0]         rpcs [0:Words-1];
  logic [AddressW-1:0] fetch, execute;

  // Fetch runs past the end: what is not in the file is no instruction.
  initial begin
    for (int n = 0; n < Words; n++) code[n] = '0;
    $readmemh(CodeFile, code);
    $readmemh(RpcFile, rpcs);
  end

  assign fetch   = AddressW'((fetch_pc_i - Base) >> 2);
  assign execute = AddressW'((execute_pc_i - Base) >> 2);

  always_ff @(posedge clk_i) begin
    fetch_instr0_o <= code[fetch];
    fetch_instr1_o <= code[fetch + 1'b1];
    if (execute_read_i) {execute_skip_o, execute_rpc_o} <= rpcs[execute];
  end
endmodule
