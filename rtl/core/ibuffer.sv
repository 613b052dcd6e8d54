// SPDX-License-Identifier: Apache-2.0
// ibuffer: a small queue of instruction bundles for every path, and what fetch has to know about it.
//
// Contract
//   Latency  an input sampled at edge t shows in the state outputs after it. Combinational are fill_o, from the answer
//            and the registered tags, and clear_o, from flushes, drops and redirect.
//   Order    Every request is answered once, in order. An answer with the tag of its path continues the queue (a fill).
//            A fill of one bundle or with a jump, a flush, a drop and a redirect end the epoch: its requests are
//            forgotten, and if one is unanswered the tag moves on. Flush and redirect win over fill, take and request,
//            but an answer and a request count. Take and fill both happen. A jump stops requests until flush or
//            redirect. With redirect_next_i the queue stays; if empty the instruction was the jump, and the stop ends.
//   Reset    asynchronous, active low; all queues empty, no request under way. Bundles have no reset.
//   Idle     head_o and second_o are 0 where there is no such bundle.
//   Assumes  (asserted) an answer only with a request in flight, a fill only with room, a take only of a head, a
//            request only with need_fetch_o.
//   Payload  the high PayloadW bits of an instruction travel with its bundle, unread: one vector, as there is no vector
//            of no bits for a port of their own.
//   Not here which path fetches next, and from where: fetch_request.
module ibuffer #(
  parameter  int NumWarps = 24,  // warps of the partition
  parameter  int NumSlots = 2,  // paths of a warp; 1: slot inputs are ignored
  parameter  int Depth    = 5,  // bundles of a queue
  parameter  int TagW     = 3,  // bits of a tag; a path has fewer than 2^TagW requests in flight
  parameter  int PayloadW = 0,  // bits of the caller's own above a bundle
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW    = heddle_pkg::idx_width(NumSlots),
  localparam int NumPaths = NumWarps * NumSlots,   // path of slot s of warp w: s*NumWarps + w
  localparam int CountW   = heddle_pkg::idx_width(Depth + 1),
  localparam int InstrW   = heddle_pkg::InstrW + PayloadW,
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
  if (PayloadW < 0) PayloadW_must_be_at_least_0 limit ();

  localparam int QueueW = Depth * InstrW;

  // By path.
  logic [NumPaths-1:0]        answers, fills;   // an answer comes; it continues the queue
  logic [NumPaths-1:0]        clears, holds;    // the queue is emptied; a redirect leaves it
  logic [NumPaths-1:0]        ends;             // the epoch ends
  logic [NumPaths-1:0]        moves;            // bundles of the queue change
  logic [NumPaths-1:0]        used, touched;    // bundles are queued or asked for; something happens
  logic [NumPaths-1:0]        head_valid_q, stop_q;
  logic [NumPaths*CountW-1:0] count_q;
  logic [NumPaths*2-1:0]      requests_q;
  logic [NumPaths*TagW-1:0]   tag_q, in_flight_q;
  // By warp.
  logic [NumWarps-1:0]        answered, redirected, flushed;
  // Of the answer.
  logic                       fill_two, fill_jump, fill_ends;
  logic [CountW-1:0]          fill_count;

  assign fill_two   = answer_count_i == 2'd2;
  assign fill_jump  = answer_instr0_i[heddle_pkg::JumpBit] | (fill_two & answer_instr1_i[heddle_pkg::JumpBit]);
  assign fill_count = fill_two ? CountW'(2) : CountW'(1);
  assign fill_ends  = !fill_two || fill_jump;
  assign answered   = answer_valid_i ? NumWarps'(1) << answer_warp_i : '0;
  assign redirected = redirect_valid_i ? NumWarps'(1) << redirect_warp_i : '0;
  assign flushed    = (flush0_valid_i ? NumWarps'(1) << flush0_warp_i : '0) |
                      (flush1_valid_i ? NumWarps'(1) << flush1_warp_i : '0) |
                      (flush2_valid_i ? NumWarps'(1) << flush2_warp_i : '0);

  generate
    if (NumSlots == 1) begin : gen_one_slot
      logic unused_slots;
      assign unused_slots = ^{answer_slot_i, redirect_slot_i};
    end
    for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
      logic answer_here, redirect_here;
      assign answer_here   = (NumSlots == 1) || (answer_slot_i == SlotW'(s));
      assign redirect_here = (NumSlots == 1) || (redirect_slot_i == SlotW'(s));
      assign answers[s*NumWarps +: NumWarps] = answered & {NumWarps{answer_here}};
      assign holds[s*NumWarps +: NumWarps]   = redirected & {NumWarps{redirect_here && redirect_next_i}};
      assign clears[s*NumWarps +: NumWarps]  = (redirected & {NumWarps{redirect_here && !redirect_next_i}}) |
                                               drop_i[s*NumWarps +: NumWarps] | flushed;
    end
  endgenerate

  always_comb begin
    fills = '0;
    for (int w = 0; w < NumWarps; w++) begin
      if (answered[w]) begin
        for (int s = 0; s < NumSlots; s++) begin
          fills[s*NumWarps+w] = answers[s*NumWarps+w] && (answer_tag_i == tag_q[(s*NumWarps+w)*TagW +: TagW]);
        end
      end
    end
  end
  assign moves   = take_i | fills;
  assign ends    = clears | (fills & {NumPaths{fill_ends}});
  assign touched = take_i | answers | request_i | (clears & used);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_valid_q <= '0;
      stop_q       <= '0;
    end else begin
      head_valid_q <= ~clears & (fills | (take_i & second_valid_o) | (~take_i & head_valid_q));
      stop_q       <= ~clears & ((stop_q & ~(holds & ~head_valid_q)) | (fills & {NumPaths{fill_jump}}));
    end
  end

  // The queue in the next cycle: an answer goes behind the last bundle, a take moves all of them on. What is behind the
  // last does not count: a second instruction is written there if there is one or not. The take is known last.
  function automatic logic [QueueW-1:0] next_of(input logic [QueueW-1:0] queue, input logic [CountW-1:0] count,
                                                input logic take, input logic fill, input logic [InstrW-1:0] instr0,
                                                input logic [InstrW-1:0] instr1);
    int   d;
    logic at, behind, at_next;    // the answer begins at d, before it, at d + 1
    logic shift, hold;            // of a queue that is taken from, and of one that is not: no bundle of the answer
    d       = 0;
    next_of = '0;
    for (d = 0; d < Depth; d++) begin
      at      = fill && (32'(count) == d);
      behind  = fill && (d != 0) && (32'(count) < d);
      at_next = fill && (32'(count) == d + 1);
      shift   = !(at_next || behind || (at && (d != 0)));
      hold    = !(at || behind);
      next_of[d*InstrW +: InstrW] =
        ({InstrW{take ? at_next : at}} & instr0) | ({InstrW{behind || (take && at && (d != 0))}} & instr1) |
        ({InstrW{take && shift}} & InstrW'(queue >> ((d + 1) * InstrW))) |
        ({InstrW{!take && hold}} & queue[d*InstrW +: InstrW]);
    end
  endfunction

  generate
    for (genvar p = 0; p < NumPaths; p++) begin : gen_path
      logic [CountW-1:0] own_count;
      logic [1:0]        own_requests;
      logic [TagW-1:0]   in_flight;
      logic              room_one, room_two;    // room for the answers of so many requests

      assign own_count    = count_q[p*CountW +: CountW];
      assign own_requests = requests_q[p*2 +: 2];
      assign in_flight    = in_flight_q[p*TagW +: TagW];

      // Where nothing happens everything stays: a guard without a gate, as each sum says so, too.
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          count_q[p*CountW +: CountW] <= '0;
          requests_q[p*2 +: 2]        <= '0;
          tag_q[p*TagW +: TagW]       <= '0;
          in_flight_q[p*TagW +: TagW] <= '0;
        end else if (touched[p]) begin
          count_q[p*CountW +: CountW] <= clears[p] ? '0 : own_count + (fills[p] ? fill_count : '0) - CountW'(take_i[p]);
          requests_q[p*2 +: 2]        <= ends[p] ? '0 : own_requests + 2'(request_i[p]) - 2'(fills[p]);
          tag_q[p*TagW +: TagW]       <= tag_q[p*TagW +: TagW] +
                                         TagW'(ends[p] && ((own_requests + 2'(request_i[p]) - 2'(fills[p])) != '0));
          in_flight_q[p*TagW +: TagW] <= (request_i[p] == answers[p]) ? in_flight
                                         : request_i[p] ? in_flight + TagW'(1) : in_flight - TagW'(1);
        end
      end

      // The bundles, the head first.
      logic [QueueW-1:0] queue_q;
      always_ff @(posedge clk_i) begin
        if (moves[p]) begin
          queue_q <= next_of(queue_q, own_count, take_i[p], fills[p], answer_instr0_i, answer_instr1_i);
        end
      end

      assign used[p]                      = (own_count != '0) || (own_requests != '0);
      assign head_o[p*InstrW +: InstrW]   = queue_q[InstrW-1:0] & {InstrW{head_valid_q[p]}};
      assign second_valid_o[p]            = own_count > CountW'(1);
      assign second_o[p*NamesW +: NamesW] = queue_q[InstrW +: NamesW] & {NamesW{second_valid_o[p]}};
      assign quiet_o[p]                   = in_flight == '0;
      assign room_one                     = own_count <= CountW'(Depth - 2);
      assign room_two                     = (Depth >= 4) && (own_count <= CountW'(Depth - 4));
      assign need_fetch_o[p]              = !stop_q[p] && (in_flight != '1) &&
                                            ((own_requests == 2'd0) ? room_one : (own_requests == 2'd1) && room_two);
    end
  endgenerate

  assign head_valid_o = head_valid_q;
  assign count_o      = count_q;
  assign requests_o   = requests_q;
  assign tag_o        = tag_q;
  assign fill_o       = fills;
  assign clear_o      = clears;

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
