// SPDX-License-Identifier: Apache-2.0
// Properties of wakeup (scripts/prove), together with the tables that it follows. Heads of queues are what the model here
// says: what comes up behind the second instruction is any. All of them are also asked for directly, at further check ports.
//
//! run NumWarps=1 NumSlots=2 NumEntries=2 NumWb=1
//! run NumWarps=2 NumSlots=1 NumEntries=2 NumWb=2
//! assume take_is_legal: A path that is taken has a head that a direct check does not hold back.
//! assume write_back_is_legal: A write-back names a warp; of what, is free.
//! assume copy_clears: A copy names a warp and comes with clear of its paths.
//! together rtl_assertions blocked_is_the_check full_is_the_check waits_are_the_checks
//!
//! property rtl_assertions: What wakeup and the scoreboard assert of their callers follows from the assumptions.
//!   mutant wakeup_second_is_not_woken
//! property blocked_is_the_check: A head is blocked in exactly the cycles in which a check of it against the registered tables says so.
//!   mutant wakeup_ignores_the_taken_head
//! property full_is_the_check: A head sees a full table in exactly the cycles in which a check says so.
//!   mutant wakeup_full_one_late
//! property waits_are_the_checks: What a head, and a second instruction that is not new, is kept to wait for is what a check says, entry by entry.
//!   mutant wakeup_write_back_of_the_other_slot
module wakeup_props #(
  parameter  int NumWarps   = 1,
  parameter  int NumSlots   = 2,
  parameter  int NumEntries = 2,
  parameter  int NumWb      = 1,
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps),
  localparam int NumPaths   = NumWarps * NumSlots,
  localparam int WaitW      = NumSlots * NumEntries,
  localparam int NumCheck   = 3 + 2 * NumPaths
) (
  input logic                   clk_i,
  input logic [NumPaths-1:0]    clear_i,
  input logic                   fill_valid_i,
  input logic [WarpW-1:0]       fill_warp_i,
  input logic                   fill_slot_i,
  input logic [23:0]            fill_names_i,
  input logic                   take_valid_i,
  input logic [WarpW-1:0]       take_warp_i,
  input logic                   take_slot_i,
  input logic [NumWb-1:0]       wb_valid_i,
  input logic [NumWb*WarpW-1:0] wb_warp_i,
  input logic [NumWb-1:0]       wb_slot_i,
  input logic [NumWb*6-1:0]     wb_reg_i,
  input logic                   copy0_valid_i,
  input logic [WarpW-1:0]       copy0_warp_i,
  input logic                   copy1_valid_i,
  input logic [WarpW-1:0]       copy1_warp_i,
  input logic [NumPaths-1:0]    comes_i,   // a second instruction comes up with a take, or with a fill that makes a head
  input logic [23:0]            comes_names_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // ------------------------------------------------------------------------------------------------------- queues
  logic [NumPaths-1:0]    fill, take, head_valid_q, second_valid_q, second_valid, taken_q;
  logic [NumPaths*24-1:0] head_q, second_q, head, second;   // 0 without an instruction
  logic [NumPaths*6-1:0]  head_rd;
  logic [5:0]             take_rd;
  always_comb begin
    fill    = '0;
    take    = '0;
    take_rd = '0;
    for (int p = 0; p < NumPaths; p++) begin
      fill[p] = fill_valid_i && (32'(fill_warp_i) == p % NumWarps) && ((NumSlots == 1) || (fill_slot_i == (p >= NumWarps)));
      take[p] = take_valid_i && (32'(take_warp_i) == p % NumWarps) && ((NumSlots == 1) || (take_slot_i == (p >= NumWarps)));
      second_valid[p]     = head_valid_q[p] && second_valid_q[p];
      head[p*24 +: 24]    = head_valid_q[p] ? head_q[p*24 +: 24] : '0;
      second[p*24 +: 24]  = second_valid[p] ? second_q[p*24 +: 24] : '0;
      head_rd[p*6 +: 6]   = head[p*24 +: 6];
      if (take[p]) take_rd = head[p*24 +: 6];
    end
  end
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < NumPaths; p++) begin
      if (!rst_n || clear_i[p]) begin
        head_valid_q[p] <= 1'b0;
      end else if (take[p] ? !second_valid[p] : !head_valid_q[p]) begin
        head_valid_q[p]      <= fill[p];
        head_q[p*24 +: 24]   <= fill_names_i;
        second_valid_q[p]    <= fill[p] && comes_i[p];
        second_q[p*24 +: 24] <= comes_names_i;
      end else if (take[p]) begin
        head_q[p*24 +: 24]   <= second_q[p*24 +: 24];
        second_valid_q[p]    <= comes_i[p];
        second_q[p*24 +: 24] <= comes_names_i;
      end else if (fill[p] && !second_valid[p]) begin
        second_valid_q[p]    <= 1'b1;
        second_q[p*24 +: 24] <= comes_names_i;
      end
    end
    taken_q <= rst_n ? take : '0;
  end

  // ------------------------------------------------------------------------------------------- wakeup and its tables
  logic [NumCheck*WarpW-1:0]      check_warp;
  logic [NumCheck-1:0]            check_slot, check_full;
  logic [NumCheck*24-1:0]         check_names;
  logic [NumCheck*WaitW-1:0]      check_wait;
  logic [NumWb*NumEntries-1:0]    wake;
  logic [NumPaths*NumEntries-1:0] pending, shadow, sane;
  logic [NumPaths*NumEntries*6-1:0] regs;
  logic [NumPaths-1:0]            blocked, full, head_blocked, head_full;

  assign check_names[NumCheck*24-1:3*24] = {second, head};
  assign head_full                       = check_full[3 +: NumPaths];
  always_comb begin
    for (int p = 0; p < NumPaths; p++) head_blocked[p] = check_wait[(3+p)*WaitW +: WaitW] != '0;
  end
  generate
    for (genvar i = 0; i < 2 * NumPaths; i++) begin : gen_direct
      assign check_warp[(3+i)*WarpW +: WarpW] = WarpW'(i % NumWarps);
      assign check_slot[3+i]                  = i % NumPaths >= NumWarps;
    end
    if (NumSlots == 1) begin : gen_spe
      assign shadow = '0;
      spe_scoreboard #(
        .NumWarps   (NumWarps),
        .NumEntries (NumEntries),
        .NumWb      (NumWb),
        .NumCheck   (NumCheck)
      ) tables (
        .clk_i         (clk_i),
        .rst_ni        (rst_n),
        .set_i         (take),
        .set_reg_i     (take_rd),
        .wb_valid_i    (wb_valid_i),
        .wb_warp_i     (wb_warp_i),
        .wb_reg_i      (wb_reg_i),
        .check_warp_i  (check_warp),
        .check_names_i (check_names),
        .check_wait_o  (check_wait),
        .check_full_o  (check_full),
        .wake_o        (wake),
        .pending_o     (pending),
        .reg_o         (regs)
      );
    end else begin : gen_dpe
      dpe_scoreboard #(
        .NumWarps   (NumWarps),
        .NumEntries (NumEntries),
        .NumWb      (NumWb),
        .NumCheck   (NumCheck)
      ) tables (
        .clk_i         (clk_i),
        .rst_ni        (rst_n),
        .set_i         (take),
        .set_reg_i     (take_rd),
        .wb_valid_i    (wb_valid_i),
        .wb_warp_i     (wb_warp_i),
        .wb_slot_i     (wb_slot_i),
        .wb_reg_i      (wb_reg_i),
        .copy0_valid_i (copy0_valid_i),
        .copy0_warp_i  (copy0_warp_i),
        .copy1_valid_i (copy1_valid_i),
        .copy1_warp_i  (copy1_warp_i),
        .check_warp_i  (check_warp),
        .check_slot_i  (check_slot),
        .check_names_i (check_names),
        .check_wait_o  (check_wait),
        .check_full_o  (check_full),
        .wake_o        (wake),
        .pending_l_o   (pending[NumWarps*NumEntries-1:0]),
        .shadow_l_o    (shadow[NumWarps*NumEntries-1:0]),
        .reg_l_o       (regs[NumWarps*NumEntries*6-1:0]),
        .pending_r_o   (pending[NumPaths*NumEntries-1:NumWarps*NumEntries]),
        .shadow_r_o    (shadow[NumPaths*NumEntries-1:NumWarps*NumEntries]),
        .reg_r_o       (regs[NumPaths*NumEntries*6-1:NumWarps*NumEntries*6])
      );
    end
  endgenerate

  wakeup #(
    .NumWarps   (NumWarps),
    .NumSlots   (NumSlots),
    .NumEntries (NumEntries),
    .NumWb      (NumWb)
  ) dut (
    .clk_i          (clk_i),
    .rst_ni         (rst_n),
    .clear_i        (clear_i),
    .fill_i         (fill),
    .head_valid_i   (head_valid_q),
    .head_rd_i      (head_rd),
    .second_valid_i (second_valid),
    .second_i       (second),
    .fill_warp_i    (fill_warp_i),
    .fill_slot_i    (fill_slot_i),
    .fill_names_i   (fill_names_i),
    .take_i         (take),
    .take_warp_i    (take_warp_i),
    .take_slot_i    (take_slot_i),
    .wb_warp_i      (wb_warp_i),
    .wb_slot_i      (wb_slot_i),
    .check_warp_o   (check_warp[3*WarpW-1:0]),
    .check_slot_o   (check_slot[2:0]),
    .check_names_o  (check_names[3*24-1:0]),
    .check_wait_i   (check_wait[3*WaitW-1:0]),
    .wake_i         (wake),
    .pending_i      (pending),
    .blocked_o      (blocked),
    .full_o         (full)
  );

  // --------------------------------------------------------------------------------------------------- properties
  logic wb_ok, copy_ok;
  always_comb begin   // entries: register 0 is never pending, a shadow never without its write
    for (int e = 0; e < NumPaths*NumEntries; e++) sane[e] = pending[e] ? (regs[e*6 +: 6] != '0) : !shadow[e];
  end
  always_comb begin
    wb_ok = 1'b1;
    for (int k = 0; k < NumWb; k++) begin
      if (wb_valid_i[k] && (32'(wb_warp_i[k*WarpW +: WarpW]) >= NumWarps)) wb_ok = 1'b0;
    end
    copy_ok = (!copy0_valid_i || (32'(copy0_warp_i) < NumWarps)) && (!copy1_valid_i || (32'(copy1_warp_i) < NumWarps));
    for (int p = 0; p < NumPaths; p++) begin
      if (!clear_i[p] && ((copy0_valid_i && (32'(copy0_warp_i) == p % NumWarps)) ||
                          (copy1_valid_i && (32'(copy1_warp_i) == p % NumWarps)))) copy_ok = 1'b0;
    end
  end

  // The two paths of every run.
  (* hierconn *) wire [WaitW-1:0] \dut.gen_path[0].wait_head_q , \dut.gen_path[1].wait_head_q ;
  (* hierconn *) wire [WaitW-1:0] \dut.gen_path[0].wait_second_q , \dut.gen_path[1].wait_second_q ;
  (* hierconn *) wire \dut.gen_path[0].depends_q , \dut.gen_path[1].depends_q ;
  (* hierconn *) wire [WarpW-1:0] \dut.taken_warp_q , \dut.filled_warp_q ;
  (* hierconn *) wire \dut.taken_slot_q , \dut.filled_slot_q , \dut.taken_q , \dut.filled_q ;
  logic [2*WaitW-1:0]  wait_head, wait_second;
  logic [1:0]          depends;
  logic [NumPaths-1:0] is_new, names_rd, waits_ok;
  assign wait_head   = {\dut.gen_path[1].wait_head_q , \dut.gen_path[0].wait_head_q };
  assign wait_second = {\dut.gen_path[1].wait_second_q , \dut.gen_path[0].wait_second_q };
  assign depends     = {\dut.gen_path[1].depends_q , \dut.gen_path[0].depends_q };
  always_comb begin
    for (int p = 0; p < NumPaths; p++) begin
      is_new[p]   = (\dut.taken_q && (32'(\dut.taken_warp_q ) == p % NumWarps) && (\dut.taken_slot_q == (p >= NumWarps))) ||
                    (\dut.filled_q && (32'(\dut.filled_warp_q ) == p % NumWarps) && (\dut.filled_slot_q == (p >= NumWarps)));
      names_rd[p] = 1'b0;
      for (int n = 0; n < 4; n++) begin
        if ((head_rd[p*6 +: 6] != '0) && (second[p*24+n*6 +: 6] == head_rd[p*6 +: 6])) names_rd[p] = 1'b1;
      end
      waits_ok[p] = (!head_valid_q[p] || (wait_head[p*WaitW +: WaitW] == check_wait[(3+p)*WaitW +: WaitW])) &&
                    (!second_valid[p] || is_new[p] ||
                     ((wait_second[p*WaitW +: WaitW] == check_wait[(3+NumPaths+p)*WaitW +: WaitW]) &&
                      (depends[p] == names_rd[p])));
    end
  end

  always_comb begin
    if (rst_n) begin
      take_is_legal:       assume (!take_valid_i || ((take & head_valid_q & ~head_blocked & ~head_full) != '0));
      write_back_is_legal: assume (wb_ok);
      copy_clears:         assume (copy_ok);

      rtl_assertions_seen:       cover (take_valid_i && fill_valid_i && (wake != '0) && (take_rd != '0));
      blocked_is_the_check:      assert (blocked == head_blocked);
      blocked_is_the_check_seen: cover ((taken_q & head_valid_q & blocked) != '0);
      full_is_the_check:         assert (full == head_full);
      waits_are_the_checks:      assert ((waits_ok == '1) && (sane == '1));
      waits_are_the_checks_seen: cover (((second_valid & ~is_new) != '0) && (wake != '0) && ((NumSlots == 1) || (shadow != '0)));
      full_is_the_check_seen:    cover ((taken_q & full & ~blocked) != '0);
    end
  end
endmodule
