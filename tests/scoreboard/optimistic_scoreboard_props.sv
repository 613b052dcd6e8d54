// SPDX-License-Identifier: Apache-2.0
// Properties of optimistic_scoreboard (scripts/prove). One register of one thread of one warp, all arbitrary, is followed
// by a reference that knows no table: is a write of it in flight?
//
//! run NumWarps=1 Lanes=4 NumEntries=3
//! run NumWarps=2 Lanes=8 NumEntries=4
//! run NumWarps=1 Lanes=4 NumEntries=3 Partial=1
//! assume set_is_legal: A set is of one warp, whose table has room, and names a thread and a register without a write of one of its threads in flight.
//! assume write_back_is_legal: A write-back names a warp and has the threads of the write that it ends: all of them or none; with Partial=1 any of them.
//! assume paths_are_disjoint: The two paths of a warp have no thread in common.
//! assume one_is_any: The warp, thread and register looked at are any, the register is not 0.
//! together no_hazard no_false_hazard once_in_the_table zero_is_never_pending entry_has_a_thread
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant optimistic_scoreboard_pending_output_hides_one
//! property no_hazard: A path that names a register with a write of one of its threads in flight is blocked.
//!   mutant optimistic_scoreboard_mask_of_the_other_side
//! property no_false_hazard: A path is not blocked by a register of which none of its threads has a write in flight.
//!   mutant optimistic_ignores_threads
//! property once_in_the_table: A register of a thread is pending in one entry while a write of it is in flight, else in none.
//!   mutant optimistic_scoreboard_write_back_1_ignored
//! property zero_is_never_pending: Register 0 is never pending.
//!   mutant optimistic_scoreboard_set_of_register_0
//! property entry_has_a_thread: Threads that come back apart: an entry that is pending has a thread whose write is in flight, so the last one clears it.
//!   only Partial=1
//!   mutant optimistic_scoreboard_entry_outlives_its_threads
//! property full_means_full: An instruction with a destination sees a full table when every entry is pending, and only then.
//!   mutant optimistic_scoreboard_full_one_late
module optimistic_scoreboard_props #(
  parameter  int NumWarps   = 1,
  parameter  int Lanes      = 4,
  parameter  int NumEntries = 3,
  parameter  int Partial    = 0,
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps),
  localparam int LaneW      = heddle_pkg::idx_width(Lanes)
) (
  input logic                      clk_i,
  input logic [NumWarps-1:0]       set_i,
  input logic [5:0]                set_reg_i,
  input logic [Lanes-1:0]          set_mask_i,
  input logic                      wb0_valid_i,
  input logic [WarpW-1:0]          wb0_warp_i,
  input logic [5:0]                wb0_reg_i,
  input logic [Lanes-1:0]          wb0_mask_i,
  input logic                      wb1_valid_i,
  input logic [WarpW-1:0]          wb1_warp_i,
  input logic [5:0]                wb1_reg_i,
  input logic [Lanes-1:0]          wb1_mask_i,
  input logic [NumWarps*24-1:0]    head_l_i,
  input logic [NumWarps*24-1:0]    head_r_i,
  input logic [NumWarps*Lanes-1:0] mask_l_i,
  input logic [NumWarps*Lanes-1:0] mask_r_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  localparam int RowW  = NumEntries * 6;
  localparam int MaskW = NumEntries * Lanes;
  logic [NumWarps-1:0]            blocked_l, blocked_r, full_l, full_r;
  logic [2*NumWarps*NumEntries-1:0] waits;   // each path is asked for at a port of its own, left ones first
  logic [NumWarps*NumEntries-1:0] pending;
  logic [NumWarps*RowW-1:0]       regs;
  logic [NumWarps*MaskW-1:0]      masks;

  optimistic_scoreboard #(
    .NumWarps   (NumWarps),
    .Lanes      (Lanes),
    .NumEntries (NumEntries),
    .NumCheck   (2 * NumWarps),
    .Partial    (Partial)
  ) dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_n),
    .set_i         (set_i),
    .set_reg_i     (set_reg_i),
    .set_mask_i    (set_mask_i),
    .wb_valid_i    ({wb1_valid_i, wb0_valid_i}),
    .wb_warp_i     ({wb1_warp_i, wb0_warp_i}),
    .wb_reg_i      ({wb1_reg_i, wb0_reg_i}),
    .wb_mask_i     ({wb1_mask_i, wb0_mask_i}),
    .check_names_i ({head_r_i, head_l_i}),
    .check_mask_i  ({mask_r_i, mask_l_i}),
    .check_wait_o  (waits),
    .check_full_o  ({full_r, full_l}),
    .pending_o     (pending),
    .reg_o         (regs),
    .mask_o        (masks)
  );
  always_comb begin
    for (int w = 0; w < NumWarps; w++) begin
      blocked_l[w] = waits[w*NumEntries +: NumEntries] != '0;
      blocked_r[w] = waits[(NumWarps+w)*NumEntries +: NumEntries] != '0;
    end
  end

  (* anyconst *) logic [WarpW-1:0] warp;
  (* anyconst *) logic [LaneW-1:0] lane;
  (* anyconst *) logic [5:0]       name;

  logic in_flight_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      in_flight_q <= 1'b0;
    end else begin
      if ((wb0_valid_i && (wb0_warp_i == warp) && (wb0_reg_i == name) && wb0_mask_i[lane]) ||
          (wb1_valid_i && (wb1_warp_i == warp) && (wb1_reg_i == name) && wb1_mask_i[lane])) in_flight_q <= 1'b0;
      if (set_i[warp] && (set_reg_i == name) && set_mask_i[lane])                           in_flight_q <= 1'b1;
    end
  end

  // The table that is set has room and lacks the register; a write-back has all threads of an entry or none.
  logic [NumEntries-1:0] table_pending, set_pending, mine;
  logic [RowW-1:0]       table_regs, set_regs, wb0_regs, wb1_regs;
  logic [MaskW-1:0]      table_masks, set_masks, wb0_masks, wb1_masks;
  logic                  zero_pending, has_thread, set_ok, wb0_ok, wb1_ok;
  assign table_pending = pending[warp*NumEntries +: NumEntries];
  assign table_regs    = regs[warp*RowW +: RowW];
  assign table_masks   = masks[warp*MaskW +: MaskW];
  assign wb0_regs      = regs[wb0_warp_i*RowW +: RowW];
  assign wb0_masks     = masks[wb0_warp_i*MaskW +: MaskW];
  assign wb1_regs      = regs[wb1_warp_i*RowW +: RowW];
  assign wb1_masks     = masks[wb1_warp_i*MaskW +: MaskW];
  always_comb begin
    set_pending = '0;
    set_regs    = '0;
    set_masks   = '0;
    for (int w = 0; w < NumWarps; w++) begin
      if (set_i[w]) begin
        set_pending = pending[w*NumEntries +: NumEntries];
        set_regs    = regs[w*RowW +: RowW];
        set_masks   = masks[w*MaskW +: MaskW];
      end
    end
    set_ok = (set_i == '0) || ((set_pending != '1) && (set_mask_i != '0));
    wb0_ok = 32'(wb0_warp_i) < NumWarps;
    wb1_ok = 32'(wb1_warp_i) < NumWarps;
    mine   = '0;
    zero_pending = 1'b0;
    has_thread   = 1'b1;
    for (int e = 0; e < NumEntries; e++) begin
      if (set_pending[e] && (set_regs[e*6 +: 6] == set_reg_i) &&
          ((set_masks[e*Lanes +: Lanes] & set_mask_i) != '0)) set_ok = 1'b0;
      if (pending[wb0_warp_i*NumEntries + e] && (wb0_regs[e*6 +: 6] == wb0_reg_i) &&
          ((wb0_masks[e*Lanes +: Lanes] & wb0_mask_i) != '0) &&
          ((wb0_masks[e*Lanes +: Lanes] & ~wb0_mask_i) != '0) && (Partial == 0)) wb0_ok = 1'b0;
      if (pending[wb1_warp_i*NumEntries + e] && (wb1_regs[e*6 +: 6] == wb1_reg_i) &&
          ((wb1_masks[e*Lanes +: Lanes] & wb1_mask_i) != '0) &&
          ((wb1_masks[e*Lanes +: Lanes] & ~wb1_mask_i) != '0) && (Partial == 0)) wb1_ok = 1'b0;
      if (table_pending[e] && (table_regs[e*6 +: 6] == '0)) zero_pending = 1'b1;
      if (table_pending[e] && (table_masks[e*Lanes +: Lanes] == '0)) has_thread = 1'b0;
      mine[e] = table_pending[e] && (table_regs[e*6 +: 6] == name) && table_masks[e*Lanes + 32'(lane)];
    end
  end

  logic [23:0]      head_l, head_r;
  logic [Lanes-1:0] mask_l, mask_r;
  logic             names_l, names_r, only_l, only_r;   // the register; no other one
  assign head_l = head_l_i[warp*24 +: 24];
  assign head_r = head_r_i[warp*24 +: 24];
  assign mask_l = mask_l_i[warp*Lanes +: Lanes];
  assign mask_r = mask_r_i[warp*Lanes +: Lanes];
  always_comb begin
    names_l = 1'b0;
    names_r = 1'b0;
    only_l  = 1'b1;
    only_r  = 1'b1;
    for (int n = 0; n < 4; n++) begin
      if (head_l[n*6 +: 6] == name) names_l = 1'b1;
      if (head_r[n*6 +: 6] == name) names_r = 1'b1;
      if ((head_l[n*6 +: 6] != name) && (head_l[n*6 +: 6] != '0)) only_l = 1'b0;
      if ((head_r[n*6 +: 6] != name) && (head_r[n*6 +: 6] != '0)) only_r = 1'b0;
    end
  end

  always_comb begin
    one_is_any: assume ((32'(warp) < NumWarps) && (32'(lane) < Lanes) && (name != '0));
    if (rst_n) begin
      set_is_legal:           assume (((set_i & (set_i - NumWarps'(1))) == '0) && ((set_reg_i == '0) || set_ok));
      write_back_is_legal:    assume ((!wb0_valid_i || wb0_ok) && (!wb1_valid_i || wb1_ok));
      paths_are_disjoint:     assume ((mask_l_i & mask_r_i) == '0);
      rtl_assertions_seen:    cover (wb0_valid_i && wb1_valid_i && (set_pending != '0));
      no_hazard:              assert ((!(in_flight_q && names_l && mask_l[lane]) || blocked_l[warp]) &&
                                      (!(in_flight_q && names_r && mask_r[lane]) || blocked_r[warp]));
      no_hazard_seen:         cover (in_flight_q && names_r && mask_r[lane] && (mask_l != '0));
      // A path of this one thread: the others have their own turn to be looked at.
      no_false_hazard:        assert (in_flight_q || ((!only_l || ((mask_l & ~(Lanes'(1) << lane)) != '0) || !blocked_l[warp]) &&
                                                      (!only_r || ((mask_r & ~(Lanes'(1) << lane)) != '0) || !blocked_r[warp])));
      no_false_hazard_seen:   cover (!in_flight_q && only_l && names_l && (mask_l == (Lanes'(1) << lane)) &&
                                     (table_pending != '0));
      once_in_the_table:      assert (in_flight_q ? ((mine != '0) && ((mine & (mine - NumEntries'(1))) == '0)) : (mine == '0));
      once_in_the_table_seen: cover (in_flight_q && mine[NumEntries-1]);
      zero_is_never_pending:  assert (!zero_pending);
      zero_is_never_pending_seen: cover (table_pending == '1);
      entry_has_a_thread:     assert (has_thread);
      entry_has_a_thread_seen: cover (mine[0] && wb0_valid_i && (wb0_warp_i == warp) && (wb0_reg_i == name) && !wb0_mask_i[lane] &&
                                     ((wb0_mask_i & table_masks[Lanes-1:0]) != '0));
      full_means_full:        assert ((full_l[warp] == ((head_l[5:0] != '0) && (table_pending == '1))) &&
                                      (full_r[warp] == ((head_r[5:0] != '0) && (table_pending == '1))));
      full_means_full_seen:   cover (full_l[warp] && !full_r[warp]);
    end
  end
endmodule
