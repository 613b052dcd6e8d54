// SPDX-License-Identifier: Apache-2.0
// warp_pool: the warps that wait or are being formed; each lane of an entry can be written alone.
//
// Contract
//   Latency  writes at edge t show in all outputs after edge t; the read port is combinational.
//   Order    free, then port 0, then port 1. A new entry loses the threads that its place held before, then gets the
//            lanes that its port writes there. A join by port 1 sees what port 0 wrote: of three sched the latest.
//   Reset    asynchronous, active low; no entry is valid. Everything else is storage without reset: it is written when
//            the entry becomes valid.
//   Idle     PC, sched and read data of an entry that is not valid are 0, tids of lanes without a thread too.
//   Assumes  (asserted) a new entry in a place that is not valid; joins of valid entries; lanes written in a joined or
//            new entry only, and only free ones.
//   Not here which entry a group goes to: pc_warp_lut and warp_allocator. Which one leaves: issue_logic.
// Source: DWF paper, section 4.2, figure 11(c).
module warp_pool #(
  parameter  int Lanes   = 16,   // threads of a warp
  parameter  int Threads = 256,  // threads of the core, entries of the pool
  parameter  int SchedW  = 8,    // bits of a thread's priority value (DPdPri)
  localparam int TidW    = heddle_pkg::idx_width(Threads),
  localparam int IdxW    = heddle_pkg::idx_width(Threads)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // from update 0
  input  logic [Lanes-1:0]          lane0_we_i,
  input  logic [Lanes*IdxW-1:0]     lane0_idx_i,
  input  logic [Lanes*TidW-1:0]     lane0_tid_i,
  input  logic                      new0_valid_i,
  input  logic [IdxW-1:0]           new0_idx_i,
  input  logic [31:0]               new0_pc_i,
  input  logic [SchedW-1:0]         new0_sched_i,
  input  logic                      join0_valid_i,
  input  logic [IdxW-1:0]           join0_idx_i,
  input  logic [SchedW-1:0]         join0_sched_i,
  // from update 1
  input  logic [Lanes-1:0]          lane1_we_i,
  input  logic [Lanes*IdxW-1:0]     lane1_idx_i,
  input  logic [Lanes*TidW-1:0]     lane1_tid_i,
  input  logic                      new1_valid_i,
  input  logic [IdxW-1:0]           new1_idx_i,
  input  logic [31:0]               new1_pc_i,
  input  logic [SchedW-1:0]         new1_sched_i,
  input  logic                      join1_valid_i,
  input  logic [IdxW-1:0]           join1_idx_i,
  input  logic [SchedW-1:0]         join1_sched_i,
  // to issue register
  input  logic [IdxW-1:0]           read_idx_i,
  output logic                      read_valid_o,
  output logic [31:0]               read_pc_o,
  output logic [Lanes-1:0]          read_mask_o,
  output logic [Lanes*TidW-1:0]     read_tids_o,
  output logic [SchedW-1:0]         read_sched_o,
  // from issue
  input  logic                      free_valid_i,
  input  logic [IdxW-1:0]           free_idx_i,
  // to issue logic
  output logic [Threads-1:0]        valid_o,
  output logic [Threads*32-1:0]     pc_o,
  output logic [Threads*SchedW-1:0] sched_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Threads < Lanes) Threads_must_be_at_least_Lanes limit ();   // one warp
  if (SchedW < 1) SchedW_must_be_at_least_1 limit ();

  logic [Threads-1:0] valid_q;
  (* mem2reg *)
  logic [31:0]        pc_q    [0:Threads-1];
  (* mem2reg *)
  logic [SchedW-1:0]  sched_q [0:Threads-1];

  // ------------------------------------------------------------------------------------------------------ sched
  // A warp has the latest value of its threads: a count that wraps is ahead of another by less than half the range.
  function automatic logic [SchedW-1:0] later(input logic [SchedW-1:0] joining, input logic [SchedW-1:0] waiting);
    logic [SchedW-1:0] ahead;
    ahead = joining - waiting;
    later = ahead[SchedW-1] ? waiting : joining;
  endfunction

  // A join by port 1 sees what port 0 wrote.
  logic [SchedW-1:0] before0, joined0, before1, joined1;
  assign before0 = sched_q[join0_idx_i];
  assign joined0 = later(join0_sched_i, before0);
  assign before1 = (join0_valid_i && (join0_idx_i == join1_idx_i)) ? joined0 :
                   (new0_valid_i && (new0_idx_i == join1_idx_i))   ? new0_sched_i : sched_q[join1_idx_i];
  assign joined1 = later(join1_sched_i, before1);

  // ------------------------------------------------------------------------------------------------------ entries
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
    end else begin
      if (free_valid_i) valid_q[free_idx_i] <= 1'b0;
      if (new0_valid_i) valid_q[new0_idx_i] <= 1'b1;
      if (new1_valid_i) valid_q[new1_idx_i] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (new0_valid_i) pc_q[new0_idx_i] <= new0_pc_i;
    if (new1_valid_i) pc_q[new1_idx_i] <= new1_pc_i;
    if (new0_valid_i)  sched_q[new0_idx_i]  <= new0_sched_i;
    if (join0_valid_i) sched_q[join0_idx_i] <= joined0;
    if (new1_valid_i)  sched_q[new1_idx_i]  <= new1_sched_i;
    if (join1_valid_i) sched_q[join1_idx_i] <= joined1;
  end

  // ------------------------------------------------------------------------------------------------------ lanes
  assign read_valid_o = valid_q[read_idx_i];
  assign read_pc_o    = read_valid_o ? pc_q[read_idx_i] : '0;
  assign read_sched_o = read_valid_o ? sched_q[read_idx_i] : '0;

  generate
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      logic            taken [0:Threads-1];   // the lane of the entry has a thread
      logic [TidW-1:0] tid   [0:Threads-1];
      logic [IdxW-1:0] idx0, idx1;
      assign idx0 = lane0_idx_i[l*IdxW +: IdxW];
      assign idx1 = lane1_idx_i[l*IdxW +: IdxW];

      always_ff @(posedge clk_i) begin
        if (new0_valid_i)  taken[new0_idx_i] <= 1'b0;
        if (lane0_we_i[l]) taken[idx0]       <= 1'b1;
        if (new1_valid_i)  taken[new1_idx_i] <= 1'b0;
        if (lane1_we_i[l]) taken[idx1]       <= 1'b1;
        if (lane0_we_i[l]) tid[idx0] <= lane0_tid_i[l*TidW +: TidW];
        if (lane1_we_i[l]) tid[idx1] <= lane1_tid_i[l*TidW +: TidW];
      end

      assign read_mask_o[l]              = read_valid_o && taken[read_idx_i];
      assign read_tids_o[l*TidW +: TidW] = read_mask_o[l] ? tid[read_idx_i] : '0;

`ifndef SYNTHESIS
      always @(posedge clk_i or negedge rst_ni) begin
        if (rst_ni) begin
          if (lane0_we_i[l] && !(new0_valid_i && (idx0 == new0_idx_i))) begin
            assert (join0_valid_i && (idx0 == join0_idx_i));            // a lane of neither a new nor a joined entry
            assert (!taken[idx0]);                                      // the lane has a thread already
          end
          if (lane1_we_i[l] && !(new1_valid_i && (idx1 == new1_idx_i))) begin
            assert (join1_valid_i && (idx1 == join1_idx_i));            // a lane of neither a new nor a joined entry
            assert (!(lane0_we_i[l] && (idx0 == idx1)));                // both ports write one lane
            assert (!taken[idx1] || (new0_valid_i && (idx1 == new0_idx_i)));   // the lane has a thread already
          end
        end
      end
`endif
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- outputs
  assign valid_o = valid_q;
  generate
    for (genvar i = 0; i < Threads; i++) begin : gen_entry
      assign pc_o[i*32 +: 32]            = valid_q[i] ? pc_q[i] : '0;
      assign sched_o[i*SchedW +: SchedW] = valid_q[i] ? sched_q[i] : '0;
    end
  endgenerate

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      // A new warp in a place that still holds one.
      assert (!(new0_valid_i && valid_q[new0_idx_i]));
      assert (!(new1_valid_i && (valid_q[new1_idx_i] || (new0_valid_i && (new0_idx_i == new1_idx_i)))));
      // A join of a warp that is not there, or that leaves in this cycle.
      assert (!(join0_valid_i && (!valid_q[join0_idx_i] || (free_valid_i && (free_idx_i == join0_idx_i)))));
      assert (!(join1_valid_i && (free_valid_i && (free_idx_i == join1_idx_i))));
      assert (!(join1_valid_i && !valid_q[join1_idx_i] && !(new0_valid_i && (new0_idx_i == join1_idx_i))));
      // An entry is freed that holds no warp.
      assert (!(free_valid_i && !valid_q[free_idx_i]));
    end
  end
`endif
endmodule
