// SPDX-License-Identifier: Apache-2.0
// Random programs for the front ends: a control-flow graph with its immediate post-dominators, functions that call one
// another and themselves, and what every thread does at every branch. Every program ends: each thread takes a backward
// branch a few times only, and makes a few calls.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "common/types.h"
#include "tests/common/random.h"
#include "tests/core/ibuffer_oracle.h"

namespace heddle::test {

enum class Kind {
  kPlain,
  kBranch,
  kJump,
  kIndirect,
  kExit,
  kConditionalExit,
  kCall,
  kReturn,
  kFork,
  kPush,
  kPop,
  kMark
};

struct Instruction {
  Kind kind = Kind::kPlain;
  std::uint64_t bundle = 0;
  std::vector<Pc> targets;  // of a control instruction, without the next instruction
  bool backward = false;
  bool guard = false;                  // a branch around a call, for threads that have made enough of them
  bool call = false, returns = false;  // what the resolution says
  Pc rpc = kNoRpc;                     // of a fork its join, of a push where its threads go on: behind the pop there
  // Of a mark of convergence barriers; rpc is behind the one instruction at which threads wait at its barrier.
  unsigned mark = 0, barrier = 0;
  LaneMask operand = 0;
};

struct ProgramShape {
  unsigned blocks = 8;
  unsigned branch_percent = 60;  // of the blocks that end in something but an exit
  bool barriers = true;
  bool uniform = false;  // no thread ever differs from its neighbours
  unsigned functions = 0;
  unsigned short_percent = 20;  // branches over a few instructions
  bool misleading = false;      // jumps that look like calls and returns, and reconvergence PCs that are none
  bool forks = false;
  unsigned barriers_used = 0;  // convergence barriers
  bool pushes = false;         // where forks would be, and pops where they join: of threads that have come by the push
};

// What a thread has done so far, as far as a branch can depend on it.
struct History {
  unsigned visits = 0;  // of this instruction
  unsigned depth = 0;   // functions that it is in
  unsigned calls = 0;
};

class RandomProgram {
 public:
  static constexpr unsigned kMaxCallDepth = 5, kMaxSkip = 8;

  RandomProgram(std::uint64_t seed, const ProgramShape& shape);

  [[nodiscard]] Pc entry() const { return entry_; }
  // Where the outermost function returns to: threads exit there.
  [[nodiscard]] Pc stub() const { return blocks_.back().address; }
  // Threads that enter a call or diverge together meet again, if levels do not wrap around.
  [[nodiscard]] bool paths_meet() const { return !shape_.misleading; }
  [[nodiscard]] const Instruction& at(Pc pc) const;
  [[nodiscard]] bool has(Pc pc) const { return code_.count(pc) != 0; }
  // The instructions between a branch and its target, if a path can issue them with the threads that take it masked
  // off: at most eight, one after another, where no paths meet. Else 0.
  [[nodiscard]] unsigned skip(Pc branch) const;
  // A resolution names this PC as where paths meet, or threads may return to it.
  [[nodiscard]] bool may_meet_at(Pc pc) const { return meeting_places_.count(pc) != 0; }
  [[nodiscard]] Pc random_pc(Random& random) const { return entry_ + 4 * random.below(code_.size()); }

  // Where a thread goes from a control instruction; nothing if it exits, or returns: who called it knows.
  [[nodiscard]] std::optional<Pc> outcome(Pc pc, unsigned launch, unsigned lane, const History& history) const;

 private:
  struct Block {
    unsigned body = 0;
    std::optional<Kind> end;   // falls through without
    std::vector<unsigned> to;  // blocks of the targets
    bool guard = false, in_function = false;
    bool pops = false;                // begins with a pop
    std::optional<unsigned> arrives;  // begins with a wait at this convergence barrier
    Pc address = 0;
    std::optional<unsigned> post_dominator;
  };

  static std::uint64_t mix(std::uint64_t a, std::uint64_t b);

  // The first PC: any, or a little below a power of two, so that the program goes across it. No instruction is at 0,
  // and only programs without return addresses are anywhere but at multiples of 4.
  static Pc place(std::uint64_t seed, const ProgramShape& shape);

  // The kernel, the functions, and the exit to which the kernel returns.
  void plan(Random& random);

  void place_blocks();

  // Of each barrier one block of the kernel, mostly a late one.
  void place_arrivals(Random& random);
  // Behind the wait at the barrier; a barrier at which nobody waits is never armed.
  [[nodiscard]] std::optional<Pc> place_of(unsigned barrier) const;
  [[nodiscard]] Instruction mark(Random& random, unsigned mark, unsigned barrier) const;
  [[nodiscard]] std::optional<Instruction> any_mark(Random& random) const;

  // At the end of blocks that fall through: a region up to the post-dominator of the next block, or to that block
  // itself; one for each of these, and none that is forked again before it is left.
  void place_forks(Random& random);
  [[nodiscard]] bool comes_back(unsigned b, unsigned join) const;

  // Blocks first .. last, of which the last one leaves the function.
  void plan_function(Random& random, unsigned first, unsigned last);

  // Every block that a thread may go to; the number of blocks stands for leaving the function.
  [[nodiscard]] std::vector<unsigned> successors(unsigned b) const;

  void find_post_dominators();

  void emit(Random& random);

  // A jump through a link register is taken for a return, one that writes it for a call, and nobody found where paths
  // meet.
  void mislead(Random& random, Instruction& control, Pc pc) const;

  // Few registers, so that instructions depend on one another.
  static std::uint64_t bundle(Random& random, unsigned unit);

  std::uint64_t seed_;
  ProgramShape shape_;
  Pc entry_;
  std::vector<Block> blocks_;
  std::vector<unsigned> entries_;  // first blocks of the functions
  std::map<Pc, Instruction> code_;
  std::set<Pc> meeting_places_;
};

}  // namespace heddle::test
