// SPDX-License-Identifier: Apache-2.0
// Properties of frontend with its parts (scripts/prove), beside spe_stack or dpe_stack: as spe_frontend and dpe_frontend connect them.
// What surrounds it is a memory that answers late, decode, an execution that resolves what it was given, whenever it likes, writes
// that come back, and a dispatcher. The reference looks at one arbitrary address of memory, and at one register of one thread.
//
//! run NumWarps=1 NumSlots=2
//! run NumWarps=2 NumSlots=1
//! run NumWarps=2 NumSlots=2
//! assume launch_is_legal: A launch names a warp that does not run, is not killed in this cycle and has not the write looked at in flight; its PC is even, and it has a thread.
//! assume kill_is_legal: A kill names a warp.
//! assume answer_is_legal: Memory answers a path with a request in flight, with the tag of the oldest one and what is at its PC: one or two bundles, nothing behind a jump.
//! assume resolve_is_legal: A resolution is of a control instruction that has been issued and not been resolved, nor killed. PCs are even, next is that behind the instruction, an odd resolve_rpc_i is 1, nothing is a call and a return.
//! assume skip_is_legal: A resolution says a skip of 1 to 8 instructions only of a branch that some of its path's threads take, and that neither ends threads, calls nor returns.
//! assume region_has_no_control: What is skipped is neither control nor barrier.
//! assume write_back_is_legal: A write-back names a warp. That of the write looked at comes once it has issued.
//! assume one_is_any: Address, warp, thread and register looked at are any.
//! together rtl_assertions issues_what_is_there fetches_what_it_says reads_what_is_written one_control_unresolved idle_is_over idle_has_issued requests_are_followed queues_are_followed waits_are_followed writes_are_followed
//!
//! property rtl_assertions: What the RTL of the front end and its parts asserts of callers follows from the assumptions; the parts' caller is the front end.
//!   mutant frontend_issues_while_a_resolution_acts
//! property issues_what_is_there: What issues with a PC is what memory has at that PC.
//!   mutant fetch_pc_carry_lost
//! property fetches_what_it_says: The pins show each request in the cycle behind its grant.
//!   mutant frontend_shows_the_tag_of_another
//! property reads_what_is_written: No instruction of a thread names a register that an earlier one of the thread writes and has not written.
//!   mutant frontend_copies_no_shadow_on_push
//! property one_control_unresolved: A warp has one control instruction at most that has issued and is not resolved.
//!   mutant frontend_two_branches
//! property idle_is_over: An idle warp has no request in flight, and no write.
//!   mutant frontend_idle_with_requests
//! property idle_has_issued: An idle warp has no instruction in the issue register, so that none issues after its next launch.
//!   mutant idle_with_an_instruction_that_waits
//! property requests_are_followed: A request that continues a queue is for the PC behind what the queue and older requests bring.
//!   mutant frontend_fetch_forgets_the_branch
//! property queues_are_followed: A bundle in a queue is that of its place behind the PC of the path.
//!   mutant frontend_taken_branch_keeps_its_queue
//! property waits_are_followed: What wakeup keeps of heads and second instructions is what their names say of the tables.
//!   mutant wakeup_ignores_the_taken_head
//! property writes_are_followed: A write in flight is pending in the table of its slot, with its shadow bit where its thread is in the other slot.
//!   mutant frontend_right_path_sets_nothing
module frontend_props #(
  parameter  int NumWarps   = 2,
  parameter  int NumSlots   = 1,
  localparam int Lanes      = 2,
  localparam int Depth      = 4,   // bundles of a queue
  localparam int TagW       = 2,
  localparam int LevelW     = 2,
  localparam int StackDepth = 3,
  localparam int SbEntries  = 2,
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps),
  localparam int NumPaths   = NumWarps * NumSlots,
  localparam int CountW     = heddle_pkg::idx_width(Depth + 1),
  localparam int DepthW     = heddle_pkg::idx_width(StackDepth + 1),
  localparam int InstrW     = heddle_pkg::InstrW,
  localparam int QueueW     = Depth * InstrW,
  localparam int JumpBit    = heddle_pkg::JumpBit,
  localparam int ControlBit = heddle_pkg::ControlBit,
  localparam int Most       = (1 << TagW) - 1
) (
  input logic              clk_i,
  input logic              launch_valid_i,
  input logic [WarpW-1:0]  launch_warp_i,
  input logic [31:0]       launch_pc_i,
  input logic [Lanes-1:0]  launch_mask_i,
  input logic              kill_valid_i,
  input logic [WarpW-1:0]  kill_warp_i,
  input logic              fetch_ready_i,
  input logic              decode_valid_i,
  input logic [WarpW-1:0]  decode_warp_i,
  input logic              decode_slot_i,
  input logic              decode_two_i,
  input logic [InstrW-1:0] decode_instr0_i,   // where it is not the address looked at
  input logic [InstrW-1:0] decode_instr1_i,
  input logic              resolve_valid_i,
  input logic [WarpW-1:0]  resolve_warp_i,
  input logic [Lanes-1:0]  resolve_taken_i,
  input logic [31:0]       resolve_target_i,
  input logic [31:0]       resolve_rpc_i,
  input logic [Lanes-1:0]  resolve_exit_i,
  input logic              resolve_call_i,
  input logic              resolve_return_i,
  input logic [3:0]        resolve_skip_i,
  input logic              wb_valid_i,
  input logic [WarpW-1:0]  wb_warp_i,
  input logic              wb_slot_i,
  input logic [5:0]        wb_reg_i,
  input logic [4:0]        unit_ready_i,
  input logic [NumWarps-1:0] hold_i,
  input logic [NumWarps-1:0] release_i,
  input logic              issue_ready_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [31:0]       address;   // looked at
  (* anyconst *) logic [InstrW-1:0] content;

  logic              fetch_valid, fetch_slot, issue_valid, issue_slot, issue_sibling, issue_predicated, done_valid, overflow_valid;
  logic [WarpW-1:0]  fetch_warp, issue_warp, done_warp, overflow_warp;
  logic [31:0]       fetch_pc, issue_pc;
  logic [TagW-1:0]   fetch_tag, decode_tag;
  logic [Lanes-1:0]  issue_mask;
  logic [InstrW-1:0] issue_instr, decode_instr0, decode_instr1;
  logic [1:0]        decode_count;
  logic [NumWarps-1:0] idle;
  logic              resolve_ready, resolve_slot;
  logic [31:0]       resolve_next;

  // The stack, and what it and the front end tell each other.
  logic [NumPaths*32-1:0]     pc;
  logic [NumPaths*Lanes-1:0]  mask;
  logic [NumPaths-1:0]        valid, sibling, advance, waits, in_region, head_valid;
  logic [NumWarps*DepthW-1:0] depth;
  logic [NumWarps-1:0]        pending_warps;
  logic                       take_valid, resolved_valid, resolved_slot, resolved_next, push_valid, pop_valid;
  logic                       stack_done_valid, stack_overflow_valid;
  logic [WarpW-1:0]           resolved_warp, push_warp, pop_warp_out, stack_done_warp, stack_overflow_warp;
  logic [Lanes-1:0]           stack_taken;

  generate
    if (NumSlots == 1) begin : gen_spe_stack
      spe_stack #(
        .NumWarps (NumWarps),
        .Lanes    (Lanes),
        .Depth    (StackDepth),
        .LevelW   (LevelW),
        .Watch    (0)
      ) u_stack (
        .clk_i            (clk_i),
        .rst_ni           (rst_n),
        .launch_valid_i   (launch_valid_i),
        .launch_warp_i    (launch_warp_i),
        .launch_pc_i      (launch_pc_i),
        .launch_mask_i    (launch_mask_i),
        .kill_valid_i     (kill_valid_i),
        .kill_warp_i      (kill_warp_i),
        .advance_i        (advance),
        .resolve_valid_i  (take_valid),
        .resolve_warp_i   (resolve_warp_i),
        .resolve_slot_i   (1'b0),
        .resolve_taken_i  (stack_taken),
        .resolve_target_i (resolve_target_i),
        .resolve_next_i   (resolve_next),
        .resolve_rpc_i    (resolve_rpc_i),
        .resolve_exit_i   (resolve_exit_i),
        .resolve_call_i   (resolve_call_i),
        .resolve_return_i (resolve_return_i),
        .pc_o             (pc),
        .mask_o           (mask),
        .valid_o          (valid),
        .sibling_o        (sibling),
        .depth_o          (depth),
        .resolved_valid_o (resolved_valid),
        .resolved_warp_o  (resolved_warp),
        .resolved_slot_o  (resolved_slot),
        .resolved_next_o  (resolved_next),
        .push_valid_o     (push_valid),
        .push_warp_o      (push_warp),
        .pop_valid_o      (pop_valid),
        .pop_warp_o       (pop_warp_out),
        .done_valid_o     (stack_done_valid),
        .done_warp_o      (stack_done_warp),
        .overflow_valid_o (stack_overflow_valid),
        .overflow_warp_o  (stack_overflow_warp)
      );
    end else begin : gen_dpe_stack
      dpe_stack #(
        .NumWarps (NumWarps),
        .Lanes    (Lanes),
        .Depth    (StackDepth),
        .LevelW   (LevelW),
        .Watch    (0)
      ) u_stack (
        .clk_i            (clk_i),
        .rst_ni           (rst_n),
        .launch_valid_i   (launch_valid_i),
        .launch_warp_i    (launch_warp_i),
        .launch_pc_i      (launch_pc_i),
        .launch_mask_i    (launch_mask_i),
        .kill_valid_i     (kill_valid_i),
        .kill_warp_i      (kill_warp_i),
        .advance_i        (advance),
        .resolve_valid_i  (take_valid),
        .resolve_warp_i   (resolve_warp_i),
        .resolve_slot_i   (resolve_slot),
        .resolve_taken_i  (stack_taken),
        .resolve_target_i (resolve_target_i),
        .resolve_next_i   (resolve_next),
        .resolve_rpc_i    (resolve_rpc_i),
        .resolve_exit_i   (resolve_exit_i),
        .resolve_call_i   (resolve_call_i),
        .resolve_return_i (resolve_return_i),
        .pc_o             (pc),
        .mask_o           (mask),
        .valid_o          (valid),
        .sibling_o        (sibling),
        .depth_o          (depth),
        .resolved_valid_o (resolved_valid),
        .resolved_warp_o  (resolved_warp),
        .resolved_slot_o  (resolved_slot),
        .resolved_next_o  (resolved_next),
        .push_valid_o     (push_valid),
        .push_warp_o      (push_warp),
        .pop_valid_o      (pop_valid),
        .pop_warp_o       (pop_warp_out),
        .done_valid_o     (stack_done_valid),
        .done_warp_o      (stack_done_warp),
        .overflow_valid_o (stack_overflow_valid),
        .overflow_warp_o  (stack_overflow_warp)
      );
    end
  endgenerate

  frontend #(
    .NumWarps   (NumWarps),
    .Lanes      (Lanes),
    .NumSlots   (NumSlots),
    .DepthW     (DepthW),
    .Scoreboard ((NumSlots == 1) ? heddle_pkg::ScoreboardSpe : heddle_pkg::ScoreboardDpe),
    .SbEntries  (SbEntries),
    .IbufDepth  (Depth),
    .NumWb      (1),
    .TagW       (TagW),
    .Watch      (0)
  ) dut (
    .clk_i                  (clk_i),
    .rst_ni                 (rst_n),
    .launch_valid_i         (launch_valid_i),
    .launch_warp_i          (launch_warp_i),
    .kill_valid_i           (kill_valid_i),
    .kill_warp_i            (kill_warp_i),
    .fetch_ready_i          (fetch_ready_i),
    .fetch_valid_o          (fetch_valid),
    .fetch_warp_o           (fetch_warp),
    .fetch_slot_o           (fetch_slot),
    .fetch_pc_o             (fetch_pc),
    .fetch_tag_o            (fetch_tag),
    .decode_valid_i         (decode_valid_i),
    .decode_warp_i          (decode_warp_i),
    .decode_slot_i          (decode_slot_i),
    .decode_tag_i           (decode_tag),
    .decode_count_i         (decode_count),
    .decode_instr0_i        (decode_instr0),
    .decode_instr1_i        (decode_instr1),
    .resolve_valid_i        (resolve_valid_i),
    .resolve_warp_i         (resolve_warp_i),
    .resolve_slot_i         (resolve_slot),
    .resolve_taken_i        (resolve_taken_i),
    .resolve_skip_i         (resolve_skip_i),
    .resolve_ready_o        (resolve_ready),
    .wb_valid_i             (wb_valid_i),
    .wb_warp_i              (wb_warp_i),
    .wb_slot_i              (wb_slot_i),
    .wb_reg_i               (wb_reg_i),
    .wb_mask_i              (2'd0),
    .miss_valid_i           (1'b0),
    .miss_warp_i            (kill_warp_i),
    .miss_slot_i            (1'b0),
    .unit_ready_i           (unit_ready_i),
    .hold_i                 (hold_i),
    .release_i              (release_i),
    .pc_i                   (pc),
    .mask_i                 (mask),
    .valid_i                (valid),
    .sibling_i              (sibling),
    .depth_i                (depth),
    .resolved_valid_i       (resolved_valid),
    .resolved_warp_i        (resolved_warp),
    .resolved_slot_i        (resolved_slot),
    .resolved_next_i        (resolved_next),
    .push_valid_i           (push_valid),
    .push_warp_i            (push_warp),
    .pop_valid_i            (pop_valid),
    .pop_warp_i             (pop_warp_out),
    .stack_done_valid_i     (stack_done_valid),
    .stack_done_warp_i      (stack_done_warp),
    .stack_overflow_valid_i (stack_overflow_valid),
    .stack_overflow_warp_i  (stack_overflow_warp),
    .advance_o              (advance),
    .take_valid_o           (take_valid),
    .taken_o                (stack_taken),
    .room_i                 (1'b1),
    .keep_i                 (1'b0),
    .drop_i                 ({NumPaths{1'b0}}),
    .wait_i                 ({NumPaths{1'b0}}),
    .stop_i                 ({NumPaths{1'b0}}),
    .head_valid_o           (head_valid),
    .waits_o                (waits),
    .in_region_o            (in_region),
    .pending_o              (pending_warps),
    .issue_ready_i          (issue_ready_i),
    .issue_valid_o          (issue_valid),
    .issue_warp_o           (issue_warp),
    .issue_slot_o           (issue_slot),
    .issue_pc_o             (issue_pc),
    .issue_mask_o           (issue_mask),
    .issue_instr_o          (issue_instr),
    .issue_sibling_o        (issue_sibling),
    .issue_predicated_o     (issue_predicated),
    .done_valid_o           (done_valid),
    .done_warp_o            (done_warp),
    .idle_o                 (idle),
    .overflow_valid_o       (overflow_valid),
    .overflow_warp_o        (overflow_warp)
  );

  // What is inside. Of paths and rows that a run does not have nothing is used.
  (* hierconn *) wire [QueueW-1:0] \dut.u_ibuffer.gen_path[0].queue_q , \dut.u_ibuffer.gen_path[1].queue_q ;
  (* hierconn *) wire [QueueW-1:0] \dut.u_ibuffer.gen_path[2].queue_q , \dut.u_ibuffer.gen_path[3].queue_q ;
  (* hierconn *) wire [NumPaths*TagW-1:0] \dut.tag , \dut.u_ibuffer.in_flight_q ;
  (* hierconn *) wire [NumPaths*CountW-1:0] \dut.count ;
  (* hierconn *) wire [NumPaths*2-1:0] \dut.requests ;
  (* hierconn *) wire [NumPaths-1:0] \dut.request , \dut.clear , \dut.fill , \dut.exclusive ;
  (* hierconn *) wire [NumWarps-1:0] \dut.region , \dut.acting , \dut.u_path_state.gen_slots.pending_slot_q ;
  (* hierconn *) wire [31:0] \gen_spe_stack.u_stack.act_next_q , \gen_dpe_stack.u_stack.act_pc_l_q , \gen_dpe_stack.u_stack.act_pc_r_q ;
  (* hierconn *) wire [WarpW-1:0] \gen_spe_stack.u_stack.act_warp_q , \gen_dpe_stack.u_stack.act_warp_q ;
  (* hierconn *) wire \gen_spe_stack.u_stack.acting_q , \gen_dpe_stack.u_stack.acting_q , \gen_dpe_stack.u_stack.act_slot_q ;
  (* hierconn *) wire \gen_spe_stack.u_stack.act_holds_q , \gen_dpe_stack.u_stack.act_holds_q ;   // the path goes on behind its instruction
  (* hierconn *) wire [WarpW-1:0] \gen_spe_stack.u_stack.pop_warp_q , \gen_dpe_stack.u_stack.pop_warp_q ;
  (* hierconn *) wire [DepthW-1:0] \gen_spe_stack.u_stack.pop_depth_q , \gen_dpe_stack.u_stack.pop_depth_q ;
  (* hierconn *) wire \gen_spe_stack.u_stack.pop_q , \gen_dpe_stack.u_stack.pop_q ;
  (* hierconn *) wire \gen_spe_stack.u_stack.pop_last_q , \gen_dpe_stack.u_stack.pop_last_q ;
  logic              pops, pop_last;
  logic [WarpW-1:0]  pop_warp;
  logic [DepthW-1:0] pop_depth;
  assign pops      = (NumSlots == 1) ? \gen_spe_stack.u_stack.pop_q : \gen_dpe_stack.u_stack.pop_q ;
  assign pop_last  = (NumSlots == 1) ? \gen_spe_stack.u_stack.pop_last_q : \gen_dpe_stack.u_stack.pop_last_q ;
  assign pop_warp  = (NumSlots == 1) ? \gen_spe_stack.u_stack.pop_warp_q : \gen_dpe_stack.u_stack.pop_warp_q ;
  assign pop_depth = (NumSlots == 1) ? \gen_spe_stack.u_stack.pop_depth_q : \gen_dpe_stack.u_stack.pop_depth_q ;
  logic [31:0]      act_next;
  logic [WarpW-1:0] act_warp;
  logic             acting, act_slot, act_holds;
  assign act_next  = (NumSlots == 1) ? \gen_spe_stack.u_stack.act_next_q
                     : act_slot ? \gen_dpe_stack.u_stack.act_pc_r_q : \gen_dpe_stack.u_stack.act_pc_l_q ;
  assign act_warp  = (NumSlots == 1) ? \gen_spe_stack.u_stack.act_warp_q : \gen_dpe_stack.u_stack.act_warp_q ;
  assign acting    = (NumSlots == 1) ? \gen_spe_stack.u_stack.acting_q : \gen_dpe_stack.u_stack.acting_q ;
  assign act_slot  = (NumSlots == 1) ? 1'b0 : \gen_dpe_stack.u_stack.act_slot_q ;
  assign act_holds = (NumSlots == 1) ? \gen_spe_stack.u_stack.act_holds_q : \gen_dpe_stack.u_stack.act_holds_q ;

  // A path that goes on behind its instruction moves there, and nothing else.
  (* hierconn *) wire [31:0] \gen_spe_stack.u_stack.act_target_q ;
  (* hierconn *) wire \gen_spe_stack.u_stack.act_goes_taken_q , \gen_spe_stack.u_stack.act_goes_next_q ;
  (* hierconn *) wire \gen_spe_stack.u_stack.act_divergent_q , \gen_spe_stack.u_stack.act_ends_q ;
  (* hierconn *) wire \gen_dpe_stack.u_stack.act_divergent_q , \gen_dpe_stack.u_stack.act_moves_q ;
  // A push leaves the warp with entries, and only a divergence overflows.
  (* hierconn *) wire [DepthW-1:0] \gen_spe_stack.u_stack.act_depth_q , \gen_dpe_stack.u_stack.act_depth_q ;
  (* hierconn *) wire \gen_spe_stack.u_stack.act_overflow_q , \gen_dpe_stack.u_stack.act_full_q ;
  logic act_divergent, holds_ok, pushes_ok, even_ok;
  assign act_divergent = (NumSlots == 1) ? \gen_spe_stack.u_stack.act_divergent_q : \gen_dpe_stack.u_stack.act_divergent_q ;
  assign holds_ok  = !act_holds ||
                     ((NumSlots == 1) ? !act_divergent && !\gen_spe_stack.u_stack.act_ends_q &&
                                        (\gen_spe_stack.u_stack.act_goes_taken_q
                                         ? \gen_spe_stack.u_stack.act_target_q == act_next : \gen_spe_stack.u_stack.act_goes_next_q )
                                      : !act_divergent && \gen_dpe_stack.u_stack.act_moves_q );
  assign even_ok   = (NumSlots == 1) ? !act_next[0] && !\gen_spe_stack.u_stack.act_target_q [0]
                                     : !\gen_dpe_stack.u_stack.act_pc_l_q [0] && !\gen_dpe_stack.u_stack.act_pc_r_q [0];
  assign pushes_ok = (NumSlots == 1) ? (act_divergent ? \gen_spe_stack.u_stack.act_overflow_q || (\gen_spe_stack.u_stack.act_depth_q != '0)
                                                      : !\gen_spe_stack.u_stack.act_overflow_q )
                                     : \gen_dpe_stack.u_stack.act_full_q || (\gen_dpe_stack.u_stack.act_depth_q != '0);

  // ------------------------------------------------------------------------------------------------------- memory
  // A mark: the request asks for the address looked at, in its first and in its second place.
  logic [NumPaths-1:0]           requests, answers, ends, apart, asked;
  logic [NumPaths*2-1:0]         mark;
  logic [NumPaths*Most-1:0]      there, continues;
  logic [NumPaths*Most*2-1:0]    marks;
  logic [1:0]                    answer_mark;
  logic [NumPaths*TagW-1:0]      in_flight, path_tags;

  // A request is on its way when it is granted; the pins show it a cycle later.
  assign requests  = \dut.request ;
  assign path_tags = \dut.tag ;
  assign ends      = \dut.clear | (\dut.fill & {NumPaths{!decode_two_i || decode_instr1[JumpBit] || decode_instr0[JumpBit]}});

  request_memory #(
    .NumPaths (NumPaths),
    .TagW     (TagW),
    .MarkW    (2)
  ) memory (
    .clk_i         (clk_i),
    .rst_ni        (rst_n),
    .request_i     (requests),
    .tag_i         (path_tags),
    .mark_i        (mark),
    .answer_i      (answers),
    .end_i         (ends),
    .answer_tag_o  (decode_tag),
    .answer_mark_o (answer_mark),
    .there_o       (there),
    .continues_o   (continues),
    .marks_o       (marks),
    .in_flight_o   (in_flight),
    .apart_o       (apart)
  );

  // What is answered is at the PC that was asked for.
  assign decode_count  = decode_two_i ? 2'd2 : 2'd1;
  assign decode_instr0 = answer_mark[0] ? content : decode_instr0_i;
  assign decode_instr1 = answer_mark[1] ? content : decode_instr1_i;
  always_comb begin
    for (int p = 0; p < NumPaths; p++) begin
      answers[p] = decode_valid_i && (32'(decode_warp_i) == p % NumWarps) && ((NumSlots == 1) || (decode_slot_i == (p >= NumWarps)));
      asked[p]   = there[p*Most];
    end
  end

  // The request that is granted, by the PC that the pins will show.
  (* hierconn *) wire [31:0] \dut.u_fetch_request.fetch_pc ;
  assign mark = {NumPaths{\dut.u_fetch_request.fetch_pc + 32'd4 == address, \dut.u_fetch_request.fetch_pc == address}};

  logic             fetched_q;
  logic [1:0]       fetched_mark_q;
  logic [TagW-1:0]  fetched_tag_q;
  logic [NumPaths-1:0] fetched_path_q, fetch_path;
  always_comb begin
    for (int p = 0; p < NumPaths; p++) begin
      fetch_path[p] = (32'(fetch_warp) == p % NumWarps) && ((NumSlots == 1) || (fetch_slot == (p >= NumWarps)));
    end
  end
  always_ff @(posedge clk_i) begin
    fetched_q      <= rst_n && (requests != '0);
    fetched_mark_q <= mark[1:0];
    fetched_path_q <= requests;
    fetched_tag_q  <= '0;
    for (int p = 0; p < NumPaths; p++) if (requests[p]) fetched_tag_q <= path_tags[p*TagW +: TagW];
  end

  // ---------------------------------------------------------------------------------------------------- execution
  // The instruction in the issue register goes on with issue_ready_i. Of a warp that is killed nothing comes back but writes.
  logic                held_q, dead_q;         // it was there a cycle before; it is a killed warp's
  logic [NumWarps-1:0] running_q, branch_q;    // launched, not done; has a control instruction that is to be resolved
  logic [NumWarps-1:0] branch_slot_q;
  logic [NumWarps*32-1:0] branch_pc_q;
  logic                fresh, issues_control;
  assign fresh          = issue_valid && !held_q;
  assign issues_control = issue_valid && !dead_q && issue_instr[ControlBit];
  assign resolve_slot   = (NumSlots > 1) && branch_slot_q[resolve_warp_i];
  assign resolve_next   = branch_pc_q[resolve_warp_i*32 +: 32] + 32'd4;
  always_ff @(posedge clk_i) begin
    held_q <= rst_n && issue_valid && !issue_ready_i;
    dead_q <= rst_n && issue_valid && !issue_ready_i && (dead_q || (kill_valid_i && (kill_warp_i == issue_warp)));
    for (int w = 0; w < NumWarps; w++) begin
      if (!rst_n || (kill_valid_i && (32'(kill_warp_i) == w))) begin
        running_q[w] <= 1'b0;
        branch_q[w]  <= 1'b0;
      end else begin
        if (launch_valid_i && (32'(launch_warp_i) == w)) running_q[w] <= 1'b1;
        else if (done_valid && (32'(done_warp) == w))    running_q[w] <= 1'b0;
        if (resolve_valid_i && (32'(resolve_warp_i) == w)) branch_q[w] <= 1'b0;
        if (issues_control && issue_ready_i && (32'(issue_warp) == w)) begin
          branch_q[w]             <= 1'b1;
          branch_slot_q[w]        <= issue_slot;
          branch_pc_q[w*32 +: 32] <= issue_pc;
        end
      end
    end
  end

  // ------------------------------------------------------------------------------------------------------ a write
  (* anyconst *) logic [WarpW-1:0] warp;
  (* anyconst *) logic             thread;
  (* anyconst *) logic [5:0]       register;
  logic            flies_q, flies, flies_slot_q, flies_slot, begins, lands;
  logic            names_register;
  always_comb begin
    names_register = 1'b0;
    for (int n = 0; n < 4; n++) if (issue_instr[n*6 +: 6] == register) names_register = 1'b1;
  end
  assign begins     = fresh && (issue_warp == warp) && issue_mask[thread] && (issue_instr[5:0] == register);
  assign flies      = flies_q || begins;
  assign flies_slot = flies_q ? flies_slot_q : issue_slot;
  assign lands      = wb_valid_i && (wb_warp_i == warp) && (wb_reg_i == register) && ((NumSlots == 1) || (wb_slot_i == flies_slot));
  always_ff @(posedge clk_i) begin
    flies_q      <= rst_n && flies && !lands;
    flies_slot_q <= flies_slot;
  end

  // ---------------------------------------------------------------------------------------------- what is inside
  localparam int E     = SbEntries;
  localparam int WaitW = NumSlots * E;
  (* hierconn *) wire [NumPaths-1:0] \dut.blocked , \dut.full ;
  (* hierconn *) wire [NumPaths*E-1:0] \dut.u_hazards.gen_tables.pending ;
  (* hierconn *) wire [NumWarps*E*6-1:0] \dut.u_hazards.gen_tables.gen_spe.unused_reg , \dut.u_hazards.gen_tables.gen_dpe.unused_reg_l , \dut.u_hazards.gen_tables.gen_dpe.unused_reg_r ;
  (* hierconn *) wire [NumWarps*E-1:0] \dut.u_hazards.gen_tables.gen_dpe.unused_shadow_l , \dut.u_hazards.gen_tables.gen_dpe.unused_shadow_r ;
  (* hierconn *) wire [WaitW-1:0] \dut.u_hazards.gen_tables.u_wakeup.gen_path[0].wait_head_q , \dut.u_hazards.gen_tables.u_wakeup.gen_path[1].wait_head_q ;
  (* hierconn *) wire [WaitW-1:0] \dut.u_hazards.gen_tables.u_wakeup.gen_path[2].wait_head_q , \dut.u_hazards.gen_tables.u_wakeup.gen_path[3].wait_head_q ;
  (* hierconn *) wire [WaitW-1:0] \dut.u_hazards.gen_tables.u_wakeup.gen_path[0].wait_second_q , \dut.u_hazards.gen_tables.u_wakeup.gen_path[1].wait_second_q ;
  (* hierconn *) wire [WaitW-1:0] \dut.u_hazards.gen_tables.u_wakeup.gen_path[2].wait_second_q , \dut.u_hazards.gen_tables.u_wakeup.gen_path[3].wait_second_q ;
  (* hierconn *) wire \dut.u_hazards.gen_tables.u_wakeup.gen_path[0].depends_q , \dut.u_hazards.gen_tables.u_wakeup.gen_path[1].depends_q ;
  (* hierconn *) wire \dut.u_hazards.gen_tables.u_wakeup.gen_path[2].depends_q , \dut.u_hazards.gen_tables.u_wakeup.gen_path[3].depends_q ;
  (* hierconn *) wire [WarpW-1:0] \dut.u_hazards.gen_tables.u_wakeup.taken_warp_q , \dut.u_hazards.gen_tables.u_wakeup.filled_warp_q ;
  (* hierconn *) wire \dut.u_hazards.gen_tables.u_wakeup.taken_q , \dut.u_hazards.gen_tables.u_wakeup.filled_q ;
  (* hierconn *) wire \dut.u_hazards.gen_tables.u_wakeup.taken_slot_q , \dut.u_hazards.gen_tables.u_wakeup.filled_slot_q ;
  (* hierconn *) wire [NumWarps-1:0] \dut.halted ;
  logic [NumPaths*E-1:0]   pending, shadow;
  logic [NumPaths*E*6-1:0] regs;
  logic [4*WaitW-1:0]      wait_head, wait_second;
  logic [3:0]              depends;
  logic [4*QueueW-1:0]     queue;
  assign pending     = \dut.u_hazards.gen_tables.pending ;
  assign wait_head   = {\dut.u_hazards.gen_tables.u_wakeup.gen_path[3].wait_head_q , \dut.u_hazards.gen_tables.u_wakeup.gen_path[2].wait_head_q ,
                        \dut.u_hazards.gen_tables.u_wakeup.gen_path[1].wait_head_q , \dut.u_hazards.gen_tables.u_wakeup.gen_path[0].wait_head_q };
  assign wait_second = {\dut.u_hazards.gen_tables.u_wakeup.gen_path[3].wait_second_q , \dut.u_hazards.gen_tables.u_wakeup.gen_path[2].wait_second_q ,
                        \dut.u_hazards.gen_tables.u_wakeup.gen_path[1].wait_second_q , \dut.u_hazards.gen_tables.u_wakeup.gen_path[0].wait_second_q };
  assign depends     = {\dut.u_hazards.gen_tables.u_wakeup.gen_path[3].depends_q , \dut.u_hazards.gen_tables.u_wakeup.gen_path[2].depends_q ,
                        \dut.u_hazards.gen_tables.u_wakeup.gen_path[1].depends_q , \dut.u_hazards.gen_tables.u_wakeup.gen_path[0].depends_q };
  assign queue       = {\dut.u_ibuffer.gen_path[3].queue_q , \dut.u_ibuffer.gen_path[2].queue_q ,
                        \dut.u_ibuffer.gen_path[1].queue_q , \dut.u_ibuffer.gen_path[0].queue_q };
  generate
    if (NumSlots == 1) begin : gen_spe_tables
      assign regs   = \dut.u_hazards.gen_tables.gen_spe.unused_reg ;
      assign shadow = '0;
    end else begin : gen_dpe_tables
      assign regs   = {\dut.u_hazards.gen_tables.gen_dpe.unused_reg_r , \dut.u_hazards.gen_tables.gen_dpe.unused_reg_l };
      assign shadow = {\dut.u_hazards.gen_tables.gen_dpe.unused_shadow_r , \dut.u_hazards.gen_tables.gen_dpe.unused_shadow_l };
    end
  endgenerate

  // Entries that one of the names waits for, of the path's table, and with two slots of the other's.
  function automatic logic [WaitW-1:0] wait_of(input logic [NumPaths*E-1:0] all_pending, input logic [NumPaths*E-1:0] all_shadow,
                                               input logic [NumPaths*E*6-1:0] all_regs, input logic [23:0] names, input int p);
    int o;
    o = (p + NumWarps) % NumPaths;   // the other slot's
    wait_of = '0;
    for (int e = 0; e < E; e++) begin
      for (int n = 0; n < 4; n++) begin
        if (all_pending[p*E+e] && (all_regs[(p*E+e)*6 +: 6] == names[n*6 +: 6])) wait_of[e] = 1'b1;
        if ((NumSlots == 2) && all_shadow[o*E+e] && (all_regs[(o*E+e)*6 +: 6] == names[n*6 +: 6])) wait_of[WaitW-E+e] = 1'b1;
      end
    end
  endfunction

  logic [NumPaths-1:0]    requests_ok, queues_ok, waits_ok, sane, is_new, depends_ok;
  logic [NumPaths*32-1:0] base;         // where the queue of a path begins
  logic [NumPaths*CountW-1:0] count;
  logic [31:0]            nth, at;
  logic [23:0]            head, second;
  assign count = \dut.count ;
  always_comb begin
    nth    = '0;
    at     = '0;
    head   = '0;
    second = '0;
    for (int p = 0; p < NumPaths; p++) begin
      base[p*32 +: 32] = pc[p*32 +: 32] + (waits[p] ? 32'd4 : 32'd0);

      requests_ok[p] = apart[p];
      nth            = '0;
      for (int i = 0; i < Most; i++) begin
        if (continues[p*Most+i]) begin
          at = base[p*32 +: 32] + 4 * 32'(count[p*CountW +: CountW]);
          if (marks[(p*Most+i)*2] != (at + 8 * nth == address)) requests_ok[p] = 1'b0;
          if (marks[(p*Most+i)*2+1] != (at + 8 * nth + 4 == address)) requests_ok[p] = 1'b0;
          nth = nth + 1;
        end
      end
      if (32'(\dut.requests [p*2 +: 2]) != nth) requests_ok[p] = 1'b0;
      if (\dut.u_ibuffer.in_flight_q [p*TagW +: TagW] != in_flight[p*TagW +: TagW]) requests_ok[p] = 1'b0;
      if (32'(count[p*CountW +: CountW]) + 2 * nth > Depth) requests_ok[p] = 1'b0;

      queues_ok[p] = head_valid[p] == (count[p*CountW +: CountW] != '0);
      for (int k = 0; k < Depth; k++) begin
        if ((32'(k) < 32'(count[p*CountW +: CountW])) && (base[p*32 +: 32] + 4 * k == address) &&
            (queue[p*QueueW+k*InstrW +: InstrW] != content)) queues_ok[p] = 1'b0;
      end

      head          = queue[p*QueueW +: 24];
      second        = queue[p*QueueW+InstrW +: 24];
      is_new[p]     = (\dut.u_hazards.gen_tables.u_wakeup.taken_q && (32'(\dut.u_hazards.gen_tables.u_wakeup.taken_warp_q ) == p % NumWarps) &&
                       (\dut.u_hazards.gen_tables.u_wakeup.taken_slot_q == (p >= NumWarps))) ||
                      (\dut.u_hazards.gen_tables.u_wakeup.filled_q && (32'(\dut.u_hazards.gen_tables.u_wakeup.filled_warp_q ) == p % NumWarps) &&
                       (\dut.u_hazards.gen_tables.u_wakeup.filled_slot_q == (p >= NumWarps)));
      depends_ok[p] = 1'b0;
      for (int n = 0; n < 4; n++) if ((head[5:0] != '0) && (second[n*6 +: 6] == head[5:0])) depends_ok[p] = 1'b1;
      depends_ok[p] = depends_ok[p] == depends[p];
      waits_ok[p]   = (count[p*CountW +: CountW] == '0)
                      ? !\dut.blocked [p] && !\dut.full [p]
                      : (wait_head[p*WaitW +: WaitW] == wait_of(pending, shadow, regs, head, p)) &&
                        (\dut.blocked [p] == (wait_head[p*WaitW +: WaitW] != '0)) &&
                        (\dut.full [p] == ((head[5:0] != '0) && (pending[p*E +: E] == '1))) &&
                        ((count[p*CountW +: CountW] == CountW'(1)) || is_new[p] ||
                         ((wait_second[p*WaitW +: WaitW] == wait_of(pending, shadow, regs, second, p)) && depends_ok[p]));
      sane[p] = 1'b1;   // register 0 is never pending, a shadow never without its write, no register twice
      for (int e = 0; e < E; e++) begin
        if (pending[p*E+e] ? (regs[(p*E+e)*6 +: 6] == '0) : shadow[p*E+e]) sane[p] = 1'b0;
        for (int f = 0; f < e; f++) begin
          if (pending[p*E+e] && pending[p*E+f] && (regs[(p*E+e)*6 +: 6] == regs[(p*E+f)*6 +: 6])) sane[p] = 1'b0;
        end
      end
    end
  end

  // Warps: what runs, and the control instruction.
  logic [NumWarps-1:0] warps_ok, acts;
  logic [NumWarps-1:0] in_register;   // the control instruction is in the issue register
  logic [31:0]         path;
  logic                pop_here;
  always_comb begin
    path     = '0;
    pop_here = 1'b0;
    for (int w = 0; w < NumWarps; w++) begin
      acts[w]        = acting && (32'(act_warp) == w);
      in_register[w] = issues_control && (32'(issue_warp) == w);
      warps_ok[w]    = 1'b1;
      path           = w + ((NumSlots > 1) && \dut.u_path_state.gen_slots.pending_slot_q [w] ? NumWarps : 0);
      // Of branch_q, register and resolution one at most, and one if the branch is pending and did not overflow.
      if ((32'(branch_q[w]) + 32'(in_register[w]) + 32'(acts[w])) != 32'(pending_warps[w] && !\dut.halted [w])) warps_ok[w] = 1'b0;
      if (\dut.halted [w] && !pending_warps[w]) warps_ok[w] = 1'b0;
      if (\dut.region [w] && pending_warps[w] && !(acts[w] && !act_divergent)) warps_ok[w] = 1'b0;   // a skip, that acts
      if (pending_warps[w] && !valid[path]) warps_ok[w] = 1'b0;
      if (branch_q[w] && ((branch_pc_q[w*32 +: 32] != pc[path*32 +: 32]) ||
                          ((NumSlots > 1) && (branch_slot_q[w] != \dut.u_path_state.gen_slots.pending_slot_q [w])))) warps_ok[w] = 1'b0;
      if (in_register[w] && ((issue_pc != pc[path*32 +: 32]) ||
                             ((NumSlots > 1) && (issue_slot != \dut.u_path_state.gen_slots.pending_slot_q [w])))) warps_ok[w] = 1'b0;
      if (acts[w] && ((act_holds && (act_next != pc[path*32 +: 32] + 32'd4)) ||
                      (act_slot != ((NumSlots > 1) && \dut.u_path_state.gen_slots.pending_slot_q [w])))) warps_ok[w] = 1'b0;
      if ((NumSlots > 1) && (\dut.acting [w] < acts[w])) warps_ok[w] = 1'b0;
      for (int s = 0; s < NumSlots; s++) begin
        if ((depth[w*DepthW +: DepthW] == '0) && (valid[s*NumWarps+w] || (count[(s*NumWarps+w)*CountW +: CountW] != '0) ||
                                                       (continues[(s*NumWarps+w)*Most +: Most] != '0))) warps_ok[w] = 1'b0;
        if (valid[s*NumWarps+w] && pc[(s*NumWarps+w)*32]) warps_ok[w] = 1'b0;
      end
      if ((depth[w*DepthW +: DepthW] != '0) && !running_q[w]) warps_ok[w] = 1'b0;
      // A warp that is popped has entries, no path, and nothing to resolve.
      pop_here = pops && (32'(pop_warp) == w);
      for (int s = 0; s < NumSlots; s++) if (pop_here && valid[s*NumWarps+w]) warps_ok[w] = 1'b0;
      if (pop_here && (pending_warps[w] || (depth[w*DepthW +: DepthW] == '0) || (pop_depth != depth[w*DepthW +: DepthW] - DepthW'(1)) ||
                       (pop_last != (pop_depth == '0)))) warps_ok[w] = 1'b0;
    end
    if (done_valid && ((32'(done_warp) >= NumWarps) || (depth[done_warp*DepthW +: DepthW] != '0))) warps_ok = '0;
    if (acting && ((acts == '0) || !holds_ok || !pushes_ok || !even_ok)) warps_ok = '0;
    if ((pops && (32'(pop_warp) >= NumWarps)) || (pop_last && !pops)) warps_ok = '0;
    if (held_q && !issue_valid) warps_ok = '0;
    if (dead_q && !held_q) warps_ok = '0;
  end

  // The threads of the path that is resolved.
  logic [Lanes-1:0] resolve_mask;
  always_comb begin
    resolve_mask = '0;
    for (int p = 0; p < NumPaths; p++) begin
      if ((32'(resolve_warp_i) == p % NumWarps) && (resolve_slot == (p >= NumWarps))) resolve_mask = mask[p*Lanes +: Lanes];
    end
  end

  // The write that is looked at, and its thread.
  logic [NumPaths-1:0] has_thread;
  logic                is_pending, is_shadowed, write_ok, apart_ok;
  always_comb begin
    is_pending  = 1'b0;
    is_shadowed = 1'b0;
    for (int s = 0; s < NumSlots; s++) begin
      for (int e = 0; e < E; e++) begin
        if ((flies_slot == s[0]) && pending[(s*NumWarps+warp)*E+e] && (regs[((s*NumWarps+warp)*E+e)*6 +: 6] == register)) begin
          is_pending  = 1'b1;
          is_shadowed = shadow[(s*NumWarps+warp)*E+e];
        end
      end
    end
    for (int p = 0; p < NumPaths; p++) has_thread[p] = (p % NumWarps == 32'(warp)) && mask[p*Lanes+32'(thread)];
    write_ok = !flies || (is_pending && ((NumSlots == 1) || is_shadowed || !has_thread[flies_slot ? 32'(warp) : NumPaths-NumWarps+32'(warp)]));
  end

  // Both slots of an entry never have the thread; nor do those that a resolution makes, which are its path's. Two rows a warp.
  localparam int SideW = 32 + Lanes + LevelW, EntryW = 2 * SideW + 32 + LevelW;   // {left, right, rpc, level}, a side {pc, mask, level}
  localparam int MaskR = 32 + LevelW + LevelW, MaskL = MaskR + SideW;
  (* hierconn *) wire [EntryW-1:0] \gen_dpe_stack.u_stack.u_below.gen_inferred.words[0] , \gen_dpe_stack.u_stack.u_below.gen_inferred.words[1] ;
  (* hierconn *) wire [EntryW-1:0] \gen_dpe_stack.u_stack.u_below.gen_inferred.words[2] , \gen_dpe_stack.u_stack.u_below.gen_inferred.words[3] ;
  (* hierconn *) wire [Lanes-1:0] \gen_dpe_stack.u_stack.act_mask_l_q , \gen_dpe_stack.u_stack.act_mask_r_q ;
  localparam int AddrW = heddle_pkg::idx_width(2 * NumWarps);
  (* hierconn *) wire [AddrW-1:0] \gen_dpe_stack.u_stack.u_below.gen_inferred.read_addr_q ;
  logic [2*EntryW-1:0] rows;
  logic [DepthW-1:0]   height;
  logic                act_l, act_r, acts_here;
  assign rows      = (NumWarps == 1) || (32'(warp) == 0)   // of one warp there are no others
                     ? {\gen_dpe_stack.u_stack.u_below.gen_inferred.words[1] , \gen_dpe_stack.u_stack.u_below.gen_inferred.words[0] }
                     : {\gen_dpe_stack.u_stack.u_below.gen_inferred.words[3] , \gen_dpe_stack.u_stack.u_below.gen_inferred.words[2] };
  assign height    = depth[warp*DepthW +: DepthW];
  assign acts_here = acting && (act_warp == warp);
  assign act_l     = \gen_dpe_stack.u_stack.act_mask_l_q [thread];
  assign act_r     = \gen_dpe_stack.u_stack.act_mask_r_q [thread];
  always_comb begin
    apart_ok = 1'b1;
    if (NumSlots == 2) begin
      if (has_thread[32'(warp)] && has_thread[NumPaths-NumWarps+32'(warp)]) apart_ok = 1'b0;
      for (int r = 0; r < StackDepth - 1; r++) begin
        if ((32'(height) >= r + 2) && rows[r*EntryW+MaskL+32'(thread)] && rows[r*EntryW+MaskR+32'(thread)]) apart_ok = 1'b0;
      end
      if (pops && !pop_last && (pop_warp == warp) && (\gen_dpe_stack.u_stack.u_below.gen_inferred.read_addr_q != AddrW'({pop_warp, 1'(height - DepthW'(2))}))) apart_ok = 1'b0;
      if (acts_here && ((\gen_dpe_stack.u_stack.act_depth_q != height + DepthW'(1)) ||
                        (\gen_dpe_stack.u_stack.act_full_q != (height == DepthW'(StackDepth))))) apart_ok = 1'b0;
      if (acts_here && act_divergent && act_l && act_r) apart_ok = 1'b0;
      if (acts_here && (act_l || act_r) && !has_thread[act_slot ? NumPaths-NumWarps+32'(warp) : 32'(warp)]) apart_ok = 1'b0;
    end
  end

  // The instruction of the warp, which was killed, left the issue register one cycle, two cycles before.
  logic [1:0] left_q;
  always_ff @(posedge clk_i) left_q <= {left_q[0] && rst_n, rst_n && dead_q && issue_ready_i && (issue_warp == warp)};

  logic [NumWarps-1:0] over_ok;
  always_comb begin
    for (int w = 0; w < NumWarps; w++) begin
      over_ok[w] = !idle[w] || !(flies_q && (32'(warp) == w));
      for (int s = 0; s < NumSlots; s++) if (idle[w] && there[(s*NumWarps+w)*Most]) over_ok[w] = 1'b0;
    end
  end

  always_comb begin
    one_is_any: assume ((32'(warp) < NumWarps) && (register != '0) && !address[0]);
    if (rst_n) begin
      launch_is_legal:       assume (!launch_valid_i ||
                                     ((32'(launch_warp_i) < NumWarps) && !running_q[launch_warp_i] && !launch_pc_i[0] &&
                                      (launch_mask_i != '0) && !(kill_valid_i && (kill_warp_i == launch_warp_i)) &&
                                      !(flies && (launch_warp_i == warp))));
      kill_is_legal:         assume (!kill_valid_i || (32'(kill_warp_i) < NumWarps));
      answer_is_legal:       assume (!decode_valid_i || (((answers & asked) != '0) && !(decode_two_i && decode_instr0[JumpBit])));
      resolve_is_legal:      assume (!resolve_valid_i ||
                                     ((32'(resolve_warp_i) < NumWarps) && branch_q[resolve_warp_i] && !resolve_target_i[0] &&
                                      (!resolve_rpc_i[0] || (resolve_rpc_i == 32'd1)) && !(resolve_call_i && resolve_return_i)));
      skip_is_legal:         assume (!resolve_valid_i || (resolve_skip_i == '0) ||
                                     ((resolve_skip_i <= 4'd8) && (resolve_exit_i == '0) && !resolve_call_i && !resolve_return_i &&
                                      ((resolve_mask & resolve_taken_i) != '0) && ((resolve_mask & ~resolve_taken_i) != '0)));
      region_has_no_control: assume ((valid& head_valid& \dut.exclusive & in_region) == '0);
      write_back_is_legal:   assume (!wb_valid_i || ((32'(wb_warp_i) < NumWarps) && !(lands && !flies_q && begins)));

      rtl_assertions_seen:         cover (fetched_q && fresh && resolve_valid_i && decode_valid_i);
      issues_what_is_there:        assert (!(fresh && (issue_pc == address)) || (issue_instr == content));
      issues_what_is_there_seen:   cover (fresh && (issue_pc == address) && issue_predicated && (content[23:0] == '1));
      fetches_what_it_says:        assert ((fetch_valid == fetched_q) &&
                                           (!fetched_q || ((fetch_path == fetched_path_q) && (fetch_tag == fetched_tag_q) &&
                                                           (fetched_mark_q == {fetch_pc + 32'd4 == address, fetch_pc == address}))));
      fetches_what_it_says_seen:   cover (fetched_q && fetched_mark_q[1] && (fetched_tag_q != '0));
      reads_what_is_written:       assert (!(fresh && (issue_warp == warp) && issue_mask[thread] && names_register && flies_q));
      reads_what_is_written_seen:  cover (flies_q && fresh && (issue_warp == warp) && issue_mask[thread] && (issue_instr[5:0] != '0));
      one_control_unresolved:      assert (warps_ok == '1);
      one_control_unresolved_seen: cover (branch_q == '1);
      idle_is_over:                assert (over_ok == '1);
      idle_is_over_seen:           cover (idle[warp] && (issue_mask != '0) && !running_q[warp]);
      idle_has_issued:             assert (!(issue_valid && idle[issue_warp]));
      idle_has_issued_seen:        cover (idle[warp] && left_q[1]);
      requests_are_followed:       assert (requests_ok == '1);
      requests_are_followed_seen:  cover (\dut.requests [1:0] == 2'd2);
      queues_are_followed:         assert (queues_ok == '1);
      queues_are_followed_seen:    cover ((32'(count[CountW-1:0]) == Depth) && (pc[31:0] + 32'd12 == address));
      waits_are_followed:          assert ((waits_ok == '1) && (sane == '1));
      waits_are_followed_seen:     cover ((wait_second[WaitW-1:0] != '0) && (wait_head[WaitW-1:0] != '0) && (count[CountW-1:0] > CountW'(1)) && !is_new[0]);
      writes_are_followed:         assert (write_ok && apart_ok);
      writes_are_followed_seen:    cover (flies_q && has_thread[flies_slot ? 32'(warp) : NumPaths-NumWarps+32'(warp)]);
    end
  end
endmodule
