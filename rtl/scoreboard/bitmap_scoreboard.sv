// SPDX-License-Identifier: Apache-2.0
// bitmap_scoreboard: one bit a register name for each path of each of NumWarps warps, set while a write of it is in
// flight; with two slots a shadow bit says that the write also holds for the other path of the warp. It is never full.
//
// Contract
//   Latency  set, write-back and copy sampled at edge t show in the bits, and so in check_wait_o, after edge t.
//            check_wait_o follows the pins of its port in the same cycle.
//   Order    In one cycle and warp: first write-backs (clear pending and shadow), then set (pending; its shadow becomes
//            0), then copy: shadow := pending, of both slots, as they are after those. A register set in the cycle of a
//            push is shadowed, one written back in it is not.
//   Reset    asynchronous, active low; nothing pending.
//   Idle     check_full_o is 0, and with one slot shadow_o; slots and copies are ignored then. A check of a warp that
//            is not there says 0.
//   Assumes  (asserted) a set of one path at most, of a register that is not pending. A write-back of a register that
//            is not pending, or of register 0, is legal and does nothing; so does a set of register 0.
//   Holds    (asserted) a shadow bit is set only where the pending bit is.
//   Not here whether an instruction may issue for other reasons, and when to copy: frontend (push and pop).
// Source: the shadow bits of the DPE paper, section 3.2, on a scoreboard without a table.
module bitmap_scoreboard #(
  parameter  int NumWarps = 24,  // warps of the partition
  parameter  int NumSlots = 2,  // 1: slots and copies are ignored
  parameter  int NumWb    = 2,  // write-backs of a cycle
  parameter  int NumCheck = 3,  // instructions that are checked in a cycle
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int NumPaths = NumWarps * NumSlots,   // path of slot s of warp w: s*NumWarps + w
  localparam int RegW     = heddle_pkg::RegW,
  localparam int NumRegs  = 2 ** RegW,
  localparam int NamesW   = heddle_pkg::NamesW,
  localparam int WaitW    = NamesW / RegW
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from issue
  input  logic [NumPaths-1:0]         set_i,          // the path that issues, one-hot
  input  logic [RegW-1:0]             set_reg_i,
  // from write-back
  input  logic [NumWb-1:0]            wb_valid_i,
  input  logic [NumWb*WarpW-1:0]      wb_warp_i,
  input  logic [NumWb-1:0]            wb_slot_i,
  input  logic [NumWb*RegW-1:0]       wb_reg_i,
  // from stack: push and pop
  input  logic                        copy0_valid_i,
  input  logic [WarpW-1:0]            copy0_warp_i,
  input  logic                        copy1_valid_i,
  input  logic [WarpW-1:0]            copy1_warp_i,
  // from and to whoever checks
  input  logic [NumCheck*WarpW-1:0]   check_warp_i,
  input  logic [NumCheck-1:0]         check_slot_i,
  input  logic [NumCheck*NamesW-1:0]  check_names_i,  // {rs3, rs2, rs1, rd} of an instruction
  output logic [NumCheck*WaitW-1:0]   check_wait_o,   // the names that it waits for
  output logic [NumCheck-1:0]         check_full_o,
  // state
  output logic [NumPaths*NumRegs-1:0] pending_o,
  output logic [NumPaths*NumRegs-1:0] shadow_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (NumSlots < 1 || NumSlots > 2) NumSlots_must_be_1_or_2 limit ();
  if (NumWb < 1) NumWb_must_be_at_least_1 limit ();
  if (NumCheck < 1) NumCheck_must_be_at_least_1 limit ();

  localparam logic Slots = NumSlots == 2;
  localparam int   RowW  = NumRegs - 1;   // register 0 has no bit: bit r - 1 is register r

  logic [RowW-1:0]             set_bit;
  logic [NumWb*RowW-1:0]       wb_bits;
  logic [NumPaths*NumRegs-1:0] visible;   // what a path waits for: its own writes, the other slot's with a shadow

  assign set_bit      = RowW'((NumRegs'(1) << set_reg_i) >> 1);
  assign check_full_o = '0;

  // One-hot AND and OR, so that a warp that is not there gives 0. A function, because two processes that select parts
  // of one vector wake each other without end in Icarus 11. p starts at 0, because Yosys takes it for a latch else.
  function automatic logic [NumRegs-1:0] row_of(input logic [NumPaths*NumRegs-1:0] rows, input logic [WarpW-1:0] warp,
                                                input logic slot);
    int p;
    p = 0;
    row_of = '0;
    for (p = 0; p < NumPaths; p++) begin
      if ((warp == WarpW'(p % NumWarps)) && (slot == (p >= NumWarps))) row_of |= rows[p*NumRegs +: NumRegs];
    end
  endfunction

  generate
    for (genvar k = 0; k < NumWb; k++) begin : gen_wb
      assign wb_bits[k*RowW +: RowW] = RowW'((NumRegs'(wb_valid_i[k]) << wb_reg_i[k*RegW +: RegW]) >> 1);
    end

    for (genvar k = 0; k < NumCheck; k++) begin : gen_check
      logic [NumRegs-1:0] row;
      assign row = row_of(visible, check_warp_i[k*WarpW +: WarpW], Slots && check_slot_i[k]);
      for (genvar n = 0; n < WaitW; n++) begin : gen_name
        assign check_wait_o[k*WaitW+n] = row[check_names_i[k*NamesW+n*RegW +: RegW]];
      end
    end

    for (genvar p = 0; p < NumPaths; p++) begin : gen_path
      localparam logic [WarpW-1:0] Warp  = WarpW'(p % NumWarps);
      localparam logic             Slot  = p >= NumWarps;
      localparam int               Other = (p + NumWarps) % NumPaths;

      logic [RowW-1:0] pending_d, pending_q, clears;

      always_comb begin
        clears = '0;
        for (int k = 0; k < NumWb; k++) begin
          if ((wb_warp_i[k*WarpW +: WarpW] == Warp) && (!Slots || (wb_slot_i[k] == Slot))) begin
            clears |= wb_bits[k*RowW +: RowW];
          end
        end
      end

      assign pending_d = (pending_q & ~clears) | ({RowW{set_i[p]}} & set_bit);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) pending_q <= '0;
        else         pending_q <= pending_d;
      end
      assign pending_o[p*NumRegs +: NumRegs] = {pending_q, 1'b0};

      // A register that is set is not pending, so its shadow bit is 0 as it is.
      if (NumSlots == 2) begin : gen_shadow
        logic            copies;
        logic [RowW-1:0] shadow_q;
        assign copies = (copy0_valid_i && (copy0_warp_i == Warp)) || (copy1_valid_i && (copy1_warp_i == Warp));
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) shadow_q <= '0;
          else         shadow_q <= copies ? pending_d : (shadow_q & ~clears);
        end
        assign shadow_o[p*NumRegs +: NumRegs] = {shadow_q, 1'b0};
        assign visible[p*NumRegs +: NumRegs]  = pending_o[p*NumRegs +: NumRegs] | shadow_o[Other*NumRegs +: NumRegs];
      end else begin : gen_no_shadow
        assign shadow_o[p*NumRegs +: NumRegs] = '0;
        assign visible[p*NumRegs +: NumRegs]  = pending_o[p*NumRegs +: NumRegs];
      end
    end

    if (NumSlots == 1) begin : gen_one_slot
      logic unused_slots;
      assign unused_slots = (^wb_slot_i) ^ (^check_slot_i) ^ copy0_valid_i ^ (^copy0_warp_i) ^ copy1_valid_i ^
                            (^copy1_warp_i);
    end
  endgenerate

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert ((set_i & (set_i - NumPaths'(1))) == '0);   // sets of several paths
      for (int p = 0; p < NumPaths; p++) begin
        assert (!(set_i[p] && pending_o[p*NumRegs + 32'(set_reg_i)]));   // the register is pending already
      end
      for (int k = 0; k < NumWb; k++) begin
        assert (!(wb_valid_i[k] && (32'(wb_warp_i[k*WarpW +: WarpW]) >= NumWarps)));   // wb_warp_i names no warp
      end
      assert (!(Slots && copy0_valid_i && (32'(copy0_warp_i) >= NumWarps)));   // copy0_warp_i names no warp
      assert (!(Slots && copy1_valid_i && (32'(copy1_warp_i) >= NumWarps)));   // copy1_warp_i names no warp
      assert ((shadow_o & ~pending_o) == '0);                                  // a shadow without its write
    end
  end
`endif
endmodule
