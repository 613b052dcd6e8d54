// SPDX-License-Identifier: Apache-2.0
// pc_warp_lut: finds, for a PC, the warp that is being formed at it and the lanes taken there; set associative, two
// lookups with their updates a cycle.
//
// Contract
//   Latency  hit, index, lanes and alias are combinational; what they change is in the table after the edge that ends
//            the cycle.
//   Order    invalidation, then lookup 0, then lookup 1, each sees the table as the one before left it, both lookups of
//            one set included. A way that a lookup hits or allocates becomes the most recently used of its set; an
//            invalidation does not change the order of use. Replaced is the lowest invalid way, else the least
//            recently used one.
//   Reset    asynchronous, active low; no entry is valid. PC, lanes and index have no reset: they are written when the
//            entry becomes valid.
//   Idle     outputs of a lookup are 0 while it is not valid or does not hit (alias: while nothing is replaced).
//   Assumes  (asserted) the lookups of one cycle have different PCs; an index that is entered is in no valid entry.
//   Not here the warps: warp_pool. Which pool entry a new warp gets: warp_allocator.
// Source: DWF paper, section 4.2, figure 11(b); replacement: ours.
module pc_warp_lut #(
  parameter  int Lanes      = 16,   // threads of a warp
  parameter  int Threads    = 256,  // threads of the core, entries of the pool
  parameter  int LutEntries = 32,   // entries of the PC-warp LUT, a power of two
  parameter  int LutWays    = 2,    // ways of a set: 1, 2 or 4
  parameter  int LaneAware  = 1,    // 0: threads take the lowest free lanes, req only says how many there are
  localparam int IdxW       = heddle_pkg::idx_width(Threads)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // from issue
  input  logic             invalidate_valid_i,
  input  logic [IdxW-1:0]  invalidate_idx_i,
  // from update registers and allocator
  input  logic             lookup0_valid_i,
  input  logic [31:0]      lookup0_pc_i,
  input  logic [Lanes-1:0] lookup0_req_i,
  input  logic [IdxW-1:0]  lookup0_new_idx_i,  // the entry that a new warp gets
  input  logic             lookup1_valid_i,
  input  logic [31:0]      lookup1_pc_i,
  input  logic [Lanes-1:0] lookup1_req_i,
  input  logic [IdxW-1:0]  lookup1_new_idx_i,
  // to pool and allocator
  output logic             hit0_o,
  output logic [IdxW-1:0]  idx0_o,             // as found
  output logic [Lanes-1:0] occ0_o,             // as found
  output logic             alias0_o,           // a waiting warp lost its entry
  output logic             hit1_o,
  output logic [IdxW-1:0]  idx1_o,
  output logic [Lanes-1:0] occ1_o,
  output logic             alias1_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Threads < Lanes) Threads_must_be_at_least_Lanes limit ();   // one warp
  if (LutWays != 1 && LutWays != 2 && LutWays != 4) LutWays_must_be_1_2_or_4 limit ();
  if (LutEntries < LutWays) LutEntries_must_be_at_least_LutWays limit ();
  if (2**$clog2(LutEntries) != LutEntries) LutEntries_must_be_a_power_of_two limit ();
  if (LaneAware < 0 || LaneAware > 1) LaneAware_must_be_0_or_1 limit ();

  localparam int Sets    = LutEntries / LutWays;
  localparam int SetW    = heddle_pkg::idx_width(Sets);
  localparam int EntryW  = heddle_pkg::idx_width(LutEntries);
  localparam int WayW    = heddle_pkg::idx_width(LutWays);
  localparam int CountW  = heddle_pkg::idx_width(Lanes + 1);
  localparam int OrderW  = (LutWays == 4) ? 6 : 1;   // a bit for each pair of ways (none is used with one way)

  // State: entry = set*LutWays + way. Order bit of the ways i < j (at j*(j-1)/2 + i): j was used after i.
  logic [LutEntries-1:0]  valid_q;
  logic [31:0]            pc_q  [0:LutEntries-1];
  logic [Lanes-1:0]       occ_q [0:LutEntries-1];
  logic [IdxW-1:0]        idx_q [0:LutEntries-1];
  logic [Sets*OrderW-1:0] order_q;

  // ------------------------------------------------------------------------------------------------ order of use
  function automatic logic [OrderW-1:0] touched(input logic [OrderW-1:0] order, input logic [WayW-1:0] way);
    touched = order;
    for (int j = 1; j < LutWays; j++) begin
      for (int i = 0; i < j; i++) begin
        if (32'(way) == j) touched[j*(j-1)/2 + i] = 1'b1;
        if (32'(way) == i) touched[j*(j-1)/2 + i] = 1'b0;
      end
    end
  endfunction

  // The lowest way that is not valid, else the one before which no other was used.
  function automatic logic [WayW-1:0] replaced(input logic [LutWays-1:0] valid, input logic [OrderW-1:0] order);
    logic [LutWays-1:0] oldest;
    oldest = '1;
    for (int j = 1; j < LutWays; j++) begin
      for (int i = 0; i < j; i++) begin
        if (order[j*(j-1)/2 + i]) oldest[j] = 1'b0;
        else                      oldest[i] = 1'b0;
      end
    end
    replaced = '0;
    for (int w = LutWays - 1; w >= 0; w--) if (oldest[w]) replaced = WayW'(w);
    for (int w = LutWays - 1; w >= 0; w--) if (!valid[w]) replaced = WayW'(w);
  endfunction

  // Where the threads of req go: {lanes taken of the new warp that a conflict makes, lanes taken of the old warp}.
  function automatic logic [2*Lanes-1:0] placed(input logic [Lanes-1:0] occ, input logic [Lanes-1:0] req);
    logic [CountW-1:0] count;
    if (LaneAware == 1) begin
      placed = {occ & req, occ | req};
    end else begin
      // occ is a row of ones from lane 0 up; it grows by count, into the new warp if need be.
      count = '0;
      for (int l = 0; l < Lanes; l++) count = count + CountW'(req[l]);
      placed = ({{Lanes{1'b0}}, occ} << count) | ~({(2*Lanes){1'b1}} << count);
    end
  endfunction

  // ------------------------------------------------------------------------------------------------ invalidation
  logic [LutEntries-1:0] live;   // entries after the invalidation
  generate
    for (genvar e = 0; e < LutEntries; e++) begin : gen_live
      assign live[e] = valid_q[e] && !(invalidate_valid_i && (idx_q[e] == invalidate_idx_i));
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- lookup 0
  logic [SetW-1:0]    set0;
  logic [EntryW-1:0]  base0, entry0;      // of way 0 of the set; the entry that is hit or allocated
  logic [LutWays-1:0] live0, match0;
  logic [WayW-1:0]    hit_way0, way0;
  logic [OrderW-1:0]  order0, new_order0;
  logic [Lanes-1:0]   over0, filled0, new_occ0;
  logic [IdxW-1:0]    new_idx0;

  // ---------------------------------------------------------------------------------------------------- lookup 1
  logic [SetW-1:0]    set1;
  logic [EntryW-1:0]  base1, entry1;
  logic [LutWays-1:0] live1, match1, mine1;   // mine1: the way that lookup 0 wrote, if it is of this set
  logic [WayW-1:0]    hit_way1, way1;
  logic [OrderW-1:0]  order1, new_order1;
  logic [Lanes-1:0]   over1, filled1, new_occ1;
  logic [IdxW-1:0]    new_idx1;
  logic               same_set;

  generate
    if (Sets == 1) begin : gen_one_set
      assign set0 = '0;
      assign set1 = '0;
    end else begin : gen_sets
      assign set0 = lookup0_pc_i[2 +: SetW];
      assign set1 = lookup1_pc_i[2 +: SetW];
    end
    for (genvar w = 0; w < LutWays; w++) begin : gen_way
      assign live0[w]  = live[base0 + EntryW'(w)];
      assign match0[w] = live0[w] && (pc_q[base0 + EntryW'(w)] == lookup0_pc_i);
      // What lookup 0 wrote has its PC, which is not the PC of lookup 1.
      assign mine1[w]  = same_set && (way0 == WayW'(w));
      assign live1[w]  = live[base1 + EntryW'(w)] || mine1[w];
      assign match1[w] = live1[w] && !mine1[w] && (pc_q[base1 + EntryW'(w)] == lookup1_pc_i);
    end
  endgenerate

  function automatic logic [WayW-1:0] way_of(input logic [LutWays-1:0] match);
    way_of = '0;
    for (int w = 0; w < LutWays; w++) if (match[w]) way_of = WayW'(w);
  endfunction

  assign base0      = EntryW'(32'(set0) * LutWays);
  assign hit_way0   = way_of(match0);
  assign hit0_o     = lookup0_valid_i && (match0 != '0);
  assign order0     = order_q[32'(set0)*OrderW +: OrderW];
  assign way0       = (match0 != '0) ? hit_way0 : replaced(live0, order0);
  assign entry0     = base0 + EntryW'(way0);
  assign idx0_o     = hit0_o ? idx_q[entry0] : '0;
  assign occ0_o     = hit0_o ? occ_q[entry0] : '0;
  assign alias0_o   = lookup0_valid_i && !hit0_o && live0[way0];
  assign new_order0 = touched(order0, way0);
  assign {over0, filled0} = placed(occ0_o, lookup0_req_i);
  assign new_occ0   = (over0 != '0) ? over0 : filled0;
  assign new_idx0   = (hit0_o && (over0 == '0)) ? idx0_o : lookup0_new_idx_i;

  assign same_set   = lookup0_valid_i && (set0 == set1);
  assign base1      = EntryW'(32'(set1) * LutWays);
  assign hit_way1   = way_of(match1);
  assign hit1_o     = lookup1_valid_i && (match1 != '0);
  assign order1     = same_set ? new_order0 : order_q[32'(set1)*OrderW +: OrderW];
  assign way1       = (match1 != '0) ? hit_way1 : replaced(live1, order1);
  assign entry1     = base1 + EntryW'(way1);
  assign idx1_o     = hit1_o ? idx_q[entry1] : '0;
  assign occ1_o     = hit1_o ? occ_q[entry1] : '0;
  assign alias1_o   = lookup1_valid_i && !hit1_o && live1[way1];
  assign new_order1 = touched(order1, way1);
  assign {over1, filled1} = placed(occ1_o, lookup1_req_i);
  assign new_occ1   = (over1 != '0) ? over1 : filled1;
  assign new_idx1   = (hit1_o && (over1 == '0)) ? idx1_o : lookup1_new_idx_i;

  // ------------------------------------------------------------------------------------------------------ state
  logic [LutEntries-1:0] valid_d;
  always_comb begin
    valid_d = live;
    if (lookup0_valid_i) valid_d[entry0] = 1'b1;
    if (lookup1_valid_i) valid_d[entry1] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      order_q <= '0;
    end else begin
      valid_q <= valid_d;
      if (lookup0_valid_i) order_q[32'(set0)*OrderW +: OrderW] <= new_order0;
      if (lookup1_valid_i) order_q[32'(set1)*OrderW +: OrderW] <= new_order1;
    end
  end

  // Lookup 1 may replace what lookup 0 wrote: its write is the last.
  always_ff @(posedge clk_i) begin
    if (lookup0_valid_i) begin
      pc_q[entry0]  <= lookup0_pc_i;
      occ_q[entry0] <= new_occ0;
      idx_q[entry0] <= new_idx0;
    end
    if (lookup1_valid_i) begin
      pc_q[entry1]  <= lookup1_pc_i;
      occ_q[entry1] <= new_occ1;
      idx_q[entry1] <= new_idx1;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      // Two groups with one PC must be one group.
      assert (!(lookup0_valid_i && lookup1_valid_i && (lookup0_pc_i == lookup1_pc_i)));
      // Two new warps in one pool entry.
      assert (!(lookup0_valid_i && lookup1_valid_i && (new_idx0 == new_idx1)));
      for (int e = 0; e < LutEntries; e++) begin
        // The new warp's pool entry is that of a warp that is still being formed.
        assert (!(lookup0_valid_i && live[e] && (idx_q[e] == new_idx0) && (e != 32'(entry0))));
        assert (!(lookup1_valid_i && live[e] && (idx_q[e] == new_idx1) && (e != 32'(entry1)) &&
                  !(lookup0_valid_i && (e == 32'(entry0)))));
      end
    end
  end
`endif
endmodule
