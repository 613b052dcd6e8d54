// SPDX-License-Identifier: Apache-2.0
// issue_logic: picks the warp of the pool that issues next, by one of five heuristics, and keeps what it needs for it.
//
// Contract
//   Latency  pick and hold are combinational from registered state, pool state and queries; issue and additions sampled
//            at edge t count from the cycle after edge t on.
//   Order    The pick is before everything else of its cycle. Then issued, addition 0, addition 1, one sorting step.
//            Of warps that the heuristic holds equal the one that was allocated first is picked; of two that are
//            allocated in one cycle that of addition 0 is the first.
//            A table entry is looked for in registered state: if its last warp issues in the cycle in which a new one
//            enters at its PC it keeps its position, and the new warp is its oldest. Of two new PCs that of addition 0
//            takes the lowest position that is free in registered state, that of addition 1 the next.
//            A warp that issues takes its rank out before new warps get theirs.
//            Hold counts what is free in registered state, less the position that update 0 takes if it goes.
//   Reset    asynchronous, active low; no PC in the table, none current, nothing waits. The ring of DTime, what follows
//            each warp in its queue, and the ranks have no reset: they are written before they are read.
//   Idle     pick_idx_o is 0 while pick_valid_o is 0; distinct_o is 0 without a table. Count, oldest and youngest warp
//            of a position of the table without a PC are 0.
//   Assumes  (asserted) the additions of one cycle have different PCs and at least one thread; no addition that is
//            held; an addition to a PC at which no warp waits, or whose last one issues in this cycle, has a new warp.
//            DMaj, DMin: what issues is the oldest warp of its PC, with its PC; the last one has all threads that are
//            left there, any other fewer. DTime: it is the oldest of all. DPC, DPdPri: it waits.
//   Not here the warps: warp_pool.
// Source: DWF paper, section 4.3; queues, ranks, ties, positions of new PCs and the bound of a warp to its PC: ours.
module issue_logic #(
  parameter  int Threads      = 256,  // threads of the core, entries of the pool
  parameter  int Lanes        = 16,   // threads of a warp
  parameter  int SchedW       = 8,    // bits of a thread's priority value (DPdPri)
  parameter  int TableEntries = 32,   // PCs that DMaj and DMin tell apart
  parameter  int Heuristic    = 0,    // 0 DMaj, 1 DMin, 2 DTime, 3 DPdPri, 4 DPC
  parameter  int TableSort    = 0,    // DMaj and DMin: 0 one sorting step a cycle, 1 the exact choice
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
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Threads < Lanes) Threads_must_be_at_least_Lanes limit ();   // one warp
  if (SchedW < 1) SchedW_must_be_at_least_1 limit ();
  if (TableEntries < 2) TableEntries_must_be_at_least_2 limit ();   // two PCs enter in a cycle
  if (Heuristic < 0 || Heuristic > 4) Heuristic_must_be_0_to_4 limit ();
  if (TableSort < 0 || TableSort > 1) TableSort_must_be_0_or_1 limit ();

  logic new0, new1;   // a warp is allocated
  assign new0 = add0_valid_i && add0_new_i;
  assign new1 = add1_valid_i && add1_new_i;

  generate
    if (Heuristic <= 1) begin : gen_table
      // --------------------------------------------------------------- PCs by thread count, each a queue of its warps
      localparam int KeyW = CntW + 32;                        // what decides between PCs that are valid
      localparam int RowW = 2 + 32 + CntW + 2*IdxW;           // an entry

      logic [TableEntries-1:0]      valid_q, current_q;       // current_q: the PC that issued last, one entry at most
      logic [TableEntries*32-1:0]   pc_q;
      logic [TableEntries*CntW-1:0] count_q;                  // 0 while not valid, like
      logic [TableEntries*IdxW-1:0] head_q, tail_q;           // oldest and youngest warp
      logic                         current_valid_q;
      logic [31:0]                  current_pc_q;             // it may have left the table
      logic [IdxW-1:0]              next_q [0:Threads-1];     // the warp behind a warp that is not the youngest

      // Entries with a PC, in registered state. A warp is in one queue only: that whose head issues needs no PC.
      logic [TableEntries-1:0] leaves, is_add0, is_add1, is_query0, is_query1, alone;
      always_comb begin
        for (int e = 0; e < TableEntries; e++) begin
          leaves[e]    = issued_valid_i && valid_q[e] && (head_q[e*IdxW +: IdxW] == issued_idx_i);
          is_add0[e]   = valid_q[e] && (pc_q[e*32 +: 32] == add0_pc_i);
          is_add1[e]   = valid_q[e] && (pc_q[e*32 +: 32] == add1_pc_i);
          is_query0[e] = valid_q[e] && (pc_q[e*32 +: 32] == query0_pc_i);
          is_query1[e] = valid_q[e] && (pc_q[e*32 +: 32] == query1_pc_i);
          alone[e]     = head_q[e*IdxW +: IdxW] == tail_q[e*IdxW +: IdxW];
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

      // The queues. Nothing is written behind a warp that issues and is not alone: its next_q is what it was.
      logic [IdxW-1:0] tail0, tail1, behind;
      always_comb begin
        tail0 = '0;
        tail1 = '0;
        for (int e = 0; e < TableEntries; e++) begin
          if (is_add0[e]) tail0 = tail0 | tail_q[e*IdxW +: IdxW];
          if (is_add1[e]) tail1 = tail1 | tail_q[e*IdxW +: IdxW];
        end
      end
      assign behind = next_q[issued_idx_i];

      always_ff @(posedge clk_i) begin
        if (new0 && (is_add0 != '0)) next_q[tail0] <= add0_new_idx_i;
        if (new1 && (is_add1 != '0)) next_q[tail1] <= add1_new_idx_i;
      end

      // The table after issue and additions, then (with a sorting step) in its new order.
      logic [TableEntries-1:0]      fresh;   // a new warp enters
      logic [TableEntries-1:0]      valid_u, current_u;
      logic [TableEntries*32-1:0]   pc_u;
      logic [TableEntries*CntW-1:0] count_u;
      logic [TableEntries*IdxW-1:0] fresh_idx, head_u, tail_u;
      logic                         again0, again1;   // the addition is at the current PC
      assign again0 = current_valid_q && (add0_pc_i == current_pc_q);
      assign again1 = current_valid_q && (add1_pc_i == current_pc_q);
      always_comb begin
        for (int e = 0; e < TableEntries; e++) begin
          fresh[e]                    = (to0[e] && add0_new_i) || (to1[e] && add1_new_i);
          fresh_idx[e*IdxW +: IdxW]   = to0[e] ? add0_new_idx_i : add1_new_idx_i;
          valid_u[e]                  = (valid_q[e] && !(leaves[e] && alone[e])) || to0[e] || to1[e];
          current_u[e]                = issued_valid_i ? leaves[e] && valid_u[e] :
                                        current_q[e] || (to0[e] && again0) || (to1[e] && again1);
          pc_u[e*32 +: 32]            = pc_q[e*32 +: 32];
          count_u[e*CntW +: CntW]     = count_q[e*CntW +: CntW];
          if (leaves[e]) count_u[e*CntW +: CntW] = count_u[e*CntW +: CntW] - issued_count_i;
          if (to0[e]) begin
            count_u[e*CntW +: CntW] = count_u[e*CntW +: CntW] + add0_count_i;
            pc_u[e*32 +: 32]        = add0_pc_i;
          end
          if (to1[e]) begin
            count_u[e*CntW +: CntW] = count_u[e*CntW +: CntW] + add1_count_i;
            pc_u[e*32 +: 32]        = add1_pc_i;
          end
          head_u[e*IdxW +: IdxW] = head_q[e*IdxW +: IdxW];
          tail_u[e*IdxW +: IdxW] = tail_q[e*IdxW +: IdxW];
          if (leaves[e]) head_u[e*IdxW +: IdxW] = behind;
          if (fresh[e])  tail_u[e*IdxW +: IdxW] = fresh_idx[e*IdxW +: IdxW];
          if (fresh[e] && (!valid_q[e] || (leaves[e] && alone[e]))) begin
            head_u[e*IdxW +: IdxW] = fresh_idx[e*IdxW +: IdxW];
          end
          if (!valid_u[e]) begin
            head_u[e*IdxW +: IdxW] = '0;
            tail_u[e*IdxW +: IdxW] = '0;
          end
        end
      end

      logic [TableEntries*RowW-1:0] row_u, row_d;
      always_comb begin
        for (int e = 0; e < TableEntries; e++) begin
          row_u[e*RowW +: RowW] = {valid_u[e], current_u[e], pc_u[e*32 +: 32], count_u[e*CntW +: CntW],
                                   head_u[e*IdxW +: IdxW], tail_u[e*IdxW +: IdxW]};
        end
      end
      for (genvar e = 0; e < TableEntries; e++) begin : gen_row
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            {valid_q[e], current_q[e], pc_q[e*32 +: 32], count_q[e*CntW +: CntW], head_q[e*IdxW +: IdxW],
             tail_q[e*IdxW +: IdxW]} <= '0;
          end else begin
            {valid_q[e], current_q[e], pc_q[e*32 +: 32], count_q[e*CntW +: CntW], head_q[e*IdxW +: IdxW],
             tail_q[e*IdxW +: IdxW]} <= row_d[e*RowW +: RowW];
          end
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          current_valid_q <= 1'b0;
          current_pc_q    <= '0;
        end else if (issued_valid_i) begin
          current_valid_q <= 1'b1;
          current_pc_q    <= issued_pc_i;
        end
      end

      // What decides between two entries, in the one order of both choices: the larger key precedes.
      function automatic logic [KeyW-1:0] key_of(input logic [CntW-1:0] count, input logic [31:0] pc);
        key_of = {(Heuristic == 0) ? count : ~count, ~pc};
      endfunction

      // Pick: the head of the current PC, or else of the first.
      logic [IdxW-1:0] current_head, first_head;
      always_comb begin
        current_head = '0;
        for (int e = 0; e < TableEntries; e++) begin
          if (current_q[e]) current_head = current_head | head_q[e*IdxW +: IdxW];
        end
      end
      assign pick_valid_o = valid_q != '0;
      assign pick_idx_o   = (current_q != '0) ? current_head : first_head;

      if (TableSort == 0) begin : gen_sort
        // First is the first position. Position e + 1 and position e swap if it precedes it.
        logic [TableEntries-1:0] lowest;
        logic [TableEntries-2:0] swap;
        logic                    odd_q;        // the cycle since reset is odd
        assign lowest = valid_q & (~valid_q + TableEntries'(1));
        always_comb begin
          first_head = '0;
          for (int e = 0; e < TableEntries; e++) begin
            if (lowest[e]) first_head = first_head | head_q[e*IdxW +: IdxW];
          end
          row_d = row_u;
          for (int e = 0; e < TableEntries - 1; e++) begin
            swap[e] = (odd_q == ((e % 2) == 1)) && valid_u[e+1] &&
                      (!valid_u[e] || (key_of(count_u[(e+1)*CntW +: CntW], pc_u[(e+1)*32 +: 32]) >
                                       key_of(count_u[e*CntW +: CntW], pc_u[e*32 +: 32])));
            if (swap[e]) row_d[e*RowW +: 2*RowW] = {row_u[e*RowW +: RowW], row_u[(e+1)*RowW +: RowW]};
          end
        end
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) odd_q <= 1'b0;
          else         odd_q <= !odd_q;
        end
      end else begin : gen_exact
        // First is the one that precedes all others, a tree of comparisons. No entry moves.
        localparam int Levels = $clog2(TableEntries);
        localparam int Leaves = 2**Levels;
        assign row_d = row_u;

        for (genvar l = 0; l <= Levels; l++) begin : gen_level
          localparam int Nodes = Leaves >> l;
          logic [Nodes-1:0]      valid;
          logic [Nodes*KeyW-1:0] key;
          logic [Nodes*IdxW-1:0] head;
          for (genvar n = 0; n < Nodes; n++) begin : gen_node
            if (l == 0 && n < TableEntries) begin : gen_leaf
              assign valid[n]            = valid_q[n];
              assign key[n*KeyW +: KeyW] = key_of(count_q[n*CntW +: CntW], pc_q[n*32 +: 32]);
              assign head[n*IdxW +: IdxW] = head_q[n*IdxW +: IdxW];
            end else if (l == 0) begin : gen_none
              assign valid[n]             = 1'b0;
              assign key[n*KeyW +: KeyW]  = '0;
              assign head[n*IdxW +: IdxW] = '0;
            end else begin : gen_winner
              logic right;
              assign right = gen_level[l-1].valid[2*n+1] &&
                             (!gen_level[l-1].valid[2*n] ||
                              (gen_level[l-1].key[(2*n+1)*KeyW +: KeyW] > gen_level[l-1].key[(2*n)*KeyW +: KeyW]));
              assign valid[n]             = gen_level[l-1].valid[2*n] || gen_level[l-1].valid[2*n+1];
              assign key[n*KeyW +: KeyW]  = right ? gen_level[l-1].key[(2*n+1)*KeyW +: KeyW]
                                                  : gen_level[l-1].key[(2*n)*KeyW +: KeyW];
              assign head[n*IdxW +: IdxW] = right ? gen_level[l-1].head[(2*n+1)*IdxW +: IdxW]
                                                  : gen_level[l-1].head[(2*n)*IdxW +: IdxW];
            end
          end
        end
        assign first_head = gen_level[Levels].head;   // 0 of an entry that is not valid

        logic unused_exact;
        assign unused_exact = ^{gen_level[Levels].valid, gen_level[Levels].key};
      end

      always_comb begin
        distinct_o = '0;
        for (int e = 0; e < TableEntries; e++) distinct_o = distinct_o + DistinctW'(valid_q[e]);
      end

      logic unused;
      assign unused = ^{valid_i, pc_i, sched_i};

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
          // Threads join a warp at a PC at which none waits, or none but the one that issues.
          assert (!(add0_valid_i && !add0_new_i && ((is_add0 & ~(leaves & alone)) == '0)));
          assert (!(add1_valid_i && !add1_new_i && ((is_add1 & ~(leaves & alone)) == '0)));
          assert (!(issued_valid_i && (leaves == '0)));                     // not the oldest warp of a PC
          for (int e = 0; e < TableEntries; e++) begin
            assert (!(leaves[e] && (pc_q[e*32 +: 32] != issued_pc_i)));     // issued_pc_i is not the PC of the warp
            // More threads issue than have entered; the last warp leaves some; another takes all.
            assert (!(leaves[e] && (count_q[e*CntW +: CntW] < issued_count_i)));
            assert (!(leaves[e] && (alone[e] != (count_q[e*CntW +: CntW] == issued_count_i))));
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
      // ----------------------------------------------- smallest PC or earliest sched, then rank, a tree of comparisons
      localparam int KeyW   = (Heuristic == 3) ? SchedW : 32;
      localparam int Levels = $clog2(Threads);
      localparam int Leaves = 2**Levels;

      // The rank of a warp that waits: how many of those that wait were allocated before it.
      logic [IdxW-1:0]         waiting_q;   // how many wait; 0 also when all do: then none can be new
      logic [Threads*IdxW-1:0] rank_q;
      logic [IdxW-1:0]         issued_rank, rank0, rank1;
      assign issued_rank = rank_q[issued_idx_i*IdxW +: IdxW];
      assign rank0       = waiting_q - IdxW'(issued_valid_i);
      assign rank1       = rank0 + IdxW'(new0);

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) waiting_q <= '0;
        else         waiting_q <= waiting_q - IdxW'(issued_valid_i) + IdxW'(new0) + IdxW'(new1);
      end
      for (genvar i = 0; i < Threads; i++) begin : gen_rank
        always_ff @(posedge clk_i) begin
          if (issued_valid_i && (rank_q[i*IdxW +: IdxW] > issued_rank)) begin
            rank_q[i*IdxW +: IdxW] <= rank_q[i*IdxW +: IdxW] - IdxW'(1);
          end
          if (new0 && (add0_new_idx_i == IdxW'(i))) rank_q[i*IdxW +: IdxW] <= rank0;
          if (new1 && (add1_new_idx_i == IdxW'(i))) rank_q[i*IdxW +: IdxW] <= rank1;
        end
      end

      logic [Leaves-1:0]      leaf_valid;
      logic [Leaves*KeyW-1:0] leaf_key;
      logic [Leaves*IdxW-1:0] leaf_rank;
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
      assign leaf_rank  = (Leaves*IdxW)'(rank_q);

      // Level l has Leaves >> l nodes; a node's idx is that of its winner among its 2**l leaves.
      for (genvar l = 1; l <= Levels; l++) begin : gen_level
        localparam int Nodes = Leaves >> l;
        logic [2*Nodes-1:0]      in_valid;
        logic [2*Nodes*KeyW-1:0] in_key;
        logic [2*Nodes*IdxW-1:0] in_rank;
        logic [Nodes-1:0]        valid, right;
        logic [Nodes*KeyW-1:0]   key;
        logic [Nodes*IdxW-1:0]   rank;
        logic [Nodes*l-1:0]      idx;
        if (l == 1) begin : gen_leaves
          assign in_valid = leaf_valid;
          assign in_key   = leaf_key;
          assign in_rank  = leaf_rank;
          assign idx      = right;
        end else begin : gen_nodes
          assign in_valid = gen_level[l-1].valid;
          assign in_key   = gen_level[l-1].key;
          assign in_rank  = gen_level[l-1].rank;
          for (genvar n = 0; n < Nodes; n++) begin : gen_idx
            assign idx[n*l +: l] = {right[n], right[n] ? gen_level[l-1].idx[(2*n+1)*(l-1) +: l-1]
                                                       : gen_level[l-1].idx[(2*n)*(l-1) +: l-1]};
          end
        end
        for (genvar n = 0; n < Nodes; n++) begin : gen_node
          logic [KeyW-1:0] left_key, right_key;
          logic            older, precedes;      // the right one
          assign left_key  = in_key[(2*n)*KeyW +: KeyW];
          assign right_key = in_key[(2*n+1)*KeyW +: KeyW];
          assign older     = in_rank[(2*n+1)*IdxW +: IdxW] < in_rank[(2*n)*IdxW +: IdxW];
          if (Heuristic == 3) begin : gen_circular
            // The left one is later: it is ahead by less than half the range.
            logic [KeyW-1:0] ahead;
            assign ahead    = left_key - right_key;
            assign precedes = !ahead[KeyW-1] && ((ahead != '0) || older);
          end else begin : gen_plain
            assign precedes = (right_key < left_key) || ((right_key == left_key) && older);
          end
          assign right[n] = in_valid[2*n+1] && (!in_valid[2*n] || precedes);
          assign valid[n] = in_valid[2*n] || in_valid[2*n+1];
          assign key[n*KeyW +: KeyW]  = right[n] ? right_key : left_key;
          assign rank[n*IdxW +: IdxW] = right[n] ? in_rank[(2*n+1)*IdxW +: IdxW] : in_rank[(2*n)*IdxW +: IdxW];
        end
      end

      assign pick_valid_o = gen_level[Levels].valid[0];
      assign pick_idx_o   = pick_valid_o ? gen_level[Levels].idx : '0;
      assign hold0_o      = 1'b0;
      assign hold1_o      = 1'b0;
      assign distinct_o   = '0;

      logic unused;
      assign unused = ^{gen_level[Levels].key, gen_level[Levels].rank, issued_pc_i, issued_count_i, add0_pc_i,
                        add0_count_i, add1_pc_i, add1_count_i, query0_valid_i, query0_pc_i, query1_valid_i,
                        query1_pc_i};

`ifndef SYNTHESIS
      always @(posedge clk_i or negedge rst_ni) begin
        if (rst_ni) begin
          assert (!(issued_valid_i && !valid_i[issued_idx_i]));            // what issues does not wait
          assert (!(new0 && valid_i[add0_new_idx_i]));                     // a new warp in a place that holds one
          assert (!(new1 && valid_i[add1_new_idx_i]));
          assert (!(new0 && new1 && (add0_new_idx_i == add1_new_idx_i)));  // two new warps in one place
        end
      end
`endif
    end
  endgenerate
endmodule
