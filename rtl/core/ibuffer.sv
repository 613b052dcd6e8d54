// SPDX-License-Identifier: Apache-2.0
// ibuffer: a small queue of instruction bundles for every path, and what fetch has to know about it.
//
// Contract
//   Latency  everything sampled at edge t shows in the state outputs after edge t. Combinational are fill_o, from the
//            answer and the registered tags, and clear_o, from flushes, drops and redirect.
//   Order    Every request is answered once, in order. What an answer brings continues the queue if its tag is that of
//            the path (a fill). A fill of one bundle, or with a jump, a flush and a redirect end the epoch of the tag:
//            all its requests are forgotten, one of this cycle included, and if one of them is still unanswered the tag
//            moves on. As each epoch that is over leaves a request behind, and there are fewer of them than tags, no
//            answer is taken for another's. A drop is the flush of one path.
//            On one path in one cycle: flush and redirect win over fill, take and request, but an answer and a request
//            count as such; take and fill both happen, and so do request and fill. A jump stops requests until flush or
//            redirect. A redirect with redirect_next_i leaves the queue as it is, and what else happens to it; if the
//            queue is empty, so that the instruction was the jump, it ends the stop, but not one that begins in this
//            cycle.
//   Reset    asynchronous, active low; all queues empty, no request under way. Bundles have no reset: one is written
//            before it is read.
//   Idle     head_o of an empty queue is 0, and so is second_o of one with a head only.
//   Assumes  (asserted) an answer only with a request in flight, with 1 or 2 bundles; a fill only with a request of the
//            epoch under way and room for it; take only from a queue that is not empty; request only with need_fetch_o.
//   Not here which path fetches next, and from where: frontend.
module ibuffer #(
  parameter  int NumWarps = 24,  // warps of the partition
  parameter  int NumSlots = 2,  // paths of a warp; 1: slot inputs are ignored
  parameter  int Depth    = 5,  // bundles of a queue
  parameter  int TagW     = 3,  // bits of a tag; a path has fewer than 2^TagW requests in flight
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW    = heddle_pkg::idx_width(NumSlots),
  localparam int NumPaths = NumWarps * NumSlots,   // path of slot s of warp w: s*NumWarps + w
  localparam int CountW   = heddle_pkg::idx_width(Depth + 1),
  localparam int InstrW   = heddle_pkg::InstrW,
  localparam int NamesW   = heddle_pkg::NamesW
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from decode
  input  logic                       answer_valid_i,
  input  logic [WarpW-1:0]           answer_warp_i,
  input  logic [SlotW-1:0]           answer_slot_i,
  input  logic [TagW-1:0]            answer_tag_i,
  input  logic [1:0]                 answer_count_i,
  input  logic [InstrW-1:0]          answer_instr0_i,
  input  logic [InstrW-1:0]          answer_instr1_i,
  // from issue
  input  logic [NumPaths-1:0]        take_i,
  // from fetch
  input  logic [NumPaths-1:0]        request_i,
  // from stack and dispatcher: push, pop and kill, all slots of the warp
  input  logic                       flush0_valid_i,
  input  logic [WarpW-1:0]           flush0_warp_i,
  input  logic                       flush1_valid_i,
  input  logic [WarpW-1:0]           flush1_warp_i,
  input  logic                       flush2_valid_i,
  input  logic [WarpW-1:0]           flush2_warp_i,
  // from stack: paths that are not there
  input  logic [NumPaths-1:0]        drop_i,
  // from stack: one path, whose resolution acts
  input  logic                       redirect_valid_i,
  input  logic [WarpW-1:0]           redirect_warp_i,
  input  logic [SlotW-1:0]           redirect_slot_i,
  input  logic                       redirect_next_i,
  // to issue
  output logic [NumPaths*InstrW-1:0] head_o,
  output logic [NumPaths-1:0]        head_valid_o,
  output logic [NumPaths*NamesW-1:0] second_o,
  output logic [NumPaths-1:0]        second_valid_o,
  // to fetch
  output logic [NumPaths*CountW-1:0] count_o,
  output logic [NumPaths*2-1:0]      requests_o,
  output logic [NumPaths*TagW-1:0]   tag_o,
  output logic [NumPaths-1:0]        quiet_o,
  output logic [NumPaths-1:0]        need_fetch_o,
  // what happens in this cycle
  output logic [NumPaths-1:0]        fill_o,
  output logic [NumPaths-1:0]        clear_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (NumSlots < 1) NumSlots_must_be_at_least_1 limit ();
  if (Depth < 2) Depth_must_be_at_least_2 limit ();   // an answer brings two instructions
  if (TagW < 2) TagW_must_be_at_least_2 limit ();     // two requests continue a queue

  logic [NumPaths*2-1:0]    requests_q;
  logic [NumPaths*TagW-1:0] tag_q, in_flight_q;
  logic                     fill_two, fill_jump, fill_ends;

  assign fill_two   = answer_count_i == 2'd2;
  assign fill_jump  = answer_instr0_i[heddle_pkg::JumpBit] | (fill_two & answer_instr1_i[heddle_pkg::JumpBit]);
  assign fill_ends  = !fill_two || fill_jump;
  assign requests_o = requests_q;
  assign tag_o      = tag_q;

  generate
    if (NumSlots == 1) begin : gen_one_slot
      logic unused_slots;
      assign unused_slots = ^{answer_slot_i, redirect_slot_i};
    end

    for (genvar p = 0; p < NumPaths; p++) begin : gen_path
      localparam logic [WarpW-1:0] Warp = WarpW'(p % NumWarps);
      localparam logic [SlotW-1:0] Slot = SlotW'(p / NumWarps);

      logic              answers, fills, takes, requests, redirects, clears, holds, ends;
      localparam int     FlagsW = InstrW - NamesW;
      logic [InstrW-1:0] bundle_d[0:Depth-1], bundle_q[1:Depth-1];   // the head first; of it are kept apart
      logic [NamesW-1:0] names_q;                                 // the registers' names
      logic [FlagsW-1:0] flags_q;                                 // and the rest, which is 0 without a head
      logic              head_valid_d, head_valid_q;
      logic [CountW-1:0] count_q, filled_count;
      logic [1:0]        own_requests, left_requests;
      logic [TagW-1:0]   own_tag, in_flight;
      logic              stop_q, room_one, room_two;              // room for the answers of so many requests

      assign answers   = answer_valid_i && (answer_warp_i == Warp) && ((NumSlots == 1) || (answer_slot_i == Slot));
      assign takes     = take_i[p];
      assign requests  = request_i[p];
      assign redirects = redirect_valid_i && (redirect_warp_i == Warp) &&
                         ((NumSlots == 1) || (redirect_slot_i == Slot));
      assign clears    = (redirects && !redirect_next_i) || drop_i[p] || (flush0_valid_i && (flush0_warp_i == Warp)) ||
                         (flush1_valid_i && (flush1_warp_i == Warp)) || (flush2_valid_i && (flush2_warp_i == Warp));
      assign holds     = redirects && redirect_next_i;

      assign own_requests  = requests_q[p*2 +: 2];
      assign own_tag       = tag_q[p*TagW +: TagW];
      assign in_flight     = in_flight_q[p*TagW +: TagW];
      assign fills         = answers && (answer_tag_i == own_tag);
      assign ends          = clears || (fills && fill_ends);
      assign left_requests = own_requests + 2'(requests) - 2'(fills);
      assign filled_count  = count_q + (fills ? (fill_two ? CountW'(2) : CountW'(1)) : '0);

      assign head_valid_d = !clears && (fills || (takes ? second_valid_o[p] : head_valid_q));
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          count_q                     <= '0;
          requests_q[p*2 +: 2]        <= '0;
          tag_q[p*TagW +: TagW]       <= '0;
          in_flight_q[p*TagW +: TagW] <= '0;
          stop_q                      <= 1'b0;
          head_valid_q                <= 1'b0;
          flags_q                     <= '0;
        end else begin
          count_q                     <= clears ? '0 : takes ? filled_count - CountW'(1) : filled_count;
          requests_q[p*2 +: 2]        <= ends ? '0 : left_requests;
          tag_q[p*TagW +: TagW]       <= own_tag + TagW'(ends && (left_requests != '0));
          in_flight_q[p*TagW +: TagW] <= (requests == answers) ? in_flight : requests ? in_flight + TagW'(1)
                                                                                      : in_flight - TagW'(1);
          head_valid_q                <= head_valid_d;
          flags_q                     <= bundle_d[0][InstrW-1:NamesW] & {FlagsW{head_valid_d}};
          stop_q                      <= !clears && ((stop_q && !(holds && (count_q == '0))) || (fills && fill_jump));
        end
      end

      // An answer goes behind the last bundle, a take moves all of them on. What is behind the last does not count, so
      // it is written there whether it fills or not.
      for (genvar d = 0; d < Depth; d++) begin : gen_bundle
        logic [InstrW-1:0] own, behind;
        if (d == 0) begin : gen_head
          assign own = {flags_q, names_q};
          always_ff @(posedge clk_i) names_q <= bundle_d[0][NamesW-1:0];
        end else begin : gen_behind
          assign own = bundle_q[d];
          always_ff @(posedge clk_i) bundle_q[d] <= bundle_d[d];
        end
        if (d == Depth - 1) begin : gen_last
          assign behind = '0;
        end else begin : gen_not_last
          assign behind = bundle_q[d+1];
        end
        logic at, last, first, second;   // the queue ends here; so it does behind a take; what is written of the answer
        assign at     = count_q == CountW'(d);
        assign last   = 32'(count_q) == d + 1;
        assign first  = takes ? last : at;
        assign second = (d != 0) && ((32'(count_q) + 1 <= d) || (takes && at));
        assign bundle_d[d] = ({InstrW{first}} & answer_instr0_i) | ({InstrW{second}} & answer_instr1_i) |
                             ({InstrW{takes && !(first || second)}} & behind) |
                             ({InstrW{!(takes || first || second)}} & own);
      end

      assign head_valid_o[p]              = head_valid_q;
      assign head_o[p*InstrW +: InstrW]   = {flags_q, names_q & {NamesW{head_valid_q}}};
      assign second_valid_o[p]            = count_q > CountW'(1);
      assign second_o[p*NamesW +: NamesW] = bundle_q[1][NamesW-1:0] & {NamesW{second_valid_o[p]}};
      assign count_o[p*CountW +: CountW]  = count_q;
      assign quiet_o[p]                   = in_flight == '0;
      assign room_one                     = count_q <= CountW'(Depth - 2);
      assign room_two                     = (Depth >= 4) && (count_q <= CountW'(Depth - 4));
      assign need_fetch_o[p]              = !stop_q && (in_flight != '1) &&
                                            ((own_requests == 2'd0) ? room_one : (own_requests == 2'd1) && room_two);
      assign fill_o[p]                    = fills;
      assign clear_o[p]                   = clears;
    end
  endgenerate

`ifndef SYNTHESIS
  localparam int PathW = heddle_pkg::idx_width(NumPaths);
  logic [PathW-1:0]  answer_path;
  logic [CountW-1:0] answer_path_count;
  assign answer_path       = PathW'(answer_warp_i) + ((NumSlots > 1) ? PathW'(answer_slot_i) * PathW'(NumWarps) : '0);
  assign answer_path_count = count_o[answer_path*CountW +: CountW];

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (answer_valid_i) begin
        assert (32'(answer_warp_i) < NumWarps);                         // answer_warp_i names no warp
        assert ((NumSlots == 1) || (32'(answer_slot_i) < NumSlots));    // answer_slot_i names no slot
        assert ((answer_count_i == 2'd1) || (answer_count_i == 2'd2));  // an answer brings one or two bundles
        assert (!quiet_o[answer_path]);                                 // nobody asked for this answer
      end
      if (fill_o[answer_path]) begin
        assert (requests_q[answer_path*2 +: 2] != '0);                  // an answer of an epoch that is over
        assert (answer_path_count <= CountW'(fill_two ? Depth - 2 : Depth - 1));   // no room
      end
      assert ((take_i & ~head_valid_o) == '0);                          // nothing to take
      assert ((request_i & ~need_fetch_o) == '0);                       // no room for what it may bring
      assert (!(flush0_valid_i && (32'(flush0_warp_i) >= NumWarps)));       // flush0_warp_i names no warp
      assert (!(flush1_valid_i && (32'(flush1_warp_i) >= NumWarps)));       // flush1_warp_i names no warp
      assert (!(flush2_valid_i && (32'(flush2_warp_i) >= NumWarps)));       // flush2_warp_i names no warp
      assert (!(redirect_valid_i && (32'(redirect_warp_i) >= NumWarps)));   // redirect_warp_i names no warp
      // redirect_slot_i names no slot
      assert (!(redirect_valid_i && (NumSlots > 1) && (32'(redirect_slot_i) >= NumSlots)));
    end
  end
`endif
endmodule
