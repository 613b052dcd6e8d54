// SPDX-License-Identifier: Apache-2.0
// Properties of warp_pool (scripts/prove). Of all entries the reference knows which are valid and which of their lanes have
// a thread; of an arbitrary entry PC, priority and the thread of an arbitrary lane.
//
//! run Lanes=2 Threads=3 SchedW=2
//! run Lanes=3 Threads=4 SchedW=2
//! assume indices_are_legal: Every index names an entry.
//! assume new_is_legal: A new warp gets an entry that holds none; two get two.
//! assume join_is_legal: A joined warp is there and does not leave in this cycle; that of port 1 may be new by port 0.
//! assume free_is_legal: An entry that is freed holds a warp.
//! assume lanes_are_legal: A lane is written in an entry that its port makes or joins, and there only if it is free.
//! assume one_is_an_entry: The entry and the lane looked at are any of them.
//!
//! together rtl_assertions valid_from_new_to_free lanes_read_back threads_read_back pc_of_the_new_warp sched_is_the_latest
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant warp_pool_asserts_no_new_beside_free
//! property valid_from_new_to_free: An entry is valid from the edge that makes its warp to the edge that frees it.
//!   mutant warp_pool_free_loses
//! property lanes_read_back: The mask read is of the lanes that were written since the warp was made; 0 of an entry that is not valid.
//!   mutant pool_new_warp_keeps_lanes
//! property threads_read_back: The thread read in a lane is the one written there; 0 in a lane without one.
//!   mutant warp_pool_port_1_writes_the_thread_of_port_0
//! property pc_of_the_new_warp: The PC of a warp is the one with which it was made, at both outputs; 0 of an entry that is not valid.
//!   mutant warp_pool_second_new_keeps_pc
//! property sched_is_the_latest: Its priority is the one with which it was made, or that of a join that was less than half the range ahead, at both outputs.
//!   mutant pool_join_overwrites_sched
module warp_pool_props #(
  parameter  int Lanes   = 2,
  parameter  int Threads = 3,
  parameter  int SchedW  = 2,
  localparam int TidW    = heddle_pkg::idx_width(Threads),
  localparam int IdxW    = heddle_pkg::idx_width(Threads)
) (
  input logic                  clk_i,
  input logic [Lanes-1:0]      lane0_we_i,
  input logic [Lanes*IdxW-1:0] lane0_idx_i,
  input logic [Lanes*TidW-1:0] lane0_tid_i,
  input logic                  new0_valid_i,
  input logic [IdxW-1:0]       new0_idx_i,
  input logic [31:0]           new0_pc_i,
  input logic [SchedW-1:0]     new0_sched_i,
  input logic                  join0_valid_i,
  input logic [IdxW-1:0]       join0_idx_i,
  input logic [SchedW-1:0]     join0_sched_i,
  input logic [Lanes-1:0]      lane1_we_i,
  input logic [Lanes*IdxW-1:0] lane1_idx_i,
  input logic [Lanes*TidW-1:0] lane1_tid_i,
  input logic                  new1_valid_i,
  input logic [IdxW-1:0]       new1_idx_i,
  input logic [31:0]           new1_pc_i,
  input logic [SchedW-1:0]     new1_sched_i,
  input logic                  join1_valid_i,
  input logic [IdxW-1:0]       join1_idx_i,
  input logic [SchedW-1:0]     join1_sched_i,
  input logic                  free_valid_i,
  input logic [IdxW-1:0]       free_idx_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [IdxW-1:0] entry;
  (* anyconst *) logic [heddle_pkg::idx_width(Lanes)-1:0] lane;

  logic                      read_valid;
  logic [31:0]               read_pc;
  logic [Lanes-1:0]          read_mask;
  logic [Lanes*TidW-1:0]     read_tids;
  logic [SchedW-1:0]         read_sched;
  logic [Threads-1:0]        valid;
  logic [Threads*32-1:0]     pc;
  logic [Threads*SchedW-1:0] sched;
  warp_pool #(.Lanes(Lanes), .Threads(Threads), .SchedW(SchedW)) dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_n),
    .lane0_we_i    (lane0_we_i),
    .lane0_idx_i   (lane0_idx_i),
    .lane0_tid_i   (lane0_tid_i),
    .new0_valid_i  (new0_valid_i),
    .new0_idx_i    (new0_idx_i),
    .new0_pc_i     (new0_pc_i),
    .new0_sched_i  (new0_sched_i),
    .join0_valid_i (join0_valid_i),
    .join0_idx_i   (join0_idx_i),
    .join0_sched_i (join0_sched_i),
    .lane1_we_i    (lane1_we_i),
    .lane1_idx_i   (lane1_idx_i),
    .lane1_tid_i   (lane1_tid_i),
    .new1_valid_i  (new1_valid_i),
    .new1_idx_i    (new1_idx_i),
    .new1_pc_i     (new1_pc_i),
    .new1_sched_i  (new1_sched_i),
    .join1_valid_i (join1_valid_i),
    .join1_idx_i   (join1_idx_i),
    .join1_sched_i (join1_sched_i),
    .read_idx_i    (entry),
    .read_valid_o  (read_valid),
    .read_pc_o     (read_pc),
    .read_mask_o   (read_mask),
    .read_tids_o   (read_tids),
    .read_sched_o  (read_sched),
    .free_valid_i  (free_valid_i),
    .free_idx_i    (free_idx_i),
    .valid_o       (valid),
    .pc_o          (pc),
    .sched_o       (sched)
  );

  logic [Threads-1:0]       valid_q, valid_d;
  logic [Threads*Lanes-1:0] taken_q, taken_d;   // lane l of entry e at e*Lanes + l
  logic [TidW-1:0]          tid_q, tid_d;
  logic [31:0]              pc_q, pc_d;
  logic [SchedW-1:0]        sched_q, sched_d;

  // A step forward of 1 to 2**(SchedW-1) - 1 leads from b to a.
  function automatic ahead(input [SchedW-1:0] a, input [SchedW-1:0] b);
    ahead = 1'b0;
    for (int i = 1; i < 2**(SchedW-1); i++) if (SchedW'(32'(b) + i) == a) ahead = 1'b1;
  endfunction
  logic                     legal_indices, legal_new, legal_join, legal_free, legal_lanes;
  logic [IdxW-1:0]          idx0, idx1;
  always_comb begin
    valid_d       = valid_q;
    taken_d       = taken_q;
    tid_d         = tid_q;
    pc_d          = pc_q;
    sched_d       = sched_q;
    legal_indices = (32'(new0_idx_i) < Threads) && (32'(new1_idx_i) < Threads) && (32'(join0_idx_i) < Threads) &&
                    (32'(join1_idx_i) < Threads) && (32'(free_idx_i) < Threads);
    legal_lanes   = 1'b1;

    // free
    legal_free = !free_valid_i || valid_q[free_idx_i];
    legal_join = !join0_valid_i || (valid_q[join0_idx_i] && !(free_valid_i && (free_idx_i == join0_idx_i)));
    legal_new  = !new0_valid_i || !valid_q[new0_idx_i];
    if (free_valid_i) valid_d[free_idx_i] = 1'b0;
    // port 0
    if (new0_valid_i) begin
      valid_d[new0_idx_i] = 1'b1;
      taken_d[32'(new0_idx_i)*Lanes +: Lanes] = '0;
      if (new0_idx_i == entry) {pc_d, sched_d} = {new0_pc_i, new0_sched_i};
    end
    if (join0_valid_i && (join0_idx_i == entry) && ahead(join0_sched_i, sched_d)) sched_d = join0_sched_i;
    for (int l = 0; l < Lanes; l++) begin
      idx0 = lane0_idx_i[l*IdxW +: IdxW];
      if (32'(idx0) >= Threads) legal_indices = 1'b0;
      if (lane0_we_i[l]) begin
        if (!(new0_valid_i && (idx0 == new0_idx_i)) && !(join0_valid_i && (idx0 == join0_idx_i))) legal_lanes = 1'b0;
        if (taken_d[32'(idx0)*Lanes + l]) legal_lanes = 1'b0;
        taken_d[32'(idx0)*Lanes + l] = 1'b1;
        if ((idx0 == entry) && (32'(lane) == l)) tid_d = lane0_tid_i[l*TidW +: TidW];
      end
    end
    // port 1
    if (join1_valid_i && (!valid_d[join1_idx_i] || (free_valid_i && (free_idx_i == join1_idx_i)))) legal_join = 1'b0;
    if (new1_valid_i && (valid_q[new1_idx_i] || valid_d[new1_idx_i])) legal_new = 1'b0;
    if (new1_valid_i) begin
      valid_d[new1_idx_i] = 1'b1;
      taken_d[32'(new1_idx_i)*Lanes +: Lanes] = '0;
      if (new1_idx_i == entry) {pc_d, sched_d} = {new1_pc_i, new1_sched_i};
    end
    if (join1_valid_i && (join1_idx_i == entry) && ahead(join1_sched_i, sched_d)) sched_d = join1_sched_i;
    for (int l = 0; l < Lanes; l++) begin
      idx1 = lane1_idx_i[l*IdxW +: IdxW];
      if (32'(idx1) >= Threads) legal_indices = 1'b0;
      if (lane1_we_i[l]) begin
        if (!(new1_valid_i && (idx1 == new1_idx_i)) && !(join1_valid_i && (idx1 == join1_idx_i))) legal_lanes = 1'b0;
        if (taken_d[32'(idx1)*Lanes + l]) legal_lanes = 1'b0;
        taken_d[32'(idx1)*Lanes + l] = 1'b1;
        if ((idx1 == entry) && (32'(lane) == l)) tid_d = lane1_tid_i[l*TidW +: TidW];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      valid_q <= '0;
      taken_q <= '0;
    end else begin
      valid_q <= valid_d;
      taken_q <= taken_d;
      tid_q   <= tid_d;
      pc_q    <= pc_d;
      sched_q <= sched_d;
    end
  end

  wire              here     = valid_q[entry];
  wire [Lanes-1:0]  lanes    = here ? taken_q[32'(entry)*Lanes +: Lanes] : '0;
  wire [31:0]       entry_pc = here ? pc_q : '0;
  wire [SchedW-1:0] latest   = here ? sched_q : '0;
  wire              joined   = join0_valid_i && join1_valid_i && (join0_idx_i == entry) && (join1_idx_i == entry);

  always_comb begin
    if (rst_n) begin
      indices_are_legal: assume (legal_indices);
      new_is_legal:      assume (legal_new);
      join_is_legal:     assume (legal_join);
      free_is_legal:     assume (legal_free);
      lanes_are_legal:   assume (legal_lanes);
      one_is_an_entry:   assume ((32'(entry) < Threads) && (32'(lane) < Lanes));

      rtl_assertions_seen:         cover (joined && free_valid_i);
      valid_from_new_to_free:      assert ((valid == valid_q) && (read_valid == here));
      valid_from_new_to_free_seen: cover (free_valid_i && new0_valid_i && new1_valid_i);
      lanes_read_back:             assert (read_mask == lanes);
      lanes_read_back_seen:        cover (here && (lanes == '1));
      threads_read_back:           assert (read_tids[32'(lane)*TidW +: TidW] == (lanes[lane] ? tid_q : '0));
      threads_read_back_seen:      cover (lanes[lane] && (lanes != '1) && (tid_q != '0));
      pc_of_the_new_warp:          assert ((read_pc == entry_pc) && (pc[32'(entry)*32 +: 32] == entry_pc));
      pc_of_the_new_warp_seen:     cover (!here && (pc_q != '0) && new1_valid_i && (new1_idx_i == entry));
      sched_is_the_latest:         assert ((read_sched == latest) && (sched[32'(entry)*SchedW +: SchedW] == latest));
      sched_is_the_latest_seen:    cover (here && joined && (join1_sched_i < join0_sched_i) && (join0_sched_i > sched_q) &&
                                          ahead(join1_sched_i, join0_sched_i));
    end
  end
endmodule
