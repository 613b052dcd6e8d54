// SPDX-License-Identifier: Apache-2.0
// Properties of compact_stack (scripts/prove). It and the textbook's stack have the same inputs: until a warp nests deeper
// than there are entries, nobody can tell them apart. What is proved of spe_stack is true of it, too.
//
//! run NumWarps=1 Lanes=4 Depth=3 LevelW=2
//! run NumWarps=2 Lanes=3 Depth=3 PushOrder=2 LevelW=2
//! assume launch_is_legal: Nothing has overflowed. A launched warp has ended, has a number below NumWarps, an even PC and at least one thread.
//! assume advance_is_legal: An advance names a warp whose top is not empty and that does not resolve.
//! assume resolve_is_legal: A resolution names a warp whose top is not empty, that does not advance and has none taken in; only threads of the top exit. PCs are even, an odd resolve_rpc_i is 1, nothing is a call and a return, and neither goes to PC 0.
//! assume kill_is_legal: A kill names a warp with a number below NumWarps that is not launched in this cycle.
//!
//! property rtl_assertions: What the RTL of both asserts of its callers follows from the assumptions.
//!   mutant compact_stack_valid_seen_always
//! property paths_are_equal: PC, mask and level of every path, and the place where it meets others, are those of spe_stack.
//!   mutant compact_stack_later_side_forgets_its_level
//! property live_is_equal: Live masks are those of spe_stack.
//!   mutant compact_stack_exit_stays_live
//! property events_are_equal: Resolutions, pushes, pops and ends of warps are those of spe_stack, in the same cycles.
//!   mutant compact_stack_branch_to_the_next_instruction_stops
//! property overflow_is_first: As long as compact_stack does not overflow, 2 * Depth - 1 entries of spe_stack are enough.
//!   mutant compact_stack_overflow_one_late
module compact_stack_props #(
  parameter  int NumWarps  = 1,
  parameter  int Lanes     = 4,
  parameter  int Depth     = 3,
  parameter  int PushOrder = 0,
  parameter  int LevelW    = 2,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW    = heddle_pkg::idx_width(Depth + 1),
  localparam int SpeDepth  = 2 * Depth - 1,
  localparam int SpeDepthW = heddle_pkg::idx_width(SpeDepth + 1)
) (
  input logic             clk_i,
  input logic             launch_valid_i,
  input logic [WarpW-1:0] launch_warp_i,
  input logic [31:0]      launch_pc_i,
  input logic [Lanes-1:0] launch_mask_i,
  input logic             advance_valid_i,
  input logic [WarpW-1:0] advance_warp_i,
  input logic             resolve_valid_i,
  input logic [WarpW-1:0] resolve_warp_i,
  input logic [Lanes-1:0] resolve_taken_i,
  input logic [31:0]      resolve_target_i,
  input logic [31:0]      resolve_next_i,
  input logic [31:0]      resolve_rpc_i,
  input logic [Lanes-1:0] resolve_exit_i,
  input logic             resolve_call_i,
  input logic             resolve_return_i,
  input logic             resolve_mark_i,
  input logic             kill_valid_i,
  input logic [WarpW-1:0] kill_warp_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // Outputs of both.
  localparam int EventsW = 5 + 4 * WarpW;
  logic [NumWarps*32-1:0]        pc, spe_pc, rpc, spe_rpc;
  logic [NumWarps*Lanes-1:0]     mask, spe_mask, live, spe_live;
  logic [NumWarps*LevelW-1:0]    level, spe_level, rpc_level, spe_rpc_level;
  logic [NumWarps-1:0]           valid, spe_valid, sibling, spe_sibling;
  logic [EventsW-1:0]            events, spe_events;
  logic                          slot, spe_slot, overflow, spe_overflow;
  logic [WarpW-1:0]              overflow_warp, spe_overflow_warp;
  logic [NumWarps*DepthW-1:0]    depth;
  logic [NumWarps*SpeDepthW-1:0] spe_depth;
  logic [DepthW-1:0]             max_depth;
  logic [SpeDepthW-1:0]          spe_max_depth;

  compact_stack #(
    .NumWarps  (NumWarps),
    .Lanes     (Lanes),
    .Depth     (Depth),
    .PushOrder (PushOrder),
    .LevelW    (LevelW)
  ) u_compact (
    .clk_i            (clk_i),
    .rst_ni           (rst_n),
    .launch_valid_i   (launch_valid_i),
    .launch_warp_i    (launch_warp_i),
    .launch_pc_i      (launch_pc_i),
    .launch_mask_i    (launch_mask_i),
    .kill_valid_i     (kill_valid_i),
    .kill_warp_i      (kill_warp_i),
    .advance_i        (NumWarps'(advance_valid_i) << advance_warp_i),
    .resolve_valid_i  (resolve_valid_i),
    .resolve_warp_i   (resolve_warp_i),
    .resolve_slot_i   (1'b0),
    .resolve_taken_i  (resolve_taken_i),
    .resolve_target_i (resolve_target_i),
    .resolve_next_i   (resolve_next_i),
    .resolve_rpc_i    (resolve_rpc_i),
    .resolve_exit_i   (resolve_exit_i),
    .resolve_call_i   (resolve_call_i),
    .resolve_return_i (resolve_return_i),
    .resolve_mark_i   (resolve_mark_i),
    .pc_o             (pc),
    .mask_o           (mask),
    .level_o          (level),
    .valid_o          (valid),
    .sibling_o        (sibling),
    .rpc_o            (rpc),
    .rpc_level_o      (rpc_level),
    .live_o           (live),
    .depth_o          (depth),
    .resolved_valid_o (events[4+4*WarpW]),
    .resolved_warp_o  (events[4+3*WarpW +: WarpW]),
    .resolved_slot_o  (slot),
    .resolved_next_o  (events[3+3*WarpW]),
    .push_valid_o     (events[2+3*WarpW]),
    .push_warp_o      (events[2+2*WarpW +: WarpW]),
    .pop_valid_o      (events[1+2*WarpW]),
    .pop_warp_o       (events[1+1*WarpW +: WarpW]),
    .done_valid_o     (events[0+1*WarpW]),
    .done_warp_o      (events[0 +: WarpW]),
    .overflow_valid_o (overflow),
    .overflow_warp_o  (overflow_warp),
    .max_depth_o      (max_depth)
  );

  spe_stack #(
    .NumWarps  (NumWarps),
    .Lanes     (Lanes),
    .Depth     (SpeDepth),
    .PushOrder (PushOrder),
    .LevelW    (LevelW)
  ) u_spe (
    .clk_i            (clk_i),
    .rst_ni           (rst_n),
    .launch_valid_i   (launch_valid_i),
    .launch_warp_i    (launch_warp_i),
    .launch_pc_i      (launch_pc_i),
    .launch_mask_i    (launch_mask_i),
    .kill_valid_i     (kill_valid_i),
    .kill_warp_i      (kill_warp_i),
    .advance_i        (NumWarps'(advance_valid_i) << advance_warp_i),
    .resolve_valid_i  (resolve_valid_i),
    .resolve_warp_i   (resolve_warp_i),
    .resolve_slot_i   (1'b0),
    .resolve_taken_i  (resolve_taken_i),
    .resolve_target_i (resolve_target_i),
    .resolve_next_i   (resolve_next_i),
    .resolve_rpc_i    (resolve_rpc_i),
    .resolve_exit_i   (resolve_exit_i),
    .resolve_call_i   (resolve_call_i),
    .resolve_return_i (resolve_return_i),
    .resolve_mark_i   (resolve_mark_i),
    .pc_o             (spe_pc),
    .mask_o           (spe_mask),
    .level_o          (spe_level),
    .valid_o          (spe_valid),
    .sibling_o        (spe_sibling),
    .rpc_o            (spe_rpc),
    .rpc_level_o      (spe_rpc_level),
    .live_o           (spe_live),
    .depth_o          (spe_depth),
    .resolved_valid_o (spe_events[4+4*WarpW]),
    .resolved_warp_o  (spe_events[4+3*WarpW +: WarpW]),
    .resolved_slot_o  (spe_slot),
    .resolved_next_o  (spe_events[3+3*WarpW]),
    .push_valid_o     (spe_events[2+3*WarpW]),
    .push_warp_o      (spe_events[2+2*WarpW +: WarpW]),
    .pop_valid_o      (spe_events[1+2*WarpW]),
    .pop_warp_o       (spe_events[1+1*WarpW +: WarpW]),
    .done_valid_o     (spe_events[0+1*WarpW]),
    .done_warp_o      (spe_events[0 +: WarpW]),
    .overflow_valid_o (spe_overflow),
    .overflow_warp_o  (spe_overflow_warp),
    .max_depth_o      (spe_max_depth)
  );

  // A warp that has overflowed is halted by the front end: nothing more is said then, of others neither.
  logic broken_q;
  always_ff @(posedge clk_i) broken_q <= rst_n && (broken_q || overflow);

  // Data of a warp that was never launched, or was killed, are not said.
  logic [NumWarps-1:0] launched_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      launched_q <= '0;
    end else begin
      if (launch_valid_i) launched_q[launch_warp_i] <= 1'b1;
      if (kill_valid_i) launched_q[kill_warp_i] <= 1'b0;
    end
  end
  logic same_paths, same_live;
  always_comb begin
    same_paths = valid == spe_valid;
    same_live  = 1'b1;
    for (int w = 0; w < NumWarps; w++) begin
      if (launched_q[w] && ((pc[w*32 +: 32] != spe_pc[w*32 +: 32]) || (mask[w*Lanes +: Lanes] != spe_mask[w*Lanes +: Lanes]) ||
                            (level[w*LevelW +: LevelW] != spe_level[w*LevelW +: LevelW]) || (sibling[w] != spe_sibling[w]) ||
                            (rpc[w*32 +: 32] != spe_rpc[w*32 +: 32]) ||
                            (rpc_level[w*LevelW +: LevelW] != spe_rpc_level[w*LevelW +: LevelW]))) same_paths = 1'b0;
      if (launched_q[w] && (live[w*Lanes +: Lanes] != spe_live[w*Lanes +: Lanes])) same_live = 1'b0;
    end
  end

  logic [NumWarps-1:0] acting;   // a resolution was taken in
  logic                launch_ok, advance_ok, resolve_ok, kill_ok;
  always_ff @(posedge clk_i) begin
    acting <= '0;
    if (rst_n && resolve_valid_i) acting[resolve_warp_i] <= 1'b1;
    if (kill_valid_i) acting[kill_warp_i] <= 1'b0;
  end
  assign launch_ok  = !broken_q && (32'(launch_warp_i) < NumWarps) && (depth[launch_warp_i*DepthW +: DepthW] == '0) &&
                      (launch_mask_i != '0) && !launch_pc_i[0];
  assign advance_ok = !broken_q && (32'(advance_warp_i) < NumWarps) && valid[advance_warp_i] && !acting[advance_warp_i];
  assign resolve_ok = !broken_q && (32'(resolve_warp_i) < NumWarps) && valid[resolve_warp_i] && !acting[resolve_warp_i] &&
                      ((resolve_exit_i & ~mask[resolve_warp_i*Lanes +: Lanes]) == '0) &&
                      !(advance_valid_i && (advance_warp_i == resolve_warp_i)) && !resolve_target_i[0] &&
                      !resolve_next_i[0] && (!resolve_rpc_i[0] || (resolve_rpc_i[31:1] == '0)) &&
                      !(resolve_call_i && resolve_return_i) &&
                      (!(resolve_call_i || resolve_return_i) || (resolve_target_i != '0));
  assign kill_ok    = (32'(kill_warp_i) < NumWarps) && !(launch_valid_i && (launch_warp_i == kill_warp_i));

  always_comb begin
    if (rst_n) begin
      launch_is_legal:  assume (!launch_valid_i || launch_ok);
      advance_is_legal: assume (!advance_valid_i || advance_ok);
      resolve_is_legal: assume (!resolve_valid_i || resolve_ok);
      kill_is_legal:    assume (!kill_valid_i || kill_ok);

      rtl_assertions_seen:    cover (advance_valid_i && (32'(depth[DepthW-1:0]) == Depth));
      paths_are_equal:        assert (broken_q || same_paths);
      paths_are_equal_seen:   cover (!broken_q && (32'(spe_depth[SpeDepthW-1:0]) == SpeDepth));
      live_is_equal:          assert (broken_q || same_live);
      live_is_equal_seen:     cover (!broken_q && (live != mask));
      events_are_equal:       assert (broken_q || overflow || (events == spe_events));
      events_are_equal_seen:  cover (!broken_q && events[2*WarpW+1]);
      overflow_is_first:      assert (broken_q || overflow || !spe_overflow);
      overflow_is_first_seen: cover (overflow);
    end
  end
endmodule
