// SPDX-License-Identifier: Apache-2.0
// warp_update_register: holds a group of threads with one next PC between the pipeline and the PC-warp LUT.
//
// Contract
//   Latency  an input sampled at edge t is at the output after edge t.
//   Order    load and clear in one cycle: load wins.
//   Reset    asynchronous, active low; empty, data 0.
//   Idle     data keep their value while valid_o is 0; tids of lanes that are not in req are 0.
//   Not here when a group must wait: issue_logic says it, dwf_scheduler acts on it.
// Source: DWF paper, section 4.2, figure 11(a).
module warp_update_register #(
  parameter  int Lanes     = 16,   // threads of a warp
  parameter  int Threads   = 256,  // threads of the core, entries of the pool
  parameter  int SchedW    = 8,    // bits of a thread's priority value (DPdPri)
  parameter  int KeepSched = 1,    // 0: it is not kept, sched_o is 0
  localparam int TidW      = heddle_pkg::idx_width(Threads)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // from write-back
  input  logic                  valid_i,
  input  logic [31:0]           pc_i,
  input  logic [Lanes-1:0]      req_i,
  input  logic [Lanes*TidW-1:0] tids_i,
  input  logic [SchedW-1:0]     sched_i,
  // from scheduler
  input  logic                  load_i,   // take the input, also an invalid one
  input  logic                  clear_i,  // the content was consumed
  // to LUT and pool
  output logic                  valid_o,
  output logic [31:0]           pc_o,
  output logic [Lanes-1:0]      req_o,
  output logic [Lanes*TidW-1:0] tids_o,
  output logic [SchedW-1:0]     sched_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Threads < Lanes) Threads_must_be_at_least_Lanes limit ();   // one warp
  if (SchedW < 1) SchedW_must_be_at_least_1 limit ();
  if (KeepSched < 0 || KeepSched > 1) KeepSched_must_be_0_or_1 limit ();

  logic                  group;   // an input with a thread in it
  logic [Lanes*TidW-1:0] tids;
  assign group = valid_i && (req_i != '0);

  generate
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      assign tids[l*TidW +: TidW] = req_i[l] ? tids_i[l*TidW +: TidW] : '0;
    end
  endgenerate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
      pc_o    <= '0;
      req_o   <= '0;
      tids_o  <= '0;
    end else begin
      if (load_i)       valid_o <= group;
      else if (clear_i) valid_o <= 1'b0;
      if (load_i && group) begin
        pc_o    <= pc_i;
        req_o   <= req_i;
        tids_o  <= tids;
      end
    end
  end

  generate
    if (KeepSched != 0) begin : gen_sched
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)              sched_o <= '0;
        else if (load_i && group) sched_o <= sched_i;
      end
    end else begin : gen_no_sched
      logic unused_sched;
      assign unused_sched = ^sched_i;
      assign sched_o      = '0;
    end
  endgenerate
endmodule
