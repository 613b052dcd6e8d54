// SPDX-License-Identifier: Apache-2.0
#include "config/mechanisms.h"

namespace heddle {

const std::vector<MechanismInfo>& mechanisms() {
  static const std::vector<MechanismInfo> table = {
      {"spe", "single-path execution: one path of a warp at a time, PDOM reconvergence stack", "DPE paper 2.1, DWF paper 3.2"},
      {"dpe", "dual-path execution: both sides of a divergent branch issue interleaved", "DPE paper 3"},
  };
  return table;
}

}  // namespace heddle
