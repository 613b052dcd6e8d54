// SPDX-License-Identifier: Apache-2.0
// ibuffer: a small queue of instruction bundles for every path, and what fetch has to know about it.
//
// Contract
//   Latency  everything sampled at edge t shows in the outputs after edge t; no combinational path from input to
//            output.
//   Order    On one path in one cycle: flush and redirect win over fill, take and request; take and fill both happen.
//            A fill clears the outstanding bit, and sets the stop bit if it brings a control instruction; flush and
//            redirect clear both bits.
//   Reset    asynchronous, active low; all queues empty, nothing outstanding. The storage has no reset: a bundle is
//            written before it is read.
//   Idle     head_o of an empty queue is 0.
//   Assumes  (asserted) fill only with outstanding and room for it, of 1 or 2 bundles; take only from a queue that is
//            not empty; request only without outstanding.
//   Not here which path fetches next, and whether an answer is stale: frontend.
module ibuffer #(
  parameter  int NumWarps = 24,  // warps of the partition
  parameter  int NumSlots = 2,  // 1: slot inputs are ignored
  parameter  int Depth    = 4,  // bundles of a queue
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int NumPaths = NumWarps * NumSlots,   // path of slot s of warp w: s*NumWarps + w
  localparam int CountW   = heddle_pkg::idx_width(Depth + 1),
  localparam int InstrW   = heddle_pkg::InstrW
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from decode
  input  logic                       fill_valid_i,
  input  logic [WarpW-1:0]           fill_warp_i,
  input  logic                       fill_slot_i,
  input  logic [1:0]                 fill_count_i,
  input  logic [InstrW-1:0]          fill_instr0_i,
  input  logic [InstrW-1:0]          fill_instr1_i,
  // from issue
  input  logic                       take_valid_i,
  input  logic [WarpW-1:0]           take_warp_i,
  input  logic                       take_slot_i,
  // from fetch
  input  logic                       request_valid_i,
  input  logic [WarpW-1:0]           request_warp_i,
  input  logic                       request_slot_i,
  // from stack: push and pop, all slots of the warp
  input  logic                       flush0_valid_i,
  input  logic [WarpW-1:0]           flush0_warp_i,
  input  logic                       flush1_valid_i,
  input  logic [WarpW-1:0]           flush1_warp_i,
  // from execute: one path
  input  logic                       redirect_valid_i,
  input  logic [WarpW-1:0]           redirect_warp_i,
  input  logic                       redirect_slot_i,
  // to issue
  output logic [NumPaths*InstrW-1:0] head_o,
  output logic [NumPaths-1:0]        head_valid_o,
  // to fetch
  output logic [NumPaths*CountW-1:0] count_o,
  output logic [NumPaths-1:0]        outstanding_o,
  output logic [NumPaths-1:0]        need_fetch_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (NumSlots < 1 || NumSlots > 2) NumSlots_must_be_1_or_2 limit ();
  if (Depth < 2) Depth_must_be_at_least_2 limit ();   // an answer brings two instructions

  localparam int PathW = heddle_pkg::idx_width(NumPaths);
  localparam int RowW  = Depth * InstrW;

  // A queue is a row of bundles, the head in the lowest bits; a take moves the row down by one bundle.
  (* mem2reg *)
  logic [RowW-1:0]     queue_q[0:NumPaths-1];
  logic [CountW-1:0]   count_q[0:NumPaths-1];
  logic [NumPaths-1:0] outstanding_q, stop_q;

  // ------------------------------------------------------------------------------------------------------ paths
  logic [PathW-1:0] fill_path, take_path, request_path, redirect_path;
  generate
    if (NumSlots == 2) begin : gen_two_slots
      assign fill_path     = PathW'(fill_warp_i)     + (fill_slot_i     ? PathW'(NumWarps) : '0);
      assign take_path     = PathW'(take_warp_i)     + (take_slot_i     ? PathW'(NumWarps) : '0);
      assign request_path  = PathW'(request_warp_i)  + (request_slot_i  ? PathW'(NumWarps) : '0);
      assign redirect_path = PathW'(redirect_warp_i) + (redirect_slot_i ? PathW'(NumWarps) : '0);
    end else begin : gen_one_slot
      logic unused_slots;
      assign unused_slots  = fill_slot_i ^ take_slot_i ^ request_slot_i ^ redirect_slot_i;
      assign fill_path     = fill_warp_i;
      assign take_path     = take_warp_i;
      assign request_path  = request_warp_i;
      assign redirect_path = redirect_warp_i;
    end
  endgenerate

  // ----------------------------------------------------------------------------------------------- take and fill
  logic              fill_two, fill_control, take_and_fill;
  logic [CountW-1:0] fill_at, fill_count, take_count;    // fill_at: place of the first new bundle, after a take
  logic [RowW-1:0]   take_row;

  assign fill_two      = fill_count_i == 2'd2;
  assign fill_control  = fill_instr0_i[heddle_pkg::ControlBit] | (fill_two & fill_instr1_i[heddle_pkg::ControlBit]);
  assign take_and_fill = take_valid_i && (take_path == fill_path);
  assign fill_at       = count_q[fill_path] - CountW'(take_and_fill);
  assign fill_count    = fill_at + (fill_two ? CountW'(2) : CountW'(1));
  assign take_count    = count_q[take_path] - CountW'(1);
  assign take_row      = queue_q[take_path] >> InstrW;

  // ------------------------------------------------------------------------------------------------------ state
  // The last write of a register wins: fill after request and take, then flush and redirect.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int s = 0; s < NumSlots; s++) begin
        for (int w = 0; w < NumWarps; w++) begin
          count_q[s*NumWarps + w] <= '0;
        end
      end
      outstanding_q <= '0;
      stop_q        <= '0;
    end else begin
      if (request_valid_i) outstanding_q[request_path] <= 1'b1;
      if (take_valid_i) begin
        count_q[take_path] <= take_count;
      end
      if (fill_valid_i) begin
        count_q[fill_path]       <= fill_count;
        outstanding_q[fill_path] <= 1'b0;
        if (fill_control) stop_q[fill_path] <= 1'b1;
      end
      if (redirect_valid_i) begin
        count_q[redirect_path]       <= '0;
        outstanding_q[redirect_path] <= 1'b0;
        stop_q[redirect_path]        <= 1'b0;
      end
      for (int s = 0; s < NumSlots; s++) begin
        if (flush0_valid_i) begin
          count_q[PathW'(s*NumWarps) + PathW'(flush0_warp_i)]       <= '0;
          outstanding_q[PathW'(s*NumWarps) + PathW'(flush0_warp_i)] <= 1'b0;
          stop_q[PathW'(s*NumWarps) + PathW'(flush0_warp_i)]        <= 1'b0;
        end
        if (flush1_valid_i) begin
          count_q[PathW'(s*NumWarps) + PathW'(flush1_warp_i)]       <= '0;
          outstanding_q[PathW'(s*NumWarps) + PathW'(flush1_warp_i)] <= 1'b0;
          stop_q[PathW'(s*NumWarps) + PathW'(flush1_warp_i)]        <= 1'b0;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_valid_i) queue_q[take_path] <= take_row;
    for (int d = 0; d < Depth; d++) begin
      if (fill_valid_i && (fill_at == CountW'(d))) begin
        queue_q[fill_path][d*InstrW +: InstrW] <= fill_instr0_i;
      end
      if (fill_valid_i && fill_two && (fill_at + CountW'(1) == CountW'(d))) begin
        queue_q[fill_path][d*InstrW +: InstrW] <= fill_instr1_i;
      end
    end
  end

  // ---------------------------------------------------------------------------------------------------- outputs
  generate
    for (genvar p = 0; p < NumPaths; p++) begin : gen_path
      assign head_valid_o[p]             = count_q[p] != '0;
      assign head_o[p*InstrW +: InstrW]  = (count_q[p] != '0) ? queue_q[p][0 +: InstrW] : '0;
      assign count_o[p*CountW +: CountW] = count_q[p];
      assign need_fetch_o[p]             = !outstanding_q[p] && !stop_q[p] && (count_q[p] <= CountW'(Depth - 2));
    end
  endgenerate
  assign outstanding_o = outstanding_q;

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (fill_valid_i) begin
        assert (32'(fill_warp_i) < NumWarps);                       // fill_warp_i names no warp
        assert ((fill_count_i == 2'd1) || (fill_count_i == 2'd2));  // an answer brings one or two bundles
        assert (outstanding_q[fill_path]);                          // nobody asked for this answer
        assert (count_q[fill_path] <= CountW'(fill_two ? Depth - 2 : Depth - 1));   // no room
      end
      if (take_valid_i) begin
        assert (32'(take_warp_i) < NumWarps);                       // take_warp_i names no warp
        assert (count_q[take_path] != '0);                          // nothing to take
      end
      if (request_valid_i) begin
        assert (32'(request_warp_i) < NumWarps);                    // request_warp_i names no warp
        assert (!outstanding_q[request_path]);                      // one request a path at a time
      end
      assert (!(flush0_valid_i && (32'(flush0_warp_i) >= NumWarps)));       // flush0_warp_i names no warp
      assert (!(flush1_valid_i && (32'(flush1_warp_i) >= NumWarps)));       // flush1_warp_i names no warp
      assert (!(redirect_valid_i && (32'(redirect_warp_i) >= NumWarps)));   // redirect_warp_i names no warp
    end
  end
`endif
endmodule
