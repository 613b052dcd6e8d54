// SPDX-License-Identifier: Apache-2.0
// spe_scoreboard: one table of registers with a write in flight for each of NumWarps warps.
//
// Contract
//   Latency  set and write-back sampled at edge t show in the tables, and so in blocked_o and full_o, after edge t.
//            blocked_o and full_o follow head_i in the same cycle.
//   Order    A set takes the lowest entry that is free in registered state, so set and write-backs of one cycle never
//            touch the same entry: an entry that is being cleared is not free yet.
//   Reset    asynchronous, active low; nothing pending, register names 0.
//   Assumes  (asserted) no set when the table is full or the register is pending already. A write-back without a
//            pending entry, or to register 0, is legal and does nothing; so does a set of register 0.
//   Not here whether an instruction may issue for other reasons: frontend.
// Source: DPE paper, section 3.2 (baseline scoreboard).
module spe_scoreboard #(
  parameter  int NumWarps   = 24,  // warps of the partition
  parameter  int NumEntries = 8,  // entries of a table
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps)
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // from issue
  input  logic                             set_valid_i,
  input  logic [WarpW-1:0]                 set_warp_i,
  input  logic [5:0]                       set_reg_i,
  // from write-back
  input  logic                             wb0_valid_i,
  input  logic [WarpW-1:0]                 wb0_warp_i,
  input  logic [5:0]                       wb0_reg_i,
  input  logic                             wb1_valid_i,
  input  logic [WarpW-1:0]                 wb1_warp_i,
  input  logic [5:0]                       wb1_reg_i,
  // from and to selector
  input  logic [NumWarps*24-1:0]           head_i,     // {rs3, rs2, rs1, rd} of the next instruction of each warp
  output logic [NumWarps-1:0]              blocked_o,
  output logic [NumWarps-1:0]              full_o,
  // state
  output logic [NumWarps*NumEntries-1:0]   pending_o,
  output logic [NumWarps*NumEntries*6-1:0] reg_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (NumEntries < 1) NumEntries_must_be_at_least_1 limit ();

  localparam int RowW = NumEntries * 6;

  // A table is a row: a pending bit and a name for each entry.
  logic [NumEntries-1:0] pending_q[0:NumWarps-1];
  logic [RowW-1:0]       reg_q    [0:NumWarps-1];

  // The entry that a set takes, and the entries that the write-backs clear.
  logic [NumEntries-1:0] set_pending, wb0_pending, wb1_pending, set_entry, wb0_clear, wb1_clear;
  logic [RowW-1:0]       wb0_regs, wb1_regs;

  assign set_pending = pending_q[set_warp_i];
  assign wb0_pending = pending_q[wb0_warp_i];
  assign wb1_pending = pending_q[wb1_warp_i];
  assign wb0_regs    = reg_q[wb0_warp_i];
  assign wb1_regs    = reg_q[wb1_warp_i];
  assign set_entry   = (set_valid_i && (set_reg_i != '0)) ? (~set_pending & (set_pending + NumEntries'(1))) : '0;

  always_comb begin
    for (int e = 0; e < NumEntries; e++) begin
      wb0_clear[e] = wb0_valid_i && wb0_pending[e] && (wb0_regs[e*6 +: 6] == wb0_reg_i);
      wb1_clear[e] = wb1_valid_i && wb1_pending[e] && (wb1_regs[e*6 +: 6] == wb1_reg_i);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int w = 0; w < NumWarps; w++) begin
        pending_q[w] <= '0;
        reg_q[w]     <= '0;
      end
    end else begin
      for (int e = 0; e < NumEntries; e++) begin
        if (set_entry[e]) begin
          pending_q[set_warp_i][e]    <= 1'b1;
          reg_q[set_warp_i][e*6 +: 6] <= set_reg_i;
        end
        if (wb0_clear[e]) pending_q[wb0_warp_i][e] <= 1'b0;
        if (wb1_clear[e]) pending_q[wb1_warp_i][e] <= 1'b0;
      end
    end
  end

  // Query: does the instruction name a pending register? A function, because two processes that select parts of one
  // vector wake each other without end in Icarus 11. Only pending entries are compared: a guard that costs next to no
  // gate and spares a simulator the comparison. e and n start at 0, because Yosys takes them for latches else.
  function automatic logic names_pending(input logic [NumEntries-1:0] pending, input logic [RowW-1:0] regs,
                                         input logic [23:0] head);
    int e, n;
    e = 0;
    n = 0;
    names_pending = 1'b0;
    if (pending != '0) begin
      for (e = 0; e < NumEntries; e++) begin
        if (pending[e]) begin
          for (n = 0; n < 4; n++) begin
            if (head[n*6 +: 6] == regs[e*6 +: 6]) names_pending = 1'b1;
          end
        end
      end
    end
  endfunction

  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_query
      assign blocked_o[w] = names_pending(pending_q[w], reg_q[w], head_i[w*24 +: 24]);
      assign full_o[w] = (head_i[w*24 +: 6] != '0) && (pending_q[w] == '1);
    end
  endgenerate

  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_state
      assign pending_o[w*NumEntries +: NumEntries] = pending_q[w];
      assign reg_o[w*RowW +: RowW]                 = reg_q[w];
    end
  endgenerate

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (set_valid_i && (set_reg_i != '0)) begin
        assert (32'(set_warp_i) < NumWarps);       // set_warp_i names no warp
        assert (set_pending != '1);                // set in a full table
        for (int e = 0; e < NumEntries; e++) begin
          // The register is pending already.
          assert (!(set_pending[e] && (reg_q[set_warp_i][e*6 +: 6] == set_reg_i)));
        end
      end
      assert (!(wb0_valid_i && (32'(wb0_warp_i) >= NumWarps)));   // wb0_warp_i names no warp
      assert (!(wb1_valid_i && (32'(wb1_warp_i) >= NumWarps)));   // wb1_warp_i names no warp
    end
  end
`endif
endmodule
