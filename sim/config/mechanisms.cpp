// SPDX-License-Identifier: Apache-2.0
#include "config/mechanisms.h"

namespace heddle {

const std::vector<MechanismInfo>& mechanisms() {
  static const std::vector<MechanismInfo> table = {
      {"spe", "single-path execution: one path of a warp at a time, PDOM reconvergence stack", "DPE paper 2.1, DWF paper 3.2",
       MechanismKind::kFrontend},
      {"dpe", "dual-path execution: both sides of a divergent branch issue interleaved", "DPE paper 3",
       MechanismKind::kFrontend},
      {"dwf", "dynamic warp formation: threads with equal next PC form warps anew in every cycle (barrel core)", "DWF paper 4",
       MechanismKind::kFormation},
      {"naive", "reference: a divergent branch splits a warp for good (barrel core)", "DWF paper 3.1", MechanismKind::kReference},
      {"pdom-barrel", "reference: static warps with the stack of spe, one instruction of a warp in flight (barrel core)", "DWF paper 3.2",
       MechanismKind::kReference},
      {"mimd", "reference: any ready threads issue together, no cost of divergence (barrel core)", "DWF paper 6",
       MechanismKind::kReference},
  };
  return table;
}

MechanismKind mechanism_kind(const std::string& name) {
  for (const MechanismInfo& mechanism : mechanisms()) {
    if (name == mechanism.name) return mechanism.kind;
  }
  return MechanismKind::kFrontend;
}

std::string preset_of_mechanism(const std::string& name) { return mechanism_kind(name) == MechanismKind::kFrontend ? "" : "dwf2007"; }

}  // namespace heddle
