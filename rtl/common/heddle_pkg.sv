// SPDX-License-Identifier: Apache-2.0
// heddle_pkg: widths and codes shared by all modules.
//
// Only untyped constants and functions of fixed width: what Verilator, Yosys and Icarus all accept in a package.
package heddle_pkg;
  // A design that uses one module uses some of these only.
  /* verilator lint_off UNUSEDPARAM */

  localparam PcW = 32;

  // How heddle_mem stores: 0 inferred, 1 by the user's heddle_mem_macro.
  localparam MemKind = 0;

  // Instruction bundle, rd in the lowest bits (docs/frontend.md, Conventions).
  localparam InstrW     = 30;
  localparam NamesW     = 24;  // {rs3, rs2, rs1, rd}: the low bits of a bundle
  localparam RegW       = 6;   // a register name; 0 = none
  localparam UnitLsb    = 24;
  localparam UnitW      = 3;
  localparam ControlBit = 27;
  localparam BarrierBit = 28;
  localparam JumpBit    = 29;  // a control instruction behind which nothing is fetched

  // Predicated regions: instructions between a branch and its target.
  localparam MaxSkip = 8;
  localparam SkipW   = 4;

  // Execution units.
  localparam NumUnits        = 5;
  localparam UnitSpecial     = 3;
  localparam UnitLoadStore   = 4;

  // Parameters of the front ends and stacks that choose.
  localparam ScoreboardSpe        = 0;   // spe_scoreboard: one slot
  localparam ScoreboardDpe        = 1;   // dpe_scoreboard: two slots
  localparam ScoreboardOptimistic = 2;   // optimistic_scoreboard: more than one slot
  localparam ScoreboardBitmap     = 3;   // bitmap_scoreboard: one or two slots
  localparam SelectorTwoLevel     = 0;   // warp_selector
  localparam SelectorConstrained  = 1;   // constrained_selector: two slots
  localparam PolicyRoundRobin     = 0;
  localparam PolicyGto            = 1;   // greedy, then oldest
  localparam PushTakenFirst       = 0;   // PushOrder: the side of a divergence that executes first
  localparam PushFallThroughFirst = 1;
  localparam PushSmallerFirst     = 2;   // of two equal ones the taken side
  localparam PushLargerFirst      = 3;
  localparam TieTakenFirst        = 0;   // TieOrder: of two sets of one size
  localparam TieFallThroughFirst  = 1;
  localparam YieldSwaps            = 0;   // policy of a yield: two paths of the newest barrier change places
  localparam YieldIsFair           = 1;   // the path goes behind all others
  localparam YieldIsFairAtBranches = 2;   // ... at every taken backward branch, too
  localparam YieldStays            = 0;   // YieldMode: who yields stays in its barrier
  localparam YieldLeaves           = 1;   // ... leaves the newest one

  // What a control instruction says to a mechanism that reads it (resolve_kind_i); the other codes are free.
  localparam KindW      = 4;
  localparam MarkNone    = 0;
  localparam MarkFork    = 1;   // fork_join_: opens a region
  localparam MarkPush    = 2;   // software_: saves a row
  localparam MarkPop     = 3;   // software_: loads one
  localparam MarkDivide  = 4;   // dws_: the divergence may subdivide the warp
  localparam MarkOnce    = 5;   // dpe_split_: cannot be executed again
  localparam MarkArm     = 6;   // cbar_, of a convergence barrier b: bssy
  localparam MarkArrive  = 7;   // bsync
  localparam MarkBreak   = 8;   // break
  localparam MarkYield   = 9;   // yield, of none
  localparam MarkSync    = 10;  // warpsync, of a mask
  localparam MarkSave    = 11;  // bmov from it: its mask
  localparam MarkSavePc  = 12;  // ... its PC
  localparam MarkRestore = 13;  // bmov to it

  // What a mechanism tells (event_code_o).
  localparam EventW     = 3;
  localparam EventStuck = 1;   // cbar_: every thread of a warp waits, and nobody is left to come
  localparam EventArmed = 2;   // it arms a barrier that its threads are in
  localparam EventMixed = 3;   // it meets threads that wait for another mask, or elsewhere
  localparam EventMoved = 4;   // it saves a barrier at which threads wait

  // Why nothing was issued (stall_o).
  localparam StallNone           = 0;
  localparam StallNoWarp         = 1;
  localparam StallUnitBusy       = 2;
  localparam StallMemory         = 3;
  localparam StallScoreboard     = 4;
  localparam StallScoreboardFull = 5;
  localparam StallBranchPending  = 6;
  localparam StallBarrier        = 7;
  localparam StallIbufferEmpty   = 8;
  localparam StallPathSwitch     = 9;

  /* verilator lint_on UNUSEDPARAM */

  // Bits of an index into n things, at least 1.
  function automatic [31:0] idx_width(input [31:0] n);
    idx_width = (n > 2) ? $clog2(n) : 1;
  endfunction

  // pc + step == place, for a power of two, without a carry that runs through all bits: the bits in which they differ
  // are the carries.
  function automatic next_is(input [PcW-1:0] pc, input [PcW-1:0] place, input [PcW-1:0] step);
    reg [PcW-1:0] differs;
    begin
      differs = pc ^ place;
      next_is = differs == (((pc & differs & ~(step - 1)) << 1) | step);
    end
  endfunction
endpackage
