// SPDX-License-Identifier: Apache-2.0
// turns_table: the groups of a warp, threads with one PC, take turns: a group issues Each instructions, then the next.
//
// Contract
//   Latency  launch, advance and aside act at the edge at which they are sampled. A resolution is taken in there and
//            acts at the next edge; a change of turns is chosen in one cycle and done at the edge that ends the next.
//   Order    A turn ends with its last advance, with aside, and with a resolution. Next is the group of the first lane
//            above the one whose turn it was, round the warp, that is not of the old group; of a group that divides,
//            and is alone, any lane. One change a cycle: the lowest warp that has threads and no path, in a cycle in
//            which no resolution is taken in. A kill wins over everything else of its warp.
//   Reset    asynchronous, active low; no warp has threads. Data have no reset.
//   Idle     warp outputs of events are 0 while their valid is 0, and so is the mask of an empty path.
//   Assumes  (asserted) stack_caller.
//   Not here waiting for a resolution, and who is at a barrier: turns_frontend.
// The pins of every stack but for levels and meeting places: threads with one PC are one group, wherever they came from.
module turns_table #(
  parameter  int NumWarps = 24,  // warps of the partition
  parameter  int Lanes    = 32,  // threads of a warp
  parameter  int Each     = 1,   // instructions of a turn
  localparam int PcW      = heddle_pkg::PcW,
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int LaneW    = heddle_pkg::idx_width(Lanes),
  localparam int EachW    = heddle_pkg::idx_width(Each)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // from dispatcher
  input  logic                      launch_valid_i,
  input  logic [WarpW-1:0]          launch_warp_i,
  input  logic [PcW-1:0]            launch_pc_i,
  input  logic [Lanes-1:0]          launch_mask_i,
  input  logic                      kill_valid_i,
  input  logic [WarpW-1:0]          kill_warp_i,
  // from issue
  input  logic [NumWarps-1:0]       advance_i,
  input  logic [NumWarps-1:0]       aside_i,      // the path is at a barrier, and others are not
  // from execute
  input  logic                      resolve_valid_i,
  input  logic [WarpW-1:0]          resolve_warp_i,
  input  logic [Lanes-1:0]          resolve_taken_i,
  input  logic [PcW-1:0]            resolve_target_i,
  input  logic [PcW-1:0]            resolve_next_i,
  input  logic [Lanes-1:0]          resolve_exit_i,
  // paths
  output logic [NumWarps*PcW-1:0]   pc_o,
  output logic [NumWarps*Lanes-1:0] mask_o,
  output logic [NumWarps-1:0]       valid_o,
  output logic [NumWarps-1:0]       others_o,     // there are other groups
  // warps
  output logic [NumWarps*Lanes-1:0] live_o,
  output logic [NumWarps-1:0]       depth_o,
  // events
  output logic                      resolved_valid_o,
  output logic [WarpW-1:0]          resolved_warp_o,
  output logic                      resolved_next_o,
  output logic                      push_valid_o,
  output logic [WarpW-1:0]          push_warp_o,
  output logic                      pop_valid_o,
  output logic [WarpW-1:0]          pop_warp_o,
  output logic                      done_valid_o,
  output logic [WarpW-1:0]          done_warp_o,
  // status
  output logic                      max_depth_o,
  output logic [31:0]               changes_o     // turns that went to another group, since reset
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Each < 1 || Each > 15) Each_must_be_1_to_15 limit ();

  // State by warp: the path, the lane whose turn it is, instructions of the turn. Places of the path's threads are not
  // up to date in u_places.
  logic [NumWarps*PcW-1:0]   pc_q;
  logic [NumWarps*Lanes-1:0] mask_q, live_q;
  logic [NumWarps*LaneW-1:0] turn_q;
  logic [NumWarps*EachW-1:0] issued_q;
  logic [NumWarps-1:0]       valid_q, others_q, in_use_q;

  logic [NumWarps-1:0] launched, killed, resolving, settled;   // the warp of each event, one-hot
  assign launched  = launch_valid_i ? NumWarps'(1) << launch_warp_i : '0;
  assign killed    = kill_valid_i ? NumWarps'(1) << kill_warp_i : '0;
  assign resolving = resolve_valid_i ? NumWarps'(1) << resolve_warp_i : '0;

  // ------------------------------------------------------------------------- which warp is settled in the next cycle
  logic                acts, changes, reads;   // a resolution acts, or turns change; there is one in the next cycle
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
    .serves_o        (changes),
    .warp_o          (warp),
    .settled_o       (settled)
  );

  // ------------------------------------------------------------------------------------------- the sides of a branch
  logic [PcW-1:0]   target_q, next_q;
  logic [Lanes-1:0] resolve_mask, taken_q, exit_q;
  logic             diverges_q;

  always_comb begin
    resolve_mask = '0;
    for (int w = 0; w < NumWarps; w++)
      resolve_mask = resolve_mask | (mask_q[w*Lanes +: Lanes] & {Lanes{resolving[w]}});
    resolve_mask = resolve_mask & ~resolve_exit_i;
  end

  always_ff @(posedge clk_i) begin
    if (resolve_valid_i) begin
      target_q   <= resolve_target_i;
      next_q     <= resolve_next_i;
      taken_q    <= resolve_taken_i;
      exit_q     <= resolve_exit_i;
      diverges_q <= ((resolve_mask & resolve_taken_i) != '0) && ((resolve_mask & ~resolve_taken_i) != '0) &&
                    (resolve_target_i != resolve_next_i);
    end
  end

  // ----------------------------------------------------------------------------------------- whose turn comes next
  logic [Lanes*PcW-1:0] places, new_places;
  logic [PcW-1:0]       path_pc, new_pc;
  logic [Lanes-1:0]     path_mask, live, may, above, from, chosen, new_mask;
  logic [LaneW-1:0]     turn, new_turn;
  logic                 ends;

  heddle_mem #(
    .Words (NumWarps),
    .Width (Lanes * PcW)
  ) u_places (
    .clk_i         (clk_i),
    .write_valid_i (acts || changes),
    .write_addr_i  (warp),
    .write_data_i  (new_places),
    .read_valid_i  (reads),
    .read_addr_i   (next_warp),
    .read_data_o   (places)
  );

  always_comb begin
    path_pc   = '0;
    path_mask = '0;
    live      = '0;
    turn      = '0;
    for (int w = 0; w < NumWarps; w++) begin
      path_pc   = path_pc   | (pc_q[w*PcW +: PcW] & {PcW{settled[w]}});
      path_mask = path_mask | (mask_q[w*Lanes +: Lanes] & {Lanes{settled[w]}});
      live      = live      | (live_q[w*Lanes +: Lanes] & {Lanes{settled[w]}});
      turn      = turn      | (turn_q[w*LaneW +: LaneW] & {LaneW{settled[w]}});
    end
    if (acts) live = live & ~exit_q;
  end

  always_comb begin
    new_places = places;
    for (int l = 0; l < Lanes; l++) begin
      if (path_mask[l]) new_places[l*PcW +: PcW] = !acts ? path_pc : taken_q[l] ? target_q : next_q;
    end
  end

  assign may    = ((live & ~path_mask) != '0) ? live & ~path_mask : live;
  assign above  = may & ~({Lanes{1'b1}} >> (LaneW'(Lanes - 1) - turn));
  assign from   = (above != '0) ? above : may;
  assign chosen = from & (~from + Lanes'(1));
  assign ends   = live == '0;

  always_comb begin
    new_pc   = '0;
    new_turn = '0;
    for (int l = 0; l < Lanes; l++) begin
      new_pc   = new_pc   | (new_places[l*PcW +: PcW] & {PcW{chosen[l]}});
      new_turn = new_turn | (LaneW'(l) & {LaneW{chosen[l]}});
    end
    for (int l = 0; l < Lanes; l++) new_mask[l] = live[l] && (new_places[l*PcW +: PcW] == new_pc);
  end

  // ---------------------------------------------------------------------------------------------------------- state
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      logic last;   // instruction of the turn
      assign last = others_q[w] && (issued_q[w*EachW +: EachW] == EachW'(Each - 1));

      always_ff @(posedge clk_i) begin
        if (launched[w])                pc_q[w*PcW +: PcW] <= launch_pc_i;
        else if (settled[w] && !ends)   pc_q[w*PcW +: PcW] <= new_pc;
        else if (advance_i[w])          pc_q[w*PcW +: PcW] <= pc_q[w*PcW +: PcW] + PcW'(4);

        if (launched[w])                mask_q[w*Lanes +: Lanes] <= launch_mask_i;
        else if (settled[w])            mask_q[w*Lanes +: Lanes] <= new_mask;

        if (launched[w])                live_q[w*Lanes +: Lanes] <= launch_mask_i;
        else if (settled[w])            live_q[w*Lanes +: Lanes] <= live;

        if (launched[w])                turn_q[w*LaneW +: LaneW] <= '0;
        else if (settled[w] && !ends)   turn_q[w*LaneW +: LaneW] <= new_turn;

        if (launched[w] || settled[w])  issued_q[w*EachW +: EachW] <= '0;
        else if (advance_i[w] && others_q[w] && !last)
          issued_q[w*EachW +: EachW] <= issued_q[w*EachW +: EachW] + EachW'(1);
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          valid_q[w]  <= 1'b0;
          others_q[w] <= 1'b0;
          in_use_q[w] <= 1'b0;
        end else if (killed[w] || launched[w]) begin
          valid_q[w]  <= launched[w];
          others_q[w] <= 1'b0;
          in_use_q[w] <= launched[w];
        end else if (settled[w]) begin
          valid_q[w]  <= !ends;
          others_q[w] <= (live & ~new_mask) != '0;
          in_use_q[w] <= !(changes && ends);
        end else if (aside_i[w] || (advance_i[w] && last)) begin
          valid_q[w]  <= 1'b0;
        end
      end

      assign mask_o[w*Lanes +: Lanes] = mask_q[w*Lanes +: Lanes] & {Lanes{valid_q[w]}};
    end
  endgenerate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      max_depth_o <= 1'b0;
      changes_o   <= '0;
    end else begin
      if (launch_valid_i)            max_depth_o <= 1'b1;
      if ((live & ~path_mask) != '0) changes_o   <= changes_o + 32'd1;
    end
  end

  // -------------------------------------------------------------------------------------------------------- outputs
  assign pc_o             = pc_q;
  assign valid_o          = valid_q;
  assign others_o         = others_q;
  assign live_o           = live_q;
  assign depth_o          = in_use_q;
  assign resolved_valid_o = acts;
  assign resolved_warp_o  = acts ? warp : '0;
  assign resolved_next_o  = acts && !ends && (new_pc == next_q);
  assign push_valid_o     = acts && diverges_q && !resolved_next_o;
  assign push_warp_o      = push_valid_o ? warp : '0;
  assign pop_valid_o      = changes;
  assign pop_warp_o       = changes ? warp : '0;
  assign done_valid_o     = changes && ends;
  assign done_warp_o      = done_valid_o ? warp : '0;

`ifndef SYNTHESIS
  stack_caller #(
    .NumWarps (NumWarps),
    .Lanes    (Lanes),
    .NumSlots (1),
    .DepthW   (1)
  ) u_caller (
    .resolve_slot_i   (1'b0),
    .resolve_rpc_i    ({PcW{1'b0}}),
    .resolve_call_i   (1'b0),
    .resolve_return_i (1'b0),
    .valid_i          (valid_q),
    .depth_i          (in_use_q),
    .acting_valid_i   (acts),
    .acting_warp_i    (warp),
    .*
  );
`endif
endmodule
