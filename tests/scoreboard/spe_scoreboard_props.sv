// SPDX-License-Identifier: Apache-2.0
// Properties of spe_scoreboard (scripts/prove). One register of one warp, both arbitrary, is followed by a reference that
// knows no table: is a write of it in flight?
//
//! run NumWarps=2 NumEntries=3
//! run NumWarps=1 NumEntries=8
//! assume set_is_legal: A set is of one warp, whose table has room, and names a register without a write in flight.
//! assume write_back_is_legal: A write-back names a warp; of what, is free.
//! assume one_is_any: The warp and the register looked at are any, the register is not 0.
//! together no_hazard no_false_hazard once_in_the_table zero_is_never_pending
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant spe_scoreboard_pending_output_hides_one
//! property no_hazard: An instruction that names a register with a write in flight is blocked.
//!   mutant spe_scoreboard_forgets_rs3
//! property no_false_hazard: An instruction that names only registers without a write in flight is not blocked: each bit that was set is cleared.
//!   mutant spe_scoreboard_write_back_1_ignored
//! property once_in_the_table: A register with a write in flight is pending in one entry, another one in none.
//!   mutant spe_scoreboard_set_takes_two
//! property zero_is_never_pending: Register 0 is never pending.
//!   mutant spe_scoreboard_set_of_register_0
//! property full_means_full: An instruction with a destination sees a full table when every entry is pending, and only then.
//!   mutant spe_scoreboard_full_one_late
module spe_scoreboard_props #(
  parameter  int NumWarps   = 2,
  parameter  int NumEntries = 3,
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps)
) (
  input logic                   clk_i,
  input logic [NumWarps-1:0]    set_i,
  input logic [5:0]             set_reg_i,
  input logic                   wb0_valid_i,
  input logic [WarpW-1:0]       wb0_warp_i,
  input logic [5:0]             wb0_reg_i,
  input logic                   wb1_valid_i,
  input logic [WarpW-1:0]       wb1_warp_i,
  input logic [5:0]             wb1_reg_i,
  input logic [NumWarps*24-1:0] head_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [NumWarps-1:0]              blocked, full;
  logic [NumWarps*NumEntries-1:0]   waits, pending;
  logic [NumWarps*WarpW-1:0]        every_warp;   // each is asked for at a port of its own
  logic [NumWarps*NumEntries*6-1:0] regs;

  spe_scoreboard #(
    .NumWarps   (NumWarps),
    .NumEntries (NumEntries),
    .NumCheck   (NumWarps)
  ) dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_n),
    .set_i         (set_i),
    .set_reg_i     (set_reg_i),
    .wb_valid_i    ({wb1_valid_i, wb0_valid_i}),
    .wb_warp_i     ({wb1_warp_i, wb0_warp_i}),
    .wb_reg_i      ({wb1_reg_i, wb0_reg_i}),
    .check_warp_i  (every_warp),
    .check_names_i (head_i),
    .check_wait_o  (waits),
    .check_full_o  (full),
    .set_entry_o   (),
    .wake_o        (),
    .pending_o     (pending),
    .reg_o         (regs)
  );
  always_comb begin
    for (int w = 0; w < NumWarps; w++) begin
      every_warp[w*WarpW +: WarpW] = w;
      blocked[w]                   = waits[w*NumEntries +: NumEntries] != '0;
    end
  end

  (* anyconst *) logic [WarpW-1:0] warp;
  (* anyconst *) logic [5:0]       name;

  logic in_flight_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      in_flight_q <= 1'b0;
    end else begin
      if ((wb0_valid_i && (wb0_warp_i == warp) && (wb0_reg_i == name)) ||
          (wb1_valid_i && (wb1_warp_i == warp) && (wb1_reg_i == name))) in_flight_q <= 1'b0;
      if (set_i[warp] && (set_reg_i == name))                           in_flight_q <= 1'b1;
    end
  end

  // Entries of the warp with the register; whether the table that is set has room and lacks the register.
  logic [NumEntries-1:0]   table_pending, set_pending, mine;
  logic [NumEntries*6-1:0] table_regs, set_regs;
  logic                    zero_pending, set_ok, names_it, names_only_it;
  logic [23:0]             head;
  assign table_pending = pending[warp*NumEntries +: NumEntries];
  assign table_regs    = regs[warp*NumEntries*6 +: NumEntries*6];
  assign head          = head_i[warp*24 +: 24];
  always_comb begin
    set_pending = '0;
    set_regs    = '0;
    for (int w = 0; w < NumWarps; w++) begin
      if (set_i[w]) begin
        set_pending = pending[w*NumEntries +: NumEntries];
        set_regs    = regs[w*NumEntries*6 +: NumEntries*6];
      end
    end
    set_ok = set_pending != '1;
    mine   = '0;
    zero_pending = 1'b0;
    for (int e = 0; e < NumEntries; e++) begin
      if (set_pending[e] && (set_regs[e*6 +: 6] == set_reg_i)) set_ok = 1'b0;
      if (table_pending[e] && (table_regs[e*6 +: 6] == '0)) zero_pending = 1'b1;
      mine[e] = table_pending[e] && (table_regs[e*6 +: 6] == name);
    end
    names_it      = 1'b0;
    names_only_it = 1'b1;
    for (int n = 0; n < 4; n++) begin
      if (head[n*6 +: 6] == name)                              names_it      = 1'b1;
      if ((head[n*6 +: 6] != name) && (head[n*6 +: 6] != '0)) names_only_it = 1'b0;
    end
  end

  always_comb begin
    one_is_any: assume ((32'(warp) < NumWarps) && (name != '0));
    if (rst_n) begin
      set_is_legal:           assume (((set_i & (set_i - NumWarps'(1))) == '0) && ((set_reg_i == '0) || set_ok));
      write_back_is_legal:    assume ((!wb0_valid_i || (32'(wb0_warp_i) < NumWarps)) &&
                                      (!wb1_valid_i || (32'(wb1_warp_i) < NumWarps)));
      rtl_assertions_seen:    cover (wb0_valid_i && wb1_valid_i && (set_pending != '0));
      no_hazard:              assert (!(in_flight_q && names_it) || blocked[warp]);
      no_hazard_seen:         cover (in_flight_q && (head[23:18] == name) && (head[17:0] == '0));
      no_false_hazard:        assert (in_flight_q || !names_only_it || !blocked[warp]);
      no_false_hazard_seen:   cover (!in_flight_q && names_only_it && names_it && (table_pending != '0));
      once_in_the_table:      assert (in_flight_q ? ((mine != '0) && ((mine & (mine - NumEntries'(1))) == '0)) : (mine == '0));
      once_in_the_table_seen: cover (in_flight_q && mine[NumEntries-1]);
      zero_is_never_pending:  assert (!zero_pending);
      zero_is_never_pending_seen: cover (table_pending == '1);
      full_means_full:        assert (full[warp] == ((head[5:0] != '0) && (table_pending == '1)));
      full_means_full_seen:   cover (full[warp]);
    end
  end
endmodule
