// SPDX-License-Identifier: Apache-2.0
// warp_allocator: list of the free warp pool entries, a ring from which two can be taken and to which one can be
// returned a cycle.
//
// Contract
//   Latency  what is taken or released at edge t shows in the offers and the count after edge t.
//   Order    takes and release of one cycle touch different places: a released index is offered from the next cycle on
//            at the earliest, behind all that were free before. offer0_o is taken before offer1_o.
//   Reset    asynchronous, active low; all Threads indices are free, in ascending order. The ring has no reset: a place
//            that was never written stands for its own number, and the read pointer passes each such place once.
//   Idle     offer0_o is 0 while nothing is free, offer1_o while fewer than two are.
//   Assumes  (asserted) no more is taken than is free; only a taken index is released.
// Source: DWF paper, section 4.2, figure 11.
module warp_allocator #(
  parameter  int Threads = 256,  // entries of the pool
  localparam int IdxW    = heddle_pkg::idx_width(Threads),
  localparam int CntW    = heddle_pkg::idx_width(Threads + 1)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  // to update
  output logic [IdxW-1:0] offer0_o,
  output logic [IdxW-1:0] offer1_o,
  output logic [CntW-1:0] free_o,
  // from update
  input  logic [1:0]      take_i,
  // from issue
  input  logic            release_valid_i,
  input  logic [IdxW-1:0] release_idx_i
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Threads < 2) Threads_must_be_at_least_2 limit ();   // two are offered

  localparam [IdxW-1:0] Last = IdxW'(Threads - 1);

  logic [IdxW-1:0] ring [0:Threads-1];
  logic [IdxW-1:0] read_q, write_q;
  logic [CntW-1:0] free_q;
  logic            written_q;   // the read pointer has wrapped: every place that it meets has been written

  logic [IdxW-1:0] read1, read2, write_next;
  logic            wraps1, wraps2;   // of the read pointer, when one or two are taken
  logic [IdxW-1:0] head0, head1;

  assign wraps1     = read_q == Last;
  assign read1      = wraps1 ? '0 : read_q + IdxW'(1);
  assign wraps2     = read1 == Last;
  assign read2      = wraps2 ? '0 : read1 + IdxW'(1);
  assign write_next = (write_q == Last) ? '0 : write_q + IdxW'(1);

  assign head0    = written_q ? ring[read_q] : read_q;
  assign head1    = (written_q || wraps1) ? ring[read1] : read1;
  assign offer0_o = (free_q != '0) ? head0 : '0;
  assign offer1_o = (free_q > CntW'(1)) ? head1 : '0;
  assign free_o   = free_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q    <= '0;
      write_q   <= '0;
      free_q    <= CntW'(Threads);
      written_q <= 1'b0;
    end else begin
      free_q <= free_q - CntW'(take_i) + CntW'(release_valid_i);
      if (take_i == 2'd1) begin
        read_q    <= read1;
        written_q <= written_q | wraps1;
      end
      if (take_i == 2'd2) begin
        read_q    <= read2;
        written_q <= written_q | wraps1 | wraps2;
      end
      if (release_valid_i) write_q <= write_next;
    end
  end

  always_ff @(posedge clk_i) begin
    if (release_valid_i) ring[write_q] <= release_idx_i;
  end

`ifndef SYNTHESIS
  logic [Threads-1:0] taken_q;
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q <= '0;
    end else begin
      assert (take_i != 2'd3);                        // one or two can be taken
      assert (CntW'(take_i) <= free_q);               // more taken than is free
      if (take_i != 2'd0) taken_q[offer0_o] <= 1'b1;
      if (take_i == 2'd2) taken_q[offer1_o] <= 1'b1;
      if (release_valid_i) begin
        assert (32'(release_idx_i) < Threads);        // release_idx_i names no entry
        assert (taken_q[release_idx_i]);              // released without having been taken
        taken_q[release_idx_i] <= 1'b0;
      end
    end
  end
`endif
endmodule
