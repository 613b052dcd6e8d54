// SPDX-License-Identifier: Apache-2.0
// convergence_barriers: the paths of a warp are a list, and nothing but a barrier joins two of them. Threads that reach
// a barrier of which they are part wait until all live threads of it have come, and are one path then.
//
// Contract
//   Latency  launch and advance act at the edge at which they are sampled. A resolution is taken in there and acts at
//            the next edge; a service is chosen in one cycle and done at the edge that ends the next. Answers and
//            events are shown in the cycle behind the act.
//   Order    One warp a cycle: that of a resolution; if none is taken in, the lowest that has threads and no path. It
//            ends, looks at its lowest barrier to be checked, takes the uppermost path of its list, or is stuck. A kill
//            wins over everything else of its warp, answers and events of that edge included.
//   Reset    asynchronous, active low; no warp has threads, answers and events are 0. Data have no reset.
//   Idle     warps of events, answer_*, event_* and the mask of an empty path are 0 while their valid is 0.
//   Assumes  (asserted) stack_caller; marks at which nobody branches, exits, calls or returns, of a barrier that is
//            there; exits of threads of the path.
//   Not here waiting for a resolution: cbar_frontend. Which threads a warpsync is for: who resolves it.
// The pins of every stack: depth_o counts paths, and one for the path that is up; sibling_o says that there are others.
// A path has no level and no place where it meets others. Nothing overflows: there are never more paths than threads.
// Above 450 lines: paths, list and barriers meet in one update of a warp's state; a cut would pass some 30 nets.
// Source: Abaie Shoushtary et al., arXiv 2407.02944 (paths, barriers, yield: Policy 0); US 10,067,768 claims barriers
// that a yield leaves. Arrived threads by barrier, Policy 1 and 2, warpsync, bmov in one step: ours.
module convergence_barriers #(
  parameter  int NumWarps  = 24,  // warps of the partition
  parameter  int Lanes     = 32,  // threads of a warp
  parameter  int Barriers  = 16,  // barriers of a warp
  parameter  int PushOrder = heddle_pkg::PushLargerFirst,  // the side that executes first: Push... of heddle_pkg
  parameter  int Policy    = heddle_pkg::YieldIsFair,  // who goes on after a yield: Yield... of heddle_pkg
  parameter  int YieldMode = heddle_pkg::YieldStays,  // YieldStays or YieldLeaves, the newest barrier
  parameter  int LevelW    = 8,  // bits of a call level, which is 0
  parameter  int Watch     = 1,  // 0: max_depth_o is left out
  parameter  int PcStep    = 4,  // bytes of an instruction: a power of two
  localparam int PcW       = heddle_pkg::PcW,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int DepthW    = heddle_pkg::idx_width(Lanes + 1),
  localparam int KindW     = heddle_pkg::KindW,
  localparam int BarrierW  = heddle_pkg::idx_width(Barriers),
  localparam int OperandW  = (Lanes > 64) ? Lanes : 64,
  localparam int EventW    = heddle_pkg::EventW
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
  input  logic [PcW-1:0]             resolve_rpc_i,       // of a barrier that is armed: where its threads go on
  input  logic [Lanes-1:0]           resolve_exit_i,
  input  logic                       resolve_call_i,
  input  logic                       resolve_return_i,
  input  logic [KindW+BarrierW-1:0]  resolve_kind_i,      // {barrier, MarkArm to MarkRestore}; others branch
  input  logic [OperandW-1:0]        resolve_operand_i,   // MarkSync, MarkRestore: a set of threads
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
  // to write-back
  output logic                       answer_valid_o,      // MarkSave, MarkSavePc
  output logic [WarpW-1:0]           answer_warp_o,
  output logic [OperandW-1:0]        answer_value_o,
  // to whoever runs programs
  output logic                       event_valid_o,
  output logic [WarpW-1:0]           event_warp_o,
  output logic [EventW-1:0]          event_code_o,        // Event... of heddle_pkg
  // status
  output logic [DepthW-1:0]          max_depth_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Barriers < 2 || Barriers > 16) Barriers_must_be_2_to_16 limit ();
  if (PushOrder < 0 || PushOrder > 3) PushOrder_must_be_0_to_3 limit ();
  if (Policy < 0 || Policy > 2) Policy_must_be_0_to_2 limit ();
  if (YieldMode < 0 || YieldMode > 1) YieldMode_must_be_0_or_1 limit ();
  if (LevelW < 2 || LevelW > 16) LevelW_must_be_2_to_16 limit ();   // as for every stack
  if (Watch < 0 || Watch > 1) Watch_must_be_0_or_1 limit ();
  if (PcStep < 2) PcStep_must_be_at_least_2 limit ();   // an odd PC is none
  if ((PcStep & (PcStep - 1)) != 0) PcStep_must_be_a_power_of_two limit ();

  localparam int KeptW  = PcW - 1;                          // PCs are even: bit 0 is not kept
  localparam int PlaceW = heddle_pkg::idx_width(Lanes);      // a row of the list, which is a ring
  localparam int Rows   = Barriers + Lanes;                 // barriers, then those of warpsyncs by their lowest lane
  localparam int RowW   = heddle_pkg::idx_width(Rows);
  localparam int ValueW = (Lanes > PcW) ? Lanes : PcW;      // of an answer

  localparam int ListAddrW = heddle_pkg::idx_width(NumWarps << PlaceW);
  localparam int RowAddrW  = heddle_pkg::idx_width(NumWarps << RowW);

  // State by warp: the path that is up, live threads, the list (uppermost row and number of rows), and of each barrier
  // whether it is armed and to be checked. (Paths of the list are in u_list, barriers in u_barriers.)
  logic [NumWarps*KeptW-1:0]  pc_q;
  logic [NumWarps*Lanes-1:0]  mask_q, live_q;
  logic [NumWarps*PlaceW-1:0] upper_q;
  logic [NumWarps*DepthW-1:0] rows_q;
  logic [NumWarps*Rows-1:0]   armed_q, check_q;
  logic [NumWarps-1:0]        in_use_q, valid_q, stuck_q;

  logic [NumWarps-1:0] launched, killed, resolving, settled;   // the warp of each event, one-hot

  assign launched  = launch_valid_i ? NumWarps'(1) << launch_warp_i : '0;
  assign killed    = kill_valid_i ? NumWarps'(1) << kill_warp_i : '0;
  assign resolving = resolve_valid_i ? NumWarps'(1) << resolve_warp_i : '0;

  logic unused;
  assign unused = ^{resolve_slot_i, resolve_call_i, resolve_return_i, resolve_rpc_i[0], resolve_operand_i,
                    launch_pc_i[0]};

  // ------------------------------------------------------------------------- which warp is settled in the next cycle
  logic                acts, serves, reads;   // a resolution acts, or a service is done; there is one in the next cycle
  logic [WarpW-1:0]    warp, next_warp;
  logic [NumWarps-1:0] waiter, picked;        // who is served, if no resolution is taken in

  settled_choice #(.NumWarps (NumWarps)) u_choice (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .kill_valid_i    (kill_valid_i),
    .kill_warp_i     (kill_warp_i),
    .resolve_valid_i (resolve_valid_i),
    .resolve_warp_i  (resolve_warp_i),
    .waits_i         (in_use_q & ~valid_q & ~stuck_q),
    .next_valid_o    (reads),
    .next_warp_o     (next_warp),
    .waiter_o        (waiter),
    .acts_o          (acts),
    .serves_o        (serves),
    .warp_o          (warp),
    .settled_o       (settled)
  );
  assign picked = resolve_valid_i ? resolving : waiter;

  // ------------------------------------------------------------------------------------- what is read and kept of it
  logic [Lanes-1:0]    old_mask, taken, stay;   // of a resolution
  logic [Lanes-1:0]    left_mask;               // of a service: threads of a path that does not issue
  logic [PlaceW-1:0]   old_upper;
  logic [DepthW-1:0]   old_rows;
  logic [Rows-1:0]     old_armed, old_check;
  logic [KindW-1:0]    kind;
  logic [BarrierW-1:0] barrier, newest;
  logic [Rows-1:0]     check_hot;           // the lowest barrier that is to be checked
  logic [Lanes-1:0]    lane_hot;            // the lowest lane of a warpsync
  logic [RowW-1:0]     check_row, lane_row, own_row, next_row;   // own: of a resolution

  // Each is chosen by what needs it: a resolution does not wait for the choice of a service.
  always_comb begin
    old_mask  = '0;
    left_mask = '0;
    old_upper = '0;
    old_rows  = '0;
    old_armed = '0;
    old_check = '0;
    for (int w = 0; w < NumWarps; w++) begin
      old_mask  = old_mask  | (mask_q[w*Lanes +: Lanes] & {Lanes{resolving[w]}});
      left_mask = left_mask | (mask_q[w*Lanes +: Lanes] & {Lanes{waiter[w] && !resolve_valid_i}});
      old_upper = old_upper | (upper_q[w*PlaceW +: PlaceW] & {PlaceW{picked[w]}});
      old_rows  = old_rows  | (rows_q[w*DepthW +: DepthW] & {DepthW{picked[w]}});
      old_armed = old_armed | (armed_q[w*Rows +: Rows] & {Rows{resolving[w]}});
      old_check = old_check | (check_q[w*Rows +: Rows] & {Rows{waiter[w]}});
    end
  end

  assign {barrier, kind} = resolve_kind_i;
  assign check_hot       = old_check & (~old_check + Rows'(1));
  assign lane_hot        = resolve_operand_i[Lanes-1:0] & (~resolve_operand_i[Lanes-1:0] + Lanes'(1));
  always_comb begin
    check_row = '0;
    lane_row  = '0;
    for (int i = 0; i < Rows; i++) check_row = check_row | (RowW'(i) & {RowW{check_hot[i]}});
    for (int l = 0; l < Lanes; l++) lane_row = lane_row | (RowW'(Barriers + l) & {RowW{lane_hot[l]}});
  end
  assign own_row  = (kind == KindW'(heddle_pkg::MarkSync))  ? lane_row :
                    (kind == KindW'(heddle_pkg::MarkYield)) ? RowW'(newest) : RowW'(barrier);
  assign next_row = resolve_valid_i ? own_row : check_row;

  assign taken = old_mask & resolve_taken_i & ~resolve_exit_i;
  assign stay  = old_mask & ~resolve_taken_i & ~resolve_exit_i;

  logic [KindW-1:0]  kind_q;
  logic [RowW-1:0]   row_q;                 // of u_barriers
  logic              row_armed_q;           // it counts
  logic              any_armed_q, any_check_q, more_check_q;   // a barrier is armed; to be checked; more than one
  logic [PlaceW-1:0] place_q;               // the uppermost row of the list, and how many there are
  logic [DepthW-1:0] count_q;
  logic [Lanes-1:0]  taken_q, stay_q, exit_q;   // threads of the path; of a service, all stay
  logic [Lanes-1:0]  operand_q;
  logic [KeptW-1:0]  target_q, next_q, rpc_q;
  logic              any_taken_q, any_stay_q, same_q, backward_q;   // sides with threads; one place; a loop

  always_ff @(posedge clk_i) begin
    if (reads) begin
      row_q        <= next_row;
      any_check_q  <= old_check != '0;
      more_check_q <= (old_check & ~check_hot) != '0;
      place_q      <= old_upper;
      count_q      <= old_rows;
      taken_q      <= taken;
      stay_q       <= stay | left_mask;
      any_taken_q  <= taken != '0;
      any_stay_q   <= (stay | left_mask) != '0;
    end
    if (resolve_valid_i) begin
      kind_q      <= kind;
      row_armed_q <= old_armed[own_row];
      any_armed_q <= old_armed != '0;
      exit_q      <= old_mask & resolve_exit_i;
      operand_q   <= resolve_operand_i[Lanes-1:0];
      target_q    <= resolve_target_i[PcW-1:1];
      next_q      <= resolve_next_i[PcW-1:1];
      rpc_q       <= resolve_rpc_i[PcW-1:1];
      same_q      <= resolve_target_i == resolve_next_i;
      backward_q  <= resolve_target_i < resolve_next_i;
    end
  end

  // ---------------------------------------------------------------------------------- storage, read for this cycle
  logic              list_writes, row_writes;
  logic [PlaceW-1:0] list_place;
  logic [KeptW-1:0]  list_pc, upper_pc, row_pc, new_row_pc;
  logic [Lanes-1:0]  list_mask, upper_mask, row_mask, row_arrived, new_row_mask, new_row_arrived;

  heddle_mem #(
    .Words (NumWarps << PlaceW),
    .Width (KeptW + Lanes)
  ) u_list (
    .clk_i         (clk_i),
    .write_valid_i (list_writes),
    .write_addr_i  (ListAddrW'({warp, list_place})),
    .write_data_i  ({list_pc, list_mask}),
    .read_valid_i  (reads),
    .read_addr_i   (ListAddrW'({next_warp, old_upper})),
    .read_data_o   ({upper_pc, upper_mask})
  );

  heddle_mem #(
    .Words (NumWarps << RowW),
    .Width (KeptW + 2 * Lanes)
  ) u_barriers (
    .clk_i         (clk_i),
    .write_valid_i (row_writes),
    .write_addr_i  (RowAddrW'({warp, row_q})),
    .write_data_i  ({new_row_pc, new_row_arrived, new_row_mask}),
    .read_valid_i  (reads),
    .read_addr_i   (RowAddrW'({next_warp, next_row})),
    .read_data_o   ({row_pc, row_arrived, row_mask})
  );

  logic [KeptW-1:0] path_pc;
  logic [Lanes-1:0] live;

  always_comb begin
    path_pc = '0;
    live    = '0;
    for (int w = 0; w < NumWarps; w++) begin
      path_pc = path_pc | (pc_q[w*KeptW +: KeptW] & {KeptW{settled[w]}});
      live    = live    | (live_q[w*Lanes +: Lanes] & {Lanes{settled[w]}});
    end
  end

  // --------------------------------------------------------------------------------------------- a resolution acts
  logic arms, arrives, breaks, yields, syncs, saves, saves_pc, restores, branches;   // the instruction

  assign arms     = acts && (kind_q == KindW'(heddle_pkg::MarkArm));
  assign arrives  = acts && (kind_q == KindW'(heddle_pkg::MarkArrive));
  assign breaks   = acts && (kind_q == KindW'(heddle_pkg::MarkBreak));
  assign yields   = acts && (kind_q == KindW'(heddle_pkg::MarkYield));
  assign syncs    = acts && (kind_q == KindW'(heddle_pkg::MarkSync));
  assign saves    = acts && (kind_q == KindW'(heddle_pkg::MarkSave));
  assign saves_pc = acts && (kind_q == KindW'(heddle_pkg::MarkSavePc));
  assign restores = acts && (kind_q == KindW'(heddle_pkg::MarkRestore));
  assign branches = acts && !(arms || arrives || breaks || yields || syncs || saves || saves_pc || restores);

  // The path and the barrier of the instruction; nobody takes or exits there.
  logic [Lanes-1:0] mine, meant;            // threads of the path in it; those of the operand, of the path or live
  logic             is_mine, any_meant, same_sync;
  logic             arm_acts, arrive_acts, break_acts, leave_acts, sync_acts, sync_arms, restore_acts, save_acts;

  assign mine         = row_mask & stay_q & {Lanes{row_armed_q}};
  assign is_mine      = mine != '0;
  assign meant        = operand_q & (restores ? live : stay_q);
  assign any_meant    = meant != '0;
  assign same_sync    = (row_mask == operand_q) && (row_pc == next_q);
  assign arm_acts     = arms && !row_armed_q;
  assign arrive_acts  = arrives && is_mine;
  assign break_acts   = breaks && is_mine;
  assign leave_acts   = (YieldMode == heddle_pkg::YieldLeaves) && yields && is_mine;
  assign sync_arms    = syncs && any_meant && !row_armed_q;
  assign sync_acts    = sync_arms || (syncs && any_meant && row_armed_q && same_sync);
  assign restore_acts = restores && any_meant && !row_armed_q;
  assign save_acts    = saves && is_mine && ((row_arrived & live) == '0);

  // The sides of a branch.
  logic exits, diverges, taken_upper, to_taken, loops, rotates, swaps;

  generate
    if (PushOrder == heddle_pkg::PushTakenFirst) begin : gen_taken_first
      assign taken_upper = 1'b1;
    end else if (PushOrder == heddle_pkg::PushFallThroughFirst) begin : gen_fallthrough_first
      assign taken_upper = 1'b0;
    end else begin : gen_by_size
      // Counted by halves in one cycle, and summed and compared in the next.
      localparam int HalfW = $clog2((Lanes + 1) / 2 + 1);
      logic [HalfW-1:0]  low_taken, high_taken, low_stay, high_stay;
      logic [HalfW-1:0]  low_taken_q, high_taken_q, low_stay_q, high_stay_q;
      logic [DepthW-1:0] num_taken, num_stay;
      always_comb begin
        low_taken  = '0;
        high_taken = '0;
        low_stay   = '0;
        high_stay  = '0;
        for (int l = 0; l < Lanes; l++) begin
          if (l < (Lanes + 1) / 2) begin
            low_taken = low_taken + HalfW'(taken[l]);
            low_stay  = low_stay + HalfW'(stay[l]);
          end else begin
            high_taken = high_taken + HalfW'(taken[l]);
            high_stay  = high_stay + HalfW'(stay[l]);
          end
        end
      end
      always_ff @(posedge clk_i) begin
        if (resolve_valid_i) begin
          low_taken_q  <= low_taken;
          high_taken_q <= high_taken;
          low_stay_q   <= low_stay;
          high_stay_q  <= high_stay;
        end
      end
      assign num_taken   = DepthW'(low_taken_q) + DepthW'(high_taken_q);
      assign num_stay    = DepthW'(low_stay_q) + DepthW'(high_stay_q);
      assign taken_upper = (PushOrder == heddle_pkg::PushSmallerFirst) ? (num_taken <= num_stay) :
                                                                         (num_taken >= num_stay);
    end
  endgenerate

  assign exits    = branches && (exit_q != '0);
  assign diverges = branches && any_taken_q && any_stay_q && !same_q;
  assign loops    = (Policy == heddle_pkg::YieldIsFairAtBranches) && branches && any_taken_q && backward_q;
  assign to_taken = any_taken_q && (!diverges || (taken_upper && !loops));

  // The path goes behind the others; or it changes places with the uppermost of them.
  assign rotates  = (count_q != '0) && (((Policy != heddle_pkg::YieldSwaps) && yields) || (loops && !diverges));
  assign swaps    = (Policy == heddle_pkg::YieldSwaps) && yields && (count_q != '0) && row_armed_q &&
                    (((stay_q | upper_mask) & ~row_mask) == '0);

  // --------------------------------------------------------------------------------------------- a service is done
  logic [Lanes-1:0] members;                // live threads of the barrier
  logic             looks, ends, releases, closes, pops, sticks;

  assign members  = row_mask & live;
  assign ends     = serves && (live == '0);
  assign looks    = serves && !ends && any_check_q;
  assign releases = looks && (members != '0) && ((members & ~row_arrived) == '0);
  assign closes   = looks && ((members & ~row_arrived) == '0);   // released, or all its threads have left
  assign pops     = serves && !ends && !any_check_q && (count_q != '0);
  assign sticks   = serves && !ends && !any_check_q && (count_q == '0);

  // ------------------------------------------------------------------------------------------------- the new path
  logic [KeptW-1:0]  side_pc, other_pc, new_pc;
  logic [Lanes-1:0]  both, side_mask, other_mask, new_mask;
  logic              pushes, sinks;         // a path goes on top of the list; to its bottom
  logic              takes_upper, moves, row_checks, checks, new_valid;   // checks: of barriers
  logic [DepthW-1:0] new_rows;
  logic [PlaceW-1:0] new_upper;

  assign both        = taken_q | stay_q;
  assign side_pc     = to_taken ? target_q : next_q;
  assign other_pc    = to_taken ? next_q : target_q;
  assign side_mask   = !diverges ? both : to_taken ? taken_q : stay_q;
  assign other_mask  = to_taken ? stay_q : taken_q;

  assign takes_upper = pops || rotates || swaps;
  assign pushes      = (diverges && !loops) || (releases && any_stay_q);
  assign sinks       = rotates || (diverges && loops);
  assign moves       = takes_upper || releases || (acts && !sync_acts);
  assign new_pc      = takes_upper ? upper_pc : releases ? row_pc : side_pc;
  assign new_mask    = takes_upper ? upper_mask :
                       releases    ? members :
                                     side_mask & ~(row_mask & {Lanes{arrive_acts}}) & ~(operand_q & {Lanes{sync_acts}});
  assign row_checks  = arrive_acts || break_acts || leave_acts || sync_acts;
  assign checks      = row_checks || (exits && any_armed_q) || (serves && more_check_q);
  assign new_valid   = (new_mask != '0) && !checks && !ends;

  assign list_writes = pushes || sinks || swaps;
  assign list_place  = pushes ? place_q + PlaceW'(1) : sinks ? place_q - PlaceW'(count_q) : place_q;
  assign list_pc     = releases ? path_pc : diverges ? other_pc : side_pc;
  assign list_mask   = diverges ? other_mask : both;
  assign new_upper   = pushes ? place_q + PlaceW'(1) : (pops || rotates) ? place_q - PlaceW'(1) : place_q;
  assign new_rows    = (pushes || (diverges && loops)) ? count_q + DepthW'(1) : pops ? count_q - DepthW'(1) : count_q;

  // ---------------------------------------------------------------------------------------------- the new barrier
  logic            sets, clears;            // it is armed; no longer
  logic [Rows-1:0] row_hot;

  assign sets            = arm_acts || sync_arms || restore_acts;
  assign clears          = closes || save_acts;
  assign row_hot         = Rows'(1) << row_q;
  assign row_writes      = sets || row_checks;
  assign new_row_pc      = syncs ? next_q : sets ? rpc_q : row_pc;
  assign new_row_mask    = arms ? stay_q : restores ? meant : syncs ? operand_q :
                           row_mask & ~(stay_q & {Lanes{breaks || yields}});
  assign new_row_arrived = (row_arrived & {Lanes{!sets}}) | (mine & {Lanes{arrives}}) | (meant & {Lanes{syncs}});

  // -------------------------------------------------------------------------- the age of barriers, for the newest one
  generate
    if ((Policy == heddle_pkg::YieldSwaps) || (YieldMode == heddle_pkg::YieldLeaves)) begin : gen_age
      localparam int AgeW = BarrierW;
      logic [NumWarps*Barriers*AgeW-1:0] age_q;        // armed barriers that are older
      logic [Barriers*AgeW-1:0]          old_age;
      logic [AgeW:0]                     old_count;    // armed barriers
      logic [AgeW-1:0]                   row_age, count_age_q, row_age_q;   // of the row; how many there are
      logic                              is_newest;

      always_comb begin
        old_age   = '0;
        old_count = '0;
        newest    = '0;
        for (int w = 0; w < NumWarps; w++) begin
          old_age = old_age | (age_q[w*Barriers*AgeW +: Barriers*AgeW] & {Barriers*AgeW{picked[w]}});
        end
        for (int b = 0; b < Barriers; b++) old_count = old_count + (AgeW+1)'(old_armed[b]);
        is_newest = 1'b0;
        for (int b = 0; b < Barriers; b++) begin
          is_newest = old_armed[b] && ({1'b0, old_age[b*AgeW +: AgeW]} + (AgeW+1)'(1) == old_count);
          newest    = newest | (BarrierW'(b) & {BarrierW{is_newest}});
        end
      end

      always_comb begin
        row_age = '0;
        for (int b = 0; b < Barriers; b++) begin
          row_age = row_age | (old_age[b*AgeW +: AgeW] & {AgeW{next_row == RowW'(b)}});
        end
      end

      always_ff @(posedge clk_i) begin
        if (reads) begin
          count_age_q <= old_count[AgeW-1:0];
          row_age_q   <= row_age;
        end
      end

      for (genvar i = 0; i < NumWarps * Barriers; i++) begin : gen_barrier
        localparam int W = i / Barriers;
        localparam int B = i % Barriers;
        always_ff @(posedge clk_i) begin
          if (settled[W] && sets && row_hot[B]) age_q[i*AgeW +: AgeW] <= count_age_q;
          else if (settled[W] && clears && (row_hot[Barriers-1:0] != '0) && (age_q[i*AgeW +: AgeW] > row_age_q)) begin
            age_q[i*AgeW +: AgeW] <= age_q[i*AgeW +: AgeW] - AgeW'(1);
          end
        end
      end
    end else begin : gen_no_age
      assign newest = '0;
    end
  endgenerate

  // ------------------------------------------------------------------------------------------------------ state
  generate
    for (genvar w = 0; w < NumWarps; w++) begin : gen_warp
      always_ff @(posedge clk_i) begin
        if (launched[w])              pc_q[w*KeptW +: KeptW] <= launch_pc_i[PcW-1:1];
        else if (settled[w] && moves) pc_q[w*KeptW +: KeptW] <= new_pc;
        else if (advance_i[w])        pc_q[w*KeptW +: KeptW] <= pc_q[w*KeptW +: KeptW] + KeptW'(PcStep / 2);

        if (launched[w])     mask_q[w*Lanes +: Lanes] <= launch_mask_i;
        else if (settled[w]) mask_q[w*Lanes +: Lanes] <= new_mask;

        if (launched[w])              live_q[w*Lanes +: Lanes] <= launch_mask_i;
        else if (settled[w] && exits) live_q[w*Lanes +: Lanes] <= live & ~exit_q;

        if (launched[w])     upper_q[w*PlaceW +: PlaceW] <= '0;
        else if (settled[w]) upper_q[w*PlaceW +: PlaceW] <= new_upper;
      end

      for (genvar i = 0; i < Rows; i++) begin : gen_row
        always_ff @(posedge clk_i) begin
          if (launched[w])                                            armed_q[w*Rows+i] <= 1'b0;
          else if (settled[w] && row_hot[i] && (sets || clears))      armed_q[w*Rows+i] <= sets;

          if (launched[w])                                            check_q[w*Rows+i] <= 1'b0;
          else if (settled[w] && exits)                               check_q[w*Rows+i] <= armed_q[w*Rows+i];
          else if (settled[w] && row_hot[i] && (row_checks || looks)) check_q[w*Rows+i] <= row_checks;
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          in_use_q[w] <= 1'b0;
          valid_q[w]  <= 1'b0;
          stuck_q[w]  <= 1'b0;
        end else if (killed[w] || launched[w]) begin
          in_use_q[w] <= launched[w];
          valid_q[w]  <= launched[w];
          stuck_q[w]  <= 1'b0;
        end else if (settled[w]) begin
          in_use_q[w] <= !ends;
          valid_q[w]  <= new_valid;
          stuck_q[w]  <= sticks;
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                       rows_q[w*DepthW +: DepthW] <= '0;
        else if (killed[w] || launched[w]) rows_q[w*DepthW +: DepthW] <= '0;
        else if (settled[w])               rows_q[w*DepthW +: DepthW] <= new_rows;
      end

      assign pc_o[w*PcW +: PcW]          = {pc_q[w*KeptW +: KeptW], 1'b0};
      assign mask_o[w*Lanes +: Lanes]    = mask_q[w*Lanes +: Lanes] & {Lanes{valid_q[w]}};
      assign sibling_o[w]                = rows_q[w*DepthW +: DepthW] != '0;
      assign depth_o[w*DepthW +: DepthW] = (rows_q[w*DepthW +: DepthW] + DepthW'(1)) & {DepthW{in_use_q[w]}};
    end
  endgenerate

  // --------------------------------------------------------------------------------------------- answers and events
  logic              survives, answers, tells;
  logic [EventW-1:0] code;
  logic [ValueW-1:0] value, answer_value_q;

  assign survives = (settled & ~killed) != '0;
  assign answers  = (saves || saves_pc) && survives;
  assign value    = (saves ? ValueW'(members) : ValueW'({row_pc, 1'b0})) & {ValueW{is_mine}};

  // (At most one of them.)
  assign code = sticks                                                             ? EventW'(heddle_pkg::EventStuck) :
                (arms && is_mine) || (restores && any_meant && row_armed_q)        ? EventW'(heddle_pkg::EventArmed) :
                syncs && any_meant && !sync_acts                                   ? EventW'(heddle_pkg::EventMixed) :
                saves && is_mine && !save_acts                                     ? EventW'(heddle_pkg::EventMoved) :
                                                                                     '0;
  assign tells = (code != '0) && survives;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      answer_valid_o <= 1'b0;
      answer_warp_o  <= '0;
      answer_value_q <= '0;
      event_valid_o  <= 1'b0;
      event_warp_o   <= '0;
      event_code_o   <= '0;
    end else begin
      answer_valid_o <= answers;
      event_valid_o  <= tells;
      if (answers || answer_valid_o) begin
        answer_warp_o  <= warp & {WarpW{answers}};
        answer_value_q <= value & {ValueW{answers}};
      end
      if (tells || event_valid_o) begin
        event_warp_o <= warp & {WarpW{tells}};
        event_code_o <= code & {EventW{tells}};
      end
    end
  end
  assign answer_value_o = OperandW'(answer_value_q);

  generate
    if (Watch != 0) begin : gen_max_depth
      logic [DepthW-1:0] max_depth_q;
      logic              deeper;
      assign deeper = survives && (new_rows >= max_depth_q) && !ends;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                                    max_depth_q <= '0;
        else if (deeper)                                max_depth_q <= new_rows + DepthW'(1);
        else if (launch_valid_i && (max_depth_q == '0)) max_depth_q <= DepthW'(1);
      end
      assign max_depth_o = max_depth_q;
    end else begin : gen_no_max_depth
      assign max_depth_o = '0;
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- outputs
  assign level_o          = '0;
  assign valid_o          = valid_q;
  assign rpc_o            = '0;
  assign rpc_level_o      = '0;
  assign live_o           = live_q;
  assign resolved_valid_o = acts;
  assign resolved_warp_o  = acts ? warp : '0;
  assign resolved_slot_o  = 1'b0;
  assign resolved_next_o  = acts && !takes_upper && !sync_acts && (new_mask != '0) && (!to_taken || same_q);
  assign push_valid_o     = diverges && !resolved_next_o;
  assign push_warp_o      = push_valid_o ? warp : '0;
  assign pop_valid_o      = ends || releases || pops;
  assign pop_warp_o       = pop_valid_o ? warp : '0;
  assign done_valid_o     = ends;
  assign done_warp_o      = ends ? warp : '0;
  assign overflow_valid_o = 1'b0;
  assign overflow_warp_o  = '0;

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
    .resolve_rpc_i    ({resolve_rpc_i[PcW-1:1], 1'b0}),
    .resolve_call_i   (resolve_call_i),
    .resolve_return_i (resolve_return_i),
    .valid_i          (valid_q),
    .depth_i          (depth_o),
    .acting_valid_i   (acts),
    .acting_warp_i    (warp)
  );

  logic marked;   // an instruction of this module
  assign marked = (kind >= KindW'(heddle_pkg::MarkArm)) && (kind <= KindW'(heddle_pkg::MarkRestore));

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (resolve_valid_i) begin
        assert (32'(barrier) < Barriers);                                            // a barrier that is not there
        assert ((resolve_exit_i & ~mask_o[resolve_warp_i*Lanes +: Lanes]) == '0);    // a thread of another path exits
        assert (!marked || ((resolve_taken_i == '0) && (resolve_exit_i == '0)));     // threads branch or exit in a mark
        assert (!marked || (!resolve_call_i && !resolve_return_i));                  // a mark calls or returns
      end
      assert ((advance_i & settled) == '0);     // a path without threads, or one that is checked, advances
    end
  end
`endif
endmodule
