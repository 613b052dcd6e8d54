// SPDX-License-Identifier: Apache-2.0
// ibuffer: a small queue of instruction bundles for every path, and what fetch has to know about it.
//
// Contract
//   Latency  everything sampled at edge t shows in the outputs after edge t; no combinational path from input to
//            output.
//   Order    On one path in one cycle: flush and redirect win over fill, take and request; take and fill both happen,
//            and so do request and fill. A fill of one bundle, or with a jump, forgets all requests, one of this cycle
//            included: what they bring does not continue the queue. A jump stops requests until flush or redirect.
//            A redirect with redirect_next_i leaves the queue as it is, and what else happens to it; if the queue is
//            empty, so that the instruction was the jump, it ends the stop, but not one that begins in this cycle.
//   Reset    asynchronous, active low; all queues empty, no request under way. Behind the heads there is no reset: a
//            bundle is written before it is read.
//   Idle     head_o of an empty queue is 0.
//   Assumes  (asserted) fill only with a request under way and room for it, of 1 or 2 bundles; take only from a queue
//            that is not empty; request only with need_fetch_o.
//   Not here which path fetches next, and whether an answer is stale: frontend.
module ibuffer #(
  parameter  int NumWarps = 24,  // warps of the partition
  parameter  int NumSlots = 2,  // 1: slot inputs are ignored
  parameter  int Depth    = 5,  // bundles of a queue
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
  // from stack: one path, whose resolution acts
  input  logic                       redirect_valid_i,
  input  logic [WarpW-1:0]           redirect_warp_i,
  input  logic                       redirect_slot_i,
  input  logic                       redirect_next_i,
  // to issue
  output logic [NumPaths*InstrW-1:0] head_o,
  output logic [NumPaths-1:0]        head_valid_o,
  // to fetch
  output logic [NumPaths*CountW-1:0] count_o,
  output logic [NumPaths*2-1:0]      requests_o,
  output logic [NumPaths-1:0]        need_fetch_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (NumSlots < 1 || NumSlots > 2) NumSlots_must_be_1_or_2 limit ();
  if (Depth < 2) Depth_must_be_at_least_2 limit ();   // an answer brings two instructions

  logic [NumPaths*2-1:0] requests_q;
  logic                  fill_two, fill_jump;

  assign fill_two   = fill_count_i == 2'd2;
  assign fill_jump  = fill_instr0_i[heddle_pkg::JumpBit] | (fill_two & fill_instr1_i[heddle_pkg::JumpBit]);
  assign requests_o = requests_q;

  generate
    if (NumSlots == 1) begin : gen_one_slot
      logic unused_slots;
      assign unused_slots = fill_slot_i ^ take_slot_i ^ request_slot_i ^ redirect_slot_i;
    end

    for (genvar p = 0; p < NumPaths; p++) begin : gen_path
      localparam logic [WarpW-1:0] Warp = WarpW'(p % NumWarps);
      localparam logic             Slot = p >= NumWarps;

      logic              fills, takes, requests, redirects, clears, holds;
      logic [InstrW-1:0] head_q;
      logic [InstrW-1:0] behind_q[1:Depth-1];
      logic [InstrW-1:0] filled[0:Depth-1];                       // head and what is behind it, after a fill
      logic [CountW-1:0] count_q, filled_count;
      logic [1:0]        own_requests;
      logic              stop_q, room_one, room_two;              // room for the answers of so many requests

      assign fills     = fill_valid_i && (fill_warp_i == Warp) && ((NumSlots == 1) || (fill_slot_i == Slot));
      assign takes     = take_valid_i && (take_warp_i == Warp) && ((NumSlots == 1) || (take_slot_i == Slot));
      assign requests  = request_valid_i && (request_warp_i == Warp) && ((NumSlots == 1) || (request_slot_i == Slot));
      assign redirects = redirect_valid_i && (redirect_warp_i == Warp) &&
                         ((NumSlots == 1) || (redirect_slot_i == Slot));
      assign clears    = (redirects && !redirect_next_i) || (flush0_valid_i && (flush0_warp_i == Warp)) ||
                         (flush1_valid_i && (flush1_warp_i == Warp));
      assign holds     = redirects && redirect_next_i;

      assign own_requests = requests_q[p*2 +: 2];
      assign filled_count = count_q + (fills ? (fill_two ? CountW'(2) : CountW'(1)) : '0);

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          count_q              <= '0;
          requests_q[p*2 +: 2] <= '0;
          stop_q               <= 1'b0;
        end else if (clears) begin
          count_q              <= '0;
          requests_q[p*2 +: 2] <= '0;
          stop_q               <= 1'b0;
        end else begin
          count_q              <= takes ? filled_count - CountW'(1) : filled_count;
          requests_q[p*2 +: 2] <= (fills && (!fill_two || fill_jump)) ? '0 : own_requests + 2'(requests) - 2'(fills);
          stop_q               <= (stop_q && !(holds && (count_q == '0))) || (fills && fill_jump);
        end
      end

      // A fill goes behind the last bundle, a take moves all of them on. The head of an empty queue is 0.
      assign filled[0] = (fills && (count_q == '0)) ? fill_instr0_i : head_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)     head_q <= '0;
        else if (clears) head_q <= '0;
        else if (takes)  head_q <= (filled_count == CountW'(1)) ? '0 : filled[1];
        else             head_q <= filled[0];
      end
      for (genvar d = 1; d < Depth; d++) begin : gen_behind
        assign filled[d] = (fills && (count_q == CountW'(d)))     ? fill_instr0_i :
                           (fills && (count_q == CountW'(d - 1))) ? fill_instr1_i : behind_q[d];
        always_ff @(posedge clk_i) begin
          behind_q[d] <= takes ? filled[(d + 1) % Depth] : filled[d];
        end
      end

      assign head_valid_o[p]             = count_q != '0;
      assign head_o[p*InstrW +: InstrW]  = head_q;
      assign count_o[p*CountW +: CountW] = count_q;
      assign room_one                    = count_q <= CountW'(Depth - 2);
      assign room_two                    = (Depth >= 4) && (count_q <= CountW'(Depth - 4));
      assign need_fetch_o[p]             = !stop_q && ((own_requests == 2'd0) ? room_one :
                                                       (own_requests == 2'd1) && room_two);
    end
  endgenerate

`ifndef SYNTHESIS
  localparam int PathW = heddle_pkg::idx_width(NumPaths);
  logic [PathW-1:0]  fill_path, take_path, request_path;
  logic [CountW-1:0] fill_path_count;
  assign fill_path       = PathW'(fill_warp_i) + (((NumSlots == 2) && fill_slot_i) ? PathW'(NumWarps) : '0);
  assign take_path       = PathW'(take_warp_i) + (((NumSlots == 2) && take_slot_i) ? PathW'(NumWarps) : '0);
  assign request_path    = PathW'(request_warp_i) + (((NumSlots == 2) && request_slot_i) ? PathW'(NumWarps) : '0);
  assign fill_path_count = count_o[fill_path*CountW +: CountW];

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (fill_valid_i) begin
        assert (32'(fill_warp_i) < NumWarps);                       // fill_warp_i names no warp
        assert ((fill_count_i == 2'd1) || (fill_count_i == 2'd2));  // an answer brings one or two bundles
        assert (requests_q[fill_path*2 +: 2] != '0);                // nobody asked for this answer
        assert (fill_path_count <= CountW'(fill_two ? Depth - 2 : Depth - 1));   // no room
      end
      if (take_valid_i) begin
        assert (32'(take_warp_i) < NumWarps);                       // take_warp_i names no warp
        assert (head_valid_o[take_path]);                           // nothing to take
      end
      if (request_valid_i) begin
        assert (32'(request_warp_i) < NumWarps);                    // request_warp_i names no warp
        assert (need_fetch_o[request_path]);                        // no room for what it may bring, or nothing behind
      end
      assert (!(flush0_valid_i && (32'(flush0_warp_i) >= NumWarps)));       // flush0_warp_i names no warp
      assert (!(flush1_valid_i && (32'(flush1_warp_i) >= NumWarps)));       // flush1_warp_i names no warp
      assert (!(redirect_valid_i && (32'(redirect_warp_i) >= NumWarps)));   // redirect_warp_i names no warp
    end
  end
`endif
endmodule
