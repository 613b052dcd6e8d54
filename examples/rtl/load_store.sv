// SPDX-License-Identifier: Apache-2.0
// load_store: executes one load or store of a warp, a thread a cycle.
//
// Contract
//   Latency  a memory access a cycle, from the cycle after valid_i on; the memory answers a load in the next cycle.
//   Order    an instruction is finished before the next one begins, so memory is accessed in the order of issue.
//   Assumes  valid_i only while busy_o is 0 (asserted).
module load_store #(
  parameter  int Lanes    = 8,
  parameter  int NumWarps = 4,
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int RegW     = heddle_pkg::RegW
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from execute
  input  logic                valid_i,
  input  logic                store_i,
  input  logic [WarpW-1:0]    warp_i,
  input  logic                slot_i,
  input  logic [RegW-1:0]     reg_i,       // of a load: where to
  input  logic [Lanes-1:0]    mask_i,
  input  logic [Lanes*32-1:0] address_i,
  input  logic [Lanes*32-1:0] data_i,      // of a store
  output logic                busy_o,
  // to write-back: what a load brought; kept until it is taken
  output logic                wb_valid_o,
  input  logic                wb_ready_i,
  output logic [WarpW-1:0]    wb_warp_o,
  output logic                wb_slot_o,
  output logic [RegW-1:0]     wb_reg_o,
  output logic [Lanes-1:0]    wb_mask_o,
  output logic [Lanes*32-1:0] wb_data_o,
  // to memory
  output logic                mem_valid_o,
  output logic                mem_write_o,
  output logic [31:0]         mem_address_o,
  output logic [31:0]         mem_data_o,
  input  logic [31:0]         mem_data_i
);
  localparam int LaneW = heddle_pkg::idx_width(Lanes);

  logic                busy_q, store_q, slot_q, answer_q;
  logic [WarpW-1:0]    warp_q;
  logic [RegW-1:0]     reg_q;
  logic [Lanes-1:0]    mask_q, left_q;   // left: threads whose access is still to come
  logic [Lanes*32-1:0] address_q, data_q;
  logic [LaneW-1:0]    lane, answer_lane_q;
  logic                ends;

  always_comb begin
    lane = '0;
    for (int l = Lanes - 1; l >= 0; l--) if (left_q[l]) lane = LaneW'(l);
  end

  assign mem_valid_o   = left_q != '0;
  assign mem_write_o   = store_q;
  assign mem_address_o = address_q[lane*32 +: 32];
  assign mem_data_o    = data_q[lane*32 +: 32];

  assign busy_o     = busy_q;
  assign wb_valid_o = busy_q && !store_q && (reg_q != '0) && (left_q == '0) && !answer_q;
  assign wb_warp_o  = warp_q;
  assign wb_slot_o  = slot_q;
  assign wb_reg_o   = reg_q;
  assign wb_mask_o  = mask_q;
  assign wb_data_o  = data_q;
  assign ends       = (left_q == '0) && !answer_q && (!wb_valid_o || wb_ready_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      left_q   <= '0;
      answer_q <= 1'b0;
    end else begin
      answer_q <= mem_valid_o && !store_q;
      left_q   <= left_q & (left_q - 1'b1);
      if (ends) busy_q <= 1'b0;
      if (valid_i) begin
        busy_q <= 1'b1;
        left_q <= mask_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    answer_lane_q <= lane;
    if (answer_q) data_q[answer_lane_q*32 +: 32] <= mem_data_i;
    if (valid_i) begin
      store_q   <= store_i;
      warp_q    <= warp_i;
      slot_q    <= slot_i;
      reg_q     <= reg_i;
      mask_q    <= mask_i;
      address_q <= address_i;
      data_q    <= data_i;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) assert (!(valid_i && busy_q));   // execute sends a load or store to a unit that is busy
  end
`endif
endmodule
