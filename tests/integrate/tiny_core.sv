// SPDX-License-Identifier: Apache-2.0
// tiny_core: a SIMT core of NumWarps warps around dpe_stack and dpe_scoreboard: the example of docs/integrate.md.
//
// One instruction a cycle, of the first path that may issue. It executes in the next cycle: a control instruction
// resolves there, and the stack acts a cycle later; a result is written back Latency cycles later. Instructions of a path
// are read combinationally.
//
// Contract
//   Latency  issue is combinational from registered state; issue_* show it in the same cycle.
//   Order    one unresolved control instruction a warp: the sibling's waits. So no divergence buries a path whose own
//            resolution is on its way.
//   Reset    asynchronous, active low; no warp runs.
//   Assumes  a launch of a warp that is not running; programs that nest at most Depth - 1 divergences: a warp whose stack
//            overflowed (overflow_o, until reset) does not go on.
//   Not here memory, an instruction cache, fairness between the paths.
//
// Instruction: [3:0] op, [9:4] rd, [15:10] rs1, [21:16] rs2, immediate or target / 4, [27:22] reconvergence PC / 4.
//   0 ADD rd = rs1 + rs2, 1 ADDI rd = rs1 + immediate, 2 LANE rd = number of the lane,
//   8 BNZ to target where rs1 is not 0, 9 JUMP to target, 10 EXIT. Registers 1 to 7; 0 reads as 0.
module tiny_core #(
  parameter  int NumWarps = 2,  // warps
  parameter  int Lanes    = 4,  // threads of a warp
  parameter  int Depth    = 4,  // entries of a stack
  parameter  int Latency  = 6,  // cycles from execution to write-back, at least 2
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // from dispatcher
  input  logic                     launch_valid_i,
  input  logic [WarpW-1:0]         launch_warp_i,
  input  logic [31:0]              launch_pc_i,
  input  logic [Lanes-1:0]         launch_mask_i,
  // to and from instruction memory: path slot*NumWarps + warp
  output logic [2*NumWarps*32-1:0] fetch_pc_o,
  input  logic [2*NumWarps*32-1:0] fetch_instr_i,
  // what happens
  output logic                     issue_valid_o,
  output logic [WarpW-1:0]         issue_warp_o,
  output logic                     issue_slot_o,
  output logic [31:0]              issue_pc_o,
  output logic [Lanes-1:0]         issue_mask_o,
  output logic                     done_valid_o,
  output logic [WarpW-1:0]         done_warp_o,
  output logic                     overflow_o
);
  localparam int NumRegs = 8;
  localparam int DepthW  = heddle_pkg::idx_width(Depth + 1);
  localparam int Entries = 4;
  localparam int LevelW  = 2;   // no calls, so no levels: the least that there is

  localparam logic [3:0] OpAdd = 0, OpAddi = 1, OpLane = 2, OpBnz = 8, OpExit = 10;

  // ------------------------------------------------------------------------------- the stack: where each path stands
  logic [2*NumWarps*Lanes-1:0] mask;    // as fetch_pc_o: path slot*NumWarps + warp
  logic [2*NumWarps-1:0]       valid;
  logic                        resolved_valid, push_valid, pop_valid, overflow_valid;
  logic [WarpW-1:0]            resolved_warp, push_warp, pop_warp;

  logic                        ex_valid_q, ex_slot_q;
  logic [WarpW-1:0]            ex_warp_q;
  logic [31:0]                 ex_pc_q;
  logic [27:0]                 ex_instr_q;
  logic [Lanes-1:0]            ex_mask_q, ex_nonzero;
  logic                        ex_control;
  logic [27:0]                 grant_instr;
  logic [2*NumWarps-1:0]       issues;   // the path that issues

  logic [2*NumWarps*LevelW-1:0] unused_level;
  logic [2*NumWarps-1:0]        unused_sibling;
  logic [NumWarps*32-1:0]       unused_rpc;
  logic [NumWarps*LevelW-1:0]   unused_rpc_level;
  logic [NumWarps*Lanes-1:0]    unused_live;
  logic [NumWarps*DepthW-1:0]   unused_depth;
  logic                         unused_resolved_slot, unused_resolved_next;
  logic [WarpW-1:0]             unused_overflow_warp;
  logic [DepthW-1:0]            unused_max_depth;

  dpe_stack #(
    .NumWarps (NumWarps),
    .Lanes    (Lanes),
    .Depth    (Depth),
    .LevelW   (LevelW)
  ) u_stack (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .launch_valid_i   (launch_valid_i),
    .launch_warp_i    (launch_warp_i),
    .launch_pc_i      (launch_pc_i),
    .launch_mask_i    (launch_mask_i),
    // No warp is ended from outside.
    .kill_valid_i     (1'b0),
    .kill_warp_i      ('0),
    // An instruction that is no control instruction moves its path on as it issues ...
    .advance_i        (grant_instr[3] ? '0 : issues),
    // ... a control instruction when it has executed.
    .resolve_valid_i  (ex_control),
    .resolve_warp_i   (ex_warp_q),
    .resolve_slot_i   (ex_slot_q),
    .resolve_taken_i  ((ex_instr_q[3:0] == OpBnz) ? ex_nonzero : '1),
    .resolve_target_i ({24'd0, ex_instr_q[21:16], 2'd0}),
    .resolve_next_i   (ex_pc_q + 32'd4),
    .resolve_rpc_i    ((ex_instr_q[3:0] == OpBnz) ? {24'd0, ex_instr_q[27:22], 2'd0} : '0),
    .resolve_exit_i   ((ex_instr_q[3:0] == OpExit) ? ex_mask_q : '0),
    // This instruction set has neither calls nor returns.
    .resolve_call_i   (1'b0),
    .resolve_return_i (1'b0),
    .pc_o             (fetch_pc_o),
    .mask_o           (mask),
    .level_o          (unused_level),
    .valid_o          (valid),
    .sibling_o        (unused_sibling),
    .rpc_o            (unused_rpc),
    .rpc_level_o      (unused_rpc_level),
    .live_o           (unused_live),
    .depth_o          (unused_depth),
    .resolved_valid_o (resolved_valid),
    .resolved_warp_o  (resolved_warp),
    .resolved_slot_o  (unused_resolved_slot),
    .resolved_next_o  (unused_resolved_next),
    .push_valid_o     (push_valid),
    .push_warp_o      (push_warp),
    .pop_valid_o      (pop_valid),
    .pop_warp_o       (pop_warp),
    .done_valid_o     (done_valid_o),
    .done_warp_o      (done_warp_o),
    .overflow_valid_o (overflow_valid),
    .overflow_warp_o  (unused_overflow_warp),
    .max_depth_o      (unused_max_depth)
  );

  // --------------------------------------------------------- the scoreboard: which registers of a path are on their way
  logic [2*NumWarps*24-1:0]        names_of;   // {rs3, rs2, rs1, rd} of the next instruction of each path
  logic [2*NumWarps*WarpW-1:0]     warp_of;
  logic [2*NumWarps*2*Entries-1:0] waits_for;
  logic [2*NumWarps-1:0]           full;
  logic                            wb_valid, wb_slot;
  logic [WarpW-1:0]                wb_warp;
  logic [5:0]                      wb_reg;

  logic [NumWarps*Entries-1:0]   unused_pending_l, unused_shadow_l, unused_pending_r, unused_shadow_r;
  logic [NumWarps*Entries*6-1:0] unused_reg_l, unused_reg_r;
  logic [Entries-1:0]            unused_wake;

  // Names that an instruction does not use are 0.
  function automatic logic [23:0] names(input logic [21:0] instr);
    names = '0;
    if (!instr[3]) names[5:0] = instr[9:4];
    if (instr[3:0] != OpLane) names[11:6] = instr[15:10];
    if (instr[3:0] == OpAdd) names[17:12] = instr[21:16];
  endfunction

  generate
    for (genvar p = 0; p < 2 * NumWarps; p++) begin : gen_head
      assign names_of[p*24 +: 24]      = names(fetch_instr_i[p*32 +: 22]);
      assign warp_of[p*WarpW +: WarpW] = WarpW'(p % NumWarps);
    end
  endgenerate

  dpe_scoreboard #(
    .NumWarps   (NumWarps),
    .NumEntries (Entries),
    .NumWb      (1),
    .NumCheck   (2 * NumWarps)
  ) u_scoreboard (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    // What issues sets its rd; a control instruction names register 0, which sets nothing.
    .set_i         (issues),
    .set_reg_i     (grant_instr[3] ? 6'd0 : grant_instr[9:4]),
    // A write-back names the slot from which the instruction issued, whatever happened to the path since.
    .wb_valid_i    (wb_valid),
    .wb_warp_i     (wb_warp),
    .wb_slot_i     (wb_slot),
    .wb_reg_i      (wb_reg),
    // Both events of the stack copy the shadow bits.
    .copy0_valid_i (push_valid),
    .copy0_warp_i  (push_warp),
    .copy1_valid_i (pop_valid),
    .copy1_warp_i  (pop_warp),
    // Every path is asked for at a port of its own, left ones first.
    .check_warp_i  (warp_of),
    .check_slot_i  ({{NumWarps{1'b1}}, {NumWarps{1'b0}}}),
    .check_names_i (names_of),
    .check_wait_o  (waits_for),
    .check_full_o  (full),
    .wake_o        (unused_wake),
    .pending_l_o   (unused_pending_l),
    .shadow_l_o    (unused_shadow_l),
    .reg_l_o       (unused_reg_l),
    .pending_r_o   (unused_pending_r),
    .shadow_r_o    (unused_shadow_r),
    .reg_r_o       (unused_reg_r)
  );

  // ------------------------------------------------------------------------------------- issue: the first path that may
  logic [NumWarps-1:0]   waits_q;   // a control instruction is unresolved: it is still the next one of its path
  logic [2*NumWarps-1:0] may;
  logic [31:0]           path;

  generate
    for (genvar p = 0; p < 2 * NumWarps; p++) begin : gen_may
      assign may[p] = valid[p] && (waits_for[p*2*Entries +: 2*Entries] == '0) && !full[p] &&
                      !(waits_q[p % NumWarps] && fetch_instr_i[p*32+3]);
    end
  endgenerate

  always_comb begin
    path = '0;
    for (int p = 2 * NumWarps - 1; p >= 0; p--) if (may[p]) path = p;
  end

  always_comb begin
    issues = '0;
    issues[path] = issue_valid_o;
  end

  assign issue_valid_o = may != '0;
  assign issue_slot_o  = path >= NumWarps;
  assign issue_warp_o  = WarpW'(issue_slot_o ? path - NumWarps : path);
  assign issue_pc_o    = fetch_pc_o[path*32 +: 32];
  assign issue_mask_o  = mask[path*Lanes +: Lanes];
  assign grant_instr   = fetch_instr_i[path*32 +: 28];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ex_valid_q <= 1'b0;
      ex_slot_q  <= 1'b0;
      ex_warp_q  <= '0;
      ex_pc_q    <= '0;
      ex_instr_q <= '0;
      ex_mask_q  <= '0;
      waits_q    <= '0;
      overflow_o <= 1'b0;
    end else begin
      ex_valid_q <= issue_valid_o;
      ex_slot_q  <= issue_slot_o;
      ex_warp_q  <= issue_warp_o;
      ex_pc_q    <= issue_pc_o;
      ex_instr_q <= grant_instr;
      ex_mask_q  <= issue_mask_o;
      if (resolved_valid) waits_q[resolved_warp] <= 1'b0;
      if (issue_valid_o && grant_instr[3]) waits_q[issue_warp_o] <= 1'b1;
      if (overflow_valid) overflow_o <= 1'b1;
    end
  end

  // ------------------------------------------------------------------------------------------ execution and write-back
  localparam int ResultW = 1 + WarpW + 1 + 6 + Lanes + Lanes * 32;   // {valid, warp, slot, reg, mask, values}

  logic [31:0]                regs_q [0:NumWarps*Lanes*NumRegs-1];
  logic [Latency*ResultW-1:0] flight_q;   // the youngest lowest
  logic [Lanes*32-1:0]        values, wb_values;
  logic [Lanes-1:0]           wb_mask;

  assign ex_control = ex_valid_q && ex_instr_q[3];
  assign {wb_valid, wb_warp, wb_slot, wb_reg, wb_mask, wb_values} = flight_q[(Latency-1)*ResultW +: ResultW];

  generate
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      logic [31:0] base, first, second;
      assign base   = (32'(ex_warp_q) * Lanes + l) * NumRegs;
      assign first  = regs_q[base + 32'(ex_instr_q[15:10])];
      assign second = regs_q[base + 32'(ex_instr_q[21:16])];
      assign ex_nonzero[l]       = first != '0;
      assign values[l*32 +: 32]  = (ex_instr_q[3:0] == OpLane) ? l :
                                   (ex_instr_q[3:0] == OpAddi) ? first + {{26{ex_instr_q[21]}}, ex_instr_q[21:16]} :
                                   first + second;
    end
  endgenerate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int r = 0; r < NumWarps * Lanes * NumRegs; r++) regs_q[r] <= '0;
      flight_q <= '0;
    end else begin
      flight_q <= {flight_q[(Latency-1)*ResultW-1:0], ex_valid_q && !ex_control && (ex_instr_q[9:4] != '0),
                   ex_warp_q, ex_slot_q, ex_instr_q[9:4], ex_mask_q, values};
      for (int l = 0; l < Lanes; l++) begin
        if (wb_valid && wb_mask[l]) regs_q[(32'(wb_warp) * Lanes + l) * NumRegs + 32'(wb_reg)] <= wb_values[l*32 +: 32];
      end
    end
  end
endmodule
