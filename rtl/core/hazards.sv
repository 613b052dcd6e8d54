// SPDX-License-Identifier: Apache-2.0
// hazards: which paths must not issue because a register of the instruction at the head of their queue has a write in
// flight, or because no entry is free for its own write: a scoreboard of the chosen kind and what it needs around it.
//
// Contract
//   Latency  everything sampled at edge t counts after edge t. With the tables of ScoreboardSpe and ScoreboardDpe
//            blocked_o and full_o are registers (wakeup); the other two kinds are asked for every head in each cycle.
//   Order    as the scoreboard of the kind says.
//   Reset    asynchronous, active low; no write is in flight.
//   Idle     blocked_o and full_o of an empty queue are 0 with wakeup. Write-back masks count for ScoreboardOptimistic
//            only, slots for ScoreboardDpe and ScoreboardBitmap only, pushes and pops likewise.
//   Assumes  a grant of a path that is neither blocked nor full (asserted by wakeup and the scoreboards).
//   Not here other reasons to wait: path_state and frontend.
module hazards #(
  parameter  int NumWarps   = 24,  // warps of the partition
  parameter  int Lanes      = 32,  // threads of a warp
  parameter  int NumSlots   = 2,  // paths of a warp that may issue
  parameter  int Scoreboard = heddle_pkg::ScoreboardDpe,  // kind: Scoreboard... of heddle_pkg
  parameter  int SbEntries  = 8,  // entries of a scoreboard table; optimistic_scoreboard: half of them
  parameter  int NumWb      = 2,  // write-backs of a cycle
  parameter  int Partial    = 0,  // 1: a write-back may clear part of the threads (optimistic_scoreboard)
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW      = heddle_pkg::idx_width(NumSlots),
  localparam int NumPaths   = NumSlots * NumWarps,   // path of slot s of warp w: s*NumWarps + w
  localparam int NamesW     = heddle_pkg::NamesW,
  localparam int RegW       = heddle_pkg::RegW
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from ibuffer; names are {rs3, rs2, rs1, rd} of an instruction
  input  logic [NumPaths-1:0]        clear_i,
  input  logic [NumPaths-1:0]        fill_i,
  input  logic [NumPaths-1:0]        head_valid_i,
  input  logic [NumPaths*NamesW-1:0] head_names_i,
  input  logic [NumPaths-1:0]        second_valid_i,
  input  logic [NumPaths*NamesW-1:0] second_names_i,
  // from decode: the answer's path and first instruction, whether it fills or not
  input  logic [WarpW-1:0]           fill_warp_i,
  input  logic [SlotW-1:0]           fill_slot_i,
  input  logic [NamesW-1:0]          fill_names_i,
  // from issue
  input  logic [NumPaths-1:0]        grant_i,
  input  logic [WarpW-1:0]           grant_warp_i,
  input  logic [SlotW-1:0]           grant_slot_i,
  input  logic [RegW-1:0]            grant_reg_i,      // rd of the instruction
  input  logic [Lanes-1:0]           grant_mask_i,     // threads that execute it
  // from stack
  input  logic [NumPaths*Lanes-1:0]  mask_i,
  input  logic                       push_valid_i,
  input  logic [WarpW-1:0]           push_warp_i,
  input  logic                       pop_valid_i,
  input  logic [WarpW-1:0]           pop_warp_i,
  // from write-back
  input  logic [NumWb-1:0]           wb_valid_i,
  input  logic [NumWb*WarpW-1:0]     wb_warp_i,
  input  logic [NumWb*SlotW-1:0]     wb_slot_i,
  input  logic [NumWb*RegW-1:0]      wb_reg_i,
  input  logic [NumWb*Lanes-1:0]     wb_mask_i,
  // to issue
  output logic [NumPaths-1:0]        blocked_o,        // a register of the head has a write in flight
  output logic [NumPaths-1:0]        full_o,           // no entry is free for the write of the head
  output logic [NumWarps-1:0]        writes_o          // a register of the warp has a write in flight
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumSlots < 1) NumSlots_must_be_at_least_1 limit ();
  if (Scoreboard < 0 || Scoreboard > 3) Scoreboard_must_be_0_to_3 limit ();
  if (NumSlots == 1 && (Scoreboard == 1 || Scoreboard == 2)) Scoreboard_must_be_0_or_3_when_NumSlots_is_1 limit ();
  if (NumSlots == 2 && Scoreboard == 0) Scoreboard_must_be_1_to_3_when_NumSlots_is_2 limit ();
  if (NumSlots > 2 && Scoreboard != 2) Scoreboard_must_be_2_when_NumSlots_is_3 limit ();   // or more
  // Threads that are written back apart are told by their mask.
  if (Partial == 1 && Scoreboard != 2) Partial_must_be_0_when_Scoreboard_is_not_2 limit ();

  generate
    if (Scoreboard == heddle_pkg::ScoreboardSpe || Scoreboard == heddle_pkg::ScoreboardDpe) begin : gen_tables
      // Tables say which entry they free, and wakeup keeps in registers who waits for it.
      localparam int WaitW = (NumSlots > 0) ? NumSlots * SbEntries : 1;   // 1 for broken limits to be told
      logic [3*WarpW-1:0]            check_warp;
      logic [2:0]                    check_slot;
      logic [3*NamesW-1:0]           check_names;
      logic [3*WaitW-1:0]            check_wait;
      logic [2:0]                    unused_full;
      logic [NumWb*SbEntries-1:0]    wake;
      logic [NumPaths*SbEntries-1:0] pending;
      logic [NumPaths*RegW-1:0]      head_rd;
      logic                          unused_names, unused_masks;
      assign unused_names = ^head_names_i;
      assign unused_masks = ^{wb_mask_i, mask_i, grant_mask_i};
      for (genvar p = 0; p < NumPaths; p++) begin : gen_rd
        assign head_rd[p*RegW +: RegW] = head_names_i[p*NamesW +: RegW];
      end

      wakeup #(
        .NumWarps   (NumWarps),
        .NumSlots   (NumSlots),
        .NumEntries (SbEntries),
        .NumWb      (NumWb)
      ) u_wakeup (
        .clk_i          (clk_i),
        .rst_ni         (rst_ni),
        .clear_i        (clear_i),
        .fill_i         (fill_i),
        .head_valid_i   (head_valid_i),
        .head_rd_i      (head_rd),
        .second_valid_i (second_valid_i),
        .second_i       (second_names_i),
        .fill_warp_i    (fill_warp_i),
        .fill_slot_i    (fill_slot_i),
        .fill_names_i   (fill_names_i),
        .take_i         (grant_i),
        .take_warp_i    (grant_warp_i),
        .take_slot_i    (grant_slot_i),
        .wb_warp_i      (wb_warp_i),
        .wb_slot_i      (wb_slot_i),
        .check_warp_o   (check_warp),
        .check_slot_o   (check_slot),
        .check_names_o  (check_names),
        .check_wait_i   (check_wait),
        .wake_i         (wake),
        .pending_i      (pending),
        .blocked_o      (blocked_o),
        .full_o         (full_o)
      );
      if (Scoreboard == heddle_pkg::ScoreboardSpe) begin : gen_spe
        logic [NumWarps*SbEntries*RegW-1:0] unused_reg;
        logic                               unused_slots;
        assign unused_slots = ^{check_slot, push_valid_i, push_warp_i, pop_valid_i, pop_warp_i};

        spe_scoreboard #(
          .NumWarps   (NumWarps),
          .NumEntries (SbEntries),
          .NumWb      (NumWb),
          .NumCheck   (3)
        ) u_scoreboard (
          .clk_i         (clk_i),
          .rst_ni        (rst_ni),
          .set_i         (grant_i),
          .set_reg_i     (grant_reg_i),
          .wb_valid_i    (wb_valid_i),
          .wb_warp_i     (wb_warp_i),
          .wb_reg_i      (wb_reg_i),
          .check_warp_i  (check_warp),
          .check_names_i (check_names),
          .check_wait_o  (check_wait),
          .check_full_o  (unused_full),
          .wake_o        (wake),
          .pending_o     (pending),
          .reg_o         (unused_reg)
        );
      end else begin : gen_dpe
        logic [NumWarps*SbEntries-1:0]      unused_shadow_l, unused_shadow_r;
        logic [NumWarps*SbEntries*RegW-1:0] unused_reg_l, unused_reg_r;

        dpe_scoreboard #(
          .NumWarps   (NumWarps),
          .NumEntries (SbEntries),
          .NumWb      (NumWb),
          .NumCheck   (3)
        ) u_scoreboard (
          .clk_i         (clk_i),
          .rst_ni        (rst_ni),
          .set_i         (grant_i),
          .set_reg_i     (grant_reg_i),
          .wb_valid_i    (wb_valid_i),
          .wb_warp_i     (wb_warp_i),
          .wb_slot_i     (wb_slot_i),
          .wb_reg_i      (wb_reg_i),
          .copy0_valid_i (push_valid_i),
          .copy0_warp_i  (push_warp_i),
          .copy1_valid_i (pop_valid_i),
          .copy1_warp_i  (pop_warp_i),
          .check_warp_i  (check_warp),
          .check_slot_i  (check_slot),
          .check_names_i (check_names),
          .check_wait_o  (check_wait),
          .check_full_o  (unused_full),
          .wake_o        (wake),
          .pending_l_o   (pending[0 +: NumWarps*SbEntries]),
          .shadow_l_o    (unused_shadow_l),
          .reg_l_o       (unused_reg_l),
          .pending_r_o   (pending[NumWarps*SbEntries +: NumWarps*SbEntries]),
          .shadow_r_o    (unused_shadow_r),
          .reg_r_o       (unused_reg_r)
        );
      end

      for (genvar w = 0; w < NumWarps; w++) begin : gen_writes
        assign writes_o[w] = (pending[w*SbEntries +: SbEntries] != '0) ||
                             (pending[(NumPaths-NumWarps+w)*SbEntries +: SbEntries] != '0);
      end
    end else if (Scoreboard == heddle_pkg::ScoreboardOptimistic) begin : gen_optimistic
      localparam int NumEntries = 2 * SbEntries;
      logic [NumPaths*NumEntries-1:0]       waits_for;
      logic [NumWarps*NumEntries-1:0]       pending;
      logic [NumWarps*NumEntries*RegW-1:0]  unused_reg;
      logic [NumWarps*NumEntries*Lanes-1:0] unused_mask;
      logic [NumWarps-1:0]                  sets;   // the warp that issues
      logic                                 unused_wakeup, unused_slots;
      assign unused_wakeup = ^{clear_i, fill_i, head_valid_i, second_valid_i, second_names_i, fill_warp_i, fill_slot_i,
                               fill_names_i, grant_warp_i};
      assign unused_slots  = ^{grant_slot_i, wb_slot_i, push_valid_i, push_warp_i, pop_valid_i, pop_warp_i};

      optimistic_scoreboard #(
        .NumWarps   (NumWarps),
        .Lanes      (Lanes),
        .NumEntries (NumEntries),
        .NumWb      (NumWb),
        .NumCheck   (NumPaths),
        .Partial    (Partial)
      ) u_scoreboard (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .set_i         (sets),
        .set_reg_i     (grant_reg_i),
        .set_mask_i    (grant_mask_i),
        .wb_valid_i    (wb_valid_i),
        .wb_warp_i     (wb_warp_i),
        .wb_reg_i      (wb_reg_i),
        .wb_mask_i     (wb_mask_i),
        .check_names_i (head_names_i),
        .check_mask_i  (mask_i),
        .check_wait_o  (waits_for),
        .check_full_o  (full_o),
        .pending_o     (pending),
        .reg_o         (unused_reg),
        .mask_o        (unused_mask)
      );
      always_comb begin
        sets = '0;
        for (int s = 0; s < NumSlots; s++) sets = sets | grant_i[s*NumWarps +: NumWarps];
      end
      for (genvar p = 0; p < NumPaths; p++) begin : gen_blocked
        assign blocked_o[p] = waits_for[p*NumEntries +: NumEntries] != '0;
      end
      for (genvar w = 0; w < NumWarps; w++) begin : gen_writes
        assign writes_o[w] = pending[w*NumEntries +: NumEntries] != '0;
      end
    end else begin : gen_bitmap
      localparam int NumRegs  = 1 << RegW;
      localparam int NumNames = NamesW / RegW;
      logic [NumPaths*NumNames-1:0] waits_for;
      logic [NumPaths*NumRegs-1:0]  pending, unused_shadow;
      logic [NumPaths*WarpW-1:0]    path_warps;
      logic [NumPaths-1:0]          path_slots;
      logic                         unused_wakeup, unused_masks;
      assign unused_wakeup = ^{clear_i, fill_i, head_valid_i, second_valid_i, second_names_i, fill_warp_i, fill_slot_i,
                               fill_names_i, grant_warp_i, grant_slot_i};
      assign unused_masks  = ^{wb_mask_i, mask_i, grant_mask_i};
      for (genvar p = 0; p < NumPaths; p++) begin : gen_path
        assign path_warps[p*WarpW +: WarpW] = WarpW'(p % NumWarps);
        assign path_slots[p]                = p >= NumWarps;
        assign blocked_o[p]                 = waits_for[p*NumNames +: NumNames] != '0;
      end

      bitmap_scoreboard #(
        .NumWarps (NumWarps),
        .NumSlots (NumSlots),
        .NumWb    (NumWb),
        .NumCheck (NumPaths)
      ) u_scoreboard (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .set_i         (grant_i),
        .set_reg_i     (grant_reg_i),
        .wb_valid_i    (wb_valid_i),
        .wb_warp_i     (wb_warp_i),
        .wb_slot_i     (wb_slot_i),
        .wb_reg_i      (wb_reg_i),
        .copy0_valid_i (push_valid_i),
        .copy0_warp_i  (push_warp_i),
        .copy1_valid_i (pop_valid_i),
        .copy1_warp_i  (pop_warp_i),
        .check_warp_i  (path_warps),
        .check_slot_i  (path_slots),
        .check_names_i (head_names_i),
        .check_wait_o  (waits_for),
        .check_full_o  (full_o),
        .pending_o     (pending),
        .shadow_o      (unused_shadow)
      );
      for (genvar w = 0; w < NumWarps; w++) begin : gen_writes
        assign writes_o[w] = (pending[w*NumRegs +: NumRegs] != '0) ||
                             (pending[(NumPaths-NumWarps+w)*NumRegs +: NumRegs] != '0);
      end
    end
  endgenerate
endmodule
