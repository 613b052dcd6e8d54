// SPDX-License-Identifier: Apache-2.0
// optimistic_scoreboard: one table a warp of writes in flight with the threads that they belong to, so that a path
// waits only for writes of its own threads; the reference without false dependences, in the place of dpe_scoreboard.
//
// Contract
//   Latency  set and write-back sampled at edge t show in the tables, and so in blocked_*_o and full_*_o, after edge t.
//            blocked_*_o and full_*_o follow head_*_i and mask_*_i in the same cycle.
//   Order    A set takes the lowest entry that is free in registered state, so set and write-backs of one cycle never
//            touch the same entry: an entry that is being cleared is not free yet.
//   Reset    asynchronous, active low; nothing pending, register names and masks 0.
//   Assumes  (asserted) no set when the table is full, or of a register pending already for one of its threads. A
//            write-back without a pending entry, or to register 0, is legal and does nothing; so does a set of register
//            0.
//   Not here whether an instruction may issue for other reasons: frontend.
// Source: DPE paper, sections 4 and 6.4 (optimistic scoreboard).
module optimistic_scoreboard #(
  parameter  int NumWarps   = 24,  // warps of the partition
  parameter  int Lanes      = 32,  // threads of a warp
  parameter  int NumEntries = 16,  // entries of a table
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps)
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  // from issue
  input  logic                                 set_valid_i,
  input  logic [WarpW-1:0]                     set_warp_i,
  input  logic [5:0]                           set_reg_i,
  input  logic [Lanes-1:0]                     set_mask_i,
  // from write-back
  input  logic                                 wb0_valid_i,
  input  logic [WarpW-1:0]                     wb0_warp_i,
  input  logic [5:0]                           wb0_reg_i,
  input  logic [Lanes-1:0]                     wb0_mask_i,
  input  logic                                 wb1_valid_i,
  input  logic [WarpW-1:0]                     wb1_warp_i,
  input  logic [5:0]                           wb1_reg_i,
  input  logic [Lanes-1:0]                     wb1_mask_i,
  // from and to selector
  input  logic [NumWarps*24-1:0]               head_l_i,   // {rs3, rs2, rs1, rd} of the next left instructions
  input  logic [NumWarps*24-1:0]               head_r_i,   // of the next right instructions
  input  logic [NumWarps*Lanes-1:0]            mask_l_i,   // threads of each left path
  input  logic [NumWarps*Lanes-1:0]            mask_r_i,   // threads of each right path
  output logic [NumWarps-1:0]                  blocked_l_o,
  output logic [NumWarps-1:0]                  blocked_r_o,
  output logic [NumWarps-1:0]                  full_l_o,
  output logic [NumWarps-1:0]                  full_r_o,
  // state
  output logic [NumWarps*NumEntries-1:0]       pending_o,
  output logic [NumWarps*NumEntries*6-1:0]     reg_o,
  output logic [NumWarps*NumEntries*Lanes-1:0] mask_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (NumEntries < 1) NumEntries_must_be_at_least_1 limit ();

  localparam int RowW  = NumEntries * 6;
  localparam int MaskW = NumEntries * Lanes;
  // A table is a row: a pending bit, a name and a thread mask for each entry.
  logic [NumEntries-1:0] pending_q[0:NumWarps-1];
  logic [RowW-1:0]       reg_q    [0:NumWarps-1];
  logic [MaskW-1:0]      mask_q   [0:NumWarps-1];

  // The entry that a set takes, and the entries that the write-backs clear.
  logic                  set;
  logic [NumEntries-1:0] set_pending, wb0_pending, wb1_pending, set_entry, wb0_clear, wb1_clear;
  logic [RowW-1:0]       wb0_regs, wb1_regs;
  logic [MaskW-1:0]      wb0_masks, wb1_masks;

  assign set         = set_valid_i && (set_reg_i != '0);
  assign set_pending = pending_q[set_warp_i];
  assign wb0_pending = pending_q[wb0_warp_i];
  assign wb1_pending = pending_q[wb1_warp_i];
  assign wb0_regs    = reg_q[wb0_warp_i];
  assign wb1_regs    = reg_q[wb1_warp_i];
  assign wb0_masks   = mask_q[wb0_warp_i];
  assign wb1_masks   = mask_q[wb1_warp_i];
  assign set_entry   = set ? (~set_pending & (set_pending + NumEntries'(1))) : '0;

  always_comb begin
    for (int e = 0; e < NumEntries; e++) begin
      wb0_clear[e] = wb0_valid_i && wb0_pending[e] && (wb0_regs[e*6 +: 6] == wb0_reg_i) &&
                     ((wb0_masks[e*Lanes +: Lanes] & wb0_mask_i) != '0);
      wb1_clear[e] = wb1_valid_i && wb1_pending[e] && (wb1_regs[e*6 +: 6] == wb1_reg_i) &&
                     ((wb1_masks[e*Lanes +: Lanes] & wb1_mask_i) != '0);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int w = 0; w < NumWarps; w++) begin
        pending_q[w] <= '0;
        reg_q[w]     <= '0;
        mask_q[w]    <= '0;
      end
    end else begin
      for (int e = 0; e < NumEntries; e++) begin
        if (set_entry[e]) begin
          pending_q[set_warp_i][e]             <= 1'b1;
          reg_q[set_warp_i][e*6 +: 6]          <= set_reg_i;
          mask_q[set_warp_i][e*Lanes +: Lanes] <= set_mask_i;
        end
        if (wb0_clear[e]) pending_q[wb0_warp_i][e] <= 1'b0;
        if (wb1_clear[e]) pending_q[wb1_warp_i][e] <= 1'b0;
      end
    end
  end

  // Query: does the instruction name a register that is pending for a thread of its path? A function, because two
  // processes that select parts of one vector wake each other without end in Icarus 11. Only entries that count are
  // compared: a guard that costs next to no gate and spares a simulator the comparison. e and n start at 0, because
  // Yosys takes them for latches else.
  function automatic logic names_pending(input logic [NumEntries-1:0] pending, input logic [RowW-1:0] regs,
                                         input logic [MaskW-1:0] masks, input logic [23:0] head,
                                         input logic [Lanes-1:0] mask);
    int e, n;
    e = 0;
    n = 0;
    names_pending = 1'b0;
    if (pending != '0) begin
      for (e = 0; e < NumEntries; e++) begin
        if (pending[e] && ((mask & masks[e*Lanes +: Lanes]) != '0)) begin
          for (n = 0; n < 4; n++) begin
            if (head[n*6 +: 6] == regs[e*6 +: 6]) names_pending = 1'b1;
          end
        end
      end
    end
  endfunction

  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_query
      assign blocked_l_o[w] =
          names_pending(pending_q[w], reg_q[w], mask_q[w], head_l_i[w*24 +: 24], mask_l_i[w*Lanes +: Lanes]);
      assign blocked_r_o[w] =
          names_pending(pending_q[w], reg_q[w], mask_q[w], head_r_i[w*24 +: 24], mask_r_i[w*Lanes +: Lanes]);
      assign full_l_o[w]    = (head_l_i[w*24 +: 6] != '0) && (pending_q[w] == '1);
      assign full_r_o[w]    = (head_r_i[w*24 +: 6] != '0) && (pending_q[w] == '1);
    end
  endgenerate

  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_state
      assign pending_o[w*NumEntries +: NumEntries] = pending_q[w];
      assign reg_o[w*RowW +: RowW]                 = reg_q[w];
      assign mask_o[w*MaskW +: MaskW]              = mask_q[w];
    end
  endgenerate

`ifndef SYNTHESIS
  logic [RowW-1:0]  set_regs;
  logic [MaskW-1:0] set_masks;
  assign set_regs  = reg_q[set_warp_i];
  assign set_masks = mask_q[set_warp_i];

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (set) begin
        assert (32'(set_warp_i) < NumWarps);       // set_warp_i names no warp
        assert (set_pending != '1);                // set in a full table
        for (int e = 0; e < NumEntries; e++) begin
          // The register is pending already for one of the threads.
          assert (!(set_pending[e] && (set_regs[e*6 +: 6] == set_reg_i) &&
                    ((set_masks[e*Lanes +: Lanes] & set_mask_i) != '0)));
        end
      end
      assert (!(wb0_valid_i && (32'(wb0_warp_i) >= NumWarps)));   // wb0_warp_i names no warp
      assert (!(wb1_valid_i && (32'(wb1_warp_i) >= NumWarps)));   // wb1_warp_i names no warp
    end
  end
`endif
endmodule
