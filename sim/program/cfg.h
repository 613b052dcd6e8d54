// SPDX-License-Identifier: Apache-2.0
// Control-flow graph of every function of a program, and the reconvergence point of every branch: its immediate
// post-dominator, or where its function returns to, with a rule of its own before barriers (docs/kernels.md). A graph
// of the linked code; what cannot be known (an indirect jump) ends the function.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "isa/program.h"
#include "program/graph.h"
#include "program/unstructured.h"

namespace heddle {

// How control leaves a block.
enum class Terminator {
  kFallThrough,   // the next block begins a new region only because something jumps there, or with a barrier
  kBranch,        // conditional
  kJump,          // direct jump inside the function
  kTableJump,     // indirect jump whose targets are known, from its table or as the labels whose address is taken
  kIndirectJump,  // indirect jump with unknown targets
  kReturn,        // return to the caller
  kTailCall,      // direct jump out of the function
  kThreadExit,    // the thread ends here (exit system call, or a call that does not return)
  kTrap,          // ebreak or an instruction that is not legal: the run stops here
};

// A block barrier, or a call of a function that executes one: kSure if the program says so, kPossible if only a call
// through a pointer may reach it.
enum class Barrier { kNone, kSure, kPossible };

struct BasicBlock {
  Pc begin = 0;
  Pc end = 0;  // one past the last instruction
  Terminator terminator = Terminator::kFallThrough;
  std::vector<std::size_t> successors;  // indices of blocks of the same function, without duplicates
  bool leaves = false;                  // may leave the function other than by ending the thread
  Barrier barrier = Barrier::kNone;     // that it begins with
};

// A conditional branch or a table jump.
struct Branch {
  Pc pc = 0;
  std::size_t block = 0;
  Pc target = 0;            // of a conditional branch, else 0
  Pc rpc = kNoRpc;          // a block's first address, kReturnRpc, or kNoRpc
  bool structured = false;  // see find_structure() below
  bool interleavable =
      false;               // both sides hold instructions: neither target nor fall-through is the reconvergence point
  bool loop_exit = false;  // one successor is outside a natural loop that contains the branch
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

// Analyses all functions and writes into program.text the RPCs and which branches can be predicated, and the number of
// branches without an RPC into program.branches_without_rpc. The RPC of an indirect call is its return address, that of
// an indirect jump with unknown targets kReturnRpc. Code that belongs to no function symbol is analysed as functions
// named after the next address. Repeating it gives the same result.
std::vector<FunctionCfg> analyse(Program& program);

// The same without changing anything.
[[nodiscard]] std::vector<FunctionCfg> control_flow(const Program& program);

// Indices are those of the function's blocks; kOutside is where it is entered or returns to.
[[nodiscard]] Unstructured find_unstructured(const FunctionCfg& function);

}  // namespace heddle
