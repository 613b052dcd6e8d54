// SPDX-License-Identifier: Apache-2.0
// software_stack: the two schedulable paths of NumWarps warps. Rows below them are in memory: the program pushes and
// pops, a divergence beside another path pushes by itself.
//
// Contract
//   Latency  launch, advance and fill act at their edge, a resolution at the next; its row is shown in the cycle after.
//            A warp without a path is chosen in one cycle, and ends or asks for its row in the next. fill_* to pop_*
//            and done_*: combinational.
//   Order    Events of different warps happen together, but an end waits for a fill to pass. The lowest warp without
//            path and load is chosen, unless one stays chosen. A kill wins over everything else of its warp but a save.
//            An overflow changes nothing.
//   Reset    asynchronous, active low: no warp has a path or a row, save_* are 0.
//   Idle     warps of events, load_* and the mask of an empty slot are 0; save_* and its PC stay.
//   Assumes  what stack_caller asserts; (asserted) pushes with a PC, pops with a row, without threads that branch or
//            exit; fills that were asked for.
//   Not here unresolved branches, and stopping a warp that overflowed: frontend.
// Source: DPE paper, section 7.3; rows that the hardware saves by itself: ours.
module software_stack #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int Depth     = 16,  // entries of a stack: the paths, and rows in memory
  parameter  int TakenLeft = 1,  // slot of the taken side: 1 left, 0 right
  parameter  int LevelW    = 8,  // bits of a call level, which is 0
  parameter  int Watch     = 1,  // 0: max_depth_o is left out
  parameter  int PcStep    = 4,  // bytes of an instruction: a power of two
  localparam int PcW       = heddle_pkg::PcW,
  localparam int KindW     = heddle_pkg::KindW,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW    = heddle_pkg::idx_width(Depth + 1),
  localparam int NumPaths  = 2 * NumWarps   // path of slot s of warp w: s*NumWarps + w
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from dispatcher
  input  logic                       launch_valid_i,
  input  logic [WarpW-1:0]           launch_warp_i,
  input  logic [PcW-1:0]             launch_pc_i,
  input  logic [Lanes-1:0]           launch_mask_i,
  input  logic                       kill_valid_i,
  input  logic [WarpW-1:0]           kill_warp_i,
  // from issue
  input  logic [NumPaths-1:0]        advance_i,
  // from execute
  input  logic                       resolve_valid_i,
  input  logic [WarpW-1:0]           resolve_warp_i,
  input  logic                       resolve_slot_i,
  input  logic [Lanes-1:0]           resolve_taken_i,
  input  logic [PcW-1:0]             resolve_target_i,
  input  logic [PcW-1:0]             resolve_next_i,
  input  logic [PcW-1:0]             resolve_rpc_i,     // of a push: where its threads go on later
  input  logic [Lanes-1:0]           resolve_exit_i,
  input  logic                       resolve_call_i,
  input  logic                       resolve_return_i,
  input  logic [KindW-1:0]           resolve_kind_i,    // MarkPush: saves a row; MarkPop: loads one
  // from memory
  input  logic                       load_ready_i,
  input  logic                       fill_valid_i,
  input  logic [WarpW-1:0]           fill_warp_i,
  input  logic [2*PcW-1:0]           fill_pc_i,
  input  logic [2*Lanes-1:0]         fill_mask_i,
  // paths
  output logic [NumPaths*PcW-1:0]    pc_o,
  output logic [NumPaths*Lanes-1:0]  mask_o,
  output logic [NumPaths*LevelW-1:0] level_o,
  output logic [NumPaths-1:0]        valid_o,
  output logic [NumPaths-1:0]        sibling_o,
  // warps
  output logic [NumWarps*PcW-1:0]    rpc_o,
  output logic [NumWarps*LevelW-1:0] rpc_level_o,
  output logic [NumWarps*Lanes-1:0]  live_o,
  output logic [NumWarps*DepthW-1:0] depth_o,
  // events
  output logic                       resolved_valid_o,
  output logic [WarpW-1:0]           resolved_warp_o,
  output logic                       resolved_slot_o,
  output logic                       resolved_next_o,
  output logic                       push_valid_o,
  output logic [WarpW-1:0]           push_warp_o,
  output logic                       pop_valid_o,
  output logic [WarpW-1:0]           pop_warp_o,
  output logic                       done_valid_o,
  output logic [WarpW-1:0]           done_warp_o,
  output logic                       overflow_valid_o,
  output logic [WarpW-1:0]           overflow_warp_o,
  // to memory
  output logic                       save_valid_o,
  output logic [WarpW-1:0]           save_warp_o,
  output logic [DepthW-1:0]          save_row_o,
  output logic [2*PcW-1:0]           save_pc_o,
  output logic [2*Lanes-1:0]         save_mask_o,
  output logic                       load_valid_o,
  output logic [WarpW-1:0]           load_warp_o,
  output logic [DepthW-1:0]          load_row_o,
  // status
  output logic [DepthW-1:0]          max_depth_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Depth < 2) Depth_must_be_at_least_2 limit ();
  if (TakenLeft < 0 || TakenLeft > 1) TakenLeft_must_be_0_or_1 limit ();
  if (LevelW < 2 || LevelW > 16) LevelW_must_be_2_to_16 limit ();
  if (Watch < 0 || Watch > 1) Watch_must_be_0_or_1 limit ();
  if (PcStep < 2) PcStep_must_be_at_least_2 limit ();   // an odd PC is none
  if ((PcStep & (PcStep - 1)) != 0) PcStep_must_be_a_power_of_two limit ();

  // State. A mask counts while its valid bit is set. PCs are even: bit 0 is not kept.
  localparam int KeptW = PcW - 1;
  logic [NumWarps*KeptW-1:0]  pc_l_q, pc_r_q;
  logic [NumWarps*Lanes-1:0]  mask_l_q, mask_r_q, live_q;
  logic [NumWarps*DepthW-1:0] depth_q;
  logic [NumWarps-1:0]        valid_l_q, valid_r_q;
  logic [NumWarps-1:0]        loading_q;    // the row on top is on its way back

  logic [NumWarps-1:0] launched, killed, resolving, acting, filled;   // the warp of each event, one-hot
  logic [NumWarps-1:0] waited, ended, loaded;        // chosen; and its end, or the load of its row, happens
  logic [NumWarps-1:0] advanced_l, advanced_r;
  assign {advanced_r, advanced_l} = advance_i;

  // ---------------------------------------------------------------------------------------- a resolution is taken in
  // Nothing but a kill changes the warp until it acts, but an advance of the other slot, which never empties it: what
  // becomes of the warp is known now.
  logic [Lanes-1:0]  own_mask, own_live, active, taken, rest;
  logic [DepthW-1:0] old_depth;
  logic              other_valid;
  logic              same_target, any_taken, any_rest, divergent, goes_taken, goes_next;
  logic              pushes, pops, marked;   // the instruction; one of both
  logic              grows, full, taken_in;

  always_comb begin
    own_mask  = '0;
    own_live  = '0;
    old_depth = '0;
    for (int w = 0; w < NumWarps; w++) begin
      own_mask  = own_mask  | (mask_l_q[w*Lanes +: Lanes] & {Lanes{resolving[w] && !resolve_slot_i}})
                            | (mask_r_q[w*Lanes +: Lanes] & {Lanes{resolving[w] && resolve_slot_i}});
      own_live  = own_live  | (live_q[w*Lanes +: Lanes] & {Lanes{resolving[w]}});
      old_depth = old_depth | (depth_q[w*DepthW +: DepthW] & {DepthW{resolving[w]}});
    end
  end

  assign other_valid = (resolving & (resolve_slot_i ? valid_l_q : valid_r_q)) != '0;
  assign pushes      = resolve_kind_i == KindW'(heddle_pkg::MarkPush);
  assign pops        = resolve_kind_i == KindW'(heddle_pkg::MarkPop);
  assign marked      = pushes || pops;

  // A push keeps the threads as they are: nobody takes it.
  assign active      = own_mask & (({Lanes{!marked}} & own_live & ~resolve_exit_i) | {Lanes{marked}});
  assign taken       = active & resolve_taken_i;
  assign rest        = active & ~resolve_taken_i;
  assign any_taken   = taken != '0;
  assign any_rest    = rest != '0;
  assign same_target = resolve_target_i == resolve_next_i;
  assign divergent   = any_taken && any_rest && !same_target;
  assign goes_taken  = any_taken && !any_rest;
  assign goes_next   = any_rest && !divergent;

  assign grows       = pushes || (divergent && other_valid);
  assign full        = old_depth == DepthW'(Depth);
  assign taken_in    = (resolving & ~killed) != '0;

  logic left_is_target, right_is_target;
  assign left_is_target  = divergent ? (TakenLeft != 0) : goes_taken;
  assign right_is_target = divergent ? (TakenLeft == 0) : goes_taken;

  // -------------------------------------------------------------------------------------------------- and it acts
  logic              resolved_q, push_q, overflow_q;
  logic              row_q;                       // a row is saved
  logic [WarpW-1:0]  act_warp_q;
  logic              act_slot_q;
  logic [PcW-1:1]    act_pc_l_q, act_pc_r_q;      // the slots, of which one counts if nothing diverges
  logic [Lanes-1:0]  act_mask_l_q, act_mask_r_q;
  logic              act_moves_q;                 // it goes on
  logic              act_next_q;                  // ... behind its instruction
  logic [PcW-1:1]    act_later_q;                 // of a push: where its threads go on
  logic [Lanes-1:0]  act_exit_q;
  logic [DepthW-1:0] act_depth_q;                 // with one more row

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      resolved_q <= 1'b0;
      push_q     <= 1'b0;
      row_q      <= 1'b0;
      overflow_q <= 1'b0;
    end else begin
      resolved_q <= taken_in && !(grows && full);
      push_q     <= taken_in && divergent && !(grows && full);
      row_q      <= taken_in && grows && !full;
      overflow_q <= taken_in && grows && full;
    end
  end

  always_ff @(posedge clk_i) begin
    if (resolve_valid_i) begin
      act_warp_q   <= resolve_warp_i;
      act_slot_q   <= resolve_slot_i;
      act_pc_l_q   <= left_is_target ? resolve_target_i[PcW-1:1] : resolve_next_i[PcW-1:1];
      act_pc_r_q   <= right_is_target ? resolve_target_i[PcW-1:1] : resolve_next_i[PcW-1:1];
      act_mask_l_q <= !divergent ? active : (TakenLeft != 0) ? taken : rest;
      act_mask_r_q <= !divergent ? active : (TakenLeft != 0) ? rest : taken;
      act_moves_q  <= (any_taken || any_rest) && !pops;
      act_next_q   <= (goes_next || (goes_taken && same_target)) && !pops;
      act_later_q  <= resolve_rpc_i[PcW-1:1];
      act_exit_q   <= resolve_exit_i;
      act_depth_q  <= old_depth + DepthW'(1);
    end
  end

  // What is saved: the two slots as they are, but of the path that resolves the threads of a push go on elsewhere, and
  // those of a divergence have left.
  logic [PcW-1:1]   top_pc_l, top_pc_r, saved_pc_l, saved_pc_r;
  logic [Lanes-1:0] top_mask_l, top_mask_r, saved_mask_l, saved_mask_r;

  always_comb begin
    top_pc_l   = '0;
    top_pc_r   = '0;
    top_mask_l = '0;
    top_mask_r = '0;
    for (int w = 0; w < NumWarps; w++) begin
      top_pc_l   = top_pc_l   | (pc_l_q[w*KeptW +: KeptW] & {KeptW{acting[w]}});
      top_pc_r   = top_pc_r   | (pc_r_q[w*KeptW +: KeptW] & {KeptW{acting[w]}});
      top_mask_l = top_mask_l | (mask_l_q[w*Lanes +: Lanes] & {Lanes{acting[w] && valid_l_q[w]}});
      top_mask_r = top_mask_r | (mask_r_q[w*Lanes +: Lanes] & {Lanes{acting[w] && valid_r_q[w]}});
    end
  end

  assign saved_pc_l   = (!push_q && !act_slot_q) ? act_later_q : top_pc_l;
  assign saved_pc_r   = (!push_q && act_slot_q) ? act_later_q : top_pc_r;
  assign saved_mask_l = top_mask_l & {Lanes{!(push_q && !act_slot_q)}};
  assign saved_mask_r = top_mask_r & {Lanes{!(push_q && act_slot_q)}};

  logic              save_valid_q;
  logic [WarpW-1:0]  save_warp_q;
  logic [DepthW-1:0] save_row_q;
  logic [PcW-1:1]    save_pc_l_q, save_pc_r_q;
  logic [Lanes-1:0]  save_mask_l_q, save_mask_r_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      save_valid_q  <= 1'b0;
      save_warp_q   <= '0;
      save_row_q    <= '0;
      save_pc_l_q   <= '0;
      save_pc_r_q   <= '0;
      save_mask_l_q <= '0;
      save_mask_r_q <= '0;
    end else begin
      save_valid_q <= row_q;
      if (row_q) begin
        save_warp_q   <= act_warp_q;
        save_row_q    <= act_depth_q - DepthW'(2);
        save_pc_l_q   <= saved_pc_l;
        save_pc_r_q   <= saved_pc_r;
        save_mask_l_q <= saved_mask_l;
        save_mask_r_q <= saved_mask_r;
      end
    end
  end

  // ------------------------------------------------------------------------------------------ a warp is chosen
  logic                choice_q, choice_last_q;   // a warp is chosen; it has no row
  logic [WarpW-1:0]    choice_warp_q, chosen_warp;
  logic [DepthW-1:0]   choice_row_q, chosen_depth;
  logic [NumWarps-1:0] empty;                     // neither path nor load
  logic                stays, ends;

  assign ends   = choice_q && choice_last_q && !fill_valid_i;
  assign stays  = (waited & ~killed & ~ended & ~loaded) != '0;
  logic [NumWarps-1:0] unused_chosen;
  pop_choice #(
    .NumWarps (NumWarps),
    .DepthW   (DepthW)
  ) u_choice (
    .wants_i  (empty),
    .depth_i  (depth_q),
    .chosen_o (unused_chosen),
    .warp_o   (chosen_warp),
    .depth_o  (chosen_depth)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      choice_q      <= 1'b0;
      choice_last_q <= 1'b0;
      choice_warp_q <= '0;
    end else begin
      choice_q <= stays || (empty != '0);
      if (!stays) begin
        choice_last_q <= chosen_depth == DepthW'(1);
        choice_warp_q <= chosen_warp;
      end
    end
  end

  always_ff @(posedge clk_i) if (!stays) choice_row_q <= chosen_depth - DepthW'(2);

  // ------------------------------------------------------------------------------------------------------- fill
  logic [Lanes-1:0] fill_live, fill_mask_l, fill_mask_r;
  logic             fill_valid_l, fill_valid_r;

  always_comb begin
    fill_live = '0;
    for (int w = 0; w < NumWarps; w++) fill_live = fill_live | (live_q[w*Lanes +: Lanes] & {Lanes{filled[w]}});
  end

  assign fill_mask_l  = fill_mask_i[0 +: Lanes] & fill_live;
  assign fill_mask_r  = fill_mask_i[Lanes +: Lanes] & fill_live;
  assign fill_valid_l = fill_mask_l != '0;
  assign fill_valid_r = fill_mask_r != '0;

  // ------------------------------------------------------------------------------------------------------ state
  // Of launch, resolution and fill at most one is of a warp, and an advance of the same slot neither: what is written
  // is a sum of what they write. A push instruction empties the other slot.
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      logic           l, f, writes_l, writes_r, moves_l, moves_r, leaves;
      logic [PcW-1:1] step_l, step_r;          // the PCs behind an advance

      assign launched[w]  = launch_valid_i && (launch_warp_i == WarpW'(w));
      assign killed[w]    = kill_valid_i && (kill_warp_i == WarpW'(w));
      assign resolving[w] = resolve_valid_i && (resolve_warp_i == WarpW'(w));
      assign acting[w]    = resolved_q && (act_warp_q == WarpW'(w));
      assign filled[w]    = fill_valid_i && (fill_warp_i == WarpW'(w));
      assign waited[w]    = choice_q && (choice_warp_q == WarpW'(w));
      assign ended[w]     = waited[w] && ends;
      assign loaded[w]    = waited[w] && !choice_last_q && load_ready_i;
      assign empty[w]     = !valid_l_q[w] && !valid_r_q[w] && !loading_q[w] && (depth_q[w*DepthW +: DepthW] != '0) &&
                            !waited[w] && !killed[w];

      assign l        = launched[w];
      assign f        = filled[w];
      assign writes_l = acting[w] && (push_q || !act_slot_q);
      assign writes_r = acting[w] && (push_q || act_slot_q);
      assign moves_l  = writes_l && act_moves_q;
      assign moves_r  = writes_r && act_moves_q;
      assign leaves   = acting[w] && row_q;    // ... the other slot

      assign step_l = pc_l_q[w*KeptW +: KeptW] + KeptW'(PcStep / 2);
      assign step_r = pc_r_q[w*KeptW +: KeptW] + KeptW'(PcStep / 2);

      always_ff @(posedge clk_i) begin
        if (l || moves_l || f || advanced_l[w]) begin
          pc_l_q[w*KeptW +: KeptW] <= ({KeptW{l}} & launch_pc_i[PcW-1:1]) | ({KeptW{moves_l}} & act_pc_l_q) |
                                      ({KeptW{f}} & fill_pc_i[1 +: KeptW]) | ({KeptW{advanced_l[w]}} & step_l);
        end
        if (l || moves_r || f || advanced_r[w]) begin
          pc_r_q[w*KeptW +: KeptW] <= ({KeptW{moves_r}} & act_pc_r_q) | ({KeptW{f}} & fill_pc_i[PcW+1 +: KeptW]) |
                                      ({KeptW{advanced_r[w]}} & step_r);
        end
        if (l || writes_l || f) begin
          mask_l_q[w*Lanes +: Lanes] <= ({Lanes{l}} & launch_mask_i) | ({Lanes{writes_l}} & act_mask_l_q) |
                                        ({Lanes{f}} & fill_mask_l);
        end
        if (l || writes_r || f) begin
          mask_r_q[w*Lanes +: Lanes] <= ({Lanes{writes_r}} & act_mask_r_q) | ({Lanes{f}} & fill_mask_r);
        end
        if (l || acting[w]) begin
          live_q[w*Lanes +: Lanes] <= ({Lanes{l}} & launch_mask_i) |
                                      ({Lanes{acting[w]}} & live_q[w*Lanes +: Lanes] & ~act_exit_q);
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          valid_l_q[w] <= 1'b0;
          valid_r_q[w] <= 1'b0;
          loading_q[w] <= 1'b0;
        end else begin
          valid_l_q[w] <= !killed[w] && (l || moves_l || (f && fill_valid_l) ||
                                         (!(writes_l || leaves || f) && valid_l_q[w]));
          valid_r_q[w] <= !killed[w] && (moves_r || (f && fill_valid_r) ||
                                         (!(writes_r || leaves || f) && valid_r_q[w]));
          loading_q[w] <= !killed[w] && (loaded[w] || (!f && loading_q[w]));
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          depth_q[w*DepthW +: DepthW] <= '0;
        end else if (l || leaves || f || ended[w] || killed[w]) begin
          depth_q[w*DepthW +: DepthW] <=
            {DepthW{!killed[w] && !ended[w]}} &
            (({DepthW{l}} & DepthW'(1)) | ({DepthW{leaves}} & act_depth_q) |
             ({DepthW{f}} & (depth_q[w*DepthW +: DepthW] - DepthW'(1))));
        end
      end

      assign mask_o[w*Lanes +: Lanes]            = mask_l_q[w*Lanes +: Lanes] & {Lanes{valid_l_q[w]}};
      assign mask_o[(NumWarps+w)*Lanes +: Lanes] = mask_r_q[w*Lanes +: Lanes] & {Lanes{valid_r_q[w]}};
      assign pc_o[w*PcW +: PcW]                  = {pc_l_q[w*KeptW +: KeptW], 1'b0};
      assign pc_o[(NumWarps+w)*PcW +: PcW]       = {pc_r_q[w*KeptW +: KeptW], 1'b0};
    end
  endgenerate

  // A launch and a resolution may both raise it in one cycle.
  generate
    if (Watch != 0) begin : gen_max_depth
      logic [DepthW-1:0] max_depth_q;
      logic              deeper;
      assign deeper = row_q && ((acting & ~killed) != '0) && (act_depth_q > max_depth_q);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                                  max_depth_q <= '0;
        else if (deeper)                              max_depth_q <= act_depth_q;
        else if (launch_valid_i && max_depth_q == '0) max_depth_q <= DepthW'(1);
      end
      assign max_depth_o = max_depth_q;
    end else begin : gen_no_max_depth
      assign max_depth_o = '0;
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- outputs
  assign level_o          = '0;
  assign rpc_o            = '0;
  assign rpc_level_o      = '0;
  assign live_o           = live_q;
  assign depth_o          = depth_q;
  assign valid_o          = {valid_r_q, valid_l_q};
  assign sibling_o        = {valid_l_q, valid_r_q};
  assign resolved_valid_o = resolved_q;
  assign resolved_warp_o  = act_warp_q & {WarpW{resolved_q}};
  assign resolved_slot_o  = act_slot_q && resolved_q;
  assign resolved_next_o  = act_next_q && resolved_q;
  assign push_valid_o     = push_q;
  assign push_warp_o      = act_warp_q & {WarpW{push_q}};
  assign pop_valid_o      = fill_valid_i || ends;
  assign pop_warp_o       = (fill_warp_i & {WarpW{fill_valid_i}}) | done_warp_o;
  assign done_valid_o     = ends;
  assign done_warp_o      = choice_warp_q & {WarpW{ends}};
  assign overflow_valid_o = overflow_q;
  assign overflow_warp_o  = act_warp_q & {WarpW{overflow_q}};
  assign save_valid_o     = save_valid_q;
  assign save_warp_o      = save_warp_q;
  assign save_row_o       = save_row_q;
  assign save_pc_o        = {save_pc_r_q, 1'b0, save_pc_l_q, 1'b0};
  assign save_mask_o      = {save_mask_r_q, save_mask_l_q};
  assign load_valid_o     = choice_q && !choice_last_q;
  assign load_warp_o      = choice_warp_q & {WarpW{load_valid_o}};
  assign load_row_o       = choice_row_q & {DepthW{load_valid_o}};

  logic unused_calls, unused_bits;
  assign unused_calls = resolve_call_i || resolve_return_i || resolve_rpc_i[0];
  assign unused_bits  = launch_pc_i[0] || fill_pc_i[0] || fill_pc_i[PcW];

`ifndef SYNTHESIS
  stack_caller #(
    .NumWarps (NumWarps),
    .Lanes    (Lanes),
    .NumSlots (2),
    .DepthW   (DepthW)
  ) u_caller (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .launch_valid_i   (launch_valid_i),
    .launch_warp_i    (launch_warp_i),
    .launch_pc_i      (launch_pc_i),
    .launch_mask_i    (launch_mask_i),
    .kill_valid_i     (kill_valid_i),
    .kill_warp_i      (kill_warp_i),
    .advance_i        (advance_i),
    .resolve_valid_i  (resolve_valid_i),
    .resolve_warp_i   (resolve_warp_i),
    .resolve_slot_i   (resolve_slot_i),
    .resolve_target_i (resolve_target_i),
    .resolve_next_i   (resolve_next_i),
    .resolve_rpc_i    (resolve_rpc_i),
    .resolve_call_i   (resolve_call_i),
    .resolve_return_i (resolve_return_i),
    .valid_i          ({valid_r_q, valid_l_q}),
    .depth_i          (depth_q),
    .acting_valid_i   (resolved_q || overflow_q),
    .acting_warp_i    (act_warp_q)
  );

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (resolve_valid_i && marked) begin
        assert (pops || (resolve_rpc_i != '0));                      // a push without a PC
        assert (pops || !resolve_rpc_i[0]);                          // an odd PC in a row
        assert ((resolve_taken_i == '0) && (resolve_exit_i == '0));  // threads branch or exit in a push or pop
        assert (!(pops && (old_depth == DepthW'(1))));               // a pop without a row
      end
      if (fill_valid_i) begin
        assert (32'(fill_warp_i) < NumWarps);                        // fill_warp_i names no warp
        assert ((filled & ~loading_q) == '0);                        // a row that was not asked for
        assert (!fill_pc_i[0] && !fill_pc_i[PcW]);                   // an odd PC in a row
      end
    end
  end
`endif
endmodule
