// SPDX-License-Identifier: Apache-2.0
// Properties of fetch_request (scripts/prove). Queues are free but for room in them; one path, which is any, is looked at.
//
//! run NumWarps=2 NumSlots=2 IbufDepth=5
//! run NumWarps=3 NumSlots=1 IbufDepth=2
//! run NumWarps=2 NumSlots=3 IbufDepth=4
//! assume launch_is_legal: A launch names a warp.
//! assume there_is_room: A path that needs a fetch has room for two bundles more than it has queued or asked for.
//! assume one_is_any: The path looked at is any.
//!
//! property asks_who_may: A path that asks is there, needs a fetch, and is of no halted warp; fetch takes it.
//!   mutant fetch_request_asks_for_halted_warps
//! property one_asks: request_o is one-hot or 0, and not 0 if a path may ask.
//!   mutant fetch_request_keeps_quiet
//! property asks_behind_all: What a path asks for begins behind all that it has queued, asked for, or that waits for its resolution.
//!   mutant fetch_pc_carry_lost
//! property tells_who_asks: In the next cycle the pins name the path that asked, with its tag.
//!   mutant frontend_shows_the_tag_of_another
module fetch_request_props #(
  parameter  int NumWarps  = 2,
  parameter  int NumSlots  = 2,
  parameter  int IbufDepth = 5,
  localparam int TagW      = 2,
  localparam int NumPaths  = NumSlots * NumWarps,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW     = heddle_pkg::idx_width(NumSlots),
  localparam int PathW     = heddle_pkg::idx_width(NumPaths),
  localparam int CountW    = heddle_pkg::idx_width(IbufDepth + 1)
) (
  input logic                       clk_i,
  input logic                       launch_valid_i,
  input logic [WarpW-1:0]           launch_warp_i,
  input logic [NumPaths-1:0]        valid_i,
  input logic [NumPaths*32-1:0]     pc_i,
  input logic [NumPaths-1:0]        waits_i,
  input logic [NumWarps-1:0]        halted_i,
  input logic [NumPaths-1:0]        need_fetch_i,
  input logic [NumPaths*CountW-1:0] count_i,
  input logic [NumPaths*2-1:0]      requests_i,
  input logic [NumPaths*TagW-1:0]   tag_i,
  input logic                       fetch_ready_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [NumPaths-1:0] request;
  logic                fetch_valid;
  logic [WarpW-1:0]    fetch_warp;
  logic [SlotW-1:0]    fetch_slot;
  logic [31:0]         fetch_pc;
  logic [TagW-1:0]     fetch_tag;

  fetch_request #(
    .NumWarps  (NumWarps),
    .NumSlots  (NumSlots),
    .IbufDepth (IbufDepth),
    .TagW      (TagW)
  ) dut (
    .clk_i          (clk_i),
    .rst_ni         (rst_n),
    .launch_valid_i (launch_valid_i),
    .launch_warp_i  (launch_warp_i),
    .valid_i        (valid_i),
    .pc_i           (pc_i),
    .waits_i        (waits_i),
    .halted_i       (halted_i),
    .need_fetch_i   (need_fetch_i),
    .count_i        (count_i),
    .requests_i     (requests_i),
    .tag_i          (tag_i),
    .request_o      (request),
    .fetch_ready_i  (fetch_ready_i),
    .fetch_valid_o  (fetch_valid),
    .fetch_warp_o   (fetch_warp),
    .fetch_slot_o   (fetch_slot),
    .fetch_pc_o     (fetch_pc),
    .fetch_tag_o    (fetch_tag)
  );

  (* anyconst *) logic [PathW-1:0] one;
  logic [NumPaths-1:0] may;
  logic                room;
  logic [31:0]         asked;
  assign may = need_fetch_i & valid_i & ~{NumSlots{halted_i}} & {NumPaths{fetch_ready_i}};
  always_comb begin
    room  = 1'b1;
    asked = '0;
    for (int p = 0; p < NumPaths; p++) begin
      asked = 32'(count_i[p*CountW +: CountW]) + 2 * 32'(requests_i[p*2 +: 2]);
      if (need_fetch_i[p] && (asked + 2 > IbufDepth)) room = 1'b0;
    end
    asked = 32'(count_i[one*CountW +: CountW]) + 2 * 32'(requests_i[one*2 +: 2]) + 32'(waits_i[one]);
  end

  // What the path asked for a cycle before.
  logic            asked_q, any_q;
  logic [31:0]     pc_q;
  logic [TagW-1:0] tag_q;
  always_ff @(posedge clk_i) begin
    asked_q <= rst_n && request[one];
    any_q   <= rst_n && (request != '0);
    pc_q    <= pc_i[one*32 +: 32] + 4 * asked;
    tag_q   <= tag_i[one*TagW +: TagW];
  end

  always_comb begin
    one_is_any: assume (32'(one) < NumPaths);
    if (rst_n) begin
      launch_is_legal:      assume (!launch_valid_i || (32'(launch_warp_i) < NumWarps));
      there_is_room:        assume (room);
      asks_who_may:         assert ((request & ~may) == '0);
      asks_who_may_seen:    cover ((request != '0) && (halted_i != '0));
      one_asks:             assert (((request & (request - NumPaths'(1))) == '0) && ((request != '0) == (may != '0)));
      one_asks_seen:        cover (may == '1);
      asks_behind_all:      assert (!asked_q || (fetch_pc == pc_q));
      asks_behind_all_seen: cover (asked_q && (fetch_pc[15:0] < 16'd8) && (fetch_pc[31:16] != '0));
      tells_who_asks:       assert ((fetch_valid == any_q) &&
                                    (!asked_q || ((32'(fetch_warp) == 32'(one) % NumWarps) && (fetch_tag == tag_q) &&
                                                  (32'(fetch_slot) == 32'(one) / NumWarps))));
      tells_who_asks_seen:  cover (asked_q && (32'(one) == NumPaths - 1) && (fetch_tag != '0));
    end
  end
endmodule
