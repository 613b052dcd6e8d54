// SPDX-License-Identifier: Apache-2.0
// rv_decode: the bundle of an instruction, which is all that the front end wants to know of it.
//
// RV32I without loads and stores of less than a word, fence and ebreak; of the CSRs only those of one-dimensional
// indices, to be read; and the block barrier of docs/isa.md. Every other instruction becomes a jump of the unit for
// special functions, which this core does not have: the path stops there, and execution tells the fault.
module rv_decode (
  input  logic [31:0]                   instr_i,
  output logic [heddle_pkg::InstrW-1:0] bundle_o
);
  logic [6:0] opcode;
  logic [2:0] funct3;
  logic       alu, alu_imm, upper, load, store, branch, jal, jalr, csr, ecall, barrier, known;
  logic       reads1, reads2, writes;
  logic [2:0] unit;

  assign opcode = instr_i[6:0];
  assign funct3 = instr_i[14:12];

  assign upper   = (opcode == 7'h37) || (opcode == 7'h17);   // lui, auipc
  assign jal     = opcode == 7'h6f;
  assign jalr    = (opcode == 7'h67) && (funct3 == 3'd0);
  assign branch  = (opcode == 7'h63) && (funct3 != 3'd2) && (funct3 != 3'd3);
  assign load    = (opcode == 7'h03) && (funct3 == 3'd2);
  assign store   = (opcode == 7'h23) && (funct3 == 3'd2);
  assign alu_imm = (opcode == 7'h13) && ((funct3 != 3'd1) || (instr_i[31:25] == 7'h00)) &&
                   ((funct3 != 3'd5) || ((instr_i[31:25] & 7'h5f) == 7'h00));
  assign alu     = (opcode == 7'h33) && ((instr_i[31:25] == 7'h00) ||
                   ((instr_i[31:25] == 7'h20) && ((funct3 == 3'd0) || (funct3 == 3'd5))));
  assign csr     = (opcode == 7'h73) && (funct3 == 3'd2) && (instr_i[19:15] == 5'd0) &&
                   ((instr_i[31:20] == 12'hcc0) || (instr_i[31:20] == 12'hcc3) || (instr_i[31:20] == 12'hcc6) ||
                    (instr_i[31:20] == 12'hcc9) || (instr_i[31:20] == 12'hf14));
  assign ecall   = instr_i == 32'h0000_0073;
  assign barrier = instr_i == 32'h0000_000b;
  assign known   = upper || jal || jalr || branch || load || store || alu_imm || alu || csr || ecall || barrier;

  // Register names that the instruction does not use are 0: it waits for none of them. x0 is 0 already.
  assign reads1 = jalr || branch || load || store || alu_imm || alu;
  assign reads2 = branch || store || alu;
  assign writes = upper || jal || jalr || load || alu_imm || alu || csr;
  assign unit   = !known ? 3'(heddle_pkg::UnitSpecial) : (load || store) ? 3'(heddle_pkg::UnitLoadStore) : 3'd0;

  // {jump, barrier, control, unit, rs3, rs2, rs1, rd}. A control instruction is one that execution resolves; a jump is
  // one after which nothing is fetched until then.
  assign bundle_o = {jal || jalr || ecall || !known, barrier, branch || jal || jalr || ecall || !known, unit, 6'd0,
                     reads2 ? {1'b0, instr_i[24:20]} : 6'd0, reads1 ? {1'b0, instr_i[19:15]} : 6'd0,
                     writes ? {1'b0, instr_i[11:7]} : 6'd0};
endmodule
