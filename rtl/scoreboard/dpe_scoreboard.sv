// SPDX-License-Identifier: Apache-2.0
// dpe_scoreboard: a left and a right table of registers with a write in flight for each of NumWarps warps; a shadow bit
// an entry says that the write also holds for the other path of the warp.
//
// Contract
//   Latency  set, write-back and copy sampled at edge t show in the tables, and so in check_*_o, after edge t.
//            check_*_o, set_entry_o and wake_o follow the pins of their group in the same cycle.
//   Order    In one cycle and warp: first write-backs (clear pending and shadow) and set (pending; its shadow becomes
//            0), then copy: shadow := pending, in both tables, as they are after those. A register set in the cycle of
//            a push is shadowed, one written back in it is not. A set takes the lowest entry that is free in registered
//            state: an entry being cleared is not free yet.
//   Reset    asynchronous, active low; nothing pending. Register names have none: one is written before it counts.
//   Idle     set_entry_o and wake_o are 0 without a set or a pending entry of the write-back. A check of a warp that is
//            not there says 0. The register name of an entry that is not pending is undefined.
//   Assumes  (asserted) a set of one path at most, whose table is not full and in which the register is not pending. A
//            write-back without a pending entry, or to register 0, is legal and does nothing; so does a set of register
//            0.
//   Holds    (asserted) a shadow bit is set only where the pending bit is.
//   Not here whether an instruction may issue for other reasons, and when to copy: frontend (push and pop).
// Source: DPE paper, section 3.2, Figures 6 and 7.
module dpe_scoreboard #(
  parameter  int NumWarps   = 24,  // warps of the partition
  parameter  int NumEntries = 8,  // entries of a table
  parameter  int NumWb      = 2,  // write-backs of a cycle
  parameter  int NumCheck   = 3,  // instructions that are checked in a cycle
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps),
  localparam int NumPaths   = 2 * NumWarps,   // path of slot s of warp w: s*NumWarps + w
  localparam int RegW       = heddle_pkg::RegW,
  localparam int NamesW     = heddle_pkg::NamesW
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // from issue
  input  logic [NumPaths-1:0]                 set_i,          // the path that issues, one-hot
  input  logic [RegW-1:0]                     set_reg_i,
  // from write-back
  input  logic [NumWb-1:0]                    wb_valid_i,
  input  logic [NumWb*WarpW-1:0]              wb_warp_i,
  input  logic [NumWb-1:0]                    wb_slot_i,
  input  logic [NumWb*RegW-1:0]               wb_reg_i,
  // from stack: push and pop
  input  logic                                copy0_valid_i,
  input  logic [WarpW-1:0]                    copy0_warp_i,
  input  logic                                copy1_valid_i,
  input  logic [WarpW-1:0]                    copy1_warp_i,
  // from and to whoever checks
  input  logic [NumCheck*WarpW-1:0]           check_warp_i,
  input  logic [NumCheck-1:0]                 check_slot_i,
  input  logic [NumCheck*NamesW-1:0]          check_names_i,  // {rs3, rs2, rs1, rd} of an instruction
  output logic [NumCheck*2*NumEntries-1:0]    check_wait_o,   // what it waits for: own table's entries, the other's
  output logic [NumCheck-1:0]                 check_full_o,   // it has rd, and no entry of its own table is free
  // to wakeup
  output logic [NumEntries-1:0]               set_entry_o,    // the entry that the set takes
  output logic [NumWb*NumEntries-1:0]         wake_o,         // the entry that each write-back frees
  // state
  output logic [NumWarps*NumEntries-1:0]      pending_l_o,
  output logic [NumWarps*NumEntries-1:0]      shadow_l_o,
  output logic [NumWarps*NumEntries*RegW-1:0] reg_l_o,
  output logic [NumWarps*NumEntries-1:0]      pending_r_o,
  output logic [NumWarps*NumEntries-1:0]      shadow_r_o,
  output logic [NumWarps*NumEntries*RegW-1:0] reg_r_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (NumEntries < 1) NumEntries_must_be_at_least_1 limit ();
  if (NumWb < 1) NumWb_must_be_at_least_1 limit ();
  if (NumCheck < 1) NumCheck_must_be_at_least_1 limit ();

  localparam int RowW   = NumEntries * RegW;
  localparam int TableW = RowW + 2 * NumEntries;
  localparam int WaitW  = 2 * NumEntries;

  // A table is a row: a pending bit, a shadow bit and a name for each entry.
  logic [NumWarps*TableW-1:0] tables_l, tables_r;

  // A table selected: one-hot AND and OR, so that a warp that is not there gives 0. A function, because two processes
  // that select parts of one vector wake each other without end in Icarus 11. Indices start at 0, because Yosys takes
  // them for latches else.
  function automatic logic [TableW-1:0] table_of(input logic [NumWarps*TableW-1:0] rows, input logic [WarpW-1:0] warp);
    int w;
    w = 0;
    table_of = '0;
    for (w = 0; w < NumWarps; w++) table_of |= {TableW{warp == WarpW'(w)}} & rows[w*TableW +: TableW];
  endfunction

  // The pending entries with a register that is one of the names. Only pending entries are compared: a guard that costs
  // next to no gate and spares a simulator the comparison.
  function automatic logic [NumEntries-1:0] named(input logic [TableW-1:0] row, input logic [NamesW-1:0] names);
    int e, n;
    e = 0;
    n = 0;
    named = '0;
    for (e = 0; e < NumEntries; e++) begin
      if (row[RowW+e]) begin
        for (n = 0; n < NamesW; n += RegW) begin
          if (names[n +: RegW] == row[e*RegW +: RegW]) named[e] = 1'b1;
        end
      end
    end
  endfunction

  // The entry that a set takes: the lowest that is free. It is known of every table before the set comes, and which
  // table it is before which register.
  logic [NumPaths-1:0]            sets;
  logic [NumPaths*NumEntries-1:0] free;
  logic [NumEntries-1:0]          set_free;
  assign sets        = (set_reg_i != '0) ? set_i : '0;
  assign set_entry_o = (set_reg_i != '0) ? set_free : '0;
  always_comb begin
    set_free = '0;
    for (int p = 0; p < NumPaths; p++) begin
      set_free = set_free | ({NumEntries{set_i[p]}} & free[p*NumEntries +: NumEntries]);
    end
  end

  generate
    for (genvar k = 0; k < NumWb; k++) begin : gen_wake
      logic [TableW-1:0] row;
      assign row = wb_slot_i[k] ? table_of(tables_r, wb_warp_i[k*WarpW +: WarpW]) :
                                  table_of(tables_l, wb_warp_i[k*WarpW +: WarpW]);
      assign wake_o[k*NumEntries +: NumEntries] =
        {NumEntries{wb_valid_i[k]}} & named(row, {(NamesW/RegW){wb_reg_i[k*RegW +: RegW]}});
    end

    // Own table by pending, the other slot's table by shadow (never set without pending).
    for (genvar k = 0; k < NumCheck; k++) begin : gen_check
      logic [TableW-1:0]     row_l, row_r;
      logic [NumEntries-1:0] named_l, named_r, own_pending;
      assign row_l       = table_of(tables_l, check_warp_i[k*WarpW +: WarpW]);
      assign row_r       = table_of(tables_r, check_warp_i[k*WarpW +: WarpW]);
      assign named_l     = named(row_l, check_names_i[k*NamesW +: NamesW]);
      assign named_r     = named(row_r, check_names_i[k*NamesW +: NamesW]);
      assign own_pending = check_slot_i[k] ? row_r[RowW +: NumEntries] : row_l[RowW +: NumEntries];
      assign check_wait_o[k*WaitW +: WaitW] =
        check_slot_i[k] ? {named_l & row_l[TableW-1 -: NumEntries], named_r} :
                          {named_r & row_r[TableW-1 -: NumEntries], named_l};
      assign check_full_o[k] = (check_names_i[k*NamesW +: RegW] != '0) && (own_pending == '1);
    end

    for (genvar p = 0; p < NumPaths; p++) begin : gen_table
      localparam int               W    = p % NumWarps;
      localparam logic [WarpW-1:0] Warp = WarpW'(W);
      localparam logic             Slot = p >= NumWarps;

      logic                  copies;
      logic [NumEntries-1:0] pending_d, pending_q, shadow_q, woken;
      logic [RowW-1:0]       reg_q;

      assign free[p*NumEntries +: NumEntries] = ~pending_q & (pending_q + NumEntries'(1));
      assign copies = (copy0_valid_i && (copy0_warp_i == Warp)) || (copy1_valid_i && (copy1_warp_i == Warp));
      always_comb begin
        woken = '0;
        for (int k = 0; k < NumWb; k++) begin
          woken |= {NumEntries{(wb_warp_i[k*WarpW +: WarpW] == Warp) && (wb_slot_i[k] == Slot)}} &
                   wake_o[k*NumEntries +: NumEntries];
        end
      end
      assign pending_d = (pending_q & ~woken) | ({NumEntries{sets[p]}} & free[p*NumEntries +: NumEntries]);

      // The entry that a set takes is free, so its shadow bit is 0 as it is.
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          pending_q <= '0;
          shadow_q  <= '0;
        end else begin
          pending_q <= pending_d;
          shadow_q  <= copies ? pending_d : (shadow_q & ~woken);
        end
      end

      // Every free entry takes the name, one of them becomes pending with it.
      always_ff @(posedge clk_i) begin
        for (int e = 0; e < NumEntries; e++) begin
          if (set_i[p] && !pending_q[e]) reg_q[e*RegW +: RegW] <= set_reg_i;
        end
      end

      if (Slot) begin : gen_right
        assign tables_r[W*TableW +: TableW]            = {shadow_q, pending_q, reg_q};
        assign pending_r_o[W*NumEntries +: NumEntries] = pending_q;
        assign shadow_r_o[W*NumEntries +: NumEntries]  = shadow_q;
        assign reg_r_o[W*RowW +: RowW]                 = reg_q;
      end else begin : gen_left
        assign tables_l[W*TableW +: TableW]            = {shadow_q, pending_q, reg_q};
        assign pending_l_o[W*NumEntries +: NumEntries] = pending_q;
        assign shadow_l_o[W*NumEntries +: NumEntries]  = shadow_q;
        assign reg_l_o[W*RowW +: RowW]                 = reg_q;
      end
    end
  endgenerate

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert ((set_i & (set_i - NumPaths'(1))) == '0);   // sets of several paths
      for (int w = 0; w < NumWarps; w++) begin
        // Set in a full table.
        assert (!(sets[w] && (pending_l_o[w*NumEntries +: NumEntries] == '1)));
        assert (!(sets[NumWarps+w] && (pending_r_o[w*NumEntries +: NumEntries] == '1)));
        // The register is pending already.
        assert (!(sets[w] && (named(tables_l[w*TableW +: TableW], {(NamesW/RegW){set_reg_i}}) != '0)));
        assert (!(sets[NumWarps+w] && (named(tables_r[w*TableW +: TableW], {(NamesW/RegW){set_reg_i}}) != '0)));
      end
      for (int k = 0; k < NumWb; k++) begin
        assert (!(wb_valid_i[k] && (32'(wb_warp_i[k*WarpW +: WarpW]) >= NumWarps)));   // wb_warp_i names no warp
      end
      assert (!(copy0_valid_i && (32'(copy0_warp_i) >= NumWarps)));   // copy0_warp_i names no warp
      assert (!(copy1_valid_i && (32'(copy1_warp_i) >= NumWarps)));   // copy1_warp_i names no warp
      assert ((shadow_l_o & ~pending_l_o) == '0);                     // a shadow without its write
      assert ((shadow_r_o & ~pending_r_o) == '0);                     // a shadow without its write
    end
  end
`endif
endmodule
