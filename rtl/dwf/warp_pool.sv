// SPDX-License-Identifier: Apache-2.0
// warp_pool: the warps that wait or are being formed: PC, lanes with a thread, and the thread of each lane.
//
// Contract
//   Latency  writes at edge t show at the read port after edge t; the read port is combinational.
//   Order    no two writes of a cycle meet: joined and new warps of both ports are different entries. A lane of a port
//            is written in its new warp if that has the lane, else in the joined one. A read sees registered state.
//   Reset    none, all is storage: nothing is read of an entry before a new warp was written there. rst_ni gates the
//            assertions.
//   Idle     read data are 0 while read_valid_i is 0, tids of lanes without a thread too.
//   Assumes  (asserted) new and joined entries differ; lanes are written of the warps that are new or joined, and only
//            free ones; the mask of a join is the one that the entry has, with the lanes that are written.
//   Not here which entry a group goes to: pc_warp_lut and warp_allocator. Which one leaves: issue_logic.
// Source: DWF paper, section 4.2, figure 11(c); the mask in two memories: ours.
module warp_pool #(
  parameter  int Lanes   = 16,   // threads of a warp
  parameter  int Threads = 256,  // threads of the core, entries of the pool
  localparam int TidW    = heddle_pkg::idx_width(Threads),
  localparam int IdxW    = heddle_pkg::idx_width(Threads)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // from update 0
  input  logic                  join0_valid_i,
  input  logic [IdxW-1:0]       join0_idx_i,
  input  logic [Lanes-1:0]      join0_mask_i,   // of the warp, with the threads that join
  input  logic                  new0_valid_i,
  input  logic [IdxW-1:0]       new0_idx_i,
  input  logic [31:0]           new0_pc_i,
  input  logic [Lanes-1:0]      new0_mask_i,
  input  logic [Lanes-1:0]      lane0_we_i,
  input  logic [Lanes*TidW-1:0] lane0_tid_i,
  // from update 1
  input  logic                  join1_valid_i,
  input  logic [IdxW-1:0]       join1_idx_i,
  input  logic [Lanes-1:0]      join1_mask_i,
  input  logic                  new1_valid_i,
  input  logic [IdxW-1:0]       new1_idx_i,
  input  logic [31:0]           new1_pc_i,
  input  logic [Lanes-1:0]      new1_mask_i,
  input  logic [Lanes-1:0]      lane1_we_i,
  input  logic [Lanes*TidW-1:0] lane1_tid_i,
  // to issue register
  input  logic                  read_valid_i,
  input  logic [IdxW-1:0]       read_idx_i,
  output logic [31:0]           read_pc_o,
  output logic [Lanes-1:0]      read_mask_o,
  output logic [Lanes*TidW-1:0] read_tids_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Threads < Lanes) Threads_must_be_at_least_Lanes limit ();   // one warp

  // The mask of a warp is what it began with until threads join it, from then on what the last ones left: so a memory
  // with two write ports is enough for each.
  logic [31:0]        pc     [0:Threads-1];
  logic [Lanes-1:0]   began  [0:Threads-1];
  logic [Lanes-1:0]   grown  [0:Threads-1];
  logic [Threads-1:0] joined_q;

  always_ff @(posedge clk_i) begin
    if (new0_valid_i)  pc[new0_idx_i]     <= new0_pc_i;
    if (new1_valid_i)  pc[new1_idx_i]     <= new1_pc_i;
    if (new0_valid_i)  began[new0_idx_i]  <= new0_mask_i;
    if (new1_valid_i)  began[new1_idx_i]  <= new1_mask_i;
    if (join0_valid_i) grown[join0_idx_i] <= join0_mask_i;
    if (join1_valid_i) grown[join1_idx_i] <= join1_mask_i;
  end

  generate
    for (genvar i = 0; i < Threads; i++) begin : gen_entry
      logic begins, grows;
      assign begins = (new0_valid_i && (new0_idx_i == IdxW'(i))) || (new1_valid_i && (new1_idx_i == IdxW'(i)));
      assign grows  = (join0_valid_i && (join0_idx_i == IdxW'(i))) || (join1_valid_i && (join1_idx_i == IdxW'(i)));
      always_ff @(posedge clk_i) begin
        if (begins || grows) joined_q[i] <= grows;
      end
    end
  endgenerate

  assign read_pc_o   = read_valid_i ? pc[read_idx_i] : '0;
  assign read_mask_o = !read_valid_i ? '0 : joined_q[read_idx_i] ? grown[read_idx_i] : began[read_idx_i];

  generate
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      logic [TidW-1:0] tid [0:Threads-1];
      logic [IdxW-1:0] idx0, idx1;
      assign idx0 = (new0_valid_i && new0_mask_i[l]) ? new0_idx_i : join0_idx_i;
      assign idx1 = (new1_valid_i && new1_mask_i[l]) ? new1_idx_i : join1_idx_i;

      always_ff @(posedge clk_i) begin
        if (lane0_we_i[l]) tid[idx0] <= lane0_tid_i[l*TidW +: TidW];
        if (lane1_we_i[l]) tid[idx1] <= lane1_tid_i[l*TidW +: TidW];
      end

      assign read_tids_o[l*TidW +: TidW] = read_mask_o[l] ? tid[read_idx_i] : '0;
    end
  endgenerate

`ifndef SYNTHESIS
  logic [Lanes-1:0] began0, began1, joining0, joining1, before0, before1;
  assign began0   = new0_valid_i ? new0_mask_i : '0;
  assign began1   = new1_valid_i ? new1_mask_i : '0;
  assign joining0 = lane0_we_i & ~began0;
  assign joining1 = lane1_we_i & ~began1;
  assign before0  = joined_q[join0_idx_i] ? grown[join0_idx_i] : began[join0_idx_i];
  assign before1  = joined_q[join1_idx_i] ? grown[join1_idx_i] : began[join1_idx_i];
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      // Two writes into one entry.
      assert (!(new0_valid_i && new1_valid_i && (new0_idx_i == new1_idx_i)));
      assert (!(join0_valid_i && join1_valid_i && (join0_idx_i == join1_idx_i)));
      assert (!(join0_valid_i && new0_valid_i && (join0_idx_i == new0_idx_i)));
      assert (!(join0_valid_i && new1_valid_i && (join0_idx_i == new1_idx_i)));
      assert (!(join1_valid_i && new0_valid_i && (join1_idx_i == new0_idx_i)));
      assert (!(join1_valid_i && new1_valid_i && (join1_idx_i == new1_idx_i)));
      // A lane of a new warp is not written, or one of no warp is.
      assert ((began0 & ~lane0_we_i) == '0);
      assert ((began1 & ~lane1_we_i) == '0);
      assert (join0_valid_i == (joining0 != '0));
      assert (join1_valid_i == (joining1 != '0));
      // A lane that has a thread already is written, or the mask is not that of the warp with those that join.
      assert (!(join0_valid_i && ((joining0 & before0) != '0)));
      assert (!(join1_valid_i && ((joining1 & before1) != '0)));
      assert (!(join0_valid_i && (join0_mask_i != (before0 | joining0))));
      assert (!(join1_valid_i && (join1_mask_i != (before1 | joining1))));
    end
  end
`endif
endmodule
