// SPDX-License-Identifier: Apache-2.0
// Properties of convergence_barriers (scripts/prove), of the whole state of one arbitrary warp: where its threads are, and
// what its barriers know. One thread is followed by a reference that knows its own instructions only, one barrier by one
// of its mask and PC.
//
//! run NumWarps=1 Lanes=3 Barriers=2 PushOrder=3 Policy=1 YieldMode=0
//! run NumWarps=1 Lanes=3 Barriers=2 PushOrder=0 Policy=0 YieldMode=1
//! run NumWarps=1 Lanes=3 Barriers=3 PushOrder=2 Policy=2 YieldMode=0
//! run NumWarps=1 Lanes=4 Barriers=2 PushOrder=1 Policy=1 YieldMode=0
//! run NumWarps=3 Lanes=2 Barriers=2 PushOrder=3 Policy=1 YieldMode=0
//! assume launch_is_legal: A launched warp has ended, has a number below NumWarps, an even PC, and at least one thread.
//! assume advance_is_legal: An advance names a warp with a path whose resolution does not act.
//! assume resolve_is_legal: A resolution names a warp with a path, which does not advance in this cycle and has none that acts, and a barrier that is there. PCs of the sides are even. Threads of the path alone exit, and at a mark nobody branches, exits, calls or returns.
//! assume kill_is_legal: A kill names a warp with a number below NumWarps that is not launched in this cycle.
//! assume looked_at_is_there: Warp, thread and barrier that are looked at are any that exist.
//! together rtl_assertions live_is_reference thread_is_somewhere arrived_in_mask paths_have_threads list_fits barrier_is_checked barrier_is_reference thread_in_its_place older_is_less release_is_whole stuck_is_true done_is_empty
//!
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions, and no row is read as it is written.
//!   mutant settled_choice_takes_a_settled_warp
//! property live_is_reference: A thread is live from its launch to its exit or the end of its warp by a kill.
//!   mutant cbar_exit_stays_live
//! property thread_is_somewhere: A live thread is in the path, in one row of the list, or waits at one barrier, and never in two of them; a thread that is not live is in none.
//!   mutant cbar_release_forgets_the_path
//! property arrived_in_mask: Who waits at a barrier is in its mask.
//!   mutant cbar_warpsync_takes_all
//! property paths_have_threads: Every row of the list has a thread, and a path issues if and only if it has one and no barrier is to be checked.
//!   mutant cbar_issues_before_the_check
//! property list_fits: The list has fewer rows than the warp has lanes.
//!   mutant cbar_rotation_adds_a_row
//! property barrier_is_checked: A barrier of which all live threads have arrived is to be checked, and only one that is armed is.
//!   mutant cbar_exit_checks_nothing
//! property barrier_is_reference: An armed barrier has the threads and the PC that it was armed with, but for those that left it.
//!   mutant cbar_break_leaves_the_thread
//! property thread_in_its_place: A thread of the path or the list is where its own instructions led it, or where its barrier was released to.
//!   mutant cbar_release_goes_on_where_it_is
//! property older_is_less: Of two armed barriers the one that was armed first has the lower age, and ages have no gap.
//!   only Policy=0
//!   mutant cbar_age_of_the_older_falls
//! property release_is_whole: A release takes all live threads of the barrier, each of which has arrived, and they are the path.
//!   mutant cbar_release_without_the_last
//! property stuck_is_true: A warp is stuck if it has live threads and no path, and at each barrier where somebody waits a live thread is missing.
//!   mutant cbar_stuck_beside_a_row
//! property done_is_empty: A warp is done when its last thread has exited, not before.
//!   mutant cbar_done_with_threads
module convergence_barriers_props #(
  parameter  int NumWarps  = 1,
  parameter  int Lanes     = 3,
  parameter  int Barriers  = 2,
  parameter  int PushOrder = 3,
  parameter  int Policy    = 1,
  parameter  int YieldMode = 0,
  localparam int WarpW     = heddle_pkg::idx_width(NumWarps),
  localparam int BarrierW  = heddle_pkg::idx_width(Barriers)
) (
  input logic                clk_i,
  input logic                launch_valid_i,
  input logic [WarpW-1:0]    launch_warp_i,
  input logic [31:0]         launch_pc_i,
  input logic [Lanes-1:0]    launch_mask_i,
  input logic                advance_valid_i,
  input logic [WarpW-1:0]    advance_warp_i,
  input logic                resolve_valid_i,
  input logic [WarpW-1:0]    resolve_warp_i,
  input logic [Lanes-1:0]    resolve_taken_i,
  input logic [31:0]         resolve_target_i,
  input logic [31:0]         resolve_next_i,
  input logic [31:0]         resolve_rpc_i,
  input logic [Lanes-1:0]    resolve_exit_i,
  input logic [3:0]          resolve_kind_i,
  input logic [BarrierW-1:0] resolve_barrier_i,
  input logic [Lanes-1:0]    resolve_operand_i,
  input logic                kill_valid_i,
  input logic [WarpW-1:0]    kill_warp_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  localparam int DepthW = heddle_pkg::idx_width(Lanes + 1);
  logic [NumWarps*32-1:0]     unused_pc, unused_rpc;
  logic [NumWarps*8-1:0]      unused_level, unused_rpc_level;
  logic [NumWarps*Lanes-1:0]  mask, live;
  logic [NumWarps-1:0]        valid, unused_sibling;
  logic [NumWarps*DepthW-1:0] depth;
  logic [DepthW-1:0]          unused_max_depth;
  logic                       done_valid, pop_valid, event_valid, unused_resolved, unused_next, unused_slot;
  logic                       unused_push, unused_overflow, unused_answer;
  logic [WarpW-1:0]           done_warp, pop_warp, event_warp, unused_resolved_warp, unused_push_warp;
  logic [WarpW-1:0]           unused_overflow_warp, unused_answer_warp;
  logic [63:0]                unused_value;
  logic [2:0]                 event_code;

  convergence_barriers #(
    .NumWarps  (NumWarps),
    .Lanes     (Lanes),
    .Barriers  (Barriers),
    .PushOrder (PushOrder),
    .Policy    (Policy),
    .YieldMode (YieldMode)
  ) dut (
    .clk_i             (clk_i),
    .rst_ni            (rst_n),
    .launch_valid_i    (launch_valid_i),
    .launch_warp_i     (launch_warp_i),
    .launch_pc_i       (launch_pc_i),
    .launch_mask_i     (launch_mask_i),
    .kill_valid_i      (kill_valid_i),
    .kill_warp_i       (kill_warp_i),
    .advance_i         (NumWarps'(advance_valid_i) << advance_warp_i),
    .resolve_valid_i   (resolve_valid_i),
    .resolve_warp_i    (resolve_warp_i),
    .resolve_slot_i    (1'b0),
    .resolve_taken_i   (resolve_taken_i),
    .resolve_target_i  (resolve_target_i),
    .resolve_next_i    (resolve_next_i),
    .resolve_rpc_i     (resolve_rpc_i),
    .resolve_exit_i    (resolve_exit_i),
    .resolve_call_i    (1'b0),
    .resolve_return_i  (1'b0),
    .resolve_kind_i    ({resolve_barrier_i, resolve_kind_i}),
    .resolve_operand_i (64'(resolve_operand_i)),
    .pc_o              (unused_pc),
    .mask_o            (mask),
    .level_o           (unused_level),
    .valid_o           (valid),
    .sibling_o         (unused_sibling),
    .rpc_o             (unused_rpc),
    .rpc_level_o       (unused_rpc_level),
    .live_o            (live),
    .depth_o           (depth),
    .resolved_valid_o  (unused_resolved),
    .resolved_warp_o   (unused_resolved_warp),
    .resolved_slot_o   (unused_slot),
    .resolved_next_o   (unused_next),
    .push_valid_o      (unused_push),
    .push_warp_o       (unused_push_warp),
    .pop_valid_o       (pop_valid),
    .pop_warp_o        (pop_warp),
    .done_valid_o      (done_valid),
    .done_warp_o       (done_warp),
    .overflow_valid_o  (unused_overflow),
    .overflow_warp_o   (unused_overflow_warp),
    .answer_valid_o    (unused_answer),
    .answer_warp_o     (unused_answer_warp),
    .answer_value_o    (unused_value),
    .event_valid_o     (event_valid),
    .event_warp_o      (event_warp),
    .event_code_o      (event_code),
    .max_depth_o       (unused_max_depth)
  );

  // A resolution is followed in the cycle in which it acts, unless its warp is killed when it is taken in.
  logic                act_valid;
  logic [WarpW-1:0]    act_warp;
  logic [Lanes-1:0]    act_taken, act_exit, act_operand;
  logic [31:0]         act_target, act_next, act_rpc;
  logic [3:0]          act_kind;
  logic [BarrierW-1:0] act_barrier;
  always_ff @(posedge clk_i) begin
    act_valid   <= rst_n && resolve_valid_i && !(kill_valid_i && (kill_warp_i == resolve_warp_i));
    act_warp    <= resolve_warp_i;
    act_taken   <= resolve_taken_i;
    act_target  <= resolve_target_i;
    act_next    <= resolve_next_i;
    act_rpc     <= resolve_rpc_i;
    act_exit    <= resolve_exit_i;
    act_kind    <= resolve_kind_i;
    act_barrier <= resolve_barrier_i;
    act_operand <= resolve_operand_i;
  end

  // ------------------------------------------------------------------------------------------- the state of the warp
  localparam int PlaceW = $clog2(Lanes);
  localparam int Ring   = 1 << PlaceW;
  localparam int Rows   = Barriers + Lanes;
  localparam int RowW   = heddle_pkg::idx_width(Rows);
  localparam int ListW  = 31 + Lanes;        // {pc, mask}
  localparam int StateW = 31 + 2 * Lanes;    // {pc, arrived, mask}
  (* anyconst *) logic [WarpW-1:0]         warp;
  (* anyconst *) logic [$clog2(Lanes)-1:0] lane;
  (* anyconst *) logic [RowW-1:0]          number;   // of a barrier

  (* hierconn *) wire [NumWarps*31-1:0] \dut.pc_q ;
  (* hierconn *) wire [NumWarps*Lanes-1:0] \dut.mask_q ;
  (* hierconn *) wire [NumWarps*PlaceW-1:0] \dut.upper_q ;
  (* hierconn *) wire [NumWarps*DepthW-1:0] \dut.rows_q ;
  (* hierconn *) wire [NumWarps*Rows-1:0] \dut.armed_q , \dut.check_q ;
  (* hierconn *) wire [NumWarps-1:0] \dut.in_use_q , \dut.stuck_q ;

  (* hierconn *) wire [ListW-1:0] \dut.u_list.gen_inferred.words[0] , \dut.u_list.gen_inferred.words[1] ;
  (* hierconn *) wire [ListW-1:0] \dut.u_list.gen_inferred.words[2] , \dut.u_list.gen_inferred.words[3] ;
  (* hierconn *) wire [ListW-1:0] \dut.u_list.gen_inferred.words[4] , \dut.u_list.gen_inferred.words[5] ;
  wire [6*ListW-1:0] lists = {\dut.u_list.gen_inferred.words[5] , \dut.u_list.gen_inferred.words[4] ,
                              \dut.u_list.gen_inferred.words[3] , \dut.u_list.gen_inferred.words[2] ,
                              \dut.u_list.gen_inferred.words[1] , \dut.u_list.gen_inferred.words[0] };
  (* hierconn *) wire [StateW-1:0] \dut.u_barriers.gen_inferred.words[0] , \dut.u_barriers.gen_inferred.words[1] ;
  (* hierconn *) wire [StateW-1:0] \dut.u_barriers.gen_inferred.words[2] , \dut.u_barriers.gen_inferred.words[3] ;
  (* hierconn *) wire [StateW-1:0] \dut.u_barriers.gen_inferred.words[4] , \dut.u_barriers.gen_inferred.words[5] ;
  (* hierconn *) wire [StateW-1:0] \dut.u_barriers.gen_inferred.words[6] , \dut.u_barriers.gen_inferred.words[7] ;
  (* hierconn *) wire [StateW-1:0] \dut.u_barriers.gen_inferred.words[8] , \dut.u_barriers.gen_inferred.words[9] ;
  (* hierconn *) wire [StateW-1:0] \dut.u_barriers.gen_inferred.words[10] , \dut.u_barriers.gen_inferred.words[11] ;
  wire [12*StateW-1:0] states = {\dut.u_barriers.gen_inferred.words[11] , \dut.u_barriers.gen_inferred.words[10] ,
                                 \dut.u_barriers.gen_inferred.words[9] , \dut.u_barriers.gen_inferred.words[8] ,
                                 \dut.u_barriers.gen_inferred.words[7] , \dut.u_barriers.gen_inferred.words[6] ,
                                 \dut.u_barriers.gen_inferred.words[5] , \dut.u_barriers.gen_inferred.words[4] ,
                                 \dut.u_barriers.gen_inferred.words[3] , \dut.u_barriers.gen_inferred.words[2] ,
                                 \dut.u_barriers.gen_inferred.words[1] , \dut.u_barriers.gen_inferred.words[0] };
  initial if ((NumWarps << PlaceW) > 6 || (NumWarps << RowW) > 12) $fatal(1, "another storage than is looked at");

  logic                    in_use, issues, stuck, killed;
  logic [Lanes-1:0]        top, alive;
  logic [30:0]             top_pc;
  logic [PlaceW-1:0]       upper;
  logic [DepthW-1:0]       rows;
  logic [Rows-1:0]         armed, check;
  logic [Ring-1:0]         present;                  // rows that the list has
  logic [Ring*ListW-1:0]   list;
  logic [(1<<RowW)*StateW-1:0] state;
  assign in_use  = \dut.in_use_q [warp];
  assign stuck   = \dut.stuck_q [warp];
  assign issues  = valid[warp];
  assign top     = \dut.mask_q [warp*Lanes +: Lanes];
  assign alive   = live[warp*Lanes +: Lanes];
  assign top_pc  = \dut.pc_q [warp*31 +: 31];
  assign upper   = \dut.upper_q [warp*PlaceW +: PlaceW];
  assign rows    = \dut.rows_q [warp*DepthW +: DepthW];
  assign armed   = \dut.armed_q [warp*Rows +: Rows];
  assign check   = \dut.check_q [warp*Rows +: Rows];
  assign list    = lists[warp*Ring*ListW +: Ring*ListW];
  assign state   = states[warp*(1<<RowW)*StateW +: (1<<RowW)*StateW];
  assign killed  = kill_valid_i && (kill_warp_i == warp);

  logic [Rows*Lanes-1:0] masks, arrived;   // of barriers
  logic [Rows*31-1:0]    pcs;
  always_comb begin
    for (int i = 0; i < Rows; i++) begin
      masks[i*Lanes +: Lanes]   = state[i*StateW +: Lanes];
      arrived[i*Lanes +: Lanes] = state[i*StateW+Lanes +: Lanes];
      pcs[i*31 +: 31]           = state[i*StateW+2*Lanes +: 31];
    end
  end

  // In how many places each thread is: none, one, more.
  logic [Lanes-1:0] once, twice, waits;
  logic             in_masks, rows_filled, checked;
  always_comb begin
    once        = top;
    twice       = '0;
    waits       = '0;
    in_masks    = 1'b1;
    rows_filled = 1'b1;
    checked     = 1'b1;
    for (int i = 0; i < Ring; i++) begin
      present[i] = 32'(PlaceW'(upper - PlaceW'(i))) < 32'(rows);
      if (present[i]) begin
        twice       = twice | (once & list[i*ListW +: Lanes]);
        once        = once | list[i*ListW +: Lanes];
        rows_filled = rows_filled && (list[i*ListW +: Lanes] != '0);
      end
    end
    for (int i = 0; i < Rows; i++) begin
      if (armed[i]) begin
        twice    = twice | (once & arrived[i*Lanes +: Lanes]);
        once     = once | arrived[i*Lanes +: Lanes];
        waits    = waits | arrived[i*Lanes +: Lanes];
        in_masks = in_masks && ((arrived[i*Lanes +: Lanes] & ~masks[i*Lanes +: Lanes]) == '0);
        checked  = checked && (check[i] || ((masks[i*Lanes +: Lanes] & alive & ~arrived[i*Lanes +: Lanes]) != '0));
      end else begin
        checked = checked && !check[i];
      end
    end
  end

  // --------------------------------------------------------------------------------- what the RTL keeps of the warp
  (* hierconn *) wire \dut.acts , \dut.serves , \dut.row_armed_q , \dut.any_armed_q , \dut.any_check_q ;
  (* hierconn *) wire \dut.more_check_q , \dut.any_taken_q , \dut.any_stay_q , \dut.same_q , \dut.backward_q ;
  (* hierconn *) wire [WarpW-1:0] \dut.warp ;
  (* hierconn *) wire [RowW-1:0] \dut.row_q ;
  (* hierconn *) wire [3:0] \dut.kind_q ;
  (* hierconn *) wire [PlaceW-1:0] \dut.place_q ;
  (* hierconn *) wire [DepthW-1:0] \dut.count_q ;
  (* hierconn *) wire [Lanes-1:0] \dut.taken_q , \dut.stay_q , \dut.exit_q , \dut.operand_q ;
  (* hierconn *) wire [30:0] \dut.target_q , \dut.next_q , \dut.rpc_q ;
  localparam int ListAddrW = heddle_pkg::idx_width(NumWarps << PlaceW);
  localparam int RowAddrW  = heddle_pkg::idx_width(NumWarps << RowW);
  (* hierconn *) wire [ListAddrW-1:0] \dut.u_list.gen_inferred.read_addr_q ;
  (* hierconn *) wire [RowAddrW-1:0] \dut.u_barriers.gen_inferred.read_addr_q ;

  logic              acts, serves, has_lane, has_check, kept_right;   // of the warp that is looked at
  logic [RowW-1:0]   sync_row, check_row;
  logic [Rows-1:0]   others;                                // to be checked beside the lowest
  assign acts   = act_valid && (act_warp == warp);
  assign serves = \dut.serves && (\dut.warp == warp);
  always_comb begin
    sync_row  = '0;
    check_row = '0;
    has_lane  = 1'b0;
    has_check = 1'b0;
    others    = check;
    for (int l = 0; l < Lanes; l++) begin
      if (act_operand[l] && !has_lane) begin
        sync_row = RowW'(Barriers + l);
        has_lane = 1'b1;
      end
    end
    for (int i = 0; i < Rows; i++) begin
      if (check[i] && !has_check) begin
        check_row = RowW'(i);
        has_check = 1'b1;
        others[i] = 1'b0;
      end
    end
  end

  always_comb begin
    kept_right = (\dut.acts == act_valid) && !(\dut.acts && \dut.serves ) && (32'( \dut.warp ) < NumWarps);
    if (act_valid) begin
      kept_right = kept_right && (\dut.warp == act_warp) && valid[act_warp] && (\dut.kind_q == act_kind) &&
                   (\dut.operand_q == act_operand) && (\dut.target_q == act_target[31:1]) &&
                   (\dut.next_q == act_next[31:1]) && (\dut.rpc_q == act_rpc[31:1]) &&
                   (\dut.same_q == (act_target == act_next)) && (\dut.backward_q == (act_target < act_next)) &&
                   (32'(act_barrier) < Barriers);
      if ((act_kind >= heddle_pkg::MarkArm) && (act_kind <= heddle_pkg::MarkRestore)) begin
        kept_right = kept_right && (act_taken == '0) && (act_exit == '0);
      end
    end
    if (\dut.serves ) begin
      kept_right = kept_right && !valid[ \dut.warp ] && \dut.in_use_q [ \dut.warp ] &&
                   !\dut.stuck_q [ \dut.warp ];
    end
    if (acts || serves) begin
      kept_right = kept_right && (\dut.place_q == upper) && (\dut.count_q == rows) &&
                   (\dut.any_taken_q == (\dut.taken_q != '0)) && (\dut.any_stay_q == (\dut.stay_q != '0)) &&
                   (32'( \dut.row_q ) < Rows) &&
                   (\dut.u_list.gen_inferred.read_addr_q == ListAddrW'({warp, upper})) &&
                   (\dut.u_barriers.gen_inferred.read_addr_q == RowAddrW'({warp, \dut.row_q }));
    end
    if (acts) begin
      kept_right = kept_right && in_use && (\dut.taken_q == (top & act_taken & ~act_exit)) &&
                   (\dut.exit_q == (top & act_exit)) &&
                   (\dut.stay_q == (top & ~act_taken & ~act_exit)) && ((act_exit & ~top) == '0);
      kept_right = kept_right && (\dut.any_armed_q == (armed != '0)) && (\dut.row_armed_q == armed[ \dut.row_q ]);
      if (act_kind == heddle_pkg::MarkSync) kept_right = kept_right && (\dut.row_q == sync_row);
      else if (act_kind != heddle_pkg::MarkYield) kept_right = kept_right && (\dut.row_q == RowW'(act_barrier));
    end
    if (serves) begin
      kept_right = kept_right && (\dut.taken_q == '0) && (\dut.stay_q == top) &&
                   (\dut.any_check_q == (check != '0)) && (\dut.more_check_q == (others != '0));
      if (check != '0) kept_right = kept_right && (\dut.row_q == check_row);
    end
  end

  // ---------------------------------------------------------------------------------------------- the references
  logic syncs;   // the warpsync that acts takes threads
  assign syncs = acts && (act_kind == heddle_pkg::MarkSync) && ((act_operand & top) != '0) &&
                 (!armed[sync_row] || ((masks[32'(sync_row)*Lanes +: Lanes] == act_operand) &&
                                       (pcs[32'(sync_row)*31 +: 31] == act_next[31:1])));

  logic        ref_live_q;
  logic [31:1] ref_pc_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n || killed) begin
      ref_live_q <= 1'b0;
    end else begin
      if (launch_valid_i && (launch_warp_i == warp)) begin
        ref_live_q <= launch_mask_i[lane];
        ref_pc_q   <= launch_pc_i[31:1];
      end
      if (advance_valid_i && (advance_warp_i == warp) && top[lane]) ref_pc_q <= ref_pc_q + 31'd2;
      if (acts && top[lane]) begin
        if (act_exit[lane]) ref_live_q <= 1'b0;
        if (!syncs) ref_pc_q <= act_taken[lane] ? act_target[31:1] : act_next[31:1];
      end
      for (int i = 0; i < Rows; i++) begin
        if (in_use && armed[i] && arrived[i*Lanes + 32'(lane)]) ref_pc_q <= pcs[i*31 +: 31];
      end
    end
  end

  logic [30:0] place;   // of the thread, if it does not wait
  always_comb begin
    place = top_pc;
    for (int i = 0; i < Ring; i++) begin
      if (present[i] && list[i*ListW + 32'(lane)]) place = list[i*ListW+Lanes +: 31];
    end
  end

  // The mask and the PC of the barrier that is looked at. (Which one a yield leaves: older_is_less.)
  logic             arms, restores, drops;
  logic [Lanes-1:0] number_mask, ref_mask_q;
  logic [30:0]      number_pc, ref_row_pc_q;
  assign number_mask = masks[32'(number)*Lanes +: Lanes];
  assign number_pc   = pcs[32'(number)*31 +: 31];
  assign arms        = acts && (act_kind == heddle_pkg::MarkArm) && (32'(act_barrier) == 32'(number)) && !armed[number];
  assign restores    = acts && (act_kind == heddle_pkg::MarkRestore) && (32'(act_barrier) == 32'(number)) &&
                       !armed[number] && ((act_operand & alive) != '0);
  assign drops       = acts && (((act_kind == heddle_pkg::MarkBreak) && (32'(act_barrier) == 32'(number))) ||
                                ((YieldMode == 1) && (act_kind == heddle_pkg::MarkYield) && (\dut.row_q == number)));
  always_ff @(posedge clk_i) begin
    if (arms || restores || (syncs && (sync_row == number) && !armed[number])) begin
      ref_mask_q   <= arms ? top : restores ? act_operand & alive : act_operand;
      ref_row_pc_q <= (arms || restores) ? act_rpc[31:1] : act_next[31:1];
    end else if (drops) begin
      ref_mask_q <= ref_mask_q & ~top;
    end
  end

  // Ages, and a reference of which of two barriers was armed last.
  (* hierconn *) wire [NumWarps*Barriers*BarrierW-1:0] \dut.gen_age.age_q ;
  (* hierconn *) wire [BarrierW-1:0] \dut.gen_age.count_age_q , \dut.gen_age.row_age_q ;
  (* anyconst *) logic [BarrierW-1:0] one, other;
  logic [Barriers*BarrierW-1:0] age;
  logic [BarrierW:0]            count;     // armed barriers
  logic                         arms_any, one_first_q, ages_right;
  assign age        = \dut.gen_age.age_q [warp*Barriers*BarrierW +: Barriers*BarrierW];
  assign arms_any = acts && !armed[act_barrier] &&
                    ((act_kind == heddle_pkg::MarkArm) ||
                     ((act_kind == heddle_pkg::MarkRestore) && ((act_operand & alive) != '0)));
  always_ff @(posedge clk_i) begin
    if (arms_any && (act_barrier == one)) one_first_q <= 1'b0;
    else if (arms_any && (act_barrier == other)) one_first_q <= 1'b1;
  end
  always_comb begin
    count = '0;
    for (int b = 0; b < Barriers; b++) count = count + (BarrierW+1)'(armed[b]);
    ages_right = !(armed[one] && armed[other] && (one != other)) ||
                 ((age[32'(one)*BarrierW +: BarrierW] < age[32'(other)*BarrierW +: BarrierW]) == one_first_q);
    for (int b = 0; b < Barriers; b++) begin
      if (armed[b]) ages_right = ages_right && ({1'b0, age[b*BarrierW +: BarrierW]} < count);
      for (int c = 0; c < b; c++) begin
        if (armed[b] && armed[c]) begin
          ages_right = ages_right && (age[b*BarrierW +: BarrierW] != age[c*BarrierW +: BarrierW]);
        end
      end
    end
    if (acts || serves) begin
      ages_right = ages_right && (serves || (\dut.gen_age.count_age_q == count[BarrierW-1:0]));
      if (32'( \dut.row_q ) < Barriers) begin
        ages_right = ages_right && (\dut.gen_age.row_age_q == age[32'( \dut.row_q )*BarrierW +: BarrierW]);
      end
    end
    if (acts && (act_kind == heddle_pkg::MarkYield)) begin   // the newest
      ages_right = ages_right && (32'( \dut.row_q ) < Barriers) && ((count == '0) || armed[ \dut.row_q ]);
      if (armed[one]) begin
        ages_right = ages_right && (age[32'(one)*BarrierW +: BarrierW] <= age[32'( \dut.row_q )*BarrierW +: BarrierW]);
      end
    end
  end

  // A release, and what it made.
  logic             releases, whole, released_q;
  logic [Lanes-1:0] check_mask, released_mask_q;
  assign check_mask = masks[32'(check_row)*Lanes +: Lanes] & alive;
  assign releases   = pop_valid && (pop_warp == warp) && !(done_valid && (done_warp == warp)) && (check != '0);
  assign whole      = (check_mask != '0) && ((check_mask & ~arrived[32'(check_row)*Lanes +: Lanes]) == '0);
  always_ff @(posedge clk_i) begin
    released_q      <= rst_n && releases && !killed;
    released_mask_q <= check_mask;
  end

  logic launch_ok, advance_ok, resolve_ok, kill_ok, marked;
  assign marked     = (resolve_kind_i >= heddle_pkg::MarkArm) && (resolve_kind_i <= heddle_pkg::MarkRestore);
  assign launch_ok  = (32'(launch_warp_i) < NumWarps) && !\dut.in_use_q [launch_warp_i] && (launch_mask_i != '0) &&
                      !launch_pc_i[0];
  assign advance_ok = (32'(advance_warp_i) < NumWarps) && valid[advance_warp_i] &&
                      !(act_valid && (act_warp == advance_warp_i));
  assign resolve_ok = (32'(resolve_warp_i) < NumWarps) && valid[resolve_warp_i] &&
                      (32'(resolve_barrier_i) < Barriers) &&
                      !(advance_valid_i && (advance_warp_i == resolve_warp_i)) &&
                      !(act_valid && (act_warp == resolve_warp_i)) &&
                      ((resolve_exit_i & ~mask[resolve_warp_i*Lanes +: Lanes]) == '0) &&
                      !resolve_target_i[0] && !resolve_next_i[0] &&
                      (!marked || ((resolve_taken_i == '0) && (resolve_exit_i == '0)));
  assign kill_ok    = (32'(kill_warp_i) < NumWarps) && !(launch_valid_i && (launch_warp_i == kill_warp_i));

  logic is_live;
  assign is_live = in_use && alive[lane];

  always_comb begin
    launch_is_legal:   assume (!launch_valid_i || launch_ok);
    advance_is_legal:  assume (!advance_valid_i || advance_ok);
    resolve_is_legal:  assume (!resolve_valid_i || resolve_ok);
    kill_is_legal:     assume (!kill_valid_i || kill_ok);
    looked_at_is_there: assume ((32'(warp) < NumWarps) && (32'(lane) < Lanes) && (32'(number) < Rows) &&
                                (32'(one) < Barriers) && (32'(other) < Barriers));

    if (rst_n) begin
      rtl_assertions_seen:       cover (resolve_valid_i && (waits != '0));
      live_is_reference:         assert ((is_live == ref_live_q) && kept_right);
      live_is_reference_seen:    cover (is_live && !issues);
      thread_is_somewhere:       assert (!in_use || ((twice == '0) && (once == alive)));
      thread_is_somewhere_seen:  cover (issues && (rows != '0));
      arrived_in_mask:           assert (!in_use || in_masks);
      arrived_in_mask_seen:      cover (in_use && (waits != '0) && issues);
      paths_have_threads:        assert (in_use ? rows_filled && (issues == ((top != '0) && (check == '0))) :
                                                  !issues && (rows == '0));
      paths_have_threads_seen:   cover (in_use && (top != '0) && (check != '0));
      list_fits:                 assert (32'(rows) < Lanes);
      list_fits_seen:            cover (issues && (32'(rows) == Lanes - 1));
      barrier_is_checked:        assert (!in_use || checked);
      barrier_is_checked_seen:   cover (in_use && (others != '0));
      barrier_is_reference:      assert (!(in_use && armed[number]) ||
                                         ((number_mask == ref_mask_q) && (number_pc == ref_row_pc_q)));
      barrier_is_reference_seen: cover (in_use && armed[number] && (number_mask != '0) && (number_mask != '1));
      thread_in_its_place:       assert (!is_live || waits[lane] || (place == ref_pc_q));
      thread_in_its_place_seen:  cover (is_live && !waits[lane] && !top[lane] && (waits != '0));
      older_is_less:             assert (!in_use || ages_right);
      older_is_less_seen:        cover (in_use && armed[one] && armed[other] && one_first_q && (one > other));
      release_is_whole:          assert ((!releases || whole) && (!released_q || (top == released_mask_q)));
      release_is_whole_seen:     cover (released_q && (rows != '0));
      stuck_is_true:             assert (!stuck || (in_use && !issues && (top == '0) && (rows == '0) && (check == '0) &&
                                                    (alive != '0)));
      stuck_is_true_seen:        cover (stuck && event_valid && (event_warp == warp) &&
                                        (event_code == heddle_pkg::EventStuck));
      done_is_empty:             assert (!(done_valid && (done_warp == warp)) || !is_live);
      done_is_empty_seen:        cover (done_valid && (done_warp == warp) && (armed != '0));
    end
  end
endmodule
