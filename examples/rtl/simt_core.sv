// SPDX-License-Identifier: Apache-2.0
// simt_core: a small SIMT core around dpe_frontend, which runs kernels that heddle-cc compiles: the example of
// docs/integrate.md.
//
//   u_frontend   -- fetch_* -->            program_rom --> rv_decode  -- decode_* -->         u_frontend
//   u_frontend   -- issue_* -->            registers --> rv_lane      -- wb_*, resolve_* -->  u_frontend
//                                                         `--> load_store  -- wb_* -->        u_frontend
//   u_dispatcher -- launch_*, release_i --> u_frontend                -- done_*, idle_o -->   u_dispatcher
//
// One instruction a cycle issues; a cycle later it executes. Its result is written at the end of that cycle, that of a
// load some cycles later.
//
// Contract
//   Order    write-back takes one result a cycle: execute goes first, a load waits.
//   Assumes  as dispatcher. The program keeps its data in registers and global memory: there is neither local memory,
//            and so no stack, nor shared memory. All threads of a warp come to a barrier together, as CUDA asks for.
//   Not here caches: program memory and data memory answer in the next cycle.
module simt_core #(
  parameter int NumWarps     = 4,
  parameter int Lanes        = 8,
  parameter int NumArgs      = 4,   // of a kernel
  parameter int ProgramWords = 256,
  parameter     CodeFile     = "code.hex",
  parameter     RpcFile      = "rpc.hex"
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // a grid
  input  logic                  start_i,
  input  logic [31:0]           kernel_i,    // address of the kernel
  input  logic [31:0]           return_i,    // where it returns to
  input  logic [31:0]           grid_i,      // blocks
  input  logic [31:0]           threads_i,   // of a block
  input  logic [NumArgs*32-1:0] args_i,
  output logic                  busy_o,
  output logic                  fault_o,     // an unknown instruction or a stack overflow; until reset
  // data memory: a word; a read is answered in the next cycle
  output logic                  mem_valid_o,
  output logic                  mem_write_o,
  output logic [31:0]           mem_address_o,
  output logic [31:0]           mem_data_o,
  input  logic [31:0]           mem_data_i
);
  localparam int WarpW  = heddle_pkg::idx_width(NumWarps);
  localparam int InstrW = heddle_pkg::InstrW;
  localparam int RegW   = heddle_pkg::RegW;
  localparam int TagW   = 3;
  localparam int Depth  = Lanes;   // as many entries as lanes suffice for every program

  // ----------------------------------------------------------------------------------------------------- the front end
  logic                 launch_valid, done_valid;
  logic [WarpW-1:0]     launch_warp, done_warp;
  logic [Lanes-1:0]     launch_mask;
  logic [NumWarps-1:0]  idle, release_warps;
  logic                 fetch_valid, fetch_slot;
  logic [WarpW-1:0]     fetch_warp;
  logic [31:0]          fetch_pc;
  logic [TagW-1:0]      fetch_tag;
  logic                 decode_valid_q, decode_slot_q;
  logic [WarpW-1:0]     decode_warp_q;
  logic [TagW-1:0]      decode_tag_q;
  logic [1:0]           decode_count;
  logic [InstrW-1:0]    bundle0, bundle1;
  logic [31:0]          fetch_instr0, fetch_instr1;
  logic                 resolve_valid, resolve_ready, resolve_call, resolve_return;
  logic [Lanes-1:0]     resolve_taken, resolve_exit;
  logic [31:0]          resolve_target, resolve_next, resolve_rpc;
  logic [3:0]           resolve_skip;
  logic                 wb_valid, wb_slot;
  logic [WarpW-1:0]     wb_warp;
  logic [RegW-1:0]      wb_reg;
  logic [Lanes-1:0]     wb_mask;
  logic [4:0]           unit_ready;
  logic                 issue_ready, issue_valid, issue_slot;
  logic [WarpW-1:0]     issue_warp;
  logic [31:0]          issue_pc;
  logic [Lanes-1:0]     issue_mask;
  logic [InstrW-1:0]    issue_bundle;
  logic [31:0]          issue_instr;
  logic                 overflow_valid;

  // What executes: the instruction that was on issue_* before.
  logic                 x_valid_q, x_slot_q;
  logic [WarpW-1:0]     x_warp_q;
  logic [31:0]          x_pc_q;
  logic [Lanes-1:0]     x_mask_q;
  logic [InstrW-1:0]    x_bundle_q;
  logic [31:0]          x_instr_q;

  logic                       unused_sibling, unused_predicated;
  logic [WarpW-1:0]           unused_overflow_warp;
  logic [3:0]                 unused_stall;
  logic [$clog2(Depth+1)-1:0] unused_max_depth;

  dpe_frontend #(
    .NumWarps   (NumWarps),
    .Lanes      (Lanes),
    .StackDepth (Depth),
    .NumWb      (1),
    .TagW       (TagW),
    .Watch      (0),
    .PayloadW   (32)
  ) u_frontend (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    // A warp that is idle begins at the kernel's address with some of its threads.
    .launch_valid_i     (launch_valid),
    .launch_warp_i      (launch_warp),
    .launch_pc_i        (kernel_i),
    .launch_mask_i      (launch_mask),
    // No warp is ended from outside.
    .kill_valid_i       (1'b0),
    .kill_warp_i        (WarpW'(0)),
    // Program memory takes a request in every cycle ...
    .fetch_ready_i      (1'b1),
    .fetch_valid_o      (fetch_valid),
    .fetch_warp_o       (fetch_warp),
    .fetch_slot_o       (fetch_slot),
    .fetch_pc_o         (fetch_pc),
    .fetch_tag_o        (fetch_tag),
    // ... and answers in the next: every request once, with the request's tag.
    .decode_valid_i     (decode_valid_q),
    .decode_warp_i      (decode_warp_q),
    .decode_slot_i      (decode_slot_q),
    .decode_tag_i       (decode_tag_q),
    .decode_count_i     (decode_count),
    // With its bundle travels the instruction itself: the front end does not look at it.
    .decode_instr0_i    ({fetch_instr0, bundle0}),
    .decode_instr1_i    ({fetch_instr1, bundle1}),
    // Every control instruction is resolved once. The pins keep their values until ready.
    .resolve_valid_i    (resolve_valid),
    .resolve_warp_i     (x_warp_q),
    .resolve_slot_i     (x_slot_q),
    .resolve_taken_i    (resolve_taken),
    .resolve_target_i   (resolve_target),
    .resolve_next_i     (resolve_next),
    .resolve_rpc_i      (resolve_rpc),
    .resolve_exit_i     (resolve_exit),
    .resolve_call_i     (resolve_call),
    .resolve_return_i   (resolve_return),
    .resolve_skip_i     (resolve_skip),
    .resolve_ready_o    (resolve_ready),
    // A write-back names the slot from which its instruction issued, wherever the path is now.
    .wb_valid_i         (wb_valid),
    .wb_warp_i          (wb_warp),
    .wb_slot_i          (wb_slot),
    .wb_reg_i           (wb_reg),
    .wb_mask_i          (wb_mask),
    // Only the constrained selector asks for misses.
    .miss_valid_i       (1'b0),
    .miss_warp_i        (WarpW'(0)),
    .miss_slot_i        (1'b0),
    // An instruction that is granted in this cycle is on issue_* in the next.
    .unit_ready_i       (unit_ready),
    // Nothing else holds a warp: no fences, no traps.
    .hold_i             (NumWarps'(0)),
    .release_i          (release_warps),
    // What is on issue_* is taken at this edge, or stays.
    .issue_ready_i      (issue_ready),
    .issue_valid_o      (issue_valid),
    .issue_warp_o       (issue_warp),
    .issue_slot_o       (issue_slot),
    .issue_pc_o         (issue_pc),
    .issue_mask_o       (issue_mask),
    .issue_instr_o      ({issue_instr, issue_bundle}),
    .issue_sibling_o    (unused_sibling),
    .issue_predicated_o (unused_predicated),
    .done_valid_o       (done_valid),
    .done_warp_o        (done_warp),
    .idle_o             (idle),
    .overflow_valid_o   (overflow_valid),
    .overflow_warp_o    (unused_overflow_warp),
    .stall_o            (unused_stall),
    .max_depth_o        (unused_max_depth)
  );

  // -------------------------------------------------------------------------------------------- program: fetch, decode
  logic [31:0] x_rpc;
  logic [3:0]  x_skip;

  program_rom #(
    .Words    (ProgramWords),
    .CodeFile (CodeFile),
    .RpcFile  (RpcFile)
  ) u_program (
    .clk_i           (clk_i),
    .fetch_pc_i      (fetch_pc),
    .fetch_instr0_o  (fetch_instr0),
    .fetch_instr1_o  (fetch_instr1),
    // The instruction has come along with its bundle; its reconvergence point execution finds by the PC.
    .execute_read_i  (issue_ready),
    .execute_pc_i    (issue_pc),
    .execute_rpc_o   (x_rpc),
    .execute_skip_o  (x_skip)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) decode_valid_q <= 1'b0;
    else decode_valid_q <= fetch_valid;
  end

  always_ff @(posedge clk_i) begin
    decode_warp_q <= fetch_warp;
    decode_slot_q <= fetch_slot;
    decode_tag_q  <= fetch_tag;
  end

  rv_decode u_decode0 (.instr_i(fetch_instr0), .bundle_o(bundle0));
  rv_decode u_decode1 (.instr_i(fetch_instr1), .bundle_o(bundle1));

  // What stands after a jump is no part of the answer.
  assign decode_count = bundle0[heddle_pkg::JumpBit] ? 2'd1 : 2'd2;

  // -------------------------------------------------------------------- registers: read as it issues, with the program
  logic [Lanes*32-1:0] rs1, rs2;

  logic                write_valid, init_valid;
  logic [WarpW-1:0]    write_warp, init_warp;
  logic [4:0]          write_reg, init_reg;
  logic [Lanes-1:0]    write_mask;
  logic [Lanes*32-1:0] write_data;
  logic [31:0]         init_data;

  generate
    for (genvar l = 0; l < Lanes; l++) begin : gen_registers
      logic [31:0] registers [0:NumWarps*32-1];   // of the threads of lane l
      logic [31:0] first_q, second_q;

      always_ff @(posedge clk_i) begin
        if (issue_ready) begin
          first_q  <= registers[{issue_warp, issue_bundle[10:6]}];
          second_q <= registers[{issue_warp, issue_bundle[16:12]}];
        end
        if (write_valid && write_mask[l]) registers[{write_warp, write_reg}] <= write_data[l*32 +: 32];
      end

      assign rs1[l*32 +: 32] = (x_bundle_q[11:6] == '0) ? '0 : first_q;
      assign rs2[l*32 +: 32] = (x_bundle_q[17:12] == '0) ? '0 : second_q;
    end
  endgenerate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) x_valid_q <= 1'b0;
    else if (issue_ready) x_valid_q <= issue_valid;
  end

  always_ff @(posedge clk_i) begin
    if (issue_ready) begin
      x_warp_q   <= issue_warp;
      x_slot_q   <= issue_slot;
      x_pc_q     <= issue_pc;
      x_mask_q   <= issue_mask;
      x_bundle_q <= issue_bundle;
      x_instr_q    <= issue_instr;
    end
  end

  // ----------------------------------------------------------------------------------------------------------- execute
  logic [Lanes*32-1:0] result, address;
  logic [Lanes-1:0]    taken, same_target;
  logic [31:0]         block, first_thread, jump_target, immediate_b, immediate_j;
  logic [11:0]         x_csr;
  logic                x_branch, x_jal, x_jalr, x_ecall, x_unknown, x_memory, x_link_rd, x_link_rs1;

  assign x_csr      = x_instr_q[31:20];
  assign x_branch   = x_instr_q[6:0] == 7'h63;
  assign x_jal      = x_instr_q[6:0] == 7'h6f;
  assign x_jalr     = x_instr_q[6:0] == 7'h67;
  assign x_ecall    = x_instr_q == 32'h0000_0073;
  assign x_memory   = x_bundle_q[26:24] == 3'(heddle_pkg::UnitLoadStore);
  assign x_unknown  = x_bundle_q[26:24] == 3'(heddle_pkg::UnitSpecial);
  assign x_link_rd  = (x_instr_q[11:7] == 5'd1) || (x_instr_q[11:7] == 5'd5);
  assign x_link_rs1 = (x_instr_q[19:15] == 5'd1) || (x_instr_q[19:15] == 5'd5);

  generate
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      logic [31:0] thread, csr;

      assign thread = 32'(x_warp_q) * Lanes + l;

      always_comb begin
        case (x_csr)
          12'hcc0: csr = thread;                  // threadIdx.x
          12'hcc3: csr = block;                   // blockIdx.x
          12'hcc6: csr = threads_i;               // blockDim.x
          12'hcc9: csr = grid_i;                  // gridDim.x
          default: csr = first_thread + thread;   // number in the grid
        endcase
      end

      rv_lane u_lane (
        .instr_i   (x_instr_q),
        .pc_i      (x_pc_q),
        .rs1_i     (rs1[l*32 +: 32]),
        .rs2_i     (rs2[l*32 +: 32]),
        .csr_i     (csr),
        .result_o  (result[l*32 +: 32]),
        .address_o (address[l*32 +: 32]),
        .taken_o   (taken[l])
      );

      assign same_target[l] = address[l*32+1 +: 31] == jump_target[31:1];
    end
  endgenerate

  always_comb begin
    jump_target = '0;
    for (int l = Lanes - 1; l >= 0; l--) if (x_mask_q[l]) jump_target = {address[l*32+1 +: 31], 1'b0};
  end

  // -------------------------------------------------------------------------------------------------- resolve: control
  assign immediate_b = {{20{x_instr_q[31]}}, x_instr_q[7], x_instr_q[30:25], x_instr_q[11:8], 1'b0};
  assign immediate_j = {{12{x_instr_q[31]}}, x_instr_q[19:12], x_instr_q[20], x_instr_q[30:21], 1'b0};

  // A jump is a branch that all threads take. Threads of a jalr that go elsewhere than the lowest one are left: they
  // execute it again. An ecall ends its threads (of the system calls there is only exit), and so does a fault.
  assign resolve_valid  = x_valid_q && x_bundle_q[heddle_pkg::ControlBit];
  assign resolve_taken  = x_mask_q & (x_branch ? taken : x_jalr ? same_target : '1);
  assign resolve_target = x_jalr ? jump_target : x_pc_q + (x_jal ? immediate_j : immediate_b);
  assign resolve_next   = (x_jalr && (resolve_taken != x_mask_q)) ? x_pc_q : x_pc_q + 32'd4;
  assign resolve_rpc    = (x_branch || x_jalr) ? x_rpc : '0;
  assign resolve_exit   = (x_ecall || x_unknown) ? x_mask_q : '0;
  assign resolve_call   = (x_jal || x_jalr) && x_link_rd &&
                          !(x_jalr && x_link_rs1 && (x_instr_q[19:15] != x_instr_q[11:7]));
  assign resolve_return = x_jalr && !x_link_rd && x_link_rs1;
  // Only a divergent branch is worth a predicated region: some of its threads take it, not all.
  assign resolve_skip   = (x_branch && (resolve_taken != '0) && (resolve_taken != x_mask_q)) ? x_skip : '0;

  assign issue_ready = !resolve_valid || resolve_ready;

  // ----------------------------------------------------------------------------------------- loads, stores, write-back
  logic                memory_valid, memory_busy, memory_ready, execute_wb, load_wb, load_slot;
  logic [WarpW-1:0]    load_warp;
  logic [RegW-1:0]     load_reg;
  logic [Lanes-1:0]    load_mask;
  logic [Lanes*32-1:0] load_data;

  assign memory_valid = x_valid_q && x_memory;
  assign execute_wb   = x_valid_q && issue_ready && !x_memory && (x_bundle_q[5:0] != '0);

  // A credit for a load or store: none is on issue_*, in execute or in the unit. What is granted now comes later.
  assign memory_ready = !(issue_valid && (issue_bundle[26:24] == 3'(heddle_pkg::UnitLoadStore))) && !memory_valid &&
                        !memory_busy;
  assign unit_ready   = 5'h1f & ~(5'(!memory_ready) << heddle_pkg::UnitLoadStore);

  load_store #(
    .Lanes    (Lanes),
    .NumWarps (NumWarps)
  ) u_load_store (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .valid_i       (memory_valid),
    .store_i       (x_instr_q[5]),
    .warp_i        (x_warp_q),
    .slot_i        (x_slot_q),
    .reg_i         (x_bundle_q[5:0]),
    .mask_i        (x_mask_q),
    .address_i     (address),
    .data_i        (rs2),
    .busy_o        (memory_busy),
    .wb_valid_o    (load_wb),
    .wb_ready_i    (!execute_wb),
    .wb_warp_o     (load_warp),
    .wb_slot_o     (load_slot),
    .wb_reg_o      (load_reg),
    .wb_mask_o     (load_mask),
    .wb_data_o     (load_data),
    .mem_valid_o   (mem_valid_o),
    .mem_write_o   (mem_write_o),
    .mem_address_o (mem_address_o),
    .mem_data_o    (mem_data_o),
    .mem_data_i    (mem_data_i)
  );

  // To the front end and to the registers at the same edge: whoever waits for the register issues after it.
  assign wb_valid = execute_wb || load_wb;
  assign wb_warp  = execute_wb ? x_warp_q : load_warp;
  assign wb_slot  = execute_wb ? x_slot_q : load_slot;
  assign wb_reg   = execute_wb ? x_bundle_q[5:0] : load_reg;
  assign wb_mask  = execute_wb ? x_mask_q : load_mask;

  // The dispatcher writes only while no warp runs. Of a jalr only those threads write that jump.
  assign write_valid = init_valid || wb_valid;
  assign write_warp  = init_valid ? init_warp : wb_warp;
  assign write_reg   = init_valid ? init_reg : wb_reg[4:0];
  assign write_mask  = init_valid ? '1 : (execute_wb && x_jalr) ? resolve_taken : wb_mask;
  assign write_data  = init_valid ? {Lanes{init_data}} : execute_wb ? result : load_data;

  // ----------------------------------------------------------------------------------------------- blocks and barriers
  dispatcher #(
    .NumWarps (NumWarps),
    .Lanes    (Lanes),
    .NumArgs  (NumArgs)
  ) u_dispatcher (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .start_i        (start_i),
    .grid_i         (grid_i),
    .threads_i      (threads_i),
    .return_i       (return_i),
    .args_i         (args_i),
    .busy_o         (busy_o),
    .block_o        (block),
    .first_o        (first_thread),
    .write_valid_o  (init_valid),
    .write_warp_o   (init_warp),
    .write_reg_o    (init_reg),
    .write_data_o   (init_data),
    .launch_valid_o (launch_valid),
    .launch_warp_o  (launch_warp),
    .launch_mask_o  (launch_mask),
    .done_valid_i   (done_valid),
    .done_warp_i    (done_warp),
    // The front end knows nothing of stores that are under way.
    .idle_i         (idle & {NumWarps{!memory_valid && !memory_busy}}),
    .arrive_valid_i (x_valid_q && x_bundle_q[heddle_pkg::BarrierBit]),
    .arrive_warp_i  (x_warp_q),
    .release_o      (release_warps)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else if (overflow_valid || (x_valid_q && x_unknown)) fault_o <= 1'b1;
  end
endmodule
