// SPDX-License-Identifier: Apache-2.0
// Properties of bitmap_scoreboard (scripts/prove). One register of one thread of one warp, all arbitrary, is followed by a
// reference that knows no shadow bits: on which path is the thread, of which paths is a write in flight, has a push or a pop
// come since it was issued, and is the thread one that issued it? At a push or a pop the thread may go anywhere.
//
//! run NumWarps=1 NumSlots=2
//! run NumWarps=2 NumSlots=2
//! run NumWarps=2 NumSlots=1
//! assume set_is_legal: A set is of one path, and names register 0 or one that is not pending in it.
//! assume write_back_is_legal: A write-back names a warp; of what, is free.
//! assume copy_is_legal: A copy names a warp.
//! assume thread_moves_with_a_copy: With one slot a thread is never on the other path.
//! assume one_is_any: The warp and the register looked at are any, the register is not 0.
//! together rtl_assertions no_hazard waits_for_what_it_must pending_is_in_flight shadow_is_pending no_shadow_before_a_copy zero_is_never_pending
//!
//! property rtl_assertions: What the RTL asserts of its callers, and that a shadow bit has its pending bit, follows from the assumptions.
//!   mutant bitmap_scoreboard_shadow_survives
//! property no_hazard: A path that names a register is blocked while a write of it by one of its threads is in flight, on whichever path it was issued.
//!   mutant bitmap_scoreboard_copy_before_set
//! property waits_for_what_it_must: A path waits for exactly those of its names of which a write of its own is in flight, or one of the other path that a push or a pop came after.
//!   mutant bitmap_scoreboard_forgets_the_shadow
//! property pending_is_in_flight: The pending bit of a register of a path is set while a write of it by that path is in flight, and only then.
//!   mutant bitmap_scoreboard_write_back_1_ignored
//! property shadow_is_pending: A shadow bit is set only where the pending bit is, so that each write-back clears both.
//!   mutant bitmap_scoreboard_shadow_survives
//! property no_shadow_before_a_copy: A write is no dependence of the other path before a push or pop, and is one after it.
//!   only NumSlots=2
//!   mutant bitmap_scoreboard_set_shadows
//! property zero_is_never_pending: Register 0 is neither pending nor shadowed.
//!   mutant bitmap_scoreboard_bit_of_register_0
//! property never_full: No instruction sees a full table.
//!   mutant bitmap_scoreboard_full_with_a_destination
module bitmap_scoreboard_props #(
  parameter  int NumWarps = 1,
  parameter  int NumSlots = 2,
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int NumPaths = NumWarps * NumSlots
) (
  input logic                   clk_i,
  input logic [NumPaths-1:0]    set_i,
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
  input logic [NumPaths*24-1:0] head_i,
  input logic [1:0]             moves_to_i   // where the thread is after a push or pop: {on a path, slot}
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [NumPaths*WarpW-1:0] every_warp;   // each path is asked for at a port of its own, those of slot 0 first
  logic [NumPaths-1:0]       every_slot, full;
  logic [NumPaths*4-1:0]     waits;
  logic [NumPaths*64-1:0]    pending, shadow;

  bitmap_scoreboard #(
    .NumWarps (NumWarps),
    .NumSlots (NumSlots),
    .NumCheck (NumPaths)
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
    .check_slot_i  (every_slot),
    .check_names_i (head_i),
    .check_wait_o  (waits),
    .check_full_o  (full),
    .pending_o     (pending),
    .shadow_o      (shadow)
  );
  always_comb begin
    for (int p = 0; p < NumPaths; p++) begin
      every_warp[p*WarpW +: WarpW] = p % NumWarps;
      every_slot[p]                = p >= NumWarps;
    end
  end

  (* anyconst *) logic [WarpW-1:0] warp;
  (* anyconst *) logic [5:0]       name;

  // ---------------------------------------------------------------------------------------------------- reference
  // Per slot: a write of the register is in flight; the thread has a part in it; a push or pop has come since.
  logic [NumSlots-1:0] in_flight_q, its_own_q, copied_q, set_it, ends_it;
  logic                on_path_q, slot_q, copies;
  always_comb begin
    ends_it = '0;
    for (int s = 0; s < NumSlots; s++) begin
      set_it[s] = set_i[s*NumWarps + 32'(warp)] && (set_reg_i == name);
      if (wb0_valid_i && (wb0_warp_i == warp) && (wb0_reg_i == name) && ((NumSlots == 1) || (wb0_slot_i == 1'(s)))) ends_it[s] = 1'b1;
      if (wb1_valid_i && (wb1_warp_i == warp) && (wb1_reg_i == name) && ((NumSlots == 1) || (wb1_slot_i == 1'(s)))) ends_it[s] = 1'b1;
    end
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
      for (int s = 0; s < NumSlots; s++) begin
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

  // --------------------------------------------------------------------------------------------------------- bits
  logic [NumSlots-1:0] its_pending, its_shadow, blocked;
  logic [63:0]         path_pending, path_shadow;
  logic [23:0]         path_head;
  logic                set_ok, shadows_ok, zero_pending, names_it, waits_right, own_right, waits_for_it;
  always_comb begin
    set_ok       = 1'b1;
    shadows_ok   = (shadow & ~pending) == '0;
    zero_pending = 1'b0;
    waits_right  = 1'b1;
    names_it     = 1'b0;
    its_pending  = '0;
    its_shadow   = '0;
    blocked      = '0;
    waits_for_it = 1'b0;
    path_pending = '0;
    path_shadow  = '0;
    path_head    = '0;
    for (int p = 0; p < NumPaths; p++) begin
      path_pending = pending[p*64 +: 64];
      path_shadow  = shadow[p*64 +: 64];
      path_head    = head_i[p*24 +: 24];
      if (set_i[p] && path_pending[set_reg_i]) set_ok = 1'b0;
      if (path_pending[0] || path_shadow[0]) zero_pending = 1'b1;
      if (WarpW'(p % NumWarps) == warp) begin
        its_pending[p/NumWarps] = path_pending[name];
        its_shadow[p/NumWarps]  = path_shadow[name];
        blocked[p/NumWarps]     = waits[p*4 +: 4] != '0;
        waits_for_it            = in_flight_q[p/NumWarps] || ((NumSlots == 2) && in_flight_q[NumSlots-1-p/NumWarps] && copied_q[NumSlots-1-p/NumWarps]);
        for (int n = 0; n < 4; n++) begin
          if ((path_head[n*6 +: 6] == name) && (slot_q == (p >= NumWarps))) names_it = 1'b1;
          if ((path_head[n*6 +: 6] == name) && (waits[p*4+n] != waits_for_it)) waits_right = 1'b0;
          if ((path_head[n*6 +: 6] == '0) && waits[p*4+n]) waits_right = 1'b0;
        end
      end
    end
    // A part in a write on the path that the thread has left came with a push or a pop.
    own_right = (its_own_q & ~in_flight_q) == '0;
    for (int s = 0; s < NumSlots; s++) if (on_path_q && its_own_q[s] && (slot_q != 1'(s)) && !copied_q[s]) own_right = 1'b0;
  end

  always_comb begin
    one_is_any: assume ((32'(warp) < NumWarps) && (name != '0));
    if (rst_n) begin
      set_is_legal:             assume (((set_i & (set_i - NumPaths'(1))) == '0) && ((set_reg_i == '0) || set_ok));
      write_back_is_legal:      assume ((!wb0_valid_i || (32'(wb0_warp_i) < NumWarps)) &&
                                        (!wb1_valid_i || (32'(wb1_warp_i) < NumWarps)));
      copy_is_legal:            assume ((!copy0_valid_i || (32'(copy0_warp_i) < NumWarps)) &&
                                        (!copy1_valid_i || (32'(copy1_warp_i) < NumWarps)));
      thread_moves_with_a_copy: assume ((NumSlots == 2) || !moves_to_i[0]);

      rtl_assertions_seen:     cover (wb0_valid_i && wb1_valid_i && copy0_valid_i && (set_i != '0) && (its_pending != '0));
      no_hazard:               assert (!(on_path_q && (its_own_q != '0) && names_it) || blocked[(NumSlots == 2) && slot_q]);
      no_hazard_seen:          cover (on_path_q && its_own_q[(NumSlots == 2) && !slot_q] && names_it &&
                                      ((NumSlots == 1) || !in_flight_q[slot_q]));
      waits_for_what_it_must:  assert (waits_right && own_right);
      waits_for_what_it_must_seen: cover (names_it && in_flight_q[NumSlots-1] &&
                                          ((NumSlots == 1) || (!in_flight_q[0] && !slot_q && !copied_q[NumSlots-1])));
      pending_is_in_flight:    assert (its_pending == in_flight_q);
      pending_is_in_flight_seen: cover ((in_flight_q == '1) && (name == 6'd63));
      shadow_is_pending:       assert (shadows_ok);
      shadow_is_pending_seen:  cover ((NumSlots == 1) ? pending != '0 : (shadow != '0) && (shadow != pending));
      no_shadow_before_a_copy: assert (its_shadow == (in_flight_q & copied_q));
      no_shadow_before_a_copy_seen: cover (in_flight_q[0] && !copied_q[0] && in_flight_q[NumSlots-1] && copied_q[NumSlots-1]);
      zero_is_never_pending:   assert (!zero_pending);
      zero_is_never_pending_seen: cover ((its_pending == '1) && (set_i != '0) && (set_reg_i == '0));
      never_full:              assert (full == '0);
      never_full_seen:         cover ((its_pending == '1) && (head_i[5:0] != '0));
    end
  end
endmodule
