// SPDX-License-Identifier: Apache-2.0
// Properties of pc_warp_lut (scripts/prove), four entries. An arbitrary PC is followed: which warp was entered for it last,
// with which lanes, and has it been issued? Warps are numbered by an allocator that offers what no waiting warp has.
//
//! run LutWays=2 LaneAware=1
//! run LutWays=1 LaneAware=1
//! run LutWays=4 LaneAware=1
//! run LutWays=2 LaneAware=0
//! assume lookups_are_legal: The lookups of a cycle have different PCs, and each asks for a lane.
//! assume new_is_legal: The index for a new warp is that of no warp that waits; the two of a cycle differ.
//! assume invalidate_is_legal: What is invalidated waits.
//!
//! together rtl_assertions hit_is_the_last_warp miss_has_a_reason entries_differ entries_wait entry_is_the_reference
//! property rtl_assertions: What the RTL asserts of its callers follows from the assumptions.
//!   mutant lut_hits_the_issued_warp
//! property hit_is_the_last_warp: A hit names the warp entered last for the PC, which has not been issued, and exactly its lanes.
//!   mutant lut_conflict_keeps_the_old_warp
//! property miss_has_a_reason: A PC whose warp waits is hit unless a warp lost its entry (alias) since that was entered, in this cycle by lookup 0 included.
//!   mutant lut_finds_in_full_sets_only
//! property entries_differ: No two entries name one warp or one PC.
//!   mutant lut_finds_in_full_sets_only
//! property entries_wait: An entry names a warp that waits, stands in the set of its PC, and has lanes: not lane aware, from lane 0 up.
//!   mutant lut_invalidates_one_of_two_sets
//! property entry_is_the_reference: The entry of the PC has the warp and the lanes that were entered.
//!   mutant lut_forgets_lanes_of_a_hit
module pc_warp_lut_props #(
  parameter int LutWays   = 2,
  parameter int LaneAware = 1
) (
  input logic        clk_i,
  input logic        invalidate_valid_i,
  input logic [2:0]  invalidate_idx_i,
  input logic        lookup0_valid_i,
  input logic [31:0] lookup0_pc_i,
  input logic [1:0]  lookup0_req_i,
  input logic [2:0]  lookup0_new_idx_i,
  input logic        lookup1_valid_i,
  input logic [31:0] lookup1_pc_i,
  input logic [1:0]  lookup1_req_i,
  input logic [2:0]  lookup1_new_idx_i
);
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic       hit0, alias0, hit1, alias1;
  logic [2:0] idx0, idx1;
  logic [1:0] occ0, occ1;
  pc_warp_lut #(.Lanes(2), .Threads(8), .LutEntries(4), .LutWays(LutWays), .LaneAware(LaneAware)) dut (
    .clk_i              (clk_i),
    .rst_ni             (rst_n),
    .invalidate_valid_i (invalidate_valid_i),
    .invalidate_idx_i   (invalidate_idx_i),
    .lookup0_valid_i    (lookup0_valid_i),
    .lookup0_pc_i       (lookup0_pc_i),
    .lookup0_req_i      (lookup0_req_i),
    .lookup0_new_idx_i  (lookup0_new_idx_i),
    .lookup1_valid_i    (lookup1_valid_i),
    .lookup1_pc_i       (lookup1_pc_i),
    .lookup1_req_i      (lookup1_req_i),
    .lookup1_new_idx_i  (lookup1_new_idx_i),
    .hit0_o             (hit0),
    .idx0_o             (idx0),
    .occ0_o             (occ0),
    .alias0_o           (alias0),
    .hit1_o             (hit1),
    .idx1_o             (idx1),
    .occ1_o             (occ1),
    .alias1_o           (alias1)
  );

  // Entry e: PC at 32*e, warp at 3*e, lanes at 2*e.
  (* hierconn *) wire [3:0]  \dut.valid_q ;
  (* hierconn *) wire [31:0] \dut.pc_q[0] , \dut.pc_q[1] , \dut.pc_q[2] , \dut.pc_q[3] ;
  (* hierconn *) wire [2:0]  \dut.idx_q[0] , \dut.idx_q[1] , \dut.idx_q[2] , \dut.idx_q[3] ;
  (* hierconn *) wire [1:0]  \dut.occ_q[0] , \dut.occ_q[1] , \dut.occ_q[2] , \dut.occ_q[3] ;
  wire [127:0] entry_pc  = {\dut.pc_q[3] , \dut.pc_q[2] , \dut.pc_q[1] , \dut.pc_q[0] };
  wire [11:0]  entry_idx = {\dut.idx_q[3] , \dut.idx_q[2] , \dut.idx_q[1] , \dut.idx_q[0] };
  wire [7:0]   entry_occ = {\dut.occ_q[3] , \dut.occ_q[2] , \dut.occ_q[1] , \dut.occ_q[0] };

  localparam int Sets = 4 / LutWays;
  (* anyconst *) logic [31:0] pc;
  wire mine0 = lookup0_valid_i && (lookup0_pc_i == pc);
  wire mine1 = lookup1_valid_i && (lookup1_pc_i == pc);

  // The reference: the warp of the PC and its lanes. kept: no alias since.
  logic [7:0] used_q;   // warps that wait
  logic       waits_q, kept_q, waits;
  logic [2:0] idx_q, new_idx;
  logic [1:0] occ_q, req, over, filled;
  wire        leaves = invalidate_valid_i && (invalidate_idx_i == idx_q);
  always_comb begin
    waits   = waits_q && !leaves;
    req     = mine0 ? lookup0_req_i : lookup1_req_i;
    new_idx = mine0 ? lookup0_new_idx_i : lookup1_new_idx_i;
    if (LaneAware == 1) begin
      over   = waits ? occ_q & req : '0;
      filled = waits ? occ_q | req : req;
    end else begin
      // Threads by number: in the warp and in the group, at most two fit.
      over   = (waits && (occ_q != '0)) ? ((occ_q == 2'b11) ? ((req == 2'b11) ? 2'b11 : 2'b01) : ((req == 2'b11) ? 2'b01 : 2'b00)) : 2'b00;
      filled = (waits || (req == 2'b11)) ? 2'b11 : 2'b01;
    end
  end
  wire       hits    = mine0 ? hit0 : hit1;
  wire       makes0  = lookup0_valid_i && (!hit0 || ((LaneAware == 1) ? ((occ0 & lookup0_req_i) != '0) :
                                                     ((occ0 == 2'b11) || (lookup0_req_i == 2'b11))));
  wire       makes1  = lookup1_valid_i && (!hit1 || ((LaneAware == 1) ? ((occ1 & lookup1_req_i) != '0) :
                                                     ((occ1 == 2'b11) || (lookup1_req_i == 2'b11))));
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      used_q   <= '0;
      waits_q  <= 1'b0;
      kept_q   <= 1'b0;
    end else begin
      if (invalidate_valid_i) used_q[invalidate_idx_i]  <= 1'b0;
      if (makes0)             used_q[lookup0_new_idx_i] <= 1'b1;
      if (makes1)             used_q[lookup1_new_idx_i] <= 1'b1;
      waits_q <= waits;
      if (leaves || alias0 || alias1) kept_q <= 1'b0;
      if (mine0 || mine1) begin
        waits_q <= 1'b1;
        kept_q  <= mine1 || !alias1;
        if (!hits) {idx_q, occ_q} <= {new_idx, (LaneAware == 1) ? req : (req == 2'b11) ? 2'b11 : 2'b01};
        else if (over != '0) {idx_q, occ_q} <= {new_idx, over};
        else occ_q <= filled;
      end
    end
  end

  logic differ, wait_all, reference, found;
  always_comb begin
    differ    = 1'b1;
    wait_all  = 1'b1;
    reference = 1'b1;
    found     = 1'b0;
    for (int e = 0; e < 4; e++) begin
      for (int o = 0; o < e; o++) begin
        if (\dut.valid_q [e] && \dut.valid_q [o] &&
            ((entry_idx[3*e +: 3] == entry_idx[3*o +: 3]) || (entry_pc[32*e +: 32] == entry_pc[32*o +: 32]))) differ = 1'b0;
      end
      if (\dut.valid_q [e] && ((entry_occ[2*e +: 2] == '0) || ((LaneAware == 0) && !entry_occ[2*e]))) wait_all = 1'b0;
      if (\dut.valid_q [e] && (!used_q[entry_idx[3*e +: 3]] || ((entry_pc[32*e +: 32] >> 2) % Sets != e / LutWays))) wait_all = 1'b0;
      if (\dut.valid_q [e] && (entry_pc[32*e +: 32] == pc)) begin
        found = 1'b1;
        if (!waits_q || (entry_idx[3*e +: 3] != idx_q) || (entry_occ[2*e +: 2] != occ_q)) reference = 1'b0;
      end
    end
    if (kept_q && !found) reference = 1'b0;
  end

  always_comb begin
    if (rst_n) begin
      lookups_are_legal:   assume (!(lookup0_valid_i && lookup1_valid_i && (lookup0_pc_i == lookup1_pc_i)) &&
                                   (!lookup0_valid_i || (lookup0_req_i != '0)) && (!lookup1_valid_i || (lookup1_req_i != '0)));
      new_is_legal:        assume ((!lookup0_valid_i || !used_q[lookup0_new_idx_i]) && (!lookup1_valid_i || !used_q[lookup1_new_idx_i]) &&
                                   !(lookup0_valid_i && lookup1_valid_i && (lookup0_new_idx_i == lookup1_new_idx_i)));
      invalidate_is_legal: assume (!invalidate_valid_i || used_q[invalidate_idx_i]);

      rtl_assertions_seen:         cover (hit0 && lookup1_valid_i && !hit1 && invalidate_valid_i);
      hit_is_the_last_warp:        assert (!((mine0 && hit0) || (mine1 && hit1)) ||
                                           (waits && ((mine0 ? idx0 : idx1) == idx_q) && ((mine0 ? occ0 : occ1) == occ_q)));
      hit_is_the_last_warp_seen:   cover (mine1 && hit1 && (occ_q == 2'b01) && (req == 2'b11));
      miss_has_a_reason:           assert (!(mine0 || mine1) || hits || !waits || !kept_q || (mine1 && alias0));
      miss_has_a_reason_seen:      cover (mine0 && waits && !kept_q && !hit0);
      entries_differ:              assert (differ);
      entries_differ_seen:         cover (\dut.valid_q == 4'b1111);
      entries_wait:                assert (wait_all);
      entries_wait_seen:           cover ((\dut.valid_q != '0) && (alias0 || alias1));
      entry_is_the_reference:      assert (reference);
      entry_is_the_reference_seen: cover (found && (occ_q == 2'b11) && kept_q);
    end
  end
endmodule
