// SPDX-License-Identifier: Apache-2.0
#include "config/mechanisms.h"

#include <algorithm>

namespace heddle {
namespace {

const MechanismInfo* find(const std::string& name) {
  const auto& table = mechanisms();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const MechanismInfo& mechanism) { return name == mechanism.name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<MechanismInfo>& mechanisms() {
  static const std::vector<MechanismInfo> table = {
      {"spe", "single-path execution: one path of a warp at a time, PDOM reconvergence stack",
       "DPE paper 2.1, DWF paper 3.2", MechanismKind::kFrontend, 1, StackModule::kSpe},
      {"dpe", "dual-path execution: both sides of a divergent branch issue interleaved", "DPE paper 3",
       MechanismKind::kFrontend, 2, StackModule::kDpe},
      {"dws",
       "dynamic warp subdivision: the sides of a branch run on apart, as splits of their warp, if the block behind it "
       "is short",
       "DPE paper 2.2", MechanismKind::kFrontend, 0, StackModule::kSplitTable, "",
       32},  // splits that wait are in it, too
      {"forkjoin",
       "fork/join: regions from a fork to a join, of a divergence the smaller set first, no meeting in between",
       "US 8,959,319", MechanismKind::kFrontend, 1, StackModule::kForkJoin, "forkjoin"},
      {"dwf", "dynamic warp formation: threads with equal next PC form warps anew in every cycle (barrel core)",
       "DWF paper 4", MechanismKind::kFormation},
      {"naive", "reference: a divergent branch splits a warp for good (barrel core)", "DWF paper 3.1",
       MechanismKind::kReference},
      {"pdom-barrel",
       "reference: static warps with the stack of spe, one instruction of a warp in flight (barrel core)",
       "DWF paper 3.2", MechanismKind::kReference},
      {"mimd", "reference: any ready threads issue together, no cost of divergence (barrel core)", "DWF paper 6",
       MechanismKind::kReference},
  };
  return table;
}

MechanismKind mechanism_kind(const std::string& name) {
  const MechanismInfo* mechanism = find(name);
  return mechanism == nullptr ? MechanismKind::kFrontend : mechanism->kind;
}

std::string kernel_form(const Config& config) {
  if (frontend_shape(config).stack == StackModule::kSoftware) return "software";
  const MechanismInfo* found = find(config.mechanism);
  return found == nullptr ? "" : found->kernels;
}

std::string preset_of_mechanism(const std::string& name) {
  return mechanism_kind(name) == MechanismKind::kFrontend ? "" : "dwf2007";
}

unsigned default_stack_depth(const std::string& name) {
  const MechanismInfo* mechanism = find(name);
  return mechanism == nullptr ? Config{}.stack.depth : mechanism->stack_depth;
}

FrontendShape frontend_shape(const Config& config) {
  const MechanismInfo* mechanism = find(config.mechanism);
  FrontendShape shape{1, StackModule::kSpe, ScoreboardModule::kSpe, SelectorKind::kTwoLevel};
  if (mechanism != nullptr) {
    shape.slots = mechanism->slots != 0 ? mechanism->slots : config.dws.splits;
    shape.stack = mechanism->stack;
  }
  if (shape.stack == StackModule::kSpe && config.stack.kind == StackKind::kCompact) shape.stack = StackModule::kCompact;
  if (shape.stack == StackModule::kSplitTable) {
    shape.scoreboard = ScoreboardModule::kOptimistic;
    return shape;
  }
  if (shape.stack == StackModule::kDpe && config.dpe.stack == DpeStack::kSoftware) shape.stack = StackModule::kSoftware;
  shape.forwards = shape.stack == StackModule::kDpe && config.dpe.path_forwarding;
  shape.memory_splits = shape.stack == StackModule::kDpe && config.dpe.memory_split;
  if (shape.slots == 2) {
    shape.scoreboard =
        config.scoreboard.kind == ScoreboardKind::kOptimistic ? ScoreboardModule::kOptimistic : ScoreboardModule::kDpe;
    shape.selector = config.selector.kind;
  }
  if (config.scoreboard.kind == ScoreboardKind::kBitmap) shape.scoreboard = ScoreboardModule::kBitmap;
  if (shape.memory_splits) shape.scoreboard = ScoreboardModule::kOptimistic;  // a load is written back in parts
  return shape;
}

}  // namespace heddle
