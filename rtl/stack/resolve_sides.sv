// SPDX-License-Identifier: Apache-2.0
// resolve_sides: where the two sides of a branch meet, and whether a side is there already.
//
// A place is a PC and a call level. An odd PC is RETURN: where the function returns to, whose address is known once a
// path has brought it. A path has a place of its own, at which it meets the others of its entry.
//
// Contract
//   Latency  combinational.
//   Order    one resolution at a time; nothing meets.
//   Reset    no state.
//   Assumes  no path stands at its own place already, nor at the level of its RETURN before the address is known.
//   Not here which threads take the branch, and what is pushed: the stacks.
// Source: DPE paper, section 2 (the reconvergence point of a branch); call levels and RETURN: ours (docs/frontend.md).
module resolve_sides #(
  parameter  int LevelW = 8,  // bits of a call level
  localparam int PcW    = heddle_pkg::PcW
) (
  // from execute
  input  logic [PcW-1:0]    target_i,
  input  logic [PcW-1:0]    next_i,
  input  logic [PcW-1:0]    rpc_i,            // of the branch; 0 none
  input  logic              call_i,
  input  logic              return_i,
  // from the path that resolves
  input  logic [LevelW-1:0] level_i,
  input  logic [PcW-1:0]    own_rpc_i,        // its own place
  input  logic [LevelW-1:0] own_level_i,
  // to the stack: where the sides meet
  output logic              tail_o,           // at the path's own place: nothing waits between the two
  output logic [PcW-1:0]    meet_rpc_o,       // with the address that a side has brought
  output logic [LevelW-1:0] meet_level_o,
  // to the stack: the sides
  output logic [LevelW-1:0] target_level_o,
  output logic              target_arrives_o, // is where the sides meet
  output logic              next_arrives_o,
  output logic              target_at_own_o,  // is at the path's own place
  output logic              next_at_own_o
);
  // A broken limit instantiates a module that does not exist: elaboration stops and says its name.
  if (LevelW < 2 || LevelW > 16) LevelW_must_be_2_to_16 limit ();   // up is not down

  // Levels, and whether they are that of the path's own place.
  logic [LevelW-1:0] up_level, down_level;
  logic              same_is_own, down_is_own, target_is_own;
  assign up_level       = level_i + LevelW'(1);
  assign down_level     = level_i - LevelW'(1);
  assign target_level_o = call_i ? up_level : return_i ? down_level : level_i;
  assign same_is_own    = level_i == own_level_i;
  assign down_is_own    = down_level == own_level_i;
  assign target_is_own  = target_level_o == own_level_i;

  // Where the sides meet: if not at the path's own place then at rpc_i as it is, RETURN without an address.
  logic           to_return, own_place;
  logic [PcW-1:0] rpc;
  assign to_return    = rpc_i[0];
  assign own_place    = (rpc_i == '0) || (to_return && ((level_i == '0) || (own_rpc_i[0] && down_is_own)));
  assign tail_o       = own_place || (!to_return && (rpc_i == own_rpc_i) && same_is_own);
  assign rpc          = own_place ? own_rpc_i : rpc_i;
  assign meet_level_o = own_place ? own_level_i : to_return ? down_level : level_i;

  // Who is at the path's own place, and who at rpc_i. At RETURN without an address that is whoever comes to its level,
  // which only the target's side does.
  logic unknown, target_at_rpc, next_at_rpc;
  assign unknown          = own_rpc_i[0] && (own_rpc_i[PcW-1:1] == '0);
  assign target_at_own_o  = (own_rpc_i != '0) && target_is_own &&
                            (unknown || (target_i[PcW-1:1] == own_rpc_i[PcW-1:1]));
  assign next_at_own_o    = (own_rpc_i != '0) && same_is_own && (unknown || (next_i[PcW-1:1] == own_rpc_i[PcW-1:1]));
  assign target_at_rpc    = to_return ? return_i : !call_i && !return_i && (target_i == rpc_i);
  assign next_at_rpc      = !to_return && (next_i == rpc_i);
  assign target_arrives_o = own_place ? target_at_own_o : target_at_rpc;
  assign next_arrives_o   = own_place ? next_at_own_o : next_at_rpc;

  // The address that is learnt is always the target: a path that arrives in another way finds its address known.
  assign meet_rpc_o = (rpc[0] && target_arrives_o) ? {target_i[PcW-1:1], 1'b1} : rpc;
endmodule
