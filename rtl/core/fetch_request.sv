// SPDX-License-Identifier: Apache-2.0
// fetch_request: chooses the path that asks for its next two instructions, and says where they begin.
//
// Contract
//   Latency  the choice is combinational, from fetch_ready_i to request_o; what is asked for is in registers after that
//            edge.
//   Order    Fetch takes turns by warp: a warp is served as often in whichever slot its path is. A path asks for what
//            comes after everything that it has queued or asked for. A control instruction that waits for its
//            resolution has left the queue, but the PC of its path has not moved.
//   Reset    asynchronous, active low; all outputs 0.
//   Idle     data of fetch_* keep their value while fetch_valid_o is 0; with one slot fetch_slot_o is 0.
//   Assumes  (not asserted) what ibuffer says of its queues.
//   Not here which paths have room for two instructions, and tags: ibuffer.
module fetch_request #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int NumSlots  = 2,  // paths of a warp that may issue
  parameter  int IbufDepth = 5,  // bundles of an instruction queue
  parameter  int TagW      = 3,  // bits of the tag of a fetch
  parameter  int PcStep    = 4,  // bytes of an instruction: a power of two
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW     = heddle_pkg::idx_width(NumSlots),
  localparam int NumPaths  = NumSlots * NumWarps,   // path of slot s of warp w: s*NumWarps + w
  localparam int CountW    = heddle_pkg::idx_width(IbufDepth + 1),
  localparam int PcW       = heddle_pkg::PcW
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from dispatcher
  input  logic                       launch_valid_i,
  input  logic [WarpW-1:0]           launch_warp_i,
  // from stack
  input  logic [NumPaths-1:0]        valid_i,
  input  logic [NumPaths*PcW-1:0]    pc_i,
  // from path_state
  input  logic [NumPaths-1:0]        waits_i,         // a control instruction waits for its resolution
  input  logic [NumWarps-1:0]        halted_i,
  // from and to ibuffer
  input  logic [NumPaths-1:0]        need_fetch_i,
  input  logic [NumPaths*CountW-1:0] count_i,
  input  logic [NumPaths*2-1:0]      requests_i,
  input  logic [NumPaths*TagW-1:0]   tag_i,
  output logic [NumPaths-1:0]        request_o,       // the path that asks, one-hot
  // from and to fetch
  input  logic                       fetch_ready_i,
  output logic                       fetch_valid_o,
  output logic [WarpW-1:0]           fetch_warp_o,
  output logic [SlotW-1:0]           fetch_slot_o,
  output logic [PcW-1:0]             fetch_pc_o,
  output logic [TagW-1:0]            fetch_tag_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (NumSlots < 1) NumSlots_must_be_at_least_1 limit ();
  if (IbufDepth < 2) IbufDepth_must_be_at_least_2 limit ();
  if (TagW < 2) TagW_must_be_at_least_2 limit ();
  if (PcStep < 2) PcStep_must_be_at_least_2 limit ();   // an odd PC is none
  if ((PcStep & (PcStep - 1)) != 0) PcStep_must_be_a_power_of_two limit ();

  localparam int StepW = $clog2(PcStep);
  localparam int HighW = PcW - StepW - CountW;   // the bits of a PC that only a carry changes

  logic                grant;           // a path asks
  logic [WarpW-1:0]    grant_warp;
  logic [SlotW-1:0]    grant_slot;
  logic [NumPaths-1:0] wants;
  logic [NumWarps-1:0] asking;          // the warp of the path
  logic [PcW-1:0]      from_pc, fetch_pc;
  logic [HighW-1:0]    steps;           // the high bits that a carry changes
  logic [CountW-1:0]   asked;           // instructions from the PC to the end of what was asked for
  logic [CountW:0]     low;             // the sum of the low bits, and its carry
  logic [TagW-1:0]     tag;

  assign wants = need_fetch_i & valid_i & ~{NumSlots{halted_i}} & {NumPaths{fetch_ready_i}};

  warp_selector #(
    .NumWarps (NumWarps),
    .NumSlots (NumSlots)
  ) u_turn (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .launch_valid_i (launch_valid_i),
    .launch_warp_i  (launch_warp_i),
    .ready_i        (wants),
    .grant_valid_o  (grant),
    .grant_warp_o   (grant_warp),
    .grant_slot_o   (grant_slot),
    .grant_o        (request_o)
  );

  // The bits of a number that one more changes.
  function automatic logic [HighW-1:0] carried(input logic [HighW-1:0] high);
    carried = high ^ (high + HighW'(1));
  endfunction
  // Those in the queue, two a request, and one that waits for its resolution. There is room for them: no carry.
  function automatic logic [CountW-1:0] asked_of(input logic [CountW-1:0] queued, input logic [1:0] asked_for,
                                                 input logic wait_for);
    asked_of = queued + CountW'({asked_for, 1'b0}) + CountW'(wait_for);
  endfunction

  always_comb begin
    asking = '0;
    for (int s = 0; s < NumSlots; s++) asking = asking | request_o[s*NumWarps +: NumWarps];
  end

  always_comb begin
    from_pc = '0;
    steps   = '0;
    asked   = '0;
    tag     = '0;
    for (int w = 0; w < NumWarps; w++) begin
      if (asking[w]) begin
        for (int s = 0; s < NumSlots; s++) begin
          from_pc = from_pc | (pc_i[(s*NumWarps+w)*PcW +: PcW] & {PcW{request_o[s*NumWarps+w]}});
          steps   = steps | (carried(pc_i[(s*NumWarps+w+1)*PcW-1 -: HighW]) & {HighW{request_o[s*NumWarps+w]}});
          asked   = asked | (asked_of(count_i[(s*NumWarps+w)*CountW +: CountW], requests_i[(s*NumWarps+w)*2 +: 2],
                                      waits_i[s*NumWarps+w]) & {CountW{request_o[s*NumWarps+w]}});
          tag     = tag | (tag_i[(s*NumWarps+w)*TagW +: TagW] & {TagW{request_o[s*NumWarps+w]}});
        end
      end
    end
  end

  assign low      = {1'b0, from_pc[StepW +: CountW]} + {1'b0, asked};
  assign fetch_pc = {from_pc[PcW-1 -: HighW] ^ (steps & {HighW{low[CountW]}}), low[CountW-1:0], from_pc[StepW-1:0]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetch_valid_o <= 1'b0;
      fetch_warp_o  <= '0;
      fetch_pc_o    <= '0;
      fetch_tag_o   <= '0;
    end else begin
      fetch_valid_o <= grant;
      if (grant) begin
        fetch_warp_o <= grant_warp;
        fetch_pc_o   <= fetch_pc;
        fetch_tag_o  <= tag;
      end
    end
  end

  generate
    if (NumSlots > 1) begin : gen_slots
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)    fetch_slot_o <= '0;
        else if (grant) fetch_slot_o <= grant_slot;
      end
    end else begin : gen_one_slot
      logic unused_slot;
      assign unused_slot  = grant_slot;
      assign fetch_slot_o = '0;
    end
  endgenerate
endmodule
