// SPDX-License-Identifier: Apache-2.0
// Control-flow graph of every function of a program, and the reconvergence point of every branch: its immediate
// post-dominator. An exact graph of the linked code; what cannot be known (an indirect jump) ends the function.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "isa/program.h"

namespace heddle {

// How control leaves a block.
enum class Terminator {
  kFallThrough,   // the next block begins a new region only because something jumps there
  kBranch,        // conditional
  kJump,          // direct jump inside the function
  kTableJump,     // indirect jump whose table was read: successors are the table's targets
  kIndirectJump,  // indirect jump with unknown targets
  kReturn,        // return to the caller
  kTailCall,      // direct jump out of the function
  kThreadExit,    // the thread ends here (exit system call, or a call that does not return)
  kTrap,          // ebreak or an instruction that is not legal: the run stops here
};

struct BasicBlock {
  Pc begin = 0;
  Pc end = 0;                            // one past the last instruction
  Terminator terminator = Terminator::kFallThrough;
  std::vector<std::size_t> successors;   // indices of blocks of the same function, without duplicates
  bool leaves = false;                   // may leave the function other than by ending the thread
};

// A conditional branch or a table jump.
struct Branch {
  Pc pc = 0;
  std::size_t block = 0;
  Pc target = 0;              // of a conditional branch, else 0
  Pc rpc = kNoRpc;
  bool structured = false;    // see find_structure() below
  bool interleavable = false; // both sides hold instructions: neither target nor fall-through is the reconvergence point
  bool loop_exit = false;     // one successor is outside a natural loop that contains the branch
};

struct FunctionCfg {
  std::string name;
  Pc begin = 0;
  Pc end = 0;
  std::vector<BasicBlock> blocks;  // by address; blocks[0] is the entry unless empty
  std::vector<Branch> branches;    // by address
  std::vector<Pc> indirect_jumps;  // indirect jumps with unknown targets
  std::vector<Pc> indirect_calls;  // calls with unknown targets: callees that return meet behind the call
  bool irreducible = false;        // a cycle can be entered at more than one block
};

// Analyses all functions and writes the RPCs into program.text and the number of branches and indirect jumps without one
// into program.branches_without_rpc. The RPC of an indirect call is its return address. Code that belongs to no function symbol is analysed as functions named after the next
// address. Repeating it gives the same result.
std::vector<FunctionCfg> analyse(Program& program);

// The same without changing anything.
[[nodiscard]] std::vector<FunctionCfg> control_flow(const Program& program);

// Graph algorithms on plain successor lists, node 0 the entry; `exits[v]` says that v may leave. Public for tests.
constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);

// Immediate post-dominator of every node over all paths that leave: kNoNode for nodes whose only common point is outside
// (or that never leave).
[[nodiscard]] std::vector<std::size_t> immediate_post_dominators(const std::vector<std::vector<std::size_t>>& successors,
                                                                 const std::vector<bool>& exits);
// Immediate dominator from node 0; kNoNode for node 0 and for unreachable nodes.
[[nodiscard]] std::vector<std::size_t> immediate_dominators(const std::vector<std::vector<std::size_t>>& successors);

struct Structure {
  std::vector<bool> structured;  // by node, meaningful where it has several successors
  std::vector<bool> loop_exit;
  bool irreducible = false;
};
// A branch is structured when it has an immediate post-dominator R, its sides up to R (back edges left out) share no block
// and are entered from the branch alone, and, if it leaves a loop, that loop has no other exit; in a cycle with several
// entries no branch is.
[[nodiscard]] Structure find_structure(const std::vector<std::vector<std::size_t>>& successors,
                                       const std::vector<bool>& exits);

}  // namespace heddle
