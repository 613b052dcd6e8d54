// SPDX-License-Identifier: Apache-2.0
// Top of pc_warp_lut at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "dwf/pc_warp_lut.h"

int sc_main(int, char**) {
  heddle::pc_warp_lut<> top("top");
  return 0;
}
