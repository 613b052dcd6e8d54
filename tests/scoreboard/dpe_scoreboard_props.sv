// SPDX-License-Identifier: Apache-2.0
// Properties of dpe_scoreboard (scripts/prove). One register of one thread of one warp, all arbitrary, is followed by a
// reference that knows no table: on which path is the thread, and is a write in flight that it issued on the left or on the
// right one? At a push or a pop the thread may go anywhere.
//
//! run NumWarps=1 NumEntries=3
//! run NumWarps=2 NumEntries=2
//! assume set_is_legal: A set is of one path, whose table has room, and names a register that is not pending in it.
//! assume write_back_is_legal: A write-back names a warp; of what, is free.
//! assume copy_is_legal: A copy names a warp.
//! assume one_is_any: The warp and the register looked at are any, the register is not 0.
//! together no_hazard own_is_blocked once_in_the_table zero_is_never_pending shadow_is_pending no_shadow_before_a_copy
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant dpe_scoreboard_pending_output_hides_one
//! property no_hazard: A path that names a register is blocked while a write of it by one of its threads is in flight, on whichever path it was issued.
//!   mutant shadow_copied_before_set
//! property own_is_blocked: Of the own table, exactly the registers with a write in flight block.
//!   mutant dpe_scoreboard_write_back_1_ignored
//! property once_in_the_table: A register with a write in flight is pending in one entry of the table of its path, another one in none: each bit is clearable.
//!   mutant dpe_scoreboard_set_takes_two
//! property shadow_is_pending: A shadow bit is set only where the pending bit is, so that each write-back clears it.
//!   mutant dpe_scoreboard_shadow_survives
//! property no_shadow_before_a_copy: A write is no dependence of the other path before a push or pop.
//!   mutant dpe_scoreboard_set_shadows
//! property zero_is_never_pending: Register 0 is never pending.
//!   mutant dpe_scoreboard_set_of_register_0
//! property full_means_full: An instruction with a destination sees a full table when every entry of its side is pending, and only then.
//!   mutant dpe_scoreboard_full_of_the_other_side
module dpe_scoreboard_props #(
  parameter  int NumWarps   = 1,
  parameter  int NumEntries = 3,
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps)
) (
  input logic                   clk_i,
  input logic [2*NumWarps-1:0]  set_i,
  input logic [5:0]             set_reg_i,
  input logic                   wb0_valid_i,
  input logic [WarpW-1:0]       wb0_warp_i,
  input logic                   wb0_slot_i,
  input logic [5:0]             wb0_reg_i,
  input logic                   wb1_valid_i,
  input logic [WarpW-1:0]       wb1_warp_i,
  input logic                   wb1_slot_i,
  input logic [5:0]             wb1_reg_i,
  input logic                   copy0_valid_i,
  input logic [WarpW-1:0]       copy0_warp_i,
  input logic                   copy1_valid_i,
  input logic [WarpW-1:0]       copy1_warp_i,
  input logic [NumWarps*24-1:0] head_l_i,
  input logic [NumWarps*24-1:0] head_r_i,
  input logic [1:0]             moves_to_i   // where the thread is after a push or pop: {on a path, slot}
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  localparam int RowW = NumEntries * 6;
  logic [NumWarps-1:0]            blocked_l, blocked_r, full_l, full_r;
  logic [2*NumWarps*WarpW-1:0]    every_warp;   // each path is asked for at a port of its own, left ones first
  logic [4*NumWarps*NumEntries-1:0] waits;
  logic [NumWarps*NumEntries-1:0] pending_l, shadow_l, pending_r, shadow_r;
  logic [NumWarps*RowW-1:0]       reg_l, reg_r;

  dpe_scoreboard #(
    .NumWarps   (NumWarps),
    .NumEntries (NumEntries),
    .NumCheck   (2 * NumWarps)
  ) dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_n),
    .set_i         (set_i),
    .set_reg_i     (set_reg_i),
    .wb_valid_i    ({wb1_valid_i, wb0_valid_i}),
    .wb_warp_i     ({wb1_warp_i, wb0_warp_i}),
    .wb_slot_i     ({wb1_slot_i, wb0_slot_i}),
    .wb_reg_i      ({wb1_reg_i, wb0_reg_i}),
    .copy0_valid_i (copy0_valid_i),
    .copy0_warp_i  (copy0_warp_i),
    .copy1_valid_i (copy1_valid_i),
    .copy1_warp_i  (copy1_warp_i),
    .check_warp_i  (every_warp),
    .check_slot_i  ({{NumWarps{1'b1}}, {NumWarps{1'b0}}}),
    .check_names_i ({head_r_i, head_l_i}),
    .check_wait_o  (waits),
    .check_full_o  ({full_r, full_l}),
    .set_entry_o   (),
    .wake_o        (),
    .pending_l_o   (pending_l),
    .shadow_l_o    (shadow_l),
    .reg_l_o       (reg_l),
    .pending_r_o   (pending_r),
    .shadow_r_o    (shadow_r),
    .reg_r_o       (reg_r)
  );
  always_comb begin
    for (int w = 0; w < NumWarps; w++) begin
      every_warp[w*WarpW +: WarpW]            = w;
      every_warp[(NumWarps+w)*WarpW +: WarpW] = w;
      blocked_l[w] = waits[w*2*NumEntries +: 2*NumEntries] != '0;
      blocked_r[w] = waits[(NumWarps+w)*2*NumEntries +: 2*NumEntries] != '0;
    end
  end

  (* anyconst *) logic [WarpW-1:0] warp;
  (* anyconst *) logic [5:0]       name;

  // ---------------------------------------------------------------------------------------------------- reference
  // Per side: a write of the register is in flight; the thread has a part in it; a push or pop has come since.
  logic [1:0] in_flight_q, its_own_q, copied_q, set_it, ends_it;
  logic       on_path_q, slot_q, copies;
  always_comb begin
    set_it  = (set_reg_i == name) ? {set_i[NumWarps + 32'(warp)], set_i[warp]} : '0;
    ends_it = '0;
    if (wb0_valid_i && (wb0_warp_i == warp) && (wb0_reg_i == name)) ends_it[wb0_slot_i] = 1'b1;
    if (wb1_valid_i && (wb1_warp_i == warp) && (wb1_reg_i == name)) ends_it[wb1_slot_i] = 1'b1;
    copies = (copy0_valid_i && (copy0_warp_i == warp)) || (copy1_valid_i && (copy1_warp_i == warp));
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      in_flight_q <= '0;
      its_own_q   <= '0;
      copied_q    <= '0;
      on_path_q   <= 1'b0;
      slot_q      <= 1'b0;
    end else begin
      for (int s = 0; s < 2; s++) begin
        if (ends_it[s]) begin
          in_flight_q[s] <= 1'b0;
          its_own_q[s]   <= 1'b0;
        end
        if (set_it[s]) begin
          in_flight_q[s] <= 1'b1;
          its_own_q[s]   <= on_path_q && (slot_q == 1'(s));
        end
        copied_q[s] <= copies || (copied_q[s] && !set_it[s]);
      end
      if (copies) {on_path_q, slot_q} <= moves_to_i;
    end
  end

  // ------------------------------------------------------------------------------------------------------- tables
  logic [NumEntries-1:0] table_l, table_r, shadows_l, shadows_r, mine_l, mine_r, set_pending;
  logic [RowW-1:0]       names_l, names_r, set_regs;
  logic [23:0]           head_l, head_r, head;
  logic                  set_ok, zero_pending, head_names_it;
  assign table_l   = pending_l[warp*NumEntries +: NumEntries];
  assign table_r   = pending_r[warp*NumEntries +: NumEntries];
  assign shadows_l = shadow_l[warp*NumEntries +: NumEntries];
  assign shadows_r = shadow_r[warp*NumEntries +: NumEntries];
  assign names_l   = reg_l[warp*RowW +: RowW];
  assign names_r   = reg_r[warp*RowW +: RowW];
  assign head_l    = head_l_i[warp*24 +: 24];
  assign head_r    = head_r_i[warp*24 +: 24];
  assign head      = slot_q ? head_r : head_l;
  always_comb begin
    set_pending = '0;
    set_regs    = '0;
    for (int w = 0; w < NumWarps; w++) begin
      if (set_i[w]) begin
        set_pending = pending_l[w*NumEntries +: NumEntries];
        set_regs    = reg_l[w*RowW +: RowW];
      end
      if (set_i[NumWarps+w]) begin
        set_pending = pending_r[w*NumEntries +: NumEntries];
        set_regs    = reg_r[w*RowW +: RowW];
      end
    end
    set_ok        = set_pending != '1;
    mine_l        = '0;
    mine_r        = '0;
    zero_pending  = 1'b0;
    head_names_it = 1'b0;
    for (int e = 0; e < NumEntries; e++) begin
      if (set_pending[e] && (set_regs[e*6 +: 6] == set_reg_i)) set_ok = 1'b0;
      if (table_l[e] && (names_l[e*6 +: 6] == '0)) zero_pending = 1'b1;
      if (table_r[e] && (names_r[e*6 +: 6] == '0)) zero_pending = 1'b1;
      mine_l[e] = table_l[e] && (names_l[e*6 +: 6] == name);
      mine_r[e] = table_r[e] && (names_r[e*6 +: 6] == name);
    end
    for (int n = 0; n < 4; n++) if (head[n*6 +: 6] == name) head_names_it = 1'b1;
  end

  always_comb begin
    one_is_any: assume ((32'(warp) < NumWarps) && (name != '0));
    if (rst_n) begin
      set_is_legal:        assume (((set_i & (set_i - (2*NumWarps)'(1))) == '0) && ((set_reg_i == '0) || set_ok));
      write_back_is_legal: assume ((!wb0_valid_i || (32'(wb0_warp_i) < NumWarps)) &&
                                   (!wb1_valid_i || (32'(wb1_warp_i) < NumWarps)));
      copy_is_legal:       assume ((!copy0_valid_i || (32'(copy0_warp_i) < NumWarps)) &&
                                   (!copy1_valid_i || (32'(copy1_warp_i) < NumWarps)));

      rtl_assertions_seen:     cover (wb0_valid_i && wb1_valid_i && copy0_valid_i && (set_pending != '0));
      no_hazard:               assert (!(on_path_q && (its_own_q != '0) && head_names_it) ||
                                       (slot_q ? blocked_r[warp] : blocked_l[warp]));
      no_hazard_seen:          cover (on_path_q && its_own_q[!slot_q] && !in_flight_q[slot_q] && (head == {18'd0, name}));
      own_is_blocked:          assert (!((head_l == {18'd0, name}) && (head_r == '0) && !in_flight_q[1]) ||
                                       (blocked_l[warp] == in_flight_q[0]));
      own_is_blocked_seen:     cover ((head_l == {18'd0, name}) && (head_r == '0) && (table_l != '0) && !in_flight_q[0]);
      once_in_the_table:       assert ((in_flight_q[0] == (mine_l != '0)) && ((mine_l & (mine_l - NumEntries'(1))) == '0) &&
                                       (in_flight_q[1] == (mine_r != '0)) && ((mine_r & (mine_r - NumEntries'(1))) == '0));
      once_in_the_table_seen:  cover (mine_l[NumEntries-1] && (mine_r != '0));
      shadow_is_pending:       assert (((shadows_l & ~table_l) == '0) && ((shadows_r & ~table_r) == '0));
      shadow_is_pending_seen:  cover ((shadows_l != '0) && (shadows_r != '0) && (shadows_l != table_l));
      no_shadow_before_a_copy: assert ((copied_q[0] || ((mine_l & shadows_l) == '0)) &&
                                       (copied_q[1] || ((mine_r & shadows_r) == '0)) &&
                                       (!copied_q[0] || ((mine_l & ~shadows_l) == '0)) &&
                                       (!copied_q[1] || ((mine_r & ~shadows_r) == '0)) &&
                                       (!(on_path_q && its_own_q[!slot_q]) || copied_q[!slot_q]) &&
                                       ((its_own_q & ~in_flight_q) == '0));
      no_shadow_before_a_copy_seen: cover (in_flight_q[0] && !copied_q[0] && in_flight_q[1] && copied_q[1]);
      zero_is_never_pending:   assert (!zero_pending);
      zero_is_never_pending_seen: cover ((table_l & table_r) == '1);
      full_means_full:         assert ((full_l[warp] == ((head_l[5:0] != '0) && (table_l == '1))) &&
                                       (full_r[warp] == ((head_r[5:0] != '0) && (table_r == '1))));
      full_means_full_seen:    cover (full_l[warp] && !full_r[warp] && (head_r[5:0] != '0));
    end
  end
endmodule
