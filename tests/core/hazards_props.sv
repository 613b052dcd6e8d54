// SPDX-License-Identifier: Apache-2.0
// Properties of hazards with the scoreboards that are asked for every head (scripts/prove); what goes through wakeup is proved
// there, and the copies of two slots with the scoreboard. One register of one thread of one warp, all arbitrary, is followed by
// a reference that knows no table: is a write of it in flight?
//
//! run Scoreboard=2 NumWarps=2 NumSlots=2 Lanes=3 Partial=0
//! run Scoreboard=2 NumWarps=1 NumSlots=2 Lanes=4 Partial=1
//! run Scoreboard=3 NumWarps=3 NumSlots=1 Lanes=2 Partial=0
//! assume grant_is_legal: One path at most is granted. If it writes the register looked at, none of its threads has a write of it in flight, and there is an entry.
//! assume write_back_is_legal: A write-back names a warp and, of the register looked at, all threads of the write that it ends or none; with Partial=1 any of them.
//! assume paths_are_disjoint: The paths of a warp have no thread in common, and one that is granted has its own threads.
//! assume one_is_any: The warp, thread and register looked at are any, the register is not 0.
//! together write_is_pending no_hazard no_false_hazard writes_are_told
//!
//! property write_is_pending: The register of the thread is in one entry of the scoreboard while a write of it is in flight, else in none.
//!   mutant hazards_writes_of_slot_1_are_lost
//! property no_hazard: A path with the thread is blocked while its head names the register and a write of it is in flight.
//!   mutant hazards_blocked_by_all_but_the_last
//! property no_false_hazard: A path of the thread alone whose head names no other register is not blocked without such a write.
//!   mutant hazards_blocked_by_a_neighbour
//! property writes_are_told: A warp with a write in flight says so, and one with no entry that is pending does not.
//!   mutant hazards_writes_of_the_next_warp
module hazards_props #(
  parameter  int Scoreboard = 2,
  parameter  int NumWarps   = 2,
  parameter  int NumSlots   = 2,
  parameter  int Lanes      = 3,
  parameter  int Partial    = 0,
  localparam int NumPaths   = NumSlots * NumWarps,
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW      = heddle_pkg::idx_width(NumSlots),
  localparam int LaneW      = heddle_pkg::idx_width(Lanes),
  localparam int NamesW     = heddle_pkg::NamesW,
  localparam int RegW       = heddle_pkg::RegW
) (
  input logic                       clk_i,
  input logic [NumPaths*NamesW-1:0] head_names_i,
  input logic [NumPaths-1:0]        grant_i,
  input logic [RegW-1:0]            grant_reg_i,
  input logic [Lanes-1:0]           grant_mask_i,
  input logic [NumPaths*Lanes-1:0]  mask_i,
  input logic [1:0]                 wb_valid_i,
  input logic [2*WarpW-1:0]         wb_warp_i,
  input logic [2*RegW-1:0]          wb_reg_i,
  input logic [2*Lanes-1:0]         wb_mask_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  localparam int SbEntries = 1;   // two of the optimistic scoreboard
  logic [NumPaths-1:0] blocked, full;
  logic [NumWarps-1:0] writes;

  hazards #(
    .NumWarps   (NumWarps),
    .Lanes      (Lanes),
    .NumSlots   (NumSlots),
    .Scoreboard (Scoreboard),
    .SbEntries  (SbEntries),
    .NumWb      (2),
    .Partial    (Partial)
  ) dut (
    .clk_i          (clk_i),
    .rst_ni         (rst_n),
    .clear_i        ({NumPaths{1'b0}}),
    .fill_i         ({NumPaths{1'b0}}),
    .head_valid_i   ({NumPaths{1'b0}}),
    .head_names_i   (head_names_i),
    .second_valid_i ({NumPaths{1'b0}}),
    .second_names_i ({(NumPaths*NamesW){1'b0}}),
    .fill_warp_i    ({WarpW{1'b0}}),
    .fill_slot_i    ({SlotW{1'b0}}),
    .fill_names_i   ({NamesW{1'b0}}),
    .grant_i        (grant_i),
    .grant_warp_i   ({WarpW{1'b0}}),
    .grant_slot_i   ({SlotW{1'b0}}),
    .grant_reg_i    (grant_reg_i),
    .grant_mask_i   (grant_mask_i),
    .mask_i         (mask_i),
    .push_valid_i   (1'b0),
    .push_warp_i    ({WarpW{1'b0}}),
    .pop_valid_i    (1'b0),
    .pop_warp_i     ({WarpW{1'b0}}),
    .wb_valid_i     (wb_valid_i),
    .wb_warp_i      (wb_warp_i),
    .wb_slot_i      ({(2*SlotW){1'b0}}),
    .wb_reg_i       (wb_reg_i),
    .wb_mask_i      (wb_mask_i),
    .blocked_o      (blocked),
    .full_o         (full),
    .writes_o       (writes)
  );

  (* anyconst *) logic [WarpW-1:0] warp;
  (* anyconst *) logic [LaneW-1:0] lane;
  (* anyconst *) logic [RegW-1:0]  name;

  logic in_flight_q;

  // Entries of the warp: which are pending, and which have the register of the thread. A bitmap knows no threads: one entry,
  // of all of them. (genblk7: as Yosys names the chain of kinds. A name that is not there is any value: write_is_pending fails.)
  logic [1:0]         pending, mine;
  logic [2*Lanes-1:0] masks;         // threads of the entries that have the register, which nobody else may write
  localparam int NumRegs = 1 << RegW;
  (* hierconn *) wire [NumWarps*2-1:0]       \dut.genblk7.gen_optimistic.pending ;
  (* hierconn *) wire [NumWarps*2*RegW-1:0]  \dut.genblk7.gen_optimistic.unused_reg ;
  (* hierconn *) wire [NumWarps*2*Lanes-1:0] \dut.genblk7.gen_optimistic.unused_mask ;
  (* hierconn *) wire [NumPaths*NumRegs-1:0] \dut.genblk7.gen_bitmap.pending ;
  wire [2*RegW-1:0]  regs     = \dut.genblk7.gen_optimistic.unused_reg [warp*2*RegW +: 2*RegW];
  wire [2*Lanes-1:0] in_entry = \dut.genblk7.gen_optimistic.unused_mask [warp*2*Lanes +: 2*Lanes];
  wire [NumRegs-1:0] row      = \dut.genblk7.gen_bitmap.pending [warp*NumRegs +: NumRegs];
  always_comb begin
    if (Scoreboard == heddle_pkg::ScoreboardOptimistic) begin
      pending = \dut.genblk7.gen_optimistic.pending [warp*2 +: 2];
      for (int e = 0; e < 2; e++) begin
        masks[e*Lanes +: Lanes] = in_entry[e*Lanes +: Lanes] & {Lanes{pending[e] && (regs[e*RegW +: RegW] == name)}};
      end
    end else begin
      pending = {1'b0, row != '0};
      masks   = {{Lanes{1'b0}}, {Lanes{row[name]}}};
    end
    mine = {masks[Lanes + 32'(lane)], masks[lane]};
  end

  // Of the paths of the warp.
  logic             grants, blocks, legal, names, only, disjoint;
  logic [Lanes-1:0] path_mask, taken;
  logic [1:0]       ends;                // write-backs of the register
  logic             no_hazard_ok, false_ok;
  always_comb begin
    grants       = 1'b0;
    legal        = (grant_i & (grant_i - NumPaths'(1))) == '0;
    disjoint     = 1'b1;
    no_hazard_ok = 1'b1;
    false_ok     = 1'b1;
    taken        = '0;
    path_mask    = '0;
    names        = 1'b0;
    only         = 1'b1;
    blocks       = 1'b0;
    for (int s = 0; s < NumSlots; s++) begin
      path_mask = mask_i[(s*NumWarps + 32'(warp))*Lanes +: Lanes];
      blocks    = blocked[s*NumWarps + 32'(warp)];
      if ((path_mask & taken) != '0) disjoint = 1'b0;
      taken = taken | path_mask;
      if (grant_i[s*NumWarps + 32'(warp)]) begin
        grants = 1'b1;
        if ((grant_mask_i & ~path_mask) != '0) disjoint = 1'b0;
      end
      names = 1'b0;
      only  = 1'b1;
      for (int n = 0; n < NamesW / RegW; n++) begin
        if (head_names_i[(s*NumWarps + 32'(warp))*NamesW + n*RegW +: RegW] == name) names = 1'b1;
        else if (head_names_i[(s*NumWarps + 32'(warp))*NamesW + n*RegW +: RegW] != '0) only = 1'b0;
      end
      if (names && path_mask[lane] && in_flight_q && !blocks) no_hazard_ok = 1'b0;
      if (only && ((path_mask & ~(Lanes'(1) << lane)) == '0) && !in_flight_q && blocks) false_ok = 1'b0;
    end
    if (grants && (grant_reg_i == name) && (((masks[0 +: Lanes] | masks[Lanes +: Lanes]) & grant_mask_i) != '0)) legal = 1'b0;
    if (grants && (grant_mask_i == '0)) legal = 1'b0;
    if (grants && (Scoreboard == heddle_pkg::ScoreboardOptimistic) && (grant_reg_i != '0) && (pending == '1)) legal = 1'b0;
  end

  logic wb_ok;
  always_comb begin
    wb_ok = 1'b1;
    for (int k = 0; k < 2; k++) begin
      ends[k] = wb_valid_i[k] && (wb_warp_i[k*WarpW +: WarpW] == warp) && (wb_reg_i[k*RegW +: RegW] == name);
      if (wb_valid_i[k] && (32'(wb_warp_i[k*WarpW +: WarpW]) >= NumWarps)) wb_ok = 1'b0;
      for (int e = 0; e < 2; e++) begin
        if (ends[k] && (Partial == 0) && ((masks[e*Lanes +: Lanes] & wb_mask_i[k*Lanes +: Lanes]) != '0) &&
            ((masks[e*Lanes +: Lanes] & ~wb_mask_i[k*Lanes +: Lanes]) != '0)) wb_ok = 1'b0;
      end
      // A bitmap clears whatever the threads are.
      if (ends[k] && (Scoreboard == heddle_pkg::ScoreboardBitmap) && !wb_mask_i[k*Lanes + 32'(lane)]) wb_ok = 1'b0;
    end
    if (grants && (Scoreboard == heddle_pkg::ScoreboardBitmap) && (grant_reg_i == name) && !grant_mask_i[lane]) wb_ok = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      in_flight_q <= 1'b0;
    end else begin
      for (int k = 0; k < 2; k++) begin
        if (ends[k] && wb_mask_i[k*Lanes + 32'(lane)]) in_flight_q <= 1'b0;
      end
      if (grants && (grant_reg_i == name) && grant_mask_i[lane]) in_flight_q <= 1'b1;
    end
  end

  always_comb begin
    one_is_any: assume ((32'(warp) < NumWarps) && (32'(lane) < Lanes) && (name != '0));
    if (rst_n) begin
      grant_is_legal:        assume (legal);
      write_back_is_legal:   assume (wb_ok);
      paths_are_disjoint:    assume (disjoint);
      write_is_pending:      assert (in_flight_q ? (mine != '0) && ((mine & (mine - 2'd1)) == '0) : (mine == '0));
      write_is_pending_seen: cover (in_flight_q && (ends != '0));
      no_hazard:             assert (no_hazard_ok);
      no_hazard_seen:        cover (in_flight_q && blocked[NumPaths-1] && (32'(warp) == NumWarps - 1));
      no_false_hazard:       assert (false_ok);
      no_false_hazard_seen:  cover (!in_flight_q && only && names && (path_mask == (Lanes'(1) << lane)) && (pending != '0));
      writes_are_told:       assert (writes[warp] ? pending != '0 : !in_flight_q);
      writes_are_told_seen:  cover (in_flight_q && writes[warp]);
    end
  end
endmodule
