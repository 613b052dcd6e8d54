// SPDX-License-Identifier: Apache-2.0
// issue_logic: picks the warp of the pool that issues next, by one of five heuristics: with a table of PCs (DMaj,
// DMin), a ring (DTime) or a list in order (DPC, DPdPri).
//
// Contract
//   Latency  the pick is a register, loaded when it is empty or issues; if none waits, a new warp goes straight into
//            it. Hold is combinational.
//   Order    pick, update 0, update 1, all at one edge, decided in registered state. Of equal warps the one that was
//            allocated first is picked. The table sorts last, the list first.
//   Reset    asynchronous, active low: nothing is picked, no PC in the table, nothing waits.
//   Idle     pick_idx_o and pick_sched_o are 0 without a pick; distinct_o is 0 without a table.
//   Assumes  (asserted) two updates have different PCs, and threads; one at a new PC has a new warp; what issues is
//            picked.
//   Not here the warps: warp_pool.
// Above 450 lines: three structures, each read alone, of which a parameter set has one. Places of table and list move
// nearly every cycle: they have no enables.
// Source: DWF paper, section 4.3; queues, lists, ties and positions of new PCs: ours.
module issue_logic #(
  parameter  int Threads      = 256,  // threads of the core, entries of the pool
  parameter  int Lanes        = 16,   // threads of a warp
  parameter  int SchedW       = 8,    // bits of a thread's priority value (DPdPri)
  parameter  int TableEntries = 32,   // PCs that DMaj and DMin tell apart
  parameter  int Heuristic    = 0,    // 0 DMaj, 1 DMin, 2 DTime, 3 DPdPri, 4 DPC
  parameter  int TableSort    = 0,    // DMaj and DMin: 0 one sorting step a cycle, 1 the exact choice
  localparam int IdxW         = heddle_pkg::idx_width(Threads),
  localparam int LanesW       = heddle_pkg::idx_width(Lanes + 1),
  localparam int DistinctW    = heddle_pkg::idx_width(TableEntries + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // to pool and issue register
  output logic                 pick_valid_o,
  output logic [IdxW-1:0]      pick_idx_o,
  output logic [SchedW-1:0]    pick_sched_o,
  // from issue
  input  logic                 issue_i,          // the warp that is picked leaves
  input  logic [LanesW-1:0]    left_count_i,     // threads of the warp that left in the cycle before
  // from update registers: must it wait?
  input  logic                 update0_valid_i,
  input  logic [31:0]          update0_pc_i,
  input  logic                 update1_valid_i,
  input  logic [31:0]          update1_pc_i,
  output logic                 hold0_o,
  output logic                 hold1_o,
  // what the update does if it need not
  input  logic [LanesW-1:0]    add0_count_i,     // threads that enter
  input  logic [SchedW-1:0]    add0_sched_i,
  input  logic                 add0_new_i,       // with a new warp
  input  logic [IdxW-1:0]      add0_new_idx_i,
  input  logic                 add0_join_i,      // they join a warp
  input  logic [IdxW-1:0]      add0_join_idx_i,
  input  logic [LanesW-1:0]    add1_count_i,
  input  logic [SchedW-1:0]    add1_sched_i,
  input  logic                 add1_new_i,
  input  logic [IdxW-1:0]      add1_new_idx_i,
  input  logic                 add1_join_i,
  input  logic [IdxW-1:0]      add1_join_idx_i,
  // status
  output logic [DistinctW-1:0] distinct_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (Lanes < 2) Lanes_must_be_at_least_2 limit ();
  if (Threads < Lanes) Threads_must_be_at_least_Lanes limit ();   // one warp
  if (SchedW < 1) SchedW_must_be_at_least_1 limit ();
  if (TableEntries < 2) TableEntries_must_be_at_least_2 limit ();   // two PCs enter in a cycle
  if (Heuristic < 0 || Heuristic > 4) Heuristic_must_be_0_to_4 limit ();
  if (TableSort < 0 || TableSort > 1) TableSort_must_be_0_or_1 limit ();

  logic go0, go1, new0, new1;   // the update is done; a warp is allocated
  assign go0  = update0_valid_i && !hold0_o;
  assign go1  = update1_valid_i && !hold1_o;
  assign new0 = go0 && add0_new_i;
  assign new1 = go1 && add1_new_i;

  // ------------------------------------------------------------------------------------------------- pick register
  logic            load;           // it is empty, or becomes so
  logic            waits;          // a warp can be picked
  logic [IdxW-1:0] first_idx;      // the one that is
  logic            straight;       // none can: a new one is
  logic            wait0, wait1;   // the new warp is not picked at once
  assign load     = !pick_valid_o || issue_i;
  assign straight = load && !waits;
  assign wait0    = new0 && !straight;
  assign wait1    = new1 && !(straight && !new0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pick_valid_o <= 1'b0;
      pick_idx_o   <= '0;
    end else if (load) begin
      pick_valid_o <= waits || new0 || new1;
      pick_idx_o   <= waits ? first_idx : new0 ? add0_new_idx_i : new1 ? add1_new_idx_i : '0;
    end
  end

  generate
    if (Heuristic <= 1) begin : gen_table
      // --------------------------------------------------------------- PCs by thread count, each a queue of its warps
      localparam int CntW = heddle_pkg::idx_width(Threads + 1);
      localparam int KeyW = CntW + 32;                        // what decides between PCs that are valid
      localparam int RowW = 4 + 32 + CntW + 2*IdxW;           // an entry

      logic [TableEntries-1:0]      valid_q;
      logic [TableEntries-1:0]      waits_q;                  // a warp can be picked
      logic [TableEntries-1:0]      current_q;                // the PC of the warp that is picked, one-hot or 0
      logic [TableEntries-1:0]      left_q;                   // a warp of the PC left in the cycle before, likewise
      logic [TableEntries*32-1:0]   pc_q;
      logic [TableEntries*CntW-1:0] count_q;                  // 0 while not valid
      logic [TableEntries*IdxW-1:0] head_q, tail_q;           // oldest and youngest warp that waits
      logic [IdxW-1:0]              next_q [0:Threads-1];     // the warp behind a warp that is not the youngest

      // Entries with a PC, in registered state.
      logic [TableEntries-1:0] is0, is1, alone, ends;
      always_comb begin
        for (int e = 0; e < TableEntries; e++) begin
          is0[e]   = valid_q[e] && (pc_q[e*32 +: 32] == update0_pc_i);
          is1[e]   = valid_q[e] && (pc_q[e*32 +: 32] == update1_pc_i);
          alone[e] = head_q[e*IdxW +: IdxW] == tail_q[e*IdxW +: IdxW];
          ends[e]  = left_q[e] && (count_q[e*CntW +: CntW] == CntW'(left_count_i));
        end
      end

      // The lowest of the entries, one-hot: not by an adder, whose carry is a long way.
      function automatic logic [TableEntries-1:0] lowest_of(input logic [TableEntries-1:0] entries);
        logic [TableEntries-1:0] from;   // from the lowest one up
        from = entries;
        for (int d = 1; d < TableEntries; d = 2*d) from = from | (from << d);
        lowest_of = from & ~(from << 1);
      endfunction

      // Hold.
      logic [TableEntries-1:0] free0, lowest0;
      logic                    none_free, one_free, needs0, needs1;
      assign free0     = ~valid_q;
      assign lowest0   = lowest_of(free0);
      assign none_free = free0 == '0;
      assign one_free  = free0 == lowest0;        // or none
      assign needs0    = update0_valid_i && (is0 == '0);
      assign needs1    = update1_valid_i && (is1 == '0);
      assign hold0_o   = needs0 && none_free;
      assign hold1_o   = needs1 && (needs0 ? one_free : none_free);

      // Where the additions go, one-hot; nowhere if they are held.
      logic [TableEntries-1:0] free1, lowest1, to0, to1;
      assign free1   = needs0 ? free0 & ~lowest0 : free0;
      assign lowest1 = lowest_of(free1);
      assign to0     = !update0_valid_i ? '0 : needs0 ? lowest0 : is0;
      assign to1     = !update1_valid_i ? '0 : needs1 ? lowest1 : is1;

      // Pick: the oldest warp of the first PC. DMaj first issues all warps at the PC of the one that leaves.
      logic [TableEntries-1:0] first, chosen, picked;   // one-hot
      logic [IdxW-1:0]         behind;                  // the warp behind the one that is picked
      assign waits  = waits_q != '0;
      assign chosen = ((Heuristic == 0) && ((current_q & waits_q) != '0)) ? current_q & waits_q : first;
      assign picked = load ? chosen : '0;
      always_comb begin
        first_idx = '0;
        for (int e = 0; e < TableEntries; e++) begin
          if (chosen[e]) first_idx = first_idx | head_q[e*IdxW +: IdxW];
        end
      end
      assign behind = next_q[first_idx];

      // The queues. Nothing is written behind a warp that is picked and not alone: its next_q is what it was.
      logic [TableEntries-1:0] waits_u;
      logic [IdxW-1:0]         tail0, tail1;
      always_comb begin
        tail0 = '0;
        tail1 = '0;
        for (int e = 0; e < TableEntries; e++) begin
          if (is0[e]) tail0 = tail0 | tail_q[e*IdxW +: IdxW];
          if (is1[e]) tail1 = tail1 | tail_q[e*IdxW +: IdxW];
        end
      end
      always_ff @(posedge clk_i) begin
        if (new0 && ((is0 & waits_q) != '0)) next_q[tail0] <= add0_new_idx_i;
        if (new1 && ((is1 & waits_q) != '0)) next_q[tail1] <= add1_new_idx_i;
      end

      // The table after pick and additions, then (with a sorting step) in its new order.
      logic [TableEntries-1:0]      goes_on;   // a warp waits beside the one that is picked
      logic [TableEntries-1:0]      begins;    // a new warp goes straight
      logic [TableEntries-1:0]      fresh;     // a new warp waits
      logic [TableEntries-1:0]      valid_u, current_u, left_u;
      logic [TableEntries*32-1:0]   pc_u;
      logic [TableEntries*CntW-1:0] count_u;
      logic [TableEntries*IdxW-1:0] fresh_idx, head_u, tail_u;
      logic [TableEntries*LanesW-1:0] added;
      assign begins = !straight ? '0 : new0 ? to0 : new1 ? to1 : '0;
      always_comb begin
        for (int e = 0; e < TableEntries; e++) begin
          fresh[e]                   = (to0[e] && wait0) || (to1[e] && wait1);
          fresh_idx[e*IdxW +: IdxW]  = to0[e] ? add0_new_idx_i : add1_new_idx_i;
          added[e*LanesW +: LanesW]  = to0[e] ? add0_count_i : to1[e] ? add1_count_i : '0;
          goes_on[e]                 = waits_q[e] && !(picked[e] && alone[e]);
          valid_u[e]                 = (valid_q[e] && !ends[e]) || to0[e] || to1[e];
          waits_u[e]                 = goes_on[e] || fresh[e];
          current_u[e]               = load ? picked[e] || begins[e] : current_q[e];
          left_u[e]                  = issue_i && current_q[e];
          pc_u[e*32 +: 32]           = to0[e] ? update0_pc_i : to1[e] ? update1_pc_i : pc_q[e*32 +: 32];
          count_u[e*CntW +: CntW]    = count_q[e*CntW +: CntW] - (left_q[e] ? CntW'(left_count_i) : '0) +
                                       CntW'(added[e*LanesW +: LanesW]);
          head_u[e*IdxW +: IdxW]     = !goes_on[e] ? fresh_idx[e*IdxW +: IdxW] :
                                       picked[e] ? behind : head_q[e*IdxW +: IdxW];
          tail_u[e*IdxW +: IdxW]     = fresh[e] ? fresh_idx[e*IdxW +: IdxW] : tail_q[e*IdxW +: IdxW];
        end
      end

      logic [TableEntries*RowW-1:0] row_u, row_d;
      always_comb begin
        for (int e = 0; e < TableEntries; e++) begin
          row_u[e*RowW +: RowW] = {valid_u[e], waits_u[e], current_u[e], left_u[e], pc_u[e*32 +: 32],
                                   count_u[e*CntW +: CntW], head_u[e*IdxW +: IdxW], tail_u[e*IdxW +: IdxW]};
        end
      end
      for (genvar e = 0; e < TableEntries; e++) begin : gen_row
        logic [RowW-1:0] row;
        assign row = row_d[e*RowW +: RowW];
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            {valid_q[e], waits_q[e], current_q[e], left_q[e]} <= '0;
            count_q[e*CntW +: CntW]                           <= '0;
          end else begin
            {valid_q[e], waits_q[e], current_q[e], left_q[e]} <= row[RowW-1 -: 4];
            count_q[e*CntW +: CntW]                           <= row[2*IdxW +: CntW];
          end
        end
        always_ff @(posedge clk_i) begin
          pc_q[e*32 +: 32]       <= row[2*IdxW+CntW +: 32];
          head_q[e*IdxW +: IdxW] <= row[IdxW +: IdxW];
          tail_q[e*IdxW +: IdxW] <= row[0 +: IdxW];
        end
      end

      // What decides between two entries, in the one order of both choices: the larger key precedes.
      function automatic logic [KeyW-1:0] key_of(input logic [CntW-1:0] count, input logic [31:0] pc);
        key_of = {(Heuristic == 0) ? count : ~count, ~pc};
      endfunction

      if (TableSort == 0) begin : gen_sort
        // First is the first position that waits. Position e + 1 and position e swap if it precedes it.
        logic [TableEntries-2:0] swap;
        logic                    odd_q;        // the cycle since reset is odd
        assign first = lowest_of(waits_q);
        always_comb begin
          row_d = row_u;
          for (int e = 0; e < TableEntries - 1; e++) begin
            swap[e] = (odd_q == ((e % 2) == 1)) && valid_q[e+1] &&
                      (!valid_q[e] || (key_of(count_q[(e+1)*CntW +: CntW], pc_q[(e+1)*32 +: 32]) >
                                       key_of(count_q[e*CntW +: CntW], pc_q[e*32 +: 32])));
            if (swap[e]) row_d[e*RowW +: 2*RowW] = {row_u[e*RowW +: RowW], row_u[(e+1)*RowW +: RowW]};
          end
        end
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) odd_q <= 1'b0;
          else         odd_q <= !odd_q;
        end
      end else begin : gen_exact
        // First is the one that precedes all others that wait, a tree of comparisons. No entry moves.
        localparam int Levels = $clog2(TableEntries);
        localparam int Leaves = 2**Levels;
        assign row_d = row_u;

        // Level l has Leaves >> l nodes; a node's win has a one at its winner among its 2**l leaves.
        for (genvar l = 0; l <= Levels; l++) begin : gen_level
          localparam int Nodes = Leaves >> l;
          logic [Nodes-1:0]      valid;
          logic [Nodes*KeyW-1:0] key;
          logic [Leaves-1:0]     win;
          for (genvar n = 0; n < Nodes; n++) begin : gen_node
            if (l == 0 && n < TableEntries) begin : gen_leaf
              assign valid[n]            = waits_q[n];
              assign key[n*KeyW +: KeyW] = key_of(count_q[n*CntW +: CntW], pc_q[n*32 +: 32]);
              assign win[n]              = waits_q[n];
            end else if (l == 0) begin : gen_none
              assign valid[n]            = 1'b0;
              assign key[n*KeyW +: KeyW] = '0;
              assign win[n]              = 1'b0;
            end else begin : gen_winner
              localparam int Half = 2**(l-1);
              logic right;
              assign right = gen_level[l-1].valid[2*n+1] &&
                             (!gen_level[l-1].valid[2*n] ||
                              (gen_level[l-1].key[(2*n+1)*KeyW +: KeyW] > gen_level[l-1].key[(2*n)*KeyW +: KeyW]));
              assign valid[n]            = gen_level[l-1].valid[2*n] || gen_level[l-1].valid[2*n+1];
              assign key[n*KeyW +: KeyW] = right ? gen_level[l-1].key[(2*n+1)*KeyW +: KeyW]
                                                 : gen_level[l-1].key[(2*n)*KeyW +: KeyW];
              assign win[2*n*Half +: Half]     = right ? '0 : gen_level[l-1].win[2*n*Half +: Half];
              assign win[(2*n+1)*Half +: Half] = right ? gen_level[l-1].win[(2*n+1)*Half +: Half] : '0;
            end
          end
        end
        assign first = gen_level[Levels].win[TableEntries-1:0];

        logic unused_exact;
        assign unused_exact = ^{gen_level[Levels].valid, gen_level[Levels].key, gen_level[Levels].win};
      end

      always_comb begin
        distinct_o = '0;
        for (int e = 0; e < TableEntries; e++) distinct_o = distinct_o + DistinctW'(valid_q[e]);
      end
      assign pick_sched_o = '0;

      logic unused;
      assign unused = ^{add0_sched_i, add0_join_i, add0_join_idx_i, add1_sched_i, add1_join_i, add1_join_idx_i};

`ifndef SYNTHESIS
      always @(posedge clk_i or negedge rst_ni) begin
        if (rst_ni) begin
          // An update at a PC that is not in the table does not begin a warp.
          assert (!(go0 && (is0 == '0) && !add0_new_i));
          assert (!(go1 && (is1 == '0) && !add1_new_i));
          for (int e = 0; e < TableEntries; e++) begin
            // More threads have left than have entered; none is left of a PC at which a warp waits.
            assert (!(left_q[e] && (count_q[e*CntW +: CntW] < CntW'(left_count_i))));
            assert (!(ends[e] && waits_q[e]));
          end
        end
      end
`endif
    end
    if (Heuristic == 2) begin : gen_oldest
      // ----------------------------------------------------------------------------------- order of allocation
      localparam int CntW = heddle_pkg::idx_width(Threads + 1);
      localparam [IdxW-1:0] Last = IdxW'(Threads - 1);

      logic [IdxW-1:0] ring [0:Threads-1];
      logic [IdxW-1:0] read_q, write_q;
      logic [CntW-1:0] waiting_q;
      logic [IdxW-1:0] write1, write2;   // behind one and two additions
      logic            picked;

      assign waits     = waiting_q != '0;
      assign first_idx = ring[read_q];
      assign picked    = load && waits;
      assign write1    = (write_q == Last) ? '0 : write_q + IdxW'(1);
      assign write2    = (write1 == Last) ? '0 : write1 + IdxW'(1);

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          read_q    <= '0;
          write_q   <= '0;
          waiting_q <= '0;
        end else begin
          waiting_q <= waiting_q - CntW'(picked) + CntW'(wait0) + CntW'(wait1);
          if (picked) read_q <= (read_q == Last) ? '0 : read_q + IdxW'(1);
          if (wait0 && wait1)      write_q <= write2;
          else if (wait0 || wait1) write_q <= write1;
        end
      end

      always_ff @(posedge clk_i) begin
        if (wait0) ring[write_q] <= add0_new_idx_i;
        if (wait1) ring[wait0 ? write1 : write_q] <= add1_new_idx_i;
      end

      assign hold0_o      = 1'b0;
      assign hold1_o      = 1'b0;
      assign distinct_o   = '0;
      assign pick_sched_o = '0;

      logic unused;
      assign unused = ^{left_count_i, update0_pc_i, add0_count_i, add0_sched_i, add0_join_i, add0_join_idx_i,
                        update1_pc_i, add1_count_i, add1_sched_i, add1_join_i, add1_join_idx_i};

`ifndef SYNTHESIS
      always @(posedge clk_i or negedge rst_ni) begin
        // More warps than threads, with the one that is picked.
        if (rst_ni) assert (32'(waiting_q) + 32'(wait0) + 32'(wait1) < Threads);
      end
`endif
    end
    if (Heuristic >= 3) begin : gen_list
      // ------------------------------------------------------ smallest PC or earliest sched, a list in this order
      localparam int KeyW = (Heuristic == 3) ? SchedW : 32;

      // Whether a warp with the key goes in front of one that waits: that one's PC is greater, its sched later.
      // (No variable of its own: in Icarus 11 two processes that call it would wake each other by that without end.)
      function automatic logic precedes(input logic [KeyW-1:0] key, input logic [KeyW-1:0] waiting);
        precedes = (Heuristic == 3) ? (((waiting - key) >> (KeyW - 1)) == '0) && (waiting != key) : key < waiting;
      endfunction

      logic [Threads-1:0]      valid_q;             // places with a warp, a row of ones from place 0 up
      logic [Threads*IdxW-1:0] idx_q;
      logic [Threads*KeyW-1:0] key_q;
      logic                    join0, join1;
      logic [KeyW-1:0]         key0, key1;
      assign join0 = go0 && add0_join_i;
      assign join1 = go1 && add1_join_i;
      assign key0 = (Heuristic == 3) ? KeyW'(add0_sched_i) : KeyW'(update0_pc_i);
      assign key1 = (Heuristic == 3) ? KeyW'(add1_sched_i) : KeyW'(update1_pc_i);

      // What a warp has after the joins: the later one.
      function automatic logic [KeyW-1:0] joined(input logic [KeyW-1:0] key, input logic by0, input logic by1,
                                                 input logic [KeyW-1:0] by0_key, input logic [KeyW-1:0] by1_key);
        joined = key;
        if (by0 && precedes(key, by0_key)) joined = by0_key;
        if (by1 && precedes(key, by1_key)) joined = by1_key;
      endfunction

      // In registered order: whether a new warp goes in front of the one at a place.
      logic [Threads-1:0] front0, front1;
      always_comb begin
        for (int i = 0; i < Threads; i++) begin
          front0[i] = !valid_q[i] || precedes(key0, key_q[i*KeyW +: KeyW]);
          front1[i] = !valid_q[i] || precedes(key1, key_q[i*KeyW +: KeyW]);
        end
      end

      // The step (DPdPri): neighbours change places if the left one is later than the right one.
      logic [Threads*IdxW-1:0] idx_s, idx_a, idx_b, idx_d;
      logic [Threads*KeyW-1:0] key_s, key_a, key_b, key_d;
      logic [Threads-1:0]      front0_s, front1_s, front0_a, front1_a;
      if (Heuristic == 3) begin : gen_step
        logic [Threads*KeyW-1:0] key_j;   // after the joins, in registered order
        logic [Threads-2:0]      swap;
        logic                    odd_q;   // the cycle since reset is odd
        always_comb begin
          for (int i = 0; i < Threads; i++) begin
            key_j[i*KeyW +: KeyW] = joined(key_q[i*KeyW +: KeyW],
                                           join0 && (idx_q[i*IdxW +: IdxW] == add0_join_idx_i),
                                           join1 && (idx_q[i*IdxW +: IdxW] == add1_join_idx_i), key0, key1);
          end
          idx_s    = idx_q;
          key_s    = key_j;
          front0_s = front0;
          front1_s = front1;
          for (int i = 0; i < Threads - 1; i++) begin
            swap[i] = (odd_q == ((i % 2) == 1)) && valid_q[i+1] &&
                      precedes(key_q[(i+1)*KeyW +: KeyW], key_q[i*KeyW +: KeyW]);
            if (swap[i]) begin
              idx_s[i*IdxW +: 2*IdxW] = {idx_q[i*IdxW +: IdxW], idx_q[(i+1)*IdxW +: IdxW]};
              key_s[i*KeyW +: 2*KeyW] = {key_j[i*KeyW +: KeyW], key_j[(i+1)*KeyW +: KeyW]};
              front0_s[i +: 2]        = {front0[i], front0[i+1]};
              front1_s[i +: 2]        = {front1[i], front1[i+1]};
            end
          end
        end
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) odd_q <= 1'b0;
          else         odd_q <= !odd_q;
        end
      end else begin : gen_ordered
        assign idx_s    = idx_q;
        assign key_s    = key_q;
        assign front0_s = front0;
        assign front1_s = front1;
      end

      // Pick: the first.
      logic               picked;
      logic [Threads-1:0] valid_a, valid_b, valid_d;
      assign waits     = valid_q[0];
      assign first_idx = idx_s[0 +: IdxW];
      assign picked    = load && waits;
      assign valid_a   = picked ? valid_q >> 1 : valid_q;
      assign idx_a     = picked ? idx_s >> IdxW : idx_s;
      assign key_a     = picked ? key_s >> KeyW : key_s;
      assign front0_a  = picked ? {1'b1, front0_s[Threads-1:1]} : front0_s;
      assign front1_a  = picked ? {1'b1, front1_s[Threads-1:1]} : front1_s;

      // New warps: from its place on, all move up by one. Joins can leave the list of DPdPri out of order for a while.
      function automatic logic [Threads-1:0] from_first(input logic [Threads-1:0] front);
        from_first = front;
        if (Heuristic == 3) begin
          for (int d = 1; d < Threads; d = 2*d) from_first = from_first | (from_first << d);
        end
      endfunction

      logic [Threads-1:0] up0, up1, up1_a;   // places from that of the new warp on
      assign up0   = from_first(front0_a);
      assign up1_a = from_first(front1_a);
      assign up1   = !wait0 ? up1_a : (up1_a & ~up0) | (((up1_a << 1) | {Threads{precedes(key1, key0)}}) & up0);
      assign valid_b = wait0 ? (valid_a << 1) | Threads'(1) : valid_a;
      assign valid_d = wait1 ? (valid_b << 1) | Threads'(1) : valid_b;
      always_comb begin
        idx_b = idx_a;
        key_b = key_a;
        for (int i = 0; i < Threads; i++) begin
          if (wait0 && up0[i]) begin
            idx_b[i*IdxW +: IdxW] = add0_new_idx_i;
            key_b[i*KeyW +: KeyW] = key0;
          end
          if (wait0 && (i > 0) && up0[(i > 0) ? i-1 : 0]) begin
            idx_b[i*IdxW +: IdxW] = idx_a[((i > 0) ? i-1 : 0)*IdxW +: IdxW];
            key_b[i*KeyW +: KeyW] = key_a[((i > 0) ? i-1 : 0)*KeyW +: KeyW];
          end
        end
        idx_d = idx_b;
        key_d = key_b;
        for (int i = 0; i < Threads; i++) begin
          if (wait1 && up1[i]) begin
            idx_d[i*IdxW +: IdxW] = add1_new_idx_i;
            key_d[i*KeyW +: KeyW] = key1;
          end
          if (wait1 && (i > 0) && up1[(i > 0) ? i-1 : 0]) begin
            idx_d[i*IdxW +: IdxW] = idx_b[((i > 0) ? i-1 : 0)*IdxW +: IdxW];
            key_d[i*KeyW +: KeyW] = key_b[((i > 0) ? i-1 : 0)*KeyW +: KeyW];
          end
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) valid_q <= '0;
        else         valid_q <= valid_d;
      end
      always_ff @(posedge clk_i) begin
        idx_q <= idx_d;
        key_q <= key_d;
      end

      if (Heuristic == 3) begin : gen_sched
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni)   pick_sched_o <= '0;
          else if (load) pick_sched_o <= waits ? key_s[0 +: KeyW] : new0 ? key0 : new1 ? key1 : '0;
          else           pick_sched_o <= joined(pick_sched_o, join0 && (pick_idx_o == add0_join_idx_i),
                                                join1 && (pick_idx_o == add1_join_idx_i), key0, key1);
        end
        logic unused_sched;
        assign unused_sched = ^{update0_pc_i, update1_pc_i};
      end else begin : gen_pc
        assign pick_sched_o = '0;
        logic unused_sched;
        assign unused_sched = ^{join0, join1, add0_sched_i, add0_join_idx_i, add1_sched_i, add1_join_idx_i};
      end

      assign hold0_o    = 1'b0;
      assign hold1_o    = 1'b0;
      assign distinct_o = '0;

      logic unused;
      assign unused = ^{left_count_i, add0_count_i, add1_count_i};

`ifndef SYNTHESIS
      always @(posedge clk_i or negedge rst_ni) begin
        if (rst_ni) begin
          assert (!(wait0 && valid_a[Threads-1]));   // more warps than places
          assert (!(wait1 && valid_b[Threads-1]));
        end
      end
`endif
    end
  endgenerate

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!(issue_i && !pick_valid_o));                              // nothing is picked that could leave
      // Two groups with one PC must be one group.
      assert (!(update0_valid_i && update1_valid_i && (update0_pc_i == update1_pc_i)));
      // A group without a thread.
      assert (!(go0 && (add0_count_i == '0)));
      assert (!(go1 && (add1_count_i == '0)));
      assert (!(new0 && new1 && (add0_new_idx_i == add1_new_idx_i)));    // two new warps in one place
    end
  end
`endif
endmodule
