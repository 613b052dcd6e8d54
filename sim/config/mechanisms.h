// SPDX-License-Identifier: Apache-2.0
// The mechanisms a run can be asked for: one line each. A mechanism that is not in this table cannot be selected
// anywhere.
#pragma once

#include <string>
#include <vector>

#include "heddle/config.h"

namespace heddle {

// The core that runs it: front ends with static warps (also those that a program registers), or the barrel core with a
// dwf_scheduler or with a reference model that has no hardware.
enum class MechanismKind { kFrontend, kFormation, kReference };

// Modules of core/frontend, in the order of its parameters' numbers.
enum class StackModule { kSpe, kDpe, kCompact, kForkJoin, kSplitTable, kSoftware };
enum class ScoreboardModule { kSpe, kDpe, kOptimistic, kBitmap };

struct MechanismInfo {
  const char* name;  // value of --mechanism and of the key `mechanism`
  const char* summary;
  const char* source;  // paper and section
  MechanismKind kind;
  // Front ends: paths of a warp (0: as the configuration says), and the stack that keeps them.
  unsigned slots = 1;
  StackModule stack = StackModule::kSpe;
  // The form of the workloads' kernels it runs: NAME.elf, or NAME.form.elf, compiled with what the mechanism asks of a
  // compiler.
  const char* kernels = "";
  unsigned stack_depth = Config{}.stack.depth;  // if nothing sets it
};

[[nodiscard]] const std::vector<MechanismInfo>& mechanisms();
[[nodiscard]] MechanismKind mechanism_kind(const std::string& name);
[[nodiscard]] std::string kernel_form(const Config& config);
// The preset that a command line without one starts from; empty: the defaults of all keys.
[[nodiscard]] std::string preset_of_mechanism(const std::string& name);

// What stack.depth is if nothing sets it.
[[nodiscard]] unsigned default_stack_depth(const std::string& name);

// How core/frontend is built for a configuration. Twins, Verilated models, counts of bits and waves are chosen by it.
struct FrontendShape {
  unsigned slots;
  StackModule stack;
  ScoreboardModule scoreboard;
  SelectorKind selector;
  bool forwards = false;       // dpe_stack's parameter Forward
  bool memory_splits = false;  // its parameter Split
};
[[nodiscard]] constexpr bool operator==(const FrontendShape& a, const FrontendShape& b) {
  return a.slots == b.slots && a.stack == b.stack && a.scoreboard == b.scoreboard && a.selector == b.selector &&
         a.forwards == b.forwards && a.memory_splits == b.memory_splits;
}
// Of a front end that a program registered: as spe.
[[nodiscard]] FrontendShape frontend_shape(const Config& config);

}  // namespace heddle
