// SPDX-License-Identifier: Apache-2.0
// The reference of properties (scripts/prove): a memory that answers the requests of each path in order, however late. It keeps of
// each request that is in flight the tag, whether what it brings still continues the queue, and a mark of the one who asks.
module request_memory #(
  parameter  int NumPaths = 2,
  parameter  int TagW     = 2,
  parameter  int MarkW    = 1,
  localparam int Most     = (1 << TagW) - 1   // requests of a path in flight
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic [NumPaths-1:0]            request_i,
  input  logic [NumPaths*TagW-1:0]       tag_i,       // of each path
  input  logic [NumPaths*MarkW-1:0]      mark_i,      // of each path's request
  input  logic [NumPaths-1:0]            answer_i,    // the oldest is answered
  input  logic [NumPaths-1:0]            end_i,       // nothing of the path continues its queue any more, nor does what is asked for in this cycle
  // tag and mark of the request that is answered, the oldest of its path; 0 without an answer
  output logic [TagW-1:0]                answer_tag_o,
  output logic [MarkW-1:0]               answer_mark_o,
  // requests in flight of each path, the oldest first
  output logic [NumPaths*Most-1:0]       there_o,
  output logic [NumPaths*Most-1:0]       continues_o,
  output logic [NumPaths*Most*MarkW-1:0] marks_o,
  output logic [NumPaths*TagW-1:0]       in_flight_o,   // how many
  // Those that continue the queue are the youngest and have the tag of the path, the others have another; each epoch that is over
  // has left one behind.
  output logic [NumPaths-1:0]            apart_o
);
  logic [NumPaths*Most-1:0]       there, continues;
  logic [NumPaths*Most*TagW-1:0]  tags_q, tags;
  logic [NumPaths*Most*MarkW-1:0] marks;

  always_comb begin
    in_flight_o = '0;
    for (int p = 0; p < NumPaths; p++) begin
      for (int i = 0; i < Most; i++) in_flight_o[p*TagW +: TagW] = in_flight_o[p*TagW +: TagW] + TagW'(there_o[p*Most+i]);
    end
  end

  always_comb begin
    answer_tag_o  = '0;
    answer_mark_o = '0;
    for (int p = 0; p < NumPaths; p++) begin
      if (answer_i[p]) begin
        answer_tag_o  = tags_q[p*Most*TagW +: TagW];
        answer_mark_o = marks_o[p*Most*MarkW +: MarkW];
      end
    end
  end

  always_comb begin
    there     = there_o;
    continues = continues_o;
    tags      = tags_q;
    marks     = marks_o;
    for (int p = 0; p < NumPaths; p++) begin
      if (answer_i[p]) begin
        there[p*Most +: Most]             = there_o[p*Most +: Most] >> 1;
        continues[p*Most +: Most]         = continues_o[p*Most +: Most] >> 1;
        tags[p*Most*TagW +: Most*TagW]    = tags_q[p*Most*TagW +: Most*TagW] >> TagW;
        marks[p*Most*MarkW +: Most*MarkW] = marks_o[p*Most*MarkW +: Most*MarkW] >> MarkW;
      end
      for (int i = 0; i < Most; i++) begin
        if (request_i[p] && (32'(in_flight_o[p*TagW +: TagW]) == i + 32'(answer_i[p]))) begin
          there[p*Most+i]                  = 1'b1;
          continues[p*Most+i]              = 1'b1;
          tags[(p*Most+i)*TagW +: TagW]    = tag_i[p*TagW +: TagW];
          marks[(p*Most+i)*MarkW +: MarkW] = mark_i[p*MarkW +: MarkW];
        end
      end
      if (end_i[p]) continues[p*Most +: Most] = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    there_o     <= rst_ni ? there : '0;
    continues_o <= rst_ni ? continues : '0;
    tags_q      <= tags;
    marks_o     <= marks;
  end

  logic [31:0]     over;   // requests from here on that do not continue the queue
  logic [TagW-1:0] age;    // epochs that have ended since a request
  always_comb begin
    over = '0;
    age  = '0;
    for (int p = 0; p < NumPaths; p++) begin
      apart_o[p] = 1'b1;
      over       = '0;
      for (int i = Most - 1; i >= 0; i--) begin
        age = tag_i[p*TagW +: TagW] - tags_q[(p*Most+i)*TagW +: TagW];
        if (!there_o[p*Most+i]) begin
          if (continues_o[p*Most+i] || ((i + 1 < Most) && there_o[(i + 1 < Most) ? p*Most+i+1 : 0])) apart_o[p] = 1'b0;
        end else if (continues_o[p*Most+i]) begin
          if ((age != '0) || (over != '0)) apart_o[p] = 1'b0;
        end else begin
          over = over + 1;
          if ((age == '0) || (32'(age) > over)) apart_o[p] = 1'b0;
        end
      end
    end
  end
endmodule
