// SPDX-License-Identifier: Apache-2.0
// wakeup: for the first two instructions of every queue, which entries of the scoreboard's tables they wait for, so
// that whether a head may issue is a register and not a search.
//
// Contract
//   Latency  blocked_o and full_o are registers: in every cycle what a check of the path's head against the registered
//            tables says. check_*_o follow the pins of decode and of the queue in the same cycle; what the scoreboard
//            answers to them is sampled at the end of that cycle.
//   Order    On one path in one cycle: clear wins over take and fill. A take with a fill makes the second instruction
//            the head, or the filled one if there is none. A write-back's wake acts on all that is loaded at that edge,
//            and on what stays, but not on the entry that the taken head has set: it is not pending yet.
//   Reset    asynchronous, active low; nothing is blocked or full. What the instructions wait for has no reset: it is
//            written before it counts.
//   Idle     blocked_o and full_o of an empty queue are 0; with one slot slots are ignored, and check_slot_o is 0.
//   Assumes  (asserted) a take of one path at most, of a head that is neither blocked nor full, and whose table has
//            a free entry if it has rd; a fill of one path at most, of the one that decode names.
//            (not asserted) tables change by set of the taken head, which takes the lowest free entry, write-back and
//            copy only; a copy comes with clear of all paths of the warp.
//   Not here tables and queues: spe_scoreboard, dpe_scoreboard, ibuffer.
// Source: wake-up of waiting instructions by tag, as in Tomasulo's reservation stations.
module wakeup #(
  parameter  int NumWarps   = 24,  // warps of the partition
  parameter  int NumSlots   = 2,  // 1: spe_scoreboard, 2: dpe_scoreboard
  parameter  int NumEntries = 8,  // entries of a table
  parameter  int NumWb      = 2,  // write-backs of a cycle
  localparam int WarpW      = heddle_pkg::idx_width(NumWarps),
  localparam int NumPaths   = NumWarps * NumSlots,   // path of slot s of warp w: s*NumWarps + w
  localparam int WaitW      = (NumSlots > 0) ? NumSlots * NumEntries : 1,   // 1 for broken limits to be told
  localparam int RegW       = heddle_pkg::RegW,
  localparam int NamesW     = heddle_pkg::NamesW
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // from ibuffer
  input  logic [NumPaths-1:0]            clear_i,
  input  logic [NumPaths-1:0]            fill_i,
  input  logic [NumPaths-1:0]            head_valid_i,
  input  logic [NumPaths*RegW-1:0]       head_rd_i,
  input  logic [NumPaths-1:0]            second_valid_i,
  input  logic [NumPaths*NamesW-1:0]     second_i,        // {rs3, rs2, rs1, rd} of the instruction behind the head
  // from decode: the answer's path and first instruction, whether it fills or not
  input  logic [WarpW-1:0]               fill_warp_i,
  input  logic                           fill_slot_i,
  input  logic [NamesW-1:0]              fill_names_i,
  // from issue
  input  logic [NumPaths-1:0]            take_i,
  input  logic [WarpW-1:0]               take_warp_i,
  input  logic                           take_slot_i,
  // from write-back
  input  logic [NumWb*WarpW-1:0]         wb_warp_i,
  input  logic [NumWb-1:0]               wb_slot_i,
  // from and to scoreboard
  output logic [3*WarpW-1:0]             check_warp_o,    // port 0: what decode brings, 1 and 2: what came second
  output logic [2:0]                     check_slot_o,
  output logic [3*NamesW-1:0]            check_names_o,
  input  logic [3*WaitW-1:0]             check_wait_i,
  input  logic [NumWb*NumEntries-1:0]    wake_i,
  input  logic [NumPaths*NumEntries-1:0] pending_i,
  // to issue
  output logic [NumPaths-1:0]            blocked_o,
  output logic [NumPaths-1:0]            full_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (NumSlots < 1 || NumSlots > 2) NumSlots_must_be_1_or_2 limit ();
  if (NumEntries < 1) NumEntries_must_be_at_least_1 limit ();
  if (NumWb < 1) NumWb_must_be_at_least_1 limit ();

  localparam logic Slots = NumSlots == 2;
  localparam int   PairW = RegW + NamesW;   // names of the first two instructions: rd of the head, all of the second

  logic                      taken_q, filled_q;
  logic [WarpW-1:0]          taken_warp_q, filled_warp_q;
  logic                      taken_slot_q, filled_slot_q;
  logic [NumPaths*PairW-1:0] pairs;
  logic [PairW-1:0]          taken_pair, filled_pair;
  logic [RegW-1:0]           fill_rd;        // of the head that is there when decode's instruction comes
  logic [WaitW-1:0]          fill_wait, taken_wait, filled_wait;
  logic                      fill_depends, taken_depends, filled_depends;

  // A second instruction is new only in the cycle after a take or a fill: then it is asked for at port 1 or 2.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q       <= 1'b0;
      filled_q      <= 1'b0;
      taken_warp_q  <= '0;
      filled_warp_q <= '0;
    end else begin
      taken_q       <= |take_i;
      filled_q      <= |fill_i;
      taken_warp_q  <= take_warp_i;
      filled_warp_q <= fill_warp_i;
    end
  end

  // Functions start their index at 0, because Yosys takes it for a latch else.
  function automatic logic [PairW-1:0] pair_of(input logic [NumPaths*PairW-1:0] rows, input logic [WarpW-1:0] warp,
                                               input logic slot);
    int p;
    p = 0;
    pair_of = '0;
    for (p = 0; p < NumPaths; p++) begin
      pair_of |= {PairW{(warp == WarpW'(p % NumWarps)) && (slot == (p >= NumWarps))}} & rows[p*PairW +: PairW];
    end
  endfunction

  function automatic logic depends(input logic [NamesW-1:0] names, input logic [RegW-1:0] rd);
    int n;
    n = 0;
    depends = 1'b0;
    for (n = 0; n < NamesW; n += RegW) depends |= names[n +: RegW] == rd;
    if (rd == '0) depends = 1'b0;
  endfunction

  // What the write-backs of this cycle free, of what a path waits for: in its own table, in the other slot's.
  function automatic logic [WaitW-1:0] woken(input logic [NumWb*WarpW-1:0] wb_warp, input logic [NumWb-1:0] wb_slot,
                                             input logic [NumWb*NumEntries-1:0] wake, input logic [WarpW-1:0] warp,
                                             input logic slot);
    int k, s, e;
    k = 0;
    s = 0;
    e = 0;
    woken = '0;
    for (k = 0; k < NumWb; k++) begin
      for (s = 0; s < NumSlots; s++) begin
        if ((wb_warp[k*WarpW +: WarpW] == warp) && (!Slots || (wb_slot[k] == (slot ^ (s == 1))))) begin
          for (e = 0; e < NumEntries; e++) if (wake[k*NumEntries+e]) woken[s*NumEntries+e] = 1'b1;
        end
      end
    end
  endfunction

  assign fill_rd     = RegW'(pair_of(pairs, fill_warp_i, Slots && fill_slot_i) >> NamesW);
  assign taken_pair  = pair_of(pairs, taken_warp_q, taken_slot_q);
  assign filled_pair = pair_of(pairs, filled_warp_q, filled_slot_q);

  assign fill_depends   = depends(fill_names_i, fill_rd);
  assign taken_depends  = depends(taken_pair[0 +: NamesW], taken_pair[NamesW +: RegW]);
  assign filled_depends = depends(filled_pair[0 +: NamesW], filled_pair[NamesW +: RegW]);

  assign check_warp_o  = {filled_warp_q, taken_warp_q, fill_warp_i};
  assign check_slot_o  = {filled_slot_q, taken_slot_q, Slots && fill_slot_i};
  assign check_names_o = {filled_pair[0 +: NamesW], taken_pair[0 +: NamesW], fill_names_i};

  // What the checked instructions wait for behind this edge.
  assign fill_wait   = check_wait_i[0*WaitW +: WaitW] &
                       ~woken(wb_warp_i, wb_slot_i, wake_i, fill_warp_i, Slots && fill_slot_i);
  assign taken_wait  = check_wait_i[1*WaitW +: WaitW] &
                       ~woken(wb_warp_i, wb_slot_i, wake_i, taken_warp_q, taken_slot_q);
  assign filled_wait = check_wait_i[2*WaitW +: WaitW] &
                       ~woken(wb_warp_i, wb_slot_i, wake_i, filled_warp_q, filled_slot_q);

  generate
    if (NumSlots == 2) begin : gen_two_slots
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          taken_slot_q  <= 1'b0;
          filled_slot_q <= 1'b0;
        end else begin
          taken_slot_q  <= take_slot_i;
          filled_slot_q <= fill_slot_i;
        end
      end
    end else begin : gen_one_slot
      logic unused_slots;
      assign unused_slots  = fill_slot_i ^ take_slot_i ^ (^wb_slot_i);
      assign taken_slot_q  = 1'b0;
      assign filled_slot_q = 1'b0;
    end

    for (genvar p = 0; p < NumPaths; p++) begin : gen_path
      localparam logic [WarpW-1:0] Warp = WarpW'(p % NumWarps);
      localparam logic             Slot = p >= NumWarps;

      logic                  taken, filled;   // the second instruction is new
      logic                  second_depends, take_depends, depends_q;
      logic [WaitW-1:0]      wakes, head_wait, second_wait, wait_head_q, wait_second_q;   // _wait: behind this edge
      logic [WaitW-1:0]      set_wait;   // the entry that the head's rd takes
      logic [RegW-1:0]       rd, second_rd;
      logic [NumEntries-1:0] own;
      logic                  none_free, none_free_if_set, take_rd, stay_rd;
      logic                  take_valid, take_blocked, take_full, stay_valid, stay_blocked, stay_full;
      logic                  blocked_q, full_q;

      assign pairs[p*PairW +: PairW] = {rd, second_i[p*NamesW +: NamesW]};
      assign rd                      = head_rd_i[p*RegW +: RegW];
      assign second_rd               = second_i[p*NamesW +: RegW];
      assign own                     = pending_i[p*NumEntries +: NumEntries];

      always_comb begin
        set_wait                 = '0;
        set_wait[NumEntries-1:0] = ~own & (own + NumEntries'(1));
      end

      assign wakes          = woken(wb_warp_i, wb_slot_i, wake_i, Warp, Slot);
      assign taken          = taken_q && (taken_warp_q == Warp) && (taken_slot_q == Slot);
      assign filled         = filled_q && (filled_warp_q == Warp) && (filled_slot_q == Slot);
      assign head_wait      = wait_head_q & ~wakes;
      assign second_wait    = taken ? taken_wait : filled ? filled_wait : wait_second_q & ~wakes;
      assign second_depends = taken ? taken_depends : filled ? filled_depends : depends_q;

      // With a take the second instruction is the next head, without one the head; if there is none, decode's.
      assign take_valid   = second_valid_i[p] || fill_i[p];
      assign stay_valid   = head_valid_i[p] || fill_i[p];
      assign take_depends = second_valid_i[p] ? second_depends : fill_depends;
      assign take_blocked = take_depends || (second_valid_i[p] ? (second_wait != '0) : (fill_wait != '0));
      assign stay_blocked = head_valid_i[p] ? (head_wait != '0) : (fill_wait != '0);

      // The own table behind this edge: a take sets an entry if the head has rd, and then one was free.
      assign none_free        = (own == '1) && (wakes[0 +: NumEntries] == '0);
      assign none_free_if_set = ((own | (own + NumEntries'(1))) == '1) && (wakes[0 +: NumEntries] == '0);
      assign take_rd          = second_valid_i[p] ? (second_rd != '0) : (fill_names_i[0 +: RegW] != '0);
      assign stay_rd          = head_valid_i[p] ? (rd != '0) : (fill_names_i[0 +: RegW] != '0);
      assign take_full        = take_rd && ((rd != '0) ? none_free_if_set : none_free);
      assign stay_full        = stay_rd && none_free;

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          blocked_q <= 1'b0;
          full_q    <= 1'b0;
        end else begin
          blocked_q <= !clear_i[p] && (take_i[p] ? take_valid && take_blocked : stay_valid && stay_blocked);
          full_q    <= !clear_i[p] && (take_i[p] ? take_valid && take_full : stay_valid && stay_full);
        end
      end

      always_ff @(posedge clk_i) begin
        wait_second_q <= second_wait;
        depends_q     <= second_depends;
        wait_head_q   <= ({WaitW{take_i[p] && second_valid_i[p]}} & second_wait) |
                         ({WaitW{!take_i[p] && head_valid_i[p]}} & head_wait) |
                         ({WaitW{take_i[p] ? !second_valid_i[p] : !head_valid_i[p]}} & fill_wait) |
                         ({WaitW{take_i[p] && take_depends}} & set_wait);
      end

      assign blocked_o[p] = blocked_q;
      assign full_o[p]    = full_q;
    end
  endgenerate

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert ((take_i & (take_i - NumPaths'(1))) == '0);      // two paths taken
      assert ((take_i & ~head_valid_i) == '0);                // nothing to take
      assert ((take_i & (blocked_o | full_o)) == '0);         // a head that must not issue
      assert ((fill_i & (fill_i - NumPaths'(1))) == '0);      // two paths filled
      for (int p = 0; p < NumPaths; p++) begin
        // take_warp_i and take_slot_i name another path.
        assert (!(take_i[p] && ((32'(take_warp_i) != p % NumWarps) || (Slots && (take_slot_i != (p >= NumWarps))))));
        // fill_warp_i and fill_slot_i name another path.
        assert (!(fill_i[p] && ((32'(fill_warp_i) != p % NumWarps) || (Slots && (fill_slot_i != (p >= NumWarps))))));
        // A head with rd takes an entry of a table that has none free.
        assert (!(take_i[p] && (head_rd_i[p*RegW +: RegW] != '0) && (pending_i[p*NumEntries +: NumEntries] == '1)));
      end
    end
  end
`endif
endmodule
