// SPDX-License-Identifier: Apache-2.0
// What the modules of a front end did in the cycle that ended at the last edge, for the simulator, in a Verilated model alone: combinational outputs,
// which would be gone when the model has been evaluated.
module frontend_events #(
  parameter int WarpW = 1,
  parameter int SlotW = 1
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             resolved_valid,
  input logic [WarpW-1:0] resolved_warp,
  input logic [SlotW-1:0] resolved_slot,
  input logic             resolved_next,
  input logic             push_valid,
  input logic [WarpW-1:0] push_warp,
  input logic             pop_valid,
  input logic [WarpW-1:0] pop_warp,
  input logic             done_valid,
  input logic [WarpW-1:0] done_warp,
  input logic             overflow_valid,
  input logic [WarpW-1:0] overflow_warp,
  input logic             grant_valid,
  input logic [WarpW-1:0] grant_warp,
  input logic [SlotW-1:0] grant_slot
);
  logic             resolved_valid_q, resolved_next_q, push_valid_q, pop_valid_q, done_valid_q, overflow_valid_q, grant_valid_q;
  logic [WarpW-1:0] resolved_warp_q, push_warp_q, pop_warp_q, done_warp_q, overflow_warp_q, grant_warp_q;
  logic [SlotW-1:0] resolved_slot_q, grant_slot_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {resolved_valid_q, resolved_next_q, push_valid_q, pop_valid_q, done_valid_q, overflow_valid_q, grant_valid_q} <= '0;
      {resolved_warp_q, push_warp_q, pop_warp_q, done_warp_q, overflow_warp_q, grant_warp_q}                        <= '0;
      {resolved_slot_q, grant_slot_q}                                                                               <= '0;
    end else begin
      {resolved_valid_q, resolved_warp_q} <= {resolved_valid, resolved_warp};
      {resolved_slot_q, resolved_next_q}  <= {resolved_slot, resolved_next};
      {push_valid_q, push_warp_q}         <= {push_valid, push_warp};
      {pop_valid_q, pop_warp_q}           <= {pop_valid, pop_warp};
      {done_valid_q, done_warp_q}         <= {done_valid, done_warp};
      {overflow_valid_q, overflow_warp_q} <= {overflow_valid, overflow_warp};
      {grant_valid_q, grant_warp_q}       <= {grant_valid, grant_warp};
      grant_slot_q                        <= grant_slot;
    end
  end
endmodule

bind frontend frontend_events #(
  .WarpW (WarpW),
  .SlotW (SlotW)
) u_events (
  .clk_i          (clk_i),
  .rst_ni         (rst_ni),
  .resolved_valid (resolved_valid_i),
  .resolved_warp  (resolved_warp_i),
  .resolved_slot  (resolved_slot_i),
  .resolved_next  (resolved_next_i),
  .push_valid     (push_valid_i),
  .push_warp      (push_warp_i),
  .pop_valid      (pop_valid_i),
  .pop_warp       (pop_warp_i),
  .done_valid     (stack_done_valid_i),
  .done_warp      (stack_done_warp_i),
  .overflow_valid (stack_overflow_valid_i),
  .overflow_warp  (stack_overflow_warp_i),
  .grant_valid    (grant_valid),
  .grant_warp     (grant_warp),
  .grant_slot     (grant_slot)
);
