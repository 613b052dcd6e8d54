// SPDX-License-Identifier: Apache-2.0
// dpe_scoreboard: a left and a right table of registers with a write in flight for each of NumWarps warps; a shadow bit
// an entry says that the write also holds for the other path of the warp.
//
// Contract
//   Latency  set, write-back and copy sampled at edge t show in the tables, and so in blocked_*_o and full_*_o, after
//            edge t. blocked_*_o and full_*_o follow head_*_i in the same cycle.
//   Order    In one cycle and warp: first write-backs (clear pending and shadow) and set (pending; its shadow becomes
//            0), then copy: shadow := pending, in both tables, as they are after those. A register set in the cycle of
//            a push is shadowed, one written back in it is not. A set takes the lowest entry that is free in registered
//            state: an entry being cleared is not free yet.
//   Reset    asynchronous, active low; nothing pending, register names 0.
//   Assumes  (asserted) no set when the table is full or the register is pending in it already. A write-back without a
//            pending entry, or to register 0, is legal and does nothing; so does a set of register 0.
//   Holds    (asserted) a shadow bit is set only where the pending bit is.
//   Not here whether an instruction may issue for other reasons, and when to copy: frontend (push and pop).
// Source: DPE paper, section 3.2, Figures 6 and 7.
module dpe_scoreboard #(
  parameter  int NumWarps   = 24,  // warps of the partition
  parameter  int NumEntries = 8,  // entries of a table
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps)
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // from issue
  input  logic                             set_valid_i,
  input  logic [WarpW-1:0]                 set_warp_i,
  input  logic                             set_slot_i,
  input  logic [5:0]                       set_reg_i,
  // from write-back
  input  logic                             wb0_valid_i,
  input  logic [WarpW-1:0]                 wb0_warp_i,
  input  logic                             wb0_slot_i,
  input  logic [5:0]                       wb0_reg_i,
  input  logic                             wb1_valid_i,
  input  logic [WarpW-1:0]                 wb1_warp_i,
  input  logic                             wb1_slot_i,
  input  logic [5:0]                       wb1_reg_i,
  // from stack: push and pop
  input  logic                             copy0_valid_i,
  input  logic [WarpW-1:0]                 copy0_warp_i,
  input  logic                             copy1_valid_i,
  input  logic [WarpW-1:0]                 copy1_warp_i,
  // from and to selector
  input  logic [NumWarps*24-1:0]           head_l_i,   // {rs3, rs2, rs1, rd} of the next instruction of each left path
  input  logic [NumWarps*24-1:0]           head_r_i,   // the same for the right paths
  output logic [NumWarps-1:0]              blocked_l_o,
  output logic [NumWarps-1:0]              blocked_r_o,
  output logic [NumWarps-1:0]              full_l_o,
  output logic [NumWarps-1:0]              full_r_o,
  // state
  output logic [NumWarps*NumEntries-1:0]   pending_l_o,
  output logic [NumWarps*NumEntries-1:0]   shadow_l_o,
  output logic [NumWarps*NumEntries*6-1:0] reg_l_o,
  output logic [NumWarps*NumEntries-1:0]   pending_r_o,
  output logic [NumWarps*NumEntries-1:0]   shadow_r_o,
  output logic [NumWarps*NumEntries*6-1:0] reg_r_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (NumEntries < 1) NumEntries_must_be_at_least_1 limit ();

  localparam int RowW = NumEntries * 6;
  // A table is a row: a pending bit, a shadow bit and a name for each entry.
  logic [NumEntries-1:0] pending_l_q[0:NumWarps-1];
  logic [NumEntries-1:0] shadow_l_q [0:NumWarps-1];
  logic [RowW-1:0]       reg_l_q    [0:NumWarps-1];
  logic [NumEntries-1:0] pending_r_q[0:NumWarps-1];
  logic [NumEntries-1:0] shadow_r_q [0:NumWarps-1];
  logic [RowW-1:0]       reg_r_q    [0:NumWarps-1];

  // The entry that a set takes, and the entries that the write-backs clear.
  logic                  set;
  logic [NumEntries-1:0] set_pending, wb0_pending, wb1_pending;
  logic [RowW-1:0]       wb0_regs, wb1_regs;
  logic [NumEntries-1:0] set_entry, wb0_clear, wb1_clear;

  assign set         = set_valid_i && (set_reg_i != '0);
  assign set_pending = set_slot_i ? pending_r_q[set_warp_i] : pending_l_q[set_warp_i];
  assign wb0_pending = wb0_slot_i ? pending_r_q[wb0_warp_i] : pending_l_q[wb0_warp_i];
  assign wb1_pending = wb1_slot_i ? pending_r_q[wb1_warp_i] : pending_l_q[wb1_warp_i];
  assign wb0_regs    = wb0_slot_i ? reg_r_q[wb0_warp_i] : reg_l_q[wb0_warp_i];
  assign wb1_regs    = wb1_slot_i ? reg_r_q[wb1_warp_i] : reg_l_q[wb1_warp_i];
  assign set_entry   = set ? (~set_pending & (set_pending + NumEntries'(1))) : '0;

  always_comb begin
    for (int e = 0; e < NumEntries; e++) begin
      wb0_clear[e] = wb0_valid_i && wb0_pending[e] && (wb0_regs[e*6 +: 6] == wb0_reg_i);
      wb1_clear[e] = wb1_valid_i && wb1_pending[e] && (wb1_regs[e*6 +: 6] == wb1_reg_i);
    end
  end

  // What a copy finds: both tables of the pushed (copy0) and the popped (copy1) warp after set and write-backs.
  logic [NumEntries-1:0] copy0_l, copy0_r, copy1_l, copy1_r;
  always_comb begin
    copy0_l = pending_l_q[copy0_warp_i];
    copy0_r = pending_r_q[copy0_warp_i];
    copy1_l = pending_l_q[copy1_warp_i];
    copy1_r = pending_r_q[copy1_warp_i];
    if (set_warp_i == copy0_warp_i) begin
      if (set_slot_i) copy0_r = copy0_r | set_entry;
      else            copy0_l = copy0_l | set_entry;
    end
    if (set_warp_i == copy1_warp_i) begin
      if (set_slot_i) copy1_r = copy1_r | set_entry;
      else            copy1_l = copy1_l | set_entry;
    end
    if (wb0_warp_i == copy0_warp_i) begin
      if (wb0_slot_i) copy0_r = copy0_r & ~wb0_clear;
      else            copy0_l = copy0_l & ~wb0_clear;
    end
    if (wb0_warp_i == copy1_warp_i) begin
      if (wb0_slot_i) copy1_r = copy1_r & ~wb0_clear;
      else            copy1_l = copy1_l & ~wb0_clear;
    end
    if (wb1_warp_i == copy0_warp_i) begin
      if (wb1_slot_i) copy0_r = copy0_r & ~wb1_clear;
      else            copy0_l = copy0_l & ~wb1_clear;
    end
    if (wb1_warp_i == copy1_warp_i) begin
      if (wb1_slot_i) copy1_r = copy1_r & ~wb1_clear;
      else            copy1_l = copy1_l & ~wb1_clear;
    end
  end

  // The last write of a bit wins: copy after set and write-backs.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int w = 0; w < NumWarps; w++) begin
        pending_l_q[w] <= '0;
        shadow_l_q[w]  <= '0;
        reg_l_q[w]     <= '0;
        pending_r_q[w] <= '0;
        shadow_r_q[w]  <= '0;
        reg_r_q[w]     <= '0;
      end
    end else begin
      for (int e = 0; e < NumEntries; e++) begin
        if (set_entry[e] && !set_slot_i) begin
          pending_l_q[set_warp_i][e]    <= 1'b1;
          shadow_l_q[set_warp_i][e]     <= 1'b0;
          reg_l_q[set_warp_i][e*6 +: 6] <= set_reg_i;
        end
        if (set_entry[e] && set_slot_i) begin
          pending_r_q[set_warp_i][e]    <= 1'b1;
          shadow_r_q[set_warp_i][e]     <= 1'b0;
          reg_r_q[set_warp_i][e*6 +: 6] <= set_reg_i;
        end
        if (wb0_clear[e] && !wb0_slot_i) begin
          pending_l_q[wb0_warp_i][e] <= 1'b0;
          shadow_l_q[wb0_warp_i][e]  <= 1'b0;
        end
        if (wb0_clear[e] && wb0_slot_i) begin
          pending_r_q[wb0_warp_i][e] <= 1'b0;
          shadow_r_q[wb0_warp_i][e]  <= 1'b0;
        end
        if (wb1_clear[e] && !wb1_slot_i) begin
          pending_l_q[wb1_warp_i][e] <= 1'b0;
          shadow_l_q[wb1_warp_i][e]  <= 1'b0;
        end
        if (wb1_clear[e] && wb1_slot_i) begin
          pending_r_q[wb1_warp_i][e] <= 1'b0;
          shadow_r_q[wb1_warp_i][e]  <= 1'b0;
        end
      end
      if (copy0_valid_i) begin
        shadow_l_q[copy0_warp_i] <= copy0_l;
        shadow_r_q[copy0_warp_i] <= copy0_r;
      end
      if (copy1_valid_i) begin
        shadow_l_q[copy1_warp_i] <= copy1_l;
        shadow_r_q[copy1_warp_i] <= copy1_r;
      end
    end
  end

  // Query: own table by pending, the other slot's table by shadow (never set without pending). A function, because two
  // processes that select parts of one vector wake each other without end in Icarus 11. Only entries that count are
  // compared: a guard that costs next to no gate and spares a simulator the comparison. e and n start at 0, because
  // Yosys takes them for latches else.
  function automatic logic names_one(input logic [NumEntries-1:0] entries, input logic [RowW-1:0] regs,
                                     input logic [23:0] head);
    int e, n;
    e = 0;
    n = 0;
    names_one = 1'b0;
    if (entries != '0) begin
      for (e = 0; e < NumEntries; e++) begin
        if (entries[e]) begin
          for (n = 0; n < 4; n++) begin
            if (head[n*6 +: 6] == regs[e*6 +: 6]) names_one = 1'b1;
          end
        end
      end
    end
  endfunction

  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_query
      assign blocked_l_o[w] = names_one(pending_l_q[w], reg_l_q[w], head_l_i[w*24 +: 24]) ||
                              names_one(shadow_r_q[w], reg_r_q[w], head_l_i[w*24 +: 24]);
      assign blocked_r_o[w] = names_one(pending_r_q[w], reg_r_q[w], head_r_i[w*24 +: 24]) ||
                              names_one(shadow_l_q[w], reg_l_q[w], head_r_i[w*24 +: 24]);
      assign full_l_o[w]    = (head_l_i[w*24 +: 6] != '0) && (pending_l_q[w] == '1);
      assign full_r_o[w]    = (head_r_i[w*24 +: 6] != '0) && (pending_r_q[w] == '1);
    end
  endgenerate

  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_state
      assign pending_l_o[w*NumEntries +: NumEntries] = pending_l_q[w];
      assign shadow_l_o[w*NumEntries +: NumEntries]  = shadow_l_q[w];
      assign reg_l_o[w*RowW +: RowW]                 = reg_l_q[w];
      assign pending_r_o[w*NumEntries +: NumEntries] = pending_r_q[w];
      assign shadow_r_o[w*NumEntries +: NumEntries]  = shadow_r_q[w];
      assign reg_r_o[w*RowW +: RowW]                 = reg_r_q[w];
    end
  endgenerate

`ifndef SYNTHESIS
  logic [RowW-1:0] set_regs;
  assign set_regs = set_slot_i ? reg_r_q[set_warp_i] : reg_l_q[set_warp_i];

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (set) begin
        assert (32'(set_warp_i) < NumWarps);       // set_warp_i names no warp
        assert (set_pending != '1);                // set in a full table
        for (int e = 0; e < NumEntries; e++) begin
          assert (!(set_pending[e] && (set_regs[e*6 +: 6] == set_reg_i)));  // the register is pending already
        end
      end
      assert (!(wb0_valid_i && (32'(wb0_warp_i) >= NumWarps)));       // wb0_warp_i names no warp
      assert (!(wb1_valid_i && (32'(wb1_warp_i) >= NumWarps)));       // wb1_warp_i names no warp
      assert (!(copy0_valid_i && (32'(copy0_warp_i) >= NumWarps)));   // copy0_warp_i names no warp
      assert (!(copy1_valid_i && (32'(copy1_warp_i) >= NumWarps)));   // copy1_warp_i names no warp
      for (int w = 0; w < NumWarps; w++) begin
        assert ((shadow_l_q[w] & ~pending_l_q[w]) == '0);   // a shadow without its write
        assert ((shadow_r_q[w] & ~pending_r_q[w]) == '0);   // a shadow without its write
      end
    end
  end
`endif
endmodule
