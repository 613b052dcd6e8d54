// SPDX-License-Identifier: Apache-2.0
// tiny_core_tb: runs program.hex on two warps of tiny_core and compares every issue with expected.hex, and a register of
// every thread at the end with results.hex. Prints what differs first and, last, "passed" or "FAILED"; with +show also
// every issue and result.
`timescale 1ns/1ns
module tiny_core_tb;
  localparam int Issues = 24, Cycles = 200, Results = 2 * 4;

  reg           clk = 0, rst_n = 0, launch_valid = 0, launch_warp = 0, show;
  reg  [3:0]    launch_mask = 0;
  wire [127:0]  fetch_pc, fetch_instr;
  wire          issue_valid, issue_warp, issue_slot, done_valid, done_warp, overflow;
  wire [31:0]   issue_pc;
  wire [3:0]    issue_mask;

  reg [31:0] memory   [0:15];
  reg [35:0] expected [0:Issues-1];    // hexadecimal digits: 4 cycle, warp, slot, mask, 2 PC
  reg [31:0] results  [0:Results-1];   // r4 of every thread
  reg [35:0] seen;
  integer    cycle, thread, issues = 0, differences = 0, ended = 0, drained = 0;

  tiny_core u_core (
    .clk_i          (clk),
    .rst_ni         (rst_n),
    .launch_valid_i (launch_valid),
    .launch_warp_i  (launch_warp),
    .launch_pc_i    (32'd4),
    .launch_mask_i  (launch_mask),
    .fetch_pc_o     (fetch_pc),
    .fetch_instr_i  (fetch_instr),
    .issue_valid_o  (issue_valid),
    .issue_warp_o   (issue_warp),
    .issue_slot_o   (issue_slot),
    .issue_pc_o     (issue_pc),
    .issue_mask_o   (issue_mask),
    .done_valid_o   (done_valid),
    .done_warp_o    (done_warp),
    .overflow_o     (overflow)
  );

  genvar p;
  generate
    for (p = 0; p < 4; p = p + 1) begin : gen_fetch
      assign fetch_instr[p*32 +: 32] = memory[fetch_pc[p*32+2 +: 4]];
    end
  endgenerate

  initial begin
    show = $test$plusargs("show") != 0;
    $readmemh("program.hex", memory);
    $readmemh("expected.hex", expected);
    $readmemh("results.hex", results);
    #1 clk = 1;
    #1 clk = 0;
    rst_n = 1;
    for (cycle = 0; cycle < Cycles && drained < 8; cycle = cycle + 1) begin
      // Warp 0 with all threads in cycle 0, warp 1 without thread 0 in cycle 1.
      launch_valid = cycle < 2;
      launch_warp  = cycle == 1;
      launch_mask  = cycle == 0 ? 4'b1111 : 4'b1110;
      #1;
      if (issue_valid) begin
        seen = {cycle[15:0], 3'd0, issue_warp, 3'd0, issue_slot, issue_mask, issue_pc[7:0]};
        if (show) $display("%h", seen);
        if (issues >= Issues || seen !== expected[issues]) begin
          if (differences == 0) $display("issue %0d: %h, expected %h", issues, seen, expected[issues]);
          differences = differences + 1;
        end
        issues = issues + 1;
      end
      if (done_valid) ended = ended + 1;
      if (ended == 2) drained = drained + 1;   // the last results are on their way
      #1 clk = 1;
      #1 clk = 0;
    end
    if (ended != 2 || overflow || issues != Issues) begin
      $display("%0d warps ended and %0d instructions issued in %0d cycles, overflow %b", ended, issues, cycle, overflow);
      differences = differences + 1;
    end
    for (thread = 0; thread < Results; thread = thread + 1) begin
      if (show) $display("thread %0d: r4 is %0d", thread, u_core.regs_q[thread*8 + 4]);
      if (u_core.regs_q[thread*8 + 4] !== results[thread]) begin
        $display("thread %0d: r4 is %0d, expected %0d", thread, u_core.regs_q[thread*8 + 4], results[thread]);
        differences = differences + 1;
      end
    end
    if (differences == 0) $display("passed");
    else $display("FAILED");
    $finish;
  end
endmodule
