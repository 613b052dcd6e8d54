// SPDX-License-Identifier: Apache-2.0
// min_pc_table: the path of a warp is its threads at the lowest place. Every thread has a place of its own, a level and
// a PC: the deepest call level comes first, and of one level the lowest PC.
//
// Contract
//   Latency  launch, advance and aside act at the edge at which they are sampled. A resolution is taken in there and
//            acts at the next edge, a meeting is chosen in one cycle and done at the edge that ends the next.
//   Order    A path stops where the next threads of its warp wait, and meets them. One meeting a cycle: the lowest warp
//            that has threads and no path, in a cycle in which no resolution is taken in. A resolution puts threads at
//            their new places; the lowest are the path then. Who stands aside comes after all that do not. A kill wins
//            over everything else of its warp.
//   Reset    asynchronous, active low; no warp has threads. Data have no reset.
//   Idle     warp outputs of events are 0 while their valid is 0, and so is the mask of an empty path.
//   Assumes  (asserted) stack_caller, and PCs that are multiples of PcStep.
//   Not here waiting for a resolution, and who is at a barrier: minpc_frontend.
// The pins of every stack: rpc_o is where the next threads wait, sibling_o that some do, depth_o that the warp has
// threads; push says a divergence after which the path goes on elsewhere, pop a meeting or an end. Nothing overflows.
// Source: thread frontiers (Diamos et al., MICRO 2011), here by PC. Places of threads, levels, aside: ours.
module min_pc_table #(
  parameter  int NumWarps = 24,  // warps of the partition
  parameter  int Lanes    = 32,  // threads of a warp
  parameter  int LevelW   = 8,  // bits of a call level
  parameter  int Watch    = 1,  // 0: max_depth_o is left out
  parameter  int PcStep   = 4,  // bytes of an instruction: a power of two
  localparam int PcW      = heddle_pkg::PcW,
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW   = 1
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
  input  logic [NumWarps-1:0]        aside_i,      // the path is at a barrier: the others of its warp go first
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
  output logic [NumWarps-1:0]        others_o,     // others wait, and may go before the path
  // status
  output logic [DepthW-1:0]          max_depth_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (LevelW < 2 || LevelW > 16) LevelW_must_be_2_to_16 limit ();   // up is not down
  if (Watch < 0 || Watch > 1) Watch_must_be_0_or_1 limit ();
  if (PcStep < 2) PcStep_must_be_at_least_2 limit ();   // an odd PC is none
  if ((PcStep & (PcStep - 1)) != 0) PcStep_must_be_a_power_of_two limit ();

  localparam int StepW  = $clog2(PcStep);            // low bits of a PC, 0
  localparam int HighW  = PcW - StepW;               // the others
  localparam int PlaceW = 1 + LevelW + HighW;        // {aside, ~level, pc / PcStep}: the lowest comes first
  localparam int KeyW   = PlaceW + 1;                // {nobody, place}
  localparam int Depth  = $clog2(Lanes);             // of the tree
  localparam int Leaves = 1 << Depth;

  // State by warp: the path, the place at which it stops, its threads. (The places of threads are in u_places: those of
  // the path are not up to date there.)
  logic [NumWarps*PlaceW-1:0] place_q, wait_q;
  logic [NumWarps*Lanes-1:0]  mask_q, live_q;
  logic [NumWarps-1:0]        valid_q, waiting_q, in_use_q;

  logic unused_slot, unused_rpc;
  assign unused_slot = resolve_slot_i;
  assign unused_rpc  = ^resolve_rpc_i;

  logic [NumWarps-1:0] launched, killed, resolving, settled;   // the warp of each event, one-hot

  assign launched  = launch_valid_i ? NumWarps'(1) << launch_warp_i : '0;
  assign killed    = kill_valid_i ? NumWarps'(1) << kill_warp_i : '0;
  assign resolving = resolve_valid_i ? NumWarps'(1) << resolve_warp_i : '0;

  // ------------------------------------------------------------------------- which warp is settled in the next cycle
  logic                acts, meets, reads;   // a resolution acts, or a meeting is done; there is one in the next cycle
  logic [WarpW-1:0]    warp, next_warp;
  logic [NumWarps-1:0] unused_waiter;

  settled_choice #(.NumWarps (NumWarps)) u_choice (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .kill_valid_i    (kill_valid_i),
    .kill_warp_i     (kill_warp_i),
    .resolve_valid_i (resolve_valid_i),
    .resolve_warp_i  (resolve_warp_i),
    .waits_i         (in_use_q & ~valid_q),
    .next_valid_o    (reads),
    .next_warp_o     (next_warp),
    .waiter_o        (unused_waiter),
    .acts_o          (acts),
    .serves_o        (meets),
    .warp_o          (warp),
    .settled_o       (settled)
  );

  // ------------------------------------------------------------------------------------------ the sides of a branch
  logic [LevelW-1:0] old_level, target_level;
  logic [Lanes-1:0]  old_mask;

  always_comb begin
    old_mask  = '0;
    old_level = '0;
    for (int w = 0; w < NumWarps; w++) begin
      old_mask  = old_mask  | (mask_q[w*Lanes +: Lanes] & {Lanes{resolving[w]}});
      old_level = old_level | (~place_q[w*PlaceW+HighW +: LevelW] & {LevelW{resolving[w]}});
    end
  end
  assign target_level = resolve_call_i   ? old_level + LevelW'(1) :
                        resolve_return_i ? old_level - LevelW'(1) : old_level;

  logic [PlaceW-2:0] target_q, next_q;   // who resolves is not aside
  logic [Lanes-1:0]  taken_q, exit_q;
  logic              diverges_q;

  always_ff @(posedge clk_i) begin
    if (resolve_valid_i) begin
      target_q   <= {~target_level, resolve_target_i[PcW-1:StepW]};
      next_q     <= {~old_level, resolve_next_i[PcW-1:StepW]};
      taken_q    <= old_mask & resolve_taken_i & ~resolve_exit_i;
      exit_q     <= resolve_exit_i;
      diverges_q <= ((old_mask & resolve_taken_i & ~resolve_exit_i) != '0) &&
                    ((old_mask & ~resolve_taken_i & ~resolve_exit_i) != '0) && (resolve_target_i != resolve_next_i);
    end
  end

  // -------------------------------------------------------------------------- the places of the warp that is settled
  logic [Lanes*PlaceW-1:0] places, new_places;
  logic [PlaceW-1:0]       path_place;
  logic [Lanes-1:0]        path_mask, live;

  heddle_mem #(
    .Words (NumWarps),
    .Width (Lanes * PlaceW)
  ) u_places (
    .clk_i         (clk_i),
    .write_valid_i (acts || meets),
    .write_addr_i  (warp),
    .write_data_i  (new_places),
    .read_valid_i  (reads),
    .read_addr_i   (next_warp),
    .read_data_o   (places)
  );

  always_comb begin
    path_place = '0;
    path_mask  = '0;
    live       = '0;
    for (int w = 0; w < NumWarps; w++) begin
      path_place = path_place | (place_q[w*PlaceW +: PlaceW] & {PlaceW{settled[w]}});
      path_mask  = path_mask  | (mask_q[w*Lanes +: Lanes] & {Lanes{settled[w]}});
      live       = live       | (live_q[w*Lanes +: Lanes] & {Lanes{settled[w]}});
    end
    if (acts) live = live & ~exit_q;
  end

  generate
    for (genvar l = 0; l < Lanes; l++) begin : gen_place
      assign new_places[l*PlaceW +: PlaceW] = !path_mask[l] ? places[l*PlaceW +: PlaceW] :
                                              !acts       ? path_place :
                                              {1'b0, taken_q[l] ? target_q : next_q};
    end
  endgenerate

  // The lowest place, who is there, and the lowest of the others: a tree, in which of two groups of threads the right
  // one is added to the left. Group 0 is all in the end.
  logic [Leaves*KeyW-1:0]   first, other;
  logic [Leaves*Leaves-1:0] at_first;
  logic                     left_first, right_first;   // of the two groups, each is at the lower place

  function automatic logic [KeyW-1:0] lower(input logic [KeyW-1:0] a, input logic [KeyW-1:0] b);
    lower = (a < b) ? a : b;
  endfunction

  always_comb begin
    first       = '1;
    other       = '1;
    left_first  = 1'b0;
    right_first = 1'b0;
    at_first    = '0;
    for (int l = 0; l < Leaves; l++) begin
      at_first[l*Leaves + l] = 1'b1;
      if (l < Lanes) first[l*KeyW +: KeyW] = {!live[l], new_places[l*PlaceW +: PlaceW]};
    end
    for (int d = 0; d < Depth; d++) begin
      for (int n = 0; n < Leaves; n++) begin
        if (n % (2 << d) == 0) begin
          left_first  = first[n*KeyW +: KeyW] <= first[(n + (1 << d))*KeyW +: KeyW];
          right_first = first[n*KeyW +: KeyW] >= first[(n + (1 << d))*KeyW +: KeyW];
          other[n*KeyW +: KeyW] = lower(left_first ? other[n*KeyW +: KeyW] : first[n*KeyW +: KeyW],
                                        right_first ? other[(n + (1 << d))*KeyW +: KeyW] :
                                                      first[(n + (1 << d))*KeyW +: KeyW]);
          at_first[n*Leaves +: Leaves] = (at_first[n*Leaves +: Leaves] & {Leaves{left_first}}) |
                                         (at_first[(n + (1 << d))*Leaves +: Leaves] & {Leaves{right_first}});
          if (!left_first) first[n*KeyW +: KeyW] = first[(n + (1 << d))*KeyW +: KeyW];
        end
      end
    end
  end

  // ------------------------------------------------------------------------------------------------------ state
  logic [Lanes-1:0]  new_mask;
  logic [PlaceW-1:0] new_place, new_wait;
  logic              new_waiting, ends;

  assign new_place   = first[PlaceW-1:0];
  assign new_mask    = at_first[Lanes-1:0] & live;
  assign new_wait    = other[PlaceW-1:0];
  assign new_waiting = !other[KeyW-1];
  assign ends        = live == '0;

  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      logic [PcW-1:0]    pc, wait_pc;
      logic [LevelW-1:0] level;
      logic              arrives;      // an advance does, where others wait
      assign pc      = {place_q[w*PlaceW +: HighW], {StepW{1'b0}}};
      assign wait_pc = {wait_q[w*PlaceW +: HighW], {StepW{1'b0}}};
      assign level   = place_q[w*PlaceW+HighW +: LevelW];
      assign arrives = waiting_q[w] && heddle_pkg::next_is(pc, wait_pc, PcStep) &&
                       ({1'b0, level} == wait_q[w*PlaceW+HighW +: LevelW+1]);

      always_ff @(posedge clk_i) begin
        if (launched[w])       place_q[w*PlaceW +: PlaceW] <= {1'b0, {LevelW{1'b1}}, launch_pc_i[PcW-1:StepW]};
        else if (settled[w]) begin
          if (!ends) place_q[w*PlaceW +: PlaceW] <= new_place;
        end
        else if (aside_i[w])   place_q[w*PlaceW + PlaceW-1] <= 1'b1;
        else if (advance_i[w]) begin
          place_q[w*PlaceW + PlaceW-1]  <= 1'b0;
          place_q[w*PlaceW +: HighW]    <= pc[PcW-1:StepW] + HighW'(1);
        end

        if (launched[w])     mask_q[w*Lanes +: Lanes] <= launch_mask_i;
        else if (settled[w]) mask_q[w*Lanes +: Lanes] <= new_mask;

        if (launched[w])     live_q[w*Lanes +: Lanes] <= launch_mask_i;
        else if (settled[w]) live_q[w*Lanes +: Lanes] <= live;

        if (settled[w]) wait_q[w*PlaceW +: PlaceW] <= new_wait;
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          valid_q[w]   <= 1'b0;
          waiting_q[w] <= 1'b0;
          in_use_q[w]  <= 1'b0;
        end else if (killed[w]) begin
          valid_q[w]   <= 1'b0;
          waiting_q[w] <= 1'b0;
          in_use_q[w]  <= 1'b0;
        end else if (launched[w]) begin
          valid_q[w]   <= 1'b1;
          waiting_q[w] <= 1'b0;
          in_use_q[w]  <= 1'b1;
        end else if (settled[w]) begin
          valid_q[w]   <= !ends;
          waiting_q[w] <= new_waiting;
          in_use_q[w]  <= !(meets && ends);
        end else if (aside_i[w] || (advance_i[w] && arrives)) begin
          valid_q[w]   <= 1'b0;
        end
      end

      assign others_o[w]                   = waiting_q[w] && !place_q[w*PlaceW + PlaceW-1];
      assign pc_o[w*PcW +: PcW]            = pc;
      assign level_o[w*LevelW +: LevelW]   = ~level;
      assign mask_o[w*Lanes +: Lanes]      = mask_q[w*Lanes +: Lanes] & {Lanes{valid_q[w]}};
      assign rpc_o[w*PcW +: PcW]           = wait_pc & {PcW{waiting_q[w]}};
      assign rpc_level_o[w*LevelW +: LevelW] = ~wait_q[w*PlaceW+HighW +: LevelW] & {LevelW{waiting_q[w]}};
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- outputs
  assign valid_o          = valid_q;
  assign sibling_o        = waiting_q;
  assign live_o           = live_q;
  assign depth_o          = in_use_q;
  assign resolved_valid_o = acts;
  assign resolved_warp_o  = acts ? warp : '0;
  assign resolved_slot_o  = 1'b0;
  assign resolved_next_o  = acts && !ends && (new_place == {1'b0, next_q});
  assign push_valid_o     = acts && diverges_q && !resolved_next_o;
  assign push_warp_o      = push_valid_o ? warp : '0;
  assign pop_valid_o      = meets;
  assign pop_warp_o       = meets ? warp : '0;
  assign done_valid_o     = meets && ends;
  assign done_warp_o      = done_valid_o ? warp : '0;
  assign overflow_valid_o = 1'b0;
  assign overflow_warp_o  = '0;

  generate
    if (Watch != 0) begin : gen_max_depth
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)             max_depth_o <= 1'b0;
        else if (launch_valid_i) max_depth_o <= 1'b1;
      end
    end else begin : gen_no_max_depth
      assign max_depth_o = 1'b0;
    end
  endgenerate

`ifndef SYNTHESIS
  stack_caller #(
    .NumWarps (NumWarps),
    .Lanes    (Lanes),
    .NumSlots (1),
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
    .depth_i          (depth_o),
    .acting_valid_i   (acts),
    .acting_warp_i    (warp)
  );

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (launch_valid_i) assert (launch_pc_i[StepW-1:0] == '0);   // the PC of a launch is no multiple of PcStep
      if (resolve_valid_i) begin
        assert ((resolve_target_i[StepW-1:0] == '0) && (resolve_next_i[StepW-1:0] == '0));   // a PC of a side is none
        assert ((resolve_exit_i & ~mask_o[resolve_warp_i*Lanes +: Lanes]) == '0);   // a thread of another path exits
      end
      assert ((advance_i & settled) == '0);           // a path without threads or on its way to others advances
      assert ((aside_i & (advance_i | resolving | settled | ~valid_q | ~others_o)) == '0);   // it does more
    end
  end
`endif
endmodule
