// SPDX-License-Identifier: Apache-2.0
// simt_core_tb: runs a grid and compares data memory, and how many instructions of warps issue, with what the simulator
// says. Prints what differs first and, last, "passed" or "FAILED". Plusargs: see run.
module simt_core_tb;
  localparam int          Words  = 256;              // of data memory, and of expected.hex
  localparam logic [31:0] Memory = 32'h2000_0000;    // its address
  localparam int          Buffer = 64;               // words of a buffer

  logic         clk = 0, rst_n = 0, start = 0;
  logic [31:0]  kernel, ret, grid, threads, count;
  logic         busy, fault, mem_valid, mem_write;
  logic [31:0]  mem_address, mem_wdata, mem_rdata;
  logic [31:0]  memory   [0:Words-1];
  logic [31:0]  expected [0:Words-1];
  int           cycle = 0, issues = 0, instructions, differences = 0;

  simt_core u_core (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .start_i       (start),
    .kernel_i      (kernel),
    .return_i      (ret),
    .grid_i        (grid),
    .threads_i     (threads),
    .args_i        ({count, Memory + 32'(2*4*Buffer), Memory + 32'(4*Buffer), Memory}),   // the first one lowest
    .busy_o        (busy),
    .fault_o       (fault),
    .mem_valid_o   (mem_valid),
    .mem_write_o   (mem_write),
    .mem_address_o (mem_address),
    .mem_data_o    (mem_wdata),
    .mem_data_i    (mem_rdata)
  );

  always @(posedge clk) begin
    mem_rdata <= memory[mem_address[9:2]];
    if (mem_valid && mem_write) memory[mem_address[9:2]] <= mem_wdata;
    if (mem_valid && (mem_address[31:10] != Memory[31:10])) begin
      $display("access at %h: there is no memory", mem_address);
      differences++;
    end
    if (u_core.issue_valid && u_core.issue_ready) issues++;
    cycle++;
  end

  always #5 clk = !clk;

  initial begin
    if (!($value$plusargs("kernel=%h", kernel) && $value$plusargs("return=%h", ret) &&
          $value$plusargs("grid=%d", grid) && $value$plusargs("threads=%d", threads) &&
          $value$plusargs("count=%d", count) && $value$plusargs("instructions=%d", instructions)))
      $display("a plusarg is missing");
    for (int i = 0; i < Words; i++) memory[i] = '0;
    $readmemh("expected.hex", expected);
    @(negedge clk) rst_n = 1;
    start = 1;
    @(negedge clk) start = 0;
    while (busy && (cycle < 20_000)) @(negedge clk);
    if (busy || fault) begin
      $display("cycle %0d: %s", cycle, fault ? "fault" : "still busy");
      differences++;
    end
    for (int i = 0; i < Words; i++) begin
      if (memory[i] !== expected[i]) begin
        if (differences == 0) $display("word %0d: %0d, expected %0d", i, memory[i], expected[i]);
        differences++;
      end
    end
    // Threads that met late or never would have issued more.
    if (issues != instructions) begin
      $display("%0d instructions issued, expected %0d", issues, instructions);
      differences++;
    end
    $display("%0d cycles", cycle);
    if (differences == 0) $display("passed");
    else $display("FAILED");
    $finish;
  end
endmodule
