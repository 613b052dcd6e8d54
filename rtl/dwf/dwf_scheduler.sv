// SPDX-License-Identifier: Apache-2.0
// dwf_scheduler: forms warps of threads that continue at one PC and issues one a cycle: update registers, PC-warp LUT,
// warp allocator, warp pool and issue logic, and the registers that tie them together.
//
// Contract
//   Latency  a group sampled at edge t is in its update register after edge t, in the pool after edge t+1 unless held;
//            its new warp then is in the pick register, too, if none waits, and on issue_* after edge t+2 at the
//            earliest; one that waits is picked and issued an edge later each. issue_* and the events are registers;
//            combinational is only issue_ready_i, ending in registers. update_ready_o depends on registers alone.
//   Order    issue, pick, update 0, then update 1. The warp that issues leaves as it is in registered state: threads
//            that are updated in the same cycle start a new warp; until then they join it, picked or not. Update 1 sees
//            the LUT as update 0 left it, both see it without the entry of the warp that issues. A pool entry freed by
//            an issue can be taken from the next cycle on. A held update stays in its register; the other one may go.
//            What is picked stays picked. Of warps that the heuristic holds equal the one that was allocated first
//            issues first.
//   Reset    asynchronous, active low; no thread is inside, all registers 0.
//   Idle     data of issue_* keep their value while issue_valid_o is 0; tids of lanes not in the mask are 0;
//            issue_sched_o is 0 with any heuristic but DPdPri, the only one that stores what the groups have.
//   Assumes  (asserted) the groups of one cycle have different PCs; a thread that enters is not inside already.
//   Not here registers, lanes, memory, barriers and home lanes: they are the environment's.
// Source: DWF paper, section 4.2, figure 11.
module dwf_scheduler #(
  parameter  int Lanes        = 16,   // threads of a warp
  parameter  int Threads      = 256,  // threads of the core, entries of the pool
  parameter  int LutEntries   = 32,   // entries of the PC-warp LUT, a power of two
  parameter  int LutWays      = 2,    // ways of a set: 1, 2 or 4
  parameter  int TableEntries = 32,   // PCs that DMaj and DMin tell apart
  parameter  int SchedW       = 8,    // bits of a thread's priority value (DPdPri)
  parameter  int Heuristic    = 0,    // 0 DMaj, 1 DMin, 2 DTime, 3 DPdPri, 4 DPC
  parameter  int LaneAware    = 1,    // 0: a thread takes any free lane
  parameter  int TableSort    = 0,    // DMaj and DMin: 0 one sorting step a cycle, 1 the exact choice
  localparam int TidW         = heddle_pkg::idx_width(Threads),
  localparam int CntW         = heddle_pkg::idx_width(Threads + 1),
  localparam int DistinctW    = heddle_pkg::idx_width(TableEntries + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // from write-back and dispatcher
  input  logic                  update0_valid_i,
  input  logic [31:0]           update0_pc_i,
  input  logic [Lanes-1:0]      update0_req_i,
  input  logic [Lanes*TidW-1:0] update0_tids_i,
  input  logic [SchedW-1:0]     update0_sched_i,
  input  logic                  update1_valid_i,
  input  logic [31:0]           update1_pc_i,
  input  logic [Lanes-1:0]      update1_req_i,
  input  logic [Lanes*TidW-1:0] update1_tids_i,
  input  logic [SchedW-1:0]     update1_sched_i,
  output logic                  update_ready_o,
  // to execute
  input  logic                  issue_ready_i,
  output logic                  issue_valid_o,
  output logic [31:0]           issue_pc_o,
  output logic [Lanes-1:0]      issue_mask_o,
  output logic [Lanes*TidW-1:0] issue_tids_o,
  output logic [SchedW-1:0]     issue_sched_o,
  // events, bit = update
  output logic [1:0]            hit_o,
  output logic [1:0]            miss_o,
  output logic [1:0]            alias_o,
  output logic [1:0]            conflict_o,
  output logic [1:0]            fragmented_o,
  output logic                  drain_o,
  // status
  output logic [CntW-1:0]       warps_o,
  output logic [CntW-1:0]       max_warps_o,
  output logic [DistinctW-1:0]  distinct_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Threads < Lanes) Threads_must_be_at_least_Lanes limit ();   // one warp
  if (LaneAware < 0 || LaneAware > 1) LaneAware_must_be_0_or_1 limit ();

  localparam int IdxW   = TidW;
  localparam int LanesW = heddle_pkg::idx_width(Lanes + 1);   // a number of lanes

  function automatic logic [LanesW-1:0] count_of(input logic [Lanes-1:0] mask);
    count_of = '0;
    for (int l = 0; l < Lanes; l++) count_of = count_of + LanesW'(mask[l]);
  endfunction

  // -------------------------------------------------------------------------------------------- update registers
  logic                  valid0, valid1;
  logic [31:0]           pc0, pc1;
  logic [Lanes-1:0]      req0, req1;
  logic [Lanes*TidW-1:0] tids0, tids1;
  logic [SchedW-1:0]     sched0, sched1;
  logic                  hold0, hold1;
  logic                  go0, go1;        // the update is done in this cycle

  assign go0            = valid0 && !hold0;
  assign go1            = valid1 && !hold1;
  assign update_ready_o = !hold0 && !hold1;

  warp_update_register #(
    .Lanes     (Lanes),
    .Threads   (Threads),
    .SchedW    (SchedW),
    .KeepSched (32'(Heuristic == 3))   // DPdPri alone looks at it
  ) u_update0 (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (update0_valid_i),
    .pc_i    (update0_pc_i),
    .req_i   (update0_req_i),
    .tids_i  (update0_tids_i),
    .sched_i (update0_sched_i),
    .load_i  (update_ready_o),
    .clear_i (go0),
    .valid_o (valid0),
    .pc_o    (pc0),
    .req_o   (req0),
    .tids_o  (tids0),
    .sched_o (sched0)
  );

  warp_update_register #(
    .Lanes     (Lanes),
    .Threads   (Threads),
    .SchedW    (SchedW),
    .KeepSched (32'(Heuristic == 3))   // DPdPri alone looks at it
  ) u_update1 (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (update1_valid_i),
    .pc_i    (update1_pc_i),
    .req_i   (update1_req_i),
    .tids_i  (update1_tids_i),
    .sched_i (update1_sched_i),
    .load_i  (update_ready_o),
    .clear_i (go1),
    .valid_o (valid1),
    .pc_o    (pc1),
    .req_o   (req1),
    .tids_o  (tids1),
    .sched_o (sched1)
  );

  // -------------------------------------------------------------------------------------------------------- issue
  logic                  pick_valid, issue;   // the pick register; its warp leaves
  logic [IdxW-1:0]       pick_idx;
  logic [SchedW-1:0]     pick_sched;
  logic [31:0]           read_pc;             // of the pool
  logic [Lanes-1:0]      read_mask;
  logic [Lanes*TidW-1:0] read_tids;

  assign issue = pick_valid && issue_ready_i;

  // ------------------------------------------------------------------------------------------- lookup, new warps
  logic             hit0, hit1, alias0, alias1;
  logic [IdxW-1:0]  found0, found1;           // pool entry of the hit
  logic [Lanes-1:0] occ0, occ1;               // its lanes with a thread, 0 without a hit
  logic [IdxW-1:0]  offer0, offer1, place1;   // place1: where update 1 makes a new warp
  logic [CntW-1:0]  free_count;
  logic             new0, new1;               // the update makes a new warp
  logic             join0, join1;             // threads join the found warp
  logic [1:0]       take;

  // Lanes of the found warp (or, without a hit, the new warp) that get a thread; lanes of the new warp that get those
  // that do not fit.
  logic [Lanes-1:0]      fit0, over0, fit1, over1;
  logic [Lanes*TidW-1:0] placed0, placed1;    // tids by the lane to which they go

  assign new0   = go0 && (!hit0 || (over0 != '0));
  assign new1   = go1 && (!hit1 || (over1 != '0));
  assign join0  = hit0 && (fit0 != '0);
  assign join1  = hit1 && (fit1 != '0);
  assign take   = {1'b0, new0} + {1'b0, new1};
  assign place1 = new0 ? offer1 : offer0;

  pc_warp_lut #(
    .Lanes      (Lanes),
    .Threads    (Threads),
    .LutEntries (LutEntries),
    .LutWays    (LutWays),
    .LaneAware  (LaneAware)
  ) u_lut (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .invalidate_valid_i (issue),
    .invalidate_idx_i   (pick_idx),
    .lookup0_valid_i    (go0),
    .lookup0_pc_i       (pc0),
    .lookup0_req_i      (req0),
    .lookup0_new_idx_i  (offer0),
    .lookup1_valid_i    (go1),
    .lookup1_pc_i       (pc1),
    .lookup1_req_i      (req1),
    .lookup1_new_idx_i  (place1),
    .hit0_o             (hit0),
    .idx0_o             (found0),
    .occ0_o             (occ0),
    .alias0_o           (alias0),
    .hit1_o             (hit1),
    .idx1_o             (found1),
    .occ1_o             (occ1),
    .alias1_o           (alias1)
  );

  warp_allocator #(
    .Threads (Threads)
  ) u_allocator (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .offer0_o        (offer0),
    .offer1_o        (offer1),
    .free_o          (free_count),
    .take_i          (take),
    .release_valid_i (issue),
    .release_idx_i   (pick_idx)
  );

  // ---------------------------------------------------------------------------------------------------- placement
  generate
    if (LaneAware == 1) begin : gen_home_lanes
      assign fit0    = req0 & ~occ0;
      assign over0   = req0 & occ0;
      assign placed0 = tids0;
      assign fit1    = req1 & ~occ1;
      assign over1   = req1 & occ1;
      assign placed1 = tids1;
    end else begin : gen_any_lane
      // Lanes with a thread are a row of ones from lane 0 up. The threads take the lanes behind it, and begin at lane
      // 0 of the new warp when the row is full.
      logic [Lanes-1:0] filled0, filled1;
      assign {over0, filled0} = ({{Lanes{1'b0}}, occ0} << count_of(req0)) | ~({(2*Lanes){1'b1}} << count_of(req0));
      assign {over1, filled1} = ({{Lanes{1'b0}}, occ1} << count_of(req1)) | ~({(2*Lanes){1'b1}} << count_of(req1));
      assign fit0 = filled0 & ~occ0;
      assign fit1 = filled1 & ~occ1;

      function automatic logic [Lanes*TidW-1:0] packed_behind(input logic [Lanes-1:0] occ,
                                                              input logic [Lanes-1:0] req,
                                                              input logic [Lanes*TidW-1:0] tids);
        logic [LanesW-1:0] lane;
        packed_behind = '0;
        lane          = count_of(occ);
        for (int l = 0; l < Lanes; l++) begin
          if (lane == LanesW'(Lanes)) lane = '0;
          if (req[l]) begin
            packed_behind[32'(lane)*TidW +: TidW] = tids[l*TidW +: TidW];
            lane = lane + LanesW'(1);
          end
        end
      endfunction
      assign placed0 = packed_behind(occ0, req0, tids0);
      assign placed1 = packed_behind(occ1, req1, tids1);
    end
  endgenerate

  logic [Lanes-1:0] we0, we1, begun0, begun1;   // begun: lanes of the new warp
  assign we0    = go0 ? (fit0 | over0) : '0;
  assign we1    = go1 ? (fit1 | over1) : '0;
  assign begun0 = hit0 ? over0 : fit0;
  assign begun1 = hit1 ? over1 : fit1;

  // --------------------------------------------------------------------------------------------------------- pool
  warp_pool #(
    .Lanes   (Lanes),
    .Threads (Threads)
  ) u_pool (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .join0_valid_i (join0),
    .join0_idx_i   (found0),
    .join0_mask_i  (occ0 | fit0),
    .new0_valid_i  (new0),
    .new0_idx_i    (offer0),
    .new0_pc_i     (pc0),
    .new0_mask_i   (begun0),
    .lane0_we_i    (we0),
    .lane0_tid_i   (placed0),
    .join1_valid_i (join1),
    .join1_idx_i   (found1),
    .join1_mask_i  (occ1 | fit1),
    .new1_valid_i  (new1),
    .new1_idx_i    (place1),
    .new1_pc_i     (pc1),
    .new1_mask_i   (begun1),
    .lane1_we_i    (we1),
    .lane1_tid_i   (placed1),
    .read_valid_i  (pick_valid),
    .read_idx_i    (pick_idx),
    .read_pc_o     (read_pc),
    .read_mask_o   (read_mask),
    .read_tids_o   (read_tids)
  );

  logic [LanesW-1:0] count0, count1, left_count;   // threads that enter, threads that left in the cycle before
  assign count0     = count_of(req0);
  assign count1     = count_of(req1);
  assign left_count = count_of(issue_mask_o);

  issue_logic #(
    .Threads      (Threads),
    .Lanes        (Lanes),
    .SchedW       (SchedW),
    .TableEntries (TableEntries),
    .Heuristic    (Heuristic),
    .TableSort    (TableSort)
  ) u_issue (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .pick_valid_o    (pick_valid),
    .pick_idx_o      (pick_idx),
    .pick_sched_o    (pick_sched),
    .issue_i         (issue),
    .left_count_i    (left_count),
    .update0_valid_i (valid0),
    .update0_pc_i    (pc0),
    .update1_valid_i (valid1),
    .update1_pc_i    (pc1),
    .hold0_o         (hold0),
    .hold1_o         (hold1),
    .add0_count_i    (count0),
    .add0_sched_i    (sched0),
    .add0_new_i      (new0),
    .add0_new_idx_i  (offer0),
    .add0_join_i     (join0),
    .add0_join_idx_i (found0),
    .add1_count_i    (count1),
    .add1_sched_i    (sched1),
    .add1_new_i      (new1),
    .add1_new_idx_i  (place1),
    .add1_join_i     (join1),
    .add1_join_idx_i (found1),
    .distinct_o      (distinct_o)
  );

  // ---------------------------------------------------------------------------------------------------- registers
  logic [CntW-1:0] warps, warps_next, max_warps_q;
  logic            conflict0, conflict1;

  assign warps      = CntW'(Threads) - free_count;
  assign warps_next = warps + CntW'(new0) + CntW'(new1) - CntW'(issue);
  assign conflict0  = hit0 && (over0 != '0);
  assign conflict1  = hit1 && (over1 != '0);

  // The threads would have had room in other lanes.
  function automatic logic fits(input logic [Lanes-1:0] occ, input logic [Lanes-1:0] req);
    fits = {1'b0, count_of(occ)} + {1'b0, count_of(req)} <= (LanesW+1)'(Lanes);
  endfunction

  generate
    if (Heuristic == 3) begin : gen_issue_sched
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)    issue_sched_o <= '0;
        else if (issue) issue_sched_o <= pick_sched;
      end
    end else begin : gen_no_issue_sched
      logic unused_pick_sched;
      assign unused_pick_sched = ^pick_sched;
      assign issue_sched_o     = '0;
    end
  endgenerate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      issue_valid_o <= 1'b0;
      issue_pc_o    <= '0;
      issue_mask_o  <= '0;
      issue_tids_o  <= '0;
      hit_o         <= '0;
      miss_o        <= '0;
      alias_o       <= '0;
      conflict_o    <= '0;
      fragmented_o  <= '0;
      drain_o       <= 1'b0;
      max_warps_q   <= '0;
    end else begin
      issue_valid_o <= issue;
      if (issue) begin
        issue_pc_o    <= read_pc;
        issue_mask_o  <= read_mask;
        issue_tids_o  <= read_tids;
      end
      hit_o        <= {hit1, hit0};
      miss_o       <= {go1 && !hit1, go0 && !hit0};
      alias_o      <= {alias1, alias0};
      conflict_o   <= {conflict1, conflict0};
      fragmented_o <= {conflict1 && fits(occ1, req1), conflict0 && fits(occ0, req0)};
      drain_o      <= hold0 || hold1;
      if (warps_next > max_warps_q) max_warps_q <= warps_next;
    end
  end

  assign warps_o     = warps;
  assign max_warps_o = max_warps_q;

`ifndef SYNTHESIS
  logic [Threads-1:0] present_q;   // threads that have entered and not left
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      present_q <= '0;
    end else begin
      // Two groups with one PC must be one group.
      assert (!(update_ready_o && update0_valid_i && (update0_req_i != '0) && update1_valid_i &&
                (update1_req_i != '0) && (update0_pc_i == update1_pc_i)));
      assert (!(issue && (read_mask == '0)));                     // a warp without a thread
      for (int l = 0; l < Lanes; l++) begin
        if (issue && read_mask[l]) begin
          assert (present_q[read_tids[l*TidW +: TidW]]);          // a thread leaves that is not inside
          present_q[read_tids[l*TidW +: TidW]] <= 1'b0;
        end
      end
      for (int l = 0; l < Lanes; l++) begin
        if (update_ready_o && update0_valid_i && update0_req_i[l]) begin
          assert (!present_q[update0_tids_i[l*TidW +: TidW]]);    // a thread enters that is inside already
          present_q[update0_tids_i[l*TidW +: TidW]] <= 1'b1;
        end
        if (update_ready_o && update1_valid_i && update1_req_i[l]) begin
          assert (!present_q[update1_tids_i[l*TidW +: TidW]]);    // a thread enters that is inside already
          present_q[update1_tids_i[l*TidW +: TidW]] <= 1'b1;
        end
      end
    end
  end
`endif
endmodule
