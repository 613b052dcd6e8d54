// SPDX-License-Identifier: Apache-2.0
// Properties of warp_pool (scripts/prove). Of all entries the reference knows which hold a warp and which of their lanes
// have a thread; of an arbitrary entry the PC and the thread of an arbitrary lane. That entry is read when it holds a warp.
//
//! run Lanes=2 Threads=3
//! run Lanes=3 Threads=4
//! assume indices_are_legal: Every index names an entry.
//! assume new_is_legal: A new warp gets an entry that holds none, and some lanes; two get two.
//! assume join_is_legal: A joined warp is there and is not that of the other port; at least one lane of it is written, only lanes that are free; the mask has these lanes and those it had.
//! assume lanes_are_legal: The lanes that are written are those of the new warp and those that join.
//! assume one_is_an_entry: The entry and the lane looked at are any of them.
//!
//! together rtl_assertions lanes_read_back threads_read_back pc_of_the_new_warp
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant warp_pool_asserts_no_new_beside_join
//! property lanes_read_back: The mask read is of the lanes that were written since the warp was made; 0 where no warp is read.
//!   mutant pool_new_warp_keeps_lanes
//! property threads_read_back: The thread read in a lane is the one written there; 0 in a lane without one.
//!   mutant warp_pool_port_1_writes_the_thread_of_port_0
//! property pc_of_the_new_warp: The PC read is the one with which the warp was made; 0 where no warp is read.
//!   mutant warp_pool_second_new_keeps_pc
module warp_pool_props #(
  parameter  int Lanes   = 2,
  parameter  int Threads = 3,
  localparam int TidW    = heddle_pkg::idx_width(Threads),
  localparam int IdxW    = heddle_pkg::idx_width(Threads)
) (
  input logic                  clk_i,
  input logic                  join0_valid_i,
  input logic [IdxW-1:0]       join0_idx_i,
  input logic [Lanes-1:0]      join0_mask_i,
  input logic                  new0_valid_i,
  input logic [IdxW-1:0]       new0_idx_i,
  input logic [31:0]           new0_pc_i,
  input logic [Lanes-1:0]      new0_mask_i,
  input logic [Lanes-1:0]      lane0_we_i,
  input logic [Lanes*TidW-1:0] lane0_tid_i,
  input logic                  join1_valid_i,
  input logic [IdxW-1:0]       join1_idx_i,
  input logic [Lanes-1:0]      join1_mask_i,
  input logic                  new1_valid_i,
  input logic [IdxW-1:0]       new1_idx_i,
  input logic [31:0]           new1_pc_i,
  input logic [Lanes-1:0]      new1_mask_i,
  input logic [Lanes-1:0]      lane1_we_i,
  input logic [Lanes*TidW-1:0] lane1_tid_i,
  input logic                  leaves_i        // the warp of an entry leaves
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [IdxW-1:0] entry;
  (* anyconst *) logic [heddle_pkg::idx_width(Lanes)-1:0] lane;

  logic [Threads-1:0]       valid_q, valid_d;
  logic [Threads*Lanes-1:0] taken_q, taken_d;   // lane l of entry e at e*Lanes + l
  logic [TidW-1:0]          tid_q, tid_d;
  logic [31:0]              pc_q, pc_d;

  logic [31:0]           read_pc;
  logic [Lanes-1:0]      read_mask;
  logic [Lanes*TidW-1:0] read_tids;
  warp_pool #(.Lanes(Lanes), .Threads(Threads)) dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_n),
    .join0_valid_i (join0_valid_i),
    .join0_idx_i   (join0_idx_i),
    .join0_mask_i  (join0_mask_i),
    .new0_valid_i  (new0_valid_i),
    .new0_idx_i    (new0_idx_i),
    .new0_pc_i     (new0_pc_i),
    .new0_mask_i   (new0_mask_i),
    .lane0_we_i    (lane0_we_i),
    .lane0_tid_i   (lane0_tid_i),
    .join1_valid_i (join1_valid_i),
    .join1_idx_i   (join1_idx_i),
    .join1_mask_i  (join1_mask_i),
    .new1_valid_i  (new1_valid_i),
    .new1_idx_i    (new1_idx_i),
    .new1_pc_i     (new1_pc_i),
    .new1_mask_i   (new1_mask_i),
    .lane1_we_i    (lane1_we_i),
    .lane1_tid_i   (lane1_tid_i),
    .read_valid_i  (valid_q[entry]),
    .read_idx_i    (entry),
    .read_pc_o     (read_pc),
    .read_mask_o   (read_mask),
    .read_tids_o   (read_tids)
  );

  // The masks of all entries, as the pool has them: what is in an entry without a warp matters to nobody.
  (* hierconn *) wire [Threads-1:0] \dut.joined_q ;

  logic legal_indices, legal_new, legal_join, legal_lanes;
  logic [Lanes-1:0] there0, there1, made0, made1, joins0, joins1;
  always_comb begin
    made0  = new0_valid_i ? new0_mask_i : '0;
    made1  = new1_valid_i ? new1_mask_i : '0;
    there0 = taken_q[32'(join0_idx_i)*Lanes +: Lanes];
    there1 = taken_q[32'(join1_idx_i)*Lanes +: Lanes];
    joins0 = join0_valid_i ? join0_mask_i & ~there0 : '0;
    joins1 = join1_valid_i ? join1_mask_i & ~there1 : '0;

    legal_indices = (32'(new0_idx_i) < Threads) && (32'(new1_idx_i) < Threads) && (32'(join0_idx_i) < Threads) &&
                    (32'(join1_idx_i) < Threads);
    legal_new     = !(new0_valid_i && (valid_q[new0_idx_i] || (new0_mask_i == '0))) &&
                    !(new1_valid_i && (valid_q[new1_idx_i] || (new1_mask_i == '0))) &&
                    !(new0_valid_i && new1_valid_i && (new0_idx_i == new1_idx_i));
    legal_join    = !(join0_valid_i && (!valid_q[join0_idx_i] || (joins0 == '0) || ((there0 & ~join0_mask_i) != '0))) &&
                    !(join1_valid_i && (!valid_q[join1_idx_i] || (joins1 == '0) || ((there1 & ~join1_mask_i) != '0))) &&
                    !(join0_valid_i && join1_valid_i && (join0_idx_i == join1_idx_i));
    legal_lanes   = (lane0_we_i == (made0 | joins0)) && ((made0 & joins0) == '0) &&
                    (lane1_we_i == (made1 | joins1)) && ((made1 & joins1) == '0);

    valid_d = valid_q;
    taken_d = taken_q;
    tid_d   = tid_q;
    pc_d    = pc_q;
    if (leaves_i) valid_d[entry] = 1'b0;
    if (join0_valid_i) taken_d[32'(join0_idx_i)*Lanes +: Lanes] = there0 | joins0;
    if (join1_valid_i) taken_d[32'(join1_idx_i)*Lanes +: Lanes] = there1 | joins1;
    if (new0_valid_i) begin
      valid_d[new0_idx_i] = 1'b1;
      taken_d[32'(new0_idx_i)*Lanes +: Lanes] = new0_mask_i;
    end
    if (new1_valid_i) begin
      valid_d[new1_idx_i] = 1'b1;
      taken_d[32'(new1_idx_i)*Lanes +: Lanes] = new1_mask_i;
    end
    if ((made0[lane] && (new0_idx_i == entry)) || (joins0[lane] && (join0_idx_i == entry))) begin
      tid_d = lane0_tid_i[32'(lane)*TidW +: TidW];
    end
    if ((made1[lane] && (new1_idx_i == entry)) || (joins1[lane] && (join1_idx_i == entry))) begin
      tid_d = lane1_tid_i[32'(lane)*TidW +: TidW];
    end
    if (new0_valid_i && (new0_idx_i == entry)) pc_d = new0_pc_i;
    if (new1_valid_i && (new1_idx_i == entry)) pc_d = new1_pc_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      valid_q <= '0;
    end else begin
      valid_q <= valid_d;
      taken_q <= taken_d;
      tid_q   <= tid_d;
      pc_q    <= pc_d;
    end
  end

  wire             here  = valid_q[entry];
  wire [Lanes-1:0] lanes = here ? taken_q[32'(entry)*Lanes +: Lanes] : '0;

  always_comb begin
    if (rst_n) begin
      indices_are_legal: assume (legal_indices);
      new_is_legal:      assume (legal_new);
      join_is_legal:     assume (legal_join);
      lanes_are_legal:   assume (legal_lanes);
      one_is_an_entry:   assume ((32'(entry) < Threads) && (32'(lane) < Lanes));

      rtl_assertions_seen:     cover (join0_valid_i && new0_valid_i && join1_valid_i);
      lanes_read_back:         assert (read_mask == lanes);
      lanes_read_back_seen:    cover (here && (lanes == '1) && \dut.joined_q [entry]);
      threads_read_back:       assert (read_tids[32'(lane)*TidW +: TidW] == (lanes[lane] ? tid_q : '0));
      threads_read_back_seen:  cover (lanes[lane] && (lanes != '1) && (tid_q != '0));
      pc_of_the_new_warp:      assert (read_pc == (here ? pc_q : '0));
      pc_of_the_new_warp_seen: cover (!here && (pc_q != '0) && new1_valid_i && (new1_idx_i == entry));
    end
  end
endmodule
