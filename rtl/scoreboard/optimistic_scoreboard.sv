// SPDX-License-Identifier: Apache-2.0
// optimistic_scoreboard: one table a warp of writes in flight with the threads that they belong to, so that a path
// waits only for writes of its own threads; the reference without false dependences, in the place of dpe_scoreboard.
//
// Contract
//   Latency  set and write-back sampled at edge t show in the tables, and so in check_*_o, after edge t. check_*_o
//            follow the pins of their port in the same cycle.
//   Order    A set takes the lowest entry that is free in registered state, so set and write-backs of one cycle never
//            touch the same entry: an entry that is being cleared is not free yet.
//   Reset    asynchronous, active low; nothing pending. Register names and masks have none: they are written before
//            they count.
//   Idle     Name and mask of an entry that is not pending are undefined.
//   Assumes  (asserted) a set of one warp at most, whose table is not full and in which the register is not pending for
//            one of the threads. A write-back without a pending entry, or to register 0, is legal and does nothing; so
//            does a set of register 0.
//   Not here whether an instruction may issue for other reasons: frontend.
// Source: DPE paper, sections 4 and 6.4 (optimistic scoreboard).
module optimistic_scoreboard #(
  parameter  int NumWarps   = 24,  // warps of the partition
  parameter  int Lanes      = 32,  // threads of a warp
  parameter  int NumEntries = 16,  // entries of a table
  parameter  int NumWb      = 2,  // write-backs of a cycle
  parameter  int NumCheck   = 24,  // instructions that are checked in a cycle: port k is warp k mod NumWarps's
  parameter  int Partial    = 0,  // 1: threads of an instruction may be written back apart
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps),
  localparam int RegW       = heddle_pkg::RegW,
  localparam int NamesW     = heddle_pkg::NamesW
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  // from issue
  input  logic [NumWarps-1:0]                  set_i,          // the warp that issues, one-hot
  input  logic [RegW-1:0]                      set_reg_i,
  input  logic [Lanes-1:0]                     set_mask_i,
  // from write-back
  input  logic [NumWb-1:0]                     wb_valid_i,
  input  logic [NumWb*WarpW-1:0]               wb_warp_i,
  input  logic [NumWb*RegW-1:0]                wb_reg_i,
  input  logic [NumWb*Lanes-1:0]               wb_mask_i,
  // from and to whoever checks
  input  logic [NumCheck*NamesW-1:0]           check_names_i,  // {rs3, rs2, rs1, rd} of an instruction
  input  logic [NumCheck*Lanes-1:0]            check_mask_i,   // threads of its path
  output logic [NumCheck*NumEntries-1:0]       check_wait_o,   // the entries that it waits for
  output logic [NumCheck-1:0]                  check_full_o,   // it has rd, and no entry is free
  // state
  output logic [NumWarps*NumEntries-1:0]       pending_o,
  output logic [NumWarps*NumEntries*RegW-1:0]  reg_o,
  output logic [NumWarps*NumEntries*Lanes-1:0] mask_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (NumEntries < 1) NumEntries_must_be_at_least_1 limit ();
  if (NumWb < 1) NumWb_must_be_at_least_1 limit ();
  if (NumCheck < 1) NumCheck_must_be_at_least_1 limit ();
  if (NumWarps > 0 && NumCheck % NumWarps != 0) NumCheck_must_be_a_multiple_of_NumWarps limit ();
  if (Partial < 0 || Partial > 1) Partial_must_be_0_or_1 limit ();

  localparam int RowW      = NumEntries * RegW;
  localparam int MaskW     = NumEntries * Lanes;
  localparam int TableW    = RowW + MaskW + NumEntries;
  localparam int ClearW    = (NumEntries > 0 && NumWb > 0) ? NumWb * NumEntries : 1;   // 1 for broken limits to be told

  logic [NumWarps*NumEntries-1:0] pending_q;
  logic [NumWarps*RowW-1:0]       reg_q;
  logic [NumWarps*MaskW-1:0]      mask_q;

  // A table selected, as {pending, names, masks}: one-hot AND and OR, so that a warp that is not there gives 0. A
  // function, because two processes that select parts of one vector wake each other without end in Icarus 11. Indices
  // start at 0, because Yosys takes them for latches else.
  function automatic logic [TableW-1:0] table_of(input logic [NumWarps*NumEntries-1:0] pendings,
                                                 input logic [NumWarps*MaskW-1:0] masks,
                                                 input logic [NumWarps*RowW-1:0] regs, input logic [WarpW-1:0] warp);
    int w;
    w = 0;
    table_of = '0;
    for (w = 0; w < NumWarps; w++) begin
      if (warp == WarpW'(w)) begin
        table_of |= {pendings[w*NumEntries +: NumEntries], regs[w*RowW +: RowW], masks[w*MaskW +: MaskW]};
      end
    end
  endfunction

  // The pending entries with a register that is one of the names and with one of the threads. Only pending entries are
  // compared: a guard that costs next to no gate and spares a simulator the comparison. Verilator keeps it a function:
  // with 192 copies a front end is twice as long and a third slower. Bits are set by a shift, because what guards the
  // index of named[e] would stand outside of that function.
  function automatic logic [NumEntries-1:0] named(input logic [TableW-1:0] row, input logic [NamesW-1:0] names,
                                                  input logic [Lanes-1:0] mask);
    /* verilator no_inline_task */
    int e, n;
    e = 0;
    n = 0;
    named = '0;
    for (e = 0; e < NumEntries; e++) begin
      if (row[MaskW+RowW+e] && ((row[e*Lanes +: Lanes] & mask) != '0)) begin
        for (n = 0; n < NamesW; n += RegW) begin
          if (names[n +: RegW] == row[MaskW+e*RegW +: RegW]) named |= NumEntries'(1) << e;
        end
      end
    end
  endfunction

  // The warp that sets, and the entries that the write-backs clear.
  logic [NumWarps-1:0]         sets, filled;   // filled: no entry is free
  logic [ClearW-1:0]           wb_clear;
  assign sets = (set_reg_i != '0) ? set_i : '0;

  // wb_clear as a whole: Icarus 11 does not survive a vector of which one process writes parts and another reads some.
  always_comb begin
    wb_clear = '0;
    for (int k = 0; k < NumWb; k++) begin
      if (wb_valid_i[k]) begin
        wb_clear = wb_clear | (ClearW'(
          named(table_of(pending_q, mask_q, reg_q, wb_warp_i[k*WarpW +: WarpW]),
                {(NamesW/RegW){wb_reg_i[k*RegW +: RegW]}}, wb_mask_i[k*Lanes +: Lanes])) << (k * NumEntries));
      end
    end
  end

  generate
    // A process a port: with all of 192 ports in one Yosys needs hours. No entry is of register 0: an instruction
    // without registers need not be compared, nor one of a warp that waits for no write.
    for (genvar p = 0; p < NumCheck; p++) begin : gen_check
      localparam int W = p % NumWarps;
      always_comb begin
        check_wait_o[p*NumEntries +: NumEntries] = '0;
        check_full_o[p]                          = 1'b0;
        if (pending_q[W*NumEntries +: NumEntries] != '0) begin
          if (check_names_i[p*NamesW +: NamesW] != '0) begin
            check_wait_o[p*NumEntries +: NumEntries] =
              named({pending_q[W*NumEntries +: NumEntries], reg_q[W*RowW +: RowW], mask_q[W*MaskW +: MaskW]},
                    check_names_i[p*NamesW +: NamesW], check_mask_i[p*Lanes +: Lanes]);
            check_full_o[p] = filled[W] && (check_names_i[p*NamesW +: RegW] != '0);
          end
        end
      end
    end

    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      logic [NumEntries-1:0] own, written, clears, free;
      logic [MaskW-1:0]      stays;   // threads whose write has not come back

      assign own       = pending_q[w*NumEntries +: NumEntries];
      assign filled[w] = own == '1;
      assign free = ~own & (own + NumEntries'(1));   // the lowest entry that is free
      always_comb begin
        written = '0;
        for (int k = 0; k < NumWb; k++) begin
          if (wb_warp_i[k*WarpW +: WarpW] == WarpW'(w)) written |= wb_clear[k*NumEntries +: NumEntries];
        end
      end
      if (Partial != 0) begin : gen_partial
        always_comb begin
          stays = mask_q[w*MaskW +: MaskW];
          for (int k = 0; k < NumWb; k++) begin
            for (int e = 0; e < NumEntries; e++) begin
              if ((wb_warp_i[k*WarpW +: WarpW] == WarpW'(w)) && wb_clear[k*NumEntries + e])
                stays[e*Lanes +: Lanes] = stays[e*Lanes +: Lanes] & ~wb_mask_i[k*Lanes +: Lanes];
            end
          end
        end
        for (genvar e = 0; e < NumEntries; e++) begin : gen_entry
          assign clears[e] = written[e] && (stays[e*Lanes +: Lanes] == '0);
        end
      end else begin : gen_whole
        assign stays  = mask_q[w*MaskW +: MaskW];
        assign clears = written;
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) pending_q[w*NumEntries +: NumEntries] <= '0;
        else         pending_q[w*NumEntries +: NumEntries] <= (own & ~clears) | ({NumEntries{sets[w]}} & free);
      end

      // Every free entry takes name and mask, one of them becomes pending with them.
      always_ff @(posedge clk_i) begin
        if (set_i[w]) begin
          for (int e = 0; e < NumEntries; e++) if (!own[e]) reg_q[w*RowW + e*RegW +: RegW] <= set_reg_i;
        end
        if (set_i[w] || (Partial != 0)) begin
          for (int e = 0; e < NumEntries; e++) begin
            mask_q[w*MaskW + e*Lanes +: Lanes] <= (set_i[w] && !own[e]) ? set_mask_i : stays[e*Lanes +: Lanes];
          end
        end
      end
    end
  endgenerate

  assign pending_o = pending_q;
  assign reg_o     = reg_q;
  assign mask_o    = mask_q;

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert ((set_i & (set_i - NumWarps'(1))) == '0);   // sets of several warps
      for (int w = 0; w < NumWarps; w++) begin
        assert (!(sets[w] && (pending_o[w*NumEntries +: NumEntries] == '1)));   // set in a full table
        // The register is pending already for one of the threads.
        assert (!(sets[w] && (named(table_of(pending_q, mask_q, reg_q, WarpW'(w)), {(NamesW/RegW){set_reg_i}},
                                    set_mask_i) != '0)));
      end
      for (int k = 0; k < NumWb; k++) begin
        assert (!(wb_valid_i[k] && (32'(wb_warp_i[k*WarpW +: WarpW]) >= NumWarps)));   // wb_warp_i names no warp
      end
    end
  end
`endif
endmodule
