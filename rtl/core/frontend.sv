// SPDX-License-Identifier: Apache-2.0
// frontend: decides in every cycle which path of which warp issues. It has no stack: a mechanism's front end holds this
// one beside a stack of its own and connects both.
//
// Contract
//   Latency  decided on registered state; issue_*, fetch_*, done_*, overflow_*, idle_o, stall_o are registers.
//            Combinational are unit_ready_i, issue_ready_i, hold_i, kill_* to the grant, fetch_ready_i to the fetch
//            grant, resolve_valid_i and room_i to take_valid_o.
//   Order    No path of a warp is granted in the cycle in which a resolution of it acts. A kill wins over everything
//            else of its warp, but the issue register keeps its instruction until issue_ready_i. A warp has at most one
//            unresolved control instruction, and none beside a path inside a predicated region. A branch that nobody
//            takes leaves the queue; any other resolution empties it.
//   Reset    asynchronous, active low; no warp runs, all outputs 0.
//   Idle     data keep their value while not valid. With one slot slots are ignored.
//   Assumes  (asserted) a resolution is of the pending control instruction, a skip of a divergence over neither control
//            nor barrier instructions.
// Hooks for the holder: 15 nets, more than a dozen because three mechanisms read different state.
// Source: DPE paper, section 3.
module frontend #(
  parameter  int NumWarps     = 24,  // warps of the partition
  parameter  int Lanes        = 32,  // threads of a warp
  parameter  int NumSlots     = 2,  // paths of a warp that may issue
  parameter  int DepthW       = 5,  // bits of the depth of a stack
  parameter  int Scoreboard   = heddle_pkg::ScoreboardDpe,  // kind: Scoreboard... of heddle_pkg
  parameter  int SbEntries    = 8,  // entries of a scoreboard table; optimistic_scoreboard: half of them
  parameter  int Selector     = heddle_pkg::SelectorTwoLevel,  // Selector... of heddle_pkg
  parameter  int Policy       = heddle_pkg::PolicyRoundRobin,  // Policy... of heddle_pkg
  parameter  int IbufDepth    = 5,  // bundles of an instruction queue
  parameter  int Predicate    = 1,  // 1: short forward branches may mask threads off, 0: predication is left out
  parameter  int NumWb        = 2,  // write-backs of a cycle
  parameter  int TagW         = 3,  // bits of the tag of a fetch
  parameter  int Watch        = 1,  // 0: stall_o is left out
  parameter  int PathBarriers = 0,  // the holder's: 1: paths come to a barrier one by one
  parameter  int Partial      = 0,  // the holder's: 1: a write-back may clear part of the threads
  parameter  int PayloadW     = 0,  // bits of the caller's own above a bundle: they come out with issue_instr_o
  parameter  int PcStep       = 4,  // bytes of an instruction: a power of two
  localparam int WarpW        = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW        = heddle_pkg::idx_width(NumSlots),
  localparam int NumPaths     = NumSlots * NumWarps,   // path of slot s of warp w: s*NumWarps + w
  localparam int PcW          = heddle_pkg::PcW,
  localparam int InstrW       = heddle_pkg::InstrW + PayloadW,
  localparam int RegW         = heddle_pkg::RegW,
  localparam int SkipW        = heddle_pkg::SkipW,
  localparam int NumUnits     = heddle_pkg::NumUnits
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from dispatcher
  input  logic                       launch_valid_i,
  input  logic [WarpW-1:0]           launch_warp_i,
  input  logic                       kill_valid_i,
  input  logic [WarpW-1:0]           kill_warp_i,
  // from and to fetch
  input  logic                       fetch_ready_i,
  output logic                       fetch_valid_o,
  output logic [WarpW-1:0]           fetch_warp_o,
  output logic [SlotW-1:0]           fetch_slot_o,
  output logic [PcW-1:0]             fetch_pc_o,
  output logic [TagW-1:0]            fetch_tag_o,
  // from decode
  input  logic                       decode_valid_i,
  input  logic [WarpW-1:0]           decode_warp_i,
  input  logic [SlotW-1:0]           decode_slot_i,
  input  logic [TagW-1:0]            decode_tag_i,
  input  logic [1:0]                 decode_count_i,
  input  logic [InstrW-1:0]          decode_instr0_i,
  input  logic [InstrW-1:0]          decode_instr1_i,
  // from and to execute
  input  logic                       resolve_valid_i,
  input  logic [WarpW-1:0]           resolve_warp_i,
  input  logic [SlotW-1:0]           resolve_slot_i,
  input  logic [Lanes-1:0]           resolve_taken_i,
  input  logic [SkipW-1:0]           resolve_skip_i,
  output logic                       resolve_ready_o,
  // from write-back
  input  logic [NumWb-1:0]           wb_valid_i,
  input  logic [NumWb*WarpW-1:0]     wb_warp_i,
  input  logic [NumWb*SlotW-1:0]     wb_slot_i,
  input  logic [NumWb*RegW-1:0]      wb_reg_i,
  input  logic [NumWb*Lanes-1:0]     wb_mask_i,
  // from L1 and units
  input  logic                       miss_valid_i,
  input  logic [WarpW-1:0]           miss_warp_i,
  input  logic [SlotW-1:0]           miss_slot_i,
  input  logic [NumUnits-1:0]        unit_ready_i,
  input  logic [NumWarps-1:0]        hold_i,                   // no unit is ready for the warp
  // from barrier unit
  input  logic [NumWarps-1:0]        release_i,
  // from stack: paths, warps and events
  input  logic [NumPaths*PcW-1:0]    pc_i,
  input  logic [NumPaths*Lanes-1:0]  mask_i,
  input  logic [NumPaths-1:0]        valid_i,
  input  logic [NumPaths-1:0]        sibling_i,
  input  logic [NumWarps*DepthW-1:0] depth_i,
  input  logic                       resolved_valid_i,
  input  logic [WarpW-1:0]           resolved_warp_i,
  input  logic [SlotW-1:0]           resolved_slot_i,
  input  logic                       resolved_next_i,
  input  logic                       push_valid_i,
  input  logic [WarpW-1:0]           push_warp_i,
  input  logic                       pop_valid_i,
  input  logic [WarpW-1:0]           pop_warp_i,
  input  logic                       stack_done_valid_i,
  input  logic [WarpW-1:0]           stack_done_warp_i,
  input  logic                       stack_overflow_valid_i,
  input  logic [WarpW-1:0]           stack_overflow_warp_i,
  // to stack
  output logic [NumPaths-1:0]        advance_o,                // the path issues no control instruction
  output logic                       take_valid_o,             // a resolution is taken
  output logic [Lanes-1:0]           taken_o,                  // who takes its branch: nobody if that says a skip
  // hooks: from the holder
  input  logic                       room_i,                   // a resolution may be taken
  input  logic                       keep_i,                   // a pop leaves the queues
  input  logic [NumPaths-1:0]        drop_i,                   // the queue of the path is emptied
  input  logic [NumPaths-1:0]        wait_i,                   // the path waits, as if its branch were pending
  input  logic [NumPaths-1:0]        stop_i,                   // the path waits, as if at a barrier
  // hooks: to the holder, by path
  output logic [NumPaths-1:0]        grant_o,                  // it issues
  output logic [NumPaths-1:0]        control_o,                // the head of its queue is a control instruction
  output logic [NumPaths-1:0]        barrier_o,                // ... a barrier instruction
  output logic [NumPaths-1:0]        head_valid_o,             // its queue has a head
  output logic [NumPaths-1:0]        blocked_o,                // a register of the head has a write in flight
  output logic [NumPaths-1:0]        waits_o,                  // its control instruction is unresolved
  output logic [NumPaths-1:0]        at_barrier_o,             // it is at a barrier
  output logic [NumPaths-1:0]        in_region_o,              // it is inside a predicated region
  // hooks: to the holder, by warp
  output logic [NumWarps-1:0]        pending_o,                // a control instruction is unresolved
  output logic [NumWarps-1:0]        settled_o,                // nothing of all that, halted, killed or acting
  // from and to execute
  input  logic                       issue_ready_i,
  output logic                       issue_valid_o,
  output logic [WarpW-1:0]           issue_warp_o,
  output logic [SlotW-1:0]           issue_slot_o,
  output logic [PcW-1:0]             issue_pc_o,
  output logic [Lanes-1:0]           issue_mask_o,
  output logic [InstrW-1:0]          issue_instr_o,
  output logic                       issue_sibling_o,
  output logic                       issue_predicated_o,
  // to dispatcher
  output logic                       done_valid_o,
  output logic [WarpW-1:0]           done_warp_o,
  output logic [NumWarps-1:0]        idle_o,
  // status
  output logic                       overflow_valid_o,
  output logic [WarpW-1:0]           overflow_warp_o,
  output logic [3:0]                 stall_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumSlots < 1) NumSlots_must_be_at_least_1 limit ();
  if (Scoreboard < 0 || Scoreboard > 3) Scoreboard_must_be_0_to_3 limit ();
  if (Selector < 0 || Selector > 1) Selector_must_be_0_or_1 limit ();
  if (Selector == 1 && NumSlots != 2) Selector_must_be_0_when_NumSlots_is_not_2 limit ();
  if (Predicate < 0 || Predicate > 1) Predicate_must_be_0_or_1 limit ();
  if (NumWb < 1) NumWb_must_be_at_least_1 limit ();
  if (Watch < 0 || Watch > 1) Watch_must_be_0_or_1 limit ();

  localparam int NamesW = heddle_pkg::NamesW;
  localparam int UnitW  = heddle_pkg::UnitW;
  localparam int CountW = heddle_pkg::idx_width(IbufDepth + 1);

  logic                grant_valid;             // a path issues
  logic [WarpW-1:0]    grant_warp;
  logic [SlotW-1:0]    grant_slot;
  logic [NumPaths-1:0] grant;                   // the same by path
  logic [PcW-1:0]      grant_pc;
  logic [Lanes-1:0]    grant_all, grant_mask;   // the path's threads; those that are not masked off
  logic [InstrW-1:0]   grant_instr;
  logic [NumWarps-1:0] killed;

  assign killed = kill_valid_i ? NumWarps'(1) << kill_warp_i : '0;

  // ---------------------------------------------------------------------------------- resolution and predication
  logic                      skips;         // to the stack a branch that says a skip is one that nobody takes
  logic [Lanes-1:0]          off_mask;      // threads of the granted path that are masked off
  logic [NumWarps-1:0]       region;        // a path of the warp is inside a region
  logic [NumWarps*SlotW-1:0] region_slot;   // that of this slot

  assign resolve_ready_o = room_i;
  assign take_valid_o    = resolve_valid_i && room_i;
  assign taken_o         = skips ? '0 : resolve_taken_i;

  generate
    if (Predicate != 0) begin : gen_predication
      logic [NumWarps*SkipW-1:0] unused_count;
      assign skips = resolve_skip_i != '0;

      predication #(
        .NumWarps (NumWarps),
        .NumSlots (NumSlots),
        .Lanes    (Lanes)
      ) u_predication (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .start_valid_i (take_valid_o && skips),
        .start_warp_i  (resolve_warp_i),
        .start_slot_i  (resolve_slot_i),
        .start_mask_i  (resolve_taken_i),
        .start_count_i (resolve_skip_i),
        .take_i        (grant),
        .kill_valid_i  (kill_valid_i),
        .kill_warp_i   (kill_warp_i),
        .off_mask_o    (off_mask),
        .active_o      (region),
        .slot_o        (region_slot),
        .count_o       (unused_count)
      );

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)          issue_predicated_o <= 1'b0;
        else if (grant_valid) issue_predicated_o <= (grant & in_region_o) != '0;
      end
    end else begin : gen_no_predication
      logic unused_skip;
      assign unused_skip        = ^resolve_skip_i;
      assign skips              = 1'b0;
      assign off_mask           = '0;
      assign region             = '0;
      assign region_slot        = '0;
      assign issue_predicated_o = 1'b0;
    end
  endgenerate

  // ------------------------------------------------------------------------------------------------------ state
  logic [NumWarps-1:0] acting, halted;   // a resolution of the warp acts; its stack overflowed

  path_state #(
    .NumWarps     (NumWarps),
    .NumSlots     (NumSlots),
    .PathBarriers (PathBarriers)
  ) u_path_state (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .grant_i          (grant),
    .grant_slot_i     (grant_slot),
    .control_i        (control_o),
    .barrier_i        (barrier_o),
    .take_valid_i     (take_valid_o),
    .take_warp_i      (resolve_warp_i),
    .killed_i         (killed),
    .release_i        (release_i),
    .valid_i          (valid_i),
    .resolved_valid_i (resolved_valid_i),
    .resolved_warp_i  (resolved_warp_i),
    .overflow_valid_i (stack_overflow_valid_i),
    .overflow_warp_i  (stack_overflow_warp_i),
    .region_i         (region),
    .region_slot_i    (region_slot),
    .pending_o        (pending_o),
    .acting_o         (acting),
    .halted_o         (halted),
    .settled_o        (settled_o),
    .waits_o          (waits_o),
    .at_barrier_o     (at_barrier_o),
    .in_region_o      (in_region_o)
  );

  // ------------------------------------------------------------------------------- instruction buffers and fetch
  logic [NumPaths*InstrW-1:0] head;
  logic [NumPaths*NamesW-1:0] second;
  logic [NumPaths-1:0]        head_valid, second_valid, quiet, need_fetch, request, fill, clear;
  logic [NumPaths*CountW-1:0] count;
  logic [NumPaths*2-1:0]      requests;
  logic [NumPaths*TagW-1:0]   tag;

  ibuffer #(
    .NumWarps (NumWarps),
    .NumSlots (NumSlots),
    .Depth    (IbufDepth),
    .TagW     (TagW),
    .PayloadW (PayloadW)
  ) u_ibuffer (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .answer_valid_i   (decode_valid_i),
    .answer_warp_i    (decode_warp_i),
    .answer_slot_i    (decode_slot_i),
    .answer_tag_i     (decode_tag_i),
    .answer_count_i   (decode_count_i),
    .answer_instr0_i  (decode_instr0_i),
    .answer_instr1_i  (decode_instr1_i),
    .take_i           (grant),
    .request_i        (request),
    .flush0_valid_i   (push_valid_i),
    .flush0_warp_i    (push_warp_i),
    .flush1_valid_i   (pop_valid_i && !keep_i),
    .flush1_warp_i    (pop_warp_i),
    .flush2_valid_i   (kill_valid_i),
    .flush2_warp_i    (kill_warp_i),
    .drop_i           (drop_i),
    .redirect_valid_i (resolved_valid_i),
    .redirect_warp_i  (resolved_warp_i),
    .redirect_slot_i  (resolved_slot_i),
    .redirect_next_i  (resolved_next_i),
    .head_o           (head),
    .head_valid_o     (head_valid),
    .second_o         (second),
    .second_valid_o   (second_valid),
    .count_o          (count),
    .requests_o       (requests),
    .tag_o            (tag),
    .quiet_o          (quiet),
    .need_fetch_o     (need_fetch),
    .fill_o           (fill),
    .clear_o          (clear)
  );
  assign head_valid_o = head_valid;

  fetch_request #(
    .NumWarps  (NumWarps),
    .NumSlots  (NumSlots),
    .IbufDepth (IbufDepth),
    .TagW      (TagW),
    .PcStep    (PcStep)
  ) u_fetch_request (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .launch_valid_i (launch_valid_i),
    .launch_warp_i  (launch_warp_i),
    .valid_i        (valid_i),
    .pc_i           (pc_i),
    .waits_i        (waits_o),
    .halted_i       (halted),
    .need_fetch_i   (need_fetch),
    .count_i        (count),
    .requests_i     (requests),
    .tag_i          (tag),
    .request_o      (request),
    .fetch_ready_i  (fetch_ready_i),
    .fetch_valid_o  (fetch_valid_o),
    .fetch_warp_o   (fetch_warp_o),
    .fetch_slot_o   (fetch_slot_o),
    .fetch_pc_o     (fetch_pc_o),
    .fetch_tag_o    (fetch_tag_o)
  );

  // ------------------------------------------------------------------------------- what is at the head of a queue
  logic [NumPaths-1:0]        exclusive;    // a control or barrier instruction
  logic [NumPaths-1:0]        load_store, special, unit_ready;
  logic [NumPaths*NamesW-1:0] names;
  logic [(1 << UnitW)-1:0]    units;        // by unit code; codes without a unit are never ready

  assign units     = {{((1 << UnitW) - NumUnits){1'b0}}, unit_ready_i};
  assign exclusive = control_o | barrier_o;

  generate
    for (genvar p = 0; p < NumPaths; p++) begin : gen_path
      logic [UnitW-1:0] unit;
      assign unit                      = head[p*InstrW + heddle_pkg::UnitLsb +: UnitW];
      assign barrier_o[p]              = head[p*InstrW + heddle_pkg::BarrierBit];
      assign control_o[p]              = head[p*InstrW + heddle_pkg::ControlBit];
      assign names[p*NamesW +: NamesW] = head[p*InstrW +: NamesW];
      assign unit_ready[p]             = units[unit];
      assign load_store[p]             = unit == UnitW'(heddle_pkg::UnitLoadStore);
      assign special[p]                = unit == UnitW'(heddle_pkg::UnitSpecial);
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- hazards
  logic [NumPaths-1:0] blocked, full;
  logic [NumWarps-1:0] writes;         // a register of the warp has a write in flight

  hazards #(
    .NumWarps   (NumWarps),
    .Lanes      (Lanes),
    .NumSlots   (NumSlots),
    .Scoreboard (Scoreboard),
    .SbEntries  (SbEntries),
    .NumWb      (NumWb),
    .Partial    (Partial)
  ) u_hazards (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .clear_i        (clear),
    .fill_i         (fill),
    .head_valid_i   (head_valid),
    .head_names_i   (names),
    .second_valid_i (second_valid),
    .second_names_i (second),
    .fill_warp_i    (decode_warp_i),
    .fill_slot_i    (decode_slot_i),
    .fill_names_i   (decode_instr0_i[NamesW-1:0]),
    .grant_i        (grant),
    .grant_warp_i   (grant_warp),
    .grant_slot_i   (grant_slot),
    .grant_reg_i    (grant_instr[RegW-1:0]),
    .grant_mask_i   (grant_mask),
    .mask_i         (mask_i),
    .push_valid_i   (push_valid_i),
    .push_warp_i    (push_warp_i),
    .pop_valid_i    (pop_valid_i),
    .pop_warp_i     (pop_warp_i),
    .wb_valid_i     (wb_valid_i),
    .wb_warp_i      (wb_warp_i),
    .wb_slot_i      (wb_slot_i),
    .wb_reg_i       (wb_reg_i),
    .wb_mask_i      (wb_mask_i),
    .blocked_o      (blocked),
    .full_o         (full),
    .writes_o       (writes)
  );
  assign blocked_o = blocked;

  // -------------------------------------------------------------------------------------------------- selection
  logic                occupied;     // the issue register keeps what it holds
  logic [NumPaths-1:0] held;         // an exclusive head, while the sibling is inside a region
  logic [NumPaths-1:0] behind;       // ... or waits for a resolution
  logic [NumPaths-1:0] may_issue;    // as far as the state of the path goes
  logic [NumPaths-1:0] free;         // the scoreboard does not hold it back either
  logic [NumPaths-1:0] serves;       // its unit takes it
  logic [NumPaths-1:0] eligible;     // free, served, and not killed
  logic [NumPaths-1:0] no_unit;      // free, but not served
  logic [NumWarps-1:0] granted;      // the warp of which a path issues

  assign occupied  = issue_valid_o && !issue_ready_i;
  assign held      = (NumSlots > 1) ? exclusive & {NumSlots{region}} : '0;
  assign behind    = held | (exclusive & {NumSlots{pending_o}});
  assign may_issue = valid_i & head_valid & ~waits_o & ~behind & ~at_barrier_o & ~{NumSlots{halted | acting}} &
                     ~wait_i & ~stop_i;
  assign free      = may_issue & ~blocked & ~full;
  assign serves    = unit_ready & ~{NumSlots{hold_i}} & ~{NumPaths{occupied}};
  assign eligible  = free & serves & ~{NumSlots{killed}};
  assign no_unit   = free & ~serves;

  generate
    if (Selector == heddle_pkg::SelectorTwoLevel) begin : gen_warp_selector
      logic unused_for_constrained;
      assign unused_for_constrained = ^{special, miss_valid_i, miss_warp_i, miss_slot_i};

      warp_selector #(
        .NumWarps (NumWarps),
        .NumSlots (NumSlots),
        .Policy   (Policy)
      ) u_selector (
        .clk_i          (clk_i),
        .rst_ni         (rst_ni),
        .launch_valid_i (launch_valid_i),
        .launch_warp_i  (launch_warp_i),
        .ready_i        (eligible),
        .grant_valid_o  (grant_valid),
        .grant_warp_o   (grant_warp),
        .grant_slot_o   (grant_slot),
        .grant_o        (grant)
      );
    end else begin : gen_constrained_selector
      // A path that is held back is not there for the selector: as current path it would keep the region from its end.
      logic [NumPaths-1:0] present;
      assign present = valid_i & ~held;

      constrained_selector #(
        .NumWarps (NumWarps),
        .Policy   (Policy)
      ) u_selector (
        .clk_i          (clk_i),
        .rst_ni         (rst_ni),
        .launch_valid_i (launch_valid_i),
        .launch_warp_i  (launch_warp_i),
        .ready_l_i      (eligible[0 +: NumWarps]),
        .ready_r_i      (eligible[NumWarps +: NumWarps]),
        .valid_l_i      (present[0 +: NumWarps]),
        .valid_r_i      (present[NumWarps +: NumWarps]),
        .long_l_i       (special[0 +: NumWarps]),
        .long_r_i       (special[NumWarps +: NumWarps]),
        .miss_valid_i   (miss_valid_i),
        .miss_warp_i    (miss_warp_i),
        .miss_slot_i    (miss_slot_i),
        .grant_valid_o  (grant_valid),
        .grant_warp_o   (grant_warp),
        .grant_slot_o   (grant_slot),
        .grant_o        (grant)
      );
    end
  endgenerate

  assign grant_o   = grant;
  assign advance_o = grant & ~control_o;

  always_comb begin
    granted = '0;
    for (int s = 0; s < NumSlots; s++) granted = granted | grant[s*NumWarps +: NumWarps];
  end

  always_comb begin
    grant_pc    = '0;
    grant_all   = '0;
    grant_instr = '0;
    for (int w = 0; w < NumWarps; w++) begin
      if (granted[w]) begin
        for (int s = 0; s < NumSlots; s++) begin
          grant_pc    = grant_pc    | (pc_i[(s*NumWarps+w)*PcW +: PcW] & {PcW{grant[s*NumWarps+w]}});
          grant_all   = grant_all   | (mask_i[(s*NumWarps+w)*Lanes +: Lanes] & {Lanes{grant[s*NumWarps+w]}});
          grant_instr = grant_instr | (head[(s*NumWarps+w)*InstrW +: InstrW] & {InstrW{grant[s*NumWarps+w]}});
        end
      end
    end
  end
  assign grant_mask = grant_all & ~off_mask;

  // -------------------------------------------------------------------------------------------------- registers
  logic [NumWarps-1:0] quiets, in_use, issuing;   // no request under way; has entries; is in the issue register

  always_comb begin
    quiets = '1;
    for (int s = 0; s < NumSlots; s++) quiets = quiets & quiet[s*NumWarps +: NumWarps];
    for (int w = 0; w < NumWarps; w++) in_use[w] = depth_i[w*DepthW +: DepthW] != '0;
  end
  assign issuing = issue_valid_o ? NumWarps'(1) << issue_warp_o : '0;   // a kill leaves it there

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      issue_valid_o    <= 1'b0;
      issue_warp_o     <= '0;
      issue_pc_o       <= '0;
      issue_mask_o     <= '0;
      issue_instr_o    <= '0;
      issue_sibling_o  <= 1'b0;
      done_valid_o     <= 1'b0;
      done_warp_o      <= '0;
      idle_o           <= '0;
      overflow_valid_o <= 1'b0;
      overflow_warp_o  <= '0;
    end else begin
      issue_valid_o    <= grant_valid || occupied;
      done_valid_o     <= stack_done_valid_i;
      idle_o           <= ~in_use & ~writes & ~issuing & quiets;
      overflow_valid_o <= stack_overflow_valid_i;
      if (grant_valid) begin
        issue_warp_o    <= grant_warp;
        issue_pc_o      <= grant_pc;
        issue_mask_o    <= grant_mask;
        issue_instr_o   <= grant_instr;
        issue_sibling_o <= (grant & sibling_i) != '0;
      end
      if (stack_done_valid_i)     done_warp_o <= stack_done_warp_i;
      if (stack_overflow_valid_i) overflow_warp_o <= stack_overflow_warp_i;
    end
  end

  generate
    if (NumSlots > 1) begin : gen_slots
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)          issue_slot_o <= '0;
        else if (grant_valid) issue_slot_o <= grant_slot;
      end
    end else begin : gen_one_slot
      assign issue_slot_o = '0;
    end

    if (Watch != 0) begin : gen_stall
      stall_reason #(
        .NumWarps (NumWarps),
        .NumSlots (NumSlots)
      ) u_stall_reason (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .grant_valid_i (grant_valid),
        .in_use_i      (in_use),
        .pending_i     (pending_o),
        .halted_i      (halted),
        .eligible_i    (eligible),
        .no_unit_i     (no_unit),
        .load_store_i  (load_store),
        .may_issue_i   (may_issue),
        .blocked_i     (blocked),
        .full_i        (full),
        .wait_i        ((valid_i & held) | wait_i),
        .at_barrier_i  (at_barrier_o | stop_i),
        .stall_o       (stall_o)
      );
    end else begin : gen_no_stall
      logic unused_stall;
      assign unused_stall = ^{load_store, no_unit};
      assign stall_o      = '0;
    end
  endgenerate

`ifndef SYNTHESIS
  localparam int PathW = heddle_pkg::idx_width(NumPaths);
  logic [PathW-1:0] resolve_path;
  logic [Lanes-1:0] resolve_mask;   // of the path whose branch is resolved
  assign resolve_path = PathW'(resolve_warp_i) + ((NumSlots > 1) ? PathW'(resolve_slot_i) * PathW'(NumWarps) : '0);
  assign resolve_mask = mask_i[resolve_path*Lanes +: Lanes];

  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      // A resolution that no control instruction waits for.
      assert (!(take_valid_o && !waits_o[resolve_path]));
      // A skip of a branch that does not diverge.
      assert (!(take_valid_o && skips &&
                (((resolve_mask & resolve_taken_i) == '0) || ((resolve_mask & ~resolve_taken_i) == '0))));
      // A control or barrier instruction inside a region: it would wait for the end of the region.
      assert ((valid_i & head_valid & exclusive & in_region_o) == '0);
    end
  end
`endif
endmodule
