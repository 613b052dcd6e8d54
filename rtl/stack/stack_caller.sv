// SPDX-License-Identifier: Apache-2.0
// stack_caller: what every caller of a stack owes it, asserted: a stack has it inside and shows it its pins. It has no
// output, and nothing in it is synthesized.
//
// Contract
//   Latency  a mistake stops the simulation at the edge at which a stack would act on it.
//   Order    launch, kill, advance and resolution are looked at apart, and where two of one warp may not meet.
//   Reset    none; nothing is asserted in reset.
//   Not here what one stack asks for beside that, such as the PC of a fork's join: the stack.
module stack_caller #(
  parameter  int NumWarps = 24,  // warps of the partition
  parameter  int Lanes    = 32,  // threads of a warp
  parameter  int NumSlots = 1,  // paths of a warp that may issue
  parameter  int DepthW   = 5,  // bits of a depth
  localparam int PcW      = heddle_pkg::PcW,
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW    = heddle_pkg::idx_width(NumSlots),
  localparam int NumPaths = NumSlots * NumWarps   // path of slot s of warp w: s*NumWarps + w
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from dispatcher
  input  logic                       launch_valid_i,
  input  logic [WarpW-1:0]           launch_warp_i,
  input  logic [PcW-1:0]             launch_pc_i,
  input  logic [Lanes-1:0]           launch_mask_i,
  input  logic                       kill_valid_i,
  input  logic [WarpW-1:0]           kill_warp_i,
  // from issue
  input  logic [NumPaths-1:0]        advance_i,
  // from execute
  input  logic                       resolve_valid_i,
  input  logic [WarpW-1:0]           resolve_warp_i,
  input  logic [SlotW-1:0]           resolve_slot_i,
  input  logic [PcW-1:0]             resolve_target_i,
  input  logic [PcW-1:0]             resolve_next_i,
  input  logic [PcW-1:0]             resolve_rpc_i,
  input  logic                       resolve_call_i,
  input  logic                       resolve_return_i,
  // from the stack
  input  logic [NumPaths-1:0]        valid_i,
  input  logic [NumWarps*DepthW-1:0] depth_i,
  input  logic                       acting_valid_i,   // of the resolution that acts, if only to overflow
  input  logic [WarpW-1:0]           acting_warp_i
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (NumSlots < 1) NumSlots_must_be_at_least_1 limit ();
  if (DepthW < 1) DepthW_must_be_at_least_1 limit ();

  // Of PCs the assertions look at bit 0 only, and for synthesis there are none.
  logic unused;
  assign unused = ^{launch_pc_i, resolve_target_i, resolve_next_i};

`ifndef SYNTHESIS
  logic [NumPaths-1:0] acting, resolving;   // paths of the warp of the resolution that acts; the one that resolves
  assign acting    = {NumSlots{acting_valid_i ? NumWarps'(1) << acting_warp_i : {NumWarps{1'b0}}}};
  assign resolving = resolve_valid_i ? NumPaths'(1) << (32'(resolve_slot_i) * NumWarps + 32'(resolve_warp_i)) : '0;

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (launch_valid_i) begin
        assert (32'(launch_warp_i) < NumWarps);                          // launch_warp_i names no warp
        assert (depth_i[launch_warp_i*DepthW +: DepthW] == '0);          // the launched warp still runs
        assert (launch_mask_i != '0);                                    // a warp is launched without a thread
        assert (!launch_pc_i[0]);                                        // the PC of a launch is odd
      end
      if (kill_valid_i) begin
        assert (32'(kill_warp_i) < NumWarps);                            // kill_warp_i names no warp
        assert (!(launch_valid_i && (launch_warp_i == kill_warp_i)));    // a warp is launched and killed
      end
      assert ((advance_i & (advance_i - NumPaths'(1))) == '0);           // several paths issue
      assert ((advance_i & ~valid_i) == '0);                             // an empty path cannot issue
      assert ((advance_i & (resolving | acting)) == '0);                 // a path issues behind its branch
      if (resolve_valid_i) begin
        assert (32'(resolve_warp_i) < NumWarps);                         // resolve_warp_i names no warp
        assert (32'(resolve_slot_i) < NumSlots);                         // resolve_slot_i names no slot
        assert ((resolving & ~valid_i) == '0);                           // an empty path has no branch to resolve
        assert ((resolving & acting) == '0);                             // a second resolution before the first acts
        assert (!(resolve_call_i && resolve_return_i));                  // both a call and a return
        assert (!resolve_target_i[0] && !resolve_next_i[0]);             // an odd PC: it would be taken for RETURN
        assert (!resolve_rpc_i[0] || (resolve_rpc_i[PcW-1:1] == '0));    // RETURN is told with an address
      end
    end
  end
`endif
endmodule
