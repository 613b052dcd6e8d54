// SPDX-License-Identifier: Apache-2.0
// warp_selector: picks, of the ready paths of NumWarps warps, the one that issues: level 1 a slot of each warp, level 2
// a warp.
//
// Contract
//   Latency  the grant is combinational; turns and ages move on at the edge that ends the cycle.
//   Order    Level 1: the first ready slot of the warp after the one that was granted last, modulo NumSlots.
//            Level 2: Policy 0, the first warp with a ready slot after the last granted one; Policy 1, the last granted
//            warp if it is ready and was not launched since, else the ready warp that was launched longest ago.
//            A launch in the cycle of a grant of the same warp wins: it is not the last granted warp then.
//   Reset    asynchronous, active low; slot 0 and lower warps first, no last granted warp.
//   Idle     grant_warp_o, grant_slot_o and grant_o are 0 while grant_valid_o is 0.
//   Assumes  (asserted) launch_warp_i < NumWarps.
//   Not here what makes a path ready: frontend.
// Source: DPE paper, section 3.3; of more than two slots: ours.
module warp_selector #(
  parameter  int NumWarps = 24,  // warps of the partition
  parameter  int NumSlots = 2,  // paths of a warp that may issue
  parameter  int Policy   = 0,  // 0 loose round robin, 1 greedy then oldest
  localparam int WarpW    = heddle_pkg::idx_width(NumWarps),
  localparam int SlotW    = heddle_pkg::idx_width(NumSlots),
  localparam int NumPaths = NumSlots * NumWarps   // path of slot s of warp w: s*NumWarps + w
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from dispatcher
  input  logic                launch_valid_i,
  input  logic [WarpW-1:0]    launch_warp_i,
  // from front end
  input  logic [NumPaths-1:0] ready_i,
  // to front end
  output logic                grant_valid_o,
  output logic [WarpW-1:0]    grant_warp_o,
  output logic [SlotW-1:0]    grant_slot_o,
  output logic [NumPaths-1:0] grant_o   // the same by path, one-hot
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (NumWarps < 1) NumWarps_must_be_at_least_1 limit ();
  if (NumSlots < 1) NumSlots_must_be_at_least_1 limit ();
  if (Policy < 0 || Policy > 1) Policy_must_be_0_or_1 limit ();

  // ---------------------------------------------------------------------------------------------------- level 1
  logic [NumWarps-1:0] ready;
  logic [NumWarps-1:0] first;   // the warp that is granted, one-hot

  generate
    if (NumSlots == 1) begin : gen_one_slot
      assign ready        = ready_i;
      assign grant_slot_o = '0;
      assign grant_o      = first;
    end else if (NumSlots == 2) begin : gen_two_slots   // the same as of more, in few gates
      logic [NumWarps-1:0] ready_l, ready_r;
      logic [NumWarps-1:0] last_slot_q;   // slot granted last; 1 after reset: left is first
      logic [NumWarps-1:0] right;         // the slot that would win

      assign {ready_r, ready_l} = ready_i;
      assign ready              = ready_l | ready_r;
      assign right              = ready_r & ~(ready_l & last_slot_q);
      assign grant_slot_o       = SlotW'((first & right) != '0);
      assign grant_o            = {first & right, first & ~right};

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          last_slot_q <= '1;
        end else begin
          last_slot_q <= (first & right) | (~first & last_slot_q);
        end
      end
    end else begin : gen_slots
      // By slot, and in a slot by warp: bit b of last_q: of the slot granted last, the last one after reset.
      logic [SlotW*NumWarps-1:0] last_q;
      logic [NumPaths-1:0]       behind, later;       // slots behind it; those of them that are ready
      logic [NumPaths-1:0]       turn, wins;          // takes part; would be granted
      logic [NumWarps-1:0]       any_later, seen;

      // Slots behind the last one of each warp: those with a number that is larger. (A vector of its own: two processes
      // that select parts of one vector wake each other without end in Icarus 11.)
      always_comb begin
        for (int s = 0; s < NumSlots; s++) begin
          behind[s*NumWarps +: NumWarps] = '0;
          for (int b = 0; b < SlotW; b++) begin
            if (((s >> b) % 2) == 1) begin
              behind[s*NumWarps +: NumWarps] = behind[s*NumWarps +: NumWarps] | ~last_q[b*NumWarps +: NumWarps];
            end else begin
              behind[s*NumWarps +: NumWarps] = behind[s*NumWarps +: NumWarps] & ~last_q[b*NumWarps +: NumWarps];
            end
          end
        end
      end
      assign later = behind & ready_i;

      // The lowest of the later ones, or of all if there is none.
      always_comb begin
        ready     = '0;
        any_later = '0;
        for (int s = 0; s < NumSlots; s++) begin
          ready     = ready | ready_i[s*NumWarps +: NumWarps];
          any_later = any_later | later[s*NumWarps +: NumWarps];
        end
        turn = later | (ready_i & ~{NumSlots{any_later}});
        seen = '0;
        for (int s = 0; s < NumSlots; s++) begin
          wins[s*NumWarps +: NumWarps] = turn[s*NumWarps +: NumWarps] & ~seen;
          seen                         = seen | turn[s*NumWarps +: NumWarps];
        end
      end

      for (genvar b = 0; b < SlotW; b++) begin : gen_last
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            last_q[b*NumWarps +: NumWarps] <= {NumWarps{(((NumSlots - 1) >> b) % 2) == 1}};
          end else begin
            last_q[b*NumWarps +: NumWarps] <= (first & {NumWarps{grant_slot_o[b]}}) |
                                              (~first & last_q[b*NumWarps +: NumWarps]);
          end
        end
      end

      assign grant_o = wins & {NumSlots{first}};
      always_comb begin
        grant_slot_o = '0;
        for (int s = 0; s < NumSlots; s++) begin
          if (grant_o[s*NumWarps +: NumWarps] != '0) grant_slot_o = grant_slot_o | SlotW'(s);
        end
      end
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------- level 2
  generate
    if ((Policy == 0) || (NumWarps == 1)) begin : gen_round_robin   // one warp: nothing to choose, no state
      logic unused_launch;
      assign unused_launch = launch_valid_i ^ (^launch_warp_i);

      rr_arbiter #(
        .NumReq(NumWarps)
      ) u_turn (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .enable_i      (1'b1),
        .req_i         (ready),
        .grant_valid_o (grant_valid_o),
        .grant_idx_o   (grant_warp_o),
        .grant_o       (first)
      );
    end else begin : gen_greedy_then_oldest
      logic [NumWarps-1:0] older [0:NumWarps-1];   // older[w][v]: warp v was launched before warp w
      logic                last_valid_q;
      logic [WarpW-1:0]    last_warp_q;
      logic                greedy;                 // the last granted warp has its turn again

      assign greedy        = last_valid_q && ready[last_warp_q];
      assign grant_valid_o = ready != '0;
      always_comb begin
        grant_warp_o = '0;
        for (int w = 0; w < NumWarps; w++) begin
          first[w]     = greedy ? last_warp_q == WarpW'(w) : ready[w] && ((ready & older[w]) == '0);
          grant_warp_o = grant_warp_o | (first[w] ? WarpW'(w) : '0);   // of one warp only
        end
      end

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          last_valid_q <= 1'b0;
          last_warp_q  <= '0;
        end else begin
          if (grant_valid_o) begin
            last_valid_q <= 1'b1;
            last_warp_q  <= grant_warp_o;
          end
          if (launch_valid_i && (launch_warp_i == (grant_valid_o ? grant_warp_o : last_warp_q))) last_valid_q <= 1'b0;
        end
      end

      // One bit for each two warps: the age matrix is its own complement across the diagonal.
      for (genvar w = 0; w < NumWarps; w++) begin : gen_age
        assign older[w][w] = 1'b0;
        if (w > 0) begin : gen_pairs
          logic [w-1:0] before_q;   // before_q[v]: warp v was launched before warp w
          assign older[w][w-1:0] = before_q;
          for (genvar v = 0; v < w; v++) begin : gen_complement
            assign older[v][w] = ~before_q[v];
          end
          always_ff @(posedge clk_i or negedge rst_ni) begin
            if (!rst_ni) begin
              before_q <= '1;
            end else if (launch_valid_i) begin
              for (int v = 0; v < w; v++) begin
                if (launch_warp_i == WarpW'(v)) before_q[v] <= 1'b0;
              end
              if (launch_warp_i == WarpW'(w)) before_q <= '1;
            end
          end
        end
      end
    end
  endgenerate

`ifndef SYNTHESIS
  always @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!(launch_valid_i && (32'(launch_warp_i) >= NumWarps)));   // launch_warp_i names no warp
    end
  end
`endif
endmodule
