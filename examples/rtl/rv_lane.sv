// SPDX-License-Identifier: Apache-2.0
// rv_lane: what an instruction does in one thread. Combinational.
module rv_lane (
  input  logic [31:0] instr_i,
  input  logic [31:0] pc_i,
  input  logic [31:0] rs1_i,
  input  logic [31:0] rs2_i,
  input  logic [31:0] csr_i,       // value of the CSR that the instruction names
  output logic [31:0] result_o,    // for rd, but of a load
  output logic [31:0] address_o,   // of a load or store, and target of a jalr
  output logic        taken_o      // of a branch
);
  logic [6:0]  opcode;
  logic [2:0]  funct3;
  logic [31:0] second, sum, upper;
  logic [31:0] shifted_left, shifted_right;
  logic        equal, less, less_unsigned;

  assign opcode = instr_i[6:0];
  assign funct3 = instr_i[14:12];
  assign upper  = {instr_i[31:12], 12'd0};

  assign second        = ((opcode == 7'h33) || (opcode == 7'h63)) ? rs2_i : {{20{instr_i[31]}}, instr_i[31:20]};
  assign sum           = ((opcode == 7'h33) && instr_i[30]) ? rs1_i - second : rs1_i + second;
  assign shifted_left  = rs1_i << second[4:0];
  assign shifted_right = instr_i[30] ? $unsigned($signed(rs1_i) >>> second[4:0]) : rs1_i >> second[4:0];
  assign equal         = rs1_i == rs2_i;
  assign less          = $signed(rs1_i) < $signed(second);
  assign less_unsigned = rs1_i < second;

  always_comb begin
    case (opcode)
      7'h37:        result_o = upper;          // lui
      7'h17:        result_o = pc_i + upper;   // auipc
      7'h6f, 7'h67: result_o = pc_i + 32'd4;   // jal, jalr
      7'h73:        result_o = csr_i;
      default:
        case (funct3)
          3'd0:    result_o = sum;
          3'd1:    result_o = shifted_left;
          3'd2:    result_o = {31'd0, less};
          3'd3:    result_o = {31'd0, less_unsigned};
          3'd4:    result_o = rs1_i ^ second;
          3'd5:    result_o = shifted_right;
          3'd6:    result_o = rs1_i | second;
          default: result_o = rs1_i & second;
        endcase
    endcase
  end

  // Odd ones are taken if the condition does not hold: bne, bge, bgeu.
  assign taken_o = (!funct3[2] ? equal : funct3[1] ? less_unsigned : less) != funct3[0];

  assign address_o = rs1_i + ((opcode == 7'h23) ? {{20{instr_i[31]}}, instr_i[31:25], instr_i[11:7]} :
                                                   {{20{instr_i[31]}}, instr_i[31:20]});
endmodule
