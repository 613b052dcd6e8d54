// SPDX-License-Identifier: Apache-2.0
// issue_logic: picks the warp of the pool that issues next, by one of five heuristics, and keeps what it needs for it.
//
// Contract
//   Latency  pick and hold are combinational from registered state, pool state and queries; issue and additions sampled
//            at edge t count from the cycle after edge t on.
//   Order    The pick is before everything else of its cycle. Then issued, addition 0, addition 1, one sorting step.
//            A table entry is looked for in registered state: if its last threads issue in the cycle in which others
//            enter at its PC it keeps its position. Of two new PCs that of addition 0 takes the lowest position that is
//            free in registered state, that of addition 1 the next.
//            Hold counts what is free in registered state, less the position that update 0 takes if it goes.
//   Reset    asynchronous, active low; no PC in the table, none current, nothing waits. The ring of DTime has no reset:
//            a place is written before it is read.
//   Idle     pick_idx_o is 0 while pick_valid_o is 0; distinct_o is 0 without a table.
//   Assumes  (asserted) the additions of one cycle have different PCs and at least one thread; no addition that is
//            held; no more threads issued at a PC than entered. DTime: what issues is the oldest.
//   Not here the warps: warp_pool.
// Source: DWF paper, section 4.3; ties, positions of new PCs and the bound of a warp to its PC: ours.
module issue_logic #(
  parameter  int Threads      = 256,  // threads of the core, entries of the pool
  parameter  int Lanes        = 16,   // threads of a warp
  parameter  int SchedW       = 8,    // bits of a thread's priority value (DPdPri)
  parameter  int TableEntries = 32,   // PCs that DMaj and DMin tell apart
  parameter  int Heuristic    = 0,    // 0 DMaj, 1 DMin, 2 DTime, 3 DPdPri, 4 DPC
  localparam int IdxW         = heddle_pkg::idx_width(Threads),
  localparam int CntW         = heddle_pkg::idx_width(Threads + 1),
  localparam int DistinctW    = heddle_pkg::idx_width(TableEntries + 1)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // from pool
  input  logic [Threads-1:0]        valid_i,
  input  logic [Threads*32-1:0]     pc_i,
  input  logic [Threads*SchedW-1:0] sched_i,
  // to scheduler
  output logic                      pick_valid_o,
  output logic [IdxW-1:0]           pick_idx_o,
  // the warp that leaves
  input  logic                      issued_valid_i,
  input  logic [IdxW-1:0]           issued_idx_i,
  input  logic [31:0]               issued_pc_i,
  input  logic [CntW-1:0]           issued_count_i,
  // the threads that enter
  input  logic                      add0_valid_i,
  input  logic [31:0]               add0_pc_i,
  input  logic [CntW-1:0]           add0_count_i,
  input  logic                      add0_new_i,       // with a new warp
  input  logic [IdxW-1:0]           add0_new_idx_i,
  input  logic                      add1_valid_i,
  input  logic [31:0]               add1_pc_i,
  input  logic [CntW-1:0]           add1_count_i,
  input  logic                      add1_new_i,
  input  logic [IdxW-1:0]           add1_new_idx_i,
  // from update registers: must it wait?
  input  logic                      query0_valid_i,
  input  logic [31:0]               query0_pc_i,
  input  logic                      query1_valid_i,
  input  logic [31:0]               query1_pc_i,
  output logic                      hold0_o,
  output logic                      hold1_o,
  // status
  output logic [DistinctW-1:0]      distinct_o
);
  initial if (Lanes < 2 || Lanes > 64) $fatal(1, "issue_logic: Lanes must be 2 to 64");
  initial if (Threads < Lanes) $fatal(1, "issue_logic: Threads must be at least Lanes (one warp)");
  initial if (SchedW < 1) $fatal(1, "issue_logic: SchedW must be at least 1");
  initial if (TableEntries < 2) $fatal(1, "issue_logic: TableEntries must be at least 2 (two PCs enter in a cycle)");
  initial if (Heuristic < 0 || Heuristic > 4) $fatal(1, "issue_logic: Heuristic must be 0 to 4");

  generate
    if (Heuristic <= 1) begin : gen_table
      // ------------------------------------------------------------------------------- PCs sorted by thread count
      logic [TableEntries-1:0]      valid_q;
      logic [TableEntries*32-1:0]   pc_q;
      logic [TableEntries*CntW-1:0] count_q;      // 0 while not valid
      logic                         current_valid_q;
      logic [31:0]                  current_pc_q;
      logic                         odd_q;        // the cycle since reset is odd

      // Entries with a PC, in registered state.
      logic [TableEntries-1:0] is_issued, is_add0, is_add1, is_query0, is_query1, is_current;
      always_comb begin
        for (int e = 0; e < TableEntries; e++) begin
          is_issued[e]  = valid_q[e] && (pc_q[e*32 +: 32] == issued_pc_i);
          is_add0[e]    = valid_q[e] && (pc_q[e*32 +: 32] == add0_pc_i);
          is_add1[e]    = valid_q[e] && (pc_q[e*32 +: 32] == add1_pc_i);
          is_query0[e]  = valid_q[e] && (pc_q[e*32 +: 32] == query0_pc_i);
          is_query1[e]  = valid_q[e] && (pc_q[e*32 +: 32] == query1_pc_i);
          is_current[e] = valid_q[e] && (pc_q[e*32 +: 32] == current_pc_q);
        end
      end

      // Where the additions go, one-hot.
      logic [TableEntries-1:0] free0, lowest0, free1, lowest1, to0, to1;
      assign free0   = ~valid_q;
      assign lowest0 = free0 & (~free0 + TableEntries'(1));
      assign to0     = !add0_valid_i ? '0 : (is_add0 != '0) ? is_add0 : lowest0;
      assign free1   = free0 & ~to0;
      assign lowest1 = free1 & (~free1 + TableEntries'(1));
      assign to1     = !add1_valid_i ? '0 : (is_add1 != '0) ? is_add1 : lowest1;

      // Hold.
      logic none_free, one_free, needs0, needs1;
      assign none_free = free0 == '0;
      assign one_free  = free0 == lowest0;        // or none
      assign needs0    = query0_valid_i && (is_query0 == '0);
      assign needs1    = query1_valid_i && (is_query1 == '0);
      assign hold0_o   = needs0 && none_free;
      assign hold1_o   = needs1 && (needs0 ? one_free : none_free);

      // The table after issue and additions, then after the sorting step.
      logic [TableEntries-1:0]      valid_u, valid_d;
      logic [TableEntries*32-1:0]   pc_u, pc_d;
      logic [TableEntries*CntW-1:0] count_u, count_d;
      always_comb begin
        for (int e = 0; e < TableEntries; e++) begin
          pc_u[e*32 +: 32]        = pc_q[e*32 +: 32];
          count_u[e*CntW +: CntW] = count_q[e*CntW +: CntW];
          if (issued_valid_i && is_issued[e]) begin
            count_u[e*CntW +: CntW] = count_u[e*CntW +: CntW] - issued_count_i;
          end
          if (to0[e]) begin
            count_u[e*CntW +: CntW] = count_u[e*CntW +: CntW] + add0_count_i;
            pc_u[e*32 +: 32]        = add0_pc_i;
          end
          if (to1[e]) begin
            count_u[e*CntW +: CntW] = count_u[e*CntW +: CntW] + add1_count_i;
            pc_u[e*32 +: 32]        = add1_pc_i;
          end
          valid_u[e] = count_u[e*CntW +: CntW] != '0;
        end
      end

      // Position e + 1 precedes position e.
      logic [TableEntries-2:0] swap;
      always_comb begin
        swap = '0;
        for (int e = 0; e < TableEntries - 1; e++) begin
          if (odd_q == ((e % 2) == 1)) begin
            swap[e] = valid_u[e+1] &&
                      (!valid_u[e] ||
                       ((Heuristic == 0) ? (count_u[(e+1)*CntW +: CntW] > count_u[e*CntW +: CntW])
                                         : (count_u[(e+1)*CntW +: CntW] < count_u[e*CntW +: CntW])) ||
                       ((count_u[(e+1)*CntW +: CntW] == count_u[e*CntW +: CntW]) &&
                        (pc_u[(e+1)*32 +: 32] < pc_u[e*32 +: 32])));
          end
        end
        valid_d = valid_u;
        pc_d    = pc_u;
        count_d = count_u;
        for (int e = 0; e < TableEntries - 1; e++) begin
          if (swap[e]) begin
            valid_d[e]                  = valid_u[e+1];
            valid_d[e+1]                = valid_u[e];
            pc_d[e*32 +: 32]            = pc_u[(e+1)*32 +: 32];
            pc_d[(e+1)*32 +: 32]        = pc_u[e*32 +: 32];
            count_d[e*CntW +: CntW]     = count_u[(e+1)*CntW +: CntW];
            count_d[(e+1)*CntW +: CntW] = count_u[e*CntW +: CntW];
          end
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          valid_q         <= '0;
          pc_q            <= '0;
          count_q         <= '0;
          current_valid_q <= 1'b0;
          current_pc_q    <= '0;
          odd_q           <= 1'b0;
        end else begin
          valid_q <= valid_d;
          pc_q    <= pc_d;
          count_q <= count_d;
          odd_q   <= !odd_q;
          if (issued_valid_i) begin
            current_valid_q <= 1'b1;
            current_pc_q    <= issued_pc_i;
          end
        end
      end

      // Pick: the PC, then the lowest pool entry with it.
      logic [31:0] first_pc, pick_pc;
      logic        stay;
      always_comb begin
        first_pc = '0;
        for (int e = TableEntries - 1; e >= 0; e--) if (valid_q[e]) first_pc = pc_q[e*32 +: 32];
      end
      assign stay    = current_valid_q && (is_current != '0);
      assign pick_pc = stay ? current_pc_q : first_pc;

      logic [Threads-1:0] match, first;
      for (genvar i = 0; i < Threads; i++) begin : gen_match
        assign match[i] = valid_i[i] && (pc_i[i*32 +: 32] == pick_pc);
      end
      assign first        = match & (~match + Threads'(1));
      assign pick_valid_o = (valid_q != '0) && (match != '0);

      for (genvar b = 0; b < IdxW; b++) begin : gen_idx
        localparam logic [Threads-1:0] WithBit = with_bit(b);
        assign pick_idx_o[b] = pick_valid_o && ((first & WithBit) != '0);
      end

      always_comb begin
        distinct_o = '0;
        for (int e = 0; e < TableEntries; e++) distinct_o = distinct_o + DistinctW'(valid_q[e]);
      end

      logic unused;
      assign unused = ^{sched_i, issued_idx_i, add0_new_i, add0_new_idx_i, add1_new_i, add1_new_idx_i};

`ifndef SYNTHESIS
      always @(posedge clk_i or negedge rst_ni) begin
        if (rst_ni) begin
          // Two groups with one PC must be one group.
          assert (!(add0_valid_i && add1_valid_i && (add0_pc_i == add1_pc_i)));
          // A PC enters a full table: the update had to be held.
          assert (!(add0_valid_i && (to0 == '0)));
          assert (!(add1_valid_i && (to1 == '0)));
          // A group without a thread.
          assert (!(add0_valid_i && (add0_count_i == '0)));
          assert (!(add1_valid_i && (add1_count_i == '0)));
          assert (!(issued_valid_i && (is_issued == '0)));                 // no thread has entered at issued_pc_i
          for (int e = 0; e < TableEntries; e++) begin
            // More threads issue at issued_pc_i than have entered.
            assert (!(issued_valid_i && is_issued[e] && (count_q[e*CntW +: CntW] < issued_count_i)));
          end
        end
      end
`endif
    end else if (Heuristic == 2) begin : gen_oldest
      // ----------------------------------------------------------------------------------- order of allocation
      localparam [IdxW-1:0] Last = IdxW'(Threads - 1);

      logic [IdxW-1:0] ring [0:Threads-1];
      logic [IdxW-1:0] read_q, write_q;
      logic [CntW-1:0] waiting_q;
      logic [IdxW-1:0] write1, write2;   // behind one and two additions
      logic            new0, new1;

      assign new0   = add0_valid_i && add0_new_i;
      assign new1   = add1_valid_i && add1_new_i;
      assign write1 = (write_q == Last) ? '0 : write_q + IdxW'(1);
      assign write2 = (write1 == Last) ? '0 : write1 + IdxW'(1);

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          read_q    <= '0;
          write_q   <= '0;
          waiting_q <= '0;
        end else begin
          waiting_q <= waiting_q - CntW'(issued_valid_i) + CntW'(new0) + CntW'(new1);
          if (issued_valid_i) read_q <= (read_q == Last) ? '0 : read_q + IdxW'(1);
          if (new0 && new1)      write_q <= write2;
          else if (new0 || new1) write_q <= write1;
        end
      end

      always_ff @(posedge clk_i) begin
        if (new0) ring[write_q] <= add0_new_idx_i;
        if (new1) ring[new0 ? write1 : write_q] <= add1_new_idx_i;
      end

      assign pick_valid_o = waiting_q != '0;
      assign pick_idx_o   = pick_valid_o ? ring[read_q] : '0;
      assign hold0_o      = 1'b0;
      assign hold1_o      = 1'b0;
      assign distinct_o   = '0;

      logic unused;
      assign unused = ^{valid_i, pc_i, sched_i, issued_idx_i, issued_pc_i, issued_count_i, add0_pc_i, add0_count_i,
                        add1_pc_i, add1_count_i, query0_valid_i, query0_pc_i, query1_valid_i, query1_pc_i};

`ifndef SYNTHESIS
      always @(posedge clk_i or negedge rst_ni) begin
        if (rst_ni) begin
          assert (!(issued_valid_i && !pick_valid_o));                     // nothing waits
          assert (!(issued_valid_i && (issued_idx_i != pick_idx_o)));      // not the oldest warp
          // More warps than places.
          assert (32'(waiting_q) + 32'(new0) + 32'(new1) <= Threads + 32'(issued_valid_i));
        end
      end
`endif
    end else begin : gen_smallest
      // ------------------------------------------------------------ smallest sched or PC, a tree of comparisons
      localparam int KeyW   = (Heuristic == 3) ? SchedW : 32;
      localparam int Levels = $clog2(Threads);
      localparam int Leaves = 2**Levels;

      logic [Leaves-1:0]      leaf_valid;
      logic [Leaves*KeyW-1:0] leaf_key;
      if (Heuristic == 3) begin : gen_sched
        logic unused_key;
        assign unused_key = ^pc_i;
        assign leaf_key   = (Leaves*KeyW)'(sched_i);
      end else begin : gen_pc
        logic unused_key;
        assign unused_key = ^sched_i;
        assign leaf_key   = (Leaves*KeyW)'(pc_i);
      end
      assign leaf_valid = Leaves'(valid_i);

      // Level l has Leaves >> l nodes; a node's idx is that of its winner among its 2**l leaves. Ties: the left one.
      for (genvar l = 1; l <= Levels; l++) begin : gen_level
        localparam int Nodes = Leaves >> l;
        logic [2*Nodes-1:0]      in_valid;
        logic [2*Nodes*KeyW-1:0] in_key;
        logic [Nodes-1:0]        valid, right;
        logic [Nodes*KeyW-1:0]   key;
        logic [Nodes*l-1:0]      idx;
        if (l == 1) begin : gen_leaves
          assign in_valid = leaf_valid;
          assign in_key   = leaf_key;
          assign idx      = right;
        end else begin : gen_nodes
          assign in_valid = gen_level[l-1].valid;
          assign in_key   = gen_level[l-1].key;
          for (genvar n = 0; n < Nodes; n++) begin : gen_idx
            assign idx[n*l +: l] = {right[n], right[n] ? gen_level[l-1].idx[(2*n+1)*(l-1) +: l-1]
                                                       : gen_level[l-1].idx[(2*n)*(l-1) +: l-1]};
          end
        end
        for (genvar n = 0; n < Nodes; n++) begin : gen_node
          assign right[n] = in_valid[2*n+1] && (!in_valid[2*n] ||
                                                (in_key[(2*n+1)*KeyW +: KeyW] < in_key[(2*n)*KeyW +: KeyW]));
          assign valid[n] = in_valid[2*n] || in_valid[2*n+1];
          assign key[n*KeyW +: KeyW] = right[n] ? in_key[(2*n+1)*KeyW +: KeyW] : in_key[(2*n)*KeyW +: KeyW];
        end
      end

      assign pick_valid_o = gen_level[Levels].valid[0];
      assign pick_idx_o   = pick_valid_o ? gen_level[Levels].idx : '0;
      assign hold0_o      = 1'b0;
      assign hold1_o      = 1'b0;
      assign distinct_o   = '0;

      logic unused;
      assign unused = ^{clk_i, rst_ni, gen_level[Levels].key, issued_valid_i, issued_idx_i, issued_pc_i, issued_count_i,
                        add0_valid_i, add0_pc_i, add0_count_i, add0_new_i, add0_new_idx_i, add1_valid_i, add1_pc_i,
                        add1_count_i, add1_new_i, add1_new_idx_i, query0_valid_i, query0_pc_i, query1_valid_i,
                        query1_pc_i};
    end
  endgenerate

  // Pool entries whose index has bit b set.
  function automatic logic [Threads-1:0] with_bit(input int b);
    with_bit = '0;
    for (int i = 0; i < Threads; i++) with_bit[i] = ((i >> b) % 2) == 1;
  endfunction
endmodule
