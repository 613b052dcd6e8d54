// SPDX-License-Identifier: Apache-2.0
// fork_join_stack: stacks of NumWarps warps whose paths meet at joins only. A fork opens a region, which ends at its
// join; its paths run one after the other, of a divergence the smaller set first. Sets that wait and outer regions are
// rows in storage.
//
// Contract
//   Latency  as spe_stack: a resolution is taken in and acts at the next edge, a pop is chosen and done at the next.
//   Order    Events of different warps happen together. The lowest warp that runs, without path and pop, is popped
//            next. A kill wins over everything else of its warp; an overflow changes nothing.
//   Reset    asynchronous, active low: no warp has a path or a row. Data have no reset.
//   Idle     warps of events, and the mask of an empty path, are 0.
//   Assumes  what stack_caller asserts; (asserted) a fork has the PC of its join, nobody branches, exits, calls or
//            returns in it.
//   Not here which path has an unresolved branch, and stopping a warp that overflowed: frontend. That threads leave a
//            region by its join only: core.
// Source: US 8,959,319; rows for outer regions and call levels are ours.
module fork_join_stack #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int Depth     = 16,  // the path and its rows: pending sets and outer regions
  parameter  int TieOrder  = 0,  // of two sets of one size runs first: 0 the taken one, 1 the fall-through
  parameter  int LevelW    = 8,  // bits of a call level
  parameter  int Watch     = 1,  // 0: max_depth_o is left out
  parameter  int PcStep    = 4,  // bytes of an instruction: a power of two
  localparam int PcW       = heddle_pkg::PcW,
  localparam int KindW     = heddle_pkg::KindW,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW    = heddle_pkg::idx_width(Depth + 1)
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
  input  logic [NumWarps-1:0]        advance_i,
  // from execute
  input  logic                       resolve_valid_i,
  input  logic [WarpW-1:0]           resolve_warp_i,
  input  logic                       resolve_slot_i,
  input  logic [Lanes-1:0]           resolve_taken_i,
  input  logic [PcW-1:0]             resolve_target_i,
  input  logic [PcW-1:0]             resolve_next_i,
  input  logic [PcW-1:0]             resolve_rpc_i,
  input  logic [Lanes-1:0]           resolve_exit_i,
  input  logic                       resolve_call_i,
  input  logic                       resolve_return_i,
  input  logic [KindW-1:0]           resolve_kind_i,    // MarkFork: opens a region
  // paths
  output logic [NumWarps*PcW-1:0]    pc_o,
  output logic [NumWarps*Lanes-1:0]  mask_o,
  output logic [NumWarps*LevelW-1:0] level_o,
  output logic [NumWarps-1:0]        valid_o,
  output logic [NumWarps-1:0]        sibling_o,
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
  // status
  output logic [DepthW-1:0]          max_depth_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Depth < 2) Depth_must_be_at_least_2 limit ();
  if (TieOrder < 0 || TieOrder > 1) TieOrder_must_be_0_or_1 limit ();
  if (LevelW < 2 || LevelW > 16) LevelW_must_be_2_to_16 limit ();
  if (Watch < 0 || Watch > 1) Watch_must_be_0_or_1 limit ();
  if (PcStep < 2) PcStep_must_be_at_least_2 limit ();   // an odd PC is none
  if ((PcStep & (PcStep - 1)) != 0) PcStep_must_be_a_power_of_two limit ();

  // A row: a pending set {PC, mask, level}, or what a fork leaves behind: {rpc of the outer region, threads of the
  // fork, rpc_level of the outer region}; and the sibling bit that the path had, which says the same of the row below:
  // 1 a pending set, 0 a fork's or none. PCs and rpcs are even: bit 0 is not kept.
  localparam int RowW = (PcW - 1) + Lanes + LevelW + 1;
  // The uppermost row of depth n is at n modulo a power of two.
  localparam int IndexW  = heddle_pkg::idx_width(Depth - 1);
  localparam int NumRows = NumWarps << IndexW;
  localparam int AddrW   = heddle_pkg::idx_width(NumRows);

  // State.
  logic [NumWarps*(PcW-1)-1:0] pc_q, rpc_q;
  logic [NumWarps*Lanes-1:0]   mask_q, live_q;
  logic [NumWarps*LevelW-1:0]  level_q, rpc_level_q;
  logic [NumWarps-1:0]         sibling_q, valid_q;
  logic [NumWarps*DepthW-1:0]  depth_q;

  // The warp of each event, one-hot.
  logic [NumWarps-1:0] launched, killed, advanced, resolving, acting, popped;

  // ---------------------------------------------------------------------------------------------------- advance
  logic [PcW-1:1]    advance_from, advance_rpc, advance_pc;
  logic [LevelW-1:0] advance_level, advance_rpc_level;
  logic              advance_ends;

  always_comb begin
    advance_from      = '0;
    advance_rpc       = '0;
    advance_level     = '0;
    advance_rpc_level = '0;
    for (int w = 0; w < NumWarps; w++) begin
      advance_from      = advance_from      | (pc_q[w*(PcW-1) +: PcW-1] & {(PcW-1){advanced[w]}});
      advance_rpc       = advance_rpc       | (rpc_q[w*(PcW-1) +: PcW-1] & {(PcW-1){advanced[w]}});
      advance_level     = advance_level     | (level_q[w*LevelW +: LevelW] & {LevelW{advanced[w]}});
      advance_rpc_level = advance_rpc_level | (rpc_level_q[w*LevelW +: LevelW] & {LevelW{advanced[w]}});
    end
  end

  assign advance_pc   = advance_from + (PcW-1)'(PcStep / 2);
  assign advance_ends = (advance_rpc != '0) && (advance_level == advance_rpc_level) &&
                        heddle_pkg::next_is({advance_from, 1'b0}, {advance_rpc, 1'b0}, PcStep);

  // ----------------------------------------------------------------------------------- a resolution is taken in
  logic [Lanes-1:0]  old_mask, active, taken, rest;
  logic [LevelW-1:0] old_level, old_rpc_level, target_level;
  logic [PcW-1:1]    old_rpc;
  logic [DepthW-1:0] old_depth;

  always_comb begin
    old_mask      = '0;
    old_level     = '0;
    old_rpc       = '0;
    old_rpc_level = '0;
    old_depth     = '0;
    for (int w = 0; w < NumWarps; w++) begin
      old_mask      = old_mask      | (mask_q[w*Lanes +: Lanes] & {Lanes{resolving[w]}});
      old_level     = old_level     | (level_q[w*LevelW +: LevelW] & {LevelW{resolving[w]}});
      old_rpc       = old_rpc       | (rpc_q[w*(PcW-1) +: PcW-1] & {(PcW-1){resolving[w]}});
      old_rpc_level = old_rpc_level | (rpc_level_q[w*LevelW +: LevelW] & {LevelW{resolving[w]}});
      old_depth     = old_depth     | (depth_q[w*DepthW +: DepthW] & {DepthW{resolving[w]}});
    end
  end

  // A path has live threads only.
  assign active       = old_mask & ~resolve_exit_i;
  assign taken        = active & resolve_taken_i;
  assign rest         = active & ~resolve_taken_i;
  assign target_level = old_level + {{(LevelW-1){resolve_return_i}}, resolve_call_i || resolve_return_i};

  // Who has arrived: at the join of the region, which a fork opens.
  logic           forks, in_region, target_ends, next_ends;
  logic [PcW-1:1] next_rpc;
  assign forks       = resolve_kind_i == KindW'(heddle_pkg::MarkFork);
  assign in_region   = old_rpc != '0;
  assign next_rpc    = forks ? resolve_rpc_i[PcW-1:1] : old_rpc;
  assign target_ends = in_region && (target_level == old_rpc_level) && (resolve_target_i[PcW-1:1] == old_rpc);
  assign next_ends   = (forks || (in_region && (old_level == old_rpc_level))) &&
                       (resolve_next_i[PcW-1:1] == next_rpc);

  // What becomes of the path.
  logic same_target, any_taken, any_rest, divergent, both_sides, grows, full, to_target, ends;
  assign same_target = resolve_target_i == resolve_next_i;
  assign any_taken   = taken != '0;
  assign any_rest    = rest != '0;
  assign divergent   = any_taken && any_rest && !same_target;
  assign both_sides  = divergent && !target_ends && !next_ends;
  assign grows       = forks || both_sides;
  assign full        = old_depth == DepthW'(Depth);
  assign to_target   = !any_rest || (divergent && next_ends);
  assign ends        = !divergent && (any_rest ? next_ends : !any_taken || target_ends);

  // Threads of the sets at the target and at the next instruction, and how many they are by halves of the warp. (For a
  // row, those at the target are all threads of a fork; sizes are of a divergence only.)
  logic [Lanes-1:0] target_mask, next_mask;
  assign target_mask = active & ({Lanes{forks}} | resolve_taken_i);
  assign next_mask   = active & ({Lanes{same_target}} | ~resolve_taken_i);

  localparam int HalfW  = $clog2((Lanes + 1) / 2 + 1);
  localparam int CountW = $clog2(Lanes + 1);
  logic [HalfW-1:0] target_low, target_high, next_low, next_high;
  always_comb begin
    target_low  = '0;
    target_high = '0;
    next_low    = '0;
    next_high   = '0;
    for (int l = 0; l < Lanes; l++) begin
      if (l < Lanes / 2) begin
        target_low = target_low + HalfW'(target_mask[l]);
        next_low   = next_low + HalfW'(next_mask[l]);
      end else begin
        target_high = target_high + HalfW'(target_mask[l]);
        next_high   = next_high + HalfW'(next_mask[l]);
      end
    end
  end

  // ------------------------------------------------------------------------------------------ a resolution acts
  // Of the sets at the target and at the next instruction one is the path, and the row, if there is to be one, is of
  // the other. A fork goes on at the next instruction; the outer region, and all threads, are in the place of the
  // target. Sizes are counted in one cycle, and summed and compared in the next: half of the way for each.
  logic              taken_in;
  logic              resolved_q, push_q, fork_q, overflow_q, next_q;
  logic              act_moves_q, act_valid_q, act_to_target_q;
  logic              target_first, act_to_target;
  logic [HalfW-1:0]  target_low_q, target_high_q, next_low_q, next_high_q;
  logic [CountW-1:0] num_target, num_next;
  logic [WarpW-1:0]  act_warp_q;
  logic [PcW-1:1]    act_target_q, act_next_q, act_join_q, act_pc;
  logic [Lanes-1:0]  act_target_mask_q, act_next_mask_q, act_exit_q, act_mask;
  logic [LevelW-1:0] act_target_level_q, act_next_level_q, act_level;
  logic [DepthW-1:0] act_depth_q;
  logic [RowW-1:0]   act_row, pop_row;

  assign taken_in = (resolving & ~killed) != '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      resolved_q <= 1'b0;
      push_q     <= 1'b0;
      fork_q     <= 1'b0;
      overflow_q <= 1'b0;
    end else begin
      resolved_q <= taken_in && !(grows && full);
      push_q     <= taken_in && both_sides && !full;
      fork_q     <= taken_in && forks && !full;
      overflow_q <= taken_in && grows && full;
    end
  end

  always_ff @(posedge clk_i) begin
    if (resolve_valid_i) begin
      next_q             <= !ends && !both_sides && (same_target || (any_rest && !(divergent && next_ends)));
      act_moves_q        <= any_taken || any_rest;
      act_valid_q        <= !ends;
      act_to_target_q    <= to_target;
      target_low_q       <= target_low;
      target_high_q      <= target_high;
      next_low_q         <= next_low;
      next_high_q        <= next_high;
      act_warp_q         <= resolve_warp_i;
      act_target_q       <= forks ? old_rpc : resolve_target_i[PcW-1:1];
      act_next_q         <= resolve_next_i[PcW-1:1];
      act_join_q         <= resolve_rpc_i[PcW-1:1];
      act_target_mask_q  <= target_mask;
      act_next_mask_q    <= next_mask;
      act_exit_q         <= resolve_exit_i;
      act_target_level_q <= forks ? old_rpc_level : target_level;
      act_next_level_q   <= old_level;
      act_depth_q        <= old_depth + DepthW'(grows);
    end
  end

  assign num_target    = CountW'(target_low_q) + CountW'(target_high_q);
  assign num_next      = CountW'(next_low_q) + CountW'(next_high_q);
  assign target_first  = (TieOrder == 0) ? num_target <= num_next : num_target < num_next;
  assign act_to_target = push_q ? target_first : act_to_target_q;
  assign act_pc        = act_to_target ? act_target_q : act_next_q;
  assign act_mask      = act_to_target ? act_target_mask_q : act_next_mask_q;
  assign act_level     = act_to_target ? act_target_level_q : act_next_level_q;
  assign act_row       = {act_to_target ? act_next_q : act_target_q,
                          act_to_target ? act_next_mask_q : act_target_mask_q,
                          act_to_target ? act_next_level_q : act_target_level_q, (sibling_q & acting) != '0};

  // -------------------------------------------------------------------------------------------- a pop is chosen
  logic [NumWarps-1:0] ended;          // empty path of a warp that still runs
  logic [WarpW-1:0]    pop_warp_d, pop_warp_q;
  logic [DepthW-1:0]   chosen_depth, pop_depth_q;   // before the pop
  logic                pop_q;

  logic [NumWarps-1:0] unused_chosen;
  pop_choice #(
    .NumWarps (NumWarps),
    .DepthW   (DepthW)
  ) u_choice (
    .wants_i  (ended),
    .depth_i  (depth_q),
    .chosen_o (unused_chosen),
    .warp_o   (pop_warp_d),
    .depth_o  (chosen_depth)
  );
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_ended
      assign ended[w] = !valid_q[w] && (depth_q[w*DepthW +: DepthW] != '0) && !popped[w] && !killed[w];
    end
  endgenerate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pop_q      <= 1'b0;
      pop_warp_q <= '0;
    end else begin
      pop_q      <= ended != '0;
      pop_warp_q <= pop_warp_d;
    end
  end

  always_ff @(posedge clk_i) if (ended != '0) pop_depth_q <= chosen_depth;

  heddle_mem #(
    .Words (NumRows),
    .Width (RowW)
  ) u_rows (
    .clk_i         (clk_i),
    .write_valid_i (push_q || fork_q),
    .write_addr_i  (AddrW'({act_warp_q, act_depth_q[IndexW-1:0]})),
    .write_data_i  (act_row),
    .read_valid_i  (ended != '0),
    .read_addr_i   (AddrW'({pop_warp_d, chosen_depth[IndexW-1:0]})),
    .read_data_o   (pop_row)
  );

  // -------------------------------------------------------------------------------------------------------- pop
  // The storage is read as the pop is chosen: a set, or the outer region.
  logic [PcW-1:1]    row_pc;
  logic [Lanes-1:0]  row_mask, pop_live, pop_mask;
  logic [LevelW-1:0] row_level;
  logic              row_sibling, pop_last, pop_set;

  assign {row_pc, row_mask, row_level, row_sibling} = pop_row;

  always_comb begin
    pop_live = '0;
    for (int w = 0; w < NumWarps; w++) pop_live = pop_live | (live_q[w*Lanes +: Lanes] & {Lanes{popped[w]}});
  end

  assign pop_last = pop_depth_q == DepthW'(1);
  assign pop_set  = (sibling_q & popped) != '0;
  assign pop_mask = row_mask & pop_live;

  // ------------------------------------------------------------------------------------------------------ state
  // Of launch, advance, resolution and pop at most one is of a warp: what is written is a sum of what they write.
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      // moves: the resolution leaves a path; opens: it is a fork; pushes: it leaves a pending set; sets: the pop is of
      // a pending set; joins: of a region
      logic l, a, r, p, moves, opens, pushes, sets, joins;
      assign launched[w]  = launch_valid_i && (launch_warp_i == WarpW'(w));
      assign killed[w]    = kill_valid_i && (kill_warp_i == WarpW'(w));
      assign resolving[w] = resolve_valid_i && (resolve_warp_i == WarpW'(w));
      assign acting[w]    = resolved_q && (act_warp_q == WarpW'(w));
      assign popped[w]    = pop_q && (pop_warp_q == WarpW'(w));

      assign l      = launched[w];
      assign a      = advanced[w];
      assign r      = acting[w];
      assign p      = popped[w] && !pop_last;
      assign moves  = r && act_moves_q;
      assign opens  = r && fork_q;
      assign pushes = r && push_q;
      assign sets   = p && pop_set;
      assign joins  = p && !pop_set;

      always_ff @(posedge clk_i) begin
        if (l || a || moves || p) begin
          pc_q[w*(PcW-1) +: PcW-1] <= ({(PcW-1){l}} & launch_pc_i[PcW-1:1]) | ({(PcW-1){a}} & advance_pc) |
                                      ({(PcW-1){moves}} & act_pc) | ({(PcW-1){sets}} & row_pc) |
                                      ({(PcW-1){joins}} & rpc_q[w*(PcW-1) +: PcW-1]);
        end
        if (l || moves || p) begin
          level_q[w*LevelW +: LevelW] <= ({LevelW{moves}} & act_level) | ({LevelW{sets}} & row_level) |
                                         ({LevelW{joins}} & rpc_level_q[w*LevelW +: LevelW]);
        end
        if (l || r || p) begin
          mask_q[w*Lanes +: Lanes] <= ({Lanes{l}} & launch_mask_i) | ({Lanes{r}} & act_mask) | ({Lanes{p}} & pop_mask);
        end
        if (l || r) begin
          live_q[w*Lanes +: Lanes] <= ({Lanes{l}} & launch_mask_i) |
                                      ({Lanes{r}} & live_q[w*Lanes +: Lanes] & ~act_exit_q);
        end
        if (l || opens || joins) begin
          rpc_q[w*(PcW-1) +: PcW-1]       <= ({(PcW-1){opens}} & act_join_q) | ({(PcW-1){joins}} & row_pc);
          rpc_level_q[w*LevelW +: LevelW] <= ({LevelW{opens}} & act_next_level_q) | ({LevelW{joins}} & row_level);
        end
        if (l || pushes || opens || p) sibling_q[w] <= pushes || (p && row_sibling);
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          valid_q[w] <= 1'b0;
        end else begin
          valid_q[w] <= !killed[w] && (l || (r && act_valid_q) || (p && (pop_mask != '0)) ||
                                       (!(l || (a && advance_ends) || r || p) && valid_q[w]));
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          depth_q[w*DepthW +: DepthW] <= '0;
        end else if (l || r || popped[w] || killed[w]) begin
          depth_q[w*DepthW +: DepthW] <=
            {DepthW{!killed[w]}} & (({DepthW{l}} & DepthW'(1)) | ({DepthW{r}} & act_depth_q) |
                                    ({DepthW{popped[w]}} & (pop_depth_q - DepthW'(1))));
        end
      end

      assign mask_o[w*Lanes +: Lanes] = mask_q[w*Lanes +: Lanes] & {Lanes{valid_q[w]}};
      assign pc_o[w*PcW +: PcW]       = {pc_q[w*(PcW-1) +: PcW-1], 1'b0};
      assign rpc_o[w*PcW +: PcW]      = {rpc_q[w*(PcW-1) +: PcW-1], 1'b0};
    end
  endgenerate

  // A launch and a resolution may both raise it in one cycle.
  generate
    if (Watch != 0) begin : gen_max_depth
      logic [DepthW-1:0] max_depth_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                                                         max_depth_q <= '0;
        else if (((acting & ~killed) != '0) && (act_depth_q > max_depth_q))  max_depth_q <= act_depth_q;
        else if (launch_valid_i && (max_depth_q == '0))                      max_depth_q <= DepthW'(1);
      end
      assign max_depth_o = max_depth_q;
    end else begin : gen_no_max_depth
      assign max_depth_o = '0;
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- outputs
  assign level_o          = level_q;
  assign valid_o          = valid_q;
  assign sibling_o        = sibling_q;
  assign rpc_level_o      = rpc_level_q;
  assign live_o           = live_q;
  assign depth_o          = depth_q;
  assign resolved_valid_o = resolved_q;
  assign resolved_warp_o  = act_warp_q & {WarpW{resolved_q}};
  assign resolved_slot_o  = 1'b0;
  assign resolved_next_o  = resolved_q && next_q;
  assign push_valid_o     = push_q;
  assign push_warp_o      = act_warp_q & {WarpW{push_q}};
  assign pop_valid_o      = pop_q;
  assign pop_warp_o       = pop_warp_q;
  assign done_valid_o     = pop_q && pop_last;
  assign done_warp_o      = pop_warp_q & {WarpW{done_valid_o}};
  assign overflow_valid_o = overflow_q;
  assign overflow_warp_o  = act_warp_q & {WarpW{overflow_q}};

  assign advanced = advance_i;

  logic unused_slot;
  assign unused_slot = resolve_slot_i;

`ifndef SYNTHESIS
  stack_caller #(
    .NumWarps (NumWarps),
    .Lanes    (Lanes),
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
    .resolve_slot_i   (1'b0),
    .resolve_target_i (resolve_target_i),
    .resolve_next_i   (resolve_next_i),
    .resolve_rpc_i    (resolve_rpc_i),
    .resolve_call_i   (resolve_call_i),
    .resolve_return_i (resolve_return_i),
    .valid_i          (valid_q),
    .depth_i          (depth_q),
    .acting_valid_i   (resolved_q || overflow_q),
    .acting_warp_i    (act_warp_q)
  );

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (resolve_valid_i && forks) begin
        assert ((resolve_rpc_i != '0) && !resolve_rpc_i[0]);         // a fork without the PC of its join
        assert ((resolve_taken_i == '0) && (resolve_exit_i == '0));  // threads branch or exit in a fork
        assert (!resolve_call_i && !resolve_return_i);               // a fork calls or returns
      end
    end
  end
`endif
endmodule
