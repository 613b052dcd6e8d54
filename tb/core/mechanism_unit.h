// SPDX-License-Identifier: Apache-2.0
// What a mechanism asks of the core: how it treats threads that are apart, and a unit of the mechanism's own. The unit
// executes the mechanism's instructions, says to its stack what they are, and hears what its front end answers and
// tells.
#pragma once

#include <cstdint>
#include <string>

#include "core/frontend_state.h"
#include "heddle/stats.h"
#include "isa/instruction.h"
#include "isa/program.h"

namespace heddle {

// As a mechanism without a word here is: its stack knows branches, calls and exits, and nothing else.
struct Capabilities {
  // Warps may be in splits, which issue apart from each other until they meet: threads are counted at a barrier, not
  // warps.
  bool splits_warps = false;
  // A path may be split where some threads of a load have to wait for memory; a divergent branch that neither pushes
  // nor overflows is then not executed, and comes again.
  bool splits_at_loads = false;
  // The front end keeps the two paths of a warp, and the program pushes and pops the rows below, which are in memory
  // and the core's to know: entry() is asked of the top only.
  bool rows_in_memory = false;
  // Threads that the program has together may execute an instruction apart: warp-wide operations need all of a warp.
  bool parts_warps = false;
  // The front end hears which paths wait for something long.
  bool long_waits = false;
  // It has core/predication: a short forward branch may mask threads off instead of dividing a path.
  bool predicates = true;
  // The paths of a warp wait on a stack of stack.depth entries: how deep it gets is counted.
  bool has_stack = true;
};
[[nodiscard]] constexpr bool operator==(const Capabilities& a, const Capabilities& b) {
  return a.splits_warps == b.splits_warps && a.splits_at_loads == b.splits_at_loads &&
         a.rows_in_memory == b.rows_in_memory && a.parts_warps == b.parts_warps && a.long_waits == b.long_waits &&
         a.predicates == b.predicates && a.has_stack == b.has_stack;
}

// An instruction that some threads of a warp execute.
struct PathInstruction {
  WarpId warp;
  std::uint32_t slot;
  Pc pc;
  LaneMask mask;
  LaneMask live;  // of the warp
  const Instruction& inst;
};

// What the stack is told with the resolution of a control instruction, beside what every stack knows.
struct Mark {
  std::uint32_t kind = 0;     // number of heddle_pkg; 0: none
  std::uint64_t operand = 0;  // for who reads it
  Pc rpc = kNoRpc;
};

// Counts of the front ends since the reset, as at their pins.
struct FrontendCounts {
  std::uint32_t max_splits = 0, splits = 0, merges = 0, refused = 0, forwards = 0;
  std::uint32_t own = 0;  // of whoever counts something else
};

// What a unit may know of its core, and how it stops a launch.
class UnitCore {
 public:
  virtual ~UnitCore() = default;
  [[nodiscard]] virtual const Program& program() const = 0;
  [[nodiscard]] virtual const std::string& kernel() const = 0;
  [[nodiscard]] virtual std::string name_of(WarpId warp) const = 0;
  [[nodiscard]] virtual std::uint64_t value(WarpId warp, RegId reg, unsigned lane) const = 0;  // RV32: 32 bits
  [[nodiscard]] virtual LaneMask live(WarpId warp) const = 0;
  [[nodiscard]] virtual unsigned stack_depth(WarpId warp) const = 0;
  [[nodiscard]] virtual StackEntry stack_entry(WarpId warp, unsigned index) const = 0;
  [[nodiscard]] virtual Stats& stats() = 0;
  // The program is wrong: at the instruction, or no one can say where.
  [[noreturn]] virtual void stop_at(const PathInstruction& at, const std::string& code,
                                    const std::string& message) const = 0;
  [[noreturn]] virtual void stop(const std::string& code, const std::string& message) const = 0;
  // The hardware failed, not the program.
  [[noreturn]] virtual void wrong(const std::string& code, const std::string& message) const = 0;
};

// One serves all schedulers of a core.
class MechanismUnit {
 public:
  // Of an instruction that is there for mechanisms (Instruction::is_own).
  enum class Role : std::uint8_t {
    kNothing,    // another mechanism's: it does nothing
    kGoesOn,     // the unit executes it, and its path goes on
    kResolves,   // and it is a control instruction: the path waits until the stack knows
    kEndsFetch,  // and nothing is fetched behind it
  };

  virtual ~MechanismUnit() = default;
  [[nodiscard]] virtual Role role(const Instruction&) const { return Role::kNothing; }
  // A launch begins; a warp does, in a slot that may have had another one.
  virtual void begin_launch() {}
  virtual void begin_warp(WarpId) {}
  // Before any instruction.
  virtual void watch_path(UnitCore&, const PathInstruction&) {}
  // The same with run.checks: what the unit knows of the path is held against it.
  virtual void check_path(UnitCore&, const PathInstruction&) {}
  // One that is not for nothing. A destination register of one that resolves gets what the front end answers, which
  // comes before the path issues again; its commit is then.
  virtual void execute(UnitCore&, const PathInstruction&) {}
  // After it: threads of the path that executed it. The others come to it again.
  [[nodiscard]] virtual LaneMask executed(const UnitCore&, const PathInstruction& at) const { return at.mask; }
  // Of any control instruction; `mark` is that of a branch.
  virtual void mark(const UnitCore&, const PathInstruction&, Mark&) const {}
  // A path that executes a warp-wide operation is all that the program has together, where warps are in parts.
  [[nodiscard]] virtual bool together(WarpId, LaneMask path, LaneMask live) const { return path == live; }
  // The answer that the register gets.
  virtual void answered(UnitCore&, WarpId, std::uint64_t /*value*/) {}
  // The front end tells of a warp.
  virtual void hear(UnitCore&, WarpId, std::uint32_t /*code*/) {}
  // Of each front end, when a launch has ended.
  virtual void add_counts(const FrontendCounts&, Stats&) const {}
};

}  // namespace heddle
