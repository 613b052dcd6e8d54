// SPDX-License-Identifier: Apache-2.0
// Properties of warp_update_register (scripts/prove). The reference remembers the last group that was taken, and whether it
// waits; of its threads, that of an arbitrary lane.
//
//! run Lanes=2 Threads=4 SchedW=2
//! run Lanes=5 Threads=12 SchedW=8
//! assume one_is_a_lane: The lane looked at is any of them.
//!
//! together waits_until_taken holds_the_group holds_the_threads never_empty
//! property waits_until_taken: A group is valid from the edge that loads it until it is cleared or another input is loaded: none is lost, none doubled.
//!   mutant update_register_clear_wins
//! property holds_the_group: PC, lanes and priority are those of the group that was loaded last.
//!   mutant update_register_keeps_sched
//! property holds_the_threads: So is the thread of each of its lanes; a lane that is not asked for has thread 0.
//!   mutant update_register_keeps_unwanted_threads
//! property never_empty: A valid group has a thread.
//!   mutant update_register_takes_an_empty_group
module warp_update_register_props #(
  parameter  int Lanes   = 2,
  parameter  int Threads = 4,
  parameter  int SchedW  = 2,
  localparam int TidW    = heddle_pkg::idx_width(Threads)
) (
  input logic                  clk_i,
  input logic                  valid_i,
  input logic [31:0]           pc_i,
  input logic [Lanes-1:0]      req_i,
  input logic [Lanes*TidW-1:0] tids_i,
  input logic [SchedW-1:0]     sched_i,
  input logic                  load_i,
  input logic                  clear_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic                  valid;
  logic [31:0]           pc;
  logic [Lanes-1:0]      req;
  logic [Lanes*TidW-1:0] tids;
  logic [SchedW-1:0]     sched;
  warp_update_register #(.Lanes(Lanes), .Threads(Threads), .SchedW(SchedW)) dut (
    .clk_i   (clk_i),
    .rst_ni  (rst_n),
    .valid_i (valid_i),
    .pc_i    (pc_i),
    .req_i   (req_i),
    .tids_i  (tids_i),
    .sched_i (sched_i),
    .load_i  (load_i),
    .clear_i (clear_i),
    .valid_o (valid),
    .pc_o    (pc),
    .req_o   (req),
    .tids_o  (tids),
    .sched_o (sched)
  );

  (* anyconst *) logic [heddle_pkg::idx_width(Lanes)-1:0] lane;
  wire [TidW-1:0] tid_in = tids_i[32'(lane)*TidW +: TidW];
  wire [TidW-1:0] tid    = tids[32'(lane)*TidW +: TidW];

  logic              group_q, waits_q;   // a group was loaded since reset; it waits
  logic [31:0]       pc_q;
  logic [Lanes-1:0]  req_q;
  logic [TidW-1:0]   tid_q;
  logic [SchedW-1:0] sched_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      group_q <= 1'b0;
      waits_q <= 1'b0;
    end else begin
      if (load_i || clear_i) waits_q <= load_i && valid_i && (req_i != '0);
      if (load_i && valid_i && (req_i != '0)) begin
        group_q <= 1'b1;
        pc_q    <= pc_i;
        req_q   <= req_i;
        tid_q   <= tid_in;
        sched_q <= sched_i;
      end
    end
  end

  always_comb begin
    if (rst_n) begin
      one_is_a_lane: assume (32'(lane) < Lanes);

      waits_until_taken:      assert (valid == waits_q);
      waits_until_taken_seen: cover (waits_q && load_i && clear_i);
      holds_the_group:        assert (!group_q || ((pc == pc_q) && (req == req_q) && (sched == sched_q)));
      holds_the_group_seen:   cover (group_q && !waits_q && (pc_q != '0) && (sched_q != '0));
      holds_the_threads:      assert (!group_q || (tid == (req_q[lane] ? tid_q : '0)));
      holds_the_threads_seen: cover (group_q && !req_q[lane] && (tid_q != '0));
      never_empty:            assert (!valid || (req != '0));
      never_empty_seen:       cover (valid && load_i && valid_i && (req_i == '0));
    end
  end
endmodule
